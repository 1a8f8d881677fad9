//! Whist: all deals and all tricks of small decks, counted by a program that knows nothing of the game's text.

use crate::support::load;
use ruse::internal::solve::{PerftOptions, perft};
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

const SEATS: usize = 4;

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Card {
    suit: usize,
    rank: usize,
}

#[derive(Default)]
struct Count {
    by_length: Vec<u64>,
    terminals: u64,
    payoffs: BTreeMap<String, u64>,
}

struct Deal {
    hands: [Vec<Card>; SEATS],
    trump: usize,
    ranks: usize,
}

impl Count {
    fn note(&mut self, length: usize, times: u64) {
        if self.by_length.len() <= length {
            self.by_length.resize(length + 1, 0);
        }
        self.by_length[length] += times;
    }

    /// Plays on from a trick of which some cards lie on the table.
    fn play(
        &mut self,
        deal: &mut Deal,
        leader: usize,
        table: &mut Vec<Card>,
        tricks: [usize; 2],
        length: usize,
    ) {
        self.note(length, 1);
        if table.len() == SEATS {
            let strength = |c: &Card| match c.suit {
                suit if suit == deal.trump => 100 + c.rank,
                suit if suit == table[0].suit => 50 + c.rank,
                _ => 0,
            };
            let taker = (0..SEATS)
                .max_by_key(|&i| strength(&table[i]))
                .expect("cards");
            let taker = (leader + taker) % SEATS;
            let mut tricks = tricks;
            tricks[taker % 2] += 1;
            if tricks[0] + tricks[1] == deal.ranks {
                let odd = |n: usize| n.saturating_sub(deal.ranks / 2) as i64;
                self.terminals += 1;
                let points = odd(tricks[0]) - odd(tricks[1]);
                let payoff = [points, -points, points, -points]
                    .map(|n| n.to_string())
                    .join(",");
                *self.payoffs.entry(payoff).or_default() += 1;
                return;
            }
            // The next trick begins at the same node.
            self.by_length[length] -= 1;
            return self.play(deal, taker, &mut Vec::new(), tricks, length);
        }
        let me = (leader + table.len()) % SEATS;
        let hand = deal.hands[me].clone();
        let led = table.first().map(|c| c.suit);
        let bound = hand.iter().any(|c| Some(c.suit) == led);
        for card in hand.iter().filter(|c| !bound || Some(c.suit) == led) {
            deal.hands[me].retain(|c| c != card);
            table.push(*card);
            self.play(deal, leader, table, tricks, length + 1);
            table.pop();
            deal.hands[me].push(*card);
        }
    }

    /// Deals to one player after the other: the three others their hands, then what is turned up, then the dealer's rest,
    /// which is all that is left.
    fn deal(&mut self, deck: &[Card], hands: &mut Vec<Vec<Card>>, ranks: usize, length: usize) {
        self.note(length, 1);
        if hands.len() < SEATS - 1 {
            for hand in subsets(deck, ranks) {
                let rest: Vec<Card> = deck.iter().filter(|c| !hand.contains(c)).copied().collect();
                hands.push(hand);
                self.deal(&rest, hands, ranks, length + 1);
                hands.pop();
            }
            return;
        }
        for turned in deck {
            // The node before the last deal, which has one outcome.
            self.note(length + 1, 1);
            let mut hands = hands.clone();
            hands.push(deck.to_vec());
            let mut deal = Deal {
                hands: hands.try_into().expect("four hands"),
                trump: turned.suit,
                ranks,
            };
            self.play(&mut deal, 0, &mut Vec::new(), [0, 0], length + 2);
        }
    }
}

fn subsets(of: &[Card], size: usize) -> Vec<Vec<Card>> {
    let Some((first, rest)) = of.split_first() else {
        return if size == 0 {
            vec![Vec::new()]
        } else {
            Vec::new()
        };
    };
    let mut all = subsets(rest, size);
    if size > 0 {
        all.extend(subsets(rest, size - 1).into_iter().map(|mut s| {
            s.push(*first);
            s
        }));
    }
    all
}

#[test]
fn all_games_of_eight_cards() {
    let ranks = 2;
    let cards = (0..SEATS).flat_map(|suit| (0..ranks).map(move |rank| Card { suit, rank }));
    let mut count = Count::default();
    count.deal(&cards.collect::<Vec<_>>(), &mut Vec::new(), ranks, 0);

    let machine = load("whist", &[("ranks", "2")]);
    let options = PerftOptions {
        details: true,
        ..PerftOptions::default()
    };
    let found = perft(&machine, &options, &mut |_| {}, &AtomicBool::new(false)).expect("counts");
    assert_eq!(found.nodes_by_depth, count.by_length);
    assert_eq!(found.terminals, count.terminals);
    let payoffs: BTreeMap<String, u64> = found
        .details
        .expect("details")
        .payoffs
        .into_iter()
        .collect();
    assert_eq!(payoffs, count.payoffs);
}
