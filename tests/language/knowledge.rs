//! Knowledge blocks: what they say of states and actions, and what is refused.

use ruse::internal::check::Settings;
use ruse::internal::machine::{Action, Actions, Machine};

/// Ann hides a number from 1 to 5 and then moves a token; Ben guesses. Everything about the knowledge is made up.
const GAME: &str = r#"
game Token {
  players { Ann, Ben }
  state {
    hidden : 1..5       seen by Ann
    token  : 0..9 = 4
    cards  : [p: Player] set of 1..6 = all   seen by p
  }
  play {
    draw h in 1..5 into hidden
    Ann chooses {
      stay
      move(step in { -2, -1, +1, +2 }) => token += step
      drop(card in cards[Ann], face in { true, false }) => cards[Ann] -= card
    }
    Ben chooses guess in 1..5 as "{guess}"
  }
  payoff zero-sum: [p in Player] 0

  KNOWLEDGE
}
"#;

fn load(knowledge: &str) -> Result<Machine, Vec<ruse::internal::text::diagnostics::Diagnostic>> {
    ruse::load(&GAME.replace("KNOWLEDGE", knowledge), &Settings::new()).map(|(m, _)| m)
}

fn machine(knowledge: &str) -> Machine {
    load(knowledge).unwrap_or_else(|problems| {
        let text = GAME.replace("KNOWLEDGE", knowledge);
        let shown: Vec<String> = problems
            .iter()
            .map(|d| d.render("token.game", &text, false))
            .collect();
        panic!("{}", shown.join("\n"))
    })
}

fn codes(knowledge: &str) -> Vec<&'static str> {
    load(knowledge)
        .expect_err("this must be refused")
        .iter()
        .map(|d| d.code.0)
        .collect()
}

/// The state where Ann chooses and 3 is hidden.
fn at_ann(machine: &Machine) -> ruse::internal::machine::State {
    let mut state = machine.initial().unwrap();
    machine
        .step(&mut state, &[Action([0, 3].as_slice().into())])
        .unwrap();
    state
}

/// Each action's text with its share, those without a share left out.
fn preferred(machine: &Machine, name: &str) -> Vec<(String, f64)> {
    let state = at_ann(machine);
    let entry = machine.find_knowledge(0, name).expect("Ann's");
    let mut actions = Actions::default();
    machine.legal(&state, 0, &mut actions).unwrap();
    let shares = machine.preferences(&state, entry, 0, &actions).unwrap();
    assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-12);
    actions
        .iter()
        .zip(shares)
        .filter(|(_, s)| *s > 0.0)
        .map(|(a, s)| (machine.action_text(&state, 0, a, None), s))
        .collect()
}

#[test]
fn a_heuristic_applies_where_its_names_are_bound() {
    let m = machine(
        "knowledge Ann { playout far = maximise step * step + token  playout low = minimise card }",
    );
    let both = [("move(-2)".to_string(), 0.5), ("move(2)".to_string(), 0.5)];
    assert_eq!(preferred(&m, "far"), both);
    let low = [
        ("drop(1, false)".to_string(), 0.5),
        ("drop(1, true)".to_string(), 0.5),
    ];
    assert_eq!(preferred(&m, "low"), low);
    assert_eq!(m.find_knowledge(1, "far"), None);
}

#[test]
fn weights_take_the_first_rule_that_fits() {
    let m = machine(
        "knowledge Ann { playout habit = weights {
           stay => 1.5
           move where step > 0 => 1
           move => 0.25
         } }",
    );
    // 1.5 + 1 + 1 + 0.25 + 0.25 = 4; dropping a card has no weight.
    let expected = [
        ("stay".to_string(), 0.375),
        ("move(-2)".to_string(), 0.0625),
        ("move(-1)".to_string(), 0.0625),
        ("move(1)".to_string(), 0.25),
        ("move(2)".to_string(), 0.25),
    ];
    assert_eq!(preferred(&m, "habit"), expected);
}

#[test]
fn prioritised_rules_come_before_weights() {
    let m = machine(
        "knowledge Ann { playout habit = weights {
           first drop where card == hidden and face
           first move where step == 2
           else => 1
         } }",
    );
    assert_eq!(preferred(&m, "habit"), [("drop(3, true)".to_string(), 1.0)]);
    let m = machine(
        "knowledge Ann { playout habit = weights {
           first drop where card == hidden + 5
           first move where step == 2
           else => 1
         } }",
    );
    assert_eq!(preferred(&m, "habit"), [("move(2)".to_string(), 1.0)]);
}

#[test]
fn weights_belong_to_classes_of_actions() {
    let m = machine(
        "knowledge Ann {
           playout habit = weights { stay => 1  move => 1  drop => 2 }
           abstraction actions { stay => ()  move => (step > 0)  drop => (face) }
         }",
    );
    let shares = preferred(&m, "habit");
    // Classes: stay 1; two of moves 1 each; two of drops 2 each: 7 in all.
    let share = |text: &str| shares.iter().find(|(t, _)| t == text).unwrap().1;
    assert!((share("stay") - 1.0 / 7.0).abs() < 1e-12);
    assert!((share("move(1)") - 0.5 / 7.0).abs() < 1e-12);
    assert!((share("drop(4, true)") - 2.0 / 6.0 / 7.0).abs() < 1e-12);
}

#[test]
fn states_are_valued_and_classed() {
    let m = machine(
        "knowledge Player {
           evaluate = if me == Ann then token / 2 else -token
           category near of hidden = if hidden > 3 then 1 else 0
           abstraction information { left = size(cards[me])  high = token >= 4 }
         }",
    );
    let state = at_ann(&m);
    let entry = |name| m.find_knowledge(0, name).unwrap();
    assert_eq!(m.evaluate(&state, entry("evaluate"), 0).unwrap(), Some(2.0));
    assert_eq!(
        m.evaluate(&state, entry("evaluate"), 1).unwrap(),
        Some(-4.0)
    );
    // 3 is the third of 1..5, and not above 3.
    assert_eq!(m.category(&state, entry("near"), 0).unwrap(), Some((2, 0)));
    let class = m
        .information_class(&state, entry("information"), 1)
        .unwrap();
    assert_eq!(class.as_slice(), [6, 1]);
}

#[test]
fn knowledge_changes_no_game() {
    let with = machine("knowledge Ann { playout far = maximise step }");
    let without = machine("");
    let (a, b) = (at_ann(&with), at_ann(&without));
    assert_eq!(with.exact_key(&a), without.exact_key(&b));
    assert_eq!(with.view(&a, 1), without.view(&b, 1));
}

#[test]
fn what_applies_nowhere_is_refused() {
    assert_eq!(
        codes("knowledge Ann { playout p = maximise token }"),
        ["E0312"]
    );
    assert_eq!(
        codes("knowledge Ann { playout p = maximise step + guess }"),
        ["E0312"]
    );
    assert_eq!(
        codes("knowledge Ann { playout p = maximise stepp }"),
        ["E0101"]
    );
    assert_eq!(
        codes("knowledge Ann { playout p = weights { raise => 1 } }"),
        ["E0312"]
    );
    assert_eq!(
        codes("knowledge Ann { playout p = weights { stay => -1 } }"),
        ["E0201"]
    );
    assert_eq!(codes("knowledge Carol { evaluate = 1 }"), ["E0101"]);
    assert_eq!(
        codes("knowledge Ann { evaluate = reveal(token) }"),
        ["E0211"]
    );
    assert_eq!(
        codes("knowledge Ann { abstraction information { all_ = cards[Ann] } }"),
        ["E0201"]
    );
}

#[test]
fn an_abstraction_reads_what_its_owner_sees() {
    assert_eq!(
        codes("knowledge Ben { abstraction information { h = hidden } }"),
        ["E0412"]
    );
    assert_eq!(
        codes("knowledge Player { abstraction information { n = size(cards[Ann]) } }"),
        ["E0412"]
    );
    assert_eq!(
        codes("knowledge Ben { abstraction actions { => (guess == hidden) } }"),
        ["E0412"]
    );
    machine("knowledge Ben { abstraction actions { => (guess > token) } }");
    machine("knowledge Ann { abstraction information { h = hidden } }");
}
