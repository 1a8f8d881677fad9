//! One way to a state, and what everybody saw on it.

use crate::machine::{Action, Event, InformationKeys, Machine};
use smallvec::SmallVec;
use std::sync::Arc;

/// What happened from the beginning of a game on.
#[derive(Clone, Debug)]
pub struct Trail {
    /// Of what each player saw.
    keys: InformationKeys,
    last: Option<Arc<Link>>,
}

/// A step, and those before it.
#[derive(Debug)]
struct Link {
    before: Option<Arc<Link>>,
    /// In seating order, or what was drawn.
    actions: SmallVec<[Action; 2]>,
}

impl Drop for Link {
    /// One after the other: a chain may be longer than calls can be deep.
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some(mut link) = before.and_then(Arc::into_inner) {
            before = link.before.take();
        }
    }
}

impl Trail {
    /// Before the first node of play.
    pub fn new(machine: &Machine) -> Trail {
        Trail {
            keys: InformationKeys::new(machine.player_count()),
            last: None,
        }
    }

    /// Something has happened, in the step under way or before the first.
    pub fn see(&mut self, event: &Event<'_>) {
        self.keys.see(event);
    }

    /// A step has been taken.
    pub fn step(&mut self, actions: &[Action]) {
        let before = self.last.take();
        let actions = actions.iter().cloned().collect();
        self.last = Some(Arc::new(Link { before, actions }));
    }

    /// The same for trails on which everybody saw the same.
    pub fn keys(&self) -> &[u64] {
        &self.keys.0
    }

    /// What was chosen or drawn, step by step.
    pub fn steps(&self) -> Vec<Vec<Action>> {
        let links = std::iter::successors(self.last.as_deref(), |link| link.before.as_deref());
        let mut steps: Vec<Vec<Action>> = links.map(|link| link.actions.to_vec()).collect();
        steps.reverse();
        steps
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_trails_are_forgotten_without_deep_calls() {
        let game = "game Any { players { A } play { A chooses n in 1..2 } payoff general-sum: [p in Player] 0 }";
        let (machine, _) = crate::load(game, &Default::default()).unwrap();
        let mut trail = Trail::new(&machine);
        for _ in 0..1_000_000 {
            trail.step(&[]);
        }
        let other = trail.clone();
        drop(trail);
        assert_eq!(other.steps().len(), 1_000_000);
    }
}
