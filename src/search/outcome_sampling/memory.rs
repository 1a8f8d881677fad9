//! The information states that a search knows, by player and key, and the histories that it has baselines of.

use crate::solve::regret::sampling::RegretTables;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// Where the choices of information states are in the tables, and those of histories among the baselines.
#[derive(Debug, Default)]
pub struct Memory {
    places: FxHashMap<(u8, u64), (u32, u32)>,
    histories: FxHashMap<u64, (u32, u32)>,
    /// The number of choices of all histories.
    history_choices: usize,
    /// The number of players.
    players: usize,
    /// About how many bytes the information states take, with the tables.
    bytes: usize,
    /// About how many bytes the histories take, with the baselines.
    history_bytes: usize,
}

/// It grows to about so many bytes; then games are played evenly where nothing is known.
const MOST: usize = 1 << 30;
/// Baselines grow to about so many bytes; what comes after has none.
const MOST_HISTORIES: usize = 1 << 29;

/// About how many bytes an information state or a history takes, and a choice of an information state.
const STATE: usize = 48;
const CHOICE: usize = 2 * size_of::<f64>();

impl Memory {
    pub fn new(players: usize) -> Memory {
        Memory {
            players,
            ..Memory::default()
        }
    }

    /// Where the baselines of a history's choices begin, by its key. `None`: it was not known before, and there is no room, or
    /// its key is by chance that of another history.
    pub fn history(&mut self, key: u64, choices: usize) -> Option<usize> {
        if let Some(&(first, known)) = self.histories.get(&key) {
            return (known as usize == choices).then_some(first as usize);
        }
        if self.history_bytes >= MOST_HISTORIES {
            return None;
        }
        self.history_bytes += STATE + choices * self.players * size_of::<f64>();
        let first = self.history_choices;
        self.history_choices += choices;
        self.histories.insert(key, (first as u32, choices as u32));
        Some(first)
    }

    /// How many information states are known.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// The choices of an information state.
    pub fn find(&self, player: usize, key: u64) -> Option<Range<usize>> {
        let &(first, choices) = self.places.get(&(player as u8, key))?;
        Some(first as usize..(first + choices) as usize)
    }

    /// The same, and whether it was known before. `None`: it was not, and there is no room for it.
    pub fn find_or_add(
        &mut self,
        player: usize,
        key: u64,
        choices: usize,
        tables: &mut RegretTables,
    ) -> Option<(Range<usize>, bool)> {
        if let Some(found) = self.find(player, key) {
            // Where two keys are the same by chance, the first keeps it.
            return (found.len() == choices).then_some((found, true));
        }
        if self.bytes >= MOST {
            return None;
        }
        self.bytes += STATE + choices * CHOICE;
        let added = tables.add(choices);
        let place = (added.start as u32, choices as u32);
        self.places.insert((player as u8, key), place);
        Some((added, false))
    }
}
