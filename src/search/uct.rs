//! UCT (Kocsis & Szepesvári 2006; Gelly et al. 2012, sections 3.3 and 3.4) for any number of players, with chance nodes and
//! simultaneous choices: the tree of `mcts`, with UCB1 for every player to move.
//!
//! - **Selection.** Where several choose at once this is decoupled UCT (DUCT: Lanctot, Lisý & Winands 2013, section 3.1,
//!   eq. 2), and the child is that of the joint action.
//! - **Growth.** One cell a simulation ([`Expansion::Cell`]). The matrix of joint actions is not filled first: each player
//!   tries every action once, then UCB1 decides.
//! - **Update.** Each player's payoff is added to the action that this player chose (maxⁿ: everybody maximises their own
//!   mean).
//!
//! In a simultaneous game DUCT need not converge to an equilibrium (the same paper, section 4.3).

use super::exploration::C;
use super::mcts::policies::duct;
use super::mcts::{Expansion, FinalChoice, Nodes, Options, RollOuts, roll_outs};
use super::parameters::{Kind, Parameter, Values};
use super::searcher::{Declaration, Make};

pub static UCT: Declaration = Declaration {
    name: "uct",
    doc: "Monte Carlo tree search with UCB1 (Kocsis & Szepesvári 2006), for any number of players, with chance; where \
          several choose at once, decoupled (DUCT). Needs perfect information.",
    parameters: || &PARAMETERS,
    make: Make::State(|values| Box::new(options(values.clone()))),
};

static PARAMETERS: [Parameter; 5] = [
    C,
    Parameter {
        name: FinalChoice::NAME,
        kind: Kind::Word(&FinalChoice::WORDS),
        default: FinalChoice::WORDS[0],
        needs: &[],
        doc: "The move to play: the one with the most visits, the one with the highest mean payoff, or one at random by \
              its share of the visits.",
    },
    roll_outs::PARAMETERS[0],
    roll_outs::PARAMETERS[1],
    roll_outs::PARAMETERS[2],
];

/// UCT with these of its parameters set.
pub fn options(values: Values) -> Options {
    Options {
        select: &duct::UCB1,
        expansion: Expansion::Cell,
        nodes: Nodes::Histories,
        roll_outs: RollOuts::of(&values),
        values,
    }
}
