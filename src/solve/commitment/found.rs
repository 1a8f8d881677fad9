//! What a search for a commitment found.

use super::program::Program;

/// Probabilities up to this are rounding.
const NOTHING: f64 = 1e-11;

/// The best commitment that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Commitment {
    /// The leader's realization plan, by its sequences.
    pub leader: Vec<f64>,
    /// The follower's plan: of its best responses the one that pays the leader most.
    pub plan: usize,
    /// What the leader is paid.
    pub value: f64,
    /// No strategy pays the leader more, but for rounding: `value` where the search is complete.
    pub bound: f64,
    /// What the follower is paid, and what it would be paid by its best response.
    pub follower: f64,
    pub best_response: f64,
    /// Whether nothing was left to look at.
    pub complete: bool,
    /// How much was done, by the noun that is counted.
    pub work: Vec<(&'static str, u64)>,
}

impl Commitment {
    /// A strategy of the leader, with rounding removed: nothing below 0, and choices add up to what leads to them; and the
    /// follower's plan. No other strategy is worth more than `bound`; −∞ where everything was looked at.
    pub fn of(
        program: &Program,
        mut leader: Vec<f64>,
        plan: usize,
        bound: f64,
        work: Vec<(&'static str, u64)>,
    ) -> Commitment {
        for share in &mut leader {
            *share = if *share > NOTHING { *share } else { 0.0 };
        }
        leader[0] = 1.0;
        for decision in &program.decisions {
            let before = leader[decision.before as usize];
            let sum: f64 = leader[decision.range()].iter().sum();
            for share in &mut leader[decision.range()] {
                *share *= if sum > 0.0 { before / sum } else { 0.0 };
            }
            if sum <= 0.0 {
                leader[decision.first as usize] = before;
            }
        }
        let x = leader.iter().copied().enumerate();
        let x: Vec<(usize, f64)> = x.filter(|(_, share)| *share > 0.0).collect();
        let mut answers = Vec::new();
        program.answers(&x, &mut answers);
        let value = program.leader_value(plan, &x);
        Commitment {
            value,
            bound: bound.max(value),
            follower: answers[plan],
            best_response: answers.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            complete: bound == f64::NEG_INFINITY,
            leader,
            plan,
            work,
        }
    }
}
