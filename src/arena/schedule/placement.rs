//! Where the nodes of a graph are put that nobody has drawn: so that nodes that are so many edges apart lie so far apart, as
//! well as that can be (stress majorization, Gansner, Koren & North 2004).

use std::collections::VecDeque;

const ROUNDS: usize = 300;

/// In the end no node shall be nearer than this to one that it is not joined to, or to an edge that is not its own.
const APART: f64 = 0.8;
const BESIDE: f64 = 0.45;

/// Places of so many nodes, an edge being about 1 long. The same graph always lies alike.
pub fn placement(nodes: usize, edges: &[(usize, usize)]) -> Vec<(f64, f64)> {
    let distances = distances(nodes, edges);
    let turn = |i: usize| std::f64::consts::TAU * i as f64 / nodes.max(1) as f64;
    let radius = nodes as f64 / 6.0;
    let start = (0..nodes).map(|i| (radius * libm::cos(turn(i)), radius * libm::sin(turn(i))));
    let mut places: Vec<(f64, f64)> = start.collect();
    for _ in 0..ROUNDS {
        for i in 0..nodes {
            let (mut x, mut y, mut weights) = (0.0, 0.0, 0.0);
            for j in (0..nodes).filter(|j| *j != i) {
                let wanted = distances[i][j];
                let weight = 1.0 / (wanted * wanted);
                let (dx, dy) = (places[i].0 - places[j].0, places[i].1 - places[j].1);
                let far = (dx * dx + dy * dy).sqrt().max(1e-9);
                x += weight * (places[j].0 + wanted * dx / far);
                y += weight * (places[j].1 + wanted * dy / far);
                weights += weight;
            }
            if weights > 0.0 {
                places[i] = (x / weights, y / weights);
            }
        }
    }
    let mut joined = vec![false; nodes * nodes];
    for &(a, b) in edges {
        joined[a * nodes + b] = true;
        joined[b * nodes + a] = true;
    }
    for round in 0..ROUNDS {
        // The smaller, the longer it went on.
        let step = 0.4 * (1.0 - round as f64 / ROUNDS as f64);
        let moved = part(&places, (edges, &joined), step);
        places = moved;
    }
    places
}

/// Moves what is too near apart, by up to `step` of what is missing, and the ends of edges to about 1 from each other.
fn part(
    places: &[(f64, f64)],
    (edges, joined): (&[(usize, usize)], &[bool]),
    step: f64,
) -> Vec<(f64, f64)> {
    let mut moved = places.to_vec();
    let mut push = |i: usize, (dx, dy): (f64, f64), by: f64| {
        moved[i].0 += dx * by;
        moved[i].1 += dy * by;
    };
    for a in 0..places.len() {
        for b in 0..a {
            let (way, far) = direction(places[b], places[a]);
            let missing = match joined[a * places.len() + b] {
                true => 0.3 * (1.0 - far),
                false => (APART - far).max(0.0),
            };
            push(a, way, step * missing / 2.0);
            push(b, way, -step * missing / 2.0);
        }
    }
    for &(from, to) in edges {
        let ((x1, y1), (x2, y2)) = (places[from], places[to]);
        let (dx, dy) = (x2 - x1, y2 - y1);
        let length = (dx * dx + dy * dy).max(1e-9);
        for (node, &(x, y)) in places.iter().enumerate() {
            let along = ((x - x1) * dx + (y - y1) * dy) / length;
            if node == from || node == to || !(0.0..=1.0).contains(&along) {
                continue;
            }
            let (way, far) = direction((x1 + along * dx, y1 + along * dy), (x, y));
            let missing = (BESIDE - far).max(0.0);
            push(node, way, step * missing);
            push(from, way, -step * missing * (1.0 - along));
            push(to, way, -step * missing * along);
        }
    }
    moved
}

/// The way from one place to another, of length 1, and how far it is.
fn direction(from: (f64, f64), to: (f64, f64)) -> ((f64, f64), f64) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let far = (dx * dx + dy * dy).sqrt();
    match far > 1e-6 {
        true => ((dx / far, dy / far), far),
        false => ((1.0, 0.0), 0.0),
    }
}

/// How many edges lie between two nodes; one more than the longest way where there is none.
fn distances(nodes: usize, edges: &[(usize, usize)]) -> Vec<Vec<f64>> {
    let mut next = vec![Vec::new(); nodes];
    for &(from, to) in edges {
        next[from].push(to);
        next[to].push(from);
    }
    let mut all = Vec::with_capacity(nodes);
    let mut longest = 0.0;
    for from in 0..nodes {
        let mut known = vec![f64::INFINITY; nodes];
        known[from] = 0.0;
        let mut open = VecDeque::from([from]);
        while let Some(at) = open.pop_front() {
            longest = f64::max(longest, known[at]);
            for &to in &next[at] {
                if known[to].is_infinite() {
                    known[to] = known[at] + 1.0;
                    open.push_back(to);
                }
            }
        }
        all.push(known);
    }
    for distance in all.iter_mut().flatten() {
        *distance = distance.min(longest + 1.0);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::placement;

    fn far(a: (f64, f64), b: (f64, f64)) -> f64 {
        ((a.0 - b.0).powi(2) + (a.1 - b.1).powi(2)).sqrt()
    }

    /// A path lies in a line, and the corners of a square as far apart as they are along its sides, or nearly.
    #[test]
    fn what_is_near_lies_near() {
        let path = placement(4, &[(0, 1), (1, 2), (2, 3)]);
        assert!((far(path[0], path[3]) - 3.0).abs() < 0.1, "{path:?}");
        assert!((far(path[0], path[1]) - 1.0).abs() < 0.1);
        let square = placement(4, &[(0, 1), (1, 2), (2, 3), (0, 3)]);
        assert!(far(square[0], square[2]) > 1.2 * far(square[0], square[1]));
        // Parts that hang together with nothing, and a node alone.
        let parts = placement(3, &[(0, 1)]);
        assert!(far(parts[0], parts[2]) > 1.5 * far(parts[0], parts[1]));
        assert_eq!(placement(1, &[]), [(1.0 / 6.0, 0.0)]);
        assert!(placement(0, &[]).is_empty());
    }
}
