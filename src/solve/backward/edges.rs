//! Edges that are kept from the way out for the way back, so that no step is taken twice.

use super::table::StateId;

/// The ways on from a run of states with consecutive numbers.
#[derive(Debug, Default)]
pub(super) struct Edges {
    /// The number of the first state.
    pub first: StateId,
    /// For each state where its successors end; they begin where those of the state before it end.
    ends: Vec<u32>,
    /// For each state what it is: see the constants.
    rows: Vec<u32>,
    successors: Vec<StateId>,
    /// What player 0 earns on the way to each successor; empty where nobody earns anything before the end.
    rewards: Vec<i32>,
}

/// In `rows`: a chance node whose outcomes have the same weight.
const UNIFORM: u32 = u32::MAX;
/// A chance node whose weights are to be looked up.
const WEIGHTED: u32 = u32::MAX - 1;
/// A terminal node.
const TERMINAL: u32 = 0;

/// How a state goes on.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Terminal,
    UniformChance,
    WeightedChance,
    /// With so many rows.
    Decision(u32),
}

/// The ways on from one state.
#[derive(Copy, Clone, Debug)]
pub(super) struct Ways<'a> {
    pub kind: Kind,
    pub successors: &'a [StateId],
    /// Empty, or one for each successor.
    pub rewards: &'a [i32],
}

impl Edges {
    /// With room for so many ways on.
    pub fn new(first: StateId, successors: usize) -> Edges {
        Edges {
            first,
            successors: Vec::with_capacity(successors),
            ..Edges::default()
        }
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Adds a successor; those of the first state come first.
    pub fn push(&mut self, successor: StateId) {
        self.successors.push(successor);
    }

    /// Says how the successors that were pushed belong to the states: of each its kind and how many it has. `rewards` are
    /// empty, or one for each successor.
    pub fn finish(
        &mut self,
        states: impl ExactSizeIterator<Item = (Kind, u32)>,
        rewards: Vec<i32>,
    ) {
        let mut end = 0;
        self.ends.reserve_exact(states.len());
        self.rows.reserve_exact(states.len());
        for (kind, successors) in states {
            end += successors;
            self.ends.push(end);
            self.rows.push(match kind {
                Kind::Terminal => TERMINAL,
                Kind::UniformChance => UNIFORM,
                Kind::WeightedChance => WEIGHTED,
                Kind::Decision(rows) => rows,
            });
        }
        self.rewards = rewards;
    }

    /// The ways on from the `i`th state of the run.
    pub fn ways(&self, i: usize) -> Ways<'_> {
        let start = if i == 0 { 0 } else { self.ends[i - 1] as usize };
        let range = start..self.ends[i] as usize;
        Ways {
            kind: match self.rows[i] {
                TERMINAL => Kind::Terminal,
                UNIFORM => Kind::UniformChance,
                WEIGHTED => Kind::WeightedChance,
                rows => Kind::Decision(rows),
            },
            rewards: self.rewards.get(range.clone()).unwrap_or(&[]),
            successors: &self.successors[range],
        }
    }

    pub fn bytes(&self) -> u64 {
        let numbers = self.ends.capacity()
            + self.rows.capacity()
            + self.successors.capacity()
            + self.rewards.capacity();
        4 * numbers as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ways_of_each_state_are_found_again() {
        let mut edges = Edges::new(7, 7);
        (10..17).for_each(|id| edges.push(id));
        let states = [
            (Kind::Decision(2), 4),
            (Kind::Terminal, 0),
            (Kind::UniformChance, 2),
            (Kind::WeightedChance, 1),
        ];
        edges.finish(states.into_iter(), (10..17).map(|n: i32| -n).collect());
        assert_eq!((edges.first, edges.len()), (7, 4));
        let ways = edges.ways(0);
        assert_eq!((ways.kind, ways.successors.len()), (Kind::Decision(2), 4));
        assert_eq!(edges.ways(1).successors, [0u32; 0]);
        let ways = edges.ways(2);
        assert_eq!(
            (ways.successors, ways.rewards),
            (&[14, 15][..], &[-14, -15][..])
        );
        assert_eq!(edges.ways(3).kind, Kind::WeightedChance);
        assert_eq!(edges.bytes(), 4 * (4 + 4 + 7 + 7));
    }
}
