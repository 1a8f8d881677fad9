//! C, the exploration constant of UCB1, of every search that selects by it.

use super::parameters::{Kind, Parameter, Values};
use crate::machine::Machine;
use smallvec::SmallVec;
use std::f64::consts::FRAC_1_SQRT_2;

/// The word by which C goes by the rules.
const RULES: &str = "rules";

/// The parameter.
pub const C: Parameter = Parameter {
    name: "c",
    kind: Kind::NumberOr(RULES),
    default: "the range of the player's payoffs in the search so far, times 1/√2",
    needs: &[],
    doc: "The exploration constant C of UCB1, in units of payoff as the game states them; `rules`: the range of all that the \
          rules let the player get, times 1/√2.",
};

/// Where C comes from.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub enum Constant {
    /// The range of what simulations have brought the player so far, times 1/√2. Until two of them differ, as [`Constant::Rules`].
    ///
    /// What can be shown of payoffs by the rules may be far more than ever comes of play (hundreds of points where games are
    /// decided by three). With such a C all actions are tried as often, and the one that is tried most is any.
    #[default]
    Seen,
    /// The range of the player's payoffs by the rules, times 1/√2. (UCB1's own bound, for payoffs between 0 and 1, has C = √2; in
    /// games half of it usually plays better.)
    Rules,
    /// In units of payoff.
    Set(f64),
}

impl Constant {
    /// As it is set.
    pub fn of(values: &Values) -> Constant {
        match (values.number(C.name), values.word(C.name)) {
            (Some(c), _) => Constant::Set(c),
            (None, Some(_)) => Constant::Rules,
            (None, None) => Constant::Seen,
        }
    }
}

/// C of each player in a search.
#[derive(Clone, Debug)]
pub struct Exploration {
    learns: bool,
    players: SmallVec<[Player; 8]>,
}

#[derive(Clone, Debug)]
struct Player {
    c: f64,
    /// The least and the greatest payoff so far; the other way round before there is one.
    seen: (f64, f64),
}

impl Exploration {
    /// Before the first simulation.
    pub fn new(machine: &Machine, constant: Constant) -> Exploration {
        let bounds = machine.features().payoff_bounds.iter();
        Exploration {
            learns: constant == Constant::Seen,
            players: bounds
                .map(|(least, most)| Player {
                    c: match constant {
                        Constant::Set(c) => c,
                        Constant::Rules | Constant::Seen => (most - least) * FRAC_1_SQRT_2,
                    },
                    seen: (f64::INFINITY, f64::NEG_INFINITY),
                })
                .collect(),
        }
    }

    /// C of a player, in units of payoff.
    #[inline]
    pub fn c(&self, player: usize) -> f64 {
        self.players[player].c
    }

    /// Hears what a simulation brought each player.
    #[inline]
    pub fn learn(&mut self, payoffs: &[f64]) {
        if !self.learns {
            return;
        }
        for (player, &payoff) in std::iter::zip(&mut self.players, payoffs) {
            let (least, most) = player.seen;
            if payoff < least || payoff > most {
                player.widen(payoff);
            }
        }
    }
}

impl Player {
    #[cold]
    fn widen(&mut self, payoff: f64) {
        let (least, most) = self.seen;
        self.seen = (least.min(payoff), most.max(payoff));
        if self.seen.0 < self.seen.1 {
            self.c = (self.seen.1 - self.seen.0) * FRAC_1_SQRT_2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::parameters::Value;

    fn exploration(constant: Constant) -> Exploration {
        let text = "game Any { players { Ann, Ben } state { won : 0..9 }
          play { Ann chooses x in 0..9 into won }  payoff general-sum: { Ann: 100 * won  Ben: won } }";
        let (machine, _) = crate::load(text, &Default::default()).expect("a game");
        Exploration::new(&machine, constant)
    }

    /// C of both, in units of 1/√2.
    fn both(exploration: &Exploration) -> [f64; 2] {
        [0, 1].map(|p| (exploration.c(p) / FRAC_1_SQRT_2 * 1e6).round() / 1e6)
    }

    #[test]
    fn c_is_the_range_that_was_seen() {
        let mut c = exploration(Constant::Seen);
        let mut after = |payoffs: [f64; 2]| {
            c.learn(&payoffs);
            both(&c)
        };
        assert_eq!(after([300.0, 3.0]), [900.0, 9.0]);
        assert_eq!(after([300.0, 3.0]), [900.0, 9.0]);
        assert_eq!(after([400.0, 3.0]), [100.0, 9.0]);
        assert_eq!(after([350.0, 1.0]), [100.0, 2.0]);
        assert_eq!(after([200.0, 4.0]), [200.0, 3.0]);
    }

    #[test]
    fn other_constants_stay() {
        for (constant, expected) in [
            (Constant::Rules, [900.0, 9.0]),
            (Constant::Set(2.0 * FRAC_1_SQRT_2), [2.0, 2.0]),
        ] {
            let mut c = exploration(constant);
            assert_eq!(both(&c), expected);
            c.learn(&[100.0, 1.0]);
            c.learn(&[300.0, 3.0]);
            assert_eq!(both(&c), expected);
        }
    }

    #[test]
    fn the_parameter_says_which() {
        let of = |value| Constant::of(&Values::default().with(C.name, value));
        assert_eq!(Constant::of(&Values::default()), Constant::Seen);
        assert_eq!(of(Value::Word(RULES)), Constant::Rules);
        assert_eq!(of(Value::Number(0.5)), Constant::Set(0.5));
    }
}
