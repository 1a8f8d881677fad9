//! One simulation of UCT: the player learns, the others choose as they are taken to.

use super::others::Model;
use super::replay::Game;
use super::table::Table;
use crate::belief::policy::{EPSILON, Others};
use crate::machine::{Action, Actions, Machine, Payoffs, PlayError, Stepper, Turn};
use crate::model::PlayerSet;
use crate::random::Stream;
use crate::search::each::Each;
use crate::search::history::key;
use crate::search::mcts::RollOuts;
use crate::search::mcts::roll_outs::RollOut;
use smallvec::SmallVec;

pub struct Simulations<'m> {
    machine: &'m Machine,
    player: usize,
    /// How play goes on from where it leaves what is known; `None` where the others go by what they saw.
    roll_out: Option<Box<dyn RollOut + 'm>>,
    /// The choices that were learned of, by their places in the table.
    path: Vec<usize>,
    stepper: Stepper<'m>,
    own: Actions,
}

type Step = SmallVec<[Action; 4]>;

impl<'m> Simulations<'m> {
    pub fn new(machine: &'m Machine, player: usize, others: Others) -> Simulations<'m> {
        let roll_outs = match others {
            Others::Strategy => None,
            Others::Uniform => Some(RollOuts::Uniform),
            Others::Heuristic => Some(RollOuts::Heuristic {
                epsilon: Each::all(EPSILON),
                heuristics: Each::default(),
            }),
        };
        Simulations {
            machine,
            player,
            roll_out: roll_outs.map(|roll_outs| roll_outs.start(machine)),
            path: Vec::new(),
            stepper: machine.stepper(),
            own: Actions::default(),
        }
    }

    /// Plays a game to its end, and learns from it.
    ///
    /// # Errors
    /// Those of play.
    pub fn play(
        &mut self,
        game: Game,
        model: &Model<'_>,
        table: &mut Table,
        rng: &mut Stream,
    ) -> Result<(), PlayError> {
        self.path.clear();
        let payoffs = self.play_out(game, model, table, rng)?;
        table.end(&payoffs);
        let paid = payoffs[self.player];
        self.path.iter().for_each(|arm| table.learn(*arm, paid));
        Ok(())
    }

    fn play_out(
        &mut self,
        mut game: Game,
        model: &Model<'_>,
        table: &mut Table,
        rng: &mut Stream,
    ) -> Result<Payoffs, PlayError> {
        let mut learning = true;
        loop {
            let step = match self.machine.turn(&game.state) {
                Turn::Terminal => return self.machine.payoffs(&game.state),
                Turn::Chance => Step::from_iter([self.machine.sample_chance(&game.state, rng)?]),
                Turn::Decision(movers) => {
                    let own = match learning && movers.contains(self.player) {
                        true => self.learned(&game, table, &mut learning, rng)?,
                        false => None,
                    };
                    self.joint(&game, movers, own, model, rng)?
                }
            };
            if let (false, Some(roll_out)) = (learning, &mut self.roll_out) {
                let step: SmallVec<[&Action; 4]> = step.iter().collect();
                let mut payoffs = Payoffs::new();
                roll_out.play_after(&game.state, &step, rng, &mut payoffs)?;
                return Ok(payoffs);
            }
            let mut state = game.state.clone();
            self.machine
                .step_observed(&mut state, &step, &mut |event| game.see(model, &event))?;
            game.state = state;
        }
    }

    /// The player's choice by what is known, where something can be. Where it chooses for the first time it stops learning.
    fn learned(
        &mut self,
        game: &Game,
        table: &mut Table,
        learning: &mut bool,
        rng: &mut Stream,
    ) -> Result<Option<Action>, PlayError> {
        self.stepper
            .legal_at(&game.state, self.player, &mut self.own)?;
        let node = self.machine.node(&game.state);
        let key = key(&game.keys, self.player, node, &self.own);
        let Some((place, was_known)) = table.find_or_add(key, self.own.len()) else {
            *learning = false;
            return Ok(None);
        };
        *learning = was_known;
        let arm = table.choose(place.clone(), rng);
        self.path.push(arm);
        Ok(Some(self.own[arm - place.start].clone()))
    }

    /// What all who are asked choose; any action for the player where it has not chosen.
    fn joint(
        &self,
        game: &Game,
        movers: PlayerSet,
        mut own: Option<Action>,
        model: &Model<'_>,
        rng: &mut Stream,
    ) -> Result<Step, PlayError> {
        let mut step = Step::new();
        for mover in movers {
            step.push(match own.take_if(|_| mover == self.player) {
                Some(own) => own,
                None if mover == self.player => self.machine.sample(&game.state, mover, rng)?,
                None => model.choose(&game.state, &game.memory, mover, rng)?,
            });
        }
        Ok(step)
    }
}
