//! `--exploit`: whose strategy is looked at, and what it is.

use crate::cli::output::Failure;
use crate::cli::problem::Problem;
use crate::machine::{Action, Machine, State};
use crate::players::catalogue::DEFAULT_PLAYOUTS;
use crate::players::searcher::Searcher;
use crate::players::spec::PlayerSpec;
use crate::random::stream;
use crate::search::Budget;
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
                    "`{strategy}` has no strategy by state; there are `uniform`, `uct(playouts=N)` and `smmcts(playouts=N)`"
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
    Searcher::of(spec).is_some() && !spec.depends_on_time()
}

/// The strategy of a player that [`has_strategy`].
pub fn searched(spec: &PlayerSpec, seed: u64) -> Box<dyn StateStrategy> {
    match Searcher::of(spec) {
        None => Box::new(Uniform),
        Some(searcher) => Box::new(Searched {
            searcher,
            playouts: spec.count("playouts").unwrap_or(DEFAULT_PLAYOUTS),
            seed,
        }),
    }
}

/// A search from every state anew, and the strategy that it ends with.
struct Searched {
    searcher: Searcher,
    playouts: u64,
    seed: u64,
}

impl StateStrategy for Searched {
    fn probabilities(
        &mut self,
        machine: &Machine,
        state: &State,
        player: usize,
        _actions: &[Action],
    ) -> Result<Option<Vec<f64>>, SolveError> {
        let mut rng = stream(self.seed, &[machine.key(state), player as u64]);
        let budget = Budget {
            playouts: Some(self.playouts),
            keep_going: &|| true,
        };
        let found = self
            .searcher
            .search(machine, state, player, &budget, &mut rng)?;
        Ok(Some(found.strategy))
    }
}
