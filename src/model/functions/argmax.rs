//! `argmin(a)` and `argmax(a)`.

use super::{Caller, Doc, Function};
use crate::model::{Expr, FoldOp};

pub struct Arg {
    least: bool,
}

pub static ARGMIN: Arg = Arg { least: true };
pub static ARGMAX: Arg = Arg { least: false };

impl Function for Arg {
    fn name(&self) -> &'static str {
        if self.least { "argmin" } else { "argmax" }
    }

    fn docs(&self) -> &'static [Doc] {
        &[Doc {
            form: "`argmin(a)`, `argmax(a)`",
            result: "set of indices",
            what: "those at which an array is least, greatest",
        }]
    }

    fn check(&self, call: &mut dyn Caller) -> Option<Expr> {
        call.arity(1, 1)?;
        let op = if self.least {
            FoldOp::Argmin
        } else {
            FoldOp::Argmax
        };
        call.fold_array(op, 0)
    }
}
