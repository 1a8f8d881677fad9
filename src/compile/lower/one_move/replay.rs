//! A move that was chosen, step by step: what follows from it, and its text.

use super::super::Builder;
use super::super::expr::one;
use super::{Moving, Path};
use crate::ir::*;
use crate::model::types::Type;
use crate::model::{Alternative, Choice, OneMove, Part, SEPARATORS, TextPart};
use crate::text::span::Span;
use std::ops::RangeInclusive;

/// A move that is being followed.
pub(in super::super) struct Replay {
    path: Path,
    /// Where the next number stands.
    place: Slot,
    /// Where only the text is wanted.
    texts: Option<Texts>,
}

/// The texts of the choices on the way.
struct Texts {
    /// How many choices were made, if not as many as there are numbers.
    made: Option<Slot>,
    /// For each place in the list which of the texts below is printed there, from 1 on.
    which: Slot,
    /// The holes of each lie in arrays, with a value for each place.
    texts: Vec<Vec<TextPiece>>,
    /// Where the next array begins.
    free: Slot,
    end: BlockId,
}

impl Replay {
    pub(super) fn end(&self) -> Option<BlockId> {
        self.texts.as_ref().map(|texts| texts.end)
    }
}

impl Builder<'_> {
    /// What a move does.
    pub(super) fn follow(&mut self, one: &OneMove, path: &Path) {
        let place = self.const_slot(0);
        self.moving = Some(Moving::Replay(Replay {
            path: path.clone(),
            place,
            texts: None,
        }));
        self.block(&one.body);
        self.moving = None;
    }

    /// The texts of what is chosen, one after the other.
    pub(super) fn way_text(&mut self, one: &OneMove, path: &Path) -> TextCode {
        let mut pieces = Vec::new();
        let code = self.aside(|b| {
            let kept = b.keep_aside(&one.body);
            let place = b.const_slot(0);
            let made = path.skips.then(|| b.const_slot(0));
            let which = b.stretch(path.most);
            b.emit(Instr::SetConst {
                dst: which,
                words: vec![0; path.most as usize],
            });
            let holes = one.choices().into_iter().flat_map(|c| &c.alternatives);
            let holes = holes.map(|a| slots_of_text(a, path.most)).sum();
            let free = b.stretch(holes);
            let end = b.new_block();
            b.moving = Some(Moving::Replay(Replay {
                path: path.clone(),
                place,
                texts: Some(Texts {
                    made,
                    which,
                    texts: Vec::new(),
                    free,
                    end,
                }),
            }));
            b.statements_of_move(one, end);
            b.jump(end);
            b.start(end);
            b.put_back(&kept);
            if let Some(Moving::Replay(Replay {
                texts: Some(texts), ..
            })) = b.moving.take()
            {
                pieces = texts.pieces(path.most);
            }
        });
        TextCode {
            code,
            cases: Vec::new(),
            pieces,
            hidden: Vec::new(),
        }
    }

    /// The alternative that was chosen, its values and what it does.
    pub(super) fn replay_choice(&mut self, choice: &Choice, join: BlockId) {
        let Some(Moving::Replay(replay)) = &self.moving else {
            return;
        };
        let (path, place) = (replay.path.clone(), replay.place);
        let made = replay.texts.as_ref().map(|texts| texts.made);
        let numbers = self.numbers(choice, &path);
        let options = self.options_of(choice, &path);
        let end = path.last.filter(|_| path.is_end(choice));
        let number = match self.has_number(choice, &path) {
            false => self.number(1),
            true => self.number_at(&path, place, 1..=options, choice.span),
        };
        let last = numbers.len().saturating_sub(1);
        for (i, (alternative, first)) in numbers.into_iter().enumerate() {
            let next = (i < last).then(|| {
                let possible = self.options_of_alternative(alternative, end.is_some());
                let (here, next) = (self.new_block(), self.new_block());
                let within = self.immediate(Op::Lt, number, (first + possible) as i64);
                self.branch(within, here, next);
                self.start(here);
                next
            });
            let parts = match alternative.parts.split_last() {
                Some((part, parts)) if let Some(last) = end => {
                    self.last_value(part, last);
                    parts
                }
                _ => &alternative.parts,
            };
            self.values_from(parts, number, first);
            if let Some(made) = made {
                self.text_of_part(alternative, made.unwrap_or(place));
            }
            match self.end_of_tried_move().filter(|_| path.is_end(choice)) {
                Some(end) => self.jump(end),
                None => {
                    self.count_on(place, 1);
                    let made = made.flatten().into_iter();
                    made.for_each(|made| self.count_on(made, 1));
                    self.taken(choice, alternative);
                    self.jump(join);
                }
            }
            if let Some(next) = next {
                self.start(next);
            }
        }
    }

    /// A choice without an option, whose `else` is run.
    pub(super) fn replay_left_out(&mut self, choice: &Choice) {
        if let Some(Moving::Replay(Replay { path, place, .. })) = &self.moving {
            let (path, place) = (path.clone(), *place);
            self.number_at(&path, place, 0..=0, choice.span);
            self.count_on(place, 1);
        }
    }

    /// The number of the option that was taken, which must be one of these.
    fn number_at(
        &mut self,
        path: &Path,
        depth: Slot,
        options: RangeInclusive<u64>,
        span: Span,
    ) -> Slot {
        let factor = self.at_depth(path.factors, depth);
        let word = if path.words == 1 {
            path.first
        } else {
            let index = self.at_depth(path.word_of, depth);
            let word = self.scalar();
            self.emit(Instr::Load {
                dst: word,
                base: path.first,
                index,
                words: 1,
                count: path.words,
            });
            word
        };
        let above = self.combined(Op::Div, word, factor);
        let number = self.immediate(Op::Mod, above, 1i64 << path.bits);
        let fault = self.no_such_way(span);
        self.emit(Instr::Check {
            value: number,
            lo: *options.start() as i64,
            hi: *options.end() as i64,
            fault,
        });
        number
    }

    /// Gives the last part of an alternative the value that stands at the end of the move.
    fn last_value(&mut self, part: &Part, last: Slot) {
        let (least, size) = self.least_and_size(part.local);
        let fault = self.no_such_way(part.span);
        self.emit(Instr::Check {
            value: last,
            lo: 0,
            hi: size as i64 - 1,
            fault,
        });
        self.gets(part, last, least);
    }

    /// Gives a part the value with a number, counted from the least of its type.
    fn gets(&mut self, part: &Part, ordinal: Slot, least: i64) {
        let dst = self.bind(part.local).slot;
        self.emit(Instr::Immediate {
            op: Op::Add,
            dst,
            a: ordinal,
            value: least,
        });
    }

    /// Gives some parts of an alternative the values that its number says.
    fn values_from(&mut self, parts: &[Part], number: Slot, first: u64) {
        let mut left = self.immediate(Op::Sub, number, first as i64);
        for (i, part) in parts.iter().enumerate().rev() {
            let (least, size) = self.least_and_size(part.local);
            let ordinal = match i {
                0 => left,
                _ => self.immediate(Op::Mod, left, size as i64),
            };
            if i > 0 {
                left = self.immediate(Op::Div, left, size as i64);
            }
            self.gets(part, ordinal, least);
        }
    }

    /// Keeps the values of the text of what is chosen here.
    fn text_of_part(&mut self, alternative: &Alternative, depth: Slot) {
        let Some(text) = &alternative.text else {
            let pieces = self.plain_part(alternative);
            return self.keep_text(pieces, depth);
        };
        let join = self.new_block();
        let mut viewers = Vec::new();
        for case in &text.cases {
            let cond = self.value(&case.cond.value).slot;
            viewers.extend(self.hole_viewers(&case.cond, &[]));
            let (yes, no) = (self.new_block(), self.new_block());
            self.branch(cond, yes, no);
            self.start(yes);
            self.keep_case(&case.parts, &viewers, depth);
            self.jump(join);
            self.start(no);
        }
        self.keep_case(&text.parts, &viewers, depth);
        self.jump(join);
        self.start(join);
    }

    /// `viewers`: who could know which case it is; others see nothing of the text.
    fn keep_case(&mut self, parts: &[TextPart], viewers: &[Slot], depth: Slot) {
        let mut pieces = self.pieces(parts, &[]);
        if !viewers.is_empty() {
            pieces.push(TextPiece::Hole {
                value: Operand { slot: 0, words: 0 },
                ty: Type::Bool,
                viewers: viewers.to_vec(),
            });
        }
        self.keep_text(pieces, depth);
    }

    /// Keeps what a text prints until all of the move is printed.
    fn keep_text(&mut self, mut pieces: Vec<TextPiece>, depth: Slot) {
        let Some(Moving::Replay(Replay {
            path,
            texts: Some(texts),
            ..
        })) = &self.moving
        else {
            return;
        };
        let (rows, which, number) = (path.most, texts.which, texts.texts.len() as i64 + 1);
        let mut free = texts.free;
        for piece in &mut pieces {
            let TextPiece::Hole { value, viewers, .. } = piece else {
                continue;
            };
            for viewers in viewers {
                self.copy(one(free), one(*viewers));
                *viewers = free;
                free += 1;
            }
            let words = value.words;
            if words > 0 {
                self.emit(Instr::Store {
                    base: free,
                    index: depth,
                    src: value.slot,
                    words,
                    count: rows,
                });
                value.slot = free;
                free += u32::from(words) * rows;
            }
        }
        let slot = self.const_slot(number);
        self.emit(Instr::Store {
            base: which,
            index: depth,
            src: slot,
            words: 1,
            count: rows,
        });
        if let Some(Moving::Replay(Replay {
            texts: Some(texts), ..
        })) = &mut self.moving
        {
            texts.texts.push(pieces);
            texts.free = free;
        }
    }
}

/// How many slots a text takes at most, with the players who see each of its holes, in a move of so many choices.
fn slots_of_text(alternative: &Alternative, most: u32) -> u32 {
    let Some(text) = &alternative.text else {
        return alternative.parts.len() as u32 * most;
    };
    let holes = |parts: &[TextPart]| -> u32 {
        let holes = parts.iter().map(|part| match part {
            TextPart::Literal(_) => 0,
            TextPart::Hole(hole) => hole.value.ty.words() as u32 * most + 1,
        });
        holes.sum()
    };
    let cases = text.cases.len() as u32;
    let texts = text.cases.iter().map(|case| &case.parts);
    let texts = texts.chain([&text.parts]).map(|parts| holes(parts) + cases);
    texts.sum()
}

impl Texts {
    /// What is printed for each place in the list.
    fn pieces(self, most: u32) -> Vec<TextPiece> {
        let mut all = Vec::new();
        for place in 0..most {
            for (i, text) in self.texts.iter().enumerate() {
                let mut pieces = text.clone();
                for piece in &mut pieces {
                    if let TextPiece::Hole { value, .. } = piece {
                        value.slot += place * u32::from(value.words);
                    }
                }
                // What separates it from the text before is left out at the beginning.
                if let (0, Some(TextPiece::Literal(s))) = (place, pieces.first_mut()) {
                    *s = s.trim_start_matches(SEPARATORS).to_string();
                }
                all.push(TextPiece::Where {
                    slot: self.which + place,
                    value: i as i64 + 1,
                    pieces,
                });
            }
        }
        all
    }
}
