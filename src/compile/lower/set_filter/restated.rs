//! Conditions in other words, of which more can be said of sets.
//!
//! Whether a union has an element is whether one of its parts has; so `jumps(c) != {}`, where `jumps` goes through the few ways on
//! from a cell, becomes a question for each way, and each of these one about all cells at once.

use crate::compile::lower::invariant::hangs_on;
use crate::compile::lower::made::{binary, bound_to, is_nothing, not, with_local};
use crate::model::types::Type;
use crate::model::{BinaryOp, Expr, ExprKind, Fold, FoldOp, LocalId, UnaryOp};
use rustc_hash::FxHashSet;

/// A set that hangs on the element is asked about one value after the other where its elements have no more.
const FEW: u32 = 6;

/// A condition as sets are asked about it.
pub(super) enum Worded<'e> {
    AsItIs(&'e Expr),
    Anew(Expr),
}

impl Worded<'_> {
    pub fn cond(&self) -> &Expr {
        match self {
            Worded::AsItIs(cond) => cond,
            Worded::Anew(cond) => cond,
        }
    }
}

/// A condition on an element with its names for what hangs on that seen through.
pub fn seen_through(element: LocalId, cond: &Expr) -> Expr {
    Restating::of(element).condition(cond)
}

/// Words a condition on an element anew.
pub(super) struct Restating {
    /// The element, and names whose values hang on it.
    varying: FxHashSet<LocalId>,
    /// Whether anything reads otherwise now.
    pub changed: bool,
}

impl Restating {
    pub fn of(element: LocalId) -> Restating {
        Restating {
            varying: std::iter::once(element).collect(),
            changed: false,
        }
    }

    /// The same condition.
    pub fn condition(&mut self, e: &Expr) -> Expr {
        match &e.kind {
            ExprKind::Binary {
                op: op @ (BinaryOp::And | BinaryOp::Or),
                left,
                right,
            } => binary(*op, self.condition(left), self.condition(right)),
            ExprKind::Unary {
                op: UnaryOp::Not,
                value,
            } => not(self.condition(value)),
            ExprKind::Let { local, value, body } => match self.put(*local, value, body) {
                Some(body) => self.condition(&body),
                None => bound_to(*local, value, self.condition(body)),
            },
            ExprKind::Binary {
                op: op @ (BinaryOp::Eq | BinaryOp::Ne),
                left,
                right,
            } if is_nothing(right) => {
                let any = self.any(left);
                match op {
                    BinaryOp::Eq => not(any),
                    _ => any,
                }
            }
            ExprKind::Binary {
                op: BinaryOp::In,
                left,
                right,
            } if matches!(right.kind, ExprKind::If { .. }) && self.hangs(right) => {
                self.changed = true;
                self.member(left, right)
            }
            ExprKind::Fold(fold) if fold.op == FoldOp::Some && fold.cond.is_none() => {
                let body = self.condition(&fold.body);
                self.some(fold, body)
            }
            _ => e.clone(),
        }
    }

    /// What a name is put into that has a value which hangs on the element, such as the cell behind it; `None` where the name is kept.
    fn put(&mut self, local: LocalId, value: &Expr, body: &Expr) -> Option<Expr> {
        self.bind(local, value);
        // What nothing reads may still be an error of play.
        let kept = matches!(value.kind, ExprKind::Local(_)) || !body.reads_local(local);
        if kept || value.ty.bounds().is_none() || !self.hangs(value) {
            return None;
        }
        let put = with_local(body, local, value)?;
        self.changed = true;
        Some(put)
    }

    fn bind(&mut self, local: LocalId, value: &Expr) {
        if self.hangs(value) {
            self.varying.insert(local);
        }
    }

    fn hangs(&self, e: &Expr) -> bool {
        hangs_on(e, &self.varying)
    }

    /// Whether a set has an element.
    fn any(&mut self, set: &Expr) -> Expr {
        match &set.kind {
            ExprKind::Let { local, value, body } => match self.put(*local, value, body) {
                Some(body) => self.any(&body),
                None => bound_to(*local, value, self.any(body)),
            },
            ExprKind::If {
                cond,
                then,
                otherwise,
            } => {
                self.changed = true;
                either(cond, self.any(then), self.any(otherwise))
            }
            ExprKind::Binary {
                op: BinaryOp::Union,
                left,
                right,
            } => {
                self.changed = true;
                binary(BinaryOp::Or, self.any(left), self.any(right))
            }
            ExprKind::Fold(fold) if fold.op == FoldOp::Union && fold.cond.is_none() => {
                let body = self.any(&fold.body);
                self.some(fold, body)
            }
            ExprKind::Fold(fold) if fold.is_filter() => match &fold.cond {
                Some(cond) => {
                    let cond = self.condition(cond);
                    self.some(fold, cond)
                }
                None => self.any(&fold.domain),
            },
            _ => not_empty(set.clone()),
        }
    }

    /// Whether a condition holds for some element of the set of a loop.
    fn some(&mut self, fold: &Fold, body: Expr) -> Expr {
        let (local, domain) = (fold.local, &fold.domain);
        let asked = |domain: Expr, body: Expr| {
            let span = body.span;
            let fold = Fold {
                op: FoldOp::Some,
                local,
                domain,
                cond: None,
                body,
            };
            expr(ExprKind::Fold(Box::new(fold)), Type::Bool, span)
        };
        let Some(element) = domain.ty.element().filter(|_| self.hangs(domain)) else {
            return asked(domain.clone(), body);
        };
        let own = expr(ExprKind::Local(local), element.clone(), domain.span);
        let all = everything(domain);
        if let Some(all) = all.clone().filter(has_few) {
            self.changed = true;
            let is_there = self.member(&own, domain);
            return asked(all, binary(BinaryOp::And, is_there, body));
        }
        if self.hangs(&body) {
            return asked(domain.clone(), body);
        }
        // What of the set does not hang on the element is left with the elements for which it holds.
        let (of_element, steady) = match &domain.kind {
            ExprKind::Binary {
                op: BinaryOp::Intersect,
                left,
                right,
            } if !self.hangs(right) => (&**left, Some((**right).clone())),
            ExprKind::Binary {
                op: BinaryOp::Intersect,
                left,
                right,
            } if !self.hangs(left) => (&**right, Some((**left).clone())),
            _ => (domain, all),
        };
        let Some(steady) = steady else {
            return asked(domain.clone(), body);
        };
        self.changed = true;
        let (ty, span) = (domain.ty.clone(), domain.span);
        let kept = Fold {
            op: FoldOp::SetOf,
            local,
            domain: steady,
            cond: Some(body),
            body: own,
        };
        let kept = expr(ExprKind::Fold(Box::new(kept)), ty.clone(), span);
        let kind = ExprKind::Binary {
            op: BinaryOp::Intersect,
            left: Box::new(of_element.clone()),
            right: Box::new(kept),
        };
        not_empty(expr(kind, ty, span))
    }

    /// Whether a value is in a set.
    fn member(&mut self, value: &Expr, set: &Expr) -> Expr {
        match &set.kind {
            ExprKind::Let {
                local,
                value: given,
                body,
            } => {
                self.bind(*local, given);
                bound_to(*local, given, self.member(value, body))
            }
            ExprKind::If {
                cond,
                then,
                otherwise,
            } => either(
                cond,
                self.member(value, then),
                self.member(value, otherwise),
            ),
            ExprKind::Binary {
                op: op @ (BinaryOp::Union | BinaryOp::Intersect | BinaryOp::Difference),
                left,
                right,
            } => {
                let (one, other) = (self.member(value, left), self.member(value, right));
                match op {
                    BinaryOp::Union => binary(BinaryOp::Or, one, other),
                    BinaryOp::Intersect => binary(BinaryOp::And, one, other),
                    _ => binary(BinaryOp::And, one, not(other)),
                }
            }
            _ => binary(BinaryOp::In, value.clone(), set.clone()),
        }
    }
}

fn expr(kind: ExprKind, ty: Type, span: crate::text::span::Span) -> Expr {
    Expr { kind, ty, span }
}

/// The one where a condition holds, and the other where it does not.
fn either(cond: &Expr, then: Expr, otherwise: Expr) -> Expr {
    let then = binary(BinaryOp::And, cond.clone(), then);
    let otherwise = binary(BinaryOp::And, not(cond.clone()), otherwise);
    binary(BinaryOp::Or, then, otherwise)
}

fn not_empty(set: Expr) -> Expr {
    let words = vec![0; set.ty.words()];
    let nothing = expr(ExprKind::ConstSet(words), set.ty.clone(), set.span);
    binary(BinaryOp::Ne, set, nothing)
}

fn has_few(set: &Expr) -> bool {
    let ExprKind::ConstSet(words) = &set.kind else {
        return false;
    };
    words.iter().map(|word| word.count_ones()).sum::<u32>() <= FEW
}

/// A set of all that may be in a set, whatever the state is.
fn everything(set: &Expr) -> Option<Expr> {
    let words = possible(set, &set.ty)?;
    Some(expr(ExprKind::ConstSet(words), set.ty.clone(), set.span))
}

fn possible(set: &Expr, ty: &Type) -> Option<Vec<u64>> {
    if set.ty != *ty {
        return None;
    }
    let both = |a: &Expr, b: &Expr, op: fn(u64, u64) -> u64| {
        let (a, b) = (possible(a, ty)?, possible(b, ty)?);
        Some(a.iter().zip(&b).map(|(a, b)| op(*a, *b)).collect())
    };
    match &set.kind {
        ExprKind::ConstSet(words) => return Some(words.clone()),
        ExprKind::Let { body, .. } => return possible(body, ty),
        ExprKind::If {
            then, otherwise, ..
        } => return both(then, otherwise, |a, b| a | b),
        ExprKind::Binary { op, left, right } => match op {
            BinaryOp::Union => return both(left, right, |a, b| a | b),
            BinaryOp::Intersect => return both(left, right, |a, b| a & b),
            BinaryOp::Difference => return possible(left, ty),
            _ => {}
        },
        ExprKind::Element { array, .. } => {
            if let ExprKind::ConstArray(rows) = &array.kind {
                let mut words = vec![0; ty.words()];
                for row in rows.iter() {
                    words
                        .iter_mut()
                        .zip(row)
                        .for_each(|(all, word)| *all |= word);
                }
                return Some(words);
            }
        }
        _ => {}
    }
    let size = ty.element()?.size()?;
    let word = |i: u64| match size.saturating_sub(64 * i) {
        64.. => u64::MAX,
        left => (1 << left) - 1,
    };
    Some((0..ty.words() as u64).map(word).collect())
}
