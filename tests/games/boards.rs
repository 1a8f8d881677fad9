//! Amazons and gomoku against rules written a second time, on arrays of cells.

use crate::support::{load, movers, random_step};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::internal::machine::Turn;
use ruse::internal::solve::{PerftOptions, perft};
use std::sync::atomic::AtomicBool;

const EMPTY: u8 = 0;
const TAKEN: u8 = 3;
const DIRECTIONS: [(i32, i32); 8] = [
    (0, 1),
    (1, 1),
    (1, 0),
    (1, -1),
    (0, -1),
    (-1, -1),
    (-1, 0),
    (-1, 1),
];

/// A square board: 0 is empty, 1 and 2 are the sides, 3 is nobody's.
#[derive(Clone)]
struct Cells {
    size: i32,
    at: Vec<u8>,
}

impl Cells {
    fn empty(size: i32) -> Cells {
        let at = vec![EMPTY; (size * size) as usize];
        Cells { size, at }
    }

    fn inside(&self, x: i32, y: i32) -> bool {
        (0..self.size).contains(&x) && (0..self.size).contains(&y)
    }

    fn get(&self, x: i32, y: i32) -> Option<u8> {
        self.inside(x, y)
            .then(|| self.at[(y * self.size + x) as usize])
    }

    fn set(&mut self, (x, y): (i32, i32), what: u8) {
        self.at[(y * self.size + x) as usize] = what;
    }

    fn all(&self) -> impl Iterator<Item = (i32, i32)> + use<> {
        let size = self.size;
        (0..size).flat_map(move |y| (0..size).map(move |x| (x, y)))
    }

    /// Where a chess queen could go from here.
    fn sight(&self, (x, y): (i32, i32)) -> Vec<(i32, i32)> {
        let mut seen = Vec::new();
        for (dx, dy) in DIRECTIONS {
            let mut to = (x + dx, y + dy);
            while self.get(to.0, to.1) == Some(EMPTY) {
                seen.push(to);
                to = (to.0 + dx, to.1 + dy);
            }
        }
        seen
    }

    /// Histories and ends by depth, with moves of a queen and an arrow.
    fn count(&self, me: u8, depth: usize, nodes: &mut [u64], ends: &mut [u64], ply: usize) {
        nodes[ply] += 1;
        let mut moves = 0;
        for from in self.all().filter(|c| self.get(c.0, c.1) == Some(me)) {
            for to in self.sight(from) {
                let mut moved = self.clone();
                moved.set(from, EMPTY);
                moved.set(to, me);
                for arrow in moved.sight(to) {
                    moves += 1;
                    if ply < depth {
                        let mut next = moved.clone();
                        next.set(arrow, TAKEN);
                        next.count(3 - me, depth, nodes, ends, ply + 1);
                    }
                }
            }
        }
        ends[ply] += u64::from(moves == 0);
    }

    /// The lengths of the rows that a stone is part of.
    fn rows(&self, x: i32, y: i32) -> [usize; 4] {
        let mine = self.get(x, y);
        let along = |(dx, dy): (i32, i32)| {
            (1..)
                .take_while(|i| self.get(x + i * dx, y + i * dy) == mine)
                .count()
        };
        [0, 1, 2, 3].map(|d| 1 + along(DIRECTIONS[d]) + along(DIRECTIONS[d + 4]))
    }
}

/// The published counts of the first moves on the large board are in `reference.yaml`.
#[test]
fn queens_and_arrows_are_counted_alike() {
    for (size, depth) in [(4, 3), (5, 2), (6, 2), (7, 1)] {
        let mut start = Cells::empty(size);
        let third = (size - 1) / 3;
        let far = size - 1 - third;
        for (x, y) in [(third, 0), (far, 0), (0, third), (size - 1, third)] {
            start.set((x, y), 1);
            start.set((x, size - 1 - y), 2);
        }
        let mut nodes = vec![0; depth + 1];
        let mut ends = vec![0; depth + 1];
        start.count(1, depth, &mut nodes, &mut ends, 0);
        let machine = load("amazons", &[("size", &size.to_string())]);
        let options = PerftOptions {
            depth: Some(depth),
            ..PerftOptions::default()
        };
        let found = perft(&machine, &options, &mut |_| {}, &AtomicBool::new(false)).expect("perft");
        assert_eq!(found.nodes_by_depth, nodes, "size {size}");
        assert_eq!(found.terminals_by_depth, ends, "size {size}");
    }
}

/// Random games are over exactly when a second look at the rows says so, and the right side has won.
#[test]
fn rows_are_judged_alike() {
    for (size, length, longer) in [(5, 3, "wins"), (5, 3, "counts_not"), (6, 4, "counts_not")] {
        let settings = [
            ("size", size.to_string()),
            ("length", length.to_string()),
            ("longer", longer.to_string()),
        ];
        let settings = settings.each_ref().map(|(k, v)| (*k, v.as_str()));
        let machine = load("gomoku", &settings);
        let mut overlines = 0;
        for seed in 0..300 {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut state = machine.initial().expect("a first move");
            let mut cells = Cells::empty(size);
            for ply in 0..size * size {
                let me = movers(&machine, &state)[0];
                assert_eq!(me, ply as usize % 2);
                let actions = random_step(&machine, &state, &mut rng).expect("a move");
                let text = machine.action_text(&state, me, &actions[0], None);
                let (x, y) = (text.as_bytes()[0] - b'a', text.as_bytes()[1] - b'1');
                let (x, y) = (i32::from(x), i32::from(y));
                assert_eq!(cells.get(x, y), Some(EMPTY));
                cells.set((x, y), me as u8 + 1);
                machine.step(&mut state, &actions).expect("a step");
                let rows = cells.rows(x, y);
                let won = match longer {
                    "wins" => rows.iter().any(|n| *n >= length),
                    _ => rows.contains(&length),
                };
                overlines += usize::from(!won && rows.iter().any(|n| *n > length));
                let over = won || ply + 1 == size * size;
                assert_eq!(machine.turn(&state) == Turn::Terminal, over);
                if over {
                    let mine = f64::from(u8::from(won));
                    let payoffs = machine.payoffs(&state).expect("payoffs");
                    assert_eq!(payoffs[me], mine);
                    break;
                }
            }
        }
        assert_eq!(overlines > 0, longer == "counts_not", "{overlines}");
    }
}
