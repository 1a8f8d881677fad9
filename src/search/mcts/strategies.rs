//! Through all decision nodes of a tree, with what each mover would play there.

use super::cells::{Cell, NO_CHILD};
use super::policies::SelectionPolicy;
use super::positions::Positions;
use super::tree::{self, ActionIndices, Node, Tree};
use crate::machine::{Action, Actions, State};
use std::borrow::Cow;

/// One mover's strategy at one decision node of the tree.
#[derive(Copy, Clone, Debug)]
pub struct NodeStrategy<'t> {
    /// How the node is reached from the root: for each step what [`crate::machine::Machine::step`] takes, a joint action
    /// or one outcome of chance.
    pub path: &'t [Vec<Action>],
    pub state: &'t State,
    /// The simulations that went through the node.
    pub visits: u64,
    pub player: usize,
    /// The player's actions, in the order of [`crate::machine::Machine::legal`].
    pub actions: &'t Actions,
    /// The final decision of the policy: a probability for each action, 1 in all.
    pub strategy: &'t [f64],
}

/// Depth first and up to so many steps deep, the ways on in order, of players who move together the first in seating order
/// first.
pub fn for_each<P: SelectionPolicy>(
    tree: &Tree<P::Cell>,
    positions: &impl Positions,
    policy: &P,
    steps: usize,
    visit: &mut dyn FnMut(&NodeStrategy<'_>),
) {
    let mut path: Vec<Vec<Action>> = Vec::new();
    // What is still to be seen: a node, how deep it lies, and the step that leads to it.
    let mut rest: Vec<(u32, usize, Vec<Action>)> = vec![(0, 0, Vec::new())];
    while let Some((at, depth, step)) = rest.pop() {
        path.truncate(depth.saturating_sub(1));
        if depth > 0 {
            path.push(step);
        }
        let goes_on = |child: u32| depth < steps && child != NO_CHILD;
        let mut children = Vec::new();
        match &tree.nodes[at as usize] {
            Node::Terminal(_) => {}
            Node::Chance(chance) => {
                let taken = tree.cells(at).map(|cells| cells.taken());
                for (number, cell) in taken.into_iter().flatten() {
                    if goes_on(cell.child()) {
                        let step = chance.outcome(number).into_iter().cloned().collect();
                        children.push((cell.child(), depth + 1, step));
                    }
                }
            }
            Node::Decision(_) => {
                let Some(decision) = tree.decision(at) else {
                    continue;
                };
                let state = positions.at(at, &path);
                for (m, mover) in decision.movers.iter().enumerate() {
                    visit(&NodeStrategy {
                        path: &path,
                        state: &state,
                        visits: decision.visits,
                        player: mover.player(),
                        actions: &tree.all_actions(mover),
                        strategy: &policy.strategy(&decision, m),
                    });
                }
                let mut indices = ActionIndices::new();
                for (number, cell) in decision.cells.taken() {
                    if goes_on(cell.child()) {
                        tree::indices(decision.movers, number, &mut indices);
                        let step = tree.joint(decision.movers, &indices);
                        let step = step.into_iter().map(Cow::into_owned).collect();
                        children.push((cell.child(), depth + 1, step));
                    }
                }
            }
        }
        rest.extend(children.into_iter().rev());
    }
}
