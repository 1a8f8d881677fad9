//! Partial evaluation: writes each block anew for what is known where it is entered.
//!
//! What is known are constants in slots. A loop over a constant set has a known element and is unrolled; a branch on
//! something known is decided; where it is known whose turn it is, the code of each player becomes its own. At a node
//! only players, switches and options are carried over, so that a counter does not unroll a whole game. A block of which
//! too many variants are asked for is written for fewer slots; how many that are depends on how large the flow becomes.

use super::Pass;
use super::algebra::reduce;
use super::dead_code::live_in;
use crate::compile::playout::{Entry, Flow, MOST_ENTRIES};
use crate::ir::meaning::execute;
use crate::ir::*;
use crate::model::types::Type;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::collections::hash_map::Entry::{Occupied, Vacant};

/// The most variants of one block.
const MOST_VARIANTS: usize = 40;
/// From so many blocks on a block has no more than so many variants, for the sake of those who wait for the machine code.
const FEWER_VARIANTS: [(usize, usize); 2] = [(1200, 8), (2400, 4)];
/// The most blocks altogether; beyond it nothing is taken for known.
const MOST_BLOCKS: usize = 20_000;
/// Slots are given up until all rounds together have looked at so many blocks.
const MOST_WORK: usize = 800_000;

/// What is known: slots with their words, by slot.
type Known = Vec<(Slot, u64)>;

/// The number of a block with what is known where it is entered.
type VariantId = u32;

pub(super) const PASS: Pass = Pass {
    name: "partial-evaluation",
    run: partial_evaluation,
};

fn partial_evaluation(program: &Program, flow: &mut Flow) {
    let live = live_in(flow);
    let nodes: FxHashSet<BlockId> = flow.entries.iter().map(|e| e.blocks[0]).collect();
    let mut s = PartialEvaluator {
        program,
        live: &live,
        nodes: &nodes,
        carried: carried(program, flow.frame),
        keys: keys(flow),
        given_up: vec![FxHashSet::default(); flow.blocks.len()],
        most: MOST_VARIANTS,
        ids: FxHashMap::default(),
        variants: Vec::new(),
        of_block: vec![Vec::new(); flow.blocks.len()],
        blocks: Vec::new(),
        waiting: Vec::new(),
        value: vec![0; flow.frame as usize],
        known: Slots::new(flow.frame),
        pool: std::mem::take(&mut flow.pool),
    };
    let mut work = 0;
    flow.entries = loop {
        s.begin();
        if work > MOST_WORK {
            s.most = usize::MAX;
        }
        if let Some(entries) = s.run(flow) {
            break entries;
        }
        work += s.blocks.len() + flow.blocks.len();
    };
    flow.blocks = s.finish();
    flow.pool = s.pool;
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

fn keys(flow: &Flow) -> Slots {
    let mut slots = Slots::new(flow.frame);
    let keys = flow.entries.iter().flat_map(|entry| &entry.keys);
    keys.for_each(|(slot, ..)| slots.insert(*slot));
    slots
}

struct PartialEvaluator<'a> {
    program: &'a Program,
    live: &'a [Slots],
    /// Where nodes are sampled.
    nodes: &'a FxHashSet<BlockId>,
    carried: Slots,
    /// Those by whose values some node is entered.
    keys: Slots,
    /// For each block the slots that are not taken for known there.
    given_up: Vec<FxHashSet<Slot>>,
    /// The most variants of one block.
    most: usize,
    ids: FxHashMap<(BlockId, Known), VariantId>,
    /// All that any round has asked for, by number: what is written of a block follows from what is known, whichever slots
    /// are given up elsewhere.
    variants: Vec<Variant>,
    /// Those of this round, of each block.
    of_block: Vec<Vec<VariantId>>,
    /// The blocks of this round, each with its end.
    blocks: Vec<(VariantId, Term)>,
    waiting: Vec<BlockId>,
    /// Values of the slots of `known`, while a block is written.
    value: Vec<u64>,
    known: Slots,
    pool: super::constant_pool::ConstantPool,
}

/// A block for what is known where it is entered.
struct Variant {
    source: BlockId,
    known: Known,
    /// Where it stands in this round.
    at: Option<BlockId>,
    written: Option<Written>,
}

/// What became of a block.
struct Written {
    instrs: Vec<Instr>,
    /// With the blocks of the flow before.
    term: Term,
    exits: SmallVec<[Exit; 2]>,
}

/// A way out of a block, with what is known on it.
struct Exit {
    to: BlockId,
    known: Known,
    /// The variant there, found when so many slots were given up.
    found: Option<(usize, VariantId)>,
}

impl PartialEvaluator<'_> {
    /// Begins a round.
    fn begin(&mut self) {
        for (id, _) in self.blocks.drain(..) {
            self.variants[id as usize].at = None;
        }
        self.of_block.iter_mut().for_each(Vec::clear);
        self.waiting.clear();
    }

    /// The blocks of the last round.
    fn finish(&mut self) -> Vec<Block> {
        let variants = &mut self.variants;
        let blocks = self.blocks.iter().map(|&(id, term)| {
            let written = variants[id as usize].written.take();
            Block {
                instrs: written.map(|w| w.instrs).unwrap_or_default(),
                term,
                cost: 0,
            }
        });
        blocks.collect()
    }

    /// `None`: some block had too many variants, and slots were given up there, or there are many blocks.
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
                let id = self.id(block, known);
                blocks.push(self.place(id)?);
            }
            entries.push(Entry {
                node: entry.node,
                keys: entry.keys.clone(),
                blocks,
                at_node: entry.at_node,
                taken: entry.taken.clone(),
            });
        }
        while let Some(at) = self.waiting.pop() {
            let id = self.blocks[at.0 as usize].0;
            let written = self.variants[id as usize].written.take();
            let mut written = written.unwrap_or_else(|| self.write(flow, id));
            let term = self.end(&mut written);
            self.variants[id as usize].written = Some(written);
            self.blocks[at.0 as usize].1 = term?;
        }
        Some(entries)
    }

    /// The number of the variant of a block for what is known and not given up.
    fn id(&mut self, block: BlockId, mut known: Known) -> VariantId {
        let banned = &self.given_up[block.0 as usize];
        known.retain(|(slot, _)| !banned.contains(slot));
        if self.is_full() {
            known.clear();
        }
        let next = self.variants.len() as VariantId;
        match self.ids.entry((block, known)) {
            Occupied(entry) => *entry.get(),
            Vacant(entry) => {
                self.variants.push(Variant {
                    source: block,
                    known: entry.key().1.clone(),
                    at: None,
                    written: None,
                });
                *entry.insert(next)
            }
        }
    }

    fn is_full(&self) -> bool {
        self.blocks.len() > MOST_BLOCKS
    }

    /// Where a variant stands; `None`: its block had too many of them, or there are many blocks.
    fn place(&mut self, id: VariantId) -> Option<BlockId> {
        let variant = &self.variants[id as usize];
        if let Some(at) = variant.at {
            return Some(at);
        }
        let written = self.blocks.len();
        let reached = FEWER_VARIANTS
            .iter()
            .rfind(|(blocks, _)| written >= *blocks);
        if let Some((_, most)) = reached
            && (most + 1..=MOST_VARIANTS).contains(&self.most)
        {
            self.most = *most;
            return None;
        }
        let block = variant.source;
        // For what a node is entered with each there is a variant always.
        let most = match self.nodes.contains(&block) {
            true => self.most.max(MOST_ENTRIES as usize),
            false => self.most,
        };
        if self.of_block[block.0 as usize].len() >= most {
            self.narrow(block, id);
            return None;
        }
        let at = BlockId(self.blocks.len() as u32);
        self.variants[id as usize].at = Some(at);
        self.of_block[block.0 as usize].push(id);
        self.blocks.push((id, Term::Return));
        self.waiting.push(at);
        Some(at)
    }

    /// Gives up slots at a block that has too many variants, one of them new: what differs from variant to variant is the
    /// loop that must not be unrolled.
    fn narrow(&mut self, block: BlockId, new: VariantId) {
        let known = |id: &VariantId| &self.variants[*id as usize].known;
        let new = known(&new);
        let others: Vec<&Known> = self.of_block[block.0 as usize].iter().map(known).collect();
        let Some((first, rest)) = others.split_first() else {
            return;
        };
        let differs =
            |entry: &(Slot, u64)| !rest.iter().all(|o| o.contains(entry)) || !new.contains(entry);
        let mut slots: Vec<Slot> = first
            .iter()
            .filter(|entry| differs(entry))
            .chain(new.iter().filter(|entry| !first.contains(entry)))
            .map(|(slot, _)| *slot)
            .collect();
        // Players and options go late, and last what a node is entered with.
        for kept in [&self.keys, &self.carried] {
            if slots.iter().any(|s| !kept.contains(*s)) {
                slots.retain(|s| !kept.contains(*s));
            }
        }
        self.given_up[block.0 as usize].extend(slots);
    }

    /// Writes a block for what is known.
    fn write(&mut self, flow: &Flow, id: VariantId) -> Written {
        let variant = &self.variants[id as usize];
        for &(slot, value) in &variant.known {
            self.value[slot as usize] = value;
            self.known.insert(slot);
        }
        let source = &flow.blocks[variant.source.0 as usize];
        let mut instrs = Vec::with_capacity(source.instrs.len());
        for instr in &source.instrs {
            self.instr(instr.clone(), &mut instrs);
        }
        let mut term = source.term;
        let mut exits = SmallVec::new();
        match term {
            Term::Jump(to) => exits.push(self.exit(to, None)),
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
                term = Term::Jump(to);
                exits.push(self.exit(to, None));
            }
            Term::Branch {
                cond,
                then,
                otherwise,
            } => {
                exits.push(self.exit(then, Some((cond, 1))));
                exits.push(self.exit(otherwise, Some((cond, 0))));
            }
            _ => {}
        }
        self.known.clear();
        Written {
            instrs,
            term,
            exits,
        }
    }

    /// What is known now on the way to a block and, after a branch, what it was decided by.
    fn exit(&self, to: BlockId, decided: Option<(Slot, u64)>) -> Exit {
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
        Exit {
            to,
            known,
            found: None,
        }
    }

    /// The end of a block with the variants that it leads to in this round.
    fn end(&mut self, written: &mut Written) -> Option<Term> {
        let mut to = [BlockId(0); 2];
        for (exit, to) in written.exits.iter_mut().zip(&mut to) {
            *to = self.follow(exit)?;
        }
        let [first, second] = to;
        Some(match written.term {
            Term::Jump(_) => Term::Jump(first),
            Term::Branch { cond, .. } => Term::Branch {
                cond,
                then: first,
                otherwise: second,
            },
            other => other,
        })
    }

    fn follow(&mut self, exit: &mut Exit) -> Option<BlockId> {
        let given_up = self.given_up[exit.to.0 as usize].len();
        let id = match exit.found {
            Some((then, id)) if then == given_up && !self.is_full() => id,
            _ => {
                let id = self.id(exit.to, exit.known.clone());
                exit.found = (!self.is_full()).then_some((given_up, id));
                id
            }
        };
        self.place(id)
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
