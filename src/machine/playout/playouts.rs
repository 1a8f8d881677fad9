//! Playouts of one machine, by whatever runs them.

use super::codes::Codes;
use super::engine::Engine;
use super::listener::Listener;
use super::move_observer::{ChosenAction, MoveObserver};
use super::native::Before;
use super::room::Room;
use super::{Counted, MOST_PLIES, Move, Played, portable, stepwise};
use crate::compile::playout::PlayoutOptions;
use crate::compile::playout_policy::PlayoutPolicy;
use crate::ir::meaning::Trouble;
use crate::machine::{Action, Machine, PlayError, State};
use rand::Rng;
use rand::rngs::Xoshiro256PlusPlus;
use smallvec::SmallVec;
use std::any::{Any, TypeId};
use std::sync::{Arc, PoisonError};

/// Plays playouts of one machine, in a frame of its own. Make one a thread and use it again and again.
pub struct Playouts<'m> {
    machine: &'m Machine,
    codes: Arc<Codes>,
    room: Room<'m>,
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

    fn playouts_with(&self, codes: Arc<Codes>) -> Playouts<'_> {
        Playouts {
            machine: self,
            codes,
            room: Room::new(self),
        }
    }
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
        rng: &mut (impl Rng + Clone + 'static),
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
    fn run<R: Rng + Clone + 'static>(
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
