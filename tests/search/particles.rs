//! Particles against the exact belief on small games, and against what was seen in large ones.

use crate::belief::{Entry, Enumeration, Key, STRIP, believed};
use crate::support::{load, load_text};
use rand::RngExt;
use ruse::internal::belief::{Belief, Options, Weighting};
use ruse::internal::machine::{Action, Actions, Event, Machine, Observation, Turn};
use ruse::internal::random::{derive, stream};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Particles as soon as there are two states.
fn forced(weighting: Weighting, particles: usize) -> Options {
    Options {
        weighting,
        most: 1,
        particles,
        ..Options::default()
    }
}

/// How far the states of particles are from the exact belief: chi-square over restarts and its degrees of freedom.
fn chi_square(
    machine: &Arc<Machine>,
    seat: usize,
    (record, expected): (&[Entry], &BTreeMap<Key, f64>),
    (number, restarts): (u64, u64),
) -> (f64, f64) {
    let total: f64 = expected.values().sum();
    let mut counts: BTreeMap<Key, f64> = expected.keys().map(|key| (key.clone(), 0.0)).collect();
    let mut belief = Belief::new(machine, forced(Weighting::Posterior, 60));
    for restart in 0..restarts {
        belief.begin(seat, derive(number, &[restart]));
        let weights = believed(machine, &mut belief, record);
        // One state of each restart: those of one restart have to do with one another.
        let mut at = stream(3, &[number, restart]).random::<f64>();
        let drawn = weights.iter().find(|(_, weight)| {
            at -= **weight;
            at < 0.0
        });
        let (drawn, _) = drawn.or(weights.last_key_value()).unwrap();
        *counts
            .get_mut(drawn)
            .unwrap_or_else(|| panic!("{record:?}")) += 1.0;
    }
    // States that come seldom are taken together.
    let (mut chi, mut bins) = (0.0, 0.0);
    let mut rest = (0.0, 0.0);
    for (state, count) in &counts {
        let expected = expected[state] / total * restarts as f64;
        if expected < 5.0 {
            rest = (rest.0 + expected, rest.1 + count);
            continue;
        }
        chi += (count - expected).powi(2) / expected;
        bins += 1.0;
    }
    if rest.0 >= 5.0 {
        chi += (rest.1 - rest.0).powi(2) / rest.0;
        bins += 1.0;
    }
    (chi, f64::max(bins - 1.0, 0.0))
}

/// Some of the beliefs of all seats by chi-square.
fn agree(name: &str, machine: &Arc<Machine>, questions: usize, (most, restarts): (usize, u64)) {
    let (mut chi, mut freedom, mut compared) = (0.0, 0.0, 0);
    for seat in 0..machine.player_count() {
        let found = Enumeration::of(machine, seat, questions);
        let uncertain = found.iter().filter(|(_, states)| states.len() > 1);
        let uncertain: Vec<_> = uncertain.collect();
        let every = uncertain.len().div_ceil(most).max(1);
        for (record, expected) in uncertain.into_iter().skip(every / 2).step_by(every) {
            let (c, f) = chi_square(machine, seat, (record, expected), (compared, restarts));
            let worst = f + 5.0 * (2.0 * f).sqrt() + 12.0;
            assert!(c < worst, "{name}: {c} of {f} after {record:?}");
            (chi, freedom, compared) = (chi + c, freedom + f, compared + 1);
        }
    }
    let z = (chi - freedom) / (2.0 * f64::max(freedom, 1.0)).sqrt();
    eprintln!("{name}: {compared} beliefs, chi-square {chi:.1} of {freedom}, z {z:.2}");
    assert!(compared > 3 && freedom > 3.0 && z < 4.0, "{name}");
}

/// Two who set up pieces in secret, one after the other, and then strike.
const SETUP: &str = "game Setup {
  players { Red, Blue }
  enum Rank { flag, scout, marshal }
  const pieces : [Rank] 0..2 = { flag: 1, scout: 2, marshal: 1 }
  type Place = 1..4
  state {
    rank  : [p: Player][Place] Rank  seen by p
    unset : [p: Player][Rank] 0..2 = [p in Player] pieces  seen by p
    alive : [Player] set of Place = all
  }
  play {
    each p in Player { each c in Place {
      p chooses secretly r in Rank where unset[p][r] > 0
      rank[p][c] = r
      unset[p][r] -= 1
    } }
    repeat 2 times { each p in Player {
      let foe = opponent(p)
      p chooses from in { c for c in alive[p] where rank[p][c] != flag }, to in alive[foe] else { end }
      let mine = reveal(rank[p][from])
      let other = reveal(rank[foe][to])
      if mine >= other { alive[foe] -= to }
      else { alive[p] -= from }
    } }
  }
  payoff zero-sum: [p in Player] size(alive[p]) - size(alive[opponent(p)])
}";

#[test]
fn particles_are_spread_as_the_exact_belief() {
    let all = usize::MAX;
    agree("kuhn", &load("kuhn-poker", &[]), all, (6, 400));
    agree("leduc", &load("leduc-poker", &[]), all, (10, 300));
    agree(
        "liar's dice",
        &load("liars-dice", &[("sides", "3")]),
        all,
        (8, 300),
    );
    agree(
        "strip",
        &load_text("strip", STRIP, &Default::default()),
        all,
        (8, 300),
    );
}

#[test]
fn particles_of_cheat_are_spread_as_the_exact_belief() {
    let settings = [
        ("ranks", "3"),
        ("suits", "2"),
        ("dealt", "2"),
        ("rounds", "4"),
    ];
    agree("cheat", &load("cheat", &settings), 2, (5, 150));
}

#[test]
fn particles_of_a_set_up_are_spread_as_the_exact_belief() {
    let machine = load_text("setup", SETUP, &Default::default());
    agree("setup", &machine, 6, (8, 200));
}

/// How random games went with beliefs for all seats.
#[derive(Default)]
struct Played {
    questions: u64,
    sampled: u64,
    repairs: u64,
    lost: u64,
    time: Duration,
    longest: Duration,
    tried: u64,
    accepted: u64,
    effective: f64,
}

/// Random games in which every seat keeps a belief; every state must fit what it saw.
fn play(
    name: &str,
    machine: &Arc<Machine>,
    options: Options,
    games: std::ops::Range<u64>,
) -> Played {
    let mut played = Played::default();
    for game in games {
        let mut rng = stream(11, &[game]);
        let players = machine.player_count();
        let mut beliefs: Vec<Belief> = Vec::new();
        for seat in 0..players {
            let mut belief = Belief::new(machine, options);
            belief.begin(seat, game);
            beliefs.push(belief);
        }
        let mut seen: Vec<Vec<Observation>> = vec![Vec::new(); players];
        let mut lost = vec![false; players];
        let hear = |event: Event<'_>, beliefs: &mut [Belief], seen: &mut [Vec<Observation>]| {
            for p in event.viewers {
                beliefs[p].observe(&Observation::from(&event));
                seen[p].push(Observation::from(&event));
            }
        };
        let mut state = machine
            .initial_observed(&mut |event| hear(event, &mut beliefs, &mut seen))
            .unwrap();
        loop {
            let actions: Vec<Action> = match machine.turn(&state) {
                Turn::Terminal => break,
                Turn::Chance => vec![machine.sample_chance(&state, &mut rng).unwrap()],
                Turn::Decision(movers) => {
                    let mut chosen = Vec::new();
                    for mover in movers {
                        let mut actions = Actions::default();
                        machine.legal(&state, mover, &mut actions).unwrap();
                        let node = machine.node(&state);
                        let begun = Instant::now();
                        if !lost[mover] && actions.len() > 1 {
                            let found = beliefs[mover].asked(node, &actions).is_ok();
                            let took = begun.elapsed();
                            played.questions += 1;
                            played.time += took;
                            played.longest = played.longest.max(took);
                            if !found {
                                eprintln!("{name}: seat {mover} lost track in game {game}");
                                played.lost += 1;
                                lost[mover] = true;
                            } else {
                                fits(
                                    machine,
                                    mover,
                                    &beliefs[mover],
                                    &seen[mover],
                                    node,
                                    &actions,
                                );
                            }
                            if let Some(report) = beliefs[mover].report().particles {
                                played.sampled += 1;
                                played.tried += report.tried;
                                played.accepted += report.accepted;
                                played.effective += report.effective;
                            }
                        }
                        let drawn = rng.random_range(0..actions.len() as u64) as usize;
                        chosen.push(actions[drawn].clone());
                    }
                    chosen
                }
            };
            machine
                .step_observed(&mut state, &actions, &mut |event| {
                    hear(event, &mut beliefs, &mut seen);
                })
                .unwrap();
        }
        let repairs = beliefs.iter().filter_map(|b| b.report().particles);
        played.repairs += repairs.map(|report| report.repairs).sum::<u64>();
    }
    eprintln!(
        "{name}: {} questions, {} by particles, {:.1} ms each, {:?} at most; effective {:.0}, accepted {:.2} of {}, repaired \
         {}, lost {}",
        played.questions,
        played.sampled,
        played.time.as_secs_f64() * 1000.0 / played.questions as f64,
        played.longest,
        played.effective / played.sampled.max(1) as f64,
        played.accepted as f64 / played.tried.max(1) as f64,
        played.tried,
        played.repairs,
        played.lost
    );
    played
}

/// Every history tells the player what it saw and leads to its question.
fn fits(
    machine: &Machine,
    seat: usize,
    belief: &Belief,
    seen: &[Observation],
    node: u32,
    actions: &Actions,
) {
    let mut own = Actions::default();
    let mut legal = |state: &_| {
        assert_eq!(machine.node(state), node);
        machine.legal(state, seat, &mut own).unwrap();
        assert_eq!(own, *actions);
    };
    belief.hypotheses().iter().for_each(|h| legal(&h.state));
    let sum: f64 = belief.hypotheses().iter().map(|h| h.weight).sum();
    assert!((sum - 1.0).abs() < 1e-9);
    // Of all the first and the last.
    let histories = belief.histories();
    let aligned = belief.report().particles.is_none() && !histories.is_empty();
    if aligned {
        assert_eq!(histories.len(), belief.hypotheses().len());
    }
    let ends = [belief.hypotheses().first(), belief.hypotheses().last()];
    let mut ends = ends.into_iter().flatten();
    for history in histories.first().iter().chain(&histories.last()) {
        let mut told = Vec::new();
        let mut hear = |event: Event<'_>| {
            if event.viewers.contains(seat) {
                told.push(Observation::from(&event));
            }
        };
        let mut state = machine.initial_observed(&mut hear).unwrap();
        for step in *history {
            match machine.turn(&state) {
                Turn::Chance => assert!(machine.is_possible(&state, &step[0]).unwrap()),
                Turn::Decision(movers) => {
                    for (mover, action) in movers.iter().zip(step) {
                        assert!(machine.is_legal(&state, mover, action).unwrap());
                    }
                }
                Turn::Terminal => panic!("the game is over"),
            }
            machine.step_observed(&mut state, step, &mut hear).unwrap();
        }
        assert_eq!(told, seen);
        legal(&state);
        if let Some(end) = ends.next().filter(|_| aligned) {
            assert_eq!(machine.kept_key(&state), machine.kept_key(&end.state));
        }
    }
}

/// A belief that keeps a way to each of its states.
#[test]
fn histories_lead_to_their_states() {
    let options = Options {
        histories: true,
        ..Options::default()
    };
    for name in [
        "kuhn-poker",
        "leduc-poker",
        "goofspiel",
        "phantom-tic-tac-toe",
    ] {
        let played = play(name, &load(name, &[]), options, 0..4);
        assert_eq!(played.lost, 0, "{name}");
    }
}

#[test]
fn particles_fit_what_was_seen_in_small_games() {
    for (name, settings) in [
        ("phantom-tic-tac-toe", &[][..]),
        ("leduc-poker", &[]),
        ("goofspiel-hidden", &[("cards", "4")]),
        ("liars-dice", &[("sides", "4")]),
        ("hanabi", &[("colours", "2"), ("ranks", "3"), ("hand", "2")]),
    ] {
        let machine = load(name, settings);
        let played = play(name, &machine, forced(Weighting::Support, 50), 0..3);
        assert!(played.sampled > 0 && played.lost == 0);
    }
}

#[test]
fn players_keep_track_of_large_games() {
    for (name, settings) in [
        ("cheat", &[][..]),
        ("hanabi", &[]),
        ("whist", &[]),
        ("stratego-small", &[]),
        (
            "battleship",
            &[("ships", "3"), ("columns", "7"), ("rows", "7")],
        ),
    ] {
        let machine = load(name, settings);
        let played = play(name, &machine, Options::default(), 0..1);
        assert!(played.sampled > 0 && played.lost == 0);
    }
}

#[test]
#[ignore = "plays whole games of Stratego"]
fn players_keep_track_of_stratego() {
    let played = play("stratego", &load("stratego", &[]), Options::default(), 0..2);
    assert!(played.sampled > 0 && played.lost == 0);
}

#[test]
#[ignore = "plays 1,000 games"]
fn players_keep_track_of_cheat() {
    let played = play("cheat", &load("cheat", &[]), Options::default(), 0..1000);
    assert!(played.sampled > 0 && played.lost == 0);
}

#[test]
#[ignore = "plays many games"]
fn players_keep_track_of_all_large_games() {
    for (name, games) in [
        ("hanabi", 30),
        ("whist", 30),
        ("stratego-small", 30),
        ("battleship", 10),
    ] {
        let played = play(name, &load(name, &[]), Options::default(), 0..games);
        assert!(played.sampled > 0 && played.lost == 0);
    }
}
