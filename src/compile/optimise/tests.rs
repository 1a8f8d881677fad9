//! What the passes make of small games. That they leave a game as it is, random games show (`machine/tests/playouts.rs`).

use super::constant_pool::ConstantPool;
use super::{Until, early_exit, order, successors};
use crate::compile::playout::{Entry, Flow};
use crate::ir::*;

/// The flow of a game for two before and after the passes.
fn flows(items: &str, play: &str) -> (Flow, Flow) {
    let text = format!(
        "game Made {{\n  players {{ A, B }}\n{items}\n  play {{\n{play}\n  }}\n  payoff zero-sum: \
         [p in Player] if winner == none then 0 else if winner == p then 1 else -1\n}}"
    );
    let (machine, _) = crate::load(&text, &Default::default()).unwrap_or_else(|p| panic!("{p:?}"));
    let flow = |until| machine.playout_flow(until);
    (flow(Until::Written), flow(Until::All))
}

fn count(flow: &Flow, which: impl Fn(&Instr) -> bool) -> usize {
    let instrs = flow.blocks.iter().flat_map(|b| &b.instrs);
    instrs.filter(|i| which(i)).count()
}

const BOARD: &str = "
  state {
    marks : [Player] set of 0..8
    winner : Player?
  }
  def line(of: set of 0..8): bool =
    { 0, 1, 2 } in of or { 3, 4, 5 } in of or { 6, 7, 8 } in of or { 0, 4, 8 } in of or { 2, 4, 6 } in of";

const ROWS: &str = "
    turns me from A at most 9 {
      me chooses s in { 0, 1, 2, 3, 4, 5, 6, 7, 8 } - marks[A] - marks[B] as \"{s}\"
      marks[me] += s
      if line(marks[me]) { winner = me  end }
    }";

#[test]
fn a_row_of_tests_becomes_one_look_up() {
    let subset = |i: &Instr| matches!(i, Instr::SetSubset { .. });
    let rows = ["0, 1, 2", "3, 4, 5", "6, 7, 8", "0, 4, 8", "2, 4, 6"];
    let tests = rows.map(|row| format!("if not ({{ {row} }} in marks[me]) {{ "));
    let tests = format!(
        "{}continue {}  winner = me  end",
        tests.join(""),
        "} ".repeat(5)
    );
    let play = ROWS.replace("if line(marks[me]) { winner = me  end }", &tests);
    let (written, all) = flows(BOARD, &play);
    assert!(count(&written, subset) >= 5);
    assert_eq!(count(&all, subset), 0);
    assert!(all.pool.tables.iter().any(|t| t.values.len() == 512));
}

/// Two tests are decided as soon by themselves.
#[test]
fn two_tests_stay_as_they_are() {
    let play = ROWS.replace(
        "line(marks[me])",
        "{ 0, 1 } in marks[me] or { 3, 4 } in marks[me]",
    );
    let (_, all) = flows(BOARD, &play);
    assert!(count(&all, |i| matches!(i, Instr::SetSubset { .. })) >= 4);
}

/// Nobody is told anything in a playout, and the loops that find out what would be told are gone.
#[test]
fn what_nobody_is_shown_is_not_computed() {
    let shown = "
  shown to p def near(p: Player, s: 0..8): bool = some t in marks[p]: some u in marks[opponent(p)]: t + u == s";
    let (plain, with) = (flows(BOARD, ROWS), flows(&format!("{BOARD}{shown}"), ROWS));
    assert!(with.0.blocks.len() > 5 * plain.0.blocks.len());
    assert_eq!(with.1.blocks.len(), plain.1.blocks.len());
}

/// A loop in which something may go wrong stays, though its result is not read.
#[test]
fn what_may_fail_is_no_dead_branch() {
    let play = ROWS.replace(
        "if line",
        "let n = sum(s in marks[me]) only(marks[me] & { s, 4 })\n      if line",
    );
    let ((_, plain), (_, with)) = (flows(BOARD, ROWS), flows(BOARD, &play));
    assert!(with.blocks.len() > plain.blocks.len());
    let harmless = ROWS.replace(
        "if line",
        "let n = sum(s in marks[me]) size(marks[me] & { s, 4 })\n      if line",
    );
    assert_eq!(flows(BOARD, &harmless).1.blocks.len(), plain.blocks.len());
}

#[test]
fn who_chose_last_is_noted_when_play_is_over() {
    let (_, all) = flows(BOARD, ROWS);
    let notes = |i: &Instr| matches!(i, Instr::Const { dst, .. } if *dst == all.last);
    let samples = |i: &Instr| matches!(i, Instr::Sample(_));
    let mut noted = 0;
    for block in &all.blocks {
        let n = block.instrs.iter().filter(|i| notes(i)).count();
        assert!(n == 0 || !block.instrs.iter().any(samples));
        noted += n;
    }
    assert!(noted >= 2);
}

#[test]
fn what_stands_in_a_variable_is_changed_there() {
    let (_, all) = flows(BOARD, ROWS);
    assert_eq!(count(&all, |i| matches!(i, Instr::Copy { .. })), 0);
    assert_eq!(count(&all, |i| matches!(i, Instr::SetInsert { .. })), 2);
}

const NUMBERS: &str = "
  state {
    n : 0..9
    m : 0..9
    worth : [0..9] 0..3
    s : set of 0..8 = { 3, 4 }
    winner : Player?
  }";

/// A draw, and statements about what was drawn.
fn drawn(then: &str) -> (Flow, Flow) {
    flows(
        NUMBERS,
        &format!("draw x in 0..9 into n\ndraw y in 0..9 into m\n{then}"),
    )
}

#[test]
fn a_formula_is_computed_once_also_across_branches() {
    let products = |i: &Instr| matches!(i, Instr::Binary { op: Op::Mul, .. });
    let (written, all) = drawn(
        "if n * m < 40 { if m > 3 { n = (n * m) mod 7 } else { m = (n * m) mod 5 } }
         if n + m > 9 { winner = A }",
    );
    assert!(count(&written, products) >= 3);
    assert_eq!(count(&all, products), 1);
}

#[test]
fn what_was_decided_is_not_asked_again() {
    let branches = |flow: &Flow| {
        let branch = |b: &&Block| matches!(b.term, Term::Branch { .. });
        flow.blocks.iter().filter(branch).count()
    };
    let (_, once) = drawn("if n < m { m = 0 }\nif m > 7 { winner = A }");
    let (_, twice) =
        drawn("if n < m { if m > n { if n != m { m = 0 } } }\nif m > 7 { winner = A }");
    assert_eq!(branches(&once), branches(&twice));
}

#[test]
fn a_check_that_holds_anyway_goes() {
    let checks = |i: &Instr| matches!(i, Instr::Check { .. });
    let (written, all) =
        drawn("if n < 9 { n += 1 }\nif n > 5 { n -= 5 }\nif n + m > 9 { winner = A }");
    assert!(count(&written, checks) >= 2);
    assert_eq!(count(&all, checks), 0);
    // And one that may not hold stays.
    let (_, all) = drawn("n += 1\nif n + m > 9 { winner = A }");
    assert_eq!(count(&all, checks), 1);
}

#[test]
fn a_computation_from_few_values_is_looked_up() {
    let slow = |i: &Instr| {
        matches!(
            i,
            Instr::Immediate {
                op: Op::Mod | Op::Mul | Op::Div,
                ..
            }
        )
    };
    let (written, all) = drawn("m = ((n * 7 + 3) mod 10) div 2\nif n + m > 9 { winner = A }");
    assert!(count(&written, slow) >= 3);
    assert_eq!(count(&all, slow), 0);
    assert!(count(&all, |i| matches!(i, Instr::Table { .. })) >= 1);
}

#[test]
fn nothing_in_common_is_one_test() {
    let (_, all) = drawn(
        "draw z in s\nif s & { 1, 3, 7 } == {} { winner = A }\ns -= z\nif s - { 2, z } == {} { winner = B }",
    );
    let differences = |i: &Instr| matches!(i, Instr::SetBinary { .. } | Instr::SetEq { .. });
    assert!(count(&all, differences) <= 1, "{:?}", all.blocks);
}

/// Play looks whether there is an option by listing the options, once.
#[test]
fn who_looks_for_an_option_lists_them() {
    let choice = "me chooses a in { k for k in s where worth[k] < n }, b in { a, m } as \"{a} {b}\"
        else { winner = B  end }
      worth[a] = 3";
    let (written, _) = drawn(&format!("turns me from A at most 9 {{ {choice} }}"));
    let emits = |i: &Instr| matches!(i, Instr::Emit { .. });
    let listed =
        |i: &Instr| matches!(i, Instr::Sample(c) if matches!(**c, SampleCode::Listed { .. }));
    let taken =
        |i: &Instr| matches!(i, Instr::Sample(c) if matches!(**c, SampleCode::Tuple { .. }));
    // A playout that begins at the node goes the same way.
    assert_eq!(count(&written, emits), 1);
    assert_eq!((count(&written, listed), count(&written, taken)), (1, 1));
}

/// After trials that found a tuple, what they have computed is not computed again.
#[test]
fn what_trials_have_found_is_known_after_them() {
    let play = "turns me from A at most 9 {
      me chooses k in 0..8 where s & { k, (k + 1) mod 9 } != {} as \"{k}\"
      let least = min(s & { k, (k + 1) mod 9 })
      s -= least
      if s == {} { winner = me  end }
    }";
    let (written, all) = drawn(play);
    let checks = |i: &Instr| matches!(i, Instr::Check { .. });
    assert!(count(&written, checks) >= 1);
    let tried = |b: &&Block| {
        b.instrs
            .iter()
            .any(|i| matches!(i, Instr::Sample(c) if matches!(**c, SampleCode::Element { .. })))
    };
    // Of each player's turn the way by the listing alone has the check that there is a least one.
    let trials = all.blocks.iter().filter(tried).count();
    assert!(trials >= 2, "{:?}", all.blocks);
    assert!(count(&all, checks) <= trials, "{:?}", all.blocks);
}

/// A set of which only is asked whether it is empty is not gathered further than its first element, and one that is drawn
/// from is gathered as a whole.
#[test]
fn gathering_ends_with_the_first_element_where_nothing_else_is_asked() {
    // The additions after which nothing is added by the same block again.
    let last_ones = |play: &str| {
        let (_, all) = flows(BOARD, play);
        let gathers = |b: &BlockId| {
            let mut instrs = all.blocks[b.0 as usize].instrs.iter();
            instrs.any(|i| matches!(i, Instr::SetInsert { .. }))
        };
        let comes_back = |from: &BlockId| {
            let mut seen = vec![false; all.blocks.len()];
            let mut waiting = vec![*from];
            while let Some(block) = waiting.pop() {
                for to in successors(&all.blocks[block.0 as usize].term) {
                    if !std::mem::replace(&mut seen[to.0 as usize], true) {
                        waiting.push(to);
                    }
                }
            }
            seen[from.0 as usize]
        };
        let order = order(&all);
        let last_ones = order.iter().filter(|b| gathers(b) && !comes_back(b));
        last_ones.count()
    };
    let play = "
        A chooses s in 0..8
        marks[A] += s
        let open = { c for c in 0..8 where line(marks[A] + c) or c * c mod 7 == s }
        if open == {} { winner = A }";
    let drawn = format!("{play} else {{ draw c in open\n if c == s {{ winner = B }} }}");
    // The mark is set once in both.
    assert_eq!((last_ones(play), last_ones(&drawn)), (2, 1));
}

/// A set that is made anew in each round ends the loop that gathers it, and not the rounds.
#[test]
fn a_set_that_is_made_again_and_again_is_the_last_one() {
    let [set, round, element, test] = [0, 1, 2, 3];
    let mut pool = ConstantPool::new(4);
    let none = pool.slot(&[0]);
    let constant = |dst| Instr::Const { dst, value: 0 };
    let next = |dst| Instr::Immediate {
        op: Op::Add,
        dst,
        a: dst,
        value: 1,
    };
    let few = |a| Instr::Immediate {
        op: Op::Lt,
        dst: test,
        a,
        value: 3,
    };
    let block = |instrs: Vec<Instr>, term| Block {
        instrs,
        term,
        ..Block::default()
    };
    let branch = |then, otherwise| Term::Branch {
        cond: test,
        then: BlockId(then),
        otherwise: BlockId(otherwise),
    };
    let jump = |to| Term::Jump(BlockId(to));
    let [operand, same] = [set, none].map(|slot| Operand { slot, words: 1 });
    let adds = Instr::SetInsert {
        set: operand,
        element,
    };
    let asks = Instr::SetEq {
        dst: test,
        a: operand.slot,
        b: same.slot,
        words: 1,
    };
    let smaller = Instr::Binary {
        op: Op::Lt,
        dst: test,
        a: element,
        b: round,
    };
    let mut flow = Flow {
        blocks: vec![
            block(vec![constant(round)], jump(1)),
            block(vec![constant(set), constant(element)], jump(2)),
            block(vec![smaller], branch(3, 4)),
            block(vec![adds], jump(4)),
            block(vec![next(element), few(element)], branch(2, 5)),
            block(vec![next(round), few(round)], branch(1, 6)),
            block(vec![asks], Term::Return),
        ],
        frame: 4,
        entries: vec![Entry {
            at_node: true,
            node: 0,
            keys: Vec::new(),
            blocks: vec![BlockId(0)],
            taken: None,
        }],
        payoffs: vec![test],
        last: test,
        pool,
    };
    let (machine, _) = crate::load(ANY, &Default::default()).unwrap();
    (early_exit::PASS.run)(machine.program(), &mut flow);
    assert_eq!(flow.blocks[3].term, jump(5), "{:?}", flow.blocks);
}

const ANY: &str =
    "game Any { players { A } play { A chooses n in 1..2 } payoff general-sum: [p in Player] 0 }";
