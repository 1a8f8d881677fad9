//! Rules 2 and 4: choices and their `else`.

use super::flow::{Flow, Passed};
use super::label::Clean;
use super::missed::RuledOut;
use super::omitted::{LeftOut, place_of};
use super::play::Fresh;
use super::{Bound, Checker, Rule, codes};
use crate::model::*;
use crate::text::diagnostics::Diagnostic;

/// Who is in on a choice, as it stands before anybody has chosen.
pub(super) struct Insight {
    /// Those who certainly choose, and those who may.
    pub chooser: PlayerSet,
    /// Those who certainly see the label, if there are labels.
    label: PlayerSet,
    labelled: bool,
    /// Those who could know the values of which they see that they are chosen.
    informed: PlayerSet,
    /// For each alternative, those who certainly see some part of it.
    parts: Vec<PlayerSet>,
    /// For each alternative, the quiet rounds in which it is certainly no option.
    ruled_out: Vec<RuledOut>,
    /// Those who may see something of it.
    pub may_see: PlayerSet,
    /// Those who could know what the options are.
    pub options: PlayerSet,
    /// The choice as it is left out, if it may be.
    pub left: Option<LeftOut>,
}

impl Insight {
    /// Those who certainly notice when this alternative is taken.
    fn notice(&self, alternative: usize) -> PlayerSet {
        let parts = self.parts.get(alternative).copied().unwrap_or_default();
        self.chooser | self.label | parts
    }

    /// Those who notice whatever alternative is taken.
    pub fn notice_any(&self) -> PlayerSet {
        let parts = self.parts.iter().copied().reduce(|a, b| a & b);
        let parts = parts.unwrap_or_default();
        self.chooser | self.label | parts
    }
}

/// Whether something is made of a variable, which may be on view where the variable is not.
fn is_formula(e: &Expr) -> bool {
    let makes = |e: &Expr| matches!(e.kind, ExprKind::Call { .. } | ExprKind::Fold(_));
    e.any(makes)
}

impl<'d> Checker<'d> {
    /// A choice on its own; returns the names that what follows may read.
    pub(super) fn walk_choice(&mut self, choice: &'d Choice) -> Vec<Fresh<'d>> {
        let pc = self.pc();
        if let [
            Alternative {
                label: None, parts, ..
            },
        ] = choice.alternatives.as_slice()
            && let Some(split) = self.part_to_split(parts)
        {
            self.split_part(split, parts, |this| {
                this.walk_choice(choice);
            });
            return parts.iter().map(|p| Fresh::part(p, pc)).collect();
        }
        let insight = self.walk_options(choice);
        let before = self.flow.clone();
        let doubt = insight.left.is_some();
        self.reach_rest(choice.span, insight.chooser, doubt);
        if !doubt {
            self.count_round(insight.notice_any());
        }
        self.walk_outcomes(choice, &insight, Some(before), &[]);
        if insight.labelled {
            return Vec::new();
        }
        let parts = choice.alternatives.iter().flat_map(|a| &a.parts);
        parts.map(|p| Fresh::part(p, pc)).collect()
    }

    /// `one move`: its statements as they stand, choice after choice. That asks no less than the move as a whole does: all of
    /// it is seen by everybody, and nothing is told in between, so that whoever chooses could know from the beginning what
    /// there will be to choose.
    pub(super) fn walk_one_move(&mut self, one: &'d OneMove) {
        let before = self.flow.clone();
        let around = self.left_out_around.replace(place_of(one));
        let outer = self.move_options.replace(self.everyone);
        let doubt = one.otherwise.is_some();
        let outer_doubt = std::mem::replace(&mut self.move_doubt, usize::from(doubt));
        self.in_doubt(doubt, |this| this.walk_block(&one.body.stmts));
        self.move_doubt = outer_doubt;
        self.left_out_around = around;
        let options = self.move_options.take().unwrap_or_default();
        self.move_options = outer;
        let chooser = self.eval_scalar(&one.chooser);
        let chooser = chooser.map_or(self.everyone, |p| PlayerSet::only(p as usize));
        if let Some(e) = &one.greatest {
            self.require_options(Rule::Options, chooser, &[], e, "which moves are the best");
        }
        let Some(otherwise) = &one.otherwise else {
            return;
        };
        let done = std::mem::replace(&mut self.flow, before);
        let unaware = self.everyone - options;
        self.flow.pass(unaware, Passed::Otherwise(one.span));
        let left = LeftOut::together(place_of(one), one.span);
        self.leave_out(left, Some(&one.chooser), unaware);
        self.in_doubt(true, |this| this.walk_block(&otherwise.stmts));
        self.flow.join(&done);
    }

    /// Checks the options and the event of a choice, and binds the names of its parts.
    pub(super) fn walk_options(&mut self, choice: &'d Choice) -> Insight {
        let pc = self.pc();
        let everyone = self.everyone;
        self.forbid_reveal(&choice.chooser, "the name of the player who chooses");
        let (chooser, may_choose) = match self.eval_scalar(&choice.chooser) {
            Some(p) => {
                let chooser = PlayerSet::only(p as usize) & everyone;
                (chooser, chooser)
            }
            None => (PlayerSet::EMPTY, everyone),
        };
        // Who is asked knows whose choice it is; without an option nobody is.
        let before = self.flow.lost.clone();
        let lost = self.lost_chooser(&choice.chooser);
        self.learn_chooser(&choice.chooser, chooser);
        let labelled = choice.alternatives.iter().any(|a| a.label.is_some());
        let (label, mut may_see) = if labelled {
            self.event_viewers(&choice.viewers, choice.span)
        } else {
            (PlayerSet::EMPTY, PlayerSet::EMPTY)
        };
        may_see |= may_choose;
        let seen_here = |must, may| EventCase {
            chooser: chooser.lowest(),
            certain: chooser | must,
            possible: may_choose | may,
        };
        if labelled {
            self.note_labels(choice, seen_here(label, may_see));
        }
        // Inside an alternative only those who see that it was taken could know a value of its parts.
        let informed = if labelled { pc & (chooser | label) } else { pc };
        let mut options = everyone;
        let mut parts = Vec::new();
        for a in &choice.alternatives {
            let mut see_parts = PlayerSet::EMPTY;
            for (i, part) in a.parts.iter().enumerate() {
                let earlier = &a.parts[..i];
                let mut known = self.require_options(
                    Rule::Options,
                    may_choose,
                    earlier,
                    &part.domain,
                    "the options",
                );
                for e in part.sizes.iter().flat_map(Sizes::exprs) {
                    known &= self.require_options(
                        Rule::Options,
                        may_choose,
                        earlier,
                        e,
                        "how many may be chosen",
                    );
                }
                options &= known;
                let (must, may) = self.event_viewers(&part.viewers, part.span);
                see_parts |= must;
                may_see |= may;
                let name = self.part_name(a.label.as_deref(), part);
                let site = (SiteKind::Choice, choice.span);
                self.on_view(site, name, &part.viewers, seen_here(must, may));
                // Whoever chooses knows what, even where it is an error that there is something to choose.
                let local = must & informed | chooser;
                self.bind_part(part.local, local, Clean::known(local));
                // Who chooses knows what, whatever is said.
                self.note_part(part, a.text.as_ref(), local - chooser, false);
                let hidden = may - known - may_choose;
                self.told_options(choice, hidden, known, &part.domain);
                self.note_one_option(part, hidden);
            }
            if let Some(cond) = &a.cond {
                let known = self.require_options(
                    Rule::Options,
                    may_choose,
                    &a.parts,
                    cond,
                    "whether this is an option",
                );
                options &= known;
                let seen = (label | see_parts) - known - may_choose;
                self.told_options(choice, seen, known, cond);
            }
            if let Some(text) = &a.text {
                for hole in text.holes() {
                    self.require_options(
                        Rule::OptionTexts,
                        may_choose,
                        &a.parts,
                        &hole.value,
                        "the text of the move",
                    );
                }
                self.label_move(choice, text, &a.parts);
            }
            parts.push(see_parts);
        }
        options -= lost;
        if let Some(all) = &mut self.move_options {
            *all &= options;
        }
        self.flow.lost = before;
        let known = self.pc() - self.unsure_of_choice(choice, options);
        self.require_known(
            known,
            (may_see, may_choose),
            choice.span,
            "this choice",
            codes::EVENT,
        );
        self.require_chooser(choice, may_see);
        // Who never sees it does not take one round for another by it.
        let unaware = (everyone - options) & may_see;
        let left = self.may_be_left_out(choice);
        let left = left.then(|| self.left_out(choice).of(unaware));
        Insight {
            chooser,
            label,
            labelled,
            informed,
            parts,
            ruled_out: self.options_ruled_out(choice),
            may_see,
            options,
            left,
        }
    }

    /// Notes who sees the labels of a choice.
    fn note_labels(&mut self, choice: &Choice, case: EventCase) {
        let alternatives = choice.alternatives.iter();
        let labels = alternatives.filter_map(|a| a.label.as_deref());
        let labels: Vec<&str> = labels.collect();
        let site = (SiteKind::Choice, choice.span);
        let name = (labels.join(" | "), None);
        self.on_view(site, name, &choice.viewers, case);
    }

    /// Whether there may be nothing to choose, and the `else` comes.
    pub(super) fn may_be_left_out(&self, choice: &Choice) -> bool {
        let certain = |a: &Alternative| {
            let cond = a.cond.as_ref();
            a.parts.is_empty() && cond.is_none_or(|c| self.eval_bool(c) == Some(true))
        };
        choice.otherwise.is_some() && !choice.alternatives.iter().any(certain)
    }

    /// Notes who could know the holes of a move's text: whoever reads it sees whose choice it is.
    fn label_move(&mut self, choice: &Choice, text: &Text, parts: &[Part]) {
        let before = self.flow.lost.clone();
        self.learn_chooser(&choice.chooser, self.everyone);
        self.label_holes(text, parts, self.everyone);
        self.flow.lost = before;
    }

    /// What is chosen from a set with one element is no decision: who sees it is told the element.
    fn note_one_option(&mut self, part: &Part, ignorant: PlayerSet) {
        let ExprKind::SetOf(list) = &part.domain.uncast().kind else {
            return;
        };
        if let ([_], None, Some(p)) = (list.as_slice(), &part.sizes, ignorant.lowest()) {
            let name = self.name(p).to_string();
            let because = self.blame(&part.domain, p);
            let problem = Diagnostic::warning(
                codes::ONE_OPTION,
                part.domain.span,
                format!("there is one option here, and {name} sees that it is chosen"),
            )
            .label(super::draw::depends("it", because))
            .hint(format!(
                "if {name} is to be told, say so: `reveal(… to {name})`; else choose `secretly`"
            ));
            self.report(problem);
        }
    }

    /// Notes who could know the holes of a text, and the conditions that they come under. The values that are chosen or drawn
    /// have viewers of their own. `readers`: those who may read it here; elsewhere it may be others.
    pub(super) fn label_holes(&mut self, text: &Text, parts: &[Part], readers: PlayerSet) {
        let everyone = self.everyone;
        let before: Vec<_> = parts
            .iter()
            .map(|p| self.bound.insert(p.local, Bound::known(everyone)))
            .collect();
        let mut conditions = everyone;
        for hole in text.holes() {
            let known = self.label(&hole.value) & conditions;
            let known = self.or_all(Rule::MoveTexts, known);
            if text.is_condition(hole) {
                conditions = known;
            }
            let all = self.holes[hole.number].get_or_insert(everyone);
            *all &= known | (everyone - readers);
        }
        for (part, bound) in std::iter::zip(parts, before) {
            match bound {
                Some(bound) => self.bound.insert(part.local, bound),
                None => self.bound.remove(&part.local),
            };
        }
    }

    fn told_options(&mut self, choice: &Choice, who: PlayerSet, known: PlayerSet, options: &Expr) {
        if !who.is_empty() {
            let because = self.reasons(known, &[options]);
            self.told(SiteKind::Choice, choice.span, who, who, &because);
        }
    }

    /// Whoever chooses could know `e`, whatever these parts are; returns its label.
    fn require_options(
        &mut self,
        rule: Rule,
        choosers: PlayerSet,
        parts: &[Part],
        e: &Expr,
        what: &str,
    ) -> PlayerSet {
        self.forbid_reveal(e, "the options of a choice");
        let known = self.label_for_each(parts, e, 1);
        if let Some(p) = (choosers - known).lowest()
            && self.rules.ask(rule)
        {
            let because = self.blame(e, p);
            let name = self.name(p).to_string();
            let message = match &because {
                Some(text) => format!("{name} chooses here but could not know {what}: {text}"),
                None => format!("{name} chooses here but could not know {what}"),
            };
            let shown = match is_formula(e) {
                true => ", by a `shown def` if it is on view and what it is made of is not",
                false => "",
            };
            let hint = if choosers.len() > 1 {
                format!(
                    "name the player who chooses first (`let me = …  me chooses …`), or let {name} see what the options depend on"
                )
            } else {
                format!(
                    "tell {name} first what the options depend on, `let told = reveal(… to {name})`, and use `told`; or let {name} see it{shown}"
                )
            };
            let problem = Diagnostic::error(codes::OPTIONS, e.span, message)
                .label(super::draw::depends("this", because))
                .hint(hint);
            self.report(problem);
        }
        known
    }

    /// Whoever chooses or sees the choice could know whose it is.
    fn require_chooser(&mut self, choice: &Choice, who: PlayerSet) {
        let known = self.know_chooser(&choice.chooser);
        let Some(p) = (who - known).lowest() else {
            return;
        };
        let because = self.blame(&choice.chooser, p);
        let name = self.name(p).to_string();
        let problem = Diagnostic::error(
            codes::CHOOSER,
            choice.chooser.span,
            format!("{name} takes part in this choice but could not know whose it is"),
        )
        .label(super::draw::depends("who chooses", because))
        .hint(format!(
            "`reveal(…)` to {name} who chooses, or keep the choice out of {name}'s sight"
        ));
        self.report(problem);
    }

    /// What follows from a choice. `before`: what held before play rested at it; in a `together` the rest has been passed
    /// already. `others`: the choices of later arms that may have been left out at the same time.
    pub(super) fn walk_outcomes(
        &mut self,
        choice: &'d Choice,
        insight: &Insight,
        before: Option<Flow>,
        others: &[LeftOut],
    ) {
        let options: Vec<&Expr> = choice
            .alternatives
            .iter()
            .flat_map(|a| a.parts.iter().map(|p| &p.domain).chain(&a.cond))
            .collect();
        let alone = before.is_some();
        let before = before.unwrap_or_else(|| self.flow.clone());
        if alone {
            self.flow.pass(self.everyone, Passed::Move(choice.span));
        }
        if alone {
            self.take(choice, insight.may_see);
        }
        let rested = self.flow.clone();
        let may_be_left_out = insight.left.is_some();
        self.flow.live = false;
        for (i, a) in choice.alternatives.iter().enumerate() {
            let mut done = std::mem::replace(&mut self.flow, rested.clone());
            let noticed = insight.notice(i);
            self.flow.seen(match alone {
                true => noticed,
                false if !self.rules.ask(Rule::MovesAtOnce) => noticed,
                // They noticed before any arm did anything.
                false => noticed - self.flow.passed,
            });
            self.learn_chooser(&choice.chooser, noticed);
            // They noticed it before they could have noticed those.
            others.iter().for_each(|one| self.flow.omitted.add(one));
            self.rule_out(&insight.ruled_out[i]);
            if may_be_left_out {
                // That there is something to choose is known to those who notice the choice, or know the options.
                let known = self.or_all(Rule::Otherwise, insight.notice(i) | insight.options);
                let guard = self.guard_known(
                    "there is something to choose from",
                    choice.span,
                    known,
                    &options,
                );
                self.in_doubt(true, |this| {
                    this.guarded(guard, |this| this.walk_alternative(a, insight));
                });
            } else {
                let several = choice.alternatives.len() > 1;
                self.in_doubt(several, |this| this.walk_alternative(a, insight));
            }
            done.join(&self.flow);
            self.flow = done;
        }
        if let (Some(otherwise), Some(left)) = (&choice.otherwise, &insight.left) {
            let done = std::mem::replace(&mut self.flow, before);
            let unaware = self.everyone - insight.options;
            self.flow.pass(unaware, Passed::Otherwise(choice.span));
            self.flow.omitted.add(left);
            let known = self.or_all(Rule::Otherwise, insight.notice_any() | insight.options);
            let guard = self.guard_known(
                "there is nothing to choose from",
                choice.span,
                known,
                &options,
            );
            self.in_doubt(true, |this| {
                this.guarded(guard, |this| this.walk_block(&otherwise.stmts));
            });
            self.flow.join(&done);
        }
    }

    fn walk_alternative(&mut self, a: &'d Alternative, insight: &Insight) {
        let walk = |this: &mut Self| {
            for part in &a.parts {
                if let Some(into) = &part.into {
                    this.store_local(into, part.local);
                }
            }
            let parts = a.parts.iter();
            let fresh: Vec<Fresh<'d>> = parts.map(|p| Fresh::part(p, insight.informed)).collect();
            this.walk_split(&a.body.stmts, &fresh);
        };
        if insight.labelled {
            let known = self.or_all(Rule::Alternatives, insight.chooser | insight.label);
            let guard = self.guard_known("this was chosen", a.span, known, &[]);
            self.guarded(guard, walk);
        } else {
            walk(self);
        }
    }
}
