//! `team(p)`.

use super::{Caller, Doc, Function};
use crate::model::types::Type;
use crate::model::{Expr, ExprKind, MatchArm, PlayerSet};

pub struct Team;

impl Function for Team {
    fn name(&self) -> &'static str {
        "team"
    }

    fn docs(&self) -> &'static [Doc] {
        &[Doc {
            form: "`team(p)`",
            result: "set of players",
            what: "the team of a player, or the player alone",
        }]
    }

    fn check(&self, call: &mut dyn Caller) -> Option<Expr> {
        call.arity(1, 1)?;
        let player = call.players()?;
        let p = call.arg_as(0, &player)?;
        let ty = Type::set_of(player);
        let span = call.span();
        let arm = |side: PlayerSet| {
            let values = side.iter().map(|seat| seat as i64).collect();
            let kind = ExprKind::ConstSet(vec![side.word()]);
            let ty = ty.clone();
            let body = Expr { kind, ty, span };
            MatchArm { values, body }
        };
        let kind = ExprKind::Match {
            scrutinee: Box::new(p),
            arms: call.sides().into_iter().map(arm).collect(),
            otherwise: None,
        };
        Some(call.make(kind, ty.clone()))
    }
}
