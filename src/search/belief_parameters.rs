//! What every search over a belief lets one set about the belief.

use super::parameters::{Kind, Parameter, Values};
use crate::belief::{Options, Weighting};

const WORDS: [&str; 2] = ["support", "posterior"];

const BELIEF: Parameter = Parameter {
    name: "belief",
    kind: Kind::Word(&WORDS),
    default: WORDS[0],
    with: None,
    doc: "What a state that fits what the player saw weighs: as much as any other, or its probability if all others choose \
          uniformly.",
};

const STATES: Parameter = Parameter {
    name: "states",
    kind: Kind::Count {
        least: 1,
        greatest: 10_000_000,
    },
    default: "20000",
    with: None,
    doc: "How many states are kept at the most; of more, up to 500 are drawn.",
};

pub const PARAMETERS: [Parameter; 2] = [BELIEF, STATES];

/// The belief that is set.
pub fn options(values: &Values) -> Options {
    let default = Options::default();
    Options {
        weighting: match values.word(BELIEF.name) {
            Some("posterior") => Weighting::Posterior,
            _ => Weighting::Support,
        },
        most: values
            .count(STATES.name)
            .map_or(default.most, |most| most as usize),
        ..default
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
