//! The linear program of a matrix game by a dense simplex in floating point.
//!
//! The matrix is brought to the range [1, 2]; its value v is then positive, and the column player's program is: maximise
//! Σ y under B y ≤ 1, y ≥ 0, with the optimum 1/v. The origin is feasible, so there is no first phase. The tableau is
//! condensed: a pivot exchanges one row and one column in place. The row player's strategy is the dual solution, and stands in
//! the last row.

/// Numbers below this are taken for 0; the entries at the start are between 1 and 2.
const ZERO: f64 = 1e-11;

/// The memory of the tableau.
#[derive(Debug, Default)]
pub(super) struct Simplex {
    /// Row by row; the last column holds the right-hand sides, the last row the objective.
    tableau: Vec<f64>,
    /// The variable that each row and each column stands for: from 0 the columns of the game, then slacks, one a row.
    rows: Vec<u32>,
    columns: Vec<u32>,
    pivot_row: Vec<f64>,
}

impl Simplex {
    /// Fills in a strategy of each player. They are optimal up to rounding unless the steps ran out; the caller checks.
    pub fn solve(&mut self, matrix: &[f64], n: usize, x: &mut [f64], y: &mut [f64]) {
        let m = matrix.len() / n;
        self.begin(matrix, m, n);
        // Dantzig's rule is fast and may go in circles where the game is degenerate; Bland's never does.
        let patient = 8 * (m + n) as u32;
        let most = 64 * (m + n) as u32 + 1000;
        for step in 0..most {
            let bland = step >= patient;
            let Some(q) = self.entering(m, n, bland) else {
                break;
            };
            let Some(p) = self.leaving(m, n, q, bland) else {
                break;
            };
            self.pivot(m, n, p, q);
        }
        self.read(m, n, x, y);
    }

    fn begin(&mut self, matrix: &[f64], m: usize, n: usize) {
        let (lo, hi) = matrix
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(lo, hi), &a| {
                (lo.min(a), hi.max(a))
            });
        let range = if hi > lo { hi - lo } else { 1.0 };
        self.tableau.clear();
        for row in matrix.chunks_exact(n) {
            self.tableau
                .extend(row.iter().map(|a| 1.0 + (a - lo) / range));
            self.tableau.push(1.0);
        }
        self.tableau.extend(std::iter::repeat_n(-1.0, n));
        self.tableau.push(0.0);
        self.columns.clear();
        self.columns.extend(0..n as u32);
        self.rows.clear();
        self.rows.extend(n as u32..(n + m) as u32);
    }

    /// The column to enter the basis; `None` at the optimum.
    fn entering(&self, m: usize, n: usize, bland: bool) -> Option<usize> {
        let costs = &self.tableau[m * (n + 1)..m * (n + 1) + n];
        let improving = (0..n).filter(|&j| costs[j] < -ZERO);
        if bland {
            improving.min_by_key(|&j| self.columns[j])
        } else {
            improving.min_by(|&a, &b| costs[a].total_cmp(&costs[b]))
        }
    }

    /// The row whose variable reaches 0 first as column `q` enters.
    fn leaving(&self, m: usize, n: usize, q: usize, bland: bool) -> Option<usize> {
        let width = n + 1;
        let mut best: Option<(usize, f64, f64)> = None;
        for i in 0..m {
            let entry = self.tableau[i * width + q];
            if entry <= ZERO {
                continue;
            }
            let ratio = self.tableau[i * width + n].max(0.0) / entry;
            let better = match best {
                None => true,
                Some((at, least, pivot)) => {
                    let tied = (ratio - least).abs() <= ZERO * least;
                    if !tied {
                        ratio < least
                    } else if bland {
                        self.rows[i] < self.rows[at]
                    } else {
                        // Of equals the largest pivot loses the fewest digits.
                        entry > pivot
                    }
                }
            };
            if better {
                best = Some((i, ratio, entry));
            }
        }
        best.map(|(i, _, _)| i)
    }

    fn pivot(&mut self, m: usize, n: usize, p: usize, q: usize) {
        let width = n + 1;
        let inverse = 1.0 / self.tableau[p * width + q];
        let row = &mut self.tableau[p * width..(p + 1) * width];
        row.iter_mut().for_each(|a| *a *= inverse);
        row[q] = inverse;
        self.pivot_row.clear();
        self.pivot_row.extend_from_slice(row);
        for i in (0..=m).filter(|&i| i != p) {
            let row = &mut self.tableau[i * width..(i + 1) * width];
            let factor = row[q];
            if factor == 0.0 {
                continue;
            }
            row[q] = 0.0;
            for (a, b) in std::iter::zip(row, &self.pivot_row) {
                *a -= factor * b;
            }
        }
        std::mem::swap(&mut self.rows[p], &mut self.columns[q]);
    }

    /// The strategies of the present basis.
    fn read(&self, m: usize, n: usize, x: &mut [f64], y: &mut [f64]) {
        let width = n + 1;
        x.fill(0.0);
        y.fill(0.0);
        for (i, &variable) in self.rows.iter().enumerate() {
            if (variable as usize) < n {
                y[variable as usize] = self.tableau[i * width + n].max(0.0);
            }
        }
        for (j, &variable) in self.columns.iter().enumerate() {
            if let Some(row) = (variable as usize).checked_sub(n) {
                x[row] = self.tableau[m * width + j].max(0.0);
            }
        }
        for strategy in [x, y] {
            let sum: f64 = strategy.iter().sum();
            strategy.iter_mut().for_each(|p| *p /= sum);
        }
    }
}
