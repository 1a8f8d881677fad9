//! Judges the strategy of a search tree by what it loses against its worst opponent.

use crate::machine::{Action, Machine, PlayError, State, Turn};
use crate::random::stream;
use crate::search::Budget;
use crate::search::mcts::{Options, Search};
use crate::solve::backward::Solved;
use crate::solve::backward::depth_limited_tree::{DepthLimitedTree, TooLarge};
use crate::solve::tree::TreeError;
use crate::solve::tree::retrace::retrace;
use crate::solve::{Profile, Sequences, SolveError, Tree, exploitability};
use rustc_hash::FxHashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The steps from the root of a tree to a place in it.
type Way = Vec<Vec<Action>>;

/// Judges searches of one game.
pub struct Judge {
    machine: Arc<Machine>,
    measure: Measure,
}

enum Measure {
    Whole(Box<Whole>),
    /// Ex_d for each of the depths, from each place where the first decision is made, with its probability.
    DepthLimitedTree(Vec<u32>, Vec<(f64, State, DepthLimitedTree)>),
}

/// The best response over the whole game.
struct Whole {
    tree: Tree,
    sequences: Sequences,
    /// For each player, its information states by the way to them.
    by_way: Vec<FxHashMap<Way, usize>>,
}

impl Judge {
    /// Against the best response over the whole game, whose tree this is.
    ///
    /// # Errors
    /// Those of play; [`TreeError::Hidden`] where a player cannot tell how it got where it is.
    pub fn whole(machine: &Arc<Machine>, tree: Tree) -> Result<Judge, TreeError> {
        let mut by_way = Vec::new();
        for player in 0..tree.players() {
            let mut ways = FxHashMap::default();
            for number in tree.states_of(player) {
                let information_state = &tree.information_states()[number];
                if information_state.histories != 1 {
                    return Err(TreeError::Hidden(player));
                }
                let steps = retrace(machine, &tree, information_state.node)?.steps;
                let way = steps.into_iter().map(|step| step.to_vec());
                ways.insert(way.collect(), number);
            }
            by_way.push(ways);
        }
        Ok(Judge {
            machine: Arc::clone(machine),
            measure: Measure::Whole(Box::new(Whole {
                sequences: Sequences::new(&tree),
                tree,
                by_way,
            })),
        })
    }

    /// By the paper's depth-limited exploitability for each of these depths, counted from where the first decision is
    /// made.
    ///
    /// # Errors
    /// Those of play; [`TooLarge`] where there are too many nodes within the greatest depth.
    pub fn near_start(solved: &Solved, depths: &[u32]) -> Result<Judge, TooLarge> {
        let machine = solved.machine();
        let deepest = depths.iter().copied().max().unwrap_or(0);
        let mut roots = Vec::new();
        let mut rest = vec![(1.0, machine.initial().map_err(SolveError::Rules)?)];
        while let Some((probability, state)) = rest.pop() {
            if machine.turn(&state) != Turn::Chance {
                let tree = DepthLimitedTree::new(solved, &state, deepest)?;
                roots.push((probability, state, tree));
                continue;
            }
            let mut outcomes = crate::machine::Outcomes::default();
            machine
                .outcomes(&state, &mut outcomes)
                .map_err(SolveError::Rules)?;
            for (i, (outcome, _)) in outcomes.list.iter().enumerate().rev() {
                let mut next = state.clone();
                machine
                    .step(&mut next, std::slice::from_ref(outcome))
                    .map_err(SolveError::Rules)?;
                rest.push((probability * outcomes.probability(i), next));
            }
        }
        Ok(Judge {
            machine: Arc::clone(machine),
            measure: Measure::DepthLimitedTree(depths.to_vec(), roots),
        })
    }

    /// Makes a search, and measures on the way: after each of the iterations a number, or one for each depth. What the
    /// players lose is taken in the mean of the seats, and of what chance does before the first decision. `None` when it
    /// was cancelled.
    ///
    /// # Errors
    /// Those of play and of [`Search::new`].
    pub fn run(&self, order: &Order<'_>) -> Result<Option<Vec<f64>>, PlayError> {
        match &self.measure {
            Measure::Whole(whole) => {
                let mut measured = Vec::new();
                let mut look = |search: &Search<'_>| measured.push(whole.judge(search));
                let root = self.machine.initial()?;
                let went_on = order.search(&self.machine, &root, 0, &mut look)?;
                Ok(went_on.then_some(measured))
            }
            Measure::DepthLimitedTree(depths, roots) => {
                let mut measured = vec![0.0; order.iterations.len() * depths.len()];
                for (number, (probability, root, tree)) in roots.iter().enumerate() {
                    let mut place = 0;
                    let mut look = |search: &Search<'_>| {
                        for loss in losses(tree, search, depths) {
                            measured[place] += probability * loss;
                            place += 1;
                        }
                    };
                    if !order.search(&self.machine, root, number as u64, &mut look)? {
                        return Ok(None);
                    }
                }
                Ok(Some(measured))
            }
        }
    }
}

/// What is to be searched, and when it is measured.
pub struct Order<'a> {
    pub options: &'a Options,
    /// After how many simulations, ascending.
    pub iterations: &'a [u64],
    /// Everything random follows from it.
    pub seed: u64,
    /// Ends the search when it is set.
    pub cancel: &'a AtomicBool,
}

impl Order<'_> {
    /// One search from the root with this number, at which is looked after each of the iterations; false when it was
    /// cancelled.
    fn search(
        &self,
        machine: &Machine,
        root: &State,
        number: u64,
        look: &mut dyn FnMut(&Search<'_>),
    ) -> Result<bool, PlayError> {
        let mut rng = stream(self.seed, &[number]);
        let mut search = Search::new(machine, root, self.options)?;
        // At the end of a game there is nothing to search.
        let over = machine.turn(root) == Turn::Terminal;
        for &target in self.iterations {
            if !over {
                let budget = Budget {
                    playouts: Some(target - search.simulations()),
                    keep_going: &|| !self.cancel.load(Ordering::Relaxed),
                };
                search.run(&budget, &mut rng)?;
            }
            if self.cancel.load(Ordering::Relaxed) {
                return Ok(false);
            }
            look(&search);
        }
        Ok(true)
    }
}

impl Whole {
    /// What the players lose against best responses, in the mean of the seats. Where the tree says nothing a player plays
    /// its first action ("an arbitrary action" in the paper).
    fn judge(&self, search: &Search<'_>) -> f64 {
        let mut weights = vec![0.0; self.tree.choice_count()];
        for state in self.tree.information_states() {
            weights[state.first as usize] = 1.0;
        }
        search.for_each_node(usize::MAX, &mut |node| {
            if node.visits == 0 {
                return;
            }
            if let Some(&number) = self.by_way[node.player].get(node.path) {
                let range = self.tree.information_states()[number].range();
                if range.len() == node.strategy.len() {
                    weights[range].copy_from_slice(node.strategy);
                }
            }
        });
        let profile = Profile::from_weights(&self.tree, &weights);
        exploitability(&self.sequences, &profile).per_player()
    }
}

/// Ex_d of a search for each depth, in the mean of the seats.
fn losses(tree: &DepthLimitedTree, search: &Search<'_>, depths: &[u32]) -> Vec<f64> {
    let mut strategies = tree.no_strategies();
    let deepest = depths.iter().copied().max().unwrap_or(0) as usize;
    search.for_each_node(deepest.saturating_sub(1), &mut |node| {
        if node.visits > 0
            && let Some(place) = tree.find(node.path)
        {
            strategies.set(place, node.player, node.strategy);
        }
    });
    let of_depth = depths.iter().map(|&depth| {
        let loss = |player| tree.loss(player, depth, &strategies);
        (loss(0) + loss(1)) / 2.0
    });
    of_depth.collect()
}
