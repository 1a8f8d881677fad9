//! `pow(x, n)`.

use super::{Caller, Doc, Function};
use crate::model::types::{Type, ratio_parts, said};
use crate::model::{Expr, ExprKind, codes};
use crate::text::diagnostics::Diagnostic;
use std::sync::Arc;

/// So many results are looked up in a table at most.
const MOST_RESULTS: u64 = 4096;

pub struct Pow;

impl Function for Pow {
    fn name(&self) -> &'static str {
        "pow"
    }

    fn docs(&self) -> &'static [Doc] {
        &[Doc {
            form: "`pow(x, n)`",
            result: "number",
            what: "`n` times `x` as a product, 1 for 0; `x` is an integer, or known before play",
        }]
    }

    fn check(&self, call: &mut dyn Caller) -> Option<Expr> {
        call.arity(2, 2)?;
        let (x, n) = (call.arg(0, None)?, call.arg(1, None)?);
        call.numeric(&x)?;
        let n = call.integer(n)?;
        let n = call.natural(n)?;
        let Type::Int { lo, hi } = n.ty else {
            return None;
        };
        let known = call.constant(&x).and_then(|words| words.first().copied());
        let (den, least, most) = match known {
            Some(word) => (ratio_parts(&x.ty)?.0, word as i64, word as i64),
            None => ratio_parts(&x.ty)?,
        };
        if known.is_none() && !matches!(x.ty, Type::Int { .. }) {
            call.report(
                Diagnostic::error(
                    codes::NOT_CONSTANT,
                    x.span,
                    "a fraction that is raised to a power must be known before the game starts",
                )
                .label(format!("this is {}", said(&x.ty)))
                .hint("multiply: the square of `x` is `x * x`"),
            );
            return None;
        }
        let results = most
            .abs_diff(least)
            .checked_add(1)
            .and_then(|bases| bases.checked_mul(hi.abs_diff(lo).checked_add(1)?));
        if results.is_none_or(|all| all > MOST_RESULTS) {
            call.report_live(
                Diagnostic::error(
                    codes::TOO_LARGE,
                    call.span(),
                    format!("there are more than {MOST_RESULTS} results"),
                )
                .hint("give the base and the exponent smaller ranges"),
            );
            return None;
        }
        let rows = (least..=most).map(|base| numerators(base, den, lo, hi));
        let rows = rows.collect::<Option<Vec<Vec<i64>>>>();
        let whole = u32::try_from(hi).ok().and_then(|hi| den.checked_pow(hi));
        let (Some(rows), Some(whole)) = (rows, whole) else {
            call.overflow();
            return None;
        };
        if whole != 1 {
            return Some(call.looked_up(rows.concat(), whole, n));
        }
        let all = || rows.iter().flatten().copied();
        let (lo, hi) = (all().min()?, all().max()?);
        let words = all().map(|v| vec![v as u64]).collect();
        let by_exponent = array(&n.ty, Type::Int { lo, hi });
        let (ty, indices) = match known {
            Some(_) => (by_exponent, vec![n]),
            None => (array(&x.ty, by_exponent), vec![x, n]),
        };
        let kind = ExprKind::ConstArray(Arc::new(words));
        let span = call.span();
        Some(call.element(Expr { kind, ty, span }, indices))
    }
}

fn array(index: &Type, element: Type) -> Type {
    Type::Array {
        index: Arc::new(index.clone()),
        element: Arc::new(element),
    }
}

/// The powers of a fraction from one exponent to another, as numerators over the greatest power of its denominator.
fn numerators(base: i64, den: i64, lo: i64, hi: i64) -> Option<Vec<i64>> {
    let (lo, hi) = (u32::try_from(lo).ok()?, u32::try_from(hi).ok()?);
    let of = |n: u32| base.checked_pow(n)?.checked_mul(den.checked_pow(hi - n)?);
    (lo..=hi).map(of).collect()
}
