//! Single steps of the game by the engines of playouts: without events, without sampling, many from one state.
//!
//! Errors are not reported from here: the caller repeats the step in the interpreter, which gives the full message.

use super::emitted_tuples::Emitted;
use super::engine::{Engine, Native, NativeFlow};
use super::independent_choices::IndependentChoices;
use super::native::Records;
use super::run::{self, Frame};
use super::translate::{Code, Interface, translate};
use super::{empty_frame, passed};
use crate::compile::optimise::{Until, changed_from};
use crate::compile::playout::{Flow, steps};
use crate::ir::{Field, Program};
use crate::machine::Machine;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

/// How many steps the portable engine makes for each instruction of the flow before it is compiled.
const PER_INSTRUCTION: usize = 2;

/// So many of them are noted at once.
const STEPS: usize = 64;

/// The code of single steps.
#[derive(Debug)]
pub(super) struct StepCode {
    /// `None` where the portable engine was not asked for.
    portable: Option<Code>,
    native: Native,
    lasting: bool,
    /// By node, the bits of a state that are wanted.
    wanted: Vec<Vec<u64>>,
    /// By node, what a step from there changes.
    changes: Vec<Changes>,
    /// By node, for simultaneous choices that go their own ways.
    parts: Vec<Option<IndependentChoices>>,
}

/// What states of a node consist of, and what a step from there can change of it.
#[derive(Debug)]
struct Changes {
    /// What is wanted of a state at this node.
    here: Vec<Field>,
    /// The part of it that has to be put back before another step.
    restored: Vec<Field>,
    /// Every field that may have another value after a step.
    changed: Vec<Field>,
    /// The bits of all other fields, word by word.
    unchanged: Vec<u64>,
}

impl StepCode {
    fn new(machine: &Machine, lasting: bool) -> Option<StepCode> {
        let program = &machine.program;
        let layout = &program.layout;
        let flow = passed(program, steps(program, lasting), Until::All);
        let nodes = 0..program.nodes.len();
        let wanted: Vec<Vec<u64>> = match lasting {
            true => layout.live.clone(),
            false => nodes.clone().map(|node| layout.kept_bits(node)).collect(),
        };
        let mut code = StepCode {
            portable: None,
            native: Native::default(),
            lasting,
            changes: nodes
                .clone()
                .map(|node| Changes::new(machine, &flow, node, &wanted[node]))
                .collect(),
            parts: nodes
                .map(|node| {
                    lasting
                        .then(|| IndependentChoices::new(machine, &flow, node))
                        .flatten()
                })
                .collect(),
            wanted,
        };
        let engine = machine.codes.engine;
        if engine != Engine::Portable {
            code.native.keep(flow.clone());
        }
        if engine != Engine::Native || code.native(machine).is_none() {
            code.portable = Some(translate(program, &flow)?);
        }
        Some(code)
    }

    /// Machine code, if it was made or is worth that by now.
    fn native(&self, machine: &Machine) -> Option<&NativeFlow> {
        let program = &machine.program;
        let price = |instructions| PER_INSTRUCTION * instructions;
        let flow = || {
            Some(
                self.native
                    .kept()
                    .unwrap_or_else(|| flow(program, self.lasting)),
            )
        };
        let native = &self.native;
        native.get(machine.codes.engine, program, price, flow, || None)
    }
}

fn flow(program: &Program, lasting: bool) -> Flow {
    passed(program, steps(program, lasting), Until::All)
}

impl Changes {
    fn new(machine: &Machine, flow: &Flow, node: usize, wanted: &[u64]) -> Changes {
        let layout = &machine.program.layout;
        let mut slots = changed_from(flow, &flow.entries[node].blocks);
        // What is chosen or drawn stands there before the step, and may be wanted after it.
        for listing in machine.program.nodes[node].listings() {
            slots.insert(listing.chosen);
            for (part, _) in listing.alternatives.iter().flat_map(|a| &a.parts) {
                slots.insert_all(*part);
            }
        }
        let fields = layout.fields.iter();
        let here: Vec<Field> = fields
            .clone()
            .filter(|f| f.is_in(wanted))
            .copied()
            .collect();
        let is_changed = |field: &&Field| slots.contains(field.slot);
        let changed: Vec<Field> = fields.filter(is_changed).copied().collect();
        let mut unchanged = vec![u64::MAX; layout.words];
        for field in &changed {
            unchanged[field.word as usize] &= !(field.mask() << field.shift);
        }
        Changes {
            restored: here.iter().filter(is_changed).copied().collect(),
            here,
            changed,
            unchanged,
        }
    }
}

/// Steps from one state after another, in a frame of its own.
pub(in crate::machine) struct Steps<'m> {
    machine: &'m Machine,
    code: &'m StepCode,
    /// What runs them, once it is machine code.
    native: Option<&'m NativeFlow>,
    /// Steps by the portable engine that were not noted yet.
    steps: usize,
    frame: Box<Frame>,
    /// Whether the frame is that of the start.
    clean: bool,
    emitted: Emitted,
    records: Records,
    /// Nothing is drawn from it.
    rng: Xoshiro256PlusPlus,
    /// The node of the start, and where its code begins.
    node: u32,
    at: u32,
    /// The words of the start; then without what a step may change.
    words: Vec<u64>,
    unchanged: Vec<u64>,
    /// What to put back before a step, by slot.
    restored: Vec<(u32, u64)>,
}

impl<'m> Steps<'m> {
    /// `None` where a game is too large for the code. `lasting`: nothing is wanted of a state but what its future depends on.
    pub fn new(machine: &'m Machine, lasting: bool) -> Option<Steps<'m>> {
        let codes = &machine.codes;
        let code = match lasting {
            true => &codes.lasting_steps,
            false => &codes.steps,
        };
        let code = code.get_or_init(|| StepCode::new(machine, lasting));
        let code = code.as_ref()?;
        let mut frame = empty_frame();
        if let Some(portable) = &code.portable {
            let interface = &portable.interface;
            let to = interface.base..interface.base + interface.constants.len();
            frame[to].copy_from_slice(&interface.constants);
        }
        for (slot, value) in &machine.program.layout.fixed {
            frame[*slot as usize] = *value as u64;
        }
        Some(Steps {
            machine,
            code,
            native: code.native(machine),
            steps: 0,
            frame,
            clean: false,
            emitted: Emitted::new(),
            records: Records::default(),
            rng: Xoshiro256PlusPlus::seed_from_u64(0),
            node: 0,
            at: 0,
            words: Vec::new(),
            unchanged: Vec::new(),
            restored: Vec::new(),
        })
    }

    /// The state to step from.
    pub fn start(&mut self, node: u32, words: &[u64]) {
        let changes = &self.code.changes[node as usize];
        self.node = node;
        self.words.clear();
        self.words.extend_from_slice(words);
        self.unchanged.clear();
        let rest = std::iter::zip(words, &changes.unchanged);
        self.unchanged.extend(rest.map(|(w, m)| w & m));
        self.restored.clear();
        let fields = changes.restored.iter();
        self.restored
            .extend(fields.map(|f| (f.slot, f.read(words))));
        self.unpack();
        if self.native.is_none() && self.steps >= STEPS {
            self.code.native.note(std::mem::take(&mut self.steps));
            self.native = self.code.native(self.machine);
        }
        if let Some(interface) = self.interface() {
            let frame = &self.frame;
            let value = |slot| Some(frame[slot as usize] as i64);
            self.at = interface.entry(node, value);
        }
    }

    /// Of the code that runs.
    fn interface(&self) -> Option<&'m Interface> {
        let portable = || Some(&self.code.portable.as_ref()?.interface);
        self.native
            .map(|native| &native.interface)
            .or_else(portable)
    }

    /// See [`IndependentChoices`]; of the start.
    pub fn independent_choices(&self) -> Option<&'m IndependentChoices> {
        self.code.parts[self.node as usize].as_ref()
    }

    /// Makes the frame that of the start again, whatever has run in it, and gives it.
    pub fn unpack(&mut self) -> &mut [u64] {
        for field in &self.code.changes[self.node as usize].here {
            self.frame[field.slot as usize] = field.read(&self.words);
        }
        self.clean = true;
        &mut self.frame[..]
    }

    /// Makes the frame that of the start again after a step, and gives it for the actions.
    #[inline]
    pub fn put_back(&mut self) -> &mut [u64] {
        if !self.clean {
            for &(slot, value) in &self.restored {
                self.frame[slot as usize] = value;
            }
        }
        self.clean = false;
        &mut self.frame[..]
    }

    /// Steps with the actions that were put into the frame, and fills in the words of the next state; its node. `None` on an
    /// error.
    pub fn step(&mut self, words: &mut [u64]) -> Option<u32> {
        let program = &self.machine.program;
        let (frame, at, rng) = (&mut self.frame, self.at, &mut self.rng);
        let ran = match (self.native, &self.code.portable) {
            (Some(native), _) => native.code.run(program, frame, at, rng, &mut self.records),
            (None, Some(code)) => {
                self.steps += 1;
                self.emitted.clear();
                run::run(program, code, frame, at, rng, &mut self.emitted, &mut ())
            }
            (None, None) => return None,
        };
        ran.ok()?;
        let node = self.frame[program.frame as usize] as u32;
        // Not a copy of slices: most states have a word or two.
        for (word, unchanged) in std::iter::zip(&mut *words, &self.unchanged) {
            *word = *unchanged;
        }
        for field in &self.code.changes[self.node as usize].changed {
            field.write(words, self.frame[field.slot as usize]);
        }
        let wanted = self.code.wanted.get(node as usize)?;
        std::iter::zip(words, wanted).for_each(|(w, m)| *w &= m);
        Some(node)
    }
}
