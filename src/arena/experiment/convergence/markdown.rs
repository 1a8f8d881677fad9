//! The tables of an experiment about convergence as Markdown that can be read as plain text too.

use super::summary::{ConvergenceSummary, LossTable};
use crate::arena::experiment::markdown::{escaped, heading, opening, table};
use crate::arena::experiment::numbers::unsigned_zero;
use crate::arena::statistics::Mean;

/// A table shows so many numbers of simulations at most; the others are in the plot and in the values.
const MOST_COLUMNS: usize = 6;

/// The whole report.
pub fn markdown(summary: &ConvergenceSummary) -> String {
    let searches = match summary.runs {
        1 => "1 search by each player".to_string(),
        n => format!("{n} searches by each player"),
    };
    let mut text = opening(summary.title.as_deref(), &searches, summary.seed, summary);
    for variant in &summary.variants {
        text.push_str(&heading(&variant.head));
        let short = variant.tables.iter().all(|t| t.iterations.len() == 1);
        if let (true, Some(first)) = (short, variant.tables.first()) {
            let simulations = count(first.iterations[0]);
            text.push_str(&format!("\nAfter {simulations} simulations:\n\n"));
            text.push_str(&side_by_side(&variant.tables, first));
        } else {
            for table in &variant.tables {
                text.push_str(&format!(
                    "\n{} after so many simulations:\n\n",
                    table.heading()
                ));
                text.push_str(&one_below_another(table));
            }
        }
    }
    text.push_str(
        "\nWhat a player loses to the best response against the strategy of its tree, beyond the value of the game, in units \
         of payoff and in the mean of the seats; ± is half the 95 % interval.\n",
    );
    if summary.variants.iter().any(|v| v.tables[0].depth.is_some()) {
        text.push_str(
            "Ex_d: the strategy is followed for d nodes, chance included, and play is perfect after them.\n",
        );
    }
    text
}

/// A column for each number of simulations.
fn one_below_another(of: &LossTable) -> String {
    let all = of.iterations.len();
    let columns = all.min(MOST_COLUMNS);
    // Spread evenly; the last is there.
    let shown: Vec<usize> = (1..=columns).map(|i| i * all / columns - 1).collect();
    let mut rows = vec![vec!["player".to_string()]];
    rows[0].extend(shown.iter().map(|&i| count(of.iterations[i])));
    for (name, losses) in &of.losses {
        let mut row = vec![escaped(name)];
        row.extend(shown.iter().map(|&i| with_error(&losses[i])));
        rows.push(row);
    }
    table(&rows, 1)
}

/// A column for each depth, where there is one number of simulations.
fn side_by_side(tables: &[LossTable], first: &LossTable) -> String {
    let mut rows = vec![vec!["player".to_string()]];
    rows[0].extend(tables.iter().map(LossTable::heading));
    for (place, name) in first.losses.keys().enumerate() {
        let mut row = vec![escaped(name)];
        row.extend(tables.iter().map(|t| with_error(&t.losses[place][0])));
        rows.push(row);
    }
    table(&rows, 1)
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
    use indexmap::IndexMap;

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
        let table = LossTable {
            depth: None,
            iterations: (1..=20).collect(),
            losses: IndexMap::from([("A".to_string(), losses.collect())]),
        };
        let text = one_below_another(&table);
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
