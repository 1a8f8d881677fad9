//! `next(x)`, `next(x, k)`.

use super::{Call, Caller, Doc, Function, Op, Operation, Operations, Primitive, called};
use crate::model::Expr;
use crate::model::codes::{AMBIGUOUS_NAME, NEEDS_TYPE};
use crate::model::types::Type;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;

#[derive(Debug)]
pub struct Next;

impl Function for Next {
    fn name(&self) -> &'static str {
        "next"
    }

    fn docs(&self) -> &'static [Doc] {
        &[Doc {
            form: "`next(x)`, `next(x, k)`",
            result: "as `x`",
            what: "the value `k` places on (1 without it), around the end; `k` may be negative",
        }]
    }

    fn check(&self, call: &mut dyn Caller) -> Option<Expr> {
        call.arity(1, 2)?;
        let want = call.wanted();
        let x = call.arg(0, want.as_ref())?;
        let x = call.value(x)?;
        let x = among_others(call, x, want.as_ref())?;
        let k = if call.count() > 1 {
            let k = call.arg(1, None)?;
            call.integer(k)?
        } else {
            not_of_a_node(call, &x, want.as_ref())?;
            Expr::scalar(1, Type::constant(1), call.span())
        };
        let ty = x.ty.clone();
        Some(call.make(called(&Next, vec![x, k]), ty))
    }
}

/// An integer that is written out has a range of its own, in which nothing comes after it, and so has one in a product: it
/// takes the type of its place.
fn among_others(call: &mut dyn Caller, x: Expr, want: Option<&Type>) -> Option<Expr> {
    if !call.is_untyped(0) || !is_alone(&x.ty) {
        return Some(x);
    }
    let (range, hint) = match x.ty {
        Type::Int { .. } => (
            "range",
            "`next` is for values of a range; of a number it is `… + 1`",
        ),
        _ => (
            "type",
            "name the type first, `let x: T = (…)`, and then write `next(x)`",
        ),
    };
    let place = match want {
        Some(Type::Optional(inner)) => Some(&**inner),
        place => place,
    };
    match (place, &x.ty) {
        (Some(ty @ Type::Int { .. }), Type::Int { .. })
        | (Some(ty @ Type::Product(_)), Type::Product(_)) => call.coerce(x, ty),
        _ => {
            let message =
                format!("nothing here says of which {range} this is, and so what comes next");
            let problem = Diagnostic::error(NEEDS_TYPE, call.arg_span(0), message);
            call.report(problem.hint(hint));
            None
        }
    }
}

/// Whether a type has been made up for one integer.
fn is_alone(ty: &Type) -> bool {
    match ty {
        Type::Int { lo, hi } => lo == hi,
        Type::Product(product) => {
            product.name.is_none() && product.fields.iter().any(|(_, ty)| is_alone(ty))
        }
        _ => false,
    }
}

/// The neighbours of a node are `Board.next(c)`; what comes after it in the order of nodes is said with a number.
fn not_of_a_node(call: &mut dyn Caller, x: &Expr, want: Option<&Type>) -> Option<()> {
    let Some(board) = call.board_of(&x.ty) else {
        return Some(());
    };
    let problem = Diagnostic::error(
        AMBIGUOUS_NAME,
        call.span(),
        format!("this could be the neighbours of a node of `{board}`, or the node that is listed after it"),
    )
    .hint(format!(
        "write `{board}.next(…)` for the neighbours, `next(…, 1)` for the node that is listed next"
    ));
    let start = Span {
        end: call.span().start,
        ..call.span()
    };
    let last = Span {
        start: call.arg_span(0).end,
        end: call.arg_span(0).end,
    };
    call.report(match want {
        Some(Type::Set(_)) => problem.edit(start, format!("{board}.")),
        Some(_) => problem.edit(last, ", 1"),
        None => problem,
    });
    None
}

impl Primitive for Next {
    fn build<'c>(&self, call: &Call<'c>, operations: &mut dyn Operations) -> Option<Operation<'c>> {
        let (x, k) = (call.arg(0)?, call.arg(1)?);
        let at = operations.ordinal(x)?;
        let moved = match operations.known(k) {
            Some(value) => Operation::With {
                op: Op::Add,
                a: at,
                value,
            },
            None => Operation::Binary {
                op: Op::Add,
                a: at,
                b: operations.number(k)?,
            },
        };
        let wrapped = Operation::With {
            op: Op::Mod,
            a: operations.push(moved)?,
            value: call.ty.size()? as i64,
        };
        let value = Operation::With {
            op: Op::Add,
            a: operations.push(wrapped)?,
            value: call.ty.value_at(0),
        };
        operations.push(value).map(Operation::Number)
    }

    fn is_total(&self, _: &[Expr]) -> bool {
        true
    }
}
