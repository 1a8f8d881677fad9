//! Flow to code: blocks in a row, comparisons joined with the jumps that they decide.

use super::code::{At, Pc, Step};
use crate::compile::ir::*;
use crate::compile::liveness::Slots;
use crate::compile::optimise::live_into;
use crate::compile::playout::{Entry, Flow};
use rustc_hash::FxHashMap;

/// A playout that can run.
#[derive(Debug)]
pub(super) struct Code {
    pub steps: Vec<Step>,
    /// Where each node is entered.
    pub entries: Vec<(Entry, Vec<Pc>)>,
    /// What stands in the frame before anything runs, from slot `base` on.
    pub base: usize,
    pub constants: Vec<u64>,
    /// All tables in a row.
    pub tables: Vec<u64>,
    pub others: Vec<Instr>,
    pub checks: Vec<(i64, i64, FaultId)>,
    pub samples: Vec<SampleCode>,
    pub emissions: Vec<Instr>,
    pub payoffs: Vec<Slot>,
    pub last: At,
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
        steps: Vec::new(),
        costs: Vec::new(),
        at: vec![None; flow.blocks.len()],
        waiting: Vec::new(),
        fixups: Vec::new(),
        constants: flow.pool.words.clone(),
        constant_at: FxHashMap::default(),
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
    Some(Code {
        entries: flow
            .entries
            .iter()
            .map(|e| (e.clone(), e.blocks.iter().map(pc).collect()))
            .collect(),
        steps: t.steps,
        base: flow.pool.base as usize,
        constants: t.constants,
        tables,
        others: t.others,
        checks: t.checks,
        samples: t.samples,
        emissions: t.emissions,
        payoffs: flow.payoffs.clone(),
        last: flow.last as At,
    })
}

struct Translator<'a> {
    p: &'a Program,
    flow: &'a Flow,
    table_at: Vec<u32>,
    steps: Vec<Step>,
    /// Where each block begins and what it costs.
    costs: Vec<(Pc, u32)>,
    at: Vec<Option<Pc>>,
    waiting: Vec<BlockId>,
    /// Jumps whose ends are not known yet.
    fixups: Vec<(usize, BlockId)>,
    constants: Vec<u64>,
    constant_at: FxHashMap<u64, At>,
    others: Vec<Instr>,
    checks: Vec<(i64, i64, FaultId)>,
    samples: Vec<SampleCode>,
    emissions: Vec<Instr>,
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
        }
    }

    fn jump(self, to: Pc) -> Step {
        match self {
            Test::If(a) => Step::JumpIf { a, to },
            Test::IfNot(a) => Step::JumpIfNot { a, to },
            Test::Eq(a, b) => Step::JumpEq { a, b, to },
            Test::Ne(a, b) => Step::JumpNe { a, b, to },
            Test::Lt(a, b) => Step::JumpLt { a, b, to },
            Test::Le(a, b) => Step::JumpLe { a, b, to },
            Test::Within(a, b) => Step::JumpWithin { a, b, to },
            Test::NotWithin(a, b) => Step::JumpNotWithin { a, b, to },
            Test::Has(a, b) => Step::JumpHas { a, b, to },
            Test::HasNot(a, b) => Step::JumpHasNot { a, b, to },
        }
    }
}

impl Translator<'_> {
    fn run(&mut self) {
        let live = live_into(self.flow);
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
        for (step, to) in std::mem::take(&mut self.fixups) {
            let pc = self.at[to.0 as usize].unwrap_or(0);
            set_target(&mut self.steps[step], pc);
        }
    }

    /// Writes one block and returns the one that should come right after it.
    fn block(&mut self, id: BlockId, live: &[Slots]) -> Option<BlockId> {
        self.at[id.0 as usize] = Some(self.steps.len() as Pc);
        let flow = self.flow;
        let block = &flow.blocks[id.0 as usize];
        self.costs.push((self.steps.len() as Pc, block.cost.max(1)));
        let mut instrs = &block.instrs[..];
        let mut test = None;
        if let Term::Branch {
            cond,
            then,
            otherwise,
        } = block.term
        {
            let wanted = |s: Slot| {
                live[then.0 as usize].contains(s) || live[otherwise.0 as usize].contains(s)
            };
            let mut positive = true;
            let mut cond = cond;
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
            let t = test.unwrap_or(Test::If(cond as At));
            test = Some(if positive { t } else { t.negated() });
        }
        for instr in instrs {
            self.instr(instr);
        }
        match (block.term, test) {
            (Term::Jump(to), _) => match self.at[to.0 as usize] {
                None => Some(to),
                Some(pc) => {
                    self.back(pc);
                    None
                }
            },
            (
                Term::Branch {
                    then, otherwise, ..
                },
                Some(test),
            ) => {
                let (test, to, next) = if self.at[otherwise.0 as usize].is_none() {
                    (test, then, otherwise)
                } else {
                    (test.negated(), otherwise, then)
                };
                self.fixups.push((self.steps.len(), to));
                self.steps.push(test.jump(0));
                self.waiting.push(to);
                match self.at[next.0 as usize] {
                    None => Some(next),
                    Some(pc) => {
                        self.back(pc);
                        None
                    }
                }
            }
            (Term::Fail(fault), _) => {
                self.steps.push(Step::Fail { fault });
                None
            }
            _ => {
                self.steps.push(Step::End);
                None
            }
        }
    }

    /// A jump to code that is written already.
    fn back(&mut self, to: Pc) {
        let from = self.costs.partition_point(|(pc, _)| *pc < to);
        let cost = self.costs[from..]
            .iter()
            .fold(0u32, |sum, (_, cost)| sum.saturating_add(*cost));
        self.steps.push(Step::Back { to, cost });
    }

    /// What an instruction decides, and the slot that says so.
    fn test(&mut self, instr: &Instr) -> Option<(Test, Slot)> {
        let (op, dst, a, b) = match *instr {
            Instr::Binary { op, dst, a, b } => (op, dst, a as At, b as At),
            Instr::Immediate { op, dst, a, value } if compares(op) => {
                (op, dst, a as At, self.constant(value as u64))
            }
            Instr::SetEq {
                dst,
                a,
                b,
                words: 1,
            } => return Some((Test::Eq(a as At, b as At), dst)),
            Instr::SetSubset {
                dst,
                a,
                b,
                words: 1,
            } => return Some((Test::Within(a as At, b as At), dst)),
            Instr::SetTest { dst, set, element } if set.words == 1 => {
                return Some((Test::Has(set.slot as At, element as At), dst));
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

    /// A slot that holds a constant.
    fn constant(&mut self, value: u64) -> At {
        if let Some(at) = self.constant_at.get(&value) {
            return *at;
        }
        let at = (self.flow.pool.base as usize + self.constants.len()) as At;
        self.constants.push(value);
        self.constant_at.insert(value, at);
        at
    }

    fn instr(&mut self, instr: &Instr) {
        let step = self.step(instr);
        self.steps.push(step);
    }

    fn other(&mut self, instr: &Instr) -> Step {
        self.others.push(instr.clone());
        Step::Other {
            number: self.others.len() as u32 - 1,
        }
    }

    fn step(&mut self, instr: &Instr) -> Step {
        let at = |slot: Slot| slot as At;
        match instr {
            Instr::Const { dst, value } => Step::Copy {
                dst: at(*dst),
                a: self.constant(*value as u64),
            },
            Instr::SetConst { dst, words } if words.len() == 1 => Step::Copy {
                dst: at(*dst),
                a: self.constant(words[0]),
            },
            Instr::Copy { dst, src, words: 1 } => Step::Copy {
                dst: at(*dst),
                a: at(*src),
            },
            Instr::Copy { dst, src, words } => Step::CopyWide {
                dst: at(*dst),
                a: at(*src),
                words: *words,
            },
            Instr::Binary { op, dst, a, b } => self
                .binary(*op, at(*dst), at(*a), at(*b))
                .unwrap_or_else(|| self.other(instr)),
            Instr::Immediate { op, dst, a, value } => {
                if *op == Op::Add
                    && let Ok(value) = i32::try_from(*value)
                {
                    return Step::AddConst {
                        dst: at(*dst),
                        a: at(*a),
                        value,
                    };
                }
                match self.binary(*op, 0, 0, 0) {
                    Some(_) => {
                        let b = self.constant(*value as u64);
                        self.binary(*op, at(*dst), at(*a), b).unwrap_or(Step::End)
                    }
                    None => self.other(instr),
                }
            }
            Instr::Not { dst, a } => Step::Not {
                dst: at(*dst),
                a: at(*a),
            },
            Instr::Select {
                dst,
                cond,
                a,
                b,
                words: 1,
            } => Step::Select {
                dst: at(*dst),
                cond: at(*cond),
                a: at(*a),
                b: at(*b),
            },
            Instr::Load {
                dst,
                base,
                index,
                words,
                count,
            } if *count <= FRAME as u32 / 2 => {
                let (dst, base, index, count) = (at(*dst), at(*base), at(*index), *count as u16);
                match words {
                    1 => Step::Load {
                        dst,
                        base,
                        index,
                        count,
                    },
                    words => Step::LoadWide {
                        dst,
                        base,
                        index,
                        words: *words,
                        count,
                    },
                }
            }
            Instr::Store {
                base,
                index,
                src,
                words: 1,
                count,
            } if *count <= FRAME as u32 / 2 => Step::Store {
                base: at(*base),
                index: at(*index),
                a: at(*src),
                count: *count as u16,
            },
            Instr::Table {
                dst,
                table,
                index,
                words,
            } => {
                let table = *table as usize;
                let made = table.checked_sub(self.p.tables.len());
                let made = made.and_then(|i| self.flow.pool.tables.get(i));
                let count = made.unwrap_or_else(|| &self.p.tables[table]).values.len() as u32;
                let from = self.table_at[table];
                match words {
                    1 => Step::Table {
                        dst: at(*dst),
                        index: at(*index),
                        count,
                        from,
                    },
                    words => Step::TableWide {
                        dst: at(*dst),
                        index: at(*index),
                        words: *words,
                        from,
                    },
                }
            }
            Instr::Check {
                value,
                lo,
                hi,
                fault,
            } if self.checks.len() < FRAME => {
                self.checks.push((*lo, *hi, *fault));
                Step::Check {
                    a: at(*value),
                    check: (self.checks.len() - 1) as u16,
                }
            }
            Instr::Sample(code) => self.sample(code),
            Instr::Emit { .. } => {
                self.emissions.push(instr.clone());
                Step::Emit {
                    number: self.emissions.len() as u32 - 1,
                }
            }
            _ => self.set(instr).unwrap_or_else(|| self.other(instr)),
        }
    }

    fn binary(&self, op: Op, dst: At, a: At, b: At) -> Option<Step> {
        Some(match op {
            Op::Add => Step::Add { dst, a, b },
            Op::Sub => Step::Sub { dst, a, b },
            Op::Mul => Step::Mul { dst, a, b },
            Op::Min => Step::Min { dst, a, b },
            Op::Max => Step::Max { dst, a, b },
            Op::Eq => Step::Eq { dst, a, b },
            Op::Ne => Step::Ne { dst, a, b },
            Op::Lt => Step::Lt { dst, a, b },
            Op::Le => Step::Le { dst, a, b },
            Op::And => Step::And { dst, a, b },
            Op::Or => Step::Or { dst, a, b },
            Op::Div | Op::Mod => return None,
        })
    }

    fn set(&self, instr: &Instr) -> Option<Step> {
        let at = |slot: Slot| slot as At;
        Some(match *instr {
            Instr::SetBinary {
                op,
                dst,
                a,
                b,
                words,
            } => {
                let (dst, a, b) = (at(dst), at(a), at(b));
                match (op, words) {
                    (SetOp::Union, 1) => Step::Or { dst, a, b },
                    (SetOp::Intersect, 1) => Step::And { dst, a, b },
                    (SetOp::Difference, 1) => Step::Without { dst, a, b },
                    (SetOp::Union, words) => Step::UnionWide { dst, a, b, words },
                    (SetOp::Intersect, words) => Step::IntersectWide { dst, a, b, words },
                    (SetOp::Difference, words) => Step::WithoutWide { dst, a, b, words },
                }
            }
            Instr::SetTest { dst, set, element } => {
                let (dst, a, b) = (at(dst), at(set.slot), at(element));
                match set.words {
                    1 => Step::Has { dst, a, b },
                    words => Step::HasWide { dst, a, words, b },
                }
            }
            Instr::SetInsert { set, element } => {
                let (a, b) = (at(set.slot), at(element));
                match set.words {
                    1 => Step::Insert { a, b },
                    words => Step::InsertWide { a, words, b },
                }
            }
            Instr::SetRemove { set, element } => {
                let (a, b) = (at(set.slot), at(element));
                match set.words {
                    1 => Step::Remove { a, b },
                    words => Step::RemoveWide { a, words, b },
                }
            }
            Instr::SetCount { dst, set } => {
                let (dst, a) = (at(dst), at(set.slot));
                match set.words {
                    1 => Step::Count { dst, a },
                    words => Step::CountWide { dst, a, words },
                }
            }
            Instr::SetNext { dst, set, after } if set.words == 1 => {
                let (dst, a, b) = (at(dst), at(set.slot), at(after));
                match self.known(after) {
                    Some(-1) => Step::First { dst, a },
                    _ => Step::Next { dst, a, b },
                }
            }
            Instr::SetLast { dst, set } if set.words == 1 => Step::Last {
                dst: at(dst),
                a: at(set.slot),
            },
            Instr::SetEq {
                dst,
                a,
                b,
                words: 1,
            } => Step::Eq {
                dst: at(dst),
                a: at(a),
                b: at(b),
            },
            Instr::SetSubset {
                dst,
                a,
                b,
                words: 1,
            } => Step::Within {
                dst: at(dst),
                a: at(a),
                b: at(b),
            },
            _ => return None,
        })
    }

    /// The value of a slot of constants.
    fn known(&self, slot: Slot) -> Option<i64> {
        let i = slot.checked_sub(self.flow.pool.base)?;
        self.constants.get(i as usize).map(|w| *w as i64)
    }

    fn sample(&mut self, code: &SampleCode) -> Step {
        if let SampleCode::Element {
            dst,
            set,
            lo,
            fault,
        } = code
            && let Ok(fault) = u16::try_from(*fault)
        {
            let (dst, a, lo) = (*dst as At, set.slot as At, self.constant(*lo as u64));
            return match set.words {
                1 => Step::Element { dst, a, lo, fault },
                words => Step::ElementWide {
                    dst,
                    a,
                    words,
                    lo,
                    fault,
                },
            };
        }
        self.samples.push(code.clone());
        Step::Sample {
            number: self.samples.len() as u32 - 1,
        }
    }
}

fn compares(op: Op) -> bool {
    matches!(op, Op::Eq | Op::Ne | Op::Lt | Op::Le)
}

fn set_target(step: &mut Step, pc: Pc) {
    match step {
        Step::JumpIf { to, .. }
        | Step::JumpIfNot { to, .. }
        | Step::JumpEq { to, .. }
        | Step::JumpNe { to, .. }
        | Step::JumpLt { to, .. }
        | Step::JumpLe { to, .. }
        | Step::JumpWithin { to, .. }
        | Step::JumpNotWithin { to, .. }
        | Step::JumpHas { to, .. }
        | Step::JumpHasNot { to, .. } => *to = pc,
        _ => {}
    }
}
