//! Grows the tree of a game, depth first, with a stack of its own.

use super::{Identity, InformationState, Met, Node, NodeKind, Tree, TreeError};
use crate::machine::{Action, Event, Histories, Machine, State};
use crate::solve::branches::{Branches, Kind};
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;
use std::sync::atomic::{AtomicBool, Ordering};

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TreeOptions {
    /// A tree with more nodes is refused. A node takes some 20 bytes, and its share of what the players saw up to 200.
    pub most_nodes: u32,
    /// A node with exactly one outcome or joint action is passed through: it is no node and no decision. What
    /// the players see there still belongs to their histories.
    pub skip_forced: bool,
}

impl TreeOptions {
    /// About a gigabyte at the worst.
    pub const MOST_NODES: u32 = 5_000_000;
}

impl Default for TreeOptions {
    fn default() -> TreeOptions {
        TreeOptions {
            most_nodes: TreeOptions::MOST_NODES,
            skip_forced: false,
        }
    }
}

/// Builds the extensive form of a game. `progress` hears the number of nodes so far now and then; `cancel` stops it.
///
/// # Errors
/// [`TreeError::TooManyNodes`] above the bound, [`TreeError::Stopped`], and what goes wrong on any history.
pub fn build(
    machine: &Machine,
    options: &TreeOptions,
    progress: &mut dyn FnMut(u64),
    cancel: &AtomicBool,
) -> Result<Tree, TreeError> {
    build_to(None, machine, options, progress, cancel)
}

/// As [`build`], but no further than `depth` steps from the start, each an outcome of chance or what all choose who choose at
/// the same time; those that are passed through do not count. Where the tree is cut off it has an end that pays nothing:
/// such a tree is to be looked at, and not to be solved.
///
/// # Errors
/// As [`build`].
pub fn build_to(
    depth: Option<u32>,
    machine: &Machine,
    options: &TreeOptions,
    progress: &mut dyn FnMut(u64),
    cancel: &AtomicBool,
) -> Result<Tree, TreeError> {
    let mut growth = TreeBuilder::new(machine, options);
    growth.most_depth = depth.map_or(usize::MAX, |depth| depth as usize);
    growth.run(progress, cancel)?;
    Ok(growth.finish())
}

/// What one player saw, and its last choice (counted from 1; 0: none yet).
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
struct Recall {
    history: u32,
    before: u32,
}

type Recalls = SmallVec<[Recall; 8]>;

/// A history whose branches are being followed.
#[derive(Default)]
struct StackEntry {
    state: Option<State>,
    recalls: Recalls,
    branches: Branches,
    /// The node of the first branch; those of the others follow.
    first: u32,
    next: u64,
    /// For each player to move: its information state.
    asked: SmallVec<[u32; 8]>,
}

struct TreeBuilder<'a> {
    machine: &'a Machine,
    options: &'a TreeOptions,
    /// In steps; a history that has come so far is not followed.
    most_depth: usize,
    seen: Histories,
    nodes: Vec<Node>,
    parents: Vec<u32>,
    rows: IndexMap<Box<[u64]>, u32, FxBuildHasher>,
    probabilities: Vec<f64>,
    units: IndexSet<SmallVec<[i64; 8]>, FxBuildHasher>,
    met: Met,
    /// The action of each choice, in the order in which information states are met.
    choices: Vec<u32>,
    actions: IndexSet<Action, FxBuildHasher>,
    lists: IndexSet<Box<[u32]>, FxBuildHasher>,
}

const UNEXPANDED: Node = Node {
    kind: NodeKind::Terminal(0),
    first: 0,
    children: 0,
};

impl<'a> TreeBuilder<'a> {
    fn new(machine: &'a Machine, options: &'a TreeOptions) -> TreeBuilder<'a> {
        TreeBuilder {
            machine,
            options,
            most_depth: usize::MAX,
            seen: Histories::default(),
            nodes: vec![UNEXPANDED],
            parents: vec![0],
            rows: IndexMap::default(),
            probabilities: Vec::new(),
            units: IndexSet::default(),
            met: Met::default(),
            choices: Vec::new(),
            actions: IndexSet::default(),
            lists: IndexSet::default(),
        }
    }

    fn run(&mut self, progress: &mut dyn FnMut(u64), cancel: &AtomicBool) -> Result<(), TreeError> {
        let mut recalls = Recalls::from_elem(Recall::default(), self.machine.player_count());
        let seen = &mut self.seen;
        let state = self
            .machine
            .initial_observed(&mut |e| take_in(seen, &mut recalls, &e))?;
        // Frames below `depth` are in use; those above are kept for their lists.
        let mut stack: Vec<StackEntry> = Vec::new();
        let mut depth = 0;
        let mut step = SmallVec::new();
        let mut count = 0u64;
        if self.enter(&mut stack, depth, 0, state, recalls, &mut step)? {
            depth += 1;
        }
        while depth > 0 {
            let frame = &mut stack[depth - 1];
            if frame.next == frame.branches.len() {
                depth -= 1;
                continue;
            }
            if cancel.load(Ordering::Relaxed) {
                return Err(TreeError::Stopped);
            }
            let branch = frame.next;
            frame.next += 1;
            frame.branches.step(branch, &mut step);
            let Some(mut state) = frame.state.clone() else {
                return Err(TreeError::Stopped);
            };
            let mut recalls = frame.recalls.clone();
            // Which choices the branch is made of; the last player's changes fastest.
            let mut rest = branch;
            for (place, &asked) in frame.asked.iter().enumerate().rev() {
                let options = frame.branches.options(place).len() as u64;
                let asked = &self.met[asked as usize];
                recalls[asked.player as usize].before = asked.first + (rest % options) as u32 + 1;
                rest /= options;
            }
            let node = frame.first + branch as u32;
            let seen = &mut self.seen;
            self.machine
                .step_observed(&mut state, &step, &mut |e| take_in(seen, &mut recalls, &e))?;
            if self.enter(&mut stack, depth, node, state, recalls, &mut step)? {
                depth += 1;
            }
            count += 1;
            if count.is_multiple_of(4096) {
                progress(self.nodes.len() as u64);
            }
        }
        Ok(())
    }

    /// Makes `node` what `state` is, and puts a frame at `stack[depth]` if there are ways on.
    fn enter(
        &mut self,
        stack: &mut Vec<StackEntry>,
        depth: usize,
        node: u32,
        mut state: State,
        mut recalls: Recalls,
        step: &mut SmallVec<[Action; 4]>,
    ) -> Result<bool, TreeError> {
        if stack.len() <= depth {
            stack.resize_with(depth + 1, StackEntry::default);
        }
        let frame = &mut stack[depth];
        frame.branches.fill(self.machine, &state)?;
        while self.options.skip_forced && frame.branches.len() == 1 {
            frame.branches.step(0, step);
            let seen = &mut self.seen;
            self.machine
                .step_observed(&mut state, step, &mut |e| take_in(seen, &mut recalls, &e))?;
            frame.branches.fill(self.machine, &state)?;
        }
        frame.asked.clear();
        match frame.branches.kind {
            Kind::Terminal => {
                let units = self.machine.payoff_units(&state)?;
                let vector = self.units.insert_full(units).0 as u32;
                self.nodes[node as usize].kind = NodeKind::Terminal(vector);
                return Ok(false);
            }
            _ if depth >= self.most_depth => {
                let nothing = SmallVec::from_elem(0, self.machine.player_count());
                let vector = self.units.insert_full(nothing).0 as u32;
                self.nodes[node as usize].kind = NodeKind::Terminal(vector);
                return Ok(false);
            }
            Kind::Chance => {
                let row = self.row(&stack[depth].branches);
                let children = stack[depth].branches.len();
                stack[depth].first = self.add_children(node, 1, children, NodeKind::Chance(row))?;
            }
            Kind::Decision(movers) => {
                // One level of nodes for each player to move; the last one's children are the joint actions.
                let (mut level, mut width) = (node, 1);
                let place = self.machine.node(&state);
                for (i, player) in movers.iter().enumerate() {
                    let options = stack[depth].branches.options(i);
                    let asked =
                        self.information_state(player, recalls[player], place, level, options);
                    stack[depth].asked.push(asked);
                    let children = stack[depth].branches.options(i).len() as u64;
                    level = self.add_children(level, width, children, NodeKind::Decision(asked))?;
                    width = width.saturating_mul(children);
                }
                stack[depth].first = level;
            }
        }
        let frame = &mut stack[depth];
        frame.state = Some(state);
        frame.recalls = recalls;
        frame.next = 0;
        Ok(true)
    }

    /// Gives each of `width` nodes from `level` on its kind and `children` new nodes; returns the first of these.
    fn add_children(
        &mut self,
        level: u32,
        width: u64,
        children: u64,
        kind: NodeKind,
    ) -> Result<u32, TreeError> {
        let first = self.nodes.len() as u64;
        let end = width
            .checked_mul(children)
            .and_then(|n| n.checked_add(first));
        let most = self.options.most_nodes;
        if end.is_none_or(|end| end > u64::from(most)) {
            return Err(TreeError::TooManyNodes(most));
        }
        for i in 0..width as u32 {
            let first = self.nodes.len() as u32;
            let children = children as u32;
            let parent = level + i;
            self.nodes[parent as usize] = Node {
                kind,
                first,
                children,
            };
            self.nodes
                .extend(std::iter::repeat_n(UNEXPANDED, children as usize));
            self.parents
                .extend(std::iter::repeat_n(parent, children as usize));
        }
        Ok(first as u32)
    }

    /// The number of the information state of a player who is asked to choose.
    fn information_state(
        &mut self,
        player: usize,
        recall: Recall,
        place: u32,
        node: u32,
        options: &[Action],
    ) -> u32 {
        let list: Box<[u32]> = options
            .iter()
            .map(|a| match self.actions.get_index_of(a) {
                Some(known) => known as u32,
                None => self.actions.insert_full(a.clone()).0 as u32,
            })
            .collect();
        let (options, _) = self.lists.insert_full(list);
        let identity = Identity {
            player: player as u32,
            history: recall.history,
            place,
            before: recall.before,
            options: options as u32,
        };
        let entry = self.met.entry(identity);
        let number = entry.index() as u32;
        let list = &self.lists[options];
        let choices = &mut self.choices;
        let state = entry.or_insert_with(|| {
            let first = choices.len() as u32;
            choices.extend_from_slice(list);
            InformationState {
                player: player as u32,
                first,
                choices: list.len() as u32,
                before: recall.before.checked_sub(1),
                node,
                histories: 0,
            }
        });
        state.histories += 1;
        number
    }

    /// Where the probabilities of a chance node begin.
    fn row(&mut self, branches: &Branches) -> u32 {
        let weights: Box<[u64]> = (0..branches.len()).map(|i| branches.weight(i)).collect();
        let total = branches.total_weight() as f64;
        let probabilities = &mut self.probabilities;
        *self.rows.entry(weights).or_insert_with_key(|weights| {
            let first = probabilities.len() as u32;
            probabilities.extend(weights.iter().map(|&w| w as f64 / total));
            first
        })
    }

    /// Numbers information states and choices player by player.
    fn finish(mut self) -> Tree {
        let players = self.machine.player_count();
        let count = self.met.len();
        let mut new_state = vec![0u32; count];
        let mut new_choice = vec![0u32; self.choices.len()];
        let mut information_states: Vec<InformationState> = Vec::with_capacity(count);
        let mut choices = Vec::with_capacity(self.choices.len());
        let (mut first_states, mut first_choices) = (vec![0], vec![0]);
        for player in 0..players as u32 {
            for (old, state) in self.met.values().enumerate() {
                if state.player != player {
                    continue;
                }
                new_state[old] = information_states.len() as u32;
                let first = choices.len() as u32;
                for (i, choice) in state.range().enumerate() {
                    new_choice[choice] = first + i as u32;
                    choices.push(self.choices[choice]);
                }
                information_states.push(InformationState {
                    first,
                    // What a player chose before has its new number already.
                    before: state.before.map(|choice| new_choice[choice as usize]),
                    ..state.clone()
                });
            }
            first_states.push(information_states.len() as u32);
            first_choices.push(choices.len() as u32);
        }
        for node in &mut self.nodes {
            if let NodeKind::Decision(state) = &mut node.kind {
                *state = new_state[*state as usize];
            }
        }
        let payoffs = self
            .units
            .iter()
            .flat_map(|units| self.machine.in_payoff(units))
            .collect();
        Tree {
            players,
            nodes: self.nodes,
            parents: self.parents,
            probabilities: self.probabilities,
            payoffs,
            information_states,
            first_states,
            first_choices,
            choices,
            actions: self.actions,
            skip_forced: self.options.skip_forced,
        }
    }
}

fn take_in(seen: &mut Histories, recalls: &mut Recalls, event: &Event<'_>) {
    // Players who saw the same so far are next to one another in most games.
    let mut last = None;
    for player in event.viewers {
        if let Some(recall) = recalls.get_mut(player) {
            let before = recall.history;
            recall.history = match last {
                Some((same, after)) if same == before => after,
                _ => seen.extend(before, event),
            };
            last = Some((before, recall.history));
        }
    }
}
