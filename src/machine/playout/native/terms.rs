//! The ends of blocks, and of calls.

use super::code::{BAD_INDEX, FAULT, FAULT_SHIFT, FINE, TOO_MANY_STEPS, at};
use super::lower::Lower;
use crate::ir::*;
use crate::machine::interpret::MAX_STEPS;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block as Place, InstBuilder, Value};

impl Lower<'_, '_> {
    /// Ends a block. `back`: for a block that is written already what it takes to go on there.
    pub fn term(&mut self, id: BlockId, back: impl Fn(BlockId) -> Option<u64>) -> Option<()> {
        let flow = self.flow;
        if let Some(end) = self.diamonds.end(id) {
            self.diamond(id, end)?;
            let to = self.way(end, &back)?;
            self.jump(to, &[]);
            return Some(());
        }
        match flow.blocks[id.0 as usize].term {
            Term::Jump(to) => {
                let to = self.way(to, &back)?;
                self.jump(to, &[]);
            }
            Term::Branch {
                cond,
                then,
                otherwise,
            } => {
                let test = self.test(cond);
                let (a, ways_a) = self.way_in_between(then, &back)?;
                let (b, ways_b) = self.way_in_between(otherwise, &back)?;
                self.b.ins().brif(test, a, &[], b, &[]);
                for (between, to) in [(ways_a, then), (ways_b, otherwise)] {
                    if let Some(between) = between {
                        self.begin(between);
                        let to = self.way(to, &back)?;
                        self.jump(to, &[]);
                    }
                }
            }
            Term::Return => {
                self.returned();
                for slot in flow.payoffs.iter().copied().chain([flow.last]) {
                    self.hand_over(slot);
                }
                self.put_generator();
                self.end(FINE);
            }
            Term::Fail(fault) => self.fail(fault, None),
            Term::Rest(_) => self.bad_index(),
        }
        Some(())
    }

    /// A block to branch to: where going there costs something, one of its own.
    fn way_in_between(
        &mut self,
        to: BlockId,
        back: impl Fn(BlockId) -> Option<u64>,
    ) -> Option<(Place, Option<Place>)> {
        let place = self.place(to)?;
        Some(match back(to) {
            None => (place, None),
            Some(_) => {
                let between = self.b.create_block();
                (between, Some(between))
            }
        })
    }

    /// Where to jump, when it is paid.
    fn way(&mut self, to: BlockId, back: impl Fn(BlockId) -> Option<u64>) -> Option<Place> {
        if let Some(cost) = back(to) {
            let cost = i64::try_from(cost).unwrap_or(i64::MAX).min(1 << 30);
            let fuel = self.load(self.ctx, at::FUEL);
            let left = self.b.ins().iadd_imm_s(fuel, -cost);
            self.store(left, self.ctx, at::FUEL);
            let enough = self.compare(IntCC::SignedGreaterThan, left, 0);
            self.expect_or(enough, TOO_MANY_STEPS);
        }
        self.place(to)
    }

    /// The bound is on the steps between two moves.
    pub fn refuel(&mut self) {
        if !self.fuel.is_used() {
            return;
        }
        let fuel = self.int(MAX_STEPS as i64);
        self.store(fuel, self.ctx, at::FUEL);
    }

    /// Ends the call.
    pub fn end(&mut self, said: i64) {
        let said = self.int(said);
        self.b.ins().return_(&[said]);
    }

    pub fn bad_index(&mut self) {
        self.end(BAD_INDEX);
    }

    /// Ends the call with a fault, about a value or about 0.
    pub fn fail(&mut self, fault: FaultId, value: Option<Value>) {
        let value = value.unwrap_or_else(|| self.int(0));
        self.store(value, self.ctx, at::VALUE);
        self.end(said_of(fault));
    }
}

/// The word that a call ends with for a fault.
pub(super) fn said_of(fault: FaultId) -> i64 {
    FAULT | i64::from(fault) << FAULT_SHIFT
}
