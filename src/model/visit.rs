//! One way to look through a description. What stands directly inside an expression or a statement is listed once, beside
//! the enum of its kind (`walk`); everything that looks for something is a [`Visitor`], or one of the functions below.

use super::{Block, Choice, Expr, ExprKind, LocalId, Part, Place, Stmt, StmtKind, Text};

/// Is called for everything inside what it visits, outermost first and in the order of the text: conditions, viewers and
/// texts too, what an `after` only tries, and notes. A method of its own goes on inwards by `walk`, or leaves out what is
/// inside.
pub trait Visitor<'d> {
    fn expr(&mut self, e: &'d Expr) {
        e.walk(self);
    }

    fn stmt(&mut self, s: &'d Stmt) {
        s.walk(self);
    }

    fn block(&mut self, b: &'d Block) {
        b.walk(self);
    }

    fn choice(&mut self, c: &'d Choice) {
        c.walk(self);
    }

    fn part(&mut self, p: &'d Part) {
        p.walk(self);
    }

    fn place(&mut self, p: &'d Place) {
        p.walk(self);
    }

    fn text(&mut self, t: &'d Text) {
        t.walk(self);
    }
}

/// Every expression, the outer ones first.
struct Exprs<F>(F);

impl<'d, F: FnMut(&'d Expr)> Visitor<'d> for Exprs<F> {
    fn expr(&mut self, e: &'d Expr) {
        (self.0)(e);
        e.walk(self);
    }
}

/// The outermost expressions only.
struct Children<F>(F);

impl<'d, F: FnMut(&'d Expr)> Visitor<'d> for Children<F> {
    fn expr(&mut self, e: &'d Expr) {
        (self.0)(e);
    }
}

/// The first expression of which something holds.
struct Find<'d, F> {
    test: F,
    found: Option<&'d Expr>,
    texts: bool,
}

impl<'d, F: FnMut(&'d Expr) -> bool> Visitor<'d> for Find<'d, F> {
    fn expr(&mut self, e: &'d Expr) {
        if self.found.is_none() && (self.test)(e) {
            self.found = Some(e);
        }
        if self.found.is_none() {
            e.walk(self);
        }
    }

    fn text(&mut self, t: &'d Text) {
        if self.texts {
            t.walk(self);
        }
    }
}

/// What can happen in play: statements, but not those that an `after` only tries, nor notes.
struct Stmts<F>(F);

impl<'d, F: FnMut(&'d Stmt)> Visitor<'d> for Stmts<F> {
    fn expr(&mut self, _: &'d Expr) {}

    fn stmt(&mut self, s: &'d Stmt) {
        if !matches!(s.kind, StmtKind::Note(_)) {
            (self.0)(s);
            s.walk(self);
        }
    }
}

/// The choices among what can happen in play, but not those that are parts of one move.
struct Choices<F>(F);

impl<'d, F: FnMut(&'d Choice)> Visitor<'d> for Choices<F> {
    fn expr(&mut self, _: &'d Expr) {}

    fn stmt(&mut self, s: &'d Stmt) {
        match &s.kind {
            StmtKind::OneMove(one) => one.otherwise.iter().for_each(|b| b.walk(self)),
            _ => s.walk(self),
        }
    }

    fn choice(&mut self, c: &'d Choice) {
        (self.0)(c);
        c.walk(self);
    }
}

impl Expr {
    /// Calls `f` on the expression and on everything inside it, outermost first.
    pub fn for_each<'d>(&'d self, f: impl FnMut(&'d Expr)) {
        Exprs(f).expr(self);
    }

    /// Calls `f` on each expression directly inside. In an `after` those are the expressions of its statements, and its value.
    pub fn for_each_child<'d>(&'d self, f: impl FnMut(&'d Expr)) {
        self.walk(&mut Children(f));
    }

    /// The first expression of which `test` holds, this one or one inside it.
    pub fn find(&self, test: impl FnMut(&Expr) -> bool) -> Option<&Expr> {
        let (found, texts) = (None, true);
        let mut find = Find { test, found, texts };
        find.expr(self);
        find.found
    }

    /// Whether `test` holds of the expression or of one inside it.
    pub fn any(&self, test: impl FnMut(&Expr) -> bool) -> bool {
        self.find(test).is_some()
    }

    pub fn reads_local(&self, local: LocalId) -> bool {
        self.any(|e| matches!(e.kind, ExprKind::Local(l) if l == local))
    }

    /// The locals that it reads and does not bind, in their order; `None` where it also depends on something else.
    pub fn free_locals(&self) -> Option<Vec<LocalId>> {
        let (mut read, mut bound) = (Vec::new(), Vec::new());
        let mut only_locals = true;
        self.for_each(|e| match &e.kind {
            ExprKind::Local(local) => read.push(*local),
            ExprKind::Let { local, .. } | ExprKind::Array { local, .. } => bound.push(*local),
            ExprKind::Fold(fold) => bound.push(fold.local),
            ExprKind::Var { .. }
            | ExprKind::After { .. }
            | ExprKind::Reveal { .. }
            | ExprKind::Told { .. }
            | ExprKind::Shown { .. } => only_locals = false,
            _ => {}
        });
        only_locals.then_some(())?;
        bound.sort_unstable();
        read.retain(|local| bound.binary_search(local).is_err());
        read.sort_unstable();
        read.dedup();
        Some(read)
    }

    /// The first reveal.
    pub fn find_reveal(&self) -> Option<&Expr> {
        self.find(|e| matches!(e.kind, ExprKind::Reveal { .. }))
    }

    /// Whether something in it is revealed.
    pub fn reveals(&self) -> bool {
        self.find_reveal().is_some()
    }
}

impl Stmt {
    /// Whether `test` holds of an expression in the statement, but for those in the texts of moves.
    pub fn any(&self, test: impl FnMut(&Expr) -> bool) -> bool {
        let (found, texts) = (None, false);
        let mut find = Find { test, found, texts };
        find.stmt(self);
        find.found.is_some()
    }

    /// Whether an expression in the statement reads a local, but for those in the texts of moves.
    pub fn reads_local(&self, local: LocalId) -> bool {
        self.any(|e| matches!(e.kind, ExprKind::Local(l) if l == local))
    }
}

impl Block {
    /// Goes through its statements.
    pub fn walk<'d>(&'d self, visitor: &mut (impl Visitor<'d> + ?Sized)) {
        self.stmts.iter().for_each(|s| visitor.stmt(s));
    }

    /// Calls `f` on every expression of the statements, nested ones too.
    pub fn for_each_expr<'d>(&'d self, f: impl FnMut(&'d Expr)) {
        self.walk(&mut Exprs(f));
    }

    /// Calls `f` on every statement that can happen in play, nested ones too. What an `after` tries does not happen; notes
    /// are left out.
    pub fn for_each_stmt<'d>(&'d self, f: impl FnMut(&'d Stmt)) {
        self.walk(&mut Stmts(f));
    }

    /// Calls `f` on every choice that is a part of `one move`.
    pub fn for_each_choice_in_moves<'d>(&'d self, mut f: impl FnMut(&'d Choice)) {
        self.for_each_stmt(|stmt| {
            if let StmtKind::OneMove(one) = &stmt.kind {
                one.body.for_each_choice(&mut f);
            }
        });
    }

    /// Calls `f` on every choice that is a question by itself, alone or in a `together`.
    pub fn for_each_choice<'d>(&'d self, f: impl FnMut(&'d Choice)) {
        self.walk(&mut Choices(f));
    }
}
