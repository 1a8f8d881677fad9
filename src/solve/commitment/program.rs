//! A two-player game as a commitment sees it: a leader who mixes, and a follower who knows the mix and answers with a plan.
//!
//! What the leader does is a realization plan x over its sequences, a polytope: 1 for the empty sequence, and at each decision
//! the sequences of its choices add up to the one before. A plan of the follower pays each of them a sum over x. In a matrix
//! game, and where plans are lists of actions that depend on nothing seen, the leader has one decision with a choice for each
//! of its plans.

use crate::solve::sequences::Decision;

/// Payoffs that differ by less, as a share of the largest, count as the same.
pub const SAME: f64 = 1e-9;

/// The numbers of a game.
#[derive(Clone, Debug)]
pub struct Program {
    /// The leader's decisions, each after those before it; sequence 0 is the empty one.
    pub decisions: Vec<Decision>,
    /// The number of the leader's sequences, the empty one included.
    pub sequences: usize,
    /// The number of the follower's plans.
    pub plans: usize,
    /// For each plan of the follower one number for each sequence: what the leader is paid with it.
    leader: Vec<f64>,
    /// The same for the follower.
    follower: Vec<f64>,
    /// The same by sequence, and then by plan.
    by_sequence: Vec<f64>,
    /// The largest size of a number.
    pub scale: f64,
}

/// The bytes that a program takes.
pub fn bytes(sequences: usize, plans: usize) -> u64 {
    24 * sequences as u64 * plans as u64
}

impl Program {
    /// From payoffs by the follower's plan and the leader's sequence, in one row each.
    pub fn new(
        decisions: Vec<Decision>,
        sequences: usize,
        leader: Vec<f64>,
        follower: Vec<f64>,
    ) -> Program {
        let plans = follower.len() / sequences.max(1);
        let mut by_sequence = vec![0.0; follower.len()];
        for (plan, row) in follower.chunks_exact(sequences.max(1)).enumerate() {
            for (sequence, worth) in row.iter().enumerate() {
                by_sequence[sequence * plans + plan] = *worth;
            }
        }
        let largest = leader.iter().chain(&follower).map(|x| x.abs());
        let scale = largest.fold(0.0, f64::max);
        Program {
            decisions,
            sequences,
            plans,
            leader,
            follower,
            by_sequence,
            scale: if scale > 0.0 { scale } else { 1.0 },
        }
    }

    /// Of a leader with one decision, whose choices are plans: payoffs by the follower's plan and the leader's.
    pub fn of_matrix(columns: usize, leader: &[f64], follower: &[f64]) -> Program {
        let only = Decision {
            before: 0,
            first: 1,
            choices: columns as u32,
        };
        let with_empty = |matrix: &[f64]| {
            let mut rows = Vec::with_capacity(matrix.len() + matrix.len() / columns.max(1));
            for row in matrix.chunks_exact(columns.max(1)) {
                rows.push(0.0);
                rows.extend_from_slice(row);
            }
            rows
        };
        let (leader, follower) = (with_empty(leader), with_empty(follower));
        Program::new(vec![only], columns + 1, leader, follower)
    }

    /// What the leader is paid for each of its sequences when the follower has this plan.
    pub fn leader(&self, plan: usize) -> &[f64] {
        &self.leader[plan * self.sequences..(plan + 1) * self.sequences]
    }

    /// The same for the follower.
    pub fn follower(&self, plan: usize) -> &[f64] {
        &self.follower[plan * self.sequences..(plan + 1) * self.sequences]
    }

    /// What the follower is paid with each of its plans; the leader's strategy as the sequences above 0.
    pub fn answers(&self, x: &[(usize, f64)], into: &mut Vec<f64>) {
        into.clear();
        into.resize(self.plans, 0.0);
        for &(sequence, share) in x {
            let column = &self.by_sequence[sequence * self.plans..(sequence + 1) * self.plans];
            for (sum, worth) in std::iter::zip(&mut *into, column) {
                *sum += share * worth;
            }
        }
    }

    /// The best answer to a strategy, of several the one that pays the leader most, and what each plan pays the follower.
    pub fn best_answer(&self, x: &[(usize, f64)]) -> (usize, Vec<f64>) {
        let mut answers = Vec::new();
        self.answers(x, &mut answers);
        (self.best_for_leader(x, &answers), answers)
    }

    /// Of the plans that pay the follower most, within rounding, the one that pays the leader most.
    pub fn best_for_leader(&self, x: &[(usize, f64)], answers: &[f64]) -> usize {
        let most = answers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let least = most - SAME * self.scale;
        let best = answers
            .iter()
            .enumerate()
            .filter(|(_, worth)| **worth >= least);
        let best = best.map(|(plan, _)| (self.leader_value(plan, x), plan));
        best.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)))
            .map_or(0, |(_, plan)| plan)
    }

    /// What the leader is paid by a strategy against a plan.
    pub fn leader_value(&self, plan: usize, x: &[(usize, f64)]) -> f64 {
        let row = self.leader(plan);
        x.iter().map(|&(s, share)| share * row[s]).sum()
    }
}
