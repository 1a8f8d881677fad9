//! A place of a game that is asked about, as what was played to come there.

use crate::machine::{Action, Machine, PlayError, State, Turn};

/// A state with what led to it, as a person reads it: `Alice 3`, `2` for what was drawn.
#[derive(Debug)]
pub struct Position {
    pub state: State,
    pub moves: Vec<String>,
    /// The same as play takes them: one action for each player to move, or the outcome.
    pub steps: Vec<Vec<Action>>,
}

/// Why moves lead nowhere.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MovesError {
    pub message: String,
    pub hint: Option<&'static str>,
}

/// The state after some moves: the outcome of each draw and the action of each player to move, in seating order, with
/// semicolons between them. A name in front, `Alice: 3` or `chance: 2`, is checked.
///
/// # Errors
/// Where a move cannot be read, or play runs into an error.
pub fn position(machine: &Machine, text: &str) -> Result<Position, MovesError> {
    let rules = |e: PlayError| wrong(&e.message, None);
    let mut state = machine.initial().map_err(rules)?;
    let (mut moves, mut steps) = (Vec::new(), Vec::new());
    let mut said = text
        .split(';')
        .map(str::trim)
        .filter(|m| !m.is_empty())
        .peekable();
    while said.peek().is_some() {
        let mut joint: Vec<Action> = Vec::new();
        let mut shown = Vec::new();
        match machine.turn(&state) {
            Turn::Terminal => {
                let more = said.next().unwrap_or_default();
                return Err(wrong(&format!("the game is over before `{more}`"), None));
            }
            Turn::Chance => {
                let text = of("chance", said.next(), machine)?;
                let outcome = machine.find_outcome(&state, text);
                let outcome = outcome.map_err(|e| wrong(&format!("`{text}`: {e}"), None))?;
                shown.push(machine.outcome_text(&state, &outcome, None));
                joint.push(outcome);
            }
            Turn::Decision(movers) => {
                for player in movers {
                    let name = machine.player_name(player);
                    let text = of(name, said.next(), machine)?;
                    let action = machine.find_action(&state, player, text);
                    let action =
                        action.map_err(|e| wrong(&format!("`{text}` by {name}: {e}"), None))?;
                    let action_text = machine.action_text(&state, player, &action, Some(player));
                    shown.push(format!("{name} {action_text}"));
                    joint.push(action);
                }
            }
        }
        machine.step(&mut state, &joint).map_err(rules)?;
        moves.extend(shown);
        steps.push(joint);
    }
    Ok(Position {
        state,
        moves,
        steps,
    })
}

/// The move that `who` is to make, without the name before it.
fn of<'t>(who: &str, said: Option<&'t str>, machine: &Machine) -> Result<&'t str, MovesError> {
    let Some(text) = said else {
        let hint =
            "players who choose at the same time are named in seating order, one after another";
        return Err(wrong(&format!("the move of {who} is missing"), Some(hint)));
    };
    let Some((name, rest)) = text.split_once(':') else {
        return Ok(text);
    };
    let name = name.trim();
    let known = machine.player_names().chain(["chance"]).any(|n| n == name);
    if known && name != who {
        return Err(wrong(&format!("`{text}`: it is the move of {who}"), None));
    }
    Ok(if known { rest.trim() } else { text })
}

fn wrong(message: &str, hint: Option<&'static str>) -> MovesError {
    MovesError {
        message: message.to_string(),
        hint,
    }
}
