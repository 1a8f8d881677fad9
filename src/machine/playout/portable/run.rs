//! Runs the code of a playout over a frame.

use super::emitted_tuples::Emitted;
use super::frame_access::*;
use super::opcode::Opcode;
use super::translate::Code;
use crate::ir::meaning::{Trouble, execute};
use crate::ir::select::{nth_element, select};
use crate::ir::{Instr, Program, SampleCode};
use crate::machine::interpret::MAX_STEPS;
use crate::machine::playout::frames::{At, Frame};
use crate::machine::playout::move_observer::{MoveObserver, report};
use crate::machine::sampling::{self, below};
use rand::Rng;

/// Runs the code from `start` to its end. What comes out is the same on every machine.
#[expect(
    clippy::too_many_lines,
    reason = "one loop, so that the state of a playout stays in registers"
)]
pub(in crate::machine::playout) fn run<R: Rng + Clone, F: MoveObserver>(
    p: &Program,
    code: &Code,
    f: &mut Frame,
    start: u32,
    rng: &mut R,
    emitted: &mut Emitted,
    observer: &mut F,
) -> Result<(), Trouble> {
    let opcodes = &code.opcodes[..];
    let mut pc = start as usize;
    let mut fuel = MAX_STEPS;
    let mut kept = None;
    // Goes back in the code; every such jump costs something.
    macro_rules! back {
        ($to:expr, $cost:expr) => {{
            pc = $to as usize;
            if u64::from($cost) >= fuel {
                return Err(Trouble::TooManySteps);
            }
            fuel -= u64::from($cost);
        }};
    }
    macro_rules! jump {
        ($to:expr, $when:expr) => {
            if $when {
                pc = $to as usize;
            }
        };
    }
    macro_rules! check {
        ($check:expr, $value:expr) => {{
            let (lo, hi, fault) = code.checks[$check as usize];
            let value = $value as i64;
            if value < lo || value > hi {
                return Err(Trouble::Fault { fault, value });
            }
        }};
    }
    // A row of one word of a table.
    macro_rules! row {
        ($index:expr, $count:expr, $from:expr) => {{
            let i = below_count($index, u64::from($count))?;
            code.tables[$from as usize + i as usize]
        }};
    }
    while let Some(opcode) = opcodes.get(pc) {
        pc += 1;
        match *opcode {
            Opcode::Back { to, cost } => back!(to, cost),
            Opcode::JumpIf { a, to } => jump!(to, get(f, a) != 0),
            Opcode::JumpIfNot { a, to } => jump!(to, get(f, a) == 0),
            Opcode::JumpEq { a, b, to } => jump!(to, get(f, a) == get(f, b)),
            Opcode::JumpNe { a, b, to } => jump!(to, get(f, a) != get(f, b)),
            Opcode::JumpLt { a, b, to } => jump!(to, int(f, a) < int(f, b)),
            Opcode::JumpLe { a, b, to } => jump!(to, int(f, a) <= int(f, b)),
            Opcode::JumpWithin { a, b, to } => jump!(to, get(f, a) & !get(f, b) == 0),
            Opcode::JumpNotWithin { a, b, to } => jump!(to, get(f, a) & !get(f, b) != 0),
            Opcode::JumpHas { a, b, to } => jump!(to, get(f, a) & bit(get(f, b)) != 0),
            Opcode::JumpHasNot { a, b, to } => jump!(to, get(f, a) & bit(get(f, b)) == 0),
            Opcode::JumpHasWide { a, words, b, to } => jump!(to, has(f, a, words, get(f, b))),
            Opcode::JumpHasNotWide { a, words, b, to } => jump!(to, !has(f, a, words, get(f, b))),
            Opcode::JumpEqWide { a, b, words, to } => jump!(to, same(f, a, b, words)),
            Opcode::JumpNeWide { a, b, words, to } => jump!(to, !same(f, a, b, words)),
            Opcode::JumpWithinWide { a, b, words, to } => jump!(to, subset(f, a, b, words)),
            Opcode::JumpNotWithinWide { a, b, words, to } => jump!(to, !subset(f, a, b, words)),
            Opcode::Copy { dst, a } => set(f, dst, get(f, a)),
            Opcode::CopyWide { dst, a, words } => copy(f, dst, a, words),
            Opcode::Add { dst, a, b } => set(f, dst, get(f, a).wrapping_add(get(f, b))),
            Opcode::Sub { dst, a, b } => set(f, dst, get(f, a).wrapping_sub(get(f, b))),
            Opcode::Mul { dst, a, b } => set(f, dst, get(f, a).wrapping_mul(get(f, b))),
            Opcode::Min { dst, a, b } => set(f, dst, int(f, a).min(int(f, b)) as u64),
            Opcode::Max { dst, a, b } => set(f, dst, int(f, a).max(int(f, b)) as u64),
            Opcode::Eq { dst, a, b } => set(f, dst, u64::from(get(f, a) == get(f, b))),
            Opcode::Ne { dst, a, b } => set(f, dst, u64::from(get(f, a) != get(f, b))),
            Opcode::Lt { dst, a, b } => set(f, dst, u64::from(int(f, a) < int(f, b))),
            Opcode::Le { dst, a, b } => set(f, dst, u64::from(int(f, a) <= int(f, b))),
            Opcode::And { dst, a, b } => set(f, dst, get(f, a) & get(f, b)),
            Opcode::Or { dst, a, b } => set(f, dst, get(f, a) | get(f, b)),
            Opcode::Without { dst, a, b } => set(f, dst, get(f, a) & !get(f, b)),
            Opcode::Within { dst, a, b } => set(f, dst, u64::from(get(f, a) & !get(f, b) == 0)),
            Opcode::Not { dst, a } => set(f, dst, u64::from(get(f, a) == 0)),
            Opcode::Select { dst, cond, a, b } => {
                let from = if get(f, cond) != 0 { a } else { b };
                set(f, dst, get(f, from));
            }
            Opcode::AddConst { dst, a, value } => {
                set(f, dst, get(f, a).wrapping_add(i64::from(value) as u64));
            }
            Opcode::Check { a, check } => check!(check, get(f, a)),
            Opcode::Load {
                dst,
                base,
                index,
                count,
            } => {
                let i = below_count(get(f, index), u64::from(count))?;
                set(f, dst, get(f, base.wrapping_add(i as u16)));
            }
            Opcode::LoadWide {
                dst,
                base,
                index,
                words,
                count,
            } => {
                let i = below_count(get(f, index), u64::from(count))?;
                let from = base as usize + i as usize * words as usize;
                f.copy_within(from..from + words as usize, dst as usize);
            }
            Opcode::Store {
                base,
                index,
                a,
                count,
            } => {
                let i = below_count(get(f, index), u64::from(count))?;
                set(f, base.wrapping_add(i as u16), get(f, a));
            }
            Opcode::StoreWide {
                base,
                index,
                a,
                words,
                count,
            } => {
                let i = below_count(get(f, index), u64::from(count))?;
                let to = base as usize + i as usize * words as usize;
                f.copy_within(a as usize..a as usize + words as usize, to);
            }
            Opcode::Table {
                dst,
                index,
                count,
                from,
            } => set(f, dst, row!(get(f, index), count, from)),
            Opcode::TableWide {
                dst,
                index,
                words,
                from,
            } => {
                let row = wide_row(&code.tables, get(f, index), words, from)?;
                each_word!(words, |w| set(f, dst.wrapping_add(w), row[w as usize]));
            }
            Opcode::Has { dst, a, b } => {
                set(f, dst, u64::from(get(f, a) & bit(get(f, b)) != 0));
            }
            Opcode::Insert { a, b } => insert(f, a, get(f, b))?,
            Opcode::Remove { a, b } => set(f, a, get(f, a) & !bit(get(f, b))),
            Opcode::Count { dst, a } => set(f, dst, u64::from(get(f, a).count_ones())),
            Opcode::Next { dst, a, b } => set(f, dst, after(get(f, a), int(f, b))),
            Opcode::NextWide { dst, a, words, b } => {
                set(f, dst, after_wide(f, a, words, int(f, b)));
            }
            Opcode::First { dst, a } => set(f, dst, first(get(f, a))),
            Opcode::Last { dst, a } => {
                let word = get(f, a);
                set(f, dst, (63 - i64::from(word.leading_zeros())) as u64);
            }
            Opcode::HasWide { dst, a, words, b } => {
                set(f, dst, u64::from(has(f, a, words, get(f, b))));
            }
            Opcode::InsertWide { a, words, b } => insert_wide(f, a, words, get(f, b))?,
            Opcode::RemoveWide { a, words, b } => {
                let e = get(f, b);
                if e / 64 < u64::from(words) {
                    let at = a.wrapping_add((e / 64) as u16);
                    set(f, at, get(f, at) & !(1 << (e % 64)));
                }
            }
            Opcode::UnionWide { dst, a, b, words } => {
                each_word!(words, |w| {
                    let value = get(f, a.wrapping_add(w)) | get(f, b.wrapping_add(w));
                    set(f, dst.wrapping_add(w), value);
                });
            }
            Opcode::IntersectWide { dst, a, b, words } => {
                each_word!(words, |w| {
                    let value = get(f, a.wrapping_add(w)) & get(f, b.wrapping_add(w));
                    set(f, dst.wrapping_add(w), value);
                });
            }
            Opcode::WithoutWide { dst, a, b, words } => {
                each_word!(words, |w| {
                    let value = get(f, a.wrapping_add(w)) & !get(f, b.wrapping_add(w));
                    set(f, dst.wrapping_add(w), value);
                });
            }
            Opcode::EqWide { dst, a, b, words } => set(f, dst, u64::from(same(f, a, b, words))),
            Opcode::WithinWide { dst, a, b, words } => {
                set(f, dst, u64::from(subset(f, a, b, words)));
            }
            Opcode::CountWide { dst, a, words } => {
                set(f, dst, u64::from(count_wide(f, a, words)));
            }
            Opcode::Neighbours { dst, a, board } => {
                code.boards[board as usize].neighbours(f, dst, a);
            }
            Opcode::Group {
                dst,
                from,
                within,
                board,
            } => code.boards[board as usize].group(f, dst, from, within),
            Opcode::Line {
                dst,
                from,
                way,
                within,
                rays,
            } => {
                let line = code.rays[rays as usize].find(get(f, from), get(f, way), get(f, within));
                set(f, dst, line);
            }
            Opcode::LineAtLeast {
                dst,
                from,
                within,
                rays,
                way,
                least,
            } => {
                let rays = &code.rays[rays as usize];
                let line = rays.find(get(f, from), u64::from(way), get(f, within));
                set(f, dst, u64::from(line.count_ones() >= u32::from(least)));
            }
            Opcode::Shift { dst, a, shift } => {
                let moved = code.shifts[shift as usize].apply(get(f, a))?;
                set(f, dst, moved);
            }
            Opcode::Other { number } => other(p, f, &code.others[number as usize])?,
            Opcode::Below { dst, n } => {
                let n = get(f, n);
                let number = if n == 0 { 0 } else { below(rng, n) };
                set(f, dst, number);
            }
            Opcode::Member {
                dst,
                a,
                hit,
                lo,
                bound,
            } => {
                let word = get(f, a);
                let k = below(rng, u64::from(bound)) as u32;
                let there = k < word.count_ones();
                set(f, hit, u64::from(there));
                if there {
                    set(f, dst, select(word, k).wrapping_add(get(f, lo)));
                }
            }
            Opcode::Element { dst, a, lo, fault } => {
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
            Opcode::ElementWide {
                dst,
                a,
                words,
                lo,
                fault,
            } => {
                fuel = MAX_STEPS;
                let value = element(f, a, words, rng)
                    .ok_or_else(|| nothing(u32::from(fault)))?
                    .wrapping_add(get(f, lo));
                set(f, dst, value);
            }
            Opcode::Subset {
                dst,
                a,
                count,
                fault,
            } => {
                fuel = MAX_STEPS;
                let mut left = get(f, a);
                let mut size = u64::from(left.count_ones());
                let count = get(f, count);
                if count > size {
                    return Err(nothing(u32::from(fault)));
                }
                let mut taken = 0;
                for _ in 0..count {
                    let one = 1 << select(left, below(rng, size) as u32);
                    left &= !one;
                    taken |= one;
                    size -= 1;
                }
                set(f, dst, taken);
            }
            Opcode::Listed { dst } => set(f, dst, u64::from(emitted.any())),
            Opcode::Emit { number } => emitted.emit(f, &code.emissions, number),
            Opcode::Sample { number } => {
                fuel = MAX_STEPS;
                sample(f, code, number, (&mut *rng, &mut kept), emitted, observer)?;
            }
            Opcode::End => return Ok(()),
            Opcode::Fail { fault } => return Err(nothing(fault)),
        }
    }
    Err(Trouble::Index)
}

fn nothing(fault: u32) -> Trouble {
    Trouble::Fault { fault, value: 0 }
}

/// One element of a set of several words, all equally likely.
#[inline(always)]
fn element(f: &Frame, a: At, words: u16, rng: &mut impl Rng) -> Option<u64> {
    let n = count_wide(f, a, words);
    if n == 0 {
        return None;
    }
    let mut k = below(rng, u64::from(n)) as u32;
    for w in 0..words {
        let word = get(f, a.wrapping_add(w));
        let count = word.count_ones();
        if k < count {
            return Some(u64::from(w) * 64 + select(word, k));
        }
        k -= count;
    }
    None
}

/// Instructions without an opcode of their own, as the interpreter runs them.
#[cold]
#[inline(never)]
fn other(p: &Program, f: &mut Frame, instr: &Instr) -> Result<(), Trouble> {
    execute(p, &mut f[..], instr)
}

#[inline(never)]
fn sample<R: Rng + Clone, F: MoveObserver>(
    f: &mut Frame,
    code: &Code,
    number: u32,
    (rng, kept): (&mut R, &mut Option<R>),
    emitted: &mut Emitted,
    observer: &mut F,
) -> Result<(), Trouble> {
    let sampled = &code.samples[number as usize];
    match sampled {
        SampleCode::Listed { dst } => set(f, *dst as At, u64::from(emitted.any())),
        SampleCode::Below { .. } | SampleCode::Member { .. } | SampleCode::Attempts { .. } => {
            sampling::sample(&mut f[..], sampled, rng)?;
        }
        SampleCode::Element {
            dst,
            set: from,
            lo,
            fault,
        } => {
            let found = element(f, from.slot as At, from.words, rng);
            let value = found.ok_or_else(|| nothing(*fault))? as i64 + lo;
            set(f, *dst as At, value as u64);
        }
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
        } => emitted.sample(f, &code.emissions, (*chosen, alternatives), *fault, rng)?,
        SampleCode::Report { .. } => report(f, sampled, observer),
        SampleCode::Taken {} => {}
        SampleCode::Keep {} => *kept = Some(rng.clone()),
        SampleCode::Rewind {} => {
            if let Some(kept) = kept.take() {
                *rng = kept;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
