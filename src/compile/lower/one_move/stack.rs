//! What is pushed where an option is taken, and popped where a way ends.
//!
//! Where no other choice can come after an option, nothing is stacked: what is to be put back stays in slots of its own.

use super::super::expr::one;
use super::super::noted::{Noted, Notes};
use super::super::{Builder, MAX_FRAME};
use super::Path;
use super::saved::{Flow, ranges};
use super::search::Branch;
use crate::ir::*;
use crate::model::VarId;
use rustc_hash::FxHashSet;

/// The slots and blocks of a search that have to do with its stack.
pub(super) struct Frame<'p> {
    pub path: &'p Path,
    /// How many choices were made.
    pub depth: Slot,
    /// How many were made or left out, where any can be left out.
    pub place: Option<Slot>,
    /// What is made ready before the search is.
    pub ready: BlockId,
    /// Goes back to the last choice.
    pub back: BlockId,
    /// There is none.
    pub finish: BlockId,
    /// What is put back there.
    pub put_back: Vec<VarId>,
}

/// What is put back after an option of a branch, and where it is meanwhile.
struct Kept<'b> {
    branch: &'b Branch,
    ranges: Vec<(Operand, Slot)>,
}

/// Branches of which either all or none are last: no other choice comes after their options.
struct Branches<'b> {
    /// What is kept lies in slots, and else in arrays, with a row for each choice.
    last: bool,
    kept: Vec<Kept<'b>>,
    /// The notes on variables that change after any of them, and where it is kept how many there were.
    notes: Vec<(usize, Slot)>,
    /// Where the words of the move are kept.
    words: Slot,
    /// And the place of the next number.
    place: Option<Slot>,
}

impl Builder<'_> {
    /// Writes what is pushed and popped, now that it is known what there is to be put back. `own`: slots of the search
    /// itself.
    pub(super) fn write_stack(
        &mut self,
        branches: &[Branch],
        first: BlockId,
        frame: &Frame<'_>,
        own: &[Slot],
    ) {
        let ends = [frame.back, frame.finish];
        let rows = frame.path.most;
        let read = self.flow(first, branches, ends);
        self.without_unread_stores(&read, &frame.put_back);
        let flow = self.flow(first, branches, ends);
        let between: Vec<Vec<BlockId>> = branches.iter().map(|b| self.between(&flow, b)).collect();
        let pushes: FxHashSet<BlockId> = branches.iter().map(|branch| branch.push).collect();
        let lasts: Vec<bool> = between
            .iter()
            .map(|blocks| !blocks.iter().any(|block| pushes.contains(block)))
            .collect();
        // What may change between two choices is put back there, whatever it was that changed it: so it is not wanted on the way.
        let written: Vec<FxHashSet<Slot>> = std::iter::zip(&between, &lasts)
            .map(|(blocks, last)| self.written(if *last { blocks } else { &flow.blocks }))
            .collect();
        let saved_without = |others: &[Slot]| -> Vec<Vec<Operand>> {
            let written = std::iter::zip(branches, &written);
            let saved = written.map(|(branch, written)| flow.saved(branch, written, others));
            saved.collect()
        };
        let vars = self.vars_in(&saved_without(own));
        let noted = self.noted(&vars, &flow.blocks, &pushes, rows);
        let slots = noted.iter().flat_map(Noted::slots);
        let others: Vec<Slot> = own.iter().copied().chain(slots).collect();
        let saved = saved_without(&others);
        self.reserve_unsaved(&flow, branches, frame.ready, (&saved, &others));
        let words = u64::from(frame.path.words) + 1 + u64::from(frame.place.is_some());
        let stacked = std::iter::zip(&saved, &lasts).map(|(ranges, last)| {
            let one: u64 = ranges.iter().map(|range| u64::from(range.words)).sum();
            one * if *last { 1 } else { u64::from(rows) }
        });
        let notes: u64 = noted.iter().map(Noted::words).sum();
        let stack = stacked.sum::<u64>() + words * u64::from(rows) + notes;
        if stack > u64::from(MAX_FRAME) {
            // The frame is refused with this size once the program is done.
            let stack = stack.min(1 << 30) as u32;
            self.most_temporaries = self.most_temporaries.max(stack);
            return;
        }
        self.temporaries = self.most_temporaries;
        let notes = self.with_notes(&noted, frame.ready);
        let mut groups = [false, true].map(|last| {
            let rows = if last { 1 } else { rows };
            let of_it = |i: &usize| lasts[*i] == last;
            let own: Vec<usize> = (0..branches.len()).filter(of_it).collect();
            let kept = own.iter().map(|i| {
                let ranges = saved[*i].iter().map(|range| {
                    let words = u32::from(range.words);
                    (*range, self.array(frame.ready, words, rows))
                });
                Kept {
                    branch: &branches[*i],
                    ranges: ranges.collect(),
                }
            });
            let kept: Vec<Kept<'_>> = kept.collect();
            let changed = |var: &Noted| own.iter().any(|i| var.changes_in(&between[*i]));
            let changed = (0..noted.len()).filter(|var| changed(&noted[*var]));
            let notes = changed.map(|var| (var, self.array(frame.ready, 1, rows)));
            Branches {
                last,
                kept,
                notes: notes.collect(),
                words: self.array(frame.ready, frame.path.words, rows),
                place: frame.place.map(|_| self.array(frame.ready, 1, rows)),
            }
        });
        groups.reverse();
        let mut at = frame.back;
        for group in groups.iter().filter(|group| !group.kept.is_empty()) {
            at = self.write_branches(group, frame, &notes, at);
        }
        self.start(at);
        self.jump(frame.finish);
    }

    /// What is wanted where options are looked for and put back by nobody is as it was there, on the ways that are gone. As
    /// far as can be seen from the program there are others, on which it was never written.
    fn reserve_unsaved(
        &mut self,
        flow: &Flow<'_>,
        branches: &[Branch],
        ready: BlockId,
        (saved, own): (&[Vec<Operand>], &[Slot]),
    ) {
        let of_state = |slot: &Slot| {
            let words = |var: &VarSlots| var.base..var.base + var.elements * u32::from(var.words);
            self.vars.iter().any(|var| words(var).contains(slot))
        };
        let mut wanted: FxHashSet<Slot> = FxHashSet::default();
        for (branch, saved) in std::iter::zip(branches, saved) {
            let is_saved = |slot: &Slot| {
                let mut saved = saved.iter();
                saved.any(|r| (r.slot..r.slot + u32::from(r.words)).contains(slot))
            };
            let others = |slot: &Slot| !own.contains(slot) && !is_saved(slot) && !of_state(slot);
            wanted.extend(flow.wanted(branch).filter(others));
        }
        for range in ranges(wanted.into_iter().collect()) {
            let (dst, words) = (range.slot, u32::from(range.words));
            self.at_end_of(ready, |b| b.emit(Instr::Reserve { dst, words }));
        }
    }

    /// Where an option of some branches is taken, and from `at` where the way goes back from it. Returns where it goes if no
    /// option of theirs was the last that was taken.
    fn write_branches(
        &mut self,
        group: &Branches<'_>,
        frame: &Frame<'_>,
        notes: &[Notes],
        at: BlockId,
    ) -> BlockId {
        let row = (!group.last).then_some(frame);
        // Which of them it was, from 1 on; of the last choices 0 where it was none.
        let which = match (group.last, group.kept.len()) {
            (true, _) => Some(self.scalar()),
            (false, 0 | 1) => None,
            (false, _) => Some(self.array(frame.ready, 1, frame.path.most)),
        };
        let none = which
            .filter(|_| group.last)
            .map(|dst| Instr::Const { dst, value: 0 });
        if let Some(none) = &none {
            self.at_end_of(frame.ready, |b| b.emit(none.clone()));
        }
        for (kept, number) in std::iter::zip(&group.kept, 1..) {
            self.start(kept.branch.push);
            if let Some(which) = which {
                let slot = self.const_slot(number);
                self.keep(row, which, one(slot));
            }
            self.push(kept, group, frame, notes);
        }
        self.start(at);
        let (pop, other) = (self.new_block(), self.new_block());
        let taken = which.filter(|_| group.last).unwrap_or(frame.depth);
        let any = self.immediate(Op::Ne, taken, 0);
        self.branch(any, pop, other);
        self.start(pop);
        self.count_on(frame.depth, -1);
        self.fetch(row, group.words, frame.path.all());
        if let (Some(kept), Some(place)) = (group.place, frame.place) {
            self.fetch(row, kept, one(place));
        }
        for (var, array) in &group.notes {
            let until = self.scalar();
            self.fetch(row, *array, one(until));
            self.put_back_noted(&notes[*var], until);
        }
        let number = which.map(|which| {
            let number = self.scalar();
            self.fetch(row, which, one(number));
            number
        });
        none.into_iter().for_each(|none| self.emit(none));
        for (i, kept) in group.kept.iter().enumerate() {
            let more = number.filter(|_| i + 1 < group.kept.len());
            let next = more.map(|number| self.match_arm(number, &[i as i64 + 1]));
            for (range, array) in &kept.ranges {
                self.fetch(row, *array, *range);
            }
            self.jump(kept.branch.next);
            next.into_iter().for_each(|next| self.start(next));
        }
        other
    }

    fn push(&mut self, kept: &Kept<'_>, group: &Branches<'_>, frame: &Frame<'_>, notes: &[Notes]) {
        let row = (!group.last).then_some(frame);
        self.keep(row, group.words, frame.path.all());
        if let (Some(kept), Some(place)) = (group.place, frame.place) {
            self.keep(row, kept, one(place));
        }
        for (range, array) in &kept.ranges {
            self.keep(row, *array, *range);
        }
        for (var, array) in &group.notes {
            self.keep(row, *array, one(notes[*var].top));
        }
        let place = frame.place.unwrap_or(frame.depth);
        self.append(frame.path, frame.path.first, place, kept.branch.number);
        self.count_on(frame.depth, 1);
        frame
            .place
            .into_iter()
            .for_each(|place| self.count_on(place, 1));
    }

    /// Adds to what a slot counts.
    pub(super) fn count_on(&mut self, slot: Slot, by: i64) {
        self.emit(Instr::Immediate {
            op: Op::Add,
            dst: slot,
            a: slot,
            value: by,
        });
    }

    /// Keeps something: in the row of this choice, or in slots.
    fn keep(&mut self, row: Option<&Frame<'_>>, array: Slot, src: Operand) {
        let Some(frame) = row else {
            return self.copy(Operand { slot: array, ..src }, src);
        };
        self.emit(Instr::Store {
            base: array,
            index: frame.depth,
            src: src.slot,
            words: src.words,
            count: frame.path.most,
        });
    }

    /// Reads what is kept.
    fn fetch(&mut self, row: Option<&Frame<'_>>, array: Slot, dst: Operand) {
        let Some(frame) = row else {
            return self.copy(dst, Operand { slot: array, ..dst });
        };
        self.emit(Instr::Load {
            dst: dst.slot,
            base: array,
            index: frame.depth,
            words: dst.words,
            count: frame.path.most,
        });
    }

    /// The variables of which something is in some ranges.
    fn vars_in(&self, ranges: &[Vec<Operand>]) -> Vec<VarId> {
        let slots = ranges.iter().flatten();
        let slots: FxHashSet<Slot> = slots
            .flat_map(|range| range.slot..range.slot + u32::from(range.words))
            .collect();
        let wanted = |(_, var): &(usize, &VarSlots)| {
            let words = var.elements * u32::from(var.words);
            (var.base..var.base + words).any(|slot| slots.contains(&slot))
        };
        let vars = self.vars.iter().enumerate().filter(wanted);
        vars.map(|(i, _)| VarId(i as u32)).collect()
    }

    /// An array whose rows are written before they are read.
    pub(in super::super) fn array(&mut self, ready: BlockId, words: u32, rows: u32) -> Slot {
        let dst = self.stretch(words * rows);
        let words = words * rows;
        self.at_end_of(ready, |b| b.emit(Instr::Reserve { dst, words }));
        dst
    }

    /// Writes instructions at the end of a block that is finished.
    pub(in super::super) fn at_end_of(&mut self, block: BlockId, write: impl FnOnce(&mut Self)) {
        let term = self.blocks[block.0 as usize].term;
        self.start(block);
        write(self);
        self.terminate(term);
    }

    /// Puts a number at its place in the move whose words begin at `base`.
    pub(super) fn append(&mut self, path: &Path, base: Slot, depth: Slot, number: Slot) {
        let factor = self.at_depth(path.factors, depth);
        let shifted = self.scalar();
        self.emit(Instr::Binary {
            op: Op::Mul,
            dst: shifted,
            a: number,
            b: factor,
        });
        let add = |b: &mut Self, word: Slot| {
            b.emit(Instr::Binary {
                op: Op::Add,
                dst: word,
                a: word,
                b: shifted,
            });
        };
        if path.words == 1 {
            return add(self, base);
        }
        let index = self.at_depth(path.word_of, depth);
        let word = self.scalar();
        let count = path.words;
        self.emit(Instr::Load {
            dst: word,
            base,
            index,
            words: 1,
            count,
        });
        add(self, word);
        self.emit(Instr::Store {
            base,
            index,
            src: word,
            words: 1,
            count,
        });
    }
}
