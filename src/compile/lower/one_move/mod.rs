//! `one move { … }`: one node whose options are the ways through a block.
//!
//! The block is written several times. In the *search* a choice is a loop over its options with a stack, so that the code
//! comes to the end of the block once for each way (`search`); that lists the node. What follows from a move is the block
//! again, where a choice reads what was chosen from the move (`replay`), and so is the text of a move.
//!
//! A move is a list of numbers, one for each choice on the way: the option that was taken, from 1 on. They are packed into
//! words, the first in the highest bits, so that moves in order are ways in order.

mod replay;
pub(super) mod saved;
mod search;
mod stack;

use super::super::codes;
use super::{Builder, Loop};
use crate::ir::*;
use crate::model::types::Type;
use crate::model::{Alternative, Choice, LocalId, OneMove};

/// What is written where a choice of one move stands.
pub(super) enum Moving {
    Search(search::Search),
    Replay(replay::Replay),
}

/// How a move is packed.
#[derive(Clone)]
pub(super) struct Path {
    /// Its words, in slots side by side.
    first: Slot,
    words: u32,
    /// The bits of one number.
    bits: u32,
    per_word: u32,
    /// The most numbers.
    most: u32,
    /// For each place in the list what a number there is multiplied by, and its word.
    factors: u32,
    word_of: u32,
}

impl Builder<'_> {
    pub(super) fn one_move(&mut self, one: &OneMove) {
        let player = match self.constant(&one.chooser) {
            Some(words) => ArmPlayer::Fixed(words[0] as u8),
            None => ArmPlayer::Slot(self.value(&one.chooser).slot),
        };
        let chosen = self.chosen(1);
        let path = self.path(one);
        let join = self.new_block();
        let mut option_test = None;
        if let Some(otherwise) = &one.otherwise {
            let any = self.named("option", Type::Bool).slot;
            let (code, after) = (self.new_block(), self.new_block());
            self.jump(code);
            self.start(code);
            self.emit(Instr::Const { dst: any, value: 0 });
            self.search(one, &path, search::Purpose::Test { any });
            self.jump(after);
            self.start(after);
            option_test = Some(OptionTest { code, after, any });
            let (go, none) = (self.new_block(), self.new_block());
            self.branch(any, go, none);
            self.start(none);
            self.block(otherwise);
            self.jump(join);
            self.start(go);
        }
        let code = self.aside(|b| b.search(one, &path, search::Purpose::List));
        let text = self.unmarked(|b| b.way_text(one, &path));
        let fault = self.fault_with(
            codes::NO_OPTION,
            one.span,
            "there is no way to make this move",
            Some("add an `else { … }` to the move, or an option that is always open"),
        );
        let words = (path.first..path.first + path.words).map(|slot| Operand { slot, words: 1 });
        let words: Vec<Operand> = words.collect();
        let ty = path.word_type();
        let arm = Arm {
            player,
            active: None,
            listing: Listing {
                site: one.site,
                kind: ListingKind::Loop {
                    code,
                    weighted: false,
                    ranked: one.greatest.is_some(),
                },
                chosen,
                alternatives: vec![AlternativeCode {
                    parts: words.iter().map(|word| (*word, ty.clone())).collect(),
                    text,
                    ratings: Vec::new(),
                }],
                fault,
                trial: None,
                option_test,
            },
        };
        self.rest(NodeKind::Decision(vec![arm]), one.span);
        self.scope(|b| {
            let chooser = match player {
                ArmPlayer::Slot(slot) => slot,
                ArmPlayer::Fixed(p) => b.const_slot(i64::from(p)),
            };
            let everyone = b.const_slot(b.d.everyone().word() as i64);
            let parts = words.iter().map(|word| (*word, everyone)).collect();
            b.event(one.site, Some(chooser), Some(0), parts, None);
        });
        self.scope(|b| b.follow(one, &path));
        self.jump(join);
        self.start(join);
    }

    fn path(&mut self, one: &OneMove) -> Path {
        let most = one.longest().clamp(1, 64) as u32;
        let choices = one.choices().into_iter();
        let possible = choices.filter_map(|c| c.possible(&self.d.locals)).max();
        let bits = 64 - possible.unwrap_or(1).max(1).leading_zeros();
        let per_word = (62 / bits).clamp(1, most);
        let words = most.div_ceil(per_word);
        let factor = |i: u32| 1u64 << (bits * (per_word - 1 - i % per_word));
        let factors = self.table(Table {
            words: 1,
            values: (0..most).map(factor).collect(),
        });
        let word_of = self.table(Table {
            words: 1,
            values: (0..most).map(|i| u64::from(i / per_word)).collect(),
        });
        let mut path = Path {
            first: 0,
            words,
            bits,
            per_word,
            most,
            factors,
            word_of,
        };
        let slots: Vec<Slot> = (0..words)
            .map(|_| self.named("move", path.word_type()).slot)
            .collect();
        path.first = slots[0];
        path
    }

    fn const_slot(&mut self, value: i64) -> Slot {
        self.number(value)
    }

    /// The entry of a table for a place in the list.
    fn at_depth(&mut self, table: u32, depth: Slot) -> Slot {
        self.row(table, depth, 1).slot
    }

    /// A choice that is a part of one move.
    pub(super) fn part_of_move(&mut self, choice: &Choice) {
        let join = self.new_block();
        if let Some(otherwise) = &choice.otherwise {
            let any = self.any_option(choice, None).any;
            let (go, none) = (self.new_block(), self.new_block());
            self.branch(any, go, none);
            self.start(none);
            self.block(otherwise);
            self.jump(join);
            self.start(go);
        }
        match &self.moving {
            Some(Moving::Search(_)) => self.search_choice(choice, join),
            Some(Moving::Replay(_)) => self.replay_choice(choice, join),
            None => {}
        }
        self.start(join);
    }

    /// Writes the statements of a move where ways end at a block of their own: at `break`s and `end`s, too.
    fn statements_of_move(&mut self, one: &OneMove, end: BlockId) {
        let ends = Loop {
            next: end,
            exit: end,
        };
        let loops = std::mem::replace(&mut self.loops, vec![ends]);
        self.unmarked(|b| b.block(&one.body));
        self.loops = loops;
    }

    /// Where ways end that are only tried.
    pub(super) fn end_of_tried_move(&self) -> Option<BlockId> {
        match self.moving.as_ref()? {
            Moving::Search(search) => Some(search.complete),
            Moving::Replay(replay) => replay.end(),
        }
    }

    /// For each alternative the number of its first option.
    fn numbers<'c>(&self, choice: &'c Choice) -> Vec<(&'c Alternative, u64)> {
        let mut first = 1;
        let alternatives = choice.alternatives.iter().map(|a| {
            let own = first;
            first += a.possible(&self.d.locals).unwrap_or(0);
            (a, own)
        });
        alternatives.collect()
    }

    /// The least value of a name, and how many it has.
    fn least_and_size(&self, local: LocalId) -> (i64, u64) {
        let ty = &self.d.local(local).ty;
        (ty.value_at(0), ty.size().unwrap_or(1))
    }
}

impl Path {
    /// All of its words.
    fn all(&self) -> Operand {
        Operand {
            slot: self.first,
            words: self.words as u16,
        }
    }

    fn word_type(&self) -> Type {
        Type::Int {
            lo: 0,
            hi: (1i64 << (self.bits * self.per_word)) - 1,
        }
    }
}
