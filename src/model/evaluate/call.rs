//! Calls of functions on constants: their operations are evaluated.
//!
//! Numbers between the operations have 128 bits, so that only a result can be too great.

use super::{Evaluator, Value, insert, ordinal};
use crate::model::functions::{Call, Failure, Number, Op, Operation, Operations, Primitive, Set};
use crate::model::types::{Type, bits, compare_sets};
use crate::model::{Expr, Rows, reach};

impl Evaluator<'_> {
    pub(super) fn call(&mut self, function: &dyn Primitive, call: &Call<'_>) -> Option<Value> {
        let mut constants = Constants {
            evaluator: self,
            numbers: Vec::new(),
            sets: Vec::new(),
        };
        let last = function.build(call, &mut constants)?;
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

impl Operations for Constants<'_, '_> {
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

    fn push(&mut self, operation: Operation<'_>) -> Option<Number> {
        let value = self.counted(operation)?;
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
    fn counted(&mut self, operation: Operation<'_>) -> Option<i128> {
        let of = |n: Number| self.numbers[n.0 as usize];
        Some(match operation {
            Operation::Number(n) => of(n),
            Operation::With { op, a, value } => arithmetic(op, of(a), value.into())?,
            Operation::Binary { op, a, b } => arithmetic(op, of(a), of(b))?,
            Operation::Count(set) => bits(self.words(set)).count() as i128,
            Operation::First(set) => bits(self.words(set)).next().map_or(-1, i128::from),
            Operation::Last(set) => bits(self.words(set)).last().map_or(-1, i128::from),
            Operation::Before(a, b) => compare_sets(self.words(a), self.words(b)).is_lt().into(),
            Operation::Hops { from, to, table } => {
                let row = table.get(usize::try_from(of(from)).ok()?)?;
                let to = u64::try_from(of(to)).ok()?;
                reach::unpack(row, to, reach::distance_bits(table.len()))?.into()
            }
            _ => return None,
        })
    }

    /// The result of a step that makes a set.
    fn found(&mut self, operation: Operation<'_>) -> Option<Vec<u64>> {
        let of = |n: Number| self.numbers[n.0 as usize];
        if let Operation::Around { table, .. }
        | Operation::Group { table, .. }
        | Operation::Run { table, .. } = operation
        {
            let fuel = &mut self.evaluator.fuel;
            **fuel = fuel.checked_sub(table.len() as u64)?;
        }
        Some(match operation {
            Operation::Select {
                cond,
                then,
                otherwise,
            } => {
                let taken = if of(cond) != 0 { then } else { otherwise };
                self.words(taken).to_vec()
            }
            Operation::Top { count, set } => {
                let words = self.words(set);
                let members: Vec<u64> = bits(words).collect();
                let mut top = vec![0; words.len()];
                for &i in members.iter().rev().take(usize::try_from(of(count)).ok()?) {
                    insert(&mut top, i);
                }
                top
            }
            Operation::Around { from, table } => {
                reach::around(self.words(from), next(table)).to_vec()
            }
            Operation::Group {
                from,
                within,
                table,
            } => reach::group(self.words(from), self.words(within), next(table)).to_vec(),
            Operation::Run {
                from,
                way,
                ways,
                within,
                both,
                table,
            } => {
                let (from, way) = (of(from) as u64, of(way) as u64);
                let within = self.words(within);
                let operation = |way: u64| {
                    move |cell: u64| {
                        let to = table.get((cell * ways + way) as usize)?.first()?;
                        to.checked_sub(1)
                    }
                };
                if both {
                    let back = (way + ways / 2) % ways;
                    reach::line(from, within, operation(way), operation(back)).to_vec()
                } else {
                    reach::run(from, within, operation(way)).to_vec()
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
