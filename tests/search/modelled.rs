//! Beliefs in which the others play by a strategy or a heuristic, against an enumeration of all histories.

use crate::belief::{Entry, Enumeration, Mix, Posteriors, believed};
use crate::information_sets::choice_of;
use crate::particles::{agree_by, forced};
use crate::support::{load, load_text};
use rand::RngExt;
use ruse::internal::belief::{Belief, Options, Others, Policy, Weighting};
use ruse::internal::machine::{Actions, Machine, Observation, State};
use ruse::internal::players::{
    Clock, Patience, Player, PlayerError, PlayerSpec, Preparation, Question, suits,
};
use ruse::internal::random::stream;
use ruse::internal::solve::methods::{self, Solver, Task, Values};
use ruse::internal::solve::tree::build;
use ruse::internal::solve::{GameId, Profile, Sequences, TreeOptions, strategy_file};
use ruse::internal::text::sources::Sources;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

fn sources() -> Sources {
    Sources::new("any.game", "game Any")
}

fn prepared(spec: &str, machine: &Arc<Machine>, file: &str) -> PlayerSpec {
    let spec = PlayerSpec::parse(spec).expect(spec);
    let ready = spec.prepare(&mut Preparation {
        machine,
        sources: &sources(),
        files: &mut |_| Ok(file.to_string()),
        progress: &mut (),
        clock: &|| Duration::ZERO,
        cancel: &Arc::new(AtomicBool::new(false)),
    });
    ready.expect("a player")
}

/// A strategy as a file: the equilibrium of linear programming, or one in which every information state has its own mix.
fn strategy(machine: &Arc<Machine>, solved: bool) -> String {
    let never = Arc::new(AtomicBool::new(false));
    let tree = build(machine, &TreeOptions::default(), &mut |_| {}, &never).expect("a tree");
    let profile = match methods::find("lp").expect("a method").solver {
        Solver::Tree(solve) if solved => {
            let task = Task {
                machine,
                tree: &tree,
                sequences: &Sequences::new(&tree),
                values: &Values::default(),
                seed: 1,
                stop: &never,
                clock: &|| Duration::ZERO,
            };
            solve(&task, &mut ()).expect("a strategy").profile
        }
        _ => {
            let mut rng = stream(9, &[]);
            let weights = (0..tree.choice_count()).map(|_| rng.random());
            Profile::from_weights(&tree, &weights.collect::<Vec<f64>>())
        }
    };
    let id = GameId::of(machine, &sources());
    let mut file = Vec::new();
    strategy_file::write(&mut file, &id, machine, &tree, &profile).expect("a file");
    String::from_utf8(file).expect("text")
}

/// How likely the actions of a player are by a file, as the player `strategy` says who has seen this.
fn mix_of(machine: &Arc<Machine>, file: &str) -> Box<Mix<'static>> {
    let machine = Arc::clone(machine);
    let spec = prepared("strategy(file=here.json)", &machine, file);
    Box::new(move |state, seat, seen, actions| {
        let player = spec.strategy_player(&machine).expect("a strategy");
        let mut player = player.expect("a strategy");
        player.begin(seat, 1).expect("a beginning");
        for observation in seen {
            player.observe(observation).expect("an observation");
        }
        let question = Question {
            node: machine.node(state),
            seat,
            actions,
            patience: Patience::ENDLESS,
        };
        player.probabilities(&question).expect("probabilities")
    })
}

/// The policy of a player that takes the others to play a file.
fn model_of(machine: &Arc<Machine>, file: &str) -> Arc<dyn Policy> {
    let spec = "ismcts(belief=posterior, others=strategy, model=here.json)";
    let spec = prepared(spec, machine, file);
    spec.model(machine).expect("it is ready").expect("a model")
}

fn posterior(others: Others) -> Options {
    Options {
        weighting: Weighting::Posterior,
        others,
        ..Options::default()
    }
}

/// Every exact belief of every seat against an enumeration. Returns how many there were.
fn compare(machine: &Arc<Machine>, belief: &mut Belief, mix: &Mix<'_>) -> usize {
    let mut compared = 0;
    for seat in 0..machine.player_count() {
        let found: Posteriors = Enumeration::by(machine, seat, usize::MAX, mix);
        for (record, expected) in &found {
            let total: f64 = expected.values().sum();
            belief.begin(seat, 1);
            let weights = believed(machine, belief, record);
            assert!(belief.report().complete);
            assert!(weights.keys().eq(expected.keys()), "{record:?}");
            for (weight, expected) in std::iter::zip(weights.values(), expected.values()) {
                assert!((weight - expected / total).abs() < 1e-9, "{record:?}");
            }
            compared += 1;
        }
    }
    compared
}

#[test]
fn states_are_as_likely_as_the_others_strategies_make_them() {
    for (game, settings) in [
        ("kuhn-poker", &[][..]),
        ("leduc-poker", &[]),
        ("liars-dice", &[("sides", "3")]),
        ("goofspiel-hidden", &[("cards", "3")]),
    ] {
        let machine = load(game, settings);
        for solved in [false, true] {
            if solved && game != "kuhn-poker" {
                continue;
            }
            let file = strategy(&machine, solved);
            let belief = Belief::new(&machine, posterior(Others::Strategy));
            let mut belief = belief.with_policy(model_of(&machine, &file));
            let compared = compare(&machine, &mut belief, &mix_of(&machine, &file));
            assert!(compared > 5, "{game}: {compared}");
        }
    }
}

/// In every equilibrium of Kuhn poker the second player bets after a pass with the lowest card one time in three, with the
/// highest always and with the middle one never (Kuhn 1950). So who holds the middle one and passed meets the highest with
/// probability 1 / (1 + 1/3).
#[test]
fn a_bet_in_kuhn_poker_tells_what_bayes_says() {
    let machine = load("kuhn-poker", &[]);
    let file = strategy(&machine, true);
    let belief = Belief::new(&machine, posterior(Others::Strategy));
    let mut belief = belief.with_policy(model_of(&machine, &file));
    let found = Enumeration::of(&machine, 0, usize::MAX);
    let mut greatest = Vec::new();
    for record in found.keys() {
        let asked = |e: &&Entry| matches!(e, Entry::Asked(..));
        if record.iter().filter(asked).count() == 2 {
            belief.begin(0, 1);
            let weights = believed(&machine, &mut belief, record);
            greatest.push(weights.values().copied().fold(0.0, f64::max));
        }
    }
    greatest.sort_by(f64::total_cmp);
    let expected = [0.75, 1.0, 1.0];
    assert_eq!(greatest.len(), expected.len());
    for (found, expected) in std::iter::zip(&greatest, expected) {
        assert!((found - expected).abs() < 1e-5, "{greatest:?}");
    }
}

#[test]
fn particles_are_spread_as_the_others_strategies_make_them() {
    for (game, questions) in [("kuhn-poker", usize::MAX), ("leduc-poker", usize::MAX)] {
        let machine = load(game, &[]);
        let file = strategy(&machine, false);
        let options = Options {
            others: Others::Strategy,
            ..forced(Weighting::Posterior, 60)
        };
        let belief = Belief::new(&machine, options);
        let mut belief = belief.with_policy(model_of(&machine, &file));
        let mix = mix_of(&machine, &file);
        let found = |seat| Enumeration::by(&machine, seat, questions, &*mix);
        agree_by(game, &machine, &mut belief, &found, (8, 300));
    }
}

/// Ann is given a chip if she is good, so that in every equilibrium she is.
const SLIP: &str = "game Slip {
  players { Ann, Ben }
  state { s : 0..1 seen by Ann  a : 0..1  g : 0..1 }
  play {
    draw x in 0..1 into s as \"{x}\"
    Ann chooses { good => { a = 1 }  bad }
    Ben chooses z in 0..1 into g as \"g{z}\"
  }
  payoff zero-sum: { Ben: (if g == s then 1 else -1) - a, Ann: a - (if g == s then 1 else -1) }
}";

/// What a strategy never does may happen all the same. Then it tells what it would tell if everybody slipped as often; and in the
/// next game the strategy is what it was.
#[test]
fn who_does_what_a_strategy_excludes_has_slipped() {
    let machine = load_text("slip", SLIP, &Default::default());
    let file = strategy(&machine, true);
    for options in [
        posterior(Others::Strategy),
        Options {
            others: Others::Strategy,
            ..forced(Weighting::Posterior, 60)
        },
    ] {
        let belief = Belief::new(&machine, options);
        let mut belief = belief.with_policy(model_of(&machine, &file));
        let mut bad = 0;
        for record in Enumeration::of(&machine, 1, usize::MAX).keys() {
            belief.begin(1, 1);
            let weights = believed(&machine, &mut belief, record);
            assert_eq!(weights.len(), 2, "{record:?}");
            bad += 1;
        }
        assert_eq!(bad, 2, "good and bad");
    }
}

/// Ann knows what Ben has to guess; by the file she tells him.
const TELLS: &str = "game Tells {
  players { Ann, Ben }
  state { s : 0..1 seen by Ann  a : 0..1  g : 0..2 }
  play {
    draw x in 0..1 into s as \"{x}\"
    Ann chooses y in 0..1 into a as \"a{y}\"
    Ben chooses z in 0..2 into g as \"g{z}\"
  }
  payoff zero-sum: {
    Ben: if g == 2 then 0.2 else if g == s then 1 else -1
    Ann: if g == 2 then -0.2 else if g == s then -1 else 1
  }
}";

/// Others who learn from states of their own beliefs take the searching player to play by the file too: so she can lie to them.
#[test]
fn others_believe_by_the_model_as_well() {
    let machine = load_text("tells", TELLS, &Default::default());
    let never = Arc::new(AtomicBool::new(false));
    let tree = build(&machine, &TreeOptions::default(), &mut |_| {}, &never).expect("a tree");
    // Ann's two choices and Ben's in the order in which they come up.
    let weights = [1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0];
    assert_eq!(tree.choice_count(), weights.len());
    let profile = Profile::from_weights(&tree, &weights);
    let mut file = Vec::new();
    let id = GameId::of(&machine, &sources());
    strategy_file::write(&mut file, &id, &machine, &tree, &profile).expect("a file");
    let file = String::from_utf8(file).expect("text");
    let spec = "ismcts(playouts=2000, redeterminize=true, belief=posterior, others=strategy, model=here.json)";
    let clock: Clock = Arc::new(|| Duration::ZERO);
    for (card, lie) in [("0", "a1"), ("1", "a0")] {
        for seed in 0..3 {
            let player = prepared(spec, &machine, &file).player(&machine, &clock);
            let player = player.expect("a player");
            assert_eq!(choice_of(player, &machine, (0, seed), &[card]), lie);
        }
    }
}

/// Ben hides a number, and his heuristic is to hide a high one, near to what he hid before.
const HIDES: &str = "game Hides {
  players { Ann, Ben }
  state {
    first  : 1..4  seen by Ben
    second : 1..4  seen by Ben
  }
  play {
    Ben chooses secretly x in 1..4 into first
    Ann chooses a in 1..2
    Ben chooses secretly y in 1..4 into second
    if reveal(first + second > 5) { Ann chooses b in 1..2 } else { Ann chooses c in 1..2 }
    reveal(second)
    Ann chooses d in 1..2
  }
  payoff zero-sum: [p in Player] 0
  knowledge Ben {
    playout high = maximise x
  }
}";

/// Nine times in ten it is the highest, and otherwise all are as likely.
fn hides(_: &State, seat: usize, seen: &[Observation], actions: &Actions) -> Vec<f64> {
    let even = 1.0 / actions.len() as f64;
    let own = seen.iter().filter(|o| o.chooser == Some(1)).count();
    let by_heuristic = seat == 1 && own == 0;
    let share = |i: usize| match by_heuristic {
        true => 0.1 * even + 0.9 * f64::from(u8::from(i + 1 == actions.len())),
        false => even,
    };
    (0..actions.len()).map(share).collect()
}

#[test]
fn states_are_as_likely_as_heuristics_make_them() {
    let machine = load_text("hides", HIDES, &Default::default());
    let mut belief = Belief::new(&machine, posterior(Others::Heuristic));
    assert!(compare(&machine, &mut belief, &hides) > 10);
    let options = Options {
        others: Others::Heuristic,
        ..forced(Weighting::Posterior, 60)
    };
    let mut belief = Belief::new(&machine, options);
    let found = |seat| Enumeration::by(&machine, seat, usize::MAX, &hides);
    agree_by("hides", &machine, &mut belief, &found, (20, 300));
}

#[test]
fn a_game_without_heuristics_has_no_such_belief() {
    let machine = load("kuhn-poker", &[]);
    let spec = PlayerSpec::parse("ismcts(belief=posterior, others=heuristic)").unwrap();
    let error = suits(&spec, &machine).unwrap_err().to_string();
    assert!(error.contains("`others=heuristic` needs"), "{error}");
    let spec = PlayerSpec::parse("ismcts(belief=posterior, others=strategy)").unwrap_err();
    assert!(spec.message.contains("names no file"), "{}", spec.message);
    let spec = PlayerSpec::parse("ismcts(belief=posterior, others=strategy, model=x)").unwrap();
    assert!(matches!(
        spec.model(&machine),
        Err(PlayerError::Unprepared(_))
    ));
}
