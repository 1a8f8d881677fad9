//! What the knowledge block says, against what can be made out from the history (sections 4.3 to 4.5).

use super::model::{Cards, Event, Game, Move};
use super::table::{EVEN, Habit, Settings, Table, choose};
use crate::support::movers;
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::internal::machine::{Actions, Turn};
use std::collections::{BTreeMap, BTreeSet};

const SETTINGS: [Settings<'static>; 3] = [
    &[],
    &[("ranks", "5"), ("suits", "3"), ("rounds", "60")],
    &[("ranks", "13"), ("suits", "1"), ("dealt", "3")],
];

/// The events since the last call.
fn since_call(game: &Game) -> &[Event] {
    let called = game.history.iter().rposition(|e| e.made == Move::Call);
    &game.history[called.map_or(0, |i| i + 1)..]
}

/// The claims of a rank that a player made since the last call.
fn claims(events: &[Event], player: usize, rank: u8) -> Vec<&Cards> {
    let own = events.iter().filter(|e| e.by == player);
    own.filter_map(|e| match &e.made {
        Move::Claim { rank: r, cards } if *r == rank => Some(cards),
        _ => None,
    })
    .collect()
}

/// The ranks of a player's false claims that were called.
fn caught(game: &Game, player: usize) -> Vec<u8> {
    let calls = game.history.iter().filter(|e| e.made == Move::Call);
    calls
        .filter(|e| e.by != player && e.loser == player)
        .map(|e| e.rank)
        .collect()
}

/// Cards of a rank that a player is known to have got at a call, less those that he has claimed to put down since.
fn expected(game: &Game, player: usize, rank: u8) -> u64 {
    let cards = (0..game.ranks * game.suits).filter(|&c| game.rank(c) == rank);
    let known = cards.filter(|c| {
        let last = game.history.iter().rfind(|e| e.found.contains(c));
        last.is_some_and(|e| e.loser == player)
    });
    let put: usize = claims(since_call(game), player, rank)
        .iter()
        .map(|c| c.len())
        .sum();
    (known.count() as u64).saturating_sub(put as u64)
}

fn psi(n: usize) -> u64 {
    match n {
        0..=4 => n as u64,
        5..=8 => 5,
        _ => 6,
    }
}

/// The 16 attributes of the player to move.
fn attributes(game: &Game) -> [u64; 16] {
    let (me, other) = (game.turn, 1 - game.turn);
    let (higher, lower) = (game.higher(), game.lower());
    let previous = match game.history.last().map(|e| &e.made) {
        None => 0,
        Some(Move::Claim { .. }) => 1,
        Some(Move::Call) => 2,
        Some(Move::Take) => 3,
    };
    let holds = |rank| u64::from(game.hands[me].iter().any(|&c| game.rank(c) == rank));
    let said = |player, rank| u64::from(!claims(since_call(game), player, rank).is_empty());
    let lost = caught(game, me);
    [
        previous,
        holds(higher),
        holds(lower),
        psi(game.hands[me].len()),
        psi(game.hands[other].len()),
        psi(game.stack.len() + game.last.len()),
        game.history.len() as u64 + 1,
        expected(game, other, higher).min(3),
        expected(game, other, lower).min(3),
        said(me, higher),
        said(me, lower),
        said(other, higher),
        said(other, lower),
        u64::from(lost.contains(&higher)),
        u64::from(lost.contains(&lower)),
        u64::from(!lost.is_empty()),
    ]
}

/// Whether the last claim of the other player was false.
fn lied(game: &Game) -> bool {
    let own = game.history.iter().rev().filter(|e| e.by != game.turn);
    own.filter_map(|e| match &e.made {
        Move::Claim { rank, cards } => Some(!game.true_claim(*rank, cards)),
        _ => None,
    })
    .next()
    .unwrap_or(false)
}

fn random_games(seeds: u64, habit: Habit, settings: Settings<'_>, look: &mut dyn FnMut(&Table)) {
    for seed in 0..seeds {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut table = Table::shuffled(settings, &mut rng);
        while table.game.over.is_none() {
            look(&table);
            let made = choose(&table.game, habit, &mut rng);
            table.play(&made, |m, s| m.sample_chance(s, &mut rng).expect("a draw"));
        }
    }
}

#[test]
fn the_attributes_of_an_information_state_follow_from_the_history() {
    let mut values: [BTreeSet<u64>; 16] = Default::default();
    let mut lies = [0, 0];
    for settings in SETTINGS {
        random_games(100, EVEN, settings, &mut |table| {
            let (machine, me) = (&table.machine, table.mover());
            let entry = |name| machine.find_knowledge(me, name).expect("an entry");
            let class = machine
                .information_class(&table.state, entry("information"), me)
                .expect("a class");
            let wanted = attributes(&table.game);
            assert_eq!(class.as_slice(), wanted, "{:#?}", table.game.history);
            for (seen, value) in values.iter_mut().zip(wanted) {
                seen.insert(value);
            }
            let category = machine.category(&table.state, entry("lie"), me);
            let lied = lied(&table.game);
            assert_eq!(
                category.expect("a class"),
                Some((u64::from(lied), u64::from(lied)))
            );
            lies[usize::from(lied)] += 1;
        });
    }
    // Every value of every attribute was met.
    let sizes = [4, 2, 2, 6, 7, 7, 100, 4, 4, 2, 2, 2, 2, 2, 2, 2];
    assert_eq!(values.map(|v| v.len()), sizes);
    assert!(lies.iter().all(|n| *n > 100));
}

#[test]
fn actions_fall_into_the_classes_of_the_paper() {
    let mut met = BTreeSet::new();
    for settings in SETTINGS {
        random_games(20, EVEN, settings, &mut |table| {
            let (machine, game, me) = (&table.machine, &table.game, table.mover());
            if game.hands[me].len() > 10 {
                return;
            }
            let entry = machine.find_knowledge(me, "actions").expect("classes");
            let mut here = BTreeSet::new();
            for action in table.legal().iter() {
                let class = machine.action_class(&table.state, entry, me, action);
                let class = class
                    .expect("a class")
                    .expect("one for every action")
                    .to_vec();
                let wanted = match table.made(action) {
                    Move::Claim { rank, cards } => {
                        let truth = game.true_claim(rank, &cards);
                        vec![
                            0,
                            u64::from(rank == game.higher()),
                            u64::from(truth),
                            cards.len() as u64,
                        ]
                    }
                    Move::Call => vec![1],
                    Move::Take => vec![2],
                };
                assert_eq!(class, wanted);
                here.insert(class);
            }
            assert!(here.len() <= 18);
            met.extend(here);
        });
    }
    // Two directions, true or false, one to four cards; call and take.
    assert_eq!(met.len(), 18);
}

/// Which of the special cases of section 4.5 hold, if the opponent's claim is false.
fn special(game: &Game) -> [bool; 6] {
    let (me, other) = (game.turn, 1 - game.turn);
    let events = since_call(game);
    let before = &events[..events.len().saturating_sub(1)];
    let lost = caught(game, other);
    [
        game.hands[other].is_empty(),
        game.stack.len() + game.last.len() > 8,
        lost.len() > 8,
        !claims(before, other, game.claimed).is_empty(),
        game.hands[me].iter().any(|&c| game.rank(c) == game.claimed),
        lost.contains(&game.claimed),
    ]
}

/// A false claim is called in each of the special cases, each met alone; without one, and after a true claim, the
/// weights decide.
#[test]
fn the_roll_out_policy_calls_in_the_special_cases() {
    let liars = Habit {
        lie: 6,
        honest: 1,
        call: 6,
        take: 1,
        most: 1,
    };
    let mut alone = [0; 6];
    let (mut weighed, mut truthful) = (0, 0);
    let long: Settings<'_> = &[("rounds", "400")];
    let mut look = |table: &Table| {
        let (machine, game, me) = (&table.machine, &table.game, table.mover());
        if !game.can_call() || game.hands[me].len() > 6 {
            return;
        }
        let cases = special(game);
        let found = cases.iter().filter(|c| **c).count();
        let entry = machine.find_knowledge(me, "habit").expect("a playout");
        let actions = table.legal();
        let shares = machine
            .preferences(&table.state, entry, me, &actions)
            .expect("shares");
        let call = actions
            .iter()
            .position(|a| table.made(a) == Move::Call)
            .expect("a call");
        if lied(game) && found > 0 {
            assert_eq!(shares[call], 1.0, "{cases:?}");
            if found == 1 {
                alone[cases.iter().position(|c| *c).expect("one")] += 1;
            }
            return;
        }
        if lied(game) {
            weighed += 1;
        } else {
            truthful += i32::from(found > 0);
        }
        // The call has 0.105, and every other class that there is a seventeenth of the rest.
        let class = |made: &Move| match made {
            Move::Claim { rank, cards } => (*rank, game.true_claim(*rank, cards), cards.len()),
            Move::Call => (99, true, 0),
            Move::Take => (99, false, 0),
        };
        let classes: Vec<_> = actions.iter().map(|a| class(&table.made(a))).collect();
        let kinds: BTreeSet<_> = classes.iter().collect();
        let other = (1.0 - 0.105) / 17.0;
        let sum = 0.105 + other * (kinds.len() - 1) as f64;
        for (i, own) in classes.iter().enumerate() {
            let size = classes.iter().filter(|c| *c == own).count() as f64;
            let weight = if i == call { 0.105 } else { other / size };
            assert!((shares[i] - weight / sum).abs() < 1e-9);
        }
    };
    random_games(60, EVEN, &[], &mut look);
    random_games(100, EVEN, &[("dealt", "2")], &mut look);
    random_games(60, liars, long, &mut look);
    assert!(alone.iter().all(|n| *n >= 5), "{alone:?}");
    assert!(weighed >= 20 && truthful >= 20, "{weighed} {truthful}");
}

/// All weights are params, those of claims a table; what is not given shares what the call leaves.
#[test]
fn weights_can_be_given() {
    let settings = [
        ("call_weight", "0.5"),
        ("take_weight", "1/4"),
        ("dealt", "1"),
    ];
    let mut table = Table::dealt(&settings, ["{9♣}", "{3♠}", "5♣", "Ann begins"]);
    table.line("take", "{J♣}");
    table.line("take", "{J♦}");
    table.line("1 x 6: {9♣}", "");
    // Ben may claim sevens or fives with one or two cards, all of them falsely: four classes.
    let me = table.mover();
    let entry = table.machine.find_knowledge(me, "habit");
    let actions = table.legal();
    let shares = table
        .machine
        .preferences(&table.state, entry.expect("a playout"), me, &actions)
        .expect("shares");
    let mut sums = [0.0; 3];
    for (action, share) in actions.iter().zip(shares) {
        sums[action.0[0] as usize] += share;
    }
    let claims = 4.0 * 0.5 / 17.0;
    let all = claims + 0.5 + 0.25;
    for (found, weight) in sums.iter().zip([claims, 0.5, 0.25]) {
        assert!((found - weight / all).abs() < 1e-9, "{sums:?}");
    }
}

#[test]
fn weights_of_claims_can_be_given_one_by_one() {
    let settings = [
        ("dealt", "1"),
        ("take_weight", "0.1"),
        (
            "claim_weight",
            "{ true: { else: { 1: 0.2, else: 0.3 } }, false: 0 }",
        ),
        ("claim_weight[false, false, 2]", "0.4"),
    ];
    let mut table = Table::dealt(&settings, ["{9♣}", "{3♠}", "5♣", "Ann begins"]);
    table.line("take", "{J♣}");
    table.line("take", "{J♦}");
    let me = table.mover();
    let entry = table.machine.find_knowledge(me, "habit");
    let actions = table.legal();
    let shares = table
        .machine
        .preferences(&table.state, entry.expect("a playout"), me, &actions)
        .expect("shares");
    // Ann has a nine and a jack, and may claim sixes or fours with one of them or both.
    let mut sums: BTreeMap<String, f64> = BTreeMap::new();
    for (action, share) in actions.iter().zip(shares) {
        let text = table.machine.action_text(&table.state, me, action, None);
        let class = text.split(':').next().unwrap_or_default();
        *sums.entry(class.to_string()).or_default() += share;
    }
    let expected = [
        ("1 x 4", 0.0),
        ("1 x 6", 0.2),
        ("2 x 4", 0.4),
        ("2 x 6", 0.3),
        ("take", 0.1),
    ];
    assert_eq!(sums.len(), expected.len(), "{sums:?}");
    for (class, weight) in expected {
        assert!((sums[class] - weight).abs() < 1e-9, "{class}: {sums:?}");
    }
}

/// A variant gives the weights of claims, as one would read them off the paper's figure.
#[test]
fn a_variant_gives_the_weights_of_claims() {
    let text = "game Mine extends \"cheat.game\" {
      param take_weight = 0.2
      param claim_weight = {
        true: { true: { 1: 0.4, 2: 0.1, else: 0 }, false: { else: 0.05 } },
        false: { else: { 1: 0.3, else: 0 } }
      }
    }";
    let loader = |_: &str, path: &str| Ok((path.to_string(), crate::support::text("cheat")));
    let (machine, _) = ruse::load_with("mine.game", text, &Default::default(), &loader)
        .0
        .expect("a game");
    let weight = |class: &[u64]| match *class {
        [0, 1, 1, 1] => 0.4,
        [0, 1, 1, 2] => 0.1,
        [0, 1, 0, _] => 0.05,
        [0, 0, _, 1] => 0.3,
        [2] => 0.2,
        _ => 0.0,
    };
    let mut met = BTreeSet::new();
    for seed in 0..100 {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut state = machine.initial().expect("a first node");
        while let Turn::Chance = machine.turn(&state) {
            let outcome = machine.sample_chance(&state, &mut rng).expect("a draw");
            machine.step(&mut state, &[outcome]).expect("a step");
        }
        let me = movers(&machine, &state)[0];
        let entry = |name| machine.find_knowledge(me, name).expect("an entry");
        let mut actions = Actions::default();
        machine.legal(&state, me, &mut actions).expect("options");
        let shares = machine
            .preferences(&state, entry("habit"), me, &actions)
            .expect("shares");
        let mut found: BTreeMap<Vec<u64>, f64> = BTreeMap::new();
        for (action, share) in actions.iter().zip(shares) {
            let class = machine.action_class(&state, entry("actions"), me, action);
            let class = class.expect("a class").expect("one").to_vec();
            *found.entry(class).or_default() += share;
        }
        let all: f64 = found.keys().map(|c| weight(c)).sum();
        for (class, share) in found {
            assert!((share - weight(&class) / all).abs() < 1e-9, "{class:?}");
            met.insert(class);
        }
    }
    assert!(met.contains(&vec![0, 1, 1, 2]) && met.contains(&vec![0, 0, 1, 1]));
}
