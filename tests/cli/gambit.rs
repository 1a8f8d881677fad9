//! Trees as Gambit itself reads them (`pygambit`, by McKelvey, McLennan, Turocy and others), where a Python has it: `PYTHON` names that
//! Python, and without it is `python3`.

use crate::support::command::fine;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Prints the numbers of nodes and of information sets, and what an equilibrium of a linear program pays the first player.
const SCRIPT: &str = "
import sys, pygambit
game = pygambit.read_efg(sys.argv[1])
print(len(game.nodes))
print(' '.join(f'{player.label}={len(player.infosets)}' for player in game.players))
found = pygambit.nash.lp_solve(game, rational=False).equilibria[0]
print(float(found.payoff(next(iter(game.players)))))
";

fn python(arguments: &[&str]) -> Option<String> {
    let python = std::env::var("PYTHON").unwrap_or_else(|_| "python3".to_string());
    let output = Command::new(python).args(arguments).output().ok()?;
    output
        .status
        .success()
        .then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn gambit_reads_what_is_exported_and_finds_the_same_values() {
    if python(&["-c", "import pygambit"]).is_none() {
        println!("not tried: there is no Python with pygambit");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for arguments in [
        &["kuhn-poker"][..],
        &["rock-paper-scissors"],
        &["matching-pennies"],
        &["blotto", "--set", "troops=3"],
        &["goofspiel", "--set", "cards=3"],
        &["goofspiel-hidden", "--set", "cards=3"],
        &["liars-dice", "--set", "sides=2"],
    ] {
        compared(at, arguments);
    }
}

fn compared(at: &Path, arguments: &[&str]) {
    let command = |name: &'static str, more: &[&'static str]| {
        let all = [&[name], arguments, more].concat();
        fine(at, &all)
    };
    std::fs::write(at.join("game.efg"), command("export", &["--efg"])).unwrap();
    let path = at.join("game.efg");
    let read = python(&["-c", SCRIPT, path.to_str().unwrap()]);
    let read = read.unwrap_or_else(|| panic!("{arguments:?}: Gambit does not take it"));
    let solved: Value =
        serde_json::from_str(&command("solve", &["--method", "lp", "--json"])).unwrap();
    let mut lines = read.lines();
    let mut next = || lines.next().unwrap_or_default();
    let tree = &solved["tree"];
    assert_eq!(next(), tree["nodes"].to_string(), "{arguments:?}");
    let states = tree["information_states"].as_object().unwrap();
    let states: Vec<String> = states.iter().map(|(p, n)| format!("{p}={n}")).collect();
    assert_eq!(next(), states.join(" "), "{arguments:?}");
    let first = solved["values"].as_object().unwrap().values().next();
    let difference = next().parse::<f64>().unwrap() - first.unwrap().as_f64().unwrap();
    assert!(difference.abs() < 1e-6, "{arguments:?}: {difference}");
}
