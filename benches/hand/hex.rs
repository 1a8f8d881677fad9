//! Hex on 11 × 11 cells: a random order of the cells, and chains by union and find until one of them joins two sides.

use super::select::{Fraction, below};
use super::{End, Hand};
use rand::rngs::Xoshiro256PlusPlus;

const SIZE: usize = 11;
const CELLS: usize = SIZE * SIZE;
/// With an edge around the board.
const WIDTH: usize = SIZE + 2;

pub struct Hex {
    cells: [u8; CELLS],
    /// The cell above in its chain's tree, or the cell itself.
    up: [u8; 256],
    /// Of the roots: 1 and 2 for the two sides that the owner has to join.
    sides: [u8; 256],
    /// 0: empty; 1, 2: the player's.
    owner: [u8; 256],
}

impl Hex {
    pub fn new() -> Hex {
        let mut cells = [0; CELLS];
        for (i, cell) in cells.iter_mut().enumerate() {
            *cell = ((i / SIZE + 1) * WIDTH + i % SIZE + 1) as u8;
        }
        Hex {
            cells,
            up: [0; 256],
            sides: [0; 256],
            owner: [0; 256],
        }
    }

    #[inline(always)]
    fn root(&mut self, mut cell: u8) -> u8 {
        loop {
            let above = self.up[usize::from(cell)];
            if above == cell {
                return cell;
            }
            let next = self.up[usize::from(above)];
            self.up[usize::from(cell)] = next;
            cell = next;
        }
    }
}

impl Hand for Hex {
    fn playout(&mut self, rng: &mut Xoshiro256PlusPlus) -> End {
        self.owner = [0; 256];
        let mut random = Fraction::new(rng);
        for n in (1..=CELLS).rev() {
            // Four draws of at most 121 out of a word: 2²⁸.
            if n % 4 == 0 {
                random = Fraction::new(rng);
            }
            let j = if n == CELLS {
                below(rng, n as u32)
            } else {
                random.below(n as u32)
            };
            self.cells.swap(j as usize, n - 1);
            let cell = self.cells[n - 1];
            // Red moves first, when the number of empty cells is odd, and joins top and bottom; Blue joins left and right.
            let red = n % 2 == 1;
            let me = 2 - u8::from(red);
            let (row, column) = (usize::from(cell) / WIDTH, usize::from(cell) % WIDTH);
            let across = if red { row } else { column };
            let mut sides = u8::from(across == 1) | u8::from(across == SIZE) << 1;
            self.owner[usize::from(cell)] = me;
            self.up[usize::from(cell)] = cell;
            self.sides[usize::from(cell)] = sides;
            const W: u8 = WIDTH as u8;
            for near in [
                cell.wrapping_sub(W),
                cell.wrapping_sub(W - 1),
                cell.wrapping_sub(1),
                cell.wrapping_add(1),
                cell.wrapping_add(W - 1),
                cell.wrapping_add(W),
            ] {
                if self.owner[usize::from(near)] == me {
                    let root = self.root(near);
                    sides |= self.sides[usize::from(root)];
                    self.up[usize::from(root)] = cell;
                }
            }
            self.sides[usize::from(cell)] = sides;
            if sides == 3 {
                return End {
                    payoff: if red { 1.0 } else { -1.0 },
                    moves: (CELLS - n + 1) as u32,
                };
            }
        }
        unreachable!("one of the two always joins their sides")
    }
}
