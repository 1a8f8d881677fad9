//! `e after { … }`: the variables that the statements store to are kept aside, or what is stored to them is noted, and put back
//! once e is worked out.

use super::Builder;
use crate::ir::*;
use crate::model::visit::Visitor;
use crate::model::{Block, Expr, Part, Stmt, StmtKind, VarId};
use rustc_hash::FxHashSet;

impl Builder<'_> {
    pub(super) fn after(&mut self, body: &Block, value: &Expr, dst: Operand) {
        let kept = self.aside_of(body);
        let [ready, begin] = [(); 2].map(|()| self.new_block());
        self.jump(ready);
        self.start(ready);
        self.jump(begin);
        self.start(begin);
        // Here what is stored is read.
        let stored_aside = self.aside.take();
        self.block(body);
        let result = self.temporary(dst.words);
        self.compute(value, result);
        self.aside = stored_aside;
        let end = self.new_block();
        self.jump(end);
        let blocks: Vec<BlockId> = (begin.0..end.0).map(BlockId).collect();
        let vars: Vec<VarId> = kept.iter().map(|(var, _)| *var).collect();
        let noted = self.noted(&vars, &blocks, &FxHashSet::default(), 0);
        let mark = self.temporaries;
        // What the statements need may be in use where something is noted.
        self.temporaries = self.most_temporaries;
        let notes = self.with_notes(&noted, ready);
        let (copied, _): (Vec<_>, Vec<_>) = kept.into_iter().partition(|(var, _)| {
            let base = self.vars[var.0 as usize].base;
            !noted.iter().any(|noted| noted.is_of(base))
        });
        self.at_end_of(ready, |b| {
            for (var, aside) in &copied {
                b.copy_variable(*var, *aside, false);
            }
        });
        self.start(end);
        for notes in &notes {
            let none = self.number(0);
            self.put_back_noted(notes, none);
        }
        for (var, aside) in &copied {
            self.copy_variable(*var, *aside, true);
        }
        self.temporaries = mark;
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
