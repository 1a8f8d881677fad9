//! Written games: what the paper says of one situation each.

use super::model::Move;
use super::table::{Settings, Table, whole};
use ruse::internal::machine::Turn;

const PAIRS: Settings<'static> = &[("dealt", "2")];

/// Ann has a four and a six, Ben a three and a nine, and a five starts.
fn fives(settings: Settings<'_>) -> Table {
    Table::dealt(settings, ["{4♣, 6♦}", "{3♣, 9♠}", "5♣", "Ann begins"])
}

fn options(table: &Table) -> Vec<String> {
    let (me, actions) = (table.mover(), table.legal());
    let texts = actions.iter();
    texts
        .map(|a| table.machine.action_text(&table.state, me, a, None))
        .collect()
}

fn payoffs(table: &Table) -> Option<Vec<f64>> {
    let over = table.machine.turn(&table.state) == Turn::Terminal;
    over.then(|| {
        table
            .machine
            .payoffs(&table.state)
            .expect("payoffs")
            .to_vec()
    })
}

const ANN: Option<[f64; 2]> = Some([1.0, -1.0]);
const BEN: Option<[f64; 2]> = Some([-1.0, 1.0]);

#[test]
fn the_first_claim_is_next_to_the_top_card_and_there_is_nothing_to_call() {
    let table = fives(PAIRS);
    let expected = [
        "1 x 4: {4♣}",
        "1 x 4: {6♦}",
        "2 x 4: {4♣, 6♦}",
        "1 x 6: {4♣}",
        "1 x 6: {6♦}",
        "2 x 6: {4♣, 6♦}",
        "take",
    ];
    assert_eq!(options(&table), expected);
}

#[test]
fn an_ace_follows_a_king() {
    for (top, one, other) in [("K♠", "Q", "A"), ("A♥", "K", "2"), ("2♣", "A", "3")] {
        let table = Table::dealt(PAIRS, ["{4♣, 6♦}", "{3♣, 9♠}", top, "Ben begins"]);
        for text in options(&table) {
            let rank = text.split([' ', ':']).nth(2);
            assert!(rank.is_none_or(|r| r == one || r == other), "{text}");
        }
    }
}

#[test]
fn a_claim_has_one_to_four_cards() {
    let settings = [("dealt", "5"), ("suits", "1")];
    let hands = ["{A♣, 2♣, 3♣, 4♣, 5♣}", "{6♣, 7♣, 8♣, 9♣, 10♣}"];
    let table = Table::dealt(&settings, [hands[0], hands[1], "K♣", "Ann begins"]);
    let counts: Vec<usize> = [1, 2, 3, 4, 5]
        .iter()
        .map(|n| {
            let begins = |t: &&String| t.starts_with(&format!("{n} x"));
            options(&table).iter().filter(begins).count()
        })
        .collect();
    assert_eq!(counts, [10, 20, 20, 10, 0]);
}

#[test]
fn only_a_claim_just_made_can_be_called() {
    let mut table = fives(PAIRS);
    table.line("1 x 6: {4♣}", "");
    assert!(options(&table).contains(&"call".to_string()));
    assert!(options(&table)[0].starts_with("1 x 5"));
    table.line("take", "{Q♥}");
    // Ann cannot call herself, and the ranks are still those next to her claim.
    let texts = options(&table);
    assert_eq!(texts, ["1 x 5: {6♦}", "1 x 7: {6♦}", "take"]);
    table.line("take", "{A♣}");
    assert!(!options(&table).contains(&"call".to_string()));
}

#[test]
fn a_challenger_who_was_wrong_takes_the_stack() {
    let mut table = fives(PAIRS);
    table.line("1 x 6: {6♦}", "");
    table.line("call", "");
    let seen = whole(&table.machine, &table.state);
    assert_eq!(seen["hand[Ben]"], "{3♣, 5♣, 6♦, 9♠}");
    assert_eq!([&seen["stack"], &seen["last"]], ["{}", "{}"]);
    // The next claim is next to the six, and the call cannot be called.
    assert_eq!(options(&table), ["1 x 5: {4♣}", "1 x 7: {4♣}", "take"]);
}

#[test]
fn one_false_card_makes_a_claim_false_and_the_liar_takes_the_stack() {
    let mut table = fives(PAIRS);
    table.line("2 x 6: {4♣, 6♦}", "");
    // Ann's hand is empty, and Ben has a chance to call.
    assert_eq!(payoffs(&table), None);
    table.line("call", "");
    assert_eq!(payoffs(&table), None);
    let seen = whole(&table.machine, &table.state);
    assert_eq!(seen["hand[Ann]"], "{4♣, 5♣, 6♦}");
    assert_eq!(seen["hand[Ben]"], "{3♣, 9♠}");
    assert_eq!(table.mover(), 0);
}

#[test]
fn claims_before_the_last_are_not_examined() {
    let mut table = fives(PAIRS);
    table.line("1 x 6: {4♣}", "");
    table.line("1 x 5: {9♠}", "");
    table.line("1 x 6: {6♦}", "");
    table.line("call", "");
    let seen = whole(&table.machine, &table.state);
    // Ann told the truth in the end, with her last card.
    assert_eq!(seen["hand[Ben]"], "{3♣, 4♣, 5♣, 6♦, 9♠}");
    assert_eq!(payoffs(&table).as_deref(), ANN.as_ref().map(|p| &p[..]));
}

#[test]
fn an_empty_hand_wins_when_the_other_lets_it_stand() {
    for (answer, drawn) in [
        ("take", "{K♦}"),
        ("1 x 7: {3♣}", ""),
        // Ben has no cards either then, but Ann was first.
        ("2 x 5: {3♣, 9♠}", ""),
    ] {
        let mut table = fives(PAIRS);
        table.line("2 x 6: {4♣, 6♦}", "");
        table.line(answer, drawn);
        assert_eq!(
            payoffs(&table).as_deref(),
            ANN.as_ref().map(|p| &p[..]),
            "{answer}"
        );
    }
    let mut table = Table::dealt(PAIRS, ["{4♣, 6♦}", "{6♣, 6♠}", "5♣", "Ben begins"]);
    table.line("2 x 6: {6♣, 6♠}", "");
    table.line("call", "");
    assert_eq!(payoffs(&table).as_deref(), BEN.as_ref().map(|p| &p[..]));
}

#[test]
fn after_the_last_round_the_smaller_hand_wins() {
    type Line<'a> = &'a [(&'a str, &'a str)];
    let lines: [(&str, Line<'_>, [f64; 2]); 6] = [
        ("1", &[("1 x 6: {4♣}", "")], [1.0, -1.0]),
        ("1", &[("take", "{A♠}")], [-1.0, 1.0]),
        ("2", &[("take", "{A♠}"), ("take", "{7♠}")], [0.0, 0.0]),
        ("2", &[("1 x 6: {4♣}", ""), ("call", "")], [-1.0, 1.0]),
        // The other has no turn left to call.
        ("1", &[("2 x 6: {4♣, 6♦}", "")], [1.0, -1.0]),
        (
            "3",
            &[
                ("take", "{A♠}"),
                ("1 x 4: {3♣}", ""),
                ("2 x 3: {4♣, 6♦}", ""),
            ],
            [0.0, 0.0],
        ),
    ];
    for (rounds, line, expected) in lines {
        let mut table = fives(&[("dealt", "2"), ("rounds", rounds)]);
        for (text, drawn) in line {
            assert_eq!(payoffs(&table), None);
            table.line(text, drawn);
        }
        assert_eq!(payoffs(&table).as_deref(), Some(&expected[..]), "{line:?}");
    }
}

#[test]
fn no_card_can_be_taken_from_an_empty_deck() {
    let settings = [("ranks", "4"), ("suits", "1"), ("dealt", "1")];
    let mut table = Table::dealt(&settings, ["{A♣}", "{3♣}", "2♣", "Ann begins"]);
    table.line("take", "{4♣}");
    assert_eq!(table.game.deck.len(), 0);
    assert!(!options(&table).contains(&"take".to_string()));
    table.line("1 x A: {3♣}", "");
    assert_eq!(options(&table).last().map(String::as_str), Some("call"));
}

#[test]
fn the_limit_is_a_hundred_rounds_and_a_hand_eight_cards() {
    let machine = crate::support::load("cheat", &[]);
    let params = &machine.description().params;
    let values = ["ranks", "suits", "dealt", "rounds"].map(|name| params[name].as_str());
    assert_eq!(values, ["13", "4", "8", "100"]);
    let settings = [("ranks", "13"), ("suits", "4"), ("dealt", "8")];
    let mut rng = rand::SeedableRng::seed_from_u64(1);
    let mut table = Table::shuffled(&settings, &mut rng);
    // Both directions with any one to four cards, and a card from the deck.
    assert_eq!(options(&table).len(), 2 * (8 + 28 + 56 + 70) + 1);
    // Every claim is a lie of one card, and is called: nobody runs out.
    let mut turns = 0;
    while payoffs(&table).is_none() {
        let game = &table.game;
        let made = match game.can_call() {
            true => Move::Call,
            false => {
                let rank = game.higher();
                let hand = game.hands[game.turn].iter();
                let card = hand.copied().find(|&c| game.rank(c) != rank);
                let cards = [card.expect("another rank")].into();
                Move::Claim { rank, cards }
            }
        };
        table.play(&made, |m, s| m.sample_chance(s, &mut rng).expect("a draw"));
        turns += 1;
    }
    assert_eq!(turns, 100);
}
