//! What was played, as lines of a record.

use super::lines::{GameLine, Header, Move, VERSION};
use crate::arena::game::{GameResult, Ply};
use crate::arena::seating::SeatingPlan;
use crate::machine::{Action, Machine, PlayError, State, Turn};
use crate::syntax::fingerprint::fingerprint;
use crate::text::sources::Sources;

/// The first line of the record of a match. `file` is where the game is from, `sources` its text and those it extends.
pub fn header(
    machine: &Machine,
    plan: &SeatingPlan,
    seed: u64,
    file: &str,
    sources: &Sources,
) -> Header {
    let seats = seat_names(machine);
    header_of(machine, plan.text(&seats), seed, file, sources)
}

/// As [`header`], with the players as a text that need not be read by `SeatingPlan`.
pub fn header_of(
    machine: &Machine,
    players: String,
    seed: u64,
    file: &str,
    sources: &Sources,
) -> Header {
    let description = machine.description();
    Header {
        version: VERSION,
        program: env!("CARGO_PKG_VERSION").to_string(),
        game: description.name.clone(),
        file: file.to_string(),
        description: fingerprint(sources),
        params: description.params.clone(),
        seed,
        players,
        seats: seat_names(machine),
    }
}

/// The line of a finished game, which was played with its moves kept. `game` is its number from 0.
///
/// # Errors
/// Where the moves are not those of a game by these rules.
pub fn game_line(
    machine: &Machine,
    plan: &SeatingPlan,
    seed: u64,
    game: u64,
    result: &GameResult,
) -> Result<GameLine, PlayError> {
    let plies = moves_of(machine, &result.moves)?;
    let names = seat_names(machine);
    let who = plan.seating(game);
    let seats = std::iter::zip(&names, who).map(|(n, i)| (n.clone(), plan.specs()[i].to_string()));
    Ok(GameLine {
        game: game + 1,
        seed,
        seats: seats.collect(),
        plies,
        payoffs: std::iter::zip(names.clone(), result.payoffs.iter().copied()).collect(),
        blind: std::iter::zip(names, result.blind.iter().copied())
            .filter(|(_, blind)| *blind > 0)
            .collect(),
    })
}

/// What was played from the beginning of a game, as its line holds it.
///
/// # Errors
/// Where the moves are not those of a game by these rules.
pub fn moves_of(machine: &Machine, played: &[Ply]) -> Result<Vec<Vec<Move>>, PlayError> {
    let mut state = machine.initial()?;
    let mut plies = Vec::with_capacity(played.len());
    for ply in played {
        plies.push(moves(machine, &state, &ply.actions));
        machine.step(&mut state, &ply.actions)?;
    }
    Ok(plies)
}

fn moves(machine: &Machine, state: &State, actions: &[Action]) -> Vec<Move> {
    let exact = |action: &Action| Some(action.0.to_vec());
    let Turn::Decision(mask) = machine.turn(state) else {
        let draw = actions.iter().map(|outcome| Move {
            by: None,
            text: machine.outcome_text(state, outcome, None),
            exact: exact(outcome),
        });
        return draw.collect();
    };
    let movers = mask.iter();
    let choices = movers.zip(actions).map(|(p, action)| Move {
        by: Some(machine.player_name(p).to_string()),
        text: machine.action_text(state, p, action, None),
        exact: exact(action),
    });
    choices.collect()
}

/// In seating order.
pub(super) fn seat_names(machine: &Machine) -> Vec<String> {
    machine.player_names().map(str::to_string).collect()
}
