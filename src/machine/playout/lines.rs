//! Whether a line through a cell is long enough, in several directions at once, on boards of one word.

use crate::ir::Table;

/// The longest line that is looked for.
const MOST: u32 = 8;

/// Lines of at least so many cells through each cell, along some axes on each of which the numbers of neighbours differ
/// by the same.
#[derive(Debug)]
pub(super) struct Lines {
    /// By how much a set is shifted along each axis, one shift after the other, so that what is left of it begins a line.
    shifts: Vec<[u32; 3]>,
    /// For each cell and axis the cells that a line through the cell may consist of.
    near: Vec<u64>,
}

impl Lines {
    /// The lines along some of the `ways` in a table of steps. `None` where an axis has no common difference.
    pub fn new(steps: &Table, ways: u32, along: &[u64], least: u32) -> Option<Lines> {
        let ways = ways as usize;
        let cells = steps.values.len().checked_div(ways)?;
        if cells > 64 || steps.words != 1 || !(2..=MOST).contains(&least) {
            return None;
        }
        let step = |cell: usize, way: usize| steps.values[cell * ways + way].checked_sub(1);
        let mut shifts = Vec::new();
        for &way in along {
            let way = usize::try_from(way).ok().filter(|way| *way < ways)?;
            let back = (way + ways / 2) % ways;
            // All steps are of one length, and a step back undoes a step.
            let mut by = None;
            for cell in 0..cells {
                if let Some(next) = step(cell, way) {
                    let next = usize::try_from(next).ok().filter(|next| *next < cells)?;
                    let of = (next as i64) - (cell as i64);
                    let same = by.is_none_or(|by| by == of) && of != 0;
                    (same && step(next, back) == Some(cell as u64)).then_some(())?;
                    by = Some(of);
                }
                if let Some(before) = step(cell, back) {
                    let before = usize::try_from(before).ok().filter(|b| *b < cells)?;
                    (step(before, way) == Some(cell as u64)).then_some(())?;
                }
            }
            let by = by.unwrap_or(1).unsigned_abs() as u32;
            // A line of `so_far` begins where two of half that begin side by side.
            let mut so_far = 1;
            shifts.push([(); 3].map(|()| {
                let more = so_far.min(least - so_far);
                so_far += more;
                more * by
            }));
        }
        (shifts.iter().flatten().all(|by| *by < 64)).then_some(())?;
        let mut near = Vec::new();
        for cell in 0..cells {
            for &way in along {
                let way = way as usize;
                let mut found = 1u64 << cell;
                for way in [way, (way + ways / 2) % ways] {
                    let mut at = cell;
                    for _ in 1..least {
                        let Some(next) = step(at, way) else { break };
                        at = next as usize;
                        found |= 1 << at;
                    }
                }
                near.push(found);
            }
        }
        Some(Lines { shifts, near })
    }

    /// Whether there is such a line through a cell in a set.
    #[inline(always)]
    #[allow(
        clippy::needless_range_loop,
        reason = "the loop over the steps is too long for iterators to be inlined into it"
    )]
    pub fn any(&self, cell: u64, within: u64) -> bool {
        let axes = self.shifts.len();
        let from = (cell as usize).saturating_mul(axes);
        let Some(near) = self.near.get(from..from.saturating_add(axes)) else {
            return false;
        };
        let mut found = 0;
        for i in 0..axes.min(near.len()) {
            let [a, b, c] = self.shifts[i];
            let mut set = near[i] & within;
            set &= set >> (a & 63);
            set &= set >> (b & 63);
            set &= set >> (c & 63);
            found |= set;
        }
        found != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::reach;
    use rand::rngs::Xoshiro256PlusPlus;
    use rand::{Rng, SeedableRng};

    /// The steps of a rectangle in eight directions, from north by way of east; one may lead around a cylinder.
    fn steps(columns: i64, rows: i64, round: bool) -> Table {
        let mut values = Vec::new();
        let sides = [(0, 1), (1, 1), (1, 0), (1, -1)];
        let back = sides.map(|(x, y): (i64, i64)| (-x, -y));
        for cell in 0..columns * rows {
            for (dx, dy) in sides.into_iter().chain(back) {
                let (mut x, y) = (cell % columns + dx, cell / columns + dy);
                if round {
                    x = x.rem_euclid(columns);
                }
                let inside = (0..columns).contains(&x) && (0..rows).contains(&y);
                let number = if inside { y * columns + x + 1 } else { 0 };
                values.push(number as u64);
            }
        }
        Table { words: 1, values }
    }

    #[test]
    fn long_lines_are_those_of_the_plain_walks() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
        for (columns, rows) in [(7, 6), (8, 8), (3, 3), (1, 5), (9, 7)] {
            let table = steps(columns, rows, false);
            let step = |way: u64| {
                let values = &table.values;
                move |cell: u64| values[(cell * 8 + way) as usize].checked_sub(1)
            };
            for least in 2..=8 {
                for along in [&[0, 1, 2, 3][..], &[2], &[5, 6], &[3, 0, 1]] {
                    let lines = Lines::new(&table, 8, along, least).unwrap();
                    for cell in 0..(columns * rows) as u64 {
                        for _ in 0..20 {
                            let within = rng.next_u64() | rng.next_u64();
                            let long = |way: &u64| {
                                let line =
                                    reach::line(cell, &[within], step(*way), step((way + 4) % 8));
                                line[0].count_ones() >= least
                            };
                            assert_eq!(lines.any(cell, within), along.iter().any(long));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn boards_without_a_common_step_have_no_such_lines() {
        assert!(Lines::new(&steps(5, 2, true), 8, &[2], 3).is_none());
        assert!(Lines::new(&steps(9, 9, false), 8, &[0], 3).is_none());
        assert!(Lines::new(&steps(3, 3, false), 8, &[0], 1).is_none());
        assert!(Lines::new(&steps(3, 3, false), 8, &[8], 3).is_none());
    }
}
