//! `min` and `max`: of a set, of some values, of an array.

use super::{Call, Caller, Doc, Failure, Function, Op, Operation, Operations, Primitive, called};
use crate::model::types::{Type, ratio_parts};
use crate::model::{Expr, ExprKind, FoldOp, codes};

/// Of two numbers, of two values or sets of one type in its order; or of one set, which is an error of play when it is
/// empty.
#[derive(Debug)]
pub struct Extreme {
    least: bool,
}

pub static MIN: Extreme = Extreme { least: true };
pub static MAX: Extreme = Extreme { least: false };

impl Function for Extreme {
    fn name(&self) -> &'static str {
        if self.least { "min" } else { "max" }
    }

    fn docs(&self) -> &'static [Doc] {
        &[
            Doc {
                form: "`min(x, y, …)`, `max(x, y, …)`",
                result: "as they are",
                what: "the least, the greatest of some numbers, of some values of an enum or a product, of some sets",
            },
            Doc {
                form: "`min(S)`, `max(S)`",
                result: "element",
                what: "the least, the greatest element; of an empty set an error (E0705)",
            },
            Doc {
                form: "`min(a)`, `max(a)`",
                result: "as an element",
                what: "the least, the greatest element of an array",
            },
        ]
    }

    fn check(&self, call: &mut dyn Caller) -> Option<Expr> {
        match call.count() {
            0 => {
                call.wrong_arguments("at least 2 arguments, or one set or array");
                None
            }
            1 if call.is_array(0) => {
                let op = if self.least { FoldOp::Min } else { FoldOp::Max };
                call.fold_array(op, 0)
            }
            1 => {
                let want = call.wanted().filter(|_| call.is_needy(0));
                let set = call.arg(0, want.map(Type::set_of).as_ref())?;
                let set = call.set(set)?;
                let ty = set.ty.element()?.clone();
                Some(call.make(self.of(vec![set]), ty))
            }
            n => {
                let set = call.wanted().filter(|t| matches!(t, Type::Set(_)));
                let mut best = call.arg(0, set.as_ref());
                for i in 1..n {
                    let hint = best.as_ref().map(|e| e.ty.clone());
                    let next = call.arg(i, hint.filter(|_| call.is_needy(i)).as_ref());
                    best = match (best, next) {
                        (Some(a), Some(b)) => self.of_two(call, a, b),
                        _ => None,
                    };
                }
                best
            }
        }
    }
}

impl Primitive for Extreme {
    fn build<'c>(&self, call: &Call<'c>, operations: &mut dyn Operations) -> Option<Operation<'c>> {
        match call.args {
            [set] => self.element(call, set, operations),
            [a, b] if matches!(a.ty, Type::Set(_)) => {
                let (a, b) = (operations.set(a)?, operations.set(b)?);
                let cond = operations.push(Operation::Before(a, b))?;
                let (then, otherwise) = if self.least { (a, b) } else { (b, a) };
                Some(Operation::Select {
                    cond,
                    then,
                    otherwise,
                })
            }
            [a, b] => {
                let op = if self.least { Op::Min } else { Op::Max };
                let a = operations.number(a)?;
                Some(match operations.known(b) {
                    Some(value) => Operation::With { op, a, value },
                    None => Operation::Binary {
                        op,
                        a,
                        b: operations.number(b)?,
                    },
                })
            }
            _ => None,
        }
    }

    fn is_total(&self, args: &[Expr]) -> bool {
        args.len() > 1
    }

    fn extreme(&self) -> Option<FoldOp> {
        Some(if self.least { FoldOp::Min } else { FoldOp::Max })
    }

    fn is_total_of_elements(&self) -> bool {
        true
    }
}

impl Extreme {
    fn of(&self, args: Vec<Expr>) -> ExprKind {
        called(if self.least { &MIN } else { &MAX }, args)
    }

    fn of_two(&self, call: &mut dyn Caller, a: Expr, b: Expr) -> Option<Expr> {
        if matches!(a.ty, Type::Set(_)) || matches!(b.ty, Type::Set(_)) {
            let (a, b, ty) = call.unify(a, b)?;
            return Some(call.make(self.of(vec![a, b]), ty));
        }
        if a.ty == b.ty && matches!(a.ty, Type::Enum(_) | Type::Product(_)) {
            let ty = a.ty.clone();
            return Some(call.make(self.of(vec![a, b]), ty));
        }
        let (x, y) = (call.numeric(&a), call.numeric(&b));
        x.and(y)?;
        let integers = matches!((&a.ty, &b.ty), (Type::Int { .. }, Type::Int { .. }));
        let (a, b) = if integers {
            (a, b)
        } else {
            let (a, b, _) = call.unify(a, b)?;
            (a, b)
        };
        let ((_, lo, hi), (_, l, h)) = (ratio_parts(&a.ty)?, ratio_parts(&b.ty)?);
        let ty = if self.least {
            a.ty.with_bounds(lo.min(l), hi.min(h))
        } else {
            a.ty.with_bounds(lo.max(l), hi.max(h))
        };
        Some(call.make(self.of(vec![a, b]), ty))
    }

    fn element<'c>(
        &self,
        call: &Call<'c>,
        set: &Expr,
        operations: &mut dyn Operations,
    ) -> Option<Operation<'c>> {
        let set = operations.set(set)?;
        let (found, word) = if self.least {
            (Operation::First(set), "least")
        } else {
            (Operation::Last(set), "greatest")
        };
        let found = operations.push(found)?;
        let failure = Failure {
            code: codes::OF_NOTHING,
            message: format!("the {word} element of an empty set"),
            hint: "test that the set is not empty first",
        };
        operations.check(found, 0, i64::MAX, failure)?;
        let value = Operation::With {
            op: Op::Add,
            a: found,
            value: call.ty.value_at(0),
        };
        operations.push(value).map(Operation::Number)
    }
}
