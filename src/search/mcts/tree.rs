//! The nodes that simulations have passed.
//!
//! A node is made when a simulation passes it for the first time; until then the cell that leads to it is all there is of
//! it. So the fringe of the tree, which is most of it, costs one cell a node.

use super::cells::Cells;
use super::policies::Step;
use crate::machine::{
    Action, Actions, Lister, Machine, Outcomes, Payoffs, PlayError, State, Turn, below,
};
use crate::random::Stream;
use crate::solve::codes;
use indexmap::IndexSet;
use smallvec::SmallVec;
use std::rc::Rc;

/// What everybody gets at the end of a simulation.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Of each player, in units of payoff as the description states them.
    pub payoffs: Payoffs,
    /// The first player's payoff less half of what all payoffs add up to by the game's claim. In a two-player
    /// constant-sum game the second player's is the same with the other sign.
    pub value: f64,
}

#[derive(Debug)]
pub enum Node {
    Decision(Decision),
    Chance(Chance),
    Terminal(Box<Outcome>),
}

/// One of the players who choose at a node.
#[derive(Debug)]
pub struct Mover {
    pub player: usize,
    pub actions: Rc<Actions>,
    /// Where this player's statistics begin.
    first: usize,
    /// How much further the number of the joint action is for this player's next action.
    pub stride: u64,
}

/// A decision node: one player to move, or several at the same time.
#[derive(Debug)]
pub struct Decision {
    pub visits: u64,
    pub movers: SmallVec<[Mover; 2]>,
    /// For each mover two columns with a number for each action. What they are the policy knows.
    statistics: Box<[f64]>,
    /// By the number of the joint action: in row-major order, the first mover's action first.
    pub cells: Cells,
}

/// The two columns of a mover's statistics.
pub struct Columns<'a>(pub &'a [f64], pub &'a [f64]);

pub struct ColumnsMut<'a>(pub &'a mut [f64], pub &'a mut [f64]);

/// The place of each mover's action, in the order of [`Decision::movers`].
pub type Places = SmallVec<[u32; 4]>;

impl Decision {
    fn new(
        machine: &Machine,
        state: &State,
        players: u32,
        lister: &mut Lister<'_>,
    ) -> Result<Decision, PlayError> {
        let mut movers: SmallVec<[Mover; 2]> = SmallVec::new();
        let mut length = 0;
        let players = (0..machine.player_count()).filter(|p| players >> p & 1 == 1);
        let lists = lister.legal(state, players.clone())?;
        for (player, actions) in std::iter::zip(players, lists) {
            let n = actions.len();
            movers.push(Mover {
                player,
                actions,
                first: length,
                stride: 1,
            });
            length += 2 * n;
        }
        let mut joint = 1u64;
        for mover in movers.iter_mut().rev() {
            mover.stride = joint;
            joint = match joint.checked_mul(mover.actions.len() as u64) {
                Some(joint) => joint,
                None => return Err(too_many(machine, state)),
            };
        }
        Ok(Decision {
            visits: 0,
            movers,
            statistics: vec![0.0; length].into_boxed_slice(),
            cells: Cells::new(joint),
        })
    }

    /// Of one mover, by its place among the movers.
    pub fn columns(&self, mover: usize) -> Columns<'_> {
        let Mover { first, actions, .. } = &self.movers[mover];
        let (a, b) = self.statistics[*first..first + 2 * actions.len()].split_at(actions.len());
        Columns(a, b)
    }

    /// As [`Decision::columns`], and the cells beside them.
    pub fn columns_mut(&mut self, mover: usize) -> (ColumnsMut<'_>, &Cells) {
        let Mover { first, actions, .. } = &self.movers[mover];
        let n = actions.len();
        let (a, b) = self.statistics[*first..first + 2 * n].split_at_mut(n);
        (ColumnsMut(a, b), &self.cells)
    }

    /// The number of a joint action.
    pub fn way(&self, places: &[u32]) -> u64 {
        let parts = std::iter::zip(&self.movers, places);
        parts.map(|(m, &place)| m.stride * u64::from(place)).sum()
    }

    /// The joint action with a number.
    pub fn places(&self, mut way: u64, places: &mut Places) {
        places.clear();
        for mover in &self.movers {
            places.push((way / mover.stride) as u32);
            way %= mover.stride;
        }
    }

    /// The actions of a joint action, in seating order.
    pub fn actions(&self, places: &[u32]) -> SmallVec<[&Action; 4]> {
        let chosen = std::iter::zip(&self.movers, places);
        chosen.map(|(m, &p)| &m.actions[p as usize]).collect()
    }

    /// About how many words of memory the node takes, its cells apart.
    fn size(&self) -> usize {
        self.movers.iter().map(|m| 8 * m.actions.len()).sum()
    }
}

/// A chance node.
#[derive(Debug)]
pub struct Chance {
    draws: Draws,
    pub cells: Cells,
}

#[derive(Debug)]
enum Draws {
    Listed {
        outcomes: Rc<Outcomes>,
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

impl Chance {
    fn new(state: &State, lister: &mut Lister<'_>) -> Result<Chance, PlayError> {
        let Some(outcomes) = lister.few_outcomes(state, LISTED)? else {
            return Ok(Chance {
                cells: Cells::new(u64::MAX),
                draws: Draws::Sampled(Box::default()),
            });
        };
        let first = outcomes.list.first().map(|(_, weight)| *weight);
        let weight = first.filter(|first| outcomes.list.iter().all(|(_, w)| w == first));
        Ok(Chance {
            cells: Cells::new(outcomes.list.len() as u64),
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

impl Node {
    /// The node of a state, without a visit. `outcome` makes of payoffs what a simulation brings back.
    pub fn new(
        machine: &Machine,
        state: &State,
        lister: &mut Lister<'_>,
        outcome: impl Fn(Payoffs) -> Outcome,
    ) -> Result<Node, PlayError> {
        Ok(match machine.turn(state) {
            Turn::Decision(players) => {
                Node::Decision(Decision::new(machine, state, players, lister)?)
            }
            Turn::Chance => Node::Chance(Chance::new(state, lister)?),
            Turn::Terminal => Node::Terminal(Box::new(outcome(machine.payoffs(state)?))),
        })
    }

    /// What was chosen or drawn here, as a step takes it.
    pub fn actions<T>(&self, step: &Step<T>) -> SmallVec<[&Action; 4]> {
        match self {
            Node::Decision(decision) => decision.actions(&step.places),
            Node::Chance(chance) => chance.outcome(step.way).into_iter().collect(),
            Node::Terminal(_) => SmallVec::new(),
        }
    }

    /// About how many words of memory it takes, with its state and the lists of options, and without its cells.
    pub fn size(&self, machine: &Machine) -> usize {
        let own = match self {
            Node::Decision(decision) => decision.size(),
            Node::Chance(chance) => chance.size(),
            Node::Terminal(_) => 0,
        };
        40 + own + machine.state_words()
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
