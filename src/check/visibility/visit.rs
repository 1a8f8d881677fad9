//! Walks over expressions and statements without regard to meaning: what occurs in them.

use crate::model::*;

/// Calls `f` on each expression directly inside `e`.
pub fn children<'e>(e: &'e Expr, f: &mut dyn FnMut(&'e Expr)) {
    match &e.kind {
        ExprKind::Const(_)
        | ExprKind::ConstSet(_)
        | ExprKind::ConstArray(_)
        | ExprKind::Local(_) => {}
        ExprKind::Var { indices: list, .. }
        | ExprKind::Record(list)
        | ExprKind::SetOf(list)
        | ExprKind::Call { args: list, .. } => list.iter().for_each(f),
        ExprKind::Array { body: a, .. }
        | ExprKind::Unary { value: a, .. }
        | ExprKind::Field { record: a, .. }
        | ExprKind::Unwrap { value: a, .. }
        | ExprKind::Cast(a) => f(a),
        ExprKind::After { body, value } => {
            body.stmts.iter().for_each(|s| expressions(s, f));
            f(value);
        }
        ExprKind::Element { array: a, index: b }
        | ExprKind::Binary {
            left: a, right: b, ..
        }
        | ExprKind::Let {
            value: a, body: b, ..
        }
        | ExprKind::RangeSet { low: a, high: b }
        | ExprKind::Reveal {
            value: a,
            viewers: b,
            ..
        } => {
            f(a);
            f(b);
        }
        ExprKind::If {
            cond: a,
            then: b,
            otherwise: c,
        } => {
            f(a);
            f(b);
            f(c);
        }
        ExprKind::Match {
            scrutinee,
            arms,
            otherwise,
        } => {
            f(scrutinee);
            arms.iter().for_each(|(_, arm)| f(arm));
            if let Some(e) = otherwise {
                f(e);
            }
        }
        ExprKind::Fold(fold) => {
            f(&fold.domain);
            fold.cond.iter().for_each(&mut *f);
            f(&fold.body);
        }
        ExprKind::Shown { args, value, .. } => {
            args.iter().for_each(&mut *f);
            f(value);
        }
    }
}

/// True if `test` holds of `e` or of anything inside it.
pub fn any(e: &Expr, test: &mut dyn FnMut(&Expr) -> bool) -> bool {
    if test(e) {
        return true;
    }
    let mut found = false;
    children(e, &mut |child| found = found || any(child, test));
    found
}

pub fn reads_local(e: &Expr, local: LocalId) -> bool {
    any(
        e,
        &mut |e| matches!(e.kind, ExprKind::Local(l) if l == local),
    )
}

/// The first reveal inside an expression.
pub fn find_reveal(e: &Expr) -> Option<&Expr> {
    if matches!(e.kind, ExprKind::Reveal { .. }) {
        return Some(e);
    }
    let mut found = None;
    children(e, &mut |child| found = found.or_else(|| find_reveal(child)));
    found
}

/// True if any expression of the statements reads the local.
pub fn block_reads_local(stmts: &[Stmt], local: LocalId) -> bool {
    let mut found = false;
    stmts.iter().for_each(|s| {
        found = found || {
            let mut here = false;
            expressions(s, &mut |e| here = here || reads_local(e, local));
            here
        }
    });
    found
}

/// Calls `f` on every expression of a statement, nested statements included.
pub fn expressions<'s>(stmt: &'s Stmt, f: &mut dyn FnMut(&'s Expr)) {
    fn block<'s>(b: &'s Block, f: &mut dyn FnMut(&'s Expr)) {
        b.stmts.iter().for_each(|s| expressions(s, f));
    }
    fn place<'s>(p: &'s Place, f: &mut dyn FnMut(&'s Expr)) {
        for index in &p.indices {
            match index {
                PlaceIndex::One(e) | PlaceIndex::Each(e) => f(e),
            }
        }
    }
    fn part<'s>(p: &'s Part, f: &mut dyn FnMut(&'s Expr)) {
        f(&p.domain);
        if let Some(sizes) = &p.sizes {
            f(&sizes.least);
            sizes.most.iter().for_each(&mut *f);
        }
        f(&p.viewers);
        if let Some(into) = &p.into {
            place(into, f);
        }
    }
    fn choice<'s>(c: &'s Choice, f: &mut dyn FnMut(&'s Expr)) {
        f(&c.chooser);
        f(&c.viewers);
        for a in &c.alternatives {
            a.parts.iter().for_each(|p| part(p, f));
            a.cond.iter().for_each(&mut *f);
            block(&a.body, f);
        }
        if let Some(b) = &c.otherwise {
            block(b, f);
        }
    }
    match &stmt.kind {
        StmtKind::Let { value: e, .. } | StmtKind::Expr(e) => f(e),
        StmtKind::Store {
            place: p, value, ..
        } => {
            place(p, f);
            f(value);
        }
        StmtKind::If {
            cond,
            then,
            otherwise,
        } => {
            f(cond);
            block(then, f);
            block(otherwise, f);
        }
        StmtKind::Match {
            scrutinee,
            arms,
            otherwise,
        } => {
            f(scrutinee);
            arms.iter().for_each(|(_, b)| block(b, f));
            if let Some(b) = otherwise {
                block(b, f);
            }
        }
        StmtKind::Each {
            domain, cond, body, ..
        } => {
            f(domain);
            cond.iter().for_each(&mut *f);
            block(body, f);
        }
        StmtKind::Repeat { count, body } => {
            f(count);
            block(body, f);
        }
        StmtKind::While { cond, body, .. } => {
            f(cond);
            block(body, f);
        }
        StmtKind::Turns {
            first,
            among,
            cond,
            body,
            ..
        } => {
            f(first);
            f(among);
            cond.iter().for_each(&mut *f);
            block(body, f);
        }
        StmtKind::Together(arms) => {
            for arm in arms {
                if let Some(each) = &arm.each {
                    f(&each.domain);
                    each.cond.iter().for_each(&mut *f);
                }
                choice(&arm.choice, f);
            }
        }
        StmtKind::Choice(c) => choice(c, f),
        StmtKind::Draw(d) => {
            d.parts.iter().for_each(|p| part(p, f));
            d.cond.iter().for_each(&mut *f);
            d.weight.iter().for_each(f);
        }
        StmtKind::Deal(d) => {
            f(&d.count);
            place(&d.from, f);
            place(&d.to, f);
        }
        StmtKind::Block(b) | StmtKind::Note(b) => block(b, f),
        StmtKind::Break | StmtKind::Continue | StmtKind::End(_) => {}
    }
}
