//! All ways through a block, one after the other: depth first, with a stack of what is to be put back.
//!
//! Where an option is taken, what the loops over options still want and the statements change is *pushed*; where a way ends,
//! the last choice is *popped* and goes on with its next option.

use super::super::super::codes;
use super::super::noted::Noted;
use super::super::{Builder, MAX_FRAME};
use super::{Moving, Path};
use crate::ir::*;
use crate::model::{Choice, OneMove, VarId};
use rustc_hash::FxHashSet;

/// What the search is for.
#[derive(Copy, Clone)]
pub(super) enum Purpose {
    /// Emits every way; where one value is to be the greatest, what it lacks is the rank.
    List,
    /// Notes that there is one.
    Test { any: Slot },
}

/// A search that is being written.
pub(in super::super) struct Search {
    /// Goes back to the last choice.
    back: BlockId,
    /// A way ends here.
    pub(super) complete: BlockId,
    branches: Vec<Branch>,
}

/// A place where an option is taken.
struct Branch {
    /// The number of the option.
    number: Slot,
    /// Empty until the search is written.
    push: BlockId,
    /// Looks for the next option.
    next: BlockId,
}

impl Builder<'_> {
    /// Goes through all ways and leaves the state as it was; play goes on after it.
    pub(super) fn search(&mut self, one: &OneMove, path: &Path, purpose: Purpose) {
        let mark = self.temporaries;
        let most = std::mem::replace(&mut self.most_temporaries, mark);
        let kept = self.keep_aside(&one.body);
        let depth = self.scalar();
        let greatest = match purpose {
            Purpose::List => one.greatest.as_ref(),
            Purpose::Test { .. } => None,
        };
        let [start, complete, back, finish] = [(); 4].map(|()| self.new_block());
        self.jump(start);
        self.start(start);
        self.emit(Instr::Const {
            dst: depth,
            value: 0,
        });
        for slot in path.first..path.first + path.words {
            self.emit(Instr::Const {
                dst: slot,
                value: 0,
            });
        }
        let ready = self.current;
        let first = self.new_block();
        self.jump(first);
        self.start(first);
        self.moving = Some(Moving::Search(Search {
            back,
            complete,
            branches: Vec::new(),
        }));
        self.statements_of_move(one, complete);
        self.jump(complete);
        let branches = match self.moving.take() {
            Some(Moving::Search(search)) => search.branches,
            _ => Vec::new(),
        };
        // A way without a choice is no move.
        self.start(complete);
        let (way, more) = (self.new_block(), self.immediate(Op::Ne, depth, 0));
        self.branch(more, way, back);
        self.start(way);
        match purpose {
            Purpose::Test { any } => {
                self.emit(Instr::Const { dst: any, value: 1 });
                self.jump(finish);
            }
            Purpose::List => {
                let rank = greatest.map(|e| {
                    let value = self.unmarked(|b| b.value(e).slot);
                    self.immediate(Op::Mul, value, -1)
                });
                let words = path.first..path.first + path.words;
                self.emit(Instr::Emit {
                    alternative: 0,
                    parts: words.map(|slot| Operand { slot, words: 1 }).collect(),
                    weight: None,
                    rank,
                    bulk: None,
                });
                self.jump(back);
            }
        }
        let mut own = vec![depth];
        own.extend(path.first..path.first + path.words);
        if let Purpose::Test { any } = purpose {
            own.push(any);
        }
        self.write_stack(&branches, path, depth, ready, (first, back, finish), &own);
        self.start(finish);
        self.put_back(&kept);
        self.temporaries = mark;
        self.most_temporaries = self.most_temporaries.max(most);
    }

    /// A loop over the options of a choice; whatever is chosen, play goes on at `join`.
    pub(super) fn search_choice(&mut self, choice: &Choice, join: BlockId) {
        let Some(Moving::Search(search)) = &self.moving else {
            return;
        };
        let back = search.back;
        let mut taken = Vec::new();
        for (alternative, first) in self.numbers(choice) {
            for part in &alternative.parts {
                self.bind(part.local);
            }
            let effects = self.new_block();
            taken.push((alternative, effects));
            let mut branches = Vec::new();
            self.tuples(
                &alternative.parts,
                alternative.cond.as_ref(),
                0,
                &mut |b, values, _| {
                    let number = b.number_of(alternative, values, first);
                    let (push, next) = (b.new_block(), b.new_block());
                    b.jump(push);
                    b.start(push);
                    b.jump(effects);
                    b.start(next);
                    branches.push(Branch { number, push, next });
                },
            );
            if let Some(Moving::Search(search)) = &mut self.moving {
                search.branches.extend(branches);
            }
        }
        self.jump(back);
        for (alternative, effects) in taken {
            self.start(effects);
            self.stores(&alternative.parts);
            self.block(&alternative.body);
            self.jump(join);
        }
    }

    /// The number of an option by its values.
    fn number_of(
        &mut self,
        alternative: &crate::model::Alternative,
        values: &[Operand],
        first: u64,
    ) -> Slot {
        let number = self.number(0);
        for (part, value) in alternative.parts.iter().zip(values) {
            let (least, size) = self.least_and_size(part.local);
            let so_far = self.immediate(Op::Mul, number, size as i64);
            let ordinal = self.immediate(Op::Sub, value.slot, least);
            self.emit(Instr::Binary {
                op: Op::Add,
                dst: number,
                a: so_far,
                b: ordinal,
            });
        }
        self.emit(Instr::Immediate {
            op: Op::Add,
            dst: number,
            a: number,
            value: first as i64,
        });
        number
    }

    /// Writes what is pushed and popped, now that it is known what there is to be put back. `own`: slots of the search
    /// itself.
    fn write_stack(
        &mut self,
        branches: &[Branch],
        path: &Path,
        depth: Slot,
        ready: BlockId,
        (first, back, finish): (BlockId, BlockId, BlockId),
        own: &[Slot],
    ) {
        let nexts: Vec<BlockId> = branches.iter().map(|b| b.next).collect();
        let ends = [back, finish];
        let rows = path.most;
        let all = self.saved(first, &nexts, &ends, own);
        let blocks = self.reached(first, &nexts, &ends);
        let pushes = branches.iter().map(|branch| branch.push).collect();
        let noted = self.noted(&self.vars_in(&all), &blocks, &pushes);
        let saved = match noted.is_empty() {
            true => all,
            false => {
                let noted = noted.iter().flat_map(Noted::slots);
                let own: Vec<Slot> = own.iter().copied().chain(noted).collect();
                self.saved(first, &nexts, &ends, &own)
            }
        };
        let one = saved.iter().flatten().map(|range| u64::from(range.words));
        let notes: u64 = noted.iter().map(|var| var.notes(rows)).sum();
        let stack = (one.sum::<u64>() + u64::from(path.words) + 1) * u64::from(rows) + notes;
        if stack > u64::from(MAX_FRAME) {
            // The frame is refused with this size once the program is done.
            let stack = stack.min(1 << 30) as u32;
            self.most_temporaries = self.most_temporaries.max(stack);
            return;
        }
        self.temporaries = self.most_temporaries;
        let which = (branches.len() > 1).then(|| self.array(ready, 1, rows));
        let words = self.array(ready, path.words, rows);
        let arrays: Vec<Vec<(Operand, Slot)>> = saved
            .into_iter()
            .map(|ranges| {
                let arrays = ranges.into_iter().map(|range| {
                    let array = self.array(ready, u32::from(range.words), rows);
                    (range, array)
                });
                arrays.collect()
            })
            .collect();
        let notes = self.with_notes(&noted, ready, rows);
        let path_words = Operand {
            slot: path.first,
            words: path.words as u16,
        };
        let store = |b: &mut Self, base: Slot, src: Operand| {
            b.emit(Instr::Store {
                base,
                index: depth,
                src: src.slot,
                words: src.words,
                count: rows,
            });
        };
        for (i, (branch, ranges)) in branches.iter().zip(&arrays).enumerate() {
            self.start(branch.push);
            if let Some(which) = which {
                let slot = self.const_slot(i as i64);
                store(self, which, Operand { slot, words: 1 });
            }
            store(self, words, path_words);
            for (range, array) in ranges {
                store(self, *array, *range);
            }
            for notes in &notes {
                self.push_notes(notes, depth, rows);
            }
            self.append(path, depth, branch.number);
            self.emit(Instr::Immediate {
                op: Op::Add,
                dst: depth,
                a: depth,
                value: 1,
            });
        }
        self.start(back);
        let (pop, more) = (self.new_block(), self.immediate(Op::Ne, depth, 0));
        self.branch(more, pop, finish);
        self.start(pop);
        self.emit(Instr::Immediate {
            op: Op::Add,
            dst: depth,
            a: depth,
            value: -1,
        });
        let load = |b: &mut Self, base: Slot, dst: Operand| {
            b.emit(Instr::Load {
                dst: dst.slot,
                base,
                index: depth,
                words: dst.words,
                count: rows,
            });
        };
        load(self, words, path_words);
        for notes in &notes {
            self.pop_notes(notes, depth, rows);
        }
        let number = which.map(|which| {
            let slot = self.scalar();
            load(self, which, Operand { slot, words: 1 });
            slot
        });
        for (i, (branch, ranges)) in branches.iter().zip(&arrays).enumerate() {
            let other = match number {
                Some(number) if i + 1 < branches.len() => Some(self.match_arm(number, &[i as i64])),
                _ => None,
            };
            for (range, array) in ranges {
                load(self, *array, *range);
            }
            self.jump(branch.next);
            if let Some(other) = other {
                self.start(other);
            }
        }
        if branches.is_empty() {
            self.jump(finish);
        }
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

    /// Puts a number at its place in the move.
    fn append(&mut self, path: &Path, depth: Slot, number: Slot) {
        let factor = self.at_depth(path.factors, depth);
        let (shifted, base) = (self.scalar(), path.first);
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

    /// Copies the variables that statements store to.
    pub(super) fn keep_aside(&mut self, body: &crate::model::Block) -> Vec<(VarId, Slot)> {
        let kept = self.aside_of(body);
        for (var, aside) in &kept {
            self.copy_variable(*var, *aside, false);
        }
        kept
    }

    pub(super) fn put_back(&mut self, kept: &[(VarId, Slot)]) {
        for (var, aside) in kept {
            self.copy_variable(*var, *aside, true);
        }
    }

    /// The error of a move that is none.
    pub(super) fn no_such_way(&mut self, span: crate::text::span::Span) -> FaultId {
        self.fault(
            codes::ILLEGAL_MOVE,
            span,
            "a move that was not among the options",
        )
    }
}
