//! The laws on games that are there: shipped ones that are small enough, the examples of the documents, and the programs
//! that are known to tell nothing.

use super::laws::hold;
use crate::small;
use ruse::internal::machine::Machine;

/// More histories are not walked.
const MOST: usize = 20_000;

/// What was checked.
#[derive(Default)]
struct Checked {
    whole: usize,
    partly: usize,
    broken: Vec<String>,
}

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
            self.broken.push(format!("{what}: {}", violation.text));
        }
    }

    /// So many games were walked whole at least, and so many in part at most.
    #[track_caller]
    fn done(self, whole: usize, partly: usize) {
        assert!(self.broken.is_empty(), "{}", self.broken.join("\n\n"));
        println!("{} walked whole, {} in part", self.whole, self.partly);
        assert!(self.whole >= whole && self.partly <= partly);
    }
}

#[test]
fn programs_that_tell_nothing_break_no_law() {
    let mut checked = Checked::default();
    for (name, machine) in small::right() {
        checked.check(&name, &machine, 5_000);
    }
    checked.done(64, 1);
}

#[test]
fn small_games_break_no_law() {
    let mut checked = Checked::default();
    for (name, machine) in small::shipped() {
        checked.check(&name, &machine, MOST);
    }
    checked.done(36, 0);
}

#[test]
fn examples_break_no_law() {
    let mut checked = Checked::default();
    for (name, machine) in small::examples() {
        checked.check(&name, &machine, 5_000);
    }
    checked.done(32, 5);
}
