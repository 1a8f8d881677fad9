//! Limit hold'em: the hands against published frequencies and against a judge who looks at every five of seven cards, the
//! betting against a count by hand.

use crate::support::{load, load_text, random_step, text};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::internal::check::Settings;
use ruse::internal::machine::{Machine, Outcomes, State, Turn};
use ruse::internal::solve::{PerftOptions, perft};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

const RANKS: &str = "23456789TJQKA";

/// How often each kind of hand comes up among all of five cards, as the game's own `strength` tells them.
fn kinds(ranks: &str) -> BTreeMap<String, u64> {
    let whole = text("limit-holdem");
    let start = whole.find("  play {").expect("play");
    let payoff = whole.find("  payoff ").expect("a payoff");
    let hands = format!(
        "{}  play {{ draw dealt in subsets(Card, 5)  best = max(strength(dealt)).kind }}\n{}",
        whole[..start].replace("  state {\n", "  state {\n    best : Kind\n"),
        &whole[payoff..]
    );
    let settings = Settings::from([("ranks".to_string(), ranks.to_string())]);
    let machine = load_text("hands.game", &hands, &settings);
    let initial = machine.initial().expect("a first node");
    let mut outcomes = Outcomes::default();
    machine.outcomes(&initial, &mut outcomes).expect("hands");
    let mut kinds = BTreeMap::new();
    for (action, _) in &outcomes.list {
        let mut state = initial.clone();
        machine
            .step(&mut state, std::slice::from_ref(action))
            .expect("a step");
        *kinds.entry(entry(&machine, &state, "best")).or_default() += 1;
    }
    kinds
}

fn entry(machine: &Machine, state: &State, name: &str) -> String {
    let view = machine.whole_view(state).entries;
    let found = view.into_iter().find(|e| e.name == name);
    found.expect(name).value
}

fn choose(n: u64, k: u64) -> u64 {
    (1..=k).fold(1, |product, i| product * (n + 1 - i) / i)
}

/// What combinatorics says of so many ranks in four suits, of which so many stand in a row of five.
fn expected(ranks: u64, straights: u64) -> BTreeMap<String, u64> {
    let sets = choose(ranks, 5) - straights;
    let all = [
        ("straight_flush", 4 * straights),
        ("four", ranks * (ranks - 1) * 4),
        ("full_house", ranks * 4 * (ranks - 1) * 6),
        ("flush", 4 * sets),
        ("straight", straights * (4u64.pow(5) - 4)),
        ("three", ranks * 4 * choose(ranks - 1, 2) * 16),
        ("two_pairs", choose(ranks, 2) * 36 * (ranks - 2) * 4),
        ("pair", ranks * 6 * choose(ranks - 1, 3) * 64),
        ("high_card", sets * (4u64.pow(5) - 4)),
    ];
    all.map(|(kind, n)| (kind.to_string(), n)).into()
}

/// Seven ranks: eight to four, seven to three, six to two, and five to two with the eight below.
#[test]
fn hands_of_a_small_deck_are_as_frequent_as_combinatorics_says() {
    assert_eq!(kinds("7"), expected(7, 4));
}

/// The published frequencies among 2,598,960.
#[test]
#[ignore = "looks at 2.6 million hands"]
fn hands_are_as_frequent_as_published() {
    let published = [
        ("straight_flush", 40),
        ("four", 624),
        ("full_house", 3_744),
        ("flush", 5_108),
        ("straight", 10_200),
        ("three", 54_912),
        ("two_pairs", 123_552),
        ("pair", 1_098_240),
        ("high_card", 1_302_540),
    ];
    let published = published.map(|(kind, n)| (kind.to_string(), n)).into();
    assert_eq!(expected(13, 10), published);
    assert_eq!(kinds("13"), published);
}

/// Cards as places of rank and suit, of a set as the game writes it.
fn cards(set: &str) -> Vec<(usize, char)> {
    let inner = set.trim_matches(['{', '}']);
    let card = |c: &str| {
        let mut signs = c.chars();
        let rank = RANKS.find(signs.next()?)?;
        Some((rank, signs.next()?))
    };
    inner.split(", ").filter_map(card).collect()
}

/// The worth of five cards: their kind, then the ranks by how often they come and how high they are.
fn worth(five: &[(usize, char)]) -> (usize, Vec<usize>) {
    let mut ranks: Vec<(usize, usize)> = Vec::new();
    for rank in 0..RANKS.len() {
        let times = five.iter().filter(|c| c.0 == rank).count();
        if times > 0 {
            ranks.push((times, rank));
        }
    }
    ranks.sort_by(|a, b| b.cmp(a));
    let times: Vec<usize> = ranks.iter().map(|r| r.0).collect();
    let mut order: Vec<usize> = ranks.iter().map(|r| r.1).collect();
    let flush = five.iter().all(|c| c.1 == five[0].1);
    let wheel = order == [12, 3, 2, 1, 0];
    let straight = order.len() == 5 && (order[0] - order[4] == 4 || wheel);
    if wheel {
        order = vec![3, 2, 1, 0];
    }
    let kind = match (flush, straight, times.as_slice()) {
        (true, true, _) => 8,
        (_, _, [4, 1]) => 7,
        (_, _, [3, 2]) => 6,
        (true, ..) => 5,
        (_, true, _) => 4,
        (_, _, [3, 1, 1]) => 3,
        (_, _, [2, 2, 1]) => 2,
        (_, _, [2, ..]) => 1,
        _ => 0,
    };
    (kind, order)
}

/// The best of the 21 hands of five among seven cards.
fn best(seven: &[(usize, char)]) -> (usize, Vec<usize>) {
    let mut found = Vec::new();
    for i in 0..7 {
        for j in 0..i {
            let five = seven.iter().enumerate();
            let five: Vec<_> = five
                .filter(|(n, _)| *n != i && *n != j)
                .map(|c| *c.1)
                .collect();
            found.push(worth(&five));
        }
    }
    found.into_iter().max().expect("hands")
}

#[test]
fn the_best_five_of_seven_win() {
    let machine = load("limit-holdem", &[]);
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
    let (mut shown, mut shared) = (0, 0);
    for _ in 0..3_000 {
        let mut state = machine.initial().expect("a first node");
        let mut last = String::new();
        while let Some(actions) = random_step(&machine, &state, &mut rng) {
            if let Turn::Decision(mask) = machine.turn(&state) {
                let p = mask.iter().next().expect("a player");
                last = machine.action_text(&state, p, &actions[0], None);
            }
            machine.step(&mut state, &actions).expect("a step");
        }
        if last == "fold" {
            continue;
        }
        let of = |name: &str| entry(&machine, &state, name);
        let hands = ["hand[Blind]", "hand[Dealer]"].map(|hand| {
            let mut seven = cards(&of(hand));
            seven.extend(cards(&of("table")));
            assert_eq!(seven.len(), 7);
            best(&seven)
        });
        let chips = of("chips[Blind]").parse::<f64>().expect("chips");
        assert_eq!(of("chips[Dealer]"), of("chips[Blind]"));
        let won = match hands[0].cmp(&hands[1]) {
            std::cmp::Ordering::Greater => chips,
            std::cmp::Ordering::Equal => 0.0,
            std::cmp::Ordering::Less => -chips,
        };
        assert_eq!(
            machine.payoffs(&state).expect("payoffs").to_vec(),
            [won, -won]
        );
        shown += 1;
        shared += i32::from(won == 0.0);
    }
    assert!(shown > 200 && shared > 5, "{shown} {shared}");
}

/// What a round of betting has come to after some moves.
enum Place {
    ToMove,
    Folded,
    Over,
}

/// Every place of a round, with the number of moves before it. `owed` is whether who is to move has put in less, `left` how
/// many bets may still be made, `asked` whether the other has yet to move.
fn round(owed: bool, left: u32, asked: bool, moves: usize, place: &mut dyn FnMut(usize, Place)) {
    place(moves, Place::ToMove);
    if owed {
        place(moves + 1, Place::Folded);
    }
    match asked {
        true => round(false, left, false, moves + 1, place),
        false => place(moves + 1, Place::Over),
    }
    if left > 0 {
        round(true, left - 1, false, moves + 1, place);
    }
}

/// Histories by their length, from the deals and the rounds.
fn histories(cards: u64, bets: u32, depth: usize) -> Vec<u64> {
    let deals: [&[u64]; 4] = [
        &[choose(cards, 2), choose(cards - 2, 2)],
        &[choose(cards - 4, 3)],
        &[cards - 7],
        &[cards - 8],
    ];
    let mut by_length = vec![0; depth + 20 * 4];
    // How many histories of each length come to the deals before a round.
    let mut going: BTreeMap<usize, u64> = [(0, 1)].into();
    for (number, deals) in deals.iter().enumerate() {
        let mut next: BTreeMap<usize, u64> = BTreeMap::new();
        for (mut length, mut count) in going {
            for deal in *deals {
                by_length[length] += count;
                length += 1;
                count *= deal;
            }
            let first = number == 0;
            round(
                first,
                bets - u32::from(first),
                true,
                0,
                &mut |moves, place| match place {
                    Place::Over if number < 3 => *next.entry(length + moves).or_default() += count,
                    _ => by_length[length + moves] += count,
                },
            );
        }
        going = next;
    }
    by_length.truncate(depth + 1);
    by_length
}

#[test]
fn small_games_have_as_many_histories_as_the_bets_allow() {
    for (ranks, suits, bets, depth) in [(5, 2, 1, 8), (5, 2, 2, 7), (5, 2, 4, 6), (6, 2, 3, 6)] {
        let set = [ranks, suits, bets].map(|n: u64| n.to_string());
        let machine = load(
            "limit-holdem",
            &[("ranks", &set[0]), ("suits", &set[1]), ("bets", &set[2])],
        );
        let options = PerftOptions {
            depth: Some(depth),
            ..PerftOptions::default()
        };
        let found =
            perft(&machine, &options, &mut |_| {}, &AtomicBool::new(false)).expect("counts");
        let expected = histories(ranks * suits, bets as u32, depth);
        assert_eq!(found.nodes_by_depth, expected, "{set:?}");
    }
}
