//! All numbers of an experiment about convergence as comma-separated values: a row for each player, depth and number of
//! simulations.

use super::summary::ConvergenceSummary;
use crate::arena::experiment::csv::{estimate, quoted};

/// The whole table, with the names of the columns in the first row. `depth` is empty for the whole game.
pub fn csv(summary: &ConvergenceSummary) -> String {
    let mut text = String::from("variant,player,depth,iterations,runs,loss,loss_low,loss_high\n");
    for variant in &summary.variants {
        let name = quoted(variant.head.name.as_deref().unwrap_or_default());
        for table in &variant.tables {
            let depth = table.depth.map(|d| d.to_string()).unwrap_or_default();
            for (player, losses) in &table.losses {
                for (iterations, mean) in std::iter::zip(&table.iterations, losses) {
                    let player = quoted(player);
                    text.push_str(&format!("{name},{player},{depth},{iterations},{}", mean.n));
                    text.push_str(&estimate(mean.mean, mean.interval));
                    text.push('\n');
                }
            }
        }
    }
    text
}
