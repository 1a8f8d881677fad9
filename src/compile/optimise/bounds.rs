//! Between what bounds the results of instructions lie. Words of sets count as the numbers that their bits make.

use crate::ir::*;

/// The least and the greatest value of a word, as a signed number.
pub(super) type Bounds = (i64, i64);

pub(super) const FULL: Bounds = (i64::MIN, i64::MAX);

/// What lies in both, or the first where nothing does: that comes to nothing anyway.
pub(super) fn intersection(a: Bounds, b: Bounds) -> Bounds {
    let (lo, hi) = (a.0.max(b.0), a.1.min(b.1));
    if lo <= hi { (lo, hi) } else { a }
}

pub(super) fn hull(a: Bounds, b: Bounds) -> Bounds {
    (a.0.min(b.0), a.1.max(b.1))
}

/// The greatest element that a set word within bounds may have, or 63.
pub(super) fn top(a: Bounds) -> i64 {
    if a.0 < 0 {
        63
    } else {
        63 - i64::from(a.1.leading_zeros())
    }
}

/// The greatest word with no bit above those of `n`, for `n` from 0 on.
fn filled(n: i64) -> i64 {
    match n {
        0 => 0,
        n => i64::MAX >> (n.leading_zeros() - 1),
    }
}

/// The bounds of what an instruction with a result of one word makes of arguments within theirs; `of` by their places
/// among the words that it reads.
pub(super) fn result(instr: &Instr, of: &dyn Fn(usize) -> Bounds, program: &Program) -> Bounds {
    let sets = |words: u16| i64::from(words) * 64;
    match instr {
        Instr::Binary { op, .. } => binary(*op, of(0), of(1)),
        Instr::Immediate { op, value, .. } => binary(*op, of(0), (*value, *value)),
        Instr::Not { .. }
        | Instr::SetTest { .. }
        | Instr::SetEq { .. }
        | Instr::SetSubset { .. }
        | Instr::LineAtLeast { .. } => (0, 1),
        Instr::Select { words: 1, .. } => hull(of(1), of(2)),
        Instr::Load {
            words: 1, count, ..
        } => (1..=*count as usize).map(of).reduce(hull).unwrap_or(FULL),
        Instr::Table {
            table, words: 1, ..
        } => program.tables.get(*table as usize).map_or(FULL, |t| {
            let at = of(0);
            let lo = usize::try_from(at.0).unwrap_or(0).min(t.values.len());
            let hi = usize::try_from(at.1).map_or(0, |hi| hi.saturating_add(1));
            let row = &t.values[lo..hi.clamp(lo, t.values.len())];
            let bounds = row.iter().map(|w| (*w as i64, *w as i64));
            bounds.reduce(hull).unwrap_or(FULL)
        }),
        Instr::SetBinary { op, words: 1, .. } => match op {
            SetOp::Union => binary(Op::Or, of(0), of(1)),
            SetOp::Intersect => binary(Op::And, of(0), of(1)),
            SetOp::Difference if of(0).0 >= 0 => (0, of(0).1),
            SetOp::Difference => FULL,
        },
        Instr::SetInsert { set, .. } if set.words == 1 => {
            let (element, set) = (of(0), of(1));
            if set.0 >= 0 && element.0 >= 0 && element.1 < 63 {
                (0, filled(set.1 | 1 << element.1))
            } else {
                FULL
            }
        }
        Instr::SetRemove { set, .. } if set.words == 1 && of(1).0 >= 0 => (0, of(1).1),
        Instr::SetCount { set, .. } if set.words == 1 => {
            (i64::from(of(0).0 > 0), (top(of(0)) + 1).max(0))
        }
        Instr::SetCount { set, .. } => (0, sets(set.words)),
        Instr::SetNext { set, .. } if set.words == 1 => {
            let (after, set) = (of(0), of(1));
            let some = after.1 < 0 && set.0 > 0;
            (if some { 0 } else { -1 }, top(set).max(-1))
        }
        Instr::SetNext { set, .. } => (-1, sets(set.words) - 1),
        Instr::SetNth { set, .. } if set.words == 1 => (-1, top(of(1)).max(-1)),
        Instr::SetNth { set, .. } => (-1, sets(set.words) - 1),
        Instr::SetLast { set, .. } if set.words == 1 => {
            (if of(0).0 > 0 { 0 } else { -1 }, top(of(0)).max(-1))
        }
        Instr::SetLast { set, .. } => (-1, sets(set.words) - 1),
        Instr::SetBefore { src, .. } if src.words == 1 && of(1).0 >= 0 => (0, of(1).1),
        Instr::SetTop { src, .. } if src.words == 1 && of(1).0 >= 0 => (0, of(1).1),
        _ => FULL,
    }
}

fn binary(op: Op, a: Bounds, b: Bounds) -> Bounds {
    let span = |f: fn(i64, i64) -> Option<i64>| {
        let all = [f(a.0, b.0), f(a.0, b.1), f(a.1, b.0), f(a.1, b.1)];
        if all.contains(&None) {
            return FULL;
        }
        let all = all.into_iter().flatten().map(|x| (x, x));
        all.reduce(hull).unwrap_or(FULL)
    };
    match op {
        Op::Add => span(i64::checked_add),
        Op::Sub => span(i64::checked_sub),
        Op::Mul => span(i64::checked_mul),
        Op::Div if b.0 == b.1 && b.0 > 0 => (a.0.div_euclid(b.0), a.1.div_euclid(b.0)),
        Op::Div => FULL,
        Op::Mod if b.0 == b.1 && b.0 > 0 => {
            if a.0 >= 0 && a.1 < b.0 {
                a
            } else {
                (0, b.0 - 1)
            }
        }
        Op::Mod => FULL,
        Op::Min => (a.0.min(b.0), a.1.min(b.1)),
        Op::Max => (a.0.max(b.0), a.1.max(b.1)),
        Op::Eq | Op::Ne if a.1 < b.0 || b.1 < a.0 => {
            let differ = i64::from(op == Op::Ne);
            (differ, differ)
        }
        Op::Lt => (i64::from(a.1 < b.0), i64::from(a.0 < b.1)),
        Op::Le => (i64::from(a.1 <= b.0), i64::from(a.0 <= b.1)),
        Op::Eq | Op::Ne => (0, 1),
        Op::And => match (a.0 >= 0, b.0 >= 0) {
            (true, true) => (0, a.1.min(b.1)),
            (true, false) => (0, a.1),
            (false, true) => (0, b.1),
            (false, false) => FULL,
        },
        Op::Or if a.0 >= 0 && b.0 >= 0 => (a.0.max(b.0), filled(a.1 | b.1)),
        Op::Or => FULL,
    }
}
