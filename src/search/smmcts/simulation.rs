//! Algorithm 1 (Lanctot, Lisý & Winands 2013): one simulation from the root to the end of a game and back.

use super::Expansion;
use super::cells::NO_CHILD;
use super::policy::{Policy, Step};
use super::tree::{Kind, Node, Outcome, Places};
use super::walk::{self, NodeStrategy};
use crate::check::description::Claim;
use crate::machine::{Action, Actions, Machine, PlayError, Playouts, State, Turn};
use crate::random::Stream;
use crate::search::Budget;

/// A search whatever its policy is.
pub(super) trait Run {
    fn run(&mut self, budget: &Budget<'_>, rng: &mut Stream) -> Result<u64, PlayError>;
    fn root(&self) -> Option<Root<'_>>;
    fn strategy(&self, mover: usize) -> Vec<f64>;
    fn decisions(&self) -> usize;
    fn for_each_node(&self, visit: &mut dyn FnMut(&NodeStrategy<'_>));
}

/// What simulations brought each player at the root.
pub(super) struct Root<'t> {
    pub movers: Vec<(usize, &'t Actions, &'t [Tally])>,
}

/// The simulations that began with an action, and the sum of the player's payoffs over them.
#[derive(Copy, Clone, Debug, Default)]
pub struct Tally {
    pub visits: u64,
    pub sum: f64,
}

/// Where a simulation goes on from a node.
enum Way {
    /// Out of the tree.
    Out,
    /// To a node of the tree; [`NO_CHILD`]: to one that is still to be made.
    To(u32),
}

/// Nodes and cells may take about so many words of memory; then the tree grows no further, and simulations leave it at its
/// fringe.
const MOST_WORDS: usize = 1 << 27;

/// About how many words a cell takes, with its part of the index.
const CELL_WORDS: usize = 4;

const ROOT: u32 = 0;

pub(super) struct Tree<'m, P: Policy> {
    machine: &'m Machine,
    playouts: Playouts<'m>,
    policy: P,
    expansion: Expansion,
    nodes: Vec<Node>,
    /// About how many words of memory nodes and cells take.
    words: usize,
    /// For each mover at the root.
    tallies: Vec<Vec<Tally>>,
    /// Half of what all payoffs add up to, by the game's claim.
    half: f64,
    path: Vec<Passed<P::Trace>>,
    state: State,
    actions: Vec<Action>,
}

/// A node on the way of a simulation.
struct Passed<T> {
    node: u32,
    /// The place of the cell by which it was left.
    cell: u32,
    /// Nothing for a chance node.
    step: Option<Step<T>>,
}

impl<'m, P: Policy> Tree<'m, P> {
    /// The tree of a root alone.
    pub fn new(
        machine: &'m Machine,
        root: &State,
        policy: P,
        expansion: Expansion,
    ) -> Result<Tree<'m, P>, PlayError> {
        let half = match machine.features().claim {
            Claim::ConstantSum { n, den } => n as f64 / den as f64 / 2.0,
            Claim::GeneralSum => 0.0,
        };
        let mut tree = Tree {
            machine,
            playouts: machine.playouts(),
            policy,
            expansion,
            nodes: Vec::new(),
            words: 0,
            tallies: Vec::new(),
            half,
            path: Vec::new(),
            state: root.clone(),
            actions: Vec::new(),
        };
        tree.add()?;
        if let Kind::Decision(decision) = &tree.nodes[ROOT as usize].kind {
            let counts = decision.movers.iter().map(|m| m.actions.len());
            tree.tallies = counts.map(|n| vec![Tally::default(); n]).collect();
        }
        Ok(tree)
    }

    fn simulate(&mut self, rng: &mut Stream) -> Result<(), PlayError> {
        self.path.clear();
        self.policy.begin();
        let outcome = self.descend(rng)?;
        self.learn(&outcome);
        Ok(())
    }

    /// Down the tree, one node more, and to the end of the game.
    fn descend(&mut self, rng: &mut Stream) -> Result<Outcome, PlayError> {
        let mut at = ROOT;
        // Whether this simulation has made the decision node where it is.
        let mut made = false;
        loop {
            let child = match self.step(at, made, rng)? {
                Way::Out => return self.roll_out(rng),
                Way::To(child) => child,
            };
            made = child == NO_CHILD && self.expansion == Expansion::Action;
            at = if child != NO_CHILD {
                child
            } else if self.is_large() {
                return self.roll_out(rng);
            } else {
                self.add_child()?
            };
            if let Kind::Terminal(outcome) = &self.nodes[at as usize].kind {
                return Ok((**outcome).clone());
            }
        }
    }

    /// Chooses or draws at a node and puts it on the path; where there is no room for a cell any more, leaves it before.
    /// Unless the way leads to a known node, `self.state` is where it leads.
    fn step(&mut self, at: u32, made: bool, rng: &mut Stream) -> Result<Way, PlayError> {
        let large = self.is_large();
        let Node { state, kind } = &mut self.nodes[at as usize];
        let (cell, child, leave, step) = match kind {
            // A root at which the game is over; other terminal nodes end the descent.
            Kind::Terminal(_) => {
                self.state.clone_from(state);
                return Ok(Way::Out);
            }
            // Lines 3 to 8: the simulation goes on from the outcome, be it new or not.
            Kind::Chance(chance) => {
                let way = chance.draw(self.machine, state, rng)?;
                let found = chance.cells.find(way);
                if found.is_none() && large {
                    self.state.clone_from(state);
                    return Ok(Way::Out);
                }
                let cell = found.unwrap_or_else(|| {
                    self.words += CELL_WORDS;
                    chance.cells.add(way)
                });
                let child = chance.cells.at(cell).child;
                if child == NO_CHILD {
                    self.actions.clear();
                    self.actions.push(chance.outcome(way));
                }
                (cell, child, false, None)
            }
            Kind::Decision(decision) => {
                let mut places = Places::new();
                // Lines 10 to 15: as long as the matrix has gaps, one of them is filled and played out.
                let filling = self.expansion == Expansion::Matrix && !decision.cells.is_full();
                if filling && large {
                    self.state.clone_from(state);
                    return Ok(Way::Out);
                }
                let (way, trace) = if filling {
                    let way = decision.cells.untaken(rng);
                    decision.places(way, &mut places);
                    (way, P::Trace::default())
                } else {
                    // Line 16.
                    let trace = self.policy.select(decision, &mut places, rng);
                    (decision.way(&places), trace)
                };
                let found = decision.cells.find(way);
                if found.is_none() && large {
                    self.state.clone_from(state);
                    return Ok(Way::Out);
                }
                let cell = found.unwrap_or_else(|| {
                    self.words += CELL_WORDS;
                    decision.cells.add(way)
                });
                let child = decision.cells.at(cell).child;
                if child == NO_CHILD {
                    decision.actions(&places, &mut self.actions);
                }
                let step = Step {
                    way,
                    places,
                    filling,
                    trace,
                };
                (cell, child, filling || made, Some(step))
            }
        };
        if child == NO_CHILD {
            self.state.clone_from(state);
            self.machine.step(&mut self.state, &self.actions)?;
        }
        self.path.push(Passed {
            node: at,
            cell,
            step,
        });
        Ok(if leave { Way::Out } else { Way::To(child) })
    }

    /// A node for the state where the simulation is, at the end of its path.
    fn add_child(&mut self) -> Result<u32, PlayError> {
        let child = self.add()?;
        if let Some(Passed { node, cell, .. }) = self.path.last() {
            match &mut self.nodes[*node as usize].kind {
                Kind::Decision(decision) => decision.cells.at_mut(*cell).child = child,
                Kind::Chance(chance) => chance.cells.at_mut(*cell).child = child,
                Kind::Terminal(_) => {}
            }
        }
        Ok(child)
    }

    fn is_large(&self) -> bool {
        self.words >= MOST_WORDS || self.nodes.len() as u64 >= u64::from(NO_CHILD)
    }

    /// A node for the state where the simulation is.
    fn add(&mut self) -> Result<u32, PlayError> {
        let half = self.half;
        let node = Node::new(self.machine, &self.state, |payoffs| Outcome {
            value: payoffs.first().map_or(0.0, |u| u - half),
            payoffs,
        })?;
        self.words += node.size() + self.machine.program().layout.words;
        self.nodes.push(node);
        Ok(self.nodes.len() as u32 - 1)
    }

    /// Line 12: uniform over each player's actions to the end of the game.
    fn roll_out(&mut self, rng: &mut Stream) -> Result<Outcome, PlayError> {
        let payoffs = if self.machine.turn(&self.state) == Turn::Terminal {
            self.machine.payoffs(&self.state)?
        } else {
            let played = self.playouts.play(&self.state, rng)?;
            self.machine.in_payoff(&played.payoffs)
        };
        Ok(Outcome {
            value: payoffs.first().map_or(0.0, |u| u - self.half),
            payoffs,
        })
    }

    /// Lines 7, 13, 14 and 19, from the last node that was passed up to the root.
    fn learn(&mut self, outcome: &Outcome) {
        while let Some(Passed { node, cell, step }) = self.path.pop() {
            match (&mut self.nodes[node as usize].kind, step) {
                (Kind::Decision(decision), Some(step)) => {
                    decision.visits += 1;
                    self.policy.update(decision, &step, outcome);
                    decision.cells.at_mut(cell).add(outcome.value);
                    if node == ROOT {
                        for (m, &place) in step.places.iter().enumerate() {
                            let tally = &mut self.tallies[m][place as usize];
                            tally.visits += 1;
                            tally.sum += outcome.payoffs[decision.movers[m].player];
                        }
                    }
                }
                (Kind::Chance(chance), _) => chance.cells.at_mut(cell).add(outcome.value),
                _ => {}
            }
        }
    }
}

impl<P: Policy> Run for Tree<'_, P> {
    fn run(&mut self, budget: &Budget<'_>, rng: &mut Stream) -> Result<u64, PlayError> {
        let mut done = 0;
        while budget.allows(done) {
            self.simulate(rng)?;
            done += 1;
        }
        Ok(done)
    }

    fn root(&self) -> Option<Root<'_>> {
        let Kind::Decision(decision) = &self.nodes[ROOT as usize].kind else {
            return None;
        };
        let movers = std::iter::zip(&decision.movers, &self.tallies);
        Some(Root {
            movers: movers
                .map(|(m, tallies)| (m.player, &m.actions, tallies.as_slice()))
                .collect(),
        })
    }

    fn strategy(&self, mover: usize) -> Vec<f64> {
        match &self.nodes[ROOT as usize].kind {
            Kind::Decision(decision) => self.policy.strategy(decision, mover),
            _ => Vec::new(),
        }
    }

    fn decisions(&self) -> usize {
        let decisions = self.nodes.iter();
        decisions
            .filter(|n| matches!(n.kind, Kind::Decision(_)))
            .count()
    }

    fn for_each_node(&self, visit: &mut dyn FnMut(&NodeStrategy<'_>)) {
        walk::walk(&self.nodes, &self.policy, visit);
    }
}
