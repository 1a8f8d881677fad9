//! Values of expressions in a state: branches, loops and reveals are walked here, and what is left is an operation on
//! constants, which the model can work out.

use super::{Reader, Stop, Words};
use ruse::internal::machine::Observation;
use ruse::internal::model::evaluate::evaluate;
use ruse::internal::model::types::{Type, bits, compare_sets};
use ruse::internal::model::{BinaryOp, Expr, ExprKind, Fold, FoldOp, MatchArm, PlayerSet};
use std::cmp::Ordering;

impl Reader<'_> {
    /// The value of a scalar.
    pub fn scalar(&mut self, e: &Expr) -> Result<i64, Stop> {
        let words = self.value(e)?;
        words.first().map(|w| *w as i64).ok_or(Stop::Fault)
    }

    pub fn holds(&mut self, e: &Expr) -> Result<bool, Stop> {
        Ok(self.scalar(e)? != 0)
    }

    /// A set of players.
    pub fn players(&mut self, e: &Expr) -> Result<PlayerSet, Stop> {
        let words = self.value(e)?;
        Ok(PlayerSet::from_words(&words) & self.d.everyone())
    }

    /// The elements of a set, by value.
    pub fn elements(&mut self, e: &Expr) -> Result<Vec<i64>, Stop> {
        let words = self.value(e)?;
        let element = e.ty.element().ok_or(Stop::Fault)?;
        Ok(bits(&words).map(|i| element.value_at(i)).collect())
    }

    pub fn value(&mut self, e: &Expr) -> Result<Words, Stop> {
        match &e.kind {
            ExprKind::Const(value) => Ok(vec![*value as u64]),
            ExprKind::ConstSet(words) => Ok(words.clone()),
            ExprKind::Local(local) => self.locals.get(local).cloned().ok_or(Stop::Fault),
            ExprKind::Var { var, indices } => {
                let mut values = Vec::new();
                for index in indices {
                    values.push(self.scalar(index)?);
                }
                let at = self.offset(*var, &values)?;
                Ok(self.vars[var.0 as usize][at].clone())
            }
            ExprKind::Element { array, index } => {
                let index = self.scalar(index)?;
                self.element(array, vec![index])
            }
            ExprKind::If {
                cond,
                then,
                otherwise,
            } => match self.holds(cond)? {
                true => self.value(then),
                false => self.value(otherwise),
            },
            ExprKind::Match {
                scrutinee,
                arms,
                otherwise,
            } => {
                let value = self.scalar(scrutinee)?;
                match arm(arms, value) {
                    Some(arm) => self.value(arm),
                    None => self.value(otherwise.as_ref().ok_or(Stop::Fault)?),
                }
            }
            ExprKind::Let { local, value, body } => {
                let value = self.value(value)?;
                self.locals.insert(*local, value);
                self.value(body)
            }
            ExprKind::Binary {
                op: op @ (BinaryOp::And | BinaryOp::Or),
                left,
                right,
            } => {
                let left = self.holds(left)?;
                match left == (*op == BinaryOp::And) {
                    true => self.value(right),
                    false => Ok(vec![u64::from(left)]),
                }
            }
            ExprKind::Fold(fold) => self.fold(fold, &e.ty),
            ExprKind::Shown { value, .. } | ExprKind::Told { value, .. } => self.value(value),
            ExprKind::After { body, value } => {
                let before = (self.vars.clone(), self.locals.clone());
                let at_once = self.at_once.take();
                let found = self.block(body).and_then(|_| self.value(value));
                (self.vars, self.locals) = before;
                self.at_once = at_once;
                found
            }
            ExprKind::Reveal {
                site,
                value,
                viewers,
            } => {
                let value = self.value(value)?;
                let viewers = self.players(viewers)?;
                let observation = Observation {
                    site: *site,
                    chooser: None,
                    pattern: 1,
                    values: value.iter().copied().collect(),
                };
                self.tell(viewers, observation)?;
                Ok(value)
            }
            _ => {
                let closed = self.closed(e)?;
                evaluate(&closed, &Default::default()).ok_or(Stop::Fault)
            }
        }
    }

    /// The same operation on constants.
    fn closed(&mut self, e: &Expr) -> Result<Expr, Stop> {
        let kind = match &e.kind {
            ExprKind::Unary { op, value } => ExprKind::Unary {
                op: *op,
                value: self.constant(value)?,
            },
            ExprKind::Binary { op, left, right } => ExprKind::Binary {
                op: *op,
                left: self.constant(left)?,
                right: self.constant(right)?,
            },
            ExprKind::Field { record, field } => ExprKind::Field {
                record: self.constant(record)?,
                field: *field,
            },
            ExprKind::Record(list) => ExprKind::Record(self.constants(list)?),
            ExprKind::SetOf(list) => ExprKind::SetOf(self.constants(list)?),
            ExprKind::RangeSet { low, high } => ExprKind::RangeSet {
                low: self.constant(low)?,
                high: self.constant(high)?,
            },
            ExprKind::Unwrap { value, checked } => ExprKind::Unwrap {
                value: self.constant(value)?,
                checked: *checked,
            },
            ExprKind::Cast(value) => ExprKind::Cast(self.constant(value)?),
            ExprKind::Call {
                function,
                args,
                table,
            } => ExprKind::Call {
                function: *function,
                args: self.constants(args)?,
                table: table.clone(),
            },
            _ => return Err(Stop::Fault),
        };
        let (ty, span) = (e.ty.clone(), e.span);
        Ok(Expr { kind, ty, span })
    }

    fn constants(&mut self, list: &[Expr]) -> Result<Vec<Expr>, Stop> {
        list.iter().map(|e| Ok(*self.constant(e)?)).collect()
    }

    fn constant(&mut self, e: &Expr) -> Result<Box<Expr>, Stop> {
        let words = self.value(e)?;
        let kind = match e.ty {
            Type::Set(_) => ExprKind::ConstSet(words),
            _ => ExprKind::Const(*words.first().ok_or(Stop::Fault)? as i64),
        };
        let (ty, span) = (e.ty.clone(), e.span);
        Ok(Box::new(Expr { kind, ty, span }))
    }

    /// An element of an array that is no variable; the innermost index first.
    fn element(&mut self, array: &Expr, mut indices: Vec<i64>) -> Result<Words, Stop> {
        match &array.kind {
            ExprKind::Element { array, index } => {
                indices.push(self.scalar(index)?);
                self.element(array, indices)
            }
            ExprKind::ConstArray(rows) => {
                let (mut ty, mut at) = (&array.ty, 0);
                while let (Some(value), Type::Array { index, element }) = (indices.pop(), ty) {
                    let (size, ordinal) = (index.size(), ordinal(index, value)?);
                    at = at * size.ok_or(Stop::Fault)? + ordinal;
                    ty = element;
                }
                rows.get(at as usize).cloned().ok_or(Stop::Fault)
            }
            ExprKind::Array { local, body } => {
                let value = indices.pop().ok_or(Stop::Fault)?;
                self.locals.insert(*local, vec![value as u64]);
                match indices.is_empty() {
                    true => self.value(body),
                    false => self.element(body, indices),
                }
            }
            _ => Err(Stop::Fault),
        }
    }

    fn fold(&mut self, fold: &Fold, ty: &Type) -> Result<Words, Stop> {
        let domain = self.value(&fold.domain)?;
        let element = fold.domain.ty.element().ok_or(Stop::Fault)?;
        let (mut count, mut sum) = (0, 0);
        let mut best: Option<Words> = None;
        let mut set = vec![0; ty.words()];
        for i in bits(&domain) {
            let value = element.value_at(i) as u64;
            self.locals.insert(fold.local, vec![value]);
            if let Some(cond) = &fold.cond
                && !self.holds(cond)?
            {
                continue;
            }
            let found = self.value(&fold.body)?;
            let first = found.first().copied().unwrap_or(0) as i64;
            match fold.op {
                FoldOp::Some if first != 0 => return Ok(vec![1]),
                FoldOp::Every if first == 0 => return Ok(vec![0]),
                FoldOp::No if first != 0 => return Ok(vec![0]),
                FoldOp::Some | FoldOp::Every | FoldOp::No => {}
                FoldOp::Count => count += u64::from(first != 0),
                FoldOp::Sum => sum += first,
                FoldOp::Union => set.iter_mut().zip(&found).for_each(|(w, f)| *w |= f),
                FoldOp::SetOf => {
                    let of = ty.element().ok_or(Stop::Fault)?;
                    insert(&mut set, ordinal(of, first)?);
                }
                FoldOp::Min | FoldOp::Max | FoldOp::Argmin | FoldOp::Argmax => {
                    let order = match (&best, &fold.body.ty) {
                        (None, _) => Ordering::Greater,
                        (Some(best), Type::Set(_)) => compare_sets(&found, best),
                        (Some(best), _) => first.cmp(&(best[0] as i64)),
                    };
                    let least = matches!(fold.op, FoldOp::Min | FoldOp::Argmin);
                    let better = match best {
                        None => true,
                        Some(_) => {
                            order
                                == if least {
                                    Ordering::Less
                                } else {
                                    Ordering::Greater
                                }
                        }
                    };
                    if better {
                        best = Some(found);
                        set.fill(0);
                    }
                    if better || order == Ordering::Equal {
                        insert(&mut set, i);
                    }
                }
            }
        }
        Ok(match fold.op {
            FoldOp::Some => vec![0],
            FoldOp::Every | FoldOp::No => vec![1],
            FoldOp::Count => vec![count],
            FoldOp::Sum => vec![sum as u64],
            FoldOp::Min | FoldOp::Max => best.ok_or(Stop::Fault)?,
            FoldOp::Argmin | FoldOp::Argmax | FoldOp::Union | FoldOp::SetOf => set,
        })
    }
}

/// What is done for a value.
pub fn arm<T>(arms: &[MatchArm<T>], value: i64) -> Option<&T> {
    let arm = arms.iter().find(|arm| arm.values.contains(&value));
    arm.map(|arm| &arm.body)
}

/// The place of a value in its type.
pub fn ordinal(ty: &Type, value: i64) -> Result<u64, Stop> {
    let (lo, hi) = ty.bounds().ok_or(Stop::Fault)?;
    match lo <= value && value <= hi {
        true => Ok(ty.ordinal(value)),
        false => Err(Stop::Fault),
    }
}

pub fn insert(set: &mut [u64], i: u64) {
    set[i as usize / 64] |= 1 << (i % 64);
}
