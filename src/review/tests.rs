//! Tests of scripts, coverage and hints on small games.

use super::coverage::Coverage;
use super::lints::lints;
use super::random_games::{Limits, random_games};
use super::{Report, TestedGame, Transcript, parse, run, unscripted};
use crate::check::Settings;
use crate::machine::Machine;
use crate::random::stream;
use crate::syntax::outline::outline;
use crate::text::sources::Sources;
use std::sync::Arc;

fn machine(text: &str, settings: &Settings) -> Machine {
    match crate::load(text, settings) {
        Ok((machine, _)) => machine,
        Err(problems) => panic!("{problems:?}"),
    }
}

fn tested(text: &str, settings: &Settings) -> TestedGame {
    let machine = Arc::new(machine(text, settings));
    TestedGame::new(machine, &Sources::new("small.game", text))
}

fn played(game: &str, script: &str) -> Report {
    let (script, problems) = parse(&format!("game small.game\n{script}"));
    assert_eq!(problems, []);
    run(&script, &mut |settings| Some(tested(game, settings)))
}

/// What is wrong with a script, as `line code`.
fn problems(game: &str, script: &str) -> Vec<String> {
    let text = format!("game small.game\n{script}");
    played(game, script)
        .problems
        .iter()
        .map(|d| {
            let line = text[..d.span.start as usize].matches('\n').count() + 1;
            format!("{line} {}", d.code.0)
        })
        .collect()
}

/// Who expects the end where somebody has nothing to choose is told that.
#[test]
fn nothing_to_choose_is_no_wrong_expectation() {
    let game = "game Stuck { players { Ann, Ben } play { Ann chooses k in 1..2 where k > 3 } payoff zero-sum: [p in Player] 0 }";
    for line in [
        "end",
        "payoffs Ann 1",
        "options Ann: 1",
        "Ann: 1",
        "random 1",
    ] {
        let report = played(game, &format!("play \"x\"\n  {line}\n"));
        let codes: Vec<&str> = report.problems.iter().map(|d| d.code.0).collect();
        assert_eq!(codes, ["E0907"], "{line}");
        assert_eq!(report.faults[0].1.code.0, "E0702", "{line}");
    }
}

const DUEL: &str = "
game Duel {
  param rounds : 1..2 = 1
  param extra : bool = false
  players { Ann, Ben }
  state {
    card : [p: Player] 1..3  seen by p
    sum : 0..9
  }
  def most(p: Player): bool = if card[p] > card[opponent(p)] then true else false
  rule ask(p: Player) {
    p chooses {
      stay => {}
      add(n in 1..2) where sum + n < 4 => sum += n
      never where sum > 100 => { sum = 0 }
    }
  }
  play {
    each p in Player { draw c in 1..3 into card[p] as \"{c}\" }
    repeat rounds times {
      ask(Ann)
      ask(Ben)
    }
    if extra { sum = 0 }
    together each p in Player { p chooses guess in 0..1 into card[p] }
  }
  payoff zero-sum: [p in Player] if most(p) then 1 else if most(opponent(p)) then -1 else 0
}
";

fn duel() -> String {
    DUEL.replace("guess in 0..1", "guess in 1..2")
}

#[test]
fn a_script_is_played_and_written_down() {
    let report = played(
        &duel(),
        "play \"one\"\n chance: 3\n chance: 1\n hides Ann: card[Ben]\n sees Ben: card[Ben] = 1\n \
         options Ann: stay | add(1) | add(2)\n refuse Ann: never\n refuse Ben: stay\n Ann: add 2\n \
         options Ben: stay | add(1)\n Ben: stay\n turn Ann, Ben\n Ben: 2\n Ann: 1\n end\n payoffs Ann -1, Ben 1\n",
    );
    assert_eq!(report.problems, []);
    let (head, play) = report.text.split_once("\n\nplay").expect("a play");
    let expected = [
        "Duel (rounds = 1, extra = false)",
        "",
        "who sees what",
        "  card[Ann]                    Ann",
        "  card[Ben]                    Ben",
        "  sum                          everybody",
        "  choose stay | add | never    everybody",
        "  choose add n                 everybody",
        "  draw c into card[Ann]        Ann",
        "  draw c into card[Ben]        Ben",
        "  choose guess into card[Ann]  Ann",
        "  choose guess into card[Ben]  Ben",
    ];
    assert_eq!(head.lines().collect::<Vec<_>>(), expected);
    let expected = " \"one\"\n  chance: 3 (Ben sees ·)\n  \
                    chance: 1 (Ann sees ·)\n    sum 0\n    Ann sees card[Ann] 3\n    Ben sees card[Ben] 1\n  \
                    Ann may: stay | add(1) | add(2)\n  Ann: add(2)\n    sum 2\n  Ben may: stay | add(1)\n  \
                    Ben: stay\n  Ann may: 1 | 2\n  Ben may: 1 | 2\n  Ann: 1 (Ben sees ·)\n  \
                    Ben: 2 (Ann sees ·)\n    Ann sees card[Ann] 1\n    Ben sees card[Ben] 2\n  \
                    payoffs: Ann -1, Ben 1\n";
    assert_eq!(play, expected);
}

#[test]
fn plays_go_on_from_each_other_under_the_same_params() {
    let script = "set extra = true\nplay \"one\"\n set rounds = 2\n chance: 1\n chance: 1\n\
                  play \"two\" after \"one\"\n Ann: stay\n Ben: stay\n Ann: stay\n";
    let report = played(&duel(), script);
    assert_eq!(report.problems, []);
    assert!(report.text.starts_with("Duel (rounds = 2, extra = true)\n"));
    assert_eq!(report.text.matches("Duel").count(), 1);
}

#[test]
fn what_is_not_so_is_told_with_its_line() {
    let begin = "play \"one\"\n chance: 3\n chance: 1\n";
    let told = |lines: &str| problems(&duel(), &format!("{begin}{lines}"));
    assert_eq!(told(" Ann: add 3\n"), ["5 E0904"]);
    assert_eq!(told(" Ann: add\n"), ["5 E0904"]);
    assert_eq!(told(" Ben: stay\n"), ["5 E0905"]);
    assert_eq!(told(" chance: 1\n"), ["5 E0905"]);
    assert_eq!(told(" Eve: stay\n"), ["5 E0903"]);
    assert_eq!(
        told(" options Ann: stay\n refuse Ann: stay\n"),
        ["5 E0906", "6 E0906"]
    );
    assert_eq!(
        told(" includes Ann: stay\n includes Ann: go\n"),
        ["6 E0906"]
    );
    assert_eq!(
        told(" sees Ann: card[Ben] = 1\n sees Ann: cards = 1\n"),
        ["5 E0906", "6 E0903"]
    );
    assert_eq!(
        told(" sees Ann: card[Ann] = 2\n hides Ann: sum\n"),
        ["5 E0906", "6 E0906"]
    );
    assert_eq!(
        told(" turn Ben\n end\n payoffs Ann 1\n"),
        ["5 E0906", "6 E0906", "7 E0906"]
    );
    assert_eq!(told(" turn chance\n counts 2\n"), ["5 E0906", "6 E0902"]);
    let late = " Ann: stay\n Ben: stay\n Ann: 1\n";
    assert_eq!(told(&format!("{late} end\n")), ["8 E0906", "8 E0905"]);
    assert_eq!(told(&format!("{late} Ann: 2\n")), ["8 E0905"]);
    assert_eq!(told(&format!("{late} Ben: 2\n Ben: 2\n")), ["9 E0905"]);
    let paid = format!("{late} Ben: 2\n payoffs Ann 1, Ben -1\n payoffs Ann x\n");
    assert_eq!(told(&paid), ["9 E0906", "10 E0901"]);
}

#[test]
fn an_error_of_the_rules_is_told_for_the_script_and_for_the_game() {
    let game = duel().replace("sum += n", "sum -= n");
    let report = played(
        &game,
        "play \"one\"\n chance: 1\n chance: 1\n Ann: add 1\nplay \"two\"\n random 2 seed 1\n",
    );
    assert_eq!(report.problems.len(), 1);
    assert_eq!(report.problems[0].code.0, "E0907");
    assert_eq!(report.faults[0].1.code.0, "E0701");
    assert_eq!(report.plays, 2);
}

/// The lines that some random games do not reach, without their text.
fn unreached(game: &str, games: u64) -> Vec<(usize, &'static str)> {
    let machine = machine(game, &Settings::new()).marked().expect("marks");
    let options = Limits {
        games,
        plies: 100_000,
        seed: 1,
        texts: true,
    };
    assert_eq!(random_games(&machine, &options, &mut |_| false).error, None);
    let (file, _) = crate::syntax::parse(game);
    let mut coverage = Coverage::new(&outline(&file.expect("a tree")));
    coverage.add(&machine);
    let sources = Sources::new("small.game", game);
    let lines = coverage.unreached(&sources);
    lines.into_iter().map(|u| (u.line, u.what)).collect()
}

#[test]
fn coverage_tells_what_was_never_reached() {
    // The third alternative, and what a param leaves out.
    let rest = [(15, "never reached"), (24, "never reached")];
    assert_eq!(unreached(&duel(), 200), rest);
    // A rule that nothing calls.
    let idle = duel().replace("rule ask", "rule idle { sum = 1 }\n  rule ask");
    assert!(unreached(&idle, 200).contains(&(11, "never reached")));
    // Conditions and branches that go one way only.
    let tame = duel().replace("sum + n < 4", "sum + n < 9");
    assert!(unreached(&tame, 200).contains(&(14, "always true")));
    let fixed = duel().replace("card[p] > card[opponent(p)]", "sum > 8");
    assert!(unreached(&fixed, 200).contains(&(10, "branch never taken")));
    let none = unreached(&duel(), 0);
    assert!(none.contains(&(19, "never reached")) && none.contains(&(27, "never paid")));
}

/// Draws and choices that hang on no state.
const LOTS: &str = "game Lots {
  players { Ann, Ben }
  state { n : 0..100 }
  play {
    repeat 3 times {
      draw a in 1..6, b in 1..6 where a <= b weighted if a == b then 1 else 2 as \"{a} {b}\"
      n = 10 * a + b
    }
    Ann chooses s in subsets(1..6, 2) where sum(s) mod 2 == 0 as \"{s}\"
  }
  payoff zero-sum: [p in Player] if p == Ann then n else -n
}";

#[test]
fn marks_change_nothing() {
    let rounds = Settings::from([("rounds".to_string(), "2".to_string())]);
    for (game, settings) in [(duel().as_str(), rounds), (LOTS, Settings::new())] {
        marks_change_nothing_of(&tested(game, &settings));
    }
}

fn marks_change_nothing_of(plain: &TestedGame) {
    let marked = TestedGame {
        machine: Arc::new(plain.machine.marked().expect("marks")),
        ..plain.clone()
    };
    for seed in 1..20 {
        let texts = [plain, &marked].map(|tested| {
            let (mut transcript, mut state) = Transcript::begin(tested).expect("a first node");
            let ended = transcript.random(&mut state, &mut stream(seed, &[]), None);
            assert!(ended.expect("no error"));
            transcript.payoffs(&state).expect("payoffs");
            transcript.text().to_string()
        });
        assert_eq!(texts[0], texts[1]);
    }
    assert_eq!(plain.machine.coverage_points().count(), 0);
}

/// The codes of the hints about a game, with how many places each names.
fn hinted(game: &str, games: u64) -> Vec<(&'static str, usize)> {
    let machine = machine(game, &Settings::new()).marked().expect("marks");
    let options = Limits {
        games,
        plies: 100_000,
        seed: 1,
        texts: true,
    };
    let survey = random_games(&machine, &options, &mut |_| false).survey;
    let (file, _) = crate::syntax::parse(game);
    let mut coverage = Coverage::new(&outline(&file.expect("a tree")));
    coverage.add(&machine);
    let hints = lints(&machine, &coverage, &survey);
    hints
        .iter()
        .map(|d| (d.code.0, d.notes.len() + 1))
        .collect()
}

#[test]
fn hints_tell_what_random_play_never_met() {
    assert_eq!(hinted(&duel(), 200), [("E0780", 1)]);
    assert_eq!(hinted(&duel(), 5), []);
    let dead = duel().replace(
        "if extra { sum = 0 }",
        "if sum > 8 { sum = 0  sum += 1  if sum > 1 { sum = 2 } }",
    );
    assert_eq!(hinted(&dead, 200), [("E0780", 1), ("E0781", 1)]);
    // A value of several of one kind is one thing in the text, whichever it is.
    let several = duel().replace(
        "play {",
        "play { draw each p in Player: d[p] in 1..3 where every p in Player, q in Player where p < q: d[p] != d[q] ",
    );
    assert_eq!(hinted(&several, 200), [("E0780", 1)]);
    let flat = duel().replace(
        "if most(p) then 1 else if most(opponent(p)) then -1 else 0",
        "0",
    );
    assert_eq!(hinted(&flat, 200), [("E0780", 1), ("E0782", 1)]);
    let endless = duel().replace("repeat rounds times {", "while sum < 9 at most 2 {");
    assert_eq!(hinted(&endless, 200), [("E0780", 1), ("E0783", 1)]);
    // The bound is what the loop needs, and the condition fails there.
    let exact = |head: &str| {
        let counted = duel().replace("sum : 0..9", "sum : 0..9  left : -9..2 = 2");
        counted.replace("repeat rounds times {", &format!("{head} {{ left -= 1"))
    };
    for bound in 2..=3 {
        let head = format!("while left > 0 at most {bound}");
        assert_eq!(hinted(&exact(&head), 200), [("E0780", 1)]);
        let head = format!("turns p from Ann among all while left > 0 at most {bound}");
        assert_eq!(hinted(&exact(&head), 200), [("E0780", 1)]);
    }
    for head in [
        "while left > 0 at most 1",
        "turns p from Ann among all while left > 0 at most 1",
    ] {
        assert_eq!(hinted(&exact(head), 200), [("E0780", 1), ("E0783", 1)]);
    }
    let long = duel().replace("repeat rounds times {", "while true at most 1000000 {");
    assert_eq!(hinted(&long, 200), [("E0784", 1)]);
}

#[test]
fn conditions_of_draws_are_met_where_nothing_is_listed() {
    let text = "game Pairs {
  players { Ann, Ben }
  state { sum : 0..99 }
  play {
    draw a in 1..40, b in 1..40 where a != b
    if a < 41 { sum = a }
    else if b == 3 {
      sum = b
    }
    Ann chooses k in 1..40, l in 1..40 where k != l as \"{k} {l}\"
  }
  payoff zero-sum: [p in Player] if p == Ann then sum else 0 - sum
}";
    let (file, _) = crate::syntax::parse(text);
    let machine = machine(text, &Settings::new()).marked().expect("marks");
    let options = Limits {
        games: 100,
        plies: u64::MAX,
        seed: 1,
        texts: false,
    };
    let survey = random_games(&machine, &options, &mut |_| false).survey;
    let mut coverage = Coverage::new(&outline(&file.expect("a tree")));
    coverage.add(&machine);
    let missing: Vec<&str> = coverage
        .missing()
        .map(|p| &text[p.span.start as usize..p.span.end as usize])
        .collect();
    let outer = missing
        .iter()
        .filter(|m| m.starts_with("if b == 3 {"))
        .count();
    assert_eq!((outer, missing.len()), (1, 3), "{missing:?}");
    let told = lints(&machine, &coverage, &survey);
    let places: Vec<&str> = told
        .iter()
        .map(|d| &text[d.span.start as usize..d.span.end as usize])
        .collect();
    assert_eq!(places, ["if b == 3"]);
}

#[test]
fn a_game_is_tested_by_itself() {
    let text = unscripted(&tested(&duel(), &Settings::new())).expect("no error");
    assert!(text.starts_with("Duel (rounds = 1, extra = false)\n\nwho sees what\n"));
    assert!(text.contains("\n\ncounts\n  1 ply: 3 histories\n"));
    assert_eq!(text.matches("random game").count(), 2);
    assert_eq!(text.matches("payoffs: ").count(), 2);
}
