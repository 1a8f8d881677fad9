//! The strong Stackelberg equilibrium by one program with binary variables over the sequence form (Bošanský & Čermák 2015,
//! “Sequence-form algorithm for computing Stackelberg equilibria in extensive-form games”; Karwowski & Mańdziuk 2019, equation 7).
//!
//! r of each player is a realization plan, that of the follower of zeros and ones. v of an information state of the follower is
//! what is best there, s by how much a sequence falls short of it: a sequence that is played falls short of nothing. p is the
//! probability of the ends that a pair of sequences leads to, as far as it is up to the players; with what chance does to
//! them p adds up to 1.

use super::found::Commitment;
use super::posed::{Form, Posed};
use super::sequence_form::SequenceForm;
use super::{CommitmentMethod, Way, mixed_integer};
use crate::solve::TreeError;
use crate::solve::methods::Progress;
use crate::solve::sequences::PlayerSequences;
use crate::solve::tree::NodeKind;
use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

pub const METHOD: CommitmentMethod = CommitmentMethod {
    name: "bc2015",
    doc: "The same by one mixed-integer program over the sequence form. For comparison: slow where the tree has more than a \
          few thousand nodes.",
    parameters: &[],
    is_random: false,
    by: Way::Posed {
        over_tree: true,
        solve,
    },
};

fn solve(
    posed: &Posed,
    progress: &mut dyn Progress,
    stop: &AtomicBool,
) -> Result<Commitment, TreeError> {
    let Form::Tree(form) = &posed.form else {
        let why = "the game is not posed over its tree".to_string();
        return Err(TreeError::Unsolved(why));
    };
    let leader = posed.leader;
    let own = &form.sequences.players[leader];
    let other = &form.sequences.players[1 - leader];
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let own_plan: Vec<Variable> = (0..own.sequences)
        .map(|_| problem.add_var(0.0, (0.0, 1.0)))
        .collect();
    let answer: Vec<Variable> = (0..other.sequences)
        .map(|_| problem.add_binary_var(0.0))
        .collect();
    flow(&mut problem, own, &own_plan);
    flow(&mut problem, other, &answer);

    let mut all = Vec::new();
    for ((own, other), (chance, paid)) in pairs(form, leader) {
        let p = problem.add_var(paid, (0.0, 1.0));
        problem.add_constraint([(p, 1.0), (own_plan[own], -1.0)], ComparisonOp::Le, 0.0);
        problem.add_constraint([(p, 1.0), (answer[other], -1.0)], ComparisonOp::Le, 0.0);
        all.push((p, chance));
    }
    problem.add_constraint(all, ComparisonOp::Eq, 1.0);

    let free = (f64::NEG_INFINITY, f64::INFINITY);
    let best: Vec<Variable> = other
        .decisions
        .iter()
        .map(|_| problem.add_var(0.0, free))
        .collect();
    let most = 2.0 * posed.program.scale * (1 + other.decisions.len()) as f64;
    for (decision, best_here) in other.decisions.iter().zip(&best) {
        for sequence in decision.range() {
            let short = problem.add_var(0.0, (0.0, f64::INFINITY));
            let later = other.decisions.iter().zip(&best);
            let later = later.filter(|(d, _)| d.before as usize == sequence);
            let earned = other.entries(sequence);
            let earned = earned.map(|(own, worth)| (own_plan[own[0] as usize], -worth));
            let row: Vec<_> = [(*best_here, 1.0), (short, -1.0)]
                .into_iter()
                .chain(later.map(|(_, best)| (*best, -1.0)))
                .chain(earned)
                .collect();
            problem.add_constraint(row, ComparisonOp::Eq, 0.0);
            let row = [(short, 1.0), (answer[sequence], most)];
            problem.add_constraint(row, ComparisonOp::Le, most);
        }
    }
    let found = mixed_integer::solve(&problem, progress, stop)?;
    let solution = &found.solution;
    let played = |sequence: &u32| solution.var_value(answer[*sequence as usize]) > 0.5;
    let plan = form.plans.iter().position(|plan| plan.iter().all(played));
    let Some(plan) = plan else {
        let why = "the answer that was found is no plan".to_string();
        return Err(TreeError::Unsolved(why));
    };
    let strategy = own_plan.iter().map(|x| solution.var_value(*x)).collect();
    let work = vec![("nodes of the search", found.nodes)];
    Ok(Commitment::of(
        &posed.program,
        strategy,
        plan,
        found.bound,
        work,
    ))
}

/// The constraints of a realization plan.
fn flow(problem: &mut Problem, form: &PlayerSequences, plan: &[Variable]) {
    problem.add_constraint([(plan[0], 1.0)], ComparisonOp::Eq, 1.0);
    for decision in &form.decisions {
        let sum = decision.range().map(|s| (plan[s], 1.0));
        let sum: Vec<_> = sum
            .chain([(plan[decision.before as usize], -1.0)])
            .collect();
        problem.add_constraint(sum, ComparisonOp::Eq, 0.0);
    }
}

/// A sequence of the leader and one of the follower.
type Pair = (usize, usize);

/// For each pair of sequences that leads to ends the sum of the probabilities of these by chance alone, and with the leader's
/// payoffs.
fn pairs(form: &SequenceForm, leader: usize) -> BTreeMap<Pair, (f64, f64)> {
    let tree = &form.tree;
    let mut pairs: BTreeMap<Pair, (f64, f64)> = BTreeMap::new();
    let mut at = vec![([0usize; 2], 1.0f64); tree.nodes().len()];
    for (number, node) in tree.nodes().iter().enumerate() {
        let (sequences, chance) = at[number];
        let children = node.first as usize..(node.first + node.children) as usize;
        match node.kind {
            NodeKind::Terminal(vector) => {
                let pair = (sequences[leader], sequences[1 - leader]);
                let sum = pairs.entry(pair).or_default();
                sum.0 += chance;
                sum.1 += chance * tree.payoffs(vector)[leader];
            }
            NodeKind::Chance(_) => {
                for (child, p) in children.zip(tree.probabilities(node)) {
                    at[child] = (sequences, chance * p);
                }
            }
            NodeKind::Decision(state) => {
                let state = &tree.information_states()[state as usize];
                let player = state.player as usize;
                let first = state.first as usize + 1 - tree.choices_of(player).start;
                for (child, sequence) in children.zip(first..) {
                    let mut sequences = sequences;
                    sequences[player] = sequence;
                    at[child] = (sequences, chance);
                }
            }
        }
    }
    pairs
}
