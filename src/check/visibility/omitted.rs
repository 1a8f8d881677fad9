//! Choices that may have been left out unnoticed, by their `else` or with all of a `together`.

use super::Checker;
use super::elements::Possible;
use super::reads::Reads;
use crate::model::*;
use crate::text::span::Span;
use smallvec::SmallVec;
use std::rc::Rc;

/// A choice that may have been left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LeftOut {
    /// Which it is: where it stands in memory.
    place: usize,
    /// Who would have chosen, where that is known.
    who: Option<i64>,
    /// The name of who would have chosen.
    pub chooser: Option<LocalId>,
    /// How many loops lie around it that were not left since.
    pub level: usize,
    /// Those who may have noticed nothing since.
    pub players: PlayerSet,
    pub span: Span,
    /// What its options are made of: variables, as far as they can be meant, and names.
    vars: Rc<[(VarId, Vec<Possible>)]>,
    names: SmallVec<[Name; 2]>,
    /// Whether there may be options by now, since one of the variables was stored.
    pub stirred: bool,
}

/// A name that options are made of.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Name {
    name: LocalId,
    /// What it stands for, where that is known.
    value: Option<Vec<u64>>,
    /// In how many loops it gets its value.
    depth: usize,
}

impl LeftOut {
    /// Of which nothing is known.
    fn anything(span: Span) -> LeftOut {
        LeftOut {
            place: 0,
            who: None,
            chooser: None,
            level: 0,
            players: PlayerSet::EMPTY,
            span,
            vars: Rc::new([]),
            names: SmallVec::new(),
            stirred: false,
        }
    }

    /// Several choices that were left out together.
    pub fn together(place: usize, span: Span) -> LeftOut {
        LeftOut {
            place,
            stirred: true,
            ..LeftOut::anything(span)
        }
    }

    /// These players may have noticed nothing of it.
    pub fn of(self, players: PlayerSet) -> LeftOut {
        LeftOut { players, ..self }
    }

    fn is_same(&self, other: &LeftOut) -> bool {
        let of = |one: &LeftOut| (one.place, one.who, one.chooser, one.level);
        of(self) == of(other)
    }

    /// Takes in the same choice, left out on another way.
    fn join(&mut self, other: &LeftOut) {
        self.players |= other.players;
        self.stirred |= other.stirred || self.vars != other.vars;
        for (mine, theirs) in std::iter::zip(&mut self.names, &other.names) {
            if mine.value != theirs.value {
                (mine.value, mine.depth) = (None, usize::MAX);
            }
        }
    }

    /// Something is stored in a variable, of which there may be options now.
    pub fn stir(&mut self, var: VarId, stored: &[Possible]) {
        let meets = |(read, indices): &(VarId, Vec<Possible>)| {
            *read == var && std::iter::zip(indices, stored).all(|(a, b)| may_be_same(a, b))
        };
        self.stirred |= self.vars.iter().any(meets);
    }

    /// Whether there may be something to choose where it comes again, in another round of the innermost loop that was not left.
    fn may_be_taken(&self, taken: &LeftOut) -> bool {
        let names = std::iter::zip(&self.names, &taken.names);
        let mut inner = names.filter(|(then, _)| then.depth >= self.level);
        self.stirred || inner.any(|(then, now)| then.value.is_none() || then.value != now.value)
    }
}

/// Where a choice stands, to tell it from others: rules are written out wherever they are called.
pub(super) fn place_of<T: ?Sized>(choice: &T) -> usize {
    std::ptr::from_ref(choice).cast::<()>() as usize
}

/// Choices that may have been left out unnoticed since the last event that somebody certainly saw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Omitted(SmallVec<[LeftOut; 1]>);

impl Omitted {
    pub fn add(&mut self, one: &LeftOut) {
        if one.players.is_empty() {
            return;
        }
        match self.0.iter_mut().find(|mine| mine.is_same(one)) {
            Some(mine) => mine.join(one),
            None => self.0.push(one.clone()),
        }
    }

    pub fn join(&mut self, other: &Omitted) {
        other.0.iter().for_each(|one| self.add(one));
    }

    /// True if a join with `other` would change nothing.
    pub fn covers(&self, other: &Omitted) -> bool {
        let mut joined = self.clone();
        joined.join(other);
        joined == *self
    }

    /// These players certainly see something.
    pub fn end_for(&mut self, players: PlayerSet) {
        for one in &mut self.0 {
            one.players -= players;
        }
        self.0.retain(|one| !one.players.is_empty());
    }

    /// Something is stored in a variable, of which there may be options now.
    pub fn stir(&mut self, var: VarId, stored: &[Possible]) {
        self.0.iter_mut().for_each(|one| one.stir(var, stored));
    }

    /// All but so many of the loops around are left.
    pub fn leave(&mut self, level: usize) {
        for mut one in std::mem::take(&mut self.0) {
            one.level = one.level.min(level);
            self.add(&one);
        }
    }

    /// For whom a choice was left out, by its level, that does not say what a name stands for.
    pub fn besides(&self, name: LocalId, of: impl Fn(usize) -> bool) -> PlayerSet {
        let others = self.0.iter();
        let others = others.filter(|one| one.chooser != Some(name) && of(one.level));
        others.fold(PlayerSet::EMPTY, |all, one| all | one.players)
    }

    /// Those that may be taken here, where the choice comes again or, `around` it, with others.
    pub fn again(&self, taken: &LeftOut, around: Option<usize>) -> impl Iterator<Item = &LeftOut> {
        self.0.iter().filter(move |one| {
            let who = one.who.is_none() || taken.who.is_none() || one.who == taken.who;
            let here = one.place == taken.place && one.may_be_taken(taken);
            who && (here || Some(one.place) == around)
        })
    }
}

impl Checker<'_> {
    /// A choice, as it may be left out where it stands.
    pub(super) fn left_out(&self, choice: &Choice) -> LeftOut {
        let reads = Reads::of_options(choice);
        let vars = reads.vars.into_iter().map(|(var, indices)| {
            let indices = indices.iter().enumerate();
            let indices = indices.map(|(i, e)| self.possible(var, i, e));
            (var, indices.collect())
        });
        let names = reads.names.into_iter().map(|name| Name {
            name,
            value: self.values.get(&name).cloned(),
            depth: self.bound.get(&name).map_or(usize::MAX, |b| b.depth),
        });
        LeftOut {
            place: place_of(choice),
            who: self.eval_scalar(&choice.chooser),
            chooser: name_of(&choice.chooser),
            level: self.loops.len(),
            vars: vars.collect(),
            names: names.collect(),
            ..LeftOut::anything(choice.span)
        }
    }

    /// A choice may have been left out here, of which these players notice nothing.
    pub(super) fn leave_out(&mut self, left: LeftOut, chooser: Option<&Expr>, unaware: PlayerSet) {
        self.flow.omitted.add(&LeftOut {
            chooser: chooser.and_then(name_of),
            level: self.loops.len(),
            players: unaware,
            ..left
        });
    }
}

/// The name that an expression is.
pub(super) fn name_of(e: &Expr) -> Option<LocalId> {
    match &e.kind {
        ExprKind::Local(name) => Some(*name),
        ExprKind::Cast(inner) => name_of(inner),
        _ => None,
    }
}

fn may_be_same(a: &Possible, b: &Possible) -> bool {
    match (a, b) {
        (Some(a), Some(b)) => a.iter().any(|v| b.contains(v)),
        _ => true,
    }
}
