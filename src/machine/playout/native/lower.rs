//! Goes over a flow and writes its function: which slots are values, the blocks, and what each instruction comes to.

use super::code::{Helper, at};
use super::data::Data;
use super::diamonds::Diamonds;
use super::fuel::Fuel;
use super::leads::AllLeads;
use super::listing::{Listings, Shape};
use super::sampling::Generator;
use crate::compile::optimise::{live_in, order, successors};
use crate::compile::playout::Flow;
use crate::ir::*;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    AbiParam, Block as Place, BlockArg, Function, InstBuilder, MemFlagsData, SigRef, Signature,
    Value, types,
};
use cranelift_codegen::isa::{CallConv, TargetFrontendConfig};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeSet;

/// Sets of more words than these stay in the frame.
const MOST_WORDS: u32 = 8;

/// Sets of more words than these stay in the frame where their elements are found by number.
const MOST_INDEXED: u32 = 4;

/// Arrays of more elements than these stay in the frame, as do those of more words in all.
const MOST_ELEMENTS: u32 = 3;

/// Writes the function of a flow; what it emits, and at which entries it counts where all leads that is taken there. `given`: the
/// records that it goes through.
pub(super) fn lower(
    program: &Program,
    flow: &Flow,
    data: &mut Data,
    given: Option<&[Shape]>,
    (function, config): (&mut Function, TargetFrontendConfig),
) -> Option<(Listings, Vec<usize>)> {
    let mut context = FunctionBuilderContext::new();
    let mut b = FunctionBuilder::new(function, &mut context);
    let first = b.create_block();
    b.append_block_params_for_function_params(first);
    b.switch_to_block(first);
    b.seal_block(first);
    let [ctx, frame, entry] = *b.block_params(first) else {
        return None;
    };
    let order = order(flow);
    let listings = match given {
        Some(shapes) => Listings::given(shapes),
        None => Listings::new(flow, &order),
    };
    let slots = flow.frame.max(flow.pool.end()).max(program.frame);
    let nodes = (0..).zip(&program.nodes);
    let terminals = nodes.filter(|(_, node)| matches!(node.kind, NodeKind::Terminal));
    let mut lower = Lower {
        program,
        flow,
        data,
        listings,
        vars: vec![None; slots as usize],
        kept: kept_in_frame(flow, slots),
        fuel: Fuel::new(flow, &order),
        diamonds: Diamonds::default(),
        leads: AllLeads::default(),
        terminals: terminals.map(|(number, _)| number).collect(),
        live: live_in(flow),
        generator: None,
        guard: None,
        written: written(flow, &order, slots),
        bounds: FxHashMap::default(),
        picked: FxHashMap::default(),
        least: FxHashMap::default(),
        tests: FxHashMap::default(),
        signatures: FxHashMap::default(),
        call_conv: config.default_call_conv,
        places: FxHashMap::default(),
        ways: FxHashMap::default(),
        exits: FxHashMap::default(),
        ctx,
        frame,
        block: BlockId(0),
        b,
    };
    lower.diamonds = Diamonds::new(flow, &order, &lower.kept);
    lower.generator = Generator::new(flow, &order, (ctx, &mut lower.b));
    lower.blocks(&order, entry)?;
    let counted = lower.leads.entries();
    lower.write_leads();
    lower.write_exits();
    let (mut b, listings) = (lower.b, lower.listings);
    b.seal_all_blocks();
    b.finalize(config);
    Some((listings, counted))
}

/// The slots that are no values: what is found by an index at run time, and long sets.
fn kept_in_frame(flow: &Flow, slots: Slot) -> Slots {
    let mut kept = Slots::new(slots);
    let mut keep = |slot: Slot, words: u32| (slot..slot + words).for_each(|s| kept.insert(s));
    for instr in flow.blocks.iter().flat_map(|block| &block.instrs) {
        instr.visit(&mut |slot, words, _| {
            if words > MOST_WORDS {
                keep(slot, words);
            }
        });
        match instr {
            Instr::Load {
                base, words, count, ..
            }
            | Instr::Store {
                base, words, count, ..
            } => {
                let all = u32::from(*words) * count;
                if *count > MOST_ELEMENTS || all > MOST_WORDS {
                    keep(*base, all);
                }
            }
            Instr::SetTest { set, .. }
            | Instr::SetInsert { set, .. }
            | Instr::SetRemove { set, .. }
                if u32::from(set.words) > MOST_INDEXED =>
            {
                keep(set.slot, u32::from(set.words));
            }
            _ => {}
        }
    }
    kept
}

/// For each block that returns, the slots that something on a way to there writes.
fn written(flow: &Flow, order: &[BlockId], slots: Slot) -> FxHashMap<BlockId, Slots> {
    let block = |id: &BlockId| &flow.blocks[id.0 as usize];
    let mut found: FxHashMap<BlockId, Slots> = FxHashMap::default();
    for id in order {
        let mut here = Slots::new(slots);
        for instr in &block(id).instrs {
            instr.clobbers(&mut |slot, words| {
                (slot..slot + words).for_each(|s| here.insert(s));
            });
        }
        found.insert(*id, here);
    }
    let mut grew = true;
    while grew {
        grew = false;
        for id in order {
            let Some(here) = found.get(id).cloned() else {
                continue;
            };
            for to in successors(&block(id).term) {
                let next = found.get_mut(&to);
                grew |= next.is_some_and(|next| next.extend(&here));
            }
        }
    }
    found.retain(|id, _| matches!(block(id).term, Term::Return));
    found
}

/// Writes one function.
pub(super) struct Lower<'a, 'f> {
    pub program: &'a Program,
    pub flow: &'a Flow,
    pub data: &'a mut Data,
    pub listings: Listings,
    vars: Vec<Option<Variable>>,
    kept: Slots,
    /// At the end of each block that returns, the slots that may not be as they were on the way in.
    written: FxHashMap<BlockId, Slots>,
    /// Between what bounds, as signed numbers, values lie wherever they are known. They are facts of the values alone.
    bounds: FxHashMap<Value, (i64, i64)>,
    /// For elements taken from sets, with a number added, the bit that was found in a word of the set, and the number.
    pub picked: FxHashMap<Value, (Value, i64)>,
    /// For the least elements of sets, the bit that was found in each of their words.
    pub least: FxHashMap<Value, Vec<Value>>,
    /// For slots set in this block to 0 or 1, the test.
    tests: FxHashMap<Slot, Value>,
    signatures: FxHashMap<Helper, SigRef>,
    call_conv: CallConv,
    places: FxHashMap<BlockId, Place>,
    /// For each block how many ways to it are not written yet; the block itself counts as one.
    ways: FxHashMap<BlockId, usize>,
    /// Where calls end that say something other than that all went well, by what they say.
    exits: FxHashMap<i64, Place>,
    pub fuel: Fuel,
    pub diamonds: Diamonds,
    /// What is counted without leaving the code.
    pub leads: AllLeads,
    /// The nodes where play is over.
    pub terminals: Vec<i64>,
    live: Vec<Slots>,
    /// The generator of random numbers, where something is drawn.
    pub generator: Option<Generator>,
    /// Where a side of a branch is written that may not be gone: whether it is.
    pub guard: Option<Value>,
    pub ctx: Value,
    pub frame: Value,
    /// The block that is written.
    pub block: BlockId,
    pub b: FunctionBuilder<'f>,
}

/// What is known of values: see [`Lower::bounds`].
const FULL: (i64, i64) = (i64::MIN, i64::MAX);

impl Lower<'_, '_> {
    /// Writes the way in, and all blocks.
    fn blocks(&mut self, order: &[BlockId], entry: Value) -> Option<()> {
        for &id in order.iter().filter(|id| !self.diamonds.is_inside(**id)) {
            let place = self.b.create_block();
            self.places.insert(id, place);
            *self.ways.entry(id).or_insert(0) += 1;
            for to in self.ways_on(id) {
                *self.ways.entry(to).or_insert(0) += 1;
            }
        }
        let entered: BTreeSet<BlockId> = self
            .flow
            .entries
            .iter()
            .flat_map(|e| e.blocks.clone())
            .collect();
        for id in entered {
            *self.ways.entry(id).or_insert(0) += 1;
        }
        self.entries(entry)?;
        let number: FxHashMap<BlockId, usize> =
            order.iter().enumerate().map(|(i, id)| (*id, i)).collect();
        // What all blocks before one cost together.
        let mut costs = vec![0u64];
        for id in order {
            let cost = self.flow.blocks[id.0 as usize].cost.max(1);
            costs.push(costs[costs.len() - 1] + u64::from(cost));
        }
        let flow = self.flow;
        for (i, &id) in order.iter().enumerate() {
            if self.diamonds.is_inside(id) {
                continue;
            }
            let block = &flow.blocks[id.0 as usize];
            self.block = id;
            self.tests.clear();
            self.b.switch_to_block(self.places[&id]);
            self.seal(id);
            for instr in &block.instrs {
                self.instr(instr)?;
            }
            let fuel = &self.fuel;
            let back: Vec<(BlockId, u64)> = self
                .ways_on(id)
                .into_iter()
                .filter(|to| fuel.is_counted(id, *to))
                .filter_map(|to| Some((to, number.get(&to).copied()?)))
                .filter(|(_, place)| *place <= i)
                .map(|(to, place)| (to, costs[i + 1] - costs[place]))
                .collect();
            let back = |to: BlockId| back.iter().find(|(b, _)| *b == to).map(|(_, cost)| *cost);
            self.term(id, back)?;
            self.ways_on(id).into_iter().for_each(|to| self.seal(to));
        }
        Some(())
    }

    /// Where play goes on from a block, and from what is written with it.
    fn ways_on(&self, id: BlockId) -> SmallVec<[BlockId; 2]> {
        match self.diamonds.end(id) {
            Some(end) => smallvec![end],
            None => successors(&self.flow.blocks[id.0 as usize].term).collect(),
        }
    }

    /// The slots that matter where a block begins.
    pub fn live(&self, id: BlockId) -> &Slots {
        &self.live[id.0 as usize]
    }

    /// Goes on in a block that every way to it has been written of.
    pub fn begin(&mut self, place: Place) {
        self.b.switch_to_block(place);
        self.b.seal_block(place);
    }

    /// Reads what matters where a block begins.
    pub fn read_live(&mut self, id: BlockId) {
        let wanted: Vec<Slot> = self.live(id).iter().collect();
        for slot in wanted {
            if !self.kept.contains(slot) && self.flow.pool.constant(slot).is_none() {
                let value = self.read_slot(slot);
                self.set(slot, value);
            }
        }
    }

    /// Notes that one way to a block of the flow has been written, or that the block itself is.
    pub fn seal(&mut self, id: BlockId) {
        let Some(left) = self.ways.get_mut(&id) else {
            return;
        };
        *left -= 1;
        if *left == 0
            && let Some(place) = self.places.get(&id)
        {
            self.b.seal_block(*place);
        }
    }

    /// The place of a block of the flow.
    pub fn place(&self, id: BlockId) -> Option<Place> {
        self.places.get(&id).copied()
    }

    pub fn int(&mut self, value: i64) -> Value {
        let found = self.b.ins().iconst(types::I64, value);
        self.bounds.insert(found, (value, value));
        found
    }

    /// Notes between what bounds a value lies.
    pub fn bounded(&mut self, value: Value, lo: i64, hi: i64) -> Value {
        self.bounds.insert(value, (lo, hi));
        value
    }

    pub fn bounds(&self, value: Value) -> (i64, i64) {
        self.bounds.get(&value).copied().unwrap_or(FULL)
    }

    /// The value where it is the same always.
    pub fn known(&self, value: Value) -> Option<i64> {
        let (lo, hi) = self.bounds(value);
        (lo == hi).then_some(lo)
    }

    fn var(&mut self, slot: Slot) -> Variable {
        match self.vars[slot as usize] {
            Some(var) => var,
            None => {
                let var = self.b.declare_var(types::I64);
                self.vars[slot as usize] = Some(var);
                var
            }
        }
    }

    pub fn get(&mut self, slot: Slot) -> Value {
        if let Some(constant) = self.flow.pool.constant(slot) {
            self.int(constant as i64)
        } else if self.kept.contains(slot) {
            self.read_slot(slot)
        } else {
            let var = self.var(slot);
            self.b.use_var(var)
        }
    }

    /// The slot has another value than that of a test.
    pub fn forget_test(&mut self, slot: Slot) {
        self.tests.remove(&slot);
    }

    pub fn set(&mut self, slot: Slot, value: Value) {
        self.forget_test(slot);
        if self.kept.contains(slot) {
            self.write_slot(slot, value);
        } else {
            let var = self.var(slot);
            self.b.def_var(var, value);
        }
    }

    /// Sets a slot to 0 or 1 by a test.
    pub fn set_test(&mut self, slot: Slot, test: Value) {
        let wide = self.b.ins().uextend(types::I64, test);
        self.bounded(wide, 0, 1);
        self.set(slot, wide);
        self.tests.insert(slot, test);
    }

    /// What to branch on for a slot.
    pub fn test(&mut self, slot: Slot) -> Value {
        match self.tests.get(&slot) {
            Some(test) => *test,
            None => self.get(slot),
        }
    }

    /// Whether the words of a value stand in the frame.
    pub fn is_kept(&self, slot: Slot, words: u32) -> bool {
        (slot..slot + words).all(|s| self.kept.contains(s))
    }

    pub fn words(&mut self, set: Operand) -> Vec<Value> {
        (0..u32::from(set.words))
            .map(|w| self.get(set.slot + w))
            .collect()
    }

    pub fn read_slot(&mut self, slot: Slot) -> Value {
        let at = slot as i32 * 8;
        let flags = MemFlagsData::trusted();
        self.b.ins().load(types::I64, flags, self.frame, at)
    }

    pub fn write_slot(&mut self, slot: Slot, value: Value) {
        let at = slot as i32 * 8;
        let flags = MemFlagsData::trusted();
        self.b.ins().store(flags, value, self.frame, at);
    }

    /// Puts a slot where it is read after the end, if it is not there.
    pub fn hand_over(&mut self, slot: Slot) {
        let written = self.written.get(&self.block);
        if written.is_none_or(|written| written.contains(slot)) {
            self.spill(slot);
        }
    }

    /// Puts a slot where helpers find it.
    pub fn spill(&mut self, slot: Slot) {
        if !self.kept.contains(slot) {
            let value = self.get(slot);
            self.write_slot(slot, value);
        }
    }

    /// Takes a slot from where a helper has put it.
    pub fn reload(&mut self, slot: Slot) {
        if !self.kept.contains(slot) {
            let value = self.read_slot(slot);
            self.set(slot, value);
        }
    }

    pub fn load(&mut self, from: Value, at: i32) -> Value {
        let flags = MemFlagsData::trusted();
        self.b.ins().load(types::I64, flags, from, at)
    }

    pub fn store(&mut self, value: Value, to: Value, at: i32) {
        let flags = MemFlagsData::trusted();
        self.b.ins().store(flags, value, to, at);
    }

    /// Calls a helper; its result, if it has one.
    pub fn call(&mut self, helper: Helper, arguments: &[Value]) -> Option<Value> {
        let conv = self.call_conv;
        let b = &mut self.b;
        let signature = *self.signatures.entry(helper).or_insert_with(|| {
            let mut signature = Signature::new(conv);
            signature.params = vec![AbiParam::new(types::I64); helper.parameters()];
            if helper.has_result() {
                signature.returns = vec![AbiParam::new(types::I64)];
            }
            b.import_signature(signature)
        });
        let address = b.ins().iconst(types::I64, helper.address());
        let call = b.ins().call_indirect(signature, address, arguments);
        b.inst_results(call).first().copied()
    }

    /// Runs an instruction that is written nowhere else, on the frame. `call` calls a helper that says what became of it, or
    /// says nothing.
    pub fn on_frame(
        &mut self,
        instr: &Instr,
        changed: &[(Slot, u32)],
        call: impl FnOnce(&mut Self) -> Option<Value>,
    ) {
        let mut reads = Vec::new();
        instr.visit(&mut |slot, words, written| {
            if !written {
                reads.extend(slot..slot + words);
            }
        });
        reads.into_iter().for_each(|slot| self.spill(slot));
        if let Some(said) = call(self) {
            let (fine, bad) = (self.b.create_block(), self.b.create_block());
            self.b.set_cold_block(bad);
            self.b.ins().brif(said, bad, &[], fine, &[]);
            self.begin(bad);
            self.b.ins().return_(&[said]);
            self.begin(fine);
        }
        for &(slot, words) in changed {
            (slot..slot + words).for_each(|slot| self.reload(slot));
        }
    }

    /// Goes on in a block of its own where a test holds; elsewhere does what `bad` writes, which ends the call.
    pub fn expect(&mut self, test: Value, bad: impl FnOnce(&mut Self)) {
        let (fine, cold) = (self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(cold);
        self.b.ins().brif(test, fine, &[], cold, &[]);
        self.begin(cold);
        bad(self);
        self.begin(fine);
    }

    /// Goes on in a block of its own where a test holds; elsewhere ends the call with a word that says why, and a value of 0.
    pub fn expect_or(&mut self, test: Value, said: i64) {
        let fine = self.b.create_block();
        let exit = match self.exits.get(&said) {
            Some(exit) => *exit,
            None => {
                let exit = self.b.create_block();
                self.b.set_cold_block(exit);
                self.exits.insert(said, exit);
                exit
            }
        };
        self.b.ins().brif(test, fine, &[], exit, &[]);
        self.begin(fine);
    }

    /// Writes the ends that tests have in common.
    fn write_exits(&mut self) {
        let mut exits: Vec<(i64, Place)> = self.exits.drain().collect();
        exits.sort_unstable_by_key(|(said, _)| *said);
        for (said, exit) in exits {
            self.begin(exit);
            let zero = self.int(0);
            self.store(zero, self.ctx, at::VALUE);
            self.end(said);
        }
    }

    /// A compared with a number.
    pub fn compare(&mut self, cc: IntCC, a: Value, b: i64) -> Value {
        self.b.ins().icmp_imm_s(cc, a, b)
    }

    /// A jump with values for the parameters of the block.
    pub fn jump(&mut self, to: Place, values: &[Value]) {
        let values: Vec<BlockArg> = values.iter().map(|v| BlockArg::Value(*v)).collect();
        self.b.ins().jump(to, &values);
    }
}
