//! The strong Stackelberg equilibrium by multiple linear programs (Conitzer & Sandholm 2006, "Computing the optimal strategy to
//! commit to", section 3): for each plan j of the follower the best leader strategy to which j is a best response, and the best
//! of all. Ties of the follower are broken for the leader.
//!
//! - Of the other plans of the follower a program has only those to which the follower would go from a solution so far.
//! - Its value falls from pivot to pivot, and it ends where it is no better than a strategy that is known. Every solution on
//!   the way is a strategy, which is worth what the leader is paid after the follower's answer to it.
//! - Plans are taken in the order of what the leader is paid with them at best, by a first look of few pivots.

use super::dual_simplex::{Outcome, Tableau};
use super::found::Commitment;
use super::posed::Posed;
use super::program::{Program, SAME};
use super::{CommitmentMethod, Way};
use crate::random::mix;
use crate::solve::TreeError;
use crate::solve::methods::Progress;
use std::sync::atomic::{AtomicBool, Ordering};

/// By how much, as a share of the largest payoff, reduced costs are moved apart, so that pivots do not go in a circle.
const APART: f64 = 1e-10;
/// Pivots for a first look at a plan, and for all of a program.
const LOOK: u64 = 12;
const MOST_PIVOTS: u64 = 100_000;

pub const METHOD: CommitmentMethod = CommitmentMethod {
    name: "multiple-lp",
    doc: "What `--leader` had best commit itself to: a linear program for each answer of the follower. Two players, any \
          payoffs; hidden information, simultaneous moves and chance are fine.",
    parameters: &[],
    is_random: false,
    by: Way::Posed(solve),
};

/// Finds the best commitment; what is known when `stop` is set, if anything is.
///
/// # Errors
/// [`TreeError::Stopped`]; [`TreeError::Unsolved`] where pivots go in a circle.
pub fn solve(
    posed: &Posed,
    progress: &mut dyn Progress,
    stop: &AtomicBool,
) -> Result<Commitment, TreeError> {
    let program = &posed.program;
    let mut search = Search::new(program);
    let mut order: Vec<(f64, usize)> = Vec::with_capacity(program.plans);
    progress.begin("plans looked at", Some(program.plans as u64));
    for plan in 0..program.plans {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let bound = search.run(plan, LOOK)?;
        order.push((bound, plan));
        progress.done(order.len() as u64);
    }
    let looked = order.len() == program.plans;
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    progress.begin("programs", Some(program.plans as u64));
    let mut bound = f64::NEG_INFINITY;
    for (done, &(most, plan)) in order.iter().enumerate() {
        if most <= search.limit() {
            break;
        }
        if stop.load(Ordering::Relaxed) {
            bound = most;
            break;
        }
        search.run(plan, MOST_PIVOTS)?;
        progress.done(done as u64);
    }
    if !looked {
        bound = f64::INFINITY;
    }
    search.finish(bound)
}

/// A strategy of the leader with the follower's answer.
struct Incumbent {
    x: Vec<(usize, f64)>,
    plan: usize,
    value: f64,
}

struct Search<'a> {
    program: &'a Program,
    tableau: Tableau,
    incumbent: Option<Incumbent>,
    /// What the sequences earn together with the best that follows, against one plan.
    worth: Vec<f64>,
    reduced: Vec<f64>,
    answers: Vec<f64>,
    x: Vec<(usize, f64)>,
    programs: u64,
    rows: u64,
}

impl<'a> Search<'a> {
    fn new(program: &'a Program) -> Search<'a> {
        Search {
            program,
            tableau: Tableau::default(),
            incumbent: None,
            worth: Vec::new(),
            reduced: Vec::new(),
            answers: Vec::new(),
            x: Vec::new(),
            programs: 0,
            rows: 0,
        }
    }

    /// What a bound has to exceed to be of interest.
    fn limit(&self) -> f64 {
        let margin = SAME * self.program.scale;
        let known = self.incumbent.as_ref();
        known.map_or(f64::NEG_INFINITY, |i| i.value + margin)
    }

    /// Works on the program of a plan for so many pivots; gives a bound of its value, or −∞ where there is nothing to gain.
    fn run(&mut self, plan: usize, pivots: u64) -> Result<f64, TreeError> {
        self.programs += 1;
        self.begin(plan);
        let most = self.tableau.pivots() + pivots;
        loop {
            if self.tableau.bound() <= self.limit() {
                return Ok(f64::NEG_INFINITY);
            }
            self.read();
            let answer = self.answer();
            let program = self.program;
            if self.answers[answer] <= self.answers[plan] + SAME * program.scale {
                // Nothing is violated: this is the solution, and it is an incumbent by now.
                return Ok(f64::NEG_INFINITY);
            }
            let (own, other) = (program.follower(plan), program.follower(answer));
            let scale = program.scale;
            let row = std::iter::zip(own, other).map(|(own, other)| (other - own) / scale);
            let row = row.enumerate().map(|(s, a)| if s == 0 { 0.0 } else { a });
            self.tableau.add(row, (own[0] - other[0]) / scale);
            self.rows += 1;
            let left = most.saturating_sub(self.tableau.pivots());
            match self.tableau.solve(self.limit(), left) {
                Outcome::Infeasible => return Ok(f64::NEG_INFINITY),
                Outcome::Optimal => {}
                Outcome::GivenUp if self.tableau.pivots() < most => {}
                Outcome::GivenUp if pivots < MOST_PIVOTS => return Ok(self.tableau.bound()),
                Outcome::GivenUp => {
                    let why = format!("{MOST_PIVOTS} pivots did not solve a program");
                    return Err(TreeError::Unsolved(why));
                }
            }
            if self.tableau.pivots() >= most {
                return Ok(self.tableau.bound());
            }
        }
    }

    /// The program of a plan without any other plan: the leader's best response to it.
    fn begin(&mut self, plan: usize) {
        let program = self.program;
        let worth = &mut self.worth;
        worth.clear();
        worth.extend_from_slice(program.leader(plan));
        self.reduced.clear();
        self.reduced.resize(program.sequences, 0.0);
        let mut chosen = vec![0; program.decisions.len()];
        for (decision, chosen) in program.decisions.iter().zip(&mut chosen).rev() {
            let mut best = f64::NEG_INFINITY;
            for sequence in decision.range() {
                if worth[sequence] > best {
                    (best, *chosen) = (worth[sequence], sequence);
                }
            }
            for sequence in decision.range() {
                let noise = mix(plan as u64, sequence as u64) >> 11;
                let noise = (noise as f64 / (1u64 << 53) as f64) * APART * program.scale;
                self.reduced[sequence] = best - worth[sequence] + noise;
            }
            self.reduced[*chosen] = 0.0;
            worth[decision.before as usize] += best;
        }
        self.tableau.begin(&self.reduced, worth[0]);
        let mut basic: Vec<Option<usize>> = vec![None; program.sequences];
        let mut row = vec![0.0; program.sequences];
        for (number, (decision, &chosen)) in program.decisions.iter().zip(&chosen).enumerate() {
            row.fill(0.0);
            let before = decision.before as usize;
            let mut right = f64::from(u8::from(before == 0));
            if let Some(number) = basic[before] {
                right = self.tableau.copy_row(number, &mut row);
            }
            if before != 0 {
                row[before] -= 1.0;
            }
            decision.range().for_each(|s| row[s] = 1.0);
            self.tableau.basic(chosen, row.iter().copied(), right);
            basic[chosen] = Some(number);
        }
    }

    /// The solution of the tableau as the leader's strategy, the empty sequence included.
    fn read(&mut self) {
        self.x.clear();
        self.x.push((0, 1.0));
        self.x.extend(self.tableau.solution());
    }

    /// The follower's best response to the solution. Of those that pay it the same the leader has its choice, and if it is
    /// better off than ever, this is the new incumbent.
    fn answer(&mut self) -> usize {
        let program = self.program;
        program.answers(&self.x, &mut self.answers);
        let mut answer = 0;
        for (plan, worth) in self.answers.iter().enumerate() {
            if *worth > self.answers[answer] {
                answer = plan;
            }
        }
        let plan = program.best_for_leader(&self.x, &self.answers);
        let value = program.leader_value(plan, &self.x);
        if self.incumbent.as_ref().is_none_or(|i| value > i.value) {
            let x = self.x.clone();
            self.incumbent = Some(Incumbent { x, plan, value });
        }
        answer
    }

    /// The incumbent, with a bound on what was not looked at.
    fn finish(mut self, bound: f64) -> Result<Commitment, TreeError> {
        let Some(incumbent) = self.incumbent.take() else {
            return Err(TreeError::Stopped);
        };
        let mut leader = vec![0.0; self.program.sequences];
        incumbent.x.iter().for_each(|&(s, share)| leader[s] = share);
        let work = [
            ("programs", self.programs),
            ("rows", self.rows),
            ("pivots", self.tableau.pivots()),
        ];
        Ok(Commitment::of(
            self.program,
            leader,
            incumbent.plan,
            bound,
            work.to_vec(),
        ))
    }
}
