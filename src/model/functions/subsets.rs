//! `subsets(S, k)`, which the check of choices and draws looks for where it may stand.

use super::{Caller, Doc, Function};
use crate::model::{Expr, codes};
use crate::text::diagnostics::Diagnostic;

pub struct Subsets;

impl Function for Subsets {
    fn name(&self) -> &'static str {
        "subsets"
    }

    fn docs(&self) -> &'static [Doc] {
        &[Doc {
            form: "`subsets(S, k)`, `subsets(S, 2..3)`",
            result: "",
            what: "right after the `in` of a choice or a draw: the subsets with so many elements",
        }]
    }

    fn check(&self, call: &mut dyn Caller) -> Option<Expr> {
        call.arity(2, 2)?;
        call.report(
            Diagnostic::error(
                codes::MISUSED_NAME,
                call.span(),
                "`subsets` stands right after the `in` of a choice or a draw",
            )
            .hint("for example: p chooses cards in subsets(hand[p], 3)"),
        );
        None
    }
}
