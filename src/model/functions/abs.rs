//! `abs(x)`.

use super::{Call, Caller, Doc, Function, Op, Operation, Operations, Primitive, called};
use crate::model::Expr;
use crate::model::types::ratio_parts;

#[derive(Debug)]
pub struct Abs;

impl Function for Abs {
    fn name(&self) -> &'static str {
        "abs"
    }

    fn docs(&self) -> &'static [Doc] {
        &[Doc {
            form: "`abs(x)`",
            result: "number",
            what: "the absolute value",
        }]
    }

    fn check(&self, call: &mut dyn Caller) -> Option<Expr> {
        call.arity(1, 1)?;
        let x = call.arg(0, None)?;
        call.numeric(&x)?;
        let (_, lo, hi) = ratio_parts(&x.ty)?;
        let (Some(least), Some(most)) = (hi.checked_neg(), lo.checked_neg()) else {
            call.overflow();
            return None;
        };
        let ty = x.ty.with_bounds(lo.max(least).max(0), most.max(hi));
        Some(call.make(called(&Abs, vec![x]), ty))
    }
}

impl Primitive for Abs {
    fn build<'c>(&self, call: &Call<'c>, operations: &mut dyn Operations) -> Option<Operation<'c>> {
        let x = operations.number(call.arg(0)?)?;
        let negative = operations.push(Operation::With {
            op: Op::Mul,
            a: x,
            value: -1,
        })?;
        Some(Operation::Binary {
            op: Op::Max,
            a: x,
            b: negative,
        })
    }

    fn is_total(&self, _: &[Expr]) -> bool {
        true
    }
}
