//! `ruse perft`: counts everything that can happen in a game.

use super::game::Game;
use super::load::{self, Loaded};
use super::number::whole;
use super::output::{self, Failure, Verdict, table};
use super::solve::failure::failure;
use super::{interrupt, progress};
use crate::solve::perft::{Details, Perft, PerftOptions, perft};
use crate::solve::states::{States, count_states};
use clap::Args;
use indexmap::IndexMap;
use serde::Serialize;

/// The largest depth that can be asked for.
const MOST_PLIES: u64 = 1_000_000_000;

/// Count everything that can happen: histories, ends, information states
#[derive(Args)]
#[command(after_help = "\
Examples:
  ruse perft duel.game
  ruse perft duel.game --depth 4
  ruse perft duel.game --depth 5 --bulk
  ruse perft duel.game --set rounds=2 --full
  ruse perft duel.game --states

One joint action or one outcome of chance is one ply.

Exit codes:
  0  counted
  1  the game has errors, play ran into one, or it was stopped
  2  wrong use, or the file cannot be read

Ctrl-C stops the count and prints what there is; a second Ctrl-C ends at once.")]
pub struct PerftCommand {
    #[command(flatten)]
    game: Game,

    /// Count histories of at most N plies
    #[arg(long, value_name = "N", value_parser = whole(0..=MOST_PLIES), allow_negative_numbers = true)]
    depth: Option<u64>,

    /// Count what can be done before the last ply and do not play it, which is far faster: how many of those histories end
    /// is not found out
    #[arg(long, requires = "depth", conflicts_with_all = ["full", "skip_forced", "states"])]
    bulk: bool,

    /// Also information states, payoffs, and exact means when everybody plays at random
    #[arg(long)]
    full: bool,

    /// Pass through nodes where there is only one way on, as if they were not there
    #[arg(long)]
    skip_forced: bool,

    /// Count distinct states instead, each once, however many histories lead to it
    #[arg(long, conflicts_with_all = ["depth", "full"])]
    states: bool,

    /// Print one JSON document instead
    #[arg(long)]
    json: bool,
}

/// A count as JSON, with a mark when it was stopped.
#[derive(Serialize)]
struct Report<'a, T> {
    #[serde(flatten)]
    count: &'a T,
    #[serde(skip_serializing_if = "Option::is_none")]
    complete: Option<bool>,
}

impl PerftCommand {
    pub fn run(&self) -> Result<Verdict, Failure> {
        let loaded = load::game(&self.game)?;
        let complete = if self.states {
            self.states(&loaded)?
        } else {
            self.histories(&loaded)?
        };
        if complete {
            return Ok(Verdict::Fine);
        }
        output::say("stopped: the count is not complete");
        Ok(Verdict::No)
    }

    /// Whether it got to the end.
    fn histories(&self, loaded: &Loaded) -> Result<bool, Failure> {
        let options = PerftOptions {
            depth: self.depth.map(|n| n as usize),
            skip_forced: self.skip_forced,
            details: self.full,
            bulk: self.bulk,
        };
        let stop = interrupt::flag();
        let count = progress::counting("histories", |progress| {
            perft(&loaded.machine, &options, progress, &stop)
        });
        let count = count.map_err(|error| failure(loaded, &error))?;
        self.print(&count, count.complete, histories_text);
        Ok(count.complete)
    }

    /// Whether it got to the end.
    fn states(&self, loaded: &Loaded) -> Result<bool, Failure> {
        let stop = interrupt::flag();
        let count = progress::counting("states", |progress| {
            count_states(&loaded.machine, self.skip_forced, progress, &stop)
        });
        let count = count.map_err(|error| failure(loaded, &error))?;
        self.print(&count, count.complete, states_text);
        Ok(count.complete)
    }

    fn print<T: Serialize>(&self, count: &T, complete: bool, text: fn(&T) -> String) {
        if self.json {
            output::json(&Report {
                count,
                complete: (!complete).then_some(false),
            });
        } else {
            let mark = if complete { "" } else { "not complete\n\n" };
            output::print(&format!("{mark}{}", text(count)));
        }
    }
}

fn cells<const N: usize>(cells: [&dyn ToString; N]) -> Vec<String> {
    cells.iter().map(|c| c.to_string()).collect()
}

fn histories_text(count: &Perft) -> String {
    let mut rows = vec![cells([&"plies", &"histories", &"ended"])];
    let ends = |known: Option<&u64>| known.map_or("-".to_string(), u64::to_string);
    for (depth, nodes) in count.nodes_by_depth.iter().enumerate() {
        let ends = ends(count.terminals_by_depth.get(depth));
        rows.push(cells([&depth, nodes, &ends]));
    }
    let all = count.terminals_by_depth.len() == count.nodes_by_depth.len();
    let ends = ends(all.then_some(&count.terminals));
    rows.push(cells([&"all", &count.histories, &ends]));
    let mut text = table(&rows, &[0, 1, 2]);
    text.push_str(&format!("\nchance edges: {}\n", count.chance_edges));
    if let Some(details) = &count.details {
        text.push_str(&details_text(details));
    }
    text
}

fn details_text(details: &Details) -> String {
    let listing = |title: &str, list: &IndexMap<String, u64>| {
        if list.is_empty() {
            return String::new();
        }
        let rows: Vec<Vec<String>> = list.iter().map(|(k, n)| cells([&"", k, n])).collect();
        format!("\n{title}\n{}", table(&rows, &[2]))
    };
    let mut text = listing("information states", &details.information_states);
    text.push_str(&listing(
        "histories that end with payoffs",
        &details.payoffs,
    ));
    let means = (
        &details.uniform_value,
        &details.uniform_value_exact,
        details.uniform_length,
        &details.uniform_length_exact,
    );
    if let (Some(values), Some(exact), Some(length), Some(exact_length)) = means {
        let names = details.information_states.keys();
        let mut rows: Vec<Vec<String>> = std::iter::zip(names, std::iter::zip(values, exact))
            .map(|(name, (value, exact))| mean_row(name, *value, exact))
            .collect();
        rows.push(mean_row("plies", length, exact_length));
        text.push_str("\nmeans when everybody plays uniformly at random\n");
        text.push_str(&table(&rows, &[2]));
    }
    text
}

/// A decimal, and the fraction beside it where that says more and is short enough to read.
fn mean_row(name: &str, value: f64, exact: &str) -> Vec<String> {
    let fraction = if exact.contains('/') && exact.len() <= 40 {
        format!("= {exact}")
    } else {
        String::new()
    };
    // `-0` is the mean of nothing that anybody would call negative.
    cells([&"", &name, &format!("{:.6}", value + 0.0), &fraction])
}

fn states_text(count: &States) -> String {
    let rows = [
        cells([&"decision", &count.decision]),
        cells([&"chance", &count.chance]),
        cells([&"terminal", &count.terminal]),
        cells([&"all", &count.total]),
    ];
    format!("distinct states\n{}", table(&rows, &[1]))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A coin that one player calls.
    fn coin() -> Perft {
        Perft {
            histories: 7,
            terminals: 4,
            nodes_by_depth: vec![1, 2, 4],
            terminals_by_depth: vec![0, 0, 4],
            chance_edges: 2,
            details: Some(Details {
                information_states: IndexMap::from([("Ann".to_string(), 1)]),
                payoffs: IndexMap::from([("1/3".to_string(), 2), ("-1".to_string(), 2)]),
                uniform_value: Some(vec![-1.0 / 3.0]),
                uniform_value_exact: Some(vec!["-1/3".to_string()]),
                uniform_length: Some(2.0),
                uniform_length_exact: Some("2".to_string()),
            }),
            complete: true,
        }
    }

    #[test]
    fn a_count_is_a_table_by_plies_and_lists() {
        let text = "\
plies  histories  ended
    0          1      0
    1          2      0
    2          4      4
  all          7      4

chance edges: 2

information states
  Ann  1

histories that end with payoffs
  1/3  2
  -1   2

means when everybody plays uniformly at random
  Ann    -0.333333  = -1/3
  plies   2.000000
";
        assert_eq!(histories_text(&coin()), text);
    }

    #[test]
    fn only_a_count_that_was_stopped_says_so_in_json() {
        let count = coin();
        let report = |complete| {
            let report = Report {
                count: &count,
                complete,
            };
            serde_json::to_value(report).unwrap()
        };
        assert_eq!(report(None)["uniform_value_exact"][0], "-1/3");
        assert!(report(None).get("complete").is_none());
        assert_eq!(report(Some(false))["complete"], false);
    }
}
