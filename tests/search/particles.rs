//! Particles against the exact belief on small games, and against what was seen in large ones.

use crate::belief::{Entry, Enumeration, Key, Posteriors, STRIP, believed};
use crate::support::{load, load_text};
use rand::RngExt;
use ruse::internal::arena::{Match, MatchOptions, SeatingPlan, play_match};
use ruse::internal::belief::{Belief, Options, Weighting};
use ruse::internal::machine::{Action, Actions, Event, Machine, Observation, Turn};
use ruse::internal::players::{Clock, Patience, PlayerSpec, Question};
use ruse::internal::random::{derive, stream};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::{Duration, Instant};

/// Particles as soon as there are two states.
pub(crate) fn forced(weighting: Weighting, particles: usize) -> Options {
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
    (belief, seat): (&mut Belief, usize),
    (record, expected): (&[Entry], &BTreeMap<Key, f64>),
    (number, restarts): (u64, u64),
) -> (f64, f64) {
    let total: f64 = expected.values().sum();
    let mut counts: BTreeMap<Key, f64> = expected.keys().map(|key| (key.clone(), 0.0)).collect();
    for restart in 0..restarts {
        belief.begin(seat, derive(number, &[restart]));
        let weights = believed(machine, belief, record);
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
fn agree(name: &str, machine: &Arc<Machine>, questions: usize, size: (usize, u64)) {
    let mut belief = Belief::new(machine, forced(Weighting::Posterior, 60));
    let found = |seat| Enumeration::of(machine, seat, questions);
    agree_by(name, machine, &mut belief, &found, size);
}

/// The same for a belief that was made already.
pub(crate) fn agree_by(
    name: &str,
    machine: &Arc<Machine>,
    belief: &mut Belief,
    found: &dyn Fn(usize) -> Posteriors,
    (most, restarts): (usize, u64),
) {
    let (mut chi, mut freedom, mut compared) = (0.0, 0.0, 0);
    for seat in 0..machine.player_count() {
        let found = found(seat);
        let uncertain = found.iter().filter(|(_, states)| states.len() > 1);
        let uncertain: Vec<_> = uncertain.collect();
        let every = uncertain.len().div_ceil(most).max(1);
        for (record, expected) in uncertain.into_iter().skip(every / 2).step_by(every) {
            let (c, f) = chi_square(
                machine,
                (belief, seat),
                (record, expected),
                (compared, restarts),
            );
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

/// Two choices whose alternatives hold values of other types at the same number: what the first can hold at number 0, the
/// second can at number 1. Their order tells how surprising the card is that Ann sees.
const NUMBERED: &str = "game Numbered {
  players { Ann, Ben }
  enum Red { r1, r2, r3 }
  enum Blue { b1, b2, b3 }
  enum Green { g1, g2, g3 }
  state {
    red   : [1..2] Red?  seen by Ben
    other : [1..2] 0..3 = 0  seen by Ben
  }
  play {
    Ben chooses secretly {
      red(r in Red) => red[1] = r
      blue(b in Blue) => other[1] = 1 + (if b == b1 then 0 else if b == b2 then 1 else 2)
    }
    Ben chooses secretly {
      green(g in Green) => other[2] = 1 + (if g == g1 then 0 else if g == g2 then 1 else 2)
      red(r in Red) => red[2] = r
    }
    draw card in 1..(if (red[1] == r1 or other[1] == 1) and (red[2] == r1 or other[2] == 1) then 1 else 10) revealing
    Ann chooses a in 1..2
  }
  def worth(r: Red?): 0..3 = match r { none => 0  r1 => 1  r2 => 2  r3 => 3 }
  def paid: 0..1000 = other[1] + 4 * other[2] + 16 * worth(red[1]) + 64 * worth(red[2])
  payoff zero-sum: [p in Player] if p == Ann then paid else -paid
}";

#[test]
fn particles_are_spread_where_numbers_of_alternatives_differ() {
    let machine = load_text("numbered", NUMBERED, &Default::default());
    agree("numbered", &machine, usize::MAX, (20, 400));
}

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

/// Cards are dealt seat by seat from one pile, some of them one by one, and the rest lies hidden.
const DEALT: &str = "game Dealt {
  players { Ann, Ben, Cid }
  state {
    deck  : set of 1..8 = all  seen by none
    hand  : [p: Player] set of 1..8  seen by p
    talon : set of 1..8  seen by none
  }
  play {
    each p in Player { deal 1 from deck to hand[p] }
    deal 1 from deck to talon
    each p in Player { draw c from deck seen by p  hand[p] += c }
    each p in Player { p chooses c in hand[p] as \"{c}\" => hand[p] -= c }
  }
  payoff zero-sum: [p in Player] 0
}";

/// What can be drawn hangs on what else is in the pile: how many cards, which of them, and how likely each is.
const READ: [(&str, &str); 4] = [
    ("halved", "deal rest div 2 from deck to hand[Ben]"),
    (
        "halved at once",
        "draw s in subsets(deck, rest div 2) seen by Ben  deck -= s  hand[Ben] += s",
    ),
    (
        "above",
        "draw c from deck where c > min(deck) seen by Ben revealing  hand[Ben] += c",
    ),
    (
        "weighed",
        "repeat 2 times { draw c from deck weighted if c > 2 then rest - 3 else 1 seen by Ben  hand[Ben] += c }",
    ),
];

#[test]
fn particles_of_a_pile_that_is_read_are_spread_as_the_exact_belief() {
    for (name, stmt) in READ {
        let text = format!(
            "game Read {{
  players {{ Ann, Ben }}
  state {{
    deck : set of 1..6 = all  seen by none
    hand : [p: Player] set of 1..6  seen by p
  }}
  shown def rest: 0..6 = size(deck)
  play {{
    {stmt}
    draw d from deck seen by Ann revealing
    hand[Ann] += d
    Ann chooses {{ ok  no }}
    draw e from deck seen by Ann revealing
    Ann chooses {{ ok  no }}
  }}
  payoff zero-sum: [p in Player] 0
}}"
        );
        let machine = load_text(name, &text, &Default::default());
        agree(name, &machine, 1, (8, 100));
        let played = play(name, &machine, forced(Weighting::Posterior, 200), 0..4);
        assert!(played.sampled > 0 && played.lost == 0, "{name}");
    }
}

#[test]
fn particles_of_a_deal_are_spread_as_the_exact_belief() {
    let machine = load_text("dealt", DEALT, &Default::default());
    agree("dealt", &machine, 1, (4, 150));
    let options = forced(Weighting::Posterior, 200);
    let played = play("dealt", &machine, options, 0..4);
    assert!(played.sampled > 8 && played.lost == 0);
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

/// Most cards have been played late in a game of cards, and cannot have been anywhere else: the others change places.
#[test]
fn what_was_seen_nowhere_changes_places() {
    let machine = load("whist", &[("ranks", "5")]);
    let options = forced(Weighting::Posterior, 200);
    let played = play("whist, 5 ranks", &machine, options, 0..2);
    assert!(played.sampled > 20 && played.lost == 0);
    assert!(played.accepted * 5 > played.tried);
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

/// Hands of which all play a card at the same time: what one has played says nothing of the others.
const AT_ONCE: &str = "game AtOnce {
  players { Ann, Ben, Cid, Dot }
  type Card = 1..100
  state {
    deck   : set of Card = all        seen by none
    hand   : [p: Player] set of Card  seen by p
    card   : [Player] Card
    points : [Player] 0..6
  }
  play {
    each p in Player { deal 6 from deck to hand[p] }
    repeat 6 times {
      together each p in Player { p chooses c in hand[p] into card[p] as \"{c}\" }
      each p in Player { hand[p] -= card[p] }
      points[only(argmax(p in Player) card[p])] += 1
    }
  }
  payoff constant-sum 1: share(points)
}";

#[test]
fn players_keep_track_where_all_play_at_once() {
    let machine = load_text("at once", AT_ONCE, &Default::default());
    let played = play("at once", &machine, Options::default(), 0..2);
    assert!(played.sampled > 0 && played.lost == 0);
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

/// A lock that nobody opens by trying: four wheels that Ann does not see stand as she is told that they do.
const LOCK: &str = "game Lock {
  players { Ann, Ben }
  type Wheel = 1..4096
  state { wheel : [1..4] Wheel  seen by Ben }
  play {
    each i in 1..4 { Ben chooses secretly w in Wheel into wheel[i] }
    Ann chooses a in 1..2
    reveal(wheel[1] == 3133 and wheel[2] == 271 and wheel[3] == 4009 and wheel[4] == 77)
    Ann chooses b in 1..2
    reveal(wheel[1])
    reveal(wheel[2])
    reveal(wheel[3])
    reveal(wheel[4])
    Ann chooses c in 1..2
  }
  payoff zero-sum: [p in Player] 0
}";

/// Plays the game in which the lock opens. `ask` is asked for Ann's choices.
fn open_the_lock(
    machine: &Machine,
    observe: &mut dyn FnMut(&Observation),
    ask: &mut dyn FnMut(u32, &Actions, usize),
) {
    let mut wheels = [3133, 271, 4009, 77].into_iter();
    let mut state = machine.initial().unwrap();
    let mut questions = 0;
    while let Turn::Decision(movers) = machine.turn(&state) {
        let mover = movers.iter().next().unwrap();
        let mut actions = Actions::default();
        machine.legal(&state, mover, &mut actions).unwrap();
        let chosen = match mover {
            0 => {
                ask(machine.node(&state), &actions, questions);
                questions += 1;
                0
            }
            _ => wheels.next().unwrap() - 1,
        };
        let step = [actions[chosen].clone()];
        let mut seen = Vec::new();
        machine
            .step_observed(&mut state, &step, &mut |event| {
                if event.viewers.contains(0) {
                    seen.push(Observation::from(&event));
                }
            })
            .unwrap();
        seen.iter().for_each(&mut *observe);
    }
    assert_eq!(questions, 3);
}

#[test]
fn a_belief_that_lost_track_finds_it_again() {
    let machine = load_text("lock", LOCK, &Default::default());
    let belief = std::cell::RefCell::new(Belief::new(&machine, Options::default()));
    belief.borrow_mut().begin(0, 5);
    open_the_lock(
        &machine,
        &mut |seen| belief.borrow_mut().observe(seen),
        &mut |node, actions, question| {
            let mut belief = belief.borrow_mut();
            let found = belief.asked_in_time(node, actions, &|| false).is_ok();
            let report = belief.report();
            let particles = report.particles.unwrap();
            assert!(!report.complete);
            assert_eq!(found, question != 1);
            assert_eq!(report.states == 0, question == 1);
            assert_eq!(particles.lost, u64::from(question > 0));
            assert_eq!(particles.repairs, question as u64);
        },
    );
    assert_eq!(belief.borrow().report().states, 1);
}

/// A player goes on all the same, and says that it chose without knowing anything.
#[test]
fn a_player_that_lost_track_chooses_blindly() {
    let machine = load_text("lock", LOCK, &Default::default());
    // A clock that is always past the time: what can be cut short is.
    let ticks = AtomicU64::new(0);
    let clock: Clock = Arc::new(move || Duration::from_secs(ticks.fetch_add(1, Relaxed)));
    let spec = PlayerSpec::parse("ismcts(ms=1)").unwrap();
    let player = std::cell::RefCell::new(spec.player(&machine, &clock).unwrap());
    player.borrow_mut().begin(0, 5).unwrap();
    open_the_lock(
        &machine,
        &mut |seen| player.borrow_mut().observe(seen).unwrap(),
        &mut |node, actions, question| {
            let asked = Question {
                node,
                seat: 0,
                actions,
                patience: Patience::ENDLESS,
            };
            let mut player = player.borrow_mut();
            assert!(player.choose(&asked).unwrap() < actions.len());
            assert_eq!(player.blind_choices(), u64::from(question > 0));
        },
    );
    player.borrow_mut().begin(0, 6).unwrap();
    assert_eq!(player.borrow().blind_choices(), 0);
}

/// Ships that are hit and sunk tell more and more of where they lie, until few ways are left to set them up.
#[test]
fn players_of_battleship_keep_track_to_the_end() {
    let settings = [("columns", "7"), ("rows", "7"), ("ships", "3")];
    let machine = load("battleship", &settings);
    let plan = SeatingPlan::parse("ismcts(playouts=5)", &["Red", "Blue"]).unwrap();
    let play = Match {
        machine,
        plan,
        clock: Arc::new(|| Duration::ZERO),
    };
    let options = MatchOptions {
        games: 1,
        seed: 3,
        threads: Some(2),
    };
    let never = AtomicBool::new(false);
    let result = play_match(&play, &options, &|_| {}, &never).unwrap();
    assert_eq!(result.finished, 1);
    assert_eq!(result.players[0].blind, 0);
}
