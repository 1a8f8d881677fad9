//! Loops: `each`, `repeat`, `while` and `turns`, and how many rounds they may have.

use super::checker::{Checker, OF_CONSTANTS};
use super::codes;
use super::collections::is_empty;
use crate::model::facts::decided;
use crate::model::types::Type;
use crate::model::{Block, Expr, StmtKind};
use crate::syntax::ast;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;

/// The most rounds that a loop may have.
const MAX_ROUNDS: i64 = 1_000_000_000;

impl<'a> Checker<'a> {
    /// The body of a loop, whose rounds may each come after any other.
    fn loop_body(&mut self, body: &'a ast::Block) -> Option<Block> {
        self.body_in(body, 0)
    }

    /// The body of a loop whose rounds come while a condition holds; nothing, where it never does.
    fn loop_body_where(&mut self, cond: Option<&Expr>, body: &'a ast::Block) -> Option<Block> {
        if cond.and_then(decided) == Some(false) {
            self.in_dead(|this| this.loop_body(body));
            return Some(Block::default());
        }
        self.assuming(cond, true, |this| this.loop_body(body))
    }

    /// The body of a loop which is left together with so many loops around it.
    fn body_in(&mut self, body: &'a ast::Block, around: u32) -> Option<Block> {
        let facts = self.frame.facts.clone();
        self.frame.loops += 1;
        let outer = std::mem::replace(&mut self.frame.around, around);
        let made = self.block(body);
        self.frame.around = outer;
        self.frame.loops -= 1;
        self.frame.facts = facts;
        self.diverged = false;
        made
    }

    /// A loop for each name, one in another.
    pub fn each(
        &mut self,
        binders: &'a [ast::Binder],
        body: &'a ast::Block,
        around: u32,
        span: Span,
    ) -> Option<StmtKind> {
        let (binder, others) = binders.split_first()?;
        let over = self.over_or(binder, Some(Block::default()), &body.stmts, |this| {
            if others.is_empty() {
                return this.body_in(body, around);
            }
            // The rounds inside store before the next one of them, and the condition outside is not looked at again.
            this.forget_stored(body);
            let inner = this.each(others, body, around, span)?;
            let mut block = Block::default();
            this.put_stmt(inner, span, &mut block.stmts);
            Some(block)
        });
        self.diverged = false;
        let over = over?;
        if is_empty(&over.domain) {
            return Some(StmtKind::Block(Block::default()));
        }
        Some(StmtKind::Each {
            local: over.local,
            domain: over.domain,
            cond: over.cond,
            body: over.body,
        })
    }

    pub fn repeat(&mut self, count: &'a ast::Expr, body: &'a ast::Block) -> Option<StmtKind> {
        let count = self.expr(count, None).and_then(|c| {
            let c = self.integer(c)?;
            let c = self.natural(c)?;
            if let Type::Int { hi, .. } = c.ty
                && hi > MAX_ROUNDS
            {
                self.bad_bound(c.span, &format!("up to {hi} rounds"));
                return None;
            }
            Some(c)
        });
        self.forget_stored(body);
        let body = self.loop_body(body);
        Some(StmtKind::Repeat {
            count: count?,
            body: body?,
        })
    }

    pub fn while_stmt(
        &mut self,
        cond: &'a ast::Expr,
        bound: &'a ast::Expr,
        body: &'a ast::Block,
    ) -> Option<StmtKind> {
        let (rounds, always) = (bound.span, matches!(cond.kind, ast::ExprKind::Bool(true)));
        let bound = self.bound(bound, OF_CONSTANTS);
        self.forget_stored(body);
        let cond = self.condition(cond);
        // What ends the loop is a `break`, or the bound.
        if always {
            let body = self.loop_body(body);
            let n = bound? as i64;
            return Some(StmtKind::Repeat {
                count: self.scalar(n, Type::Int { lo: n, hi: n }, rounds),
                body: body?,
            });
        }
        let body = self.loop_body_where(cond.as_ref(), body);
        Some(StmtKind::While {
            cond: cond?,
            bound: bound?,
            body: body?,
        })
    }

    pub fn turns(&mut self, turns: &'a ast::Turns) -> Option<StmtKind> {
        let player = self.player_type();
        let first = match &player {
            Some(player) => self.expr_as(&turns.first, player),
            None => None,
        };
        let bound = self.bound_of_turns(turns);
        self.forget_stored(&turns.body);
        let mover = Some(turns.name.text.clone());
        let outer = std::mem::replace(&mut self.frame.next_mover, mover);
        let among = match (&turns.among, &player) {
            (Some(among), Some(player)) => {
                let set = Type::set_of(player.clone());
                self.quietly("`among`", |this| this.expr_as(among, &set))
            }
            _ => self.everyone(turns.first.span),
        };
        let cond = turns.cond.as_ref().map(|cond| self.condition(cond));
        self.frame.next_mover = outer;
        let known = cond.clone().flatten();
        let made = self.scoped(|this| {
            let local = this.bind_local(&turns.name, player);
            let body = this.loop_body_where(known.as_ref(), &turns.body);
            Some((local?, body?))
        });
        let (local, body) = made?;
        let cond = match cond {
            Some(cond) => Some(cond?),
            None => None,
        };
        Some(StmtKind::Turns {
            local,
            first: first?,
            among: among?,
            cond,
            bound: bound?,
            body,
        })
    }

    /// The bound of turns. Among players that change, each once needs no number of them.
    fn bound_of_turns(&mut self, turns: &'a ast::Turns) -> Option<u64> {
        let players = self.player_type().and_then(|ty| ty.size()).unwrap_or(1);
        let hint = match &turns.among {
            Some(_) => format!(
                "for one turn of each who is in a set now, say how many players there are, and leave out the others: `turns {name} from … at most {players} {{ if {name} not in S {{ continue }} … }}`",
                name = turns.name.text,
            ),
            None => OF_CONSTANTS.to_owned(),
        };
        self.bound(&turns.bound, &hint)
    }

    /// The most rounds of a loop; `hint` says how it is done where they are not known.
    fn bound(&mut self, e: &'a ast::Expr, hint: &str) -> Option<u64> {
        let made = self.expr(e, None)?;
        let made = self.integer(made)?;
        let words = self.words_known(&made, "the most rounds of a loop", hint)?;
        let n = *words.first()? as i64;
        if !(1..=MAX_ROUNDS).contains(&n) {
            self.bad_bound(e.span, &format!("{n} rounds"));
            return None;
        }
        Some(n as u64)
    }

    fn bad_bound(&mut self, span: Span, what: &str) {
        self.report_live(
            Diagnostic::error(
                codes::BAD_BOUND,
                span,
                format!("a loop cannot have {what}; it has between 1 and {MAX_ROUNDS}"),
            )
            .hint("give it a bound that play never reaches"),
        );
    }
}
