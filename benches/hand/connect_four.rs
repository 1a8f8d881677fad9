//! Connect four on 7 × 6 cells: a column in 7 bits of a word, of which the highest stays empty, and rows by shifts.

use super::select::{Fraction, IN_BYTE};
use super::uct::Game;
use super::{End, Hand};
use rand::rngs::Xoshiro256PlusPlus;

pub struct ConnectFour;

impl ConnectFour {
    pub fn new() -> ConnectFour {
        ConnectFour
    }
}

#[inline(always)]
fn four(b: u64) -> bool {
    let (up, side, rise, fall) = (b & b >> 1, b & b >> 7, b & b >> 8, b & b >> 6);
    (up & up >> 2) | (side & side >> 14) | (rise & rise >> 16) | (fall & fall >> 12) != 0
}

impl ConnectFour {
    /// From the discs of both after so many plies, with so many discs in each column.
    #[inline(always)]
    fn play_on(
        mut discs: [u64; 2],
        mut height: [u8; 8],
        plies: usize,
        rng: &mut Xoshiro256PlusPlus,
    ) -> End {
        let columns = (0..7).filter(|&column| height[column] < 6);
        let mut open = columns.fold(0usize, |open, column| open | 1 << column);
        let mut columns = open.count_ones();
        let mut random = Fraction::new(rng);
        for ply in plies..42 {
            if ply % 8 == 0 {
                random = Fraction::new(rng);
            }
            let column = IN_BYTE[open & 127][random.below(columns) as usize & 7] as usize & 7;
            let row = height[column];
            height[column] = row + 1;
            let full = usize::from(row == 5);
            open &= !(full << column);
            columns -= full as u32;
            let mine = &mut discs[ply & 1];
            *mine |= 1 << (column * 7 + row as usize);
            if four(*mine) {
                return End {
                    payoff: if ply % 2 == 0 { 1.0 } else { -1.0 },
                    moves: ply as u32 + 1,
                };
            }
        }
        End {
            payoff: 0.0,
            moves: 42,
        }
    }
}

impl Hand for ConnectFour {
    fn playout(&mut self, rng: &mut Xoshiro256PlusPlus) -> End {
        ConnectFour::play_on([0; 2], [0; 8], 0, rng)
    }
}

/// The discs of both, and how many there are.
#[derive(Copy, Clone)]
pub struct Discs([u64; 2], u32);

impl Game for ConnectFour {
    type Position = Discs;

    fn start(&self) -> Discs {
        Discs([0; 2], 0)
    }

    fn moves(&self, position: &Discs) -> u32 {
        if self.payoff(position).is_some() {
            return 0;
        }
        let all = position.0[0] | position.0[1];
        let open = (0..7).filter(|column| all >> (7 * column + 5) & 1 == 0);
        open.fold(0, |open, column| open | 1 << column)
    }

    fn play(&self, Discs(discs, plies): &mut Discs, to: u32) {
        let all = discs[0] | discs[1];
        let column = 0x3f << (7 * to);
        // The lowest bit that is free.
        discs[*plies as usize & 1] |= (all + (1 << (7 * to))) & column & !all;
        *plies += 1;
    }

    fn payoff(&self, &Discs(discs, plies): &Discs) -> Option<f64> {
        // Only the one who moved last can have made a row.
        let last = (plies as usize + 1) & 1;
        if four(discs[last]) {
            return Some(1.0 - 2.0 * last as f64);
        }
        (plies == 42).then_some(0.0)
    }

    fn plies(&self, &Discs(_, plies): &Discs) -> u32 {
        plies
    }

    fn roll_out(&self, &Discs(discs, plies): &Discs, rng: &mut Xoshiro256PlusPlus) -> f64 {
        let all = discs[0] | discs[1];
        let mut height = [0; 8];
        for (column, height) in (0..7).zip(&mut height) {
            *height = (all >> (7 * column) & 0x7f).count_ones() as u8;
        }
        ConnectFour::play_on(discs, height, plies as usize, rng).payoff
    }
}
