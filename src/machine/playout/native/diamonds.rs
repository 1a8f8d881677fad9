//! Short branches whose sides soon meet again: both sides are computed, and what the branch decides is selected. Which way a
//! game goes can hardly be predicted.

use super::lower::Lower;
use crate::compile::optimise::successors;
use crate::compile::playout::Flow;
use crate::ir::*;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most that both sides may cost together, in instructions.
const MOST_COST: u32 = 6;

/// Which branches these are.
#[derive(Default)]
pub(super) struct Diamonds {
    /// For the block with the branch where both sides end.
    ends: FxHashMap<BlockId, BlockId>,
    /// The blocks of the sides.
    inside: FxHashSet<BlockId>,
}

/// What lies between a branch and where its sides meet.
struct Sides {
    end: BlockId,
    inside: Vec<BlockId>,
    cost: u32,
}

impl Diamonds {
    /// `kept`: slots that may not be written.
    pub fn new(flow: &Flow, order: &[BlockId], kept: &Slots) -> Diamonds {
        let mut found = Diamonds::default();
        let mut ways = vec![0u32; flow.blocks.len()];
        for to in flow.entries.iter().flat_map(|e| &e.blocks) {
            ways[to.0 as usize] += 2;
        }
        for from in order {
            for to in successors(&flow.blocks[from.0 as usize].term) {
                ways[to.0 as usize] += 1;
            }
        }
        let search = Search { flow, kept, ways };
        for id in order.iter().filter(|id| flow.is_branch(**id)) {
            if found.inside.contains(id) {
                continue;
            }
            if let Some(sides) = search.sides(*id, MOST_COST)
                && sides.end != *id
            {
                found.ends.insert(*id, sides.end);
                found.inside.extend(sides.inside);
            }
        }
        found
    }

    /// Where the sides of a branch meet, if it is one of these.
    pub fn end(&self, id: BlockId) -> Option<BlockId> {
        self.ends.get(&id).copied()
    }

    /// Whether a block is written with the branch before it.
    pub fn is_inside(&self, id: BlockId) -> bool {
        self.inside.contains(&id)
    }
}

struct Search<'f> {
    flow: &'f Flow,
    kept: &'f Slots,
    /// How many ways lead to each block.
    ways: Vec<u32>,
}

impl Search<'_> {
    /// What lies between the branch that ends a block and where it is over, if it costs no more than is left.
    fn sides(&self, id: BlockId, left: u32) -> Option<Sides> {
        let Term::Branch {
            then, otherwise, ..
        } = self.flow.blocks[id.0 as usize].term
        else {
            return None;
        };
        if then == otherwise {
            return None;
        }
        let (a, b) = (self.side(then, left), self.side(otherwise, left));
        match (a, b) {
            (Some(a), _) if a.end == otherwise => Some(a),
            (_, Some(b)) if b.end == then => Some(b),
            (Some(mut a), Some(b)) if a.end == b.end && a.cost + b.cost <= left => {
                a.inside.extend(b.inside);
                a.cost += b.cost;
                Some(a)
            }
            _ => None,
        }
    }

    /// One side, with all that follows until it meets others.
    fn side(&self, id: BlockId, left: u32) -> Option<Sides> {
        if self.ways[id.0 as usize] != 1 {
            return None;
        }
        let block = &self.flow.blocks[id.0 as usize];
        let mut cost = 0;
        for instr in &block.instrs {
            cost += self.cost(instr)?;
            if cost > left {
                return None;
            }
        }
        match block.term {
            Term::Jump(end) => Some(Sides {
                end,
                inside: vec![id],
                cost,
            }),
            Term::Branch { .. } => {
                let mut sides = self.sides(id, left.checked_sub(cost + 1)?)?;
                sides.inside.push(id);
                sides.cost += cost + 1;
                Some(sides)
            }
            _ => None,
        }
    }

    /// What an instruction costs that may be run for nothing; `None` where it may not.
    fn cost(&self, instr: &Instr) -> Option<u32> {
        let cost = match instr {
            Instr::Const { .. } | Instr::Not { .. } => 1,
            Instr::Binary { op, .. } | Instr::Immediate { op, .. }
                if !matches!(op, Op::Div | Op::Mod) =>
            {
                1
            }
            Instr::Check { .. } => 1,
            Instr::Copy { words, .. }
            | Instr::Select { words, .. }
            | Instr::SetBinary { words, .. }
            | Instr::SetEq { words, .. }
            | Instr::SetSubset { words, .. } => u32::from(*words),
            Instr::SetConst { words, .. } => words.len() as u32,
            Instr::SetTest { set, .. } | Instr::SetRemove { set, .. } => 2 * u32::from(set.words),
            Instr::SetCount { set, .. } => u32::from(set.words),
            _ => return None,
        };
        let mut values = true;
        instr.clobbers(&mut |slot, words| {
            values &= (slot..slot + words).all(|s| !self.kept.contains(s));
        });
        values.then_some(cost)
    }
}

impl Flow {
    fn is_branch(&self, id: BlockId) -> bool {
        matches!(self.blocks[id.0 as usize].term, Term::Branch { .. })
    }
}

impl Lower<'_, '_> {
    /// Writes both sides of the branch that ends a block, up to where they meet.
    pub fn diamond(&mut self, id: BlockId, end: BlockId) -> Option<()> {
        let flow = self.flow;
        let Term::Branch {
            cond,
            then,
            otherwise,
        } = flow.blocks[id.0 as usize].term
        else {
            return None;
        };
        let test = self.test(cond);
        let mut changed = Vec::new();
        for side in [then, otherwise] {
            self.changed(side, end, &mut changed);
        }
        changed.sort_unstable();
        changed.dedup();
        let before = self.values_of(&changed);
        let outer = self.guard;
        let yes = match self.b.func.dfg.value_type(test) {
            types::I64 => self.compare(IntCC::NotEqual, test, 0),
            _ => test,
        };
        let no = self.compare(IntCC::Equal, yes, 0);
        let [yes, no] = [yes, no].map(|way| match outer {
            Some(outer) => self.b.ins().band(outer, way),
            None => way,
        });
        self.guard = Some(yes);
        self.side(then, end)?;
        let one = self.values_of(&changed);
        for (slot, value) in std::iter::zip(&changed, before) {
            self.set(*slot, value);
        }
        self.guard = Some(no);
        self.side(otherwise, end)?;
        let other = self.values_of(&changed);
        self.guard = outer;
        for (slot, (a, b)) in std::iter::zip(changed, std::iter::zip(one, other)) {
            if a == b || !self.live(end).contains(slot) {
                continue;
            }
            let ((lo, hi), (least, most)) = (self.bounds(a), self.bounds(b));
            let value = self.b.ins().select(test, a, b);
            self.bounded(value, lo.min(least), hi.max(most));
            self.set(slot, value);
        }
        Some(())
    }

    fn values_of(&mut self, slots: &[Slot]) -> Vec<Value> {
        slots.iter().map(|slot| self.get(*slot)).collect()
    }

    fn side(&mut self, id: BlockId, end: BlockId) -> Option<()> {
        if id == end {
            return Some(());
        }
        let flow = self.flow;
        let block = &flow.blocks[id.0 as usize];
        for instr in &block.instrs {
            self.instr(instr)?;
        }
        match block.term {
            Term::Branch { .. } => self.diamond(id, end),
            _ => Some(()),
        }
    }

    /// The slots that are written on the way from a block to another.
    fn changed(&self, id: BlockId, end: BlockId, slots: &mut Vec<Slot>) {
        if id == end {
            return;
        }
        let block = &self.flow.blocks[id.0 as usize];
        for instr in &block.instrs {
            instr.clobbers(&mut |slot, words| slots.extend(slot..slot + words));
        }
        if let Term::Branch {
            then, otherwise, ..
        } = block.term
        {
            self.changed(then, end, slots);
            self.changed(otherwise, end, slots);
        }
    }
}
