//! An experiment about fresh searches: a cell is a player of a variant with a budget.

use super::outline::Outline;
use super::{FreshSearches, Searching};
use crate::arena::experiment::codes;
use crate::arena::experiment::plan::{Experiment, Game, MOST_CELLS, MOST_UNITS, Variant};
use crate::players;
use crate::text::diagnostics::Diagnostic;

impl Experiment<FreshSearches> {
    /// Puts an experiment together from what its file says and the games of its variants, in their order. `text` is the
    /// file.
    ///
    /// # Errors
    /// When there are too many runs, or a player's search does not suit the game; the span is in `text`.
    pub fn new(
        text: &str,
        outline: &Outline,
        games: Vec<Game>,
    ) -> Result<Experiment<FreshSearches>, Box<Diagnostic>> {
        let mut experiment = Experiment {
            title: outline.title.clone(),
            seed: outline.seed,
            each: outline.runs,
            variants: Vec::new(),
            cells: Vec::new(),
            measure: FreshSearches {
                playouts: outline.playouts.clone(),
                searches: outline.searches.clone(),
            },
        };
        for (variant, (from, (machine, description))) in
            std::iter::zip(&outline.variants, games).enumerate()
        {
            for (player, (name, spec)) in from.players.iter().enumerate() {
                players::suits(spec, &machine).map_err(|error| {
                    let why = error
                        .diagnostic()
                        .map_or_else(|| error.to_string(), |d| d.message);
                    let message = format!("`{name}`: {why}");
                    let hint = "leave it out, or take another game";
                    from.place.report(text, codes::BAD_VALUE, message, hint)
                })?;
                for &playouts in &outline.playouts {
                    experiment.cells.push(Searching {
                        variant,
                        player,
                        playouts,
                    });
                }
            }
            experiment.variants.push(Variant {
                name: from.name.clone(),
                machine,
                description,
                players: from.players.clone(),
            });
            if experiment.is_too_large() {
                let (cells, total) = (experiment.cells.len(), experiment.total());
                let message =
                    format!("{cells} players with their budgets and {total} runs are too many");
                let hint = format!("at most {MOST_CELLS} players, and {MOST_UNITS} runs in all");
                return Err(from.place.report(text, codes::BAD_VALUE, message, &hint));
            }
        }
        Ok(experiment)
    }
}
