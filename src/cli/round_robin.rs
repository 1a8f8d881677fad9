//! `ruse match --round-robin`: each of several players meets each other in a match, and how strong they are follows from all of
//! the games.

use super::clock::stopwatch;
use super::load::Loaded;
use super::match_::{failure, speed};
use super::match_text::{none, percent, percent_interval};
use super::output::{self, Failure, Verdict, plural, table};
use super::players_text::{PlayersText, settings};
use super::prepare::Preparing;
use super::problem::Problem;
use super::progress;
use super::thought_text::Thoughts;
use crate::arena::rating::{Meeting, ratings};
use crate::arena::statistics::{Share, Shares};
use crate::arena::{
    Match, MatchOptions, MatchResult, SeatingPlan, Watch, check_players, play_match_and_keep,
};
use crate::model::Claim;
use crate::players::PlayerSpec;
use crate::players::spec::split;
use crate::random::derive;
use indexmap::IndexMap;
use serde::Serialize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The most players that may meet.
const MOST_PLAYERS: usize = 64;

/// A round robin that is asked for.
pub struct RoundRobin<'a> {
    pub loaded: &'a Loaded,
    pub players: &'a PlayersText,
    /// In each pairing; `seed` is that of the whole.
    pub games: u64,
    pub seed: u64,
    pub threads: Option<usize>,
    pub json: bool,
}

#[derive(Serialize)]
struct Report {
    file: String,
    game: String,
    params: IndexMap<String, String>,
    seed: u64,
    /// How many games each pairing has, how many all pairings have, and how many of those were played.
    games: u64,
    total: u64,
    finished: u64,
    /// The highest rating first; of equal ones, who was named first.
    players: Vec<Rated>,
    pairings: Vec<Pairing>,
    /// False when a player has a budget in milliseconds, or it was stopped.
    reproducible: bool,
    #[serde(skip)]
    timed: bool,
}

#[derive(Serialize)]
struct Rated {
    spec: String,
    /// In points of Elo, 0 in the mean of the players.
    rating: f64,
    /// Of 95 %.
    interval: (f64, f64),
    #[serde(flatten)]
    outcomes: Shares,
    games: u64,
}

/// A match of two of the players; outcomes are those of the first.
#[derive(Serialize)]
struct Pairing {
    players: [String; 2],
    /// With it `ruse match` plays the same games.
    seed: u64,
    games: u64,
    #[serde(flatten)]
    outcomes: Shares,
    #[serde(skip)]
    who: [usize; 2],
}

impl RoundRobin<'_> {
    pub fn run(&self, stop: &Arc<AtomicBool>) -> Result<Verdict, Failure> {
        let specs = self.specs()?;
        let matches = self.matches(&specs, stop)?;
        let pairs = matches.len() as u64;
        let bar = progress::bar(self.games.saturating_mul(pairs), "games");
        let clock = stopwatch();
        let thoughts = Thoughts::new(specs.len());
        let (mut pairings, mut plies) = (Vec::new(), 0.0);
        for (number, (who, play)) in matches.iter().enumerate() {
            let options = MatchOptions {
                games: self.games,
                seed: derive(self.seed, &[number as u64]),
                threads: self.threads,
            };
            let before = self.games.saturating_mul(number as u64);
            let progress = |done| bar.set_position(before + done);
            let watch = Watch {
                progress: &progress,
                thought: &|one, thought| thoughts.add(who[one], thought),
            };
            let result = play_match_and_keep(play, &options, None, watch, stop)
                .map_err(|error| failure(self.loaded, &error))?;
            plies += result.plies.mean.unwrap_or(0.0) * result.finished as f64;
            pairings.extend(pairing(*who, &specs, options.seed, &result));
            if stop.load(Ordering::Relaxed) {
                break;
            }
        }
        bar.finish_and_clear();
        let finished: u64 = pairings.iter().map(|p| p.games).sum();
        output::detail(|| {
            let mean = plies / finished.max(1) as f64;
            speed(self.loaded, finished, Some(mean), clock().as_secs_f64())
        });
        thoughts.tell(&specs);
        let description = self.loaded.machine.description();
        let timed = specs.iter().any(PlayerSpec::depends_on_time);
        let wanted = self.games.saturating_mul(pairs);
        let report = Report {
            file: self.loaded.source.path.clone(),
            game: description.name.clone(),
            params: description.params.clone(),
            seed: self.seed,
            games: self.games,
            total: wanted,
            finished,
            players: rated(&specs, &pairings),
            pairings,
            reproducible: !timed && finished == wanted,
            timed,
        };
        output::show(self.json, &report, || text(&report, pairs));
        let seconds = clock().as_secs_f64();
        output::aside(&format!("{} in {seconds:.1} s", plural(finished, "game")));
        if finished == wanted {
            return Ok(Verdict::Fine);
        }
        let wanted = plural(wanted, "game");
        output::say(&format!("stopped after {finished} of {wanted}"));
        Ok(Verdict::No)
    }

    /// The players, in the order in which they are named.
    fn specs(&self) -> Result<Vec<PlayerSpec>, Failure> {
        let text = &self.players.text;
        let wrong = |message: &str| Err(Failure::wrong_use(Problem::outside(None, message)));
        let specs: Vec<PlayerSpec> = split(text, 0..text.len(), ',')
            .into_iter()
            .map(|range| PlayerSpec::parse_at(text, range))
            .collect::<Result<_, _>>()
            .map_err(|diagnostic| self.players.failure(*diagnostic))?;
        if !(2..=MOST_PLAYERS).contains(&specs.len()) {
            return wrong(&format!(
                "a round robin is of 2 to {MOST_PLAYERS} players; named here: {}",
                specs.len()
            ));
        }
        for (i, spec) in specs.iter().enumerate() {
            if specs[..i].contains(spec) {
                return wrong(&format!("`{spec}` is named twice"));
            }
        }
        let machine = &self.loaded.machine;
        if machine.player_count() != 2 || matches!(machine.features().claim, Claim::GeneralSum) {
            let message = "a round robin needs a game for two whose payoffs add up to a constant";
            return Err(Failure::no(Problem::outside(None, message)));
        }
        for spec in &specs {
            output::detail(|| settings(spec));
        }
        Ok(specs)
    }

    /// A match for each two of the players, which are made ready once.
    fn matches(
        &self,
        specs: &[PlayerSpec],
        stop: &Arc<AtomicBool>,
    ) -> Result<Vec<([usize; 2], Match)>, Failure> {
        let machine = &self.loaded.machine;
        let seats = [0, 1].map(|seat| machine.player_name(seat).to_string());
        let mut matches = Vec::new();
        for second in 0..specs.len() {
            for first in 0..second {
                let text = format!("{},{}", specs[first], specs[second]);
                let plan = SeatingPlan::parse(&text, &seats)
                    .map_err(|diagnostic| self.players.failure(*diagnostic))?;
                let play = Match {
                    machine: machine.clone(),
                    plan,
                    clock: stopwatch(),
                };
                check_players(&play).map_err(|error| failure(self.loaded, &error))?;
                matches.push(([first, second], play));
            }
        }
        let preparing = Preparing {
            loaded: self.loaded,
            folder: Path::new(""),
            stop,
        };
        let mut known: Vec<(PlayerSpec, PlayerSpec)> = Vec::new();
        for (_, play) in &mut matches {
            let plan = play.plan.clone();
            play.plan = plan.prepared(|spec| -> Result<PlayerSpec, Failure> {
                if let Some((_, ready)) = known.iter().find(|(of, _)| of == spec) {
                    return Ok(ready.clone());
                }
                let ready = preparing.player(spec)?;
                known.push((spec.clone(), ready.clone()));
                Ok(ready)
            })?;
        }
        Ok(matches)
    }
}

/// What a match came to; nothing of one that was stopped before its first game.
fn pairing(
    who: [usize; 2],
    specs: &[PlayerSpec],
    seed: u64,
    result: &MatchResult,
) -> Option<Pairing> {
    let outcomes = result.players.first()?.results.outcomes.clone()?;
    (result.finished > 0).then(|| Pairing {
        players: who.map(|i| specs[i].to_string()),
        seed,
        games: result.finished,
        outcomes,
        who,
    })
}

/// Everybody with a rating, the strongest first.
fn rated(specs: &[PlayerSpec], pairings: &[Pairing]) -> Vec<Rated> {
    let meetings: Vec<Meeting> = pairings
        .iter()
        .map(|pairing| Meeting {
            players: pairing.who,
            games: pairing.games as f64,
            won: pairing.outcomes.wins.count as f64 + pairing.outcomes.draws.count as f64 / 2.0,
        })
        .collect();
    let ratings = ratings(specs.len(), &meetings);
    let mut all: Vec<Rated> = std::iter::zip(specs, ratings)
        .enumerate()
        .map(|(i, (spec, rating))| {
            let outcomes = outcomes(i, pairings);
            Rated {
                spec: spec.to_string(),
                rating: rating.points,
                interval: (rating.points - rating.error, rating.points + rating.error),
                games: outcomes.iter().sum(),
                outcomes: Shares::of_counts(outcomes),
            }
        })
        .collect();
    all.sort_by(|a, b| b.rating.total_cmp(&a.rating));
    all
}

/// Wins, draws and losses of one player over all pairings.
fn outcomes(player: usize, pairings: &[Pairing]) -> [u64; 3] {
    let mut sums = [0; 3];
    for pairing in pairings {
        let Shares {
            wins,
            draws,
            losses,
        } = &pairing.outcomes;
        let mut counts = [wins, draws, losses].map(|share: &Share| share.count);
        if pairing.who[1] == player {
            counts.reverse();
        } else if pairing.who[0] != player {
            continue;
        }
        for (sum, count) in std::iter::zip(&mut sums, counts) {
            *sum += count;
        }
    }
    sums
}

fn text(report: &Report, pairs: u64) -> String {
    let params = report.params.iter().map(|(k, v)| format!("{k} = {v}"));
    let params = params.collect::<Vec<_>>().join(", ");
    let params = match params.is_empty() {
        true => params,
        false => format!(" ({params})"),
    };
    let wanted = report.games.saturating_mul(pairs);
    let stopped = match report.finished == wanted {
        true => String::new(),
        false => format!(", {} of {wanted} played (stopped)", report.finished),
    };
    let mut text = format!(
        "{}{params}\n{} in each of {}{stopped}, seed {}\n\n",
        report.game,
        plural(report.games, "game"),
        plural(pairs, "pairing"),
        report.seed
    );
    let head = |words: &[&str]| words.iter().map(|w| (*w).to_string()).collect::<Vec<_>>();
    let mut rows = vec![head(&[
        "player",
        "rating",
        "95 % interval",
        "games",
        "wins",
        "draws",
        "losses",
    ])];
    for player in &report.players {
        let (low, high) = player.interval;
        rows.push(vec![
            player.spec.clone(),
            points(player.rating),
            format!("{} to {}", points(low), points(high)),
            player.games.to_string(),
            percent(&player.outcomes.wins),
            percent(&player.outcomes.draws),
            percent(&player.outcomes.losses),
        ]);
    }
    text.push_str(&table(&rows, &[1, 2, 3, 4, 5, 6]));
    let mut rows = vec![head(&[
        "player",
        "against",
        "games",
        "wins",
        "95 % interval",
        "draws",
        "losses",
        "seed",
    ])];
    for pairing in &report.pairings {
        let Shares {
            wins,
            draws,
            losses,
        } = &pairing.outcomes;
        let [player, against] = pairing.players.clone();
        rows.push(vec![
            player,
            against,
            pairing.games.to_string(),
            percent(wins),
            percent_interval(wins),
            percent(draws),
            percent(losses),
            pairing.seed.to_string(),
        ]);
    }
    text.push('\n');
    text.push_str(&table(&rows, &[2, 3, 4, 5, 6, 7]));
    if report.timed {
        text.push_str("\nA budget in milliseconds: another run gives another result.\n");
    }
    text
}

/// Points of a rating, in whole numbers.
fn points(x: f64) -> String {
    match x.is_finite() {
        true => format!("{}", x.round() as i64),
        false => none(),
    }
}
