//! `size(S)`.

use super::{Call, Caller, Doc, Function, Operation, Operations, Primitive, called};
use crate::model::types::{Type, bits};
use crate::model::{Expr, ExprKind};

#[derive(Debug)]
pub struct Size;

impl Function for Size {
    fn name(&self) -> &'static str {
        "size"
    }

    fn docs(&self) -> &'static [Doc] {
        &[Doc {
            form: "`size(S)`",
            result: "integer",
            what: "the number of elements",
        }]
    }

    fn check(&self, call: &mut dyn Caller) -> Option<Expr> {
        call.arity(1, 1)?;
        let set = call.arg(0, None)?;
        let set = call.set(set)?;
        let (lo, hi) = match &set.kind {
            ExprKind::ConstSet(words) => {
                let n = bits(words).count() as i64;
                (n, n)
            }
            _ => {
                let lo = i64::from(call.is_nonempty(&set));
                let most = set.ty.element().and_then(Type::size).unwrap_or(0) as i64;
                (lo, most.max(lo))
            }
        };
        Some(call.make(called(&Size, vec![set]), Type::Int { lo, hi }))
    }
}

impl Primitive for Size {
    fn build<'c>(&self, call: &Call<'c>, operations: &mut dyn Operations) -> Option<Operation<'c>> {
        let set = operations.set(call.arg(0)?)?;
        Some(Operation::Count(set))
    }

    fn is_total(&self, _: &[Expr]) -> bool {
        true
    }

    fn is_count(&self) -> bool {
        true
    }
}
