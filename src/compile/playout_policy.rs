//! How a playout chooses: uniformly, or by a playout heuristic of the game's knowledge (ε-greedy).

use crate::ir::{AlternativeCode, Listing, Program, RatingKind};
use crate::model::KnowledgeKind;

/// One in so many is the unit in which ε is kept.
pub const EPSILON_UNITS: u64 = 1 << 32;

/// How each player chooses in a playout.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct PlayoutPolicy {
    /// For each player in seating order the entry of knowledge that rates their actions; players beyond the end, and
    /// those without, choose uniformly.
    pub heuristics: Vec<Option<usize>>,
    /// For each of these players the probability, in units of 1/[`EPSILON_UNITS`], with which a choice by its heuristic is
    /// uniform after all.
    epsilons: Vec<u64>,
}

/// Every choice is even.
pub static UNIFORM: PlayoutPolicy = PlayoutPolicy {
    heuristics: Vec::new(),
    epsilons: Vec::new(),
};

impl PlayoutPolicy {
    /// A policy by heuristics that are left with probability `epsilon`, a number from 0 to 1. Notes, which heuristics may
    /// read, are kept up on the way.
    pub fn greedy(heuristics: Vec<Option<usize>>, epsilon: f64) -> PlayoutPolicy {
        let players = heuristics.into_iter();
        PlayoutPolicy::greedy_each(players.map(|entry| (entry, epsilon)))
    }

    /// The same, with an `epsilon` for each player in seating order.
    pub fn greedy_each(players: impl Iterator<Item = (Option<usize>, f64)>) -> PlayoutPolicy {
        let units = |epsilon: f64| (epsilon.clamp(0.0, 1.0) * EPSILON_UNITS as f64) as u64;
        let players = players.map(|(entry, epsilon)| (entry, units(epsilon)));
        let (heuristics, epsilons) = players.unzip();
        PlayoutPolicy {
            heuristics,
            epsilons,
        }
    }

    /// The probability of a uniform choice of a player with a heuristic, in units of 1/[`EPSILON_UNITS`].
    pub fn epsilon(&self, player: usize) -> u64 {
        self.epsilons.get(player).copied().unwrap_or(0)
    }

    pub fn is_uniform(&self) -> bool {
        self.heuristics.iter().all(Option::is_none)
    }

    /// The heuristic by which a player chooses from a listing, if it rates any of its alternatives.
    pub fn heuristic(&self, listing: &Listing, player: usize) -> Option<usize> {
        let entry = self.heuristics.get(player).copied().flatten()?;
        let rates = |a: &AlternativeCode| rating(a, entry).is_some();
        listing.alternatives.iter().any(rates).then_some(entry)
    }

    /// Whether a playout can follow it in one go: weights that are shared out within classes of actions need the whole
    /// list at once, and ratings of different units do not compare.
    pub fn is_fusible(&self, p: &Program) -> bool {
        let classes = |player: usize| {
            p.description
                .knowledge
                .iter()
                .any(|k| k.owners.contains(player) && matches!(k.kind, KnowledgeKind::Actions(_)))
        };
        let fits = |player: usize, entry: usize| {
            let listings = p.nodes.iter().flat_map(crate::ir::Node::listings);
            let ratings = listings
                .flat_map(|l| &l.alternatives)
                .filter_map(|a| rating(a, entry));
            let mut units = None;
            ratings.into_iter().all(|kind| {
                let (unit, weighs) = match kind {
                    RatingKind::Greatest { den, .. } | RatingKind::Least { den, .. } => {
                        (den, false)
                    }
                    RatingKind::Weight { den, .. } => (den, true),
                    RatingKind::Class(_) | RatingKind::Kept(_) => return true,
                };
                *units.get_or_insert(*unit) == *unit && !(weighs && classes(player))
            })
        };
        let mut heuristics = self.heuristics.iter().enumerate();
        heuristics.all(|(player, entry)| entry.is_none_or(|e| fits(player, e)))
    }
}

/// How an entry rates an alternative.
pub fn rating(alternative: &AlternativeCode, entry: usize) -> Option<&RatingKind> {
    let rating = alternative.ratings.iter().find(|r| r.entry == entry)?;
    match rating.kind {
        RatingKind::Greatest { .. } | RatingKind::Least { .. } | RatingKind::Weight { .. } => {
            Some(&rating.kind)
        }
        RatingKind::Class(_) | RatingKind::Kept(_) => None,
    }
}
