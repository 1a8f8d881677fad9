//! Smooth UCT (Heinrich & Silver 2015).

use super::belief_parameters;
use super::information_sets::{Decide, Keying, Options, Selection};
use super::ismcts::{EXPLORATION, FINAL};
use super::mcts::policies::C;
use super::mcts::{FinalChoice, RollOuts, roll_outs};
use super::parameters::{Kind, Parameter, Values};
use super::searcher::{Declaration, Make};

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
    with: None,
    doc: "η: how often an action is selected by UCB1 at a node that was never passed before.",
};

const GAMMA: Parameter = Parameter {
    name: "gamma",
    kind: Kind::Share,
    default: "0.1",
    with: None,
    doc: "γ: how often at least it is, however often the node was passed.",
};

const D: Parameter = Parameter {
    name: "d",
    kind: Kind::Number,
    default: "0.001",
    with: None,
    doc: "How fast that falls: with N visits it is η / (1 + d·√N).",
};

static PARAMETERS: [Parameter; 9] = [
    ETA,
    GAMMA,
    D,
    EXPLORATION,
    FINAL.or(FinalChoice::WORDS[2]),
    roll_outs::PARAMETERS[0],
    roll_outs::PARAMETERS[1],
    belief_parameters::PARAMETERS[0],
    belief_parameters::PARAMETERS[1],
];

fn options(values: &Values) -> Options {
    let word = values.word(FinalChoice::NAME);
    Options {
        keying: Keying::Movers,
        selection: Selection::Smooth {
            c: values.number(C.name),
            eta: values.number_of(&ETA),
            gamma: values.number_of(&GAMMA),
            d: values.number_of(&D),
        },
        roll_outs: RollOuts::of(values),
        final_choice: FinalChoice::of(word.or(Some(FinalChoice::WORDS[2]))),
        decide: Decide::default(),
        belief: belief_parameters::options(values),
    }
}
