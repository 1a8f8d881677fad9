//! What the methods over information states share: their options, the tree with progress, and how strategies are told.

use super::SolveCommand;
use super::moves::{Position, position};
use super::words::Words;
use crate::cli::load::Loaded;
use crate::cli::number::whole;
use crate::cli::output::{Failure, table};
use crate::cli::problem::Problem;
use crate::cli::progress;
use crate::machine::Machine;
use crate::solve::{Exploitability, Profile, Sequences, SolveError, Tree, TreeError, TreeOptions};
use clap::Args;
use indexmap::IndexMap;
use serde::Serialize;
use std::sync::atomic::AtomicBool;

/// How a tree is built.
#[derive(Args)]
pub struct TreeArgs {
    /// Refuse a game whose tree has more nodes; each takes up to 200 bytes [default: 5000000]
    #[arg(long, value_name = "N", value_parser = whole(1..=4_000_000_000), allow_negative_numbers = true)]
    pub nodes: Option<u64>,

    /// Pass through nodes where there is only one way on, as if they were not there
    #[arg(long)]
    pub skip_forced: bool,
}

impl TreeArgs {
    pub fn options(&self) -> TreeOptions {
        let most = self.nodes.and_then(|n| u32::try_from(n).ok());
        TreeOptions {
            most_nodes: most.unwrap_or(TreeOptions::MOST_NODES),
            skip_forced: self.skip_forced,
        }
    }
}

/// A tree with its sequence form.
pub struct Grown {
    pub tree: Tree,
    pub sequences: Sequences,
}

/// Builds the tree of a game; a counter shows how far it is. `None` when it was stopped.
pub fn grow(
    options: &TreeOptions,
    loaded: &Loaded,
    stop: &AtomicBool,
) -> Result<Option<Grown>, Failure> {
    let counter = progress::counter("nodes");
    let mut progress = |n| counter.set_position(n);
    let tree = crate::solve::tree::build(&loaded.machine, options, &mut progress, stop);
    counter.finish_and_clear();
    let tree = match tree {
        Err(TreeError::Stopped) => return Ok(None),
        tree => tree.map_err(|error| failure(loaded, &error))?,
    };
    let sequences = Sequences::new(&tree);
    Ok(Some(Grown { tree, sequences }))
}

/// An error of a tree as a report on the text of the game, where it has a place there.
pub fn failure(loaded: &Loaded, error: &TreeError) -> Failure {
    if let TreeError::Walk(error) = error {
        return super::failure::failure(loaded, error);
    }
    Failure::no(match error.diagnostic(&loaded.machine) {
        Some(problem) => Problem::InText(loaded.source.clone(), problem),
        None => Problem::Outside {
            file: Some(loaded.source.path.clone()),
            code: error.code(),
            message: error.message(),
            hint: None,
        },
    })
}

/// The size of a tree.
#[derive(Serialize)]
pub struct Size {
    pub nodes: usize,
    pub terminals: usize,
    pub information_states: IndexMap<String, usize>,
    pub choices: IndexMap<String, usize>,
}

impl Size {
    pub fn of(machine: &Machine, tree: &Tree) -> Size {
        let name = |p: usize| machine.player_name(p).to_string();
        let players = 0..tree.players();
        Size {
            nodes: tree.nodes().len(),
            terminals: tree.terminals(),
            information_states: players
                .clone()
                .map(|p| (name(p), tree.states_of(p).len()))
                .collect(),
            choices: players
                .map(|p| (name(p), tree.choices_of(p).len()))
                .collect(),
        }
    }

    pub fn text(&self) -> String {
        let counts: Vec<String> = self
            .information_states
            .values()
            .map(ToString::to_string)
            .collect();
        format!(
            "{} nodes, {} ends, {} information states",
            self.nodes,
            self.terminals,
            counts.join(" + ")
        )
    }
}

/// A strategy at one information state.
#[derive(Serialize)]
pub struct Told {
    pub player: String,
    /// What the player saw before.
    pub saw: Vec<String>,
    pub choices: Vec<Weighed>,
}

#[derive(Serialize)]
pub struct Weighed {
    #[serde(rename = "move")]
    pub text: String,
    pub probability: f64,
}

/// Strategies at some information states, in words.
pub fn tell(
    loaded: &Loaded,
    tree: &Tree,
    states: &[usize],
    profile: &Profile,
) -> Result<Vec<Told>, Failure> {
    let machine = &loaded.machine;
    let words = Words::new(machine, tree);
    let told = |&number: &usize| {
        let state = &tree.information_states()[number];
        let probabilities = &profile.probabilities[state.range()];
        let choices = words.choices(number)?.into_iter().zip(probabilities);
        Ok(Told {
            player: machine.player_name(state.player as usize).to_string(),
            saw: words.saw(number)?,
            choices: choices
                .map(|(text, &probability)| Weighed { text, probability })
                .collect(),
        })
    };
    let told: Result<Vec<Told>, TreeError> = states.iter().map(told).collect();
    told.map_err(|error| failure(loaded, &error))
}

/// The most information states that are printed.
const MOST_TOLD: usize = 40;

/// One line a choice; what the player saw stands before the first.
pub fn told_text(list: &[Told], after: &[String]) -> String {
    if list.is_empty() {
        return "\nnobody decides after that\n".to_string();
    }
    let mut rows = Vec::new();
    for told in list.iter().take(MOST_TOLD) {
        for (i, choice) in told.choices.iter().enumerate() {
            let (who, saw) = match i {
                0 if told.saw.is_empty() => (told.player.clone(), "-".to_string()),
                0 => (told.player.clone(), told.saw.join(", ")),
                _ => Default::default(),
            };
            let share = six(choice.probability);
            rows.push(vec![String::new(), who, saw, choice.text.clone(), share]);
        }
    }
    let title = if after.is_empty() {
        "first decisions".to_string()
    } else {
        format!("decisions after {}", after.join(", "))
    };
    let more = match list.len().saturating_sub(MOST_TOLD) {
        0 => String::new(),
        more => format!("  {more} more; --json has all\n"),
    };
    format!(
        "\n{title}: who, what the player saw, and how likely each move is\n{}{more}",
        table(&rows, &[4])
    )
}

/// The place that `--moves` names, and who decides next there.
pub struct Asked {
    pub position: Position,
    pub states: Vec<usize>,
}

impl Asked {
    /// Reads `--moves`; to be done before long work.
    pub fn read(command: &SolveCommand, loaded: &Loaded) -> Result<Position, Failure> {
        position(&loaded.machine, &command.moves)
    }

    /// Finds who decides next there, or where a certain player does.
    pub fn find(
        loaded: &Loaded,
        tree: &Tree,
        position: Position,
        player: Option<usize>,
    ) -> Result<Asked, Failure> {
        let machine = &loaded.machine;
        let place = tree.follow(machine, &position.steps);
        let place = place.map_err(|error| failure(loaded, &error))?;
        let states = match place {
            Some(place) => tree
                .next_decisions(machine, &place, player)
                .map_err(|error| failure(loaded, &error))?,
            None => return Err(super::failure::failure(loaded, &SolveError::Unreachable)),
        };
        Ok(Asked { position, states })
    }
}

/// What players are paid, and what they could gain.
#[derive(Serialize)]
pub struct Reached {
    pub values: IndexMap<String, f64>,
    pub best_responses: IndexMap<String, f64>,
    /// The sum over the players of what each would gain.
    pub nash_conv: f64,
    /// The same, divided by the number of players.
    pub exploitability: f64,
}

impl Reached {
    pub fn of(machine: &Machine, found: &Exploitability) -> Reached {
        let named = |list: &[f64]| {
            let named = list.iter().enumerate();
            named
                .map(|(p, x)| (machine.player_name(p).to_string(), x + 0.0))
                .collect()
        };
        Reached {
            values: named(&found.values),
            best_responses: named(&found.best_responses),
            nash_conv: found.nash_conv + 0.0,
            exploitability: found.per_player() + 0.0,
        }
    }

    /// A table: for each player what it is paid, what a best response earns, and the difference.
    pub fn text(&self) -> String {
        let mut rows = vec![
            ["player", "paid", "best response", "gain"]
                .map(str::to_string)
                .to_vec(),
        ];
        for ((name, value), best) in self.values.iter().zip(self.best_responses.values()) {
            rows.push(vec![
                name.clone(),
                six(*value),
                six(*best),
                small(best - value),
            ]);
        }
        let mut text = table(&rows, &[1, 2, 3]);
        text.push_str(&format!(
            "\nNashConv {}, exploitability {}\n",
            small(self.nash_conv),
            small(self.exploitability)
        ));
        text
    }
}

/// A number with six decimals, and no `-0`.
pub fn six(x: f64) -> String {
    let text = format!("{x:.6}");
    match text.strip_prefix('-') {
        Some(rest) if rest.chars().all(|c| c == '0' || c == '.') => rest.to_string(),
        _ => text,
    }
}

/// A number that is often close to 0: then with an exponent. Below 1e-12 it is rounding and nothing else.
pub fn small(x: f64) -> String {
    if x.abs() < 1e-12 {
        "0".to_string()
    } else if x.abs() < 1e-3 {
        format!("{x:.1e}")
    } else {
        six(x)
    }
}

#[cfg(test)]
mod tests {
    use super::{six, small};

    #[test]
    fn numbers_close_to_nothing_are_readable() {
        assert_eq!(small(0.25), "0.250000");
        assert_eq!(small(3.14e-7), "3.1e-7");
        assert_eq!(small(-1e-16), "0");
        assert_eq!(six(-1e-9), "0.000000");
    }
}
