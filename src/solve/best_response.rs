//! Best responses to strategies, and how far strategies are from an equilibrium. Any number of players, any payoffs.

use super::profile::Profile;
use super::sequences::Sequences;
use super::tree::Tree;

/// A player's best answer to what the others do.
#[derive(Clone, Debug, PartialEq)]
pub struct BestResponse {
    /// What it earns in the mean.
    pub value: f64,
    /// For each of the player's information states the place of its choice among the choices there: the first of the best.
    pub choices: Vec<u32>,
}

/// Between which the other player's payoff lies when a player of two answers best.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct LeftToOther {
    /// Of all best responses, the one that is worst for the other player.
    pub least: f64,
    /// The one that is best for it.
    pub most: f64,
}

/// Responses whose values differ by less, as a share of the largest size of a value, are equally good.
const SAME: f64 = 1e-9;

/// What is left to the other player of two when `player` answers best. Where payoffs add up to a constant sum both bounds are
/// the same; elsewhere equally good responses may pay the other player differently.
pub fn left_to_other(sequences: &Sequences, player: usize, profile: &Profile) -> LeftToOther {
    let plans = profile.plans(sequences);
    let form = &sequences.players[player];
    let mut own = vec![0.0; form.sequences];
    sequences.earnings(player, &plans, &mut own);
    let other_player = 1 - player;
    let mut other = vec![0.0; form.sequences];
    let other_form = &sequences.players[other_player];
    for (sequence, &reach) in plans[other_player].iter().enumerate() {
        for (answers, weight) in other_form.entries(sequence) {
            other[answers[0] as usize] += reach * weight;
        }
    }
    let size = own.iter().map(|worth| worth.abs()).fold(1.0, f64::max);
    let pick = |better: fn(f64, f64) -> bool| {
        let (mut own, mut other) = (own.clone(), other.clone());
        for decision in form.decisions.iter().rev() {
            let range = decision.range();
            let best = own[range.clone()]
                .iter()
                .copied()
                .fold(f64::NEG_INFINITY, f64::max);
            let equal = range.filter(|s| own[*s] >= best - SAME * size);
            let left = equal
                .map(|s| other[s])
                .reduce(|a, b| if better(a, b) { a } else { b });
            own[decision.before as usize] += best;
            other[decision.before as usize] += left.unwrap_or(0.0);
        }
        other[0]
    };
    LeftToOther {
        least: pick(|a, b| a <= b),
        most: pick(|a, b| a >= b),
    }
}

/// How much players could gain.
#[derive(Clone, Debug, PartialEq)]
pub struct Exploitability {
    /// What each player is paid in the mean.
    pub values: Vec<f64>,
    /// What each player would be paid with a best response, while the others stay as they are.
    pub best_responses: Vec<f64>,
    /// The sum of what the players would gain; 0 exactly in an equilibrium.
    pub nash_conv: f64,
}

impl Exploitability {
    /// NashConv a player: in a two-player zero-sum game, what a best-responding opponent gains over the value of the game,
    /// in the mean of the seats.
    pub fn per_player(&self) -> f64 {
        self.nash_conv / self.values.len() as f64
    }
}

/// The best response of `player` to the strategies of the others; its own is not looked at.
pub fn best_response(sequences: &Sequences, player: usize, profile: &Profile) -> BestResponse {
    respond(sequences, player, &profile.plans(sequences))
}

fn respond(sequences: &Sequences, player: usize, plans: &[Vec<f64>]) -> BestResponse {
    let form = &sequences.players[player];
    let mut earnings = vec![0.0; form.sequences];
    sequences.earnings(player, plans, &mut earnings);
    let mut choices = vec![0; form.decisions.len()];
    for (decision, chosen) in form.decisions.iter().zip(&mut choices).rev() {
        let mut best = f64::NEG_INFINITY;
        for (place, &worth) in earnings[decision.range()].iter().enumerate() {
            if worth > best {
                (best, *chosen) = (worth, place as u32);
            }
        }
        earnings[decision.before as usize] += best;
    }
    BestResponse {
        value: earnings[0],
        choices,
    }
}

/// What the players of a profile are paid, and what they could gain by a best response.
pub fn exploitability(sequences: &Sequences, profile: &Profile) -> Exploitability {
    exploitability_of_plans(sequences, &profile.plans(sequences))
}

/// As [`exploitability`], of realization plans.
pub fn exploitability_of_plans(sequences: &Sequences, plans: &[Vec<f64>]) -> Exploitability {
    let players = 0..sequences.players.len();
    let values: Vec<f64> = players.clone().map(|p| sequences.value(p, plans)).collect();
    let best_responses: Vec<f64> = players
        .map(|p| respond(sequences, p, plans).value)
        .collect();
    let gains = std::iter::zip(&best_responses, &values).map(|(best, value)| best - value);
    Exploitability {
        nash_conv: gains.sum(),
        values,
        best_responses,
    }
}

impl BestResponse {
    /// As a profile of which only the strategy of `player` counts; the others play uniformly.
    pub fn profile(&self, tree: &Tree, player: usize) -> Profile {
        let mut profile = Profile::uniform(tree);
        let states = &tree.information_states()[tree.states_of(player)];
        for (state, &chosen) in states.iter().zip(&self.choices) {
            let probabilities = &mut profile.probabilities[state.range()];
            probabilities.fill(0.0);
            probabilities[chosen as usize] = 1.0;
        }
        profile
    }
}
