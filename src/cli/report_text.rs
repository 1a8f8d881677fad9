//! A report for people: a page of short tables.

use super::coverage;
use super::match_text::{none, payoff, percent, percent_interval};
use super::output::{plural, table};
use super::report::Document;
use crate::arena::game_report::{Branching, Course, GameReport, Length};
use crate::arena::statistics::{Mean, Share};

/// Everything that `ruse report` prints for people.
pub fn text(document: &Document<'_>) -> String {
    let report = document.report;
    let mut text = heading(report);
    text.push_str("\nGames\n");
    let mut rows = length(&report.length);
    rows.extend(branching(&report.branching));
    text.push_str(&measures(&rows));
    text.push_str("\nSeats\n");
    text.push_str(&seats(report));
    text.push_str("\nCourse\n");
    text.push_str(&course(report));
    text.push_str("\nSkill\n");
    text.push_str(&skill(report));
    text.push_str("\nRules\n");
    match &document.coverage {
        Some(found) => {
            let games = format!(" and the {} above\n", plural(report.finished, "game"));
            text.push_str(&coverage::text(found, &[]).replacen('\n', &games, 1));
        }
        None => text.push_str("  not looked at\n"),
    }
    text
}

fn heading(report: &GameReport) -> String {
    let params = report.params.iter().map(|(k, v)| format!("{k} = {v}"));
    let params = match params.collect::<Vec<_>>().join(", ") {
        none if none.is_empty() => none,
        some => format!(" ({some})"),
    };
    let games = match report.finished == report.games {
        true => plural(report.games, "game"),
        false => {
            let games = plural(report.games, "game");
            format!("{} of {games} (stopped)", report.finished)
        }
    };
    format!(
        "{}{params}\n{games}, everybody {}, seed {}\n",
        report.game, report.player, report.seed
    )
}

/// Rows of what is measured, the mean and its interval.
fn measures(rows: &[[String; 3]]) -> String {
    let mut cells = vec![["", "mean", "95 % interval"].map(String::from).to_vec()];
    cells.extend(rows.iter().map(|row| row.to_vec()));
    indented(&table(&cells, &[1, 2]))
}

fn indented(text: &str) -> String {
    text.lines().map(|line| format!("  {line}\n")).collect()
}

/// A number to two digits.
fn number(x: f64) -> String {
    format!("{x:.2}")
}

fn row(what: &str, mean: &Mean) -> [String; 3] {
    let interval = mean.interval;
    [
        what.to_string(),
        mean.mean.map_or_else(none, number),
        interval.map_or_else(none, |(a, b)| format!("{} to {}", number(a), number(b))),
    ]
}

/// Of a mean of shares.
fn percent_row(what: &str, mean: &Mean) -> [String; 3] {
    let of = |x: f64| format!("{:.1}", 100.0 * x);
    [
        what.to_string(),
        mean.mean.map_or_else(none, |x| format!("{} %", of(x))),
        mean.interval
            .map_or_else(none, |(a, b)| format!("{} to {} %", of(a), of(b))),
    ]
}

fn share_row(what: &str, share: &Share) -> [String; 3] {
    [what.to_string(), percent(share), percent_interval(share)]
}

fn length(length: &Length) -> Vec<[String; 3]> {
    let counts = &length.games_by_plies;
    let ends = counts.keys().next().zip(counts.keys().next_back());
    let plies = ends.map_or_else(
        || "plies".to_string(),
        |(least, most)| format!("plies ({least} to {most})"),
    );
    vec![
        row(&plies, &length.plies),
        row("choices", &length.choices),
        row("chance events", &length.chances),
    ]
}

fn branching(branching: &Branching) -> Vec<[String; 3]> {
    let options = branching.range.map_or_else(
        || "options of a choice".to_string(),
        |(least, most)| format!("options of a choice ({least} to {most})"),
    );
    vec![
        row(&options, &branching.options),
        percent_row("choices with one option", &branching.forced),
    ]
}

/// How the seats do when everybody is as strong.
fn seats(report: &GameReport) -> String {
    let outcomes = report.seats.values().any(|r| r.outcomes.is_some());
    let mut head = vec!["", "payoff", "95 % interval"];
    if outcomes {
        head.extend(["wins", "95 % interval"]);
    }
    let mut rows = vec![head.into_iter().map(String::from).collect::<Vec<_>>()];
    for (seat, results) in &report.seats {
        let name = match &report.first {
            Some(first) if first == seat && report.seats.len() > 1 => format!("{seat} (first)"),
            _ => seat.clone(),
        };
        let mut cells = payoffs(&name, &results.payoff).to_vec();
        if let Some(shares) = &results.outcomes {
            cells.extend([percent(&shares.wins), percent_interval(&shares.wins)]);
        }
        rows.push(cells);
    }
    let mut text = indented(&table(&rows, &[1, 2, 3, 4]));
    match &report.draws {
        Some(draws) => text.push_str(&format!(
            "  draws: {} ({})\n",
            percent(draws),
            percent_interval(draws)
        )),
        None => text.push_str(&not_compared(report, "draws")),
    }
    text
}

/// Why nothing is said of what compares payoffs; empty for a single player.
fn not_compared(report: &GameReport, what: &str) -> String {
    match (report.finished, report.seats.len()) {
        (_, 0 | 1) => String::new(),
        (0, _) => format!("  {what}: no game was finished\n"),
        _ => format!("  {what}: payoffs cannot be compared between players\n"),
    }
}

fn payoffs(what: &str, mean: &Mean) -> [String; 3] {
    let interval = mean.interval;
    [
        what.to_string(),
        mean.mean.map_or_else(none, payoff),
        interval.map_or_else(none, |(a, b)| format!("{} to {}", payoff(a), payoff(b))),
    ]
}

fn course(report: &GameReport) -> String {
    let Course {
        playouts,
        decisive_choices,
        decisive_chances,
        lead,
    } = &report.course;
    let mut rows = vec![
        row("decisive choices", decisive_choices),
        row("decisive chance events", decisive_chances),
    ];
    if let Some(lead) = lead {
        rows.push(row("lead changes", &lead.changes));
        rows.push(percent_row("decided after", &lead.decided));
        rows.push(share_row("won from behind", &lead.turned));
    }
    let mut text = measures(&rows);
    if lead.is_none() {
        text.push_str(&not_compared(report, "leads"));
    }
    text.push_str(&format!(
        "  by {playouts} random playouts of each position, which know what is hidden and plan nothing\n"
    ));
    text
}

/// The player against weaker ones.
fn skill(report: &GameReport) -> String {
    if report.skill.is_empty() {
        return "  no weaker player to compare with\n".to_string();
    }
    let alone = report.seats.first().map(|(_, results)| results);
    let head = [
        "against",
        "payoff",
        "95 % interval",
        "payoff of the weaker",
        "wins",
        "95 % interval",
    ];
    let mut rows = vec![head.map(String::from).to_vec()];
    for contest in &report.skill {
        let Some(results) = contest.stronger_results.as_ref().or(alone) else {
            continue;
        };
        let mut cells = payoffs(&contest.weaker, &results.payoff).to_vec();
        cells.push(contest.weaker_payoff.mean.map_or_else(none, payoff));
        if let Some(shares) = &results.outcomes {
            cells.extend([percent(&shares.wins), percent_interval(&shares.wins)]);
        }
        rows.push(cells);
    }
    if rows.iter().skip(1).all(|row| row.len() == 4) {
        rows[0].truncate(4);
    }
    indented(&table(&rows, &[1, 2, 3, 4, 5]))
}
