//! Which bit of a word has so many set bits below it, and which element of a set so many elements.

/// The set bit with `k` set bits below it; 64 and more where there are no more than `k`.
#[inline(always)]
pub(crate) fn select(word: u64, k: u32) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = ONES << 7;
    let twos = word - (word >> 1 & (ONES * 0x55));
    let fours = (twos & (ONES * 0x33)) + (twos >> 2 & (ONES * 0x33));
    // In each byte how many bits are set in it and all below it.
    let upto = ((fours + (fours >> 4)) & (ONES * 0x0f)).wrapping_mul(ONES);
    // The bytes that the bit is above of.
    let below = ((u64::from(k) * ONES) | HIGH).wrapping_sub(upto) & HIGH;
    let shift = (below >> 7).wrapping_mul(ONES) >> 53 & 0x78;
    if shift == 64 {
        return 64;
    }
    let rest = u64::from(k) - ((upto << 8) >> shift & 0xff);
    let byte = word >> shift & 0xff;
    shift + u64::from(IN_BYTE[(byte << 3 | rest & 7) as usize])
}

/// The element of a set with `k` elements before it.
pub(crate) fn nth_element(words: &[u64], mut k: u64) -> Option<u64> {
    for (w, &word) in words.iter().enumerate() {
        let count = u64::from(word.count_ones());
        if k < count {
            return Some(w as u64 * 64 + select(word, k as u32));
        }
        k -= count;
    }
    None
}

/// For each byte and each `k` below 8 the set bit with `k` set bits below it.
static IN_BYTE: [u8; 2048] = in_byte();

const fn in_byte() -> [u8; 2048] {
    let mut table = [0; 2048];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut k) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte << 3 | k] = bit as u8;
                k += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
}

#[cfg(test)]
mod tests {
    use super::{nth_element, select};

    #[test]
    fn bits_are_found_by_how_many_are_below_them() {
        let mut word = 0x9e37_79b9_7f4a_7c15_u64;
        let words = std::iter::repeat_with(|| {
            word ^= word << 13;
            word ^= word >> 7;
            word ^= word << 17;
            word
        });
        let words = words
            .take(500)
            .flat_map(|w| [w, w & w << 1 & w << 3, w | w >> 1]);
        for word in words.chain([0, 1, u64::MAX, 1 << 63, 0xff, 0xff00]) {
            let mut left = word;
            for k in 0..64 {
                assert_eq!(
                    select(word, k),
                    u64::from(left.trailing_zeros()),
                    "{word:x}"
                );
                left &= left.wrapping_sub(1);
            }
        }
    }

    #[test]
    fn elements_are_counted_through_words() {
        let words = [0b1010, 0, 1 << 63];
        assert_eq!(nth_element(&words, 0), Some(1));
        assert_eq!(nth_element(&words, 1), Some(3));
        assert_eq!(nth_element(&words, 2), Some(191));
        assert_eq!(nth_element(&words, 3), None);
    }
}
