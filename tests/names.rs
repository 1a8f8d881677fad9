//! No game has Rust code: nothing below `src/` names a shipped game.

use std::path::Path;

#[test]
fn no_source_file_names_a_game() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut words = Vec::new();
    for entry in std::fs::read_dir(root.join("games")).expect("games/") {
        let name = entry.expect("an entry").file_name();
        let name = name.to_string_lossy().replace(".game", "").replace('-', "");
        words.push(name.to_lowercase());
    }
    assert!(words.len() >= 6);
    let mut found = Vec::new();
    look(&root.join("src"), &words, &mut found);
    assert!(found.is_empty(), "{found:#?}");
}

fn look(folder: &Path, words: &[String], found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            look(&path, words, found);
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("text");
        for (i, line) in text.lines().enumerate() {
            // Examples in doc comments and help texts may show a file that exists.
            if line.contains("games/") {
                continue;
            }
            let plain: String = line
                .chars()
                .filter(|c| c.is_alphanumeric())
                .collect::<String>()
                .to_lowercase();
            if words.iter().any(|w| plain.contains(w.as_str())) {
                found.push(format!("{}:{}: {line}", path.display(), i + 1));
            }
        }
    }
}
