//! Sampling from a listing: by trials, from one set, or from the tuples that are emitted.
//!
//! Where play tests beforehand whether there is an option, it is sampled at once instead: what a trial hits is one, and where
//! the tuples are listed it is known whether there are any.

use super::{Writer, parts};
use crate::ir::*;
use rustc_hash::FxHashMap;

/// Where attempts end.
struct Tried {
    /// After a hit.
    done: BlockId,
    /// After so many misses, if they are not gone through instead.
    give_up: Option<BlockId>,
    /// Where there is no tuple.
    nothing: BlockId,
}

impl Writer<'_> {
    /// Samples from a listing after block `at`, and returns where to go on.
    pub(super) fn listing(&mut self, listing: &Listing, at: BlockId) -> BlockId {
        match listing.trial {
            None => self.listed(listing, at),
            Some(trial) => self.tried(listing, trial, at),
        }
    }

    /// Tries, and lists after so many misses.
    fn tried(&mut self, listing: &Listing, trial: Trial, at: BlockId) -> BlockId {
        let Tried {
            done,
            give_up,
            nothing,
        } = self.attempts(trial, at);
        let listed = match give_up {
            Some(give_up) => {
                self.jump(nothing, give_up);
                self.listed(listing, give_up)
            }
            // Of nothing nothing can be taken.
            None => {
                self.take(listing, nothing);
                nothing
            }
        };
        self.jump(listed, done);
        done
    }

    fn attempts(&mut self, trial: Trial, at: BlockId) -> Tried {
        let (left, more) = (self.left, self.left + 1);
        let (done, missed) = (self.new_block(), self.new_block());
        let nothing = self.new_block();
        let mut placed = FxHashMap::default();
        let first = self.place_in(&mut placed, trial.code, Some(done));
        let again = placed.get(&trial.again).copied().unwrap_or(first);
        let sweep = trial.sweep;
        let sweep = sweep.map(|sweep| self.place_in(&mut placed, sweep, Some(done)));
        for (end, to) in [(trial.miss, missed), (trial.nothing, nothing)] {
            if let Some(at) = end.and_then(|end| placed.get(&end)) {
                self.jump(*at, to);
            }
        }
        // What is taken so was drawn from no set.
        if sweep.is_some() {
            self.sampled(done, SampleCode::Taken {});
        }
        let attempts = SampleCode::Attempts {
            dst: left,
            attempts: trial.attempts,
        };
        self.sampled(at, attempts);
        self.jump(at, first);
        for (op, dst, value) in [(Op::Add, left, -1), (Op::Ne, more, 0)] {
            self.push(
                missed,
                Instr::Immediate {
                    op,
                    dst,
                    a: left,
                    value,
                },
            );
        }
        let give_up = sweep.is_none().then(|| self.new_block());
        let otherwise = give_up.or(sweep).unwrap_or(nothing);
        self.branch(missed, more, again, otherwise);
        Tried {
            done,
            give_up,
            nothing,
        }
    }

    /// Lists what there is and takes one of it.
    fn listed(&mut self, listing: &Listing, at: BlockId) -> BlockId {
        let after = self.list(listing, at);
        self.take(listing, after);
        after
    }

    /// Where play tests whether the single listing of a node has a tuple, if listing them at once does as well.
    pub(super) fn option_test(&self, node: &Node) -> Option<OptionTest> {
        let NodeKind::Decision(arms) = &node.kind else {
            return None;
        };
        let [arm] = &arms[..] else {
            return None;
        };
        let listing = &arm.listing;
        let emits = matches!(listing.kind, ListingKind::Loop { .. });
        let trial = self.trial(listing);
        let plain = arm.active.is_none() && trial.is_none_or(|trial| trial.nothing.is_some());
        listing
            .option_test
            .filter(|_| emits && plain && self.policy.is_uniform())
    }

    /// Samples in block `at` instead of testing, and goes on where there is something or where there is nothing.
    pub(super) fn sample_instead(
        &mut self,
        listing: &Listing,
        any: Slot,
        at: BlockId,
        [some, none]: [BlockId; 2],
    ) {
        let trial = self.trial(listing);
        let mut at = at;
        if let Some(trial) = trial {
            // Where there turns out to be nothing, nothing was drawn.
            self.sampled(at, SampleCode::Keep {});
            let tried = self.attempts(trial, at);
            if tried.give_up.is_none() {
                self.sampled(tried.nothing, SampleCode::Rewind {});
            }
            for (from, value, to) in [(tried.done, 1, some), (tried.nothing, 0, none)] {
                self.push(from, Instr::Const { dst: any, value });
                self.jump(from, to);
            }
            match tried.give_up {
                Some(give_up) => at = give_up,
                None => return,
            }
        }
        let after = self.list(listing, at);
        self.sampled(after, SampleCode::Listed { dst: any });
        if trial.is_none() {
            return self.branch(after, any, some, none);
        }
        let (taken, nothing) = (self.new_block(), self.new_block());
        self.branch(after, any, taken, nothing);
        self.take(listing, taken);
        self.jump(taken, some);
        self.sampled(nothing, SampleCode::Rewind {});
        self.jump(nothing, none);
    }

    /// The trial of a listing, where one of it is taken.
    fn trial(&self, listing: &Listing) -> Option<Trial> {
        listing.trial.filter(|_| !self.offers_all)
    }

    fn sampled(&mut self, at: BlockId, code: SampleCode) {
        self.push(at, Instr::Sample(Box::new(code)));
    }

    /// Lists what there is, and returns the block after that.
    pub(super) fn list(&mut self, listing: &Listing, at: BlockId) -> BlockId {
        let code = match &listing.kind {
            ListingKind::Set { code, .. }
            | ListingKind::Loop { code, .. }
            | ListingKind::Subset { code, .. } => *code,
        };
        let after = self.new_block();
        let start = self.place_until(code, after);
        self.jump(at, start);
        after
    }

    /// Has all that a node offers emitted, and returns there with its number; at an end with the payoffs.
    pub(super) fn offers(&mut self, id: NodeId, node: &Node) {
        let mut at = self.at[id.0 as usize];
        let here = Instr::Const {
            dst: self.last,
            value: i64::from(id.0),
        };
        match &node.kind {
            NodeKind::Terminal => {
                let payoff = self.place(self.p.payoff.code);
                self.push(at, here);
                self.jump(at, payoff);
                return;
            }
            NodeKind::Chance(listing) => at = self.offer(listing, 0, at),
            NodeKind::Decision(_) if let Some((test, listed)) = self.listed.get(&id).copied() => {
                let offered = self.place(test);
                self.jump(at, offered);
                at = listed;
            }
            NodeKind::Decision(arms) => {
                let mut before = 0;
                for arm in arms {
                    let skipped = self.if_active(arm, &mut at);
                    at = self.offer(&arm.listing, before, at);
                    before += arm.listing.alternatives.len() as u32;
                    if let Some(after) = skipped {
                        self.jump(at, after);
                        at = after;
                    }
                }
            }
        }
        self.push(at, here);
        self.blocks[at.0 as usize].term = Term::Return;
    }

    /// Emits what a listing has, with so many alternatives before its own.
    fn offer(&mut self, listing: &Listing, before: u32, at: BlockId) -> BlockId {
        let first = self.blocks.len();
        let after = self.list(listing, at);
        self.emit_all(listing, after);
        for block in &mut self.blocks[first..] {
            for instr in &mut block.instrs {
                if let Instr::Emit { alternative, .. } = instr {
                    *alternative += before;
                }
            }
        }
        after
    }

    /// Emits what a listing has left in a set.
    pub(super) fn emit_all(&mut self, listing: &Listing, after: BlockId) {
        let (bulk, words) = match listing.kind {
            ListingKind::Loop { .. } => return,
            ListingKind::Set { set, lo, .. } => (Bulk::Elements { set, lo }, 1),
            ListingKind::Subset { set, count, .. } => (Bulk::Subsets { set, count }, set.words),
        };
        let slot = self.frame;
        self.frame += u32::from(words);
        let emit = Instr::Emit {
            alternative: 0,
            // Nobody reads it.
            parts: vec![Operand { slot, words }],
            weight: None,
            rank: None,
            bulk: Some(bulk),
        };
        self.push(after, emit);
    }

    /// Takes one of what was listed.
    pub(super) fn take(&mut self, listing: &Listing, after: BlockId) {
        let fault = listing.fault;
        let first = parts(listing).first().and_then(|p| p.first()).copied();
        let sample = match (&listing.kind, first) {
            (ListingKind::Set { set, lo, .. }, Some(part)) => Some(SampleCode::Element {
                dst: part.slot,
                set: *set,
                lo: *lo,
                fault,
            }),
            (ListingKind::Subset { set, count, .. }, Some(part)) => Some(SampleCode::Subset {
                dst: part,
                set: *set,
                count: *count,
                fault,
            }),
            _ => None,
        };
        let block = &mut self.blocks[after.0 as usize];
        match sample {
            Some(sample) => {
                block.instrs.push(Instr::Sample(Box::new(sample)));
                block.instrs.push(Instr::Const {
                    dst: listing.chosen,
                    value: 0,
                });
            }
            None => block.instrs.push(Instr::Sample(Box::new(SampleCode::Tuple {
                chosen: listing.chosen,
                alternatives: parts(listing),
                fault,
            }))),
        }
    }
}
