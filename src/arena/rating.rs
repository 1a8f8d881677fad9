//! Ratings of players who met each other, by the model of Bradley & Terry (1952) on the scale of Elo: of two players, the one
//! who stands d points higher takes the share 1 / (1 + 10^(−d/400)) of the wins.
//!
//! The ratings are those under which the games are most likely; a shared win counts as part of one. Each player is given two
//! games more, one won and one lost, against somebody who stands at the mean, so that whoever won every game is rated too.

/// Points in a natural unit of the logistic function: 400 / ln 10.
const POINTS: f64 = 173.717_792_761_248;
/// The 97.5 % quantile of the standard normal distribution.
const Z: f64 = 1.959_963_984_540_054;
/// Newton's method takes some ten steps; no step is longer than a unit, so that it cannot leap.
const STEPS: usize = 1000;

/// What two players made of their games.
#[derive(Copy, Clone, Debug)]
pub struct Meeting {
    /// Places in the list of players, not equal.
    pub players: [usize; 2],
    /// How many games they played.
    pub games: f64,
    /// The sum of the first player's shares of wins, 0 to `games`.
    pub won: f64,
}

/// A rating in points, 0 in the mean of all players.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Rating {
    pub points: f64,
    /// Half the 95 % interval, from the curvature of the likelihood. Where many wins are shared it is rather too wide.
    pub error: f64,
}

/// The ratings of `players` players.
pub fn ratings(players: usize, meetings: &[Meeting]) -> Vec<Rating> {
    let mut strengths = vec![0.0; players];
    let mut inverse = vec![vec![0.0; players]; players];
    for _ in 0..STEPS {
        let (slope, curvature) = likelihood(&strengths, meetings);
        inverse = inverted(curvature);
        let steps = inverse.iter().map(|row| dot(row, &slope));
        let steps: Vec<f64> = steps.collect();
        let longest = steps.iter().fold(0.0f64, |a, s| a.max(s.abs()));
        for (strength, step) in std::iter::zip(&mut strengths, &steps) {
            *strength += step / longest.max(1.0);
        }
        if longest < 1e-12 {
            break;
        }
    }
    let n = players as f64;
    let mean = strengths.iter().sum::<f64>() / n;
    // How far one stands from the mean of all: what is common to all says nothing.
    let columns: Vec<f64> = inverse.iter().map(|row| row.iter().sum::<f64>()).collect();
    let common = columns.iter().sum::<f64>() / (n * n);
    let rated = strengths.iter().enumerate().map(|(i, strength)| {
        let variance = inverse[i][i] - 2.0 * columns[i] / n + common;
        Rating {
            points: (strength - mean) * POINTS,
            error: Z * variance.max(0.0).sqrt() * POINTS,
        }
    });
    rated.collect()
}

/// The slope of the logarithm of the likelihood, and its curvature with the other sign, which is positive definite.
fn likelihood(strengths: &[f64], meetings: &[Meeting]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let players = strengths.len();
    let mut slope = vec![0.0; players];
    let mut curvature = vec![vec![0.0; players]; players];
    for (i, &strength) in strengths.iter().enumerate() {
        let share = expected(strength);
        slope[i] += 1.0 - 2.0 * share;
        curvature[i][i] += 2.0 * share * (1.0 - share);
    }
    for meeting in meetings {
        let [a, b] = meeting.players;
        let share = expected(strengths[a] - strengths[b]);
        let more = meeting.won - meeting.games * share;
        let weight = meeting.games * share * (1.0 - share);
        slope[a] += more;
        slope[b] -= more;
        curvature[a][a] += weight;
        curvature[b][b] += weight;
        curvature[a][b] -= weight;
        curvature[b][a] -= weight;
    }
    (slope, curvature)
}

fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-difference))
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    std::iter::zip(a, b).map(|(a, b)| a * b).sum()
}

/// The inverse of a positive definite matrix, by elimination; that needs no pivots.
fn inverted(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let n = matrix.len();
    for (i, row) in matrix.iter_mut().enumerate() {
        row.extend((0..n).map(|j| f64::from(u8::from(i == j))));
    }
    for i in 0..n {
        let pivot = matrix[i][i];
        matrix[i].iter_mut().for_each(|x| *x /= pivot);
        let row = matrix[i].clone();
        for (j, other) in matrix.iter_mut().enumerate() {
            if i != j {
                let factor = other[i];
                for (x, y) in std::iter::zip(other, &row) {
                    *x -= factor * y;
                }
            }
        }
    }
    matrix.iter_mut().map(|row| row.split_off(n)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meeting(a: usize, b: usize, games: f64, won: f64) -> Meeting {
        Meeting {
            players: [a, b],
            games,
            won,
        }
    }

    /// 76 % of the wins are 200 points (Elo's table: 0.76), and 91 % are 400 points (10 : 1).
    #[test]
    fn shares_are_differences_of_points() {
        for (share, points) in [(0.5, 0.0), (0.759_747, 200.0), (10.0 / 11.0, 400.0)] {
            let games = 1e7;
            let found = ratings(2, &[meeting(0, 1, games, games * share)]);
            let difference = found[0].points - found[1].points;
            assert!((difference - points).abs() < 0.01, "{difference}");
            assert!((found[0].points + found[1].points).abs() < 1e-6);
        }
    }

    /// Of two players, half the difference stands on each side; the variance of a logit is 1 / (n p (1 − p)).
    #[test]
    fn the_error_is_that_of_a_logit() {
        let found = ratings(2, &[meeting(0, 1, 1e6, 2.5e5)]);
        let logit = Z * POINTS / f64::sqrt(1e6 * 0.25 * 0.75);
        assert!((found[0].error - logit / 2.0).abs() < 1e-3, "{found:?}");
    }

    /// Three players whose games were made by known strengths are found again, whoever met whom how often.
    #[test]
    fn strengths_are_found_again() {
        let strengths = [0.9, 0.0, -0.9];
        let meetings = [(0, 1, 5e7), (1, 2, 2e7), (0, 2, 1e7)];
        let meetings =
            meetings.map(|(a, b, n)| meeting(a, b, n, n * expected(strengths[a] - strengths[b])));
        for (found, strength) in std::iter::zip(ratings(3, &meetings), strengths) {
            assert!((found.points - strength * POINTS).abs() < 0.01, "{found:?}");
        }
    }

    #[test]
    fn who_won_all_or_met_nobody_is_rated() {
        let found = ratings(3, &[meeting(0, 1, 400.0, 400.0)]);
        assert!(found.iter().all(|r| r.points.is_finite() && r.error > 0.0));
        assert!(found[0].points > 400.0 && found[1].points < -400.0);
        assert!(found[2].points.abs() < 1.0 && found[2].error > found[0].error);
        assert!(ratings(0, &[]).is_empty());
        assert!(ratings(1, &[])[0].points.abs() < 1e-9);
    }
}
