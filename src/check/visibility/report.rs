//! Where the walk is (the program counter's label), and the errors that say why somebody could not know it.

use super::label::Guard;
use super::{Checker, Rule, codes};
use crate::model::*;
use crate::text::diagnostics::{Code, Diagnostic};
use crate::text::span::Span;

/// What the condition of turns says.
pub(super) const TURNS_GO_ON: &str = "the turns go on";

/// A condition that is asked again and again cannot be told in a step before.
pub(super) const SHOW_CONDITION: &str = "let everybody see the condition: give it a name that is on view, `shown def more: bool = …`, and write `while more`";

impl Checker<'_> {
    /// Who could know that play is here.
    pub(super) fn pc(&self) -> PlayerSet {
        let guards = self.guards.iter().chain(self.loop_guards());
        guards.fold(self.everyone, |m, g| m & g.known)
    }

    /// Who could know that play is here, and that there is a round in which it is.
    pub(super) fn here(&self) -> PlayerSet {
        self.pc() - self.unsure_of_rounds()
    }

    /// What a rule says who knows; all, where it is not asked.
    pub(super) fn or_all(&self, rule: Rule, known: PlayerSet) -> PlayerSet {
        match self.rules.ask(rule) {
            true => known,
            false => self.everyone,
        }
    }

    fn loop_guards(&self) -> impl Iterator<Item = &Guard> {
        self.loops
            .iter()
            .flat_map(|l| l.breaks.iter().chain(&l.continues))
    }

    /// A guard for something that is looked at: a condition, a set that is walked over.
    pub(super) fn guard(&mut self, what: &'static str, span: Span, of: &[&Expr]) -> Guard {
        let known = of.iter().fold(self.everyone, |m, e| m & self.label(e));
        let known = self.or_all(Rule::Conditions, known);
        self.guard_known(what, span, known, of)
    }

    /// The guard that keeps a player from knowing that play is here.
    pub(super) fn guard_against(&self, player: usize) -> Option<Guard> {
        let guards = self.guards.iter().chain(self.loop_guards());
        guards
            .into_iter()
            .find(|g| !g.known.contains(player))
            .cloned()
    }

    pub(super) fn report(&mut self, problem: Diagnostic) {
        if !self.rules.refuse(problem.code) {
            return;
        }
        self.found
            .entry((problem.code, problem.span))
            .or_insert(problem);
    }

    /// Says through which branch a player would learn something.
    pub(super) fn explain(&self, mut problem: Diagnostic, player: usize) -> Diagnostic {
        if let Some(guard) = self.guard_against(player) {
            let name = self.name(player);
            let reason = match guard.reason(player) {
                Some(text) => format!(", which depends on {text}"),
                None => String::new(),
            };
            problem = problem.note(
                guard.span,
                format!("{name} could not know whether {}{reason}", guard.what),
            );
            if let Some(def) = self.on_view_of(&guard, player) {
                let rest = problem.hint.take().unwrap_or_default();
                problem = problem.hint(format!(
                    "ask what is on view and made of the same, `{def}`; or {rest}"
                ));
            } else if guard.what == TURNS_GO_ON {
                problem = problem.hint(SHOW_CONDITION);
            }
        } else if let Some(choice) = self.missed_choice(player) {
            let name = self.name(player);
            problem = problem
                .note(
                    choice,
                    format!("{name} may have missed rounds in which there was nothing to choose here, and could not know whether there is another one"),
                )
                .hint(format!(
                    "let {name} notice every round: where nothing is chosen, by `else {{ reveal(false to {name}) }}`"
                ));
        }
        problem
    }

    /// A shown def that a player sees and that is made of a variable on which a guard hangs.
    fn on_view_of(&self, guard: &Guard, player: usize) -> Option<String> {
        let mut shown = self.shown.iter();
        let seen = shown.find(|s| s.viewers.contains(player) && guard.reads.contains(&s.var))?;
        let def = &self.d.shown[seen.def];
        Some(match def.params.is_empty() {
            true => def.name.clone(),
            false => format!("{}(…)", def.name),
        })
    }

    /// Everybody in `who` must be able to know that play is here. `what`: "this choice"; it cannot be kept from those who
    /// `act` in it.
    pub(super) fn require_pc(
        &mut self,
        (who, act): (PlayerSet, PlayerSet),
        span: Span,
        what: &str,
        code: Code,
    ) {
        self.require_known(self.here(), (who, act), span, what, code);
    }

    /// As [`require_pc`](Self::require_pc), of something that these players could know to happen.
    pub(super) fn require_known(
        &mut self,
        known: PlayerSet,
        (who, act): (PlayerSet, PlayerSet),
        span: Span,
        what: &str,
        code: Code,
    ) {
        let Some(p) = (who - known).lowest() else {
            return;
        };
        let name = self.name(p).to_string();
        let hidden = match act.contains(p) {
            true => String::new(),
            // Who is asked in any case and has nothing to choose from but the rest gives nothing away.
            false if act.len() == 1 && known.contains_all(act) => {
                ", or ask in any case, with the condition as the `where` of an alternative (`{ move where …  pass }`)".into()
            }
            false => {
                format!(", or keep {what} out of {name}'s sight (`secretly`, `seen by …`)")
            }
        };
        let problem = Diagnostic::error(
            code,
            span,
            format!("{name} sees {what} but could not know whether it happens"),
        )
        .label(format!("{name} would learn something from it"))
        .hint(format!("`reveal(…)` the condition to {name} first{hidden}"));
        let problem = self.explain(problem, p);
        self.report(problem);
    }

    /// Who sees an event or a part of it (certainly, perhaps); those who may must know that they do.
    pub(super) fn event_viewers(&mut self, e: &Expr, span: Span) -> (PlayerSet, PlayerSet) {
        self.forbid_reveal(e, "a list of viewers");
        let (must, may) = self.viewers(e);
        let known = self.know_themselves(e);
        if let Some(p) = (may - known).lowest() {
            let because = self.blame_member(e, p);
            let name = self.name(p).to_string();
            let problem = Diagnostic::error(
                codes::VIEWERS,
                span,
                format!("{name} may see this but could not know whether it is for {name}"),
            )
            .label(super::draw::depends("who sees it", because))
            .hint(format!(
                "let {name} know of itself whether it sees this (`role : [p: Player] … seen by p`, and then `{{ p for p in Player where role[p] == … }}`), or `reveal(…)` who does first"
            ));
            self.report(problem);
        }
        (must, may)
    }

    /// A reveal is a step of play and has no place inside formulas that are not evaluated step by step.
    pub(super) fn forbid_reveal(&mut self, e: &Expr, place: &str) {
        let hint = "make it a step of its own: `let known = reveal(…)`, and use `known` here";
        self.forbid_reveal_but(e, place, hint);
    }

    /// As [`forbid_reveal`](Self::forbid_reveal); the hint says what to do instead.
    pub(super) fn forbid_reveal_but(&mut self, e: &Expr, place: &str, hint: &str) {
        if let Some(reveal) = e.find_reveal() {
            let problem = Diagnostic::error(
                codes::REVEAL_PLACE,
                reveal.span,
                format!("`reveal` cannot stand in {place}"),
            )
            .label("when, and how often, this happens would not be clear")
            .hint(hint);
            self.report(problem);
        }
    }
}
