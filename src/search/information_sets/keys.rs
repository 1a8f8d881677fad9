//! Which histories share a node.

use super::Root;
use super::past::Past;
use crate::machine::{Action, Event, InformationKeys, Machine, State};
use crate::random::mix;

/// What the key of a node is made of.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Keying {
    /// What the mover has seen: one tree for each player (MO-ISMCTS, section IV-G). An opponent's begins with what it sees of
    /// the state that was drawn.
    #[default]
    Movers,
    /// What the searching player has seen: one tree (SO-ISMCTS, section IV-E). Of others' actions it tells apart those that
    /// look different to it.
    Searchers,
    /// Every action and outcome since the root, hidden ones too: one tree of determinizations ("single-tree
    /// determinization": Nijssen & Winands 2012, section IV-B).
    Actions,
    /// As `Actions`, a tree for each state at the root.
    Determinizations,
}

/// The running keys of one simulation.
#[derive(Clone, Debug)]
pub struct Keys {
    keying: Keying,
    searcher: usize,
    /// With [`Keying::Movers`] and [`Keying::Searchers`], of each player.
    seen: InformationKeys,
    /// With the others.
    way: u64,
}

impl Keys {
    /// At the root, in the state of the hypothesis with this number.
    pub fn new(machine: &Machine, root: &Root<'_>, keying: Keying, number: usize) -> Keys {
        let mut seen = InformationKeys::new(machine.player_count());
        if keying == Keying::Movers {
            let state = &root.hypotheses[number].state;
            for (player, key) in seen.0.iter_mut().enumerate() {
                if player != root.player {
                    *key = mix(*key, sees(machine, state, player));
                }
            }
        }
        Keys {
            keying,
            searcher: root.player,
            seen,
            way: match keying {
                Keying::Determinizations => mix(2, number as u64),
                _ => 1,
            },
        }
    }

    /// At the root, after what everybody saw on the way there: with [`Keying::Movers`] or [`Keying::Searchers`].
    pub fn after(root: &Root<'_>, keying: Keying, past: &Past) -> Keys {
        Keys {
            keying,
            searcher: root.player,
            seen: past.keys.clone(),
            way: 1,
        }
    }

    /// Where a simulation of another player begins in a state of its belief. The others are not who they were: their nodes
    /// go by what they have on view there.
    pub fn of_other(&self, machine: &Machine, state: &State, mover: usize) -> Keys {
        let mut keys = self.clone();
        for (player, key) in keys.seen.0.iter_mut().enumerate() {
            if player != mover {
                *key = mix(mix(4, mover as u64), sees(machine, state, player));
            }
        }
        keys
    }

    /// The key of a mover's node.
    pub fn at(&self, mover: usize, node: u32) -> u64 {
        match self.keying {
            Keying::Movers => self.seen.asked(mover, node),
            Keying::Searchers => self.seen.asked(self.searcher, node),
            Keying::Actions | Keying::Determinizations => mix(self.way, u64::from(node)),
        }
    }

    /// Whether events matter.
    pub fn listens(&self) -> bool {
        matches!(self.keying, Keying::Movers | Keying::Searchers)
    }

    /// Something has happened.
    pub fn see(&mut self, event: &Event<'_>) {
        self.seen.see(event);
    }

    /// A step has been taken.
    pub fn step(&mut self, actions: &[Action]) {
        for word in actions.iter().flat_map(|action| &action.0) {
            self.way = mix(self.way, *word);
        }
    }
}

/// What a player has on view in a state, hashed.
fn sees(machine: &Machine, state: &State, player: usize) -> u64 {
    let view = machine.view(state, player);
    view.entries.iter().fold(3, |key, entry| {
        let bytes = entry.value.bytes();
        let key = mix(key, bytes.len() as u64);
        bytes.fold(key, |key, byte| mix(key, u64::from(byte)))
    })
}
