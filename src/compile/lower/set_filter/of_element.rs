//! Conditions on a value that hangs on the element alone, such as the cell behind it: the compiler finds the value for each element, and
//! the way back from values to elements.

use super::{Plan, Planning};
use crate::compile::lower::Builder;
use crate::compile::lower::invariant::hangs_on;
use crate::compile::lower::tabulate::{MOST_ROWS, MOST_WORDS};
use crate::ir::*;
use crate::model::types::{Type, bits};
use crate::model::{BinaryOp, Expr, ExprKind, LocalId};
use std::sync::Arc;

impl Builder<'_> {
    /// `f(x) == value` and its relatives.
    pub(super) fn by_value<'e>(
        &mut self,
        op: BinaryOp,
        (of_element, value): (&Expr, &'e Expr),
        p: &Planning<'_>,
    ) -> Option<Plan<'e>> {
        let number = |ty: &Type| matches!(ty, Type::Int { .. });
        let same = of_element.ty == value.ty && !matches!(value.ty, Type::Set(_));
        let alike = same || number(&of_element.ty) && number(&value.ty);
        let rows = value.ty.size().filter(|rows| *rows <= MOST_ROWS)?;
        let words = words_of(p);
        if !alike
            || rows * words as u64 > MOST_WORDS
            || !self.is_steady(value, p)
            || self.constant(value).is_some()
        {
            return None;
        }
        let found = self.of_elements(of_element, p)?;
        let mut values = vec![0; rows as usize * words];
        for (row, set) in values.chunks_mut(words).enumerate() {
            let value = value.ty.value_at(row as u64);
            for (x, of) in found.iter().enumerate() {
                let holds = of.is_some_and(|of| match op {
                    BinaryOp::Eq => of == value,
                    BinaryOp::Lt => of < value,
                    BinaryOp::Le => of <= value,
                    BinaryOp::Gt => of > value,
                    _ => of >= value,
                });
                set[x / 64] |= u64::from(holds) << (x % 64);
            }
        }
        let words = words as u16;
        Some(Plan::ByValue {
            value,
            table: Table { words, values },
        })
    }

    /// `f(x) in set`.
    pub(super) fn meets_at<'e>(
        &mut self,
        of_element: &Expr,
        set: &'e Expr,
        p: &Planning<'_>,
    ) -> Option<Plan<'e>> {
        let (element, words) = (set.ty.element()?, set.ty.words());
        if of_element.ty != *element || words != words_of(p) || !self.is_steady(set, p) {
            return None;
        }
        let found = self.of_elements(of_element, p)?;
        let (least, values) = (element.value_at(0), element.size()? as usize);
        let ordinals = found.into_iter().map(|of| {
            let y = of.and_then(|of| usize::try_from(of - least).ok());
            y.filter(|y| *y < values).into_iter()
        });
        let back = way_back(ordinals, words, values);
        Lattice::new(&back)?;
        Some(Plan::Meets {
            back,
            set,
            outside: false,
        })
    }

    /// What of the element is looked up in a table meets a set.
    pub(super) fn meets<'e>(
        &mut self,
        of_element: &Expr,
        set: &'e Expr,
        outside: bool,
        p: &Planning<'_>,
    ) -> Option<Plan<'e>> {
        let words = set.ty.words();
        let size = p.element.size()?;
        if set.ty != of_element.ty
            || words != Type::Set(Arc::new(p.element.clone())).words()
            || !self.is_steady(set, p)
        {
            return None;
        }
        let found = self.values_of(of_element, words as u16);
        let found = found.and_then(|found| own_values(found, p))?;
        if found.values.len() != words * size as usize {
            return None;
        }
        let values = set.ty.element()?.size()? as usize;
        let rows = found.values.chunks(words);
        let back = way_back(rows.map(|row| bits(row).map(|y| y as usize)), words, values);
        // Others take a step for each value of the set, as the largest lattices do.
        Lattice::new(&back)?;
        Some(Plan::Meets { back, set, outside })
    }

    /// What a value is for each element, if it hangs on nothing else. An optional of which the text knows that it has a value has none for
    /// elements that are left out before.
    fn of_elements(&mut self, e: &Expr, p: &Planning<'_>) -> Option<Vec<Option<i64>>> {
        if !hangs_on(e, &p.names) {
            return None;
        }
        let optional = match &e.kind {
            ExprKind::Unwrap {
                value,
                checked: false,
            } => Some(&**value),
            _ => None,
        };
        let found = self.values_of(optional.unwrap_or(e), 1)?;
        let found = own_values(found, p)?.values.into_iter();
        let value = |of: u64| match optional {
            // An optional value is its ordinal plus one, and 0 for none.
            Some(_) => of.checked_sub(1).map(|ordinal| e.ty.value_at(ordinal)),
            None => Some(of as i64),
        };
        Some(found.map(value).collect())
    }
}

/// Of the values for all combinations of some locals those for each element, if that is the only local.
fn own_values((locals, table): (Vec<(LocalId, Type)>, Table), p: &Planning<'_>) -> Option<Table> {
    let own = matches!(&locals[..], [(local, ty)] if p.names.contains(local) && ty == p.element);
    own.then_some(table)
}

/// How many words a set of elements has.
fn words_of(p: &Planning<'_>) -> usize {
    Type::Set(Arc::new(p.element.clone())).words()
}

/// The elements for each of so many values, from the values for each element.
fn way_back<V: Iterator<Item = usize>>(
    of_elements: impl Iterator<Item = V>,
    words: usize,
    values: usize,
) -> Table {
    let mut back = vec![0; words * values];
    for (x, of_element) in of_elements.enumerate() {
        for y in of_element {
            back[y * words + x / 64] |= 1 << (x % 64);
        }
    }
    Table {
        words: words as u16,
        values: back,
    }
}
