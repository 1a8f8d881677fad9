//! The ways to solve a game. Each stands in a file of its own with its name, its parameters and the games it takes; [`METHODS`]
//! lists them, and `ruse solve --help` and its refusals are made of the list.

#[cfg(feature = "lp")]
use super::linear_program;
use super::profile::Profile;
use super::regret::Milestone;
use super::sequences::Sequences;
use super::tree::{Tree, TreeError};
use super::{backward, regret};
use crate::machine::Machine;
use crate::text::diagnostics::Diagnostic;
use serde_json::{Map, Value as Json};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// All methods. Where none is named, the first that takes the game solves it.
pub static METHODS: &[Method] = &[
    backward::METHOD,
    #[cfg(feature = "lp")]
    linear_program::METHOD,
    regret::cfr::METHOD,
    regret::cfr_plus::METHOD,
    regret::mccfr::METHOD,
];

/// A way to solve a game.
pub struct Method {
    pub name: &'static str,
    /// One sentence or two.
    pub doc: &'static str,
    pub parameters: &'static [Parameter],
    /// Whether something random takes part, so that there is a seed.
    pub is_random: bool,
    /// Whether the method takes a game at all; if not, with the place of the game that says so.
    pub suits: fn(&Machine) -> Result<(), Box<Diagnostic>>,
    pub solver: Solver,
}

/// What a method goes over, and so what it gives.
pub enum Solver {
    /// Backward induction: values of all states. It has options of its own.
    States,
    /// Strategies of all players, over the information states of the tree.
    Tree(SolveTree),
}

/// Solves the game of a tree.
///
/// # Errors
/// Those of play; [`TreeError::Stopped`] where nothing was found before it was stopped; [`TreeError::Unsolved`].
pub type SolveTree = fn(&Task<'_>, &mut dyn Progress) -> Result<Found, TreeError>;

/// A parameter of a method.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Parameter {
    /// As it is written after `--`.
    pub name: &'static str,
    pub kind: Kind,
    /// What stands for its value in help.
    pub placeholder: &'static str,
    /// One line.
    pub doc: &'static str,
    /// In words, or the value itself where there is one; empty where without it nothing is asked for.
    pub default: &'static str,
    /// The parameter and the value of it that this one goes with, if it goes with one alone.
    pub only_with: Option<(&'static str, &'static str)>,
    /// Parameters of one family stand together in help, whichever of its methods take them.
    pub family: &'static str,
}

/// What a parameter may be.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum Kind {
    /// A whole number from the first to the last.
    Count(u64, u64),
    /// A number from the first to the last.
    Amount(f64, f64),
    OneOf(&'static [&'static str]),
}

/// The value of a parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    Count(u64),
    Amount(f64),
    Word(String),
}

/// The parameters that were given, by name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values(Vec<(&'static str, Value)>);

impl Values {
    pub fn set(&mut self, name: &'static str, value: Value) {
        self.0.retain(|(n, _)| *n != name);
        self.0.push((name, value));
    }

    pub fn get(&self, name: &str) -> Option<&Value> {
        let found = self.0.iter().find(|(n, _)| *n == name);
        found.map(|(_, value)| value)
    }

    pub fn count(&self, name: &str) -> Option<u64> {
        match self.get(name)? {
            Value::Count(n) => Some(*n),
            _ => None,
        }
    }

    pub fn amount(&self, name: &str) -> Option<f64> {
        match self.get(name)? {
            Value::Amount(x) => Some(*x),
            _ => None,
        }
    }

    pub fn word(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            Value::Word(word) => Some(word),
            _ => None,
        }
    }
}

/// A game to solve over its tree.
pub struct Task<'a> {
    pub machine: &'a Machine,
    pub tree: &'a Tree,
    pub sequences: &'a Sequences,
    pub values: &'a Values,
    pub seed: u64,
    /// Ends the work when it is set.
    pub stop: &'a Arc<AtomicBool>,
    /// The time since some fixed moment.
    pub clock: &'a dyn Fn() -> Duration,
}

/// Hears how far long work is.
pub trait Progress {
    /// Something begins that is counted in `noun`, up to `total` if that is known.
    fn begin(&mut self, _noun: &'static str, _total: Option<u64>) {}

    /// So many are done of what was begun last.
    fn done(&mut self, _count: u64) {}

    /// When so many were done something was found that is worth so much, and more than all before.
    fn better(&mut self, _count: u64, _value: f64) {}
}

/// Nobody listens.
impl Progress for () {}

/// What a method found.
pub struct Found {
    pub profile: Profile,
    /// `None`: the work is complete. Otherwise it was stopped: how far it got, in words.
    pub stopped: Option<String>,
    /// What there is to say of the work, by name.
    pub details: Map<String, Json>,
    /// How close to an equilibrium it was on the way, of a method that iterates.
    pub convergence: Vec<Milestone>,
    /// A line for people, of a method that does not.
    pub remark: String,
    /// How long the method itself took, in seconds.
    pub seconds: f64,
}

impl Method {
    pub fn parameter(&self, name: &str) -> Option<&'static Parameter> {
        self.parameters.iter().find(|p| p.name == name)
    }

    /// Refuses parameters that do not go with one another.
    ///
    /// # Errors
    /// In words.
    pub fn check(&self, values: &Values) -> Result<(), String> {
        for parameter in self.parameters {
            if let Some((other, word)) = parameter.only_with
                && values.get(parameter.name).is_some()
                && values.word(other) != Some(word)
            {
                let name = parameter.name;
                return Err(format!("--{name} is for `--{other} {word}`"));
            }
        }
        Ok(())
    }
}

/// The method of a name.
pub fn find(name: &str) -> Option<&'static Method> {
    METHODS.iter().find(|m| m.name == name)
}

/// The method that solves a game where none is named: the first that takes it, or the first of all.
pub fn usual(machine: &Machine) -> Option<&'static Method> {
    let suited = |m: &&Method| (m.suits)(machine).is_ok();
    METHODS.iter().find(suited).or(METHODS.first())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_and_parameters_are_told_apart_by_their_names() {
        for (i, method) in METHODS.iter().enumerate() {
            assert!(METHODS[..i].iter().all(|m| m.name != method.name));
            assert!(find(method.name).is_some_and(|m| m.doc == method.doc));
            for (i, parameter) in method.parameters.iter().enumerate() {
                let others = &method.parameters[..i];
                assert!(others.iter().all(|p| p.name != parameter.name));
                // A parameter that several methods take is one and the same.
                for other in METHODS {
                    let same = other.parameter(parameter.name);
                    assert!(same.is_none_or(|p| p == parameter), "{}", parameter.name);
                }
            }
        }
    }
}
