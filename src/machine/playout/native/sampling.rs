//! Random numbers and what is sampled with them, as `machine::sampling` has it.

use super::code::{Helper, TOO_MANY_STEPS, at};
use super::lower::Lower;
use super::terms::said_of;
use crate::compile::playout::Flow;
use crate::ir::*;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};
use cranelift_frontend::{FunctionBuilder, Variable};

/// The generator of random numbers as values.
#[derive(Copy, Clone)]
pub(super) struct Generator {
    words: [Variable; 4],
    /// Where it is outside of the code.
    at: Value,
}

impl Generator {
    /// Takes its words at the beginning; `None` where nothing is drawn.
    pub fn new(
        flow: &Flow,
        order: &[BlockId],
        (ctx, b): (Value, &mut FunctionBuilder<'_>),
    ) -> Option<Generator> {
        let mut instrs = order
            .iter()
            .flat_map(|id| &flow.blocks[id.0 as usize].instrs);
        let draws = instrs.any(|instr| match instr {
            Instr::Sample(code) => !matches!(
                **code,
                SampleCode::Attempts { .. } | SampleCode::Listed { .. } | SampleCode::Report { .. }
            ),
            _ => false,
        });
        if !draws {
            return None;
        }
        let flags = MemFlagsData::trusted();
        let from = b.ins().load(types::I64, flags, ctx, at::RNG);
        let words = [0, 1, 2, 3].map(|i| {
            let word = b.declare_var(types::I64);
            let value = b.ins().load(types::I64, flags, from, 8 * i);
            b.def_var(word, value);
            word
        });
        Some(Generator { words, at: from })
    }
}

/// The elements of a set, 6 bits each, where they have room in a word.
fn packed(set: u64) -> Option<i64> {
    let elements: Vec<u32> = (0..64).filter(|e| set >> e & 1 == 1).collect();
    let each = (0..).zip(&elements);
    let all = each.fold(0, |all, (i, e)| all | u64::from(*e) << (6 * i % 64));
    (elements.len() <= 10).then_some(all as i64)
}

impl Lower<'_, '_> {
    pub fn sample(&mut self, code: &SampleCode) -> Option<()> {
        match code {
            SampleCode::Below { dst, bound } => {
                let n = self.get(*bound);
                let number = self.below_or_none(n);
                self.set(*dst, number);
            }
            SampleCode::Member {
                dst,
                set,
                lo,
                bound,
                hit,
            } => {
                let n = self.int(*bound as i64);
                let k = self.below_number(n);
                let words = self.words(*set);
                let (element, size) = self.nth(&words, k);
                let there = self.b.ins().icmp(IntCC::UnsignedLessThan, k, size);
                let value = self.b.ins().iadd_imm_s(element, *lo);
                // Without a hit the value is nobody's.
                self.set(*dst, value);
                self.set_test(*hit, there);
            }
            SampleCode::Attempts { dst, attempts } => {
                let attempts = self.int(i64::from(*attempts));
                self.set(*dst, attempts);
            }
            SampleCode::Element {
                dst,
                set,
                lo,
                fault,
            } => {
                self.refuel();
                let words = self.words(*set);
                let size = self.count(&words);
                self.expect_or(size, said_of(*fault));
                let k = self.below_number(size);
                let (element, _) = self.nth(&words, k);
                let value = self.moved(element, *lo);
                let last = 64 * i64::from(set.words) - 1;
                if let Some(hi) = lo.checked_add(last) {
                    self.bounded(value, *lo, hi);
                }
                self.set(*dst, value);
            }
            SampleCode::Subset {
                dst,
                set,
                count,
                fault,
            } if set.words == 1 => {
                self.refuel();
                let count = self.get(*count);
                let words = self.words(*set);
                let dealt = self.deal(words[0], count, said_of(*fault));
                self.set(dst.slot, dealt);
            }
            SampleCode::Subset { dst, .. } => {
                self.refuel();
                let number = self.data.samples.len() as i64;
                self.data.samples.push(code.clone());
                let changed = [(dst.slot, u32::from(dst.words))];
                let instr = Instr::Sample(Box::new(code.clone()));
                self.put_generator();
                self.on_frame(&instr, &changed, |l| {
                    let number = l.int(number);
                    l.call(Helper::Sample, &[l.ctx, number])
                });
                self.take_generator();
            }
            SampleCode::Taken {} => self.refuel(),
            // Nobody puts other words there between the two.
            SampleCode::Keep {} => self.put_generator(),
            SampleCode::Rewind {} => self.take_generator(),
            SampleCode::Listed { dst } => {
                let total = self.load(self.ctx, at::TOTAL);
                let test = self.compare(IntCC::NotEqual, total, 0);
                self.set_test(*dst, test);
            }
            SampleCode::Tuple {
                chosen,
                alternatives,
                fault,
            } => {
                self.refuel();
                self.tuple(*chosen, alternatives, *fault);
            }
            SampleCode::Report { .. } => {
                let number = self.data.samples.len() as i64;
                self.data.samples.push(code.clone());
                let instr = Instr::Sample(Box::new(code.clone()));
                self.tell(&instr, Helper::Report, number);
            }
        }
        Some(())
    }

    /// So many elements of a set of one word, drawn one after the other.
    fn deal(&mut self, set: Value, count: Value, said: i64) -> Value {
        let size = self.count(&[set]);
        let enough = self
            .b
            .ins()
            .icmp(IntCC::UnsignedLessThanOrEqual, count, size);
        self.expect_or(enough, said);
        let (head, body, done) = (
            self.b.create_block(),
            self.b.create_block(),
            self.b.create_block(),
        );
        let [left, dealt, size_now, more] =
            [(); 4].map(|()| self.b.append_block_param(head, types::I64));
        let none = self.int(0);
        self.jump(head, &[set, none, size, count]);
        self.b.switch_to_block(head);
        self.b.ins().brif(more, body, &[], done, &[]);
        self.begin(body);
        let k = self.below_number(size_now);
        let bit = self.call(Helper::Select, &[left, k]).unwrap_or(none);
        let b = &mut self.b;
        let rest = b.ins().bxor(left, bit);
        let with = b.ins().bor(dealt, bit);
        let fewer = b.ins().iadd_imm_s(size_now, -1);
        let further = b.ins().iadd_imm_s(more, -1);
        self.jump(head, &[rest, with, fewer, further]);
        self.b.seal_block(head);
        self.begin(done);
        dealt
    }

    /// 64 random bits, by xoshiro256++.
    fn next_number(&mut self) -> Value {
        let Some(generator) = self.generator else {
            return self.int(0);
        };
        let [s0, s1, s2, s3] = generator.words.map(|word| self.b.use_var(word));
        let b = &mut self.b;
        let sum = b.ins().iadd(s0, s3);
        let turned = b.ins().rotl_imm_u(sum, 23);
        let number = b.ins().iadd(turned, s0);
        let t = b.ins().ishl_imm_u(s1, 17);
        let s2 = b.ins().bxor(s2, s0);
        let s3 = b.ins().bxor(s3, s1);
        let s1 = b.ins().bxor(s1, s2);
        let s0 = b.ins().bxor(s0, s3);
        let s2 = b.ins().bxor(s2, t);
        let s3 = b.ins().rotl_imm_u(s3, 45);
        for (word, value) in std::iter::zip(generator.words, [s0, s1, s2, s3]) {
            b.def_var(word, value);
        }
        number
    }

    /// Puts the words of the generator where others find it.
    pub fn put_generator(&mut self) {
        if let Some(generator) = self.generator {
            for (i, word) in (0..).zip(generator.words) {
                let value = self.b.use_var(word);
                self.store(value, generator.at, 8 * i);
            }
        }
    }

    /// Takes them from there.
    fn take_generator(&mut self) {
        if let Some(generator) = self.generator {
            for (i, word) in (0..).zip(generator.words) {
                let value = self.load(generator.at, 8 * i);
                self.b.def_var(word, value);
            }
        }
    }

    /// A number below `n`, which is not 0, by Lemire's multiplication.
    pub fn below_number(&mut self, n: Value) -> Value {
        let number = self.next_number();
        let high = self.b.ins().umulhi(number, n);
        let (least, most) = self.bounds(n);
        let found = match self.known(n) {
            // No number is drawn again.
            Some(n) if n > 0 && n & (n - 1) == 0 => high,
            _ => self.drawn_again(number, high, n),
        };
        if least >= 0 && most > 0 {
            self.bounded(found, 0, most - 1);
        }
        found
    }

    /// The same where the number that was drawn may have to be drawn again, which is hardly ever so.
    fn drawn_again(&mut self, number: Value, high: Value, n: Value) -> Value {
        let low = self.b.ins().imul(number, n);
        let again = self.b.ins().icmp(IntCC::UnsignedLessThan, low, n);
        let (rare, done) = (self.b.create_block(), self.b.create_block());
        let (head, more) = (self.b.create_block(), self.b.create_block());
        for cold in [rare, head, more] {
            self.b.set_cold_block(cold);
        }
        let found = self.b.append_block_param(done, types::I64);
        self.b.ins().brif(again, rare, &[], done, &[high.into()]);
        self.begin(rare);
        // Nothing is below 0, so this is not divided by that.
        let least = self.b.ins().ineg(n);
        let least = self.b.ins().urem(least, n);
        let high_now = self.b.append_block_param(head, types::I64);
        let low_now = self.b.append_block_param(head, types::I64);
        self.jump(head, &[high, low]);
        self.b.switch_to_block(head);
        let fits = self
            .b
            .ins()
            .icmp(IntCC::UnsignedGreaterThanOrEqual, low_now, least);
        self.b.ins().brif(fits, done, &[high_now.into()], more, &[]);
        self.begin(more);
        let number = self.next_number();
        let (high, low) = (self.b.ins().umulhi(number, n), self.b.ins().imul(number, n));
        self.jump(head, &[high, low]);
        self.b.seal_block(head);
        self.begin(done);
        found
    }

    /// A number below `n`, or 0 for none.
    fn below_or_none(&mut self, n: Value) -> Value {
        if self.bounds(n).0 > 0 {
            return self.below_number(n);
        }
        let (some, done) = (self.b.create_block(), self.b.create_block());
        let found = self.b.append_block_param(done, types::I64);
        let zero = self.int(0);
        self.b.ins().brif(n, some, &[], done, &[zero.into()]);
        self.begin(some);
        let number = self.below_number(n);
        self.jump(done, &[number]);
        self.begin(done);
        found
    }

    /// The element of a set with `k` others before it, whatever it is where there are not so many; and the size of the set.
    pub fn nth(&mut self, words: &[Value], k: Value) -> (Value, Value) {
        let Some((&first, rest)) = words.split_first() else {
            let none = self.int(0);
            return (none, none);
        };
        let (mut word, mut left, mut base) = (first, k, self.int(0));
        let mut before = self.b.ins().popcnt(first);
        for (w, &next) in (1..).zip(rest) {
            let later = self
                .b
                .ins()
                .icmp(IntCC::UnsignedGreaterThanOrEqual, k, before);
            let over = self.b.ins().isub(k, before);
            let start = self.int(64 * w);
            word = self.b.ins().select(later, next, word);
            left = self.b.ins().select(later, over, left);
            base = self.b.ins().select(later, start, base);
            let count = self.b.ins().popcnt(next);
            before = self.b.ins().iadd(before, count);
        }
        let element = self.select(word, left);
        let bit = self.picked.get(&element).copied();
        let element = match rest {
            [] => element,
            _ => self.b.ins().iadd(base, element),
        };
        if let Some(bit) = bit {
            self.picked.insert(element, bit);
        }
        (element, before)
    }

    /// A number and another; what is known of its bit stays so.
    pub fn moved(&mut self, element: Value, by: i64) -> Value {
        let value = self.b.ins().iadd_imm_s(element, by);
        if let Some((bit, over)) = self.picked.get(&element).copied()
            && let Some(over) = over.checked_add(by)
        {
            self.picked.insert(value, (bit, over));
        }
        value
    }

    /// The number of the set bit of a word with `k` set bits below it.
    fn select(&mut self, word: Value, k: Value) -> Value {
        let known = self.known(word);
        if known.is_some_and(|all| all & all.wrapping_add(1) == 0) {
            return k;
        }
        let Some(packed) = known.and_then(|all| packed(all as u64)) else {
            let bit = self.call(Helper::Select, &[word, k]).unwrap_or(k);
            let element = self.b.ins().ctz(bit);
            self.picked.insert(element, (bit, 0));
            return element;
        };
        let packed = self.int(packed);
        let over = self.b.ins().imul_imm_s(k, 6);
        let moved = self.b.ins().ushr(packed, over);
        let element = self.b.ins().band_imm_s(moved, 63);
        self.bounded(element, 0, 63)
    }

    /// Ends the call because there is too much.
    pub fn too_many(&mut self) {
        self.end(TOO_MANY_STEPS);
    }
}
