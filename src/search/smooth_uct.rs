//! Smooth UCT (Heinrich & Silver 2015).

use super::exploration::Constant;
use super::information_sets::{Keying, Options, Selection, parameters};
use super::mcts::FinalChoice;
use super::parameters::{Kind, Need, Parameter, Values};
use super::searcher::{Declaration, Make};
use std::sync::LazyLock;

pub static SMOOTH_UCT: Declaration = Declaration {
    name: "smooth_uct",
    doc: "Smooth UCT (Heinrich & Silver 2015): information set search in which everybody plays, now and then and more and \
          more often, the mean of what they have tried, as in fictitious play.",
    parameters: || &PARAMETERS,
    make: Make::Belief(|values| Box::new(options(values))),
};

const ETA: Parameter = Parameter {
    name: "eta",
    kind: Kind::Share,
    default: "0.9",
    needs: &[Need::AtLeast("gamma")],
    doc: "η: how often an action is selected by UCB1 at a node that was never passed before.",
};

const GAMMA: Parameter = Parameter {
    name: "gamma",
    kind: Kind::Share,
    default: "0.1",
    needs: &[],
    doc: "γ: how often at least it is, however often the node was passed.",
};

const D: Parameter = Parameter {
    name: "d",
    kind: Kind::Number,
    default: "0.001",
    needs: &[],
    doc: "How fast that falls: with N visits it is η / (1 + d·√N).",
};

/// What is played in the end is the mean of what was tried.
const FINAL: &str = FinalChoice::WORDS[2];

static PARAMETERS: LazyLock<Vec<Parameter>> =
    LazyLock::new(|| parameters::parameters(&[ETA, GAMMA, D, parameters::REUSE], FINAL));

fn options(values: &Values) -> Options {
    let selection = Selection::Smooth {
        c: Constant::of(values),
        eta: values.number_of(&ETA),
        gamma: values.number_of(&GAMMA),
        d: values.number_of(&D),
    };
    Options {
        reuse: parameters::is_on(values, &parameters::REUSE),
        ..parameters::options(values, Keying::Movers, selection, FINAL)
    }
}
