//! What a game says, as a hash.

use super::format::words;
use crate::text::sources::Sources;
use sha2::{Digest, Sha256};

/// SHA-256 over the words and signs of a game and of those that it extends, in the order of the files. Comments, blanks,
/// line breaks, the paths of the files and the words in which a `reveal` is told do not count: no result depends on them,
/// but that a value in the words may be an error of play. Anything else that changes gives another hash.
pub fn fingerprint(sources: &Sources) -> String {
    let mut hash = Sha256::new();
    for file in &sources.files {
        let mut path = false;
        for word in but_for_told(&words(&file.text)) {
            if !path {
                hash.update(word.as_bytes());
                hash.update(b"\n");
            }
            path = word == "extends";
        }
        hash.update(b"\n");
    }
    let digits = hash
        .finalize()
        .iter()
        .map(|b| format!("{b:02x}"))
        .collect::<String>();
    format!("sha256:{digits}")
}

/// The words without the `as …` of reveals.
fn but_for_told<'t>(words: &[&'t str]) -> Vec<&'t str> {
    let mut kept = Vec::new();
    // How many brackets of a `reveal` are open.
    let mut open = 0_usize;
    let mut at = 0;
    while let Some(&word) = words.get(at) {
        kept.push(word);
        at += 1;
        match word {
            "(" if open > 0 || words.get(at.wrapping_sub(2)) == Some(&"reveal") => open += 1,
            ")" if open > 0 => {
                open -= 1;
                if open == 0 {
                    at += told(&words[at..]).unwrap_or(0);
                }
            }
            _ => {}
        }
    }
    kept
}

/// How many words after a `reveal` say in which words it is told.
fn told(words: &[&str]) -> Option<usize> {
    let is_text = |at: usize| words.get(at).is_some_and(|word| word.starts_with('"'));
    let is = |at: usize, word: &str| words.get(at) == Some(&word);
    if !is(0, "as") {
        return None;
    }
    let mut at = 1;
    while is(at, "if") {
        let then = |k: &usize| is(*k, "then") && is_text(k + 1) && is(k + 2, "else");
        at = (at..words.len()).find(then)? + 3;
    }
    if !is_text(at) {
        return None;
    }
    // `as "…" else "…"`.
    let both = at == 1 && is(2, "else") && is_text(3);
    Some(if both { 4 } else { at + 1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(texts: &[&str]) -> String {
        let mut sources = Sources::new("a.game", texts[0]);
        for text in &texts[1..] {
            sources.add("b.game".to_string(), text.to_string());
        }
        fingerprint(&sources)
    }

    #[test]
    fn only_what_is_said_counts() {
        let game = of(&["game A { param n : 1..2 = 1 }"]);
        assert_eq!(
            game,
            of(&["// One.\ngame A {\n  param n: 1 .. 2 = 1  // two\n}\n"])
        );
        assert_ne!(game, of(&["game A { param n : 1..2 = 2 }"]));
        assert_ne!(game, of(&["game A { param n : 1..21 }"]));
        assert_eq!(game.len(), "sha256:".len() + 64);
    }

    #[test]
    fn the_words_of_a_reveal_do_not_count() {
        let play = |event: &str| of(&[&format!("game A {{ play {{ if {event} {{ end }} }} }}")]);
        let plain = play("not reveal((x) > 2 to me)");
        for said in [
            r#""big""#,
            r#""big" else """#,
            r#"if x > 2 then "{x}" else "small""#,
            r#"if (if x then y else z) then "{x}" else if y then "a" else "small""#,
        ] {
            assert_eq!(
                plain,
                play(&format!("not reveal((x) > 2 to me) as {said}")),
                "{said}"
            );
        }
        assert_ne!(plain, play("not reveal((x) > 3 to me)"));
        assert_ne!(play("x"), play(r#"x as "a""#));
        assert_ne!(play(r#"x as "b""#), play(r#"x as "a""#));
        assert_ne!(plain, play(r#"not reveal((x) > 2 to me) as "a" and y"#));
    }

    #[test]
    fn the_extended_game_counts_and_its_path_does_not() {
        let base = "game B { param n : 1..2 = 1 }";
        let variant = of(&["game A extends \"b.game\" { }", base]);
        assert_eq!(variant, of(&["game A extends \"x/b.game\" { }", base]));
        assert_ne!(
            variant,
            of(&[
                "game A extends \"b.game\" { }",
                "game B { param n : 1..2 = 2 }"
            ])
        );
        assert_ne!(of(&["a b", "c"]), of(&["a", "b c"]));
    }
}
