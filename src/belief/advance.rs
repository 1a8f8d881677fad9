//! From one question of a player to its next: every way of play that tells the player just what it saw.

use super::{BeliefError, Options, Weighting};
use crate::machine::{
    Action, Actions, Event, Machine, Observation, Outcomes, PlayError, State, Turn,
};
use crate::model::PlayerSet;
use crate::random::Stream;
use rand::RngExt;
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
}

/// Of more states than are kept so many are drawn at the most.
const DRAWN: usize = 1000;

/// From one layer to the next so many steps are taken before only some of the actions and outcomes are drawn.
const STEPS: usize = 200_000;

/// How many steps are taken then.
const DRAWN_STEPS: usize = 5 * DRAWN;

/// What a step takes: an action for each mover in seating order, or an outcome.
type Joint = SmallVec<[Action; 4]>;

/// The states between two questions, a layer for each number of steps.
pub struct Advance<'a> {
    machine: &'a Machine,
    seat: usize,
    options: Options,
    seen: &'a [Observation],
    layer: Vec<Item>,
    /// How many states the layer had when the step began.
    width: usize,
    asked: Layer,
    /// Whether nothing was left out.
    pub complete: bool,
}

/// States that are merged where they are the same.
#[derive(Default)]
struct Layer {
    items: Vec<Item>,
    places: FxHashMap<(usize, SmallVec<[u64; 16]>), usize>,
}

impl Layer {
    fn add(&mut self, machine: &Machine, item: Item) {
        let key = (item.used, machine.exact_key(&item.state));
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

impl<'a> Advance<'a> {
    pub fn new(
        machine: &'a Machine,
        seat: usize,
        options: Options,
        seen: &'a [Observation],
    ) -> Advance<'a> {
        Advance {
            machine,
            seat,
            options,
            seen,
            layer: Vec::new(),
            width: 1,
            asked: Layer::default(),
            complete: true,
        }
    }

    /// Begins before the first node of play.
    pub fn initial(&mut self) -> Result<(), BeliefError> {
        let mut told = Told::new(self.seat, self.seen);
        let begun = self
            .machine
            .initial_observed(&mut |event| told.hear(&event))?;
        if let ControlFlow::Continue(state) = begun {
            let used = told.used;
            self.arrive(Item {
                state,
                weight: 1.0,
                used,
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

    /// One step on from every state of the layer. False when there was none.
    pub fn step(&mut self, rng: &mut Stream) -> Result<bool, BeliefError> {
        if self.layer.is_empty() {
            return Ok(false);
        }
        self.thin(rng);
        let mut next = Layer::default();
        self.width = self.layer.len();
        for item in std::mem::take(&mut self.layer) {
            match self.machine.turn(&item.state) {
                Turn::Terminal => {}
                Turn::Chance => self.draws(&item, rng, &mut next)?,
                Turn::Decision(movers) => self.choices(&item, movers, rng, &mut next)?,
            }
        }
        self.sort(next);
        Ok(true)
    }

    /// The states where the player is asked at this node and among these actions.
    pub fn asked(self, node: u32, actions: &Actions) -> Result<Vec<Item>, PlayError> {
        let mut fitting = Vec::new();
        let mut own = Actions::default();
        for item in self.asked.items {
            if self.machine.node(&item.state) != node {
                continue;
            }
            self.machine.legal(&item.state, self.seat, &mut own)?;
            if own == *actions {
                fitting.push(item);
            }
        }
        Ok(fitting)
    }

    fn sort(&mut self, layer: Layer) {
        for item in layer.items {
            self.arrive(item);
        }
    }

    /// The player is asked in a state, or play goes on from it.
    fn arrive(&mut self, item: Item) {
        match self.machine.turn(&item.state) {
            Turn::Terminal => {}
            Turn::Decision(movers)
                if movers.contains(self.seat) && item.used == self.seen.len() =>
            {
                self.asked.add(self.machine, item);
            }
            _ => self.layer.push(item),
        }
    }

    /// What the player chose where it is asked in a state that is not the last one: the next of its own choices that it saw.
    fn own_choice(&self, item: &Item) -> Result<Option<Action>, PlayError> {
        let seen = self.seen[item.used..].iter();
        let mut own = seen.filter(|o| o.chooser == Some(self.seat as u8));
        let Some(action) = own.next().map(|o| Action(o.values.clone())) else {
            return Ok(None);
        };
        let legal = self.machine.is_legal(&item.state, self.seat, &action)?;
        Ok(legal.then_some(action))
    }

    /// How many of these actions or outcomes of a state are looked at, where these are too many for all.
    fn drawn(&self, options: usize) -> Option<usize> {
        let all = options.saturating_mul(self.width);
        (all > STEPS.max(self.options.most)).then(|| (DRAWN_STEPS / self.width.max(1)).max(1))
    }

    fn draws(
        &mut self,
        item: &Item,
        rng: &mut Stream,
        next: &mut Layer,
    ) -> Result<(), BeliefError> {
        let most = STEPS.max(self.options.most) / self.width.max(1);
        let mut outcomes = Outcomes::default();
        if self
            .machine
            .few_outcomes(&item.state, most, &mut outcomes)?
        {
            for (i, (outcome, _)) in outcomes.list.iter().enumerate() {
                let share = outcomes.probability(i);
                self.follow(item, std::slice::from_ref(outcome), share, next)?;
            }
            return Ok(());
        }
        // What the player sees whole is known. All such draws are taken to be equally likely.
        if let Some(own) = self.seen.get(item.used) {
            let outcome = Action(own.values.clone());
            if self.machine.is_possible(&item.state, &outcome)?
                && self.follow(item, std::slice::from_ref(&outcome), 1.0, next)?
            {
                return Ok(());
            }
        }
        self.complete = false;
        let n = self.drawn(usize::MAX).unwrap_or(1);
        for _ in 0..n {
            let outcome = self.machine.sample_chance(&item.state, rng)?;
            self.follow(item, &[outcome], 1.0 / n as f64, next)?;
        }
        Ok(())
    }

    /// All that the movers may choose; the player itself chooses what it saw.
    fn choices(
        &mut self,
        item: &Item,
        movers: PlayerSet,
        rng: &mut Stream,
        next: &mut Layer,
    ) -> Result<(), BeliefError> {
        let mut lists: SmallVec<[Vec<Action>; 4]> = SmallVec::new();
        let mut joint = 1usize;
        let mut share = 1.0;
        for mover in movers {
            if mover == self.seat {
                let Some(own) = self.own_choice(item)? else {
                    return Ok(());
                };
                lists.push(vec![own]);
                continue;
            }
            let mut actions = Actions::default();
            self.machine.legal(&item.state, mover, &mut actions)?;
            joint = joint.saturating_mul(actions.len());
            share /= actions.len() as f64;
            lists.push(actions.0);
        }
        if let Some(n) = self.drawn(joint) {
            self.complete = false;
            for _ in 0..n {
                let drawn = lists.iter().map(|list| {
                    let place = rng.random_range(0..list.len() as u64) as usize;
                    list[place].clone()
                });
                let drawn: Joint = drawn.collect();
                self.follow(item, &drawn, 1.0 / n as f64, next)?;
            }
            return Ok(());
        }
        let mut places: SmallVec<[usize; 4]> = SmallVec::from_elem(0, lists.len());
        loop {
            let chosen = std::iter::zip(&lists, &places);
            let chosen: Joint = chosen.map(|(list, &place)| list[place].clone()).collect();
            self.follow(item, &chosen, share, next)?;
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

    /// Takes a step, if it tells the player what it saw. False if it does not.
    fn follow(
        &self,
        item: &Item,
        actions: &[Action],
        share: f64,
        next: &mut Layer,
    ) -> Result<bool, BeliefError> {
        let mut told = Told::new(self.seat, &self.seen[item.used..]);
        let mut state = item.state.clone();
        let stepped = self
            .machine
            .step_observed(&mut state, actions, &mut |event| told.hear(&event))?;
        if stepped.is_break() {
            return Ok(false);
        }
        let item = Item {
            state,
            weight: item.weight * share,
            used: item.used + told.used,
        };
        next.add(self.machine, item);
        Ok(true)
    }

    /// Leaves out states at random where there are too many.
    fn thin(&mut self, rng: &mut Stream) {
        if self.layer.len() <= self.options.most {
            return;
        }
        self.complete = false;
        let most = self.options.most.min(DRAWN);
        let even = self.options.weighting == Weighting::Support;
        let weight = |item: &Item| if even { 1.0 } else { item.weight };
        // Systematic resampling: evenly spaced draws from one random start.
        let total: f64 = self.layer.iter().map(weight).sum();
        let width = total / most as f64;
        let mut at = rng.random::<f64>() * width;
        let mut sum = 0.0;
        let mut kept = Vec::with_capacity(most);
        for mut item in std::mem::take(&mut self.layer) {
            sum += weight(&item);
            let mut drawn = 0;
            while at < sum {
                drawn += 1;
                at += width;
            }
            if drawn > 0 {
                if !even {
                    item.weight = width * f64::from(drawn);
                }
                kept.push(item);
            }
        }
        self.layer = kept;
    }
}

/// Compares what a step tells the player with what it saw.
struct Told<'a> {
    seat: usize,
    seen: &'a [Observation],
    used: usize,
}

impl<'a> Told<'a> {
    fn new(seat: usize, seen: &'a [Observation]) -> Told<'a> {
        Told {
            seat,
            seen,
            used: 0,
        }
    }

    fn hear(&mut self, event: &Event<'_>) -> ControlFlow<()> {
        if !event.viewers.contains(self.seat) {
            return ControlFlow::Continue(());
        }
        let fits = self.seen.get(self.used).is_some_and(|o| {
            o.site == event.site
                && o.chooser == event.chooser
                && o.pattern == event.pattern
                && o.values.as_slice() == event.values
        });
        self.used += 1;
        if fits {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}
