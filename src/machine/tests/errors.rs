//! Errors of play: their codes, and that they name what went wrong in words of the game.

use super::{Run, small};
use crate::machine::{Actions, Outcomes, PlayError};

/// What is wrong before the first node.
#[track_caller]
fn fails(items: &str, state: &str, play: &str) -> PlayError {
    let machine = small(items, state, play);
    machine.initial().expect_err("an error of play")
}

/// The code, and words that the message must hold.
#[track_caller]
fn says(error: &PlayError, code: &str, words: &[&str]) {
    assert_eq!(error.code.0, code, "{error}");
    for word in words {
        assert!(
            error.message.contains(word),
            "no `{word}` in: {}",
            error.message
        );
    }
    assert!(error.span.end > error.span.start, "{error:?}");
}

#[test]
fn a_value_out_of_range_is_named_with_its_variable() {
    says(
        &fails("", "coins : 0..9 = 5", "coins = coins + 7"),
        "E0701",
        &["`coins`", "12", "0..9"],
    );
    says(
        &fails("", "coins : 0..9 = 5", "coins -= 6"),
        "E0701",
        &["`coins`", "-1", "0..9"],
    );
    says(
        &fails("", "a : [1..3] 2..4 = 4  i : 1..3 = 2", "a[i] += 1"),
        "E0701",
        &["`a`", "5", "2..4"],
    );
    says(
        &fails("", "a : [1..3] 2..9 = 4", "a[all] -= 3"),
        "E0701",
        &["`a`", "1", "2..9"],
    );
    says(
        &fails("", "i : 0..9 = 7  n : 1..3", "let k = i  n = k"),
        "E0701",
        &["`n`", "7", "1..3"],
    );
    says(
        &fails(
            "",
            "i : 0..9 = 7  j : 0..9  n : 1..3",
            "n = if i > 3 then i else j",
        ),
        "E0701",
        &["`n`", "7", "1..3"],
    );
    says(
        &fails("", "i : 0..9 = 7  n : 1..3?", "n = i"),
        "E0701",
        &["7", "1..3"],
    );
}

#[test]
fn the_move_that_led_to_an_error_is_named() {
    let machine = small(
        "",
        "coins : 0..9 = 5",
        "Ann chooses bet in 1..9 as \"bet {bet}\"  coins -= bet",
    );
    let mut run = Run::new(&machine);
    let before = run.state.clone();
    let error = run.try_play("bet 7").expect_err("less than nothing");
    says(&error, "E0701", &["`coins`", "-2", "Ann", "`bet 7`"]);
    assert_eq!(run.state, before, "the state is left as it was");
    run.play("bet 5");
    assert_eq!(run.get("coins"), "0");

    let machine = small("", "n : 0..3", "draw d in 1..6 as \"a {d}\" n = d");
    let error = Run::new(&machine).try_play("a 6").expect_err("too much");
    says(&error, "E0701", &["`n`", "6", "`a 6` was drawn"]);
}

#[test]
fn an_index_out_of_range() {
    let text = "a : [1..3] 0..9  i : 0..9 = 4  n : 0..9";
    says(&fails("", text, "n = a[i]"), "E0701", &["4", "1..3"]);
    says(&fails("", text, "a[i] = 1"), "E0701", &["4", "1..3"]);
}

#[test]
fn a_chosen_value_that_its_place_cannot_hold() {
    let machine = small("", "n : 1..3", "Ann chooses x in 1..5 into n as \"{x}\"");
    let mut run = Run::new(&machine);
    says(
        &run.try_play("4").expect_err("too much"),
        "E0701",
        &["`n`", "4", "1..3"],
    );
    run.play("3");
}

#[test]
fn nothing_to_choose() {
    let machine = small("", "s : set of 1..3", "Ann chooses x in s");
    let run = Run::new(&machine);
    let mut actions = Actions::default();
    let error = machine
        .legal(&run.state, 0, &mut actions)
        .expect_err("nothing");
    says(&error, "E0702", &["nothing to choose"]);
    let mut rng = <rand::rngs::Xoshiro256PlusPlus as rand::SeedableRng>::seed_from_u64(1);
    says(
        &machine
            .sample(&run.state, 0, &mut rng)
            .expect_err("nothing"),
        "E0702",
        &[],
    );
}

#[test]
fn nothing_to_draw() {
    for play in [
        "draw x in s",
        "draw x in 1..3 weighted k",
        "draw x in 1..3, y in s",
        "draw x in 1..3 where x > 5",
        "deal 2 from t to s",
    ] {
        let machine = small(
            "",
            "s : set of 1..3  k : 0..3  t : set of 1..3 = { 2 }",
            play,
        );
        let run = Run::new(&machine);
        let mut outcomes = Outcomes::default();
        let error = machine.outcomes(&run.state, &mut outcomes).expect_err(play);
        says(&error, "E0703", &[]);
        let mut rng = <rand::rngs::Xoshiro256PlusPlus as rand::SeedableRng>::seed_from_u64(1);
        let error = machine.sample_chance(&run.state, &mut rng).expect_err(play);
        says(&error, "E0703", &[]);
    }
}

#[test]
fn only_wants_one() {
    let state = "s : set of 1..5 = { 2, 4 }  n : 0..9  o : 1..5?";
    says(
        &fails("", state, "n = only(s)"),
        "E0704",
        &["exactly one", "2"],
    );
    says(&fails("", state, "s = {}  n = only(s)"), "E0704", &["0"]);
    says(&fails("", state, "n = only(o)"), "E0704", &["none"]);
}

#[test]
fn extremes_of_nothing() {
    let state = "s : set of 1..5  n : 0..9";
    says(&fails("", state, "n = min(s)"), "E0705", &["least"]);
    says(&fails("", state, "n = max(s)"), "E0705", &["greatest"]);
    says(&fails("", state, "n = min(x in s) x"), "E0705", &["least"]);
    says(
        &fails("", state, "n = max(x in 1..5 where x in s) x"),
        "E0705",
        &["greatest"],
    );
}

#[test]
fn too_many_steps_between_two_moves() {
    let play = "while true at most 1000000000 { n = 1 - n }";
    says(&fails("", "n : 0..1", play), "E0707", &["steps"]);
}

#[test]
fn the_loop_of_too_many_steps_is_pointed_at() {
    let round = "while true at most 1000000000 { n = 1 - n }";
    let play = format!("each i in 1..3 {{ n = 0 }}  {round}");
    let error = fails("", "n : 0..1", &play);
    assert_eq!(error.code.0, "E0707");
    assert_eq!(error.span.range().len(), round.len(), "{error:?}");
}

/// Of loops within loops the outermost is meant, and it is soon found.
#[test]
fn deep_loops_of_too_many_steps_are_pointed_at() {
    let inner = "n = 1 - n".to_string();
    let play = (0..40).fold(inner, |body, _| format!("repeat 2 times {{ {body} }}"));
    let error = fails("", "n : 0..1", &play);
    assert_eq!(error.code.0, "E0707");
    assert_eq!(error.span.range().len(), play.len(), "{error:?}");
}

/// What is said of a draw of which the tuples are too many to be listed.
#[test]
fn drawing_from_a_table_takes_less_to_list() {
    let names: Vec<String> = (0..14).map(|n| format!("P{n}")).collect();
    let text = format!(
        "game Roles {{ players {{ {} }} enum Role {{ a, b, c, d }} state {{ role : [Player] Role }} play {{ \
         draw each p in Player: r[p] in Role into role[p] where (count p in Player: r[p] == a) == 2 \
         P0 chooses n in 1..2 }} payoff general-sum: [p in Player] 0 }}",
        names.join(", ")
    );
    let (machine, _) = crate::load(&text, &Default::default()).unwrap();
    let state = machine.initial().unwrap();
    let error = machine.outcomes(&state, &mut Outcomes::default());
    let error = error.unwrap_err();
    says(&error, "E0707", &["to list"]);
    let hint = error.hint.unwrap();
    assert!(
        hint.contains("`draw x from left`, with `left : [Role] 0..14`"),
        "{hint}"
    );
}

/// The element is told as it is written in the game, not by its place in the set.
#[test]
fn a_set_with_an_element_that_does_not_fit() {
    let error = fails("", "a : set of 5..10 = { 6, 9 }  b : set of 1..7", "b = a");
    says(&error, "E0708", &["9", "1..7"]);
    let error = fails("", "a : set of 1..7  n : 0..20 = 9", "a += n");
    says(&error, "E0701", &["9", "1..7"]);
}

#[test]
fn errors_happen_only_on_the_way_that_is_taken() {
    let machine = small(
        "",
        "s : set of 1..5  n : 0..9 = 3  o : 1..5?  a : [1..3] 0..9",
        "if size(s) > 0 { n = min(s) }  n = if o == none then 1 else only(o)
         if size(s) == 1 and only(s) == 3 { n = 2 }  if s == {} or min(s) > 2 { n += 1 }
         each x in s { n = a[x] }",
    );
    assert_eq!(Run::new(&machine).get("n"), "2");
}
