//! Means and shares with 95 % intervals.

use crate::model::PlayerSet;
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// The 97.5 % quantile of the standard normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// The mean of a sample, with its 95 % confidence interval by Student's t distribution.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mean {
    /// How many values there are.
    pub n: u64,
    /// `None` of nothing.
    pub mean: Option<f64>,
    /// The sample's standard deviation (with n − 1); `None` for fewer than two.
    pub deviation: Option<f64>,
    /// The 95 % confidence interval, from and to; `None` for fewer than two.
    pub interval: Option<(f64, f64)>,
}

impl Mean {
    /// Summed up in the order of the sample, in two passes.
    #[doc(hidden)]
    pub fn of(sample: &[f64]) -> Mean {
        Mean::of_counts(sample.iter().map(|&x| (x, 1)))
    }

    /// Of a sample told as values and how often each came, summed up in the order that they have here.
    #[doc(hidden)]
    pub fn of_counts(counts: impl Iterator<Item = (f64, u64)> + Clone) -> Mean {
        let n: u64 = counts.clone().map(|(_, count)| count).sum();
        if n == 0 {
            return Mean {
                n: 0,
                mean: None,
                deviation: None,
                interval: None,
            };
        }
        let sum: f64 = counts.clone().map(|(x, count)| x * count as f64).sum();
        let mean = sum / n as f64;
        let deviation = (n > 1).then(|| {
            let squares = counts.map(|(x, count)| (x - mean) * (x - mean) * count as f64);
            (squares.sum::<f64>() / (n - 1) as f64).sqrt()
        });
        let interval = deviation.map(|d| {
            let half = t_quantile(n as usize - 1) * d / (n as f64).sqrt();
            (mean - half, mean + half)
        });
        Mean {
            n,
            mean: Some(mean),
            deviation,
            interval,
        }
    }

    /// Half the width of the interval.
    #[doc(hidden)]
    pub fn half_width(&self) -> Option<f64> {
        self.interval.map(|(low, high)| (high - low) / 2.0)
    }
}

/// The 97.5 % quantile of Student's t distribution.
fn t_quantile(freedom: usize) -> f64 {
    let v = freedom as f64;
    if freedom < 1000 {
        return StudentsT::new(0.0, 1.0, v).map_or(Z, |t| t.inverse_cdf(0.975));
    }
    // The expansion in 1/v (Cornish & Fisher 1938): the numerical inverse loses digits where v is large.
    let cube = Z * Z * Z;
    Z + (cube + Z) / (4.0 * v) + (5.0 * cube * Z * Z + 16.0 * cube + 3.0 * Z) / (96.0 * v * v)
}

/// How often something happened, with the 95 % interval of Wilson's score (Wilson 1927).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Share {
    /// How often it happened.
    pub count: u64,
    /// From 0 to 1; `None` of nothing.
    pub share: Option<f64>,
    /// The 95 % interval, from and to; `None` of nothing.
    pub interval: Option<(f64, f64)>,
}

impl Share {
    #[doc(hidden)]
    pub fn of(count: u64, n: u64) -> Share {
        if n == 0 {
            return Share {
                count,
                share: None,
                interval: None,
            };
        }
        let p = count as f64 / n as f64;
        Share {
            count,
            share: Some(p),
            interval: Some(wilson(p, n)),
        }
    }
}

/// The 95 % interval of Wilson's score, for `n` games (at least 1) with the share `p` of wins.
fn wilson(p: f64, n: u64) -> (f64, f64) {
    score_interval(p, 0.0, n)
}

/// The 95 % interval of the score test for the mean of `n` values within 0 and 1 (`n` at least 1), of which `mean` is the
/// mean and `between` the mean of x(1 − x): 0 where all are 0 or 1, and then the interval is Wilson's.
///
/// The means θ that it holds are those with (mean − θ)² ≤ z² (θ(1 − θ) − between) / n: the variance of such values is
/// θ(1 − θ) less what lies between.
pub fn score_interval(mean: f64, between: f64, n: u64) -> (f64, f64) {
    let n = n as f64;
    let scale = 1.0 + Z * Z / n;
    let middle = (mean + Z * Z / (2.0 * n)) / scale;
    let variance = mean * (1.0 - mean) / n + Z * Z / (4.0 * n * n) - scale * between / n;
    let half = Z * variance.max(0.0).sqrt() / scale;
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

/// How a game ended for one seat, where payoffs can be compared between players. Those of one team are no rivals.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum WinDrawLoss {
    /// A better payoff than any rival's.
    Win,
    /// The best payoff, with some rival.
    Draw,
    Loss,
}

impl WinDrawLoss {
    /// `sides` are the teams, and the players without one each alone.
    pub fn of(payoffs: &[f64], sides: &[PlayerSet], seat: usize) -> WinDrawLoss {
        let own = payoffs[seat];
        let side = sides.iter().find(|side| side.contains(seat));
        let mates = side.copied().unwrap_or(PlayerSet::only(seat));
        let rivals = || {
            let all = payoffs.iter().enumerate();
            all.filter(|(s, _)| !mates.contains(*s))
        };
        if rivals().any(|(_, &x)| x > own) {
            WinDrawLoss::Loss
        } else if rivals().any(|(_, &x)| x == own) {
            WinDrawLoss::Draw
        } else {
            WinDrawLoss::Win
        }
    }
}

impl WinDrawLoss {
    /// The seat's share of a win, which those who have the best payoff split evenly: 1 alone, 1/2 of two, 0 after a loss.
    pub fn share(payoffs: &[f64], sides: &[PlayerSet], seat: usize) -> f64 {
        let best = |side: &PlayerSet| {
            let members = side.iter();
            members.map(|s| payoffs[s]).fold(f64::MIN, f64::max)
        };
        match WinDrawLoss::of(payoffs, sides, seat) {
            WinDrawLoss::Loss => 0.0,
            WinDrawLoss::Win => 1.0,
            WinDrawLoss::Draw => {
                let own = payoffs[seat];
                let rivals = sides.iter().filter(|side| !side.contains(seat));
                1.0 / (1 + rivals.filter(|side| best(side) == own).count()) as f64
            }
        }
    }
}

/// Shares of wins, draws and losses among the finished games; they add up to 1.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Shares {
    /// A better payoff than any rival's.
    pub wins: Share,
    /// The best payoff, with some rival.
    pub draws: Share,
    /// A rival has a better payoff.
    pub losses: Share,
}

impl Shares {
    #[doc(hidden)]
    pub fn of(list: &[WinDrawLoss]) -> Shares {
        let n = list.len() as u64;
        let share = |what| Share::of(list.iter().filter(|o| **o == what).count() as u64, n);
        Shares {
            wins: share(WinDrawLoss::Win),
            draws: share(WinDrawLoss::Draw),
            losses: share(WinDrawLoss::Loss),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(a: f64, b: f64, within: f64) {
        assert!((a - b).abs() < within, "{a} is not {b}");
    }

    #[test]
    fn quantiles_are_those_of_the_tables() {
        close(t_quantile(1), 12.706_204_736, 1e-6);
        close(t_quantile(2), 4.302_652_730, 1e-6);
        close(t_quantile(10), 2.228_138_852, 1e-6);
        close(t_quantile(199), 1.971_956_544, 1e-6);
        close(t_quantile(999), t_quantile(1000), 1e-5);
        close(t_quantile(1000), 1.962_339_1, 1e-6);
        close(t_quantile(100_000), 1.959_987_7, 1e-6);
        close(t_quantile(100_000_000), Z, 1e-7);
    }

    #[test]
    fn a_mean_has_its_interval() {
        let m = Mean::of(&[1.0, 2.0, 3.0, 4.0]);
        close(m.mean.unwrap(), 2.5, 1e-12);
        close(m.deviation.unwrap(), 1.290_994_449, 1e-8);
        close(m.half_width().unwrap(), 2.054_260_4, 1e-4);
        assert_eq!(Mean::of(&[3.0]).interval, None);
        assert_eq!(Mean::of(&[]).mean, None);
        assert_eq!(Mean::of(&[2.0; 5]).interval, Some((2.0, 2.0)));
    }

    #[test]
    fn wilson_stays_inside() {
        let s = Share::of(0, 10);
        assert_eq!(s.interval.unwrap().0, 0.0);
        close(s.interval.unwrap().1, 0.277_532_8, 1e-6);
        let s = Share::of(81, 263);
        close(s.interval.unwrap().0, 0.255_3, 1e-4);
        close(s.interval.unwrap().1, 0.366_2, 1e-4);
        assert_eq!(Share::of(0, 0).share, None);
    }

    #[test]
    fn a_score_interval_knows_of_draws() {
        let (low, high) = score_interval(0.8, 0.0, 10);
        close(low, 0.490_162, 1e-6);
        close(high, 0.943_318, 1e-6);
        // 7 wins, 2 draws, 1 loss; the roots of 13.841459 θ² − 19.841459 θ + 6.592073.
        let (low, high) = score_interval(0.8, 0.05, 10);
        close(
            13.841_458_8 * low * low - 19.841_458_8 * low + 6.592_072_9,
            0.0,
            1e-6,
        );
        close(low + high, 19.841_458_8 / 13.841_458_8, 1e-6);
        // Nothing but draws has no spread, and nothing but wins has some.
        let (low, high) = score_interval(0.5, 0.25, 10);
        close(low, 0.5, 1e-6);
        close(high, 0.5, 1e-6);
        assert!(score_interval(1.0, 0.0, 10).0 < 0.75);
    }

    #[test]
    fn a_win_is_strict() {
        let alone = [0b001, 0b010, 0b100].map(PlayerSet::from_word);
        assert_eq!(
            WinDrawLoss::of(&[1.0, 1.0, 0.0], &alone, 0),
            WinDrawLoss::Draw
        );
        assert_eq!(
            WinDrawLoss::of(&[1.0, 1.0, 0.0], &alone, 2),
            WinDrawLoss::Loss
        );
        assert_eq!(
            WinDrawLoss::of(&[0.0, 2.0, 1.0], &alone, 1),
            WinDrawLoss::Win
        );
    }

    #[test]
    fn a_win_is_split_by_those_who_tie() {
        let alone = [0b001, 0b010, 0b100].map(PlayerSet::from_word);
        assert_eq!(WinDrawLoss::share(&[1.0, 1.0, 0.0], &alone, 0), 0.5);
        assert_eq!(WinDrawLoss::share(&[1.0, 1.0, 0.0], &alone, 2), 0.0);
        assert_eq!(WinDrawLoss::share(&[1.0, 1.0, 1.0], &alone, 2), 1.0 / 3.0);
        assert_eq!(WinDrawLoss::share(&[0.0, 2.0, 1.0], &alone, 1), 1.0);
        // Two sides, of which one is a pair.
        let sides = [0b001, 0b110].map(PlayerSet::from_word);
        assert_eq!(WinDrawLoss::share(&[0.5, 0.5, 0.5], &sides, 1), 0.5);
    }

    #[test]
    fn counted_values_are_a_sample() {
        let counted = Mean::of_counts([(1.0, 2), (4.0, 1)].into_iter());
        assert_eq!(counted, Mean::of(&[1.0, 1.0, 4.0]));
        close(counted.mean.unwrap(), 2.0, 1e-12);
        close(counted.deviation.unwrap(), 3f64.sqrt(), 1e-12);
    }

    #[test]
    fn a_team_wins_together() {
        let sides = [0b001, 0b110].map(PlayerSet::from_word);
        assert_eq!(
            WinDrawLoss::of(&[0.0, 1.0, 1.0], &sides, 1),
            WinDrawLoss::Win
        );
        assert_eq!(
            WinDrawLoss::of(&[0.0, 1.0, 1.0], &sides, 0),
            WinDrawLoss::Loss
        );
        assert_eq!(
            WinDrawLoss::of(&[1.0, 0.0, 0.0], &sides, 0),
            WinDrawLoss::Win
        );
        assert_eq!(
            WinDrawLoss::of(&[0.5, 0.5, 0.5], &sides, 2),
            WinDrawLoss::Draw
        );
    }
}
