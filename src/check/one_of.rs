//! `n == 3 or 4`: one of several values, where a condition is needed.

use super::checker::Checker;
use super::codes;
use super::declare::Decl;
use super::habits::plain;
use crate::syntax::ast;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;

/// What is compared, and with which values.
type Compared<'e> = (&'e ast::Expr, Vec<&'e ast::Expr>);

impl<'a> Checker<'a> {
    /// Reports that the right side of an `or` is a value alone, where the left one ends with a comparison.
    pub fn refuse_bare_value(&mut self, left: &'a ast::Expr, right: &'a ast::Expr) -> bool {
        let compared = self.last_compared(left).filter(|_| self.is_value(right));
        let Some((what, mut values)) = compared else {
            return false;
        };
        values.push(right);
        let listed: Vec<String> = values.iter().map(|value| plain(value)).collect();
        let problem = Diagnostic::error(
            codes::TYPE_MISMATCH,
            right.span,
            "true or false is needed here",
        )
        .label("this is a value alone, and no comparison");
        let hint = format!(
            "for one of several, write `{} in {{ {} }}`",
            plain(what),
            listed.join(", ")
        );
        let (mut end, mut sign) = (what.span.end, " in { ");
        let mut problem = problem.hint(hint);
        for value in values {
            let start = value.span.start;
            problem = problem.edit(
                Span {
                    start: end,
                    end: start,
                },
                sign,
            );
            (end, sign) = (value.span.end, ", ");
        }
        self.report(problem.edit(Span { start: end, end }, " }"));
        true
    }

    /// The last comparison of a condition, with the values alone that follow it.
    fn last_compared(&self, e: &'a ast::Expr) -> Option<Compared<'a>> {
        use ast::BinaryOp as Op;
        let ast::ExprKind::Binary { op, left, right } = &e.kind else {
            return None;
        };
        // Brackets around it end what could go on.
        if e.span.end != right.span.end {
            return None;
        }
        match op {
            Op::Eq => Some((left, vec![right])),
            Op::Or if self.is_value(right) => {
                let (what, mut values) = self.last_compared(left)?;
                values.push(right);
                Some((what, values))
            }
            Op::Or | Op::And => self.last_compared(right),
            _ => None,
        }
    }

    /// Whether something is certainly no truth value: an integer, a value of an enum, a player.
    fn is_value(&self, e: &ast::Expr) -> bool {
        match &e.kind {
            ast::ExprKind::Int(_) => true,
            ast::ExprKind::Name(name) if self.lookup_local(&name.text).is_none() => {
                let name = name.text.as_str();
                let player = matches!(self.names.decls.get(name), Some(Decl::Player(_)));
                player || self.names.enum_values.contains_key(name)
            }
            _ => false,
        }
    }
}
