//! What the player to move may do: all of it in order, or one at random.

use super::interpret::{Host, Least, MAX_STEPS, OfRank, Silent, Stop, Tuple, Values, run};
use super::packing::Frame;
use super::playout::Group;
use super::sampling::{Numbers, below, sample};
use super::{Action, Actions, Machine, Outcomes, PlayError, State};
use crate::compile::codes;
use crate::ir::meaning::Trouble;
use crate::ir::select::nth_element;
use crate::ir::subsets::{choose, first_subset, next_subset};
use crate::ir::{Arm, BlockId, Listing, ListingKind, NodeKind, Operand, SampleCode, Trial};
use crate::model::types::bits;
use crate::model::{Part, StmtKind};
use smallvec::SmallVec;
use std::ops::ControlFlow;

/// What a listing fills in: actions, or outcomes with their weights.
pub(super) trait OptionList {
    fn clear(&mut self);

    fn push(&mut self, action: Action, weight: u64);

    /// Whether the weights add up to more than can be counted.
    fn is_too_heavy(&self) -> bool {
        false
    }
}

impl OptionList for Actions {
    #[inline]
    fn clear(&mut self) {
        self.0.clear();
    }

    #[inline]
    fn push(&mut self, action: Action, _: u64) {
        self.0.push(action);
    }
}

impl OptionList for Outcomes {
    #[inline]
    fn clear(&mut self) {
        self.list.clear();
        self.total = 0;
    }

    #[inline]
    fn push(&mut self, action: Action, weight: u64) {
        self.total = self.total.saturating_add(weight);
        self.list.push((action, weight));
    }

    fn is_too_heavy(&self) -> bool {
        self.total == u64::MAX
    }
}

impl Machine {
    /// All actions of one of the players to move, in a fixed order; never empty. Clears `actions` first.
    ///
    /// # Errors
    /// When the player has nothing to choose, or it is not the player's move.
    pub fn legal(
        &self,
        state: &State,
        player: usize,
        actions: &mut Actions,
    ) -> Result<(), PlayError> {
        let arm = self.arm_of(state, player)?;
        self.list_all(&arm.listing, &mut self.unpack(state), actions)
    }

    /// Lists all tuples of a listing, by the unpacked state.
    ///
    /// # Errors
    /// When there are none, or [`Outcomes::LIMIT`] or more, or they cannot be listed.
    pub(super) fn list_all(
        &self,
        listing: &Listing,
        frame: &mut [u64],
        list: &mut impl OptionList,
    ) -> Result<(), PlayError> {
        match self.list_few(Outcomes::LIMIT - 1, listing, frame, list)? {
            true => Ok(()),
            false => Err(self.too_many(listing)),
        }
    }

    /// One action of one of the players to move, uniform over its tuples. How many random numbers that takes is the program's.
    ///
    /// # Errors
    /// As [`Machine::legal`], as far as it looks at what there is: an option that it does not draw may be an error of play.
    pub fn sample(
        &self,
        state: &State,
        player: usize,
        rng: &mut impl Numbers,
    ) -> Result<Action, PlayError> {
        let arm = self.arm_of(state, player)?;
        let mut frame = self.unpack(state);
        self.sample_from(&arm.listing, &mut frame, rng)
    }

    pub(super) fn arm_of(&self, state: &State, player: usize) -> Result<&Arm, PlayError> {
        self.numbered_arm_of(state, player).map(|(_, arm)| arm)
    }

    /// What a player chooses from, with its number at the node.
    pub(super) fn numbered_arm_of(
        &self,
        state: &State,
        player: usize,
    ) -> Result<(usize, &Arm), PlayError> {
        let node = &self.program.nodes[state.node as usize];
        let arms: &[Arm] = match &node.kind {
            NodeKind::Decision(arms) => arms,
            _ => &[],
        };
        arms.iter()
            .enumerate()
            .find(|(_, arm)| self.is_active(state, arm) && self.arm_player(state, arm) == player)
            .ok_or_else(|| PlayError {
                code: codes::ILLEGAL_MOVE,
                span: node.span,
                message: format!("it is not {}'s move", self.player_name(player)),
                hint: None,
            })
    }

    /// Tells of every option of a player, or of every outcome where `player` is `None`, in order and with its weight, until
    /// `f` stops. For callers that may not want all of them.
    ///
    /// # Errors
    /// When the options cannot be listed, it is not the player's move, or nothing is drawn here.
    #[doc(hidden)]
    pub fn each_option(
        &self,
        state: &State,
        player: Option<usize>,
        f: &mut dyn FnMut(Action, u64) -> ControlFlow<()>,
    ) -> Result<(), PlayError> {
        let listing = match player {
            Some(player) => &self.arm_of(state, player)?.listing,
            None => self.chance_listing(state)?,
        };
        self.each(listing, &mut self.unpack(state), f)
    }

    /// Lists the tuples of a listing, of which there are `most` or fewer; false, and some of them or none, where there are more.
    ///
    /// # Errors
    /// When there are none, or they cannot be listed.
    pub(super) fn list_few(
        &self,
        most: usize,
        listing: &Listing,
        frame: &mut [u64],
        list: &mut impl OptionList,
    ) -> Result<bool, PlayError> {
        list.clear();
        if let ListingKind::Subset { code, set, count } = &listing.kind {
            self.run_listing(listing, *code, frame)?;
            let size = words(frame, *set).iter().map(|word| word.count_ones());
            let subsets = choose(size.sum::<u32>().into(), frame[*count as usize]);
            if subsets > most as u64 {
                return Ok(false);
            }
        }
        let mut seen = 0;
        self.each(listing, frame, &mut |action, weight| {
            seen += 1;
            if seen > most {
                return ControlFlow::Break(());
            }
            list.push(action, weight);
            ControlFlow::Continue(())
        })?;
        if seen == 0 {
            return Err(self.fault_error(listing.fault, 0));
        }
        match list.is_too_heavy() {
            true => Err(self.too_heavy(listing)),
            false => Ok(seen <= most),
        }
    }

    /// Goes through the tuples of a listing and their weights, in order, until `f` stops. All that lists is made of this.
    pub(super) fn each(
        &self,
        listing: &Listing,
        frame: &mut [u64],
        f: &mut dyn FnMut(Action, u64) -> ControlFlow<()>,
    ) -> Result<(), PlayError> {
        match &listing.kind {
            ListingKind::Set { code, set, lo } => {
                self.run_listing(listing, *code, frame)?;
                let _ = bits(words(frame, *set)).try_for_each(|ordinal| f(single(*lo, ordinal), 1));
            }
            ListingKind::Loop { code, .. } => {
                let rank = self.least_rank(listing, frame)?;
                self.run_loops(listing, *code, rank, frame, &mut Each { f })?;
            }
            ListingKind::Subset { code, set, count } => {
                self.run_listing(listing, *code, frame)?;
                let (set, count) = (words(frame, *set), frame[*count as usize]);
                let _ = subsets(set, count, &mut |s| f(subset_action(s), 1));
            }
        }
        Ok(())
    }

    /// The rank that counts, where tuples have one.
    pub(super) fn least_rank(
        &self,
        listing: &Listing,
        frame: &mut [u64],
    ) -> Result<Option<i64>, PlayError> {
        let mut least = Least { rank: None };
        if let ListingKind::Loop {
            code, ranked: true, ..
        } = listing.kind
        {
            run(&self.program, frame, code, &mut least)
                .map_err(|t| self.listing_trouble(t, listing))?;
        }
        Ok(least.rank)
    }

    /// Hands the tuples of a rank on that loops emit.
    pub(super) fn run_loops(
        &self,
        listing: &Listing,
        code: BlockId,
        rank: Option<i64>,
        frame: &mut [u64],
        host: &mut impl Host,
    ) -> Result<(), PlayError> {
        let mut host = OfRank { rank, host };
        run(&self.program, frame, code, &mut host).map_err(|t| self.listing_trouble(t, listing))?;
        Ok(())
    }

    /// One tuple of a listing at random, by weight.
    pub(super) fn sample_from(
        &self,
        listing: &Listing,
        frame: &mut Frame,
        rng: &mut impl Numbers,
    ) -> Result<Action, PlayError> {
        if let Some(trial) = &listing.trial
            && let Some(action) = self.try_to_sample(listing, trial, frame, rng)?
        {
            return Ok(action);
        }
        match &listing.kind {
            ListingKind::Set { code, set, lo } => {
                self.run_listing(listing, *code, frame)?;
                let set = words(frame, *set);
                let n: u32 = set.iter().map(|w| w.count_ones()).sum();
                if n == 0 {
                    return Err(self.fault_error(listing.fault, 0));
                }
                let k = below(rng, u64::from(n));
                nth_element(set, k)
                    .map(|ordinal| single(*lo, ordinal))
                    .ok_or_else(|| self.fault_error(listing.fault, 0))
            }
            ListingKind::Loop { code, weighted, .. } => {
                let mut counter = Total { sum: 0 };
                let rank = self.least_rank(listing, frame)?;
                self.run_loops(listing, *code, rank, frame, &mut counter)?;
                if counter.sum == 0 {
                    return Err(self.fault_error(listing.fault, 0));
                }
                if counter.sum == u64::MAX {
                    return Err(match weighted {
                        true => self.too_heavy(listing),
                        false => self.too_many(listing),
                    });
                }
                let mut pick = Pick {
                    left: below(rng, counter.sum),
                    found: None,
                };
                self.run_loops(listing, *code, rank, frame, &mut pick)?;
                pick.found.ok_or_else(|| self.fault_error(listing.fault, 0))
            }
            ListingKind::Subset { code, set, count } => {
                self.run_listing(listing, *code, frame)?;
                let mut left: SmallVec<[u64; 4]> = words(frame, *set).into();
                let mut size: u64 = left.iter().map(|w| u64::from(w.count_ones())).sum();
                let count = frame[*count as usize];
                if count > size {
                    return Err(self.fault_error(listing.fault, 0));
                }
                let mut taken: SmallVec<[u64; 4]> = SmallVec::from_elem(0, left.len());
                for _ in 0..count {
                    if let Some(e) = nth_element(&left, below(rng, size)) {
                        left[(e / 64) as usize] &= !(1 << (e % 64));
                        taken[(e / 64) as usize] |= 1 << (e % 64);
                    }
                    size -= 1;
                }
                Ok(subset_action(&taken))
            }
        }
    }

    /// The tuple that a trial hits, if it does so in time.
    pub(super) fn try_to_sample(
        &self,
        listing: &Listing,
        trial: &Trial,
        frame: &mut Frame,
        rng: &mut impl Numbers,
    ) -> Result<Option<Action>, PlayError> {
        let attempts = (0..trial.attempts).map(|i| if i == 0 { trial.code } else { trial.again });
        for code in attempts.chain(trial.sweep) {
            let mut host = Sampling { rng: &mut *rng };
            run(&self.program, frame, code, &mut host)
                .map_err(|t| self.listing_trouble(t, listing))?;
            match frame[trial.hit as usize] {
                Trial::HIT => {}
                Trial::NOTHING => break,
                _ => continue,
            }
            let chosen = frame[listing.chosen as usize];
            let mut action: SmallVec<[u64; 4]> = SmallVec::from_slice(&[chosen]);
            if let Some(alternative) = listing.alternatives.get(chosen as usize) {
                for (part, _) in &alternative.parts {
                    action.extend_from_slice(words(frame, *part));
                }
            }
            return Ok(Some(Action(action)));
        }
        Ok(None)
    }

    pub(super) fn run_listing(
        &self,
        listing: &Listing,
        code: BlockId,
        frame: &mut [u64],
    ) -> Result<Stop, PlayError> {
        run(&self.program, frame, code, &mut Silent).map_err(|t| self.listing_trouble(t, listing))
    }

    pub(super) fn listing_trouble(&self, trouble: Trouble, listing: &Listing) -> PlayError {
        if trouble != Trouble::TooManySteps {
            return self.trouble(trouble);
        }
        PlayError {
            code: codes::TOO_MANY_STEPS,
            span: self.description().site(listing.site).span,
            message: format!("it takes more than {MAX_STEPS} steps to list what is possible here"),
            hint: Some(self.smaller_listings(listing)),
        }
    }

    /// How there is less to list at once.
    fn smaller_listings(&self, listing: &Listing) -> String {
        let description = self.description();
        let mut alike = None;
        description.play.for_each_stmt(|stmt| {
            if let StmtKind::Draw(draw) = &stmt.kind
                && draw.site == listing.site
                && let [first, others @ ..] = draw.parts.as_slice()
            {
                let ty = |part: &Part| &description.local(part.local).ty;
                let same = !others.is_empty() && others.iter().all(|o| ty(o) == ty(first));
                alike = same.then(|| (ty(first), draw.parts.len()));
            }
        });
        match alike {
            Some((ty, n)) => format!(
                "draw the values one after another; where it is said how many there are of each, from a table of that: \
                 `draw x from left`, with `left : [{ty}] 0..{n}`"
            ),
            None => "take the parts one after another, each from a smaller set".to_string(),
        }
    }

    pub(super) fn too_many(&self, listing: &Listing) -> PlayError {
        PlayError {
            code: codes::TOO_MANY_OUTCOMES,
            span: self.description().site(listing.site).span,
            message: format!("more than {} possibilities to list here", Outcomes::LIMIT),
            hint: Some("sample them, or make the game smaller".into()),
        }
    }

    /// The weights add up to 2⁶⁴ − 1 or more.
    pub(super) fn too_heavy(&self, listing: &Listing) -> PlayError {
        PlayError {
            code: codes::TOO_MANY_OUTCOMES,
            span: self.description().site(listing.site).span,
            message: "the weights here add up to more than can be counted".into(),
            hint: Some("use smaller weights in the same proportions".into()),
        }
    }
}

pub(super) fn words(frame: &[u64], o: Operand) -> &[u64] {
    &frame[o.slot as usize..o.slot as usize + o.words as usize]
}

pub(super) fn single(lo: i64, ordinal: u64) -> Action {
    Action(SmallVec::from_slice(&[0, (lo + ordinal as i64) as u64]))
}

fn subset_action(words: &[u64]) -> Action {
    let mut action: SmallVec<[u64; 4]> = SmallVec::from_slice(&[0]);
    action.extend_from_slice(words);
    Action(action)
}

/// The action of a tuple, with the values of the parts that are in bulk.
pub(super) fn tuple(t: &Tuple<'_>, bulk: &[u64]) -> Action {
    let mut action: SmallVec<[u64; 4]> = SmallVec::from_slice(&[u64::from(t.alternative)]);
    let stored = t.parts.len() - t.bulk.map_or(0, |values| values.parts());
    for part in &t.parts[..stored] {
        let from = part.slot as usize;
        action.extend_from_slice(&t.frame[from..from + part.words as usize]);
    }
    action.extend_from_slice(bulk);
    Action(action)
}

impl Tuple<'_> {
    /// The weight of all tuples together.
    fn total(&self) -> u64 {
        let tuples = self.bulk.map_or(1, |values| values.len());
        tuples.saturating_mul(self.weight.unwrap_or(1))
    }
}

impl Group<'_> {
    /// The actions of all tuples in order, until `f` stops.
    #[inline]
    pub fn actions(&self, f: &mut impl FnMut(Action) -> ControlFlow<()>) -> ControlFlow<()> {
        // All but the longest fit where no heap is needed.
        let mut buffer = [0; 4];
        let n = 1 + self.whole.len();
        let long = n + self.bulk.map_or(0, |values| values.parts()) > buffer.len();
        let wide = matches!(self.bulk, Some(Values::Subsets(set, _)) if set.len() > 1);
        if long || wide {
            return self.long_actions(f);
        }
        buffer[0] = u64::from(self.alternative);
        buffer[1..n].copy_from_slice(self.whole);
        let action = |buffer, n| Action(SmallVec::from_buf_and_len(buffer, n));
        match self.bulk {
            Some(Values::Elements(set, lo)) => bits(set).try_for_each(|ordinal| {
                buffer[n] = (lo + ordinal as i64) as u64;
                f(action(buffer, n + 1))
            }),
            Some(Values::Pairs((a, lo), (b, other))) => bits(a).try_for_each(|first| {
                buffer[n] = (lo + first as i64) as u64;
                bits(b).try_for_each(|second| {
                    buffer[n + 1] = (other + second as i64) as u64;
                    f(action(buffer, n + 2))
                })
            }),
            Some(Values::Subsets(set, count)) => subsets(set, count, &mut |subset| {
                buffer[n] = subset[0];
                f(action(buffer, n + 1))
            }),
            None => f(action(buffer, n)),
        }
    }

    fn long_actions(&self, f: &mut dyn FnMut(Action) -> ControlFlow<()>) -> ControlFlow<()> {
        let mut give = |values: &[u64]| {
            let mut action: SmallVec<[u64; 4]> =
                SmallVec::from_slice(&[u64::from(self.alternative)]);
            action.extend_from_slice(self.whole);
            action.extend_from_slice(values);
            f(Action(action))
        };
        match self.bulk {
            None => give(&[]),
            Some(values) => values.each(&mut give),
        }
    }
}

impl Values<'_> {
    /// All of them, in order, until `f` stops.
    fn each(&self, f: &mut impl FnMut(&[u64]) -> ControlFlow<()>) -> ControlFlow<()> {
        match *self {
            Values::Elements(set, lo) => {
                bits(set).try_for_each(|ordinal| f(&[(lo + ordinal as i64) as u64]))
            }
            Values::Pairs((a, lo), (b, other)) => bits(a).try_for_each(|first| {
                let first = (lo + first as i64) as u64;
                bits(b).try_for_each(|second| f(&[first, (other + second as i64) as u64]))
            }),
            Values::Subsets(set, count) => subsets(set, count, f),
        }
    }
}

/// All subsets with `count` elements, in the order of sets, until `f` stops.
fn subsets(
    set: &[u64],
    count: u64,
    f: &mut impl FnMut(&[u64]) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let mut subset: SmallVec<[u64; 4]> = SmallVec::from_elem(0, set.len());
    let mut more = first_subset(set, count, &mut subset);
    while more {
        f(&subset)?;
        more = next_subset(set, &mut subset);
    }
    ControlFlow::Continue(())
}

/// Hands every tuple on.
pub(super) struct Each<'a> {
    pub f: &'a mut dyn FnMut(Action, u64) -> ControlFlow<()>,
}

impl Host for Each<'_> {
    const EVENTS: bool = false;
    fn emit(&mut self, t: Tuple<'_>) -> ControlFlow<()> {
        let weight = t.weight.unwrap_or(1);
        if weight == 0 {
            return ControlFlow::Continue(());
        }
        let mut give = |values: &[u64]| (self.f)(tuple(&t, values), weight);
        match t.bulk {
            None => give(&[]),
            Some(values) => values.each(&mut give),
        }
    }
}

/// Draws the random numbers of a trial.
struct Sampling<'a, N> {
    rng: &'a mut N,
}

impl<N: Numbers> Host for Sampling<'_, N> {
    const EVENTS: bool = false;
    fn sample(&mut self, frame: &mut [u64], code: &SampleCode) -> Result<(), Trouble> {
        sample(frame, code, self.rng)
    }
}

/// Adds up weights.
struct Total {
    sum: u64,
}

impl Host for Total {
    const EVENTS: bool = false;
    fn emit(&mut self, t: Tuple<'_>) -> ControlFlow<()> {
        self.sum = self.sum.saturating_add(t.total());
        ControlFlow::Continue(())
    }
}

/// Stops at the tuple within whose weight a number falls.
struct Pick {
    left: u64,
    found: Option<Action>,
}

impl Host for Pick {
    const EVENTS: bool = false;
    fn emit(&mut self, t: Tuple<'_>) -> ControlFlow<()> {
        let total = t.total();
        if self.left < total {
            let rank = self.left / t.weight.unwrap_or(1);
            let bulk = t.bulk.map(|values| values.nth(rank));
            self.found = Some(tuple(&t, bulk.as_deref().unwrap_or_default()));
            return ControlFlow::Break(());
        }
        self.left -= total;
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn subsets_come_in_the_order_of_sets() {
        let mut seen = Vec::new();
        let end = subsets(&[0b11011], 2, &mut |s| {
            seen.push(bits(s).collect::<Vec<_>>());
            ControlFlow::Continue(())
        });
        assert!(end.is_continue());
        let expected: [[u64; 2]; 6] = [[0, 1], [0, 3], [1, 3], [0, 4], [1, 4], [3, 4]];
        assert_eq!(seen, expected);
    }
}
