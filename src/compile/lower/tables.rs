//! Constant tables, and the walks over a board that read them.

use super::Builder;
use crate::ir::*;
use crate::model::{BoardWalk, Expr, Rows};
use std::sync::Arc;

impl Builder<'_> {
    /// The number of the table with these rows, each cut or filled to `words`; equal tables are kept once.
    pub(super) fn table_of(&mut self, rows: &Rows, words: u16) -> u32 {
        let place = (Arc::as_ptr(rows) as usize, words);
        if let Some(number) = self.table_numbers.get(&place) {
            return *number;
        }
        let values = rows
            .iter()
            .flat_map(|row| (0..usize::from(words)).map(|w| row.get(w).copied().unwrap_or(0)))
            .collect();
        let number = self.table(Table { words, values });
        self.table_numbers.insert(place, number);
        number
    }

    /// The number of a table; equal ones are kept once.
    pub(super) fn table(&mut self, table: Table) -> u32 {
        let known = self.tables.iter().position(|t| *t == table);
        known.unwrap_or_else(|| {
            self.tables.push(table);
            self.tables.len() - 1
        }) as u32
    }

    pub(super) fn walk(&mut self, walk: BoardWalk, rows: &Rows, args: &[Expr], dst: Operand) {
        match (walk, args) {
            (BoardWalk::Around, [from]) => {
                let src = self.value(from);
                let table = self.table_of(rows, dst.words);
                self.emit(Instr::SetAround { dst, src, table });
            }
            (BoardWalk::Group, [from, within]) => {
                let (from, within) = (self.value(from), self.value(within));
                let table = self.table_of(rows, dst.words);
                self.emit(Instr::SetGroup {
                    dst,
                    from,
                    within,
                    table,
                });
            }
            (BoardWalk::Hops { bits }, [from, to]) => {
                let from = self.ordinal(from, &from.ty, from.span);
                let to = self.ordinal(to, &to.ty, to.span);
                let words = rows.first().map_or(0, Vec::len) as u16;
                let table = self.table_of(rows, words);
                self.emit(Instr::Hops {
                    dst: dst.slot,
                    from,
                    to,
                    table,
                    words,
                    bits,
                });
            }
            (_, [cell, way, within]) => {
                let from = self.ordinal(cell, &cell.ty, cell.span);
                let ways = way.ty.size().unwrap_or(1) as u32;
                let way = self.ordinal(way, &way.ty, way.span);
                let within = self.value(within);
                let table = self.table_of(rows, 1);
                self.emit(Instr::SetRun {
                    dst,
                    from,
                    way,
                    within,
                    table,
                    ways,
                    both: walk == BoardWalk::Line,
                });
            }
            _ => {}
        }
    }
}
