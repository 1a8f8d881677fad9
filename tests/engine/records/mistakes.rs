//! Mistakes that a compiler could make in who is told what: the laws or the second reader find each of them.

use super::laws::{Law, hold};
use super::switched::WITHIN;
use super::tally::{MOST, MOST_READ, is_known};
use super::writer::program;
use crate::reader::compare::compare;
use ruse::internal::check::check;
use ruse::internal::compile::compile;
use ruse::internal::ir::{EventCode, Instr, Program};
use ruse::internal::machine::Machine;
use ruse::internal::syntax::parse;

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Mistake {
    /// Whoever sees a value of a choice is told the label.
    Labels,
    /// All values of a choice or a draw are told to those who see the first.
    Values,
    /// Nobody is told of a choice or a draw but those who see a value.
    Silence,
    /// All see the variables.
    Variables,
}

const MISTAKES: &[Mistake] = &[
    Mistake::Labels,
    Mistake::Values,
    Mistake::Silence,
    Mistake::Variables,
];

fn events(program: &mut Program) -> impl Iterator<Item = &mut EventCode> {
    let instructions = program.blocks.iter_mut().flat_map(|b| &mut b.instrs);
    instructions.filter_map(|instruction| match instruction {
        Instr::Event(event) => Some(&mut **event),
        _ => None,
    })
}

impl Mistake {
    /// Makes it; `false` where there is nothing to make it in.
    fn make(self, program: &mut Program) -> bool {
        let mut made = false;
        match self {
            Mistake::Labels => {
                for event in events(program) {
                    made |= std::mem::take(&mut event.labelled);
                }
            }
            Mistake::Values => {
                for event in events(program) {
                    let Some(first) = event.parts.first().map(|(_, viewers)| *viewers) else {
                        continue;
                    };
                    for (_, viewers) in &mut event.parts {
                        made |= *viewers != first;
                        *viewers = first;
                    }
                }
            }
            Mistake::Silence => {
                for event in events(program) {
                    if let Some((_, viewers)) = event.parts.first() {
                        made |= event.viewers != *viewers;
                        event.viewers = *viewers;
                    }
                }
            }
            Mistake::Variables => {
                let everyone = program.description.everyone();
                for viewers in program.vars.iter_mut().flat_map(|v| &mut v.viewers) {
                    made |= *viewers != everyone;
                    *viewers = everyone;
                }
            }
        }
        made
    }

    /// The first law that is broken, in which of the accepted programs.
    fn found(self) -> Option<(u64, Law)> {
        let mut accepted = 0;
        for number in 0.. {
            let made = program(number);
            let (file, _) = parse(&made.text);
            let Some(description) = file.and_then(|f| check(&f, &Default::default()).0) else {
                continue;
            };
            accepted += 1;
            let Ok(mut program) = compile(description) else {
                continue;
            };
            if self.make(&mut program) {
                let machine = Machine::new(program);
                let told = compare(&machine, MOST_READ).is_ok_and(|c| c.differs.is_some());
                let held = hold(&machine, MOST).map_or(Vec::new(), |w| w.violations);
                let mut laws = held.into_iter().map(|v| v.law);
                let law = laws.find(|law| !is_known(*law, &made.parts));
                if let Some(law) = law.or(told.then_some(Law::Told)) {
                    return Some((accepted, law));
                }
            }
            if accepted == WITHIN {
                break;
            }
        }
        None
    }
}

#[test]
fn mistakes_of_a_compiler_break_laws() {
    for mistake in MISTAKES {
        let (number, law) = mistake.found().unwrap_or_else(|| panic!("{mistake:?}"));
        println!("{mistake:?} | {number} | {law:?}");
    }
}
