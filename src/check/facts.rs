//! What is known at a place of the text about variables: that an optional is not `none`, that a set has elements.
//!
//! A fact is about a local, or about a variable at indices that cannot change; a store to the variable ends it.

use super::checker::Checker;
use crate::model::types::Type;
use crate::model::{BinaryOp, Expr, ExprKind, LocalId, UnaryOp, VarId};
use crate::syntax::ast;
use rustc_hash::FxHashSet;

#[derive(Clone, PartialEq, Debug)]
pub enum Key {
    Local(LocalId),
    Var(VarId, Vec<IndexKey>),
}

#[derive(Clone, PartialEq, Debug)]
pub enum IndexKey {
    Local(LocalId),
    Const(i64),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Fact {
    pub key: Key,
    /// A set with elements, instead of an optional with a value.
    pub nonempty: bool,
}

/// The key of an expression that facts can be about.
pub fn key_of(e: &Expr) -> Option<Key> {
    match &e.kind {
        ExprKind::Local(id) => Some(Key::Local(*id)),
        ExprKind::Var { var: id, indices } => indices
            .iter()
            .map(|i| match &i.kind {
                ExprKind::Local(id) => Some(IndexKey::Local(*id)),
                ExprKind::Const(v) => Some(IndexKey::Const(*v)),
                _ => None,
            })
            .collect::<Option<Vec<_>>>()
            .map(|indices| Key::Var(*id, indices)),
        _ => None,
    }
}

/// What follows from a condition that holds (or, with `holds` false, does not).
pub fn facts_of(cond: &Expr, holds: bool, found: &mut Vec<Fact>) {
    match &cond.kind {
        ExprKind::Unary {
            op: UnaryOp::Not,
            value: a,
        } => facts_of(a, !holds, found),
        ExprKind::Binary {
            op: BinaryOp::And,
            left: a,
            right: b,
        } if holds => {
            facts_of(a, true, found);
            facts_of(b, true, found);
        }
        ExprKind::Binary {
            op: BinaryOp::Or,
            left: a,
            right: b,
        } if !holds => {
            facts_of(a, false, found);
            facts_of(b, false, found);
        }
        ExprKind::Binary {
            op: op @ (BinaryOp::Ne | BinaryOp::Eq),
            left: a,
            right: b,
        } if holds == (*op == BinaryOp::Ne) => {
            for (x, y) in [(a, b), (b, a)] {
                let nothing = match (&y.kind, &y.ty) {
                    (ExprKind::Const(0), Type::Optional(_)) => Some(false),
                    (ExprKind::ConstSet(words), _) if words.iter().all(|w| *w == 0) => Some(true),
                    _ => None,
                };
                if let (Some(nonempty), Some(key)) = (nothing, key_of(x)) {
                    found.push(Fact { key, nonempty });
                }
            }
        }
        ExprKind::Binary {
            op: BinaryOp::In,
            right: set,
            ..
        } if holds => {
            if let Some(key) = key_of(set) {
                found.push(Fact {
                    key,
                    nonempty: true,
                });
            }
        }
        ExprKind::Reveal { value, .. } => facts_of(value, holds, found),
        _ => {}
    }
}

impl<'a> Checker<'a> {
    pub fn knows(&self, e: &Expr, nonempty: bool) -> bool {
        !self.frame.facts.is_empty()
            && key_of(e).is_some_and(|key| self.frame.facts.contains(&Fact { key, nonempty }))
    }

    /// Runs a body under a condition that holds there, and forgets it afterwards.
    pub fn assuming<T>(
        &mut self,
        cond: Option<&Expr>,
        holds: bool,
        body: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let facts = self.frame.facts.clone();
        if let Some(cond) = cond {
            facts_of(cond, holds, &mut self.frame.facts);
        }
        let result = body(self);
        self.frame.facts = facts;
        result
    }

    /// Adds what follows from a condition.
    pub fn learn(&mut self, cond: &Expr, holds: bool) {
        facts_of(cond, holds, &mut self.frame.facts);
    }

    /// A store to a variable ends what was known about it.
    pub fn forget(&mut self, var: VarId) {
        self.frame
            .facts
            .retain(|f| !matches!(&f.key, Key::Var(v, _) if *v == var));
    }

    /// At the head of a loop only that holds which no round of it can change.
    pub fn forget_stored(&mut self, blocks: &[&ast::Block]) {
        if self.frame.facts.is_empty() {
            return;
        }
        let mut stored = Stored::default();
        for block in blocks {
            stored.block(self, block);
        }
        self.forget_all(stored);
    }

    /// As `forget_stored`, for the arms of a `together`.
    pub fn forget_stored_by(&mut self, stmts: &[ast::Stmt]) {
        let mut stored = Stored::default();
        stmts.iter().for_each(|s| stored.stmt(self, s));
        self.forget_all(stored);
    }

    fn forget_all(&mut self, stored: Stored) {
        for name in stored.names {
            if let Some(super::declare::Decl::Var(id)) = self.names.decls.get(name.as_str()) {
                let id = VarId(*id as u32);
                self.forget(id);
            }
        }
    }
}

/// The facts that hold after several ways through, each given by where it ends up (`None`: it does not go on).
pub fn meet(ways: Vec<Option<Vec<Fact>>>) -> Vec<Fact> {
    let mut going = ways.into_iter().flatten();
    let Some(mut facts) = going.next() else {
        return Vec::new();
    };
    for other in going {
        facts.retain(|f| other.contains(f));
    }
    facts
}

/// The names of the variables that some statements may store to, rules included.
#[derive(Default)]
struct Stored {
    names: FxHashSet<String>,
    rules: FxHashSet<String>,
}

impl Stored {
    fn block(&mut self, checker: &Checker<'_>, block: &ast::Block) {
        block.stmts.iter().for_each(|s| self.stmt(checker, s));
    }

    fn root(&mut self, place: &ast::Expr) {
        let mut place = place;
        while let ast::ExprKind::Index { array: base, .. } = &place.kind {
            place = base;
        }
        if let ast::ExprKind::Name(ast::Name { text: name, .. }) = &place.kind {
            self.names.insert(name.clone());
        }
    }

    fn parts(&mut self, parts: &[ast::Part]) {
        parts
            .iter()
            .filter_map(|p| p.into.as_ref())
            .for_each(|p| self.root(p));
    }

    fn stmt(&mut self, checker: &Checker<'_>, stmt: &ast::Stmt) {
        use ast::StmtKind;
        match &stmt.kind {
            StmtKind::Assign { place, .. } | StmtKind::Note { place, .. } => self.root(place),
            StmtKind::If {
                then, otherwise, ..
            } => {
                self.block(checker, then);
                otherwise.iter().for_each(|b| self.block(checker, b));
            }
            StmtKind::Match { arms, .. } => {
                arms.iter().for_each(|a| self.block(checker, &a.body));
            }
            StmtKind::Each { body, .. }
            | StmtKind::Repeat { body, .. }
            | StmtKind::While { body, .. } => self.block(checker, body),
            StmtKind::Turns(turns) => self.block(checker, &turns.body),
            StmtKind::Together(ast::Together::Arms(arms)) => {
                arms.iter().for_each(|s| self.stmt(checker, s));
            }
            StmtKind::Together(ast::Together::Each { arm, .. }) => self.stmt(checker, arm),
            StmtKind::Choice(choice) => {
                let alternatives = match &choice.options {
                    ast::ChoiceOptions::Product(a) => std::slice::from_ref(a),
                    ast::ChoiceOptions::Labelled(all) => all.as_slice(),
                };
                for a in alternatives {
                    self.parts(&a.parts);
                    a.body.iter().for_each(|b| self.block(checker, b));
                }
                choice.otherwise.iter().for_each(|b| self.block(checker, b));
            }
            StmtKind::Draw(draw) => self.parts(&draw.parts),
            StmtKind::Deal { from, to, .. } => {
                self.root(from);
                self.root(to);
            }
            StmtKind::Call { rule, .. } => {
                if self.rules.insert(rule.text.clone())
                    && let Some(rule) = checker.names.rules.get(rule.text.as_str())
                {
                    self.block(checker, &rule.body);
                }
            }
            StmtKind::Let { .. }
            | StmtKind::Expr(_)
            | StmtKind::End
            | StmtKind::Break
            | StmtKind::Continue
            | StmtKind::Error => {}
        }
    }
}
