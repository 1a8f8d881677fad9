//! Connect four on 7 × 6 cells: a column in 7 bits of a word, of which the highest stays empty, and rows by shifts.

use super::select::{Fraction, IN_BYTE};
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

impl Hand for ConnectFour {
    fn playout(&mut self, rng: &mut Xoshiro256PlusPlus) -> End {
        let mut discs = [0u64; 2];
        let mut height = [0u8; 8];
        let (mut open, mut columns) = (0b111_1111usize, 7);
        let mut random = Fraction::new(rng);
        for ply in 0..42usize {
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
