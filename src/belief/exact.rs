//! All states: from one question of a player to its next by every way of play that tells the player just what it saw.

use super::policy::{self, Memory, Policy};
use super::told::{Movers, Told, glimpse, movers, places, will_hear};
use super::trail::Trail;
use super::{BeliefError, Options};
use crate::machine::{
    Action, Actions, Glimpse, Glimpses, Machine, Observation, ObservedStepper, PlayError, State,
    Stepper, Turn,
};
use crate::model::PlayerSet;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::ops::ControlFlow;

/// A state on the way.
#[derive(Clone, Debug)]
pub struct Item {
    pub state: State,
    /// Its probability, but for a common factor.
    pub weight: f64,
    /// How many of the observations led to it.
    used: usize,
    /// How it was come to, if that is asked for.
    pub trail: Option<Trail>,
    /// The place and the class of a category, if that is asked for: as they were when the place last changed.
    pub class: Option<(u64, u64)>,
    /// What the policy of the others keeps of what they saw on the way: where that differs, these are two.
    memory: Memory,
}

/// From one question to the next so many steps are taken, or so many for each state that there may be if that is more.
const STEPS: usize = 1_000_000;
const STEPS_EACH: usize = 50;

/// So many in any case, and so many more before the clock is asked again.
const STEPS_AT_LEAST: usize = 200_000;
const STEPS_UNASKED: usize = 1_000;

/// States take about so many bytes at the most; more count as too many.
const MOST_BYTES: usize = 1 << 31;

/// Up to so many options are taken as they come; of more, only those that fit what was seen of the choice.
const FEW: usize = 64;

/// For each mover what may be chosen, with its probability.
type Lists = SmallVec<[Vec<(Action, f64)>; 4]>;

/// Why there are no states.
pub enum Stop {
    /// They are too many.
    Full,
    Rules(PlayError),
}

impl From<PlayError> for Stop {
    fn from(error: PlayError) -> Stop {
        Stop::Rules(error)
    }
}

/// The states between two questions, a layer for each number of steps.
pub struct Exact<'a> {
    machine: &'a Machine,
    glimpses: Glimpses<'a>,
    lister: Stepper<'a>,
    stepper: ObservedStepper<'a>,
    seat: usize,
    options: Options,
    policy: Option<&'a dyn Policy>,
    seen: &'a [Observation],
    layer: Vec<Item>,
    asked: Layer,
    /// How many steps are left.
    steps: usize,
    /// Once fewer are left, the clock is asked.
    asked_at: usize,
}

/// States that are merged where they are the same.
#[derive(Default)]
struct Layer {
    items: Vec<Item>,
    places: FxHashMap<Key, usize>,
}

/// What tells items apart.
type Key = (usize, SmallVec<[u64; 16]>, Memory);

/// The most states that have room, of a game whose states take so many words. At a time there are the states of a layer, up to twice as
/// many in the next one, and those in which the player is asked.
fn most_with_room(state_words: usize) -> usize {
    let words = 2 * state_words * size_of::<u64>();
    let each = size_of::<Item>() + size_of::<Key>() + 2 * size_of::<usize>() + words;
    (MOST_BYTES / (4 * each)).max(1)
}

/// Words that tell classes, with their places, from others.
fn class_key(class: Option<(u64, u64)>) -> [u64; 3] {
    class.map_or([0; 3], |(place, class)| [1, place, class])
}

impl Layer {
    fn add(&mut self, machine: &Machine, options: &Options, item: Item) {
        let mut words = options.identity(machine, &item.state);
        if options.category.is_some() {
            words.extend(class_key(item.class));
        }
        if let Some(trail) = &item.trail {
            words.extend_from_slice(trail.keys());
        }
        let key = (item.used, words, item.memory.clone());
        match self.places.entry(key) {
            std::collections::hash_map::Entry::Occupied(place) => {
                self.items[*place.get()].weight += item.weight;
            }
            std::collections::hash_map::Entry::Vacant(place) => {
                place.insert(self.items.len());
                self.items.push(item);
            }
        }
    }
}

impl<'a> Exact<'a> {
    pub fn new(
        machine: &'a Machine,
        seat: usize,
        (mut options, policy): (Options, Option<&'a dyn Policy>),
        seen: &'a [Observation],
    ) -> Exact<'a> {
        options.most = options.most.min(most_with_room(machine.state_words()));
        let steps = STEPS.max(options.most.saturating_mul(STEPS_EACH));
        Exact {
            machine,
            glimpses: machine.glimpses(),
            lister: machine.stepper(),
            stepper: machine.observed_stepper(match options.histories {
                true => PlayerSet::ALL,
                false => policy::heard_by(policy, seat),
            }),
            seat,
            options,
            policy,
            seen,
            layer: Vec::new(),
            asked: Layer::default(),
            steps,
            asked_at: steps.saturating_sub(STEPS_AT_LEAST),
        }
    }

    /// Begins before the first node of play.
    pub fn initial(&mut self) -> Result<(), BeliefError> {
        let mut told = Told::new(self.seat, self.seen);
        let mut trail = self.options.histories.then(|| Trail::new(self.machine));
        let mut memory = policy::beginning(self.policy, self.machine.player_count());
        let begun = self.machine.initial_observed(&mut |event| {
            trail.iter_mut().for_each(|trail| trail.see(&event));
            policy::remember(self.policy, &mut memory, &event);
            told.hear(&event)
        })?;
        if let ControlFlow::Continue(state) = begun {
            let used = told.used;
            let class = self.options.classify(self.machine, self.seat, &state);
            self.arrive(Item {
                class,
                state,
                weight: 1.0,
                used,
                trail,
                memory,
            });
        }
        Ok(())
    }

    /// Begins where the player was asked last.
    pub fn again(&mut self, items: Vec<Item>) {
        for item in items {
            self.arrive(Item { used: 0, ..item });
        }
    }

    /// The states where the player is asked at this node and among these actions. They are too many where time is over before
    /// they are found.
    pub fn asked(
        mut self,
        node: u32,
        actions: &Actions,
        in_time: &dyn Fn() -> bool,
    ) -> Result<Vec<Item>, Stop> {
        while !self.layer.is_empty() {
            self.step(in_time)?;
        }
        let mut items = std::mem::take(&mut self.asked.items);
        items.retain(|item| self.machine.node(&item.state) == node);
        // What the player may do is the same wherever it has seen the same, so that hardly any is left out below.
        if items.len() > self.options.most {
            return Err(Stop::Full);
        }
        let mut fitting = Vec::new();
        let mut own = Actions::default();
        for item in items {
            self.legal(&item.state, self.seat, &mut own)?;
            if own == *actions {
                fitting.push(item);
            }
        }
        Ok(fitting)
    }

    /// One step on from every state of the layer.
    fn step(&mut self, in_time: &dyn Fn() -> bool) -> Result<(), Stop> {
        if self.layer.len() > self.options.most {
            return Err(Stop::Full);
        }
        self.scale();
        let mut next = Layer::default();
        for item in std::mem::take(&mut self.layer) {
            self.step_from(&item, &mut next)?;
            if self.steps < self.asked_at {
                self.asked_at = self.steps.saturating_sub(STEPS_UNASKED);
                if !in_time() {
                    return Err(Stop::Full);
                }
            }
        }
        for item in next.items {
            self.arrive(item);
        }
        Ok(())
    }

    /// The player is asked in a state, or play goes on from it.
    fn arrive(&mut self, item: Item) {
        match self.machine.turn(&item.state) {
            Turn::Terminal => {}
            Turn::Decision(movers)
                if movers.contains(self.seat) && item.used == self.seen.len() =>
            {
                self.asked.add(self.machine, &self.options, item);
            }
            _ => self.layer.push(item),
        }
    }

    /// What the player chose where it is asked in a state that is not the last one: the next of its own choices that it saw.
    fn own_choice(&mut self, item: &Item) -> Result<Option<Action>, PlayError> {
        let seen = self.seen[item.used..].iter();
        let mut own = seen.filter(|o| o.chooser == Some(self.seat as u8));
        let Some(action) = own.next().map(|o| Action(o.values.clone())) else {
            return Ok(None);
        };
        let legal = self.glimpses.is_legal(&item.state, self.seat, &action)?;
        Ok(legal.then_some(action))
    }

    /// As [`Machine::legal`], by the code that lists.
    fn legal(
        &mut self,
        state: &State,
        player: usize,
        actions: &mut Actions,
    ) -> Result<(), PlayError> {
        self.lister.start(self.machine.node(state), state.words());
        self.lister.legal(player, actions)
    }

    /// What chance may draw or the movers may choose, each with its probability; the player itself chooses what it saw.
    fn options(&mut self, item: &Item, movers: &Movers) -> Result<Lists, Stop> {
        let mut heard = None;
        let mut lists = SmallVec::new();
        for ((who, _), place) in std::iter::zip(movers, places(movers)) {
            if *who == Some(self.seat) {
                let own = self.own_choice(item)?;
                lists.push(own.into_iter().map(|action| (action, 1.0)).collect());
                continue;
            }
            if let (Some(policy), Some(who)) = (self.policy, *who) {
                lists.push(self.by_policy(policy, item, who)?);
                continue;
            }
            let mut like =
                |glimpse, most| self.glimpses.options_like(&item.state, *who, glimpse, most);
            let found = match like(Glimpse::NOTHING, FEW)? {
                Some(found) => found,
                None => {
                    let heard = match &heard {
                        Some(heard) => heard,
                        None => {
                            heard.insert(will_hear(self.machine, self.seat, &item.state, movers)?)
                        }
                    };
                    let rest = &self.seen[item.used..];
                    match glimpse(self.machine, heard, rest, place) {
                        Some(glimpse) => like(glimpse, self.steps)?.ok_or(Stop::Full)?,
                        None => (Vec::new(), 1.0),
                    }
                }
            };
            let (list, total) = found;
            let shares = list.into_iter().map(|(a, w)| (a, w as f64 / total));
            lists.push(shares.collect());
        }
        Ok(lists)
    }

    /// What another player may choose, each with the probability that its policy gives it; what it never chooses is left out.
    fn by_policy(
        &mut self,
        policy: &dyn Policy,
        item: &Item,
        who: usize,
    ) -> Result<Vec<(Action, f64)>, Stop> {
        let odds = self
            .glimpses
            .odds(&item.state, Some(who), Glimpse::NOTHING)?;
        if odds.total > self.steps as f64 {
            return Err(Stop::Full);
        }
        let mut actions = Actions::default();
        self.legal(&item.state, who, &mut actions)?;
        let memory = item.memory.get(who).copied().unwrap_or_default();
        let shares = policy.shares(self.machine, &item.state, (who, memory), &actions)?;
        let mut list: Vec<(Action, f64)> = std::iter::zip(actions.0, shares).collect();
        list.retain(|(_, share)| *share > 0.0);
        Ok(list)
    }

    /// Every step from a state that tells the player what it saw.
    fn step_from(&mut self, item: &Item, next: &mut Layer) -> Result<(), Stop> {
        let movers = movers(self.machine, &item.state)?;
        let lists = self.options(item, &movers)?;
        let sizes = lists.iter().map(Vec::len);
        let joint = sizes.fold(1, usize::saturating_mul);
        if joint > self.steps {
            return Err(Stop::Full);
        }
        self.steps -= joint;
        if joint == 0 {
            return Ok(());
        }
        let mut places: SmallVec<[usize; 4]> = SmallVec::from_elem(0, lists.len());
        loop {
            let chosen = std::iter::zip(&lists, &places).map(|(list, &place)| &list[place]);
            let share: f64 = chosen.clone().map(|(_, share)| share).product();
            let chosen: SmallVec<[Action; 4]> = chosen.map(|(action, _)| action.clone()).collect();
            self.follow(item, &chosen, share, next)?;
            if next.items.len() > 2 * self.options.most {
                return Err(Stop::Full);
            }
            // The next joint action, the last mover's actions first.
            let Some(turned) = (0..lists.len())
                .rev()
                .find(|&m| places[m] + 1 < lists[m].len())
            else {
                return Ok(());
            };
            places[turned] += 1;
            places[turned + 1..].fill(0);
        }
    }

    /// Takes a step, if it tells the player what it saw.
    fn follow(
        &mut self,
        item: &Item,
        actions: &[Action],
        share: f64,
        next: &mut Layer,
    ) -> Result<(), PlayError> {
        let mut told = Told::new(self.seat, &self.seen[item.used..]);
        let (mut state, mut memory) = (item.state.clone(), item.memory.clone());
        let mut trail = item.trail.clone();
        let policy = self.policy;
        let stepped = self.stepper.step(&mut state, actions, &mut |event| {
            trail.iter_mut().for_each(|trail| trail.see(&event));
            policy::remember(policy, &mut memory, &event);
            told.hear(&event)
        })?;
        if stepped.is_continue() {
            trail.iter_mut().for_each(|trail| trail.step(actions));
            let class = match self.options.classify(self.machine, self.seat, &state) {
                Some((place, _)) if item.class.is_some_and(|(before, _)| before == place) => {
                    item.class
                }
                found => found,
            };
            let item = Item {
                class,
                state,
                weight: item.weight * share,
                used: item.used + told.used,
                trail,
                memory,
            };
            next.add(self.machine, &self.options, item);
        }
        Ok(())
    }

    /// Weights count by what they are beside one another: here the greatest becomes 1.
    fn scale(&mut self) {
        let all = || self.layer.iter().chain(&self.asked.items);
        let most = all().map(|item| item.weight).fold(0.0, f64::max);
        if most > 0.0 {
            let layer = self.layer.iter_mut();
            let items = layer.chain(&mut self.asked.items);
            items.for_each(|item| item.weight /= most);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_have_room() {
        // The default fits whatever the game.
        assert!(most_with_room(100) > Options::default().most);
        assert!(most_with_room(2) > 500_000 && most_with_room(2) < 10_000_000);
        assert!(most_with_room(2_000) < most_with_room(1_000));
    }
}
