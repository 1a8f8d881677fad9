//! `uct` as a player: keeps a copy of the game up to date by what it sees, and searches from it.

use super::Clock;
use super::catalogue::DEFAULT_PLAYOUTS;
use super::player::{Player, PlayerError, Question};
use super::rebuild::Rebuild;
use super::spec::PlayerSpec;
use crate::machine::{Machine, Observation};
use crate::random::stream;
use crate::search::uct::{UctOptions, search};
use crate::search::{Budget, FinalChoice};
use std::sync::Arc;
use std::time::Duration;

pub struct UctPlayer {
    machine: Arc<Machine>,
    clock: Clock,
    playouts: Option<u64>,
    time: Option<Duration>,
    options: UctOptions,
    seed: u64,
    decisions: u64,
    copy: Rebuild,
}

impl UctPlayer {
    /// By the values of the spec; see the catalogue for what they mean.
    pub fn new(spec: &PlayerSpec, machine: &Arc<Machine>, clock: &Clock) -> UctPlayer {
        let time = spec.count("ms").map(Duration::from_millis);
        let unlimited = if time.is_some() {
            None
        } else {
            Some(DEFAULT_PLAYOUTS)
        };
        UctPlayer {
            machine: Arc::clone(machine),
            clock: Arc::clone(clock),
            playouts: spec.count("playouts").or(unlimited),
            time,
            options: UctOptions {
                exploration: spec.number("c"),
                final_choice: match spec.word("final") {
                    Some("mean") => FinalChoice::Mean,
                    Some("share") => FinalChoice::Share,
                    _ => FinalChoice::Visits,
                },
            },
            seed: 0,
            decisions: 0,
            copy: Rebuild::new(machine),
        }
    }
}

impl Player for UctPlayer {
    fn begin(&mut self, seat: usize, seed: u64) -> Result<(), PlayerError> {
        self.seed = seed;
        self.decisions = 0;
        self.copy.begin(seat)
    }

    fn observe(&mut self, observation: &Observation) -> Result<(), PlayerError> {
        self.copy.observe(observation);
        Ok(())
    }

    fn choose(&mut self, question: &Question<'_>) -> Result<usize, PlayerError> {
        let mut rng = stream(self.seed, &[self.decisions]);
        self.decisions += 1;
        if question.actions.len() == 1 {
            return Ok(0);
        }
        let start = (self.clock)();
        let root = self.copy.asked(question)?;
        let budget = Budget {
            playouts: self.playouts,
            keep_going: &|| {
                self.time
                    .is_none_or(|limit| (self.clock)().saturating_sub(start) < limit)
            },
        };
        let found = search(
            &self.machine,
            root,
            question.seat,
            &self.options,
            &budget,
            &mut rng,
        )?;
        Ok(found.chosen)
    }

    fn decided(&mut self, _question: &Question<'_>) -> Result<(), PlayerError> {
        self.decisions += 1;
        Ok(())
    }
}
