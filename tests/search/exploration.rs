//! C of UCB1 where nobody sets it.

use crate::support::load_text;
use ruse::internal::arena::{Match, MatchOptions, SeatingPlan, play_match};
use ruse::internal::check::Settings;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Ann gets from 2 to 32 points, and the ranges allow some thousands: with a C of that size every move is tried as often, and chance
/// decides which was tried most.
const WIDE: &str = "game Wide {
  players { Ann, Ben }
  state { x : 1..6  luck : 0..20 }
  def points = 2 * x + luck
  play { Ann chooses v in 1..6 into x  draw n in 0..20 into luck }
  payoff general-sum: { Ann: 100 * points - 99 * points  Ben: 0 }
}";

/// What Ann gets in 200 games.
fn mean(player: &str) -> f64 {
    let machine = load_text("wide.game", WIDE, &Settings::default());
    let seats: Vec<String> = machine.player_names().map(str::to_string).collect();
    let result = play_match(
        &Match {
            plan: SeatingPlan::parse(&format!("Ann={player},Ben=random"), &seats).unwrap(),
            machine,
            clock: Arc::new(|| Duration::ZERO),
        },
        &MatchOptions {
            games: 200,
            seed: 1,
            threads: Some(2),
        },
        &|_| {},
        &AtomicBool::new(false),
    );
    let result = result.unwrap();
    result.players[0].results.payoff.mean.unwrap()
}

/// The best move brings 22 in the mean, and one at random 17.
#[test]
fn searches_explore_by_what_they_have_seen() {
    for (player, least) in [
        ("uct(playouts=300", 21.0),
        ("ismcts(playouts=300", 21.0),
        ("determinized(playouts=300", 21.0),
        ("i2_uct(playouts=300, final=visits", 21.0),
        // These play a mix by how often they have tried what.
        ("smooth_uct(playouts=300", 18.5),
        ("smmcts(playouts=300, select=duct_mix", 18.5),
    ] {
        let (seen, rules) = (
            mean(&format!("{player})")),
            mean(&format!("{player}, c=rules)")),
        );
        assert!(seen > least && rules < 18.0, "{player}: {seen}, {rules}");
    }
}
