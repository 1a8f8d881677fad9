//! YAML as a tree of words, lists and tables, in which every value can be found again in the text.

use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use std::cell::Cell;
use std::ops::Range;

/// The largest file that is read, in bytes. The time that a reader of YAML takes may grow with the square of the
/// length.
pub const LARGEST: usize = 64 << 10;

/// Why a text is no such tree, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misread {
    pub message: String,
    pub place: Range<usize>,
}

/// A plain value, by its number in the order of the file. Tables and lists count too.
#[derive(Debug)]
pub struct Scalar {
    pub text: String,
    pub number: usize,
}

#[derive(Debug)]
pub enum Tree {
    Scalar(Scalar),
    List(Vec<Tree>, usize),
    Table(Vec<(Scalar, Tree)>, usize),
}

impl Tree {
    pub fn number(&self) -> usize {
        match self {
            Tree::Scalar(scalar) => scalar.number,
            Tree::List(_, number) | Tree::Table(_, number) => *number,
        }
    }
}

/// Reads a file.
///
/// # Errors
/// When it is no YAML, or has tags, or names that are no plain words.
pub fn read(yaml: &str) -> Result<Tree, Misread> {
    walk(yaml, None).map_err(|e| {
        let message = e.to_string();
        Misread {
            message: message
                .split(" at line ")
                .next()
                .unwrap_or_default()
                .to_string(),
            place: e
                .location()
                .map_or(0..0, |l| word_at(yaml, l.line(), l.column())),
        }
    })
}

/// Where a value stands. The reader tells of places in errors alone, so it is made to fail there.
pub fn locate(yaml: &str, number: usize) -> Range<usize> {
    let failed = walk(yaml, Some(number)).err();
    let location = failed.and_then(|e| e.location());
    location.map_or(0..0, |l| word_at(yaml, l.line(), l.column()))
}

/// The word at a line and column, both from 1; columns are in characters.
fn word_at(yaml: &str, line: usize, column: usize) -> Range<usize> {
    let start: usize = yaml
        .split_inclusive('\n')
        .take(line.saturating_sub(1))
        .map(str::len)
        .sum();
    let rest = yaml[start..].split('\n').next().unwrap_or_default();
    let within = rest
        .char_indices()
        .nth(column.saturating_sub(1))
        .map_or(rest.len(), |(i, _)| i);
    let word = &rest[within..];
    let end = word.find(|c: char| c.is_whitespace() || ":,{}[]".contains(c));
    let length = match end.unwrap_or(word.len()) {
        0 => word.chars().next().map_or(0, char::len_utf8),
        n => n,
    };
    start + within..start + within + length
}

fn walk(yaml: &str, fail_at: Option<usize>) -> Result<Tree, serde_yaml::Error> {
    let walker = Walker {
        next: Cell::new(0),
        fail_at,
    };
    (&walker).deserialize(serde_yaml::Deserializer::from_str(yaml))
}

/// Numbers the values as they are read.
struct Walker {
    next: Cell<usize>,
    fail_at: Option<usize>,
}

impl Walker {
    fn number<E: Error>(&self) -> Result<usize, E> {
        let number = self.next.replace(self.next.get() + 1);
        if self.fail_at == Some(number) {
            return Err(E::custom("here"));
        }
        Ok(number)
    }

    fn scalar<E: Error>(&self, text: String) -> Result<Tree, E> {
        let number = self.number()?;
        Ok(Tree::Scalar(Scalar { text, number }))
    }
}

impl<'de> DeserializeSeed<'de> for &Walker {
    type Value = Tree;
    fn deserialize<D: serde::Deserializer<'de>>(self, d: D) -> Result<Tree, D::Error> {
        d.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for &Walker {
    type Value = Tree;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a word, a list or a table")
    }

    fn visit_unit<E: Error>(self) -> Result<Tree, E> {
        self.scalar(String::new())
    }

    /// A file with nothing in it.
    fn visit_none<E: Error>(self) -> Result<Tree, E> {
        self.scalar(String::new())
    }

    /// A value with a tag of its own, `!x 1`.
    fn visit_enum<A: serde::de::EnumAccess<'de>>(self, _: A) -> Result<Tree, A::Error> {
        Err(A::Error::custom("tags have no meaning here"))
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Tree, E> {
        self.scalar(value.to_string())
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Tree, E> {
        self.scalar(value.to_string())
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Tree, E> {
        self.scalar(value.to_string())
    }

    fn visit_u128<E: Error>(self, value: u128) -> Result<Tree, E> {
        self.scalar(value.to_string())
    }

    fn visit_i128<E: Error>(self, value: i128) -> Result<Tree, E> {
        self.scalar(value.to_string())
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Tree, E> {
        self.scalar(value.to_string())
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Tree, E> {
        self.scalar(value.to_string())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Tree, A::Error> {
        let number = self.number()?;
        let mut list = Vec::new();
        while let Some(tree) = access.next_element_seed(self)? {
            list.push(tree);
        }
        Ok(Tree::List(list, number))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Tree, A::Error> {
        let number = self.number()?;
        let mut rows = Vec::new();
        while let Some(key) = access.next_key_seed(self)? {
            let Tree::Scalar(key) = key else {
                return Err(A::Error::custom("a name must be a plain word"));
            };
            rows.push((key, access.next_value_seed(self)?));
        }
        Ok(Tree::Table(rows, number))
    }
}
