//! Line lengths: of a line of which no more is asked than whether it has so many cells, nothing is gathered and counted.
//!
//! On boards whose lines lie a fixed distance apart in the numbering of the cells such a question takes a few shifts
//! ([`Straight`]). The line itself is left to the pass over dead code.

use super::Pass;
use super::forward_analysis::{ForwardAnalysis, Visitor, analyse};
use super::value_numbering::find_slots;
use super::values::Value;
use crate::compile::playout::Flow;
use crate::ir::*;

pub(super) const PASS: Pass = Pass {
    name: "line-lengths",
    run: line_lengths,
};

/// The most words of a set that is shifted.
const MOST_WORDS: u16 = 4;

fn line_lengths(program: &Program, flow: &mut Flow) {
    let lines = |instr: &Instr| matches!(instr, Instr::SetRun { both: true, .. });
    let mut instrs = flow.blocks.iter().flat_map(|block| &block.instrs);
    if instrs.any(lines) {
        analyse(program, flow, &mut Lengths);
    }
}

struct Lengths;

impl Visitor for Lengths {
    fn instr(
        &mut self,
        analysis: &mut ForwardAnalysis<'_>,
        instr: Instr,
        _: &[(Slot, Value)],
        out: &mut Vec<Instr>,
    ) {
        match asked(analysis, &instr).and_then(|asked| asked.answer(analysis)) {
            Some(answer) => out.extend(answer),
            None => out.push(instr),
        }
    }

    fn end(&mut self, _: &mut ForwardAnalysis<'_>, _: BlockId, _: &mut Term) {}
}

/// Whether a number is one, or at least one, or less than that.
struct Asked {
    dst: Slot,
    number: Value,
    than: i64,
    how: How,
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum How {
    Is,
    AtLeast,
    Below,
}

fn asked(analysis: &mut ForwardAnalysis<'_>, instr: &Instr) -> Option<Asked> {
    let (op, dst, a, b) = match *instr {
        Instr::Binary { op, dst, a, b } => {
            let (a, b) = (analysis.value(a), analysis.value(b));
            (op, dst, a, b)
        }
        Instr::Immediate { op, dst, a, value } => {
            let a = analysis.value(a);
            (op, dst, a, analysis.values.known(value as u64))
        }
        _ => return None,
    };
    let (x, y) = (analysis.values.constant(a), analysis.values.constant(b));
    let (number, than, how) = match (op, x, y) {
        (Op::Le, Some(n), None) => (b, n as i64, How::AtLeast),
        (Op::Lt, Some(n), None) => (b, (n as i64).checked_add(1)?, How::AtLeast),
        (Op::Lt, None, Some(n)) => (a, n as i64, How::Below),
        (Op::Le, None, Some(n)) => (a, (n as i64).checked_add(1)?, How::Below),
        (Op::Eq, Some(n), None) => (b, n as i64, How::Is),
        (Op::Eq, None, Some(n)) => (a, n as i64, How::Is),
        _ => return None,
    };
    Some(Asked {
        dst,
        number,
        than,
        how,
    })
}

impl Asked {
    /// What tells it of the size of a line.
    fn answer(&self, analysis: &mut ForwardAnalysis<'_>) -> Option<Vec<Instr>> {
        let least = u32::try_from(self.than).ok().filter(|least| *least > 0)?;
        let values = &analysis.values;
        let (Instr::SetCount { .. }, line) = values.made_by(self.number)? else {
            return None;
        };
        // All words of one line.
        let (first, words) = (*line.first()?, line.len());
        let in_order = (first..).zip(line).all(|(value, word)| value == *word);
        let (made, read) = values.made_by(first)?;
        let &Instr::SetRun {
            dst,
            table,
            ways,
            both: true,
            ..
        } = made
        else {
            return None;
        };
        let [from, way, within @ ..] = read else {
            return None;
        };
        let whole = in_order
            && values.is_first_word(first)
            && usize::from(dst.words) == words
            && within.len() == words;
        if !whole || dst.words > MOST_WORDS {
            return None;
        }
        let way = u32::try_from(values.constant(*way)?).ok()?;
        let steps = values.program.tables.get(table as usize)?;
        let straight = Straight::new(steps, ways, way)?;
        let longest = straight.longest();
        let is_longest = longest == least as usize;
        if longest < least as usize || (self.how == How::Is && !is_longest) {
            return None;
        }
        let (from, within) = (*from, within.to_vec());
        let test = Instr::LineAtLeast {
            dst: self.dst,
            from: find_slots(analysis, &[from])?,
            way,
            within: Operand {
                slot: find_slots(analysis, &within)?,
                words: dst.words,
            },
            table,
            ways,
            least,
        };
        let mut answer = vec![test];
        if self.how == How::Below {
            answer.push(Instr::Not {
                dst: self.dst,
                a: self.dst,
            });
        }
        Some(answer)
    }
}
