//! Beliefs against an enumeration of all histories, and against what a game's own rules say that a player can know.

use crate::support::{load, load_text};
use indexmap::IndexMap;
use rand::RngExt;
use ruse::internal::belief::{Belief, Hypothesis, Options, Weighting};
use ruse::internal::machine::{Action, Actions, Machine, Observation, Outcomes, State, Turn};
use ruse::internal::random::stream;
use std::collections::BTreeMap;
use std::sync::Arc;

/// What reached a player.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Entry {
    Saw(Observation),
    Asked(u32, Actions),
}

pub(crate) type Key = Vec<u64>;

/// For each question of a seat, by all that reached it so far, the probability of each state, if all others choose uniformly.
pub(crate) type Posteriors = IndexMap<Vec<Entry>, BTreeMap<Key, f64>>;

fn key(machine: &Machine, state: &State) -> Key {
    machine.exact_key(state).to_vec()
}

/// Every history up to so many questions of the seat.
pub(crate) struct Enumeration<'m> {
    machine: &'m Machine,
    seat: usize,
    /// How likely each action of another player is, by the state and what that player has seen.
    mix: &'m Mix<'m>,
    found: Posteriors,
    histories: usize,
}

pub(crate) type Mix<'m> = dyn Fn(&State, usize, &[Observation], &Actions) -> Vec<f64> + 'm;

impl Enumeration<'_> {
    pub(crate) fn of(machine: &Machine, seat: usize, questions: usize) -> Posteriors {
        let even = |_: &State, _: usize, _: &[Observation], actions: &Actions| {
            vec![1.0 / actions.len() as f64; actions.len()]
        };
        Enumeration::by(machine, seat, questions, &even)
    }

    /// The same where the others choose otherwise.
    pub(crate) fn by(
        machine: &Machine,
        seat: usize,
        questions: usize,
        mix: &Mix<'_>,
    ) -> Posteriors {
        let mut enumeration = Enumeration {
            machine,
            seat,
            mix,
            found: Posteriors::new(),
            histories: 0,
        };
        let mut record = Vec::new();
        let mut seen = vec![Vec::new(); machine.player_count()];
        let state = machine
            .initial_observed(&mut |event| {
                for p in event.viewers {
                    seen[p].push(Observation::from(&event));
                }
                if event.viewers.contains(seat) {
                    record.push(Entry::Saw(Observation::from(&event)));
                }
            })
            .unwrap();
        enumeration.walk(&state, (&record, &seen), 1.0, questions);
        assert!(enumeration.histories > 3);
        enumeration.found
    }

    fn walk(
        &mut self,
        state: &State,
        (record, seen): (&[Entry], &[Vec<Observation>]),
        probability: f64,
        questions: usize,
    ) {
        let machine = self.machine;
        let mut record = record.to_vec();
        let lists: Vec<Vec<(Action, f64)>> = match machine.turn(state) {
            Turn::Terminal => {
                self.histories += 1;
                return;
            }
            Turn::Chance => {
                let mut outcomes = Outcomes::default();
                machine.outcomes(state, &mut outcomes).unwrap();
                let total = outcomes.total as f64;
                let list = outcomes.list.iter();
                vec![list.map(|(o, w)| (o.clone(), *w as f64 / total)).collect()]
            }
            Turn::Decision(movers) => {
                let list = |mover| {
                    let mut actions = Actions::default();
                    machine.legal(state, mover, &mut actions).unwrap();
                    if mover == self.seat {
                        record.push(Entry::Asked(machine.node(state), actions.clone()));
                        let states = self.found.entry(record.clone()).or_default();
                        *states.entry(key(machine, state)).or_default() += probability;
                    }
                    // Its own choices are no evidence.
                    let shares = match mover == self.seat {
                        true => vec![1.0; actions.len()],
                        false => (self.mix)(state, mover, &seen[mover], &actions),
                    };
                    let mut list: Vec<(Action, f64)> = std::iter::zip(actions.0, shares).collect();
                    list.retain(|(_, share)| *share > 0.0);
                    list
                };
                movers.iter().map(list).collect()
            }
        };
        let asked = record
            .last()
            .is_some_and(|entry| matches!(entry, Entry::Asked(..)));
        let left = questions - usize::from(asked);
        if left == 0 {
            self.histories += 1;
            return;
        }
        let mut places = vec![0; lists.len()];
        loop {
            let chosen = std::iter::zip(&lists, &places).map(|(list, &i)| &list[i]);
            let (actions, shares): (Vec<Action>, Vec<f64>) = chosen.cloned().unzip();
            let (mut next, mut after) = (state.clone(), record.clone());
            let mut seen = seen.to_vec();
            machine
                .step_observed(&mut next, &actions, &mut |event| {
                    for p in event.viewers {
                        seen[p].push(Observation::from(&event));
                    }
                    if event.viewers.contains(self.seat) {
                        after.push(Entry::Saw(Observation::from(&event)));
                    }
                })
                .unwrap();
            let share: f64 = shares.iter().product();
            self.walk(&next, (&after, &seen), probability * share, left);
            let turned = (0..lists.len())
                .rev()
                .find(|&m| places[m] + 1 < lists[m].len());
            let Some(turned) = turned else { return };
            places[turned] += 1;
            places[turned + 1..].fill(0);
        }
    }
}

/// The belief of a seat that all this has reached, with the weight of each state.
pub(crate) fn believed(
    machine: &Machine,
    belief: &mut Belief,
    record: &[Entry],
) -> BTreeMap<Key, f64> {
    let mut hypotheses: &[Hypothesis] = &[];
    let mut last = None;
    for (i, entry) in record.iter().enumerate() {
        match entry {
            Entry::Saw(observation) => belief.observe(observation),
            Entry::Asked(node, actions) => {
                belief.asked(*node, actions).unwrap();
                last = Some(i);
            }
        }
    }
    assert_eq!(last, Some(record.len() - 1));
    if last.is_some() {
        hypotheses = belief.hypotheses();
    }
    let states = hypotheses
        .iter()
        .map(|h| (key(machine, &h.state), h.weight));
    states.collect()
}

/// All beliefs of all seats, with both weightings, against the enumeration. Returns how many there were, and how many states
/// in them.
fn compare(machine: &Arc<Machine>, questions: usize) -> (usize, usize) {
    let (mut beliefs, mut states) = (0, 0);
    for seat in 0..machine.player_count() {
        let found = Enumeration::of(machine, seat, questions);
        let mut posterior = Belief::new(
            machine,
            Options {
                weighting: Weighting::Posterior,
                ..Options::default()
            },
        );
        let mut support = Belief::new(machine, Options::default());
        for (record, expected) in &found {
            let total: f64 = expected.values().sum();
            posterior.begin(seat, 1);
            let weights = believed(machine, &mut posterior, record);
            assert!(posterior.report().complete);
            assert!(weights.keys().eq(expected.keys()), "{record:?}");
            for (weight, expected) in std::iter::zip(weights.values(), expected.values()) {
                assert!((weight - expected / total).abs() < 1e-9, "{record:?}");
            }
            support.begin(seat, 1);
            let weights = believed(machine, &mut support, record);
            let even = 1.0 / expected.len() as f64;
            assert!(weights.keys().eq(expected.keys()), "{record:?}");
            assert!(weights.values().all(|w| (w - even).abs() < 1e-12));
            assert!((support.report().effective - expected.len() as f64).abs() < 1e-6);
            beliefs += 1;
            states += expected.len();
        }
    }
    (beliefs, states)
}

#[test]
fn beliefs_are_what_an_enumeration_finds() {
    let all = usize::MAX;
    // 6 information states each in Kuhn poker, of two deals each.
    assert_eq!(compare(&load("kuhn-poker", &[]), all), (12, 24));
    type Settings = &'static [(&'static str, &'static str)];
    let other: [(&str, Settings, usize); 5] = [
        ("leduc-poker", &[], all),
        ("liars-dice", &[("sides", "3")], all),
        ("goofspiel-hidden", &[("cards", "3")], all),
        ("phantom-tic-tac-toe", &[], 3),
        ("matching-pennies", &[], all),
    ];
    for (game, settings, questions) in other {
        let (beliefs, states) = compare(&load(game, settings), questions);
        assert!(
            states >= beliefs && beliefs > 1,
            "{game}: {beliefs} {states}"
        );
    }
}

/// Pieces of hidden rank on a strip: what meets is revealed, and the stronger one stays.
pub(crate) const STRIP: &str = "game Strip {
  players { Red, Blue }
  enum Rank { scout, major, marshal }
  state {
    rank  : [p: Player][1..2] Rank  seen by p
    place : [Player][1..2] 0..4 = { Red: 0, Blue: 4 }
    alive : [Player][1..2] bool = true
  }
  def men(p: Player): set of 1..2 = { i for i in 1..2 where alive[p][i] }
  play {
    each p in Player { each i in 1..2 { draw r in Rank into rank[p][i] } }
    repeat 2 times {
      each p in Player {
        p chooses { ahead(i in men(p)) => {
          place[p][i] = if p == Red then 4 else 0
          each j in 1..2 {
            if alive[p][i] and alive[opponent(p)][j] and place[p][i] == place[opponent(p)][j] {
              let mine = reveal(rank[p][i])
              let theirs = reveal(rank[opponent(p)][j])
              if mine >= theirs { alive[opponent(p)][j] = false }
              else { alive[p][i] = false }
            }
          }
        }
        stay => {} }
      }
    }
  }
  payoff zero-sum: [p in Player] size(men(p)) - size(men(opponent(p)))
}";

#[test]
fn pieces_of_hidden_rank_are_believed_in_as_they_are_revealed() {
    let machine = load_text("strip", STRIP, &Default::default());
    let (beliefs, states) = compare(&machine, usize::MAX);
    assert!(beliefs > 100 && states > beliefs, "{beliefs} {states}");
}

/// The stations where X can be, by the belief of every detective, are those that the rules keep a note of (the list L of
/// Nijssen & Winands 2012, Algorithm 1).
fn suspects(machine: &Arc<Machine>, games: u64) {
    let mut compared = 0;
    for game in 0..games {
        let mut rng = stream(5, &[game]);
        let mut beliefs: Vec<Belief> = (0..machine.player_count())
            .map(|_| Belief::new(machine, Options::default()))
            .collect();
        for (seat, belief) in beliefs.iter_mut().enumerate() {
            belief.begin(seat, 1);
        }
        let mut state = machine
            .initial_observed(&mut |event| {
                for p in event.viewers {
                    beliefs[p].observe(&Observation::from(&event));
                }
            })
            .unwrap();
        loop {
            let actions: Vec<Action> = match machine.turn(&state) {
                Turn::Terminal => break,
                Turn::Chance => vec![machine.sample_chance(&state, &mut rng).unwrap()],
                Turn::Decision(movers) => {
                    let mut chosen = Vec::new();
                    for mover in movers {
                        let mut actions = Actions::default();
                        machine.legal(&state, mover, &mut actions).unwrap();
                        let node = machine.node(&state);
                        beliefs[mover].asked(node, &actions).unwrap();
                        if mover > 0 {
                            compared += 1;
                            let expected =
                                value(&machine.notes(&state, Some(mover)).entries, "suspects");
                            let mut places: Vec<u32> = beliefs[mover]
                                .hypotheses()
                                .iter()
                                .map(|h| value(&machine.whole_view(&h.state).entries, "at[X]"))
                                .map(|place| place.parse().unwrap())
                                .collect();
                            places.sort_unstable();
                            places.dedup();
                            let places: Vec<String> = places.iter().map(u32::to_string).collect();
                            assert_eq!(format!("{{{}}}", places.join(", ")), expected);
                        }
                        let drawn = rng.random_range(0..actions.len() as u64) as usize;
                        chosen.push(actions[drawn].clone());
                    }
                    chosen
                }
            };
            machine
                .step_observed(&mut state, &actions, &mut |event| {
                    for p in event.viewers {
                        beliefs[p].observe(&Observation::from(&event));
                    }
                })
                .unwrap();
        }
    }
    assert!(compared > games, "{compared}");
}

fn value(entries: &[ruse::internal::machine::ViewEntry], name: &str) -> String {
    let entry = entries.iter().find(|e| e.name == name);
    entry.unwrap_or_else(|| panic!("no {name}")).value.clone()
}

#[test]
fn detectives_know_where_the_hider_can_be() {
    suspects(&load("scotland-yard-mini", &[]), 40);
    suspects(&load("scotland-yard", &[("seats", "3")]), 4);
}

#[test]
#[ignore = "plays 1,000 games of each"]
fn detectives_know_where_the_hider_can_be_in_many_games() {
    suspects(&load("scotland-yard-mini", &[]), 1000);
    suspects(&load("scotland-yard", &[]), 1000);
}

/// A card that nobody asks for any more, and that Ann still sees.
const SEEN: &str = "game Seen {
  players { Ann, Ben }
  state { card : 1..3 seen by Ann }
  play {
    draw c in 1..3 into card
    Ann chooses a in 1..2
    Ben chooses b in 1..2
  }
  payoff zero-sum: [p in Player] 0
}";

/// For who shows them, states differ where what is on view does; what comes next is the same in all of them.
#[test]
fn what_is_only_on_view_is_not_taken_for_certain() {
    let machine = load_text("seen", SEEN, &Default::default());
    let mut random = stream(7, &[]);
    for (views, states) in [(false, 1), (true, 3)] {
        let options = Options {
            views,
            ..Options::default()
        };
        let mut belief = Belief::new(&machine, options);
        belief.begin(1, 1);
        let mut state = machine.initial().unwrap();
        let drawn = machine.sample_chance(&state, &mut random).unwrap();
        machine.step(&mut state, &[drawn]).unwrap();
        let chosen = machine.sample(&state, 0, &mut random).unwrap();
        let mut seen = Vec::new();
        let told = &mut |event: ruse::internal::machine::Event<'_>| {
            if event.viewers.contains(1) {
                seen.push(Observation::from(&event));
            }
        };
        machine.step_observed(&mut state, &[chosen], told).unwrap();
        seen.iter().for_each(|o| belief.observe(o));
        let mut actions = Actions::default();
        machine.legal(&state, 1, &mut actions).unwrap();
        let found = belief.asked(machine.node(&state), &actions).unwrap();
        assert_eq!(found.len(), states);
    }
}
