//! Means and shares with 95 % intervals.

use crate::model::PlayerSet;
use ethnum::I256;
use serde::Serialize;
use statrs::distribution::{ContinuousCDF, StudentsT};

/// The 97.5 % quantile of the standard normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// The mean of a sample, with its 95 % confidence interval: by Student's t distribution, and for payoffs, which lie between known
/// bounds and are often far from symmetric, as [`Mean::within`] has it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mean {
    /// How many values there are.
    pub n: u64,
    /// `None` of nothing.
    pub mean: Option<f64>,
    /// The sample's standard deviation (with n − 1); `None` for fewer than two.
    pub deviation: Option<f64>,
    /// The 95 % confidence interval, from and to, never outside the bounds; `None` of nothing, and without bounds for fewer
    /// than two.
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
        Mean::with(n, mean, deviation)
    }

    /// Of at least one value.
    fn with(n: u64, mean: f64, deviation: Option<f64>) -> Mean {
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

    /// Of whole numbers that count units of 1/`unit`.
    pub(super) fn of_moments(moments: &Moments, unit: f64) -> Mean {
        if moments.n == 0 {
            return Mean::of(&[]);
        }
        let mean = moments.sum as f64 / unit / moments.n as f64;
        let deviation = moments.deviation().map(|d| d / unit);
        Mean::with(moments.n, mean, deviation)
    }

    /// As [`Mean::of_moments`], with the interval of [`Mean::within`].
    pub(super) fn of_moments_within(bounds: (f64, f64), moments: &Moments, unit: f64) -> Mean {
        let mean = Mean::of_moments(moments, unit);
        mean.bounded(
            bounds,
            &Shape {
                least: moments.least as f64 / unit,
                greatest: moments.greatest as f64 / unit,
                few: moments.few(),
                lean: moments.lean() / unit,
            },
        )
    }

    /// As [`Mean::of_counts`], of values between `bounds`, which are all that is known of values that were not seen.
    ///
    /// Of three values or more the interval is that of [`skewed_interval`]. Of one or two each end of it is that of [`score_interval`],
    /// between the values that were seen, or on the side of that end farther: as far from the middle of `bounds` as the farthest value,
    /// but no farther outside the values than these are apart; where all are equal, between `bounds`.
    #[doc(hidden)]
    pub fn within(bounds: (f64, f64), counts: impl Iterator<Item = (f64, u64)> + Clone) -> Mean {
        let mean = Mean::of_counts(counts.clone());
        let values = || counts.clone().filter(|(_, n)| *n > 0).map(|(x, _)| x);
        let (least, greatest) =
            values().fold((f64::MAX, f64::MIN), |(a, b), x| (a.min(x), b.max(x)));
        let middle = mean.mean.unwrap_or_default();
        let power = |k| {
            let powers = counts.clone().map(|(x, n)| (x - middle).powi(k) * n as f64);
            powers.sum::<f64>()
        };
        mean.bounded(
            bounds,
            &Shape {
                least,
                greatest,
                few: values().all(|x| x == least || x == greatest),
                lean: power(3) / power(2).max(f64::MIN_POSITIVE),
            },
        )
    }

    /// With the interval of [`Mean::within`].
    fn bounded(self, bounds: (f64, f64), shape: &Shape) -> Mean {
        let Some(mean) = self.mean else {
            return self;
        };
        let interval = match shape.few {
            true => self.score_interval(mean, bounds, (shape.least, shape.greatest)),
            false => {
                let deviation = self.deviation.unwrap_or(0.0);
                let (low, high) = skewed_interval(mean, deviation, shape.lean, self.n);
                // The bounds may differ from the mean by its rounding.
                (low.max(bounds.0).min(mean), high.min(bounds.1).max(mean))
            }
        };
        Mean {
            interval: Some(interval),
            ..self
        }
    }

    /// `seen` are the only values.
    fn score_interval(&self, mean: f64, bounds: (f64, f64), seen: (f64, f64)) -> (f64, f64) {
        let middle = (bounds.0 + bounds.1) / 2.0;
        let reach = (seen.0 - middle).abs().max((seen.1 - middle).abs());
        let apart = seen.1 - seen.0;
        let least = bounds.0.max(middle - reach).max(seen.0 - apart);
        let greatest = bounds.1.min(middle + reach).min(seen.1 + apart);
        // How far the other end may be moves the middle of an interval, and no end of it may come nearer for that.
        let (low, high) = match apart > 0.0 {
            true => ((least, seen.1), (seen.0, greatest)),
            false => (bounds, bounds),
        };
        (
            self.score_between(mean, low).0,
            self.score_between(mean, high).1,
        )
    }

    /// The score interval of values between two ends.
    fn score_between(&self, mean: f64, (least, greatest): (f64, f64)) -> (f64, f64) {
        let range = greatest - least;
        if range <= 0.0 {
            return (least, greatest);
        }
        let n = self.n as f64;
        let deviation = self.deviation.unwrap_or(0.0) / range;
        let variance = deviation * deviation * (n - 1.0) / n;
        let share = ((mean - least) / range).clamp(0.0, 1.0);
        let (low, high) = score_interval(share, variance, self.n);
        (least + low * range, least + high * range)
    }

    /// Half the width of the interval.
    #[doc(hidden)]
    pub fn half_width(&self) -> Option<f64> {
        self.interval.map(|(low, high)| (high - low) / 2.0)
    }
}

/// What an interval goes by, beside the mean and the deviation.
struct Shape {
    least: f64,
    greatest: f64,
    /// There are no values but these two.
    few: bool,
    /// The third central moment over the second one, in units of the values; 0 of values that are all equal.
    lean: f64,
}

/// A sample of whole numbers as far as its mean, deviation and skewness follow from it, exact: samples are put together in any
/// order.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Moments {
    n: u64,
    sum: i128,
    squares: I256,
    cubes: I256,
    /// 0 of nothing.
    least: i128,
    greatest: i128,
}

impl Moments {
    /// Adds a value below 2^70 on either side of 0, of at most 2^40 such.
    #[inline]
    pub fn add(&mut self, x: i128) {
        let (square, cube) = match x.unsigned_abs() < 1 << 42 {
            true => (I256::from(x * x), I256::from(x * x * x)),
            false => {
                let wide = I256::from(x);
                (wide * wide, wide * wide * wide)
            }
        };
        self.put(1, x, square, cube, (x, x));
    }

    /// Adds another sample.
    pub fn merge(&mut self, other: &Moments) {
        if other.n > 0 {
            let ends = (other.least, other.greatest);
            self.put(other.n, other.sum, other.squares, other.cubes, ends);
        }
    }

    /// How many values there are.
    pub fn count(&self) -> u64 {
        self.n
    }

    #[inline]
    fn put(&mut self, n: u64, sum: i128, squares: I256, cubes: I256, ends: (i128, i128)) {
        if self.n == 0 {
            (self.least, self.greatest) = ends;
        }
        self.n += n;
        self.sum += sum;
        self.squares += squares;
        self.cubes += cubes;
        self.least = self.least.min(ends.0);
        self.greatest = self.greatest.max(ends.1);
    }

    /// The sample's standard deviation (with n − 1); `None` for fewer than two.
    fn deviation(&self) -> Option<f64> {
        if self.n < 2 {
            return None;
        }
        let n = self.n as f64;
        Some((self.spread().as_f64() / n / (n - 1.0)).sqrt())
    }

    /// n times the sum of squares less the square of the sum: n² times the second central moment.
    fn spread(&self) -> I256 {
        let sum = I256::from(self.sum);
        I256::from(self.n) * self.squares - sum * sum
    }

    /// The third central moment over the second one; 0 of values that are all equal.
    fn lean(&self) -> f64 {
        let spread = self.spread();
        if spread == I256::ZERO {
            return 0.0;
        }
        // n³ times the third central moment is n²·Σx³ − 3n·Σx·Σx² + 2(Σx)³, here about the least value, so that it stays small.
        let (n, from) = (I256::from(self.n), I256::from(self.least));
        let sum = I256::from(self.sum) - n * from;
        let squares = self.squares - I256::from(2) * from * I256::from(self.sum) + n * from * from;
        let cubes = self.cubes - I256::from(3) * from * self.squares
            + I256::from(3) * from * from * I256::from(self.sum)
            - n * from * from * from;
        let count = self.n as f64;
        let (sum, squares, cubes) = (
            sum.as_f64() / count,
            squares.as_f64() / count,
            cubes.as_f64() / count,
        );
        let third = cubes - 3.0 * sum * squares + 2.0 * sum * sum * sum;
        third / (spread.as_f64() / count / count)
    }

    /// Whether all values are the least or the greatest one: then (x − least)(greatest − x) adds up to 0.
    fn few(&self) -> bool {
        let (least, greatest) = (I256::from(self.least), I256::from(self.greatest));
        let ends = (least + greatest) * I256::from(self.sum);
        ends - self.squares - I256::from(self.n) * least * greatest == I256::ZERO
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
    score_interval(p, p * (1.0 - p), n)
}

/// A 95 % interval for the mean of `n` values within 0 and 1 (`n` at least 1), of which `mean` is the mean and `variance` the
/// variance with n in the denominator. Where all values are 0 or 1 it is Wilson's, and like that it never leaves 0 to 1 and
/// never has the width 0.
///
/// The means θ that it holds are those with (mean − θ)² ≤ z² σ²(θ) / n. Values within 0 and 1 with the mean θ have the variance
/// θ(1 − θ) less the mean of x(1 − x), and σ²(θ) is that with the mean of x(1 − x) in a sample that has z² values more, all of
/// them 0 or 1. Solved for θ, it is Wilson's formula with the variance in the place of p(1 − p).
pub fn score_interval(mean: f64, variance: f64, n: u64) -> (f64, f64) {
    let n = n as f64;
    let scale = 1.0 + Z * Z / n;
    let middle = (mean + Z * Z / (2.0 * n)) / scale;
    let half = Z * (variance / n + Z * Z / (4.0 * n * n)).sqrt() / scale;
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

/// A 95 % interval for the mean of `n` values, at least two, with this `mean` and standard `deviation` (with n − 1); `lean` is the
/// third central moment over the second one.
///
/// It is that of Student's t distribution, and reaches farther on the side of the longer tail: the mean and the deviation of a
/// sample from a skewed distribution go together, so that t misses too often on that side. With a quantile q of t it reaches lean ·
/// (2q² + 1) / 6n farther, by which the first term of the inverse of t's Edgeworth expansion (Hall 1983) moves the whole interval. The other
/// end stays, since in a small sample the tail may be chance. ([`score_interval`] with far bounds misses on the other side.)
fn skewed_interval(mean: f64, deviation: f64, lean: f64, n: u64) -> (f64, f64) {
    let q = t_quantile(n as usize - 1);
    let n = n as f64;
    let farther = lean * (2.0 * q * q + 1.0) / (6.0 * n);
    let half = q * deviation / n.sqrt();
    (
        mean - half + farther.min(0.0),
        mean + half + farther.max(0.0),
    )
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
    #[inline]
    pub fn of<T: PartialOrd + Copy>(
        payoffs: &[T],
        sides: &[PlayerSet],
        seat: usize,
    ) -> WinDrawLoss {
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
    /// Of so many wins, draws and losses.
    #[doc(hidden)]
    pub fn of_counts([wins, draws, losses]: [u64; 3]) -> Shares {
        let n = wins + draws + losses;
        Shares {
            wins: Share::of(wins, n),
            draws: Share::of(draws, n),
            losses: Share::of(losses, n),
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

    /// As a sample that is told value by value, in whatever order its parts are put together.
    #[test]
    fn moments_are_those_of_the_sample() {
        let values = [3, -2, 7, 7, 0, -11, 4];
        let mut all = Moments::default();
        values.iter().for_each(|&x| all.add(x));
        for split in 0..=values.len() {
            let (mut one, mut other) = (Moments::default(), Moments::default());
            values[..split].iter().for_each(|&x| one.add(x));
            values[split..].iter().for_each(|&x| other.add(x));
            other.merge(&one);
            assert_eq!(other, all);
        }
        let sample = values.map(|x| x as f64 / 4.0);
        let (found, expected) = (Mean::of_moments(&all, 4.0), Mean::of(&sample));
        assert_eq!((found.n, found.mean), (expected.n, expected.mean));
        close(found.deviation.unwrap(), expected.deviation.unwrap(), 1e-12);
        let counts = sample.iter().map(|&x| (x, 1));
        for bounds in [(-3.0, 3.0), (-100.0, 5.0)] {
            let found = Mean::of_moments_within(bounds, &all, 4.0).interval.unwrap();
            let expected = Mean::within(bounds, counts.clone()).interval.unwrap();
            close(found.0, expected.0, 1e-12);
            close(found.1, expected.1, 1e-12);
        }
        assert!(!all.few());
        let mut two = Moments::default();
        [-11, 7, 7].iter().for_each(|&x| two.add(x));
        assert!(two.few());
        let counts = [(-11.0, 1), (7.0, 2)];
        let found = Mean::of_moments_within((-20.0, 20.0), &two, 1.0);
        let expected = Mean::within((-20.0, 20.0), counts.into_iter());
        close(
            found.half_width().unwrap(),
            expected.half_width().unwrap(),
            1e-12,
        );
        assert_eq!(Mean::of_moments(&Moments::default(), 1.0), Mean::of(&[]));
    }

    /// Their powers take more than 128 bits, and what is left of them is small beside them.
    #[test]
    fn moments_of_large_values_are_exact() {
        let mut far = Moments::default();
        for x in [(1 << 60) - 1, 1 << 60, (1 << 60) + 1] {
            far.add(x);
        }
        assert_eq!((far.deviation(), far.lean()), (Some(1.0), 0.0));
        // As 0, 0 and 3: the central moments are 2 and 2.
        let mut skewed = Moments::default();
        for x in [1 << 60, 1 << 60, (1 << 60) + 3] {
            skewed.add(x);
        }
        close(skewed.lean(), 1.0, 1e-12);
        let mut large = Moments::default();
        for x in [-(1 << 69), 1 << 69] {
            large.add(x);
        }
        let expected = 2f64.powi(69) * 2f64.sqrt();
        assert!((large.deviation().unwrap() / expected - 1.0).abs() < 1e-12);
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
        let (low, high) = score_interval(0.8, 0.16, 10);
        close(low, 0.490_162, 1e-6);
        close(high, 0.943_318, 1e-6);
        // 7 wins, 2 draws, 1 loss: the variance is 0.11, the roots those of 13.841459 θ² − 19.841459 θ + 6.538766.
        let (low, high) = score_interval(0.8, 0.11, 10);
        for root in [low, high] {
            let value = 13.841_458_8 * root * root - 19.841_458_8 * root + 6.538_766_4;
            close(value, 0.0, 1e-5);
        }
        // Nothing but draws is no proof that there is nothing else.
        let (low, high) = score_interval(0.5, 0.0, 20);
        close(low, 0.419_4, 1e-4);
        close(high, 0.580_6, 1e-4);
        assert!(score_interval(1.0, 0.0, 10).0 < 0.75);
    }

    #[test]
    fn payoffs_stay_within_their_bounds() {
        // 19 wins and a draw, as payoffs from -1 to 1.
        let counts = [(1.0, 19), (0.0, 1)];
        let mean = Mean::within((-1.0, 1.0), counts.into_iter());
        close(mean.mean.unwrap(), 0.95, 1e-12);
        let (low, high) = mean.interval.unwrap();
        let (a, _) = score_interval(0.975, 0.25 * 0.05 * 0.95, 20);
        close(low, 2.0 * a - 1.0, 1e-12);
        let (_, b) = score_interval(0.95, 0.05 * 0.95, 20);
        close(high, b, 1e-12);
        assert!(low > 0.6 && low < 0.9 && high > 0.95 && high <= 1.0);
        // All games equal: at a bound and between them.
        let all = Mean::within((-1.0, 1.0), [(1.0, 20)].into_iter());
        let (low, high) = all.interval.unwrap();
        close(low, 1.0 - 2.0 * 0.161_125, 1e-5);
        close(high, 1.0, 1e-12);
        let (low, high) = Mean::within((-1.0, 1.0), [(0.0, 20)].into_iter())
            .interval
            .unwrap();
        assert!(low < -0.1 && high > 0.1);
        // Bounds that nothing comes near to do not count: as payoffs within 3 of the middle.
        let near = [(1.0, 10), (-3.0, 10)];
        let far = Mean::within((-100.0, 100.0), near.into_iter());
        assert_eq!(far, Mean::within((-3.0, 3.0), near.into_iter()));
        // Of three values they cut off what cannot be.
        let three = [(1.0, 3), (0.5, 1), (0.0, 1)];
        let (low, high) = Mean::within((-1.0, 1.0), three.into_iter())
            .interval
            .unwrap();
        assert!(low < 0.7 && high == 1.0, "{low} {high}");
        // What can be nothing else is known, and nothing is known of nothing.
        let sure = Mean::within((0.5, 0.5), [(0.5, 20)].into_iter());
        assert_eq!(sure.interval, Some((0.5, 0.5)));
        assert_eq!(Mean::within((0.0, 1.0), [].into_iter()).interval, None);
    }

    /// By hand: the mean is 2, and with q = 2.262157 of 9 degrees of freedom 2q² + 1 is 11.234708.
    #[test]
    fn an_interval_goes_to_the_longer_tail() {
        let counts = [(0.0, 2), (1.0, 3), (2.0, 1), (3.0, 2), (4.0, 1), (5.0, 1)];
        let mean = Mean::within((-100.0, 100.0), counts.into_iter());
        let (low, high) = mean.interval.unwrap();
        let deviation = mean.deviation.unwrap();
        let second = counts.map(|(x, n)| (x - 2.0) * (x - 2.0) * n as f64);
        let third = counts.map(|(x, n)| (x - 2.0).powi(3) * n as f64);
        let lean: f64 = third.iter().sum::<f64>() / second.iter().sum::<f64>();
        let half = 2.262_157 * deviation / 10f64.sqrt();
        close(low, 2.0 - half, 1e-6);
        close(high, 2.0 + half + lean * 11.234_708 / 60.0, 1e-6);
    }

    /// Of a thousand samples, so few intervals miss on either side, of payoffs that have a tail and are far from the middle of what
    /// the rules allow.
    #[test]
    fn intervals_miss_on_both_sides_alike() {
        use crate::random::stream;
        let values = [0.0, 1.0, 2.0, 3.0, 4.0, 6.0, 9.0, 14.0];
        let weights = [0.3, 0.2, 0.15, 0.12, 0.1, 0.08, 0.04, 0.01];
        let truth: f64 = std::iter::zip(values, weights).map(|(x, w)| x * w).sum();
        for (sign, bounds) in [(1.0, (0.0, 400.0)), (-1.0, (-14.0, 0.0))] {
            let mut rng = stream(5, &[]);
            let (mut below, mut above) = (0, 0);
            for _ in 0..1000 {
                let sample = (0..100).map(|_| {
                    let drawn = crate::search::mcts::policies::sample(
                        weights.into_iter(),
                        weights.iter().sum(),
                        &mut rng,
                    );
                    (sign * values[drawn], 1)
                });
                let sample: Vec<(f64, u64)> = sample.collect();
                let mean = Mean::within(bounds, sample.into_iter());
                let (low, high) = mean.interval.unwrap();
                below += i32::from(sign * truth < low);
                above += i32::from(sign * truth > high);
            }
            assert!(below <= 40 && above <= 40, "{below} below, {above} above");
            assert!(below + above >= 20, "{below} below, {above} above");
        }
    }

    /// A rare prize, where the rules allow far more.
    #[test]
    fn intervals_hold_the_mean_of_a_rare_prize() {
        use crate::random::stream;
        use rand::RngExt;
        for (number, (prize, odds, size)) in [(100.0, 20, 100), (38.0, 50, 100), (1.0, 2, 20)]
            .into_iter()
            .enumerate()
        {
            let mut rng = stream(7, &[number as u64]);
            let truth = prize / f64::from(odds);
            let (mut below, mut above) = (0, 0);
            for _ in 0..1000 {
                let won = (0..size).filter(|_| rng.random_range(0..odds) == 0);
                let won = won.count() as u64;
                let counts = [(prize, won), (0.0, size - won)];
                let mean = Mean::within((0.0, 1000.0), counts.into_iter());
                let (low, high) = mean.interval.unwrap();
                below += i32::from(truth < low);
                above += i32::from(truth > high);
            }
            assert!(
                below <= 60 && above <= 40,
                "{prize}: {below} below, {above} above"
            );
        }
    }

    /// Rare values on both sides, of which a sample often has one: that is no tail.
    #[test]
    fn intervals_hold_the_mean_where_rare_values_are_far_on_both_sides() {
        use crate::random::stream;
        let values = [-1.0, 0.0, 1.0];
        let weights = [0.01, 0.98, 0.01];
        let mut rng = stream(6, &[]);
        let mut missed = 0;
        for _ in 0..1000 {
            let mut counts = [0; 3];
            for _ in 0..400 {
                let drawn =
                    crate::search::mcts::policies::sample(weights.into_iter(), 1.0, &mut rng);
                counts[drawn] += 1;
            }
            let mean = Mean::within((-1.0, 1.0), std::iter::zip(values, counts));
            let (low, high) = mean.interval.unwrap();
            missed += i32::from(low > 0.0 || high < 0.0);
        }
        assert!(missed <= 60, "{missed}");
    }

    /// Of a thousand samples, so many intervals hold the true mean, also where rare values are far away, and where the bounds are.
    #[test]
    fn intervals_hold_the_mean_as_often_as_they_say() {
        use crate::random::stream;
        use rand::RngExt;
        let games: [&[(f64, f64)]; 6] = [
            &[(0.06, 0.25), (0.08, 0.25), (0.09, 0.25), (0.1, 0.25)],
            &[(0.0, 0.5), (1.0, 0.5)],
            &[(0.5, 0.96), (0.0, 0.02), (1.0, 0.02)],
            &[(0.0, 0.3), (0.5, 0.4), (1.0, 0.3)],
            &[(0.9, 0.97), (0.0, 0.03)],
            &[(1.0, 0.95), (0.0, 0.05)],
        ];
        for (number, game) in games.iter().enumerate() {
            let truth: f64 = game.iter().map(|(x, p)| x * p).sum();
            for size in [20, 100] {
                let mut rng = stream(3, &[number as u64, size]);
                let held = (0..1000).filter(|_| {
                    let values = (0..size).map(|_| {
                        let mut at = rng.random::<f64>();
                        let drawn = game.iter().find(|(_, p)| {
                            at -= p;
                            at < 0.0
                        });
                        (drawn.map_or(game[0].0, |(x, _)| *x), 1)
                    });
                    let values: Vec<(f64, u64)> = values.collect();
                    let mean = Mean::within((0.0, 1.0), values.into_iter());
                    let (low, high) = mean.interval.unwrap();
                    low <= truth && truth <= high
                });
                let held = held.count();
                assert!(held >= 910, "game {number}, {size} values: {held}");
            }
        }
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
