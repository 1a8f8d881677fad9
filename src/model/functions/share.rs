//! `share(a)`.

use super::caller::let_in;
use super::{ArrayFunction, Caller, Doc, Function, Size, called};
use crate::model::types::{Type, lcm};
use crate::model::{BinaryOp, Expr, ExprKind, FoldOp};

pub struct Share;

impl Function for Share {
    fn name(&self) -> &'static str {
        "share"
    }

    fn docs(&self) -> &'static [Doc] {
        &[Doc {
            form: "`share(a)`",
            result: "array",
            what: "1/k for each of the k greatest of an array, 0 for the others; in a `payoff` only",
        }]
    }

    fn as_array(&self) -> Option<&dyn ArrayFunction> {
        Some(self)
    }

    fn check(&self, call: &mut dyn Caller) -> Option<Expr> {
        call.array_here();
        None
    }
}

impl ArrayFunction for Share {
    fn element(&self, call: &mut dyn Caller, index: &Expr) -> Option<Expr> {
        call.arity(1, 1)?;
        let ty = call.array_index(0)?;
        let at = call.coerce(index.clone(), &ty)?;
        let best = call.fold_array(FoldOp::Argmax, 0)?;
        let n = ty.size().unwrap_or(1) as i64;
        let Some(den) = (1..=n).try_fold(1i64, lcm) else {
            call.overflow();
            return None;
        };
        let span = call.span();
        let id = call.new_local(best.ty.clone());
        let held = Expr::local(id, best.ty.clone(), span);
        let size = called(&Size, vec![held.clone()]);
        let size = call.make(size, Type::Int { lo: 1, hi: n });
        let parts: Vec<i64> = (1..=n).map(|k| den / k).collect();
        let part = call.looked_up(parts, den, size);
        let nothing = Expr::scalar(0, Type::Number { den, lo: 0, hi: 0 }, span);
        let among = ExprKind::Binary {
            op: BinaryOp::In,
            left: Box::new(at),
            right: Box::new(held),
        };
        let among = call.make(among, Type::Bool);
        let (part, nothing, ty) = call.unify(part, nothing)?;
        let kind = ExprKind::If {
            cond: Box::new(among),
            then: Box::new(part),
            otherwise: Box::new(nothing),
        };
        let body = call.make(kind, ty);
        Some(let_in(call, id, best, body))
    }
}
