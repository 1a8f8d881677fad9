//! A search over what the player may know: keeps a belief up to date by what it sees, and searches from it.

use super::Clock;
use super::deciding::{Deciding, Means};
use super::limits::Limits;
use super::player::{Asked, Player, PlayerError, Question};
use super::thought::Thought;
use crate::belief::{self, Belief, BeliefError, Policy, Report};
use crate::machine::{Machine, Observation};
use crate::random::{derive, stream};
use crate::search::information_sets::{Memory, Root};
use crate::search::{BeliefSearcher, Budget, SearchResult};
use rand::RngExt;
use std::sync::Arc;

pub struct BeliefPlayer {
    machine: Arc<Machine>,
    deciding: Deciding,
    searcher: Box<dyn BeliefSearcher>,
    options: belief::Options,
    blind: u64,
    belief: Belief,
    model: Option<Arc<dyn Policy>>,
    memory: Memory,
}

/// Names the stream that a belief draws from.
const BELIEF: u64 = 1;

impl BeliefPlayer {
    /// `model` is what the others are taken to play, where they are taken to play something.
    pub fn new(
        (searcher, model): (Box<dyn BeliefSearcher>, Option<Arc<dyn Policy>>),
        limits: Limits,
        machine: &Arc<Machine>,
        clock: &Clock,
    ) -> BeliefPlayer {
        let options = belief::Options::default();
        BeliefPlayer {
            options,
            belief: Belief::new(machine, options),
            model,
            machine: Arc::clone(machine),
            deciding: Deciding::new(limits, clock),
            searcher,
            memory: Memory::default(),
            blind: 0,
        }
    }
}

/// Brings a belief up to a question; whether it holds any state then. If it does not, which `blind` counts, it may again at the
/// next one.
fn ask(
    belief: &mut Belief,
    blind: &mut u64,
    question: &Question<'_>,
    in_time: &dyn Fn() -> bool,
) -> Result<bool, PlayerError> {
    match belief.asked_in_time(question.node, question.actions, in_time) {
        Ok(_) => Ok(true),
        Err(BeliefError::Nothing { complete: false }) => {
            *blind += 1;
            Ok(false)
        }
        Err(error) => Err(error.into()),
    }
}

/// The belief that a search asks for.
fn belief_of(
    machine: &Arc<Machine>,
    options: belief::Options,
    model: Option<Arc<dyn Policy>>,
) -> Belief {
    let belief = Belief::new(machine, options);
    match model {
        Some(model) => belief.with_policy(model),
        None => belief,
    }
}

/// Brings a belief that has begun up to what a player saw, by way of what it was `asked` before; a question with one answer
/// tells nothing. What fitted nothing on the way may fit again.
///
/// # Errors
/// Those of [`Belief::asked`].
pub fn follow(
    belief: &mut Belief,
    seen: &[Observation],
    asked: &[Asked],
    in_time: &dyn Fn() -> bool,
) -> Result<(), BeliefError> {
    let mut told = 0;
    for question in asked.iter().filter(|asked| asked.actions.len() > 1) {
        let until = question.seen.clamp(told, seen.len());
        seen[told..until].iter().for_each(|o| belief.observe(o));
        told = until;
        match belief.asked_in_time(question.node, &question.actions, in_time) {
            Err(BeliefError::Nothing { complete: false }) => {}
            found => found.map(drop)?,
        }
    }
    seen[told..].iter().for_each(|o| belief.observe(o));
    Ok(())
}

/// What a search finds for a player who saw this, was `asked` something before and is asked that, and the belief that it
/// rests on. Where that has no state, nothing was searched, and all actions are as likely. `believed` is called between the
/// two.
///
/// # Errors
/// [`PlayerError::LostTrack`] where nothing fits what was seen at all; those of play.
pub fn search_by_belief(
    machine: &Arc<Machine>,
    (searcher, model): (&dyn BeliefSearcher, Option<Arc<dyn Policy>>),
    (seen, asked): (&[Observation], &[Asked]),
    question: &Question<'_>,
    seed: u64,
    (budget, believed): (&Budget<'_>, &dyn Fn()),
) -> Result<(SearchResult, Report), PlayerError> {
    let options = searcher.belief(machine, question.seat);
    let mut belief = belief_of(machine, options, model.clone());
    belief.begin(question.seat, derive(seed, &[BELIEF]));
    let mut rng = stream(seed, &[0]);
    let found = follow(&mut belief, seen, asked, budget.keep_going).and_then(|()| {
        let found = belief.asked_in_time(question.node, question.actions, budget.keep_going);
        found.map(drop)
    });
    believed();
    match found {
        Ok(()) => {}
        Err(BeliefError::Nothing { complete: false }) => {
            let chosen = rng.random_range(0..question.actions.len() as u64) as usize;
            let result = SearchResult::blind(question.actions, chosen);
            return Ok((result, belief.report()));
        }
        Err(error) => return Err(error.into()),
    }
    let root = Root {
        player: question.seat,
        actions: question.actions,
        hypotheses: belief.hypotheses(),
        histories: &match options.histories {
            true => belief.histories(),
            false => Vec::new(),
        },
        policy: model.as_ref(),
    };
    let memory = &mut Memory::default();
    let found = searcher.search(machine, &root, memory, budget, &mut rng)?;
    Ok((found, belief.report()))
}

impl From<BeliefError> for PlayerError {
    fn from(error: BeliefError) -> PlayerError {
        match error {
            BeliefError::Rules(error) => PlayerError::Rules(error),
            nothing @ BeliefError::Nothing { .. } => PlayerError::LostTrack(nothing.to_string()),
        }
    }
}

impl Player for BeliefPlayer {
    fn begin(&mut self, seat: usize, seed: u64) -> Result<(), PlayerError> {
        self.deciding.begin(seed);
        self.blind = 0;
        self.options = self.searcher.belief(&self.machine, seat);
        self.belief = belief_of(&self.machine, self.options, self.model.clone());
        self.belief.begin(seat, derive(seed, &[BELIEF]));
        self.memory.clear();
        Ok(())
    }

    fn observe(&mut self, observation: &Observation) -> Result<(), PlayerError> {
        self.belief.observe(observation);
        Ok(())
    }

    fn choose(&mut self, question: &Question<'_>) -> Result<usize, PlayerError> {
        self.deciding.decide(question, |means| {
            let Means {
                in_time,
                budget,
                mut rng,
                believed,
            } = means;
            let for_belief = || question.patience.waits(0) && in_time();
            let holds = ask(&mut self.belief, &mut self.blind, question, &for_belief)?;
            believed();
            if !holds {
                return Ok(rng.random_range(0..question.actions.len() as u64) as usize);
            }
            let root = Root {
                player: question.seat,
                actions: question.actions,
                hypotheses: self.belief.hypotheses(),
                histories: &match self.options.histories {
                    true => self.belief.histories(),
                    false => Vec::new(),
                },
                policy: self.model.as_ref(),
            };
            let memory = &mut self.memory;
            let found = self
                .searcher
                .search(&self.machine, &root, memory, &budget, &mut rng)?;
            Ok(found.chosen)
        })
    }

    fn decided(&mut self, question: &Question<'_>) -> Result<(), PlayerError> {
        if self.searcher.goes_on() {
            return self.choose(question).map(drop);
        }
        self.deciding.skip();
        match question.actions.len() {
            1 => Ok(()),
            _ => {
                let waits = || question.patience.waits(0);
                ask(&mut self.belief, &mut self.blind, question, &waits).map(drop)
            }
        }
    }

    fn recall(&mut self, question: &Question<'_>) -> Result<(), PlayerError> {
        if question.actions.len() == 1 {
            return Ok(());
        }
        let waits = || question.patience.waits(0);
        // What it does not know on the way is no choice of its own.
        ask(&mut self.belief, &mut 0, question, &waits).map(drop)
    }

    fn blind_choices(&self) -> u64 {
        self.blind
    }

    fn thought(&self) -> Thought {
        self.deciding.thought()
    }
}
