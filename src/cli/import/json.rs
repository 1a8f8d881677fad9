//! JSON as a tree in which every value knows its place. What is JSON and what is not, the reader of `serde_json` decides.

use serde::de::IgnoredAny;
use std::ops::Range;

/// A value and where it stands; of a list or an object the bracket that opens it.
#[derive(Clone, Debug, PartialEq)]
pub struct Tree {
    pub value: Value,
    pub place: Range<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Number(f64),
    Text,
    /// `true`, `false` or `null`.
    Word,
    List(Vec<Tree>),
    /// Names as they come, also where one stands twice.
    Object(Vec<(String, Tree)>),
}

/// Why a text is no such tree, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Misread {
    pub message: String,
    pub place: Range<usize>,
}

/// Lists and objects in one another.
const DEEPEST: usize = 64;

/// Reads a text.
///
/// # Errors
/// When it is no JSON, or nested too deeply.
pub fn read(text: &str) -> Result<Tree, Misread> {
    if let Err(error) = serde_json::from_str::<IgnoredAny>(text) {
        // Who keeps the values says more of what is wrong.
        let error = serde_json::from_str::<serde_json::Value>(text)
            .err()
            .unwrap_or(error);
        let message = error.to_string();
        let end = message.rfind(" at line ").unwrap_or(message.len());
        return Err(Misread {
            message: message[..end].to_string(),
            place: word_at(text, error.line(), error.column()),
        });
    }
    let mut reader = Reader { text, at: 0 };
    reader.value(0)
}

/// The word at a line, from 1, and a byte of it, from 1.
fn word_at(text: &str, line: usize, column: usize) -> Range<usize> {
    let before = text.split_inclusive('\n').take(line.saturating_sub(1));
    let start: usize = before.map(str::len).sum();
    let mut start = (start + column.saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let word = &text[start..];
    let end = word.find(|c: char| c.is_whitespace() || ":,{}[]\"".contains(c));
    let length = match end.unwrap_or(word.len()) {
        0 => word.chars().next().map_or(0, char::len_utf8),
        length => length,
    };
    start..start + length
}

/// Reads what is known to be JSON.
struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    /// The next sign that is no blank.
    fn peek(&mut self) -> char {
        let rest = &self.text[self.at..];
        let blank = rest.len() - rest.trim_start().len();
        self.at += blank;
        rest[blank..].chars().next().unwrap_or_default()
    }

    /// A text with its quotation marks.
    fn quoted(&mut self) -> &str {
        let start = self.at;
        let mut escaped = false;
        let ends = |&(_, byte): &(usize, &u8)| {
            let ends = *byte == b'"' && !escaped;
            escaped = *byte == b'\\' && !escaped;
            ends
        };
        let length = self.text.as_bytes()[start + 1..]
            .iter()
            .enumerate()
            .find(ends);
        self.at += 2 + length.map_or(0, |(i, _)| i);
        &self.text[start..self.at]
    }

    fn value(&mut self, depth: usize) -> Result<Tree, Misread> {
        let first = self.peek();
        let start = self.at;
        if depth > DEEPEST {
            return Err(Misread {
                message: format!("more than {DEEPEST} lists or objects in one another"),
                place: start..start + 1,
            });
        }
        let value = match first {
            '{' => Value::Object(self.rows(depth)?),
            '[' => Value::List(self.list(depth)?),
            '"' => {
                self.quoted();
                Value::Text
            }
            _ => {
                let rest = &self.text[start..];
                let end = rest.find(|c: char| c.is_whitespace() || ",]}".contains(c));
                let word = &rest[..end.unwrap_or(rest.len())];
                self.at += word.len();
                match word {
                    "true" | "false" | "null" => Value::Word,
                    number => Value::Number(number.parse().unwrap_or(f64::NAN)),
                }
            }
        };
        let end = match value {
            Value::List(_) | Value::Object(_) => start + 1,
            _ => self.at,
        };
        let place = start..end;
        Ok(Tree { value, place })
    }

    /// Steps over `sign` if it comes next.
    fn skips(&mut self, sign: char) -> bool {
        let comes = self.peek() == sign;
        self.at += usize::from(comes);
        comes
    }

    fn list(&mut self, depth: usize) -> Result<Vec<Tree>, Misread> {
        self.at += 1;
        let mut list = Vec::new();
        while !self.skips(']') {
            list.push(self.value(depth + 1)?);
            self.skips(',');
        }
        Ok(list)
    }

    fn rows(&mut self, depth: usize) -> Result<Vec<(String, Tree)>, Misread> {
        self.at += 1;
        let mut rows = Vec::new();
        while !self.skips('}') {
            let name = serde_json::from_str(self.quoted()).unwrap_or_default();
            self.skips(':');
            rows.push((name, self.value(depth + 1)?));
            self.skips(',');
        }
        Ok(rows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_has_its_place() {
        let text = r#" { "a\"b" : [ 1, -2.5e1 ,"\\"], "n":null,"o" :{ } }"#;
        let tree = read(text).unwrap();
        let Value::Object(rows) = &tree.value else {
            panic!("{tree:?}");
        };
        let names: Vec<&str> = rows.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["a\"b", "n", "o"]);
        let Value::List(list) = &rows[0].1.value else {
            panic!("{tree:?}");
        };
        assert_eq!(list[1].value, Value::Number(-25.0));
        let places = list.iter().chain(rows.iter().map(|(_, tree)| tree));
        let places: Vec<&str> = places.map(|tree| &text[tree.place.clone()]).collect();
        assert_eq!(places, ["1", "-2.5e1", "\"\\\\\"", "[", "null", "{"]);
    }

    #[test]
    fn what_is_no_json_is_told_where() {
        for (text, at) in [
            ("{'a': 1}", "'a'"),
            ("[1, 2,]", "]"),
            ("[1] 2", "2"),
            ("[1\n 2]", "2"),
            ("[é]", "é"),
            ("[1,", ","),
            ("", ""),
        ] {
            let misread = read(text).unwrap_err();
            assert_eq!(&text[misread.place.clone()], at, "{text}: {misread:?}");
        }
        let deep = "[".repeat(100) + &"]".repeat(100);
        assert_eq!(read(&deep).unwrap_err().place, 65..66);
    }
}
