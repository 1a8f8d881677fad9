//! Where the options of a node lead, where nothing is asked but to which node.

use super::{Cursor, MoveCode};
use crate::compile::playout::ends;
use crate::machine::Machine;
use std::ops::ControlFlow;

/// To which nodes moves lead, where nothing else is asked.
pub struct Lookahead<'m> {
    cursor: Cursor<'m>,
    /// What the state at the present node consists of.
    values: Vec<u64>,
}

#[doc(hidden)]
impl Machine {
    /// What finds where moves lead; `None` where the game is too large for its code.
    pub fn lookahead(&self) -> Option<Lookahead<'_>> {
        // It goes on with what that code has emitted.
        self.cursor()?;
        let code = &self.codes.moves.ends;
        let code = code.get_or_init(|| MoveCode::new(self, ends(&self.program), true));
        Some(Lookahead {
            cursor: Cursor::new(self, code.as_ref()?),
            values: Vec::new(),
        })
    }
}

impl Lookahead<'_> {
    /// Goes to a node with the values that were saved there.
    pub fn start(&mut self, node: u32, values: &[u64]) {
        self.cursor.restore(node, values);
        self.values.clear();
        self.values.extend_from_slice(values);
    }

    /// The node after what was [put](Cursor::put) by `put`. The place is then as before.
    #[inline]
    pub fn reach(&mut self, put: impl FnOnce(&mut Cursor<'_>) -> Option<()>) -> Option<u32> {
        let from = self.cursor.node;
        put(&mut self.cursor)?;
        self.cursor.go(from)?;
        let to = std::mem::replace(&mut self.cursor.node, from);
        // Only what a move may write has another value now.
        let moves = &self.cursor.code.nodes[from as usize];
        let frame = &mut self.cursor.runner.frame[..];
        for &field in &moves.changed {
            frame[moves.slots[field as usize] as usize] = self.values[field as usize];
        }
        Some(to)
    }

    /// How many options there are for the one who is offered something, and how many of them lead to an end. `None` where they
    /// have to be gone through one by one, or on an error.
    pub fn count(&mut self, cursor: &mut Cursor<'_>) -> Option<(u64, u64)> {
        let node = cursor.node;
        if !cursor.code.nodes[node as usize].single {
            return None;
        }
        self.values.clear();
        cursor.save(&mut self.values);
        self.cursor.restore(node, &self.values);
        self.cursor.runner.run_counting(node, &mut cursor.runner)
    }

    /// Tells `f` the nodes that all options of an offer lead to, in order, until it stops. `None` on an error.
    #[inline]
    pub fn each(
        &mut self,
        cursor: &Cursor<'_>,
        offer: usize,
        mut f: impl FnMut(u32) -> ControlFlow<()>,
    ) -> Option<ControlFlow<()>> {
        let offer = cursor.offers.get(offer)?;
        let arm = &cursor.code.nodes[cursor.node as usize].arms[offer.arm];
        self.values.clear();
        cursor.save(&mut self.values);
        self.cursor.restore(cursor.node, &self.values);
        let mut fails = false;
        let all = cursor.each(arm, |number, words, more| {
            let put = |cursor: &mut Cursor<'_>| {
                arm.put(number, words, more, &mut cursor.runner.frame[..])
            };
            match self.reach(put) {
                Some(node) => f(node),
                None => {
                    fails = true;
                    ControlFlow::Break(())
                }
            }
        });
        (!fails).then_some(all)
    }
}
