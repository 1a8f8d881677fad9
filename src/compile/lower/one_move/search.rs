//! All ways through a block, one after the other: depth first, with a stack of what is to be put back.
//!
//! Where an option is taken, what the loops over options still want and the statements change is *pushed*; where a way ends,
//! the last choice is *popped* and goes on with its next option.

use super::super::super::codes;
use super::super::Builder;
use super::{Moving, Path, stack};
use crate::ir::*;
use crate::model::{Choice, OneMove, Part, VarId};

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
    path: Path,
    depth: Slot,
    /// Where the next number stands, if not there.
    place: Option<Slot>,
    purpose: Purpose,
    finish: BlockId,
}

impl Search {
    fn place(&self) -> Slot {
        self.place.unwrap_or(self.depth)
    }
}

/// A place where an option is taken.
pub(super) struct Branch {
    /// The number of the option.
    pub number: Slot,
    /// Empty until the search is written.
    pub push: BlockId,
    /// Looks for the next option.
    pub next: BlockId,
}

impl Builder<'_> {
    /// Goes through all ways and leaves the state as it was; play goes on after it.
    pub(super) fn search(&mut self, one: &OneMove, path: &Path, purpose: Purpose) {
        let mark = self.temporaries;
        let most = std::mem::replace(&mut self.most_temporaries, mark);
        let mut kept = self.aside_of(&one.body);
        let depth = self.scalar();
        let place = path.skips.then(|| self.scalar());
        let greatest = match purpose {
            Purpose::List => one.greatest.as_ref(),
            Purpose::Test { .. } => None,
        };
        let [start, complete, back, finish] = [(); 4].map(|()| self.new_block());
        self.jump(start);
        self.start(start);
        let words = path.first..path.first + path.words;
        for slot in std::iter::once(depth).chain(place).chain(words) {
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
            path: path.clone(),
            depth,
            place,
            purpose,
            finish,
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
                let last = path.last.map(|_| self.number(0));
                self.emit(Instr::Emit {
                    alternative: 0,
                    parts: way_of(path.first, path.words, last),
                    weight: None,
                    rank,
                    bulk: None,
                });
                self.jump(back);
            }
        }
        let mut own = vec![depth];
        own.extend(place);
        own.extend(path.first..path.first + path.words);
        if let Purpose::Test { any } = purpose {
            own.push(any);
        }
        let frame = stack::Frame {
            path,
            depth,
            place,
            ready,
            back,
            finish,
            put_back: kept.iter().map(|(var, _)| *var).collect(),
        };
        self.write_stack(&branches, first, &frame, &own);
        let written = self.written_in_search(first, &branches, [back, finish]);
        kept.retain(|(var, _)| written.contains(var));
        self.at_end_of(ready, |b| b.copy_aside(&kept));
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
        let (back, path) = (search.back, search.path.clone());
        if path.is_end(choice) {
            match search.purpose {
                Purpose::Test { any } => {
                    let finish = search.finish;
                    return self.test_end(choice, any, [back, finish]);
                }
                Purpose::List if path.last.is_some() => {
                    let place = search.place();
                    self.list_end(choice, &path, place);
                    return self.jump(back);
                }
                Purpose::List => {}
            }
        }
        let mut taken = Vec::new();
        for (alternative, first) in self.numbers(choice, &path) {
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
                    let number = b.number_of(&alternative.parts, values, first);
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

    /// A choice after which no other can come, where it is asked whether there is a way: there is if it has an option.
    fn test_end(&mut self, choice: &Choice, any: Slot, [back, finish]: [BlockId; 2]) {
        let (yes, option) = (self.new_block(), self.any_option(choice, None).any);
        self.branch(option, yes, back);
        self.start(yes);
        self.emit(Instr::Const { dst: any, value: 1 });
        self.jump(finish);
    }

    /// Lists the ways that end with a choice after which no other can come, whatever follows from its options.
    fn list_end(&mut self, choice: &Choice, path: &Path, place: Slot) {
        let numbered = self.has_number(choice, path);
        for (alternative, first) in self.numbers(choice, path) {
            let parts = &alternative.parts;
            for part in parts {
                self.bind(part.local);
            }
            let cond = alternative.cond.as_ref();
            self.tuples(parts, cond, parts.len().min(1), &mut |b, values, bulk| {
                let mut first_word = path.first;
                let earlier = values.len().saturating_sub(1);
                if numbered {
                    let number = b.number_of(&parts[..earlier], &values[..earlier], first);
                    first_word = b.stretch(path.words);
                    let words = Operand {
                        slot: first_word,
                        ..path.all()
                    };
                    b.copy(words, path.all());
                    b.append(path, first_word, place, number);
                }
                let least = parts
                    .last()
                    .map_or(0, |part| b.least_and_size(part.local).0);
                let (last, bulk) = match (bulk, values.last()) {
                    (Some(Bulk::Elements { set, lo }), Some(value)) => {
                        let lo = lo - least;
                        (value.slot, Some(Bulk::Elements { set, lo }))
                    }
                    (_, Some(value)) => (b.immediate(Op::Sub, value.slot, least), None),
                    (_, None) => (b.number(0), None),
                };
                b.emit(Instr::Emit {
                    alternative: 0,
                    parts: way_of(first_word, path.words, Some(last)),
                    weight: None,
                    rank: None,
                    bulk,
                });
            });
        }
    }

    /// A choice without an option, whose `else` is run.
    pub(super) fn leave_out(&mut self) {
        if let Some(Moving::Search(Search {
            place: Some(place), ..
        })) = self.moving
        {
            self.count_on(place, 1);
        }
    }

    /// The number of an option by its values.
    fn number_of(&mut self, parts: &[Part], values: &[Operand], first: u64) -> Slot {
        let number = self.number(0);
        for (part, value) in parts.iter().zip(values) {
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

    /// Copies the variables that statements store to.
    pub(super) fn keep_aside(&mut self, body: &crate::model::Block) -> Vec<(VarId, Slot)> {
        let kept = self.aside_of(body);
        self.copy_aside(&kept);
        kept
    }

    fn copy_aside(&mut self, kept: &[(VarId, Slot)]) {
        for (var, aside) in kept {
            self.copy_variable(*var, *aside, false);
        }
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

/// What a way is made of: its words, which lie side by side, and what stands at the end.
fn way_of(first: Slot, words: u32, last: Option<Slot>) -> Vec<Operand> {
    let slots = (first..first + words).chain(last);
    slots.map(|slot| Operand { slot, words: 1 }).collect()
}
