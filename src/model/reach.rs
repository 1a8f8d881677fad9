//! What can be reached on a board: plain functions over sets of nodes, for constants here and for play in the interpreter.
//!
//! A set of nodes is words of bits; a node is its ordinal. Which node is next to which comes in as a function.

use crate::model::types::bits;
use smallvec::SmallVec;
use std::collections::VecDeque;

/// A set that is being built.
pub type Words = SmallVec<[u64; 8]>;

/// The nodes next to those of `from`. `next` gives the neighbours of a node as a set.
pub fn neighbours<'t>(from: &[u64], next: impl Fn(u64) -> &'t [u64]) -> Words {
    let mut found: Words = SmallVec::from_elem(0, from.len());
    for node in bits(from) {
        join(&mut found, next(node));
    }
    found
}

/// The nodes next to those of `from`, without those of `from`.
pub fn around<'t>(from: &[u64], next: impl Fn(u64) -> &'t [u64]) -> Words {
    let mut found = neighbours(from, next);
    found.iter_mut().zip(from).for_each(|(w, f)| *w &= !f);
    found
}

/// What can be reached from `from` by steps inside `within`; what of `from` is not in `within` does not count.
pub fn group<'t>(from: &[u64], within: &[u64], next: impl Fn(u64) -> &'t [u64]) -> Words {
    let mut found: Words = from.iter().zip(within).map(|(f, w)| f & w).collect();
    let mut fresh = found.clone();
    let mut more: Words = SmallVec::from_elem(0, from.len());
    while fresh.iter().any(|w| *w != 0) {
        more.fill(0);
        for node in bits(&fresh) {
            join(&mut more, next(node));
        }
        for i in 0..found.len() {
            fresh[i] = more[i] & within[i] & !found[i];
            found[i] |= fresh[i];
        }
    }
    found
}

/// The nodes after `from` in one direction, as long as they are in `within`. `step` gives the node one step on.
pub fn run(from: u64, within: &[u64], step: impl Fn(u64) -> Option<u64>) -> Words {
    let mut found: Words = SmallVec::from_elem(0, within.len());
    let mut at = from;
    // A step that leads back into the run ends it.
    while let Some(next) = step(at) {
        if !contains(within, next) || contains(&found, next) {
            break;
        }
        insert(&mut found, next);
        at = next;
    }
    found
}

/// The unbroken line through `from`, itself included, by steps one way and the other; empty when `from` is not in `within`.
pub fn line(
    from: u64,
    within: &[u64],
    forth: impl Fn(u64) -> Option<u64>,
    back: impl Fn(u64) -> Option<u64>,
) -> Words {
    if !contains(within, from) {
        return SmallVec::from_elem(0, within.len());
    }
    let mut found = run(from, within, forth);
    join(&mut found, &run(from, within, back));
    insert(&mut found, from);
    found
}

/// How many steps each node is from `from`; `None` where no way leads.
pub fn distances(from: usize, next: &[Vec<u32>]) -> Vec<Option<u32>> {
    let mut found = vec![None; next.len()];
    let mut queue = VecDeque::from([(from, 0)]);
    found[from] = Some(0);
    while let Some((node, steps)) = queue.pop_front() {
        for &to in &next[node] {
            let to = to as usize;
            if found[to].is_none() {
                found[to] = Some(steps + 1);
                queue.push_back((to, steps + 1));
            }
        }
    }
    found
}

/// How many bits each distance takes where those of a board of so many nodes are packed. The number of nodes itself,
/// which stands for no way, must fit too.
pub fn distance_bits(nodes: usize) -> u32 {
    if nodes <= 0xff { 8 } else { 16 }
}

/// The distances from a node to all as words, each in so many bits.
pub fn pack(distances: &[Option<u32>], bits: u32) -> Vec<u64> {
    let none = distances.len() as u64;
    let per_word = (64 / bits) as usize;
    distances
        .chunks(per_word)
        .map(|chunk| {
            chunk.iter().rev().fold(0, |word, steps| {
                word << bits | steps.map_or(none, u64::from)
            })
        })
        .collect()
}

/// The distance to a node, from such words.
pub fn unpack(row: &[u64], to: u64, bits: u32) -> Option<u64> {
    let per_word = u64::from(64 / bits);
    let word = row.get((to / per_word) as usize)?;
    Some(word >> (to % per_word * u64::from(bits)) & ((1 << bits) - 1))
}

fn join(set: &mut [u64], other: &[u64]) {
    set.iter_mut().zip(other).for_each(|(s, o)| *s |= o);
}

fn insert(set: &mut [u64], node: u64) {
    if let Some(word) = set.get_mut((node / 64) as usize) {
        *word |= 1 << (node % 64);
    }
}

fn contains(set: &[u64], node: u64) -> bool {
    set.get((node / 64) as usize)
        .is_some_and(|word| word >> (node % 64) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A path 0 – 1 – 2 – 3 with a lone node 4.
    const PATH: [[u64; 1]; 5] = [[0b00010], [0b00101], [0b01010], [0b00100], [0]];

    fn next(node: u64) -> &'static [u64] {
        &PATH[node as usize]
    }

    #[test]
    fn neighbours_of_a_set_leave_the_set_out() {
        assert_eq!(around(&[0b00110], next).as_slice(), [0b01001]);
        assert_eq!(around(&[0b10000], next).as_slice(), [0]);
    }

    #[test]
    fn a_group_ends_where_the_set_does() {
        assert_eq!(group(&[0b00001], &[0b11011], next).as_slice(), [0b00011]);
        assert_eq!(group(&[0b00100], &[0b11011], next).as_slice(), [0]);
        assert_eq!(group(&[0b01001], &[0b11011], next).as_slice(), [0b01011]);
    }

    #[test]
    fn runs_and_lines_end_at_the_first_gap() {
        let up = |n: u64| (n < 4).then_some(n + 1);
        let down = |n: u64| n.checked_sub(1);
        assert_eq!(run(0, &[0b10111], up).as_slice(), [0b00110]);
        assert_eq!(line(1, &[0b10111], up, down).as_slice(), [0b00111]);
        assert_eq!(line(3, &[0b10111], up, down).as_slice(), [0]);
    }

    #[test]
    fn a_run_around_a_ring_ends() {
        assert_eq!(run(0, &[0b111], |n| Some((n + 1) % 3)).as_slice(), [0b111]);
    }

    #[test]
    fn distances_count_steps() {
        let next = vec![vec![1], vec![0, 2], vec![1], vec![]];
        assert_eq!(distances(0, &next), [Some(0), Some(1), Some(2), None]);
    }

    #[test]
    fn packed_distances_come_back() {
        for nodes in [1, 4, 5, 8, 9, 255, 256, 1000] {
            let known: Vec<Option<u32>> = (0..nodes)
                .map(|n| (n % 7 != 3).then_some(n as u32))
                .collect();
            let bits = distance_bits(nodes);
            let row = pack(&known, bits);
            for (to, steps) in known.iter().enumerate() {
                let expected = steps.map_or(nodes as u64, u64::from);
                assert_eq!(unpack(&row, to as u64, bits), Some(expected));
            }
        }
    }
}
