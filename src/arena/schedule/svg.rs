//! Boards, one for each step, with how likely each place is held.

use super::placement::placement;
use super::{Occupied, Schedule};
use crate::arena::experiment::picture::{
    MARGIN, WIDTH, centred, escaped, line, number, picture, text, title,
};

/// The most boards beside one another.
const ACROSS: usize = 3;
const GAP: f64 = 24.0;
/// Above each board, for what it shows.
const HEADING: f64 = 22.0;
/// The radius of the largest place.
const RADIUS: f64 = 15.0;
/// How far the middle of a place is from the edge of its board.
const INSET: f64 = RADIUS + 4.0;

/// The picture of a schedule: for each variable that holds places its board at the start and after each choice. `None` where
/// no variable holds a place.
pub fn svg(schedule: &Schedule, game: &str) -> Option<String> {
    if schedule.held.is_empty() {
        return None;
    }
    let name = format!("{game}: a schedule of {}", schedule.player);
    let mut body = String::new();
    let mut top = title(&mut body, Some(&name));
    for occupied in &schedule.held {
        let what = format!(
            "{}: how likely each place of {} is held, in per cent",
            occupied.variable, occupied.board
        );
        body.push_str(&text(MARGIN, top + 12.0, "note", &what));
        top = boards(&mut body, occupied, top + 20.0);
    }
    Some(picture(Some(&name), top, &body))
}

/// The boards of a variable, from `top` down; where the next thing begins.
fn boards(body: &mut String, occupied: &Occupied, top: f64) -> f64 {
    let plan = &occupied.plan;
    let places = plan.places.clone();
    let places = places.unwrap_or_else(|| placement(plan.nodes.len(), &plan.edges));
    let across = occupied.by_step.len().clamp(1, ACROSS);
    let width = (WIDTH - 2.0 * MARGIN - GAP * (across - 1) as f64) / across as f64;
    let (points, height) = fitted(&places, width);
    let mut bottom = top;
    for (step, shares) in occupied.by_step.iter().enumerate() {
        let left = MARGIN + (width + GAP) * (step % across) as f64;
        let above = top + (height + HEADING + GAP) * (step / across) as f64;
        let heading = match step {
            0 => "at the start".to_string(),
            step => format!("after choice {step}"),
        };
        body.push_str(&text(left, above + 14.0, "heading", &heading));
        let at = |node: usize| (left + points[node].0, above + HEADING + points[node].1);
        for &(from, to) in &plan.edges {
            let ((x1, y1), (x2, y2)) = (at(from), at(to));
            body.push_str(&line(x1, y1, x2, y2, "grid"));
        }
        let radius = radius(&points);
        for (node, share) in shares.iter().enumerate() {
            let (x, y) = at(node);
            body.push_str(&place(x, y, radius, &plan.nodes[node], *share));
        }
        bottom = (above + HEADING + height + GAP).ceil();
    }
    bottom
}

/// A place: the more likely it is held, the darker.
fn place(x: f64, y: f64, radius: f64, name: &str, share: f64) -> String {
    let [cx, cy, r] = [x, y, radius].map(number);
    let opacity = format!("{:.3}", share.clamp(0.0, 1.0));
    let per_cent = match share {
        share if share <= 0.0 => String::new(),
        share => format!("{:.0}", 100.0 * share),
    };
    let told = escaped(&format!("{name}: {share:.4}"));
    let mut svg = format!(
        "<g><title>{told}</title><circle cx=\"{cx}\" cy=\"{cy}\" r=\"{r}\" fill=\"#fff\" stroke=\"#888\"/>\
         <circle cx=\"{cx}\" cy=\"{cy}\" r=\"{r}\" fill=\"#f2a33a\" fill-opacity=\"{opacity}\"/>\n"
    );
    match per_cent.is_empty() {
        true => svg.push_str(&centred(x, y + 4.0, "note", name)),
        false => {
            svg.push_str(&centred(x, y - 1.0, "note", name));
            svg.push_str(&centred(x, y + 10.0, "tick", &per_cent));
        }
    }
    svg + "</g>\n"
}

/// Places in a box of this width, in pixels from its upper left corner, and how high the box is.
fn fitted(places: &[(f64, f64)], width: f64) -> (Vec<(f64, f64)>, f64) {
    let range = |of: fn(&(f64, f64)) -> f64| {
        let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
        for place in places {
            least = least.min(of(place));
            most = most.max(of(place));
        }
        (least, (most - least).max(0.0))
    };
    let ((left, wide), (top, high)) = (range(|p| p.0), range(|p| p.1));
    let room = width - 2.0 * INSET;
    // As high as wide at most.
    let scale = room / wide.max(high).max(1e-9);
    let middle = (room - wide * scale) / 2.0;
    let points = places.iter().map(|(x, y)| {
        (
            INSET + middle + (x - left) * scale,
            INSET + (y - top) * scale,
        )
    });
    (points.collect(), 2.0 * INSET + high * scale)
}

/// So large that no two places overlap.
fn radius(points: &[(f64, f64)]) -> f64 {
    let mut nearest = f64::INFINITY;
    for (i, a) in points.iter().enumerate() {
        for b in &points[..i] {
            let (dx, dy) = (a.0 - b.0, a.1 - b.1);
            nearest = nearest.min((dx * dx + dy * dy).sqrt());
        }
    }
    (nearest * 0.48).clamp(2.0, RADIUS)
}
