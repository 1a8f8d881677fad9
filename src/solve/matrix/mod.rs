//! Matrix games: the value, and an optimal mixed strategy of each player.
//!
//! A matrix holds what the row player gets and the column player loses. A pure saddle point is looked for first, then the
//! linear program is solved by a dense simplex (`simplex`). Whatever was found is checked: both strategies are played
//! against every pure answer, and the gap between what they guarantee bounds the error of the value. Where it is too wide
//! for floating point, exact rational arithmetic decides (`exact`).

mod exact;
mod pure;
mod simplex;

use simplex::Simplex;

/// The gap between the guarantees of both strategies that is accepted, in units of the greatest absolute entry.
pub const TOLERANCE: f64 = 1e-11;

/// What a pair of strategies guarantees, in units of the matrix.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Guarantee {
    /// The least that the row player gets on average with its strategy.
    pub lower: f64,
    /// The most that it gets against the strategy of the column player.
    pub upper: f64,
}

impl Guarantee {
    /// The value of the game, up to half of [`Guarantee::gap`].
    pub fn value(&self) -> f64 {
        self.lower + (self.upper - self.lower) / 2.0
    }

    /// How far the guarantees are apart; rounding can make it less than 0.
    pub fn gap(&self) -> f64 {
        self.upper - self.lower
    }
}

/// Solves one matrix game after another in the same memory.
#[derive(Debug, Default)]
pub struct MatrixSolver {
    simplex: Simplex,
    x: Vec<f64>,
    y: Vec<f64>,
    exact: u64,
}

impl MatrixSolver {
    /// Solves the game with this matrix, row by row; there is at least one row and one column, and every entry is finite.
    pub fn solve(&mut self, matrix: &[f64], columns: usize) -> Guarantee {
        let columns = columns.max(1);
        let rows = matrix.len() / columns;
        self.x.clear();
        self.x.resize(rows, 0.0);
        self.y.clear();
        self.y.resize(columns, 0.0);
        if let Some((row, column)) = pure::saddle(matrix, columns) {
            self.x[row] = 1.0;
            self.y[column] = 1.0;
            let value = matrix[row * columns + column];
            return Guarantee {
                lower: value,
                upper: value,
            };
        }
        let scale = matrix.iter().fold(0.0f64, |m, a| m.max(a.abs()));
        self.simplex
            .solve(matrix, columns, &mut self.x, &mut self.y);
        let found = guarantee(matrix, columns, &self.x, &self.y);
        // Not `>`: strategies that are no numbers fail here too.
        if found.gap() <= TOLERANCE * scale {
            return found;
        }
        self.exact += 1;
        match exact::solve(matrix, columns) {
            Some((x, y)) => {
                (self.x, self.y) = (x, y);
                guarantee(matrix, columns, &self.x, &self.y)
            }
            None => found,
        }
    }

    /// The row player's strategy in the game that was solved last: a probability for each row.
    pub fn row_strategy(&self) -> &[f64] {
        &self.x
    }

    /// The column player's.
    pub fn column_strategy(&self) -> &[f64] {
        &self.y
    }

    /// How many games so far needed exact arithmetic.
    pub fn exact_solutions(&self) -> u64 {
        self.exact
    }
}

/// What a strategy of each player guarantees.
pub fn guarantee(matrix: &[f64], columns: usize, x: &[f64], y: &[f64]) -> Guarantee {
    let mut upper = f64::NEG_INFINITY;
    for row in matrix.chunks_exact(columns) {
        let mean: f64 = std::iter::zip(row, y).map(|(a, y)| a * y).sum();
        upper = if mean.is_nan() { mean } else { upper.max(mean) };
    }
    let mut lower = f64::INFINITY;
    for column in 0..columns {
        let mean: f64 = matrix[column..]
            .iter()
            .step_by(columns)
            .zip(x)
            .map(|(a, x)| a * x)
            .sum();
        lower = if mean.is_nan() { mean } else { lower.min(mean) };
    }
    Guarantee { lower, upper }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;

    fn solve(matrix: &[f64], columns: usize) -> (Guarantee, Vec<f64>, Vec<f64>) {
        let mut solver = MatrixSolver::default();
        let found = solver.solve(matrix, columns);
        let (x, y) = (solver.row_strategy(), solver.column_strategy());
        (found, x.to_vec(), y.to_vec())
    }

    #[test]
    fn games_with_known_solutions() {
        // Rock, paper, scissors.
        let (found, x, y) = solve(&[0., -1., 1., 1., 0., -1., -1., 1., 0.], 3);
        assert!(found.value().abs() < 1e-15);
        for p in x.iter().chain(&y) {
            assert!((p - 1.0 / 3.0).abs() < 1e-15);
        }
        // Mixed, 2 by 3; the last column is never played.
        let (found, x, y) = solve(&[3., -1., 4., -2., 5., 6.], 3);
        assert!((found.value() - 13.0 / 11.0).abs() < 1e-14);
        assert!((x[0] - 7.0 / 11.0).abs() < 1e-14);
        assert!((y[0] - 6.0 / 11.0).abs() < 1e-14 && y[2] == 0.0);
    }

    #[test]
    fn one_row_or_one_column_is_a_plain_choice() {
        let (found, x, y) = solve(&[4., 2., 3.], 3);
        assert_eq!((found.value(), x[0], y), (2.0, 1.0, vec![0., 1., 0.]));
        let (found, x, _) = solve(&[4., 2., 7.], 1);
        assert_eq!((found.value(), x), (7.0, vec![0., 0., 1.]));
    }

    #[test]
    fn guarantees_say_what_is_wrong_with_a_strategy() {
        let pennies = [1., -1., -1., 1.];
        let found = guarantee(&pennies, 2, &[1.0, 0.0], &[0.5, 0.5]);
        assert_eq!((found.lower, found.upper, found.gap()), (-1.0, 0.0, 1.0));
        let broken = guarantee(&pennies, 2, &[f64::NAN, 0.0], &[0.5, 0.5]);
        assert!(broken.gap().is_nan());
    }

    #[test]
    fn exact_arithmetic_finds_the_same_values() {
        let mut rng = crate::random::stream(1, &[]);
        let mut solver = MatrixSolver::default();
        for _ in 0..300 {
            let (rows, columns) = (rng.random_range(1..=5), rng.random_range(1..=5));
            let cells = rows * columns;
            let matrix: Vec<f64> = match rng.random_range(0..2) {
                0 => (0..cells)
                    .map(|_| f64::from(rng.random_range(-2..=2)))
                    .collect(),
                _ => (0..cells).map(|_| rng.random_range(-1.0..1.0)).collect(),
            };
            let found = solver.solve(&matrix, columns).value();
            let (x, y) = exact::solve(&matrix, columns).unwrap();
            let exact = guarantee(&matrix, columns, &x, &y);
            assert!(exact.gap().abs() < 1e-14, "{matrix:?}");
            assert!((exact.value() - found).abs() < 1e-12, "{matrix:?}");
        }
    }
}
