//! Shown defs: who sees them, and which variables they are worked out from.

use super::elements::Possible;
use super::label::Clean;
use super::{Checker, Rule};
use crate::model::*;
use std::rc::Rc;

/// One read by a shown def of one variable, for one combination of arguments.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ShownReads {
    pub def: usize,
    /// Who may see it.
    pub viewers: PlayerSet,
    pub var: VarId,
    pub indices: Rc<[Possible]>,
}

/// At most this many combinations of arguments are told apart for one def.
const MOST: usize = 4096;

impl Checker<'_> {
    /// Looks at every shown def once for each combination of its player-typed arguments.
    pub(super) fn prepare_shown(&mut self) {
        let d = self.d;
        for (k, def) in d.shown.iter().enumerate() {
            let mut combos: Vec<Vec<Option<u64>>> = vec![Vec::new()];
            for Index { ty, .. } in &def.params {
                let values: Vec<Option<u64>> = match self.instances(ty, None) {
                    Some(list) if combos.len() * list.len() <= MOST => {
                        list.into_iter().map(Some).collect()
                    }
                    _ => vec![None],
                };
                combos = combos
                    .iter()
                    .flat_map(|c| {
                        values.iter().map(|v| {
                            let mut longer = c.clone();
                            longer.push(*v);
                            longer
                        })
                    })
                    .collect();
            }
            for combo in combos {
                self.bind_shown_params(def, &combo);
                let (_, viewers) = self.viewers(&def.viewers);
                self.reads = Some(Vec::new());
                let known = self.label(&def.body);
                let reads = self.reads.take().unwrap_or_default();
                let told = viewers - known;
                if !told.is_empty() {
                    let because = self.reasons(known, &[&def.body]);
                    self.told(SiteKind::Shown, def.span, viewers, told, &because);
                }
                for (var, indices) in reads {
                    let one = ShownReads {
                        def: k,
                        viewers,
                        var,
                        indices: indices.into(),
                    };
                    if !self.shown.contains(&one) {
                        self.shown.push(one);
                    }
                }
            }
        }
    }

    /// Play comes to a statement that reads shown defs, or looks at them again. Returns who is told their values here.
    pub(super) fn tell_shown(&mut self, reading: Option<ReadingId>) -> PlayerSet {
        let Some(ReadingId(number)) = reading else {
            return PlayerSet::EMPTY;
        };
        let number = number as usize;
        let pc = self.or_all(Rule::ShownReadings, self.here());
        let reached = self.reached[number].get_or_insert(pc);
        *reached &= pc;
        self.d.readings[number].told
    }

    fn bind_shown_params(&mut self, def: &ShownDef, values: &[Option<u64>]) {
        for (Index { local, .. }, value) in def.params.iter().zip(values) {
            let everyone = self.everyone;
            self.bind(
                *local,
                everyone,
                Clean::known(everyone),
                value.map(|v| vec![v]),
            );
        }
    }

    /// Whether a shown def may have another value here, where statements are only tried, than in play.
    fn may_have_changed(&self, def: usize) -> bool {
        let reads = self.shown.iter().filter(|s| s.def == def);
        let mut vars = reads.map(|s| s.var);
        vars.any(|var| self.tried.contains(&var))
    }

    /// Who was certainly shown the value that a shown def has here for these arguments.
    pub(super) fn shown_viewers(&mut self, def: usize, args: &[Expr]) -> PlayerSet {
        if self.may_have_changed(def) {
            return PlayerSet::EMPTY;
        }
        let d = self.d;
        let Some(def) = d.shown.get(def) else {
            return PlayerSet::EMPTY;
        };
        let values: Vec<Option<u64>> = args
            .iter()
            .map(|a| self.eval(a).and_then(|w| w.first().copied()))
            .collect();
        // A def may be called inside another one, or in its own body's copy, so its names are put back afterwards.
        let before: Vec<_> = def
            .params
            .iter()
            .map(|Index { local: l, .. }| {
                (*l, self.bound.get(l).cloned(), self.values.get(l).cloned())
            })
            .collect();
        self.bind_shown_params(def, &values);
        let (must, _) = self.viewers(&def.viewers);
        for (local, bound, value) in before {
            match bound {
                Some(b) => self.bind(local, b.label, b.clean, value),
                None => {
                    self.bound.remove(&local);
                    self.values.remove(&local);
                }
            }
        }
        must
    }

    /// The first player who would see a shown def change through a store to this place and is not in `pc`, with the def.
    pub(super) fn shown_leak(
        &self,
        var: VarId,
        indices: &[Possible],
        pc: PlayerSet,
    ) -> Option<(usize, usize)> {
        self.shown.iter().find_map(|s| {
            let player = (s.viewers - pc).lowest()?;
            let touches = s.var == var
                && s.indices.iter().zip(indices).all(|(a, b)| match (a, b) {
                    (Some(a), Some(b)) => a.iter().any(|x| b.contains(x)),
                    _ => true,
                });
            touches.then_some((player, s.def))
        })
    }
}
