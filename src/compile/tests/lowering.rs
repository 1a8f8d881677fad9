//! What loops become: tables of what they come to, values found once before them, tuples in bulk. That the games stay the
//! same, `machine::tests` and `tests/games/reference.rs` show.

use super::{NOTHING, compiled, game};
use crate::ir::{Bulk, Instr, Operand, Program};

fn instrs(program: &Program) -> impl Iterator<Item = &Instr> {
    program.blocks.iter().flat_map(|b| &b.instrs)
}

fn count(program: &Program, which: impl Fn(&Instr) -> bool) -> usize {
    instrs(program).filter(|i| which(i)).count()
}

fn written(state: &str, play: &str) -> Program {
    compiled(&game(state, play, NOTHING))
}

fn is_next(i: &Instr) -> bool {
    matches!(i, Instr::SetNext { .. })
}

/// The table with a row of one word for each value that play looks up.
fn rows(program: &Program) -> Vec<Vec<u64>> {
    let tables = instrs(program).filter_map(|i| match i {
        Instr::Table { table, .. } => Some(program.tables[*table as usize].values.clone()),
        _ => None,
    });
    tables.collect()
}

#[test]
fn a_loop_that_hangs_on_few_values_is_a_table() {
    let state = "n : 0..3  m : 0..2  s : set of 0..9";
    let play = "draw x in 0..3 into n  draw y in 0..2 into m
      let a = n  let b = m
      s = { k for k in 0..9 where k * a > 4 and k mod 3 == b }";
    let program = written(state, play);
    assert_eq!(count(&program, is_next), 0);
    let expected: Vec<u64> = (0..4)
        .flat_map(|a| (0..3).map(move |b| (a, b)))
        .map(|(a, b)| (0..10).filter(move |k| k * a > 4 && k % 3 == b))
        .map(|set| set.fold(0, |set, k| set | 1 << k))
        .collect();
    assert_eq!(rows(&program), [expected]);
}

#[test]
fn what_a_def_makes_of_few_values_is_one_table_for_all_calls() {
    let state = "n : 0..3  m : 0..3  s : set of 0..9  t : set of 0..9";
    let play = "draw x in 0..3 into n  draw y in 0..3 into m
      let a = n  let b = m
      s = made(a) - made(b)  t = made(b)";
    let def = "def made(a: 0..3): set of 0..9 = match a {
      0 => { k for k in 0..9 where k mod 3 == 1 }
      else => { k for k in 0..9 where k mod (a + 1) == 0 }
    }
    play {";
    let program = compiled(&game(state, play, NOTHING).replacen("play {", def, 1));
    assert_eq!(count(&program, is_next), 0);
    let has = |a: u64, k: u64| {
        if a == 0 {
            k % 3 == 1
        } else {
            k.is_multiple_of(a + 1)
        }
    };
    let set = |a| {
        (0..10)
            .filter(|k| has(a, *k))
            .fold(0, |set, k| set | 1 << k)
    };
    let expected: Vec<u64> = (0..4).map(set).collect();
    assert!(rows(&program).iter().all(|rows| *rows == expected));
    assert_eq!(program.tables.len(), 1);
}

#[test]
fn what_hangs_on_small_sets_is_a_table() {
    let state = "s : set of 0..5  big : set of 0..40  b : bool";
    let draws = "draw x in subsets(0..5, 3) into s  draw y in subsets(0..40, 2) into big";
    let one = |asked: &str| written(state, &format!("{draws}  b = {asked}"));
    let program = one("some x in s, y in s: x + 2 == y and y mod 2 == 0");
    let known = |set: u64| (0..4).any(|x| x % 2 == 0 && set >> x & 5 == 5);
    let expected: Vec<u64> = (0..64).map(|set| u64::from(known(set))).collect();
    assert_eq!(rows(&program), [expected]);
    // Of a set with too many subsets, and beside one.
    for run in [
        "some x in big, y in big: x + 2 == y and y mod 2 == 0",
        "some x in s: size({ y for y in s where y in big and y != x }) > 1",
    ] {
        let rows = rows(&one(run));
        assert!(rows.iter().all(|row| row.len() != 64), "{run}: {rows:?}");
    }
}

#[test]
fn a_loop_that_may_fail_or_reads_the_state_is_run() {
    let state = "n : 0..3  s : set of 0..9  l : [0..9] 0..9";
    // For 0 there is none: those that are gone through may stand in a table, but not what comes out.
    let fails = "draw x in 0..3 into n  let a = n  n = min(k in 0..9 where k * a > 4) (k mod 4)";
    let reads = "draw x in 0..3 into n  let a = n  s = { k for k in 0..9 where l[k] == a }";
    for (play, tables) in [(fails, 1), (reads, 0)] {
        let program = written(state, play);
        assert_eq!(rows(&program).len(), tables, "{play}");
        assert!(count(&program, is_next) > 0, "{play}");
    }
}

const TWO: &str = "s : set of 0..9  t : set of 0..9  l : [0..9] 0..9  n : 0..9  m : 0..9";

/// Neither with pairs in bulk nor where the tuples are walked over is a set built up on a way round that emits.
#[test]
fn what_a_loop_leaves_alone_is_found_before_it() {
    let pairs =
        "Ann chooses x in 0..9 into n, y in { l[k] for k in 0..9 } - s into m as \"{x} {y}\"";
    let filtered = pairs.replace(" as ", " where x < y as ");
    for play in [pairs, &filtered] {
        let program = written(TWO, play);
        let blocks_with = |which: fn(&Instr) -> bool| -> Vec<usize> {
            let blocks = program.blocks.iter().enumerate();
            let found = blocks.filter(|(_, b)| b.instrs.iter().any(which));
            found.map(|(i, _)| i).collect()
        };
        let emits = blocks_with(|i| matches!(i, Instr::Emit { .. }));
        let builds = blocks_with(|i| matches!(i, Instr::SetInsert { .. }));
        assert!(emits.len() == 1 && !builds.is_empty());
        assert!(
            builds.iter().all(|b| !reaches(&program, emits[0], *b)),
            "{play}"
        );
    }
}

fn reaches(program: &Program, from: usize, to: usize) -> bool {
    use crate::ir::Term;
    let mut seen = vec![false; program.blocks.len()];
    let mut waiting = vec![from];
    while let Some(at) = waiting.pop() {
        let next: Vec<usize> = match program.blocks[at].term {
            Term::Jump(a) => vec![a.0 as usize],
            Term::Branch {
                then, otherwise, ..
            } => vec![then.0 as usize, otherwise.0 as usize],
            _ => Vec::new(),
        };
        for to in next {
            if !std::mem::replace(&mut seen[to], true) {
                waiting.push(to);
            }
        }
    }
    seen[to]
}

/// The arguments of a def are as good as what they are, and a value where there may be none cannot fail.
#[test]
fn what_a_def_gives_is_found_before_the_loop() {
    let state = "l : [0..9] Four?  n : 0..9  m : Four
      }
      type Four = 0..3
      def of(v: Four): set of 0..9 = { k for k in 0..9 where l[k] == v }
      def near(v: Four, x: 0..9): set of 0..9 = { k for k in of(v) where k - x in -1..1 }
      state { r : 0..9";
    let program = written(
        state,
        "Ann chooses x in 0..9 into n where size(near(m, x)) > 1 as \"{x}\"",
    );
    let [emits, loads] = emits_and_loads(&program);
    assert!(!reaches(&program, emits, loads));
}

/// What is bound in one arm of several is not computed for the others.
#[test]
fn what_an_arm_binds_stays_inside() {
    let arm = "let k = m; size({ y for y in 0..9 where l[y] == k }) > x";
    let play = format!(
        "Ann chooses x in 0..9 into n where (match m {{ 0 => false  else => {arm} }}) as \"{{x}}\""
    );
    let program = written(TWO, &play);
    let [emits, loads] = emits_and_loads(&program);
    assert!(reaches(&program, emits, loads));
}

/// The first block that emits, and the first that reads an array.
fn emits_and_loads(program: &Program) -> [usize; 2] {
    let block_with = |which: fn(&Instr) -> bool| -> usize {
        let block = program.blocks.iter();
        let found = block.enumerate().find(|(_, b)| b.instrs.iter().any(which));
        found.expect("a block").0
    };
    let emits = block_with(|i| matches!(i, Instr::Emit { .. }));
    [emits, block_with(|i| matches!(i, Instr::Load { .. }))]
}

/// A fold that fails for want of elements stays where it is asked for.
#[test]
fn what_may_fail_stays_inside() {
    let play = "s = { x for x in t where min(k in t) l[k] == x }";
    let program = written(TWO, play);
    let check = |i: &Instr| matches!(i, Instr::Check { .. });
    let block = program
        .blocks
        .iter()
        .position(|b| b.instrs.iter().any(check));
    let block = block.expect("a check");
    assert!(reaches(&program, block, block));
}

/// The bulk of the single emission.
fn bulk(play: &str) -> Option<Bulk> {
    let program = written(TWO, play);
    let mut found = instrs(&program).filter_map(|i| match i {
        Instr::Emit { bulk, .. } => Some(*bulk),
        _ => None,
    });
    let bulk = found.next().expect("an emission");
    assert!(found.next().is_none());
    bulk
}

#[test]
fn parts_that_nobody_looks_at_are_emitted_in_bulk() {
    let pairs = bulk("Ann chooses x in s, y in t as \"{x} {y}\"");
    assert!(matches!(pairs, Some(Bulk::Pairs { .. })));
    let three = bulk("Ann chooses z in 0..3, x in s, y in t - z as \"{x} {y} {z}\"");
    assert!(matches!(three, Some(Bulk::Pairs { .. })));
    let hangs = bulk("Ann chooses x in s, y in t - x as \"{x} {y}\"");
    assert!(matches!(hangs, Some(Bulk::Elements { .. })));
    let first = bulk("Ann chooses x in s, y in t where x > n as \"{x} {y}\"");
    assert!(matches!(first, Some(Bulk::Elements { .. })));
    let both = bulk("Ann chooses x in s, y in t where x > y as \"{x} {y}\"");
    assert!(matches!(both, Some(Bulk::Elements { .. })));
    let looked_at = bulk("Ann chooses x in s, y in t where l[y] > x as \"{x} {y}\"");
    assert_eq!(looked_at, None);
    let weighed = bulk("draw x in s, y in t weighted x as \"{x} {y}\"");
    assert!(matches!(weighed, Some(Bulk::Elements { .. })));
    let by_last = bulk("draw x in s, y in t weighted y as \"{x} {y}\"");
    assert_eq!(by_last, None);
}

#[test]
fn a_condition_on_the_last_part_alone_filters_its_set_first() {
    let filtered = bulk("Ann chooses x in s, y in t where y > n as \"{x} {y}\"");
    let set = match filtered {
        Some(Bulk::Pairs { second, .. }) => second.0,
        other => panic!("{other:?}"),
    };
    let plain = match bulk("Ann chooses x in s, y in t as \"{x} {y}\"") {
        Some(Bulk::Pairs { second, .. }) => second.0,
        other => panic!("{other:?}"),
    };
    assert_ne!(set, plain);
    let Operand { words, .. } = set;
    assert_eq!(words, 1);
}

/// Each loop that is written out multiplies those within it.
#[test]
fn loops_within_loops_are_written_out_a_few_times() {
    for set in ["1..3", "1..4", "1..6"] {
        let names: Vec<String> = (0..8).map(|i| format!("x{i}")).collect();
        let bound: Vec<String> = names.iter().map(|x| format!("{x} in {set}")).collect();
        let play = format!("n = count {}: {} > n", bound.join(", "), names.join(" + "));
        let program = written("n : 0..2000000", &play);
        assert!(
            program.blocks.len() < 1_000,
            "{set} {}",
            program.blocks.len()
        );
    }
}
