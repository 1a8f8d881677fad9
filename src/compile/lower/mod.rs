//! Description to control-flow graph: the builder that the files beside this one share.
//!
//! Named slots (variables, locals, what play keeps across a node) come first in the frame; temporaries live within one
//! statement and are numbered from [`TEMPORARY`] until the frame is closed.

mod after;
mod ahead;
mod apart;
mod as_filter;
mod by_number;
mod by_values;
mod call;
mod cast;
mod choice;
mod conditions;
mod distinct;
mod draws;
mod emptiness;
mod estimate;
mod expr;
mod first_set;
mod first_that_fits;
mod fixed;
mod fold;
mod fold_of_sets;
mod in_order;
mod invariant;
mod knowledge;
mod listing;
mod made;
mod mark;
mod narrowed;
mod never_fails;
mod noted;
mod one_arm_each;
mod one_move;
mod operators;
mod payoff;
mod relaxed;
mod row_trial;
mod said;
mod set_filter;
mod shown;
mod small_sets;
mod stmt;
mod subset_conditions;
mod tables;
mod tabulate;
mod text;
mod trial;
mod value_bounds;
mod written_out;

use super::codes;
use crate::ir::*;
use crate::model::evaluate::{evaluate, evaluate_within};
use crate::model::types::Type;
use crate::model::{Description, Expr, Fold, Index, LocalId, PlayerSet, Rows, SiteId, VarId};
use crate::text::diagnostics::{Code, Diagnostic};
use crate::text::span::Span;
use indexmap::IndexSet;
use rustc_hash::FxHashMap;
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// Where temporaries are numbered from while the graph is built.
const TEMPORARY: Slot = 1 << 24;
/// More blocks than this is an error and not a program.
const MAX_BLOCKS: usize = 2_000_000;
/// The longest frame, in words.
const MAX_FRAME: u32 = 1 << 20;
/// For each block it is noted of each word of the frame whether it matters: so many bits are too many.
const MAX_NOTED: u64 = 1 << 32;
/// What is known before play is worked out in so many steps, all of it in so many; what takes few is in any case.
const MOST_STEPS: u64 = 4_000_000;
const ALL_STEPS: u64 = 40_000_000;
const LEAST_STEPS: u64 = 1_000;

pub(super) struct Builder<'d> {
    d: &'d Description,
    blocks: Vec<Block>,
    current: BlockId,
    slots: Vec<SlotInfo>,
    named: Slot,
    temporaries: Slot,
    most_temporaries: Slot,
    vars: Vec<VarSlots>,
    locals: FxHashMap<LocalId, Operand>,
    /// Locals that stand for a constant here: unrolled loops, the players of `together each`.
    bound: FxHashMap<LocalId, Vec<u64>>,
    tables: Vec<Table>,
    /// The numbers of tables made before, by where their rows lie and how many words each has. The rows are kept, so that no
    /// others come to lie there.
    table_numbers: FxHashMap<(usize, u16), (Rows, u32)>,
    largest_sets: RefCell<value_bounds::LargestSets>,
    faults: Vec<Fault>,
    nodes: Vec<Node>,
    loops: Vec<Loop>,
    /// The loops over statements that are written.
    rounds: Vec<Rounds>,
    /// In one move made of several choices.
    moving: Option<one_move::Moving>,
    shown: Vec<shown::Instance>,
    /// The variable that is stored to at once, and where what is stored is kept until then.
    aside: Option<(VarId, Slot)>,
    /// Where each piece of code that keeps notes up begins, and where play goes on after it.
    notes: Vec<(BlockId, BlockId)>,
    /// How often what is being written is written, by the loops around it that are written out.
    copies: usize,
    /// The types of the locals that the builder has made up, in order.
    made_up: Vec<Type>,
    knowledge: Vec<KnowledgeCode>,
    /// What was computed before the loops that are being written, by where the expression lies.
    invariants: Vec<(*const Expr, Operand)>,
    /// What is computed where it is first read in a loop, with whether it was, and its value.
    on_demand: Vec<(*const Expr, Slot, Operand)>,
    /// What is known to hold wherever a loop inside of those that are being written is run, by where the loop lies.
    ahead: Vec<(*const Fold, Vec<Expr>)>,
    /// In code that is run while the game is compiled: what stands for expressions that read the state.
    given: Vec<(Expr, Operand)>,
    /// How many steps may still be taken for tables.
    fuel: u64,
    /// What finding the sizes of sets may take still, and those that were looked for, by where they stand.
    size_fuel: u64,
    /// How many steps are left to work out what is known before play.
    evaluating: Cell<u64>,
    sizes: FxHashMap<Span, Vec<(Expr, Option<estimate::Size>)>>,
    /// How many instructions may still be run for what is the same in every state.
    steps: u64,
    /// The same for tables.
    run_steps: u64,
    /// How many blocks there were, and words of a frame, when there was too much, and something was left out.
    too_large: Option<(usize, u32)>,
    /// The tables that were looked for.
    looked_for: tabulate::LookedFor,
    /// The expressions whose code is written to be run for a table.
    running: Vec<*const Expr>,
    /// The places of the text so far, where the program is to have marks.
    places: Option<IndexSet<CoveragePoint>>,
}

/// Where `continue` and `break` go.
#[derive(Copy, Clone)]
struct Loop {
    next: BlockId,
    exit: BlockId,
}

/// A loop over statements: its head, through which every round goes, the blocks of what it repeats, and how many rounds there
/// are at most.
struct Rounds {
    head: BlockId,
    first: BlockId,
    others: std::ops::Range<u32>,
    most: u64,
}

impl Rounds {
    fn repeats(&self, block: BlockId) -> bool {
        block == self.first || self.others.contains(&block.0)
    }
}

/// Builds the whole graph; layout and liveness follow.
pub(super) fn lower(
    d: &Arc<Description>,
    marked: bool,
) -> Result<(Vec<Block>, Parts), Vec<Diagnostic>> {
    let mut b = Builder::new(d);
    b.places = marked.then(IndexSet::default);
    b.variables()?;
    b.shown_instances();
    b.unmarked(Builder::knowledge);
    let entry = b.current;
    b.block(&d.play);
    b.rest_terminal();
    let payoff = b.payoff();
    b.close(entry, payoff)
}

/// What `lower` makes besides the blocks.
pub(super) struct Parts {
    pub slots: Vec<SlotInfo>,
    pub frame: u32,
    pub vars: Vec<VarSlots>,
    pub entry: BlockId,
    pub nodes: Vec<Node>,
    pub payoff: PayoffCode,
    pub tables: Vec<Table>,
    pub faults: Vec<Fault>,
    pub notes: Vec<(BlockId, BlockId)>,
    pub knowledge: Vec<KnowledgeCode>,
    pub places: Vec<CoveragePoint>,
}

impl<'d> Builder<'d> {
    fn new(d: &'d Description) -> Builder<'d> {
        Builder {
            d,
            blocks: vec![Block::default()],
            current: BlockId(0),
            slots: Vec::new(),
            named: 0,
            temporaries: 0,
            most_temporaries: 0,
            vars: Vec::new(),
            locals: FxHashMap::default(),
            bound: FxHashMap::default(),
            tables: Vec::new(),
            table_numbers: FxHashMap::default(),
            largest_sets: Default::default(),
            faults: Vec::new(),
            nodes: Vec::new(),
            loops: Vec::new(),
            rounds: Vec::new(),
            moving: None,
            shown: Vec::new(),
            aside: None,
            notes: Vec::new(),
            copies: 1,
            made_up: Vec::new(),
            knowledge: Vec::new(),
            invariants: Vec::new(),
            on_demand: Vec::new(),
            ahead: Vec::new(),
            given: Vec::new(),
            size_fuel: tabulate::FUEL,
            evaluating: Cell::new(ALL_STEPS),
            sizes: FxHashMap::default(),
            fuel: tabulate::FUEL,
            steps: fixed::STEPS,
            run_steps: tabulate::STEPS,
            too_large: None,
            looked_for: Default::default(),
            running: Vec::new(),
            places: None,
        }
    }

    // ---- the graph ----------------------------------------------------------------------------

    fn emit(&mut self, instr: Instr) {
        self.blocks[self.current.0 as usize].instrs.push(instr);
    }

    fn new_block(&mut self) -> BlockId {
        self.blocks.push(Block::default());
        BlockId(self.blocks.len() as u32 - 1)
    }

    fn terminate(&mut self, term: Term) {
        self.blocks[self.current.0 as usize].term = term;
    }

    fn start(&mut self, block: BlockId) {
        self.current = block;
    }

    fn jump(&mut self, to: BlockId) {
        self.terminate(Term::Jump(to));
    }

    /// Ends the block with a jump and goes on in a new, unreachable one.
    fn leave(&mut self, term: Term) {
        self.terminate(term);
        self.current = self.new_block();
    }

    fn branch(&mut self, cond: Slot, then: BlockId, otherwise: BlockId) {
        self.terminate(Term::Branch {
            cond,
            then,
            otherwise,
        });
    }

    /// Writes code into a new block, away from the current flow, and returns the block; `Return` is its default end.
    fn aside(&mut self, write: impl FnOnce(&mut Self)) -> BlockId {
        self.aside_with(write).0
    }

    /// The same, with what writing it gave.
    fn aside_with<T>(&mut self, write: impl FnOnce(&mut Self) -> T) -> (BlockId, T) {
        let back = self.current;
        let block = self.new_block();
        self.start(block);
        let given = write(self);
        self.start(back);
        (block, given)
    }

    fn fault(&mut self, code: Code, span: Span, message: impl Into<String>) -> FaultId {
        self.fault_with(code, span, message, None)
    }

    fn fault_with(
        &mut self,
        code: Code,
        span: Span,
        message: impl Into<String>,
        hint: Option<&str>,
    ) -> FaultId {
        let fault = Fault {
            code,
            span,
            message: message.into(),
            hint: hint.map(String::from),
        };
        if let Some(i) = self.faults.iter().position(|f| *f == fault) {
            return i as FaultId;
        }
        self.faults.push(fault);
        self.faults.len() as FaultId - 1
    }

    // ---- slots --------------------------------------------------------------------------------

    /// A slot that keeps its value from block to block, and across a node if it is still wanted then.
    fn named(&mut self, name: impl Into<String>, ty: Type) -> Operand {
        let words = ty.words() as u16;
        let slot = self.named;
        self.named += u32::from(words);
        self.slots.push(SlotInfo {
            name: name.into(),
            slot,
            ty,
            var: None,
        });
        Operand { slot, words }
    }

    fn temporary(&mut self, words: u16) -> Operand {
        let slot = TEMPORARY + self.temporaries;
        self.temporaries += u32::from(words);
        self.most_temporaries = self.most_temporaries.max(self.temporaries);
        Operand { slot, words }
    }

    /// A stretch of temporaries, however long.
    fn stretch(&mut self, words: u32) -> Slot {
        let slot = TEMPORARY + self.temporaries;
        self.temporaries += words;
        self.most_temporaries = self.most_temporaries.max(self.temporaries);
        slot
    }

    fn scalar(&mut self) -> Slot {
        self.temporary(1).slot
    }

    /// Runs `f` and gives the temporaries that it took back.
    fn scope<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.temporaries;
        let result = f(self);
        self.temporaries = mark;
        result
    }

    /// A fresh slot for a local.
    fn bind(&mut self, local: LocalId) -> Operand {
        let info = self.d.local(local);
        let operand = self.named(info.name.clone(), info.ty.clone());
        self.bound.remove(&local);
        self.locals.insert(local, operand);
        operand
    }

    /// What an expression is here as a constant, if it is one. A reveal happens even where the value is certain without
    /// it, so an expression that holds one is none.
    fn constant(&self, expr: &Expr) -> Option<Vec<u64>> {
        if self.marks_inside(expr) {
            return None;
        }
        let left = self.evaluating.get();
        let given_out = left.clamp(LEAST_STEPS, MOST_STEPS);
        let mut fuel = given_out;
        let value = evaluate_within(expr, &self.bound, &mut fuel);
        self.evaluating.set(left.saturating_sub(given_out - fuel));
        value.filter(|_| !expr.reveals())
    }

    // ---- variables ----------------------------------------------------------------------------

    /// Gives every variable its slots. Initial values go into the layout, not into code.
    fn variables(&mut self) -> Result<(), Vec<Diagnostic>> {
        let d = self.d;
        for (id, var) in d.vars.iter().enumerate() {
            let words = var.ty.words() as u16;
            let elements = var.elements();
            if elements.saturating_mul(u64::from(words)) > u64::from(MAX_FRAME - self.named) {
                return Err(vec![
                    Diagnostic::error(
                        codes::STATE_TOO_LARGE,
                        var.span,
                        format!(
                            "`{}` has {elements} elements of {words} words each, more than a state can hold",
                            var.name
                        ),
                    )
                    .hint(format!("a state has at most {MAX_FRAME} words of 64 bits")),
                ]);
            }
            let base = self.named;
            let mut viewers = Vec::with_capacity(elements as usize);
            for values in index_values(&var.indices) {
                let locals = var
                    .indices
                    .iter()
                    .map(|index| index.local)
                    .zip(values.iter().map(|v| vec![*v as u64]))
                    .collect();
                // A variable whose viewers depend on more than its index is refused by `check`; no viewers is the safe reading.
                let seen_by = evaluate(&var.viewers, &locals);
                viewers.push(seen_by.map_or(PlayerSet::EMPTY, |w| PlayerSet::from_words(&w)));
                let shown: Vec<String> = var
                    .indices
                    .iter()
                    .zip(&values)
                    .map(|(index, v)| format!("[{}]", index.ty.show(*v)))
                    .collect();
                let operand = self.named(format!("{}{}", var.name, shown.concat()), var.ty.clone());
                debug_assert_eq!(operand.words, words);
                if let Some(slot) = self.slots.last_mut() {
                    slot.var = Some(VarId(id as u32));
                }
            }
            self.vars.push(VarSlots {
                base,
                words,
                elements: elements as u32,
                viewers,
            });
        }
        Ok(())
    }

    /// An event. Without `viewers` only those who see a part learn of it; those of a choice are who sees its labels. Just
    /// before it those who see something of it are told what is shown.
    fn event(
        &mut self,
        site: SiteId,
        chooser: Option<Slot>,
        alternative: Option<u32>,
        parts: Vec<(Operand, Slot)>,
        viewers: Option<Slot>,
    ) {
        let labelled = alternative.is_some() && viewers.is_some();
        let viewers = viewers.unwrap_or_else(|| self.number(0));
        let event = EventCode {
            site,
            chooser,
            alternative,
            labelled,
            viewers,
            parts,
            said: None,
        };
        self.send(event);
    }

    fn send(&mut self, event: EventCode) {
        self.show_with(&event);
        self.emit(Instr::Event(Box::new(event)));
    }

    // ---- nodes --------------------------------------------------------------------------------

    /// Ends the current block at a new node and goes on where it resumes.
    fn rest(&mut self, kind: NodeKind, span: Span) {
        self.show_to_asked(&kind);
        let resume = self.new_block();
        self.nodes.push(Node { kind, resume, span });
        self.terminate(Term::Rest(NodeId(self.nodes.len() as u32 - 1)));
        self.start(resume);
    }

    /// Ends the game. There is one terminal node, made on first use.
    fn rest_terminal(&mut self) {
        self.show_to_all();
        let known = self
            .nodes
            .iter()
            .position(|n| matches!(n.kind, NodeKind::Terminal));
        let node = known.unwrap_or_else(|| {
            let resume = self.new_block();
            self.nodes.push(Node {
                kind: NodeKind::Terminal,
                resume,
                span: self.d.payoff.span,
            });
            self.nodes.len() - 1
        });
        self.leave(Term::Rest(NodeId(node as u32)));
    }

    /// Whether there was more at some time than a program may have: what is still to be written is left out then.
    fn is_too_large(&mut self) -> bool {
        let (frame, blocks) = (self.named + self.most_temporaries, self.blocks.len());
        let noted = blocks as u64 * u64::from(frame);
        if blocks > MAX_BLOCKS || frame > MAX_FRAME || noted > MAX_NOTED {
            self.too_large.get_or_insert((blocks, frame));
        }
        self.too_large.is_some()
    }

    /// Numbers temporaries after the named slots and hands everything over.
    fn close(
        mut self,
        entry: BlockId,
        payoff: PayoffCode,
    ) -> Result<(Vec<Block>, Parts), Vec<Diagnostic>> {
        let frame = self.named + self.most_temporaries;
        self.is_too_large();
        if let Some((blocks, frame)) = self.too_large {
            return Err(vec![Diagnostic::error(
                codes::PROGRAM_TOO_LARGE,
                self.d.payoff.span,
                format!(
                    "the game compiles to {blocks} blocks and a frame of {frame} words, or more; at most {MAX_BLOCKS} and {MAX_FRAME} can be, and {MAX_NOTED} multiplied"
                ),
            )]);
        }
        let named = self.named;
        let place = move |slot: &mut Slot| {
            if *slot >= TEMPORARY {
                *slot = named + (*slot - TEMPORARY);
            }
        };
        for block in &mut self.blocks {
            for instr in &mut block.instrs {
                instr.visit_mut(&mut |slot, _, _| place(slot));
            }
            if let Term::Branch { cond, .. } = &mut block.term {
                place(cond);
            }
        }
        for node in &mut self.nodes {
            let listings: Vec<&mut Listing> = match &mut node.kind {
                NodeKind::Decision(arms) => arms.iter_mut().map(|a| &mut a.listing).collect(),
                NodeKind::Chance(listing) => vec![listing],
                NodeKind::Terminal => Vec::new(),
            };
            for listing in listings {
                match &mut listing.kind {
                    ListingKind::Set { set, .. } => place(&mut set.slot),
                    ListingKind::Subset { set, count, .. } => {
                        place(&mut set.slot);
                        place(count);
                    }
                    ListingKind::Loop { .. } => {}
                }
                for alternative in &mut listing.alternatives {
                    let text = &mut alternative.text;
                    for case in &mut text.cases {
                        place(&mut case.cond);
                        case.viewers.iter_mut().for_each(place);
                    }
                    let cases = text.cases.iter_mut().flat_map(|case| &mut case.pieces);
                    for piece in cases.chain(&mut text.pieces).chain(&mut text.hidden) {
                        piece.for_each_slot(&mut |slot| place(slot));
                    }
                    for rating in &mut alternative.ratings {
                        match &mut rating.kind {
                            RatingKind::Greatest { value, .. }
                            | RatingKind::Least { value, .. } => {
                                place(value);
                            }
                            RatingKind::Weight { first, weight, .. } => {
                                place(first);
                                place(weight);
                            }
                            RatingKind::Kept(slot) => place(slot),
                            RatingKind::Class(slots) => slots.iter_mut().for_each(place),
                        }
                    }
                }
            }
        }
        let of_state = self
            .knowledge
            .iter_mut()
            .filter_map(|k| k.of_state.as_mut());
        for (operand, _) in of_state.flat_map(|k| &mut k.values) {
            place(&mut operand.slot);
        }
        let mut payoff = payoff;
        payoff.values.iter_mut().for_each(place);
        if let Some((_, slots)) = &mut payoff.accumulated {
            slots.iter_mut().for_each(place);
        }
        Ok((
            self.blocks,
            Parts {
                slots: self.slots,
                frame,
                vars: self.vars,
                entry,
                nodes: self.nodes,
                payoff,
                tables: self.tables,
                faults: self.faults,
                notes: self.notes,
                knowledge: self.knowledge,
                places: self.places.into_iter().flatten().collect(),
            },
        ))
    }
}

/// Every combination of index values, the last index fastest.
fn index_values(indices: &[Index]) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    for Index { ty, .. } in indices {
        let size = ty.size().unwrap_or(0);
        all = all
            .into_iter()
            .flat_map(|prefix: Vec<i64>| {
                (0..size).map(move |i| {
                    let mut values = prefix.clone();
                    values.push(ty.value_at(i));
                    values
                })
            })
            .collect();
    }
    all
}
