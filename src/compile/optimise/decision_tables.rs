//! Decision tables: several branches that depend on one value of few possibilities become one look-up.
//!
//! The table says for each value of the word where the branches lead in the end. Nothing on the way between may matter
//! afterwards.

use super::Pass;
use super::bounds::Bounds;
use super::dead_code::{live_in, successors};
use super::forward_analysis::{ForwardAnalysis, Visitor, analyse, order};
use super::tabulation::{Origin, small};
use super::values::{Value, Values};
use crate::compile::playout::Flow;
use crate::ir::*;
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) const PASS: Pass = Pass {
    name: "decision-tables",
    run: decision_tables,
};

/// The most places where a decision may lead.
const MOST_EXITS: usize = 4;
/// The most blocks of a decision.
const MOST_BLOCKS: usize = 40;
/// The most values of a word that a table distinguishes; for a decision of `n` branches also `PER_BRANCH * n`.
const MOST_VALUES: i64 = 4096;
const PER_BRANCH: i64 = 128;

fn decision_tables(program: &Program, flow: &mut Flow) {
    let mut seen = Decisions {
        conds: vec![None; flow.blocks.len()],
        origins: vec![Vec::new(); flow.blocks.len()],
    };
    let mut values = analyse(program, flow, &mut seen);
    let live = live_in(flow);
    let mut predecessors: Vec<Vec<BlockId>> = vec![Vec::new(); flow.blocks.len()];
    for (i, block) in flow.blocks.iter().enumerate() {
        for to in successors(&block.term) {
            predecessors[to.0 as usize].push(BlockId(i as u32));
        }
    }
    let outside: FxHashSet<BlockId> = flow.entries.iter().flat_map(|e| e.blocks.clone()).collect();
    let graph = Graph {
        seen: &seen,
        live: &live,
        predecessors: &predecessors,
        outside: &outside,
    };
    let mut gone: FxHashSet<BlockId> = FxHashSet::default();
    for head in order(flow) {
        if gone.contains(&head) {
            continue;
        }
        let best = graph.best(&mut values, flow, head, &gone);
        if let Some(decision) = best {
            gone.extend(decision.inside.iter().copied());
            write(flow, &mut values, head, &decision);
        }
    }
    flow.frame = flow.pool.end();
}

/// What each branch is decided by, and the single values on which that depends, where they stand.
struct Decisions {
    conds: Vec<Option<Value>>,
    origins: Vec<Vec<Origin>>,
}

impl Visitor for Decisions {
    fn instr(
        &mut self,
        _: &mut ForwardAnalysis<'_>,
        instr: Instr,
        _: &[(Slot, Value)],
        out: &mut Vec<Instr>,
    ) {
        out.push(instr);
    }

    fn end(&mut self, analysis: &mut ForwardAnalysis<'_>, block: BlockId, term: &mut Term) {
        let Term::Branch { cond, .. } = *term else {
            return;
        };
        let value = analysis.value(cond);
        self.conds[block.0 as usize] = Some(value);
        let origins = analysis.values.origins(&[value]);
        self.origins[block.0 as usize] = origins
            .into_iter()
            .filter_map(|v| {
                let bounds = analysis.bounds(v);
                let slot = analysis.slot_holding(&[v])?;
                small(bounds, MOST_VALUES).then_some((v, slot, bounds))
            })
            .collect();
    }
}

struct Decision {
    /// Where the value stands.
    slot: Slot,
    inside: Vec<BlockId>,
    exits: Vec<BlockId>,
    /// The exit for each value from 0 on.
    table: Vec<u64>,
}

struct Graph<'a> {
    seen: &'a Decisions,
    live: &'a [Slots],
    predecessors: &'a [Vec<BlockId>],
    outside: &'a FxHashSet<BlockId>,
}

impl Graph<'_> {
    /// The decision that saves the most branches.
    fn best(
        &self,
        values: &mut Values<'_>,
        flow: &Flow,
        head: BlockId,
        gone: &FxHashSet<BlockId>,
    ) -> Option<Decision> {
        let mut best: Option<(usize, Decision)> = None;
        for &(origin, slot, bounds) in &self.seen.origins[head.0 as usize] {
            let inside = self.region(values, flow, head, origin, gone);
            let branches = inside.iter().filter(|b| is_branch(flow, **b)).count();
            if best.as_ref().is_some_and(|(n, _)| *n >= branches)
                || !small(bounds, PER_BRANCH * branches as i64)
            {
                continue;
            }
            let found = self.fill(values, flow, &inside, origin, bounds);
            if let Some((exits, table)) = found {
                let decision = Decision {
                    slot,
                    inside,
                    exits,
                    table,
                };
                best = Some((branches, decision));
            }
        }
        best.map(|(_, decision)| decision)
    }

    /// The head, and the blocks behind it that can only be come to from there, depend on the value and do nothing else.
    fn region(
        &self,
        values: &Values<'_>,
        flow: &Flow,
        head: BlockId,
        origin: Value,
        gone: &FxHashSet<BlockId>,
    ) -> Vec<BlockId> {
        let depends = |block: BlockId| match self.seen.conds[block.0 as usize] {
            Some(cond) => values.steps(&[cond], origin).is_some(),
            None => matches!(flow.blocks[block.0 as usize].term, Term::Jump(_)),
        };
        let mut inside = vec![head];
        let mut changed = true;
        while changed && inside.len() < MOST_BLOCKS {
            changed = false;
            let next: Vec<BlockId> = inside
                .iter()
                .flat_map(|b| successors(&flow.blocks[b.0 as usize].term))
                .collect();
            for block in next {
                let fits = !inside.contains(&block)
                    && !self.outside.contains(&block)
                    && !gone.contains(&block)
                    && self.predecessors[block.0 as usize]
                        .iter()
                        .all(|b| inside.contains(b))
                    && flow.blocks[block.0 as usize]
                        .instrs
                        .iter()
                        .all(Instr::is_pure)
                    && depends(block);
                if fits {
                    inside.push(block);
                    changed = true;
                }
            }
        }
        // What is written inside must not matter outside, nor at the head when play comes round to it.
        loop {
            let exits: Vec<BlockId> = inside
                .iter()
                .flat_map(|b| successors(&flow.blocks[b.0 as usize].term))
                .filter(|b| !inside[1..].contains(b))
                .collect();
            let mut matters = FxHashSet::default();
            for &block in &inside[1..] {
                let mut wanted = false;
                for instr in &flow.blocks[block.0 as usize].instrs {
                    instr.clobbers(&mut |slot, words| {
                        for s in slot..slot + words {
                            wanted |= exits.iter().any(|e| self.live[e.0 as usize].contains(s));
                        }
                    });
                }
                if wanted {
                    matters.insert(block);
                }
            }
            if matters.is_empty() {
                return inside;
            }
            // Nor may they leave blocks behind that come after them.
            loop {
                let more: Vec<BlockId> = inside[1..]
                    .iter()
                    .copied()
                    .filter(|b| !matters.contains(b))
                    .filter(|b| {
                        self.predecessors[b.0 as usize]
                            .iter()
                            .any(|from| matters.contains(from))
                    })
                    .collect();
                if more.is_empty() {
                    break;
                }
                matters.extend(more);
            }
            inside.retain(|b| !matters.contains(b));
        }
    }

    /// Where each value leads.
    fn fill(
        &self,
        values: &mut Values<'_>,
        flow: &Flow,
        inside: &[BlockId],
        origin: Value,
        bounds: Bounds,
    ) -> Option<(Vec<BlockId>, Vec<u64>)> {
        let conds: Vec<Value> = inside
            .iter()
            .filter_map(|b| self.seen.conds[b.0 as usize])
            .collect();
        let steps = values.steps(&conds, origin)?;
        values.affords(&steps, bounds.1 + 1).then_some(())?;
        let mut exits: Vec<BlockId> = Vec::new();
        let mut table = Vec::new();
        // What all ways together take in steps, and how many there are.
        let (mut taken, mut ways) = (0, 0);
        for word in 0..=bounds.1 {
            // What does not happen leads anywhere.
            let decided = (word >= bounds.0)
                .then(|| values.evaluate(&conds, &steps, word as u64))
                .flatten();
            let Some(decided) = decided else {
                table.push(0);
                continue;
            };
            let of: FxHashMap<Value, u64> = conds.iter().copied().zip(decided).collect();
            let mut at = inside[0];
            let mut left = 2 * MOST_BLOCKS;
            ways += 1;
            loop {
                if at != inside[0] {
                    // A test and its jump are one step.
                    let alone = usize::from(is_branch(flow, at));
                    taken += flow.blocks[at.0 as usize]
                        .instrs
                        .len()
                        .saturating_sub(alone);
                }
                taken += usize::from(is_branch(flow, at));
                at = match flow.blocks[at.0 as usize].term {
                    Term::Jump(to) => to,
                    Term::Branch {
                        then, otherwise, ..
                    } => {
                        let cond = self.seen.conds[at.0 as usize]?;
                        if *of.get(&cond)? != 0 {
                            then
                        } else {
                            otherwise
                        }
                    }
                    _ => return None,
                };
                left = left.checked_sub(1)?;
                if !inside.contains(&at) || at == inside[0] {
                    break;
                }
            }
            let exit = exits.iter().position(|e| *e == at).unwrap_or_else(|| {
                exits.push(at);
                exits.len() - 1
            });
            table.push(exit as u64);
            if exits.len() > MOST_EXITS {
                return None;
            }
        }
        // Those of the look-up and of the jumps after it.
        let steps = 1 + exits.len().saturating_sub(1);
        (taken > ways * steps).then_some((exits, table))
    }
}

fn is_branch(flow: &Flow, block: BlockId) -> bool {
    matches!(flow.blocks[block.0 as usize].term, Term::Branch { .. })
}

/// Puts the look-up in the place of the branches.
fn write(flow: &mut Flow, values: &mut Values<'_>, head: BlockId, decision: &Decision) {
    let program = values.program;
    match decision.exits[..] {
        [] => {}
        [only] => flow.blocks[head.0 as usize].term = Term::Jump(only),
        ref exits => {
            let Some(table) = flow.pool.table(program, 1, decision.table.clone()) else {
                return;
            };
            let decided = flow.pool.fresh();
            let block = &mut flow.blocks[head.0 as usize];
            block.instrs.push(Instr::Table {
                dst: decided,
                table,
                index: decision.slot,
                words: 1,
            });
            let mut at = head;
            for (i, exit) in exits.iter().enumerate().skip(1).rev() {
                // The exits with the greatest numbers are asked for first; at the end 1 is left, and 0.
                if i == 1 {
                    flow.blocks[at.0 as usize].term = Term::Branch {
                        cond: decided,
                        then: *exit,
                        otherwise: exits[0],
                    };
                    break;
                }
                let cond = flow.pool.fresh();
                let next = BlockId(flow.blocks.len() as u32);
                flow.blocks.push(Block::default());
                let block = &mut flow.blocks[at.0 as usize];
                block.instrs.push(Instr::Immediate {
                    op: Op::Eq,
                    dst: cond,
                    a: decided,
                    value: i as i64,
                });
                block.term = Term::Branch {
                    cond,
                    then: *exit,
                    otherwise: next,
                };
                at = next;
            }
        }
    }
}
