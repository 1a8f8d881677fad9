//! Decoupled UCT (Lanctot, Lisý & Winands 2013, section 3.1): every player runs UCB on statistics of their own.
//!
//! In simultaneous games it need not converge to an equilibrium (Shafiei et al. 2009; section 4.3 of the paper).

use super::ucb1::{best, unvisited, visited, visits};
use super::{Selected, Selection, SelectionPolicy, Started};
use crate::random::Stream;
use crate::search::exploration::{C, Constant, Exploration};
use crate::search::mcts::cells::Link;
use crate::search::mcts::tree::{ActionIndices, Decision, DecisionMut, SimulationResult};
use crate::search::mcts::{FinalChoice, Setup};
use crate::search::supported_games;

pub static DUCT_MAX: Selection = Selection {
    word: "duct_max",
    doc: "decoupled UCT, and in the end the best mean",
    parameters: &[C],
    games: &supported_games::ANY,
    start: |setup| start(setup, FinalChoice::Mean),
};

pub static DUCT_MIX: Selection = Selection {
    word: "duct_mix",
    doc: "decoupled UCT, and in the end a mix by visits",
    start: |setup| start(setup, FinalChoice::Share),
    ..DUCT_MAX
};

/// As `uct` has it, with a choice of the final decision.
pub static UCB1: Selection = Selection {
    word: "ucb1",
    doc: "UCB1",
    start: |setup| {
        let word = setup.options.values.word(FinalChoice::NAME);
        start(setup, FinalChoice::of(word))
    },
    ..DUCT_MAX
};

fn start<'m>(setup: Setup<'m, '_>, last: FinalChoice) -> Started<'m> {
    setup.tree(Duct {
        exploration: Exploration::new(setup.machine, Constant::of(&setup.options.values)),
        last,
    })
}

/// The columns are 1/√n(s, a), by which visits are kept, and X(s, a), the sum of the player's own payoffs.
#[derive(Clone, Debug)]
pub struct Duct {
    /// Cᵢ of each player.
    pub exploration: Exploration,
    pub last: FinalChoice,
}

impl SelectionPolicy for Duct {
    type Trace = ();
    type Cell = Link;

    fn end(&mut self, outcome: &SimulationResult) {
        self.exploration.learn(&outcome.payoffs);
    }

    fn select(
        &mut self,
        node: &Decision<'_, Self::Cell>,
        indices: &mut ActionIndices,
        rng: &mut Stream,
    ) {
        // Where one player chooses and all ways on were taken, so was every action.
        let taken = node.movers.len() == 1 && node.cells.is_full();
        for (m, mover) in node.movers.iter().enumerate() {
            let [roots, sums] = node.columns(m);
            let c = self.exploration.c(mover.player());
            let new = match taken {
                true => None,
                false => unvisited(roots, rng),
            };
            let place = new.unwrap_or_else(|| best(roots, sums, node.visits, c, rng));
            indices.push(place as u32);
        }
    }

    fn update(
        &mut self,
        node: &mut DecisionMut<'_, Self::Cell>,
        step: &Selected<()>,
        outcome: &SimulationResult,
    ) {
        for (m, &place) in step.indices.iter().enumerate() {
            let payoff = outcome.payoffs[node.movers[m].player()];
            let [roots, sums] = node.columns_mut(m);
            let root = &mut roots[place as usize];
            *root = visited(*root);
            sums[place as usize] += payoff;
        }
    }

    fn strategy(&self, node: &Decision<'_, Self::Cell>, mover: usize) -> Vec<f64> {
        let [roots, sums] = node.columns(mover);
        let visits: Vec<f64> = roots.iter().map(|root| visits(*root) as f64).collect();
        self.last.strategy(&visits, sums)
    }
}
