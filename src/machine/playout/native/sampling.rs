//! Random numbers and what is sampled with them, as `machine::sampling` has it.

use super::code::{Helper, TOO_MANY_STEPS, at};
use super::lower::Lower;
use super::terms::said_of;
use crate::ir::*;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

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
                let value = self.b.ins().iadd_imm_s(element, *lo);
                let last = 64 * i64::from(set.words) - 1;
                if let Some(hi) = lo.checked_add(last) {
                    self.bounded(value, *lo, hi);
                }
                self.set(*dst, value);
            }
            SampleCode::Subset { dst, .. } => {
                self.refuel();
                let number = self.data.samples.len() as i64;
                self.data.samples.push(code.clone());
                let changed = [(dst.slot, u32::from(dst.words))];
                let instr = Instr::Sample(Box::new(code.clone()));
                self.on_frame(&instr, &changed, |l| {
                    let number = l.int(number);
                    l.call(Helper::Sample, &[l.ctx, number])
                });
            }
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

    /// 64 random bits, by xoshiro256++.
    fn next_number(&mut self) -> Value {
        let rng = self.rng;
        let s: Vec<Value> = (0..4).map(|i| self.load(rng, 8 * i)).collect();
        let b = &mut self.b;
        let sum = b.ins().iadd(s[0], s[3]);
        let turned = b.ins().rotl_imm_u(sum, 23);
        let number = b.ins().iadd(turned, s[0]);
        let t = b.ins().ishl_imm_u(s[1], 17);
        let s2 = b.ins().bxor(s[2], s[0]);
        let s3 = b.ins().bxor(s[3], s[1]);
        let s1 = b.ins().bxor(s[1], s2);
        let s0 = b.ins().bxor(s[0], s3);
        let s2 = b.ins().bxor(s2, t);
        let s3 = b.ins().rotl_imm_u(s3, 45);
        for (i, word) in [s0, s1, s2, s3].into_iter().enumerate() {
            self.store(word, rng, 8 * i as i32);
        }
        number
    }

    /// A number below `n`, which is not 0, by Lemire's multiplication.
    pub fn below_number(&mut self, n: Value) -> Value {
        let number = self.next_number();
        let high = self.b.ins().umulhi(number, n);
        let low = self.b.ins().imul(number, n);
        let again = self.b.ins().icmp(IntCC::UnsignedLessThan, low, n);
        let (rare, done) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(rare);
        let found = self.b.append_block_param(done, types::I64);
        self.b.ins().brif(again, rare, &[], done, &[high.into()]);
        self.begin(rare);
        let drawn = self.call(Helper::Below, &[self.ctx, low, high, n]);
        let drawn = drawn.unwrap_or(high);
        self.jump(done, &[drawn]);
        self.begin(done);
        let most = self.bounds(n).1;
        if self.bounds(n).0 >= 0 && most > 0 {
            self.bounded(found, 0, most - 1);
        }
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
        let element = self.call(Helper::Select, &[word, left]).unwrap_or(k);
        let element = match rest {
            [] => element,
            _ => self.b.ins().iadd(base, element),
        };
        (element, before)
    }

    /// Ends the call because there is too much.
    pub fn too_many(&mut self) {
        self.end(TOO_MANY_STEPS);
    }
}
