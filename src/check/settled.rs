//! Values that the text of a move need not have, as another value that it has settles them: that is chosen from sets of which
//! no two have an element in common, a cell in one direction or another.

use crate::model::evaluate::evaluate_within;
use crate::model::types::{Type, bits};
use crate::model::*;
use rustc_hash::FxHashMap;

type Locals = FxHashMap<LocalId, Vec<u64>>;

/// The most values of something that a set depends on.
const MOST_VALUES: u64 = 1 << 10;
/// The most ways in which all that is given may be.
const MOST_WAYS: usize = 20_000;
/// The most words of a set that is taken for another one.
const MOST_WORDS: usize = 1 << 10;

/// Whether a value follows from one that `has` says is in the text.
pub fn is_settled(
    d: &Description,
    a: &Alternative,
    part: &Part,
    has: &dyn Fn(&Part) -> bool,
    fuel: &mut u64,
) -> bool {
    let single = |p: &Part| p.sizes.is_none();
    let mut others = a.parts.iter().filter(|o| single(o) && has(o));
    let untold = a.parts.iter().filter(|o| o.local != part.local);
    let untold: Vec<LocalId> = untold
        .filter(|o| !(single(o) && has(o)))
        .map(|o| o.local)
        .collect();
    single(part)
        && others.any(|other| {
            let mut settled = Settled {
                d,
                set: without_conditions(other.domain.clone(), &untold),
                given: Vec::new(),
                fuel,
            };
            settled.is_of(a, part, &|p| single(p) && has(p)) == Some(true)
        })
}

struct Settled<'d, 'f> {
    d: &'d Description,
    /// What the value in the text is chosen from.
    set: Expr,
    /// What else that depends on, each with the values that it may have.
    given: Vec<(LocalId, Vec<u64>)>,
    fuel: &'f mut u64,
}

impl Settled<'_, '_> {
    /// Whether the set says which value a part has. `None`: that is too much to find out.
    fn is_of(&mut self, a: &Alternative, part: &Part, has: &dyn Fn(&Part) -> bool) -> Option<bool> {
        if !self.set.reads_local(part.local) {
            return Some(false);
        }
        let given = |p: &&Part| p.local != part.local && self.set.reads_local(p.local);
        for other in a.parts.iter().filter(given).collect::<Vec<_>>() {
            if !has(other) {
                return Some(false);
            }
            let values = self.values(other)?;
            self.given.push((other.local, values));
        }
        let mut set = self.set.clone();
        let next = self.d.locals.len() as u32;
        name_values(&mut set, a, next, &mut self.given);
        self.set = set;
        let values = self.values(part)?;
        let mut lengths = self.given.iter().map(|(_, values)| values.len());
        let ways = lengths.try_fold(values.len(), usize::checked_mul)?;
        match ways <= MOST_WAYS {
            true => self.apart(part.local, &values, 0, &mut Locals::default()),
            false => None,
        }
    }

    /// Whether, whatever the rest of what is given is, different values leave sets that have nothing in common.
    fn apart(
        &mut self,
        local: LocalId,
        values: &[u64],
        given: usize,
        locals: &mut Locals,
    ) -> Option<bool> {
        if let Some((known, all)) = self.given.get(given).cloned() {
            for value in all {
                locals.insert(known, vec![value]);
                if !self.apart(local, values, given + 1, locals)? {
                    return Some(false);
                }
            }
            return Some(true);
        }
        let mut taken = vec![0; self.set.ty.words()];
        for value in values {
            locals.insert(local, vec![*value]);
            let set = widest(&self.set, locals, self.fuel)?;
            for (taken, word) in std::iter::zip(&mut taken, set) {
                if *taken & word != 0 {
                    return Some(false);
                }
                *taken |= word;
            }
        }
        Some(true)
    }

    /// The values that a part may have.
    fn values(&mut self, part: &Part) -> Option<Vec<u64>> {
        let element = part.domain.ty.element()?;
        if self.d.local(part.local).ty != *element {
            return None;
        }
        let words = widest(&part.domain, &Locals::default(), self.fuel)?;
        Some(bits(&words).map(|i| element.value_at(i) as u64).collect())
    }
}

/// A set that has all that another one has, whatever values are those of some names: without what filters ask of these.
fn without_conditions(e: Expr, of: &[LocalId]) -> Expr {
    let reads = |e: &Expr| of.iter().any(|local| e.reads_local(*local));
    let reads_state = |e: &Expr| e.any(|e| matches!(e.kind, ExprKind::Var { .. }));
    match e.kind {
        ExprKind::Fold(fold) if fold.is_filter() && fold.cond.as_ref().is_some_and(reads) => {
            without_conditions(fold.domain, of)
        }
        ExprKind::Binary {
            op: BinaryOp::Difference | BinaryOp::Intersect,
            left,
            right,
        } if reads(&right) => without_conditions(*left, of),
        ExprKind::Binary {
            op: op @ (BinaryOp::Difference | BinaryOp::Intersect),
            left,
            right,
        } => {
            let left = Box::new(without_conditions(*left, of));
            let kind = ExprKind::Binary { op, left, right };
            Expr { kind, ..e }
        }
        ExprKind::Let { local, value, body } => {
            let mut of = of.to_vec();
            of.extend((reads(&value) || reads_state(&value)).then_some(local));
            let body = without_conditions(*body, &of);
            if !body.reads_local(local) {
                return body;
            }
            let body = Box::new(body);
            let kind = ExprKind::Let { local, value, body };
            Expr { kind, ..e }
        }
        kind => Expr { kind, ..e },
    }
}

/// Puts names for what is read of the state and of choices before, with all values of its type, from `next` on.
fn name_values(e: &mut Expr, a: &Alternative, next: u32, given: &mut Vec<(LocalId, Vec<u64>)>) {
    let is_part = |local| a.parts.iter().any(|p| p.local == local);
    let read = match &e.kind {
        ExprKind::Local(local) => !is_part(*local),
        ExprKind::Var { .. } => !a.parts.iter().any(|p| e.reads_local(p.local)),
        _ => false,
    };
    let size = e.ty.size().filter(|size| read && *size <= MOST_VALUES);
    match size {
        Some(size) => {
            let name = LocalId(next + given.len() as u32);
            let values = (0..size).map(|i| e.ty.value_at(i) as u64).collect();
            given.push((name, values));
            e.kind = ExprKind::Local(name);
        }
        None => match &mut e.kind {
            ExprKind::Fold(fold) => name_values(&mut fold.domain, a, next, given),
            kind => {
                let operands = kind.operands_mut().into_iter();
                operands.for_each(|o| name_values(o, a, next, given));
            }
        },
    }
}

/// A set that has all that another one may have, whatever the state is. `None`: that is too much to find out.
fn widest(e: &Expr, locals: &Locals, fuel: &mut u64) -> Option<Vec<u64>> {
    if let Some(words) = evaluate_within(e, locals, fuel) {
        return Some(words);
    }
    if *fuel == 0 {
        return None;
    }
    let alike = |e: &&Expr, other: &Expr| e.ty == other.ty;
    let mut both = |a: &Expr, b: &Expr, join: fn(u64, u64) -> u64| -> Option<Vec<u64>> {
        let (a, b) = (widest(a, locals, fuel)?, widest(b, locals, fuel)?);
        Some(std::iter::zip(a, b).map(|(a, b)| join(a, b)).collect())
    };
    match &e.kind {
        ExprKind::Cast(a) if alike(&e, a) => widest(a, locals, fuel),
        ExprKind::Binary { op, left, right } if alike(&e, left) && alike(&e, right) => match op {
            BinaryOp::Union => both(left, right, |a, b| a | b),
            BinaryOp::Intersect => both(left, right, |a, b| a & b),
            BinaryOp::Difference => widest(left, locals, fuel),
            _ => all_of(&e.ty),
        },
        ExprKind::If {
            then, otherwise, ..
        } => both(then, otherwise, |a, b| a | b),
        ExprKind::Fold(fold) if fold.is_filter() => widest(&fold.domain, locals, fuel),
        ExprKind::Call { function, args, .. } => match function.grows_with() {
            Some(place) => {
                let mut call = e.clone();
                if let ExprKind::Call { args: list, .. } = &mut call.kind {
                    list[place].kind = ExprKind::ConstSet(widest(&args[place], locals, fuel)?);
                }
                evaluate_within(&call, locals, fuel).or_else(|| all_of(&e.ty))
            }
            None => all_of(&e.ty),
        },
        _ => all_of(&e.ty),
    }
}

/// All elements of a type of sets.
fn all_of(ty: &Type) -> Option<Vec<u64>> {
    let size = ty.element()?.size()?;
    let words = ty.words();
    (words <= MOST_WORDS).then(|| {
        let word = |w: usize| match size.saturating_sub(64 * w as u64) {
            0 => 0,
            left @ 1..64 => (1 << left) - 1,
            _ => u64::MAX,
        };
        (0..words).map(word).collect()
    })
}
