//! Who plays where nobody is named: the first player of a table whose class the game is of.

use super::spec::PlayerSpec;
use super::suits;
use crate::machine::{Actions, Machine, PlayError, Turn};
use crate::random::stream;
use crate::search::mcts::MOST_FILLED;
use crate::search::supported_games::CONSTANT_SUM;

/// A class of games, and its player.
struct Class {
    player: &'static str,
    /// What its games are like, as a reason.
    because: &'static str,
    holds: fn(&Machine) -> bool,
}

/// In this order; the last takes every game.
const CLASSES: [Class; 7] = [
    Class {
        player: "uct",
        because: "everything is seen, and one player moves at a time",
        holds: |machine| is_open(machine) && !machine.features().simultaneous,
    },
    Class {
        player: "uct",
        because: "everything is seen, and players have too many moves at the same time to learn which mix of them is best",
        holds: |machine| is_open(machine) && has_large_choices(machine).unwrap_or(false),
    },
    Class {
        player: "smmcts",
        because: "everything is seen, and players move at the same time",
        holds: |machine| is_open(machine) && (CONSTANT_SUM.lacks)(machine).is_none(),
    },
    Class {
        player: "uct",
        because: "everything is seen, players move at the same time, and they are not two with opposed payoffs",
        holds: is_open,
    },
    // What somebody was told alone may be on view nowhere.
    Class {
        player: "ismcts(belief=posterior, reuse=true)",
        because: "something is hidden, and is revealed to some",
        holds: |machine| machine.features().reveals_to_some,
    },
    Class {
        player: "ismcts(belief=posterior)",
        because: "something is hidden",
        holds: |_| true,
    },
    Class {
        player: "random",
        because: "no other player takes the game",
        holds: |_| true,
    },
];

fn is_open(machine: &Machine) -> bool {
    machine.features().hidden.is_empty()
}

/// How far a game is looked into for large choices.
const PLIES: usize = 200;

/// Whether players have more joint moves somewhere, in one game at random, than a search plays out each for itself.
fn has_large_choices(machine: &Machine) -> Result<bool, PlayError> {
    let mut rng = stream(0, &[]);
    let mut state = machine.initial()?;
    let mut actions = Actions::default();
    for _ in 0..PLIES {
        let chosen = match machine.turn(&state) {
            Turn::Terminal => break,
            Turn::Chance => vec![machine.sample_chance(&state, &mut rng)?],
            Turn::Decision(players) => {
                let mut joint = 1u64;
                let mut chosen = Vec::new();
                for player in players {
                    machine.legal(&state, player, &mut actions)?;
                    joint = joint.saturating_mul(actions.len() as u64);
                    chosen.push(machine.sample(&state, player, &mut rng)?);
                }
                if chosen.len() > 1 && joint > MOST_FILLED {
                    return Ok(true);
                }
                chosen
            }
        };
        machine.step(&mut state, &chosen)?;
    }
    Ok(false)
}

/// The player of a game where nobody is named.
#[derive(Clone, Debug)]
pub struct Usual {
    pub spec: PlayerSpec,
    /// What games like this one are like, in words that follow "since".
    pub because: &'static str,
}

impl Usual {
    /// Which one it is and why, in a line.
    pub fn line(&self) -> String {
        let Usual { spec, because } = self;
        format!("nobody is named, so it is {spec}: {because}")
    }
}

/// The best general player for games of this kind; `None` where no player takes the game.
pub fn usual(machine: &Machine) -> Option<Usual> {
    let classes = CLASSES.iter().filter(|class| (class.holds)(machine));
    let mut players = classes.filter_map(|class| {
        let spec = PlayerSpec::parse(class.player).ok()?;
        let because = class.because;
        suits(&spec, machine)
            .is_ok()
            .then_some(Usual { spec, because })
    });
    players.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_has_its_player() {
        let game = |players: &str, seen: &str, play: &str, payoff: &str| {
            let text = format!(
                "game Any {{ players {{ {players} }} state {{ a : [p : Player] 0..1 {seen} }}
                   play {{ {play} }} payoff {payoff} }}"
            );
            let (machine, _) = crate::load(&text, &Default::default()).expect("a game");
            usual(&machine).map(|u| u.spec.to_string())
        };
        let zero = "zero-sum: [p in Player] 0";
        let turns = "each p in Player { p chooses x in 0..1 into a[p] }";
        let together = "together each p in Player { p chooses x in 0..1 into a[p] }";
        let found = |players, play, payoff| game(players, "", play, payoff).expect("a player");
        assert_eq!(found("Ann, Ben", turns, zero), "uct(playouts=1000)");
        assert_eq!(found("Ann, Ben", together, zero), "smmcts(playouts=1000)");
        assert_eq!(found("Ann, Ben, Cyd", together, zero), "uct(playouts=1000)");
        assert_eq!(
            found("Ann, Ben", together, "general-sum: [p in Player] a[p]"),
            "uct(playouts=1000)"
        );
        let many = "together each p in Player { p chooses x in 0..1 into a[p], y in 1..20 as \"{x} {y}\" }";
        assert_eq!(found("Ann, Ben", many, zero), "uct(playouts=1000)");
        let hidden = game("Ann, Ben", "seen by p", turns, zero);
        assert_eq!(
            hidden.expect("a player"),
            "ismcts(playouts=1000, belief=posterior)"
        );
        let told = "draw secretly c in 0..1  reveal(c to Ben)  Ann chooses x in 0..1 into a[Ann]";
        assert_eq!(
            game("Ann, Ben", "", told, zero).expect("a player"),
            "ismcts(playouts=1000, reuse=true, belief=posterior)"
        );
    }

    #[test]
    fn the_table_is_of_players() {
        for class in &CLASSES {
            assert!(PlayerSpec::parse(class.player).is_ok(), "{}", class.player);
        }
    }
}
