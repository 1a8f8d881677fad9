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
    for game in games {
        let stem = game.file_stem().unwrap().to_string_lossy().to_lowercase();
        let names = [
            stem.replace('-', ""),
            stem.replace('-', " "),
            stem.replace('-', "_"),
            stem,
        ];
        for source in &sources {
            let text = std::fs::read_to_string(source).unwrap().to_lowercase();
            for name in &names {
                assert!(!text.contains(name), "{} names {name}", source.display());
            }
        }
    }
}
