//! The strong Stackelberg equilibrium by one program with binary variables (Paruchuri et al. 2008, “Playing games for
//! security”; Karwowski & Mańdziuk 2019, equation 6).
//!
//! q_j says that the follower has plan j, z_ij that the leader has i and the follower j. In equation 6 the z of one j add up to
//! q_j or more, and all of them to 1, and so to q_j; here the leader's realization plan is z times q_j, so that games over
//! a tree are covered too. With x_i = Σ_j z_ij and a the value of the best response, 0 ≤ a − Σ_i C_ij x_i ≤ (1 − q_j) M.

use super::found::Commitment;
use super::posed::Posed;
use super::{CommitmentMethod, Way, mixed_integer};
use crate::solve::TreeError;
use crate::solve::methods::Progress;
use microlp::{ComparisonOp, OptimizationDirection, Problem, Variable};
use std::sync::atomic::{AtomicBool, Ordering};

pub const METHOD: CommitmentMethod = CommitmentMethod {
    name: "dobss",
    doc: "The same by one mixed-integer program (DOBSS). For comparison: slow where there are more than a few dozen plans.",
    parameters: &[],
    is_random: false,
    by: Way::Posed(solve),
};

fn solve(
    posed: &Posed,
    progress: &mut dyn Progress,
    stop: &AtomicBool,
) -> Result<Commitment, TreeError> {
    let program = &posed.program;
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let free = (f64::NEG_INFINITY, f64::INFINITY);
    let best = problem.add_var(0.0, free);
    let x: Vec<Variable> = (0..program.sequences)
        .map(|_| problem.add_var(0.0, (0.0, 1.0)))
        .collect();
    let mut chosen = Vec::with_capacity(program.plans);
    let mut sums: Vec<Vec<(Variable, f64)>> = x.iter().map(|x| vec![(*x, -1.0)]).collect();
    let stopped = || stop.load(Ordering::Relaxed);
    progress.begin("plans posed", Some(program.plans as u64));
    for plan in 0..program.plans {
        if stopped() {
            return Err(TreeError::Stopped);
        }
        progress.done(plan as u64);
        let paid = program.leader(plan);
        let own = problem.add_binary_var(paid[0]);
        // z of this plan by sequence; that of the empty one is q itself.
        let mut z = vec![own];
        z.extend(
            paid[1..]
                .iter()
                .map(|paid| problem.add_var(*paid, (0.0, 1.0))),
        );
        for decision in &program.decisions {
            let sum = decision.range().map(|s| (z[s], 1.0));
            let sum: Vec<_> = sum.chain([(z[decision.before as usize], -1.0)]).collect();
            problem.add_constraint(sum, ComparisonOp::Eq, 0.0);
        }
        for (sum, z) in sums.iter_mut().zip(&z) {
            sum.push((*z, 1.0));
        }
        chosen.push(own);
    }
    for sum in sums {
        problem.add_constraint(sum, ComparisonOp::Eq, 0.0);
    }
    let one: Vec<_> = chosen.iter().map(|q| (*q, 1.0)).collect();
    problem.add_constraint(one, ComparisonOp::Eq, 1.0);
    for (plan, own) in chosen.iter().enumerate() {
        if stopped() {
            return Err(TreeError::Stopped);
        }
        let earned = x.iter().zip(program.follower(plan)).map(|(x, c)| (*x, -c));
        let mut short: Vec<_> = earned.chain([(best, 1.0)]).collect();
        problem.add_constraint(short.clone(), ComparisonOp::Ge, 0.0);
        // Both are sums of one number for what follows no decision and one for each decision, within the scale on either side
        // of 0.
        let most = 2.0 * program.scale * (program.decisions.len() + 1) as f64;
        short.push((*own, most));
        problem.add_constraint(short, ComparisonOp::Le, most);
    }
    let found = mixed_integer::solve(problem, progress, stop)?;
    let share = |(i, q): (usize, &Variable)| (found.value(*q), i);
    let plan = chosen.iter().enumerate().map(share);
    let plan = plan
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map_or(0, |(_, i)| i);
    let leader = x.iter().map(|x| found.value(*x)).collect();
    let work = vec![("nodes of the search", found.nodes)];
    Ok(Commitment::of(program, leader, plan, found.bound, work))
}
