//! All numbers of an experiment of matches as comma-separated values: a row for each player of each pairing, one for each seat of
//! a player who takes several, and one for each player over all pairings. Ratings are there where they were asked for.

use super::metric::Metric;
use super::summary::{MatchesSummary, Score, VariantSummary};
use crate::arena::experiment::csv::{estimate, quoted};

/// The whole table, with the names of the columns in the first row.
pub fn csv(summary: &MatchesSummary) -> String {
    let mut text = String::from("variant,pairing,player,opponents,seat,games");
    let rated = |v: &VariantSummary| v.metrics.contains(&Metric::Rating);
    let rated = summary.variants.iter().any(rated);
    let metrics = Metric::ALL.iter().copied();
    let metrics: Vec<Metric> = metrics.filter(|m| rated || *m != Metric::Rating).collect();
    for metric in &metrics {
        let name = metric.name();
        text.push_str(&format!(",{name},{name}_low,{name}_high"));
    }
    text.push_str(",seed\n");
    for variant in &summary.variants {
        let name = variant.head.name.as_deref().unwrap_or_default();
        for (i, cell) in variant.pairings.iter().enumerate() {
            let (pairing, seed) = ((i + 1).to_string(), cell.seed.to_string());
            for member in &cell.players {
                let others = cell.players.iter().map(|m| m.player.as_str());
                let others: Vec<&str> = others.filter(|p| *p != member.player).collect();
                let player = [name, &pairing, &member.player, &others.join(" + ")];
                row(&mut text, &metrics, player, "all", &member.score, &seed);
                for (seat, score) in &member.seats {
                    row(&mut text, &metrics, player, seat, score, &seed);
                }
            }
        }
        for (player, score) in &variant.all {
            let player = [name, "all", player, "all"];
            row(&mut text, &metrics, player, "all", score, "");
        }
    }
    text
}

fn row(
    text: &mut String,
    metrics: &[Metric],
    who: [&str; 4],
    seat: &str,
    score: &Score,
    seed: &str,
) {
    for word in who {
        text.push_str(&quoted(word));
        text.push(',');
    }
    text.push_str(&format!("{},{}", quoted(seat), score.games));
    for metric in metrics {
        let found = score.get(*metric);
        let interval = found.and_then(|e| e.interval);
        text.push_str(&estimate(found.map(|e| e.mean), interval));
    }
    text.push_str(&format!(",{seed}\n"));
}
