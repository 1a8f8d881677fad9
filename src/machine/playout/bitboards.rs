//! Functions of boards on bitboards: what `check::boards` defines on sets, for boards of few words.

use super::frames::{At, Frame};
use crate::ir::meaning::Trouble;
use crate::ir::{FaultId, Table};

/// The most words of a set of nodes that is walked here.
const MOST_WORDS: u16 = 8;

/// The neighbours of each node of a board.
#[derive(Debug)]
pub(super) enum Board {
    One(Rows<1>),
    Two(Rows<2>),
    Four(Rows<4>),
    Eight(Rows<8>, u16),
}

/// A row of bits for every node that a set of so many words can hold.
#[derive(Debug)]
pub(super) struct Rows<const W: usize>(Vec<[u64; W]>);

impl Board {
    /// `None` where the nodes take too many words.
    pub fn new(table: &Table) -> Option<Board> {
        Some(match table.words {
            1 => Board::One(Rows::new(table)),
            2 => Board::Two(Rows::new(table)),
            4 => Board::Four(Rows::new(table)),
            words @ ..=MOST_WORDS => Board::Eight(Rows::new(table), words),
            _ => return None,
        })
    }

    /// The neighbours of a set.
    #[inline(never)]
    pub fn neighbours(&self, f: &mut Frame, dst: At, a: At) {
        match self {
            Board::One(rows) => rows.neighbours(f, dst, a, 1),
            Board::Two(rows) => rows.neighbours(f, dst, a, 2),
            Board::Four(rows) => rows.neighbours(f, dst, a, 4),
            Board::Eight(rows, words) => rows.neighbours(f, dst, a, *words),
        }
    }

    /// What can be reached from `from` inside `within`.
    #[inline(never)]
    pub fn group(&self, f: &mut Frame, dst: At, from: At, within: At) {
        match self {
            Board::One(rows) => rows.group(f, dst, from, within, 1),
            Board::Two(rows) => rows.group(f, dst, from, within, 2),
            Board::Four(rows) => rows.group(f, dst, from, within, 4),
            Board::Eight(rows, words) => rows.group(f, dst, from, within, *words),
        }
    }
}

impl<const W: usize> Rows<W> {
    fn new(table: &Table) -> Rows<W> {
        let words = usize::from(table.words);
        let mut rows = vec![[0; W]; 64 * W];
        for (row, values) in rows.iter_mut().zip(table.values.chunks(words)) {
            row[..values.len()].copy_from_slice(values);
        }
        Rows(rows)
    }

    #[inline(always)]
    fn neighbours(&self, f: &mut Frame, dst: At, a: At, words: u16) {
        let from = read::<W>(f, a, words);
        let mut found = [0; W];
        for (w, &word) in from.iter().enumerate() {
            let mut rest = word;
            while rest != 0 {
                let row = self.0[w * 64 + rest.trailing_zeros() as usize];
                rest &= rest - 1;
                for (found, row) in found.iter_mut().zip(row) {
                    *found |= row;
                }
            }
        }
        write(f, dst, words, found);
    }

    #[inline(always)]
    fn group(&self, f: &mut Frame, dst: At, from: At, within: At, words: u16) {
        let from = read::<W>(f, from, words);
        // What may still be found, and what was found and not looked at.
        let mut left = read::<W>(f, within, words);
        let mut fresh = [0; W];
        let mut found = [0; W];
        for w in 0..W {
            fresh[w] = from[w] & left[w];
            found[w] = fresh[w];
            left[w] &= !from[w];
        }
        loop {
            let mut node = usize::MAX;
            // The first word that is not empty, without a branch that could be guessed wrong.
            for w in (0..W).rev() {
                let here = w * 64 + fresh[w].trailing_zeros() as usize;
                node = if fresh[w] != 0 { here } else { node };
            }
            let Some(row) = self.0.get(node) else {
                break;
            };
            for w in 0..W {
                let next = row[w] & left[w];
                let taken = if node / 64 == w { 1 << (node % 64) } else { 0 };
                left[w] &= !next;
                found[w] |= next;
                fresh[w] = fresh[w] & !taken | next;
            }
        }
        write(f, dst, words, found);
    }
}

#[inline(always)]
fn read<const W: usize>(f: &Frame, at: At, words: u16) -> [u64; W] {
    let mut set = [0; W];
    for (w, word) in set.iter_mut().enumerate().take(usize::from(words)) {
        *word = f[at.wrapping_add(w as u16) as usize];
    }
    set
}

#[inline(always)]
fn write<const W: usize>(f: &mut Frame, at: At, words: u16, set: [u64; W]) {
    for (w, word) in set.iter().enumerate().take(usize::from(words)) {
        f[at.wrapping_add(w as u16) as usize] = *word;
    }
}

/// The lines of a board of one word, where the cells of each come in the order of their numbers.
#[derive(Debug)]
pub(super) struct Rays {
    ways: u64,
    /// For each cell and way the cells with greater numbers and those with smaller ones.
    sides: Vec<[u64; 2]>,
    /// The cell itself belongs to it, and must be in the set.
    both: bool,
}

/// For each cell and way of a table of steps the cells of the run, or with `both` of the line, with greater numbers and
/// those with smaller ones, as sets of so many words. `None` where the cells of a run do not come in the order of their
/// numbers, or are too many.
pub(super) fn sides(steps: &Table, ways: u32, both: bool, words: usize) -> Option<Vec<u64>> {
    let ways = ways as usize;
    let cells = steps.values.len().checked_div(ways)?;
    if cells > 64 * words || steps.words != 1 || (both && !ways.is_multiple_of(2)) {
        return None;
    }
    // Adds a run to its row; whether it goes up, and whether down.
    let run = |cell: usize, way: usize, row: &mut [u64]| {
        let mut gone = [false; 2];
        let mut at = cell;
        while let Some(next) = steps.values[at * ways + way].checked_sub(1) {
            let next = next as usize;
            let down = next < cell;
            if next >= cells || next == at || (next < at) != down {
                return None;
            }
            row[usize::from(down) * words + next / 64] |= 1 << (next % 64);
            gone[usize::from(down)] = true;
            at = next;
        }
        Some(gone)
    };
    let mut sides = vec![0; 2 * words * cells * ways];
    let rows = sides.chunks_mut((2 * words).max(1));
    for (number, row) in rows.enumerate() {
        let (cell, way) = (number / ways, number % ways);
        let there = run(cell, way, row)?;
        if both {
            let back = run(cell, (way + ways / 2) % ways, row)?;
            if std::iter::zip(there, back).any(|(there, back)| there && back) {
                return None;
            }
        }
    }
    Some(sides)
}

impl Rays {
    /// The runs in a table of steps, or with `both` the lines. `None` where a run is not in order.
    pub fn new(steps: &Table, ways: u32, both: bool) -> Option<Rays> {
        let sides = sides(steps, ways, both, 1)?;
        Some(Rays {
            ways: u64::from(ways),
            sides: sides.as_chunks().0.to_vec(),
            both,
        })
    }

    /// The run or the line of a cell in a set.
    #[inline(always)]
    pub fn find(&self, cell: u64, way: u64, within: u64) -> u64 {
        let at = cell.wrapping_mul(self.ways).wrapping_add(way);
        let Some([up, down]) = self.sides.get(at as usize) else {
            return 0;
        };
        let gap = up & !within;
        let up = up & gap.wrapping_sub(1) & !gap;
        let gap = (down & !within).leading_zeros();
        let down = down & u64::MAX.checked_shl(64 - gap).unwrap_or(0);
        let found = up | down;
        if self.both {
            let own = 1 << (cell & 63);
            if within & own != 0 { found | own } else { 0 }
        } else {
            found
        }
    }
}

/// Adds a number to every element of a set of one word.
#[derive(Debug)]
pub(super) struct Shift {
    lo: i64,
    by: i64,
    /// The elements that stay inside.
    inside: u64,
    fault: FaultId,
}

impl Shift {
    /// `None` where a shift by so much leaves no word.
    pub fn new(lo: i64, by: i64, size: u64, fault: FaultId) -> Option<Shift> {
        if by.abs() >= 64 {
            return None;
        }
        let stays = |e: &i64| (0..size as i64).contains(&(e + by));
        Some(Shift {
            lo,
            by,
            inside: (0..64i64).filter(stays).fold(0, |set, e| set | 1 << e),
            fault,
        })
    }

    #[inline(always)]
    pub fn apply(&self, set: u64) -> Result<u64, Trouble> {
        let outside = set & !self.inside;
        if outside != 0 {
            return Err(Trouble::Fault {
                fault: self.fault,
                value: self.lo + i64::from(outside.trailing_zeros()),
            });
        }
        Ok(if self.by < 0 {
            set >> -self.by
        } else {
            set << self.by
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machine::playout::frames::FRAME;
    use crate::model::reach;
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{Rng, SeedableRng};

    fn frame() -> Box<Frame> {
        vec![0; FRAME].into_boxed_slice().try_into().unwrap()
    }

    /// Neighbours at random: some four for each node.
    fn graph(nodes: u64, words: usize, rng: &mut Xoshiro256PlusPlus) -> Table {
        let mut values = vec![0; nodes as usize * words];
        for from in 0..nodes as usize {
            for _ in 0..4 {
                let to = rng.next_u64() % nodes;
                values[from * words + to as usize / 64] |= 1 << (to % 64);
            }
        }
        Table {
            words: words as u16,
            values,
        }
    }

    /// Bits at random for nodes `0..nodes`, about one of `one_of`.
    fn some(nodes: u64, words: usize, one_of: u64, rng: &mut Xoshiro256PlusPlus) -> Vec<u64> {
        let mut set = vec![0; words];
        for node in 0..nodes {
            if rng.next_u64().is_multiple_of(one_of) {
                set[node as usize / 64] |= 1 << (node % 64);
            }
        }
        set
    }

    #[test]
    fn groups_and_neighbours_are_those_of_the_plain_walks() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
        let mut f = frame();
        for (nodes, words) in [
            (7, 1),
            (64, 1),
            (81, 2),
            (128, 2),
            (169, 3),
            (199, 4),
            (361, 6),
        ] {
            let table = graph(nodes, words, &mut rng);
            let board = Board::new(&table).unwrap();
            let next = |n: u64| &table.values[n as usize * words..(n as usize + 1) * words];
            for round in 0..200 {
                let from = some(nodes, words, 9, &mut rng);
                let within = some(nodes, words, 1 + round % 4, &mut rng);
                f[100..100 + words].copy_from_slice(&from);
                f[200..200 + words].copy_from_slice(&within);
                board.group(&mut f, 300, 100, 200);
                let group = reach::group(&from, &within, next);
                assert_eq!(f[300..300 + words], group[..]);
                board.neighbours(&mut f, 300, 100);
                let near = reach::neighbours(&from, next);
                assert_eq!(f[300..300 + words], near[..]);
                // A walk may end in the set that it began with.
                board.group(&mut f, 200, 100, 200);
                assert_eq!(f[200..200 + words], group[..]);
                board.neighbours(&mut f, 100, 100);
                assert_eq!(f[100..100 + words], near[..]);
            }
        }
        assert!(Board::new(&graph(600, 10, &mut rng)).is_none());
    }

    /// The steps of a rectangle in eight directions, from north by way of east; one may lead around a cylinder.
    fn steps(columns: i64, rows: i64, round: bool) -> Table {
        let mut values = Vec::new();
        for cell in 0..columns * rows {
            for (dx, dy) in [
                (0, 1),
                (1, 1),
                (1, 0),
                (1, -1),
                (0, -1),
                (-1, -1),
                (-1, 0),
                (-1, 1),
            ] {
                let (mut x, y) = (cell % columns + dx, cell / columns + dy);
                if round {
                    x = x.rem_euclid(columns);
                }
                let inside = (0..columns).contains(&x) && (0..rows).contains(&y);
                values.push(if inside {
                    (y * columns + x + 1) as u64
                } else {
                    0
                });
            }
        }
        Table { words: 1, values }
    }

    #[test]
    fn runs_and_lines_are_those_of_the_plain_walks() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(4);
        for (columns, rows) in [(7, 6), (8, 8), (3, 3), (1, 5)] {
            let table = steps(columns, rows, false);
            let step = |way: u64| {
                let values = &table.values;
                move |cell: u64| values[(cell * 8 + way) as usize].checked_sub(1)
            };
            let runs = Rays::new(&table, 8, false).unwrap();
            let lines = Rays::new(&table, 8, true).unwrap();
            for cell in 0..(columns * rows) as u64 {
                for way in 0..8 {
                    for _ in 0..50 {
                        let within = rng.next_u64() | rng.next_u64();
                        let run = reach::run(cell, &[within], step(way));
                        assert_eq!(runs.find(cell, way, within), run[0]);
                        let line = reach::line(cell, &[within], step(way), step((way + 4) % 8));
                        assert_eq!(lines.find(cell, way, within), line[0]);
                    }
                }
            }
            assert_eq!(runs.find(64, 0, u64::MAX), 0);
        }
        assert!(Rays::new(&steps(5, 2, true), 8, false).is_none());
        assert!(Rays::new(&steps(9, 9, false), 8, false).is_none());
    }
}
