//! Lists of actions that many states have in common: each is made once, and told from others by its number.

use super::Actions;
use super::playout::Group;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;
use std::sync::Arc;

/// A list of actions that others may have too.
#[derive(Clone, Debug, Default)]
pub struct SharedActions {
    pub(super) actions: Arc<Actions>,
    pub(super) number: Option<u64>,
}

impl std::ops::Deref for SharedActions {
    type Target = Actions;
    fn deref(&self) -> &Actions {
        &self.actions
    }
}

impl SharedActions {
    /// Lists of one stepper with the same number are equal; equal ones may have different numbers, or none.
    #[inline]
    pub fn number(&self) -> Option<u64> {
        self.number
    }
}

/// The lists that were made, by what they were made of.
#[derive(Debug, Default)]
pub(super) struct SharedLists {
    known: FxHashMap<u64, Known>,
    /// About how many words they take.
    words: usize,
    /// How many lists there ever were.
    made: u64,
    /// What the last list is made of.
    parts: Vec<u64>,
}

#[derive(Debug)]
struct Known {
    parts: Box<[u64]>,
    list: SharedActions,
}

/// Beyond so many words lists are forgotten.
const MOST: usize = 1 << 20;

/// About how many words an action takes.
const ACTION: usize = 6;

impl SharedLists {
    /// Begins with a list: that of a node's listing.
    pub fn begin(&mut self, node: u32, listing: usize) {
        self.parts.clear();
        self.parts.push(u64::from(node) << 32 | listing as u64);
    }

    /// These come next in it.
    #[inline]
    pub fn add(&mut self, group: &Group<'_>) {
        group.write(&mut self.parts);
    }

    /// The list, which `fill` fills in where it is new; `None` where it cannot.
    pub fn get(&mut self, fill: impl FnOnce(&mut Actions) -> bool) -> Option<SharedActions> {
        let hash = FxBuildHasher.hash_one(&self.parts[..]);
        if let Some(known) = self.known.get(&hash)
            && *known.parts == *self.parts
        {
            return Some(known.list.clone());
        }
        let mut actions = Actions::default();
        if !fill(&mut actions) {
            return None;
        }
        self.words += self.parts.len() + ACTION * actions.len();
        if self.words > MOST {
            self.known.clear();
            self.words = 0;
        }
        self.made += 1;
        let list = SharedActions {
            actions: Arc::new(actions),
            number: Some(self.made),
        };
        let known = Known {
            parts: self.parts[..].into(),
            list: list.clone(),
        };
        self.known.insert(hash, known);
        Some(list)
    }
}
