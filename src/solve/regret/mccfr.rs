//! Monte Carlo CFR as a method: which of its samplings is taken.

use super::iterate::{self, ITERATIONS, UNTIL};
use super::{ExternalSampling, OutcomeSampling, RegretMinimizer};
use crate::solve::methods::{Found, Kind, Method, Parameter, Progress, Solver, Task};
use crate::solve::tree::TreeError;
use crate::solve::zero_sum::suited;
use serde_json::Map;

pub const METHOD: Method = Method {
    name: "mccfr",
    doc: "The same by sampling: each iteration looks at a small part of the game.",
    parameters: &[ITERATIONS, UNTIL, SAMPLING, EPSILON, BASELINES],
    is_random: true,
    suits: |machine| suited(machine, "mccfr"),
    solver: Solver::Tree(solve),
};

const SAMPLING: Parameter = Parameter {
    name: "sampling",
    kind: Kind::OneOf(&["external", "outcome"]),
    placeholder: "SAMPLING",
    doc: "What an iteration of `mccfr` samples: the choices of the others, or a whole game",
    default: "external",
    only_with: None,
    family: "regret",
};

const EPSILON: Parameter = Parameter {
    name: "epsilon",
    kind: Kind::Amount(0.001, 1.0),
    placeholder: "E",
    doc: "With the sampling `outcome`: how often a player explores, from 0.001 to 1",
    default: "0.6",
    only_with: Some(("sampling", "outcome")),
    family: "regret",
};

const BASELINES: Parameter = Parameter {
    name: "baselines",
    kind: Kind::OneOf(&["learned", "none"]),
    placeholder: "BASELINES",
    doc: "With the sampling `outcome`: whether what was learned of choices stands in for what is not sampled, so that estimates \
          vary less (VR-MCCFR)",
    default: "learned",
    only_with: Some(("sampling", "outcome")),
    family: "regret",
};

/// Iterations unless something else is said; each is short.
const USUAL_ITERATIONS: u64 = 100_000;

fn solve(task: &Task<'_>, progress: &mut dyn Progress) -> Result<Found, TreeError> {
    let sampling = task.values.word("sampling").unwrap_or("external");
    let epsilon = task.values.amount("epsilon");
    let epsilon = epsilon.unwrap_or(OutcomeSampling::EXPLORATION);
    let mut details = Map::new();
    details.insert("sampling".to_string(), sampling.into());
    let mut minimizer: Box<dyn RegretMinimizer> = match sampling {
        "outcome" => {
            details.insert("epsilon".to_string(), epsilon.into());
            let baselines = task.values.word("baselines").unwrap_or("learned");
            details.insert("baselines".to_string(), baselines.into());
            let plain = OutcomeSampling::new(task.tree, epsilon, task.seed);
            Box::new(match baselines {
                "none" => plain,
                _ => plain.with_baselines(),
            })
        }
        _ => Box::new(ExternalSampling::new(task.tree, task.seed)),
    };
    details.insert("seed".to_string(), task.seed.into());
    let (minimizer, usual) = (&mut *minimizer, USUAL_ITERATIONS);
    Ok(iterate::solve(task, minimizer, usual, details, progress))
}
