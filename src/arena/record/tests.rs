//! A match that is written and replayed, and what is told of records that do not fit.

use super::*;
use crate::arena::{Keep, Match, MatchOptions, SeatingPlan, Watch, play_match_and_keep};
use crate::check::Settings;
use crate::machine::Machine;
use crate::text::sources::Sources;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A secret card each, a set of two to give away.
const GAME: &str = "game Secrets {
  players { Ann, Ben }
  state {
    card  : [p: Player] 1..4  seen by p
    given : [Player] set of 1..4
  }
  play {
    each p in Player { draw c in 1..4 into card[p] where every q in Player before p: card[q] != c }
    together each p in Player {
      p chooses s in subsets(all - card[p], 2) into given[p] as \"{s}\"
    }
    Ann chooses n in 1..2 as \"go {n}\"
  }
  payoff zero-sum: [p in Player] (card[p] - card[opponent(p)]) / 3
}";

fn machine(text: &str) -> Arc<Machine> {
    match crate::load(text, &Settings::new()) {
        Ok((machine, _)) => Arc::new(machine),
        Err(problems) => panic!("{problems:?}"),
    }
}

fn plan() -> SeatingPlan {
    SeatingPlan::parse("random", &["Ann", "Ben"]).unwrap()
}

fn played(games: u64, threads: usize) -> Vec<GameLine> {
    let play = Match {
        machine: machine(GAME),
        plan: plan(),
        clock: Arc::new(|| Duration::ZERO),
    };
    let options = MatchOptions {
        games,
        seed: 5,
        threads: Some(threads),
    };
    let lines = Mutex::new(BTreeMap::new());
    let keep = Keep {
        known: &BTreeMap::new(),
        finished: &|game, result| {
            let line = game_line(&play.machine, &play.plan, 5, game, result).unwrap();
            lines.lock().unwrap().insert(game, line);
        },
    };
    let never = AtomicBool::new(false);
    let watch = Watch::progress(&|_| {});
    let result = play_match_and_keep(&play, &options, Some(keep), watch, &never).unwrap();
    assert_eq!(result.finished, games);
    lines.into_inner().unwrap().into_values().collect()
}

fn misfit(line: &GameLine) -> Misfit {
    replay(&machine(GAME), line, &mut [], &mut |_| {}).unwrap_err()
}

#[test]
fn what_was_played_replays_from_its_json() {
    let machine = machine(GAME);
    let lines = played(30, 2);
    assert_eq!(lines, played(30, 1));
    for (i, line) in lines.iter().enumerate() {
        assert_eq!(line.game, i as u64 + 1);
        let json = serde_json::to_vec(line).unwrap();
        let mut steps = 0;
        let result = replay(
            &machine,
            &GameLine::parse(&json).unwrap(),
            &mut [],
            &mut |step| {
                steps += 1;
                assert_eq!(step.ply, steps);
            },
        );
        assert_eq!(result.unwrap().plies, 4);
        assert_eq!(steps, 4);
    }
    assert!(lines.iter().any(|l| l.payoffs["Ann"].fract() != 0.0));
}

#[test]
fn a_known_game_is_not_played_again() {
    let machine = machine(GAME);
    let line = &played(1, 1)[0];
    let known = BTreeMap::from([(0, replay(&machine, line, &mut [], &mut |_| {}).unwrap())]);
    let play = Match {
        machine,
        plan: plan(),
        clock: Arc::new(|| Duration::ZERO),
    };
    let options = MatchOptions {
        games: 3,
        seed: 5,
        threads: Some(1),
    };
    let heard = Mutex::new(Vec::new());
    let keep = Keep {
        known: &known,
        finished: &|game, _| heard.lock().unwrap().push(game),
    };
    let never = AtomicBool::new(false);
    let watch = Watch::progress(&|_| {});
    let with = play_match_and_keep(&play, &options, Some(keep), watch, &never).unwrap();
    assert_eq!(*heard.lock().unwrap(), [1, 2]);
    let without = crate::arena::play_match(&play, &options, &|_| {}, &never).unwrap();
    assert_eq!(with, without);
}

#[test]
fn a_wrong_move_is_told_with_the_options() {
    let mut line = played(1, 1).remove(0);
    line.plies[1][0].exact = None;
    line.plies[1][0].text = line.plies[0][0].text.clone();
    let found = misfit(&line);
    assert_eq!(found.ply, Some(2));
    assert!(
        found.message.ends_with("cannot be drawn"),
        "{}",
        found.message
    );
    assert_eq!(found.options.len(), 3);

    let mut line = played(1, 1).remove(0);
    line.plies[2][1].text = "{5}".to_string();
    let found = misfit(&line);
    assert_eq!(found.ply, Some(3));
    assert!(found.message.contains("reads `{"), "{}", found.message);

    for exact in [
        vec![],
        vec![0],
        vec![7, 7],
        vec![0, u64::MAX],
        vec![0, 1, 1],
    ] {
        line.plies[2][1].exact = Some(exact);
        assert_eq!(misfit(&line).message, "Ben cannot choose `{5}`");
    }
}

#[test]
fn a_text_says_enough() {
    for line in &mut played(30, 1) {
        for m in line.plies.iter_mut().flatten() {
            m.exact = None;
        }
        assert!(replay(&machine(GAME), line, &mut [], &mut |_| {}).is_ok());
    }
}

#[test]
fn plies_payoffs_and_seats_must_be_those_of_the_game() {
    let line = played(1, 1).remove(0);
    let mut short = line.clone();
    short.plies.pop();
    let found = misfit(&short);
    assert_eq!(found.ply, Some(4));
    assert!(
        found.message.ends_with("the game goes on: Ann chooses"),
        "{}",
        found.message
    );

    let mut long = line.clone();
    long.plies.push(Vec::new());
    assert!(misfit(&long).message.contains("the game is over here"));

    let mut other = line.clone();
    other.plies[2].swap(0, 1);
    assert_eq!(
        misfit(&other).message,
        "Ann, Ben choose here; the record has Ben, Ann"
    );
    other.plies[2].clear();
    assert!(misfit(&other).message.ends_with("the record has nobody"));

    let mut richer = line.clone();
    richer.payoffs["Ann"] += 1e-9;
    assert!(misfit(&richer).message.starts_with("the payoffs are Ann"));

    let mut lonely = line;
    lonely.seats.pop();
    assert_eq!(
        misfit(&lonely).message,
        "the seats are Ann, and the game has Ann, Ben"
    );
}

#[test]
fn a_first_line_is_read_back() {
    let machine = machine(GAME);
    let sources = Sources::new("secrets.game", GAME);
    let first = header(&machine, &plan(), 5, "secrets.game", &sources);
    let json = serde_json::to_string(&first).unwrap();
    assert_eq!(Header::parse(json.as_bytes()), Ok(first));
    let newer = json.replace("\"ruse-record\":2", "\"ruse-record\":3");
    let error = Header::parse(newer.as_bytes()).unwrap_err();
    assert!(error.message.contains("version 3"), "{}", error.message);
    assert!(Header::parse(b"{}").is_err());
    assert!(Header::parse(b"\xff\xfe").is_err());
    assert!(GameLine::parse("[".repeat(100_000).as_bytes()).is_err());
}
