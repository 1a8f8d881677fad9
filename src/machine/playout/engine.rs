//! What runs flows, and when machine code is made of one.

use super::frames::{Borrowed, FRAME};
use super::group::Group;
use super::interface::Interface;
use super::native::{NativeCode, Records};
use super::portable::{self, Code, Emitted, translate};
use crate::compile::playout::Flow;
use crate::ir::Program;
use crate::machine::Machine;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

/// What runs playouts, steps and lists. The games that are played do not depend on it.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// Machine code where there is a compiler for the processor, and else the portable engine.
    Native,
    /// Opcodes that a loop goes through, on every processor.
    Portable,
    /// The portable engine first, and machine code once so much was asked for that it is worth its compilation.
    #[default]
    Either,
}

/// The most instructions of a flow that is compiled: the compiler's time grows with them.
pub(super) const MOST_INSTRUCTIONS: usize = 40_000;

/// How many instructions a flow has.
pub(super) fn instructions_of(flow: &Flow) -> usize {
    flow.blocks.iter().map(|b| 1 + b.instrs.len()).sum()
}

/// Why there is no machine code of a flow.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum NoNative {
    /// There is no compiler for the processor.
    NoCompiler,
    /// There is no flow: it goes state by state.
    NoFlow,
    /// It has so many instructions.
    TooLong(usize),
    /// It computes with so many words.
    TooWide(usize),
    /// Something in it is not compiled.
    Refused,
}

impl std::fmt::Display for NoNative {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NoNative::NoCompiler => f.write_str("there is no compiler for this processor"),
            NoNative::NoFlow => f.write_str("playouts go state by state"),
            NoNative::TooLong(n) => write!(
                f,
                "a playout has {n} instructions, and machine code is made of {MOST_INSTRUCTIONS} at most"
            ),
            NoNative::TooWide(n) => write!(
                f,
                "a playout computes with {n} words, and machine code with {FRAME} at most"
            ),
            NoNative::Refused => f.write_str("something in a playout is not compiled"),
        }
    }
}

/// After how many portable runs a flow of so many instructions is worth its compilation.
pub(super) type Price = fn(usize) -> usize;

/// For playouts: at once where the flow is small, and else one run for every 32 instructions.
pub(super) fn playouts_before(instructions: usize) -> usize {
    match instructions {
        0..1000 => 0,
        _ => instructions / 32,
    }
}

/// After how much work by the interpreter a flow is worth being written and made small: a run for each instruction of the
/// program.
pub(super) fn interpreted_before(program: &Program) -> usize {
    let blocks = program.blocks.iter();
    blocks.map(|block| 1 + block.instrs.len()).sum()
}

/// A flow as machine code.
#[derive(Debug)]
pub(super) struct NativeFlow {
    pub interface: Interface,
    pub code: NativeCode,
}

impl NativeFlow {
    pub fn new(program: &Program, flow: &Flow) -> Result<NativeFlow, NoNative> {
        Ok(NativeFlow {
            interface: Interface::numbered(flow),
            code: NativeCode::new(program, flow)?,
        })
    }

    /// The same of code that goes on with what another has emitted.
    fn after(program: &Program, flow: &Flow, other: &NativeFlow) -> Result<NativeFlow, NoNative> {
        Ok(NativeFlow {
            interface: Interface::numbered(flow),
            code: NativeCode::after(program, flow, &other.code)?,
        })
    }
}

/// Machine code of one flow, and what decides when it is made.
#[derive(Debug, Default)]
pub(super) struct Native {
    code: OnceLock<Result<NativeFlow, NoNative>>,
    /// The flow that the portable code was made of, until it is compiled.
    flow: Mutex<Option<Flow>>,
    /// How many instructions it has; 0: there is none.
    size: OnceLock<usize>,
    /// How many runs were asked for.
    asked: AtomicUsize,
    /// Whether somebody compiles.
    busy: AtomicBool,
}

impl Native {
    /// Whether there is machine code.
    pub fn is_made(&self) -> bool {
        self.code.get().is_some_and(Result::is_ok)
    }

    /// Why there will be no machine code, where that is known.
    pub fn refused(&self) -> Option<NoNative> {
        self.code.get()?.as_ref().err().copied()
    }

    /// The machine code that there is.
    #[inline]
    pub fn made(&self) -> Option<&NativeFlow> {
        self.code.get()?.as_ref().ok()
    }

    /// Keeps a flow for when it is compiled.
    pub fn keep(&self, flow: Flow) {
        if self.code.get().is_none() {
            *self.flow.lock().unwrap_or_else(PoisonError::into_inner) = Some(flow);
        }
    }

    /// The flow that was kept, once.
    pub fn kept(&self) -> Option<Flow> {
        let mut flow = self.flow.lock().unwrap_or_else(PoisonError::into_inner);
        flow.take()
    }

    /// Notes runs that were not asked for one by one.
    pub fn note(&self, runs: usize) {
        self.asked.fetch_add(runs, Ordering::Relaxed);
    }

    /// Machine code for a run that is asked for now; `None` where there is none, or not yet. `flow` writes what `compile` is
    /// given, if it can be compiled.
    pub fn get(
        &self,
        engine: Engine,
        price: Price,
        flow: impl Fn() -> Option<Flow>,
        compile: impl FnOnce(&Flow) -> Result<NativeFlow, NoNative>,
    ) -> Option<&NativeFlow> {
        if let Some(known) = self.code.get() {
            return known.as_ref().ok();
        }
        match engine {
            Engine::Portable => return None,
            Engine::Native => {}
            Engine::Either => {
                let asked = self.asked.fetch_add(1, Ordering::Relaxed);
                let size = self.size.get_or_init(|| {
                    let flow = flow();
                    let size = flow.as_ref().map_or(0, instructions_of);
                    flow.into_iter().for_each(|flow| self.keep(flow));
                    size
                });
                // Who comes while somebody compiles goes on as before.
                if asked < price(*size) || self.busy.swap(true, Ordering::Relaxed) {
                    return None;
                }
            }
        }
        let made = self
            .code
            .get_or_init(|| compile(&flow().ok_or(NoNative::NoFlow)?));
        made.as_ref().ok()
    }
}

/// A flow without sampling, made ready for the engine of a machine.
#[derive(Debug)]
pub(super) struct Runnable {
    /// `None` where there is machine code from the beginning.
    portable: Option<Code>,
    native: Native,
    price: Price,
    /// Whether it goes on with what the code of moves has emitted.
    after_moves: bool,
}

impl Runnable {
    /// `None` where the flow is too large. `after_moves`: it emits nothing, and takes what the code of moves has emitted.
    pub fn new(machine: &Machine, flow: Flow, price: Price, after_moves: bool) -> Option<Runnable> {
        let engine = machine.codes.engine;
        let mut made = Runnable {
            portable: None,
            native: Native::default(),
            price,
            after_moves,
        };
        if engine != Engine::Portable {
            made.native.keep(flow.clone());
        }
        if engine != Engine::Native || made.native(machine).is_none() {
            made.portable = Some(translate(&machine.program, &flow)?);
        }
        Some(made)
    }

    /// Machine code, if it was made or is worth that by now.
    fn native(&self, machine: &Machine) -> Option<&NativeFlow> {
        self.native_by(machine, machine.codes.engine)
    }

    fn native_by(&self, machine: &Machine, engine: Engine) -> Option<&NativeFlow> {
        let flow = || self.native.kept();
        let program = &machine.program;
        let compile = |flow: &Flow| {
            let moves = machine.codes.moves.runnable().filter(|_| self.after_moves);
            // Where something is to be compiled for the moves, they are too.
            let moves = moves.and_then(|moves| moves.native_by(machine, Engine::Native));
            match moves {
                Some(moves) => NativeFlow::after(program, flow, moves),
                None => NativeFlow::new(program, flow),
            }
        };
        self.native.get(engine, self.price, flow, compile)
    }
}

/// So many runs by the portable engine are noted at once.
const RUNS: usize = 64;

/// Runs a flow again and again, in a frame of its own. Nothing is allocated on the way, once the lists are as long as any.
pub(super) struct Runner<'m> {
    machine: &'m Machine,
    runnable: &'m Runnable,
    /// What runs it, once it is machine code.
    native: Option<&'m NativeFlow>,
    /// Runs by the portable engine that were not noted yet.
    runs: usize,
    pub frame: Borrowed<'m>,
    emitted: Emitted,
    records: Records,
    /// Nothing is drawn from it.
    rng: Xoshiro256PlusPlus,
}

impl<'m> Runner<'m> {
    /// With everything in the frame that is the same for all states.
    pub fn new(machine: &'m Machine, runnable: &'m Runnable) -> Runner<'m> {
        let mut frame = machine.frames.borrow();
        let native = runnable.native(machine);
        let portable = runnable.portable.as_ref().map(|code| &code.interface);
        // Both have the same constants.
        let interface = portable.or(native.map(|code| &code.interface));
        interface.into_iter().for_each(|i| i.fill(&mut frame[..]));
        Runner {
            machine,
            runnable,
            native,
            runs: 0,
            frame,
            emitted: Emitted::new(),
            records: Records::default(),
            rng: Xoshiro256PlusPlus::seed_from_u64(0),
        }
    }

    /// What runs the flow.
    pub fn engine(&self) -> Engine {
        match self.native {
            Some(_) => Engine::Native,
            None => Engine::Portable,
        }
    }

    /// Goes over to machine code where that is worth it by now, and says where code begins: at an entry of the flow, for
    /// what stands in the frame.
    #[inline]
    pub fn enter(&mut self, entry: u32) -> u32 {
        match self.native {
            Some(native) => self.entry(&native.interface, entry),
            None => self.enter_portable(entry),
        }
    }

    #[inline]
    fn entry(&self, interface: &Interface, entry: u32) -> u32 {
        let frame = &self.frame[..];
        interface.entry(entry, |slot| Some(frame[slot as usize] as i64))
    }

    #[inline(never)]
    fn enter_portable(&mut self, entry: u32) -> u32 {
        if self.runs >= RUNS {
            self.runnable.native.note(std::mem::take(&mut self.runs));
            self.native = self.runnable.native(self.machine);
        }
        let portable = self.runnable.portable.as_ref();
        match (self.native, portable) {
            (Some(native), _) => self.entry(&native.interface, entry),
            (None, Some(code)) => self.entry(&code.interface, entry),
            (None, None) => 0,
        }
    }

    /// Runs from where `enter` said. `None` on an error, for which others have the words.
    #[inline]
    pub fn run(&mut self, at: u32) -> Option<()> {
        let program = &self.machine.program;
        program.layout.put_fixed(&mut self.frame[..]);
        let (frame, rng) = (&mut self.frame, &mut self.rng);
        match (self.native, &self.runnable.portable) {
            (Some(native), _) => {
                let records = &mut self.records;
                native.code.run(program, frame, at, rng, records, None).ok()
            }
            (None, Some(code)) => {
                self.runs += 1;
                self.emitted.clear();
                portable::run(program, code, frame, at, rng, &mut self.emitted, &mut ()).ok()
            }
            (None, None) => None,
        }
    }

    /// As `run` from an entry where the tuple with a number is taken first, of those that the last run has emitted; only by
    /// machine code.
    #[inline]
    pub fn run_taking(&mut self, entry: u32, number: u64) -> Option<()> {
        let program = &self.machine.program;
        program.layout.put_fixed(&mut self.frame[..]);
        let (frame, records) = (&mut self.frame, &mut self.records);
        let (at, rng) = ((entry, number), &mut self.rng);
        let native = self.native?;
        let ran = native.code.run_taking(program, frame, at, rng, records);
        ran.ok().map(drop)
    }

    /// How many tuples `other` has emitted last, and how many of them lead to an end when they are taken at an entry; `None`
    /// where the code does not count that, or on an error.
    pub fn run_counting(&mut self, entry: u32, other: &mut Runner<'_>) -> Option<(u64, u64)> {
        let native = self.native.filter(|native| native.code.is_counted(entry))?;
        let program = &self.machine.program;
        // Between two of the tuples nothing is put back that has one value only.
        if !program.layout.fixed.is_empty() {
            return None;
        }
        let (frame, rng, records) = (&mut self.frame, &mut self.rng, &mut other.records);
        // Only of this game, and by machine code.
        other
            .native
            .filter(|_| std::ptr::eq(self.machine, other.machine))?;
        let at = (entry, 0);
        let ran = native.code.run_taking(program, frame, at, rng, records);
        ran.ok()
    }

    /// The weight of all that the last run has emitted, `u64::MAX` for more than fits.
    pub fn total(&self) -> u64 {
        match self.native {
            Some(_) => self.records.total(),
            None => self.emitted.total(),
        }
    }

    /// Hands on the tuples with so much weight before one of them, with what is left of that weight, and the frame for
    /// what `f` makes of them.
    #[inline]
    pub fn take(
        &mut self,
        before: u64,
        f: impl FnOnce(&Group<'_>, u64, &mut [u64]) -> Option<()>,
    ) -> Option<()> {
        let frame = &mut self.frame[..];
        match (self.native, &self.runnable.portable) {
            (Some(native), _) => {
                let (group, k) = native.code.find(&self.records, before)?;
                f(&group, k, frame)
            }
            (None, Some(code)) => self
                .emitted
                .find(&code.emissions, before, |group, k| f(group, k, frame)),
            (None, None) => None,
        }
    }

    /// What the last run has emitted, in order, until `f` stops.
    pub fn each(&self, f: &mut dyn FnMut(&Group<'_>) -> ControlFlow<()>) {
        let _ = match (self.native, &self.runnable.portable) {
            (Some(native), _) => native.code.each(&self.records, f),
            (None, Some(code)) => self.emitted.each(&code.emissions, f),
            (None, None) => ControlFlow::Continue(()),
        };
    }
}
