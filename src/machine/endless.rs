//! Where play may go round for long without anybody being asked.

use crate::model::types::Type;
use crate::model::visit::Visitor;
use crate::model::{Block, Expr, Stmt, StmtKind};
use crate::text::span::Span;

/// From so many rounds on a loop is pointed at.
const LONG: u64 = 100_000;

/// The loop with the most rounds among those in which nothing is chosen or drawn, those of the loops in it counted.
pub(super) fn longest_loop(play: &Block) -> Option<Span> {
    let mut loops = Loops {
        inside: Inside::default(),
        longest: None,
    };
    play.walk(&mut loops);
    loops.longest.map(|(_, span)| span)
}

/// What there is in a statement.
#[derive(Default)]
struct Inside {
    /// The most rounds of a loop, at least 1 where that is asked.
    rounds: u64,
    /// Whether somebody is asked or something is drawn.
    asks: bool,
}

struct Loops {
    inside: Inside,
    longest: Option<(u64, Span)>,
}

impl<'d> Visitor<'d> for Loops {
    fn expr(&mut self, _: &'d Expr) {}

    fn stmt(&mut self, stmt: &'d Stmt) {
        let before = std::mem::take(&mut self.inside);
        stmt.walk(self);
        self.inside.asks |= matches!(
            stmt.kind,
            StmtKind::Choice(_)
                | StmtKind::Draw(_)
                | StmtKind::Deal(_)
                | StmtKind::OneMove(_)
                | StmtKind::Together(_)
        );
        if let Some(rounds) = rounds(stmt) {
            self.inside.rounds = rounds.saturating_mul(self.inside.rounds.max(1));
            let found = (self.inside.rounds, stmt.span);
            // Of a loop and one in it with as many the outer one is meant.
            let longer = self.longest.is_none_or(|(most, inner)| {
                found.0 > most
                    || found.0 == most && (found.1.start..found.1.end).contains(&inner.start)
            });
            if longer && found.0 >= LONG && !self.inside.asks {
                self.longest = Some(found);
            }
        }
        self.inside.rounds = self.inside.rounds.max(before.rounds);
        self.inside.asks |= before.asks;
    }
}

/// The rounds of a loop, as far as they are bounded.
fn rounds(stmt: &Stmt) -> Option<u64> {
    match &stmt.kind {
        StmtKind::Each { domain, .. } => {
            let size = domain.ty.element().and_then(Type::size);
            Some(size.unwrap_or(u64::MAX))
        }
        StmtKind::Repeat { count, .. } => match count.ty {
            Type::Int { hi, .. } => Some(u64::try_from(hi).unwrap_or(0)),
            _ => None,
        },
        StmtKind::While { bound, .. } | StmtKind::Turns { bound, .. } => Some(*bound),
        _ => None,
    }
}
