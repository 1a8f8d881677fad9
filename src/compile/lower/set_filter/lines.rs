//! Elements in long lines: `size(Board.line(c, way, S)) >= n`, asked of all cells of a board at once.
//!
//! Cells with so many in a row behind them are found by moving the whole set along the way, twice as far each time.

use super::plan::negated;
use super::{Plan, Planning};
use crate::compile::lower::Builder;
use crate::ir::*;
use crate::model::{BinaryOp, Expr, ExprKind};

/// The lines of a board along one way.
pub(super) struct InLine<'e> {
    within: &'e Expr,
    steps: Table,
    ways: u32,
    way: u32,
    least: usize,
    /// The first cells of rows of so many do: no more is asked than whether there are any.
    firsts_only: bool,
}

impl Plan<'_> {
    /// Of a set no more is asked than whether the condition holds for any element.
    pub(super) fn ask_for_any(&mut self, domain: &Expr) {
        match self {
            Plan::InLine(line) => line.firsts_only = line.within.is_same_now(domain),
            Plan::OfSome { plans, .. } => {
                plans
                    .iter_mut()
                    .for_each(|(_, plan)| plan.ask_for_any(domain));
            }
            Plan::Either(plans) => plans.iter_mut().for_each(|plan| plan.ask_for_any(domain)),
            _ => {}
        }
    }
}

impl Builder<'_> {
    /// `size(Board.line(x, way, set)) >= n`, and its relatives.
    pub(super) fn in_line<'e>(
        &mut self,
        op: BinaryOp,
        (size, number): (&'e Expr, &Expr),
        p: &Planning<'_>,
    ) -> Option<Plan<'e>> {
        let number = *self.constant(number)?.first()? as i64;
        let more = number.checked_add(1)?;
        let mut at_least = |least| self.so_many_in_line(size, least, p);
        match op {
            BinaryOp::Ge => at_least(number),
            BinaryOp::Gt => at_least(more),
            BinaryOp::Lt => at_least(number).map(negated),
            BinaryOp::Le => at_least(more).map(negated),
            BinaryOp::Eq => {
                let longer = negated(at_least(more)?);
                Some(Plan::Both(Box::new([at_least(number)?, longer])))
            }
            _ => None,
        }
    }

    fn so_many_in_line<'e>(
        &mut self,
        size: &'e Expr,
        least: i64,
        p: &Planning<'_>,
    ) -> Option<Plan<'e>> {
        let ExprKind::Call { function, args, .. } = &size.uncast().kind else {
            return None;
        };
        let [line] = &args[..] else {
            return None;
        };
        let ExprKind::Call {
            function: of_line,
            args,
            table: Some(rows),
        } = &line.kind
        else {
            return None;
        };
        let [cell, way, within] = &args[..] else {
            return None;
        };
        let fits = function.is_count()
            && of_line.is_line()
            && self.is_element(cell, p)
            && within.ty.element() == Some(p.element)
            && self.is_steady(within, p);
        let way_at = *self.constant(way).filter(|_| fits)?.first()? as i64;
        let (words, ways) = (1, way.ty.size()? as u32);
        let values = rows.iter().map(|row| row.first().copied().unwrap_or(0));
        let steps = Table {
            words,
            values: values.collect(),
        };
        let way = u32::try_from(way.ty.ordinal(way_at)).ok()?;
        let least = usize::try_from(least).ok()?;
        let longest = Straight::new(&steps, ways, way)?.longest();
        (1..=longest)
            .contains(&least)
            .then_some(Plan::InLine(InLine {
                within,
                steps,
                ways,
                way,
                least,
                firsts_only: false,
            }))
    }

    /// The cells of a set that stand in line with so many of it, or the first ones of so many.
    pub(super) fn in_line_side(&mut self, line: &InLine<'_>) -> Option<Operand> {
        let straight = Straight::new(&line.steps, line.ways, line.way)?;
        let mut found = self.value(line.within);
        let words = found.words;
        let moved = |b: &mut Self, src: Operand, op, table: Table| {
            let (near, dst) = (b.temporary(words), b.temporary(words));
            let table = b.table(table);
            b.emit(Instr::SetNeighbours {
                dst: near,
                src,
                table,
            });
            b.set_binary(op, dst, src, near);
            dst
        };
        for by in doublings(line.least) {
            found = moved(self, found, BinaryOp::Intersect, straight.before(by, words));
        }
        let others = if line.firsts_only { 1 } else { line.least };
        for by in doublings(others) {
            found = moved(self, found, BinaryOp::Union, straight.after(by, words));
        }
        Some(found)
    }
}

/// By how much a row of one grows each time until it is so long: at most as long as it is.
fn doublings(length: usize) -> impl Iterator<Item = usize> {
    let mut have = 1;
    std::iter::from_fn(move || {
        let by = have.min(length - have);
        have += by;
        (by > 0).then_some(by)
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn rows_grow_by_at_most_their_length() {
        let all = |length| super::doublings(length).collect::<Vec<_>>();
        assert_eq!([all(1), all(2), all(5)], [vec![], vec![1], vec![1, 2, 1]]);
    }
}
