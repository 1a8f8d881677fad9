//! The tuples that a listing emits on the way of a playout, and the one that is taken.

use super::run::{Frame, select};
use crate::compile::ir::{Bulk, FaultId, Instr, Operand, Slot};
use crate::machine::interpret::Trouble;
use crate::machine::sampling::{below, nth_element};
use crate::machine::subsets::{choose, nth_subset};
use rand::Rng;

/// Tuples of one listing, in buffers that are used again.
#[derive(Debug, Default)]
pub(super) struct Emitted {
    tuples: Vec<Tuple>,
    values: Vec<u64>,
    /// The weight of all tuples so far.
    total: u64,
    /// Every tuple has the weight 1.
    even: bool,
    /// The least rank so far.
    rank: i64,
}

#[derive(Copy, Clone, Debug)]
struct Tuple {
    alternative: u32,
    /// Where its values begin.
    from: u32,
    /// The weight of it and of all before it.
    upto: u64,
    /// The weight of one of them.
    each: u64,
    kind: Kind,
}

/// What follows the values of a tuple: with a bulk one more word, and a set of so many words.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Kind {
    One,
    Subsets(u16),
    Elements(u16),
}

impl Emitted {
    pub fn new() -> Emitted {
        Emitted {
            tuples: Vec::with_capacity(1024),
            values: Vec::with_capacity(4096),
            total: 0,
            even: true,
            rank: i64::MAX,
        }
    }

    pub fn clear(&mut self) {
        self.tuples.clear();
        self.values.clear();
        self.total = 0;
        self.even = true;
        self.rank = i64::MAX;
    }

    pub fn emit(&mut self, f: &Frame, instr: &Instr) {
        let Instr::Emit {
            alternative,
            parts,
            weight,
            rank,
            bulk,
        } = instr
        else {
            return;
        };
        if let Some(rank) = rank {
            let rank = f[*rank as usize & 0xffff] as i64;
            if rank > self.rank {
                return;
            }
            if rank < self.rank {
                self.clear();
                self.rank = rank;
            }
        }
        let from = self.values.len() as u32;
        let whole = parts.len() - usize::from(bulk.is_some() && !parts.is_empty());
        for part in &parts[..whole] {
            if part.words == 1 {
                self.values.push(f[part.slot as usize & 0xffff]);
            } else {
                self.values.extend_from_slice(words(f, *part));
            }
        }
        let each = weight.map_or(1, |w| f[w as usize]);
        let mut weight = each;
        let kind = match bulk {
            None => Kind::One,
            Some(Bulk::Elements { set, lo }) => {
                let set = words(f, *set);
                let size: u64 = set.iter().map(|w| u64::from(w.count_ones())).sum();
                weight = weight.saturating_mul(size);
                self.values.push(*lo as u64);
                self.values.extend_from_slice(set);
                Kind::Elements(set.len() as u16)
            }
            Some(Bulk::Subsets { set, count }) => {
                let (set, count) = (words(f, *set), f[*count as usize]);
                let size = set.iter().map(|w| u64::from(w.count_ones())).sum();
                weight = weight.saturating_mul(choose(size, count));
                self.values.push(count);
                self.values.extend_from_slice(set);
                Kind::Subsets(set.len() as u16)
            }
        };
        self.even &= weight == 1;
        self.total = self.total.saturating_add(weight);
        self.tuples.push(Tuple {
            alternative: *alternative,
            from,
            upto: self.total,
            each,
            kind,
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
        let i = if self.even {
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
        let whole = parts.len() - usize::from(tuple.kind != Kind::One);
        for part in &parts[..whole] {
            let (now, rest) = values.split_at(part.words as usize);
            let at = part.slot as usize;
            f[at..at + now.len()].copy_from_slice(now);
            values = rest;
        }
        let before = i.checked_sub(1).map_or(0, |b| self.tuples[b].upto);
        let rank = (k - before) / tuple.each.max(1);
        match (tuple.kind, parts.last()) {
            (Kind::Elements(n), Some(last)) => {
                let element = match n {
                    1 => select(values[1], rank as u32),
                    _ => nth_element(&values[1..1 + n as usize], rank).unwrap_or(0),
                };
                f[last.slot as usize] = values[0].wrapping_add(element);
            }
            (Kind::Subsets(n), Some(last)) => {
                let subset = nth_subset(&values[1..1 + n as usize], values[0], rank);
                let at = last.slot as usize;
                f[at..at + subset.len()].copy_from_slice(&subset);
            }
            _ => {}
        }
        self.clear();
        Ok(())
    }
}

fn words(f: &Frame, o: Operand) -> &[u64] {
    &f[o.slot as usize..o.slot as usize + o.words as usize]
}
