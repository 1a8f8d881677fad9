//! Iterations of a regret minimizer until its average strategies are good enough, and the parameters that all of them have.

use super::RegretMinimizer;
use crate::solve::exploitability;
use crate::solve::methods::{Found, Kind, Parameter, Progress, Task};
use crate::solve::sequences::Sequences;
use serde::Serialize;
use serde_json::{Map, Value as Json};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

pub const ITERATIONS: Parameter = Parameter {
    name: "iterations",
    kind: Kind::Count(1, 1_000_000_000_000),
    placeholder: "N",
    doc: "How many iterations",
    default: "1000; 100000 for `mccfr`",
    only_with: None,
    family: "regret",
};

pub const UNTIL: Parameter = Parameter {
    name: "until",
    kind: Kind::Amount(0.0, f64::MAX),
    placeholder: "X",
    doc: "End as soon as NashConv is at most X; it is looked at after 1, 2, 4, 8, … iterations",
    default: "",
    only_with: None,
    family: "regret",
};

/// Iterations unless something else is said, of a method that goes over the whole game.
pub const USUAL_ITERATIONS: u64 = 1000;

/// When to end.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Goal {
    pub iterations: u64,
    /// NashConv that is good enough, in units of payoff.
    pub nash_conv: Option<f64>,
}

/// How close the average strategies were after some iterations.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Milestone {
    pub iterations: u64,
    pub nash_conv: f64,
}

/// How it went.
#[derive(Clone, Debug, PartialEq)]
pub struct Iterated {
    /// After 1, 2, 4, 8, … iterations, and at the end.
    pub milestones: Vec<Milestone>,
    /// False when it was stopped before the goal.
    pub complete: bool,
    /// What the iterations took, without looking how close the strategies are.
    pub spent: Duration,
}

/// Iterates until the goal is reached or `stop` is set. `clock` gives the time since some fixed moment.
pub fn iterate(
    minimizer: &mut dyn RegretMinimizer,
    sequences: &Sequences,
    goal: &Goal,
    clock: &dyn Fn() -> Duration,
    progress: &mut dyn Progress,
    stop: &AtomicBool,
) -> Iterated {
    let mut milestones = Vec::new();
    let mut spent = Duration::ZERO;
    let mut good = false;
    progress.begin("iterations", Some(goal.iterations));
    let stopped = || stop.load(Ordering::Relaxed);
    while minimizer.iterations() < goal.iterations && !good && !stopped() {
        let doubled = minimizer.iterations().saturating_mul(2);
        let next = doubled.clamp(1, goal.iterations);
        let start = clock();
        while minimizer.iterations() < next && !stopped() {
            minimizer.iterate();
            if minimizer.iterations().is_multiple_of(16) {
                progress.done(minimizer.iterations());
            }
        }
        spent += clock() - start;
        let nash_conv = exploitability(sequences, &minimizer.average()).nash_conv;
        milestones.push(Milestone {
            iterations: minimizer.iterations(),
            nash_conv,
        });
        good = goal.nash_conv.is_some_and(|enough| nash_conv <= enough);
    }
    Iterated {
        milestones,
        complete: good || minimizer.iterations() == goal.iterations,
        spent,
    }
}

/// Solves a game by iteration, as the parameters of the task say. `details` describes the method.
pub(super) fn solve(
    task: &Task<'_>,
    minimizer: &mut dyn RegretMinimizer,
    usual_iterations: u64,
    details: Map<String, Json>,
    progress: &mut dyn Progress,
) -> Found {
    let goal = Goal {
        iterations: task.values.count("iterations").unwrap_or(usual_iterations),
        nash_conv: task.values.amount("until"),
    };
    let (sequences, clock) = (task.sequences, task.clock);
    let went = iterate(minimizer, sequences, &goal, clock, progress, task.stop);
    let (done, seconds) = (minimizer.iterations(), went.spent.as_secs_f64());
    let rate = match seconds > 0.0 {
        true => done as f64 / seconds,
        false => 0.0,
    };
    let mut all = Map::new();
    all.insert("iterations".to_string(), done.into());
    all.insert("iterations_per_second".to_string(), rate.into());
    all.extend(details);
    let milestones = serde_json::to_value(&went.milestones).unwrap_or_default();
    all.insert("convergence".to_string(), milestones);
    Found {
        profile: minimizer.average(),
        stopped: (!went.complete).then(|| {
            let all = goal.iterations;
            format!("stopped after {done} of {all} iterations")
        }),
        details: all,
        convergence: went.milestones,
        remark: String::new(),
        seconds,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Settings;
    use crate::solve::regret::CfrPlus;
    use crate::solve::{TreeOptions, tree};

    const PENNIES: &str = "game Pennies { players { Ann, Ben } state { side : [Player] bool }
      play { together each p in Player { p chooses x in { true, false } into side[p] } }
      payoff zero-sum: [p in Player] if (side[Ann] == side[Ben]) == (p == Ann) then 2 else -2 }";

    fn run(goal: Goal, stop: bool) -> Iterated {
        let (machine, _) = crate::load(PENNIES, &Settings::new()).expect("a game");
        let stop = AtomicBool::new(stop);
        let machine = std::sync::Arc::new(machine);
        let free = AtomicBool::new(false);
        let options = TreeOptions::default();
        let tree = tree::build(&machine, &options, &mut |_| {}, &free).expect("a tree");
        let sequences = Sequences::new(&tree);
        let mut minimizer = CfrPlus::new(&tree, &sequences);
        let clock = || Duration::ZERO;
        iterate(&mut minimizer, &sequences, &goal, &clock, &mut (), &stop)
    }

    #[test]
    fn iteration_ends_with_its_number_when_it_is_good_enough_or_when_it_is_stopped() {
        let goal = Goal {
            iterations: 5,
            nash_conv: None,
        };
        let found = run(goal, false);
        let seen: Vec<u64> = found.milestones.iter().map(|m| m.iterations).collect();
        assert_eq!((seen, found.complete), (vec![1, 2, 4, 5], true));
        let enough = Goal {
            nash_conv: Some(10.0),
            ..goal
        };
        let found = run(enough, false);
        assert_eq!((found.milestones.len(), found.complete), (1, true));
        let found = run(goal, true);
        assert_eq!((found.milestones.len(), found.complete), (0, false));
    }
}
