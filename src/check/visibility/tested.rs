//! Conditions of which is certain whether they hold, since they were looked at and nothing that they read was stored since: where
//! `if points > 2 { end }` was passed, there are no more than 2.

use super::Checker;
use super::held::Held;
use super::omitted::name_of;
use super::reads::Reads;
use crate::model::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// A condition that reads variables, as the text has it.
struct Form<'d> {
    cond: &'d Expr,
    reads: Vec<VarId>,
    names: Vec<LocalId>,
}

/// What the names of a form stand for, in their order.
type Values = Vec<Vec<u64>>;

/// All conditions that were looked at: forms with what their names stood for.
#[derive(Default)]
pub(super) struct Conditions<'d> {
    forms: Vec<Form<'d>>,
    list: Vec<(usize, Values)>,
    places: FxHashMap<(usize, Values), usize>,
}

/// Of more conditions the ones that were looked at last are known.
const MOST: usize = 128;

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
        if self.0.len() == MOST {
            self.0.remove(0);
        }
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
        let forms = &self.conditions.forms;
        let form = forms.iter().position(|form| form.cond.is_same(cond))?;
        let place = (form, self.values_now(form)?);
        self.conditions.places.get(&place).copied()
    }

    /// What the names of a form stand for now, if that is certain of all.
    fn values_now(&self, form: usize) -> Option<Values> {
        let names = self.conditions.forms[form].names.iter();
        names.map(|name| self.values.get(name).cloned()).collect()
    }

    fn add_condition(&mut self, cond: &'d Expr) -> Option<usize> {
        let forms = &self.conditions.forms;
        let form = match forms.iter().position(|form| form.cond.is_same(cond)) {
            Some(form) => form,
            None => {
                let reads = Reads::of(cond);
                if reads.vars.is_empty() || cond.reveals() {
                    return None;
                }
                self.conditions.forms.push(Form {
                    cond,
                    reads: reads.vars.into_iter().map(|(var, _)| var).collect(),
                    names: reads.names.into_iter().collect(),
                });
                self.conditions.forms.len() - 1
            }
        };
        let values = self.values_now(form)?;
        let number = self.conditions.list.len();
        let place = (form, values.clone());
        self.conditions.places.insert(place, number);
        self.conditions.list.push((form, values));
        Some(number)
    }

    /// Something was stored in a variable.
    pub(super) fn forget_tested(&mut self, var: VarId) {
        self.formulas.retain(|_, (value, _)| {
            !value.any(|e| matches!(e.kind, ExprKind::Var { var: read, .. } if read == var))
        });
        let conditions = std::mem::take(&mut self.conditions);
        self.each_held(|held| {
            let of = &mut held.tested.0;
            of.retain(|(c, _)| {
                let (form, _) = conditions.list[*c];
                !conditions.forms[form].reads.contains(&var)
            });
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
            let (form, values) = &self.conditions.list[*condition];
            let missing = held.tested.find(*condition).is_none();
            if missing
                && self.values_now(*form).as_ref() == Some(values)
                && self.eval_held(self.conditions.forms[*form].cond, held) == Some(*holds)
            {
                held.tested.add(*condition, *holds);
            }
        }
    }
}
