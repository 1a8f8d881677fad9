//! What the runs of an experiment about fresh searches mean: the mean NashConv of each player, with 95 % intervals by Student's
//! t, as tables, values and a plot.

use super::FreshSearches;
use crate::arena::experiment::csv::{estimate, quoted};
use crate::arena::experiment::curves::Curves;
use crate::arena::experiment::markdown::{heading, opening};
use crate::arena::experiment::measure::{Measure, Progress, Summary, Texts};
use crate::arena::experiment::part::Part;
use crate::arena::experiment::plan::Experiment;
use crate::arena::experiment::plot;
use crate::arena::experiment::runs;
use crate::arena::experiment::summary::VariantHead;
use crate::arena::statistics::Mean;
use indexmap::IndexMap;
use serde::Serialize;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FreshSearchesSummary {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    pub seed: u64,
    /// Runs asked for of each player with each budget.
    pub runs: u64,
    /// Runs asked for in all.
    pub total: u64,
    pub finished: u64,
    pub variants: Vec<VariantSummary>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VariantSummary {
    #[serde(flatten)]
    pub head: VariantHead,
    /// One for each number of searches.
    pub tables: Vec<NashConvTable>,
}

/// What was measured of the mean of so many searches.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NashConvTable {
    pub searches: u64,
    pub playouts: Vec<u64>,
    /// By player: the mean for each of the budgets, in units of payoff.
    pub nash_conv: IndexMap<String, Vec<Mean>>,
}

impl NashConvTable {
    fn heading(&self) -> String {
        match self.searches {
            1 => "NashConv of one search".to_string(),
            n => format!("NashConv of the mean of {n} searches"),
        }
    }

    fn curves(&self) -> Curves<'_> {
        Curves {
            note: self.heading(),
            unit: "playouts of each search",
            after: &self.playouts,
            losses: &self.nash_conv,
        }
    }
}

impl Summary for FreshSearchesSummary {
    fn progress(&self) -> Progress {
        Progress {
            finished: self.finished,
            total: self.total,
            noun: FreshSearches::WORDS.many,
        }
    }

    fn texts(&self) -> Texts {
        let tables = self.variants.iter().flat_map(|variant| {
            let tables = variant.tables.iter();
            tables.map(|table| (variant.head.title(), table.curves()))
        });
        Texts {
            markdown: markdown(self),
            csv: csv(self),
            svg: plot::svg(self.title.as_deref(), tables),
        }
    }
}

/// Sums up what is finished.
pub fn sum_up(
    experiment: &Experiment<FreshSearches>,
    part: &Part<FreshSearches>,
) -> FreshSearchesSummary {
    let measure = &experiment.measure;
    let budgets = measure.playouts.len();
    let variants = experiment.variants.iter().enumerate().map(|(v, variant)| {
        let tables = measure.searches.iter().enumerate().map(|(s, &searches)| {
            let players = variant.players.iter().enumerate();
            let nash_conv = players.map(|(p, (name, _))| {
                let with = (0..budgets).map(|b| {
                    let cell = (v * variant.players.len() + p) * budgets + b;
                    let runs = runs::of_cell(experiment, part, cell);
                    Mean::of(&runs.map(|numbers| numbers[s]).collect::<Vec<_>>())
                });
                (name.clone(), with.collect())
            });
            NashConvTable {
                searches,
                playouts: measure.playouts.clone(),
                nash_conv: nash_conv.collect(),
            }
        });
        VariantSummary {
            head: VariantHead::of(variant),
            tables: tables.collect(),
        }
    });
    FreshSearchesSummary {
        title: experiment.title.clone(),
        seed: experiment.seed,
        runs: experiment.each,
        total: experiment.total(),
        finished: part.finished,
        variants: variants.collect(),
    }
}

/// The whole report.
fn markdown(summary: &FreshSearchesSummary) -> String {
    let runs = match summary.runs {
        1 => "1 run of each player".to_string(),
        n => format!("{n} runs of each player"),
    };
    let mut text = opening(summary.title.as_deref(), &runs, summary.seed, summary);
    for variant in &summary.variants {
        text.push_str(&heading(&variant.head));
        for table in &variant.tables {
            let what = table.heading();
            text.push_str(&format!("\n{what} with so many playouts each:\n\n"));
            text.push_str(&table.curves().markdown());
        }
    }
    text.push_str(
        "\nThe players search anew at every information state. NashConv: what all players together would gain by best \
         responses, in units of payoff; ± is half the 95 % interval.\n",
    );
    text
}

/// All numbers: a row for each player, number of searches and budget.
fn csv(summary: &FreshSearchesSummary) -> String {
    let columns = "variant,player,searches,playouts,runs,nash_conv,nash_conv_low,nash_conv_high";
    let mut text = format!("{columns}\n");
    for variant in &summary.variants {
        let name = quoted(variant.head.name.as_deref().unwrap_or_default());
        for table in &variant.tables {
            let searches = table.searches;
            for (player, means) in &table.nash_conv {
                for (playouts, mean) in std::iter::zip(&table.playouts, means) {
                    let player = quoted(player);
                    text.push_str(&format!("{name},{player},{searches},{playouts},{}", mean.n));
                    text.push_str(&estimate(mean.mean, mean.interval));
                    text.push('\n');
                }
            }
        }
    }
    text
}
