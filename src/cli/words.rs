//! What the words and the functions of the language mean: functions by their rows in the reference, words by the section of
//! `docs/language.md` that tells of them.

use crate::model::functions::board::BOARD_FUNCTIONS;
use crate::model::functions::{Doc, FUNCTIONS};
use crate::text::nearest::nearest;

const PAGE: &str = include_str!("../../docs/language.md");

/// The headings of sections, and the words that each tells of.
const SECTIONS: &[(&str, &str)] = &[
    ("## 1. A first game", "game"),
    ("### Params", "param require"),
    ("### Players and teams", "players team Player"),
    ("### Types", "type enum bool number set of as"),
    ("### Constants", "const"),
    ("### State", "state"),
    ("## 3. Boards", "graph grid hex nodes edges directed"),
    ("### Operators", "and or not div mod before true false"),
    ("### Sets", "all in union for"),
    ("### Asking and adding up", "some every no count"),
    ("### Optional values", "none"),
    ("### If, match, let", "then else match let"),
    ("### Defs", "def"),
    ("### What would be: after", "after"),
    ("### Choices", "chooses where into subsets"),
    ("### One move", "one move"),
    ("### Chance", "draw deal weighted to"),
    ("### Together", "together"),
    (
        "### Branches and loops",
        "if each repeat times while turns from among at most break continue end",
    ),
    ("### Rules", "rule"),
    ("## 6. Who sees what", "seen by"),
    ("### Events", "reveal secretly"),
    ("### Shown values", "shown"),
    ("### What the compiler proves", "revealing"),
    ("## 7. Payoff", "payoff zero-sum constant-sum general-sum"),
    (
        "## 8. Notes and knowledge",
        "note knowledge playout maximise minimise weights first evaluate filter category abstraction information actions layout",
    ),
    ("## 9. Variants", "extends"),
    ("## 5. Play", "play"),
];

/// What a word means, as Markdown; `None` if it is none of the language.
pub(super) fn meaning(word: &str) -> Option<String> {
    let rows: Vec<&Doc> = functions()
        .filter(|(name, _)| *name == word)
        .flat_map(|(_, docs)| docs)
        .collect();
    if !rows.is_empty() {
        let shown = rows.iter().map(|row| match row.result {
            "" => format!("{}: {}\n", row.form, row.what),
            result => format!(
                "{}, a value of the kind “{result}”: {}\n",
                row.form, row.what
            ),
        });
        return Some(format!("# {word}\n\n{}", shown.collect::<String>()));
    }
    let (heading, _) = SECTIONS
        .iter()
        .find(|(_, words)| words.split(' ').any(|w| w == word))?;
    section(heading).map(str::to_string)
}

/// The word or function that is nearest to a misspelt one.
pub(super) fn near(word: &str) -> Option<&'static str> {
    let words = SECTIONS.iter().flat_map(|(_, words)| words.split(' '));
    nearest(word, functions().map(|(name, _)| name).chain(words))
}

fn functions() -> impl Iterator<Item = (&'static str, &'static [Doc])> {
    let of_boards = BOARD_FUNCTIONS.iter().map(|f| (f.name(), f.docs()));
    FUNCTIONS
        .iter()
        .map(|f| (f.name(), f.docs()))
        .chain(of_boards)
}

/// A section of the reference, up to the next heading.
fn section(heading: &str) -> Option<&'static str> {
    let start = PAGE.find(&format!("\n{heading}\n"))? + 1;
    let rest = &PAGE[start..];
    let end = rest[heading.len()..]
        .find("\n##")
        .map_or(rest.len(), |end| heading.len() + end);
    Some(rest[..end].trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_of_the_grammar_has_a_meaning() {
        let grammar = include_str!("../../grammar/game.pest");
        let words = grammar.lines().filter(|line| line.starts_with("kw_"));
        for word in words.flat_map(|line| line.split('"').skip(1).step_by(2)) {
            assert!(meaning(word).is_some(), "{word}");
        }
        for (heading, _) in SECTIONS {
            assert!(
                section(heading).is_some_and(|text| text.lines().count() > 2),
                "{heading}"
            );
        }
    }

    #[test]
    fn functions_are_told_by_their_rows() {
        assert!(meaning("top").is_some_and(|text| text.contains("the `k` greatest elements")));
        assert!(meaning("next").is_some_and(|text| text.contains("Board.next(c)")));
        assert_eq!((meaning("tpo"), near("tpo")), (None, Some("top")));
        assert_eq!(near("togehter"), Some("together"));
    }
}
