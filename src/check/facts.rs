//! What is known at a place of the text about variables: that an optional is not `none`, that a set has elements.
//!
//! A fact is about what is computed from locals and variables; a store to one of these variables ends it.

use super::checker::Checker;
use super::declare::{Decl, Names};
use super::expr::flatten;
use super::scope::Binding;
use crate::model::types::Type;
use crate::model::{BinaryOp, Expr, ExprKind, LocalId, Rows, UnaryOp, VarId};
use crate::syntax::ast;
use crate::syntax::visit::{Reference, Visitor};
use rustc_hash::{FxHashMap, FxHashSet};

/// What is computed from locals and variables alone, in the same way wherever it stands.
#[derive(Clone, PartialEq, Debug)]
pub enum Key {
    Const(i64),
    Local(LocalId),
    Var(VarId, Vec<Key>),
    /// An element of an array of constants, which has a type.
    Element(Type, Rows, Vec<Key>),
    Field(Box<Key>, usize),
    /// A function of these, by how it is written, the type of its result, and what a board has for it.
    Call(String, Type, Option<Rows>, Vec<Key>),
    /// Of two integers.
    Binary(BinaryOp, Box<[Key; 2]>),
}

impl Key {
    /// Whether it is computed from a variable.
    pub fn reads(&self, var: VarId) -> bool {
        let any = |keys: &[Key]| keys.iter().any(|k| k.reads(var));
        match self {
            Key::Const(_) | Key::Local(_) => false,
            Key::Var(own, indices) => *own == var || any(indices),
            Key::Element(_, _, keys) | Key::Call(_, _, _, keys) => any(keys),
            Key::Field(key, _) => key.reads(var),
            Key::Binary(_, sides) => any(sides.as_slice()),
        }
    }
}

#[derive(Clone, PartialEq, Debug)]
pub struct Fact {
    pub key: Key,
    /// A set with elements, instead of an optional with a value.
    pub nonempty: bool,
}

/// The key of an expression that facts can be about.
pub fn key_of(e: &Expr) -> Option<Key> {
    key_of_part(e).filter(|key| !matches!(key, Key::Const(_)))
}

/// As `key_of`, for an index or an argument, which may be a constant.
pub fn key_of_part(e: &Expr) -> Option<Key> {
    let all = |list: &[Expr]| list.iter().map(key_of_part).collect::<Option<Vec<_>>>();
    Some(match &e.kind {
        ExprKind::Const(v) => Key::Const(*v),
        ExprKind::Local(id) => Key::Local(*id),
        ExprKind::Var { var, indices } => Key::Var(*var, all(indices)?),
        ExprKind::Element { array, index } => {
            let index = key_of_part(index)?;
            match &array.kind {
                ExprKind::ConstArray(rows) => {
                    Key::Element(array.ty.clone(), rows.clone(), vec![index])
                }
                ExprKind::Element { .. } => match key_of_part(array)? {
                    Key::Element(ty, rows, mut indices) => {
                        indices.push(index);
                        Key::Element(ty, rows, indices)
                    }
                    _ => return None,
                },
                _ => return None,
            }
        }
        ExprKind::Field { record, field } => Key::Field(Box::new(key_of_part(record)?), *field),
        ExprKind::Call {
            function,
            args,
            table,
        } => {
            let name = format!("{function:?}");
            Key::Call(name, e.ty.clone(), table.clone(), all(args)?)
        }
        ExprKind::Binary {
            op: op @ (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod),
            left,
            right,
        } if [left, right]
            .iter()
            .all(|e| matches!(e.ty, Type::Int { .. })) =>
        {
            Key::Binary(*op, Box::new([key_of_part(left)?, key_of_part(right)?]))
        }
        // The same value, told to somebody or as another type.
        ExprKind::Reveal { value, .. }
        | ExprKind::Told { value, .. }
        | ExprKind::Cast(value)
        | ExprKind::Unwrap {
            value,
            checked: false,
        } => key_of_part(value)?,
        _ => return None,
    })
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
        ExprKind::Reveal { value, .. } | ExprKind::Told { value, .. } => {
            facts_of(value, holds, found);
        }
        _ => {}
    }
}

/// What a condition comes to wherever it has a value, if that is known: whatever stands beside it, one part of an `and`
/// that never holds decides it.
pub fn decided(cond: &Expr) -> Option<bool> {
    match &cond.kind {
        ExprKind::Const(v) => Some(*v != 0),
        ExprKind::Unary {
            op: UnaryOp::Not,
            value,
        } => decided(value).map(|holds| !holds),
        ExprKind::Binary {
            op: op @ (BinaryOp::And | BinaryOp::Or),
            left,
            right,
        } => {
            let absorbing = *op == BinaryOp::Or;
            let sides = [decided(left), decided(right)];
            match sides.contains(&Some(absorbing)) {
                true => Some(absorbing),
                false => sides[0].and(sides[1]),
            }
        }
        _ => None,
    }
}

impl<'a> Checker<'a> {
    pub fn knows(&self, e: &Expr, nonempty: bool) -> bool {
        !self.frame.facts.is_empty()
            && key_of(e).is_some_and(|key| self.frame.facts.contains(&Fact { key, nonempty }))
    }

    /// Whether a value is certainly not `none`.
    pub fn is_some(&self, e: &Expr) -> bool {
        match &e.kind {
            _ if !matches!(e.ty, Type::Optional(_)) || self.knows(e, false) => true,
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
        facts.retain(|f| other.contains(f));
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
