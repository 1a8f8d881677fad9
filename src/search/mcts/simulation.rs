//! Algorithm 1 (Lanctot, Lisý & Winands 2013): one simulation from the root to the end of a game and back.

use super::cells::NO_CHILD;
use super::policies::{Policy, Step};
use super::states::States;
use super::tree::{Node, Outcome};
use super::walk::{self, NodeStrategy};
use super::{Expansion, Nodes};
use crate::machine::{
    Actions, Lister, Machine, Payoffs, PlayError, Played, Playouts, State, Stepper,
};
use crate::model::Claim;
use crate::random::Stream;
use crate::search::Budget;

/// A search whatever its policy is.
pub(super) trait Run {
    fn run(&mut self, budget: &Budget<'_>, rng: &mut Stream) -> Result<u64, PlayError>;
    fn root(&self) -> Option<Root<'_>>;
    fn strategy(&self, mover: usize) -> Vec<f64>;
    fn decisions(&self) -> usize;
    fn for_each_node(&self, steps: usize, visit: &mut dyn FnMut(&NodeStrategy<'_>));
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
    /// Out of the tree before anything is chosen or drawn: there is no room for a cell.
    Stay,
    /// Out of the tree, by what was chosen.
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
    /// That of each node.
    states: States<'m>,
    lister: Lister<'m>,
    stepper: Stepper<'m>,
    /// The words of the state to which a step has led.
    words: Vec<u64>,
    /// About how many words of memory nodes and cells take.
    size: usize,
    /// For each mover at the root.
    tallies: Vec<Vec<Tally>>,
    /// Half of what all payoffs add up to, by the game's claim.
    half: f64,
    path: Vec<Passed<P::Trace>>,
}

/// A node on the way of a simulation.
struct Passed<T> {
    node: u32,
    /// The place of the cell by which it was left.
    cell: u32,
    step: Step<T>,
}

impl<'m, P: Policy> Tree<'m, P> {
    /// The tree of a root alone.
    pub fn new(
        machine: &'m Machine,
        root: &State,
        policy: P,
        (expansion, nodes): (Expansion, Nodes),
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
            states: States::new(machine, nodes),
            lister: machine.lister(),
            stepper: machine.stepper(),
            words: vec![0; machine.state_words()],
            size: 0,
            tallies: Vec::new(),
            half,
            path: Vec::new(),
        };
        tree.add(root)?;
        if let Node::Decision(decision) = &tree.nodes[ROOT as usize] {
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
            if let Node::Terminal(outcome) = &self.nodes[at as usize] {
                return Ok((**outcome).clone());
            }
            at = match self.step(at, made, rng)? {
                Way::Stay => return self.roll_out_from(at, rng),
                Way::Out => return self.roll_out(rng),
                Way::To(NO_CHILD) if self.is_large() => return self.roll_out(rng),
                Way::To(NO_CHILD) => {
                    let nodes = self.nodes.len();
                    let child = self.add_child()?;
                    made = self.expansion == Expansion::Action && self.nodes.len() > nodes;
                    child
                }
                Way::To(child) => {
                    made = false;
                    child
                }
            };
        }
    }

    /// Chooses or draws at a node and puts it on the path, unless there is no room for a cell any more.
    fn step(&mut self, at: u32, made: bool, rng: &mut Stream) -> Result<Way, PlayError> {
        let large = self.is_large();
        let decides = matches!(self.nodes[at as usize], Node::Decision(_));
        let (cells, mut leave, step) = match &mut self.nodes[at as usize] {
            // Where the game is over the descent has ended.
            Node::Terminal(_) => return Ok(Way::Stay),
            // Lines 3 to 8: the simulation goes on from the outcome, be it new or not.
            Node::Chance(chance) => {
                let step = Step {
                    way: chance.draw(self.machine, || self.states.get(at), rng)?,
                    ..Step::default()
                };
                (&mut chance.cells, false, step)
            }
            Node::Decision(decision) => {
                // Lines 10 to 15: as long as the matrix has gaps, one of them is filled and played out.
                let filling = self.expansion == Expansion::Matrix && !decision.cells.is_full();
                if filling && large {
                    return Ok(Way::Stay);
                }
                let mut step = Step {
                    filling,
                    ..Step::default()
                };
                if filling {
                    step.way = decision.cells.untaken(rng);
                    decision.places(step.way, &mut step.places);
                } else {
                    // Line 16.
                    step.trace = self.policy.select(decision, &mut step.places, rng);
                    step.way = decision.way(&step.places);
                }
                (&mut decision.cells, filling || made, step)
            }
        };
        let found = cells.find(step.way);
        if found.is_none() && large {
            return Ok(Way::Stay);
        }
        leave |= decides && found.is_none() && self.expansion == Expansion::Cell;
        let cell = found.unwrap_or_else(|| {
            self.size += CELL_WORDS;
            cells.add(step.way)
        });
        let child = cells.at(cell).child;
        self.path.push(Passed {
            node: at,
            cell,
            step,
        });
        Ok(if leave { Way::Out } else { Way::To(child) })
    }

    /// A node at the end of the path, which is a new one but where nodes are states and this one has a node.
    fn add_child(&mut self) -> Result<u32, PlayError> {
        let Some(Passed { node, cell, step }) = self.path.last() else {
            return Ok(ROOT);
        };
        let (node, cell) = (*node, *cell);
        let state = self.states.get(node);
        self.stepper.start(self.machine.node(&state), state.words());
        let to = {
            let actions = self.nodes[node as usize].actions(step);
            self.stepper.step(&actions, &mut self.words)?
        };
        let child = self.find_or_add(&self.machine.state_at(to, &self.words))?;
        match &mut self.nodes[node as usize] {
            Node::Decision(decision) => decision.cells.at_mut(cell).child = child,
            Node::Chance(chance) => chance.cells.at_mut(cell).child = child,
            Node::Terminal(_) => {}
        }
        Ok(child)
    }

    fn is_large(&self) -> bool {
        self.size >= MOST_WORDS || self.nodes.len() as u64 >= u64::from(NO_CHILD)
    }

    /// The node of a state.
    fn find_or_add(&mut self, state: &State) -> Result<u32, PlayError> {
        match self.states.find(state) {
            Some(node) => Ok(node),
            None => self.add(state),
        }
    }

    /// A new node for a state.
    fn add(&mut self, state: &State) -> Result<u32, PlayError> {
        let half = self.half;
        let outcome = |payoffs| outcome(payoffs, half);
        let node = Node::new(self.machine, state, &mut self.lister, outcome)?;
        self.size += node.size(self.machine);
        self.nodes.push(node);
        self.states.push(state);
        Ok(self.nodes.len() as u32 - 1)
    }

    /// Line 12: from the end of the path uniform over each player's actions to the end of the game.
    fn roll_out(&mut self, rng: &mut Stream) -> Result<Outcome, PlayError> {
        let Some(Passed { node, step, .. }) = self.path.last() else {
            return self.roll_out_from(ROOT, rng);
        };
        let actions = self.nodes[*node as usize].actions(step);
        let state = self.states.get(*node);
        let played = self.playouts.play_after(&state, &actions, rng)?;
        Ok(self.outcome(&played))
    }

    /// The same from a node.
    fn roll_out_from(&mut self, node: u32, rng: &mut Stream) -> Result<Outcome, PlayError> {
        let played = self.playouts.play(&self.states.get(node), rng)?;
        Ok(self.outcome(&played))
    }

    fn outcome(&self, played: &Played) -> Outcome {
        outcome(self.machine.in_payoff(&played.payoffs), self.half)
    }

    /// Lines 7, 13, 14 and 19, from the last node that was passed up to the root.
    fn learn(&mut self, outcome: &Outcome) {
        while let Some(Passed { node, cell, step }) = self.path.pop() {
            match &mut self.nodes[node as usize] {
                Node::Decision(decision) => {
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
                Node::Chance(chance) => chance.cells.at_mut(cell).add(outcome.value),
                Node::Terminal(_) => {}
            }
        }
    }
}

/// What a simulation brings back, by the payoffs and half of what they add up to.
fn outcome(payoffs: Payoffs, half: f64) -> Outcome {
    Outcome {
        value: payoffs.first().map_or(0.0, |u| u - half),
        payoffs,
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
        let Node::Decision(decision) = &self.nodes[ROOT as usize] else {
            return None;
        };
        let movers = std::iter::zip(&decision.movers, &self.tallies);
        Some(Root {
            movers: movers
                .map(|(m, tallies)| (m.player, &*m.actions, tallies.as_slice()))
                .collect(),
        })
    }

    fn strategy(&self, mover: usize) -> Vec<f64> {
        match &self.nodes[ROOT as usize] {
            Node::Decision(decision) => self.policy.strategy(decision, mover),
            _ => Vec::new(),
        }
    }

    fn decisions(&self) -> usize {
        let decisions = self.nodes.iter();
        decisions.filter(|n| matches!(n, Node::Decision(_))).count()
    }

    fn for_each_node(&self, steps: usize, visit: &mut dyn FnMut(&NodeStrategy<'_>)) {
        walk::walk(&self.nodes, &self.states, &self.policy, steps, visit);
    }
}
