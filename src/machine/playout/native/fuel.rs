//! Where steps have to be counted: on ways that may be gone round and round without a choice or a draw in between.

use crate::compile::optimise::successors;
use crate::compile::playout::Flow;
use crate::ir::*;

/// The blocks that lie on such ways.
pub(super) struct Fuel {
    counted: Vec<bool>,
    used: bool,
}

impl Fuel {
    pub fn new(flow: &Flow, order: &[BlockId]) -> Fuel {
        let mut counted = vec![false; flow.blocks.len()];
        for id in order {
            let refuels = flow.blocks[id.0 as usize].instrs.iter().any(refuels);
            counted[id.0 as usize] = !refuels;
        }
        // What nothing leads to any more lies on no such way, and neither does what leads nowhere.
        let edges = order.iter().flat_map(|from| {
            let next = successors(&flow.blocks[from.0 as usize].term);
            next.map(|to| (from.0 as usize, to.0 as usize))
        });
        let edges: Vec<(usize, usize)> = edges.collect();
        trim(&mut counted, edges.iter().copied());
        trim(&mut counted, edges.iter().map(|(from, to)| (*to, *from)));
        let used = counted.contains(&true);
        Fuel { counted, used }
    }

    /// Whether anything is counted.
    pub fn is_used(&self) -> bool {
        self.used
    }

    /// Whether the way from one block to another has to be counted, if it leads back.
    pub fn is_counted(&self, from: BlockId, to: BlockId) -> bool {
        self.counted[from.0 as usize] && self.counted[to.0 as usize]
    }
}

/// Whether the count begins anew.
fn refuels(instr: &Instr) -> bool {
    match instr {
        Instr::Sample(code) => matches!(
            **code,
            SampleCode::Element { .. }
                | SampleCode::Subset { .. }
                | SampleCode::Tuple { .. }
                | SampleCode::Taken { .. }
        ),
        _ => false,
    }
}

/// Takes out again and again what no edge leads to.
fn trim(among: &mut [bool], edges: impl Iterator<Item = (usize, usize)>) {
    let mut next = vec![Vec::new(); among.len()];
    let mut degree = vec![0u32; among.len()];
    for (from, to) in edges.filter(|(from, to)| among[*from] && among[*to]) {
        next[from].push(to);
        degree[to] += 1;
    }
    let mut waiting: Vec<usize> = (0..among.len())
        .filter(|b| among[*b] && degree[*b] == 0)
        .collect();
    while let Some(block) = waiting.pop() {
        among[block] = false;
        for &to in &next[block] {
            degree[to] -= 1;
            if degree[to] == 0 {
                waiting.push(to);
            }
        }
    }
}
