//! Runs the code of a playout over a frame.

use super::code::{At, Step};
use super::emitted::Emitted;
use super::translate::{Code, FRAME};
use crate::compile::ir::{NodeId, Operand, Program, SampleCode};
use crate::machine::interpret::{MAX_STEPS, Trouble, execute};
use crate::machine::sampling::{self, below, nth_element};
use rand::Rng;

/// The registers of a playout.
pub(super) type Frame = [u64; FRAME];

/// One action or outcome of a playout, as it is told.
pub(super) struct ToldAction<'a> {
    pub node: NodeId,
    /// `None`: chance.
    pub player: Option<usize>,
    pub frame: &'a Frame,
    pub chosen: u64,
    pub parts: &'a [Operand],
}

/// Who follows a playout.
pub(super) trait Follow {
    fn told(&mut self, action: ToldAction<'_>);
}

impl Follow for () {
    fn told(&mut self, _: ToldAction<'_>) {}
}

#[inline(always)]
fn get(f: &Frame, at: At) -> u64 {
    f[at as usize]
}

#[inline(always)]
fn int(f: &Frame, at: At) -> i64 {
    f[at as usize] as i64
}

/// An index below `count`.
#[inline(always)]
fn within(f: &Frame, index: At, count: u64) -> Result<u64, Trouble> {
    let i = get(f, index);
    if i < count {
        Ok(i)
    } else {
        Err(Trouble::Index)
    }
}

#[inline(always)]
fn set(f: &mut Frame, at: At, value: u64) {
    f[at as usize] = value;
}

/// The bit of an element; none for one outside a word.
#[inline(always)]
fn bit(element: u64) -> u64 {
    if element < 64 { 1 << element } else { 0 }
}

/// A range of slots.
fn wide(f: &Frame, at: At, words: u16) -> &[u64] {
    f.get(at as usize..at as usize + words as usize)
        .unwrap_or(&[])
}

pub(super) fn run<R: Rng, F: Follow>(
    p: &Program,
    code: &Code,
    frame: &mut Frame,
    start: u32,
    rng: &mut R,
    emitted: &mut Emitted,
    follow: &mut F,
) -> Result<(), Trouble> {
    let f = frame;
    let steps = &code.steps[..];
    let mut pc = start as usize;
    let mut fuel = MAX_STEPS;
    while let Some(step) = steps.get(pc) {
        pc += 1;
        match *step {
            Step::Back { to, cost } => {
                pc = to as usize;
                if u64::from(cost) >= fuel {
                    return Err(Trouble::TooManySteps);
                }
                fuel -= u64::from(cost);
            }
            Step::JumpIf { a, to } => {
                if get(f, a) != 0 {
                    pc = to as usize;
                }
            }
            Step::JumpIfNot { a, to } => {
                if get(f, a) == 0 {
                    pc = to as usize;
                }
            }
            Step::JumpEq { a, b, to } => {
                if get(f, a) == get(f, b) {
                    pc = to as usize;
                }
            }
            Step::JumpNe { a, b, to } => {
                if get(f, a) != get(f, b) {
                    pc = to as usize;
                }
            }
            Step::JumpLt { a, b, to } => {
                if int(f, a) < int(f, b) {
                    pc = to as usize;
                }
            }
            Step::JumpLe { a, b, to } => {
                if int(f, a) <= int(f, b) {
                    pc = to as usize;
                }
            }
            Step::JumpWithin { a, b, to } => {
                if get(f, a) & !get(f, b) == 0 {
                    pc = to as usize;
                }
            }
            Step::JumpNotWithin { a, b, to } => {
                if get(f, a) & !get(f, b) != 0 {
                    pc = to as usize;
                }
            }
            Step::JumpHas { a, b, to } => {
                if get(f, a) & bit(get(f, b)) != 0 {
                    pc = to as usize;
                }
            }
            Step::JumpHasNot { a, b, to } => {
                if get(f, a) & bit(get(f, b)) == 0 {
                    pc = to as usize;
                }
            }
            Step::Copy { dst, a } => set(f, dst, get(f, a)),
            Step::CopyWide { dst, a, words } => {
                let a = a as usize;
                f.copy_within(a..a + words as usize, dst as usize);
            }
            Step::Add { dst, a, b } => set(f, dst, get(f, a).wrapping_add(get(f, b))),
            Step::Sub { dst, a, b } => set(f, dst, get(f, a).wrapping_sub(get(f, b))),
            Step::Mul { dst, a, b } => set(f, dst, get(f, a).wrapping_mul(get(f, b))),
            Step::Min { dst, a, b } => set(f, dst, int(f, a).min(int(f, b)) as u64),
            Step::Max { dst, a, b } => set(f, dst, int(f, a).max(int(f, b)) as u64),
            Step::Eq { dst, a, b } => set(f, dst, u64::from(get(f, a) == get(f, b))),
            Step::Ne { dst, a, b } => set(f, dst, u64::from(get(f, a) != get(f, b))),
            Step::Lt { dst, a, b } => set(f, dst, u64::from(int(f, a) < int(f, b))),
            Step::Le { dst, a, b } => set(f, dst, u64::from(int(f, a) <= int(f, b))),
            Step::And { dst, a, b } => set(f, dst, get(f, a) & get(f, b)),
            Step::Or { dst, a, b } => set(f, dst, get(f, a) | get(f, b)),
            Step::Without { dst, a, b } => set(f, dst, get(f, a) & !get(f, b)),
            Step::Within { dst, a, b } => set(f, dst, u64::from(get(f, a) & !get(f, b) == 0)),
            Step::Not { dst, a } => set(f, dst, u64::from(get(f, a) == 0)),
            Step::Select { dst, cond, a, b } => {
                let from = if get(f, cond) != 0 { a } else { b };
                set(f, dst, get(f, from));
            }
            Step::AddConst { dst, a, value } => {
                set(f, dst, get(f, a).wrapping_add(i64::from(value) as u64));
            }
            Step::Check { a, check } => {
                let (lo, hi, fault) = code.checks[check as usize];
                let value = int(f, a);
                if value < lo || value > hi {
                    return Err(Trouble::Fault { fault, value });
                }
            }
            Step::Load {
                dst,
                base,
                index,
                count,
            } => {
                let i = within(f, index, u64::from(count))?;
                set(f, dst, get(f, base.wrapping_add(i as u16)));
            }
            Step::LoadWide {
                dst,
                base,
                index,
                words,
                count,
            } => {
                let i = within(f, index, u64::from(count))?;
                let from = base as usize + i as usize * words as usize;
                f.copy_within(from..from + words as usize, dst as usize);
            }
            Step::Store {
                base,
                index,
                a,
                count,
            } => {
                let i = within(f, index, u64::from(count))?;
                set(f, base.wrapping_add(i as u16), get(f, a));
            }
            Step::Table {
                dst,
                index,
                count,
                from,
            } => {
                let i = within(f, index, u64::from(count))?;
                set(f, dst, code.tables[from as usize + i as usize]);
            }
            Step::TableWide {
                dst,
                index,
                words,
                from,
            } => {
                let at = (get(f, index) as usize)
                    .saturating_mul(words as usize)
                    .saturating_add(from as usize);
                let Some(row) = code.tables.get(at..at.saturating_add(words as usize)) else {
                    return Err(Trouble::Index);
                };
                f[dst as usize..dst as usize + words as usize].copy_from_slice(row);
            }
            Step::Has { dst, a, b } => {
                set(f, dst, u64::from(get(f, a) & bit(get(f, b)) != 0));
            }
            Step::Insert { a, b } => {
                let bit = bit(get(f, b));
                if bit == 0 {
                    return Err(Trouble::Index);
                }
                set(f, a, get(f, a) | bit);
            }
            Step::Remove { a, b } => set(f, a, get(f, a) & !bit(get(f, b))),
            Step::Count { dst, a } => set(f, dst, u64::from(get(f, a).count_ones())),
            Step::Next { dst, a, b } => {
                let from = int(f, b).wrapping_add(1).max(0);
                let rest = if from < 64 {
                    get(f, a) & u64::MAX << from
                } else {
                    0
                };
                set(f, dst, first(rest));
            }
            Step::First { dst, a } => set(f, dst, first(get(f, a))),
            Step::Last { dst, a } => {
                let word = get(f, a);
                set(f, dst, (63 - i64::from(word.leading_zeros())) as u64);
            }
            Step::HasWide { dst, a, words, b } => {
                let e = get(f, b);
                let word = wide(f, a, words).get((e / 64) as usize).copied();
                set(f, dst, word.unwrap_or(0) >> (e % 64) & 1);
            }
            Step::InsertWide { a, words, b } => {
                let e = get(f, b);
                if e / 64 >= u64::from(words) {
                    return Err(Trouble::Index);
                }
                let at = a.wrapping_add((e / 64) as u16);
                set(f, at, get(f, at) | 1 << (e % 64));
            }
            Step::RemoveWide { a, words, b } => {
                let e = get(f, b);
                if e / 64 < u64::from(words) {
                    let at = a.wrapping_add((e / 64) as u16);
                    set(f, at, get(f, at) & !(1 << (e % 64)));
                }
            }
            Step::UnionWide { dst, a, b, words } => {
                for w in 0..words {
                    let value = get(f, a.wrapping_add(w)) | get(f, b.wrapping_add(w));
                    set(f, dst.wrapping_add(w), value);
                }
            }
            Step::IntersectWide { dst, a, b, words } => {
                for w in 0..words {
                    let value = get(f, a.wrapping_add(w)) & get(f, b.wrapping_add(w));
                    set(f, dst.wrapping_add(w), value);
                }
            }
            Step::WithoutWide { dst, a, b, words } => {
                for w in 0..words {
                    let value = get(f, a.wrapping_add(w)) & !get(f, b.wrapping_add(w));
                    set(f, dst.wrapping_add(w), value);
                }
            }
            Step::CountWide { dst, a, words } => {
                let n: u32 = wide(f, a, words).iter().map(|w| w.count_ones()).sum();
                set(f, dst, u64::from(n));
            }
            Step::Other { number } => execute(p, &mut f[..], &code.others[number as usize])?,
            Step::Element { dst, a, lo, fault } => {
                // The bound is on the steps between two moves.
                fuel = MAX_STEPS;
                let word = get(f, a);
                if word == 0 {
                    return Err(nothing(u32::from(fault)));
                }
                let k = below(rng, u64::from(word.count_ones()));
                let value = select(word, k as u32).wrapping_add(get(f, lo));
                set(f, dst, value);
            }
            Step::ElementWide {
                dst,
                a,
                words,
                lo,
                fault,
            } => {
                fuel = MAX_STEPS;
                let value = element(wide(f, a, words), rng)
                    .ok_or_else(|| nothing(u32::from(fault)))?
                    .wrapping_add(get(f, lo));
                set(f, dst, value);
            }
            Step::Emit { number } => emitted.emit(f, &code.emissions[number as usize]),
            Step::Sample { number } => {
                fuel = MAX_STEPS;
                sample(f, &code.samples[number as usize], rng, emitted, follow)?;
            }
            Step::End => return Ok(()),
            Step::Fail { fault } => return Err(nothing(fault)),
        }
    }
    Err(Trouble::Index)
}

fn nothing(fault: u32) -> Trouble {
    Trouble::Fault { fault, value: 0 }
}

#[inline(always)]
fn first(word: u64) -> u64 {
    if word == 0 {
        u64::MAX
    } else {
        u64::from(word.trailing_zeros())
    }
}

/// The set bit with `k` set bits below it.
#[inline(always)]
pub(super) fn select(mut word: u64, mut k: u32) -> u64 {
    let mut base = 0;
    if k >= 4 {
        let low = (word as u32).count_ones();
        if k >= low {
            k -= low;
            word >>= 32;
            base += 32;
        }
        let low = (word as u16).count_ones();
        if k >= low {
            k -= low;
            word >>= 16;
            base += 16;
        }
        let low = (word as u8).count_ones();
        if k >= low {
            k -= low;
            word >>= 8;
            base += 8;
        }
    }
    for _ in 0..k {
        word &= word.wrapping_sub(1);
    }
    base + u64::from(word.trailing_zeros())
}

fn element(words: &[u64], rng: &mut impl Rng) -> Option<u64> {
    let n: u32 = words.iter().map(|w| w.count_ones()).sum();
    if n == 0 {
        return None;
    }
    nth_element(words, below(rng, u64::from(n)))
}

fn sample<R: Rng, F: Follow>(
    f: &mut Frame,
    code: &SampleCode,
    rng: &mut R,
    emitted: &mut Emitted,
    follow: &mut F,
) -> Result<(), Trouble> {
    match code {
        SampleCode::Below { .. }
        | SampleCode::Member { .. }
        | SampleCode::Attempts { .. }
        | SampleCode::Element { .. } => sampling::sample(&mut f[..], code, rng)?,
        SampleCode::Subset {
            dst,
            set: from,
            count,
            fault,
        } => {
            let mut left: smallvec::SmallVec<[u64; 8]> =
                wide(f, from.slot as At, from.words).into();
            let mut size: u64 = left.iter().map(|w| u64::from(w.count_ones())).sum();
            let count = get(f, *count as At);
            if count > size {
                return Err(nothing(*fault));
            }
            let (dst, words) = (dst.slot as usize, dst.words as usize);
            f[dst..dst + words].fill(0);
            for _ in 0..count {
                if let Some(e) = nth_element(&left, below(rng, size)) {
                    left[(e / 64) as usize] &= !(1 << (e % 64));
                    f[dst + (e / 64) as usize] |= 1 << (e % 64);
                }
                size -= 1;
            }
        }
        SampleCode::Tuple {
            chosen,
            alternatives,
            fault,
        } => emitted.sample(f, *chosen, alternatives, *fault, rng)?,
        SampleCode::Told {
            player,
            node,
            chosen,
            alternatives,
            ..
        } => {
            let chosen = get(f, *chosen as At);
            follow.told(ToldAction {
                node: *node,
                player: player.map(|slot| get(f, slot as At) as usize),
                frame: f,
                chosen,
                parts: alternatives.get(chosen as usize).map_or(&[], |p| p),
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::select;

    #[test]
    fn select_finds_the_bit() {
        for word in [1u64, u64::MAX, 0xf0f0_0001_8000_0003, 1 << 63, 0x5555 << 40] {
            let bits = (0..64).filter(|b| word >> b & 1 == 1);
            for (k, b) in bits.enumerate() {
                assert_eq!(select(word, k as u32), b);
            }
        }
    }
}
