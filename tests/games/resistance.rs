//! The Resistance: histories by their length, from the numbers of crews, votes and cards.

use crate::support::load;
use ruse::internal::solve::{PerftOptions, perft};
use std::sync::atomic::AtomicBool;

/// The table of the rule book: spies, the crews of the five missions, and the cards that make the fourth fail.
const TABLE: [(u64, u64, [u64; 5], u64); 6] = [
    (5, 2, [2, 3, 2, 3, 3], 1),
    (6, 2, [2, 3, 4, 3, 4], 1),
    (7, 3, [2, 3, 3, 4, 4], 2),
    (8, 3, [3, 4, 4, 5, 5], 2),
    (9, 3, [3, 4, 4, 5, 5], 2),
    (10, 4, [3, 4, 4, 5, 5], 2),
];

fn choose(n: u64, k: u64) -> u64 {
    (1..=k).fold(1, |product, i| product * (n + 1 - i) / i)
}

struct Table {
    players: u64,
    spies: u64,
    crews: [u64; 5],
    enough: u64,
    by_length: Vec<u64>,
    terminals: Vec<u64>,
}

#[derive(Copy, Clone)]
struct Score {
    mission: usize,
    rejected: u64,
    failed: u64,
    done: u64,
}

impl Table {
    /// So many histories of this length at which a crew is to be named, or which are at their end.
    fn name(&mut self, score: Score, length: usize, times: u64) {
        if length >= self.by_length.len() {
            return;
        }
        self.by_length[length] += times;
        if score.rejected == 5 || score.failed == 3 || score.done == 3 {
            self.terminals[length] += times;
            return;
        }
        let size = self.crews[score.mission];
        self.note(length + 1, times * choose(self.players, size));
        let against = (0..=self.players / 2)
            .map(|n| choose(self.players, n))
            .sum::<u64>();
        let again = Score {
            rejected: score.rejected + 1,
            ..score
        };
        self.name(
            again,
            length + 2,
            times * choose(self.players, size) * against,
        );
        let votes = 2u64.pow(self.players as u32) - against;
        for spies in 0..=size.min(self.spies) {
            if size - spies > self.players - self.spies {
                continue;
            }
            let crews = choose(self.spies, spies) * choose(self.players - self.spies, size - spies);
            let going = times * crews * votes;
            self.note(length + 2, going);
            for cards in 0..=spies {
                let enough = if score.mission == 3 { self.enough } else { 1 };
                let failed = u64::from(cards >= enough);
                let next = Score {
                    mission: score.mission + 1,
                    rejected: 0,
                    failed: score.failed + failed,
                    done: score.done + 1 - failed,
                };
                self.name(next, length + 3, going * choose(spies, cards));
            }
        }
    }

    fn note(&mut self, length: usize, times: u64) {
        if let Some(n) = self.by_length.get_mut(length) {
            *n += times;
        }
    }
}

fn agree(players: u64, depth: usize) {
    let (_, spies, crews, enough) = *TABLE.iter().find(|row| row.0 == players).expect("a row");
    let mut table = Table {
        players,
        spies,
        crews,
        enough,
        by_length: vec![0; depth + 1],
        terminals: vec![0; depth + 1],
    };
    let score = Score {
        mission: 0,
        rejected: 0,
        failed: 0,
        done: 0,
    };
    table.note(0, 1);
    table.note(1, choose(players, spies));
    table.name(score, 2, choose(players, spies) * players);

    let machine = load("resistance", &[("seats", &players.to_string())]);
    let options = PerftOptions {
        depth: Some(depth),
        ..PerftOptions::default()
    };
    let found = perft(&machine, &options, &mut |_| {}, &AtomicBool::new(false)).expect("counts");
    assert_eq!(found.nodes_by_depth, table.by_length, "{players} players");
    assert_eq!(
        found.terminals_by_depth, table.terminals,
        "{players} players"
    );
}

#[test]
fn as_many_histories_as_crews_votes_and_cards_allow() {
    for (players, depth) in [(5, 5), (6, 5), (7, 4), (8, 4), (9, 3), (10, 3)] {
        agree(players, depth);
    }
}
