//! Searches over what a player may know: they find what is plain, keep to the rules of probability, and see nothing else.

use crate::support::{load, load_text};
use ruse::internal::arena::{Match, MatchOptions, SeatingPlan, play_match};
use ruse::internal::belief::{Belief, Hypothesis, Options, Weighting};
use ruse::internal::machine::{Action, Actions, Machine, Observation, Turn};
use ruse::internal::players::{Clock, Patience, Player, PlayerSpec, Question};
use ruse::internal::random::stream;
use ruse::internal::search::information_sets::{Memory, Root};
use ruse::internal::search::{Budget, SearchResult};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Every kind of search by what a player knows.
const ALL: [&str; 15] = [
    "ismcts(playouts=600)",
    "ismcts(playouts=600, variant=so)",
    "ismcts(playouts=600, belief=posterior, final=mean)",
    "determinized(playouts=600)",
    "determinized(playouts=600, trees=separate)",
    "determinized(playouts=600, trees=separate, decide=average)",
    "smooth_uct(playouts=600)",
    "ismcts(playouts=600, w=0.5)",
    "determinized(playouts=600, w=2)",
    "oos(playouts=600)",
    "i2_uct(playouts=600)",
    "ismcts(playouts=600, redeterminize=true)",
    "ismcts(playouts=600, redeterminize=true, reuse=true, w=0.5)",
    "ismcts(playouts=600, variant=so, reuse=true)",
    "smooth_uct(playouts=600, reuse=true)",
];

fn player(machine: &Arc<Machine>, spec: &str) -> Box<dyn Player> {
    let clock: Clock = Arc::new(|| Duration::ZERO);
    PlayerSpec::parse(spec)
        .unwrap()
        .player(machine, &clock)
        .unwrap()
}

/// What a player chooses at its first question after these moves, chance and all players in turn, by their texts.
fn choice(machine: &Arc<Machine>, spec: &str, seat: usize, seed: u64, moves: &[&str]) -> String {
    choice_of(player(machine, spec), machine, (seat, seed), moves)
}

/// The same of a player that is there.
pub fn choice_of(
    mut player: Box<dyn Player>,
    machine: &Arc<Machine>,
    (seat, seed): (usize, u64),
    moves: &[&str],
) -> String {
    player.begin(seat, seed).unwrap();
    let mut seen: Vec<Observation> = Vec::new();
    let mut state = machine
        .initial_observed(&mut |event| {
            if event.viewers.contains(seat) {
                seen.push(Observation::from(&event));
            }
        })
        .unwrap();
    let mut actions = Actions::default();
    for text in moves {
        let (mover, list) = match machine.turn(&state) {
            Turn::Terminal => panic!("over"),
            Turn::Chance => {
                let mut outcomes = Default::default();
                machine.outcomes(&state, &mut outcomes).unwrap();
                (None, outcomes.list.into_iter().map(|(o, _)| o).collect())
            }
            Turn::Decision(movers) => {
                let mover = movers.iter().next().unwrap();
                machine.legal(&state, mover, &mut actions).unwrap();
                (Some(mover), actions.0.clone())
            }
        };
        let list: Vec<Action> = list;
        let named = |a: &&Action| match mover {
            None => machine.outcome_text(&state, a, None) == *text,
            Some(mover) => machine.action_text(&state, mover, a, None) == *text,
        };
        let action = list
            .iter()
            .find(named)
            .unwrap_or_else(|| panic!("no {text}"))
            .clone();
        for observation in seen.drain(..) {
            player.observe(&observation).unwrap();
        }
        if mover == Some(seat) {
            machine.legal(&state, seat, &mut actions).unwrap();
            let node = machine.node(&state);
            let question = Question {
                node,
                seat,
                actions: &actions,
                patience: Patience::ENDLESS,
            };
            player.decided(&question).unwrap();
        }
        machine
            .step_observed(&mut state, &[action], &mut |event| {
                if event.viewers.contains(seat) {
                    seen.push(Observation::from(&event));
                }
            })
            .unwrap();
    }
    for observation in &seen {
        player.observe(observation).unwrap();
    }
    machine.legal(&state, seat, &mut actions).unwrap();
    let node = machine.node(&state);
    let question = Question {
        node,
        seat,
        actions: &actions,
        patience: Patience::ENDLESS,
    };
    let chosen = player.choose(&question).unwrap();
    machine.action_text(&state, seat, &actions[chosen], None)
}

/// Whether to call with the best card and to fold the worst is no question of what the others do.
#[test]
fn what_is_dominated_is_not_played() {
    let kuhn = load("kuhn-poker", &[]);
    let bob = |spec: &str, cards: [&str; 2]| {
        let moves = [cards[0], cards[1], "bet"];
        choice(&kuhn, spec, 1, 3, &moves)
    };
    for spec in ALL {
        // The mean of all that was tried has exploration in it.
        let spec = spec.replace("smooth_uct(", "smooth_uct(final=visits, ");
        assert_eq!(bob(&spec, ["1", "3"]), "call", "{spec}");
        assert_eq!(bob(&spec, ["3", "1"]), "fold", "{spec}");
    }
}

/// The coin lies under one of two cups, and Ann does not know under which: to look costs 1, and a wrong guess loses 5.
const CUPS: &str = "game Cups {
  players { Ann, Ben }
  state {
    under  : 1..2  seen by Ben
    looked : bool = false
    guess  : 1..2
    right  : bool = false
  }
  play {
    draw c in 1..2 into under
    Ann chooses {
      look  => { looked = true  reveal(under) }
      start => {}
    }
    Ann chooses g in 1..2 into guess
    right = reveal(guess == under)
  }
  payoff zero-sum: {
    Ann: (if right then 5 else -5) - (if looked then 1 else 0),
    Ben: (if looked then 1 else 0) - (if right then 5 else -5)
  }
}";

/// Determinization takes the coin for seen, and to look for a waste (strategy fusion: Frank & Basin 1998); search over
/// information sets pays for it.
#[test]
fn information_is_worth_something() {
    let cups = load_text("cups", CUPS, &Default::default());
    for spec in ALL {
        let spec = &spec.replace("smooth_uct(", "smooth_uct(final=visits, ");
        let expected = match spec.starts_with("determinized") {
            true => "start",
            false => "look",
        };
        assert_eq!(choice(&cups, spec, 0, 5, &["1"]), expected, "{spec}");
    }
}

/// Two hounds share the payoff; either may catch the fox, who can do nothing about it.
const HOUNDS: &str = "game Hounds {
  players { Fox, Ann, Ben }
  team Pack { Ann, Ben }
  state { caught : bool = false }
  play {
    Ann chooses { wait  catch => { caught = true  end } }
    Ben chooses { wait  catch => { caught = true  end } }
    Fox chooses { run  hide }
  }
  payoff zero-sum: { Fox: if caught then -1 else 1  Pack: if caught then 1 else -1 }
}";

/// With Coalition Reduction a hound does itself what the other one could do as well; without it either will do.
#[test]
fn who_is_not_credited_does_it_itself() {
    let hounds = load_text("hounds", HOUNDS, &Default::default());
    for search in ["ismcts", "determinized"] {
        for coalition in ["root", "member"] {
            let spec = format!("{search}(playouts=400, coalition={coalition}, r=0.4)");
            for seed in 0..5 {
                assert_eq!(choice(&hounds, &spec, 1, seed, &[]), "catch", "{spec}");
            }
        }
    }
    let alone = load("kuhn-poker", &[]);
    let clock: Clock = Arc::new(|| Duration::ZERO);
    let refused = PlayerSpec::parse("ismcts(coalition=member)").unwrap();
    let refused = refused.player(&alone, &clock).err().unwrap().to_string();
    assert!(
        refused.contains("`coalition=member` needs a team"),
        "{refused}"
    );
    let refused = PlayerSpec::parse("ismcts(filter=root)").unwrap();
    let refused = refused.player(&alone, &clock).err().unwrap().to_string();
    assert!(
        refused.contains("`filter=root` needs a filter"),
        "{refused}"
    );
}

/// Ann may guess a number from 1 to 4, and greater ones win more; her filters leave 2 and 3 as long as she has seen no hint.
const GUESS: &str = "game Guess {
  players { Ann, Ben }
  state { hint : bool  guess : 1..4 }
  play {
    draw h in bool into hint as \"{h}\"
    Ann chooses g in 1..4 into guess as \"{g}\"
    Ben chooses { nod  frown }
  }
  payoff zero-sum: { Ann: guess, Ben: -guess }
  knowledge Ann {
    filter small = g < 4 or hint
    filter large = g > 1
  }
}";

#[test]
fn filters_are_asked_at_the_root() {
    let guess = load_text("guess", GUESS, &Default::default());
    for search in ["ismcts", "determinized", "smooth_uct"] {
        let free = format!("{search}(playouts=200, final=visits)");
        let filtered = format!("{search}(playouts=200, final=visits, filter=root)");
        assert_eq!(choice(&guess, &free, 0, 1, &["false"]), "4");
        assert_eq!(choice(&guess, &filtered, 0, 1, &["false"]), "3");
        assert_eq!(choice(&guess, &filtered, 0, 1, &["true"]), "4");
    }
}

/// Once where something else was asked, a search that goes on has tried what the filter does not keep.
#[test]
fn filters_hold_for_what_was_learned_before() {
    let text = "game Later {
      players { Ann, Ben }
      state { a : 0..9  b : 0..9  s : 0..1 seen by Ben }
      play {
        draw q in 0..1 into s as \"{q}\"
        Ann chooses x in 0..1 into a as \"x{x}\"
        Ann chooses y in 0..9 into b as \"y{y}\"
      }
      payoff zero-sum: { Ann: (if b == 9 then 5 else 0) + a, Ben: -(if b == 9 then 5 else 0) - a }
      knowledge Ann { filter low = y < 9 }
    }";
    let later = load_text("later", text, &Default::default());
    for search in [
        "ismcts(",
        "ismcts(variant=so, ",
        "ismcts(final=mean, ",
        "smooth_uct(",
    ] {
        let spec = format!("{search}playouts=500, filter=root, reuse=true)");
        for seed in 0..5 {
            let chosen = choice(&later, &spec, 0, seed, &["1", "x1"]);
            assert_ne!(chosen, "y9", "{spec}");
        }
    }
}

/// What shown defs tell between choices and draws is neither.
#[test]
fn open_games_with_shown_values_are_searched() {
    let text = "game Shown {
      players { Ann, Ben }
      state { c : [Player] 0..2  d : 0..2 }
      shown def total: 0..6 = sum(c) + d
      play {
        draw x in 0..2 into d as \"{x}\"
        Ann chooses x in 0..2 into c[Ann] as \"{x}\"
        together each p in Player { p chooses x in 0..2 as \"{x}\" => { if p == Ben { c[Ben] = x } } }
        Ben chooses x in 0..2 into c[Ben] as \"{x}\"
      }
      payoff zero-sum: { Ann: c[Ann] - c[Ben], Ben: c[Ben] - c[Ann] }
    }";
    let shown = load_text("shown", text, &Default::default());
    for search in ["uct(playouts=200)", "smmcts(playouts=200)"] {
        assert_eq!(choice(&shown, search, 0, 1, &["1"]), "2", "{search}");
    }
}

/// Ann goes to a field, and may take her umbrella; it rains on the even ones. The greater the field the more it brings, and an
/// umbrella costs her half a field, so that she would go without it.
const RAIN: &str = "game Rain {
  players { Ann, Ben }
  state { card : bool seen by Ben  won : 0..9 }
  play {
    draw c in bool into card
    Ann chooses to in 1..4, umbrella in { false, true }
      as if umbrella then \"{to} dry\" else \"{to}\"
    won = 2 * to - (if umbrella then 1 else 0)
    Ben chooses { nod frown }
  }
  payoff zero-sum: { Ann: won, Ben: -won }
  knowledge Ann {
    filter near = to < top
    amend dry = umbrella == (to mod 2 == 0)
  }
}";

/// What is chosen is amended; what is looked at is not.
#[test]
fn a_chosen_move_is_amended() {
    for (top, free, amended) in [("4", "3", "3"), ("5", "4", "4 dry"), ("3", "2", "2 dry")] {
        let rain = load_text(
            "rain",
            &RAIN.replace("to < top", &format!("to < {top}")),
            &Default::default(),
        );
        for search in ["ismcts", "determinized", "smooth_uct"] {
            let filtered = format!("{search}(playouts=300, final=visits, filter=root)");
            assert_eq!(
                choice(&rain, &filtered, 0, 1, &["true"]),
                amended,
                "{search}"
            );
        }
        let without = RAIN.replace("to < top", &format!("to < {top}"));
        let without = without.replace("amend dry = umbrella == (to mod 2 == 0)", "");
        let dull = load_text("rain", &without, &Default::default());
        let filtered = "ismcts(playouts=300, filter=root)";
        assert_eq!(choice(&dull, filtered, 0, 1, &["true"]), free);
    }
}

/// Where the bear was when it hid is what its category is of: the wind turns afterwards.
const CAVE: &str = "game Cave {
  players { Bear, Ann }
  state {
    at    : 1..4 seen by Bear
    wind  : bool = false
    found : bool = false
  }
  play {
    Bear chooses x in 1..4 into at as \"{x}\"
    draw w in bool into wind as \"{w}\"
    Ann chooses g in 1..4 as \"{g}\"
    found = reveal(at == g)
  }
  payoff zero-sum: [p in Player] if found == (p == Ann) then 1 else -1
  knowledge Ann { category lee of at = if wind == (at > 2) then 1 + at mod 2 else 0 }
}";

/// Ann looks where the classes weigh most.
#[test]
fn states_weigh_by_their_categories() {
    let cave = load_text("cave", CAVE, &Default::default());
    for search in ["ismcts", "determinized"] {
        let look = |weights: &str| {
            let spec = format!("{search}(playouts=400, category=lee, weights={weights})");
            choice(&cave, &spec, 1, 2, &["4", "true"])
        };
        // No wind: 1 is in class 2, 2 in class 1, and 3 and 4 are in class 0.
        assert_eq!(look("1 2:6"), "1");
        assert_eq!(look("1 1:6"), "2");
        assert_eq!(look("1:0 2:1"), "1");
        // A class of two: each of it weighs as much, or half as much.
        assert!(["3", "4"].contains(&look("0:1 1:0.7").as_str()));
        assert_eq!(look("0:1 1:0.7, draw=two_step"), "2");
    }
    let refused = PlayerSpec::parse("ismcts(weights=1:2)").unwrap_err();
    assert_eq!(
        refused.hint.as_deref(),
        Some("`weights` goes with `category`")
    );
    let clock: Clock = Arc::new(|| Duration::ZERO);
    let unknown = PlayerSpec::parse("ismcts(category=lea, weights=1)").unwrap();
    let unknown = unknown.player(&cave, &clock).err().unwrap().to_string();
    assert!(
        unknown.contains("`category=lea` needs a category"),
        "{unknown}"
    );
}

/// The same state weighs by all classes that it may have been come to in.
#[test]
fn a_state_may_be_of_several_classes() {
    let text = "game Classes {
      players { Bear, Ann }
      state { at : 1..3 seen by Bear  s : 0..1  g : 1..2 }
      play {
        Bear chooses x in 1..3 into at as \"x{x}\"
        Ann chooses { go => s = 1 }
        Bear chooses y in 1..2 into at where (at == 3 and y == 1) or y == at as \"y{y}\"
        Ann chooses z in 1..2 into g as \"z{z}\"
      }
      payoff zero-sum: { Bear: if g == at then -1 else 1, Ann: if g == at then 1 else -1 }
      knowledge Ann { category when of at = s }
    }";
    let game = load_text("classes", text, &Default::default());
    for search in ["ismcts", "determinized"] {
        let spec = format!("{search}(playouts=500, category=when, weights=0:0 1:1)");
        for seed in 0..3 {
            // Only who came to 1 from 3 has come there after Ann went.
            assert_eq!(choice(&game, &spec, 1, seed, &["x3", "go", "y1"]), "z1");
        }
    }
}

/// A tree votes by what its state weighs.
#[test]
fn likely_states_have_more_votes() {
    let text = "game Vote {
      players { Ann, Ben }
      state { s : 1..3 seen by Ann  g : 0..1 }
      play {
        draw x in 1..3 weighted if x == 1 then 98 else 1 into s as \"{x}\"
        Ben chooses { a => g = 0  b => g = 1 }
      }
      payoff zero-sum: [p in Player] if ((s == 1) == (g == 0)) == (p == Ben) then 1 else -1
    }";
    let vote = load_text("vote", text, &Default::default());
    for seed in 0..5 {
        let chosen = |belief: &str| {
            let spec = format!("determinized(playouts=2000, trees=separate, belief={belief})");
            choice(&vote, &spec, 1, seed, &["1"])
        };
        assert_eq!(
            (chosen("posterior"), chosen("support")),
            ("a".into(), "b".into())
        );
    }
}

/// With the ways to a state told apart it weighs as much as any other all the same.
#[test]
fn a_state_with_many_ways_to_it_weighs_no_more() {
    let text = "game Ways {
      players { Ann, Ben }
      state { s : 0..1 seen by Ann }
      play {
        draw x in 1..9 seen by Ann as \"{x}\"
        s = if x == 1 then 1 else 0
        Ben chooses z in 0..1 as \"{z}\"
      }
      payoff zero-sum: { Ann: s, Ben: -s }
    }";
    let ways = load_text("ways", text, &Default::default());
    for (weighting, of_one) in [(Weighting::Support, 0.5), (Weighting::Posterior, 1.0 / 9.0)] {
        let options = Options {
            weighting,
            histories: true,
            ..Options::default()
        };
        let mut belief = Belief::new(&ways, options);
        belief.begin(1, 1);
        let mut state = ways.initial().unwrap();
        let outcome = ways.sample_chance(&state, &mut stream(1, &[])).unwrap();
        ways.step_observed(&mut state, &[outcome], &mut |event| {
            assert!(!event.viewers.contains(1), "Ben sees nothing of it");
        })
        .unwrap();
        let mut actions = Actions::default();
        ways.legal(&state, 1, &mut actions).unwrap();
        let found = belief.asked(ways.node(&state), &actions).unwrap();
        assert_eq!(found.len(), 9);
        let payoff = |h: &Hypothesis| {
            let mut state = h.state.clone();
            ways.step(&mut state, &[actions[0].clone()]).unwrap();
            ways.payoffs(&state).unwrap()[0]
        };
        let one: f64 = found.iter().map(|h| h.weight * payoff(h)).sum();
        assert!((one - of_one).abs() < 1e-12, "{one}");
        let report = belief.report();
        let squares = of_one * of_one + (1.0 - of_one) * (1.0 - of_one);
        assert_eq!(report.states, 2);
        assert!((report.effective - 1.0 / squares).abs() < 1e-12);
    }
}

/// An error in a category is said; the states where it happens may be the true one.
#[test]
fn a_category_that_fails_is_an_error() {
    let text = CAVE.replace(
        "found : bool = false",
        "found : bool = false\n    none_ : set of 1..4",
    );
    let text = text.replace("1 + at mod 2", "min(none_)");
    let cave = load_text("cave", &text, &Default::default());
    let mut ann = player(&cave, "ismcts(playouts=100, category=lee, weights=0:1)");
    ann.begin(1, 1).unwrap();
    let mut seen: Vec<Observation> = Vec::new();
    let mut state = cave
        .initial_observed(&mut |event| {
            seen.extend(event.viewers.contains(1).then(|| (&event).into()));
        })
        .unwrap();
    for action in [1, 1] {
        let step = match cave.turn(&state) {
            Turn::Chance => {
                let mut outcomes = Default::default();
                cave.outcomes(&state, &mut outcomes).unwrap();
                outcomes.list[action].0.clone()
            }
            _ => {
                let mut actions = Actions::default();
                cave.legal(&state, 0, &mut actions).unwrap();
                actions[action].clone()
            }
        };
        cave.step_observed(&mut state, &[step], &mut |event| {
            seen.extend(event.viewers.contains(1).then(|| (&event).into()));
        })
        .unwrap();
    }
    for observation in &seen {
        ann.observe(observation).unwrap();
    }
    let mut actions = Actions::default();
    cave.legal(&state, 1, &mut actions).unwrap();
    let question = Question {
        node: cave.node(&state),
        seat: 1,
        actions: &actions,
        patience: Patience::ENDLESS,
    };
    let error = ann.choose(&question).err().unwrap().to_string();
    assert!(error.contains("E0705"), "{error}");
}

/// The same seed gives the same games on any number of threads.
#[test]
fn a_seed_gives_a_match() {
    let machine = load("liars-dice", &[("sides", "3")]);
    let seats: Vec<&str> = (0..2).map(|p| machine.player_name(p)).collect();
    for search in ALL {
        let played = |threads| {
            let players = format!("{},random", search.replace("600", "60"));
            let result = play_match(
                &Match {
                    machine: Arc::clone(&machine),
                    plan: SeatingPlan::parse(&players, &seats).unwrap(),
                    clock: Arc::new(|| Duration::ZERO),
                },
                &MatchOptions {
                    games: 8,
                    seed: 4,
                    threads: Some(threads),
                },
                &|_| {},
                &AtomicBool::new(false),
            );
            format!("{:?}", result.unwrap().players)
        };
        assert_eq!(played(1), played(2), "{search}");
    }
}

/// Ann has a good card three times of four. If she raises, Ben can fold and lose 1, or call: that costs him 4 where her card is
/// good, and wins 2 where it is not.
const RAISE: &str = "game Raise {
  players { Ann, Ben }
  enum End { checked, folded, good, bad }
  state {
    card : 1..4 seen by Ann
    over : End = checked
  }
  play {
    draw x in 1..4 into card as \"{x}\"
    Ann chooses {
      check => { end }
      raise => {}
    }
    Ben chooses {
      fold => { over = folded }
      call => { over = if reveal(card > 1) then good else bad }
    }
  }
  payoff zero-sum: [p in Player] (if p == Ann then 1 else -1) * (
    if over == checked then 0 else if over == folded then 1 else if over == good then 4 else -2
  )
}";

/// Who calls does worse than who folds, so that Ann can raise with a bad card too. A Ben who knows her card calls then: he has
/// learned that in the states that Ann takes for possible, and in all of them her card is bad.
#[test]
fn others_do_not_know_what_the_searching_player_knows() {
    let game = load_text("raise", RAISE, &Default::default());
    for (spec, bad) in [
        ("ismcts(playouts=600)", "check"),
        ("ismcts(playouts=600, reuse=true)", "check"),
        ("ismcts(playouts=600, redeterminize=true)", "raise"),
        (
            "ismcts(playouts=600, redeterminize=true, belief=posterior)",
            "raise",
        ),
        ("ismcts(playouts=600, redeterminize=true, w=0.5)", "raise"),
    ] {
        for seed in 0..5 {
            assert_eq!(choice(&game, spec, 0, seed, &["1"]), bad, "{spec}");
            assert_eq!(choice(&game, spec, 0, seed, &["4"]), "raise", "{spec}");
        }
    }
}

#[test]
fn there_must_be_something_to_draw_again() {
    let open = load_text("hounds", HOUNDS, &Default::default());
    let clock: Clock = Arc::new(|| Duration::ZERO);
    let refused = PlayerSpec::parse("ismcts(redeterminize=true)").unwrap();
    let refused = refused.player(&open, &clock).err().unwrap().to_string();
    assert!(
        refused.contains("`redeterminize=true` needs something that somebody does not see"),
        "{refused}"
    );
    let one_tree = PlayerSpec::parse("ismcts(variant=so, redeterminize=true)");
    let message = &one_tree.unwrap_err().message;
    assert!(message.contains("`variant=so`"), "{message}");
}

/// What is found at Alice's two questions in a game of Kuhn poker in which she passes and Bob bets.
fn two_questions(spec: &str, memory: &mut Memory) -> [SearchResult; 2] {
    let kuhn = load("kuhn-poker", &[]);
    let searcher = PlayerSpec::parse(spec).unwrap().belief_searcher().unwrap();
    let mut belief = Belief::new(&kuhn, searcher.belief(&kuhn, 0));
    belief.begin(0, 1);
    let mut state = kuhn.initial().unwrap();
    let mut found = Vec::new();
    for text in ["2", "3", "pass", "bet", ""] {
        let mut actions = Actions::default();
        let action = match kuhn.turn(&state) {
            Turn::Chance => {
                let mut outcomes = Default::default();
                kuhn.outcomes(&state, &mut outcomes).unwrap();
                let mut outcomes = outcomes.list.into_iter().map(|(o, _)| o);
                outcomes.find(|o| kuhn.outcome_text(&state, o, None) == text)
            }
            _ => {
                let mover = found.len() % 2;
                kuhn.legal(&state, mover, &mut actions).unwrap();
                let mut actions = actions.0.iter().cloned();
                actions.find(|a| kuhn.action_text(&state, mover, a, None) == text)
            }
        };
        if matches!(kuhn.turn(&state), Turn::Decision(movers) if movers.contains(0)) {
            belief.asked(kuhn.node(&state), &actions).unwrap();
            let root = Root {
                player: 0,
                actions: &actions,
                hypotheses: belief.hypotheses(),
                histories: &belief.histories(),
                policy: None,
            };
            let rng = &mut stream(3, &[found.len() as u64]);
            let budget = Budget::playouts(100);
            let result = searcher.search(&kuhn, &root, memory, &budget, rng);
            found.push(Some(result.unwrap()));
        } else if matches!(kuhn.turn(&state), Turn::Decision(_)) {
            found.push(None);
        }
        let Some(action) = action else {
            break;
        };
        kuhn.step_observed(&mut state, &[action], &mut |event| {
            if event.viewers.contains(0) {
                belief.observe(&Observation::from(&event));
            }
        })
        .unwrap();
    }
    let found: Vec<SearchResult> = found.into_iter().flatten().collect();
    found.try_into().unwrap()
}

/// With `reuse` the second search has the visits of the first one at its root; a game that begins has nothing of the last one.
#[test]
fn what_was_learned_is_kept_for_the_next_question() {
    let visits = |found: &SearchResult| found.actions.iter().map(|a| a.visits).sum::<u64>();
    for search in [
        "ismcts(",
        "ismcts(variant=so, ",
        "smooth_uct(",
        "ismcts(redeterminize=true, ",
    ] {
        let anew = two_questions(&format!("{search}reuse=false)"), &mut Memory::default());
        assert!(anew.iter().all(|found| visits(found) <= 100), "{search}");
        let memory = &mut Memory::default();
        let kept = two_questions(&format!("{search}reuse=true)"), memory);
        assert!(visits(&kept[0]) <= 100, "{search}");
        assert!(
            visits(&kept[1]) > visits(&anew[1]) + 5,
            "{search}: {kept:?}"
        );
        memory.clear();
        assert_eq!(two_questions(&format!("{search}reuse=true)"), memory), kept);
    }
}
