//! Statements: stores, branches and `together`. Loops are in `loops`, choices and chance in `choice`.

use super::arithmetic::interval;
use super::checker::{Checker, is_const};
use super::codes;
use super::collections::Over;
use super::convert::{join, said};
use super::facts::meet;
use super::scope::Binding;
use super::state::GivenIndex;
use crate::model::facts::{Fact, Key, decided, key_of_part};
use crate::model::types::Type;
use crate::model::{
    self, Arm, ArmEach, BinaryOp, Block, Expr, ExprKind, LocalId, Place, PlaceIndex, SiteKind,
    Stmt, StmtKind, StoreOp,
};
use crate::syntax::ast;
use crate::syntax::visit::Visitor;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;

/// What cannot be where statements are only tried.
const NO_CHOICE: &str = "nobody can choose";
const NO_CHANCE: &str = "nothing can be drawn";

impl<'a> Checker<'a> {
    pub fn play(&mut self) -> Option<Block> {
        let play = self.names.play?;
        self.block(&play.body)
    }

    /// A block with a scope of its own. Afterwards `diverged` says whether it never goes on.
    pub fn block(&mut self, block: &'a ast::Block) -> Option<Block> {
        self.deeper(block.span, |this| {
            let names = this.frame.names.len();
            let made = this.statements(&block.stmts);
            this.are_gone(names);
            made
        })
    }

    fn statements(&mut self, stmts: &'a [ast::Stmt]) -> Option<Block> {
        let mut made = Vec::new();
        let mut ok = true;
        let mut warned = false;
        self.diverged = false;
        for (i, stmt) in stmts.iter().enumerate() {
            if !self.diverged {
                self.ended.clear();
                ok &= self.stmt(stmt, &mut made).is_some();
                if let Some(next) = stmts.get(i + 1) {
                    self.note_taken_twice(stmt, next);
                }
                continue;
            }
            let plain = matches!(
                stmts[i - 1].kind,
                ast::StmtKind::End | ast::StmtKind::Break | ast::StmtKind::Continue
            );
            let unread = matches!(stmt.kind, ast::StmtKind::Error);
            if plain && !warned && !unread {
                self.report(
                    Diagnostic::warning(codes::UNREACHABLE, stmt.span, "this is never reached")
                        .note(stmts[i - 1].span, "nothing goes on from here")
                        .hint("leave it out, or put it first"),
                );
            }
            warned = true;
            self.in_dead(|this| this.stmt(stmt, &mut Vec::new()));
        }
        ok.then_some(Block { stmts: made })
    }

    fn stmt(&mut self, stmt: &'a ast::Stmt, out: &mut Vec<Stmt>) -> Option<()> {
        self.count_work(stmt.span);
        self.deeper(stmt.span, |this| this.stmt_inner(stmt, out))
    }

    fn stmt_inner(&mut self, stmt: &'a ast::Stmt, out: &mut Vec<Stmt>) -> Option<()> {
        use ast::StmtKind as S;
        let span = stmt.span;
        let kind = match &stmt.kind {
            S::Let { name, ty, value } => {
                self.name_in_text(name, value);
                let value = self.let_value(ty.as_ref(), value);
                self.given_name = None;
                let failed = value.is_none();
                match self.bind_value(name, value) {
                    Some((id, value)) => StmtKind::Let { local: id, value },
                    None if failed => return None,
                    None => return Some(()),
                }
            }
            S::Assign { place, op, value } => {
                if let (Some(name), ast::AssignOp::Set) = (place.as_name(), op) {
                    self.name_in_text(name, value);
                }
                let (kind, lets) = self.assign_indices(place, *op, value);
                self.given_name = None;
                for (local, value) in lets {
                    let span = value.span;
                    self.put_stmt(StmtKind::Let { local, value }, span, out);
                }
                kind?
            }
            S::Note { place, op, value } => self.note(place, *op, value, span)?,
            S::If {
                cond,
                then,
                otherwise,
            } => self.if_stmt(cond, then, otherwise.as_ref())?,
            S::Match { scrutinee, arms } => self.match_stmt(scrutinee, arms, span)?,
            S::Each { binders, body } => {
                self.forget_stored(body);
                self.each(binders, body, binders.len() as u32 - 1, span)?
            }
            S::Repeat { count, body } => self.repeat(count, body)?,
            S::While { cond, bound, body } => self.while_stmt(cond, bound, body)?,
            S::Turns(turns) => self.turns(turns)?,
            S::Together(together) => {
                self.refuse_in_trial(NO_CHOICE, span)?;
                self.refuse_in_move("others cannot choose", span)?;
                let made = self.together(together, span)?;
                let computed = std::mem::take(&mut self.kept);
                self.put_stmt(made, span, out);
                self.bound_again(computed, out);
                return Some(());
            }
            S::OneMove(one) => {
                self.refuse_in_trial(NO_CHOICE, span)?;
                self.one_move(one, span)?
            }
            S::Choice(choice) => {
                self.refuse_in_trial(NO_CHOICE, span)?;
                let made = self.choice(choice, span, &[]);
                self.leave_names(choice, made.is_some());
                let computed = self.kept_of(choice);
                self.put_stmt(StmtKind::Choice(made?), span, out);
                self.bound_again(computed, out);
                return Some(());
            }
            S::Draw(draw) => {
                self.refuse_in_trial(NO_CHANCE, span)?;
                self.refuse_in_move(NO_CHANCE, span)?;
                let (draw, taken) = self.draw(draw, span)?;
                let computed = std::mem::take(&mut self.kept);
                self.put_stmt(StmtKind::Draw(draw), span, out);
                if let Some(store) = taken {
                    self.put_stmt(store, span, out);
                }
                self.bound_again(computed, out);
                return Some(());
            }
            S::Deal(deal) => {
                self.refuse_in_trial(NO_CHANCE, span)?;
                self.refuse_in_move(NO_CHANCE, span)?;
                StmtKind::Deal(self.deal(deal, span)?)
            }
            S::Expr(e) => {
                let made = self.expr(e, None)?;
                self.event(made)
            }
            S::Call { rule, args } => self.call_rule(rule, args, span)?,
            S::End => {
                self.refuse_in_trial("the game cannot end", span)?;
                self.diverged = true;
                StmtKind::End(self.new_site(SiteKind::End, span))
            }
            S::Break | S::Continue => {
                self.diverged = true;
                let (word, kind) = match stmt.kind {
                    S::Break => (
                        "break",
                        StmtKind::Break {
                            around: self.frame.around,
                        },
                    ),
                    _ => ("continue", StmtKind::Continue),
                };
                if self.frame.loops == 0 {
                    self.report(
                        Diagnostic::error(
                            codes::OUTSIDE_LOOP,
                            span,
                            format!("there is no loop here to `{word}`"),
                        )
                        .hint("it stands in the body of `repeat`, `each`, `while` or `turns`, in the same rule"),
                    );
                    return None;
                }
                kind
            }
            S::Error => return None,
        };
        self.put_stmt(kind, span, out);
        Some(())
    }

    // ---- stores -------------------------------------------------------------------------------

    /// A place to store to, with the type of one element.
    pub fn place(&mut self, e: &'a ast::Expr) -> Option<(Place, Type)> {
        let (var, given) = self.place_root(e)?;
        let i = var.0 as usize;
        self.may_store(i, e.span)?;
        let types = self.vars[i].index_types();
        if given.len() != types.len() {
            let name = self.vars[i].name.clone();
            self.wrong_indices(&name, types.len(), given.len(), e.span);
            return None;
        }
        let indices = self.place_indices(given, &types)?;
        let place = Place {
            var,
            indices,
            span: e.span,
        };
        Some((place, self.vars[i].ty.clone()))
    }

    /// The indices of a place, as many as are given.
    pub fn place_indices(
        &mut self,
        given: Vec<GivenIndex<'a>>,
        types: &[Type],
    ) -> Option<Vec<PlaceIndex>> {
        let mut indices = Vec::new();
        for (index, ty) in given.into_iter().zip(types) {
            let index = match index {
                GivenIndex::Written(index) => index,
                GivenIndex::Made(index) => {
                    indices.push(Some(PlaceIndex::One(index)));
                    continue;
                }
            };
            let want = match index.kind {
                ast::ExprKind::All | ast::ExprKind::Set(_) => Type::set_of(ty.clone()),
                _ => ty.clone(),
            };
            let made = match self.index_lets {
                Some(_) => self.expr(index, Some(&want)),
                None => self.quietly("an index", |this| this.expr(index, Some(&want))),
            };
            let name = revealed_name(index);
            indices.push(made.and_then(|made| {
                match made.ty {
                    Type::Set(_) => self
                        .coerce(made, &Type::set_of(ty.clone()))
                        .map(|e| PlaceIndex::Each(self.revealed_before(e, name))),
                    _ => self
                        .coerce(made, ty)
                        .map(|e| PlaceIndex::One(self.revealed_before(e, name))),
                }
            }));
        }
        indices.into_iter().collect()
    }

    /// A store, and the indices that are revealed before it.
    fn assign_indices(
        &mut self,
        place: &'a ast::Expr,
        op: ast::AssignOp,
        value: &'a ast::Expr,
    ) -> (Option<StmtKind>, Vec<(LocalId, Expr)>) {
        let outer = self.index_lets.replace(Vec::new());
        let kind = self.assign(place, op, value);
        let lets = std::mem::replace(&mut self.index_lets, outer);
        (kind, lets.unwrap_or_default())
    }

    /// An index, which is revealed before the store if it is. Messages call it by `name`.
    fn revealed_before(&mut self, e: Expr, name: &str) -> Expr {
        if !e.reveals() {
            return e;
        }
        let local = self.new_local(name, e.ty.clone(), e.span);
        let read = self.local_expr(local, e.span);
        if let Some(lets) = &mut self.index_lets {
            lets.push((local, e));
        }
        read
    }

    /// A place that is one element.
    pub fn single_place(&mut self, e: &'a ast::Expr) -> Option<(Place, Type)> {
        let (place, ty) = self.place(e)?;
        if place
            .indices
            .iter()
            .any(|i| matches!(i, PlaceIndex::Each(_)))
        {
            self.report(
                Diagnostic::error(
                    codes::NOT_A_PLACE,
                    e.span,
                    "one element is needed here, and this is several",
                )
                .hint("give single indices"),
            );
            return None;
        }
        Some((place, ty))
    }

    pub fn assign(
        &mut self,
        place: &'a ast::Expr,
        op: ast::AssignOp,
        value: &'a ast::Expr,
    ) -> Option<StmtKind> {
        if op == ast::AssignOp::Set && self.is_row(place, value) {
            return self.store_row(place, value);
        }
        if let ast::ExprKind::Reveal { value: row, .. } = &value.kind
            && self.is_row(place, row)
        {
            self.whole_row(row, true);
            return None;
        }
        let Some((place, ty)) = self.place(place) else {
            // The value may have errors of its own.
            if !self.needy(value) {
                self.expr(value, None);
            }
            return None;
        };
        if op == ast::AssignOp::Set {
            let value = self.expr(value, Some(&ty));
            let some = value.as_ref().is_some_and(|v| self.is_some(v));
            let filled = matches!(ty, Type::Optional(_)) && some;
            let any = value.as_ref().is_some_and(|v| self.has_any(v));
            self.forget(place.var);
            let value = value?;
            let value = self.coerce(value, &ty)?;
            if (filled || any)
                && let Some(key) = place_key(&place)
            {
                let nonempty = any;
                self.frame.facts.push(Fact { key, nonempty });
            }
            return Some(StmtKind::Store {
                place,
                op: StoreOp::Set,
                value,
            });
        }
        let made = self.expr(value, Some(&ty));
        let any = made.as_ref().is_some_and(|v| match v.ty {
            Type::Set(_) => self.has_any(v),
            _ => self.is_some(v),
        });
        self.forget(place.var);
        let made = made?;
        let value = match &ty {
            Type::Set(element) => {
                if any
                    && op == ast::AssignOp::Add
                    && let Some(key) = place_key(&place)
                {
                    let nonempty = true;
                    self.frame.facts.push(Fact { key, nonempty });
                }
                self.coerce_to_set(made, element)?
            }
            Type::Int { lo, hi } => {
                let value = self.integer(made)?;
                let Type::Int { lo: l, hi: h } = value.ty else {
                    return None;
                };
                let op = if op == ast::AssignOp::Add {
                    BinaryOp::Add
                } else {
                    BinaryOp::Sub
                };
                match interval(op, (*lo, *hi), (l, h)) {
                    None => {
                        self.overflow(value.span);
                        return None;
                    }
                    Some((l, h)) if h < *lo || l > *hi => {
                        self.never_fits(value.span, l, h, &ty);
                        return None;
                    }
                    Some(_) => value,
                }
            }
            ty => {
                self.report(
                    Diagnostic::error(
                        codes::TYPE_MISMATCH,
                        place.span,
                        "`+=` and `-=` change integers and sets",
                    )
                    .label(format!("this is {}", said(ty)))
                    .hint("store the new value with `=`"),
                );
                return None;
            }
        };
        let op = if op == ast::AssignOp::Add {
            StoreOp::Add
        } else {
            StoreOp::Sub
        };
        Some(StmtKind::Store { place, op, value })
    }

    // ---- branches -----------------------------------------------------------------------------

    fn if_stmt(
        &mut self,
        cond: &'a ast::Expr,
        then: &'a ast::Block,
        otherwise: Option<&'a ast::Block>,
    ) -> Option<StmtKind> {
        let cond = self.condition(cond);
        if let Some(holds) = cond.as_ref().and_then(decided) {
            let (taken, other) = match holds {
                true => (Some(then), otherwise),
                false => (otherwise, Some(then)),
            };
            if let Some(other) = other {
                self.in_dead(|this| this.block(other));
            }
            self.diverged = false;
            let block = match taken {
                Some(taken) => self.block(taken)?,
                None => Block::default(),
            };
            return Some(StmtKind::Block(self.once_asked_block(cond?, block)));
        }
        let before = self.frame.facts.clone();
        if let Some(cond) = &cond {
            self.learn(cond, true);
        }
        let then = self.block(then);
        let (ends, after) = self.way();
        self.frame.facts = before;
        if let Some(cond) = &cond {
            self.learn(cond, false);
        }
        self.diverged = false;
        let otherwise = match otherwise {
            Some(block) => self.block(block),
            None => Some(Block::default()),
        };
        let (also, other) = self.way();
        self.frame.facts = meet(vec![after, other]);
        self.diverged = ends && also;
        Some(StmtKind::If {
            cond: cond?,
            then: then?,
            otherwise: otherwise?,
        })
    }

    /// As [`once_asked`](Self::once_asked), for statements.
    fn once_asked_block(&mut self, cond: Expr, mut taken: Block) -> Block {
        if !is_const(&cond) {
            let (mut stmts, span) = (Vec::new(), cond.span);
            self.put_stmt(StmtKind::Expr(cond), span, &mut stmts);
            taken.stmts.splice(..0, stmts);
        }
        taken
    }

    /// Whether the block just checked ends here, and what is known after it if it does not.
    pub fn way(&mut self) -> (bool, Option<Vec<Fact>>) {
        let facts = std::mem::take(&mut self.frame.facts);
        (self.diverged, (!self.diverged).then_some(facts))
    }

    fn match_stmt(
        &mut self,
        scrutinee: &'a ast::Expr,
        arms: &'a [ast::MatchArm<ast::Block>],
        span: Span,
    ) -> Option<StmtKind> {
        let patterns = arms.iter().map(|a| a.patterns.as_slice());
        let scrutinee = self.scrutinee(scrutinee, patterns);
        let read = match &scrutinee {
            Some(scrutinee) => self.arms(scrutinee, arms, span),
            None => None,
        };
        if let Some(taken) = read.as_ref().and_then(|r| r.taken) {
            for (i, arm) in arms.iter().enumerate() {
                if i != taken {
                    self.in_dead(|this| this.block(&arm.body));
                }
            }
            self.diverged = false;
            return Some(StmtKind::Block(self.block(&arms[taken].body)?));
        }
        let before = self.frame.facts.clone();
        let mut blocks = Vec::new();
        let mut ways = Vec::new();
        let mut ends = true;
        for (i, arm) in arms.iter().enumerate() {
            if read.as_ref().is_some_and(|r| r.absent(i)) {
                self.in_dead(|this| this.block(&arm.body));
                blocks.push(Some(Block::default()));
                continue;
            }
            self.frame.facts.clone_from(&before);
            if let (Some(read), Some(scrutinee)) = (&read, &scrutinee) {
                self.frame.facts.extend(read.some_fact(i, scrutinee));
            }
            blocks.push(self.block(&arm.body));
            let (ended, facts) = self.way();
            ends &= ended;
            ways.push(facts);
        }
        self.frame.facts = meet(ways);
        self.diverged = ends && !arms.is_empty();
        let (scrutinee, read) = (scrutinee?, read?);
        let blocks = blocks.into_iter().collect::<Option<Vec<_>>>()?;
        let mut cases = Vec::new();
        let mut otherwise = None;
        for (i, (block, values)) in blocks.into_iter().zip(read.values).enumerate() {
            if read.otherwise == Some(i) {
                otherwise = Some(block);
            } else if !values.is_empty() {
                cases.push(model::MatchArm {
                    values,
                    body: block,
                });
            }
        }
        Some(StmtKind::Match {
            scrutinee,
            arms: cases,
            otherwise,
        })
    }

    // ---- together -----------------------------------------------------------------------------

    fn together(&mut self, together: &'a ast::Together, span: Span) -> Option<StmtKind> {
        let loops = std::mem::take(&mut self.frame.loops);
        let made = self.together_arms(together, span);
        self.frame.loops = loops;
        self.diverged = false;
        made.map(StmtKind::Together)
    }

    fn together_arms(&mut self, together: &'a ast::Together, span: Span) -> Option<Vec<Arm>> {
        match together {
            ast::Together::Arms(stmts) => {
                self.forget_stored_by(stmts);
                let facts = self.frame.facts.clone();
                let mut arms: Vec<Arm> = Vec::new();
                let mut ok = true;
                let mut left: Vec<(String, Binding)> = Vec::new();
                let mut kept = Vec::new();
                for stmt in stmts {
                    self.frame.facts.clone_from(&facts);
                    match self.arm(stmt, stmts) {
                        Some(choice) => {
                            if choice.alternatives.iter().all(|a| a.label.is_none()) {
                                left.append(&mut self.left);
                                kept.append(&mut self.kept);
                            }
                            if let ExprKind::Const(v) = choice.chooser.kind
                                && let Some(first) = arms.iter().find(
                                    |a| matches!(a.choice.chooser.kind, ExprKind::Const(w) if w == v),
                                )
                            {
                                self.report(
                                    Diagnostic::error(
                                        codes::BAD_TOGETHER,
                                        stmt.span,
                                        format!(
                                            "`{}` chooses twice at the same time",
                                            choice.chooser.ty.show(v)
                                        ),
                                    )
                                    .note(first.choice.span, "the first choice")
                                    .hint("make it one choice of two values, or let one follow the other"),
                                );
                                ok = false;
                            }
                            arms.push(Arm { each: None, choice });
                        }
                        None => ok = false,
                    }
                }
                self.frame.facts = facts;
                // Their names stay in reach as those of any choice.
                for (i, (name, binding)) in left.iter().enumerate() {
                    let shared =
                        |(j, other): (usize, &(String, Binding))| j != i && other.0 == *name;
                    let binding = match left.iter().enumerate().any(shared) {
                        true => Binding::Several(span),
                        false => binding.clone(),
                    };
                    self.frame.names.push((name.clone(), binding));
                }
                self.kept = kept;
                if arms.is_empty() && ok {
                    self.report(
                        Diagnostic::error(
                            codes::BAD_TOGETHER,
                            span,
                            "nobody chooses in this `together`",
                        )
                        .hint("for example: together { Alice chooses … Bob chooses … }"),
                    );
                    return None;
                }
                ok.then_some(arms)
            }
            ast::Together::Each { binder, arm } => {
                let arms = std::slice::from_ref(&**arm);
                self.forget_stored_by(arms);
                let facts = self.frame.facts.clone();
                let player = self.player_type()?;
                let over = self.over_or(binder, None, arms, |this| this.arm(arm, arms));
                self.frame.facts = facts;
                self.kept.clear();
                let mut over = over?;
                if over.domain.ty != Type::set_of(player.clone()) {
                    self.mismatch(&over.domain, &Type::set_of(player));
                    return None;
                }
                self.ask_each_player(&mut over, &player)?;
                Some(vec![Arm {
                    each: Some(ArmEach {
                        local: over.local,
                        domain: over.domain,
                        cond: over.cond,
                    }),
                    choice: over.body,
                }])
            }
        }
    }

    /// Asks each player whether it is in a set that is not known before play: then it need know that of itself alone.
    fn ask_each_player(&mut self, over: &mut Over<model::Choice>, player: &Type) -> Option<()> {
        if is_const(&over.domain) {
            return Some(());
        }
        let span = over.domain.span;
        let all = self.full_set(player, span)?;
        let set = std::mem::replace(&mut over.domain, all);
        let truth = |op, left: Expr, right: Expr| Expr {
            kind: ExprKind::Binary {
                op,
                left: Box::new(left),
                right: Box::new(right),
            },
            ty: Type::Bool,
            span,
        };
        let inside = truth(BinaryOp::In, self.local_expr(over.local, span), set);
        over.cond = Some(match over.cond.take() {
            Some(cond) => truth(BinaryOp::And, inside, cond),
            None => inside,
        });
        Some(())
    }

    /// One choice of a `together`. Everybody chooses before anything follows, and then it follows arm by arm: what one of the
    /// `arms` stores to is not known in what follows from another.
    fn arm(&mut self, stmt: &'a ast::Stmt, arms: &'a [ast::Stmt]) -> Option<model::Choice> {
        match &stmt.kind {
            ast::StmtKind::Choice(choice) => self.choice(choice, stmt.span, arms),
            ast::StmtKind::Error => None,
            _ => {
                self.report(
                    Diagnostic::error(
                        codes::BAD_TOGETHER,
                        stmt.span,
                        "only choices can be made together",
                    )
                    .hint("put other statements before or after the `together`"),
                );
                None
            }
        }
    }

    // ---- names after a choice -----------------------------------------------------------------

    /// After a choice by values their names stay in reach for the rest of the block.
    fn leave_names(&mut self, choice: &'a ast::Choice, made: bool) {
        let ast::ChoiceOptions::Product(alternative) = &choice.options else {
            return;
        };
        let left = std::mem::take(&mut self.left);
        if !made {
            for part in &alternative.parts {
                let name = part.name.text.clone();
                self.frame.names.push((name, Binding::Poison));
            }
            return;
        }
        self.frame.names.extend(left);
    }

    /// The computed values that have a name after a choice.
    fn kept_of(&mut self, choice: &'a ast::Choice) -> Vec<super::computed::Computed> {
        let kept = std::mem::take(&mut self.kept);
        match &choice.options {
            ast::ChoiceOptions::Product(_) => kept,
            ast::ChoiceOptions::Labelled(_) => Vec::new(),
        }
    }

    /// Whether a value of one type can be kept in a place of another.
    pub fn can_hold(&mut self, value: &Expr, ty: &Type) -> Option<()> {
        if join(&value.ty, ty).is_none() {
            self.mismatch(value, ty);
            return None;
        }
        self.coerce(value.clone(), ty).map(|_| ())
    }
}

/// What is revealed in an index, by its first name.
fn revealed_name(index: &ast::Expr) -> &str {
    let mut revealed = FirstRevealed::default();
    revealed.expr(index);
    revealed.name.unwrap_or("…")
}

/// The first name in the first `reveal` of an expression.
#[derive(Default)]
struct FirstRevealed<'a> {
    within: bool,
    name: Option<&'a str>,
}

impl<'a> Visitor<'a> for FirstRevealed<'a> {
    fn expr(&mut self, e: &'a ast::Expr) {
        match &e.kind {
            _ if self.name.is_some() => {}
            ast::ExprKind::Name(name) if self.within => self.name = Some(&name.text),
            ast::ExprKind::Reveal { value, .. } => {
                self.within = true;
                self.expr(value);
            }
            _ => e.walk(self),
        }
    }
}

pub fn place_key(place: &Place) -> Option<Key> {
    let indices = place.indices.iter().map(|i| match i {
        PlaceIndex::One(e) => key_of_part(e).filter(|key| !key.reads(place.var)),
        PlaceIndex::Each(_) => None,
    });
    let indices = indices.collect::<Option<Vec<_>>>()?;
    Some(Key::Var(place.var, indices))
}
