//! The options of a choice, or the outcomes of a draw, that look like what somebody saw of it: how likely they are together,
//! one of them at random, a list of them. Subsets are counted and not listed wherever that will do.

use super::contains::{has, is_subset};
use super::history::HIDDEN_LABEL;
use super::interpret::{Host, Tuple, Values};
use super::options::{Each, tuple, words};
use super::packing::Frame;
use super::sampling::{Numbers, below};
use super::{Action, Machine, Observation, PlayError, State};
use crate::ir::{Listing, ListingKind, Operand};
use crate::model::SiteId;
use smallvec::SmallVec;
use std::ops::ControlFlow;

/// What is known of an action or an outcome, as the values of an event tell it.
#[derive(Copy, Clone, Debug)]
pub struct Glimpse<'a> {
    /// Which parts are known, a bit each.
    pub pattern: u64,
    /// The number of the alternative or [`HIDDEN_LABEL`], and the parts that are known.
    pub values: &'a [u64],
}

impl Glimpse<'_> {
    /// Nothing is known.
    pub const NOTHING: Glimpse<'static> = Glimpse {
        pattern: 0,
        values: &[HIDDEN_LABEL],
    };
}

impl<'a> From<&'a Action> for Glimpse<'a> {
    /// Everything is known.
    fn from(action: &'a Action) -> Glimpse<'a> {
        Glimpse {
            pattern: u64::MAX,
            values: &action.0,
        }
    }
}

impl<'a> From<&'a Observation> for Glimpse<'a> {
    fn from(observation: &'a Observation) -> Glimpse<'a> {
        Glimpse {
            pattern: observation.pattern,
            values: &observation.values,
        }
    }
}

/// Weights of options or outcomes.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Odds {
    /// Of those that look like what is known.
    pub like: f64,
    /// Of all.
    pub total: f64,
}

/// An option or outcome at random.
#[derive(Clone, Debug)]
pub struct Drawn {
    pub action: Action,
    pub weight: f64,
    pub odds: Odds,
}

/// Options or outcomes with their weights, and the weight of all that there are.
pub type Weighed = (Vec<(Action, u64)>, f64);

#[doc(hidden)]
impl Machine {
    /// What the options of a player, or the outcomes where `player` is `None`, weigh.
    ///
    /// # Errors
    /// When they cannot be listed, it is not the player's move, or nothing is drawn here.
    pub fn odds(
        &self,
        state: &State,
        player: Option<usize>,
        glimpse: Glimpse<'_>,
    ) -> Result<Odds, PlayError> {
        let listing = self.listing_of(state, player)?;
        let mut looking = Looking::new(glimpse, Wanted::Weights);
        self.look(listing, &mut self.unpack(state), &mut looking)?;
        Ok(looking.odds())
    }

    /// One of those that look like what is known, by its weight; `None` where there are none.
    ///
    /// # Errors
    /// As [`Machine::odds`].
    pub fn sample_like(
        &self,
        state: &State,
        player: Option<usize>,
        glimpse: Glimpse<'_>,
        rng: &mut impl Numbers,
    ) -> Result<Option<Drawn>, PlayError> {
        let listing = self.listing_of(state, player)?;
        let mut frame = self.unpack(state);
        let mut looking = Looking::new(glimpse, Wanted::Weights);
        self.look(listing, &mut frame, &mut looking)?;
        let (like, odds) = (looking.like, looking.odds());
        if like == 0 {
            return Ok(None);
        }
        if like == u64::MAX {
            // A subset that is not known at all, or the number of possibilities is a mistake of the game.
            self.unpack_into(state, &mut frame);
            let action = self.sample_from(listing, &mut frame, rng)?;
            return Ok(Some(Drawn {
                action,
                weight: 1.0,
                odds,
            }));
        }
        let left = below(rng, like);
        let mut looking = Looking::new(glimpse, Wanted::One { left, found: None });
        self.unpack_into(state, &mut frame);
        self.look(listing, &mut frame, &mut looking)?;
        Ok(match looking.wanted {
            Wanted::One {
                found: Some((action, weight)),
                ..
            } => Some(Drawn {
                action,
                weight: weight as f64,
                odds,
            }),
            _ => None,
        })
    }

    /// Those that look like what is known with their weights, in order, and the weight of all; `None` where there are more
    /// than `most`.
    ///
    /// # Errors
    /// As [`Machine::odds`].
    pub fn options_like(
        &self,
        state: &State,
        player: Option<usize>,
        glimpse: Glimpse<'_>,
        most: usize,
    ) -> Result<Option<Weighed>, PlayError> {
        let listing = self.listing_of(state, player)?;
        let list = Vec::new();
        let mut looking = Looking::new(glimpse, Wanted::List { list, most });
        self.look(listing, &mut self.unpack(state), &mut looking)?;
        let total = looking.total;
        Ok(match looking.wanted {
            Wanted::List { list, most } => (list.len() <= most).then_some((list, total)),
            _ => None,
        })
    }

    /// Where in the text the choice of a player, or the draw, is.
    ///
    /// # Errors
    /// When it is not the player's move, or nothing is drawn here.
    pub fn site_of(&self, state: &State, player: Option<usize>) -> Result<SiteId, PlayError> {
        Ok(self.listing_of(state, player)?.site)
    }

    fn listing_of(&self, state: &State, player: Option<usize>) -> Result<&Listing, PlayError> {
        match player {
            Some(player) => Ok(&self.arm_of(state, player)?.listing),
            None => self.chance_listing(state),
        }
    }

    fn look(
        &self,
        listing: &Listing,
        frame: &mut Frame,
        looking: &mut Looking<'_>,
    ) -> Result<(), PlayError> {
        let (parts, values) = match &listing.kind {
            ListingKind::Loop { code, .. } => {
                let rank = self.least_rank(listing, frame)?;
                return self.run_loops(listing, *code, rank, frame, looking);
            }
            ListingKind::Set { code, set, lo } => {
                self.run_listing(listing, *code, frame)?;
                let part = Operand { words: 1, ..*set };
                (part, Values::Elements(words(frame, *set), *lo))
            }
            ListingKind::Subset { code, set, count } => {
                self.run_listing(listing, *code, frame)?;
                let count = frame[*count as usize];
                (*set, Values::Subsets(words(frame, *set), count))
            }
        };
        let _ = looking.emit(Tuple {
            frame,
            alternative: 0,
            parts: &[parts],
            weight: None,
            rank: None,
            bulk: Some(values),
        });
        Ok(())
    }
}

enum Wanted {
    Weights,
    /// The one within whose weight a number falls.
    One {
        left: u64,
        found: Option<(Action, u64)>,
    },
    List {
        list: Vec<(Action, u64)>,
        most: usize,
    },
}

/// Goes through the tuples of a listing for those that look like what is known.
struct Looking<'a> {
    glimpse: Glimpse<'a>,
    wanted: Wanted,
    like: u64,
    total: f64,
}

/// For each part in bulk its value, if that is known.
type Known<'a> = SmallVec<[Option<&'a [u64]>; 2]>;

impl<'a> Looking<'a> {
    fn new(glimpse: Glimpse<'a>, wanted: Wanted) -> Looking<'a> {
        Looking {
            glimpse,
            wanted,
            like: 0,
            total: 0.0,
        }
    }

    fn odds(&self) -> Odds {
        Odds {
            like: self.like as f64,
            total: self.total,
        }
    }

    /// What is known of the parts in bulk; `None` where the others, or the alternative, are not what is known.
    fn known(&self, t: &Tuple<'_>) -> Option<Known<'a>> {
        let (&label, mut rest) = self.glimpse.values.split_first()?;
        if label != HIDDEN_LABEL && label != u64::from(t.alternative) {
            return None;
        }
        let stored = t.parts.len() - t.bulk.map_or(0, |values| values.parts());
        let mut known = Known::new();
        for (i, part) in t.parts.iter().enumerate() {
            let mut value = None;
            if self.glimpse.pattern >> (i % 64) & 1 == 1 {
                let (seen, after) = rest.split_at_checked(part.words as usize)?;
                (value, rest) = (Some(seen), after);
            }
            if i >= stored {
                known.push(value);
            } else if value.is_some_and(|value| value != words(t.frame, *part)) {
                return None;
            }
        }
        rest.is_empty().then_some(known)
    }
}

/// How many of the values fit what is known of them.
fn count(values: Option<Values<'_>>, known: &Known<'_>) -> u64 {
    let among = |set: &[u64], lo: i64, known: Option<&[u64]>| match known {
        Some([value]) => u64::from(has(set, lo, *value)),
        Some(_) => 0,
        None => Values::Elements(set, lo).len(),
    };
    match values {
        None => 1,
        Some(values @ Values::Subsets(set, size)) => match known[0] {
            Some(subset) => u64::from(is_subset(subset, set, size)),
            None => values.len(),
        },
        Some(Values::Elements(set, lo)) => among(set, lo, known[0]),
        Some(Values::Pairs((a, lo), (b, other))) => {
            among(a, lo, known[0]).saturating_mul(among(b, other, known[1]))
        }
    }
}

/// Of the values that fit, the one with `rank` others before it.
fn nth(values: Option<Values<'_>>, known: &Known<'_>, rank: u64) -> SmallVec<[u64; 4]> {
    match values {
        None => SmallVec::new(),
        Some(Values::Pairs((a, lo), (b, other))) => {
            let (first, second) = (Values::Elements(a, lo), Values::Elements(b, other));
            let size = known[1].map_or_else(|| second.len().max(1), |_| 1);
            let mut both = known[0].map_or_else(|| first.nth(rank / size), SmallVec::from_slice);
            match known[1] {
                Some(value) => both.extend_from_slice(value),
                None => both.extend_from_slice(&second.nth(rank % size)),
            }
            both
        }
        Some(values) => known[0].map_or_else(|| values.nth(rank), SmallVec::from_slice),
    }
}

impl Host for Looking<'_> {
    const EVENTS: bool = false;

    fn emit(&mut self, t: Tuple<'_>) -> ControlFlow<()> {
        let weight = t.weight.unwrap_or(1);
        if weight == 0 {
            return ControlFlow::Continue(());
        }
        self.total += t.bulk.map_or(1, |values| values.len()) as f64 * weight as f64;
        let Some(known) = self.known(&t) else {
            return ControlFlow::Continue(());
        };
        let fitting = count(t.bulk, &known);
        let heft = fitting.saturating_mul(weight);
        self.like = self.like.saturating_add(heft);
        match &mut self.wanted {
            Wanted::Weights => {}
            Wanted::One { left, found } => {
                if *left < heft {
                    let bulk = nth(t.bulk, &known, *left / weight);
                    *found = Some((tuple(&t, &bulk), weight));
                    return ControlFlow::Break(());
                }
                *left -= heft;
            }
            Wanted::List { list, most } => {
                if fitting as usize > *most || list.len() + fitting as usize > *most {
                    list.resize(*most + 1, Default::default());
                    return ControlFlow::Break(());
                }
                if known.iter().all(Option::is_none) {
                    let mut f = |action, weight| {
                        list.push((action, weight));
                        ControlFlow::Continue(())
                    };
                    return Each { f: &mut f }.emit(t);
                }
                for rank in 0..fitting {
                    list.push((tuple(&t, &nth(t.bulk, &known, rank)), weight));
                }
            }
        }
        ControlFlow::Continue(())
    }
}
