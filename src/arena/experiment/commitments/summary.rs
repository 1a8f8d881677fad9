//! What the runs of an experiment about commitments mean: for each game the mean, the best and the deviation of what was found,
//! and the Score where the exact value is known; as tables, values and a plot of what is missing to it.

use super::{Commitments, Numbers};
use crate::arena::experiment::csv::{estimate, quoted};
use crate::arena::experiment::curves::{Curves, count, with_error};
use crate::arena::experiment::markdown::{escaped, heading, opening, table};
use crate::arena::experiment::measure::{Progress, Summary, Texts};
use crate::arena::experiment::numbers::unsigned_zero;
use crate::arena::experiment::part::Part;
use crate::arena::experiment::plan::{Experiment, Variant};
use crate::arena::experiment::plot;
use crate::arena::experiment::runs::{Runs, of_cell};
use crate::arena::experiment::summary::VariantHead;
use crate::arena::statistics::Mean;
use crate::players::PlayerSpec;
use indexmap::IndexMap;
use serde::{Serialize, Serializer};

/// Between the exact value and that of the uniform strategy there is at least so much where there is a Score.
const APART: f64 = 1e-9;
/// The 97.5 % quantile of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

#[derive(Serialize)]
pub struct CommitmentsSummary {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    pub leader: String,
    pub seed: u64,
    /// Runs asked for in each cell, and in all.
    pub runs: u64,
    pub total: u64,
    pub finished: u64,
    /// False when runs are missing: which are there may hang on when it was stopped.
    pub reproducible: bool,
    pub after: Vec<u64>,
    pub variants: Vec<FamilySummary>,
}

/// A variant of the file, of one game or of several.
#[derive(Serialize)]
pub struct FamilySummary {
    /// Who a player is stands beside what it found.
    #[serde(flatten, serialize_with = "without_players")]
    pub head: VariantHead,
    pub games: Vec<Known>,
    pub players: IndexMap<String, Found>,
}

fn without_players<S: Serializer>(head: &VariantHead, serializer: S) -> Result<S::Ok, S::Error> {
    let players = IndexMap::new();
    let head = VariantHead {
        players,
        ..head.clone()
    };
    head.serialize(serializer)
}

/// What is known of a game without any search.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Known {
    pub name: String,
    pub exact: Option<f64>,
    pub uniform: Option<f64>,
}

impl Known {
    /// How much lies between the uniform strategy and the best.
    pub fn range(&self) -> Option<f64> {
        let range = self.exact? - self.uniform?;
        (range > APART).then_some(range)
    }
}

/// What a player found.
#[derive(Serialize)]
pub struct Found {
    /// Who it is.
    pub spec: String,
    /// For each game.
    pub games: Vec<OfGame>,
    /// Over all games that have a Score: its mean, and what is missing to 1 after each of `after` and in the end.
    pub score: Mean,
    pub missing: Vec<Mean>,
}

#[derive(Serialize)]
pub struct OfGame {
    /// What the leader is paid.
    pub value: Mean,
    pub best: Option<f64>,
    /// No commitment is worth more, as far as all runs know.
    pub bound: Option<f64>,
    pub score: Option<f64>,
    pub score_of_best: Option<f64>,
    /// What was found after each of `after`, where every run had found something.
    pub on_the_way: Vec<Option<f64>>,
}

/// The mean over games of the means of their runs. The interval says how far other runs on the same games would lead.
pub fn over_games(games: &[Mean]) -> Mean {
    let means: Vec<f64> = games.iter().filter_map(|g| g.mean).collect();
    let n = means.len() as f64;
    let error = games.iter().try_fold(0.0, |sum, game| {
        Some(sum + game.deviation? * game.deviation? / game.n as f64)
    });
    let mean = (!means.is_empty()).then(|| means.iter().sum::<f64>() / n);
    let interval = mean.zip(error).map(|(mean, error)| {
        let half = Z * error.sqrt() / n;
        (mean - half, mean + half)
    });
    Mean {
        n: games.iter().map(|g| g.n).sum(),
        mean,
        deviation: None,
        interval,
    }
}

/// The variants that come from one of the file, each with its place.
pub fn families(
    experiment: &Experiment<Commitments>,
) -> impl Iterator<Item = Vec<(usize, &Variant)>> {
    let all: Vec<(usize, &Variant)> = experiment.variants.iter().enumerate().collect();
    let parts = all.chunk_by(|a, b| a.1.family.number == b.1.family.number);
    parts.map(<[_]>::to_vec).collect::<Vec<_>>().into_iter()
}

/// What they have in common.
pub fn head(family: &[(usize, &Variant)]) -> VariantHead {
    let first = family[0].1;
    let mut head = VariantHead::of(first);
    head.name = first.family.name.clone();
    if family.len() > 1 {
        head.game = format!("{} games", family.len());
    }
    for (_, other) in family {
        let params = &other.machine.description().params;
        head.params
            .retain(|name, value| params.get(name) == Some(value));
    }
    head
}

/// The name of a game among those of its family.
pub fn name(variant: &Variant) -> String {
    let member = variant.family.member.clone();
    member.unwrap_or_else(|| variant.machine.description().name.clone())
}

/// What the finished runs of a player in a variant gave.
pub fn runs_of<'p>(
    experiment: &'p Experiment<Commitments>,
    part: &'p Part<Commitments>,
    variant: usize,
    player: usize,
) -> Vec<Numbers<'p>> {
    let first: usize = experiment.variants[..variant]
        .iter()
        .map(|v| v.players.len())
        .sum();
    let runs = of_cell(experiment, part, first + player);
    runs.filter_map(Numbers::of).collect()
}

fn number(x: f64) -> Option<f64> {
    (!x.is_nan()).then_some(x)
}

/// What is known of the games of a family.
pub fn known(
    experiment: &Experiment<Commitments>,
    part: &Part<Commitments>,
    family: &[(usize, &Variant)],
) -> Vec<Known> {
    let games = family.iter().map(|(v, variant)| {
        let players = 0..variant.players.len();
        let any = players
            .flat_map(|p| runs_of(experiment, part, *v, p))
            .next();
        Known {
            name: name(variant),
            exact: any.and_then(|numbers| number(numbers.exact)),
            uniform: any.and_then(|numbers| number(numbers.uniform)),
        }
    });
    games.collect()
}

/// Sums up what is finished.
pub fn sum_up(
    experiment: &Experiment<Commitments>,
    part: &Part<Commitments>,
) -> CommitmentsSummary {
    let variants = families(experiment).map(|family| {
        let games = known(experiment, part, &family);
        let players = family[0].1.players.iter().enumerate();
        let players = players.map(|(p, (name, spec))| {
            let runs = family
                .iter()
                .map(|(v, _)| runs_of(experiment, part, *v, p))
                .collect::<Vec<_>>();
            let found = found(spec, &games, &runs, experiment);
            (name.clone(), found)
        });
        FamilySummary {
            head: head(&family),
            players: players.collect(),
            games,
        }
    });
    CommitmentsSummary {
        title: experiment.title.clone(),
        leader: experiment.measure.leader.clone(),
        seed: experiment.seed,
        runs: experiment.each,
        total: experiment.total(),
        finished: part.finished,
        reproducible: experiment.is_reproducible(part.finished, experiment.total()),
        after: experiment.measure.after.clone(),
        variants: variants.collect(),
    }
}

fn found(
    spec: &PlayerSpec,
    games: &[Known],
    runs: &[Vec<Numbers<'_>>],
    experiment: &Experiment<Commitments>,
) -> Found {
    let lengths = experiment.measure.lengths().len();
    let scored = |of: &dyn Fn(&Numbers<'_>) -> f64| -> Vec<Mean> {
        let games = std::iter::zip(games, runs).filter_map(|(game, runs)| {
            let (range, uniform) = (game.range()?, game.uniform?);
            let scores = runs.iter().map(|run| {
                // Who has found nothing may choose evenly.
                number(of(run)).map_or(0.0, |value| (value - uniform) / range)
            });
            Some(Mean::of(&scores.collect::<Vec<_>>()))
        });
        games.collect()
    };
    let missing = |of: &dyn Fn(&Numbers<'_>) -> f64| {
        let scores = scored(of).into_iter();
        let missing = scores.map(|score| Mean {
            mean: score.mean.map(|mean| 1.0 - mean),
            ..score
        });
        over_games(&missing.collect::<Vec<_>>())
    };
    let mut all_missing: Vec<Mean> = (0..lengths)
        .map(|place| missing(&|run| run.on_the_way[place]))
        .collect();
    all_missing.push(missing(&|run| run.value));
    Found {
        spec: spec.to_string(),
        games: std::iter::zip(games, runs)
            .map(|(game, runs)| of_game(game, runs, lengths))
            .collect(),
        score: over_games(&scored(&|run| run.value)),
        missing: all_missing,
    }
}

fn of_game(game: &Known, runs: &[Numbers<'_>], lengths: usize) -> OfGame {
    let values: Vec<f64> = runs.iter().map(|run| run.value).collect();
    let value = Mean::of(&values);
    let best = values.iter().copied().reduce(f64::max);
    let bounds = runs.iter().filter_map(|run| number(run.bound));
    let score = |value: Option<f64>| Some((value? - game.uniform?) / game.range()?);
    OfGame {
        best,
        bound: bounds.reduce(f64::min),
        score: score(value.mean),
        score_of_best: score(best),
        on_the_way: (0..lengths)
            .map(|place| {
                let values: Vec<f64> = runs.iter().map(|run| run.on_the_way[place]).collect();
                Mean::of(&values).mean.and_then(number)
            })
            .collect(),
        value,
    }
}

impl Summary for CommitmentsSummary {
    fn progress(&self) -> Progress {
        Progress {
            finished: self.finished,
            total: self.total,
            noun: Commitments::KIND.words.many,
        }
    }

    fn texts(&self) -> Texts {
        let curves: Vec<IndexMap<String, Vec<Mean>>> =
            self.variants.iter().map(|v| self.curves_of(v)).collect();
        let drawn = std::iter::zip(&self.variants, &curves)
            .filter(|(variant, _)| variant.is_scored())
            .map(|(variant, losses)| (variant.head.title(), self.curves(losses)));
        Texts {
            markdown: self.markdown(&curves),
            csv: self.csv(),
            svg: plot::svg(self.title.as_deref(), drawn),
        }
    }
}

impl FamilySummary {
    fn is_scored(&self) -> bool {
        self.games.iter().any(|game| game.range().is_some())
    }
}

/// Four decimals, or a dash.
pub fn shown(x: Option<f64>) -> String {
    x.map_or("–".to_string(), |x| unsigned_zero(format!("{x:.4}")))
}

impl CommitmentsSummary {
    /// What is missing on the way.
    fn curves_of(&self, variant: &FamilySummary) -> IndexMap<String, Vec<Mean>> {
        let players = variant.players.iter();
        let on_the_way = |found: &Found| found.missing[..self.after.len()].to_vec();
        players
            .map(|(name, found)| (name.clone(), on_the_way(found)))
            .collect()
    }

    fn curves<'c>(&'c self, losses: &'c IndexMap<String, Vec<Mean>>) -> Curves<'c> {
        Curves {
            note: "what is missing to a Score of 1, mean of the games".to_string(),
            unit: "rounds or programs",
            after: &self.after,
            losses,
        }
    }

    /// The whole report, as Markdown that can be read as plain text too.
    fn markdown(&self, curves: &[IndexMap<String, Vec<Mean>>]) -> String {
        let noun = match self.runs {
            1 => "search by each player",
            _ => "searches by each player",
        };
        let runs = format!(
            "{} {noun} for what {} commits itself to",
            self.runs, self.leader
        );
        let mut text = opening(self.title.as_deref(), &runs, self.seed, self);
        for (variant, curves) in std::iter::zip(&self.variants, curves) {
            text.push_str(&heading(&variant.head));
            for (name, found) in &variant.players {
                text.push_str(&format!(
                    "\n### {}\n\n{}",
                    escaped(name),
                    rows(variant, found)
                ));
                if variant.is_scored() {
                    let score = with_error(&found.score);
                    text.push_str(&format!("\nScore, mean of the games: {score}\n"));
                }
            }
            if variant.is_scored() && !self.after.is_empty() {
                text.push_str("\nMissing to a Score of 1 after so many rounds or programs:\n\n");
                text.push_str(&self.curves(curves).markdown());
            }
        }
        text.push_str(
            "\nWhat the leader is paid when the follower answers best, in units of payoff. A run has the seed of the experiment and its \
             number. Score: (mean − uniform) / (exact − uniform); that of the best run beside it. ± is half the 95 % interval for \
             other runs on the same games.\n",
        );
        text
    }

    /// A row for each game and player.
    fn csv(&self) -> String {
        let after: Vec<String> = self.after.iter().map(|n| format!(",after_{n}")).collect();
        let mut text = format!(
            "variant,game,player,runs,mean,mean_low,mean_high,best,deviation,bound,exact,uniform,score,score_of_best{}\n",
            after.concat()
        );
        for variant in &self.variants {
            let of = quoted(variant.head.name.as_deref().unwrap_or_default());
            for (player, found) in &variant.players {
                for (game, row) in std::iter::zip(&variant.games, &found.games) {
                    let names = [of.clone(), quoted(&game.name), quoted(player)].join(",");
                    text.push_str(&format!("{names},{}", row.value.n));
                    text.push_str(&estimate(row.value.mean, row.value.interval));
                    let others = [
                        row.best,
                        row.value.deviation,
                        row.bound,
                        game.exact,
                        game.uniform,
                        row.score,
                        row.score_of_best,
                    ];
                    for x in others.iter().chain(&row.on_the_way) {
                        let x = x.map(|x| unsigned_zero(format!("{x:.6}")));
                        text.push_str(&format!(",{}", x.unwrap_or_default()));
                    }
                    text.push('\n');
                }
            }
        }
        text
    }
}

/// The table of a player: a row for each game, and only columns of which something is known.
fn rows(variant: &FamilySummary, found: &Found) -> String {
    type Column<'c> = (&'c str, Vec<String>);
    let scored = variant.is_scored();
    let known = variant.games.iter().any(|game| game.exact.is_some());
    let bounded = found.games.iter().any(|game| game.bound.is_some());
    let several = found.games.iter().any(|game| game.value.n > 1);
    let of_games = |of: &dyn Fn(&OfGame) -> Option<f64>| -> Vec<String> {
        found.games.iter().map(|game| shown(of(game))).collect()
    };
    let of_known = |of: &dyn Fn(&Known) -> Option<f64>| -> Vec<String> {
        variant.games.iter().map(|game| shown(of(game))).collect()
    };
    let names = variant.games.iter().map(|game| escaped(&game.name));
    let mut columns: Vec<Column<'_>> = vec![("game", names.collect())];
    let counts = found.games.iter().map(|game| count(game.value.n));
    if several {
        columns.push(("runs", counts.collect()));
    }
    columns.push(("mean", of_games(&|game| game.value.mean)));
    if several {
        columns.push(("best", of_games(&|game| game.best)));
        columns.push(("sd", of_games(&|game| game.value.deviation)));
    }
    if bounded {
        columns.push(("no more than", of_games(&|game| game.bound)));
    }
    if known {
        columns.push(("exact", of_known(&|game| game.exact)));
        columns.push(("uniform", of_known(&|game| game.uniform)));
    }
    if scored {
        columns.push(("Score", of_games(&|game| game.score)));
        if several {
            columns.push(("of the best", of_games(&|game| game.score_of_best)));
        }
    }
    let mut rows = vec![columns.iter().map(|c| c.0.to_string()).collect::<Vec<_>>()];
    for place in 0..variant.games.len() {
        rows.push(columns.iter().map(|c| c.1[place].clone()).collect());
    }
    table(&rows, 1)
}
