//! The clock rule: there is no clock in a player's history, so nothing on view may tick.
//!
//! Between two events that a player sees, play may rest at decisions of others that the player does not notice. What the
//! player sees must be the same at each of them. So after a hidden decision has passed, a store to something that the
//! player sees is only allowed if the player sees an event before play rests again. Draws are no rests. The explicit
//! `end` is an event for all; running off the end of play is not.

use super::flow::Clock;
use super::{Checker, codes};
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;

impl Checker<'_> {
    /// Play comes to a decision (`None`: to its end without `end`).
    pub(super) fn reach_rest(&mut self, decision: Option<Span>) {
        for p in 0..self.flow.clocks.len() {
            let Clock::Stale { passed, store, var } = self.flow.clocks[p] else {
                continue;
            };
            self.flow.clocks[p] = Clock::Dirty { passed };
            let name = self.name(p).to_string();
            let after = match decision {
                Some(_) => "",
                None => " before play stops; an `end` would be noticed",
            };
            let problem = Diagnostic::error(
                codes::CLOCK,
                store,
                format!(
                    "`{}` changes after a move that {name} does not see, so {name} would learn that a move was made",
                    self.d.var(var).name
                ),
            )
            .label(format!("{name} sees this change and nothing else{after}"))
            .note(passed, format!("{name} sees nothing of this move"))
            .hint("let the move show something (a part that is not `secretly`), or `reveal` something before play goes on");
            let problem = match decision {
                Some(span) => problem.note(span, "then play waits for this move"),
                None => problem,
            };
            self.report(problem);
        }
    }
}
