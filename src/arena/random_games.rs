//! Games in which everybody chooses at random: each of them is a playout.

use super::game::CHANCE;
use crate::machine::{Counted, Machine, Playouts, State};
use crate::random::stream;

/// Plays them one after the other. Nothing is allocated on the way, once it is warm.
pub struct RandomGames<'m> {
    playouts: Playouts<'m>,
    start: State,
    seed: u64,
}

impl<'m> RandomGames<'m> {
    /// For the games of a run with the given seed. `None` where the rules run into an error before the first choice;
    /// [`play_game`](super::play_game) tells of it.
    pub fn new(machine: &'m Machine, seed: u64) -> Option<RandomGames<'m>> {
        Some(RandomGames {
            playouts: machine.playouts(),
            start: machine.initial().ok()?,
            seed,
        })
    }

    /// Plays a game as [`play_game`](super::play_game) does. `None` where it has to be played by that: where it is very long
    /// or the rules run into an error.
    pub fn play(&mut self, game: u64) -> Option<Counted> {
        let mut rng = stream(self.seed, &[game, CHANCE]);
        self.playouts.play_counted(&self.start, &mut rng)
    }
}
