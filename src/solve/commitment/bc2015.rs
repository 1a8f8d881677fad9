//! The strong Stackelberg equilibrium by one program with binary variables over the sequence form (Bošanský & Čermák 2015,
//! “Sequence-form algorithm for computing Stackelberg equilibria in extensive-form games”; Karwowski & Mańdziuk 2019, equation 7).
//!
//! r of each player is a realization plan, that of the follower of zeros and ones. v of an information state of the follower is
//! what is best there, s by how much a sequence falls short of it: a sequence that is played falls short of nothing. p is the
//! probability of the ends that a pair of sequences leads to, as far as it is up to the players; with what chance does to
//! them p adds up to 1.
//!
//! The sequences are those of the reduced form. In equation 7 each p is at most the r of both its sequences. Here all p of a
//! sequence, times chance, are at most its r: they are the probability that the game ends after it, so that no solution is
//! lost, and there are as few rows as sequences. What chance has no part in needs no more; other p have their own rows too.

use super::found::Commitment;
use super::posed::Posed;
use super::reduced::{Reduced, Side};
use super::{CommitmentMethod, Way, mixed_integer};
use crate::solve::TreeError;
use crate::solve::methods::Progress;
use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};
use std::sync::atomic::{AtomicBool, Ordering};

pub const METHOD: CommitmentMethod = CommitmentMethod {
    name: "bc2015",
    doc: "The same by one mixed-integer program over the sequence form. For comparison: slow where there are more than a hundred \
          plans.",
    parameters: &[],
    is_random: false,
    by: Way::Posed(solve),
};

fn solve(
    posed: &Posed,
    progress: &mut dyn Progress,
    stop: &AtomicBool,
) -> Result<Commitment, TreeError> {
    let form = Reduced::of(posed, progress, stop)?;
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let own: Vec<Variable> = (0..form.leader.sequences)
        .map(|_| problem.add_var(0.0, (0.0, 1.0)))
        .collect();
    let answer: Vec<Variable> = (0..form.follower.sequences)
        .map(|_| problem.add_binary_var(0.0))
        .collect();
    flow(&mut problem, &form.leader, &own);
    flow(&mut problem, &form.follower, &answer);
    ends(&mut problem, &form, &own, &answer, stop)?;
    shortfalls(&mut problem, &form, &own, &answer, stop)?;
    let found = mixed_integer::solve(problem, progress, stop)?;
    let played = |sequence: &usize| found.value(answer[*sequence]) > 0.5;
    let plan = form.answers.iter().position(|plan| plan.iter().all(played));
    let Some(plan) = plan else {
        let why = "the answer that was found is no plan".to_string();
        return Err(TreeError::Unsolved(why));
    };
    let shares = form.strategy.iter();
    let strategy = shares.map(|s| found.value(own[*s])).collect();
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
fn flow(problem: &mut Problem, side: &Side, plan: &[Variable]) {
    problem.add_constraint([(plan[0], 1.0)], ComparisonOp::Eq, 1.0);
    for (before, choices) in &side.decisions {
        let sum = choices.iter().map(|s| (plan[*s], 1.0));
        let sum: Vec<_> = sum.chain([(plan[*before], -1.0)]).collect();
        problem.add_constraint(sum, ComparisonOp::Eq, 0.0);
    }
}

/// That it is to go on.
fn go_on(stop: &AtomicBool) -> Result<(), TreeError> {
    match stop.load(Ordering::Relaxed) {
        true => Err(TreeError::Stopped),
        false => Ok(()),
    }
}

/// The probabilities p of the ends.
fn ends(
    problem: &mut Problem,
    form: &Reduced,
    own: &[Variable],
    answer: &[Variable],
    stop: &AtomicBool,
) -> Result<(), TreeError> {
    let empty = |r: &Variable| vec![(*r, -1.0)];
    let mut of_own: Vec<_> = own.iter().map(empty).collect();
    let mut of_answer: Vec<_> = answer.iter().map(empty).collect();
    let mut all = Vec::new();
    for (&(leads, follows), end) in &form.ends {
        go_on(stop)?;
        let p = problem.add_var(end.paid[0], (0.0, 1.0));
        of_own[leads].push((p, end.chance));
        of_answer[follows].push((p, end.chance));
        all.push((p, end.chance));
        if end.chance < 1.0 {
            for r in [own[leads], answer[follows]] {
                problem.add_constraint([(p, 1.0), (r, -1.0)], ComparisonOp::Le, 0.0);
            }
        }
    }
    for row in of_own.into_iter().chain(of_answer) {
        go_on(stop)?;
        if row.len() > 1 {
            problem.add_constraint(row, ComparisonOp::Le, 0.0);
        }
    }
    problem.add_constraint(all, ComparisonOp::Eq, 1.0);
    Ok(())
}

/// What is best for the follower, v, and by how much each of its sequences falls short, s.
fn shortfalls(
    problem: &mut Problem,
    form: &Reduced,
    own: &[Variable],
    answer: &[Variable],
    stop: &AtomicBool,
) -> Result<(), TreeError> {
    let side = &form.follower;
    let free = (f64::NEG_INFINITY, f64::INFINITY);
    let best: Vec<Variable> = side
        .decisions
        .iter()
        .map(|_| problem.add_var(0.0, free))
        .collect();
    let mut after: Vec<Vec<(Variable, f64)>> = vec![Vec::new(); side.sequences];
    for ((before, _), best) in side.decisions.iter().zip(&best) {
        after[*before].push((*best, -1.0));
    }
    for (&(leads, follows), end) in &form.ends {
        after[follows].push((own[leads], -end.paid[1]));
    }
    // What may follow a sequence, times how likely it is come to, lies between these.
    let means = form.ends.values().map(|end| end.paid[1] / end.chance);
    let (least, most) = means.fold((0.0f64, 0.0f64), |(least, most), x| {
        (least.min(x), most.max(x))
    });
    let most = most - least;
    for ((_, choices), best) in side.decisions.iter().zip(&best) {
        go_on(stop)?;
        for &sequence in choices {
            let short = problem.add_var(0.0, (0.0, f64::INFINITY));
            let mut row = std::mem::take(&mut after[sequence]);
            row.extend([(*best, 1.0), (short, -1.0)]);
            problem.add_constraint(row, ComparisonOp::Eq, 0.0);
            let row = [(short, 1.0), (answer[sequence], most)];
            problem.add_constraint(row, ComparisonOp::Le, most);
        }
    }
    Ok(())
}
