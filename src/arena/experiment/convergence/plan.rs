//! An experiment about convergence as a list of runs. Each follows from the seed, its variant, its player and its number,
//! and from nothing else.

use super::outline::Outline;
use super::part::Part;
use crate::arena::experiment::codes;
use crate::arena::experiment::header::Header;
use crate::arena::experiment::kept::Kept;
use crate::arena::experiment::plan::{Game, MOST_CELLS, MOST_UNITS, Shard};
use crate::machine::Machine;
use crate::players::PlayerSpec;
use crate::players::searcher::Searcher;
use crate::search::smmcts::SmMctsOptions;
use crate::text::diagnostics::Diagnostic;
use std::sync::Arc;

/// What is to be measured.
#[derive(Clone)]
pub struct Convergence {
    pub title: Option<String>,
    /// Searches by each player of each variant.
    pub runs: u64,
    /// After how many simulations it is measured, ascending.
    pub iterations: Vec<u64>,
    /// For how many nodes the strategy is followed; nothing for the whole game.
    pub depth: Vec<u32>,
    pub seed: u64,
    pub variants: Vec<Variant>,
}

/// The settings of one table.
#[derive(Clone)]
pub struct Variant {
    pub name: Option<String>,
    pub machine: Arc<Machine>,
    /// The fingerprint of the description.
    pub description: String,
    pub players: Vec<(String, PlayerSpec)>,
}

/// One search.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Whose: the players of the first variant are numbered first, then those of the second, and so on.
    pub cell: usize,
    /// From 0.
    pub number: u64,
}

impl Convergence {
    /// Puts an experiment together from what its file says and the games of its variants, in their order. `text` is the
    /// file.
    ///
    /// # Errors
    /// When there are too many runs, or a player's search does not suit the game; the span is in `text`.
    pub fn new(
        text: &str,
        outline: &Outline,
        games: Vec<Game>,
    ) -> Result<Convergence, Box<Diagnostic>> {
        let mut experiment = Convergence {
            title: outline.title.clone(),
            runs: outline.runs,
            iterations: outline.iterations.clone(),
            depth: outline.depth.clone(),
            seed: outline.seed,
            variants: Vec::new(),
        };
        for (from, (machine, description)) in std::iter::zip(&outline.variants, games) {
            for (name, spec) in &from.players {
                let suits = Searcher::of(spec).map_or(Ok(()), |s| s.suits(&machine));
                suits.map_err(|unsuited| {
                    let message = format!("`{name}` {}, and {}", unsuited.needs, unsuited.but);
                    let hint = "leave it out, or take another game";
                    from.place.report(text, codes::BAD_VALUE, message, hint)
                })?;
            }
            experiment.variants.push(Variant {
                name: from.name.clone(),
                machine,
                description,
                players: from.players.clone(),
            });
            let (cells, total) = (experiment.cells(), experiment.total());
            if cells > MOST_CELLS || total > MOST_UNITS {
                let message = format!("{cells} players and {total} runs are too many");
                let hint = format!("at most {MOST_CELLS} players, and {MOST_UNITS} runs in all");
                return Err(from.place.report(text, codes::BAD_VALUE, message, &hint));
            }
        }
        Ok(experiment)
    }

    /// The players of one variant; all have as many.
    fn players(&self) -> usize {
        self.variants.first().map_or(0, |v| v.players.len())
    }

    /// The players of all variants.
    pub fn cells(&self) -> usize {
        self.variants.len() * self.players()
    }

    /// All runs.
    pub fn total(&self) -> u64 {
        self.runs.saturating_mul(self.cells() as u64)
    }

    /// The variant of a cell, and the place of the player in it.
    pub fn place(&self, cell: usize) -> (usize, usize) {
        (cell / self.players(), cell % self.players())
    }

    /// The search of a cell.
    pub fn options(&self, cell: usize) -> SmMctsOptions {
        let (variant, player) = self.place(cell);
        let spec = &self.variants[variant].players[player].1;
        match Searcher::of(spec) {
            Some(Searcher::SmMcts(options)) => options,
            _ => SmMctsOptions::default(),
        }
    }

    /// How many numbers a run gives: one for each depth (one for the whole game) after each of `iterations`.
    pub fn measures(&self) -> usize {
        self.iterations.len() * self.depth.len().max(1)
    }

    /// The runs of a part, in the order in which they are made: all players grow together.
    pub fn list(&self, shard: Shard) -> impl Iterator<Item = Run> {
        let cells = self.cells();
        let all =
            (0..self.runs).flat_map(move |number| (0..cells).map(move |cell| Run { cell, number }));
        all.filter(move |run| Convergence::holds(shard, *run))
    }

    /// Whether a run belongs to a part. Every part has its share of each player's.
    pub fn holds(shard: Shard, run: Run) -> bool {
        (run.number + run.cell as u64) % shard.of == shard.number - 1
    }

    /// The number of a run among all.
    pub fn index(&self, run: Run) -> usize {
        run.number as usize * self.cells() + run.cell
    }
}

impl Kept for Convergence {
    type Part = Part;

    fn header(&self, shard: Shard) -> Header {
        let mut header = Header::new(shard, self.seed);
        header.runs = Some(self.runs);
        header.iterations = self.iterations.clone();
        header.depth = self.depth.clone();
        for variant in &self.variants {
            let (name, players) = (variant.name.as_ref(), &variant.players);
            let machine = &variant.machine;
            header.add(name, machine, &variant.description, players, Vec::new());
        }
        header
    }

    fn begin(&self) -> Part {
        Part::new(self)
    }

    fn take(&self, part: &mut Part, shard: Shard, line: &[u8]) -> Result<bool, String> {
        part.take(self, shard, line).map(|()| false)
    }

    fn is_finished(&self, part: &Part, shard: Shard) -> bool {
        part.missing(self, shard).is_empty()
    }

    fn merge(&self, part: &mut Part, other: Part) {
        part.merge(other);
    }

    fn list_size(&self, shard: Shard) -> u64 {
        self.list(shard).count() as u64
    }

    /// Every run stays a line of its own, for no two measure the same.
    fn shortened(&self, _: &Part) -> Option<Vec<String>> {
        None
    }
}
