//! One game of outcome sampling: what is sampled on the way, and what is learned at its end. It is the same whether the whole
//! game stands in memory as a tree ([`OutcomeSampling`](super::OutcomeSampling)) or is played by its rules, with room for an
//! information state when play first comes there (online outcome sampling: Lisý, Lanctot & Bowling 2015).
//!
//! One player explores: with probability ε it chooses evenly. Chance and the others play as they are, so that their
//! probabilities cancel out of the sampled counterfactual value (Lanctot, Waugh, Zinkevich & Bowling 2009, equation 10), and
//! what is left is the payoff over the probability of the explorer's own choices. The average strategy of a player is added up
//! on the games of the others, over the probability with which those chose to come there.
//!
//! With probability δ a game is *targeted*: as long as the walk aims at something, only choices are sampled with which it can
//! still be hit. So an end z comes up with probability δ·s₁(z) + (1 − δ)·s₂(z), of which s₂ is the probability without a target,
//! and everything that is learned is divided by that (section 4 of Lisý, Lanctot & Bowling). Both are followed in every game.
//! Where nothing fits, the walk goes on without a target; nothing that was sampled is thrown away.

use super::sampling::{RegretTables, sample};
use crate::random::Stream;
use rand::RngExt;
use smallvec::SmallVec;
use std::ops::Range;

/// What is decided where a walk stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    End,
    Chance,
    /// By a player, at the information state with these choices.
    Decision {
        player: usize,
        choices: Range<usize>,
    },
}

/// A game from its beginning to an end. Chance and the players decide one after the other, those who choose at the same time
/// in seating order.
pub trait Walk {
    type Error;

    fn players(&self) -> usize;

    /// What is decided here. An information state that is met for the first time gets its room in `tables`.
    ///
    /// # Errors
    /// Those of play.
    fn place(&mut self, tables: &mut RegretTables, rng: &mut Stream) -> Result<Place, Self::Error>;

    /// The probabilities of chance here.
    fn chances(&self) -> &[f64];

    /// Whether the walk still aims at its target, and if so for each choice here whether the target can be hit with it. It
    /// depends on what was played so far alone.
    ///
    /// # Errors
    /// Those of play.
    fn aim(&mut self, _allowed: &mut Vec<bool>) -> Result<bool, Self::Error> {
        Ok(false)
    }

    /// Goes on with a choice.
    ///
    /// # Errors
    /// Those of play.
    fn go(&mut self, choice: usize, rng: &mut Stream) -> Result<(), Self::Error>;

    /// What a player is paid at the end, but for a constant.
    fn payoff(&self, player: usize) -> f64;
}

/// A decision of the explorer on its way through a game.
#[derive(Clone, Debug)]
pub struct Taken {
    pub choices: Range<usize>,
    pub choice: usize,
    /// The probability of the choice by the strategy, not the exploration.
    probability: f64,
    /// In the mean over all games, the payoff times this is what the choice is worth, counterfactually.
    pub weight: f64,
}

/// Samples games and learns from them.
#[derive(Clone, Debug)]
pub struct OutcomeSampler {
    pub tables: RegretTables,
    /// ε, above 0 and at most 1.
    pub exploration: f64,
    /// δ, below 1.
    pub targeting: f64,
    way: Vec<Taken>,
    allowed: Vec<bool>,
    /// The probabilities of the choices at a place where the walk aims.
    probabilities: Vec<f64>,
}

/// The probability of sampling a game so far, over that of the choices of chance and of all but the explorer: these cancel out.
#[derive(Copy, Clone)]
struct Reach {
    plain: f64,
    targeted: f64,
}

impl Reach {
    fn sampled(self, targeting: f64) -> f64 {
        match targeting {
            0.0 => self.plain,
            _ => (1.0 - targeting) * self.plain + targeting * self.targeted,
        }
    }

    fn narrow(&mut self, by: f64) {
        self.targeted = match by {
            0.0 => 0.0,
            _ => self.targeted * by,
        };
    }
}

/// A choice, and how much more likely it is in a targeted game.
struct Picked {
    choice: usize,
    narrowing: f64,
}

impl OutcomeSampler {
    /// Without targets. `exploration` is ε, above 0 and at most 1.
    pub fn new(tables: RegretTables, exploration: f64) -> OutcomeSampler {
        OutcomeSampler {
            tables,
            exploration,
            targeting: 0.0,
            way: Vec::new(),
            allowed: Vec::new(),
            probabilities: Vec::new(),
        }
    }

    /// Plays a game in which one player explores.
    ///
    /// # Errors
    /// Those of the walk.
    pub fn play<W: Walk>(
        &mut self,
        walk: &mut W,
        explorer: usize,
        rng: &mut Stream,
    ) -> Result<(), W::Error> {
        let targeted = self.targeting > 0.0 && rng.random::<f64>() < self.targeting;
        self.way.clear();
        let mut reach = Reach {
            plain: 1.0,
            targeted: 1.0,
        };
        // The probabilities of each player's own choices so far.
        let mut played: SmallVec<[f64; 8]> = SmallVec::from_elem(1.0, walk.players());
        loop {
            match walk.place(&mut self.tables, rng)? {
                Place::End => break,
                Place::Chance => {
                    let aims = walk.aim(&mut self.allowed)?;
                    let chances = walk.chances();
                    let aim = aims.then_some((chances, &self.allowed[..]));
                    let picked = pick(aim, targeted, rng, |rng| sample(chances, rng));
                    reach.narrow(picked.narrowing);
                    walk.go(picked.choice, rng)?;
                }
                Place::Decision { player, choices } => {
                    let aims = walk.aim(&mut self.allowed)?;
                    self.tables.at(choices.clone());
                    if player != explorer {
                        // Of the strategies of third players there is nothing in a player's own.
                        let third = (0..played.len()).filter(|p| *p != player && *p != explorer);
                        let third: f64 = third.map(|p| played[p]).product();
                        let sampled = reach.sampled(self.targeting) * third;
                        if sampled > 0.0 {
                            self.tables.remember(choices.clone(), 1.0 / sampled);
                        }
                    }
                    let exploring = player == explorer;
                    let picked = self.choose(choices.len(), exploring, aims, targeted, rng);
                    let choice = picked.choice;
                    let probability = self.tables.strategy[choice];
                    played[player] *= probability;
                    if exploring {
                        let mixed = self.mixed(probability, choices.len());
                        reach.plain *= mixed;
                        reach.targeted *= mixed;
                        self.way.push(Taken {
                            choices,
                            choice,
                            probability,
                            weight: 0.0,
                        });
                    }
                    reach.narrow(picked.narrowing);
                    walk.go(choice, rng)?;
                }
            }
        }
        self.learn(walk.payoff(explorer), reach.sampled(self.targeting));
        Ok(())
    }

    /// What the explorer decided in the game that was played last, in order.
    pub fn way(&self) -> &[Taken] {
        &self.way
    }

    /// The probability with which the explorer takes a choice.
    fn mixed(&self, probability: f64, choices: usize) -> f64 {
        let even = 1.0 / choices as f64;
        self.exploration * even + (1.0 - self.exploration) * probability
    }

    /// One of the choices where the present strategy is in the tables.
    fn choose(
        &mut self,
        choices: usize,
        exploring: bool,
        aims: bool,
        targeted: bool,
        rng: &mut Stream,
    ) -> Picked {
        if aims {
            let mut probabilities = std::mem::take(&mut self.probabilities);
            probabilities.clear();
            let strategy = self.tables.strategy[..choices].iter();
            probabilities.extend(strategy.map(|&p| match exploring {
                true => self.mixed(p, choices),
                false => p,
            }));
            self.probabilities = probabilities;
        }
        let strategy = &self.tables.strategy[..choices];
        let aim = aims.then_some((&self.probabilities[..], &self.allowed[..]));
        pick(aim, targeted, rng, |rng| {
            if exploring && rng.random::<f64>() < self.exploration {
                rng.random_range(0..choices as u32) as usize
            } else {
                sample(strategy, rng)
            }
        })
    }

    /// Adds up the explorer's regrets at the end of a game, which came up with the probability `sampled`.
    fn learn(&mut self, payoff: f64, sampled: f64) {
        if sampled <= 0.0 {
            return;
        }
        let worth = payoff / sampled;
        // The probability of the explorer's own choices from here to the end.
        let mut tail = 1.0;
        for taken in self.way.iter_mut().rev() {
            let regrets = &mut self.tables.regrets[taken.choices.clone()];
            let mean = worth * tail * taken.probability;
            for (choice, regret) in regrets.iter_mut().enumerate() {
                let value = if choice == taken.choice {
                    worth * tail
                } else {
                    0.0
                };
                *regret += value - mean;
            }
            taken.weight = tail / sampled;
            tail *= taken.probability;
        }
    }
}

/// Takes a choice, in a targeted game one of those with which the target can be hit. `aim` has the probabilities of the choices
/// and those; without it, or where they cannot come up at all, the choice is as `plain` has it.
fn pick(
    aim: Option<(&[f64], &[bool])>,
    targeted: bool,
    rng: &mut Stream,
    plain: impl FnOnce(&mut Stream) -> usize,
) -> Picked {
    let narrowed = aim.filter(|(_, allowed)| !allowed.iter().all(|a| *a));
    let mass = narrowed.map_or(0.0, |(probabilities, allowed)| {
        let fitting = std::iter::zip(probabilities, allowed).filter(|(_, allowed)| **allowed);
        fitting.map(|(p, _)| *p).sum::<f64>()
    });
    let Some((probabilities, allowed)) = narrowed.filter(|_| mass > 0.0) else {
        return Picked {
            choice: plain(rng),
            narrowing: 1.0,
        };
    };
    if !targeted {
        let choice = plain(rng);
        let narrowing = if allowed[choice] { 1.0 / mass } else { 0.0 };
        return Picked { choice, narrowing };
    }
    let mut at = rng.random::<f64>() * mass;
    let mut last = 0;
    for (place, &p) in probabilities.iter().enumerate() {
        if allowed[place] && p > 0.0 {
            last = place;
            if at < p {
                break;
            }
            at -= p;
        }
    }
    Picked {
        choice: last,
        narrowing: 1.0 / mass,
    }
}
