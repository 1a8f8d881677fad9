//! Draws of hypotheses by their weights.

use super::Hypothesis;
use crate::random::Stream;
use rand::RngExt;

/// Draws places in a list of hypotheses.
#[derive(Clone, Debug)]
pub struct Sampler {
    /// The weights up to and with each.
    sums: Vec<f64>,
}

impl Sampler {
    /// `hypotheses` must not be empty.
    pub fn new(hypotheses: &[Hypothesis]) -> Sampler {
        Sampler::of(hypotheses.iter().map(|h| h.weight))
    }

    /// By other weights, which must not be empty.
    pub fn by(weights: &[f64]) -> Sampler {
        Sampler::of(weights.iter().copied())
    }

    fn of(weights: impl Iterator<Item = f64>) -> Sampler {
        let mut sum = 0.0;
        let sums = weights.map(|weight| {
            sum += weight;
            sum
        });
        Sampler {
            sums: sums.collect(),
        }
    }

    /// The weight of a place.
    pub fn weight(&self, place: usize) -> f64 {
        let before = place.checked_sub(1).map_or(0.0, |before| self.sums[before]);
        self.sums[place] - before
    }

    /// A place, with the probability that its hypothesis has.
    pub fn draw(&self, rng: &mut Stream) -> usize {
        let total = self.sums.last().copied().unwrap_or_default();
        let at = rng.random::<f64>() * total;
        let place = self.sums.partition_point(|sum| *sum <= at);
        place.min(self.sums.len() - 1)
    }
}
