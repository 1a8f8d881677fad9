//! `next(x)`, `next(x, k)`.

use super::{Call, Caller, Doc, Function, Op, Operation, Operations, Primitive, called};
use crate::model::Expr;
use crate::model::types::Type;

#[derive(Debug)]
pub struct Next;

impl Function for Next {
    fn name(&self) -> &'static str {
        "next"
    }

    fn docs(&self) -> &'static [Doc] {
        &[Doc {
            form: "`next(x)`, `next(x, k)`",
            result: "as `x`",
            what: "the value `k` places on (1 without it), around the end; `k` may be negative",
        }]
    }

    fn check(&self, call: &mut dyn Caller) -> Option<Expr> {
        call.arity(1, 2)?;
        let want = call.wanted();
        let x = call.arg(0, want.as_ref())?;
        let x = call.value(x)?;
        let k = if call.count() > 1 {
            let k = call.arg(1, None)?;
            call.integer(k)?
        } else {
            Expr::scalar(1, Type::constant(1), call.span())
        };
        let ty = x.ty.clone();
        Some(call.make(called(&Next, vec![x, k]), ty))
    }
}

impl Primitive for Next {
    fn build<'c>(&self, call: &Call<'c>, operations: &mut dyn Operations) -> Option<Operation<'c>> {
        let (x, k) = (call.arg(0)?, call.arg(1)?);
        let at = operations.ordinal(x)?;
        let moved = match operations.known(k) {
            Some(value) => Operation::With {
                op: Op::Add,
                a: at,
                value,
            },
            None => Operation::Binary {
                op: Op::Add,
                a: at,
                b: operations.number(k)?,
            },
        };
        let wrapped = Operation::With {
            op: Op::Mod,
            a: operations.push(moved)?,
            value: call.ty.size()? as i64,
        };
        let value = Operation::With {
            op: Op::Add,
            a: operations.push(wrapped)?,
            value: call.ty.value_at(0),
        };
        operations.push(value).map(Operation::Number)
    }
}
