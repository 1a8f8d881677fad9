//! The nodes of a search, by mover and key.

use crate::machine::Action;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;
use std::sync::Arc;

/// What is known of an action at a node.
#[derive(Clone, Debug, Default)]
pub struct Arm {
    pub visits: f64,
    /// Of the mover's payoffs, in units of payoff.
    pub sum: f64,
    /// How often the node was passed while the action was there.
    pub available: f64,
}

/// The actions of the arms of a node in their order, or what the searching player sees of them. Nodes that were passed with the
/// same ones share them.
#[derive(Clone, Debug, Default)]
struct Names {
    list: Vec<Action>,
    /// Where each is in the list, if there are more than a few.
    places: FxHashMap<Action, u32>,
}

/// Up to so many names are looked through.
const FEW: usize = 8;

impl Names {
    fn of(list: &[Action]) -> Names {
        let mut names = Names {
            list: list.to_vec(),
            places: FxHashMap::default(),
        };
        names.note_places();
        names
    }

    fn find(&self, name: &Action) -> Option<u32> {
        match self.list.len() <= FEW {
            true => {
                let place = self.list.iter().position(|known| known == name);
                place.map(|place| place as u32)
            }
            false => self.places.get(name).copied(),
        }
    }

    fn add(&mut self, name: &Action) -> u32 {
        self.list.push(name.clone());
        self.note_places();
        self.list.len() as u32 - 1
    }

    /// Notes where those are that were not noted yet.
    fn note_places(&mut self) {
        if self.list.len() > FEW {
            for (i, name) in self.list.iter().enumerate().skip(self.places.len()) {
                self.places.insert(name.clone(), i as u32);
            }
        }
    }

    /// About how many bytes it takes.
    fn bytes(&self) -> usize {
        2 * size_of::<Action>() * (self.list.len() + self.places.len())
    }
}

#[derive(Clone, Debug)]
pub struct Node {
    /// The mover, and the key.
    name: (u8, u64),
    /// The last search in which a simulation passed it.
    passed: u32,
    pub visits: f64,
    pub arms: Vec<Arm>,
    names: Arc<Names>,
    /// The number of a list that is equal to the names.
    list: Option<u64>,
}

/// What there is to choose from where a node is passed.
#[derive(Copy, Clone, Debug)]
pub struct Offered<'a> {
    /// The actions, or what the searching player sees of them.
    pub names: &'a [Action],
    /// Of the list, if it has one: see [`SharedActions::number`](crate::machine::SharedActions::number).
    pub number: Option<u64>,
    /// Whether a name may be there several times; it counts once.
    pub repeated: bool,
}

impl Node {
    /// The action of an arm, or what the searching player sees of it.
    pub fn name(&self, arm: u32) -> &Action {
        &self.names.list[arm as usize]
    }

    /// Each arm with its name.
    pub fn named_arms(&self) -> impl Iterator<Item = (&Action, &Arm)> {
        std::iter::zip(&self.names.list, &self.arms)
    }

    /// The places of what is offered among the arms, which are added where they are new.
    fn there(&mut self, offered: Offered<'_>, there: &mut Vec<u32>) {
        let Offered {
            names,
            number,
            repeated,
        } = offered;
        there.clear();
        // Mostly the actions are those of the last time.
        let again = number.is_some() && number == self.list;
        if again || are_the_same(names, &self.names.list) {
            self.list = number;
            there.extend(0..names.len() as u32);
            return;
        }
        for name in names {
            let place = self.place(name);
            if !(repeated && there.contains(&place)) {
                there.push(place);
            }
        }
    }

    fn place(&mut self, name: &Action) -> u32 {
        self.names.find(name).unwrap_or_else(|| {
            self.arms.push(Arm::default());
            self.list = None;
            Arc::make_mut(&mut self.names).add(name)
        })
    }
}

/// Whether two lists are equal: word by word, for actions have so few that a call for each would take longer.
fn are_the_same(a: &[Action], b: &[Action]) -> bool {
    let equal = |a: &Action, b: &Action| {
        a.0.len() == b.0.len() && std::iter::zip(&a.0, &b.0).all(|(a, b)| a == b)
    };
    a.len() == b.len() && std::iter::zip(a, b).all(|(a, b)| equal(a, b))
}

/// All nodes.
#[derive(Debug, Default)]
pub struct Table {
    pub nodes: Vec<Node>,
    places: FxHashMap<(u8, u64), u32>,
    /// No names.
    none: Arc<Names>,
    /// The names that nodes began with, by a hash of them.
    names: FxHashMap<u64, Arc<Names>>,
    /// The same by the number of a list, in this search.
    numbered: FxHashMap<u64, Arc<Names>>,
    /// About how many bytes it takes.
    bytes: usize,
    /// How many searches there were before this one.
    searches: u32,
}

/// The table grows to about so many bytes; then simulations play on where there is no node.
const MOST: usize = 1 << 30;

/// About how many bytes a node takes, with its place.
const NODE: usize = 2 * size_of::<Node>();

/// About how many bytes an arm takes, but for its name.
const ARM: usize = size_of::<Arm>();

impl Table {
    /// The place of a mover's node, and whether it was there before. `None`: there is none, and no room for it.
    pub fn find(&mut self, mover: usize, key: u64) -> Option<(u32, bool)> {
        let room = self.bytes < MOST;
        match self.places.entry((mover as u8, key)) {
            std::collections::hash_map::Entry::Occupied(place) => Some((*place.get(), true)),
            std::collections::hash_map::Entry::Vacant(place) if room => {
                let at = self.nodes.len() as u32;
                place.insert(at);
                self.nodes.push(Node {
                    name: (mover as u8, key),
                    passed: 0,
                    visits: 0.0,
                    arms: Vec::new(),
                    names: Arc::clone(&self.none),
                    list: None,
                });
                self.bytes += NODE;
                Some((at, false))
            }
            std::collections::hash_map::Entry::Vacant(_) => None,
        }
    }

    /// A simulation passes a node. Whether it is the first one of this search to do so.
    pub fn pass(&mut self, at: u32) -> bool {
        let passed = &mut self.nodes[at as usize].passed;
        std::mem::replace(passed, self.searches) != self.searches
    }

    /// Another search begins: keeps the nodes that were passed in the last one.
    pub fn begin_search(&mut self) {
        let last = self.searches;
        self.searches += 1;
        self.nodes.retain(|node| node.passed == last);
        // Lists have other numbers now.
        self.nodes.iter_mut().for_each(|node| node.list = None);
        self.numbered.clear();
        let names = self.nodes.iter().map(|node| node.name);
        self.places = names.zip(0..).collect();
        self.names.retain(|_, names| Arc::strong_count(names) > 1);
        let arms: usize = self.nodes.iter().map(|node| node.arms.len()).sum();
        let own = self.nodes.iter().map(|node| &node.names);
        let own = own.filter(|names| Arc::strong_count(names) == 1);
        let names: usize = own.chain(self.names.values()).map(|n| n.bytes()).sum();
        self.bytes = self.nodes.len() * NODE + arms * ARM + names;
    }

    /// As [`Node::there`], of the node at a place.
    pub fn there(&mut self, at: u32, offered: Offered<'_>, there: &mut Vec<u32>) {
        let names = offered.names;
        if self.nodes[at as usize].arms.is_empty() && !offered.repeated {
            let shared = self.shared(offered);
            let node = &mut self.nodes[at as usize];
            node.names = shared;
            node.list = offered.number;
            node.arms.resize(names.len(), Arm::default());
            self.bytes += names.len() * ARM;
        }
        let node = &mut self.nodes[at as usize];
        let before = (node.arms.len(), Arc::strong_count(&node.names));
        node.there(offered, there);
        let new = node.arms.len() - before.0;
        self.bytes += new * (ARM + 4 * size_of::<Action>());
        if new > 0 && before.1 > 1 {
            self.bytes += node.names.bytes();
        }
    }

    /// The names with which a node begins, those of others where they are equal.
    fn shared(&mut self, offered: Offered<'_>) -> Arc<Names> {
        let known = offered.number.and_then(|n| self.numbered.get(&n));
        if let Some(known) = known {
            return Arc::clone(known);
        }
        let names = offered.names;
        let hash = FxBuildHasher.hash_one(names);
        let known = self.names.get(&hash).filter(|known| known.list == names);
        let shared = known.cloned().unwrap_or_else(|| {
            let new = Arc::new(Names::of(names));
            self.bytes += new.bytes();
            self.names.insert(hash, Arc::clone(&new));
            new
        });
        if let Some(number) = offered.number {
            self.numbered.insert(number, Arc::clone(&shared));
        }
        shared
    }
}
