//! One game between players. The state stays here.

use super::error::ArenaError;
use super::record::LONGEST_LINE;
use crate::machine::{
    Action, Actions, Event, Machine, Observation, Payoffs, PlayError, State, Turn,
};
use crate::model::PlayerSet;
use crate::players::{Patience, Player, PlayerError, Question};
use crate::random::{derive, stream};
use serde::Serialize;
use std::sync::atomic::{AtomicBool, Ordering};

/// The stream of chance within a game, and of everybody where all are random; seats have the streams 0, 1, ….
pub(super) const CHANCE: u64 = u64::MAX;

/// More plies fit into no line of a record: the shortest, `[{"move":"","exact":[0]}],`, has so many bytes.
const MOST_KEPT: usize = LONGEST_LINE / 26;

/// What happened at one node.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Ply {
    /// The node where it happened, as [`Machine::node`] tells it.
    pub node: u32,
    /// The action of each player to move, in seating order, or the outcome of chance.
    pub actions: Vec<Action>,
}

/// A game that was played to its end.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameResult {
    /// One number a player, in seating order, in units of payoff.
    pub payoffs: Payoffs,
    /// The nodes passed: one for each choice, each simultaneous choice and each chance event.
    pub plies: u64,
    /// Every ply in full; empty unless asked for.
    pub moves: Vec<Ply>,
    /// How many choices were made blindly, in seating order: by a player that had lost track of what it cannot see.
    pub blind: Vec<u64>,
}

/// Plays game number `game` of a run with the given seed; `players` sit in seating order, one for each seat. With
/// `keep_moves` the result has every ply. `None` when `cancel` was set before the end; a player that is thinking then is told to
/// answer, and the answer is dropped.
///
/// The same seed, game and players give the same game, whatever else the run plays. Where all players are random, it is the
/// playout of the stream of chance, and nobody is asked. The first player (in seating order) to
/// fail ends the game.
///
/// # Errors
/// [`ArenaError::Rules`], [`ArenaError::Player`], [`ArenaError::BadAnswer`], and with `keep_moves` [`ArenaError::TooLong`].
pub fn play_game(
    machine: &Machine,
    players: &mut [Box<dyn Player>],
    seed: u64,
    game: u64,
    keep_moves: bool,
    cancel: &AtomicBool,
) -> Result<Option<GameResult>, ArenaError> {
    let waits = |_| !cancel.load(Ordering::Relaxed);
    let patience = Patience::new(&waits);
    let watching: PlayerSet = (0..players.len())
        .filter(|&seat| !players[seat].is_random())
        .collect();
    let mut game_run = RunningGame {
        machine,
        players,
        watching,
        game,
        patience,
        events: Vec::new(),
        last: None,
    };
    let mut chance = stream(seed, &[game, CHANCE]);
    game_run.begin(seed)?;
    let mut state = game_run.start()?;
    let mut plies = 0;
    let mut moves = Vec::new();
    let mut legal = Actions::default();
    loop {
        if cancel.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let actions = match machine.turn(&state) {
            Turn::Terminal => break,
            _ if watching.is_empty() => {
                let ply = machine.sample_ply(&state, &mut chance);
                ply.map_err(|e| game_run.rules_after(e))?.into_vec()
            }
            Turn::Chance => {
                let outcome = machine.sample_chance(&state, &mut chance);
                vec![outcome.map_err(|e| game_run.rules_after(e))?]
            }
            Turn::Decision(movers) => {
                let mut actions = Vec::with_capacity(movers.len());
                for seat in movers {
                    machine
                        .legal(&state, seat, &mut legal)
                        .map_err(|e| game_run.rules_after(e))?;
                    let action = game_run.ask(machine.node(&state), seat, &legal)?;
                    if cancel.load(Ordering::Relaxed) {
                        return Ok(None);
                    }
                    actions.push(action);
                }
                actions
            }
        };
        let node = machine.node(&state);
        game_run.step(&mut state, &actions)?;
        plies += 1;
        if keep_moves {
            if moves.len() == MOST_KEPT {
                return Err(ArenaError::TooLong {
                    game,
                    plies: MOST_KEPT,
                });
            }
            moves.push(Ply { node, actions });
        }
    }
    let payoffs = machine.payoffs(&state);
    let payoffs = payoffs.map_err(|e| game_run.rules_after(e))?;
    Ok(Some(GameResult {
        payoffs,
        plies,
        moves,
        blind: game_run.players.iter().map(|p| p.blind_choices()).collect(),
    }))
}

/// The players around one game.
struct RunningGame<'a> {
    machine: &'a Machine,
    players: &'a mut [Box<dyn Player>],
    /// The players who are told what happens.
    watching: PlayerSet,
    game: u64,
    patience: Patience<'a>,
    /// The events of the present step, each with those who see it.
    events: Vec<(PlayerSet, Observation)>,
    /// The step that led to the present state, and the state before it.
    last: Option<(State, Vec<Action>)>,
}

impl RunningGame<'_> {
    fn begin(&mut self, seed: u64) -> Result<(), ArenaError> {
        for seat in 0..self.players.len() {
            let own = derive(seed, &[self.game, seat as u64]);
            let begun = self.players[seat].begin(seat, own);
            begun.map_err(|e| self.failed(seat, e))?;
        }
        Ok(())
    }

    fn start(&mut self) -> Result<State, ArenaError> {
        let events = &mut self.events;
        events.clear();
        let state = self
            .machine
            .initial_observed(&mut |e| events.extend(observation(&e, self.watching)))
            .map_err(|e| self.rules(e))?;
        self.send_events()?;
        Ok(state)
    }

    fn step(&mut self, state: &mut State, actions: &[Action]) -> Result<(), ArenaError> {
        let before = state.clone();
        let events = &mut self.events;
        events.clear();
        let stepped = match self.watching.is_empty() {
            true => self.machine.step(state, actions),
            false => self.machine.step_observed(state, actions, &mut |e| {
                events.extend(observation(&e, self.watching));
            }),
        };
        stepped.map_err(|e| self.rules(e))?;
        self.last = Some((before, actions.to_vec()));
        self.send_events()
    }

    fn ask(&mut self, node: u32, seat: usize, legal: &Actions) -> Result<Action, ArenaError> {
        let question = Question {
            node,
            seat,
            actions: legal,
            patience: self.patience,
        };
        let choice = self.players[seat].choose(&question);
        let choice = choice.map_err(|e| self.failed(seat, e))?;
        legal
            .get(choice)
            .cloned()
            .ok_or_else(|| ArenaError::BadAnswer {
                game: self.game,
                seat: self.machine.player_name(seat).to_string(),
            })
    }

    /// Gives every player its own part of what happened, in order.
    fn send_events(&mut self) -> Result<(), ArenaError> {
        for (viewers, observation) in &self.events {
            for (seat, player) in self.players.iter_mut().enumerate() {
                if viewers.contains(seat)
                    && let Err(error) = player.observe(observation)
                {
                    return Err(self.failed(seat, error));
                }
            }
        }
        Ok(())
    }

    fn rules(&self, error: PlayError) -> ArenaError {
        ArenaError::Rules {
            game: self.game,
            error,
        }
    }

    /// An error that the rules ran into at rest: it is told after which moves.
    fn rules_after(&self, error: PlayError) -> ArenaError {
        self.rules(match &self.last {
            Some((before, actions)) => self.machine.explain(before, actions, error),
            None => error,
        })
    }

    fn failed(&self, seat: usize, error: PlayerError) -> ArenaError {
        ArenaError::Player {
            game: Some(self.game),
            seat: self.machine.player_name(seat).to_string(),
            error,
        }
    }
}

/// What those who watch see of an event, if any of them does.
fn observation(event: &Event<'_>, watching: PlayerSet) -> Option<(PlayerSet, Observation)> {
    let viewers = event.viewers & watching;
    (!viewers.is_empty()).then(|| (viewers, Observation::from(event)))
}
