//! Small games of hanabi, counted a second time by a program that deals, plays and hints by itself.

use crate::support::load;
use ruse::internal::solve::{PerftOptions, perft};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::AtomicBool;

/// The size of a game.
#[derive(Clone, Copy)]
struct Size {
    seats: usize,
    colours: usize,
    ranks: usize,
    hand: usize,
    hints: usize,
    fuses: usize,
}

impl Size {
    fn copies(&self, rank: usize) -> usize {
        match rank {
            0 => 3,
            r if r + 1 == self.ranks => 1,
            _ => 2,
        }
    }
}

/// A game under way. A card is its colour times the ranks, plus its rank.
#[derive(Clone)]
struct Game {
    size: Size,
    deck: Vec<usize>,
    cards: Vec<Vec<Option<usize>>>,
    built: Vec<usize>,
    hints: usize,
    fuses: usize,
    mover: usize,
    /// How many turns are left once the deck is empty.
    rest: Option<usize>,
    /// What each player has seen.
    seen: Vec<Vec<String>>,
}

#[derive(Default)]
struct Counted {
    nodes: Vec<u64>,
    ends: Vec<u64>,
    scores: BTreeMap<usize, u64>,
    asked: Vec<BTreeSet<Vec<String>>>,
}

impl Counted {
    fn at(list: &mut Vec<u64>, ply: usize) {
        if list.len() <= ply {
            list.resize(ply + 1, 0);
        }
        list[ply] += 1;
    }
}

impl Game {
    fn new(size: Size) -> Game {
        let cards = 0..size.colours * size.ranks;
        Game {
            size,
            deck: cards.map(|c| size.copies(c % size.ranks)).collect(),
            cards: vec![vec![None; size.hand]; size.seats],
            built: vec![0; size.colours],
            hints: size.hints,
            fuses: size.fuses,
            mover: 0,
            rest: None,
            seen: vec![Vec::new(); size.seats],
        }
    }

    fn tell(&mut self, who: impl Fn(usize) -> bool, what: &str) {
        for (p, seen) in self.seen.iter_mut().enumerate() {
            if who(p) {
                seen.push(what.to_string());
            }
        }
    }

    /// Deals what is missing, if `dealing`, or puts a card in place of one.
    fn draw(&self, place: (usize, usize), ply: usize, dealing: bool, counted: &mut Counted) {
        Counted::at(&mut counted.nodes, ply);
        for card in (0..self.deck.len()).filter(|c| self.deck[*c] > 0) {
            let mut next = self.clone();
            next.deck[card] -= 1;
            next.cards[place.0][place.1] = Some(card);
            next.tell(|p| p != place.0, &format!("{place:?} gets {card}"));
            match dealing {
                true => next.deal(ply + 1, counted),
                false => next.pass_on(ply + 1, counted),
            }
        }
    }

    fn deal(&self, ply: usize, counted: &mut Counted) {
        for p in 0..self.size.seats {
            if let Some(slot) = self.cards[p].iter().position(Option::is_none) {
                return self.draw((p, slot), ply, true, counted);
            }
        }
        self.decide(ply, counted);
    }

    fn pass_on(mut self, ply: usize, counted: &mut Counted) {
        self.mover = (self.mover + 1) % self.size.seats;
        if let Some(rest) = &mut self.rest {
            if *rest == 0 {
                return self.end(ply, counted);
            }
            *rest -= 1;
        } else if self.deck.iter().sum::<usize>() == 0 {
            self.rest = Some(self.size.seats - 1);
        }
        self.decide(ply, counted);
    }

    fn end(&self, ply: usize, counted: &mut Counted) {
        Counted::at(&mut counted.nodes, ply);
        Counted::at(&mut counted.ends, ply);
        let score = if self.fuses == 0 {
            0
        } else {
            self.built.iter().sum()
        };
        *counted.scores.entry(score).or_default() += 1;
    }

    fn replace(mut self, slot: usize, ply: usize, counted: &mut Counted) {
        if self.deck.iter().sum::<usize>() > 0 {
            self.draw((self.mover, slot), ply, false, counted);
        } else {
            self.cards[self.mover][slot] = None;
            self.pass_on(ply, counted);
        }
    }

    fn decide(&self, ply: usize, counted: &mut Counted) {
        Counted::at(&mut counted.nodes, ply);
        counted.asked.resize(self.size.seats, BTreeSet::new());
        counted.asked[self.mover].insert(self.seen[self.mover].clone());
        for (slot, card) in self.cards[self.mover].iter().enumerate() {
            let Some(card) = *card else { continue };
            let (colour, rank) = (card / self.size.ranks, card % self.size.ranks);
            let mut next = self.clone();
            next.tell(|_| true, &format!("plays {card} from {slot}"));
            if self.built[colour] == rank {
                next.built[colour] += 1;
                if rank + 1 == self.size.ranks && self.hints < self.size.hints {
                    next.hints += 1;
                }
            } else {
                next.fuses -= 1;
            }
            let whole = next.built.iter().all(|n| *n == self.size.ranks);
            match next.fuses == 0 || whole {
                true => next.end(ply + 1, counted),
                false => next.replace(slot, ply + 1, counted),
            }
            if self.hints < self.size.hints {
                let mut next = self.clone();
                next.tell(|_| true, &format!("throws {card} from {slot}"));
                next.hints += 1;
                next.replace(slot, ply + 1, counted);
            }
        }
        if self.hints > 0 {
            for q in (0..self.size.seats).filter(|q| *q != self.mover) {
                self.hint(q, "colour", |card| card / self.size.ranks, ply, counted);
                self.hint(q, "rank", |card| card % self.size.ranks, ply, counted);
            }
        }
    }

    fn hint(
        &self,
        q: usize,
        kind: &str,
        of: impl Fn(usize) -> usize,
        ply: usize,
        counted: &mut Counted,
    ) {
        let found: BTreeSet<usize> = self.cards[q].iter().flatten().map(|c| of(*c)).collect();
        for value in found {
            let slots: Vec<bool> = self.cards[q]
                .iter()
                .map(|c| c.is_some_and(|c| of(c) == value))
                .collect();
            let mut next = self.clone();
            next.tell(|_| true, &format!("{kind} {value} of {q}: {slots:?}"));
            next.hints -= 1;
            next.pass_on(ply + 1, counted);
        }
    }
}

#[test]
fn small_games_are_counted_alike() {
    // Seats, colours, ranks, hand, hints, fuses.
    for [seats, colours, ranks, hand, hints, fuses] in [
        [2, 1, 2, 1, 1, 1],
        [2, 1, 2, 1, 1, 2],
        [2, 2, 1, 1, 1, 1],
        [3, 1, 2, 1, 1, 1],
        [2, 1, 3, 2, 1, 1],
    ] {
        let size = Size {
            seats,
            colours,
            ranks,
            hand,
            hints,
            fuses,
        };
        let mut counted = Counted::default();
        Game::new(size).deal(0, &mut counted);
        let settings = [
            ("seats", seats),
            ("colours", colours),
            ("ranks", ranks),
            ("hand", hand),
            ("hints", hints),
            ("fuses", fuses),
        ];
        let settings = settings.map(|(name, n)| (name, n.to_string()));
        let settings = settings.each_ref().map(|(name, n)| (*name, n.as_str()));
        let options = PerftOptions {
            details: true,
            ..PerftOptions::default()
        };
        let found = perft(
            &load("hanabi", &settings),
            &options,
            &mut |_| {},
            &AtomicBool::new(false),
        );
        let found = found.expect("perft");
        assert_eq!(found.nodes_by_depth, counted.nodes, "{settings:?}");
        counted.ends.resize(counted.nodes.len(), 0);
        assert_eq!(found.terminals_by_depth, counted.ends, "{settings:?}");
        let details = found.details.expect("details");
        let asked: Vec<u64> = counted.asked.iter().map(|s| s.len() as u64).collect();
        let states: Vec<u64> = details.information_states.values().copied().collect();
        assert_eq!(states, asked, "{settings:?}");
        let scores = counted.scores.iter();
        let scores: BTreeMap<String, u64> = scores
            .map(|(score, n)| (vec![score.to_string(); seats].join(","), *n))
            .collect();
        assert_eq!(
            details.payoffs.into_iter().collect::<BTreeMap<_, _>>(),
            scores,
            "{settings:?}"
        );
    }
}
