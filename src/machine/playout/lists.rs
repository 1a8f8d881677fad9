//! Lists of all that a node offers, by the engines of playouts.
//!
//! Errors are not reported from here, nor lists that are too long: the caller lists again by the interpreter, which says
//! what is wrong.

use super::codes::passed;
use super::engine::{Engine, Runnable, Runner, interpreted_before};
use super::group::Group;
use crate::compile::optimise::{Until, live_in};
use crate::compile::playout::lists;
use crate::ir::Field;
use crate::machine::options::OptionList;
use crate::machine::shared_lists::{SharedActions, SharedLists};
use crate::machine::{Machine, Outcomes};
use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

/// How many lists the portable engine makes for each instruction of the flow before it is compiled.
const PER_INSTRUCTION: usize = 2;

/// So many lists by the interpreter are noted at once.
const ASKED: usize = 64;

/// The code of lists, made when enough of them were asked for.
#[derive(Debug, Default)]
pub(super) struct ListCodes {
    code: OnceLock<Option<ListCode>>,
    /// How many lists were made by the interpreter.
    asked: AtomicUsize,
}

#[derive(Debug)]
struct ListCode {
    runnable: Runnable,
    /// By node, the number of its first listing.
    first: Vec<u32>,
    /// By listing, what of a state it hangs on.
    read: Vec<Vec<Field>>,
}

impl ListCodes {
    /// The code, where it is worth that after some more lists.
    fn after(&self, machine: &Machine, lists: usize) -> Option<&ListCode> {
        if let Some(code) = self.code.get() {
            return code.as_ref();
        }
        if machine.codes.engine == Engine::Either {
            let asked = self.asked.fetch_add(lists, Ordering::Relaxed);
            if asked + lists < interpreted_before(&machine.program) {
                return None;
            }
        }
        self.code.get_or_init(|| ListCode::new(machine)).as_ref()
    }
}

impl ListCode {
    fn new(machine: &Machine) -> Option<ListCode> {
        let program = &machine.program;
        let layout = &program.layout;
        let flow = passed(program, lists(program), Until::All);
        let live = live_in(&flow);
        let mut first = Vec::new();
        let mut read = Vec::new();
        for (node, kept) in program.nodes.iter().zip(&layout.kept) {
            first.push(read.len() as u32);
            for _ in node.listings() {
                let entry = &flow.entries[read.len()];
                let fields = kept.iter().map(|&i| layout.fields[i as usize]);
                let read_there = |field: &Field| {
                    let keys = entry.keys.iter().any(|(slot, ..)| *slot == field.slot);
                    let mut blocks = entry.blocks.iter();
                    keys || blocks.any(|b| live[b.0 as usize].contains(field.slot))
                };
                read.push(fields.filter(read_there).collect());
            }
        }
        let runnable = Runnable::new(machine, flow, |size| PER_INSTRUCTION * size, false)?;
        Some(ListCode {
            runnable,
            first,
            read,
        })
    }
}

/// Lists what one state after another offers.
pub(in crate::machine) struct Lists<'m> {
    machine: &'m Machine,
    /// `None` as long as the interpreter lists.
    runner: Option<(&'m ListCode, Runner<'m>)>,
    /// Lists by the interpreter that were not noted yet.
    asked: usize,
    shared: SharedLists,
}

impl<'m> Lists<'m> {
    pub fn new(machine: &'m Machine) -> Lists<'m> {
        let mut lists = Lists {
            machine,
            runner: None,
            asked: 0,
            shared: SharedLists::default(),
        };
        lists.look();
        lists
    }

    /// Whether there is code by now.
    fn look(&mut self) {
        let machine = self.machine;
        let code = machine
            .codes
            .lists
            .after(machine, std::mem::take(&mut self.asked));
        self.runner = code.map(|code| (code, Runner::new(machine, &code.runnable)));
    }

    /// What makes the lists; `None`: the interpreter.
    pub fn engine(&self) -> Option<Engine> {
        self.runner.as_ref().map(|(_, runner)| runner.engine())
    }

    /// Runs the listing with a number at a node, in a state there. Says how much all tuples weigh together, at least 1; `None`:
    /// the interpreter has to list, for there is no code yet, or something is wrong.
    pub fn list(&mut self, node: u32, words: &[u64], listing: usize) -> Option<u64> {
        if self.runner.is_none() {
            self.asked += 1;
            if self.asked >= ASKED {
                self.look();
            }
        }
        let (code, runner) = self.runner.as_mut()?;
        let number = code.first[node as usize] + listing as u32;
        for field in &code.read[number as usize] {
            runner.frame[field.slot as usize] = field.read(words);
        }
        let at = runner.enter(number);
        runner.run(at)?;
        let total = runner.total();
        (1..u64::MAX).contains(&total).then_some(total)
    }

    /// The tuples of the last list in order, until `f` stops.
    pub fn each(&self, f: &mut dyn FnMut(&Group<'_>) -> ControlFlow<()>) {
        if let Some((_, runner)) = &self.runner {
            runner.each(f);
        }
    }

    /// Fills in the options of the last list; false where there are none, or as many as [`Outcomes::LIMIT`].
    #[inline]
    pub fn fill(&self, list: &mut impl OptionList) -> bool {
        let most = Outcomes::LIMIT;
        list.clear();
        let mut seen = 0;
        self.each(&mut |group| {
            if group.weight == 0 {
                return ControlFlow::Continue(());
            }
            group.actions(&mut |action| {
                seen += 1;
                if seen > most {
                    return ControlFlow::Break(());
                }
                list.push(action, group.weight);
                ControlFlow::Continue(())
            })
        });
        (1..most).contains(&seen)
    }

    /// As [`Lists::list`] and [`Lists::fill`], for who keeps lists: one that was made before is not made again.
    #[inline]
    pub fn share(&mut self, node: u32, words: &[u64], listing: usize) -> Option<SharedActions> {
        self.list(node, words, listing)?;
        let mut shared = std::mem::take(&mut self.shared);
        shared.begin(node, listing);
        self.each(&mut |group| {
            shared.add(group);
            ControlFlow::Continue(())
        });
        let list = shared.get(|actions| self.fill(actions));
        self.shared = shared;
        list
    }
}
