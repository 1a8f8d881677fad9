//! UCB1, the bandit by which `duct` selects (Auer, Cesa-Bianchi & Fischer 2002): an action without a visit first, and then
//! the best one.

use super::{any, argmax};
use crate::random::Stream;
use std::sync::LazyLock;

/// An action without a visit, at random among them; `None` where there is none.
#[inline]
pub fn unvisited(roots: &[f64], rng: &mut Stream) -> Option<usize> {
    any(roots.iter().map(|&s| s == 0.0), rng)
}

/// Of actions that all have a visit the one with the greatest
///
/// > X̄(a) + C · √(ln n / n(a))
///
/// (Lanctot, Lisý & Winands 2013, eq. 2; Gelly et al. 2012, section 3.4), ties at random. Visits are kept as `roots`
/// ([`visited`]), so that nothing is divided here: with s = 1/√n(a) and the sum X of the payoffs that the visits brought the
/// value is s · (s · X + C · √ln n). Rounding may part equal means of unequal visits, which are ties with C = 0 alone. `all`
/// is n, the visits of all actions together, `c` ≥ 0 is in units of payoff. There must be an action.
#[inline]
pub fn best(roots: &[f64], sums: &[f64], all: u64, c: f64, rng: &mut Stream) -> usize {
    let bonus = c * root_of_ln(all);
    let values = std::iter::zip(roots, sums).map(|(s, x)| s * (s * x + bonus));
    argmax(values, rng)
}

/// X̄(a) + C · √(ln n / n(a)), of the `visits` of an action, the `sum` of what they brought, and ln n: the same where visits
/// are kept as they are.
#[inline]
pub fn bound(sum: f64, visits: f64, ln: f64, c: f64) -> f64 {
    sum / visits + c * (ln / visits).sqrt()
}

/// ln n; 0 for n = 0.
#[inline]
pub fn ln(n: f64) -> f64 {
    let known = TABLES.ln.get(n as usize).copied();
    // What is no whole number is not in the table.
    let known = known.filter(|_| n.fract() == 0.0);
    known.unwrap_or_else(|| libm::log(n.max(1.0)))
}

/// 1/√n after another visit to an action, from 1/√(n − 1); 0 stands for no visit.
#[inline]
pub fn visited(root: f64) -> f64 {
    let n = visits(root) + 1;
    let known = TABLES.inverse_root.get(n as usize).copied();
    known.unwrap_or_else(|| 1.0 / (n as f64).sqrt())
}

/// The visits of which this is 1/√n. Exact for fewer than 10¹⁴.
#[inline]
pub fn visits(root: f64) -> i64 {
    match root {
        0.0 => 0,
        _ => (1.0 / (root * root) + 0.5) as i64,
    }
}

/// What is needed of small numbers.
struct Tables {
    ln: Vec<f64>,
    root_of_ln: Vec<f64>,
    inverse_root: Vec<f64>,
}

/// How many numbers are small.
const SMALL: u64 = 1 << 12;

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    // `log` from libm gives the same bits on every platform, as `f64::ln` does not.
    let ln: Vec<f64> = (0..SMALL).map(|n| libm::log(n.max(1) as f64)).collect();
    Tables {
        root_of_ln: ln.iter().map(|ln| ln.sqrt()).collect(),
        inverse_root: (0..SMALL).map(|n| 1.0 / (n as f64).sqrt()).collect(),
        ln,
    }
});

/// √ln n; 0 for n = 0.
#[inline]
fn root_of_ln(n: u64) -> f64 {
    let known = TABLES.root_of_ln.get(n as usize).copied();
    known.unwrap_or_else(|| ln_of_large(n).sqrt())
}

/// ln n to 1 part in 10¹⁵, of a number that is not small.
#[cold]
fn ln_of_large(n: u64) -> f64 {
    // n = m · 2ᵏ · (1 + r) with m in the upper half of the table and r < 2⁻¹¹.
    let k = n.ilog2() - (SMALL.ilog2() - 1);
    let m = n >> k;
    let r = (n - (m << k)) as f64 / (m << k) as f64;
    let rest = r * (1.0 - r * (1.0 / 2.0 - r * (1.0 / 3.0 - r * (1.0 / 4.0 - r / 5.0))));
    TABLES.ln[m as usize] + (f64::from(k) * std::f64::consts::LN_2 + rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;
    use rand::RngExt;

    /// How so many visits are kept.
    fn kept<const N: usize>(visits: [u64; N]) -> [f64; N] {
        visits.map(|n| (0..n).fold(0.0, |root, _| visited(root)))
    }

    /// Which action is chosen.
    fn ucb1(roots: &[f64], sums: &[f64], all: u64, c: f64, rng: &mut Stream) -> usize {
        unvisited(roots, rng).unwrap_or_else(|| best(roots, sums, all, c, rng))
    }

    #[test]
    fn unvisited_actions_come_first_and_evenly() {
        let (roots, sums) = (kept([5, 0, 3, 0]), [5.0, 0.0, 3.0, 0.0]);
        let mut rng = stream(1, &[]);
        let mut counts = [0; 4];
        for _ in 0..1000 {
            counts[ucb1(&roots, &sums, 8, 1.0, &mut rng)] += 1;
        }
        assert_eq!((counts[0], counts[2]), (0, 0));
        assert!((430..570).contains(&counts[1]), "{counts:?}");
    }

    /// 0.6 + 0.5 · √(ln 15 / 10), and the value that the bandit gives it.
    #[test]
    fn bounds_are_those_of_the_formula() {
        assert!((bound(6.0, 10.0, libm::log(15.0), 0.5) - 0.860_195).abs() < 1e-6);
        let [s, _] = kept([10, 5]);
        let value = s * (s * 6.0 + 0.5 * root_of_ln(15));
        assert!((value - bound(6.0, 10.0, libm::log(15.0), 0.5)).abs() < 1e-12);
    }

    #[test]
    fn exploration_decides_between_the_best_and_the_rarest() {
        let (roots, sums) = (kept([100, 2, 50]), [60.0, 1.0, 31.0]);
        let mut rng = stream(1, &[]);
        assert_eq!(ucb1(&roots, &sums, 152, 0.0, &mut rng), 2);
        assert_eq!(ucb1(&roots, &sums, 152, 10.0, &mut rng), 1);
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
            let (mut roots, mut sums) = ([0.0; 2], [0.0; 2]);
            for done in 0..20_000 {
                let i = ucb1(&roots, &sums, done, c, &mut rng);
                let win = rng.random_range(0..10) < [4, 6][i];
                roots[i] = visited(roots[i]);
                sums[i] += f64::from(u8::from(win));
            }
            worse += visits(roots[0]) as f64;
        }
        let mean = worse / RUNS as f64;
        assert!((62.0..248.0).contains(&mean), "{mean}");
    }

    /// Every number of visits has one root, and the other way round.
    #[test]
    fn roots_stand_for_visits() {
        let mut root = 0.0;
        for n in 0..10_000 {
            assert_eq!(visits(root), n);
            root = visited(root);
        }
        for n in [1 << 20, (1 << 32) + 1, 99_999_999_999_999] {
            let root = visited(1.0 / ((n - 1) as f64).sqrt());
            assert_eq!((visits(root), root), (n, 1.0 / (n as f64).sqrt()), "{n}");
        }
    }

    #[test]
    fn logarithms_are_those_of_the_library() {
        for n in [0.0, 1.0, 2.0, 2.5, 4095.0, 4096.0, 1e9] {
            assert_eq!(ln(n), libm::log(f64::max(n, 1.0)), "{n}");
        }
    }

    #[test]
    fn roots_of_logarithms_go_on_beyond_the_table() {
        assert_eq!((root_of_ln(0), root_of_ln(1)), (0.0, 0.0));
        for n in [
            2,
            SMALL - 1,
            SMALL,
            SMALL + 1,
            6_143,
            123_456_789,
            1 << 40,
            u64::MAX,
        ] {
            let expected = libm::log(n as f64).sqrt();
            let found = root_of_ln(n);
            assert!(
                (found / expected - 1.0).abs() < 1e-15,
                "{n}: {found}, {expected}"
            );
        }
    }
}
