//! Games written from their rule books, each a page under `games/`, with facts known from elsewhere. What holds for every
//! game, `tests/engine/laws.rs` checks on them too.

use crate::table::{Table, set_up};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::internal::machine::{Actions, Outcomes, State, Turn, View, ViewEntry};
use ruse::internal::model::PlayerSet;
use ruse::internal::solve::{Perft, PerftOptions, perft};
use ruse::internal::syntax::format::format;
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::AtomicBool;

fn text(name: &str) -> String {
    let path = format!(
        "{}/tests/language/games/{name}.game",
        env!("CARGO_MANIFEST_DIR")
    );
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

fn game(name: &str, settings: &[(&str, &str)]) -> Table {
    set_up(&text(name), settings)
}

fn counted(table: &Table, depth: Option<usize>) -> Perft {
    let options = PerftOptions {
        depth,
        details: depth.is_none(),
        ..PerftOptions::default()
    };
    perft(
        &table.machine,
        &options,
        &mut |_| {},
        &AtomicBool::new(false),
    )
    .expect("a count")
}

/// Every state of a game without chance and simultaneous moves, with the moves' results.
fn each_state(table: &Table, visit: &mut dyn FnMut(&State, usize)) {
    let mut open = vec![table.state.clone()];
    let mut seen = std::collections::HashSet::new();
    while let Some(state) = open.pop() {
        let Turn::Decision(mask) = table.machine.turn(&state) else {
            continue;
        };
        if !seen.insert(table.machine.exact_key(&state)) {
            continue;
        }
        let player = mask.lowest().unwrap();
        visit(&state, player);
        let mut actions = Actions::default();
        table.machine.legal(&state, player, &mut actions).unwrap();
        for action in actions.iter() {
            let mut next = state.clone();
            let joint = std::slice::from_ref(action);
            table.machine.step(&mut next, joint).unwrap();
            open.push(next);
        }
    }
}

/// What the player to move wins with best play; 1 or −1 here.
fn solved(table: &Table, state: &State, memo: &mut HashMap<Vec<u64>, f64>) -> f64 {
    let key = table.machine.exact_key(state).to_vec();
    if let Some(known) = memo.get(&key) {
        return *known;
    }
    let value = match table.machine.turn(state) {
        Turn::Decision(mask) => {
            let player = mask.lowest().unwrap();
            let mut actions = Actions::default();
            table.machine.legal(state, player, &mut actions).unwrap();
            let mut best = f64::NEG_INFINITY;
            for action in actions.iter() {
                let mut next = state.clone();
                let joint = std::slice::from_ref(action);
                table.machine.step(&mut next, joint).unwrap();
                let value = match table.machine.turn(&next) {
                    Turn::Terminal => table.machine.payoffs(&next).unwrap()[player],
                    _ => -solved(table, &next, memo),
                };
                best = best.max(value);
            }
            best
        }
        _ => panic!("somebody moves"),
    };
    memo.insert(key, value);
    value
}

fn number(table: &Table, state: &State, name: &str) -> u64 {
    let view = table.machine.whole_view(state);
    let entry = view.entries.iter().find(|e| e.name == name);
    entry
        .unwrap_or_else(|| panic!("{name}"))
        .value
        .parse()
        .unwrap()
}

#[test]
fn every_game_is_set_the_usual_way() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/language/games");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
        let set = format(&text).expect("a game");
        assert_eq!(set, text);
        assert_eq!(format(&set).expect("a game"), set);
        count += 1;
    }
    assert!(count >= 5, "{count}");
}

/// Bouton: the first to move wins unless the binary sum of the heaps is 0; in the misère game too, except when no heap
/// has more than one object.
#[test]
fn nim_is_won_as_bouton_says() {
    for last in ["wins", "loses"] {
        let table = game("nim", &[("last", last)]);
        let mut memo = HashMap::new();
        let mut states = 0;
        each_state(&table, &mut |state, _| {
            let heaps: Vec<u64> = (1..=3)
                .map(|h| number(&table, state, &format!("left[{h}]")))
                .collect();
            let sum = heaps.iter().fold(0, |a, b| a ^ b);
            let wins = match last == "loses" && heaps.iter().all(|h| *h <= 1) {
                true => sum == 0,
                false => sum != 0,
            };
            let expected = if wins { 1.0 } else { -1.0 };
            assert_eq!(solved(&table, state, &mut memo), expected, "{heaps:?}");
            states += 1;
        });
        assert!(states > 200);
    }
}

/// A turn at pig that holds at 20 ends with nothing with probability 0.6245, and with 20 to 25 with 0.0997, 0.0950,
/// 0.0742, 0.0542, 0.0352 and 0.0172; 8.14 points on average (Neller & Presser 2004).
#[test]
fn pig_held_at_twenty() {
    let table = game("pig", &[]);
    let m = &table.machine;
    let mut ends: BTreeMap<u64, f64> = BTreeMap::new();
    let mut open = vec![(table.state.clone(), 1.0)];
    while let Some((mut state, probability)) = open.pop() {
        match m.turn(&state) {
            Turn::Decision(movers) if movers == PlayerSet::only(0) => {
                let move_ = if number(&table, &state, "turn") >= 20 {
                    "hold"
                } else {
                    "roll"
                };
                let action = m.find_action(&state, 0, move_).unwrap();
                m.step(&mut state, &[action]).unwrap();
                open.push((state, probability));
            }
            Turn::Decision(_) => {
                *ends
                    .entry(number(&table, &state, "score[Ann]"))
                    .or_default() += probability;
            }
            Turn::Chance => {
                let mut outcomes = Outcomes::default();
                m.outcomes(&state, &mut outcomes).unwrap();
                for (i, (action, _)) in outcomes.list.iter().enumerate() {
                    let mut next = state.clone();
                    m.step(&mut next, std::slice::from_ref(action)).unwrap();
                    open.push((next, probability * outcomes.probability(i)));
                }
            }
            Turn::Terminal => panic!("too early"),
        }
    }
    let expected = [
        (0, 0.6245),
        (20, 0.0997),
        (21, 0.0950),
        (22, 0.0742),
        (23, 0.0542),
        (24, 0.0352),
        (25, 0.0172),
    ];
    assert_eq!(ends.len(), expected.len());
    for (score, p) in expected {
        assert!((ends[&score] - p).abs() < 6e-5, "{score}: {}", ends[&score]);
    }
    let mean: f64 = ends.iter().map(|(score, p)| *score as f64 * p).sum();
    assert!((mean - 8.14).abs() < 5e-3, "{mean}");
}

/// On two by two every first move leads into a wall, into the other, or to a board of walls.
#[test]
fn tron_on_four_cells() {
    let found = counted(&game("tron", &[("columns", "2"), ("rows", "2")]), None);
    let payoffs = found.details.unwrap().payoffs;
    // Alone into a wall: 4 of 16 each. Both into one: 4, into one cell: 2. The other 2 go on to a second move of 16.
    assert_eq!(payoffs["1,-1"], 4);
    assert_eq!(payoffs["-1,1"], 4);
    assert_eq!(payoffs["0,0"], 4 + 2 + 2 * 16);
}

/// Three-player Kuhn poker: 24 deals, 13 ways to bet, and 4 · 4 information states each (Abou Risk & Szafron 2010).
/// Counted by a program of thirty lines that follows the same rules.
#[test]
fn rings_have_the_counted_moves() {
    let rings = game("rings", &[]);
    let plies: Vec<u64> = (1..=3)
        .map(|depth| counted(&rings, Some(depth)).nodes_by_depth[depth])
        .collect();
    assert_eq!(plies, [37, 1_232, 42_684]);
    // A draw is from as many as there can be at most, not from all places: two of a cell, each with three ahead, twice.
    let program = rings.machine.program().to_string();
    for drawn in ["any of 2 in", "any of 12 in"] {
        assert!(program.contains(drawn), "{drawn}\n{program}");
    }
}

#[test]
fn kuhn_for_three_has_the_known_counts() {
    let found = counted(&game("kuhn-three", &[]), None);
    assert_eq!(found.terminals, 24 * 13);
    let states = found.details.unwrap().information_states;
    assert_eq!(states.values().collect::<Vec<_>>(), [&16, &16, &16]);
}

/// All sixteen cards are somewhere whenever a card is to be played.
#[test]
fn love_letter_keeps_its_cards() {
    let table = game("love-letter", &[]);
    let m = &table.machine;
    let copies = [
        ("guard", 5),
        ("priest", 2),
        ("baron", 2),
        ("handmaid", 2),
        ("prince", 2),
        ("king", 1),
        ("countess", 1),
        ("princess", 1),
    ];
    let mut moves = 0;
    for seed in 0..200 {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut state = table.state.clone();
        while m.turn(&state) != Turn::Terminal {
            let action = match m.turn(&state) {
                Turn::Decision(mask) => {
                    let me = mask.lowest().unwrap();
                    let action = m.sample(&state, me, &mut rng).unwrap();
                    let text = m.action_text(&state, me, &action, None);
                    if copies.iter().any(|(rank, _)| *rank == text) {
                        moves += 1;
                        let view = m.whole_view(&state);
                        for (rank, n) in copies {
                            assert_eq!(copies_of(&view, rank, me), n, "{rank}: {view:?}");
                        }
                    }
                    action
                }
                _ => m.sample_chance(&state, &mut rng).unwrap(),
            };
            m.step(&mut state, std::slice::from_ref(&action)).unwrap();
        }
    }
    assert!(moves > 500, "{moves}");
}

/// The copies of a rank that are held or lie somewhere when player `me` has drawn a second card.
fn copies_of(view: &View, rank: &str, me: usize) -> u64 {
    let hidden = [
        "hand[Ann]",
        "hand[Ben]",
        "aside",
        ["extra[Ann]", "extra[Ben]"][me],
    ];
    let counts = ["deck", "open", "played[Ann]", "played[Ben]"].map(|of| format!("{of}[{rank}]"));
    let of = |e: &ViewEntry| match &e.value {
        value if hidden.contains(&e.name.as_str()) => u64::from(value == rank),
        value if counts.contains(&e.name) => value.parse().unwrap(),
        _ => 0,
    };
    view.entries.iter().map(of).sum()
}
