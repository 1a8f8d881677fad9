//! Backgammon, played a second time by a program that tries the dice in every order and knows nothing of a better one.

use crate::support::{load, movers, random_step};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::internal::machine::{Action, Actions, Machine, State, Turn};
use ruse::internal::solve::{PerftOptions, perft};
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

const BAR: usize = 25;
const OFF: usize = 0;

/// One die played: the point that a man left and the one that it came to, as its player counts them.
type Step = (usize, usize);

/// White's men count up and Black's down, on points in White's order; those on the bar and off stand by player.
#[derive(Clone)]
struct Table {
    points: [i32; 24],
    bar: [usize; 2],
    off: [usize; 2],
}

impl Table {
    fn new() -> Table {
        let mut points = [0; 24];
        for (n, men) in [(24, 2), (13, 5), (8, 3), (6, 5)] {
            points[n - 1] += men;
            points[24 - n] -= men;
        }
        Table {
            points,
            bar: [0; 2],
            off: [0; 2],
        }
    }

    /// The men on a point: those of the player, or less than none of the other.
    fn at(&self, me: usize, n: usize) -> i32 {
        match me {
            0 => self.points[n - 1],
            _ => -self.points[24 - n],
        }
    }

    fn add(&mut self, me: usize, n: usize, men: i32) {
        match me {
            0 => self.points[n - 1] += men,
            _ => self.points[24 - n] -= men,
        }
    }

    fn play(&mut self, me: usize, (from, to): Step) -> bool {
        match from {
            BAR => self.bar[me] -= 1,
            _ => self.add(me, from, -1),
        }
        if to == OFF {
            self.off[me] += 1;
            return false;
        }
        let hit = self.at(me, to) == -1;
        if hit {
            self.add(me, to, 1);
            self.bar[1 - me] += 1;
        }
        self.add(me, to, 1);
        hit
    }

    fn step(&self, me: usize, from: usize, die: usize) -> Option<Step> {
        let there = match from {
            BAR => self.bar[me] > 0,
            _ => self.bar[me] == 0 && self.at(me, from) > 0,
        };
        if !there {
            return None;
        }
        if from > die {
            return (self.at(me, from - die) > -2).then_some((from, from - die));
        }
        let behind = |first: usize| (first..BAR).any(|n| self.at(me, n) > 0);
        let out = !behind(7) && (from == die || !behind(from + 1));
        out.then_some((from, OFF))
    }

    /// Every way to play dice in this order until one cannot be played; each with the dice that were.
    fn orders(&self, me: usize, dice: &[usize], so_far: &[(usize, Step)], found: &mut Plays) {
        let mut stuck = true;
        if let Some((die, rest)) = dice.split_first() {
            for from in 1..=BAR {
                if let Some(step) = self.step(me, from, *die) {
                    stuck = false;
                    let mut next = self.clone();
                    next.play(me, step);
                    let played = [so_far, &[(*die, step)]].concat();
                    next.orders(me, rest, &played, found);
                }
            }
        }
        if stuck && !so_far.is_empty() {
            found.insert(so_far.to_vec());
        }
    }

    /// What may be played with a throw, in every order.
    fn plays(&self, me: usize, (a, b): (usize, usize)) -> Plays {
        let mut found = Plays::new();
        if a == b {
            self.orders(me, &[a; 4], &[], &mut found);
        } else {
            self.orders(me, &[a, b], &[], &mut found);
            self.orders(me, &[b, a], &[], &mut found);
        }
        let most = found.iter().map(Vec::len).max().unwrap_or(0);
        found.retain(|play| play.len() == most);
        if most == 1 {
            let highest = found.iter().map(|play| play[0].0).max();
            found.retain(|play| Some(play[0].0) == highest);
        }
        found
    }

    /// As people write it, from the highest point on.
    fn text(&self, me: usize, steps: &[Step]) -> String {
        let (mut table, mut text, mut at) = (self.clone(), String::new(), BAR);
        for &(from, to) in steps {
            if from == BAR {
                text += " bar";
            } else if from != at {
                text += &format!(" {from}");
            }
            let hit = table.play(me, (from, to));
            text += &match to {
                OFF => "/off".to_string(),
                _ => format!("/{to}{}", if hit { "*" } else { "" }),
            };
            at = to;
        }
        text.trim_start().to_string()
    }

    /// What the loser pays.
    fn worth(&self, loser: usize) -> i64 {
        if self.off[loser] > 0 {
            return 1;
        }
        let far = self.bar[loser] > 0 || (19..BAR).any(|n| self.at(loser, n) > 0);
        if far { 3 } else { 2 }
    }
}

type Plays = BTreeSet<Vec<(usize, Step)>>;

/// Without the order and the dice.
fn sorted(play: &[(usize, Step)]) -> Vec<Step> {
    let mut steps: Vec<Step> = play.iter().map(|(_, step)| *step).collect();
    steps.sort_unstable_by(|a, b| b.cmp(a));
    steps
}

fn dice(text: &str) -> (usize, usize) {
    let (a, b) = text.split_once('-').expect("two dice");
    (a.parse().expect("a die"), b.parse().expect("a die"))
}

/// Plays a game at random on both; returns how often a move was forced, and what the loser paid.
fn game(machine: &Machine, seed: u64) -> (usize, i64) {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut state: State = machine.initial().expect("a state");
    let (mut table, mut thrown, mut passed) = (Table::new(), (0, 0), 0);
    let mut last = 0;
    while let Some(actions) = random_step(machine, &state, &mut rng) {
        if machine.turn(&state) == Turn::Chance {
            thrown = dice(&machine.outcome_text(&state, &actions[0], None));
        } else {
            let me = movers(machine, &state)[0];
            let mut legal = Actions::default();
            machine.legal(&state, me, &mut legal).expect("options");
            let text = |a: &Action| machine.action_text(&state, me, a, None);
            let mut texts: Vec<String> = legal.iter().map(text).collect();
            let plays: BTreeSet<Vec<Step>> = table
                .plays(me, thrown)
                .iter()
                .map(|play| sorted(play))
                .collect();
            let mut expected: Vec<String> = plays.iter().map(|p| table.text(me, p)).collect();
            if plays.is_empty() {
                expected = vec!["pass".to_string()];
                passed += 1;
            }
            texts.sort();
            expected.sort();
            assert_eq!(texts, expected, "seed {seed}, {thrown:?}");
            let chosen = text(&actions[0]);
            if let Some(play) = plays.iter().find(|p| table.text(me, p) == chosen) {
                for step in play {
                    table.play(me, *step);
                }
            }
            last = me;
        }
        machine.step(&mut state, &actions).expect("a step");
    }
    assert_eq!(table.off[last], 15, "seed {seed}");
    let worth = table.worth(1 - last);
    let payoffs = machine.payoff_units(&state).expect("payoffs");
    assert_eq!(payoffs[last], worth, "seed {seed}");
    assert_eq!(payoffs[1 - last], -worth, "seed {seed}");
    (passed, worth)
}

#[test]
fn random_games_have_the_same_moves() {
    let machine = load("backgammon", &[]);
    let games: Vec<(usize, i64)> = (0..20).map(|seed| game(&machine, seed)).collect();
    assert!(games.iter().any(|(passed, _)| *passed > 0));
    for worth in 1..=3 {
        assert!(games.iter().any(|(_, w)| *w == worth), "{worth}");
    }
}

/// Both orders of two dice count for OpenSpiel 2.0.2, which has 758 first moves after the thirty first throws.
#[test]
fn first_moves_are_as_many_as_elsewhere() {
    let pairs = (1..=6).flat_map(|a| (1..a).map(move |b| (a, b)));
    let plays: Vec<Plays> = pairs.map(|d| Table::new().plays(0, d)).collect();
    let orders: usize = plays.iter().map(BTreeSet::len).sum();
    assert_eq!(2 * orders, 758);
    let moves = plays.iter().map(|p| p.iter().map(|play| sorted(play)));
    let moves: usize = moves.map(|m| m.collect::<BTreeSet<_>>().len()).sum();
    let options = PerftOptions {
        depth: Some(3),
        ..PerftOptions::default()
    };
    let machine = load("backgammon", &[]);
    let found = perft(&machine, &options, &mut |_| {}, &AtomicBool::new(false)).expect("counts");
    let moves = 2 * moves as u64;
    assert_eq!(found.nodes_by_depth, [1, 30, moves, 36 * moves]);
}
