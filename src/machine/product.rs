//! The successors of a state with simultaneous choices that go their own ways (`playout::Parts`): a row and a column of
//! parts instead of a step for every pair.
//!
//! Each part is remembered by the choice and the bits of the state that it is computed from, and what a pair of choices does
//! to accumulators by the little that this hangs on. What is not known is stepped, and so is everything where an
//! accumulator is so near to the end of its range that some pair might leave it.

use super::playout::{Part, Parts};
use super::{Action, PlayError, Stepper};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The successors of one state, as parts. The words of one are those of its row, its column, what is common to all, and the
/// accumulators, joined.
#[derive(Debug, Default)]
pub struct Product {
    /// The node that all lead to.
    pub node: u32,
    /// For each action of the first player, and of the second, the words of its part.
    pub rows: Vec<u64>,
    pub columns: Vec<u64>,
    /// What neither decides.
    pub common: Vec<u64>,
    /// The accumulators before, in the words of a state.
    pub accumulated: Vec<u64>,
    /// For each pair, row by row, the number of its change: see [`Stepper::change`].
    pub changes: Vec<u32>,
}

type Words = SmallVec<[u64; 2]>;

/// What is known of pairs of choices.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    nodes: FxHashMap<u32, Known>,
    /// What is added to the words of the accumulators, in wrapping arithmetic; each once.
    changes: Vec<Words>,
    numbers: FxHashMap<Words, u32>,
}

/// What is known at one node.
#[derive(Debug, Default)]
struct Known {
    actions: [Numbers; 2],
    /// For a context and a row the numbers of the changes, by columns.
    changes: Memory<Vec<u32>>,
    /// The parts, by choices.
    parts: [Memory<Words>; 3],
    /// The least and the greatest change of each accumulator.
    spans: SmallVec<[(i64, i64); 4]>,
}

/// What is remembered by some bits of a state and an action.
#[derive(Debug, Default)]
struct Memory<T> {
    places: FxHashMap<Words, u32>,
    /// For each place and action.
    lines: Vec<Vec<T>>,
    /// The last place that was asked for, and its number: states with the same bits come one after another.
    last: Option<(Words, u32)>,
    /// How much there is.
    size: usize,
}

/// Actions, numbered.
#[derive(Debug, Default)]
struct Numbers {
    /// Those of one small value, by it.
    small: Vec<u32>,
    others: FxHashMap<Action, u32>,
    len: u32,
}

const UNKNOWN: u32 = u32::MAX;
/// How much a memory holds before it begins anew.
const MOST: usize = 1 << 17;

impl<T: Default> Memory<T> {
    /// The line for a state.
    fn line(&mut self, bits: &[u64], state: &[u64]) -> &mut Vec<T> {
        if self.size > MOST {
            *self = Memory::default();
        }
        let place = match &self.last {
            Some((last, place)) if masked(state, bits).eq(last.iter().copied()) => *place,
            _ => {
                let bits: Words = masked(state, bits).collect();
                let next = self.lines.len() as u32;
                let place = *self.places.entry(bits.clone()).or_insert(next);
                if place == next {
                    self.lines.push(Vec::new());
                    self.size += 1;
                }
                self.last = Some((bits, place));
                place
            }
        };
        &mut self.lines[place as usize]
    }
}

impl Numbers {
    fn of(&mut self, action: &Action) -> usize {
        let number = match action.0[..] {
            [0, value] if value < 256 => {
                let value = value as usize;
                if value >= self.small.len() {
                    self.small.resize(value + 1, UNKNOWN);
                }
                &mut self.small[value]
            }
            _ => self.others.entry(action.clone()).or_insert(UNKNOWN),
        };
        if *number == UNKNOWN {
            *number = self.len;
            self.len += 1;
        }
        *number as usize
    }
}

fn masked(words: &[u64], bits: &[u64]) -> impl Iterator<Item = u64> {
    std::iter::zip(words, bits).map(|(w, m)| w & m)
}

/// The place of an action in a line.
fn cell<T: Default>(line: &mut Vec<T>, action: usize) -> &mut T {
    if action >= line.len() {
        line.resize_with(action + 1, T::default);
    }
    &mut line[action]
}

impl Stepper<'_> {
    /// The successors of the start as a product, where two players choose at once and it is one; false where it is not. The
    /// actions are those that [`Stepper::legal`] gave for both, the first in seating order first.
    ///
    /// # Errors
    /// As [`Stepper::step`].
    pub fn product(
        &mut self,
        actions: [&[Action]; 2],
        product: &mut Product,
    ) -> Result<bool, PlayError> {
        let (Some(parts), Some(state)) = (self.parts(), self.state()) else {
            return Ok(false);
        };
        let (node, before) = (state.node, state.words.clone());
        if before.is_empty() {
            return Ok(false);
        }
        let mut pairs = std::mem::take(&mut self.pairs);
        let known = pairs.nodes.entry(node).or_default();
        let fits = known.fits(parts, &before);
        let mut filled = Ok(());
        if fits {
            filled = self
                .fill_parts(parts, &before, actions, known, product)
                .and_then(|()| {
                    self.fill_changes(parts, &before, actions, (node, &mut pairs), product)
                });
        }
        self.pairs = pairs;
        filled.map(|()| fits)
    }

    /// What a change of a [`Product`] adds to the words of the accumulators, in wrapping arithmetic. Changes are numbered from
    /// 0, and equal ones have the same number.
    pub fn change(&self, number: u32) -> &[u64] {
        &self.pairs.changes[number as usize]
    }

    fn fill_parts(
        &mut self,
        parts: &Parts,
        before: &[u64],
        [first, second]: [&[Action]; 2],
        known: &mut Known,
        product: &mut Product,
    ) -> Result<(), PlayError> {
        product.rows.clear();
        product.columns.clear();
        let [row, column, common] = &parts.parts;
        let mut words: SmallVec<[u64; 16]> = SmallVec::from_elem(0, before.len());
        let cell_of_all = cell(known.parts[2].line(&common.inputs, before), 0);
        if cell_of_all.is_empty() {
            let node = self.step(&[&first[0], &second[0]], &mut words)?;
            cell_of_all.extend(masked(&words, &common.bits));
            cell_of_all.push(u64::from(node));
        }
        product.common.clear();
        product
            .common
            .extend_from_slice(&cell_of_all[..before.len()]);
        product.node = cell_of_all[before.len()] as u32;
        let line = known.parts[0].line(&row.inputs, before);
        let size = line.len();
        for action in first {
            let cell = cell(line, known.actions[0].of(action));
            let part = self.part(row, cell, [action, &second[0]], &mut words)?;
            product.rows.extend_from_slice(part);
        }
        let more = line.len() - size;
        known.parts[0].size += more;
        let line = known.parts[1].line(&column.inputs, before);
        let size = line.len();
        for action in second {
            let cell = cell(line, known.actions[1].of(action));
            let part = self.part(column, cell, [&first[0], action], &mut words)?;
            product.columns.extend_from_slice(part);
        }
        let more = line.len() - size;
        known.parts[1].size += more;
        Ok(())
    }

    /// A part as it is remembered, or after a step.
    fn part<'c>(
        &mut self,
        part: &Part,
        cell: &'c mut Words,
        pair: [&Action; 2],
        words: &mut [u64],
    ) -> Result<&'c Words, PlayError> {
        if cell.is_empty() {
            self.step(&pair, words)?;
            cell.extend(masked(words, &part.bits));
        }
        Ok(cell)
    }

    fn fill_changes(
        &mut self,
        parts: &Parts,
        before: &[u64],
        [first, second]: [&[Action]; 2],
        (node, pairs): (u32, &mut Pairs),
        product: &mut Product,
    ) -> Result<(), PlayError> {
        let known = pairs.nodes.entry(node).or_default();
        product.accumulated.clear();
        product
            .accumulated
            .extend(masked(before, &parts.accumulated));
        product.changes.clear();
        let mut columns = std::mem::take(&mut self.columns);
        columns.clear();
        columns.extend(second.iter().map(|a| known.actions[1].of(a)));
        let lines = known.changes.line(&parts.context, before);
        let mut more = 0;
        for action in first {
            let line = cell(lines, known.actions[0].of(action));
            for (other, &column) in std::iter::zip(second, &columns) {
                let mut number = line.get(column).copied().unwrap_or(UNKNOWN);
                if number == UNKNOWN {
                    let mut words: SmallVec<[u64; 16]> = SmallVec::from_elem(0, before.len());
                    self.step(&[action, other], &mut words)?;
                    known
                        .spans
                        .iter_mut()
                        .zip(&parts.accumulators)
                        .for_each(|(span, (f, ..))| {
                            let by = f.read(&words).wrapping_sub(f.read(before)) as i64;
                            *span = (span.0.min(by), span.1.max(by));
                        });
                    let after = masked(&words, &parts.accumulated);
                    let change = after.zip(&product.accumulated);
                    let change: Words = change.map(|(a, b)| a.wrapping_sub(*b)).collect();
                    number = *pairs.numbers.entry(change.clone()).or_insert_with(|| {
                        pairs.changes.push(change);
                        pairs.changes.len() as u32 - 1
                    });
                    if column >= line.len() {
                        more += column + 1 - line.len();
                        line.resize(column + 1, UNKNOWN);
                    }
                    line[column] = number;
                }
                product.changes.push(number);
            }
        }
        known.changes.size += more;
        self.columns = columns;
        Ok(())
    }
}

impl Known {
    /// Whether no known change takes an accumulator out of its range.
    fn fits(&mut self, parts: &Parts, before: &[u64]) -> bool {
        self.spans.resize(parts.accumulators.len(), (0, 0));
        let mut accumulators = std::iter::zip(&self.spans, &parts.accumulators);
        accumulators.all(|((least, most), (field, lo, hi))| {
            let value = field.read(before) as i64;
            value.saturating_add(*least) >= *lo && value.saturating_add(*most) <= *hi
        })
    }
}
