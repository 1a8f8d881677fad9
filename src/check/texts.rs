//! The text of a move must say which move it is. Where the options are known before play they are all compared; else each
//! part must at least be mentioned, and play finds the rest.

use super::codes;
use super::settled::is_settled;
use crate::model::evaluate::evaluate_within;
use crate::model::types::{Type, bits};
use crate::model::*;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;
use rustc_hash::{FxHashMap, FxHashSet};

/// The most options of one choice that are compared.
const MOST: usize = 10_000;
/// Steps that the comparison of all choices may take together.
const FUEL: u64 = 20_000_000;

/// What helps against two moves with one text.
pub const TELL_APART: &str = "let the text tell apart whatever can be chosen: with a blank or a mark between two values, and no field left out of how one reads";

/// Choices whose texts do not tell the options apart.
pub fn texts(d: &Description) -> Vec<Diagnostic> {
    let mut fuel = FUEL;
    let mut found: Vec<Diagnostic> = Vec::new();
    d.play.for_each_choice(|choice| {
        for problem in look(d, choice, &mut fuel) {
            if !found.iter().any(|p| p.span == problem.span) {
                found.push(problem);
            }
        }
    });
    let mut partial: Vec<Span> = Vec::new();
    d.play
        .for_each_choice_in_moves(|choice| partial.push(choice.span));
    d.play.for_each_choice(|choice| {
        let is_whole = !partial.contains(&choice.span);
        for problem in choice
            .alternatives
            .iter()
            .filter_map(|a| typed(a, is_whole))
        {
            if !found.iter().any(|p| p.span == problem.span) {
                found.push(problem);
            }
        }
    });
    found
}

/// A text that nobody can type as it stands. In `one move` the texts of all choices are one, so that one may be empty.
fn typed(a: &Alternative, is_whole: bool) -> Option<Diagnostic> {
    let text = a.text.as_ref()?;
    let cases = text.cases.iter().map(|case| &case.parts);
    let mut all = cases.chain([&text.parts]);
    let blank = |part: &TextPart| matches!(part, TextPart::Literal(s) if s.trim().is_empty());
    let several = |part: &TextPart| matches!(part, TextPart::Literal(s) if s.contains(';'));
    if is_whole && all.clone().any(|parts| parts.iter().all(blank)) {
        let message = "the text of this move is empty";
        let hint = "whoever types a move must be able to say it: give it a word, such as `pass`";
        return Some(Diagnostic::warning(codes::NOT_TYPED, a.span, message).hint(hint));
    }
    let message = "the text of this move has a `;`, which ends a move where several are written";
    let hint = "put another sign between the words, such as `,` or `/`";
    all.any(|parts| parts.iter().any(several))
        .then(|| Diagnostic::warning(codes::NOT_TYPED, a.span, message).hint(hint))
}

fn look(d: &Description, choice: &Choice, fuel: &mut u64) -> Vec<Diagnostic> {
    if let Some(seen) = Compared::all(d, choice, fuel) {
        return seen.into_iter().collect();
    }
    let mut found = Vec::new();
    for a in &choice.alternatives {
        let Some(text) = &a.text else { continue };
        for part in &a.parts {
            let single = matches!(&part.domain.kind, ExprKind::SetOf(list) if list.len() == 1)
                || part.sizes.is_none() && only_one(&part.domain, fuel);
            if !mentions(text, part)
                && !single
                && !follows(a, text, part)
                && !is_settled(d, a, part, &|p| mentions(text, p), fuel)
            {
                let name = &d.local(part.local).name;
                found.push(
                    Diagnostic::warning(
                        codes::SHARED_TEXT,
                        part.span,
                        format!("the text of this move does not say which `{name}` is chosen"),
                    )
                    .hint(format!(
                        "whoever types a move must be able to say it: put `{{{name}}}` into the text"
                    )),
                );
            }
        }
    }
    found
}

fn mentions(text: &Text, part: &Part) -> bool {
    text.holes().any(|hole| hole.value.reads_local(part.local))
}

/// Whether a text has the value of a part itself, whatever its conditions are.
fn says(text: &Text, part: &Part) -> bool {
    let of = |parts: &[TextPart]| {
        let is_part = |e: &Expr| matches!(e.kind, ExprKind::Local(local) if local == part.local);
        let mut parts = parts.iter();
        parts.any(|p| matches!(p, TextPart::Hole(hole) if is_part(&hole.value)))
    };
    text.cases.iter().all(|case| of(&case.parts)) && of(&text.parts)
}

/// Whether a value follows from others that the text has: it is how many elements one of them has, or equals what is made of
/// them.
fn follows(a: &Alternative, text: &Text, part: &Part) -> bool {
    let is_part = |e: &Expr| matches!(e.uncast().kind, ExprKind::Local(l) if l == part.local);
    let sized = |other: &Part| match &other.sizes {
        Some(Sizes { least, most: None }) => is_part(least) && mentions(text, other),
        _ => false,
    };
    let told = |e: &Expr| {
        let mut read = a.parts.iter().filter(|other| e.reads_local(other.local));
        read.all(|other| mentions(text, other))
    };
    // Where an element is said of which it is asked, or some of these.
    let filtered = |other: &Part| {
        let some = other
            .sizes
            .as_ref()
            .is_none_or(|sizes| matches!(sizes.least.kind, ExprKind::Const(n) if n > 0));
        let ExprKind::Fold(fold) = &other.domain.kind else {
            return false;
        };
        let cond = fold.cond.as_ref().filter(|_| fold.is_filter());
        some && says(text, other) && cond.is_some_and(|cond| equals(cond, &is_part, &told))
    };
    a.parts.iter().any(sized)
        || a.parts.iter().any(filtered)
        || a.cond
            .as_ref()
            .is_some_and(|cond| equals(cond, &is_part, &told))
}

/// Whether a condition says that something equals what holds of the other side.
fn equals(cond: &Expr, one: &impl Fn(&Expr) -> bool, other: &impl Fn(&Expr) -> bool) -> bool {
    let ExprKind::Binary { op, left, right } = &cond.uncast().kind else {
        return false;
    };
    match op {
        BinaryOp::And => equals(left, one, other) || equals(right, one, other),
        BinaryOp::Eq => one(left) && other(right) || one(right) && other(left),
        _ => false,
    }
}

/// Whether a set is known before play, and has one element.
fn only_one(set: &Expr, fuel: &mut u64) -> bool {
    let known = evaluate_within(set, &FxHashMap::default(), fuel);
    known.is_some_and(|words| bits(&words).count() == 1)
}

/// The options of one choice with their texts.
struct Compared<'d> {
    d: &'d Description,
    fuel: &'d mut u64,
    texts: FxHashSet<String>,
    count: usize,
    shared: Option<Diagnostic>,
}

impl<'d> Compared<'d> {
    /// `None`: not everything is known before play, or there is too much of it.
    fn all(d: &'d Description, choice: &Choice, fuel: &'d mut u64) -> Option<Option<Diagnostic>> {
        let mut compared = Compared {
            d,
            fuel,
            texts: FxHashSet::default(),
            count: 0,
            shared: None,
        };
        for a in &choice.alternatives {
            compared.tuples(a, 0, &mut FxHashMap::default())?;
        }
        Some(compared.shared)
    }

    fn tuples(
        &mut self,
        a: &'d Alternative,
        at: usize,
        locals: &mut FxHashMap<LocalId, Vec<u64>>,
    ) -> Option<()> {
        if self.shared.is_some() {
            return Some(());
        }
        let Some(part) = a.parts.get(at) else {
            if let Some(cond) = &a.cond
                && evaluate_within(cond, locals, self.fuel)?.first() == Some(&0)
            {
                return Some(());
            }
            return self.compare(a, locals);
        };
        if part.sizes.is_some() {
            return None;
        }
        let words = evaluate_within(&part.domain, locals, self.fuel)?;
        let element = part.domain.ty.element()?;
        for i in bits(&words) {
            locals.insert(part.local, vec![element.value_at(i) as u64]);
            self.tuples(a, at + 1, locals)?;
        }
        locals.remove(&part.local);
        Some(())
    }

    fn compare(&mut self, a: &'d Alternative, locals: &FxHashMap<LocalId, Vec<u64>>) -> Option<()> {
        self.count += 1;
        if self.count > MOST {
            return None;
        }
        let mut text = String::new();
        match &a.text {
            Some(said) => {
                for part in self.taken(said, locals)? {
                    match part {
                        TextPart::Literal(s) => text.push_str(s),
                        TextPart::Hole(hole) => text.push_str(&self.shown(&hole.value, locals)?),
                    }
                }
            }
            // As the machine prints it.
            None => {
                let value = |p: &Part| {
                    let ty: &Type = &self.d.local(p.local).ty;
                    ty.show_words(locals.get(&p.local).map_or(&[], Vec::as_slice))
                };
                let values: Vec<String> = a.parts.iter().map(value).collect();
                text = match &a.label {
                    Some(label) if values.is_empty() => label.clone(),
                    Some(label) => format!("{label}({})", values.join(", ")),
                    None => values.join(", "),
                };
            }
        }
        if !self.texts.insert(text.clone()) {
            self.shared = Some(
                Diagnostic::error(
                    codes::SHARED_TEXT,
                    a.span,
                    format!("two moves read `{text}` here"),
                )
                .hint(TELL_APART),
            );
        }
        Some(())
    }

    /// The parts that are printed.
    fn taken(
        &mut self,
        text: &'d Text,
        locals: &FxHashMap<LocalId, Vec<u64>>,
    ) -> Option<&'d [TextPart]> {
        for case in &text.cases {
            if evaluate_within(&case.cond.value, locals, self.fuel)?.first() == Some(&1) {
                return Some(&case.parts);
            }
        }
        Some(&text.parts)
    }

    fn shown(&mut self, e: &Expr, locals: &FxHashMap<LocalId, Vec<u64>>) -> Option<String> {
        Some(e.ty.show_words(&evaluate_within(e, locals, self.fuel)?))
    }
}
