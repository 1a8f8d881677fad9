//! Computations that depend on one value alone, done for each word that it may be.

use super::{Kind, Value, Values};
use smallvec::SmallVec;
use std::collections::BTreeSet;

/// The most instructions of a computation that is done beforehand, and how far its origins are looked for.
const MOST_STEPS: usize = 100;

/// A computation of several steps from one value.
pub(in crate::compile::optimise) struct Computations {
    pub origin: Value,
    steps: Vec<u32>,
}

impl Values<'_> {
    /// What a value is computed from, without constants; `None`: it is not computed.
    fn inputs(&self, value: Value) -> Option<impl Iterator<Item = Value> + '_> {
        let Kind::Computed { by, .. } = self.kinds[value as usize] else {
            return None;
        };
        let args = self.computations[by as usize].args.iter().copied();
        Some(args.filter(|a| self.constant(*a).is_none()))
    }

    /// The single values on which all of `of` depend alone, the nearest first.
    pub fn origins(&self, of: &[Value]) -> Vec<Value> {
        let mut found = Vec::new();
        // The greatest number goes first: nothing that is still waiting depends on it but what has gone.
        let mut waiting: BTreeSet<Value> = of
            .iter()
            .copied()
            .filter(|v| self.constant(*v).is_none())
            .collect();
        for _ in 0..MOST_STEPS {
            let Some(value) = waiting.pop_last() else {
                break;
            };
            if waiting.is_empty() && (of.len() > 1 || value != of[0]) {
                found.push(value);
            }
            match self.inputs(value) {
                Some(inputs) => waiting.extend(inputs),
                None => break,
            }
        }
        found
    }

    /// The computations that lead from `origin` to some values, in their order, each of their numbers once; `None` where
    /// they do not depend on it alone, or are too many.
    pub fn steps(&self, of: &[Value], origin: Value) -> Option<Computations> {
        let mut waiting: BTreeSet<Value> = of.iter().copied().collect();
        let mut steps = Vec::new();
        while let Some(value) = waiting.pop_last() {
            if value == origin {
                continue;
            }
            match self.kinds[value as usize] {
                Kind::Known(_) => {}
                Kind::Opaque => return None,
                Kind::Computed { by, .. } => {
                    if steps.last() != Some(&by) {
                        steps.push(by);
                    }
                    if steps.len() > MOST_STEPS {
                        return None;
                    }
                    waiting.extend(self.computations[by as usize].args.iter().copied());
                }
            }
        }
        steps.reverse();
        Some(Computations { origin, steps })
    }

    /// Whether some steps may still be done for so many words; takes them off what may be done.
    pub fn affords(&mut self, steps: &Computations, words: i64) -> bool {
        let words = usize::try_from(words).unwrap_or(usize::MAX);
        let left = self
            .runs
            .checked_sub(steps.steps.len().saturating_mul(words));
        self.runs = left.unwrap_or(self.runs);
        left.is_some()
    }

    /// How much some steps cost, in short instructions.
    pub fn cost(&self, steps: &Computations) -> usize {
        let long = |by: &u32| self.computations[*by as usize].long;
        let cost = |by: &u32| if long(by) { 4 } else { 1 };
        steps.steps.iter().map(cost).sum()
    }

    /// The values of some that depend on an origin alone, when that is `word`; `None` where this ends in an error.
    pub fn evaluate(&mut self, of: &[Value], steps: &Computations, word: u64) -> Option<Vec<u64>> {
        self.at.resize(self.kinds.len(), 0);
        self.at[steps.origin as usize] = word;
        for &by in &steps.steps {
            let args: SmallVec<[u64; 8]> = self.computations[by as usize]
                .args
                .iter()
                .map(|a| self.constant(*a).unwrap_or(self.at[*a as usize]))
                .collect();
            let words = self.run(by, |i| args[i])?;
            let first = self.computations[by as usize].first as usize;
            self.at[first..first + words.len()].copy_from_slice(&words);
        }
        let words = of.iter();
        let words = words.map(|v| self.constant(*v).unwrap_or(self.at[*v as usize]));
        Some(words.collect())
    }
}
