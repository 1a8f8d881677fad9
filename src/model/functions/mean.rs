//! `mean(a)`.

use super::{Caller, Doc, Function};
use crate::model::types::Type;
use crate::model::{Expr, FoldOp};

pub struct Mean;

impl Function for Mean {
    fn name(&self) -> &'static str {
        "mean"
    }

    fn docs(&self) -> &'static [Doc] {
        &[Doc {
            form: "`mean(a)`",
            result: "number",
            what: "the exact mean of an array",
        }]
    }

    fn check(&self, call: &mut dyn Caller) -> Option<Expr> {
        call.arity(1, 1)?;
        let sum = call.fold_array(FoldOp::Sum, 0)?;
        let n = call.array_index(0)?.size().unwrap_or(1) as i64;
        let n = Expr::scalar(n, Type::constant(n), call.span());
        call.divide(sum, n)
    }
}
