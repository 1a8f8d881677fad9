//! The tuples that a listing emits during a playout, and sampling from them.

use super::compact_tuples::{CompactTuple, Shape};
use crate::ir::meaning::Trouble;
use crate::ir::select::{nth_element, select};
use crate::ir::subsets::{choose, nth_subset};
use crate::ir::{Bulk, FaultId, Instr, Operand, Slot};
use crate::machine::interpret::Values;
use crate::machine::playout::frames::{At, Frame};
use crate::machine::playout::group::Group;
use crate::machine::sampling::below;
use rand::Rng;
use std::ops::ControlFlow;

/// Tuples of one listing, in buffers that are used again.
#[derive(Debug, Default)]
pub(in crate::machine::playout) struct Emitted {
    tuples: Vec<Tuple>,
    /// The tuples, where all emissions are of the forms that rows can take.
    rows: Vec<CompactTuple>,
    /// Their values, of which the first `used` count.
    values: Vec<u64>,
    used: usize,
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
    /// How many words its parts have that are not in bulk.
    whole: u32,
    /// The weight of it and of all before it.
    upto: u64,
    /// The weight of one of them.
    each: u64,
    kind: Kind,
}

/// What follows the values of a tuple: with a bulk one more word, and a set of so many words.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    One,
    Subsets(u16),
    Elements(u16),
    /// Of one set, each with those of another: twice a word and a set.
    Pairs(u16, u16),
}

impl Kind {
    /// How many parts are in bulk.
    fn parts(self) -> usize {
        match self {
            Kind::One => 0,
            Kind::Subsets(_) | Kind::Elements(_) => 1,
            Kind::Pairs(..) => 2,
        }
    }
}

/// What an instruction emits, made ready.
#[derive(Debug)]
pub(in crate::machine::playout) struct Emission {
    alternative: u32,
    /// The slots of all words that are not in bulk.
    slots: Box<[At]>,
    weight: Option<At>,
    rank: Option<At>,
    bulk: Option<Bulk>,
    shape: Option<Shape>,
    /// The words of a tuple.
    width: usize,
}

impl Emission {
    pub fn new(instr: &Instr) -> Option<Emission> {
        let Instr::Emit {
            alternative,
            parts,
            weight,
            rank,
            bulk,
        } = instr
        else {
            return None;
        };
        let whole = parts.len().saturating_sub(bulk.map_or(0, |b| b.parts()));
        let words = |part: &Operand| part.slot..part.slot + u32::from(part.words);
        let slots: Box<[At]> = parts[..whole]
            .iter()
            .flat_map(words)
            .map(|slot| slot as At)
            .collect();
        let more = bulk.map_or(0, |bulk| match bulk {
            Bulk::Elements { set, .. } | Bulk::Subsets { set, .. } => 1 + usize::from(set.words),
            Bulk::Pairs { first, second } => {
                2 + usize::from(first.0.words) + usize::from(second.0.words)
            }
        });
        Some(Emission {
            alternative: *alternative,
            width: slots.len() + more,
            slots,
            weight: weight.map(|slot| slot as At),
            rank: rank.map(|slot| slot as At),
            bulk: *bulk,
            shape: Shape::new(instr),
        })
    }
}

impl Emitted {
    pub fn new() -> Emitted {
        Emitted {
            tuples: Vec::with_capacity(1024),
            rows: Vec::with_capacity(64),
            values: vec![0; 4096],
            used: 0,
            total: 0,
            even: true,
            rank: i64::MAX,
        }
    }

    /// Whether there is a tuple to sample.
    pub fn any(&self) -> bool {
        self.total != 0
    }

    /// The weight of all tuples, `u64::MAX` for more than fits.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Goes through the tuples in order until `f` stops.
    pub fn each(
        &self,
        emissions: &[Emission],
        f: &mut dyn FnMut(&Group<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for row in &self.rows {
            if let Some(shape) = &emissions[row.emission as usize].shape {
                f(&row.group(shape))?;
            }
        }
        self.tuples.iter().try_for_each(|t| f(&self.group(t)))
    }

    fn group(&self, tuple: &Tuple) -> Group<'_> {
        let values = &self.values[tuple.from as usize..];
        let set = |from: usize, words: u16| &values[from..from + usize::from(words)];
        let whole = tuple.whole as usize;
        let lo = values.get(whole).copied().unwrap_or(0);
        Group {
            alternative: tuple.alternative,
            whole: &values[..whole],
            weight: tuple.each,
            bulk: match tuple.kind {
                Kind::One => None,
                Kind::Subsets(n) => Some(Values::Subsets(set(whole + 1, n), lo)),
                Kind::Elements(n) => Some(Values::Elements(set(whole + 1, n), lo as i64)),
                Kind::Pairs(a, b) => {
                    let second = whole + 1 + usize::from(a);
                    let other = values[second] as i64;
                    let (one, two) = (set(whole + 1, a), set(second + 1, b));
                    Some(Values::Pairs((one, lo as i64), (two, other)))
                }
            },
        }
    }

    /// Hands on the tuples with so much weight before one of them, with what is left of that weight.
    pub fn find(
        &self,
        emissions: &[Emission],
        before: u64,
        f: impl FnOnce(&Group<'_>, u64) -> Option<()>,
    ) -> Option<()> {
        if self.rows.is_empty() {
            let i = self.tuples.partition_point(|t| t.upto <= before);
            let skipped = i.checked_sub(1).map_or(0, |i| self.tuples[i].upto);
            return f(&self.group(self.tuples.get(i)?), before - skipped);
        }
        let i = self.rows.partition_point(|row| row.upto <= before);
        let skipped = i.checked_sub(1).map_or(0, |i| self.rows[i].upto);
        let row = self.rows.get(i)?;
        let shape = emissions[row.emission as usize].shape.as_ref()?;
        f(&row.group(shape), before - skipped)
    }

    pub fn clear(&mut self) {
        self.tuples.clear();
        self.rows.clear();
        self.used = 0;
        self.total = 0;
        self.even = true;
        self.rank = i64::MAX;
    }

    #[inline(always)]
    pub fn emit(&mut self, f: &Frame, emissions: &[Emission], number: u32) {
        let emission = &emissions[number as usize];
        match &emission.shape {
            Some(shape) if self.tuples.is_empty() => {
                let (mut row, size) = shape.read(f, number);
                self.total = self.total.saturating_add(size);
                row.upto = self.total;
                self.rows.push(row);
            }
            _ => {
                if !self.rows.is_empty() {
                    self.spread(emissions);
                }
                self.emit_any(f, emission);
            }
        }
    }

    /// What was emitted as rows becomes tuples like all others.
    #[cold]
    pub(super) fn spread(&mut self, emissions: &[Emission]) {
        let mut before = 0;
        let mut rows = std::mem::take(&mut self.rows);
        for row in rows.drain(..) {
            let Some(shape) = &emissions[row.emission as usize].shape else {
                continue;
            };
            let from = self.used;
            let (kind, values) = row.values(shape);
            self.used += values.len();
            if self.used > self.values.len() {
                self.values.resize(2 * self.used, 0);
            }
            self.values[from..self.used].copy_from_slice(&values);
            self.even &= row.upto - before == 1;
            before = row.upto;
            self.tuples.push(Tuple {
                alternative: shape.alternative,
                from: from as u32,
                whole: u32::from(shape.has_before()),
                upto: row.upto,
                each: 1,
                kind,
            });
        }
        self.rows = rows;
    }

    #[inline(always)]
    #[allow(
        clippy::needless_range_loop,
        reason = "the loop over the steps is too long for iterators to be inlined into it"
    )]
    fn emit_any(&mut self, f: &Frame, emission: &Emission) {
        if let Some(rank) = emission.rank {
            let rank = f[rank as usize] as i64;
            if rank > self.rank {
                return;
            }
            if rank < self.rank {
                self.clear();
                self.rank = rank;
            }
        }
        let from = self.used;
        self.used += emission.width;
        if self.used > self.values.len() {
            self.values.resize(2 * self.used, 0);
        }
        let (values, bulk) = self.values[from..self.used].split_at_mut(emission.slots.len());
        for i in 0..values.len().min(emission.slots.len()) {
            values[i] = f[emission.slots[i] as usize];
        }
        let each = emission.weight.map_or(1, |w| f[w as usize]);
        let mut weight = each;
        let kind = match (&emission.bulk, bulk.split_first_mut()) {
            (Some(Bulk::Elements { set, lo }), Some((first, bulk))) => {
                let set = words(f, *set);
                weight = weight.saturating_mul(keep(bulk, set));
                *first = *lo as u64;
                Kind::Elements(set.len() as u16)
            }
            (
                Some(Bulk::Pairs {
                    first: (a, lo),
                    second: (b, other),
                }),
                Some((first, bulk)),
            ) => {
                let (a, b) = (words(f, *a), words(f, *b));
                let (one, bulk) = bulk.split_at_mut(a.len().min(bulk.len()));
                weight = weight.saturating_mul(keep(one, a));
                *first = *lo as u64;
                if let Some((second, bulk)) = bulk.split_first_mut() {
                    weight = weight.saturating_mul(keep(bulk, b));
                    *second = *other as u64;
                }
                Kind::Pairs(a.len() as u16, b.len() as u16)
            }
            (Some(Bulk::Subsets { set, count }), Some((first, bulk))) => {
                let (set, count) = (words(f, *set), f[*count as usize & 0xffff]);
                let size = set.iter().map(|w| u64::from(w.count_ones())).sum();
                weight = weight.saturating_mul(choose(size, count));
                *first = count;
                bulk.copy_from_slice(set);
                Kind::Subsets(set.len() as u16)
            }
            _ => Kind::One,
        };
        self.even &= weight == 1;
        self.total = self.total.saturating_add(weight);
        self.tuples.push(Tuple {
            alternative: emission.alternative,
            from: from as u32,
            whole: emission.slots.len() as u32,
            upto: self.total,
            each,
            kind,
        });
    }

    /// Takes one of the tuples and forgets all.
    pub fn sample(
        &mut self,
        f: &mut Frame,
        emissions: &[Emission],
        (chosen, alternatives): (Slot, &[Vec<Operand>]),
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
        if let Some(first) = self.rows.iter().position(|row| row.upto > k) {
            let row = &self.rows[first];
            if let Some(shape) = &emissions[row.emission as usize].shape {
                let before = first.checked_sub(1).map_or(0, |b| self.rows[b].upto);
                let parts = alternatives.get(shape.alternative as usize);
                f[chosen as usize] = u64::from(shape.alternative);
                row.take(f, shape, k - before, parts.map_or(&[], |p| p));
            }
            self.clear();
            return Ok(());
        }
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
        let whole = parts.len().saturating_sub(tuple.kind.parts());
        for part in &parts[..whole] {
            let (now, rest) = values.split_at(part.words as usize);
            let at = part.slot as usize;
            f[at..at + now.len()].copy_from_slice(now);
            values = rest;
        }
        let before = i.checked_sub(1).map_or(0, |b| self.tuples[b].upto);
        let rank = (k - before) / tuple.each.max(1);
        match (tuple.kind, &parts[whole..]) {
            (Kind::Elements(n), [last]) => {
                f[last.slot as usize] = nth(&values[..1 + n as usize], rank);
            }
            (Kind::Pairs(a, b), [first, second]) => {
                let (one, other) = values.split_at(1 + a as usize);
                let other = &other[..1 + b as usize];
                let size: u64 = other[1..].iter().map(|w| u64::from(w.count_ones())).sum();
                f[first.slot as usize] = nth(one, rank / size.max(1));
                f[second.slot as usize] = nth(other, rank % size.max(1));
            }
            (Kind::Subsets(n), [last]) => {
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

/// Copies the words of a set, and returns how many elements it has.
#[inline(always)]
#[allow(clippy::needless_range_loop, reason = "as in `Emitted::emit`")]
fn keep(to: &mut [u64], set: &[u64]) -> u64 {
    let mut size = 0;
    for i in 0..set.len().min(to.len()) {
        to[i] = set[i];
        size += u64::from(set[i].count_ones());
    }
    size
}

/// The value with `rank` others before it of a set that comes after the value of its ordinal 0.
fn nth(values: &[u64], rank: u64) -> u64 {
    let element = match *values {
        [_, word] => select(word, rank as u32),
        _ => nth_element(&values[1..], rank).unwrap_or(0),
    };
    values[0].wrapping_add(element)
}

#[inline(always)]
fn words(f: &Frame, o: Operand) -> &[u64] {
    &f[o.slot as usize..o.slot as usize + o.words as usize]
}
