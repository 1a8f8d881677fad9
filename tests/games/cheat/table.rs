//! A game under way twice: on the machine, and in the model.

use super::model::{Cards, Game, Move, subsets};
use crate::support::{load, movers};
use rand::rngs::Xoshiro256PlusPlus;
use ruse::internal::machine::{Action, Actions, Machine, Outcomes, State, Turn, below};
use ruse::internal::model::PlayerSet;
use std::collections::HashMap;
use std::sync::Arc;

pub struct Table {
    pub machine: Arc<Machine>,
    pub state: State,
    pub game: Game,
}

pub type Settings<'a> = &'a [(&'a str, &'a str)];

fn setting(machine: &Machine, name: &str) -> usize {
    machine.description().params[name]
        .parse()
        .expect("a number")
}

/// What somebody sees who sees everything.
pub fn whole(machine: &Machine, state: &State) -> HashMap<String, String> {
    let entries = machine.whole_view(state).entries;
    entries.into_iter().map(|e| (e.name, e.value)).collect()
}

impl Table {
    /// A game whose beginning is dealt by `deal`, four outcomes in all: both hands, the top card, who begins.
    fn begin(
        settings: Settings<'_>,
        mut deal: impl FnMut(&Machine, &State, usize) -> Action,
    ) -> Table {
        let machine = load("cheat", settings);
        let mut state = machine.initial().expect("a first node");
        for i in 0..4 {
            assert_eq!(machine.turn(&state), Turn::Chance);
            let outcome = deal(&machine, &state, i);
            machine.step(&mut state, &[outcome]).expect("a step");
        }
        let [ranks, suits] = ["ranks", "suits"].map(|name| setting(&machine, name) as u8);
        let mut game = Game {
            ranks,
            suits,
            rounds: setting(&machine, "rounds"),
            hands: Default::default(),
            deck: (0..ranks * suits).collect(),
            stack: Cards::new(),
            last: Cards::new(),
            claimed: 0,
            turn: movers(&machine, &state)[0],
            history: Vec::new(),
            over: None,
        };
        let seen = whole(&machine, &state);
        game.hands = ["hand[Ann]", "hand[Ben]"].map(|name| game.read_set(&seen[name]));
        game.stack = game.read_set(&seen["stack"]);
        for cards in [&game.hands[0], &game.hands[1], &game.stack] {
            for card in cards {
                assert!(game.deck.remove(card), "a card is in one place");
            }
        }
        // Each has as many cards as were to be dealt, and the top card makes the first claim.
        let dealt = setting(&machine, "dealt");
        assert_eq!([game.hands[0].len(), game.hands[1].len()], [dealt; 2]);
        assert_eq!(game.stack.len(), 1);
        game.claimed = game.rank(*game.stack.first().expect("the top card"));
        let table = Table {
            machine,
            state,
            game,
        };
        table.compare();
        table
    }

    pub fn shuffled(settings: Settings<'_>, rng: &mut Xoshiro256PlusPlus) -> Table {
        Table::begin(settings, |machine, state, _| {
            machine.sample_chance(state, rng).expect("a draw")
        })
    }

    /// A game that begins with these cards, such as `["{A♣, 2♣}", "{3♣, 4♣}", "5♣", "Ben begins"]`.
    pub fn dealt(settings: Settings<'_>, texts: [&str; 4]) -> Table {
        Table::begin(settings, |machine, state, i| {
            outcome(machine, state, texts[i])
        })
    }

    pub fn mover(&self) -> usize {
        movers(&self.machine, &self.state)[0]
    }

    pub fn legal(&self) -> Actions {
        let mut actions = Actions::default();
        self.machine
            .legal(&self.state, self.mover(), &mut actions)
            .expect("options");
        actions
    }

    pub fn action(&self, made: &Move) -> Action {
        let words: Vec<u64> = match made {
            Move::Claim { rank, cards } => {
                let bits = cards.iter().fold(0, |bits, c| bits | 1 << c);
                vec![0, u64::from(*rank), cards.len() as u64, bits]
            }
            Move::Call => vec![1],
            Move::Take => vec![2],
        };
        Action(words.into())
    }

    pub fn made(&self, action: &Action) -> Move {
        match action.0[0] {
            0 => Move::Claim {
                rank: action.0[1] as u8,
                cards: (0..52).filter(|c| action.0[3] >> c & 1 == 1).collect(),
            },
            1 => Move::Call,
            _ => Move::Take,
        }
    }

    /// Makes a move on both sides, and compares; `draw` takes the card of a `Take`.
    pub fn play(&mut self, made: &Move, draw: impl FnOnce(&Machine, &State) -> Action) {
        let (me, action) = (self.mover(), self.action(made));
        assert_eq!(me, self.game.turn);
        let text = self.machine.action_text(&self.state, me, &action, None);
        assert_eq!(text, self.game.move_text(made));
        self.machine
            .step(&mut self.state, &[action])
            .expect("a step");
        let mut drawn = None;
        if *made == Move::Take {
            assert_eq!(self.machine.turn(&self.state), Turn::Chance);
            let outcome = draw(&self.machine, &self.state);
            // One card, which the other player does not see.
            let text = |viewer| self.machine.outcome_text(&self.state, &outcome, viewer);
            assert_eq!(text(Some(1 - me)), "·");
            let card = self.game.read_set(&text(Some(me)));
            assert_eq!(card.len(), 1);
            drawn = card.first().copied();
            self.machine
                .step(&mut self.state, &[outcome])
                .expect("a step");
        }
        self.game.play(made, drawn);
        self.compare();
    }

    /// Makes the move with a text; `drawn` is the card of a `take`.
    pub fn line(&mut self, text: &str, drawn: &str) {
        let me = self.mover();
        let action = self.machine.find_action(&self.state, me, text);
        let made = self.made(&action.unwrap_or_else(|e| panic!("{text}: {e}")));
        assert_eq!(self.game.move_text(&made), text);
        self.play(&made, |machine, state| outcome(machine, state, drawn));
    }

    /// All that the machine says of the state is what the model says.
    pub fn compare(&self) {
        let (game, machine) = (&self.game, &self.machine);
        let seen = whole(machine, &self.state);
        let sets = [
            ("hand[Ann]", &game.hands[0]),
            ("hand[Ben]", &game.hands[1]),
            ("deck", &game.deck),
            ("stack", &game.stack),
            ("last", &game.last),
        ];
        let mut all = Vec::new();
        for (name, cards) in sets {
            assert_eq!(seen[name], game.set(cards), "{name}");
            all.extend(game.read_set(&seen[name]));
        }
        // Every card is in one place.
        all.sort();
        assert_eq!(all, (0..game.ranks * game.suits).collect::<Vec<u8>>());
        assert_eq!(seen["claimed"], game.rank_text(game.claimed));
        match game.over {
            None => {
                assert_eq!(
                    machine.turn(&self.state),
                    Turn::Decision(PlayerSet::only(game.turn))
                );
            }
            Some(payoffs) => {
                assert_eq!(machine.turn(&self.state), Turn::Terminal);
                let found = machine.payoffs(&self.state).expect("payoffs");
                assert_eq!(found.as_slice(), payoffs);
            }
        }
    }
}

/// The outcome with a text, of a chance node that can be listed.
fn outcome(machine: &Machine, state: &State, text: &str) -> Action {
    let mut outcomes = Outcomes::default();
    machine.outcomes(state, &mut outcomes).expect("outcomes");
    let mut found = outcomes.list.iter().map(|(a, _)| a);
    let texts = |a: &&Action| machine.outcome_text(state, a, None) == text;
    found
        .find(texts)
        .unwrap_or_else(|| panic!("{text} cannot be drawn"))
        .clone()
}

/// How somebody plays at random: shares of lies, true claims, calls and takes, and the most cards of a claim.
#[derive(Clone, Copy, Debug)]
pub struct Habit {
    pub lie: u64,
    pub honest: u64,
    pub call: u64,
    pub take: u64,
    pub most: usize,
}

pub const EVEN: Habit = Habit {
    lie: 2,
    honest: 3,
    call: 2,
    take: 2,
    most: 4,
};

fn one<T: Clone>(list: &[T], rng: &mut Xoshiro256PlusPlus) -> Option<T> {
    let n = list.len() as u64;
    (n > 0).then(|| list[below(rng, n) as usize].clone())
}

/// A move that a habit makes.
pub fn choose(game: &Game, habit: Habit, rng: &mut Xoshiro256PlusPlus) -> Move {
    let ranks = [game.higher(), game.lower()];
    let hand = &game.hands[game.turn];
    loop {
        let mut at = below(rng, habit.lie + habit.honest + habit.call + habit.take);
        let rank = one(&ranks, rng).expect("two ranks");
        let mut falls = |share: u64| {
            let hit = at < share;
            at = at.wrapping_sub(share);
            hit
        };
        if falls(habit.lie) {
            let size = 1 + below(rng, habit.most.min(hand.len()) as u64) as usize;
            let mut left: Vec<u8> = hand.iter().copied().collect();
            let mut cards = Cards::new();
            while cards.len() < size {
                cards.insert(left.swap_remove(below(rng, left.len() as u64) as usize));
            }
            return Move::Claim { rank, cards };
        } else if falls(habit.honest) {
            let of_rank = hand.iter().copied().filter(|&c| game.rank(c) == rank);
            if let Some(cards) = one(&subsets(&of_rank.collect(), habit.most), rng) {
                return Move::Claim { rank, cards };
            }
        } else if falls(habit.call) {
            if game.can_call() {
                return Move::Call;
            }
        } else if !game.deck.is_empty() {
            return Move::Take;
        }
    }
}
