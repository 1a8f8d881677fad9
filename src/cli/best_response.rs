//! `ruse best-response`: what one player does best against what the others do.

use super::game::Game;
use super::interrupt;
use super::load;
use super::number::whole;
use super::output::{self, Failure, Verdict, table};
use super::solve::failure::moves;
use super::solve::profiles::Profiles;
use super::solve::strategy_file::Saving;
use super::solve::trees::{self, TreeArgs, six, size_text, strategies_text};
use crate::solve::summary::{LeftToOther, LocalStrategy, TreeSize};
use crate::solve::{best_response, exploitability};
use clap::Args;
use indexmap::IndexMap;
use serde::Serialize;
use std::path::PathBuf;

/// Find what a player does best against strategies of the others
#[derive(Args)]
#[command(after_help = "\
Examples:
  ruse best-response bluff.game --player Ann
  ruse best-response bluff.game --player Ann --strategy bluff.json
  ruse best-response duel.game --player Ben --to plan.json
  ruse best-response bluff.game --player Ben --strategy Ann=bluff.json --moves '3; 1' --save answer.json

Strategies are written as for `ruse exploitability`. The answer is one move at each information state, the first of \
the best; where the others never let the player come, too. In a game of two players whose payoffs have no constant sum \
the report also says what best responses leave to the other player; of several that are equally good, the worst and the best \
for it.

Exit codes:
  0  found
  1  the game has errors, has too large a tree, or does not suit a player; or it was stopped
  2  wrong use, or a file that cannot be read

A second Ctrl-C ends at once.")]
pub struct BestResponseCommand {
    #[command(flatten)]
    game: Game,

    /// Whose best response it is
    #[arg(long, value_name = "PLAYER")]
    player: String,

    /// What the players do; PLAYER=STRATEGY for one of them; may be repeated [default: uniform]
    #[arg(long, visible_alias = "to", value_name = "STRATEGY")]
    strategy: Vec<String>,

    /// Show what to do after these moves and draws, with semicolons between them [default: the start]
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "",
        hide_default_value = true
    )]
    moves: String,

    /// Everything random in searches comes from this number [default: 1]
    #[arg(long, value_name = "N", value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    seed: Option<u64>,

    /// Save the strategies, the answer among them, to this file, which must be new
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    #[command(flatten)]
    tree: TreeArgs,

    /// Print one JSON document instead
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document<'a> {
    file: &'a str,
    game: &'a str,
    player: &'a str,
    strategies: IndexMap<String, String>,
    /// What the player is paid with its own strategy.
    paid: f64,
    /// What it is paid with the best response.
    best_response: f64,
    /// Of a game of two players with payoffs of any sum: what that leaves to the other.
    #[serde(skip_serializing_if = "Option::is_none")]
    left_to_other: Option<LeftToOther>,
    tree: TreeSize,
    moves: &'a [String],
    choices: &'a [LocalStrategy],
}

impl BestResponseCommand {
    pub fn run(&self) -> Result<Verdict, Failure> {
        let loaded = load::game(&self.game)?;
        let machine = &loaded.machine;
        let player = loaded.player("--player", &self.player)?;
        let name = machine.player_name(player);
        let profiles = Profiles::read(&self.strategy, &loaded)?;
        let position = moves(&loaded, &self.moves)?;
        let saving = Saving::open(self.save.as_deref())?;
        let seed = profiles.seed(self.seed)?;
        let stop = interrupt::flag();
        let Some(built) = trees::built(&self.tree.options(), &loaded, &stop)? else {
            return Ok(output::stopped("the tree was not built", self.json));
        };
        let asked = trees::decisions(&loaded, &built.tree, &position, Some(player))?;
        let Some(mut profile) = profiles.profile(&loaded, &built, seed, &stop)? else {
            return Ok(output::stopped("the searches were not finished", self.json));
        };
        let paid = exploitability(&built.sequences, &profile).values[player] + 0.0;
        let best = best_response(&built.sequences, player, &profile);
        let left = LeftToOther::of(machine, &built.sequences, player, &profile);
        profile.adopt(&built.tree, player, &best.profile(&built.tree, player));
        let strategies = trees::strategies(&loaded, &built.tree, &asked, &profile)?;
        if let Some(saving) = saving {
            saving.save(&loaded, &built.tree, &profile)?;
        }
        let size = TreeSize::of(machine, &built.tree);
        let game = &machine.description().name;
        let moves = &position.moves;
        if self.json {
            output::json(&Document {
                file: &loaded.source.path,
                game,
                player: name,
                strategies: profiles.names(machine),
                paid,
                best_response: best.value + 0.0,
                left_to_other: left,
                tree: size,
                moves,
                choices: &strategies,
            });
        } else {
            let own = profiles.names(machine).swap_remove(name);
            let rows = [
                vec!["best response".to_string(), six(best.value)],
                vec![own.unwrap_or_default(), six(paid)],
            ];
            output::print(&format!(
                "{game}: what {} is paid\n{}\n\n{}{}{}",
                name,
                size_text(&size),
                table(&rows, &[1]),
                left.map_or_else(String::new, |left| trees::left_text(name, &left)),
                strategies_text(&strategies, moves, Some(name))
            ));
        }
        Ok(Verdict::Fine)
    }
}
