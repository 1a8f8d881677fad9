//! Who sees what: events, their patterns, reveals, shown values, views.

use super::{Run, game, small};
use crate::model::SiteKind;

/// The viewers, the pattern and the values of every event so far.
fn told(run: &Run<'_>) -> Vec<(String, u64, Vec<u64>)> {
    run.events
        .iter()
        .map(|e| {
            (
                e.viewers.clone(),
                e.observation.pattern,
                e.observation.values.to_vec(),
            )
        })
        .collect()
}

fn event(viewers: &str, pattern: u64, values: &[u64]) -> (String, u64, Vec<u64>) {
    (viewers.to_string(), pattern, values.to_vec())
}

#[test]
fn a_secret_label_is_not_told_with_a_part_that_shows() {
    let machine = game(
        "game Labels { players { A, B }
         play { A chooses secretly { left(x in 1..2 seen by all)  right(y in 1..2 seen by all)  neither } }
         payoff general-sum: [p in Player] 0 }",
    );
    let told_of = |action: &str| {
        let mut run = Run::new(&machine);
        run.play(action);
        assert_eq!(
            run.events.iter().map(|e| e.whole).collect::<Vec<_>>(),
            if action == "neither" {
                vec![true]
            } else {
                vec![true, false]
            }
        );
        told(&run)
    };
    assert_eq!(
        told_of("left(2)"),
        [event("A", 1, &[0, 2]), event("B", 1, &[u64::MAX, 2])]
    );
    assert_eq!(
        told_of("right(2)"),
        [event("A", 1, &[1, 2]), event("B", 1, &[u64::MAX, 2])]
    );
    assert_eq!(told_of("neither"), [event("A", 0, &[2])]);
}

#[test]
fn a_text_shows_what_each_could_know() {
    let machine = game(
        "game Texts { players { A, B }
         state { s : 0..3 seen by A }
         rule tell(k: 0..3) { A chooses z in 1..2 as \"{z} {k}\" }
         play {
           A chooses h in 0..3 into s
           draw z in 1..2 as \"{z} {s}\"
           draw secretly d in 1..2
           draw z in 1..2 as \"{z} {d}\"
           let k = s
           A chooses z in 1..2 as \"{z} {k}\"
           tell(s)
         }
         payoff general-sum: [p in Player] 0 }",
    );
    let mut run = Run::new(&machine);
    run.play("3");
    let outcome = |run: &Run<'_>, viewer| {
        let mut outcomes = crate::machine::Outcomes::default();
        machine.outcomes(&run.state, &mut outcomes).unwrap();
        machine.outcome_text(&run.state, &outcomes.list[0].0, viewer)
    };
    let action = |run: &Run<'_>, viewer| {
        let actions = run.actions(&["1 3"]);
        machine.action_text(&run.state, 0, &actions[0], viewer)
    };
    assert_eq!(
        [Some(0), Some(1), None].map(|v| outcome(&run, v)),
        ["1 3", "1 ·", "1 3"]
    );
    run.play("1 3");
    run.play("2");
    assert_eq!(
        [Some(0), Some(1), None].map(|v| outcome(&run, v)),
        ["1 ·", "1 ·", "1 2"]
    );
    run.play("1 2");
    for _ in 0..2 {
        assert_eq!(
            [Some(0), Some(1), None].map(|v| action(&run, v)),
            ["1 3", "1 ·", "1 3"]
        );
        run.play("1 3");
    }
}

#[test]
fn each_viewer_is_told_what_it_sees() {
    let machine = game(
        "game Secrets { players { A, B, C }
         state { mine : 0..9 seen by A  shared : 0..9 seen by { A, C } }
         play { A chooses x in 1..3 into mine, y in 4..6 into shared, z in 7..9 as \"{x} {y} {z}\" }
         payoff general-sum: [p in Player] 0 }",
    );
    let mut run = Run::new(&machine);
    let action = run.actions(&["2 5 9"]).remove(0);
    assert_eq!(
        machine.action_text(&run.state, 0, &action, Some(0)),
        "2 5 9"
    );
    assert_eq!(
        machine.action_text(&run.state, 0, &action, Some(1)),
        "· · 9"
    );
    assert_eq!(
        machine.action_text(&run.state, 0, &action, Some(2)),
        "· 5 9"
    );
    run.play("2 5 9");
    // The alternative, then the parts that are seen.
    assert_eq!(
        told(&run),
        [
            event("A", 0b111, &[0, 2, 5, 9]),
            event("B", 0b100, &[0, 9]),
            event("C", 0b110, &[0, 5, 9]),
        ]
    );
    assert_eq!(
        run.events.iter().map(|e| e.whole).collect::<Vec<_>>(),
        [true, false, false]
    );
    assert!(run.events.iter().all(|e| e.observation.chooser == Some(0)));
}

#[test]
fn a_secret_choice_is_told_to_nobody_else() {
    let machine = small(
        "",
        "",
        "Ann chooses secretly x in 1..3 as \"{x}\"  Ben chooses secretly { stay  go(k in 1..2) }",
    );
    let mut run = Run::new(&machine);
    run.play("2").play("go(1)");
    assert_eq!(
        told(&run),
        [event("Ann", 1, &[0, 2]), event("Ben", 1, &[1, 1])]
    );
}

#[test]
fn a_part_may_be_secret_and_another_seen_by_some() {
    let machine = game(
        "game Ticket { players { A, B, C } state { }
         play { A chooses fare in 1..2, secretly to in 3..4, note_ in 5..6 seen by B  C chooses { wave(secretly h in 1..2) } }
         payoff general-sum: [p in Player] 0 }",
    );
    let mut run = Run::new(&machine);
    run.play("1, 4, 6").play("wave(2)");
    assert_eq!(
        told(&run),
        [
            event("A", 0b111, &[0, 1, 4, 6]),
            event("B", 0b101, &[0, 1, 6]),
            event("C", 0b001, &[0, 1]),
            // The label is open, its part is not.
            event("A B", 0, &[0]),
            event("C", 1, &[0, 2]),
        ]
    );
}

#[test]
fn draws_are_seen_by_those_who_see_the_place() {
    let machine = small(
        "",
        "card : [p: Player] 1..3 seen by p  pile : 1..3 seen by none",
        "draw a in 1..3 into card[Ben]  draw b in 1..3 into pile  draw c in 1..3 seen by Ann  draw d in 1..3",
    );
    let mut run = Run::new(&machine);
    let outcome = run.actions(&["2"]).remove(0);
    assert_eq!(machine.outcome_text(&run.state, &outcome, Some(0)), "·");
    assert_eq!(machine.outcome_text(&run.state, &outcome, Some(1)), "2");
    run.play("2").play("3").play("1").play("3");
    assert_eq!(
        told(&run),
        [
            event("Ben", 1, &[0, 2]),
            event("Ann", 1, &[0, 1]),
            event("Ann Ben", 1, &[0, 3])
        ]
    );
    let view = |p: usize| -> Vec<String> {
        machine
            .view(&run.state, p)
            .entries
            .iter()
            .map(|e| e.name.clone())
            .collect()
    };
    assert_eq!(view(0), ["card[Ann]"]);
    assert_eq!(view(1), ["card[Ben]"]);
    assert_eq!(machine.whole_view(&run.state).entries.len(), 3);
}

/// A reveal happens if all that stands before it says so, and what it is made of is asked for only then.
#[test]
fn a_reveal_under_a_condition_happens_if_it_holds() {
    let machine = small(
        "",
        "yes : bool = true  no_ : bool = false  x : 1..9 = 4 seen by none  y : 1..9 = 5 seen by none  r : bool  n : 1..9 seen by none",
        "r = no_ and reveal(x > 3)
         r = yes or reveal(y > 3)
         n = if yes then reveal(x to Ann) else reveal(y to Ben)
         n = if no_ then 1 else reveal(y)
         r = false and reveal(x < 3)
         n = match yes { true => reveal(x to Ben)  false => reveal(y to Ann) }
         let certain = true or reveal(y == 5)  if certain { n = 1 }",
    );
    let run = Run::new(&machine);
    assert!(run.events.iter().all(|e| e.kind == SiteKind::Reveal));
    assert_eq!(
        told(&run),
        [
            event("Ann", 1, &[4]),
            event("Ann Ben", 1, &[5]),
            event("Ben", 1, &[4]),
        ]
    );
    let machine = small(
        "",
        "best : Player?  chips : [Player] 1..3 = { Ann: 1, Ben: 2 } seen by none  k : 0..9",
        "repeat 2 times {
           k = if best != none then reveal(chips[best]) else 9
           if best != none and reveal(chips[best]) == 2 and (best == Ann or reveal(k) > 0) { reveal(1) }
           k = match best { none => 7  else => let n = 2; n + (if n > 1 then reveal(chips[best]) else 0) }
           best = Ben
         }",
    );
    let run = Run::new(&machine);
    assert_eq!(
        told(&run),
        [2, 2, 2, 1, 2].map(|value| event("Ann Ben", 1, &[value]))
    );
    assert_eq!(run.get("k"), "4");
}

#[test]
fn a_reveal_is_a_statement_or_a_value() {
    let machine = small(
        "",
        "s : set of 1..70 = { 1, 70 } seen by Ann  t : set of 1..70  p : Player? seen by Ann",
        "reveal(size(s) to Ben)  t = reveal(s) + 64  let whom = reveal(p)  if whom == none { reveal(Ann to Ann) }",
    );
    let run = Run::new(&machine);
    assert_eq!(
        told(&run),
        [
            event("Ben", 1, &[2]),
            event("Ann Ben", 1, &[1, 1 << 5]),
            event("Ann Ben", 1, &[0]),
            event("Ann", 1, &[0]),
        ]
    );
    assert_eq!(run.get("t"), "{1, 64, 70}");
}

/// The shown values among the events so far, with those who see them, and then forgets the events.
fn take_shown(run: &mut Run<'_>) -> Vec<(String, Vec<u64>)> {
    let events = std::mem::take(&mut run.events);
    let shown = events.iter().filter(|e| e.kind == SiteKind::Shown);
    let shown = shown.map(|e| (e.viewers.clone(), e.observation.values.to_vec()));
    shown.collect()
}

#[test]
fn shown_values_come_with_events_and_questions() {
    let machine = game(
        "game Piles { players { A, B } state { hand : [p: Player] set of 1..9 = { 1, 2 } seen by p }
         shown def held(p: Player): 0..9 = size(hand[p])
         shown to A def twice: 0..99 = 2 * held(B)
         play { repeat 2 times { each q in Player { q chooses c in hand[q] as \"{c}\" => { hand[q] -= c } } } }
         payoff general-sum: [p in Player] held(p) }",
    );
    let to = |who: &str, values: &[u64]| (who.to_string(), values.to_vec());
    let mut run = Run::new(&machine);
    // Whose it is, then the value: A is asked.
    let asked = [to("A", &[0, 2]), to("A", &[1, 2]), to("A", &[4])];
    assert_eq!(take_shown(&mut run), asked);
    run.play("1");
    // All see the choice, before the card goes; then B is asked.
    let told = [
        to("A B", &[0, 2]),
        to("A B", &[1, 2]),
        to("A", &[4]),
        to("B", &[0, 1]),
        to("B", &[1, 2]),
    ];
    assert_eq!(take_shown(&mut run), told);
    run.play("2");
    run.play("2");
    run.events.clear();
    run.play("1");
    // The last choice, and the end.
    let told = [
        to("A B", &[0, 0]),
        to("A B", &[1, 1]),
        to("A", &[2]),
        to("A B", &[0, 0]),
        to("A B", &[1, 0]),
        to("A", &[0]),
    ];
    assert_eq!(take_shown(&mut run), told);
}

#[test]
fn shown_values_are_told_before_they_are_read() {
    let machine = game(
        "game Back { players { A, B } state { n : 0..9 seen by A  m : 0..18 } shown def double: 0..18 = n + n
         play { n = 4  m = double  n = 0  A chooses { go }  n = 3  n = 5  B chooses { go } }
         payoff general-sum: [p in Player] 0 }",
    );
    let mut run = Run::new(&machine);
    let to = |who: &str, value: u64| (who.to_string(), vec![value]);
    assert_eq!(take_shown(&mut run), [to("A B", 8), to("A", 0)]);
    run.play("go");
    assert_eq!(take_shown(&mut run), [to("A B", 0), to("B", 10)]);
}
