//! Where play may be, and what is the best to do there, against what follows by hand.

use super::*;
use crate::machine::{Action, Event, Outcomes, State, Turn};
use crate::random::{mix, stream};
use rustc_hash::FxHashMap;

/// Ann says something; Ben, who knows a card, answers; Ann guesses the card.
const GAME: &str = "game Hint {
  players { Ann, Ben }
  state { card : 1..3 seen by Ben  asked : 0..1  high : 0..1  guess : 1..3 }
  play {
    draw c in 1..3 into card
    Ann chooses a in 0..1 into asked
    Ben chooses h in 0..1 into high
    Ann chooses g in 1..3 into guess
  }
  payoff general-sum { Ann: if guess == card then 1 else 0  Ben: 0 }
}";

/// How likely Ben says that the card is high, by the card and by what Ann said.
fn says_high(card: usize, asked: usize) -> f64 {
    match (card, asked) {
        (1, 1) => 0.25,
        (3, 1) | (1, 0) => 1.0,
        _ => 0.5,
    }
}

/// Ben, by what he saw.
struct Ben {
    /// The card and what Ann said, by what is kept of what he saw.
    saw: FxHashMap<u32, (usize, usize)>,
    never: bool,
}

/// What is kept of what he saw, with one observation more.
fn kept(memory: u32, seen: &Observation) -> u32 {
    let words = std::iter::once(u64::from(seen.site.0)).chain(seen.values.iter().copied());
    words.fold(memory, |memory, word| mix(u64::from(memory), word) as u32)
}

impl Policy for Ben {
    fn remembers(&self) -> bool {
        true
    }

    fn excludes(&self) -> bool {
        true
    }

    fn after(&self, _player: usize, memory: u32, seen: &Observation) -> u32 {
        kept(memory, seen)
    }

    fn shares(
        &self,
        _machine: &Machine,
        _state: &State,
        (_, memory): (usize, u32),
        _actions: &Actions,
    ) -> Result<Vec<f64>, PlayError> {
        let (card, asked) = self.saw[&memory];
        let high = if self.never {
            0.0
        } else {
            says_high(card, asked)
        };
        Ok(vec![1.0 - high, high])
    }
}

fn machine(text: &str) -> Arc<Machine> {
    let loaded = crate::load(text, &crate::check::Settings::new());
    Arc::new(loaded.unwrap_or_else(|p| panic!("{p:?}")).0)
}

fn options(others: Others) -> Options {
    Options {
        others,
        c: Constant::Set(4.0),
        final_choice: FinalChoice::Mean,
    }
}

/// The choices that there are, or what may be drawn.
fn options_at(machine: &Machine, state: &State) -> Vec<Action> {
    match machine.turn(state) {
        Turn::Decision(movers) => {
            let mut actions = Actions::default();
            let mover = movers.iter().next().unwrap();
            machine.legal(state, mover, &mut actions).unwrap();
            actions.0.clone()
        }
        _ => {
            let mut outcomes = Outcomes::default();
            machine.outcomes(state, &mut outcomes).unwrap();
            outcomes
                .list
                .into_iter()
                .map(|(outcome, _)| outcome)
                .collect()
        }
    }
}

/// A state after options that are told by their places, and what a player saw on the way.
fn played(machine: &Machine, places: &[usize], player: usize) -> (State, Vec<Observation>) {
    let mut seen = Vec::new();
    let mut note = |event: Event<'_>| {
        if event.viewers.contains(player) {
            seen.push(Observation::from(&event));
        }
    };
    let mut at = machine.initial_observed(&mut note).unwrap();
    for place in places {
        let step = [options_at(machine, &at)[*place].clone()];
        machine.step_observed(&mut at, &step, &mut note).unwrap();
    }
    (at, seen)
}

/// What Ann finds when she has said `asked` and heard `high`, of a Ben who is known; or who is taken to say anything.
fn after(asked: usize, high: usize, never: Option<bool>, playouts: u64) -> SearchResult {
    let machine = machine(GAME);
    let (at, seen) = played(&machine, &[2, asked, high], 0);
    let others = match never {
        Some(_) => Others::Strategy,
        None => Others::Uniform,
    };
    let ways = (1..=3).flat_map(|card| [(card, 0), (card, 1)]);
    let saw = ways.map(|(card, asked)| {
        let (_, seen) = played(&machine, &[card - 1, asked], 1);
        (seen.iter().fold(0, kept), (card, asked))
    });
    let saw: FxHashMap<u32, (usize, usize)> = saw.collect();
    assert_eq!(saw.len(), 6);
    let model = never.map(|never| Arc::new(Ben { saw, never }) as Arc<dyn Policy>);
    let mut search = Search::new(&options(others), &machine, 0, model);
    seen.iter().for_each(|seen| search.observe(seen));
    let mut actions = Actions::default();
    machine.legal(&at, 0, &mut actions).unwrap();
    let mut rng = stream(7, &[]);
    let budget = Budget::playouts(playouts);
    let node = machine.node(&at);
    search.search(node, &actions, &budget, &mut rng).unwrap()
}

fn means(found: &SearchResult) -> Vec<f64> {
    let means = found.actions.iter().map(|a| a.mean.unwrap_or(f64::NAN));
    means.collect()
}

#[test]
fn worlds_are_as_likely_as_the_others_make_them() {
    for asked in [0, 1] {
        for high in [0, 1] {
            let says = |card| match high {
                1 => says_high(card, asked),
                _ => 1.0 - says_high(card, asked),
            };
            let total: f64 = (1..=3).map(says).sum();
            let found = after(asked, high, Some(false), 4_000);
            for (card, mean) in (1..=3).zip(means(&found)) {
                let exact = says(card) / total;
                let about = (mean - exact).abs() < 0.06;
                assert!(about, "{asked} {high} {card}: {mean} {exact}");
            }
        }
    }
}

/// When Ann asked and Ben said that it is high, the cards are as likely as 1 to 2 to 4; when she did not, the lowest is likeliest.
#[test]
fn the_best_answer_is_chosen() {
    let found = after(1, 1, Some(false), 2_000);
    assert_eq!((found.chosen, found.playouts), (2, 2_000));
    assert_eq!(found.strategy, [0.0, 0.0, 1.0]);
    let found = after(0, 1, Some(false), 2_000);
    assert_eq!(found.chosen, 0);
}

/// What they are taken never to do happened after all: they are taken to have done anything.
#[test]
fn what_cannot_be_by_the_strategy_is_as_likely_as_all_else() {
    let found = after(1, 1, Some(true), 2_000);
    assert_eq!(found.playouts, 2_000);
    for (known, even) in std::iter::zip(means(&found), means(&after(1, 1, None, 2_000))) {
        assert!((known - even).abs() < 0.09 && (even - 1.0 / 3.0).abs() < 0.05);
    }
}

#[test]
fn somebody_else_must_play() {
    let alone = GAME
        .replace("players { Ann, Ben }", "players { Ann }")
        .replace("seen by Ben", "seen by none")
        .replace("Ben chooses", "Ann chooses")
        .replace("  Ben: 0 }", " }");
    let refused = options(Others::Uniform).suits(&machine(&alone));
    assert_eq!(refused.unwrap_err().needs, "somebody else who plays");
    let none = options(Others::Heuristic).suits(&machine(GAME));
    assert_eq!(none.unwrap_err().setting, "others=heuristic");
    assert!(options(Others::Uniform).suits(&machine(GAME)).is_ok());
}

/// Each has twelve of 36 cards. Ann is asked whether she has seen hers; Ben plays ten of his, and Ann guesses what he has left.
const CARDS: &str = "game Cards {
  players { Ann, Ben }
  state {
    deck  : set of 1..36 = all        seen by none
    hand  : [p: Player] set of 1..36  seen by p
    seen  : 0..1
    guess : 1..36
  }
  play {
    each p in Player { deal 12 from deck to hand[p] }
    Ann chooses a in 0..1 into seen
    repeat 10 times {
      Ben chooses c in hand[Ben]
      hand[Ben] -= c
    }
    Ann chooses g in 1..36 into guess
  }
  payoff general-sum { Ann: if guess in hand[Ben] then 1 else 0  Ben: 0 }
}";

/// Ann's search at each of her questions, once all that she saw before was told to it.
fn at_the_questions(playouts: u64) -> Vec<SearchResult> {
    let machine = machine(CARDS);
    let mut rng = stream(3, &[]);
    let mut search = Search::new(&options(Others::Uniform), &machine, 0, None);
    let mut found = Vec::new();
    let note = |search: &mut Search, event: Event<'_>| {
        if event.viewers.contains(0) {
            search.observe(&Observation::from(&event));
        }
    };
    let begun = machine.initial_observed(&mut |event| note(&mut search, event));
    let mut at = begun.unwrap();
    loop {
        let step = match machine.turn(&at) {
            Turn::Terminal => return found,
            Turn::Chance => machine.sample_chance(&at, &mut rng).unwrap(),
            Turn::Decision(movers) => {
                let mover = movers.iter().next().unwrap();
                if mover == 0 {
                    let mut actions = Actions::default();
                    machine.legal(&at, 0, &mut actions).unwrap();
                    let (node, budget) = (machine.node(&at), Budget::playouts(playouts));
                    let result = search.search(node, &actions, &budget, &mut rng);
                    found.push(result.unwrap());
                }
                machine.sample(&at, mover, &mut rng).unwrap()
            }
        };
        let stepped =
            machine.step_observed(&mut at, &[step], &mut |event| note(&mut search, event));
        stepped.unwrap();
    }
}

/// A hand of her own is one of very many: replays are dealt what she was. Later hardly any deal has Ben play what he played: she
/// goes by her belief, in which he has left two of the fourteen cards that nobody has shown.
#[test]
fn what_replays_hardly_ever_come_to_is_not_lost() {
    let found = at_the_questions(3_000);
    let playouts: Vec<u64> = found.iter().map(|found| found.playouts).collect();
    assert_eq!(playouts, [3_000, 3_000]);
    let means = means(&found[1]);
    let open = means.iter().filter(|mean| **mean > 0.0).count();
    let sum: f64 = means.iter().sum();
    assert!(open <= 14 && (sum - 2.0).abs() < 0.5, "{means:?}");
}
