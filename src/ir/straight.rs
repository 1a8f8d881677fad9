//! Straight lines on boards: where the cells of a line lie a fixed distance apart in the numbering of the nodes, so many of them in a
//! row are found by shifting a whole set.

use super::Table;

/// The lines of a board in one direction and back.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Straight<'t> {
    steps: &'t Table,
    ways: usize,
    /// The direction in which numbers grow.
    up: usize,
    /// By how much they grow.
    pub stride: usize,
}

impl<'t> Straight<'t> {
    /// Of the steps of a board, which hold for each cell and each of the `ways` the next cell, plus one, or 0. `None` where cells
    /// lie different distances apart, or a step does not lead back.
    pub fn new(steps: &'t Table, ways: u32, way: u32) -> Option<Straight<'t>> {
        let (ways, way) = (ways as usize, way as usize);
        let opposite = (way + ways / 2) % ways.max(1);
        let cells = steps.values.len().checked_div(ways)?;
        if way >= ways || opposite == way || steps.words != 1 {
            return None;
        }
        let next = |cell: usize, way: usize| {
            let next = steps.values.get(cell * ways + way)?.checked_sub(1)?;
            usize::try_from(next).ok()
        };
        let mut stride = None;
        for cell in 0..cells {
            for (forth, back) in [(way, opposite), (opposite, way)] {
                let Some(to) = next(cell, forth) else {
                    continue;
                };
                let by = (to as i64 - cell as i64) * if forth == way { 1 } else { -1 };
                let leads_back = next(to, back) == Some(cell);
                if !leads_back || by == 0 || stride.is_some_and(|known| known != by) {
                    return None;
                }
                stride = Some(by);
            }
        }
        let stride = stride?;
        Some(Straight {
            steps,
            ways,
            up: if stride > 0 { way } else { opposite },
            stride: usize::try_from(stride.abs()).ok()?,
        })
    }

    /// The cells of the longest line.
    pub fn longest(&self) -> usize {
        let cells = self.steps.values.len() / self.ways;
        (0..cells)
            .map(|cell| self.cells(cell).count())
            .max()
            .unwrap_or(0)
    }

    /// For each cell the first cells of the lines of `count` cells that it is one of, as sets of so many words.
    pub fn firsts(&self, count: usize, words: usize) -> Option<Vec<u64>> {
        let cells = self.steps.values.len() / self.ways;
        if cells > 64 * words {
            return None;
        }
        let mut rows = vec![0; cells * words];
        for first in 0..cells {
            if self.cells(first).nth(count.checked_sub(1)?).is_some() {
                for cell in self.cells(first).take(count) {
                    rows[cell * words + first / 64] |= 1 << (first % 64);
                }
            }
        }
        Some(rows)
    }

    /// For each cell the one that lies so many steps before it, as a set of so many words.
    pub fn before(&self, steps: usize, words: u16) -> Table {
        self.moved(steps, words, |from, to| (to, from))
    }

    /// For each cell the one that lies so many steps after it, as a set of so many words.
    pub fn after(&self, steps: usize, words: u16) -> Table {
        self.moved(steps, words, |from, to| (from, to))
    }

    /// With the second of two cells in the row of the first, for all that lie so many steps apart.
    fn moved(
        &self,
        steps: usize,
        words: u16,
        order: impl Fn(usize, usize) -> (usize, usize),
    ) -> Table {
        let (cells, row) = (self.steps.values.len() / self.ways, usize::from(words));
        let mut values = vec![0; cells * row];
        for from in 0..cells {
            if let Some(to) = self.cells(from).nth(steps) {
                let (first, second) = order(from, to);
                if let Some(word) = values.get_mut(first * row + second / 64) {
                    *word |= 1 << (second % 64);
                }
            }
        }
        Table { words, values }
    }

    /// A cell and those after it.
    fn cells(&self, from: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(from), |cell| {
            let next = self.steps.values[cell * self.ways + self.up].checked_sub(1)?;
            usize::try_from(next).ok()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::reach;

    /// Steps to the east, the north, the west and the south of a grid, or around a ring of columns.
    fn steps(columns: usize, rows: usize, ring: bool) -> Table {
        let mut values = Vec::new();
        for cell in 0..columns * rows {
            let (x, y) = (cell % columns, cell / columns);
            let at = |x: usize, y: usize| (y * columns + x + 1) as u64;
            values.push(match x + 1 < columns {
                true => at(x + 1, y),
                false if ring => at(0, y),
                false => 0,
            });
            values.push(if y + 1 < rows { at(x, y + 1) } else { 0 });
            values.push(match x > 0 {
                true => at(x - 1, y),
                false if ring => at(columns - 1, y),
                false => 0,
            });
            values.push(if y > 0 { at(x, y - 1) } else { 0 });
        }
        Table { words: 1, values }
    }

    #[test]
    fn strides_are_those_of_the_numbering() {
        let grid = steps(5, 4, false);
        let stride = |way| Straight::new(&grid, 4, way).map(|line| (line.stride, line.longest()));
        assert_eq!(
            [stride(0), stride(1), stride(2), stride(3), stride(4)],
            [Some((1, 5)), Some((5, 4)), Some((1, 5)), Some((5, 4)), None]
        );
        let ring = steps(5, 4, true);
        let stride = |way| Straight::new(&ring, 4, way).map(|line| (line.stride, line.longest()));
        assert_eq!([stride(0), stride(1)], [None, Some((5, 4))]);
        // Without the way back.
        let mut broken = steps(5, 4, false);
        broken.values[4 * 7 + 2] = 0;
        assert!(Straight::new(&broken, 4, 0).is_none());
        assert!(Straight::new(&broken, 4, 1).is_some());
    }

    /// A line through a cell has so many cells just where one of these rows of cells is full.
    #[test]
    fn full_rows_are_long_lines() {
        let grid = steps(9, 8, false);
        let mut set = [0x9e37_79b9_7f4a_7c15u64, 0x51];
        for round in 0..50u32 {
            set[0] = set[0].rotate_left(7) ^ (u64::from(round) * 0x1_0001_0001);
            for (way, count) in (0..4).flat_map(|way| (1..10).map(move |count| (way, count))) {
                let line = Straight::new(&grid, 4, way).unwrap();
                let firsts = line.firsts(count, 2).unwrap();
                for cell in 0..72usize {
                    let row = &firsts[2 * cell..2 * cell + 2];
                    let is_first = |n: usize| row[n / 64] >> (n % 64) & 1 == 1;
                    let has = |n: usize| set[n / 64] >> (n % 64) & 1 == 1;
                    let full = |n: &usize| (0..count).all(|i| has(n + i * line.stride));
                    let found = (0..72).filter(|n| is_first(*n)).any(|n| full(&n));
                    let step = |way: usize| {
                        let steps = &grid.values;
                        move |cell: u64| steps[cell as usize * 4 + way].checked_sub(1)
                    };
                    let (forth, back) = (way as usize, (way as usize + 2) % 4);
                    let walked = reach::line(cell as u64, &set, step(forth), step(back));
                    let size: u32 = walked.iter().map(|word| word.count_ones()).sum();
                    assert_eq!(found, size as usize >= count, "{cell} {way} {count}");
                }
            }
        }
    }
}
