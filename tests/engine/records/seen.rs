//! What a seat has before its eyes: variables, boards, and what a person at a terminal reads.

use ruse::internal::arena::session::{Page, SeatView, screen};
use ruse::internal::machine::seat::{Entry, EventTexts};
use ruse::internal::machine::{
    Actions, Class, Machine, PlayError, RenderedBoard, Seat, State, Turn, View,
};
use ruse::internal::model::KnowledgeKind;

/// Everything that must be the same after equal records.
#[derive(PartialEq)]
pub struct Seen {
    entries: Vec<Entry>,
    view: SeatView,
    /// Where play rests, whether the seat is asked or not.
    variables: View,
    notes: View,
    boards: Vec<RenderedBoard>,
    classes: Vec<Class>,
    /// What each filter of the seat leaves of its options.
    kept: Vec<Vec<bool>>,
}

impl Seen {
    pub fn new(
        machine: &Machine,
        state: &State,
        told: &Seat,
        texts: &EventTexts,
        actions: &Actions,
    ) -> Result<Seen, PlayError> {
        let seat = told.player();
        let (mut classes, mut kept) = (Vec::new(), Vec::new());
        // Boards and abstractions are looked at where the seat has an entry: they may be made of what is shown there.
        let entry = !actions.is_empty() || machine.turn(state) == Turn::Terminal;
        let own = machine.knowledge_of(seat).filter(|_| entry);
        for (entry, knowledge) in own {
            match knowledge.kind {
                KnowledgeKind::Information(_) => {
                    classes.push(machine.information_class(state, entry, seat)?);
                }
                KnowledgeKind::Filter(_) | KnowledgeKind::Amend(_) if !actions.is_empty() => {
                    kept.push(machine.kept(state, entry, seat, actions)?);
                }
                _ => {}
            }
        }
        Ok(Seen {
            entries: told.entries().to_vec(),
            view: SeatView::new(machine, state, told, texts)?,
            variables: machine.view(state, seat),
            notes: machine.notes(state, Some(seat)),
            boards: match entry {
                true => machine.render(state, Some(seat)),
                false => Default::default(),
            },
            classes,
            kept,
        })
    }

    /// What differs, with both texts; `true`: on the screen of a person.
    pub fn differs(&self, other: &Seen) -> Vec<(bool, String)> {
        if self == other {
            return Vec::new();
        }
        let both = std::iter::zip(self.texts(), other.texts());
        let differ = both.filter(|((.., one), (.., two))| one != two);
        differ
            .map(|((screen, name, one), (.., two))| (screen, format!("{name}:\n{one}\nor:\n{two}")))
            .collect()
    }

    fn texts(&self) -> [(bool, &'static str, String); 9] {
        let view = &self.view;
        [
            (false, "variables", format!("{:?}", self.variables.entries)),
            (false, "notes", format!("{:?}", self.notes.entries)),
            (false, "boards", format!("{:?}", self.boards)),
            (false, "abstractions", format!("{:?}", self.classes)),
            (false, "filters", format!("{:?}", self.kept)),
            (true, "entries", format!("{:#?}", self.entries)),
            (true, "view", format!("{:?}", view.view.entries)),
            (true, "question", screen::question(view, &Page::default())),
            (true, "history", screen::history(view, &Page::default())),
        ]
    }
}
