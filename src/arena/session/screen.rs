//! What a person reads: a sight, set as text.

use super::SeatView;
use super::boards::{Setting, lines};
use super::ink::{Ink, Line, beside};
use super::input::{are_numbered, letters};
use super::page::Page;
use super::tables::{flowing, values};
use crate::arena::statistics::WinDrawLoss;
use crate::machine::step_text::{MoveText, StepText};
use crate::machine::{Machine, Picture};
use crate::model::Claim;
use crate::text::table::fitted;
use crate::text::wrap::{paragraph, wrapped};
use indexmap::IndexMap;

pub use super::boards::rendered;

/// The most lines of options that are listed unasked.
const MOST_OPTIONS: usize = 8;

/// Where a board shows the options, more of them are not listed unasked.
const MOST_SHOWN: usize = 8;

/// The most lines of what happened that are told unasked.
const MOST_TOLD: usize = 10;

/// Who draws, and what is said of one for whom something is drawn.
const DRAWN: &str = "(drawn)";
const DREW: &str = " drew";

/// What stands for a part of a move that the seat does not see.
const HIDDEN: &str = "·";

/// What stands between things side by side.
const GAP: usize = 4;

/// How much of everything is said, so that it fits.
#[derive(Clone, Copy)]
struct Measure {
    /// Lines of options.
    options: usize,
    /// Events, each on a line; or all of them one after the other, in so many lines.
    told: usize,
    flowing: bool,
    /// An empty line between any two things.
    spaced: bool,
    /// Tables side by side.
    beside: bool,
    /// Lines of values.
    values: usize,
    /// Lines of a list of nodes.
    listed: usize,
    /// Whether a long value is cut.
    is_cut: bool,
}

/// The lists of nodes for which room is made, in lines; shorter ones stay whole.
const LISTED: [usize; 3] = [4, 3, 2];

/// The measures in which a question is tried, the roomiest first. What closes up goes before what is left out of a list.
fn measures() -> impl Iterator<Item = Measure> {
    let roomy = Measure {
        options: MOST_OPTIONS,
        told: MOST_TOLD,
        flowing: false,
        spaced: true,
        beside: false,
        values: usize::MAX,
        listed: usize::MAX,
        is_cut: true,
    };
    let options = |measure: Measure, lines: &'static [usize]| {
        lines.iter().map(move |options| Measure {
            options: *options,
            ..measure
        })
    };
    let closing = move |listed: usize| {
        let packed = Measure {
            beside: true,
            listed,
            ..roomy
        };
        let flowing = Measure {
            flowing: true,
            told: 4,
            ..packed
        };
        let close = Measure {
            spaced: false,
            ..flowing
        };
        options(packed, &[8, 6, 4, 3])
            .chain(options(flowing, &[4, 3, 2]))
            .chain(options(close, &[4, 3, 2]))
    };
    let short = Measure {
        options: 2,
        told: 2,
        flowing: true,
        spaced: false,
        beside: true,
        listed: 1,
        ..roomy
    };
    let folded = (0..20).rev().map(move |values| Measure { values, ..short });
    options(roomy, &[8, 7, 6, 5, 4])
        .chain(closing(usize::MAX))
        .chain(LISTED.into_iter().flat_map(closing))
        .chain([short])
        .chain(folded)
}

/// What to know before a choice: what happened, how things lie, what the options are, and the boards last. Where a page is too
/// small for all of it, less is said of options, of what happened, and in the end of values.
pub fn question(view: &SeatView, page: &Page) -> String {
    set(view, page, measures()).1
}

/// The same where so many lines above should stay on the screen. They do not where values or parts of boards would have to go
/// for it.
pub fn question_below(view: &SeatView, page: &Page, lines: usize) -> String {
    let rest = page.without(lines);
    let uncut = measures().filter(|measure| measure.values == usize::MAX);
    let (roomy, alone) = set(view, page, measures());
    let (close, text) = set(view, &rest, uncut);
    let shown = |measure: Option<Measure>| measure.map(|measure| boards(view, page, &measure));
    let is_cut = |text: &String| text.lines().any(|line| line.ends_with('…'));
    let is_whole = shown(close) == shown(roomy)
        || close.is_some_and(|m| m.listed > 1 && !boards(view, page, &m).iter().any(is_cut));
    let fits = text.lines().count() + lines + 2 <= page.rows;
    match is_whole && fits {
        true => text,
        false => alone,
    }
}

/// A question in the first of the measures in which it fits, or in the last.
fn set(
    view: &SeatView,
    page: &Page,
    measures: impl Iterator<Item = Measure>,
) -> (Option<Measure>, String) {
    let (mut last, mut text) = (None, String::new());
    for measure in measures {
        last = Some(measure);
        let news = ink(view, page).paint(&news(view, page, &measure));
        let options = folded_options(view, page, measure.options);
        let mut parts = vec![news];
        parts.extend(blocks(view, page, &measure));
        parts.push(ink(view, page).paint(&options));
        parts.extend(boards(view, page, &measure));
        parts.retain(|p| !p.is_empty());
        text = parts.join(if measure.spaced { "\n" } else { "" });
        if text.lines().count() <= page.height() {
            break;
        }
    }
    (last, text)
}

fn ink(view: &SeatView, page: &Page) -> Ink {
    match page.colour {
        true => Ink::coloured(&view.seats),
        false => Ink::default(),
    }
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
fn news(view: &SeatView, page: &Page, measure: &Measure) -> String {
    let recent = view.told.rows.get(view.told.since..).unwrap_or_default();
    let mut rows: Vec<Vec<String>> = Vec::new();
    for row in recent {
        rows.extend(events(row, &view.name).into_iter().map(Vec::from));
    }
    let text = |rows: &[Vec<String>]| match measure.flowing {
        true => flowing(joined(rows), page.width()),
        false => fitted(rows, &[], page.width()),
    };
    // More cannot fit: an event has a line, or in a line a comma and a blank after the one before.
    let per_line = match measure.flowing {
        true => page.width() / 3 + 1,
        false => 1,
    };
    let most = measure.told.saturating_mul(per_line);
    for older in rows.len().saturating_sub(most)..=rows.len() {
        let told = text(&rows[older..]);
        if told.lines().count() <= measure.told {
            return match older {
                0 => told,
                n => format!("({n} more before; `history` has them)\n{told}"),
            };
        }
    }
    String::new()
}

/// The events in words; what was drawn in a row has its words once.
fn joined(rows: &[Vec<String>]) -> Vec<String> {
    let mut joined: Vec<String> = Vec::new();
    let mut before = None;
    for row in rows {
        let is_drawn = row[0] == DRAWN || row[0].ends_with(DREW);
        let by = (is_drawn && !row[1].contains(',')).then_some(&row[0]);
        match joined.last_mut() {
            Some(last) if by.is_some() && by == before => {
                last.push_str(", ");
                last.push_str(&row[1]);
            }
            _ => joined.push(row.join(" ")),
        }
        before = by;
    }
    joined
}

/// What the seat sees: the variables that are not on a board and the shown values, then the boards.
pub fn board(view: &SeatView, page: &Page) -> String {
    let whole = Measure {
        options: usize::MAX,
        told: usize::MAX,
        flowing: false,
        spaced: true,
        beside: false,
        values: usize::MAX,
        listed: usize::MAX,
        is_cut: false,
    };
    let mut parts = blocks(view, page, &whole);
    parts.extend(boards(view, page, &whole));
    parts.join("\n")
}

/// The variables that are not on a board and the shown values.
fn blocks(view: &SeatView, page: &Page, measure: &Measure) -> Vec<String> {
    let drawn = |name: &String| view.boards.iter().any(|b| b.shown.contains(name));
    let entries = view.view.entries.iter().filter(|e| !drawn(&e.name));
    let variables = entries.map(|e| [e.name.clone(), e.value.clone()]);
    let shown = view.shown.iter();
    let shown = shown.map(|(name, value)| [name.clone(), value.clone()]);
    let rows: Vec<[String; 2]> = variables.chain(shown).collect();
    let blocks = values(&rows, page.width(), measure.is_cut).into_iter();
    let blocks = blocks.map(|block| block.lines().map(Line::from).collect());
    let mut blocks: Vec<Vec<Line>> = match measure.beside {
        true => beside(blocks.collect(), page.width(), GAP),
        false => blocks.collect(),
    };
    let mut left = measure.values;
    let is_cut = blocks.iter().map(Vec::len).sum::<usize>() > left;
    for block in &mut blocks {
        block.truncate(left);
        left -= block.len();
    }
    if is_cut {
        blocks.push(vec!["… and more; `board` has everything".into()]);
    }
    blocks.retain(|block| !block.is_empty());
    let ink = ink(view, page);
    blocks.iter().map(|block| ink.lines(block)).collect()
}

/// The boards, side by side where they fit.
fn boards(view: &SeatView, page: &Page, measure: &Measure) -> Vec<String> {
    let setting = Setting {
        width: page.width(),
        listed: measure.listed,
        recent: &view.recent,
    };
    let boards = view.boards.iter().map(|board| lines(board, &setting));
    let boards = beside(boards.collect(), page.width(), GAP);
    let ink = ink(view, page);
    boards.iter().map(|board| ink.lines(board)).collect()
}

/// The names of the fields of the boards.
fn fields(view: &SeatView) -> Vec<String> {
    let boards = view.boards.iter().map(|board| match &board.picture {
        Picture::Cells(cells) => {
            let rows = cells.rows.iter();
            rows.flat_map(|(row, _)| cells.columns.iter().map(move |c| format!("{c}{row}")))
                .collect()
        }
        Picture::Map(map) => map.nodes.iter().map(|node| node.name.clone()).collect(),
    });
    let boards: Vec<Vec<String>> = boards.collect();
    boards.concat()
}

/// The options in so many lines. Where there are many, those that a board shows are counted: its fields, and moves that are
/// written as fields one after the other, such as `b1-c3`.
fn folded_options(view: &SeatView, page: &Page, lines: usize) -> String {
    let count = view.options.len();
    if count <= MOST_SHOWN {
        return options(view, page, lines);
    }
    let fields = fields(view);
    let on_board = |option: &&String| is_of_fields(option, &fields);
    let on_board: Vec<&String> = view.options.iter().filter(on_board).collect();
    let Some(first) = on_board.first().filter(|_| on_board.len() > MOST_SHOWN) else {
        return options(view, page, lines);
    };
    let what = match on_board.iter().all(|option| fields.contains(option)) {
        true => "fields of the board".to_string(),
        false => format!("moves on the board, such as `{first}`"),
    };
    let others = view
        .options
        .iter()
        .filter(|option| !on_board.contains(option));
    let others: Vec<String> = others.map(|option| format!("`{option}`")).collect();
    let others = match others.as_slice() {
        [] => String::new(),
        [other] => format!(", and {other}"),
        others if others.len() <= MOST_SHOWN => format!(", and {}", others.join(" ")),
        others => format!(", and {} others", others.len()),
    };
    let text = format!("{} {what}{others}; `options` lists them", on_board.len());
    paragraph(&text, page.width())
}

/// Whether an option is written as names of fields with nothing but signs between them.
fn is_of_fields(option: &str, fields: &[String]) -> bool {
    let mut rest = option;
    let mut found = 0;
    while let Some(c) = rest.chars().next() {
        if !c.is_alphanumeric() {
            rest = &rest[c.len_utf8()..];
            continue;
        }
        let begins = fields
            .iter()
            .filter(|field| rest.starts_with(field.as_str()));
        let Some(longest) = begins.map(String::len).max().filter(|n| *n > 0) else {
            // A sign between two fields, such as the x of `b2xc3`.
            return false;
        };
        rest = &rest[longest..];
        found += 1;
    }
    found > 0
}

/// The options in so many lines, with their numbers where a bare number may stand for one. Where they have no room, one stands
/// for all that differ from it in the elements of their sets alone.
pub fn options(view: &SeatView, page: &Page, lines: usize) -> String {
    let options = &view.options;
    let numbered = are_numbered(options) && options.len() > 1;
    let cell = |i: usize| match numbered {
        true => format!("{} {}", i + 1, options[i]),
        false => options[i].clone(),
    };
    let cells: Vec<String> = (0..options.len()).map(cell).collect();
    let (text, shown) = in_columns(&cells, page.width(), lines);
    if shown >= options.len() {
        return text;
    }
    // What tells of more takes a line itself.
    let fewer = lines.saturating_sub(1);
    let kinds = kinds(options);
    let (text, shown, several) = match (2..options.len()).contains(&kinds.len()) {
        true => {
            let cells = kinds.iter().map(|(first, count)| match count {
                1 => cell(*first),
                _ => format!("{} ({count})", cell(*first)),
            });
            let (text, shown) = in_columns(&cells.collect::<Vec<_>>(), page.width(), fewer);
            let shown = &kinds[..shown.min(kinds.len())];
            let counts = shown.iter().map(|(_, count)| *count);
            (text, counts.clone().sum(), counts.max().unwrap_or(1))
        }
        false => {
            let (text, shown) = in_columns(&cells, page.width(), fewer);
            (text, shown, 1)
        }
    };
    let all = options.len();
    let rest = match all - shown {
        more if shown == 0 => format!("{more} options; `options` lists them"),
        0 => format!("({several}): one of {several} such; `options` lists all {all}"),
        more => format!("… and {more} more; `options` lists all"),
    };
    text + &paragraph(&rest, page.width())
}

/// Cells in columns, as many whole rows as fit in so many lines; and how many cells those are.
fn in_columns(cells: &[String], page: usize, lines: usize) -> (String, usize) {
    let width = cells.iter().map(|c| c.chars().count()).max().unwrap_or(0) + 3;
    let per_line = ((page + 3) / width.max(1)).max(1);
    let (mut text, mut shown, mut left) = (String::new(), 0, lines);
    for line in cells.chunks(per_line) {
        let mut set = String::new();
        for cell in line {
            set.push_str(cell);
            set.push_str(&" ".repeat(width - cell.chars().count()));
        }
        let row = match per_line {
            1 => wrapped(set.trim_end(), page),
            _ => vec![set.trim_end().to_string()],
        };
        if row.len() > left {
            break;
        }
        left -= row.len();
        shown += line.len();
        text.extend(row.iter().map(|line| format!("{line}\n")));
    }
    (text, shown)
}

/// The options that are alike but for what stands in braces: the first of each kind, and how many there are.
fn kinds(options: &[String]) -> Vec<(usize, usize)> {
    let mut kinds: IndexMap<Vec<&str>, (usize, usize)> = IndexMap::new();
    for (i, option) in options.iter().enumerate() {
        let outside = option.split(['{', '}']).step_by(2).collect();
        kinds.entry(outside).or_insert((i, 0)).1 += 1;
    }
    kinds.into_values().collect()
}

/// Everything that the seat was told.
pub fn history(view: &SeatView, page: &Page) -> String {
    if view.told.rows.is_empty() {
        return "nothing has happened yet\n".to_string();
    }
    let mut rows: Vec<Vec<String>> = Vec::new();
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
            rows.push(vec![number, by, text, after]);
        }
    }
    ink(view, page).paint(&fitted(&rows, &[], page.width()))
}

/// The payoffs that a person is told at the end: all of them where nothing is hidden in the game, the own one otherwise.
pub fn payoffs(names: &[String], payoffs: &[f64], own: Option<usize>) -> String {
    let seats = std::iter::zip(names, payoffs).enumerate();
    let payoffs = seats.filter(|(p, _)| own.is_none_or(|own| own == *p));
    let payoffs: Vec<String> = payoffs.map(|(_, (n, x))| format!("{n} {x}")).collect();
    format!("payoffs: {}", payoffs.join(", "))
}

/// What can be typed.
pub fn help(view: &SeatView, page: &Page) -> String {
    let mut text = String::new();
    if let Some(first) = view.options.first() {
        let how = format!(
            "Type a move as it is shown (`{first}`), or as much of its words as makes it clear; `#1` is the first option."
        );
        let letters = letters(&view.options)
            .map_or_else(String::new, |letters| format!(" You may {letters}."));
        text.push_str(&paragraph(&format!("{how}{letters}"), page.width()));
        text.push('\n');
    }
    let commands = COMMANDS.map(|row| row.map(String::from).to_vec());
    text.push_str(&fitted(&commands, &[], page.width()));
    text.push('\n');
    let notes = [
        "A move goes before a command of the same name; with a colon, `:undo`, a word is always a command.",
        "On a board, round brackets stand about what the last moves touched.",
    ];
    let notes = &notes[..if view.boards.is_empty() { 1 } else { 2 }];
    text.push_str(&paragraph(&notes.join(" "), page.width()));
    text
}

/// What each command does.
const COMMANDS: [[&str; 2]; 9] = [
    ["?", "this help"],
    ["board", "what you see"],
    ["options", "all your options"],
    ["history", "everything that you saw since the game began"],
    [
        "undo",
        "back to your last choice; the same moves lead to the same game again",
    ],
    [
        "hint PLAYER",
        "what a player would do in your place: `hint random`",
    ],
    [
        "save [FILE]",
        "keep the game, to go on with `ruse play --resume FILE`",
    ],
    [
        "reveal",
        "when the game is over: what was hidden, if everybody agrees",
    ],
    ["quit", "stop"],
];

/// What happened, with who did it, as told to `name`.
fn events(row: &StepText, name: &str) -> Vec<[String; 2]> {
    let by = |made: &MoveText| match (&made.by, &row.drawn_for) {
        (Some(by), _) => by.clone(),
        (None, Some(own)) if own == name => format!("you{DREW}"),
        (None, Some(other)) => format!("{other}{DREW}"),
        (None, None) => DRAWN.to_string(),
    };
    // What was drawn for others at the same time is not said of one's own.
    let text = |made: &MoveText| match row.drawn_for {
        Some(_) => {
            let seen = made.text.split(", ").filter(|part| *part != HIDDEN);
            seen.collect::<Vec<_>>().join(", ")
        }
        None => made.text.clone(),
    };
    let moves = row.moves.iter().map(|made| [by(made), text(made)]);
    let revealed = row.revealed.iter().map(|(name, value)| {
        let text = name
            .as_ref()
            .map_or_else(|| value.clone(), |name| told(name, value));
        ["(revealed)".to_string(), text]
    });
    moves.chain(revealed).collect()
}

/// A value that was revealed; that of a condition is no or yes.
fn told(name: &str, value: &str) -> String {
    match value {
        "true" => format!("{name}? yes"),
        "false" => format!("{name}? no"),
        _ => format!("{name}: {value}"),
    }
}

fn named(name: &str, value: &str) -> String {
    format!("{name} = {value}")
}
