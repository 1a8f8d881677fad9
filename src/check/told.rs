//! The text of a reveal: what is revealed is known to those who read it.

use crate::model::{Expr, ExprKind, Text};

/// Marks what is revealed wherever it stands in the text.
pub(super) fn told_in(event: &Expr, text: &mut Text) {
    let ExprKind::Reveal { value, viewers, .. } = &event.kind else {
        return;
    };
    // A constant tells nothing.
    if matches!(value.kind, ExprKind::Const(_) | ExprKind::ConstSet(_)) {
        return;
    }
    for hole in text.holes_mut() {
        tell(&mut hole.value, value, viewers);
    }
}

/// Marks what is revealed wherever it stands in an expression.
fn tell(e: &mut Expr, revealed: &Expr, viewers: &Expr) {
    if same_but_for_type(e, revealed) {
        let value = Box::new(e.clone());
        let viewers = Box::new(viewers.clone());
        e.kind = ExprKind::Told { value, viewers };
        return;
    }
    // A name that the text brings stands for nothing in what is revealed.
    match &mut e.kind {
        ExprKind::Array { body, .. } => tell(body, revealed, viewers),
        ExprKind::If {
            cond,
            then,
            otherwise,
        } => [cond, then, otherwise]
            .into_iter()
            .for_each(|e| tell(e, revealed, viewers)),
        ExprKind::Match {
            scrutinee,
            arms,
            otherwise,
        } => {
            tell(scrutinee, revealed, viewers);
            let bodies = arms.iter_mut().map(|arm| &mut arm.body);
            let bodies = bodies.chain(otherwise.as_deref_mut());
            bodies.for_each(|e| tell(e, revealed, viewers));
        }
        ExprKind::Let { value, body, .. } => {
            tell(value, revealed, viewers);
            tell(body, revealed, viewers);
        }
        ExprKind::Fold(fold) => {
            let parts = [&mut fold.domain, &mut fold.body].into_iter();
            let parts = parts.chain(&mut fold.cond);
            parts.for_each(|e| tell(e, revealed, viewers));
        }
        kind => {
            let operands = kind.operands_mut().into_iter();
            operands.for_each(|e| tell(e, revealed, viewers));
        }
    }
}

/// Whether two expressions are written alike, but for changes of type around them that keep the value.
fn same_but_for_type(a: &Expr, b: &Expr) -> bool {
    peeled(a).is_same_now(peeled(b))
}

fn peeled(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Cast(value)
        | ExprKind::Unwrap {
            value,
            checked: false,
        } => peeled(value),
        _ => e,
    }
}
