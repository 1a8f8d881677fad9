//! Words of the frame: scalars, sets of one word and of several.

use crate::ir::meaning::Trouble;
use crate::machine::playout::frames::{At, Frame};

/// Does something for each word of a set; sets of some lengths are worth code of their own.
macro_rules! each_word {
    ($words:expr, |$w:ident| $do:expr) => {{
        macro_rules! word {
            ($n:expr) => {{
                let $w: u16 = $n;
                $do;
            }};
        }
        match $words {
            4 => {
                word!(0);
                word!(1);
                word!(2);
                word!(3);
            }
            2 => {
                word!(0);
                word!(1);
            }
            words => {
                for $w in 0..words {
                    $do;
                }
            }
        }
    }};
}
pub(super) use each_word;

#[inline(always)]
pub(super) fn get(f: &Frame, at: At) -> u64 {
    f[at as usize]
}

#[inline(always)]
pub(super) fn int(f: &Frame, at: At) -> i64 {
    f[at as usize] as i64
}

/// An index below `count`.
#[inline(always)]
pub(super) fn below_count(index: u64, count: u64) -> Result<u64, Trouble> {
    if index < count {
        Ok(index)
    } else {
        Err(Trouble::Index)
    }
}

#[inline(always)]
pub(super) fn set(f: &mut Frame, at: At, value: u64) {
    f[at as usize] = value;
}

/// The bit of an element; none for one outside a word.
#[inline(always)]
pub(super) fn bit(element: u64) -> u64 {
    if element < 64 { 1 << element } else { 0 }
}

#[inline(always)]
pub(super) fn insert(f: &mut Frame, a: At, element: u64) -> Result<(), Trouble> {
    let bit = bit(element);
    if bit == 0 {
        return Err(Trouble::Index);
    }
    set(f, a, get(f, a) | bit);
    Ok(())
}

#[inline(always)]
pub(super) fn insert_wide(f: &mut Frame, a: At, words: u16, element: u64) -> Result<(), Trouble> {
    if element / 64 >= u64::from(words) {
        return Err(Trouble::Index);
    }
    let at = a.wrapping_add((element / 64) as u16);
    set(f, at, get(f, at) | 1 << (element % 64));
    Ok(())
}

#[inline(always)]
pub(super) fn has(f: &Frame, a: At, words: u16, element: u64) -> bool {
    let at = a.wrapping_add((element / 64) as u16);
    element / 64 < u64::from(words) && get(f, at) >> (element % 64) & 1 == 1
}

/// The least element of a word after another, or −1.
#[inline(always)]
pub(super) fn after(word: u64, element: i64) -> u64 {
    let from = element.wrapping_add(1).max(0);
    if from < 64 {
        first(word & u64::MAX << from)
    } else {
        u64::MAX
    }
}

/// The least element of a set of several words after another, or −1.
#[inline(always)]
pub(super) fn after_wide(f: &Frame, a: At, words: u16, element: i64) -> u64 {
    let from = element.wrapping_add(1).max(0) as u64;
    if from >= 64 * u64::from(words) {
        return u64::MAX;
    }
    let mut w = (from / 64) as u16;
    let mut word = get(f, a.wrapping_add(w)) & u64::MAX << (from % 64);
    while word == 0 {
        w += 1;
        if w >= words {
            return u64::MAX;
        }
        word = get(f, a.wrapping_add(w));
    }
    u64::from(w) * 64 + u64::from(word.trailing_zeros())
}

/// How many elements a set of several words has.
#[inline(always)]
pub(super) fn count_wide(f: &Frame, a: At, words: u16) -> u32 {
    let mut count = 0;
    each_word!(words, |w| count += get(f, a.wrapping_add(w)).count_ones());
    count
}

#[inline(always)]
pub(super) fn copy(f: &mut Frame, dst: At, a: At, words: u16) {
    // Upwards or downwards, so that ranges may overlap.
    if dst <= a {
        for w in 0..words {
            set(f, dst.wrapping_add(w), get(f, a.wrapping_add(w)));
        }
    } else {
        for w in (0..words).rev() {
            set(f, dst.wrapping_add(w), get(f, a.wrapping_add(w)));
        }
    }
}

#[inline(always)]
pub(super) fn all(a: At, b: At, words: u16, holds: impl Fn(At, At) -> bool) -> bool {
    for w in 0..words {
        if !holds(a.wrapping_add(w), b.wrapping_add(w)) {
            return false;
        }
    }
    true
}

#[inline(always)]
pub(super) fn same(f: &Frame, a: At, b: At, words: u16) -> bool {
    all(a, b, words, |a, b| get(f, a) == get(f, b))
}

#[inline(always)]
pub(super) fn subset(f: &Frame, a: At, b: At, words: u16) -> bool {
    all(a, b, words, |a, b| get(f, a) & !get(f, b) == 0)
}

/// A row of several words of a table.
#[inline(always)]
pub(super) fn wide_row(
    tables: &[u64],
    index: u64,
    words: u16,
    from: u32,
) -> Result<&[u64], Trouble> {
    let at = (index as usize)
        .saturating_mul(words as usize)
        .saturating_add(from as usize);
    tables
        .get(at..at.saturating_add(words as usize))
        .ok_or(Trouble::Index)
}

/// A range of slots.
#[inline(always)]
pub(super) fn wide(f: &Frame, at: At, words: u16) -> &[u64] {
    f.get(at as usize..at as usize + words as usize)
        .unwrap_or(&[])
}

#[inline(always)]
pub(super) fn first(word: u64) -> u64 {
    if word == 0 {
        u64::MAX
    } else {
        u64::from(word.trailing_zeros())
    }
}
