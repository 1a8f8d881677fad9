//! Small games of stratego, counted a second time on an array of cells.

use crate::support::variant_of;
use ruse::internal::solve::{PerftOptions, perft};
use std::sync::atomic::AtomicBool;

/// The places of ranks in their order.
const FLAG: usize = 0;
const BOMB: usize = 1;
const SPY: usize = 2;
const SCOUT: usize = 3;
const MINER: usize = 4;
const MARSHAL: usize = 11;

#[derive(Clone, Copy, PartialEq)]
enum Cell {
    Free,
    Lake,
    Piece(usize, usize),
}

#[derive(Clone)]
struct Game {
    columns: i32,
    rows: i32,
    cells: Vec<Cell>,
}

struct Counted {
    depth: usize,
    nodes: Vec<u64>,
    ends: Vec<u64>,
}

impl Game {
    fn get(&self, x: i32, y: i32) -> Option<Cell> {
        let inside = (0..self.columns).contains(&x) && (0..self.rows).contains(&y);
        inside.then(|| self.cells[(y * self.columns + x) as usize])
    }

    fn set(&mut self, (x, y): (i32, i32), cell: Cell) {
        self.cells[(y * self.columns + x) as usize] = cell;
    }

    fn moves(&self, me: usize) -> Vec<((i32, i32), (i32, i32))> {
        let mut found = Vec::new();
        for y in 0..self.rows {
            for x in 0..self.columns {
                let Some(Cell::Piece(owner, rank)) = self.get(x, y) else {
                    continue;
                };
                if owner != me || rank == FLAG || rank == BOMB {
                    continue;
                }
                let reach = if rank == SCOUT {
                    self.columns.max(self.rows)
                } else {
                    1
                };
                for (dx, dy) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
                    for n in 1..=reach {
                        let to = (x + n * dx, y + n * dy);
                        match self.get(to.0, to.1) {
                            Some(Cell::Free) => found.push(((x, y), to)),
                            Some(Cell::Piece(other, _)) if other != me => {
                                found.push(((x, y), to));
                                break;
                            }
                            _ => break,
                        }
                    }
                }
            }
        }
        found
    }

    /// One side's pieces on the rest of its cells, in every way; then the other side's; then moves.
    fn set_up(
        &self,
        me: usize,
        cells: &[Vec<(i32, i32)>],
        left: [&[usize]; 2],
        ply: usize,
        counted: &mut Counted,
    ) {
        let Some((cell, rest)) = cells.get(me).and_then(|c| c.split_first()) else {
            return match me {
                0 => self.set_up(1, cells, left, ply, counted),
                _ => self.turn(0, ply, counted),
            };
        };
        counted.nodes[ply] += 1;
        if ply == counted.depth {
            return;
        }
        let mut ranks = left[me].to_vec();
        ranks.dedup();
        for rank in ranks {
            let mut fewer = left[me].to_vec();
            fewer.remove(fewer.iter().position(|r| *r == rank).expect("a rank"));
            let mut next = self.clone();
            next.set(*cell, Cell::Piece(me, rank));
            let mut cells = cells.to_vec();
            cells[me] = rest.to_vec();
            let left = if me == 0 {
                [&*fewer, left[1]]
            } else {
                [left[0], &*fewer]
            };
            next.set_up(me, &cells, left, ply + 1, counted);
        }
    }

    fn turn(&self, me: usize, ply: usize, counted: &mut Counted) {
        counted.nodes[ply] += 1;
        let moves = self.moves(me);
        if moves.is_empty() {
            counted.ends[ply] += 1;
        }
        if ply == counted.depth {
            return;
        }
        for (from, to) in moves {
            let Some(Cell::Piece(_, mine)) = self.get(from.0, from.1) else {
                unreachable!("a piece moves");
            };
            let mut next = self.clone();
            next.set(from, Cell::Free);
            let left = match self.get(to.0, to.1) {
                Some(Cell::Piece(_, FLAG)) => {
                    counted.nodes[ply + 1] += 1;
                    counted.ends[ply + 1] += 1;
                    continue;
                }
                Some(Cell::Piece(owner, other)) => match (mine, other) {
                    (MINER, BOMB) | (SPY, MARSHAL) => Cell::Piece(me, mine),
                    (_, BOMB) => Cell::Piece(owner, other),
                    _ if mine == other => Cell::Free,
                    _ if mine > other => Cell::Piece(me, mine),
                    _ => Cell::Piece(owner, other),
                },
                _ => Cell::Piece(me, mine),
            };
            next.set(to, left);
            next.turn(1 - me, ply + 1, counted);
        }
    }
}

/// A board of three by four with a lake, a row of pieces on each side, and moves to a depth.
fn agree(ranks: [(&str, usize); 3], depth: usize) {
    let names = ranks.map(|(name, _)| format!("{name}: 1")).join(", ");
    let items = format!(
        "grid Board(3, 4)
         const lakes : set of Board = {{ b2 }}
         const camp : [Player] set of Board = {{ Red: Board.row(1), Blue: Board.row(4) }}
         const pieces : [Rank] 0..8 = {{ {names}, else: 0 }}"
    );
    let options = PerftOptions {
        depth: Some(depth),
        ..PerftOptions::default()
    };
    let machine = variant_of("stratego", &items);
    let found = perft(&machine, &options, &mut |_| {}, &AtomicBool::new(false)).expect("perft");
    let mut game = Game {
        columns: 3,
        rows: 4,
        cells: vec![Cell::Free; 12],
    };
    game.set((1, 1), Cell::Lake);
    let camps: Vec<Vec<(i32, i32)>> = [0, 3].map(|y| (0..3).map(|x| (x, y)).collect()).into();
    let left = ranks.map(|(_, rank)| rank);
    let mut counted = Counted {
        depth,
        nodes: vec![0; depth + 1],
        ends: vec![0; depth + 1],
    };
    game.set_up(0, &camps, [&left, &left], 0, &mut counted);
    assert_eq!(found.nodes_by_depth, counted.nodes, "{names}");
    assert_eq!(found.terminals_by_depth, counted.ends, "{names}");
}

#[test]
fn small_games_are_counted_alike() {
    agree([("flag", FLAG), ("scout", SCOUT), ("miner", MINER)], 12);
    agree([("flag", FLAG), ("bomb", BOMB), ("miner", MINER)], 14);
    agree([("bomb", BOMB), ("spy", SPY), ("marshal", MARSHAL)], 12);
}
