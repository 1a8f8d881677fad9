//! What a seat has before its eyes: variables, boards, and what a person at a terminal reads.

use super::walk::Step;
use ruse::internal::arena::session::{SeatView, screen};
use ruse::internal::machine::step_text::{Reveals, StepText, Transition, step_text};
use ruse::internal::machine::{Actions, Class, Machine, PlayError, State, Turn, View};
use ruse::internal::model::KnowledgeKind;
use std::rc::Rc;

/// What a seat was told in words.
#[derive(Clone, Default)]
pub struct Words {
    told: Rc<Vec<StepText>>,
    /// How much of it is older than the last choice of the seat.
    since: usize,
}

impl Words {
    /// As a session tells of a step.
    pub fn add(
        &mut self,
        machine: &Machine,
        reveals: &Reveals,
        seat: usize,
        before: &State,
        step: &Step,
    ) {
        if let Turn::Decision(movers) = machine.turn(before)
            && movers.contains(seat)
        {
            self.since = self.told.len();
        }
        let transition = Transition {
            ply: 1,
            before,
            after: &step.after,
            actions: &step.actions,
            events: &step.events,
        };
        if let Some(mut told) = step_text(machine, &transition, Some(seat)) {
            let seen = step.events.iter().filter(|(who, _)| who.contains(seat));
            told.revealed = seen.filter_map(|(_, o)| reveals.read(o)).collect();
            Rc::make_mut(&mut self.told).push(told);
        }
    }
}

/// Everything that must be the same after equal records.
#[derive(PartialEq)]
pub struct Seen {
    view: SeatView,
    notes: View,
    classes: Vec<Class>,
    /// What each filter of the seat leaves of its options.
    kept: Vec<Vec<bool>>,
}

impl Seen {
    pub fn new(
        machine: &Machine,
        state: &State,
        seat: usize,
        words: &Words,
        actions: &Actions,
        options: Vec<String>,
    ) -> Result<Seen, PlayError> {
        let (mut classes, mut kept) = (Vec::new(), Vec::new());
        for (entry, knowledge) in machine.knowledge_of(seat) {
            match knowledge.kind {
                KnowledgeKind::Information(_) => {
                    classes.push(machine.information_class(state, entry, seat)?);
                }
                KnowledgeKind::Filter(_) if !actions.is_empty() => {
                    kept.push(machine.kept(state, entry, seat, actions)?);
                }
                _ => {}
            }
        }
        let view = SeatView {
            name: machine.player_name(seat).to_string(),
            boards: machine.render(state, Some(seat)),
            view: machine.view(state, seat),
            step_texts: words.told.to_vec(),
            since: words.since,
            options,
        };
        Ok(Seen {
            view,
            notes: machine.notes(state, Some(seat)),
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

    fn texts(&self) -> [(bool, &'static str, String); 8] {
        let view = &self.view;
        [
            (false, "variables", format!("{:?}", view.view.entries)),
            (false, "notes", format!("{:?}", self.notes.entries)),
            (false, "boards", format!("{:?}", view.boards)),
            (false, "abstractions", format!("{:?}", self.classes)),
            (false, "filters", format!("{:?}", self.kept)),
            (true, "words", lines(&view.step_texts)),
            (true, "question", screen::question(view)),
            (true, "history", screen::history(view)),
        ]
    }
}

/// What was told, without where one step ends and another begins.
fn lines(told: &[StepText]) -> String {
    let mut lines = Vec::new();
    for told in told {
        let moves = told.moves.iter();
        lines.extend(moves.map(|m| format!("{:?} {}", m.by, m.text)));
        let revealed = told.revealed.iter();
        lines.extend(revealed.map(|(name, value)| format!("{name:?} = {value}")));
    }
    lines.join("\n")
}
