//! The laws on many programs, and what came of it.

use super::laws::{Law, Violation, hold};
use super::writer::Program;
use crate::reader::compare::compare;
use ruse::internal::check::Settings;
use std::collections::{BTreeMap, BTreeSet};

/// The laws that are known to be broken, each by programs with one of these parts; without a part by any.
const KNOWN: &[(Law, &[&str])] = &[];

/// More histories of one program are not walked.
pub const MOST: usize = 600;

/// More are not read a second time.
pub const MOST_READ: usize = 60;

/// Whether a law is known to be broken by programs with such parts.
pub fn is_known(law: Law, parts: &BTreeSet<&'static str>) -> bool {
    KNOWN.iter().any(|(broken, with)| {
        *broken == law && (with.is_empty() || with.iter().any(|part| parts.contains(part)))
    })
}

/// What came of some programs.
#[derive(Default)]
pub struct Tally {
    pub written: u64,
    pub accepted: u64,
    /// Accepted programs whose play runs into an error.
    failed: u64,
    whole: u64,
    histories: u64,
    /// Accepted programs with each part.
    pub parts: BTreeMap<&'static str, u64>,
    /// By the first code of those that are refused.
    refused: BTreeMap<&'static str, u64>,
    /// For each law, and whether it is known to break with such parts: the programs that break it, with the shortest and
    /// its report.
    pub broken: BTreeMap<(Law, bool), (u64, String)>,
}

impl Tally {
    /// Takes a program in, and says with what code it is refused, if it is.
    pub fn take(&mut self, program: &Program) -> Option<&'static str> {
        self.written += 1;
        let Program { text, parts } = program;
        let machine = match ruse::load(text, &Settings::new()) {
            Ok((machine, _)) => machine,
            Err(problems) => {
                let first = problems.iter().find(|p| p.is_error());
                let code = first.map_or("", |p| p.code.0);
                *self.refused.entry(code).or_default() += 1;
                return Some(code);
            }
        };
        self.accepted += 1;
        for part in parts {
            *self.parts.entry(part).or_default() += 1;
        }
        let Ok(mut walked) = hold(&machine, MOST) else {
            self.failed += 1;
            return None;
        };
        let told = compare(&machine, MOST_READ).ok().and_then(|c| c.differs);
        let told = told.map(|text| Violation {
            law: Law::Told,
            text,
        });
        walked.violations.extend(told);
        self.whole += u64::from(walked.whole);
        self.histories += walked.histories as u64;
        let mut laws: Vec<Law> = walked.violations.iter().map(|v| v.law).collect();
        laws.dedup();
        for law in laws {
            let known = is_known(law, parts);
            let (count, example) = self.broken.entry((law, known)).or_default();
            *count += 1;
            if example.is_empty() || text.len() < example.len() {
                let report = walked.violations.iter().find(|v| v.law == law);
                let report = report.map_or("", |v| v.text.as_str());
                *example = format!("{text}{report}");
            }
        }
        None
    }

    /// Takes in what came of more programs.
    pub fn add(&mut self, more: Tally) {
        self.written += more.written;
        self.accepted += more.accepted;
        self.failed += more.failed;
        self.whole += more.whole;
        self.histories += more.histories;
        for (part, count) in more.parts {
            *self.parts.entry(part).or_default() += count;
        }
        for (code, count) in more.refused {
            *self.refused.entry(code).or_default() += count;
        }
        for (law, (count, example)) in more.broken {
            let (all, shortest) = self.broken.entry(law).or_default();
            *all += count;
            if shortest.is_empty() || example.len() < shortest.len() {
                *shortest = example;
            }
        }
    }

    /// Whether all that is broken is known to be.
    pub fn is_known(&self) -> bool {
        self.broken.keys().all(|(_, known)| *known)
    }

    pub fn print(&self) {
        println!(
            "{} written, {} accepted, {} of them fail in play, {} walked whole, {} histories",
            self.written, self.accepted, self.failed, self.whole, self.histories
        );
        println!("refused: {:?}", self.refused);
        for (part, count) in &self.parts {
            println!(
                "{part}: {:.1} %",
                100.0 * *count as f64 / self.accepted as f64
            );
        }
        for ((law, known), (count, example)) in &self.broken {
            let known = if *known { "as is known" } else { "new" };
            println!("{law:?}, {known}: {count}\n{example}\n");
        }
    }
}
