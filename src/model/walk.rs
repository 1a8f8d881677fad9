//! Visits every expression of a description.

use crate::model::{Block, Choice, Expr, ExprKind, Part, Place, PlaceIndex, Stmt, StmtKind};

/// Calls `f` on an expression and on everything inside it, outermost first.
pub fn expr<'a>(e: &'a Expr, f: &mut dyn FnMut(&'a Expr)) {
    f(e);
    match &e.kind {
        ExprKind::Const(_)
        | ExprKind::ConstSet(_)
        | ExprKind::ConstArray(_)
        | ExprKind::Local(_) => {}
        ExprKind::Var { indices: list, .. }
        | ExprKind::SetOf(list)
        | ExprKind::Record(list)
        | ExprKind::Call { args: list, .. } => list.iter().for_each(|e| expr(e, f)),
        ExprKind::Element { array: a, index: b }
        | ExprKind::Binary {
            left: a, right: b, ..
        }
        | ExprKind::RangeSet { low: a, high: b }
        | ExprKind::Let {
            value: a, body: b, ..
        } => {
            expr(a, f);
            expr(b, f);
        }
        ExprKind::Array { body: a, .. }
        | ExprKind::Unary { value: a, .. }
        | ExprKind::Field { record: a, .. }
        | ExprKind::Unwrap { value: a, .. }
        | ExprKind::Cast(a) => expr(a, f),
        ExprKind::Shown { args, value, .. } => {
            args.iter().for_each(|e| expr(e, f));
            expr(value, f);
        }
        ExprKind::If {
            cond: a,
            then: b,
            otherwise: c,
        } => {
            expr(a, f);
            expr(b, f);
            expr(c, f);
        }
        ExprKind::Match {
            scrutinee,
            arms,
            otherwise,
        } => {
            expr(scrutinee, f);
            arms.iter().for_each(|(_, e)| expr(e, f));
            if let Some(e) = otherwise {
                expr(e, f);
            }
        }
        ExprKind::Fold(fold) => {
            expr(&fold.domain, f);
            if let Some(cond) = &fold.cond {
                expr(cond, f);
            }
            expr(&fold.body, f);
        }
        // What is stored is undone, so that only the expressions count.
        ExprKind::After { body, value } => {
            block(body, &mut |_| {}, f);
            expr(value, f);
        }
        ExprKind::Reveal { value, viewers, .. } => {
            expr(value, f);
            expr(viewers, f);
        }
    }
}

/// Calls `f` on every statement of a block, nested ones too, and `g` on every expression.
pub fn block<'a>(b: &'a Block, f: &mut dyn FnMut(&'a Stmt), g: &mut dyn FnMut(&'a Expr)) {
    for s in &b.stmts {
        stmt(s, f, g);
    }
}

fn stmt<'a>(s: &'a Stmt, f: &mut dyn FnMut(&'a Stmt), g: &mut dyn FnMut(&'a Expr)) {
    f(s);
    match &s.kind {
        StmtKind::Let { value: e, .. } | StmtKind::Expr(e) => expr(e, g),
        StmtKind::Store { place, value, .. } => {
            indices(place, g);
            expr(value, g);
        }
        StmtKind::If {
            cond,
            then,
            otherwise,
        } => {
            expr(cond, g);
            block(then, f, g);
            block(otherwise, f, g);
        }
        StmtKind::Match {
            scrutinee,
            arms,
            otherwise,
        } => {
            expr(scrutinee, g);
            arms.iter().for_each(|(_, b)| block(b, f, g));
            if let Some(b) = otherwise {
                block(b, f, g);
            }
        }
        StmtKind::Each {
            domain, cond, body, ..
        } => {
            expr(domain, g);
            if let Some(cond) = cond {
                expr(cond, g);
            }
            block(body, f, g);
        }
        StmtKind::Repeat { count, body } => {
            expr(count, g);
            block(body, f, g);
        }
        StmtKind::While { cond, body, .. } => {
            expr(cond, g);
            block(body, f, g);
        }
        StmtKind::Turns {
            first,
            among,
            cond,
            body,
            ..
        } => {
            expr(first, g);
            expr(among, g);
            if let Some(cond) = cond {
                expr(cond, g);
            }
            block(body, f, g);
        }
        StmtKind::Together(arms) => {
            for arm in arms {
                if let Some(each) = &arm.each {
                    expr(&each.domain, g);
                    if let Some(cond) = &each.cond {
                        expr(cond, g);
                    }
                }
                choice(&arm.choice, f, g);
            }
        }
        StmtKind::Choice(c) => choice(c, f, g),
        StmtKind::Draw(draw) => {
            parts(&draw.parts, g);
            for e in [&draw.cond, &draw.weight].into_iter().flatten() {
                expr(e, g);
            }
        }
        StmtKind::Deal(deal) => {
            expr(&deal.count, g);
            indices(&deal.from, g);
            indices(&deal.to, g);
        }
        // Notes are not looked into: no rule depends on them.
        StmtKind::Break | StmtKind::Continue | StmtKind::End(_) | StmtKind::Note(_) => {}
        StmtKind::Block(b) => block(b, f, g),
    }
}

fn choice<'a>(c: &'a Choice, f: &mut dyn FnMut(&'a Stmt), g: &mut dyn FnMut(&'a Expr)) {
    expr(&c.chooser, g);
    for alternative in &c.alternatives {
        parts(&alternative.parts, g);
        if let Some(cond) = &alternative.cond {
            expr(cond, g);
        }
        block(&alternative.body, f, g);
    }
    if let Some(b) = &c.otherwise {
        block(b, f, g);
    }
}

fn parts<'a>(list: &'a [Part], g: &mut dyn FnMut(&'a Expr)) {
    for part in list {
        expr(&part.domain, g);
        if let Some(sizes) = &part.sizes {
            expr(&sizes.least, g);
            sizes.most.iter().for_each(|e| expr(e, g));
        }
        expr(&part.viewers, g);
        if let Some(place) = &part.into {
            indices(place, g);
        }
    }
}

fn indices<'a>(place: &'a Place, g: &mut dyn FnMut(&'a Expr)) {
    for index in &place.indices {
        match index {
            PlaceIndex::One(e) | PlaceIndex::Each(e) => expr(e, g),
        }
    }
}
