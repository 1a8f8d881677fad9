//! A place that moves on goes where play goes, and offers what is legal there.

use crate::playouts::native_expected;
use crate::stepping::{all_games, lasting};
use crate::support::{load, load_text};
use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use ruse::internal::check::Settings;
use ruse::internal::machine::{
    Action, Actions, Cursor, Engine, Lookahead, Machine, Outcomes, State, Turn,
};
use std::ops::ControlFlow;
use std::sync::Arc;

/// So many outcomes are compared one by one.
const MOST: usize = 1000;

#[test]
fn a_cursor_goes_where_play_goes() {
    let (mut ends, mut counted) = (0, 0);
    for (name, make) in all_games() {
        for (engine, games) in [(Engine::Native, 3), (Engine::Portable, 1)] {
            let machine = make().with_engine(engine);
            let game = format!("{name} {engine:?}");
            if engine == Engine::Native && native_expected() {
                let found = machine.cursor().map(|cursor| cursor.engine());
                assert_eq!(found, Some(Engine::Native), "{game}");
            }
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
            for _ in 0..games {
                let gone = goes_where_play_goes(&game, &machine, &mut rng);
                ends += usize::from(gone.to_the_end);
                counted += gone.counted;
            }
        }
    }
    assert!(ends > 100, "{ends} games came to an end");
    let expected = native_expected();
    assert!(
        !expected || counted > 1000,
        "{counted} places counted at once"
    );
}

/// Games in which play goes on from a node at the head of a loop, to which it also comes before the first round.
const BEHIND: &[&str] = &[
    "game Rounds {
  players { Ann, Ben }
  state { lead : Player  x : 0..3  m : bool  s : 0..9 }
  play {
    repeat 2 times {
      each p in Player {
        if x > 0 { continue }
        each k in 1..2 { draw d in 0..1  lead chooses h in 0..0 }
      }
      if not m {
        one move {
          Ann chooses a in 0..2
          if m { Ann chooses b in 0..1 }
          Ann chooses c in 0..0
          Ann chooses e in 1..1 where e == 3 else { s += a }
        }
      } else { one move { Ann chooses f in 0..2  repeat 2 times { Ann chooses g in 0..0 } } }
    }
  }
  payoff zero-sum: [p in Player] if p == Ann then s else -s
}",
    "game Turns {
  players { Ann, Ben, Cid }
  state { deck : set of 1..4 = all  hand : [Player] set of 1..4  first : Player }
  play {
    draw f in Player into first
    each k in 3..5 { draw d in 1..2  if d == 2 { first = next(first) } }
    deal 1 from deck to hand[first]
    turns me from first at most 4 { me chooses n in 1..2 }
    each q in Player, k in 2..3 { q chooses c in 0..k - 2 }
  }
  payoff general-sum: [p in Player] size(hand[p])
}",
];

#[test]
fn loops_that_play_goes_on_into_begin_with_their_first_round() {
    for text in BEHIND {
        for engine in [Engine::Native, Engine::Portable] {
            let machine = load_text("behind.game", text, &Settings::new());
            let machine = Arc::into_inner(machine).unwrap().with_engine(engine);
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
            let mut gone = 0;
            for _ in 0..40 {
                gone += usize::from(goes_where_play_goes(text, &machine, &mut rng).to_the_end);
            }
            assert_eq!(gone, 40, "{text}");
        }
    }
}

#[test]
fn lines_on_boards_of_several_words_are_those_of_the_interpreter() {
    let wide = [
        ("gomoku", vec![("size", "13")]),
        ("gomoku", vec![]),
        ("amazons", vec![]),
    ];
    for (game, settings) in wide {
        let machine = Arc::into_inner(load(game, &settings)).unwrap();
        let machine = machine.with_engine(Engine::Native);
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(2);
        goes_where_play_goes(game, &machine, &mut rng);
    }
}

/// The lists of all who are offered something; `None` where chance has too many outcomes to list.
fn legal(game: &str, machine: &Machine, state: &State) -> Option<Vec<Vec<(Action, u64)>>> {
    match machine.turn(state) {
        Turn::Terminal => Some(Vec::new()),
        Turn::Chance => {
            let mut outcomes = Outcomes::default();
            let few = machine.few_outcomes(state, MOST, &mut outcomes).unwrap();
            few.then(|| vec![outcomes.list])
        }
        Turn::Decision(movers) => {
            let mut lists = Vec::new();
            for player in movers {
                let mut actions = Actions::default();
                machine.legal(state, player, &mut actions).unwrap();
                assert!(!actions.is_empty(), "{game}");
                lists.push(actions.iter().map(|a| (a.clone(), 1)).collect());
            }
            Some(lists)
        }
    }
}

/// What a cursor lists, as words of actions.
fn listed(cursor: &Cursor<'_>, offer: usize) -> Vec<Vec<u64>> {
    let mut words = Vec::new();
    let stride = cursor.list(offer, usize::MAX, &mut words).unwrap();
    words.chunks(stride).map(<[u64]>::to_vec).collect()
}

#[derive(Default)]
struct Gone {
    to_the_end: bool,
    /// At how many places it was counted without going anywhere where all leads.
    counted: usize,
}

fn goes_where_play_goes(game: &str, machine: &Machine, rng: &mut Xoshiro256PlusPlus) -> Gone {
    let mut gone = Gone::default();
    let mut cursor = machine.cursor().expect("no game is too large");
    let mut elsewhere = machine.cursor().expect("no game is too large");
    let mut lookahead = machine.lookahead().expect("no game is too large");
    let mut state = machine.initial().unwrap();
    cursor.start(&state).unwrap();
    for _ in 0..120 {
        assert_eq!(cursor.node(), machine.node(&state), "{game}");
        assert_eq!(cursor.state().words(), lasting(machine, &state), "{game}");
        let players: Vec<Option<usize>> = match machine.turn(&state) {
            Turn::Terminal => Vec::new(),
            Turn::Chance => vec![None],
            Turn::Decision(movers) => movers.iter().map(Some).collect(),
        };
        let offers = cursor.offers().to_vec();
        let found: Vec<Option<usize>> = offers.iter().map(|offer| offer.player).collect();
        assert_eq!(found, players, "{game}");
        // Who comes there by itself sees the same.
        elsewhere.start(&state).unwrap();
        assert_eq!(elsewhere.offers(), cursor.offers(), "{game}");
        let Some(lists) = legal(game, machine, &state) else {
            let outcome = machine.sample_chance(&state, rng).unwrap();
            cursor.put(offers[0].arm(), &outcome.0).unwrap();
            cursor.advance().unwrap();
            machine.step(&mut state, &[outcome]).unwrap();
            continue;
        };
        if lists.is_empty() {
            assert_eq!(
                cursor.payoffs(),
                machine.payoff_units(&state).ok(),
                "{game}"
            );
            gone.to_the_end = true;
            return gone;
        }
        let (mut saved, mut joint) = (Vec::new(), Vec::new());
        cursor.save(&mut saved);
        elsewhere.restore(cursor.node(), &saved);
        if let [list] = &lists[..] {
            let reached = reached(&mut lookahead, &cursor);
            if let Some(found) = lookahead.count(&mut cursor) {
                let end = |node: &&u32| {
                    let state = vec![0; machine.state_words()];
                    machine.turn_at(**node, &state) == Turn::Terminal
                };
                let over = reached.iter().filter(end).count();
                assert_eq!(found, (list.len() as u64, over as u64), "{game}");
                gone.counted += 1;
            }
            assert_eq!(reached.len(), list.len(), "{game}");
            for (node, (action, _)) in reached.iter().zip(list).take(20) {
                let mut next = state.clone();
                machine
                    .step(&mut next, std::slice::from_ref(action))
                    .unwrap();
                assert_eq!(*node, machine.node(&next), "{game}");
            }
        }
        lookahead.start(cursor.node(), &saved);
        let mut puts = Vec::new();
        for (place, list) in lists.iter().enumerate() {
            let offer = offers[place];
            let total: u64 = list.iter().map(|(_, weight)| weight).sum();
            assert_eq!(offer.total, total, "{game}");
            let options = listed(&cursor, place);
            assert_eq!(options.len(), list.len(), "{game}");
            for (option, (action, _)) in options.iter().zip(list) {
                assert_eq!(option[..action.0.len()], action.0[..], "{game}");
                assert!(option[action.0.len()..].iter().all(|w| *w == 0), "{game}");
            }
            let k = rng.random_range(0..total);
            let mut before = 0;
            let chosen = list.iter().position(|(_, weight)| {
                before += weight;
                before > k
            });
            let chosen = chosen.unwrap();
            cursor.take(place, k).unwrap();
            puts.push((offer.arm(), options[chosen].clone()));
            elsewhere.put(offer.arm(), &options[chosen]).unwrap();
            joint.push(list[chosen].0.clone());
        }
        machine.step(&mut state, &joint).unwrap();
        cursor.advance().unwrap();
        elsewhere.advance().unwrap();
        assert_eq!(elsewhere.state(), cursor.state(), "{game}");
        // After the first time the place is as it was.
        for _ in 0..2 {
            let mut all = puts.iter();
            let put = |cursor: &mut Cursor<'_>| all.try_for_each(|(arm, o)| cursor.put(*arm, o));
            assert_eq!(lookahead.reach(put), Some(machine.node(&state)), "{game}");
        }
    }
    gone
}

/// The nodes that the options of the first offer lead to.
fn reached(lookahead: &mut Lookahead<'_>, cursor: &Cursor<'_>) -> Vec<u32> {
    let mut nodes = Vec::new();
    let went = lookahead.each(cursor, 0, |node| {
        nodes.push(node);
        ControlFlow::Continue(())
    });
    assert_eq!(went, Some(ControlFlow::Continue(())));
    nodes
}
