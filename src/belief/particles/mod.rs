//! Histories that stand for all that fit, where these are too many: particles.
//!
//! They are advanced from one question to the next by what the player saw: what it saw of a choice or a draw is so, and
//! weighs as much as that was likely; the rest is drawn. Where few are left that count, they are resampled and then moved
//! about by the kernels of Metropolis and Hastings (resample-move: Gilks & Berzuini 2001); where none is left, repaired.

mod history;
mod kernels;
mod kinds;
mod piles;
mod repair;
mod replay;

use super::policy::Policy;
use super::record::Record;
use super::{BeliefError, ParticleReport};
use crate::machine::{Action, Machine, PlayError, State};
use crate::random::Stream;
use history::{End, Particle, Step};
use kernels::KERNELS;
use kinds::Kinds;
use piles::Piles;
use rand::RngExt;
use replay::{Otherwise, Replay, Wish, Wishes};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// After resampling, so many proposals are made for each history in the mean.
const SWEEPS: usize = 8;

/// But no more than these steps and listings take.
const WORK: u64 = 100_000;

/// So few proposals are made for copies of few states, after some that led to hardly any others: to one for `NEW` that there were.
const FEWEST: usize = 32;
const NEW: usize = 16;

/// So many are advanced before the clock is asked.
const UNASKED: usize = 200;

/// The particles of one player in a game.
pub struct Cloud {
    kinds: Arc<Kinds>,
    piles: Arc<Piles>,
    /// How many there are after resampling.
    count: usize,
    particles: Vec<Particle>,
    /// Whether they fit up to the last question. Otherwise they fit up to one before.
    fit: bool,
    /// How often each kernel was tried and accepted in the game.
    used: [(f64, f64); KERNELS.len()],
    /// How many proposals are made where copies of few are left but none need be resampled.
    proposals: usize,
    report: ParticleReport,
}

impl Cloud {
    /// At the beginning of a game.
    pub fn new(
        machine: &Machine,
        seat: usize,
        (record, policy): (&Record, Option<&dyn Policy>),
        count: usize,
    ) -> Result<Cloud, BeliefError> {
        let (kinds, piles) = (Kinds::new(machine), Piles::new(machine));
        let nothing = BeliefError::Nothing { complete: false };
        let known = (&kinds, &piles);
        let begun = Replay::new(machine, seat, known, policy, (record, 0)).initial()?;
        let particle = Particle::new(begun.ok_or(nothing)?);
        Ok(Cloud {
            kinds: Arc::new(kinds),
            piles: Arc::new(piles),
            count,
            particles: vec![particle; count],
            fit: true,
            used: Default::default(),
            proposals: SWEEPS * count,
            report: ParticleReport::default(),
        })
    }

    /// About the last question.
    pub fn report(&self) -> ParticleReport {
        self.report
    }

    /// Whether there are histories that fit up to the last question. If not, the next one may find some again.
    pub fn fits(&self) -> bool {
        self.fit
    }

    /// The states that the histories have led to, with their weights.
    pub fn states(&self) -> impl Iterator<Item = (&State, f64)> {
        let particles = self.particles.iter();
        particles.map(|particle| (&particle.at.state, libm::exp(particle.ln)))
    }

    /// What happened in each history: for each step what was chosen, in seating order, or drawn.
    pub fn histories(&self) -> impl Iterator<Item = Vec<Vec<Action>>> {
        let actions = |step: &Arc<Step>| -> Vec<Action> {
            step.parts.iter().map(|part| part.action.clone()).collect()
        };
        let particles = self.particles.iter();
        particles.map(move |particle| particle.steps.iter().map(actions).collect())
    }

    /// To a question, from the last one that was reached. Without time fewer are advanced, they are moved about less, and searched for no
    /// longer than they must be.
    pub fn advance(
        &mut self,
        machine: &Machine,
        seat: usize,
        (record, question, policy): (&Record, usize, Option<&dyn Policy>),
        in_time: &dyn Fn() -> bool,
        rng: &mut Stream,
    ) -> Result<(), PlayError> {
        let (kinds, piles) = (Arc::clone(&self.kinds), Arc::clone(&self.piles));
        let known = (&*kinds, &*piles);
        let mut replay = Replay::new(machine, seat, known, policy, (record, question));
        self.report = ParticleReport {
            repairs: self.report.repairs,
            lost: self.report.lost,
            ..ParticleReport::default()
        };
        let wishes = Wishes {
            old: &[],
            wish: &|_, _, _| Wish::Same,
            otherwise: Otherwise::Draw,
        };
        let mut tails = Vec::new();
        for (i, particle) in self.particles.iter().enumerate() {
            if i >= UNASKED && !tails.is_empty() && !in_time() {
                self.report.late = true;
                break;
            }
            let tail = replay.run(particle.steps.len(), particle.at.clone(), &wishes, rng)?;
            if matches!(tail.end, End::Asked) {
                tails.push((i, tail));
            }
        }
        self.report.survived = tails.len();
        if tails.is_empty() {
            self.report.repairs += 1;
            // Who has lost track already does not take long for every question.
            let found = repair::repair(&mut replay, &self.particles, (self.fit, in_time), rng)?;
            self.fit = !found.is_empty();
            if !self.fit {
                self.report.lost += 1;
                return Ok(());
            }
            self.particles = found;
        } else {
            let mut fitting = Vec::with_capacity(tails.len());
            let mut old = std::mem::take(&mut self.particles).into_iter().enumerate();
            for (i, tail) in tails {
                let particle = old.find(|(place, _)| *place == i);
                if let Some((_, mut particle)) = particle {
                    particle.ln += tail.seen;
                    particle.replace(tail);
                    fitting.push(particle);
                }
            }
            self.particles = fitting;
            self.fit = true;
        }
        self.scale();
        self.report.effective = self.effective();
        if self.report.effective < self.count as f64 / 2.0 {
            self.resample(rng);
            self.report.resampled = true;
            self.sweep(&mut replay, SWEEPS * self.particles.len(), in_time, rng)?;
        } else {
            self.spread(&mut replay, in_time, rng)?;
        }
        self.report.particles = self.particles.len();
        Ok(())
    }

    /// Weights count by what they are beside one another: here the greatest becomes 1.
    fn scale(&mut self) {
        let all = self.particles.iter().map(|particle| particle.ln);
        let most = all.fold(f64::NEG_INFINITY, f64::max);
        self.particles.iter_mut().for_each(|p| p.ln -= most);
    }

    /// How many equally likely histories would be as uncertain.
    fn effective(&self) -> f64 {
        let (mut sum, mut squares) = (0.0, 0.0);
        for (_, weight) in self.states() {
            sum += weight;
            squares += weight * weight;
        }
        sum * sum / squares
    }

    /// Moves the histories about where many are copies of one another, which say no more than one of them, however few have died
    /// since: less where it leads to no other states.
    fn spread(
        &mut self,
        replay: &mut Replay<'_>,
        in_time: &dyn Fn() -> bool,
        rng: &mut Stream,
    ) -> Result<(), PlayError> {
        let before = self.distinct();
        if before >= self.count / 2 {
            return Ok(());
        }
        self.sweep(replay, self.proposals, in_time, rng)?;
        self.proposals = match self.distinct() > before + before / NEW {
            true => (self.proposals * 2).min(SWEEPS * self.count),
            false => (self.proposals / 2).max(FEWEST),
        };
        Ok(())
    }

    /// How many different states there are.
    fn distinct(&self) -> usize {
        let states = self.particles.iter().map(|particle| &particle.at.state);
        states.collect::<FxHashSet<&State>>().len()
    }

    /// As many as there are to be, each as often as its weight says: systematic resampling, evenly spaced draws from one
    /// random start.
    fn resample(&mut self, rng: &mut Stream) {
        let total: f64 = self.states().map(|(_, weight)| weight).sum();
        let width = total / self.count as f64;
        let mut at = rng.random::<f64>() * width;
        let mut sum = 0.0;
        let mut drawn = Vec::with_capacity(self.count);
        for mut particle in std::mem::take(&mut self.particles) {
            sum += libm::exp(particle.ln);
            particle.ln = 0.0;
            while at < sum && drawn.len() < self.count {
                drawn.push(particle.clone());
                at += width;
            }
        }
        self.particles = drawn;
    }

    /// Moves the histories about while there is time: each proposal leaves them as likely as they are. The more a kernel was
    /// accepted before, the more it is used.
    fn sweep(
        &mut self,
        replay: &mut Replay<'_>,
        proposals: usize,
        in_time: &dyn Fn() -> bool,
        rng: &mut Stream,
    ) -> Result<(), PlayError> {
        let limit = replay.work + WORK;
        let first = self.particles.first();
        let seen = first.map_or(Vec::new(), |one| kernels::seen_values(replay, one));
        let used = self.used;
        let rates = used.map(|(tried, accepted)| 0.1 + (accepted + 1.0) / (tried + 2.0));
        let all: f64 = rates.iter().sum();
        for _ in 0..proposals {
            if replay.work > limit {
                break;
            }
            if !in_time() {
                self.report.late = true;
                break;
            }
            replay.work += 1;
            let mut at = rng.random::<f64>() * all;
            let drawn = rates.iter().position(|rate| {
                at -= rate;
                at < 0.0
            });
            let k = drawn.unwrap_or(0);
            let i = rng.random_range(0..self.particles.len() as u64) as usize;
            let accepted = kernels::step(KERNELS[k], replay, (&mut self.particles[i], &seen), rng)?;
            self.used[k].0 += 1.0;
            self.used[k].1 += f64::from(u8::from(accepted));
            self.report.tried += 1;
            self.report.accepted += u64::from(accepted);
        }
        Ok(())
    }
}
