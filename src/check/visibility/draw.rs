//! Rule 5: what the options of a draw may depend on, and which variables are made of drawn things only.
//!
//! Somebody who sees a draw learns about its options. That is fine where they could know them, and where the options are
//! a pile: a stored set that holds only what chance put there, so that what turns up tells no more than cards do.

use super::label::Clean;
use super::store::DEALT;
use super::{Checker, DrawCheck, PileStore, Rule, codes};
use crate::model::types::Type;
use crate::model::*;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;

impl Checker<'_> {
    /// The label of `e`, and for whom it is made of drawn things: drawn values, piles, their parts, unions and
    /// differences. `sure` is the same as `label(e)`.
    pub(super) fn clean(&mut self, e: &Expr) -> Clean {
        match &e.kind {
            ExprKind::Local(id) => {
                let label = self.label(e);
                match self.bound.get(id) {
                    Some(b) => Clean {
                        sure: label,
                        drawn: b.clean.drawn - self.flow.lost.of(*id),
                        ..b.clean.clone()
                    },
                    None => Clean::known(label),
                }
            }
            ExprKind::Var { var: id, indices } => {
                // What stands at a secret place of a table is made of the secret, and is no drawn thing any more.
                Clean {
                    sure: self.label_var(*id, indices),
                    drawn: indices
                        .iter()
                        .fold(self.everyone, |all, e| all & self.label(e)),
                    piles: [*id].into_iter().collect(),
                    all_but: self.flow.made_all_but(*id),
                }
            }
            ExprKind::Cast(a)
            | ExprKind::Field { record: a, .. }
            | ExprKind::Unwrap { value: a, .. } => self.clean(a),
            ExprKind::Call { function, args, .. } => match args.as_slice() {
                [a] if function.is_in_argument() => self.clean(a),
                _ => Clean::known(self.label(e)),
            },
            // Told or not, it is made of what it was made of.
            ExprKind::Reveal { value, .. } | ExprKind::Told { value, .. } => {
                let sure = self.label(e);
                Clean {
                    sure,
                    ..self.clean(value)
                }
            }
            ExprKind::Record(list) | ExprKind::SetOf(list) => {
                let mut all = Clean::known(self.everyone);
                for part in list {
                    let part = self.clean(part);
                    all = all.and(&part);
                }
                all
            }
            ExprKind::Binary {
                op: op @ (BinaryOp::Union | BinaryOp::Difference | BinaryOp::Intersect),
                left: a,
                right: b,
            } => {
                let mut all = self.clean(a);
                all = all.and(&self.clean(b));
                if *op == BinaryOp::Difference {
                    let kept = match b.uncast().kind {
                        ExprKind::Var { .. } => self.domain_clean(b),
                        _ => Clean::known(self.label(b)),
                    };
                    all.all_but |= self.everyone - (kept.sure | kept.drawn);
                }
                all
            }
            ExprKind::If {
                cond,
                then: a,
                otherwise: b,
            } => {
                let known = self.label(cond);
                let value = match self.eval_bool(cond) {
                    Some(true) => self.clean(a),
                    Some(false) => self.clean(b),
                    None => {
                        let a = self.clean(a);
                        let b = self.clean(b);
                        a.and(&b)
                    }
                };
                value.restricted(known)
            }
            ExprKind::Match {
                scrutinee,
                arms,
                otherwise,
            } => self.member_clean(scrutinee, arms, otherwise.as_deref()),
            ExprKind::Let { local, value, body } => {
                self.bind_let(*local, value);
                self.stands_inside(*local);
                self.clean(body)
            }
            ExprKind::Fold(fold) if matches!(fold.op, FoldOp::SetOf | FoldOp::Union) => {
                let domain = self.clean(&fold.domain);
                let ty = self.d.local(fold.local).ty.clone();
                let rounds: Vec<Option<u64>> = match self.instances(&ty, Some(&fold.domain)) {
                    Some(list) => list.into_iter().map(Some).collect(),
                    None => vec![None],
                };
                let mut all = domain.clone();
                for value in rounds {
                    let concrete = value.map(|v| vec![v]);
                    self.bind(fold.local, domain.sure, domain.clone(), concrete);
                    self.stands_inside(fold.local);
                    if let Some(cond) = &fold.cond {
                        let known = self.label(cond);
                        all = all.restricted(known);
                        if self.eval_bool(cond) == Some(false) {
                            continue;
                        }
                    }
                    let body = self.clean(&fold.body);
                    all = all.and(&body);
                }
                all
            }
            _ => Clean::known(self.label(e)),
        }
    }

    /// The same of a name of a family: of the member that is meant.
    fn member_clean(
        &mut self,
        scrutinee: &Expr,
        arms: &[MatchArm<Expr>],
        otherwise: Option<&Expr>,
    ) -> Clean {
        let known = self.label(scrutinee);
        let value = self.eval_scalar(scrutinee);
        let meant = |arm: &&MatchArm<Expr>| value.is_none_or(|v| arm.values.contains(&v));
        let mut bodies: Vec<&Expr> = arms.iter().filter(meant).map(|arm| &arm.body).collect();
        if value.is_none() || bodies.is_empty() {
            bodies.extend(otherwise);
        }
        let mut all = Clean::known(known);
        for body in bodies {
            let clean = self.clean(body);
            all = all.and(&clean);
        }
        all.restricted(known)
    }

    /// Those who could know what a set was just made of.
    fn made_known(&self, var: VarId) -> PlayerSet {
        let known = self.flow.made_known(var, self.everyone);
        self.or_all(Rule::MadeSets, known)
    }

    /// What the options of a draw depend on besides; nothing, where a rule is not asked.
    fn with(&self, options: Clean, rule: Rule, more: &Clean) -> Clean {
        match self.rules.ask(rule) {
            true => options.and(more),
            false => options,
        }
    }

    /// For whom something gives nothing away where it is left out of what is drawn from.
    fn left_out_clean(&mut self, e: &Expr) -> Clean {
        let clean = self.clean(e);
        let kept = self.or_all(Rule::MadeSets, self.everyone - clean.all_but);
        Clean {
            drawn: clean.drawn & kept,
            all_but: PlayerSet::EMPTY,
            ..clean
        }
    }

    /// For whom the set that a draw draws from gives nothing away.
    fn domain_clean(&mut self, e: &Expr) -> Clean {
        match &e.kind {
            ExprKind::Cast(a) => self.domain_clean(a),
            ExprKind::Var { var, indices } if matches!(e.ty, Type::Set(_)) => {
                let clean = self.clean(e);
                let known = self.knowers_of(*var, indices);
                Clean {
                    drawn: clean.drawn & self.made_known(*var),
                    all_but: PlayerSet::EMPTY,
                    ..clean
                }
                .also_known(known, self.everyone)
            }
            ExprKind::Binary {
                op: BinaryOp::Difference,
                left: a,
                right: b,
            } => {
                let a = self.domain_clean(a);
                let b = self.left_out_clean(b);
                a.and(&b)
            }
            ExprKind::Let { local, value, body } => {
                self.bind_let(*local, value);
                self.domain_clean(body)
            }
            _ => Clean::known(self.label(e)),
        }
    }

    /// For whom a filter gives nothing away: it may only leave out drawn values. `holds`: the filter is that `e` holds,
    /// else that it does not.
    fn filter_clean(&mut self, e: &Expr, drawn: &[LocalId], holds: bool) -> Clean {
        let is_drawn =
            |e: &Expr| matches!(e.uncast().kind, ExprKind::Local(l) if drawn.contains(&l));
        match (&e.kind, holds) {
            (
                ExprKind::Unary {
                    op: UnaryOp::Not,
                    value: a,
                },
                _,
            ) => self.filter_clean(a, drawn, !holds),
            (
                ExprKind::Binary {
                    op: BinaryOp::And,
                    left: a,
                    right: b,
                },
                true,
            )
            | (
                ExprKind::Binary {
                    op: BinaryOp::Or,
                    left: a,
                    right: b,
                },
                false,
            ) => {
                let a = self.filter_clean(a, drawn, holds);
                let b = self.filter_clean(b, drawn, holds);
                a.and(&b)
            }
            (
                ExprKind::Binary {
                    op: BinaryOp::Ne,
                    left: a,
                    right: b,
                },
                true,
            )
            | (
                ExprKind::Binary {
                    op: BinaryOp::Eq,
                    left: a,
                    right: b,
                },
                false,
            ) if is_drawn(a) || is_drawn(b) => {
                let known = self.label(e);
                let other = if is_drawn(a) { b } else { a };
                let clean = self.left_out_clean(other);
                Clean {
                    drawn: clean.drawn | clean.sure,
                    sure: known,
                    ..clean
                }
            }
            (
                ExprKind::Binary {
                    op: BinaryOp::In,
                    left: a,
                    right: b,
                },
                false,
            ) if is_drawn(a) => {
                let known = self.label(e);
                let clean = self.left_out_clean(b);
                Clean {
                    drawn: clean.drawn | clean.sure,
                    sure: known,
                    ..clean
                }
            }
            (ExprKind::Let { local, value, body }, _) => {
                self.bind_let(*local, value);
                self.filter_clean(body, drawn, holds)
            }
            (ExprKind::Fold(fold), _) => {
                let inner = match (fold.op, holds) {
                    (FoldOp::Every, true) => true,
                    (FoldOp::No, true) | (FoldOp::Some, false) => false,
                    _ => return Clean::known(self.label(e)),
                };
                let known = self.label(&fold.domain);
                let ty = self.d.local(fold.local).ty.clone();
                let rounds: Vec<Option<u64>> = match self.instances(&ty, Some(&fold.domain)) {
                    Some(list) => list.into_iter().map(Some).collect(),
                    None => vec![None],
                };
                let mut all = Clean::known(known);
                for value in rounds {
                    let concrete = value.map(|v| vec![v]);
                    self.bind(fold.local, known, Clean::known(known), concrete);
                    if let Some(cond) = &fold.cond {
                        let cond_known = self.label(cond);
                        all = all.restricted(cond_known);
                        if self.eval_bool(cond) == Some(false) {
                            continue;
                        }
                    }
                    let body = self.filter_clean(&fold.body, drawn, inner);
                    all = all.and(&body);
                }
                all
            }
            _ => Clean::known(self.label(e)),
        }
    }

    /// For whom the weights give nothing away: a table of counts, looked up at what is drawn, and at nothing that they do
    /// not know. What is drawn is bound as known to everybody here.
    fn weight_clean(&mut self, e: &Expr) -> Clean {
        match &e.kind {
            ExprKind::Cast(a) => self.weight_clean(a),
            ExprKind::Var { var: id, indices } => {
                let sure = self.label(e);
                let mut known = self.everyone;
                for index in indices {
                    known &= self.label(index);
                }
                Clean {
                    sure,
                    drawn: known,
                    piles: [*id].into_iter().collect(),
                    all_but: PlayerSet::EMPTY,
                }
            }
            _ => Clean::known(self.label(e)),
        }
    }

    /// For whom the options of one part give nothing away.
    fn part_clean(&mut self, part: &Part) -> Clean {
        let mut options = self.domain_clean(&part.domain);
        for e in part.sizes.iter().flat_map(Sizes::exprs) {
            options = options.restricted(self.label(e));
        }
        self.with(Clean::known(self.everyone), Rule::DrawnFrom, &options)
    }

    /// What these expressions read is told to those who see a draw and could not know it.
    fn tell_of_draw(
        &mut self,
        draw: &Draw,
        (known, ignorant): (PlayerSet, PlayerSet),
        of: &[&Expr],
    ) -> Vec<(usize, String)> {
        let because = self.reasons(known, of);
        if !ignorant.is_empty() {
            self.told(SiteKind::Draw, draw.span, ignorant, ignorant, &because);
        }
        because
    }

    /// Some who see a draw may not know its options, which are made of these expressions.
    fn judge_later(&mut self, draw: &Draw, viewers: PlayerSet, options: &Clean, of: &[&Expr]) {
        let ignorant = viewers - options.sure;
        if ignorant.is_empty() {
            return;
        }
        let because = self.tell_of_draw(draw, (options.sure, ignorant), of);
        self.draw_checks.push(DrawCheck {
            deal: false,
            span: draw.span,
            viewers: ignorant,
            options: options.clone(),
            revealing: draw.revealing,
            because,
        });
    }

    pub(super) fn walk_draw(&mut self, draw: &Draw) {
        if let Some(split) = self.part_to_split(&draw.parts) {
            return self.split_part(split, &draw.parts, |this| this.walk_draw(draw));
        }
        let pc = self.pc();
        let (mut seen, mut may_see) = (PlayerSet::EMPTY, PlayerSet::EMPTY);
        let mut parts = Vec::new();
        for part in &draw.parts {
            let (must, may) = self.event_viewers(&part.viewers, part.span);
            seen |= must;
            may_see |= may;
            self.on_view(
                (SiteKind::Draw, draw.span),
                self.part_name(None, part),
                &part.viewers,
                EventCase {
                    chooser: None,
                    certain: must,
                    possible: may,
                },
            );
            for e in part.options() {
                self.forbid_reveal(e, "the options of a draw");
            }
            // What a value is drawn from may be made of those before it, as if they had been drawn before.
            let own = self.part_clean(part);
            let of: Vec<&Expr> = part.options().collect();
            self.judge_later(draw, may, &own, &of);
            let sure = must & pc;
            let clean = Clean {
                sure,
                drawn: own.sure | own.drawn,
                ..own
            };
            self.bind_part(part.local, sure, clean.clone());
            parts.push(clean);
        }
        let of: Vec<&Expr> = draw.cond.iter().chain(&draw.weight).collect();
        let known = of.iter().fold(self.everyone, |m, e| m & self.label(e));
        self.tell_of_draw(draw, (known, may_see - known), &of);
        let options = self.joint_options(draw);
        if let Some(text) = &draw.text {
            self.label_holes(text, &draw.parts, self.everyone);
        }
        self.require_pc(
            (may_see, PlayerSet::EMPTY),
            draw.span,
            "this draw",
            codes::EVENT,
        );
        let of: Vec<&Expr> = draw
            .parts
            .iter()
            .flat_map(Part::options)
            .chain(of)
            .collect();
        self.judge_later(draw, may_see, &options, &of);
        for (part, own) in std::iter::zip(&draw.parts, parts) {
            let sure = own.sure;
            let clean = Clean {
                sure,
                ..own.and(&options)
            };
            self.bind_part(part.local, sure, clean);
            self.note_part(part, draw.text.as_ref(), sure, true);
        }
        self.hear(seen);
        for part in &draw.parts {
            if let Some(into) = &part.into {
                self.store_local(into, part.local);
            }
        }
    }

    /// For whom the tuples that fit give nothing away. All parts are drawn at once from these, so that for the question what
    /// they are, a part is what runs over them and not yet anybody's secret.
    fn joint_options(&mut self, draw: &Draw) -> Clean {
        let everyone = self.everyone;
        let mut options = Clean::known(everyone);
        let mut drawn = Vec::new();
        for part in &draw.parts {
            let own = self.part_clean(part);
            options = options.and(&own);
            self.bind_part(part.local, everyone, Clean::known(everyone));
            drawn.push(part.local);
        }
        if let Some(cond) = &draw.cond {
            self.forbid_reveal(cond, "the options of a draw");
            let filter = self.filter_clean(cond, &drawn, true);
            options = self.with(options, Rule::DrawFilter, &filter);
        }
        if let Some(weight) = &draw.weight {
            self.forbid_reveal(weight, "the weights of a draw");
            let weight = self.weight_clean(weight);
            options = self.with(options, Rule::DrawWeights, &weight);
        }
        options
    }

    pub(super) fn walk_deal(&mut self, deal: &Deal) {
        self.forbid_reveal(&deal.count, "how many are dealt");
        let (must, may) = self.event_viewers(&deal.viewers, deal.span);
        self.require_pc(
            (may, PlayerSet::EMPTY),
            deal.span,
            "this deal",
            codes::EVENT,
        );
        let (from, to) = (self.plain_place(&deal.from), self.plain_place(&deal.to));
        self.on_view(
            (SiteKind::Deal, deal.span),
            (from, Some(to)),
            &deal.viewers,
            EventCase {
                chooser: None,
                certain: must,
                possible: may,
            },
        );
        let count = self.label(&deal.count);
        let ignorant = may - count;
        if let Some(p) = ignorant.lowest()
            && self.rules.ask(Rule::DealCount)
        {
            let because = self.blame(&deal.count, p);
            let problem = Diagnostic::error(
                codes::DRAW_OPTIONS,
                deal.span,
                format!(
                    "{} sees what is dealt but could not know how many",
                    self.name(p)
                ),
            )
            .label(depends("the number", because))
            .hint("tell the number first: `let n = reveal(…)  deal n from …`");
            self.report(problem);
        }
        let (from_every, _, from_index) = self.place_viewers(&deal.from);
        let known = (from_every | self.knowers_at(&deal.from)) & from_index;
        let options = Clean {
            sure: known,
            drawn: from_index & self.made_known(deal.from.var),
            piles: [deal.from.var].into_iter().collect(),
            all_but: PlayerSet::EMPTY,
        }
        .also_known(known, self.everyone);
        let ignorant = may - known;
        let from_name = self.show_place(&deal.from);
        if !ignorant.is_empty() && self.rules.ask(Rule::DrawnFrom) {
            let because: Vec<_> = ignorant.iter().map(|p| (p, from_name.clone())).collect();
            self.told(SiteKind::Deal, deal.span, may, ignorant, &because);
            self.draw_checks.push(DrawCheck {
                deal: true,
                span: deal.span,
                viewers: ignorant,
                options: options.clone(),
                revealing: deal.revealing,
                because,
            });
        }
        self.note_move(deal.from.var, deal.to.var, deal.span);
        self.hear(must);
        let dealt = Clean {
            sure: must & self.pc(),
            drawn: (options.sure | options.drawn) & count,
            ..options
        };
        self.store_clean(&deal.from, None, &dealt, DEALT);
        self.store_clean(&deal.to, None, &dealt, DEALT);
    }

    /// Notes a store for the question which variables are piles.
    pub(super) fn note_pile_store(&mut self, place: &Place, clean: Clean) {
        self.pile_stores.push(PileStore {
            var: place.var,
            span: place.span,
            clean,
        });
        if self.pile_stores.len() > 100_000 {
            self.merge_pile_stores();
        }
    }

    /// Drops repeated stores.
    fn merge_pile_stores(&mut self) {
        let mut seen = rustc_hash::FxHashSet::default();
        self.pile_stores.retain(|s| {
            seen.insert((
                s.var,
                s.span,
                s.clean.sure,
                s.clean.drawn,
                s.clean.piles.clone(),
            ))
        });
    }

    /// For each variable, the players for whom it holds only what chance put there.
    fn piles(&self) -> Vec<PlayerSet> {
        let mut piles = vec![self.everyone; self.d.vars.len()];
        if !self.rules.ask(Rule::Piles) {
            return piles;
        }
        loop {
            let mut changed = false;
            for store in &self.pile_stores {
                let mask = holds_for(&store.clean, &piles);
                let pile = &mut piles[store.var.0 as usize];
                if !mask.contains_all(*pile) {
                    *pile &= mask;
                    changed = true;
                }
            }
            if !changed {
                return piles;
            }
        }
    }

    /// The first store that makes one of the piles something else for a player.
    fn spoiler(
        &self,
        options: &Clean,
        piles: &[PlayerSet],
        player: usize,
    ) -> Option<(Span, VarId)> {
        let is_pile = |var: VarId| piles[var.0 as usize].contains(player);
        let mut open: Vec<VarId> = options.piles.iter().copied().collect();
        let mut at = 0;
        while let Some(&var) = open.get(at) {
            at += 1;
            let stores = self.pile_stores.iter().filter(|s| s.var == var);
            for s in stores.filter(|s| !holds_for(&s.clean, piles).contains(player)) {
                if !(s.clean.sure | s.clean.drawn).contains(player) {
                    return Some((s.span, var));
                }
                for &other in &s.clean.piles {
                    if !is_pile(other) && !open.contains(&other) {
                        open.push(other);
                    }
                }
            }
        }
        None
    }

    /// Judges the draws whose viewers may not know the options.
    pub(super) fn judge_draws(&mut self) {
        self.merge_pile_stores();
        let piles = self.piles();
        let checks = std::mem::take(&mut self.draw_checks);
        self.forget_what_follows(&checks);
        for check in checks {
            let leak = check.viewers - holds_for(&check.options, &piles);
            if leak.is_empty() || check.revealing || !self.rules.ask(Rule::Revealing) {
                continue;
            }
            let Some(p) = leak.lowest() else {
                continue;
            };
            let of_drawn = (check.options.sure | check.options.drawn).contains(p);
            let spoiler = self.spoiler(&check.options, &piles, p).filter(|_| of_drawn);
            if spoiler.is_some_and(|(span, _)| self.is_refused(span)) {
                continue;
            }
            let because = check.because.iter().find(|(q, _)| *q == p);
            let because = because.map(|(_, text)| text.clone());
            let verb = if check.deal { "deal" } else { "draw" };
            let message = format!(
                "{} sees this {verb} and would learn from it what its options were",
                self.name(p)
            );
            let label = match &because {
                Some(text) if of_drawn => {
                    format!("the options depend on {text}, which holds more than chance put there")
                }
                Some(text) => format!("the options depend on {text}"),
                None => "the options are not only what chance put there".into(),
            };
            let hint = if check.deal {
                "deal from a set that holds what was drawn or dealt before, or end the deal with `revealing` if it is meant to tell"
            } else if !of_drawn {
                "draw from a type or a stored set, where nothing but drawn things are left out (`c != x`); or end the draw with `revealing` if it is meant to tell"
            } else {
                "end the draw with `revealing` if it is meant to tell, or let nobody see it: `seen by none`"
            };
            let mut problem = Diagnostic::error(codes::DRAW_OPTIONS, check.span, message)
                .label(label)
                .hint(hint);
            if let Some((span, var)) = spoiler {
                let var = &self.d.var(var).name;
                problem = problem.note(
                    span,
                    format!("this makes `{var}` more than a pile of drawn things"),
                );
            }
            self.report(problem);
        }
    }

    /// A draw or a deal that must not happen where it does stores nothing that is worth a word of its own.
    fn forget_what_follows(&mut self, checks: &[DrawCheck]) {
        let refused = |check: &&DrawCheck| self.found.contains_key(&(codes::EVENT, check.span));
        let refused: Vec<Span> = checks.iter().filter(refused).map(|c| c.span).collect();
        self.found.retain(|(code, span), _| {
            *code != codes::STORE || !refused.iter().any(|whole| whole.contains(*span))
        });
    }

    /// Whether a place lies within something that must not happen there: what it does to others follows from that.
    fn is_refused(&self, place: Span) -> bool {
        let mut found = self.found.values();
        found.any(|p| matches!(p.code, codes::EVENT | codes::STORE) && p.span.contains(place))
    }
}

/// The players for whom something is known or made of drawn things.
fn holds_for(clean: &Clean, piles: &[PlayerSet]) -> PlayerSet {
    let mut drawn = clean.drawn;
    for pile in &clean.piles {
        drawn &= piles.get(pile.0 as usize).copied().unwrap_or_default();
    }
    clean.sure | drawn
}

/// "the number depends on `x`".
pub(super) fn depends(what: &str, because: Option<String>) -> String {
    match because {
        Some(text) => format!("{what} depends on {text}"),
        None => String::new(),
    }
}
