//! Instructions on sets.

use super::code::Helper;
use super::data::Rows;
use super::lower::Lower;
use super::numbers::operand;
use crate::ir::*;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

/// Sets of more words are left to the interpreter.
const MOST_WORDS: u16 = 16;

impl Lower<'_, '_> {
    /// Writes one instruction on sets.
    pub fn set_instr(&mut self, instr: &Instr) {
        if let Instr::SetWhere {
            dst,
            base,
            count,
            value,
        } = *instr
        {
            return self.places(instr, Helper::Places, dst, [base, count, value]);
        }
        if let Instr::SetAmong {
            dst,
            base,
            count,
            values,
        } = *instr
        {
            return self.places(instr, Helper::Among, dst, [base, count, values]);
        }
        let mut longest = 0;
        instr.visit(&mut |_, words, _| longest = longest.max(words));
        if longest > u32::from(MOST_WORDS) {
            return self.other(instr);
        }
        match instr {
            Instr::SetConst { dst, words } => {
                for (slot, word) in (*dst..).zip(words) {
                    let word = self.int(*word as i64);
                    self.set(slot, word);
                }
            }
            Instr::SetBinary {
                op,
                dst,
                a,
                b,
                words,
            } => {
                // Word by word, as the interpreter does.
                for w in 0..u32::from(*words) {
                    let (a, b) = (self.get(a + w), self.get(b + w));
                    let value = match op {
                        SetOp::Union => self.b.ins().bor(a, b),
                        SetOp::Intersect => self.b.ins().band(a, b),
                        SetOp::Difference => self.b.ins().band_not(a, b),
                    };
                    self.set(dst + w, value);
                }
            }
            Instr::SetTest { dst, set, element } => self.contains(*dst, *set, *element),
            Instr::SetInsert { set, element } => self.insert(*set, *element, true),
            Instr::SetRemove { set, element } => self.insert(*set, *element, false),
            Instr::SetCount { dst, set } => {
                let words = self.words(*set);
                let count = self.count(&words);
                self.set(*dst, count);
            }
            Instr::SetNext { dst, set, after } => self.next(*dst, *set, *after),
            Instr::SetNth { dst, set, rank } => {
                let (words, rank) = (self.words(*set), self.get(*rank));
                let (element, size) = self.nth(&words, rank);
                let there = self.b.ins().icmp(IntCC::UnsignedLessThan, rank, size);
                let none = self.int(-1);
                let element = self.b.ins().select(there, element, none);
                self.set(*dst, element);
            }
            Instr::SetLast { dst, set } => self.last(*dst, *set),
            Instr::SetEq { dst, a, b, words } => {
                let differ = self.any_word(*a, *b, *words, |l, a, b| l.b.ins().bxor(a, b));
                let test = self.compare(IntCC::Equal, differ, 0);
                self.set_test(*dst, test);
            }
            Instr::SetSubset { dst, a, b, words } => {
                let more = self.any_word(*a, *b, *words, |l, a, b| l.b.ins().band_not(a, b));
                let test = self.compare(IntCC::Equal, more, 0);
                self.set_test(*dst, test);
            }
            Instr::SetBefore { dst, src, element } => {
                let element = self.get(*element);
                for w in 0..u32::from(src.words) {
                    let mask = self.below(element, w);
                    let word = self.get(src.slot + w);
                    let kept = self.b.ins().band(word, mask);
                    self.set(dst + w, kept);
                }
            }
            Instr::SetRange { dst, lo, hi } => {
                let (lo, hi) = (self.get(*lo), self.get(*hi));
                let last = self.int(i64::from(dst.words) * 64 - 1);
                let hi = self.b.ins().smin(hi, last);
                let end = self.b.ins().iadd_imm_s(hi, 1);
                for w in 0..u32::from(dst.words) {
                    let (upto, before) = (self.below(end, w), self.below(lo, w));
                    let word = self.b.ins().band_not(upto, before);
                    self.set(dst.slot + w, word);
                }
            }
            Instr::SetNeighbours { .. } | Instr::SetGroup { .. } => self.board(instr),
            Instr::SetRun { .. } => self.line(instr),
            Instr::LineAtLeast { .. } => self.line_at_least(instr),
            Instr::SetShift { .. } => self.shift(instr),
            _ => self.other(instr),
        }
    }

    /// The places of an array that a helper finds.
    fn places(&mut self, instr: &Instr, helper: Helper, dst: Operand, array: [u32; 3]) {
        let words = u32::from(dst.words);
        let [base, count, sought] = array;
        let slots = [dst.slot, words, base, count, sought];
        self.on_frame(instr, &[(dst.slot, words)], |l| {
            let mut arguments = vec![l.ctx];
            arguments.extend(slots.map(|slot| l.int(i64::from(slot))));
            l.call(helper, &arguments)
        });
    }

    /// How many elements a set has.
    pub fn count(&mut self, words: &[Value]) -> Value {
        let mut sum = None;
        for word in words {
            let count = match self.known(*word) {
                Some(word) => self.int(i64::from(word.count_ones())),
                None => self.b.ins().popcnt(*word),
            };
            sum = Some(match sum {
                None => count,
                Some(sum) => self.b.ins().iadd(sum, count),
            });
        }
        let sum = sum.unwrap_or_else(|| self.int(0));
        self.bounded(sum, 0, 64 * words.len() as i64)
    }

    /// What any of the words of two sets has of something.
    fn any_word(
        &mut self,
        a: Slot,
        b: Slot,
        words: u16,
        of: impl Fn(&mut Self, Value, Value) -> Value,
    ) -> Value {
        let (a, b) = (self.words(operand(a, words)), self.words(operand(b, words)));
        let mut any = None;
        for (a, b) in std::iter::zip(a, b) {
            let one = of(self, a, b);
            any = Some(match any {
                None => one,
                Some(any) => self.b.ins().bor(any, one),
            });
        }
        any.unwrap_or_else(|| self.int(0))
    }

    /// The bits of word `w` for elements below one.
    fn below(&mut self, element: Value, w: u32) -> Value {
        let over = self.b.ins().iadd_imm_s(element, -64 * i64::from(w));
        let zero = self.int(0);
        // Far below 0 it would wrap, so the element itself is compared too.
        let negative = self.compare(IntCC::SignedLessThanOrEqual, element, 64 * i64::from(w));
        let whole = self.compare(
            IntCC::SignedGreaterThanOrEqual,
            element,
            64 * i64::from(w) + 64,
        );
        let one = self.int(1);
        let bit = self.b.ins().ishl(one, over);
        let some = self.b.ins().iadd_imm_s(bit, -1);
        let all = self.int(-1);
        let upper = self.b.ins().select(whole, all, some);
        self.b.ins().select(negative, zero, upper)
    }

    /// The bit of an element in its word, and the number of the word.
    fn bit_of(&mut self, element: Value) -> (Value, Value) {
        let bit = match self.picked.get(&element) {
            // It was found as a bit.
            Some((bit, 0)) => *bit,
            _ => {
                let one = self.int(1);
                // The shift takes the element modulo 64.
                self.b.ins().ishl(one, element)
            }
        };
        let word = self.b.ins().ushr_imm_u(element, 6);
        (bit, word)
    }

    fn contains(&mut self, dst: Slot, set: Operand, element: Slot) {
        let element = self.get(element);
        let width = i64::from(set.words);
        let (lo, hi) = self.bounds(element);
        let inside = lo >= 0 && hi < 64 * width;
        if let Some(e) = self.known(element) {
            let test = if inside {
                let word = self.get(set.slot + (e / 64) as u32);
                let bit = self
                    .b
                    .ins()
                    .band_imm_s(word, 1i64.wrapping_shl(e as u32 & 63));
                self.compare(IntCC::NotEqual, bit, 0)
            } else {
                self.b.ins().iconst(types::I8, 0)
            };
            return self.set_test(dst, test);
        }
        let word = if set.words > 1 && self.is_kept(set.slot, u32::from(set.words)) {
            let number = self.b.ins().ushr_imm_u(element, 6);
            let most = self.int(width - 1);
            // A word that is there; what is outside is refused below.
            let number = self.b.ins().umin(number, most);
            let over = self.b.ins().ishl_imm_u(number, 3);
            let at = self.b.ins().iadd(self.frame, over);
            self.load(at, 8 * set.slot as i32)
        } else {
            let words = self.words(set);
            self.chosen(&words, element)
        };
        let moved = self.b.ins().ushr(word, element);
        let bit = self.b.ins().band_imm_s(moved, 1);
        let test = self.compare(IntCC::NotEqual, bit, 0);
        let test = if inside {
            test
        } else {
            let end = self.int(64 * width);
            let within = self.b.ins().icmp(IntCC::UnsignedLessThan, element, end);
            self.b.ins().band(test, within)
        };
        self.set_test(dst, test);
    }

    /// The word in which an element lies, of words that are values.
    fn chosen(&mut self, words: &[Value], element: Value) -> Value {
        let Some((&first, rest)) = words.split_first() else {
            return self.int(0);
        };
        let mut found = first;
        for (w, &word) in (1..).zip(rest) {
            let end = self.int(64 * w);
            let later = self
                .b
                .ins()
                .icmp(IntCC::UnsignedGreaterThanOrEqual, element, end);
            found = self.b.ins().select(later, word, found);
        }
        found
    }

    /// Puts an element into a set, where it has to have room, or takes it away.
    fn insert(&mut self, set: Operand, element: Slot, into: bool) {
        let element = self.get(element);
        let width = i64::from(set.words);
        let (lo, hi) = self.bounds(element);
        let inside = lo >= 0 && hi < 64 * width;
        if into {
            self.below_count(element, 64 * width);
        }
        let change = |l: &mut Self, word: Value, bit: Value| match into {
            true => l.b.ins().bor(word, bit),
            false => l.b.ins().band_not(word, bit),
        };
        if let Some(e) = self.known(element) {
            if inside {
                let slot = set.slot + (e / 64) as u32;
                let (word, bit) = (self.get(slot), self.int(1i64.wrapping_shl(e as u32 & 63)));
                let word = change(self, word, bit);
                self.set(slot, word);
            }
            return;
        }
        if let Some(bits) = self.least.get(&element).cloned()
            && bits.len() == usize::from(set.words)
            && !self.is_kept(set.slot, u32::from(set.words))
        {
            for (slot, bit) in std::iter::zip(set.slot.., bits) {
                let word = self.get(slot);
                let word = change(self, word, bit);
                self.set(slot, word);
            }
            return;
        }
        let (mut bit, number) = self.bit_of(element);
        let zero = self.int(0);
        if !inside && !into {
            let end = self.int(64 * width);
            let within = self.b.ins().icmp(IntCC::UnsignedLessThan, element, end);
            bit = self.b.ins().select(within, bit, zero);
        }
        if set.words > 1 && self.is_kept(set.slot, u32::from(set.words)) {
            let most = self.int(width - 1);
            let number = self.b.ins().umin(number, most);
            let over = self.b.ins().ishl_imm_u(number, 3);
            let at = self.b.ins().iadd(self.frame, over);
            let word = self.load(at, 8 * set.slot as i32);
            let word = change(self, word, bit);
            return self.store(word, at, 8 * set.slot as i32);
        }
        for w in 0..u32::from(set.words) {
            let here = match set.words {
                1 => bit,
                _ => {
                    let test = self.compare(IntCC::Equal, number, i64::from(w));
                    self.b.ins().select(test, bit, zero)
                }
            };
            let word = self.get(set.slot + w);
            let word = change(self, word, here);
            self.set(set.slot + w, word);
        }
    }

    fn next(&mut self, dst: Slot, set: Operand, after: Slot) {
        let after = self.get(after);
        let (lo, hi) = self.bounds(after);
        let width = i64::from(set.words);
        let from = if hi < i64::MAX && lo >= -1 {
            let from = self.b.ins().iadd_imm_s(after, 1);
            self.bounded(from, lo + 1, hi + 1)
        } else {
            let from = self.b.ins().iadd_imm_s(after, 1);
            let zero = self.int(0);
            self.b.ins().smax(from, zero)
        };
        let least = self.known(after).is_some_and(|after| after == -1);
        let none = self.int(-1);
        let mut found = none;
        for w in (0..set.words).rev() {
            let word = self.get(set.slot + u32::from(w));
            let (start, end) = (64 * i64::from(w), 64 * i64::from(w) + 64);
            let rest = if least {
                word
            } else {
                let all = self.int(-1);
                let mask = self.b.ins().ishl(all, from);
                let mut rest = self.b.ins().band(word, mask);
                let bounds = self.bounds(from);
                if w > 0 {
                    let whole = self.compare(IntCC::SignedLessThanOrEqual, from, start);
                    rest = self.b.ins().select(whole, word, rest);
                }
                if bounds.1 >= end {
                    let zero = self.int(0);
                    let gone = self.compare(IntCC::SignedGreaterThanOrEqual, from, end);
                    rest = self.b.ins().select(gone, zero, rest);
                }
                rest
            };
            let bit = self.b.ins().ctz(rest);
            let element = match w {
                0 => bit,
                _ => self.b.ins().iadd_imm_s(bit, start),
            };
            let some = self.compare(IntCC::NotEqual, rest, 0);
            found = self.b.ins().select(some, element, found);
        }
        self.bounded(found, -1, 64 * width - 1);
        if least {
            let words = self.words(set);
            let bits = self.least_bits(&words);
            if let [bit] = bits[..] {
                self.picked.insert(found, (bit, 0));
            }
            self.least.insert(found, bits);
        }
        self.set(dst, found);
    }

    /// The lowest bit of some words in that word where it is, and nothing in the others.
    fn least_bits(&mut self, words: &[Value]) -> Vec<Value> {
        let (zero, mut before) = (self.int(0), None);
        let mut bits = Vec::with_capacity(words.len());
        for &word in words {
            let others = self.b.ins().ineg(word);
            let bit = self.b.ins().band(word, others);
            bits.push(match before {
                None => bit,
                Some(before) => {
                    let first = self.compare(IntCC::Equal, before, 0);
                    self.b.ins().select(first, bit, zero)
                }
            });
            before = Some(match before {
                None => word,
                Some(before) => self.b.ins().bor(before, word),
            });
        }
        bits
    }

    fn last(&mut self, dst: Slot, set: Operand) {
        let mut found = self.int(-1);
        for w in 0..set.words {
            let word = self.get(set.slot + u32::from(w));
            let zeros = self.b.ins().clz(word);
            let top = self.int(64 * i64::from(w) + 63);
            let element = self.b.ins().isub(top, zeros);
            let some = self.compare(IntCC::NotEqual, word, 0);
            found = self.b.ins().select(some, element, found);
        }
        let last = 64 * i64::from(set.words) - 1;
        self.bounded(found, -1, last);
        self.set(dst, found);
    }

    /// A run or a line in a set of few words, where the cells of each come in the order of their numbers.
    fn line(&mut self, instr: &Instr) {
        let Instr::SetRun {
            dst,
            from,
            way,
            within,
            table,
            ways,
            both,
        } = instr
        else {
            return;
        };
        let rays = self.data.rays(*table, *ways, *both, dst.words);
        let same = within.words == dst.words;
        let Some(rays) = rays.filter(|rays| same && rays.rows > 0) else {
            return self.other(instr);
        };
        let (cell, way, within) = (self.get(*from), self.get(*way), self.words(*within));
        let first = self.b.ins().imul_imm_s(cell, i64::from(*ways));
        let number = self.b.ins().iadd(first, way);
        let (row, inside) = self.row_or_first(rays, number);
        let mut found = self.run_up(row, &within);
        let down = self.run_down(row, &within);
        for (found, down) in found.iter_mut().zip(down) {
            *found = self.b.ins().bor(*found, down);
        }
        if *both {
            found = self.with_own(cell, found, &within);
        }
        for (slot, found) in (dst.slot..).zip(found) {
            let found = self.nothing_unless(inside, found);
            self.set(slot, found);
        }
    }

    /// The row of a number, or the first one where there is none; and whether there is, where that is not known.
    fn row_or_first(&mut self, rows: Rows, number: Value) -> (Value, Option<Value>) {
        let last = rows.rows as i64 - 1;
        if matches!(self.bounds(number), (0.., most) if most <= last) {
            return (self.row(rows, number), None);
        }
        let (count, zero) = (self.int(last + 1), self.int(0));
        let inside = self.b.ins().icmp(IntCC::UnsignedLessThan, number, count);
        let number = self.b.ins().select(inside, number, zero);
        self.bounded(number, 0, last);
        (self.row(rows, number), Some(inside))
    }

    fn nothing_unless(&mut self, test: Option<Value>, found: Value) -> Value {
        let zero = self.int(0);
        match test {
            Some(test) => self.b.ins().select(test, found, zero),
            None => found,
        }
    }

    /// Whether so many cells in line are in a set of few words: whether any of the rows of so many that the cell is one of is full.
    fn line_at_least(&mut self, instr: &Instr) {
        let &Instr::LineAtLeast {
            dst,
            from,
            way,
            within,
            table,
            least,
            ..
        } = instr
        else {
            return;
        };
        let found = self.data.in_line(table, way, least, within.words);
        let Some((stride, rows)) = found.filter(|(_, rows)| rows.rows > 0) else {
            return self.other(instr);
        };
        // The first cells of all full rows of one cell, of two, and so on.
        let mut full = self.words(within);
        let mut cells = 1;
        while cells < least as usize {
            let more = cells.min(least as usize - cells);
            let later = self.shifted_down(&full, more * stride);
            for (full, later) in full.iter_mut().zip(later) {
                *full = self.b.ins().band(*full, later);
            }
            cells += more;
        }
        let cell = self.get(from);
        let (row, inside) = self.row_or_first(rows, cell);
        let mut found = self.int(0);
        for (w, full) in full.into_iter().enumerate() {
            let own = self.constant_at(row, w as i32, 8);
            let full = self.b.ins().band(full, own);
            found = match w {
                0 => full,
                _ => self.b.ins().bor(found, full),
            };
        }
        let found = self.nothing_unless(inside, found);
        let test = self.compare(IntCC::NotEqual, found, 0);
        self.set_test(dst, test);
    }

    /// A set of which every element is so much less; those below 0 are gone.
    fn shifted_down(&mut self, set: &[Value], by: usize) -> Vec<Value> {
        let (over, by) = (by / 64, (by % 64) as i64);
        let zero = self.int(0);
        let word = |w: usize| set.get(w + over).copied();
        (0..set.len())
            .map(|w| match (word(w), word(w + 1)) {
                (None, _) => zero,
                (Some(low), _) if by == 0 => low,
                (Some(low), None) => self.b.ins().ushr_imm_u(low, by),
                (Some(low), Some(high)) => {
                    let low = self.b.ins().ushr_imm_u(low, by);
                    let high = self.b.ins().ishl_imm_u(high, 64 - by);
                    self.b.ins().bor(low, high)
                }
            })
            .collect()
    }

    /// What is above the cell of a row ends below the least gap.
    fn run_up(&mut self, row: Value, within: &[Value]) -> Vec<Value> {
        let zero = self.int(0);
        // All bits as long as there was no gap.
        let mut open = self.int(-1);
        let mut found = Vec::new();
        for (w, &within) in within.iter().enumerate() {
            let up = self.constant_at(row, w as i32, 8);
            let gap = self.b.ins().band_not(up, within);
            let less = self.b.ins().iadd_imm_s(gap, -1);
            let before = self.b.ins().band_not(less, gap);
            let run = self.b.ins().band(up, before);
            found.push(match w {
                0 => run,
                _ => self.b.ins().band(run, open),
            });
            open = self.b.ins().select(gap, zero, open);
        }
        found
    }

    /// What is below it begins above the greatest.
    fn run_down(&mut self, row: Value, within: &[Value]) -> Vec<Value> {
        let (zero, all, sixty_four) = (self.int(0), self.int(-1), self.int(64));
        let mut open = all;
        let mut found = Vec::new();
        for (w, &here) in within.iter().enumerate().rev() {
            let down = self.constant_at(row, (within.len() + w) as i32, 8);
            let gap = self.b.ins().band_not(down, here);
            let zeros = self.b.ins().clz(gap);
            let shift = self.b.ins().isub(sixty_four, zeros);
            let mask = self.b.ins().ishl(all, shift);
            let top = self.compare(IntCC::Equal, zeros, 0);
            let mask = self.b.ins().select(top, zero, mask);
            let run = self.b.ins().band(down, mask);
            found.push(match found.is_empty() {
                true => run,
                false => self.b.ins().band(run, open),
            });
            open = self.b.ins().select(gap, zero, open);
        }
        found.reverse();
        found
    }

    /// The cell itself belongs to its line, which is empty where the cell is not in the set.
    fn with_own(&mut self, cell: Value, found: Vec<Value>, within: &[Value]) -> Vec<Value> {
        let (zero, one) = (self.int(0), self.int(1));
        let bit = self.b.ins().ishl(one, cell);
        let word = self.b.ins().ushr_imm_u(cell, 6);
        let mut there = zero;
        let mut line = Vec::new();
        for (w, (found, &within)) in found.into_iter().zip(within).enumerate() {
            let here = self.compare(IntCC::Equal, word, w as i64);
            let own = self.b.ins().select(here, bit, zero);
            let inside = self.b.ins().band(own, within);
            there = self.b.ins().bor(there, inside);
            line.push(self.b.ins().bor(found, own));
        }
        line.into_iter()
            .map(|line| self.b.ins().select(there, line, zero))
            .collect()
    }

    /// A set of one word renumbered.
    fn shift(&mut self, instr: &Instr) {
        let Instr::SetShift {
            dst,
            src,
            lo,
            by,
            size,
            fault,
        } = instr
        else {
            return;
        };
        if (dst.words, src.words) != (1, 1) || by.abs() >= 64 {
            return self.other(instr);
        }
        let stays = |e: &i64| (0..*size as i64).contains(&(e + by));
        let inside = (0..64i64).filter(stays).fold(0u64, |set, e| set | 1 << e);
        let word = self.get(src.slot);
        let outside = self.b.ins().band_imm_s(word, !inside as i64);
        let fine = self.compare(IntCC::Equal, outside, 0);
        self.expect(fine, |l| {
            let first = l.b.ins().ctz(outside);
            let value = l.b.ins().iadd_imm_s(first, *lo);
            l.fail(*fault, Some(value));
        });
        let moved = match *by {
            by if by < 0 => self.b.ins().ushr_imm_u(word, -by),
            by => self.b.ins().ishl_imm_u(word, by),
        };
        self.set(dst.slot, moved);
    }
}
