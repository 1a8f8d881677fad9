//! What follows from conditions: that an optional is not `none`, that a set has elements.
//!
//! A fact is about what is computed from locals and variables; a store to one of these variables ends it.

use super::types::Type;
use super::{BinaryOp, Expr, ExprKind, FoldOp, LocalId, Rows, UnaryOp, VarId};
use std::sync::Arc;

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
    /// Anything else that is a value of one state: what a def gives, say.
    Formula(Formula),
}

/// A formula, which is another one's equal if it is written like it.
#[derive(Clone, Debug)]
pub struct Formula(Arc<Expr>);

impl PartialEq for Formula {
    fn eq(&self, other: &Formula) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.is_same_now(&other.0)
    }
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
            Key::Formula(Formula(e)) => {
                e.any(|e| matches!(e.kind, ExprKind::Var { var: read, .. } if read == var))
            }
        }
    }
}

/// Nothing is said of formulas with more parts.
const MOST_PARTS: usize = 500;

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
        _ => Key::Formula(formula(e)?),
    })
}

fn formula(e: &Expr) -> Option<Formula> {
    use ExprKind::*;
    let mut parts = 0;
    let other = e.any(|e| {
        parts += 1;
        parts > MOST_PARTS || matches!(e.kind, Reveal { .. } | Told { .. } | After { .. })
    });
    (!other).then(|| Formula(Arc::new(e.clone())))
}

/// Whether a set certainly has an element where these facts hold. `constant`: whether one that is settled before the game has.
pub fn has_elements(set: &Expr, known: &[Fact], constant: &dyn Fn(&Expr) -> Option<bool>) -> bool {
    let has = |set: &Expr| has_elements(set, known, constant);
    let told = || {
        let key = key_of(set)?;
        let nonempty = true;
        Some(known.contains(&Fact { key, nonempty }))
    };
    if let Some(has_any) = constant(set) {
        return has_any;
    }
    if !known.is_empty() && told() == Some(true) {
        return true;
    }
    match &set.kind {
        ExprKind::Fold(fold) => match fold.op {
            FoldOp::SetOf | FoldOp::Argmin | FoldOp::Argmax => {
                fold.cond.is_none() && has(&fold.domain)
            }
            FoldOp::Union => fold.cond.is_none() && has(&fold.domain) && has(&fold.body),
            _ => false,
        },
        ExprKind::Binary {
            op: BinaryOp::Union,
            left,
            right,
        } => has(left) || has(right),
        ExprKind::If {
            then, otherwise, ..
        } => has(then) && has(otherwise),
        ExprKind::SetOf(elements) => !elements.is_empty(),
        ExprKind::Reveal { value, .. }
        | ExprKind::Told { value, .. }
        | ExprKind::Shown { value, .. }
        | ExprKind::Let { body: value, .. } => has(value),
        // A value that is read as the set of itself.
        ExprKind::Cast(inner) => !matches!(inner.ty, Type::Set(_)) || has(inner),
        _ => false,
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
