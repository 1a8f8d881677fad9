//! Mean losses of players after so many simulations or playouts, as a table and as what a plot is drawn from.

use super::markdown::{escaped, table};
use super::numbers::unsigned_zero;
use crate::arena::statistics::Mean;
use indexmap::IndexMap;

/// A curve for each player.
pub struct Curves<'a> {
    /// What the numbers are.
    pub note: String,
    /// What is counted in `after`.
    pub unit: &'a str,
    pub after: &'a [u64],
    /// By player, a mean for each of `after`.
    pub losses: &'a IndexMap<String, Vec<Mean>>,
}

/// A table shows all of so many columns.
const ALL_COLUMNS: usize = 7;
/// Of more it shows so many; the others are in the plot and in the values.
const SOME_COLUMNS: usize = 6;

impl Curves<'_> {
    /// A table with a row for each player.
    pub fn markdown(&self) -> String {
        let all = self.after.len();
        let columns = if all <= ALL_COLUMNS {
            all
        } else {
            SOME_COLUMNS
        };
        // Spread evenly; the last is there.
        let shown: Vec<usize> = (1..=columns).map(|i| i * all / columns - 1).collect();
        let mut rows = vec![vec!["player".to_string()]];
        rows[0].extend(shown.iter().map(|&i| count(self.after[i])));
        for (name, losses) in self.losses {
            let mut row = vec![escaped(name)];
            row.extend(shown.iter().map(|&i| with_error(&losses[i])));
            rows.push(row);
        }
        table(&rows, 1)
    }
}

/// `0.124 ± 0.010`.
pub fn with_error(mean: &Mean) -> String {
    let shown = |x: f64| unsigned_zero(format!("{x:.4}"));
    match (mean.mean, mean.half_width()) {
        (Some(mean), Some(half)) => format!("{} ± {}", shown(mean), shown(half)),
        (Some(mean), None) => shown(mean),
        _ => "–".to_string(),
    }
}

/// A number with a comma between thousands.
pub fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(
            [7, 999, 1000, 1234567].map(count),
            ["7", "999", "1,000", "1,234,567"]
        );
    }

    #[test]
    fn a_long_table_shows_some_columns_and_always_the_last() {
        let losses = (0..20).map(|i| Mean::of(&[f64::from(i), f64::from(i) + 2.0]));
        let after: Vec<u64> = (1..=20).collect();
        let curves = Curves {
            note: String::new(),
            unit: "simulations",
            after: &after,
            losses: &IndexMap::from([("A".to_string(), losses.collect())]),
        };
        let text = curves.markdown();
        let head: Vec<&str> = text
            .lines()
            .next()
            .unwrap()
            .split('|')
            .map(str::trim)
            .collect();
        assert_eq!(head, ["", "player", "3", "6", "10", "13", "16", "20", ""]);
    }
}
