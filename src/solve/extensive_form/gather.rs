//! Collects the extensive form of a game: its tree is gone over once more beside the game, for names and exact numbers.

use super::{Draw, ExtensiveForm, FormKind, FormNode, InformationSet};
use crate::machine::{Machine, State};
use crate::solve::branches::{Branches, Kind};
use crate::solve::tree::information_state_text::InformationStateTexts;
use crate::solve::tree::{NodeKind, Tree, TreeError};
use indexmap::IndexSet;
use num_rational::Ratio;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;
use std::sync::atomic::{AtomicBool, Ordering};

/// The extensive form of a game whose tree was built whole, or to `depth` steps.
///
/// # Errors
/// Those of play, which building the tree would have met already; [`TreeError::Stopped`].
pub fn extensive_form(
    machine: &Machine,
    tree: &Tree,
    depth: Option<u32>,
    cancel: &AtomicBool,
) -> Result<ExtensiveForm, TreeError> {
    let texts = InformationStateTexts::new(machine, tree);
    let mut sets = Vec::with_capacity(tree.information_states().len());
    for (number, state) in tree.information_states().iter().enumerate() {
        if cancel.load(Ordering::Relaxed) {
            return Err(TreeError::Stopped);
        }
        sets.push(InformationSet {
            player: state.player,
            saw: texts.saw(number)?,
            moves: texts.choices(number)?,
        });
    }
    let mut gathering = Gathering::new(machine, tree);
    gathering.run(cancel)?;
    let denominator = machine.payoff_denominator();
    let exact = |units: &SmallVec<[i64; 8]>| {
        let exact = units.iter().map(|&n| Ratio::new(n, denominator));
        exact.collect()
    };
    Ok(ExtensiveForm {
        title: machine.description().name.clone(),
        players: machine.player_names().map(str::to_string).collect(),
        nodes: gathering.nodes,
        sets,
        draws: gathering.draws.into_iter().collect(),
        payoffs: gathering.units.iter().map(exact).collect(),
        depth,
    })
}

struct Gathering<'a> {
    machine: &'a Machine,
    tree: &'a Tree,
    nodes: Vec<FormNode>,
    draws: IndexSet<Vec<Draw>, FxBuildHasher>,
    units: IndexSet<SmallVec<[i64; 8]>, FxBuildHasher>,
}

impl<'a> Gathering<'a> {
    fn new(machine: &'a Machine, tree: &'a Tree) -> Gathering<'a> {
        // Decisions are as the tree has them; the others get their kinds when the game comes there.
        let nodes = tree.nodes().iter().map(|node| FormNode {
            kind: match node.kind {
                NodeKind::Decision(state) => FormKind::Decision(state),
                _ => FormKind::Cut,
            },
            first: node.first,
            children: node.children,
        });
        Gathering {
            machine,
            tree,
            nodes: nodes.collect(),
            draws: IndexSet::default(),
            units: IndexSet::default(),
        }
    }

    fn run(&mut self, cancel: &AtomicBool) -> Result<(), TreeError> {
        let mut branches = Branches::default();
        let mut step = SmallVec::new();
        let mut open = vec![(0u32, self.machine.initial()?)];
        while let Some((node, mut state)) = open.pop() {
            if cancel.load(Ordering::Relaxed) {
                return Err(TreeError::Stopped);
            }
            branches.fill(self.machine, &state)?;
            while self.tree.skips_forced() && branches.len() == 1 {
                branches.step(0, &mut step);
                self.machine.step(&mut state, &step)?;
                branches.fill(self.machine, &state)?;
            }
            let levels = match branches.kind {
                Kind::Terminal => {
                    let units = self.machine.payoff_units(&state)?;
                    let vector = self.units.insert_full(units).0;
                    self.nodes[node as usize].kind = FormKind::End(vector as u32);
                    continue;
                }
                _ if self.nodes[node as usize].children == 0 => continue,
                Kind::Chance => {
                    let draw = self.draw(&branches, &state);
                    self.nodes[node as usize].kind = FormKind::Chance(draw);
                    1
                }
                Kind::Decision(movers) => movers.len(),
            };
            // Each of those who choose at the same time has a level of nodes; the joint actions stand below the last.
            let first = (0..levels).fold(node, |node, _| self.nodes[node as usize].first);
            for branch in (0..branches.len()).rev() {
                let mut after = state.clone();
                branches.step(branch, &mut step);
                self.machine.step(&mut after, &step)?;
                open.push((first + branch as u32, after));
            }
        }
        Ok(())
    }

    /// The number of what chance draws in a state.
    fn draw(&mut self, branches: &Branches, state: &State) -> u32 {
        let mut step = SmallVec::new();
        let total = branches.total_weight();
        let outcomes = (0..branches.len()).map(|branch| {
            branches.step(branch, &mut step);
            Draw {
                text: self.machine.outcome_text(state, &step[0], None),
                probability: Ratio::new(branches.weight(branch), total),
            }
        });
        let outcomes = outcomes.collect();
        self.draws.insert_full(outcomes).0 as u32
    }
}
