//! What searches have in common that go by what a player saw from the beginning of the game on.

pub mod target;

use crate::machine::{Action, Event, InformationKeys, Observation};
use crate::model::PlayerSet;
use crate::random::mix;

/// The key of the information state of a player who is asked to choose at a node among these actions.
pub fn key(keys: &InformationKeys, player: usize, node: u32, actions: &[Action]) -> u64 {
    let words = actions.iter().flat_map(|action| &action.0);
    words.fold(keys.asked(player, node), |key, word| mix(key, *word))
}

/// Takes in what a player saw.
pub fn see(keys: &mut InformationKeys, player: usize, seen: &Observation) {
    keys.see(&Event {
        site: seen.site,
        viewers: PlayerSet::only(player),
        chooser: seen.chooser,
        whole: false,
        pattern: seen.pattern,
        values: &seen.values,
    });
}
