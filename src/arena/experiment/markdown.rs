//! Markdown that can be read as plain text too: what the reports of all experiments have.

use super::measure::Summary;
use super::summary::VariantHead;

/// The title, what was asked for, and how much of it is missing.
pub fn opening(title: Option<&str>, what: &str, seed: u64, summary: &impl Summary) -> String {
    let title = title.map_or_else(String::new, |title| format!("# {}\n\n", escaped(title)));
    let mut text = format!("{title}{what}, seed {seed}.");
    let progress = summary.progress();
    if !progress.is_complete() {
        let (finished, total) = (progress.finished, progress.total);
        let noun = progress.noun;
        text.push_str(&format!(
            " **Not complete: {finished} of {total} {noun} are finished.**"
        ));
    }
    text.push('\n');
    text
}

/// What stands above the tables of a variant.
pub fn heading(head: &VariantHead) -> String {
    let name = head.name.as_ref();
    let name = name.map_or_else(String::new, |name| format!("## {}\n\n", escaped(name)));
    format!("\n{name}{}", settings(head))
}

/// The game with its params, and who the players are.
fn settings(head: &VariantHead) -> String {
    let params: Vec<String> = head
        .params
        .iter()
        .map(|(k, v)| format!("{k} = {v}"))
        .collect();
    let mut text = head.game.clone();
    if !params.is_empty() {
        text.push_str(&format!(" ({})", escaped(&params.join(", "))));
    }
    text.push_str("\n\n");
    let mut rows = vec![vec!["player".to_string(), "is".to_string()]];
    for (name, spec) in &head.players {
        rows.push(vec![escaped(name), format!("`{spec}`")]);
    }
    text + &table(&rows, 2)
}

pub fn escaped(text: &str) -> String {
    text.replace('|', "\\|")
}

/// Rows of cells in columns of one width; those after the first `left` columns have numbers, which are set flush
/// right.
pub fn table(rows: &[Vec<String>], left: usize) -> String {
    let columns = rows.first().map_or(0, Vec::len);
    let width = |c: usize| {
        let widths = rows.iter().map(|r| r[c].chars().count());
        widths.max().unwrap_or(0).max(3)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let right = |c: usize| c >= left;
    let mut text = String::new();
    for (i, row) in rows.iter().enumerate() {
        for (c, cell) in row.iter().enumerate() {
            let fill = " ".repeat(widths[c] - cell.chars().count());
            text.push_str(&if right(c) {
                format!("| {fill}{cell} ")
            } else {
                format!("| {cell}{fill} ")
            });
        }
        text.push_str("|\n");
        if i == 0 {
            for (c, width) in widths.iter().enumerate() {
                let dashes = "-".repeat(width - usize::from(right(c)));
                let colon = if right(c) { ":" } else { "" };
                text.push_str(&format!("| {dashes}{colon} "));
            }
            text.push_str("|\n");
        }
    }
    text
}
