//! Information set Monte Carlo tree search (Cowling, Powley & Whitehouse 2012).

use super::exploration::Constant;
use super::information_sets::{Keying, Options, Selection, parameters};
use super::mcts::FinalChoice;
use super::parameters::{Kind, Need, Parameter, Values};
use super::searcher::{Declaration, Make};
use std::sync::LazyLock;

pub static ISMCTS: Declaration = Declaration {
    name: "ismcts",
    doc: "Information set Monte Carlo tree search (Cowling, Powley & Whitehouse 2012): every simulation begins in a state \
          that fits what the player saw, and learns for what the mover knows.",
    parameters: || &PARAMETERS,
    make: Make::Belief(|values| Box::new(options(values))),
};

const VARIANT: Parameter = Parameter {
    name: "variant",
    kind: Kind::Word(&["mo", "so"]),
    default: "mo",
    needs: &[],
    doc: "A tree for each player, of what that player sees, or one tree of what the searching player sees, in which others' \
          actions that look the same to it are one.",
};

const FINAL: &str = FinalChoice::WORDS[0];

static PARAMETERS: LazyLock<Vec<Parameter>> =
    LazyLock::new(|| parameters::parameters(&[VARIANT, REDETERMINIZE, parameters::REUSE], FINAL));

const REDETERMINIZE: Parameter = Parameter {
    needs: &[Need::Word(VARIANT.name, &["mo"])],
    ..parameters::REDETERMINIZE
};

fn options(values: &Values) -> Options {
    let keying = match values.word(VARIANT.name) {
        Some("so") => Keying::Searchers,
        _ => Keying::Movers,
    };
    let selection = Selection::Ucb {
        c: Constant::of(values),
    };
    Options {
        redeterminized: parameters::is_on(values, &REDETERMINIZE),
        reuse: parameters::is_on(values, &parameters::REUSE),
        ..parameters::options(values, keying, selection, FINAL)
    }
}
