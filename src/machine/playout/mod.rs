//! Whole playouts: from a state to the payoffs without a state in between.
//!
//! A playout plays the game that `sample`, `sample_chance` and `step` play with the same random numbers; of several players
//! to move the first seat samples first. `compile::playout` writes its flow, `compile::optimise` makes it small; `portable`
//! turns it into opcodes and goes through them, `native` has it compiled for the processor, and `engine` says which of them runs.

mod bitboards;
mod cursor;
mod engine;
mod frames;
mod group;
mod independent_choices;
mod interface;
mod listener;
mod lists;
mod move_observer;
#[cfg(all(feature = "native", not(target_arch = "wasm32")))]
mod native;
#[cfg(not(all(feature = "native", not(target_arch = "wasm32"))))]
#[path = "no_native.rs"]
mod native;
mod observed_steps;
mod portable;
mod stepping;
mod stepwise;

use super::{Action, Machine, PlayError, State};
use crate::compile::optimise::{Until, optimise};
use crate::compile::playout::{Flow, PlayoutOptions, flow};
use crate::compile::playout_policy::{PlayoutPolicy, UNIFORM};
use crate::ir::cost::count;
use crate::ir::meaning::Trouble;
use crate::ir::{Layout, Program};
use crate::model::Claim;
pub use cursor::{Cursor, Lookahead, Offer, moves_before};
pub use engine::Engine;
use engine::{Native, NativeFlow, playouts_before};
pub(super) use frames::Frames;
use frames::{At, Borrowed, Frame};
pub(super) use group::Group;
pub(super) use independent_choices::IndependentChoices;
use interface::{Interface, Pc};
use listener::Listener;
pub(super) use lists::Lists;
use move_observer::{ChosenAction, MoveObserver};
use native::{Before, Records};
pub(super) use observed_steps::Told;
use portable::{Code, Emitted};
use rand::Rng;
use rand::rngs::Xoshiro256PlusPlus;
use smallvec::SmallVec;
use std::any::{Any, TypeId};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, OnceLock, PoisonError};
pub(super) use stepping::Steps;

/// What became of a playout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// One number a player in seating order, in units of 1/[`Machine::payoff_denominator`].
    pub payoffs: SmallVec<[i64; 8]>,
    /// The player who chose last; of those who chose together the last in seating order.
    pub last: Option<usize>,
}

/// A playout with its length.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    pub played: Played,
    /// How many nodes with a choice or a draw there were.
    pub plies: u64,
}

/// A counted playout is given up when it has so many plies.
pub const MOST_PLIES: u64 = 1 << 16;

/// One action or outcome on the way of a playout.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// The node where it was taken, as [`Machine::node`] says.
    pub node: u32,
    /// `None`: chance.
    pub player: Option<usize>,
    pub action: Action,
}

/// The code of playouts by one policy, made when it is first asked for.
#[derive(Debug, Default)]
pub(super) struct Codes {
    policy: PlayoutPolicy,
    silent: OnceLock<Option<Code>>,
    observed: OnceLock<Option<Code>>,
    after: OnceLock<Option<Code>>,
    counted: OnceLock<Option<Code>>,
    steps: OnceLock<Option<stepping::StepCode>>,
    lasting_steps: OnceLock<Option<stepping::StepCode>>,
    /// Steps by the interpreter, before there is code.
    slow_steps: AtomicUsize,
    lists: lists::ListCodes,
    moves: cursor::MoveCodes,
    native: Native,
    native_after: Native,
    native_counted: Native,
    native_observed: Native,
    observed_steps: observed_steps::StepCode,
    engine: Engine,
    /// How many passes are run; `None`: all.
    passes: Option<usize>,
}

/// Plays playouts of one machine, in a frame of its own. Make one a thread and use it again and again.
pub struct Playouts<'m> {
    machine: &'m Machine,
    codes: Arc<Codes>,
    room: Room<'m>,
}

/// What playouts are played in.
struct Room<'m> {
    frame: Borrowed<'m>,
    /// Whose constants stand in the frame.
    ready: Option<(PlayoutOptions, Engine)>,
    emitted: Emitted,
    records: Records,
    start: Start,
    /// How many plies the last playout that was counted had left.
    left: u64,
    /// What became of the last playout that went well.
    played: Played,
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

#[doc(hidden)]
impl Machine {
    /// A place to play playouts in, every choice uniform over its tuples.
    pub fn playouts(&self) -> Playouts<'_> {
        self.playouts_with(self.codes.clone())
    }

    /// A place to play playouts in, with choices as a policy says. The machine keeps the code of each policy.
    pub fn playouts_by(&self, policy: &PlayoutPolicy) -> Playouts<'_> {
        if policy.is_uniform() {
            return self.playouts();
        }
        // The list is whole even if another thread panicked while it held the lock.
        let mut known = self.policies.lock().unwrap_or_else(PoisonError::into_inner);
        let codes = match known.iter().find(|codes| codes.policy == *policy) {
            Some(codes) => codes.clone(),
            None => {
                let codes = Arc::new(Codes {
                    policy: policy.clone(),
                    engine: self.codes.engine,
                    passes: self.codes.passes,
                    ..Codes::default()
                });
                known.push(codes.clone());
                codes
            }
        };
        self.playouts_with(codes)
    }

    /// Writes the flow of playouts and makes it small. What is made of it later begins there.
    pub fn write_playouts(&self) {
        let options = PlayoutOptions::default();
        let made = self.codes.silent.get().is_some() || self.codes.native.is_made();
        if !made && self.codes.policy.is_fusible(&self.program) {
            let flow = self.codes.flow(&self.program, options);
            self.codes.kept_of(options).keep(flow);
        }
    }

    /// Whether machine code was made for playouts so far, by whatever policy.
    pub fn has_native_code(&self) -> bool {
        let known = self.policies.lock().unwrap_or_else(PoisonError::into_inner);
        let mut all = known.iter().chain(std::iter::once(&self.codes));
        all.any(|codes| {
            let silent = [&codes.native, &codes.native_after, &codes.native_counted];
            silent.into_iter().any(Native::is_made) || codes.native_observed.is_made()
        })
    }

    /// Whether a step with events that is asked for now is made by machine code.
    pub fn tells_natively(&self) -> bool {
        self.codes.observed_steps(self).is_some()
    }

    fn playouts_with(&self, codes: Arc<Codes>) -> Playouts<'_> {
        let room = Room {
            frame: self.frames.borrow(),
            ready: None,
            emitted: Emitted::new(),
            records: Records::default(),
            start: Start::default(),
            left: 0,
            played: Played {
                payoffs: SmallVec::new(),
                last: None,
            },
        };
        Playouts {
            machine: self,
            codes,
            room,
        }
    }

    /// The flow of a silent playout after some of the passes.
    pub fn playout_flow(&self, until: Until<'_>) -> Flow {
        optimised(&self.program, PlayoutOptions::default(), &UNIFORM, until)
    }

    /// The same machine with playouts by an engine. Machines begin with [`Engine::Either`].
    pub fn with_engine(self, engine: Engine) -> Machine {
        let codes = Codes {
            engine,
            passes: self.codes.passes,
            ..Codes::default()
        };
        Machine {
            codes: Arc::new(codes),
            policies: Default::default(),
            ..self
        }
    }

    /// The same machine with playouts after the first of the passes only.
    #[cfg(test)]
    pub(crate) fn with_passes(self, passes: usize) -> Machine {
        let codes = Codes {
            engine: self.codes.engine,
            passes: Some(passes),
            ..Codes::default()
        };
        Machine {
            codes: Arc::new(codes),
            ..self
        }
    }
}

impl Codes {
    /// `None` where playouts go state by state: the frame is too long, or the policy needs the whole list at once.
    fn code(&self, machine: &Machine, options: PlayoutOptions) -> Option<&Code> {
        let lock = match options {
            PlayoutOptions { after: true, .. } => &self.after,
            PlayoutOptions { counted: true, .. } => &self.counted,
            PlayoutOptions { observed: true, .. } => &self.observed,
            _ => &self.silent,
        };
        lock.get_or_init(|| {
            let program = &machine.program;
            if !self.policy.is_fusible(program) {
                return None;
            }
            let native = self.native_of(options);
            let flow = self.flow(program, options);
            let mut code = portable::translate(program, &flow)?;
            code.interface.sum = claimed_sum(machine);
            if let Some(native) = native {
                native.keep(flow);
            }
            Some(code)
        })
        .as_ref()
    }

    /// The flow of a playout, or what is left of it from before.
    fn flow(&self, program: &Program, options: PlayoutOptions) -> Flow {
        self.kept_of(options).kept().unwrap_or_else(|| {
            let until = self.passes.map_or(Until::All, Until::First);
            optimised(program, options, &self.policy, until)
        })
    }

    fn native_of(&self, options: PlayoutOptions) -> Option<&Native> {
        (self.engine != Engine::Portable).then(|| self.kept_of(options))
    }

    /// Where a flow is kept until something is made of it.
    fn kept_of(&self, options: PlayoutOptions) -> &Native {
        match options {
            PlayoutOptions { after: true, .. } => &self.native_after,
            PlayoutOptions { counted: true, .. } => &self.native_counted,
            PlayoutOptions { observed: true, .. } => &self.native_observed,
            _ => &self.native,
        }
    }
}

impl Codes {
    /// Machine code for a playout that is asked for now; `None` where there is none, or not yet.
    fn native(&self, machine: &Machine, options: PlayoutOptions) -> Option<&NativeFlow> {
        let native = self.native_of(options)?;
        let program = &machine.program;
        let flow = || {
            let fusible = self.policy.is_fusible(program);
            fusible.then(|| self.flow(program, options))
        };
        native.get(self.engine, program, playouts_before, flow, || {
            claimed_sum(machine)
        })
    }
}

fn optimised(
    p: &Program,
    options: PlayoutOptions,
    policy: &PlayoutPolicy,
    until: Until<'_>,
) -> Flow {
    passed(p, flow(p, options, policy), until)
}

fn passed(p: &Program, mut flow: Flow, until: Until<'_>) -> Flow {
    optimise(p, &mut flow, until);
    count(&mut flow.blocks, &p.tables);
    flow
}

impl Playouts<'_> {
    /// What runs the next of them, where its numbers come from a [`Stream`](crate::Stream).
    pub fn engine(&self) -> Engine {
        match self.codes.native(self.machine, PlayoutOptions::default()) {
            Some(_) => Engine::Native,
            None => Engine::Portable,
        }
    }

    /// Plays from a state to the end.
    ///
    /// # Errors
    /// Where the rules run into an error.
    pub fn play<R: Rng + Clone + 'static>(
        &mut self,
        state: &State,
        rng: &mut R,
    ) -> Result<Played, PlayError> {
        self.play_here(state, rng).cloned()
    }

    /// As [`Playouts::play`]. What became of it stays here until the next one, for those who play many.
    ///
    /// # Errors
    /// As [`Playouts::play`].
    #[inline]
    pub fn play_here<R: Rng + Clone + 'static>(
        &mut self,
        state: &State,
        rng: &mut R,
    ) -> Result<&Played, PlayError> {
        if let Some(rng) = (rng as &mut dyn Any).downcast_mut::<Xoshiro256PlusPlus>()
            && self.play_natively(state, rng)
        {
            return Ok(&self.room.played);
        }
        self.play_otherwise(state, rng)
    }

    /// The same where there is no machine code yet, or it says that something is wrong.
    #[cold]
    #[inline(never)]
    fn play_otherwise<R: Rng + Clone + 'static>(
        &mut self,
        state: &State,
        rng: &mut R,
    ) -> Result<&Played, PlayError> {
        let mut before = rng.clone();
        match self.run(state, &[], rng, PlayoutOptions::default(), &mut ()) {
            Ok(played) => {
                self.room.played = played;
                Ok(&self.room.played)
            }
            // State by state, for an error that says after which moves it happened.
            Err(error) => Err(self
                .stepwise(state, &mut before, None)
                .err()
                .unwrap_or(error)),
        }
    }

    /// A playout by machine code that was made before. If not all goes well the generator is as it was.
    #[inline]
    fn play_natively(&mut self, state: &State, rng: &mut Xoshiro256PlusPlus) -> bool {
        let Some(native) = self.codes.native.made() else {
            return false;
        };
        let (machine, room) = (self.machine, &mut self.room);
        let kind = (PlayoutOptions::default(), Engine::Native);
        let interface = &native.interface;
        let Ok(entry) = room.prepare(machine, interface, kind, (state, &[])) else {
            return false;
        };
        let before = Before::of(rng);
        let ran = native.code.run(
            &machine.program,
            &mut room.frame,
            entry,
            rng,
            &mut room.records,
            None,
        );
        if ran.is_ok() && room.read(machine, interface, kind).is_ok() {
            return true;
        }
        before.put_back(rng);
        false
    }

    /// As [`Playouts::play`] with the number of plies: of the nodes where somebody chose or something was drawn. `None` where
    /// there is no end after [`MOST_PLIES`], where the rules run into an error, and where there is no code for whole games: the
    /// generator is then as before, and play has to go state by state.
    pub fn play_counted(&mut self, state: &State, rng: &mut Xoshiro256PlusPlus) -> Option<Counted> {
        let options = PlayoutOptions {
            counted: true,
            ..PlayoutOptions::default()
        };
        if !self.is_fused::<Xoshiro256PlusPlus>(options) {
            return None;
        }
        let before = Before::of(rng);
        // Nothing is left where play went another way, which counts nothing.
        self.room.left = 0;
        let played = self.run(state, &[], rng, options, &mut ());
        let plies = MOST_PLIES - self.room.left;
        match played {
            Ok(played) if plies < MOST_PLIES => Some(Counted { played, plies }),
            _ => {
                before.put_back(rng);
                None
            }
        }
    }

    /// [`Machine::step`] and a playout from there in one, without the state in between: `actions` are those that the step
    /// takes. What became of it stays here until the next one.
    ///
    /// # Errors
    /// As [`Machine::step`] and [`Playouts::play`].
    pub fn play_after<R: Rng + Clone + 'static>(
        &mut self,
        state: &State,
        actions: &[&Action],
        rng: &mut R,
    ) -> Result<&Played, PlayError> {
        let options = PlayoutOptions {
            after: true,
            ..PlayoutOptions::default()
        };
        let machine = self.machine;
        if let Some(rng) = (rng as &mut dyn Any).downcast_mut::<Xoshiro256PlusPlus>()
            && let Some(native) = self.codes.native(machine, options)
        {
            let before = Before::of(rng);
            let moves = (state, actions);
            let ran = self.room.run(machine, native, options, moves, rng, None);
            if ran.is_ok() {
                return Ok(&self.room.played);
            }
            before.put_back(rng);
        } else if self.codes.code(machine, options).is_some() {
            let mut after = rng.clone();
            if let Ok(played) = self.run(state, actions, &mut after, options, &mut ()) {
                *rng = after;
                self.room.played = played;
                return Ok(&self.room.played);
            }
        }
        // By way of the state, for an error that says after which moves it happened.
        let actions: SmallVec<[Action; 4]> = actions.iter().map(|&a| a.clone()).collect();
        let mut state = state.clone();
        self.machine.step(&mut state, &actions)?;
        self.play_here(&state, rng)
    }

    /// As [`Playouts::play_observed`], state by state: what it must agree with.
    ///
    /// # Errors
    /// As [`Playouts::play`].
    pub fn play_stepwise(
        &mut self,
        state: &State,
        rng: &mut impl Rng,
        moves: &mut Vec<Move>,
    ) -> Result<Played, PlayError> {
        self.stepwise(state, rng, Some(moves))
    }

    fn stepwise(
        &self,
        state: &State,
        rng: &mut impl Rng,
        moves: Option<&mut Vec<Move>>,
    ) -> Result<Played, PlayError> {
        stepwise::play(self.machine, &self.codes.policy, state, rng, moves)
    }

    /// As [`Playouts::play`], and pushes every action and outcome on `moves`.
    ///
    /// # Errors
    /// As [`Playouts::play`].
    pub fn play_observed(
        &mut self,
        state: &State,
        rng: &mut (impl Rng + 'static),
        moves: &mut Vec<Move>,
    ) -> Result<Played, PlayError> {
        let options = PlayoutOptions {
            observed: true,
            ..PlayoutOptions::default()
        };
        if self.codes.code(self.machine, options).is_none() {
            return self.stepwise(state, rng, Some(moves));
        }
        self.run(state, &[], rng, options, &mut MoveList::new(moves))
    }

    /// Whether playouts run without a state in between, with the numbers of such a generator.
    fn is_fused<R: 'static>(&self, options: PlayoutOptions) -> bool {
        let native = TypeId::of::<R>() == TypeId::of::<Xoshiro256PlusPlus>();
        native && self.codes.native(self.machine, options).is_some()
            || self.codes.code(self.machine, options).is_some()
    }

    /// `actions` are for those who wish to begin after them.
    fn run<R: Rng + 'static>(
        &mut self,
        state: &State,
        actions: &[&Action],
        rng: &mut R,
        options: PlayoutOptions,
        observer: &mut impl MoveObserver,
    ) -> Result<Played, PlayError> {
        let machine = self.machine;
        let (codes, room) = (&self.codes, &mut self.room);
        if let Some(rng) = (rng as &mut dyn Any).downcast_mut::<Xoshiro256PlusPlus>()
            && let Some(native) = codes.native(machine, options)
        {
            let before = Before::of(rng);
            let mut listener = Listener::of_moves(observer);
            let listening = options.observed.then_some(&mut listener);
            match room.run(machine, native, options, (state, actions), rng, listening) {
                Ok(()) => return Ok(room.played.clone()),
                Err(Some(error)) => return Err(error),
                Err(None) if listener.has_stopped() => {
                    return Err(machine.trouble(Trouble::Index));
                }
                Err(None) => {}
            }
            // What went wrong is found out once more.
            before.put_back(rng);
            observer.forget();
        }
        let Some(code) = codes.code(machine, options) else {
            return self.stepwise(state, rng, None);
        };
        let kind = (options, Engine::Portable);
        let entry = room.prepare(machine, &code.interface, kind, (state, actions))?;
        room.emitted.clear();
        portable::run(
            &machine.program,
            code,
            &mut room.frame,
            entry,
            rng,
            &mut room.emitted,
            observer,
        )
        .map_err(|trouble| match trouble {
            Trouble::TooManySteps => machine.trouble_after(
                trouble,
                Some(machine.program.nodes[state.node as usize].span),
            ),
            _ => machine.trouble(trouble),
        })?;
        room.read(machine, &code.interface, kind)?;
        Ok(room.played.clone())
    }
}

impl Room<'_> {
    /// By machine code; what became of it stays here. An error is one of what the playout begins or ends with; `None`: what went wrong in between has to be
    /// found out by others.
    #[inline]
    fn run(
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
    fn prepare(
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
            let to = interface.base..interface.base + interface.constants.len();
            frame[to].copy_from_slice(&interface.constants);
            for (slot, value) in &layout.fixed {
                frame[*slot as usize] = *value as u64;
            }
        }
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
    fn read(
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
        self.played.last = usize::try_from(frame[interface.last as usize] as i64).ok();
        // The sum of all is soon found; whatever else it takes is for the exact way.
        if sum.is_none() || interface.sum != sum {
            machine.claimed(&self.played.payoffs)?;
        }
        Ok(())
    }
}

/// What the payoffs of all players add up to, where a game claims that and that is all it claims.
fn claimed_sum(machine: &Machine) -> Option<i64> {
    let payoff = &machine.description().payoff;
    let Claim::ConstantSum { n, den } = payoff.claim else {
        return None;
    };
    let (n, den) = (i128::from(n), i128::from(den));
    let units = n * i128::from(machine.payoff_denominator());
    let alone = payoff.sides.iter().all(|side| side.len() == 1);
    let plain = alone && payoff.sides.len() == machine.player_count() && units % den == 0;
    plain.then(|| i64::try_from(units / den).ok())?
}

/// Collects the moves of a playout.
struct MoveList<'a> {
    moves: &'a mut Vec<Move>,
    /// How many there were before.
    before: usize,
}

impl MoveList<'_> {
    fn new(moves: &mut Vec<Move>) -> MoveList<'_> {
        let before = moves.len();
        MoveList { moves, before }
    }
}

impl MoveObserver for MoveList<'_> {
    fn observe(&mut self, chosen: ChosenAction<'_>) {
        let mut action: SmallVec<[u64; 4]> = SmallVec::new();
        action.push(chosen.chosen);
        for part in chosen.parts {
            let from = part.slot as usize;
            action.extend_from_slice(&chosen.frame[from..from + part.words as usize]);
        }
        self.moves.push(Move {
            node: chosen.node.0,
            player: chosen.player,
            action: Action(action),
        });
    }

    fn forget(&mut self) {
        self.moves.truncate(self.before);
    }
}
