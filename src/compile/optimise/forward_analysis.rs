//! What is known at a point of a flow: which slot holds which value, and closer bounds of values.
//!
//! `analyse` goes over the blocks, each after those that lead to it. Where ways meet, what is the same on all of them stays
//! known; at the head of a loop, what the loop leaves alone.

mod loops;
mod slot_values;

use super::algebra::reduce;
use super::bounds::{Bounds, FULL, hull, intersection, result, top};
use super::dead_code::successors;
use super::values::{Args, Value, Values, is_numbered, reads};
use crate::compile::playout::Flow;
use crate::ir::*;
use crate::model::types::Type;
use loops::changed;
pub(crate) use loops::order;
use rustc_hash::{FxHashMap, FxHashSet};
use slot_values::SlotValues;

/// The most blocks times slots; in larger flows nothing is known where a block begins.
const MOST_WORK: usize = 600_000;

/// What holds at one point.
#[derive(Clone, Default)]
pub(super) struct Facts {
    of: SlotValues,
    bounds: FxHashMap<Value, Bounds>,
}

/// Goes over a flow, with what holds at the point that it has come to.
pub(super) struct ForwardAnalysis<'s> {
    pub values: Values<'s>,
    pub state: Facts,
    pub pool: super::constant_pool::ConstantPool,
    /// The first slot after those with names: temporaries.
    temporaries: Slot,
    /// The bounds of slots by their types.
    typed: FxHashMap<Slot, Bounds>,
    /// When each slot was written last in the present block, and how often something was; 0: before it.
    since: Vec<u32>,
    writes: u32,
}

/// What is done on the way.
pub(super) trait Visitor {
    /// Sees an instruction before its results are in the state, and writes what shall stand there.
    fn instr(
        &mut self,
        analysis: &mut ForwardAnalysis<'_>,
        instr: Instr,
        results: &[(Slot, Value)],
        out: &mut Vec<Instr>,
    );
    /// Sees the end of a block, and may turn a branch that is decided into a jump.
    fn end(&mut self, analysis: &mut ForwardAnalysis<'_>, block: BlockId, term: &mut Term);
}

/// Goes over all that can be reached.
pub(super) fn analyse<'s>(
    program: &'s Program,
    flow: &mut Flow,
    visitor: &mut impl Visitor,
) -> Values<'s> {
    let order = order(flow);
    let mut analysis = ForwardAnalysis::new(program, flow);
    let place: FxHashMap<BlockId, usize> = order.iter().enumerate().map(|(i, b)| (*b, i)).collect();
    let mut predecessors: Vec<Vec<BlockId>> = vec![Vec::new(); flow.blocks.len()];
    for block in &order {
        for to in successors(&flow.blocks[block.0 as usize].term) {
            predecessors[to.0 as usize].push(*block);
        }
    }
    let mut rests: FxHashMap<BlockId, Vec<usize>> = FxHashMap::default();
    // Where play may come by other ways than from rest, on which slots need not be within their types.
    let mut shared: FxHashSet<BlockId> = FxHashSet::default();
    for entry in &flow.entries {
        for block in &entry.blocks {
            rests.entry(*block).or_default().push(entry.node);
            if !entry.at_node && !predecessors[block.0 as usize].is_empty() {
                shared.insert(*block);
            }
        }
    }
    let crossing = order.len().saturating_mul(flow.pool.base as usize) <= MOST_WORK;
    // What holds on the ways out of blocks that have been seen, for each way that is not taken yet.
    let mut leaving: FxHashMap<(BlockId, BlockId), Facts> = FxHashMap::default();
    let mut cut: FxHashSet<(BlockId, BlockId)> = FxHashSet::default();
    for (i, &block) in order.iter().enumerate() {
        let from = &predecessors[block.0 as usize];
        let mut known = Vec::new();
        let mut later = Vec::new();
        for &b in from {
            match leaving.remove(&(b, block)) {
                Some(state) => known.push(state),
                None if place[&b] >= i => later.push(b),
                None => {}
            }
        }
        let dead = from.iter().all(|b| cut.contains(&(*b, block)));
        let rest = rests.get(&block);
        if let Some(nodes) = rest.filter(|_| !shared.contains(&block)) {
            analysis.state = analysis.at_rest(nodes);
        } else if dead && rest.is_none() {
            cut.extend(successors(&flow.blocks[block.0 as usize].term).map(|to| (block, to)));
            continue;
        } else if !crossing || known.is_empty() {
            analysis.state = Facts::default();
        } else {
            known.extend(rest.map(|nodes| analysis.at_rest(nodes)));
            analysis.state = analysis.meet(known, later.is_empty());
            if !later.is_empty() {
                let changed = changed(flow, &predecessors, &rests, block, &later);
                let bounded = analysis.bounded(flow, block, &later, changed.as_ref());
                analysis.forget(changed.as_ref().map(|c| &c.slots));
                for (slot, bounds) in bounded {
                    let value = analysis.values.opaque(bounds);
                    analysis.state.of.insert(slot, value);
                }
            }
        }
        analysis.begin();
        let old = std::mem::take(&mut flow.blocks[block.0 as usize].instrs);
        let mut instrs = Vec::with_capacity(old.len());
        for instr in old {
            let instr = reduce(instr, &mut |slot| analysis.constant(slot));
            let results = analysis.results(&instr);
            visitor.instr(&mut analysis, instr.clone(), &results, &mut instrs);
            analysis.pass(&instr, &results);
        }
        flow.blocks[block.0 as usize].instrs = instrs;
        let mut term = flow.blocks[block.0 as usize].term;
        let before: Vec<BlockId> = successors(&term).collect();
        visitor.end(&mut analysis, block, &mut term);
        flow.blocks[block.0 as usize].term = term;
        for to in before {
            if !successors(&term).any(|t| t == to) {
                cut.insert((block, to));
            }
        }
        if !crossing {
            continue;
        }
        match term {
            Term::Jump(to) => {
                leaving.insert((block, to), std::mem::take(&mut analysis.state));
            }
            Term::Branch {
                cond,
                then,
                otherwise,
            } if then != otherwise => {
                let mut state = analysis.state.clone();
                analysis.decided(cond, false);
                std::mem::swap(&mut state, &mut analysis.state);
                leaving.insert((block, otherwise), state);
                analysis.decided(cond, true);
                leaving.insert((block, then), std::mem::take(&mut analysis.state));
            }
            Term::Branch { then, .. } => {
                leaving.insert((block, then), std::mem::take(&mut analysis.state));
            }
            _ => {}
        }
    }
    flow.pool = analysis.pool;
    flow.frame = flow.pool.end();
    analysis.values
}

impl<'s> ForwardAnalysis<'s> {
    fn new(program: &'s Program, flow: &mut Flow) -> ForwardAnalysis<'s> {
        let p = program;
        let mut typed = FxHashMap::default();
        let mut temporaries = 0;
        for info in &p.slots {
            let words = info.ty.words() as u32;
            temporaries = temporaries.max(info.slot + words);
            for w in 0..words {
                if let Some(bounds) = of_type(&info.ty, w) {
                    typed.insert(info.slot + w, bounds);
                }
            }
        }
        ForwardAnalysis {
            values: Values::new(program),
            state: Facts::default(),
            pool: std::mem::take(&mut flow.pool),
            temporaries,
            typed,
            since: Vec::new(),
            writes: 0,
        }
    }

    /// What holds where play may begin: what is kept at the nodes is within its types.
    fn at_rest(&mut self, nodes: &[usize]) -> Facts {
        let p = self.values.program;
        let mut state = Facts::default();
        let kept = |node: usize, i: &u32| p.layout.kept[node].contains(i);
        let Some((&first, rest)) = nodes.split_first() else {
            return state;
        };
        for i in &p.layout.kept[first] {
            let slot = p.layout.fields[*i as usize].slot;
            if let Some(bounds) = self.typed.get(&slot)
                && rest.iter().all(|node| kept(*node, i))
            {
                let value = self.values.opaque(*bounds);
                state.of.insert(slot, value);
            }
        }
        state
    }

    /// What holds on all of the ways that meet.
    fn meet(&mut self, mut ways: Vec<Facts>, whole: bool) -> Facts {
        let Some(first) = ways.pop() else {
            return Facts::default();
        };
        if ways.is_empty() {
            return first;
        }
        let mut state = Facts::default();
        let bounds_in = |values: &Values<'_>, state: &Facts, v: Value| {
            let own = state.bounds.get(&v).copied().unwrap_or(FULL);
            intersection(values.bounds(v), own)
        };
        for (slot, value) in first.of.iter() {
            if ways.iter().all(|w| w.of.get(slot) == Some(value)) {
                state.of.insert(slot, value);
                continue;
            }
            // Different values may still have common bounds.
            let mut bounds = Some(bounds_in(&self.values, &first, value));
            for way in &ways {
                let other = way.of.get(slot).map(|v| bounds_in(&self.values, way, v));
                bounds = bounds.zip(other).map(|(a, b)| hull(a, b));
            }
            if let Some(bounds) = bounds.filter(|b| whole && *b != FULL) {
                let value = self.values.opaque(bounds);
                state.of.insert(slot, value);
            }
        }
        #[expect(clippy::iter_over_hash_type, reason = "from one table to another")]
        for (value, bounds) in &first.bounds {
            let mut all = Some(*bounds);
            for way in &ways {
                all = all.zip(way.bounds.get(value)).map(|(a, b)| hull(a, *b));
            }
            if let Some(bounds) = all {
                state.bounds.insert(*value, bounds);
            }
        }
        state
    }

    fn forget(&mut self, changed: Option<&FxHashSet<Slot>>) {
        match changed {
            #[expect(clippy::iter_over_hash_type, reason = "each is forgotten")]
            Some(changed) => {
                for slot in changed {
                    self.state.of.remove(*slot);
                }
            }
            None => self.state = Facts::default(),
        }
    }

    fn begin(&mut self) {
        self.since.clear();
        self.writes = 0;
    }

    pub fn bounds(&self, value: Value) -> Bounds {
        let own = self.state.bounds.get(&value).copied().unwrap_or(FULL);
        intersection(self.values.bounds(value), own)
    }

    /// The value that a slot holds.
    pub fn value(&mut self, slot: Slot) -> Value {
        if let Some(word) = self.pool.constant(slot) {
            return self.values.known(word);
        }
        let value = match self.state.of.get(slot) {
            Some(value) => value,
            None => {
                let value = self.values.opaque(FULL);
                self.put(slot, value);
                value
            }
        };
        match self.bounds(value) {
            (lo, hi) if lo == hi => self.values.known(lo as u64),
            _ => value,
        }
    }

    pub fn constant(&mut self, slot: Slot) -> Option<u64> {
        let value = self.value(slot);
        self.values.constant(value)
    }

    fn put(&mut self, slot: Slot, value: Value) {
        if self.state.of.get(slot) == Some(value) {
            return;
        }
        self.state.of.insert(slot, value);
        self.writes += 1;
        let at = slot as usize;
        if self.since.len() <= at {
            self.since.resize(at + 1, 0);
        }
        self.since[at] = self.writes;
    }

    /// Where some values stand side by side now: a slot with a name before a temporary, and what stands there longest.
    pub fn slot_holding(&self, values: &[Value]) -> Option<Slot> {
        let (&first, rest) = values.split_first()?;
        let since = |slot: Slot| self.since.get(slot as usize).copied().unwrap_or(0);
        let mut best = None;
        self.state.of.each_with(first, |slot| {
            let mut pairs = (slot + 1..).zip(rest);
            if pairs.all(|(s, v)| self.state.of.get(s) == Some(*v)) {
                let now = (slot >= self.temporaries, since(slot), slot);
                best = Some(best.map_or(now, |before| now.min(before)));
            }
        });
        best.map(|(_, _, slot)| slot)
    }

    /// What an instruction writes, and with what values.
    fn results(&mut self, instr: &Instr) -> Vec<(Slot, Value)> {
        match instr {
            Instr::Const { dst, value } => return vec![(*dst, self.values.known(*value as u64))],
            Instr::SetConst { dst, words } => {
                let words = words.iter().map(|w| self.values.known(*w));
                return (*dst..).zip(words).collect();
            }
            Instr::Copy { dst, src, words } => {
                let n = u32::from(*words);
                return (0..n).map(|w| (dst + w, self.value(src + w))).collect();
            }
            _ => {}
        }
        if let Some((dst, value)) = self.chosen(instr) {
            return vec![(dst, value)];
        }
        let mut written = Vec::new();
        instr.clobbers(&mut |slot, words| written.extend(slot..slot + words));
        if is_numbered(instr) {
            let mut args = Args::new();
            for (slot, words) in reads(instr) {
                args.extend((slot..slot + words).map(|s| self.value(s)));
            }
            if let Some(values) = self.values.computed(instr, &args) {
                if values.len() == 1 && args.iter().any(|a| self.state.bounds.contains_key(a)) {
                    let of = |i: usize| self.bounds(args[i]);
                    let closer = result(instr, &of, self.values.program);
                    self.narrow(values[0], closer);
                }
                if values.len() == written.len() {
                    return written.into_iter().zip(values).collect();
                }
            }
        }
        let bounds = |slot: Slot| self.written(instr, slot);
        let bounds: Vec<Bounds> = written.iter().map(|s| bounds(*s)).collect();
        let values = bounds.into_iter().map(|b| self.values.opaque(b));
        written.into_iter().zip(values).collect()
    }

    /// What the lesser or the greater of two values is, where their bounds say which of them that is, and where it is written.
    fn chosen(&mut self, instr: &Instr) -> Option<(Slot, Value)> {
        let (op, dst, a, b) = match *instr {
            Instr::Binary { op, dst, a, b } => (op, dst, self.value(a), self.value(b)),
            Instr::Immediate { op, dst, a, value } => {
                (op, dst, self.value(a), self.values.known(value as u64))
            }
            _ => return None,
        };
        let (x, y) = (self.bounds(a), self.bounds(b));
        let first = match op {
            Op::Min => x.1 <= y.0,
            Op::Max => x.0 >= y.1,
            _ => return None,
        };
        let second = match op {
            Op::Min => y.1 <= x.0,
            _ => y.0 >= x.1,
        };
        (first || second).then_some((dst, if first { a } else { b }))
    }

    /// The bounds of what an instruction without a number writes into a slot.
    fn written(&self, instr: &Instr, slot: Slot) -> Bounds {
        let Instr::Sample(code) = instr else {
            return FULL;
        };
        // What is sampled is of the type of what takes it.
        let typed = self.typed.get(&slot).copied().unwrap_or(FULL);
        match &**code {
            SampleCode::Element { set, lo, .. } => {
                let word = match set.words {
                    1 => self.state.of.get(set.slot).map(|v| self.bounds(v)),
                    _ => None,
                };
                let last = i64::from(set.words) * 64 - 1;
                let hi = word.map_or(last, |word| top(word).max(0));
                intersection((*lo, lo.saturating_add(hi)), typed)
            }
            SampleCode::Listed { .. } => (0, 1),
            SampleCode::Tuple { .. } => typed,
            _ => FULL,
        }
    }

    /// Closer bounds of a value from here on.
    fn narrow(&mut self, value: Value, bounds: Bounds) {
        let now = self.bounds(value);
        let closer = intersection(now, bounds);
        if closer != now {
            self.state.bounds.insert(value, closer);
        }
    }

    fn pass(&mut self, instr: &Instr, results: &[(Slot, Value)]) {
        for (slot, value) in results {
            self.put(*slot, *value);
        }
        if let Instr::Check { value, lo, hi, .. } = instr {
            let value = self.value(*value);
            self.narrow(value, (*lo, *hi));
        }
    }

    /// What a branch says of the values that it was decided by.
    fn decided(&mut self, cond: Slot, yes: bool) {
        let value = self.value(cond);
        if self.values.constant(value).is_some() {
            return;
        }
        for (other, bounds) in self.values.implied(value, yes, &self.state.bounds) {
            self.narrow(other, bounds);
        }
    }
}

/// The bounds of one word of a value of a type.
fn of_type(ty: &Type, word: u32) -> Option<Bounds> {
    let Type::Set(elements) = ty else {
        return ty.bounds();
    };
    let left = elements.size()?.saturating_sub(u64::from(word) * 64);
    (left < 64).then(|| (0, (1i64 << left).wrapping_sub(1)))
}

/// Whether an instruction changes a part of what it names.
pub(super) fn keeps(instr: &Instr) -> Option<Slot> {
    match instr {
        Instr::Load { base, .. } | Instr::Store { base, .. } => Some(*base),
        other => other.in_place().map(|(slot, _)| slot),
    }
}
