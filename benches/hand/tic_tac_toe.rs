//! Tic-tac-toe: a random order of the squares without branches, and where it first makes a row.

use super::select::Fraction;
use super::uct::Game;
use super::{End, Hand};
use rand::rngs::Xoshiro256PlusPlus;

pub struct TicTacToe {
    /// For each set of squares whether it has a row: 1 or 0.
    row: Box<[u8; 512]>,
    /// For each set of squares the others, a digit of 4 bits for each.
    others: Box<[u64; 512]>,
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
        let mut others = Box::new([0; 512]);
        for (marks, digits) in (0u64..).zip(others.iter_mut()) {
            for square in (0..9).rev().filter(|square| marks >> square & 1 == 0) {
                *digits = *digits << 4 | square;
            }
        }
        TicTacToe { row, others }
    }

    /// From the marks of both after so many plies.
    #[inline(always)]
    fn play_on(&self, mut marks: [usize; 2], plies: u32, rng: &mut Xoshiro256PlusPlus) -> End {
        let mut random = Fraction::new(rng);
        let mut squares = self.others[(marks[0] | marks[1]) & 511];
        // A bit for each ply, set where the one who moved has a row, and one beyond the last.
        let mut won = 1 << 9;
        for ply in plies..9 {
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
        self.play_on([0; 2], 0, rng)
    }
}

/// The marks of both, and how many there are.
#[derive(Copy, Clone)]
pub struct Marks([u16; 2], u32);

impl Game for TicTacToe {
    type Position = Marks;

    fn start(&self) -> Marks {
        Marks([0; 2], 0)
    }

    fn moves(&self, position: &Marks) -> u32 {
        let Marks(marks, _) = position;
        let over = self.payoff(position).is_some();
        if over {
            0
        } else {
            u32::from(!(marks[0] | marks[1]) & 511)
        }
    }

    fn play(&self, Marks(marks, plies): &mut Marks, to: u32) {
        marks[*plies as usize & 1] |= 1 << to;
        *plies += 1;
    }

    fn payoff(&self, &Marks(marks, plies): &Marks) -> Option<f64> {
        // Only the one who moved last can have made a row.
        let last = (plies as usize + 1) & 1;
        if self.row[usize::from(marks[last]) & 511] == 1 {
            return Some(1.0 - 2.0 * last as f64);
        }
        (plies == 9).then_some(0.0)
    }

    fn plies(&self, &Marks(_, plies): &Marks) -> u32 {
        plies
    }

    fn roll_out(&self, &Marks(marks, plies): &Marks, rng: &mut Xoshiro256PlusPlus) -> f64 {
        self.play_on(marks.map(usize::from), plies, rng).payoff
    }
}
