//! `sign(x)`.

use super::{Call, Caller, Doc, Function, Op, Operation, Operations, Primitive, called};
use crate::model::Expr;
use crate::model::types::{Type, ratio_parts};

#[derive(Debug)]
pub struct Sign;

impl Function for Sign {
    fn name(&self) -> &'static str {
        "sign"
    }

    fn docs(&self) -> &'static [Doc] {
        &[Doc {
            form: "`sign(x)`",
            result: "integer",
            what: "-1, 0 or 1",
        }]
    }

    fn check(&self, call: &mut dyn Caller) -> Option<Expr> {
        call.arity(1, 1)?;
        let x = call.arg(0, None)?;
        call.numeric(&x)?;
        let (_, lo, hi) = ratio_parts(&x.ty)?;
        let (lo, hi) = (lo.signum(), hi.signum());
        Some(call.make(called(&Sign, vec![x]), Type::Int { lo, hi }))
    }
}

impl Primitive for Sign {
    fn build<'c>(&self, call: &Call<'c>, operations: &mut dyn Operations) -> Option<Operation<'c>> {
        let x = operations.number(call.arg(0)?)?;
        let capped = operations.push(Operation::With {
            op: Op::Min,
            a: x,
            value: 1,
        })?;
        Some(Operation::With {
            op: Op::Max,
            a: capped,
            value: -1,
        })
    }

    fn is_total(&self, _: &[Expr]) -> bool {
        true
    }
}
