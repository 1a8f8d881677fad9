//! Depth-limited exploitability of a strategy that depends on histories, such as that of a search tree: Ex_d of Lanctot, Lisý
//! & Winands 2013, section 4.3.
//!
//! The game near a state is laid out once as a tree with the exact value of every node. Strategies are then judged by
//! arithmetic alone. In `depth` a strategy depends on states, and states are merged; here two ways to a state are two nodes.

use super::Solved;
use crate::machine::{Action, Actions, Outcomes, State, Turn};
use crate::solve::SolveError;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The most nodes of such a tree.
pub const MOST_NODES: usize = 20_000_000;

/// The tree of a game near a state.
pub struct DepthLimitedTree {
    /// The root is the first; children come after their parents.
    nodes: Vec<Node>,
    /// The probabilities of outcomes.
    probabilities: Vec<f64>,
    /// The places of the decision nodes whose strategies count, by the steps from the root.
    ways: FxHashMap<Vec<Vec<Action>>, u32>,
    /// What the payoffs add up to.
    sum: f64,
}

struct Node {
    /// What player 0 gets from here when both play perfectly, what was earned before included.
    value: f64,
    kind: Kind,
}

#[derive(Copy, Clone)]
enum Kind {
    /// The end of the game, or of what is laid out.
    Leaf,
    /// The first child, and the first of the probabilities of so many.
    Chance(u32, u32, u32),
    /// The first child, and the numbers of actions of both players, 1 for one who does not move. The children stand row by
    /// row, with a row for each action of player 0.
    Decision(u32, u32, u32),
}

/// Why there is no such tree.
#[derive(Debug)]
pub enum TooLarge {
    Walk(SolveError),
    /// It would have more than [`MOST_NODES`] nodes.
    Nodes,
}

impl From<SolveError> for TooLarge {
    fn from(error: SolveError) -> TooLarge {
        TooLarge::Walk(error)
    }
}

/// Strategies at the nodes of a tree, where something is said.
pub struct Strategies {
    /// By place: for each player the probabilities of its actions.
    said: Vec<[Option<SmallVec<[f64; 16]>>; 2]>,
}

impl Strategies {
    /// What a player does at a node: probabilities in the order of `Machine::legal`, of which at least one is above 0.
    pub fn set(&mut self, place: u32, player: usize, probabilities: &[f64]) {
        self.said[place as usize][player] = Some(SmallVec::from_slice(probabilities));
    }
}

impl DepthLimitedTree {
    /// The tree of all that can happen within `depth` nodes from a state, chance nodes included.
    ///
    /// # Errors
    /// Those of play; [`TooLarge::Nodes`]; [`SolveError::Unreachable`] for a state that play does not come to.
    pub fn new(solved: &Solved, root: &State, depth: u32) -> Result<DepthLimitedTree, TooLarge> {
        let machine = &solved.machine;
        let mut tree = DepthLimitedTree {
            nodes: Vec::new(),
            probabilities: Vec::new(),
            ways: FxHashMap::default(),
            sum: solved.sum(),
        };
        tree.add(solved, root)?;
        // What is still to be laid out, with its way and its depth.
        let mut rest = vec![(0u32, root.clone(), Vec::new(), 0)];
        let mut outcomes = Outcomes::default();
        let mut lists = [Actions::default(), Actions::default()];
        while let Some((place, state, way, level)) = rest.pop() {
            let turn = machine.turn(&state);
            if level == depth || turn == Turn::Terminal {
                continue;
            }
            let first = tree.nodes.len() as u32;
            let mut steps: Vec<Vec<Action>> = Vec::new();
            let kind = match turn {
                Turn::Terminal => Kind::Leaf,
                Turn::Chance => {
                    machine
                        .outcomes(&state, &mut outcomes)
                        .map_err(SolveError::Rules)?;
                    let list = &outcomes.list;
                    let weights = tree.probabilities.len() as u32;
                    tree.probabilities
                        .extend((0..list.len()).map(|i| outcomes.probability(i)));
                    steps.extend(list.iter().map(|(outcome, _)| vec![outcome.clone()]));
                    Kind::Chance(first, weights, list.len() as u32)
                }
                Turn::Decision(movers) => {
                    for player in movers {
                        let list = &mut lists[player];
                        machine
                            .legal(&state, player, list)
                            .map_err(SolveError::Rules)?;
                    }
                    tree.ways.insert(way.clone(), place);
                    // One who does not move has one way on, which is no action.
                    let choices = [0, 1].map(|player| -> Vec<Option<&Action>> {
                        match movers.contains(player) {
                            true => lists[player].0.iter().map(Some).collect(),
                            false => vec![None],
                        }
                    });
                    for row in &choices[0] {
                        for column in &choices[1] {
                            let step = row.iter().chain(column.iter());
                            steps.push(step.map(|action| (*action).clone()).collect());
                        }
                    }
                    Kind::Decision(first, choices[0].len() as u32, choices[1].len() as u32)
                }
            };
            tree.nodes[place as usize].kind = kind;
            for step in steps {
                let mut next = state.clone();
                machine.step(&mut next, &step).map_err(SolveError::Rules)?;
                let child = tree.add(solved, &next)?;
                let mut way = way.clone();
                way.push(step);
                rest.push((child, next, way, level + 1));
            }
        }
        Ok(tree)
    }

    fn add(&mut self, solved: &Solved, state: &State) -> Result<u32, TooLarge> {
        if self.nodes.len() == MOST_NODES {
            return Err(TooLarge::Nodes);
        }
        let values = solved.values(state).ok_or(SolveError::Unreachable)?;
        self.nodes.push(Node {
            value: values[0],
            kind: Kind::Leaf,
        });
        Ok(self.nodes.len() as u32 - 1)
    }

    /// The place of a decision node that is not at the fringe, by the steps from the root; none for other nodes.
    pub fn find(&self, way: &[Vec<Action>]) -> Option<u32> {
        self.ways.get(way).copied()
    }

    /// Strategies that say nothing anywhere.
    pub fn no_strategies(&self) -> Strategies {
        Strategies {
            said: vec![[None, None]; self.nodes.len()],
        }
    }

    /// What a player loses against its worst opponent when it follows its strategy for `depth` nodes, chance nodes included,
    /// and both play perfectly after them: Ex_d, in units of payoff. Where the strategy says nothing the player plays its
    /// first action. `depth` is at most that of the tree.
    pub fn loss(&self, player: usize, depth: u32, strategies: &Strategies) -> f64 {
        let worst = self.worst(0, player, depth, strategies);
        self.of(player, self.nodes[0].value) - self.of(player, worst)
    }

    /// What a player gets where player 0 gets so much.
    fn of(&self, player: usize, first: f64) -> f64 {
        if player == 0 { first } else { self.sum - first }
    }

    /// What player 0 gets from a node on when `player` follows its strategy and the other answers best.
    fn worst(&self, place: u32, player: usize, depth: u32, strategies: &Strategies) -> f64 {
        let node = &self.nodes[place as usize];
        if depth == 0 {
            return node.value;
        }
        let below = |child: u32| self.worst(child, player, depth - 1, strategies);
        match node.kind {
            Kind::Leaf => node.value,
            Kind::Chance(first, weights, n) => (0..n)
                .map(|i| self.probabilities[(weights + i) as usize] * below(first + i))
                .sum(),
            Kind::Decision(first, rows, columns) => {
                let said = strategies.said[place as usize][player].as_deref();
                let own = |i: u32| match said {
                    Some(list) => list.get(i as usize).copied().unwrap_or(0.0),
                    None => f64::from(u8::from(i == 0)),
                };
                let mean = |child: &dyn Fn(u32) -> u32, n: u32| -> f64 {
                    let played = (0..n).map(|i| (own(i), i)).filter(|(p, _)| *p > 0.0);
                    played.map(|(p, i)| p * below(child(i))).sum()
                };
                if player == 0 {
                    (0..columns)
                        .map(|j| mean(&|i| first + i * columns + j, rows))
                        .fold(f64::INFINITY, f64::min)
                } else {
                    (0..rows)
                        .map(|i| mean(&|j| first + i * columns + j, columns))
                        .fold(f64::NEG_INFINITY, f64::max)
                }
            }
        }
    }
}
