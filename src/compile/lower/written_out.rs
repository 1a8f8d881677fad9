//! Conditions on known elements, written out: `every u in Unit, v in Unit before u: to[u] != to[v]` is a condition for each
//! two of them, which reads two names alone.

use super::Builder;
use super::conditions::{conjuncts, is_light, within};
use super::made::{binary, not, with_local};
use crate::model::evaluate::evaluate;
use crate::model::types::{Type, bits};
use crate::model::{BinaryOp, Expr, ExprKind, Fold, FoldOp, LocalId, MatchArm, Part, UnaryOp};
use rustc_hash::FxHashMap;
use std::borrow::Cow;

/// Conditions of more parts stay as they are.
const MOST: usize = 320;
/// How many elements may be looked at for them.
const MOST_ELEMENTS: usize = 4096;

impl Builder<'_> {
    /// What must hold for the condition of a product to hold, in order; `every` over known elements is what must hold for each of
    /// them.
    pub(super) fn each_of<'e>(&self, parts: &[Part], cond: &'e Expr) -> Vec<Cow<'e, Expr>> {
        let mut all = Vec::new();
        for conjunct in conjuncts(cond) {
            let mut writer = Writer {
                known: self.known_besides(parts),
                lets: Vec::new(),
                found: Vec::new(),
                elements: 0,
            };
            let whole = writer.is_of_known(&conjunct) && writer.asks(&conjunct, true).is_some();
            let found = writer.found;
            match whole && all.len() + found.len() <= MOST {
                true => all.extend(found.into_iter().map(Cow::Owned)),
                false => all.push(conjunct),
            }
        }
        all
    }

    /// The values of an expression for known elements of a set, as far as these decide them; `None` where it is not known which
    /// elements there are.
    pub(super) fn each_as_known(&self, parts: &[Part], fold: &Fold) -> Option<Vec<Expr>> {
        let mut known = self.known_besides(parts);
        let ty = fold.domain.ty.element()?;
        let words = evaluate(&fold.domain, &known)?;
        let mut all = Vec::new();
        for ordinal in bits(&words) {
            known.insert(fold.local, vec![ty.value_at(ordinal) as u64]);
            let kept = match &fold.cond {
                Some(cond) => *evaluate(cond, &known)?.first()? != 0,
                None => true,
            };
            if kept {
                all.push(simple(&fold.body, &mut known)?);
            }
        }
        Some(all)
    }

    fn known_besides(&self, parts: &[Part]) -> Known {
        let mut known = self.bound.clone();
        // An unrolled loop may have left a value behind.
        parts.iter().for_each(|part| {
            known.remove(&part.local);
        });
        known
    }
}

type Known = FxHashMap<LocalId, Vec<u64>>;

struct Writer {
    known: Known,
    /// What is bound around the condition, and has no known value.
    lets: Vec<(LocalId, Expr)>,
    found: Vec<Expr>,
    elements: usize,
}

impl Writer {
    fn value(&self, e: &Expr) -> Option<Vec<u64>> {
        evaluate(e, &self.known).filter(|_| !e.reveals())
    }

    /// Whether a condition asks something of all known elements of a set.
    fn is_of_known(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Unary {
                op: UnaryOp::Not,
                value,
            } => matches!(&value.kind, ExprKind::Fold(fold) if self.elements_of(fold).is_some()),
            ExprKind::Fold(fold) => {
                matches!(fold.op, FoldOp::Every | FoldOp::No) && self.elements_of(fold).is_some()
            }
            _ => false,
        }
    }

    fn elements_of(&self, fold: &Fold) -> Option<Vec<i64>> {
        let ty = fold.domain.ty.element()?;
        let words = self.value(&fold.domain)?;
        Some(bits(&words).map(|i| ty.value_at(i)).collect())
    }

    /// Finds what must hold for a condition to hold, or with `holds` false not to.
    fn asks(&mut self, e: &Expr, holds: bool) -> Option<()> {
        use BinaryOp::{And, Or};
        if let Some(words) = self.value(e)
            && (words.first() != Some(&0)) == holds
        {
            return Some(());
        }
        match &e.kind {
            ExprKind::Unary {
                op: UnaryOp::Not,
                value,
            } => self.asks(value, !holds),
            ExprKind::Binary {
                op: op @ (And | Or),
                left,
                right,
            } => {
                // Both must hold, or both fail.
                if (*op == And) == holds {
                    self.asks(left, holds)?;
                    return self.asks(right, holds);
                }
                match self.value(left) {
                    // The other one decides.
                    Some(_) => self.asks(right, holds),
                    None => self.ask(e, holds),
                }
            }
            ExprKind::Let { local, value, body } if is_light(value) => {
                match self.value(value) {
                    Some(words) => {
                        let before = self.known.insert(*local, words);
                        self.asks(body, holds)?;
                        restore(&mut self.known, *local, before);
                    }
                    None => {
                        self.lets.push((*local, (**value).clone()));
                        self.asks(body, holds)?;
                        self.lets.pop();
                    }
                }
                Some(())
            }
            // The argument of a def that is the value of a member, once it is known of which.
            ExprKind::Let { local, value, body } => match self.simple(value)? {
                value if is_light(&value) => self.asks(&with_local(body, *local, &value)?, holds),
                _ => self.ask(e, holds),
            },
            ExprKind::Fold(fold) => match (fold.op, holds) {
                (FoldOp::Every, true) => self.asks_each(e, fold, true),
                (FoldOp::No, true) | (FoldOp::Some, false) => self.asks_each(e, fold, false),
                _ => self.ask(e, holds),
            },
            _ => self.ask(e, holds),
        }
    }

    /// Asks the body of a fold of each of its elements; `holds`: the body must hold.
    fn asks_each(&mut self, whole: &Expr, fold: &Fold, holds: bool) -> Option<()> {
        use BinaryOp::And;
        let Some(values) = self.elements_of(fold) else {
            return self.ask(whole, fold.op != FoldOp::Some);
        };
        let before = self.known.remove(&fold.local);
        for value in values {
            self.elements += 1;
            if self.elements > MOST_ELEMENTS {
                return None;
            }
            self.known.insert(fold.local, vec![value as u64]);
            match &fold.cond {
                None => self.asks(&fold.body, holds)?,
                Some(cond) => match self.value(cond) {
                    Some(words) if words.first() == Some(&0) => {}
                    Some(_) => self.asks(&fold.body, holds)?,
                    None => {
                        // Where the condition does not hold nothing is asked.
                        let body = self.simple(&fold.body)?;
                        let body = if holds { not(body) } else { body };
                        let cond = self.simple(cond)?;
                        self.push(not(binary(And, cond, body)))?;
                    }
                },
            }
        }
        restore(&mut self.known, fold.local, before);
        Some(())
    }

    fn ask(&mut self, e: &Expr, holds: bool) -> Option<()> {
        let e = self.simple(e)?;
        self.push(if holds { e } else { not(e) })
    }

    fn push(&mut self, e: Expr) -> Option<()> {
        let lets: Vec<(LocalId, &Expr)> = self.lets.iter().map(|(l, e)| (*l, e)).collect();
        let whole = within(&e, &lets).into_owned();
        self.found.push(whole);
        (self.found.len() <= MOST).then_some(())
    }

    fn simple(&mut self, e: &Expr) -> Option<Expr> {
        simple(e, &mut self.known)
    }
}

fn restore(known: &mut Known, local: LocalId, before: Option<Vec<u64>>) {
    match before {
        Some(words) => known.insert(local, words),
        None => known.remove(&local),
    };
}

/// The same with the values of names in their places, and without what these leave out.
fn simple(e: &Expr, known: &mut Known) -> Option<Expr> {
    let like = |kind| Expr {
        kind,
        ty: e.ty.clone(),
        span: e.span,
    };
    let mut reads = false;
    e.for_each(|e| reads |= matches!(&e.kind, ExprKind::Local(local) if known.contains_key(local)));
    if !reads {
        return Some(e.clone());
    }
    if let Some(words) = evaluate(e, known).filter(|_| !e.reveals()) {
        return match &e.ty {
            Type::Set(_) => Some(like(ExprKind::ConstSet(words))),
            Type::Array { .. } => None,
            _ => Some(like(ExprKind::Const(*words.first()? as i64))),
        };
    }
    match &e.kind {
        ExprKind::Match {
            scrutinee,
            arms,
            otherwise,
        } => {
            let Some(words) = evaluate(scrutinee, known) else {
                let scrutinee = Box::new(simple(scrutinee, known)?);
                let arm = |arm: &MatchArm<Expr>| {
                    let body = simple(&arm.body, known)?;
                    Some(MatchArm {
                        body,
                        ..arm.clone()
                    })
                };
                let arms = arms.iter().map(arm).collect::<Option<_>>()?;
                let otherwise = match otherwise {
                    Some(e) => Some(Box::new(simple(e, known)?)),
                    None => None,
                };
                return Some(like(ExprKind::Match {
                    scrutinee,
                    arms,
                    otherwise,
                }));
            };
            let value = *words.first()? as i64;
            let taken = arms.iter().find(|arm| arm.values.contains(&value));
            let taken = taken.map(|arm| &arm.body).or(otherwise.as_deref());
            simple(taken.or(arms.last().map(|arm| &arm.body))?, known)
        }
        ExprKind::If {
            cond,
            then,
            otherwise,
        } => match evaluate(cond, known) {
            Some(words) if words.first() == Some(&0) => simple(otherwise, known),
            Some(_) => simple(then, known),
            None => Some(like(ExprKind::If {
                cond: Box::new(simple(cond, known)?),
                then: Box::new(simple(then, known)?),
                otherwise: Box::new(simple(otherwise, known)?),
            })),
        },
        ExprKind::Let { local, value, body } => {
            let value = Box::new(simple(value, known)?);
            let before = known.remove(local);
            let body = Box::new(simple(body, known)?);
            restore(known, *local, before);
            Some(like(ExprKind::Let {
                local: *local,
                value,
                body,
            }))
        }
        ExprKind::Fold(fold) => {
            let domain = simple(&fold.domain, known)?;
            let before = known.remove(&fold.local);
            let cond = match &fold.cond {
                Some(cond) => Some(simple(cond, known)?),
                None => None,
            };
            let body = simple(&fold.body, known)?;
            restore(known, fold.local, before);
            Some(like(ExprKind::Fold(Box::new(Fold {
                op: fold.op,
                local: fold.local,
                domain,
                cond,
                body,
            }))))
        }
        ExprKind::Array { .. }
        | ExprKind::After { .. }
        | ExprKind::Reveal { .. }
        | ExprKind::Told { .. }
        | ExprKind::Shown { .. } => None,
        _ => {
            let mut whole = e.clone();
            for operand in whole.kind.operands_mut() {
                *operand = simple(operand, known)?;
            }
            Some(whole)
        }
    }
}
