//! What every search over information sets lets one set, beside what it has of its own.

use super::categories::{Categories, Shares};
use super::{Coalition, Credit, Decide, Keying, Options, Selection};
use crate::search::belief_parameters;
use crate::search::each::Each;
use crate::search::exploration::C;
use crate::search::mcts::{FinalChoice, RollOuts, roll_outs};
use crate::search::parameters::{Kind, Need, Parameter, Values};

/// The final choice.
const FINAL: Parameter = Parameter {
    name: FinalChoice::NAME,
    kind: Kind::Word(&FinalChoice::WORDS),
    default: FinalChoice::WORDS[0],
    needs: &[],
    doc: "The move to play: the one with the most visits, the one with the highest mean payoff, or one at random by its \
          share of the visits.",
};

const W: Parameter = Parameter {
    name: "w",
    kind: Kind::Number,
    default: "0",
    needs: &[],
    doc: "W of Progressive History (Nijssen & Winands 2012, eq. 1): how much it counts what a move brought wherever it was \
          played, in the tree and in roll-outs, in units of the player's payoff range; 0 is off.",
};

const CREDIT_WORDS: [&str; 3] = ["none", "root", "member"];

const COALITION: Parameter = Parameter {
    name: "coalition",
    kind: Kind::Word(&CREDIT_WORDS),
    default: CREDIT_WORDS[0],
    needs: &[],
    doc: "Coalition Reduction (Nijssen & Winands 2012, section IV-E): a member of a team is credited with less where another \
          member's choice ended the game. Who is asked whether it is credited: nobody, the searching player for all nodes \
          of its team, or each member at its own.",
};

const R: Parameter = Parameter {
    name: "r",
    kind: Kind::Share,
    default: "0.1",
    needs: &[Need::Word(COALITION.name, &["root", "member"])],
    doc: "r of Coalition Reduction: the part of the team's payoff that a member is then not credited with.",
};

const WEIGHTS_NAME: &str = "weights";
const DRAW_NAME: &str = "draw";

const CATEGORY: Parameter = Parameter {
    name: "category",
    kind: Kind::Name,
    default: "none",
    needs: &[Need::AnyOf(&[WEIGHTS_NAME, DRAW_NAME])],
    doc: "Location Categorization (Nijssen & Winands 2012, section IV-D): the category of the player's knowledge by whose \
          classes states weigh, as these were when its place last changed.",
};

const WEIGHTS: Parameter = Parameter {
    name: WEIGHTS_NAME,
    kind: Kind::Weights,
    default: "1",
    needs: &[Need::AnyOf(&[CATEGORY.name])],
    doc: "What the classes weigh. One without a class is for all that are not named; else these weigh nothing.",
};

const STEP_WORDS: [&str; 2] = ["one_step", "two_step"];

const DRAW: Parameter = Parameter {
    name: DRAW_NAME,
    kind: Kind::Word(&STEP_WORDS),
    default: STEP_WORDS[0],
    needs: &[Need::AnyOf(&[CATEGORY.name])],
    doc: "What the weights are of: each state of a class (eq. 3), or the class, which its states share (eq. 4).",
};

/// The categories that are set.
fn categories_of(values: &Values) -> Option<Categories> {
    let name = values.name(CATEGORY.name)?.to_string();
    let weights = values.numbers(WEIGHTS.name);
    Some(Categories {
        name,
        weights: match weights.is_empty() {
            true => Each::all(1.0),
            false => weights,
        },
        shares: match values.word(DRAW.name) {
            Some("two_step") => Shares::TwoStep,
            _ => Shares::OneStep,
        },
    })
}

const FILTER_WORDS: [&str; 2] = ["none", "root"];

const FILTER: Parameter = Parameter {
    name: "filter",
    kind: Kind::Word(&FILTER_WORDS),
    default: FILTER_WORDS[0],
    needs: &[],
    doc: "Whether the player looks, where it is asked, only at the moves that the filters of its knowledge keep, and amends the \
          one that it has chosen.",
};

const SWITCH: [&str; 2] = ["false", "true"];

/// For searches whose nodes go by what somebody saw.
pub const REUSE: Parameter = Parameter {
    name: "reuse",
    kind: Kind::Word(&SWITCH),
    default: SWITCH[0],
    needs: &[],
    doc: "Whether what was learned at one question is of use at the next ones of the game. Nodes then go by all that somebody \
          saw in the game.",
};

/// For searches in which everybody has nodes.
pub const REDETERMINIZE: Parameter = Parameter {
    name: "redeterminize",
    kind: Kind::Word(&SWITCH),
    default: SWITCH[0],
    needs: &[],
    doc: "Whether others in the tree learn where they may be by what they know themselves, and not by what the searching \
          player knows (Re-determinizing ISMCTS: Goodman 2019). Simulations from their beliefs count as playouts.",
};

/// Whether one of these two is set.
pub fn is_on(values: &Values, parameter: &Parameter) -> bool {
    values.word(parameter.name) == Some(SWITCH[1])
}

/// The parameters of a search with some of its own, which come first, and this default for the final choice.
pub fn parameters(own: &[Parameter], final_choice: &'static str) -> Vec<Parameter> {
    let mut all = own.to_vec();
    all.extend([C, W, COALITION, R, FILTER, FINAL.or(final_choice)]);
    all.extend(roll_outs::PARAMETERS);
    all.extend(belief_parameters::PARAMETERS);
    all.extend([CATEGORY, WEIGHTS, DRAW]);
    all
}

/// The options that are set, of a search with this default for the final choice.
pub fn options(
    values: &Values,
    keying: Keying,
    selection: Selection,
    final_choice: &'static str,
) -> Options {
    let word = values.word(FinalChoice::NAME);
    Options {
        keying,
        selection,
        history: values.number_of(&W),
        coalition: Coalition {
            credit: match values.word(COALITION.name) {
                Some("root") => Some(Credit::Root),
                Some("member") => Some(Credit::Member),
                _ => None,
            },
            reduction: values.number_of(&R),
        },
        categories: categories_of(values),
        filtered: values.word(FILTER.name) == Some("root"),
        roll_outs: RollOuts::of(values),
        final_choice: FinalChoice::of(word.or(Some(final_choice))),
        decide: Decide::default(),
        redeterminized: false,
        reuse: false,
        belief: belief_parameters::options(values),
    }
}
