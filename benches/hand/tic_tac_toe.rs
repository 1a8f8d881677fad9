//! Tic-tac-toe: a random order of the squares without branches, and where it first makes a row.

use super::select::Fraction;
use super::{End, Hand};
use rand::rngs::Xoshiro256PlusPlus;

pub struct TicTacToe {
    /// For each set of squares whether it has a row: 1 or 0.
    row: Box<[u8; 512]>,
}

const ROWS: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

impl TicTacToe {
    pub fn new() -> TicTacToe {
        let mut row = Box::new([0; 512]);
        for (marks, row) in (0u16..).zip(row.iter_mut()) {
            *row = u8::from(ROWS.iter().any(|r| marks & r == *r));
        }
        TicTacToe { row }
    }
}

/// Takes the j-th of `n` digits of 4 bits, and puts the last into its place.
#[inline(always)]
fn take(digits: &mut u64, j: u32, n: u32) -> u32 {
    let taken = *digits >> (4 * j) & 15;
    let last = *digits >> (4 * (n - 1)) & 15;
    *digits ^= (taken ^ last) << (4 * j);
    taken as u32
}

impl Hand for TicTacToe {
    fn playout(&mut self, rng: &mut Xoshiro256PlusPlus) -> End {
        let mut random = Fraction::new(rng);
        let mut squares = 0x8_7654_3210;
        let mut marks = [0usize; 2];
        // A bit for each ply, set where the one who moved has a row, and one beyond the last.
        let mut won = 1 << 9;
        for ply in 0..9u32 {
            let n = 9 - ply;
            let square = take(&mut squares, random.below(n), n);
            let mine = &mut marks[ply as usize & 1];
            *mine |= 1 << square;
            won |= u32::from(self.row[*mine & 511]) << ply;
        }
        let last = won.trailing_zeros();
        let payoff = if last == 9 {
            0.0
        } else {
            1.0 - 2.0 * f64::from(last & 1)
        };
        End {
            payoff,
            moves: (last + 1).min(9),
        }
    }
}
