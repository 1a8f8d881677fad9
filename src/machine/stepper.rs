//! Many steps from one state: it is unpacked once, in the code of playouts, and nothing is allocated on the way to a
//! successor.
//!
//! Exact solvers go from every state to all of its successors; this is `Machine::step` for them. A successor is left packed
//! in plain words, with the number of its node beside.

use super::frame::Frame;
use super::interpret::{Silent, Stop, Trouble, run};
use super::playout::Steps;
use super::{Action, Machine, PlayError, State};
use crate::check::types::Type;
use crate::compile::codes;
use crate::compile::ir::{Listing, NodeKind};
use smallvec::SmallVec;

/// Steps from one state after another.
pub struct Stepper<'m> {
    machine: &'m Machine,
    from: Option<State>,
    /// The fast way; `None` where there is none.
    fast: Option<Steps<'m>>,
    base: Frame,
    frame: Frame,
    listings: Listings<'m>,
}

/// The listing of each player to move, in seating order; of a chance node its one.
type Listings<'m> = SmallVec<[&'m Listing; 4]>;

impl Machine {
    /// See [`Stepper`].
    pub fn stepper(&self) -> Stepper<'_> {
        Stepper {
            machine: self,
            from: None,
            fast: Steps::new(self),
            base: Frame::new(),
            frame: Frame::new(),
            listings: SmallVec::new(),
        }
    }

    /// The number of words of a state.
    pub fn state_words(&self) -> usize {
        self.program.layout.words
    }

    /// A state by its node and words, as [`Stepper::step`] gave them; they are not looked at. For those of a file see
    /// [`Machine::states_from_outside`].
    pub fn state_at(&self, node: u32, words: &[u64]) -> State {
        State {
            node,
            words: SmallVec::from_slice(words),
        }
    }

    /// A reader of states that were written down; see [`OutsideStates`].
    pub fn states_from_outside(&self) -> OutsideStates<'_> {
        let bounds = self.program.layout.fields.iter().map(|field| {
            let slots = &self.program.slots;
            let owner = slots.iter().find(|info| {
                let words = info.ty.words() as u32;
                (info.slot..info.slot + words).contains(&field.slot)
            });
            match owner {
                // Every pattern of its bits is a set.
                Some(info) if matches!(info.ty, Type::Set(_)) => None,
                Some(info) => Some(info.ty.bounds().unwrap_or((0, 0))),
                None => None,
            }
        });
        OutsideStates {
            machine: self,
            bounds: bounds.collect(),
        }
    }

    /// The bits of each word that make up the identity of a state at a node, without accumulators: see
    /// [`Machine::reduced_key`].
    pub fn identity(&self, node: u32) -> &[u64] {
        &self.program.layout.reduced[node as usize]
    }

    /// The number of nodes of the graph.
    pub fn nodes(&self) -> usize {
        self.program.nodes.len()
    }

    fn listings(&self, state: &State) -> Listings<'_> {
        match &self.program.nodes[state.node as usize].kind {
            NodeKind::Terminal => Listings::new(),
            NodeKind::Chance(listing) => Listings::from_slice(&[listing]),
            NodeKind::Decision(arms) => {
                let mut listings = Listings::new();
                let mut players: SmallVec<[usize; 4]> = SmallVec::new();
                for arm in arms.iter().filter(|arm| self.is_active(state, arm)) {
                    let player = self.arm_player(state, arm);
                    let place = players.iter().take_while(|&&p| p <= player).count();
                    players.insert(place, player);
                    listings.insert(place, &arm.listing);
                }
                listings
            }
        }
    }

    /// Puts the actions of a step where the program looks for them; false where they are not those of the node.
    pub(super) fn put(&self, state: &State, actions: &[&Action], frame: &mut [u64]) -> bool {
        let listings = self.listings(state);
        !actions.is_empty() && actions.len() == listings.len() && put_all(&listings, actions, frame)
    }
}

/// Makes states of nodes and words that nobody vouches for.
pub struct OutsideStates<'m> {
    machine: &'m Machine,
    /// For each field the least and the greatest value; `None`: any that its bits can hold.
    bounds: Vec<Option<(i64, i64)>>,
}

impl OutsideStates<'_> {
    /// The state of a node and words; `None` where no state can look like this. Whether play comes to it is not known.
    pub fn read(&self, node: u32, words: &[u64]) -> Option<State> {
        let layout = &self.machine.program.layout;
        let kept = layout.kept.get(node as usize)?;
        if words.len() != layout.words {
            return None;
        }
        let mut left: SmallVec<[u64; 16]> = SmallVec::from_slice(words);
        for &i in kept {
            let field = &layout.fields[i as usize];
            left[field.word as usize] &= !(field.mask() << field.shift);
            if let Some((lo, hi)) = self.bounds[i as usize] {
                let value = field.read(words) as i64;
                if value < lo || value > hi {
                    return None;
                }
            }
        }
        let clean = left.iter().all(|w| *w == 0);
        clean.then(|| self.machine.state_at(node, words))
    }
}

impl State {
    /// The packed variables; with the node this is all of the state.
    pub fn words(&self) -> &[u64] {
        &self.words
    }
}

impl<'m> Stepper<'m> {
    /// The state to step from.
    pub fn start(&mut self, state: State) {
        let machine = self.machine;
        match &mut self.fast {
            Some(fast) => fast.start(&state),
            None => self.base = machine.unpack(&state),
        }
        self.listings = machine.listings(&state);
        self.from = Some(state);
    }

    /// The state that was started from.
    pub fn state(&self) -> Option<&State> {
        self.from.as_ref()
    }

    /// Steps from the start with one action for each player to move, in seating order, or with the outcome of a draw, as
    /// [`Machine::legal`] and [`Machine::outcomes`] gave them. Gives the node that play comes to, and fills in the words of the
    /// state there; there must be as many as [`Machine::state_words`].
    ///
    /// # Errors
    /// As [`Machine::step`].
    pub fn step(&mut self, actions: &[&Action], words: &mut [u64]) -> Result<u32, PlayError> {
        if actions.len() != self.listings.len() {
            return Err(self.misfit("the actions are not those of the players to move"));
        }
        if actions.is_empty() {
            return Err(self.misfit("there is nothing to step from"));
        }
        let Some(fast) = &mut self.fast else {
            return self.step_slowly(actions, words);
        };
        if !put_all(&self.listings, actions, fast.put_back()) {
            return Err(self.misfit("an action of another node"));
        }
        match fast.step(words) {
            Some(node) => Ok(node),
            None => self.step_slowly(actions, words),
        }
    }

    /// By the interpreter, which tells of errors in full.
    fn step_slowly(&mut self, actions: &[&Action], words: &mut [u64]) -> Result<u32, PlayError> {
        let machine = self.machine;
        let program = &machine.program;
        let Some(from) = &self.from else {
            return Err(self.misfit("there is nothing to step from"));
        };
        if self.fast.is_some() {
            self.base = machine.unpack(from);
        }
        self.frame.clear();
        self.frame.extend_from_slice(&self.base);
        if !put_all(&self.listings, actions, &mut self.frame) {
            return Err(self.misfit("an action of another node"));
        }
        let node = &program.nodes[from.node as usize];
        let trouble = match run(program, &mut self.frame, node.resume, &mut Silent) {
            Ok(Stop::Rest(next)) => {
                words.fill(0);
                let layout = &program.layout;
                for &i in &layout.kept[next.0 as usize] {
                    let field = &layout.fields[i as usize];
                    field.write(words, self.frame[field.slot as usize]);
                }
                return Ok(next.0);
            }
            Ok(_) => Trouble::Index,
            Err(trouble) => trouble,
        };
        let error = machine.trouble_after(trouble, Some(node.span));
        let actions: Vec<Action> = actions.iter().map(|&a| a.clone()).collect();
        Err(machine.explain(from, &actions, error))
    }

    fn misfit(&self, message: &str) -> PlayError {
        let nodes = &self.machine.program.nodes;
        let node = self.from.as_ref().and_then(|s| nodes.get(s.node as usize));
        PlayError {
            code: codes::ILLEGAL_MOVE,
            span: node.map_or_else(Default::default, |n| n.span),
            message: message.to_string(),
            hint: None,
        }
    }
}

fn put_all(listings: &[&Listing], actions: &[&Action], frame: &mut [u64]) -> bool {
    std::iter::zip(listings, actions).all(|(listing, action)| put(listing, action, frame))
}

/// Puts an action where the program looks for it; false where it has not the form of this listing.
fn put(listing: &Listing, action: &Action, frame: &mut [u64]) -> bool {
    let Some((&number, mut rest)) = action.0.split_first() else {
        return false;
    };
    let Some(alternative) = listing.alternatives.get(number as usize) else {
        return false;
    };
    frame[listing.chosen as usize] = number;
    for (operand, _) in &alternative.parts {
        let Some((value, after)) = rest.split_at_checked(operand.words as usize) else {
            return false;
        };
        let from = operand.slot as usize;
        frame[from..from + value.len()].copy_from_slice(value);
        rest = after;
    }
    rest.is_empty()
}
