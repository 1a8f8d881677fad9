//! What a person sees: texts alone, which carry nothing of the state but what reached that seat.

use super::tallies::gathered;
use crate::machine::seat::{EventTexts, Field, Rows};
use crate::machine::{Machine, PlayError, RenderedBoard, Seat, State, View};

/// The game from one seat.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SeatView {
    /// The name of the seat.
    pub name: String,
    /// The names of all seats, in seating order.
    pub seats: Vec<String>,
    /// The boards, with what the seat sees on them; none where it is not asked and the game goes on.
    pub boards: Vec<RenderedBoard>,
    /// The variables that the seat sees, as they were when something reached it last. The value of one that says nothing is
    /// empty: `none`, a set without elements, and what nobody has set yet. Counts by kind most of which are 0 are one entry,
    /// of what there is.
    pub view: View,
    /// The shown values, likewise.
    pub shown: Vec<(String, String)>,
    /// What the seat was told since the game began.
    pub told: Rows,
    /// The fields of boards that the others' moves since the seat's last choice touched; where there are none, its own.
    pub recent: Vec<Field>,
    /// The texts of the options, in the order in which `Session::choose` counts them; none while nothing is asked.
    pub options: Vec<String>,
}

impl SeatView {
    /// What a seat was told, with what it has before its eyes in the state that it was led to.
    ///
    /// # Errors
    /// Where the rules run into an error while the options are listed.
    pub fn new(
        machine: &Machine,
        state: &State,
        seat: &Seat,
        texts: &EventTexts,
    ) -> Result<SeatView, PlayError> {
        let sight = seat.sight(machine, state)?.unwrap_or_default();
        let name = machine.player_name(seat.player()).to_string();
        let told = seat.rows(machine, texts);
        let view = shortened(seat.view(), seat);
        Ok(SeatView {
            seats: names(machine),
            boards: sight.boards,
            view,
            shown: seat.shown(texts),
            recent: recent(&told, &name),
            told,
            name,
            options: sight.texts,
        })
    }
}

/// Clears the values that say nothing, and puts counts most of which are 0 together.
pub(super) fn shortened(mut view: View, seat: &Seat) -> View {
    let told = std::iter::zip(seat.view().entries, seat.blanks());
    for (entry, (told, blank)) in std::iter::zip(&mut view.entries, told) {
        if blank && entry.value == told.value {
            entry.value.clear();
        }
    }
    gathered(view, &seat.tallies())
}

/// The names of the seats.
pub(super) fn names(machine: &Machine) -> Vec<String> {
    let names = (0..machine.player_count()).map(|p| machine.player_name(p).to_string());
    names.collect()
}

/// The fields that the last moves touched: of each those that its text names, or all that changed if it names none of them.
fn recent(told: &Rows, own: &str) -> Vec<Field> {
    let since = told.rows.get(told.since..).unwrap_or_default();
    let mut moves: Vec<(&str, &str, Vec<&Field>)> = Vec::new();
    for row in since {
        for made in &row.moves {
            if let Some(by) = &made.by {
                moves.push((by, &made.text, Vec::new()));
            }
        }
        if let Some((.., fields)) = moves.last_mut() {
            fields.extend(&row.fields);
        }
    }
    if moves.iter().any(|(by, ..)| *by != own) {
        moves.retain(|(by, ..)| *by != own);
    }
    let mut recent = Vec::new();
    for (_, text, fields) in moves {
        let named = fields
            .iter()
            .copied()
            .filter(|(_, field)| names_field(text, field));
        let named: Vec<&Field> = named.collect();
        recent.extend(
            if named.is_empty() { fields } else { named }
                .into_iter()
                .cloned(),
        );
    }
    recent.sort_unstable();
    recent.dedup();
    recent
}

/// Whether a text names a field, as `b1a3` names `b1` and `a3`; in `a12` there is no `a1`.
fn names_field(text: &str, field: &str) -> bool {
    let goes_on = |a: char, b: char| {
        (a.is_ascii_digit() && b.is_ascii_digit()) || (a.is_alphabetic() && b.is_alphabetic())
    };
    let (Some(first), Some(last)) = (field.chars().next(), field.chars().last()) else {
        return false;
    };
    let mut found = text.match_indices(field);
    found.any(|(at, _)| {
        let before = text[..at].chars().last();
        let after = text[at + field.len()..].chars().next();
        !before.is_some_and(|c| goes_on(c, first)) && !after.is_some_and(|c| goes_on(last, c))
    })
}

#[cfg(test)]
mod tests {
    use super::names_field;

    #[test]
    fn a_text_names_whole_fields() {
        assert!(names_field("b1a3", "b1") && names_field("b1a3", "a3"));
        assert!(names_field("d7-h3/h4", "h3") && names_field("taxi to 99", "99"));
        assert!(!names_field("a12", "a1") && !names_field("aa1", "a1") && !names_field("19", "9"));
        assert!(!names_field("x", ""));
    }
}
