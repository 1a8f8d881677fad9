//! The tables of an experiment about convergence as Markdown that can be read as plain text too.

use super::summary::{ConvergenceSummary, LossTable};
use crate::arena::experiment::curves::{count, with_error};
use crate::arena::experiment::markdown::{escaped, heading, opening, table};

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
                text.push_str(&table.curves().markdown());
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
