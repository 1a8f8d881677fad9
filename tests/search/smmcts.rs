//! Simultaneous move Monte Carlo tree search (Lanctot, Lisý & Winands 2013): equilibria of small games, Goofspiel with four
//! cards by exploitability, games with chance and turns, and what the tree tells.

use crate::support::snapshots::snapshots;
use crate::support::{load, load_text};
use ruse::internal::arena::{Match, MatchOptions, SeatingPlan, play_match};
use ruse::internal::check::Settings;
use ruse::internal::machine::{Actions, Machine, Outcomes, State, Turn};
use ruse::internal::players::{PlayerError, PlayerSpec, suits};
use ruse::internal::random::stream;
use ruse::internal::search::mcts::policies::{self, SELECTIONS};
use ruse::internal::search::mcts::{Expansion, Nodes, Options, Search, Selection, search};
use ruse::internal::search::parameters::{Value, Values};
use ruse::internal::search::{Budget, SearchResult};
use std::collections::HashMap;
use std::sync::atomic::AtomicBool;

const EXPANSIONS: [Expansion; 2] = [Expansion::Matrix, Expansion::Action];

fn options(select: &'static Selection, expansion: Expansion) -> Options {
    Options {
        expansion,
        ..Options::new(select)
    }
}

fn selection(word: &str) -> &'static Selection {
    policies::find(word).unwrap()
}

/// A game of one simultaneous choice between Row and Column, by what Row gets; `constant` is what both get together.
fn matrix(rows: &[&[i64]], constant: i64) -> std::sync::Arc<Machine> {
    let mut payoff = String::from("0");
    for (r, row) in rows.iter().enumerate() {
        for (c, value) in row.iter().enumerate() {
            payoff =
                format!("if pick[Row] == {r} and pick[Column] == {c} then {value} else {payoff}");
        }
    }
    let (r, c) = (rows.len() - 1, rows[0].len() - 1);
    let text = format!(
        "game Matrix {{
           players {{ Row, Column }}
           state {{ pick : [Player] 0..{most} }}
           play {{
             together each p in Player {{
               p chooses n in 0..(if p == Row then {r} else {c}) into pick[p]
             }}
           }}
           def row = {payoff}
           payoff constant-sum {constant}: {{ Row: row  Column: {constant} - row }}
         }}",
        most = r.max(c)
    );
    load_text("matrix.game", &text, &Settings::new())
}

fn both(machine: &Machine, options: &Options, n: u64, seed: u64) -> [SearchResult; 2] {
    let root = machine.initial().unwrap();
    let mut rng = stream(seed, &[]);
    let mut search = Search::new(machine, &root, options).unwrap();
    search.iterate(n, &mut rng).unwrap();
    [0, 1].map(|player| search.result(player, &mut rng).unwrap())
}

fn distance(found: &[f64], expected: &[f64]) -> f64 {
    assert_eq!(found.len(), expected.len());
    let apart = std::iter::zip(found, expected).map(|(a, b)| (a - b).abs());
    apart.fold(0.0, f64::max)
}

/// One matrix game and its equilibrium.
struct Known {
    rows: &'static [&'static [i64]],
    constant: i64,
    row: &'static [f64],
    column: &'static [f64],
    value: f64,
}

const MATRICES: [Known; 4] = [
    // Matching pennies as in section 2 of the paper.
    Known {
        rows: &[&[1, 0], &[0, 1]],
        constant: 1,
        row: &[0.5, 0.5],
        column: &[0.5, 0.5],
        value: 0.5,
    },
    // Matching with heads pays 2.
    Known {
        rows: &[&[2, -1], &[-1, 1]],
        constant: 0,
        row: &[0.4, 0.6],
        column: &[0.4, 0.6],
        value: 0.2,
    },
    // Rock, paper, scissors where rock wins twice as much.
    Known {
        rows: &[&[0, -1, 2], &[1, 0, -1], &[-2, 1, 0]],
        constant: 0,
        row: &[0.25, 0.5, 0.25],
        column: &[0.25, 0.5, 0.25],
        value: 0.0,
    },
    // A pure equilibrium, found by crossing out; the constant is far from 0, and the matrix is not square.
    Known {
        rows: &[&[13, 12, 15], &[11, 10, 14]],
        constant: 20,
        row: &[1.0, 0.0],
        column: &[0.0, 1.0, 0.0],
        value: 12.0,
    },
];

#[test]
fn the_equilibria_of_matrix_games_are_found() {
    // Exp3 keeps exploring with its γ, and its mix after subtraction is only near the equilibrium.
    let policies = [
        (selection("rm"), 0.04),
        (selection("oos"), 0.06),
        (selection("oos_plus"), 0.04),
        (selection("exp3"), 0.12),
    ];
    for known in MATRICES {
        let machine = matrix(known.rows, known.constant);
        for (select, tolerance) in policies {
            for expansion in EXPANSIONS {
                let found = both(&machine, &options(select, expansion), 40_000, 1);
                let of = [known.row, known.column];
                for (result, expected) in std::iter::zip(&found, of) {
                    let apart = distance(&result.strategy, expected);
                    let strategy = &result.strategy;
                    assert!(
                        apart < tolerance,
                        "{select:?} {expansion:?} {:?}: {strategy:?}",
                        known.rows
                    );
                }
            }
        }
    }
}

/// With little exploration the mean payoff of a search is near the value of the game.
#[test]
fn regret_matching_is_paid_the_value() {
    for known in MATRICES {
        let machine = matrix(known.rows, known.constant);
        let found = both(&machine, &Options::default(), 40_000, 2);
        let values = found.map(|r| r.value().unwrap());
        assert!((values[0] - known.value).abs() < 0.1, "{values:?}");
        let sum = values[0] + values[1];
        assert!((sum - known.constant as f64).abs() < 1e-6, "{values:?}");
    }
}

/// DUCT finds a pure equilibrium, whatever it does where there is only a mixed one.
#[test]
fn duct_finds_pure_equilibria() {
    let known = &MATRICES[3];
    let machine = matrix(known.rows, known.constant);
    for select in [selection("duct_max"), selection("duct_mix")] {
        let [row, column] = both(&machine, &options(select, Expansion::Matrix), 20_000, 1);
        assert!(
            distance(&row.strategy, known.row) < 0.05,
            "{:?}",
            row.strategy
        );
        let apart = distance(&column.strategy, known.column);
        assert!(apart < 0.05, "{:?}", column.strategy);
    }
    // DUCT(max) plays one action where DUCT(mix) mixes.
    let machine = matrix(MATRICES[1].rows, 0);
    let [max, _] = both(
        &machine,
        &options(selection("duct_max"), Expansion::Matrix),
        5_000,
        1,
    );
    let [mix, _] = both(
        &machine,
        &options(selection("duct_mix"), Expansion::Matrix),
        5_000,
        1,
    );
    assert!(max.strategy.contains(&1.0), "{:?}", max.strategy);
    assert!(mix.strategy.iter().all(|&p| p > 0.1), "{:?}", mix.strategy);
}

#[test]
fn a_seed_gives_one_result() {
    let machine = load("goofspiel", &[("cards", "4")]);
    for select in SELECTIONS {
        for expansion in EXPANSIONS {
            let mut state = machine.initial().unwrap();
            let outcome = machine.find_outcome(&state, "3").unwrap();
            machine.step(&mut state, &[outcome]).unwrap();
            let budget = Budget::playouts(3000);
            let run = |seed, player| {
                let mut rng = stream(seed, &[]);
                let options = options(select, expansion);
                search(&machine, &state, player, &options, &budget, &mut rng).unwrap()
            };
            let (first, again) = (run(5, 0), run(5, 0));
            assert_eq!(first, again, "{select:?}");
            assert_ne!(first.actions, run(6, 0).actions, "{select:?}");
            assert_eq!(first.playouts, 3000);
            let visits: u64 = first.actions.iter().map(|a| a.visits).sum();
            assert_eq!(visits, 3000);
            // In steps it is the same search.
            let mut rng = stream(5, &[]);
            let mut steps = Search::new(&machine, &state, &options(select, expansion)).unwrap();
            for n in [1, 999, 0, 2000] {
                steps.iterate(n, &mut rng).unwrap();
            }
            assert_eq!(steps.result(0, &mut rng).unwrap(), first, "{select:?}");
        }
    }
}

/// Draws too many to list and with weights, and choices alone and together.
const DICE: &str = "game Dice {
  players { Ann, Ben }
  state {
    score : [Player] 0..200 = 0
    hand  : set of 1..16
    face  : 1..6
    pace  : 0..3
    bid   : [Player] 0..3
  }
  play {
    Ann chooses first in 0..2 into pace as \"{first}\"
    score[Ann] += pace
    repeat 4 times {
      draw h in subsets(1..16, 5) into hand as \"{h}\"
      draw f in 1..6 weighted f into face as \"{f}\"
      Ann chooses t in 0..3 into pace as \"{t}\"
      score[Ann] += pace
      together each p in Player { p chooses b in 0..3 into bid[p] as \"{b}\" }
      if bid[Ann] > bid[Ben] and face in hand { score[Ann] += face }
      if bid[Ben] > bid[Ann] { score[Ben] += face }
      Ben chooses u in 0..pace into pace as \"{u}\"
      score[Ben] += pace
    }
  }
  payoff zero-sum: [p in Player] score[p] - mean(score)
}";

/// A search that draws other random numbers, or reckons in another order, shows here to the last bit. Results that were
/// kept with their seeds rest on its staying as it is.
#[test]
fn a_seed_gives_what_it_always_gave() {
    let points = [("cards", "6"), ("scoring", "point_difference")];
    let games = [
        (
            "goofspiel with 5 cards",
            load("goofspiel", &[("cards", "5")]),
            3,
        ),
        (
            "goofspiel with 6 cards by points",
            load("goofspiel", &points),
            3,
        ),
        ("oshi-zumo", load("oshi-zumo", &[("coins", "6")]), 0),
        ("dice", load_text("dice.game", DICE, &Settings::new()), 0),
    ];
    let mut told = String::new();
    for (name, machine, drawn) in games {
        let mut root = machine.initial().unwrap();
        if machine.turn(&root) == Turn::Chance {
            let outcome = machine.find_outcome(&root, &drawn.to_string()).unwrap();
            machine.step(&mut root, &[outcome]).unwrap();
        }
        for select in SELECTIONS {
            for expansion in EXPANSIONS {
                let mut rng = stream(7, &[]);
                let mut search = Search::new(&machine, &root, &options(select, expansion)).unwrap();
                search.iterate(600, &mut rng).unwrap();
                let found = search.result(0, &mut rng).unwrap();
                let visits: Vec<u64> = found.actions.iter().map(|a| a.visits).collect();
                told += &format!(
                    "{name}, {select:?}, {expansion:?}: {} nodes, {visits:?}, {} of {:?}\n",
                    found.nodes, found.chosen, found.strategy
                );
            }
        }
    }
    snapshots("search").bind(|| insta::assert_snapshot!("what-searches-find", told));
}

#[test]
fn a_win_at_hand_is_taken_and_a_loss_averted() {
    let machine = load("tic-tac-toe", &[]);
    for (moves, best) in [("b2 a1 c3 b1", "c1"), ("b2 a1 c1", "a3")] {
        let mut state = machine.initial().unwrap();
        let mut player = 0;
        for text in moves.split(' ') {
            let action = machine.find_action(&state, player, text).unwrap();
            machine.step(&mut state, &[action]).unwrap();
            player = 1 - player;
        }
        let best = machine.find_action(&state, player, best).unwrap();
        for select in SELECTIONS {
            for expansion in EXPANSIONS {
                let options = Options {
                    values: match select.word {
                        "exp3" => Values::default().with("gamma", Value::Number(0.1)),
                        _ => Values::default(),
                    },
                    ..options(select, expansion)
                };
                let mut rng = stream(1, &[]);
                let budget = Budget::playouts(6000);
                let found = search(&machine, &state, player, &options, &budget, &mut rng).unwrap();
                let place = found.actions.iter().position(|a| a.action == best).unwrap();
                let most = found.strategy.iter().copied().fold(0.0, f64::max);
                assert_eq!(
                    found.strategy[place], most,
                    "{select:?} {expansion:?} {moves}: {:?}",
                    found.strategy
                );
            }
        }
    }
}

/// A sure thing against a gamble that is better in the mean, and one that is worse.
#[test]
fn chance_is_weighed() {
    let text = "game Gamble {
      players { Ann, Ben }
      enum Luck { good, bad }
      state { gain : -4..4 }
      play {
        Ann chooses {
          safe => gain = 1
          fair => { draw n in 1..4  gain = if n == 1 then -2 else 3 }
          wild => { draw n in 1..4  gain = if n == 1 then 4 else -1 }
        }
      }
      payoff zero-sum: { Ann: gain  Ben: -gain }
    }";
    let machine = load_text("gamble.game", text, &Settings::new());
    let root = machine.initial().unwrap();
    for select in SELECTIONS {
        for expansion in EXPANSIONS {
            let mut rng = stream(3, &[]);
            let budget = Budget::playouts(20_000);
            let options = options(select, expansion);
            let found = search(&machine, &root, 0, &options, &budget, &mut rng).unwrap();
            assert!(found.strategy[1] > 0.85, "{select:?}: {:?}", found.strategy);
            // 1, (3 · 3 − 2) / 4 and (4 − 3) / 4.
            for (action, mean) in std::iter::zip(&found.actions, [1.0, 1.75, 0.25]) {
                let (found, n) = (action.mean.unwrap(), action.visits as f64);
                assert!(
                    (found - mean).abs() < 12.0 / n.sqrt(),
                    "{select:?}: {found}"
                );
            }
        }
    }
}

/// The strategies of one player at all nodes of a tree, by state.
type Strategies = HashMap<State, Vec<f64>>;

fn strategies(search: &Search<'_>, player: usize) -> Strategies {
    let mut all = HashMap::new();
    search.for_each_node(usize::MAX, &mut |node| {
        if node.player == player {
            all.insert(node.state.clone(), node.strategy.to_vec());
        }
    });
    all
}

/// The least that the first player gets who follows these strategies, uniform where there is none: the value against a
/// best response.
fn worst(machine: &Machine, state: &State, own: &Strategies) -> f64 {
    match machine.turn(state) {
        Turn::Terminal => machine.payoffs(state).unwrap()[0],
        Turn::Chance => {
            let mut outcomes = Outcomes::default();
            machine.outcomes(state, &mut outcomes).unwrap();
            let value = |i: usize| {
                let mut next = state.clone();
                let step = std::slice::from_ref(&outcomes.list[i].0);
                machine.step(&mut next, step).unwrap();
                outcomes.probability(i) * worst(machine, &next, own)
            };
            (0..outcomes.list.len()).map(value).sum()
        }
        Turn::Decision(_) => {
            let (mut mine, mut theirs) = (Actions::default(), Actions::default());
            machine.legal(state, 0, &mut mine).unwrap();
            machine.legal(state, 1, &mut theirs).unwrap();
            let uniform = vec![1.0 / mine.len() as f64; mine.len()];
            let strategy = own.get(state).unwrap_or(&uniform);
            let answer = |b: usize| {
                let value = |a: usize| {
                    let mut next = state.clone();
                    let step = [mine[a].clone(), theirs[b].clone()];
                    machine.step(&mut next, &step).unwrap();
                    strategy[a] * worst(machine, &next, own)
                };
                (0..mine.len())
                    .filter(|&a| strategy[a] > 0.0)
                    .map(value)
                    .sum::<f64>()
            };
            (0..theirs.len()).map(answer).fold(f64::INFINITY, f64::min)
        }
    }
}

/// How much less than the value of the whole game the first player's strategies are sure to get.
fn exploitability(machine: &Machine, options: &Options, n: u64, seed: u64) -> f64 {
    let root = machine.initial().unwrap();
    let mut search = Search::new(machine, &root, options).unwrap();
    search.iterate(n, &mut stream(seed, &[])).unwrap();
    let value = if machine.features().payoff_bounds[0].0 < 0.0 {
        0.0
    } else {
        0.5
    };
    value - worst(machine, &root, &strategies(&search, 0))
}

/// The policies that learn to mix become harder to exploit, and end up harder to exploit than DUCT(max), which need not
/// (section 4.3).
#[test]
fn strategies_for_four_cards_become_hard_to_exploit() {
    for (scoring, unit) in [("win_loss", 1.0), ("point_difference", 2.4)] {
        let machine = load("goofspiel", &[("cards", "4"), ("scoring", scoring)]);
        let duct = options(selection("duct_max"), Expansion::Matrix);
        let pure = exploitability(&machine, &duct, 40_000, 1);
        for select in [
            selection("exp3"),
            selection("rm"),
            selection("oos"),
            selection("oos_plus"),
        ] {
            for expansion in EXPANSIONS {
                let options = options(select, expansion);
                let [few, many] = [1_000, 40_000].map(|n| exploitability(&machine, &options, n, 1));
                let found = format!("{scoring} {select:?} {expansion:?}: {few:.3} {many:.3}");
                assert!(many < few * 0.8 && many < pure * 0.9, "{found}");
                // No policy may seem to do better than is possible.
                assert!(many > 0.0, "{found}");
                if matches!(select.word, "oos" | "oos_plus") {
                    assert!(many < unit * 0.2, "{found}");
                }
            }
        }
    }
}

/// Where nodes are states, ways that lead to the same state lead to the same node, with the visits of all of them, and what is
/// learnt there loses a small part of what the uniform strategy loses.
#[test]
fn where_nodes_are_states_ways_meet() {
    let machine = load("goofspiel", &[("cards", "3")]);
    let root = machine.initial().unwrap();
    for select in SELECTIONS {
        for expansion in EXPANSIONS {
            let options = Options {
                nodes: Nodes::States,
                ..options(select, expansion)
            };
            let mut search = Search::new(&machine, &root, &options).unwrap();
            search.iterate(30_000, &mut stream(1, &[])).unwrap();
            // Of each state the visits, the strategy, and how many ways lead to it.
            let mut found: HashMap<State, (u64, Vec<f64>, u32)> = HashMap::new();
            search.for_each_node(usize::MAX, &mut |node| {
                if node.player == 0 {
                    let new = || (node.visits, node.strategy.to_vec(), 0);
                    let (visits, strategy, ways) =
                        found.entry(node.state.clone()).or_insert_with(new);
                    assert_eq!((*visits, &strategy[..]), (node.visits, node.strategy));
                    *ways += 1;
                }
            });
            let name = format!("{select:?} {expansion:?}");
            assert!(found.values().any(|(.., ways)| *ways > 1), "{name}");
            // Three choices of three, two and one cards: a simulation passes each but where it leaves the tree.
            let visits: u64 = found.values().map(|(visits, ..)| visits).sum();
            assert!(visits > 80_000 && visits <= 90_000, "{name}: {visits}");
        }
    }
    let uniform = 0.5 - worst(&machine, &root, &Strategies::new());
    for select in [selection("oos"), selection("rm")] {
        let options = Options {
            nodes: Nodes::States,
            ..options(select, Expansion::Matrix)
        };
        let lost = exploitability(&machine, &options, 40_000, 1);
        assert!(lost < uniform / 4.0, "{select:?}: {lost} of {uniform}");
    }
}

/// The first bids for four cards, when points count. For the prize 4 the 4 is the only good bid; for the prize 1 the bids
/// 1 and 2 are as good as each other to within a hundredth of a point, and the others are bad; for the prize 2 the best mix
/// is 0.337, 0.136, 0.527, 0.
#[test]
fn the_first_bids_for_four_cards_are_good() {
    let machine = load(
        "goofspiel",
        &[("cards", "4"), ("scoring", "point_difference")],
    );
    for select in [selection("rm"), selection("oos_plus"), selection("oos")] {
        let bids = |prize: &str| {
            let mut state = machine.initial().unwrap();
            let outcome = machine.find_outcome(&state, prize).unwrap();
            machine.step(&mut state, &[outcome]).unwrap();
            let options = options(select, Expansion::Matrix);
            let budget = Budget::playouts(30_000);
            let mut rng = stream(1, &[]);
            let found = search(&machine, &state, 0, &options, &budget, &mut rng);
            found.unwrap().strategy
        };
        let four = bids("4");
        assert!(four[3] > 0.95, "{select:?}: {four:?}");
        let one = bids("1");
        assert!(one[2] + one[3] < 0.03, "{select:?}: {one:?}");
        let two = bids("2");
        assert!(
            distance(&two, &[0.337, 0.136, 0.527, 0.0]) < 0.15,
            "{select:?}: {two:?}"
        );
    }
}

/// Every node of a tree is where its path leads, its actions are the legal ones, and its strategy is one.
#[test]
fn the_tree_can_be_read() {
    for (game, settings) in [
        ("goofspiel", &[("cards", "3")][..]),
        ("goofspiel", &[("cards", "3"), ("seats", "3")]),
        ("goofspiel", &[("cards", "3"), ("order", "ascending")]),
        ("tic-tac-toe", &[]),
        ("oshi-zumo", &[("coins", "4"), ("horizon", "6")]),
    ] {
        let machine = load(game, settings);
        let root = machine.initial().unwrap();
        for select in SELECTIONS.into_iter().filter(|s| s.suits(&machine).is_ok()) {
            for expansion in EXPANSIONS {
                let mut search = Search::new(&machine, &root, &options(select, expansion)).unwrap();
                let mut nothing = 0;
                search.for_each_node(usize::MAX, &mut |_| nothing += 1);
                let first = usize::from(matches!(machine.turn(&root), Turn::Decision(_)));
                assert!(nothing <= first * machine.player_count());
                search.iterate(2_000, &mut stream(1, &[])).unwrap();
                assert_eq!(search.simulations(), 2_000);
                let (mut nodes, mut most) = (0, 0);
                search.for_each_node(usize::MAX, &mut |node| {
                    nodes += 1;
                    most = most.max(node.visits);
                    let mut state = root.clone();
                    for step in node.path {
                        machine.step(&mut state, step).unwrap();
                    }
                    assert_eq!(&state, node.state);
                    let mut actions = Actions::default();
                    machine.legal(&state, node.player, &mut actions).unwrap();
                    assert_eq!(&actions, node.actions);
                    assert_eq!(node.strategy.len(), actions.len());
                    let sum: f64 = node.strategy.iter().sum();
                    assert!((sum - 1.0).abs() < 1e-9 && node.strategy.iter().all(|&p| p >= 0.0));
                });
                assert!(nodes >= 20, "{game} {select:?}: {nodes}");
                assert!(most <= 2_000 && most > 400, "{game} {select:?}: {most}");
            }
        }
    }
}

/// Three players, or payoffs without a constant sum: the policies that keep everybody's own payoffs play.
#[test]
fn policies_refuse_what_they_cannot_play() {
    let three = load("goofspiel", &[("cards", "4"), ("seats", "3")]);
    let general = "game Stag {
      players { Ann, Ben }
      enum Prey { hare, stag }
      state { prey : [Player] Prey }
      play { together each p in Player { p chooses c in Prey into prey[p] } }
      payoff general-sum: [p in Player]
        if prey[p] == hare then 1 else if prey[opponent(p)] == stag then 3 else 0
    }";
    let general = load_text("stag.game", general, &Settings::new());
    for machine in [three, general] {
        let mut state = machine.initial().unwrap();
        if machine.turn(&state) == Turn::Chance {
            let outcome = machine.find_outcome(&state, "3").unwrap();
            machine.step(&mut state, &[outcome]).unwrap();
        }
        for select in SELECTIONS {
            let mut rng = stream(1, &[]);
            let budget = Budget::playouts(3_000);
            let options = options(select, Expansion::Matrix);
            let found = search(&machine, &state, 1, &options, &budget, &mut rng);
            match select.word {
                "duct_max" | "duct_mix" | "exp3" => {
                    let found = found.unwrap();
                    assert_eq!(found.playouts, 3_000);
                    assert!(found.actions.iter().all(|a| a.visits > 0));
                }
                _ => {
                    assert_eq!(found.unwrap_err().code.0, "E0741");
                    let unsuited = select.suits(&machine).unwrap_err();
                    assert_eq!(
                        unsuited.needs,
                        "two players whose payoffs add up to a constant"
                    );
                }
            }
        }
    }
}

#[test]
fn refusals_show_the_place_in_the_game() {
    let text = crate::support::text("goofspiel");
    let three = load("goofspiel", &[("seats", "3")]);
    let hidden = load("goofspiel", &[("bids", "hidden")]);
    let mut report = String::new();
    for (machine, spec) in [
        (&three, "smmcts"),
        (&three, "smmcts(select=oos_plus, gamma=0.5)"),
        (&hidden, "smmcts(select=duct_mix)"),
    ] {
        let spec = PlayerSpec::parse(spec).unwrap();
        let Err(PlayerError::Unsuited(problem)) = suits(&spec, machine) else {
            panic!("{spec} plays it");
        };
        report.push_str(&format!(
            "{spec}\n{}\n\n",
            problem.render("goofspiel.game", &text, false)
        ));
    }
    for select in ["duct_max", "duct_mix", "exp3"] {
        let spec = PlayerSpec::parse(&format!("smmcts(select={select})")).unwrap();
        assert_eq!(suits(&spec, &three), Ok(()));
    }
    snapshots("search").bind(|| insta::assert_snapshot!("smmcts-refusals", report.trim_end()));
}

/// As a player it beats one that plays at random, in games with simultaneous moves, chance and turns. Two equal players
/// would win fewer than half of the games each.
#[test]
fn it_beats_random_play() {
    for (game, settings) in [("goofspiel", &[("cards", "5")][..]), ("tic-tac-toe", &[])] {
        let machine = load(game, settings);
        let seats: Vec<&str> = (0..2).map(|p| machine.player_name(p)).collect();
        for select in ["duct_max", "duct_mix", "exp3", "rm", "oos", "oos_plus"] {
            let players = format!("smmcts(playouts=300, select={select}),random");
            let result = play_match(
                &Match {
                    machine: machine.clone(),
                    plan: SeatingPlan::parse(&players, &seats).unwrap(),
                    clock: std::sync::Arc::new(|| std::time::Duration::ZERO),
                },
                &MatchOptions {
                    games: 100,
                    seed: 1,
                    threads: Some(2),
                },
                &|_| {},
                &AtomicBool::new(false),
            );
            let result = result.unwrap();
            let outcomes = result.players[0].results.outcomes.as_ref().unwrap();
            assert!(
                outcomes.wins.count >= 55,
                "{game}, {select}: {} of 100",
                outcomes.wins.count
            );
        }
    }
}
