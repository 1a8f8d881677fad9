//! The program of a commitment over the tree of a game: for games with chance, and in which players see something on the way.
//!
//! The leader commits itself to a behaviour strategy, as a realization plan. The follower's plans are its pure strategies, of
//! which those that differ only where its own choices never lead count once: for each there is one linear program over the
//! leader's realization plan. The number of plans may grow exponentially with the game, and that is in the nature of things:
//! with chance it is NP-hard to find a commitment (Letchford & Conitzer 2010, "Computing optimal strategies to commit to in
//! extensive-form games", theorem 7).

use super::program::{self, Program};
use crate::solve::sequences::{PlayerSequences, Sequences};
use crate::solve::tree::Tree;

/// A commitment over a tree.
#[derive(Debug)]
pub struct SequenceForm {
    pub tree: Tree,
    pub sequences: Sequences,
    /// For each of the follower's plans its sequences, the empty one first.
    pub plans: Vec<Vec<u32>>,
}

/// Too many plans or payoffs: the bytes that they would take at least.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TooLarge(pub u64);

impl SequenceForm {
    /// The program of `leader`, in at most so many bytes.
    ///
    /// # Errors
    /// When it takes more.
    pub fn pose(
        tree: Tree,
        sequences: Sequences,
        leader: usize,
        memory: u64,
    ) -> Result<(SequenceForm, Program), TooLarge> {
        let (own, other) = (&sequences.players[leader], &sequences.players[1 - leader]);
        let most = memory / program::bytes(own.sequences, 1);
        let plans = plans(other, most as usize).ok_or(TooLarge(memory))?;
        let needed = program::bytes(own.sequences, plans.len());
        if needed > memory {
            return Err(TooLarge(needed));
        }
        let mut leader_rows = vec![0.0; own.sequences * plans.len()];
        let mut follower_rows = leader_rows.clone();
        let mut of_plan = vec![false; other.sequences];
        for (number, plan) in plans.iter().enumerate() {
            let row = number * own.sequences..(number + 1) * own.sequences;
            plan.iter().for_each(|s| of_plan[*s as usize] = true);
            for (sequence, sum) in leader_rows[row.clone()].iter_mut().enumerate() {
                let entries = own.entries(sequence);
                let reached = entries.filter(|(others, _)| of_plan[others[0] as usize]);
                *sum = reached.map(|(_, weight)| weight).sum();
            }
            for sequence in plan {
                of_plan[*sequence as usize] = false;
                for (others, weight) in other.entries(*sequence as usize) {
                    follower_rows[row.start + others[0] as usize] += weight;
                }
            }
        }
        let decisions = own.decisions.clone();
        let program = Program::new(decisions, own.sequences, leader_rows, follower_rows);
        let form = SequenceForm {
            tree,
            sequences,
            plans,
        };
        Ok((form, program))
    }
}

/// The pure strategies of a player, but for what it would do where its own choices do not lead; at most `most`.
fn plans(form: &PlayerSequences, most: usize) -> Option<Vec<Vec<u32>>> {
    // For each sequence the ways to go on after it, in lists of sequences: later decisions are put together first.
    let mut after: Vec<Option<Vec<Vec<u32>>>> = vec![None; form.sequences];
    for decision in form.decisions.iter().rev() {
        let mut here = Vec::new();
        for sequence in decision.range() {
            for rest in after[sequence].take().unwrap_or_else(|| vec![Vec::new()]) {
                let mut plan = vec![sequence as u32];
                plan.extend(rest);
                here.push(plan);
            }
        }
        let before = &mut after[decision.before as usize];
        let together = match before.take() {
            None => here,
            Some(others) => {
                if here.len().saturating_mul(others.len()) > most {
                    return None;
                }
                let pairs = here.iter().flat_map(|a| others.iter().map(move |b| (a, b)));
                pairs.map(|(a, b)| [a.as_slice(), b].concat()).collect()
            }
        };
        if together.len() > most {
            return None;
        }
        *before = Some(together);
    }
    let all = after[0].take().unwrap_or_else(|| vec![Vec::new()]);
    let with_empty = all.into_iter().map(|plan| [&[0], plan.as_slice()].concat());
    Some(with_empty.collect())
}
