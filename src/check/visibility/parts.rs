//! Parts of one choice or draw. Where a later one goes to a place, or to viewers, that an earlier one names
//! (`q in Player, c in Card into hand[q]`), it is walked once for each value of the earlier one. What the options are is
//! asked for each player that an earlier one may be (`q in Player - me, c in hand[q]`).

use super::label::Clean;
use super::{Bound, Checker};
use crate::model::types::Type;
use crate::model::*;

/// A choice or a draw is walked at most so often for its parts.
const MOST: usize = 4096;

impl Checker<'_> {
    /// The first part that others depend on so and that has no value yet, with the values that it is to be tried with.
    pub(super) fn part_to_split(&self, parts: &[Part]) -> Option<(LocalId, Vec<u64>)> {
        parts.iter().enumerate().find_map(|(i, part)| {
            let names = |later: &Part| {
                let place = later.into.iter().flat_map(|place| &place.indices);
                let mut indices = place.map(|index| match index {
                    PlaceIndex::One(e) | PlaceIndex::Each(e) => e,
                });
                later.viewers.reads_local(part.local) || indices.any(|e| e.reads_local(part.local))
            };
            let wanted = part.sizes.is_none()
                && !self.split.contains_key(&part.local)
                && parts[i + 1..].iter().any(names);
            let ty = &self.d.local(part.local).ty;
            let values = wanted.then(|| self.instances(ty, Some(&part.domain)))??;
            let walks = self.split_walks * values.len();
            (1..=MOST).contains(&walks).then_some((part.local, values))
        })
    }

    /// Walks once for each of the values, from the same point. What is known of the parts afterwards holds for all.
    pub(super) fn split_part(
        &mut self,
        (local, values): (LocalId, Vec<u64>),
        parts: &[Part],
        mut walk: impl FnMut(&mut Self),
    ) {
        let outer = self.split_walks;
        self.split_walks *= values.len();
        let start = self.flow.clone();
        self.flow.live = false;
        let mut all: Vec<Option<Bound>> = vec![None; parts.len()];
        for value in values {
            let mut done = std::mem::replace(&mut self.flow, start.clone());
            self.split.insert(local, value);
            walk(self);
            done.join(&self.flow);
            self.flow = done;
            for (part, known) in std::iter::zip(parts, &mut all) {
                if let Some(bound) = self.bound.get(&part.local) {
                    *known = Some(match known.take() {
                        Some(Bound {
                            label,
                            clean,
                            own,
                            depth,
                            inside,
                        }) => Bound {
                            depth,
                            inside,
                            label: label & bound.label,
                            clean: clean.and(&bound.clean),
                            own: own & bound.own,
                        },
                        None => bound.clone(),
                    });
                }
            }
        }
        self.split.remove(&local);
        self.split_walks = outer;
        for (part, known) in std::iter::zip(parts, all) {
            if let Some(Bound { label, clean, .. }) = known {
                self.bind_part(part.local, label, clean);
            }
        }
    }

    /// Who could know `e` whatever players these parts are.
    pub(super) fn label_for_each(&mut self, parts: &[Part], e: &Expr, walks: usize) -> PlayerSet {
        let instances = parts.iter().enumerate().find_map(|(i, part)| {
            let ty = &self.d.local(part.local).ty;
            let wanted = part.sizes.is_none()
                && matches!(ty, Type::Player(_))
                && !self.values.contains_key(&part.local)
                && e.reads_local(part.local);
            let values = wanted.then(|| self.instances(ty, Some(&part.domain)))??;
            let walks = walks * values.len();
            (1..=MOST).contains(&walks).then_some((i, values, walks))
        });
        let Some((i, values, walks)) = instances else {
            return self.label(e);
        };
        let local = parts[i].local;
        let mut known = self.everyone;
        for value in values {
            self.values.insert(local, vec![value]);
            known &= self.label_for_each(&parts[i + 1..], e, walks);
        }
        self.values.remove(&local);
        known
    }

    /// Binds the name of a part, to the value that it is tried with.
    pub(super) fn bind_part(&mut self, local: LocalId, label: PlayerSet, clean: Clean) {
        let value = self.split.get(&local).map(|v| vec![*v]);
        self.bind(local, label, clean, value);
    }
}
