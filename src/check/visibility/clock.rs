//! The clock rule: there is no clock in a player's history, so nothing on view may tick.
//!
//! Between two entries of a player's record, play may rest at decisions of others that the player does not notice. What the
//! player sees must be the same at each of them. So after a hidden decision has passed, a store to something that the
//! player sees is only allowed if the player's record gets an entry before play rests at a decision of somebody else:
//! an event that the player sees, or the player's own question. Draws are no rests, and the end of play is told to all.

use super::flow::{Clock, Passed};
use super::{Checker, codes};
use crate::model::PlayerSet;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;

impl Checker<'_> {
    /// Play comes to a decision at which these players are certainly asked. `doubt`: unless nobody is.
    pub(super) fn reach_rest(&mut self, decision: Span, asked: PlayerSet, doubt: bool) {
        self.in_doubt(doubt, |this| this.hear(asked));
        for p in 0..self.flow.clocks.len() {
            let Clock::Stale { passed, store, var } = self.flow.clocks[p] else {
                continue;
            };
            self.flow.clocks[p] = Clock::Dirty { passed };
            let name = self.name(p).to_string();
            let var = &self.d.var(var).name;
            let problem = match passed {
                Passed::Move(at) => {
                    let message = format!(
                        "`{var}` changes after a move that {name} does not see, so {name} would learn that a move was made"
                    );
                    Diagnostic::error(codes::CLOCK, store, message)
                        .note(at, format!("{name} sees nothing of this move"))
                        .hint("let the move show something (a part that is not `secretly`), or `reveal` something before play goes on")
                }
                Passed::Otherwise(at) => {
                    let message = format!(
                        "`{var}` changes after an `else` that {name} does not notice, so {name} would learn that there was nothing to choose"
                    );
                    Diagnostic::error(codes::CLOCK, store, message)
                        .note(at, format!("{name} could not know whether there is something to choose here"))
                        .hint(format!("let {name} notice the `else` before this changes, `reveal(true)`, or say in `state` that {name} does not see `{var}`"))
                }
            };
            let problem = problem
                .label(format!("{name} sees this change and nothing else"))
                .note(decision, "then play waits for this move");
            self.report(problem);
        }
    }
}
