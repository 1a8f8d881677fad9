//! Our matrix-game solver against a linear-programming library and against itself, on random matrices: integers and
//! fractions, degenerate ones with equal rows, zeros, constants and rank 1 among them.

use microlp::{ComparisonOp, OptimizationDirection, Problem};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use ruse::internal::solve::matrix::{MatrixSolver, guarantee};

/// The value by the library: the most that the row player can guarantee.
fn by_library(matrix: &[f64], columns: usize) -> f64 {
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let bound = (f64::NEG_INFINITY, f64::INFINITY);
    let value = problem.add_var(1.0, bound);
    let rows: Vec<_> = (0..matrix.len() / columns)
        .map(|_| problem.add_var(0.0, (0.0, f64::INFINITY)))
        .collect();
    let all: Vec<_> = rows.iter().map(|&x| (x, 1.0)).collect();
    problem.add_constraint(&all, ComparisonOp::Eq, 1.0);
    for j in 0..columns {
        let mut terms: Vec<_> = std::iter::zip(&rows, matrix[j..].iter().step_by(columns))
            .map(|(&x, &a)| (x, a))
            .collect();
        terms.push((value, -1.0));
        problem.add_constraint(&terms, ComparisonOp::Ge, 0.0);
    }
    let solution = problem.solve().expect("a solution").into_solution();
    solution.expect("the optimum").objective()
}

/// A matrix of one of several kinds, by rows, with its number of columns.
fn random(rng: &mut Xoshiro256PlusPlus) -> (Vec<f64>, usize) {
    let rows = rng.random_range(1..=10);
    let columns = rng.random_range(1..=10);
    let cells = rows * columns;
    let kind = rng.random_range(0..9);
    let mut matrix: Vec<f64> = match kind {
        // Small integers: many ties.
        0 => (0..cells)
            .map(|_| f64::from(rng.random_range(-2..=2)))
            .collect(),
        1 => (0..cells)
            .map(|_| f64::from(rng.random_range(-50..=50)))
            .collect(),
        2 => (0..cells).map(|_| rng.random_range(-1.0..1.0)).collect(),
        // Mostly zeros.
        3 => (0..cells)
            .map(|_| {
                if rng.random_range(0..4) == 0 {
                    f64::from(rng.random_range(-3..=3))
                } else {
                    0.0
                }
            })
            .collect(),
        // Constant.
        4 => vec![f64::from(rng.random_range(-5..=5)); cells],
        // Rank 1.
        5 => {
            let a: Vec<f64> = (0..rows)
                .map(|_| f64::from(rng.random_range(-3..=3)))
                .collect();
            let b: Vec<f64> = (0..columns)
                .map(|_| f64::from(rng.random_range(-3..=3)))
                .collect();
            a.iter()
                .flat_map(|x| b.iter().map(move |y| x * y))
                .collect()
        }
        // Thirds, as payoffs shared by three are.
        6 => (0..cells)
            .map(|_| f64::from(rng.random_range(-6..=6)) / 3.0)
            .collect(),
        // A large part that all entries share.
        7 => (0..cells)
            .map(|_| 1000.0 + rng.random_range(-1.0..1.0))
            .collect(),
        // Skew-symmetric as far as it goes: a value of 0 where it is square.
        _ => (0..cells)
            .map(|c| {
                let (i, j) = (c / columns, c % columns);
                f64::from((i as i32 - j as i32).signum() * ((i * 7 + j * 7) % 5) as i32)
            })
            .collect(),
    };
    // Copies of rows and columns, or nearly copies.
    if rng.random_range(0..3) == 0 && rows > 1 {
        let (from, to) = (rng.random_range(0..rows), rng.random_range(0..rows));
        let nudge = if rng.random_range(0..3) == 0 {
            1e-9
        } else {
            0.0
        };
        for j in 0..columns {
            matrix[to * columns + j] = matrix[from * columns + j] + nudge;
        }
    }
    (matrix, columns)
}

fn agree(count: u32, seed: u64) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut solver = MatrixSolver::default();
    for n in 0..count {
        let (matrix, columns) = random(&mut rng);
        let found = solver.solve(&matrix, columns);
        let scale = matrix.iter().fold(1.0f64, |m, a| m.max(a.abs()));
        let told = || format!("matrix {n} of {columns} columns: {matrix:?}");
        // The guarantees are what the strategies really guarantee, and no further apart than promised.
        let (x, y) = (solver.row_strategy(), solver.column_strategy());
        for strategy in [x, y] {
            let sum: f64 = strategy.iter().sum();
            assert!(
                (sum - 1.0).abs() < 1e-12 && strategy.iter().all(|p| *p >= 0.0),
                "{}",
                told()
            );
        }
        assert_eq!((x.len(), y.len()), (matrix.len() / columns, columns));
        let checked = guarantee(&matrix, columns, x, y);
        assert!(
            (checked.lower - found.lower).abs() <= 1e-12 * scale,
            "{}",
            told()
        );
        assert!(
            (checked.upper - found.upper).abs() <= 1e-12 * scale,
            "{}",
            told()
        );
        assert!(found.gap().abs() <= 1e-11 * scale, "{}: {found:?}", told());
        // The library works to 1e-7 of its own.
        let library = by_library(&matrix, columns);
        assert!(
            (found.value() - library).abs() <= 1e-6 * scale,
            "{}: {found:?}, {library}",
            told()
        );
    }
    println!(
        "{} of {count} needed exact arithmetic",
        solver.exact_solutions()
    );
}

#[test]
fn a_hundred_thousand_random_games_agree_with_the_library() {
    agree(100_000, 1);
}

/// Scaling by a power of two and adding a constant change the value by just that, up to rounding.
#[test]
fn the_value_moves_with_the_matrix() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut solver = MatrixSolver::default();
    for _ in 0..2000 {
        let (matrix, columns) = random(&mut rng);
        let value = solver.solve(&matrix, columns).value();
        for scale in [1e-12, 1.0 / 1024.0, 1e9] {
            let moved: Vec<f64> = matrix.iter().map(|a| a * scale).collect();
            let other = solver.solve(&moved, columns).value();
            let size = matrix.iter().fold(1.0f64, |m, a| m.max(a.abs())) * scale;
            assert!(
                (other - value * scale).abs() <= 1e-10 * size,
                "{scale}: {matrix:?}"
            );
        }
        // What the players swap is the sign.
        let rows = matrix.len() / columns;
        let swapped: Vec<f64> = (0..matrix.len())
            .map(|c| -matrix[c % rows * columns + c / rows])
            .collect();
        let other = solver.solve(&swapped, rows).value();
        let size = matrix.iter().fold(1.0f64, |m, a| m.max(a.abs()));
        assert!((other + value).abs() <= 1e-10 * size, "{matrix:?}");
    }
}
