//! The verifier refuses programs that were broken by hand, and says where.

use super::{compiled, game};
use crate::ir::verify::verify;
use crate::ir::*;

fn program() -> Program {
    compiled(&game(
        "s : set of 1..70 = all  n : 0..9  a : [1..3] 0..9  won : [Player] 0..99",
        "Ann chooses x in s as \"{x}\"  s -= x  n = a[1 + size(s) mod 3]  draw y in 1..3 weighted y  won[Ann] += 1
         together each p in Player { p chooses { up where n > 1  down } }",
        "general-sum: [p in Player] won[p]",
    ))
}

/// Breaks a program, and looks for a word in what the verifier says.
#[track_caller]
fn refused(word: &str, break_it: impl FnOnce(&mut Program)) {
    let mut program = program();
    break_it(&mut program);
    let reason = verify(&program).expect_err("it should be refused");
    assert!(reason.contains(word), "no `{word}` in: {reason}");
}

fn slot(p: &Program, name: &str) -> Slot {
    p.slots.iter().find(|s| s.name == name).expect(name).slot
}

fn push(p: &mut Program, instr: Instr) {
    p.blocks[0].instrs.push(instr);
}

#[test]
fn what_the_compiler_makes_is_accepted() {
    assert_eq!(verify(&program()), Ok(()));
}

#[test]
fn slots_outside_the_frame() {
    refused("outside a frame", |p| {
        let dst = p.frame;
        push(p, Instr::Const { dst, value: 1 });
    });
    refused("outside a frame", |p| {
        let (dst, src) = (p.frame - 1, 0);
        push(p, Instr::Copy { dst, src, words: 2 });
    });
    refused("outside a frame", |p| {
        let (base, index) = (p.frame - 2, 0);
        push(
            p,
            Instr::Load {
                dst: p.frame - 1,
                base,
                index: index + p.frame - 1,
                words: 1,
                count: 3,
            },
        );
    });
    refused("outside a frame", |p| p.payoff.values[0] = u32::MAX);
    refused("outside a frame", |p| {
        let NodeKind::Decision(arms) = &mut p.nodes[0].kind else {
            panic!("a decision")
        };
        arms[0].listing.alternatives[0].parts[0].0.slot = u32::MAX - 1;
    });
    refused("outside the state", |p| p.layout.fields[0].word = 99);
    refused("outside the state", |p| p.layout.fields[0].shift = 60);
}

#[test]
fn blocks_and_nodes_that_are_not_there() {
    let far = BlockId(9999);
    refused("no block", |p| p.entry = far);
    refused("no block", |p| p.blocks[0].term = Term::Jump(far));
    refused("no block", |p| p.nodes[0].resume = far);
    refused("no block", |p| p.payoff.code = far);
    refused("no block", |p| {
        p.payoff.accumulated.as_mut().expect("accumulators").0 = far;
    });
    refused("no node", |p| p.blocks[0].term = Term::Rest(NodeId(99)));
    refused("without arms", |p| {
        p.nodes[0].kind = NodeKind::Decision(vec![]);
    });
}

#[test]
fn sets_and_numbers_mixed_up() {
    refused("holds a set", |p| {
        let a = slot(p, "s");
        let dst = slot(p, "n");
        push(
            p,
            Instr::Immediate {
                op: Op::Add,
                dst,
                a,
                value: 1,
            },
        );
    });
    refused("holds a number", |p| {
        let (set, dst) = (slot(p, "n"), slot(p, "n"));
        let set = Operand {
            slot: set,
            words: 1,
        };
        push(p, Instr::SetCount { dst, set });
    });
    refused("holds a number", |p| {
        let (a, n) = (slot(p, "s"), slot(p, "n"));
        push(
            p,
            Instr::SetBinary {
                op: SetOp::Union,
                dst: a,
                a,
                b: n,
                words: 1,
            },
        );
    });
    refused("holds a number", |p| {
        let dst = slot(p, "n");
        push(
            p,
            Instr::SetConst {
                dst,
                words: vec![1],
            },
        );
    });
    refused("holds a set", |p| {
        let cond = slot(p, "s");
        p.blocks[0].term = Term::Branch {
            cond,
            then: BlockId(0),
            otherwise: BlockId(0),
        };
    });
}

#[test]
fn faults_tables_and_sites_that_are_not_there() {
    refused("no fault", |p| p.blocks[0].term = Term::Fail(999));
    refused("no fault", |p| {
        let value = slot(p, "n");
        push(
            p,
            Instr::Check {
                value,
                lo: 0,
                hi: 1,
                fault: 999,
            },
        );
    });
    refused("no fault", |p| p.payoff.fault = 999);
    refused("no table", |p| {
        let dst = slot(p, "n");
        push(
            p,
            Instr::Table {
                dst,
                table: 99,
                index: dst,
                words: 1,
            },
        );
    });
    refused("no site", |p| {
        let viewers = slot(p, "n");
        push(
            p,
            Instr::Event(Box::new(EventCode {
                site: crate::model::SiteId(999),
                chooser: None,
                alternative: None,
                labelled: false,
                viewers,
                parts: vec![],
                said: None,
            })),
        );
    });
    refused("without elements", |p| {
        let dst = slot(p, "n");
        push(
            p,
            Instr::Load {
                dst,
                base: dst,
                index: dst,
                words: 1,
                count: 0,
            },
        );
    });
}
