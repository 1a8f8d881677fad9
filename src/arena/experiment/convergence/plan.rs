//! An experiment about convergence: a cell is a player of a variant.

use super::outline::Outline;
use super::{Convergence, Searching};
use crate::arena::experiment::codes;
use crate::arena::experiment::plan::{Experiment, Game, MOST_CELLS, MOST_UNITS, Variant};
use crate::search::mcts::Options;
use crate::text::diagnostics::Diagnostic;

impl Experiment<Convergence> {
    /// Puts an experiment together from what its file says and the games of its variants, in their order. `text` is the
    /// file.
    ///
    /// # Errors
    /// When there are too many runs, or a player's search does not suit the game; the span is in `text`.
    pub fn new(
        text: &str,
        outline: &Outline,
        games: Vec<Game>,
    ) -> Result<Experiment<Convergence>, Box<Diagnostic>> {
        let mut experiment = Experiment {
            title: outline.title.clone(),
            seed: outline.seed,
            each: outline.runs,
            variants: Vec::new(),
            cells: Vec::new(),
            measure: Convergence {
                iterations: outline.iterations.clone(),
                depth: outline.depth.clone(),
            },
        };
        for (variant, (from, (machine, description))) in
            std::iter::zip(&outline.variants, games).enumerate()
        {
            for (player, (name, spec)) in from.players.iter().enumerate() {
                let suits = spec.searcher().map_or(Ok(()), |s| s.suits(&machine));
                suits.map_err(|unsuited| {
                    let message =
                        format!("`{name}` needs {}, and {}", unsuited.needs, unsuited.but);
                    let hint = "leave it out, or take another game";
                    from.place.report(text, codes::BAD_VALUE, message, hint)
                })?;
                experiment.cells.push(Searching { variant, player });
            }
            experiment.variants.push(Variant {
                name: from.name.clone(),
                machine,
                description,
                players: from.players.clone(),
            });
            if experiment.is_too_large() {
                let (cells, total) = (experiment.cells.len(), experiment.total());
                let message = format!("{cells} players and {total} runs are too many");
                let hint = format!("at most {MOST_CELLS} players, and {MOST_UNITS} runs in all");
                return Err(from.place.report(text, codes::BAD_VALUE, message, &hint));
            }
        }
        Ok(experiment)
    }

    /// The search of a cell.
    pub fn options(&self, cell: &Searching) -> Options {
        let spec = &self.variants[cell.variant].players[cell.player].1;
        let searcher = spec.searcher();
        let options = searcher.as_ref().and_then(|s| s.tree());
        options.cloned().unwrap_or_default()
    }
}
