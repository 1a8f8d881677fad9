//! Choices by a playout heuristic: the tuples are listed, each is rated, and only the best count.
//!
//! With probability ε a choice is uniform after all. Where a heuristic says nothing of an alternative, that comes after all
//! that it rates; where it rates nothing higher than that, every tuple is as good as any other.

use super::Writer;
use super::parts;
use crate::compile::playout_policy::{EPSILON_UNITS, rating};
use crate::ir::*;

/// The rank of what a heuristic says nothing of, and of weights without a rule.
pub const UNRATED: i64 = i64::MAX;
pub const WEIGHED: i64 = i64::MAX - 1;

/// Who rates, and by which entry of knowledge.
#[derive(Copy, Clone)]
struct Rater {
    player: usize,
    entry: usize,
}

/// Where ratings go.
#[derive(Copy, Clone)]
pub(super) struct Scratch {
    rank: Slot,
    weight: Slot,
    /// Constants and intermediate values.
    one: Slot,
    other: Slot,
    test: Slot,
    /// Temporaries of the code that rates begin so much further on than in the program, as those of the code that lists are
    /// in use.
    shift: u32,
}

impl Writer<'_> {
    /// Chooses for one arm after block `at` as its player's policy says, and returns where to go on.
    pub(super) fn chosen(&mut self, arm: &Arm, mut at: BlockId) -> BlockId {
        let policy = self.policy;
        let players: Vec<usize> = match arm.player {
            ArmPlayer::Fixed(p) => vec![usize::from(p)],
            ArmPlayer::Slot(_) => (0..self.p.description.player_count()).collect(),
        };
        let raters: Vec<Rater> = players
            .into_iter()
            .filter_map(|player| {
                let entry = policy.heuristic(&arm.listing, player)?;
                Some(Rater { player, entry })
            })
            .collect();
        if raters.is_empty() {
            return self.listing(&arm.listing, at);
        }
        let scratch = self.scratch();
        let (uniform, done) = (self.new_block(), self.new_block());
        let sampled = self.listing(&arm.listing, uniform);
        self.jump(sampled, done);
        for rater in raters {
            let next = match arm.player {
                ArmPlayer::Fixed(_) => None,
                ArmPlayer::Slot(player) => {
                    let (mine, next) = (self.new_block(), self.new_block());
                    self.push(
                        at,
                        Instr::Immediate {
                            op: Op::Eq,
                            dst: scratch.test,
                            a: player,
                            value: rater.player as i64,
                        },
                    );
                    self.branch(at, scratch.test, mine, next);
                    at = mine;
                    Some(next)
                }
            };
            let epsilon = policy.epsilon(rater.player);
            if epsilon > 0 {
                at = self.dice(scratch, epsilon, at, uniform);
            }
            let end = self.greedy(&arm.listing, rater, scratch, at);
            self.jump(end, done);
            match next {
                Some(next) => at = next,
                None => return done,
            }
        }
        self.jump(at, uniform);
        done
    }

    fn scratch(&mut self) -> Scratch {
        if let Some(scratch) = self.scratch {
            return scratch;
        }
        let temporaries = self.p.frame - self.named_end().min(self.p.frame);
        let scratch = Scratch {
            rank: self.fresh(),
            weight: self.fresh(),
            one: self.fresh(),
            other: self.fresh(),
            test: self.fresh(),
            shift: self.frame - self.named_end(),
        };
        self.frame += temporaries;
        self.scratch = Some(scratch);
        scratch
    }

    fn named_end(&self) -> Slot {
        let ends = self.p.slots.iter().map(|s| s.slot + s.ty.words() as u32);
        ends.max().unwrap_or(0)
    }

    /// Goes on uniformly with probability ε, and otherwise in the block that is returned.
    fn dice(&mut self, s: Scratch, epsilon: u64, at: BlockId, uniform: BlockId) -> BlockId {
        let follow = self.new_block();
        self.push(
            at,
            Instr::Const {
                dst: s.other,
                value: EPSILON_UNITS as i64,
            },
        );
        self.push(
            at,
            Instr::Sample(Box::new(SampleCode::Below {
                dst: s.other,
                bound: s.other,
            })),
        );
        self.push(
            at,
            Instr::Immediate {
                op: Op::Lt,
                dst: s.test,
                a: s.other,
                value: epsilon as i64,
            },
        );
        self.branch(at, s.test, uniform, follow);
        follow
    }

    /// Takes one of the best tuples of a listing.
    fn greedy(&mut self, listing: &Listing, rater: Rater, s: Scratch, at: BlockId) -> BlockId {
        let after = self.new_block();
        let first = self.blocks.len();
        match &listing.kind {
            ListingKind::Loop { code, .. } => {
                let start = self.place_until(*code, after);
                self.jump(at, start);
                for block in first..self.blocks.len() {
                    self.rated(listing, rater, s, BlockId(block as u32));
                }
            }
            ListingKind::Set { code, set, lo } => {
                let listed = self.new_block();
                let start = self.place_until(*code, listed);
                self.jump(at, start);
                let bulk = Bulk::Elements { set: *set, lo: *lo };
                let end = self.each(listing, rater, s, (0, bulk), listed);
                self.jump(end, after);
            }
            ListingKind::Subset { code, set, count } => {
                let listed = self.new_block();
                let start = self.place_until(*code, listed);
                self.jump(at, start);
                let bulk = Bulk::Subsets {
                    set: *set,
                    count: *count,
                };
                let end = self.each(listing, rater, s, (0, bulk), listed);
                self.jump(end, after);
            }
        }
        let sample = SampleCode::Tuple {
            chosen: listing.chosen,
            alternatives: parts(listing),
            fault: listing.fault,
        };
        self.push(after, Instr::Sample(Box::new(sample)));
        after
    }

    /// Lets every emission of a block be rated.
    fn rated(&mut self, listing: &Listing, rater: Rater, s: Scratch, block: BlockId) {
        let source = std::mem::take(&mut self.blocks[block.0 as usize]);
        let mut at = block;
        for instr in source.instrs {
            match instr {
                Instr::Emit {
                    alternative, bulk, ..
                } => {
                    at = match bulk {
                        None => self.rate(listing, rater, s, alternative, at),
                        Some(bulk) => self.each(listing, rater, s, (alternative, bulk), at),
                    };
                }
                other => self.push(at, other),
            }
        }
        self.blocks[at.0 as usize].term = source.term;
    }

    /// Rates each value of the parts in bulk.
    fn each(
        &mut self,
        listing: &Listing,
        rater: Rater,
        s: Scratch,
        (alternative, bulk): (u32, Bulk),
        at: BlockId,
    ) -> BlockId {
        let known = listing.alternatives.get(alternative as usize);
        let parts = known.map_or(&[][..], |a| &a.parts[..]);
        let Some(last) = parts.last().map(|(part, _)| *part) else {
            return at;
        };
        let exit = self.new_block();
        match bulk {
            Bulk::Elements { set, lo } => {
                let (head, body) = self.over(set, lo, last.slot, at, exit);
                let end = self.rate(listing, rater, s, alternative, body);
                self.jump(end, head);
            }
            Bulk::Pairs { first, second } => {
                let before = parts.len().checked_sub(2).map(|i| parts[i].0.slot);
                let outer = before.map(|slot| self.over(first.0, first.1, slot, at, exit));
                let (back, at) = outer.unwrap_or((exit, at));
                let (head, body) = self.over(second.0, second.1, last.slot, at, back);
                let end = self.rate(listing, rater, s, alternative, body);
                self.jump(end, head);
            }
            Bulk::Subsets { set, count } => {
                let (head, body) = (self.new_block(), self.new_block());
                let test = self.fresh();
                self.push(
                    at,
                    Instr::SubsetFirst {
                        dst: last,
                        set,
                        count,
                        found: test,
                    },
                );
                self.jump(at, head);
                self.branch(head, test, body, exit);
                let end = self.rate(listing, rater, s, alternative, body);
                self.push(
                    end,
                    Instr::SubsetNext {
                        dst: last,
                        set,
                        found: test,
                    },
                );
                self.jump(end, head);
            }
        }
        exit
    }

    /// A loop over the elements of a set, each as a value in a slot: from block `at` to `exit`. Returns where the next
    /// element is looked for, and the block for what is done with each.
    fn over(
        &mut self,
        set: Operand,
        lo: i64,
        slot: Slot,
        at: BlockId,
        exit: BlockId,
    ) -> (BlockId, BlockId) {
        let (head, body) = (self.new_block(), self.new_block());
        let (element, test) = (self.fresh(), self.fresh());
        self.push(
            at,
            Instr::Const {
                dst: element,
                value: -1,
            },
        );
        self.jump(at, head);
        self.push(
            head,
            Instr::SetNext {
                dst: element,
                set,
                after: element,
            },
        );
        self.push(
            head,
            Instr::Immediate {
                op: Op::Le,
                dst: test,
                a: element,
                value: -1,
            },
        );
        self.branch(head, test, exit, body);
        self.push(
            body,
            Instr::Immediate {
                op: Op::Add,
                dst: slot,
                a: element,
                value: lo,
            },
        );
        (head, body)
    }

    /// Rates the tuple in the slots of its parts and emits it; returns where to go on.
    fn rate(
        &mut self,
        listing: &Listing,
        rater: Rater,
        s: Scratch,
        alternative: u32,
        at: BlockId,
    ) -> BlockId {
        let Some(code) = listing.alternatives.get(alternative as usize) else {
            return at;
        };
        let constant = |dst, value| Instr::Const { dst, value };
        let mut end = at;
        self.push(end, constant(s.weight, 1));
        self.push(end, constant(s.rank, UNRATED));
        if let Some(kind) = rating(code, rater.entry)
            && let Some(rating) = code.ratings.iter().find(|r| r.entry == rater.entry)
        {
            let me = self.p.knowledge[rater.entry].me;
            self.push(end, constant(me, rater.player as i64));
            let after = self.new_block();
            let first = self.blocks.len();
            let start = self.place_until(rating.code, after);
            self.jump(end, start);
            end = after;
            let named = self.named_end();
            let moved = |slot: Slot| if slot >= named { slot + s.shift } else { slot };
            for block in &mut self.blocks[first..] {
                for instr in &mut block.instrs {
                    instr.visit_mut(&mut |slot, _, _| *slot = moved(*slot));
                }
                if let Term::Branch { cond, .. } = &mut block.term {
                    *cond = moved(*cond);
                }
            }
            match *kind {
                RatingKind::Greatest { value, .. } => self.push(
                    end,
                    Instr::Immediate {
                        op: Op::Mul,
                        dst: s.rank,
                        a: moved(value),
                        value: -1,
                    },
                ),
                RatingKind::Least { value, .. } => self.push(
                    end,
                    Instr::Copy {
                        dst: s.rank,
                        src: moved(value),
                        words: 1,
                    },
                ),
                RatingKind::Weight { first, weight, .. } => {
                    self.weigh(s, end, moved(first), moved(weight));
                }
                RatingKind::Class(_) | RatingKind::Kept(_) => {}
            }
        }
        let parts = code.parts.iter().map(|(part, _)| *part).collect();
        self.push(
            end,
            Instr::Emit {
                alternative,
                parts,
                weight: Some(s.weight),
                rank: Some(s.rank),
                bulk: None,
            },
        );
        end
    }

    /// By the number of the first rule that holds, all such tuples alike; without one by weight, and a tuple without
    /// weight counts only where nothing else does.
    fn weigh(&mut self, s: Scratch, at: BlockId, first: Slot, weight: Slot) {
        let select = |dst, cond, a, b| Instr::Select {
            dst,
            cond,
            a,
            b,
            words: 1,
        };
        let constant = |dst, value| Instr::Const { dst, value };
        let compare = |op, dst, a| Instr::Immediate {
            op,
            dst,
            a,
            value: 0,
        };
        for instr in [
            constant(s.one, 1),
            compare(Op::Le, s.test, weight),
            select(s.weight, s.test, s.one, weight),
            constant(s.rank, UNRATED),
            constant(s.other, WEIGHED),
            select(s.other, s.test, s.rank, s.other),
            compare(Op::Lt, s.test, first),
            select(s.weight, s.test, s.weight, s.one),
            select(s.rank, s.test, s.other, first),
        ] {
            self.push(at, instr);
        }
    }
}
