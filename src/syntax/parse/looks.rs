//! What may read otherwise than it looks: notes, and words that are no moves.

use super::Reader;
use crate::syntax::ast::{Alternative, BinaryOp, Binder, Expr, ExprKind, Name, Quantifier};
use crate::syntax::codes;
use crate::syntax::visit::{Reference, Visitor};
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;

impl Reader<'_> {
    /// `no p in Player: bid[p] > 0 and round == 3`, which is not `(no p in Player: bid[p] > 0) and round == 3`. Brackets
    /// around what is asked say that it is meant.
    pub(super) fn note_far_reach(
        &mut self,
        whole: Span,
        quantifier: Quantifier,
        binders: &[Binder],
        body: &Expr,
    ) {
        let ExprKind::Binary {
            op: op @ (BinaryOp::And | BinaryOp::Or),
            left,
            right,
        } = &body.kind
        else {
            return;
        };
        let reads = |e: &Expr| {
            let mut reading = Reads {
                names: binders,
                any: false,
            };
            reading.expr(e);
            reading.any
        };
        let in_brackets = body.span != left.span.to(right.span);
        if quantifier != Quantifier::No || in_brackets || !reads(left) || reads(right) {
            return;
        }
        let word = if *op == BinaryOp::And { "and" } else { "or" };
        let names: Vec<&str> = binders.iter().map(|b| &*b.name.text).collect();
        let names = names.join("` and `");
        let message = format!("this is asked of each `{names}` too, and does not read it");
        let (start, end) = (whole.start, left.span.end);
        self.report(
            Diagnostic::note_of(codes::READS_OTHERWISE, right.span, message)
                .note(Span { start, end }, format!("`no` reaches to the end of the `{word}`"))
                .hint(format!("to ask it once, put brackets around what stands before the `{word}`; otherwise around all that is asked"))
                .edit(Span { start, end: start }, "(")
                .edit(Span { start: end, end }, ")"),
        );
    }

    /// `each i in 5..1 { … }`, which does nothing.
    pub(super) fn note_backwards(&mut self, binders: &[Binder]) {
        for binder in binders {
            let ExprKind::Range { low, high } = &binder.domain.kind else {
                continue;
            };
            let (ExprKind::Int(first), ExprKind::Int(last)) = (&low.kind, &high.kind) else {
                continue;
            };
            if first <= last {
                continue;
            }
            let (name, sum) = (&binder.name.text, first.saturating_add(*last));
            let message = format!("there is no number in `{first}..{last}`, and nothing is done");
            let hint = format!(
                "a range counts upwards: write `each {name} in {last}..{first}`, where `{sum} - {name}` counts downwards"
            );
            let note = Diagnostic::note_of(codes::READS_OTHERWISE, binder.domain.span, message);
            self.report(note.hint(hint));
        }
    }

    /// `{ 1, 1, 2 }`, which has two elements. Numbers in a row are what somebody counts by.
    pub(super) fn note_twice(&mut self, elements: &[Expr]) {
        let same = |a: &Expr, b: &Expr| matches!((&a.kind, &b.kind), (ExprKind::Int(a), ExprKind::Int(b)) if a == b);
        let mut pairs = std::iter::zip(elements, elements.iter().skip(1));
        let twice = pairs.find(|(one, other)| same(one, other));
        if let Some((first, again)) = twice {
            let message = "this element is in the set already: a set has each only once";
            self.report(
                Diagnostic::note_of(codes::READS_OTHERWISE, again.span, message)
                    .note(first.span, "here")
                    .hint("leave it out; how many there are of each is said by an array of counts, `left : [Kind] 0..3`, from which `draw k from left` takes one"),
            );
        }
    }

    /// Labels that are words of the language, and two on a line that may be meant as one.
    pub(super) fn look_at_labels(&mut self, all: &[Alternative]) {
        let between = |one: &Alternative, other: &Alternative| {
            let (start, end) = (one.span.end as usize, other.span.start as usize);
            let offset = self.offset;
            let at = |place: usize| place.checked_sub(offset);
            at(start)
                .zip(at(end))
                .and_then(|(start, end)| self.text.get(start..end))
                .unwrap_or_default()
        };
        let pairs = || std::iter::zip(all, all.iter().skip(1));
        let on_lines = pairs().any(|(one, other)| between(one, other).contains('\n'));
        let mut problems = Vec::new();
        for (one, other) in pairs() {
            let (Some(label), Some(next)) = (bare(one), &other.label) else {
                continue;
            };
            let beside = !between(one, other).contains(['\n', ',', ';']);
            let hint = match &*label.text {
                "secretly" => {
                    "the others do not see a value chosen `secretly`: `play(secretly c in hand[p])`; and with `p chooses secretly { … }` not which move it is either"
                }
                "seen" if next.text == "by" => {
                    "who sees a value stands behind it: `play(c in hand[p] seen by Ann)`"
                }
                _ if on_lines && label.text != "by" && between(one, other) == " " => {
                    let message = format!("`{}` and `{}` are two moves", label.text, next.text);
                    problems.push(
                        Diagnostic::note_of(
                            codes::READS_OTHERWISE,
                            label.span.to(next.span),
                            message,
                        )
                        .hint(format!(
                            "for one, write `{}_{}`; otherwise put the other on a line of its own",
                            label.text, next.text
                        )),
                    );
                    continue;
                }
                _ => continue,
            };
            if beside {
                let message = format!("`{}` is no move", label.text);
                problems
                    .push(Diagnostic::error(codes::BAD_STATEMENT, label.span, message).hint(hint));
            }
        }
        problems
            .into_iter()
            .for_each(|problem| self.report(problem));
    }
}

/// The label of an alternative that is nothing else.
fn bare(alternative: &Alternative) -> Option<&Name> {
    let Alternative {
        parts,
        cond,
        text,
        body,
        ..
    } = alternative;
    let alone = parts.is_empty() && cond.is_none() && text.is_none() && body.is_none();
    alternative.label.as_ref().filter(|_| alone)
}

/// Whether an expression reads one of some names.
struct Reads<'n> {
    names: &'n [Binder],
    any: bool,
}

impl<'a> Visitor<'a> for Reads<'_> {
    fn refer(&mut self, name: &'a Name, _: Reference<'a>) {
        self.any |= self
            .names
            .iter()
            .any(|binder| binder.name.text == name.text);
    }
}
