//! What every search over a belief lets one set about the belief.

use super::mcts::roll_outs::WITH_HEURISTICS;
use super::parameters::{Kind, Need, Parameter, Values};
use super::supported_games::Unsuited;
use crate::belief::{Options, Others, Weighting};
use crate::machine::Machine;

const WORDS: [&str; 2] = ["support", "posterior"];

const BELIEF: Parameter = Parameter {
    name: "belief",
    kind: Kind::Word(&WORDS),
    default: WORDS[0],
    needs: &[],
    doc: "What a state that fits what the player saw weighs: as much as any other, or its probability if all others choose as \
          `others` says.",
};

const OTHERS_WORDS: [&str; 3] = ["uniform", "heuristic", "strategy"];

/// For a search that needs no belief to ask for it.
pub const OTHERS_ALONE: Parameter = Parameter {
    needs: &[],
    ..OTHERS
};

const OTHERS: Parameter = Parameter {
    name: "others",
    kind: Kind::Word(&OTHERS_WORDS),
    default: OTHERS_WORDS[0],
    needs: &[Need::Word(BELIEF.name, &[WORDS[1]])],
    doc: "How the others are taken to choose: uniformly; by the first playout heuristic that the game's knowledge has for each, \
          and uniformly one time in ten; or by the strategy in the file `model`.",
};

/// The file of a strategy.
pub const MODEL: Parameter = Parameter {
    name: "model",
    kind: Kind::Path,
    default: "there is none",
    needs: &[Need::Word(OTHERS.name, &[OTHERS_WORDS[2]])],
    doc: "A file that `ruse solve --save` or `ruse best-response --save` wrote.",
};

const STATES: Parameter = Parameter {
    name: "states",
    kind: Kind::Count {
        least: 1,
        greatest: 10_000_000,
    },
    default: "20000",
    needs: &[],
    doc: "How many states are kept at the most, as far as two gigabytes hold them; of more, up to 500 are drawn: as many as may be kept, but 50 at the least.",
};

/// So few are drawn at the least: of fewer, those that fit soon are copies of one.
const FEWEST_DRAWN: usize = 50;

pub const PARAMETERS: [Parameter; 4] = [BELIEF, OTHERS, MODEL, STATES];

/// The belief that is set.
pub fn options(values: &Values) -> Options {
    let default = Options::default();
    let most = values.count(STATES.name);
    let most = most.map_or(default.most, |most| most as usize);
    Options {
        weighting: match values.word(BELIEF.name) {
            Some("posterior") => Weighting::Posterior,
            _ => Weighting::Support,
        },
        others: others(values),
        most,
        particles: default.particles.min(most.max(FEWEST_DRAWN)),
        ..default
    }
}

/// How the others are taken to choose.
pub fn others(values: &Values) -> Others {
    match values.word(OTHERS.name) {
        Some("heuristic") => Others::Heuristic,
        Some("strategy") => Others::Strategy,
        _ => Others::Uniform,
    }
}

/// Whether the others are taken to play a strategy.
pub fn has_model(values: &Values) -> bool {
    values.word(OTHERS.name) == Some(OTHERS_WORDS[2])
}

/// Whether a game has what a belief needs.
///
/// # Errors
/// What is missing.
pub fn suits(options: &Options, machine: &Machine) -> Result<(), Box<Unsuited>> {
    has_others(options.others, machine)
}

/// Whether a game has what is needed to take the others to choose so.
///
/// # Errors
/// What is missing.
pub fn has_others(others: Others, machine: &Machine) -> Result<(), Box<Unsuited>> {
    let name = OTHERS.name;
    match others {
        Others::Heuristic => WITH_HEURISTICS.suits(machine, || {
            (format!("{name}=heuristic"), vec![format!("{name}=uniform")])
        }),
        Others::Uniform | Others::Strategy => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_is_what_the_list_says() {
        assert_eq!(STATES.default, Options::default().most.to_string());
    }
}
