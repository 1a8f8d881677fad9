//! What the runs of an experiment about convergence mean: the mean loss of each player, with 95 % intervals by Student's t.

use super::part::Part;
use super::plan::Convergence;
use crate::arena::statistics::Mean;
use indexmap::IndexMap;
use serde::Serialize;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Summary {
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    pub game: String,
    pub params: IndexMap<String, String>,
    /// The spec of each player.
    pub players: IndexMap<String, String>,
    /// One for each depth; one for the whole game.
    pub tables: Vec<Table>,
}

/// What was measured in one way.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Table {
    /// For how many nodes the strategies were followed; `None` for the whole game.
    pub depth: Option<u32>,
    pub iterations: Vec<u64>,
    /// By player: the mean loss after each of the iterations, in units of payoff.
    pub losses: IndexMap<String, Vec<Mean>>,
}

impl Summary {
    pub fn is_complete(&self) -> bool {
        self.finished == self.total
    }
}

impl Table {
    /// What its numbers are.
    pub fn heading(&self) -> String {
        match self.depth {
            Some(depth) => format!("Ex_{depth}"),
            None => "Exploitability".to_string(),
        }
    }
}

/// Sums up what is finished.
pub fn sum_up(experiment: &Convergence, part: &Part) -> Summary {
    let depths: Vec<Option<u32>> = match experiment.depth.as_slice() {
        [] => vec![None],
        list => list.iter().map(|d| Some(*d)).collect(),
    };
    let variants = experiment.variants.iter().enumerate().map(|(v, variant)| {
        let description = variant.machine.description();
        let tables = depths.iter().enumerate().map(|(d, depth)| {
            let losses = variant.players.iter().enumerate().map(|(p, (name, _))| {
                let cell = v * variant.players.len() + p;
                let after = (0..experiment.iterations.len()).map(|i| {
                    let place = i * depths.len() + d;
                    let runs = part.of_cell(experiment, cell);
                    Mean::of(&runs.map(|numbers| numbers[place]).collect::<Vec<_>>())
                });
                (name.clone(), after.collect())
            });
            Table {
                depth: *depth,
                iterations: experiment.iterations.clone(),
                losses: losses.collect(),
            }
        });
        let players = variant.players.iter();
        VariantSummary {
            name: variant.name.clone(),
            game: description.name.clone(),
            params: description.params.clone(),
            players: players.map(|(n, s)| (n.clone(), s.to_string())).collect(),
            tables: tables.collect(),
        }
    });
    Summary {
        title: experiment.title.clone(),
        seed: experiment.seed,
        runs: experiment.runs,
        total: experiment.total(),
        finished: part.finished,
        variants: variants.collect(),
    }
}
