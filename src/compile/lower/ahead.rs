//! Code that is run while the game is compiled: it reads nothing but constants and what it is given.

use super::tabulate::{FIRST_ROWS, is_too_long};
use super::{Builder, TEMPORARY};
use crate::ir::meaning::compute;
use crate::ir::*;
use crate::model::types::Type;

/// Code with a frame of its own, in which temporaries have their places already.
pub(super) struct Ahead {
    first: BlockId,
    blocks: Vec<Block>,
    named: u32,
    frame: Vec<u64>,
}

impl Builder<'_> {
    /// Writes code, which is taken out of the graph again, for [`Ahead::run`].
    pub(super) fn ahead(&mut self, write: impl FnOnce(&mut Self)) -> Ahead {
        let (before, rounds) = (self.blocks.len(), self.rounds.len());
        // What was computed before is in no frame of this code, and what is bound here is nobody else's.
        let invariants = std::mem::take(&mut self.invariants);
        let on_demand = std::mem::take(&mut self.on_demand);
        let given = std::mem::take(&mut self.given);
        let (locals, bound) = (self.locals.clone(), self.bound.clone());
        let first = self.scope(|b| b.aside(write));
        (self.locals, self.bound, self.invariants) = (locals, bound, invariants);
        self.on_demand = on_demand;
        self.given = given;
        let named = self.named;
        // Other blocks will have these numbers.
        self.rounds.truncate(rounds);
        let mut blocks = self.blocks.split_off(before);
        for block in &mut blocks {
            let instrs = block.instrs.iter_mut();
            instrs
                .for_each(|instr| instr.visit_mut(&mut |slot, _, _| *slot = placed(*slot, named)));
            if let Term::Branch { cond, .. } = &mut block.term {
                *cond = placed(*cond, named);
            }
        }
        Ahead {
            first,
            blocks,
            named,
            frame: vec![0; (named + self.most_temporaries) as usize],
        }
    }
}

fn placed(slot: Slot, named: u32) -> Slot {
    match slot.checked_sub(TEMPORARY) {
        Some(temporary) => named + temporary,
        None => slot,
    }
}

impl Ahead {
    /// The words of an operand.
    pub fn value(&mut self, o: Operand) -> &mut [u64] {
        let from = placed(o.slot, self.named) as usize;
        &mut self.frame[from..from + usize::from(o.words)]
    }

    /// Puts the values for a row where the code looks for them: of each key one of those of its type, the last key fastest.
    pub fn give(&mut self, keys: &[(&Type, Operand)], mut row: u64) -> Option<()> {
        for (ty, slot) in keys.iter().rev() {
            let size = ty.field_size()?;
            self.value(*slot)[0] = ty.value_at(row % size) as u64;
            row /= size;
        }
        Some(())
    }

    /// What stands at `result` after the code was run for each of so many rows; `None` as for [`Ahead::run`].
    pub fn run_for_each(
        &mut self,
        (keys, rows): (&[(&Type, Operand)], u64),
        result: Operand,
        tables: &[Table],
        steps: &mut u64,
    ) -> Option<Table> {
        let mut values = Vec::new();
        let given_out = *steps;
        for row in 0..rows {
            if row == FIRST_ROWS && is_too_long(given_out - *steps, *steps, rows) {
                return None;
            }
            self.give(keys, row)?;
            self.run(tables, steps, &mut |_, _| None)?;
            values.extend_from_slice(self.value(result));
        }
        Some(Table {
            words: result.words,
            values,
        })
    }

    /// Whether a slot below `first` is read that is not in one of these places.
    pub fn reads_below(&self, first: Slot, but: &[Operand]) -> bool {
        let within = |slot: Slot, o: &Operand| o.slot <= slot && slot < o.slot + u32::from(o.words);
        let mut stray = false;
        let mut read = |slot: Slot| {
            stray |= slot < first && !but.iter().any(|o| within(slot, o));
        };
        for block in &self.blocks {
            for instr in &block.instrs {
                instr.visit(&mut |slot, _, written| {
                    if !written {
                        read(slot);
                    }
                });
            }
            if let Term::Branch { cond, .. } = block.term {
                read(cond);
            }
        }
        stray
    }

    /// Runs the code, and hears of each tuple that is emitted, with its weight, until `emitted` wants no more. `None` also on
    /// an error of play, and after so many `steps`, of which those that were taken are gone then.
    pub fn run(
        &mut self,
        tables: &[Table],
        steps: &mut u64,
        emitted: &mut dyn FnMut(&mut Ahead, Option<u64>) -> Option<()>,
    ) -> Option<()> {
        let mut at = self.first;
        loop {
            let place = at.0.checked_sub(self.first.0)? as usize;
            let cost = 1 + self.blocks.get(place)?.instrs.len();
            *steps = steps.checked_sub(cost as u64)?;
            for i in 0..cost - 1 {
                let instr = &self.blocks[place].instrs[i];
                if let Instr::Emit { weight, .. } = instr {
                    let weight = weight.map(|weight| self.frame[weight as usize]);
                    emitted(self, weight)?;
                } else {
                    compute(tables, &mut self.frame, instr).ok()?;
                }
            }
            at = match self.blocks[place].term {
                Term::Jump(to) => to,
                Term::Branch {
                    cond,
                    then,
                    otherwise,
                } => match self.frame[cond as usize] {
                    0 => otherwise,
                    _ => then,
                },
                Term::Return => return Some(()),
                _ => return None,
            };
        }
    }
}
