//! In a `together` a player has one arm at most. Where nobody can see from the text that two arms are of different players, play looks.

use super::super::codes;
use super::Builder;
use super::made::binary;
use super::tabulate::rows_of;
use crate::ir::*;
use crate::model::types::Type;
use crate::model::{BinaryOp, Expr, LocalId};
use crate::text::span::Span;

/// The most rows of a table that is gone through, and the steps that this may take.
const MOST_ROWS: u64 = 1 << 10;
const STEPS: u64 = 100_000;

/// Who chooses in an arm.
pub(super) struct Chooser<'e> {
    pub expr: &'e Expr,
    pub player: ArmPlayer,
    /// Whether the arm takes part; `None`: always.
    pub active: Option<Slot>,
    pub span: Span,
}

impl Builder<'_> {
    /// Makes it an error of play if one player has two arms that take part.
    pub(super) fn one_arm_each(&mut self, choosers: &[Chooser<'_>]) {
        for (i, second) in choosers.iter().enumerate() {
            for first in &choosers[..i] {
                let may_be_one = match (first.player, second.player) {
                    (ArmPlayer::Fixed(a), ArmPlayer::Fixed(b)) => a == b,
                    _ => self.may_be_one(first.expr, second.expr),
                };
                if !may_be_one {
                    continue;
                }
                let (a, b) = (self.player_of(first.player), self.player_of(second.player));
                let mut both = self.combined(Op::Eq, a, b);
                for active in [first.active, second.active].into_iter().flatten() {
                    both = self.combined(Op::And, both, active);
                }
                let fault = self.fault_with(
                    codes::TWO_ARMS,
                    second.span,
                    "a player has two choices of this `together`",
                    Some("make it one choice of two values, or let one follow the other"),
                );
                self.emit(Instr::Check {
                    value: both,
                    lo: 0,
                    hi: 0,
                    fault,
                });
            }
        }
    }

    fn player_of(&mut self, player: ArmPlayer) -> Slot {
        match player {
            ArmPlayer::Fixed(player) => self.number(i64::from(player)),
            ArmPlayer::Slot(slot) => slot,
        }
    }

    /// Whether two choosers can be the same player, as far as names alone decide who they are: `me` and `opponent(me)` cannot.
    fn may_be_one(&self, a: &Expr, b: &Expr) -> bool {
        let same = Expr {
            ty: Type::Bool,
            ..binary(BinaryOp::Eq, a.clone(), b.clone())
        };
        let Some(locals) = same.free_locals() else {
            return true;
        };
        let locals: Vec<(LocalId, Type)> = locals
            .into_iter()
            .filter(|local| !self.bound.contains_key(local))
            .map(|local| (local, self.local_type(local)))
            .collect();
        let mut sizes = locals.iter().map(|(_, ty)| ty.size());
        let rows = sizes.try_fold(1u64, |all, size| all.checked_mul(size?));
        let Some(rows) = rows.filter(|rows| *rows <= MOST_ROWS) else {
            return true;
        };
        let (mut given, mut steps) = (self.bound.clone(), STEPS);
        let values = rows_of(&same, &locals, (rows, 1), &mut given, &mut steps);
        values.is_none_or(|values| values.iter().any(|same| *same != 0))
    }
}
