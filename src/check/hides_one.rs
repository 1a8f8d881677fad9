//! A word about who sees a value that stands by one of several, where all may be meant.

use super::visibility::codes;
use crate::model::evaluate::evaluate;
use crate::model::types::{Type, bits};
use crate::model::{Expr, Part};
use crate::syntax::ast;
use crate::syntax::visit::{Reference, Visitor};
use crate::text::diagnostics::Diagnostic;
use rustc_hash::FxHashMap;

/// `a in S, b in T seen by p`, where only `b` is hidden, and `draw secretly a in S, b in T`, where only `a` is. Of a choice only
/// where both come from the same: with a card that is put down secretly mostly goes what everybody is to see.
pub fn hides_one(parts: &[ast::Part], made: &[Part], by_chance: bool) -> Option<Diagnostic> {
    let (first, last) = (parts.first()?, parts.last()?);
    let seen_by_all = made.last().is_some_and(|part| is_all(&part.viewers));
    let of_last = last
        .seen
        .as_ref()
        .filter(|_| is_plain(first) && !seen_by_all);
    let (word, hidden, others) = match of_last {
        Some(_) => ("seen by", last, &parts[..parts.len() - 1]),
        None if first.secretly => ("secretly", first, &parts[1..]),
        None => return None,
    };
    let known = |part: &ast::Part| of_last.is_some_and(|seen| reads(seen, &part.name.text));
    if others.is_empty() || !others.iter().all(|part| is_plain(part) && !known(part)) {
        return None;
    }
    let alike = || {
        let domains = made.iter().map(|part| &part.domain);
        made.len() == parts.len() && domains.zip(&made[1..]).all(|(a, b)| a.is_same(&b.domain))
    };
    if !by_chance && !alike() {
        return None;
    }
    let (one, other) = (&hidden.name.text, &others[0].name.text);
    let more = match word {
        "secretly" => format!("`secretly {other} in …`"),
        _ => format!("`{other} in … seen by …`"),
    };
    Some(
        Diagnostic::note_of(
            codes::HIDES_ONE,
            hidden.span,
            format!("`{word}` hides `{one}` alone, and everybody sees `{other}`"),
        )
        .label(format!("this is said of `{one}`"))
        .hint(format!(
            "to hide `{other}`, too, say so: {more}; if everybody is meant to see it, `{other} in … seen by all`"
        )),
    )
}

/// Whether nothing says who sees a value of a set.
fn is_plain(part: &ast::Part) -> bool {
    let says = part.secretly || part.seen.is_some() || part.into.is_some();
    !says && part.family.is_none() && !matches!(part.source, ast::Source::Value(_))
}

/// Whether a set is one with all values of its type.
fn is_all(set: &Expr) -> bool {
    let words = evaluate(set, &FxHashMap::default());
    let all = set.ty.element().and_then(Type::size);
    words.is_some_and(|words| Some(bits(&words).count() as u64) == all)
}

fn reads(e: &ast::Expr, name: &str) -> bool {
    let mut reads = Reads { name, found: false };
    reads.expr(e);
    reads.found
}

struct Reads<'n> {
    name: &'n str,
    found: bool,
}

impl<'a> Visitor<'a> for Reads<'_> {
    fn refer(&mut self, name: &'a ast::Name, _: Reference<'a>) {
        self.found |= name.text == self.name;
    }
}
