//! Whether another round of a loop comes: who may have missed a round could not know.
//!
//! Where a choice may have been left out unnoticed and is taken when it comes again, it is open to who noticed nothing in between
//! which round that is, and so how many are left. What comes next must be the same in any case: as long as such a player has
//! noticed nothing in a later round, nothing may come there that the player certainly notices, since it would not come after the
//! last round. A choice that may be left out unnoticed is no such thing, nor is what follows it.

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

/// Rounds in which somebody is not quiet: how many loops lie around each, and who it is.
#[derive(Clone, Debug, Default)]
pub(super) struct RuledOut(SmallVec<[(usize, usize); 1]>);

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
    /// A round of the innermost loop begins. `first`: it is certainly the first one.
    pub(super) fn begin_quiet(&mut self, first: bool) {
        let depth = self.loops.len();
        let missed = self.loops.last().filter(|_| !first);
        let missed = missed.map(|frame| frame.missed.players());
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

    /// Whether the name of the innermost loop stands for each of its values once at the most.
    pub(super) fn takes_each_once(&mut self, once_each: bool) {
        if let Some(frame) = self.loops.last_mut() {
            frame.once_each = once_each;
        }
    }

    /// The innermost loop is over, which has been taken off.
    pub(super) fn end_quiet(&mut self) {
        self.flow.quiet.leave(self.loops.len() + 1);
    }

    /// A choice is made, of which these players may see something. Those who may have noticed nothing since it was left out, in an
    /// earlier round, may have missed that round.
    pub(super) fn take(&mut self, choice: &Choice, players: PlayerSet) {
        let taken = self.left_out(choice);
        let around = self.left_out_around;
        let again = self.flow.omitted.again(&taken, around);
        let again = again.filter_map(|one| {
            let depth = one.level.checked_sub(1)?;
            // Each round is somebody else's.
            let frame = self.loops.get(depth)?;
            let own = frame.once_each && frame.name.is_some() && frame.name == one.chooser;
            (!own).then_some((depth, one.players & players, one.span))
        });
        let again: SmallVec<[(usize, PlayerSet, Span); 2]> = again.collect();
        for (depth, players, span) in again {
            // In the loops within it, too, it may be another round.
            let within = self.loops[depth..].iter_mut();
            within.for_each(|frame| frame.missed.add(players, span));
        }
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
        let ruled_out = self.ruled_out(cond, holds);
        self.rule_out(&ruled_out);
    }

    /// The quiet rounds in which a condition certainly does not hold, or does.
    pub(super) fn ruled_out(&self, cond: &Expr, holds: bool) -> RuledOut {
        let quiet = self.flow.quiet.0.iter();
        let quiet = quiet.filter(|q| self.test(cond, &q.held) == Some(!holds));
        RuledOut(quiet.map(|q| (q.depth, q.player)).collect())
    }

    /// For each alternative, the quiet rounds in which it is certainly no option.
    pub(super) fn options_ruled_out(&self, choice: &Choice) -> Vec<RuledOut> {
        let conditions = choice.alternatives.iter().map(|a| a.cond.as_ref());
        let ruled_out = conditions.map(|c| c.map(|c| self.ruled_out(c, true)));
        ruled_out.map(Option::unwrap_or_default).collect()
    }

    /// Play comes here in none of these rounds.
    pub(super) fn rule_out(&mut self, rounds: &RuledOut) {
        let of = &mut self.flow.quiet.0;
        of.retain(|q| !rounds.0.contains(&(q.depth, q.player)));
    }

    /// Play comes here only where something has one of these values, or none of those of `arms`.
    pub(super) fn quiet_at(&mut self, e: &Expr, values: Option<&[i64]>, arms: &[MatchArm<Block>]) {
        let mut quiet = std::mem::take(&mut self.flow.quiet);
        quiet.0.retain(|q| {
            let found = self.scalar_held(e, &q.held);
            found.is_none_or(|v| match values {
                Some(values) => values.contains(&v),
                None => !arms.iter().any(|arm| arm.values.contains(&v)),
            })
        });
        self.flow.quiet = quiet;
    }
}
