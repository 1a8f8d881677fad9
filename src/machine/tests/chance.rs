//! Draws and deals: what may happen, how often, and that sampling keeps to it.

use super::{Machine, Outcomes, Run, game, small};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use std::collections::HashMap;

/// Samples where the game stands and compares with the listed weights: nothing else occurs, and chi-square stays below
/// its 10⁻⁶ point (Wilson and Hilferty's approximation).
#[track_caller]
fn sampling_keeps_to_the_listing(machine: &Machine, run: &Run<'_>) {
    const N: u32 = 20_000;
    let mut outcomes = Outcomes::default();
    machine
        .outcomes(&run.state, &mut outcomes)
        .expect("outcomes");
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    let mut counts: HashMap<_, u32> = HashMap::new();
    for _ in 0..N {
        *counts
            .entry(machine.sample_chance(&run.state, &mut rng).expect("a draw"))
            .or_default() += 1;
    }
    assert!(
        counts
            .keys()
            .all(|a| outcomes.list.iter().any(|(b, _)| a == b))
    );
    let chi: f64 = outcomes
        .list
        .iter()
        .map(|(a, w)| {
            let expected = f64::from(N) * *w as f64 / outcomes.total as f64;
            let got = f64::from(counts.get(a).copied().unwrap_or(0));
            (got - expected).powi(2) / expected
        })
        .sum();
    let degrees = (outcomes.list.len() as f64 - 1.0).max(1.0);
    let limit =
        degrees * (1.0 - 2.0 / (9.0 * degrees) + 4.75 * (2.0 / (9.0 * degrees)).sqrt()).powi(3);
    assert!(chi <= limit, "chi-square {chi} over {degrees} degrees");
}

#[test]
fn a_deal_is_a_uniform_subset() {
    let machine = small(
        "",
        "stock : set of 1..6 = all seen by none  hand : [p: Player] set of 1..6 seen by p",
        "deal 2 from stock to hand[Ann]  deal 3 from stock to hand[Ben]",
    );
    let mut run = Run::new(&machine);
    let first = run.outcomes();
    // C(6, 2), each as likely as the others.
    assert_eq!(first.len(), 15);
    assert!(first.iter().all(|(_, w)| *w == 1));
    assert_eq!(first[0].0, "{1, 2}");
    sampling_keeps_to_the_listing(&machine, &run);
    run.play("{2, 5}");
    assert_eq!(run.get("hand[Ann]"), "{2, 5}");
    assert_eq!(run.get("stock"), "{1, 3, 4, 6}");
    // C(4, 3).
    assert_eq!(run.outcomes().len(), 4);
    run.play("{1, 3, 6}");
    assert_eq!(run.get("stock"), "{4}");
    assert_eq!(run.get("hand[Ben]"), "{1, 3, 6}");
    // Each hand is seen by its owner only.
    let deals: Vec<(&str, usize)> = run
        .events
        .iter()
        .map(|e| (e.viewers.as_str(), e.observation.values.len()))
        .collect();
    assert_eq!(deals, [("Ann", 2), ("Ben", 2)]);
}

#[test]
fn a_deal_adds_to_a_hand_and_may_be_of_none_or_all() {
    let machine = small(
        "",
        "stock : set of 1..80 = { 1, 64, 65, 80 }  hand : [Player] set of 1..80 = { 7 }  n : 0..4 = 0",
        "deal n from stock to hand[Ann]  deal 4 from stock to hand[Ben]",
    );
    let mut run = Run::new(&machine);
    assert_eq!(run.outcomes(), [("{}".to_string(), 1)]);
    assert_eq!(
        run.play("{}").outcomes(),
        [("{1, 64, 65, 80}".to_string(), 1)]
    );
    run.play("{1, 64, 65, 80}");
    assert_eq!(run.get("hand[Ann]"), "{7}");
    assert_eq!(run.get("hand[Ben]"), "{1, 7, 64, 65, 80}");
    assert_eq!(run.get("stock"), "{}");
}

#[test]
fn a_large_deal_is_sampled_without_listing() {
    let machine = small(
        "",
        "stock : set of 1..104 = all seen by none  hand : [p: Player] set of 1..104 seen by p",
        "deal 26 from stock to hand[Ann]",
    );
    let mut run = Run::new(&machine);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut times = [0u32; 104];
    for _ in 0..2000 {
        let outcome = machine.sample_chance(&run.state, &mut rng).expect("a deal");
        let mut state = run.state.clone();
        machine
            .step(&mut state, std::slice::from_ref(&outcome))
            .expect("a step");
        let dealt: Vec<u64> = crate::model::types::bits(&outcome.0[1..]).collect();
        assert_eq!(dealt.len(), 26);
        dealt.iter().for_each(|card| times[*card as usize] += 1);
    }
    // Each card is dealt 500 times on average, with a standard deviation of 19.4; six of them either way.
    assert!(times.iter().all(|n| (384..=616).contains(n)), "{times:?}");
    let mut outcomes = Outcomes::default();
    let error = machine
        .outcomes(&run.state, &mut outcomes)
        .expect_err("C(104, 26) outcomes");
    assert_eq!(error.code.0, "E0709");
    run.events.clear();
}

#[test]
fn weights_beyond_all_numbers_are_an_error() {
    let machine = small("", "", "draw x in 0..3 weighted 9223372036854775807 - x");
    let run = Run::new(&machine);
    let listed = machine.outcomes(&run.state, &mut Outcomes::default());
    let sampled = machine.sample_chance(&run.state, &mut Xoshiro256PlusPlus::seed_from_u64(1));
    for error in [
        listed.expect_err("four outcomes"),
        sampled.map(drop).expect_err("a weight"),
    ] {
        assert_eq!(error.code.0, "E0709");
        assert!(error.message.contains("weights"), "{}", error.message);
    }
}

#[test]
fn weights_decide_how_often() {
    let machine = small(
        "",
        "w : [1..4] 0..9 = 0  got : 1..4",
        "w[1] = 3  w[3] = 1  w[4] = 4  draw x in 1..4 weighted w[x] into got",
    );
    let mut run = Run::new(&machine);
    // 2 has weight 0 and does not occur.
    assert_eq!(
        run.outcomes(),
        [
            ("1".to_string(), 3),
            ("3".to_string(), 1),
            ("4".to_string(), 4)
        ]
    );
    sampling_keeps_to_the_listing(&machine, &run);
    run.play("3");
    assert_eq!(run.get("got"), "3");
}

#[test]
fn several_values_are_drawn_at_once() {
    let machine = small(
        "",
        "s : set of 1..9 = { 2, 3, 5 }  low : 1..9  high : 1..9",
        "draw a in s into low, b in s - a into high where a < b as \"{a}-{b}\"",
    );
    let mut run = Run::new(&machine);
    assert_eq!(
        run.outcomes(),
        [
            ("2-3".to_string(), 1),
            ("2-5".to_string(), 1),
            ("3-5".to_string(), 1)
        ]
    );
    sampling_keeps_to_the_listing(&machine, &run);
    run.play("2-5");
    assert_eq!((run.get("low"), run.get("high")), ("2".into(), "5".into()));
}

#[test]
fn later_domains_and_weights_read_earlier_values() {
    let machine = small(
        "",
        "x : 0..9  y : 0..9",
        "draw a in 1..2, b in 1..a weighted a * b into y as \"{a},{b}\"  x = a",
    );
    let mut run = Run::new(&machine);
    let listed: Vec<(String, u64)> = run.outcomes();
    assert_eq!(
        listed,
        [
            ("1,1".to_string(), 1),
            ("2,1".to_string(), 2),
            ("2,2".to_string(), 4)
        ]
    );
    sampling_keeps_to_the_listing(&machine, &run);
    run.play("2,1");
    assert_eq!((run.get("x"), run.get("y")), ("2".into(), "1".into()));
}

#[test]
fn elements_of_a_long_set_are_drawn_evenly() {
    let machine = small(
        "",
        "s : set of 0..199 = { 0, 1, 63, 64, 100, 128, 199 }  got : 0..199",
        "draw x in s into got",
    );
    let mut run = Run::new(&machine);
    sampling_keeps_to_the_listing(&machine, &run);
    assert_eq!(run.outcomes().len(), 7);
    run.play("199");
    assert_eq!(run.get("got"), "199");
}

#[test]
fn draws_from_negative_ranges_products_and_players() {
    let machine = small(
        "enum Coin { heads, tails }  type Pair = (n: -1..0, coin: Coin)",
        "x : -5..5  who : Player  y : -1..0",
        "draw a in { -5, -1, 4 } into x  draw q in Player into who  draw b in Pair  y = b.n",
    );
    let mut run = Run::new(&machine);
    assert_eq!(run.outcomes()[0].0, "-5");
    assert_eq!(run.play("-1").outcomes()[1].0, "Ben");
    run.play("Ben").play("(-1, tails)");
    assert_eq!(
        (run.get("x"), run.get("who"), run.get("y")),
        ("-1".into(), "Ben".into(), "-1".into())
    );
}

#[test]
fn a_draw_reads_what_the_last_step_changed() {
    let machine = game(
        "game Bag { players { A } state { bag : set of 1..5 = all  sum_ : 0..99 }
         play { repeat 5 times { draw x in bag as \"{x}\"  bag -= x  sum_ = sum_ * 2 + x } }
         payoff general-sum: [p in Player] sum_ }",
    );
    let mut run = Run::new(&machine);
    for (i, x) in ["4", "1", "5", "2", "3"].iter().enumerate() {
        assert_eq!(run.outcomes().len(), 5 - i);
        run.play(x);
    }
    // ((((4 * 2 + 1) * 2 + 5) * 2 + 2) * 2 + 3 would be 99 at most.
    assert_eq!(run.get("sum_"), "99");
}

/// Where nothing can be drawn no weight is computed, which might be an error of play there.
#[test]
fn no_weight_is_computed_for_nothing() {
    for draw in [
        "draw a in Row, c in Cell where c in s[a] weighted min(d in s[a]) d + 1",
        "draw a in Row, c in s[a] weighted min(d in s[a]) d + 1",
    ] {
        let machine = small(
            "type Row = 0..2  type Cell = 0..20",
            "s : [Row] set of Cell = { 0: { 3, 5 }, 1: {}, 2: { 7 } }",
            &format!("{draw} as \"{{a}} {{c}}\""),
        );
        let run = Run::new(&machine);
        let weights: Vec<u64> = run.outcomes().iter().map(|(_, w)| *w).collect();
        assert_eq!(weights, [4, 4, 8]);
        sampling_keeps_to_the_listing(&machine, &run);
    }
}
