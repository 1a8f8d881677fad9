//! Flow to code: places blocks in a row and joins comparisons with the jumps that depend on them.

use super::bitboards::{Board, MOST_WORDS, Rays, Shift};
use super::code::{At, Opcode, Pc};
use super::emitted_tuples::Emission;
use super::lines::Lines;
use super::superinstructions::Fused;
use crate::compile::optimise::{live_in, live_out, transfer};
use crate::compile::playout::{Entry, Flow};
use crate::ir::*;
use rustc_hash::FxHashMap;

/// A playout that can run.
#[derive(Debug)]
pub(super) struct Code {
    pub opcodes: Vec<Opcode>,
    pub interface: Interface,
    /// All tables in a row.
    pub tables: Vec<u64>,
    pub boards: Vec<Board>,
    pub rays: Vec<Rays>,
    pub lines: Vec<Lines>,
    pub shifts: Vec<Shift>,
    pub others: Vec<Instr>,
    pub checks: Vec<(i64, i64, FaultId)>,
    pub samples: Vec<SampleCode>,
    pub emissions: Vec<Emission>,
}

/// How code is entered and what it leaves in the frame.
#[derive(Debug)]
pub(super) struct Interface {
    /// Where each node is entered.
    pub entries: Vec<(Entry, Vec<Pc>)>,
    /// The same for nodes that are entered at one place; [`MANY`] for others.
    single: Vec<Pc>,
    /// What stands in the frame before anything runs, from slot `base` on.
    pub base: usize,
    pub constants: Vec<u64>,
    pub payoffs: Vec<Slot>,
    pub last: At,
    /// What the payoffs must add up to, if that is easy to say.
    pub sum: Option<i128>,
}

/// Where a node is entered depends on what is known there.
const MANY: Pc = Pc::MAX;

fn single(entries: &[(Entry, Vec<Pc>)]) -> Vec<Pc> {
    let starts = entries.iter().map(|(_, starts)| match starts[..] {
        [start] => start,
        _ => MANY,
    });
    starts.collect()
}

impl Interface {
    /// Of code whose entries are numbered in their order.
    pub fn numbered(flow: &Flow) -> Interface {
        let mut next = 0..;
        let entries = flow.entries.iter();
        let entries: Vec<(Entry, Vec<Pc>)> = entries
            .map(|e| (e.clone(), next.by_ref().take(e.blocks.len()).collect()))
            .collect();
        Interface {
            single: single(&entries),
            entries,
            base: flow.pool.base as usize,
            constants: flow.pool.words.clone(),
            payoffs: flow.payoffs.clone(),
            last: flow.last as At,
            sum: None,
        }
    }

    /// Where a state of a node is entered; `value` gives what its slots hold.
    #[inline]
    pub fn entry(&self, node: u32, value: impl Fn(Slot) -> Option<i64>) -> Pc {
        let start = self.single[node as usize];
        if start != MANY {
            return start;
        }
        let (entry, starts) = &self.entries[node as usize];
        let mut at = 0;
        for &(slot, lo, size) in &entry.keys {
            let key = value(slot).unwrap_or(lo).wrapping_sub(lo);
            at = at * size as usize + key.clamp(0, i64::from(size) - 1) as usize;
        }
        starts[at]
    }
}

/// The longest frame that slots of 16 bits reach.
pub(super) const FRAME: usize = 1 << 16;

/// `None` where the frame is too long.
pub(super) fn translate(p: &Program, flow: &Flow) -> Option<Code> {
    let mut tables = Vec::new();
    let mut table_at = Vec::new();
    for table in p.tables.iter().chain(&flow.pool.tables) {
        table_at.push(u32::try_from(tables.len()).ok()?);
        tables.extend_from_slice(&table.values);
    }
    u32::try_from(tables.len()).ok()?;
    let mut t = Translator {
        p,
        flow,
        table_at,
        opcodes: Vec::new(),
        costs: Vec::new(),
        at: vec![None; flow.blocks.len()],
        waiting: Vec::new(),
        fixups: Vec::new(),
        constants: flow.pool.words.clone(),
        constant_at: FxHashMap::default(),
        boards: Vec::new(),
        board_at: FxHashMap::default(),
        rays: Vec::new(),
        lines: Vec::new(),
        rays_at: FxHashMap::default(),
        shifts: Vec::new(),
        others: Vec::new(),
        checks: Vec::new(),
        samples: Vec::new(),
        emissions: Vec::new(),
    };
    t.run();
    if flow.pool.base as usize + t.constants.len() > FRAME {
        return None;
    }
    let pc = |b: &BlockId| t.at[b.0 as usize].unwrap_or(0);
    let entries = flow.entries.iter();
    let entries: Vec<(Entry, Vec<Pc>)> = entries
        .map(|e| (e.clone(), e.blocks.iter().map(pc).collect()))
        .collect();
    Some(Code {
        interface: Interface {
            single: single(&entries),
            entries,
            base: flow.pool.base as usize,
            constants: t.constants,
            payoffs: flow.payoffs.clone(),
            last: flow.last as At,
            sum: None,
        },
        opcodes: t.opcodes,
        tables,
        boards: t.boards,
        rays: t.rays,
        lines: t.lines,
        shifts: t.shifts,
        others: t.others,
        checks: t.checks,
        samples: t.samples,
        emissions: t.emissions,
    })
}

pub(super) struct Translator<'a> {
    pub p: &'a Program,
    pub flow: &'a Flow,
    pub table_at: Vec<u32>,
    opcodes: Vec<Opcode>,
    /// Where each block begins and what it costs.
    costs: Vec<(Pc, u32)>,
    at: Vec<Option<Pc>>,
    waiting: Vec<BlockId>,
    /// Jumps whose ends are not known yet.
    fixups: Vec<(usize, BlockId)>,
    constants: Vec<u64>,
    constant_at: FxHashMap<u64, At>,
    pub boards: Vec<Board>,
    /// By the table.
    pub board_at: FxHashMap<u32, u16>,
    pub rays: Vec<Rays>,
    pub lines: Vec<Lines>,
    /// By the table, the number of ways, and whether both ways are gone.
    pub rays_at: FxHashMap<(u32, u32, bool), u16>,
    pub shifts: Vec<Shift>,
    pub others: Vec<Instr>,
    pub checks: Vec<(i64, i64, FaultId)>,
    pub samples: Vec<SampleCode>,
    pub emissions: Vec<Emission>,
}

/// What decides a branch.
#[derive(Copy, Clone)]
enum Test {
    If(At),
    IfNot(At),
    Eq(At, At),
    Ne(At, At),
    Lt(At, At),
    Le(At, At),
    Within(At, At),
    NotWithin(At, At),
    Has(At, At),
    HasNot(At, At),
    HasWide(At, u16, At),
    HasNotWide(At, u16, At),
    EqWide(At, At, u16),
    NeWide(At, At, u16),
    WithinWide(At, At, u16),
    NotWithinWide(At, At, u16),
}

impl Test {
    fn negated(self) -> Test {
        match self {
            Test::If(a) => Test::IfNot(a),
            Test::IfNot(a) => Test::If(a),
            Test::Eq(a, b) => Test::Ne(a, b),
            Test::Ne(a, b) => Test::Eq(a, b),
            Test::Lt(a, b) => Test::Le(b, a),
            Test::Le(a, b) => Test::Lt(b, a),
            Test::Within(a, b) => Test::NotWithin(a, b),
            Test::NotWithin(a, b) => Test::Within(a, b),
            Test::Has(a, b) => Test::HasNot(a, b),
            Test::HasNot(a, b) => Test::Has(a, b),
            Test::HasWide(a, words, b) => Test::HasNotWide(a, words, b),
            Test::HasNotWide(a, words, b) => Test::HasWide(a, words, b),
            Test::EqWide(a, b, words) => Test::NeWide(a, b, words),
            Test::NeWide(a, b, words) => Test::EqWide(a, b, words),
            Test::WithinWide(a, b, words) => Test::NotWithinWide(a, b, words),
            Test::NotWithinWide(a, b, words) => Test::WithinWide(a, b, words),
        }
    }

    fn jump(self, to: Pc) -> Opcode {
        match self {
            Test::If(a) => Opcode::JumpIf { a, to },
            Test::IfNot(a) => Opcode::JumpIfNot { a, to },
            Test::Eq(a, b) => Opcode::JumpEq { a, b, to },
            Test::Ne(a, b) => Opcode::JumpNe { a, b, to },
            Test::Lt(a, b) => Opcode::JumpLt { a, b, to },
            Test::Le(a, b) => Opcode::JumpLe { a, b, to },
            Test::Within(a, b) => Opcode::JumpWithin { a, b, to },
            Test::NotWithin(a, b) => Opcode::JumpNotWithin { a, b, to },
            Test::Has(a, b) => Opcode::JumpHas { a, b, to },
            Test::HasNot(a, b) => Opcode::JumpHasNot { a, b, to },
            Test::HasWide(a, words, b) => Opcode::JumpHasWide { a, words, b, to },
            Test::HasNotWide(a, words, b) => Opcode::JumpHasNotWide { a, words, b, to },
            Test::EqWide(a, b, words) => Opcode::JumpEqWide { a, b, words, to },
            Test::NeWide(a, b, words) => Opcode::JumpNeWide { a, b, words, to },
            Test::WithinWide(a, b, words) => Opcode::JumpWithinWide { a, b, words, to },
            Test::NotWithinWide(a, b, words) => Opcode::JumpNotWithinWide { a, b, words, to },
        }
    }
}

impl Translator<'_> {
    fn run(&mut self) {
        let live = live_in(self.flow);
        for entry in &self.flow.entries {
            self.waiting.extend(entry.blocks.iter().copied());
        }
        while let Some(block) = self.waiting.pop() {
            let mut next = Some(block);
            while let Some(block) = next.take() {
                if self.at[block.0 as usize].is_some() {
                    break;
                }
                next = self.block(block, &live);
            }
        }
        for (opcode, to) in std::mem::take(&mut self.fixups) {
            let pc = self.at[to.0 as usize].unwrap_or(0);
            set_target(&mut self.opcodes[opcode], pc);
        }
    }

    /// Writes one block and returns the one that should come right after it.
    fn block(&mut self, id: BlockId, live: &[Slots]) -> Option<BlockId> {
        self.at[id.0 as usize] = Some(self.opcodes.len() as Pc);
        let flow = self.flow;
        let block = &flow.blocks[id.0 as usize];
        self.costs
            .push((self.opcodes.len() as Pc, block.cost.max(1)));
        let mut instrs = &block.instrs[..];
        let mut test = None;
        // What is only tested, by the branch itself.
        let mut unwanted = None;
        let lines = self.row_of_lines(id, live);
        let mask = self.row_of_tests(id, live);
        if let Some(lines) = &lines {
            instrs = &instrs[..lines.before];
        } else if let Some(mask) = &mask {
            instrs = &instrs[..mask.before];
        } else {
            (instrs, test, unwanted) = self.branch_test(block, live);
        }
        let mut after = live_out(flow, live, id);
        // For each instruction the slots that are dead after it; `None` where it is dead itself.
        let mut dying: Vec<Option<Vec<At>>> = Vec::new();
        for instr in block.instrs.iter().rev() {
            dying.push(dies(instr, &mut after));
        }
        dying.reverse();
        let tested = dying.split_off(instrs.len());
        let mut last: Vec<At> = tested.into_iter().flatten().flatten().collect();
        last.extend(unwanted);
        let mut row = Fused::default();
        for (instr, dying) in instrs.iter().zip(dying) {
            let nothing = match instr {
                Instr::Copy { dst, src, .. } => dst == src,
                Instr::Reserve { .. } => true,
                _ => false,
            };
            if let Some(dying) = dying.filter(|_| !nothing) {
                let opcode = self.select(instr);
                row.push(opcode, dying, |at| self.known(at));
            }
        }
        if let Some(lines) = lines {
            self.opcodes.append(&mut row.opcodes());
            match self.at[lines.then.0 as usize] {
                None => self.jump(lines.jump(true, 0), lines.then),
                // Going back is counted, by an opcode of its own.
                Some(pc) => {
                    let over = self.opcodes.len() as Pc + 2;
                    self.opcodes.push(lines.jump(false, over));
                    self.back(pc);
                }
            }
            return self.go_on(lines.otherwise);
        }
        if let Some(mask) = mask {
            row.push(mask.opcode, Vec::new(), |at| self.known(at));
            self.opcodes.append(&mut row.opcodes());
            return self.go_on(mask.to);
        }
        match (block.term, test) {
            (Term::Jump(to), _) => {
                self.opcodes.append(&mut row.opcodes());
                self.go_on(self.behind(to))
            }
            (
                Term::Branch {
                    then, otherwise, ..
                },
                Some(test),
            ) => self.branch(row, test, (then, otherwise), last),
            (term, _) => {
                self.opcodes.append(&mut row.opcodes());
                self.opcodes.push(match term {
                    Term::Fail(fault) => Opcode::Fail { fault },
                    _ => Opcode::End,
                });
                None
            }
        }
    }

    /// What a branch tests, with the instructions before the test, and a slot that only the branch reads.
    fn branch_test<'b>(
        &mut self,
        block: &'b Block,
        live: &[Slots],
    ) -> (&'b [Instr], Option<Test>, Option<At>) {
        let mut instrs = &block.instrs[..];
        let Term::Branch {
            mut cond,
            then,
            otherwise,
        } = block.term
        else {
            return (instrs, None, None);
        };
        let wanted =
            |s: Slot| live[then.0 as usize].contains(s) || live[otherwise.0 as usize].contains(s);
        let mut test = None;
        let mut positive = true;
        // Walks back over what only serves the branch.
        while let Some((last, rest)) = instrs.split_last() {
            match last {
                Instr::Not { dst, a }
                | Instr::Copy {
                    dst,
                    src: a,
                    words: 1,
                } if *dst == cond && !wanted(cond) => {
                    positive ^= matches!(last, Instr::Not { .. });
                    cond = *a;
                    instrs = rest;
                }
                _ => {
                    if let Some((t, dst)) = self.test(last)
                        && dst == cond
                        && !wanted(cond)
                    {
                        test = Some(t);
                        instrs = rest;
                    }
                    break;
                }
            }
        }
        let unwanted = (test.is_none() && !wanted(cond)).then_some(cond as At);
        let test = test.unwrap_or(Test::If(cond as At));
        let test = if positive { test } else { test.negated() };
        (instrs, Some(test), unwanted)
    }

    /// Writes the opcodes of a block and the branch at its end. `last`: slots that nothing reads after the test.
    fn branch(
        &mut self,
        mut row: Fused,
        test: Test,
        (then, otherwise): (BlockId, BlockId),
        last: Vec<At>,
    ) -> Option<BlockId> {
        let (then, otherwise) = (self.behind(then), self.behind(otherwise));
        if let Some((count, to)) = self.counts_on(test, then) {
            self.opcodes.append(&mut row.opcodes());
            self.jump(count, to);
            return self.go_on(otherwise);
        }
        let (test, to, next) = match self.at[otherwise.0 as usize] {
            None => (test, then, otherwise),
            Some(_) => (test.negated(), otherwise, then),
        };
        match self.at[to.0 as usize] {
            None => {
                row.push(test.jump(0), last, |at| self.known(at));
                let mut opcodes = row.opcodes();
                let jump = opcodes.pop();
                self.opcodes.append(&mut opcodes);
                self.jump(jump.unwrap_or(Opcode::End), to);
            }
            // Going back is counted, so that it is an opcode of its own if it is not that of a loop.
            Some(pc) => {
                if row.close(test.jump(pc), |at| self.known(at)) {
                    let mut opcodes = row.opcodes();
                    let jump = opcodes.pop();
                    self.opcodes.append(&mut opcodes);
                    self.jump(jump.unwrap_or(Opcode::End), to);
                } else {
                    row.push(test.negated().jump(0), last, |at| self.known(at));
                    self.opcodes.append(&mut row.opcodes());
                    let over = self.opcodes.len() as Pc + 1;
                    if let Some(jump) = self.opcodes.last_mut() {
                        set_target(jump, over);
                    }
                    self.back(pc);
                }
            }
        }
        self.go_on(next)
    }

    /// Goes on with a block: the one that comes next if it is not written yet.
    fn go_on(&mut self, to: BlockId) -> Option<BlockId> {
        match self.at[to.0 as usize] {
            None => Some(to),
            Some(pc) => {
                self.back(pc);
                None
            }
        }
    }

    /// Writes a jump, back or forth.
    fn jump(&mut self, mut jump: Opcode, to: BlockId) {
        match self.at[to.0 as usize] {
            Some(pc) => {
                set_target(&mut jump, pc);
                set_cost(&mut jump, self.cost_from(pc));
            }
            None => {
                self.fixups.push((self.opcodes.len(), to));
                self.waiting.push(to);
            }
        }
        self.opcodes.push(jump);
    }

    /// The first block on the way from `to` that does something.
    pub(super) fn behind(&self, mut to: BlockId) -> BlockId {
        for _ in 0..self.flow.blocks.len() {
            let block = &self.flow.blocks[to.0 as usize];
            match block.term {
                Term::Jump(next) if block.instrs.is_empty() => to = next,
                _ => break,
            }
        }
        to
    }

    /// A count that goes up by one while it is below a limit: the opcode, and where it leads.
    fn counts_on(&self, test: Test, then: BlockId) -> Option<(Opcode, BlockId)> {
        let block = &self.flow.blocks[then.0 as usize];
        let (Test::Lt(a, b), [instr], Term::Jump(to)) = (test, &block.instrs[..], block.term)
        else {
            return None;
        };
        match *instr {
            Instr::Immediate {
                op: Op::Add,
                dst,
                a: from,
                value: 1,
            } if dst == from && dst as At == a && a != b => Some((
                Opcode::CountOn {
                    a,
                    b,
                    to: 0,
                    cost: 0,
                },
                self.behind(to),
            )),
            _ => None,
        }
    }

    /// A jump to code that is written already.
    fn back(&mut self, to: Pc) {
        let cost = self.cost_from(to);
        self.opcodes.push(Opcode::Back { to, cost });
    }

    /// What the blocks from there to here cost.
    fn cost_from(&self, to: Pc) -> u32 {
        let from = self.costs.partition_point(|(pc, _)| *pc < to);
        self.costs[from..]
            .iter()
            .fold(0u32, |sum, (_, cost)| sum.saturating_add(*cost))
    }

    /// A slot that holds a constant.
    pub(super) fn constant(&mut self, value: u64) -> At {
        if let Some(at) = self.constant_at.get(&value) {
            return *at;
        }
        let at = self.row_of_constants(&[value]);
        self.constant_at.insert(value, at);
        at
    }

    /// Slots side by side that hold constants.
    pub(super) fn row_of_constants(&mut self, values: &[u64]) -> At {
        let at = self.flow.pool.base as usize + self.constants.len();
        self.constants.extend_from_slice(values);
        at as At
    }

    /// The value of a slot of constants.
    pub(super) fn known(&self, at: At) -> Option<i64> {
        let i = u32::from(at).checked_sub(self.flow.pool.base)?;
        self.constants.get(i as usize).map(|w| *w as i64)
    }

    /// What an instruction decides, and the slot that says so.
    fn test(&mut self, instr: &Instr) -> Option<(Test, Slot)> {
        let (op, dst, a, b) = match *instr {
            Instr::Binary { op, dst, a, b } => (op, dst, a as At, b as At),
            Instr::Immediate { op, dst, a, value } if compares(op) => {
                (op, dst, a as At, self.constant(value as u64))
            }
            Instr::SetEq { dst, a, b, words } => {
                let (a, b) = (a as At, b as At);
                let test = match words {
                    1 => Test::Eq(a, b),
                    words => Test::EqWide(a, b, words),
                };
                return Some((test, dst));
            }
            Instr::SetSubset { dst, a, b, words } => {
                let (a, b) = (a as At, b as At);
                let test = match words {
                    1 => Test::Within(a, b),
                    words => Test::WithinWide(a, b, words),
                };
                return Some((test, dst));
            }
            Instr::SetTest { dst, set, element } => {
                let (a, b) = (set.slot as At, element as At);
                let test = match set.words {
                    1 => Test::Has(a, b),
                    words => Test::HasWide(a, words, b),
                };
                return Some((test, dst));
            }
            _ => return None,
        };
        let test = match op {
            Op::Eq => Test::Eq(a, b),
            Op::Ne => Test::Ne(a, b),
            Op::Lt => Test::Lt(a, b),
            Op::Le => Test::Le(a, b),
            _ => return None,
        };
        Some((test, dst))
    }
}

pub(super) fn compares(op: Op) -> bool {
    matches!(op, Op::Eq | Op::Ne | Op::Lt | Op::Le)
}

/// Liveness from after an instruction to before it. Returns the slots that it touches and that are dead after it; `None`
/// where the instruction is dead.
fn dies(instr: &Instr, live: &mut Slots) -> Option<Vec<At>> {
    let mut dying = Vec::new();
    instr.visit(&mut |slot, words, _| {
        if words <= u32::from(MOST_WORDS) && (slot..slot + words).all(|s| !live.contains(s)) {
            dying.push(slot as At);
        }
    });
    transfer(instr, live).then_some(dying)
}

fn set_cost(opcode: &mut Opcode, value: u32) {
    if let Opcode::CountOn { cost, .. } | Opcode::NextLoop { cost, .. } = opcode {
        *cost = value;
    }
}

fn set_target(opcode: &mut Opcode, pc: Pc) {
    match opcode {
        Opcode::JumpIf { to, .. }
        | Opcode::JumpIfNot { to, .. }
        | Opcode::JumpEq { to, .. }
        | Opcode::JumpNe { to, .. }
        | Opcode::JumpLt { to, .. }
        | Opcode::JumpLe { to, .. }
        | Opcode::JumpWithin { to, .. }
        | Opcode::JumpNotWithin { to, .. }
        | Opcode::JumpHas { to, .. }
        | Opcode::JumpHasNot { to, .. }
        | Opcode::JumpHasWide { to, .. }
        | Opcode::JumpHasNotWide { to, .. }
        | Opcode::JumpEqWide { to, .. }
        | Opcode::JumpNeWide { to, .. }
        | Opcode::JumpWithinWide { to, .. }
        | Opcode::JumpNotWithinWide { to, .. }
        | Opcode::JumpMeets { to, .. }
        | Opcode::JumpMisses { to, .. }
        | Opcode::JumpMeetsWide { to, .. }
        | Opcode::JumpMissesWide { to, .. }
        | Opcode::JumpListed { to }
        | Opcode::JumpNotListed { to }
        | Opcode::JumpRow { to, .. }
        | Opcode::JumpNotRow { to, .. }
        | Opcode::CountOn { to, .. }
        | Opcode::NextOr { to, .. }
        | Opcode::NextWideOr { to, .. }
        | Opcode::NextLoop { to, .. }
        | Opcode::JumpLine { to, .. }
        | Opcode::JumpNotLine { to, .. }
        | Opcode::JumpLines { to, .. }
        | Opcode::JumpNoLines { to, .. } => *to = pc,
        _ => {}
    }
}
