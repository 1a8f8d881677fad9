//! What a position is worth to each player, told from random playouts of it.

use crate::machine::{Machine, PlayError, Playouts, State, Turn};
use crate::random::Stream;

/// How many random playouts estimate a position.
pub const PLAYOUTS: u64 = 100;

/// Means have to differ by so many standard errors.
const ERRORS: f64 = 3.0;

/// The payoffs that follow from a position when everybody plays at random.
pub struct Estimate {
    /// By player: the mean payoff, and the square of its standard error.
    payoffs: Vec<(f64, f64)>,
    /// The side that is clearly ahead of every other one, by its place in the payoff of the description.
    pub leader: Option<usize>,
}

impl Estimate {
    /// At the end of a game the payoffs themselves.
    ///
    /// # Errors
    /// Where the rules run into an error.
    pub fn of(
        machine: &Machine,
        playouts: &mut Playouts<'_>,
        state: &State,
        random: &mut Stream,
    ) -> Result<Estimate, PlayError> {
        let mut samples: Vec<Vec<i64>> = Vec::new();
        if matches!(machine.turn(state), Turn::Terminal) {
            samples.push(machine.payoff_units(state)?.to_vec());
        } else {
            for _ in 0..PLAYOUTS {
                samples.push(playouts.play(state, random)?.payoffs.to_vec());
            }
        }
        let unit = machine.payoff_denominator() as f64;
        let payoffs = (0..machine.player_count())
            .map(|p| mean(samples.iter().map(|s| s[p] as f64 / unit)))
            .collect();
        let sides = &machine.description().payoff.sides;
        let heads: Vec<usize> = sides.iter().filter_map(|s| s.iter().next()).collect();
        let ahead = |a: usize, b: usize| {
            let (mean, square) = mean(samples.iter().map(|s| (s[a] - s[b]) as f64));
            mean > 0.0 && mean > ERRORS * square.sqrt()
        };
        let leader = heads
            .iter()
            .position(|&a| heads.iter().all(|&b| a == b || ahead(a, b)));
        Ok(Estimate {
            payoffs,
            leader: leader.filter(|_| heads.len() > 1),
        })
    }

    /// How far the payoff of each player is from that of another estimate; 0 where that may be by accident.
    pub fn swings(&self, other: &Estimate) -> Vec<f64> {
        let both = std::iter::zip(&self.payoffs, &other.payoffs);
        both.map(|((a, va), (b, vb))| {
            let swing = (a - b).abs();
            match swing > ERRORS * (va + vb).sqrt() {
                true => swing,
                false => 0.0,
            }
        })
        .collect()
    }
}

/// The mean of at least one number, and the square of its standard error: 0 of a single number, which is no sample.
fn mean(numbers: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let n = numbers.clone().count() as f64;
    let mean = numbers.clone().sum::<f64>() / n;
    let squares: f64 = numbers.map(|x| (x - mean) * (x - mean)).sum();
    (mean, squares / (n * (n - 1.0).max(1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_has_its_error() {
        assert_eq!(mean([3.0].into_iter()), (3.0, 0.0));
        // The variance with n - 1 is 4, of four numbers.
        let (middle, square) = mean([1.0, 1.0, 4.0, 4.0].into_iter());
        assert_eq!((middle, square), (2.5, 3.0 / 4.0));
    }

    #[test]
    fn swings_are_more_than_accident() {
        let of = |payoffs: &[(f64, f64)]| Estimate {
            payoffs: payoffs.to_vec(),
            leader: None,
        };
        let (a, b) = (
            of(&[(0.5, 0.01), (1.0, 0.0)]),
            of(&[(0.2, 0.0), (0.0, 0.0)]),
        );
        assert_eq!(a.swings(&b), [0.0, 1.0]);
    }
}
