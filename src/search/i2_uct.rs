//! I2-UCT (Karwowski & Mańdziuk 2019, section 3.2 and Algorithm 1).

use super::belief_parameters::{MODEL, OTHERS_ALONE, others};
use super::exploration::{C, Constant};
use super::mcts::FinalChoice;
use super::parameters::{Kind, Parameter, Values};
use super::replayed::Options;
use super::searcher::{Declaration, Make};

pub static I2_UCT: Declaration = Declaration {
    name: "i2_uct",
    doc: "I2-UCT (Karwowski & Mańdziuk 2019): UCT against players who are taken to play something known. Before every playout the \
          player's own moves are replayed against them, and the playout goes on from where that leads. Tends to the best answer.",
    parameters: || &PARAMETERS,
    make: Make::History(|values| Box::new(options(values))),
};

/// What the paper plays: the move with the highest mean.
const FINAL: &str = FinalChoice::WORDS[1];

static PARAMETERS: [Parameter; 4] = [
    OTHERS_ALONE,
    MODEL,
    C,
    Parameter {
        name: FinalChoice::NAME,
        kind: Kind::Word(&FinalChoice::WORDS),
        default: FINAL,
        needs: &[],
        doc: "The move to play: the one with the most visits, the one with the highest mean payoff, or one at random by its \
              share of the visits.",
    },
];

fn options(values: &Values) -> Options {
    let word = values.word(FinalChoice::NAME);
    Options {
        others: others(values),
        c: Constant::of(values),
        final_choice: FinalChoice::of(word.or(Some(FINAL))),
    }
}
