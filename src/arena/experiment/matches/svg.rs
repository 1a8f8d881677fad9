//! A plot of an experiment of matches: for each variant a panel with a row for each player, its metric over all pairings as a dot
//! and the 95 % interval as a line, the best at the top.

use super::metric::Metric;
use super::summary::{Estimate, MatchesSummary, VariantSummary};
use crate::arena::experiment::measure::Summary;
use crate::arena::experiment::numbers::unsigned_zero;
use crate::arena::experiment::picture::{
    MARGIN, WIDTH, centred, line, number, picture, text, title,
};
use crate::text::plural::plural;

const ROW: f64 = 26.0;
/// What a character of the labels takes at most.
const CHARACTER: f64 = 7.2;
/// The column of numbers on the right.
const NUMBERS: f64 = 120.0;
const HEADING: f64 = 44.0;
const AXIS: f64 = 44.0;

/// The whole picture.
pub fn svg(summary: &MatchesSummary) -> String {
    let mut body = String::new();
    let mut y = title(&mut body, summary.title.as_deref());
    for variant in &summary.variants {
        let metric = variant.ranking().or(variant.metrics.first().copied());
        let Some(metric) = metric else { continue };
        y = panel(&mut body, y, summary, variant, metric);
    }
    picture(summary.title.as_deref(), y, &body)
}

/// Draws a panel whose top is at `top`; its bottom.
fn panel(
    body: &mut String,
    top: f64,
    summary: &MatchesSummary,
    variant: &VariantSummary,
    metric: Metric,
) -> f64 {
    let ranked = variant.ranked(metric);
    let longest = ranked.iter().map(|(name, _)| name.chars().count()).max();
    let left = MARGIN + longest.unwrap_or(0) as f64 * CHARACTER + 12.0;
    let right = WIDTH - MARGIN - NUMBERS;
    body.push_str(&text(MARGIN, top + 18.0, "heading", variant.head.title()));
    let note = if summary.progress().is_complete() {
        metric.title().to_string()
    } else {
        let (finished, total) = (summary.finished, plural(summary.total, "game"));
        format!("{} ({finished} of {total})", metric.title())
    };
    body.push_str(&text(MARGIN, top + 34.0, "note", &note));
    let first = top + HEADING;
    let bottom = first + ROW * ranked.len() as f64;
    let even = variant.even(metric);
    let range = range(metric, even, &ranked);
    let x = |value: f64| left + (value - range.0) / (range.1 - range.0) * (right - left);

    for tick in ticks(range.0, range.1) {
        let at = x(tick);
        body.push_str(&line(at, first, at, bottom, "grid"));
        let label = tick_label(metric, tick, range.1 - range.0);
        body.push_str(&centred(at, bottom + 16.0, "tick", &label));
    }
    if let Some(even) = even.filter(|e| (range.0..=range.1).contains(e)) {
        body.push_str(&line(x(even), first, x(even), bottom, "even"));
    }
    for (i, (name, estimate)) in ranked.iter().enumerate() {
        let y = first + ROW * (i as f64 + 0.5);
        body.push_str(&text(MARGIN, y + 4.5, "name", name));
        if let Some((low, high)) = estimate.interval {
            body.push_str(&line(x(low), y, x(high), y, "interval"));
            for end in [low, high] {
                body.push_str(&line(x(end), y - 4.0, x(end), y + 4.0, "interval"));
            }
        }
        let at = number(x(estimate.mean));
        let y_text = number(y);
        body.push_str(&format!(
            "<circle cx=\"{at}\" cy=\"{y_text}\" r=\"4\" class=\"mean\"/>\n"
        ));
        let value = super::markdown::with_error(metric, estimate);
        body.push_str(&text(right + 16.0, y + 4.5, "value", &value));
    }
    bottom + AXIS
}

/// What the axis shows: all intervals, and what is even if that is near.
fn range(metric: Metric, even: Option<f64>, ranked: &[(&str, Estimate)]) -> (f64, f64) {
    let ends = ranked.iter().flat_map(|(_, e)| {
        let (low, high) = e.interval.unwrap_or((e.mean, e.mean));
        [low, high]
    });
    let (mut low, mut high) = ends
        .chain(even)
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| {
            (a.min(x), b.max(x))
        });
    if low > high {
        return (0.0, 1.0);
    }
    let pad = match (high - low) * 0.05 {
        // All the same.
        0.0 => low.abs().max(1.0) * 0.1,
        pad => pad,
    };
    (low, high) = (low - pad, high + pad);
    if metric.is_share() {
        (low, high) = (low.max(0.0), high.min(1.0));
    }
    (low, high)
}

/// Round numbers within a range: about five, one, two or five times a power of ten apart.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let step = step(high - low);
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    (first..=last).map(|i| i as f64 * step).collect()
}

fn step(width: f64) -> f64 {
    let rough = width / 5.0;
    // Powers by multiplication, which is the same on every machine.
    let mut power = 1.0;
    while power > rough {
        power /= 10.0;
    }
    while power * 10.0 <= rough {
        power *= 10.0;
    }
    let steps = [1.0, 2.0, 5.0, 10.0].map(|f| f * power);
    steps.into_iter().find(|s| *s >= rough).unwrap_or(power)
}

fn tick_label(metric: Metric, tick: f64, width: f64) -> String {
    let (factor, _) = metric.scale();
    let step = step(width) * factor;
    let decimals = [1.0, 0.1, 0.01, 0.001]
        .iter()
        .position(|d| step > d * 0.99)
        .unwrap_or(4);
    unsigned_zero(format!("{:.decimals$}", tick * factor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_numbers() {
        let shown = |low, high| -> Vec<String> {
            let ticks = ticks(low, high);
            ticks
                .iter()
                .map(|t| tick_label(Metric::Payoff, *t, high - low))
                .collect()
        };
        assert_eq!(shown(0.0, 1.0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(shown(-13.0, 14.0), ["-10", "0", "10"]);
        assert_eq!(shown(0.47, 0.55), ["0.48", "0.50", "0.52", "0.54"]);
        assert_eq!(shown(-3.0, 3.0), ["-2", "0", "2"]);
    }

    #[test]
    fn the_axis_holds_every_interval_and_no_impossible_share() {
        let estimate = |mean, low, high| Estimate {
            mean,
            interval: Some((low, high)),
        };
        let ranked = [
            ("a", estimate(0.98, 0.9, 1.0)),
            ("b", estimate(0.02, 0.0, 0.1)),
        ];
        assert_eq!(range(Metric::Share, Some(0.5), &ranked), (0.0, 1.0));
        let (low, high) = range(Metric::Payoff, Some(0.0), &[("a", estimate(2.0, 1.0, 3.0))]);
        assert!(low < 0.0 && high > 3.0);
        let (low, high) = range(Metric::Length, None, &[("a", estimate(5.0, 5.0, 5.0))]);
        assert!(low < 5.0 && high > 5.0);
        assert_eq!(range(Metric::Share, None, &[]), (0.0, 1.0));
    }
}
