//! What commands over information states share: their options, the tree with progress, and what they print.

use super::failure;
use crate::cli::clock::stopwatch;
use crate::cli::load::Loaded;
use crate::cli::number::whole;
use crate::cli::output::{self, Failure, plural, table};
use crate::cli::progress::Shown;
use crate::solve::methods::Progress;
use crate::solve::summary::{Gains, LeftToOther, LocalStrategy, TreeSize, local_strategies};
use crate::solve::tree::build_to;
use crate::solve::{Position, Profile, Sequences, Tree, TreeError, TreeOptions};
use clap::Args;
use std::sync::atomic::AtomicBool;

/// How a tree is built.
#[derive(Args)]
pub struct TreeArgs {
    /// Refuse a game whose tree has more nodes; with what is written down
    /// of its moves one often takes 200 to 800 bytes [default: 5000000]
    #[arg(long, value_name = "N", value_parser = whole(1..=4_000_000_000), allow_negative_numbers = true)]
    pub nodes: Option<u64>,

    /// Pass through nodes where there is only one way on, as if they were not there
    #[arg(long)]
    pub skip_forced: bool,
}

impl TreeArgs {
    /// Those that were given, as on the command line.
    pub fn given(&self) -> impl Iterator<Item = &'static str> {
        let given = [
            ("--nodes", self.nodes.is_some()),
            ("--skip-forced", self.skip_forced),
        ];
        let given = given.into_iter().filter(|(_, given)| *given);
        given.map(|(name, _)| name)
    }

    pub fn options(&self) -> TreeOptions {
        let most = self.nodes.and_then(|n| u32::try_from(n).ok());
        TreeOptions {
            most_nodes: most.unwrap_or(TreeOptions::MOST_NODES),
            skip_forced: self.skip_forced,
        }
    }
}

/// A tree with its sequence form.
pub struct Built {
    pub tree: Tree,
    pub sequences: Sequences,
}

/// Builds the tree of a game; a counter shows how far it is. `None` when it was stopped.
pub fn built(
    options: &TreeOptions,
    loaded: &Loaded,
    stop: &AtomicBool,
) -> Result<Option<Built>, Failure> {
    let clock = stopwatch();
    let Some(tree) = grown(None, options, loaded, stop)? else {
        return Ok(None);
    };
    let sequences = Sequences::new(&tree);
    output::detail(|| {
        let size = size_text(&TreeSize::of(&loaded.machine, &tree));
        format!("tree built in {:.2} s: {size}", clock().as_secs_f64())
    });
    Ok(Some(Built { tree, sequences }))
}

/// The tree alone, whole or no deeper than some steps.
pub fn grown(
    depth: Option<u32>,
    options: &TreeOptions,
    loaded: &Loaded,
    stop: &AtomicBool,
) -> Result<Option<Tree>, Failure> {
    let mut shown = Shown::default();
    shown.begin("nodes", None);
    let mut progress = |n| shown.done(n);
    let tree = build_to(depth, &loaded.machine, options, &mut progress, stop);
    shown.end();
    match tree {
        Err(TreeError::Stopped) => Ok(None),
        tree => tree
            .map(Some)
            .map_err(|error| failure::tree(loaded, &error)),
    }
}

/// Who decides next after the moves, or where a certain player does.
pub fn decisions(
    loaded: &Loaded,
    tree: &Tree,
    position: &Position,
    player: Option<usize>,
) -> Result<Vec<usize>, Failure> {
    tree.decisions_after(&loaded.machine, &position.steps, player)
        .map_err(|error| failure::tree(loaded, &error))
}

/// Strategies at some information states, in words.
pub fn strategies(
    loaded: &Loaded,
    tree: &Tree,
    states: &[usize],
    profile: &Profile,
) -> Result<Vec<LocalStrategy>, Failure> {
    local_strategies(&loaded.machine, tree, states, profile)
        .map_err(|error| failure::tree(loaded, &error))
}

pub fn size_text(size: &TreeSize) -> String {
    let counts = size.information_states.values().map(ToString::to_string);
    let states = match counts.collect::<Vec<_>>().as_slice() {
        [one] if one == "1" => "1 information state".to_string(),
        counts => format!("{} information states", counts.join(" + ")),
    };
    let (nodes, ends) = (plural(size.nodes, "node"), plural(size.terminals, "end"));
    format!("{nodes}, {ends}, {states}")
}

/// The most information states that are printed.
const MOST_SHOWN: usize = 40;

/// The decisions after some moves, of `whom` where it is one player alone.
pub fn strategies_text(list: &[LocalStrategy], after: &[String], whom: Option<&str>) -> String {
    if list.is_empty() {
        let nobody = whom.map_or("nobody decides".to_string(), |whom| {
            format!("{whom} decides nothing")
        });
        return format!("\n{nobody} after that\n");
    }
    if after.is_empty() {
        return titled_strategies_text("first decisions", list);
    }
    titled_strategies_text(&format!("decisions after {}", after.join(", ")), list)
}

/// One line a choice; what the player saw stands before the first.
pub fn titled_strategies_text(title: &str, list: &[LocalStrategy]) -> String {
    let mut rows = Vec::new();
    for local in list.iter().take(MOST_SHOWN) {
        for (i, choice) in local.choices.iter().enumerate() {
            let (who, saw) = match i {
                0 if local.saw.is_empty() => (local.player.clone(), "-".to_string()),
                0 => (local.player.clone(), local.saw.join(", ")),
                _ => Default::default(),
            };
            let share = six(choice.probability);
            rows.push(vec![String::new(), who, saw, choice.text.clone(), share]);
        }
    }
    let more = match list.len().saturating_sub(MOST_SHOWN) {
        0 => String::new(),
        more => format!("  {more} more; --json has all\n"),
    };
    format!(
        "\n{title}: who, what the player saw, and how likely each move is\n{}{more}",
        table(&rows, &[4])
    )
}

/// A table: for each player what it is paid, what a best response earns, and the difference.
pub fn gains_text(gains: &Gains) -> String {
    let head = ["player", "paid", "best response", "gain"];
    let mut rows = vec![head.map(str::to_string).to_vec()];
    for ((name, value), best) in gains.values.iter().zip(gains.best_responses.values()) {
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
        small(gains.nash_conv),
        small(gains.exploitability)
    ));
    text
}

/// What is left to the other player when one answers best.
pub fn left_text(player: &str, left: &LeftToOther) -> String {
    let (least, most) = (six(left.least), six(left.most));
    let most = match least == most {
        true => String::new(),
        false => format!(" to {most}"),
    };
    format!(
        "a best response of {player} leaves {} with {least}{most}; paid {}\n",
        left.player,
        six(left.paid)
    )
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
        assert_eq!(six(-0.0), "0.000000");
        assert_eq!(six(-1e-9), "0.000000");
        assert_eq!(six(-1e-6), "-0.000001");
    }
}
