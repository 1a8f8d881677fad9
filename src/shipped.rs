//! The games that the program carries along, by name. The table of them stands beside their folder; nothing here knows any.

use crate::text::nearest::nearest;

#[path = "../games/table.rs"]
mod table;

/// A game that the crate carries along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shipped {
    /// The file name without the ending.
    pub name: &'static str,
    /// The text of the game, for [`load`](crate::load).
    pub text: &'static str,
}

/// What stands before the file name of a shipped game where a text needs a name.
const MARK: &str = "ruse:";

/// All of them, in alphabetical order.
pub fn all() -> impl Iterator<Item = Shipped> {
    table::GAMES
        .iter()
        .map(|&(name, text)| Shipped { name, text })
}

/// The shipped game of a name.
pub fn find(name: &str) -> Option<Shipped> {
    all().find(|g| g.name == name)
}

/// The most names that are suggested.
const SUGGESTED: usize = 4;

/// The shipped names that somebody may mean by another one: it is misspelt, unfinished, a part of them, or has its words put
/// together otherwise. The likeliest first.
pub fn suggest(name: &str) -> Vec<&'static str> {
    let plain = |text: &str| {
        let letters = text.chars().filter(|c| c.is_alphanumeric());
        letters.collect::<String>().to_lowercase()
    };
    let names = || all().map(|g| g.name);
    let wanted = plain(name);
    let same = names().filter(|n| plain(n) == wanted);
    let near = nearest(name, names());
    let begun = names().filter(|n| plain(n).starts_with(&wanted));
    let within = names().filter(|n| plain(n).contains(&wanted));
    let mut found = Vec::new();
    if wanted.len() > 1 {
        for name in same.chain(near).chain(begun).chain(within) {
            if found.len() < SUGGESTED && !found.contains(&name) {
                found.push(name);
            }
        }
    }
    found
}

/// Whether somebody means a shipped game by this, and no file: it has neither an ending nor a folder.
pub fn is_bare(word: &str) -> bool {
    !word.is_empty() && !word.contains(['.', '/', '\\'])
}

impl Shipped {
    /// The name of its text in reports.
    #[doc(hidden)]
    pub fn source_name(&self) -> String {
        format!("{MARK}{}.game", self.name)
    }

    /// The first sentence of the comment that it begins with, without what stands in parentheses.
    pub fn summary(&self) -> String {
        let lines = self.text.lines().map_while(|l| l.strip_prefix("//"));
        let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
        let mut depth = 0usize;
        let mut text = String::new();
        for (i, word) in words.iter().enumerate() {
            let outside = depth == 0 && !word.starts_with('(');
            depth += word.matches('(').count();
            depth = depth.saturating_sub(word.matches(')').count());
            if outside {
                if !text.is_empty() {
                    text.push(' ');
                }
                text.push_str(word);
            } else if let Some((_, after)) = word.rsplit_once(')') {
                text.push_str(after);
            }
            let next = words.get(i + 1).and_then(|w| w.chars().next());
            if depth == 0 && word.ends_with('.') && next.is_none_or(char::is_uppercase) {
                break;
            }
        }
        text.trim_end_matches('.').to_string()
    }
}

/// The loader of files that a shipped game extends: they are among the shipped ones too. `None` when `from` is no shipped
/// game.
pub fn beside(from: &str, path: &str) -> Option<Result<(String, String), String>> {
    from.strip_prefix(MARK)?;
    let name = path.strip_suffix(".game").unwrap_or(path);
    let found = find(name).map(|g| (g.source_name(), g.text.to_string()));
    Some(found.ok_or_else(|| format!("there is no shipped game `{name}`")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::Settings;

    #[test]
    fn the_table_holds_the_folder() {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("games");
        let mut there: Vec<(String, String)> = std::fs::read_dir(folder)
            .unwrap()
            .filter_map(|entry| {
                let path = entry.unwrap().path();
                let game = path.extension().is_some_and(|e| e == "game");
                let name = path.file_stem()?.to_string_lossy().into_owned();
                game.then(|| (name, std::fs::read_to_string(&path).unwrap()))
            })
            .collect();
        there.sort();
        let carried: Vec<(String, String)> = all()
            .map(|g| (g.name.to_string(), g.text.to_string()))
            .collect();
        let names = |list: &[(String, String)]| -> Vec<String> {
            list.iter().map(|(name, _)| name.clone()).collect()
        };
        assert_eq!(names(&carried), names(&there));
        assert!(carried == there, "a text differs");
    }

    #[test]
    fn every_game_says_in_a_line_what_it_is() {
        for game in all() {
            let summary = game.summary();
            let length = summary.chars().count();
            assert!((10..=200).contains(&length), "{}", game.name);
            assert!(!summary.contains(['(', ')']), "{summary}");
        }
    }

    #[test]
    fn a_variant_finds_the_game_that_it_extends() {
        let game = all().find(|g| g.text.contains("param ")).unwrap();
        let variant = format!("game Variant extends \"{}.game\" {{ }}", game.name);
        let loader = |from: &str, path: &str| beside(from, path).unwrap();
        let settings = Settings::new();
        let (result, sources) = crate::load_with("ruse:variant.game", &variant, &settings, &loader);
        assert!(result.is_ok());
        assert_eq!(sources.files[1].name, game.source_name());
        assert!(beside("variant.game", "other.game").is_none());
        assert!(
            beside("ruse:variant.game", "no-such.game")
                .unwrap()
                .is_err()
        );
    }

    #[test]
    fn a_name_is_bare() {
        assert!(is_bare("duel"));
        for path in ["", "duel.game", "./duel", "a/duel", "a\\duel"] {
            assert!(!is_bare(path), "{path}");
        }
    }
}
