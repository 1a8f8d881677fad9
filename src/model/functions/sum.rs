//! `sum(a)`, `sum(S)`.

use super::{Caller, Doc, Function};
use crate::model::types::{Type, said};
use crate::model::{Expr, FoldOp, codes};
use crate::text::diagnostics::Diagnostic;

pub struct Sum;

impl Function for Sum {
    fn name(&self) -> &'static str {
        "sum"
    }

    fn docs(&self) -> &'static [Doc] {
        &[
            Doc {
                form: "`sum(a)`",
                result: "number",
                what: "over an array",
            },
            Doc {
                form: "`sum(S)`",
                result: "integer",
                what: "of a set of integers",
            },
        ]
    }

    fn check(&self, call: &mut dyn Caller) -> Option<Expr> {
        call.arity(1, 1)?;
        if call.is_array(0) {
            return call.fold_array(FoldOp::Sum, 0);
        }
        let set = call.arg(0, None)?;
        let set = call.set(set)?;
        let element = set.ty.element()?.clone();
        if !matches!(element, Type::Int { .. }) {
            call.report(
                Diagnostic::error(codes::TYPE_MISMATCH, set.span, "a sum is over integers")
                    .label(format!("this is {}", said(&set.ty)))
                    .hint("say what to add up: `sum(x in S) …`"),
            );
            return None;
        }
        let local = call.new_local(element.clone());
        let body = Expr::local(local, element, call.span());
        call.fold(FoldOp::Sum, local, set, body)
    }
}
