//! Perft: walks every history of a game from the start, counts what there is, and takes exact means under uniform play.
//!
//! One chance outcome or one joint action is one ply. Histories are not merged (see `states` for that), so this is for
//! small games, or for the first plies of large ones. The walk keeps its own stack; long games do not deepen the program's.

mod counts;

use super::branches::{Branches, Kind};
use super::error::SolveError;
use super::exact::Exact;
use crate::machine::{Action, Event, Histories, Machine, State, Stepper, moves_before};
use crate::model::types::show_ratio;
use indexmap::IndexMap;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::ToPrimitive;
use rustc_hash::FxHashSet;
use serde::Serialize;
use smallvec::SmallVec;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PerftOptions {
    /// Histories of this many plies are counted and not followed. `None`: to the end.
    pub depth: Option<usize>,
    /// A node with exactly one outcome or joint action is passed through: it is no node and no ply, and nobody's
    /// information state is counted at it. What the players see there still belongs to their histories.
    pub skip_forced: bool,
    /// Also what takes memory and time: information states, payoffs and means.
    pub details: bool,
    /// The last ply before the depth is not played: its histories are counted by what can be done there, and which of them end
    /// is not found out. Not with `details` or `skip_forced`.
    pub bulk: bool,
}

impl PerftOptions {
    /// Whether what can be done after so many plies is only counted.
    fn is_last(&self, plies: usize) -> bool {
        self.bulk && self.depth == Some(plies + 1)
    }

    /// By so many numbers of plies, for how many of them it is known which histories ended.
    fn known(&self, counts: usize) -> usize {
        match self.depth {
            Some(depth) if self.bulk => counts.min(depth.max(1)),
            _ => counts,
        }
    }
}

/// What a walk found. As JSON it has the fields by these names; without details only the first five.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Perft {
    /// All histories, the empty and the terminal ones included.
    pub histories: u64,
    /// Those that ended, as far as it was found out.
    pub terminals: u64,
    /// Histories by their number of plies, terminal ones included.
    pub nodes_by_depth: Vec<u64>,
    /// The same of those that ended; without the last ply where that was not played ([`PerftOptions::bulk`]).
    pub terminals_by_depth: Vec<u64>,
    /// Outcomes at all chance nodes together, but for those at which histories were cut off.
    pub chance_edges: u64,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub details: Option<Details>,
    /// False when the walk was stopped before the end.
    #[serde(skip)]
    pub complete: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Details {
    /// By player: distinct pairs of what the player saw so far and the place at which the player is asked to choose.
    pub information_states: IndexMap<String, u64>,
    /// By payoff vector, as in `1,-1` or `1/3,2/3`: its number of terminal histories. In the order of the vectors.
    pub payoffs: IndexMap<String, u64>,
    /// Each player's mean payoff when all players choose uniformly. `None` here and below when histories were cut off.
    pub uniform_value: Option<Vec<f64>>,
    /// The same, exact, as in `-1/8`.
    pub uniform_value_exact: Option<Vec<String>>,
    /// The mean number of plies when all players choose uniformly.
    pub uniform_length: Option<f64>,
    pub uniform_length_exact: Option<String>,
}

/// Walks all histories of the game. `progress` hears the number of histories so far now and then; when `cancel` is set, the
/// walk stops and says what it counted.
///
/// # Errors
/// [`SolveError`] from any history.
pub fn perft(
    machine: &Machine,
    options: &PerftOptions,
    progress: &mut dyn FnMut(u64),
    cancel: &AtomicBool,
) -> Result<Perft, SolveError> {
    let alone = !options.details && !options.skip_forced;
    // What is soon counted is not worth any code.
    let most = if alone {
        moves_before(machine)
    } else {
        u64::MAX
    };
    let mut traversal = Traversal::new(machine, options, most);
    if most > 0 {
        let value = traversal.run(progress, cancel)?;
        if value.is_some() || traversal.histories < most {
            return Ok(traversal.finish(value));
        }
    }
    if let Some(mut counts) = counts::count(machine, options, progress, cancel) {
        let known = options.known(counts.nodes.len());
        counts.terminals.truncate(known);
        return Ok(counts.into());
    }
    let mut traversal = Traversal::new(machine, options, u64::MAX);
    let value = traversal.run(progress, cancel)?;
    Ok(traversal.finish(value))
}

impl From<counts::Counts> for Perft {
    fn from(counts: counts::Counts) -> Perft {
        Perft {
            histories: counts.histories,
            terminals: counts.terminals.iter().sum(),
            nodes_by_depth: counts.nodes,
            terminals_by_depth: counts.terminals,
            chance_edges: counts.chance_edges,
            details: None,
            complete: counts.complete,
        }
    }
}

/// The histories of the players, by their numbers in `Walk::seen`.
type Ids = SmallVec<[u32; 8]>;

/// A node on the way to the present one.
#[derive(Default)]
struct StackEntry {
    state: Option<State>,
    ids: Ids,
    branches: Branches,
    /// The branch to take next.
    next: u64,
    /// The weighted sum of what the branches so far were worth: each player's payoff units, then plies.
    sum: Option<Exact>,
}

/// Where the walk went with one step.
enum Entered {
    /// A node with ways on; its frame is on the stack.
    Inner,
    /// A history that ends here, with its worth.
    End(Exact),
}

struct Traversal<'a> {
    machine: &'a Machine,
    /// Steps and lists where nothing is observed.
    stepper: Stepper<'a>,
    options: &'a PerftOptions,
    players: usize,
    nodes: Vec<u64>,
    terminals: Vec<u64>,
    chance_edges: u64,
    histories: u64,
    seen: Histories,
    information: Vec<FxHashSet<(u32, u32)>>,
    payoffs: BTreeMap<SmallVec<[i64; 8]>, u64>,
    /// Whether a history was cut off by the depth.
    cut: bool,
    /// It stops after so many histories.
    most: u64,
}

impl<'a> Traversal<'a> {
    fn new(machine: &'a Machine, options: &'a PerftOptions, most: u64) -> Traversal<'a> {
        let players = machine.player_count();
        Traversal {
            machine,
            stepper: machine.stepper(),
            options,
            players,
            nodes: Vec::new(),
            terminals: Vec::new(),
            chance_edges: 0,
            histories: 0,
            seen: Histories::default(),
            information: vec![FxHashSet::default(); players],
            payoffs: BTreeMap::new(),
            cut: false,
            most,
        }
    }

    /// The worth of the whole game; `None` when the walk was stopped.
    fn run(
        &mut self,
        progress: &mut dyn FnMut(u64),
        cancel: &AtomicBool,
    ) -> Result<Option<Exact>, SolveError> {
        let mut ids = Ids::from_elem(0, self.players);
        let seen = &mut self.seen;
        let details = self.options.details;
        let state = self
            .machine
            .initial_observed(&mut |e| take_in(details, seen, &mut ids, &e))?;
        // Frames below `depth` are in use; those above are kept for their lists.
        let mut stack: Vec<StackEntry> = Vec::new();
        let mut depth = 0;
        let mut step = SmallVec::new();
        let mut entered = self.enter(&mut stack, depth, state, ids, &mut step)?;
        loop {
            let mut worth = match entered {
                Entered::Inner => {
                    depth += 1;
                    None
                }
                Entered::End(worth) => Some(worth),
            };
            // Back up to the last node that has a branch left.
            loop {
                let Some(frame) = depth.checked_sub(1).map(|d| &mut stack[d]) else {
                    return Ok(worth);
                };
                if let (Some(worth), Some(sum)) = (worth.take(), &mut frame.sum)
                    && self.options.details
                {
                    sum.add(&worth, frame.branches.weight(frame.next - 1));
                }
                if frame.next < frame.branches.len() {
                    break;
                }
                let mut sum = frame.sum.take().unwrap_or_else(|| Exact::zero(0));
                if self.options.details {
                    sum.divide(frame.branches.total_weight().max(1));
                    sum.add_to_last(1);
                }
                worth = Some(sum);
                depth -= 1;
            }
            if self.histories >= self.most || cancel.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let frame = &mut stack[depth - 1];
            frame.branches.step(frame.next, &mut step);
            frame.next += 1;
            let Some(mut state) = frame.state.clone() else {
                return Ok(None);
            };
            let mut ids = frame.ids.clone();
            self.step(&mut state, &mut ids, &step)?;
            entered = self.enter(&mut stack, depth, state, ids, &mut step)?;
            if self.histories.is_multiple_of(8192) {
                progress(self.histories);
            }
        }
    }

    fn step(
        &mut self,
        state: &mut State,
        ids: &mut Ids,
        actions: &[Action],
    ) -> Result<(), SolveError> {
        if self.options.details {
            let seen = &mut self.seen;
            self.machine
                .step_observed(state, actions, &mut |e| take_in(true, seen, ids, &e))?;
        } else {
            let from = self.machine.node(state);
            self.stepper.start(from, state.words());
            let actions: SmallVec<[&Action; 4]> = actions.iter().collect();
            *state = self.stepper.step_to(&actions)?;
        }
        Ok(())
    }

    fn fill(&mut self, branches: &mut Branches, state: &State) -> Result<(), SolveError> {
        match self.options.details {
            true => branches.fill(self.machine, state),
            false => branches.fill_by(&mut self.stepper, self.machine, state),
        }
    }

    /// Counts the history that ends at `state`, after `depth` plies, and puts a frame at `stack[depth]` if it goes on.
    fn enter(
        &mut self,
        stack: &mut Vec<StackEntry>,
        depth: usize,
        mut state: State,
        mut ids: Ids,
        step: &mut SmallVec<[Action; 4]>,
    ) -> Result<Entered, SolveError> {
        if stack.len() <= depth {
            stack.resize_with(depth + 1, StackEntry::default);
        }
        let mut branches = std::mem::take(&mut stack[depth].branches);
        let cut = self.options.depth.is_some_and(|limit| depth >= limit);
        if cut && !self.options.skip_forced {
            branches.set_kind(self.machine, &state);
        } else {
            self.fill(&mut branches, &state)?;
        }
        while self.options.skip_forced && branches.len() == 1 {
            branches.step(0, step);
            self.step(&mut state, &mut ids, step)?;
            self.fill(&mut branches, &state)?;
        }

        self.histories += 1;
        add(&mut self.nodes, depth, 1);
        match branches.kind {
            Kind::Terminal => {
                add(&mut self.terminals, depth, 1);
                stack[depth].branches = branches;
                return Ok(Entered::End(self.terminal(&state)?));
            }
            Kind::Chance if !cut => self.chance_edges += branches.len(),
            Kind::Decision(movers) if self.options.details => {
                let node = self.machine.node(&state);
                for player in movers {
                    self.information[player].insert((ids[player], node));
                }
            }
            Kind::Chance | Kind::Decision(_) => {}
        }
        if self.options.is_last(depth) {
            let all = branches.len();
            self.histories += all;
            add(&mut self.nodes, depth + 1, all);
        }
        let frame = &mut stack[depth];
        frame.branches = branches;
        if cut || self.options.is_last(depth) {
            self.cut = true;
            return Ok(Entered::End(self.nothing()));
        }
        frame.state = Some(state);
        frame.ids = ids;
        frame.next = 0;
        frame.sum = Some(self.nothing());
        Ok(Entered::Inner)
    }

    /// The worth of a terminal node.
    fn terminal(&mut self, state: &State) -> Result<Exact, SolveError> {
        if !self.options.details {
            return Ok(self.nothing());
        }
        let units = self.machine.payoff_units(state)?;
        let worth = Exact::integers(units.iter().map(|&n| i128::from(n)).chain([0]));
        *self.payoffs.entry(units).or_insert(0) += 1;
        Ok(worth)
    }

    fn nothing(&self) -> Exact {
        Exact::zero(if self.options.details {
            self.players + 1
        } else {
            0
        })
    }

    fn finish(self, value: Option<Exact>) -> Perft {
        let complete = value.is_some();
        let mut terminals_by_depth = self.terminals;
        let known = self.options.known(self.nodes.len());
        terminals_by_depth.resize(known, 0);
        let den = self.machine.payoff_denominator();
        let details = self.options.details.then(|| {
            let means = value.filter(|_| !self.cut).map(|v| v.ratios());
            let length = means.as_ref().and_then(|m| m.last());
            let values: Option<Vec<BigRational>> = means.as_ref().map(|m| {
                let payoffs = m.iter().take(self.players);
                payoffs.map(|r| r / BigInt::from(den)).collect()
            });
            let float = |r: &BigRational| r.to_f64().unwrap_or(f64::NAN);
            let name = |p: usize| self.machine.player_name(p).to_string();
            let vector = |units: &[i64]| {
                let list: Vec<String> = units.iter().map(|&n| show_ratio(n, den)).collect();
                list.join(",")
            };
            Details {
                information_states: (0..self.players)
                    .map(|p| (name(p), self.information[p].len() as u64))
                    .collect(),
                payoffs: self.payoffs.iter().map(|(u, &n)| (vector(u), n)).collect(),
                uniform_value: values.as_ref().map(|v| v.iter().map(float).collect()),
                uniform_value_exact: values.map(|v| v.iter().map(ToString::to_string).collect()),
                uniform_length: length.map(float),
                uniform_length_exact: length.map(ToString::to_string),
            }
        });
        Perft {
            histories: self.histories,
            terminals: terminals_by_depth.iter().sum(),
            nodes_by_depth: self.nodes,
            terminals_by_depth,
            chance_edges: self.chance_edges,
            details,
            complete,
        }
    }
}

fn take_in(details: bool, seen: &mut Histories, ids: &mut Ids, event: &Event<'_>) {
    if details {
        // Players who saw the same so far are next to one another in most games.
        let mut last = None;
        for player in event.viewers {
            if let Some(id) = ids.get_mut(player) {
                let before = *id;
                *id = match last {
                    Some((same, after)) if same == before => after,
                    _ => seen.extend(before, event),
                };
                last = Some((before, *id));
            }
        }
    }
}

/// Adds to the count of a depth.
fn add(counts: &mut Vec<u64>, depth: usize, more: u64) {
    if counts.len() <= depth {
        counts.resize(depth + 1, 0);
    }
    counts[depth] += more;
}
