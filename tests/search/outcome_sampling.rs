//! Online outcome sampling: it comes nearer to an equilibrium the longer it searches, plays by the rules from what it is told,
//! and says which games it is not for.

use crate::support::{load, load_text};
use ruse::internal::arena::experiment::fresh_searches::Questions;
use ruse::internal::machine::Machine;
use ruse::internal::players::{Clock, PlayerSpec, by_information_state};
use ruse::internal::solve::tree::{TreeOptions, build};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

fn nash_conv(machine: &Arc<Machine>, spec: &str, seed: u64) -> f64 {
    let never = AtomicBool::new(false);
    let tree = build(machine, &TreeOptions::default(), &mut |_| {}, &never).unwrap();
    let questions = Questions::new(machine, tree).unwrap();
    let search = by_information_state(&PlayerSpec::parse(spec).unwrap()).unwrap();
    let found = questions.nash_conv(&search, &[1], seed, &never);
    found.unwrap().unwrap()[0]
}

#[test]
fn longer_searches_are_less_exploitable() {
    let kuhn = load("kuhn-poker", &[]);
    let leduc = load("leduc-poker", &[("suits", "merged")]);
    let goofspiel = load("goofspiel-hidden", &[("cards", "3")]);
    let games = [
        (&kuhn, 100, 5000, 0.5),
        (&leduc, 30, 1000, 0.85),
        (&goofspiel, 30, 1000, 0.5),
    ];
    for (machine, little, much, share) in games {
        let of = |playouts: u64| nash_conv(machine, &format!("oos(playouts={playouts})"), 1);
        let (little, much) = (of(little), of(much));
        assert!(much < share * little, "{little}, then {much}");
    }
}

#[test]
fn baselines_make_short_searches_less_exploitable() {
    let kuhn = load("kuhn-poker", &[]);
    let of = |baselines| {
        let spec = format!("oos(playouts=2000, baselines={baselines})");
        (1..=4)
            .map(|seed| nash_conv(&kuhn, &spec, seed))
            .sum::<f64>()
    };
    let (with, without) = (of("learned"), of("none"));
    assert!(with < 0.8 * without, "{with} with them, {without} without");
}

#[test]
fn regrets_above_0_make_short_searches_less_exploitable() {
    let leduc = load("leduc-poker", &[("suits", "merged")]);
    let of = |regrets| {
        let spec = format!("oos(playouts=1000, baselines=learned, regrets={regrets})");
        nash_conv(&leduc, &spec, 1)
    };
    let (positive, all) = (of("positive"), of("all"));
    assert!(
        positive < 0.85 * all,
        "{positive} with them, {all} with all"
    );
}

/// The same seed gives the same strategies, another one others.
#[test]
fn a_seed_gives_a_strategy() {
    let kuhn = load("kuhn-poker", &[("seats", "3")]);
    let of = |seed| nash_conv(&kuhn, "oos(playouts=200)", seed);
    assert_eq!(of(5).to_bits(), of(5).to_bits());
    assert_ne!(of(5).to_bits(), of(6).to_bits());
}

const TEAMS: &str = "game Teams {
  players { Ann, Ben, Cem, Dora }
  team Even { Ann, Cem }
  team Odd { Ben, Dora }
  state { a : 0..1 }
  play { Ann chooses x in 0..1 into a }
  payoff zero-sum: [p in Player] if (a == 1) == (p in { Ann, Cem }) then 1 else -1
}";

#[test]
fn games_without_opponents_are_refused() {
    let clock: Clock = Arc::new(|| Duration::ZERO);
    let refused = |text: &str| {
        let machine = load_text("game", text, &Default::default());
        let spec = PlayerSpec::parse("oos").unwrap();
        spec.player(&machine, &clock)
            .map(drop)
            .unwrap_err()
            .to_string()
    };
    let alone = "game Alone { players { Ann } state { a : 0..1 } play { Ann chooses x in 0..1 into a } payoff general-sum: [p in Player] a }";
    assert!(
        refused(alone).contains("there is one player"),
        "{}",
        refused(alone)
    );
    assert!(refused(TEAMS).contains("in one team"), "{}", refused(TEAMS));
}
