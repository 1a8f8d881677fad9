//! Selection policies, one a file: how a joint action is selected, what is learnt from a simulation, and which strategy is
//! played in the end.
//!
//! A policy declares itself ([`Selection`]): the word by which it is chosen, what can be set about it, and the games that it
//! is for. [`SELECTIONS`] lists them all.

pub(crate) mod duct;
mod exp3;
mod oos;
mod oos_plus;
mod outcome_sampling;
pub(super) mod regret;
mod regret_matching;
pub(crate) mod ucb1;

use super::Setup;
use super::cells::Cell;
use super::simulation::Run;
use super::tree::{ActionIndices, Decision, DecisionMut, SimulationResult};
use crate::machine::{Machine, PlayError};
use crate::random::{Stream, place};
use crate::search::parameters::{Kind, Parameter};
use crate::search::supported_games::{Games, Unsuited};
use rand::RngExt;

/// The policies between which one can choose, in the order in which they are listed.
pub static SELECTIONS: [&Selection; 6] = [
    &duct::DUCT_MAX,
    &duct::DUCT_MIX,
    &exp3::EXP3,
    &regret::RM,
    &oos::OOS,
    &oos_plus::OOS_PLUS,
];

/// The one where none is chosen.
pub static DEFAULT: &Selection = &regret::RM;

/// A policy as it declares itself.
pub struct Selection {
    /// As specs have it.
    pub word: &'static str,
    /// In a few words.
    pub doc: &'static str,
    /// What can be set about it, with its own defaults.
    pub parameters: &'static [Parameter],
    pub games: &'static Games,
    /// A search by it.
    pub(super) start: for<'m> fn(Setup<'m, '_>) -> Started<'m>,
}

/// A search that has begun, or why it cannot.
pub(super) type Started<'m> = Result<Box<dyn Run + 'm>, PlayError>;

/// The share of exploration, for which a policy has a default of its own: what the paper found best for a game that is won
/// or lost (Table 1).
pub const GAMMA: Parameter = Parameter {
    name: "gamma",
    kind: Kind::Share,
    default: "",
    needs: &[],
    doc: "The share γ of exploration.",
};

/// The policy of this word.
pub fn find(word: &str) -> Option<&'static Selection> {
    SELECTIONS.into_iter().find(|s| s.word == word)
}

impl Selection {
    /// Whether the policy is defined for a game. Hidden information is not considered: a search takes the state for
    /// known.
    ///
    /// # Errors
    /// What is wrong with the game, and where its text says so.
    pub fn suits(&self, machine: &Machine) -> Result<(), Box<Unsuited>> {
        self.games.suits(machine, || {
            let others = SELECTIONS.iter();
            let others = others.filter(|s| (s.games.lacks)(machine).is_none());
            let setting = |word: &str| format!("select={word}");
            (
                setting(self.word),
                others.map(|s| setting(s.word)).collect(),
            )
        })
    }
}

impl PartialEq for Selection {
    fn eq(&self, other: &Selection) -> bool {
        self.word == other.word
    }
}

impl std::fmt::Debug for Selection {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.word)
    }
}

/// A simulation on its way through a node.
#[derive(Clone, Debug, Default)]
pub struct Selected<T> {
    /// What was chosen: the number of the joint action, and the indices of the movers' actions. At a chance node the number
    /// of the outcome, and no indices.
    pub way: u64,
    pub indices: ActionIndices,
    /// It was chosen to fill the matrix (Algorithm 1, lines 10 to 15), not selected by the policy (lines 16 to 20).
    pub filling: bool,
    /// What the policy keeps of its selection for the update.
    pub trace: T,
}

/// Selection and update of Algorithm 1 (Lanctot, Lisý & Winands 2013), lines 14, 16 and 19, and the final decision.
///
/// In each simulation a policy begins, then selects at the decision nodes from the root down, then
/// updates them from the last one up.
pub trait SelectionPolicy: Send {
    /// What it keeps of a selection for the update.
    type Trace: Clone + Default + Send;

    /// What is kept of each child.
    type Cell: Cell + Send;

    /// How many columns of statistics it keeps for each mover, a number for each action in each.
    const COLUMNS: usize = 2;

    /// A simulation begins.
    fn begin(&mut self) {}

    /// It has ended, and its nodes are updated next.
    fn end(&mut self, _outcome: &SimulationResult) {}

    /// Selects an action for each mover and puts their indices into `indices`, which is empty.
    fn select(
        &mut self,
        node: &Decision<'_, Self::Cell>,
        indices: &mut ActionIndices,
        rng: &mut Stream,
    ) -> Self::Trace;

    /// Learns from the result of a simulation, which is counted in the visits of the node and not yet in its cells.
    fn update(
        &mut self,
        node: &mut DecisionMut<'_, Self::Cell>,
        step: &Selected<Self::Trace>,
        outcome: &SimulationResult,
    );

    /// The strategy to play: a probability for each action of a mover (by its place among the movers), 1 in all.
    fn strategy(&self, node: &Decision<'_, Self::Cell>, mover: usize) -> Vec<f64>;
}

/// A place at random by weights, none of them negative, that add up to `total`.
pub fn sample(weights: impl Iterator<Item = f64>, total: f64, rng: &mut Stream) -> usize {
    place(weights, rng.random::<f64>() * total)
}

/// The place of the greatest value; ties at random, each with the same probability. 0 for nothing.
#[inline]
pub fn argmax(mut values: impl Iterator<Item = f64>, rng: &mut Stream) -> usize {
    let Some(mut best) = values.next() else {
        return 0;
    };
    let (mut at, mut ties) = (0, 1u32);
    for (i, value) in values.enumerate() {
        // Most are less.
        if value < best {
            continue;
        }
        if value > best {
            (best, at, ties) = (value, i + 1, 1);
        } else if value == best {
            ties += 1;
            if rng.random_range(0..ties) == 0 {
                at = i + 1;
            }
        }
    }
    at
}

/// The place of a flag that is set, each with the same probability; `None` where there is none.
#[inline]
pub fn any(flags: impl Iterator<Item = bool> + Clone, rng: &mut Stream) -> Option<usize> {
    let set = flags.clone().filter(|&flag| flag).count();
    if set == 0 {
        return None;
    }
    let skip = rng.random_range(0..set as u64) as usize;
    let mut places = flags.enumerate().filter(|&(_, flag)| flag);
    places.nth(skip).map(|(place, _)| place)
}

/// Weights as shares of their sum; equal shares where they are all 0.
pub fn shares(weights: impl Iterator<Item = f64> + Clone) -> Vec<f64> {
    let total: f64 = weights.clone().sum();
    if total > 0.0 {
        weights.map(|w| w / total).collect()
    } else {
        let n = weights.clone().count() as f64;
        weights.map(|_| 1.0 / n).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;

    #[test]
    fn draws_follow_the_weights() {
        let mut rng = stream(1, &[]);
        let weights = [0.0, 1.0, 3.0, 0.0];
        let mut counts = [0; 4];
        for _ in 0..4000 {
            counts[sample(weights.into_iter(), 4.0, &mut rng)] += 1;
        }
        assert_eq!((counts[0], counts[3]), (0, 0));
        assert!((900..1100).contains(&counts[1]), "{counts:?}");
        // A total that is too large by rounding leads to the last place with a weight.
        let all: Vec<usize> = (0..50)
            .map(|_| sample([1.0, 0.0].into_iter(), 9.0, &mut rng))
            .collect();
        assert!(all.iter().all(|&i| i == 0));
    }

    #[test]
    fn shares_add_up() {
        assert_eq!(shares([1.0, 3.0].into_iter()), [0.25, 0.75]);
        assert_eq!(shares([0.0, 0.0].into_iter()), [0.5, 0.5]);
    }

    #[test]
    fn ties_are_broken_evenly() {
        let mut rng = stream(3, &[]);
        let mut counts = [0; 4];
        for _ in 0..4000 {
            counts[argmax([1.0, 2.0, 2.0, 2.0].into_iter(), &mut rng)] += 1;
        }
        assert_eq!(counts[0], 0);
        assert!(
            counts[1..].iter().all(|n| (1200..1470).contains(n)),
            "{counts:?}"
        );
    }
}
