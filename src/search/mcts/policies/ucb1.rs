//! UCB1, the bandit by which `duct` selects (Auer, Cesa-Bianchi & Fischer 2002).

use super::argmax;
use crate::random::Stream;
use rand::RngExt;

/// An action without a visit first, at random among them; then the action with the greatest
///
/// > X̄(a) + C · √(ln n / n(a))
///
/// (Lanctot, Lisý & Winands 2013, eq. 2; Gelly et al. 2012, section 3.4), ties at random. `sums` are those of the payoffs that
/// the visits brought, `all` is n, `c` ≥ 0 is in units of payoff. There must be an action.
pub fn ucb1(visits: &[f64], sums: &[f64], all: u64, c: f64, rng: &mut Stream) -> usize {
    let new = visits.iter().filter(|&&n| n == 0.0).count();
    if new > 0 {
        let skip = rng.random_range(0..new as u64) as usize;
        let mut unvisited = (0..visits.len()).filter(|&a| visits[a] == 0.0);
        return unvisited.nth(skip).unwrap_or(0);
    }
    if visits.len() == 1 {
        return 0;
    }
    // `log` from libm gives the same bits on every platform, as `f64::ln` does not; `sqrt` is exact everywhere.
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
        let (visits, sums) = ([5.0, 0.0, 3.0, 0.0], [5.0, 0.0, 3.0, 0.0]);
        let mut rng = stream(1, &[]);
        let mut counts = [0; 4];
        for _ in 0..1000 {
            counts[ucb1(&visits, &sums, 8, 1.0, &mut rng)] += 1;
        }
        assert_eq!((counts[0], counts[2]), (0, 0));
        assert!((430..570).contains(&counts[1]), "{counts:?}");
    }

    #[test]
    fn exploration_decides_between_the_best_and_the_rarest() {
        let (visits, sums) = ([100.0, 2.0, 50.0], [60.0, 1.0, 31.0]);
        let mut rng = stream(1, &[]);
        assert_eq!(ucb1(&visits, &sums, 152, 0.0, &mut rng), 2);
        assert_eq!(ucb1(&visits, &sums, 152, 10.0, &mut rng), 1);
    }

    /// On two arms that pay 1 with probability 0.4 and 0.6, the worse one is pulled about as often as theory says, not
    /// more than a small multiple of 2·C²·ln n / Δ².
    #[test]
    fn the_better_arm_is_found() {
        let mut rng = stream(4, &[]);
        let (mut visits, mut sums) = ([0.0; 2], [0.0; 2]);
        let c = std::f64::consts::FRAC_1_SQRT_2;
        for done in 0..20_000 {
            let i = ucb1(&visits, &sums, done, c, &mut rng);
            let win = rng.random_range(0..10) < [4, 6][i];
            visits[i] += 1.0;
            sums[i] += f64::from(u8::from(win));
        }
        assert!((50.0..1000.0).contains(&visits[0]), "{visits:?}");
    }
}
