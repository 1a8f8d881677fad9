//! What a game says, as a hash.

use super::format::words;
use crate::text::sources::Sources;
use sha2::{Digest, Sha256};

/// SHA-256 over the words and signs of a game and of those that it extends, in the order of the files. Comments, blanks,
/// line breaks and the paths of the files do not count; anything else that changes gives another hash.
pub fn fingerprint(sources: &Sources) -> String {
    let mut hash = Sha256::new();
    for file in &sources.files {
        let mut path = false;
        for word in words(&file.text) {
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
