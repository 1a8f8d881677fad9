//! Conditions on a value that hangs on the element alone, such as the cell behind it: the compiler finds the value for each element, and
//! the way back from values to elements.

use super::{Plan, Planning};
use crate::compile::lower::Builder;
use crate::compile::lower::tabulate::{FUEL_EACH, MOST_ROWS, MOST_WORDS};
use crate::ir::*;
use crate::model::evaluate::evaluate_within;
use crate::model::types::{Type, bits};
use crate::model::{BinaryOp, Expr, ExprKind, LocalId};
use rustc_hash::FxHashMap;
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

    /// `Board.run(f(x), way, set)` has a cell: the one behind `f(x)` is in the set.
    pub(super) fn begins_run<'e>(&mut self, run: &'e Expr, p: &Planning<'_>) -> Option<Plan<'e>> {
        let ExprKind::Call {
            function,
            args,
            table: Some(rows),
        } = &run.kind
        else {
            return None;
        };
        let [cell, way, within] = &args[..] else {
            return None;
        };
        let words = within.ty.words();
        if !function.is_run() || words != words_of(p) || !self.is_steady(within, p) {
            return None;
        }
        let (ways, cells) = (way.ty.size()?, cell.ty.size()? as usize);
        let way = way.ty.ordinal(*self.constant(way)?.first()? as i64);
        let behind = self.of_elements(cell, p)?.into_iter().map(|of| {
            let row = cell.ty.ordinal(of?) * ways + way;
            // A cell as its ordinal plus one, and 0 for none.
            let step = *rows.get(row as usize)?.first()?;
            (step as usize).checked_sub(1)
        });
        let back = way_back(behind.map(Option::into_iter), words, cells);
        Lattice::new(&back)?;
        Some(Plan::Meets {
            back,
            set: within,
            outside: false,
        })
    }

    /// What a value is for each element, if it hangs on nothing else. It has none for elements that the text leaves out before, as it says
    /// of an optional that it is not `none`.
    fn of_elements(&mut self, e: &Expr, p: &Planning<'_>) -> Option<Vec<Option<i64>>> {
        let (locals, rows) = self.rows_for(e)?;
        let [(local, ty)] = &locals[..] else {
            return None;
        };
        let own = p.names.contains(local) && ty == p.element;
        if !own || rows > MOST_ROWS || !self.is_total(e) {
            return None;
        }
        let given_out = self.fuel.min(FUEL_EACH);
        let (mut known, mut fuel) = (self.bound.clone(), given_out);
        let values = (0..rows).map(|ordinal| {
            known.insert(*local, vec![ty.value_at(ordinal) as u64]);
            match evaluate_within(e, &known, &mut fuel) {
                Some(words) => words.first().map(|value| Some(*value as i64)),
                None => uses_none(e, &known, &mut fuel).then_some(None),
            }
        });
        let values: Option<Vec<Option<i64>>> = values.collect();
        self.fuel -= given_out - fuel;
        values
    }
}

/// Whether an optional in an expression is `none` that is used as a value.
fn uses_none(e: &Expr, known: &FxHashMap<LocalId, Vec<u64>>, fuel: &mut u64) -> bool {
    e.any(|e| match &e.kind {
        ExprKind::Unwrap { value, .. } => {
            let optional = evaluate_within(value, known, fuel);
            optional.is_some_and(|words| words.first() == Some(&0))
        }
        _ => false,
    })
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
