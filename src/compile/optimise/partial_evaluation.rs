//! Partial evaluation: writes each block anew for what is known where it is entered.
//!
//! What is known are constants in slots. A loop over a constant set has a known element and is unrolled; a branch on
//! something known is decided; where it is known whose turn it is, the code of each player becomes its own. At a node
//! only players, switches and options are carried over, so that a counter does not unroll a whole game. A block of which
//! too many variants are asked for is written for fewer slots.

use super::Pass;
use super::algebra::reduce;
use super::dead_code::{live_in, successors};
use crate::compile::playout::{Entry, Flow};
use crate::ir::meaning::execute;
use crate::ir::*;
use crate::model::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};

/// The most variants of one block.
const MOST_VARIANTS: usize = 40;
/// The most blocks altogether; beyond it nothing is taken for known.
const MOST_BLOCKS: usize = 20_000;
/// How often slots may be given up.
const MOST_ROUNDS: usize = 40;

/// What is known: slots with their words, by slot.
type Known = Vec<(Slot, u64)>;

pub(super) const PASS: Pass = Pass {
    name: "partial-evaluation",
    run: partial_evaluation,
};

fn partial_evaluation(program: &Program, flow: &mut Flow) {
    let live = live_in(flow);
    let nodes: FxHashSet<BlockId> = flow.entries.iter().map(|e| e.blocks[0]).collect();
    let mut given_up: Vec<FxHashSet<Slot>> = vec![FxHashSet::default(); flow.blocks.len()];
    for round in 0.. {
        let mut s = PartialEvaluator {
            program,
            live: &live,
            nodes: &nodes,
            carried: carried(program, flow.frame),
            given_up: &mut given_up,
            give_up: round < MOST_ROUNDS,
            variants: FxHashMap::default(),
            of_block: vec![Vec::new(); flow.blocks.len()],
            blocks: Vec::new(),
            waiting: Vec::new(),
            value: vec![0; flow.frame as usize],
            known: Slots::new(flow.frame),
            pool: std::mem::take(&mut flow.pool),
        };
        let entries = s.run(flow);
        flow.pool = s.pool;
        if let Some(entries) = entries {
            flow.blocks = s.blocks;
            flow.entries = entries;
            break;
        }
    }
    flow.frame = flow.pool.end();
}

/// The slots that stay known from node to node: few values, on which much depends.
fn carried(p: &Program, frame: u32) -> Slots {
    let mut slots = Slots::new(frame);
    for info in &p.slots {
        let few = matches!(info.ty, Type::Player(_) | Type::Bool | Type::Enum(_));
        if few && info.ty.size().is_some_and(|n| n <= 8) {
            slots.insert(info.slot);
        }
    }
    slots
}

struct PartialEvaluator<'a> {
    program: &'a Program,
    live: &'a [Slots],
    /// Where nodes are sampled.
    nodes: &'a FxHashSet<BlockId>,
    carried: Slots,
    /// For each block the slots that are not taken for known there.
    given_up: &'a mut Vec<FxHashSet<Slot>>,
    give_up: bool,
    variants: FxHashMap<(BlockId, Known), BlockId>,
    of_block: Vec<Vec<Known>>,
    blocks: Vec<Block>,
    waiting: Vec<(BlockId, Known, BlockId)>,
    /// Values of the slots of `known`, while a block is written.
    value: Vec<u64>,
    known: Slots,
    pool: super::constant_pool::ConstantPool,
}

impl PartialEvaluator<'_> {
    /// `None`: some block had too many variants, and slots were given up there.
    fn run(&mut self, flow: &Flow) -> Option<Vec<Entry>> {
        let mut entries = Vec::new();
        for entry in &flow.entries {
            let mut blocks = Vec::new();
            for (i, &block) in entry.blocks.iter().enumerate() {
                let mut known: FxHashMap<Slot, u64> = FxHashMap::default();
                for &(slot, value) in &self.program.layout.fixed {
                    known.insert(slot, value as u64);
                }
                let mut rest = i as u32;
                for &(slot, lo, size) in entry.keys.iter().rev() {
                    known.insert(slot, (lo + i64::from(rest % size)) as u64);
                    rest /= size;
                }
                let known = known.into_iter();
                let mut known: Known = known
                    .filter(|(s, _)| self.live[block.0 as usize].contains(*s))
                    .collect();
                known.sort_unstable();
                blocks.push(self.variant(block, known)?);
            }
            entries.push(Entry {
                node: entry.node,
                keys: entry.keys.clone(),
                blocks,
            });
        }
        while let Some((source, known, at)) = self.waiting.pop() {
            for (slot, value) in known {
                self.value[slot as usize] = value;
                self.known.insert(slot);
            }
            let block = self.write(&flow.blocks[source.0 as usize]);
            self.known.clear();
            self.blocks[at.0 as usize] = block?;
        }
        Some(entries)
    }

    fn variant(&mut self, block: BlockId, mut known: Known) -> Option<BlockId> {
        let banned = &self.given_up[block.0 as usize];
        known.retain(|(slot, _)| !banned.contains(slot));
        if self.blocks.len() > MOST_BLOCKS {
            known.clear();
        }
        let key = (block, known);
        if let Some(at) = self.variants.get(&key) {
            return Some(*at);
        }
        let others = &mut self.of_block[block.0 as usize];
        if others.len() >= MOST_VARIANTS && self.give_up {
            // What differs from variant to variant is the loop that must not be unrolled.
            let (first, rest) = others.split_first()?;
            let differs = |slot: Slot, value: u64| {
                !rest.iter().all(|o| o.contains(&(slot, value))) || !key.1.contains(&(slot, value))
            };
            let carried = &self.carried;
            let mut slots: Vec<Slot> = first
                .iter()
                .filter(|(slot, value)| differs(*slot, *value))
                .chain(key.1.iter().filter(|entry| !first.contains(entry)))
                .map(|(slot, _)| *slot)
                .collect();
            // Players and options go last.
            if slots.iter().any(|s| !carried.contains(*s)) {
                slots.retain(|s| !carried.contains(*s));
            }
            self.given_up[block.0 as usize].extend(slots);
            return None;
        }
        others.push(key.1.clone());
        let at = BlockId(self.blocks.len() as u32);
        self.blocks.push(Block::default());
        self.waiting.push((key.0, key.1.clone(), at));
        self.variants.insert(key, at);
        Some(at)
    }

    fn write(&mut self, source: &Block) -> Option<Block> {
        let mut instrs = Vec::with_capacity(source.instrs.len());
        for instr in &source.instrs {
            self.instr(instr.clone(), &mut instrs);
        }
        let term = match source.term {
            Term::Jump(to) => Term::Jump(self.go(to, None)?),
            Term::Branch {
                cond,
                then,
                otherwise,
            } if self.known.contains(cond) => {
                let to = if self.value[cond as usize] != 0 {
                    then
                } else {
                    otherwise
                };
                Term::Jump(self.go(to, None)?)
            }
            Term::Branch {
                cond,
                then,
                otherwise,
            } => Term::Branch {
                cond,
                then: self.go(then, Some((cond, 1)))?,
                otherwise: self.go(otherwise, Some((cond, 0)))?,
            },
            other => other,
        };
        debug_assert!(successors(&term).count() <= 2);
        Some(Block {
            instrs,
            term,
            cost: 0,
        })
    }

    /// The variant of a block for what is known now and, after a branch, for what it was decided by.
    fn go(&mut self, to: BlockId, decided: Option<(Slot, u64)>) -> Option<BlockId> {
        let live = &self.live[to.0 as usize];
        let crossing = self.nodes.contains(&to);
        let mut known: Known = self
            .known
            .iter()
            .filter(|s| live.contains(*s) && (!crossing || self.carried.contains(*s)))
            .map(|s| (s, self.value[s as usize]))
            .collect();
        if let Some((slot, value)) = decided
            && live.contains(slot)
            && !crossing
        {
            let at = known.partition_point(|(s, _)| *s < slot);
            known.insert(at, (slot, value));
        }
        self.variant(to, known)
    }

    fn all_known(&self, slot: Slot, words: u32) -> bool {
        (slot..slot + words).all(|s| self.known.contains(s))
    }

    fn instr(&mut self, instr: Instr, out: &mut Vec<Instr>) {
        let (known, value) = (&self.known, &self.value);
        let instr = reduce(instr, &mut |slot| {
            known.contains(slot).then(|| value[slot as usize])
        });
        if let Instr::Check { value, lo, hi, .. } = &instr
            && self.known.contains(*value)
            && (*lo..=*hi).contains(&(self.value[*value as usize] as i64))
        {
            return;
        }
        if let Instr::Copy { dst, src, words } = &instr {
            if dst == src {
                return;
            }
            let copied: Vec<Option<u64>> = (*src..src + u32::from(*words))
                .map(|s| self.known.contains(s).then(|| self.value[s as usize]))
                .collect();
            for (slot, value) in (*dst..).zip(copied) {
                match value {
                    Some(value) => {
                        self.value[slot as usize] = value;
                        self.known.insert(slot);
                    }
                    None => self.known.remove(slot),
                }
            }
            out.push(self.pooled(instr));
            return;
        }
        if instr.is_pure() {
            let mut folds = true;
            instr.visit(&mut |slot, words, written| {
                folds &= written || self.all_known(slot, words);
            });
            if folds && execute(self.program, &mut self.value, &instr).is_ok() {
                instr.clobbers(&mut |slot, words| {
                    (slot..slot + words).for_each(|s| self.known.insert(s));
                });
                self.push_folded(&instr, out);
                return;
            }
        }
        out.push(self.pooled(instr.clone()));
        instr.clobbers(&mut |slot, words| {
            (slot..slot + words).for_each(|s| self.known.remove(s));
        });
    }

    /// What has been computed is stored where it belongs.
    fn push_folded(&self, instr: &Instr, out: &mut Vec<Instr>) {
        if instr.in_place().is_some() {
            out.push(instr.clone());
            return;
        }
        instr.clobbers(&mut |slot, words| {
            let values = &self.value[slot as usize..(slot + words) as usize];
            out.push(match values {
                [value] => Instr::Const {
                    dst: slot,
                    value: *value as i64,
                },
                words => Instr::SetConst {
                    dst: slot,
                    words: words.to_vec(),
                },
            });
        });
    }

    /// Reads of what is known go to the pool of constants.
    fn pooled(&mut self, mut instr: Instr) -> Instr {
        if matches!(
            &instr,
            Instr::Sample(_) | Instr::Const { .. } | Instr::SetConst { .. }
        ) {
            return instr;
        }
        let kept = match &instr {
            Instr::Load { base, .. } | Instr::Store { base, .. } => Some(*base),
            other => other.in_place().map(|(slot, _)| slot),
        };
        let (known, value, pool) = (&self.known, &self.value, &mut self.pool);
        instr.visit_mut(&mut |slot, words, written| {
            let range = *slot..*slot + words;
            if written
                || words == 0
                || kept == Some(*slot)
                || !range.clone().all(|s| known.contains(s))
            {
                return;
            }
            *slot = pool.slot(&value[range.start as usize..range.end as usize]);
        });
        instr
    }
}
