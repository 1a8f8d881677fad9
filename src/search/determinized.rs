//! Determinization: search in states that fit what the player saw as if everybody saw everything (Nijssen & Winands 2012,
//! section IV-B).

use super::exploration::Constant;
use super::information_sets::{Decide, Keying, Options, Selection, parameters};
use super::mcts::FinalChoice;
use super::parameters::{Kind, Need, Parameter, Values};
use super::searcher::{Declaration, Make};
use std::sync::LazyLock;

pub static DETERMINIZED: Declaration = Declaration {
    name: "determinized",
    doc: "UCT with determinization (Nijssen & Winands 2012, section IV-B): every simulation begins in a state that fits what \
          the player saw, and everybody moves as if they knew it.",
    parameters: || &PARAMETERS,
    make: Make::Belief(|values| Box::new(options(values))),
};

const TREES: Parameter = Parameter {
    name: "trees",
    kind: Kind::Word(&["single", "separate"]),
    default: "single",
    needs: &[],
    doc: "One tree for all states, where below the root only what is possible in the state at hand is considered, or a tree \
          for each state that is drawn.",
};

const DECIDE: Parameter = Parameter {
    name: "decide",
    kind: Kind::Word(&["vote", "average"]),
    default: "vote",
    needs: &[Need::Word(TREES.name, &["separate"])],
    doc: "Each tree has a vote for its own final choice, or the move with the highest mean payoff over all trees is \
          taken.",
};

const FINAL: &str = FinalChoice::WORDS[0];

static PARAMETERS: LazyLock<Vec<Parameter>> = LazyLock::new(|| {
    let mut all = parameters::parameters(&[TREES, DECIDE], FINAL);
    // An average is over means, whatever would be the choice of each tree.
    for parameter in all.iter_mut().filter(|p| p.name == FinalChoice::NAME) {
        parameter.needs = &[Need::Word(DECIDE.name, &["vote"])];
    }
    all
});

fn options(values: &Values) -> Options {
    let keying = match values.word(TREES.name) {
        Some("separate") => Keying::Determinizations,
        _ => Keying::Actions,
    };
    let selection = Selection::Ucb {
        c: Constant::of(values),
    };
    Options {
        decide: match values.word(DECIDE.name) {
            Some("average") => Decide::Average,
            _ => Decide::Vote,
        },
        ..parameters::options(values, keying, selection, FINAL)
    }
}
