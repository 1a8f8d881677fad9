//! What both players do where nobody learns anything on the way: plans with their probabilities, without a tree of the game.

use super::answers::Plan;
use super::open_loop::OpenLoop;
use super::plan_search::{SearchTask, Sought, actions};
use crate::machine::{Action, Machine};
use crate::solve::{Profile, Tree};

/// Plans of one player with their probabilities, which add up to 1.
pub type Mix = Vec<(f64, Plan)>;

/// One for each player.
#[derive(Clone, Debug, PartialEq)]
pub struct Mixes(pub [Mix; 2]);

impl Mixes {
    /// Of a leader, and of a follower with one answer.
    pub fn new(leader: usize, own: Mix, answer: Plan) -> Mixes {
        let mut mixes = [Vec::new(), Vec::new()];
        mixes[leader] = own;
        mixes[1 - leader] = vec![(1.0, answer)];
        Mixes(mixes)
    }

    /// Those that a search found.
    pub fn found(task: &SearchTask<'_>, found: &Sought) -> Mixes {
        Mixes::new(task.leader, found.plans.clone(), found.answer.clone())
    }

    /// The same over a tree of the game without skipped nodes.
    pub fn profile(&self, tree: &Tree, game: &OpenLoop) -> Profile {
        let weights = self.0.iter().enumerate().map(|(player, mix)| {
            let listed = mix.iter().map(|(share, plan)| {
                let actions = actions(game, player, plan).into_iter();
                (actions.map(|(_, action)| action).collect(), *share)
            });
            weights(tree, player, &listed.collect::<Vec<_>>())
        });
        Profile::from_plans(tree, &weights.collect::<Vec<_>>())
    }
}

/// A plan in words: what the player does wherever it is asked, for as long as the game may go on.
pub fn moves(game: &OpenLoop, machine: &Machine, player: usize, plan: &Plan) -> Vec<String> {
    let actions = actions(game, player, plan).into_iter();
    actions
        .map(|(class, action)| game.text(machine, player, class, action))
        .collect()
}

/// Whether a list of choices is a plan of a player in this game.
pub fn is_plan(game: &OpenLoop, player: usize, plan: &Plan) -> bool {
    let mut at = Some(0);
    plan.iter().all(|&choice| {
        let class = at.map(|at: u32| &game.classes[player][at as usize]);
        let next = class.and_then(|class| class.next.get(choice as usize));
        at = next.copied().flatten();
        next.is_some()
    })
}

/// How likely each choice of a player in a tree is, by the probabilities of its plans, which are lists of its actions: as weights
/// by sequence.
fn weights(tree: &Tree, player: usize, plans: &[(Vec<&Action>, f64)]) -> Vec<f64> {
    let choices = tree.choices_of(player);
    // For each choice the plans that lead through it, and how many choices came before.
    let mut through: Vec<(Vec<usize>, usize)> = vec![Default::default(); choices.len()];
    let mut weights = vec![1.0];
    weights.resize(choices.len() + 1, 0.0);
    for state in &tree.information_states()[tree.states_of(player)] {
        let (here, depth) = match state.before {
            None => ((0..plans.len()).collect(), 0),
            Some(choice) => through[choice as usize - choices.start].clone(),
        };
        for choice in state.range() {
            let action = tree.action(choice);
            let list: Vec<usize> = here
                .iter()
                .copied()
                .filter(|plan| plans[*plan].0.get(depth).copied() == action)
                .collect();
            let number = choice - choices.start;
            // Not the sum of nothing, which is −0.
            weights[number + 1] = list.iter().map(|plan| plans[*plan].1).sum::<f64>() + 0.0;
            through[number] = (list, depth + 1);
        }
    }
    weights
}
