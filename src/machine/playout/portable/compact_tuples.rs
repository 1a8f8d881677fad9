//! Emitted tuples in compact form: those that differ in one element of a set of few words, and in at most one more of
//! another set. Most tuples are of this kind.

use super::emitted_tuples::Kind;
use crate::ir::select::select;
use crate::ir::{Bulk, Instr, Operand};
use crate::machine::interpret::Values;
use crate::machine::playout::frames::{At, Frame};
use crate::machine::playout::group::Group;
use smallvec::SmallVec;

/// The most words of the first set.
const WORDS: usize = 4;

/// The tuples of an emission: what stands in a slot, an element of a set, and an element of another set.
#[derive(Debug)]
pub(super) struct Shape {
    pub alternative: u32,
    /// The slot of the first part, where that is not of the set.
    before: Option<At>,
    set: At,
    words: u16,
    lo: u64,
    /// The set of the last part, of one word, and the value of its ordinal 0.
    last: Option<(At, u64)>,
}

/// Such tuples as they were emitted.
#[derive(Copy, Clone, Debug)]
pub(super) struct CompactTuple {
    /// The number of the emission.
    pub emission: u32,
    before: u64,
    set: [u64; WORDS],
    last: u64,
    /// How many tuples there are up to the last of these.
    pub upto: u64,
}

impl Shape {
    /// `None` where the tuples are of another form.
    pub fn new(instr: &Instr) -> Option<Shape> {
        let Instr::Emit {
            alternative,
            parts,
            weight: None,
            rank: None,
            bulk: Some(bulk),
        } = instr
        else {
            return None;
        };
        let (set, lo, last) = match *bulk {
            Bulk::Elements { set, lo } => (set, lo, None),
            Bulk::Pairs {
                first: (set, lo),
                second: (last, other),
            } => (set, lo, Some((last, other))),
            Bulk::Subsets { .. } => return None,
        };
        let whole = parts.len().checked_sub(bulk.parts())?;
        let before = match parts[..whole] {
            [] => None,
            [Operand { slot, words: 1 }] => Some(slot as At),
            _ => return None,
        };
        let short = usize::from(set.words) <= WORDS && last.is_none_or(|(set, _)| set.words == 1);
        short.then_some(Shape {
            alternative: *alternative,
            before,
            set: set.slot as At,
            words: set.words,
            lo: lo as u64,
            last: last.map(|(set, lo)| (set.slot as At, lo as u64)),
        })
    }

    /// Whether a part comes before those of the sets.
    pub fn has_before(&self) -> bool {
        self.before.is_some()
    }

    /// The tuples as they stand in the frame, and how many they are.
    #[inline(always)]
    pub fn read(&self, f: &Frame, emission: u32) -> (CompactTuple, u64) {
        let word = |w: u16| f[self.set.wrapping_add(w) as usize];
        let mut set = [0; WORDS];
        match self.words {
            4 => set = [word(0), word(1), word(2), word(3)],
            1 => set[0] = word(0),
            words => {
                for (w, to) in (0..words).zip(&mut set) {
                    *to = word(w);
                }
            }
        }
        let last = self.last.map_or(1, |(at, _)| f[at as usize]);
        let row = CompactTuple {
            emission,
            before: self.before.map_or(0, |at| f[at as usize]),
            set,
            last,
            upto: 0,
        };
        (row, row.size())
    }
}

impl CompactTuple {
    #[inline(always)]
    fn size(&self) -> u64 {
        // Written out: what is called from the loop over steps is compiled for any machine.
        let [a, b, c, d] = self.set;
        let size = a.count_ones() + b.count_ones() + c.count_ones() + d.count_ones();
        u64::from(size) * u64::from(self.last.count_ones())
    }

    /// The tuples for those who want all of them.
    pub fn group(&self, shape: &Shape) -> Group<'_> {
        let set = (&self.set[..usize::from(shape.words)], shape.lo as i64);
        Group {
            alternative: shape.alternative,
            whole: match shape.before {
                Some(_) => std::slice::from_ref(&self.before),
                None => &[],
            },
            weight: 1,
            bulk: Some(match shape.last {
                None => Values::Elements(set.0, set.1),
                Some((_, lo)) => Values::Pairs(set, (std::slice::from_ref(&self.last), lo as i64)),
            }),
        }
    }

    /// The same as the values of tuples of any form.
    pub fn values(&self, shape: &Shape) -> (Kind, SmallVec<[u64; 8]>) {
        let words = usize::from(shape.words);
        let mut values = SmallVec::new();
        values.extend(shape.before.map(|_| self.before));
        values.push(shape.lo);
        values.extend_from_slice(&self.set[..words]);
        let kind = match shape.last {
            None => Kind::Elements(words as u16),
            Some((_, lo)) => {
                values.extend([lo, self.last]);
                Kind::Pairs(words as u16, 1)
            }
        };
        (kind, values)
    }

    /// Writes the tuple with `rank` others before it to the slots of its parts.
    pub fn take(&self, f: &mut Frame, shape: &Shape, rank: u64, parts: &[Operand]) {
        let mut parts = parts.iter();
        let mut write = |value: u64| {
            if let Some(part) = parts.next() {
                f[part.slot as usize] = value;
            }
        };
        if shape.before.is_some() {
            write(self.before);
        }
        let each = u64::from(self.last.count_ones()).max(1);
        let (mut left, rest) = match each {
            1 => (rank as u32, 0),
            each => ((rank / each) as u32, (rank % each) as u32),
        };
        let mut element = 0;
        for (w, word) in (0..).zip(self.set) {
            let count = word.count_ones();
            if left < count {
                element = w * 64 + select(word, left);
                break;
            }
            left -= count;
        }
        write(shape.lo.wrapping_add(element));
        if let Some((_, lo)) = shape.last {
            write(lo.wrapping_add(select(self.last, rest)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::playout::frames::FRAME;
    use crate::machine::playout::portable::emitted_tuples::{Emission, Emitted};
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{Rng, SeedableRng};

    const CHOSEN: u32 = 90;

    fn one(slot: u32) -> Operand {
        Operand { slot, words: 1 }
    }

    /// Emissions with parts of their own: elements of a long set and of a short one, and pairs; and one tuple alone.
    fn listed() -> (Vec<Instr>, Vec<Vec<Operand>>) {
        let set = |slot, words| Operand { slot, words };
        let bulks = [
            Some(Bulk::Elements {
                set: set(10, 4),
                lo: 1,
            }),
            Some(Bulk::Elements {
                set: set(20, 1),
                lo: -3,
            }),
            Some(Bulk::Pairs {
                first: (set(10, 3), 5),
                second: (set(21, 1), 0),
            }),
            None,
        ];
        let parts = |i: u32, n: u32| (0..n).map(|k| one(100 + 10 * i + k)).collect();
        let alternatives: Vec<Vec<Operand>> =
            vec![parts(0, 2), parts(1, 1), parts(2, 3), parts(3, 1)];
        let instr = |(i, bulk): (usize, Option<Bulk>)| Instr::Emit {
            alternative: i as u32,
            parts: alternatives[i].clone(),
            weight: None,
            rank: None,
            bulk,
        };
        let instrs = bulks.into_iter().enumerate().map(instr).collect();
        (instrs, alternatives)
    }

    /// Whether as rows or as tuples of any form, the same random number takes the same tuple.
    #[test]
    fn rows_are_sampled_as_tuples_of_any_form_are() {
        let (instrs, alternatives) = listed();
        let emissions: Vec<Emission> = instrs.iter().filter_map(Emission::new).collect();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut f: Box<Frame> = vec![0; FRAME].into_boxed_slice().try_into().unwrap();
        let mut taken = [0; 4];
        for round in 0..2000u64 {
            for slot in 10..22 {
                f[slot] = rng.next_u64() & rng.next_u64() & rng.next_u64();
            }
            f[100] = round;
            f[120] = round + 7;
            f[130] = round + 9;
            let order: Vec<usize> = (0..1 + rng.next_u64() % 5)
                .map(|_| (rng.next_u64() % 4) as usize)
                .collect();
            let mut after = Vec::new();
            for spread in [false, true] {
                let (mut emitted, mut f) = (Emitted::new(), f.clone());
                for &i in &order {
                    emitted.emit(&f, &emissions, i as u32);
                    if spread {
                        emitted.spread(&emissions);
                    }
                }
                let mut rng = Xoshiro256PlusPlus::seed_from_u64(round);
                if emitted.any() {
                    let to = (CHOSEN, &alternatives[..]);
                    let sampled = emitted.sample(&mut f, &emissions, to, 0, &mut rng);
                    assert!(sampled.is_ok());
                    taken[f[CHOSEN as usize] as usize] += 1;
                }
                assert!(!emitted.any());
                after.push(f);
            }
            assert!(
                after[0][..200] == after[1][..200],
                "round {round}: {order:?}"
            );
        }
        assert!(taken.iter().all(|n| *n > 100), "{taken:?}");
    }
}
