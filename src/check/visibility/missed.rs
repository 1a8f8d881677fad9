//! Whether another round of a loop comes: who may have missed a round could not know.
//!
//! Where a choice may have been left out unnoticed, the same choice in another round looks alike, and then it is open how many
//! rounds are left. What comes next must be the same in any case. So as long as somebody who may have missed a round has
//! noticed nothing in this one, nothing may come that this player certainly notices: it would not come after the last round.
//! A choice that may be left out unnoticed is no such thing, nor is what follows it.

use super::held::Held;
use super::{Checker, Rule};
use crate::model::*;
use crate::text::span::Span;
use smallvec::SmallVec;

/// A player who may have noticed nothing since a round began, and may have missed one before.
#[derive(Clone, Debug)]
struct Quiet {
    /// How many loops lie around the round, with its own.
    depth: usize,
    player: usize,
    /// What variables certainly hold where that is so.
    held: Held,
}

/// What somebody may have missed of a round.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Silence {
    /// Those who may have noticed nothing in it.
    players: PlayerSet,
    /// Those of them who may have missed that something was decided or stored. Otherwise what follows is the same once more.
    stirred: PlayerSet,
}

/// For the rounds around, outermost first, what has been missed since they began.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Silent(SmallVec<[Silence; 4]>);

impl Silent {
    fn begin(&mut self, depth: usize, everyone: PlayerSet) {
        self.0.resize(depth, Silence::default());
        if let Some(last) = self.0.last_mut() {
            last.players = everyone;
            last.stirred = PlayerSet::EMPTY;
        }
    }

    /// In the round that lies in so many with itself.
    fn of(&self, depth: usize) -> Silence {
        self.0.get(depth - 1).copied().unwrap_or_default()
    }

    /// Something is decided or stored.
    pub fn stir(&mut self) {
        self.0.iter_mut().for_each(|s| s.stirred = s.players);
    }

    pub fn join(&mut self, other: &Silent) {
        for (mine, theirs) in std::iter::zip(&mut self.0, &other.0) {
            mine.players |= theirs.players;
            mine.stirred |= theirs.stirred;
        }
        let mine = self.0.len();
        self.0.extend(other.0.iter().skip(mine).copied());
    }

    /// True if a join with `other` would change nothing.
    pub fn covers(&self, other: &Silent) -> bool {
        let mut joined = self.clone();
        joined.join(other);
        joined == *self
    }

    pub fn end_for(&mut self, players: PlayerSet) {
        for silence in &mut self.0 {
            silence.players -= players;
            silence.stirred -= players;
        }
    }

    fn leave(&mut self, depth: usize) {
        self.0.truncate(depth - 1);
    }
}

/// What rounds of a loop are told apart by.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) enum Count {
    /// Nothing that is read: a round in which nothing changes is followed by the same once more.
    #[default]
    Rounds,
    /// The name of the loop.
    Name,
}

/// The rounds around in which somebody may have noticed nothing who may have missed one before.
#[derive(Clone, Debug, Default)]
pub(super) struct QuietRounds(SmallVec<[Quiet; 1]>);

impl QuietRounds {
    fn find(&self, quiet: &Quiet) -> Option<usize> {
        let same = |q: &Quiet| (q.depth, q.player) == (quiet.depth, quiet.player);
        self.0.iter().position(same)
    }

    pub fn join(&mut self, other: &QuietRounds) {
        for quiet in &other.0 {
            match self.find(quiet) {
                Some(at) => self.0[at].held.join(&quiet.held),
                None => self.0.push(quiet.clone()),
            }
        }
    }

    /// True if a join with `other` would change nothing.
    pub fn covers(&self, other: &QuietRounds) -> bool {
        other.0.iter().all(|quiet| {
            let mine = self.find(quiet).map(|at| &self.0[at].held);
            mine.is_some_and(|held| held.covers(&quiet.held))
        })
    }

    /// These players certainly notice something.
    pub fn end_for(&mut self, players: PlayerSet) {
        self.0.retain(|quiet| !players.contains(quiet.player));
    }

    pub fn each_held(&mut self, mut change: impl FnMut(&mut Held)) {
        self.0.iter_mut().for_each(|quiet| change(&mut quiet.held));
    }

    /// The loop that lies in so many with itself is over.
    fn leave(&mut self, depth: usize) {
        self.0.retain(|quiet| quiet.depth < depth);
    }
}

/// Those who may have missed a round of a loop, each with a choice that may have been left out then.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Missed(SmallVec<[(usize, Span); 2]>);

impl Missed {
    pub fn add(&mut self, players: PlayerSet, choice: Span) {
        for p in players {
            if self.choice(p).is_none() {
                self.0.push((p, choice));
            }
        }
    }

    fn players(&self) -> PlayerSet {
        let all = self.0.iter().map(|(p, _)| PlayerSet::only(*p));
        all.fold(PlayerSet::EMPTY, |all, p| all | p)
    }

    fn choice(&self, player: usize) -> Option<Span> {
        let found = self.0.iter().find(|(p, _)| *p == player);
        found.map(|(_, choice)| *choice)
    }
}

impl Checker<'_> {
    /// A round of the innermost loop begins.
    pub(super) fn begin_quiet(&mut self) {
        let depth = self.loops.len();
        let missed = self.loops.last().map(|frame| frame.missed.players());
        self.flow.silent.begin(depth, self.everyone);
        self.flow.quiet.leave(depth);
        for player in missed.unwrap_or_default() {
            let held = self.flow.held.clone();
            self.flow.quiet.0.push(Quiet {
                depth,
                player,
                held,
            });
        }
    }

    /// Another round of the innermost loop may follow: who may have noticed nothing in this one, in which a choice may have
    /// been left out, may have missed it.
    pub(super) fn round_may_be_missed(&mut self) {
        let Some(frame) = self.loops.last() else {
            return;
        };
        let silence = frame.cycle.unwrap_or(self.flow.silent.of(self.loops.len()));
        let (own, players) = match frame.count {
            Count::Rounds => (None, silence.stirred),
            Count::Name => (frame.name, silence.players),
        };
        if let Some(frame) = self.loops.last_mut() {
            self.flow.omitted.miss(own, players, &mut frame.missed);
        }
    }

    /// A turn of the innermost loop is over, which each of the players has again and again. Only who may have noticed nothing in
    /// all of them may have missed some.
    pub(super) fn end_turn(&mut self) {
        let silence = match self.flow.live {
            true => self.flow.silent.of(self.loops.len()),
            false => Silence::default(),
        };
        if let Some(frame) = self.loops.last_mut() {
            let cycle = frame.cycle.get_or_insert(silence);
            let stirred = cycle.stirred | silence.stirred;
            cycle.players &= silence.players;
            cycle.stirred = stirred & cycle.players;
        }
    }

    /// The innermost loop is over, which has been taken off.
    pub(super) fn end_quiet(&mut self) {
        let depth = self.loops.len() + 1;
        self.flow.silent.leave(depth);
        self.flow.quiet.leave(depth);
    }

    /// Those who may have missed rounds before this one, of which another one would be news.
    pub(super) fn unsure_of_rounds(&self) -> PlayerSet {
        let quiet = self.flow.quiet.0.iter();
        let players = quiet.fold(PlayerSet::EMPTY, |all, q| all | PlayerSet::only(q.player));
        match self.rules.ask(Rule::MissedRounds) {
            true => players,
            false => PlayerSet::EMPTY,
        }
    }

    /// Those of them for whom this choice would be news: who could know its options, where there may be one.
    pub(super) fn unsure_of_choice(&self, choice: &Choice, options: PlayerSet) -> PlayerSet {
        let mut unsure = self.unsure_of_rounds();
        if self.may_be_left_out(choice) || self.move_doubt > 0 {
            unsure &= options;
        }
        let possible = |quiet: &&Quiet| {
            choice.alternatives.iter().any(|a| {
                let cond = a.cond.as_ref();
                cond.is_none_or(|c| self.test(c, &quiet.held) != Some(false))
            })
        };
        let quiet = self.flow.quiet.0.iter().filter(possible);
        unsure & quiet.fold(PlayerSet::EMPTY, |all, q| all | PlayerSet::only(q.player))
    }

    /// The choice for which a player may have missed a round of a loop around.
    pub(super) fn missed_choice(&self, player: usize) -> Option<Span> {
        if !self.unsure_of_rounds().contains(player) {
            return None;
        }
        let quiet = self.flow.quiet.0.iter().find(|q| q.player == player)?;
        self.loops.get(quiet.depth - 1)?.missed.choice(player)
    }

    /// Play comes here only where a condition holds, or does not.
    pub(super) fn quiet_where(&mut self, cond: &Expr, holds: bool) {
        let mut quiet = std::mem::take(&mut self.flow.quiet);
        quiet.0.retain(|q| self.test(cond, &q.held) != Some(!holds));
        self.flow.quiet = quiet;
    }
}
