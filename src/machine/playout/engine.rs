//! What runs flows, and when machine code is made of one.

use super::native::NativeCode;
use super::translate::Interface;
use crate::compile::playout::Flow;
use crate::ir::Program;
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

/// After how many portable runs a flow of so many instructions is worth its compilation.
pub(super) type Price = fn(usize) -> usize;

/// For playouts: at once where the flow is small, and else one run for every 32 instructions.
pub(super) fn playouts_before(instructions: usize) -> usize {
    match instructions {
        0..1000 => 0,
        _ => instructions / 32,
    }
}

/// A flow as machine code.
#[derive(Debug)]
pub(super) struct NativeFlow {
    pub interface: Interface,
    pub code: NativeCode,
}

/// Machine code of one flow, and what decides when it is made.
#[derive(Debug, Default)]
pub(super) struct Native {
    code: OnceLock<Option<NativeFlow>>,
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

    /// Machine code for a run that is asked for now; `None` where there is none, or not yet. `flow` writes what is
    /// compiled, if it can be; `sum` is what its payoffs must add up to.
    pub fn get(
        &self,
        engine: Engine,
        program: &Program,
        price: Price,
        flow: impl Fn() -> Option<Flow>,
        sum: impl FnOnce() -> Option<i128>,
    ) -> Option<&NativeFlow> {
        if let Some(known) = self.code.get() {
            return known.as_ref();
        }
        match engine {
            Engine::Portable => return None,
            Engine::Native => {}
            Engine::Either => {
                let asked = self.asked.fetch_add(1, Ordering::Relaxed);
                let size = self.size.get_or_init(|| {
                    let flow = flow();
                    let blocks = flow.iter().flat_map(|flow| &flow.blocks);
                    let size = blocks.map(|b| 1 + b.instrs.len()).sum();
                    flow.into_iter().for_each(|flow| self.keep(flow));
                    size
                });
                // Who comes while somebody compiles goes on as before.
                if asked < price(*size) || self.busy.swap(true, Ordering::Relaxed) {
                    return None;
                }
            }
        }
        let made = self.code.get_or_init(|| {
            let flow = flow()?;
            let code = NativeCode::new(program, &flow)?;
            let mut interface = Interface::numbered(&flow);
            interface.sum = sum();
            Some(NativeFlow { interface, code })
        });
        made.as_ref()
    }
}
