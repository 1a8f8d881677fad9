//! From one question of a player to its next: every way of play that tells the player just what it saw.

use super::{BeliefError, Options, Weighting};
use crate::ir::Listing;
use crate::machine::{
    Action, Actions, Event, Machine, Observation, Outcomes, PlayError, State, Turn,
};
use crate::model::{PlayerSet, SiteKind};
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

/// Up to so many outcomes are listed for the probability of one.
const LISTED: usize = 4096;

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
        self.scale();
        let layer = std::mem::take(&mut self.layer);
        self.layer = self.thin(layer, rng);
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
    pub fn asked(
        &mut self,
        node: u32,
        actions: &Actions,
        rng: &mut Stream,
    ) -> Result<Vec<Item>, PlayError> {
        let mut fitting = Vec::new();
        let mut own = Actions::default();
        for item in std::mem::take(&mut self.asked.items) {
            if self.machine.node(&item.state) != node {
                continue;
            }
            self.machine.legal(&item.state, self.seat, &mut own)?;
            if own == *actions {
                fitting.push(item);
            }
        }
        Ok(self.thin(fitting, rng))
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
        let some = self.machine.sample_chance(&item.state, rng)?;
        match self.seen_at(item, &[some], None)? {
            Seen::Whole(outcome) => {
                if self.machine.is_possible(&item.state, &outcome)? {
                    let share = self.share(item, &outcome)?;
                    self.follow(item, &[outcome], share, next)?;
                }
                return Ok(());
            }
            Seen::Other => return Ok(()),
            Seen::Part | Seen::Nothing => {}
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
        if self.drawn(joint).is_some() {
            let some: Joint = lists.iter().map(|list| list[0].clone()).collect();
            joint = 1;
            for (place, mover) in movers.iter().enumerate() {
                if mover != self.seat {
                    match self.seen_at(item, &some, Some(mover))? {
                        Seen::Whole(action) => lists[place].retain(|a| *a == action),
                        Seen::Other => lists[place].clear(),
                        Seen::Part | Seen::Nothing => {}
                    }
                }
                joint = joint.saturating_mul(lists[place].len());
            }
        }
        if joint == 0 {
            return Ok(());
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

    /// What the player saw of a choice or a draw in a state. These actions are any that could be taken there: whether the
    /// player sees something of what happens does not depend on what happens.
    fn seen_at(
        &self,
        item: &Item,
        some: &[Action],
        mover: Option<usize>,
    ) -> Result<Seen, PlayError> {
        let description = self.machine.description();
        let shown = |site| matches!(description.site(site).kind, SiteKind::Shown);
        let chooser = mover.map(|m| m as u8);
        let node = &self.machine.program().nodes[self.machine.node(&item.state) as usize];
        let listings = node.listings();
        let mut own = None;
        let mut state = item.state.clone();
        let _ = self
            .machine
            .step_observed(&mut state, some, &mut |event: Event<'_>| {
                if !event.viewers.contains(self.seat) || shown(event.site) {
                    return ControlFlow::Continue(());
                }
                let here = listings.iter().any(|listing| listing.site == event.site);
                if here && event.chooser == chooser {
                    own = Some(event.site);
                }
                // The choices of others who choose at the same time may come before.
                match here && own.is_none() {
                    true => ControlFlow::Continue(()),
                    false => ControlFlow::Break(()),
                }
            })?;
        let Some(site) = own else {
            return Ok(Seen::Nothing);
        };
        let mut rest = self.seen[item.used..].iter().filter(|o| !shown(o.site));
        let others = |o: &&Observation| {
            listings.iter().any(|l| l.site == o.site) && (o.site != site || o.chooser != chooser)
        };
        let found = rest.find(|o| mover.is_none() || !others(o));
        let Some(found) = found.filter(|o| o.site == site && o.chooser == chooser) else {
            return Ok(Seen::Other);
        };
        let words = |listing: &&Listing| {
            let alternative = listing.alternatives.get(*found.values.first()? as usize)?;
            let parts = alternative.parts.iter();
            Some(
                1 + parts
                    .map(|(part, _)| usize::from(part.words))
                    .sum::<usize>(),
            )
        };
        let mut of_site = listings.iter().filter(|listing| listing.site == site);
        let whole = of_site.any(|listing| words(listing) == Some(found.values.len()));
        Ok(match whole {
            true => Seen::Whole(Action(found.values.clone())),
            false => Seen::Part,
        })
    }

    /// The probability of an outcome where the outcomes can be listed; where they are too many, the same for all.
    fn share(&self, item: &Item, outcome: &Action) -> Result<f64, PlayError> {
        let mut outcomes = Outcomes::default();
        if !self
            .machine
            .few_outcomes(&item.state, LISTED, &mut outcomes)?
        {
            return Ok(1.0);
        }
        let place = outcomes.list.iter().position(|(o, _)| o == outcome);
        Ok(place.map_or(0.0, |i| outcomes.probability(i)))
    }

    /// Takes a step, if it tells the player what it saw.
    fn follow(
        &self,
        item: &Item,
        actions: &[Action],
        share: f64,
        next: &mut Layer,
    ) -> Result<(), BeliefError> {
        let mut told = Told::new(self.seat, &self.seen[item.used..]);
        let mut state = item.state.clone();
        let stepped = self
            .machine
            .step_observed(&mut state, actions, &mut |event| told.hear(&event))?;
        if stepped.is_continue() {
            let item = Item {
                state,
                weight: item.weight * share,
                used: item.used + told.used,
            };
            next.add(self.machine, item);
        }
        Ok(())
    }

    /// Leaves out states at random where there are too many.
    fn thin(&mut self, items: Vec<Item>, rng: &mut Stream) -> Vec<Item> {
        if items.len() <= self.options.most {
            return items;
        }
        self.complete = false;
        let most = self.options.most.min(DRAWN);
        let even = self.options.weighting == Weighting::Support;
        let weight = |item: &Item| if even { 1.0 } else { item.weight };
        // Systematic resampling: evenly spaced draws from one random start.
        let total: f64 = items.iter().map(weight).sum();
        let width = total / most as f64;
        let mut at = rng.random::<f64>() * width;
        let mut sum = 0.0;
        let mut kept = Vec::with_capacity(most);
        for mut item in items {
            sum += weight(&item);
            let mut drawn = 0;
            while at < sum {
                drawn += 1;
                at += width;
            }
            if drawn > 0 {
                item.weight = match even {
                    // Of a layer a part stands for the whole.
                    true => item.weight * width,
                    false => width * f64::from(drawn),
                };
                kept.push(item);
            }
        }
        kept
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

/// What a player saw of a choice or a draw.
enum Seen {
    /// All of it: this happened.
    Whole(Action),
    /// Some of it.
    Part,
    /// What it saw was something else: this was not the state.
    Other,
    /// It was not to see any of it.
    Nothing,
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
