//! `one move { … }`: one node whose options are the ways through a block.
//!
//! The block is written several times. In the *search* a choice is a loop over its options with a stack, so that the code
//! comes to the end of the block once for each way (`search`); that lists the node. What follows from a move is the block
//! again, where a choice reads what was chosen from the move (`replay`), and so is the text of a move.
//!
//! A move is a list of numbers, one for each choice on the way: the option that was taken, from 1 on. They are packed into
//! words, the first in the highest bits, so that moves in order are ways in order. The last value of a choice after which no
//! other can come has a word of its own at the end, so that all values that are open there are listed at once.
//!
//! A choice that is left out, since there was nothing to choose and its `else` ran, has the number 0: whoever sees the move is told
//! which choices were on the way, as its text tells.

mod replay;
pub(super) mod saved;
mod search;
mod stack;

use super::super::codes;
use super::{Builder, Loop};
use crate::ir::*;
use crate::model::types::Type;
use crate::model::{Alternative, Choice, LocalId, OneMove, SiteId};

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
    numbers: u32,
    /// The most choices.
    most: u32,
    /// The choices after which no other can come.
    ends: Vec<SiteId>,
    /// Whether choices can be left out.
    skips: bool,
    /// Which of its values the last part of such a choice has; none where all that a move changes is wanted before it is
    /// listed.
    last: Option<Slot>,
    last_type: Type,
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
        let parts = path.parts();
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
                    parts: parts.clone(),
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
            let parts = parts.iter().map(|(word, _)| (*word, everyone)).collect();
            b.event(one.site, Some(chooser), Some(0), parts, None);
        });
        self.scope(|b| b.follow(one, &path));
        self.jump(join);
        self.start(join);
    }

    fn path(&mut self, one: &OneMove) -> Path {
        let most = one.longest().clamp(1, 64) as u32;
        let ends = one.last_choices();
        let mut path = Path {
            first: 0,
            words: 0,
            bits: 0,
            per_word: 0,
            numbers: 0,
            most,
            ends,
            skips: one.choices().iter().any(|c| c.otherwise.is_some()),
            last: None,
            last_type: Type::Bool,
            factors: 0,
            word_of: 0,
        };
        if one.greatest.is_none() && !path.ends.is_empty() {
            let ends = one.choices().into_iter().filter(|c| path.is_end(c));
            let parts = ends.flat_map(|c| c.alternatives.iter().filter_map(|a| a.parts.last()));
            let sizes = parts.map(|part| self.least_and_size(part.local).1);
            path.last_type = Type::Int {
                lo: 0,
                hi: sizes.max().unwrap_or(1) as i64 - 1,
            };
            path.last = Some(self.named("last", path.last_type.clone()).slot);
        }
        let numbered = |choice: &Choice| self.has_number(choice, &path);
        path.numbers = one.longest_of(&numbered).clamp(1, 64) as u32;
        let choices = one.choices().into_iter();
        let options = choices.map(|c| self.options_of(c, &path)).max();
        path.bits = 64 - options.unwrap_or(1).max(1).leading_zeros();
        path.per_word = (62 / path.bits).clamp(1, path.numbers);
        path.words = path.numbers.div_ceil(path.per_word);
        let (bits, per_word) = (path.bits, path.per_word);
        let factor = |i: u32| 1u64 << (bits * (per_word - 1 - i % per_word));
        path.factors = self.table(Table {
            words: 1,
            values: (0..path.numbers).map(factor).collect(),
        });
        path.word_of = self.table(Table {
            words: 1,
            values: (0..path.numbers).map(|i| u64::from(i / per_word)).collect(),
        });
        let slots: Vec<Slot> = (0..path.words)
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
            match &self.moving {
                Some(Moving::Search(_)) => self.leave_out(),
                Some(Moving::Replay(_)) => self.replay_left_out(choice),
                None => {}
            }
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

    /// Whether a choice has a number of its own in the move, and not only its last value.
    fn has_number(&self, choice: &Choice, path: &Path) -> bool {
        let left_out = choice.otherwise.is_some();
        left_out || !path.has_last(choice) || self.options_of(choice, path) > 1
    }

    /// For each alternative the number of its first option.
    fn numbers<'c>(&self, choice: &'c Choice, path: &Path) -> Vec<(&'c Alternative, u64)> {
        let mut first = 1;
        let alternatives = choice.alternatives.iter().map(|a| {
            let own = first;
            first += self.options_of_alternative(a, path.has_last(choice));
            (a, own)
        });
        alternatives.collect()
    }

    /// How many numbers the options of a choice have; those that differ in what stands at the end of the move have one.
    fn options_of(&self, choice: &Choice, path: &Path) -> u64 {
        let alternatives = choice.alternatives.iter();
        let each = alternatives.map(|a| self.options_of_alternative(a, path.has_last(choice)));
        each.sum()
    }

    fn options_of_alternative(&self, alternative: &Alternative, has_last: bool) -> u64 {
        let parts = match alternative.parts.split_last() {
            Some((_, parts)) if has_last => parts,
            _ => &alternative.parts,
        };
        Alternative::possible_values(parts, &self.d.locals).unwrap_or(0)
    }

    /// The least value of a name, and how many it has.
    fn least_and_size(&self, local: LocalId) -> (i64, u64) {
        let ty = &self.d.local(local).ty;
        (ty.value_at(0), ty.size().unwrap_or(1))
    }
}

impl Path {
    /// Whether no other choice can come after this one.
    fn is_end(&self, choice: &Choice) -> bool {
        self.ends.contains(&choice.site)
    }

    /// Whether the last value of a choice stands at the end of the move.
    fn has_last(&self, choice: &Choice) -> bool {
        self.last.is_some() && self.is_end(choice)
    }

    /// What a move is made of.
    fn parts(&self) -> Vec<(Operand, Type)> {
        let word = |slot| (Operand { slot, words: 1 }, self.word_type());
        let words = (self.first..self.first + self.words).map(word);
        let last = self
            .last
            .map(|slot| (Operand { slot, words: 1 }, self.last_type.clone()));
        words.chain(last).collect()
    }

    /// The words of its numbers.
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
