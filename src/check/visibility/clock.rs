//! The clock rule: there is no clock in a player's history, so nothing on view may tick.
//!
//! Between two events that a player sees, play may rest at decisions of others that the player does not notice. What the
//! player sees must be the same at each of them. So after a hidden decision has passed, a store to something that the
//! player sees is only allowed if the player sees an event before play rests again. Draws are no rests. The explicit
//! `end` is an event for all; running off the end of play is not.

use super::flow::Clock;
use super::{Checker, codes};
use crate::diagnostics::Diagnostic;
use crate::syntax::span::Span;

impl Checker<'_> {
    /// Play comes to a decision, or to its end.
    pub(super) fn reach_rest(&mut self, rest: Span) {
        for p in 0..self.flow.clocks.len() {
            let Clock::Stale { passed, store, var } = self.flow.clocks[p] else {
                continue;
            };
            self.flow.clocks[p] = Clock::Dirty { passed };
            let name = self.name(p).to_string();
            let problem = Diagnostic::error(
                codes::CLOCK,
                store,
                format!(
                    "`{}` changes after a move that {name} does not see, so {name} would learn that a move was made",
                    self.d.var(var).name
                ),
            )
            .label(format!("{name} sees this change and nothing else"))
            .note(passed, format!("{name} sees nothing of this move"))
            .note(rest, "play comes to rest here before anything tells that player")
            .hint("let the move show something (a part that is not `secretly`), or `reveal` something before the change is looked at");
            self.report(problem);
        }
    }
}
