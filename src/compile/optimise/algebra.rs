//! Simpler forms of instructions for what is known of what they read.

use crate::ir::*;

/// Simpler forms for what is partly known.
pub(super) fn reduce(instr: Instr, known: &mut dyn FnMut(Slot) -> Option<u64>) -> Instr {
    match instr {
        Instr::Load {
            dst,
            base,
            index,
            words,
            count,
        } => match known(index) {
            Some(i) if i < u64::from(count) => Instr::Copy {
                dst,
                src: base + i as u32 * u32::from(words),
                words,
            },
            _ => instr,
        },
        Instr::Store {
            base,
            index,
            src,
            words,
            count,
        } => match known(index) {
            Some(i) if i < u64::from(count) => Instr::Copy {
                dst: base + i as u32 * u32::from(words),
                src,
                words,
            },
            _ => instr,
        },
        Instr::Select {
            dst,
            cond,
            a,
            b,
            words,
        } => match known(cond) {
            Some(c) => Instr::Copy {
                dst,
                src: if c != 0 { a } else { b },
                words,
            },
            None => instr,
        },
        Instr::Binary { op, dst, a, b } => match (known(a), known(b)) {
            (None, Some(value)) => immediate(op, dst, a, value as i64),
            (Some(value), None) if !matches!(op, Op::Sub | Op::Div | Op::Mod | Op::Lt | Op::Le) => {
                immediate(op, dst, b, value as i64)
            }
            _ => instr,
        },
        Instr::Immediate { op, dst, a, value } if known(a).is_none() => {
            immediate(op, dst, a, value)
        }
        Instr::SetBinary {
            op,
            dst,
            a,
            b,
            words: 1,
        } => match (op, known(a), known(b)) {
            (SetOp::Union | SetOp::Difference, _, Some(0)) => Instr::Copy {
                dst,
                src: a,
                words: 1,
            },
            (SetOp::Union, Some(0), _) => Instr::Copy {
                dst,
                src: b,
                words: 1,
            },
            (SetOp::Intersect, Some(0), _) | (SetOp::Intersect, _, Some(0)) => {
                Instr::Const { dst, value: 0 }
            }
            _ => instr,
        },
        // An element that is known, put in or taken out, is a set operation.
        Instr::SetInsert { set, element } if set.words == 1 => match known(element) {
            Some(e) if e < 64 => Instr::Immediate {
                op: Op::Or,
                dst: set.slot,
                a: set.slot,
                value: 1i64 << e,
            },
            _ => instr,
        },
        Instr::SetRemove { set, element } if set.words == 1 => match known(element) {
            Some(e) if e < 64 => Instr::Immediate {
                op: Op::And,
                dst: set.slot,
                a: set.slot,
                value: !(1i64 << e),
            },
            _ => instr,
        },
        _ => instr,
    }
}

fn immediate(op: Op, dst: Slot, a: Slot, value: i64) -> Instr {
    match (op, value) {
        (Op::Add | Op::Sub | Op::Or, 0) | (Op::Mul | Op::Div, 1) | (Op::And, -1) => Instr::Copy {
            dst,
            src: a,
            words: 1,
        },
        (Op::Mul | Op::And, 0) => Instr::Const { dst, value: 0 },
        (Op::Sub, value) => Instr::Immediate {
            op: Op::Add,
            dst,
            a,
            value: value.wrapping_neg(),
        },
        _ => Instr::Immediate { op, dst, a, value },
    }
}
