//! Searches for a commitment that list the plans of neither side: what they are given, and what they find.

use super::answers::{Answering, Answers, Plan};
use super::open_loop::{Class, OpenLoop};
use crate::machine::Action;
use crate::solve::methods::{Progress, Values};
use std::sync::atomic::AtomicBool;

/// A game to search.
pub struct SearchTask<'a> {
    pub game: &'a OpenLoop,
    pub leader: usize,
    pub values: &'a Values,
    pub seed: u64,
    /// Ends the work when it is set.
    pub stop: &'a AtomicBool,
}

/// A way to search; nothing where it was stopped before anything was found.
pub type SearchPlans = fn(&SearchTask<'_>, &mut dyn Progress) -> Option<Sought>;

/// A strategy that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Sought {
    /// The leader's plans with their probabilities, the likeliest first.
    pub plans: Vec<(f64, Plan)>,
    /// One of the follower's best answers, of those that are best for the leader.
    pub answer: Plan,
    /// What the leader and the follower are paid with it.
    pub values: [f64; 2],
    /// No strategy is worth more to the leader, where that is known.
    pub bound: Option<f64>,
    /// Whether it ended by itself.
    pub complete: bool,
    /// How much was done, by the noun that is counted.
    pub work: Vec<(&'static str, u64)>,
}

impl Sought {
    /// With the likeliest plans first.
    pub fn sorted(mut self) -> Sought {
        self.plans
            .sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        self
    }
}

/// The follower's best answers to a mixed strategy of the leader, those that are best for the leader (Karwowski & Mańdziuk
/// 2019, Algorithm 4), and what the leader and the follower are paid.
pub fn answers(
    game: &OpenLoop,
    answering: &Answering<'_>,
    leader: usize,
    plans: &[(f64, Plan)],
) -> (Answers, [f64; 2]) {
    let others: Vec<&[u32]> = plans.iter().map(|(_, plan)| &plan[..]).collect();
    let found = answering.best(&others, &|plan, end| {
        let share = plans[plan].0;
        let payoffs = game.payoffs[end as usize];
        [share * payoffs[1 - leader], share * payoffs[leader]]
    });
    let [follower, own] = found.worth();
    (found, [own, follower])
}

/// The largest size of a payoff.
pub fn scale(game: &OpenLoop) -> f64 {
    let sizes = game.payoffs.iter().flatten().map(|x| x.abs());
    sizes.fold(f64::MIN_POSITIVE, f64::max)
}

/// The actions of a plan, each with its class, for as long as the game may go on.
pub fn actions<'g>(game: &'g OpenLoop, player: usize, plan: &Plan) -> Vec<(&'g Class, &'g Action)> {
    let mut actions = Vec::new();
    let mut at = Some(0);
    for &choice in plan {
        let Some(class) = at.map(|at: u32| &game.classes[player][at as usize]) else {
            break;
        };
        let action = class.actions.get(choice as usize);
        actions.extend(action.map(|action| (class, action)));
        at = class.next.get(choice as usize).copied().flatten();
    }
    actions
}
