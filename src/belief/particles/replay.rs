//! Plays a course of play as it is wished, as long as it tells the player what it saw.

use super::history::{End, Mismatch, Part, Reached, Step, Tail, Values};
use super::kinds::Kinds;
use super::piles::Piles;
use crate::belief::policy::{self, Policy};
use crate::belief::record::{Question, Record};
use crate::belief::told::{Heard, Movers, Told, WHOLE, glimpse, movers, places, will_hear};
use crate::machine::{
    Action, Actions, Glimpse, Glimpses, Machine, Observation, ObservedStepper, PlayError, State,
    Turn,
};
use crate::model::SiteId;
use crate::random::Stream;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Up to so many options are compared with what was seen and is not among them.
const SHOWN: usize = 32;

/// So many observations before one that differs are looked at.
const NEAR: usize = 3;

/// What is to happen in a place that the player does not decide.
pub enum Wish {
    /// What happened there.
    Same,
    Other(Action),
    /// Anything, by its probability.
    Any,
}

/// What to do where a wish is not among the options.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Otherwise {
    /// Draw something else.
    Draw,
    Stop,
}

/// How play is to go on, beside a history.
pub struct Wishes<'w> {
    pub old: &'w [Arc<Step>],
    pub wish: &'w dyn Fn(usize, usize, &Part) -> Wish,
    pub otherwise: Otherwise,
}

/// Plays for one player's record up to a question.
pub struct Replay<'a> {
    pub machine: &'a Machine,
    pub seat: usize,
    pub kinds: &'a Kinds,
    piles: &'a Piles,
    /// How the others choose; evenly without one.
    policy: Option<&'a dyn Policy>,
    /// What the player saw by the question.
    seen: &'a [Observation],
    /// The questions up to this one.
    questions: &'a [Question],
    /// What the player hears of at a node after so many observations, as a state before had it.
    heard: FxHashMap<(u32, usize), Heard>,
    glimpses: Glimpses<'a>,
    stepper: ObservedStepper<'a>,
    /// How many steps and listings it took.
    pub work: u64,
    /// Whether it is looked into why a course of play does not fit.
    pub explains: bool,
    /// Up to such a cost, play goes on past what was seen otherwise ([`Mismatch::cost`]).
    pub allows: f64,
}

/// The parts of a step, what they come to, and whether something was drawn.
struct Taken {
    parts: SmallVec<[Part; 2]>,
    ln: f64,
    drawn: f64,
    seen: f64,
    fresh: bool,
}

impl<'a> Replay<'a> {
    /// Up to the question with this number.
    pub fn new(
        machine: &'a Machine,
        seat: usize,
        (kinds, piles): (&'a Kinds, &'a Piles),
        policy: Option<&'a dyn Policy>,
        (record, question): (&'a Record, usize),
    ) -> Replay<'a> {
        let questions = &record.questions[..=question];
        Replay {
            machine,
            seat,
            kinds,
            piles,
            policy,
            seen: &record.seen[..questions[question].seen],
            questions,
            heard: FxHashMap::default(),
            glimpses: machine.glimpses(),
            stepper: machine.observed_stepper(policy::heard_by(policy, seat)),
            work: 0,
            explains: false,
            allows: 0.0,
        }
    }

    /// How much the player had seen by the question.
    pub fn length(&self) -> usize {
        self.seen.len()
    }

    /// The beginning of play; `None` where something else is seen.
    pub fn initial(&self) -> Result<Option<Reached>, PlayError> {
        let mut told = Told::new(self.seat, self.seen);
        let mut memory = policy::beginning(self.policy, self.machine.player_count());
        let begun = self.machine.initial_observed(&mut |event| {
            policy::remember(self.policy, &mut memory, &event);
            told.hear(&event)
        })?;
        Ok(match begun {
            ControlFlow::Continue(state) => Some(Reached {
                state,
                used: told.used,
                memory,
            }),
            ControlFlow::Break(()) => None,
        })
    }

    /// How likely an option is to be chosen or drawn; 0 for one that there is not.
    fn probability(
        &mut self,
        at: &Reached,
        who: Option<usize>,
        action: &Action,
    ) -> Result<f64, PlayError> {
        self.work += 1;
        let (Some(policy), Some(who)) = (self.policy, who) else {
            let odds = self.glimpses.odds(&at.state, who, Glimpse::from(action))?;
            return Ok(odds.like / odds.total);
        };
        let mut actions = Actions::default();
        self.machine.legal(&at.state, who, &mut actions)?;
        let Some(place) = actions.iter().position(|a| a == action) else {
            return Ok(0.0);
        };
        let memory = at.memory.get(who).copied().unwrap_or_default();
        let shares = policy.shares(self.machine, &at.state, (who, memory), &actions)?;
        Ok(shares[place])
    }

    /// Goes on from a state before step `from`.
    pub fn run(
        &mut self,
        from: usize,
        start: Reached,
        wishes: &Wishes<'_>,
        rng: &mut Stream,
    ) -> Result<Tail, PlayError> {
        let mut tail = Tail::new(from, start);
        loop {
            match self.machine.turn(&tail.at.state) {
                Turn::Terminal => {
                    tail.end = End::Stuck(Box::new(stuck_at(tail.at.used)));
                    return Ok(tail);
                }
                Turn::Decision(movers) if movers.contains(self.seat) => {
                    let node = self.machine.node(&tail.at.state);
                    let at = self.questions.partition_point(|q| q.seen < tail.at.used);
                    let question = self.questions.get(at).filter(|q| q.seen == tail.at.used);
                    if question.is_some_and(|q| q.node != node) {
                        tail.end = End::Stuck(Box::new(stuck_at(tail.at.used)));
                        return Ok(tail);
                    }
                    if tail.at.used == self.seen.len() {
                        return Ok(tail);
                    }
                }
                _ => {}
            }
            if let Some(mismatch) = self.step(&mut tail, wishes, rng)? {
                tail.end = End::Stuck(Box::new(mismatch));
                return Ok(tail);
            }
            if tail.cost > self.allows {
                tail.end = End::Stuck(Box::new(stuck_at(tail.at.used)));
                return Ok(tail);
            }
        }
    }

    /// One step, if it tells the player what it saw.
    fn step(
        &mut self,
        tail: &mut Tail,
        wishes: &Wishes<'_>,
        rng: &mut Stream,
    ) -> Result<Option<Mismatch>, PlayError> {
        let node = self.machine.node(&tail.at.state);
        let movers = movers(self.machine, &tail.at.state)?;
        let places = places(&movers);
        let mut known = self.heard.get(&(node, tail.at.used)).cloned();
        let mut sure = false;
        loop {
            if known.is_none() && !self.all_wished(tail, &movers, wishes) {
                known = Some(self.will_hear(tail, &movers)?);
                sure = true;
            }
            let taken = match self.take(tail, &movers, wishes, known.as_ref(), rng)? {
                Ok(taken) => taken,
                Err(_) if known.is_some() && !sure => {
                    (known, sure) = (Some(self.will_hear(tail, &movers)?), true);
                    continue;
                }
                Err(mismatch) => return Ok(Some(mismatch)),
            };
            self.work += 1;
            let mut told = Told::new(self.seat, &self.seen[tail.at.used..]);
            told.lenient = self.allows > 0.0;
            let (mut state, mut memory) = (tail.at.state.clone(), tail.at.memory.clone());
            let actions: SmallVec<[Action; 4]> =
                taken.parts.iter().map(|part| part.action.clone()).collect();
            let policy = self.policy;
            let stepped = self.stepper.step(&mut state, &actions, &mut |event| {
                policy::remember(policy, &mut memory, &event);
                told.hear(&event)
            })?;
            let heard = told.heard(&places);
            if taken.fresh && !sure && known.as_ref() != Some(&heard) {
                // Here it hears of something else than where it was looked up.
                (known, sure) = (Some(self.will_hear(tail, &movers)?), true);
                continue;
            }
            if stepped.is_break() {
                let at = tail.at.used + told.used;
                return Ok(Some(self.mismatch(node, at, told.miss.as_ref())));
            }
            let used = tail.at.used + told.used;
            let next = Reached {
                state,
                used,
                memory,
            };
            self.push(tail, taken, next, &told);
            return Ok(None);
        }
    }

    /// Notes a step that was taken.
    fn push(&mut self, tail: &mut Tail, mut taken: Taken, next: Reached, told: &Told<'_>) {
        let node = self.machine.node(&tail.at.state);
        let chance = self.machine.turn(&tail.at.state) == Turn::Chance;
        let movers: SmallVec<[usize; 4]> = match self.machine.turn(&tail.at.state) {
            Turn::Decision(movers) => movers.iter().collect(),
            _ => SmallVec::new(),
        };
        let mut hidden = false;
        for (m, part) in taken.parts.iter_mut().enumerate() {
            part.seen = match chance {
                true => told.pattern(part.site, None),
                false if movers[m] == self.seat => WHOLE,
                false => told.pattern(part.site, Some(movers[m] as u8)),
            };
            hidden |= part.seen != WHOLE;
        }
        for (place, other) in &told.differing {
            let misfit = self.mismatch(node, tail.at.used + place, Some(other));
            tail.cost += misfit.cost();
            tail.misfits.push((tail.from + tail.steps.len(), misfit));
        }
        let before = std::mem::replace(&mut tail.at, next);
        tail.steps.push(Arc::new(Step {
            node,
            parts: taken.parts,
            ln: taken.ln,
            before: hidden.then_some(before),
        }));
        tail.drawn += taken.drawn;
        tail.seen += taken.seen;
    }

    /// The step that a history had here, if it was at the same place.
    fn old<'w>(&self, tail: &Tail, movers: &Movers, wishes: &Wishes<'w>) -> Option<&'w Step> {
        let step = wishes.old.get(tail.from + tail.steps.len())?;
        let node = self.machine.node(&tail.at.state);
        (step.node == node && step.parts.len() == movers.len()).then_some(&**step)
    }

    /// Whether nothing need be drawn.
    fn all_wished(&self, tail: &Tail, movers: &Movers, wishes: &Wishes<'_>) -> bool {
        if movers.iter().all(|(who, _)| *who == Some(self.seat)) {
            return true;
        }
        let at = tail.from + tail.steps.len();
        let Some(old) = self.old(tail, movers, wishes) else {
            return false;
        };
        let mut parts = old.parts.iter().enumerate();
        let any = |m, part| matches!((wishes.wish)(at, m, part), Wish::Any);
        wishes.otherwise == Otherwise::Stop && !parts.any(|(m, part)| any(m, part))
    }

    /// What is chosen or drawn by the wishes.
    fn take(
        &mut self,
        tail: &Tail,
        movers: &Movers,
        wishes: &Wishes<'_>,
        heard: Option<&Heard>,
        rng: &mut Stream,
    ) -> Result<Result<Taken, Mismatch>, PlayError> {
        let at = tail.from + tail.steps.len();
        let node = self.machine.node(&tail.at.state);
        let old = self.old(tail, movers, wishes);
        let rest = &self.seen[tail.at.used..];
        let mut taken = Taken {
            parts: SmallVec::new(),
            ln: 0.0,
            drawn: 0.0,
            seen: 0.0,
            fresh: false,
        };
        for (m, (who, site)) in movers.iter().enumerate() {
            let mut put = |action| {
                taken.parts.push(Part {
                    action,
                    site: *site,
                    seen: 0,
                });
            };
            if *who == Some(self.seat) {
                match self.own_choice(tail, *site)? {
                    Some(own) => put(own),
                    None => return Ok(Err(stuck_at(tail.at.used))),
                }
                continue;
            }
            let wish = old.map(|step| &step.parts[m]);
            let wish = match wish.map(|part| (part, (wishes.wish)(at, m, part))) {
                Some((part, Wish::Same)) => Some(part.action.clone()),
                Some((_, Wish::Other(action))) => Some(action),
                Some((_, Wish::Any)) | None => None,
            };
            if let Some(action) = wish {
                let probability = self.probability(&tail.at, *who, &action)?;
                if probability > 0.0 {
                    put(action);
                    taken.ln += libm::log(probability);
                    continue;
                }
                if wishes.otherwise == Otherwise::Stop {
                    return Ok(Err(stuck_at(tail.at.used)));
                }
            }
            let place = (*site, who.map(|p| p as u8));
            let nothing = Heard::new();
            let heard = heard.unwrap_or(&nothing);
            let Some(glimpse) = glimpse(self.machine, heard, rest, place) else {
                return Ok(Err(self.mismatch(node, tail.at.used, None)));
            };
            self.work += 2;
            let from = self.drawn_from(&tail.at, place, heard)?;
            let state = from.as_ref().unwrap_or(&tail.at.state);
            let drawn = self.glimpses.sample_like(state, *who, glimpse, rng)?;
            let Some(drawn) = drawn else {
                return Ok(Err(self.not_there(tail, *who, *site, rng)?));
            };
            let by_itself = from.is_none() && (self.policy.is_none() || who.is_none());
            let probability = match by_itself {
                true => drawn.weight / drawn.odds.total,
                false => self.probability(&tail.at, *who, &drawn.action)?,
            };
            if probability <= 0.0 {
                // The policy never chooses it.
                return Ok(Err(stuck_at(tail.at.used)));
            }
            put(drawn.action);
            taken.fresh = true;
            let share = drawn.weight / drawn.odds.like;
            taken.ln += libm::log(probability);
            taken.drawn += libm::log(share);
            taken.seen += libm::log(probability / share);
        }
        Ok(Ok(taken))
    }

    /// The state whose outcomes are proposed for a draw that the player does not see, where that is another one: without what it will
    /// see to come out of the same pile.
    fn drawn_from(
        &mut self,
        at: &Reached,
        place: (SiteId, Option<u8>),
        heard: &Heard,
    ) -> Result<Option<State>, PlayError> {
        if place.1.is_some() || heard.contains(&place) {
            return Ok(None);
        }
        let later = &self.seen[at.used..];
        let from = self
            .piles
            .without_later(self.machine, (&at.state, place.0), later);
        let Some(from) = from else {
            return Ok(None);
        };
        self.work += 1;
        let odds = self.glimpses.odds(&from, None, Glimpse::NOTHING)?;
        Ok((odds.like > 0.0).then_some(from))
    }

    /// What the player itself chose next, if it can have done so here.
    fn own_choice(&mut self, tail: &Tail, site: SiteId) -> Result<Option<Action>, PlayError> {
        let mut own = self.seen[tail.at.used..].iter();
        let own = own.find(|o| o.chooser == Some(self.seat as u8));
        let Some(own) = own.filter(|o| o.site == site) else {
            return Ok(None);
        };
        let action = Action(own.values.clone());
        // What it chose was among its options, which are the same wherever it saw the same.
        if self.allows == 0.0 {
            return Ok(Some(action));
        }
        self.work += 1;
        let legal = self.glimpses.is_legal(&tail.at.state, self.seat, &action)?;
        Ok(legal.then_some(action))
    }

    fn will_hear(&mut self, tail: &Tail, movers: &Movers) -> Result<Heard, PlayError> {
        self.work += 2;
        let heard = will_hear(self.machine, self.seat, &tail.at.state, movers)?;
        let node = self.machine.node(&tail.at.state);
        self.heard.insert((node, tail.at.used), heard.clone());
        Ok(heard)
    }

    /// How likely what happened in a place of a history was to be drawn, and whether something else could have happened
    /// there. `None` where it could not have been drawn.
    pub fn draw_again(
        &mut self,
        step: &Step,
        part: usize,
        other: Option<&Action>,
    ) -> Result<(Option<f64>, bool), PlayError> {
        let Some(before) = &step.before else {
            return Ok((None, false));
        };
        let Reached { state, used, .. } = before;
        let movers = movers(self.machine, state)?;
        let who = movers[part].0;
        if let Some(other) = other
            && self.probability(before, who, other)? > 0.0
        {
            return Ok((None, true));
        }
        self.work += 2;
        let heard = will_hear(self.machine, self.seat, state, &movers)?;
        let place = (step.parts[part].site, who.map(|p| p as u8));
        let Some(glimpse) = glimpse(self.machine, &heard, &self.seen[*used..], place) else {
            return Ok((None, false));
        };
        let from = self.drawn_from(before, place, &heard)?;
        let state = from.as_ref().unwrap_or(state);
        let like = self.glimpses.odds(state, who, glimpse)?.like;
        let action = Glimpse::from(&step.parts[part].action);
        let weight = self.glimpses.odds(state, who, action)?.like;
        if weight == 0.0 {
            return Ok((None, false));
        }
        Ok((Some(libm::log(weight / like)), false))
    }

    /// What was seen next, beside the values of what is possible instead.
    fn not_there(
        &mut self,
        tail: &Tail,
        who: Option<usize>,
        site: SiteId,
        rng: &mut Stream,
    ) -> Result<Mismatch, PlayError> {
        let node = self.machine.node(&tail.at.state);
        // Where several choose at once, what was seen of those before fits.
        let place = (site, who.map(|p| p as u8));
        let mut next = self.seen[tail.at.used..].iter();
        let before = next.position(|o| (o.site, o.chooser) == place);
        let mut mismatch = self.mismatch(node, tail.at.used + before.unwrap_or(0), None);
        if !self.explains {
            return Ok(mismatch);
        }
        let all = Glimpse::NOTHING;
        let list = self
            .glimpses
            .options_like(&tail.at.state, who, all, SHOWN)?;
        let mut there: Vec<Action> = match list {
            Some((list, _)) => list.into_iter().map(|(action, _)| action).collect(),
            None => Vec::new(),
        };
        if there.is_empty() {
            for _ in 0..SHOWN / 2 {
                let drawn = self.glimpses.sample_like(&tail.at.state, who, all, rng)?;
                there.extend(drawn.map(|drawn| drawn.action));
            }
        }
        self.work += 1 + there.len() as u64;
        for action in there {
            let part = Part {
                action,
                site,
                seen: 0,
            };
            mismatch.found.extend(self.kinds.hidden(node, &part));
        }
        mismatch.found.sort_unstable();
        mismatch.found.dedup();
        mismatch.compare();
        Ok(mismatch)
    }

    /// What was seen next, beside what was told instead.
    fn mismatch(&self, node: u32, at: usize, told: Option<&Observation>) -> Mismatch {
        let Some(seen) = self.seen.get(at) else {
            return Mismatch {
                at,
                differing: 1,
                ..Mismatch::default()
            };
        };
        let values = |o| self.kinds.seen(node, o);
        let (wanted, mut found) = (values(seen), told.map(values).unwrap_or_default());
        if told.is_some_and(|o| (o.site, o.chooser) != (seen.site, seen.chooser)) {
            found.clear();
        }
        let mut near = Values::new();
        if self.explains {
            let before = &self.seen[at.saturating_sub(NEAR)..at];
            before.iter().for_each(|o| near.extend(values(o)));
        }
        let mut mismatch = Mismatch {
            at,
            differing: 1,
            wanted,
            found,
            near,
        };
        mismatch.compare();
        mismatch
    }
}

/// Nothing is known of why it does not fit.
fn stuck_at(at: usize) -> Mismatch {
    Mismatch {
        at,
        differing: 1,
        ..Mismatch::default()
    }
}
