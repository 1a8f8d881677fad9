//! What a person reads: a sight, set as text.

use super::SeatView;
use super::boards::WIDTH;
use super::input::are_numbered;
use super::tables::values;
use crate::arena::statistics::WinDrawLoss;
use crate::machine::step_text::StepText;
use crate::machine::{Machine, Picture};
use crate::model::Claim;

pub use super::boards::rendered;

/// The most lines of options that are listed unasked, so that the whole fits on an ordinary terminal.
const MOST_OPTIONS: usize = 8;

/// Where a board shows the options, more of them are not listed unasked.
const MOST_SHOWN: usize = 8;

/// The most lines of what happened that are told unasked.
const MOST_TOLD: usize = 10;

/// What to know before a choice: what happened, how things lie, what the options are.
pub fn question(view: &SeatView) -> String {
    let mut parts = vec![news(view), board(view)];
    parts.push(match view.options.len() {
        n if n > MOST_SHOWN && are_on_a_board(view) => {
            format!("{n} fields of the board; `options` lists them\n")
        }
        _ => options(view, MOST_OPTIONS),
    });
    parts.retain(|p| !p.is_empty());
    parts.join("\n")
}

/// Who won, where payoffs can be compared; for one player (`own`) whether that one did.
pub fn outcome(machine: &Machine, payoffs: &[f64], own: Option<usize>) -> Option<String> {
    let description = machine.description();
    let sides = &description.payoff.sides;
    let compared = matches!(machine.features().claim, Claim::ConstantSum { .. });
    if !compared || sides.len() < 2 {
        return None;
    }
    let of = |seat| WinDrawLoss::of(payoffs, sides, seat);
    if let Some(own) = own {
        // Among three sides or more, one's own payoff does not say how the others did.
        let said = match of(own) {
            WinDrawLoss::Win => "you win",
            WinDrawLoss::Draw => "a draw",
            WinDrawLoss::Loss => "you lose",
        };
        return (sides.len() == 2).then(|| said.to_string());
    }
    let winner = (0..machine.player_count()).find(|seat| of(*seat) == WinDrawLoss::Win);
    let Some(winner) = winner else {
        return Some("a draw".to_string());
    };
    let team = description
        .teams
        .iter()
        .find(|t| t.members.contains(winner));
    let name = team.map_or_else(|| machine.player_name(winner), |team| &team.name);
    Some(format!("{name} wins"))
}

/// What happened since the last own choice, that one included. What has changed stands with the boards.
pub fn news(view: &SeatView) -> String {
    let recent = view.told.rows.get(view.told.since..).unwrap_or_default();
    let mut rows: Vec<[String; 2]> = Vec::new();
    for row in recent {
        rows.extend(events(row, &view.name));
    }
    let older = rows.len().saturating_sub(MOST_TOLD);
    let mut text = match older {
        0 => String::new(),
        n => format!("({n} more lines before; `history` has them)\n"),
    };
    text.push_str(&columns(&rows[older..]));
    text
}

/// What the seat sees: the variables that are not on a board and the shown values, then the boards.
pub fn board(view: &SeatView) -> String {
    let drawn = |name: &String| view.boards.iter().any(|b| b.shown.contains(name));
    let entries = view.view.entries.iter().filter(|e| !drawn(&e.name));
    let variables = entries.map(|e| [e.name.clone(), e.value.clone()]);
    let shown = view.shown.iter();
    let shown = shown.map(|(name, value)| [name.clone(), value.clone()]);
    let rows: Vec<[String; 2]> = variables.chain(shown).collect();
    let mut parts = vec![values(&rows)];
    parts.extend(view.boards.iter().map(rendered));
    parts.retain(|p| !p.is_empty());
    parts.join("\n")
}

/// Whether each option is the name of a field of a board.
fn are_on_a_board(view: &SeatView) -> bool {
    view.boards.iter().any(|board| {
        let names: Vec<String> = match &board.picture {
            Picture::Cells(cells) => {
                let rows = cells.rows.iter();
                rows.flat_map(|(row, _)| cells.columns.iter().map(move |c| format!("{c}{row}")))
                    .collect()
            }
            Picture::Map(map) => map.nodes.iter().map(|node| node.name.clone()).collect(),
        };
        view.options.iter().all(|option| names.contains(option))
    })
}

/// The options in so many lines, with their numbers where a bare number may stand for one.
pub fn options(view: &SeatView, lines: usize) -> String {
    let options = &view.options;
    let numbered = are_numbered(options) && options.len() > 1;
    let shown = options.iter().enumerate();
    let cells: Vec<String> = shown
        .map(|(i, text)| match numbered {
            true => format!("{} {text}", i + 1),
            false => text.clone(),
        })
        .collect();
    let width = cells.iter().map(|c| c.chars().count()).max().unwrap_or(0) + 3;
    let per_line = (WIDTH / width.max(1)).max(1);
    let mut text = String::new();
    for line in cells.chunks(per_line).take(lines) {
        let mut set = String::new();
        for cell in line {
            set.push_str(cell);
            set.push_str(&" ".repeat(width - cell.chars().count()));
        }
        text.push_str(set.trim_end());
        text.push('\n');
    }
    let more = options.len().saturating_sub(per_line.saturating_mul(lines));
    if more > 0 {
        text.push_str(&format!("… and {more} more; `options` lists all\n"));
    }
    text
}

/// Everything that the seat was told.
pub fn history(view: &SeatView) -> String {
    if view.told.rows.is_empty() {
        return "nothing has happened yet\n".to_string();
    }
    let mut rows: Vec<[String; 4]> = Vec::new();
    for (i, row) in view.told.rows.iter().enumerate() {
        let mut number = (i + 1).to_string();
        let after = row.changes.iter().chain(&row.shown);
        let after: Vec<String> = after.map(|(name, value)| named(name, value)).collect();
        let mut after = after.join("; ");
        let mut list = events(row, &view.name);
        if list.is_empty() {
            list.push([String::new(), String::new()]);
        }
        for [by, text] in list {
            let (number, after) = (std::mem::take(&mut number), std::mem::take(&mut after));
            rows.push([number, by, text, after]);
        }
    }
    columns(&rows)
}

/// The payoffs that a person is told at the end: all of them where nothing is hidden in the game, the own one otherwise.
pub fn payoffs(names: &[String], payoffs: &[f64], own: Option<usize>) -> String {
    let seats = std::iter::zip(names, payoffs).enumerate();
    let payoffs = seats.filter(|(p, _)| own.is_none_or(|own| own == *p));
    let payoffs: Vec<String> = payoffs.map(|(_, (n, x))| format!("{n} {x}")).collect();
    format!("payoffs: {}\n", payoffs.join(", "))
}

/// What can be typed.
pub fn help(view: &SeatView) -> String {
    let mut text = String::new();
    if let Some(first) = view.options.first() {
        text.push_str(&format!(
            "Type a move as it is shown (`{first}`), or as much of its words as makes it clear; `#1` is the first option.\n\n"
        ));
    }
    text.push_str(
        "\
?              this help
board          what you see
options        all your options
history        everything that you saw since the game began
undo           back to your last choice; the same moves lead to the same game again
hint PLAYER    what a player would do in your place: `hint random`
save [FILE]    keep the game, to go on with `ruse play --resume FILE`
reveal         when the game is over: what was hidden, if everybody agrees
quit           stop

A move goes before a command of the same name; with a colon, `:undo`, a word is always a command.
",
    );
    text
}

/// What happened, with who did it, as told to `name`.
fn events(row: &StepText, name: &str) -> Vec<[String; 2]> {
    // Where what is drawn becomes something of one's own, or a part of it.
    let own = format!("[{name}]");
    let elements = |text: &str| {
        let inner = text.trim_start_matches('{').trim_end_matches('}');
        inner.split(", ").map(String::from).collect::<Vec<_>>()
    };
    let is_own = |text: &str| {
        let mut places = row
            .changes
            .iter()
            .filter(|(place, _)| place.ends_with(&own));
        places.any(|(_, value)| {
            let there = elements(value);
            elements(text).iter().all(|drawn| there.contains(drawn))
        })
    };
    let by = |by: &Option<String>, text: &str| match by {
        Some(by) => by.clone(),
        None if is_own(text) => "you drew".to_string(),
        None => "(drawn)".to_string(),
    };
    let moves = row
        .moves
        .iter()
        .map(|m| [by(&m.by, &m.text), m.text.clone()]);
    let revealed = row.revealed.iter().map(|(name, value)| {
        let text = name
            .as_ref()
            .map_or_else(|| value.clone(), |name| named(name, value));
        ["(revealed)".to_string(), text]
    });
    moves.chain(revealed).collect()
}

fn named(name: &str, value: &str) -> String {
    format!("{name} = {value}")
}

/// Rows in columns two spaces apart.
fn columns<const N: usize>(rows: &[[String; N]]) -> String {
    let width = |c: usize| rows.iter().map(|r| r[c].chars().count()).max().unwrap_or(0);
    let widths: [usize; N] = std::array::from_fn(width);
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(widths) {
            line.push_str(cell);
            line.push_str(&" ".repeat(width + 2 - cell.chars().count()));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
