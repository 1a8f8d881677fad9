//! What happened in play, as it may have been: a particle.

use crate::belief::policy::Memory;
use crate::belief::told::WHOLE;
use crate::machine::{Action, State};
use crate::model::SiteId;
use smallvec::SmallVec;
use std::sync::Arc;

/// Where a history has come to.
#[derive(Clone, Debug)]
pub struct Reached {
    pub state: State,
    /// How many observations led there.
    pub used: usize,
    /// What the policy of the others keeps of what they saw by then.
    pub memory: Memory,
}

/// What one player chose in a step, or what was drawn.
#[derive(Clone, Debug)]
pub struct Part {
    pub action: Action,
    pub site: SiteId,
    /// The parts of it that the player of the belief saw, a bit each; [`WHOLE`] also for its own.
    pub seen: u64,
}

/// One step of play.
#[derive(Clone, Debug)]
pub struct Step {
    pub node: u32,
    /// In seating order.
    pub parts: SmallVec<[Part; 2]>,
    /// The logarithm of the probability of what others chose or chance drew.
    pub ln: f64,
    /// Where something was hidden: where it was before.
    pub before: Option<Reached>,
}

/// The place of something hidden: the step, and whose part of it.
pub type Place = (usize, usize);

/// A history that fits what the player saw.
#[derive(Clone, Debug)]
pub struct Particle {
    pub steps: Vec<Arc<Step>>,
    pub hidden: Vec<Place>,
    /// Where it has led to.
    pub at: Reached,
    /// The logarithm of its weight.
    pub ln: f64,
}

impl Particle {
    /// Before the first step.
    pub fn new(at: Reached) -> Particle {
        Particle {
            steps: Vec::new(),
            hidden: Vec::new(),
            at,
            ln: 0.0,
        }
    }

    pub fn part(&self, (step, part): Place) -> &Part {
        &self.steps[step].parts[part]
    }

    /// Takes another course from a step on.
    pub fn replace(&mut self, tail: Tail) {
        self.steps.truncate(tail.from);
        self.hidden.retain(|(step, _)| *step < tail.from);
        self.hidden.extend(tail.hidden());
        self.steps.extend(tail.steps);
        self.at = tail.at;
    }
}

/// A course of play from a step on.
#[derive(Clone, Debug)]
pub struct Tail {
    pub from: usize,
    pub steps: Vec<Arc<Step>>,
    pub at: Reached,
    pub end: End,
    /// The logarithm of the probability of all that was drawn for it.
    pub drawn: f64,
    /// The logarithm of the probability of what was drawn, for how likely it was to be drawn: that it would look as it did,
    /// where others choose evenly.
    pub seen: f64,
    /// What was seen otherwise on the way, and by which step, where play may go on all the same.
    pub misfits: Vec<(usize, Mismatch)>,
    /// What these cost.
    pub cost: f64,
}

impl Tail {
    /// At the beginning of its course, before step `from`.
    pub fn new(from: usize, at: Reached) -> Tail {
        Tail {
            from,
            steps: Vec::new(),
            at,
            end: End::Asked,
            drawn: 0.0,
            seen: 0.0,
            misfits: Vec::new(),
            cost: 0.0,
        }
    }

    fn hidden(&self) -> Vec<Place> {
        let steps = self.steps.iter().enumerate();
        let places = steps.flat_map(|(i, step)| {
            let parts = step.parts.iter().enumerate();
            let hidden = parts.filter(|(_, part)| part.seen != WHOLE);
            hidden.map(move |(m, _)| (self.from + i, m))
        });
        places.collect()
    }

    /// How many places of it are hidden.
    pub fn count_hidden(&self) -> usize {
        self.hidden().len()
    }

    /// The logarithm of the probability of its steps.
    pub fn ln(&self) -> f64 {
        self.steps.iter().map(|step| step.ln).sum()
    }
}

/// Where a course of play ends.
#[derive(Clone, Debug)]
pub enum End {
    /// The player is asked as it was.
    Asked,
    /// It does not fit what the player saw.
    Stuck(Box<Mismatch>),
}

/// What does not fit.
#[derive(Clone, Debug, Default)]
pub struct Mismatch {
    /// How much of what was seen does fit.
    pub at: usize,
    /// The values that were seen next.
    pub wanted: Values,
    /// Those that there are.
    pub found: Values,
    /// Those that were seen just before: of the choice that a reveal belongs to, say.
    pub near: Values,
    /// How many values differ, 1 or more.
    pub differing: usize,
}

impl Mismatch {
    /// Leaves out the values that were seen and are there.
    pub fn compare(&mut self) {
        let found = self.found.clone();
        self.found.retain(|value| !self.wanted.contains(value));
        self.wanted.retain(|value| !found.contains(value));
        self.differing = (self.wanted.len() + self.found.len()).max(1);
    }

    /// How bad it is, from 1/2 for one value that differs up to 1 for many.
    pub fn cost(&self) -> f64 {
        1.0 - 1.0 / (1.0 + self.differing as f64)
    }
}

/// Values by the numbers of their types, and by their ordinals.
pub type Values = SmallVec<[(u16, u64); 8]>;
