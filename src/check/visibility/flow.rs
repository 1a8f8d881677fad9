//! What each player has noticed of the time that passed: the abstract state of the clock rule (see `clock.rs`).

use super::held::Held;
use super::missed::QuietRounds;
use super::omitted::Omitted;
use super::rounds::LostNames;
use crate::model::{Description, PlayerSet, VarId};
use crate::text::span::Span;
use smallvec::SmallVec;

/// What a player may not have noticed.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Passed {
    /// A move.
    Move(Span),
    /// That a choice had no option, and its `else` came.
    Otherwise(Span),
}

/// One player's clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Clock {
    /// Nothing hidden has passed since the last event that the player saw.
    Clean,
    /// A decision may have passed, without the player noticing it.
    Dirty { passed: Passed },
    /// Since then, a variable that the player sees was stored.
    Stale {
        passed: Passed,
        store: Span,
        var: VarId,
    },
}

impl Clock {
    fn rank(&self) -> u8 {
        match self {
            Clock::Clean => 0,
            Clock::Dirty { .. } => 1,
            Clock::Stale { .. } => 2,
        }
    }
}

/// A set that was just made.
#[derive(Copy, Clone, Debug)]
pub struct Made {
    pub var: VarId,
    /// Those who could know what of.
    pub known: PlayerSet,
    /// Those for whom it may be [all but](super::label::Clean::all_but) a secret.
    pub all_but: PlayerSet,
}

impl Made {
    /// One of two ways in which it was made, or both at once.
    pub fn or(self, other: Made) -> Made {
        Made {
            var: self.var,
            known: self.known & other.known,
            all_but: self.all_but | other.all_but,
        }
    }
}

/// What holds at one point of play, over all the ways to get there.
#[derive(Clone, Debug)]
pub struct Flow {
    /// False where play does not get.
    pub live: bool,
    pub clocks: Vec<Clock>,
    /// Since the choices of the `together` around: those of whom a move may have passed unnoticed.
    pub passed: PlayerSet,
    /// The choices that may have been left out unnoticed since.
    pub(super) omitted: Omitted,
    /// Who could not know what the names of loops stand for.
    pub(super) lost: LostNames,
    /// Who may have missed a round, and has noticed nothing in this one.
    pub(super) quiet: QuietRounds,
    /// Sets that may hold just what they were made of.
    made: SmallVec<[Made; 2]>,
    /// What variables certainly hold.
    pub held: Held,
}

impl Flow {
    pub fn start(d: &Description) -> Flow {
        Flow {
            live: true,
            clocks: vec![Clock::Clean; d.player_count()],
            passed: PlayerSet::EMPTY,
            omitted: Omitted::default(),
            lost: LostNames::default(),
            quiet: QuietRounds::default(),
            made: SmallVec::new(),
            held: Held::start(d),
        }
    }

    /// The worse of two, player by player.
    pub fn join(&mut self, other: &Flow) {
        if !other.live {
            return;
        }
        if !self.live {
            *self = other.clone();
            return;
        }
        for (mine, theirs) in self.clocks.iter_mut().zip(&other.clocks) {
            if theirs.rank() > mine.rank() {
                *mine = theirs.clone();
            }
        }
        self.passed |= other.passed;
        self.omitted.join(&other.omitted);
        self.lost.join(&other.lost);
        self.quiet.join(&other.quiet);
        self.held.join(&other.held);
        for made in &other.made {
            self.made(*made);
        }
    }

    /// True if a join with `other` would change nothing.
    pub fn covers(&self, other: &Flow) -> bool {
        !other.live
            || self.live
                && self
                    .clocks
                    .iter()
                    .zip(&other.clocks)
                    .all(|(a, b)| a.rank() >= b.rank())
                && self.passed.contains_all(other.passed)
                && self.omitted.covers(&other.omitted)
                && self.lost.covers(&other.lost)
                && self.quiet.covers(&other.quiet)
                && self.held.covers(&other.held)
                && other.made.iter().all(|theirs| {
                    let mut mine = self.made.iter().filter(|mine| mine.var == theirs.var);
                    mine.any(|mine| {
                        theirs.known.contains_all(mine.known)
                            && mine.all_but.contains_all(theirs.all_but)
                    })
                })
    }

    /// A set was made.
    pub fn made(&mut self, made: Made) {
        match self.made.iter_mut().find(|all| all.var == made.var) {
            Some(all) => *all = all.or(made),
            None => self.made.push(made),
        }
    }

    /// What a set was made of, if it was just made.
    pub fn just_made(&self, var: VarId) -> Option<Made> {
        self.made.iter().find(|made| made.var == var).copied()
    }

    /// Something was put into a variable or taken out.
    pub fn moved(&mut self, var: VarId) {
        self.made.retain(|made| made.var != var);
    }

    /// Those who could know what a set was just made of; `everyone` where it holds what was moved there.
    pub fn made_known(&self, var: VarId, everyone: PlayerSet) -> PlayerSet {
        self.just_made(var).map_or(everyone, |made| made.known)
    }

    /// Those for whom a set was just made as all but a secret.
    pub fn made_all_but(&self, var: VarId) -> PlayerSet {
        self.just_made(var)
            .map_or(PlayerSet::EMPTY, |made| made.all_but)
    }

    /// An event that these players certainly see.
    pub fn seen(&mut self, viewers: PlayerSet) {
        self.passed -= viewers;
        self.omitted.end_for(viewers);
        self.quiet.end_for(viewers);
        for (p, clock) in self.clocks.iter_mut().enumerate() {
            if viewers.contains(p) {
                *clock = Clock::Clean;
            }
        }
    }

    /// Something of which these players may not have noticed anything.
    pub fn pass(&mut self, unaware: PlayerSet, passed: Passed) {
        self.passed |= unaware;
        for (p, clock) in self.clocks.iter_mut().enumerate() {
            if unaware.contains(p) && *clock == Clock::Clean {
                *clock = Clock::Dirty { passed };
            }
        }
    }

    /// A store to something that these players may see.
    pub fn store(&mut self, viewers: PlayerSet, store: Span, var: VarId) {
        for p in viewers {
            if let Some(clock) = self.clocks.get_mut(p)
                && let Clock::Dirty { passed } = *clock
            {
                *clock = Clock::Stale { passed, store, var };
            }
        }
    }
}
