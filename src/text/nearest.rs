//! The nearest known name to a misspelt one.

/// The name with the fewest edits (insert, delete, replace, swap two neighbours) from `word`, other than the word itself,
/// when they are few for its length and leave something of both; the first of equals.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let length = word.chars().count().min(64);
    let allowed = (length / 3).max(1);
    names
        .into_iter()
        .filter(|name| *name != word)
        .map(|name| (edits(word, name), name))
        .filter(|&(n, name)| n <= allowed && n < length && n < name.chars().count())
        .min_by_key(|&(n, _)| n)
        .map(|(_, name)| name)
}

/// The place of the name that is the word, or of the only one that is it but for upper and lower case.
pub fn position(word: &str, names: &[&str]) -> Option<usize> {
    let exact = names.iter().position(|name| *name == word);
    exact.or_else(|| {
        let folded = word.to_lowercase();
        let same = |name: &&str| name.to_lowercase() == folded;
        let first = names.iter().position(same)?;
        (!names[first + 1..].iter().any(same)).then_some(first)
    })
}

/// The optimal string alignment distance of the first 64 signs, in lower case.
fn edits(a: &str, b: &str) -> usize {
    let fold = |s: &str| -> String { s.chars().take(64).flat_map(char::to_lowercase).collect() };
    strsim::osa_distance(&fold(a), &fold(b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_edits() {
        assert_eq!(edits("uct", "uct"), 0);
        assert_eq!(edits("utc", "uct"), 1);
        assert_eq!(edits("Random", "random"), 0);
        assert_eq!(edits("", "abc"), 3);
        assert_eq!(edits("kitten", "sitting"), 3);
    }

    #[test]
    fn case_matters_only_where_it_tells_names_apart() {
        assert_eq!(position("ann", &["Ben", "Ann"]), Some(1));
        assert_eq!(position("ann", &["Ann", "ann"]), Some(1));
        assert_eq!(position("ANN", &["Ann", "ann"]), None);
        assert_eq!(position("Anne", &["Ann"]), None);
    }

    #[test]
    fn suggests_only_what_is_near() {
        let names = ["random", "uct", "playouts"];
        assert_eq!(nearest("radnom", names), Some("random"));
        assert_eq!(nearest("playout", names), Some("playouts"));
        assert_eq!(nearest("przie", ["points", "prize"]), Some("prize"));
        assert_eq!(nearest("minimax", names), None);
        assert_eq!(nearest("Y", ["X", "O"]), None);
        assert_eq!(nearest("x", ["X", "O"]), Some("X"));
        assert_eq!(nearest("", ["X"]), None);
    }
}
