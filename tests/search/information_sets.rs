//! Searches over what a player may know: they find what is plain, keep to the rules of probability, and see nothing else.

use crate::support::{load, load_text};
use ruse::internal::arena::{Match, MatchOptions, SeatingPlan, play_match};
use ruse::internal::machine::{Action, Actions, Machine, Observation, Turn};
use ruse::internal::players::{Clock, Player, PlayerSpec, Question};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Every kind of search by what a player knows.
const ALL: [&str; 10] = [
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
    let mut player = player(machine, spec);
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
