//! Edges that are kept from the way out for the way back, so that no step is taken twice.

use super::grid::Grid;
use super::state_table::StateId;

/// The ways on from a layer.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// The states in order.
    pub runs: Vec<Edges>,
    /// The successors that states name by rows and columns.
    pub grid: Grid,
}

/// The ways on from a run of states with consecutive numbers.
#[derive(Debug, Default)]
pub(super) struct Edges {
    /// The number of the first state.
    pub first: StateId,
    /// For each state where its words end; they begin where those of the state before it end.
    ends: Vec<u32>,
    /// For each state what it is: see the constants.
    kinds: Vec<u32>,
    /// For each state: its successors and, where something may be earned before the end, what player 0 earns on the way to
    /// each. Or of a product: the lines of its rows in the grid, the numbers of its columns, and where its rewards begin.
    words: Vec<u32>,
    /// Those of products, pair by pair.
    rewards: Vec<i8>,
    /// Whether something may be earned before the end.
    earning: bool,
}

/// In `kinds`: a chance node whose outcomes have the same weight.
const UNIFORM: u32 = u32::MAX;
/// A chance node whose weights are to be looked up.
const WEIGHTED: u32 = u32::MAX - 1;
/// A terminal node.
const TERMINAL: u32 = 0;
/// A decision node whose successors are a product. To it and to others the number of rows is added.
const PRODUCT: u32 = 1 << 31;
/// There are fewer rows.
pub(super) const MOST_ROWS: usize = 1 << 30;

/// How a state goes on.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Terminal,
    UniformChance,
    WeightedChance,
    /// With so many rows, fewer than [`MOST_ROWS`].
    Decision(u32),
}

/// The ways on from one state.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Ways<'a> {
    Listed {
        kind: Kind,
        successors: &'a [StateId],
        /// Empty, or for each successor an `i32` by its bits.
        rewards: &'a [u32],
    },
    /// A decision: lines and columns of the grid; the rewards, row by row, or none where nothing is ever earned.
    Product {
        lines: &'a [u32],
        columns: &'a [u32],
        rewards: &'a [i8],
    },
}

impl Edges {
    /// For states from this one on, with room for the words and the rewards of so many successors.
    pub fn new(first: StateId, earning: bool, listed: usize, paired: usize) -> Edges {
        Edges {
            first,
            earning,
            words: Vec::with_capacity(listed * (1 + usize::from(earning)) + paired),
            rewards: Vec::with_capacity(if earning { paired } else { 0 }),
            ..Edges::default()
        }
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// The next state. `rewards` has one for each successor, or is empty where nothing is ever earned before the end.
    pub fn push(&mut self, kind: Kind, successors: &[StateId], rewards: &[i32]) {
        self.words.extend_from_slice(successors);
        if self.earning {
            let bits = rewards.iter().map(|r| r.cast_unsigned());
            self.words.extend(bits);
        }
        self.end(match kind {
            Kind::Terminal => TERMINAL,
            Kind::UniformChance => UNIFORM,
            Kind::WeightedChance => WEIGHTED,
            Kind::Decision(rows) => rows,
        });
    }

    /// The next state, whose successors are a product, with a reward for each pair; false and nothing done where these are
    /// too large.
    pub fn push_product(&mut self, lines: &[u32], columns: &[u32], rewards: &[i32]) -> bool {
        let start = self.rewards.len();
        self.rewards.extend(rewards.iter().map(|&r| r as i8));
        let mut kept = std::iter::zip(&self.rewards[start..], rewards);
        if !kept.all(|(k, r)| i32::from(*k) == *r) {
            self.rewards.truncate(start);
            return false;
        }
        self.words.extend_from_slice(lines);
        self.words.extend_from_slice(columns);
        self.words.push(start as u32);
        self.end(PRODUCT + lines.len() as u32);
        true
    }

    fn end(&mut self, kind: u32) {
        self.ends.push(self.words.len() as u32);
        self.kinds.push(kind);
    }

    /// Says that all states are there.
    pub fn finish(&mut self) {
        self.ends.shrink_to_fit();
        self.kinds.shrink_to_fit();
        self.words.shrink_to_fit();
        self.rewards.shrink_to_fit();
    }

    /// The ways on from the `i`th state of the run.
    pub fn ways(&self, i: usize) -> Ways<'_> {
        let start = if i == 0 { 0 } else { self.ends[i - 1] as usize };
        let words = &self.words[start..self.ends[i] as usize];
        let kind = match self.kinds[i] {
            TERMINAL => Kind::Terminal,
            UNIFORM => Kind::UniformChance,
            WEIGHTED => Kind::WeightedChance,
            product if product >= PRODUCT => {
                let (lines, rest) = words.split_at((product - PRODUCT) as usize);
                let (columns, start) = rest.split_at(rest.len() - 1);
                let end = start[0] as usize + lines.len() * columns.len();
                return Ways::Product {
                    lines,
                    columns,
                    rewards: self.rewards.get(start[0] as usize..end).unwrap_or(&[]),
                };
            }
            rows => Kind::Decision(rows),
        };
        let successors = words.len() / (1 + usize::from(self.earning));
        let (successors, rewards) = words.split_at(successors);
        Ways::Listed {
            kind,
            successors,
            rewards,
        }
    }

    pub fn bytes(&self) -> u64 {
        let words = self.ends.capacity() + self.kinds.capacity() + self.words.capacity();
        (4 * words + self.rewards.capacity()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed(
        kind: Kind,
        successors: &[StateId],
        rewards: &[i32],
    ) -> (Kind, Vec<StateId>, Vec<i32>) {
        (kind, successors.to_vec(), rewards.to_vec())
    }

    #[test]
    fn the_ways_of_each_state_are_found_again() {
        for earning in [false, true] {
            let states = [
                listed(Kind::Decision(2), &[10, 11, 12, 13], &[-1, 0, 1, 2]),
                listed(Kind::Terminal, &[], &[]),
                listed(Kind::UniformChance, &[14, 15], &[3, -3]),
                listed(Kind::WeightedChance, &[16], &[i32::MIN]),
            ];
            let mut edges = Edges::new(7, earning, 7, 2);
            for (kind, successors, rewards) in &states[..2] {
                edges.push(*kind, successors, rewards);
            }
            let rewards: &[i32] = if earning { &[7, -128] } else { &[] };
            assert!(edges.push_product(&[4, 5], &[6], rewards));
            assert!(!edges.push_product(&[4, 5], &[6], &[1, 128]));
            for (kind, successors, rewards) in &states[2..] {
                edges.push(*kind, successors, rewards);
            }
            edges.finish();
            assert_eq!((edges.first, edges.len()), (7, 5));
            let product = Ways::Product {
                lines: &[4, 5],
                columns: &[6],
                rewards: if earning { &[7, -128] } else { &[] },
            };
            assert_eq!(edges.ways(2), product);
            for (i, (kind, successors, rewards)) in [0, 1, 3, 4].into_iter().zip(&states) {
                let bits: Vec<u32> = rewards.iter().map(|r| r.cast_unsigned()).collect();
                let listed = Ways::Listed {
                    kind: *kind,
                    successors,
                    rewards: if earning { &bits } else { &[] },
                };
                assert_eq!(edges.ways(i), listed);
            }
            let words = 4 + 7 * (1 + u64::from(earning));
            assert_eq!(edges.bytes(), 4 * (5 + 5 + words) + 2 * u64::from(earning));
        }
    }
}
