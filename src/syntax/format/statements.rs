//! Statements: which words follow one another, and where their lines may break.
//!
//! Every kind of statement is named here, so that a new one does not compile until somebody says how it is set.

use super::writer::{FrameKind, Row, Writer};
use crate::syntax::ast::{
    Alternative, AssignOp, Block, Choice, ChoiceOptions, Draw, Expr, OneMove, Part, Source, Stmt,
    StmtKind, Together, Turns, Wording,
};

impl Writer<'_> {
    /// `{ … }`.
    pub(super) fn block(&mut self, block: &Block) {
        self.statements(&block.stmts);
    }

    fn statements(&mut self, stmts: &[Stmt]) {
        self.braces(FrameKind::Statements, stmts, |w, stmt| {
            w.row(Row::Plain, |w| {
                w.stmt(stmt);
                w.end_of_row();
            });
        });
    }

    /// A block, or the one statement that stands in place of it.
    pub(super) fn body(&mut self, block: &Block) {
        match block.stmts.as_slice() {
            [only] if self.peek() != "{" => {
                self.soft();
                self.stmt(only);
            }
            _ => self.block(block),
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Let { name, ty, value } => self.let_value(name, ty.as_ref(), value),
            StmtKind::Assign { place, op, value } => self.assign(place, *op, value),
            StmtKind::Note { place, op, value } => {
                self.put("note");
                self.assign(place, *op, value);
            }
            StmtKind::If {
                cond,
                then,
                otherwise,
            } => {
                self.put("if");
                self.expr(cond);
                self.block(then);
                if let Some(otherwise) = otherwise {
                    self.flush();
                    self.put("else");
                    match otherwise.stmts.as_slice() {
                        [chained] if self.peek() == "if" => self.stmt(chained),
                        _ => self.block(otherwise),
                    }
                }
            }
            StmtKind::Match { scrutinee, arms } => {
                self.put("match");
                self.expr(scrutinee);
                self.braces(FrameKind::Rows, arms, |w, arm| {
                    w.arm(&arm.patterns, |w| w.body(&arm.body));
                });
            }
            StmtKind::Each { binders, body } => {
                self.put("each");
                self.binders(binders);
                self.block(body);
            }
            StmtKind::Repeat { count, body } => {
                self.put("repeat");
                self.expr(count);
                self.put("times");
                self.block(body);
            }
            StmtKind::While { cond, bound, body } => {
                self.put("while");
                self.expr(cond);
                self.at_most(bound);
                self.block(body);
            }
            StmtKind::Turns(turns) => self.turns(turns),
            StmtKind::Together(Together::Arms(arms)) => {
                self.put("together");
                self.statements(arms);
            }
            StmtKind::Together(Together::Each { binder, arm }) => {
                self.words("together each");
                self.binder(binder);
                self.statements(std::slice::from_ref(arm));
            }
            StmtKind::OneMove(one) => self.one_move(one),
            StmtKind::Choice(choice) => self.choice(choice),
            StmtKind::Draw(draw) => self.draw(draw),
            StmtKind::Deal(deal) => {
                self.put("deal");
                self.expr(&deal.count);
                self.put("from");
                self.expr(&deal.from);
                self.put("to");
                self.expr(&deal.to);
                if deal.revealing {
                    self.soft();
                    self.put("revealing");
                }
            }
            StmtKind::Expr(value) => self.expr(value),
            StmtKind::Call { rule, args } => self.call(rule, args),
            StmtKind::End => self.put("end"),
            StmtKind::Break => self.put("break"),
            StmtKind::Continue => self.put("continue"),
            StmtKind::Error => self.lost = true,
        }
    }

    fn assign(&mut self, place: &Expr, op: AssignOp, value: &Expr) {
        self.expr(place);
        // Two characters are one sign.
        self.put(match op {
            AssignOp::Set => "=",
            AssignOp::Add => "+=",
            AssignOp::Sub => "-=",
        });
        self.soft();
        self.expr(value);
    }

    fn at_most(&mut self, bound: &Expr) {
        self.soft();
        self.words("at most");
        self.expr(bound);
    }

    fn turns(&mut self, turns: &Turns) {
        let Turns {
            name,
            first,
            among,
            cond,
            bound,
            body,
        } = turns;
        self.put("turns");
        self.name(name);
        self.put("from");
        self.expr(first);
        if let Some(among) = among {
            self.soft();
            self.put("among");
            self.expr(among);
        }
        if let Some(cond) = cond {
            self.soft();
            self.put("while");
            self.expr(cond);
        }
        self.at_most(bound);
        self.block(body);
    }

    fn one_move(&mut self, one: &OneMove) {
        let OneMove {
            body,
            greatest,
            otherwise,
        } = one;
        self.words("one move");
        self.block(body);
        if let Some(greatest) = greatest {
            self.flush();
            self.put("maximise");
            self.expr(greatest);
        }
        if let Some(otherwise) = otherwise {
            self.flush();
            self.put("else");
            self.block(otherwise);
        }
    }

    fn choice(&mut self, choice: &Choice) {
        let Choice {
            chooser,
            secretly,
            options,
            otherwise,
        } = choice;
        self.expr(chooser);
        self.put("chooses");
        if *secretly {
            self.put("secretly");
        }
        match options {
            ChoiceOptions::Product(product) => {
                self.alternative(product);
                if otherwise.is_some() {
                    self.before_else(product.body.as_ref());
                }
            }
            ChoiceOptions::Labelled(alternatives) => {
                self.braces(FrameKind::Rows, alternatives, |w, alternative| {
                    w.row(Row::Arm, |w| {
                        w.alternative(alternative);
                        // `{ left, right }` keeps its commas.
                        match (&alternative.body, w.ahead(1)) {
                            (None, next) if w.peek() == "," && next != "}" => w.mark(","),
                            _ => w.end_of_row(),
                        }
                    });
                });
            }
        }
        if let Some(otherwise) = otherwise {
            self.flush();
            self.put("else");
            self.block(otherwise);
        }
    }

    /// The semicolon of a statement that stands in place of a block, and before the `else` of the choice, goes, unless the
    /// `else` could then be read as that statement's own.
    fn before_else(&mut self, body: Option<&Block>) {
        let last = body.and_then(|b| b.stmts.last()).map(|s| &s.kind);
        let keep = matches!(last, Some(StmtKind::If { .. } | StmtKind::Choice(_)));
        while self.peek() == ";" && !self.lost {
            if keep {
                self.mark(";");
            } else {
                self.drop_mark(";");
            }
        }
    }

    fn alternative(&mut self, alternative: &Alternative) {
        let Alternative {
            label,
            parts,
            cond,
            text,
            body,
            span: _,
        } = alternative;
        if let Some(label) = label {
            self.name(label);
            if !parts.is_empty() {
                self.tight();
                self.list("(", parts, ")", Writer::part);
            }
        } else {
            self.parts(parts);
        }
        let bare = parts.is_empty() && cond.is_none() && text.is_none();
        let (mut cond, mut text) = (cond.as_ref(), text.as_ref());
        let last = parts.last().filter(|_| label.is_none());
        let mut into = last.and_then(|p| p.into.as_ref());
        let mut seen = last.and_then(|p| p.seen.as_ref());
        loop {
            match self.peek() {
                "where" if cond.is_some() => self.clause("where", &mut cond),
                "as" if text.is_some() => text.take().into_iter().for_each(|t| self.says(t)),
                _ => {
                    if !self.store(&mut into, &mut seen) {
                        break;
                    }
                }
            }
        }
        if let Some(body) = body {
            if bare {
                self.tab(0);
            }
            self.put("=>");
            self.body(body);
        }
    }

    /// A word and the expression that it stands before.
    fn clause(&mut self, words: &str, value: &mut Option<&Expr>) {
        self.soft();
        self.words(words);
        if let Some(value) = value.take() {
            self.expr(value);
        }
    }

    /// `as "…"`, as it is written.
    pub(super) fn text(&mut self) {
        self.soft();
        self.put("as");
        self.any();
    }

    /// `as "…" else "…"` of a truth value that is revealed.
    pub(super) fn says_so(&mut self) {
        self.text();
        self.soft();
        self.put("else");
        self.any();
    }

    /// `as "…"` of a move, with its conditions.
    pub(super) fn says(&mut self, text: &Wording) {
        if text.cases.is_empty() {
            return self.text();
        }
        self.soft();
        self.put("as");
        for (cond, _) in &text.cases {
            self.put("if");
            self.expr(cond);
            self.put("then");
            self.any();
            self.soft();
            self.put("else");
        }
        self.any();
    }

    fn parts(&mut self, parts: &[Part]) {
        for (i, part) in parts.iter().enumerate() {
            if i > 0 {
                self.mark(",");
                self.soft();
            }
            self.part(part);
        }
    }

    /// A part, but for an `into` and `seen by` that stand after another clause.
    fn part(&mut self, part: &Part) {
        let Part {
            family,
            name,
            member,
            domain,
            source,
            secretly: _,
            into: _,
            seen: _,
            span: _,
        } = part;
        let word = match source {
            Source::Set => "in",
            Source::Place => "from",
            Source::Value(ty) => return self.let_value(name, ty.as_ref(), domain),
        };
        self.secretly();
        if let Some(family) = family {
            self.put("each");
            self.binder(family);
            self.mark(":");
        }
        self.secretly();
        self.name(name);
        if let Some(member) = member {
            self.mark("[");
            self.tight();
            self.name(member);
            self.mark("]");
        }
        self.put(word);
        self.expr(domain);
        let (mut into, mut seen) = (part.into.as_ref(), part.seen.as_ref());
        while self.store(&mut into, &mut seen) {}
    }

    /// `secretly`, unless it is a name here.
    fn secretly(&mut self) {
        if self.peek() == "secretly" && self.ahead(1) != "in" {
            self.put("secretly");
        }
    }

    /// `into place` or `seen by viewers`, if one of them comes next.
    fn store(&mut self, into: &mut Option<&Expr>, seen: &mut Option<&Expr>) -> bool {
        match self.peek() {
            "into" if into.is_some() => self.clause("into", into),
            "seen" if seen.is_some() && self.ahead(1) == "by" => self.clause("seen by", seen),
            _ => return false,
        }
        true
    }

    fn draw(&mut self, draw: &Draw) {
        let Draw {
            parts,
            cond,
            weight,
            text,
            revealing,
        } = draw;
        self.put("draw");
        self.parts(parts);
        let (mut cond, mut weight) = (cond.as_ref(), weight.as_ref());
        let (mut text, mut revealing) = (text.as_ref(), *revealing);
        let last = parts.last();
        let mut into = last.and_then(|p| p.into.as_ref());
        let mut seen = last.and_then(|p| p.seen.as_ref());
        loop {
            match self.peek() {
                "where" if cond.is_some() => self.clause("where", &mut cond),
                "weighted" if weight.is_some() => self.clause("weighted", &mut weight),
                "as" if text.is_some() => text.take().into_iter().for_each(|t| self.says(t)),
                "revealing" if revealing => {
                    revealing = false;
                    self.soft();
                    self.put("revealing");
                }
                _ => {
                    if !self.store(&mut into, &mut seen) {
                        break;
                    }
                }
            }
        }
    }
}
