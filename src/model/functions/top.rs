//! `top(k, S)`.

use super::{Call, Caller, Doc, Function, Operation, Operations, Primitive, called};
use crate::model::Expr;

/// The k greatest elements of a set.
#[derive(Debug)]
pub struct Top;

impl Function for Top {
    fn name(&self) -> &'static str {
        "top"
    }

    fn docs(&self) -> &'static [Doc] {
        &[Doc {
            form: "`top(k, S)`",
            result: "set",
            what: "the `k` greatest elements",
        }]
    }

    fn check(&self, call: &mut dyn Caller) -> Option<Expr> {
        call.arity(2, 2)?;
        let want = call.wanted();
        let k = call.arg(0, None);
        let set = call.arg(1, want.as_ref());
        let k = call.integer(k?)?;
        let set = call.set(set?)?;
        let k = call.natural(k)?;
        let ty = set.ty.clone();
        Some(call.make(called(&Top, vec![k, set]), ty))
    }
}

impl Primitive for Top {
    fn build<'c>(&self, call: &Call<'c>, operations: &mut dyn Operations) -> Option<Operation<'c>> {
        let count = operations.number(call.arg(0)?)?;
        let set = operations.set(call.arg(1)?)?;
        Some(Operation::Top { count, set })
    }

    fn is_total(&self, _: &[Expr]) -> bool {
        true
    }

    fn part<'c>(&self, args: &'c [Expr]) -> Option<(&'c Expr, u64)> {
        let [count, set] = args else { return None };
        let most = count.ty.bounds().map_or(i64::MAX, |(_, most)| most.max(0));
        Some((set, most as u64))
    }
}
