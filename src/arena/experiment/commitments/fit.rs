//! The fit of section 4.6 of Karwowski & Mańdziuk 2019: seconds as a^x + b·x², by least squares with a and b no less than 0.

/// The greatest base that is tried.
const MOST: f64 = 100.0;
/// So many bases are tried in each of so many rounds, each round about the best of the one before.
const TRIED: usize = 200;
const ROUNDS: usize = 8;

/// a and b; `None` of fewer than two points.
pub fn fit(points: &[(f64, f64)]) -> Option<[f64; 2]> {
    if points.len() < 2 {
        return None;
    }
    let (mut low, mut high) = (0.0, MOST);
    let mut best = (f64::INFINITY, [0.0, 0.0]);
    for _ in 0..ROUNDS {
        let step = (high - low) / TRIED as f64;
        for place in 0..=TRIED {
            let a = low + step * place as f64;
            let b = square_part(points, a);
            let off = points.iter().map(|(x, y)| {
                let off = libm::pow(a, *x) + b * x * x - y;
                off * off
            });
            let off: f64 = off.sum();
            if off < best.0 {
                best = (off, [a, b]);
            }
        }
        (low, high) = ((best.1[0] - step).max(0.0), best.1[0] + step);
    }
    Some(best.1)
}

/// The best b beside an a.
fn square_part(points: &[(f64, f64)], a: f64) -> f64 {
    let (mut sum, mut weight) = (0.0, 0.0);
    for (x, y) in points {
        sum += (y - libm::pow(a, *x)) * x * x;
        weight += x * x * x * x;
    }
    (sum / weight).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::fit;

    #[test]
    fn what_is_such_a_sum_is_found_again() {
        let points: Vec<(f64, f64)> = (3..10)
            .map(f64::from)
            .map(|x| (x, 1.7_f64.powf(x) + 2.5 * x * x))
            .collect();
        let [a, b] = fit(&points).unwrap();
        assert!((a - 1.7).abs() < 1e-4 && (b - 2.5).abs() < 1e-3, "{a} {b}");
        assert_eq!(fit(&points[..1]), None);
    }

    /// The means of Table 5 of the paper, of which SciPy's `curve_fit` makes the same. The paper prints 2.92 and 68.929.
    #[test]
    fn the_times_of_the_paper_are_fitted() {
        let seconds = [453.0, 955.0, 2240.0, 2908.0, 5233.0, 10360.0, 20827.0];
        let points: Vec<(f64, f64)> = (3..10).map(f64::from).zip(seconds).collect();
        let [a, b] = fit(&points).unwrap();
        assert!(
            (a - 2.91083).abs() < 1e-4 && (b - 73.5333).abs() < 1e-3,
            "{a} {b}"
        );
    }
}
