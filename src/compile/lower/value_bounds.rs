//! Between which numbers a value lies whatever the state: closer than its type says.
//!
//! What a def declares is checked where it is asked, unless it is known to hold: `size(line & men)` is at most as many as
//! there are on any line. What can fail is neither asked earlier nor of whole sets.

use super::Builder;
use super::tabulate::rows_of;
use crate::model::evaluate::evaluate;
use crate::model::types::{Type, bits};
use crate::model::{BinaryOp, Expr, ExprKind, Fold, FoldOp, LocalId, Rows, UnaryOp};
use rustc_hash::FxHashMap;

/// The most rows of a table that is gone through.
const MOST_ROWS: usize = 1 << 12;
/// The most rows for which a set is worked out, and the steps that all such sets of a game may take.
const MOST_SETS: u64 = 1 << 10;
const STEPS: u64 = 2_000_000;

/// How many elements sets have at most that hang on a few small values alone.
pub(super) struct LargestSets {
    /// `None`: that is too much work.
    known: Vec<(Expr, Option<i64>)>,
    steps: u64,
}

impl Default for LargestSets {
    fn default() -> LargestSets {
        LargestSets {
            known: Vec::new(),
            steps: STEPS,
        }
    }
}

impl Builder<'_> {
    /// Whether an integer is one of a type, whatever the state and the values of names.
    pub(super) fn lies_within(&self, e: &Expr, ty: &Type) -> bool {
        let (Type::Int { .. }, Type::Int { lo, hi }) = (&e.ty, ty) else {
            return false;
        };
        let bounds = self.bounds_of(e);
        bounds.is_some_and(|(least, most)| *lo <= least && most <= *hi)
    }

    /// The least and the greatest that an integer can be.
    fn bounds_of(&self, e: &Expr) -> Option<(i64, i64)> {
        let Type::Int { lo, hi } = e.ty else {
            return None;
        };
        let closer = self.closer_bounds(e);
        let (least, most) = closer.unwrap_or((lo, hi));
        Some((least.max(lo), most.min(hi)))
    }

    fn closer_bounds(&self, e: &Expr) -> Option<(i64, i64)> {
        if let Some(words) = constant(e) {
            let value = *words.first()? as i64;
            return Some((value, value));
        }
        match &e.kind {
            ExprKind::Cast(inner) | ExprKind::Shown { value: inner, .. } => self.bounds_of(inner),
            ExprKind::Let { body, .. } => self.bounds_of(body),
            ExprKind::If {
                then, otherwise, ..
            } => either(self.bounds_of(then)?, self.bounds_of(otherwise)?),
            ExprKind::Match {
                arms, otherwise, ..
            } => {
                let arms = arms.iter().map(|arm| &arm.body).chain(otherwise.as_deref());
                let bounds = arms.map(|arm| self.bounds_of(arm));
                bounds.reduce(|a, b| either(a?, b?))?
            }
            ExprKind::Unary {
                op: UnaryOp::Neg,
                value,
            } => {
                let (lo, hi) = self.bounds_of(value)?;
                Some((hi.checked_neg()?, lo.checked_neg()?))
            }
            ExprKind::Binary { op, left, right } => {
                combined(*op, self.bounds_of(left)?, self.bounds_of(right)?)
            }
            ExprKind::Element { array, .. } => match &array.kind {
                ExprKind::ConstArray(rows) => rows_bounds(rows),
                _ => None,
            },
            ExprKind::Call { function, args, .. } if function.is_count() => {
                Some((0, self.most_of(args.first()?)?))
            }
            ExprKind::Call {
                table: Some(rows), ..
            } => rows_bounds(rows),
            ExprKind::Fold(fold) => self.fold_bounds(fold),
            _ => None,
        }
    }

    fn fold_bounds(&self, fold: &Fold) -> Option<(i64, i64)> {
        match fold.op {
            FoldOp::Count => Some((0, self.most_of(&fold.domain)?)),
            FoldOp::Min | FoldOp::Max => self.bounds_of(&fold.body),
            FoldOp::Sum => {
                let (lo, hi) = self.bounds_of(&fold.body)?;
                let most = self.most_of(&fold.domain)?;
                Some((lo.min(0).checked_mul(most)?, hi.max(0).checked_mul(most)?))
            }
            _ => None,
        }
    }

    /// The most elements of a set.
    fn most_of(&self, set: &Expr) -> Option<i64> {
        let all = i64::try_from(set.ty.element()?.size()?).ok()?;
        let most = match constant(set) {
            Some(words) => bits(&words).count() as i64,
            None => self.closer_most(set).unwrap_or(all),
        };
        Some(most.min(all))
    }

    fn closer_most(&self, set: &Expr) -> Option<i64> {
        if let Some(most) = self.worked_out(set) {
            return Some(most);
        }
        match &set.kind {
            ExprKind::Element { array, .. } => match &array.kind {
                ExprKind::ConstArray(rows) => largest(rows),
                _ => None,
            },
            ExprKind::Binary { op, left, right } => {
                let (a, b) = (self.most_of(left)?, self.most_of(right)?);
                match op {
                    BinaryOp::Union => a.checked_add(b),
                    BinaryOp::Intersect => Some(a.min(b)),
                    BinaryOp::Difference => Some(a),
                    _ => None,
                }
            }
            ExprKind::If {
                then, otherwise, ..
            } => Some(self.most_of(then)?.max(self.most_of(otherwise)?)),
            ExprKind::Let { body, .. } => self.most_of(body),
            ExprKind::Cast(inner) => match inner.ty {
                Type::Set(_) => self.most_of(inner),
                _ => Some(1),
            },
            ExprKind::Shown { value, .. } => self.most_of(value),
            ExprKind::SetOf(elements) => Some(elements.len() as i64),
            ExprKind::Call {
                table: Some(rows),
                args,
                function,
            } => match function.part(args) {
                Some(_) => None,
                None => largest(rows),
            },
            ExprKind::Fold(fold) => match fold.op {
                FoldOp::SetOf | FoldOp::Argmin | FoldOp::Argmax => self.most_of(&fold.domain),
                FoldOp::Union => {
                    let each = self.most_of(&fold.body)?;
                    self.most_of(&fold.domain)?.checked_mul(each)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The most elements that a set has which hangs on a few small values alone.
    fn worked_out(&self, set: &Expr) -> Option<i64> {
        let simple = matches!(set.kind, ExprKind::Local(_) | ExprKind::SetOf(_));
        let locals = set
            .free_locals()
            .filter(|locals| !simple && !locals.is_empty())?;
        let mut sets = self.largest_sets.borrow_mut();
        if let Some((_, most)) = sets.known.iter().find(|(of, _)| of.is_same(set)) {
            return *most;
        }
        let types = locals.iter().map(|local| self.local_type(*local));
        let locals: Vec<_> = std::iter::zip(locals.iter().copied(), types).collect();
        let most = most_for_all(set, &locals, &mut sets.steps);
        sets.known.push((set.clone(), most));
        most
    }
}

/// The most elements of a set for all values of the names that it hangs on; `None` where these are too many.
fn most_for_all(set: &Expr, locals: &[(LocalId, Type)], steps: &mut u64) -> Option<i64> {
    let sizes = locals
        .iter()
        .map(|(_, ty)| ty.bounds().and_then(|_| ty.size()));
    let rows = sizes.reduce(|a, b| a?.checked_mul(b?))??;
    let words = set.ty.words();
    if rows > MOST_SETS {
        return None;
    }
    let mut given = FxHashMap::default();
    let values = rows_of(set, locals, (rows, words as u16), &mut given, steps)?;
    let sizes = values.chunks(words).map(|row| bits(row).count() as i64);
    sizes.max()
}

/// The value of an expression that hangs on nothing.
fn constant(e: &Expr) -> Option<Vec<u64>> {
    evaluate(e, &FxHashMap::default()).filter(|_| !e.reveals())
}

fn either(a: (i64, i64), b: (i64, i64)) -> Option<(i64, i64)> {
    Some((a.0.min(b.0), a.1.max(b.1)))
}

fn combined(op: BinaryOp, (a, b): (i64, i64), (c, d): (i64, i64)) -> Option<(i64, i64)> {
    match op {
        BinaryOp::Add => Some((a.checked_add(c)?, b.checked_add(d)?)),
        BinaryOp::Sub => Some((a.checked_sub(d)?, b.checked_sub(c)?)),
        BinaryOp::Mul => {
            let ends = [(a, c), (a, d), (b, c), (b, d)].map(|(x, y)| x.checked_mul(y));
            let [p, q, r, s] = [ends[0]?, ends[1]?, ends[2]?, ends[3]?];
            Some((p.min(q).min(r).min(s), p.max(q).max(r).max(s)))
        }
        BinaryOp::Div if c == d && c > 0 => Some((a.div_euclid(c), b.div_euclid(c))),
        BinaryOp::Mod if c == d && c > 0 => Some((0, c - 1)),
        _ => None,
    }
}

/// The least and the greatest of some integers.
fn rows_bounds(rows: &Rows) -> Option<(i64, i64)> {
    if rows.len() > MOST_ROWS || rows.iter().any(|row| row.len() != 1) {
        return None;
    }
    let values = rows.iter().map(|row| row[0] as i64);
    Some((values.clone().min()?, values.max()?))
}

/// The most elements of some sets.
fn largest(rows: &Rows) -> Option<i64> {
    let sizes = (rows.len() <= MOST_ROWS).then(|| rows.iter().map(|row| bits(row).count() as i64));
    sizes?.max()
}
