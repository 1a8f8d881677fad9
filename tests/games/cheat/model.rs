//! Cheat (Bitan & Kraus 2018, section 4), written by hand: what the game file is compared with.

use std::collections::BTreeSet;

pub type Cards = BTreeSet<u8>;

const RANKS: [&str; 13] = [
    "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K",
];
const SUITS: [&str; 4] = ["♣", "♦", "♥", "♠"];

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Move {
    Claim { rank: u8, cards: Cards },
    Call,
    Take,
}

/// What happened, as somebody saw it who sees everything.
#[derive(Clone, Debug)]
pub struct Event {
    pub by: usize,
    pub made: Move,
    /// At a call: what lay on the table, who got it, and the rank that had been claimed.
    pub found: Cards,
    pub loser: usize,
    pub rank: u8,
}

/// A card is its rank times the number of suits, plus its suit.
#[derive(Clone, Debug)]
pub struct Game {
    pub ranks: u8,
    pub suits: u8,
    pub rounds: usize,
    pub hands: [Cards; 2],
    pub deck: Cards,
    pub stack: Cards,
    pub last: Cards,
    pub claimed: u8,
    pub turn: usize,
    pub history: Vec<Event>,
    /// The payoffs, once the game is over.
    pub over: Option<[f64; 2]>,
}

impl Game {
    pub fn rank(&self, card: u8) -> u8 {
        card / self.suits
    }

    pub fn higher(&self) -> u8 {
        (self.claimed + 1) % self.ranks
    }

    pub fn lower(&self) -> u8 {
        (self.claimed + self.ranks - 1) % self.ranks
    }

    pub fn true_claim(&self, rank: u8, cards: &Cards) -> bool {
        cards.iter().all(|&c| self.rank(c) == rank)
    }

    pub fn text(&self, card: u8) -> String {
        let suit = SUITS[(card % self.suits) as usize];
        format!("{}{suit}", RANKS[self.rank(card) as usize])
    }

    pub fn read(&self, text: &str) -> u8 {
        let all = 0..self.ranks * self.suits;
        let mut found = all.filter(|&c| self.text(c) == text);
        found.next().unwrap_or_else(|| panic!("{text} is no card"))
    }

    pub fn set(&self, cards: &Cards) -> String {
        let texts: Vec<String> = cards.iter().map(|&c| self.text(c)).collect();
        format!("{{{}}}", texts.join(", "))
    }

    pub fn read_set(&self, text: &str) -> Cards {
        let inner = text.trim_matches(['{', '}']).split(", ");
        inner
            .filter(|t| !t.is_empty())
            .map(|t| self.read(t))
            .collect()
    }

    pub fn rank_text(&self, rank: u8) -> &'static str {
        RANKS[rank as usize]
    }

    pub fn move_text(&self, made: &Move) -> String {
        match made {
            Move::Claim { rank, cards } => {
                let rank = self.rank_text(*rank);
                format!("{} x {rank}: {}", cards.len(), self.set(cards))
            }
            Move::Call => "call".to_string(),
            Move::Take => "take".to_string(),
        }
    }

    pub fn can_call(&self) -> bool {
        matches!(
            self.history.last(),
            Some(Event {
                made: Move::Claim { .. },
                ..
            })
        )
    }

    /// Everything that the player to move may do.
    pub fn options(&self) -> Vec<Move> {
        let mut options = Vec::new();
        for rank in [self.higher(), self.lower()] {
            for cards in subsets(&self.hands[self.turn], 4) {
                options.push(Move::Claim { rank, cards });
            }
        }
        if self.can_call() {
            options.push(Move::Call);
        }
        if !self.deck.is_empty() {
            options.push(Move::Take);
        }
        options
    }

    /// Makes a move; `drawn` is the card that a `Take` brings.
    pub fn play(&mut self, made: &Move, drawn: Option<u8>) {
        let (me, other) = (self.turn, 1 - self.turn);
        let mut event = Event {
            by: me,
            made: made.clone(),
            found: Cards::new(),
            loser: me,
            rank: self.claimed,
        };
        match made {
            Move::Claim { rank, cards } => {
                self.hands[me].retain(|c| !cards.contains(c));
                self.stack.append(&mut self.last);
                self.last = cards.clone();
                self.claimed = *rank;
                event.rank = *rank;
            }
            Move::Call => {
                let honest = self.true_claim(self.claimed, &self.last);
                event.loser = if honest { me } else { other };
                event.found = self.stack.union(&self.last).copied().collect();
                self.stack.clear();
                self.last.clear();
                self.hands[event.loser].extend(&event.found);
            }
            Move::Take => {
                let card = drawn.expect("a card was drawn");
                assert!(self.deck.remove(&card), "it comes from the deck");
                self.hands[me].insert(card);
            }
        }
        self.history.push(event);
        let sizes = [self.hands[0].len(), self.hands[1].len()];
        let win = |p: usize| Some(if p == 0 { [1.0, -1.0] } else { [-1.0, 1.0] });
        if sizes[other] == 0 {
            self.over = win(other);
        } else if self.history.len() == self.rounds {
            self.over = match sizes[0].cmp(&sizes[1]) {
                std::cmp::Ordering::Less => win(0),
                std::cmp::Ordering::Greater => win(1),
                std::cmp::Ordering::Equal => Some([0.0, 0.0]),
            };
        }
        self.turn = other;
    }

    /// How many histories go on from here, by plies, and how many of them end there. A move is a ply, and so is a card
    /// that is drawn.
    pub fn count(&self, at: usize, depth: usize, nodes: &mut Vec<u64>, ends: &mut Vec<u64>) {
        add(nodes, at);
        if self.over.is_some() {
            add(ends, at);
            return;
        }
        if at == depth {
            return;
        }
        for made in self.options() {
            if made != Move::Take {
                let mut next = self.clone();
                next.play(&made, None);
                next.count(at + 1, depth, nodes, ends);
                continue;
            }
            add(nodes, at + 1);
            if at + 1 == depth {
                continue;
            }
            for &card in &self.deck {
                let mut next = self.clone();
                next.play(&made, Some(card));
                next.count(at + 2, depth, nodes, ends);
            }
        }
    }
}

pub fn add(counts: &mut Vec<u64>, at: usize) {
    if counts.len() <= at {
        counts.resize(at + 1, 0);
    }
    counts[at] += 1;
}

/// Subsets of 1 to `most` cards.
pub fn subsets(cards: &Cards, most: usize) -> Vec<Cards> {
    let mut found = vec![Cards::new()];
    for &card in cards {
        for i in 0..found.len() {
            if found[i].len() < most {
                let mut more = found[i].clone();
                more.insert(card);
                found.push(more);
            }
        }
    }
    found.retain(|s| !s.is_empty());
    found
}
