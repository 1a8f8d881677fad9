//! What one player has seen and was asked on the way to a place, and nothing else.

use crate::machine::{Action, Actions, Machine, Observation, PlayError, Seat, Turn};
use crate::players::player::Asked;

/// What reached a player.
#[derive(Debug, Default)]
pub struct OwnRecord {
    pub seen: Vec<Observation>,
    /// What it was asked, in order; where it is asked at the end of the way, that too.
    pub asked: Vec<Asked>,
    /// How many plies came before the last question.
    pub plies: usize,
    /// The variables that the player sees and that nobody had set then, as far as it was told.
    pub unset: Vec<String>,
}

impl OwnRecord {
    /// That of a player, after some steps, each with its actions in seating order or a draw.
    ///
    /// # Errors
    /// Those of play.
    pub fn of(
        machine: &Machine,
        player: usize,
        steps: &[Vec<Action>],
    ) -> Result<OwnRecord, PlayError> {
        let mut own = OwnRecord::default();
        let mut seats = [Seat::new(machine, player)];
        let mut state = machine.initial_seated(&mut seats, &mut |event| {
            if event.viewers.contains(player) {
                own.seen.push(Observation::from(&event));
            }
        })?;
        for plies in 0..=steps.len() {
            if let Turn::Decision(movers) = machine.turn(&state)
                && movers.contains(player)
            {
                let mut actions = Actions::default();
                machine.legal(&state, player, &mut actions)?;
                own.plies = plies;
                own.unset = seats[0].unset().into_iter().map(str::to_string).collect();
                own.asked.push(Asked {
                    seen: own.seen.len(),
                    node: machine.node(&state),
                    actions,
                });
            }
            if let Some(step) = steps.get(plies) {
                machine.step_seated(&mut state, step, &mut seats, &mut |event| {
                    if event.viewers.contains(player) {
                        own.seen.push(Observation::from(&event));
                    }
                })?;
            }
        }
        Ok(own)
    }
}
