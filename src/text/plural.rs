//! Numbers of things.

use std::fmt::Display;

/// `1 error`, `2 errors`, `2 plies`, `2 searches`: of a noun in the singular.
pub fn plural<N: Display + PartialEq + From<u8>>(n: N, noun: &str) -> String {
    if n == N::from(1) {
        return format!("1 {noun}");
    }
    match noun.strip_suffix('y') {
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{n} {stem}ies"),
        _ if noun.ends_with("ch") => format!("{n} {noun}es"),
        _ => format!("{n} {noun}s"),
    }
}

/// `1 node of the search`, `2 nodes of the search`: of words that begin with a noun in the plural.
pub fn counted(n: u64, nouns: &str) -> String {
    let (noun, rest) = nouns.split_at(nouns.find(' ').unwrap_or(nouns.len()));
    let noun = match n {
        1 => noun.strip_suffix('s').unwrap_or(noun),
        _ => noun,
    };
    format!("{n} {noun}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_no_plural() {
        assert_eq!(plural(1u64, "ply"), "1 ply");
        assert_eq!(plural(0usize, "ply"), "0 plies");
        assert_eq!(plural(2, "search"), "2 searches");
        assert_eq!(plural(-1, "day"), "-1 days");
        assert_eq!(plural(3u64, "world state"), "3 world states");
        assert_eq!(
            counted(1, "rounds until it was found"),
            "1 round until it was found"
        );
        assert_eq!(counted(1, "rounds"), "1 round");
        assert_eq!(counted(2, "nodes of the search"), "2 nodes of the search");
    }
}
