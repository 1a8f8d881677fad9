//! The ways into the code: by the number of an entry, and by what the frame holds in the slots of its keys.

use super::code::at;
use super::lower::Lower;
use crate::compile::playout::Entry;
use crate::ir::*;
use cranelift_codegen::ir::{Block as Place, InstBuilder, Value};
use cranelift_frontend::Switch;
use rustc_hash::FxHashMap;

/// Where each block that is entered gets its values.
type Stubs = FxHashMap<BlockId, Place>;

impl Lower<'_, '_> {
    /// Branches to the entry with a number, with what matters there in values. After the entries come those that take first
    /// the tuple with the number in [`at::VALUE`], or, of records that were given, those that count where all lead.
    pub fn entries(&mut self, number: Value) -> Option<()> {
        let entries = &self.flow.entries;
        let mut switch = Switch::new();
        let ways: Vec<Place> = entries.iter().map(|_| self.b.create_block()).collect();
        let mut taking = Vec::new();
        for (i, (entry, way)) in std::iter::zip(entries, &ways).enumerate() {
            switch.set_entry(i as u128, *way);
            let more = (entries.len() + i) as u128;
            if self.listings.are_given() {
                if let Some(place) = self.lead(i, *way) {
                    switch.set_entry(more, place);
                }
            } else if let Some(taken) = &entry.taken {
                let place = self.b.create_block();
                switch.set_entry(more, place);
                taking.push((place, taken, *way));
            }
        }
        let nowhere = self.b.create_block();
        self.b.set_cold_block(nowhere);
        switch.emit(&mut self.b, number, nowhere);
        self.begin(nowhere);
        self.bad_index();
        for (place, taken, way) in taking {
            self.begin(place);
            let k = self.load(self.ctx, at::VALUE);
            self.take_number(taken, k);
            self.jump(way, &[]);
        }
        let mut stubs = Stubs::default();
        let mut order = Vec::new();
        for (entry, way) in std::iter::zip(entries, ways) {
            // Steps are gone on with from elsewhere too.
            self.b.switch_to_block(way);
            self.by_keys(entry, |l, block| {
                let new = || {
                    let stub = l.b.create_block();
                    order.push((stub, block));
                    stub
                };
                *stubs.entry(block).or_insert_with(new)
            })?;
        }
        for (stub, to) in order {
            self.begin(stub);
            self.read_live(to);
            let place = self.place(to)?;
            self.jump(place, &[]);
            self.seal(to);
        }
        Some(())
    }

    /// Goes on where an entry leads to for what its keys hold.
    fn by_keys(
        &mut self,
        entry: &Entry,
        mut stub: impl FnMut(&mut Self, BlockId) -> Place,
    ) -> Option<()> {
        let places: Vec<Place> = entry.blocks.iter().map(|b| stub(self, *b)).collect();
        let (&first, rest) = places.split_first()?;
        if rest.iter().all(|place| *place == first) {
            self.b.ins().jump(first, &[]);
            return Some(());
        }
        let mut which = self.int(0);
        for &(slot, lo, size) in &entry.keys {
            let value = self.read_slot(slot);
            let over = self.b.ins().iadd_imm_s(value, lo.wrapping_neg());
            let (least, most) = (self.int(0), self.int(i64::from(size) - 1));
            let over = self.b.ins().smax(over, least);
            let over = self.b.ins().smin(over, most);
            let before = self.b.ins().imul_imm_s(which, i64::from(size));
            which = self.b.ins().iadd(before, over);
        }
        let mut switch = Switch::new();
        for (i, place) in rest.iter().enumerate() {
            switch.set_entry(i as u128 + 1, *place);
        }
        switch.emit(&mut self.b, which, first);
        Some(())
    }
}
