//! Scotland Yard (Nijssen & Winands 2012, section II-B) and its small variant: the map, the rules one by one, and random
//! games against another telling of the same rules.

mod map;
mod random;
mod retold;
mod rules;
use ruse::internal::machine::{Machine, State};
use std::collections::HashMap;

/// The whole board by name: `at[X]`, `tickets[Red][taxi]`, `suspects`, …
fn board(machine: &Machine, state: &State) -> HashMap<String, String> {
    let entries = machine.whole_view(state).entries;
    let notes = machine.notes(state, None).entries;
    let all = entries.into_iter().chain(notes);
    all.map(|e| (e.name, e.value)).collect()
}
