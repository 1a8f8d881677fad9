//! `only(S)`, `only(o)`.

use super::{Call, Caller, Doc, Failure, Function, Op, Operation, Operations, Primitive, called};
use crate::model::types::{Type, said};
use crate::model::{Expr, ExprKind, codes};
use crate::text::diagnostics::Diagnostic;

/// The single element of a set; an error of play when there is not exactly one.
#[derive(Debug)]
pub struct Only;

impl Function for Only {
    fn name(&self) -> &'static str {
        "only"
    }

    fn docs(&self) -> &'static [Doc] {
        &[Doc {
            form: "`only(S)`, `only(o)`",
            result: "element",
            what: "the one element of a set, the value of an optional; an error if there is none or several (E0704)",
        }]
    }

    fn check(&self, call: &mut dyn Caller) -> Option<Expr> {
        call.arity(1, 1)?;
        let want = call.wanted().filter(|_| call.is_needy(0));
        let e = call.arg(0, want.map(Type::set_of).as_ref())?;
        match e.ty.clone() {
            Type::Set(element) => Some(call.make(called(&Only, vec![e]), (*element).clone())),
            Type::Optional(inner) => {
                let kind = ExprKind::Unwrap {
                    value: Box::new(e),
                    checked: true,
                };
                Some(call.make(kind, (*inner).clone()))
            }
            _ if matches!(e.kind, ExprKind::Unwrap { checked: false, .. }) => Some(e),
            ty => {
                call.report(
                    Diagnostic::error(
                        codes::TYPE_MISMATCH,
                        call.arg_span(0),
                        "`only` takes the one element out of a set, or the value out of what may be `none`",
                    )
                    .label(format!("this is {}", said(&ty)))
                    .hint("leave `only` out"),
                );
                None
            }
        }
    }
}

impl Primitive for Only {
    fn build<'c>(&self, call: &Call<'c>, operations: &mut dyn Operations) -> Option<Operation<'c>> {
        let set = operations.set(call.arg(0)?)?;
        let count = operations.push(Operation::Count(set))?;
        let failure = Failure {
            code: codes::NOT_ONE,
            message: "`only` wants a set with exactly one element, and this one has {}".into(),
            hint: "test its `size` first",
        };
        operations.check(count, 1, 1, failure)?;
        let last = operations.push(Operation::Last(set))?;
        let value = Operation::With {
            op: Op::Add,
            a: last,
            value: call.ty.value_at(0),
        };
        operations.push(value).map(Operation::Number)
    }

    fn is_in_argument(&self) -> bool {
        true
    }
}
