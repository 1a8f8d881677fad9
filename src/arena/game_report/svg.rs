//! Pictures of a report, each of its own: bars of lengths, options by choice, seats, and strength.

use super::GameReport;
use crate::arena::experiment::numbers::unsigned_zero;
use crate::arena::experiment::picture::{
    MARGIN, WIDTH, centred, line, number, picture, text, title,
};
use crate::arena::report::Results;
use crate::arena::statistics::Mean;
use crate::text::plural::plural;

const HEIGHT: f64 = 240.0;
const LEFT: f64 = MARGIN + 56.0;
const RIGHT: f64 = WIDTH - MARGIN;
const ROW: f64 = 28.0;
const LABELS: f64 = 280.0;
/// The column of numbers on the right.
const NUMBERS: f64 = 180.0;
const NOTE: f64 = 26.0;
const AXIS: f64 = 44.0;
/// No more bars than this stand beside one another; each holds several lengths then.
const BARS: u64 = 60;

/// The pictures by the names of their files, without those that there is nothing to draw for.
pub fn pictures(report: &GameReport) -> Vec<(&'static str, String)> {
    let all = [
        ("length.svg", length(report)),
        ("branching.svg", branching(report)),
        ("seats.svg", seats(report)),
        ("skill.svg", skill(report)),
    ];
    let drawn = all.into_iter();
    drawn.filter_map(|(name, svg)| Some((name, svg?))).collect()
}

/// The values of a bar chart: the first and the last place of each bar, and its height.
struct Bars {
    bars: Vec<(u64, u64, f64)>,
    note: String,
    unit: &'static str,
}

fn length(report: &GameReport) -> Option<String> {
    let counts = &report.length.games_by_plies;
    let (first, last) = (*counts.keys().next()?, *counts.keys().next_back()?);
    let width = (last - first + 1).div_ceil(BARS);
    let bars = (first..=last).step_by(usize::try_from(width).ok()?);
    let bars = bars.map(|from| {
        let to = last.min(from + width - 1);
        let games: u64 = counts.range(from..=to).map(|(_, n)| n).sum();
        (from, to, games as f64)
    });
    Some(chart(
        "Length of games",
        &Bars {
            bars: bars.collect(),
            note: format!(
                "how many of {} had so many plies",
                plural(report.finished, "game")
            ),
            unit: "plies",
        },
    ))
}

fn branching(report: &GameReport) -> Option<String> {
    let means = &report.branching.by_choice;
    if means.is_empty() {
        return None;
    }
    let bars = std::iter::zip(1.., means).map(|(at, mean)| (at, at, mean.mean.unwrap_or(0.0)));
    Some(chart(
        "Options of a choice",
        &Bars {
            bars: bars.collect(),
            note: "mean over the games that had so many choices".to_string(),
            unit: "choices of the game, in order",
        },
    ))
}

fn chart(name: &str, chart: &Bars) -> String {
    let mut body = String::new();
    let top = title(&mut body, Some(name));
    body.push_str(&text(MARGIN, top + 12.0, "note", &chart.note));
    let (top, bottom) = (top + NOTE, top + NOTE + HEIGHT);
    let most = chart.bars.iter().map(|b| b.2).fold(0.0, f64::max);
    let ticks = ticks(0.0, if most > 0.0 { most } else { 1.0 });
    let high = ticks[ticks.len() - 1].max(most);
    for &tick in &ticks {
        let y = bottom - tick / high * (bottom - top);
        body.push_str(&line(LEFT, y, RIGHT, y, "grid"));
        body.push_str(&text(MARGIN, y + 4.0, "tick", &label(tick)));
    }
    let width = ((RIGHT - LEFT) / chart.bars.len().max(1) as f64).min(60.0);
    // Labels need room: of many bars only some have one.
    let every = (40.0 / width).ceil() as usize;
    for (i, (from, to, value)) in chart.bars.iter().enumerate() {
        let x = LEFT + width * i as f64;
        let tall = value / high * (bottom - top);
        let [left, up, wide, tall] = [x, bottom - tall, width * 0.9, tall].map(number);
        body.push_str(&format!(
            "<rect x=\"{left}\" y=\"{up}\" width=\"{wide}\" height=\"{tall}\" class=\"mean\"/>\n"
        ));
        if i % every == 0 {
            let words = match from == to {
                true => from.to_string(),
                false => format!("{from}–{to}"),
            };
            let middle = x + width * 0.45;
            body.push_str(&centred(middle, bottom + 16.0, "tick", &words));
        }
    }
    let middle = (LEFT + RIGHT) / 2.0;
    body.push_str(&centred(middle, bottom + 34.0, "note", chart.unit));
    picture(Some(name), bottom + AXIS, &body)
}

fn seats(report: &GameReport) -> Option<String> {
    let rows: Vec<(String, Mean)> = report
        .seats
        .iter()
        .map(|(seat, results)| (seat.clone(), results.payoff.clone()))
        .collect();
    let note = format!("payoff, everybody {}", report.player);
    rows_of_means("Seats", &note, &rows)
}

fn skill(report: &GameReport) -> Option<String> {
    let mut rows = Vec::new();
    let alone = || report.seats.first().map(|(_, results)| results);
    for contest in &report.skill {
        let stronger: Option<&Results> = contest.stronger_results.as_ref().or_else(alone);
        if let Some(results) = stronger {
            rows.push((report.player.clone(), results.payoff.clone()));
        }
        rows.push((
            format!("against it {}", contest.weaker),
            contest.weaker_payoff.clone(),
        ));
    }
    rows_of_means("Stronger and weaker players", "payoff", &rows)
}

/// A row for each mean: a dot, and a line for the 95 % interval.
fn rows_of_means(name: &str, note: &str, rows: &[(String, Mean)]) -> Option<String> {
    let known = rows.iter().filter_map(|(label, mean)| {
        let (low, high) = mean.interval?;
        Some((label, mean.mean?, low, high))
    });
    let known: Vec<(&String, f64, f64, f64)> = known.collect();
    let least = known.iter().map(|row| row.2).fold(f64::INFINITY, f64::min);
    let most = known
        .iter()
        .map(|row| row.3)
        .fold(f64::NEG_INFINITY, f64::max);
    if known.is_empty() {
        return None;
    }
    let pad = match (most - least) * 0.05 {
        0.0 => least.abs().max(1.0) * 0.1,
        pad => pad,
    };
    let (least, most) = (least - pad, most + pad);
    let mut body = String::new();
    let top = title(&mut body, Some(name));
    body.push_str(&text(MARGIN, top + 12.0, "note", note));
    let top = top + NOTE;
    let bottom = top + ROW * known.len() as f64;
    let (left, right) = (MARGIN + LABELS, RIGHT - NUMBERS);
    let x = |value: f64| left + (value - least) / (most - least) * (right - left);
    for tick in ticks(least, most) {
        body.push_str(&line(x(tick), top, x(tick), bottom, "grid"));
        body.push_str(&centred(x(tick), bottom + 16.0, "tick", &label(tick)));
    }
    for (i, (name, mean, low, high)) in known.iter().enumerate() {
        let y = top + ROW * (i as f64 + 0.5);
        body.push_str(&text(MARGIN, y + 4.5, "name", name));
        body.push_str(&line(x(*low), y, x(*high), y, "interval"));
        let [at, middle] = [x(*mean), y].map(number);
        body.push_str(&format!(
            "<circle cx=\"{at}\" cy=\"{middle}\" r=\"4\" class=\"mean\"/>\n"
        ));
        let value = format!("{mean:.3} ({low:.3} to {high:.3})");
        body.push_str(&text(right + 16.0, y + 4.5, "value", &value));
    }
    Some(picture(Some(name), bottom + AXIS, &body))
}

/// Round numbers in a range that is not empty, about five: one, two or five times a power of ten apart.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let rough = (high - low) / 5.0;
    // Powers by multiplication, which is the same on every machine.
    let mut power = 1.0;
    while power > rough {
        power /= 10.0;
    }
    while power * 10.0 <= rough {
        power *= 10.0;
    }
    let steps = [1.0, 2.0, 5.0, 10.0].map(|f| f * power);
    let step = steps.into_iter().find(|s| *s >= rough).unwrap_or(power);
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    (first..=last).map(|i| i as f64 * step).collect()
}

/// To three digits, without zeros at the end.
fn label(tick: f64) -> String {
    let digits = format!("{tick:.3}");
    let short = digits.trim_end_matches('0').trim_end_matches('.');
    unsigned_zero(short.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_short() {
        let labels =
            |low, high| -> Vec<String> { ticks(low, high).into_iter().map(label).collect() };
        assert_eq!(labels(0.0, 9.0), ["0", "2", "4", "6", "8"]);
        assert_eq!(labels(-0.3, 0.25), ["-0.2", "0", "0.2"]);
        assert_eq!(
            labels(0.0, 0.01),
            ["0", "0.002", "0.004", "0.006", "0.008", "0.01"]
        );
    }
}
