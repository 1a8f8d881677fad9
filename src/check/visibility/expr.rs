//! Labels of expressions: the players who could know the value.

use super::elements::{Possible, members};
use super::label::{Clean, name};
use super::members::{is_players, members_where};
use super::{Bound, Checker, NODE_LIMIT, SPLIT_LIMIT, Watch};
use crate::model::evaluate::{Stored, evaluate_stored};
use crate::model::types::Type;
use crate::model::*;
use indexmap::IndexSet;

/// Steps that the evaluation of one expression may take; above, the value is left open.
const FUEL: u64 = 20_000;

impl Checker<'_> {
    /// Who could know the value of `e`.
    pub(super) fn label(&mut self, e: &Expr) -> PlayerSet {
        self.nodes.set(self.nodes.get() + 1);
        match &e.kind {
            ExprKind::Const(_) | ExprKind::ConstSet(_) | ExprKind::ConstArray(_) => self.everyone,
            ExprKind::Local(id) => self.label_local(*id),
            ExprKind::Var { var: id, indices } => self.label_var(*id, indices),
            ExprKind::Element { array, index } => {
                let known = self.label(index);
                match &array.kind {
                    ExprKind::Array { local, body } => {
                        let value = self.eval(index);
                        self.bind(*local, known, Clean::known(known), value);
                        known & self.label(body)
                    }
                    _ => known & self.label(array),
                }
            }
            ExprKind::Array { local, body } => {
                let ty = self.d.local(*local).ty.clone();
                let values = self.instances(&ty, None);
                self.label_over(*local, self.everyone, values, None, |this| this.label(body))
            }
            ExprKind::If {
                cond,
                then: a,
                otherwise: b,
            } => {
                let known = self.label(cond);
                known
                    & match self.eval_bool(cond) {
                        Some(true) => self.label(a),
                        Some(false) => self.label(b),
                        None => self.label(a) & self.label(b),
                    }
            }
            ExprKind::Match {
                scrutinee,
                arms,
                otherwise,
            } => {
                let mut known = self.label(scrutinee);
                if let Some(value) = self.eval_scalar(scrutinee) {
                    let taken = arms.iter().find(|arm| arm.values.contains(&value));
                    return known
                        & match (taken, otherwise) {
                            (Some(arm), _) => self.label(&arm.body),
                            (None, Some(e)) => self.label(e),
                            (None, None) => self.everyone,
                        };
                }
                for arm in arms {
                    known &= self.label(&arm.body);
                }
                if let Some(e) = otherwise {
                    known &= self.label(e);
                }
                known
            }
            ExprKind::Let { local, value, body } => {
                self.bind_let(*local, value);
                self.stands_inside(*local);
                let known = self.label(body);
                self.look_into(*local, value, known);
                known
            }
            ExprKind::Unary { value: a, .. }
            | ExprKind::Field { record: a, .. }
            | ExprKind::Cast(a)
            | ExprKind::Unwrap { value: a, .. } => self.label(a),
            ExprKind::Binary {
                op: op @ (BinaryOp::And | BinaryOp::Or),
                left: a,
                right: b,
            } => {
                let known = self.label(a);
                // What the left side settles is not looked at.
                match self.eval_bool(a) {
                    Some(settled) if settled == (*op == BinaryOp::Or) => known,
                    _ => known & self.label(b),
                }
            }
            ExprKind::Binary {
                op: BinaryOp::In,
                left: a,
                right: b,
            } => self.label(a) & self.label_of_member(a, b),
            ExprKind::Binary {
                left: a, right: b, ..
            }
            | ExprKind::RangeSet { low: a, high: b } => self.label(a) & self.label(b),
            ExprKind::Record(list) | ExprKind::SetOf(list) | ExprKind::Call { args: list, .. } => {
                list.iter().fold(self.everyone, |m, e| m & self.label(e))
            }
            ExprKind::Fold(fold) => {
                let known = self.label(&fold.domain);
                let ty = self.d.local(fold.local).ty.clone();
                let values = self.instances(&ty, Some(&fold.domain));
                let cond = fold.cond.as_ref();
                known
                    & self.label_over(fold.local, known, values, cond, |this| {
                        this.label(&fold.body)
                    })
            }
            ExprKind::After { body, value } => self.label_after(body, value),
            ExprKind::Reveal { value, viewers, .. } | ExprKind::Told { value, viewers } => {
                let (must, _) = self.viewers(viewers);
                self.label_except(value, must | self.readers)
            }
            ExprKind::Shown { def, args, value } => {
                let mut known = self.everyone;
                for a in args {
                    known &= self.label(a);
                }
                let viewers = self.shown_viewers(*def, args) & self.shown_to;
                known & self.label_except(value, viewers)
            }
        }
    }

    /// The label of a value that `told` are told anyway.
    fn label_except(&mut self, value: &Expr, told: PlayerSet) -> PlayerSet {
        let spared = match &self.watch {
            Some(w) if told.contains(w.player) => self.watch.take(),
            _ => None,
        };
        let label = self.label(value) | told;
        if spared.is_some() {
            self.watch = spared;
        }
        label
    }

    fn label_local(&mut self, id: LocalId) -> PlayerSet {
        let lost = self.flow.lost.of(id);
        let label = self.bound.get(&id).map_or(PlayerSet::EMPTY, |b| b.label);
        let label = label | self.told_name(id);
        if let Some((value, _)) = self.formulas.get(&id).copied() {
            self.look_into(id, value, label);
        }
        let named = !self.d.local(id).name.is_empty();
        if named && !self.bound.get(&id).is_some_and(|b| b.inside) {
            self.notice(label, |d| format!("`{}`", d.local(id).name));
            self.notice(self.everyone - (label & lost), |d| {
                let name = &d.local(id).name;
                format!("`{name}`, as rounds with nothing to choose pass unnoticed")
            });
        }
        label - lost
    }

    /// Something has this value whose name the text of the game does not have: what is to blame is in the value.
    fn look_into(&mut self, local: LocalId, value: &Expr, known: PlayerSet) {
        let sought = |w: &Watch| !known.contains(w.player);
        if self.d.local(local).name.is_empty() && self.watch.as_ref().is_some_and(sought) {
            self.label(value);
        }
    }

    pub(super) fn label_var(&mut self, id: VarId, indices: &[Expr]) -> PlayerSet {
        let mut known = self.everyone;
        let mut possible = Vec::with_capacity(indices.len());
        for (i, e) in indices.iter().enumerate() {
            known &= self.label(e);
            possible.push(self.possible(id, i, e));
        }
        let (every, _) = self.elements[id.0 as usize].viewers(&possible);
        let every = every & self.everyone | self.told_element(id, indices, &possible);
        self.notice(every, |d| show_element(d, id, indices, &possible));
        if let Some(reads) = &mut self.reads {
            reads.push((id, possible));
        }
        known & every
    }

    /// What `body` gives (and the label of `cond`) with a name running over `values`, or over anything.
    pub(super) fn label_over(
        &mut self,
        local: LocalId,
        label: PlayerSet,
        values: Option<Vec<u64>>,
        cond: Option<&Expr>,
        mut body: impl FnMut(&mut Self) -> PlayerSet,
    ) -> PlayerSet {
        let mut known = self.everyone;
        let rounds: Vec<Option<u64>> = match values {
            Some(list) => list.into_iter().map(Some).collect(),
            None => vec![None],
        };
        for value in rounds {
            self.bind(local, label, Clean::known(label), value.map(|v| vec![v]));
            self.stands_inside(local);
            if let Some(cond) = cond {
                known &= self.label(cond);
                if self.eval_bool(cond) == Some(false) {
                    continue;
                }
            }
            known &= body(self);
        }
        known
    }

    /// The values that a name of this type is to be tried with, one after the other; `None`: leave it open.
    pub(super) fn instances(&self, ty: &Type, domain: Option<&Expr>) -> Option<Vec<u64>> {
        let wanted = matches!(ty, Type::Player(_)) || self.index_types.contains(ty);
        if !wanted || self.visits > SPLIT_LIMIT || self.nodes.get() > NODE_LIMIT / 2 {
            return None;
        }
        if let Some(domain) = domain
            && let Some(words) = self.eval(domain)
        {
            return Some(members(&domain.ty, &words));
        }
        let size = ty.size().filter(|&n| n <= 64)?;
        Some((0..size).map(|i| ty.value_at(i) as u64).collect())
    }

    /// The ordinals that an index may have.
    pub(super) fn possible(&self, var: VarId, position: usize, e: &Expr) -> Possible {
        let Index { ty, .. } = self.d.var(var).indices.get(position)?;
        let words = self.eval(e)?;
        Some(vec![ty.ordinal(*words.first()? as i64)])
    }

    pub(super) fn eval(&self, e: &Expr) -> Option<Vec<u64>> {
        self.eval_stored(e, None)
    }

    pub(super) fn eval_stored(&self, e: &Expr, stored: Option<&dyn Stored>) -> Option<Vec<u64>> {
        let mut fuel = FUEL;
        let value = evaluate_stored(e, &self.values, stored, &mut fuel);
        self.nodes.set(self.nodes.get() + (FUEL - fuel) / 4);
        value
    }

    pub(super) fn eval_scalar(&self, e: &Expr) -> Option<i64> {
        self.eval(e)?.first().map(|&w| w as i64)
    }

    pub(super) fn eval_bool(&self, e: &Expr) -> Option<bool> {
        self.eval_bool_stored(e, None)
    }

    /// One side of an `and` or an `or` may settle it though the other is not known.
    pub(super) fn eval_bool_stored(&self, e: &Expr, stored: Option<&dyn Stored>) -> Option<bool> {
        if let ExprKind::Binary {
            op: op @ (BinaryOp::And | BinaryOp::Or),
            left,
            right,
        } = &e.kind
        {
            let settled = *op == BinaryOp::Or;
            let left = self.eval_bool_stored(left, stored);
            if left == Some(settled) {
                return left;
            }
            let right = self.eval_bool_stored(right, stored);
            return right.filter(|r| left.is_some() || *r == settled);
        }
        let words = self.eval_stored(e, stored)?;
        words.first().map(|&w| w != 0)
    }

    pub(super) fn bind(
        &mut self,
        local: LocalId,
        label: PlayerSet,
        clean: Clean,
        value: Option<Vec<u64>>,
    ) {
        let own = label;
        let depth = self.loops.len();
        let bound = Bound {
            label,
            clean,
            own,
            depth,
            inside: false,
        };
        self.bound.insert(local, bound);
        self.forget_name(local);
        match value {
            Some(v) => self.values.insert(local, v),
            None => self.values.remove(&local),
        };
    }

    /// A name that a formula has bound: what it is made of is to blame, and is found there.
    pub(super) fn stands_inside(&mut self, local: LocalId) {
        if let Some(bound) = self.bound.get_mut(&local) {
            bound.inside = true;
        }
    }

    /// Binds a name to a value inside an expression.
    pub(super) fn bind_let(&mut self, local: LocalId, value: &Expr) {
        let clean = self.clean(value);
        let concrete = self.eval(value);
        self.bind(local, clean.sure, clean, concrete);
        self.bind_members(local, value);
    }

    /// Who could know of themselves whether they are in a set of players that has been given a name.
    pub(super) fn bind_members(&mut self, local: LocalId, value: &Expr) {
        if is_players(&value.ty) {
            let own = self.know_themselves(value);
            if let Some(bound) = self.bound.get_mut(&local) {
                bound.own = own;
            }
        }
    }

    fn notice(&mut self, label: PlayerSet, what: impl FnOnce(&Description) -> String) {
        if let Some(w) = &mut self.watch
            && !label.contains(w.player)
        {
            w.found.insert(what(self.d));
        }
    }

    /// Something in `e` that the player could not know, as the text has it.
    pub(super) fn blame(&mut self, e: &Expr, player: usize) -> Option<String> {
        self.all_blamed(e, player).into_iter().next()
    }

    /// Everything in `e` that the player could not know, as the text has it.
    fn all_blamed(&mut self, e: &Expr, player: usize) -> IndexSet<String> {
        self.watched(player, |this| {
            this.label(e);
        })
    }

    /// For each player outside `known`, what is in the expressions that the player could not know.
    pub(super) fn reasons(&mut self, known: PlayerSet, of: &[&Expr]) -> Vec<(usize, String)> {
        let mut list = Vec::new();
        for p in self.everyone - known {
            let all = of.iter().map(|e| self.all_blamed(e, p));
            let all: IndexSet<String> = all.flatten().collect();
            list.extend(all.into_iter().map(|text| (p, text)));
        }
        list
    }

    /// A set of viewers: who certainly belongs to it, and who may.
    pub(super) fn viewers(&mut self, e: &Expr) -> (PlayerSet, PlayerSet) {
        let everyone = self.everyone;
        if let Some(words) = self.eval(e) {
            let mask = PlayerSet::from_words(&words) & everyone;
            return (mask, mask);
        }
        match &e.kind {
            ExprKind::Cast(a) => self.viewers(a),
            ExprKind::SetOf(list) => {
                let (mut must, mut may) = (PlayerSet::EMPTY, PlayerSet::EMPTY);
                for x in list {
                    match self.eval_scalar(x) {
                        Some(p) => {
                            must.insert(p as usize);
                            may.insert(p as usize);
                        }
                        None => may = everyone,
                    }
                }
                (must & everyone, may & everyone)
            }
            ExprKind::If {
                cond,
                then: a,
                otherwise: b,
            } => match self.eval_bool(cond) {
                Some(true) => self.viewers(a),
                Some(false) => self.viewers(b),
                None => either(self.viewers(a), self.viewers(b)),
            },
            ExprKind::Match {
                scrutinee,
                arms,
                otherwise,
            } => {
                let value = self.eval_scalar(scrutinee);
                let mut all = None;
                for arm in arms {
                    if value.is_none_or(|v| arm.values.contains(&v)) {
                        let one = self.viewers(&arm.body);
                        all = Some(all.map_or(one, |others| either(others, one)));
                        if value.is_some() {
                            return one;
                        }
                    }
                }
                if let Some(e) = otherwise {
                    let one = self.viewers(e);
                    all = Some(all.map_or(one, |others| either(others, one)));
                }
                all.unwrap_or((PlayerSet::EMPTY, everyone))
            }
            ExprKind::Binary {
                op,
                left: a,
                right: b,
            } => {
                let (a_must, a_may) = self.viewers(a);
                let (b_must, b_may) = self.viewers(b);
                match op {
                    BinaryOp::Union => (a_must | b_must, a_may | b_may),
                    BinaryOp::Intersect => (a_must & b_must, a_may & b_may),
                    BinaryOp::Difference => (a_must - b_may, a_may - b_must),
                    _ => (PlayerSet::EMPTY, everyone),
                }
            }
            ExprKind::Let { local, value, body } => {
                self.bind_let(*local, value);
                let ty = self.d.local(*local).ty.clone();
                let values = match self.values.contains_key(local) {
                    true => None,
                    false => self.instances(&ty, None),
                };
                let Some(values) = values else {
                    return self.viewers(body);
                };
                let mut all = None;
                for v in values {
                    self.values.insert(*local, vec![v]);
                    let one = self.viewers(body);
                    all = Some(all.map_or(one, |others| either(others, one)));
                }
                self.values.remove(local);
                all.unwrap_or((PlayerSet::EMPTY, everyone))
            }
            ExprKind::Fold(fold) if members_where(fold) => self.members_where(fold),
            _ => (PlayerSet::EMPTY, everyone),
        }
    }

    pub(super) fn name(&self, player: usize) -> &str {
        name(self.d, player)
    }
}

fn either(
    (a_must, a_may): (PlayerSet, PlayerSet),
    (b_must, b_may): (PlayerSet, PlayerSet),
) -> (PlayerSet, PlayerSet) {
    (a_must & b_must, a_may | b_may)
}

/// A state variable with its indices, as the text would have it: a row has none at its end.
pub(super) fn show_element(
    d: &Description,
    id: VarId,
    indices: &[Expr],
    possible: &[Possible],
) -> String {
    let var = d.var(id);
    let mut text = format!("`{}", var.name);
    let unnamed =
        |e: &Expr| matches!(&e.kind, ExprKind::Local(local) if d.local(*local).name.is_empty());
    let written = indices.iter().rposition(|e| !unnamed(e));
    let written = written.map_or(0, |last| last + 1);
    for (i, e) in indices.iter().enumerate().take(written) {
        let index = match (possible.get(i), var.indices.get(i)) {
            (Some(Some(list)), Some(Index { ty, .. })) if list.len() == 1 => {
                ty.show(ty.value_at(list[0]))
            }
            _ => match &e.kind {
                ExprKind::Local(local) if !unnamed(e) => d.local(*local).name.clone(),
                _ => "…".into(),
            },
        };
        text.push_str(&format!("[{index}]"));
    }
    text.push('`');
    text
}
