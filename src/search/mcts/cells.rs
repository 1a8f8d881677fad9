//! What leads away from a node, one cell for each way on that was taken: the "matrix of references to the children"
//! (Lanctot, Lisý & Winands 2013, section 3), with the child's X̄ and n in it.
//!
//! Cells are made as they are needed. They are found through a table with a number for each way on: of bytes where there are
//! few ways on; where there are many, a hash table comes first. Once all were taken they stand in order and need neither.

use crate::machine::below;
use crate::random::Stream;
use rustc_hash::FxHashMap;

/// In [`Cell::child`]: the way on was taken, but no node stands at its end yet.
pub const NO_CHILD: u32 = u32::MAX;

/// A way on that was taken.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Cell {
    /// The mean payoff X̄ of the simulations that took it: the first player's, less half of what both payoffs add up to.
    pub mean: f64,
    /// How many these are, n. A count that is full stays.
    pub visits: u32,
    pub child: u32,
}

impl Cell {
    const NEW: Cell = Cell {
        mean: 0.0,
        visits: 0,
        child: NO_CHILD,
    };

    /// X ← X + u, n ← n + 1, kept as a mean.
    pub fn add(&mut self, value: f64) {
        self.visits = self.visits.saturating_add(1);
        self.mean += (value - self.mean) / f64::from(self.visits);
    }
}

/// The cells of a node. The ways on are numbered from 0.
#[derive(Debug)]
pub struct Cells {
    /// How many ways on there are.
    ways: u64,
    list: Vec<Cell>,
    index: Index,
}

#[derive(Debug)]
enum Index {
    /// The places in the list by the numbers of the ways on, [`FEW`] for one that was not taken.
    Few(Box<[u8]>),
    Sparse(Box<FxHashMap<u64, u32>>),
    /// [`VACANT`] for a way on that was not taken.
    Dense(Box<[u32]>),
    /// Every way on was taken, and its number is its place.
    Full,
}

const VACANT: u32 = u32::MAX;

/// Up to so many ways on a byte tells the place of each.
const FEW: u8 = u8::MAX;

impl Cells {
    pub fn new(ways: u64) -> Cells {
        let index = if ways <= u64::from(FEW) {
            Index::Few(vec![FEW; ways as usize].into_boxed_slice())
        } else {
            Index::Sparse(Box::default())
        };
        Cells {
            ways,
            list: Vec::new(),
            index,
        }
    }

    /// Whether every way on was taken.
    pub fn is_full(&self) -> bool {
        matches!(self.index, Index::Full)
    }

    /// The place of a way on, if it was taken.
    pub fn find(&self, way: u64) -> Option<u32> {
        match &self.index {
            Index::Full => Some(way as u32),
            Index::Few(places) => {
                let place = places[way as usize];
                (place != FEW).then_some(u32::from(place))
            }
            Index::Dense(places) => Some(places[way as usize]).filter(|&place| place != VACANT),
            Index::Sparse(places) => places.get(&way).copied(),
        }
    }

    pub fn at(&self, place: u32) -> &Cell {
        &self.list[place as usize]
    }

    pub fn at_mut(&mut self, place: u32) -> &mut Cell {
        &mut self.list[place as usize]
    }

    /// The mean of a way on; 0 for one that was never taken.
    pub fn mean(&self, way: u64) -> f64 {
        self.find(way).map_or(0.0, |place| self.at(place).mean)
    }

    /// Calls `f` for each of `all` with the mean of a way on: of the first, and then of each that is so much further.
    #[inline]
    pub fn means<T>(&self, first: u64, stride: u64, all: &mut [T], f: impl Fn(&mut T, f64)) {
        let mut way = first as usize;
        for it in all {
            let cell = match &self.index {
                Index::Full => self.list.get(way),
                // No cell has the place of one that was not taken.
                Index::Few(places) => self.list.get(places[way] as usize),
                Index::Dense(places) => self.list.get(places[way] as usize),
                Index::Sparse(places) => {
                    let place = places.get(&(way as u64));
                    place.and_then(|place| self.list.get(*place as usize))
                }
            };
            f(it, cell.map_or(0.0, |cell| cell.mean));
            way += stride as usize;
        }
    }

    /// A cell for a way on that was not taken before; its place. Places that were given out before hold no more
    /// when this fills the last gap.
    pub fn add(&mut self, way: u64) -> u32 {
        let place = self.list.len() as u32;
        self.list.push(Cell::NEW);
        match &mut self.index {
            Index::Few(places) => places[way as usize] = place as u8,
            Index::Sparse(places) => {
                places.insert(way, place);
            }
            Index::Dense(places) => places[way as usize] = place,
            Index::Full => {}
        }
        let taken = self.list.len() as u64;
        if taken == self.ways {
            self.settle();
            return way as u32;
        }
        if taken * 4 >= self.ways {
            self.widen();
        }
        place
    }

    /// From a hash table to a table of numbers.
    fn widen(&mut self) {
        if let Index::Sparse(found) = &self.index {
            let mut places = vec![VACANT; self.ways as usize].into_boxed_slice();
            for (&way, &place) in found.iter() {
                places[way as usize] = place;
            }
            self.index = Index::Dense(places);
        }
    }

    /// Puts the cells in order, when all are there.
    fn settle(&mut self) {
        let list = (0..self.ways).filter_map(|way| self.find(way).map(|place| *self.at(place)));
        self.list = list.collect();
        self.index = Index::Full;
    }

    /// One of the ways on that were not taken, each with the same probability. There must be one.
    pub fn untaken(&self, rng: &mut Stream) -> u64 {
        let taken = self.list.len() as u64;
        let vacant = self.ways - taken;
        // Of the last few, one is counted off; before, chance finds one soon.
        if vacant <= self.ways / 8 {
            let skip = below(rng, vacant.max(1)) as usize;
            let mut vacant = (0..self.ways).filter(|way| self.find(*way).is_none());
            return vacant.nth(skip).unwrap_or(0);
        }
        loop {
            let way = below(rng, self.ways);
            if self.find(way).is_none() {
                return way;
            }
        }
    }

    /// The ways on that were taken, in order, with their cells.
    pub fn taken(&self) -> Vec<(u64, Cell)> {
        let mut taken: Vec<(u64, Cell)> = match &self.index {
            Index::Sparse(places) => places
                .iter()
                .map(|(way, place)| (*way, *self.at(*place)))
                .collect(),
            _ => (0..self.ways)
                .filter_map(|way| self.find(way).map(|place| (way, *self.at(place))))
                .collect(),
        };
        taken.sort_by_key(|(way, _)| *way);
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;
    use std::collections::BTreeMap;

    /// Takes all ways on at random and compares with an ordered map on the way.
    #[test]
    fn cells_are_found_again_whatever_the_index() {
        for ways in [1, 2, 9, 64, 169, 255, 256, 400] {
            let mut rng = stream(ways, &[]);
            let mut cells = Cells::new(ways);
            let mut known: BTreeMap<u64, f64> = BTreeMap::new();
            for n in 1..=ways {
                assert!(!cells.is_full());
                let way = cells.untaken(&mut rng);
                assert!(way < ways && !known.contains_key(&way), "{ways}: {way}");
                assert_eq!((cells.find(way), cells.mean(way)), (None, 0.0));
                let place = cells.add(way);
                cells.at_mut(place).add(n as f64);
                known.insert(way, n as f64);
                assert_eq!(cells.list.len() as u64, n);
                // Every third way on from the second.
                let mut line = vec![-1.0; (ways as usize + 1) / 3];
                cells.means(1, 3, &mut line, |found, mean| *found = mean);
                for (i, mean) in line.into_iter().enumerate() {
                    assert_eq!(mean, cells.mean(1 + 3 * i as u64), "{ways}: {i}");
                }
                for (&way, &mean) in &known {
                    assert_eq!(cells.mean(way), mean, "{ways}: {way}");
                }
            }
            assert!(cells.is_full());
            let full: Vec<f64> = cells.list.iter().map(|c| c.mean).collect();
            let all: Vec<f64> = known.values().copied().collect();
            assert_eq!(full, all);
            let taken: Vec<f64> = cells.taken().iter().map(|(_, c)| c.mean).collect();
            assert_eq!(taken, all);
        }
    }

    #[test]
    fn every_untaken_way_has_the_same_chance() {
        let mut rng = stream(1, &[]);
        for taken in [1, 5, 7] {
            let mut cells = Cells::new(8);
            for way in 0..taken {
                cells.add(way);
            }
            let mut counts = [0; 8];
            for _ in 0..7000 {
                counts[cells.untaken(&mut rng) as usize] += 1;
            }
            let each = 7000 / (8 - taken as i32);
            for (way, n) in counts.iter().enumerate() {
                if way < taken as usize {
                    assert_eq!(*n, 0);
                } else {
                    assert!((n - each).abs() <= each / 5, "{counts:?}");
                }
            }
        }
    }

    #[test]
    fn a_cell_keeps_the_mean() {
        let mut cell = Cell::NEW;
        for value in [1.0, 0.0, 0.5, 0.5] {
            cell.add(value);
        }
        assert_eq!((cell.mean, cell.visits), (0.5, 4));
    }

    /// Memory is for what was taken, not for what there is.
    #[test]
    fn a_huge_choice_takes_no_room() {
        let mut cells = Cells::new(u64::MAX);
        let mut rng = stream(2, &[]);
        for _ in 0..100 {
            let way = cells.untaken(&mut rng);
            cells.add(way);
        }
        assert!(matches!(&cells.index, Index::Sparse(places) if places.len() == 100));
        let mut wide = Cells::new(1000);
        for way in 0..249 {
            wide.add(way);
        }
        assert!(matches!(wide.index, Index::Sparse(_)));
    }
}
