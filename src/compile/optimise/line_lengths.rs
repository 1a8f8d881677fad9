//! Line lengths: of a line of which no more is asked than whether it has so many cells, nothing is gathered and counted.
//!
//! On boards whose lines lie a fixed distance apart in the numbering of the cells such a question takes a few shifts
//! ([`Straight`]). The line itself is left to the pass over dead code.

use super::Pass;
use super::forward_analysis::{ForwardAnalysis, Visitor, analyse};
use super::value_numbering::find_slots;
use super::values::{Value, Values};
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
    /// What tells it of the size of a line, or of the greatest or the least of several.
    fn answer(&self, analysis: &mut ForwardAnalysis<'_>) -> Option<Vec<Instr>> {
        let (dst, number) = (self.dst, self.number);
        if !is_of_lines(&analysis.values, number, MOST_DEEP) {
            return None;
        }
        let mut answer = Vec::new();
        match self.how {
            How::AtLeast => at_least(analysis, (number, self.than), dst, &mut answer)?,
            How::Below => {
                let a = part(analysis, (number, self.than), &mut answer)?;
                answer.push(Instr::Not { dst, a });
            }
            How::Is => {
                let b = part(analysis, (number, self.than), &mut answer)?;
                let a = part(analysis, (number, self.than + 1), &mut answer)?;
                let op = Op::Lt;
                answer.push(Instr::Binary { op, dst, a, b });
            }
        }
        Some(answer)
    }
}

/// How deep a greatest number of greatest numbers is looked into.
const MOST_DEEP: usize = 8;

/// Whether a number is the size of a line, or the greatest or the least of two numbers that are, and so on so deep.
fn is_of_lines(values: &Values<'_>, number: Value, deep: usize) -> bool {
    match values.made_by(number) {
        Some((Instr::SetCount { .. }, line)) => line
            .first()
            .and_then(|word| values.made_by(*word))
            .is_some_and(|(made, _)| matches!(made, Instr::SetRun { both: true, .. })),
        Some((
            Instr::Binary {
                op: Op::Max | Op::Min,
                ..
            },
            &[a, b],
        )) => deep > 1 && is_of_lines(values, a, deep - 1) && is_of_lines(values, b, deep - 1),
        _ => false,
    }
}

/// A part of an answer in a slot of its own: where the answer goes may be where the next part reads.
fn part(
    analysis: &mut ForwardAnalysis<'_>,
    asked: (Value, i64),
    answer: &mut Vec<Instr>,
) -> Option<Slot> {
    let slot = analysis.pool.fresh();
    at_least(analysis, asked, slot, answer)?;
    Some(slot)
}

/// Puts down whether a number is at least another one, `dst` last of all; `None` where it is not of lines alone.
fn at_least(
    analysis: &mut ForwardAnalysis<'_>,
    (number, least): (Value, i64),
    dst: Slot,
    answer: &mut Vec<Instr>,
) -> Option<()> {
    let (made, read) = analysis.values.made_by(number)?;
    match (made, read) {
        (Instr::SetCount { .. }, line) => {
            let line = line.to_vec();
            answer.push(of_line(analysis, &line, least, dst)?);
        }
        (Instr::Binary { op, .. }, &[a, b]) => {
            // The greatest of two is at least so much if one of them is, the least if both are.
            let op = match op {
                Op::Max => Op::Or,
                Op::Min => Op::And,
                _ => return None,
            };
            let a = part(analysis, (a, least), answer)?;
            let b = part(analysis, (b, least), answer)?;
            answer.push(Instr::Binary { op, dst, a, b });
        }
        _ => return None,
    }
    Some(())
}

/// Whether the words of a set are a line of at least so many cells.
fn of_line(
    analysis: &mut ForwardAnalysis<'_>,
    line: &[Value],
    least: i64,
    dst: Slot,
) -> Option<Instr> {
    let values = &analysis.values;
    let (first, words) = (*line.first()?, line.len());
    let in_order = (first..).zip(line).all(|(value, word)| value == *word);
    let (made, read) = values.made_by(first)?;
    let &Instr::SetRun {
        dst: whole,
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
    let is_whole = in_order
        && values.is_first_word(first)
        && usize::from(whole.words) == words
        && within.len() == words;
    if !is_whole || whole.words > MOST_WORDS {
        return None;
    }
    let way = u32::try_from(values.constant(*way)?).ok()?;
    let steps = values.program.tables.get(table as usize)?;
    let straight = Straight::new(steps, ways, way)?;
    let least = u32::try_from(least).ok().filter(|least| *least > 0)?;
    if straight.longest() < least as usize {
        return Some(Instr::Const { dst, value: 0 });
    }
    let (from, within) = (*from, within.to_vec());
    Some(Instr::LineAtLeast {
        dst,
        from: find_slots(analysis, &[from])?,
        way,
        within: Operand {
            slot: find_slots(analysis, &within)?,
            words: whole.words,
        },
        table,
        ways,
        least,
    })
}
