//! What a typed line means.

use crate::machine::{FindError, find_text, plain_sign};
use crate::text::nearest::nearest;
use std::collections::BTreeSet;

/// A line that was read.
#[derive(Clone, Debug, PartialEq)]
pub enum Input {
    Nothing,
    /// The place of an option.
    Move(usize),
    Command(Command),
    /// It means nothing; why, and what is near.
    Wrong(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    Help,
    Board,
    Options,
    History,
    Undo,
    /// With the player to ask, as a spec.
    Hint(Option<String>),
    /// With the file.
    Save(Option<String>),
    Reveal,
    Quit,
}

/// The words of commands, as help lists them.
const COMMANDS: [(&str, bool); 10] = [
    ("help", false),
    ("?", false),
    ("board", false),
    ("options", false),
    ("history", false),
    ("undo", false),
    ("hint", true),
    ("save", true),
    ("reveal", false),
    ("quit", false),
];

/// What a line may begin with: the options, then the words of commands.
pub fn words(options: &[String]) -> Vec<String> {
    let commands = COMMANDS.iter().map(|(word, _)| (*word).to_string());
    options.iter().cloned().chain(commands).collect()
}

/// The most options that a message names.
const SHOWN: usize = 8;

/// Reads a line by a person who has these options. A move goes before a command of the same name, which then is written
/// with a colon, `:undo`; abbreviations of moves come last.
pub fn read(line: &str, options: &[String]) -> Input {
    let line = line.trim();
    if line.is_empty() {
        return Input::Nothing;
    }
    if let Some(rest) = line.strip_prefix(':') {
        let known = || COMMANDS.iter().map(|(word, _)| *word);
        return command(rest.trim()).unwrap_or_else(|| {
            let near = match nearest(rest.trim(), known()) {
                Some(near) => format!("; did you mean `:{near}`?"),
                None => ": `?` lists them".to_string(),
            };
            Input::Wrong(format!("there is no command `{}`{near}", clipped(rest)))
        });
    }
    let same = |o: &&String| o.to_lowercase() == line.to_lowercase();
    if options.iter().filter(same).count() == 1
        && let Some(i) = options.iter().position(|o| same(&o))
    {
        return Input::Move(i);
    }
    if let Some(input) = command(line) {
        return input;
    }
    if let Some(digits) = line.strip_prefix('#') {
        return number(digits, options);
    }
    if are_numbered(options) && line.bytes().all(|b| b.is_ascii_digit()) {
        return number(line, options);
    }
    match find_text(options, line) {
        Ok(i) => Input::Move(i),
        Err(error) => Input::Wrong(wrong(line, options, &error)),
    }
}

/// Whether a bare number can stand for an option: not where the words of options begin with digits themselves, as those of
/// `5 chips` and `2♠` do, so that a number may be the beginning of one.
pub fn are_numbered(options: &[String]) -> bool {
    let digits = |w: &str| w.starts_with(|c: char| c.is_ascii_digit());
    let plain = |o: &String| !o.split(|c: char| !c.is_alphanumeric()).any(digits);
    options.iter().all(plain)
}

fn number(digits: &str, options: &[String]) -> Input {
    let n: Option<usize> = digits.trim().parse().ok();
    match n.filter(|n| (1..=options.len()).contains(n)) {
        Some(n) => Input::Move(n - 1),
        None => Input::Wrong(match options.len() {
            0 => "there is nothing to choose".to_string(),
            1 => "there is one option, number 1".to_string(),
            n => format!("there is no option {}: they are 1 to {n}", clipped(digits)),
        }),
    }
}

fn command(line: &str) -> Option<Input> {
    let (word, rest) = match line.split_once(char::is_whitespace) {
        Some((word, rest)) => (word, rest.trim()),
        None => (line, ""),
    };
    let word = word.to_lowercase();
    let &(word, takes) = COMMANDS.iter().find(|(name, _)| *name == word)?;
    if !rest.is_empty() && !takes {
        return None;
    }
    let rest = (!rest.is_empty()).then(|| rest.to_string());
    Some(Input::Command(match word {
        "board" => Command::Board,
        "options" => Command::Options,
        "history" => Command::History,
        "undo" => Command::Undo,
        "hint" => Command::Hint(rest),
        "save" => Command::Save(rest),
        "reveal" => Command::Reveal,
        "quit" => Command::Quit,
        _ => Command::Help,
    }))
}

/// What people type who want to leave.
const LEAVING: [&str; 6] = ["abort", "bye", "exit", "leave", "resign", "stop"];

/// The command that a line may mean: one that takes nothing more, one of which it is the beginning, or the end.
fn meant(line: &str) -> Option<&'static str> {
    let first = line.split_whitespace().next()?.to_lowercase();
    let mut words = COMMANDS.iter().map(|(word, _)| *word);
    match LEAVING.contains(&first.as_str()) {
        true => Some("quit"),
        false => words.find(|word| word.starts_with(&first)),
    }
}

fn wrong(line: &str, options: &[String], error: &FindError) -> String {
    let meant = meant(line);
    let line = clipped(line);
    if matches!(error, FindError::Ambiguous { .. }) {
        return format!("`{line}`: {error}");
    }
    let words = COMMANDS.iter().map(|(word, _)| *word);
    let near = || nearest(&line, options.iter().map(String::as_str).chain(words));
    let what = match options {
        [] => format!("there is no command `{line}`"),
        _ => format!("`{line}` is no option"),
    };
    if let Some(meant) = meant {
        return format!("{what}; did you mean `{meant}`? `?` lists all commands");
    }
    let letters = letters(options).map_or_else(String::new, |letters| format!("; {letters}"));
    match near() {
        Some(near) => format!("{what}; did you mean `{near}`?{letters}"),
        None if options.is_empty() => format!("{what}; `?` lists them"),
        None => format!("{what}: {}; `?` helps{letters}", some(options)),
    }
}

/// How signs of the options are typed that no keyboard has; `None` where they have none.
pub fn letters(options: &[String]) -> Option<String> {
    let signs = options.iter().flat_map(|option| option.chars());
    let signs: BTreeSet<char> = signs.filter(|c| plain_sign(*c) != *c).collect();
    let typed: Vec<String> = signs
        .iter()
        .map(|c| format!("`{}` for {c}", plain_sign(*c)))
        .collect();
    (!typed.is_empty()).then(|| format!("type {}", typed.join(", ")))
}

/// A few of the options.
fn some(options: &[String]) -> String {
    let more = match options.len().saturating_sub(SHOWN) {
        0 => String::new(),
        n => format!(" | and {n} more (`options` lists all)"),
    };
    let shown: Vec<&str> = options.iter().take(SHOWN).map(String::as_str).collect();
    format!("{}{more}", shown.join(" | "))
}

/// A part of what was typed that goes into a message: one line, not too long.
fn clipped(text: &str) -> String {
    const MOST: usize = 60;
    let clean = |c: char| if c.is_control() { '·' } else { c };
    let mut short: String = text.trim().chars().map(clean).take(MOST).collect();
    if text.trim().chars().count() > MOST {
        short.push('…');
    }
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options(texts: &[&str]) -> Vec<String> {
        texts.iter().map(ToString::to_string).collect()
    }

    fn said(line: &str, options: &[String]) -> String {
        match read(line, options) {
            Input::Wrong(message) => message,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_move_is_typed_in_full_by_its_beginning_or_by_its_number() {
        let words = options(&["fold", "call", "raise to ten"]);
        for (line, place) in [
            ("fold", 0),
            (" CALL ", 1),
            ("c", 1),
            ("r t", 2),
            ("2", 1),
            ("#3", 2),
        ] {
            assert_eq!(read(line, &words), Input::Move(place), "{line}");
        }
        assert_eq!(read("", &words), Input::Nothing);
    }

    #[test]
    fn numbers_that_are_options_are_not_their_places() {
        let columns = options(&["1", "2", "4"]);
        assert_eq!(read("4", &columns), Input::Move(2));
        assert_eq!(read("#2", &columns), Input::Move(1));
        assert!(said("3", &columns).starts_with("`3` is no option"));
        assert!(said("#4", &columns).contains("1 to 3"));
    }

    #[test]
    fn digits_are_no_places_where_options_begin_with_them() {
        let cards = options(&["2c", "5c", "10h"]);
        assert!(said("2", &cards).starts_with("`2` is no option"));
        assert!(said("3", &cards).starts_with("`3` is no option"));
        assert_eq!(read("#2", &cards), Input::Move(1));
        assert_eq!(read("5C", &cards), Input::Move(1));
    }

    #[test]
    fn signs_that_no_keyboard_has_are_letters() {
        let cards = options(&["2 x A: {6♠, 8♦}", "2 x A: {6♠, 8♥}", "1 x A: {6♠}", "pass"]);
        for (line, place) in [
            ("2A 6s 8d", 0),
            ("2 a: 6♠ 8h", 1),
            ("1A 6S", 2),
            ("2 x a 8d", 0),
        ] {
            assert_eq!(read(line, &cards), Input::Move(place), "{line}");
        }
        assert!(said("2A", &cards).contains("several"));
        let wrong = said("2A 6c", &cards);
        assert!(wrong.contains("no option"), "{wrong}");
        assert!(
            wrong.ends_with("type `s` for ♠, `h` for ♥, `d` for ♦"),
            "{wrong}"
        );
    }

    #[test]
    fn a_number_and_another_are_typed_as_one_beside_other_words() {
        let cards = options(&[
            "2 x 5: {6♠, 8♦}",
            "2 x 5: {6♠, 8♥}",
            "1 x 10: {6♠}",
            "1 x 10: {5♠}",
            "11 x 0: {6♠}",
            "pass",
        ]);
        for (line, place) in [("25 6s 8d", 0), ("2 5 6s 8h", 1), ("110 5s", 3)] {
            assert_eq!(read(line, &cards), Input::Move(place), "{line}");
        }
        assert!(said("110 6s", &cards).contains("several"));
        // Alone it is a number.
        assert!(said("25", &cards).contains("no option"));
        let heaps = options(&["take 1 from heap 2", "take 2 from heap 2"]);
        assert!(said("12", &heaps).contains("no option"));
    }

    #[test]
    fn a_set_that_is_typed_whole_is_meant() {
        let cards = options(&[
            "2 x 10: {A♠, 2♣}",
            "3 x 10: {A♠, 2♣, 5♥}",
            "3 x 10: {A♠, 5♥, 9♣}",
            "3 x Q: {A♠, 2♣, 5♥}",
            "1 x Q: {Q♣}",
        ]);
        for (line, place) in [
            ("10 as 2c", 0),
            ("10 as 2c 5h", 1),
            ("10 a 9c", 2),
            ("q qc", 4),
        ] {
            assert_eq!(read(line, &cards), Input::Move(place), "{line}");
        }
        let several = said("as 2c 5h", &cards);
        assert!(several.contains("3 x 10: {A♠, 2♣, 5♥} | 3 x Q: {A♠, 2♣, 5♥}"));
        // The word for a claim is no card.
        assert!(said("q", &cards).contains("several"));
        let teams = options(&["{Ann}", "{Ann, Ben}", "{}", "none"]);
        assert_eq!(read("ann", &teams), Input::Move(0));
        assert_eq!(read("ann ben", &teams), Input::Move(1));
        assert_eq!(read("n", &teams), Input::Move(3));
    }

    #[test]
    fn a_move_goes_before_a_command_of_its_name() {
        let words = options(&["undo", "wait"]);
        assert_eq!(read("undo", &words), Input::Move(0));
        assert_eq!(read(":undo", &words), Input::Command(Command::Undo));
        assert_eq!(read("Quit", &words), Input::Command(Command::Quit));
        // An abbreviation of a move does not hide a command.
        let words = options(&["quitting", "wait"]);
        assert_eq!(read("quit", &words), Input::Command(Command::Quit));
    }

    #[test]
    fn commands_take_what_follows() {
        let hint = Command::Hint(Some("uct(playouts=10)".to_string()));
        assert_eq!(read("hint uct(playouts=10)", &[]), Input::Command(hint));
        assert_eq!(read("hint", &[]), Input::Command(Command::Hint(None)));
        assert_eq!(read("?", &[]), Input::Command(Command::Help));
    }

    #[test]
    fn what_means_nothing_is_told_with_what_is_near() {
        let words = options(&["a1", "b2", "rook"]);
        assert_eq!(
            said("roko", &words),
            "`roko` is no option; did you mean `rook`?"
        );
        assert_eq!(
            said("xyz", &words),
            "`xyz` is no option: a1 | b2 | rook; `?` helps"
        );
        for line in ["q", "exit", "Resign", "quit now"] {
            let quit =
                format!("`{line}` is no option; did you mean `quit`? `?` lists all commands");
            assert_eq!(said(line, &words), quit);
            assert!(said(line, &[]).contains("did you mean `quit`?"));
        }
        assert_eq!(
            said(":und", &words),
            "there is no command `und`; did you mean `:undo`?"
        );
        let two = options(&["north", "north-east"]);
        assert!(said("nor", &two).contains("several"));
        assert!(said("undo it", &words).contains("no option"));
    }
}
