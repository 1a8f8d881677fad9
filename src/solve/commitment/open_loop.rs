//! Games in which nobody learns anything on the way but what it did itself: what players can tell apart of the world, and
//! how world states follow one another.
//!
//! World states are merged by identity, so there are few of them even where there are very many histories. For each player
//! they fall into *classes*: two states are in one class if the player may be in either after the same choices of its own.
//! The classes are the finest partition for which each choice leads from a class to one class. They say what a player has to
//! know, and where in one class different things may be chosen, or are seen after the same choice while the game goes on, a
//! plan is more than a list of actions, and the game is refused here.

use crate::machine::{Action, Histories, Machine, State};
use crate::model::{Description, SiteKind};
use crate::solve::TreeError;
use crate::solve::branches::{Branches, Kind};
use crate::text::span::Span;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;
use std::sync::atomic::{AtomicBool, Ordering};

/// The most world states.
const MOST_STATES: usize = 1_000_000;

/// What follows a joint choice.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Next {
    /// A world state, by its number.
    State(u32),
    /// The end, by the number of its payoffs.
    End(u32),
}

/// A world state at which somebody chooses.
#[derive(Clone, Debug)]
pub struct JointState {
    /// The class that it is in, for each player.
    pub class: [u32; 2],
    /// The number of choices of each player; 1 for one who is not asked.
    pub options: [u32; 2],
    /// What follows, by the first player's choice and then by the second's.
    pub next: Vec<Next>,
}

impl JointState {
    /// What follows when `player` makes the choice `own` and the other player `other`.
    pub fn after(&self, player: usize, own: u32, other: u32) -> Next {
        let (first, second) = if player == 0 {
            (own, other)
        } else {
            (other, own)
        };
        self.next[(first * self.options[1] + second) as usize]
    }
}

/// World states that a player cannot tell apart by what it did.
#[derive(Clone, Debug, Default)]
pub struct Class {
    pub states: Vec<u32>,
    /// What may be chosen; empty where the player is not asked.
    pub actions: Vec<Action>,
    /// For each choice, or for going on unasked, the class that follows, if the game may go on.
    pub next: Vec<Option<u32>>,
}

/// A game of two players who learn nothing on the way.
#[derive(Clone, Debug)]
pub struct OpenLoop {
    /// The start is the first.
    pub states: Vec<JointState>,
    /// For each player its classes, each after those that it follows.
    pub classes: [Vec<Class>; 2],
    /// The payoffs of the ends.
    pub payoffs: Vec<[f64; 2]>,
    /// The world states themselves.
    worlds: Vec<State>,
}

impl OpenLoop {
    /// A world state.
    pub fn world(&self, state: u32) -> &State {
        &self.worlds[state as usize]
    }

    /// An action in a class in words, as its player reads it.
    pub fn text(&self, machine: &Machine, player: usize, class: &Class, action: &Action) -> String {
        let world = class.states.first().map(|s| &self.worlds[*s as usize]);
        world.map_or_else(String::new, |world| {
            machine.action_text(world, player, action, Some(player))
        })
    }
}

/// Explores a game of two players. `None` where something is drawn, a player sees something on the way or may choose by
/// something that it did not do itself, where there are too many world states, or nobody chooses anything.
///
/// # Errors
/// Those of play, and [`TreeError::Stopped`].
pub fn explore(machine: &Machine, stop: &AtomicBool) -> Result<Option<OpenLoop>, TreeError> {
    let mut found = Exploration::default();
    let run = found.run(machine, MOST_STATES, stop)?;
    Ok(match run && found.is_complete() {
        true => found.classify(machine),
        false => None,
    })
}

/// Whether so many world states are enough to see that [`explore`] finds nothing. Where they are not, it may still.
///
/// # Errors
/// Those of play, and [`TreeError::Stopped`].
pub fn is_seen_to_differ(
    machine: &Machine,
    most: usize,
    stop: &AtomicBool,
) -> Result<bool, TreeError> {
    let mut found = Exploration::default();
    let run = found.run(machine, most, stop)?;
    // More states join classes and divide none.
    Ok(!run || (0..2).any(|player| found.classes_of(player).is_none()))
}

/// What is likely to be in the way where a game of two players is none of these: a draw, or else what is shown or chosen last; with
/// words for a label.
pub fn in_the_way(description: &Description) -> (Span, &'static str) {
    let of = |kinds: &[SiteKind]| {
        let mut events = description.events.iter().rev();
        events.find(|event| kinds.contains(&event.kind))
    };
    if let Some(event) = of(&[SiteKind::Draw, SiteKind::Deal]) {
        return (event.span, "this is drawn");
    }
    if let Some(event) = of(&[SiteKind::Reveal]) {
        return (event.span, "this is shown");
    }
    match of(&[SiteKind::Choice]) {
        Some(event) => (event.span, "this is seen, or decides what is asked next"),
        None => (description.payoff.span, "what the players are paid"),
    }
}

/// The states by their identities, in the order in which they are met.
type Known = IndexMap<SmallVec<[u64; 16]>, State, FxBuildHasher>;

#[derive(Default)]
struct Exploration {
    known: Known,
    states: Vec<JointState>,
    /// For each state the lists of choices, by number; `None` for a player who is not asked.
    lists: Vec<[Option<u32>; 2]>,
    choices: IndexSet<Vec<Action>, FxBuildHasher>,
    /// For each state and joint choice what each player sees in the step.
    seen: Vec<Vec<[u32; 2]>>,
    units: IndexSet<SmallVec<[i64; 8]>, FxBuildHasher>,
}

impl Exploration {
    /// Whether all world states were met.
    fn is_complete(&self) -> bool {
        self.states.len() == self.known.len()
    }

    /// Meets world states until there are no more, or more than so many; `false` where one of them is in the way.
    fn run(
        &mut self,
        machine: &Machine,
        most: usize,
        stop: &AtomicBool,
    ) -> Result<bool, TreeError> {
        let mut histories = Histories::default();
        let mut branches = Branches::default();
        let mut step = SmallVec::new();
        let initial = machine.initial()?;
        self.known.insert(machine.exact_key(&initial), initial);
        let mut at = 0;
        while at < self.known.len() {
            if stop.load(Ordering::Relaxed) {
                return Err(TreeError::Stopped);
            }
            if self.known.len() > most {
                return Ok(true);
            }
            let state = self.known[at].clone();
            branches.fill(machine, &state)?;
            let Kind::Decision(movers) = branches.kind else {
                return Ok(false);
            };
            let mut lists = [None; 2];
            let mut options = [1; 2];
            for (place, player) in movers.iter().enumerate() {
                let actions = branches.options(place).to_vec();
                options[player] = actions.len() as u32;
                lists[player] = Some(self.choices.insert_full(actions).0 as u32);
            }
            let mut next = Vec::with_capacity(branches.len() as usize);
            let mut seen = Vec::with_capacity(branches.len() as usize);
            for branch in 0..branches.len() {
                branches.step(branch, &mut step);
                let mut after = state.clone();
                let mut views = [0; 2];
                machine.step_observed(&mut after, &step, &mut |event| {
                    for player in event.viewers.iter().filter(|p| *p < 2) {
                        views[player] = histories.extend(views[player], &event);
                    }
                })?;
                next.push(self.follow(machine, after)?);
                seen.push(views);
            }
            self.states.push(JointState {
                class: [0; 2],
                options,
                next,
            });
            self.lists.push(lists);
            self.seen.push(seen);
            // Where a choice of the other player is seen at once, no more states need be met.
            let number = at as u32;
            for player in 0..2 {
                for own in 0..self.states[at].options[player] {
                    if !all_same(self.views(number, player, own)) {
                        return Ok(false);
                    }
                }
            }
            at += 1;
        }
        Ok(true)
    }

    fn follow(&mut self, machine: &Machine, state: State) -> Result<Next, TreeError> {
        if matches!(machine.turn(&state), crate::machine::Turn::Terminal) {
            let units = machine.payoff_units(&state)?;
            return Ok(Next::End(self.units.insert_full(units).0 as u32));
        }
        let key = machine.exact_key(&state);
        let entry = self.known.entry(key);
        let number = entry.index() as u32;
        entry.or_insert(state);
        Ok(Next::State(number))
    }

    fn classify(mut self, machine: &Machine) -> Option<OpenLoop> {
        let mut classes = [Vec::new(), Vec::new()];
        for (player, classes) in classes.iter_mut().enumerate() {
            *classes = self.classes_of(player)?;
            for (number, class) in classes.iter().enumerate() {
                for &state in &class.states {
                    self.states[state as usize].class[player] = number as u32;
                }
            }
        }
        let payoffs = self.units.iter().map(|units| {
            let payoffs = machine.in_payoff(units);
            [payoffs[0], payoffs[1]]
        });
        Some(OpenLoop {
            payoffs: payoffs.collect(),
            states: self.states,
            classes,
            worlds: self.known.into_values().collect(),
        })
    }

    /// The classes of a player, each after those that it follows, of the states that were met. `None` where it learns something
    /// on the way.
    fn classes_of(&self, player: usize) -> Option<Vec<Class>> {
        let mut union = Union::new(self.known.len());
        // The class that follows a class and a choice. What falls together makes others fall together.
        let mut after: IndexMap<(u32, u32), u32, FxBuildHasher> = IndexMap::default();
        loop {
            after.clear();
            let mut changed = false;
            for (number, state) in self.states.iter().enumerate() {
                for own in 0..state.options[player] {
                    for other in 0..state.options[1 - player] {
                        let Next::State(next) = state.after(player, own, other) else {
                            continue;
                        };
                        let key = (union.find(number as u32), own);
                        let joined = *after.entry(key).or_insert(next);
                        changed |= union.join(joined, next);
                    }
                }
            }
            if !changed {
                break;
            }
        }
        let mut classes: IndexMap<u32, Class, FxBuildHasher> = IndexMap::default();
        for number in 0..self.states.len() as u32 {
            let class = classes.entry(union.find(number)).or_default();
            class.states.push(number);
        }
        for class in classes.values_mut() {
            let first = class.states[0] as usize;
            let list = self.lists[first][player];
            if class
                .states
                .iter()
                .any(|s| self.lists[*s as usize][player] != list)
            {
                return None;
            }
            if let Some(list) = list {
                class.actions = self.choices[list as usize].clone();
            }
            for own in 0..self.states[first].options[player] {
                let states = class.states.iter();
                if !all_same(states.flat_map(|s| self.views(*s, player, own))) {
                    return None;
                }
            }
        }
        let roots: Vec<u32> = classes.keys().copied().collect();
        let number = |state: u32| {
            classes
                .get_index_of(&union.find_in(state))
                .map(|n| n as u32)
        };
        let mut list: Vec<Class> = Vec::with_capacity(roots.len());
        for (root, class) in roots.iter().zip(classes.values()) {
            let mut class = class.clone();
            let options = self.states[class.states[0] as usize].options[player];
            class.next = (0..options)
                .map(|own| after.get(&(*root, own)).copied().and_then(number))
                .collect();
            list.push(class);
        }
        ordered(list)
    }

    /// What a player sees after a choice where the game goes on.
    fn views(&self, state: u32, player: usize, own: u32) -> impl Iterator<Item = u32> {
        let joint = &self.states[state as usize];
        let seen = &self.seen[state as usize];
        (0..joint.options[1 - player]).filter_map(move |other| {
            let (first, second) = if player == 0 {
                (own, other)
            } else {
                (other, own)
            };
            let branch = (first * joint.options[1] + second) as usize;
            matches!(joint.next[branch], Next::State(_)).then(|| seen[branch][player])
        })
    }
}

fn all_same(mut numbers: impl Iterator<Item = u32>) -> bool {
    let first = numbers.next();
    numbers.all(|number| Some(number) == first)
}

/// Numbers classes anew, so that each stands after those that it follows. `None` where they go in a circle.
fn ordered(classes: Vec<Class>) -> Option<Vec<Class>> {
    let mut before = vec![0u32; classes.len()];
    for class in &classes {
        class
            .next
            .iter()
            .flatten()
            .for_each(|next| before[*next as usize] += 1);
    }
    let mut order: Vec<usize> = (0..classes.len()).filter(|c| before[*c] == 0).collect();
    let mut at = 0;
    while at < order.len() {
        for next in classes[order[at]].next.iter().flatten() {
            before[*next as usize] -= 1;
            if before[*next as usize] == 0 {
                order.push(*next as usize);
            }
        }
        at += 1;
    }
    if order.len() < classes.len() {
        return None;
    }
    let mut number = vec![0u32; classes.len()];
    order
        .iter()
        .enumerate()
        .for_each(|(new, old)| number[*old] = new as u32);
    let mut classes: Vec<Option<Class>> = classes.into_iter().map(Some).collect();
    let moved = order.iter().filter_map(|old| {
        let mut class = classes[*old].take()?;
        class
            .next
            .iter_mut()
            .flatten()
            .for_each(|next| *next = number[*next as usize]);
        Some(class)
    });
    Some(moved.collect())
}

/// Sets that are joined.
struct Union(Vec<u32>);

impl Union {
    fn new(count: usize) -> Union {
        Union((0..count as u32).collect())
    }

    fn find(&mut self, mut number: u32) -> u32 {
        while self.0[number as usize] != number {
            let above = self.0[self.0[number as usize] as usize];
            self.0[number as usize] = above;
            number = above;
        }
        number
    }

    fn find_in(&self, mut number: u32) -> u32 {
        while self.0[number as usize] != number {
            number = self.0[number as usize];
        }
        number
    }

    /// Joins two sets under the lower number; whether they were two.
    fn join(&mut self, a: u32, b: u32) -> bool {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b) as usize] = a.min(b);
        a != b
    }
}
