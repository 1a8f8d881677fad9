//! Experiments about convergence: what they measure is right, and comes out the same in whatever parts it is measured.

use crate::support::command::{fine, folder, read, root, run, snapshot};
use crate::support::load;
use crate::support::silent::Silent;
use ruse::internal::solve::backward::depth::exploitability;
use ruse::internal::solve::backward::depth_limited_tree::DepthLimitedTree;
use ruse::internal::solve::backward::{BackwardOptions, Completion, Saved, Solved, solve};
use serde_json::Value;
use std::path::Path;
use std::sync::atomic::AtomicBool;

fn solved(game: &str, settings: &[(&str, &str)]) -> Solved {
    let machine = load(game, settings);
    let options = BackwardOptions::default();
    let never = AtomicBool::new(false);
    match solve(&machine, &options, Saved::default(), &mut (), &never) {
        Ok(Completion::Solved(solved)) => *solved,
        _ => panic!("{game} is not solved"),
    }
}

/// What a strategy loses near a state is the same whether histories are told apart or states merged, when it does not look
/// at histories; and it grows with the depth up to the whole game.
#[test]
fn losses_near_a_state_are_those_of_merged_states() {
    for (game, settings, deepest) in [
        (
            "goofspiel",
            &[("cards", "3"), ("scoring", "point_difference")][..],
            8,
        ),
        ("goofspiel", &[("cards", "4")], 8),
        (
            "oshi-zumo",
            &[("coins", "3"), ("size", "1"), ("horizon", "3")],
            8,
        ),
        ("tic-tac-toe", &[], 5),
    ] {
        let solved = solved(game, settings);
        let root = solved.machine().initial().unwrap();
        let near = DepthLimitedTree::new(&solved, &root, deepest).unwrap();
        for player in 0..2 {
            let mut before = 0.0;
            for depth in 0..=deepest {
                let found = near.loss(player, depth, &near.no_strategies());
                let merged = exploitability(
                    &solved,
                    &root,
                    player,
                    depth,
                    &mut Silent,
                    &AtomicBool::new(false),
                )
                .unwrap();
                assert!(
                    (found - merged.loss).abs() < 1e-12,
                    "{game} {depth}: {found}"
                );
                assert!(
                    found >= before - 1e-12,
                    "{game} {depth}: {found} after {before}"
                );
                before = found;
            }
            assert!(before > 0.01, "{game}: {before}");
        }
    }
}

/// Numbers of the runs of a finished part, in the order of players and runs.
fn runs(folder: &Path) -> Vec<Vec<f64>> {
    let text = read(folder.join("shard-1-of-1.jsonl"));
    let mut found: Vec<(u64, u64, String)> = text
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    found.sort();
    let numbers = found.into_iter().map(|(_, _, numbers)| {
        let words = numbers.split(' ');
        words.map(|word| word.parse().unwrap()).collect()
    });
    numbers.collect()
}

const DUEL: &str = "\
game: goofspiel
set: { cards: 3, order: ascending }
variants: { win or loss: {}, points: { set: { scoring: point_difference } } }
players:
  RM: smmcts
  Mix: { smmcts: { select: duct_mix, expand: action } }
runs: 4
iterations: [5, 40, 300]
seed: 3
";

/// The best response over the sequence form and the walk over histories with exact values find the same, for the same
/// searches: where the depth holds the whole game.
#[test]
fn the_whole_game_and_a_depth_that_holds_it_agree() {
    let whole = folder(DUEL);
    fine(whole.path(), &["experiment", "x.yaml"]);
    let near = folder(&format!("{DUEL}depth: [1, 9]\n"));
    fine(near.path(), &["experiment", "x.yaml", "--memory", "64M"]);
    let whole = runs(&whole.path().join("x.results"));
    let near = runs(&near.path().join("x.results"));
    assert_eq!((whole.len(), near.len()), (16, 16));
    for (whole, near) in std::iter::zip(&whole, &near) {
        assert_eq!((whole.len(), near.len()), (3, 6));
        for (whole, near) in std::iter::zip(whole, near.chunks(2)) {
            assert!((whole - near[1]).abs() < 1e-9, "{whole} and {near:?}");
            assert!(near[0] <= near[1] + 1e-9);
        }
    }
    assert!(whole.iter().flatten().any(|loss| *loss > 0.1));
}

#[test]
fn one_table_on_any_number_of_threads_and_in_any_parts() {
    let one = folder(&format!("title: A duel\n{DUEL}"));
    let (one, at) = (&one, one.path());
    let printed = fine(at, &["experiment", "x.yaml", "--threads", "1"]);
    fine(
        at,
        &["experiment", "x.yaml", "--threads", "3", "--out", "b"],
    );
    for shard in ["2/3", "3/3", "1/3"] {
        let out = fine(
            at,
            &["experiment", "x.yaml", "--shard", shard, "--out", "c"],
        );
        assert!(out.starts_with(&format!("shard {shard}: ")), "{out}");
    }
    fine(at, &["experiment", "merge", "x.yaml", "--out", "c"]);
    for name in ["results.md", "results.csv", "results.svg"] {
        let text = read(at.join("x.results").join(name));
        for other in ["b", "c"] {
            assert_eq!(text, read(at.join(other).join(name)), "{name} in {other}");
        }
    }
    assert_eq!(printed, read(one.path().join("x.results/results.md")));
    let csv = read(at.join("x.results/results.csv"));
    let svg = read(at.join("x.results/results.svg"));
    snapshot("convergence", &format!("{printed}\n{csv}\n{svg}"));
    let out = fine(at, &["experiment", "merge", "x.yaml", "--json"]);
    let summary: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(summary["finished"], 16);
    let last = &summary["variants"][1]["tables"][0]["losses"]["RM"][2];
    assert_eq!(last["n"], 4);
}

/// A run that broke off goes on: what is there stays, a torn line is measured again, and nothing is there twice.
#[test]
fn a_broken_run_goes_on() {
    let folder = folder(DUEL);
    let at = folder.path();
    fine(at, &["experiment", "x.yaml"]);
    let file = at.join("x.results/shard-1-of-1.jsonl");
    let table = read(at.join("x.results/results.csv"));
    let whole = read(&file);
    let lines: Vec<&str> = whole.lines().collect();
    let torn = format!(
        "{}\n{}",
        lines[..6].join("\n"),
        &lines[6][..lines[6].len() - 4]
    );
    std::fs::write(&file, torn).unwrap();
    let (code, _, errors) = run(at, &["experiment", "merge", "x.yaml"]);
    assert!(
        code == 1 && errors.contains("11 of 16 searches missing"),
        "{errors}"
    );
    fine(at, &["experiment", "x.yaml", "--threads", "1"]);
    assert_eq!(table, read(at.join("x.results/results.csv")));
    let again = read(&file);
    assert!(again.starts_with(&lines[..6].join("\n")));
    let mut sorted: Vec<&str> = again.lines().skip(1).collect();
    let mut expected = lines[1..].to_vec();
    sorted.sort();
    expected.sort();
    assert_eq!(sorted, expected);
    // What was changed by hand, and what is of another experiment.
    for (from, to, code) in [
        (lines[3], "[0,99,\"1 1 1\"]", "E1007"),
        (lines[3], "[0,0,\"1 1\"]", "E1007"),
        (lines[3], lines[4], "E1007"),
        ("\"runs\":4", "\"runs\":5", "E1006"),
    ] {
        std::fs::write(&file, whole.replacen(from, to, 1)).unwrap();
        let (verdict, _, errors) = run(at, &["experiment", "x.yaml"]);
        assert!(verdict == 2 && errors.contains(code), "{to}: {errors}");
    }
}

/// In a game whose equilibrium is mixed, learning policies come near it and one action does not (section 4.3 of the paper).
/// The game is that of the published experiment.
#[test]
fn mixing_policies_converge_and_the_best_action_does_not() {
    let text = read(root().join("experiments/biased-rock-paper-scissors.game"));
    let folder = folder(
        "game: biased.game\nruns: 5\niterations: [20000]\nplayers:\n  Max: { smmcts: { select: duct_max } }\n  \
         RM: smmcts\n  OOS: { smmcts: { select: oos } }\n  OOS+: { smmcts: { select: oos_plus } }\n  \
         Exp3: { smmcts: { select: exp3 } }\n",
    );
    std::fs::write(folder.path().join("biased.game"), text).unwrap();
    let out = fine(folder.path(), &["experiment", "x.yaml", "--json"]);
    let summary: Value = serde_json::from_str(&out).unwrap();
    let losses = &summary["variants"][0]["tables"][0]["losses"];
    for (player, losses) in losses.as_object().unwrap() {
        let mean = losses[0]["mean"].as_f64().unwrap();
        match player.as_str() {
            // 5, 25 or 50 by the action.
            "Max" => assert!(mean >= 5.0 - 1e-9, "{mean}"),
            _ => assert!(mean < 4.0, "{player}: {mean}"),
        }
    }
}

/// Files that are wrong, each with what is said of it.
#[test]
fn mistakes_in_the_file_have_their_place() {
    let duel = |from: &str, to: &str| {
        assert!(DUEL.contains(from));
        DUEL.replacen(from, to, 1)
    };
    let mut told = String::new();
    for (what, yaml) in [
        ("games", duel("runs: 4", "games: 4")),
        ("no runs", duel("runs: 4\n", "")),
        ("no iterations", duel("iterations: [5, 40, 300]\n", "")),
        ("an empty list", duel("[5, 40, 300]", "[]")),
        ("a list that descends", duel("[5, 40, 300]", "[5, 300, 40]")),
        ("no simulation", duel("[5, 40, 300]", "0")),
        ("a depth", duel("seed: 3", "depth: [2, x]")),
        ("a player without a tree", duel("RM: smmcts", "RM: random")),
        (
            "a player with a budget",
            duel("RM: smmcts", "RM: smmcts(playouts=7)"),
        ),
        (
            "a variant with a budget",
            duel("loss: {}", "loss: { budget: { ms: 5 } }"),
        ),
        (
            "another search in a variant",
            duel("loss: {}", "loss: { players: { Mix: random } }"),
        ),
        ("three players", duel("order: ascending", "seats: 3")),
        ("hidden bids", duel("order: ascending", "bids: hidden")),
        (
            "hidden bids near the start",
            duel("order: ascending", "bids: hidden") + "depth: 2\n",
        ),
        ("a game too large", duel("cards: 3", "cards: 9")),
    ] {
        let folder = folder(&yaml);
        let (code, _, errors) = run(folder.path(), &["experiment", "x.yaml"]);
        assert!(code == 1 || code == 2, "{what}: {errors}");
        assert!(errors.starts_with("error"), "{what}: {errors}");
        told.push_str(&format!("# {what}\n{errors}\n"));
    }
    let whole = folder(DUEL);
    let (code, _, errors) = run(whole.path(), &["experiment", "x.yaml", "--memory", "1G"]);
    assert_eq!(code, 2);
    told.push_str(&format!("# memory for nothing\n{errors}\n"));
    snapshot("convergence-mistakes", &told);
}

/// The experiments of this project are files that can be read.
#[test]
fn published_experiments_can_be_read() {
    let mut files = 0;
    for entry in std::fs::read_dir(root().join("experiments")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "yaml") {
            if let Err(problem) = ruse::internal::arena::experiment::read(&read(&path)) {
                panic!("{}: {problem:?}", path.display());
            }
            files += 1;
        }
    }
    assert!(files >= 5);
}

/// The exact values are kept with the results: another part, or a run that goes on, computes nothing again, and what it
/// measures is the same; a file of values that was damaged, or is another game's, is made anew.
#[test]
fn exact_values_are_kept_with_the_results() {
    let text = format!("{DUEL}depth: [1, 9]\n");
    let values = |at: &Path| {
        let files = std::fs::read_dir(at.join("x.results")).unwrap();
        let files = files.map(|file| file.unwrap().path());
        let mut kept: Vec<_> = files
            .filter(|path| path.extension().is_some_and(|e| e == "checkpoint"))
            .collect();
        kept.sort();
        kept
    };
    let bytes = |at: &Path| -> Vec<Vec<u8>> {
        values(at)
            .iter()
            .map(|path| std::fs::read(path).unwrap())
            .collect()
    };
    let whole = folder(&text);
    fine(whole.path(), &["experiment", "x.yaml"]);
    // One file for each variant, whose params differ.
    assert_eq!(values(whole.path()).len(), 2);
    let parts = folder(&text);
    let at = parts.path();
    fine(at, &["experiment", "x.yaml", "--shard", "1/2"]);
    let before = bytes(at);
    assert!(before == bytes(whole.path()));
    // What is there is read and not written.
    let times = |at: &Path| -> Vec<_> {
        let changed = |path: &std::path::PathBuf| path.metadata().unwrap().modified().unwrap();
        values(at).iter().map(changed).collect()
    };
    let changed = times(at);
    fine(at, &["experiment", "x.yaml", "--shard", "2/2"]);
    assert_eq!(changed, times(at));
    let numbers = |at: &Path| read(at.join("x.results/results.csv"));
    fine(at, &["experiment", "merge", "x.yaml"]);
    assert_eq!(numbers(at), numbers(whole.path()));
    // Torn, with a wrong number, and that of the other variant.
    for damage in 0..3 {
        let again = folder(&text);
        let at = again.path();
        std::fs::create_dir_all(at.join("x.results")).unwrap();
        for (i, path) in values(whole.path()).iter().enumerate() {
            let mut kept = before[i].clone();
            match damage {
                0 => kept.truncate(kept.len() / 2),
                1 => {
                    let middle = kept.len() / 2;
                    kept[middle] ^= 0x40;
                }
                _ => kept = before[1 - i].clone(),
            }
            let name = path.file_name().unwrap();
            std::fs::write(at.join("x.results").join(name), kept).unwrap();
        }
        fine(at, &["experiment", "x.yaml"]);
        assert!(bytes(at) == before, "{damage}");
        assert_eq!(numbers(at), numbers(whole.path()));
    }
}
