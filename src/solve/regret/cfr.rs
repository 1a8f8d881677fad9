//! Vanilla CFR (Zinkevich, Johanson, Bowling & Piccione 2007, "Regret minimization in games with incomplete information").
//!
//! Every iteration goes over the whole game, and all players adapt at the same time. It runs over the sequence form, where the
//! counterfactual value of a choice is what its sequence earns against the plans of the others, together with what the
//! decisions after it are worth; the average strategy (equation 4) is the mean of the realization plans.

use super::RegretMinimizer;
use super::iterate::{self, ITERATIONS, UNTIL, USUAL_ITERATIONS};
use super::regret_matching::regret_matching;
use crate::solve::methods::{Method, Solver};
use crate::solve::profile::Profile;
use crate::solve::sequences::{PlayerSequences, Sequences};
use crate::solve::tree::Tree;
use crate::solve::zero_sum::suited;
use serde_json::Map;

pub const METHOD: Method = Method {
    name: "cfr",
    doc: "Counterfactual regret minimisation, for the same games as `lp`. Tends to an equilibrium; NashConv says how close \
          it is.",
    parameters: &[ITERATIONS, UNTIL],
    is_random: false,
    suits: |machine| suited(machine, "cfr"),
    solver: Solver::Tree(|task, progress| {
        let mut minimizer = Cfr::new(task.tree, task.sequences);
        let usual = USUAL_ITERATIONS;
        let found = iterate::solve(task, &mut minimizer, usual, Map::new(), progress);
        Ok(found)
    }),
};

/// What a player has learned. All lists go by the player's sequences; the empty one's places are not in use but for plans.
#[derive(Clone, Debug)]
pub(super) struct Learner {
    pub regrets: Vec<f64>,
    /// The probability of each choice now.
    pub strategy: Vec<f64>,
    /// The realization plan of the strategy.
    pub plan: Vec<f64>,
    /// The weighted sum of the plans so far.
    pub sum: Vec<f64>,
    /// Counterfactual values.
    pub worth: Vec<f64>,
}

impl Learner {
    pub fn new(form: &PlayerSequences) -> Learner {
        let none = vec![0.0; form.sequences];
        let mut learner = Learner {
            regrets: none.clone(),
            strategy: none.clone(),
            plan: none.clone(),
            sum: none.clone(),
            worth: none,
        };
        learner.adapt(form);
        learner
    }

    /// Takes the strategy that the regrets call for.
    pub fn adapt(&mut self, form: &PlayerSequences) {
        for decision in &form.decisions {
            let range = decision.range();
            regret_matching(&self.regrets[range.clone()], &mut self.strategy[range]);
        }
        form.plan(&self.strategy[1..], &mut self.plan);
    }

    /// Adds a multiple of the plan to the sum.
    pub fn remember(&mut self, weight: f64) {
        for (sum, share) in std::iter::zip(&mut self.sum, &self.plan) {
            *sum += weight * share;
        }
    }

    /// Adds up regrets, from what sequences earn by themselves in `worth`.
    pub fn learn(&mut self, form: &PlayerSequences) {
        for decision in form.decisions.iter().rev() {
            let range = decision.range();
            let worth = &self.worth[range.clone()];
            let strategy = &self.strategy[range.clone()];
            let mean: f64 = std::iter::zip(worth, strategy).map(|(w, p)| w * p).sum();
            for (regret, worth) in std::iter::zip(&mut self.regrets[range], worth) {
                *regret += worth - mean;
            }
            self.worth[decision.before as usize] += mean;
        }
    }
}

/// All players of a game, who learn from one another.
pub(super) struct Learners<'a> {
    tree: &'a Tree,
    pub sequences: &'a Sequences,
    pub list: Vec<Learner>,
    /// What the others go by.
    pub plans: Vec<Vec<f64>>,
    pub iterations: u64,
}

impl<'a> Learners<'a> {
    pub fn new(tree: &'a Tree, sequences: &'a Sequences) -> Learners<'a> {
        let list: Vec<Learner> = sequences.players.iter().map(Learner::new).collect();
        Learners {
            tree,
            sequences,
            plans: list.iter().map(|l| l.plan.clone()).collect(),
            list,
            iterations: 0,
        }
    }

    /// The average strategies.
    pub fn average(&self) -> Profile {
        let sums: Vec<Vec<f64>> = self.list.iter().map(|l| l.sum.clone()).collect();
        Profile::from_plans(self.tree, &sums)
    }
}

pub struct Cfr<'a>(Learners<'a>);

impl<'a> Cfr<'a> {
    pub fn new(tree: &'a Tree, sequences: &'a Sequences) -> Cfr<'a> {
        Cfr(Learners::new(tree, sequences))
    }
}

impl RegretMinimizer for Cfr<'_> {
    fn iterate(&mut self) {
        let all = &mut self.0;
        all.iterations += 1;
        for (player, learner) in all.list.iter_mut().enumerate() {
            let form = &all.sequences.players[player];
            learner.remember(1.0);
            all.sequences
                .earnings(player, &all.plans, &mut learner.worth);
            learner.learn(form);
            learner.adapt(form);
        }
        for (plan, learner) in std::iter::zip(&mut all.plans, &all.list) {
            plan.copy_from_slice(&learner.plan);
        }
    }

    fn iterations(&self) -> u64 {
        self.0.iterations
    }

    fn average(&self) -> Profile {
        self.0.average()
    }
}
