//! Expressions: which words follow one another, and where their lines may break.
//!
//! Every kind of expression is named here, so that a new one does not compile until somebody says how it is set.

use super::writer::{FrameKind, Gap, Row, Writer};
use crate::syntax::ast::{
    Aggregate, BinaryOp, Binder, Expr, ExprKind, Name, Pattern, Quantifier, Quoted, Type, UnaryOp,
};
use crate::text::span::Span;

impl Writer<'_> {
    pub(super) fn name(&mut self, name: &Name) {
        let Name { text, span: _ } = name;
        self.put(text);
    }

    /// An expression with the parentheses and plus signs that the tree does not keep.
    pub(super) fn expr(&mut self, expr: &Expr) {
        self.depth += 1;
        self.expr_here(expr);
        self.depth -= 1;
    }

    fn expr_here(&mut self, expr: &Expr) {
        let mut end = expr.span.end as usize;
        let mut open = 0;
        loop {
            match self.peek() {
                "+" => {
                    self.put("+");
                    self.tight();
                }
                "(" if self.closes_at(end) && !self.begins_record() => {
                    self.put("(");
                    self.tight();
                    open += 1;
                    end = self.end_before(end);
                }
                _ => break,
            }
        }
        if open == 0 {
            self.expr_kind(expr);
            return;
        }
        let first = self.pieces.len().saturating_sub(1);
        self.depth += 1;
        self.within(FrameKind::List, first, |w| w.expr_kind(expr));
        self.depth -= 1;
        for _ in 0..open {
            self.mark(")");
        }
    }

    /// `(name:`, the parenthesis of a record and no grouping.
    fn begins_record(&self) -> bool {
        self.ahead(2) == ":" && self.ahead(1).starts_with(super::tokens::is_letter)
    }

    fn expr_kind(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Int(_) | ExprKind::Decimal(_) | ExprKind::Bool(_) | ExprKind::Error => {
                self.any();
            }
            ExprKind::Name(name) => self.name(name),
            ExprKind::All => self.put("all"),
            ExprKind::None => self.put("none"),
            ExprKind::Set(items) => self.list("{", items, "}", Writer::expr),
            ExprKind::Range { low, high } => {
                self.expr(low);
                self.mark("..");
                self.tight();
                self.expr(high);
            }
            ExprKind::Comprehension { body, binders } => self.comprehension(body, binders),
            ExprKind::Map { entries, otherwise } => self.map(entries, otherwise.as_deref()),
            ExprKind::Rows(rows) => self.rows(rows, expr.span),
            ExprKind::Array { binder, body } => self.array(binder, body, expr.span),
            ExprKind::Unary {
                op: UnaryOp::Neg,
                value: inner,
            } => {
                self.put("-");
                self.tight();
                self.expr(inner);
            }
            ExprKind::Unary {
                op: UnaryOp::Not,
                value: inner,
            } => {
                self.put("not");
                self.expr(inner);
            }
            ExprKind::Binary { op, left, right } => self.binary(*op, left, right),
            ExprKind::If {
                cond,
                then,
                otherwise,
            } => self.conditional(cond, then, otherwise),
            ExprKind::Match { scrutinee, arms } => {
                self.put("match");
                self.expr(scrutinee);
                self.braces(FrameKind::Rows, arms, |w, arm| {
                    w.arm(&arm.patterns, |w| {
                        w.soft();
                        w.expr(&arm.body);
                    });
                });
            }
            ExprKind::Let {
                name,
                ty,
                value,
                body,
            } => {
                self.let_value(name, ty.as_deref(), value);
                self.let_body(body);
            }
            ExprKind::Index { array, indices } => self.index_expr(array, indices),
            ExprKind::Field {
                record: value,
                field,
            } => {
                self.expr(value);
                self.mark(".");
                self.tight();
                self.name(field);
            }
            ExprKind::Method {
                board,
                function,
                args: arguments,
            } => {
                self.expr(board);
                self.mark(".");
                self.tight();
                self.call(function, arguments);
            }
            ExprKind::Call {
                function,
                args: arguments,
            } => self.call(function, arguments),
            ExprKind::Record(fields) => self.list("(", fields, ")", |w, (name, value)| {
                w.name(name);
                w.mark(":");
                w.expr(value);
            }),
            ExprKind::Quantified {
                quantifier,
                binders,
                body,
            } => {
                self.put(quantifier_word(*quantifier));
                self.binders(binders);
                self.mark(":");
                self.soft();
                self.expr(body);
            }
            ExprKind::Aggregate { op, binders, body } => {
                self.put(aggregate_word(*op));
                self.tight();
                self.list("(", &[()], ")", |w, ()| w.binders(binders));
                self.soft();
                self.expr(body);
            }
            ExprKind::After { value, body } => {
                self.expr(value);
                self.soft();
                self.put("after");
                self.block(body);
            }
            ExprKind::Reveal { .. } => self.reveal(expr),
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) {
        match &left.kind {
            // A chain of operators that bind alike breaks at any of them.
            ExprKind::Binary { op: inner, .. } if tightness(*inner) == tightness(op) => {
                self.expr_here(left);
            }
            _ => self.expr(left),
        }
        if op == BinaryOp::NotIn {
            self.put("not");
        }
        self.operator(sign(op));
        self.expr(right);
    }

    fn conditional(&mut self, cond: &Expr, then: &Expr, otherwise: &Expr) {
        self.put("if");
        self.expr(cond);
        self.soft();
        self.put("then");
        self.expr(then);
        self.soft();
        self.put("else");
        match &otherwise.kind {
            ExprKind::If { .. } => self.expr_here(otherwise),
            _ => self.expr(otherwise),
        }
    }

    /// A row on each line; one text with all rows may stand alone, with or without braces.
    fn rows(&mut self, rows: &[Quoted], span: Span) {
        if let [row] = rows {
            if row.span == span {
                return self.any();
            }
            return self.list("{", &[()], "}", |w, ()| w.any());
        }
        self.braces(FrameKind::Rows, rows, |w, _| {
            w.row(Row::Plain, |w| {
                w.any();
                w.end_of_row();
            });
        });
    }

    fn comprehension(&mut self, body: &Expr, binders: &[Binder]) {
        self.list("{", &[()], "}", |w, ()| {
            w.expr(body);
            w.soft();
            w.put("for");
            w.binders(binders);
        });
    }

    fn let_body(&mut self, body: &Expr) {
        self.mark(";");
        self.soft();
        match &body.kind {
            ExprKind::Let { .. } => self.expr_here(body),
            _ => self.expr(body),
        }
    }

    /// `let x: T = e`.
    pub(super) fn let_value(&mut self, name: &Name, ty: Option<&Type>, value: &Expr) {
        self.put("let");
        self.name(name);
        if let Some(ty) = ty {
            self.mark(":");
            self.ty(ty);
        }
        self.put("=");
        self.soft();
        self.expr(value);
    }

    fn reveal(&mut self, event: &Expr) {
        let ExprKind::Reveal { value, to, text } = &event.kind else {
            return;
        };
        self.put("reveal");
        self.tight();
        self.list("(", &[()], ")", |w, ()| {
            w.expr(value);
            if let Some(to) = to {
                w.soft();
                w.put("to");
                w.expr(to);
            }
        });
        match text.as_deref() {
            Some(text) if text.cases.iter().any(|(so, _)| so.span == value.span) => self.says_so(),
            Some(text) => self.says(text),
            None => {}
        }
    }

    /// `a[i][j]` and `a[i, j]` stay as they are written.
    fn index_expr(&mut self, array: &Expr, indices: &[Expr]) {
        let mut dropped = 0;
        while self.peek() == "("
            && self.position() < array.span.start as usize
            && self.drop_mark("(")
        {
            dropped += 1;
        }
        self.expr(array);
        let mut rest = indices;
        while !rest.is_empty() && !self.lost {
            self.tight();
            self.put("[");
            let first = self.pieces.len().saturating_sub(1);
            self.depth += 1;
            self.within(FrameKind::List, first, |w| {
                w.tight();
                while let Some((index, more)) = rest.split_first() {
                    w.expr(index);
                    rest = more;
                    if w.peek() != "," {
                        break;
                    }
                    w.mark(",");
                    w.soft();
                }
                w.mark("]");
            });
            self.depth -= 1;
            while dropped > 0 && !rest.is_empty() && self.drop_mark(")") {
                dropped -= 1;
            }
        }
    }

    pub(super) fn call(&mut self, function: &Name, arguments: &[Expr]) {
        self.name(function);
        self.tight();
        self.list("(", arguments, ")", Writer::expr);
    }

    fn map(&mut self, entries: &[(Expr, Expr)], otherwise: Option<&Expr>) {
        // `else` may stand before other entries.
        let count = entries.len() + usize::from(otherwise.is_some());
        let rows = vec![(); count];
        let mut entries = entries.iter();
        let mut otherwise = otherwise;
        self.list("{", &rows, "}", |w, ()| {
            let value = if w.peek() == "else" {
                w.put("else");
                otherwise.take()
            } else {
                entries.next().map(|(key, value)| {
                    w.expr(key);
                    value
                })
            };
            w.mark(":");
            match value {
                Some(value) => w.expr(value),
                None => w.lost = true,
            }
        });
    }

    /// An array by a formula, whose span this is. Several indices in one bracket have the span of the whole.
    fn array(&mut self, binder: &Binder, mut body: &Expr, span: Span) {
        self.put("[");
        self.tight();
        self.binder(binder);
        while let ExprKind::Array { binder, body: rest } = &body.kind
            && body.span == span
        {
            self.mark(",");
            self.soft();
            self.binder(binder);
            body = rest;
        }
        self.mark("]");
        self.soft();
        self.expr(body);
    }

    /// `x in S where c, y in T`.
    pub(super) fn binders(&mut self, binders: &[Binder]) {
        for (i, binder) in binders.iter().enumerate() {
            if i > 0 {
                self.mark(",");
                self.soft();
            }
            self.binder(binder);
        }
    }

    /// `x in S where c`.
    pub(super) fn binder(&mut self, binder: &Binder) {
        let Binder {
            name,
            domain,
            cond,
            span: _,
        } = binder;
        self.name(name);
        self.put("in");
        self.expr(domain);
        if let Some(cond) = cond {
            self.soft();
            self.put("where");
            self.expr(cond);
        }
    }

    /// `patterns => …`, and the comma after it if the next arm could be read as part of this one.
    pub(super) fn arm(&mut self, patterns: &[Pattern], body: impl FnOnce(&mut Self)) {
        self.row(Row::Arm, |w| {
            for (i, pattern) in patterns.iter().enumerate() {
                if i > 0 {
                    w.mark(",");
                    w.soft();
                }
                match pattern {
                    Pattern::Value(value) => w.expr(value),
                    Pattern::Else(_) => w.put("else"),
                }
            }
            w.tab(0);
            w.put("=>");
            body(w);
            w.end_of_row();
        });
    }

    /// Leaves out the comma or semicolon after a row, unless what follows could then be read as part of it. There are
    /// several where the row ends with a statement in place of a block: one of the statement, one of the row.
    pub(super) fn end_of_row(&mut self) {
        let mark = self.peek();
        if mark != "," && mark != ";" {
            return;
        }
        while matches!(self.ahead(1), "," | ";") && self.drop_mark(self.peek()) {}
        let mark = self.peek();
        let next = self.ahead(1);
        let word = next.starts_with(super::tokens::is_letter) || matches!(next, "" | "}");
        // These go on with a `draw` if they can.
        let clause = matches!(next, "weighted" | "revealing" | "seen");
        if word && !clause {
            self.drop_mark(mark);
        } else {
            self.mark(mark);
        }
    }

    /// The row may go on below, as far left as it began.
    pub(super) fn flush(&mut self) {
        self.gap(Gap::Flush);
    }
}

fn sign(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Over => "/",
        BinaryOp::Div => "div",
        BinaryOp::Mod => "mod",
        BinaryOp::Intersect => "&",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        BinaryOp::In | BinaryOp::NotIn => "in",
        BinaryOp::Before => "before",
        BinaryOp::And => "and",
        BinaryOp::Or => "or",
    }
}

/// Operators that bind alike have the same number.
fn tightness(op: BinaryOp) -> u8 {
    match op {
        BinaryOp::Or => 0,
        BinaryOp::And => 1,
        BinaryOp::Eq
        | BinaryOp::Ne
        | BinaryOp::Lt
        | BinaryOp::Le
        | BinaryOp::Gt
        | BinaryOp::Ge
        | BinaryOp::In
        | BinaryOp::NotIn => 2,
        BinaryOp::Add | BinaryOp::Sub | BinaryOp::Before => 3,
        BinaryOp::Mul | BinaryOp::Over | BinaryOp::Div | BinaryOp::Mod | BinaryOp::Intersect => 4,
    }
}

fn quantifier_word(quantifier: Quantifier) -> &'static str {
    match quantifier {
        Quantifier::Some => "some",
        Quantifier::Every => "every",
        Quantifier::No => "no",
        Quantifier::Count => "count",
    }
}

fn aggregate_word(op: Aggregate) -> &'static str {
    match op {
        Aggregate::Min => "min",
        Aggregate::Max => "max",
        Aggregate::Sum => "sum",
        Aggregate::Argmin => "argmin",
        Aggregate::Argmax => "argmax",
        Aggregate::Union => "union",
    }
}
