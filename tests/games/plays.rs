//! The scripts in `tests/plays/`: each plays as it says and as recorded in `snapshots/plays/`, and together they reach every
//! rule of every shipped game. `ruse test tests/plays --snapshots snapshots/plays` does the same from outside.

use crate::support::snapshots::snapshots;
use ruse::internal::check::Settings;
use ruse::internal::machine::Machine;
use ruse::internal::review::{Coverage, Script, TestedGame, parse, run};
use ruse::internal::syntax::outline::outline;
use ruse::internal::text::sources::Sources;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Lines that no play can reach, by game: none.
const UNREACHABLE: [(&str, &str); 0] = [];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/plays")
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// A file that a game extends.
fn beside(from: &str, path: &str) -> Result<(String, String), String> {
    let file = Path::new(from).with_file_name(path);
    let text = std::fs::read_to_string(&file).map_err(|e| e.to_string())?;
    Ok((file.display().to_string(), text))
}

/// Every script, by the name of its file without the ending.
fn scripts() -> Vec<(String, Script, String)> {
    let mut all = Vec::new();
    for entry in std::fs::read_dir(folder()).expect("tests/plays") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|e| e == "play") {
            let text = read(&path);
            let (script, problems) = parse(&text);
            let name = path.file_stem().expect("a name").to_string_lossy();
            assert_eq!(problems, [], "{name}");
            all.push((name.into_owned(), script, text));
        }
    }
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

fn game(script: &Script) -> PathBuf {
    let game = script.game.as_ref().expect("a game");
    folder()
        .join(&game.text)
        .canonicalize()
        .expect("a game file")
}

/// The game of a script under some settings, with marks or without.
fn load(path: &Path, settings: &Settings, marked: bool) -> (Arc<Machine>, Sources) {
    let name = path.display().to_string();
    let (loaded, sources) = ruse::load_with(&name, &read(path), settings, &beside);
    let (machine, _) = loaded.unwrap_or_else(|problems| panic!("{name}: {problems:?}"));
    let machine = match marked {
        true => machine.marked().expect("marks"),
        false => machine,
    };
    (Arc::new(machine), sources)
}

#[test]
fn scripts_play_as_they_say_and_as_recorded() {
    snapshots("plays").bind(|| {
        for (name, script, text) in scripts() {
            let path = game(&script);
            let report = run(&script, &mut |settings| {
                let (machine, sources) = load(&path, settings, false);
                Some(TestedGame::new(machine, &sources))
            });
            let problems: Vec<String> = report
                .problems
                .iter()
                .map(|d| d.render(&name, &text, false))
                .collect();
            assert_eq!(problems, Vec::<String>::new(), "{name}");
            insta::assert_snapshot!(format!("{name}.play"), report.text);
        }
    });
}

#[test]
fn scripts_reach_every_rule_of_every_shipped_game() {
    let mut by_game: BTreeMap<String, (Coverage, Sources)> = BTreeMap::new();
    for (_, script, _) in scripts() {
        let path = game(&script);
        let stem = path.file_stem().expect("a name").to_string_lossy();
        let mut machines = Vec::new();
        run(&script, &mut |settings| {
            let (machine, sources) = load(&path, settings, true);
            machines.push((machine.clone(), sources.clone()));
            Some(TestedGame::new(machine, &sources))
        });
        for (machine, sources) in machines {
            let (coverage, _) = by_game.entry(stem.to_string()).or_insert_with(|| {
                let name = path.display().to_string();
                let (file, ..) =
                    ruse::internal::check::extends::assemble(&name, &read(&path), &beside);
                (Coverage::new(&outline(&file.expect("a tree"))), sources)
            });
            coverage.add(&machine);
        }
    }
    let mut missing = Vec::new();
    for game in crate::support::shipped() {
        let Some((coverage, sources)) = by_game.get(&game) else {
            missing.push(format!("{game}: no script"));
            continue;
        };
        for line in coverage.unreached(sources) {
            if !UNREACHABLE.contains(&(game.as_str(), line.text.as_str())) {
                missing.push(format!("{game}:{} {}: {}", line.line, line.what, line.text));
            }
        }
    }
    assert_eq!(missing, Vec::<String>::new());
}
