//! The tuples that a listing emits on the way of a playout, and the one that is taken.

use super::run::Frame;
use crate::compile::ir::{FaultId, Instr, Operand, Slot};
use crate::machine::interpret::Trouble;
use crate::machine::sampling::below;
use crate::machine::subsets::{choose, nth_subset};
use rand::Rng;

/// Tuples of one listing, in buffers that are used again.
#[derive(Debug, Default)]
pub(super) struct Emitted {
    tuples: Vec<Tuple>,
    values: Vec<u64>,
    /// The weight of all tuples so far.
    total: u64,
}

#[derive(Copy, Clone, Debug)]
struct Tuple {
    alternative: u32,
    /// Where its values begin.
    from: u32,
    /// The weight of it and of all before it.
    upto: u64,
    /// The weight of one: more than one where a set of subsets stands for all of them.
    each: u64,
    subsets: bool,
}

impl Emitted {
    pub fn new() -> Emitted {
        Emitted {
            tuples: Vec::with_capacity(1024),
            values: Vec::with_capacity(4096),
            total: 0,
        }
    }

    pub fn clear(&mut self) {
        self.tuples.clear();
        self.values.clear();
        self.total = 0;
    }

    pub fn emit(&mut self, f: &Frame, instr: &Instr) {
        let Instr::Emit {
            alternative,
            parts,
            weight,
            subsets,
        } = instr
        else {
            return;
        };
        let from = self.values.len() as u32;
        let whole = parts.len() - usize::from(subsets.is_some() && !parts.is_empty());
        for part in &parts[..whole] {
            if part.words == 1 {
                self.values.push(f[part.slot as usize & 0xffff]);
            } else {
                self.values.extend_from_slice(words(f, *part));
            }
        }
        let each = weight.map_or(1, |w| f[w as usize]);
        let mut weight = each;
        if let Some((set, count)) = subsets {
            let (set, count) = (words(f, *set), f[*count as usize]);
            let size = set.iter().map(|w| u64::from(w.count_ones())).sum();
            weight = weight.saturating_mul(choose(size, count));
            self.values.push(count);
            self.values.extend_from_slice(set);
        }
        self.total = self.total.saturating_add(weight);
        self.tuples.push(Tuple {
            alternative: *alternative,
            from,
            upto: self.total,
            each,
            subsets: subsets.is_some(),
        });
    }

    /// Takes one of the tuples and forgets all.
    pub fn sample(
        &mut self,
        f: &mut Frame,
        chosen: Slot,
        alternatives: &[Vec<Operand>],
        fault: FaultId,
        rng: &mut impl Rng,
    ) -> Result<(), Trouble> {
        if self.total == 0 || self.total == u64::MAX {
            let many = self.total != 0;
            self.clear();
            return Err(if many {
                Trouble::TooManySteps
            } else {
                Trouble::Fault { fault, value: 0 }
            });
        }
        let k = below(rng, self.total);
        let i = if self.total == self.tuples.len() as u64 && self.tuples[k as usize].upto == k + 1 {
            k as usize
        } else {
            self.tuples.partition_point(|t| t.upto <= k)
        };
        let tuple = self.tuples[i];
        f[chosen as usize] = u64::from(tuple.alternative);
        let mut values = &self.values[tuple.from as usize..];
        let parts = alternatives
            .get(tuple.alternative as usize)
            .map_or(&[][..], |p| p);
        let whole = parts.len() - usize::from(tuple.subsets);
        for part in &parts[..whole] {
            let (now, rest) = values.split_at(part.words as usize);
            let at = part.slot as usize;
            f[at..at + now.len()].copy_from_slice(now);
            values = rest;
        }
        if let (true, Some(last)) = (tuple.subsets, parts.last()) {
            let before = i.checked_sub(1).map_or(0, |b| self.tuples[b].upto);
            let rank = (k - before) / tuple.each.max(1);
            let set = &values[1..1 + last.words as usize];
            let subset = nth_subset(set, values[0], rank);
            let at = last.slot as usize;
            f[at..at + subset.len()].copy_from_slice(&subset);
        }
        self.clear();
        Ok(())
    }
}

fn words(f: &Frame, o: Operand) -> &[u64] {
    &f[o.slot as usize..o.slot as usize + o.words as usize]
}
