//! Names of an `.efg` file as names and texts of the language.

use std::collections::{BTreeSet, HashMap};

/// Lists of names, each of which is in the order of all names together where there is such an order.
#[derive(Debug)]
pub struct Ranked {
    /// All names, each once.
    pub names: Vec<String>,
    /// For each list the places of its names among all.
    pub lists: Vec<Vec<usize>>,
}

impl Ranked {
    /// Of lists of names, which are made distinct within each.
    pub fn new(lists: impl Iterator<Item = Vec<String>>) -> Ranked {
        let mut known: HashMap<String, usize> = HashMap::new();
        let mut names = Vec::new();
        let mut numbered: Vec<Vec<usize>> = Vec::new();
        for list in lists {
            let list = distinct(&list).into_iter().map(|name| {
                *known.entry(name).or_insert_with_key(|name| {
                    names.push(name.clone());
                    names.len() - 1
                })
            });
            numbered.push(list.collect());
        }
        let order = order(names.len(), &numbered);
        let mut place = vec![0; order.len()];
        for (at, name) in order.iter().enumerate() {
            place[*name] = at;
        }
        for name in numbered.iter_mut().flatten() {
            *name = place[*name];
        }
        Ranked {
            names: order.iter().map(|i| names[*i].clone()).collect(),
            lists: numbered,
        }
    }

    /// The positions in a list, in the order of the names.
    pub fn sorted(&self, list: usize) -> Vec<usize> {
        let list = &self.lists[list];
        let mut positions: Vec<usize> = (0..list.len()).collect();
        positions.sort_by_key(|i| list[*i]);
        positions
    }
}

/// So many numbers in an order in which each list rises, as far as there is one; else those first that were met first.
fn order(count: usize, lists: &[Vec<usize>]) -> Vec<usize> {
    let pairs: BTreeSet<(usize, usize)> = lists
        .iter()
        .flat_map(|list| list.windows(2).map(|pair| (pair[0], pair[1])))
        .collect();
    let mut before = vec![0usize; count];
    for (_, next) in &pairs {
        before[*next] += 1;
    }
    let mut left: BTreeSet<usize> = (0..count).collect();
    let mut ready: BTreeSet<usize> = (0..count).filter(|i| before[*i] == 0).collect();
    let mut order = Vec::new();
    while let Some(next) = ready.first().or(left.first()).copied() {
        ready.remove(&next);
        left.remove(&next);
        order.push(next);
        for (_, after) in pairs.range((next, 0)..(next + 1, 0)) {
            before[*after] = before[*after].saturating_sub(1);
            if before[*after] == 0 && left.contains(after) {
                ready.insert(*after);
            }
        }
    }
    order
}

/// The names, with a number after each that is empty or stands before it already.
pub fn distinct(names: &[String]) -> Vec<String> {
    let mut taken = Taken::default();
    let named = names.iter().enumerate().map(|(i, name)| {
        let name = match text(name) {
            name if name.is_empty() => (i + 1).to_string(),
            name => name,
        };
        taken.free(&name, " ")
    });
    named.collect()
}

/// Names that are given, each with the number that is tried next for another one like it.
#[derive(Default)]
struct Taken(HashMap<String, usize>);

impl Taken {
    /// The name, or the name with a number with which it is free; it is taken then.
    fn free(&mut self, name: &str, gap: &str) -> String {
        let mut tried = name.to_string();
        while self.0.contains_key(&tried) {
            let number = self.0.entry(name.to_string()).or_insert(2);
            tried = format!("{name}{gap}{number}");
            *number += 1;
        }
        self.0.insert(tried.clone(), 2);
        tried
    }
}

/// A text of the language: without signs that mean something in one, on one line.
pub fn text(name: &str) -> String {
    let sign = |c: char| match c {
        '{' => '(',
        '}' => ')',
        '"' => '\'',
        '\\' => '/',
        c if c.is_control() || c.is_whitespace() => ' ',
        c => c,
    };
    let plain: String = name.chars().map(sign).collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    words.join(" ")
}

/// Words that mean something in the language or in the game that is written.
const TAKEN: &str = "and or not into in div mod before if then else match let where as chooses true false all none \
    Player Node Set Move Outcome Draw Result number bool set of me first asks moves draws outcomes weight result pays at \
    asked nature ask p s d m o low high size next opponent team abs sign min max argmin argmax sum mean share only top \
    subsets union reveal count some every no after repeat each while turns together deal draw break continue end";

/// Gives out names of the language, each once.
pub struct Names(Taken);

impl Names {
    pub fn new() -> Names {
        let taken = TAKEN.split_whitespace();
        Names(Taken(taken.map(|word| (word.to_string(), 2)).collect()))
    }

    /// A name that is like this one; `otherwise` where nothing in it can stand in a name.
    pub fn give(&mut self, like: &str, otherwise: &str) -> String {
        let plain = plain(like);
        let name = match plain.chars().next() {
            None => otherwise.to_string(),
            Some(c) if c.is_ascii_digit() => format!("_{plain}"),
            Some(_) => plain,
        };
        self.0.free(&name, "_")
    }
}

/// Letters, digits and single underscores: what stands in names.
fn plain(name: &str) -> String {
    let sign = |c: char| match c.is_ascii_alphanumeric() {
        true => c,
        false => ' ',
    };
    let signs: String = name.chars().map(sign).take(40).collect();
    let words: Vec<&str> = signs.split_whitespace().collect();
    words.join("_")
}

/// Whether a name of the file reads well as a name of the language.
pub fn is_name(name: &str) -> bool {
    name.len() <= 24 && name.starts_with(|c: char| c.is_ascii_alphabetic()) && plain(name) == name
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lists(lists: &[&[&str]]) -> Ranked {
        let strings = |list: &&[&str]| list.iter().map(|s| (*s).to_string()).collect();
        Ranked::new(lists.iter().map(strings))
    }

    #[test]
    fn names_are_put_in_an_order_that_fits_all_lists() {
        let ranked = lists(&[&["call", "raise"], &["fold", "call"]]);
        assert_eq!(ranked.names, ["fold", "call", "raise"]);
        assert_eq!(ranked.lists, [[1, 2], [0, 1]]);
        assert_eq!(ranked.sorted(0), [0, 1]);
        // Where none fits, a list is put in another order.
        let ranked = lists(&[&["a", "b"], &["b", "a"]]);
        assert_eq!(ranked.names, ["a", "b"]);
        assert_eq!(ranked.sorted(1), [1, 0]);
    }

    #[test]
    fn equal_and_empty_names_are_made_distinct() {
        let names = ["a", "", "a", "{\"b\\"].map(str::to_string);
        assert_eq!(distinct(&names), ["a", "2", "a 2", "('b/"]);
        let mut names = Names::new();
        assert_eq!(names.give("Player 1", "x"), "Player_1");
        assert_eq!(names.give("Player-1", "x"), "Player_1_2");
        assert_eq!(names.give("in", "x"), "in_2");
        assert_eq!(names.give("1G", "x"), "_1G");
        assert_eq!(names.give("♥", "x"), "x");
        assert!(is_name("raise") && !is_name("TAKE 1") && !is_name("2r"));
    }
}
