//! `strategy`, `quantal` and `solve` as players, with their parameters. Those of `solve` are those of the methods.

use crate::players::catalogue::{Entry, Way};
use crate::search::parameters::{Kind, Need, Parameter};
use crate::solve::METHODS;
use crate::solve::methods::{self, Method, Solver};

pub const FILE: &str = "file";
pub const TO: &str = "to";
pub const LAMBDA: &str = "lambda";
pub const BLUR: &str = "blur";
pub const METHOD: &str = "method";
pub const NODES: &str = "nodes";
pub const MEMORY: &str = "memory";
pub const SEED: &str = "seed";

/// The most nodes of a tree that `solve` builds unless something else is said.
pub const USUAL_NODES: u64 = 1_000_000;
/// The most memory that `solve` takes for states unless something else is said, in MiB.
pub const USUAL_MEMORY: u64 = 256;

/// A bound on the nodes of a tree.
pub fn nodes(default: &'static str, doc: &'static str) -> Parameter {
    Parameter {
        name: NODES,
        kind: Kind::Count {
            least: 1,
            greatest: 4_000_000_000,
        },
        default,
        needs: &[],
        doc,
    }
}

/// Where random numbers come from.
pub fn seed(doc: &'static str) -> Parameter {
    Parameter {
        name: SEED,
        kind: Kind::Count {
            least: 0,
            greatest: u64::MAX,
        },
        default: "1",
        needs: &[],
        doc,
    }
}

/// A parameter of a method as one of a player, whatever the method.
pub fn of_method(parameter: &methods::Parameter) -> Parameter {
    Parameter {
        name: parameter.name,
        kind: match parameter.kind {
            methods::Kind::Count(least, greatest) => Kind::Count { least, greatest },
            methods::Kind::Amount(least, most) if least <= 0.0 && most >= f64::MAX => Kind::Number,
            methods::Kind::Amount(least, greatest) => Kind::Amount { least, greatest },
            methods::Kind::OneOf(words) => Kind::Word(words),
        },
        default: match parameter.default {
            "" => "never",
            default => default,
        },
        needs: &[],
        doc: format!("{}.", parameter.doc).leak(),
    }
}

pub fn saved() -> Entry {
    Entry {
        name: "strategy",
        doc: "Plays the strategy in a file that `ruse solve --save` or `ruse best-response --save` wrote: at every information \
              state the moves with the probabilities that stand there, on whichever seat.",
        parameters: vec![
            Parameter {
                name: FILE,
                kind: Kind::Path,
                default: "there is none",
                needs: &[],
                doc: "The file. It holds the strategies of all seats, and is for one game with certain params.",
            },
            nodes("5000000", "Refuse a game whose tree has more nodes."),
        ],
        needs_perfect_information: false,
        way: Way::Saved,
    }
}

pub fn answering() -> Entry {
    Entry {
        name: "quantal",
        doc: "Answers the strategies of the others in a file that `ruse solve --save` wrote as people do who err: the better a \
              plan is, the likelier it is (logit quantal response). For games whose tree is not too large.",
        parameters: vec![
            Parameter {
                name: TO,
                kind: Kind::Path,
                default: "there is none",
                needs: &[],
                doc: "The file with the strategies that it answers.",
            },
            Parameter {
                name: LAMBDA,
                kind: Kind::Amount {
                    least: 0.0,
                    greatest: 1e9,
                },
                default: "1",
                needs: &[],
                doc: "How sure it is to find what is better, by unit of payoff (λ): with 0 it plays any plan, with much one of the best.",
            },
            Parameter {
                name: BLUR,
                kind: Kind::Share,
                default: "0",
                needs: &[],
                doc: "How badly it has watched: with this probability it takes the others to make each choice evenly.",
            },
            nodes("5000000", "Refuse a game whose tree has more nodes."),
        ],
        needs_perfect_information: false,
        way: Way::Answering,
    }
}

pub fn solved() -> Entry {
    Entry {
        name: "solve",
        doc: "Solves the game before play begins, as `ruse solve` does, and plays the strategy that is found. For small games.",
        parameters: parameters(),
        needs_perfect_information: false,
        way: Way::Solved,
    }
}

fn parameters() -> Vec<Parameter> {
    let mut all = vec![Parameter {
        name: METHOD,
        kind: Kind::Word(names(|_| true)),
        default: "the first of them that takes the game",
        needs: &[],
        doc: "How to solve it.",
    }];
    for method in METHODS {
        for parameter in method.parameters {
            if all.iter().all(|p| p.name != parameter.name) {
                all.push(of_methods(parameter));
            }
        }
    }
    all.push(Parameter {
        needs: vec![Need::Word(METHOD, names(|m| m.is_random))].leak(),
        ..seed("Everything random in the method comes from this number.")
    });
    let doc =
        "Refuse a game whose tree has more nodes, with a method that goes over information states.";
    all.push(Parameter {
        needs: vec![Need::Word(
            METHOD,
            names(|m| matches!(m.solver, Solver::Tree(_))),
        )]
        .leak(),
        ..nodes("1000000", doc)
    });
    all.push(Parameter {
        name: MEMORY,
        kind: Kind::Count {
            least: 1,
            greatest: 1 << 30,
        },
        default: "256",
        needs: vec![Need::Word(METHOD, names(|m| matches!(m.solver, Solver::States)))].leak(),
        doc: "Refuse a game whose states need more memory, in MiB, with a method that goes over states.",
    });
    all
}

/// A parameter of methods as one of the player. What it goes with follows from the methods that take it.
fn of_methods(parameter: &'static methods::Parameter) -> Parameter {
    let takes = names(|m| m.parameter(parameter.name).is_some());
    let mut needs = vec![Need::Word(METHOD, takes)];
    if let Some((other, word)) = parameter.only_with {
        needs.push(Need::Word(other, vec![word].leak()));
    }
    Parameter {
        needs: needs.leak(),
        ..of_method(parameter)
    }
}

/// The names of some methods. They are made once, with the catalogue.
fn names(which: impl Fn(&Method) -> bool) -> &'static [&'static str] {
    let which = METHODS.iter().filter(|m| which(m));
    which.map(|m| m.name).collect::<Vec<_>>().leak()
}
