//! All ways through a block, one after the other: depth first, with a stack of what is to be put back.
//!
//! Where an option is taken, what the loops over options still want and the statements change is *pushed*; where a way ends,
//! the last choice is *popped* and goes on with its next option.

use super::super::super::codes;
use super::super::Builder;
use super::{Moving, Path, stack};
use crate::ir::*;
use crate::model::{Choice, OneMove, VarId};

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
        let frame = stack::Frame {
            path,
            depth,
            ready,
            back,
            finish,
            put_back: kept.iter().map(|(var, _)| *var).collect(),
        };
        self.write_stack(&branches, first, &frame, &own);
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
