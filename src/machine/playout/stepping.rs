//! Single steps of the game by the engines of playouts: without events, without sampling, many from one state.
//!
//! Errors are not reported from here: the caller repeats the step in the interpreter, which gives the full message.

use super::codes::passed;
use super::engine::{Engine, Runnable, Runner, interpreted_before};
use super::independent_choices::IndependentChoices;
use crate::compile::optimise::{Until, changed_from, live_in};
use crate::compile::playout::{Flow, steps};
use crate::ir::{Field, Slots};
use crate::machine::Machine;
use std::sync::atomic::Ordering;

/// How many steps the portable engine makes for each instruction of the flow before it is compiled.
const PER_INSTRUCTION: usize = 2;

/// The code of single steps.
#[derive(Debug)]
pub(super) struct StepCode {
    runnable: Runnable,
    /// By node, the bits of a state that are wanted.
    wanted: Vec<Vec<u64>>,
    /// By node, what a step from there changes.
    changes: Vec<Changes>,
    /// By node, for simultaneous choices that go their own ways.
    parts: Vec<Option<IndependentChoices>>,
}

/// What states of a node consist of, and what a step from there can change of it.
#[derive(Debug)]
pub(super) struct Changes {
    /// What is wanted of a state at this node.
    here: Vec<Field>,
    /// The part of it that a step reads, or may change.
    entering: Vec<Field>,
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
        Some(StepCode {
            changes: Changes::of_nodes(machine, &flow, &wanted),
            parts: nodes
                .map(|node| {
                    lasting
                        .then(|| IndependentChoices::new(machine, &flow, node))
                        .flatten()
                })
                .collect(),
            wanted,
            runnable: Runnable::new(machine, flow, |size| PER_INSTRUCTION * size, false)?,
        })
    }
}

impl Changes {
    /// Of each node, with the bits of a state that are wanted there. The flow is entered at the nodes.
    pub fn of_nodes(machine: &Machine, flow: &Flow, wanted: &[Vec<u64>]) -> Vec<Changes> {
        let live = live_in(flow);
        let nodes = wanted.iter().enumerate();
        nodes
            .map(|(node, wanted)| Changes::new(machine, (flow, &live), node, wanted))
            .collect()
    }

    fn new(
        machine: &Machine,
        (flow, live): (&Flow, &[Slots]),
        node: usize,
        wanted: &[u64],
    ) -> Changes {
        let layout = &machine.program.layout;
        let entry = &flow.entries[node];
        let mut slots = changed_from(flow, &entry.blocks);
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
        let is_read = |field: &Field| {
            let mut keys = entry.keys.iter();
            let mut blocks = entry.blocks.iter();
            keys.any(|(slot, ..)| *slot == field.slot)
                || blocks.any(|block| live[block.0 as usize].contains(field.slot))
        };
        let entering = here.iter().filter(|f| is_changed(f) || is_read(f));
        Changes {
            entering: entering.copied().collect(),
            restored: here.iter().filter(is_changed).copied().collect(),
            here,
            changed,
            unchanged,
        }
    }

    /// Puts what a step needs of a state into the frame.
    #[inline]
    pub fn enter(&self, words: &[u64], frame: &mut [u64]) {
        for field in &self.entering {
            frame[field.slot as usize] = field.read(words);
        }
    }

    /// Makes the words of a state those of the next one, of which `wanted` bits are kept.
    #[inline]
    pub fn leave(&self, frame: &[u64], wanted: &[u64], words: &mut [u64]) {
        std::iter::zip(&mut *words, &self.unchanged).for_each(|(word, mask)| *word &= mask);
        for field in &self.changed {
            field.write(words, frame[field.slot as usize]);
        }
        std::iter::zip(words, wanted).for_each(|(word, mask)| *word &= mask);
    }
}

/// Steps from one state after another, in a frame of its own.
pub(in crate::machine) struct Steps<'m> {
    machine: &'m Machine,
    code: &'m StepCode,
    runner: Runner<'m>,
    /// Whether the frame is that of the start.
    clean: bool,
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
    /// As [`Steps::new`], and `None` as long as the code is not worth making, after some more steps by the interpreter.
    /// Those who merge states have it at once.
    pub fn after(machine: &'m Machine, lasting: bool, slow: usize) -> Option<Steps<'m>> {
        let codes = &machine.codes;
        let wait = codes.engine == Engine::Either && !lasting && codes.steps.get().is_none();
        if wait {
            let before = codes.slow_steps.fetch_add(slow, Ordering::Relaxed);
            if before + slow < interpreted_before(&machine.program) {
                return None;
            }
        }
        Steps::new(machine, lasting)
    }

    /// `None` where a game is too large for the code. `lasting`: nothing is wanted of a state but what its future depends on.
    fn new(machine: &'m Machine, lasting: bool) -> Option<Steps<'m>> {
        let codes = &machine.codes;
        let code = match lasting {
            true => &codes.lasting_steps,
            false => &codes.steps,
        };
        let code = code.get_or_init(|| StepCode::new(machine, lasting));
        let code = code.as_ref()?;
        Some(Steps {
            machine,
            code,
            runner: Runner::new(machine, &code.runnable),
            clean: false,
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
        self.at = self.runner.enter(node);
    }

    /// What makes the steps.
    pub fn engine(&self) -> Engine {
        self.runner.engine()
    }

    /// See [`IndependentChoices`]; of the start.
    pub fn independent_choices(&self) -> Option<&'m IndependentChoices> {
        self.code.parts[self.node as usize].as_ref()
    }

    /// Makes the frame that of the start again, whatever has run in it, and gives it.
    pub fn unpack(&mut self) -> &mut [u64] {
        for field in &self.code.changes[self.node as usize].here {
            self.runner.frame[field.slot as usize] = field.read(&self.words);
        }
        self.clean = true;
        self.with_fixed()
    }

    /// The frame, with what is the same in all states: the interpreter may list in it before any code has run there.
    #[inline]
    fn with_fixed(&mut self) -> &mut [u64] {
        let frame = &mut self.runner.frame[..];
        self.machine.program.layout.put_fixed(frame);
        frame
    }

    /// Makes the frame that of the start again after a step, and gives it for the actions.
    #[inline]
    pub fn put_back(&mut self) -> &mut [u64] {
        if !self.clean {
            for &(slot, value) in &self.restored {
                self.runner.frame[slot as usize] = value;
            }
        }
        self.clean = false;
        self.with_fixed()
    }

    /// Steps with the actions that were put into the frame, and fills in the words of the next state; its node. `None` on an
    /// error.
    pub fn step(&mut self, words: &mut [u64]) -> Option<u32> {
        self.runner.run(self.at)?;
        // Not a copy of slices: most states have a word or two.
        for (word, unchanged) in std::iter::zip(&mut *words, &self.unchanged) {
            *word = *unchanged;
        }
        self.finish(&self.code.changes[self.node as usize], words)
    }

    /// A step from a state, once its actions are put into the frame, if they can be. The start is forgotten. Otherwise as
    /// [`Steps::step`].
    #[inline]
    pub fn once(
        &mut self,
        node: u32,
        from: &[u64],
        put: impl FnOnce(&mut [u64]) -> bool,
        words: &mut [u64],
    ) -> Option<u32> {
        let changes = &self.code.changes[node as usize];
        changes.enter(from, &mut self.runner.frame[..]);
        let at = self.runner.enter(node);
        if !put(&mut self.runner.frame[..]) {
            return None;
        }
        self.runner.run(at)?;
        let unchanged = std::iter::zip(from, &changes.unchanged);
        for (word, (from, mask)) in std::iter::zip(&mut *words, unchanged) {
            *word = from & mask;
        }
        self.finish(changes, words)
    }

    /// Fills in what a step has changed, and takes away what is not wanted where it has led to, which is returned.
    #[inline]
    fn finish(&self, changes: &Changes, words: &mut [u64]) -> Option<u32> {
        let frame = &self.runner.frame;
        let node = frame[self.machine.program.frame as usize] as u32;
        for field in &changes.changed {
            field.write(words, frame[field.slot as usize]);
        }
        let wanted = self.code.wanted.get(node as usize)?;
        std::iter::zip(words, wanted).for_each(|(w, m)| *w &= m);
        Some(node)
    }
}
