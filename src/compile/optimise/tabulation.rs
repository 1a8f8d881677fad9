//! Tabulation: what depends on one value of few possibilities is computed at compile time, for each of them.
//!
//! So a table that is read at a place computed from an index becomes a table read at the index.

use super::Pass;
use super::bounds::Bounds;
use super::dead_code::{self, live_in};
use super::forward_analysis::{ForwardAnalysis, Visitor, analyse};
use super::values::{Value, Values, is_numbered};
use crate::compile::playout::Flow;
use crate::ir::*;

pub(super) const PASS: Pass = Pass {
    name: "tabulation",
    run: tabulation,
};

/// The most words of a table, and the most for a computation of cost `n` as a multiple of `n * n`.
const MOST_WORDS: usize = 4096;
const PER_COST: usize = 64;

/// A value on which alone others depend, where it stands, and its bounds.
pub(super) type Origin = (Value, Slot, Bounds);

/// Whether values within bounds may be numbers of rows.
pub(super) fn small(bounds: Bounds, most: i64) -> bool {
    bounds.0 >= 0 && bounds.1 < most
}

fn tabulation(program: &Program, flow: &mut Flow) {
    let mut candidates = Candidates {
        of: vec![Vec::new(); flow.blocks.len()],
        now: Vec::new(),
    };
    let mut values = analyse(program, flow, &mut candidates);
    let into = live_in(flow);
    for (i, of) in candidates.of.into_iter().enumerate() {
        if of.iter().all(Option::is_none) {
            continue;
        }
        let mut live = dead_code::live_out(flow, &into, BlockId(i as u32));
        let mut instrs = std::mem::take(&mut flow.blocks[i].instrs);
        let mut kept = Vec::with_capacity(instrs.len());
        // From the last on, so that what only leads to a look-up is dead. It stays for the next pass over dead code: in other
        // blocks look-ups may have come to read it since it was known what they read.
        for (instr, candidate) in std::mem::take(&mut instrs).into_iter().zip(of).rev() {
            let mut probe = live.clone();
            if !dead_code::transfer(&instr, &mut probe) {
                kept.push(instr);
                continue;
            }
            let looked_up = candidate.and_then(|c| c.table(&mut values, flow, &instr));
            match looked_up {
                Some(instr) => {
                    dead_code::transfer(&instr, &mut live);
                    kept.push(instr);
                }
                None => {
                    live = probe;
                    kept.push(instr);
                }
            }
        }
        kept.reverse();
        flow.blocks[i].instrs = kept;
    }
}

/// For each instruction of each block what it may be looked up by.
struct Candidates {
    of: Vec<Vec<Option<Candidate>>>,
    now: Vec<Option<Candidate>>,
}

#[derive(Clone)]
struct Candidate {
    results: Vec<Value>,
    /// Values on which alone the results depend, where they stand, and their bounds.
    origins: Vec<Origin>,
}

impl Visitor for Candidates {
    fn instr(
        &mut self,
        analysis: &mut ForwardAnalysis<'_>,
        instr: Instr,
        results: &[(Slot, Value)],
        out: &mut Vec<Instr>,
    ) {
        let mut candidate = None;
        if is_numbered(&instr) && !results.is_empty() {
            let results: Vec<Value> = results.iter().map(|(_, v)| *v).collect();
            let origins = analysis.values.origins(&results).into_iter();
            let origins: Vec<Origin> = origins
                .filter_map(|v| {
                    let bounds = analysis.bounds(v);
                    let slot = analysis.slot_holding(&[v])?;
                    small(bounds, MOST_WORDS as i64).then_some((v, slot, bounds))
                })
                .collect();
            if !origins.is_empty() {
                candidate = Some(Candidate { results, origins });
            }
        }
        self.now.push(candidate);
        out.push(instr);
    }

    fn end(&mut self, _: &mut ForwardAnalysis<'_>, block: BlockId, _: &mut Term) {
        self.of[block.0 as usize] = std::mem::take(&mut self.now);
    }
}

impl Candidate {
    /// The look-up instead of an instruction.
    fn table(self, values: &mut Values<'_>, flow: &mut Flow, instr: &Instr) -> Option<Instr> {
        let least = match instr {
            // The set to be filled need not be made.
            Instr::SetInsert { .. } => 1,
            // A look-up for a look-up is no loss.
            Instr::Table { .. } => 2,
            _ => 3,
        };
        let words = self.results.len();
        let mut best = None;
        for (origin, slot, bounds) in self.origins {
            let Some(steps) = values.steps(&self.results, origin) else {
                continue;
            };
            let cost = values.cost(&steps).max(2);
            let enough = values.cost(&steps) >= least;
            let size = (bounds.1 as usize + 1) * words;
            if enough && size <= MOST_WORDS.min(cost * cost * PER_COST) {
                best = Some((steps, slot, bounds));
            }
        }
        let (steps, slot, bounds) = best?;
        if !values.affords(&steps, bounds.1 + 1) {
            return None;
        }
        let mut dst = None;
        instr.clobbers(&mut |slot, _| dst = Some(slot));
        let mut rows = Vec::new();
        for word in 0..=bounds.1 {
            // What does not happen may be anything.
            let row = (word >= bounds.0)
                .then(|| values.evaluate(&self.results, &steps, word as u64))
                .flatten();
            rows.extend(row.unwrap_or_else(|| vec![0; words]));
        }
        let words = words as u16;
        let table = flow.pool.table(values.program, words, rows)?;
        Some(Instr::Table {
            dst: dst?,
            table,
            index: slot,
            words,
        })
    }
}
