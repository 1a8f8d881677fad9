//! The interpreter: runs a program's blocks over a frame, with the meaning of instructions that `ir` gives. Any faster
//! engine is tested against it.

use super::history::{Event, HIDDEN_LABEL};
use crate::ir::meaning::{Trouble, execute, set};
use crate::ir::select::nth_element;
use crate::ir::subsets::{Words, choose, nth_subset};
use crate::ir::*;
use crate::model::PlayerSet;
use std::ops::ControlFlow;

/// How many steps may be taken between two nodes; a block is one, or more where it does much at once.
pub const MAX_STEPS: u64 = 20_000_000;

/// What a run reports to its caller.
pub(super) trait Host {
    /// Whether events are wanted at all.
    const EVENTS: bool;
    /// Whether it is wanted what instructions store.
    const STORES: bool = false;
    /// Whose events are wanted, if any are: one that none of them sees is left out, and of others only they count as viewers.
    fn viewers(&self) -> PlayerSet {
        PlayerSet::ALL
    }
    /// An event that at least one player sees, with the frame at that moment and the words in which people are told.
    fn event(&mut self, _: Event<'_>, _frame: &[u64], _: Option<&Said>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    /// An instruction stores to so many words from this slot on.
    fn stored(&mut self, _: Slot, _words: u32) {}
    /// A tuple of a listing.
    fn emit(&mut self, _: Tuple<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
    /// Something is sampled, in a trial.
    fn sample(&mut self, _frame: &mut [u64], _code: &SampleCode) -> Result<(), Trouble> {
        Ok(())
    }
}

/// One tuple of a listing, or with `bulk` one for each value of the last part.
pub(super) struct Tuple<'a> {
    pub frame: &'a [u64],
    pub alternative: u32,
    pub parts: &'a [Operand],
    pub weight: Option<u64>,
    /// Of tuples with a rank only those with the least one count.
    pub rank: Option<i64>,
    pub bulk: Option<Values<'a>>,
}

/// The values of the last part, or the last two, of tuples that are emitted at once.
#[derive(Copy, Clone)]
pub(super) enum Values<'a> {
    /// The subsets with so many elements.
    Subsets(&'a [u64], u64),
    /// The elements; the one with ordinal 0 has this value.
    Elements(&'a [u64], i64),
    /// The elements of one set, each with those of the other.
    Pairs((&'a [u64], i64), (&'a [u64], i64)),
}

impl Values<'_> {
    /// How many there are.
    pub fn len(&self) -> u64 {
        let size = |set: &[u64]| set.iter().map(|w| u64::from(w.count_ones())).sum();
        match self {
            Values::Subsets(set, count) => choose(size(set), *count),
            Values::Elements(set, _) => size(set),
            Values::Pairs((a, _), (b, _)) => size(a).saturating_mul(size(b)),
        }
    }

    /// How many parts they are for.
    pub fn parts(&self) -> usize {
        match self {
            Values::Subsets(..) | Values::Elements(..) => 1,
            Values::Pairs(..) => 2,
        }
    }

    /// The value with `rank` others before it.
    pub fn nth(&self, rank: u64) -> Words {
        match self {
            Values::Subsets(set, count) => nth_subset(set, *count, rank),
            Values::Elements(set, lo) => {
                let ordinal = nth_element(set, rank).unwrap_or(0);
                Words::from_slice(&[(lo + ordinal as i64) as u64])
            }
            Values::Pairs((a, lo), (b, other)) => {
                let each = Values::Elements(b, *other);
                let size = each.len().max(1);
                let mut values = Values::Elements(a, *lo).nth(rank / size);
                values.extend_from_slice(&each.nth(rank % size));
                values
            }
        }
    }
}

/// Nobody listens.
pub(super) struct Silent;

impl Host for Silent {
    const EVENTS: bool = false;
}

/// Finds the least rank.
pub(super) struct Least {
    pub rank: Option<i64>,
}

impl Host for Least {
    const EVENTS: bool = false;
    fn emit(&mut self, t: Tuple<'_>) -> ControlFlow<()> {
        let ranks = self.rank.into_iter().chain(t.rank);
        self.rank = ranks.min();
        ControlFlow::Continue(())
    }
}

/// Hands on the tuples of one rank.
pub(super) struct OfRank<'h, H> {
    pub rank: Option<i64>,
    pub host: &'h mut H,
}

impl<H: Host> Host for OfRank<'_, H> {
    const EVENTS: bool = false;
    fn emit(&mut self, t: Tuple<'_>) -> ControlFlow<()> {
        if t.rank != self.rank {
            return ControlFlow::Continue(());
        }
        self.host.emit(t)
    }
}

/// Why a run ended well.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    Rest(NodeId),
    Return,
    /// The host wanted no more events, or no more tuples.
    Enough,
}

pub(super) fn run<H: Host>(
    p: &Program,
    frame: &mut [u64],
    from: BlockId,
    host: &mut H,
) -> Result<Stop, Trouble> {
    let mut at = from;
    let mut fuel = MAX_STEPS;
    loop {
        let block = p.block(at);
        let cost = u64::from(block.cost.max(1));
        if cost >= fuel {
            return Err(Trouble::TooManySteps);
        }
        fuel -= cost;
        for instr in &block.instrs {
            match instr {
                Instr::Event(event) => {
                    if H::EVENTS && send_event(p, frame, event, host).is_break() {
                        return Ok(Stop::Enough);
                    }
                }
                Instr::Emit {
                    alternative,
                    parts,
                    weight,
                    rank,
                    bulk,
                } => {
                    let tuple = Tuple {
                        frame,
                        alternative: *alternative,
                        parts,
                        weight: weight.map(|w| frame[w as usize]),
                        rank: rank.map(|r| frame[r as usize] as i64),
                        bulk: bulk.map(|bulk| match bulk {
                            Bulk::Subsets { set: s, count } => {
                                Values::Subsets(set(frame, s), frame[count as usize])
                            }
                            Bulk::Elements { set: s, lo } => Values::Elements(set(frame, s), lo),
                            Bulk::Pairs {
                                first: (a, lo),
                                second: (b, other),
                            } => Values::Pairs((set(frame, a), lo), (set(frame, b), other)),
                        }),
                    };
                    if host.emit(tuple).is_break() {
                        return Ok(Stop::Enough);
                    }
                }
                Instr::Sample(code) => host.sample(frame, code)?,
                _ => {
                    // It may store to what says where it stores.
                    if H::STORES {
                        instr.stores(frame, &mut |slot, words| host.stored(slot, words));
                    }
                    execute(p, frame, instr)?;
                }
            }
        }
        at = match block.term {
            Term::Jump(to) => to,
            Term::Branch {
                cond,
                then,
                otherwise,
            } => {
                if frame[cond as usize] != 0 {
                    then
                } else {
                    otherwise
                }
            }
            Term::Rest(node) => return Ok(Stop::Rest(node)),
            Term::Return => return Ok(Stop::Return),
            Term::Fail(fault) => return Err(Trouble::Fault { fault, value: 0 }),
        };
    }
}

/// Splits an event by the parts that players see, and sends each group its own.
pub(super) fn send_event<H: Host>(
    p: &Program,
    frame: &[u64],
    code: &EventCode,
    host: &mut H,
) -> ControlFlow<()> {
    let wanted = p.description.everyone() & host.viewers();
    let chooser = code.chooser.map(|slot| frame[slot as usize] as u8);
    let own = chooser.map_or(PlayerSet::EMPTY, |c| PlayerSet::only(usize::from(c)));
    let seen = |viewers: Slot| (PlayerSet::from_word(frame[viewers as usize]) | own) & wanted;
    let told = seen(code.viewers);
    let mut left = told;
    for (_, viewers) in &code.parts {
        left |= seen(*viewers);
    }
    let mut values: smallvec::SmallVec<[u64; 16]> = smallvec::SmallVec::new();
    while let Some(first) = left.lowest() {
        let mut group = left;
        let mut pattern = 0u64;
        values.clear();
        let named = !code.labelled || told.contains(first);
        if code.labelled {
            group = if named { group & told } else { group - told };
        }
        if let Some(alternative) = code.alternative {
            values.push(if named {
                u64::from(alternative)
            } else {
                HIDDEN_LABEL
            });
        }
        for (i, (value, viewers)) in code.parts.iter().enumerate() {
            let sees = seen(*viewers);
            if sees.contains(first) {
                group &= sees;
                pattern |= 1 << (i % 64);
                values.extend_from_slice(set(frame, *value));
            } else {
                group -= sees;
            }
        }
        let event = Event {
            site: code.site,
            viewers: group,
            chooser,
            whole: named && pattern.count_ones() as usize == code.parts.len(),
            pattern,
            values: &values,
        };
        host.event(event, frame, code.said.as_deref())?;
        left -= group;
    }
    ControlFlow::Continue(())
}
