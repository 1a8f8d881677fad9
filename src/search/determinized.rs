//! Determinization: search in states that fit what the player saw as if everybody saw everything (Nijssen & Winands 2012,
//! section IV-B).

use super::belief_parameters;
use super::information_sets::{Decide, Keying, Options, Selection};
use super::ismcts::{EXPLORATION, FINAL};
use super::mcts::policies::C;
use super::mcts::{FinalChoice, RollOuts, roll_outs};
use super::parameters::{Kind, Parameter, Values};
use super::searcher::{Declaration, Make};

pub static DETERMINIZED: Declaration = Declaration {
    name: "determinized",
    doc: "UCT with determinization (Nijssen & Winands 2012, section IV-B): every simulation begins in a state that fits what \
          the player saw, and everybody moves as if they knew it.",
    parameters: || &PARAMETERS,
    make: Make::Belief(|values| Box::new(options(values))),
};

const TREES: &str = "trees";
const DECIDE: &str = "decide";

static PARAMETERS: [Parameter; 8] = [
    Parameter {
        name: TREES,
        kind: Kind::Word(&["single", "separate"]),
        default: "single",
        with: None,
        doc: "One tree for all states, where below the root only what is possible in the state at hand is considered, or a \
              tree for each state that is drawn.",
    },
    Parameter {
        name: DECIDE,
        kind: Kind::Word(&["vote", "average"]),
        default: "vote",
        with: Some((TREES, &["separate"])),
        doc: "Each tree has a vote for its own final choice, or the visits and payoffs of all trees are added up.",
    },
    EXPLORATION,
    FINAL,
    roll_outs::PARAMETERS[0],
    roll_outs::PARAMETERS[1],
    belief_parameters::PARAMETERS[0],
    belief_parameters::PARAMETERS[1],
];

fn options(values: &Values) -> Options {
    Options {
        keying: match values.word(TREES) {
            Some("separate") => Keying::Determinizations,
            _ => Keying::Actions,
        },
        selection: Selection::Ucb {
            c: values.number(C.name),
        },
        roll_outs: RollOuts::of(values),
        final_choice: FinalChoice::of(values.word(FinalChoice::NAME)),
        decide: match values.word(DECIDE) {
            Some("average") => Decide::Average,
            _ => Decide::Vote,
        },
        belief: belief_parameters::options(values),
    }
}
