//! Regret matching (Lanctot, Lisý & Winands 2013, equation 5; Hart & Mas-Colell 2000), which `regret`, `oos` and `oos_plus`
//! share: actions are played in proportion to how much they are regretted not to have been played.

use super::sample;
use crate::machine::below;
use crate::random::Stream;
use rand::RngExt;

/// The current strategy of one mover, read off its regrets.
#[derive(Copy, Clone, Debug)]
pub struct Matching<'a> {
    regrets: &'a [f64],
    /// The sum of the positive regrets.
    total: f64,
}

impl<'a> Matching<'a> {
    pub fn new(regrets: &'a [f64]) -> Matching<'a> {
        Matching {
            regrets,
            total: total(regrets),
        }
    }

    /// R⁺ of equation 5.
    pub fn total(&self) -> f64 {
        self.total
    }

    /// σ(s, a) of equation 5.
    pub fn probability(&self, action: usize) -> f64 {
        share(self.regrets[action], self.total, self.regrets.len())
    }

    /// γ / |A| + (1 − γ) σ(s, a): the probability with which [`Matching::explore`] takes an action.
    pub fn exploring(&self, action: usize, gamma: f64) -> f64 {
        gamma / self.regrets.len() as f64 + (1.0 - gamma) * self.probability(action)
    }

    /// An action by the current strategy.
    pub fn play(&self, rng: &mut Stream) -> usize {
        if self.total > 0.0 {
            sample(self.regrets.iter().map(|r| positive(*r)), self.total, rng)
        } else {
            below(rng, self.regrets.len() as u64) as usize
        }
    }

    /// Any action with probability γ, and one by the current strategy otherwise.
    pub fn explore(&self, gamma: f64, rng: &mut Stream) -> usize {
        if rng.random::<f64>() < gamma {
            below(rng, self.regrets.len() as u64) as usize
        } else {
            self.play(rng)
        }
    }
}

/// As `f64::max` with 0, which also asks about what is no number.
#[inline]
fn positive(regret: f64) -> f64 {
    if regret > 0.0 { regret } else { 0.0 }
}

/// R⁺ of equation 5: the sum of the positive regrets.
pub fn total(regrets: &[f64]) -> f64 {
    regrets.iter().map(|r| positive(*r)).sum()
}

/// σ(s, a) of equation 5, from an action's regret, R⁺ and the number of actions.
pub fn share(regret: f64, total: f64, actions: usize) -> f64 {
    if total > 0.0 {
        positive(regret) / total
    } else {
        1.0 / actions as f64
    }
}

/// σ̄(s, a) ← σ̄(s, a) + weight · σ(s, a), for all actions, from their regrets and R⁺.
#[inline]
pub fn average(sums: &mut [f64], regrets: &[f64], total: f64, weight: f64) {
    let n = regrets.len();
    // One loop for each case of a share, without a branch inside.
    if total > 0.0 {
        for (sum, regret) in std::iter::zip(sums, regrets) {
            *sum += weight * (positive(*regret) / total);
        }
    } else {
        for sum in sums {
            *sum += weight * share(0.0, total, n);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;

    #[test]
    fn positive_regrets_are_matched() {
        let matching = Matching::new(&[-5.0, 1.0, 3.0]);
        let found: Vec<f64> = (0..3).map(|a| matching.probability(a)).collect();
        assert_eq!(found, [0.0, 0.25, 0.75]);
        assert_eq!(Matching::new(&[-1.0, 0.0]).probability(0), 0.5);
        let mut sums = [1.0, 1.0, 1.0];
        average(&mut sums, &[-5.0, 1.0, 3.0], 4.0, 2.0);
        assert_eq!(sums, [1.0, 1.5, 2.5]);
    }

    #[test]
    fn exploration_is_as_likely_as_it_says() {
        let matching = Matching::new(&[-5.0, 1.0, 3.0]);
        let mut rng = stream(1, &[]);
        let mut counts = [0.0; 3];
        for _ in 0..30_000 {
            counts[matching.explore(0.3, &mut rng)] += 1.0 / 30_000.0;
        }
        for (a, count) in counts.into_iter().enumerate() {
            let p = matching.exploring(a, 0.3);
            assert!((count - p).abs() < 0.02, "{a}: {count} and {p}");
        }
    }
}
