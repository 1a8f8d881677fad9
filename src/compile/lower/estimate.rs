//! How many elements a set can have, and how many it may be expected to have: what decides whether sampling by trials
//! pays. The greatest number must hold; the expected one may be far off.

use super::Builder;
use super::conditions::conjuncts;
use super::invariant::hangs_on;
use super::made::{binary, expr};
use super::tabulate::MOST_ROWS;
use super::trial::share;
use crate::model::evaluate::evaluate_within;
use crate::model::types::{Type, bits};
use crate::model::{BinaryOp, Expr, ExprKind, Fold, FoldOp, Init, LocalId};
use rustc_hash::FxHashSet;
use std::borrow::Cow;

/// A filter is taken to let half of what it sees through, and a set variable to hold a quarter of its elements.
const FILTERED: f64 = 0.5;
const HELD: f64 = 0.25;
/// And such a share of what it begins with, if that is more.
const LEFT: f64 = 0.75;

/// Of so many combinations of values it is tried whether a condition holds.
const MOST_TRIED: u64 = 512;

/// The size of a set.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(super) struct Size {
    /// Never exceeded.
    pub most: u64,
    pub mean: f64,
    /// More than the size of the type is known.
    pub known: bool,
}

impl Size {
    fn exactly(n: u64) -> Size {
        Size {
            most: n,
            mean: n as f64,
            known: true,
        }
    }

    /// Of either of two sets.
    fn either(self, other: Size) -> Size {
        Size {
            most: self.most.max(other.most),
            mean: (self.mean + other.mean) / 2.0,
            known: self.known && other.known,
        }
    }

    /// With so many elements less.
    pub fn without(self, elements: u64) -> Size {
        Size {
            most: self.most.saturating_sub(elements),
            mean: (self.mean - elements as f64).max(0.0),
            known: self.known,
        }
    }

    fn at_most(self, most: u64) -> Size {
        Size {
            most: self.most.min(most),
            mean: self.mean.min(most as f64),
            known: self.known,
        }
    }
}

impl Builder<'_> {
    /// The size of the set that an expression stands for here.
    pub(super) fn size_of(&mut self, e: &Expr) -> Size {
        let all = e.ty.element().and_then(Type::size).unwrap_or(u64::MAX);
        if let Some(words) = self.constant(e) {
            return Size::exactly(bits(&words).count() as u64);
        }
        if let Some(size) = self.size_by_values(e) {
            return size.at_most(all);
        }
        let unknown = Size {
            most: all,
            mean: (all as f64 * HELD).max(1.0),
            known: false,
        };
        let size = match &e.kind {
            ExprKind::Var { var, .. } => {
                let mean = unknown.mean.max(LEFT * begins_with(&self.d.var(*var).init));
                Size { mean, ..unknown }
            }
            ExprKind::Element { array, .. } => rows_of(array).map_or(unknown, |rows| {
                rows_size(rows.iter().map(|row| bits(row).count() as u64))
            }),
            ExprKind::Binary {
                op: BinaryOp::Union,
                left: a,
                right: b,
            } => {
                let (a, b) = (self.size_of(a), self.size_of(b));
                Size {
                    most: a.most.saturating_add(b.most),
                    mean: a.mean + b.mean,
                    known: a.known && b.known,
                }
            }
            ExprKind::Binary {
                op: BinaryOp::Difference,
                left: a,
                ..
            } => filtered(self.size_of(a)),
            ExprKind::Binary {
                op: BinaryOp::Intersect,
                left: a,
                right: b,
            } => {
                let sizes = (self.size_of(a), self.size_of(b));
                let (few, many) = if sizes.0.most <= sizes.1.most {
                    (sizes.0, b)
                } else {
                    (sizes.1, a)
                };
                // As if the elements of the one were spread evenly over the other.
                Size {
                    mean: few.mean * self.share_of_all(many),
                    ..few
                }
            }
            ExprKind::If {
                then: a,
                otherwise: b,
                ..
            } => self.size_of(a).either(self.size_of(b)),
            ExprKind::Match {
                arms, otherwise, ..
            } => {
                let arms = arms.iter().map(|arm| &arm.body);
                let sizes = arms
                    .chain(otherwise.as_deref())
                    .map(|arm| self.size_of(arm));
                sizes.reduce(Size::either).unwrap_or(unknown)
            }
            ExprKind::Let {
                local, body: inner, ..
            } => {
                self.bound.remove(local);
                self.size_of(inner)
            }
            // One element as a set.
            ExprKind::Cast(inner) if !matches!(inner.ty, Type::Set(_)) => Size::exactly(1),
            ExprKind::Cast(inner) => self.size_of(inner),
            ExprKind::Shown { value, .. } | ExprKind::After { value, .. } => self.size_of(value),
            ExprKind::RangeSet { .. } => Size {
                most: all,
                mean: all as f64 * FILTERED,
                known: true,
            },
            ExprKind::SetOf(elements) => Size::exactly(elements.len() as u64),
            ExprKind::Call { function, args, .. } => match function.part(args) {
                Some((set, most)) => {
                    let size = self.size_of(set).at_most(most);
                    Size {
                        known: size.known || most < all,
                        ..size
                    }
                }
                None => unknown,
            },
            ExprKind::Fold(fold) => self.fold_size(fold).unwrap_or(unknown),
            _ => unknown,
        };
        size.at_most(all)
    }

    /// Of the elements that a loop goes on with.
    fn walked(&mut self, fold: &Fold) -> Size {
        let domain = self.size_of(&fold.domain);
        // It may still stand for the last element of an unrolled loop.
        self.bound.remove(&fold.local);
        let size = match fold.cond {
            Some(_) => filtered(domain),
            None => domain,
        };
        let asked = self.asked_by_values(fold).and_then(|cond| {
            let element = fold.domain.ty.element()?;
            let filter = Fold {
                op: FoldOp::SetOf,
                cond: Some(cond),
                body: expr(ExprKind::Local(fold.local), element, &fold.domain),
                ..fold.clone()
            };
            let set = ExprKind::Fold(Box::new(filter));
            self.size_by_table(&expr(set, &fold.domain.ty, &fold.domain))
        });
        match asked.filter(|asked| asked.most < size.most) {
            Some(asked) => Size {
                mean: asked.mean.min(size.mean),
                ..asked
            },
            None => size,
        }
    }

    /// What a loop asks of an element, or a loop in it of whose sets the union is made: nothing comes of an element for which it
    /// does not hold. Only what hangs on no state.
    fn asked_by_values(&self, fold: &Fold) -> Option<Expr> {
        let inner = match &fold.body.kind {
            ExprKind::Fold(inner) if fold.op == FoldOp::Union => Some(inner),
            _ => None,
        };
        // Of nothing these are the empty set.
        let inner = inner.filter(|inner| matches!(inner.op, FoldOp::Union | FoldOp::SetOf));
        let inner = inner.and_then(|inner| Some((inner.cond.as_ref()?, inner.local)));
        let of_inner = inner.into_iter().flat_map(|(cond, local)| {
            let own = FxHashSet::from_iter([local]);
            let conds = conjuncts(cond).into_iter();
            conds.filter(move |cond| !hangs_on(cond, &own))
        });
        let conds = fold.cond.iter().flat_map(conjuncts).chain(of_inner);
        let asked = conds.filter(|cond| {
            cond.free_locals()
                .is_some_and(|locals| locals.contains(&fold.local))
        });
        asked
            .map(Cow::into_owned)
            .reduce(|a, b| binary(BinaryOp::And, a, b))
    }

    /// The size of a set that is looked up in a table of its values; `None` where it is found otherwise.
    pub(super) fn size_by_table(&mut self, e: &Expr) -> Option<Size> {
        // Here nothing is used up: the table is made when the set is.
        let fuel = self.fuel;
        let size = self.size_in_rows(e);
        self.fuel = fuel;
        size
    }

    fn size_in_rows(&mut self, e: &Expr) -> Option<Size> {
        let words = e.ty.words();
        let (_, table) = self.values_of(e, words as u16)?;
        let rows = table.values.chunks(words.max(1));
        Some(rows_size(rows.map(|row| bits(row).count() as u64)))
    }

    /// The size of a formula that hangs on few values and on no state: it is worked out for all of these.
    fn size_by_values(&mut self, e: &Expr) -> Option<Size> {
        let made = match &e.kind {
            ExprKind::Fold(fold) => matches!(fold.op, FoldOp::SetOf | FoldOp::Union),
            kind => matches!(kind, ExprKind::Binary { .. }),
        };
        if !made || self.size_fuel == 0 {
            return None;
        }
        let locals = e.free_locals()?;
        if locals.is_empty() || locals.iter().any(|local| self.bound.contains_key(local)) {
            return None;
        }
        // What a def says is written anew for other arguments.
        let known = self.sizes.get(&e.span).into_iter().flatten();
        if let Some((_, size)) = known.into_iter().find(|(of, _)| of.is_same(e)) {
            return *size;
        }
        let fuel = std::mem::replace(&mut self.fuel, self.size_fuel);
        let size = self.size_in_rows(e);
        self.size_fuel = std::mem::replace(&mut self.fuel, fuel);
        self.sizes
            .entry(e.span)
            .or_default()
            .push((e.clone(), size));
        size
    }

    /// Whether the values for which such a condition holds are looked up in a table of the other values.
    pub(super) fn is_looked_up(&self, local: LocalId, cond: &Expr) -> bool {
        let all = self.rows_for(cond).map(|(_, rows)| rows);
        let own = self.local_type(local).size().unwrap_or(1).max(1);
        all.is_some_and(|all| all / own <= MOST_ROWS)
    }

    /// How often a condition holds that hangs on values alone, where these are any of their types.
    pub(super) fn share_by_values(&mut self, cond: &Expr) -> Option<f64> {
        let (locals, all) = self.rows_for(cond)?;
        let mut given = self.bound.clone();
        let (mut holds, mut random) = (0u64, 1u64);
        let tried = all.min(MOST_TRIED);
        for number in 0..tried {
            // Where there are more, some from all over.
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let mut rest = match tried < all {
                true => (random >> 32) % all,
                false => number,
            };
            for (local, ty) in &locals {
                let size = ty.size()?;
                given.insert(*local, vec![ty.value_at(rest % size) as u64]);
                rest /= size;
            }
            let value = evaluate_within(cond, &given, &mut self.size_fuel)?;
            holds += u64::from(value.first() == Some(&1));
        }
        Some(share(holds as f64 / tried.max(1) as f64, true))
    }

    /// Which share of all values of its type a set may be expected to have.
    fn share_of_all(&mut self, e: &Expr) -> f64 {
        if let ExprKind::Binary {
            op: BinaryOp::Difference,
            left,
            right,
        } = &e.kind
        {
            return self.share_of_all(left) * (1.0 - self.share_of_all(right));
        }
        let all = e.ty.element().and_then(Type::size).unwrap_or(u64::MAX);
        (self.size_of(e).mean / all.max(1) as f64).min(1.0)
    }

    fn fold_size(&mut self, fold: &Fold) -> Option<Size> {
        let walked = self.walked(fold);
        Some(match fold.op {
            FoldOp::SetOf => walked,
            FoldOp::Argmin | FoldOp::Argmax => Size {
                most: walked.most,
                mean: 1.0,
                known: walked.known,
            },
            FoldOp::Union => {
                let each = self.size_of(&fold.body);
                Size {
                    most: walked.most.saturating_mul(each.most),
                    mean: walked.mean * each.mean,
                    known: walked.known && each.known,
                }
            }
            _ => return None,
        })
    }
}

fn filtered(size: Size) -> Size {
    Size {
        most: size.most,
        mean: size.mean * FILTERED,
        known: size.known,
    }
}

/// How many elements a set has at first, in the mean of those of an array.
fn begins_with(init: &Init) -> f64 {
    let count = |set: &Vec<u64>| bits(set).count() as f64;
    match init {
        Init::Same(set) => count(set),
        Init::Each(sets) => sets.iter().map(count).sum::<f64>() / sets.len().max(1) as f64,
    }
}

/// The constants of which an array is, or is a part.
fn rows_of(array: &Expr) -> Option<&[Vec<u64>]> {
    match &array.kind {
        ExprKind::ConstArray(rows) => Some(rows),
        ExprKind::Element { array, .. } => rows_of(array),
        _ => None,
    }
}

/// Of any of some rows, by how many elements each has.
fn rows_size(sizes: impl Iterator<Item = u64> + Clone) -> Size {
    let sum: u64 = sizes.clone().sum();
    Size {
        most: sizes.clone().max().unwrap_or(0),
        mean: sum as f64 / sizes.count().max(1) as f64,
        known: true,
    }
}
