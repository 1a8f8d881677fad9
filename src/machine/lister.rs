//! The options of many states: a state is unpacked once for all who choose there, and the same options are
//! kept once however often they come up again. For searches that keep the options of every node.

use super::interpret::Values;
use super::options::{single, words};
use super::packing::Frame;
use super::playout::Lists;
use super::{Action, Actions, Machine, Outcomes, PlayError, State};
use crate::ir::{Listing, ListingKind};
use crate::model::types::bits;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Lists options of one state after another.
pub struct Lister<'m> {
    machine: &'m Machine,
    frame: Frame,
    offers: Lists<'m>,
    actions: FxHashMap<Elements, Arc<Actions>>,
    outcomes: FxHashMap<Elements, Arc<Outcomes>>,
    /// Lists that are not the elements of a set.
    others: FxHashSet<Arc<Actions>>,
    /// The list that was made last.
    list: Actions,
    /// How many options all lists together have.
    options: usize,
}

/// A set with the value of its element 0: all that a list of its elements depends on.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Elements {
    lo: i64,
    set: SmallVec<[u64; 2]>,
}

impl Elements {
    fn count(&self) -> usize {
        self.set.iter().map(|w| w.count_ones() as usize).sum()
    }

    fn actions(&self) -> impl Iterator<Item = Action> + '_ {
        bits(&self.set).map(|ordinal| single(self.lo, ordinal))
    }
}

#[doc(hidden)]
impl Machine {
    /// See `Lister`.
    pub fn lister(&self) -> Lister<'_> {
        Lister {
            machine: self,
            frame: Frame::new(),
            offers: Lists::new(self),
            actions: FxHashMap::default(),
            outcomes: FxHashMap::default(),
            others: FxHashSet::default(),
            list: Actions::default(),
            options: 0,
        }
    }
}

impl Lister<'_> {
    /// About how many bytes of memory all the lists that it has made take.
    pub fn bytes(&self) -> usize {
        self.options * size_of::<(Action, u64)>()
    }

    /// What each of some players may do, in their order, as [`Machine::legal`] lists it.
    ///
    /// # Errors
    /// As [`Machine::legal`].
    pub fn legal(
        &mut self,
        state: &State,
        players: impl Iterator<Item = usize>,
    ) -> Result<SmallVec<[Arc<Actions>; 2]>, PlayError> {
        let mut lists = SmallVec::new();
        for player in players {
            lists.push(match self.elements_of(state, player)? {
                Some(elements) => self.list_of(elements),
                None => {
                    let known = self.others.get(&self.list).cloned();
                    known.unwrap_or_else(|| {
                        let list = Arc::new(std::mem::take(&mut self.list));
                        self.options += list.len();
                        self.others.insert(Arc::clone(&list));
                        list
                    })
                }
            });
        }
        Ok(lists)
    }

    /// The set whose elements a player may choose from; `None`: something else, which is in `list`.
    fn elements_of(&mut self, state: &State, player: usize) -> Result<Option<Elements>, PlayError> {
        let machine = self.machine;
        let (number, arm) = machine.numbered_arm_of(state, player)?;
        let few = |elements: &Elements| (1..Outcomes::LIMIT).contains(&elements.count());
        if self.offers.list(state.node, &state.words, number).is_some() {
            if let ListingKind::Set { lo, .. } = arm.listing.kind {
                let mut elements = Elements {
                    lo,
                    set: SmallVec::new(),
                };
                self.offers.each(&mut |group| {
                    if let Some(Values::Elements(set, _)) = group.bulk {
                        elements.set.extend_from_slice(set);
                    }
                    ControlFlow::Continue(())
                });
                if few(&elements) {
                    return Ok(Some(elements));
                }
            }
            if self.offers.fill(&mut self.list) {
                return Ok(None);
            }
        }
        machine.unpack_into(state, &mut self.frame);
        let elements = elements(machine, &arm.listing, &mut self.frame)?;
        if let Some(elements) = elements.filter(few) {
            return Ok(Some(elements));
        }
        machine.legal(state, player, &mut self.list)?;
        Ok(None)
    }

    fn list_of(&mut self, elements: Elements) -> Arc<Actions> {
        match self.actions.get(&elements) {
            Some(list) => Arc::clone(list),
            None => {
                let list = Arc::new(Actions(elements.actions().collect()));
                self.options += list.len();
                self.actions.insert(elements, Arc::clone(&list));
                list
            }
        }
    }

    /// The outcomes of a chance node, as [`Machine::outcomes`] lists them, where there are `most` or fewer.
    ///
    /// # Errors
    /// As [`Machine::few_outcomes`].
    pub fn few_outcomes(
        &mut self,
        state: &State,
        most: usize,
    ) -> Result<Option<Arc<Outcomes>>, PlayError> {
        let machine = self.machine;
        machine.unpack_into(state, &mut self.frame);
        let elements = elements(machine, machine.chance_listing(state)?, &mut self.frame)?;
        let Some(elements) = elements.filter(|e| (1..=most).contains(&e.count())) else {
            let mut outcomes = Outcomes::default();
            let few = machine.few_outcomes(state, most, &mut outcomes)?;
            self.options += outcomes.list.len();
            return Ok(few.then(|| Arc::new(outcomes)));
        };
        if let Some(outcomes) = self.outcomes.get(&elements) {
            return Ok(Some(Arc::clone(outcomes)));
        }
        let outcomes = Arc::new(Outcomes {
            list: elements.actions().map(|outcome| (outcome, 1)).collect(),
            total: elements.count() as u64,
        });
        self.options += outcomes.list.len();
        self.outcomes.insert(elements, Arc::clone(&outcomes));
        Ok(Some(outcomes))
    }
}

/// The set that is listed, of a listing that is the elements of one.
fn elements(
    machine: &Machine,
    listing: &Listing,
    frame: &mut Frame,
) -> Result<Option<Elements>, PlayError> {
    let ListingKind::Set { code, set, lo } = &listing.kind else {
        return Ok(None);
    };
    machine.run_listing(listing, *code, frame)?;
    Ok(Some(Elements {
        lo: *lo,
        set: SmallVec::from_slice(words(frame, *set)),
    }))
}
