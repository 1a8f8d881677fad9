//! House rules that no compiler checks.

use std::path::{Path, PathBuf};

fn files(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, extension, found);
        } else if path.extension().is_some_and(|e| e == extension) {
            found.push(path);
        }
    }
}

/// No game has code of its own: nothing under `src/` names one of the games in `games/`.
#[test]
fn the_source_names_no_game() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (mut games, mut sources) = (Vec::new(), Vec::new());
    files(&root.join("games"), "game", &mut games);
    files(&root.join("src"), "rs", &mut sources);
    assert!(games.len() >= 6 && sources.len() > 20);
    let grammar = std::fs::read_to_string(root.join("grammar/game.pest")).unwrap();
    for game in games {
        let stem = game.file_stem().unwrap().to_string_lossy().to_lowercase();
        // A game may be called by a word of the language, and a short name may be part of another word.
        if grammar.contains(&format!("\"{stem}\"")) {
            continue;
        }
        let names = if stem.len() < 4 {
            vec![format!("game {stem} {{"), format!("{stem}.game")]
        } else {
            vec![
                stem.replace('-', ""),
                stem.replace('-', " "),
                stem.replace('-', "_"),
                stem,
            ]
        };
        for source in &sources {
            let text = std::fs::read_to_string(source).unwrap().to_lowercase();
            for name in &names {
                assert!(!text.contains(name), "{} names {name}", source.display());
            }
        }
    }
}

/// The core opens no file, reads no clock and prints nothing; the command line prints through `cli::output`, because
/// `println!` panics when the reader of a pipe has gone away. Tests may do as they like.
#[test]
fn only_the_command_line_meets_the_world() {
    const EVERYWHERE: [&str; 4] = ["println!", "print!(", "dbg!(", "todo!("];
    const CORE: [&str; 5] = [
        "Instant::now",
        "SystemTime::now",
        "std::fs",
        "std::env",
        "std::process",
    ];
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut sources = Vec::new();
    files(&src, "rs", &mut sources);
    for source in sources {
        let name = source.file_name().unwrap();
        if name == "tests.rs" || name == "main.rs" {
            continue;
        }
        let text = std::fs::read_to_string(&source).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap();
        let lines = code.lines().filter(|l| !l.trim_start().starts_with("//"));
        let core = !source.starts_with(src.join("cli"));
        for line in lines {
            let banned = EVERYWHERE.iter().chain(CORE.iter().filter(|_| core));
            for word in banned {
                assert!(!line.contains(word), "{}: {line}", source.display());
            }
        }
    }
}
