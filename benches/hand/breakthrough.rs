//! Breakthrough on 8 × 8 cells: a mask of targets for each direction, and one bit of the three. Both sides move as if
//! they were the lower one; the board is turned upside down after every move.

use super::select::{Sums, below};
use super::{End, Hand};
use rand::rngs::Xoshiro256PlusPlus;

pub struct Breakthrough;

impl Breakthrough {
    pub fn new() -> Breakthrough {
        Breakthrough
    }
}

const LEFT: u64 = 0x0101_0101_0101_0101;
const RIGHT: u64 = LEFT << 7;
const TOP: u64 = 0xff << 56;

impl Hand for Breakthrough {
    fn playout(&mut self, rng: &mut Xoshiro256PlusPlus) -> End {
        let (mut mine, mut other) = (0xffff_u64, 0xffff_u64 << 48);
        let mut moves = 0;
        loop {
            moves += 1;
            let targets = [
                mine << 8 & !(mine | other),
                (mine & !LEFT) << 7 & !mine,
                (mine & !RIGHT) << 9 & !mine,
            ];
            let sums = targets.map(Sums::of);
            let (ahead, left) = (sums[0].total(), sums[1].total());
            let mut k = below(rng, ahead + left + sums[2].total());
            // Without branches, for the direction is as good as random.
            let past_ahead = u32::from(k >= ahead);
            let past_left = u32::from(k >= ahead + left);
            k -= past_ahead * ahead + past_left * left;
            let way = (past_ahead + past_left) as usize;
            let to = sums[way].select(targets[way], k);
            let from = to - [8, 7, 9][way];
            mine ^= 1 << from | 1 << to;
            other &= !(1 << to);
            if mine & TOP != 0 || other == 0 {
                return End {
                    payoff: if moves % 2 == 1 { 1.0 } else { -1.0 },
                    moves,
                };
            }
            (mine, other) = (other.swap_bytes(), mine.swap_bytes());
        }
    }
}
