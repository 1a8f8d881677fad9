//! `top(k, S)`.

use super::{Call, Caller, Doc, Function, Primitive, Step, Steps, called};
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
    fn steps<'c>(&self, call: &Call<'c>, steps: &mut dyn Steps) -> Option<Step<'c>> {
        let count = steps.number(call.arg(0)?)?;
        let set = steps.set(call.arg(1)?)?;
        Some(Step::Top { count, set })
    }

    fn part<'c>(&self, args: &'c [Expr]) -> Option<(&'c Expr, u64)> {
        let [count, set] = args else { return None };
        let most = count.ty.bounds().map_or(i64::MAX, |(_, most)| most.max(0));
        Some((set, most as u64))
    }
}
