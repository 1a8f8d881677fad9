//! Finds accumulators: variables that play only ever adds to and that enter every payoff linearly.
//!
//! Solvers leave them out of a state's identity and take what they earn as rewards.

use crate::model::types::Type;
use crate::model::visit::Visitor;
use crate::model::{
    BinaryOp, Description, Expr, ExprKind, Fold, FoldOp, Part, Stmt, StmtKind, StoreOp, UnaryOp,
    VarId,
};

/// The variables of a description that are accumulators.
pub(super) fn accumulators(d: &Description) -> Vec<VarId> {
    let mut uses = Uses {
        candidate: d
            .vars
            .iter()
            .map(|v| matches!(v.ty, Type::Int { .. }))
            .collect(),
        added_to: vec![false; d.vars.len()],
        read: vec![false; d.vars.len()],
    };
    d.play.walk(&mut uses);
    for def in &d.shown {
        uses.expr(&def.viewers);
        uses.expr(&def.body);
    }
    let Uses {
        candidate,
        added_to,
        read,
    } = uses;
    let mut list: Vec<VarId> = (0..d.vars.len())
        .filter(|&i| candidate[i] && added_to[i] && !read[i])
        .map(|i| VarId(i as u32))
        .collect();
    // A variable that enters one payoff in another way is none; drop those one by one.
    list.retain(|var| {
        d.payoff
            .values
            .iter()
            .all(|e| linear_part(e, &[*var]).is_some())
    });
    list
}

/// What play does with each variable, but for notes: no rule depends on them.
struct Uses {
    /// Integers that are stored to by adding and subtracting only.
    candidate: Vec<bool>,
    added_to: Vec<bool>,
    read: Vec<bool>,
}

impl<'d> Visitor<'d> for Uses {
    fn stmt(&mut self, s: &'d Stmt) {
        match &s.kind {
            StmtKind::Note(_) => return,
            StmtKind::Store { place, op, .. } => {
                let var = place.var.0 as usize;
                self.added_to[var] = true;
                self.candidate[var] &= *op != StoreOp::Set;
            }
            _ => {}
        }
        s.walk(self);
    }

    fn part(&mut self, p: &'d Part) {
        if let Some(place) = &p.into {
            self.candidate[place.var.0 as usize] = false;
        }
        p.walk(self);
    }

    fn expr(&mut self, e: &'d Expr) {
        if let ExprKind::Var { var, .. } = &e.kind {
            self.read[var.0 as usize] = true;
        }
        e.walk(self);
    }
}

/// The part of `e` that depends on the accumulators, with everything else taken as 0. `None`: they do not enter
/// linearly. `Some(None)`: they do not enter at all.
pub(super) fn linear_part(e: &Expr, vars: &[VarId]) -> Option<Option<Expr>> {
    if !e.any(|e| matches!(&e.kind, ExprKind::Var { var, .. } if vars.contains(var))) {
        return Some(None);
    }
    let with = |kind: ExprKind| {
        Some(Some(Expr {
            kind,
            ty: e.ty.clone(),
            span: e.span,
        }))
    };
    match &e.kind {
        ExprKind::Var { indices, .. } if indices.iter().all(constant_but_for_locals) => {
            Some(Some(e.clone()))
        }
        ExprKind::Cast(inner) => {
            let part = linear_part(inner, vars)??;
            with(ExprKind::Cast(Box::new(part)))
        }
        ExprKind::Unary {
            op: UnaryOp::Neg,
            value: inner,
        } => {
            let part = linear_part(inner, vars)??;
            with(ExprKind::Unary {
                op: UnaryOp::Neg,
                value: Box::new(part),
            })
        }
        ExprKind::Binary {
            op: op @ (BinaryOp::Add | BinaryOp::Sub),
            left: a,
            right: b,
        } => match (linear_part(a, vars)?, linear_part(b, vars)?) {
            (Some(a), Some(b)) => with(ExprKind::Binary {
                op: *op,
                left: Box::new(a),
                right: Box::new(b),
            }),
            (Some(a), None) => Some(Some(retyped(a, &e.ty))),
            (None, Some(b)) if *op == BinaryOp::Add => Some(Some(retyped(b, &e.ty))),
            (None, Some(b)) => with(ExprKind::Unary {
                op: UnaryOp::Neg,
                value: Box::new(b),
            }),
            (None, None) => Some(None),
        },
        ExprKind::Binary {
            op: BinaryOp::Mul,
            left: a,
            right: b,
        } => {
            let (part, factor, first) = if constant_but_for_locals(b) {
                (linear_part(a, vars)??, b, true)
            } else if constant_but_for_locals(a) {
                (linear_part(b, vars)??, a, false)
            } else {
                return None;
            };
            let (x, y) = if first {
                (Box::new(part), factor.clone())
            } else {
                (factor.clone(), Box::new(part))
            };
            with(ExprKind::Binary {
                op: BinaryOp::Mul,
                left: x,
                right: y,
            })
        }
        ExprKind::Let { local, value, body } if constant_but_for_locals(value) => {
            let part = linear_part(body, vars)??;
            with(ExprKind::Let {
                local: *local,
                value: value.clone(),
                body: Box::new(part),
            })
        }
        ExprKind::Fold(fold)
            if fold.op == FoldOp::Sum
                && constant_but_for_locals(&fold.domain)
                && fold.cond.as_ref().is_none_or(constant_but_for_locals) =>
        {
            let body = linear_part(&fold.body, vars)??;
            with(ExprKind::Fold(Box::new(Fold {
                body,
                ..(**fold).clone()
            })))
        }
        _ => None,
    }
}

fn retyped(e: Expr, ty: &Type) -> Expr {
    Expr {
        ty: ty.clone(),
        ..e
    }
}

/// True when no variable is read.
fn constant_but_for_locals(e: &Expr) -> bool {
    !e.any(|e| {
        matches!(
            e.kind,
            ExprKind::Var { .. } | ExprKind::Reveal { .. } | ExprKind::Shown { .. }
        )
    })
}
