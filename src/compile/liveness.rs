//! Which slots are still wanted at each node: backward data flow over the graph.

use super::optimise::successors;
use crate::ir::*;
use rustc_hash::FxHashMap;

/// The graph that liveness looks at.
pub(super) struct Graph<'a> {
    pub blocks: &'a [Block],
    pub nodes: &'a [Node],
    pub payoff: &'a PayoffCode,
    pub frame: u32,
    pub vars: &'a [VarSlots],
    /// Pieces of code to be taken for empty: where each begins, and where it leads.
    pub left_out: &'a FxHashMap<BlockId, BlockId>,
}

/// The slots that a node must keep.
pub(super) struct Wanted {
    /// Matters to options, to what follows, to payoffs: part of the state's identity.
    pub live: Slots,
    /// Matters to texts and views besides, there or later.
    pub printed: Slots,
}

/// For each node the slots whose values still matter there.
pub(super) fn wanted_at_nodes(graph: &Graph<'_>) -> Vec<Wanted> {
    let returned = returned(graph);
    let live = flow(graph, &returned, false);
    let kept = flow(graph, &returned, true);
    std::iter::zip(live, kept)
        .map(|(live, printed)| Wanted { live, printed })
        .collect()
}

/// For each node the slots that are part of a state's identity there.
pub(super) fn live_at_nodes(graph: &Graph<'_>) -> Vec<Slots> {
    flow(graph, &returned(graph), false)
}

/// The slots that matter at each node. With `seen` also those that texts read there or later, and those that go to a
/// variable: people look at variables wherever play rests.
fn flow(graph: &Graph<'_>, returned: &Returned, seen: bool) -> Vec<Slots> {
    let mut into: Vec<Slots> = vec![Slots::new(graph.frame); graph.blocks.len()];
    let mut at_node: Vec<Slots> = vec![Slots::new(graph.frame); graph.nodes.len()];
    let readers = readers(graph);
    let order = postorder(graph);
    let mut live = Slots::new(graph.frame);
    // Nothing is looked at again before something after it has changed.
    let mut stale = vec![true; graph.blocks.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for &id in &order {
            let i = id.0 as usize;
            if !std::mem::take(&mut stale[i]) {
                continue;
            }
            match graph.left_out.get(&id) {
                Some(after) => live.clone_from(&into[after.0 as usize]),
                None => before(graph, (&into, &at_node), returned.get(&id), id, &mut live),
            }
            if into[i].extend(&live) {
                changed = true;
                let of_block = readers.of_block[i].iter();
                of_block.for_each(|block| stale[block.0 as usize] = true);
            }
        }
        for (i, node) in graph.nodes.iter().enumerate() {
            let mut live = at_rest(graph, &into, node);
            if seen {
                live.extend(&printed(graph, &into, node));
                for var in graph.vars {
                    let words = var.elements * u32::from(var.words);
                    (var.base..var.base + words).for_each(|slot| live.insert(slot));
                }
            }
            if at_node[i].extend(&live) {
                changed = true;
                let of_node = readers.of_node[i].iter();
                of_node.for_each(|block| stale[block.0 as usize] = true);
            }
        }
    }
    at_node
}

/// The blocks that a block goes on with.
fn next(graph: &Graph<'_>, id: BlockId) -> impl Iterator<Item = BlockId> {
    let after = graph.left_out.get(&id).map(|after| Term::Jump(*after));
    successors(&after.unwrap_or(graph.blocks[id.0 as usize].term))
}

/// The blocks that go on with a block or end at a node.
struct Readers {
    of_block: Vec<Vec<BlockId>>,
    of_node: Vec<Vec<BlockId>>,
}

fn readers(graph: &Graph<'_>) -> Readers {
    let mut found = Readers {
        of_block: vec![Vec::new(); graph.blocks.len()],
        of_node: vec![Vec::new(); graph.nodes.len()],
    };
    for (id, block) in (0..).map(BlockId).zip(graph.blocks) {
        next(graph, id).for_each(|to| found.of_block[to.0 as usize].push(id));
        if let Term::Rest(node) = block.term
            && !graph.left_out.contains_key(&id)
        {
            found.of_node[node.0 as usize].push(id);
        }
    }
    found
}

/// All blocks, each behind those that it leads to, as far as there are no circles: what is wanted is soon known then.
fn postorder(graph: &Graph<'_>) -> Vec<BlockId> {
    let mut order = Vec::with_capacity(graph.blocks.len());
    let mut seen = vec![false; graph.blocks.len()];
    let mut stack = Vec::new();
    for first in (0..graph.blocks.len() as u32).map(BlockId) {
        if std::mem::replace(&mut seen[first.0 as usize], true) {
            continue;
        }
        stack.push((first, next(graph, first)));
        while let Some((id, rest)) = stack.last_mut() {
            match rest.next() {
                Some(to) if !std::mem::replace(&mut seen[to.0 as usize], true) => {
                    stack.push((to, next(graph, to)));
                }
                Some(_) => {}
                None => {
                    order.push(*id);
                    stack.pop();
                }
            }
        }
    }
    order
}

/// What the texts of a node's actions read.
fn printed(graph: &Graph<'_>, into: &[Slots], node: &Node) -> Slots {
    let mut printed = Slots::new(graph.frame);
    let alternatives = || node.listings().into_iter().flat_map(|l| &l.alternatives);
    for alternative in alternatives() {
        printed.extend(&into[alternative.text.code.0 as usize]);
        for piece in alternative.text.pieces() {
            if let TextPiece::Hole { value, .. } = piece {
                printed.insert_all(*value);
            }
        }
    }
    for (part, _) in alternatives().flat_map(|a| &a.parts) {
        printed.remove_all(*part);
    }
    printed
}

fn at_rest(graph: &Graph<'_>, into: &[Slots], node: &Node) -> Slots {
    let mut live = Slots::new(graph.frame);
    for block in entries(node, graph.payoff) {
        live.extend(&into[block.0 as usize]);
    }
    // What choosing an action writes is not wanted from before.
    for listing in node.listings() {
        live.remove(listing.chosen);
        for (operand, _) in listing.alternatives.iter().flat_map(|a| &a.parts) {
            live.remove_all(*operand);
        }
    }
    if let NodeKind::Decision(arms) = &node.kind {
        for arm in arms {
            if let ArmPlayer::Slot(slot) = arm.player {
                live.insert(slot);
            }
            if let Some(slot) = arm.active {
                live.insert(slot);
            }
        }
    }
    live
}

/// Every block that may run from a state at rest.
fn entries(node: &Node, payoff: &PayoffCode) -> Vec<BlockId> {
    if matches!(node.kind, NodeKind::Terminal) {
        return vec![payoff.code];
    }
    let mut list = vec![node.resume];
    for listing in node.listings() {
        list.push(match listing.kind {
            ListingKind::Set { code, .. }
            | ListingKind::Loop { code, .. }
            | ListingKind::Subset { code, .. } => code,
        });
        list.extend(listing.trial.map(|t| t.code));
    }
    list
}

/// What is wanted before a block, by what is wanted before others and at nodes.
fn before(
    graph: &Graph<'_>,
    (into, at_node): (&[Slots], &[Slots]),
    returned: Option<&Slots>,
    id: BlockId,
    live: &mut Slots,
) {
    let block = &graph.blocks[id.0 as usize];
    match block.term {
        Term::Jump(to) => live.clone_from(&into[to.0 as usize]),
        Term::Branch {
            cond,
            then,
            otherwise,
        } => {
            live.clone_from(&into[then.0 as usize]);
            live.extend(&into[otherwise.0 as usize]);
            live.insert(cond);
        }
        Term::Rest(node) => live.clone_from(&at_node[node.0 as usize]),
        Term::Return => match returned {
            Some(read) => live.clone_from(read),
            None => live.clear(),
        },
        Term::Fail(_) => live.clear(),
    }
    let mut reads: Vec<(Slot, u32)> = Vec::new();
    for instr in block.instrs.iter().rev() {
        // A copy needs only the words that are needed of it: what an `after` puts back matters no more than it did.
        if let Instr::Copy { dst, src, words } = instr {
            for w in 0..u32::from(*words) {
                if live.contains(dst + w) {
                    live.remove(dst + w);
                    live.insert(src + w);
                }
            }
            continue;
        }
        instr.visit(&mut |slot, words, written| {
            if written {
                (slot..slot + words).for_each(|s| live.remove(s));
            } else {
                reads.push((slot, words));
            }
        });
        for (slot, words) in reads.drain(..) {
            (slot..slot + words).for_each(|s| live.insert(s));
        }
    }
}

/// What the readers of blocks that return look at: the set of a listing, the payoffs.
type Returned = FxHashMap<BlockId, Slots>;

fn returned(graph: &Graph<'_>) -> Returned {
    let mut at = Returned::default();
    let mut mark = |from: BlockId, read: &Slots| {
        let mut stack = vec![from];
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(id) = stack.pop() {
            if !seen.insert(id) {
                continue;
            }
            let block = &graph.blocks[id.0 as usize];
            match block.term {
                Term::Jump(to) => stack.push(to),
                Term::Branch {
                    then, otherwise, ..
                } => stack.extend([then, otherwise]),
                Term::Return => {
                    let all = at.entry(id).or_insert_with(|| Slots::new(graph.frame));
                    all.extend(read);
                }
                Term::Rest(_) | Term::Fail(_) => {}
            }
        }
    };
    for listing in graph.nodes.iter().flat_map(Node::listings) {
        let mut read = Slots::new(graph.frame);
        match &listing.kind {
            ListingKind::Set { code, set, .. } => {
                read.insert_all(*set);
                mark(*code, &read);
            }
            ListingKind::Subset { code, set, count } => {
                read.insert_all(*set);
                read.insert(*count);
                mark(*code, &read);
            }
            ListingKind::Loop { .. } => {}
        }
        if let Some(trial) = &listing.trial {
            let mut read = Slots::new(graph.frame);
            read.insert(trial.hit);
            mark(trial.code, &read);
        }
    }
    let mut read = Slots::new(graph.frame);
    for slot in &graph.payoff.values {
        read.insert(*slot);
    }
    mark(graph.payoff.code, &read);
    at
}
