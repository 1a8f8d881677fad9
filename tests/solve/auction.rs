//! A sealed-bid auction against what is known of its equilibria (Vickrey 1961).

use crate::support::load;
use ruse::internal::solve::tree::build;
use ruse::internal::solve::{Profile, Sequences, TreeOptions, exploitability};
use std::sync::atomic::AtomicBool;

/// How much the bidders could gain together where each bids by its value.
fn gain(seats: usize, top: usize, price: &str, bid: impl Fn(usize) -> usize) -> f64 {
    let (seats, top) = (seats.to_string(), top.to_string());
    let settings = [("seats", &*seats), ("top", &top), ("price", price)];
    let machine = load("sealed-bid", &settings);
    let tree = build(
        &machine,
        &TreeOptions::default(),
        &mut |_| {},
        &AtomicBool::new(false),
    );
    let tree = tree.expect("a tree");
    let mut weights = vec![0.0; tree.choice_count()];
    for player in 0..tree.players() {
        // One for each value, in their order.
        for (value, state) in tree.states_of(player).enumerate() {
            let first = tree.information_states()[state].range().start;
            weights[first + bid(value)] = 1.0;
        }
    }
    let profile = Profile::from_weights(&tree, &weights);
    exploitability(&Sequences::new(&tree), &profile).nash_conv
}

#[test]
fn nobody_gains_by_bidding_another_value_at_the_second_price() {
    for (seats, top) in [(2, 1), (2, 3), (2, 5), (3, 3)] {
        assert!(gain(seats, top, "second", |value| value).abs() < 1e-9);
    }
    assert!(gain(2, 3, "second", |value| value / 2) > 0.01);
}

#[test]
fn two_bidders_bid_half_their_value_at_the_first_price() {
    for top in [1, 3, 5] {
        assert!(gain(2, top, "first", |value| value / 2).abs() < 1e-9);
    }
    assert!(gain(2, 3, "first", |value| value) > 0.01);
}

/// Each of s bidders has n values and as many bids; the winner is one of the highest bidders.
#[test]
fn auctions_are_counted() {
    use ruse::internal::solve::{PerftOptions, perft};
    for (seats, top) in [(2u32, 3u64), (3, 1), (3, 2)] {
        let n = top + 1;
        let (s, t) = (seats.to_string(), top.to_string());
        let machine = load("sealed-bid", &[("seats", &s), ("top", &t)]);
        let options = PerftOptions {
            details: true,
            ..PerftOptions::default()
        };
        let found = perft(&machine, &options, &mut |_| {}, &AtomicBool::new(false)).expect("perft");
        let winners: u64 = (1..=n)
            .map(|bids| u64::from(seats) * bids.pow(seats - 1))
            .sum();
        assert_eq!(found.terminals, n.pow(seats) * winners);
        let states = found.details.expect("details").information_states;
        assert!(states.values().all(|found| *found == n));
    }
}
