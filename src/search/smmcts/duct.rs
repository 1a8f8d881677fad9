//! Decoupled UCT (Lanctot, Lisý & Winands 2013, section 3.1): every player runs UCB on statistics of their own.
//!
//! In simultaneous games it need not converge to an equilibrium (Shafiei et al. 2009; section 4.3 of the paper).

use super::policy::{Policy, Step, shares};
use super::tree::{Columns, ColumnsMut, Decision, Outcome, Places};
use crate::random::Stream;
use crate::search::result::argmax;
use rand::RngExt;
use smallvec::SmallVec;

/// The columns are n(s, a) and X(s, a), visits and the sum of the player's own payoffs.
#[derive(Clone, Debug)]
pub struct Duct {
    /// Cᵢ of each player, in units of payoff.
    pub exploration: SmallVec<[f64; 8]>,
    pub last: Last,
}

/// The final decision.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Last {
    /// DUCT(max): the action with the greatest mean.
    Max,
    /// DUCT(mix): every action by its share of the visits.
    Mix,
}

impl Policy for Duct {
    type Trace = ();

    fn select(&mut self, node: &Decision, places: &mut Places, rng: &mut Stream) {
        for (m, mover) in node.movers.iter().enumerate() {
            let Columns(visits, sums) = node.columns(m);
            let c = self.exploration[mover.player];
            places.push(ucb(visits, sums, node.visits, c, rng) as u32);
        }
    }

    fn update(&mut self, node: &mut Decision, step: &Step<()>, outcome: &Outcome) {
        for (m, &place) in step.places.iter().enumerate() {
            let payoff = outcome.payoffs[node.movers[m].player];
            let (ColumnsMut(visits, sums), _) = node.columns_mut(m);
            visits[place as usize] += 1.0;
            sums[place as usize] += payoff;
        }
    }

    fn strategy(&self, node: &Decision, mover: usize) -> Vec<f64> {
        let Columns(visits, sums) = node.columns(mover);
        match self.last {
            Last::Mix => shares(visits.iter().copied()),
            Last::Max => {
                let mean = |(&n, &x): (&f64, &f64)| (n > 0.0).then_some(x / n);
                let means = || std::iter::zip(visits, sums).map(mean);
                let best = means().flatten().fold(f64::NEG_INFINITY, f64::max);
                let is_best = |mean: Option<f64>| f64::from(u8::from(mean == Some(best)));
                shares(means().map(is_best).collect::<Vec<_>>().into_iter())
            }
        }
    }
}

/// Equation 2: the action with the greatest X̄(s, a) + C √(ln n(s) / n(s, a)), ties at random. An action without a visit
/// comes first, at random among them.
fn ucb(visits: &[f64], sums: &[f64], all: u64, c: f64, rng: &mut Stream) -> usize {
    let new = visits.iter().filter(|&&n| n == 0.0).count();
    if new > 0 {
        let skip = rng.random_range(0..new as u64) as usize;
        let mut unvisited = (0..visits.len()).filter(|&a| visits[a] == 0.0);
        return unvisited.nth(skip).unwrap_or(0);
    }
    if visits.len() == 1 {
        return 0;
    }
    // `log` from libm gives the same bits on every platform, as `f64::ln` does not.
    let ln = libm::log(all.max(1) as f64);
    let values = std::iter::zip(visits, sums).map(|(&n, &x)| x / n + c * (ln / n).sqrt());
    argmax(values, rng)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;

    #[test]
    fn unvisited_actions_come_first_and_evenly() {
        let mut rng = stream(1, &[]);
        let mut counts = [0; 4];
        for _ in 0..1000 {
            counts[ucb(
                &[5.0, 0.0, 3.0, 0.0],
                &[5.0, 0.0, 3.0, 0.0],
                8,
                1.0,
                &mut rng,
            )] += 1;
        }
        assert_eq!((counts[0], counts[2]), (0, 0));
        assert!((430..570).contains(&counts[1]), "{counts:?}");
    }

    #[test]
    fn exploration_decides_between_the_best_and_the_rarest() {
        let (visits, sums) = ([100.0, 2.0, 50.0], [60.0, 1.0, 31.0]);
        let mut rng = stream(1, &[]);
        assert_eq!(ucb(&visits, &sums, 152, 0.0, &mut rng), 2);
        assert_eq!(ucb(&visits, &sums, 152, 10.0, &mut rng), 1);
    }
}
