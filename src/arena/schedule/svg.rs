//! Boards, one for each step, with how likely each place is held.

use super::placement::placement;
use super::{Occupied, Schedule};
use crate::arena::experiment::picture::{
    MARGIN, WIDTH, centred, escaped, number, picture, text, title,
};

/// The most boards beside one another, and the fewest where there are as many.
const ACROSS: usize = 3;
const FEWEST: usize = 2;
const GAP: f64 = 24.0;
/// Above each board, for what it shows.
const HEADING: f64 = 22.0;
/// The radius of the largest place, and of those that fewer boards beside one another would make larger.
const RADIUS: f64 = 15.0;
const SMALL: f64 = 12.0;
/// What part of the distance between two places the radius of each may be, so that what joins them is seen.
const SHARE: f64 = 0.36;
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
        let marked = marked(occupied);
        if !marked.is_empty() {
            top += 16.0;
            let what = format!("thick rings: {}", marked.join(", "));
            body.push_str(&text(MARGIN, top + 12.0, "note", &what));
        }
        top = boards(&mut body, occupied, top + 20.0);
    }
    Some(picture(Some(&name), top, &body))
}

/// The places with marks that stay, and what the marks are.
fn marked(occupied: &Occupied) -> Vec<String> {
    let marked = occupied.marks.iter().zip(&occupied.places);
    let marked = marked.filter(|(marks, _)| !marks.is_empty());
    let words = marked.map(|(marks, name)| format!("{name} {}", marks.join(" ")));
    words.collect()
}

/// The boards of a variable, from `top` down; where the next thing begins.
fn boards(body: &mut String, occupied: &Occupied, top: f64) -> f64 {
    let plan = &occupied.plan;
    let places = match &plan.places {
        Some(places) => aligned(places),
        None => lying(placement(plan.nodes.len(), &plan.edges)),
    };
    let (across, width, points, height) = arranged(&places, occupied.by_step.len());
    let radius = radius(&points);
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
            body.push_str(&edge(at(from), at(to)));
        }
        for (node, share) in shares.iter().enumerate() {
            let thick = occupied.marks.get(node).is_some_and(|m| !m.is_empty());
            body.push_str(&place(at(node), (radius, thick), &plan.nodes[node], *share));
        }
        bottom = (above + HEADING + height + GAP).ceil();
    }
    bottom
}

/// How many boards are beside one another, how wide each is, where the places are in it, and how high it is: fewer and
/// larger ones where places are many.
fn arranged(places: &[(f64, f64)], boards: usize) -> (usize, f64, Vec<(f64, f64)>, f64) {
    let most = boards.clamp(1, ACROSS);
    let arrangements = (most.min(FEWEST)..=most).rev().map(|across| {
        let width = (WIDTH - 2.0 * MARGIN - GAP * (across - 1) as f64) / across as f64;
        let (points, height) = fitted(places, width);
        (across, width, points, height)
    });
    let mut last = None;
    for arranged in arrangements {
        let large = radius(&arranged.2) >= SMALL;
        last = Some(arranged);
        if large {
            break;
        }
    }
    last.unwrap_or_else(|| (1, WIDTH, places.to_vec(), 0.0))
}

/// Places above one another whose names stand in one column of a drawing, give or take half a letter at each end.
fn aligned(places: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by(|a, b| places[*a].0.total_cmp(&places[*b].0));
    let mut aligned = places.to_vec();
    let mut rest = order.as_slice();
    while let Some(first) = rest.first() {
        let near = rest.partition_point(|i| places[*i].0 - places[*first].0 <= 1.0);
        let (column, others) = rest.split_at(near.max(1));
        let middle = column.iter().map(|i| places[*i].0).sum::<f64>() / column.len() as f64;
        column.iter().for_each(|i| aligned[*i].0 = middle);
        rest = others;
    }
    aligned
}

fn edge((x1, y1): (f64, f64), (x2, y2): (f64, f64)) -> String {
    let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(number);
    format!(
        "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"#555\" stroke-width=\"1.5\"/>\n"
    )
}

/// A place: the more likely it is held, the darker.
fn place((x, y): (f64, f64), (radius, thick): (f64, bool), name: &str, share: f64) -> String {
    let [cx, cy, r] = [x, y, radius].map(number);
    let opacity = format!("{:.3}", share.clamp(0.0, 1.0));
    let per_cent = match share {
        share if share <= 0.0 => String::new(),
        share => format!("{:.0}", 100.0 * share),
    };
    let ring = match thick {
        true => "stroke=\"#222\" stroke-width=\"2.5\"",
        false => "stroke=\"#888\"",
    };
    let told = escaped(&format!("{name}: {share:.4}"));
    let mut svg = format!(
        "<g><title>{told}</title><circle cx=\"{cx}\" cy=\"{cy}\" r=\"{r}\" fill=\"#fff\"/>\
         <circle cx=\"{cx}\" cy=\"{cy}\" r=\"{r}\" fill=\"#f2a33a\" fill-opacity=\"{opacity}\" {ring}/>\n"
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
    let ((left, wide), (top, high)) = (range(places, |p| p.0), range(places, |p| p.1));
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

/// Places that nobody has drawn, turned so that they are wider than high.
fn lying(mut places: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
    if range(&places, |p| p.1).1 > range(&places, |p| p.0).1 {
        for place in &mut places {
            *place = (place.1, place.0);
        }
    }
    places
}

/// The least of some coordinates, and how far it is to the greatest.
fn range(places: &[(f64, f64)], of: fn(&(f64, f64)) -> f64) -> (f64, f64) {
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    for place in places {
        least = least.min(of(place));
        most = most.max(of(place));
    }
    (least, (most - least).max(0.0))
}

/// So large that no two places are near one another.
fn radius(points: &[(f64, f64)]) -> f64 {
    let mut nearest = f64::INFINITY;
    for (i, a) in points.iter().enumerate() {
        for b in &points[..i] {
            let (dx, dy) = (a.0 - b.0, a.1 - b.1);
            nearest = nearest.min((dx * dx + dy * dy).sqrt());
        }
    }
    (nearest * SHARE).clamp(2.0, RADIUS)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Names of one to three letters that end in one column, and another column beside it.
    #[test]
    fn columns_are_straight() {
        let drawn = [(2.5, 0.0), (2.0, 2.0), (1.5, 4.0), (7.5, 0.0), (7.0, 2.0)];
        let lie = aligned(&drawn);
        let across: Vec<f64> = lie.iter().map(|place| place.0).collect();
        assert_eq!(across, [2.0, 2.0, 2.0, 7.25, 7.25]);
    }
}
