//! The tables of an experiment of matches as Markdown that can be read as plain text too.

use super::metric::Metric;
use super::summary::{Estimate, MatchesSummary, Score, VariantSummary};
use crate::arena::experiment::markdown::{escaped, heading, opening, table};
use crate::text::plural::plural;

/// The whole report.
pub fn markdown(summary: &MatchesSummary) -> String {
    let games = match summary.games {
        1 => "1 game a pairing".to_string(),
        n => format!("{n} games a pairing"),
    };
    let mut text = opening(summary.title.as_deref(), &games, summary.seed, summary);
    for variant in &summary.variants {
        text.push_str(&heading(&variant.head));
        for metric in &variant.metrics {
            let rows = match &variant.first_side {
                Some(side) if *metric != Metric::Rating => format!(", rows as {side}"),
                _ => String::new(),
            };
            text.push_str(&format!("\n{}{rows}:\n\n", metric.title()));
            text.push_str(&match cross(variant) {
                _ if *metric == Metric::Rating => ratings(variant),
                Some(opponents) => cross_table(variant, *metric, &opponents),
                None => list_table(variant, *metric),
            });
        }
        if let Some(metric) = variant.ranking() {
            text.push_str(&order(variant, metric));
        }
    }
    text.push_str(&blind(summary));
    text.push_str(
        "\n± is the distance to the farther end of the 95 % interval; where the other is much nearer, both stand in parentheses.",
    );
    if summary
        .variants
        .iter()
        .any(|v| v.metrics.iter().any(|m| v.even(*m).is_some()))
    {
        text.push_str(" Bold: the interval lies above what is even.");
    }
    text.push('\n');
    if summary.timed {
        text.push_str("\nA budget in milliseconds: another run gives another table.\n");
    }
    text
}

/// A line for each player of a pairing that lost track.
fn blind(summary: &MatchesSummary) -> String {
    let mut text = String::new();
    for variant in &summary.variants {
        for cell in &variant.pairings {
            for member in cell.players.iter().filter(|m| m.blind > 0) {
                let (player, pairing) = (escaped(&member.player), escaped(&cell.pairing));
                text.push_str(&format!(
                    "\n{player} had lost track of what it cannot see and chose blindly {} in {pairing}.\n",
                    plural(member.blind, "time")
                ));
            }
        }
    }
    text
}

/// For each player and each opponent the place of their pairing and of the player in it.
type Cross = Vec<Vec<Option<(usize, usize)>>>;

/// `None` unless all pairings are of two players who meet nowhere else, or once on each side.
fn cross(variant: &VariantSummary) -> Option<Cross> {
    let n = variant.head.players.len();
    let mut found = vec![vec![None; n]; n];
    let by_side = variant.first_side.is_some();
    for (i, cell) in variant.pairings.iter().enumerate() {
        let [one, two] = cell.players.as_slice() else {
            return None;
        };
        let one = variant.head.players.get_index_of(&one.player)?;
        let two = variant.head.players.get_index_of(&two.player)?;
        if found[one][two].is_some() {
            return None;
        }
        found[one][two] = Some((i, 0));
        if !by_side {
            found[two][one] = Some((i, 1));
        }
    }
    Some(found)
}

/// Row against column.
fn cross_table(
    variant: &VariantSummary,
    metric: Metric,
    opponents: &[Vec<Option<(usize, usize)>>],
) -> String {
    let mut first = vec![String::new()];
    first.extend(variant.head.players.keys().map(|name| escaped(name)));
    first.push("all".to_string());
    let mut rows = vec![first];
    for ((name, all), row) in std::iter::zip(&variant.all, opponents) {
        let mut cells = vec![escaped(name)];
        for pairing in row {
            cells.push(match pairing {
                Some((cell, place)) => {
                    let member = &variant.pairings[*cell].players[*place];
                    shown(variant, metric, &member.score)
                }
                None => String::new(),
            });
        }
        cells.push(shown(variant, metric, all));
        rows.push(cells);
    }
    table(&rows, 1)
}

/// A row for each player of each pairing, and one over all pairings.
fn list_table(variant: &VariantSummary, metric: Metric) -> String {
    let mut rows = vec![
        ["pairing", "player", "games", metric.name()]
            .map(String::from)
            .to_vec(),
    ];
    let mut row = |pairing: String, player: &str, score: &Score| {
        let value = shown(variant, metric, score);
        rows.push(vec![
            pairing,
            escaped(player),
            score.games.to_string(),
            value,
        ]);
    };
    for (i, cell) in variant.pairings.iter().enumerate() {
        for (place, member) in cell.players.iter().enumerate() {
            let label = match place {
                0 => format!("{}: {}", i + 1, escaped(&cell.pairing)),
                _ => String::new(),
            };
            row(label, &member.player, &member.score);
        }
    }
    for (i, (name, score)) in variant.all.iter().enumerate() {
        row(
            if i == 0 {
                "all".to_string()
            } else {
                String::new()
            },
            name,
            score,
        );
    }
    table(&rows, 2)
}

/// A row for each player, the strongest first.
fn ratings(variant: &VariantSummary) -> String {
    let mut rows = vec![["player", Metric::Rating.name()].map(String::from).to_vec()];
    for (name, estimate) in variant.ranked(Metric::Rating) {
        rows.push(vec![escaped(name), with_error(Metric::Rating, &estimate)]);
    }
    table(&rows, 1)
}

/// The players in the order that the intervals allow to state.
fn order(variant: &VariantSummary, metric: Metric) -> String {
    let groups = variant.groups(metric);
    if groups.iter().map(Vec::len).sum::<usize>() < 2 {
        return String::new();
    }
    let mut open = false;
    let groups = groups.iter().map(|group| match group.as_slice() {
        [one] => escaped(one),
        several => {
            open = true;
            let names: Vec<String> = several.iter().map(|n| escaped(n)).collect();
            format!("{{{}}}", names.join(", "))
        }
    });
    let text = groups.collect::<Vec<_>>().join(" > ");
    let note = if open {
        " (within braces: not resolved, the intervals overlap)"
    } else {
        ""
    };
    format!("\nOrder by {} over all: {text}{note}.\n", metric.name())
}

/// A number with its error; bold where it is above what is even.
fn shown(variant: &VariantSummary, metric: Metric, score: &Score) -> String {
    let Some(estimate) = score.get(metric) else {
        return "–".to_string();
    };
    let text = with_error(metric, &estimate);
    let above = |even: f64| estimate.interval.is_some_and(|(low, _)| low > even);
    if variant.even(metric).is_some_and(above) {
        format!("**{text}**")
    } else {
        text
    }
}

/// `76.0 ± 2.7`; where one end of the interval is much nearer than the other, `95.0 (78.0 to 99.1)`.
pub fn with_error(metric: Metric, estimate: &Estimate) -> String {
    let mean = metric.shown(estimate.mean);
    let (Some((low, high)), Some(error)) = (estimate.interval, estimate.error()) else {
        return mean;
    };
    let nearer = (estimate.mean - low).min(high - estimate.mean);
    if nearer < EVEN * error {
        return format!("{mean} ({} to {})", metric.shown(low), metric.shown(high));
    }
    format!("{mean} ± {}", metric.shown(error))
}

/// The ends of an interval are alike where the nearer one is so much of the distance of the other.
const EVEN: f64 = 0.7;
