//! The names that an expression reads and does not bind itself.

use crate::syntax::ast::{Binder, Block, Expr, ExprKind, Pattern, StmtKind};
use crate::text::span::Span;

/// Calls `f` with every name that is read and not bound within `e`.
pub fn names<'a>(e: &'a Expr, bound: &mut Vec<&'a str>, f: &mut dyn FnMut(&'a str, Span)) {
    match &e.kind {
        ExprKind::Name(name) => {
            if !bound.contains(&name.text.as_str()) {
                f(&name.text, e.span);
            }
        }
        ExprKind::Int(_)
        | ExprKind::Decimal(_)
        | ExprKind::Bool(_)
        | ExprKind::All
        | ExprKind::None
        | ExprKind::Error => {}
        ExprKind::Set(list) | ExprKind::Call { args: list, .. } => {
            list.iter().for_each(|e| names(e, bound, f));
        }
        ExprKind::Range { low: a, high: b }
        | ExprKind::Binary {
            left: a, right: b, ..
        } => {
            names(a, bound, f);
            names(b, bound, f);
        }
        ExprKind::Unary { value: a, .. } | ExprKind::Field { record: a, .. } => names(a, bound, f),
        ExprKind::Index {
            array: a,
            indices: list,
        }
        | ExprKind::Method {
            board: a,
            args: list,
            ..
        } => {
            names(a, bound, f);
            list.iter().for_each(|e| names(e, bound, f));
        }
        ExprKind::If {
            cond: a,
            then: b,
            otherwise: c,
        } => [a, b, c].into_iter().for_each(|e| names(e, bound, f)),
        ExprKind::Match { scrutinee, arms } => {
            names(scrutinee, bound, f);
            for arm in arms {
                for pattern in &arm.patterns {
                    if let Pattern::Value(e) = pattern {
                        names(e, bound, f);
                    }
                }
                names(&arm.body, bound, f);
            }
        }
        ExprKind::Let { name, value, body } => {
            names(value, bound, f);
            bound.push(&name.text);
            names(body, bound, f);
            bound.pop();
        }
        ExprKind::Record(fields) => fields.iter().for_each(|(_, e)| names(e, bound, f)),
        ExprKind::Map { entries, otherwise } => {
            for (k, v) in entries {
                names(k, bound, f);
                names(v, bound, f);
            }
            if let Some(e) = otherwise {
                names(e, bound, f);
            }
        }
        ExprKind::Comprehension { body, binder }
        | ExprKind::Array { binder, body }
        | ExprKind::Quantified { binder, body, .. }
        | ExprKind::Aggregate { binder, body, .. } => within(binder, body, bound, f),
        ExprKind::After { value, body } => {
            names(value, bound, f);
            let known = bound.len();
            stmts(body, bound, f);
            bound.truncate(known);
        }
        ExprKind::Reveal { value, to } => {
            names(value, bound, f);
            if let Some(to) = to {
                names(to, bound, f);
            }
        }
    }
}

/// The names that the statements of an `after` read; others cannot stand there.
fn stmts<'a>(block: &'a Block, bound: &mut Vec<&'a str>, f: &mut dyn FnMut(&'a str, Span)) {
    let known = bound.len();
    for stmt in &block.stmts {
        match &stmt.kind {
            StmtKind::Let { name, value } => {
                names(value, bound, f);
                bound.push(&name.text);
            }
            StmtKind::Assign { place, value, .. } | StmtKind::Note { place, value, .. } => {
                names(place, bound, f);
                names(value, bound, f);
            }
            StmtKind::If {
                cond,
                then,
                otherwise,
            } => {
                names(cond, bound, f);
                stmts(then, bound, f);
                otherwise.iter().for_each(|b| stmts(b, bound, f));
            }
            StmtKind::Match { scrutinee, arms } => {
                names(scrutinee, bound, f);
                arms.iter().for_each(|arm| stmts(&arm.body, bound, f));
            }
            StmtKind::Each { binder, body } => {
                names(&binder.domain, bound, f);
                bound.push(&binder.name.text);
                binder.cond.iter().for_each(|e| names(e, bound, f));
                stmts(body, bound, f);
                bound.pop();
            }
            StmtKind::Repeat { count: e, body } | StmtKind::While { cond: e, body, .. } => {
                names(e, bound, f);
                stmts(body, bound, f);
            }
            StmtKind::Turns(turns) => {
                names(&turns.first, bound, f);
                turns.among.iter().for_each(|e| names(e, bound, f));
                bound.push(&turns.name.text);
                turns.cond.iter().for_each(|e| names(e, bound, f));
                stmts(&turns.body, bound, f);
                bound.pop();
            }
            StmtKind::Expr(e) => names(e, bound, f),
            StmtKind::Call { args, .. } => args.iter().for_each(|e| names(e, bound, f)),
            _ => {}
        }
    }
    bound.truncate(known);
}

fn within<'a>(
    binder: &'a Binder,
    body: &'a Expr,
    bound: &mut Vec<&'a str>,
    f: &mut dyn FnMut(&'a str, Span),
) {
    names(&binder.domain, bound, f);
    bound.push(&binder.name.text);
    if let Some(cond) = &binder.cond {
        names(cond, bound, f);
    }
    names(body, bound, f);
    bound.pop();
}
