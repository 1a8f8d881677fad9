//! What the outcome of a step depends on: forward data flow over the steps from one node.
//!
//! Values are numbered, so that what is computed alike on several ways is one value. Where ways with different values meet,
//! the outcome depends on all of them, and on everything that has turned play on the way there.

use super::optimise::successors;
use super::playout::Flow;
use crate::ir::*;
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of a value.
type Value = usize;
/// Which slots have another value than at the start, and what.
type State = FxHashMap<Slot, Value>;

/// What is known of the steps from one node.
pub(crate) struct Dependence<'f> {
    flow: &'f Flow,
    program: &'f Program,
    /// What each value is, and the slots of the start that it is computed from.
    values: Vec<(Key, Slots)>,
    inputs: FxHashMap<Slot, Value>,
    /// By block, what its turn depends on.
    turns: FxHashMap<u32, Slots>,
    /// What errors depend on.
    errors: Slots,
    /// By block, its place in the order, what leads to it, and the last block that everything to it comes through.
    before: FxHashMap<u32, Before>,
    /// At the next node.
    end: State,
    next: Vec<u32>,
}

struct Before {
    place: usize,
    from: Vec<u32>,
    gate: u32,
}

#[derive(PartialEq)]
enum Key {
    /// A slot of the start.
    Input(Slot),
    /// One of the results of an instruction, without its slots, by what it reads.
    Result(Instr, Vec<Value>, u32),
    /// What one of several ways leaves in a slot.
    Met(u32, Slot),
}

/// The most instructions that are looked at.
const MOST: usize = 1000;
/// The block that all steps end in.
const END: u32 = u32::MAX;

impl<'f> Dependence<'f> {
    /// `None` where a step may go in circles, or does more than compute.
    pub fn new(program: &'f Program, flow: &'f Flow, node: usize) -> Option<Dependence<'f>> {
        let blocks = &flow.entries[node].blocks;
        let &first = blocks.first()?;
        if blocks.iter().any(|b| *b != first) {
            return None;
        }
        let mut found = Dependence {
            flow,
            program,
            values: Vec::new(),
            inputs: FxHashMap::default(),
            turns: FxHashMap::default(),
            before: FxHashMap::default(),
            errors: Slots::new(flow.frame),
            end: State::default(),
            next: Vec::new(),
        };
        found.run(first)?;
        Some(found)
    }

    /// The slots of the start that the value of a slot at the end is computed from.
    pub fn of(&mut self, slot: Slot) -> Slots {
        let value = self.read(&self.end.clone(), slot);
        self.values[value].1.clone()
    }

    /// The nodes that a step may lead to.
    pub fn next(&self) -> &[u32] {
        &self.next
    }

    /// What decides which way a step takes, and whether there is an error.
    pub fn ways(&self) -> Slots {
        let mut all = self.errors.clone();
        #[expect(clippy::iter_over_hash_type, reason = "a union")]
        for turn in self.turns.values() {
            all.extend(turn);
        }
        all
    }

    /// Goes through the blocks, each after all that lead to it.
    fn run(&mut self, first: BlockId) -> Option<()> {
        let flow = self.flow;
        let mut ways_in: FxHashMap<BlockId, u32> = FxHashMap::default();
        let mut waiting = vec![first];
        let mut instrs = 0;
        while let Some(id) = waiting.pop() {
            let block = &flow.blocks[id.0 as usize];
            instrs += block.instrs.len();
            for to in successors(&block.term) {
                let ways = ways_in.entry(to).or_default();
                *ways += 1;
                if *ways == 1 {
                    waiting.push(to);
                }
            }
        }
        if instrs > MOST || ways_in.contains_key(&first) {
            return None;
        }
        let blocks = ways_in.len() + 1;
        let mut arrived: FxHashMap<BlockId, Vec<(u32, State)>> = FxHashMap::default();
        let mut ends = Vec::new();
        let (mut ready, mut done) = (vec![first], 0);
        while let Some(id) = ready.pop() {
            done += 1;
            let mut state = self.meet(id.0, &arrived.remove(&id).unwrap_or_default());
            let block = &flow.blocks[id.0 as usize];
            for instr in &block.instrs {
                self.pass(&mut state, instr)?;
            }
            if let Term::Branch { cond, .. } = block.term {
                let value = self.read(&state, cond);
                self.turns.insert(id.0, self.values[value].1.clone());
            }
            if block.term == Term::Return {
                let node = self.read(&state, flow.last);
                let Key::Result(Instr::Const { value, .. }, ..) = self.values[node].0 else {
                    return None;
                };
                self.next.push(u32::try_from(value).ok()?);
                ends.push((id.0, state.clone()));
            }
            for to in successors(&block.term) {
                let states = arrived.entry(to).or_default();
                states.push((id.0, state.clone()));
                if ways_in.get(&to) == Some(&(states.len() as u32)) {
                    ready.push(to);
                }
            }
        }
        self.end = self.meet(END, &ends);
        (done == blocks).then_some(())
    }

    fn pass(&mut self, state: &mut State, instr: &Instr) -> Option<()> {
        if let Instr::Copy { dst, src, words } = instr {
            let words = 0..u32::from(*words);
            let values: Vec<Value> = words.map(|w| self.read(state, src + w)).collect();
            state.extend((*dst..).zip(values));
            return Some(());
        }
        let mut read: Vec<Slot> = Vec::new();
        let mut bare = instr.clone();
        bare.visit_mut(&mut |slot, words, written| {
            if !written {
                read.extend(*slot..*slot + words);
            }
            *slot = 0;
        });
        let args: Vec<Value> = read.into_iter().map(|s| self.read(state, s)).collect();
        let mut inputs = Slots::new(self.flow.frame);
        for &value in &args {
            inputs.extend(&self.values[value].1);
        }
        match instr {
            Instr::Check { .. } | Instr::SetShift { .. } => {
                self.errors.extend(&inputs);
            }
            Instr::Sample(_) | Instr::Emit { .. } | Instr::Reach { .. } => return None,
            _ => {}
        }
        let mut written: Vec<Slot> = Vec::new();
        instr.clobbers(&mut |slot, words| written.extend(slot..slot + words));
        for (i, slot) in written.into_iter().enumerate() {
            let key = Key::Result(bare.clone(), args.clone(), i as u32);
            let value = self.number(key, || inputs.clone());
            state.insert(slot, value);
        }
        Some(())
    }

    /// What is in a slot.
    fn read(&mut self, state: &State, slot: Slot) -> Value {
        if let Some(value) = state.get(&slot) {
            return *value;
        }
        let fixed = self.program.layout.fixed.iter();
        let fixed = fixed.clone().find(|(s, _)| *s == slot).map(|f| f.1);
        let constant = self.flow.pool.constant(slot).map(|word| word as i64);
        if let Some(value) = fixed.or(constant) {
            let key = Key::Result(Instr::Const { dst: 0, value }, Vec::new(), 0);
            let frame = self.flow.frame;
            return self.number(key, || Slots::new(frame));
        }
        if let Some(value) = self.inputs.get(&slot) {
            return *value;
        }
        let mut inputs = Slots::new(self.flow.frame);
        inputs.insert(slot);
        self.values.push((Key::Input(slot), inputs));
        self.inputs.insert(slot, self.values.len() - 1);
        self.values.len() - 1
    }

    fn number(&mut self, key: Key, inputs: impl FnOnce() -> Slots) -> Value {
        if let Some(value) = self.values.iter().position(|(k, _)| *k == key) {
            return value;
        }
        self.values.push((key, inputs()));
        self.values.len() - 1
    }

    /// Where several ways meet, each from a block.
    fn meet(&mut self, block: u32, ways: &[(u32, State)]) -> State {
        let from: Vec<u32> = ways.iter().map(|w| w.0).collect();
        let place = self.before.len();
        let gate = self.gate(&from).unwrap_or(block);
        self.before.insert(block, Before { place, from, gate });
        match ways {
            [] => return State::default(),
            [(_, state)] => return state.clone(),
            _ => {}
        }
        let turns = self.turns_between(gate, block);
        let mut met = State::default();
        let mut slots: Vec<Slot> = ways.iter().flat_map(|w| w.1.keys().copied()).collect();
        slots.sort_unstable();
        slots.dedup();
        for slot in slots {
            let values: Vec<Value> = ways.iter().map(|w| self.read(&w.1, slot)).collect();
            let value = if values.iter().all(|v| *v == values[0]) {
                values[0]
            } else {
                let mut inputs = turns.clone();
                for value in values {
                    inputs.extend(&self.values[value].1);
                }
                self.number(Key::Met(block, slot), || inputs)
            };
            met.insert(slot, value);
        }
        met
    }

    /// The last block that all ways to these come through.
    fn gate(&self, blocks: &[u32]) -> Option<u32> {
        blocks.iter().copied().reduce(|mut a, mut b| {
            while a != b {
                let (x, y) = (&self.before[&a], &self.before[&b]);
                if x.place > y.place {
                    a = x.gate;
                } else {
                    b = y.gate;
                }
            }
            a
        })
    }

    /// What decides on which way play comes from one block to another.
    fn turns_between(&self, from: u32, to: u32) -> Slots {
        let mut turns = Slots::new(self.flow.frame);
        let mut waiting = self.before[&to].from.clone();
        let mut seen = FxHashSet::default();
        while let Some(block) = waiting.pop() {
            if !seen.insert(block) {
                continue;
            }
            if let Some(turn) = self.turns.get(&block) {
                turns.extend(turn);
            }
            if block != from {
                waiting.extend(&self.before[&block].from);
            }
        }
        turns
    }
}
