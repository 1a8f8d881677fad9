//! Early exit: a loop that gathers a set of which nothing is asked but whether it is empty ends with the first element.

use super::Pass;
use super::dead_code::{live_in, successors};
use super::forward_analysis::order;
use crate::compile::playout::Flow;
use crate::ir::*;
use rustc_hash::{FxHashMap, FxHashSet};

pub(super) const PASS: Pass = Pass {
    name: "early-exit",
    run: early_exit,
};

fn early_exit(_: &Program, flow: &mut Flow) {
    let gathered = gathered(flow);
    if gathered.is_empty() {
        return;
    }
    let live = live_in(flow);
    for inside in loops(flow) {
        let Some(exit) = exit(flow, &inside) else {
            continue;
        };
        for &set in &gathered {
            if leaves_else_alone(flow, &inside, set, &live[exit.0 as usize]) {
                for id in &inside {
                    let block = &mut flow.blocks[id.0 as usize];
                    if block.instrs.iter().any(|i| gathers(i) == Some(set)) {
                        block.term = Term::Jump(exit);
                    }
                }
            }
        }
    }
}

/// The set to which an instruction adds an element.
fn gathers(instr: &Instr) -> Option<Operand> {
    match instr {
        Instr::SetInsert { set, .. } => Some(*set),
        _ => None,
    }
}

/// The set of which an instruction asks no more than whether it is empty.
fn asked(flow: &Flow, instr: &Instr) -> Option<Operand> {
    let Instr::SetEq { a, b, words, .. } = instr else {
        return None;
    };
    let none = (*b..*b + u32::from(*words)).all(|slot| flow.pool.constant(slot) == Some(0));
    none.then_some(Operand {
        slot: *a,
        words: *words,
    })
}

/// The set that an instruction copies as a whole, and where to.
fn copied(instr: &Instr) -> Option<[Operand; 2]> {
    match *instr {
        Instr::Copy { dst, src, words } => Some([src, dst].map(|slot| Operand { slot, words })),
        _ => None,
    }
}

/// The sets that are made by adding elements, and of which, and of whose copies, nothing else is asked.
fn gathered(flow: &Flow) -> Vec<Operand> {
    let all = || flow.blocks.iter().flat_map(|block| &block.instrs);
    let added: FxHashSet<Operand> = all().filter_map(gathers).collect();
    // Of these nobody may ask more.
    let mut sets = added.clone();
    loop {
        let copies = all().filter_map(copied);
        let further: Vec<Operand> = copies
            .filter(|[src, dst]| sets.contains(src) && !sets.contains(dst))
            .map(|[_, dst]| dst)
            .collect();
        if further.is_empty() {
            break;
        }
        sets.extend(further);
    }
    loop {
        let read = read(flow, &sets);
        let before = sets.len();
        let whole =
            |set: &Operand| (set.slot..set.slot + u32::from(set.words)).all(|s| !read.contains(s));
        sets.retain(whole);
        if sets.len() == before {
            break;
        }
    }
    let mut gathered: Vec<Operand> = added.into_iter().filter(|set| sets.contains(set)).collect();
    gathered.sort_unstable_by_key(|set| (set.slot, set.words));
    gathered
}

/// The slots that somebody reads or changes in part otherwise than is allowed for some sets: to add an element, to ask whether
/// one is empty, and to copy one to another.
fn read(flow: &Flow, sets: &FxHashSet<Operand>) -> Slots {
    let mut read = Slots::new(flow.pool.end());
    let wanted = flow.payoffs.iter().chain(std::iter::once(&flow.last));
    wanted.for_each(|slot| read.insert(*slot));
    for block in &flow.blocks {
        if let Term::Branch { cond, .. } = block.term {
            read.insert(cond);
        }
        for instr in &block.instrs {
            let copied = copied(instr).filter(|[_, dst]| sets.contains(dst));
            let copied = copied.map(|[src, _]| src);
            let known = gathers(instr).or_else(|| asked(flow, instr)).or(copied);
            instr.touch(&mut Reader(&mut |slot, words, access, _| {
                let touched = Operand {
                    slot,
                    words: words as u16,
                };
                let whole = access == Access::Write && sets.contains(&touched);
                if !whole && known != Some(touched) {
                    (slot..slot + words).for_each(|s| read.insert(s));
                }
            }));
        }
    }
    read
}

/// The blocks of each loop that is entered by its head alone, and in which nothing happens but that values are computed; in
/// the order of their numbers.
fn loops(flow: &Flow) -> Vec<Vec<BlockId>> {
    let order = order(flow);
    let place: FxHashMap<BlockId, usize> = order.iter().copied().zip(0..).collect();
    let mut predecessors = vec![Vec::new(); flow.blocks.len()];
    for &from in &order {
        for to in successors(&flow.blocks[from.0 as usize].term) {
            predecessors[to.0 as usize].push(from);
        }
    }
    let entries = flow.entries.iter().flat_map(|e| &e.blocks).copied();
    let entries: FxHashSet<BlockId> = entries.collect();
    let computes = |id: BlockId| {
        let block = &flow.blocks[id.0 as usize];
        let goes_on = matches!(block.term, Term::Jump(_) | Term::Branch { .. });
        goes_on && block.instrs.iter().all(Instr::is_pure)
    };
    let inside_of = |head: BlockId| {
        let back = predecessors[head.0 as usize].iter().copied();
        let mut waiting: Vec<BlockId> = back.filter(|b| place[b] >= place[&head]).collect();
        if waiting.is_empty() || !computes(head) {
            return None;
        }
        let mut inside = FxHashSet::from_iter([head]);
        while let Some(id) = waiting.pop() {
            if !inside.insert(id) {
                continue;
            }
            // Another way in would be found here.
            if place[&id] < place[&head] || entries.contains(&id) || !computes(id) {
                return None;
            }
            waiting.extend(&predecessors[id.0 as usize]);
        }
        let mut inside: Vec<BlockId> = inside.into_iter().collect();
        inside.sort_unstable();
        Some(inside)
    };
    order.iter().copied().filter_map(inside_of).collect()
}

/// Where a loop leads to, if that is one place.
fn exit(flow: &Flow, inside: &[BlockId]) -> Option<BlockId> {
    let ways = inside
        .iter()
        .flat_map(|id| successors(&flow.blocks[id.0 as usize].term));
    let mut out = ways.filter(|to| inside.binary_search(to).is_err());
    let exit = out.next()?;
    out.all(|to| to == exit).then_some(exit)
}

/// Whether nothing that is wanted afterwards is computed in a loop but a set, and elements are only added to that.
fn leaves_else_alone(flow: &Flow, inside: &[BlockId], set: Operand, wanted: &Slots) -> bool {
    let own = set.slot..set.slot + u32::from(set.words);
    let mut alone = true;
    for id in inside {
        let instrs = flow.blocks[id.0 as usize].instrs.iter();
        for instr in instrs.filter(|i| gathers(i) != Some(set)) {
            instr.clobbers(&mut |slot, words| {
                alone &= (slot..slot + words).all(|s| !own.contains(&s) && !wanted.contains(s));
            });
        }
    }
    alone
}
