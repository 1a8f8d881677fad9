//! Values of checked expressions before play: constants, initial values, viewers.
//!
//! It reads no state variable but those whose values it is given, and runs no events; what depends on them has no value here.

mod call;

use super::functions::Call;
use super::types::{Type, bits, compare_sets};
use super::{BinaryOp, Expr, ExprKind, Fold, FoldOp, LocalId, UnaryOp, VarId};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

/// Steps after which an evaluation gives up.
const FUEL: u64 = 4_000_000;

/// The value of an expression, by its words (a scalar is one word that holds the `i64`), given the values of some locals.
/// `None` where it reads the state or a local that is not given, where it would be an error of play, and where it takes
/// more than a few million steps.
pub fn evaluate(expr: &Expr, locals: &FxHashMap<LocalId, Vec<u64>>) -> Option<Vec<u64>> {
    let mut fuel = FUEL;
    evaluate_within(expr, locals, &mut fuel)
}

/// As [`evaluate`], within and off a budget of steps.
pub fn evaluate_within(
    expr: &Expr,
    locals: &FxHashMap<LocalId, Vec<u64>>,
    fuel: &mut u64,
) -> Option<Vec<u64>> {
    evaluate_stored(expr, locals, None, fuel)
}

/// State variables whose values are known.
pub trait Stored {
    /// The words of an element, if they are known.
    fn element(&self, var: VarId, indices: &[i64]) -> Option<&[u64]>;
}

/// As [`evaluate_within`], with some state variables.
pub fn evaluate_stored(
    expr: &Expr,
    locals: &FxHashMap<LocalId, Vec<u64>>,
    stored: Option<&dyn Stored>,
    fuel: &mut u64,
) -> Option<Vec<u64>> {
    let mut evaluator = Evaluator {
        given: locals,
        stored,
        bound: Vec::new(),
        fuel,
    };
    Some(match evaluator.value(expr)? {
        Value::Scalar(v) => vec![v as u64],
        Value::Set(words) => words,
    })
}

#[derive(Clone, PartialEq)]
enum Value {
    Scalar(i64),
    Set(Vec<u64>),
}

impl Value {
    /// The order of two values of one type.
    fn compare(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Scalar(a), Value::Scalar(b)) => a.cmp(b),
            (Value::Set(a), Value::Set(b)) => compare_sets(a, b),
            (Value::Scalar(_), Value::Set(_)) => Ordering::Less,
            (Value::Set(_), Value::Scalar(_)) => Ordering::Greater,
        }
    }
}

struct Evaluator<'a> {
    given: &'a FxHashMap<LocalId, Vec<u64>>,
    stored: Option<&'a dyn Stored>,
    bound: Vec<(LocalId, Value)>,
    fuel: &'a mut u64,
}

impl Evaluator<'_> {
    fn value(&mut self, e: &Expr) -> Option<Value> {
        *self.fuel = self.fuel.checked_sub(1)?;
        Some(match &e.kind {
            ExprKind::Const(v) => Value::Scalar(*v),
            ExprKind::ConstSet(words) => Value::Set(words.clone()),
            ExprKind::Local(id) => self.local(*id, &e.ty)?,
            ExprKind::Element { .. } => self.element(e, Vec::new())?,
            ExprKind::Unary { op, value: a } => self.unary(*op, a)?,
            ExprKind::Binary {
                op,
                left: a,
                right: b,
            } => self.binary(*op, a, b)?,
            ExprKind::If {
                cond: c,
                then: a,
                otherwise: b,
            } => {
                let branch = if self.scalar(c)? != 0 { a } else { b };
                self.value(branch)?
            }
            ExprKind::Told { value, .. } => self.value(value)?,
            ExprKind::Match {
                scrutinee,
                arms,
                otherwise,
            } => {
                let v = self.scalar(scrutinee)?;
                match arms.iter().find(|arm| arm.values.contains(&v)) {
                    Some(arm) => self.value(&arm.body)?,
                    None => self.value(otherwise.as_ref()?)?,
                }
            }
            ExprKind::Let {
                local: id,
                value,
                body,
            } => {
                let value = self.value(value)?;
                self.with(*id, value, |this| this.value(body))?
            }
            ExprKind::Field { record: a, field } => {
                let v = self.scalar(a)?;
                let Type::Product(product) = &a.ty else {
                    return None;
                };
                let value = Type::field_value(product, *field, v);
                match &product.fields.get(*field)?.1 {
                    Type::Set(_) => Value::Set(vec![value as u64]),
                    _ => Value::Scalar(value),
                }
            }
            ExprKind::Record(fields) => {
                let Type::Product(product) = &e.ty else {
                    return None;
                };
                let mut value = 0u64;
                for (field, (_, ty)) in fields.iter().zip(&product.fields) {
                    let ordinal = match self.value(field)? {
                        Value::Set(words) => *words.first()?,
                        Value::Scalar(v) => ordinal(ty, v)?,
                    };
                    value = value.checked_mul(ty.field_size()?)?.checked_add(ordinal)?;
                }
                Value::Scalar(value as i64)
            }
            ExprKind::SetOf(items) => {
                let element = e.ty.element()?.clone();
                let mut words = vec![0; e.ty.words()];
                for item in items {
                    let v = self.scalar(item)?;
                    insert(&mut words, ordinal(&element, v)?);
                }
                Value::Set(words)
            }
            ExprKind::RangeSet { low: a, high: b } => {
                let (a, b) = (self.scalar(a)?, self.scalar(b)?);
                let element = e.ty.element()?.clone();
                let mut words = vec![0; e.ty.words()];
                for v in a..=b {
                    *self.fuel = self.fuel.checked_sub(1)?;
                    insert(&mut words, ordinal(&element, v)?);
                }
                Value::Set(words)
            }
            ExprKind::Unwrap { value, .. } => {
                let v = self.scalar(value)?;
                if v == 0 {
                    return None;
                }
                Value::Scalar(e.ty.value_at(v as u64 - 1))
            }
            ExprKind::Cast(a) => {
                let v = self.value(a)?;
                cast(v, &a.ty, &e.ty)?
            }
            ExprKind::Fold(fold) => self.fold(fold, &e.ty)?,
            ExprKind::Call {
                function,
                args,
                table,
            } => {
                let call = Call {
                    args,
                    table: table.as_ref(),
                    ty: &e.ty,
                };
                self.call(*function, &call)?
            }
            ExprKind::Shown { value, .. } => self.value(value)?,
            ExprKind::Var { var, indices } => {
                let stored = self.stored?;
                let indices: Option<Vec<i64>> = indices.iter().map(|i| self.scalar(i)).collect();
                of_words(&e.ty, stored.element(*var, &indices?)?)?
            }
            ExprKind::ConstArray(_)
            | ExprKind::Array { .. }
            | ExprKind::After { .. }
            | ExprKind::Reveal { .. } => return None,
        })
    }

    fn scalar(&mut self, e: &Expr) -> Option<i64> {
        match self.value(e)? {
            Value::Scalar(v) => Some(v),
            Value::Set(_) => None,
        }
    }

    fn set(&mut self, e: &Expr) -> Option<Vec<u64>> {
        match self.value(e)? {
            Value::Set(words) => Some(words),
            Value::Scalar(_) => None,
        }
    }

    fn local(&self, id: LocalId, ty: &Type) -> Option<Value> {
        if let Some((_, value)) = self.bound.iter().rev().find(|(bound, _)| *bound == id) {
            return Some(value.clone());
        }
        self.given.get(&id).and_then(|words| of_words(ty, words))
    }

    fn with<T>(
        &mut self,
        id: LocalId,
        value: Value,
        body: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        self.bound.push((id, value));
        let result = body(self);
        self.bound.pop();
        result
    }

    /// An element of an array; `indices` are those already taken off, innermost first.
    fn element(&mut self, e: &Expr, mut indices: Vec<i64>) -> Option<Value> {
        match &e.kind {
            ExprKind::Element { array, index } => {
                indices.push(self.scalar(index)?);
                self.element(array, indices)
            }
            ExprKind::ConstArray(elements) => {
                let mut ty = &e.ty;
                let mut at = 0u64;
                while let Some(v) = indices.pop() {
                    let Type::Array {
                        index,
                        element: inner,
                    } = ty
                    else {
                        return None;
                    };
                    at = at
                        .checked_mul(index.size()?)?
                        .checked_add(ordinal(index, v)?)?;
                    ty = inner;
                }
                of_words(ty, elements.get(usize::try_from(at).ok()?)?)
            }
            ExprKind::Array { local: id, body } => {
                let v = indices.pop()?;
                self.with(*id, Value::Scalar(v), |this| {
                    if indices.is_empty() {
                        this.value(body)
                    } else {
                        this.element(body, indices)
                    }
                })
            }
            _ => None,
        }
    }

    fn unary(&mut self, op: UnaryOp, a: &Expr) -> Option<Value> {
        Some(Value::Scalar(match op {
            UnaryOp::Neg => self.scalar(a)?.checked_neg()?,
            UnaryOp::Not => i64::from(self.scalar(a)? == 0),
        }))
    }

    fn binary(&mut self, op: BinaryOp, a: &Expr, b: &Expr) -> Option<Value> {
        match op {
            BinaryOp::And => {
                return Some(Value::Scalar(i64::from(
                    self.scalar(a)? != 0 && self.scalar(b)? != 0,
                )));
            }
            BinaryOp::Or => {
                return Some(Value::Scalar(i64::from(
                    self.scalar(a)? != 0 || self.scalar(b)? != 0,
                )));
            }
            _ => {}
        }
        let (x, y) = (self.value(a)?, self.value(b)?);
        match (x, y) {
            (Value::Scalar(x), Value::Scalar(y)) => scalars(op, x, y).map(Value::Scalar),
            (Value::Set(x), Value::Set(y)) => sets(op, &x, &y),
            (Value::Scalar(x), Value::Set(s)) if op == BinaryOp::In => {
                let held = ordinal(b.ty.element()?, x).is_some_and(|i| contains(&s, i));
                Some(Value::Scalar(i64::from(held)))
            }
            (Value::Set(mut s), Value::Scalar(y)) if op == BinaryOp::Before => {
                let element = a.ty.element()?;
                let before: Vec<u64> = bits(&s).filter(|&i| element.value_at(i) < y).collect();
                s.fill(0);
                before.into_iter().for_each(|i| insert(&mut s, i));
                Some(Value::Set(s))
            }
            _ => None,
        }
    }

    fn fold(&mut self, fold: &Fold, ty: &Type) -> Option<Value> {
        let domain = self.set(&fold.domain)?;
        let element = fold.domain.ty.element()?.clone();
        let mut count = 0i64;
        let mut sum = 0i64;
        let mut best: Option<Value> = None;
        let mut words = vec![0u64; ty.words()];
        for i in bits(&domain) {
            let v = element.value_at(i);
            self.bound.push((fold.local, Value::Scalar(v)));
            let step = self.fold_step(fold);
            self.bound.pop();
            let Some(value) = step? else {
                continue;
            };
            match (fold.op, value) {
                (FoldOp::Some | FoldOp::Every | FoldOp::No | FoldOp::Count, Value::Scalar(v)) => {
                    count += i64::from(if fold.op == FoldOp::Every {
                        v == 0
                    } else {
                        v != 0
                    });
                }
                (FoldOp::Sum, Value::Scalar(v)) => sum = sum.checked_add(v)?,
                (FoldOp::Min | FoldOp::Max | FoldOp::Argmin | FoldOp::Argmax, v) => {
                    let wanted = match fold.op {
                        FoldOp::Min | FoldOp::Argmin => Ordering::Less,
                        _ => Ordering::Greater,
                    };
                    let order = best.as_ref().map(|best| v.compare(best));
                    if order.is_none_or(|order| order == wanted) {
                        best = Some(v);
                        words.fill(0);
                    } else if order != Some(Ordering::Equal) {
                        continue;
                    }
                    insert(&mut words, i);
                }
                (FoldOp::Union, Value::Set(s)) => {
                    words.iter_mut().zip(&s).for_each(|(w, s)| *w |= s);
                }
                (FoldOp::SetOf, Value::Scalar(v)) => {
                    insert(&mut words, ordinal(ty.element()?, v)?);
                }
                _ => return None,
            }
        }
        Some(match fold.op {
            FoldOp::Some => Value::Scalar(i64::from(count > 0)),
            FoldOp::Every | FoldOp::No => Value::Scalar(i64::from(count == 0)),
            FoldOp::Count => Value::Scalar(count),
            FoldOp::Sum => Value::Scalar(sum),
            FoldOp::Min | FoldOp::Max => best?,
            FoldOp::Argmin | FoldOp::Argmax | FoldOp::Union | FoldOp::SetOf => Value::Set(words),
        })
    }

    /// The body at one element: `Some(None)` where the condition leaves it out.
    fn fold_step(&mut self, fold: &Fold) -> Option<Option<Value>> {
        if let Some(cond) = &fold.cond
            && self.scalar(cond)? == 0
        {
            return Some(None);
        }
        self.value(&fold.body).map(Some)
    }
}

fn scalars(op: BinaryOp, x: i64, y: i64) -> Option<i64> {
    Some(match op {
        BinaryOp::Add => x.checked_add(y)?,
        BinaryOp::Sub => x.checked_sub(y)?,
        BinaryOp::Mul => x.checked_mul(y)?,
        BinaryOp::Div => floor_div(x, y)?,
        BinaryOp::Mod => x.checked_sub(floor_div(x, y)?.checked_mul(y)?)?,
        BinaryOp::Eq => i64::from(x == y),
        BinaryOp::Ne => i64::from(x != y),
        BinaryOp::Lt => i64::from(x < y),
        BinaryOp::Le => i64::from(x <= y),
        BinaryOp::Gt => i64::from(x > y),
        BinaryOp::Ge => i64::from(x >= y),
        _ => return None,
    })
}

fn sets(op: BinaryOp, x: &[u64], y: &[u64]) -> Option<Value> {
    let each = |f: fn(u64, u64) -> u64| {
        Value::Set(x.iter().zip(y).map(|(&a, &b)| f(a, b)).collect::<Vec<_>>())
    };
    Some(match op {
        BinaryOp::Union => each(|a, b| a | b),
        BinaryOp::Difference => each(|a, b| a & !b),
        BinaryOp::Intersect => each(|a, b| a & b),
        BinaryOp::Eq => Value::Scalar(i64::from(x == y)),
        BinaryOp::Ne => Value::Scalar(i64::from(x != y)),
        BinaryOp::Lt => Value::Scalar(i64::from(compare_sets(x, y).is_lt())),
        BinaryOp::Le => Value::Scalar(i64::from(compare_sets(x, y).is_le())),
        BinaryOp::Gt => Value::Scalar(i64::from(compare_sets(x, y).is_gt())),
        BinaryOp::Ge => Value::Scalar(i64::from(compare_sets(x, y).is_ge())),
        BinaryOp::Subset => Value::Scalar(i64::from(x.iter().zip(y).all(|(&a, &b)| a & !b == 0))),
        _ => return None,
    })
}

/// Division rounded down; `None` by 0 and where the result does not fit.
pub fn floor_div(x: i64, y: i64) -> Option<i64> {
    let q = x.checked_div(y)?;
    let rounds_up = x % y != 0 && (x < 0) != (y < 0);
    Some(if rounds_up { q - 1 } else { q })
}

fn cast(value: Value, from: &Type, to: &Type) -> Option<Value> {
    match (value, from, to) {
        (Value::Scalar(v), Type::Int { .. }, Type::Number { den, .. }) => {
            Some(Value::Scalar(v.checked_mul(*den)?))
        }
        (Value::Scalar(v), Type::Number { den: a, .. }, Type::Number { den: b, .. }) => {
            let n = i128::from(v) * i128::from(*b);
            let exact = n % i128::from(*a) == 0;
            exact
                .then(|| i64::try_from(n / i128::from(*a)).ok())
                .flatten()
                .map(Value::Scalar)
        }
        (Value::Scalar(v), Type::Optional(_), Type::Optional(_)) if from == to => {
            Some(Value::Scalar(v))
        }
        (Value::Scalar(v), _, Type::Optional(inner)) => {
            Some(Value::Scalar(ordinal(inner, v)? as i64 + 1))
        }
        (Value::Scalar(v), _, _) => {
            let (lo, hi) = to.bounds()?;
            (lo <= v && v <= hi).then_some(Value::Scalar(v))
        }
        (Value::Set(words), Type::Set(a), Type::Set(b)) => {
            let mut moved = vec![0; to.words()];
            for i in bits(&words) {
                insert(&mut moved, ordinal(b, a.value_at(i))?);
            }
            Some(Value::Set(moved))
        }
        (Value::Set(_), _, _) => None,
    }
}

/// The ordinal of a value, or `None` where the type has no such value.
pub fn ordinal(ty: &Type, value: i64) -> Option<u64> {
    let (lo, hi) = ty.bounds()?;
    (lo <= value && value <= hi).then(|| ty.ordinal(value))
}

fn of_words(ty: &Type, words: &[u64]) -> Option<Value> {
    Some(match ty {
        Type::Set(_) => Value::Set(words.to_vec()),
        _ => Value::Scalar(*words.first()? as i64),
    })
}

fn insert(words: &mut [u64], i: u64) {
    if let Some(word) = words.get_mut((i / 64) as usize) {
        *word |= 1 << (i % 64);
    }
}

fn contains(words: &[u64], i: u64) -> bool {
    words
        .get((i / 64) as usize)
        .is_some_and(|word| word >> (i % 64) & 1 == 1)
}
