//! Selection policies: which arm to pull next.

use super::result::argmax;
use super::tree::Arm;
use crate::random::Stream;
use rand::RngExt;

/// UCB1: an arm without a visit first, at random among them; then the arm with the greatest
///
/// > X̄(a) + C · √(ln n / n(a))
///
/// (Lanctot, Lisý & Winands 2013, eq. 2; Gelly et al. 2012, section 3.4), ties at random. `n` is the number of visits of
/// all arms together, `tried` the number of arms with a visit, `c` ≥ 0 is in units of payoff. `arms` must not be empty.
pub fn ucb1(arms: &[Arm], n: u64, tried: usize, c: f64, rng: &mut Stream) -> usize {
    let new = arms.len() - tried;
    if new > 0 {
        let skip = if new == 1 {
            0
        } else {
            rng.random_range(0..new as u64) as usize
        };
        let mut unvisited = (0..arms.len()).filter(|&i| arms[i].visits == 0);
        return unvisited.nth(skip).unwrap_or(0);
    }
    if arms.len() == 1 {
        return 0;
    }
    // `log` from libm gives the same bits on every platform, as `f64::ln` does not; `sqrt` is exact everywhere.
    let ln = libm::log(n.max(1) as f64);
    argmax(
        arms.iter().map(|arm| {
            let visits = arm.visits as f64;
            arm.sum / visits + c * (ln / visits).sqrt()
        }),
        rng,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;

    fn arms(list: &[(u64, f64)]) -> Vec<Arm> {
        list.iter()
            .map(|&(visits, sum)| Arm {
                visits,
                sum,
                child: 0,
            })
            .collect()
    }

    #[test]
    fn unvisited_arms_come_first_and_evenly() {
        let arms = arms(&[(5, 5.0), (0, 0.0), (3, 3.0), (0, 0.0)]);
        let mut rng = stream(1, &[]);
        let mut counts = [0; 4];
        for _ in 0..1000 {
            counts[ucb1(&arms, 8, 2, 1.0, &mut rng)] += 1;
        }
        assert_eq!((counts[0], counts[2]), (0, 0));
        assert!((430..570).contains(&counts[1]), "{counts:?}");
    }

    #[test]
    fn without_exploration_the_best_mean_wins() {
        let arms = arms(&[(100, 60.0), (2, 1.0), (50, 31.0)]);
        assert_eq!(ucb1(&arms, 152, 3, 0.0, &mut stream(1, &[])), 2);
    }

    #[test]
    fn with_much_exploration_the_rarest_wins() {
        let arms = arms(&[(100, 60.0), (2, 1.0), (50, 31.0)]);
        assert_eq!(ucb1(&arms, 152, 3, 10.0, &mut stream(1, &[])), 1);
    }

    /// On two arms that pay 1 with probability 0.4 and 0.6, the worse one is pulled about as often as theory says, not
    /// more than a small multiple of 2·C²·ln n / Δ².
    #[test]
    fn the_better_arm_is_found() {
        let mut rng = stream(4, &[]);
        let mut arms = arms(&[(0, 0.0), (0, 0.0)]);
        let n = 20_000;
        for done in 0..n {
            let tried = arms.iter().filter(|a| a.visits > 0).count();
            let i = ucb1(
                &arms,
                done,
                tried,
                std::f64::consts::FRAC_1_SQRT_2,
                &mut rng,
            );
            let win = rng.random_range(0..10) < [4, 6][i];
            arms[i].visits += 1;
            arms[i].sum += f64::from(u8::from(win));
        }
        assert!((50..1000).contains(&arms[0].visits), "{}", arms[0].visits);
    }
}
