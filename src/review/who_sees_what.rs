//! Who sees what, as a table: the variables, the shown defs, what happens in play, the teams.

use crate::check::visibility;
use crate::machine::seat::revealed;
use crate::model::{Description, EventView, SiteKind};
use crate::text::sources::Sources;

/// A line of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeenRow {
    /// `card[Ann]`, `draw c into card[Ann]`, `reveal row(me)`, `team Couple`.
    pub what: String,
    /// `everybody`, `Ann, or Ben`, `who chooses`; the members of a team.
    pub seen_by: String,
}

/// The table of a game: the same texts give the same table, wherever they stand in the file.
pub fn who_sees_what(d: &Description, sources: &Sources) -> Vec<SeenRow> {
    let mut rows = Vec::new();
    for row in visibility::table(d) {
        let shown = if row.shown { "shown " } else { "" };
        rows.push(SeenRow {
            what: format!("{shown}{}", row.name),
            seen_by: row.seen_by,
        });
    }
    for event in &d.events {
        rows.push(SeenRow {
            what: event_name(event, sources),
            seen_by: visibility::event_viewers(d, event, sources),
        });
    }
    for team in &d.teams {
        rows.push(SeenRow {
            what: format!("team {}", team.name),
            seen_by: visibility::names(d, team.members),
        });
    }
    rows
}

/// What happens, in the words of the language: `draw c into card[Ann]`.
pub fn event_name(event: &EventView, sources: &Sources) -> String {
    let to = |word: &str| {
        let place = event.to.as_ref();
        place.map_or(String::new(), |place| format!(" {word} {place}"))
    };
    let name = &event.name;
    match event.kind {
        SiteKind::Choice => format!("choose {name}{}", to("into")),
        SiteKind::Draw => format!("draw {name}{}", to("into")),
        SiteKind::Deal => format!("deal {name}{}", to("to")),
        SiteKind::Reveal => format!(
            "reveal {}",
            revealed(sources, event.span, event.viewers.span)
        ),
        SiteKind::Shown | SiteKind::End => name.clone(),
    }
}

/// The table in two columns, with some blanks before each line.
pub fn columns(rows: &[SeenRow], indent: usize) -> String {
    let width = rows.iter().map(|row| row.what.chars().count()).max();
    let width = width.unwrap_or(0);
    let line = |row: &SeenRow| {
        // Blanks one by one, since a format has no room for more than 65,535.
        let fill = " ".repeat(width - row.what.chars().count());
        format!("{:indent$}{}{fill}  {}\n", "", row.what, row.seen_by)
    };
    rows.iter().map(line).collect()
}
