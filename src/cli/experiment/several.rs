//! Games of which there are several: `game: maps/*.game` stands for all files that fit, each a variant of its own.

use super::describe::wrong;
use crate::arena::experiment::codes;
use crate::arena::experiment::reader::VariantOutline;
use crate::cli::output::Failure;
use crate::cli::problem::Source;
use std::path::Path;
use std::rc::Rc;

/// Stands for any letters in the name of a file.
const ANY: char = '*';

/// The variants, each of those with `*` as often as there are files beside the experiment that fit it. Numbers in names are
/// ordered by what they are worth.
pub fn each(
    source: &Rc<Source>,
    beside: &Path,
    variants: &[VariantOutline],
) -> Result<Vec<VariantOutline>, Failure> {
    let mut all = Vec::new();
    for variant in variants {
        if !variant.game.contains(ANY) {
            all.push(variant.clone());
            continue;
        }
        let (folder, pattern) = match variant.game.rsplit_once('/') {
            Some((folder, pattern)) => (format!("{folder}/"), pattern),
            None => (String::new(), variant.game.as_str()),
        };
        let mut names = files(&beside.join(&folder), pattern);
        if names.is_empty() || folder.contains(ANY) {
            let message = format!("there is no file `{}`", variant.game);
            let hint = "`*` stands for any letters in the name of a file, which is looked for from the folder of the experiment";
            let problem = variant
                .place
                .report(&source.text, codes::BAD_VALUE, message, hint);
            return Err(wrong(source, *problem));
        }
        names.sort_by_cached_key(|name| pieces(name));
        for file in names {
            let member = file
                .rsplit_once('.')
                .map_or(file.as_str(), |(stem, _)| stem);
            let mut one = variant.clone();
            one.name = Some(match &variant.name {
                Some(name) => format!("{name}, {member}"),
                None => member.to_string(),
            });
            one.family.member = Some(member.to_string());
            one.game = format!("{folder}{file}");
            all.push(one);
        }
    }
    Ok(all)
}

/// The names of the files in a folder that fit a pattern.
fn files(folder: &Path, pattern: &str) -> Vec<String> {
    let folder = match folder.as_os_str().is_empty() {
        true => Path::new("."),
        false => folder,
    };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let files = entries.filter(|entry| entry.path().is_file());
    let names = files.filter_map(|file| file.file_name().into_string().ok());
    names.filter(|name| fits(name, pattern)).collect()
}

/// Whether a name is the pattern with something for each `*`.
fn fits(name: &str, pattern: &str) -> bool {
    let mut pieces = pattern.split(ANY);
    let first = pieces.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else {
        return false;
    };
    let mut pieces: Vec<&str> = pieces.collect();
    let Some(last) = pieces.pop() else {
        return rest.is_empty();
    };
    for piece in pieces {
        match rest.find(piece) {
            Some(at) => rest = &rest[at + piece.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

/// A name as letters and numbers, for its order.
fn pieces(name: &str) -> Vec<(String, u64)> {
    let mut pieces = vec![(String::new(), 0u64)];
    let mut in_number = false;
    for letter in name.chars() {
        let Some((letters, number)) = pieces.last_mut() else {
            break;
        };
        match letter.to_digit(10) {
            Some(digit) => {
                *number = number.saturating_mul(10).saturating_add(u64::from(digit));
                in_number = true;
            }
            None if in_number => {
                pieces.push((letter.to_string(), 0));
                in_number = false;
            }
            None => letters.push(letter),
        }
    }
    pieces
}

#[cfg(test)]
mod tests {
    use super::{fits, pieces};

    #[test]
    fn a_star_stands_for_any_letters() {
        for (name, pattern, fit) in [
            ("17-5.game", "*.game", true),
            ("17-5.game", "*-5.game", true),
            ("17-6.game", "*-5.game", false),
            ("17-5.game", "1*-*.game", true),
            ("a.game", "a.game", true),
            ("a.game.old", "a.game", false),
            ("aba", "ab*ba", false),
            ("abba", "ab*ba", true),
        ] {
            assert_eq!(fits(name, pattern), fit, "{name} {pattern}");
        }
    }

    #[test]
    fn numbers_in_names_are_ordered_by_what_they_are_worth() {
        let mut names = ["17", "2", "b1", "20", "3", "b10", "b2"];
        names.sort_by_cached_key(|name| pieces(name));
        assert_eq!(names, ["2", "3", "17", "20", "b1", "b2", "b10"]);
    }
}
