//! Branches in a row that each insert one more element into a word where a number is greater than another: one opcode
//! compares them all.

use super::code::{At, Opcode};
use super::translate::Translator;
use crate::ir::*;

/// A branch that leaves a bit in a word, or none, where a slot holds more than another.
#[derive(Copy, Clone)]
struct Asked {
    least: Slot,
    value: Slot,
    word: Slot,
    bit: u64,
    /// The word had nothing in it before.
    first: bool,
    /// Where play goes on.
    to: BlockId,
    /// How many instructions of the block come before.
    before: usize,
}

/// What a row of such branches comes to.
pub(super) struct Mask {
    pub opcode: Opcode,
    pub before: usize,
    pub to: BlockId,
}

impl Translator<'_> {
    /// The row of such branches that begins with the branch of a block.
    pub(super) fn row_of_tests(&self, first: BlockId, live: &[Slots]) -> Option<Mask> {
        let begin = self.asks_for_more(first, live)?;
        let mut last = begin;
        let mut count = 1;
        while let Some(next) = self.asks_for_more(last.to, live)
            && next.before == 0
            && !next.first
            && (next.least, next.word) == (begin.least, begin.word)
            && next.value == last.value + 1
            && last.bit.checked_mul(2) == Some(next.bit)
            && count < 64
        {
            last = next;
            count += 1;
        }
        let written = begin.word;
        let apart = written != begin.least && !(begin.value..=last.value).contains(&written);
        (count > 1 && apart).then_some(Mask {
            opcode: Opcode::MoreThan {
                dst: written as At,
                a: begin.least as At,
                b: begin.value as At,
                count,
                from: begin.bit.trailing_zeros() as u8,
                anew: begin.first,
            },
            before: begin.before,
            to: last.to,
        })
    }

    fn asks_for_more(&self, id: BlockId, live: &[Slots]) -> Option<Asked> {
        let block = &self.flow.blocks[id.0 as usize];
        let Term::Branch {
            cond,
            then,
            otherwise,
        } = block.term
        else {
            return None;
        };
        let (test, rest) = block.instrs.split_last()?;
        let Instr::Binary {
            op: Op::Lt,
            dst,
            a: least,
            b: value,
        } = *test
        else {
            return None;
        };
        let otherwise = self.behind(otherwise);
        let (end, word, bit, first) = self.puts(then, otherwise)?;
        // The answer is for the branch alone.
        let kept = live[then.0 as usize].contains(cond) || live[end.0 as usize].contains(cond);
        let plain = dst == cond && !kept && word != cond && bit.count_ones() == 1;
        plain.then_some(Asked {
            least,
            value,
            word,
            bit,
            first,
            to: end,
            before: rest.len(),
        })
    }

    /// Where two ways meet, of which one puts a bit into a word: that word, the bit, and whether it was empty before.
    fn puts(&self, then: BlockId, otherwise: BlockId) -> Option<(BlockId, Slot, u64, bool)> {
        let block = &self.flow.blocks[then.0 as usize];
        let Term::Jump(to) = block.term else {
            return None;
        };
        let to = self.behind(to);
        if let [
            Instr::Immediate {
                op: Op::Or,
                dst,
                a,
                value,
            },
        ] = block.instrs[..]
        {
            return (dst == a && to == otherwise).then_some((to, dst, value as u64, false));
        }
        let (word, bit) = constant(&block.instrs)?;
        let other = &self.flow.blocks[otherwise.0 as usize];
        let same = constant(&other.instrs) == Some((word, 0));
        let Term::Jump(end) = other.term else {
            return None;
        };
        (same && self.behind(end) == to).then_some((to, word, bit, true))
    }
}

/// What some instructions leave in a slot, if that is all they do.
fn constant(instrs: &[Instr]) -> Option<(Slot, u64)> {
    match *instrs {
        [Instr::Const { dst, value }] => Some((dst, value as u64)),
        [
            Instr::Const { dst, value },
            Instr::Immediate {
                op: Op::Or,
                dst: again,
                a,
                value: more,
            },
        ] if again == dst && a == dst => Some((dst, (value | more) as u64)),
        _ => None,
    }
}
