//! Each rule of the check is needed: where one is not asked, a program is accepted that breaks a law.

use super::laws::{Law, hold};
use super::tally::{MOST, is_known};
use super::writer::{Program, program};
use ruse::internal::check::check_by;
use ruse::internal::check::visibility::{Rule, Rules};
use ruse::internal::compile::compile;
use ruse::internal::machine::Machine;
use ruse::internal::model::{Description, PlayerSet};
use ruse::internal::syntax::ast::File;
use ruse::internal::syntax::parse;
use ruse::internal::text::diagnostics::{Code, Diagnostic};

/// Without a rule a violation is found within so many accepted programs.
pub const WITHIN: u64 = 1_000;

/// Rules that ask more than the laws.
const QUIET: &[Rule] = &[
    // What is drawn from `{ x }` tells what chance has drawn before. The laws ask only for choices.
    Rule::MadeSets,
    // A shown value is told with what its viewers see, and so tells of itself alone, whenever it changes.
    Rule::ShownChanges,
];

/// A rule that is left out.
struct Switched {
    rule: Rule,
    /// The programs that are accepted without it.
    accepted: u64,
    /// Those of them that are refused with it.
    more: u64,
    /// The first violation: in which of the accepted programs, and of what.
    found: Option<(u64, Law)>,
}

/// A program as it is checked with all rules.
struct Checked {
    program: Program,
    file: File,
    description: Option<Description>,
    codes: Vec<Code>,
}

impl Checked {
    fn new(number: u64) -> Checked {
        let program = program(number);
        let (file, problems) = parse(&program.text);
        assert!(problems.iter().all(|p| !p.is_error()), "{}", program.text);
        let file = file.expect("a program without mistakes of syntax");
        let (description, problems) = check(&file, Rules::ALL);
        let errors = problems.iter().filter(|p| p.is_error());
        let codes = errors.map(|p| p.code).collect();
        Checked {
            program,
            file,
            description,
            codes,
        }
    }

    /// The description, where it is accepted without this rule.
    fn without(&self, rule: Rule) -> Option<Description> {
        // What a rule refuses itself has its code.
        let hopeless = |code: Code| self.codes.iter().any(|c| *c != code);
        if rule.code().is_some_and(hopeless) || self.codes.iter().any(|c| !c.0.starts_with("E04")) {
            return None;
        }
        check(&self.file, Rules::without(rule)).0
    }

    /// A law that is broken without this rule, and not with it.
    fn broken(&self, description: Description) -> Option<Law> {
        let before = match &self.description {
            Some(same) if told(same) == told(&description) => return None,
            Some(other) => walked(other.clone()),
            None => Vec::new(),
        };
        let known = |law: Law| match self.description {
            Some(_) => before.contains(&law),
            None => is_known(law, &self.program.parts),
        };
        let found = walked(description);
        found.into_iter().find(|law| !known(*law))
    }
}

fn check(file: &File, rules: Rules) -> (Option<Description>, Vec<Diagnostic>) {
    check_by(file, &Default::default(), false, rules)
}

/// Who is told what the check has to say who may be told.
fn told(description: &Description) -> (Vec<PlayerSet>, Vec<PlayerSet>) {
    let readings = description.readings.iter().map(|r| r.told);
    (description.hole_viewers.clone(), readings.collect())
}

/// The laws that are broken.
fn walked(description: Description) -> Vec<Law> {
    let Ok(program) = compile(description) else {
        return Vec::new();
    };
    let walked = hold(&Machine::new(program), MOST);
    let violations = walked.map_or(Vec::new(), |w| w.violations);
    violations.into_iter().map(|v| v.law).collect()
}

fn switch_off() -> Vec<Switched> {
    let fresh = |rule: &Rule| Switched {
        rule: *rule,
        accepted: 0,
        more: 0,
        found: None,
    };
    let mut rules: Vec<Switched> = Rule::ALL.iter().map(fresh).collect();
    let mut number = 0;
    while rules.iter().any(Switched::is_open) {
        let checked = Checked::new(number);
        for one in rules.iter_mut().filter(|r| r.is_open()) {
            let Some(description) = checked.without(one.rule) else {
                continue;
            };
            one.accepted += 1;
            one.more += u64::from(checked.description.is_none());
            if let Some(law) = checked.broken(description) {
                one.found = Some((one.accepted, law));
            }
        }
        number += 1;
    }
    rules
}

impl Switched {
    fn is_open(&self) -> bool {
        self.found.is_none() && self.accepted < WITHIN
    }
}

#[test]
fn without_a_rule_a_law_breaks() {
    println!("without | accepted | refused with it | broken");
    let mut missing = Vec::new();
    for one in switch_off() {
        let rule = one.rule;
        match one.found {
            Some((number, law)) => println!("{rule:?} | {number} | {} | {law:?}", one.more),
            None => {
                println!("{rule:?} | {} | {} |", one.accepted, one.more);
                missing.push(rule);
            }
        }
    }
    assert_eq!(missing, QUIET, "without these nothing breaks");
}
