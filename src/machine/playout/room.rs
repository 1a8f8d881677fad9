//! What playouts are played in: how a frame is filled before one, and what is read off it afterwards.

use super::engine::{Engine, NativeFlow};
use super::frames::{At, Borrowed, Frame};
use super::interface::{Interface, Pc};
use super::listener::Listener;
use super::native::Records;
use super::portable::Emitted;
use super::{MOST_PLIES, Played};
use crate::compile::playout::{PlayoutOptions, last_movers};
use crate::ir::Layout;
use crate::ir::meaning::Trouble;
use crate::machine::{Action, Machine, PlayError, State};
use crate::model::PlayerSet;
use rand::rngs::Xoshiro256PlusPlus;
use smallvec::SmallVec;

/// What playouts are played in.
pub(super) struct Room<'m> {
    pub frame: Borrowed<'m>,
    /// Whose constants stand in the frame.
    ready: Option<(PlayoutOptions, Engine)>,
    pub emitted: Emitted,
    pub records: Records,
    start: Start,
    /// How many plies the last playout that was counted had left.
    pub left: u64,
    /// What became of the last playout that went well.
    pub played: Played,
}

/// The state that the last playout began with, unpacked: who plays playouts mostly plays several from one state.
#[derive(Debug, Default)]
struct Start {
    node: u32,
    words: Vec<u64>,
    /// What is kept there.
    slots: Vec<(At, u64)>,
    /// Where the code is entered.
    pc: Pc,
}

impl Start {
    #[inline]
    fn is(&self, state: &State) -> bool {
        // Most states are of so few words that a call would take longer.
        self.node == state.node
            && self.words.len() == state.words.len()
            && std::iter::zip(&self.words, &state.words).all(|(a, b)| a == b)
    }

    fn unpack(&mut self, layout: &Layout, interface: &Interface, state: &State) {
        self.node = state.node;
        self.words.clear();
        self.words.extend_from_slice(&state.words);
        self.slots.clear();
        let fields = layout.kept[state.node as usize].iter();
        self.slots.extend(fields.map(|&i| {
            let field = &layout.fields[i as usize];
            (field.slot as At, field.read(&state.words))
        }));
        let slots = &self.slots;
        let value = |slot| {
            let known = slots.iter().find(|(s, _)| u32::from(*s) == slot);
            known.map(|(_, value)| *value as i64)
        };
        self.pc = interface.entry(state.node, value);
    }
}

impl<'m> Room<'m> {
    /// In a frame of the machine.
    pub fn new(machine: &'m Machine) -> Room<'m> {
        Room {
            frame: machine.frames.borrow(),
            ready: None,
            emitted: Emitted::new(),
            records: Records::default(),
            start: Start::default(),
            left: 0,
            played: Played {
                payoffs: SmallVec::new(),
                last: PlayerSet::EMPTY,
            },
        }
    }

    /// By machine code; what became of it stays here. An error is one of what the playout begins or ends with; `None`: what went wrong in between has to be
    /// found out by others.
    #[inline]
    pub fn run(
        &mut self,
        machine: &Machine,
        native: &NativeFlow,
        options: PlayoutOptions,
        from: (&State, &[&Action]),
        rng: &mut Xoshiro256PlusPlus,
        listener: Option<&mut Listener<'_>>,
    ) -> Result<(), Option<PlayError>> {
        let kind = (options, Engine::Native);
        let entry = self.prepare(machine, &native.interface, kind, from)?;
        let (frame, records) = (&mut self.frame, &mut self.records);
        let program = &machine.program;
        let ran = native
            .code
            .run(program, frame, entry, rng, records, listener);
        ran.map_err(|_| None)?;
        Ok(self.read(machine, &native.interface, kind)?)
    }

    /// Fills the frame with all that a playout begins with, and says where the code is entered.
    #[inline]
    pub fn prepare(
        &mut self,
        machine: &Machine,
        interface: &Interface,
        kind: (PlayoutOptions, Engine),
        (state, actions): (&State, &[&Action]),
    ) -> Result<Pc, PlayError> {
        let layout = &machine.program.layout;
        let frame: &mut Frame = &mut self.frame;
        let again = self.ready == Some(kind);
        if !again {
            interface.fill(&mut frame[..]);
        }
        layout.put_fixed(&mut frame[..]);
        // After an error the frame holds anything.
        self.ready = None;
        let entry = if kind.0.after {
            // Who begins with a step comes from another state each time.
            let fields = layout.kept[state.node as usize].iter();
            let fields = fields.map(|&i| &layout.fields[i as usize]);
            for field in fields.clone() {
                frame[field.slot as usize] = field.read(&state.words);
            }
            if !machine.put(state.node, &state.words, actions, &mut frame[..]) {
                return Err(machine.trouble(Trouble::Index));
            }
            interface.entry(state.node, |slot| {
                let field = fields.clone().find(|field| field.slot == slot)?;
                Some(field.read(&state.words) as i64)
            })
        } else {
            if !again || !self.start.is(state) {
                self.start.unpack(layout, interface, state);
            }
            for &(slot, value) in &self.start.slots {
                frame[slot as usize] = value;
            }
            self.start.pc
        };
        frame[interface.last as usize] = u64::MAX;
        if let Some(&left) = interface.payoffs.last().filter(|_| kind.0.counted) {
            frame[left as usize] = MOST_PLIES;
        }
        Ok(entry)
    }

    /// Reads off the frame what became of a playout, and keeps it here.
    #[inline]
    pub fn read(
        &mut self,
        machine: &Machine,
        interface: &Interface,
        kind: (PlayoutOptions, Engine),
    ) -> Result<(), PlayError> {
        self.ready = Some(kind);
        let frame: &Frame = &self.frame;
        let players = interface.payoffs.len() - usize::from(kind.0.counted);
        let (slots, more) = interface.payoffs.split_at(players);
        self.left = more.first().map_or(0, |&slot| frame[slot as usize]);
        let payoffs = &mut self.played.payoffs;
        payoffs.resize(players, 0);
        let mut sum = Some(0i64);
        for (payoff, &slot) in payoffs.iter_mut().zip(slots) {
            *payoff = frame[slot as usize] as i64;
            sum = sum.and_then(|sum| sum.checked_add(*payoff));
        }
        self.played.last = last_movers(frame[interface.last as usize]);
        // The sum of all is soon found; whatever else it takes is for the exact way.
        if sum.is_none() || interface.sum != sum {
            machine.claimed(&self.played.payoffs)?;
        }
        Ok(())
    }
}
