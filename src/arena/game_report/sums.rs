//! The sums over all games that were gone through.

use super::trace::Trace;
use crate::arena::statistics::{Mean, Share};
use serde::Serialize;
use std::collections::BTreeMap;

/// A ply is decisive from this share of the range of a player's payoffs on.
pub const DECISIVE: f64 = 0.25;

/// The most choices whose options are told one by one.
const CHOICES: usize = 200;

/// How long games are.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Length {
    /// Choices, simultaneous choices and chance events in a game.
    pub plies: Mean,
    /// Choices of single players in a game; those made together count each.
    pub choices: Mean,
    /// Chance events in a game.
    pub chances: Mean,
    /// How many games had so many plies.
    pub games_by_plies: BTreeMap<u64, u64>,
}

/// How much there is to choose from.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Branching {
    /// Options of a choice: the mean over the choices of a game, one value a game.
    pub options: Mean,
    /// Choices with one option alone, as a share of the choices of a game, one value a game.
    pub forced: Mean,
    /// The fewest and the most options of a choice in any game; `None` where nobody chose.
    pub range: Option<(usize, usize)>,
    /// The options of the first choice of a game, the second, …, over the games that had so many; of the first 200.
    pub by_choice: Vec<Mean>,
}

/// How games come to their end, by estimates from random playouts of their positions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Course {
    /// How many random playouts estimate a position.
    pub playouts: u64,
    /// Choices in a game that changed what some player could expect by a quarter of the range of that player's payoffs or
    /// more, and by more than accident.
    pub decisive_choices: Mean,
    /// Chance events that did.
    pub decisive_chances: Mean,
    /// Who was ahead; `None` where payoffs cannot be compared between players.
    pub lead: Option<Leads>,
}

/// Who was ahead, and when it changed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Leads {
    /// How often in a game another side was ahead than the one that was before.
    pub changes: Mean,
    /// Of games with a winner: the share of the plies after which the winner was ahead for good.
    pub decided: Mean,
    /// Of games with a winner: those that a rival had been ahead in.
    pub turned: Share,
}

/// The mean of values, one a game, between 0 and 1.
fn share_of(values: &[f64]) -> Mean {
    Mean::within((0.0, 1.0), values.iter().map(|&x| (x, 1)))
}

/// The mean of counts, one a game, whose interval is not below 0. Where all are equal there is none: nothing bounds what was not
/// seen.
fn count_of(values: &[f64]) -> Mean {
    let mut mean = Mean::of(values);
    let vary = mean.deviation.is_some_and(|d| d > 0.0);
    let interval = mean.interval.filter(|_| vary);
    mean.interval = interval.map(|(low, high)| (low.max(0.0), high));
    mean
}

/// Who made the first choice in every game.
pub fn first(traces: &[&Trace]) -> Option<usize> {
    let first = traces.first()?.first;
    first.filter(|_| traces.iter().all(|t| t.first == first))
}

pub fn length(traces: &[&Trace]) -> Length {
    let of = |count: &dyn Fn(&Trace) -> f64| {
        let values: Vec<f64> = traces.iter().map(|t| count(t)).collect();
        count_of(&values)
    };
    let mut games_by_plies = BTreeMap::new();
    for trace in traces {
        *games_by_plies.entry(trace.plies).or_default() += 1;
    }
    Length {
        plies: of(&|t| t.plies as f64),
        choices: of(&|t| t.options.len() as f64),
        chances: of(&|t| t.chances as f64),
        games_by_plies,
    }
}

pub fn branching(traces: &[&Trace]) -> Branching {
    let chosen = || traces.iter().filter(|t| !t.options.is_empty());
    let means: Vec<f64> = chosen()
        .map(|t| t.options.iter().sum::<usize>() as f64 / t.options.len() as f64)
        .collect();
    let forced: Vec<f64> = chosen()
        .map(|t| {
            let forced = t.options.iter().filter(|n| **n == 1).count();
            forced as f64 / t.options.len() as f64
        })
        .collect();
    let all = || traces.iter().flat_map(|t| &t.options).copied();
    let most = traces.iter().map(|t| t.options.len()).max().unwrap_or(0);
    let by_choice = (0..most.min(CHOICES)).map(|at| {
        let options = traces.iter().filter_map(|t| t.options.get(at));
        let options: Vec<f64> = options.map(|&n| n as f64).collect();
        count_of(&options)
    });
    Branching {
        options: count_of(&means),
        forced: share_of(&forced),
        range: all().min().zip(all().max()),
        by_choice: by_choice.collect(),
    }
}

pub fn course(traces: &[&Trace], playouts: u64) -> Course {
    let players = traces.first().map_or(0, |t| t.payoffs.len());
    let ranges: Vec<f64> = (0..players)
        .map(|p| {
            let payoffs = traces.iter().map(|t| t.payoffs[p]);
            let least = payoffs.clone().fold(f64::INFINITY, f64::min);
            payoffs.fold(f64::NEG_INFINITY, f64::max) - least
        })
        .collect();
    let is_decisive = |amounts: &[f64]| {
        let mut both = std::iter::zip(amounts, &ranges);
        both.any(|(x, range)| *range > 0.0 && *x >= DECISIVE * range)
    };
    let decisive = |by_chance: bool| {
        let counts = traces.iter().map(|t| {
            let swings = t.swings.iter().filter(|s| s.by_chance == by_chance);
            swings.filter(|s| is_decisive(&s.amounts)).count() as f64
        });
        count_of(&counts.collect::<Vec<f64>>())
    };
    Course {
        playouts,
        decisive_choices: decisive(false),
        decisive_chances: decisive(true),
        lead: traces
            .first()
            .is_some_and(|t| t.lead.is_some())
            .then(|| leads(traces)),
    }
}

fn leads(traces: &[&Trace]) -> Leads {
    let leads = || {
        traces
            .iter()
            .filter_map(|t| t.lead.as_ref().map(|l| (*t, l)))
    };
    let changes: Vec<f64> = leads().map(|(_, l)| l.changes as f64).collect();
    let decided: Vec<f64> = leads()
        .filter_map(|(t, l)| Some(l.decided? as f64 / t.plies.max(1) as f64))
        .collect();
    let turned: Vec<bool> = leads().filter_map(|(_, l)| l.turned).collect();
    Leads {
        changes: count_of(&changes),
        decided: share_of(&decided),
        turned: Share::of(
            turned.iter().filter(|t| **t).count() as u64,
            turned.len() as u64,
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::super::trace::{Lead, Swing};
    use super::*;

    fn game(payoff: f64, options: &[usize], swing: f64, by_chance: bool) -> Trace {
        Trace {
            payoffs: vec![payoff, -payoff],
            plies: options.len() as u64 + 1,
            chances: 1,
            first: Some(options.len() % 2),
            options: options.to_vec(),
            swings: vec![Swing {
                by_chance,
                amounts: vec![swing, 0.0],
            }],
            lead: Some(Lead {
                changes: 2,
                decided: Some(1),
                turned: Some(payoff > 0.0),
            }),
        }
    }

    #[test]
    fn games_are_summed_up() {
        let games = [
            game(1.0, &[4, 1, 2, 1], 0.5, false),
            game(-1.0, &[3], 0.49, true),
        ];
        let all: Vec<&Trace> = games.iter().collect();
        let length = length(&all);
        assert_eq!(length.plies.mean, Some(3.5));
        assert!(length.plies.interval.is_some_and(|(low, _)| low == 0.0));
        assert_eq!(length.chances.interval, None);
        assert_eq!((first(&all), first(&all[1..])), (None, Some(1)));
        assert_eq!(length.choices.mean, Some(2.5));
        assert_eq!(length.games_by_plies, BTreeMap::from([(2, 1), (5, 1)]));
        let branching = branching(&all);
        assert_eq!(branching.options.mean, Some(2.5));
        assert_eq!(branching.forced.mean, Some(0.25));
        assert_eq!(branching.range, Some((1, 4)));
        let means: Vec<Option<f64>> = branching.by_choice.iter().map(|m| m.mean).collect();
        assert_eq!(means, [Some(3.5), Some(1.0), Some(2.0), Some(1.0)]);
        // Payoffs are 2 apart, so that a half is just decisive.
        let course = course(&all, 100);
        assert_eq!(course.decisive_choices.mean, Some(0.5));
        assert_eq!(course.decisive_chances.mean, Some(0.0));
        let lead = course.lead.unwrap();
        assert_eq!(lead.changes.mean, Some(2.0));
        assert_eq!(lead.decided.mean, Some((0.2 + 0.5) / 2.0));
        assert_eq!((lead.turned.count, lead.turned.share), (1, Some(0.5)));
    }

    #[test]
    fn nothing_comes_of_no_games() {
        assert_eq!(length(&[]).plies.mean, None);
        assert_eq!(branching(&[]).range, None);
        assert_eq!(course(&[], 100).lead, None);
    }
}
