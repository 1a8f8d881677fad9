//! Made-up flows of instructions on made-up frames: native code against the portable engine, which is held against the
//! interpreter elsewhere.

use super::super::portable::{self, Emitted, translate};
use super::*;
use crate::compile::playout::Entry;
use crate::ir::*;
use rand::{Rng, SeedableRng};

/// A game for its program, with a few faults.
const GAME: &str = "
game Sums {
  players { Ann, Ben }
  state { taken : set of 1..9  sum : 0..50 }
  play {
    turns me from Ann at most 4 {
      me chooses x in 1..9 where not x in taken => { taken += x  sum += x }
    }
  }
  payoff general-sum: [p in Player] sum
}";

/// Where numbers, arrays, and sets of so many words are.
const NUMBERS: u32 = 0;
const ARRAY: u32 = 24;
const SETS: [(u16, u32); 6] = [(1, 40), (2, 52), (3, 64), (5, 80), (9, 100), (17, 140)];
const SLOTS: u32 = 240;
const LAST: u32 = SLOTS;

struct Maker {
    rng: Xoshiro256PlusPlus,
    tables: Vec<Table>,
    first_table: u32,
}

impl Maker {
    fn pick(&mut self, n: u64) -> u64 {
        self.rng.next_u64() % n
    }

    fn number(&mut self) -> Slot {
        NUMBERS + self.pick(12) as u32
    }

    fn set(&mut self) -> Operand {
        let (words, from) = SETS[self.pick(SETS.len() as u64) as usize];
        self.set_of(words, from)
    }

    fn set_of(&mut self, words: u16, from: u32) -> Operand {
        let slot = from + self.pick(2) as u32 * u32::from(words);
        Operand { slot, words }
    }

    /// Three sets of one length, some of them the same.
    fn sets(&mut self) -> [Operand; 3] {
        let (words, from) = SETS[self.pick(SETS.len() as u64) as usize];
        [(); 3].map(|()| self.set_of(words, from))
    }

    fn value(&mut self) -> i64 {
        match self.pick(8) {
            0 => self.rng.next_u64() as i64,
            1 => i64::MIN,
            2 => -1,
            3 => i64::MAX,
            4 => self.pick(200) as i64,
            _ => self.pick(9) as i64 - 1,
        }
    }

    fn op(&mut self) -> Op {
        use Op::*;
        [Add, Sub, Mul, Div, Mod, Min, Max, Eq, Ne, Lt, Le, And, Or][self.pick(13) as usize]
    }

    fn table(&mut self, words: u16) -> u32 {
        let values = (0..u64::from(words) * 7)
            .map(|_| self.rng.next_u64())
            .collect();
        self.tables.push(Table { words, values });
        self.first_table + self.tables.len() as u32 - 1
    }

    fn on_numbers(&mut self) -> Instr {
        let (dst, a, b) = (self.number(), self.number(), self.number());
        match self.pick(10) {
            0 => Instr::Const {
                dst,
                value: self.value(),
            },
            1 | 2 => Instr::Binary {
                op: self.op(),
                dst,
                a,
                b,
            },
            3 | 4 => Instr::Immediate {
                op: self.op(),
                dst,
                a,
                value: self.value(),
            },
            5 => Instr::Not { dst, a },
            6 => Instr::Select {
                dst,
                cond: self.number(),
                a,
                b,
                words: 1,
            },
            7 => Instr::Check {
                value: a,
                lo: -3,
                hi: i64::MAX - self.pick(3) as i64,
                fault: self.pick(2) as u32,
            },
            8 => {
                let words = 1 + self.pick(2) as u16;
                Instr::Table {
                    dst,
                    table: self.table(words),
                    index: a,
                    words,
                }
            }
            _ => self.array(a),
        }
    }

    fn array(&mut self, index: Slot) -> Instr {
        let (words, count) = (1 + self.pick(2) as u16, 1 + self.pick(6) as u32);
        let other = self.number();
        match self.pick(2) {
            0 => Instr::Load {
                dst: other,
                base: ARRAY,
                index,
                words,
                count,
            },
            _ => Instr::Store {
                base: ARRAY,
                index,
                src: other,
                words,
                count,
            },
        }
    }

    fn on_sets(&mut self) -> Instr {
        let [dst, src, other] = self.sets();
        let words = dst.words;
        let (number, element) = (self.number(), self.number());
        let count = 1 + self.pick(16) as u32;
        match self.pick(19) {
            0 => Instr::SetConst {
                dst: dst.slot,
                words: (0..words).map(|_| self.rng.next_u64()).collect(),
            },
            1 | 2 => Instr::SetBinary {
                op: [SetOp::Union, SetOp::Difference, SetOp::Intersect][self.pick(3) as usize],
                dst: dst.slot,
                a: src.slot,
                b: other.slot,
                words,
            },
            3 => Instr::SetTest {
                dst: number,
                set: src,
                element,
            },
            4 => Instr::SetInsert { set: dst, element },
            5 => Instr::SetRemove { set: dst, element },
            6 => Instr::SetCount {
                dst: number,
                set: src,
            },
            7 => Instr::SetNext {
                dst: number,
                set: src,
                after: element,
            },
            8 => Instr::SetLast {
                dst: number,
                set: src,
            },
            9 => Instr::SetEq {
                dst: number,
                a: src.slot,
                b: other.slot,
                words,
            },
            10 => Instr::SetSubset {
                dst: number,
                a: src.slot,
                b: other.slot,
                words,
            },
            11 => Instr::SetBefore {
                dst: dst.slot,
                src,
                element,
            },
            12 => Instr::SetTop {
                dst: dst.slot,
                src,
                count: element,
            },
            13 => Instr::SetRange {
                dst,
                lo: number,
                hi: element,
            },
            14 => Instr::SetShift {
                dst,
                src,
                lo: -2,
                by: self.pick(9) as i64 - 4,
                size: u64::from(words) * 64,
                fault: 0,
            },
            15 => Instr::SetWhere {
                dst,
                base: ARRAY,
                count,
                value: number,
            },
            16 => Instr::SetAmong {
                dst,
                base: ARRAY,
                count,
                values: number,
            },
            17 => Instr::SetNth {
                dst: number,
                set: src,
                rank: element,
            },
            _ => Instr::Copy {
                dst: dst.slot,
                src: src.slot,
                words,
            },
        }
    }

    /// Something sampled; what a trial leaves without a hit is nobody's, and is cleared.
    fn sampled(&mut self, to: &mut Vec<Instr>) {
        let (dst, bound, hit) = (self.number(), self.number(), 12);
        let set = self.set();
        let code = match self.pick(4) {
            0 => SampleCode::Below { dst, bound },
            1 => SampleCode::Member {
                dst,
                set,
                lo: -1,
                bound: 1 + self.pick(200),
                hit,
            },
            2 => SampleCode::Element {
                dst,
                set,
                lo: 3,
                fault: 1,
            },
            _ => {
                // A deal of few cards.
                let count = 13;
                let value = self.pick(4) as i64;
                to.push(Instr::Const { dst: count, value });
                let to = self.set_of(set.words, set.slot);
                let dst = Operand {
                    slot: to.slot.min(set.slot),
                    ..set
                };
                SampleCode::Subset {
                    dst,
                    set,
                    count,
                    fault: 1,
                }
            }
        };
        let tried = matches!(code, SampleCode::Member { .. });
        to.push(Instr::Sample(Box::new(code)));
        if tried {
            let (zero, cond, a) = (14, hit, dst);
            to.push(Instr::Const {
                dst: zero,
                value: 0,
            });
            to.push(Instr::Select {
                dst,
                cond,
                a,
                b: zero,
                words: 1,
            });
        }
    }

    /// A few emissions of many forms, and one of their tuples.
    fn listed(&mut self, to: &mut Vec<Instr>) {
        let one = |slot| Operand { slot, words: 1 };
        // What an emission of many tuples writes is no part of another alternative.
        let alternatives = vec![
            vec![one(15)],
            vec![one(16), one(17)],
            vec![one(15), one(18)],
            vec![
                one(15),
                Operand {
                    slot: 236,
                    words: 2,
                },
            ],
            vec![one(15), one(233), one(234)],
            vec![one(230)],
            vec![one(231), one(232)],
        ];
        let weighted = self.pick(3) == 0;
        for _ in 0..1 + self.pick(5) {
            let alternative = self.pick(7) as usize;
            let parts = alternatives[alternative].clone();
            let lo = self.pick(5) as i64 - 2;
            let bulk = match alternative {
                0 | 1 => None,
                2 | 5 => {
                    let (words, from) = SETS[self.pick(3) as usize];
                    let set = self.set_of(words, from);
                    Some(Bulk::Elements { set, lo })
                }
                4 | 6 => Some(Bulk::Pairs {
                    first: (self.set_of(2, 52), lo),
                    second: (self.set_of(1, 40), 4),
                }),
                _ => {
                    to.push(Instr::Const {
                        dst: 19,
                        value: self.pick(3) as i64,
                    });
                    Some(Bulk::Subsets {
                        set: self.set_of(2, 52),
                        count: 19,
                    })
                }
            };
            let weight = weighted.then_some(20);
            if weighted {
                let value = self.pick(4) as i64;
                to.push(Instr::Const { dst: 20, value });
            }
            to.push(Instr::Emit {
                alternative: alternative as u32,
                parts,
                weight,
                rank: None,
                bulk,
            });
        }
        for code in [
            SampleCode::Listed { dst: 21 },
            SampleCode::Tuple {
                chosen: 22,
                alternatives,
                fault: 1,
            },
        ] {
            to.push(Instr::Sample(Box::new(code)));
        }
    }

    fn flow(&mut self) -> Flow {
        self.tables.clear();
        let mut instrs = Vec::new();
        for _ in 0..1 + self.pick(14) {
            match self.pick(8) {
                0..3 => instrs.push(self.on_numbers()),
                3..6 => instrs.push(self.on_sets()),
                6 => self.sampled(&mut instrs),
                _ => self.listed(&mut instrs),
            }
        }
        let block = Block {
            instrs,
            term: Term::Return,
            cost: 1,
        };
        let mut pool = crate::compile::optimise::constant_pool::ConstantPool::default();
        pool.base = SLOTS + 1;
        pool.tables = std::mem::take(&mut self.tables);
        Flow {
            blocks: vec![block],
            frame: SLOTS + 1,
            entries: vec![Entry {
                at_node: true,
                node: 0,
                keys: Vec::new(),
                blocks: vec![BlockId(0)],
                taken: None,
            }],
            payoffs: (0..SLOTS).collect(),
            last: LAST,
            pool,
        }
    }

    /// The same with a branch whose sides soon meet, and where they do.
    fn branching_flow(&mut self) -> Flow {
        let mut flow = self.flow();
        let mut tables = std::mem::take(&mut flow.pool.tables);
        let first = self.first_table;
        self.first_table += tables.len() as u32;
        let triangle = self.pick(2) == 0;
        let nested = self.pick(2) == 0;
        let [one, other, end] = [1, 2, 3].map(BlockId);
        let branch = |cond, then, otherwise| Term::Branch {
            cond,
            then,
            otherwise,
        };
        flow.blocks[0].term = branch(self.number(), one, if triangle { end } else { other });
        let sides = [
            match (triangle, nested) {
                (true, true) => branch(self.number(), end, other),
                (true, false) => branch(self.number(), other, end),
                (false, _) => Term::Jump(end),
            },
            Term::Jump(end),
            Term::Return,
        ];
        for term in sides {
            let instrs = (0..self.pick(4)).map(|_| match self.pick(3) {
                0 => self.on_sets(),
                _ => self.on_numbers(),
            });
            flow.blocks.push(Block {
                instrs: instrs.collect(),
                term,
                cost: 1,
            });
        }
        tables.append(&mut self.tables);
        flow.pool.tables = tables;
        self.first_table = first;
        flow
    }

    fn fill(&mut self, frame: &mut Frame) {
        for (slot, word) in frame.iter_mut().enumerate().take(SLOTS as usize) {
            *word = match slot {
                40.. => match self.pick(4) {
                    0 => self.rng.next_u64(),
                    1 => 0,
                    _ => self.rng.next_u64() & self.rng.next_u64() & self.rng.next_u64(),
                },
                _ => self.value() as u64,
            };
        }
    }
}

fn program() -> crate::machine::Machine {
    crate::load(GAME, &Default::default()).unwrap().0
}

/// Slots that nothing is said of: an emission of many tuples writes to the parts that differ, and they are not to be read before
/// one of the tuples is taken, which writes those of its alternative.
fn left_open(instrs: &[Instr], chosen: u64) -> Vec<usize> {
    let mut open = Vec::new();
    for instr in instrs {
        if let Instr::Emit { alternative, .. } = instr {
            instr.visit(&mut |slot, words, written| {
                if written && u64::from(*alternative) != chosen {
                    open.extend((slot..slot + words).map(|s| s as usize));
                }
            });
        }
    }
    open
}

#[test]
fn made_up_flows_come_to_the_same() {
    if !code::available() {
        return;
    }
    let machine = program();
    let program = machine.program();
    assert!(program.faults.len() > 1);
    let mut maker = Maker {
        rng: Xoshiro256PlusPlus::seed_from_u64(1),
        tables: Vec::new(),
        first_table: program.tables.len() as u32,
    };
    let mut frame = super::super::frames::empty_frame();
    let (mut fine, mut bad) = (0, 0);
    let mut records = Records::default();
    for i in 0..900 {
        let flow = match i % 3 {
            0 => maker.flow(),
            _ => maker.branching_flow(),
        };
        let portable = translate(program, &flow).unwrap();
        let native = NativeCode::new(program, &flow).unwrap();
        for _ in 0..6 {
            maker.fill(&mut frame);
            let (mut one, mut other) = (frame.clone(), frame.clone());
            let from = portable.interface.base;
            let constants = &portable.interface.constants;
            one[from..from + constants.len()].copy_from_slice(constants);
            let rng = Xoshiro256PlusPlus::seed_from_u64(maker.rng.next_u64());
            let (mut a, mut b) = (rng.clone(), rng);
            let start = portable.interface.entries[0].1[0];
            let mut emitted = Emitted::new();
            let expected = portable::run(
                program,
                &portable,
                &mut one,
                start,
                &mut a,
                &mut emitted,
                &mut (),
            );
            let found = native.run(program, &mut other, 0, &mut b, &mut records, None);
            let instrs: Vec<Instr> = flow.blocks.iter().flat_map(|b| b.instrs.clone()).collect();
            // Wherever native code gives up, the portable engine plays again and says what is wrong, if anything is.
            if found.is_err() {
                bad += 1;
                continue;
            }
            assert_eq!(expected, Ok(()), "{:#?}", flow.blocks);
            fine += 1;
            assert_eq!(a, b, "{:#?}", flow.blocks);
            let unsaid = left_open(&instrs, one[22]);
            for slot in (0..SLOTS as usize).filter(|slot| !unsaid.contains(slot)) {
                assert_eq!(one[slot], other[slot], "slot {slot}\n{:#?}", flow.blocks);
            }
        }
    }
    assert!(fine > 500 && bad > 500, "{fine} {bad}");
}

/// What emissions leave behind is the same tuples in the same order.
#[test]
fn made_up_lists_are_the_same() {
    if !code::available() {
        return;
    }
    let machine = program();
    let program = machine.program();
    let mut maker = Maker {
        rng: Xoshiro256PlusPlus::seed_from_u64(4),
        tables: Vec::new(),
        first_table: program.tables.len() as u32,
    };
    let mut frame = super::super::frames::empty_frame();
    let (mut records, mut emitted) = (Records::default(), Emitted::new());
    let mut tuples = 0;
    for _ in 0..300 {
        let mut flow = maker.flow();
        let mut instrs = Vec::new();
        maker.listed(&mut instrs);
        instrs.retain(|instr| !matches!(instr, Instr::Sample(_)));
        flow.blocks[0].instrs = instrs;
        let portable = translate(program, &flow).unwrap();
        let native = NativeCode::new(program, &flow).unwrap();
        for _ in 0..4 {
            maker.fill(&mut frame);
            // Sets of two words with few elements, that there be not too many pairs and subsets of them.
            frame[40..120]
                .iter_mut()
                .for_each(|word| *word &= 0x1111 << (*word % 40));
            let mut other = frame.clone();
            let from = portable.interface.base;
            let constants = &portable.interface.constants;
            frame[from..from + constants.len()].copy_from_slice(constants);
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(5);
            let start = portable.interface.entries[0].1[0];
            emitted.clear();
            let ran = portable::run(
                program,
                &portable,
                &mut frame,
                start,
                &mut rng,
                &mut emitted,
                &mut (),
            );
            assert_eq!(ran, Ok(()));
            let ran = native.run(program, &mut other, 0, &mut rng, &mut records, None);
            assert_eq!(ran, Ok(()));
            assert_eq!(emitted.total(), records.total());
            let (mut expected, mut found) = (Vec::new(), Vec::new());
            let take = |to: &mut Vec<_>, group: &Group<'_>| {
                let _ = group.actions(&mut |action| {
                    to.push((action, group.weight));
                    ControlFlow::Continue(())
                });
                ControlFlow::Continue(())
            };
            let emissions = &portable.emissions;
            let _ = emitted.each(emissions, &mut |group| take(&mut expected, group));
            let _ = native.each(&records, &mut |group| take(&mut found, group));
            assert_eq!(expected, found, "{:#?}", flow.blocks[0].instrs);
            let total: u64 = expected.iter().map(|(_, weight)| *weight).sum();
            assert_eq!(records.total(), total);
            tuples += expected.len();
        }
    }
    assert!(tuples > 3_000, "{tuples}");
}

/// Every number below a bound that is nearly as large as a word can be is refused now and then.
#[test]
fn numbers_that_are_refused_are_drawn_again() {
    if !code::available() {
        return;
    }
    let machine = program();
    let mut maker = Maker {
        rng: Xoshiro256PlusPlus::seed_from_u64(2),
        tables: Vec::new(),
        first_table: 0,
    };
    let mut flow = maker.flow();
    let below = SampleCode::Below { dst: 1, bound: 0 };
    flow.blocks[0].instrs = vec![Instr::Sample(Box::new(below)); 50];
    flow.payoffs = vec![1];
    let native = NativeCode::new(machine.program(), &flow).unwrap();
    let mut frame = super::super::frames::empty_frame();
    let bound = (1 << 63) + 12_345;
    frame[0] = bound;
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut again = rng.clone();
    let ran = native.run(
        machine.program(),
        &mut frame,
        0,
        &mut rng,
        &mut Records::default(),
        None,
    );
    assert_eq!(ran, Ok(()));
    let mut expected = 0;
    for _ in 0..50 {
        expected = crate::machine::sampling::below(&mut again, bound);
    }
    assert_eq!(frame[1], expected);
    assert_eq!(rng, again);
    // Without the numbers that were refused it would have been 50.
    let mut plain = Xoshiro256PlusPlus::seed_from_u64(3);
    (0..50).for_each(|_| {
        plain.next_u64();
    });
    assert_ne!(rng, plain);
}

#[test]
fn what_is_too_much_says_so() {
    let machine = program();
    let mut maker = Maker {
        rng: Xoshiro256PlusPlus::seed_from_u64(4),
        tables: Vec::new(),
        first_table: 0,
    };
    let mut flow = maker.flow();
    let why = |flow: &Flow| NativeCode::new(machine.program(), flow).err();
    let below = SampleCode::Below { dst: 1, bound: 0 };
    flow.blocks[0].instrs = vec![Instr::Sample(Box::new(below)); MOST_INSTRUCTIONS];
    let long = NoNative::TooLong(instructions_of(&flow));
    assert_eq!(why(&flow), Some(long));
    let words = format!("a playout has {} instructions, and", instructions_of(&flow));
    assert!(long.to_string().starts_with(&words), "{long}");
    flow.blocks[0].instrs.clear();
    flow.frame = 70_000;
    let wide = match code::available() {
        true => NoNative::TooWide(70_000),
        false => NoNative::NoCompiler,
    };
    assert_eq!(why(&flow), Some(wide));
}
