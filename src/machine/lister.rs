//! The options of many states, for searches that keep those of every node: sets as sets, and other lists once however often
//! they come up again.

use super::interpret::Values;
use super::options::{single, words};
use super::packing::Frame;
use super::playout::Lists;
use super::{Action, Actions, Machine, Outcomes, PlayError, State};
use crate::ir::select::nth_element;
use crate::ir::{Listing, ListingKind};
use crate::model::types::bits;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::borrow::Cow;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Lists options of one state after another.
pub struct Lister<'m> {
    machine: &'m Machine,
    frame: Frame,
    offers: Lists<'m>,
    outcomes: FxHashMap<Elements, Arc<Outcomes>>,
    /// The nodes at which there once were more outcomes than so many.
    large: FxHashMap<u32, usize>,
    /// How many outcomes all lists together have.
    listed: usize,
    /// The set that was listed last, and its words.
    lo: i64,
    set: Vec<u64>,
    /// The list that was made last.
    list: Actions,
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

/// What players may do at many states.
#[derive(Debug, Default)]
pub struct OptionStore {
    /// Of each set the value of its element 0, and its words.
    sets: Vec<u64>,
    /// Lists that are not the elements of a set, each once.
    lists: Vec<Arc<Actions>>,
    numbers: FxHashMap<Arc<Actions>, u32>,
    /// How many actions they have together.
    listed: usize,
}

/// What a player may do at a state, in an [`OptionStore`].
#[derive(Copy, Clone, Debug)]
pub struct KeptOptions {
    /// Where it is: a set among the words, or the number of a list.
    pub(crate) at: u32,
    /// How many options there are.
    pub(crate) count: u32,
    /// How many words the set has; 0: a list.
    pub(crate) words: u16,
}

impl KeptOptions {
    /// How many options there are.
    pub fn count(&self) -> usize {
        self.count as usize
    }
}

/// A list takes so many words for an option.
const LISTED_WORDS: usize = size_of::<Action>() / size_of::<u64>();

impl OptionStore {
    /// About how many bytes of memory it takes.
    pub fn bytes(&self) -> usize {
        size_of_val::<[u64]>(&self.sets)
            + self.listed * size_of::<Action>()
            + self.lists.len() * size_of::<(Arc<Actions>, Actions, u64)>()
    }

    /// An option by its place.
    #[inline]
    pub fn action(&self, kept: KeptOptions, place: usize) -> Cow<'_, Action> {
        let at = kept.at as usize;
        if kept.words == 0 {
            return Cow::Borrowed(&self.lists[at][place]);
        }
        let (lo, set) = (self.sets[at] as i64, self.set(kept));
        Cow::Owned(single(lo, nth_element(set, place as u64).unwrap_or(0)))
    }

    /// All options in order.
    pub fn actions(&self, kept: KeptOptions) -> Arc<Actions> {
        let at = kept.at as usize;
        if kept.words == 0 {
            return Arc::clone(&self.lists[at]);
        }
        let lo = self.sets[at] as i64;
        let all = bits(self.set(kept)).map(|ordinal| single(lo, ordinal));
        Arc::new(Actions(all.collect()))
    }

    fn set(&self, kept: KeptOptions) -> &[u64] {
        let first = kept.at as usize + 1;
        &self.sets[first..first + usize::from(kept.words)]
    }

    /// Keeps a list.
    pub fn keep(&mut self, list: &mut Actions) -> KeptOptions {
        let count = list.len() as u32;
        let number = self.numbers.get(&*list).copied();
        let at = number.unwrap_or_else(|| {
            let list = Arc::new(std::mem::take(list));
            self.listed += list.len();
            let number = self.lists.len() as u32;
            self.lists.push(Arc::clone(&list));
            self.numbers.insert(list, number);
            number
        });
        KeptOptions {
            at,
            count,
            words: 0,
        }
    }

    /// Keeps a set of so many elements; `None` where a list is shorter.
    fn keep_set(&mut self, lo: i64, set: &[u64], count: usize) -> Option<KeptOptions> {
        let words = u16::try_from(set.len()).ok()?;
        let at = u32::try_from(self.sets.len()).ok()?;
        if set.len() > LISTED_WORDS * count {
            return None;
        }
        self.sets.push(lo as u64);
        self.sets.extend_from_slice(set);
        Some(KeptOptions {
            at,
            count: count as u32,
            words,
        })
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
            outcomes: FxHashMap::default(),
            large: FxHashMap::default(),
            listed: 0,
            lo: 0,
            set: Vec::new(),
            list: Actions::default(),
        }
    }
}

impl Lister<'_> {
    /// About how many bytes of memory the outcomes that it keeps take.
    pub fn bytes(&self) -> usize {
        self.listed * size_of::<(Action, u64)>()
    }

    /// What a player may do, as [`Machine::legal`] lists it.
    ///
    /// # Errors
    /// As [`Machine::legal`].
    pub fn legal(
        &mut self,
        state: &State,
        player: usize,
        store: &mut OptionStore,
    ) -> Result<KeptOptions, PlayError> {
        if let Some(count) = self.list(state, player)? {
            if let Some(kept) = store.keep_set(self.lo, &self.set, count) {
                return Ok(kept);
            }
            let all = bits(&self.set).map(|ordinal| single(self.lo, ordinal));
            self.list = Actions(all.collect());
        }
        Ok(store.keep(&mut self.list))
    }

    /// Lists what a player may choose from: the elements of `set`, whose number is given, or what is in `list`.
    fn list(&mut self, state: &State, player: usize) -> Result<Option<usize>, PlayError> {
        let machine = self.machine;
        let (number, arm) = machine.numbered_arm_of(state, player)?;
        let few = |set: &[u64]| {
            let count = set.iter().map(|w| w.count_ones() as usize).sum();
            (1..Outcomes::LIMIT).contains(&count).then_some(count)
        };
        if self.offers.list(state.node, &state.words, number).is_some() {
            if let ListingKind::Set { lo, .. } = arm.listing.kind {
                self.lo = lo;
                self.set.clear();
                let all = &mut self.set;
                self.offers.each(&mut |group| {
                    if let Some(Values::Elements(set, _)) = group.bulk {
                        all.extend_from_slice(set);
                    }
                    ControlFlow::Continue(())
                });
                if let Some(count) = few(&self.set) {
                    return Ok(Some(count));
                }
            }
            if self.offers.fill(&mut self.list) {
                return Ok(None);
            }
        }
        machine.unpack_into(state, &mut self.frame);
        if let Some(elements) = elements(machine, &arm.listing, &mut self.frame)?
            && let Some(count) = few(&elements.set)
        {
            self.lo = elements.lo;
            self.set.clear();
            self.set.extend_from_slice(&elements.set);
            return Ok(Some(count));
        }
        machine.legal(state, player, &mut self.list)?;
        Ok(None)
    }

    /// The outcomes of a chance node, as [`Machine::outcomes`] lists them, where there are `most` or fewer. Where there were
    /// more at the same node of the graph they are not counted again.
    ///
    /// # Errors
    /// As [`Machine::few_outcomes`].
    pub fn few_outcomes(
        &mut self,
        state: &State,
        most: usize,
    ) -> Result<Option<Arc<Outcomes>>, PlayError> {
        if self
            .large
            .get(&state.node)
            .is_some_and(|more| *more >= most)
        {
            return Ok(None);
        }
        let machine = self.machine;
        machine.unpack_into(state, &mut self.frame);
        let elements = elements(machine, machine.chance_listing(state)?, &mut self.frame)?;
        let Some(elements) = elements.filter(|e| (1..=most).contains(&e.count())) else {
            let mut outcomes = Outcomes::default();
            if !machine.few_outcomes(state, most, &mut outcomes)? {
                self.large.insert(state.node, most);
                return Ok(None);
            }
            self.listed += outcomes.list.len();
            return Ok(Some(Arc::new(outcomes)));
        };
        if let Some(outcomes) = self.outcomes.get(&elements) {
            return Ok(Some(Arc::clone(outcomes)));
        }
        let outcomes = Arc::new(Outcomes {
            list: elements.actions().map(|outcome| (outcome, 1)).collect(),
            total: elements.count() as u64,
        });
        self.listed += outcomes.list.len();
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
