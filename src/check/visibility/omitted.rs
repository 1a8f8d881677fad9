//! Choices that may have been left out unnoticed, by their `else` or with all of a `together`.

use super::Checker;
use crate::model::visit::Visitor;
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
    chooser: Option<LocalId>,
    /// Those who may have noticed nothing since.
    pub players: PlayerSet,
    pub span: Span,
    /// What its options are made of: variables, and names with what they stood for, where that is known.
    vars: Rc<[VarId]>,
    names: SmallVec<[(LocalId, Option<Vec<u64>>); 2]>,
    /// Whether there may be options by now, since one of the variables was stored.
    stirred: bool,
}

impl LeftOut {
    /// Of which nothing is known.
    pub fn anything(span: Span) -> LeftOut {
        LeftOut {
            place: 0,
            who: None,
            chooser: None,
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

    fn is_same(&self, other: &LeftOut) -> bool {
        let of = |one: &LeftOut| (one.place, one.who, one.chooser);
        of(self) == of(other)
    }

    /// Takes in the same choice, left out on another way.
    fn join(&mut self, other: &LeftOut) {
        self.players |= other.players;
        self.stirred |= other.stirred;
        for ((_, mine), (_, theirs)) in std::iter::zip(&mut self.names, &other.names) {
            if mine != theirs {
                *mine = None;
            }
        }
    }

    /// Whether there may be something to choose where it comes again.
    fn may_be_taken(&self, taken: &LeftOut) -> bool {
        let mut names = std::iter::zip(&self.names, &taken.names);
        self.stirred || names.any(|((_, then), (_, now))| then.is_none() || then != now)
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

    /// Something is stored in a variable.
    pub fn stir(&mut self, var: VarId) {
        for one in &mut self.0 {
            one.stirred |= one.vars.contains(&var);
        }
    }

    /// For whom a choice was left out that does not say what a name stands for.
    pub fn besides(&self, name: LocalId) -> PlayerSet {
        let others = self.0.iter().filter(|one| one.chooser != Some(name));
        others.fold(PlayerSet::EMPTY, |all, one| all | one.players)
    }

    /// Those that may be taken here, where the choice comes again or, `around` it, with others; not by who has a `name` that
    /// stands for somebody else in each round.
    pub fn again(
        &self,
        taken: &LeftOut,
        (around, name): (Option<usize>, Option<LocalId>),
    ) -> impl Iterator<Item = &LeftOut> {
        self.0.iter().filter(move |one| {
            let who = one.who.is_none() || taken.who.is_none() || one.who == taken.who;
            let who = who && (name.is_none() || one.chooser != name);
            let here = one.place == taken.place && one.may_be_taken(taken);
            who && (here || Some(one.place) == around)
        })
    }
}

impl Checker<'_> {
    /// A choice, as it may be left out where it stands.
    pub(super) fn left_out(&self, choice: &Choice) -> LeftOut {
        let (vars, names) = option_reads(choice);
        let values = names.into_iter().map(|name| {
            let value = self.values.get(&name).cloned();
            (name, value)
        });
        LeftOut {
            place: place_of(choice),
            who: self.eval_scalar(&choice.chooser),
            vars: vars.into(),
            names: values.collect(),
            ..LeftOut::anything(choice.span)
        }
    }

    /// A choice may have been left out here, of which these players notice nothing.
    pub(super) fn leave_out(&mut self, left: LeftOut, chooser: Option<&Expr>, unaware: PlayerSet) {
        self.flow.omitted.add(&LeftOut {
            chooser: chooser.and_then(name_of),
            players: unaware,
            ..left
        });
    }

    /// Something is stored in a variable, of which the options of choices may be made that were left out.
    pub(super) fn stir(&mut self, var: VarId) {
        self.flow.omitted.stir(var);
        for frame in &mut self.loops {
            frame.omitted_before.stir(var);
        }
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

/// The variables and the names that the options of a choice are made of.
fn option_reads(choice: &Choice) -> (Vec<VarId>, Vec<LocalId>) {
    #[derive(Default)]
    struct Reads {
        vars: Vec<VarId>,
        names: Vec<LocalId>,
        bound: Vec<LocalId>,
    }
    impl<'d> Visitor<'d> for Reads {
        fn expr(&mut self, e: &'d Expr) {
            match &e.kind {
                ExprKind::Var { var, .. } => self.vars.push(*var),
                ExprKind::Local(name) => self.names.push(*name),
                ExprKind::Let { local, .. } | ExprKind::Array { local, .. } => {
                    self.bound.push(*local);
                }
                ExprKind::Fold(fold) => self.bound.push(fold.local),
                _ => {}
            }
            e.walk(self);
        }
    }
    let mut reads = Reads::default();
    for a in &choice.alternatives {
        for part in &a.parts {
            reads.bound.push(part.local);
            reads.expr(&part.domain);
            let sizes = part.sizes.iter().flat_map(Sizes::exprs);
            sizes.for_each(|e| reads.expr(e));
        }
        a.cond.iter().for_each(|e| reads.expr(e));
    }
    let Reads {
        vars,
        mut names,
        bound,
    } = reads;
    names.retain(|name| !bound.contains(name));
    names.sort_unstable();
    names.dedup();
    (vars, names)
}
