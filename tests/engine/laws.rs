//! Laws that hold for every game whatever its rules, checked on all shipped games.

use crate::support::{load, movers, random_step, shipped, variants};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::internal::machine::{
    Actions, Event, Histories, InformationKeys, Machine, Outcomes, State, Turn, View,
};
use ruse::internal::model::{Claim, PlayerSet};
use std::cell::Cell;
use std::collections::HashMap;
use std::path::PathBuf;

const GAMES: u64 = 200;

/// A node of a game under way.
struct At<'a> {
    state: &'a State,
    /// Every player's exact history.
    ids: &'a [u32],
    keys: &'a InformationKeys,
    histories: &'a Histories,
}

/// Calls `visit` at every node of some random games.
fn play(machine: &Machine, games: u64, visit: &mut dyn FnMut(&At<'_>)) {
    let mut histories = Histories::default();
    for game in 0..games {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(game);
        let mut ids = vec![0u32; machine.player_count()];
        let mut keys = InformationKeys::new(machine.player_count());
        let mut see = |event: Event<'_>, ids: &mut [u32], keys: &mut InformationKeys| {
            keys.see(&event);
            for (p, id) in ids.iter_mut().enumerate() {
                if event.viewers.contains(p) {
                    *id = histories.extend(*id, &event);
                }
            }
        };
        let mut state = machine
            .initial_observed(&mut |e| see(e, &mut ids, &mut keys))
            .expect("a first node");
        let mut nodes = vec![(state.clone(), ids.clone(), keys.clone())];
        while let Some(actions) = random_step(machine, &state, &mut rng) {
            machine
                .step_observed(&mut state, &actions, &mut |e| see(e, &mut ids, &mut keys))
                .expect("a step");
            nodes.push((state.clone(), ids.clone(), keys.clone()));
        }
        for (state, ids, keys) in &nodes {
            visit(&At {
                state,
                ids,
                keys,
                histories: &histories,
            });
        }
    }
}

/// Games that are written to test the language, under settings that keep them small.
const TEST_GAMES: [(&str, &[(&str, &str)]); 8] = [
    ("kuhn-three", &[]),
    ("love-letter", &[]),
    ("nim", &[("last", "loses")]),
    ("pig", &[("seats", "3"), ("goal", "10")]),
    ("rings", &[]),
    ("embers", &[]),
    ("supply", &[]),
    ("tron", &[]),
];

fn test_games() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/language/games")
}

fn each_variant(check: impl Fn(&str, &Machine)) {
    for (game, settings) in variants() {
        check(&format!("{game} {settings:?}"), &load(game, &settings));
    }
    for (game, settings) in TEST_GAMES {
        let path = test_games().join(format!("{game}.game"));
        let text = std::fs::read_to_string(&path).expect(game);
        let settings = settings
            .iter()
            .map(|(k, v)| (k.to_string(), v.to_string()))
            .collect();
        let (machine, _) = ruse::load(&text, &settings).expect(game);
        check(&format!("{game} {settings:?}"), &machine);
    }
}

#[test]
fn every_test_game_is_under_these_laws() {
    for entry in std::fs::read_dir(test_games()).expect("tests/language/games") {
        let name = entry.expect("an entry").file_name();
        let name = name.to_string_lossy();
        assert!(
            TEST_GAMES
                .iter()
                .any(|(game, _)| name.strip_suffix(".game") == Some(game)),
            "{name} is not in TEST_GAMES"
        );
    }
}

#[test]
fn every_shipped_game_is_under_these_laws() {
    for name in shipped() {
        assert!(
            variants().iter().any(|(game, _)| *game == name),
            "games/{name}.game has no variant in tests/support"
        );
    }
}

/// Whatever is listed can be played, and what is sampled is listed.
#[test]
fn what_is_legal_can_be_played() {
    each_variant(|what, machine| {
        let mut actions = Actions::default();
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(99);
        play(machine, 20, &mut |at| {
            let state = at.state;
            let players = movers(machine, state);
            let mut joint: Vec<_> = players
                .iter()
                .map(|&p| machine.sample(state, p, &mut rng).expect("an option"))
                .collect();
            for (i, &p) in players.iter().enumerate() {
                machine.legal(state, p, &mut actions).expect("options");
                assert!(!actions.is_empty(), "{what}");
                for action in actions.iter() {
                    assert!(
                        machine.is_legal(state, p, action).expect("options"),
                        "{what}"
                    );
                    let kept = std::mem::replace(&mut joint[i], action.clone());
                    let mut next = state.clone();
                    machine.step(&mut next, &joint).expect(what);
                    joint[i] = kept;
                }
                assert!(
                    actions.contains(&joint[i]),
                    "{what}: sampled and not listed"
                );
                let mut texts: Vec<String> = actions
                    .iter()
                    .map(|a| machine.action_text(state, p, a, None))
                    .collect();
                texts.sort();
                texts.dedup();
                assert_eq!(
                    texts.len(),
                    actions.len(),
                    "{what}: two moves print the same"
                );
            }
        });
    });
}

/// Sampled moves are uniform over the listed ones, and draws follow their weights: at the first plies of a game and at every
/// eighth after them. Draws with too many outcomes to list are left out.
#[test]
fn sampling_follows_the_listing() {
    const N: u32 = 4000;
    const MOST: usize = 20_000;
    const FIRST: u32 = 12;
    let (compared, left_out) = (Cell::new(0), Cell::new(0));
    each_variant(|what, machine| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
        let mut actions = Actions::default();
        let mut outcomes = Outcomes::default();
        let mut ply = 0;
        play(machine, 1, &mut |at| {
            ply += 1;
            if ply > FIRST && ply % 8 != 0 {
                return;
            }
            let state = at.state;
            let check = |expected: Vec<f64>, mut draw: Box<dyn FnMut() -> usize + '_>| {
                let mut counts = vec![0u32; expected.len()];
                for _ in 0..N {
                    counts[draw()] += 1;
                }
                let chi: f64 = counts
                    .iter()
                    .zip(&expected)
                    .map(|(&c, &p)| (f64::from(c) - p * f64::from(N)).powi(2) / (p * f64::from(N)))
                    .sum();
                let degrees = expected.len() as f64 - 1.0;
                // Wilson and Hilferty's approximation of the 1 − 10⁻⁶ point of chi-square.
                let limit = degrees
                    * (1.0 - 2.0 / (9.0 * degrees.max(1.0))
                        + 4.75 * (2.0 / (9.0 * degrees.max(1.0))).sqrt())
                    .powi(3);
                assert!(chi <= limit.max(0.0) + 1e-9, "{what}: {counts:?}");
            };
            match machine.turn(state) {
                Turn::Chance => {
                    let few = machine.few_outcomes(state, MOST, &mut outcomes);
                    if !few.expect("outcomes") {
                        left_out.set(left_out.get() + 1);
                        return;
                    }
                    compared.set(compared.get() + 1);
                    let sum: f64 = (0..outcomes.list.len())
                        .map(|i| outcomes.probability(i))
                        .sum();
                    assert!((sum - 1.0).abs() < 1e-12, "{what}");
                    let expected = (0..outcomes.list.len())
                        .map(|i| outcomes.probability(i))
                        .collect();
                    check(
                        expected,
                        Box::new(|| {
                            let drawn = machine.sample_chance(state, &mut rng).expect("a draw");
                            outcomes
                                .list
                                .iter()
                                .position(|(a, _)| *a == drawn)
                                .expect("listed")
                        }),
                    );
                }
                Turn::Decision(_) => {
                    for p in movers(machine, state) {
                        machine.legal(state, p, &mut actions).expect("options");
                        let n = actions.len();
                        check(
                            vec![1.0 / n as f64; n],
                            Box::new(|| {
                                let a = machine.sample(state, p, &mut rng).expect("an option");
                                actions.iter().position(|b| *b == a).expect("listed")
                            }),
                        );
                    }
                }
                Turn::Terminal => {}
            }
        });
    });
    let (compared, left_out) = (compared.get(), left_out.get());
    println!("{compared} draws compared, {left_out} left out");
    assert!(compared >= 100 && left_out <= 10);
}

/// Payoffs keep their declared sum and stay within the bounds known at load time.
#[test]
fn payoffs_keep_their_word() {
    each_variant(|what, machine| {
        let features = machine.features();
        play(machine, GAMES, &mut |at| {
            let state = at.state;
            if machine.turn(state) != Turn::Terminal {
                return;
            }
            let payoffs = machine.payoffs(state).expect(what);
            if let Claim::ConstantSum { n, den } = features.claim {
                // A team counts once; its members have the same.
                let sides = &machine.description().payoff.sides;
                let first = |side: &PlayerSet| payoffs[side.lowest().unwrap()];
                let sum: f64 = sides.iter().map(first).sum();
                for side in sides {
                    let members = side.iter();
                    members.for_each(|p| assert_eq!(payoffs[p], first(side), "{what}"));
                }
                assert!((sum - n as f64 / den as f64).abs() < 1e-9, "{what}");
            }
            for (x, (lo, hi)) in payoffs.iter().zip(&features.payoff_bounds) {
                assert!(lo <= x && x <= hi, "{what}: {x} outside {lo}..{hi}");
            }
        });
    });
}

/// A player who knows the same sees the same and may do the same; the running key and the exact history agree.
#[test]
fn equal_histories_give_equal_views_and_options() {
    each_variant(equal_histories_see_the_same);
}

/// The same of the small games that the visibility check must let pass.
#[test]
fn games_that_do_not_leak_show_the_same_to_equal_histories() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/leaks/right");
    let mut games = 0;
    for entry in std::fs::read_dir(folder).expect("tests/leaks/right") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("text");
        let (machine, _) = ruse::load(&text, &Default::default()).expect("a sound game");
        equal_histories_see_the_same(&path.display().to_string(), &machine);
        games += 1;
    }
    assert!(games >= 25);
}

fn equal_histories_see_the_same(what: &str, machine: &Machine) {
    let mut views: HashMap<(usize, u32, u32), View> = HashMap::new();
    let mut options: HashMap<(usize, u32, u32), (Actions, Vec<String>)> = HashMap::new();
    let mut hashes: HashMap<(usize, u32), u64> = HashMap::new();
    let mut exact: HashMap<(usize, u64), u32> = HashMap::new();
    play(machine, GAMES, &mut |at| {
        let At {
            state,
            ids,
            keys,
            histories,
        } = *at;
        for (p, &id) in ids.iter().enumerate() {
            let hash = *hashes.entry((p, id)).or_insert(keys.0[p]);
            assert_eq!(hash, keys.0[p], "{what}: one history, two keys");
            let known = *exact.entry((p, keys.0[p])).or_insert(id);
            assert_eq!(known, id, "{what}: two histories, one key");
            // While others are asked, or chance, nobody is told anything.
            let told = match machine.turn(state) {
                Turn::Chance => false,
                Turn::Decision(movers) => movers.contains(p),
                Turn::Terminal => true,
            };
            if told {
                let view = machine.view(state, p);
                let place = (p, id, machine.node(state));
                let before = views.entry(place).or_insert_with(|| view.clone());
                assert_eq!(
                    *before,
                    view,
                    "{what}: {} saw {:?} and sees another board",
                    machine.player_name(p),
                    histories.observations(id)
                );
            }
        }
        for p in movers(machine, state) {
            let mut actions = Actions::default();
            machine.legal(state, p, &mut actions).expect("options");
            let texts: Vec<String> = actions
                .iter()
                .map(|a| machine.action_text(state, p, a, Some(p)))
                .collect();
            let found = (actions, texts);
            let before = options
                .entry((p, ids[p], machine.node(state)))
                .or_insert_with(|| found.clone());
            assert_eq!(*before, found, "{what}");
        }
    });
}

/// The same moves lead to the same end; equal world keys mean equal options, and equal exact keys equal hashes.
#[test]
fn a_replay_ends_the_same() {
    each_variant(|what, machine| {
        for seed in 0..50 {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut state = machine.initial().expect("a first node");
            let mut moves = Vec::new();
            let mut keys = vec![machine.exact_key(&state)];
            while let Some(actions) = random_step(machine, &state, &mut rng) {
                machine.step(&mut state, &actions).expect("a step");
                keys.push(machine.exact_key(&state));
                moves.push(actions);
            }
            let mut again = machine.initial().expect("a first node");
            for (i, actions) in moves.iter().enumerate() {
                assert_eq!(machine.exact_key(&again), keys[i], "{what}");
                machine.step(&mut again, actions).expect("a step");
            }
            assert_eq!(again, state, "{what}");
            assert_eq!(machine.key(&again), machine.key(&state), "{what}");
            assert_eq!(
                machine.payoffs(&again).expect(what),
                machine.payoffs(&state).expect(what)
            );
        }
    });
}

/// Two states with the same reduced key pay the same from there on, whatever accumulators hold.
#[test]
fn accumulators_are_rewards_and_nothing_else() {
    each_variant(|what, machine| {
        let mut options: HashMap<_, (Turn, Vec<Actions>)> = HashMap::new();
        let mut rests: HashMap<_, Vec<i64>> = HashMap::new();
        play(machine, GAMES, &mut |at| {
            let state = at.state;
            let key = machine.reduced_key(state);
            let lists = movers(machine, state)
                .into_iter()
                .map(|p| {
                    let mut actions = Actions::default();
                    machine.legal(state, p, &mut actions).expect("options");
                    actions
                })
                .collect();
            let found = (machine.turn(state), lists);
            let before = options.entry(key.clone()).or_insert_with(|| found.clone());
            assert_eq!(*before, found, "{what}");
            if machine.turn(state) == Turn::Terminal {
                let rest: Vec<i64> = machine
                    .payoff_units(state)
                    .expect(what)
                    .iter()
                    .zip(machine.accumulated(state))
                    .map(|(all, earned)| all - earned)
                    .collect();
                let before = rests.entry(key).or_insert_with(|| rest.clone());
                assert_eq!(*before, rest, "{what}");
            }
        });
    });
}
