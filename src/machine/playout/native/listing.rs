//! Tuples that listings emit, and sampling from them.
//!
//! Each emission is a record: the weight of all before it, the number of its shape, the weight of one of its tuples where
//! tuples have weights, and then the words that decide which tuples it stands for. All records of a function are of the same
//! length. A number below the total weight leads to the last record with no more before it, and that minus what is before
//! it to the tuple among those of the record.

use super::super::group::Group;
use super::code::{Helper, at};
use super::lower::Lower;
use super::terms::said_of;
use crate::compile::optimise::successors;
use crate::compile::playout::{Flow, Taken};
use crate::ir::*;
use crate::machine::interpret::Values;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use cranelift_frontend::Switch;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// What the record of an emission consists of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Shape {
    alternative: u32,
    /// How many words the parts have that are the same for all of its tuples, and all of these together.
    whole: Vec<u16>,
    whole_words: usize,
    weighted: bool,
    pub bulk: BulkShape,
}

/// What follows the parts.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum BulkShape {
    One,
    /// The set.
    Elements(u16, i64),
    /// The sets.
    Pairs((u16, i64), (u16, i64)),
    /// The number of elements, and the set.
    Subsets(u16),
}

impl Shape {
    fn of(instr: &Instr) -> Option<Shape> {
        let Instr::Emit {
            alternative,
            parts,
            weight,
            bulk,
            ..
        } = instr
        else {
            return None;
        };
        let whole = parts.len().saturating_sub(bulk.map_or(0, |b| b.parts()));
        let whole: Vec<u16> = parts[..whole].iter().map(|part| part.words).collect();
        Some(Shape {
            alternative: *alternative,
            whole_words: whole.iter().map(|w| usize::from(*w)).sum(),
            whole,
            weighted: weight.is_some(),
            bulk: match bulk {
                None => BulkShape::One,
                Some(Bulk::Elements { set, lo }) => BulkShape::Elements(set.words, *lo),
                Some(Bulk::Pairs { first, second }) => {
                    BulkShape::Pairs((first.0.words, first.1), (second.0.words, second.1))
                }
                Some(Bulk::Subsets { set, .. }) => BulkShape::Subsets(set.words),
            },
        })
    }

    /// The words of a record.
    fn width(&self) -> usize {
        let bulk = match self.bulk {
            BulkShape::One => 0,
            BulkShape::Elements(words, _) => usize::from(words),
            BulkShape::Pairs((a, _), (b, _)) => usize::from(a) + usize::from(b),
            BulkShape::Subsets(words) => 1 + usize::from(words),
        };
        2 + usize::from(self.weighted) + self.whole_words + bulk
    }

    /// Whether it may be of one of these alternatives with these parts.
    fn is_of(&self, alternatives: &[Vec<Operand>]) -> bool {
        let Some(parts) = alternatives.get(self.alternative as usize) else {
            return false;
        };
        let bulk = match self.bulk {
            BulkShape::One => 0,
            BulkShape::Elements(..) | BulkShape::Subsets(_) => 1,
            BulkShape::Pairs(..) => 2,
        };
        let whole = parts.iter().map(|part| part.words);
        parts.len() == self.whole.len() + bulk
            && whole.zip(&self.whole).all(|(words, own)| words == *own)
    }

    /// Whether a record is always one tuple with the weight 1.
    fn is_single(&self) -> bool {
        self.bulk == BulkShape::One && !self.weighted
    }

    pub fn is_weighted(&self) -> bool {
        self.weighted
    }

    /// How many words of a record stand before the bulk.
    pub fn before_bulk(&self) -> i32 {
        2 + i32::from(self.weighted) + self.whole_words as i32
    }

    /// Whether the weights of many records may come to more than a word holds.
    fn is_heavy(&self) -> bool {
        self.weighted || matches!(self.bulk, BulkShape::Subsets(_))
    }
}

/// The tuples of a record; `None` where that is none.
#[inline]
pub(super) fn group<'a>(shapes: &[Shape], record: &'a [u64]) -> Option<Group<'a>> {
    let shape = shapes.get(*record.get(1)? as usize)?;
    let (weight, rest) = match shape.weighted {
        true => (*record.get(2)?, record.get(3..)?),
        false => (1, record.get(2..)?),
    };
    let (whole, rest) = rest.split_at_checked(shape.whole_words)?;
    let bulk = match shape.bulk {
        BulkShape::One => None,
        BulkShape::Elements(words, lo) => {
            Some(Values::Elements(rest.get(..usize::from(words))?, lo))
        }
        BulkShape::Pairs((a, lo), (b, other)) => {
            let (one, rest) = rest.split_at_checked(usize::from(a))?;
            Some(Values::Pairs(
                (one, lo),
                (rest.get(..usize::from(b))?, other),
            ))
        }
        BulkShape::Subsets(words) => {
            let (count, set) = rest.split_first()?;
            Some(Values::Subsets(set.get(..usize::from(words))?, *count))
        }
    };
    Some(Group {
        alternative: shape.alternative,
        whole,
        weight,
        bulk,
    })
}

/// All emissions of a flow.
#[derive(Default)]
pub(super) struct Listings {
    shapes: Vec<Shape>,
    number: FxHashMap<Shape, usize>,
    /// For each block the shapes whose records there may be where it begins.
    reaching: FxHashMap<BlockId, BTreeSet<usize>>,
    /// The shapes of the records that there may be at the point that is written.
    now: BTreeSet<usize>,
    at: Option<BlockId>,
    ranked: bool,
    /// Whether the records are those of other code.
    given: bool,
}

impl Listings {
    /// Of code that emits nothing, and goes through what others have emitted.
    pub fn given(shapes: &[Shape]) -> Listings {
        Listings {
            shapes: shapes.to_vec(),
            given: true,
            ..Listings::default()
        }
    }

    /// Whether there are no other shapes.
    pub fn are_all_of(&self, shapes: &[(usize, Shape)]) -> bool {
        self.shapes.len() == shapes.len()
    }

    pub fn are_given(&self) -> bool {
        self.given
    }

    pub fn new(flow: &Flow, order: &[BlockId]) -> Listings {
        let mut listings = Listings::default();
        for instr in order.iter().flat_map(|b| &flow.blocks[b.0 as usize].instrs) {
            listings.ranked |= matches!(instr, Instr::Emit { rank: Some(_), .. });
            if let Some(shape) = Shape::of(instr) {
                let next = listings.shapes.len();
                let number = *listings.number.entry(shape.clone()).or_insert(next);
                if number == next {
                    listings.shapes.push(shape);
                }
            }
        }
        if !listings.shapes.is_empty() {
            listings.reach(flow, order);
        }
        listings
    }

    /// Finds out which records may be there where.
    fn reach(&mut self, flow: &Flow, order: &[BlockId]) {
        let mut waiting: Vec<BlockId> = order.iter().rev().copied().collect();
        while let Some(block) = waiting.pop() {
            let mut found = self.reaching.entry(block).or_default().clone();
            let block = &flow.blocks[block.0 as usize];
            for instr in &block.instrs {
                self.pass(instr, &mut found);
            }
            for to in successors(&block.term) {
                let there = self.reaching.entry(to).or_default();
                let before = there.len();
                there.extend(&found);
                if there.len() > before {
                    waiting.push(to);
                }
            }
        }
    }

    fn pass(&self, instr: &Instr, found: &mut BTreeSet<usize>) {
        match instr {
            Instr::Emit { .. } => {
                let shape = Shape::of(instr);
                found.extend(shape.and_then(|s| self.number.get(&s)).copied());
            }
            Instr::Sample(code) if matches!(**code, SampleCode::Tuple { .. }) => found.clear(),
            _ => {}
        }
    }

    /// What records may look like, by the number in them.
    pub fn into_shapes(self) -> Vec<Shape> {
        self.shapes
    }

    /// The length of records in words.
    pub fn stride(&self) -> usize {
        self.shapes.iter().map(Shape::width).max().unwrap_or(2)
    }
}

impl Lower<'_, '_> {
    /// The shapes of the records that may be there, at the point in the block that is written where `instr` stands.
    fn pass_listing(&mut self, instr: Option<&Instr>) -> BTreeSet<usize> {
        if self.listings.at != Some(self.block) {
            self.listings.at = Some(self.block);
            let reaching = self.listings.reaching.get(&self.block);
            self.listings.now = reaching.cloned().unwrap_or_default();
        }
        let mut now = std::mem::take(&mut self.listings.now);
        let before = now.clone();
        match instr {
            Some(instr) => self.listings.pass(instr, &mut now),
            None => now.clear(),
        }
        self.listings.now = now;
        before
    }

    pub fn emit(&mut self, instr: &Instr) {
        let (
            Some(shape),
            Instr::Emit {
                parts,
                weight,
                rank,
                bulk,
                ..
            },
        ) = (Shape::of(instr), instr)
        else {
            return;
        };
        self.pass_listing(Some(instr));
        let after = rank.map(|rank| self.rank(rank));
        let count = self.load(self.ctx, at::COUNT);
        let to = self.new_record(count);
        let total = self.load(self.ctx, at::TOTAL);
        let number = self.listings.number.get(&shape).copied().unwrap_or(0);
        let number = self.int(number as i64);
        let mut values = vec![total, number];
        let mut each = None;
        if let Some(weight) = weight {
            let weight = self.get(*weight);
            each = Some(weight);
            values.push(weight);
        }
        for part in &parts[..shape.whole.len()] {
            values.extend(self.words(*part));
        }
        let many = match bulk {
            None => None,
            Some(Bulk::Elements { set, .. }) => {
                let words = self.words(*set);
                let size = self.count(&words);
                values.extend(words);
                Some(size)
            }
            Some(Bulk::Pairs { first, second }) => {
                let (a, b) = (self.words(first.0), self.words(second.0));
                let (one, other) = (self.count(&a), self.count(&b));
                values.extend(a);
                values.extend(b);
                Some(self.b.ins().imul(one, other))
            }
            Some(Bulk::Subsets { set, count }) => {
                let words = self.words(*set);
                let size = self.count(&words);
                let count = self.get(*count);
                let ways = self.call(Helper::Choose, &[size, count]);
                values.push(count);
                values.extend(words);
                ways
            }
        };
        for (w, value) in values.into_iter().enumerate() {
            self.store(value, to, 8 * w as i32);
        }
        let weight = match (each, many) {
            (None, None) => self.int(1),
            (Some(one), None) | (None, Some(one)) => one,
            (Some(each), Some(many)) => self.saturating_product(each, many),
        };
        let mut sum = self.b.ins().iadd(total, weight);
        if shape.is_heavy() {
            let over = self.b.ins().icmp(IntCC::UnsignedLessThan, sum, total);
            let most = self.int(-1);
            sum = self.b.ins().select(over, most, sum);
        }
        self.store(sum, self.ctx, at::TOTAL);
        let more = self.b.ins().iadd_imm_s(count, 1);
        self.store(more, self.ctx, at::COUNT);
        if let Some(after) = after {
            self.jump(after, &[]);
            self.begin(after);
        }
    }

    fn saturating_product(&mut self, a: Value, b: Value) -> Value {
        let (high, low) = (self.b.ins().umulhi(a, b), self.b.ins().imul(a, b));
        let most = self.int(-1);
        self.b.ins().select(high, most, low)
    }

    /// Goes on only if the rank of a tuple is none of the greater ones. Returns the block where others go on.
    fn rank(&mut self, rank: Slot) -> cranelift_codegen::ir::Block {
        let rank = self.get(rank);
        let least = self.load(self.ctx, at::RANK);
        let after = self.b.create_block();
        let (here, less) = (self.b.create_block(), self.b.create_block());
        let go = self.b.create_block();
        let more = self.b.ins().icmp(IntCC::SignedGreaterThan, rank, least);
        self.b.ins().brif(more, after, &[], here, &[]);
        self.begin(here);
        let fewer = self.b.ins().icmp(IntCC::SignedLessThan, rank, least);
        self.b.ins().brif(fewer, less, &[], go, &[]);
        self.begin(less);
        self.forget();
        self.store(rank, self.ctx, at::RANK);
        self.jump(go, &[]);
        self.begin(go);
        after
    }

    /// Forgets all records.
    fn forget(&mut self) {
        let zero = self.int(0);
        self.store(zero, self.ctx, at::TOTAL);
        self.store(zero, self.ctx, at::COUNT);
        if self.listings.ranked {
            let most = self.int(i64::MAX);
            self.store(most, self.ctx, at::RANK);
        }
    }

    /// Where the record with a number is.
    pub fn record(&mut self, number: Value) -> Value {
        let first = self.load(self.ctx, at::FIRST);
        let length = 8 * self.listings.stride() as i64;
        let over = self.b.ins().imul_imm_s(number, length);
        self.b.ins().iadd(first, over)
    }

    /// Where the next record goes, with room for it.
    fn new_record(&mut self, count: Value) -> Value {
        let capacity = self.load(self.ctx, at::CAPACITY);
        let room = self.b.ins().icmp(IntCC::UnsignedLessThan, count, capacity);
        let (go, full) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(full);
        self.b.ins().brif(room, go, &[], full, &[]);
        self.begin(full);
        let stride = self.int(self.listings.stride() as i64);
        self.call(Helper::Grow, &[self.ctx, stride]);
        self.jump(go, &[]);
        self.begin(go);
        self.record(count)
    }

    /// Takes one of the tuples and forgets all.
    pub fn tuple(&mut self, chosen: Slot, alternatives: &[Vec<Operand>], fault: FaultId) {
        let reaching: Vec<usize> = self.pass_listing(None).into_iter().collect();
        let shapes: Vec<(usize, Shape)> = reaching
            .into_iter()
            .map(|i| (i, self.listings.shapes[i].clone()))
            .collect();
        let total = self.load(self.ctx, at::TOTAL);
        self.expect_or(total, said_of(fault));
        if shapes.iter().any(|(_, shape)| shape.is_heavy()) {
            let fits = self.compare(IntCC::NotEqual, total, -1);
            self.expect(fits, Self::too_many);
        }
        let k = self.below_number(total);
        let single = shapes.iter().all(|(_, shape)| shape.is_single());
        self.take_of((&shapes, single), (chosen, alternatives), k);
    }

    /// Puts into the frame the tuple that a number leads to, of those that a run before has left, and forgets all.
    pub fn take_number(&mut self, taken: &Taken, k: Value) {
        let shapes = self.shapes_of(taken);
        // There may be records of others, which stand for nothing: of a choice that turned out to have no option.
        let single = self.listings.shapes.iter().all(Shape::is_single);
        self.take_of((&shapes, single), (taken.chosen, &taken.alternatives), k);
        self.spill_taken(taken);
    }

    /// The shapes that records of what is taken may have.
    pub fn shapes_of(&self, taken: &Taken) -> Vec<(usize, Shape)> {
        let all = self.listings.shapes.iter().cloned().enumerate();
        all.filter(|(_, shape)| shape.is_of(&taken.alternatives))
            .collect()
    }

    /// Puts into the frame what was taken.
    pub fn spill_taken(&mut self, taken: &Taken) {
        self.spill(taken.chosen);
        for part in taken.alternatives.iter().flatten() {
            (part.slot..part.slot + u32::from(part.words)).for_each(|slot| self.spill(slot));
        }
    }

    /// Takes the tuple that a number leads to, of records of these shapes with their numbers, and forgets all. `single`: each
    /// record that is there is one tuple.
    fn take_of(
        &mut self,
        (shapes, single): (&[(usize, Shape)], bool),
        (chosen, alternatives): (Slot, &[Vec<Operand>]),
        k: Value,
    ) {
        let number = match single {
            true => k,
            false => self.find(k),
        };
        let record = self.record(number);
        self.forget();
        match shapes {
            [] => {}
            [(_, shape)] => self.take(shape, (chosen, alternatives), (record, number, k)),
            _ => {
                let (done, none) = (self.b.create_block(), self.b.create_block());
                let arms: Vec<_> = shapes.iter().map(|_| self.b.create_block()).collect();
                let mut switch = Switch::new();
                for ((i, _), arm) in shapes.iter().zip(&arms) {
                    switch.set_entry(*i as u128, *arm);
                }
                let tag = self.load(record, 8);
                self.b.set_cold_block(none);
                switch.emit(&mut self.b, tag, none);
                self.begin(none);
                self.bad_index();
                for ((_, shape), arm) in std::iter::zip(shapes, arms) {
                    self.begin(arm);
                    self.take(shape, (chosen, alternatives), (record, number, k));
                    self.jump(done, &[]);
                }
                self.begin(done);
            }
        }
    }

    /// The number of the last record with at most `k` before it.
    fn find(&mut self, k: Value) -> Value {
        let count = self.load(self.ctx, at::COUNT);
        let (head, body, done) = (
            self.b.create_block(),
            self.b.create_block(),
            self.b.create_block(),
        );
        // From `first` on there are `length` records, of which it is one.
        let first = self.b.append_block_param(head, types::I64);
        let length = self.b.append_block_param(head, types::I64);
        let zero = self.int(0);
        self.jump(head, &[zero, count]);
        self.b.switch_to_block(head);
        let several = self
            .b
            .ins()
            .icmp_imm_u(IntCC::UnsignedGreaterThan, length, 1);
        self.b.ins().brif(several, body, &[], done, &[]);
        self.begin(body);
        let half = self.b.ins().ushr_imm_u(length, 1);
        let middle = self.b.ins().iadd(first, half);
        let record = self.record(middle);
        let before = self.load(record, 0);
        let later = self.b.ins().icmp(IntCC::UnsignedLessThanOrEqual, before, k);
        let next = self.b.ins().select(later, middle, first);
        let rest = self.b.ins().isub(length, half);
        self.jump(head, &[next, rest]);
        self.b.seal_block(head);
        self.begin(done);
        first
    }

    /// Takes a tuple of a record: the one that `k` leads to.
    fn take(
        &mut self,
        shape: &Shape,
        (chosen, alternatives): (Slot, &[Vec<Operand>]),
        (record, number, k): (Value, Value, Value),
    ) {
        let rest = self.take_whole(shape, (chosen, alternatives), record);
        let at = shape.before_bulk();
        if shape.bulk == BulkShape::One {
            return;
        }
        let before = self.load(record, 0);
        let mut rank = self.b.ins().isub(k, before);
        if shape.weighted {
            let each = self.load(record, 16);
            let one = self.int(1);
            let each = self.b.ins().umax(each, one);
            rank = self.b.ins().udiv(rank, each);
        }
        match (&shape.bulk, rest) {
            (BulkShape::Elements(words, lo), [last]) => {
                let set = self.record_words(record, at, *words);
                self.take_element(last.slot, &set, *lo, rank);
            }
            (BulkShape::Pairs((a, lo), (b, other)), [first, second]) => {
                let one = self.record_words(record, at, *a);
                let two = self.record_words(record, at + i32::from(*a), *b);
                let size = self.count(&two);
                let least = self.int(1);
                let size = self.b.ins().umax(size, least);
                let which = self.b.ins().udiv(rank, size);
                let over = self.b.ins().imul(which, size);
                let rest = self.b.ins().isub(rank, over);
                self.take_element(first.slot, &one, *lo, which);
                self.take_element(second.slot, &two, *other, rest);
            }
            (BulkShape::Subsets(words), [last]) => {
                let count = self.load(record, 8 * at);
                let length = self.listings.stride() as i64;
                let over = self.b.ins().imul_imm_s(number, length);
                let from = self.b.ins().iadd_imm_s(over, i64::from(at) + 1);
                let to = self.int(i64::from(last.slot));
                let width = self.int(i64::from(*words));
                self.call(Helper::Subset, &[self.ctx, to, width, from, count, rank]);
                for w in 0..u32::from(last.words) {
                    self.reload(last.slot + w);
                }
            }
            _ => {}
        }
    }

    /// Takes the number of the alternative and the parts that are the same for all tuples of a record. Returns the others.
    pub fn take_whole<'p>(
        &mut self,
        shape: &Shape,
        (chosen, alternatives): (Slot, &'p [Vec<Operand>]),
        record: Value,
    ) -> &'p [Operand] {
        let alternative = self.int(i64::from(shape.alternative));
        self.set(chosen, alternative);
        let parts = alternatives.get(shape.alternative as usize);
        let parts = parts.map_or(&[][..], |parts| &parts[..]);
        let mut at = 2 + i32::from(shape.weighted);
        let (whole, rest) = parts.split_at(shape.whole.len().min(parts.len()));
        for part in whole {
            for w in 0..u32::from(part.words) {
                let value = self.load(record, 8 * at);
                self.set(part.slot + w, value);
                at += 1;
            }
        }
        rest
    }

    fn record_words(&mut self, record: Value, at: i32, words: u16) -> Vec<Value> {
        (0..i32::from(words))
            .map(|w| self.load(record, 8 * (at + w)))
            .collect()
    }

    fn take_element(&mut self, slot: Slot, set: &[Value], lo: i64, rank: Value) {
        let (element, _) = self.nth(set, rank);
        let value = self.moved(element, lo);
        let last = 64 * set.len() as i64 - 1;
        if let Some(hi) = lo.checked_add(last) {
            self.bounded(value, lo, hi);
        }
        self.set(slot, value);
    }
}
