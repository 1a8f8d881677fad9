//! A strategy as a schedule that somebody could follow without looking: what to do step by step, how likely each such plan is,
//! where it leads, and what the other player had best do about it.
//!
//! For games of two players in which nobody learns anything on the way but what it did itself.

mod placement;
pub mod svg;

use crate::machine::{Actions, BoardPlan, Machine, Observation, PlayError, State};
use crate::players::{Patience, Player, PlayerError, PlayerSpec, Question};
use crate::solve::TreeError;
use crate::solve::commitment::answers::{Answering, Plan};
use crate::solve::commitment::mixes::moves;
use crate::solve::commitment::open_loop::{OpenLoop, explore};
use crate::solve::commitment::plan_search::{answers, scale};
use crate::solve::commitment::program::SAME;
use crate::solve::commitment::schedule::{plans, way};
use indexmap::IndexMap;
use serde::Serialize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// So many of the other player's best answers are told.
const ANSWERS: usize = 20;

/// What somebody does, and what the other player does about it.
#[derive(Clone, Debug, Serialize)]
pub struct Schedule {
    /// Whose it is.
    pub player: String,
    /// The likeliest first.
    pub plans: Vec<Scheduled>,
    /// Who answers.
    pub follower: String,
    /// The best answers, of equally good ones those that are best for whoever has the schedule; at most 20 of them.
    pub answers: Vec<Vec<String>>,
    /// How many there are.
    pub answer_count: f64,
    /// What each player is paid when one of them is played, by name.
    pub values: IndexMap<String, f64>,
    /// How likely a place is held, for each variable that holds places.
    pub held: Vec<Occupied>,
}

/// A plan.
#[derive(Clone, Debug, Serialize)]
pub struct Scheduled {
    pub probability: f64,
    pub moves: Vec<String>,
}

/// How likely the elements of a variable hold the places of a board.
#[derive(Clone, Debug, Serialize)]
pub struct Occupied {
    pub board: String,
    pub variable: String,
    /// The places by name.
    pub places: Vec<String>,
    /// For the start and after each choice of the player, by place: the probability that some element holds it.
    pub by_step: Vec<Vec<f64>>,
    #[serde(skip)]
    pub plan: BoardPlan,
    /// What the player's layout says of each place that stays as it is.
    #[serde(skip)]
    pub marks: Vec<Vec<String>>,
}

/// Why there is no schedule.
#[derive(Debug)]
pub enum Unscheduled {
    /// The game is not of the kind; what is in the way.
    Game(&'static str),
    Explore(TreeError),
    Player(PlayerError),
}

impl From<PlayerError> for Unscheduled {
    fn from(error: PlayerError) -> Unscheduled {
        Unscheduled::Player(error)
    }
}

impl From<PlayError> for Unscheduled {
    fn from(error: PlayError) -> Unscheduled {
        Unscheduled::Player(error.into())
    }
}

/// A game of which there are schedules.
///
/// # Errors
/// A game of another kind, and errors of play.
pub fn schedulable(machine: &Machine, stop: &AtomicBool) -> Result<OpenLoop, Unscheduled> {
    let explored = match machine.player_count() {
        2 => explore(machine, stop).map_err(Unscheduled::Explore)?,
        _ => None,
    };
    explored.ok_or(Unscheduled::Game(
        "a schedule is for games of two players who learn nothing on the way",
    ))
}

/// The schedule of a player that goes by a strategy that is known beforehand, in a game of [`schedulable`].
///
/// # Errors
/// A strategy with too many plans, a player without one, and errors of play.
pub fn schedule(
    machine: &Arc<Machine>,
    game: &OpenLoop,
    spec: &PlayerSpec,
    player: usize,
) -> Result<Schedule, Unscheduled> {
    let mut shares =
        |state: &State, seen: &[Observation]| shares(machine, spec, player, state, seen);
    let found = plans::<Unscheduled>(game, machine, player, &mut shares)?;
    let found = found.ok_or(Unscheduled::Game(
        "the strategy mixes more than 200,000 plans",
    ))?;
    let other = 1 - player;
    let answering = Answering::new(game, other, SAME * scale(game));
    let (best, [own, follower]) = answers(game, &answering, player, &found);
    let words = |player: usize, plan: &Plan| moves(game, machine, player, plan);
    let mut values = [own, own];
    values[other] = follower;
    let name = |player: usize| machine.player_name(player).to_string();
    let listed = answering.listed(&best, ANSWERS);
    Ok(Schedule {
        player: name(player),
        plans: found
            .iter()
            .map(|(probability, plan)| Scheduled {
                probability: *probability,
                moves: words(player, plan),
            })
            .collect(),
        follower: name(other),
        answers: listed.iter().map(|plan| words(other, plan)).collect(),
        answer_count: best.count(),
        values: (0..2).map(|p| (name(p), values[p] + 0.0)).collect(),
        held: held(game, machine, player, &found)?,
    })
}

/// How likely the player takes each of its actions.
fn shares(
    machine: &Arc<Machine>,
    spec: &PlayerSpec,
    player: usize,
    state: &State,
    seen: &[Observation],
) -> Result<Vec<f64>, Unscheduled> {
    let Some(mut strategy) = spec.strategy_player(machine)? else {
        return Err(PlayerError::Unprepared(spec.to_string()).into());
    };
    strategy.begin(player, 0)?;
    for observation in seen {
        strategy.observe(observation)?;
    }
    let mut actions = Actions::default();
    machine.legal(state, player, &mut actions)?;
    let question = Question {
        node: machine.node(state),
        seat: player,
        actions: &actions,
        patience: Patience::ENDLESS,
    };
    Ok(strategy.probabilities(&question)?)
}

/// How likely places are held, of each board on which the player has a variable.
fn held(
    game: &OpenLoop,
    machine: &Machine,
    player: usize,
    plans: &[(f64, Plan)],
) -> Result<Vec<Occupied>, PlayError> {
    let boards = machine.board_plans(player);
    let mut found: IndexMap<(usize, String), Vec<Vec<f64>>> = IndexMap::new();
    for (share, plan) in plans {
        let way = way(game, machine, player, plan)?;
        let after_choices = way
            .iter()
            .enumerate()
            .filter(|(i, (_, chose))| *i == 0 || *chose);
        for (step, (_, (state, _))) in after_choices.enumerate() {
            for (number, board) in boards.iter().enumerate() {
                let mut by_variable: IndexMap<String, Vec<usize>> = IndexMap::new();
                for held in machine.held(state, &board.name, player) {
                    by_variable
                        .entry(held.variable)
                        .or_default()
                        .extend(held.nodes);
                }
                for (variable, mut nodes) in by_variable {
                    nodes.sort_unstable();
                    nodes.dedup();
                    let steps = found.entry((number, variable)).or_default();
                    while steps.len() <= step {
                        steps.push(vec![0.0; board.nodes.len()]);
                    }
                    nodes
                        .into_iter()
                        .for_each(|node| steps[step][node] += share);
                }
            }
        }
    }
    let start = machine.initial()?;
    let occupied = found.into_iter().map(|((board, variable), by_step)| {
        let plan = boards[board].clone();
        let marks = machine.fixed_marks(&start, &plan.name, player);
        Occupied {
            board: plan.name.clone(),
            variable,
            places: plan.nodes.clone(),
            by_step,
            marks,
            plan,
        }
    });
    Ok(occupied.collect())
}
