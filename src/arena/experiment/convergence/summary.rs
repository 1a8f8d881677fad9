//! What the runs of an experiment about convergence mean: the mean loss of each player, with 95 % intervals by Student's t.

use super::{Convergence, csv, markdown};
use crate::arena::experiment::curves::Curves;
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
pub struct ConvergenceSummary {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    pub seed: u64,
    /// Runs asked for of each player.
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
    /// One for each depth; one for the whole game.
    pub tables: Vec<LossTable>,
}

/// What was measured in one way.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LossTable {
    /// For how many nodes the strategies were followed; `None` for the whole game.
    pub depth: Option<u32>,
    pub iterations: Vec<u64>,
    /// By player: the mean loss after each of the iterations, in units of payoff.
    pub losses: IndexMap<String, Vec<Mean>>,
}

impl Summary for ConvergenceSummary {
    fn progress(&self) -> Progress {
        Progress {
            finished: self.finished,
            total: self.total,
            noun: Convergence::WORDS.many,
        }
    }

    fn texts(&self) -> Texts {
        Texts {
            markdown: markdown::markdown(self),
            csv: csv::csv(self),
            svg: plot::svg(
                self.title.as_deref(),
                self.variants.iter().flat_map(|variant| {
                    let tables = variant.tables.iter();
                    tables.map(|table| (variant.head.title(), table.curves()))
                }),
            ),
        }
    }
}

impl LossTable {
    pub fn curves(&self) -> Curves<'_> {
        Curves {
            note: format!("{}, mean of the seats", self.heading()),
            unit: "simulations",
            after: &self.iterations,
            losses: &self.losses,
        }
    }

    /// What its numbers are.
    pub fn heading(&self) -> String {
        match self.depth {
            Some(depth) => format!("Ex_{depth}"),
            None => "Exploitability".to_string(),
        }
    }
}

/// Sums up what is finished.
pub fn sum_up(
    experiment: &Experiment<Convergence>,
    part: &Part<Convergence>,
) -> ConvergenceSummary {
    let measure = &experiment.measure;
    let depths: Vec<Option<u32>> = match measure.depth.as_slice() {
        [] => vec![None],
        list => list.iter().map(|d| Some(*d)).collect(),
    };
    let variants = experiment.variants.iter().enumerate().map(|(v, variant)| {
        let tables = depths.iter().enumerate().map(|(d, depth)| {
            let losses = variant.players.iter().enumerate().map(|(p, (name, _))| {
                let cell = v * variant.players.len() + p;
                let after = (0..measure.iterations.len()).map(|i| {
                    let place = i * depths.len() + d;
                    let runs = runs::of_cell(experiment, part, cell);
                    Mean::of(&runs.map(|numbers| numbers[place]).collect::<Vec<_>>())
                });
                (name.clone(), after.collect())
            });
            LossTable {
                depth: *depth,
                iterations: measure.iterations.clone(),
                losses: losses.collect(),
            }
        });
        VariantSummary {
            head: VariantHead::of(variant),
            tables: tables.collect(),
        }
    });
    ConvergenceSummary {
        title: experiment.title.clone(),
        seed: experiment.seed,
        runs: experiment.each,
        total: experiment.total(),
        finished: part.finished,
        variants: variants.collect(),
    }
}
