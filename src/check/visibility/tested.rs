//! Conditions of which is certain whether they hold, since they were looked at and nothing that they read was stored since: where
//! `if points > 2 { end }` was passed, there are no more than 2.

use super::Checker;
use super::held::Held;
use super::omitted::name_of;
use super::reads::Reads;
use crate::model::*;
use smallvec::SmallVec;

/// A condition that reads variables.
pub(super) struct Condition<'d> {
    cond: &'d Expr,
    reads: Vec<VarId>,
    /// What the names in it stand for.
    names: Vec<(LocalId, Vec<u64>)>,
}

/// Conditions, each with whether it holds.
#[derive(Clone, Debug, Default)]
pub(super) struct Tested(SmallVec<[(usize, bool); 2]>);

impl Tested {
    fn find(&self, condition: usize) -> Option<bool> {
        let found = self.0.iter().find(|(c, _)| *c == condition);
        found.map(|(_, holds)| *holds)
    }

    fn add(&mut self, condition: usize, holds: bool) {
        self.0.retain(|(c, _)| *c != condition);
        self.0.push((condition, holds));
    }

    pub fn join(&mut self, other: &Tested) {
        self.0.retain(|(c, holds)| other.find(*c) == Some(*holds));
    }

    pub fn covers(&self, other: &Tested) -> bool {
        let mut all = self.0.iter();
        all.all(|(c, holds)| other.find(*c) == Some(*holds))
    }
}

impl<'d> Checker<'d> {
    /// Whether it is certain that a condition holds, or does not.
    pub(super) fn test(&self, cond: &Expr, held: &Held) -> Option<bool> {
        let cond = self.formula(cond);
        let known = self.condition(cond);
        let tested = known.and_then(|c| held.tested.find(c));
        tested.or_else(|| self.eval_held(cond, held))
    }

    /// Play went on where a condition holds, or does not.
    pub(super) fn note_tested(&mut self, cond: &'d Expr, holds: bool) {
        if self.loops.is_empty() {
            return;
        }
        let cond = self.formula(cond);
        let known = self.condition(cond);
        let Some(number) = known.or_else(|| self.add_condition(cond)) else {
            return;
        };
        self.each_held(|held| held.tested.add(number, holds));
    }

    /// What a name was given by `let`, in the same round and of what is stored still.
    fn formula<'e>(&self, cond: &'e Expr) -> &'e Expr
    where
        'd: 'e,
    {
        let given = name_of(cond).and_then(|name| self.formulas.get(&name));
        match given {
            Some((value, depth)) if *depth == self.loops.len() => value,
            _ => cond,
        }
    }

    /// A name is given a value.
    pub(super) fn note_formula(&mut self, name: LocalId, value: &'d Expr) {
        let depth = self.loops.len();
        self.formulas.insert(name, (value, depth));
    }

    /// The number of a condition, with the names as they stand now.
    fn condition(&self, cond: &Expr) -> Option<usize> {
        let mut all = self.conditions.iter();
        all.position(|c| c.cond.is_same(cond) && self.is_now(c))
    }

    fn is_now(&self, condition: &Condition<'_>) -> bool {
        let mut names = condition.names.iter();
        names.all(|(name, value)| self.values.get(name) == Some(value))
    }

    fn add_condition(&mut self, cond: &'d Expr) -> Option<usize> {
        let reads = Reads::of(cond);
        if reads.vars.is_empty() || cond.reveals() {
            return None;
        }
        let known = |name: LocalId| Some((name, self.values.get(&name)?.clone()));
        let names: Option<Vec<_>> = reads.names.into_iter().map(known).collect();
        self.conditions.push(Condition {
            cond,
            reads: reads.vars.into_iter().map(|(var, _)| var).collect(),
            names: names?,
        });
        Some(self.conditions.len() - 1)
    }

    /// Something was stored in a variable.
    pub(super) fn forget_tested(&mut self, var: VarId) {
        self.formulas.retain(|_, (value, _)| {
            !value.any(|e| matches!(e.kind, ExprKind::Var { var: read, .. } if read == var))
        });
        let conditions = std::mem::take(&mut self.conditions);
        self.each_held(|held| {
            let of = &mut held.tested.0;
            of.retain(|(c, _)| !conditions[*c].reads.contains(&var));
        });
        self.conditions = conditions;
    }

    /// Before two ways come together: what was tested on one of them may be certain on the other too.
    pub(super) fn test_both(&self, one: &mut Held, other: &mut Held) {
        self.test_as(&other.tested.0, one);
        self.test_as(&one.tested.0, other);
    }

    fn test_as(&self, tested: &[(usize, bool)], held: &mut Held) {
        for (condition, holds) in tested {
            let of = &self.conditions[*condition];
            let missing = held.tested.find(*condition).is_none() && self.is_now(of);
            if missing && self.eval_held(of.cond, held) == Some(*holds) {
                held.tested.add(*condition, *holds);
            }
        }
    }
}
