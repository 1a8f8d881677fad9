//! What the words and the functions of the language mean: functions by their rows in the reference, words by the section of
//! `docs/language.md` that tells of them.

use crate::model::functions::board::BOARD_FUNCTIONS;
use crate::model::functions::{Doc, FUNCTIONS};
use crate::text::nearest::nearest;

const PAGE: &str = include_str!("../../docs/language.md");

/// The headings of sections, and the words that each tells of. Of a word with several uses several do.
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
    ("### If, match, let", "if then else match let"),
    ("### Defs", "def"),
    ("### What would be: after", "after"),
    ("### Texts", "as"),
    ("### Choices", "chooses where into subsets else each as"),
    ("### One move", "one move maximise"),
    ("### Chance", "draw deal weighted from to"),
    ("### Together", "together"),
    (
        "### Branches and loops",
        "if else match each repeat times while turns from among at most break continue end",
    ),
    ("### Rules", "rule"),
    ("## 6. Who sees what", "seen by"),
    ("### Events", "reveal to secretly seen by"),
    ("### Viewers that change in play", "to seen by"),
    ("### Shown values", "shown def to"),
    ("### What the compiler proves", "revealing"),
    ("## 7. Payoff", "payoff zero-sum constant-sum general-sum"),
    (
        "## 8. Notes and knowledge",
        "note knowledge playout maximise minimise weights first evaluate filter amend category abstraction information actions layout",
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
    // Words that stand together, as `seen by`, are looked for together.
    let words: Vec<&str> = word.split_whitespace().collect();
    let wanted = format!(" {} ", words.join(" "));
    let mut sections = SECTIONS
        .iter()
        .filter(|(_, all)| !words.is_empty() && format!(" {all} ").contains(&wanted));
    let (first, _) = sections.next()?;
    let mut text = section(first)?;
    for (heading, _) in sections {
        text += "\n\n";
        text += &section(heading)?;
    }
    Some(text)
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

/// A section of the reference, up to the next heading, without the frame of its examples.
fn section(heading: &str) -> Option<String> {
    let start = PAGE.find(&format!("\n{heading}\n"))? + 1;
    let rest = &PAGE[start..];
    let end = rest[heading.len()..]
        .find("\n##")
        .map_or(rest.len(), |end| heading.len() + end);
    let mut text = rest[..end].trim_end().to_string();
    if let Some(start) = text.find("```frame\n")
        && let Some(length) = text[start..].find("\n```\n\n")
    {
        text.replace_range(start..start + length + "\n```\n\n".len(), "");
    }
    Some(text)
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
    fn words_with_several_uses_are_told_by_several_sections() {
        let tells = |word, of| meaning(word).is_some_and(|text| text.contains(of));
        assert!(tells("from", "### Chance") && tells("from", "### Branches and loops"));
        assert!(
            tells("maximise", "### One move") && tells("maximise", "## 8. Notes and knowledge")
        );
        assert!(tells("by", "says who sees it, after `seen by`") && !tells("by", "// items"));
    }

    #[test]
    fn words_that_stand_together_are_looked_for_together() {
        let tells = |words, of| meaning(words).is_some_and(|text| text.contains(of));
        assert!(tells("seen by", "## 6. Who sees what") && tells("at  most", "### Branches"));
        assert!(tells("shown def", "### Shown values") && !tells("shown def", "### Defs"));
        assert_eq!(
            (meaning("by seen"), meaning(" "), meaning("")),
            (None, None, None)
        );
    }

    #[test]
    fn functions_are_told_by_their_rows() {
        assert!(meaning("top").is_some_and(|text| text.contains("the `k` greatest elements")));
        assert!(meaning("next").is_some_and(|text| text.contains("Board.next(c)")));
        assert_eq!((meaning("tpo"), near("tpo")), (None, Some("top")));
        assert_eq!(near("togehter"), Some("together"));
    }
}
