//! Places of a tree that people ask about: the node after some moves, and who decides next there.

use super::{NodeKind, Tree, TreeError};
use crate::machine::{Action, Machine, State};
use crate::solve::branches::{Branches, Kind};
use smallvec::SmallVec;

/// A node that is no choice of one who moves together with others, with its world state.
#[derive(Clone, Debug)]
pub struct TreePosition {
    pub node: u32,
    pub state: State,
}

/// The most places that are looked through for the decisions that are next.
const MOST_PLACES: usize = 100_000;

impl Tree {
    /// The place after some steps, each one action for each player to move or one outcome; forced ones are among the steps.
    /// `None` when a step is none that play offers.
    ///
    /// # Errors
    /// Those of play.
    pub fn follow(
        &self,
        machine: &Machine,
        steps: &[Vec<Action>],
    ) -> Result<Option<TreePosition>, TreeError> {
        let mut place = TreePosition {
            node: 0,
            state: machine.initial()?,
        };
        let mut branches = Branches::default();
        let mut step = SmallVec::new();
        for wanted in steps {
            branches.fill(machine, &place.state)?;
            let found = (0..branches.len()).find(|&i| {
                branches.step(i, &mut step);
                step[..] == wanted[..]
            });
            let Some(branch) = found else {
                return Ok(None);
            };
            if !(self.skip_forced && branches.len() == 1) {
                place.node = self.below(place.node, &branches, branch);
            }
            machine.step(&mut place.state, wanted)?;
        }
        Ok(Some(place))
    }

    /// The information states at which somebody decides next from a place, or a certain player, whatever chance and the others
    /// do before; in the order of the tree. Empty when the game ends first.
    ///
    /// # Errors
    /// Those of play.
    pub fn next_decisions(
        &self,
        machine: &Machine,
        place: &TreePosition,
        player: Option<usize>,
    ) -> Result<Vec<usize>, TreeError> {
        let mut found = Vec::new();
        let mut waiting = vec![place.clone()];
        let mut branches = Branches::default();
        let mut step = SmallVec::new();
        let mut seen = 0;
        while let Some(mut at) = waiting.pop() {
            seen += 1;
            branches.fill(machine, &at.state)?;
            while self.skip_forced && branches.len() == 1 {
                branches.step(0, &mut step);
                machine.step(&mut at.state, &step)?;
                branches.fill(machine, &at.state)?;
            }
            if let Kind::Decision(movers) = branches.kind
                && player.is_none_or(|p| movers.contains(p))
            {
                let mut node = at.node;
                for mover in movers {
                    if let NodeKind::Decision(state) = self.nodes[node as usize].kind
                        && player.is_none_or(|p| p == mover)
                    {
                        found.push(state as usize);
                    }
                    node = self.nodes[node as usize].first;
                }
            } else if seen <= MOST_PLACES {
                for branch in (0..branches.len()).rev() {
                    branches.step(branch, &mut step);
                    let mut state = at.state.clone();
                    machine.step(&mut state, &step)?;
                    let node = self.below(at.node, &branches, branch);
                    waiting.push(TreePosition { node, state });
                }
            }
        }
        let mut known = rustc_hash::FxHashSet::default();
        found.retain(|state| known.insert(*state));
        Ok(found)
    }

    /// The node that a branch of a node leads to.
    fn below(&self, node: u32, branches: &Branches, branch: u64) -> u32 {
        let levels = match branches.kind {
            Kind::Decision(movers) => movers.len(),
            _ => 1,
        };
        // Nodes of one level stand next to one another, and so do the joint actions below the last.
        let first = (0..levels).fold(node, |node, _| self.nodes[node as usize].first);
        first + branch as u32
    }
}
