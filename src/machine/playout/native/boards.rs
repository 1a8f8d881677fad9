//! Walks over boards: the neighbours of sets, and what can be reached from them.

use super::code::Helper;
use super::lower::Lower;
use crate::ir::*;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value, types};

impl Lower<'_, '_> {
    /// Writes an instruction on a board.
    pub fn board(&mut self, instr: &Instr) {
        match instr {
            Instr::SetNeighbours { dst, src, table } => {
                if let Some(lattice) = self.data.lattice(*table) {
                    let words = self.words(*src);
                    let found = self.shifted(&words, &lattice);
                    return self.put(dst.slot, &found);
                }
                self.walk(instr, *table, Helper::Neighbours, &[dst.slot, src.slot]);
            }
            Instr::SetGroup {
                dst,
                from,
                within,
                table,
            } => {
                if let Some(lattice) = self.data.lattice(*table) {
                    let (from, within) = (self.words(*from), self.words(*within));
                    let found = self.flood(&from, &within, &lattice);
                    return self.put(dst.slot, &found);
                }
                let slots = [dst.slot, from.slot, within.slot];
                self.walk(instr, *table, Helper::Group, &slots);
            }
            _ => self.other(instr),
        }
    }

    /// A walk that a helper makes, from slots to slots.
    fn walk(&mut self, instr: &Instr, table: u32, helper: Helper, slots: &[Slot]) {
        let Some(board) = self.data.board(table) else {
            return self.other(instr);
        };
        let mut changed = Vec::new();
        instr.clobbers(&mut |slot, words| changed.push((slot, words)));
        self.on_frame(instr, &changed, |l| {
            let mut arguments = vec![l.ctx, l.int(board as i64)];
            for slot in slots {
                arguments.push(l.int(i64::from(*slot)));
            }
            l.call(helper, &arguments)
        });
    }

    /// The neighbours of a set, way by way.
    fn shifted(&mut self, set: &[Value], lattice: &Lattice) -> Vec<Value> {
        let mut found: Vec<Option<Value>> = vec![None; set.len()];
        for (by, from) in &lattice.ways {
            let moved: Vec<Value> = std::iter::zip(set, from)
                .map(|(word, from)| self.b.ins().band_imm_s(*word, *from as i64))
                .collect();
            let (over, bits) = (by.div_euclid(64), i64::from(by.rem_euclid(64)));
            for (to, found) in (0..).zip(&mut found) {
                // What comes from the word so far below, and what from the one below that.
                let word = |at: i32| {
                    usize::try_from(at)
                        .ok()
                        .and_then(|at| moved.get(at).copied())
                };
                let mut add = |l: &mut Self, part: Value| {
                    *found = Some(match *found {
                        None => part,
                        Some(found) => l.b.ins().bor(found, part),
                    });
                };
                if let Some(low) = word(to - over) {
                    let part = self.b.ins().ishl_imm_u(low, bits);
                    add(self, part);
                }
                if let Some(high) = word(to - over - 1).filter(|_| bits > 0) {
                    let part = self.b.ins().ushr_imm_u(high, 64 - bits);
                    add(self, part);
                }
            }
        }
        let found = found.into_iter();
        found
            .map(|word| word.unwrap_or_else(|| self.int(0)))
            .collect()
    }

    /// What can be reached from `from` inside `within`: neighbours are added until there is none left.
    fn flood(&mut self, from: &[Value], within: &[Value], lattice: &Lattice) -> Vec<Value> {
        let start: Vec<BlockArg> = std::iter::zip(from, within)
            .map(|(from, within)| self.b.ins().band(*from, *within).into())
            .collect();
        let (head, done) = (self.b.create_block(), self.b.create_block());
        let found: Vec<Value> = from
            .iter()
            .map(|_| self.b.append_block_param(head, types::I64))
            .collect();
        self.b.ins().jump(head, &start);
        self.b.switch_to_block(head);
        let near = self.shifted(&found, lattice);
        let (mut grown, mut more): (Vec<BlockArg>, Option<Value>) = (Vec::new(), None);
        for ((found, near), within) in found.iter().zip(near).zip(within) {
            let inside = self.b.ins().band(near, *within);
            let fresh = self.b.ins().band_not(inside, *found);
            more = Some(match more {
                None => fresh,
                Some(more) => self.b.ins().bor(more, fresh),
            });
            grown.push(self.b.ins().bor(*found, fresh).into());
        }
        let more = more.unwrap_or_else(|| self.int(0));
        self.b.ins().brif(more, head, &grown, done, &[]);
        self.b.seal_block(head);
        self.begin(done);
        found
    }
}
