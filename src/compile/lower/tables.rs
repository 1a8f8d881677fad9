//! Constant tables.

use super::Builder;
use crate::ir::*;
use crate::model::Rows;
use std::sync::Arc;

impl Builder<'_> {
    /// The number of the table with these rows, each cut or filled to `words`; equal tables are kept once.
    pub(super) fn table_of(&mut self, rows: &Rows, words: u16) -> u32 {
        let place = (Arc::as_ptr(rows) as usize, words);
        if let Some((_, number)) = self.table_numbers.get(&place) {
            return *number;
        }
        let values = rows
            .iter()
            .flat_map(|row| (0..usize::from(words)).map(|w| row.get(w).copied().unwrap_or(0)))
            .collect();
        let number = self.table(Table { words, values });
        self.table_numbers.insert(place, (Arc::clone(rows), number));
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

    /// Reads the row of a table with the number in a slot.
    pub(super) fn look_up(&mut self, table: u32, index: Slot, dst: Operand) {
        self.emit(Instr::Table {
            dst: dst.slot,
            table,
            index,
            words: dst.words,
        });
    }

    /// The same into a place that is made for it.
    pub(super) fn row(&mut self, table: u32, index: Slot, words: u16) -> Operand {
        let dst = self.temporary(words);
        self.look_up(table, index, dst);
        dst
    }
}
