//! Maps on a grid: a picture of them in rows of text, and a search for a grid that a graph fits into.

use std::collections::BTreeSet;

type Edges = BTreeSet<(usize, usize)>;

/// Cells row by row, with the vertex that lies in each.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    pub width: usize,
    pub cells: Vec<Option<usize>>,
}

/// The most vertices for which a grid is looked for.
const MOST: usize = 60;
/// So many vertices are put somewhere before a grid of one size is given up.
const TRIALS: usize = 200_000;

impl Grid {
    /// A grid in which all that is joined lies beside or below one another, as nearly square as one is found, if one is.
    pub fn of(vertices: usize, edges: &Edges) -> Option<Grid> {
        let mut next = vec![Vec::new(); vertices];
        for &(a, b) in edges {
            next[a].push(b);
            next[b].push(a);
        }
        if vertices > MOST || next.iter().any(|near| near.len() > 4) {
            return None;
        }
        let order = order(&next);
        let side = (1..).find(|side| side * side >= vertices)?;
        let mut sizes: Vec<(usize, usize)> = (1..=side + 2)
            .flat_map(|width| (1..=width).map(move |length| (width, length)))
            .filter(|(width, length)| width * length >= vertices)
            .collect();
        sizes.sort_by_key(|&(width, length)| (width, width * length));
        sizes.into_iter().find_map(|(width, length)| {
            let mut search = Search {
                next: &next,
                order: &order,
                width,
                cells: vec![None; width * length],
                places: vec![None; vertices],
                trials: TRIALS,
            };
            search.fill(0).then_some(Grid {
                width,
                cells: search.cells,
            })
        })
    }

    /// The rows of a picture, with the numbers of vertices and lines between those that are joined.
    pub fn picture(&self, edges: &Edges) -> Vec<String> {
        let most = self.cells.iter().flatten().max();
        let digits = most.map_or(1, |vertex| vertex.to_string().len());
        let joined =
            |a: usize, b: Option<usize>| match (self.cells[a], b.and_then(|b| self.cells[b])) {
                (Some(a), Some(b)) => edges.contains(&(a.min(b), a.max(b))),
                _ => false,
            };
        let length = self.cells.len() / self.width;
        let mut rows = Vec::new();
        for y in 0..length {
            let (mut row, mut below) = (String::new(), String::new());
            for x in 0..self.width {
                let cell = y * self.width + x;
                let name = self.cells[cell].map(|vertex| vertex.to_string());
                row.push_str(&format!("{:>digits$}", name.unwrap_or_default()));
                let under = (y + 1 < length).then_some(cell + self.width);
                let down = if joined(cell, under) { "|" } else { "" };
                below.push_str(&format!("{down:>digits$}"));
                if x + 1 < self.width {
                    let right = joined(cell, Some(cell + 1));
                    row.push_str(if right { " --- " } else { "     " });
                    below.push_str("     ");
                }
            }
            rows.push(row.trim_end().to_string());
            if y + 1 < length {
                rows.push(below.trim_end().to_string());
            }
        }
        rows
    }
}

/// The vertices, each next one with as many neighbours before it as can be.
fn order(next: &[Vec<usize>]) -> Vec<usize> {
    let mut order: Vec<usize> = Vec::with_capacity(next.len());
    while order.len() < next.len() {
        let known = |v: &usize| next[*v].iter().filter(|near| order.contains(near)).count();
        let others = (0..next.len()).rev().filter(|v| !order.contains(v));
        order.extend(others.max_by_key(|v| (known(v), next[*v].len())));
    }
    order
}

struct Search<'g> {
    next: &'g [Vec<usize>],
    order: &'g [usize],
    width: usize,
    cells: Vec<Option<usize>>,
    places: Vec<Option<usize>>,
    trials: usize,
}

impl Search<'_> {
    /// The cells beside a cell, above and below it.
    fn beside(&self, cell: usize) -> Vec<usize> {
        let (x, width) = (cell % self.width, self.width);
        [
            (x > 0).then(|| cell - 1),
            (x + 1 < width).then_some(cell + 1),
            (cell >= width).then(|| cell - width),
            (cell + width < self.cells.len()).then_some(cell + width),
        ]
        .into_iter()
        .flatten()
        .collect()
    }

    /// Whether a place is still free for each neighbour that has none.
    fn has_room(&self, vertex: usize, cell: usize) -> bool {
        let left = self.next[vertex]
            .iter()
            .filter(|near| self.places[**near].is_none());
        let free = self
            .beside(cell)
            .into_iter()
            .filter(|cell| self.cells[*cell].is_none());
        left.count() <= free.count()
    }

    /// Puts the vertices from the given one on, in their order.
    fn fill(&mut self, from: usize) -> bool {
        let Some(&vertex) = self.order.get(from) else {
            return true;
        };
        let near: Vec<usize> = self.next[vertex]
            .iter()
            .filter_map(|v| self.places[*v])
            .collect();
        let cells = match near.first() {
            Some(cell) => self.beside(*cell),
            None => (0..self.cells.len()).collect(),
        };
        for cell in cells {
            if self.cells[cell].is_some() {
                continue;
            }
            if self.trials == 0 {
                return false;
            }
            self.trials -= 1;
            let beside = self.beside(cell);
            if !near.iter().all(|other| beside.contains(other)) {
                continue;
            }
            self.cells[cell] = Some(vertex);
            self.places[vertex] = Some(cell);
            let sound = beside
                .iter()
                .chain([&cell])
                .all(|c| self.cells[*c].is_none_or(|v| self.has_room(v, *c)));
            if sound && self.fill(from + 1) {
                return true;
            }
            self.cells[cell] = None;
            self.places[vertex] = None;
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_graph_of_a_grid_is_drawn_as_one() {
        // A square with a tail: 2 – 0 – 1, 0 – 3, 1 – 4, 3 – 4.
        let edges = Edges::from([(0, 1), (0, 2), (0, 3), (1, 4), (3, 4)]);
        let grid = Grid::of(5, &edges).unwrap();
        let rows = grid.picture(&edges);
        let lines = rows.concat().matches("---").count() + rows.concat().matches('|').count();
        assert_eq!((grid.width, lines), (3, 5), "{rows:#?}");
    }

    #[test]
    fn what_is_no_part_of_a_grid_is_not_drawn() {
        assert_eq!(Grid::of(3, &Edges::from([(0, 1), (0, 2), (1, 2)])), None);
        assert_eq!(Grid::of(6, &(1..6).map(|v| (0, v)).collect()), None);
    }

    #[test]
    fn parts_that_are_not_joined_lie_side_by_side() {
        let edges = Edges::from([(0, 1), (2, 3)]);
        assert_eq!(
            Grid::of(4, &edges)
                .unwrap()
                .picture(&edges)
                .concat()
                .matches("---")
                .count(),
            2
        );
    }
}
