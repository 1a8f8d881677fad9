//! How the fleets of battleship may lie, counted a second time on cells.

use crate::support::load;
use ruse::internal::solve::{PerftOptions, perft};
use std::sync::atomic::AtomicBool;

/// Where a ship of this length may lie, as sets of cells.
fn berths(columns: usize, rows: usize, length: usize) -> Vec<u64> {
    let cell = |c: usize, r: usize| 1u64 << (r * columns + c);
    let mut found = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            if column + length <= columns {
                found.push((0..length).map(|i| cell(column + i, row)).sum());
            }
            if row + length <= rows && length > 1 {
                found.push((0..length).map(|i| cell(column, row + i)).sum());
            }
        }
    }
    found
}

#[test]
fn ships_are_placed_apart() {
    for (columns, rows) in [(4, 4), (5, 3)] {
        let destroyers = berths(columns, rows, 2);
        let submarines = berths(columns, rows, 3);
        let apart = |a: &u64| submarines.iter().filter(|b| a & *b == 0).count();
        let fleets: usize = destroyers.iter().map(apart).sum();
        let (columns, rows) = (columns.to_string(), rows.to_string());
        let settings = [("columns", &*columns), ("rows", &rows), ("ships", "2")];
        let options = PerftOptions {
            depth: Some(4),
            ..PerftOptions::default()
        };
        let machine = load("battleship", &settings);
        let found = perft(&machine, &options, &mut |_| {}, &AtomicBool::new(false)).expect("perft");
        // Red's destroyer, Blue's, Red's submarine, Blue's.
        assert_eq!(found.nodes_by_depth[4], (fleets * fleets) as u64);
    }
}
