//! The warehouse patrol (Karwowski & Mańdziuk 2019, section 2): each rule of the text, checked on random games and on
//! written lines from outside, and the values of the paper's example from the whole table of payoffs.

use crate::support::{load, movers, random_step};
use rand::SeedableRng;
use rand::rngs::Xoshiro256PlusPlus;
use ruse::internal::machine::{Actions, Event, Machine, Observation, State, Turn};
use std::collections::{BTreeSet, HashMap};

const DEFENDER: usize = 0;
const EVADER: usize = 1;
const BASE: usize = 0;
const ENTRY: usize = 8;
const TARGETS: [usize; 3] = [0, 1, 2];

/// The building of Fig. 1b.
const DOORS: [(usize, usize); 11] = [
    (0, 3),
    (1, 4),
    (2, 5),
    (3, 4),
    (3, 10),
    (4, 5),
    (5, 6),
    (6, 7),
    (7, 8),
    (8, 9),
    (9, 10),
];

/// Where a unit may be one round later: where it is, or next to it.
fn near(room: usize) -> BTreeSet<usize> {
    let next = DOORS.iter().filter_map(|&(a, b)| match room {
        r if r == a => Some(b),
        r if r == b => Some(a),
        _ => None,
    });
    next.chain([room]).collect()
}

/// U(D+) and U(E-) of an interception.
fn intercepted(room: usize) -> [f64; 2] {
    let reward = if TARGETS.contains(&room) { 3.0 } else { 1.0 };
    [reward, if room == 0 { -13.2 } else { -1.0 }]
}

/// U(D-) and U(E+) of a target reached.
fn reached(room: usize) -> [f64; 2] {
    [[-15.0, 27.8], [-10.0, 10.0], [-15.0, 30.0]][room]
}

const NEUTRAL: [f64; 2] = [0.0, 0.0];

/// Where the units are, and the evader.
fn places(machine: &Machine, state: &State) -> (Vec<usize>, usize) {
    let mut guards = Vec::new();
    let mut thief = None;
    for entry in machine.whole_view(state).entries {
        let value = || entry.value.parse().expect("a room");
        if entry.name.starts_with("guard") {
            guards.push(value());
        } else if entry.name == "thief" {
            thief = Some(value());
        }
    }
    (guards, thief.expect("the evader"))
}

fn options(machine: &Machine, state: &State, player: usize) -> BTreeSet<String> {
    let mut actions = Actions::default();
    machine.legal(state, player, &mut actions).expect("options");
    let texts = actions
        .iter()
        .map(|a| machine.action_text(state, player, a, None));
    let texts: Vec<String> = texts.collect();
    let all: BTreeSet<String> = texts.iter().cloned().collect();
    assert_eq!(all.len(), texts.len(), "no option comes twice");
    all
}

/// Every way for the units to stay or to move, each by itself.
fn joint(guards: &[usize]) -> BTreeSet<String> {
    let mut all = vec![String::new()];
    for (i, &guard) in guards.iter().enumerate() {
        let comma = if i == 0 { "" } else { ", " };
        all = all
            .iter()
            .flat_map(|before| near(guard).into_iter().map(move |r| (before, r)))
            .map(|(before, r)| format!("{before}{comma}{r}"))
            .collect();
    }
    all.into_iter().collect()
}

fn rooms(text: &str) -> Vec<usize> {
    let rooms = text.split(", ").map(|r| r.parse().expect("a room"));
    rooms.collect()
}

#[test]
fn every_rule_of_the_paper_holds_in_random_games() {
    for (units, rounds, games) in [("1", "5", 600), ("2", "5", 600), ("3", "9", 2000)] {
        let machine = load("patrol", &[("units", units), ("rounds", rounds)]);
        let limit: usize = rounds.parse().expect("a number");
        // How often a game ended this way: met at a target, met elsewhere, at a target, out of rounds.
        let mut ends = [0; 4];
        let (mut waited, mut passed) = (0, 0);
        for seed in 0..games {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut state = machine.initial().expect("a start");
            // 1: the units begin at the base, the evader at the entry.
            let (mut guards, mut thief) = places(&machine, &state);
            assert_eq!(guards, vec![BASE; units.parse().expect("a number")]);
            assert_eq!(thief, ENTRY);
            let mut round = 0;
            let payoffs = loop {
                // 2: both decide at a time; a unit stays or goes next door.
                assert_eq!(movers(&machine, &state), [DEFENDER, EVADER]);
                assert_eq!(options(&machine, &state, DEFENDER), joint(&guards));
                assert_eq!(options(&machine, &state, EVADER), joint(&[thief]));
                let actions = random_step(&machine, &state, &mut rng).expect("a round");
                let texts: Vec<String> = [DEFENDER, EVADER]
                    .map(|p| machine.action_text(&state, p, &actions[p], None))
                    .to_vec();
                machine.step(&mut state, &actions).expect("a step");
                round += 1;
                // 3: the units are placed as decided.
                let before = (guards, thief);
                (guards, thief) = places(&machine, &state);
                assert_eq!(guards, rooms(&texts[DEFENDER]));
                assert_eq!(vec![thief], rooms(&texts[EVADER]));
                waited += usize::from(thief == before.1);
                passed += usize::from(
                    (0..guards.len()).any(|u| guards[u] == before.1 && before.0[u] == thief),
                );
                // 4a before 4b before 4c; 4d: else the game goes on.
                let (end, payoffs) = if guards.contains(&thief) {
                    let end = usize::from(!TARGETS.contains(&thief));
                    (end, intercepted(thief))
                } else if TARGETS.contains(&thief) {
                    (2, reached(thief))
                } else if round == limit {
                    (3, NEUTRAL)
                } else {
                    continue;
                };
                ends[end] += 1;
                break payoffs;
            };
            assert_eq!(machine.turn(&state), Turn::Terminal);
            assert_eq!(
                machine.payoffs(&state).expect("payoffs").as_slice(),
                payoffs
            );
        }
        assert!(waited > 100, "the evader waited {waited} times");
        assert!(ends[1] > 10 && ends[2] > 5 && ends[3] > 100, "{ends:?}");
        if units == "3" {
            assert!(ends[0] > 5, "{ends:?}");
            assert!(passed > 0, "nobody passed another in a door");
        }
    }
}

/// Neither side's observations or view tell anything of the other side while the game goes on.
#[test]
fn players_do_not_see_each_other() {
    let machine = load("patrol", &[("units", "2")]);
    // What one side saw and sees, by its own moves alone.
    let mut told: [HashMap<String, (Vec<Observation>, String)>; 2] = Default::default();
    let mut again = 0;
    for seed in 0..800 {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
        let mut seen: [Vec<Observation>; 2] = Default::default();
        let mut own = [String::new(), String::new()];
        let mut state = machine.initial().expect("a start");
        while let Some(actions) = random_step(&machine, &state, &mut rng) {
            for p in [DEFENDER, EVADER] {
                own[p] += &format!("{} | ", machine.action_text(&state, p, &actions[p], None));
            }
            let mut sink = |e: Event<'_>| {
                for (p, seen) in seen.iter_mut().enumerate() {
                    if e.viewers.contains(p) {
                        seen.push(Observation::from(&e));
                    }
                }
            };
            let stepped = machine.step_observed(&mut state, &actions, &mut sink);
            stepped.expect("a step");
            if machine.turn(&state) == Turn::Terminal {
                break;
            }
            for p in [DEFENDER, EVADER] {
                let view = format!("{:?}", machine.view(&state, p));
                assert!(!view.contains(["thief", "guard"][p]), "{view}");
                let now = (seen[p].clone(), view);
                if let Some(before) = told[p].insert(own[p].clone(), now.clone()) {
                    assert_eq!(before, now, "after {}", own[p]);
                    again += 1;
                }
            }
        }
    }
    assert!(again > 500, "the same walk was met again {again} times");
}

/// With sight, both sides learn where a unit and the evader are that are near enough, and else only that they are not.
#[test]
fn who_is_near_enough_is_seen() {
    for (sight, units) in [(1, 1), (2, 2)] {
        let text = [sight.to_string(), units.to_string()];
        let settings = [("sight", &*text[0]), ("units", &*text[1])];
        let machine = load("patrol-sight", &settings);
        let (mut seen, mut unseen) = (0, 0);
        for seed in 0..300 {
            let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
            let mut state = machine.initial().expect("a start");
            while let Some(actions) = random_step(&machine, &state, &mut rng) {
                let mut told = [0; 2];
                let mut sink = |e: Event<'_>| {
                    e.viewers.iter().for_each(|p| told[p] += 1);
                };
                let stepped = machine.step_observed(&mut state, &actions, &mut sink);
                stepped.expect("a step");
                let (guards, thief) = places(&machine, &state);
                if guards.contains(&thief) || TARGETS.contains(&thief) {
                    break;
                }
                let mut within = near(thief);
                for _ in 1..sight {
                    within = within.into_iter().flat_map(near).collect();
                }
                let close = guards.iter().filter(|g| within.contains(g)).count();
                // The own choice, that nobody was met and no target reached, for each unit whether it is near; then where
                // both are.
                assert_eq!(told, [3 + units + 2 * close; 2], "{guards:?} {thief}");
                seen += close;
                unseen += units - close;
            }
        }
        assert!(seen > 30 && unseen > 300, "{seen} {unseen}");
    }
}

/// Plays a line, a round a pair of moves; what the players get if it ends with it.
#[track_caller]
fn line(settings: &[(&str, &str)], rounds: &[(&str, &str)]) -> Option<[f64; 2]> {
    let machine = load("patrol", settings);
    let mut state = machine.initial().expect("a start");
    for (guards, thief) in rounds {
        assert_ne!(machine.turn(&state), Turn::Terminal, "before {guards}");
        let find = |p, text| machine.find_action(&state, p, text).expect("a move");
        let actions = [find(DEFENDER, guards), find(EVADER, thief)];
        machine.step(&mut state, &actions).expect("a step");
    }
    let over = machine.turn(&state) == Turn::Terminal;
    over.then(|| {
        let payoffs = machine.payoffs(&state).expect("payoffs");
        [payoffs[DEFENDER], payoffs[EVADER]]
    })
}

#[test]
fn a_target_reached_ends_the_game() {
    let to_2 = [("0", "7"), ("0", "6"), ("0", "5"), ("0", "2")];
    assert_eq!(line(&[], &to_2[..3]), None);
    assert_eq!(line(&[], &to_2), Some(reached(2)));
    let to_1 = [("0", "9"), ("0", "10"), ("0", "3"), ("0", "4"), ("0", "1")];
    assert_eq!(line(&[], &to_1), Some(reached(1)));
}

#[test]
fn who_is_met_is_intercepted() {
    let halfway = [("0", "9"), ("0", "10"), ("3", "3")];
    assert_eq!(line(&[], &halfway), Some([1.0, -1.0]));
    // At a target too: meeting comes before reaching.
    let to_0 = [("0", "9"), ("0", "10"), ("0", "3"), ("0", "0")];
    assert_eq!(line(&[], &to_0[..3]), None);
    assert_eq!(line(&[], &to_0), Some([3.0, -13.2]));
    let to_2 = [("3", "7"), ("4", "6"), ("5", "6"), ("2", "5"), ("2", "2")];
    assert_eq!(line(&[], &to_2), Some([3.0, -1.0]));
}

#[test]
fn changing_places_is_no_meeting() {
    let swap = [("0", "9"), ("3", "10"), ("10", "3"), ("10", "0")];
    assert_eq!(line(&[], &swap[..3]), None);
    assert_eq!(line(&[], &swap), Some(reached(0)));
}

#[test]
fn the_game_is_over_after_its_rounds() {
    let stay = [("0", "8"); 12];
    assert_eq!(line(&[], &stay[..4]), None);
    assert_eq!(line(&[], &stay[..5]), Some(NEUTRAL));
    assert_eq!(line(&[("rounds", "1")], &stay[..1]), Some(NEUTRAL));
    assert_eq!(line(&[("rounds", "12")], &stay[..11]), None);
    assert_eq!(line(&[("rounds", "12")], &stay), Some(NEUTRAL));
    // What happens in the last round counts.
    let last = [("0", "8"), ("0", "7"), ("0", "6"), ("0", "5"), ("0", "2")];
    assert_eq!(line(&[], &last), Some(reached(2)));
}

#[test]
fn any_unit_intercepts() {
    let three = [("units", "3")];
    let out = [("3, 3, 0", "9"), ("10, 4, 3", "9"), ("9, 5, 3", "9")];
    assert_eq!(line(&three, &out[..2]), None);
    assert_eq!(line(&three, &out), Some(intercepted(9)));
    let out = [("3, 3, 0", "9"), ("4, 3, 0", "10"), ("4, 3, 10", "9")];
    assert_eq!(line(&three, &out[..2]), None);
    let last = [
        ("0, 0, 3", "9"),
        ("0, 0, 10", "9"),
        ("0, 0, 9", "8"),
        ("0, 0, 8", "8"),
    ];
    assert_eq!(line(&three, &last[..3]), None);
    assert_eq!(line(&three, &last), Some(intercepted(8)));
    // Two that meet him are as good as one.
    let both = [("3, 3, 0", "9"), ("10, 10, 0", "10")];
    assert_eq!(line(&three, &both), Some(intercepted(10)));
}

/// All walks of so many rounds from a room.
fn walks(from: usize, rounds: usize) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for _ in 0..rounds {
        all = all
            .iter()
            .flat_map(|walk: &Vec<usize>| {
                let here = walk.last().copied().unwrap_or(from);
                near(here).into_iter().map(move |room| (walk, room))
            })
            .map(|(walk, room)| {
                let mut longer = walk.clone();
                longer.push(room);
                longer
            })
            .collect();
    }
    all
}

/// The payoffs of all games, in units of payoff, by the rooms that the two go through until the end.
struct Table {
    ends: HashMap<(Vec<usize>, Vec<usize>), [i64; 2]>,
    rounds: usize,
}

impl Table {
    fn of(machine: &Machine, rounds: usize) -> Table {
        let mut table = Table {
            ends: HashMap::new(),
            rounds,
        };
        let start = machine.initial().expect("a start");
        table.fill(machine, &start, &mut vec![], &mut vec![]);
        table
    }

    fn fill(
        &mut self,
        machine: &Machine,
        state: &State,
        guard: &mut Vec<usize>,
        thief: &mut Vec<usize>,
    ) {
        if machine.turn(state) == Turn::Terminal {
            let units = machine.payoff_units(state).expect("payoffs");
            let end = (guard.clone(), thief.clone());
            let earlier = self.ends.insert(end, [units[DEFENDER], units[EVADER]]);
            assert_eq!(earlier, None);
            return;
        }
        let mut lists = [Actions::default(), Actions::default()];
        for (p, list) in lists.iter_mut().enumerate() {
            machine.legal(state, p, list).expect("options");
        }
        let room = |p, a| {
            machine
                .action_text(state, p, a, None)
                .parse()
                .expect("a room")
        };
        for d in lists[DEFENDER].iter() {
            for e in lists[EVADER].iter() {
                let mut next = state.clone();
                let actions = [d.clone(), e.clone()];
                machine.step(&mut next, &actions).expect("a step");
                guard.push(room(DEFENDER, d));
                thief.push(room(EVADER, e));
                self.fill(machine, &next, guard, thief);
                guard.pop();
                thief.pop();
            }
        }
    }

    /// What two walks lead to; what they would do after the end does not matter.
    fn payoffs(&self, guard: &[usize], thief: &[usize]) -> [i64; 2] {
        let found = (1..=self.rounds)
            .find_map(|n| self.ends.get(&(guard[..n].to_vec(), thief[..n].to_vec())));
        *found.expect("every pair of walks comes to an end")
    }

    /// The payoffs of every pair of walks: a row for each walk of the defender, a column for each of the evader.
    fn whole(&self, guards: &[Vec<usize>], thieves: &[Vec<usize>]) -> Vec<Vec<[i64; 2]>> {
        let row = |g: &Vec<usize>| thieves.iter().map(|t| self.payoffs(g, t)).collect();
        guards.iter().map(row).collect()
    }
}

/// The evader's walks that are best for him against a mixture of the defender's walks (in hundredths) and, among these,
/// best for the defender; with what the two get.
fn best_responses(
    whole: &[Vec<[i64; 2]>],
    mixture: &[(usize, i64)],
    unit: f64,
) -> (Vec<usize>, [f64; 2]) {
    let value = |column: usize, p: usize| -> i64 {
        let share = |&(row, hundredths): &(usize, i64)| whole[row][column][p] * hundredths;
        mixture.iter().map(share).sum()
    };
    let order = |&c: &usize| (value(c, EVADER), value(c, DEFENDER));
    let columns = 0..whole[0].len();
    let best = columns.clone().map(|c| order(&c)).max().expect("a walk");
    let walks = columns.filter(|c| order(c) == best).collect();
    let paid = |units: i64| units as f64 / unit / 100.0;
    (walks, [paid(best.1), paid(best.0)])
}

#[test]
fn the_example_has_the_values_of_the_paper() {
    let machine = load("patrol", &[]);
    let unit = machine.payoff_denominator() as f64;
    let table = Table::of(&machine, 5);
    let (guards, thieves) = (walks(BASE, 5), walks(ENTRY, 5));
    let whole = table.whole(&guards, &thieves);
    assert!(whole.len() > 100 && whole.iter().all(|row| row.len() == thieves.len()));

    // Section 2.3: within five rounds rooms 1 and 2 can be reached clockwise, 0 and 1 the other way round.
    let through = |walk: &[usize], room| walk.contains(&room);
    for (thief, reachable) in [(7, [1, 2]), (9, [0, 1])] {
        let ends: BTreeSet<usize> = table
            .ends
            .keys()
            .filter(|(_, t)| through(t, thief) && !through(t, 16 - thief))
            .filter_map(|(_, t)| t.last().copied())
            .filter(|room| TARGETS.contains(room))
            .collect();
        assert_eq!(ends.into_iter().collect::<Vec<_>>(), reachable);
    }

    // Tables 1 and 2.
    let row = |walk: [usize; 5]| guards.iter().position(|g| *g == walk).expect("a walk");
    let (stay, sally) = (row([0, 0, 0, 0, 0]), row([3, 4, 5, 2, 2]));
    let close = |a: [f64; 2], b: [f64; 2]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9);
    let (best, value) = best_responses(&whole, &[(stay, 40), (sally, 60)], unit);
    assert!(close(value, [-4.20, 11.40]), "{value:?}");
    let mut found: Vec<&[usize]> = best.iter().map(|&t| thieves[t].as_slice()).collect();
    found.sort_unstable();
    assert_eq!(
        found,
        [[7, 6, 6, 5, 2], [7, 7, 6, 5, 2], [8, 7, 6, 5, 2]],
        "Table 1"
    );
    let (best, value) = best_responses(&whole, &[(stay, 39), (sally, 61)], unit);
    assert!(
        (value[DEFENDER] + 7.98).abs() < 0.005 && (value[EVADER] - 11.81).abs() < 0.005,
        "{value:?}"
    );
    // The evader now goes the other way round.
    assert!(best.iter().all(|&t| through(&thieves[t], 0)));
    // What the defender's walks are worth against these answers, the rightmost columns of the tables.
    let clockwise = thieves
        .iter()
        .position(|t| *t == [8, 7, 6, 5, 2])
        .expect("a walk");
    let paid = |row: usize, column: usize| whole[row][column][DEFENDER] as f64 / unit;
    assert_eq!(
        (paid(stay, clockwise), paid(sally, clockwise)),
        (-15.0, 3.0)
    );
    let other = best[0];
    assert_eq!((paid(stay, other), paid(sally, other)), (3.0, -15.0));
}
