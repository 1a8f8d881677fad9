//! Many steps from one state: it is unpacked once, in the code of playouts, and nothing is allocated on the way to a
//! successor.
//!
//! Solvers go from every state to all of its successors, and searches from a node to a new one; this is `Machine::legal`,
//! `outcomes` and `step` for them. A state is a node and plain words.

use super::interpret::{Silent, Stop, run};
use super::options::{OptionList, words};
use super::playout::{Engine, IndependentChoices, Lists, Steps};
use super::product::Pairs;
use super::shared_lists::SharedActions;
use super::{Action, Actions, Machine, Outcomes, PlayError, State, Turn};
use crate::compile::codes;
use crate::ir::meaning::Trouble;
use crate::ir::{Listing, ListingKind, NodeKind, Term};
use crate::model::{PlayerSet, SiteId};
use smallvec::SmallVec;
use std::sync::Arc;

/// So many steps by the interpreter are noted at once.
const SLOW: usize = 64;

/// Steps from one state after another.
pub struct Stepper<'m> {
    machine: &'m Machine,
    /// The state to step from, once there is one.
    from: Option<State>,
    /// The fast way; `None` where there is none, or not yet.
    fast: Option<Steps<'m>>,
    /// Steps by the interpreter that were not noted yet.
    slow: usize,
    /// Who moves, in seating order, and from what listing; of a chance node its one.
    listings: Listings<'m>,
    /// What lists, of that which is no set that stands ready.
    offers: Lists<'m>,
    /// Whether only what lasts is filled in.
    lasting: bool,
    pub(super) pairs: Pairs,
    /// How many lists were made: see [`Listed::stamp`].
    lists: u64,
}

/// The actions of a player, kept from state to state: see [`Stepper::list_again`].
#[derive(Debug, Default)]
pub struct Listed {
    actions: Actions,
    from: Option<Elements>,
    stamp: u64,
}

/// The site of a choice, and the set whose elements it is from.
type Elements = (SiteId, SmallVec<[u64; 2]>);

impl std::ops::Deref for Listed {
    type Target = [Action];
    fn deref(&self) -> &[Action] {
        &self.actions
    }
}

impl Listed {
    pub fn clear(&mut self) {
        *self = Listed::default();
    }

    /// The same for as long as the list stays as it is, and another for every other list of the same stepper.
    pub(super) fn stamp(&self) -> u64 {
        self.stamp
    }
}

type Listings<'m> = SmallVec<[Offer<'m>; 4]>;

/// What a player may choose from; chance counts as player 0.
#[derive(Copy, Clone)]
struct Offer<'m> {
    player: usize,
    /// The number of the listing at its node.
    number: usize,
    listing: &'m Listing,
}

#[doc(hidden)]
impl Machine {
    /// See `Stepper`.
    pub fn stepper(&self) -> Stepper<'_> {
        self.stepper_for(false)
    }

    /// A stepper for those who merge states: it fills in what the future and the payoffs depend on ([`Machine::lasting`]), and
    /// 0 in what only texts and notes need. Faster than [`Machine::stepper`].
    pub fn lasting_stepper(&self) -> Stepper<'_> {
        self.stepper_for(true)
    }

    fn stepper_for(&self, lasting: bool) -> Stepper<'_> {
        Stepper {
            machine: self,
            from: None,
            fast: Steps::after(self, lasting, 0),
            slow: 0,
            listings: SmallVec::new(),
            offers: Lists::new(self),
            lasting,
            pairs: Pairs::default(),
            lists: 0,
        }
    }

    /// The number of words of a state.
    pub fn state_words(&self) -> usize {
        self.program.layout.words
    }

    /// A state by its node and words, as `Stepper::step` gave them; they are not looked at. For those of a file see
    /// [`Machine::read_state`].
    pub fn state_at(&self, node: u32, words: &[u64]) -> State {
        State {
            node,
            words: SmallVec::from_slice(words),
        }
    }

    /// The bits of each word that make up the identity of a state at a node, without accumulators: see
    /// [`Machine::reduced_key`].
    pub fn identity(&self, node: u32) -> &[u64] {
        &self.program.layout.reduced[node as usize]
    }

    /// The same with accumulators: the bits that [`Machine::lasting_stepper`] fills in.
    pub fn lasting(&self, node: u32) -> &[u64] {
        &self.program.layout.live[node as usize]
    }

    /// The number of nodes of the graph.
    pub fn nodes(&self) -> usize {
        self.program.nodes.len()
    }

    /// As [`Machine::turn`], by a state's node and words.
    pub fn turn_at(&self, node: u32, words: &[u64]) -> Turn {
        match &self.program.nodes[node as usize].kind {
            NodeKind::Chance(_) => Turn::Chance,
            NodeKind::Terminal => Turn::Terminal,
            NodeKind::Decision(arms) => Turn::Decision(match &arms[..] {
                [arm] if arm.active.is_none() => PlayerSet::only(self.arm_player_at(words, arm)),
                arms => {
                    let active = arms.iter().filter(|arm| self.is_active_at(words, arm));
                    active.map(|arm| self.arm_player_at(words, arm)).collect()
                }
            }),
        }
    }
}

impl Machine {
    fn listings(&self, node: u32, words: &[u64]) -> Listings<'_> {
        let mut listings = Listings::new();
        self.list_offers(node, words, &mut listings);
        listings
    }

    fn list_offers<'m>(&'m self, node: u32, words: &[u64], listings: &mut Listings<'m>) {
        listings.clear();
        match &self.program.nodes[node as usize].kind {
            NodeKind::Terminal => {}
            NodeKind::Chance(listing) => listings.push(Offer {
                player: 0,
                number: 0,
                listing,
            }),
            NodeKind::Decision(arms) => {
                for (number, arm) in arms.iter().enumerate() {
                    if !self.is_active_at(words, arm) {
                        continue;
                    }
                    let player = self.arm_player_at(words, arm);
                    let place = listings.iter().take_while(|o| o.player <= player).count();
                    let offer = Offer {
                        player,
                        number,
                        listing: &arm.listing,
                    };
                    listings.insert(place, offer);
                }
            }
        }
    }

    /// Puts the actions of a step where the program looks for them; false where they are not those of the node.
    pub(super) fn put(
        &self,
        node: u32,
        words: &[u64],
        actions: &[&Action],
        frame: &mut [u64],
    ) -> bool {
        // Mostly one chooses, or one thing is drawn.
        let one = match &self.program.nodes[node as usize].kind {
            NodeKind::Decision(arms) => match &arms[..] {
                [arm] => self.is_active_at(words, arm).then_some(&arm.listing),
                _ => None,
            },
            NodeKind::Chance(listing) => Some(listing),
            NodeKind::Terminal => return false,
        };
        if let (Some(listing), [action]) = (one, actions) {
            return put(listing, action, frame);
        }
        let listings = self.listings(node, words);
        !actions.is_empty() && actions.len() == listings.len() && put_all(&listings, actions, frame)
    }
}

impl<'m> Stepper<'m> {
    /// The state to step from. Where it is that already, nothing is done.
    pub fn start(&mut self, node: u32, words: &[u64]) {
        let machine = self.machine;
        let from = self.from.as_ref();
        if from.is_some_and(|from| from.node == node && from.words[..] == *words) {
            return;
        }
        if self.fast.is_none() && self.slow >= SLOW {
            self.fast = Steps::after(machine, self.lasting, std::mem::take(&mut self.slow));
        }
        if let Some(fast) = &mut self.fast {
            fast.start(node, words);
        }
        machine.list_offers(node, words, &mut self.listings);
        match &mut self.from {
            Some(state) => {
                state.node = node;
                state.words.clear();
                state.words.extend_from_slice(words);
            }
            None => self.from = Some(machine.state_at(node, words)),
        }
    }

    /// As [`Machine::legal`], at the start.
    ///
    /// # Errors
    /// As [`Machine::legal`].
    pub fn legal(&mut self, player: usize, actions: &mut Actions) -> Result<(), PlayError> {
        let offer = self.offer(player)?;
        self.list(offer, actions)
    }

    /// How many actions a player has at the start, without a list of them.
    ///
    /// # Errors
    /// As [`Machine::legal`].
    pub fn count(&mut self, player: usize, actions: &mut Actions) -> Result<u64, PlayError> {
        let offer = self.offer(player)?;
        if let Some(from) = &self.from
            && let Some(total) = self.offers.list(from.node, &from.words, offer.number)
            && total < Outcomes::LIMIT as u64
        {
            return Ok(total);
        }
        self.legal(player, actions)?;
        Ok(actions.len() as u64)
    }

    fn offer(&self, player: usize) -> Result<Offer<'m>, PlayError> {
        let found = self.listings.iter().find(|offer| offer.player == player);
        found
            .copied()
            .ok_or_else(|| self.misfit("it is not this player's move"))
    }

    /// As [`Stepper::legal`], but a list that has these actions already is left as it is: often the states that follow one
    /// another offer the same.
    ///
    /// # Errors
    /// As [`Machine::legal`].
    pub fn list_again(&mut self, player: usize, list: &mut Listed) -> Result<(), PlayError> {
        let from = self.listed_set(player)?;
        if from.is_some() && from == list.from {
            return Ok(());
        }
        list.from = None;
        self.legal(player, &mut list.actions)?;
        list.from = from;
        self.lists += 1;
        list.stamp = self.lists;
        Ok(())
    }

    /// The site of a player's choice and the set whose elements are listed, where it is a set and stands ready.
    fn listed_set(&mut self, player: usize) -> Result<Option<Elements>, PlayError> {
        let listing = self.offer(player)?.listing;
        let ListingKind::Set { code, set, .. } = listing.kind else {
            return Ok(None);
        };
        let block = self.machine.program.block(code);
        let ready = block.instrs.is_empty() && block.term == Term::Return;
        let Some(fast) = self.fast.as_mut().filter(|_| ready) else {
            return Ok(None);
        };
        let words = words(fast.put_back(), set);
        Ok(Some((listing.site, SmallVec::from_slice(words))))
    }

    /// As [`Machine::outcomes`], at the start.
    ///
    /// # Errors
    /// As [`Machine::outcomes`].
    pub fn outcomes(&mut self, outcomes: &mut Outcomes) -> Result<(), PlayError> {
        let [offer] = self.listings[..] else {
            return Err(self.misfit("nothing is drawn here"));
        };
        self.list(offer, outcomes)
    }

    /// Lists by the engines of playouts, and where they cannot by the interpreter, which says what is wrong.
    fn list(&mut self, offer: Offer<'m>, list: &mut impl OptionList) -> Result<(), PlayError> {
        let Some(from) = &self.from else {
            return Err(self.misfit("there is nothing to step from"));
        };
        let listed = self.offers.list(from.node, &from.words, offer.number);
        if listed.is_some() && self.offers.fill(list) {
            return Ok(());
        }
        let (machine, listing) = (self.machine, offer.listing);
        let Some(fast) = &mut self.fast else {
            return machine.list_all(listing, &mut machine.unpack(from), list);
        };
        let listed = machine.list_all(listing, fast.put_back(), list);
        fast.unpack();
        listed
    }

    /// Steps from the start with one action for each player to move, in seating order, or with the outcome of a draw, as
    /// [`Stepper::legal`] and [`Stepper::outcomes`] gave them. Gives the node that play comes to, and fills in the words of
    /// the state there; there must be as many as [`Machine::state_words`].
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
            self.slow += 1;
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

    /// As [`Stepper::step`] from another state, of which nothing is kept: there is no start afterwards. For those who step
    /// once from each state.
    ///
    /// # Errors
    /// As [`Machine::step`].
    pub fn step_from(
        &mut self,
        (node, words): (u32, &[u64]),
        actions: &[&Action],
        next: &mut [u64],
    ) -> Result<u32, PlayError> {
        if let Some(fast) = &mut self.fast {
            self.from = None;
            let machine = self.machine;
            let put = |frame: &mut [u64]| machine.put(node, words, actions, frame);
            if let Some(to) = fast.once(node, words, put, next) {
                return Ok(to);
            }
        }
        self.start(node, words);
        self.step(actions, next)
    }

    /// As [`Stepper::step`], for those who keep states.
    ///
    /// # Errors
    /// As [`Machine::step`].
    pub fn step_to(&mut self, actions: &[&Action]) -> Result<State, PlayError> {
        let mut words = SmallVec::from_elem(0, self.machine.state_words());
        let node = self.step(actions, &mut words)?;
        Ok(State { node, words })
    }

    /// As [`Machine::legal`], for those who go from state to state; the start stays as it is.
    ///
    /// # Errors
    /// As [`Machine::legal`].
    pub fn legal_at(
        &mut self,
        state: &State,
        player: usize,
        actions: &mut Actions,
    ) -> Result<(), PlayError> {
        let (number, _) = self.machine.numbered_arm_of(state, player)?;
        let listed = self.offers.list(state.node, &state.words, number);
        match listed.is_some() && self.offers.fill(actions) {
            true => Ok(()),
            false => self.machine.legal(state, player, actions),
        }
    }

    /// As [`Stepper::legal_at`]; a list that some state had before is not made again.
    ///
    /// # Errors
    /// As [`Machine::legal`].
    pub fn shared_at(
        &mut self,
        state: &State,
        player: usize,
        list: &mut SharedActions,
    ) -> Result<(), PlayError> {
        let (number, _) = self.machine.numbered_arm_of(state, player)?;
        if let Some(shared) = self.offers.share(state.node, &state.words, number) {
            *list = shared;
            return Ok(());
        }
        list.number = None;
        self.machine
            .legal(state, player, Arc::make_mut(&mut list.actions))
    }

    /// As [`Machine::step`], for those who go from state to state; there is no start afterwards.
    ///
    /// # Errors
    /// As [`Machine::step`].
    pub fn step_on(&mut self, state: &mut State, actions: &[Action]) -> Result<(), PlayError> {
        let actions: SmallVec<[&Action; 4]> = actions.iter().collect();
        let mut words = SmallVec::from_elem(0, self.machine.state_words());
        let node = self.step_from((state.node, &state.words), &actions, &mut words)?;
        *state = State { node, words };
        Ok(())
    }

    /// What makes steps and what makes lists; `None`: the interpreter.
    pub fn engines(&self) -> [Option<Engine>; 2] {
        [self.fast.as_ref().map(Steps::engine), self.offers.engine()]
    }

    /// The state to step from.
    pub(super) fn state(&self) -> Option<&State> {
        self.from.as_ref()
    }

    /// The parts of successors of the start, if it has such.
    pub(super) fn independent_choices(&self) -> Option<&'m IndependentChoices> {
        self.fast.as_ref()?.independent_choices()
    }

    /// By the interpreter, whose errors have their full message.
    fn step_slowly(&mut self, actions: &[&Action], words: &mut [u64]) -> Result<u32, PlayError> {
        let machine = self.machine;
        let program = &machine.program;
        let Some(from) = &self.from else {
            return Err(self.misfit("there is nothing to step from"));
        };
        let mut frame = machine.unpack(from);
        if !put_all(&self.listings, actions, &mut frame) {
            return Err(self.misfit("an action of another node"));
        }
        let node = &program.nodes[from.node as usize];
        let trouble = match run(program, &mut frame, node.resume, &mut Silent) {
            Ok(Stop::Rest(next)) => {
                let next = machine.pack(&frame, next);
                words.copy_from_slice(&next.words);
                if self.lasting {
                    let lasting = machine.lasting(next.node);
                    std::iter::zip(words, lasting).for_each(|(w, m)| *w &= m);
                }
                return Ok(next.node);
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

fn put_all(offers: &[Offer<'_>], actions: &[&Action], frame: &mut [u64]) -> bool {
    std::iter::zip(offers, actions).all(|(offer, action)| put(offer.listing, action, frame))
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
