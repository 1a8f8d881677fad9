//! Flow to code: places blocks in a row and joins comparisons with the jumps that depend on them.

use super::emitted_tuples::Emission;
use super::opcode::Opcode;
use crate::compile::optimise::{live_in, live_out, transfer};
use crate::compile::playout::{Entry, Flow};
use crate::ir::*;
use crate::machine::playout::bitboards::{Board, Rays, Shift};
use crate::machine::playout::frames::{At, FRAME};
use crate::machine::playout::interface::{Interface, Pc};
use rustc_hash::FxHashMap;

/// A playout that can run.
#[derive(Debug)]
pub(in crate::machine::playout) struct Code {
    pub(super) opcodes: Vec<Opcode>,
    pub interface: Interface,
    /// All tables in a row.
    pub(super) tables: Vec<u64>,
    pub(super) boards: Vec<Board>,
    pub(super) rays: Vec<Rays>,
    pub(super) shifts: Vec<Shift>,
    pub(super) others: Vec<Instr>,
    pub(super) checks: Vec<(i64, i64, FaultId)>,
    pub(super) samples: Vec<SampleCode>,
    pub emissions: Vec<Emission>,
}

/// `None` where the frame is too long.
pub(in crate::machine::playout) fn translate(p: &Program, flow: &Flow) -> Option<Code> {
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
    let mut interface = Interface::new(flow, entries);
    interface.constants = t.constants;
    Some(Code {
        interface,
        opcodes: t.opcodes,
        tables,
        boards: t.boards,
        rays: t.rays,
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
    /// By the table, the number of ways, and whether both ways are gone.
    pub rays_at: FxHashMap<(u32, u32, bool), u16>,
    pub shifts: Vec<Shift>,
    pub others: Vec<Instr>,
    pub checks: Vec<(i64, i64, FaultId)>,
    pub samples: Vec<SampleCode>,
    pub emissions: Vec<Emission>,
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
        let (instrs, test) = match block.term {
            Term::Branch {
                cond,
                then,
                otherwise,
            } => {
                let (instrs, test) = self.branch_test(block, cond, [then, otherwise], live);
                (instrs, Some((test, then, otherwise)))
            }
            _ => (&block.instrs[..], None),
        };
        let mut after = live_out(flow, live, id);
        let wanted = block.instrs.iter().rev();
        let mut wanted: Vec<bool> = wanted.map(|i| transfer(i, &mut after)).collect();
        wanted.reverse();
        for (instr, wanted) in instrs.iter().zip(wanted) {
            let nothing = match instr {
                Instr::Copy { dst, src, .. } if dst == src => true,
                Instr::Reserve { .. } => true,
                _ => !wanted,
            };
            if !nothing {
                let opcode = self.select(instr);
                self.opcodes.push(opcode);
            }
        }
        if let Some((test, then, otherwise)) = test {
            return self.branch(test, then, otherwise);
        }
        match block.term {
            Term::Jump(to) => return self.go_on(self.behind(to)),
            Term::Fail(fault) => self.opcodes.push(Opcode::Fail { fault }),
            _ => self.opcodes.push(Opcode::End),
        }
        None
    }

    /// What a branch tests, as a jump that is taken where the condition holds, with the instructions before the test.
    fn branch_test<'b>(
        &mut self,
        block: &'b Block,
        mut cond: Slot,
        next: [BlockId; 2],
        live: &[Slots],
    ) -> (&'b [Instr], Opcode) {
        let wanted = |s: Slot| next.iter().any(|to| live[to.0 as usize].contains(s));
        let mut instrs = &block.instrs[..];
        let mut positive = true;
        let mut test = None;
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
                    if let Some((jump, dst)) = self.test(last)
                        && dst == cond
                        && !wanted(cond)
                    {
                        test = Some(jump);
                        instrs = rest;
                    }
                    break;
                }
            }
        }
        let a = cond as At;
        let test = test.unwrap_or(Opcode::JumpIf { a, to: 0 });
        (instrs, if positive { test } else { negated(test) })
    }

    /// Writes the branch at the end of a block.
    fn branch(&mut self, test: Opcode, then: BlockId, otherwise: BlockId) -> Option<BlockId> {
        let (then, otherwise) = (self.behind(then), self.behind(otherwise));
        let (test, to, next) = match self.at[otherwise.0 as usize] {
            None => (test, then, otherwise),
            Some(_) => (negated(test), otherwise, then),
        };
        match self.at[to.0 as usize] {
            None => {
                self.fixups.push((self.opcodes.len(), to));
                self.waiting.push(to);
                self.opcodes.push(test);
            }
            // Going back is counted, by an opcode of its own.
            Some(pc) => {
                let mut over = negated(test);
                set_target(&mut over, self.opcodes.len() as Pc + 2);
                self.opcodes.push(over);
                self.back(pc);
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

    /// The first block on the way from `to` that does something.
    fn behind(&self, mut to: BlockId) -> BlockId {
        for _ in 0..self.flow.blocks.len() {
            let block = &self.flow.blocks[to.0 as usize];
            match block.term {
                Term::Jump(next) if block.instrs.is_empty() => to = next,
                _ => break,
            }
        }
        to
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

    /// What an instruction decides, as a jump that is taken where it holds, and the slot that says so.
    fn test(&mut self, instr: &Instr) -> Option<(Opcode, Slot)> {
        let to = 0;
        let (op, dst, a, b) = match *instr {
            Instr::Binary { op, dst, a, b } => (op, dst, a as At, b as At),
            Instr::Immediate { op, dst, a, value } if compares(op) => {
                (op, dst, a as At, self.constant(value as u64))
            }
            Instr::SetEq { dst, a, b, words } => {
                let (a, b) = (a as At, b as At);
                let jump = match words {
                    1 => Opcode::JumpEq { a, b, to },
                    words => Opcode::JumpEqWide { a, b, words, to },
                };
                return Some((jump, dst));
            }
            Instr::SetSubset { dst, a, b, words } => {
                let (a, b) = (a as At, b as At);
                let jump = match words {
                    1 => Opcode::JumpWithin { a, b, to },
                    words => Opcode::JumpWithinWide { a, b, words, to },
                };
                return Some((jump, dst));
            }
            Instr::SetTest { dst, set, element } => {
                let (a, b) = (set.slot as At, element as At);
                let jump = match set.words {
                    1 => Opcode::JumpHas { a, b, to },
                    words => Opcode::JumpHasWide { a, words, b, to },
                };
                return Some((jump, dst));
            }
            _ => return None,
        };
        let jump = match op {
            Op::Eq => Opcode::JumpEq { a, b, to },
            Op::Ne => Opcode::JumpNe { a, b, to },
            Op::Lt => Opcode::JumpLt { a, b, to },
            Op::Le => Opcode::JumpLe { a, b, to },
            _ => return None,
        };
        Some((jump, dst))
    }
}

fn compares(op: Op) -> bool {
    matches!(op, Op::Eq | Op::Ne | Op::Lt | Op::Le)
}

/// The jump that is taken where another one is not.
fn negated(jump: Opcode) -> Opcode {
    use Opcode::*;
    match jump {
        JumpIf { a, to } => JumpIfNot { a, to },
        JumpIfNot { a, to } => JumpIf { a, to },
        JumpEq { a, b, to } => JumpNe { a, b, to },
        JumpNe { a, b, to } => JumpEq { a, b, to },
        JumpLt { a, b, to } => JumpLe { a: b, b: a, to },
        JumpLe { a, b, to } => JumpLt { a: b, b: a, to },
        JumpWithin { a, b, to } => JumpNotWithin { a, b, to },
        JumpNotWithin { a, b, to } => JumpWithin { a, b, to },
        JumpHas { a, b, to } => JumpHasNot { a, b, to },
        JumpHasNot { a, b, to } => JumpHas { a, b, to },
        JumpHasWide { a, words, b, to } => JumpHasNotWide { a, words, b, to },
        JumpHasNotWide { a, words, b, to } => JumpHasWide { a, words, b, to },
        JumpEqWide { a, b, words, to } => JumpNeWide { a, b, words, to },
        JumpNeWide { a, b, words, to } => JumpEqWide { a, b, words, to },
        JumpWithinWide { a, b, words, to } => JumpNotWithinWide { a, b, words, to },
        JumpNotWithinWide { a, b, words, to } => JumpWithinWide { a, b, words, to },
        other => other,
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
        | Opcode::JumpNotWithinWide { to, .. } => *to = pc,
        _ => {}
    }
}
