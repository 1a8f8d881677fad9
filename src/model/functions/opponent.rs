//! `opponent(p)`.

use super::{Caller, Doc, Function, Next, called};
use crate::model::types::Type;
use crate::model::{Expr, codes};
use crate::text::diagnostics::Diagnostic;

pub struct Opponent;

impl Function for Opponent {
    fn name(&self) -> &'static str {
        "opponent"
    }

    fn docs(&self) -> &'static [Doc] {
        &[Doc {
            form: "`opponent(p)`",
            result: "player",
            what: "the other one, in a game for two",
        }]
    }

    fn check(&self, call: &mut dyn Caller) -> Option<Expr> {
        call.arity(1, 1)?;
        let player = call.players()?;
        let p = call.arg_as(0, &player)?;
        let n = player.size().unwrap_or(0);
        if n != 2 {
            call.report_live(
                Diagnostic::error(
                    codes::TYPE_MISMATCH,
                    call.span(),
                    format!("`opponent` is for two players, and there are {n}"),
                )
                .hint("`next(p)` is the player after p; `all - p` all the others"),
            );
            return None;
        }
        let one = Expr::scalar(1, Type::constant(1), call.span());
        Some(call.make(called(&Next, vec![p, one]), player))
    }
}
