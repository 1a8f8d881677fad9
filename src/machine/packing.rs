//! Unpacking a state at rest into a frame, and packing it again.

use super::{Machine, State};
use crate::ir::{Arm, ArmPlayer, NodeId};
use smallvec::SmallVec;

/// The registers of a run. Games of ordinary size need no heap.
pub(super) type Frame = SmallVec<[u64; 256]>;

impl Machine {
    pub(super) fn unpack(&self, state: &State) -> Frame {
        let mut frame = Frame::new();
        self.unpack_into(state, &mut frame);
        frame
    }

    /// As [`Machine::unpack`], into an old frame.
    pub(super) fn unpack_into(&self, state: &State, frame: &mut Frame) {
        frame.resize(self.program.frame as usize, 0);
        frame.fill(0);
        self.unpack_over(state, &mut frame[..]);
    }

    /// The same over whatever a frame holds.
    pub(super) fn unpack_over(&self, state: &State, frame: &mut [u64]) {
        let layout = &self.program.layout;
        layout.put_fixed(frame);
        for &i in &layout.kept[state.node as usize] {
            let field = &layout.fields[i as usize];
            frame[field.slot as usize] = field.read(&state.words);
        }
    }

    /// The frame before play begins: every variable at its initial value.
    pub(super) fn first_frame(&self) -> Frame {
        let layout = &self.program.layout;
        let mut frame: Frame = SmallVec::from_elem(0, self.program.frame as usize);
        layout.put_fixed(&mut frame);
        for field in &layout.fields {
            frame[field.slot as usize] = field.read(&layout.initial);
        }
        frame
    }

    /// Packs what the node keeps; everything else is 0, so that equal states have equal words.
    pub(super) fn pack(&self, frame: &[u64], node: NodeId) -> State {
        let layout = &self.program.layout;
        let mut words = SmallVec::from_elem(0, layout.words);
        for &i in &layout.kept[node.0 as usize] {
            let field = &layout.fields[i as usize];
            field.write(&mut words, frame[field.slot as usize]);
        }
        State {
            node: node.0,
            words,
        }
    }

    pub(super) fn is_active(&self, state: &State, arm: &Arm) -> bool {
        self.is_active_at(&state.words, arm)
    }

    /// Whether an arm takes part, by the words of a state.
    pub(super) fn is_active_at(&self, words: &[u64], arm: &Arm) -> bool {
        arm.active.is_none_or(|slot| self.read(words, slot) != 0)
    }

    pub(super) fn arm_player(&self, state: &State, arm: &Arm) -> usize {
        self.arm_player_at(&state.words, arm)
    }

    /// Whose arm it is, by the words of a state.
    pub(super) fn arm_player_at(&self, words: &[u64], arm: &Arm) -> usize {
        match arm.player {
            ArmPlayer::Fixed(p) => p as usize,
            ArmPlayer::Slot(slot) => self.read(words, slot) as usize,
        }
    }
}
