//! `e after { … }`: the variables that the statements store to are kept aside, and put back once e is worked out.

use super::Builder;
use crate::ir::*;
use crate::model::visit::Visitor;
use crate::model::{Block, Expr, Part, Stmt, StmtKind, VarId};

impl Builder<'_> {
    pub(super) fn after(&mut self, body: &Block, value: &Expr, dst: Operand) {
        let kept = self.aside_of(body);
        for (var, aside) in &kept {
            self.copy_variable(*var, *aside, false);
        }
        self.block(body);
        let result = self.temporary(dst.words);
        self.compute(value, result);
        for (var, aside) in &kept {
            self.copy_variable(*var, *aside, true);
        }
        self.copy(dst, result);
    }

    /// The variables that a block stores to, each with a stretch of slots as long.
    pub(super) fn aside_of(&mut self, body: &Block) -> Vec<(VarId, Slot)> {
        let vars = stored(body).into_iter().map(|var| {
            let slots = &self.vars[var.0 as usize];
            let words = slots.elements * u32::from(slots.words);
            (var, self.stretch(words))
        });
        vars.collect()
    }

    pub(super) fn copy_variable(&mut self, var: VarId, aside: Slot, back: bool) {
        let slots = &self.vars[var.0 as usize];
        let (base, all) = (slots.base, slots.elements * u32::from(slots.words));
        let mut done = 0;
        while done < all {
            let words = (all - done).min(u32::from(u16::MAX)) as u16;
            let (from, to) = (base + done, aside + done);
            let (src, dst) = if back { (to, from) } else { (from, to) };
            self.emit(Instr::Copy { dst, src, words });
            done += u32::from(words);
        }
    }
}

/// The variables that a block stores to. Those of an `after` inside it are put back by that one.
fn stored(body: &Block) -> Vec<VarId> {
    let mut vars = Vec::new();
    body.walk(&mut Stored(&mut vars));
    vars.sort();
    vars.dedup();
    vars
}

struct Stored<'v>(&'v mut Vec<VarId>);

impl<'d> Visitor<'d> for Stored<'_> {
    fn expr(&mut self, _: &'d Expr) {}

    fn stmt(&mut self, s: &'d Stmt) {
        if let StmtKind::Store { place, .. } = &s.kind {
            self.0.push(place.var);
        }
        s.walk(self);
    }

    fn part(&mut self, p: &'d Part) {
        self.0.extend(p.into.as_ref().map(|place| place.var));
    }
}
