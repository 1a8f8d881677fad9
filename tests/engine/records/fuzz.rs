//! The laws on random programs: those that the check accepts must keep them.

use super::laws::{Law, hold};
use super::writer::{Program, program};
use ruse::internal::check::Settings;
use std::collections::BTreeMap;

/// More histories of one program are not walked.
const MOST: usize = 600;

/// What came of some programs.
#[derive(Default)]
struct Tally {
    written: u64,
    accepted: u64,
    /// Accepted programs whose play runs into an error.
    failed: u64,
    whole: u64,
    histories: u64,
    /// Accepted programs with each part.
    parts: BTreeMap<&'static str, u64>,
    /// By the first code of those that are refused.
    refused: BTreeMap<&'static str, u64>,
    /// For each law the programs that break it, with the shortest and its report.
    broken: BTreeMap<Law, (u64, String)>,
}

impl Tally {
    fn take(&mut self, number: u64) {
        self.written += 1;
        let Program { text, parts } = program(number);
        let machine = match ruse::load(&text, &Settings::new()) {
            Ok((machine, _)) => machine,
            Err(problems) => {
                let first = problems.iter().find(|p| p.is_error());
                let code = first.map_or("", |p| p.code.0);
                assert!(
                    !code.starts_with("E00") && !code.starts_with("E01"),
                    "{text}\n{problems:?}"
                );
                *self.refused.entry(code).or_default() += 1;
                return;
            }
        };
        self.accepted += 1;
        for part in parts {
            *self.parts.entry(part).or_default() += 1;
        }
        let Ok(walked) = hold(&machine, MOST) else {
            self.failed += 1;
            return;
        };
        self.whole += u64::from(walked.whole);
        self.histories += walked.histories as u64;
        let mut laws: Vec<Law> = walked.violations.iter().map(|v| v.law).collect();
        laws.dedup();
        for law in laws {
            let (count, example) = self.broken.entry(law).or_default();
            *count += 1;
            if example.is_empty() || text.len() < example.len() {
                let report = walked.violations.iter().find(|v| v.law == law);
                let report = report.map_or("", |v| v.text.as_str());
                *example = format!("{text}{report}");
            }
        }
    }

    fn print(&self) {
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
        for (law, (count, example)) in &self.broken {
            println!("{law:?}: {count}\n{example}\n");
        }
    }
}

/// What is known to be broken.
const KNOWN: &[Law] = &[Law::View, Law::Screen, Law::Next, Law::Shown];

fn hold_for(accepted: u64) {
    let mut tally = Tally::default();
    while tally.accepted < accepted {
        tally.take(tally.written);
    }
    tally.print();
    assert!(5 * tally.accepted > tally.written, "too few are accepted");
    for (part, count) in &tally.parts {
        assert!(100 * count >= tally.accepted, "too few with {part}");
    }
    let news = tally.broken.keys().find(|law| !KNOWN.contains(law));
    assert_eq!(news, None);
}

#[test]
fn accepted_programs_keep_the_laws() {
    hold_for(1_000);
}

/// Five minutes: `cargo test --release --test engine many_accepted -- --ignored --nocapture`.
#[test]
#[ignore = "walks 100,000 programs"]
fn many_accepted_programs_keep_the_laws() {
    hold_for(100_000);
}
