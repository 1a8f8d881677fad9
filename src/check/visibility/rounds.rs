//! Which round of a loop it is: who could not know, since a choice before may have had no option and passed unnoticed.
//!
//! Where a round may end so for somebody, entries of the next round look like those of the last. Then the name of the loop is
//! unknown to that player, in every round, until something happens that the player certainly notices in each of them, or
//! that names the player whom the name stands for. A choice of that player is no such choice itself: where it is made, it says
//! whose it is.

use super::omitted::{Omitted, name_of};
use super::{Checker, Rule};
use crate::model::*;
use smallvec::SmallVec;

/// The name of a loop, and those who could not know which round it is.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Lost {
    name: LocalId,
    players: PlayerSet,
    /// In how many statements whose parts need not come the round lies.
    doubts: usize,
}

/// The names of the loops around about which somebody is lost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LostNames(SmallVec<[Lost; 1]>);

impl LostNames {
    /// Those who could not know what a name stands for.
    pub fn of(&self, name: LocalId) -> PlayerSet {
        let found = self.0.iter().find(|lost| lost.name == name);
        found.map_or(PlayerSet::EMPTY, |lost| lost.players)
    }

    pub fn join(&mut self, other: &LostNames) {
        for theirs in &other.0 {
            match self.0.iter_mut().find(|mine| mine.name == theirs.name) {
                Some(mine) => mine.players |= theirs.players,
                None => self.0.push(theirs.clone()),
            }
        }
    }

    /// True if a join with `other` would change nothing.
    pub fn covers(&self, other: &LostNames) -> bool {
        let mut theirs = other.0.iter();
        theirs.all(|theirs| self.of(theirs.name).contains_all(theirs.players))
    }

    fn begin(&mut self, name: LocalId, players: PlayerSet, doubts: usize) {
        self.forget(name);
        if !players.is_empty() {
            self.0.push(Lost {
                name,
                players,
                doubts,
            });
        }
    }

    fn forget(&mut self, name: LocalId) {
        self.0.retain(|lost| lost.name != name);
    }

    fn found(&mut self, players: PlayerSet, which: impl Fn(&Lost) -> bool) {
        for lost in self.0.iter_mut().filter(|lost| which(lost)) {
            lost.players -= players;
        }
    }
}

impl Checker<'_> {
    /// A round of the innermost loop begins, and its name stands for something else than before.
    pub(super) fn begin_round(&mut self, name: LocalId) {
        let around = self.loops.len().saturating_sub(1);
        let left = self.left.get(&name).copied().unwrap_or_default();
        let lost = self.loops.last_mut().map_or(PlayerSet::EMPTY, |frame| {
            frame.name = Some(name);
            // The loop comes again in the next round of one around it, and nothing may have been noticed since.
            frame.lost | left & frame.omitted_before.besides(name, |of| of == around)
        });
        let lost = match self.rules.ask(Rule::Rounds) {
            true => lost,
            false => PlayerSet::EMPTY,
        };
        self.flow.lost.begin(name, lost, self.doubts);
    }

    /// Another round of the innermost loop may follow.
    pub(super) fn round_may_follow(&mut self) {
        let level = self.loops.len();
        if self.flow.live
            && self.rules.ask(Rule::Rounds)
            && let Some(frame) = self.loops.last_mut()
            && let Some(name) = frame.name
        {
            frame.lost |= self.flow.omitted.besides(name, |of| of == level);
        }
    }

    /// The loop with a name is over, which has been taken off; `omitted`: what may have been left out unnoticed.
    pub(super) fn end_rounds(&mut self, name: LocalId, omitted: &Omitted) {
        let level = self.loops.len();
        *self.left.entry(name).or_default() |= omitted.besides(name, |of| of > level);
    }

    pub(super) fn forget_round(&mut self, name: LocalId) {
        self.flow.lost.forget(name);
    }

    /// An event that these players certainly see, wherever play comes to it.
    pub(super) fn hear(&mut self, viewers: PlayerSet) {
        self.flow.seen(viewers);
        self.count_round(viewers);
    }

    /// These players notice something here. It tells them which round it is if it comes in every round.
    pub(super) fn count_round(&mut self, viewers: PlayerSet) {
        if self.comes_in_every_round() {
            let here = self.doubts;
            let flow = &mut self.flow;
            flow.lost.found(viewers, |lost| lost.doubts == here);
        }
    }

    fn comes_in_every_round(&self) -> bool {
        self.loops.iter().all(|frame| frame.continues.is_none())
    }

    /// Those who could know whose choice this is. A choice that is asked for in every round says so itself, if only by not being
    /// made.
    pub(super) fn know_chooser(&mut self, chooser: &Expr) -> PlayerSet {
        let here = self.doubts - self.move_doubt;
        let counted = self.comes_in_every_round();
        let lost = self.flow.lost.clone();
        if let Some(name) = name_of(chooser).filter(|_| counted) {
            let everyone = self.everyone;
            let asked = |lost: &Lost| lost.name == name && lost.doubts == here;
            self.flow.lost.found(everyone, asked);
        }
        let known = self.label(chooser);
        self.flow.lost = lost;
        known
    }

    /// These players learn who chooses.
    pub(super) fn learn_chooser(&mut self, chooser: &Expr, players: PlayerSet) {
        if let Some(name) = name_of(chooser) {
            self.flow.lost.found(players, |lost| lost.name == name);
        }
    }

    /// Those who could not know whose choice it is, since choices before it may have been left out.
    pub(super) fn lost_chooser(&self, chooser: &Expr) -> PlayerSet {
        name_of(chooser).map_or(PlayerSet::EMPTY, |name| self.flow.lost.of(name))
    }

    /// Walks what need not come in every round of the loops around.
    pub(super) fn in_doubt<T>(&mut self, doubt: bool, walk: impl FnOnce(&mut Self) -> T) -> T {
        self.doubts += usize::from(doubt);
        let result = walk(self);
        self.doubts -= usize::from(doubt);
        result
    }
}
