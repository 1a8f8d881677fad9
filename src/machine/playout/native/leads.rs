//! Where all that was listed leads, counted without leaving the code: a tuple after the other is taken, a step is made of it,
//! and what the step has changed in the frame is put back.
//!
//! How far that is stands in the [`Context`](super::code), since the blocks of the steps are the same for all.

use super::code::{FINE, at};
use super::listing::{BulkShape, Shape};
use super::lower::Lower;
use crate::compile::optimise::changed_from;
use crate::compile::playout::Taken;
use crate::ir::*;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    Block as Place, InstBuilder, StackSlot, StackSlotData, StackSlotKind, Value, types,
};
use cranelift_frontend::Switch;

/// The most words that are put back.
const MOST_RESTORED: usize = 128;

/// What is gone through at one entry.
pub(super) struct Lead {
    /// The number of the entry, and where it is.
    entry: usize,
    way: Place,
    begin: Place,
    /// Where a step comes to its end.
    gone: Place,
}

/// All that is counted by one function.
#[derive(Default)]
pub(super) struct AllLeads {
    leads: Vec<Lead>,
    /// Where what returns comes that is counted, with whether play is over there.
    returned: Option<Place>,
}

impl AllLeads {
    /// The entries for which that is written.
    pub fn entries(&self) -> Vec<usize> {
        self.leads.iter().map(|lead| lead.entry).collect()
    }
}

impl Lower<'_, '_> {
    /// Has it counted where all leads that is taken at an entry, from a new place on. `None` where that is not written out.
    pub fn lead(&mut self, entry: usize, way: Place) -> Option<Place> {
        let taken = self.flow.entries[entry].taken.as_ref()?;
        let shapes = self.shapes_of(taken);
        let plain = shapes.iter().all(|(_, shape)| shape.is_gone_through());
        if !plain || self.restored(entry, taken).len() > MOST_RESTORED {
            return None;
        }
        let begin = self.b.create_block();
        let gone = self.b.create_block();
        self.leads.leads.push(Lead {
            entry,
            way,
            begin,
            gone,
        });
        if self.leads.returned.is_none() {
            let place = self.b.create_block();
            self.b.append_block_param(place, types::I64);
            self.leads.returned = Some(place);
        }
        Some(begin)
    }

    /// Where something is counted, leaves for that instead of returning.
    pub fn returned(&mut self) {
        let Some(returned) = self.leads.returned else {
            return;
        };
        let last = self.get(self.flow.last);
        let mut over = self.int(0);
        for node in self.terminals.clone() {
            let test = self.compare(IntCC::Equal, last, node);
            let test = self.b.ins().uextend(types::I64, test);
            over = self.b.ins().bor(over, test);
        }
        let phase = self.load(self.ctx, at::PHASE);
        let plain = self.b.create_block();
        self.b
            .ins()
            .brif(phase, returned, &[over.into()], plain, &[]);
        self.begin(plain);
    }

    /// Writes all that is gone through, once everything else is written.
    pub fn write_leads(&mut self) {
        let Some(returned) = self.leads.returned else {
            return;
        };
        let leads = std::mem::take(&mut self.leads.leads);
        self.begin(returned);
        let over = self.b.block_params(returned)[0];
        let [all, ended] = [at::ALL, at::OVER].map(|at| self.load(self.ctx, at));
        let all = self.b.ins().iadd_imm_s(all, 1);
        let ended = self.b.ins().iadd(ended, over);
        self.store(all, self.ctx, at::ALL);
        self.store(ended, self.ctx, at::OVER);
        let phase = self.load(self.ctx, at::PHASE);
        let mut switch = Switch::new();
        for (i, lead) in (1..).zip(&leads) {
            switch.set_entry(i, lead.gone);
        }
        let nowhere = self.b.create_block();
        self.b.set_cold_block(nowhere);
        switch.emit(&mut self.b, phase, nowhere);
        self.begin(nowhere);
        self.bad_index();
        for (i, lead) in (1..).zip(leads) {
            self.write_lead(i, &lead);
        }
    }

    fn write_lead(&mut self, number: i64, lead: &Lead) {
        let flow = self.flow;
        let Some(taken) = &flow.entries[lead.entry].taken else {
            return;
        };
        let restored = self.restored(lead.entry, taken);
        let size = 8 * restored.len() as u32;
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, size, 3);
        let kept = self.b.create_sized_stack_slot(data);
        let (head, done) = (self.b.create_block(), self.b.create_block());
        self.begin(lead.begin);
        let (zero, phase) = (self.int(0), self.int(number));
        for at in [at::ALL, at::OVER] {
            self.store(zero, self.ctx, at);
        }
        self.store(phase, self.ctx, at::PHASE);
        for (i, slot) in (0..).zip(&restored) {
            let value = self.read_slot(*slot);
            self.b.ins().stack_store(types::I64, value, kept, 8 * i);
        }
        let first = self.load(self.ctx, at::FIRST);
        let count = self.load(self.ctx, at::COUNT);
        let end = self.record(count);
        self.store(end, self.ctx, at::END);
        self.go_to_record(first, (head, done));
        self.begin(lead.gone);
        self.restore(&restored, kept);
        self.jump(head, &[]);
        self.b.switch_to_block(head);
        self.next_tuple(taken, (head, done, lead.way));
        self.b.seal_block(head);
        self.begin(done);
        self.end(FINE);
    }

    fn restore(&mut self, slots: &[Slot], kept: StackSlot) {
        for (i, slot) in (0..).zip(slots) {
            let value = self.b.ins().stack_load(types::I64, types::I64, kept, 8 * i);
            self.write_slot(*slot, value);
        }
    }

    /// Goes on with a record from its beginning, or where all are done.
    fn go_to_record(&mut self, record: Value, (head, done): (Place, Place)) {
        let (end, zero) = (self.load(self.ctx, at::END), self.int(0));
        self.store(record, self.ctx, at::RECORD);
        self.store(zero, self.ctx, at::WORD);
        self.store(zero, self.ctx, at::REST);
        let over = self.b.ins().icmp(IntCC::Equal, record, end);
        self.b.ins().brif(over, done, &[], head, &[]);
    }

    /// Takes the next tuple of the present record into the frame, and makes a step; where there is none, goes to the next
    /// record.
    fn next_tuple(&mut self, taken: &Taken, (head, done, step): (Place, Place, Place)) {
        let shapes = self.shapes_of(taken);
        let record = self.load(self.ctx, at::RECORD);
        let next = self.b.create_block();
        let arms: Vec<Place> = shapes.iter().map(|_| self.b.create_block()).collect();
        match &arms[..] {
            [] => self.jump(next, &[]),
            [only] if self.listings.are_all_of(&shapes) => self.jump(*only, &[]),
            _ => {
                // Records of others stand for nothing.
                let tag = self.load(record, 8);
                let mut switch = Switch::new();
                for ((number, _), arm) in std::iter::zip(&shapes, &arms) {
                    switch.set_entry(*number as u128, *arm);
                }
                switch.emit(&mut self.b, tag, next);
            }
        }
        for ((_, shape), arm) in std::iter::zip(&shapes, arms) {
            self.begin(arm);
            if shape.is_weighted() {
                let weight = self.load(record, 16);
                let go = self.b.create_block();
                self.b.ins().brif(weight, go, &[], next, &[]);
                self.begin(go);
            }
            let element = match shape.bulk {
                BulkShape::Elements(words, lo) => {
                    Some(self.next_element((record, shape.before_bulk()), (words, lo), next))
                }
                _ => {
                    let word = self.load(self.ctx, at::WORD);
                    let (go, one) = (self.b.create_block(), self.int(1));
                    self.b.ins().brif(word, next, &[], go, &[]);
                    self.begin(go);
                    self.store(one, self.ctx, at::WORD);
                    None
                }
            };
            let (chosen, alternatives) = (taken.chosen, &taken.alternatives);
            let last = self.take_whole(shape, (chosen, alternatives), record);
            if let ([last, ..], Some(element)) = (last, element) {
                self.set(last.slot, element);
            }
            self.spill_taken(taken);
            self.refuel();
            self.jump(step, &[]);
        }
        self.begin(next);
        let length = 8 * self.listings.stride() as i64;
        let after = self.b.ins().iadd_imm_s(record, length);
        self.go_to_record(after, (head, done));
    }

    /// The next element of the set in a record; where there is none, leaves for `next`.
    fn next_element(
        &mut self,
        (record, at): (Value, i32),
        (words, lo): (u16, i64),
        next: Place,
    ) -> Value {
        let (look, more) = (self.b.create_block(), self.b.create_block());
        let (load, found) = (self.b.create_block(), self.b.create_block());
        let rest = self.b.append_block_param(look, types::I64);
        let before = self.load(self.ctx, at::REST);
        self.jump(look, &[before]);
        self.b.switch_to_block(look);
        self.b.ins().brif(rest, found, &[], more, &[]);
        self.begin(more);
        let word = self.load(self.ctx, at::WORD);
        let left = self.compare(IntCC::UnsignedLessThan, word, i64::from(words));
        self.b.ins().brif(left, load, &[], next, &[]);
        self.begin(load);
        let over = self.b.ins().ishl_imm_u(word, 3);
        let from = self.b.ins().iadd(record, over);
        let set = self.load(from, 8 * at);
        let after = self.b.ins().iadd_imm_s(word, 1);
        self.store(after, self.ctx, at::WORD);
        self.jump(look, &[set]);
        self.b.seal_block(look);
        self.begin(found);
        let less = self.b.ins().iadd_imm_s(rest, -1);
        let others = self.b.ins().band(rest, less);
        self.store(others, self.ctx, at::REST);
        let mut element = self.b.ins().ctz(rest);
        if words > 1 {
            let word = self.load(self.ctx, at::WORD);
            let over = self.b.ins().ishl_imm_u(word, 6);
            let base = self.b.ins().iadd_imm_s(over, -64);
            element = self.b.ins().iadd(base, element);
        }
        self.b.ins().iadd_imm_s(element, lo)
    }

    /// The slots that a step from an entry may leave otherwise in the frame, of those that a state consists of.
    fn restored(&self, entry: usize, taken: &Taken) -> Vec<Slot> {
        let layout = &self.program.layout;
        let entry = &self.flow.entries[entry];
        let mut changed = changed_from(self.flow, &entry.blocks);
        changed.insert(taken.chosen);
        for part in taken.alternatives.iter().flatten() {
            changed.insert_all(*part);
        }
        let live = &layout.live[entry.node];
        let fields = layout.fields.iter().filter(|field| field.is_in(live));
        let slots = fields.map(|field| field.slot);
        slots.filter(|slot| changed.contains(*slot)).collect()
    }
}

impl Shape {
    /// Whether its tuples are gone through here.
    fn is_gone_through(&self) -> bool {
        matches!(self.bulk, BulkShape::One | BulkShape::Elements(..))
    }
}
