//! The laws on games that are there: shipped ones that are small enough, the examples of the documents, and the programs
//! that are known to tell nothing.

use super::laws::{Law, hold};
use crate::small;
use ruse::internal::machine::Machine;

/// More histories are not walked.
const MOST: usize = 20_000;

/// What was checked.
#[derive(Default)]
struct Checked {
    whole: usize,
    partly: usize,
    known: usize,
    broken: Vec<String>,
}

/// What is known to break a law: a line of the screen for each step, where only one step is noticed.
const KNOWN: &[(&str, Law)] = &[("tick-before-the-end", Law::Screen)];

impl Checked {
    fn check(&mut self, what: &str, machine: &Machine, most: usize) {
        let walked = hold(machine, most).unwrap_or_else(|e| panic!("{what}: {e}"));
        match walked.whole {
            true => self.whole += 1,
            false => self.partly += 1,
        }
        let all = if walked.whole { "" } else { ", not all" };
        println!(
            "{what}: {} histories, {} records{all}",
            walked.histories, walked.records
        );
        for violation in walked.violations {
            if KNOWN.contains(&(what, violation.law)) {
                self.known += 1;
                continue;
            }
            self.broken.push(format!("{what}: {}", violation.text));
        }
    }

    /// So many games were walked whole at least, and so many in part at most.
    #[track_caller]
    fn done(self, whole: usize, partly: usize, known: usize) {
        assert!(self.broken.is_empty(), "{}", self.broken.join("\n\n"));
        println!("{} walked whole, {} in part", self.whole, self.partly);
        assert!(self.whole >= whole && self.partly <= partly);
        assert_eq!(self.known, known);
    }
}

#[test]
fn programs_that_tell_nothing_break_no_law() {
    let mut checked = Checked::default();
    for (name, machine) in small::right() {
        checked.check(&name, &machine, 5_000);
    }
    checked.done(39, 1, 1);
}

#[test]
fn small_games_break_no_law() {
    let mut checked = Checked::default();
    for (name, machine) in small::shipped() {
        checked.check(&name, &machine, MOST);
    }
    checked.done(28, 0, 0);
}

#[test]
fn examples_break_no_law() {
    let mut checked = Checked::default();
    for (name, machine) in small::examples() {
        checked.check(&name, &machine, 5_000);
    }
    checked.done(18, 4, 0);
}
