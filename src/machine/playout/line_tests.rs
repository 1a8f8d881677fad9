//! Branches in a row that each test for a line along one axis: one opcode tests for all.

use super::code::{At, Opcode, Pc};
use super::lines::Lines;
use super::translate::Translator;
use crate::ir::*;

/// A block that ends by asking for a line of at least so many cells.
#[derive(Copy, Clone, PartialEq)]
struct Asked {
    from: Slot,
    within: Operand,
    table: u32,
    ways: u32,
    least: i64,
    /// Where play goes on if there is one.
    then: BlockId,
}

/// What a row of such branches comes to.
pub(super) struct LineTest {
    from: At,
    within: At,
    lines: u16,
    /// How many instructions of the first block come before it.
    pub before: usize,
    pub then: BlockId,
    pub otherwise: BlockId,
}

impl LineTest {
    /// A jump where there is such a line, or where there is none.
    pub fn jump(&self, any: bool, to: Pc) -> Opcode {
        let (from, within, lines) = (self.from, self.within, self.lines);
        if any {
            Opcode::JumpLines {
                from,
                within,
                lines,
                to,
            }
        } else {
            Opcode::JumpNoLines {
                from,
                within,
                lines,
                to,
            }
        }
    }
}

impl Translator<'_> {
    /// The row of questions for lines that begins with the branch of a block.
    pub(super) fn row_of_lines(&mut self, first: BlockId, live: &[Slots]) -> Option<LineTest> {
        let (asked, way, mut otherwise, before) = self.asks(first, live)?;
        let mut along = vec![way];
        while let Some((next, way, beyond, 0)) = self.asks(otherwise, live)
            && next == asked
            && along.len() < 64
        {
            along.push(way);
            otherwise = beyond;
        }
        if along.len() < 2 {
            return None;
        }
        let steps = &self.p.tables[asked.table as usize];
        let least = u32::try_from(asked.least).ok()?;
        let lines = u16::try_from(self.lines.len()).ok()?;
        self.lines
            .push(Lines::new(steps, asked.ways, &along, least)?);
        Some(LineTest {
            from: asked.from as At,
            within: asked.within.slot as At,
            lines,
            before,
            then: asked.then,
            otherwise,
        })
    }

    /// What a block asks for in the end, along which way, where play goes on without a line, and how many instructions come
    /// before.
    fn asks(&self, id: BlockId, live: &[Slots]) -> Option<(Asked, u64, BlockId, usize)> {
        let block = &self.flow.blocks[id.0 as usize];
        let Term::Branch {
            cond,
            then,
            otherwise,
        } = block.term
        else {
            return None;
        };
        let before = block.instrs.len().checked_sub(3)?;
        let [run, count, compare] = &block.instrs[before..] else {
            return None;
        };
        let Instr::SetRun {
            dst,
            from,
            way,
            within,
            table,
            ways,
            both: true,
        } = *run
        else {
            return None;
        };
        let Instr::SetCount { dst: size, set } = *count else {
            return None;
        };
        let Instr::Binary {
            op: Op::Le,
            dst: answer,
            a: least,
            b,
        } = *compare
        else {
            return None;
        };
        let whole = (dst.words, within.words, set) == (1, 1, dst) && (b, answer) == (size, cond);
        // Nobody reads the lines themselves.
        let ends = [&live[then.0 as usize], &live[otherwise.0 as usize]];
        let kept = |slot: Slot| ends.iter().any(|live| live.contains(slot));
        let apart = ![dst.slot, size, answer].contains(&from)
            && ![dst.slot, size, answer].contains(&within.slot);
        if !whole || !apart || [dst.slot, size, answer].into_iter().any(kept) {
            return None;
        }
        let constant = |slot: Slot| self.flow.pool.constant(slot);
        let asked = Asked {
            from,
            within,
            table,
            ways,
            least: constant(least)? as i64,
            then: self.behind(then),
        };
        Some((asked, constant(way)?, self.behind(otherwise), before))
    }
}
