//! What knowledge blocks say: of states, and of the actions of the player to move.
//!
//! Entries are named by their number in `Description::knowledge`. They read the state that they are given, whoever's it
//! is: a player asks about a state that it assumes, never about the world.

use super::interpret::{Silent, run};
use super::view::fill;
use super::{Action, Actions, Machine, PlayError, State};
use crate::ir::{AlternativeCode, Rating, RatingKind};
use crate::model::types::Type;
use crate::model::{Knowledge, KnowledgeKind};
use indexmap::IndexMap;
use smallvec::SmallVec;

/// A class of actions or information states: one number for each attribute, the value of an integer or the place of any
/// other value in its type.
pub type Class = SmallVec<[u64; 16]>;

/// The words of a value, with its type.
type Typed<'m> = (SmallVec<[u64; 4]>, &'m Type);

#[doc(hidden)]
impl Machine {
    /// The entries of knowledge that a player owns, by number.
    pub fn knowledge_of(&self, player: usize) -> impl Iterator<Item = (usize, &Knowledge)> {
        let entries = self.description().knowledge.iter().enumerate();
        entries.filter(move |(_, k)| k.owners.contains(player))
    }

    /// The first playout heuristic of each player, as an entry of the game's knowledge.
    pub fn playout_heuristics(&self) -> Vec<Option<usize>> {
        let first = |player| {
            let mut entries = self.knowledge_of(player);
            entries
                .find_map(|(entry, k)| matches!(k.kind, KnowledgeKind::Playout(_)).then_some(entry))
        };
        (0..self.player_count()).map(first).collect()
    }

    /// The entry of a player's knowledge with a name.
    pub fn find_knowledge(&self, player: usize, name: &str) -> Option<usize> {
        self.knowledge_of(player)
            .find(|(_, k)| k.name == name)
            .map(|(i, _)| i)
    }

    /// The value of an `evaluate` for `player`; greater is better.
    ///
    /// # Errors
    /// Those of its expression, such as the `min` of nothing.
    pub fn evaluate(
        &self,
        state: &State,
        entry: usize,
        player: usize,
    ) -> Result<Option<f64>, PlayError> {
        let values = self.of_state(state, entry, player)?;
        Ok(values.first().map(|(words, ty)| {
            let value = words[0] as i64 as f64;
            match ty {
                Type::Number { den, .. } => value / *den as f64,
                _ => value,
            }
        }))
    }

    /// A category's subject, such as a place on the board, and the class that it falls into.
    ///
    /// # Errors
    /// As [`Machine::evaluate`].
    pub fn category(
        &self,
        state: &State,
        entry: usize,
        player: usize,
    ) -> Result<Option<(u64, u64)>, PlayError> {
        let values = self.of_state(state, entry, player)?;
        let ordinal = |i: usize| values.get(i).map(|(words, ty)| ty.ordinal(words[0] as i64));
        Ok(ordinal(0).zip(ordinal(1)))
    }

    /// What an information abstraction keeps of the state for `player`, attribute by attribute.
    ///
    /// # Errors
    /// As [`Machine::evaluate`].
    pub fn information_class(
        &self,
        state: &State,
        entry: usize,
        player: usize,
    ) -> Result<Class, PlayError> {
        let values = self.of_state(state, entry, player)?;
        Ok(values.iter().map(|(words, _)| words[0]).collect())
    }

    /// The class of an action of `player`: the number of its alternative and its attributes. `None` where the entry does
    /// not apply.
    ///
    /// # Errors
    /// As [`Machine::evaluate`], and when it is not the player's move.
    pub fn action_class(
        &self,
        state: &State,
        entry: usize,
        player: usize,
        action: &Action,
    ) -> Result<Option<Class>, PlayError> {
        let mut class: Class = action.0.first().copied().into_iter().collect();
        let applies = self.rate(state, entry, player, action, &mut |rating, frame| {
            if let RatingKind::Class(slots) = &rating.kind {
                class.extend(slots.iter().map(|s| frame[*s as usize]));
            }
        })?;
        Ok(applies.then_some(class))
    }

    /// Which actions a filter of `player` keeps. One that it says nothing of is kept; where it would keep none, it keeps all.
    /// A filter reads only what `player` sees: any state that fits what it saw gives the same answer.
    ///
    /// # Errors
    /// As [`Machine::action_class`].
    pub fn kept(
        &self,
        state: &State,
        entry: usize,
        player: usize,
        actions: &Actions,
    ) -> Result<Vec<bool>, PlayError> {
        let mut kept = vec![true; actions.len()];
        for (kept, action) in kept.iter_mut().zip(actions.iter()) {
            self.rate(state, entry, player, action, &mut |rating, frame| {
                if let RatingKind::Kept(slot) = rating.kind {
                    *kept = frame[slot as usize] != 0;
                }
            })?;
        }
        if !kept.contains(&true) {
            kept.fill(true);
        }
        Ok(kept)
    }

    /// How a playout heuristic of `player` would choose among actions: a share of probability for each, adding up to 1.
    /// Where it applies to none of them, all are equal. Weights belong to the classes of the player's abstraction of
    /// actions, if it has one, and are shared out evenly within a class.
    ///
    /// # Errors
    /// As [`Machine::action_class`].
    pub fn preferences(
        &self,
        state: &State,
        entry: usize,
        player: usize,
        actions: &Actions,
    ) -> Result<Vec<f64>, PlayError> {
        let mut best: Option<f64> = None;
        let mut rank: Option<i64> = None;
        let mut rated: Vec<Option<(i64, f64)>> = Vec::with_capacity(actions.len());
        let mut weighted = false;
        for action in actions.iter() {
            let mut found = None;
            self.rate(state, entry, player, action, &mut |rating, frame| {
                let value = |slot: u32, den: i64| frame[slot as usize] as i64 as f64 / den as f64;
                found = match rating.kind {
                    RatingKind::Greatest { value: v, den } => Some((-1, value(v, den))),
                    RatingKind::Least { value: v, den } => Some((-1, -value(v, den))),
                    RatingKind::Weight { first, weight, den } => {
                        weighted = true;
                        Some((frame[first as usize] as i64, value(weight, den)))
                    }
                    RatingKind::Class(_) | RatingKind::Kept(_) => None,
                };
            })?;
            if let Some((first, value)) = found {
                best = Some(best.map_or(value, |b: f64| b.max(value)));
                if first >= 0 {
                    rank = Some(rank.map_or(first, |r: i64| r.min(first)));
                }
            }
            rated.push(found);
        }
        let mut shares: Vec<f64> = match (weighted, rank) {
            (true, None) => {
                let classes = self.class_sizes(state, player, actions)?;
                rated
                    .iter()
                    .zip(classes)
                    .map(|(r, size)| r.map_or(0.0, |(_, weight)| weight / size))
                    .collect()
            }
            (true, Some(rank)) => rated
                .iter()
                .map(|r| f64::from(u8::from(r.is_some_and(|(first, _)| first == rank))))
                .collect(),
            (false, _) => rated
                .iter()
                .map(|r| f64::from(u8::from(r.is_some_and(|(_, v)| Some(v) == best))))
                .collect(),
        };
        let sum: f64 = shares.iter().sum();
        if sum > 0.0 {
            shares.iter_mut().for_each(|s| *s /= sum);
        } else {
            shares.fill(1.0 / actions.len() as f64);
        }
        Ok(shares)
    }

    /// For each action the number of actions in its class; 1 without an abstraction of actions.
    fn class_sizes(
        &self,
        state: &State,
        player: usize,
        actions: &Actions,
    ) -> Result<Vec<f64>, PlayError> {
        let abstraction = self
            .knowledge_of(player)
            .find(|(_, k)| matches!(k.kind, KnowledgeKind::Actions(_)));
        let Some((entry, _)) = abstraction else {
            return Ok(vec![1.0; actions.len()]);
        };
        let mut classes: Vec<Option<Class>> = Vec::with_capacity(actions.len());
        let mut sizes: IndexMap<Class, f64> = IndexMap::new();
        for action in actions.iter() {
            let class = self.action_class(state, entry, player, action)?;
            if let Some(class) = &class {
                *sizes.entry(class.clone()).or_default() += 1.0;
            }
            classes.push(class);
        }
        Ok(classes
            .iter()
            .map(|c| {
                c.as_ref()
                    .and_then(|c| sizes.get(c))
                    .copied()
                    .unwrap_or(1.0)
            })
            .collect())
    }

    fn of_state(
        &self,
        state: &State,
        entry: usize,
        player: usize,
    ) -> Result<Vec<Typed<'_>>, PlayError> {
        let Some(knowledge) = self.program.knowledge.get(entry) else {
            return Ok(Vec::new());
        };
        let Some(of_state) = &knowledge.of_state else {
            return Ok(Vec::new());
        };
        let mut frame = self.unpack(state);
        frame[knowledge.me as usize] = player as u64;
        run(&self.program, &mut frame, of_state.code, &mut Silent).map_err(|t| self.trouble(t))?;
        Ok(of_state
            .values
            .iter()
            .map(|(operand, ty)| {
                let from = operand.slot as usize;
                let words = &frame[from..from + operand.words as usize];
                (SmallVec::from_slice(words), ty)
            })
            .collect())
    }

    /// Runs what an entry says of an action; false where it does not apply.
    pub(super) fn rate(
        &self,
        state: &State,
        entry: usize,
        player: usize,
        action: &Action,
        read: &mut dyn FnMut(&Rating, &[u64]),
    ) -> Result<bool, PlayError> {
        let listing = &self.arm_of(state, player)?.listing;
        let alternative: Option<&AlternativeCode> = action
            .0
            .first()
            .and_then(|&n| listing.alternatives.get(n as usize));
        let Some(alternative) = alternative else {
            return Ok(false);
        };
        let Some(rating) = alternative.ratings.iter().find(|r| r.entry == entry) else {
            return Ok(false);
        };
        let mut frame = self.unpack(state);
        if !fill(&mut frame, alternative, &action.0[1..]) {
            return Ok(false);
        }
        frame[self.program.knowledge[entry].me as usize] = player as u64;
        run(&self.program, &mut frame, rating.code, &mut Silent).map_err(|t| self.trouble(t))?;
        read(rating, &frame);
        Ok(true)
    }
}
