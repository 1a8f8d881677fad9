//! `--exploit`: whose strategy is looked at, and what it is.

use crate::cli::output::Failure;
use crate::cli::problem::Problem;
use crate::machine::{Action, Machine, State};
use crate::players::catalogue::DEFAULT_PLAYOUTS;
use crate::players::spec::PlayerSpec;
use crate::random::stream;
use crate::search::uct::{UctOptions, search};
use crate::search::{Budget, FinalChoice};
use crate::solve::SolveError;
use crate::solve::backward::depth::{StateStrategy, Uniform};

/// A player with a strategy.
pub struct Opponent {
    pub player: usize,
    /// As it was written.
    pub text: String,
    spec: Option<PlayerSpec>,
}

/// Reads `Ann=uniform` or `Ann=uct(playouts=800)`.
pub fn read(text: &str, machine: &Machine) -> Result<Opponent, Failure> {
    let wrong = |message: String| {
        Failure::wrong_use(Problem::outside(None, format!("--exploit: {message}")))
    };
    let Some((name, strategy)) = text.split_once('=') else {
        return Err(wrong(
            "write the player and the strategy as PLAYER=STRATEGY".to_string(),
        ));
    };
    let (name, strategy) = (name.trim(), strategy.trim());
    let found = (0..machine.player_count()).find(|&p| machine.player_name(p) == name);
    let Some(player) = found else {
        let names: Vec<&str> = (0..machine.player_count())
            .map(|p| machine.player_name(p))
            .collect();
        return Err(wrong(format!(
            "there is no player `{name}`: {}",
            names.join(", ")
        )));
    };
    let spec = match strategy {
        "uniform" => None,
        _ => {
            let spec = PlayerSpec::parse(strategy).map_err(|d| wrong(d.message.clone()))?;
            if !has_strategy(&spec) {
                return Err(wrong(format!(
                    "`{strategy}` has no strategy by state; there are `uniform` and `uct(playouts=N)`"
                )));
            }
            Some(spec)
        }
    };
    Ok(Opponent {
        player,
        text: strategy.to_string(),
        spec,
    })
}

impl Opponent {
    pub fn strategy(&self, seed: u64) -> Box<dyn StateStrategy> {
        match &self.spec {
            None => Box::new(Uniform),
            Some(spec) => searched(spec, seed),
        }
    }
}

/// Whether a player has a strategy by state: what it does depends on the state and the seed and nothing else.
pub fn has_strategy(spec: &PlayerSpec) -> bool {
    spec.entry().name == "uct" && !spec.depends_on_time()
}

/// The strategy of a player that [`has_strategy`].
pub fn searched(spec: &PlayerSpec, seed: u64) -> Box<dyn StateStrategy> {
    Box::new(Searched {
        playouts: spec.count("playouts").unwrap_or(DEFAULT_PLAYOUTS),
        options: UctOptions {
            exploration: spec.number("c"),
            final_choice: match spec.word("final") {
                Some("mean") => FinalChoice::Mean,
                Some("share") => FinalChoice::Share,
                _ => FinalChoice::Visits,
            },
        },
        seed,
    })
}

/// A search from every state anew. Its strategy is how it would pick its move: by the shares of the visits, or the one move.
struct Searched {
    playouts: u64,
    options: UctOptions,
    seed: u64,
}

impl StateStrategy for Searched {
    fn probabilities(
        &mut self,
        machine: &Machine,
        state: &State,
        player: usize,
        actions: &[Action],
    ) -> Result<Option<Vec<f64>>, SolveError> {
        let mut rng = stream(self.seed, &[machine.key(state), player as u64]);
        let budget = Budget {
            playouts: Some(self.playouts),
            keep_going: &|| true,
        };
        let found = search(machine, state, player, &self.options, &budget, &mut rng)?;
        Ok(Some(match self.options.final_choice {
            FinalChoice::Share => found.actions.iter().map(|a| a.visits as f64).collect(),
            _ => {
                let mut list = vec![0.0; actions.len()];
                list[found.chosen] = 1.0;
                list
            }
        }))
    }
}
