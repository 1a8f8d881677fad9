//! What a search keeps from one question of a game to the next.

use super::table::Table;
use crate::search::exploration::Exploration;

/// The nodes that simulations passed while the player thought about its last question. They go by what somebody saw from the
/// beginning of the game on, so that what was learned there still holds; others are forgotten, for what a whole search has
/// not come to, the next will hardly come to. So there are never more than two searches need.
#[derive(Debug, Default)]
pub struct Memory {
    table: Table,
    /// What its nodes were learned with.
    exploration: Option<Exploration>,
}

impl Memory {
    /// Another game begins.
    pub fn clear(&mut self) {
        *self = Memory::default();
    }

    /// The table for another search, and C as it was when the last one ended; both must be given back.
    pub fn take(&mut self) -> (Table, Option<Exploration>) {
        let mut table = std::mem::take(&mut self.table);
        table.begin_search();
        (table, self.exploration.take())
    }

    pub fn keep(&mut self, (table, exploration): (Table, Exploration)) {
        self.table = table;
        self.exploration = Some(exploration);
    }
}
