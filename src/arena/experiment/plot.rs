//! A plot of curves: for each table a panel with a curve for each player, the mean loss over how long was searched, both on
//! logarithmic scales, and a band for the 95 % interval.

use super::curves::Curves;
use super::picture::{MARGIN, WIDTH, centred, line, number, picture, text, title};
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
/// Dashes and gaps, for when there are more curves than colours.
const DASHES: [&str; 3] = ["", "7 4", "2 3"];
/// Losses below this are drawn as this.
const LEAST: f64 = 1e-6;

/// The whole picture, of tables with the names of their variants; `None` where no table has more than one column.
pub fn svg<'c>(
    heading: Option<&str>,
    tables: impl Iterator<Item = (&'c str, Curves<'c>)>,
) -> Option<String> {
    let mut body = String::new();
    let mut y = title(&mut body, heading);
    let mut drawn = false;
    for (name, table) in tables.filter(|(_, table)| table.after.len() > 1) {
        y = panel(&mut body, y, name, &table);
        drawn = true;
    }
    drawn.then(|| picture(heading, y, &body))
}

/// How a curve is drawn.
struct Stroke {
    colour: &'static str,
    dashes: &'static str,
}

impl Stroke {
    fn attributes(&self) -> String {
        match self.dashes {
            "" => format!("stroke=\"{}\"", self.colour),
            dashes => format!("stroke=\"{}\" stroke-dasharray=\"{dashes}\"", self.colour),
        }
    }
}

/// A logarithmic axis between two places on the page.
struct Axis {
    /// Ascending, two or more: the axis goes from the first to the last.
    ticks: Vec<f64>,
    from: f64,
    to: f64,
}

impl Axis {
    /// The axis on which all values lie, none of them 0 or less. Its ticks are powers of ten, and between few of them their
    /// double and their fivefold.
    fn of(values: impl Iterator<Item = f64>, from: f64, to: f64) -> Axis {
        let bounds = |(least, most): (f64, f64), v: f64| (least.min(v), most.max(v));
        let (mut least, mut most) = values.fold((f64::INFINITY, 0.0), bounds);
        if least > most {
            (least, most) = (1.0, 10.0);
        }
        let mut first = 0;
        while power(first) > least {
            first -= 1;
        }
        while power(first + 1) <= least {
            first += 1;
        }
        let steps: &[f64] = match most / least {
            ..=1e4 => &[1.0, 2.0, 5.0],
            _ => &[1.0],
        };
        let mut ticks: Vec<f64> = Vec::new();
        let all = (first..).flat_map(|e| steps.iter().map(move |s| s * power(e)));
        for tick in all {
            if ticks.len() == 1 && tick <= least {
                ticks.clear();
            }
            ticks.push(tick);
            if tick >= most && ticks.len() > 1 {
                break;
            }
        }
        Axis { ticks, from, to }
    }

    fn place(&self, value: f64) -> f64 {
        // From `libm`: the same on every machine.
        let ends = [self.ticks[0], self.ticks[self.ticks.len() - 1]].map(libm::log10);
        let share = (libm::log10(value) - ends[0]) / (ends[1] - ends[0]);
        self.from + share.clamp(0.0, 1.0) * (self.to - self.from)
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
fn panel(body: &mut String, top: f64, name: &str, table: &Curves<'_>) -> f64 {
    body.push_str(&text(MARGIN, top + 18.0, "heading", name));
    body.push_str(&text(MARGIN, top + 34.0, "note", &table.note));
    let (first, bottom) = (top + HEADING, top + HEADING + HEIGHT);
    let (left, right) = (MARGIN + LEFT, WIDTH - MARGIN - RIGHT);
    let after = table.after.iter().map(|&n| n as f64);
    let x = Axis::of(after, left, right);
    let means = table.losses.values().flatten();
    let known = means.filter_map(|m| m.mean).map(|mean| mean.max(LEAST));
    let y = Axis::of(known, bottom, first);
    for &tick in &x.ticks {
        let at = x.place(tick);
        body.push_str(&line(at, first, at, bottom, "grid"));
        body.push_str(&centred(at, bottom + 16.0, "tick", &label(tick)));
    }
    for &tick in &y.ticks {
        let at = y.place(tick);
        body.push_str(&line(left, at, right, at, "grid"));
        body.push_str(&text(MARGIN, at + 4.0, "tick", &label(tick)));
    }
    let middle = (left + right) / 2.0;
    body.push_str(&centred(middle, bottom + 34.0, "note", table.unit));
    for (i, (player, losses)) in table.losses.iter().enumerate() {
        let stroke = Stroke {
            colour: COLOURS[i % COLOURS.len()],
            dashes: DASHES[i / COLOURS.len() % DASHES.len()],
        };
        curve(body, table, losses, &x, &y, &stroke);
        let at = first + 20.0 * i as f64 + 10.0;
        body.push_str(&format!(
            "<line x1=\"{0}\" y1=\"{2}\" x2=\"{1}\" y2=\"{2}\" {3} stroke-width=\"3\"/>\n",
            number(right + 14.0),
            number(right + 36.0),
            number(at),
            stroke.attributes()
        ));
        body.push_str(&text(right + 42.0, at + 4.5, "name", player));
    }
    bottom + AXIS
}

/// A player's curve and its band.
fn curve(
    body: &mut String,
    table: &Curves<'_>,
    losses: &[Mean],
    x: &Axis,
    y: &Axis,
    stroke: &Stroke,
) {
    let point = |n: u64, loss: f64| {
        let (x, y) = (x.place(n as f64), y.place(loss.max(LEAST)));
        format!("{},{}", number(x), number(y))
    };
    let points = std::iter::zip(table.after, losses);
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
        "<polygon points=\"{band}\" fill=\"{}\" fill-opacity=\"0.15\"/>\n",
        stroke.colour
    ));
    let means: Vec<String> = points
        .filter_map(|(n, m)| Some(point(*n, m.mean?)))
        .collect();
    let means = means.join(" ");
    body.push_str(&format!(
        "<polyline points=\"{means}\" fill=\"none\" {} stroke-width=\"2\"/>\n",
        stroke.attributes()
    ));
}

/// `500`, `20 k`, `1 M` or `0.05`.
fn label(tick: f64) -> String {
    for (unit, name) in [(1e6, " M"), (1e3, " k"), (1.0, "")] {
        if tick >= unit {
            return format!("{:.0}{name}", tick / unit);
        }
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
    fn an_axis_goes_from_tick_to_tick() {
        let axis = Axis::of([0.03, 0.7].into_iter(), 100.0, 0.0);
        assert_eq!(axis.ticks, [0.02, 0.05, 0.1, 0.2, 0.5, 1.0]);
        assert_eq!((axis.place(0.02), axis.place(1.0)), (100.0, 0.0));
        assert_eq!((axis.place(1e-9), axis.place(7.0)), (100.0, 0.0));
        let axis = Axis::of([1000.0, 300_000.0].into_iter(), 0.0, 1.0);
        assert_eq!(axis.ticks[0], 1000.0);
        assert_eq!(axis.ticks[axis.ticks.len() - 1], 500_000.0);
        let wide = Axis::of([2e-6, 0.3].into_iter(), 0.0, 1.0);
        assert_eq!(wide.ticks.len(), 7);
        assert!((wide.place(1e-3) - 0.5).abs() < 1e-9);
        for values in [&[][..], &[1.0], &[0.1, 0.1]] {
            let axis = Axis::of(values.iter().copied(), 0.0, 1.0);
            assert!(axis.ticks.len() > 1, "{values:?}");
        }
    }

    #[test]
    fn ticks_are_written_with_as_many_digits_as_they_need() {
        let all = [2e6, 500_000.0, 1000.0, 200.0, 1.0, 0.5, 0.01, 0.002];
        assert_eq!(
            all.map(label),
            ["2 M", "500 k", "1 k", "200", "1", "0.5", "0.01", "0.002"]
        );
    }
}
