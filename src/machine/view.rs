//! What people read: the variables that a player sees, and the texts of actions and outcomes.

use super::interpret::{Silent, run};
use super::packing::Frame;
use super::{Action, Machine, State};
use crate::ir::{AlternativeCode, Listing, NodeKind, Slot, TextPiece};
use crate::model::types::Type;
use crate::model::{PlayerSet, VarId};
use smallvec::SmallVec;

/// What stands for something that the viewer may not see.
pub(super) const HIDDEN: &str = "·";

/// What a player may see of the state variables, ready to print.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, serde::Serialize)]
pub struct View {
    /// The variables, in the order of the text of the game.
    pub entries: Vec<ViewEntry>,
}

/// A state variable, or one element of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, serde::Serialize)]
pub struct ViewEntry {
    /// With its indices: `hand[Alice]`.
    pub name: String,
    /// As the language writes it.
    pub value: String,
}

/// A state variable, or one element of it.
#[doc(hidden)]
#[derive(Copy, Clone, Debug)]
pub struct Element<'m> {
    /// With its indices: `hand[Alice]`.
    pub name: &'m str,
    pub ty: &'m Type,
    slot: Slot,
    words: u32,
}

impl Machine {
    /// What a player does not see of the state variables, in the order of the file. Notes are none.
    #[doc(hidden)]
    pub fn unseen(&self, player: usize) -> Vec<Element<'_>> {
        let slots = self.program.slots.iter().filter_map(|info| {
            let var = info.var?;
            let slots = &self.program.vars[var.0 as usize];
            let element = (info.slot - slots.base) / u32::from(slots.words);
            let sees = slots.viewers[element as usize].contains(player);
            (!sees && !self.description().var(var).note).then(|| Element {
                name: &info.name,
                ty: &info.ty,
                slot: info.slot,
                words: u32::from(slots.words),
            })
        });
        slots.collect()
    }

    /// The value that an element has in a state.
    #[doc(hidden)]
    pub fn words_of(&self, state: &State, element: &Element<'_>) -> SmallVec<[u64; 8]> {
        (0..element.words)
            .map(|w| self.read(&state.words, element.slot + w))
            .collect()
    }

    /// A state without elements, given as words, of a variable that is one set; `None` where nothing is left out.
    #[doc(hidden)]
    pub fn without_elements(&self, state: &State, var: VarId, elements: &[u64]) -> Option<State> {
        let slots = &self.program.vars[var.0 as usize];
        let mut without = state.clone();
        for (w, out) in (0..u32::from(slots.words)).zip(elements) {
            let field = self.field_of[(slots.base + w) as usize];
            let field = self.program.layout.fields.get(field as usize);
            if let Some(field) = field.filter(|field| field.lo == 0) {
                let raw = (out & field.read(&state.words)) << field.shift;
                without.words[field.word as usize] &= !raw;
            }
        }
        (without.words != state.words).then_some(without)
    }

    /// The state variables that a player sees, with their values, in the order of the file. Notes are none.
    pub fn view(&self, state: &State, player: usize) -> View {
        self.entries(state, false, |viewers| viewers.contains(player))
    }

    /// The notes that a player may use; `None`: all of them.
    #[doc(hidden)]
    pub fn notes(&self, state: &State, player: Option<usize>) -> View {
        self.entries(state, true, |viewers| {
            player.is_none_or(|p| viewers.contains(p))
        })
    }

    /// Every state variable, whoever sees it: for people who look at a game from outside.
    pub fn whole_view(&self, state: &State) -> View {
        self.entries(state, false, |_| true)
    }

    fn entries(&self, state: &State, notes: bool, seen: impl Fn(PlayerSet) -> bool) -> View {
        let mut entries = Vec::new();
        for info in &self.program.slots {
            let Some(var) = info.var else { continue };
            let slots = &self.program.vars[var.0 as usize];
            let element = (info.slot - slots.base) / u32::from(slots.words);
            if self.description().var(var).note != notes || !seen(slots.viewers[element as usize]) {
                continue;
            }
            let words: SmallVec<[u64; 8]> = (0..u32::from(slots.words))
                .map(|w| self.read(&state.words, info.slot + w))
                .collect();
            entries.push(ViewEntry {
                name: info.name.clone(),
                value: info.ty.show_words(&words),
            });
        }
        View { entries }
    }

    /// The text of an action that `player` may take in `state`, as `viewer` sees it; what the viewer may not see prints
    /// as `·`. `None`: everything.
    pub fn action_text(
        &self,
        state: &State,
        player: usize,
        action: &Action,
        viewer: Option<usize>,
    ) -> String {
        // A chooser sees its own choice whole.
        let viewer = viewer.filter(|v| *v != player);
        if let NodeKind::Decision(arms) = &self.program.nodes[state.node as usize].kind {
            for arm in arms {
                if self.is_active(state, arm) && self.arm_player(state, arm) == player {
                    return self.text(state, &arm.listing, action, viewer);
                }
            }
        }
        HIDDEN.to_string()
    }

    /// The text of a chance outcome, likewise.
    pub fn outcome_text(&self, state: &State, outcome: &Action, viewer: Option<usize>) -> String {
        match self.chance_listing(state) {
            Ok(listing) => self.text(state, listing, outcome, viewer),
            Err(_) => HIDDEN.to_string(),
        }
    }

    fn text(
        &self,
        state: &State,
        listing: &Listing,
        action: &Action,
        viewer: Option<usize>,
    ) -> String {
        let Some((&number, values)) = action.0.split_first() else {
            return HIDDEN.to_string();
        };
        let Some(alternative) = listing.alternatives.get(number as usize) else {
            return HIDDEN.to_string();
        };
        let mut frame = self.unpack(state);
        if !fill(&mut frame, alternative, values)
            || run(
                &self.program,
                &mut frame,
                alternative.text.code,
                &mut Silent,
            )
            .is_err()
        {
            return HIDDEN.to_string();
        }
        let mut pieces = &alternative.text.pieces;
        for case in &alternative.text.cases {
            if hidden(&case.viewers, &frame, viewer) {
                pieces = &alternative.text.hidden;
                if pieces.is_empty() {
                    return HIDDEN.to_string();
                }
                break;
            }
            if frame[case.cond as usize] != 0 {
                pieces = &case.pieces;
                break;
            }
        }
        let mut text = String::new();
        match print(pieces, &frame, viewer, &mut text) {
            Some(()) => text,
            None => HIDDEN.to_string(),
        }
    }
}

/// Whether something with these viewers is hidden from whoever looks.
fn hidden(viewers: &[Slot], frame: &Frame, viewer: Option<usize>) -> bool {
    let sees = |v: usize| {
        let mut sets = viewers.iter().map(|slot| frame[*slot as usize]);
        sets.all(|set| PlayerSet::from_word(set).contains(v))
    };
    viewer.is_some_and(|v| !sees(v))
}

/// Prints the pieces of a text; `None`: nothing of it shows.
fn print(
    pieces: &[TextPiece],
    frame: &Frame,
    viewer: Option<usize>,
    text: &mut String,
) -> Option<()> {
    for piece in pieces {
        match piece {
            TextPiece::Literal(s) => text.push_str(s),
            TextPiece::Hole { value, ty, viewers } => {
                match (value.words, hidden(viewers, frame, viewer)) {
                    // A hole without a value stands for the label: without it nothing shows.
                    (0, true) => return None,
                    (0, false) => {}
                    (_, true) => text.push_str(HIDDEN),
                    (words, false) => {
                        let from = value.slot as usize;
                        text.push_str(&ty.show_words(&frame[from..from + words as usize]));
                    }
                }
            }
            TextPiece::Where {
                slot,
                value,
                pieces,
            } => {
                // Of several choices in one move, what is hidden of one hides no other.
                let before = text.len();
                if frame[*slot as usize] as i64 == *value
                    && print(pieces, frame, viewer, text).is_none()
                {
                    text.truncate(before);
                    text.push_str(HIDDEN);
                }
            }
        }
    }
    Some(())
}

/// Puts an action's values into a frame; false when they do not have its form.
pub(super) fn fill(frame: &mut Frame, alternative: &AlternativeCode, mut values: &[u64]) -> bool {
    for (operand, ty) in &alternative.parts {
        let Some((value, rest)) = values.split_at_checked(operand.words as usize) else {
            return false;
        };
        if !ty.holds(value) {
            return false;
        }
        frame[operand.slot as usize..operand.slot as usize + value.len()].copy_from_slice(value);
        values = rest;
    }
    values.is_empty()
}
