//! Streams of random numbers: one for every purpose of a run, all from the run's one seed, the same on every machine.

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

/// The generator used throughout, xoshiro256++ (Blackman & Vigna 2021); its numbers do not depend on the platform.
pub type Stream = Xoshiro256PlusPlus;

/// The stream for one purpose, named by numbers such as the game, the seat and the decision. Equal arguments give equal
/// streams, and different ones streams that have nothing to do with each other.
pub fn stream(seed: u64, purpose: &[u64]) -> Stream {
    Stream::seed_from_u64(derive(seed, purpose))
}

/// The seed that belongs to a purpose, for those who derive further streams from it.
pub fn derive(seed: u64, purpose: &[u64]) -> u64 {
    let start = mix(seed, purpose.len() as u64);
    purpose.iter().fold(start, |key, &n| mix(key, n))
}

/// One round of a 64-bit mixer (the finaliser of SplitMix64) over a running value.
pub fn mix(key: u64, value: u64) -> u64 {
    let mut z =
        (key ^ value.wrapping_mul(0xD6E8_FEB8_6659_FD93)).wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

/// The place among weights, none of them negative, on which a point falls, from 0 to their sum. A place without a weight is
/// never that, whatever the rounding.
#[inline]
pub fn place(weights: impl Iterator<Item = f64>, point: f64) -> usize {
    let (mut left, mut last) = (point, 0);
    for (i, weight) in weights.enumerate() {
        if weight > 0.0 {
            if left < weight {
                return i;
            }
            left -= weight;
            last = i;
        }
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;

    #[test]
    fn the_same_purpose_gives_the_same_numbers() {
        let mut a = stream(1, &[2, 3]);
        let mut b = stream(1, &[2, 3]);
        assert_eq!(a.next_u64(), b.next_u64());
    }

    #[test]
    fn another_purpose_gives_other_numbers() {
        let first = |seed, purpose: &[u64]| stream(seed, purpose).next_u64();
        let all = [
            first(1, &[2, 3]),
            first(1, &[3, 2]),
            first(1, &[2]),
            first(1, &[2, 3, 0]),
            first(2, &[2, 3]),
        ];
        for (i, a) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|b| a != b));
        }
    }

    /// A change here changes every result that was ever published with a seed.
    #[test]
    fn the_streams_stay_what_they_are() {
        assert_eq!(stream(0, &[]).next_u64(), FIRST_OF_NOTHING);
        assert_eq!(stream(1, &[2, 3]).next_u64(), FIRST_OF_2_3);
    }

    const FIRST_OF_NOTHING: u64 = 9_579_327_875_526_494_010;
    const FIRST_OF_2_3: u64 = 9_402_611_300_910_683_563;
}
