//! Goofspiel with 13 cards: hands and prizes as digits of 4 bits in one word, from which cards are taken at random.

use super::select::Fraction;
use super::{End, Hand};
use rand::rngs::Xoshiro256PlusPlus;

pub struct Goofspiel;

const CARDS: u32 = 13;
const ALL: u64 = 0xd_cba9_8765_4321;

/// Takes the j-th of `n` digits, and puts the last into its place.
#[inline(always)]
fn take(digits: &mut u64, j: u32, n: u32) -> i32 {
    let taken = *digits >> (4 * j) & 15;
    let last = *digits >> (4 * (n - 1)) & 15;
    *digits ^= (taken ^ last) << (4 * j);
    taken as i32
}

/// By how much the first player is ahead when `n` rounds more were played at random, with these prizes and hands.
#[allow(dead_code, reason = "the search by hand plays on with it")]
#[inline]
pub fn play_on(cards: [u64; 3], n: u32, mut lead: i32, rng: &mut Xoshiro256PlusPlus) -> i32 {
    let mut random = [Fraction::new(rng), Fraction::new(rng), Fraction::new(rng)];
    let [mut prizes, mut alice, mut bob] = cards;
    for n in (1..=n).rev() {
        let prize = take(&mut prizes, random[0].below(n), n);
        let a = take(&mut alice, random[1].below(n), n);
        let b = take(&mut bob, random[2].below(n), n);
        lead += prize * (i32::from(a > b) - i32::from(a < b));
    }
    lead
}

impl Hand for Goofspiel {
    fn playout(&mut self, rng: &mut Xoshiro256PlusPlus) -> End {
        // As `play_on`, with a number of rounds that the compiler knows, which is faster by half.
        let mut random = [Fraction::new(rng), Fraction::new(rng), Fraction::new(rng)];
        let (mut prizes, mut alice, mut bob) = (ALL, ALL, ALL);
        let mut lead = 0;
        for n in (1..=CARDS).rev() {
            let prize = take(&mut prizes, random[0].below(n), n);
            let a = take(&mut alice, random[1].below(n), n);
            let b = take(&mut bob, random[2].below(n), n);
            lead += prize * (i32::from(a > b) - i32::from(a < b));
        }
        End {
            payoff: 0.5 + 0.5 * f64::from(lead.signum()),
            moves: 3 * CARDS,
        }
    }
}
