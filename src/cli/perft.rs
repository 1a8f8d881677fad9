//! `ruse perft`: counts everything that can happen in a game.

use super::game::Game;
use super::load;
use super::output::{Failure, Verdict};
use clap::Args;

/// Count everything that can happen: histories, ends, information states
#[derive(Args)]
pub struct Perft {
    #[command(flatten)]
    game: Game,

    /// Print one JSON document instead
    #[arg(long)]
    pub json: bool,
}

impl Perft {
    pub fn run(&self) -> Result<Verdict, Failure> {
        let _loaded = load::game(&self.game)?;
        Ok(Verdict::Fine)
    }
}
