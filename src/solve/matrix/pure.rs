//! Saddle points in pure strategies.

/// The first row and column at a saddle point: the greatest of the rows' least entries, where it is also the least of the
/// columns' greatest. `None` where there is no such place.
pub(super) fn saddle(matrix: &[f64], columns: usize) -> Option<(usize, usize)> {
    let (mut row, mut maximin) = (0, f64::NEG_INFINITY);
    for (i, entries) in matrix.chunks_exact(columns).enumerate() {
        let least = entries.iter().fold(f64::INFINITY, |m, &a| m.min(a));
        if least > maximin {
            (row, maximin) = (i, least);
        }
    }
    for column in 0..columns {
        let entries = matrix[column..].iter().step_by(columns);
        if entries.fold(f64::NEG_INFINITY, |m, &a| m.max(a)) <= maximin {
            return Some((row, column));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::saddle;

    #[test]
    fn a_saddle_point_is_found_where_there_is_one() {
        assert_eq!(saddle(&[5.0], 1), Some((0, 0)));
        assert_eq!(saddle(&[1., 2., 0., 3.], 2), Some((0, 0)));
        assert_eq!(saddle(&[2., 2., 2., 2.], 2), Some((0, 0)));
        assert_eq!(saddle(&[1., -1., -1., 1.], 2), None);
        assert_eq!(saddle(&[0., 9., 3., 4., 2., 8.], 2), Some((1, 0)));
    }
}
