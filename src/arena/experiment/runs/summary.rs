//! What the runs of an experiment mean: the mean of each player after each length of search, with 95 % intervals by Student's
//! t, as tables, values and a plot.

use super::lines::of_cell;
use super::{Kind, Runs, TableWords};
use crate::arena::experiment::csv::{estimate, quoted};
use crate::arena::experiment::curves::{Curves, count, with_error};
use crate::arena::experiment::markdown::{escaped, heading, opening, table};
use crate::arena::experiment::measure::{Progress, Summary, Texts};
use crate::arena::experiment::part::Part;
use crate::arena::experiment::plan::Experiment;
use crate::arena::experiment::plot;
use crate::arena::experiment::summary::VariantHead;
use crate::arena::statistics::Mean;
use indexmap::IndexMap;
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

#[derive(Serialize)]
pub struct RunsSummary {
    #[serde(skip)]
    kind: Kind,
    pub title: Option<String>,
    pub seed: u64,
    /// Runs asked for in each cell.
    pub runs: u64,
    /// Runs asked for in all.
    pub total: u64,
    pub finished: u64,
    /// False when runs are missing: which are there may hang on when it was stopped.
    pub reproducible: bool,
    pub variants: Vec<VariantSummary>,
}

#[derive(Serialize)]
pub struct VariantSummary {
    #[serde(flatten)]
    pub head: VariantHead,
    pub tables: Vec<Table>,
}

/// What was measured in one way.
pub struct Table {
    words: &'static TableWords,
    /// What it is of.
    pub of: Option<u64>,
    pub lengths: Vec<u64>,
    /// By player: the mean after each length, in units of payoff.
    pub values: IndexMap<String, Vec<Mean>>,
}

impl Serialize for Table {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(3))?;
        map.serialize_entry(self.words.of, &self.of)?;
        map.serialize_entry(self.words.length, &self.lengths)?;
        map.serialize_entry(self.words.values, &self.values)?;
        map.end()
    }
}

impl Table {
    fn heading(&self) -> String {
        (self.words.heading)(self.of)
    }

    fn curves(&self) -> Curves<'_> {
        Curves {
            note: format!("{}{}", self.heading(), self.words.note),
            unit: self.words.unit,
            after: &self.lengths,
            losses: &self.values,
        }
    }
}

impl Summary for RunsSummary {
    fn progress(&self) -> Progress {
        Progress {
            finished: self.finished,
            total: self.total,
            noun: self.kind.words.many,
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
pub fn sum_up<M: Runs>(experiment: &Experiment<M>, part: &Part<M>) -> RunsSummary {
    let measure = &experiment.measure;
    let (tables, lengths) = (measure.tables(), measure.lengths());
    let (cells, count) = (measure.budgets().len(), measure.count());
    let variants = experiment.variants.iter().enumerate().map(|(v, variant)| {
        let first = |player: usize| (v * variant.players.len() + player) * cells;
        let tables = tables.iter().enumerate().map(|(t, &of)| {
            let values = variant.players.iter().enumerate().map(|(p, (name, _))| {
                let means = (0..lengths.len()).map(|column| {
                    let place = column * tables.len() + t;
                    let runs = of_cell(experiment, part, first(p) + place / count);
                    Mean::of(
                        &runs
                            .map(|numbers| numbers[place % count])
                            .collect::<Vec<_>>(),
                    )
                });
                (name.clone(), means.collect())
            });
            Table {
                words: M::KIND.tables,
                of,
                lengths: lengths.to_vec(),
                values: values.collect(),
            }
        });
        VariantSummary {
            head: VariantHead::of(variant),
            tables: tables.collect(),
        }
    });
    RunsSummary {
        kind: M::KIND,
        title: experiment.title.clone(),
        seed: experiment.seed,
        runs: experiment.each,
        total: experiment.total(),
        finished: part.finished,
        reproducible: experiment.is_reproducible(part.finished, experiment.total()),
        variants: variants.collect(),
    }
}

/// The whole report, as Markdown that can be read as plain text too.
fn markdown(summary: &RunsSummary) -> String {
    let kind = &summary.kind;
    let [one, several] = kind.asked;
    let noun = if summary.runs == 1 { one } else { several };
    let runs = format!("{} {noun}", summary.runs);
    let mut text = opening(summary.title.as_deref(), &runs, summary.seed, summary);
    for variant in &summary.variants {
        text.push_str(&heading(&variant.head));
        let short = kind.tables.joins && variant.tables.iter().all(|t| t.lengths.len() == 1);
        if let (true, Some(first)) = (short, variant.tables.first()) {
            let length = count(first.lengths[0]);
            text.push_str(&format!("\nAfter {length} {}:\n\n", kind.tables.unit));
            text.push_str(&side_by_side(&variant.tables, first));
        } else {
            for table in &variant.tables {
                let above = kind.tables.above;
                text.push_str(&format!("\n{} {above}:\n\n", table.heading()));
                text.push_str(&table.curves().markdown());
            }
        }
    }
    text.push_str(&format!("\n{}\n", kind.closing));
    if summary.variants.iter().any(|v| v.tables[0].of.is_some()) {
        text.push_str(kind.closing_of);
    }
    text
}

/// A column for each table, where they have one each.
fn side_by_side(tables: &[Table], first: &Table) -> String {
    let mut rows = vec![vec!["player".to_string()]];
    rows[0].extend(tables.iter().map(Table::heading));
    for (place, name) in first.values.keys().enumerate() {
        let mut row = vec![escaped(name)];
        row.extend(tables.iter().map(|t| with_error(&t.values[place][0])));
        rows.push(row);
    }
    table(&rows, 1)
}

/// All numbers: a row for each player, table and length of search. What a table of nothing is of is empty.
fn csv(summary: &RunsSummary) -> String {
    let TableWords {
        of, length, value, ..
    } = summary.kind.tables;
    let mut text = format!("variant,player,{of},{length},runs,{value},{value}_low,{value}_high\n");
    for variant in &summary.variants {
        let name = quoted(variant.head.name.as_deref().unwrap_or_default());
        for table in &variant.tables {
            let of = table.of.map(|n| n.to_string()).unwrap_or_default();
            for (player, means) in &table.values {
                for (length, mean) in std::iter::zip(&table.lengths, means) {
                    let player = quoted(player);
                    text.push_str(&format!("{name},{player},{of},{length},{}", mean.n));
                    text.push_str(&estimate(mean.mean, mean.interval));
                    text.push('\n');
                }
            }
        }
    }
    text
}
