//! What leads away from a node, one cell for each way on that was taken: the "matrix of references to the children"
//! (Lanctot, Lisý & Winands 2013, section 3), with what a policy needs of each child in it.
//!
//! Where a table with room for all ways on takes no more memory than it is given, there is one; the tables of all nodes are
//! one list. Elsewhere cells are made as they are needed, and found through an index with a number for each way on: of bytes
//! where there are few ways on; where there are many, a hash table comes first. Once all were taken they stand in a table
//! again.

use crate::machine::below;
use crate::random::Stream;
use rustc_hash::FxHashMap;

/// In place of a child: the way on was taken, but no node stands at its end yet.
pub const NO_CHILD: u32 = u32::MAX - 1;

/// The same: the way on was not taken.
const NOT_TAKEN: u32 = u32::MAX;

/// A way on.
pub trait Cell: Copy {
    /// Whether anything is kept of what simulations brought.
    const LEARNS: bool = true;
    /// One that leads to a child, and has seen nothing.
    fn new(child: u32) -> Self;
    /// A node, or [`NO_CHILD`].
    fn child(&self) -> u32;
    fn set_child(&mut self, child: u32);
    /// A simulation took it, and brought the first player so much, less half of what both payoffs add up to.
    fn add(&mut self, value: f64);
}

/// A way on that only leads somewhere.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Link(u32);

impl Cell for Link {
    const LEARNS: bool = false;

    fn new(child: u32) -> Link {
        Link(child)
    }

    fn child(&self) -> u32 {
        self.0
    }

    fn set_child(&mut self, child: u32) {
        self.0 = child;
    }

    fn add(&mut self, _value: f64) {}
}

/// A way on with the mean X̄ of what it brought.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Mean {
    pub mean: f64,
    /// The simulations that took it, n. A count that is full stays.
    pub visits: u32,
    child: u32,
}

impl Cell for Mean {
    fn new(child: u32) -> Mean {
        Mean {
            mean: 0.0,
            visits: 0,
            child,
        }
    }

    fn child(&self) -> u32 {
        self.child
    }

    fn set_child(&mut self, child: u32) {
        self.child = child;
    }

    /// X ← X + u, n ← n + 1, kept as a mean.
    fn add(&mut self, value: f64) {
        self.visits = self.visits.saturating_add(1);
        self.mean += (value - self.mean) / f64::from(self.visits);
    }
}

/// The cells of a node. The ways on are numbered from 0.
#[derive(Debug)]
pub enum Cells<C> {
    /// A cell for every way on, in the list of all tables, and how many of them were taken.
    Table { first: u32, ways: u32, taken: u32 },
    /// Cells for those that were taken.
    Listed(Box<Listed<C>>),
}

#[derive(Debug)]
pub struct Listed<C> {
    /// How many ways on there are.
    ways: u64,
    list: Vec<C>,
    index: Index,
}

#[derive(Debug)]
enum Index {
    /// The places in the list by the numbers of the ways on, [`FEW`] for one that was not taken.
    Few(Box<[u8]>),
    Sparse(FxHashMap<u64, u32>),
    /// [`VACANT`] for a way on that was not taken.
    Dense(Box<[u32]>),
}

const VACANT: u32 = u32::MAX;

/// Up to so many ways on a byte holds the place of each.
const FEW: u8 = u8::MAX;

impl<C: Cell> Cells<C> {
    /// None taken. A table may take so many bytes.
    pub fn new(ways: u64, room: usize, tables: &mut Vec<C>) -> Cells<C> {
        let first = u32::try_from(tables.len());
        if let Ok(first) = first
            && ways <= (room / size_of::<C>()) as u64
        {
            let ways = ways as u32;
            tables.resize(tables.len() + ways as usize, C::new(NOT_TAKEN));
            return Cells::Table {
                first,
                ways,
                taken: 0,
            };
        }
        let index = if ways <= u64::from(FEW) {
            Index::Few(vec![FEW; ways as usize].into_boxed_slice())
        } else {
            Index::Sparse(FxHashMap::default())
        };
        Cells::Listed(Box::new(Listed {
            ways,
            list: Vec::new(),
            index,
        }))
    }

    /// About how many bytes of memory they take, beside their own size and that of the tables.
    pub fn bytes(&self) -> usize {
        match self {
            Cells::Table { .. } => 0,
            Cells::Listed(listed) => {
                let index = match &listed.index {
                    Index::Few(places) => places.len(),
                    Index::Sparse(places) => places.capacity() * size_of::<(u64, u32)>(),
                    Index::Dense(places) => places.len() * size_of::<u32>(),
                };
                size_of::<Listed<C>>() + listed.list.capacity() * size_of::<C>() + index
            }
        }
    }

    /// With the list of all tables, to read them.
    #[inline]
    pub fn read<'t>(&'t self, tables: &'t [C]) -> CellsRead<'t, C> {
        match self {
            Cells::Table { first, ways, taken } => CellsRead::Table {
                cells: &tables[*first as usize..][..*ways as usize],
                taken: *taken,
            },
            Cells::Listed(listed) => CellsRead::Listed(listed),
        }
    }

    /// Where a way on has its cell.
    #[inline]
    pub fn at_mut<'t>(&'t mut self, place: u32, tables: &'t mut [C]) -> &'t mut C {
        match self {
            Cells::Table { first, .. } => &mut tables[(*first + place) as usize],
            Cells::Listed(listed) => &mut listed.list[place as usize],
        }
    }

    /// A cell for a way on that was not taken before; its place. Places that were given out before hold no more
    /// when this fills the last gap.
    pub fn add(&mut self, way: u64, tables: &mut Vec<C>) -> u32 {
        match self {
            Cells::Table { first, taken, .. } => {
                tables[*first as usize + way as usize].set_child(NO_CHILD);
                *taken += 1;
                way as u32
            }
            Cells::Listed(listed) => {
                let place = listed.add(way);
                if listed.list.len() as u64 == listed.ways
                    && let Ok(first) = u32::try_from(tables.len())
                {
                    let ways = listed.ways as u32;
                    tables.extend(listed.in_order());
                    *self = Cells::Table {
                        first,
                        ways,
                        taken: ways,
                    };
                    return way as u32;
                }
                place
            }
        }
    }
}

/// The cells of a node as they are read.
#[derive(Debug)]
pub enum CellsRead<'t, C> {
    Table { cells: &'t [C], taken: u32 },
    Listed(&'t Listed<C>),
}

impl<C> Copy for CellsRead<'_, C> {}

impl<C> Clone for CellsRead<'_, C> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<C: Cell> CellsRead<'_, C> {
    /// How many ways on there are, and how many were taken.
    fn counts(&self) -> (u64, u64) {
        match self {
            CellsRead::Table { cells, taken } => (cells.len() as u64, u64::from(*taken)),
            CellsRead::Listed(listed) => (listed.ways, listed.list.len() as u64),
        }
    }

    /// How many ways on there are.
    pub fn ways(&self) -> u64 {
        self.counts().0
    }

    /// Has the processor fetch where the first ways on lead, while it is worked out which of them is taken.
    #[inline]
    pub fn fetch(&self) {
        if let CellsRead::Table { cells, .. } = self {
            std::hint::black_box(cells.first().map(Cell::child));
        }
    }

    /// Whether every way on was taken.
    pub fn is_full(&self) -> bool {
        let (ways, taken) = self.counts();
        ways == taken
    }

    /// The place of a way on, if it was taken.
    #[inline]
    pub fn find(&self, way: u64) -> Option<u32> {
        match self {
            CellsRead::Table { cells, .. } => {
                (cells[way as usize].child() != NOT_TAKEN).then_some(way as u32)
            }
            CellsRead::Listed(listed) => listed.find(way),
        }
    }

    /// The place of a way on and where it leads, if it was taken.
    #[inline]
    pub fn way_on(&self, way: u64) -> Option<(u32, u32)> {
        match self {
            CellsRead::Table { cells, .. } => {
                let child = cells[way as usize].child();
                (child != NOT_TAKEN).then_some((way as u32, child))
            }
            CellsRead::Listed(listed) => {
                let place = listed.find(way)?;
                Some((place, listed.list[place as usize].child()))
            }
        }
    }

    #[inline]
    pub fn at(&self, place: u32) -> &C {
        match self {
            CellsRead::Table { cells, .. } => &cells[place as usize],
            CellsRead::Listed(listed) => &listed.list[place as usize],
        }
    }

    /// One of the ways on that were not taken, each with the same probability. There must be one.
    pub fn untaken(&self, rng: &mut Stream) -> u64 {
        let (ways, taken) = self.counts();
        let vacant = ways - taken;
        // Of the last few, one is counted off; before, chance finds one soon.
        if vacant <= ways / 8 {
            let skip = below(rng, vacant.max(1)) as usize;
            let mut vacant = (0..ways).filter(|way| self.find(*way).is_none());
            return vacant.nth(skip).unwrap_or(0);
        }
        loop {
            let way = below(rng, ways);
            if self.find(way).is_none() {
                return way;
            }
        }
    }

    /// The ways on that were taken, in order, with their cells.
    pub fn taken(&self) -> Vec<(u64, C)> {
        let found = |way| self.find(way).map(|place| (way, *self.at(place)));
        match self {
            CellsRead::Listed(listed) => match &listed.index {
                Index::Sparse(indices) => {
                    let mut taken: Vec<u64> = indices.keys().copied().collect();
                    taken.sort_unstable();
                    taken.into_iter().filter_map(found).collect()
                }
                _ => (0..listed.ways).filter_map(found).collect(),
            },
            CellsRead::Table { cells, .. } => (0..cells.len() as u64).filter_map(found).collect(),
        }
    }
}

impl CellsRead<'_, Mean> {
    /// The mean of a way on; 0 for one that was never taken.
    pub fn mean(&self, way: u64) -> f64 {
        self.find(way).map_or(0.0, |place| self.at(place).mean)
    }

    /// Calls `f` for each of `all` with the mean of a way on: of the first, and then of each that is so much further.
    #[inline]
    pub fn means<T>(&self, first: u64, stride: u64, all: &mut [T], f: impl Fn(&mut T, f64)) {
        let mut way = first as usize;
        for it in all {
            let cell = match self {
                CellsRead::Table { cells, .. } => cells.get(way),
                CellsRead::Listed(listed) => match &listed.index {
                    // No cell has the place of one that was not taken.
                    Index::Few(indices) => listed.list.get(indices[way] as usize),
                    Index::Dense(indices) => listed.list.get(indices[way] as usize),
                    Index::Sparse(indices) => {
                        let place = indices.get(&(way as u64));
                        place.and_then(|place| listed.list.get(*place as usize))
                    }
                },
            };
            f(it, cell.map_or(0.0, |cell| cell.mean));
            way += stride as usize;
        }
    }
}

impl<C: Cell> Listed<C> {
    fn find(&self, way: u64) -> Option<u32> {
        match &self.index {
            Index::Few(indices) => {
                let place = indices[way as usize];
                (place != FEW).then_some(u32::from(place))
            }
            Index::Dense(indices) => Some(indices[way as usize]).filter(|&place| place != VACANT),
            Index::Sparse(indices) => indices.get(&way).copied(),
        }
    }

    fn add(&mut self, way: u64) -> u32 {
        let place = self.list.len() as u32;
        self.list.push(C::new(NO_CHILD));
        match &mut self.index {
            Index::Few(indices) => indices[way as usize] = place as u8,
            Index::Sparse(indices) => {
                indices.insert(way, place);
            }
            Index::Dense(indices) => indices[way as usize] = place,
        }
        if self.list.len() as u64 * 4 >= self.ways {
            self.widen();
        }
        place
    }

    /// From a hash table to a table of numbers.
    fn widen(&mut self) {
        if let Index::Sparse(found) = &self.index {
            let mut indices = vec![VACANT; self.ways as usize].into_boxed_slice();
            #[expect(clippy::iter_over_hash_type, reason = "each has its own index")]
            for (&way, &place) in found {
                indices[way as usize] = place;
            }
            self.index = Index::Dense(indices);
        }
    }

    /// The cells in order, when all are there.
    fn in_order(&self) -> impl Iterator<Item = C> + '_ {
        let indices = (0..self.ways).filter_map(|way| self.find(way));
        indices.map(|place| self.list[place as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;
    use std::collections::BTreeMap;

    /// The cells of one node.
    struct One<C> {
        cells: Cells<C>,
        tables: Vec<C>,
    }

    impl<C: Cell> One<C> {
        fn new(ways: u64, room: usize) -> One<C> {
            // Other nodes have theirs before.
            let mut tables = vec![C::new(7); 5];
            let cells = Cells::new(ways, room, &mut tables);
            One { cells, tables }
        }

        fn read(&self) -> CellsRead<'_, C> {
            self.cells.read(&self.tables)
        }

        fn add(&mut self, way: u64) -> &mut C {
            let place = self.cells.add(way, &mut self.tables);
            self.cells.at_mut(place, &mut self.tables)
        }
    }

    /// Takes all ways on at random and compares with an ordered map on the way.
    #[test]
    fn cells_are_found_again_whatever_the_index() {
        for (ways, room) in [1, 2, 9, 64, 169, 255, 256, 400]
            .into_iter()
            .flat_map(|ways| [(ways, 0), (ways, 64 * size_of::<Mean>())])
        {
            let mut rng = stream(ways, &[]);
            let mut cells: One<Mean> = One::new(ways, room);
            let mut known: BTreeMap<u64, f64> = BTreeMap::new();
            for n in 1..=ways {
                assert!(!cells.read().is_full());
                let way = cells.read().untaken(&mut rng);
                assert!(way < ways && !known.contains_key(&way), "{ways}: {way}");
                let read = cells.read();
                assert_eq!((read.find(way), read.mean(way)), (None, 0.0));
                cells.add(way).add(n as f64);
                known.insert(way, n as f64);
                let read = cells.read();
                assert_eq!(read.counts(), (ways, n));
                // Every third way on from the second.
                let mut line = vec![-1.0; (ways as usize + 1) / 3];
                read.means(1, 3, &mut line, |found, mean| *found = mean);
                for (i, mean) in line.into_iter().enumerate() {
                    assert_eq!(mean, read.mean(1 + 3 * i as u64), "{ways}: {i}");
                }
                for (&way, &mean) in &known {
                    assert_eq!(read.mean(way), mean, "{ways}: {way}");
                }
            }
            assert!(cells.read().is_full());
            let CellsRead::Table { cells: table, .. } = cells.read() else {
                panic!("all were taken");
            };
            let full: Vec<f64> = table.iter().map(|c| c.mean).collect();
            let all: Vec<f64> = known.values().copied().collect();
            assert_eq!(full, all);
            let taken: Vec<f64> = cells.read().taken().iter().map(|(_, c)| c.mean).collect();
            assert_eq!(taken, all);
            assert!(cells.tables[..5].iter().all(|c| *c == Mean::new(7)));
        }
    }

    #[test]
    fn every_untaken_way_has_the_same_chance() {
        let mut rng = stream(1, &[]);
        for taken in [1, 5, 7] {
            let mut cells: One<Link> = One::new(8, 0);
            for way in 0..taken {
                cells.add(way);
            }
            let mut counts = [0; 8];
            for _ in 0..7000 {
                counts[cells.read().untaken(&mut rng) as usize] += 1;
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
        let mut cell = Mean::new(NO_CHILD);
        for value in [1.0, 0.0, 0.5, 0.5] {
            cell.add(value);
        }
        assert_eq!((cell.mean, cell.visits), (0.5, 4));
    }

    /// Memory is for what was taken, not for what there is.
    #[test]
    fn a_huge_choice_takes_no_room() {
        let mut cells: One<Link> = One::new(u64::MAX, 128);
        let mut rng = stream(2, &[]);
        for _ in 0..100 {
            let way = cells.read().untaken(&mut rng);
            cells.add(way);
        }
        assert_eq!(cells.read().counts(), (u64::MAX, 100));
        let is_sparse = |cells: &One<Link>| matches!(cells.read(), CellsRead::Listed(listed) if matches!(listed.index, Index::Sparse(_)));
        assert!(is_sparse(&cells));
        let mut wide: One<Link> = One::new(1000, 128);
        for way in 0..249 {
            wide.add(way);
        }
        assert!(is_sparse(&wide));
    }
}
