//! Instructions on numbers, arrays and tables; and which instruction is written where.

use super::code::{BAD_INDEX, Helper};
use super::data::Rows;
use super::lower::Lower;
use crate::ir::*;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value, types};

/// So many words are copied at a time: they all are in registers in between.
const CHUNK: u32 = 8;
/// More than so many times are a loop.
const MOST_CHUNKS: u32 = 4;

impl Lower<'_, '_> {
    /// Writes one instruction. `None` where there is no way to.
    pub fn instr(&mut self, instr: &Instr) -> Option<()> {
        match instr {
            Instr::Const { dst, value } => {
                let value = self.int(*value);
                self.set(*dst, value);
            }
            Instr::Copy { dst, src, words } => self.copy(*dst, *src, *words),
            Instr::Binary { op, dst, a, b } => {
                let (a, b) = (self.get(*a), self.get(*b));
                self.binary(*op, *dst, a, b);
            }
            Instr::Immediate { op, dst, a, value } => {
                let (a, b) = (self.get(*a), self.int(*value));
                self.binary(*op, *dst, a, b);
            }
            Instr::Not { dst, a } => {
                let a = self.get(*a);
                let test = self.compare(IntCC::Equal, a, 0);
                self.set_test(*dst, test);
            }
            Instr::Select {
                dst,
                cond,
                a,
                b,
                words,
            } => {
                let test = self.test(*cond);
                let (a, b) = (
                    self.words(operand(*a, *words)),
                    self.words(operand(*b, *words)),
                );
                let values: Vec<Value> = std::iter::zip(a, b)
                    .map(|(a, b)| self.b.ins().select(test, a, b))
                    .collect();
                self.put(*dst, &values);
            }
            Instr::Reserve { dst, words } => {
                for slot in *dst..dst + words {
                    if !self.is_kept(slot, 1) {
                        let nothing = self.int(0);
                        self.set(slot, nothing);
                    }
                }
            }
            Instr::Load { .. } | Instr::Store { .. } => self.array(instr),
            Instr::Table {
                dst,
                table,
                index,
                words,
            } => {
                let rows = self.data.table(*table, *words, false);
                let index = self.get(*index);
                let at = self.row(rows, index);
                let values: Vec<Value> = (0..i32::from(*words))
                    .map(|w| self.constant_at(at, w, rows.width))
                    .collect();
                self.put(*dst, &values);
            }
            Instr::Hops {
                dst,
                from,
                to,
                table,
                words,
                bits,
            } => {
                let rows = self.data.table(*table, *words, true);
                let (from, to) = (self.get(*from), self.get(*to));
                self.hops(*dst, (rows, *bits), from, to);
            }
            Instr::Check {
                value,
                lo,
                hi,
                fault,
            } => {
                let value = self.get(*value);
                self.check(value, *lo, *hi, *fault);
            }
            Instr::Emit { .. } => self.emit(instr),
            Instr::Sample(code) => self.sample(code)?,
            Instr::Event(code) => {
                let number = self.data.events.len() as i64;
                self.data.events.push((**code).clone());
                self.tell(instr, Helper::Event, number);
            }
            Instr::Reach { .. } => return None,
            _ => self.set_instr(instr),
        }
        Some(())
    }

    fn copy(&mut self, dst: Slot, src: Slot, words: u16) {
        let all = u32::from(words);
        if self.is_kept(dst, all) && self.is_kept(src, all) && dst.abs_diff(src) >= all {
            (dst..dst + all).for_each(|slot| self.forget_test(slot));
            return self.move_words((self.frame, dst), (self.frame, src), all);
        }
        let values = self.words(operand(src, words));
        self.put(dst, &values);
    }

    /// Copies words within the frame, few at a time: each place is a slot counted from an address. Neither is within the other.
    fn move_words(&mut self, to: (Value, Slot), from: (Value, Slot), words: u32) {
        let chunk = |l: &mut Self, over: Option<Value>, first: u32, words: u32| {
            let [to, from] = [to, from].map(|(address, slot)| {
                let address = match over {
                    Some(over) => l.b.ins().iadd(address, over),
                    None => address,
                };
                (address, slot)
            });
            let at = |slot: Slot, w: u32| 8 * (slot + first + w) as i32;
            let values: Vec<Value> = (0..words).map(|w| l.load(from.0, at(from.1, w))).collect();
            for (w, value) in (0..).zip(values) {
                l.store(value, to.0, at(to.1, w));
            }
        };
        let rounds = words / CHUNK;
        if rounds <= MOST_CHUNKS {
            (0..rounds).for_each(|i| chunk(self, None, i * CHUNK, CHUNK));
        } else {
            let (head, done) = (self.b.create_block(), self.b.create_block());
            let over = self.b.append_block_param(head, types::I64);
            let zero = self.int(0);
            self.jump(head, &[zero]);
            self.b.switch_to_block(head);
            chunk(self, Some(over), 0, CHUNK);
            let next = self.b.ins().iadd_imm_s(over, 8 * i64::from(CHUNK));
            let end = 8 * i64::from(rounds * CHUNK);
            let more = self.compare(IntCC::NotEqual, next, end);
            let again = [BlockArg::Value(next)];
            self.b.ins().brif(more, head, &again, done, &[]);
            self.b.seal_block(head);
            self.begin(done);
        }
        chunk(self, None, rounds * CHUNK, words % CHUNK);
    }

    /// Values side by side into slots side by side.
    pub fn put(&mut self, dst: Slot, values: &[Value]) {
        for (slot, value) in (dst..).zip(values) {
            self.set(slot, *value);
        }
    }

    /// Tells who listens.
    pub fn tell(&mut self, instr: &Instr, helper: Helper, number: i64) {
        self.on_frame(instr, &[], |l| {
            let number = l.int(number);
            l.call(helper, &[l.ctx, number])
        });
    }

    /// By the interpreter.
    pub fn other(&mut self, instr: &Instr) {
        let number = self.data.others.len() as i64;
        self.data.others.push(instr.clone());
        let mut changed = Vec::new();
        instr.clobbers(&mut |slot, words| changed.push((slot, words)));
        self.on_frame(instr, &changed, |l| {
            let number = l.int(number);
            l.call(Helper::Other, &[l.ctx, number])
        });
    }

    fn binary(&mut self, op: Op, dst: Slot, a: Value, b: Value) {
        if let Some(cc) = comparison(op) {
            let test = self.b.ins().icmp(cc, a, b);
            self.set_test(dst, test);
            return;
        }
        let value = match op {
            Op::Add => match self.known(b) {
                Some(by) => self.moved(a, by),
                None => self.b.ins().iadd(a, b),
            },
            Op::Sub => self.b.ins().isub(a, b),
            Op::Mul => self.b.ins().imul(a, b),
            Op::Min => self.b.ins().smin(a, b),
            Op::Max => self.b.ins().smax(a, b),
            Op::And => self.b.ins().band(a, b),
            Op::Or => self.b.ins().bor(a, b),
            Op::Div => self.divide(a, b).0,
            _ => self.divide(a, b).1,
        };
        if let Some((lo, hi)) = bounds_of(op, self.bounds(a), self.bounds(b)) {
            self.bounded(value, lo, hi);
        }
        self.set(dst, value);
    }

    /// The quotient rounded down, and the remainder with the sign of the divisor; both 0 where there are none.
    fn divide(&mut self, a: Value, b: Value) -> (Value, Value) {
        if let Some(power) = self.known(b)
            && power > 0
            && power & (power - 1) == 0
        {
            let quotient = self
                .b
                .ins()
                .sshr_imm_u(a, i64::from(power.trailing_zeros()));
            return (quotient, self.b.ins().band_imm_s(a, power - 1));
        }
        let safe = self.known(b).is_some_and(|b| b != 0 && b != -1);
        let (a, divisor, bad) = if safe {
            (a, b, None)
        } else {
            let none = self.compare(IntCC::Equal, b, 0);
            let minus = self.compare(IntCC::Equal, b, -1);
            let least = self.compare(IntCC::Equal, a, i64::MIN);
            let too_far = self.b.ins().band(minus, least);
            let bad = self.b.ins().bor(none, too_far);
            let one = self.int(1);
            (a, self.b.ins().select(bad, one, b), Some(bad))
        };
        let quotient = self.b.ins().sdiv(a, divisor);
        let product = self.b.ins().imul(quotient, divisor);
        let rest = self.b.ins().isub(a, product);
        let positive = self.known(b).is_some_and(|b| b > 0);
        let (mut quotient, mut rest) = if positive && self.bounds(a).0 >= 0 {
            (quotient, rest)
        } else {
            let some = self.compare(IntCC::NotEqual, rest, 0);
            let signs = self.b.ins().bxor(rest, divisor);
            let differ = self.compare(IntCC::SignedLessThan, signs, 0);
            let down = self.b.ins().band(some, differ);
            let (less, more) = (
                self.b.ins().iadd_imm_s(quotient, -1),
                self.b.ins().iadd(rest, divisor),
            );
            (
                self.b.ins().select(down, less, quotient),
                self.b.ins().select(down, more, rest),
            )
        };
        if let Some(bad) = bad {
            let zero = self.int(0);
            quotient = self.b.ins().select(bad, zero, quotient);
            rest = self.b.ins().select(bad, zero, rest);
        }
        (quotient, rest)
    }

    fn check(&mut self, value: Value, lo: i64, hi: i64, fault: FaultId) {
        let (least, most) = self.bounds(value);
        if lo <= least && most <= hi {
            return;
        }
        let test = if most <= hi {
            self.compare(IntCC::SignedGreaterThanOrEqual, value, lo)
        } else if lo <= least {
            self.compare(IntCC::SignedLessThanOrEqual, value, hi)
        } else if lo > hi {
            self.b.ins().iconst(types::I8, 0)
        } else {
            // One comparison of what is left over the least value.
            let over = match lo {
                0 => value,
                lo => self.b.ins().iadd_imm_s(value, lo.wrapping_neg()),
            };
            let span = self.int(hi.wrapping_sub(lo));
            self.b
                .ins()
                .icmp(IntCC::UnsignedLessThanOrEqual, over, span)
        };
        let test = match self.guard {
            None => test,
            Some(guard) => {
                let elsewhere = self.compare(IntCC::Equal, guard, 0);
                self.b.ins().bor(test, elsewhere)
            }
        };
        self.expect(test, |l| l.fail(fault, Some(value)));
    }

    /// Ends the call unless an index is below a count.
    pub fn below_count(&mut self, index: Value, count: i64) {
        let (lo, hi) = self.bounds(index);
        if lo < 0 || hi >= count {
            let count = self.int(count);
            let inside = self.b.ins().icmp(IntCC::UnsignedLessThan, index, count);
            self.expect_or(inside, BAD_INDEX);
        }
    }

    /// The address of a row of a table, found to be inside.
    pub fn row(&mut self, rows: Rows, index: Value) -> Value {
        self.below_count(index, rows.rows as i64);
        let length = i64::from(rows.width) * i64::from(rows.words);
        let over = match u64::try_from(length) {
            Ok(1) => index,
            Ok(power) if power.is_power_of_two() => self
                .b
                .ins()
                .ishl_imm_u(index, i64::from(power.trailing_zeros())),
            _ => self.b.ins().imul_imm_s(index, length),
        };
        let start = self.b.ins().iconst(types::I64, rows.address as i64);
        self.b.ins().iadd(start, over)
    }

    /// A value of a table, of so many bytes. It is not read before its row has been compared.
    pub fn constant_at(&mut self, row: Value, word: i32, width: u8) -> Value {
        let flags = cranelift_codegen::ir::MemFlagsData::trusted().with_readonly();
        let (at, ins) = (i32::from(width) * word, self.b.ins());
        match width {
            1 => ins.uload8(types::I64, flags, row, at),
            2 => ins.uload16(types::I64, flags, row, at),
            4 => ins.uload32(flags, row, at),
            _ => ins.load(types::I64, flags, row, at),
        }
    }

    fn hops(&mut self, dst: Slot, (rows, bits): (Rows, u32), from: Value, to: Value) {
        let per_word = i64::from(64 / bits);
        self.below_count(to, i64::from(rows.words) * per_word);
        let row = self.row(rows, from);
        let shift = i64::from(per_word.trailing_zeros());
        let word = self.b.ins().ushr_imm_u(to, shift);
        let over = self.b.ins().ishl_imm_u(word, 3);
        let at = self.b.ins().iadd(row, over);
        let word = self.constant_at(at, 0, 8);
        let rest = self.b.ins().band_imm_s(to, per_word - 1);
        let shift = i64::from(bits.trailing_zeros());
        let rest = self.b.ins().ishl_imm_u(rest, shift);
        let moved = self.b.ins().ushr(word, rest);
        let most = (1 << bits) - 1;
        let steps = self.b.ins().band_imm_s(moved, most);
        self.bounded(steps, 0, most);
        self.set(dst, steps);
    }

    /// An element of an array, read or written: in the frame, or one of few values.
    fn array(&mut self, instr: &Instr) {
        let (load, base, index, other, words, count) = match *instr {
            Instr::Load {
                dst,
                base,
                index,
                words,
                count,
            } => (true, base, index, dst, words, count),
            Instr::Store {
                base,
                index,
                src,
                words,
                count,
            } => (false, base, index, src, words, count),
            _ => return,
        };
        let index = self.get(index);
        self.below_count(index, i64::from(count));
        let width = u32::from(words);
        if let Some(i) = self
            .known(index)
            .filter(|i| (0..i64::from(count)).contains(i))
        {
            let at = base + i as u32 * width;
            let (dst, src) = if load { (other, at) } else { (at, other) };
            return self.copy(dst, src, words);
        }
        if self.is_kept(base, width * count) {
            let over = self.b.ins().imul_imm_s(index, 8 * i64::from(width));
            let at = self.b.ins().iadd(self.frame, over);
            let from = |w: u32| 8 * (base + w) as i32;
            let apart = other + width <= base || base + width * count <= other;
            if apart && self.is_kept(other, width) {
                (other..other + width).for_each(|slot| self.forget_test(slot));
                let (other, array) = ((self.frame, other), (at, base));
                let (to, from) = if load { (other, array) } else { (array, other) };
                self.move_words(to, from, width);
            } else if load {
                let values: Vec<Value> = (0..width).map(|w| self.load(at, from(w))).collect();
                self.put(other, &values);
            } else {
                let values = self.words(operand(other, words));
                for (w, value) in (0..width).zip(values) {
                    self.store(value, at, from(w));
                }
            }
            return;
        }
        let tests: Vec<Value> = (0..count)
            .map(|i| self.compare(IntCC::Equal, index, i64::from(i)))
            .collect();
        if load {
            let mut values = self.words(operand(base, words));
            for i in 1..count {
                for (w, value) in (0..width).zip(&mut values) {
                    let element = self.get(base + i * width + w);
                    *value = self.b.ins().select(tests[i as usize], element, *value);
                }
            }
            self.put(other, &values);
        } else {
            let values = self.words(operand(other, words));
            for i in 0..count {
                for (w, value) in (0..width).zip(&values) {
                    let slot = base + i * width + w;
                    let before = self.get(slot);
                    let now = self.b.ins().select(tests[i as usize], *value, before);
                    self.set(slot, now);
                }
            }
        }
    }
}

pub(super) fn operand(slot: Slot, words: u16) -> Operand {
    Operand { slot, words }
}

fn comparison(op: Op) -> Option<IntCC> {
    Some(match op {
        Op::Eq => IntCC::Equal,
        Op::Ne => IntCC::NotEqual,
        Op::Lt => IntCC::SignedLessThan,
        Op::Le => IntCC::SignedLessThanOrEqual,
        _ => return None,
    })
}

/// The bounds of a result, where they are easily found.
fn bounds_of(op: Op, a: (i64, i64), b: (i64, i64)) -> Option<(i64, i64)> {
    let known = (b.0 == b.1).then_some(b.0);
    match op {
        Op::Add => Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?)),
        Op::Sub => Some((a.0.checked_sub(b.1)?, a.1.checked_sub(b.0)?)),
        Op::Mul => {
            let k = known.filter(|k| *k >= 0)?;
            Some((a.0.checked_mul(k)?, a.1.checked_mul(k)?))
        }
        Op::Div => {
            let k = known.filter(|k| *k > 0)?;
            Some((a.0.div_euclid(k), a.1.div_euclid(k)))
        }
        Op::Mod => known.filter(|k| *k > 0).map(|k| (0, k - 1)),
        Op::Min => Some((a.0.min(b.0), a.1.min(b.1))),
        Op::Max => Some((a.0.max(b.0), a.1.max(b.1))),
        Op::And if b.0 >= 0 => Some((0, b.1)),
        Op::And if a.0 >= 0 => Some((0, a.1)),
        _ => None,
    }
}
