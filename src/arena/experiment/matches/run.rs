//! Plays games of an experiment over several threads.

use super::{Cell, Matches};
use crate::arena::experiment::plan::{Experiment, Unit};
use crate::arena::experiment::run::{Failed, each};
use crate::arena::game::{GameResult, play_game};
use crate::arena::match_::sit_down;
use crate::arena::random_games::RandomGames;
use std::sync::atomic::AtomicBool;

/// Hears of every game when it is finished.
pub type Finished<'a> = dyn Fn(Unit, &GameResult) + Sync + 'a;

/// Plays the games of a list. `finished` hears of each of them, on any of the threads and in any order, and `progress`
/// of the number of finished ones after that. When `cancel` is set, the games under way are dropped.
///
/// # Errors
/// Of several games that fail, the one that stands first in the list. Games that were finished before have been told.
pub fn play<'e>(
    experiment: &'e Experiment<Matches>,
    list: &[Unit],
    threads: Option<usize>,
    finished: &Finished<'_>,
    progress: &(dyn Fn(u64) + Sync),
    cancel: &AtomicBool,
) -> Result<(), Failed> {
    let one_game = |random: &mut Random<'e>, unit: Unit| {
        let cell = &experiment.cells[unit.cell];
        let machine = &cell.play.machine;
        if let Some(result) = random.play(cell, unit) {
            finished(unit, &result);
            return Ok(Some(()));
        }
        let mut seated = sit_down(&cell.play, unit.number)?;
        let result = play_game(machine, &mut seated, cell.seed, unit.number, false, cancel)?;
        Ok(result.map(|result| finished(unit, &result)))
    };
    each(list, threads, Random::default, one_game, progress, cancel)
}

/// Games of the cell that a thread is at, if all its players are random.
#[derive(Default)]
struct Random<'e> {
    cell: Option<usize>,
    games: Option<RandomGames<'e>>,
}

impl<'e> Random<'e> {
    fn play(&mut self, cell: &'e Cell, unit: Unit) -> Option<GameResult> {
        let machine = &*cell.play.machine;
        if self.cell != Some(unit.cell) {
            self.cell = Some(unit.cell);
            self.games = match cell.play.plan.is_random() {
                true => RandomGames::new(machine, cell.seed),
                false => None,
            };
        }
        let one = self.games.as_mut()?.play(unit.number)?;
        Some(GameResult {
            payoffs: machine.in_payoff(&one.played.payoffs),
            plies: one.plies,
            moves: Vec::new(),
            blind: vec![0; machine.player_count()],
        })
    }
}
