//! What a search keeps from one question of a game to the next.

use super::table::Table;

/// The nodes that simulations passed while the player thought about its last question. They go by what somebody saw from the
/// beginning of the game on, so that what was learned there still holds; others are forgotten, for what a whole search has
/// not come to, the next will hardly come to. So there are never more than two searches need.
#[derive(Debug, Default)]
pub struct Memory {
    table: Table,
}

impl Memory {
    /// Another game begins.
    pub fn clear(&mut self) {
        *self = Memory::default();
    }

    /// The table for another search, which must be given back.
    pub fn take(&mut self) -> Table {
        let mut table = std::mem::take(&mut self.table);
        table.begin_search();
        table
    }

    pub fn keep(&mut self, table: Table) {
        self.table = table;
    }
}
