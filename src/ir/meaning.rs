//! What instructions make of the values of a frame: for passes that compute beforehand, for the interpreter, and for the
//! rarer steps of playouts.

use super::select::nth_element;
use super::subsets::{Words, first_subset, next_subset};
use super::*;
use crate::model::reach;

/// Why a run ended badly.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    Fault {
        fault: FaultId,
        value: i64,
    },
    TooManySteps,
    /// An index outside an array: only an action that was never offered leads here.
    Index,
}

#[inline]
pub(crate) fn set(frame: &[u64], o: Operand) -> &[u64] {
    &frame[o.slot as usize..o.slot as usize + o.words as usize]
}

#[inline]
fn scalar(frame: &[u64], slot: Slot) -> i64 {
    frame[slot as usize] as i64
}

/// Runs one instruction. Events, tuples and samples are left to the caller: nothing is done about them here.
#[inline(always)]
pub(crate) fn execute(p: &Program, frame: &mut [u64], instr: &Instr) -> Result<(), Trouble> {
    match instr {
        Instr::Reach { place } => {
            p.marks.reach(*place);
            Ok(())
        }
        _ => compute(&p.tables, frame, instr),
    }
}

/// The same for who has no program yet, but its tables. Marks are left to the caller, too.
#[inline(always)]
pub(crate) fn compute(tables: &[Table], frame: &mut [u64], instr: &Instr) -> Result<(), Trouble> {
    match instr {
        Instr::Const { dst, value } => frame[*dst as usize] = *value as u64,
        Instr::Copy { dst, src, words } => {
            if *words == 1 {
                frame[*dst as usize] = frame[*src as usize];
            } else {
                let src = *src as usize;
                frame.copy_within(src..src + *words as usize, *dst as usize);
            }
        }
        Instr::Binary { op, dst, a, b } => {
            frame[*dst as usize] = op.apply(scalar(frame, *a), scalar(frame, *b)) as u64;
        }
        Instr::Immediate { op, dst, a, value } => {
            frame[*dst as usize] = op.apply(scalar(frame, *a), *value) as u64;
        }
        Instr::Not { dst, a } => frame[*dst as usize] = u64::from(frame[*a as usize] == 0),
        Instr::Select {
            dst,
            cond,
            a,
            b,
            words,
        } => {
            let src = if frame[*cond as usize] != 0 { *a } else { *b } as usize;
            frame.copy_within(src..src + *words as usize, *dst as usize);
        }
        Instr::Load {
            dst,
            base,
            index,
            words,
            count,
        } => {
            let i = frame[*index as usize];
            if i >= u64::from(*count) {
                return Err(Trouble::Index);
            }
            let src = *base as usize + i as usize * *words as usize;
            frame.copy_within(src..src + *words as usize, *dst as usize);
        }
        Instr::Store {
            base,
            index,
            src,
            words,
            count,
        } => {
            let i = frame[*index as usize];
            if i >= u64::from(*count) {
                return Err(Trouble::Index);
            }
            let src = *src as usize;
            let dst = *base as usize + i as usize * *words as usize;
            frame.copy_within(src..src + *words as usize, dst);
        }
        Instr::Hops {
            dst,
            from,
            to,
            table,
            words,
            bits,
        } => {
            let values = &tables[*table as usize].values;
            let words = *words as usize;
            let at = (frame[*from as usize] as usize).saturating_mul(words);
            let row = values.get(at..at.saturating_add(words));
            let steps = row.and_then(|row| reach::unpack(row, frame[*to as usize], *bits));
            frame[*dst as usize] = steps.ok_or(Trouble::Index)?;
        }
        Instr::Table {
            dst,
            table,
            index,
            words,
        } => {
            let values = &tables[*table as usize].values;
            let words = *words as usize;
            let at = (frame[*index as usize] as usize).saturating_mul(words);
            let Some(row) = values.get(at..at.saturating_add(words)) else {
                return Err(Trouble::Index);
            };
            frame[*dst as usize..*dst as usize + words].copy_from_slice(row);
        }
        Instr::Check {
            value,
            lo,
            hi,
            fault,
        } => {
            let v = scalar(frame, *value);
            if v < *lo || v > *hi {
                return Err(Trouble::Fault {
                    fault: *fault,
                    value: v,
                });
            }
        }
        Instr::SetNeighbours { .. } | Instr::SetGroup { .. } | Instr::SetRun { .. } => {
            execute_board(tables, frame, instr);
        }
        Instr::LineAtLeast {
            dst,
            from,
            way,
            within,
            table,
            ways,
            least,
        } => {
            let (from, way) = (frame[*from as usize], u64::from(*way));
            let steps = (&tables[*table as usize], *ways);
            let line = run(steps, (from, way), set(frame, *within), true);
            let size: u32 = line.iter().map(|word| word.count_ones()).sum();
            frame[*dst as usize] = u64::from(size >= *least);
        }
        _ => return execute_set(frame, instr),
    }
    Ok(())
}

/// The walks over a board. They end in a set of their own, since `dst` may be one of the sets that they read.
fn execute_board(tables: &[Table], frame: &mut [u64], instr: &Instr) {
    let row = |table: u32, words: u16| {
        let (values, words) = (&tables[table as usize].values, words as usize);
        move |node: u64| {
            let at = (node as usize).saturating_mul(words);
            values.get(at..at.saturating_add(words)).unwrap_or(&[])
        }
    };
    let (dst, found) = match instr {
        Instr::SetNeighbours { dst, src, table } => {
            let next = row(*table, dst.words);
            (dst, reach::neighbours(set(frame, *src), next))
        }
        Instr::SetGroup {
            dst,
            from,
            within,
            table,
        } => {
            let next = row(*table, dst.words);
            let found = reach::group(set(frame, *from), set(frame, *within), next);
            (dst, found)
        }
        Instr::SetRun {
            dst,
            from,
            way,
            within,
            table,
            ways,
            both,
        } => {
            let from = (frame[*from as usize], frame[*way as usize]);
            let steps = (&tables[*table as usize], *ways);
            (dst, run(steps, from, set(frame, *within), *both))
        }
        _ => return,
    };
    frame[dst.slot as usize..dst.slot as usize + found.len()].copy_from_slice(&found);
}

fn execute_set(frame: &mut [u64], instr: &Instr) -> Result<(), Trouble> {
    match instr {
        Instr::Reserve { dst, words } => {
            frame[*dst as usize..(*dst + *words) as usize].fill(0);
        }
        Instr::SetConst { dst, words } => {
            frame[*dst as usize..*dst as usize + words.len()].copy_from_slice(words);
        }
        Instr::SetBinary {
            op,
            dst,
            a,
            b,
            words,
        } => {
            for w in 0..*words as usize {
                let (x, y) = (frame[*a as usize + w], frame[*b as usize + w]);
                frame[*dst as usize + w] = op.apply(x, y);
            }
        }
        Instr::SetTest {
            dst,
            set: s,
            element,
        } => {
            let e = frame[*element as usize];
            let word = set(frame, *s).get((e / 64) as usize).copied().unwrap_or(0);
            frame[*dst as usize] = word >> (e % 64) & 1;
        }
        Instr::SetInsert { set: s, element } => {
            let e = frame[*element as usize];
            if e / 64 >= u64::from(s.words) {
                return Err(Trouble::Index);
            }
            frame[s.slot as usize + (e / 64) as usize] |= 1 << (e % 64);
        }
        Instr::SetRemove { set: s, element } => {
            let e = frame[*element as usize];
            if e / 64 < u64::from(s.words) {
                frame[s.slot as usize + (e / 64) as usize] &= !(1 << (e % 64));
            }
        }
        Instr::SetCount { dst, set: s } => {
            let n: u32 = set(frame, *s).iter().map(|w| w.count_ones()).sum();
            frame[*dst as usize] = u64::from(n);
        }
        Instr::SetNext { dst, set: s, after } => {
            let from = scalar(frame, *after).wrapping_add(1);
            frame[*dst as usize] = next_bit(set(frame, *s), from) as u64;
        }
        Instr::SetNth { dst, set: s, rank } => {
            let found = nth_element(set(frame, *s), frame[*rank as usize]);
            frame[*dst as usize] = found.map_or(-1, |e| e as i64) as u64;
        }
        Instr::SetLast { dst, set: s } => {
            frame[*dst as usize] = last_bit(set(frame, *s)) as u64;
        }
        Instr::SetEq { dst, a, b, words } => {
            let same =
                (0..*words as usize).all(|w| frame[*a as usize + w] == frame[*b as usize + w]);
            frame[*dst as usize] = u64::from(same);
        }
        Instr::SetSubset { dst, a, b, words } => {
            let within =
                (0..*words as usize).all(|w| frame[*a as usize + w] & !frame[*b as usize + w] == 0);
            frame[*dst as usize] = u64::from(within);
        }
        Instr::SetBefore { dst, src, element } => {
            keep_below(frame, *dst, *src, scalar(frame, *element));
        }
        Instr::SetWhere { .. } | Instr::SetAmong { .. } => find_places(frame, instr),
        Instr::SetTop { dst, src, count } => {
            let count = scalar(frame, *count).max(0);
            keep_top(frame, *dst, *src, count);
        }
        Instr::SetRange { dst, lo, hi } => {
            let (lo, hi) = (scalar(frame, *lo), scalar(frame, *hi));
            fill_range(frame, *dst, lo, hi);
        }
        Instr::SubsetFirst {
            dst,
            set: s,
            count,
            found,
        } => {
            let s: Words = set(frame, *s).into();
            let count = frame[*count as usize];
            let dst = dst.slot as usize;
            let there = first_subset(&s, count, &mut frame[dst..dst + s.len()]);
            frame[*found as usize] = u64::from(there);
        }
        Instr::SubsetNext { dst, set: s, found } => {
            let s: Words = set(frame, *s).into();
            let dst = dst.slot as usize;
            let there = next_subset(&s, &mut frame[dst..dst + s.len()]);
            frame[*found as usize] = u64::from(there);
        }
        Instr::SetShift { .. } => shift_set(frame, instr)?,
        // Done by `execute`.
        Instr::Const { .. }
        | Instr::Copy { .. }
        | Instr::Binary { .. }
        | Instr::Immediate { .. }
        | Instr::Not { .. }
        | Instr::Select { .. }
        | Instr::Load { .. }
        | Instr::Store { .. }
        | Instr::Hops { .. }
        | Instr::Table { .. }
        | Instr::Check { .. }
        | Instr::Reach { .. }
        | Instr::SetNeighbours { .. }
        | Instr::SetGroup { .. }
        | Instr::SetRun { .. }
        | Instr::LineAtLeast { .. } => {}
        // Events, tuples and random numbers are the caller's.
        Instr::Event(_) | Instr::Emit { .. } | Instr::Sample(_) => {}
    }
    Ok(())
}

/// The cells after one in a direction, as long as they are in a set, or with `both` the line through it, by a table of steps in so
/// many directions.
fn run(
    (table, ways): (&Table, u32),
    (from, way): (u64, u64),
    within: &[u64],
    both: bool,
) -> reach::Words {
    let ways = u64::from(ways);
    let step = |way: u64| {
        move |cell: u64| {
            let at = cell.wrapping_mul(ways).wrapping_add(way);
            table.values.get(at as usize)?.checked_sub(1)
        }
    };
    match both {
        true => reach::line(from, within, step(way), step((way + ways / 2) % ways)),
        false => reach::run(from, within, step(way)),
    }
}

/// The elements of a set below one go to `dst`.
fn keep_below(frame: &mut [u64], dst: Slot, src: Operand, element: i64) {
    for w in 0..src.words as usize {
        let keep = element.saturating_sub(w as i64 * 64).clamp(0, 64) as u32;
        let mask = if keep == 64 {
            u64::MAX
        } else {
            (1 << keep) - 1
        };
        frame[dst as usize + w] = frame[src.slot as usize + w] & mask;
    }
}

/// The elements from `lo` to `hi` go to `dst`.
fn fill_range(frame: &mut [u64], dst: Operand, lo: i64, hi: i64) {
    let words = &mut frame[dst.slot as usize..][..dst.words as usize];
    words.fill(0);
    for e in lo.max(0)..=hi.min(i64::from(dst.words) * 64 - 1) {
        words[e as usize / 64] |= 1 << (e % 64);
    }
}

/// `SetWhere` and `SetAmong`.
fn find_places(frame: &mut [u64], instr: &Instr) {
    match *instr {
        Instr::SetWhere {
            dst,
            base,
            count,
            value,
        } => {
            let value = frame[value as usize];
            places_with(frame, dst, (base, count), value, equal_to);
        }
        Instr::SetAmong {
            dst,
            base,
            count,
            values,
        } => {
            let values = frame[values as usize];
            places_with(frame, dst, (base, count), values, among);
        }
        _ => {}
    }
}

/// The places of an array at which there is a value, or one of several, go to `dst`. `find` finds them among up to 64 numbers.
pub fn places_with(
    frame: &mut [u64],
    dst: Operand,
    (base, count): (Slot, u32),
    value: u64,
    find: impl Fn(u64, &[u64]) -> u64,
) {
    let (base, count) = (base as usize, count as usize);
    for w in 0..dst.words as usize {
        let (from, to) = ((64 * w).min(count), (64 * w + 64).min(count));
        frame[dst.slot as usize + w] = find(value, &frame[base + from..base + to]);
    }
}

/// The places of up to 64 numbers at which there is a value.
pub fn equal_to(value: u64, numbers: &[u64]) -> u64 {
    let places = (0..).zip(numbers);
    places.fold(0, |set, (i, v)| set | u64::from(*v == value) << i)
}

/// The places of up to 64 numbers that are one of some values below 64.
pub fn among(values: u64, numbers: &[u64]) -> u64 {
    let is_one = |v: u64| v < 64 && values >> v & 1 == 1;
    let places = (0..).zip(numbers);
    places.fold(0, |set, (i, v)| set | u64::from(is_one(*v)) << i)
}

/// The greatest elements of a set, so many, go to `dst`.
fn keep_top(frame: &mut [u64], dst: Slot, src: Operand, count: i64) {
    let mut left = count;
    for w in (0..src.words as usize).rev() {
        let mut rest = frame[src.slot as usize + w];
        let mut taken = 0;
        while rest != 0 && left > 0 {
            let bit = 1 << (63 - rest.leading_zeros());
            rest &= !bit;
            taken |= bit;
            left -= 1;
        }
        frame[dst as usize + w] = taken;
    }
}

/// `SetShift`: renumbers the elements of a set, which must all have a number below `size` then.
fn shift_set(frame: &mut [u64], instr: &Instr) -> Result<(), Trouble> {
    let Instr::SetShift {
        dst,
        src,
        lo,
        by,
        size,
        fault,
    } = instr
    else {
        return Ok(());
    };
    // Through a copy: the two may overlap.
    let words: smallvec::SmallVec<[u64; 8]> = set(frame, *src).into();
    for w in 0..dst.words as usize {
        frame[dst.slot as usize + w] = 0;
    }
    for e in crate::model::types::bits(&words) {
        let moved = e as i64 + by;
        if moved < 0 || moved as u64 >= *size {
            return Err(Trouble::Fault {
                fault: *fault,
                value: lo + e as i64,
            });
        }
        frame[dst.slot as usize + moved as usize / 64] |= 1 << (moved % 64);
    }
    Ok(())
}

/// The greatest element, or −1.
fn last_bit(words: &[u64]) -> i64 {
    let last = words.iter().enumerate().rev().find(|(_, w)| **w != 0);
    last.map_or(-1, |(i, w)| {
        i as i64 * 64 + 63 - i64::from(w.leading_zeros())
    })
}

/// The least element at or after `from`, or −1.
fn next_bit(words: &[u64], from: i64) -> i64 {
    let from = from.max(0) as usize;
    let mut w = from / 64;
    if w >= words.len() {
        return -1;
    }
    let mut word = words[w] & u64::MAX << (from % 64);
    while word == 0 {
        w += 1;
        if w == words.len() {
            return -1;
        }
        word = words[w];
    }
    (w * 64) as i64 + i64::from(word.trailing_zeros())
}
