//! Simultaneous choices of two players that are independent: no part of the next state depends on both, accumulators aside.

use crate::compile::dependence::Dependence;
use crate::compile::playout::Flow;
use crate::ir::{ArmPlayer, Field, Listing, NodeKind, Slot, Slots};
use crate::machine::Machine;
use smallvec::SmallVec;

/// A part of the next state.
#[derive(Debug)]
pub(in crate::machine) struct Part {
    /// Its bits in the words of the next state.
    pub bits: Vec<u64>,
    /// The bits of the state before that it is computed from, and that decide on the next node.
    pub inputs: Vec<u64>,
}

/// Where the parts of the next state lie in its words.
#[derive(Debug)]
pub(in crate::machine) struct IndependentChoices {
    /// What the first player's choice decides, what the second player's decides, and what neither does. The next node is of
    /// the last kind.
    pub parts: [Part; 3],
    /// The bits of accumulators.
    pub accumulated: Vec<u64>,
    /// Each accumulator, with its least and greatest value.
    pub accumulators: Vec<(Field, i64, i64)>,
    /// The bits of the state before that decide with both choices how accumulators change, and whether there is an error.
    pub context: Vec<u64>,
}

impl IndependentChoices {
    /// `None` where a node is not like that.
    pub fn new(machine: &Machine, flow: &Flow, node: usize) -> Option<IndependentChoices> {
        let program = &machine.program;
        let layout = &program.layout;
        let NodeKind::Decision(arms) = &program.nodes[node].kind else {
            return None;
        };
        let [a, b] = &arms[..] else {
            return None;
        };
        let seats = (a.player, b.player);
        let (first, second) = match seats {
            (ArmPlayer::Fixed(a), ArmPlayer::Fixed(b)) if a == b => return None,
            (ArmPlayer::Fixed(p), ArmPlayer::Fixed(q)) if p < q => (a, b),
            (ArmPlayer::Fixed(_), ArmPlayer::Fixed(_)) => (b, a),
            _ => return None,
        };
        if a.active.or(b.active).is_some() {
            return None;
        }
        let (first, second) = (action(&first.listing, flow), action(&second.listing, flow));
        if first.iter().any(|slot| second.contains(slot)) {
            return None;
        }
        let mut found = Dependence::new(program, flow, node)?;
        let mut next: SmallVec<[usize; 4]> = found.next().iter().map(|n| *n as usize).collect();
        next.sort_unstable();
        next.dedup();
        let nothing = || vec![0; layout.words];
        let mut parts = IndependentChoices {
            parts: std::array::from_fn(|_| Part {
                bits: nothing(),
                inputs: nothing(),
            }),
            accumulated: nothing(),
            accumulators: Vec::new(),
            context: nothing(),
        };
        let mut context = found.ways();
        let hangs = |inputs: &Slots, action: &Slots| action.iter().any(|s| inputs.contains(s));
        let node_inputs = found.of(flow.last);
        if hangs(&node_inputs, &first) || hangs(&node_inputs, &second) {
            return None;
        }
        context.extend(&node_inputs);
        let mut inputs: [Slots; 3] = std::array::from_fn(|_| node_inputs.clone());
        let lasts = |f: &&Field| next.iter().any(|&n| f.is_in(&layout.live[n]));
        for field in layout.fields.iter().filter(lasts) {
            let of = found.of(field.slot);
            let to = if next.iter().any(|&n| field.is_in(&layout.reduced[n])) {
                let part = match (hangs(&of, &first), hangs(&of, &second)) {
                    (true, false) => 0,
                    (false, true) => 1,
                    (false, false) => 2,
                    (true, true) => return None,
                };
                inputs[part].extend(&of);
                &mut parts.parts[part].bits
            } else {
                if !field.is_in(&layout.live[node]) {
                    return None;
                }
                let owner = program.slots.iter().find(|info| info.slot == field.slot)?;
                let (lo, hi) = owner.ty.bounds()?;
                parts.accumulators.push((*field, lo, hi));
                context.extend(&of);
                &mut parts.accumulated
            };
            to[field.word as usize] |= field.mask() << field.shift;
        }
        // What a set of slots comes to in the words of the state before, without the choices and accumulators.
        let bits = |slots: &Slots| {
            let mut bits = nothing();
            let others = |s: &Slot| !first.contains(*s) && !second.contains(*s);
            for slot in slots.iter().filter(others) {
                let mut fields = layout.fields.iter();
                let field = fields.find(|f| f.slot == slot && f.is_in(&layout.live[node]))?;
                if field.is_in(&layout.reduced[node]) {
                    bits[field.word as usize] |= field.mask() << field.shift;
                }
            }
            Some(bits)
        };
        for (part, inputs) in std::iter::zip(&mut parts.parts, &inputs) {
            part.inputs = bits(inputs)?;
        }
        parts.context = bits(&context)?;
        Some(parts)
    }
}

/// The slots that a choice fills.
fn action(listing: &Listing, flow: &Flow) -> Slots {
    let mut slots = Slots::new(flow.frame);
    slots.insert(listing.chosen);
    for (part, _) in listing.alternatives.iter().flat_map(|a| &a.parts) {
        (part.slot..part.slot + u32::from(part.words)).for_each(|s| slots.insert(s));
    }
    slots
}
