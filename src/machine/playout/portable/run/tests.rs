//! The loop over opcodes against the interpreter.

use super::*;
use crate::compile::optimise::constant_pool::ConstantPool;
use crate::compile::optimise::{Until, optimise};
use crate::compile::playout::{Entry, Flow};
use crate::ir::*;
use crate::machine::Machine;
use crate::machine::playout::frames::FRAME;
use crate::machine::playout::portable::translate;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;

/// A game whose program has the tables of a small board.
const BOARD: &str = "
game Lines {
  players { A, B }
  grid Board(7, 6)
  state { men : [Player] set of Board  winner : Player? }
  play {
    turns me from A at most 42 {
      me chooses c in Board - men[A] - men[B]
      men[me] += c
      if some way in { north, northeast, east, southeast }: size(Board.line(c, way, men[me])) >= 4 { winner = me  end }
    }
  }
  payoff zero-sum: [p in Player] if winner == none then 0 else if winner == p then 1 else -1
}";

fn machine() -> Machine {
    let (machine, _) = crate::load(BOARD, &Default::default()).unwrap();
    machine
}

/// Slots of the test: scalars in 0..16, the first eight of them an array, sets of one word in 16..32, of three words from 32 on.
const SCALARS: u32 = 16;
const SETS: u32 = 32;
const FRAME_LEN: u32 = 32 + 6 * 3;

struct Writer {
    rng: Xoshiro256PlusPlus,
    p: u32,
}

impl Writer {
    fn below(&mut self, n: u32) -> u32 {
        below(&mut self.rng, u64::from(n)) as u32
    }

    fn scalar(&mut self) -> Slot {
        self.below(SCALARS)
    }

    fn set(&mut self) -> Slot {
        SCALARS + self.below(SETS - SCALARS)
    }

    fn wide(&mut self) -> Slot {
        SETS + 3 * self.below(6)
    }

    fn one(&mut self) -> Operand {
        Operand {
            slot: self.set(),
            words: 1,
        }
    }

    /// An instruction, often one that goes well with the one before.
    #[expect(
        clippy::too_many_lines,
        reason = "a list of instructions, each a few lines by itself"
    )]
    fn instr(&mut self, before: Option<&Instr>) -> Instr {
        let mut old = None;
        if let Some(before) = before {
            before.visit(&mut |slot, _, written| old = written.then_some(slot).or(old));
        }
        let scalar = |w: &mut Writer| match old {
            Some(slot) if slot < SCALARS && w.below(2) == 0 => slot,
            _ => w.scalar(),
        };
        let (a, b) = (scalar(self), scalar(self));
        let set = |w: &mut Writer| match old {
            Some(slot) if (SCALARS..SETS).contains(&slot) && w.below(2) == 0 => slot,
            _ => w.set(),
        };
        let (x, y) = (set(self), set(self));
        let (u, v) = match old {
            Some(slot) if slot >= SETS => (slot, self.wide()),
            _ => (self.wide(), self.wide()),
        };
        let op = [
            SetOp::Difference,
            SetOp::Difference,
            SetOp::Union,
            SetOp::Intersect,
        ];
        let op = op[self.below(4) as usize];
        let dst = self.scalar();
        let target = self.set();
        let value = i64::from(self.below(12)) - 3;
        match self.below(25) {
            0 => Instr::Const { dst, value },
            1 => Instr::Copy {
                dst,
                src: a,
                words: 1,
            },
            2 | 3 => Instr::Immediate {
                op: Op::Add,
                dst,
                a,
                value,
            },
            4 => Instr::Immediate {
                op: Op::Mul,
                dst,
                a,
                value,
            },
            5 => Instr::Binary {
                op: Op::Add,
                dst,
                a,
                b,
            },
            6 => Instr::Check {
                value: a,
                lo: -100,
                hi: 100,
                fault: 1,
            },
            7 => Instr::Load {
                dst,
                base: 0,
                index: a,
                words: 1,
                count: 8,
            },
            8 => Instr::Store {
                base: 0,
                index: b,
                src: a,
                words: 1,
                count: 8,
            },
            9 | 10 => Instr::Table {
                dst: target,
                table: self.p,
                index: a,
                words: 1,
            },
            11 | 12 => Instr::SetBinary {
                op,
                dst: target,
                a: x,
                b: y,
                words: 1,
            },
            13 => Instr::SetInsert {
                set: Operand { slot: x, words: 1 },
                element: a,
            },
            14 => Instr::SetRemove {
                set: Operand { slot: x, words: 1 },
                element: a,
            },
            15 => Instr::SetNext {
                dst,
                set: Operand { slot: x, words: 1 },
                after: a,
            },
            16 => Instr::SetCount {
                dst,
                set: Operand { slot: x, words: 1 },
            },
            17 => Instr::SetConst {
                dst: u,
                words: vec![0; 3],
            },
            18 => Instr::SetInsert {
                set: Operand { slot: u, words: 3 },
                element: a,
            },
            19 => Instr::SetBinary {
                op,
                dst: self.wide(),
                a: u,
                b: v,
                words: 3,
            },
            20 => Instr::SetNext {
                dst,
                set: Operand { slot: u, words: 3 },
                after: a,
            },
            21 => Instr::SetShift {
                dst: Operand {
                    slot: target,
                    words: 1,
                },
                src: Operand { slot: x, words: 1 },
                lo: 5,
                by: value,
                size: 60,
                fault: 2,
            },
            22 => Instr::Copy {
                dst: self.wide(),
                src: u,
                words: 3,
            },
            23 => Instr::SetNth {
                dst,
                set: Operand { slot: u, words: 3 },
                rank: a,
            },
            _ => Instr::SetRange {
                dst: self.one(),
                lo: a,
                hi: b,
            },
        }
    }

    /// What a block may end with a jump on.
    fn test(&mut self, cond: Slot) -> Vec<Instr> {
        let (a, b) = (self.scalar(), self.scalar());
        let (x, y) = (self.set(), self.set());
        let (u, v) = (self.wide(), self.wide());
        let dst = cond;
        let t = self.set();
        match self.below(10) {
            0 => vec![Instr::Binary {
                op: Op::Lt,
                dst,
                a,
                b,
            }],
            1 => vec![
                Instr::SetNext {
                    dst: a,
                    set: Operand { slot: x, words: 1 },
                    after: b,
                },
                Instr::Immediate {
                    op: Op::Le,
                    dst,
                    a,
                    value: -1,
                },
            ],
            2 => vec![
                Instr::SetNext {
                    dst: a,
                    set: Operand { slot: u, words: 3 },
                    after: b,
                },
                Instr::Immediate {
                    op: Op::Le,
                    dst,
                    a,
                    value: -1,
                },
            ],
            3 => vec![
                Instr::SetBinary {
                    op: SetOp::Intersect,
                    dst: t,
                    a: x,
                    b: y,
                    words: 1,
                },
                Instr::Immediate {
                    op: Op::Eq,
                    dst,
                    a: t,
                    value: 0,
                },
                Instr::Not { dst, a: dst },
            ],
            4 => vec![Instr::SetEq {
                dst,
                a: u,
                b: v,
                words: 3,
            }],
            5 => vec![Instr::SetSubset {
                dst,
                a: u,
                b: v,
                words: 3,
            }],
            8 => vec![Instr::Table {
                dst,
                table: self.p,
                index: a,
                words: 1,
            }],
            7 => vec![Instr::SetTest {
                dst,
                set: Operand { slot: u, words: 3 },
                element: a,
            }],
            6 => vec![Instr::SetTest {
                dst,
                set: Operand { slot: x, words: 1 },
                element: a,
            }],
            _ => vec![Instr::SetSubset {
                dst,
                a: x,
                b: y,
                words: 1,
            }],
        }
    }
}

#[allow(
    clippy::field_reassign_with_default,
    reason = "the other fields are private"
)]
fn pool() -> ConstantPool {
    let mut pool = ConstantPool::default();
    pool.base = FRAME_LEN + 2;
    pool
}

/// A flow of some blocks, some jumps of which go back, and where the frame's first scalar counts them out.
fn flow(seed: u64, table: u32) -> Flow {
    let mut w = Writer {
        rng: Xoshiro256PlusPlus::seed_from_u64(seed),
        p: table,
    };
    let blocks = 6;
    let cond = FRAME_LEN;
    let mut list = Vec::new();
    for i in 0..blocks {
        let mut instrs: Vec<Instr> = Vec::new();
        for _ in 0..w.below(9) {
            let next = w.instr(instrs.last());
            instrs.push(next);
        }
        let to = |w: &mut Writer| BlockId(w.below(blocks));
        let term = match w.below(4) {
            _ if i + 1 == blocks => Term::Return,
            0 => Term::Jump(to(&mut w)),
            _ => {
                instrs.extend(w.test(cond));
                let (then, otherwise) = (to(&mut w), to(&mut w));
                Term::Branch {
                    cond,
                    then,
                    otherwise,
                }
            }
        };
        list.push(Block {
            instrs,
            term,
            // Not too many rounds before a run ends with too many steps.
            cost: 20_000,
        });
    }
    Flow {
        blocks: list,
        frame: FRAME_LEN + 2,
        entries: vec![Entry {
            at_node: true,
            node: 0,
            keys: Vec::new(),
            blocks: vec![BlockId(0)],
            taken: None,
        }],
        // Everything counts at the end, so that a value in a wrong place is found.
        payoffs: if seed.is_multiple_of(2) {
            (0..FRAME_LEN).collect()
        } else {
            (0..FRAME_LEN).step_by(3).collect()
        },
        last: FRAME_LEN + 1,
        pool: pool(),
    }
}

fn frame(seed: u64) -> Box<Frame> {
    let mut f: Box<Frame> = vec![0; FRAME].into_boxed_slice().try_into().unwrap();
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    for slot in 0..FRAME_LEN {
        f[slot as usize] = match slot {
            0..SCALARS => below(&mut rng, 20).wrapping_sub(2),
            _ => rng.next_u64() & rng.next_u64() & rng.next_u64(),
        };
    }
    f
}

/// What the interpreter makes of a flow, jump by jump, as long as that is not too long.
fn interpreted(p: &Program, flow: &Flow, f: &mut Frame) -> Result<(), Trouble> {
    let mut at = BlockId(0);
    for _ in 0..150 {
        let block = &flow.blocks[at.0 as usize];
        for instr in &block.instrs {
            execute(p, &mut f[..], instr)?;
        }
        at = match block.term {
            Term::Jump(to) => to,
            Term::Branch {
                cond,
                then,
                otherwise,
            } => {
                if f[cond as usize] != 0 {
                    then
                } else {
                    otherwise
                }
            }
            _ => return Ok(()),
        };
    }
    Err(Trouble::TooManySteps)
}

#[test]
fn code_does_what_the_interpreter_does() {
    let machine = machine();
    let p = machine.program();
    let table = p.tables.iter().position(|t| t.words == 1).unwrap() as u32;
    let mut ended = 0;
    for seed in 0..3000 {
        let mut flow = flow(seed, table);
        // What nobody wants may end in an error that is nobody's.
        optimise(p, &mut flow, Until::Pass("dead-code"));
        let code = translate(p, &flow).unwrap();
        for start in 0..3 {
            let mut expected = frame(1000 * seed + start);
            let mut found = expected.clone();
            let end = interpreted(p, &flow, &mut expected);
            if end == Err(Trouble::TooManySteps) {
                continue;
            }
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut emitted = Emitted::new();
            let (from, constants) = (code.interface.base, &code.interface.constants);
            found[from..from + constants.len()].copy_from_slice(constants);
            let pc = code.interface.entries[0].1[0];
            let result = run(p, &code, &mut found, pc, &mut rng, &mut emitted, &mut ());
            assert_eq!(result, end, "seed {seed}");
            for slot in flow.payoffs.iter().filter(|_| end.is_ok()) {
                let at = *slot as usize;
                assert_eq!(found[at], expected[at], "seed {seed}: slot {at}");
            }
            ended += usize::from(end.is_ok());
        }
    }
    assert!(ended > 500, "{ended}");
}

#[test]
fn what_is_drawn_is_of_the_sets() {
    let machine = machine();
    let p = machine.program();
    let sample = |code: SampleCode| Instr::Sample(Box::new(code));
    let set = |slot: Slot, words: u16| Operand { slot, words };
    let instrs = vec![
        sample(SampleCode::Element {
            dst: 0,
            set: set(20, 1),
            lo: 3,
            fault: 0,
        }),
        sample(SampleCode::Element {
            dst: 1,
            set: set(32, 3),
            lo: 0,
            fault: 0,
        }),
        Instr::Const { dst: 4, value: 4 },
        sample(SampleCode::Subset {
            dst: set(21, 1),
            set: set(22, 1),
            count: 4,
            fault: 0,
        }),
        sample(SampleCode::Subset {
            dst: set(35, 3),
            set: set(38, 3),
            count: 4,
            fault: 0,
        }),
        Instr::SetCount {
            dst: 5,
            set: set(35, 3),
        },
        Instr::SetCount {
            dst: 6,
            set: set(21, 1),
        },
    ];
    let flow = Flow {
        blocks: vec![Block {
            instrs,
            term: Term::Return,
            cost: 1,
        }],
        frame: FRAME_LEN + 2,
        entries: vec![Entry {
            at_node: true,
            node: 0,
            keys: Vec::new(),
            blocks: vec![BlockId(0)],
            taken: None,
        }],
        payoffs: (0..FRAME_LEN).collect(),
        last: FRAME_LEN + 1,
        pool: pool(),
    };
    let code = translate(p, &flow).unwrap();
    let in_set = |f: &Frame, at: usize, e: u64| f[at + (e / 64) as usize] >> (e % 64) & 1 == 1;
    for seed in 0..500 {
        let mut f = frame(seed);
        // None of the sets is empty.
        for slot in 16..FRAME_LEN as usize {
            f[slot] |= 0x8000_0400_0200_0001;
        }
        let (from, constants) = (code.interface.base, &code.interface.constants);
        f[from..from + constants.len()].copy_from_slice(constants);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let result = run(p, &code, &mut f, 0, &mut rng, &mut Emitted::new(), &mut ());
        assert_eq!(result, Ok(()));
        assert!(in_set(&f, 20, f[0] - 3) && in_set(&f, 32, f[1]));
        assert_eq!((f[5], f[6]), (4, 4));
        assert!((0..3).all(|w| f[35 + w] & !f[38 + w] == 0) && f[21] & !f[22] == 0);
    }
}
