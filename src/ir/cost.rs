//! What it takes to run a block, in steps: so that a bound on steps is one on time, however much a block does at once.
//!
//! A short block is one step. What goes through whole sets, or over a board, counts for what it can come to at most.

use super::{Block, Bulk, Instr, Table};

/// So many instructions on single words make a step.
const PER_STEP: u64 = 16;

/// A binomial coefficient with long divisions.
const TO_COUNT_SUBSETS: u64 = 512;

/// Notes in each block what it costs.
pub fn count(blocks: &mut [Block], tables: &[Table]) {
    for block in blocks {
        let work: u64 = block.instrs.iter().map(|i| work(i, tables)).sum();
        block.cost = u32::try_from(1 + work / PER_STEP).unwrap_or(u32::MAX);
    }
}

/// The most that an instruction can come to, in units of one on a single word.
fn work(instr: &Instr, tables: &[Table]) -> u64 {
    let words = |n: u16| 1 + u64::from(n) / 4;
    // Elements are looked at one by one.
    let elements = |n: u16| u64::from(n) * 64;
    // A walk joins a row of the table for every node.
    let walk = |table: u32| {
        let size = tables.get(table as usize).map_or(0, |t| t.values.len());
        1 + size as u64 / 4
    };
    match instr {
        Instr::Copy { words: n, .. }
        | Instr::Select { words: n, .. }
        | Instr::Load { words: n, .. }
        | Instr::Store { words: n, .. }
        | Instr::Table { words: n, .. }
        | Instr::SetBinary { words: n, .. }
        | Instr::SetEq { words: n, .. }
        | Instr::SetSubset { words: n, .. } => words(*n),
        Instr::SetConst { words: w, .. } => 1 + w.len() as u64 / 4,
        Instr::SetCount { set, .. } | Instr::SetNext { set, .. } | Instr::SetLast { set, .. } => {
            words(set.words)
        }
        Instr::SetBefore { src, .. } => words(src.words),
        Instr::SetTop { src, .. } => elements(src.words),
        Instr::SetRange { dst, .. } | Instr::SetRun { dst, .. } => elements(dst.words),
        Instr::SetShift { src, .. } => elements(src.words),
        Instr::SetAround { table, .. } | Instr::SetGroup { table, .. } => walk(*table),
        Instr::SubsetFirst { set, .. } | Instr::SubsetNext { set, .. } => elements(set.words),
        Instr::Event(event) => 4 * (1 + event.parts.len() as u64),
        Instr::Emit { parts, bulk, .. } => {
            let counted = match bulk {
                Some(Bulk::Subsets { .. }) => TO_COUNT_SUBSETS,
                Some(Bulk::Elements { set, .. }) => words(set.words),
                Some(Bulk::Pairs { first, second }) => words(first.0.words + second.0.words),
                None => 0,
            };
            counted + parts.iter().map(|p| words(p.words)).sum::<u64>()
        }
        _ => 1,
    }
}
