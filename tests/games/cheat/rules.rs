//! The rules, in random games and in every game of small decks.

use super::model::{Cards, Game, Move, add, subsets};
use super::table::{EVEN, Habit, Settings, Table, choose};
use crate::support::load;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::internal::machine::Turn;
use ruse::internal::model::PlayerSet;
use ruse::internal::solve::{PerftOptions, perft};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

const SETTINGS: [Settings<'static>; 5] = [
    &[],
    &[("dealt", "3"), ("rounds", "6")],
    &[("ranks", "4"), ("suits", "2"), ("rounds", "20")],
    &[("ranks", "5"), ("suits", "1"), ("rounds", "9")],
    &[("ranks", "3"), ("suits", "4"), ("dealt", "2")],
];

/// Moves, options, ends and payoffs are those of the model, and the cards are all there.
#[test]
fn every_rule_of_the_paper_holds_in_random_games() {
    let mut met: BTreeMap<&str, u32> = BTreeMap::new();
    let mut count = |what: &'static str, yes: bool| *met.entry(what).or_default() += u32::from(yes);
    for settings in SETTINGS {
        for seed in 0..120 {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut table = Table::shuffled(settings, &mut rng);
            let mut begun = [false; 2];
            begun[table.mover()] = true;
            count("Ann begins", begun[0]);
            count("Ben begins", begun[1]);
            while table.game.over.is_none() {
                if table.game.hands[table.game.turn].len() <= 6 {
                    same_options(&table);
                }
                let made = choose(&table.game, EVEN, &mut rng);
                let before = table.game.clone();
                table.play(&made, |m, s| m.sample_chance(s, &mut rng).expect("a draw"));
                match &made {
                    Move::Claim { rank, cards } => {
                        let last = before.ranks - 1;
                        count("an ace after a king", before.claimed == last && *rank == 0);
                        count("a king after an ace", before.claimed == 0 && *rank == last);
                        count("four cards", cards.len() == 4);
                        count(
                            "after a call",
                            before.history.last().is_some_and(|e| e.made == Move::Call),
                        );
                        count("an empty hand", table.game.hands[before.turn].is_empty());
                    }
                    Move::Call => {
                        let honest = before.true_claim(before.claimed, &before.last);
                        count("a false call", honest);
                        count("a liar caught", !honest);
                        let emptied = before.hands[1 - before.turn].is_empty();
                        count("caught with the last cards", emptied && !honest);
                    }
                    Move::Take => count("the last card of the deck", table.game.deck.is_empty()),
                }
            }
            let game = &table.game;
            let sizes = [game.hands[0].len(), game.hands[1].len()];
            count("an end by an empty hand", sizes.contains(&0));
            count(
                "an end by the limit",
                game.history.len() == game.rounds && sizes[0] != sizes[1],
            );
            count("a draw", game.over == Some([0.0, 0.0]));
        }
    }
    assert_eq!(met.len(), 14);
    for (what, times) in met {
        assert!(times >= 10, "{what}: {times}");
    }
}

/// What the machine offers is what the model offers; and how much that is.
fn same_options(table: &Table) {
    let (game, machine) = (&table.game, &table.machine);
    let actions = table.legal();
    let expected: BTreeSet<String> = game.options().iter().map(|m| game.move_text(m)).collect();
    let found: BTreeSet<String> = actions
        .iter()
        .map(|a| machine.action_text(&table.state, game.turn, a, None))
        .collect();
    assert_eq!(found, expected);
    // Both ranks with one to four of h cards, and what else there is.
    let h = game.hands[game.turn].len() as i64;
    let choose = |k: i64| (0..k).map(|i| h - i).product::<i64>() / (1..=k).product::<i64>();
    let claims: i64 = (1..=4).map(choose).sum();
    let others = i64::from(game.can_call()) + i64::from(!game.deck.is_empty());
    assert_eq!(actions.len() as i64, 2 * claims + others);
}

/// Section 4.2: the own hand, the claims, how many cards there are in each place, and the cards of a stack turned over.
#[test]
fn players_see_what_the_paper_grants_them() {
    for seed in 0..40 {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut table = Table::shuffled(&[], &mut rng);
        while table.game.over.is_none() {
            for p in 0..2 {
                let names: Vec<String> = table
                    .machine
                    .view(&table.state, p)
                    .entries
                    .into_iter()
                    .map(|e| e.name)
                    .collect();
                let own = ["hand[Ann]", "hand[Ben]"][p];
                assert_eq!(names, [own, "claimed", "previous", "winners"]);
            }
            let (me, made) = (table.mover(), choose(&table.game, EVEN, &mut rng));
            let text = |viewer| {
                let action = table.action(&made);
                table
                    .machine
                    .action_text(&table.state, me, &action, Some(viewer))
            };
            if let Move::Claim { rank, cards } = &made {
                let rank = table.game.rank_text(*rank);
                assert_eq!(text(1 - me), format!("{} x {rank}: ·", cards.len()));
            }
            assert_eq!(text(me), table.game.move_text(&made));
            // Every event that the other player sees.
            let action = table.action(&made);
            let mut seen: Vec<Vec<u64>> = Vec::new();
            let mut state = table.state.clone();
            table
                .machine
                .step_observed(&mut state, &[action], &mut |event| {
                    if event.viewers.contains(1 - me) {
                        seen.push(event.values.to_vec());
                    }
                })
                .expect("a step");
            let bits = |cards: &Cards| cards.iter().fold(0u64, |bits, c| bits | 1 << c);
            let game = &table.game;
            if made == Move::Call {
                assert!(
                    seen.iter().any(|v| v[..] == [bits(&game.last)]),
                    "the claim is examined"
                );
                assert!(
                    seen.iter().any(|v| v[..] == [bits(&game.stack)]),
                    "the stack is revealed"
                );
            }
            table.play(&made, |m, s| m.sample_chance(s, &mut rng).expect("a draw"));
        }
    }
}

/// A large hand is played without a list of its hundreds of thousands of moves.
#[test]
fn moves_of_a_large_hand_are_sampled() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    let taking = Habit {
        lie: 0,
        honest: 0,
        call: 0,
        take: 1,
        most: 4,
    };
    let mut table = Table::shuffled(&[("dealt", "15")], &mut rng);
    while !table.game.deck.is_empty() {
        let made = choose(&table.game, taking, &mut rng);
        table.play(&made, |m, s| m.sample_chance(s, &mut rng).expect("a draw"));
    }
    let mut sizes = [0u32; 5];
    let me = table.mover();
    let hand = &table.game.hands[me];
    assert!(hand.len() >= 25);
    for _ in 0..2000 {
        let action = table
            .machine
            .sample(&table.state, me, &mut rng)
            .expect("a move");
        let Move::Claim { rank, cards } = table.made(&action) else {
            continue;
        };
        assert!([table.game.higher(), table.game.lower()].contains(&rank));
        assert!(cards.is_subset(hand));
        sizes[cards.len()] += 1;
    }
    // 12,650 of 15,275 subsets of 25 cards are of four, 14,950 of 17,901 of 26.
    let fours = f64::from(sizes[4]) / 2000.0;
    assert!(sizes[0] == 0 && (0.79..0.87).contains(&fours), "{sizes:?}");
}

#[test]
fn a_deck_has_the_ranks_and_suits_of_the_params_and_hands_leave_a_card() {
    for (ranks, suits, dealt, most) in [
        ("3", "1", "1", 1),
        ("4", "2", "3", 3),
        ("13", "4", "25", 25),
    ] {
        let settings = [("ranks", ranks), ("suits", suits), ("dealt", dealt)];
        let table = Table::shuffled(&settings, &mut Xoshiro256PlusPlus::seed_from_u64(1));
        let cards: usize = ranks.parse::<usize>().unwrap() * suits.parse::<usize>().unwrap();
        assert_eq!(table.game.deck.len(), cards - 2 * most - 1);
        let more = (most + 1).to_string();
        let settings = [("ranks", ranks), ("suits", suits), ("dealt", &more)];
        let settings = settings.map(|(k, v)| (k.to_string(), v.to_string()));
        let text = crate::support::text("cheat");
        let problems = ruse::load(&text, &settings.into_iter().collect()).err();
        let codes: Vec<&str> = problems
            .expect("too many")
            .iter()
            .map(|d| d.code.0)
            .collect();
        assert_eq!(codes, ["E0302"]);
    }
}

/// All histories of small decks, by their plies, with their ends, as the model counts them.
#[test]
fn all_games_of_small_decks() {
    for (settings, depth) in [
        (
            [
                ("ranks", "3"),
                ("suits", "1"),
                ("dealt", "1"),
                ("rounds", "8"),
            ],
            30,
        ),
        (
            [
                ("ranks", "4"),
                ("suits", "1"),
                ("dealt", "1"),
                ("rounds", "5"),
            ],
            30,
        ),
        (
            [
                ("ranks", "5"),
                ("suits", "1"),
                ("dealt", "2"),
                ("rounds", "100"),
            ],
            8,
        ),
        (
            [
                ("ranks", "3"),
                ("suits", "2"),
                ("dealt", "2"),
                ("rounds", "3"),
            ],
            30,
        ),
    ] {
        let machine = load("cheat", &settings);
        let options = PerftOptions {
            depth: Some(depth),
            ..PerftOptions::default()
        };
        let found =
            perft(&machine, &options, &mut |_| {}, &AtomicBool::new(false)).expect("counts");
        let [ranks, suits, dealt, rounds] = settings.map(|(_, v)| v.parse::<usize>().unwrap());
        let (nodes, ends) = counted(ranks as u8, suits as u8, dealt, rounds, depth);
        assert_eq!(found.nodes_by_depth, nodes, "{settings:?}");
        assert_eq!(found.terminals_by_depth, ends, "{settings:?}");
        assert!(found.terminals > 0);
    }
}

fn counted(
    ranks: u8,
    suits: u8,
    dealt: usize,
    rounds: usize,
    depth: usize,
) -> (Vec<u64>, Vec<u64>) {
    let (mut nodes, mut ends) = (Vec::new(), Vec::new());
    let all: Cards = (0..ranks * suits).collect();
    let hands = |of: &Cards| {
        let mut found = subsets(of, dealt);
        found.retain(|s| s.len() == dealt);
        found
    };
    add(&mut nodes, 0);
    for ann in hands(&all) {
        add(&mut nodes, 1);
        let left: Cards = all.difference(&ann).copied().collect();
        for ben in hands(&left) {
            add(&mut nodes, 2);
            let left: Cards = left.difference(&ben).copied().collect();
            for &top in &left {
                add(&mut nodes, 3);
                let mut game = Game {
                    ranks,
                    suits,
                    rounds,
                    hands: [ann.clone(), ben.clone()],
                    deck: left.iter().copied().filter(|&c| c != top).collect(),
                    stack: [top].into(),
                    last: Cards::new(),
                    claimed: top / suits,
                    turn: 0,
                    history: Vec::new(),
                    over: None,
                };
                for turn in 0..2 {
                    game.turn = turn;
                    game.count(4, depth, &mut nodes, &mut ends);
                }
            }
        }
    }
    ends.resize(nodes.len(), 0);
    (nodes, ends)
}

#[test]
fn the_first_player_is_drawn_at_random() {
    let machine = load("cheat", &[("ranks", "3"), ("suits", "1")]);
    let mut state = machine.initial().expect("a first node");
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(3);
    for _ in 0..3 {
        let outcome = machine.sample_chance(&state, &mut rng).expect("a draw");
        machine.step(&mut state, &[outcome]).expect("a step");
    }
    let mut outcomes = ruse::internal::machine::Outcomes::default();
    machine.outcomes(&state, &mut outcomes).expect("outcomes");
    assert_eq!([outcomes.probability(0), outcomes.probability(1)], [0.5; 2]);
    for (player, (outcome, _)) in outcomes.list.iter().enumerate() {
        let mut state = state.clone();
        machine
            .step(&mut state, std::slice::from_ref(outcome))
            .expect("a step");
        assert_eq!(
            machine.turn(&state),
            Turn::Decision(PlayerSet::only(player))
        );
    }
}
