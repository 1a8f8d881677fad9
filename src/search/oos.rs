//! Online outcome sampling (Lisý, Lanctot & Bowling 2015).

use super::mcts::{RollOuts, roll_outs};
use super::outcome_sampling::Options;
use super::parameters::{Kind, Need, Parameter, Values};
use super::searcher::{Declaration, Make};

pub static OOS: Declaration = Declaration {
    name: "oos",
    doc: "Online outcome sampling (Lisý, Lanctot & Bowling 2015): Monte Carlo counterfactual regret minimisation of the whole \
          game, aimed at what the player saw, which goes on from move to move. With two players and zero sum it tends to an \
          equilibrium.",
    parameters: || &PARAMETERS,
    make: Make::History(|values| Box::new(options(values))),
};

const TARGETING: Parameter = Parameter {
    name: "targeting",
    kind: Kind::Share,
    default: "0.5",
    needs: &[],
    doc: "δ: the share of playouts that are aimed at what the player saw. With 1 it tends to an equilibrium no more.",
};

const EXPLORATION: Parameter = Parameter {
    name: "exploration",
    kind: Kind::Share,
    default: "0.4",
    needs: &[],
    doc: "ε: how often, in a playout in which a player explores, it chooses evenly among its moves. With 0 it tends to an \
          equilibrium no more.",
};

const TREMBLING: Parameter = Parameter {
    name: "trembling",
    kind: Kind::Share,
    default: "0.05",
    needs: &[Need::NotZero(TARGETING.name)],
    doc: "η: how likely at least everybody is taken to have chosen what the player saw, itself too, so that it goes on learning \
          after a choice that its strategy makes no more",
};

const BASELINES: Parameter = Parameter {
    name: "baselines",
    kind: Kind::Word(&["none", "learned"]),
    default: "learned",
    needs: &[],
    doc: "Whether what was learned of choices stands in for what is not sampled, so that estimates vary less (VR-MCCFR: Schmid \
          and others 2019)",
};

const REGRETS: Parameter = Parameter {
    name: "regrets",
    kind: Kind::Word(&["all", "positive"]),
    default: "positive",
    needs: &[],
    doc: "What is kept of regrets: all, or none below 0, so that a choice that was bad so far is taken as soon as it is better \
          (regret matching+: Tammelin 2014); without baselines the noise of samples may add up",
};

const AVERAGES: Parameter = Parameter {
    name: "averages",
    kind: Kind::Word(&["even", "linear"]),
    default: "even",
    needs: &[],
    doc: "How the games that were sampled count in the average strategy, which is played: all alike, or the n-th n times, so that \
          what was played before anything was learned is soon forgotten (CFR+: Tammelin 2014)",
};

static PARAMETERS: [Parameter; 9] = [
    TARGETING,
    EXPLORATION,
    TREMBLING,
    BASELINES,
    REGRETS,
    AVERAGES,
    roll_outs::PARAMETERS[0],
    roll_outs::PARAMETERS[1],
    roll_outs::PARAMETERS[2],
];

fn options(values: &Values) -> Options {
    Options {
        targeting: values.number_of(&TARGETING),
        exploration: values.number_of(&EXPLORATION),
        trembling: values.number_of(&TREMBLING),
        baselines: values.word_of(&BASELINES) == "learned",
        positive_regrets: values.word_of(&REGRETS) == "positive",
        linear_averages: values.word_of(&AVERAGES) == "linear",
        roll_outs: RollOuts::of(values),
    }
}
