//! Scotland Yard, six seats and 24 rounds: moves are drawn from lists for a station and the fares in hand, and drawn again
//! when a detective stands there. The map is that of the text of the game.

use super::select::below;
use super::{End, Hand};
use rand::{Rng, rngs::Xoshiro256PlusPlus};

const TEXT: &str = include_str!("../../games/scotland-yard.game");
const STARTS: [u8; 18] = [
    13, 26, 29, 34, 50, 53, 91, 94, 103, 112, 117, 132, 138, 141, 155, 174, 197, 198,
];
const ROUNDS: u32 = 24;
const LINES: [&str; 4] = ["taxi", "bus", "underground", "ferry"];
const BLACK: usize = 3;
/// So many draws before the possible ones are listed.
const DRAWS: u32 = 8;

/// A fare and where it takes one. Fares are taxi, bus, underground, black.
#[derive(Copy, Clone)]
struct Ride {
    fare: u8,
    to: u8,
}

pub struct ScotlandYard {
    rides: Vec<Ride>,
    /// By station and set of fares, as in `16 * station + fares`: where in `rides` the list begins, and its length.
    lists: Vec<(u32, u32)>,
}

/// Neighbours of each station by line.
fn map() -> Vec<[Vec<u8>; 4]> {
    let mut near: Vec<[Vec<u8>; 4]> = vec![Default::default(); 200];
    for (line, name) in LINES.iter().enumerate() {
        let (_, rest) = TEXT.split_once(&format!("edges {name} {{")).expect("edges");
        let (list, _) = rest.split_once('}').expect("the end of the edges");
        for row in list.split(';') {
            let (from, to) = row.split_once(':').expect("a row of edges");
            let from: u8 = from.trim().parse().expect("a station");
            for to in to.split_whitespace() {
                let to: u8 = to.parse().expect("a station");
                near[from as usize][line].push(to);
                near[to as usize][line].push(from);
            }
        }
    }
    near
}

impl ScotlandYard {
    pub fn new() -> ScotlandYard {
        let (mut rides, mut lists) = (Vec::new(), Vec::new());
        for near in map() {
            let mut all = near.concat();
            all.sort_unstable();
            all.dedup();
            for fares in 0..16 {
                let from = rides.len();
                for fare in (0..4).filter(|f| fares >> f & 1 == 1) {
                    let to = if fare == BLACK { &all } else { &near[fare] };
                    let fare = fare as u8;
                    rides.extend(to.iter().map(|&to| Ride { fare, to }));
                }
                lists.push((from as u32, (rides.len() - from) as u32));
            }
        }
        ScotlandYard { rides, lists }
    }

    #[inline(always)]
    fn list(&self, piece: &Piece) -> &[Ride] {
        let (from, count) = self.lists[usize::from(piece.at) << 4 | usize::from(piece.fares)];
        &self.rides[from as usize..(from + count) as usize]
    }

    /// One of the rides to a free station; `None` where there is none.
    #[inline(always)]
    fn ride(
        &self,
        piece: &Piece,
        taken: &[bool; 256],
        rng: &mut Xoshiro256PlusPlus,
    ) -> Option<Ride> {
        let list = self.list(piece);
        if list.is_empty() {
            return None;
        }
        for _ in 0..DRAWS {
            let ride = list[below(rng, list.len() as u32) as usize];
            if !taken[usize::from(ride.to)] {
                return Some(ride);
            }
        }
        let free = || list.iter().filter(|r| !taken[usize::from(r.to)]);
        match free().count() as u32 {
            0 => None,
            n => free().nth(below(rng, n) as usize).copied(),
        }
    }
}

#[derive(Copy, Clone)]
struct Piece {
    at: u8,
    tickets: [u8; 4],
    /// The fares with a ticket left.
    fares: u8,
}

impl Piece {
    fn new(at: u8, tickets: [u8; 4]) -> Piece {
        let fares = (0..4).map(|f| u8::from(tickets[f] > 0) << f).sum();
        Piece { at, tickets, fares }
    }

    #[inline(always)]
    fn pay(&mut self, fare: u8) {
        let left = &mut self.tickets[usize::from(fare) & 3];
        *left -= 1;
        self.fares &= !(u8::from(*left == 0) << fare);
    }
}

impl Hand for ScotlandYard {
    fn playout(&mut self, rng: &mut Xoshiro256PlusPlus) -> End {
        let mut starts = STARTS;
        let mut start = |i: u32, rng: &mut Xoshiro256PlusPlus| {
            let j = i + below(rng, 18 - i);
            starts.swap(i as usize, j as usize);
            starts[i as usize]
        };
        let mut taken = [false; 256];
        let mut detectives = [Piece::new(0, [10, 8, 4, 0]); 5];
        for (i, d) in (0..).zip(&mut detectives) {
            d.at = start(i, rng);
            taken[usize::from(d.at)] = true;
        }
        let mut x = Piece::new(start(5, rng), [4, 3, 3, 5]);
        let (mut moves, mut doubles) = (6, 2);
        let end = |caught: bool, moves| End {
            payoff: f64::from(u8::from(!caught)),
            moves,
        };
        for _ in 0..ROUNDS {
            let Some(ride) = self.ride(&x, &taken, rng) else {
                return end(true, moves);
            };
            moves += 1;
            x.at = ride.to;
            x.pay(ride.fare);
            if doubles > 0 && rng.next_u64() >> 63 == 1 {
                doubles -= 1;
            } else {
                for d in &mut detectives {
                    let Some(ride) = self.ride(d, &taken, rng) else {
                        continue;
                    };
                    moves += 1;
                    d.pay(ride.fare);
                    x.tickets[usize::from(ride.fare) & 3] += 1;
                    x.fares |= 1 << ride.fare;
                    taken[usize::from(d.at)] = false;
                    taken[usize::from(ride.to)] = true;
                    d.at = ride.to;
                    if d.at == x.at {
                        return end(true, moves);
                    }
                }
            }
            let free = |d: &Piece| self.list(d).iter().any(|r| !taken[usize::from(r.to)]);
            if !detectives.iter().any(free) {
                break;
            }
        }
        end(false, moves)
    }
}
