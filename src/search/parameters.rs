//! How a search or a part of one declares what can be set about it, and the values that are set.

use super::each::Each;
use std::sync::Arc;

/// Something that can be set.
#[derive(Copy, Clone, Debug)]
pub struct Parameter {
    pub name: &'static str,
    pub kind: Kind,
    /// In words, or the value itself where there is one fixed default.
    pub default: &'static str,
    /// All of what it means something with alone.
    pub needs: &'static [Need],
    pub doc: &'static str,
}

/// What has to be so for a parameter to mean something. Others are named.
#[derive(Copy, Clone, Debug)]
pub enum Need {
    /// Another one has one of these words.
    Word(&'static str, &'static [&'static str]),
    /// One of these is set.
    AnyOf(&'static [&'static str]),
    /// The number of another one is not 0.
    NotZero(&'static str),
    /// Its own number is not below that of another one.
    AtLeast(&'static str),
    /// Another one, which names something for all or some, names anything but this.
    Unless(&'static str, &'static str),
}

/// As it is read after "it goes with".
impl std::fmt::Display for Need {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Need::Word(name, words) => write!(f, "{name}={}", words.join(" or ")),
            Need::AnyOf(names) => write!(f, "{}", names.join(" or ")),
            Need::NotZero(name) => write!(f, "{name} above 0"),
            Need::AtLeast(name) => write!(f, "{name} no greater"),
            Need::Unless(name, word) => write!(f, "{name} not all {word}"),
        }
    }
}

/// What values a parameter takes.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Kind {
    /// A whole number in this range.
    Count { least: u64, greatest: u64 },
    /// A decimal number in this range.
    Amount { least: f64, greatest: f64 },
    /// A decimal number that is 0 or more.
    Number,
    /// As `Number`, or this word.
    NumberOr(&'static str),
    /// A decimal number that is a millionth or more.
    Positive,
    /// A decimal number from 0 to 1.
    Share,
    /// As `Share`, but it may differ from player to player ([`Each`]).
    ShareEach,
    /// A name, which may differ from player to player.
    NameEach,
    /// A name.
    Name,
    /// Decimal numbers that are 0 or more, of classes.
    Weights,
    /// One of these words.
    Word(&'static [&'static str]),
    /// A file.
    Path,
}

impl std::fmt::Display for Kind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Kind::Count { least, greatest } => {
                write!(f, "a whole number from {least} to {greatest}")
            }
            Kind::Amount { least, greatest } => {
                write!(f, "a decimal number from {least} to {greatest}")
            }
            Kind::Number => write!(f, "a decimal number, 0 or more"),
            Kind::NumberOr(word) => write!(f, "a decimal number, 0 or more, or {word}"),
            Kind::Positive => write!(f, "a decimal number, 0.000001 or more"),
            Kind::Share => write!(f, "a decimal number from 0 to 1"),
            Kind::ShareEach => write!(
                f,
                "a decimal number from 0 to 1, or several with their players or teams, such as 0.2 Ann:0.1"
            ),
            Kind::NameEach => write!(
                f,
                "a name, or several with their players or teams, such as near Ann:far"
            ),
            Kind::Name => write!(f, "a name"),
            Kind::Weights => write!(
                f,
                "decimal numbers, 0 or more, of classes, such as 1:0.2 2:0.67"
            ),
            Kind::Word(words) => write!(f, "one of {}", words.join(", ")),
            Kind::Path => write!(f, "a file"),
        }
    }
}

impl Parameter {
    /// Its default, and what it goes with.
    pub fn terms(&self) -> String {
        let needs: Vec<String> = self.needs.iter().map(Need::to_string).collect();
        match needs.as_slice() {
            [] => format!("default: {}", self.default),
            _ => format!("default: {}; goes with {}", self.default, needs.join(", ")),
        }
    }

    /// The same with another default.
    pub const fn or(self, default: &'static str) -> Parameter {
        Parameter { default, ..self }
    }
}

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Count(u64),
    Number(f64),
    Word(&'static str),
    Numbers(Each<f64>),
    Names(Each<String>),
    Name(String),
    /// As it was written.
    Path(Arc<str>),
}

impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Count(n) => n.fmt(f),
            Value::Number(x) => x.fmt(f),
            Value::Word(word) => word.fmt(f),
            Value::Numbers(each) => each.fmt(f),
            Value::Names(each) => each.fmt(f),
            Value::Name(name) => name.fmt(f),
            Value::Path(path) => path.fmt(f),
        }
    }
}

/// The parameters that are set, by name. Those that have their default need not be among them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values(Vec<(&'static str, Value)>);

impl Values {
    /// The same with one more. A parameter is set once.
    pub fn with(mut self, name: &'static str, value: Value) -> Values {
        self.0.push((name, value));
        self
    }

    /// The value of a `Count`, if it is set.
    pub fn count(&self, name: &str) -> Option<u64> {
        match self.value(name) {
            Some(Value::Count(n)) => Some(*n),
            _ => None,
        }
    }

    /// The value of an `Amount`, `Number`, `NumberOr`, `Positive` or `Share`, if it is set to a number.
    pub fn number(&self, name: &str) -> Option<f64> {
        match self.value(name) {
            Some(Value::Number(x)) => Some(*x),
            _ => None,
        }
    }

    /// As [`Values::number`]; where it is not set, the default if that is a number, and 0 otherwise.
    pub fn number_of(&self, parameter: &Parameter) -> f64 {
        let default = || parameter.default.parse().unwrap_or(0.0);
        self.number(parameter.name).unwrap_or_else(default)
    }

    /// The value of a `Word`, or of a `NumberOr` that is its word, if it is set.
    pub fn word(&self, name: &str) -> Option<&'static str> {
        match self.value(name) {
            Some(Value::Word(word)) => Some(word),
            _ => None,
        }
    }

    /// As [`Values::word`]; where it is not set, the default.
    pub fn word_of(&self, parameter: &Parameter) -> &'static str {
        self.word(parameter.name).unwrap_or(parameter.default)
    }

    /// The value of a `Name`, if it is set.
    pub fn name(&self, name: &str) -> Option<&str> {
        match self.value(name) {
            Some(Value::Name(name)) => Some(name),
            _ => None,
        }
    }

    /// The value of a `ShareEach` or of `Weights`; for nobody, if it is not set.
    pub fn numbers(&self, name: &str) -> Each<f64> {
        match self.value(name) {
            Some(Value::Numbers(each)) => each.clone(),
            _ => Each::default(),
        }
    }

    /// The value of a `NameEach`; for nobody, if it is not set.
    pub fn names(&self, name: &str) -> Each<String> {
        match self.value(name) {
            Some(Value::Names(each)) => each.clone(),
            _ => Each::default(),
        }
    }

    /// The value of a `Path`, if it is set.
    pub fn path(&self, name: &str) -> Option<&str> {
        match self.value(name) {
            Some(Value::Path(path)) => Some(path),
            _ => None,
        }
    }

    /// Whether a parameter has a value that somebody stated.
    pub fn is_set(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    fn value(&self, name: &str) -> Option<&Value> {
        let found = self.0.iter().find(|(n, _)| *n == name);
        found.map(|(_, value)| value)
    }
}

impl FromIterator<(&'static str, Value)> for Values {
    fn from_iter<T: IntoIterator<Item = (&'static str, Value)>>(values: T) -> Values {
        Values(values.into_iter().collect())
    }
}
