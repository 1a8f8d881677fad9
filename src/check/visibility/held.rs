//! Which state variables certainly hold which values at a point of play: a store of what is there already changes nothing,
//! and tells nothing. And who has been told what they hold.

use super::Checker;
use super::elements::Possible;
use super::tested::Tested;
use crate::model::evaluate::Stored;
use crate::model::visit::Visitor;
use crate::model::*;
use std::rc::Rc;

/// An element of a variable, by the ordinals of its indices.
type Element = (VarId, Vec<u64>);

/// An index of an element that was revealed.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum At {
    Ordinal(u64),
    /// What a name stands for, until it is bound again.
    Name(LocalId),
}

/// What is certain.
#[derive(Clone, Debug, Default)]
pub struct Held {
    /// The elements whose values are, in order.
    values: Rc<Vec<(Element, Vec<u64>)>>,
    pub(super) tested: Tested,
    /// Elements that were revealed and are as they were then, with those who were told.
    told: Knowers<(VarId, Vec<At>)>,
    /// The same of names.
    told_names: Knowers<LocalId>,
    /// Elements that something was stored in and are as they were then, with those who could know what.
    stored: Knowers<Element>,
}

/// Things, each with those of whom something holds on every way to here.
#[derive(Clone, Debug)]
struct Knowers<T>(Rc<Vec<(T, PlayerSet)>>);

impl<T> Default for Knowers<T> {
    fn default() -> Self {
        Knowers(Rc::default())
    }
}

impl<T: Clone + PartialEq> Knowers<T> {
    fn of(&self, thing: &T) -> PlayerSet {
        let mut found = self.0.iter().filter(|(t, _)| t == thing);
        found
            .next()
            .map_or(PlayerSet::EMPTY, |(_, players)| *players)
    }

    fn add(&mut self, thing: T, players: PlayerSet) {
        let all = Rc::make_mut(&mut self.0);
        match all.iter().position(|(t, _)| *t == thing) {
            Some(at) => all[at].1 |= players,
            None if all.len() < MOST => all.push((thing, players)),
            None => {}
        }
    }

    fn forget(&mut self, gone: impl Fn(&T) -> bool) {
        if self.0.iter().any(|(thing, _)| gone(thing)) {
            Rc::make_mut(&mut self.0).retain(|(thing, _)| !gone(thing));
        }
    }

    /// What holds on both of two ways.
    fn join(&mut self, other: &Knowers<T>) {
        if self.covers(other) {
            return;
        }
        let all = Rc::make_mut(&mut self.0);
        all.iter_mut()
            .for_each(|(thing, players)| *players &= other.of(thing));
        all.retain(|(_, players)| !players.is_empty());
    }

    /// Whether all of it holds there too.
    fn covers(&self, other: &Knowers<T>) -> bool {
        let mut all = self.0.iter();
        Rc::ptr_eq(&self.0, &other.0)
            || all.all(|(thing, players)| other.of(thing).contains_all(*players))
    }
}

/// Elements of larger variables are not followed.
const MOST_ELEMENTS: u64 = 16;
/// Where there are more elements than this, no more are followed.
const MOST: usize = 128;

impl Held {
    /// What the variables start with.
    pub fn start(d: &Description) -> Held {
        let mut held = Vec::new();
        for (number, var) in d.vars.iter().enumerate() {
            let sizes: Option<Vec<u64>> = var.indices.iter().map(|i| i.ty.size()).collect();
            let few = var.elements() <= MOST_ELEMENTS && held.len() < MOST;
            let Some(sizes) = sizes.filter(|_| few) else {
                continue;
            };
            for element in 0..var.elements() {
                let mut rest = element;
                let mut ordinals = vec![0; sizes.len()];
                for (ordinal, size) in ordinals.iter_mut().zip(&sizes).rev() {
                    *ordinal = rest % size;
                    rest /= size;
                }
                let words = match &var.init {
                    Init::Same(words) => Some(words),
                    Init::Each(all) => all.get(element as usize),
                };
                let words = words.cloned();
                held.extend(words.map(|w| ((VarId(number as u32), ordinals), w)));
            }
        }
        Held {
            values: Rc::new(held),
            tested: Tested::default(),
            told: Knowers::default(),
            told_names: Knowers::default(),
            stored: Knowers::default(),
        }
    }

    fn find(&self, element: &Element) -> Result<usize, usize> {
        self.values.binary_search_by(|(e, _)| e.cmp(element))
    }

    fn value(&self, element: &Element) -> Option<&[u64]> {
        let at = self.find(element).ok()?;
        Some(&self.values[at].1)
    }

    /// Something else may be there now.
    fn forget(&mut self, var: VarId, indices: &[Possible]) {
        let meant = |(v, ordinals): &Element| {
            *v == var
                && std::iter::zip(ordinals, indices)
                    .all(|(o, possible)| possible.as_ref().is_none_or(|list| list.contains(o)))
        };
        if self.values.iter().any(|(element, _)| meant(element)) {
            Rc::make_mut(&mut self.values).retain(|(element, _)| !meant(element));
        }
        self.stored.forget(meant);
        self.told.forget(|(v, all)| {
            let may_be = |(at, possible): (&At, &Possible)| match (at, possible) {
                (At::Ordinal(o), Some(list)) => list.contains(o),
                _ => true,
            };
            *v == var && std::iter::zip(all, indices).all(may_be)
        });
    }

    /// This is there now.
    fn hold(&mut self, element: Element, words: Vec<u64>) {
        let at = self.find(&element);
        let all = Rc::make_mut(&mut self.values);
        match at {
            Ok(at) => all[at].1 = words,
            Err(at) if all.len() < 2 * MOST => all.insert(at, (element, words)),
            Err(_) => {}
        }
    }

    /// What holds on both of two ways.
    pub fn join(&mut self, other: &Held) {
        self.tested.join(&other.tested);
        if !self.has_values_of(other) {
            Rc::make_mut(&mut self.values).retain(|(e, words)| other.value(e) == Some(words));
        }
        self.told.join(&other.told);
        self.told_names.join(&other.told_names);
        self.stored.join(&other.stored);
    }

    /// Whether all of it holds there too.
    pub fn covers(&self, other: &Held) -> bool {
        self.tested.covers(&other.tested)
            && self.has_values_of(other)
            && self.told.covers(&other.told)
            && self.told_names.covers(&other.told_names)
            && self.stored.covers(&other.stored)
    }

    fn has_values_of(&self, other: &Held) -> bool {
        let mut all = self.values.iter();
        Rc::ptr_eq(&self.values, &other.values)
            || all.all(|(e, words)| other.value(e) == Some(words))
    }
}

/// The ordinals of one element, if only one can be meant.
fn single(var: &Var, indices: &[Possible]) -> Option<Vec<u64>> {
    let ordinals: Option<Vec<u64>> = indices
        .iter()
        .map(|possible| match possible.as_deref() {
            Some([one]) => Some(*one),
            _ => None,
        })
        .collect();
    ordinals.filter(|list| list.len() == var.indices.len())
}

/// The indices of an element, each one value or a name.
fn named(var: &Var, indices: &[Expr], possible: &[Possible]) -> Option<Vec<At>> {
    let each = std::iter::zip(indices, possible);
    let all = each.map(
        |(e, possible)| match (possible.as_deref(), &e.uncast().kind) {
            (Some([one]), _) => Some(At::Ordinal(*one)),
            (_, ExprKind::Local(name)) => Some(At::Name(*name)),
            _ => None,
        },
    );
    let all: Option<Vec<At>> = all.collect();
    all.filter(|list| list.len() == var.indices.len())
}

/// The variables that something may be stored in.
#[derive(Default)]
struct Places(Vec<VarId>);

impl<'d> Visitor<'d> for Places {
    fn place(&mut self, place: &'d Place) {
        self.0.push(place.var);
    }
}

/// The values that are certain, as formulas read them.
struct Certain<'a> {
    d: &'a Description,
    held: &'a Held,
}

impl Stored for Certain<'_> {
    fn element(&self, var: VarId, indices: &[i64]) -> Option<&[u64]> {
        let types = &self.d.var(var).indices;
        if types.len() != indices.len() {
            return None;
        }
        let ordinals = std::iter::zip(types, indices).map(|(index, v)| index.ty.ordinal(*v));
        self.held.value(&(var, ordinals.collect()))
    }
}

impl Checker<'_> {
    /// Whether a condition holds where variables hold these values.
    pub(super) fn eval_held(&self, cond: &Expr, held: &Held) -> Option<bool> {
        let certain = Certain { d: self.d, held };
        self.eval_bool_stored(cond, Some(&certain))
    }

    /// What a number is where variables hold these values.
    pub(super) fn scalar_held(&self, e: &Expr, held: &Held) -> Option<i64> {
        let certain = Certain { d: self.d, held };
        let words = self.eval_stored(e, Some(&certain))?;
        words.first().map(|&w| w as i64)
    }

    /// Something changes in all that is held.
    pub(super) fn each_held(&mut self, mut change: impl FnMut(&mut Held)) {
        change(&mut self.flow.held);
        self.flow.quiet.each_held(change);
    }

    /// These players are told a value: if it is what an element holds, they could know that until something is stored there; if
    /// it is that of a name, for as long as the name stands for it.
    pub(super) fn tell_element(&mut self, value: &Expr, players: PlayerSet) {
        let (var, indices) = match &value.uncast().kind {
            ExprKind::Var { var, indices } => (var, indices),
            ExprKind::Local(name) => return self.flow.held.told_names.add(*name, players),
            _ => return,
        };
        let known = indices.iter().fold(players, |m, e| m & self.label(e));
        let possible: Vec<Possible> = indices
            .iter()
            .enumerate()
            .map(|(i, e)| self.possible(*var, i, e))
            .collect();
        if let Some(place) = named(self.d.var(*var), indices, &possible) {
            self.flow.held.told.add((*var, place), known);
        }
    }

    /// Who has been told what an element holds.
    pub(super) fn told_element(
        &self,
        var: VarId,
        indices: &[Expr],
        possible: &[Possible],
    ) -> PlayerSet {
        // What an `after` tries to store there is told to nobody.
        if self.flow.held.told.0.is_empty() || self.tried.contains(&var) {
            return PlayerSet::EMPTY;
        }
        let place = named(self.d.var(var), indices, possible);
        place.map_or(PlayerSet::EMPTY, |place| {
            self.flow.held.told.of(&(var, place))
        })
    }

    /// Who has been told what a name stands for.
    pub(super) fn told_name(&self, name: LocalId) -> PlayerSet {
        self.flow.held.told_names.of(&name)
    }

    /// A name stands for something else from here on.
    pub(super) fn forget_name(&mut self, name: LocalId) {
        let held = &mut self.flow.held;
        held.told_names.forget(|told| *told == name);
        held.told
            .forget(|(_, place)| place.contains(&At::Name(name)));
    }

    /// The element that a place is, where it can only be one.
    fn element_of(&self, place: &Place) -> Option<Element> {
        let one = |index: &PlaceIndex| matches!(index, PlaceIndex::One(_));
        let ordinals = single(self.d.var(place.var), &self.place_indices(place));
        let ordinals = ordinals.filter(|_| place.indices.iter().all(one));
        ordinals.map(|ordinals| (place.var, ordinals))
    }

    /// Those who could know what will be in a place once this is stored there, or put to it, or taken from it.
    pub(super) fn knowers_after(&mut self, place: &Place, op: StoreOp, value: &Expr) -> PlayerSet {
        let (_, _, indices) = self.place_viewers(place);
        let known = self.label(value) & indices & self.here();
        match op {
            StoreOp::Set => known,
            _ => known & self.knowers_at(place),
        }
    }

    /// Those who could know what was stored in a place and is there still.
    pub(super) fn knowers_at(&self, place: &Place) -> PlayerSet {
        let element = self.element_of(place);
        element.map_or(PlayerSet::EMPTY, |e| self.flow.held.stored.of(&e))
    }

    /// The same of an expression that reads an element.
    pub(super) fn knowers_of(&mut self, var: VarId, indices: &[Expr]) -> PlayerSet {
        if self.flow.held.stored.0.is_empty() {
            return PlayerSet::EMPTY;
        }
        let known = indices.iter().fold(self.everyone, |m, e| m & self.label(e));
        let possible: Vec<Possible> = indices
            .iter()
            .enumerate()
            .map(|(i, e)| self.possible(var, i, e))
            .collect();
        let ordinals = single(self.d.var(var), &possible);
        ordinals.map_or(PlayerSet::EMPTY, |ordinals| {
            known & self.flow.held.stored.of(&(var, ordinals))
        })
    }

    /// These could know what is in a place now.
    pub(super) fn note_knowers(&mut self, place: &Place, known: PlayerSet) {
        if let Some(element) = self.element_of(place).filter(|_| !known.is_empty()) {
            self.flow.held.stored.add(element, known);
        }
    }

    /// The head of a loop is looked at again in each round, after what was stored in the round before.
    pub(super) fn forget_told_in(&mut self, body: &Block) {
        let mut places = Places::default();
        body.walk(&mut places);
        let held = &mut self.flow.held;
        held.told.forget(|(var, _)| places.0.contains(var));
    }

    /// Looks at something as if nothing had been told in play.
    pub(super) fn untold<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        let told = std::mem::take(&mut self.flow.held.told);
        let names = std::mem::take(&mut self.flow.held.told_names);
        let seen = look(self);
        self.flow.held.told = told;
        self.flow.held.told_names = names;
        seen
    }

    /// Whether a value is in its place already.
    pub(super) fn holds_already(&self, place: &Place, value: &Expr) -> bool {
        let one = |index: &PlaceIndex| matches!(index, PlaceIndex::One(_));
        if !place.indices.iter().all(one) || value.reveals() {
            return false;
        }
        let indices = self.place_indices(place);
        let Some(ordinals) = single(self.d.var(place.var), &indices) else {
            return false;
        };
        let held = self.flow.held.value(&(place.var, ordinals));
        held.is_some() && self.eval(value).as_deref() == held
    }

    /// What is in its place already is stored there.
    pub(super) fn note_unseen(&mut self, place: &Place) {
        let (_, viewers, indices) = self.place_viewers(place);
        if !(indices & self.here()).contains_all(viewers) {
            self.stored_unseen[place.var.0 as usize] = true;
        }
    }

    /// Something was stored, this value if it is given.
    pub(super) fn held_after(&mut self, place: &Place, value: Option<&Expr>) {
        let indices = self.place_indices(place);
        let words = value.and_then(|e| self.eval(e));
        let one = words.zip(single(self.d.var(place.var), &indices));
        self.forget_tested(place.var);
        self.each_held(|held| {
            held.forget(place.var, &indices);
            if let Some((words, ordinals)) = &one {
                held.hold((place.var, ordinals.clone()), words.clone());
            }
        });
    }

    /// What follows a choice may have happened already, with other values.
    pub(super) fn forget_stores(&mut self, choice: &Choice) {
        let mut places = Places::default();
        places.choice(choice);
        for var in places.0 {
            let anywhere = vec![None; self.d.var(var).indices.len()];
            self.forget_tested(var);
            self.each_held(|held| held.forget(var, &anywhere));
        }
    }

    /// What a condition says of variables, where it is `true` or `false`.
    pub(super) fn held_where(&mut self, cond: &Expr, holds: bool) {
        match (&cond.kind, holds) {
            (
                ExprKind::Unary {
                    op: UnaryOp::Not,
                    value,
                },
                _,
            ) => self.held_where(value, !holds),
            (
                ExprKind::Binary {
                    op: BinaryOp::And,
                    left,
                    right,
                },
                true,
            )
            | (
                ExprKind::Binary {
                    op: BinaryOp::Or,
                    left,
                    right,
                },
                false,
            ) => {
                self.held_where(left, holds);
                self.held_where(right, holds);
            }
            (
                ExprKind::Binary {
                    op: BinaryOp::Eq,
                    left,
                    right,
                },
                true,
            )
            | (
                ExprKind::Binary {
                    op: BinaryOp::Ne,
                    left,
                    right,
                },
                false,
            ) => {
                self.held_equal(left, right);
                self.held_equal(right, left);
            }
            (ExprKind::Var { var, indices }, _) => {
                self.held_element(*var, indices, vec![u64::from(holds)]);
            }
            _ => {}
        }
    }

    /// Something has one of these values, or none of those of `arms`.
    pub(super) fn held_at(&mut self, e: &Expr, values: Option<&[i64]>, arms: &[MatchArm<Block>]) {
        let ExprKind::Var { var, indices } = &e.kind else {
            return;
        };
        if e.ty != self.d.var(*var).ty {
            return;
        }
        let others = |v: &i64| !arms.iter().any(|arm| arm.values.contains(v));
        let size = e.ty.size().filter(|&n| n <= MOST_ELEMENTS).unwrap_or(0);
        let left: Vec<i64> = (0..size).map(|i| e.ty.value_at(i)).filter(others).collect();
        if let [value] = values.unwrap_or(&left) {
            self.held_element(*var, indices, vec![*value as u64]);
        }
    }

    fn held_equal(&mut self, read: &Expr, value: &Expr) {
        let ExprKind::Var { var, indices } = &read.kind else {
            return;
        };
        if read.ty != self.d.var(*var).ty || read.ty != value.ty {
            return;
        }
        if let Some(words) = self.eval(value) {
            self.held_element(*var, indices, words);
        }
    }

    fn held_element(&mut self, var: VarId, indices: &[Expr], words: Vec<u64>) {
        let possible: Vec<Possible> = indices
            .iter()
            .enumerate()
            .map(|(i, e)| self.possible(var, i, e))
            .collect();
        if let Some(ordinals) = single(self.d.var(var), &possible) {
            self.each_held(|held| held.hold((var, ordinals.clone()), words.clone()));
        }
    }
}
