//! What the counts of an experiment mean: every metric of every player in every pairing, seat by seat and over all,
//! with 95 % intervals.
//!
//! Wins, draws and losses have the interval of Wilson's score, lengths that of Student's t, and shares of wins and payoffs that of
//! [`Mean::within`](crate::arena::statistics::Mean::within). Over all pairings of a player its games are one sample; as its opponents are
//! no random choice, that interval is too wide rather than too narrow. Ratings are those of [`crate::arena::rating`].

use super::metric::Metric;
use super::plan::Cell;
use super::tally::{Amount, Tally};
use super::{Matches, csv, markdown, pairings, svg};
use crate::arena::bounds::{joined, of_seats};
use crate::arena::experiment::measure::{Measure, Progress, Summary, Texts};
use crate::arena::experiment::part::Part;
use crate::arena::experiment::plan::{Experiment, Variant};
use crate::arena::experiment::summary::VariantHead;
use crate::arena::rating::{Meeting, ratings};
use crate::arena::report::is_zero;
use crate::arena::statistics::{Mean, Share, WinDrawLoss};
use indexmap::IndexMap;
use serde::Serialize;
use std::collections::BTreeMap;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatchesSummary {
    pub title: Option<String>,
    pub seed: u64,
    /// Games asked for in each pairing.
    pub games: u64,
    /// Games asked for in all.
    pub total: u64,
    pub finished: u64,
    /// False when a player has a budget in milliseconds, or games are missing: which are there may hang on when it was stopped.
    pub reproducible: bool,
    /// Whether a player has a budget in milliseconds.
    #[serde(skip)]
    pub timed: bool,
    pub variants: Vec<VariantSummary>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct VariantSummary {
    #[serde(flatten)]
    pub head: VariantHead,
    /// What was asked for.
    pub metrics: Vec<Metric>,
    /// What the metrics are when nobody is better.
    pub even: IndexMap<&'static str, f64>,
    pub pairings: Vec<CellSummary>,
    /// Where each pairing is played once on each side: the players of the first side, who are those of the first player.
    #[serde(skip)]
    pub first_side: Option<String>,
    /// By player, over all its pairings.
    pub all: IndexMap<String, Score>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CellSummary {
    /// Who plays, by name, and on which seats if they stay there.
    pub pairing: String,
    /// The seed with which `ruse match` plays the same games.
    pub seed: u64,
    pub games: u64,
    /// In the order of the pairing.
    pub players: Vec<MemberSummary>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MemberSummary {
    pub player: String,
    #[serde(flatten)]
    pub score: Score,
    /// By the name of the seat, for players who take several.
    pub seats: IndexMap<String, Score>,
    /// How many of its choices it made blindly, having lost track of what it cannot see. Left out where there are none.
    #[serde(skip_serializing_if = "is_zero")]
    pub blind: u64,
}

/// The metrics over some games; one that has no meaning there is `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Score {
    pub games: u64,
    pub share: Option<Estimate>,
    pub wins: Option<Estimate>,
    pub draws: Option<Estimate>,
    pub losses: Option<Estimate>,
    pub payoff: Option<Estimate>,
    pub length: Option<Estimate>,
    /// Over all pairings of a player only, where it is asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<Estimate>,
}

/// A mean and its 95 % interval, which a mean of one game does not have.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    pub mean: f64,
    pub interval: Option<(f64, f64)>,
}

impl Estimate {
    /// How far the farther end of the interval is from the mean.
    pub fn error(&self) -> Option<f64> {
        let (low, high) = self.interval?;
        Some((self.mean - low).max(high - self.mean))
    }
}

impl Score {
    pub fn get(&self, metric: Metric) -> Option<Estimate> {
        match metric {
            Metric::Share => self.share,
            Metric::Wins => self.wins,
            Metric::Draws => self.draws,
            Metric::Losses => self.losses,
            Metric::Payoff => self.payoff,
            Metric::Length => self.length,
            Metric::Rating => self.rating,
        }
    }
}

impl Summary for MatchesSummary {
    fn progress(&self) -> Progress {
        Progress {
            finished: self.finished,
            total: self.total,
            noun: Matches::WORDS.many,
        }
    }

    fn texts(&self) -> Texts {
        Texts {
            markdown: markdown::markdown(self),
            csv: csv::csv(self),
            svg: Some(svg::svg(self)),
        }
    }
}

impl VariantSummary {
    /// The metric that ranks the players: the first of those asked for, if there is one for which more is better.
    pub fn ranking(&self) -> Option<Metric> {
        let mut ranking = self
            .metrics
            .iter()
            .filter(|m| !matches!(m, Metric::Draws | Metric::Losses | Metric::Length));
        ranking.next().copied()
    }

    /// The players from the best to the worst by a metric over all their pairings.
    pub fn ranked(&self, metric: Metric) -> Vec<(&str, Estimate)> {
        let known = self.all.iter();
        let mut known: Vec<(&str, Estimate)> = known
            .filter_map(|(name, score)| Some((name.as_str(), score.get(metric)?)))
            .collect();
        known.sort_by(|(_, a), (_, b)| b.mean.total_cmp(&a.mean));
        known
    }

    /// The same in groups: whoever stands in an earlier group has an interval wholly above those of all later ones.
    /// Within a group the order is not resolved.
    pub fn groups(&self, metric: Metric) -> Vec<Vec<&str>> {
        let ranked = self.ranked(metric);
        let ends = |e: &Estimate| e.interval.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        let mut groups: Vec<Vec<&str>> = Vec::new();
        for (i, (name, _)) in ranked.iter().enumerate() {
            let above = ranked[..i].iter().map(|(_, e)| ends(e).0);
            let below = ranked[i..].iter().map(|(_, e)| ends(e).1);
            let resolved =
                above.fold(f64::INFINITY, f64::min) > below.fold(f64::NEG_INFINITY, f64::max);
            match groups.last_mut() {
                Some(group) if !resolved => group.push(*name),
                _ => groups.push(vec![*name]),
            }
        }
        groups
    }

    pub fn even(&self, metric: Metric) -> Option<f64> {
        self.even.get(metric.name()).copied()
    }
}

/// Sums up the finished games.
pub fn sum_up(experiment: &Experiment<Matches>, part: &Part<Matches>) -> MatchesSummary {
    let variants = experiment.variants.iter().enumerate();
    MatchesSummary {
        title: experiment.title.clone(),
        seed: experiment.seed,
        games: experiment.each,
        total: experiment.total(),
        finished: part.finished,
        reproducible: experiment.is_reproducible(part.finished, experiment.total()),
        timed: Matches::depends_on_time(experiment),
        variants: variants
            .map(|(i, variant)| variant_summary(experiment, part, i, variant))
            .collect(),
    }
}

fn variant_summary(
    experiment: &Experiment<Matches>,
    part: &Part<Matches>,
    number: usize,
    variant: &Variant,
) -> VariantSummary {
    let mut all = vec![Sample::default(); variant.players.len()];
    let cells = std::iter::zip(&experiment.cells, &part.results);
    let pairings = cells
        .filter(|(cell, _)| cell.variant == number)
        .map(|(cell, tally)| {
            let members = cell.members.iter().enumerate().map(|(member, &player)| {
                let sample = Sample::of(variant, tally, member as u8, None);
                let score = sample.score(variant);
                all[player].merge(sample);
                MemberSummary {
                    player: experiment.name_of(cell, player).to_string(),
                    score,
                    seats: seats(variant, cell, tally, member),
                    blind: tally
                        .blind
                        .get(&(member as u8))
                        .copied()
                        .unwrap_or_default(),
                }
            });
            CellSummary {
                pairing: cell.label.clone(),
                players: members.collect(),
                seed: cell.seed,
                games: tally.games(),
            }
        });
    let pairings: Vec<CellSummary> = pairings.collect();
    let names = || variant.players.iter().map(|(name, _)| name.clone());
    let mut scores: Vec<Score> = all.iter().map(|s| s.score(variant)).collect();
    if experiment.measure.metrics[number].contains(&Metric::Rating) {
        rate(experiment, part, number, &mut scores);
    }
    let even = Metric::ALL
        .into_iter()
        .filter_map(|m| Some((m.name(), variant.even(m)?)));
    VariantSummary {
        head: VariantHead::of(variant),
        metrics: experiment.measure.metrics[number].clone(),
        even: even.collect(),
        pairings,
        first_side: experiment
            .measure
            .by_side
            .then(|| pairings::first_side(&variant.machine)),
        all: std::iter::zip(names(), scores).collect(),
    }
}

/// Rates the players of a variant by their games against each other.
fn rate(
    experiment: &Experiment<Matches>,
    part: &Part<Matches>,
    number: usize,
    scores: &mut [Score],
) {
    let variant = &experiment.variants[number];
    let cells = std::iter::zip(&experiment.cells, &part.results);
    let meetings = cells.filter(|(cell, _)| cell.variant == number);
    let meetings = meetings.filter_map(|(cell, tally)| {
        let [a, b] = *cell.members.as_slice() else {
            return None;
        };
        let sample = Sample::of(variant, tally, 0, None);
        let won = sample.shares.iter().map(|(x, count)| x.0 * *count as f64);
        Some(Meeting {
            players: [a, b],
            games: sample.games as f64,
            won: won.sum(),
        })
    });
    let meetings: Vec<Meeting> = meetings.collect();
    let ratings = ratings(scores.len(), &meetings);
    for (score, rating) in std::iter::zip(scores, ratings) {
        let (low, high) = (rating.points - rating.error, rating.points + rating.error);
        score.rating = Some(Estimate {
            mean: rating.points,
            interval: Some((low, high)),
        });
    }
}

/// The scores of a player by seat, if it takes more than one.
fn seats(variant: &Variant, cell: &Cell, tally: &Tally, member: usize) -> IndexMap<String, Score> {
    let machine = &variant.machine;
    let seats: Vec<usize> = (0..machine.player_count())
        .filter(|&seat| cell.may_sit(member, seat))
        .collect();
    if seats.len() < 2 {
        return IndexMap::new();
    }
    let scores = seats.into_iter().map(|seat| {
        let sample = Sample::of(variant, tally, member as u8, Some(seat));
        (machine.player_name(seat).to_string(), sample.score(variant))
    });
    scores.collect()
}

/// Games as one player had them.
#[derive(Clone, Debug, Default)]
struct Sample {
    games: u64,
    payoffs: BTreeMap<Amount, u64>,
    /// Of payoffs, by the rules.
    bounds: Option<(f64, f64)>,
    shares: BTreeMap<Amount, u64>,
    /// Wins, draws and losses.
    outcomes: [u64; 3],
    /// Some game had the player on two sides at once, who cannot win it.
    two_sides: bool,
    lengths: BTreeMap<u64, u64>,
}

impl Sample {
    /// The games of a member of a cell, on whatever seats or on one.
    fn of(variant: &Variant, tally: &Tally, member: u8, seat: Option<usize>) -> Sample {
        let sides = &variant.machine.description().payoff.sides;
        let mut sample = Sample::default();
        for ((seating, payoffs), &count) in &tally.ends {
            let own =
                (0..seating.len()).filter(|&s| seating[s] == member && seat.is_none_or(|x| x == s));
            let own: Vec<usize> = own.collect();
            let Some(&first) = own.first() else { continue };
            let payoffs: Vec<f64> = payoffs.iter().map(|x| x.0).collect();
            let mean = own.iter().map(|&s| payoffs[s]).sum::<f64>() / own.len() as f64;
            sample.bounds = joined(sample.bounds, Some(of_seats(&variant.machine, &own)));
            sample.games += count;
            *sample.payoffs.entry(Amount::new(mean)).or_default() += count;
            let share = WinDrawLoss::share(&payoffs, sides, first);
            *sample.shares.entry(Amount::new(share)).or_default() += count;
            let outcome = WinDrawLoss::of(&payoffs, sides, first);
            sample.outcomes[outcome as usize] += count;
            let one_side = own.len() == 1
                || sides
                    .iter()
                    .any(|side| own.iter().all(|s| side.contains(*s)));
            sample.two_sides |= !one_side;
        }
        // Who sat where is not kept beside the length of a game.
        if seat.is_none() {
            sample.lengths = tally.lengths.clone();
        }
        sample
    }

    fn merge(&mut self, other: Sample) {
        self.games += other.games;
        self.two_sides |= other.two_sides;
        self.bounds = joined(self.bounds, other.bounds);
        for (counts, more) in [
            (&mut self.payoffs, other.payoffs),
            (&mut self.shares, other.shares),
        ] {
            for (value, count) in more {
                *counts.entry(value).or_default() += count;
            }
        }
        for (count, more) in std::iter::zip(&mut self.outcomes, other.outcomes) {
            *count += more;
        }
        for (plies, count) in other.lengths {
            *self.lengths.entry(plies).or_default() += count;
        }
    }

    fn score(&self, variant: &Variant) -> Score {
        let payoffs = self.payoffs.iter().map(|(x, count)| (x.0, *count));
        let payoff = Mean::within(self.bounds.unwrap_or_default(), payoffs);
        let length = Mean::of_counts(self.lengths.iter().map(|(x, count)| (*x as f64, *count)));
        let compared = variant.is_comparable() && !self.two_sides && self.games > 0;
        let outcome = |i: usize| {
            let share = Share::of(self.outcomes[i], self.games);
            let interval = share.interval;
            compared
                .then_some(share.share)
                .flatten()
                .map(|mean| Estimate { mean, interval })
        };
        let share = compared.then(|| {
            let shares = self.shares.iter().map(|(x, count)| (x.0, *count));
            Mean::within((0.0, 1.0), shares)
        });
        Score {
            games: self.games,
            share: share.as_ref().and_then(estimate),
            wins: outcome(WinDrawLoss::Win as usize),
            draws: outcome(WinDrawLoss::Draw as usize),
            losses: outcome(WinDrawLoss::Loss as usize),
            payoff: estimate(&payoff),
            length: estimate(&length),
            rating: None,
        }
    }
}

fn estimate(mean: &Mean) -> Option<Estimate> {
    let interval = mean.interval;
    mean.mean.map(|mean| Estimate { mean, interval })
}
