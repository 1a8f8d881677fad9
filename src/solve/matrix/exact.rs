//! The linear program of a matrix game in rational arithmetic, by the same condensed tableau as `simplex` and Bland's rule
//! throughout. Slow, and never wrong.

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One, Signed, ToPrimitive, Zero};

/// Optimal strategies of both players, rounded to floating point at the very end. `None` where an entry is not finite.
pub(super) fn solve(matrix: &[f64], n: usize) -> Option<(Vec<f64>, Vec<f64>)> {
    let entries: Option<Vec<BigRational>> =
        matrix.iter().map(|&a| BigRational::from_float(a)).collect();
    let entries = entries?;
    let least = entries.iter().min()?.clone();
    let m = entries.len() / n;
    // With every entry at least 1 the value is positive, and the origin is feasible.
    let mut rows: Vec<Vec<BigRational>> = entries
        .chunks_exact(n)
        .map(|row| {
            let shifted = row.iter().map(|a| a - &least + BigInt::one());
            shifted.chain([BigRational::one()]).collect()
        })
        .collect();
    let costs = std::iter::repeat_n(-BigRational::one(), n);
    rows.push(costs.chain([BigRational::zero()]).collect());
    let mut basic: Vec<usize> = (n..n + m).collect();
    let mut free: Vec<usize> = (0..n).collect();
    loop {
        let improving = (0..n).filter(|&j| rows[m][j].is_negative());
        let Some(q) = improving.min_by_key(|&j| free[j]) else {
            break;
        };
        let mut best: Option<(usize, BigRational)> = None;
        for i in (0..m).filter(|&i| rows[i][q].is_positive()) {
            let ratio = &rows[i][n] / &rows[i][q];
            let better = best.as_ref().is_none_or(|(at, least)| {
                ratio < *least || ratio == *least && basic[i] < basic[*at]
            });
            if better {
                best = Some((i, ratio));
            }
        }
        // Every column of the constraints has a positive entry, so the program is bounded.
        let (p, _) = best?;
        pivot(&mut rows, p, q);
        std::mem::swap(&mut basic[p], &mut free[q]);
    }
    let mut y = vec![BigRational::zero(); n];
    for (i, &variable) in basic.iter().enumerate().filter(|(_, v)| **v < n) {
        y[variable] = rows[i][n].clone();
    }
    let mut x = vec![BigRational::zero(); m];
    for (j, &variable) in free.iter().enumerate().filter(|(_, v)| **v >= n) {
        x[variable - n] = rows[m][j].clone();
    }
    Some((rounded(&x)?, rounded(&y)?))
}

fn pivot(rows: &mut [Vec<BigRational>], p: usize, q: usize) {
    let inverse = rows[p][q].recip();
    for a in &mut rows[p] {
        *a *= &inverse;
    }
    rows[p][q] = inverse;
    let pivot_row = rows[p].clone();
    for (i, row) in rows.iter_mut().enumerate() {
        if i == p || row[q].is_zero() {
            continue;
        }
        let factor = std::mem::replace(&mut row[q], BigRational::zero());
        for (a, b) in std::iter::zip(row, &pivot_row) {
            *a -= &factor * b;
        }
    }
}

fn rounded(strategy: &[BigRational]) -> Option<Vec<f64>> {
    let sum: BigRational = strategy.iter().sum();
    if sum.is_zero() {
        return None;
    }
    strategy.iter().map(|p| (p / &sum).to_f64()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strategies_are_exact_up_to_the_last_rounding() {
        let (x, y) = solve(&[3., -1., 4., -2., 5., 6.], 3).unwrap();
        assert_eq!(x, [7.0 / 11.0, 4.0 / 11.0]);
        assert_eq!(y, [6.0 / 11.0, 5.0 / 11.0, 0.0]);
        // Columns that differ by less than the precision of floating point in a sum.
        let (x, _) = solve(&[1e16, 0., 0., 1e-16], 2).unwrap();
        assert!(x[0] > 0.0 && x[0] < 1e-31 && x[1] == 1.0);
        assert!(solve(&[f64::NAN, 0.0], 2).is_none());
    }

    #[test]
    fn degenerate_games_come_to_an_end() {
        let (x, _) = solve(&[0.0; 25], 5).unwrap();
        assert_eq!(x.iter().sum::<f64>(), 1.0);
    }
}
