//! What the searching player saw up to the question that it is asked: with which choices and draws a game can still come to
//! tell it the same.

use crate::machine::{
    Action, Actions, Event, Machine, Observation, Outcomes, PlayError, State, Turn,
};
use crate::model::PlayerSet;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::ops::ControlFlow;
use std::rc::Rc;

/// A way of play that told the player what it saw, as far as it has come.
#[derive(Clone, Debug)]
pub struct OnWay {
    pub state: State,
    /// How much of what was seen it has told.
    pub used: usize,
}

/// Where a way is.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Way {
    /// Before the question.
    Open,
    /// At the question.
    There,
    /// Where the question cannot come any more.
    Lost,
}

pub struct Target<'a> {
    machine: &'a Machine,
    player: usize,
    seen: &'a [Observation],
    node: u32,
    actions: &'a Actions,
    /// For places that were asked about: for each joint choice or outcome whether the question can come after it.
    fitting: FxHashMap<Key, Option<Rc<[bool]>>>,
    /// Whether the question can come.
    open: FxHashMap<Key, bool>,
    /// About how many bytes both take.
    bytes: usize,
    /// How many steps may still be taken to look ahead.
    steps: u32,
}

/// The state, and how much of what was seen is told by then.
type Key = (usize, SmallVec<[u64; 16]>);

/// Up to so many joint choices or outcomes are looked at.
pub const LISTED: usize = 4096;

/// What was found out about places is kept up to about so many bytes. What is not kept is found out again.
const KEPT: usize = 1 << 28;

/// About how many bytes the two of a place take in a table, beside the words of its state and what is known of it.
const ENTRY: usize = 2 * (size_of::<Key>() + size_of::<Option<Rc<[bool]>>>());

/// How many steps are taken to look ahead, for one question. After that, a way that told what was seen so far is taken for one
/// on which the question can come.
const STEPS: u32 = 20_000;

/// It is looked so many steps ahead.
const AHEAD: u32 = 200;

impl<'a> Target<'a> {
    pub fn new(
        machine: &'a Machine,
        player: usize,
        seen: &'a [Observation],
        node: u32,
        actions: &'a Actions,
    ) -> Target<'a> {
        Target {
            machine,
            player,
            seen,
            node,
            actions,
            fitting: FxHashMap::default(),
            open: FxHashMap::default(),
            bytes: 0,
            steps: STEPS,
        }
    }

    /// How much of what was seen is told when `told` has come, of which the first `used` were before; `None` where it is
    /// something else.
    pub fn hear(&self, used: usize, event: &Event<'_>) -> Option<usize> {
        if !event.viewers.contains(self.player) {
            return Some(used);
        }
        let fits = self.seen.get(used).is_some_and(|seen| {
            seen.site == event.site
                && seen.chooser == event.chooser
                && seen.pattern == event.pattern
                && seen.values.as_slice() == event.values
        });
        fits.then_some(used + 1)
    }

    /// Where a way is that has told nothing else.
    ///
    /// # Errors
    /// Those of play.
    pub fn way(&self, at: &OnWay) -> Result<Way, PlayError> {
        let asked = match self.machine.turn(&at.state) {
            Turn::Terminal => return Ok(Way::Lost),
            Turn::Chance => false,
            Turn::Decision(movers) => movers.contains(self.player),
        };
        if !asked {
            return Ok(Way::Open);
        }
        if at.used == self.seen.len() {
            let mut own = Actions::default();
            if self.machine.node(&at.state) == self.node {
                self.machine.legal(&at.state, self.player, &mut own)?;
            }
            return Ok(match own == *self.actions {
                true => Way::There,
                false => Way::Lost,
            });
        }
        let legal = match self.own_choice(at.used) {
            Some(own) => self.machine.is_legal(&at.state, self.player, &own)?,
            None => false,
        };
        Ok(if legal { Way::Open } else { Way::Lost })
    }

    /// What was seen after so many observations.
    pub fn rest(&self, used: usize) -> &'a [Observation] {
        &self.seen[used..]
    }

    /// What the player chose when it was asked next.
    pub fn own_choice(&self, used: usize) -> Option<Action> {
        let mut rest = self.seen[used..].iter();
        let own = rest.find(|seen| seen.chooser == Some(self.player as u8))?;
        Some(Action(own.values.clone()))
    }

    /// For each outcome of a draw, whether the question can come after it.
    ///
    /// # Errors
    /// Those of play.
    pub fn fitting_outcomes(
        &mut self,
        at: &OnWay,
        outcomes: &Outcomes,
    ) -> Result<Option<Rc<[bool]>>, PlayError> {
        let key = self.key(at);
        if let Some(known) = self.fitting.get(&key) {
            return Ok(known.clone());
        }
        let mut fitting = Vec::with_capacity(outcomes.list.len());
        for (outcome, _) in &outcomes.list {
            fitting.push(self.fits(at, std::slice::from_ref(outcome), AHEAD)?);
        }
        Ok(self.keep(key, Some(fitting.into())))
    }

    /// The same for each joint choice, the last mover's fastest; `None` where there are too many.
    ///
    /// # Errors
    /// Those of play.
    pub fn fitting_choices(
        &mut self,
        at: &OnWay,
        movers: PlayerSet,
        lists: &[Actions],
    ) -> Result<Option<Rc<[bool]>>, PlayError> {
        let key = self.key(at);
        if let Some(known) = self.fitting.get(&key) {
            return Ok(known.clone());
        }
        let sizes = lists.iter().map(|list| list.len());
        let all = sizes.fold(1usize, usize::saturating_mul);
        if all > LISTED {
            return Ok(self.keep(key, None));
        }
        let own = self.own_choice(at.used);
        let mut fitting = Vec::with_capacity(all);
        for number in 0..all {
            let joint = joint(lists, number);
            let mut choices = std::iter::zip(movers, &joint);
            let others = choices.all(|(mover, a)| mover != self.player || own.as_ref() == Some(a));
            fitting.push(others && self.fits(at, &joint, AHEAD)?);
        }
        Ok(self.keep(key, Some(fitting.into())))
    }

    fn keep(&mut self, key: Key, fitting: Option<Rc<[bool]>>) -> Option<Rc<[bool]>> {
        if self.has_room(&key, fitting.as_ref().map_or(0, |list| list.len())) {
            self.fitting.insert(key, fitting.clone());
        }
        fitting
    }

    /// Whether what is known of a place may be kept, which has so many bytes itself; it is counted then.
    fn has_room(&mut self, key: &Key, own: usize) -> bool {
        let words = if key.1.spilled() { key.1.len() } else { 0 };
        let bytes = ENTRY + words * size_of::<u64>() + own;
        let room = self.bytes + bytes <= KEPT;
        self.bytes += if room { bytes } else { 0 };
        room
    }

    fn key(&self, at: &OnWay) -> Key {
        (at.used, self.machine.exact_key(&at.state))
    }

    /// Whether the question can come after a step.
    fn fits(&mut self, at: &OnWay, step: &[Action], ahead: u32) -> Result<bool, PlayError> {
        let mut next = at.clone();
        let (seen, mut used) = (&*self, at.used);
        let stepped = seen
            .machine
            .step_observed(
                &mut next.state,
                step,
                &mut |event| match seen.hear(used, &event) {
                    Some(more) => {
                        used = more;
                        ControlFlow::Continue(())
                    }
                    None => ControlFlow::Break(()),
                },
            )?;
        if stepped.is_break() {
            return Ok(false);
        }
        next.used = used;
        match self.way(&next)? {
            Way::There => Ok(true),
            Way::Lost => Ok(false),
            Way::Open => self.is_open(&next, ahead),
        }
    }

    /// Whether the question can come on a way, as far as it is looked ahead.
    fn is_open(&mut self, at: &OnWay, ahead: u32) -> Result<bool, PlayError> {
        if self.steps == 0 || ahead == 0 {
            return Ok(true);
        }
        let key = self.key(at);
        if let Some(&known) = self.open.get(&key) {
            return Ok(known);
        }
        let open = self.some_step_fits(at, ahead - 1)?;
        if self.has_room(&key, 0) {
            self.open.insert(key, open);
        }
        Ok(open)
    }

    fn some_step_fits(&mut self, at: &OnWay, ahead: u32) -> Result<bool, PlayError> {
        let machine = self.machine;
        let movers = match machine.turn(&at.state) {
            Turn::Terminal => return Ok(false),
            Turn::Decision(movers) => movers,
            Turn::Chance => {
                let mut outcomes = Outcomes::default();
                if !machine.few_outcomes(&at.state, LISTED, &mut outcomes)? {
                    return Ok(true);
                }
                for (outcome, _) in &outcomes.list {
                    if !self.pay() || self.fits(at, std::slice::from_ref(outcome), ahead)? {
                        return Ok(true);
                    }
                }
                return Ok(false);
            }
        };
        let mut lists: SmallVec<[Actions; 4]> = SmallVec::new();
        for mover in movers {
            let mut list = Actions::default();
            if mover == self.player {
                list.0.extend(self.own_choice(at.used));
            } else {
                machine.legal(&at.state, mover, &mut list)?;
            }
            lists.push(list);
        }
        let sizes = lists.iter().map(|list| list.len());
        let all = sizes.fold(1usize, usize::saturating_mul);
        if all > LISTED {
            return Ok(true);
        }
        for number in 0..all {
            if !self.pay() || self.fits(at, &joint(&lists, number), ahead)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes one of the steps that there are; false where there is none left.
    fn pay(&mut self) -> bool {
        let left = self.steps > 0;
        self.steps = self.steps.saturating_sub(1);
        left
    }
}

/// The joint choice with this number, the last mover's fastest.
fn joint(lists: &[Actions], number: usize) -> SmallVec<[Action; 4]> {
    let mut rest = number;
    let places = lists.iter().rev().map(|list| {
        let place = rest % list.len();
        rest /= list.len();
        list[place].clone()
    });
    let mut joint: SmallVec<[Action; 4]> = places.collect();
    joint.reverse();
    joint
}
