//! The nodes that simulations have passed.
//!
//! A node is made when a simulation passes it for the first time; until then the cell that leads to it is all there is of
//! it. So the fringe of the tree, which is most of it, costs one cell a node.

use super::cells::{Cell, Cells};
use super::policies::Step;
use crate::machine::{
    Action, Actions, Lister, Machine, Outcomes, Payoffs, PlayError, State, Turn, below,
};
use crate::model::PlayerSet;
use crate::random::Stream;
use crate::solve::codes;
use indexmap::IndexSet;
use smallvec::SmallVec;
use std::ops::Range;
use std::sync::Arc;

/// What everybody gets at the end of a simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Of each player, in units of payoff as the description states them.
    pub payoffs: Payoffs,
    /// The first player's payoff less half of what all payoffs add up to by the game's claim. In a two-player
    /// constant-sum game the second player's is the same with the other sign.
    pub value: f64,
}

/// The nodes of a tree, and what belongs to their movers, one behind the other.
#[derive(Debug)]
pub struct Tree<C> {
    pub nodes: Vec<Node<C>>,
    movers: Vec<Mover>,
    statistics: Vec<f64>,
}

#[derive(Debug)]
pub enum Node<C> {
    Decision(Choices<C>),
    Chance(Box<Chance<C>>),
    Terminal(Box<Outcome>),
}

/// A decision node: one player to move, or several at the same time.
#[derive(Debug)]
pub struct Choices<C> {
    pub visits: u64,
    /// Where its movers begin, and how many they are.
    movers: (u32, u32),
    /// By the number of the joint action: in row-major order, the first mover's action first.
    pub cells: Cells<C>,
}

/// One of the players who choose at a node.
#[derive(Debug)]
pub struct Mover {
    pub actions: Arc<Actions>,
    player: u32,
    /// Where this player's statistics begin.
    first: u32,
    /// How much further the number of the joint action is for this player's next action.
    pub stride: u64,
}

impl Mover {
    pub fn player(&self) -> usize {
        self.player as usize
    }
}

/// A decision node as a policy reads it.
#[derive(Debug)]
pub struct Decision<'t, C> {
    pub visits: u64,
    pub movers: &'t [Mover],
    pub cells: &'t Cells<C>,
    statistics: &'t [f64],
}

/// A decision node whose statistics change.
#[derive(Debug)]
pub struct DecisionMut<'t, C> {
    pub visits: u64,
    pub movers: &'t [Mover],
    pub cells: &'t Cells<C>,
    statistics: &'t mut [f64],
}

/// The two columns of a mover's statistics, each with a number for each action. What they are the policy knows.
pub struct Columns<'a>(pub &'a [f64], pub &'a [f64]);

pub struct ColumnsMut<'a>(pub &'a mut [f64], pub &'a mut [f64]);

/// The place of each mover's action, in the order of the movers.
pub type Places = SmallVec<[u32; 4]>;

impl<C> Decision<'_, C> {
    /// Of one mover, by its place among the movers.
    pub fn columns(&self, mover: usize) -> Columns<'_> {
        let Mover { first, actions, .. } = &self.movers[mover];
        let first = *first as usize;
        let (a, b) = self.statistics[first..first + 2 * actions.len()].split_at(actions.len());
        Columns(a, b)
    }
}

impl<C> DecisionMut<'_, C> {
    /// As it is now.
    pub fn read(&self) -> Decision<'_, C> {
        Decision {
            visits: self.visits,
            movers: self.movers,
            cells: self.cells,
            statistics: self.statistics,
        }
    }

    /// As [`Decision::columns`].
    pub fn columns_mut(&mut self, mover: usize) -> ColumnsMut<'_> {
        let Mover { first, actions, .. } = &self.movers[mover];
        let (first, n) = (*first as usize, actions.len());
        let (a, b) = self.statistics[first..first + 2 * n].split_at_mut(n);
        ColumnsMut(a, b)
    }
}

/// The number of a joint action.
pub fn way(movers: &[Mover], places: &[u32]) -> u64 {
    let parts = std::iter::zip(movers, places);
    parts.map(|(m, &place)| m.stride * u64::from(place)).sum()
}

/// The joint action with a number.
pub fn places(movers: &[Mover], mut way: u64, places: &mut Places) {
    places.clear();
    for mover in movers {
        places.push((way / mover.stride) as u32);
        way %= mover.stride;
    }
}

/// The actions of a joint action, in seating order.
pub fn actions<'t>(movers: &'t [Mover], places: &[u32]) -> Joint<'t> {
    let chosen = std::iter::zip(movers, places);
    chosen.map(|(m, &p)| &m.actions[p as usize]).collect()
}

/// What a step takes.
pub type Joint<'t> = SmallVec<[&'t Action; 4]>;

impl<C> Choices<C> {
    pub fn movers(&self) -> Range<usize> {
        let (first, n) = self.movers;
        first as usize..(first + n) as usize
    }
}

impl<C: Cell> Tree<C> {
    pub fn new() -> Tree<C> {
        Tree {
            nodes: Vec::new(),
            movers: Vec::new(),
            statistics: Vec::new(),
        }
    }

    /// A decision node; `None` for a node of another kind.
    pub fn decision(&self, node: u32) -> Option<Decision<'_, C>> {
        let Node::Decision(choices) = &self.nodes[node as usize] else {
            return None;
        };
        Some(Decision {
            visits: choices.visits,
            movers: &self.movers[choices.movers()],
            cells: &choices.cells,
            statistics: &self.statistics,
        })
    }

    /// The same after one visit more, for a policy to learn from it.
    pub fn visited(&mut self, node: u32) -> Option<DecisionMut<'_, C>> {
        let Node::Decision(choices) = &mut self.nodes[node as usize] else {
            return None;
        };
        choices.visits += 1;
        Some(DecisionMut {
            visits: choices.visits,
            movers: &self.movers[choices.movers()],
            cells: &choices.cells,
            statistics: &mut self.statistics,
        })
    }

    /// The cells of a node; `None` where the game is over.
    pub fn cells_mut(&mut self, node: u32) -> Option<&mut Cells<C>> {
        match &mut self.nodes[node as usize] {
            Node::Decision(choices) => Some(&mut choices.cells),
            Node::Chance(chance) => Some(&mut chance.cells),
            Node::Terminal(_) => None,
        }
    }

    /// What was chosen or drawn at a node, as a step takes it.
    pub fn actions<T>(&self, node: u32, step: &Step<T>) -> Joint<'_> {
        match &self.nodes[node as usize] {
            Node::Decision(choices) => actions(&self.movers[choices.movers()], &step.places),
            Node::Chance(chance) => chance.outcome(step.way).into_iter().collect(),
            Node::Terminal(_) => SmallVec::new(),
        }
    }

    /// Adds the node of a state, without a visit; about how many words of memory it takes, with its state and the lists of
    /// options, and without its cells. `outcome` makes of payoffs what a simulation brings back.
    pub fn add(
        &mut self,
        machine: &Machine,
        state: &State,
        lister: &mut Lister<'_>,
        outcome: impl Fn(Payoffs) -> Outcome,
    ) -> Result<usize, PlayError> {
        let (node, own) = match machine.turn(state) {
            Turn::Decision(players) => self.choices(machine, state, players, lister)?,
            Turn::Chance => {
                let chance = Chance::new(state, lister)?;
                let size = chance.size();
                (Node::Chance(Box::new(chance)), size)
            }
            Turn::Terminal => (
                Node::Terminal(Box::new(outcome(machine.payoffs(state)?))),
                0,
            ),
        };
        self.nodes.push(node);
        Ok(40 + own + machine.state_words())
    }

    fn choices(
        &mut self,
        machine: &Machine,
        state: &State,
        players: PlayerSet,
        lister: &mut Lister<'_>,
    ) -> Result<(Node<C>, usize), PlayError> {
        let players = players.iter();
        let lists = lister.legal(state, players.clone())?;
        let mut joint = 1u64;
        for actions in &lists {
            joint = match joint.checked_mul(actions.len() as u64) {
                Some(joint) => joint,
                None => return Err(too_many(machine, state)),
            };
        }
        let ways = joint;
        let (begin, first) = (self.movers.len(), self.statistics.len());
        let mut length = 0;
        for (player, actions) in std::iter::zip(players, lists) {
            let n = actions.len();
            joint /= n.max(1) as u64;
            self.movers.push(Mover {
                actions,
                player: player as u32,
                first: (first + length) as u32,
                stride: joint,
            });
            length += 2 * n;
        }
        self.statistics.resize(first + length, 0.0);
        let choices = Choices {
            visits: 0,
            movers: (begin as u32, (self.movers.len() - begin) as u32),
            // A table may take as much as the statistics.
            cells: Cells::new(ways, 8 * length),
        };
        Ok((Node::Decision(choices), 4 * length))
    }
}

/// A chance node.
#[derive(Debug)]
pub struct Chance<C> {
    draws: Draws,
    pub cells: Cells<C>,
}

#[derive(Debug)]
enum Draws {
    Listed {
        outcomes: Arc<Outcomes>,
        /// The sum of the weights.
        total: u64,
        /// The weight of each outcome, where it is the same for all.
        weight: Option<u64>,
    },
    /// Too many to list: the machine draws, and outcomes are numbered as they come up.
    Sampled(Box<IndexSet<Action, rustc_hash::FxBuildHasher>>),
}

/// Up to so many outcomes are listed once; of more each is drawn by the machine.
const LISTED: usize = 1024;

/// A table of the outcomes may take so many bytes.
const TABLE: usize = 128;

impl<C: Cell> Chance<C> {
    fn new(state: &State, lister: &mut Lister<'_>) -> Result<Chance<C>, PlayError> {
        let Some(outcomes) = lister.few_outcomes(state, LISTED)? else {
            return Ok(Chance {
                cells: Cells::new(u64::MAX, TABLE),
                draws: Draws::Sampled(Box::default()),
            });
        };
        let first = outcomes.list.first().map(|(_, weight)| *weight);
        let weight = first.filter(|first| outcomes.list.iter().all(|(_, w)| w == first));
        Ok(Chance {
            cells: Cells::new(outcomes.list.len() as u64, TABLE),
            draws: Draws::Listed {
                total: outcomes.total,
                outcomes,
                weight,
            },
        })
    }

    /// The number of an outcome, drawn by its probability at the state of the node.
    pub fn draw(
        &mut self,
        machine: &Machine,
        state: impl FnOnce() -> State,
        rng: &mut Stream,
    ) -> Result<u64, PlayError> {
        match &mut self.draws {
            Draws::Listed {
                outcomes,
                total,
                weight,
            } => {
                let mut left = below(rng, *total);
                if let Some(weight) = weight {
                    return Ok(left / *weight);
                }
                for (i, (_, weight)) in outcomes.list.iter().enumerate() {
                    if left < *weight {
                        return Ok(i as u64);
                    }
                    left -= weight;
                }
                Ok(0)
            }
            Draws::Sampled(seen) => {
                let outcome = machine.sample_chance(&state(), rng)?;
                Ok(seen.insert_full(outcome).0 as u64)
            }
        }
    }

    /// The outcome with a number that [`Chance::draw`] gave.
    pub fn outcome(&self, number: u64) -> Option<&Action> {
        let number = number as usize;
        match &self.draws {
            Draws::Listed { outcomes, .. } => outcomes.list.get(number).map(|(outcome, _)| outcome),
            Draws::Sampled(seen) => seen.get_index(number),
        }
    }

    fn size(&self) -> usize {
        match &self.draws {
            Draws::Listed { outcomes, .. } => 8 * outcomes.list.len(),
            Draws::Sampled(_) => 0,
        }
    }
}

fn too_many(machine: &Machine, state: &State) -> PlayError {
    let node = &machine.program().nodes[machine.node(state) as usize];
    PlayError {
        code: codes::TOO_MANY_JOINT_ACTIONS,
        span: node.span,
        message: "there are too many joint actions here to tell them apart by number".into(),
        hint: Some("make the game smaller, or let the players choose in parts".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::cells::{Link, Mean};
    use super::*;

    /// What a million nodes cost beside their lists.
    #[test]
    fn nodes_are_small() {
        assert!(size_of::<Node<Link>>() <= 48);
        assert!(size_of::<Node<Mean>>() <= 48);
        assert!(size_of::<Mover>() <= 24);
    }
}
