//! The pages of `ruse explain`: there is one for every code, its wrong game really gives that code, and the mended game is
//! fine. What the wrong games report is kept in `snapshots/` for codes that no other snapshot shows.

use crate::support::snapshots::snapshots;
use ruse::internal::text::explain::PAGES;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Codes that a small game cannot show: mistakes of ruse itself, and limits that only a very large text reaches.
const WITHOUT_EXAMPLE: [&str; 36] = [
    "E0001", "E0002", "E0003", "E0017", "E0020", "E0308", "E0309", "E0399", "E0407", "E0411",
    "E0602", "E0603", "E0709", "E0710", "E0711", "E0740", "E0741", "E0755", "E0756", "E0770",
    "E0776", "E0801", "E0802", "E0803", "E0804", "E0806", "E0807", "E0808", "E0809", "E0810",
    "E0811", "E0812", "E0813", "E0814", "E1006", "E1007",
];

/// What random play tells of a game that is fine.
const NOTES: [&str; 7] = [
    "E0780", "E0781", "E0782", "E0783", "E0784", "E0785", "E0786",
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// Every code in the source, with the file that declares it.
fn codes() -> BTreeMap<String, PathBuf> {
    let mut sources = Vec::new();
    files(&root().join("src"), &mut sources);
    let mut codes = BTreeMap::new();
    for path in sources {
        let text = std::fs::read_to_string(&path).unwrap();
        for declared in text.split(": Code = Code(\"").skip(1) {
            let code = declared.split('"').next().unwrap().to_string();
            let twice = codes.insert(code, path.clone());
            assert_eq!(twice, None, "one code stands for two things");
        }
    }
    codes
}

/// A half of a page: its game, and the command that is run with it.
struct Half {
    game: Option<String>,
    /// A script for it, where the page is about scripts.
    play: Option<String>,
    /// An experiment with it, where the page is about experiments.
    yaml: Option<String>,
    command: Vec<String>,
}

fn half(text: &str, usual: &[String]) -> Half {
    let fenced = |mark: &str| {
        let rest = text.split_once(mark)?.1;
        Some(rest.split("```").next().unwrap().to_string())
    };
    let command = fenced("```console\n$ ruse ").map(|line| {
        let words = line.split_whitespace();
        words.map(|w| w.trim_matches('\'').to_string()).collect()
    });
    Half {
        game: fenced("```game\n"),
        play: fenced("```play\n"),
        yaml: fenced("```yaml\n"),
        command: command.unwrap_or_else(|| usual.to_vec()),
    }
}

/// The exit code and standard error.
fn run(folder: &Path, command: &[String]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_ruse"))
        .args(command)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .output()
        .unwrap();
    let problems = String::from_utf8_lossy(&output.stderr).into_owned();
    (output.status.code().unwrap(), problems)
}

fn reported(problems: &str) -> BTreeSet<&str> {
    let parts = problems.split("[E").skip(1);
    parts
        .filter_map(|p| p.split_once(']'))
        .map(|(code, _)| code)
        .collect()
}

#[test]
fn every_code_has_a_page_and_every_page_a_code() {
    let codes: Vec<String> = codes().into_keys().collect();
    let pages: Vec<String> = PAGES.iter().map(|p| p.code.to_string()).collect();
    assert_eq!(codes, pages, "pages stand in the order of their codes");
    let mut texts = Vec::new();
    files(&root().join("docs/errors"), &mut texts);
    assert_eq!(texts.len(), pages.len());
    for page in PAGES {
        assert!(page.text.starts_with(&format!("# {}: ", page.code)));
        assert!(!page.title().is_empty() && !page.title().ends_with('.'));
    }
}

#[test]
fn the_games_of_the_pages_do_what_the_pages_say() {
    let folder = std::env::temp_dir().join(format!("ruse-explain-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let usual = ["check".to_string(), "duel.game".to_string()];
    let shown_elsewhere = shown_elsewhere();
    for page in PAGES {
        // Some games come with another one, which they extend.
        if let Some((_, other)) = page.text.split_once("```game large.game\n") {
            let text = other.split("```").next().unwrap();
            std::fs::write(folder.join("large.game"), text).unwrap();
        }
        let Some((_, example)) = page.text.split_once("\n## Wrong\n") else {
            assert!(WITHOUT_EXAMPLE.contains(&page.code), "{}", page.code);
            continue;
        };
        let (wrong, mended) = example.split_once("\n## Mended\n").unwrap_or((example, ""));
        let wrong = half(wrong, &usual);
        let file = folder.join("duel.game");
        if let Some(game) = &wrong.game {
            std::fs::write(&file, game).unwrap();
        }
        if let Some(play) = &wrong.play {
            std::fs::write(folder.join("duel.play"), play).unwrap();
        }
        if let Some(yaml) = &wrong.yaml {
            std::fs::write(folder.join("duel.yaml"), yaml).unwrap();
        }
        let (_, problems) = run(&folder, &wrong.command);
        let mut found = reported(&problems);
        if !NOTES.contains(&page.code) {
            found.retain(|code| NOTES.iter().all(|note| note[1..] != **code));
        }
        // An error in a script comes with the error of the rules that is behind it.
        if page.code == "E0907" {
            found.remove("0701");
        }
        let expected = BTreeSet::from([&page.code[1..]]);
        assert_eq!(found, expected, "{}\n{problems}", page.code);
        if shown_elsewhere.contains(page.code) {
            let kept = root().join(format!("snapshots/explain/{}.snap", page.code));
            assert!(!kept.exists(), "{} is shown elsewhere", kept.display());
        } else {
            let game = wrong.game.as_deref().unwrap_or_default();
            let play = wrong.play.as_deref().or(wrong.yaml.as_deref());
            let play = play.map_or(String::new(), |p| format!("\n{p}"));
            let snapshot = format!(
                "{game}{play}\n$ ruse {}\n\n{problems}",
                wrong.command.join(" ")
            );
            snapshots("explain").bind(|| insta::assert_snapshot!(page.code, snapshot));
        }
        if mended.is_empty() {
            continue;
        }
        let mended = half(mended, &wrong.command);
        if let Some(game) = &mended.game {
            std::fs::write(&file, game).unwrap();
            assert_eq!(
                ruse::internal::syntax::format::format(game).as_ref(),
                Ok(game),
                "{}: the mended game is set the usual way",
                page.code
            );
        }
        if let Some(play) = &mended.play {
            std::fs::write(folder.join("duel.play"), play).unwrap();
        }
        if let Some(yaml) = &mended.yaml {
            std::fs::write(folder.join("duel.yaml"), yaml).unwrap();
            let _ = std::fs::remove_dir_all(folder.join("duel.results"));
        }
        let (exit, problems) = run(&folder, &mended.command);
        // Play makes one wonder about games as small as these.
        let mut left = reported(&problems);
        if !NOTES.contains(&page.code) {
            left.retain(|code| NOTES.iter().all(|note| note[1..] != **code));
        }
        assert_eq!(
            (exit, left),
            (0, BTreeSet::new()),
            "{}\n{problems}",
            page.code
        );
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

/// Codes whose report is in a snapshot of other tests.
fn shown_elsewhere() -> BTreeSet<String> {
    let mut kept = Vec::new();
    files(&root().join("snapshots"), &mut kept);
    let mut codes = BTreeSet::new();
    for path in kept {
        let explained = path.starts_with(root().join("snapshots/explain"));
        if explained || path.extension().is_none_or(|e| e != "snap") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        codes.extend(reported(&text).into_iter().map(|code| format!("E{code}")));
    }
    codes
}
