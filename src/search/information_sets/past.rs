//! What everybody saw before the question that a search begins at.

use crate::machine::{Action, Event, InformationKeys, Machine, Observation, PlayError};

/// One way to a hypothesis.
#[derive(Debug)]
pub struct Past {
    /// Of each player, oldest first.
    pub seen: Vec<Vec<Observation>>,
    pub keys: InformationKeys,
}

impl Past {
    /// By the steps from the beginning of the game.
    ///
    /// # Errors
    /// Those of play.
    pub fn of(machine: &Machine, steps: &[Vec<Action>]) -> Result<Past, PlayError> {
        let players = machine.player_count();
        let mut past = Past {
            seen: vec![Vec::new(); players],
            keys: InformationKeys::new(players),
        };
        let mut state = machine.initial_observed(&mut |event| past.see(&event))?;
        for step in steps {
            machine.step_observed(&mut state, step, &mut |event| past.see(&event))?;
        }
        Ok(past)
    }

    fn see(&mut self, event: &Event<'_>) {
        self.keys.see(event);
        for player in event.viewers {
            self.seen[player].push(Observation::from(event));
        }
    }
}
