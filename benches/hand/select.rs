//! Random numbers and the k-th bit of a word.

use rand::{Rng, rngs::Xoshiro256PlusPlus};

/// Several small numbers out of one word of 64 random bits: each takes the fraction that the one before left over. With
/// the product of all ranges below 2³⁴ the bias is below 2⁻³⁰.
#[derive(Copy, Clone)]
pub struct Fraction(u64);

impl Fraction {
    #[inline(always)]
    pub fn new(rng: &mut Xoshiro256PlusPlus) -> Fraction {
        Fraction(rng.next_u64())
    }

    #[inline(always)]
    pub fn below(&mut self, n: u32) -> u32 {
        let wide = u128::from(self.0) * u128::from(n);
        self.0 = wide as u64;
        (wide >> 64) as u32
    }
}

/// A number below `n` from 32 random bits; the bias is below n/2³².
#[inline(always)]
pub fn below(rng: &mut Xoshiro256PlusPlus, n: u32) -> u32 {
    (((rng.next_u64() >> 32) * u64::from(n)) >> 32) as u32
}

/// `IN_BYTE[b][k]`: the bit of `b` with `k` bits below it.
pub static IN_BYTE: [[u8; 8]; 256] = in_byte();

const fn in_byte() -> [[u8; 8]; 256] {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut k) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][k] = bit as u8;
                k += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
}

const ONES: u64 = 0x0101_0101_0101_0101;

/// The bits of each byte of a word and of all bytes below it, a byte for each.
#[derive(Copy, Clone)]
pub struct Sums(u64);

impl Sums {
    #[inline(always)]
    pub fn of(word: u64) -> Sums {
        let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
        let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
        Sums(((fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f).wrapping_mul(ONES))
    }

    /// The bits of the whole word, of which there must be fewer than 128 here and at most 64 anyway.
    #[inline(always)]
    pub fn total(self) -> u32 {
        (self.0 >> 56) as u32
    }

    /// The bit of the word with `k` bits below it, for `k < total`.
    #[inline(always)]
    pub fn select(self, word: u64, k: u32) -> u32 {
        // The bytes whose sum is at most k.
        let at_most = (((u64::from(k) * ONES) | (0x80 * ONES)) - self.0) >> 7 & ONES;
        let byte = (at_most.wrapping_mul(ONES) >> 56) as u32;
        let before = (self.0 << 8 >> (byte * 8)) as u32 & 0xff;
        byte * 8
            + u32::from(IN_BYTE[(word >> (byte * 8)) as usize & 0xff][(k - before) as usize & 7])
    }
}
