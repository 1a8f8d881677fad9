//! UCB1, the bandit by which `duct` selects (Auer, Cesa-Bianchi & Fischer 2002).

use super::argmax;
use crate::random::Stream;
use rand::RngExt;
use smallvec::SmallVec;
use std::sync::LazyLock;

/// An action without a visit first, at random among them; then the action with the greatest
///
/// > X̄(a) + C · √(ln n / n(a))
///
/// (Lanctot, Lisý & Winands 2013, eq. 2; Gelly et al. 2012, section 3.4), ties at random. `sums` are those of the payoffs that
/// the visits brought, `ln` is ln n of all visits together, `c` ≥ 0 is in units of payoff. There must be an action.
#[inline]
pub fn ucb1(visits: &[f64], sums: &[f64], ln: f64, c: f64, rng: &mut Stream) -> usize {
    let new = visits.iter().filter(|&&n| n == 0.0).count();
    if new > 0 {
        let skip = rng.random_range(0..new as u64) as usize;
        let mut unvisited = (0..visits.len()).filter(|&a| visits[a] == 0.0);
        return unvisited.nth(skip).unwrap_or(0);
    }
    if visits.len() == 1 {
        return 0;
    }
    // Divisions and roots of several actions at once.
    let fill = |values: &mut [f64]| {
        for ((value, &n), &x) in values.iter_mut().zip(visits).zip(sums) {
            *value = x / n + c * (ln / n).sqrt();
        }
    };
    let mut few = [0.0; FEW];
    if let Some(values) = few.get_mut(..visits.len()) {
        fill(values);
        return argmax(values.iter().copied(), rng);
    }
    let mut values: SmallVec<[f64; 128]> = SmallVec::from_elem(0.0, visits.len());
    fill(&mut values);
    argmax(values.iter().copied(), rng)
}

/// So many values need no list.
const FEW: usize = 16;

/// Small numbers have theirs in a table.
const KEPT: u64 = 1 << 12;

/// ln n; 0 for n = 0. `log` from libm gives the same bits on every platform, as `f64::ln` does not.
#[inline]
pub fn ln(n: u64) -> f64 {
    static TABLE: LazyLock<Vec<f64>> =
        LazyLock::new(|| (0..KEPT).map(|n| libm::log(n.max(1) as f64)).collect());
    match TABLE.get(n as usize) {
        Some(ln) => *ln,
        None => libm::log(n as f64),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;

    #[test]
    fn unvisited_actions_come_first_and_evenly() {
        let (visits, sums) = ([5.0, 0.0, 3.0, 0.0], [5.0, 0.0, 3.0, 0.0]);
        let mut rng = stream(1, &[]);
        let mut counts = [0; 4];
        for _ in 0..1000 {
            counts[ucb1(&visits, &sums, libm::log(8.0), 1.0, &mut rng)] += 1;
        }
        assert_eq!((counts[0], counts[2]), (0, 0));
        assert!((430..570).contains(&counts[1]), "{counts:?}");
    }

    #[test]
    fn exploration_decides_between_the_best_and_the_rarest() {
        let (visits, sums) = ([100.0, 2.0, 50.0], [60.0, 1.0, 31.0]);
        let mut rng = stream(1, &[]);
        let ln = libm::log(152.0);
        assert_eq!(ucb1(&visits, &sums, ln, 0.0, &mut rng), 2);
        assert_eq!(ucb1(&visits, &sums, ln, 10.0, &mut rng), 1);
    }

    /// On two arms that pay 1 with probability 0.4 and 0.6, the worse one is pulled about C²·ln n / Δ² = 124 times, in the
    /// mean over many runs.
    #[test]
    fn the_better_arm_is_found() {
        const RUNS: u64 = 30;
        let c = std::f64::consts::FRAC_1_SQRT_2;
        let mut worse = 0.0;
        for run in 0..RUNS {
            let mut rng = stream(4, &[run]);
            let (mut visits, mut sums) = ([0.0; 2], [0.0; 2]);
            for done in 0..20_000 {
                let i = ucb1(&visits, &sums, ln(done), c, &mut rng);
                let win = rng.random_range(0..10) < [4, 6][i];
                visits[i] += 1.0;
                sums[i] += f64::from(u8::from(win));
            }
            worse += visits[0];
        }
        let mean = worse / RUNS as f64;
        assert!((62.0..248.0).contains(&mean), "{mean}");
    }

    #[test]
    fn logarithms_of_a_table_are_those_of_all_numbers() {
        for n in [3, 1, 0, KEPT - 1, KEPT, 1 << 40, 100] {
            let expected = libm::log(n.max(1) as f64);
            assert_eq!(ln(n).to_bits(), expected.to_bits(), "{n}");
        }
    }
}
