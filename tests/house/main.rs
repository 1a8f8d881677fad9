//! Rules of the house that no compiler checks.

mod dependencies;
mod imports;
mod packaging;
mod source;

use source::{files, root, sources};

/// No game has code of its own: nothing under `src/` names one of the games in `games/`.
#[test]
fn the_source_names_no_game() {
    let games = files(&root().join("games"), "game");
    let sources = files(&root().join("src"), "rs");
    assert!(games.len() >= 6 && sources.len() > 20);
    let grammar = std::fs::read_to_string(root().join("grammar/game.pest")).unwrap();
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
                // Not in the middle of a word, as in `MatchesSummary`.
                let named = text.match_indices(name.as_str()).any(|(at, _)| {
                    let before = text[..at].chars().next_back();
                    !before.is_some_and(char::is_alphabetic)
                });
                assert!(!named, "{} names {name}", source.display());
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
    // Cargo reads what this one prints, while it builds.
    let build = std::path::Path::new("src/cli/build_commit.rs");
    for source in sources("src").iter().filter(|s| s.path != build) {
        let words = EVERYWHERE.iter();
        let program = ["src/cli", "src/main.rs"];
        let core = !program.iter().any(|p| source.path.starts_with(p));
        for word in words.chain(CORE.iter().filter(|_| core)) {
            let found = source.shipped.contains(word);
            assert!(!found, "{}: {word}", source.path.display());
        }
    }
}
