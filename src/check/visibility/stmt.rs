//! The walk over statements, and what the statements of an `after` let know.

use super::equal::equal_ends;
use super::flow::Made;
use super::label::Guard;
use super::play::{Fresh, Rounds};
use super::{Checker, Rule, codes};
use crate::model::types::Type;
use crate::model::*;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;
use smallvec::SmallVec;

impl<'d> Checker<'d> {
    /// Walks one statement; returns the names that it binds for what follows.
    pub(super) fn walk_stmt(&mut self, stmt: &'d Stmt) -> Vec<Fresh<'d>> {
        let told = self.tell_shown(stmt.reading);
        let outer = std::mem::replace(&mut self.shown_to, told);
        let fresh = self.walk_kind(stmt);
        self.shown_to = outer;
        fresh
    }

    fn walk_kind(&mut self, stmt: &'d Stmt) -> Vec<Fresh<'d>> {
        match &stmt.kind {
            StmtKind::Let { local, value } => {
                self.walk_reveals(value);
                let clean = self.clean(value).restricted(self.pc());
                let concrete = self.eval(value);
                self.bind(*local, clean.sure, clean, concrete);
                self.bind_members(*local, value);
                self.note_formula(*local, value);
                return vec![Fresh::name(*local)];
            }
            StmtKind::Store { place, op, value } => {
                self.walk_reveals(value);
                if *op == StoreOp::Set && self.holds_already(place, value) {
                    self.note_unseen(place);
                    let known = self.knowers_after(place, *op, value);
                    self.note_knowers(place, known);
                    return Vec::new();
                }
                let made = match op {
                    StoreOp::Set => self.made_of(place.var, value),
                    _ => None,
                };
                let known = self.knowers_after(place, *op, value);
                self.store_expr(place, value);
                self.note_value(place, *op, value);
                if *op == StoreOp::Set {
                    self.held_after(place, Some(value));
                }
                self.note_knowers(place, known);
                made.into_iter().for_each(|made| self.flow.made(made));
            }
            StmtKind::If {
                cond,
                then,
                otherwise,
            } => {
                self.walk_reveals(cond);
                let value = self.eval_bool(cond);
                let guard = self.guard("this branch is taken", cond.span, &[cond]);
                match value {
                    Some(true) => self.walk_side(guard, then, &[otherwise]),
                    Some(false) => self.walk_side(guard, otherwise, &[then]),
                    None => self.walk_branches(guard, &[then, otherwise], &mut |this, side| {
                        this.quiet_where(cond, side == 0);
                        this.held_where(cond, side == 0);
                        this.note_tested(cond, side == 0);
                    }),
                }
            }
            StmtKind::Match {
                scrutinee,
                arms,
                otherwise,
            } => self.walk_match(scrutinee, arms, otherwise.as_ref()),
            StmtKind::Each {
                local,
                domain,
                cond,
                body,
            } => self.walk_each(*local, domain, cond.as_ref(), body, stmt.reading),
            StmtKind::Repeat { count, body } => {
                self.forbid_reveal(count, "a count");
                let rounds = match self.eval_scalar(count) {
                    Some(n) if n <= 0 => return Vec::new(),
                    Some(_) => Rounds::AtLeastOne,
                    None => Rounds::Any,
                };
                let guard = self.guard("this is repeated", count.span, &[count]);
                self.guarded(guard, |this| {
                    this.run_loop(rounds, &mut |this| {
                        this.begin_quiet(false);
                        this.walk_block(&body.stmts);
                    });
                });
            }
            StmtKind::While { cond, body, .. } => self.walk_while(cond, body, stmt.reading),
            StmtKind::Turns { .. } => self.walk_turns(stmt),
            StmtKind::Together(arms) => {
                self.walk_together(arms, stmt.span);
                let lone = arms.iter().filter(|a| a.each.is_none());
                let alternatives = lone.flat_map(|a| &a.choice.alternatives);
                return alternatives
                    .filter(|a| a.label.is_none())
                    .flat_map(|a| &a.parts)
                    .map(|p| Fresh::part(p, PlayerSet::EMPTY))
                    .collect();
            }
            StmtKind::OneMove(one) => self.walk_one_move(one),
            StmtKind::Choice(choice) => return self.walk_choice(choice),
            StmtKind::Draw(draw) => {
                let pc = self.pc();
                self.walk_draw(draw);
                let parts = draw.parts.iter();
                return parts.map(|p| Fresh::part(p, pc)).collect();
            }
            StmtKind::Deal(deal) => self.walk_deal(deal),
            StmtKind::Expr(e) => self.walk_reveals(e),
            StmtKind::Said { event, text } => {
                self.walk_reveals(event);
                self.walk_said(event, text);
            }
            StmtKind::Break { around } => self.leave_round(stmt.span, Some(*around as usize)),
            StmtKind::Continue => self.leave_round(stmt.span, None),
            StmtKind::End(_) => self.walk_end(stmt.span),
            StmtKind::Block(body) | StmtKind::AtOnce { body, .. } | StmtKind::Note(body) => {
                self.walk_block(&body.stmts);
            }
        }
        Vec::new()
    }

    /// One side of a branch, which is certain where names stand for what they do; for others it may be one of `others`.
    fn walk_side(&mut self, guard: Guard, side: &'d Block, others: &[&Block]) {
        self.leave_elsewhere(&guard, others);
        self.guarded(guard, |this| this.walk_block(&side.stmts));
    }

    fn walk_match(
        &mut self,
        scrutinee: &'d Expr,
        arms: &'d [MatchArm<Block>],
        otherwise: Option<&'d Block>,
    ) {
        self.walk_reveals(scrutinee);
        let value = self.eval_scalar(scrutinee);
        let mut blocks: Vec<&'d Block> = Vec::new();
        let mut others: Vec<&'d Block> = Vec::new();
        let mut of: Vec<&'d [i64]> = Vec::new();
        for arm in arms {
            if value.is_none_or(|v| arm.values.contains(&v)) {
                blocks.push(&arm.body);
                of.push(&arm.values);
            } else {
                others.push(&arm.body);
            }
        }
        if let Some(block) = otherwise {
            match value.is_none() || blocks.is_empty() {
                true => blocks.push(block),
                false => others.push(block),
            }
        }
        let guard = self.guard("this branch is taken", scrutinee.span, &[scrutinee]);
        self.leave_elsewhere(&guard, &others);
        self.walk_branches(guard, &blocks, &mut |this, side| {
            let values = of.get(side).copied();
            this.quiet_at(scrutinee, values, arms);
            this.held_at(scrutinee, values, arms);
        });
    }

    /// Any one of these blocks, from the same point, with what is known where it is entered. Stores that are the same in
    /// all of them, at their beginning or at their end, do not depend on which it is.
    fn walk_branches(
        &mut self,
        guard: Guard,
        blocks: &[&'d Block],
        enter: &mut dyn FnMut(&mut Checker<'d>, usize),
    ) {
        let blocks: Vec<&'d [Stmt]> = blocks.iter().map(|b| b.stmts.as_slice()).collect();
        let Some(first) = blocks.first() else {
            return;
        };
        let (before, after) = match blocks.len() {
            1 => (0, 0),
            _ => equal_ends(&blocks),
        };
        self.walk_block(&first[..before]);
        self.guarded(guard, |this| {
            let start = this.flow.clone();
            this.flow.live = false;
            for (side, block) in blocks.iter().enumerate() {
                let mut done = std::mem::replace(&mut this.flow, start.clone());
                if before == 0 {
                    enter(this, side);
                }
                let part = &block[before..block.len() - after];
                this.in_doubt(blocks.len() > 1, |this| this.walk_block(part));
                let mut held = std::mem::take(&mut this.flow.held);
                this.test_both(&mut done.held, &mut held);
                this.flow.held = held;
                done.join(&this.flow);
                this.flow = done;
            }
        });
        self.walk_block(&first[first.len() - after..]);
    }

    /// The condition is looked at once more than the body runs, so its reveals happen at the head and at the end; but after
    /// the last round that there may be, it is not looked at any more.
    fn walk_while(&mut self, cond: &'d Expr, body: &'d Block, reading: Option<ReadingId>) {
        let value = self.eval_bool(cond);
        self.walk_reveals(cond);
        if value == Some(false) {
            return;
        }
        self.forget_told_in(body);
        let guard = self.guard("this loop goes on", cond.span, &[cond]);
        self.guarded(guard, |this| {
            this.run_loop(Rounds::Any, &mut |this| {
                this.begin_quiet(false);
                this.quiet_where(cond, true);
                this.held_where(cond, true);
                this.walk_block(&body.stmts);
                this.end_round();
                if this.flow.live {
                    this.may_be_over();
                    this.tell_shown(reading);
                    this.walk_reveals(cond);
                }
            });
        });
    }

    fn walk_end(&mut self, span: Span) {
        self.flow.live = false;
        let Some(p) = (self.everyone - self.here()).lowest() else {
            return;
        };
        let name = self.name(p).to_string();
        let problem = Diagnostic::error(
            codes::END,
            span,
            format!("everybody sees the game end here, but {name} could not know whether it does"),
        )
        .label(format!(
            "{name} would learn something from the end of the game"
        ))
        .hint(format!("`reveal(…)` the condition to {name} before `end`"));
        let problem = self.explain(problem, p);
        self.report(problem);
    }

    /// The reveals in an expression, inner ones first. They all happen: those under a condition are statements.
    pub(super) fn walk_reveals(&mut self, e: &Expr) {
        if !e.reveals() {
            return;
        }
        match &e.kind {
            ExprKind::Reveal { value, viewers, .. } => {
                self.walk_reveals(value);
                self.walk_reveal(e, value, viewers);
            }
            ExprKind::Let { local, value, body } => {
                self.walk_reveals(value);
                self.bind_let(*local, value);
                self.walk_reveals(body);
            }
            ExprKind::Fold(fold) => {
                self.walk_reveals(&fold.domain);
                for inner in fold.cond.iter().chain([&fold.body]) {
                    self.forbid_reveal(inner, "a formula that runs over a set");
                }
            }
            ExprKind::Array { body, .. } => {
                self.forbid_reveal(body, "a formula that runs over a set");
            }
            ExprKind::Shown { value, .. } => {
                self.forbid_reveal(value, "a `def`");
            }
            _ => {
                let mut parts = Vec::new();
                e.for_each_child(|child| parts.push(child));
                for child in parts {
                    self.walk_reveals(child);
                }
            }
        }
    }

    fn walk_reveal(&mut self, e: &Expr, value: &Expr, viewers: &Expr) {
        let (must, may) = self.event_viewers(viewers, e.span);
        self.require_pc(
            (may, PlayerSet::EMPTY),
            e.span,
            "this `reveal`",
            codes::EVENT,
        );
        self.on_view(
            (SiteKind::Reveal, e.span),
            (String::new(), None),
            viewers,
            EventCase {
                chooser: None,
                certain: must,
                possible: may,
            },
        );
        let known = self.label(value);
        let told = may - known;
        // What was told before is not on view for all that.
        let news = may - self.untold(|this| this.label(value));
        self.note_reveal(e.span, may, news);
        if !told.is_empty() {
            let because = self.reasons(known, &[value]);
            self.told(SiteKind::Reveal, e.span, may, told, &because);
            if must != may {
                self.told_to_members(e.span, may, viewers);
            }
        }
        self.hear(must);
        self.tell_element(value, must & self.here());
    }

    /// The text of a reveal, which is read by those who are told, and by nobody else.
    fn walk_said(&mut self, event: &Expr, text: &Text) {
        let ExprKind::Reveal { value, viewers, .. } = &event.kind else {
            return;
        };
        let (_, readers) = self.viewers(viewers);
        let told = readers - self.label(value);
        self.note_said(event.span, text, told);
        let outer = std::mem::replace(&mut self.readers, readers);
        self.label_holes(text, &[], readers);
        self.readers = outer;
    }

    /// A guard for what only `known` could know, with no condition to point to but `of`.
    pub(super) fn guard_known(
        &mut self,
        what: &'static str,
        span: Span,
        known: PlayerSet,
        of: &[&Expr],
    ) -> Guard {
        let because = self.reasons(known, of).into_iter().collect();
        let mut reads = SmallVec::new();
        for e in of.iter().filter(|_| known != self.everyone) {
            e.for_each(|e| {
                if let ExprKind::Var { var, .. } = &e.kind {
                    reads.push(*var);
                }
            });
        }
        Guard {
            known,
            span,
            what,
            because,
            reads,
        }
    }

    // `e after { … }`: whoever could know everything that the statements and e look at could know its value. A variable
    // that is stored to keeps its viewers, so that e may seem more secret than it is, never less.

    pub(super) fn label_after(&mut self, body: &Block, value: &Expr) -> PlayerSet {
        let before = self.tried.len();
        body.for_each_stmt(|stmt| {
            if let StmtKind::Store { place, .. } = &stmt.kind {
                self.tried.push(place.var);
            }
        });
        let tried = self.label_stmts(body);
        let known = self.or_all(Rule::Tried, tried) & self.label(value);
        self.tried.truncate(before);
        known
    }

    fn label_stmts(&mut self, block: &Block) -> PlayerSet {
        let mut known = self.everyone;
        for stmt in &block.stmts {
            known &= self.label_stmt(stmt);
        }
        known
    }

    /// Who could know everything that a statement looks at.
    fn label_stmt(&mut self, stmt: &Stmt) -> PlayerSet {
        match &stmt.kind {
            StmtKind::Let { local, value } => {
                let known = self.label(value);
                self.bind_let(*local, value);
                known
            }
            StmtKind::Store { place, value, .. } => {
                let mut known = self.label(value);
                for index in &place.indices {
                    let (PlaceIndex::One(e) | PlaceIndex::Each(e)) = index;
                    known &= self.label(e);
                }
                known
            }
            StmtKind::If {
                cond,
                then,
                otherwise,
            } => {
                let known = self.label(cond);
                known
                    & match self.eval_bool(cond) {
                        Some(true) => self.label_stmts(then),
                        Some(false) => self.label_stmts(otherwise),
                        None => self.label_stmts(then) & self.label_stmts(otherwise),
                    }
            }
            StmtKind::Match {
                scrutinee,
                arms,
                otherwise,
            } => {
                let mut known = self.label(scrutinee);
                for arm in arms {
                    known &= self.label_stmts(&arm.body);
                }
                if let Some(block) = otherwise {
                    known &= self.label_stmts(block);
                }
                known
            }
            StmtKind::Each {
                local,
                domain,
                cond,
                body,
            } => {
                let known = self.label(domain);
                let ty = self.d.local(*local).ty.clone();
                let values = self.instances(&ty, Some(domain));
                known
                    & self.label_over(*local, known, values, cond.as_ref(), |this| {
                        this.label_stmts(body)
                    })
            }
            StmtKind::Turns {
                local,
                first,
                among,
                cond,
                body,
                ..
            } => {
                let known = self.label(first) & self.label(among);
                let ty = self.d.local(*local).ty.clone();
                let values = self.instances(&ty, None);
                known
                    & self.label_over(*local, known, values, cond.as_ref(), |this| {
                        this.label_stmts(body)
                    })
            }
            StmtKind::Repeat { count: e, body } | StmtKind::While { cond: e, body, .. } => {
                self.label(e) & self.label_stmts(body)
            }
            StmtKind::Expr(e) => self.label(e),
            // A note matters only to notes, but so may the value.
            StmtKind::Block(body) | StmtKind::AtOnce { body, .. } | StmtKind::Note(body) => {
                self.label_stmts(body)
            }
            // A break happens under conditions that count already; nothing else may stand here.
            StmtKind::Break { .. } | StmtKind::Continue => self.everyone,
            StmtKind::Together(_)
            | StmtKind::OneMove(_)
            | StmtKind::Choice(_)
            | StmtKind::Draw(_)
            | StmtKind::Deal(_)
            | StmtKind::Said { .. }
            | StmtKind::End(_) => PlayerSet::EMPTY,
        }
    }
}

impl Checker<'_> {
    /// Who could know what a set is made of that is stored, where it is not what was moved there: it is made of values, or it is, or is
    /// a part of, another one that was just made.
    fn made_of(&mut self, var: VarId, value: &Expr) -> Option<Made> {
        if is_made(value) {
            // What was drawn is left out as a card is taken out of a pile: the rest is as good as one.
            let known = match is_all_but_named(value) {
                true => self.everyone,
                false => self.label(value),
            };
            return Some(Made {
                var,
                known,
                all_but: self.clean(value).all_but,
            });
        }
        match &value.kind {
            ExprKind::Cast(inner) | ExprKind::Shown { value: inner, .. } => {
                self.made_of(var, inner)
            }
            ExprKind::Var { var: from, .. } if matches!(value.ty, Type::Set(_)) => {
                self.flow.just_made(*from).map(|made| Made { var, ..made })
            }
            ExprKind::Binary {
                op: BinaryOp::Difference,
                left,
                right,
            } => {
                let made = self.made_of(var, left)?;
                // All without all but a secret is the secret.
                let known = made.known - self.clean(right).all_but;
                Some(Made { known, ..made })
            }
            ExprKind::Binary {
                op: BinaryOp::Intersect,
                left: a,
                right: b,
            }
            | ExprKind::If {
                then: a,
                otherwise: b,
                ..
            } => {
                let (a, b) = (self.made_of(var, a), self.made_of(var, b));
                match (a, b) {
                    (Some(a), Some(b)) => Some(a.or(b)),
                    (one, other) => one.or(other),
                }
            }
            ExprKind::Binary {
                op: BinaryOp::Union,
                left,
                right,
            } => {
                let (a, b) = (self.made_of(var, left)?, self.made_of(var, right)?);
                Some(a.or(b))
            }
            _ => None,
        }
    }
}

/// Whether a set is a constant one without a value of a variable or a name, or without several.
fn is_all_but_named(set: &Expr) -> bool {
    let is_value = |e: &Expr| match &e.uncast().kind {
        ExprKind::Local(_) => true,
        ExprKind::Var { indices, .. } => indices.is_empty(),
        _ => false,
    };
    match &set.uncast().kind {
        ExprKind::ConstSet(_) => true,
        ExprKind::Binary {
            op: BinaryOp::Difference,
            left,
            right,
        } => {
            let values = match &right.uncast().kind {
                ExprKind::SetOf(values) => values.iter().all(is_value),
                _ => false,
            };
            values && is_all_but_named(left)
        }
        _ => false,
    }
}

/// Whether a set is made of values, and of no set that is stored.
fn is_made(value: &Expr) -> bool {
    let is_set = |e: &Expr| matches!(e.ty, Type::Set(_));
    is_set(value) && !value.any(|e| is_set(e) && matches!(e.kind, ExprKind::Var { .. }))
}
