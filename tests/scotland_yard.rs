//! Scotland Yard (Nijssen & Winands 2012, section II-B): each rule of the text, checked on random games from outside.

mod support;

use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::machine::{Machine, State, Turn};
use std::collections::HashMap;
use support::{load, movers, random_step};

/// The whole board by name: `at[X]`, `tickets[Red][taxi]`, `suspects`, …
fn board(machine: &Machine, state: &State) -> HashMap<String, String> {
    machine
        .whole_view(state)
        .entries
        .into_iter()
        .map(|e| (e.name, e.value))
        .collect()
}

fn number(board: &HashMap<String, String>, name: &str) -> i64 {
    board[name]
        .parse()
        .unwrap_or_else(|_| panic!("{name} is {}", board[name]))
}

fn members(set: &str) -> Vec<String> {
    set.trim_matches(['{', '}'])
        .split(", ")
        .filter(|s| !s.is_empty())
        .map(String::from)
        .collect()
}

const DETECTIVES: [&str; 5] = ["Red", "Blue", "Green", "Yellow", "Black"];
const STARTS: [&str; 18] = [
    "13", "26", "29", "34", "50", "53", "91", "94", "103", "112", "117", "132", "138", "141",
    "155", "174", "197", "198",
];

#[test]
fn every_rule_of_the_paper_holds_in_random_games() {
    let machine = load("scotland-yard", &[]);
    let (mut caught, mut doubles, mut surfaced, mut ferries) = (0, 0, 0, 0);
    for seed in 0..1000 {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut state = machine.initial().unwrap();
        let mut before = board(&machine, &state);
        while let Some(actions) = random_step(&machine, &state, &mut rng) {
            let mover = movers(&machine, &state).first().copied();
            let text = mover.map(|p| machine.action_text(&state, p, &actions[0], None));
            machine.step(&mut state, &actions).unwrap();
            let after = board(&machine, &state);
            let place = |name: &str| after[&format!("at[{name}]")].clone();
            if let Some(text) = text {
                let name = machine.player_name(mover.unwrap());
                let fare = text.split(' ').next().unwrap();
                let paid = format!("tickets[{name}][{fare}]");
                assert_eq!(number(&after, &paid), number(&before, &paid) - 1, "{text}");
                if name == "X" {
                    // His list of places holds him, and no place of a detective.
                    let suspects = members(&after["suspects"]);
                    assert!(suspects.contains(&place("X")), "{suspects:?}");
                    assert!(DETECTIVES.iter().all(|d| !suspects.contains(&place(d))));
                    let round = number(&before, "round");
                    if [3, 8, 13, 18, 24].contains(&round) {
                        assert_eq!(after["surfaced"], place("X"));
                        assert_eq!(suspects, [place("X")]);
                        surfaced += 1;
                    }
                    let double = text.ends_with("true");
                    let spent = number(&before, "doubles") - number(&after, "doubles");
                    assert_eq!(spent, i64::from(double), "{text}");
                    if double {
                        // The detectives skip their turn for that round.
                        doubles += 1;
                        let next = movers(&machine, &state);
                        assert!(next.is_empty() || machine.player_name(next[0]) == "X");
                    }
                    ferries += i32::from(fare == "black");
                } else {
                    // X receives the ticket paid, and the place is no longer suspect.
                    let received = format!("tickets[X][{fare}]");
                    assert_eq!(number(&after, &received), number(&before, &received) + 1);
                    assert!(text.ends_with(&format!("to {}", place(name))));
                    if place(name) == place("X") {
                        assert_eq!(after["caught"], "true");
                        assert_eq!(machine.turn(&state), Turn::Terminal);
                        caught += 1;
                    } else {
                        assert!(!members(&after["suspects"]).contains(&place(name)));
                        assert!(members(&after["suspects"]).contains(&place("X")));
                    }
                }
            } else if machine.turn(&state) != Turn::Chance {
                // All are placed: on different start stations.
                let mut places: Vec<String> = DETECTIVES.iter().map(|d| place(d)).collect();
                places.push(place("X"));
                assert!(places.iter().all(|p| STARTS.contains(&p.as_str())));
                places.sort();
                places.dedup();
                assert_eq!(places.len(), 6);
            }
            before = after;
        }
        let payoffs = machine.payoffs(&state).unwrap();
        let x = if before["caught"] == "true" { 0.0 } else { 1.0 };
        assert_eq!(payoffs[0], x);
        assert!(number(&before, "round") <= 24);
    }
    // The rules above were met, and not once only.
    assert!(caught > 100 && doubles > 100 && surfaced > 1000 && ferries > 100);
}
