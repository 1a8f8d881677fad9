//! Backward induction on shipped games, against values from elsewhere, and against a solver of one game that is written here
//! by hand and asks a linear-programming library.

use crate::support::silent::Silent;
use crate::support::snapshots::snapshots;
use crate::support::{load, load_text};
use ruse::internal::machine::{Action, Machine, State, Turn};
use ruse::internal::solve::backward::depth::{StateStrategy, Uniform, exploitability};
use ruse::internal::solve::backward::{
    BackwardOptions, Completion, Saved, SavedLayer, Solution, Solved, Watch, solve, suited,
};
use ruse::internal::solve::{SolveError, count_states};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Nobody stops it.
static NEVER: AtomicBool = AtomicBool::new(false);

fn solved(machine: &Arc<Machine>) -> Solved {
    solved_within(machine, BackwardOptions::default()).expect("a solution")
}

fn solved_within(machine: &Arc<Machine>, options: BackwardOptions) -> Result<Solved, SolveError> {
    let never = AtomicBool::new(false);
    match solve(machine, &options, Saved::default(), &mut (), &never)? {
        Completion::Solved(solved) => Ok(*solved),
        Completion::Stopped { .. } => panic!("nobody stopped it"),
    }
}

fn goofspiel(cards: &str, scoring: &str) -> Arc<Machine> {
    load("goofspiel", &[("cards", cards), ("scoring", scoring)])
}

/// The state after the outcomes and actions with these texts, one for each draw and each player to move.
fn after(machine: &Machine, moves: &[&str]) -> State {
    let mut state = machine.initial().unwrap();
    let mut moves = moves.iter();
    while moves.len() > 0 {
        let mut next = || *moves.next().expect("a move for everybody");
        let joint: Vec<Action> = match machine.turn(&state) {
            Turn::Terminal => panic!("the game is over"),
            Turn::Chance => vec![machine.find_outcome(&state, next()).unwrap()],
            Turn::Decision(movers) => movers
                .iter()
                .map(|p| machine.find_action(&state, p, next()).unwrap())
                .collect(),
        };
        machine.step(&mut state, &joint).unwrap();
    }
    state
}

fn root(solved: &Solved) -> f64 {
    let initial = solved.machine().initial().unwrap();
    solved.values(&initial).expect("the start is reached")[0]
}

/// A gambler who wins each stake with probability 2/5 reaches twice what he has with that probability at best, and cannot do
/// better than to stake all that he needs: from a quarter of what he wants 4/25, from three quarters 16/25 (Dubins & Savage 1965,
/// bold play; Sutton & Barto 2018, example 4.3).
#[test]
fn one_player_gets_the_most_that_can_be_got() {
    for (start, value) in [(2, 0.16), (4, 0.4), (6, 0.64), (1, 0.064)] {
        let text = format!(
            "game Gambler {{
  players {{ Solo }}
  state {{ money : 0..8 = {start} }}
  play {{
    while money > 0 and money < 8 at most 30 {{
      Solo chooses n in 1..min(money, 8 - money) as \"{{n}}\"
      draw wins in bool weighted if wins then 2 else 3
      money = if wins then money + n else money - n
    }}
  }}
  payoff general-sum: {{ Solo: if money == 8 then 1 else 0 }}
}}"
        );
        let machine = load_text("gambler.game", &text, &Default::default());
        assert!((root(&solved(&machine)) - value).abs() < 1e-12, "{start}");
    }
}

/// The states of PD-Goof(N) between rounds are Franel numbers, the sum of C(N, k)³ over k (the end of the game included).
#[test]
fn goofspiel_has_as_many_states_as_it_should() {
    let franel = [2, 10, 56, 346, 2252, 15184];
    for (n, expected) in (1..).zip(franel) {
        let machine = goofspiel(&n.to_string(), "point_difference");
        let solved = solved(&machine);
        let counts = solved.counts();
        assert_eq!(counts.chance + counts.terminal, expected, "{n} cards");
        assert_eq!(counts.matrix_games, counts.decision);
        assert_eq!(counts.states, counts.decision + expected);
        // Two plies a round.
        assert_eq!(solved.layers(), 2 * n + 1);
        assert!(root(&solved).abs() < 1e-12, "{n} cards");
        assert!(solved.gap() < 1e-10);
    }
}

/// A strategy at one state.
struct Mix<'a>(&'a State, Vec<f64>);

impl StateStrategy for Mix<'_> {
    fn probabilities(
        &mut self,
        _: &Machine,
        state: &State,
        _: usize,
        _: &[Action],
    ) -> Result<Option<Vec<f64>>, SolveError> {
        Ok((state == self.0).then(|| self.1.clone()))
    }
}

/// A first bid that is optimal loses nothing against any answer, whatever other optimal bids there are.
fn first_bid_is_optimal(solved: &Solved, upcard: usize, mix: &[f64], tolerance: f64) {
    let machine = solved.machine();
    let state = after(machine, &[&upcard.to_string()]);
    for player in 0..2 {
        let mut strategy = Mix(&state, mix.to_vec());
        let found = exploitability(solved, &state, player, 1, &mut strategy, &NEVER).unwrap();
        assert_eq!(found.undefined, 0);
        assert!(
            found.loss < tolerance,
            "{upcard}: {mix:?} loses {}",
            found.loss
        );
        assert!(found.loss > -1e-9);
        // And so is ours, exactly.
        let ours = exploitability(solved, &state, player, 1, &mut &*solved, &NEVER).unwrap();
        assert!(
            ours.loss.abs() < 1e-10,
            "{upcard}: ours loses {}",
            ours.loss
        );
    }
}

fn pure(n: usize, card: usize) -> Vec<f64> {
    (1..=n).map(|c| f64::from(u8::from(c == card))).collect()
}

#[test]
fn first_bids_of_pd_goofspiel_are_those_known() {
    for n in 1..=3 {
        let solved = solved(&goofspiel(&n.to_string(), "point_difference"));
        for upcard in 1..=n {
            first_bid_is_optimal(&solved, upcard, &pure(n, upcard), 1e-12);
        }
    }
    let four = solved(&goofspiel("4", "point_difference"));
    let (a, b) = (457_239.0, 4_194_439.0);
    let exact = [
        vec![1., 0., 0., 0.],
        vec![154_132. / a, 3. * 20_732. / a, 240_911. / a, 0.],
        vec![1_127_175. / b, 0., 2_155_864. / b, 911_400. / b],
        vec![0., 0., 0., 1.],
    ];
    for (i, mix) in exact.iter().enumerate() {
        first_bid_is_optimal(&four, i + 1, mix, 1e-12);
    }
    let five = solved(&goofspiel("5", "point_difference"));
    let rounded = [
        [0.0470, 0.8327, 0.1203, 0., 0.],
        [0.1855, 0., 0.7375, 0.0770, 0.],
        [0.1182, 0.1188, 0., 0.7630, 0.],
        [0.1226, 0.0735, 0.1915, 0.2043, 0.4081],
        [0.1123, 0.0241, 0., 0., 0.8636],
    ];
    for (i, mix) in rounded.iter().enumerate() {
        first_bid_is_optimal(&five, i + 1, mix, 1e-3);
    }
    let six = solved(&goofspiel("6", "point_difference"));
    let rounded = [
        [0.1650, 0.5774, 0.2576, 0., 0., 0.],
        [0., 0.3253, 0.1814, 0.4933, 0., 0.],
        [0.0655, 0.1315, 0.1700, 0.2907, 0.3424, 0.],
        [0.0980, 0.0458, 0.1734, 0., 0.6081, 0.0746],
        [0.0273, 0.0864, 0., 0.3461, 0.0202, 0.5200],
        [0., 0.1383, 0.0062, 0., 0., 0.8554],
    ];
    for (i, mix) in rounded.iter().enumerate() {
        first_bid_is_optimal(&six, i + 1, mix, 1e-3);
    }
}

/// Where the payoff is not linear in the points, they are part of a state.
#[test]
fn first_bids_of_wl_goofspiel_are_those_known() {
    let solved = solved(&goofspiel("4", "win_loss"));
    assert!((root(&solved) - 0.5).abs() < 1e-12);
    assert!(solved.counts().chance > 346);
    let rounded = [
        [1., 0., 0., 0.],
        [0.1860, 0.1247, 0.6893, 0.],
        [0.2286, 0., 0.5143, 0.2571],
        [0., 0., 0., 1.],
    ];
    for (i, mix) in rounded.iter().enumerate() {
        first_bid_is_optimal(&solved, i + 1, mix, 1e-4);
    }
}

/// A first bid that is not optimal loses, so the checks above can fail.
#[test]
fn bids_that_are_not_optimal_lose() {
    let solved = solved(&goofspiel("4", "point_difference"));
    let state = after(solved.machine(), &["2"]);
    let mut strategy = Mix(&state, pure(4, 1));
    let found = exploitability(&solved, &state, 0, 1, &mut strategy, &NEVER).unwrap();
    assert!(found.loss > 0.1, "{found:?}");
}

#[test]
fn board_games_have_their_minimax_values() {
    for (game, settings, value) in [
        ("tic-tac-toe", vec![], 0.0),
        ("hex", vec![("size", "2")], 1.0),
        ("hex", vec![("size", "3")], 1.0),
        (
            "connect-four",
            vec![("columns", "3"), ("rows", "3"), ("connect", "3")],
            0.0,
        ),
        ("breakthrough", vec![("columns", "3"), ("rows", "4")], 1.0),
        ("reversi", vec![("size", "4")], -1.0),
    ] {
        let machine = load(game, &settings);
        let solved = solved(&machine);
        assert_eq!(root(&solved), value, "{game} {settings:?}");
        let counts = solved.counts();
        assert_eq!((counts.chance, counts.matrix_games), (0, 0));
        // The states are those that perft counts.
        let never = AtomicBool::new(false);
        let states = count_states(&machine, false, &mut |_| {}, &never).unwrap();
        assert_eq!(counts.states, states.total, "{game} {settings:?}");
        assert_eq!(counts.terminal, states.terminal, "{game} {settings:?}");
    }
}

/// What the best answer to uniform play gets from the start, by another framework; payoffs there are the difference.
#[test]
fn best_answers_to_uniform_play_are_those_known() {
    let pd = |n| vec![("cards", n), ("scoring", "point_difference")];
    let wl = |n| vec![("cards", n), ("scoring", "win_loss")];
    let zumo = |coins| vec![("coins", coins), ("size", "1"), ("horizon", "6")];
    let descending = |mut s: Vec<(&'static str, &'static str)>| {
        s.push(("order", "descending"));
        s
    };
    let half = |x: f64| x / 2.0 + 0.5;
    for (game, settings, first, second) in [
        ("goofspiel", pd("3"), 2.0 / 3.0, 2.0 / 3.0),
        ("goofspiel", wl("3"), half(2.0 / 3.0), half(2.0 / 3.0)),
        ("goofspiel", pd("4"), 1.25, 1.25),
        (
            "goofspiel",
            wl("4"),
            half(0.746_527_777_777_777_8),
            half(0.746_527_777_777_777_8),
        ),
        ("goofspiel", descending(pd("4")), 1.25, 1.25),
        ("goofspiel", descending(wl("4")), half(0.75), half(0.75)),
        ("tic-tac-toe", vec![], 0.994_791_666_667, 0.924_867_724_868),
        ("hex", vec![("size", "2")], 1.0, 0.5),
        ("hex", vec![("size", "3")], 1.0, 0.955_555_555_56),
        (
            "oshi-zumo",
            zumo("3"),
            0.635_076_075_424_382_7,
            0.635_076_075_424_382_7,
        ),
        ("oshi-zumo", zumo("4"), 0.700_409_130_658, 0.700_409_130_658),
    ] {
        let solved = solved(&load(game, &settings));
        let initial = solved.machine().initial().unwrap();
        for (player, expected) in [(1, first), (0, second)] {
            let found =
                exploitability(&solved, &initial, player, u32::MAX, &mut Uniform, &NEVER).unwrap();
            let gets = found.best_response;
            assert!(
                (gets - expected).abs() < 1e-9,
                "{game} {settings:?}: {gets} for {expected}"
            );
        }
    }
}

/// Where a strategy says nothing, its first action is played.
#[test]
fn silence_is_the_first_action() {
    for (cards, order, expected) in [
        ("3", "random", 1.083_333_333_333_333_3),
        ("4", "random", 2.625),
        ("3", "descending", 2.0),
        ("4", "descending", 4.0),
    ] {
        let settings = [
            ("cards", cards),
            ("order", order),
            ("scoring", "point_difference"),
        ];
        let solved = solved(&load("goofspiel", &settings));
        let initial = solved.machine().initial().unwrap();
        let stopped = AtomicBool::new(true);
        let found = exploitability(&solved, &initial, 0, u32::MAX, &mut Silent, &stopped);
        assert_eq!(found.unwrap_err(), SolveError::Stopped);
        let found = exploitability(&solved, &initial, 0, u32::MAX, &mut Silent, &NEVER).unwrap();
        assert!(
            (found.best_response - expected).abs() < 1e-9,
            "{settings:?}: {found:?}"
        );
        assert!(found.undefined > 0);
    }
}

/// Ex_d grows with d from 0 to the whole exploitability: what comes after the depth is played perfectly.
#[test]
fn exploitability_grows_with_the_depth() {
    let solved = solved(&goofspiel("4", "point_difference"));
    let state = after(solved.machine(), &["3"]);
    let mut last = 0.0;
    for depth in 0..=8 {
        let found = exploitability(&solved, &state, 1, depth, &mut Uniform, &NEVER).unwrap();
        assert!(found.value.abs() < 1e-12);
        assert!(
            found.loss >= last - 1e-12,
            "{depth}: {} after {last}",
            found.loss
        );
        assert!(depth > 0 || found.loss == 0.0);
        last = found.loss;
        let ours = exploitability(&solved, &state, 1, depth, &mut &solved, &NEVER).unwrap();
        assert!(ours.loss.abs() < 1e-9, "{depth}: {}", ours.loss);
    }
    assert!(last > 0.5);
}

/// PD-Goof by hand: the value for the first player of what is still to be won, with hands and prizes as sets of bits.
struct ByHand {
    known: HashMap<(u32, u32, u32, u32), f64>,
}

impl ByHand {
    /// With an upcard.
    fn value(&mut self, a: u32, b: u32, prizes: u32, up: u32) -> f64 {
        if let Some(&v) = self.known.get(&(a, b, prizes, up)) {
            return v;
        }
        let cards = |set: u32| (0..32).filter(move |c| set >> c & 1 == 1);
        let rest = prizes & !(1 << up);
        let mut rows: Vec<Vec<f64>> = Vec::new();
        for x in cards(a) {
            let row = cards(b).map(|y| {
                let won = f64::from(x as i32 - y as i32).clamp(-1.0, 1.0) * f64::from(up + 1);
                let (a, b) = (a & !(1 << x), b & !(1 << y));
                let next: f64 = cards(rest).map(|c| self.value(a, b, rest, c)).sum();
                // The payoff is the points less the mean: half of the difference.
                won / 2.0
                    + if rest == 0 {
                        0.0
                    } else {
                        next / f64::from(rest.count_ones())
                    }
            });
            rows.push(row.collect());
        }
        let value = by_library(&rows);
        self.known.insert((a, b, prizes, up), value);
        value
    }
}

fn by_library(rows: &[Vec<f64>]) -> f64 {
    use microlp::{ComparisonOp, OptimizationDirection, Problem};
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let value = problem.add_var(1.0, (f64::NEG_INFINITY, f64::INFINITY));
    let mix: Vec<_> = rows
        .iter()
        .map(|_| problem.add_var(0.0, (0.0, 1.0)))
        .collect();
    let all: Vec<_> = mix.iter().map(|&x| (x, 1.0)).collect();
    problem.add_constraint(&all, ComparisonOp::Eq, 1.0);
    for j in 0..rows[0].len() {
        let mut terms: Vec<_> = std::iter::zip(&mix, rows)
            .map(|(&x, row)| (x, row[j]))
            .collect();
        terms.push((value, -1.0));
        problem.add_constraint(&terms, ComparisonOp::Ge, 0.0);
    }
    problem
        .solve()
        .unwrap()
        .into_solution()
        .unwrap()
        .objective()
}

/// Every state of PD-Goof(4), by random games until all have been met.
#[test]
fn every_state_is_valued_as_by_hand() {
    let machine = goofspiel("4", "point_difference");
    let solved = solved(&machine);
    let mut hand = ByHand {
        known: HashMap::new(),
    };
    let mut met = 0;
    let mut waiting = vec![(machine.initial().unwrap(), (15u32, 15u32, 15u32), [0i32; 2])];
    let mut seen = std::collections::HashSet::new();
    while let Some((state, (a, b, prizes), points)) = waiting.pop() {
        let mut outcomes = ruse::internal::machine::Outcomes::default();
        if machine.turn(&state) == Turn::Terminal {
            let half = f64::from(points[0] - points[1]) / 2.0;
            assert!((solved.values(&state).unwrap()[0] - half).abs() < 1e-12);
            continue;
        }
        machine.outcomes(&state, &mut outcomes).unwrap();
        for (outcome, _) in &outcomes.list {
            let up = outcome.0[1] as u32 - 1;
            let mut state = state.clone();
            machine
                .step(&mut state, std::slice::from_ref(outcome))
                .unwrap();
            // States that differ in points only are one to the solver, and each is asked for here.
            if !seen.insert((a, b, prizes, up, points)) {
                continue;
            }
            met += 1;
            let earned = f64::from(points[0] - points[1]) / 2.0;
            let expected = earned + hand.value(a, b, prizes, up);
            let found = solved.values(&state).expect("every state is there");
            assert!(
                (found[0] - expected).abs() < 1e-9,
                "{found:?} for {expected}"
            );
            assert_eq!(found[0] + found[1], 0.0);
            let mut lists = [
                ruse::internal::machine::Actions::default(),
                Default::default(),
            ];
            machine.legal(&state, 0, &mut lists[0]).unwrap();
            machine.legal(&state, 1, &mut lists[1]).unwrap();
            for x in lists[0].iter() {
                for y in lists[1].iter() {
                    let mut next = state.clone();
                    machine.step(&mut next, &[x.clone(), y.clone()]).unwrap();
                    let (x, y) = (x.0[1] as u32 - 1, y.0[1] as u32 - 1);
                    let mut points = points;
                    match x.cmp(&y) {
                        std::cmp::Ordering::Greater => points[0] += up as i32 + 1,
                        std::cmp::Ordering::Less => points[1] += up as i32 + 1,
                        std::cmp::Ordering::Equal => {}
                    }
                    let sets = (a & !(1 << x), b & !(1 << y), prizes & !(1 << up));
                    waiting.push((next, sets, points));
                }
            }
        }
    }
    assert_eq!(hand.known.len() as u64, solved.counts().decision);
    assert!(met > hand.known.len());
}

/// Rewards of any size: where every round counts so many times as much, so does every value.
#[test]
fn great_rewards_are_kept_as_small_ones_are() {
    let of = |unit: u32| {
        let text = format!(
            "
game Rounds {{
  players {{ Ann, Ben }}
  state {{
    mine : set of 1..4 = 1..4
    theirs : set of 1..4 = 1..4
    bid : [Player] 1..4
    gain : -999999..999999 = 0
  }}
  play {{
    repeat 3 times {{
      together {{
        Ann chooses n in mine into bid[Ann] as \"{{n}}\"
        Ben chooses n in theirs into bid[Ben] as \"{{n}}\"
      }}
      mine -= bid[Ann]
      theirs -= bid[Ben]
      if bid[Ann] > bid[Ben] {{ gain += {} }}
      if bid[Ann] + 1 < bid[Ben] {{ gain -= {} }}
    }}
  }}
  payoff zero-sum: {{ Ann: gain  Ben: -gain }}
}}",
            2 * unit,
            unit
        );
        let solved = solved(&load_text("rounds.game", &text, &Default::default()));
        let initial = solved.machine().initial().unwrap();
        solved.values(&initial).unwrap()[0]
    };
    let small = of(1);
    assert!(small > 0.1 && small < 6.0, "{small}");
    for unit in [50, 100, 1000, 100_000] {
        let great = of(unit) / f64::from(unit);
        assert!((great - small).abs() < 1e-9, "{unit}: {great} for {small}");
    }
}

/// The same numbers to the last bit, on any number of threads, and with edges that do not fit the memory.
#[test]
fn the_result_depends_on_neither_threads_nor_memory() {
    let machine = goofspiel("5", "point_difference");
    let values = |solved: &Solved| -> Vec<u64> {
        let states = (1..=5).map(|c| after(solved.machine(), &[&c.to_string(), "2", "3"]));
        let initial = std::iter::once(machine.initial().unwrap());
        let all = initial.chain(states);
        all.map(|s| solved.values(&s).unwrap()[0].to_bits())
            .collect()
    };
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| solved(&machine))
    };
    let one = on(1);
    for threads in [2, 5] {
        let other = on(threads);
        assert_eq!(values(&one), values(&other));
        assert_eq!(one.gap().to_bits(), other.gap().to_bits());
        assert_eq!(one.peak_memory(), other.peak_memory());
    }
    let mut memory = one.peak_memory();
    let mut tight = 0;
    loop {
        memory = memory * 9 / 10;
        match solved_within(&machine, BackwardOptions { memory }) {
            Ok(other) => {
                assert!(other.peak_memory() <= memory);
                assert_eq!(values(&one), values(&other));
                tight += 1;
            }
            Err(SolveError::OutOfMemory { limit, states, .. }) => {
                assert!(limit == memory && states > 0);
                break;
            }
            Err(other) => panic!("{other}"),
        }
    }
    assert!(tight > 0, "the edges were never given up");
}

/// Keeps what it hears of, and stops after so many layers.
struct Keeper {
    saved: Saved,
    left: usize,
}

impl Keeper {
    fn tick(&mut self) -> bool {
        self.left = self.left.saturating_sub(1);
        self.left > 0
    }
}

impl Watch for Keeper {
    fn layer_found(
        &mut self,
        layer: usize,
        states: &mut dyn ExactSizeIterator<Item = (u32, &[u64])>,
    ) -> bool {
        let mut kept = SavedLayer::default();
        for (node, words) in states {
            kept.nodes.push(node);
            kept.words.extend_from_slice(words);
        }
        self.saved.layers.push(kept);
        assert_eq!(self.saved.layers.len(), layer);
        self.tick()
    }

    fn layer_solved(
        &mut self,
        layer: usize,
        gap: f64,
        values: &mut dyn ExactSizeIterator<Item = f64>,
    ) -> bool {
        self.saved.values.push((layer, gap, values.collect()));
        self.tick()
    }
}

/// Stopped after any layer and gone on with, the result is the same.
#[test]
fn a_run_goes_on_from_what_was_kept() {
    let machine = goofspiel("3", "win_loss");
    let whole = solved(&machine);
    let never = AtomicBool::new(false);
    let options = BackwardOptions::default();
    let mut stops = 0;
    for left in 1.. {
        let mut keeper = Keeper {
            saved: Saved::default(),
            left,
        };
        let first = solve(&machine, &options, Saved::default(), &mut keeper, &never).unwrap();
        let Completion::Stopped { found, valued } = first else {
            break;
        };
        assert!(valued <= found && found <= whole.counts().states);
        stops += 1;
        let Completion::Solved(again) =
            solve(&machine, &options, keeper.saved, &mut (), &never).unwrap()
        else {
            panic!("nobody stopped it");
        };
        assert_eq!(again.counts(), whole.counts());
        assert_eq!(again.gap().to_bits(), whole.gap().to_bits());
        assert_eq!(root(&again).to_bits(), root(&whole).to_bits());
    }
    // Six further layers are found, and then all seven are valued; stopped after the last of all it is still a stop.
    assert_eq!(stops, 13);
}

#[test]
fn what_was_kept_of_another_game_is_refused() {
    let machine = goofspiel("3", "win_loss");
    let initial = machine.initial().unwrap();
    let layer = |node: u32, words: &[u64]| Saved {
        layers: vec![SavedLayer {
            nodes: vec![node],
            words: words.to_vec(),
        }],
        values: Vec::new(),
    };
    let (node, words) = (machine.node(&initial), initial.words());
    let options = BackwardOptions::default();
    let never = AtomicBool::new(false);
    for saved in [
        // The start once more is no new layer.
        layer(node, words),
        layer(99, words),
        layer(node, &words[1..]),
        layer(node, &vec![u64::MAX; words.len()]),
        Saved {
            layers: vec![SavedLayer::default()],
            values: Vec::new(),
        },
        Saved {
            layers: Vec::new(),
            values: vec![(0, 0.0, vec![0.5, 0.5])],
        },
        Saved {
            layers: Vec::new(),
            values: vec![(99, 0.0, vec![0.5])],
        },
        Saved {
            layers: Vec::new(),
            values: vec![(0, 0.0, vec![f64::NAN])],
        },
    ] {
        let refused = solve(&machine, &options, saved, &mut (), &never);
        assert!(matches!(refused, Err(SolveError::Saved)));
    }
}

/// One state that is reached after one ply and after two is one state all the same.
#[test]
fn states_may_lie_at_several_depths() {
    let text = "
game Detour {
  players { Ann, Ben }
  state { longer : bool  gain : 0..5  guess : [Player] 0..1 }
  play {
    Ann chooses { straight  around => longer = true }
    if longer {
      Ben chooses { let_go  pay => gain = 1 }
      longer = false
    }
    together each p in Player { p chooses n in 0..1 into guess[p] as \"{n}\" }
    if guess[Ann] == guess[Ben] { gain += 2 }
  }
  payoff zero-sum: { Ann: gain  Ben: -gain }
}";
    let machine = load_text("detour.game", text, &Default::default());
    let solved = solved(&machine);
    let never = AtomicBool::new(false);
    let states = count_states(&machine, false, &mut |_| {}, &never).unwrap();
    assert_eq!(solved.counts().states, states.total);
    // Ben lets go, so the detour gains nothing; the guesses are worth 1.
    assert!((root(&solved) - 1.0).abs() < 1e-12);
}

/// What has one value only has it where options are listed before any step was made, too.
#[test]
fn names_of_one_value_are_listed_by() {
    for (state, cond) in [
        ("z : 1..1  x : 0..3", "size(c) > z"),
        ("z : 1..2  x : 0..3", "size(c) > 1"),
    ] {
        let text = format!(
            "
game Two {{
  players {{ Ann, Ben }}
  state {{ {state} }}
  play {{
    Ben chooses c in subsets(1..3, 1..2) where {cond} as \"{{c}}\" => x = size(c)
    each k in 1..1 {{ Ann chooses n in 0..2 where n >= k as \"{{n}}\" => x = x + n - k }}
  }}
  payoff zero-sum: {{ Ann: x  Ben: -x }}
}}"
        );
        let machine = load_text("two.game", &text, &Default::default());
        // Ben takes two, and Ann adds one.
        assert!((root(&solved(&machine)) - 3.0).abs() < 1e-12, "{cond}");
    }
}

/// Draws with weights, and a player who moves alone.
#[test]
fn chance_is_weighed() {
    let text = "
game Weights {
  players { Ann, Ben }
  state { drawn : 1..3 }
  play {
    draw d in 1..3 weighted d into drawn as \"{d}\"
    Ann chooses { keep  swap => drawn = 4 - drawn }
  }
  payoff constant-sum 3: { Ann: drawn  Ben: 3 - drawn }
}";
    let machine = load_text("weights.game", text, &Default::default());
    let solved = solved(&machine);
    let initial = machine.initial().unwrap();
    let values = solved.values(&initial).unwrap();
    // 3 after 1 or 3, and 2 after 2: (1·3 + 2·2 + 3·3) / 6.
    assert!((values[0] - 16.0 / 6.0).abs() < 1e-12);
    assert!((values[0] + values[1] - 3.0).abs() < 1e-12);
    let Solution::Chance(outcomes) = solved.solution(&initial).unwrap() else {
        panic!("a draw");
    };
    let probabilities: Vec<f64> = outcomes.iter().map(|c| c.probability).collect();
    assert_eq!(probabilities, [1.0 / 6.0, 2.0 / 6.0, 0.5]);
    let Solution::Decision(movers) = solved.solution(&after(&machine, &["1"])).unwrap() else {
        panic!("a choice");
    };
    let (player, choices) = &movers[0];
    assert_eq!((movers.len(), *player), (1, 0));
    let told: Vec<(f64, f64)> = choices.iter().map(|c| (c.probability, c.value)).collect();
    assert_eq!(told, [(0.0, 1.0), (1.0, 3.0)]);
}

/// Games of other classes are refused, with the place that says so.
#[test]
fn games_of_other_classes_are_refused() {
    let mut told = String::new();
    for (game, settings) in [
        ("kuhn-poker", vec![]),
        ("goofspiel", vec![("bids", "hidden")]),
        ("goofspiel", vec![("seats", "3")]),
        ("matching-pennies", vec![("seats", "3")]),
        ("phantom-tic-tac-toe", vec![]),
    ] {
        let machine = load(game, &settings);
        let problem = suited(&machine).expect_err(game);
        let text = crate::support::text(game);
        told.push_str(&format!(
            "{}\n\n",
            problem.render(&format!("{game}.game"), &text, false)
        ));
    }
    let general = "
game Gift {
  players { Ann, Ben }
  state { given : 0..2 }
  play { Ann chooses n in 0..2 into given as \"{n}\" }
  payoff general-sum: { Ann: given  Ben: given }
}";
    let machine = load_text("gift.game", general, &Default::default());
    let problem = suited(&machine).expect_err("general sum");
    told.push_str(&problem.render("gift.game", general, false));
    snapshots("solve").bind(|| insta::assert_snapshot!("not-for-backward-induction", told));
}

/// Seconds in a release build, a minute otherwise: `cargo test --release --test solve backward -- --ignored`.
#[test]
#[ignore = "solves 395,000 matrix games"]
fn seven_cards_have_as_many_states_as_they_should() {
    let solved = solved(&goofspiel("7", "point_difference"));
    let counts = solved.counts();
    assert_eq!(counts.chance + counts.terminal, 104_960);
    assert!(root(&solved).abs() < 1e-11);
}
