//! A recorded game, played again on the machine.
//!
//! A move is what its exact form says, which must be possible and read like the text of the record; where it has none, the
//! one option that has this text. So a record without exact forms outlives changes that only number the options anew.

use super::lines::{GameLine, Move};
use super::write::seat_names;
use crate::arena::game::GameResult;
use crate::machine::step_text::Transition;
use crate::machine::{Action, Machine, PlayError, Seat, State, Turn};
use crate::text::diagnostics;
use smallvec::SmallVec;
use std::ops::ControlFlow;

/// Where and why a game does not fit the rules.
#[derive(Clone, Debug, PartialEq)]
pub struct Misfit {
    /// Counted from 1; `None` for what is wrong with the game as a whole.
    pub ply: Option<usize>,
    pub message: String,
    /// A few of the moves that there are instead, for people.
    pub options: Vec<String>,
    /// Whether there are more.
    pub more: bool,
}

/// How many options a report names, and how many are looked at for it.
const SHOWN: usize = 8;
const LOOKED_AT: usize = 100_000;
/// How many names of a record are looked at for a report, which then is cut anyway.
const MOST_NAMED: usize = 100;

/// Plays a recorded game again, tells the seats what reaches them, and tells of every step.
///
/// # Errors
/// The first thing that does not fit: an option that does not exist, somebody else's move, other payoffs.
pub fn replay(
    machine: &Machine,
    line: &GameLine,
    seats: &mut [Seat],
    tell: &mut dyn FnMut(&Transition<'_>),
) -> Result<GameResult, Misfit> {
    let names = seat_names(machine);
    let state = follow(machine, line, seats, tell)?;
    if let Some(due) = goes_on(machine, &state) {
        let message = format!("the record ends here, and the game goes on: {due}");
        return Err(Misfit {
            ply: Some(line.plies.len() + 1),
            ..whole(message)
        });
    }
    let payoffs = machine.payoffs(&state).map_err(|e| whole(e.to_string()))?;
    let recorded: Vec<(&str, f64)> = line.payoffs.iter().map(|(n, x)| (n.as_str(), *x)).collect();
    let by_rules: Vec<(&str, f64)> = std::iter::zip(&names, &payoffs)
        .map(|(name, x)| (name.as_str(), as_read(*x)))
        .collect();
    if recorded != by_rules {
        let show = |list: &[(&str, f64)]| {
            let parts = list.iter().take(MOST_NAMED);
            let parts = parts.map(|(name, x)| format!("{} {x}", shortened(name)));
            shortened(&parts.collect::<Vec<_>>().join(", "))
        };
        let (recorded, by_rules) = (show(&recorded), show(&by_rules));
        return Err(whole(format!(
            "the payoffs are {by_rules} by the rules and {recorded} in the record"
        )));
    }
    if let Some(name) = line.blind.keys().find(|name| !names.contains(name)) {
        let name = shortened(name);
        return Err(whole(format!("`blind` names {name}, and that is no seat")));
    }
    let blind = names.iter().map(|name| line.blind.get(name).copied());
    Ok(GameResult {
        payoffs,
        plies: line.plies.len() as u64,
        moves: Vec::new(),
        blind: blind.map(Option::unwrap_or_default).collect(),
    })
}

/// What is to come where a game is not over; `None` where it is.
pub fn goes_on(machine: &Machine, state: &State) -> Option<String> {
    (machine.turn(state) != Turn::Terminal).then(|| due(machine, state))
}

/// Plays what a line tells of a game, which may end before the game does, tells the seats what reaches them, and tells of
/// every step. The state after it.
///
/// # Errors
/// As [`replay`], apart from the end.
pub fn follow(
    machine: &Machine,
    line: &GameLine,
    seats: &mut [Seat],
    tell: &mut dyn FnMut(&Transition<'_>),
) -> Result<State, Misfit> {
    let names = seat_names(machine);
    let recorded: Vec<&String> = line.seats.keys().collect();
    if !names.iter().eq(recorded.iter().copied()) {
        let message = format!(
            "the seats are {}, and the game has {}",
            list(&recorded),
            list(&names)
        );
        return Err(whole(message));
    }
    let begun = machine.initial_seated(seats, &mut |_| {});
    let mut state = begun.map_err(|e| whole(e.to_string()))?;
    for (i, moves) in line.plies.iter().enumerate() {
        let at = |mut misfit: Misfit| {
            misfit.ply = Some(i + 1);
            misfit
        };
        let actions = actions(machine, &state, moves, &names).map_err(at)?;
        let mut after = state.clone();
        machine
            .step_seated(&mut after, &actions, seats, &mut |_| {})
            .map_err(|e| at(whole(e.to_string())))?;
        tell(&Transition {
            ply: i + 1,
            before: &state,
            after: &after,
            actions: &actions,
        });
        state = after;
    }
    Ok(state)
}

/// A number as it comes back from a record: reading may round differently from what was written.
fn as_read(x: f64) -> f64 {
    let text = serde_json::to_string(&x);
    text.ok()
        .and_then(|t| serde_json::from_str(&t).ok())
        .unwrap_or(x)
}

fn whole(message: String) -> Misfit {
    Misfit {
        ply: None,
        message,
        options: Vec::new(),
        more: false,
    }
}

/// The actions that the moves of a ply mean.
fn actions(
    machine: &Machine,
    state: &State,
    moves: &[Move],
    names: &[String],
) -> Result<Vec<Action>, Misfit> {
    let movers: SmallVec<[Option<usize>; 8]> = match machine.turn(state) {
        Turn::Terminal => {
            return Err(whole(
                "the game is over here, and the record goes on".to_string(),
            ));
        }
        Turn::Chance => SmallVec::from_slice(&[None]),
        Turn::Decision(mask) => mask.iter().map(Some).collect(),
    };
    let expected = movers.iter().map(|p| p.map(|p| names[p].as_str()));
    if !expected.eq(moves.iter().map(|m| m.by.as_deref())) {
        let who: Vec<&str> = moves
            .iter()
            .map(|m| m.by.as_deref().unwrap_or("a draw"))
            .collect();
        let who = if who.is_empty() {
            "nobody".to_string()
        } else {
            list(&who)
        };
        return Err(whole(format!(
            "{} here; the record has {who}",
            due(machine, state)
        )));
    }
    std::iter::zip(movers, moves)
        .map(|(player, m)| action(machine, state, player, m))
        .collect()
}

/// Whose move it is, in words.
fn due(machine: &Machine, state: &State) -> String {
    match machine.turn(state) {
        Turn::Terminal => "the game is over".to_string(),
        Turn::Chance => "something is drawn".to_string(),
        Turn::Decision(mask) => {
            let movers = mask.iter();
            let names: Vec<&str> = movers.map(|p| machine.player_name(p)).collect();
            let verb = if names.len() == 1 {
                "chooses"
            } else {
                "choose"
            };
            format!("{} {verb}", list(&names))
        }
    }
}

/// The action that a move means. `None` in the place of the player stands for a draw.
fn action(
    machine: &Machine,
    state: &State,
    player: Option<usize>,
    m: &Move,
) -> Result<Action, Misfit> {
    let rules = |e: PlayError| whole(e.to_string());
    let text = |action: &Action| match player {
        Some(player) => machine.action_text(state, player, action, None),
        None => machine.outcome_text(state, action, None),
    };
    let (mut reads, mut wrong) = (None, false);
    if let Some(exact) = &m.exact {
        let action = Action(exact.iter().copied().collect());
        let allowed = match player {
            Some(player) => machine.is_legal(state, player, &action),
            None => machine.is_possible(state, &action),
        };
        if allowed.map_err(rules)? {
            let text = text(&action);
            if text == m.text {
                return Ok(action);
            }
            reads = Some(text);
        } else {
            wrong = true;
        }
    }
    let mut found: Vec<Action> = Vec::new();
    let mut options: Vec<String> = Vec::new();
    let mut seen = 0;
    machine
        .each_option(state, player, &mut |action, _| {
            seen += 1;
            let text = text(&action);
            if text == m.text {
                found.push(action);
            } else if options.len() < SHOWN {
                options.push(text);
            }
            match seen < LOOKED_AT && found.len() < 2 {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            }
        })
        .map_err(rules)?;
    let who = player.map(|p| machine.player_name(p));
    let move_text = shortened(&m.text);
    let message = match (found.len(), who, reads) {
        (1, _, None) if !wrong => return Ok(found.swap_remove(0)),
        (1, _, None) => {
            format!("the exact form of `{move_text}` is none of a move that is possible here")
        }
        (_, _, Some(reads)) => {
            format!("the move reads `{reads}` by the rules and `{move_text}` in the record")
        }
        (0, Some(who), None) => format!("{who} cannot choose `{move_text}`"),
        (0, None, None) => format!("`{move_text}` cannot be drawn"),
        _ => format!("`{move_text}` could be several moves, and the record does not say which"),
    };
    Err(Misfit {
        ply: None,
        message,
        more: seen > options.len(),
        options,
    })
}

/// A text of a record that goes into a report.
fn shortened(text: &str) -> String {
    diagnostics::shortened(text, 200).into_owned()
}

fn list<S: AsRef<str>>(names: &[S]) -> String {
    let names = names.iter().take(MOST_NAMED);
    let names: Vec<String> = names.map(|n| shortened(n.as_ref())).collect();
    shortened(&names.join(", "))
}
