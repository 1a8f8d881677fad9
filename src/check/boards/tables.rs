//! The constant tables of a board, each made when something first asks for it.

use crate::check::checker::Checker;
use crate::model::boards::Board;
use crate::model::reach;
use crate::model::types::Type;
use crate::model::{Expr, ExprKind, Rows};
use crate::text::span::Span;
use std::sync::Arc;

/// What a table holds.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum TableKey {
    /// By node, its neighbours; by edges with some labels only.
    Next(Option<Vec<u64>>),
    /// By label and node, its neighbours.
    Labelled,
    Degree,
    /// By node, the lengths of the shortest ways to all, packed.
    Hops(Option<Vec<u64>>),
    Reach,
    /// By cell and direction, the next cell, if there is one.
    Step,
    /// The same as a set of at most one cell.
    Steps,
    Touching,
    /// By the number of a column, its cells.
    Column,
    /// By cell, the cells of its column.
    ColumnOf,
    Row,
    RowOf,
}

impl Checker<'_> {
    pub(super) fn board_rows(&mut self, board: &Board, key: TableKey) -> Rows {
        let slot = (board.name.clone(), key);
        if let Some(done) = self.tables.get(&slot) {
            return done.clone();
        }
        let rows = Arc::new(rows(board, &slot.1));
        self.tables.insert(slot, rows.clone());
        rows
    }

    /// A table as a constant array.
    pub(super) fn board_table(&mut self, board: &Board, key: TableKey, span: Span) -> Expr {
        let ty = array_type(board, &key);
        let rows = self.board_rows(board, key);
        Expr {
            kind: ExprKind::ConstArray(rows),
            ty,
            span,
        }
    }
}

fn array_type(board: &Board, key: &TableKey) -> Type {
    let node = || board.node.clone();
    let set = || Type::set_of(board.node.clone());
    let size = board.size() as i64;
    let direction = || {
        board
            .lattice
            .as_ref()
            .map_or(Type::Bool, |l| l.direction.clone())
    };
    let numbers = |n: fn(&crate::model::boards::Lattice) -> u32| {
        let hi = board.lattice.as_ref().map_or(1, n);
        Type::Int {
            lo: 1,
            hi: i64::from(hi),
        }
    };
    let (indices, element) = match key {
        TableKey::Next(_) | TableKey::Reach | TableKey::Touching => (vec![node()], set()),
        TableKey::ColumnOf | TableKey::RowOf => (vec![node()], set()),
        TableKey::Labelled => {
            let label = board.label.clone().unwrap_or(Type::Bool);
            (vec![label, node()], set())
        }
        TableKey::Degree => (vec![node()], Type::Int { lo: 0, hi: size }),
        TableKey::Hops(_) => (vec![node()], Type::Int { lo: 0, hi: size }),
        TableKey::Step => (vec![node(), direction()], Type::optional(node())),
        TableKey::Steps => (vec![node(), direction()], set()),
        TableKey::Column => (vec![numbers(|l| l.columns)], set()),
        TableKey::Row => (vec![numbers(|l| l.rows)], set()),
    };
    indices.into_iter().rev().fold(element, |t, i| Type::Array {
        index: Arc::new(i),
        element: Arc::new(t),
    })
}

fn rows(board: &Board, key: &TableKey) -> Vec<Vec<u64>> {
    let size = board.size();
    let words = size.div_ceil(64).max(1);
    let set = |nodes: &mut dyn Iterator<Item = usize>| {
        let mut set = vec![0u64; words];
        nodes.for_each(|n| set[n / 64] |= 1 << (n % 64));
        set
    };
    let sets = |lists: &[Vec<u32>]| -> Vec<Vec<u64>> {
        lists
            .iter()
            .map(|list| set(&mut list.iter().map(|n| *n as usize)))
            .collect()
    };
    let columns = board.lattice.as_ref().map_or(1, |l| l.columns as usize);
    let lines = board.lattice.as_ref().map_or(1, |l| l.rows as usize);
    let column = |c: usize| set(&mut (0..size).filter(|n| n % columns == c));
    let row = |r: usize| set(&mut (0..size).filter(|n| n / columns == r));
    let steps = || {
        board
            .lattice
            .iter()
            .flat_map(|l| l.steps.iter().flatten().copied())
    };
    match key {
        TableKey::Next(labels) => sets(&board.neighbours(labels.as_deref())),
        TableKey::Labelled => board.edges.iter().flat_map(|e| sets(e)).collect(),
        TableKey::Degree => board
            .neighbours(None)
            .iter()
            .map(|list| vec![list.len() as u64])
            .collect(),
        TableKey::Hops(labels) => {
            let next = board.neighbours(labels.as_deref());
            let bits = reach::distance_bits(size);
            (0..size)
                .map(|from| reach::pack(&reach::distances(from, &next), bits))
                .collect()
        }
        TableKey::Reach => {
            let next = board.neighbours(None);
            (0..size)
                .map(|from| {
                    let found = reach::distances(from, &next);
                    set(&mut (0..size).filter(|n| found[*n].is_some()))
                })
                .collect()
        }
        TableKey::Step => steps()
            .map(|to| vec![to.map_or(0, |n| u64::from(n) + 1)])
            .collect(),
        TableKey::Steps => steps()
            .map(|to| set(&mut to.into_iter().map(|n| n as usize)))
            .collect(),
        TableKey::Touching => board
            .lattice
            .iter()
            .filter_map(|l| l.touching.as_ref())
            .flat_map(|lists| sets(lists))
            .collect(),
        TableKey::Column => (0..columns).map(column).collect(),
        TableKey::ColumnOf => (0..size).map(|n| column(n % columns)).collect(),
        TableKey::Row => (0..lines).map(row).collect(),
        TableKey::RowOf => (0..size).map(|n| row(n / columns)).collect(),
    }
}
