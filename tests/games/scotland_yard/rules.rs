//! The rules one by one, on maps so small that each of them comes up at once.

use super::board;
use crate::support::{movers, variant_of};
use ruse::internal::machine::{Actions, Machine, Outcomes, State, Turn};
use std::sync::Arc;

struct Game {
    machine: Arc<Machine>,
    state: State,
}

/// A small Scotland Yard, with everybody placed: Red first, X last.
fn game(items: &str, places: &[&str]) -> Game {
    let machine = variant_of("scotland-yard", items);
    let state = machine.initial().unwrap();
    let mut game = Game { machine, state };
    places.iter().for_each(|place| game.play(place));
    game
}

impl Game {
    fn play(&mut self, text: &str) {
        let action = match self.machine.turn(&self.state) {
            Turn::Chance => {
                let mut outcomes = Outcomes::default();
                self.machine.outcomes(&self.state, &mut outcomes).unwrap();
                let text_of = |o: &_| self.machine.outcome_text(&self.state, o, None);
                let found = outcomes.list.iter().find(|(o, _)| text_of(o) == text);
                found.unwrap_or_else(|| panic!("no {text}")).0.clone()
            }
            _ => {
                let mover = movers(&self.machine, &self.state)[0];
                self.machine
                    .find_action(&self.state, mover, text)
                    .unwrap_or_else(|e| panic!("{text}: {e:?}"))
            }
        };
        self.machine.step(&mut self.state, &[action]).unwrap();
    }

    /// The name of the player to move; nothing at the end.
    fn mover(&self) -> &str {
        let movers = movers(&self.machine, &self.state);
        movers.first().map_or("", |p| self.machine.player_name(*p))
    }

    fn options(&self) -> Vec<String> {
        let mover = movers(&self.machine, &self.state)[0];
        let mut actions = Actions::default();
        self.machine
            .legal(&self.state, mover, &mut actions)
            .unwrap();
        let texts = actions.iter();
        texts
            .map(|a| self.machine.action_text(&self.state, mover, a, None))
            .collect()
    }

    fn value(&self, name: &str) -> String {
        board(&self.machine, &self.state)[name].clone()
    }

    fn payoffs(&self) -> Vec<f64> {
        let payoffs = self.machine.payoffs(&self.state).unwrap();
        payoffs.as_slice().to_vec()
    }
}

#[test]
fn a_ferry_takes_a_black_ticket_and_a_detective_captures() {
    let mut g = game(
        "  param seats = 2
  graph London { nodes 1..4  edges taxi { 1: 2; 3: 4 }  edges bus { 1: 2 }  edges ferry { 2: 3 } }
  const starts = { 2, 4 }",
        &["4", "2"],
    );
    let without_double: Vec<String> = g
        .options()
        .into_iter()
        .filter(|t| !t.ends_with(", double"))
        .collect();
    let expected = ["taxi to 1", "bus to 1", "black to 1", "black to 3"];
    assert_eq!(without_double, expected);
    // One black ticket for the one detective.
    assert_eq!(g.value("tickets[X][black]"), "1");
    g.play("black to 3");
    assert_eq!(
        (g.value("tickets[X][black]"), g.value("log")),
        ("0".into(), "black".into())
    );
    assert_eq!(g.options(), ["taxi to 3"]);
    g.play("taxi to 3");
    assert_eq!((g.value("caught"), g.mover()), ("true".to_string(), ""));
    assert_eq!(g.payoffs(), [0.0, 1.0]);
}

const STREET: &str = "  param seats = 2
  param rounds = 3
  graph London { nodes 1..5  edges taxi { 1: 2; 2: 3; 3: 4; 4: 5 }  edges bus { 1: 5 } }
  const surfacing = { 3 }
  const starts = ";

#[test]
fn nobody_moves_to_a_detective() {
    let g = game(&format!("{STREET} {{ 2, 3 }}"), &["3", "2"]);
    // X at 2 beside Red at 3.
    let without_double: Vec<String> = g
        .options()
        .into_iter()
        .filter(|t| !t.ends_with(", double"))
        .collect();
    assert_eq!(without_double, ["taxi to 1", "black to 1"]);
    let mut g = game(
        &format!("{STREET} {{ 1, 2, 5 }}").replace("seats = 2", "seats = 3"),
        &["1", "2", "5"],
    );
    g.play("taxi to 4");
    // Red at 1 beside Blue at 2: only the bus is free.
    assert_eq!(g.options(), ["bus to 5"]);
}

#[test]
fn x_loses_when_walled_in() {
    let street = format!("{STREET} {{ 1, 2 }}").replace("edges bus { 1: 5 }", "");
    let g = game(&street, &["2", "1"]);
    assert_eq!((g.value("caught"), g.mover()), ("true".to_string(), ""));
    assert_eq!(g.value("round"), "1");
    assert_eq!(g.payoffs(), [0.0, 1.0]);
}

#[test]
fn detectives_sit_out_a_round_with_a_double_move() {
    let mut g = game(&format!("{STREET} {{ 1, 5 }}"), &["5", "1"]);
    g.play("taxi to 2, double");
    assert_eq!((g.mover(), g.value("round")), ("X", "2".to_string()));
    g.play("taxi to 3, double");
    assert_eq!((g.mover(), g.value("round")), ("X", "3".to_string()));
    assert_eq!(g.value("doubles"), "0");
    assert!(g.options().iter().all(|t| !t.ends_with(", double")));
    g.play("taxi to 2");
    assert_eq!(g.mover(), "Red");
}

#[test]
fn x_surfaces_and_wins_after_the_last_round() {
    let mut g = game(&format!("{STREET} {{ 1, 5 }}"), &["5", "1"]);
    for (x, red) in [("2", "4"), ("1", "5"), ("2", "4")] {
        assert_eq!(g.value("surfaced"), "none");
        g.play(&format!("taxi to {x}"));
        let seen = g.machine.view(&g.state, 1).entries;
        assert!(seen.iter().all(|e| e.name != "at[X]"));
        let round = g.value("round");
        let surfaced = seen.iter().find(|e| e.name == "surfaced").unwrap();
        assert_eq!(surfaced.value, if round == "3" { "2" } else { "none" });
        g.play(&format!("taxi to {red}"));
    }
    assert_eq!((g.value("caught"), g.mover()), ("false".to_string(), ""));
    assert_eq!(g.payoffs(), [1.0, 0.0]);
}

#[test]
fn tickets_change_hands_and_the_stuck_are_skipped() {
    let mut g = game(
        "  param seats = 3
  graph London {
    nodes 1..8
    edges taxi { 1: 2 8; 2: 3; 3: 4; 4: 5; 5: 6; 6: 7; 7: 8 }
    edges bus { 1: 3 }
  }
  const starts = { 1, 5, 7 }
  state { tickets : [p: Player][Fare] 0..9 = {
    X: { taxi: 6, else: 0 }, Red: { bus: 1, else: 0 }, Blue: { taxi: 1, else: 0 }
  } }",
        &["5", "7", "1"],
    );
    assert_eq!(g.mover(), "X");
    g.play("taxi to 2");
    // X's ticket leaves the game. No bus stops at 5, where Red is.
    let taxis = |g: &Game| {
        let of = |name| g.value(&format!("tickets[{name}][taxi]"));
        [of("X"), of("Red"), of("Blue")].join(" ")
    };
    assert_eq!((taxis(&g).as_str(), g.mover()), ("5 0 1", "Blue"));
    g.play("taxi to 8");
    // Blue's goes to X, and now nobody can move any more: X has won in the first of 24 rounds.
    assert_eq!((taxis(&g).as_str(), g.mover()), ("6 0 0", ""));
    assert_eq!(
        (g.value("round"), g.value("caught")),
        ("1".into(), "false".into())
    );
    assert_eq!(g.payoffs(), [1.0, 0.0, 0.0]);
}
