//! How long searches for commitments took, in seconds that a processor worked for them: what is missing to a Score of 1 after so
//! much time, beside the exact method, and the time over a param in which variants differ. Nothing of this is a result: it
//! differs from machine to machine and from run to run.

use super::fit::fit;
use super::published::Published;
use super::summary::{Known, families, head, known, over_games, shown};
use super::{Commitments, MILLISECONDS};
use crate::arena::experiment::csv::quoted;
use crate::arena::experiment::curves::Curves;
use crate::arena::experiment::markdown::{escaped, heading, table};
use crate::arena::experiment::measure::Texts;
use crate::arena::experiment::part::Part;
use crate::arena::experiment::plan::{Experiment, Unit, Variant};
use crate::arena::experiment::plot;
use crate::arena::experiment::summary::VariantHead;
use crate::arena::statistics::Mean;
use indexmap::IndexMap;

/// The name of the exact method among the players.
pub const EXACT: &str = "multiple-lp";

/// What the seconds of a run say.
struct Timed<'s> {
    exact: f64,
    total: f64,
    /// What was found after each of [`MILLISECONDS`].
    found: &'s [f64],
}

impl Timed<'_> {
    fn of(seconds: &[f64]) -> Option<Timed<'_>> {
        let ([exact, total], found) = seconds.split_first_chunk::<2>()?;
        (found.len() == MILLISECONDS.len()).then_some(Timed {
            exact: *exact,
            total: *total,
            found,
        })
    }
}

/// The times of a variant of the file.
struct Family {
    head: VariantHead,
    games: Vec<Known>,
    /// By player, for each game the seconds of a run.
    totals: IndexMap<String, Vec<Mean>>,
    /// The most seconds of a run of each player.
    most: Vec<f64>,
    /// The seconds of the exact method for each game, where it was asked for.
    exact: Vec<Option<f64>>,
    /// By player, what is missing after each of [`MILLISECONDS`]; nothing where there is no Score.
    missing: IndexMap<String, Vec<Mean>>,
}

pub fn texts(
    experiment: &Experiment<Commitments>,
    part: &Part<Commitments>,
    seconds: &[(Unit, Vec<f64>)],
) -> Option<Texts> {
    let families: Vec<Family> = families(experiment)
        .map(|family| timed(experiment, part, &family, seconds))
        .collect();
    let counted = families.iter().flat_map(|f| f.totals.values().flatten());
    if counted.map(|mean| mean.n).sum::<u64>() == 0 {
        return None;
    }
    let over = over_param(&families, &experiment.measure.published);
    let drawn = families.iter().filter(|family| !family.missing.is_empty());
    let drawn = drawn.map(|family| (family.head.title(), family.curves()));
    let drawn = drawn.chain(over.iter().map(|over| ("Seconds", over.curves())));
    let title = experiment.title.as_deref();
    Some(Texts {
        svg: plot::svg(title, drawn),
        csv: csv(&families),
        markdown: markdown(
            title,
            &families,
            over.as_ref(),
            &experiment.measure.published,
        ),
    })
}

fn timed(
    experiment: &Experiment<Commitments>,
    part: &Part<Commitments>,
    family: &[(usize, &Variant)],
    seconds: &[(Unit, Vec<f64>)],
) -> Family {
    let games = known(experiment, part, family);
    let of = |variant: usize, player: usize| -> Vec<Timed<'_>> {
        let runs = seconds.iter().filter(|(unit, _)| {
            let cell = experiment.cells.get(unit.cell);
            cell.is_some_and(|cell| (cell.variant, cell.player) == (variant, player))
        });
        runs.filter_map(|(_, seconds)| Timed::of(seconds)).collect()
    };
    let players = &family[0].1.players;
    let mut totals = IndexMap::new();
    let mut missing = IndexMap::new();
    let mut most = Vec::new();
    let mut exact = vec![None; family.len()];
    for (player, (name, _)) in players.iter().enumerate() {
        let runs: Vec<Vec<Timed<'_>>> = family.iter().map(|(v, _)| of(*v, player)).collect();
        let total = |run: &Timed<'_>| run.total;
        let means = runs
            .iter()
            .map(|runs| Mean::of(&runs.iter().map(total).collect::<Vec<_>>()));
        totals.insert(name.clone(), means.collect());
        let all = runs.iter().flatten().map(total);
        most.push(all.fold(0.0, f64::max));
        for (exact, runs) in std::iter::zip(&mut exact, &runs) {
            let known = runs.iter().map(|run| run.exact).filter(|x| !x.is_nan());
            *exact = exact.or_else(|| known.reduce(f64::min));
        }
        if games.iter().any(|game| game.range().is_some()) {
            let columns = 0..MILLISECONDS.len();
            let column = |place| over_games(&short(&games, &runs, place));
            missing.insert(name.clone(), columns.map(column).collect());
        }
    }
    if !missing.is_empty() {
        let solved = MILLISECONDS.iter().map(|ms| {
            let until = *ms as f64 / 1000.0;
            let open = exact.iter().flatten().map(|s| f64::from(*s > until));
            Mean::of(&open.collect::<Vec<_>>())
        });
        missing.insert(EXACT.to_string(), solved.map(bare).collect());
    }
    Family {
        head: head(family),
        games,
        totals,
        most,
        exact,
        missing,
    }
}

/// Without an interval.
fn bare(mean: Mean) -> Mean {
    Mean {
        interval: None,
        ..mean
    }
}

/// What is missing in each game at one of [`MILLISECONDS`].
fn short(games: &[Known], runs: &[Vec<Timed<'_>>], place: usize) -> Vec<Mean> {
    let games = std::iter::zip(games, runs).filter_map(|(game, runs)| {
        let (range, uniform) = (game.range()?, game.uniform?);
        let missing = runs.iter().map(|run| match run.found[place] {
            value if value.is_nan() => 1.0,
            value => 1.0 - (value - uniform) / range,
        });
        Some(Mean::of(&missing.collect::<Vec<_>>()))
    });
    games.collect()
}

impl Family {
    fn curves(&self) -> Curves<'_> {
        Curves {
            note: "what is missing to a Score of 1, mean of the games".to_string(),
            unit: "milliseconds of a processor",
            after: &MILLISECONDS,
            losses: &self.missing,
        }
    }
}

/// Seconds over a param.
struct OverParam {
    param: String,
    values: Vec<u64>,
    seconds: IndexMap<String, Vec<Mean>>,
}

impl OverParam {
    fn curves(&self) -> Curves<'_> {
        Curves {
            note: "seconds that a processor worked for one run, mean of the games".to_string(),
            unit: &self.param,
            after: &self.values,
            losses: &self.seconds,
        }
    }

    /// What a fit says of a player.
    fn fitted(&self, seconds: &[Mean]) -> Option<String> {
        let points = std::iter::zip(&self.values, seconds);
        let points = points.filter_map(|(x, y)| Some((*x as f64, y.mean?)));
        let [a, b] = fit(&points.collect::<Vec<_>>())?;
        Some(format!("a = {a:.3}, b = {b:.4}"))
    }
}

/// Where variants differ in one param, which has whole numbers that ascend.
fn over_param(families: &[Family], published: &Published) -> Option<OverParam> {
    let [first, others @ ..] = families else {
        return None;
    };
    if others.is_empty() {
        return None;
    }
    let mut differ = first.head.params.keys().filter(|name| {
        let value = |family: &Family| family.head.params.get(*name).cloned();
        others.iter().any(|other| value(other) != value(first))
    });
    let param = differ.next()?.clone();
    if differ.next().is_some() {
        return None;
    }
    let values: Option<Vec<u64>> = families
        .iter()
        .map(|family| family.head.params.get(&param)?.parse().ok())
        .collect();
    let values = values.filter(|values| values.is_sorted_by(|a, b| a < b))?;
    let mut seconds = IndexMap::new();
    for player in first.totals.keys() {
        let means = families.iter().map(|family| {
            let totals = family.totals.get(player).map_or(&[][..], Vec::as_slice);
            bare(over_games(totals))
        });
        seconds.insert(player.clone(), means.collect());
    }
    let exact = families.iter().map(|family| {
        let seconds: Vec<f64> = family.exact.iter().flatten().copied().collect();
        bare(Mean::of(&seconds))
    });
    let exact: Vec<Mean> = exact.collect();
    if exact.iter().all(|mean| mean.n > 0) {
        seconds.insert(EXACT.to_string(), exact);
    }
    for (source, of) in published {
        let known = families.iter().map(|family| {
            let seconds = family.head.name.as_ref().and_then(|name| of.get(name));
            bare(Mean::of(seconds.map_or(&[], std::slice::from_ref)))
        });
        seconds.insert(source.clone(), known.collect());
    }
    Some(OverParam {
        param,
        values,
        seconds,
    })
}

fn markdown(
    title: Option<&str>,
    families: &[Family],
    over: Option<&OverParam>,
    published: &Published,
) -> String {
    let mut text = title.map_or_else(String::new, |title| format!("# {}\n\n", escaped(title)));
    text.push_str(
        "Seconds that a processor worked for one run. They are no results: other machines, and other runs, give others.\n",
    );
    if let Some(over) = over {
        text.push_str(&format!(
            "\nIn the mean of the games, by `{}`:\n\n",
            over.param
        ));
        text.push_str(&over.curves().markdown());
        text.push_str("\nFitted by a^x + b·x² (least squares):\n\n");
        for (name, seconds) in &over.seconds {
            if let Some(fitted) = over.fitted(seconds) {
                text.push_str(&format!("- {}: {fitted}\n", escaped(name)));
            }
        }
    }
    for family in families {
        text.push_str(&heading(&family.head));
        let mut rows = vec![vec!["game".to_string()]];
        rows[0].extend(family.totals.keys().map(|name| escaped(name)));
        let exact = family.exact.iter().any(Option::is_some);
        rows[0].extend(exact.then(|| EXACT.to_string()));
        for (place, game) in family.games.iter().enumerate() {
            let mut row = vec![escaped(&game.name)];
            row.extend(family.totals.values().map(|games| shown(games[place].mean)));
            row.extend(exact.then(|| shown(family.exact[place])));
            rows.push(row);
        }
        text.push_str(&format!("\n{}\n", table(&rows, 1)));
        for ((name, totals), most) in std::iter::zip(&family.totals, &family.most) {
            let mean = shown(over_games(totals).mean);
            let (name, most) = (escaped(name), shown(Some(*most)));
            text.push_str(&format!(
                "- {name}: {mean} in the mean of the games, {most} at the most\n"
            ));
        }
        for (source, of) in published {
            let seconds = family.head.name.as_ref().and_then(|name| of.get(name));
            if let Some(seconds) = seconds {
                let (source, seconds) = (escaped(source), shown(Some(*seconds)));
                text.push_str(&format!("- {source}: {seconds}, as published\n"));
            }
        }
        if !family.missing.is_empty() {
            text.push_str("\nMissing to a Score of 1 after so many milliseconds:\n\n");
            text.push_str(&family.curves().markdown());
        }
    }
    text
}

fn csv(families: &[Family]) -> String {
    let mut text = "variant,game,player,runs,seconds,deviation\n".to_string();
    for family in families {
        let of = quoted(family.head.name.as_deref().unwrap_or_default());
        for (player, games) in &family.totals {
            for (game, seconds) in std::iter::zip(&family.games, games) {
                let cell = |x: Option<f64>| x.map_or_else(String::new, |x| format!("{x:.6}"));
                let names = [of.clone(), quoted(&game.name), quoted(player)].join(",");
                let (mean, deviation) = (cell(seconds.mean), cell(seconds.deviation));
                text.push_str(&format!("{names},{},{mean},{deviation}\n", seconds.n));
            }
        }
        for (game, seconds) in std::iter::zip(&family.games, &family.exact) {
            if let Some(seconds) = seconds {
                let names = [of.clone(), quoted(&game.name), EXACT.to_string()].join(",");
                text.push_str(&format!("{names},1,{seconds:.6},\n"));
            }
        }
    }
    text
}
