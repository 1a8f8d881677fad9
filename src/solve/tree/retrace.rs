//! Plays the way from the start to a node of a tree again: for the world state there, and for telling it in words.

use super::{NodeKind, Tree, TreeError};
use crate::machine::{Action, Machine, State};
use crate::solve::branches::{Branches, Kind};
use smallvec::SmallVec;

/// The way to a node.
#[derive(Clone, Debug)]
pub struct Retraced {
    /// For each step one action for each player to move, or the outcome.
    pub steps: Vec<SmallVec<[Action; 4]>>,
    /// The world state at the node. At the nodes of players who choose at the same time it is the same for all.
    pub state: State,
}

/// Plays the way to `node` again.
///
/// # Errors
/// Those of play, which building the tree would have met already.
pub fn retrace(machine: &Machine, tree: &Tree, node: u32) -> Result<Retraced, TreeError> {
    let mut way = Vec::new();
    let mut at = node;
    while let Some(parent) = tree.parent(at) {
        way.push(u64::from(at - tree.nodes()[parent as usize].first));
        at = parent;
    }
    let mut state = machine.initial()?;
    let mut steps = Vec::new();
    let mut branches = Branches::default();
    loop {
        branches.fill(machine, &state)?;
        let branch = if tree.skips_forced() && branches.len() == 1 {
            0
        } else {
            let levels = match branches.kind {
                Kind::Terminal => break,
                Kind::Chance => 1,
                Kind::Decision(movers) => movers.len(),
            };
            if way.len() < levels {
                break;
            }
            let taken = way.split_off(way.len() - levels);
            let choices = taken.iter().rev().enumerate();
            choices.fold(0, |branch, (level, choice)| match branches.kind {
                Kind::Decision(_) => branch * branches.options(level).len() as u64 + choice,
                _ => *choice,
            })
        };
        let mut actions = SmallVec::new();
        branches.step(branch, &mut actions);
        machine.step(&mut state, &actions)?;
        steps.push(actions);
    }
    Ok(Retraced { steps, state })
}

impl Tree {
    /// The world state at which a player is asked in an information state, as its first history has it.
    ///
    /// # Errors
    /// As [`retrace`].
    pub fn world(&self, machine: &Machine, information_state: usize) -> Result<State, TreeError> {
        let node = self.information_states[information_state].node;
        debug_assert!(matches!(
            self.nodes[node as usize].kind,
            NodeKind::Decision(_)
        ));
        Ok(retrace(machine, self, node)?.state)
    }
}
