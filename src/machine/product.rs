//! The successors of a state with simultaneous choices that go their own ways (`playout::IndependentChoices`): a row and a column of
//! parts instead of a step for every pair.
//!
//! Each part is remembered by the choice and the bits of the state that it is computed from, and what a pair of choices does
//! to accumulators by the little that this depends on. What is not known is stepped, and so is everything where some pair takes
//! an accumulator out of its range.

use super::playout::IndependentChoices;
use super::stepper::Listed;
use super::{Action, PlayError, Rewards, Stepper};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::sync::Arc;

/// The successors of one state, as parts. The words of one are those of its row, its column, what is common to all, and the
/// accumulators, joined.
#[derive(Debug, Default)]
pub struct Product {
    /// The node that all lead to.
    pub node: u32,
    /// Of the first player's actions, and of the second's.
    pub rows: Arc<Side>,
    pub columns: Arc<Side>,
    /// What neither decides.
    pub common: Vec<u64>,
    /// The accumulators before, in the words of a state.
    pub accumulated: Vec<u64>,
    /// For each row where its changes and rewards are found: see [`Stepper::changes`] and [`Stepper::earned`].
    pub lines: Vec<u32>,
}

/// The choices of one player. Products that are filled in one after another share it where it is the same.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Side {
    /// For each action the words of its part.
    pub parts: Vec<u64>,
    /// For each action its number; that of a column is its place in the lines of changes.
    pub numbers: Vec<u32>,
}

type Words = SmallVec<[u64; 2]>;

/// What is known of pairs of choices.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    nodes: FxHashMap<u32, Known>,
    /// Each once.
    changes: Vec<Change>,
    numbers: FxHashMap<Change, u32>,
    lines: Vec<Line>,
    /// How many places the lines have.
    size: usize,
    /// Of each player the side that was filled in last.
    last: [Option<Last>; 2],
}

/// What a pair of choices does to the accumulators.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Change {
    /// What is added to their words, in wrapping arithmetic.
    words: Words,
    /// What is added to each.
    by: SmallVec<[i64; 4]>,
}

/// A context and a row.
#[derive(Debug, Default)]
struct Line {
    /// The numbers of the changes by those of columns; [`UNKNOWN`] where one is not known.
    changes: Vec<u32>,
    /// What they earn.
    earned: Vec<i64>,
    /// Bit by bit, which of the first 64 are known.
    known: u64,
}

/// Where a side comes from.
#[derive(Debug)]
struct Last {
    node: u32,
    /// [`Listed::stamp`], and the place of the inputs in the memory of parts.
    stamp: u64,
    place: u32,
    side: Arc<Side>,
}

/// What is known at one node.
#[derive(Debug, Default)]
struct Known {
    actions: [Numbers; 2],
    /// For a context the lines of the rows, by their numbers; [`UNKNOWN`] for one without.
    lines: Memory<u32>,
    /// What neither decides, and the parts by choices.
    common: Memory<Words>,
    parts: [Memory<Words>; 2],
    /// For each place in the memory of parts the side that was last filled in.
    sides: [Vec<Arc<Side>>; 2],
    /// The least and the greatest change of each accumulator.
    spans: SmallVec<[(i64, i64); 4]>,
}

/// What is remembered by some bits of a state and an action.
#[derive(Debug, Default)]
struct Memory<T> {
    places: FxHashMap<Words, u32>,
    /// For each place and action.
    all: Vec<Vec<T>>,
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
/// How many places the lines may have before they are given up.
const MOST_PLACES: usize = 1 << 20;

impl<T> Memory<T> {
    /// The place of a state.
    fn place(&mut self, bits: &[u64], state: &[u64]) -> u32 {
        if let Some((last, place)) = &self.last
            && masked(state, bits).eq(last.iter().copied())
        {
            return *place;
        }
        let bits: Words = masked(state, bits).collect();
        let next = self.all.len() as u32;
        let place = *self.places.entry(bits.clone()).or_insert(next);
        if place == next {
            self.all.push(Vec::new());
            self.size += 1;
        }
        self.last = Some((bits, place));
        place
    }

    /// What is remembered of an action at a place; `nothing` where that is nothing yet.
    fn cell(&mut self, place: u32, action: u32, nothing: impl FnMut() -> T) -> &mut T {
        let (row, action) = (&mut self.all[place as usize], action as usize);
        if action >= row.len() {
            self.size += action + 1 - row.len();
            row.resize_with(action + 1, nothing);
        }
        &mut row[action]
    }
}

impl Numbers {
    fn of(&mut self, action: &Action) -> u32 {
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
        *number
    }
}

impl Line {
    fn get(&self, column: u32) -> u32 {
        let change = self.changes.get(column as usize);
        change.copied().unwrap_or(UNKNOWN)
    }

    /// Returns how many places more there are.
    fn set(&mut self, column: u32, change: u32, earned: i64) -> usize {
        let before = self.changes.len();
        if column as usize >= before {
            self.changes.resize(column as usize + 1, UNKNOWN);
            self.earned.resize(column as usize + 1, 0);
        }
        self.changes[column as usize] = change;
        self.earned[column as usize] = earned;
        self.known |= bit(column);
        self.changes.len() - before
    }

    /// Whether the changes of all columns are known; `bits` are those of the first 64 columns.
    fn knows(&self, columns: &[u32], bits: u64) -> bool {
        let first = bits & !self.known == 0;
        let wide = |c: &&u32| **c >= 64;
        first && columns.iter().filter(wide).all(|&c| self.get(c) != UNKNOWN)
    }
}

/// The bit of a column, if it is one of the first 64.
fn bit(column: u32) -> u64 {
    1u64.checked_shl(column).unwrap_or(0)
}

fn masked(words: &[u64], bits: &[u64]) -> impl Iterator<Item = u64> {
    std::iter::zip(words, bits).map(|(w, m)| w & m)
}

impl Stepper<'_> {
    /// The successors of the start as a product, where two players choose at once and it is one; false where it is not. The
    /// actions are those that [`Stepper::list_again`] gave for both, the first in seating order first. `rewards` are those of
    /// the player for whom [`Stepper::earned`] tells them, every time the same.
    ///
    /// # Errors
    /// As [`Stepper::step`].
    pub fn product(
        &mut self,
        actions: [&Listed; 2],
        rewards: &Rewards,
        product: &mut Product,
    ) -> Result<bool, PlayError> {
        let (Some(parts), Some(state)) = (self.independent_choices(), self.state()) else {
            return Ok(false);
        };
        let (node, before) = (state.node, state.words.clone());
        if before.is_empty() {
            return Ok(false);
        }
        let mut pairs = std::mem::take(&mut self.pairs);
        let filled = self.fill(
            &mut pairs,
            (parts, rewards),
            (node, &before),
            actions,
            product,
        );
        self.pairs = pairs;
        filled
    }

    /// As [`Stepper::product`] for a state of parts.
    fn fill(
        &mut self,
        pairs: &mut Pairs,
        (parts, rewards): (&IndependentChoices, &Rewards),
        (node, before): (u32, &[u64]),
        actions: [&Listed; 2],
        product: &mut Product,
    ) -> Result<bool, PlayError> {
        let known = pairs.nodes.entry(node).or_default();
        let safe = known.is_safe(parts, before);
        self.fill_common(parts, before, actions, known, product)?;
        let [first, second] = &mut pairs.last;
        product.rows = self.side((0, parts), (node, before), actions, known, first)?;
        product.columns = self.side((1, parts), (node, before), actions, known, second)?;
        self.fill_lines((parts, rewards), before, actions, (node, pairs), product)?;
        // What is known of other states may say no where this one has no such pair.
        Ok(safe || pairs.fit(parts, before, product))
    }

    /// What a change of a [`Product`] adds to the words of the accumulators, in wrapping arithmetic. Changes are numbered from
    /// 0, and equal ones have the same number.
    pub fn change(&self, number: u32) -> &[u64] {
        &self.pairs.changes[number as usize].words
    }

    /// The numbers of the changes of a line of a [`Product`], by the numbers of its columns. For other columns what stands
    /// there means nothing.
    pub fn changes(&self, line: u32) -> &[u32] {
        &self.pairs.lines[line as usize].changes
    }

    /// What a player earns by the changes of a line, in the same places.
    pub fn earned(&self, line: u32) -> &[i64] {
        &self.pairs.lines[line as usize].earned
    }

    /// Gives up the lines where they have become too many. Those of earlier products are no more then.
    pub fn forget_lines(&mut self) {
        if self.pairs.size > MOST_PLACES {
            self.pairs.lines.clear();
            self.pairs.size = 0;
            let nodes = self.pairs.nodes.values_mut();
            nodes.for_each(|known| known.lines = Memory::default());
        }
    }

    fn fill_common(
        &mut self,
        parts: &IndependentChoices,
        before: &[u64],
        [first, second]: [&Listed; 2],
        known: &mut Known,
        product: &mut Product,
    ) -> Result<(), PlayError> {
        let common = &parts.parts[2];
        let memory = &mut known.common;
        if memory.size > MOST {
            *memory = Memory::default();
        }
        let place = memory.place(&common.inputs, before);
        let found = memory.cell(place, 0, Words::new);
        if found.is_empty() {
            let mut words: SmallVec<[u64; 16]> = SmallVec::from_elem(0, before.len());
            let node = self.step(&[&first[0], &second[0]], &mut words)?;
            found.extend(masked(&words, &common.bits));
            found.push(u64::from(node));
        }
        product.common.clear();
        product.common.extend_from_slice(&found[..before.len()]);
        product.node = found[before.len()] as u32;
        Ok(())
    }

    /// The side of a player: as it is remembered, or after a step for each action that is new.
    fn side(
        &mut self,
        (player, parts): (usize, &IndependentChoices),
        (node, before): (u32, &[u64]),
        actions: [&Listed; 2],
        known: &mut Known,
        last: &mut Option<Last>,
    ) -> Result<Arc<Side>, PlayError> {
        let part = &parts.parts[player];
        let (memory, sides) = (&mut known.parts[player], &mut known.sides[player]);
        if memory.size > MOST {
            *memory = Memory::default();
            sides.clear();
            *last = None;
        }
        let place = memory.place(&part.inputs, before);
        let stamp = actions[player].stamp();
        if let Some(last) = last
            && (last.node, last.stamp, last.place) == (node, stamp, place)
        {
            return Ok(Arc::clone(&last.side));
        }
        if sides.len() <= place as usize {
            sides.resize_with(place as usize + 1, Arc::default);
        }
        let side = &mut sides[place as usize];
        let numbers = actions[player].iter();
        let numbers = numbers.map(|action| known.actions[player].of(action));
        if !numbers.eq(side.numbers.iter().copied()) {
            let mut new = Side::default();
            for action in actions[player].iter() {
                let number = known.actions[player].of(action);
                let found = memory.cell(place, number, Words::new);
                if found.is_empty() {
                    let mut words: SmallVec<[u64; 16]> = SmallVec::from_elem(0, before.len());
                    let mut pair = [&actions[0][0], &actions[1][0]];
                    pair[player] = action;
                    self.step(&pair, &mut words)?;
                    found.extend(masked(&words, &part.bits));
                }
                new.parts.extend_from_slice(found);
                new.numbers.push(number);
            }
            *side = Arc::new(new);
        }
        *last = Some(Last {
            node,
            stamp,
            place,
            side: Arc::clone(side),
        });
        Ok(Arc::clone(side))
    }

    fn fill_lines(
        &mut self,
        (parts, rewards): (&IndependentChoices, &Rewards),
        before: &[u64],
        [first, second]: [&Listed; 2],
        (node, pairs): (u32, &mut Pairs),
        product: &mut Product,
    ) -> Result<(), PlayError> {
        product.accumulated.clear();
        product
            .accumulated
            .extend(masked(before, &parts.accumulated));
        product.lines.clear();
        let columns = &product.columns.numbers;
        let wanted = columns.iter().fold(0, |bits, &c| bits | bit(c));
        let known = pairs.nodes.entry(node).or_default();
        let place = known.lines.place(&parts.context, before);
        for (action, &row) in std::iter::zip(first.iter(), &product.rows.numbers) {
            let number = known.lines.cell(place, row, || UNKNOWN);
            if *number == UNKNOWN {
                *number = pairs.lines.len() as u32;
                pairs.lines.push(Line::default());
                pairs.size += 1;
            }
            product.lines.push(*number);
            let line = &mut pairs.lines[*number as usize];
            if line.knows(columns, wanted) {
                continue;
            }
            for (other, &column) in std::iter::zip(second.iter(), columns) {
                if line.get(column) != UNKNOWN {
                    continue;
                }
                let mut words: SmallVec<[u64; 16]> = SmallVec::from_elem(0, before.len());
                self.step(&[action, other], &mut words)?;
                let accumulators = std::iter::zip(&mut known.spans, &parts.accumulators);
                let by = accumulators.map(|(span, (f, ..))| {
                    let by = f.read(&words).wrapping_sub(f.read(before)) as i64;
                    *span = (span.0.min(by), span.1.max(by));
                    by
                });
                let by = by.collect();
                let after = masked(&words, &parts.accumulated);
                let change = after.zip(&product.accumulated);
                let added = change.map(|(a, b)| a.wrapping_sub(*b)).collect();
                let change = Change { words: added, by };
                let number = *pairs.numbers.entry(change.clone()).or_insert_with(|| {
                    pairs.changes.push(change);
                    pairs.changes.len() as u32 - 1
                });
                pairs.size += line.set(column, number, rewards.between(before, &words));
            }
        }
        Ok(())
    }
}

impl Pairs {
    /// Whether no pair of a product takes an accumulator out of its range.
    fn fit(&self, parts: &IndependentChoices, before: &[u64], product: &Product) -> bool {
        let columns = &product.columns.numbers;
        let lines = product.lines.iter().map(|&line| &self.lines[line as usize]);
        let mut pairs = lines.flat_map(|line| columns.iter().map(|&column| line.get(column)));
        pairs.all(|number| {
            let by = &self.changes[number as usize].by;
            let mut accumulators = std::iter::zip(by, &parts.accumulators);
            accumulators.all(|(by, (field, lo, hi))| {
                let after = (field.read(before) as i64).saturating_add(*by);
                after >= *lo && after <= *hi
            })
        })
    }
}

impl Known {
    /// Whether no change that is known takes an accumulator out of its range.
    fn is_safe(&mut self, parts: &IndependentChoices, before: &[u64]) -> bool {
        self.spans.resize(parts.accumulators.len(), (0, 0));
        let mut accumulators = std::iter::zip(&self.spans, &parts.accumulators);
        accumulators.all(|((least, most), (field, lo, hi))| {
            let value = field.read(before) as i64;
            value.saturating_add(*least) >= *lo && value.saturating_add(*most) <= *hi
        })
    }
}
