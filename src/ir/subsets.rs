//! Subsets of a set with a fixed number of elements: how many there are, the k-th, the next one.
//!
//! Subsets of one size come in the order of sets, by the greatest element that only one of two has: {0, 1}, {0, 2},
//! {1, 2}, {0, 3}.

use super::select::nth_element;
use crate::model::types::bits;
use smallvec::SmallVec;

/// A set of more than a word or two is rare.
pub(crate) type Words = SmallVec<[u64; 4]>;

/// Of sets with so many elements it is looked up how many subsets there are: a draw of a hand asks for every card.
const LOOKED_UP: usize = 127;

/// Pascal's triangle: for each `k` and `n` how many subsets with `k` elements a set of `n` has; `u64::MAX` for what does not fit.
static TRIANGLE: [[u64; LOOKED_UP + 1]; LOOKED_UP + 1] = triangle();

const fn triangle() -> [[u64; LOOKED_UP + 1]; LOOKED_UP + 1] {
    let mut columns = [[0u64; LOOKED_UP + 1]; LOOKED_UP + 1];
    columns[0] = [1; LOOKED_UP + 1];
    let mut k = 1;
    while k <= LOOKED_UP {
        let mut n = k;
        while n <= LOOKED_UP {
            columns[k][n] = columns[k][n - 1].saturating_add(columns[k - 1][n - 1]);
            n += 1;
        }
        k += 1;
    }
    columns
}

/// How many subsets with `k` elements a set of `n` has; `u64::MAX` where that does not fit.
#[inline]
pub(crate) fn choose(n: u64, k: u64) -> u64 {
    if k > n {
        return 0;
    }
    match n <= LOOKED_UP as u64 {
        true => TRIANGLE[k as usize][n as usize],
        false => multiplied(n, k.min(n - k)),
    }
}

/// The same, by its factors; `k` is at most half of `n`.
fn multiplied(n: u64, k: u64) -> u64 {
    let mut result = 1u128;
    for i in 0..k {
        result = result * u128::from(n - i) / u128::from(i + 1);
        if result >= u128::from(u64::MAX) {
            return u64::MAX;
        }
    }
    result as u64
}

/// The subset with `k` elements that has `rank` others before it; `rank` is below [`choose`].
pub(crate) fn nth_subset(set: &[u64], mut k: u64, mut rank: u64) -> Words {
    if let [word] = set {
        return smallvec::smallvec![nth_in_word(*word, k, rank)];
    }
    let mut words: Words = SmallVec::from_elem(0, set.len());
    let mut below: u64 = set.iter().map(|word| u64::from(word.count_ones())).sum();
    while k > 0 && below > 0 {
        below = greatest(below, k, rank);
        if let Some(e) = nth_element(set, below) {
            insert(&mut words, e);
        }
        // So many subsets have only elements below this one.
        rank = rank.saturating_sub(choose(below, k));
        k -= 1;
    }
    words
}

/// The same of a set of one word.
#[inline]
pub(crate) fn nth_in_word(set: u64, k: u64, mut rank: u64) -> u64 {
    let mut rest = set;
    let mut k = k.min(u64::from(set.count_ones())) as usize;
    let mut n = set.count_ones() as usize;
    let mut subset = 0;
    while k > 0 {
        n -= 1;
        let greatest = 1 << (63 - rest.leading_zeros());
        rest ^= greatest;
        // So many subsets have only elements below this one.
        let without = TRIANGLE[k][n];
        let with = rank >= without;
        rank -= if with { without } else { 0 };
        subset |= if with { greatest } else { 0 };
        k -= usize::from(with);
    }
    subset
}

/// The greatest number below `n` of elements of which no more than `rank` subsets can be made that have `k`.
fn greatest(n: u64, k: u64, rank: u64) -> u64 {
    if let (true, Some(column)) = (n <= LOOKED_UP as u64, TRIANGLE.get(k as usize)) {
        let fit = column[..n as usize].partition_point(|count| *count <= rank);
        return (fit as u64).saturating_sub(1);
    }
    let (mut low, mut high) = (0, n);
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        match choose(middle, k) <= rank {
            true => low = middle,
            false => high = middle,
        }
    }
    low
}

/// Fills `subset` with the first `k` elements; false where the set has fewer.
pub(crate) fn first_subset(set: &[u64], k: u64, subset: &mut [u64]) -> bool {
    subset.fill(0);
    let mut left = k;
    for e in bits(set) {
        if left == 0 {
            break;
        }
        insert(subset, e);
        left -= 1;
    }
    left == 0
}

/// Turns a subset into the next one of as many elements; false after the last.
pub(crate) fn next_subset(set: &[u64], subset: &mut [u64]) -> bool {
    if let ([set], [subset]) = (set, &mut *subset) {
        return next_in_word(*set, subset);
    }
    let holds = |subset: &[u64], e: u64| subset[(e / 64) as usize] >> (e % 64) & 1 == 1;
    // The first element that can move up does, and all below it go back to the start.
    let mut below = 0;
    for w in 0..subset.len() {
        while subset[w] != 0 {
            let e = 64 * w as u64 + u64::from(subset[w].trailing_zeros());
            subset[w] &= subset[w] - 1;
            match after(set, e) {
                Some(next) if !holds(subset, next) => {
                    insert(subset, next);
                    bits(set)
                        .take(below)
                        .for_each(|first| insert(subset, first));
                    return true;
                }
                _ => below += 1,
            }
        }
    }
    false
}

/// The element of a set that comes next.
fn after(set: &[u64], e: u64) -> Option<u64> {
    let word = (e / 64) as usize;
    let rest = set.get(word)? & (u64::MAX << (e % 64) << 1);
    let later = set.iter().enumerate().skip(word + 1);
    let mut words = std::iter::once((word, rest)).chain(later.map(|(w, set)| (w, *set)));
    let (w, rest) = words.find(|(_, rest)| *rest != 0)?;
    Some(64 * w as u64 + u64::from(rest.trailing_zeros()))
}

/// The same for sets of one word.
fn next_in_word(set: u64, subset: &mut u64) -> bool {
    // Those that cannot move up, since what comes next is there too.
    let mut stuck = 0;
    let mut rest = *subset;
    while rest != 0 {
        let element = rest & rest.wrapping_neg();
        let up_to_it = element | (element - 1);
        let above = set & !up_to_it;
        let next = above & above.wrapping_neg();
        if *subset & next == 0 {
            let mut first = *subset & !up_to_it | next;
            let mut left = set;
            for _ in 0..stuck {
                first |= left & left.wrapping_neg();
                left &= left.wrapping_sub(1);
            }
            *subset = first;
            return next != 0;
        }
        rest ^= element;
        stuck += 1;
    }
    false
}

fn insert(words: &mut [u64], e: u64) {
    words[(e / 64) as usize] |= 1 << (e % 64);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::types::compare_sets;

    #[test]
    fn subsets_are_counted() {
        // Pascal's triangle, and the number of bridge hands.
        assert_eq!(choose(5, 0), 1);
        assert_eq!(choose(5, 2), 10);
        assert_eq!(choose(5, 6), 0);
        assert_eq!(choose(52, 13), 635_013_559_600);
        assert_eq!(choose(200, 100), u64::MAX);
        for n in 0..=LOOKED_UP as u64 + 2 {
            for k in 0..=n {
                assert_eq!(choose(n, k), multiplied(n, k.min(n - k)), "{k} of {n}");
            }
        }
    }

    #[test]
    fn more_elements_than_are_looked_up_are_numbered_as_walked() {
        let set = [u64::MAX, u64::MAX - 5, 0b1101_1011];
        let mut subset = [0; 3];
        assert!(first_subset(&set, 2, &mut subset));
        let mut rank = 0;
        loop {
            assert_eq!(nth_subset(&set, 2, rank).as_slice(), subset);
            rank += 1;
            if !next_subset(&set, &mut subset) {
                break;
            }
        }
        assert_eq!(rank, choose(132, 2));
    }

    #[test]
    fn one_word_is_walked_over_as_numbered() {
        for set in [
            0b1011u64,
            1 << 63 | 0b110,
            0xf0f0,
            0x8000_7fff_0000_0000,
            1,
            0,
        ] {
            let n = u64::from(set.count_ones());
            for k in 0..=n {
                let mut subset = [0];
                assert!(first_subset(&[set], k, &mut subset));
                for rank in 0..choose(n, k) {
                    assert_eq!(nth_subset(&[set], k, rank).as_slice(), subset);
                    let more = next_subset(&[set], &mut subset);
                    assert_eq!(more, rank + 1 < choose(n, k), "{k} of {set:b}");
                }
            }
        }
    }

    #[test]
    fn walking_and_numbering_agree() {
        let set = [0b1011, 1 << 5 | 1];
        let expected: [[u64; 3]; 10] = [
            [0, 1, 3],
            [0, 1, 64],
            [0, 3, 64],
            [1, 3, 64],
            [0, 1, 69],
            [0, 3, 69],
            [1, 3, 69],
            [0, 64, 69],
            [1, 64, 69],
            [3, 64, 69],
        ];
        let mut subset = [0, 0];
        assert!(first_subset(&set, 3, &mut subset));
        for (i, elements) in expected.iter().enumerate() {
            assert_eq!(bits(&subset).collect::<Vec<_>>(), elements);
            assert_eq!(nth_subset(&set, 3, i as u64).as_slice(), subset);
            let before = subset;
            assert_eq!(next_subset(&set, &mut subset), i < 9);
            assert!(i == 9 || compare_sets(&before, &subset).is_lt());
        }
        assert!(!first_subset(&set, 6, &mut subset));
        assert!(first_subset(&set, 0, &mut subset));
        assert!(!next_subset(&set, &mut subset));
    }
}
