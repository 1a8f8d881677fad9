//! Calls of functions on constants: their steps carried out.
//!
//! Numbers between the steps have 128 bits, so that only a result can be too great.

use super::{Evaluator, Value, insert, ordinal};
use crate::model::functions::{Call, Failure, Number, Op, Primitive, Set, Step, Steps};
use crate::model::types::{Type, bits, compare_sets};
use crate::model::{Expr, Rows, reach};

impl Evaluator<'_> {
    pub(super) fn call(&mut self, function: &dyn Primitive, call: &Call<'_>) -> Option<Value> {
        let mut constants = Constants {
            evaluator: self,
            numbers: Vec::new(),
            sets: Vec::new(),
        };
        let last = function.steps(call, &mut constants)?;
        match call.ty {
            Type::Set(_) => constants.found(last).map(Value::Set),
            _ => {
                let value = constants.counted(last)?;
                i64::try_from(value).ok().map(Value::Scalar)
            }
        }
    }
}

struct Constants<'e, 'a> {
    evaluator: &'e mut Evaluator<'a>,
    numbers: Vec<i128>,
    sets: Vec<Vec<u64>>,
}

impl Steps for Constants<'_, '_> {
    fn number(&mut self, e: &Expr) -> Option<Number> {
        let value = self.evaluator.scalar(e)?;
        Some(self.keep(value.into()))
    }

    fn ordinal(&mut self, e: &Expr) -> Option<Number> {
        let value = self.evaluator.scalar(e)?;
        let at = ordinal(&e.ty, value)?;
        Some(self.keep(at.into()))
    }

    fn set(&mut self, e: &Expr) -> Option<Set> {
        let set = self.evaluator.set(e)?;
        self.sets.push(set);
        Some(Set {
            at: self.sets.len() as u32 - 1,
            words: e.ty.words() as u16,
        })
    }

    fn known(&mut self, _: &Expr) -> Option<i64> {
        None
    }

    fn take(&mut self, step: Step<'_>) -> Option<Number> {
        let value = self.counted(step)?;
        Some(self.keep(value))
    }

    fn check(&mut self, value: Number, lo: i64, hi: i64, _: Failure) -> Option<()> {
        let value = self.numbers[value.0 as usize];
        (i128::from(lo) <= value && value <= i128::from(hi)).then_some(())
    }
}

impl Constants<'_, '_> {
    fn keep(&mut self, value: i128) -> Number {
        self.numbers.push(value);
        Number(self.numbers.len() as u32 - 1)
    }

    fn words(&self, set: Set) -> &[u64] {
        &self.sets[set.at as usize]
    }

    /// The result of a step that makes a number.
    fn counted(&mut self, step: Step<'_>) -> Option<i128> {
        let of = |n: Number| self.numbers[n.0 as usize];
        Some(match step {
            Step::Number(n) => of(n),
            Step::With { op, a, value } => arithmetic(op, of(a), value.into())?,
            Step::Binary { op, a, b } => arithmetic(op, of(a), of(b))?,
            Step::Count(set) => bits(self.words(set)).count() as i128,
            Step::First(set) => bits(self.words(set)).next().map_or(-1, i128::from),
            Step::Last(set) => bits(self.words(set)).last().map_or(-1, i128::from),
            Step::Before(a, b) => compare_sets(self.words(a), self.words(b)).is_lt().into(),
            Step::Hops { from, to, table } => {
                let row = table.get(usize::try_from(of(from)).ok()?)?;
                let to = u64::try_from(of(to)).ok()?;
                reach::unpack(row, to, reach::distance_bits(table.len()))?.into()
            }
            _ => return None,
        })
    }

    /// The result of a step that makes a set.
    fn found(&mut self, step: Step<'_>) -> Option<Vec<u64>> {
        let of = |n: Number| self.numbers[n.0 as usize];
        if let Step::Around { table, .. } | Step::Group { table, .. } | Step::Run { table, .. } =
            step
        {
            let fuel = &mut self.evaluator.fuel;
            **fuel = fuel.checked_sub(table.len() as u64)?;
        }
        Some(match step {
            Step::Select {
                cond,
                then,
                otherwise,
            } => {
                let taken = if of(cond) != 0 { then } else { otherwise };
                self.words(taken).to_vec()
            }
            Step::Top { count, set } => {
                let words = self.words(set);
                let members: Vec<u64> = bits(words).collect();
                let mut top = vec![0; words.len()];
                for &i in members.iter().rev().take(usize::try_from(of(count)).ok()?) {
                    insert(&mut top, i);
                }
                top
            }
            Step::Around { from, table } => reach::around(self.words(from), next(table)).to_vec(),
            Step::Group {
                from,
                within,
                table,
            } => reach::group(self.words(from), self.words(within), next(table)).to_vec(),
            Step::Run {
                from,
                way,
                ways,
                within,
                both,
                table,
            } => {
                let (from, way) = (of(from) as u64, of(way) as u64);
                let within = self.words(within);
                let step = |way: u64| {
                    move |cell: u64| {
                        let to = table.get((cell * ways + way) as usize)?.first()?;
                        to.checked_sub(1)
                    }
                };
                if both {
                    let back = (way + ways / 2) % ways;
                    reach::line(from, within, step(way), step(back)).to_vec()
                } else {
                    reach::run(from, within, step(way)).to_vec()
                }
            }
            _ => return None,
        })
    }
}

fn next<'t>(table: &'t Rows) -> impl Fn(u64) -> &'t [u64] {
    move |node| table.get(node as usize).map_or(&[][..], Vec::as_slice)
}

fn arithmetic(op: Op, a: i128, b: i128) -> Option<i128> {
    match op {
        Op::Add => a.checked_add(b),
        Op::Mul => a.checked_mul(b),
        Op::Mod => a.checked_rem_euclid(b),
        Op::Min => Some(a.min(b)),
        Op::Max => Some(a.max(b)),
    }
}
