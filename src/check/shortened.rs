//! Ranges that end earlier than they seem to: `1..6 - last` is `1..(6 - last)`.

use super::checker::Checker;
use crate::model::types::Type;
use crate::model::{BinaryOp, Expr, ExprKind};
use crate::syntax::{ast, codes};
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;

impl Checker<'_> {
    /// Notes that options go up to a difference where the range without one of its values may have been meant: what is taken
    /// away is one of them. Brackets around the difference say that it is meant.
    pub fn note_shortened(&mut self, written: &ast::Expr, domain: &Expr) {
        let ast::ExprKind::Range { low, high } = &written.kind else {
            return;
        };
        let ast::ExprKind::Binary { left, right, .. } = &high.kind else {
            return;
        };
        let (ast::ExprKind::Int(first), ast::ExprKind::Int(last)) = (&low.kind, &left.kind) else {
            return;
        };
        let ExprKind::RangeSet { low: lo, high: hi } = &domain.uncast().kind else {
            return;
        };
        let ExprKind::Binary {
            op: BinaryOp::Sub,
            left: most,
            right: less,
        } = &hi.uncast().kind
        else {
            return;
        };
        let (ExprKind::Const(lo), ExprKind::Const(most)) = (&lo.uncast().kind, &most.uncast().kind)
        else {
            return;
        };
        let less = less.uncast();
        let is_one_of_them =
            matches!(less.ty, Type::Int { lo: a, hi: b } if *lo <= a && b <= *most);
        let is_read = matches!(less.kind, ExprKind::Var { .. } | ExprKind::Local(_));
        // From 0 on it is what is left of so many.
        if *lo < 1 || !is_one_of_them || !is_read || high.span != left.span.to(right.span) {
            return;
        }
        let message = "this is a range up to a difference, for `-` binds tighter than `..`";
        let (start, end) = (low.span.start, left.span.end);
        self.report_live(
            Diagnostic::note_of(codes::READS_OTHERWISE, written.span, message)
                .hint(format!("for all but one write `({first}..{last}) - …`; otherwise put brackets around the difference"))
                .edit(Span { start, end: start }, "(")
                .edit(Span { start: end, end }, ")"),
        );
    }
}
