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
//!
//! Where a target was hit by a choice that the strategy makes no more, its probability is 0, and nothing would be learned of what
//! comes after. So those who do not explore are taken to choose what can lead to the target with some probability at the least, as
//! by a trembling hand (Selten 1975). What is learned of the choice itself is as without.
//!
//! With [`Baselines`], what is known of a choice is taken for what was not sampled, and only the difference is divided by the
//! probability of the sample, so that estimates vary less (Schmid, Burch, Lanctot, Moravčík, Kadlec & Bowling 2019). Without,
//! what is known is 0 everywhere.

use super::baselines::Baselines;
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

    /// Where what is known of the choices here begins in the [`Baselines`]: the same number whenever play comes here in the same
    /// way, and as many numbers after it as there are choices. `None`: nothing is to be kept. Asked only if there are baselines.
    fn history(&mut self, choices: usize) -> Option<usize>;

    /// Goes on with a choice.
    ///
    /// # Errors
    /// Those of play.
    fn go(&mut self, choice: usize, rng: &mut Stream) -> Result<(), Self::Error>;

    /// What a player is paid at the end, but for a constant.
    fn payoff(&self, player: usize) -> f64;
}

/// A choice on the way through a game.
#[derive(Clone, Debug)]
pub struct Taken {
    /// Where the choices are in the tables; none where chance decided.
    pub choices: Range<usize>,
    pub choice: usize,
    /// At a decision of the explorer: in the mean over all games, the payoff times this is what the choice is worth,
    /// counterfactually.
    pub weight: f64,
    explores: bool,
    /// The probability of the choice by the strategy or by chance, not the exploration.
    probability: f64,
    /// Where the baselines of the choices begin, and the probabilities of all of them in [`OutcomeSampler::mixes`].
    history: Option<(usize, Range<usize>)>,
    /// How likely the game was sampled as far as here, and with the choice (see [`Reach`]).
    reach: f64,
    reach_after: f64,
}

/// Samples games and learns from them.
#[derive(Clone, Debug)]
pub struct OutcomeSampler {
    pub tables: RegretTables,
    /// ε, from 0 to 1. With 0 what is never chosen is never tried again.
    pub exploration: f64,
    /// δ, from 0 to 1. With 1 only what can lead to the target is sampled.
    pub targeting: f64,
    /// How likely at least those who do not explore choose what can lead to the target, from 0 to 1.
    pub trembling: f64,
    /// Whether regrets never fall below 0 (regret matching+: Tammelin 2014).
    pub positive_regrets: bool,
    /// Whether the n-th game counts n times in the average strategy (CFR+: Tammelin 2014), so that what was played before anything
    /// was learned is soon forgotten.
    pub linear_averages: bool,
    /// How many games were played.
    games: u64,
    baselines: Option<Baselines>,
    way: Vec<Taken>,
    /// The probabilities of all choices on the way whose baselines are known.
    mixes: Vec<f64>,
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
    /// Without targets. `exploration` is ε, from 0 to 1.
    pub fn new(tables: RegretTables, exploration: f64) -> OutcomeSampler {
        OutcomeSampler {
            tables,
            exploration,
            targeting: 0.0,
            trembling: 0.0,
            positive_regrets: false,
            linear_averages: false,
            games: 0,
            baselines: None,
            way: Vec::new(),
            mixes: Vec::new(),
            allowed: Vec::new(),
            probabilities: Vec::new(),
        }
    }

    /// The same with baselines, which are learned from the games.
    #[must_use]
    pub fn with_baselines(mut self, players: usize) -> OutcomeSampler {
        self.baselines = Some(Baselines::new(players));
        self
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
        self.mixes.clear();
        self.games += 1;
        let counts = match self.linear_averages {
            true => self.games as f64,
            false => 1.0,
        };
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
                    let before = reach.sampled(self.targeting);
                    let choices = walk.chances().len();
                    let history = self.history(walk, choices);
                    let chances = walk.chances();
                    let history = history.map(|first| (first, keep(&mut self.mixes, chances)));
                    let aim = aims.then_some((chances, &self.allowed[..]));
                    let picked = pick(aim, targeted, rng, |rng| sample(chances, rng));
                    reach.narrow(picked.narrowing);
                    self.way.push(Taken {
                        choices: 0..0,
                        choice: picked.choice,
                        weight: 0.0,
                        explores: false,
                        probability: chances[picked.choice],
                        history,
                        reach: before,
                        reach_after: reach.sampled(self.targeting),
                    });
                    walk.go(picked.choice, rng)?;
                }
                Place::Decision { player, choices } => {
                    let aims = walk.aim(&mut self.allowed)?;
                    let before = reach.sampled(self.targeting);
                    let history = self.history(walk, choices.len());
                    self.tables.at(choices.clone());
                    if player != explorer {
                        // Of the strategies of third players there is nothing in a player's own.
                        let third = (0..played.len()).filter(|p| *p != player && *p != explorer);
                        let third: f64 = third.map(|p| played[p]).product();
                        let sampled = before * third;
                        if sampled > 0.0 {
                            self.tables.remember(choices.clone(), counts / sampled);
                        }
                    }
                    let exploring = player == explorer;
                    if aims && !exploring {
                        let strategy = &mut self.tables.strategy[..choices.len()];
                        tremble(strategy, &self.allowed, self.trembling);
                    }
                    let strategy = &self.tables.strategy[..choices.len()];
                    let history = history.map(|first| (first, keep(&mut self.mixes, strategy)));
                    let picked = self.choose(choices.len(), exploring, aims, targeted, rng);
                    let choice = picked.choice;
                    let probability = self.tables.strategy[choice];
                    played[player] *= probability;
                    if exploring {
                        let mixed = self.mixed(probability, choices.len());
                        reach.plain *= mixed;
                        reach.targeted *= mixed;
                    }
                    reach.narrow(picked.narrowing);
                    self.way.push(Taken {
                        choices,
                        choice,
                        weight: 0.0,
                        explores: exploring,
                        probability,
                        history,
                        reach: before,
                        reach_after: reach.sampled(self.targeting),
                    });
                    walk.go(choice, rng)?;
                }
            }
        }
        let payoffs = (0..walk.players()).map(|player| walk.payoff(player));
        self.learn(explorer, payoffs.collect(), reach.sampled(self.targeting));
        Ok(())
    }

    /// Where what is known of the choices here is, if something is kept.
    fn history<W: Walk>(&mut self, walk: &mut W, choices: usize) -> Option<usize> {
        let baselines = self.baselines.as_mut()?;
        let first = walk.history(choices)?;
        baselines.reserve(first + choices);
        Some(first)
    }

    /// What was chosen in the game that was played last, in order.
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

    /// Adds up the explorer's regrets at the end of a game, which came up with the probability `sampled`, and brings the
    /// baselines up to date. `values` has the payoffs of all players.
    fn learn(&mut self, explorer: usize, mut values: SmallVec<[f64; 4]>, sampled: f64) {
        if sampled <= 0.0 {
            return;
        }
        // The probability of the explorer's own choices from here to the end.
        let mut tail = 1.0;
        for taken in self.way.iter_mut().rev() {
            // By how much less likely the choice was sampled than it is played, but for the explorer's own part in it.
            let scale = taken.reach / taken.reach_after;
            let known = self.baselines.as_mut().zip(taken.history.as_ref());
            let mut known = known
                .map(|(baselines, (first, mix))| (baselines, *first, &self.mixes[mix.clone()]));
            for (player, value) in values.iter_mut().enumerate() {
                // Seen from the history after the choice.
                let after = *value;
                let (of_choice, mean) =
                    known
                        .as_ref()
                        .map_or((0.0, 0.0), |(baselines, first, mix)| {
                            let of_choice = baselines.get(player, first + taken.choice);
                            (of_choice, baselines.mean(player, *first, mix))
                        });
                let differs = (after - of_choice) * scale;
                *value = mean
                    + if taken.explores {
                        taken.probability * differs
                    } else {
                        differs
                    };
                if taken.explores && player == explorer {
                    let regrets = &mut self.tables.regrets[taken.choices.clone()];
                    for (choice, regret) in regrets.iter_mut().enumerate() {
                        let mut worth = known.as_ref().map_or(0.0, |(baselines, first, _)| {
                            baselines.get(player, first + choice)
                        });
                        if choice == taken.choice {
                            worth += differs;
                        }
                        *regret += (worth - *value) / taken.reach;
                        if self.positive_regrets {
                            *regret = regret.max(0.0);
                        }
                    }
                }
                if let Some((baselines, first, _)) = &mut known {
                    baselines.learn(player, *first + taken.choice, after);
                }
            }
            if taken.explores {
                taken.weight = tail / sampled;
                tail *= taken.probability;
            }
        }
    }
}

/// Gives the choices with which the target can be hit `least` of the probability, if they have less; the others share the rest as
/// before.
fn tremble(strategy: &mut [f64], allowed: &[bool], least: f64) {
    let count = allowed.iter().filter(|allowed| **allowed).count();
    let fitting = std::iter::zip(&*strategy, allowed).filter(|(_, allowed)| **allowed);
    let mass: f64 = fitting.map(|(p, _)| *p).sum();
    if count == 0 || mass >= least {
        return;
    }
    for (p, &fits) in std::iter::zip(strategy, allowed) {
        *p = match fits {
            true if mass > 0.0 => *p * least / mass,
            true => least / count as f64,
            false => *p * (1.0 - least) / (1.0 - mass),
        };
    }
}

/// Adds probabilities to those of the way, and says where they are.
fn keep(mixes: &mut Vec<f64>, probabilities: &[f64]) -> Range<usize> {
    let first = mixes.len();
    mixes.extend_from_slice(probabilities);
    first..mixes.len()
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
