//! The nodes that simulations have passed.
//!
//! A node is made when a simulation passes it for the first time; until then the cell that leads to it is all there is of
//! it. So the fringe of the tree, which is most of it, costs one cell a node.

use super::cells::{Cell, Cells, CellsRead};
use super::policies::Selected;
use crate::machine::{
    Action, Actions, KeptOptions, Lister, Machine, OptionStore, Outcomes, Payoffs, PlayError,
    State, Turn, below,
};
use crate::model::PlayerSet;
use crate::random::Stream;
use crate::solve::codes;
use indexmap::IndexSet;
use smallvec::SmallVec;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// What everybody gets at the end of a simulation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SimulationResult {
    /// Of each player, in units of payoff as the description states them.
    pub payoffs: Payoffs,
    /// The first player's payoff less half of what all payoffs add up to by the game's claim. In a two-player
    /// constant-sum game the second player's is the same with the other sign.
    pub value: f64,
}

impl SimulationResult {
    /// Works out the value, by half of what all payoffs add up to.
    #[inline]
    pub fn weigh(&mut self, half: f64) {
        self.value = self.payoffs.first().map_or(0.0, |u| u - half);
    }
}

/// The nodes of a tree, and the statistics of all of them, one behind the other.
#[derive(Debug)]
pub struct Tree<C> {
    pub nodes: Vec<Node<C>>,
    options: OptionStore,
    statistics: Vec<f64>,
    /// The tables of cells.
    tables: Vec<C>,
    /// How many columns of statistics a mover has.
    columns: usize,
    /// About how many bytes what the nodes point to takes.
    cells: usize,
}

#[derive(Debug)]
pub enum Node<C> {
    Decision(Choices<C>),
    Chance(Box<Chance<C>>),
    Terminal(Box<SimulationResult>),
}

impl<C: Cell> Node<C> {
    /// About how many bytes of memory it points to.
    fn bytes(&self) -> usize {
        match self {
            Node::Decision(choices) => choices.bytes(),
            Node::Chance(chance) => size_of::<Chance<C>>() + chance.cells.bytes(),
            Node::Terminal(_) => size_of::<SimulationResult>(),
        }
    }

    fn cells_mut(&mut self) -> Option<&mut Cells<C>> {
        match self {
            Node::Decision(choices) => Some(&mut choices.cells),
            Node::Chance(chance) => Some(&mut chance.cells),
            Node::Terminal(_) => None,
        }
    }
}

/// A decision node: one player to move, or several at the same time. It takes one line of a cache.
#[derive(Debug)]
#[repr(align(64))]
pub struct Choices<C> {
    pub visits: u64,
    movers: SmallVec<[Mover; 2]>,
    /// By the number of the joint action: in row-major order, the first mover's action first.
    pub cells: Cells<C>,
}

/// One of the players who choose at a node.
#[derive(Clone, Debug)]
pub struct Mover {
    /// The parts of its [`KeptOptions`].
    at: u32,
    count: u32,
    words: u16,
    player: u8,
    /// Where this player's statistics begin.
    first: u32,
}

impl Mover {
    #[inline]
    pub fn player(&self) -> usize {
        usize::from(self.player)
    }

    /// How many actions there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.count as usize
    }

    fn options(&self) -> KeptOptions {
        KeptOptions {
            at: self.at,
            count: self.count,
            words: self.words,
        }
    }

    /// Where a column of statistics is.
    #[inline]
    fn column(&self, column: usize) -> Range<usize> {
        let first = self.first as usize + column * self.len();
        first..first + self.len()
    }
}

/// A decision node as a policy reads it.
#[derive(Debug)]
pub struct Decision<'t, C> {
    pub visits: u64,
    pub movers: &'t [Mover],
    pub cells: CellsRead<'t, C>,
    statistics: &'t [f64],
}

/// A decision node whose statistics change.
#[derive(Debug)]
pub struct DecisionMut<'t, C> {
    pub visits: u64,
    pub movers: &'t [Mover],
    pub cells: CellsRead<'t, C>,
    statistics: &'t mut [f64],
}

/// The place of each mover's action, in the order of the movers.
pub type ActionIndices = SmallVec<[u32; 4]>;

impl<C> Decision<'_, C> {
    /// The columns of statistics of one mover, by its place among the movers, each with a number for each action. What they
    /// are, and how many, is the policy's ([`SelectionPolicy::COLUMNS`](super::policies::SelectionPolicy::COLUMNS)).
    #[inline]
    pub fn columns<const N: usize>(&self, mover: usize) -> [&[f64]; N] {
        let mover = &self.movers[mover];
        std::array::from_fn(|column| &self.statistics[mover.column(column)])
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
    #[inline]
    pub fn columns_mut<const N: usize>(&mut self, mover: usize) -> [&mut [f64]; N] {
        let mover = &self.movers[mover];
        let (first, n) = (mover.first as usize, mover.len());
        let mut rest = &mut self.statistics[first..];
        std::array::from_fn(|_| {
            let (column, others) = std::mem::take(&mut rest).split_at_mut(n);
            rest = others;
            column
        })
    }
}

/// The number of a joint action.
#[inline]
pub fn way(movers: &[Mover], indices: &[u32]) -> u64 {
    let parts = std::iter::zip(movers, indices);
    parts.fold(0, |way, (m, &place)| {
        way * u64::from(m.count) + u64::from(place)
    })
}

/// How much further the number of the joint action is for the next action of a mover, by its place among the movers.
#[inline]
pub fn stride(movers: &[Mover], mover: usize) -> u64 {
    let later = &movers[mover + 1..];
    later.iter().map(|m| u64::from(m.count)).product()
}

/// The joint action with a number.
#[inline]
pub fn indices(movers: &[Mover], mut way: u64, indices: &mut ActionIndices) {
    indices.clear();
    indices.resize(movers.len(), 0);
    for (place, mover) in std::iter::zip(&mut *indices, movers).rev() {
        let count = u64::from(mover.count.max(1));
        *place = (way % count) as u32;
        way /= count;
    }
}

/// What a step takes, in seating order.
pub type Joint<'t> = SmallVec<[Cow<'t, Action>; 2]>;

/// The same as those who play take it.
pub fn borrowed<'j>(joint: &'j Joint<'_>) -> SmallVec<[&'j Action; 4]> {
    joint.iter().map(|action| &**action).collect()
}

impl<C: Cell> Choices<C> {
    /// About how many bytes of memory it points to.
    fn bytes(&self) -> usize {
        let movers = match self.movers.spilled() {
            true => self.movers.capacity() * size_of::<Mover>(),
            false => 0,
        };
        movers + self.cells.bytes()
    }
}

impl<C: Cell> Tree<C> {
    /// With so many columns of statistics for each mover.
    pub fn new(columns: usize) -> Tree<C> {
        Tree {
            nodes: Vec::new(),
            options: OptionStore::default(),
            statistics: Vec::new(),
            tables: Vec::new(),
            columns,
            cells: 0,
        }
    }

    /// A decision node; `None` for a node of another kind.
    #[inline]
    pub fn decision(&self, node: u32) -> Option<Decision<'_, C>> {
        let Node::Decision(choices) = &self.nodes[node as usize] else {
            return None;
        };
        Some(Decision {
            visits: choices.visits,
            movers: &choices.movers,
            cells: choices.cells.read(&self.tables),
            statistics: &self.statistics,
        })
    }

    /// The same after one visit more, for a policy to learn from it.
    #[inline]
    pub fn visited(&mut self, node: u32) -> Option<DecisionMut<'_, C>> {
        let Node::Decision(choices) = &mut self.nodes[node as usize] else {
            return None;
        };
        choices.visits += 1;
        Some(DecisionMut {
            visits: choices.visits,
            movers: &choices.movers,
            cells: choices.cells.read(&self.tables),
            statistics: &mut self.statistics,
        })
    }

    /// About how many bytes of memory it takes, without the lists of outcomes.
    pub fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node<C>>()
            + size_of_val::<[f64]>(&self.statistics)
            + size_of_val::<[C]>(&self.tables)
            + self.options.bytes()
            + self.cells
    }

    /// The cell of a way on from a node that was not taken before; its place. The node must not be one where the game is
    /// over.
    pub fn add_cell(&mut self, node: u32, way: u64) -> u32 {
        let Some(cells) = self.nodes[node as usize].cells_mut() else {
            return 0;
        };
        let before = cells.bytes();
        let place = cells.add(way, &mut self.tables);
        let after = cells.bytes();
        self.cells = self.cells + after - before;
        place
    }

    /// The cells of a node; `None` where the game is over.
    #[inline]
    pub fn cells(&self, node: u32) -> Option<CellsRead<'_, C>> {
        let cells = match &self.nodes[node as usize] {
            Node::Decision(choices) => &choices.cells,
            Node::Chance(chance) => &chance.cells,
            Node::Terminal(_) => return None,
        };
        Some(cells.read(&self.tables))
    }

    /// The place of a way on from a node and where it leads, if it was taken.
    #[inline]
    pub fn way_on(&self, node: u32, way: u64) -> Option<(u32, u32)> {
        self.cells(node)?.way_on(way)
    }

    /// A cell of a node, which must be there; `None` where the game is over.
    #[inline]
    pub fn cell_mut(&mut self, node: u32, place: u32) -> Option<&mut C> {
        let cells = self.nodes[node as usize].cells_mut()?;
        Some(cells.at_mut(place, &mut self.tables))
    }

    /// What was chosen or drawn at a node.
    pub fn actions<T>(&self, node: u32, step: &Selected<T>) -> Joint<'_> {
        match &self.nodes[node as usize] {
            Node::Decision(choices) => self.joint(&choices.movers, &step.indices),
            Node::Chance(chance) => {
                let outcome = chance.outcome(step.way).map(Cow::Borrowed);
                outcome.into_iter().collect()
            }
            Node::Terminal(_) => SmallVec::new(),
        }
    }

    /// Hands on what was chosen or drawn at a node.
    #[inline]
    pub fn with_actions<T, R>(
        &self,
        node: u32,
        step: &Selected<T>,
        f: impl FnOnce(&[&Action]) -> R,
    ) -> R {
        // Mostly one player chooses.
        if let Node::Decision(choices) = &self.nodes[node as usize]
            && let [mover] = &choices.movers[..]
            && let [place] = step.indices[..]
        {
            let action = self.options.action(mover.options(), place as usize);
            return f(&[&*action]);
        }
        f(&borrowed(&self.actions(node, step)))
    }

    /// The actions of movers with these indices.
    pub fn joint(&self, movers: &[Mover], indices: &[u32]) -> Joint<'_> {
        let chosen = std::iter::zip(movers, indices);
        let chosen = chosen.map(|(m, &p)| self.options.action(m.options(), p as usize));
        chosen.collect()
    }

    /// All actions of a mover, in order.
    pub fn all_actions(&self, mover: &Mover) -> Arc<Actions> {
        self.options.actions(mover.options())
    }

    /// Adds the node of a state, without a visit. `end` says what a simulation brings back from a state where the game is
    /// over.
    pub fn add(
        &mut self,
        machine: &Machine,
        state: &State,
        lister: &mut Lister<'_>,
        end: impl FnOnce(&State) -> Result<SimulationResult, PlayError>,
    ) -> Result<(), PlayError> {
        let node = match machine.turn(state) {
            Turn::Decision(players) => self.choices(machine, state, players, lister)?,
            Turn::Chance => {
                let chance = Chance::new(state, lister, &mut self.tables)?;
                Node::Chance(Box::new(chance))
            }
            Turn::Terminal => Node::Terminal(Box::new(end(state)?)),
        };
        self.cells += node.bytes();
        self.nodes.push(node);
        Ok(())
    }

    fn choices(
        &mut self,
        machine: &Machine,
        state: &State,
        players: PlayerSet,
        lister: &mut Lister<'_>,
    ) -> Result<Node<C>, PlayError> {
        let first = self.statistics.len();
        let (mut length, mut ways) = (0, 1u64);
        let mut movers = SmallVec::new();
        for player in players {
            let kept = lister.legal(state, player, &mut self.options)?;
            ways = match ways.checked_mul(kept.count() as u64) {
                Some(ways) => ways,
                None => return Err(too_many(machine, state)),
            };
            movers.push(Mover {
                at: kept.at,
                count: kept.count,
                words: kept.words,
                player: player as u8,
                first: (first + length) as u32,
            });
            length += self.columns * kept.count();
        }
        self.statistics.resize(first + length, 0.0);
        let choices = Choices {
            visits: 0,
            movers,
            // A table may take as much as the statistics.
            cells: Cells::new(ways, 8 * length, &mut self.tables),
        };
        Ok(Node::Decision(choices))
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
    fn new(
        state: &State,
        lister: &mut Lister<'_>,
        tables: &mut Vec<C>,
    ) -> Result<Chance<C>, PlayError> {
        let Some(outcomes) = lister.few_outcomes(state, LISTED)? else {
            return Ok(Chance {
                cells: Cells::new(u64::MAX, TABLE, tables),
                draws: Draws::Sampled(Box::default()),
            });
        };
        let first = outcomes.list.first().map(|(_, weight)| *weight);
        let weight = first.filter(|first| outcomes.list.iter().all(|(_, w)| w == first));
        Ok(Chance {
            cells: Cells::new(outcomes.list.len() as u64, TABLE, tables),
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
        assert!(size_of::<Node<Link>>() <= 64);
        assert!(size_of::<Node<Mean>>() <= 64);
        assert!(size_of::<Mover>() <= 16);
    }
}
