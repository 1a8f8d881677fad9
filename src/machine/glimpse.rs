//! The options of a choice, or the outcomes of a draw, that look like what somebody saw of it: how likely they are together,
//! one of them at random, a list of them. Subsets are counted and not listed wherever that will do.

use super::contains::{has, is_subset};
use super::history::HIDDEN_LABEL;
use super::interpret::{Host, Tuple, Values};
use super::options::words;
use super::packing::Frame;
use super::playout::{Group, Lists};
use super::sampling::{Numbers, below};
use super::{Action, Machine, Observation, PlayError, State};
use crate::ir::{Listing, ListingKind};
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

/// Finds what looks like something that was seen, in one state after another.
pub struct Glimpses<'m> {
    machine: &'m Machine,
    frame: Frame,
    lists: Lists<'m>,
}

#[doc(hidden)]
impl Machine {
    /// See [`Glimpses`].
    pub fn glimpses(&self) -> Glimpses<'_> {
        Glimpses {
            machine: self,
            frame: Frame::new(),
            lists: Lists::new(self),
        }
    }

    /// Where in the text the choice of a player, or the draw, is.
    ///
    /// # Errors
    /// When it is not the player's move, or nothing is drawn here.
    pub fn site_of(&self, state: &State, player: Option<usize>) -> Result<SiteId, PlayError> {
        Ok(self.numbered_listing(state, player)?.1.site)
    }

    /// What a player chooses from or what is drawn from, with its number at the node.
    fn numbered_listing(
        &self,
        state: &State,
        player: Option<usize>,
    ) -> Result<(usize, &Listing), PlayError> {
        let Some(player) = player else {
            return Ok((0, self.chance_listing(state)?));
        };
        let (number, arm) = self.numbered_arm_of(state, player)?;
        Ok((number, &arm.listing))
    }
}

impl Glimpses<'_> {
    /// What the options of a player, or the outcomes where `player` is `None`, weigh.
    ///
    /// # Errors
    /// When they cannot be listed, it is not the player's move, or nothing is drawn here.
    pub fn odds(
        &mut self,
        state: &State,
        player: Option<usize>,
        glimpse: Glimpse<'_>,
    ) -> Result<Odds, PlayError> {
        let mut looking = Looking::new(glimpse, Wanted::Weights);
        self.look(state, player, &mut looking)?;
        Ok(looking.odds())
    }

    /// As [`Machine::is_legal`], by the code that lists.
    ///
    /// # Errors
    /// As [`Glimpses::odds`].
    pub fn is_legal(
        &mut self,
        state: &State,
        player: usize,
        action: &Action,
    ) -> Result<bool, PlayError> {
        let odds = self.odds(state, Some(player), Glimpse::from(action))?;
        Ok(odds.like > 0.0)
    }

    /// One of those that look like what is known, by its weight; `None` where there are none.
    ///
    /// # Errors
    /// As [`Glimpses::odds`].
    pub fn sample_like(
        &mut self,
        state: &State,
        player: Option<usize>,
        glimpse: Glimpse<'_>,
        rng: &mut impl Numbers,
    ) -> Result<Option<Drawn>, PlayError> {
        let mut looking = Looking::new(glimpse, Wanted::Weights);
        let listed = self.look(state, player, &mut looking)?;
        let (like, odds) = (looking.like, looking.odds());
        if like == 0 {
            return Ok(None);
        }
        if like == u64::MAX {
            // A subset that is not known at all, or the number of possibilities is a mistake of the game.
            let (_, listing) = self.machine.numbered_listing(state, player)?;
            self.machine.unpack_into(state, &mut self.frame);
            let action = self.machine.sample_from(listing, &mut self.frame, rng)?;
            return Ok(Some(Drawn {
                action,
                weight: 1.0,
                odds,
            }));
        }
        let left = below(rng, like);
        let mut looking = Looking::new(glimpse, Wanted::One { left, found: None });
        let (_, listing) = self.machine.numbered_listing(state, player)?;
        match listed {
            true => self.look_again(listing, &mut looking),
            false => self.interpret(state, listing, &mut looking)?,
        }
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
    /// As [`Glimpses::odds`].
    pub fn options_like(
        &mut self,
        state: &State,
        player: Option<usize>,
        glimpse: Glimpse<'_>,
        most: usize,
    ) -> Result<Option<Weighed>, PlayError> {
        let list = Some(Vec::new());
        let mut looking = Looking::new(glimpse, Wanted::List { list, most });
        self.look(state, player, &mut looking)?;
        let total = looking.total;
        Ok(match looking.wanted {
            Wanted::List { list, .. } => list.map(|list| (list, total)),
            _ => None,
        })
    }

    /// Goes through what a state offers; true: it stands in the lists, and may be gone through again.
    fn look(
        &mut self,
        state: &State,
        player: Option<usize>,
        looking: &mut Looking<'_>,
    ) -> Result<bool, PlayError> {
        let (number, listing) = self.machine.numbered_listing(state, player)?;
        let total = self.lists.list(state.node, &state.words, number);
        if total.is_none() {
            self.interpret(state, listing, looking)?;
            return Ok(false);
        }
        self.look_again(listing, looking);
        Ok(true)
    }

    /// Goes through the last list.
    fn look_again(&self, listing: &Listing, looking: &mut Looking<'_>) {
        self.lists.each(&mut |group| {
            let parts = &listing.alternatives[group.alternative as usize].parts;
            looking.group(group, parts.iter().map(|(part, _)| part.words))
        });
    }

    fn interpret(
        &mut self,
        state: &State,
        listing: &Listing,
        looking: &mut Looking<'_>,
    ) -> Result<(), PlayError> {
        let machine = self.machine;
        machine.unpack_into(state, &mut self.frame);
        let frame = &mut self.frame;
        let (part, values) = match &listing.kind {
            ListingKind::Loop { code, .. } => {
                let rank = machine.least_rank(listing, frame)?;
                return machine.run_loops(listing, *code, rank, frame, looking);
            }
            ListingKind::Set { code, set, lo } => {
                machine.run_listing(listing, *code, frame)?;
                (1, Values::Elements(words(frame, *set), *lo))
            }
            ListingKind::Subset { code, set, count } => {
                machine.run_listing(listing, *code, frame)?;
                let count = frame[*count as usize];
                (set.words, Values::Subsets(words(frame, *set), count))
            }
        };
        let group = Group {
            alternative: 0,
            whole: &[],
            weight: 1,
            bulk: Some(values),
        };
        let _ = looking.group(&group, std::iter::once(part));
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
    /// All; `None` where there are more.
    List {
        list: Option<Vec<(Action, u64)>>,
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

    /// What is known of the parts in bulk; `None` where the others, or the alternative, are not what is known. `widths`: the
    /// words that each part takes.
    fn known(
        &self,
        group: &Group<'_>,
        widths: impl ExactSizeIterator<Item = u16>,
    ) -> Option<Known<'a>> {
        let (&label, mut rest) = self.glimpse.values.split_first()?;
        if label != HIDDEN_LABEL && label != u64::from(group.alternative) {
            return None;
        }
        let stored = widths.len() - group.bulk.map_or(0, |values| values.parts());
        let mut whole = group.whole;
        let mut known = Known::new();
        for (i, width) in widths.enumerate() {
            let width = usize::from(width);
            let mut value = None;
            if self.glimpse.pattern >> (i % 64) & 1 == 1 {
                let (seen, after) = rest.split_at_checked(width)?;
                (value, rest) = (Some(seen), after);
            }
            if i >= stored {
                known.push(value);
                continue;
            }
            let (part, after) = whole.split_at_checked(width)?;
            whole = after;
            if value.is_some_and(|value| value != part) {
                return None;
            }
        }
        rest.is_empty().then_some(known)
    }

    /// Takes tuples in.
    fn group(
        &mut self,
        group: &Group<'_>,
        widths: impl ExactSizeIterator<Item = u16>,
    ) -> ControlFlow<()> {
        let weight = group.weight;
        if weight == 0 {
            return ControlFlow::Continue(());
        }
        self.total += group.len() as f64 * weight as f64;
        let Some(known) = self.known(group, widths) else {
            return ControlFlow::Continue(());
        };
        let fitting = count(group.bulk, &known);
        let heft = fitting.saturating_mul(weight);
        self.like = self.like.saturating_add(heft);
        let action = |rank| {
            let mut action: SmallVec<[u64; 4]> =
                SmallVec::from_slice(&[u64::from(group.alternative)]);
            action.extend_from_slice(group.whole);
            action.extend_from_slice(&nth(group.bulk, &known, rank));
            Action(action)
        };
        match &mut self.wanted {
            Wanted::Weights => {}
            Wanted::One { left, found } => {
                if *left < heft {
                    *found = Some((action(*left / weight), weight));
                    return ControlFlow::Break(());
                }
                *left -= heft;
            }
            Wanted::List { list: all, most } => {
                let room = all.as_ref().map_or(0, |list| *most - list.len());
                let Some(list) = all.as_mut().filter(|_| fitting <= room as u64) else {
                    *all = None;
                    return ControlFlow::Break(());
                };
                if known.iter().all(Option::is_none) {
                    return group.actions(&mut |action| {
                        list.push((action, weight));
                        ControlFlow::Continue(())
                    });
                }
                list.extend((0..fitting).map(|rank| (action(rank), weight)));
            }
        }
        ControlFlow::Continue(())
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
        let stored = t.parts.len() - t.bulk.map_or(0, |values| values.parts());
        let mut whole: SmallVec<[u64; 8]> = SmallVec::new();
        for part in &t.parts[..stored] {
            whole.extend_from_slice(words(t.frame, *part));
        }
        let group = Group {
            alternative: t.alternative,
            whole: &whole,
            weight: t.weight.unwrap_or(1),
            bulk: t.bulk,
        };
        self.group(&group, t.parts.iter().map(|part| part.words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 75 thousand million hands, where 17 thousand million are wanted at the most.
    #[test]
    fn options_that_are_too_many_take_no_memory() {
        let text = "game Deal { players { Ann, Ben } state { hand : set of 1..60 seen by Ann }
          play { draw h in subsets(1..60, 10) into hand  Ben chooses { yes no } }
          payoff zero-sum: [p in Player] 0 }";
        let (machine, _) = crate::load(text, &Default::default()).expect("a game");
        let state = machine.initial().expect("a state");
        let mut glimpses = machine.glimpses();
        let found = glimpses.options_like(&state, None, Glimpse::NOTHING, 1 << 34);
        assert!(found.expect("no error").is_none());
    }
}
