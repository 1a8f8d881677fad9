//! Marks at the places that play can come to, in a program that is to have them.

use super::Builder;
use crate::ir::*;
use crate::model::{Expr, ExprKind};
use crate::text::span::Span;

impl Builder<'_> {
    pub(super) fn marked(&self) -> bool {
        self.places.is_some()
    }

    /// Play comes to a place here.
    pub(super) fn mark(&mut self, kind: CoveragePointKind, span: Span) {
        if let Some(places) = &mut self.places {
            let place = places.insert_full(CoveragePoint { span, kind }).0 as u32;
            self.emit(Instr::Reach { place });
        }
    }

    /// Marks one branch of an expression: at the branch, or where that is the body of a def, at the whole.
    pub(super) fn mark_branch(&mut self, kind: CoveragePointKind, whole: Span, branch: &Expr) {
        let own = branch.span.start >= whole.start && branch.span.end <= whole.end;
        self.mark(kind, if own { branch.span } else { whole });
    }

    /// A block that marks a place and goes on to `to`; without marks, `to` itself.
    pub(super) fn marked_way(
        &mut self,
        kind: CoveragePointKind,
        span: Span,
        to: BlockId,
    ) -> BlockId {
        if !self.marked() {
            return to;
        }
        self.aside(|b| {
            b.mark(kind, span);
            b.jump(to);
        })
    }

    /// A block for the end of a loop at its bound. Where what the condition reads has a value in any state, `look` writes
    /// whether the loop would have gone on: to the block that it is given, which marks that the bound has ended it.
    pub(super) fn marked_bound(
        &mut self,
        reads: &[&Expr],
        cond: Span,
        exit: BlockId,
        look: impl FnOnce(&mut Self, BlockId),
    ) -> BlockId {
        let still = self.marked_way(CoveragePointKind::Bound, cond, exit);
        if !self.marked() || !reads.iter().all(|e| self.is_total(e)) {
            return still;
        }
        self.aside(|b| b.unmarked(|b| look(b, still)))
    }

    /// Writes code that is no part of the rules, and so has no marks: texts, viewers, knowledge.
    pub(super) fn unmarked<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> T {
        let places = self.places.take();
        let result = write(self);
        self.places = places;
        result
    }

    /// Whether the code of an expression has marks: such an expression is computed in play even where it is a constant.
    pub(super) fn marks_inside(&self, e: &Expr) -> bool {
        self.marked()
            && e.any(|e| {
                matches!(
                    e.kind,
                    ExprKind::If { .. } | ExprKind::Match { .. } | ExprKind::After { .. }
                )
            })
    }
}
