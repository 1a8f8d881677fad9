//! What is known at a place of the text about variables.

use super::checker::Checker;
use super::declare::{Decl, Names};
use super::expr::flatten;
use super::scope::Binding;
use crate::model::facts::{Fact, facts_of, has_elements, key_of};
use crate::model::types::Type;
use crate::model::{Expr, ExprKind, VarId};
use crate::syntax::ast;
use crate::syntax::visit::{Reference, Visitor};
use rustc_hash::{FxHashMap, FxHashSet};

/// So many facts are kept at a place, the latest.
const MOST_FACTS: usize = 200;

impl<'a> Checker<'a> {
    /// Whether an optional is known to have a value.
    pub fn knows(&self, e: &Expr) -> bool {
        let nonempty = false;
        !self.frame.facts.is_empty()
            && key_of(e).is_some_and(|key| self.frame.facts.contains(&Fact { key, nonempty }))
    }

    /// Whether a set certainly has an element.
    pub fn has_elements(&self, set: &Expr) -> bool {
        has_elements(set, &self.frame.facts, &|set| match &set.kind {
            ExprKind::ConstSet(words) => Some(words.iter().any(|word| *word != 0)),
            _ => None,
        })
    }

    /// The same of a value that may be something else.
    pub fn has_any(&self, value: &Expr) -> bool {
        matches!(value.ty, Type::Set(_)) && self.has_elements(value)
    }

    /// Whether a value is certainly not `none`.
    pub fn is_some(&self, e: &Expr) -> bool {
        match &e.kind {
            _ if !matches!(e.ty, Type::Optional(_)) || self.knows(e) => true,
            // As an optional, 0 is `none`.
            ExprKind::Const(value) => *value != 0,
            ExprKind::Reveal { value, .. }
            | ExprKind::Told { value, .. }
            | ExprKind::Cast(value) => self.is_some(value),
            _ => false,
        }
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
            self.learn(cond, holds);
        }
        let result = body(self);
        self.frame.facts = facts;
        result
    }

    /// Adds what follows from a condition.
    pub fn learn(&mut self, cond: &Expr, holds: bool) {
        let facts = &mut self.frame.facts;
        facts_of(cond, holds, facts);
        facts.drain(..facts.len().saturating_sub(MOST_FACTS));
    }

    /// A store to a variable ends what was known about it.
    pub fn forget(&mut self, var: VarId) {
        self.frame.facts.retain(|f| !f.key.reads(var));
    }

    /// At the head of a loop only that holds which no round of it can change.
    pub fn forget_stored(&mut self, block: &'a ast::Block) {
        self.forget_stored_by(&block.stmts);
    }

    /// As `forget_stored`, for the arms of a `together`.
    pub fn forget_stored_by(&mut self, stmts: &'a [ast::Stmt]) {
        if self.frame.facts.is_empty() {
            return;
        }
        for id in stored_by(&self.names, &self.frame.names, stmts) {
            self.forget(id);
        }
    }
}

/// The variables that some statements may store to, in no order.
pub fn stored_by<'a>(
    names: &Names<'a>,
    locals: &[(String, Binding)],
    stmts: &'a [ast::Stmt],
) -> Vec<VarId> {
    let mut stored = Stored {
        rules: &names.rules,
        names: FxHashSet::default(),
        called: FxHashSet::default(),
    };
    stmts.iter().for_each(|s| stored.stmt(s));
    let mut ids: Vec<VarId> = Vec::new();
    // Sorted, since the set has no order.
    let mut stored: Vec<&str> = stored.names.into_iter().collect();
    stored.sort_unstable();
    for name in stored {
        if let Some(Decl::Var(id)) = names.decls.get(name) {
            ids.push(VarId(*id as u32));
        }
        for (_, binding) in locals.iter().filter(|(local, _)| local == name) {
            if let Binding::Place(place) = binding {
                ids.push(place.var);
            }
        }
    }
    ids
}

/// The facts that hold after several ways through, each given by where it ends up (`None`: it does not go on).
pub fn meet(ways: Vec<Option<Vec<Fact>>>) -> Vec<Fact> {
    let mut going = ways.into_iter().flatten();
    let Some(mut facts) = going.next() else {
        return Vec::new();
    };
    for other in going {
        // Mostly the ways have facts from before, in one order.
        let mut from = 0;
        facts.retain(|fact| {
            let later = other[from..].iter().position(|f| f == fact);
            match later {
                Some(at) => from += at + 1,
                None if !other[..from].contains(fact) => return false,
                None => {}
            }
            true
        });
    }
    facts
}

/// The names of the places that some statements may store to, rules included.
struct Stored<'c, 'a> {
    rules: &'c FxHashMap<&'a str, &'a ast::Rule>,
    names: FxHashSet<&'a str>,
    called: FxHashSet<&'a str>,
}

impl<'a> Visitor<'a> for Stored<'_, 'a> {
    /// What an `after` stores is taken back.
    fn expr(&mut self, _: &'a ast::Expr) {}

    fn stmt(&mut self, stmt: &'a ast::Stmt) {
        if let ast::StmtKind::Call { rule, args } = &stmt.kind
            && let Some(rule) = self.rules.get(rule.text.as_str())
        {
            let given = std::iter::zip(&rule.params, args);
            let places = given.filter(|(param, _)| param.into);
            places.for_each(|(_, arg)| self.place(arg));
        }
        stmt.walk(self);
    }

    fn place(&mut self, place: &'a ast::Expr) {
        if let Some(name) = flatten(place).0.as_name() {
            self.names.insert(&name.text);
        }
    }

    fn refer(&mut self, name: &'a ast::Name, to: Reference<'a>) {
        if to == Reference::Rule
            && self.called.insert(&name.text)
            && let Some(rule) = self.rules.get(name.text.as_str())
        {
            self.block(&rule.body);
        }
    }
}
