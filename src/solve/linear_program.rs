//! Optimal strategies of a two-player zero-sum game by linear programming over its sequence form (Koller, Megiddo & von Stengel
//! 1996, "Efficient computation of equilibria for extensive two-person games").
//!
//! Player 0 looks for the realization plan x whose worst answer is the least bad. With E and F the constraints that make plans
//! of numbers (one row an information state, and one for the empty sequence), e and f their right sides, and A what pairs of
//! sequences pay to player 0:
//!
//! maximise f·q, so that Fᵀq ≤ Aᵀx, Ex = e, x ≥ 0.
//!
//! The multipliers of the inequalities are player 1's plan. An interior-point method (`clarabel`) solves it: almost everything
//! about a tree is sparse, which a factorisation makes much of. What it finds is right within a tolerance, so strategies are made
//! of it, and best responses to these say what each player is sure of; the value lies between the two.

use super::best_response::{Exploitability, exploitability};
use super::methods::{Found, Method, Progress, Solver, Task};
use super::profile::Profile;
use super::sequences::Sequences;
use super::tree::{Tree, TreeError};
use super::zero_sum::{constant_sum, suited};
use crate::text::plural::plural;
use clarabel::algebra::CscMatrix;
use clarabel::solver::{
    DefaultSettingsBuilder, DefaultSolver, IPSolver, SolverStatus, SupportedConeT,
};
use serde_json::Map;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub const METHOD: Method = Method {
    name: "lp",
    doc: "A linear program over the sequence form. Two players and a constant sum; hidden information, simultaneous moves \
          and chance are fine. Exact up to rounding, and the bounds of the value say how far.",
    parameters: &[],
    is_random: false,
    suits: |machine| suited(machine, "lp"),
    solver: Solver::Tree(solve),
};

fn solve(task: &Task<'_>, progress: &mut dyn Progress) -> Result<Found, TreeError> {
    progress.begin("linear programs", None);
    let start = (task.clock)();
    let sum = constant_sum(task.machine);
    let solution = linear_program(task.tree, task.sequences, sum, task.stop)?;
    let counts = [
        ("variables", solution.variables),
        ("constraints", solution.constraints),
        ("nonzeros", solution.nonzeros),
        ("steps", solution.iterations as usize),
    ];
    let mut details = Map::new();
    for (name, count) in counts {
        details.insert(name.to_string(), count.into());
    }
    let remark = format!(
        "a program of {} and {}, solved in {}",
        plural(solution.variables, "variable"),
        plural(solution.constraints, "constraint"),
        plural(solution.iterations as usize, "step"),
    );
    Ok(Found {
        profile: solution.profile,
        stopped: None,
        details,
        convergence: Vec::new(),
        remark,
        seconds: ((task.clock)() - start).as_secs_f64(),
    })
}

/// What a linear program found.
#[derive(Clone, Debug, PartialEq)]
pub struct Solution {
    /// Player 0's value: the middle between what the two players are sure of.
    pub value: f64,
    /// What player 0 is paid at least by its strategy, and at most against player 1's. The value of the game lies between.
    pub bounds: (f64, f64),
    pub profile: Profile,
    pub exploitability: Exploitability,
    /// Steps of the interior-point method.
    pub iterations: u32,
    pub variables: usize,
    pub constraints: usize,
    /// Numbers other than 0 in the constraints.
    pub nonzeros: usize,
}

/// Solves a game of two players whose payoffs add up to `sum` at every end. `cancel` stops it.
///
/// # Errors
/// [`TreeError::Stopped`]; [`TreeError::Unsolved`] when the method gives up.
pub fn linear_program(
    tree: &Tree,
    sequences: &Sequences,
    sum: f64,
    cancel: &Arc<AtomicBool>,
) -> Result<Solution, TreeError> {
    let program = Program::new(sequences);
    let objective = &program.objective;
    let nothing = CscMatrix::<f64>::zeros((objective.len(), objective.len()));
    let matrix = CscMatrix::new_from_triplets(
        program.right.len(),
        objective.len(),
        program.rows,
        program.columns,
        program.values,
    );
    let cones = [
        SupportedConeT::ZeroConeT(program.equalities),
        SupportedConeT::NonnegativeConeT(program.right.len() - program.equalities),
    ];
    let settings = DefaultSettingsBuilder::default()
        .verbose(false)
        .max_threads(1)
        .tol_gap_abs(1e-10)
        .tol_gap_rel(1e-10)
        .tol_feas(1e-10)
        .build()
        .map_err(|e| TreeError::Unsolved(e.to_string()))?;
    let mut solver = DefaultSolver::new(
        &nothing,
        objective,
        &matrix,
        &program.right,
        &cones,
        settings,
    )
    .map_err(|e| TreeError::Unsolved(e.to_string()))?;
    let stop = Arc::clone(cancel);
    solver.set_termination_callback(move |_| stop.load(Ordering::Relaxed));
    solver.solve();
    let found = &solver.solution;
    match found.status {
        // What is short of the tolerance shows in the bounds.
        SolverStatus::Solved
        | SolverStatus::AlmostSolved
        | SolverStatus::MaxIterations
        | SolverStatus::InsufficientProgress => {}
        SolverStatus::CallbackTerminated => return Err(TreeError::Stopped),
        status => return Err(TreeError::Unsolved(format!("{status:?}"))),
    }
    let plan = |numbers: &[f64]| numbers.iter().map(|x| x.max(0.0)).collect::<Vec<f64>>();
    let own = sequences.players[0].sequences;
    let other = program.equalities..program.equalities + sequences.players[1].sequences;
    let plans = [plan(&found.x[..own]), plan(&found.z[other])];
    let profile = Profile::from_plans(tree, &plans);
    let exploitability = exploitability(sequences, &profile);
    let most = exploitability.best_responses[0];
    let least = sum - exploitability.best_responses[1];
    Ok(Solution {
        value: (least + most) / 2.0,
        bounds: (least, most),
        profile,
        exploitability,
        iterations: found.iterations,
        variables: objective.len(),
        constraints: program.right.len(),
        nonzeros: matrix.nnz(),
    })
}

/// The program as a list of numbers: minimise `objective`·v so that M·v = `right` in the first rows, and M·v ≤ `right` in the
/// others. The variables v are x and q.
struct Program {
    objective: Vec<f64>,
    rows: Vec<usize>,
    columns: Vec<usize>,
    values: Vec<f64>,
    right: Vec<f64>,
    /// The number of rows that are equalities.
    equalities: usize,
}

impl Program {
    fn new(sequences: &Sequences) -> Program {
        let [own, other] = [&sequences.players[0], &sequences.players[1]];
        // q has one number for the start and one for each information state of player 1.
        let q = own.sequences;
        let variables = q + 1 + other.decisions.len();
        let equalities = 1 + own.decisions.len();
        let constraints = equalities + other.sequences + own.sequences;
        let mut program = Program {
            objective: vec![0.0; variables],
            rows: Vec::new(),
            columns: Vec::new(),
            values: Vec::new(),
            right: vec![0.0; constraints],
            equalities,
        };
        program.objective[q] = -1.0;

        // E x = e: the empty sequence is played, and the choices of an information state add up to what leads there.
        program.right[0] = 1.0;
        program.put(0, 0, 1.0);
        for (row, decision) in (1..).zip(&own.decisions) {
            program.put(row, decision.before as usize, -1.0);
            decision.range().for_each(|s| program.put(row, s, 1.0));
        }

        // Fᵀq − Aᵀx ≤ 0: a row for each of player 1's sequences.
        let row = |sequence: usize| equalities + sequence;
        program.put(row(0), q, 1.0);
        for (column, decision) in (q + 1..).zip(&other.decisions) {
            program.put(row(decision.before as usize), column, -1.0);
            decision
                .range()
                .for_each(|s| program.put(row(s), column, 1.0));
        }
        // Payoffs of a size that suits the tolerances.
        let payoffs = || (0..own.sequences).flat_map(|s| own.entries(s).map(move |e| (s, e)));
        let scale = payoffs()
            .map(|(_, (_, worth))| worth.abs())
            .fold(0.0, f64::max);
        let scale = if scale > 0.0 { scale } else { 1.0 };
        for (sequence, (others, worth)) in payoffs() {
            program.put(row(others[0] as usize), sequence, -worth / scale);
        }

        // x ≥ 0.
        let first = equalities + other.sequences;
        for sequence in 0..own.sequences {
            program.put(first + sequence, sequence, -1.0);
        }
        program
    }

    fn put(&mut self, row: usize, column: usize, value: f64) {
        self.rows.push(row);
        self.columns.push(column);
        self.values.push(value);
    }
}
