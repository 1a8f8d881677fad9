//! One game gone through again: how many options there were, and what each ply changed.

use super::estimate::Estimate;
use crate::arena::game::GameResult;
use crate::machine::{Actions, Machine, PlayError, Turn};
use crate::model::Claim;
use crate::random::stream;
use std::sync::atomic::{AtomicBool, Ordering};

/// The stream of estimates within a game.
const ESTIMATES: u64 = u64::MAX - 1;

/// What is kept of a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Trace {
    /// One number a player, in seating order.
    pub payoffs: Vec<f64>,
    pub plies: u64,
    /// How many of the plies were chance.
    pub chances: u64,
    /// Who made the first choice; `None` where several made it together, and where nobody chose.
    pub first: Option<usize>,
    /// The number of options of every choice, in the order of play; of those who choose together in seating order.
    pub options: Vec<usize>,
    /// The plies that changed what somebody could expect.
    pub swings: Vec<Swing>,
    /// `None` where payoffs cannot be compared between players.
    pub lead: Option<Lead>,
}

/// A ply that changed an estimate.
#[derive(Clone, Debug, PartialEq)]
pub struct Swing {
    pub by_chance: bool,
    /// By player, how much, in units of payoff.
    pub amounts: Vec<f64>,
}

/// Who was ahead in a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lead {
    /// How often another side was ahead than the one that was before.
    pub changes: u64,
    /// Of a game with a winner: after how many plies the winner was ahead for good.
    pub decided: Option<u64>,
    /// Of a game with a winner: whether a rival had been ahead.
    pub turned: Option<bool>,
}

impl Lead {
    /// From who was ahead at the start and after every ply; the last says who won.
    fn of(leaders: &[Option<usize>]) -> Lead {
        let mut known: Vec<usize> = leaders.iter().copied().flatten().collect();
        known.dedup();
        let winner = leaders.last().copied().flatten();
        Lead {
            changes: known.len().saturating_sub(1) as u64,
            decided: winner.map(|_| {
                let open = leaders.iter().rposition(|l| *l != winner);
                open.map_or(0, |at| at as u64 + 1)
            }),
            turned: winner.map(|winner| known.iter().any(|l| *l != winner)),
        }
    }
}

/// Goes through a game that was kept with its moves, and estimates all its positions. `None` when `cancel` was set.
///
/// # Errors
/// Where the rules run into an error, which playouts may do where the game did not.
pub fn trace(
    machine: &Machine,
    seed: u64,
    game: u64,
    result: &GameResult,
    cancel: &AtomicBool,
) -> Result<Option<Trace>, PlayError> {
    let comparable =
        machine.player_count() > 1 && matches!(machine.features().claim, Claim::ConstantSum { .. });
    let mut random = stream(seed, &[game, ESTIMATES]);
    let mut playouts = machine.playouts();
    let mut trace = Trace {
        payoffs: result.payoffs.to_vec(),
        plies: result.plies,
        ..Trace::default()
    };
    let mut state = machine.initial()?;
    let mut before = Estimate::of(machine, &mut playouts, &state, &mut random)?;
    let mut leaders = vec![before.leader];
    let mut legal = Actions::default();
    for ply in &result.moves {
        if cancel.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let mut by_chance = true;
        if let Turn::Decision(movers) = machine.turn(&state) {
            by_chance = false;
            if trace.options.is_empty() && movers.len() == 1 {
                trace.first = movers.iter().next();
            }
            for seat in movers {
                machine.legal(&state, seat, &mut legal)?;
                trace.options.push(legal.len());
            }
        }
        trace.chances += u64::from(by_chance);
        machine.step(&mut state, &ply.actions)?;
        let after = Estimate::of(machine, &mut playouts, &state, &mut random)?;
        let amounts = after.swings(&before);
        if amounts.iter().any(|x| *x > 0.0) {
            trace.swings.push(Swing { by_chance, amounts });
        }
        leaders.push(after.leader);
        before = after;
    }
    trace.lead = comparable.then(|| Lead::of(&leaders));
    Ok(Some(trace))
}

/// Goes through a game with a machine that marks where play has come to.
///
/// # Errors
/// Where the rules run into an error.
pub fn mark(marked: &Machine, result: &GameResult) -> Result<(), PlayError> {
    let mut state = marked.initial()?;
    let mut legal = Actions::default();
    for ply in &result.moves {
        if let Turn::Decision(movers) = marked.turn(&state) {
            for seat in movers {
                marked.legal(&state, seat, &mut legal)?;
            }
        }
        marked.step(&mut state, &ply.actions)?;
    }
    marked.payoffs(&state).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lead_changes_when_another_side_has_it() {
        let lead = Lead::of(&[
            None,
            Some(0),
            None,
            Some(0),
            Some(1),
            None,
            Some(0),
            Some(0),
        ]);
        assert_eq!(
            lead,
            Lead {
                changes: 2,
                decided: Some(6),
                turned: Some(true)
            }
        );
        let drawn = Lead::of(&[Some(0), Some(0), None]);
        assert_eq!(drawn, Lead::default());
        let always = Lead::of(&[Some(1), Some(1)]);
        assert_eq!((always.decided, always.turned), (Some(0), Some(false)));
    }
}
