//! The nodes of a search, by mover and key.

use crate::machine::Action;
use rustc_hash::FxHashMap;

/// What is known of an action at a node.
#[derive(Clone, Debug)]
pub struct Arm {
    /// The action, or what the searching player sees of it.
    pub name: Action,
    pub visits: f64,
    /// Of the mover's payoffs, in units of payoff.
    pub sum: f64,
    /// How often the node was passed while the action was there.
    pub available: f64,
}

#[derive(Clone, Debug, Default)]
pub struct Node {
    /// The mover, and the key.
    name: (u8, u64),
    /// The last search in which a simulation passed it.
    passed: u32,
    pub visits: f64,
    pub arms: Vec<Arm>,
    /// The places of `arms`, where there are more than a few.
    places: FxHashMap<Action, u32>,
}

/// Up to so many arms are looked through.
const FEW: usize = 8;

impl Node {
    /// The places of these actions among the arms, which are added where they are new. With `repeated`, `names` may hold one
    /// several times; it is there once.
    fn there(&mut self, names: &[Action], repeated: bool, there: &mut Vec<u32>) {
        there.clear();
        // Mostly the actions are those of the last time.
        if names.len() == self.arms.len()
            && std::iter::zip(names, &self.arms).all(|(name, arm)| *name == arm.name)
        {
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
        let known = match self.arms.len() <= FEW {
            true => self
                .arms
                .iter()
                .position(|arm| arm.name == *name)
                .map(|place| place as u32),
            false => self.places.get(name).copied(),
        };
        known.unwrap_or_else(|| {
            let place = self.arms.len() as u32;
            self.arms.push(Arm {
                name: name.clone(),
                visits: 0.0,
                sum: 0.0,
                available: 0.0,
            });
            if self.arms.len() > FEW {
                let first = match self.places.is_empty() {
                    true => 0,
                    false => place as usize,
                };
                for (i, arm) in self.arms.iter().enumerate().skip(first) {
                    self.places.insert(arm.name.clone(), i as u32);
                }
            }
            place
        })
    }
}

/// All nodes.
#[derive(Debug, Default)]
pub struct Table {
    pub nodes: Vec<Node>,
    places: FxHashMap<(u8, u64), u32>,
    /// About how many bytes it takes.
    bytes: usize,
    /// How many searches there were before this one.
    searches: u32,
}

/// The table grows to about so many bytes; then simulations play on where there is no node.
const MOST: usize = 1 << 30;

/// About how many bytes a node takes, with its place.
const NODE: usize = 2 * size_of::<Node>();

/// About how many bytes an arm takes, with its place.
const ARM: usize = 2 * size_of::<Arm>();

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
                    ..Node::default()
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
        let names = self.nodes.iter().map(|node| node.name);
        self.places = names.zip(0..).collect();
        let arms: usize = self.nodes.iter().map(|node| node.arms.len()).sum();
        self.bytes = self.nodes.len() * NODE + arms * ARM;
    }

    /// As [`Node::there`], of the node at a place.
    pub fn there(&mut self, at: u32, names: &[Action], repeated: bool, there: &mut Vec<u32>) {
        let node = &mut self.nodes[at as usize];
        let before = node.arms.len();
        node.there(names, repeated, there);
        self.bytes += (node.arms.len() - before) * ARM;
    }
}
