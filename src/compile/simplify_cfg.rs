//! Threads jumps through empty blocks, folds a block into the only one that jumps to it, and drops what is never reached.

use super::lower::Parts;
use super::playout::Entry;
use crate::ir::*;
use rustc_hash::FxHashMap;

pub(super) fn simplify(blocks: &mut Vec<Block>, outside: &mut impl Rooted) {
    thread(blocks, outside);
    merge(blocks, outside);
    drop_unreached(blocks, outside);
}

/// What refers to blocks from outside the graph.
pub(super) trait Rooted {
    /// Calls `f` on every reference.
    fn roots(&mut self, f: &mut dyn FnMut(&mut BlockId));
}

impl Rooted for Parts {
    fn roots(&mut self, f: &mut dyn FnMut(&mut BlockId)) {
        roots(self, f);
        for (first, after) in &mut self.notes {
            f(first);
            f(after);
        }
    }
}

impl Rooted for Vec<Entry> {
    fn roots(&mut self, f: &mut dyn FnMut(&mut BlockId)) {
        self.iter_mut().flat_map(|e| &mut e.blocks).for_each(f);
    }
}

fn roots(parts: &mut Parts, f: &mut dyn FnMut(&mut BlockId)) {
    f(&mut parts.entry);
    for node in &mut parts.nodes {
        f(&mut node.resume);
        let listings: Vec<&mut Listing> = match &mut node.kind {
            NodeKind::Decision(arms) => arms.iter_mut().map(|a| &mut a.listing).collect(),
            NodeKind::Chance(listing) => vec![listing],
            NodeKind::Terminal => Vec::new(),
        };
        for listing in listings {
            match &mut listing.kind {
                ListingKind::Set { code, .. }
                | ListingKind::Loop { code, .. }
                | ListingKind::Subset { code, .. } => f(code),
            }
            if let Some(trial) = &mut listing.trial {
                trial.blocks().for_each(&mut *f);
            }
            if let Some(option_test) = &mut listing.option_test {
                f(&mut option_test.code);
                f(&mut option_test.after);
            }
            for alternative in &mut listing.alternatives {
                f(&mut alternative.text.code);
                alternative.ratings.iter_mut().for_each(|r| f(&mut r.code));
            }
        }
    }
    for knowledge in parts
        .knowledge
        .iter_mut()
        .filter_map(|k| k.of_state.as_mut())
    {
        f(&mut knowledge.code);
    }
    f(&mut parts.payoff.code);
    if let Some((code, _)) = &mut parts.payoff.accumulated {
        f(code);
    }
}

pub(super) fn targets(term: &mut Term, f: &mut dyn FnMut(&mut BlockId)) {
    match term {
        Term::Jump(to) => f(to),
        Term::Branch {
            then, otherwise, ..
        } => {
            f(then);
            f(otherwise);
        }
        Term::Rest(_) | Term::Return | Term::Fail(_) => {}
    }
}

/// Where an empty block leads in the end.
fn thread(blocks: &mut [Block], outside: &mut impl Rooted) {
    let mut leads: Vec<BlockId> = (0..blocks.len() as u32).map(BlockId).collect();
    for (i, lead) in leads.iter_mut().enumerate() {
        let mut at = BlockId(i as u32);
        // A chain longer than this is a loop of empty blocks, which a listing without elements may leave behind.
        for _ in 0..64 {
            let block = &blocks[at.0 as usize];
            match block.term {
                Term::Jump(to) if block.instrs.is_empty() && to != at => at = to,
                _ => break,
            }
        }
        *lead = at;
    }
    for block in blocks.iter_mut() {
        targets(&mut block.term, &mut |id| *id = leads[id.0 as usize]);
        if let Term::Branch {
            then, otherwise, ..
        } = block.term
            && then == otherwise
        {
            block.term = Term::Jump(then);
        }
    }
    outside.roots(&mut |id| *id = leads[id.0 as usize]);
}

/// Appends a block to its only predecessor where that jumps to it.
fn merge(blocks: &mut [Block], outside: &mut impl Rooted) {
    let mut predecessors: FxHashMap<BlockId, u32> = FxHashMap::default();
    let reached = reached(blocks, outside);
    for (block, _) in blocks.iter_mut().zip(&reached).filter(|(_, r)| **r) {
        targets(&mut block.term, &mut |id| {
            *predecessors.entry(*id).or_default() += 1;
        });
    }
    outside.roots(&mut |id| *predecessors.entry(*id).or_default() += 2);
    for i in 0..blocks.len() {
        if !reached[i] {
            continue;
        }
        while let Term::Jump(to) = blocks[i].term {
            if to.0 as usize == i || predecessors.get(&to) != Some(&1) {
                break;
            }
            let Block { instrs, term, .. } = std::mem::take(&mut blocks[to.0 as usize]);
            blocks[i].instrs.extend(instrs);
            blocks[i].term = term;
        }
    }
}

fn reached(blocks: &mut [Block], outside: &mut impl Rooted) -> Vec<bool> {
    let mut reached = vec![false; blocks.len()];
    let mut stack = Vec::new();
    outside.roots(&mut |id| stack.push(*id));
    while let Some(id) = stack.pop() {
        if std::mem::replace(&mut reached[id.0 as usize], true) {
            continue;
        }
        targets(&mut blocks[id.0 as usize].term, &mut |to| stack.push(*to));
    }
    reached
}

fn drop_unreached(blocks: &mut Vec<Block>, outside: &mut impl Rooted) {
    // A node that no block rests at keeps its number: nodes are few, and numbers are part of information states.
    let reached = reached(blocks, outside);
    let mut renumbered = Vec::with_capacity(blocks.len());
    let mut next = 0;
    for &r in &reached {
        renumbered.push(BlockId(next));
        next += u32::from(r);
    }
    let mut i = 0;
    blocks.retain(|_| {
        i += 1;
        reached[i - 1]
    });
    for block in blocks.iter_mut() {
        targets(&mut block.term, &mut |id| *id = renumbered[id.0 as usize]);
    }
    outside.roots(&mut |id| *id = renumbered[id.0 as usize]);
}
