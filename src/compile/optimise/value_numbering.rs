//! Global value numbering: nothing is computed or decided twice.
//!
//! A value that a slot holds already is copied from there; reads prefer a constant to a named slot, and that to a
//! temporary. Checks that hold by the bounds of their value are removed, and branches that are decided become jumps.

use super::Pass;
use super::forward_analysis::{ForwardAnalysis, Visitor, analyse, keeps};
use super::values::Value;
use crate::compile::playout::Flow;
use crate::ir::*;
use smallvec::SmallVec;

pub(super) const PASS: Pass = Pass {
    name: "value-numbering",
    run: value_numbering,
};

fn value_numbering(program: &Program, flow: &mut Flow) {
    analyse(program, flow, &mut Number);
}

struct Number;

impl Visitor for Number {
    fn instr(
        &mut self,
        analysis: &mut ForwardAnalysis<'_>,
        mut instr: Instr,
        results: &[(Slot, Value)],
        out: &mut Vec<Instr>,
    ) {
        if let Instr::Check { value, lo, hi, .. } = &instr {
            let value = analysis.value(*value);
            let bounds = analysis.bounds(value);
            if *lo <= bounds.0 && bounds.1 <= *hi {
                return;
            }
        }
        if let Some(simple) = available(analysis, &instr, results) {
            out.extend(simple);
            return;
        }
        trim(analysis, &mut instr);
        if let Some(test) = disjoint(analysis, &instr) {
            instr = test;
        }
        redirect(analysis, &mut instr);
        match instr {
            Instr::Copy { dst, src, .. } if dst == src => {}
            instr => out.push(instr),
        }
    }

    fn end(&mut self, analysis: &mut ForwardAnalysis<'_>, _: BlockId, term: &mut Term) {
        if let Term::Branch {
            cond,
            then,
            otherwise,
        } = *term
            && let Some(word) = analysis.constant(cond)
        {
            *term = Term::Jump(if word != 0 { then } else { otherwise });
        }
    }
}

/// What is left of an instruction whose results are constants or stand somewhere; `None`: it has to be done.
fn available(
    analysis: &mut ForwardAnalysis<'_>,
    instr: &Instr,
    results: &[(Slot, Value)],
) -> Option<Vec<Instr>> {
    if matches!(instr, Instr::Sample(_) | Instr::Emit { .. }) {
        return None;
    }
    let dst = results.first()?.0;
    let values: Vec<Value> = results.iter().map(|(_, v)| *v).collect();
    let words = u16::try_from(values.len()).ok()?;
    if results.windows(2).any(|w| w[0].0 + 1 != w[1].0) {
        return None;
    }
    if (dst..).zip(&values).all(|(s, v)| analysis.value(s) == *v) {
        return Some(Vec::new());
    }
    let known: Option<Vec<u64>> = values
        .iter()
        .map(|v| match analysis.bounds(*v) {
            (lo, hi) if lo == hi => Some(lo as u64),
            _ => None,
        })
        .collect();
    if let Some(known) = known {
        if matches!(instr, Instr::Const { .. } | Instr::SetConst { .. }) {
            return None;
        }
        return Some(vec![match known[..] {
            [value] => Instr::Const {
                dst,
                value: value as i64,
            },
            _ => Instr::SetConst { dst, words: known },
        }]);
    }
    // A test is done as quickly as its answer is looked at.
    if is_test(instr) {
        return None;
    }
    let src = analysis.slot_holding(&values)?;
    let apart = src + u32::from(words) <= dst || dst + u32::from(words) <= src;
    apart.then(|| vec![Instr::Copy { dst, src, words }])
}

/// Leaves out the first and the last words of a comparison of sets, as far as they agree anyway.
fn trim(analysis: &mut ForwardAnalysis<'_>, instr: &mut Instr) {
    let subset = matches!(instr, Instr::SetSubset { .. });
    if let Instr::SetEq { a, b, words, .. } | Instr::SetSubset { a, b, words, .. } = instr {
        let mut agrees = |a: Slot, b: Slot| {
            let (a, b) = (analysis.value(a), analysis.value(b));
            let (x, y) = (analysis.values.constant(a), analysis.values.constant(b));
            a == b || subset && (x == Some(0) || y == Some(u64::MAX))
        };
        while *words > 1 && agrees(*a, *b) {
            *a += 1;
            *b += 1;
            *words -= 1;
        }
        while *words > 1 && agrees(*a + u32::from(*words) - 1, *b + u32::from(*words) - 1) {
            *words -= 1;
        }
    }
}

/// A test for no common element, or for none besides those of another set, as the test for a subset that it is.
fn disjoint(analysis: &mut ForwardAnalysis<'_>, instr: &Instr) -> Option<Instr> {
    let (dst, set, words) = match *instr {
        Instr::SetEq { dst, a, b, words } => {
            let mut empty =
                |s: Slot| (s..s + u32::from(words)).all(|s| analysis.constant(s) == Some(0));
            if empty(b) {
                (dst, a, words)
            } else if empty(a) {
                (dst, b, words)
            } else {
                return None;
            }
        }
        _ => return None,
    };
    let mut inside: Vec<Value> = Vec::new();
    let mut outside: Vec<Value> = Vec::new();
    for slot in set..set + u32::from(words) {
        let value = analysis.value(slot);
        let (a, b, left_out) = analysis.values.meeting(value)?;
        let (a, b) = if left_out {
            (a, b)
        } else {
            let (a, c) = match (analysis.values.constant(a), analysis.values.constant(b)) {
                (_, Some(c)) => (a, c),
                (Some(c), _) => (b, c),
                _ => return None,
            };
            (a, analysis.values.known(!c))
        };
        inside.push(a);
        outside.push(b);
    }
    Some(Instr::SetSubset {
        dst,
        a: find_slots(analysis, &inside)?,
        b: find_slots(analysis, &outside)?,
        words,
    })
}

/// Where some values stand side by side: among the constants, or in a slot.
pub(super) fn find_slots(analysis: &mut ForwardAnalysis<'_>, values: &[Value]) -> Option<Slot> {
    let known: Option<Vec<u64>> = values
        .iter()
        .map(|v| analysis.values.constant(*v))
        .collect();
    match known {
        Some(known) => Some(analysis.pool.slot(&known)),
        None => analysis.slot_holding(values),
    }
}

/// Whether an instruction does nothing but decide a branch, in the same step.
fn is_test(instr: &Instr) -> bool {
    match instr {
        Instr::Binary { op, .. } | Instr::Immediate { op, .. } => {
            matches!(op, Op::Eq | Op::Ne | Op::Lt | Op::Le)
        }
        Instr::Not { .. } => true,
        Instr::SetEq { words, .. } | Instr::SetSubset { words, .. } => *words == 1,
        Instr::SetTest { set, .. } => set.words == 1,
        Instr::LineAtLeast { within, .. } => within.words == 1,
        _ => false,
    }
}

/// Lets an instruction read its values where they stand best.
fn redirect(analysis: &mut ForwardAnalysis<'_>, instr: &mut Instr) {
    // The parts of a tuple count as read, and yet they are where it goes.
    if matches!(instr, Instr::Sample(code) if matches!(**code, SampleCode::Tuple { .. })) {
        return;
    }
    let kept = keeps(instr);
    let mut written = SmallVec::<[(Slot, u32); 2]>::new();
    instr.clobbers(&mut |slot, words| written.push((slot, words)));
    // Instructions on several words go word by word, and would write over what they have not read yet.
    let apart = |slot: Slot, words: u32| {
        let mut all = written.iter();
        all.all(|&(w, n)| (w, n) == (slot, words) || slot + words <= w || w + n <= slot)
    };
    instr.visit_mut(&mut |slot, words, written| {
        if written || words == 0 || kept == Some(*slot) {
            return;
        }
        let values: Vec<Value> = (*slot..*slot + words).map(|s| analysis.value(s)).collect();
        if let Some(found) = find_slots(analysis, &values).filter(|slot| apart(*slot, words)) {
            *slot = found;
        }
    });
}
