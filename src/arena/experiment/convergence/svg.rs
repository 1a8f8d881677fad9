//! A plot of an experiment about convergence: for each table a panel with a curve for each player, the mean loss over the
//! number of simulations, both on logarithmic scales, and a band for the 95 % interval.

use super::summary::{Summary, Table};
use crate::arena::experiment::picture::{
    MARGIN, WIDTH, centred, line, number, picture, text, title,
};
use crate::arena::statistics::Mean;

const HEADING: f64 = 44.0;
const HEIGHT: f64 = 300.0;
const AXIS: f64 = 54.0;
/// The columns of labels left and right of a panel.
const LEFT: f64 = 56.0;
const RIGHT: f64 = 150.0;
/// Colours that people with any kind of colour vision can tell apart (Okabe & Ito 2008).
const COLOURS: [&str; 8] = [
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#999933",
];
/// Losses below this are drawn as this.
const LEAST: f64 = 1e-6;

/// The whole picture; `None` where no table has more than one number of simulations.
pub fn svg(summary: &Summary) -> Option<String> {
    let mut body = String::new();
    let mut y = title(&mut body, summary.title.as_deref());
    let mut drawn = false;
    for variant in &summary.variants {
        let name = variant.name.as_deref().unwrap_or(&variant.game);
        for table in variant.tables.iter().filter(|t| t.iterations.len() > 1) {
            y = panel(&mut body, y, name, table);
            drawn = true;
        }
    }
    drawn.then(|| picture(summary.title.as_deref(), y, &body))
}

/// A logarithmic axis from one power of ten to another, between two places on the page.
struct Axis {
    low: i32,
    high: i32,
    from: f64,
    to: f64,
}

impl Axis {
    /// The axis on which all values lie, none of them 0 or less.
    fn of(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Axis {
        let (mut low, mut high) = (i32::MAX, i32::MIN);
        for value in values {
            let mut exponent = 0;
            while power(exponent) > value {
                exponent -= 1;
            }
            while power(exponent + 1) <= value {
                exponent += 1;
            }
            low = low.min(exponent);
            let above = if power(exponent) == value { 0 } else { 1 };
            high = high.max(exponent + above);
        }
        if low > high {
            (low, high) = (0, 1);
        }
        high = high.max(low + 1);
        Axis {
            low,
            high,
            from,
            to,
        }
    }

    fn place(&self, value: f64) -> f64 {
        // From `libm`: the same on every machine.
        let share = (libm::log10(value) - f64::from(self.low)) / f64::from(self.high - self.low);
        self.from + share.clamp(0.0, 1.0) * (self.to - self.from)
    }

    /// Powers of ten, and between few of them their double and their fivefold.
    fn ticks(&self) -> Vec<f64> {
        let steps: &[f64] = match self.high - self.low {
            0..=3 => &[1.0, 2.0, 5.0],
            _ => &[1.0],
        };
        let all = (self.low..=self.high).flat_map(|e| steps.iter().map(move |s| s * power(e)));
        all.filter(|tick| *tick <= power(self.high)).collect()
    }
}

/// A power of ten, by multiplication.
fn power(exponent: i32) -> f64 {
    let mut power = 1.0;
    for _ in 0..exponent.unsigned_abs() {
        power *= 10.0;
    }
    if exponent < 0 { 1.0 / power } else { power }
}

/// Draws a panel whose top is at `top`; its bottom.
fn panel(body: &mut String, top: f64, name: &str, table: &Table) -> f64 {
    body.push_str(&text(MARGIN, top + 18.0, "heading", name));
    let note = format!("{}, mean of the seats", table.heading());
    body.push_str(&text(MARGIN, top + 34.0, "note", &note));
    let (first, bottom) = (top + HEADING, top + HEADING + HEIGHT);
    let (left, right) = (MARGIN + LEFT, WIDTH - MARGIN - RIGHT);
    let iterations = table.iterations.iter().map(|&n| n as f64);
    let x = Axis::of(iterations, left, right);
    let means = table.losses.values().flatten();
    let known = means.filter_map(|m| m.mean).map(|mean| mean.max(LEAST));
    let y = Axis::of(known, bottom, first);
    for tick in x.ticks() {
        let at = x.place(tick);
        body.push_str(&line(at, first, at, bottom, "grid"));
        body.push_str(&centred(at, bottom + 16.0, "tick", &label(tick)));
    }
    for tick in y.ticks() {
        let at = y.place(tick);
        body.push_str(&line(left, at, right, at, "grid"));
        body.push_str(&text(MARGIN, at + 4.0, "tick", &label(tick)));
    }
    let middle = (left + right) / 2.0;
    body.push_str(&centred(middle, bottom + 34.0, "note", "simulations"));
    for (i, (player, losses)) in table.losses.iter().enumerate() {
        let colour = COLOURS[i % COLOURS.len()];
        curve(body, table, losses, &x, &y, colour);
        let at = first + 20.0 * i as f64 + 10.0;
        body.push_str(&format!(
            "<line x1=\"{0}\" y1=\"{2}\" x2=\"{1}\" y2=\"{2}\" stroke=\"{colour}\" stroke-width=\"3\"/>\n",
            number(right + 14.0),
            number(right + 36.0),
            number(at)
        ));
        body.push_str(&text(right + 42.0, at + 4.5, "name", player));
    }
    bottom + AXIS
}

/// A player's curve and its band.
fn curve(body: &mut String, table: &Table, losses: &[Mean], x: &Axis, y: &Axis, colour: &str) {
    let point = |n: u64, loss: f64| {
        let (x, y) = (x.place(n as f64), y.place(loss.max(LEAST)));
        format!("{},{}", number(x), number(y))
    };
    let points = std::iter::zip(&table.iterations, losses);
    let low = points
        .clone()
        .filter_map(|(n, m)| Some(point(*n, m.interval?.0)));
    let high = points
        .clone()
        .filter_map(|(n, m)| Some(point(*n, m.interval?.1)));
    let band: Vec<String> = low
        .chain(high.collect::<Vec<_>>().into_iter().rev())
        .collect();
    let band = band.join(" ");
    body.push_str(&format!(
        "<polygon points=\"{band}\" fill=\"{colour}\" fill-opacity=\"0.15\"/>\n"
    ));
    let means: Vec<String> = points
        .filter_map(|(n, m)| Some(point(*n, m.mean?)))
        .collect();
    let means = means.join(" ");
    body.push_str(&format!(
        "<polyline points=\"{means}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>\n"
    ));
}

/// `1,000` or `0.05`.
fn label(tick: f64) -> String {
    if tick >= 1.0 {
        return super::markdown::count(tick.round() as u64);
    }
    let mut decimals = 1;
    while power(-decimals) > tick * 1.001 {
        decimals += 1;
    }
    format!("{tick:.0$}", decimals as usize)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_goes_from_power_to_power() {
        let axis = Axis::of([0.03, 0.7].into_iter(), 100.0, 0.0);
        assert_eq!((axis.low, axis.high), (-2, 0));
        assert_eq!(axis.ticks().len(), 7);
        assert_eq!(axis.place(0.01), 100.0);
        assert_eq!(axis.place(1.0), 0.0);
        assert!((axis.place(0.1) - 50.0).abs() < 1e-9);
        let axis = Axis::of([1000.0, 100_000.0].into_iter(), 0.0, 1.0);
        assert_eq!((axis.low, axis.high), (3, 5));
        let nothing = Axis::of(std::iter::empty(), 0.0, 1.0);
        assert!(nothing.low < nothing.high);
    }

    #[test]
    fn ticks_are_written_with_as_many_digits_as_they_need() {
        let all = [1000.0, 200.0, 1.0, 0.5, 0.01, 0.002];
        assert_eq!(
            all.map(label),
            ["1,000", "200", "1", "0.5", "0.01", "0.002"]
        );
    }
}
