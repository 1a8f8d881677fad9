//! Packing: fields side by side, and every value back as it went in.

use super::{NOTHING, compiled, game};
use crate::ir::{Field, Program};
use crate::machine::Machine;
use crate::model::types::Type;
use proptest::prelude::*;

const STATE: &str = "
  a : -9..-3 = -5  b : 0..4611686018427387903  c : -1000000..1000000 = -7  d : [Player] [1..3] bool
  s : set of 1..200 = { 1, 64, 65, 200 }  t : [Player] set of -3..70 = { -3, 70 }  one : 4..4 = 4  e : Player?
  big : -2305843009213693952..2305843009213693951 = 12  u : set of 0..63 = all  v : set of 0..64 = all";

fn program() -> Program {
    let play = "Ann chooses x in 1..3  draw y in -70..70  Ben chooses z in x..5, w in y..71";
    compiled(&game(STATE, play, NOTHING))
}

#[test]
fn fields_never_overlap() {
    let program = program();
    let mut used = vec![0u64; program.layout.words];
    for field in &program.layout.fields {
        assert!(
            field.bits >= 1 && field.shift + field.bits <= 64,
            "{field:?}"
        );
        let bits = field.mask() << field.shift;
        assert_eq!(used[field.word as usize] & bits, 0, "{field:?}");
        used[field.word as usize] |= bits;
    }
    // Every word of every variable has a field, or can have one value only.
    for info in program.slots.iter().filter(|s| s.var.is_some()) {
        for slot in info.slot..info.slot + info.ty.words() as u32 {
            let fields = program.layout.fields.iter().filter(|f| f.slot == slot);
            let fixed = program.layout.fixed.iter().filter(|f| f.0 == slot);
            assert_eq!(fields.count() + fixed.count(), 1, "{}", info.name);
        }
    }
    assert_eq!(program.layout.fixed.len(), 1);
}

#[test]
fn a_field_has_just_the_bits_that_it_needs() {
    let program = program();
    let bits = |name: &str| -> Vec<u8> {
        let info = program.slots.iter().find(|s| s.name == name).expect(name);
        let words = info.ty.words() as u32;
        let own = info.slot..info.slot + words;
        let fields = program.layout.fields.iter();
        fields
            .filter(|f| own.contains(&f.slot))
            .map(|f| f.bits)
            .collect()
    };
    // Seven values; 200 = 64 + 64 + 64 + 8 elements; none, Ann or Ben.
    assert_eq!(bits("a"), [3]);
    assert_eq!(bits("b"), [62]);
    assert_eq!(bits("c"), [21]);
    assert_eq!(bits("s"), [64, 64, 64, 8]);
    assert_eq!(bits("t[Ann]"), [64, 10]);
    assert_eq!(bits("one"), Vec::<u8>::new());
    assert_eq!(bits("e"), [2]);
    assert_eq!(bits("big"), [62]);
    assert_eq!(bits("u"), [64]);
    assert_eq!(bits("v"), [64, 1]);
}

#[test]
fn play_begins_with_the_initial_values() {
    let machine = Machine::new(program());
    let state = machine.initial().expect("a first node");
    let view = machine.whole_view(&state);
    let value = |name: &str| {
        view.entries
            .iter()
            .find(|e| e.name == name)
            .map(|e| e.value.as_str())
    };
    assert_eq!(value("a"), Some("-5"));
    assert_eq!(value("b"), Some("0"));
    assert_eq!(value("c"), Some("-7"));
    assert_eq!(value("d[Ben][3]"), Some("false"));
    assert_eq!(value("s"), Some("{1, 64, 65, 200}"));
    assert_eq!(value("t[Ben]"), Some("{-3, 70}"));
    assert_eq!(value("one"), Some("4"));
    assert_eq!(value("e"), Some("none"));
    assert_eq!(value("big"), Some("12"));
}

/// Some value of a field, from any 64 bits.
fn value_of(program: &Program, field: &Field, random: u64) -> u64 {
    let info = program
        .slots
        .iter()
        .rfind(|s| s.slot <= field.slot)
        .expect("its slot");
    match &info.ty {
        Type::Set(_) => random & field.mask(),
        ty => {
            let (lo, hi) = ty.bounds().expect("bounds");
            let span = (i128::from(hi) - i128::from(lo) + 1) as u128;
            (i128::from(lo) + (u128::from(random) % span) as i128) as i64 as u64
        }
    }
}

proptest! {
    #![proptest_config(crate::random_tests::config(256))]

    #[test]
    fn values_come_back_as_they_went_in(random in prop::collection::vec(any::<u64>(), 64)) {
        let program = program();
        let fields = &program.layout.fields;
        let mut words = vec![0; program.layout.words];
        let mut values = Vec::new();
        for (field, random) in fields.iter().zip(random.iter().cycle()) {
            let value = value_of(&program, field, *random);
            field.write(&mut words, value);
            values.push(value);
        }
        for (field, value) in fields.iter().zip(values) {
            prop_assert_eq!(field.read(&words), value, "{:?}", field);
        }
    }
}

/// Locals that one node keeps do not make other states differ: what is not kept is 0.
#[test]
fn what_a_node_does_not_keep_is_zero() {
    let machine = Machine::new(compiled(&game(
        "n : 0..9",
        "draw d in 1..6  Ann chooses x in 1..d  Ben chooses y in 1..2",
        NOTHING,
    )));
    let mut ends = Vec::new();
    let start = machine.initial().expect("a first node");
    for outcome in [2, 5] {
        let mut state = start.clone();
        let one = |v: u64| crate::machine::Action(smallvec::SmallVec::from_slice(&[0, v]));
        machine.step(&mut state, &[one(outcome)]).expect("a draw");
        machine.step(&mut state, &[one(2)]).expect("a choice");
        ends.push(state);
    }
    assert_eq!(ends[0], ends[1]);
}

#[test]
fn a_state_that_is_too_large_is_an_error_with_numbers() {
    let text = game(
        "a : [1..40000] 0..1000000000000  b : [1..40000] 0..1000000000000",
        "a[1] = 1",
        NOTHING,
    );
    let problems = super::assemble(super::described(&text), true).expect_err("too large");
    assert_eq!(problems[0].code.0, "E0601");
    assert!(
        problems[0].message.contains("80000"),
        "{}",
        problems[0].message
    );
}
