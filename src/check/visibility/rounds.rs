//! Which round of a loop it is: who could not know, since a choice before may have had no option and passed unnoticed.
//!
//! Where a round may end so for somebody, entries of the next round look like those of the last. Then the name of the loop is
//! unknown to that player, in every round, until something happens that the player certainly notices in each of them, or
//! that names the player whom the name stands for.

use super::flow::Flow;
use super::{Checker, Rule};
use crate::model::*;
use smallvec::SmallVec;

/// The name of a loop, and those who could not know which round it is.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Lost {
    name: LocalId,
    players: PlayerSet,
    /// In how many choices that may not be made the loop lies.
    doubts: usize,
}

/// The names of the loops around about which somebody is lost.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Rounds(SmallVec<[Lost; 1]>);

impl Rounds {
    /// Those who could not know what a name stands for.
    pub fn lost(&self, name: LocalId) -> PlayerSet {
        let found = self.0.iter().find(|lost| lost.name == name);
        found.map_or(PlayerSet::EMPTY, |lost| lost.players)
    }

    pub fn join(&mut self, other: &Rounds) {
        for theirs in &other.0 {
            match self.0.iter_mut().find(|mine| mine.name == theirs.name) {
                Some(mine) => mine.players |= theirs.players,
                None => self.0.push(theirs.clone()),
            }
        }
    }

    /// True if a join with `other` would change nothing.
    pub fn covers(&self, other: &Rounds) -> bool {
        let mut theirs = other.0.iter();
        theirs.all(|theirs| self.lost(theirs.name).contains_all(theirs.players))
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
        let lost = self.loops.last().map_or(PlayerSet::EMPTY, |f| f.lost);
        self.flow.rounds.begin(name, lost, self.doubts);
    }

    /// Another round of the innermost loop may follow.
    pub(super) fn round_may_follow(&mut self) {
        if self.flow.live
            && self.rules.ask(Rule::Rounds)
            && let Some(frame) = self.loops.last_mut()
        {
            frame.lost |= self.flow.omitted;
        }
    }

    pub(super) fn forget_round(&mut self, name: LocalId) {
        self.flow.rounds.forget(name);
    }

    /// An event that these players certainly see, wherever play comes to it.
    pub(super) fn hear(&mut self, viewers: PlayerSet) {
        self.flow.seen(viewers);
        let here = self.doubts;
        let flow = &mut self.flow;
        flow.rounds.found(viewers, |lost| lost.doubts == here);
    }

    /// These players learn who chooses.
    pub(super) fn learn_chooser(&mut self, chooser: &Expr, players: PlayerSet) {
        if let Some(name) = name_of(chooser) {
            self.flow.rounds.found(players, |lost| lost.name == name);
        }
    }

    /// Those who could not know whose choice it is, since choices before it may have been left out.
    pub(super) fn lost_chooser(&self, chooser: &Expr) -> PlayerSet {
        name_of(chooser).map_or(PlayerSet::EMPTY, |name| self.flow.rounds.lost(name))
    }

    /// Walks what follows only where there is something to choose, or only where there is nothing.
    pub(super) fn in_doubt<T>(&mut self, doubt: bool, walk: impl FnOnce(&mut Self) -> T) -> T {
        self.doubts += usize::from(doubt);
        let result = walk(self);
        self.doubts -= usize::from(doubt);
        result
    }

    /// What `look` finds where nobody is lost.
    pub(super) fn as_if_found<T>(&mut self, look: impl FnOnce(&mut Self) -> T) -> T {
        let rounds = std::mem::take(&mut self.flow.rounds);
        let result = look(self);
        self.flow.rounds = rounds;
        result
    }
}

impl Flow {
    /// Takes out what passed unnoticed before a loop.
    pub(super) fn enter_loop(&mut self) -> PlayerSet {
        std::mem::take(&mut self.omitted)
    }

    /// After the loop: for those who have certainly noticed nothing since, it still did.
    pub(super) fn leave_loop(&mut self, omitted: PlayerSet) {
        let clean = self.clean_clocks();
        self.omitted |= omitted - clean;
    }
}

/// The name that an expression is.
fn name_of(e: &Expr) -> Option<LocalId> {
    match &e.kind {
        ExprKind::Local(name) => Some(*name),
        ExprKind::Cast(inner) => name_of(inner),
        _ => None,
    }
}
