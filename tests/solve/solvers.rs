//! Solvers over information states against values from the literature, from an independent framework, and from walks over
//! the tree that share no code with them.

use crate::support::load;
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use ruse::internal::machine::Machine;
use ruse::internal::solve::backward::{self, BackwardOptions, Completion, Saved, Watch};
use ruse::internal::solve::linear_program::linear_program;
use ruse::internal::solve::regret::{
    Cfr, CfrPlus, ExternalSampling, OutcomeSampling, RegretMinimizer,
};
use ruse::internal::solve::tree::{NodeKind, build, retrace};
use ruse::internal::solve::zero_sum::{constant_sum, suited};
use ruse::internal::solve::{
    Profile, Sequences, Tree, TreeError, TreeOptions, best_response, exploitability,
};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

type Settings = &'static [(&'static str, &'static str)];

fn grow(machine: &Machine, options: &TreeOptions) -> Result<Tree, TreeError> {
    build(machine, options, &mut |_| {}, &AtomicBool::new(false))
}

/// Where a last card is played by itself in the references, nobody decides.
fn tree(machine: &Machine) -> Tree {
    let options = TreeOptions {
        skip_forced: machine.description().name.starts_with("Goofspiel"),
        ..TreeOptions::default()
    };
    grow(machine, &options).expect("a tree")
}

fn close(found: f64, expected: f64, within: f64, what: &str) {
    assert!(
        (found - expected).abs() <= within,
        "{what}: {found} for {expected}"
    );
}

/// What is known of a game from outside.
struct Known {
    game: &'static str,
    settings: Settings,
    /// Of each player.
    information_states: &'static [usize],
    /// What best responses to uniform play earn.
    best_responses: &'static [f64],
    uniform_nash_conv: f64,
    /// For the first player; only where there are two with opposed payoffs.
    value: Option<f64>,
}

const fn known(
    game: &'static str,
    settings: Settings,
    information_states: &'static [usize],
    best_responses: &'static [f64],
    uniform_nash_conv: f64,
    value: Option<f64>,
) -> Known {
    Known {
        game,
        settings,
        information_states,
        best_responses,
        uniform_nash_conv,
        value,
    }
}

/// A win that is worth 1 and a loss that is worth 0 stand for 1 and -1 there.
const fn share(x: f64) -> f64 {
    (x + 1.0) / 2.0
}

const POINTS: (&str, &str) = ("scoring", "point_difference");
const FALLING: (&str, &str) = ("order", "descending");

#[rustfmt::skip]
const BOAT: Settings = &[
    ("columns", "2"), ("rows", "2"), ("ships", "1"), ("length[destroyer]", "1"), ("shots", "2"), ("scoring", "each_ship"),
];
#[rustfmt::skip]
const BOAT_AGAIN: Settings = &[
    ("columns", "2"), ("rows", "2"), ("ships", "1"), ("length[destroyer]", "1"), ("shots", "2"), ("scoring", "each_ship"),
    ("again", "allowed"),
];

#[rustfmt::skip]
const KNOWN: &[Known] = &[
    known("kuhn-poker", &[], &[6, 6], &[0.5, 0.416666666667], 0.916666666667, Some(-1.0 / 18.0)),
    known("kuhn-poker", &[("seats", "3")], &[16; 3], &[0.78125, 0.645833333333, 0.635416666667], 2.0625, None),
    known("leduc-poker", &[], &[468, 468], &[2.0875, 2.659722222222], 4.747222222222, Some(-0.085606424078)),
    known("leduc-poker", &[("suits", "merged")], &[144, 144], &[2.0875, 2.659722222222], 4.747222222222,
        Some(-0.085606424078)),
    known("liars-dice", &[("sides", "2")], &[16, 16], &[0.75, 0.375], 1.125, Some(0.5)),
    known("liars-dice", &[("sides", "3")], &[96, 96], &[0.592592592593, 0.518518518519], 1.111111111111, Some(1.0 / 9.0)),
    known("liars-dice", &[("sides", "4")], &[512, 512], &[0.683705357143, 0.626413690476], 1.310119047619, Some(0.0625)),
    known("liars-dice", &[("sides", "5")], &[2560, 2560], &[0.741699470899, 0.700042328042], 1.441741798942, Some(0.008)),
    known("goofspiel", &[("cards", "3")], &[57, 57], &[share(2.0 / 3.0); 2], 2.0 / 3.0, Some(0.5)),
    known("goofspiel", &[("cards", "3"), POINTS], &[57, 57], &[2.0 / 3.0; 2], 4.0 / 3.0, Some(0.0)),
    known("goofspiel", &[("cards", "4")], &[3652, 3652], &[share(0.746527777778); 2], 0.746527777778, Some(0.5)),
    known("goofspiel", &[("cards", "4"), POINTS], &[3652, 3652], &[1.25; 2], 2.5, Some(0.0)),
    known("goofspiel", &[("cards", "4"), FALLING], &[161, 161], &[share(0.75); 2], 0.75, Some(0.5)),
    known("goofspiel", &[("cards", "3"), ("seats", "3"), POINTS], &[165; 3], &[0.518518518519; 3], 1.555555555556, None),
    known("goofspiel-hidden", &[("cards", "4")], &[1804, 1804], &[share(0.708333333333); 2], 0.708333333333, Some(0.5)),
    known("goofspiel-hidden", &[("cards", "4"), POINTS], &[1804, 1804], &[1.25; 2], 2.5, Some(0.0)),
    known("goofspiel-hidden", &[("cards", "4"), FALLING], &[81, 81], &[share(0.708333333333); 2], 0.708333333333, Some(0.5)),
    known("hex", &[("size", "2")], &[13, 16], &[1.0, 0.5], 1.5, Some(1.0)),
    known("dark-hex", &[("columns", "2")], &[17, 53], &[1.0, 0.25], 1.25, Some(1.0)),
    known("dark-hex", &[("columns", "2"), ("version", "abrupt")], &[59, 35], &[0.833333333333, 0.0], 0.833333333333, Some(0.5)),
    known("battleship", BOAT, &[53, 109], &[0.125, -0.125], 0.0, None),
    known("battleship", BOAT_AGAIN, &[53, 157], &[0.15625, -0.0625], 0.09375, None),
    known("blotto", &[], &[1, 1], &[0.285714285714; 2], 0.571428571429, Some(0.0)),
    known("blotto", &[("troops", "10")], &[1, 1], &[0.318181818182; 2], 0.636363636364, Some(0.0)),
    known("oshi-zumo", &[("coins", "3"), ("size", "1"), ("horizon", "6")], &[2300, 2300], &[0.635076075425; 2],
        1.270152150849, Some(0.0)),
    known("matching-pennies", &[], &[1, 1], &[0.0, 0.0], 0.0, Some(0.0)),
    known("matching-pennies", &[("seats", "3")], &[1; 3], &[0.0; 3], 0.0, None),
];

#[test]
fn trees_and_best_responses_agree_with_an_independent_framework() {
    for k in KNOWN {
        let what = format!("{} {:?}", k.game, k.settings);
        let machine = load(k.game, k.settings);
        let tree = tree(&machine);
        let states: Vec<usize> = (0..tree.players())
            .map(|p| tree.states_of(p).len())
            .collect();
        assert_eq!(states, k.information_states, "{what}");
        let sequences = Sequences::new(&tree);
        let found = exploitability(&sequences, &Profile::uniform(&tree));
        close(found.nash_conv, k.uniform_nash_conv, 1e-9, &what);
        for (found, expected) in std::iter::zip(&found.best_responses, k.best_responses) {
            close(*found, *expected, 1e-9, &what);
        }
    }
}

/// Tic-tac-toe is the largest tree of the everyday tests: 549,946 nodes.
#[test]
fn a_game_of_perfect_information_has_a_tree_too() {
    let machine = load("tic-tac-toe", &[]);
    let tree = grow(&machine, &TreeOptions::default()).expect("a tree");
    assert_eq!((tree.nodes().len(), tree.terminals()), (549_946, 255_168));
    let sequences = Sequences::new(&tree);
    let found = exploitability(&sequences, &Profile::uniform(&tree));
    close(found.nash_conv, 1.91965939153, 1e-9, "uniform");
    close(found.values[0], 0.2968253968, 1e-9, "uniform");
}

#[test]
fn best_responses_to_the_first_choice_agree() {
    let cases: [(&str, Settings, [f64; 2]); 4] = [
        ("leduc-poker", &[], [1.0, 1.0]),
        ("liars-dice", &[("sides", "3")], [0.7777777778; 2]),
        ("liars-dice", &[("sides", "5")], [0.92; 2]),
        ("goofspiel-hidden", &[("cards", "4"), POINTS], [2.625; 2]),
    ];
    for (game, settings, expected) in cases {
        let tree = tree(&load(game, settings));
        let mut weights = vec![0.0; tree.choice_count()];
        for state in tree.information_states() {
            weights[state.range().start] = 1.0;
        }
        let profile = Profile::from_weights(&tree, &weights);
        let found = exploitability(&Sequences::new(&tree), &profile).best_responses;
        for (found, expected) in found.iter().zip(expected) {
            close(*found, expected, 1e-9, game);
        }
    }
}

#[test]
fn linear_programs_find_the_known_values() {
    for k in KNOWN {
        let Some(value) = k.value else { continue };
        let what = format!("{} {:?}", k.game, k.settings);
        let machine = load(k.game, k.settings);
        suited(&machine, "lp").expect("a game for it");
        solves(&machine, value, &what);
    }
}

/// Backward induction goes over states and knows nothing of information states or linear programs.
#[test]
fn linear_programs_agree_with_backward_induction() {
    let cases: [(&str, Settings); 5] = [
        (
            "connect-four",
            &[("columns", "3"), ("rows", "3"), ("connect", "3")],
        ),
        ("hex", &[("size", "2")]),
        ("goofspiel", &[("cards", "4"), FALLING, POINTS]),
        (
            "oshi-zumo",
            &[("coins", "3"), ("size", "1"), ("horizon", "4")],
        ),
        ("rock-paper-scissors", &[]),
    ];
    for (game, settings) in cases {
        let machine = load(game, settings);
        let value = by_backward_induction(&machine);
        solves(&machine, value, game);
    }
}

fn by_backward_induction(machine: &Arc<Machine>) -> f64 {
    struct Unwatched;
    impl Watch for Unwatched {}
    let options = BackwardOptions::default();
    let never = AtomicBool::new(false);
    let found = backward::solve(machine, &options, Saved::default(), &mut Unwatched, &never);
    match found.expect("a game for it") {
        Completion::Solved(solved) => {
            let start = machine.initial().expect("a start");
            solved.values(&start).expect("a value")[0]
        }
        Completion::Stopped { .. } => panic!("nobody stopped it"),
    }
}

/// Half a minute: `cargo test --test solve solvers -- --ignored`.
#[test]
#[ignore = "a linear program with 24,000 sequences a player"]
fn a_linear_program_solves_the_largest_dice_game() {
    solves(
        &load("liars-dice", &[("sides", "6")]),
        -7.0 / 258.0,
        "liars-dice",
    );
}

fn solves(machine: &Machine, value: f64, what: &str) {
    let tree = tree(machine);
    let sequences = Sequences::new(&tree);
    let never = Arc::new(AtomicBool::new(false));
    let sum = constant_sum(machine);
    let found = linear_program(&tree, &sequences, sum, &never).expect(what);
    close(found.value, value, 1e-8, what);
    let (least, most) = found.bounds;
    assert!(least <= most + 1e-12, "{what}: {found:?}");
    close(least, value, 1e-8, what);
    close(most, value, 1e-8, what);
    close(found.exploitability.nash_conv, most - least, 1e-12, what);
}

/// Runs a method for some iterations and gives NashConv of its average strategies.
fn reached(sequences: &Sequences, method: &mut dyn RegretMinimizer, iterations: u64) -> f64 {
    for _ in 0..iterations {
        method.iterate();
    }
    assert_eq!(method.iterations(), iterations);
    exploitability(sequences, &method.average()).nash_conv
}

#[test]
fn regret_minimization_comes_close_to_equilibria() {
    let cases: [(&str, Settings, u64, f64, f64); 4] = [
        ("kuhn-poker", &[], 10_000, 6e-3, 2e-4),
        ("leduc-poker", &[("suits", "merged")], 1000, 0.08, 2e-3),
        ("liars-dice", &[("sides", "3")], 1000, 0.03, 1e-3),
        ("goofspiel-hidden", &[("cards", "4")], 200, 0.08, 0.02),
    ];
    for (game, settings, iterations, vanilla, plus) in cases {
        let tree = tree(&load(game, settings));
        let sequences = Sequences::new(&tree);
        let found = reached(&sequences, &mut Cfr::new(&tree, &sequences), iterations);
        assert!(found < vanilla, "cfr on {game}: {found}");
        let found = reached(&sequences, &mut CfrPlus::new(&tree, &sequences), iterations);
        assert!(found < plus, "cfr+ on {game}: {found}");
    }
}

/// Theorem 4 of Zinkevich et al. (2007) for each player, and theorem 2 for both together.
#[test]
fn cfr_keeps_its_promise() {
    let tree = tree(&load("kuhn-poker", &[]));
    let sequences = Sequences::new(&tree);
    let mut cfr = Cfr::new(&tree, &sequences);
    for iterations in [1u64, 10, 100, 1000] {
        while cfr.iterations() < iterations {
            cfr.iterate();
        }
        // Payoffs within 2 of 0, six information states a player, two choices each.
        let bound = 2.0 * (4.0 * 6.0 * 2f64.sqrt()) / (iterations as f64).sqrt();
        let found = exploitability(&sequences, &cfr.average()).nash_conv;
        assert!(found <= bound, "{iterations}: {found} above {bound}");
    }
}

#[test]
fn sampling_comes_close_to_equilibria() {
    let tree = tree(&load("kuhn-poker", &[]));
    let sequences = Sequences::new(&tree);
    let found = reached(&sequences, &mut ExternalSampling::new(&tree, 1), 100_000);
    assert!(found < 0.02, "external sampling: {found}");
    let mut outcome = OutcomeSampling::new(&tree, OutcomeSampling::EXPLORATION, 1);
    let found = reached(&sequences, &mut outcome, 400_000);
    assert!(found < 0.02, "outcome sampling: {found}");
}

/// Schmid and others 2019: what is known of choices makes estimates vary less.
#[test]
fn baselines_make_sampling_come_closer() {
    let tree = tree(&load("leduc-poker", &[("suits", "merged")]));
    let sequences = Sequences::new(&tree);
    let of = |seed, baselines| {
        let mut outcome = OutcomeSampling::new(&tree, 0.6, seed);
        if baselines {
            outcome = outcome.with_baselines();
        }
        reached(&sequences, &mut outcome, 30_000)
    };
    for seed in [1, 2] {
        let (with, without) = (of(seed, true), of(seed, false));
        assert!(with < 0.6 * without, "{with} with them, {without} without");
    }
}

#[test]
fn sampling_is_the_same_for_the_same_seed() {
    let tree = tree(&load("leduc-poker", &[("suits", "merged")]));
    let run = |seed| {
        let mut external = ExternalSampling::new(&tree, seed);
        let mut outcome = OutcomeSampling::new(&tree, 0.5, seed);
        for _ in 0..500 {
            external.iterate();
            outcome.iterate();
        }
        (external.average(), outcome.average())
    };
    assert_eq!(run(7), run(7));
    let (one, other) = (run(7), run(8));
    assert!(one.0 != other.0 && one.1 != other.1);
}

fn random_profile(tree: &Tree, rng: &mut Xoshiro256PlusPlus) -> Profile {
    let weights: Vec<f64> = (0..tree.choice_count())
        .map(|_| rng.random::<f64>())
        .collect();
    Profile::from_weights(tree, &weights)
}

/// What players are paid in the mean, by a walk over the tree.
fn paid(tree: &Tree, profile: &Profile, node: u32) -> Vec<f64> {
    let node = &tree.nodes()[node as usize];
    let probabilities = match node.kind {
        NodeKind::Terminal(vector) => return tree.payoffs(vector).to_vec(),
        NodeKind::Chance(_) => tree.probabilities(node),
        NodeKind::Decision(state) => {
            &profile.probabilities[tree.information_states()[state as usize].range()]
        }
    };
    let mut sum = vec![0.0; tree.players()];
    for (child, p) in (node.first..node.first + node.children).zip(probabilities) {
        for (sum, x) in sum.iter_mut().zip(paid(tree, profile, child)) {
            *sum += p * x;
        }
    }
    sum
}

#[test]
fn sequences_pay_what_the_tree_pays() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let cases: [(&str, Settings); 6] = [
        ("kuhn-poker", &[("seats", "3")]),
        ("leduc-poker", &[]),
        ("matching-pennies", &[("seats", "3")]),
        ("goofspiel", &[("cards", "3"), ("seats", "3")]),
        ("liars-dice", &[("sides", "3")]),
        ("oshi-zumo", &[("coins", "3"), ("horizon", "4")]),
    ];
    for (game, settings) in cases {
        for skip_forced in [false, true] {
            let options = TreeOptions {
                skip_forced,
                ..TreeOptions::default()
            };
            let tree = grow(&load(game, settings), &options).expect("a tree");
            let sequences = Sequences::new(&tree);
            let profile = random_profile(&tree, &mut rng);
            let found = exploitability(&sequences, &profile);
            for (found, expected) in found.values.iter().zip(paid(&tree, &profile, 0)) {
                close(*found, expected, 1e-12, game);
            }
            // A best response earns what it says, and no other strategy that is tried earns more.
            for player in 0..tree.players() {
                let best = best_response(&sequences, player, &profile);
                let mut answer = profile.clone();
                answer.adopt(&tree, player, &best.profile(&tree, player));
                close(paid(&tree, &answer, 0)[player], best.value, 1e-12, game);
                for _ in 0..20 {
                    answer.adopt(&tree, player, &random_profile(&tree, &mut rng));
                    assert!(
                        paid(&tree, &answer, 0)[player] <= best.value + 1e-12,
                        "{game}"
                    );
                }
            }
        }
    }
}

/// Every pure strategy of a player of Kuhn poker is tried.
#[test]
fn no_pure_strategy_beats_a_best_response() {
    let tree = tree(&load("kuhn-poker", &[]));
    let sequences = Sequences::new(&tree);
    let profile = random_profile(&tree, &mut Xoshiro256PlusPlus::seed_from_u64(2));
    for player in 0..2 {
        let states: Vec<_> = tree.information_states()[tree.states_of(player)].to_vec();
        let mut most = f64::NEG_INFINITY;
        for bits in 0..1u32 << states.len() {
            let mut answer = profile.clone();
            for (i, state) in states.iter().enumerate() {
                let probabilities = &mut answer.probabilities[state.range()];
                probabilities.fill(0.0);
                probabilities[(bits >> i & 1) as usize] = 1.0;
            }
            most = most.max(paid(&tree, &answer, 0)[player]);
        }
        let best = best_response(&sequences, player, &profile).value;
        close(best, most, 1e-12, "all pure strategies");
    }
}

/// What every tree promises.
#[test]
fn trees_have_perfect_recall() {
    let small = [("whist", vec![("ranks", "1")])];
    for (game, settings) in crate::support::variants().into_iter().chain(small) {
        let options = TreeOptions {
            most_nodes: 20_000,
            ..TreeOptions::default()
        };
        let tree = match grow(&load(game, &settings), &options) {
            Ok(tree) => tree,
            Err(TreeError::TooManyNodes(20_000)) => continue,
            // The outcomes of one draw are too many to list.
            Err(TreeError::Walk(e)) if e.code().is_some_and(|c| c.0 == "E0709") => continue,
            Err(e) => panic!("{game} {settings:?}: {e}"),
        };
        // The last choice of each player on the way to each node.
        let players = tree.players();
        let mut last: Vec<Vec<Option<u32>>> = vec![vec![None; players]; tree.nodes().len()];
        let mut next = 1;
        for (number, node) in (0u32..).zip(tree.nodes()) {
            assert!(node.children == 0 || node.first > number, "{game}");
            let children = node.first..node.first + node.children;
            if let NodeKind::Chance(_) = node.kind {
                close(tree.probabilities(node).iter().sum(), 1.0, 1e-12, game);
            }
            let mut before = last[number as usize].clone();
            for child in children {
                assert_eq!(tree.parent(child), Some(number), "{game}");
                if let NodeKind::Decision(state) = node.kind {
                    let state = &tree.information_states()[state as usize];
                    let player = state.player as usize;
                    assert_eq!(state.before, last[number as usize][player], "{game}");
                    assert_eq!(state.choices, node.children, "{game}");
                    assert!(state.before.is_none_or(|c| c < state.first), "{game}");
                    before[player] = Some(state.first + child - node.first);
                }
                last[child as usize] = before.clone();
                next += 1;
            }
        }
        assert_eq!(
            next,
            tree.nodes().len(),
            "{game}: every node is a child, but the root"
        );
    }
}

#[test]
fn the_way_to_a_node_can_be_played_again() {
    for (game, settings) in [
        ("leduc-poker", &[] as Settings),
        ("goofspiel", &[("cards", "3")]),
        ("oshi-zumo", &[("coins", "3"), ("horizon", "4")]),
    ] {
        for skip_forced in [false, true] {
            let machine = load(game, settings);
            let options = TreeOptions {
                skip_forced,
                ..TreeOptions::default()
            };
            let tree = grow(&machine, &options).expect("a tree");
            for (number, state) in tree.information_states().iter().enumerate() {
                let way = retrace(&machine, &tree, state.node).expect("a way");
                let mut actions = ruse::internal::machine::Actions::default();
                let player = state.player as usize;
                machine
                    .legal(&way.state, player, &mut actions)
                    .expect("actions");
                let choices: Vec<_> = state.range().filter_map(|c| tree.action(c)).collect();
                assert!(actions.iter().eq(choices), "{game}: state {number}");
            }
            // Following the steps comes to a place that asks the same players.
            let last = tree.information_states().last().expect("a state").clone();
            let way = retrace(&machine, &tree, last.node).expect("a way");
            let steps: Vec<_> = way.steps.iter().map(|s| s.to_vec()).collect();
            let place = tree
                .follow(&machine, &steps)
                .expect("play")
                .expect("a place");
            assert_eq!(place.state, way.state);
            let next = tree.next_decisions(&machine, &place, None).expect("play");
            let number = tree.information_states().len() - 1;
            assert!(next.contains(&number), "{game}: {next:?}");
        }
    }
}

#[test]
fn trees_that_are_too_large_are_refused() {
    let machine = load("leduc-poker", &[]);
    let options = TreeOptions {
        most_nodes: 1000,
        skip_forced: false,
    };
    let error = grow(&machine, &options).expect_err("too large");
    assert_eq!(error, TreeError::TooManyNodes(1000));
    let report = error.diagnostic(&machine).expect("a place");
    assert_eq!(report.code.0, "E0775");
    let stopped = build(
        &machine,
        &TreeOptions::default(),
        &mut |_| {},
        &AtomicBool::new(true),
    );
    assert_eq!(stopped.expect_err("stopped"), TreeError::Stopped);
}

/// Nobody decides, or one player never does, or a player has one way on only.
#[test]
fn games_with_little_to_decide_are_solved() {
    let cases = [
        ("draw n in 1..3 into x", 0.0),
        (
            "draw n in 1..3 into x\n Ann chooses m in 1..3 into x where m <= x",
            1.0,
        ),
        ("Ben chooses m in 0..3 into x", -1.0),
        ("Ann chooses m in 2..2 into x", 0.0),
        ("", 2.0),
    ];
    for (play, value) in cases {
        let text = format!(
            "game Small {{ players {{ Ann, Ben }}\n state {{ x : 0..3 }}\n play {{ {play} }}\n \
             payoff zero-sum: {{ Ann: gain  Ben: -gain }}\n def gain: -9..9 = 2 - x }}"
        );
        let machine = crate::support::load_text("small.game", &text, &Default::default());
        for skip_forced in [false, true] {
            let options = TreeOptions {
                skip_forced,
                ..TreeOptions::default()
            };
            let tree = grow(&machine, &options).expect("a tree");
            let sequences = Sequences::new(&tree);
            let never = Arc::new(AtomicBool::new(false));
            let found = linear_program(&tree, &sequences, 0.0, &never).expect(play);
            close(found.value, value, 1e-8, play);
            let found = reached(&sequences, &mut CfrPlus::new(&tree, &sequences), 2000);
            assert!(found < 1e-2, "{play}: {found}");
            for minimizer in [
                &mut ExternalSampling::new(&tree, 1) as &mut dyn RegretMinimizer,
                &mut OutcomeSampling::new(&tree, 0.6, 1),
            ] {
                assert!(reached(&sequences, minimizer, 2000) < 0.1, "{play}");
            }
        }
    }
}
