//! Short rounds in turn, and medians over them.

use super::clock;
use std::time::Duration;

/// Something that is done so many times.
pub struct Side<'a>(pub &'a mut dyn FnMut(u64));

#[derive(Copy, Clone, Debug)]
pub struct Rounds {
    pub number: usize,
    /// About how long a round takes.
    pub length: Duration,
}

#[derive(Copy, Clone, Debug)]
pub struct Comparison {
    /// Times a second, medians.
    pub rates: [f64; 2],
    /// How many times as long the second takes as the first: the median over the pairs of rounds.
    pub ratio: f64,
    pub quartiles: (f64, f64),
}

impl Rounds {
    pub const FULL: Rounds = Rounds {
        number: 21,
        length: Duration::from_millis(30),
    };
    pub const SHORT: Rounds = Rounds {
        number: 1,
        length: Duration::from_millis(1),
    };

    /// Two sides by turns.
    pub fn compare(&self, mut sides: [Side<'_>; 2]) -> Comparison {
        let counts = sides.each_mut().map(|side| self.count(side));
        let mut times = [Vec::new(), Vec::new()];
        for _ in 0..self.number {
            for (i, side) in sides.iter_mut().enumerate() {
                times[i].push(seconds(side, counts[i]) / counts[i] as f64);
            }
        }
        let ratios = std::iter::zip(&times[0], &times[1]).map(|(a, b)| b / a);
        let ratios = sorted(ratios.collect());
        Comparison {
            rates: times.map(|list| 1.0 / at(&sorted(list), 0.5)),
            ratio: at(&ratios, 0.5),
            quartiles: (at(&ratios, 0.25), at(&ratios, 0.75)),
        }
    }

    /// Times a second, the median.
    pub fn rate(&self, mut side: Side<'_>) -> f64 {
        let count = self.count(&mut side);
        let times = (0..self.number).map(|_| seconds(&mut side, count) / count as f64);
        1.0 / at(&sorted(times.collect()), 0.5)
    }

    /// How often a round does it. Finding out warms everything up; what is made once, when it is first wanted, does not
    /// count.
    fn count(&self, side: &mut Side<'_>) -> u64 {
        (side.0)(1);
        let (mut count, length) = (1, self.length.as_secs_f64());
        loop {
            let took = seconds(side, count);
            if took >= length / 4.0 {
                return ((count as f64 * length / took) as u64).max(1);
            }
            count *= 2;
        }
    }
}

fn seconds(side: &mut Side<'_>, count: u64) -> f64 {
    let start = clock::now();
    (side.0)(count);
    (clock::now() - start).as_secs_f64()
}

fn sorted(mut values: Vec<f64>) -> Vec<f64> {
    values.sort_by(f64::total_cmp);
    values
}

/// The value at a share of the way through a sorted list, which is not empty.
fn at(values: &[f64], share: f64) -> f64 {
    values[((values.len() - 1) as f64 * share).round() as usize]
}
