//! Tables of text: rows of cells in columns two spaces apart, without spaces at the ends of lines.

use super::wrap::{self, wrapped};

/// What stands between two columns.
const GAP: usize = 2;

/// A table as wide as its cells. The columns in `right` are set flush right.
pub fn table(rows: &[Vec<String>], right: &[usize]) -> String {
    let columns = columns(rows);
    let widths: Vec<usize> = (0..columns).map(|c| natural(rows, c)).collect();
    let all: Vec<usize> = (0..columns).collect();
    set(rows, right, &all, &widths)
}

/// A table of at most so many characters, as far as words allow. Cells are broken between words, that of the widest column
/// first; where that is not enough, the columns stand in several tables, each with the columns before the first in `right`, or with
/// the first one.
pub fn fitted(rows: &[Vec<String>], right: &[usize], width: usize) -> String {
    let count = columns(rows);
    let widths: Vec<usize> = (0..count).map(|c| natural(rows, c)).collect();
    let least: Vec<usize> = (0..count).map(|c| longest_word(rows, c)).collect();
    let all: Vec<usize> = (0..count).collect();
    let parts = match total(&least, &all) <= width {
        true => vec![all],
        false => split(&least, keys(&least, right, width), width),
    };
    let mut texts = Vec::with_capacity(parts.len());
    for part in parts {
        let mut narrowed = widths.clone();
        while total(&narrowed, &part) > width {
            let room = |c: &&usize| narrowed[**c] > least[**c];
            let widest = part.iter().filter(room).max_by_key(|c| narrowed[**c]);
            let Some(&widest) = widest else { break };
            narrowed[widest] -= 1;
        }
        texts.push(set(rows, right, &part, &narrowed));
    }
    texts.join("\n")
}

fn columns(rows: &[Vec<String>]) -> usize {
    rows.iter().map(Vec::len).max().unwrap_or(0)
}

fn cells(rows: &[Vec<String>], column: usize) -> impl Iterator<Item = &String> {
    rows.iter().filter_map(move |row| row.get(column))
}

fn natural(rows: &[Vec<String>], column: usize) -> usize {
    let widths = cells(rows, column).map(|cell| cell.chars().count());
    widths.max().unwrap_or(0)
}

fn longest_word(rows: &[Vec<String>], column: usize) -> usize {
    let words = cells(rows, column).map(|cell| wrap::longest_word(cell));
    words.max().unwrap_or(0)
}

fn total(widths: &[usize], columns: &[usize]) -> usize {
    let sum: usize = columns.iter().map(|c| widths[*c]).sum();
    sum + GAP * columns.len().saturating_sub(1)
}

/// How many columns say what a row is about: at most half of the width.
fn keys(least: &[usize], right: &[usize], width: usize) -> usize {
    let keys = right.iter().min().copied().unwrap_or(1).max(1);
    let all: Vec<usize> = (0..keys.min(least.len())).collect();
    if total(least, &all) > width / 2 {
        1
    } else {
        keys
    }
}

/// The columns in groups that fit, each with the first ones.
fn split(least: &[usize], keys: usize, width: usize) -> Vec<Vec<usize>> {
    let mut parts: Vec<Vec<usize>> = Vec::new();
    let first: Vec<usize> = (0..keys.min(least.len())).collect();
    for column in keys..least.len() {
        let fits = parts.last().is_some_and(|part| {
            let with: Vec<usize> = part.iter().copied().chain([column]).collect();
            total(least, &with) <= width
        });
        match parts.last_mut() {
            Some(part) if fits => part.push(column),
            _ => parts.push(first.iter().copied().chain([column]).collect()),
        }
    }
    if parts.is_empty() {
        parts.push(first);
    }
    parts
}

fn set(rows: &[Vec<String>], right: &[usize], part: &[usize], widths: &[usize]) -> String {
    let mut text = String::new();
    for row in rows {
        let cells: Vec<(usize, Vec<String>)> = part
            .iter()
            .filter_map(|c| Some((*c, wrapped(row.get(*c)?, widths[*c]))))
            .collect();
        let height = cells.iter().map(|(_, lines)| lines.len()).max();
        for i in 0..height.unwrap_or(1) {
            let mut line = String::new();
            for (place, (c, lines)) in cells.iter().enumerate() {
                let cell = lines.get(i).map_or("", String::as_str);
                let fill = " ".repeat(widths[*c].saturating_sub(cell.chars().count()));
                if place > 0 {
                    line.push_str(&" ".repeat(GAP));
                }
                match right.contains(c) {
                    true => line.extend([fill.as_str(), cell]),
                    false => line.extend([cell, fill.as_str()]),
                }
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(rows: &[&[&str]]) -> Vec<Vec<String>> {
        let row = |row: &&[&str]| row.iter().map(ToString::to_string).collect();
        rows.iter().map(row).collect()
    }

    #[test]
    fn a_table_is_aligned_and_has_no_trailing_spaces() {
        let rows = rows(&[&["a", "10"], &["♣♣♣", "7"], &["b", ""]]);
        assert_eq!(table(&rows, &[1]), "a    10\n♣♣♣   7\nb\n");
        assert_eq!(table(&[], &[]), "");
        assert_eq!(fitted(&[], &[], 10), "");
        assert_eq!(fitted(&rows, &[1], 10), table(&rows, &[1]));
    }

    #[test]
    fn wide_cells_are_broken_between_words() {
        let rows = rows(&[
            &["uct", "trees of", "5"],
            &["random", "no thought at all", "12"],
        ]);
        let expected = "\
uct     trees of     5
random  no thought  12
        at all
";
        assert_eq!(fitted(&rows, &[2], 22), expected);
    }

    #[test]
    fn columns_that_do_not_fit_stand_in_tables_of_their_own() {
        let rows = rows(&[&["", "wins", "draws", "losses"], &["uct", "5", "3", "1"]]);
        let expected = "     wins  draws\nuct  5     3\n\n     losses\nuct  1\n";
        assert_eq!(fitted(&rows, &[], 17), expected);
    }
}
