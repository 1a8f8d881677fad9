//! A tree as a picture that needs no other tool: the root at the top, moves and chances on the edges, payoffs at the ends, and
//! a dashed line through the nodes of each information set, in the colour of its player.
//!
//! Every subtree has a strip of its own, as wide as the strips below it or as what is written above it; a node stands in the
//! middle of its children. So texts do not cover one another, and the picture is as wide as the tree has ends.

use super::dot::{branch, colour};
use super::{ExtensiveForm, FormKind, FormNode};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Lengths in pixels. A sign is taken to be as wide as this, which is enough for the usual fonts.
const SIGN: f64 = 6.6;
const LEVEL: f64 = 84.0;
const LINE: f64 = 15.0;
const MARGIN: f64 = 24.0;
const RADIUS: f64 = 5.0;
/// The gap between two texts.
const GAP: f64 = 10.0;
/// How far down its edge a label stands, of the whole.
const ALONG: f64 = 0.62;

/// The text of a file.
pub fn write(form: &ExtensiveForm) -> String {
    let places = Places::new(form);
    let mut text = String::new();
    // Writing to a string does not fail.
    let _ = writeln!(
        text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0}\" height=\"{1:.0}\" viewBox=\"0 0 {0:.0} {1:.0}\" role=\"img\" \
         font-family=\"sans-serif\" font-size=\"12\" text-anchor=\"middle\">",
        places.width, places.height
    );
    let _ = writeln!(text, "<title>{}</title>", escaped(&form.title));
    sets(form, &places, &mut text);
    edges(form, &places, &mut text);
    for (node, &at) in form.nodes.iter().zip(&places.nodes) {
        draw(form, node, at, &mut text);
    }
    names(form, &places, &mut text);
    text.push_str("</svg>\n");
    text
}

/// Where everything stands.
struct Places {
    nodes: Vec<(f64, f64)>,
    /// The nodes of each information set, from left to right.
    sets: Vec<Vec<usize>>,
    width: f64,
    height: f64,
}

impl Places {
    fn new(form: &ExtensiveForm) -> Places {
        let strips = strips(form);
        let count = form.nodes.len();
        // Where the strip of each node begins; parents come before their children.
        let mut left = vec![MARGIN; count];
        let mut depth = vec![0u32; count];
        for (number, node) in form.nodes.iter().enumerate() {
            let range = node.range();
            let below: f64 = range.clone().map(|child| strips[child as usize]).sum();
            let mut at = left[number] + (strips[number] - below) / 2.0;
            for child in range.map(|child| child as usize) {
                left[child] = at;
                depth[child] = depth[number] + 1;
                at += strips[child];
            }
        }
        let mut x: Vec<f64> = (0..count).map(|n| left[n] + strips[n] / 2.0).collect();
        for (number, node) in form.nodes.iter().enumerate().rev() {
            if node.children > 0 {
                let (first, last) = (node.first as usize, node.range().end as usize - 1);
                x[number] = (x[first] + x[last]) / 2.0;
            }
        }
        let mut sets = vec![Vec::new(); form.sets.len()];
        for (number, node) in form.nodes.iter().enumerate() {
            if let FormKind::Decision(set) = node.kind {
                sets[set as usize].push(number);
            }
        }
        for nodes in &mut sets {
            nodes.sort_by(|a, b| x[*a].total_cmp(&x[*b]));
        }
        let deepest = depth.iter().copied().max().unwrap_or(0);
        let top = MARGIN + LINE;
        let y = depth.iter().map(|depth| top + f64::from(*depth) * LEVEL);
        Places {
            nodes: x.iter().copied().zip(y).collect(),
            sets,
            width: strips.first().map_or(0.0, |strip| strip + 2.0 * MARGIN),
            height: top + f64::from(deepest) * LEVEL + LINE * form.players.len() as f64 + MARGIN,
        }
    }
}

/// How wide the strip of each node must be.
fn strips(form: &ExtensiveForm) -> Vec<f64> {
    let mut strips = vec![0.0f64; form.nodes.len()];
    for (number, node) in form.nodes.iter().enumerate().rev() {
        let below: f64 = node.range().map(|child| strips[child as usize]).sum();
        let own = match node.kind {
            FormKind::End(vector) => widest(&payoffs(form, vector)),
            FormKind::Decision(set) => wide(&form.players[form.sets[set as usize].player as usize]),
            FormKind::Chance(_) | FormKind::Cut => 2.0 * RADIUS,
        };
        strips[number] = strips[number].max(below).max(own + GAP);
        // What stands on an edge is nearer to its neighbours than the nodes below.
        for (i, child) in node.range().enumerate() {
            let label = (wide(&branch(form, node.kind, i)) + GAP) / ALONG;
            strips[child as usize] = strips[child as usize].max(label);
        }
        let below: f64 = node.range().map(|child| strips[child as usize]).sum();
        strips[number] = strips[number].max(below);
    }
    strips
}

fn wide(text: &str) -> f64 {
    text.chars().count() as f64 * SIGN
}

fn widest(lines: &[String]) -> f64 {
    lines.iter().map(|line| wide(line)).fold(0.0, f64::max)
}

/// What is paid at an end, a line for each player.
fn payoffs(form: &ExtensiveForm, vector: u32) -> Vec<String> {
    let payoffs = form.payoffs[vector as usize].iter();
    payoffs.map(ToString::to_string).collect()
}

/// A dashed line through the nodes of each information set, above them so that it passes by what stands between; each of those
/// that pass one another at its own height.
fn sets(form: &ExtensiveForm, places: &Places, text: &mut String) {
    let lanes = lanes(places);
    let most = lanes.iter().copied().max().unwrap_or(0).max(1);
    let step = LANES.2.min((LANES.1 - LANES.0) / most as f64);
    for (number, nodes) in places.sets.iter().enumerate() {
        let colour = colour(form.sets[number].player);
        for pair in nodes.windows(2) {
            let ((x, y), (to_x, to_y)) = (places.nodes[pair[0]], places.nodes[pair[1]]);
            // The curve comes to three quarters of the height of the points that bend it.
            let height = (LANES.0 + step * lanes[number] as f64) / 0.75;
            let (above, bend) = (y.min(to_y) - height, ((to_x - x) / 4.0).min(LEVEL / 2.0));
            let _ = writeln!(
                text,
                "<path d=\"M{x:.1} {y:.1}C{:.1} {above:.1} {:.1} {above:.1} {to_x:.1} {to_y:.1}\" fill=\"none\" \
                 stroke=\"{colour}\" stroke-width=\"1.5\" stroke-dasharray=\"5 4\"/>",
                x + bend,
                to_x - bend
            );
        }
    }
}

/// How high above its nodes the line of an information set runs at least and at most, and how far two lines are apart if that
/// is enough.
const LANES: (f64, f64, f64) = (18.0, 62.0, 8.0);

/// The lane of each information set above its nodes: those whose lines pass one another have others, shorter ones lower.
fn lanes(places: &Places) -> Vec<usize> {
    let span = |nodes: &[usize]| {
        let ends = nodes.first().zip(nodes.last());
        ends.map_or((0.0, 0.0, 0.0), |(first, last)| {
            let ((x, y), (to_x, _)) = (places.nodes[*first], places.nodes[*last]);
            (y, x, to_x)
        })
    };
    let spans: Vec<(f64, f64, f64)> = places.sets.iter().map(|nodes| span(nodes)).collect();
    let mut order: Vec<usize> = (0..spans.len())
        .filter(|set| places.sets[*set].len() > 1)
        .collect();
    let wide = |set: usize| spans[set].2 - spans[set].1;
    order.sort_by(|a, b| wide(*a).total_cmp(&wide(*b)));
    let mut lanes = vec![0; spans.len()];
    // By height, what is taken in each lane.
    let mut taken: BTreeMap<u64, Vec<Vec<(f64, f64)>>> = BTreeMap::new();
    for set in order {
        let (y, from, to) = spans[set];
        let level = taken.entry(y.to_bits()).or_default();
        let is_free = |lane: &Vec<(f64, f64)>| lane.iter().all(|(a, b)| to < *a || *b < from);
        let lane = level.iter().position(is_free).unwrap_or(level.len());
        if lane == level.len() {
            level.push(Vec::new());
        }
        level[lane].push((from, to));
        lanes[set] = lane;
    }
    lanes
}

fn edges(form: &ExtensiveForm, places: &Places, text: &mut String) {
    for (node, &(x, y)) in form.nodes.iter().zip(&places.nodes) {
        for child in node.range() {
            let (to_x, to_y) = places.nodes[child as usize];
            let _ = writeln!(
                text,
                "<path d=\"M{x:.1} {y:.1}L{to_x:.1} {to_y:.1}\" stroke=\"#555\"/>"
            );
        }
    }
    for (node, &(x, y)) in form.nodes.iter().zip(&places.nodes) {
        for (i, child) in node.range().enumerate() {
            let (to_x, to_y) = places.nodes[child as usize];
            let at = (x + ALONG * (to_x - x), y + ALONG * (to_y - y));
            label(text, at, "#222", &branch(form, node.kind, i));
        }
    }
}

/// A text in the middle of a place, on a white ground of its own shape. The ground is a text too: not every program that reads
/// such files can be told to paint the edge of a text below its face.
fn label(text: &mut String, (x, y): (f64, f64), colour: &str, said: &str) {
    let (y, said) = (y + 4.0, escaped(said));
    let ground = "aria-hidden=\"true\" fill=\"#fff\" stroke=\"#fff\" stroke-width=\"4\"";
    for paint in [ground, &format!("fill=\"{colour}\"")] {
        let _ = writeln!(
            text,
            "<text x=\"{x:.1}\" y=\"{y:.1}\" {paint}>{said}</text>"
        );
    }
}

/// The mark of a node, and what stands below an end.
fn draw(form: &ExtensiveForm, node: &FormNode, (x, y): (f64, f64), text: &mut String) {
    match node.kind {
        FormKind::Chance(_) => {
            let _ = writeln!(
                text,
                "<path d=\"M{x:.1} {:.1}l{RADIUS} {RADIUS}l-{RADIUS} {RADIUS}l-{RADIUS} -{RADIUS}z\" fill=\"#fff\" stroke=\"#222\"/>",
                y - RADIUS
            );
        }
        FormKind::Decision(set) => {
            let set = &form.sets[set as usize];
            let saw = match set.saw.is_empty() {
                true => "saw nothing".to_string(),
                false => format!("saw {}", set.saw.join(", ")),
            };
            let player = &form.players[set.player as usize];
            let _ = writeln!(
                text,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{RADIUS}\" fill=\"{}\"><title>{}</title></circle>",
                colour(set.player),
                escaped(&format!("{player} {saw}"))
            );
        }
        FormKind::End(vector) => {
            for (line, (payoff, player)) in payoffs(form, vector).iter().zip(0..).enumerate() {
                let at = (x, y + 6.0 + line as f64 * LINE);
                label(text, at, colour(player), payoff);
            }
        }
        FormKind::Cut => label(text, (x, y), "#222", "…"),
    }
}

/// The name of its player above the first node of each information set.
fn names(form: &ExtensiveForm, places: &Places, text: &mut String) {
    for (set, nodes) in form.sets.iter().zip(&places.sets) {
        if let Some(&first) = nodes.first() {
            let (x, y) = places.nodes[first];
            let name = &form.players[set.player as usize];
            label(text, (x, y - 14.0), colour(set.player), name);
        }
    }
}

/// A text in which nothing has a meaning.
fn escaped(said: &str) -> String {
    let mut text = String::new();
    for sign in said.chars() {
        match sign {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            sign if sign.is_control() || matches!(sign, '\u{fffe}' | '\u{ffff}') => text.push(' '),
            sign => text.push(sign),
        }
    }
    text
}
