//! Where play may be: the player's own choices against the others, from the beginning of the game to the question.
//!
//! A replay takes no way that cannot come to the question any more, as far as that is looked ahead. It weighs what was left to it
//! at each step, and is accepted with the probability of its weight by the greatest that was met at this question (Caffo, Booth &
//! Davis 2002, “Empirical supremum rejection sampling”). So worlds come as often as they are likely, but for those before
//! the greatest weight is met, and where hardly any is accepted: then the heaviest of many is taken.

use super::others::Model;
use crate::belief::policy::Memory;
use crate::belief::told::{glimpse, movers, places, will_hear};
use crate::machine::{
    Action, Actions, Event, Glimpses, InformationKeys, Machine, Outcomes, PlayError, State, Turn,
};
use crate::model::PlayerSet;
use crate::random::Stream;
use crate::search::history::target::{LISTED, OnWay, Target, Way};
use crate::search::mcts::policies::sample;
use rand::RngExt;
use smallvec::SmallVec;

/// A game on its way.
#[derive(Clone, Debug)]
pub struct Game {
    pub state: State,
    pub keys: InformationKeys,
    /// What is kept of what the others saw.
    pub memory: Memory,
}

impl Game {
    /// Takes in what happens in a step.
    pub fn see(&mut self, model: &Model<'_>, event: &Event<'_>) {
        self.keys.see(event);
        model.remember(&mut self.memory, event);
    }
}

pub struct Replays<'m> {
    machine: &'m Machine,
    glimpses: Glimpses<'m>,
    player: usize,
    target: Target<'m>,
    /// The greatest weight of a replay.
    most: f64,
}

/// So many replays in a row that are all thrown away are enough.
const TRIES: usize = 1_000;

/// The most steps of a replay.
const STEPS: usize = 100_000;

impl<'m> Replays<'m> {
    pub fn new(machine: &'m Machine, player: usize, target: Target<'m>) -> Replays<'m> {
        Replays {
            machine,
            glimpses: machine.glimpses(),
            player,
            target,
            most: 0.0,
        }
    }

    /// A game that has come to the question; `None` where none is found, or none before `in_time` says no, which is asked
    /// before every replay but the first.
    ///
    /// # Errors
    /// Those of play.
    pub fn next(
        &mut self,
        model: &Model<'_>,
        in_time: &dyn Fn() -> bool,
        rng: &mut Stream,
    ) -> Result<Option<Game>, PlayError> {
        let mut heaviest: Option<(Game, f64)> = None;
        for tried in 0..TRIES {
            if tried > 0 && !in_time() {
                break;
            }
            let Some((game, weight)) = self.replay(model, rng)? else {
                continue;
            };
            self.most = self.most.max(weight);
            if weight >= self.most || rng.random::<f64>() * self.most < weight {
                return Ok(Some(game));
            }
            if heaviest.as_ref().is_none_or(|(_, most)| weight > *most) {
                heaviest = Some((game, weight));
            }
        }
        Ok(heaviest.map(|(game, _)| game))
    }

    /// Forgets how heavy replays are, since they will be made by another model.
    pub fn weigh_anew(&mut self) {
        self.most = 0.0;
    }

    /// One replay, and what it weighs.
    fn replay(
        &mut self,
        model: &Model<'_>,
        rng: &mut Stream,
    ) -> Result<Option<(Game, f64)>, PlayError> {
        let mut keys = InformationKeys::new(self.machine.player_count());
        let mut memory = model.beginning();
        let mut used = Some(0);
        let state = self.machine.initial_observed(&mut |event| {
            keys.see(&event);
            model.remember(&mut memory, &event);
            used = used.and_then(|used| self.target.hear(used, &event));
        })?;
        let mut game = Game {
            state,
            keys,
            memory,
        };
        let mut weight = 1.0;
        for _ in 0..STEPS {
            let Some(now) = used else {
                return Ok(None);
            };
            let at = OnWay {
                state: game.state.clone(),
                used: now,
            };
            match self.target.way(&at)? {
                Way::There => return Ok(Some((game, weight))),
                Way::Lost => return Ok(None),
                Way::Open => {}
            }
            let chosen = match self.machine.turn(&at.state) {
                Turn::Terminal => None,
                Turn::Chance => self.draw(&at, rng)?,
                Turn::Decision(movers) => self.decide(&at, movers, model, &game.memory, rng)?,
            };
            let Some((step, left)) = chosen else {
                return Ok(None);
            };
            weight *= left;
            let mut state = at.state;
            self.machine
                .step_observed(&mut state, &step, &mut |event| {
                    game.see(model, &event);
                    used = used.and_then(|used| self.target.hear(used, &event));
                })?;
            game.state = state;
        }
        Ok(None)
    }

    /// An outcome after which the question can come, and how likely such a one is; `None` where there is none.
    fn draw(&mut self, at: &OnWay, rng: &mut Stream) -> Result<Option<Step>, PlayError> {
        let mut outcomes = Outcomes::default();
        if !self
            .machine
            .few_outcomes(&at.state, LISTED, &mut outcomes)?
        {
            return self.draw_as_seen(at, rng);
        }
        let fitting = self.target.fitting_outcomes(at, &outcomes)?;
        let fits = |i: usize| fitting.as_ref().is_none_or(|fitting| fitting[i]);
        let share = |i: usize| {
            if fits(i) {
                outcomes.probability(i)
            } else {
                0.0
            }
        };
        let shares: Vec<f64> = (0..outcomes.list.len()).map(share).collect();
        Ok(drawn(&shares, rng).map(|(place, left)| {
            let outcome = outcomes.list[place].0.clone();
            (SmallVec::from_iter([outcome]), left)
        }))
    }

    /// One of many outcomes, among those that show the player what it saw of the draw, and how likely such a one is.
    fn draw_as_seen(&mut self, at: &OnWay, rng: &mut Stream) -> Result<Option<Step>, PlayError> {
        let movers = movers(self.machine, &at.state)?;
        let heard = will_hear(self.machine, self.player, &at.state, &movers)?;
        let glimpsed = places(&movers).first().and_then(|place| {
            let rest = self.target.rest(at.used);
            glimpse(self.machine, &heard, rest, *place)
        });
        let Some(glimpsed) = glimpsed else {
            return Ok(None);
        };
        let drawn = self.glimpses.sample_like(&at.state, None, glimpsed, rng)?;
        Ok(drawn.map(|drawn| {
            let left = drawn.odds.like / drawn.odds.total;
            (SmallVec::from_iter([drawn.action]), left)
        }))
    }

    /// A joint choice after which the question can come, the player's own as it was, and how likely the others make such a one.
    fn decide(
        &mut self,
        at: &OnWay,
        movers: PlayerSet,
        model: &Model<'_>,
        memory: &Memory,
        rng: &mut Stream,
    ) -> Result<Option<Step>, PlayError> {
        let mut lists: SmallVec<[Actions; 4]> = SmallVec::new();
        let mut shares: SmallVec<[Vec<f64>; 4]> = SmallVec::new();
        for mover in movers {
            let mut list = Actions::default();
            if mover == self.player {
                list.0.extend(self.target.own_choice(at.used));
                shares.push(vec![1.0; list.len()]);
            } else {
                self.machine.legal(&at.state, mover, &mut list)?;
                shares.push(model.shares(&at.state, memory, mover, &list)?);
            }
            lists.push(list);
        }
        let Some(fitting) = self.target.fitting_choices(at, movers, &lists)? else {
            let all = std::iter::zip(&lists, &shares);
            let step = all.map(|(list, shares)| {
                let total = shares.iter().sum();
                list[sample(shares.iter().copied(), total, rng)].clone()
            });
            return Ok(Some((step.collect(), 1.0)));
        };
        let mut joint = vec![1.0];
        for shares in &shares {
            let before = std::mem::take(&mut joint);
            let each = before
                .iter()
                .flat_map(|p| shares.iter().map(move |s| p * s));
            joint = each.collect();
        }
        let fits = std::iter::zip(joint, fitting.iter());
        let joint: Vec<f64> = fits.map(|(p, fits)| if *fits { p } else { 0.0 }).collect();
        Ok(drawn(&joint, rng).map(|(number, left)| {
            let mut rest = number;
            let mut step: Actions = Actions::default();
            for list in lists.iter().rev() {
                step.0.push(list[rest % list.len()].clone());
                rest /= list.len();
            }
            step.0.reverse();
            (SmallVec::from_iter(step.0), left)
        }))
    }
}

/// What is chosen or drawn in a step, and the share of all that was left.
type Step = (SmallVec<[Action; 4]>, f64);

/// A place by its share, and the sum of the shares; `None` where nothing has one.
fn drawn(shares: &[f64], rng: &mut Stream) -> Option<(usize, f64)> {
    let left: f64 = shares.iter().sum();
    (left > 0.0).then(|| (sample(shares.iter().copied(), left, rng), left))
}
