//! Matches between random players, which are played as playouts: the same as game by game, on any number of threads.

use crate::support::{load, variants};
use ruse::internal::arena::{
    ArenaError, Keep, Match, MatchOptions, MatchResult, SeatingPlan, Watch, play_match,
    play_match_and_keep,
};
use ruse::internal::machine::{Engine, Machine};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

fn between(machine: Arc<Machine>, players: &str) -> Match {
    let seats: Vec<&str> = (0..machine.player_count())
        .map(|s| machine.player_name(s))
        .collect();
    Match {
        plan: SeatingPlan::parse(players, &seats).unwrap(),
        machine,
        clock: Arc::new(|| Duration::ZERO),
    }
}

fn options(games: u64, threads: usize) -> MatchOptions {
    MatchOptions {
        games,
        seed: 3,
        threads: Some(threads),
    }
}

/// With a record of every game, for which play goes state by state.
fn recorded(play: &Match, options: &MatchOptions) -> Result<MatchResult, ArenaError> {
    let plies = Mutex::new(0.0);
    let keep = Keep {
        known: &BTreeMap::new(),
        finished: &|_, result| {
            assert_eq!(result.moves.len() as u64, result.plies);
            *plies.lock().unwrap() += result.plies as f64;
        },
    };
    let never = AtomicBool::new(false);
    let found = play_match_and_keep(play, options, Some(keep), Watch::progress(&|_| {}), &never)?;
    let mean = plies.into_inner().unwrap() / options.games as f64;
    assert_eq!(found.plies.mean, Some(mean));
    Ok(found)
}

fn played(play: &Match, options: &MatchOptions) -> Result<MatchResult, ArenaError> {
    play_match(play, options, &|_| {}, &AtomicBool::new(false))
}

#[test]
fn matches_between_random_players_are_those_of_play_game_by_game() {
    for (name, settings) in variants() {
        let own = || Arc::into_inner(load(name, &settings)).unwrap();
        for engine in [Engine::Native, Engine::Portable] {
            let machine = Arc::new(own().with_engine(engine));
            let seats = machine.player_count();
            // One player on all seats, and as many as there are seats.
            for players in ["random".to_string(), vec!["random"; seats].join(",")] {
                let play = between(machine.clone(), &players);
                let expected = recorded(&play, &options(6, 1)).unwrap();
                let found = played(&play, &options(6, 1)).unwrap();
                assert_eq!(found, expected, "{name} {engine:?}");
            }
        }
    }
}

#[test]
fn a_match_between_random_players_is_the_same_on_any_number_of_threads() {
    for (name, players) in [
        ("tic-tac-toe", "random,random"),
        ("kuhn-poker", "random"),
        ("resistance", "random"),
        ("whist", "random,random,random,random"),
    ] {
        let play = between(load(name, &[]), players);
        let one = played(&play, &options(1000, 1)).unwrap();
        assert_eq!(one.finished, 1000);
        for threads in [2, 5] {
            let several = played(&play, &options(1000, threads)).unwrap();
            assert_eq!(several, one, "{name}");
        }
    }
}

/// The first error is the same on any number of threads, and as play state by state tells it.
#[test]
fn errors_between_random_players_are_told_as_of_others() {
    let text = "game Wrong { players { Ann, Ben } state { n : 0..3 }
      play {
        repeat 3 times { Ann chooses { more => n += 1  less => n -= 1 } }
      }
      payoff zero-sum: { Ann: n  Ben: -n } }";
    let (machine, _) = ruse::load(text, &Default::default()).unwrap();
    let play = between(Arc::new(machine), "random");
    let expected = recorded(&play, &options(500, 1)).unwrap_err();
    assert!(matches!(expected, ArenaError::Rules { .. }), "{expected}");
    for threads in [1, 4] {
        let found = played(&play, &options(500, threads)).unwrap_err();
        assert_eq!(found, expected);
    }
}

/// A game that is not over after a million plies is played state by state, where it can be stopped.
#[test]
fn an_endless_game_between_random_players_can_be_stopped() {
    let text = "game Endless { players { Ann, Ben } state { n : 0..1 }
      play { repeat 900000000 times { Ann chooses x in 0..1 into n } }
      payoff zero-sum: [p in Player] 0 }";
    let (machine, _) = ruse::load(text, &Default::default()).unwrap();
    let play = between(Arc::new(machine), "random");
    let stop = AtomicBool::new(false);
    let found = std::thread::scope(|scope| {
        let playing = scope.spawn(|| play_match(&play, &options(10, 2), &|_| {}, &stop));
        std::thread::sleep(Duration::from_millis(50));
        stop.store(true, Ordering::Relaxed);
        playing.join().unwrap()
    });
    assert_eq!(found.unwrap().finished, 0);
}
