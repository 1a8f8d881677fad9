//! Players: a search or a strategy with what it needs to sit at a table, built from a spec such as `uct(playouts=1000)`.
//!
//! A player gets the rules (the machine) when it is built, then only its own observations and, when it is asked, its own
//! legal actions. The state of the match never comes here; it belongs to `arena`.

pub mod belief_player;
pub mod by_information_state;
pub mod by_state;
pub mod catalogue;
pub mod codes;
mod deciding;
pub mod history_player;
pub mod limits;
mod meaning;
pub mod patience;
pub mod player;
pub mod random;
pub mod rebuild;
pub mod search_player;
pub mod spec;
pub mod strategy;
pub mod thought;
pub mod usual;
pub mod yaml;

pub use by_information_state::by_information_state;
pub use by_state::by_state;
pub use patience::Patience;
pub use player::{Player, PlayerError, Question};
pub use spec::PlayerSpec;
pub use strategy::{Preparation, PrepareError};
pub use thought::Thought;
pub use usual::{Usual, usual};

use crate::machine::{Machine, State};
use crate::random::stream;
use crate::search::SearchResult;
use crate::text::diagnostics::Diagnostic;
use belief_player::BeliefPlayer;
use history_player::HistoryPlayer;
use limits::Limits;
use search_player::SearchPlayer;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use strategy::StrategyPlayer;

/// The time since some fixed moment. It must advance by itself: a budget in milliseconds ends by it.
pub type Clock = Arc<dyn Fn() -> Duration + Send + Sync>;

/// Whether the game is one that the player can play at all.
///
/// # Errors
/// [`PlayerError::Unsuited`] for a game with hidden information and a player that takes the world state for known, or one
/// that the player's search does not suit; its span is in the text of the game.
pub fn suits(spec: &PlayerSpec, machine: &Machine) -> Result<(), PlayerError> {
    let name = spec.entry().name;
    let Some(hidden) = machine.features().hidden.first() else {
        return searches(spec, machine);
    };
    if !spec.entry().needs_perfect_information {
        return searches(spec, machine);
    }
    let open: Vec<String> = catalogue::CATALOGUE
        .iter()
        .filter(|e| e.plays_hidden_information() && suited(e.name, machine))
        .map(|e| format!("`{}`", e.name))
        .collect();
    let problem = Diagnostic::error(
        codes::UNSUITED,
        hidden.span,
        format!(
            "`{name}` cannot play {}: it needs perfect information, and {}",
            machine.description().name,
            hidden.reason,
        ),
    )
    .label("not seen by everyone")
    .hint(format!("players for this game: {}", open.join(", ")));
    Err(PlayerError::Unsuited(Box::new(problem)))
}

/// Whether a player with its usual settings takes a game, for all that it does not see.
fn suited(name: &str, machine: &Machine) -> bool {
    PlayerSpec::parse(name).is_ok_and(|spec| searches(&spec, machine).is_ok())
}

/// Whether the search of a player, if it has one, knows what to do in a game in which nothing is hidden; and the method of one
/// that solves.
fn searches(spec: &PlayerSpec, machine: &Machine) -> Result<(), PlayerError> {
    spec.can_solve(machine).map_err(PlayerError::Unsuited)?;
    let from_state = spec.searcher().map(|searcher| searcher.suits(machine));
    let suits = from_state
        .or_else(|| Some(spec.belief_searcher()?.suits(machine)))
        .or_else(|| Some(spec.history_searcher()?.suits(machine)));
    let Some(Err(unsuited)) = suits else {
        return Ok(());
    };
    let name = spec.entry().name;
    let problem = Diagnostic::error(
        codes::UNSUITED,
        unsuited.span,
        format!(
            "`{name}` cannot play {}: `{}` needs {}, and {}",
            machine.description().name,
            unsuited.setting,
            unsuited.needs,
            unsuited.but,
        ),
    )
    .label(unsuited.but);
    let instead: Vec<String> = unsuited.instead.iter().map(|s| format!("`{s}`")).collect();
    Err(PlayerError::Unsuited(Box::new(
        match instead.split_last() {
            None => problem,
            Some((one, [])) => problem.hint(format!("`{name}` plays it with {one}")),
            Some((last, others)) => problem.hint(format!(
                "`{name}` plays it with {} or {last}",
                others.join(", ")
            )),
        },
    )))
}

/// Makes a player for one seat. It may play many games one after the other.
///
/// # Errors
/// As [`suits`]; [`PlayerError::Unprepared`].
pub fn build(
    spec: &PlayerSpec,
    machine: &Arc<Machine>,
    clock: &Clock,
) -> Result<Box<dyn Player>, PlayerError> {
    suits(spec, machine)?;
    match spec.strategy(machine) {
        Ok(None) => {}
        Ok(Some(strategy)) => return Ok(Box::new(StrategyPlayer::new(strategy))),
        Err(error) => return Err(error),
    }
    let limits = Limits::of(spec);
    if let Some(searcher) = spec.searcher() {
        return Ok(Box::new(SearchPlayer::new(
            searcher, limits, machine, clock,
        )));
    }
    if let Some(searcher) = spec.history_searcher() {
        let searcher = (searcher, spec.model(machine)?);
        return Ok(Box::new(HistoryPlayer::new(
            searcher, limits, machine, clock,
        )));
    }
    Ok(match spec.belief_searcher() {
        Some(searcher) => {
            let searcher = (searcher, spec.model(machine)?);
            Box::new(BeliefPlayer::new(searcher, limits, machine, clock))
        }
        None => Box::new(random::RandomPlayer::default()),
    })
}

impl PlayerSpec {
    /// Makes a player for one seat. It may play many games one after the other.
    ///
    /// # Errors
    /// [`PlayerError::Unsuited`] for a game that it cannot play; [`PlayerError::Unprepared`].
    pub fn player(
        &self,
        machine: &Arc<Machine>,
        clock: &Clock,
    ) -> Result<Box<dyn Player>, PlayerError> {
        build(self, machine, clock)
    }

    /// Searches from a state for a player who moves there, as long as the spec says; when `cancel` is set, the search ends
    /// with what it has. `None` for a player that does not search.
    ///
    /// # Errors
    /// [`PlayerError::Unsuited`] for a game that it cannot play, [`PlayerError::Rules`] where play runs into an error or
    /// `player` has nothing to choose.
    pub fn search(
        &self,
        machine: &Machine,
        state: &State,
        player: usize,
        seed: u64,
        clock: &Clock,
        cancel: &AtomicBool,
    ) -> Result<Option<SearchResult>, PlayerError> {
        suits(self, machine)?;
        let Some(searcher) = self.searcher() else {
            return Ok(None);
        };
        let limits = Limits::of(self);
        let in_time = limits.in_time(clock);
        let keep_going = || !cancel.load(Ordering::Relaxed) && in_time();
        let mut rng = stream(seed, &[]);
        let found = searcher.search(
            machine,
            state,
            player,
            &limits.budget(&keep_going),
            &mut rng,
        );
        Ok(Some(found?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ben does not see what Ann chose.
    const GAME: &str = "game Two {
      players { Ann, Ben }
      state { a : 0..2 seen by Ann  b : 0..2 }
      play { Ann chooses x in 0..2 into a  Ben chooses y in 0..2 into b }
      payoff zero-sum: [p in Player] if (a > b) == (p == Ann) then 1 else -1
    }";

    fn spec(text: &str) -> PlayerSpec {
        PlayerSpec::parse(text).unwrap()
    }

    fn machine(text: &str) -> Arc<Machine> {
        let loaded = crate::load(text, &Default::default());
        Arc::new(loaded.unwrap_or_else(|p| panic!("{p:?}")).0)
    }

    #[test]
    fn a_spec_searches_where_it_can() {
        let open = machine(&GAME.replace("seen by Ann", ""));
        let clock: Clock = Arc::new(|| Duration::ZERO);
        let stop = AtomicBool::new(false);
        let search = |machine: &Machine, spec: &PlayerSpec, player| {
            let start = machine.initial().unwrap();
            spec.search(machine, &start, player, 1, &clock, &stop)
        };
        let found = search(&open, &spec("uct(playouts=30)"), 0)
            .unwrap()
            .unwrap();
        assert_eq!((found.playouts, found.actions.len()), (30, 3));
        assert_eq!(search(&open, &spec("random"), 0), Ok(None));
        let waits = search(&open, &spec("uct"), 1);
        assert!(matches!(waits, Err(PlayerError::Rules(_))), "{waits:?}");
        let hidden = search(&machine(GAME), &spec("uct"), 0);
        assert!(
            matches!(hidden, Err(PlayerError::Unsuited(_))),
            "{hidden:?}"
        );
        stop.store(true, Ordering::Relaxed);
        let stopped = search(&open, &spec("uct(playouts=30)"), 0)
            .unwrap()
            .unwrap();
        assert_eq!(stopped.playouts, 1);
    }

    #[test]
    fn a_spec_makes_a_player() {
        let clock: Clock = Arc::new(|| Duration::ZERO);
        let machine = machine(GAME);
        assert!(spec("random").player(&machine, &clock).is_ok());
        let refused = spec("uct").player(&machine, &clock).map(drop);
        assert!(matches!(refused, Err(PlayerError::Unsuited(_))));
    }
}
