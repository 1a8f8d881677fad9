//! What machines tell in small games, against the reader.

use super::compare::compare;
use crate::records::writer::{Program, program};
use crate::small;
use ruse::internal::check::Settings;
use ruse::internal::machine::Machine;

/// Histories that are read of one game.
const MOST: usize = 300;

#[derive(Default)]
struct Tally {
    ends: usize,
    whole: usize,
    differ: Vec<String>,
}

impl Tally {
    fn take(&mut self, what: &str, machine: &Machine) {
        let Ok(compared) = compare(machine, MOST) else {
            return;
        };
        self.ends += compared.ends;
        self.whole += usize::from(compared.whole);
        let differs = compared.differs.into_iter();
        self.differ
            .extend(differs.map(|text| format!("{what}: {text}")));
    }

    #[track_caller]
    fn done(self) {
        println!("{} histories, {} games whole", self.ends, self.whole);
        assert!(self.differ.is_empty(), "{}", self.differ.join("\n\n"));
    }
}

#[test]
fn games_tell_what_the_reader_says() {
    let mut tally = Tally::default();
    for (name, machine) in small::shipped() {
        tally.take(&name, &machine);
    }
    tally.done();
}

#[test]
fn programs_and_examples_tell_what_the_reader_says() {
    let mut tally = Tally::default();
    for (name, machine) in small::right().into_iter().chain(small::examples()) {
        tally.take(&name, &machine);
    }
    tally.done();
}

#[test]
fn random_programs_tell_what_the_reader_says() {
    let mut tally = Tally::default();
    for number in 0..900 {
        let Program { text, .. } = program(number);
        if let Ok((machine, _)) = ruse::load(&text, &Settings::new()) {
            tally.take(&text, &machine);
        }
    }
    tally.done();
}
