//! A linear program whose constraints come one after another: the best leader strategy against one answer of the follower, while
//! more and more of the other answers are held off.
//!
//! maximise c·x, so that x lies in a polytope and a·x ≤ b for each row that was added.
//!
//! The whole tableau is kept, by the dual simplex method: every row that a basic solution violates is mended by a pivot that leaves
//! the reduced costs at or above 0. So the value falls from pivot to pivot and bounds that of the program from above at any time,
//! and whoever knows a better answer can give up early. Programs here have many columns and few rows that matter, and a tableau
//! of few rows is small.

/// What is taken for 0: coefficients to pivot on, and by how much a solution may violate a row, of which the coefficients should
/// not be far from 1.
const PIVOT: f64 = 1e-9;
const VIOLATION: f64 = 1e-10;

/// How a program stands.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The solution is optimal for the rows so far.
    Optimal,
    /// No x satisfies the rows.
    Infeasible,
    /// The bound fell to the limit, or pivots ran out.
    GivenUp,
}

/// The tableau: basic variables as sums over the others.
#[derive(Debug, Default)]
pub struct Tableau {
    /// How many variables the program has before slacks.
    columns: usize,
    /// For each row its basic variable.
    basis: Vec<usize>,
    /// For each row a coefficient for each variable, slacks included: the identity at those of the basis.
    rows: Vec<Vec<f64>>,
    right: Vec<f64>,
    /// For each variable by how much the value falls with it; never below 0.
    reduced: Vec<f64>,
    value: f64,
    /// Pivots so far.
    pivots: u64,
    /// Rows of earlier programs, to be filled again.
    spare: Vec<Vec<f64>>,
}

impl Tableau {
    /// Begins a program. `rows` express basic variables by the others and hold the polytope, with an optimal solution for
    /// `reduced` and `value`.
    pub fn begin(&mut self, reduced: &[f64], value: f64) {
        self.columns = reduced.len();
        self.spare.append(&mut self.rows);
        self.basis.clear();
        self.right.clear();
        self.reduced.clear();
        self.reduced.extend_from_slice(reduced);
        self.value = value;
    }

    /// A row of the polytope: its basic variable, the coefficients of all variables, and the right side, not below 0.
    pub fn basic(&mut self, variable: usize, coefficients: impl Iterator<Item = f64>, right: f64) {
        let mut row = self.spare.pop().unwrap_or_default();
        row.clear();
        row.extend(coefficients);
        self.rows.push(row);
        self.basis.push(variable);
        self.right.push(right);
    }

    /// Copies a row; gives its right side.
    pub fn copy_row(&self, number: usize, into: &mut [f64]) -> f64 {
        into.copy_from_slice(&self.rows[number]);
        self.right[number]
    }

    /// What c·x is at most.
    pub fn bound(&self) -> f64 {
        self.value
    }

    pub fn pivots(&self) -> u64 {
        self.pivots
    }

    /// Adds a·x ≤ b.
    pub fn add(&mut self, a: impl Iterator<Item = f64>, b: f64) {
        let slack = self.reduced.len();
        for row in &mut self.rows {
            row.push(0.0);
        }
        self.reduced.push(0.0);
        let mut row = self.spare.pop().unwrap_or_default();
        row.clear();
        row.extend(a);
        row.resize(slack, 0.0);
        row.push(1.0);
        let mut right = b;
        for (other, (&basic, other_right)) in
            std::iter::zip(&self.rows, std::iter::zip(&self.basis, &self.right))
        {
            let times = row[basic];
            if times != 0.0 {
                subtract(&mut row, times, other);
                row[basic] = 0.0;
                right -= times * other_right;
            }
        }
        self.rows.push(row);
        self.basis.push(slack);
        self.right.push(right);
    }

    /// Mends violated rows until none is left, the bound is at or below `limit`, or `most` pivots were made.
    pub fn solve(&mut self, limit: f64, most: u64) -> Outcome {
        for _ in 0..most {
            let Some(leaving) = self.most_violated() else {
                return Outcome::Optimal;
            };
            let Some(entering) = self.entering(leaving) else {
                return Outcome::Infeasible;
            };
            self.pivot(leaving, entering);
            if self.value <= limit {
                return Outcome::GivenUp;
            }
        }
        match self.most_violated() {
            None => Outcome::Optimal,
            Some(_) => Outcome::GivenUp,
        }
    }

    fn most_violated(&self) -> Option<usize> {
        let mut found = None;
        let mut worst = -VIOLATION;
        for (row, &right) in self.right.iter().enumerate() {
            if right < worst {
                (found, worst) = (Some(row), right);
            }
        }
        found
    }

    /// The variable with the least ratio; of those with nearly the same, the one with the largest coefficient.
    fn entering(&self, leaving: usize) -> Option<usize> {
        let row = &self.rows[leaving];
        let mut least = f64::INFINITY;
        for (&a, &d) in std::iter::zip(row, &self.reduced) {
            if a < -PIVOT {
                least = least.min((d + 1e-12) / -a);
            }
        }
        let mut found = None;
        let mut largest = 0.0;
        for (variable, (&a, &d)) in std::iter::zip(row, &self.reduced).enumerate() {
            if a < -PIVOT && d <= least * -a && -a > largest {
                (found, largest) = (Some(variable), -a);
            }
        }
        found
    }

    fn pivot(&mut self, leaving: usize, entering: usize) {
        self.pivots += 1;
        let mut pivot_row = std::mem::take(&mut self.rows[leaving]);
        let by = 1.0 / pivot_row[entering];
        pivot_row.iter_mut().for_each(|a| *a *= by);
        pivot_row[entering] = 1.0;
        self.right[leaving] *= by;
        let right = self.right[leaving];
        for (number, row) in self.rows.iter_mut().enumerate() {
            if number == leaving {
                continue;
            }
            let times = row[entering];
            if times != 0.0 {
                subtract(row, times, &pivot_row);
                row[entering] = 0.0;
                self.right[number] -= times * right;
            }
        }
        let times = self.reduced[entering].max(0.0);
        if times != 0.0 {
            subtract(&mut self.reduced, times, &pivot_row);
            self.value -= times * right;
        }
        self.reduced[entering] = 0.0;
        self.basis[leaving] = entering;
        self.rows[leaving] = pivot_row;
    }

    /// The price of each row that was added: by how much the value would rise with its right side.
    pub fn prices(&self) -> &[f64] {
        &self.reduced[self.columns..]
    }

    /// The variables above 0 of the solution, without slacks.
    pub fn solution(&self) -> impl Iterator<Item = (usize, f64)> {
        let basic = std::iter::zip(&self.basis, &self.right);
        basic
            .filter(|(variable, right)| **variable < self.columns && **right > 0.0)
            .map(|(variable, right)| (*variable, *right))
    }
}

/// a ← a − times·b.
fn subtract(a: &mut [f64], times: f64, b: &[f64]) {
    for (a, b) in std::iter::zip(a, b) {
        *a -= times * b;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// maximise 3x + 2y + z, so that x + y + z = 1 and x − y ≤ 0: half x and half y.
    #[test]
    fn rows_are_mended_one_after_the_other() {
        let mut tableau = Tableau::default();
        tableau.begin(&[0.0, 1.0, 2.0], 3.0);
        tableau.basic(0, [1.0, 1.0, 1.0].into_iter(), 1.0);
        assert_eq!(tableau.solve(0.0, 9), Outcome::Optimal);
        tableau.add([1.0, -1.0, 0.0].into_iter(), 0.0);
        assert_eq!(tableau.solve(0.0, 9), Outcome::Optimal);
        let mut x = [0.0; 3];
        tableau.solution().for_each(|(i, share)| x[i] = share);
        assert_eq!((x, tableau.bound()), ([0.5, 0.5, 0.0], 2.5));
        // Now y − z ≤ 0 too: a third each.
        tableau.add([0.0, 1.0, -1.0].into_iter(), 0.0);
        assert_eq!(tableau.solve(0.0, 9), Outcome::Optimal);
        assert!((tableau.bound() - 2.0).abs() < 1e-12);
        // And x + y + z ≤ 0: impossible.
        tableau.add([1.0; 3].into_iter(), 0.0);
        assert_eq!(tableau.solve(f64::NEG_INFINITY, 9), Outcome::Infeasible);
    }
}
