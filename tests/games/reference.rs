//! The shipped games against counts and values from outside (`tests/games/reference.yaml`) and from the literature.

use crate::support::load;
use ruse::internal::machine::{Engine, Machine};
use ruse::internal::solve::{Perft, PerftOptions, count_states, perft};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    game: String,
    settings: BTreeMap<String, String>,
    skip_forced: bool,
    depth: Option<usize>,
    /// Too many histories for every day.
    #[serde(default)]
    deep: bool,
    histories: u64,
    terminals: u64,
    nodes_by_depth: Vec<u64>,
    terminals_by_depth: Vec<u64>,
    chance_edges: Option<u64>,
    information_states: Option<Vec<u64>>,
    payoffs: Option<BTreeMap<String, u64>>,
    uniform_value: Option<Vec<f64>>,
    uniform_length: Option<f64>,
}

fn entries() -> Vec<Entry> {
    serde_yaml::from_str(include_str!("reference.yaml")).expect("reference.yaml")
}

#[test]
fn games_agree_with_an_independent_framework() {
    let (deep, shallow): (Vec<Entry>, Vec<Entry>) = entries().into_iter().partition(|e| e.deep);
    assert_eq!((shallow.len(), deep.len()), (63, 8));
    agree(shallow);
}

/// Half a minute: `cargo test --test games reference -- --ignored`.
#[test]
#[ignore = "counts 60 million histories"]
fn games_agree_with_an_independent_framework_in_depth() {
    agree(entries().into_iter().filter(|e| e.deep).collect());
}

fn agrees(found: &Perft, e: &Entry, what: &str) {
    assert!(found.complete, "{what}");
    assert_eq!(found.histories, e.histories, "{what}: histories");
    assert_eq!(found.terminals, e.terminals, "{what}: terminals");
    assert_eq!(found.nodes_by_depth, e.nodes_by_depth, "{what}: nodes");
    assert_eq!(
        found.terminals_by_depth, e.terminals_by_depth,
        "{what}: terminals by depth"
    );
    if let Some(edges) = e.chance_edges {
        assert_eq!(found.chance_edges, edges, "{what}: chance edges");
    }
}

/// The last ply may be counted without being played, wherever that is; but nobody knows then what ended with it.
fn in_bulk(machine: &Machine, all: &Perft, what: &str) {
    for depth in 0..all.nodes_by_depth.len() {
        let options = PerftOptions {
            depth: Some(depth),
            bulk: true,
            ..PerftOptions::default()
        };
        let never = AtomicBool::new(false);
        let found = perft(machine, &options, &mut |_| {}, &never).expect(what);
        let known = depth.max(1);
        assert_eq!(found.nodes_by_depth, all.nodes_by_depth[..=depth], "{what}");
        assert_eq!(
            found.terminals_by_depth,
            all.terminals_by_depth[..known],
            "{what}"
        );
    }
}

fn agree(entries: Vec<Entry>) {
    for e in entries {
        let settings: Vec<(&str, &str)> = e
            .settings
            .iter()
            .map(|(k, v)| (k.as_str(), v.as_str()))
            .collect();
        let what = format!("{} {settings:?}", e.game);
        let machine = load(&e.game, &settings);
        let options = PerftOptions {
            depth: e.depth,
            skip_forced: e.skip_forced,
            details: e.information_states.is_some()
                || e.payoffs.is_some()
                || e.uniform_value.is_some()
                || e.uniform_length.is_some(),
            bulk: false,
        };
        let found = perft(&machine, &options, &mut |_| {}, &AtomicBool::new(false)).expect(&what);
        agrees(&found, &e, &what);
        // Histories alone are counted in another way.
        if !e.skip_forced {
            let counted = PerftOptions {
                details: false,
                ..options
            };
            let portable = (e.histories < 100_000).then_some(Engine::Portable);
            for engine in [Engine::Native].into_iter().chain(portable) {
                let machine = Arc::into_inner(load(&e.game, &settings)).expect(&what);
                let machine = machine.with_engine(engine);
                let never = AtomicBool::new(false);
                let found = perft(&machine, &counted, &mut |_| {}, &never).expect(&what);
                agrees(&found, &e, &format!("{what} {engine:?}"));
                in_bulk(&machine, &found, &format!("{what} {engine:?} in bulk"));
            }
        }
        let Some(details) = &found.details else {
            continue;
        };
        if let Some(expected) = &e.information_states {
            let information: Vec<u64> = details.information_states.values().copied().collect();
            assert_eq!(&information, expected, "{what}: information states");
        }
        if let Some(expected) = &e.payoffs {
            let payoffs: BTreeMap<String, u64> = details
                .payoffs
                .iter()
                .map(|(k, v)| (k.clone(), *v))
                .collect();
            assert_eq!(&payoffs, expected, "{what}: payoffs");
        }
        if let Some(expected) = &e.uniform_value {
            let value = details.uniform_value.as_ref().expect("a value");
            for (a, b) in value.iter().zip(expected) {
                assert!((a - b).abs() < 1e-9, "{what}: {value:?} for {expected:?}");
            }
        }
        if let Some(expected) = e.uniform_length {
            let length = details.uniform_length.expect("a length");
            assert!((length - expected).abs() < 1e-6, "{what}: length {length}");
        }
    }
}

/// The states of PD-Goof(N) between rounds are Franel numbers, the sum of C(N, k)³ over k, once the points are left out.
#[test]
fn points_are_no_part_of_a_state() {
    for (cards, franel) in [("1", 2), ("2", 10), ("3", 56), ("4", 346), ("5", 2252)] {
        let settings = [("cards", cards), ("scoring", "point_difference")];
        let machine = load("goofspiel", &settings);
        let states =
            count_states(&machine, false, &mut |_| {}, &AtomicBool::new(false)).expect("states");
        assert_eq!(states.chance + states.terminal, franel, "{cards} cards");
    }
}

/// Every terminal history of rock, paper, scissors: three ties, three wins each.
#[test]
fn rock_paper_scissors_is_fair() {
    let machine = load("rock-paper-scissors", &[]);
    let options = PerftOptions {
        details: true,
        ..PerftOptions::default()
    };
    let found = perft(&machine, &options, &mut |_| {}, &AtomicBool::new(false)).expect("perft");
    let details = found.details.expect("details");
    let payoffs: Vec<(String, u64)> = details.payoffs.into_iter().collect();
    assert_eq!(
        payoffs,
        [("-1,1".into(), 3), ("0,0".into(), 3), ("1,-1".into(), 3)]
    );
}

/// n troops go to k fields in as many ways as k − 1 of n + k − 1 can be chosen.
#[test]
fn troops_are_divided_in_every_way() {
    for (fields, troops, ways) in [("3", "5", 21), ("4", "6", 84), ("1", "9", 1)] {
        let machine = load("blotto", &[("fields", fields), ("troops", troops)]);
        let options = PerftOptions::default();
        let found = perft(&machine, &options, &mut |_| {}, &AtomicBool::new(false)).expect("perft");
        assert_eq!(found.terminals, ways * ways);
    }
}

/// A round of liar's dice is a non-empty set of the n = 2 · dice · sides bids after one of sides^(2 · dice) rolls, and a
/// player is asked at half of the 2^n sets of bids made so far.
#[test]
fn rounds_of_bids_are_sets_of_bids() {
    for (dice, sides) in [(1, 4), (2, 2), (3, 2)] {
        let (d, s) = (dice.to_string(), sides.to_string());
        let machine = load("liars-dice", &[("dice", &d), ("sides", &s)]);
        let options = PerftOptions {
            details: true,
            ..PerftOptions::default()
        };
        let found = perft(&machine, &options, &mut |_| {}, &AtomicBool::new(false)).expect("perft");
        let (dice, sides) = (dice as u32, sides as u64);
        let sets = 1 << (2 * u64::from(dice) * sides);
        assert_eq!(found.terminals, sides.pow(2 * dice) * (sets - 1));
        for states in found.details.expect("details").information_states.values() {
            assert_eq!(*states, sides.pow(dice) * sets / 2);
        }
    }
}
