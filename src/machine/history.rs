//! What players saw: events, observations, and a player's information state as a running hash or as an exact history.

use crate::model::{PlayerSet, SiteId};
use crate::random::mix;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

/// In an event of a choice, the value in the place of the alternative: for those who see a part and not the label.
pub const HIDDEN_LABEL: u64 = u64::MAX;

/// Something that happened and who saw it. One choice may give several events with disjoint viewers, who see more or less
/// of it. A choice's values are the alternative, or [`HIDDEN_LABEL`], and the parts that the viewers see.
#[derive(Copy, Clone, Debug)]
pub struct Event<'a> {
    /// Where in the text it happened.
    pub site: SiteId,
    /// Who sees these values.
    pub viewers: PlayerSet,
    /// For a choice: who chose.
    pub chooser: Option<u8>,
    /// Whether these viewers see all of it; the values of a whole choice or draw are those of its action.
    pub whole: bool,
    /// Which parts these viewers see, a bit each.
    pub pattern: u64,
    /// The values that are seen, one after the other, each in as many words as its type takes.
    pub values: &'a [u64],
}

/// One player's share of an event.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Observation {
    /// Where in the text it happened.
    pub site: SiteId,
    /// For a choice: who chose, which all who see it know.
    pub chooser: Option<u8>,
    /// Which parts are seen, a bit each.
    pub pattern: u64,
    /// As in [`Event`].
    pub values: SmallVec<[u64; 4]>,
}

impl From<&Event<'_>> for Observation {
    fn from(event: &Event<'_>) -> Observation {
        Observation {
            site: event.site,
            chooser: event.chooser,
            pattern: event.pattern,
            values: SmallVec::from_slice(event.values),
        }
    }
}

/// A running hash of every player's action–observation history.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct InformationKeys(pub SmallVec<[u64; 8]>);

impl InformationKeys {
    pub fn new(players: usize) -> InformationKeys {
        InformationKeys(SmallVec::from_elem(0x9E37_79B9_7F4A_7C15, players))
    }

    /// Takes an event in for all who saw it.
    pub fn see(&mut self, event: &Event<'_>) {
        let mut seen = mix(u64::from(event.site.0), event.pattern);
        seen = mix(seen, event.chooser.map_or(0, |c| u64::from(c) + 1));
        for &value in event.values {
            seen = mix(seen, value);
        }
        for player in event.viewers {
            if let Some(key) = self.0.get_mut(player) {
                *key = mix(*key, seen);
            }
        }
    }

    /// The information state of a player who is asked to choose at `node`.
    pub fn asked(&self, player: usize, node: u32) -> u64 {
        mix(self.0[player], u64::from(node) | 1 << 40)
    }
}

/// Exact histories, interned as (parent, observation) → id. Id 0 is the empty history.
#[derive(Clone, Debug, Default)]
pub struct Histories {
    nodes: IndexSet<(u32, Observation), FxBuildHasher>,
}

impl Histories {
    /// The history `parent` with one more observation.
    pub fn extend(&mut self, parent: u32, event: &Event<'_>) -> u32 {
        let observation = Observation::from(event);
        self.nodes.insert_full((parent, observation)).0 as u32 + 1
    }

    /// The observations of a history, oldest first.
    pub fn observations(&self, mut id: u32) -> Vec<&Observation> {
        let mut list = Vec::new();
        while id != 0 {
            let Some((parent, observation)) = self.nodes.get_index(id as usize - 1) else {
                break;
            };
            list.push(observation);
            id = *parent;
        }
        list.reverse();
        list
    }
}
