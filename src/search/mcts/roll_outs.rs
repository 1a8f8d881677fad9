//! How a simulation plays on from where it leaves the tree to the end of the game.

use crate::machine::{
    Action, Machine, Move, Payoffs, PlayError, Played, PlayoutPolicy, Playouts, State,
};
use crate::model::{KnowledgeKind, PlayerSet};
use crate::random::Stream;
use crate::search::each::Each;
use crate::search::parameters::{Kind, Need, Parameter, Values};
use crate::search::supported_games::{Games, Unsuited};
use crate::text::nearest::nearest;

/// Plays on to the end, fills in what each player gets, in units of payoff as the description states them, and says who chose
/// last: several where they chose at once, nobody where nothing was chosen.
pub trait RollOut: Send {
    /// From a state.
    ///
    /// # Errors
    /// Those of play.
    fn play(
        &mut self,
        state: &State,
        rng: &mut Stream,
        payoffs: &mut Payoffs,
    ) -> Result<PlayerSet, PlayError>;

    /// As [`RollOut::play`], and pushes every action and outcome on `moves`.
    ///
    /// # Errors
    /// Those of play.
    fn play_observed(
        &mut self,
        state: &State,
        rng: &mut Stream,
        payoffs: &mut Payoffs,
        moves: &mut Vec<Move>,
    ) -> Result<PlayerSet, PlayError>;

    /// From a state after one step more, which these actions take.
    ///
    /// # Errors
    /// Those of play.
    fn play_after(
        &mut self,
        state: &State,
        actions: &[&Action],
        rng: &mut Stream,
        payoffs: &mut Payoffs,
    ) -> Result<PlayerSet, PlayError>;
}

/// Which actions are played.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum RollOuts {
    /// All of a player's with the same probability.
    #[default]
    Uniform,
    /// Those that a playout heuristic of the player prefers, evenly among them; with probability ε all with the same
    /// probability, and so where the player has no heuristic or it does not apply ("ε-greedy": Nijssen & Winands 2012,
    /// section IV-A).
    Heuristic {
        epsilon: Each<f64>,
        /// Names of heuristics, or [`NONE`]. Who is not named, or has none of the name for all others, goes by its first one.
        heuristics: Each<String>,
    },
}

/// In the place of a heuristic: the player chooses uniformly.
const NONE: &str = "none";

/// Games in whose knowledge a player has a playout heuristic.
pub static WITH_HEURISTICS: Games = Games {
    needs: "a playout heuristic in somebody's knowledge",
    lacks: |machine| {
        let none = (0..machine.player_count()).all(|player| first(machine, player).is_none());
        none.then(|| {
            (
                machine.description().payoff.span,
                "there is none".to_string(),
            )
        })
    },
};

const ROLLOUTS: &str = "rollouts";
const WORDS: [&str; 2] = ["uniform", "heuristic"];
const HEURISTICS_NAME: &str = "heuristics";

const EPSILON: Parameter = Parameter {
    name: "epsilon",
    kind: Kind::ShareEach,
    default: "0.1",
    needs: &[
        Need::Word(ROLLOUTS, &["heuristic"]),
        Need::Unless(HEURISTICS_NAME, NONE),
    ],
    doc: "The probability ε with which a choice of a roll-out is uniform after all. It may differ: 0.2 Ann:0.1 is 0.1 for Ann.",
};

const HEURISTICS: Parameter = Parameter {
    name: HEURISTICS_NAME,
    kind: Kind::NameEach,
    default: "the first of each player",
    needs: &[Need::Word(ROLLOUTS, &["heuristic"])],
    doc: "The playout heuristics of the game's knowledge by which roll-outs go: one for all who have it, or one for each \
          player or team that is named, none for a uniform choice.",
};

/// What every search with roll-outs lets one set.
pub const PARAMETERS: [Parameter; 3] = [
    Parameter {
        name: ROLLOUTS,
        kind: Kind::Word(&WORDS),
        default: WORDS[0],
        needs: &[],
        doc: "How simulations play on from where they leave the tree: uniformly, or each player by a playout heuristic that \
              the game's knowledge has for them.",
    },
    EPSILON,
    HEURISTICS,
];

impl RollOuts {
    /// Those that are set.
    pub fn of(values: &Values) -> RollOuts {
        match values.word(ROLLOUTS) {
            Some("heuristic") => RollOuts::Heuristic {
                epsilon: values.numbers(EPSILON.name),
                heuristics: values.names(HEURISTICS.name),
            },
            _ => RollOuts::Uniform,
        }
    }

    /// Whether a game has what they need.
    ///
    /// # Errors
    /// What is missing.
    pub fn suits(&self, machine: &Machine) -> Result<(), Box<Unsuited>> {
        let RollOuts::Heuristic {
            epsilon,
            heuristics,
        } = self
        else {
            return Ok(());
        };
        WITH_HEURISTICS.suits(machine, || {
            let uniform = format!("{ROLLOUTS}=uniform");
            (format!("{ROLLOUTS}=heuristic"), vec![uniform])
        })?;
        epsilon.names_players(machine, EPSILON.name)?;
        heuristics.names_players(machine, HEURISTICS.name)?;
        are_there(machine, heuristics)
    }

    /// A place to play them in.
    pub fn start<'m>(&self, machine: &'m Machine) -> Box<dyn RollOut + 'm> {
        let policy = match self {
            RollOuts::Uniform => PlayoutPolicy::default(),
            RollOuts::Heuristic {
                epsilon,
                heuristics,
            } => PlayoutPolicy::greedy_each((0..machine.player_count()).map(|player| {
                let epsilon = epsilon.of(machine, player).copied();
                let entry = match heuristics.of(machine, player) {
                    Some(none) if none == NONE => None,
                    Some(name) => heuristic(machine, player, name).or(first(machine, player)),
                    None => first(machine, player),
                };
                (
                    entry,
                    epsilon.unwrap_or_else(|| EPSILON.default.parse().unwrap_or(0.0)),
                )
            })),
        };
        Box::new(OneGo {
            machine,
            playouts: machine.playouts_by(&policy),
        })
    }
}

/// The playout heuristics of a player: entries of the game's knowledge, with their names.
fn heuristics_of(machine: &Machine, player: usize) -> impl Iterator<Item = (usize, &str)> {
    let entries = machine.knowledge_of(player);
    let entries = entries.filter(|(_, k)| matches!(k.kind, KnowledgeKind::Playout(_)));
    entries.map(|(entry, k)| (entry, k.name.as_str()))
}

fn first(machine: &Machine, player: usize) -> Option<usize> {
    machine.playout_heuristics().get(player).copied().flatten()
}

fn heuristic(machine: &Machine, player: usize, name: &str) -> Option<usize> {
    let mut entries = heuristics_of(machine, player);
    entries.find(|(_, n)| *n == name).map(|(entry, _)| entry)
}

/// Whether players have the heuristics that are named: all whom a name is for, or somebody where it is for everybody else.
fn are_there(machine: &Machine, heuristics: &Each<String>) -> Result<(), Box<Unsuited>> {
    for (who, players, name) in heuristics.groups(machine) {
        let has = |player| name == NONE || heuristic(machine, player, name).is_some();
        let there = match who {
            Some(_) => players.iter().all(has),
            None => players.iter().any(has),
        };
        if there {
            continue;
        }
        let lacking = players.iter().filter(|player| !has(*player));
        let names = lacking.flat_map(|player| heuristics_of(machine, player));
        let mut names: Vec<&str> = names.map(|(_, name)| name).collect();
        names.dedup();
        let setting = |name: &str| match who {
            Some(who) => format!("{}={who}:{name}", HEURISTICS.name),
            None => format!("{}={name}", HEURISTICS.name),
        };
        let near = nearest(name, names.iter().copied());
        let instead = match near {
            Some(near) => vec![near],
            None if names.is_empty() => vec![NONE],
            None => names.clone(),
        };
        return Err(Box::new(Unsuited {
            span: machine.description().payoff.span,
            setting: setting(name),
            needs: "a playout heuristic of that name",
            but: match who {
                Some(who) => format!("{who} has none"),
                None => "nobody has one".to_string(),
            },
            instead: instead.into_iter().map(setting).collect(),
        }));
    }
    Ok(())
}

/// Playouts without a state in between.
struct OneGo<'m> {
    machine: &'m Machine,
    playouts: Playouts<'m>,
}

impl OneGo<'_> {
    fn pay(machine: &Machine, played: &Played, payoffs: &mut Payoffs) -> PlayerSet {
        machine.fill_payoffs(&played.payoffs, payoffs);
        played.last
    }
}

impl RollOut for OneGo<'_> {
    fn play(
        &mut self,
        state: &State,
        rng: &mut Stream,
        payoffs: &mut Payoffs,
    ) -> Result<PlayerSet, PlayError> {
        let played = self.playouts.play_here(state, rng)?;
        Ok(OneGo::pay(self.machine, played, payoffs))
    }

    fn play_observed(
        &mut self,
        state: &State,
        rng: &mut Stream,
        payoffs: &mut Payoffs,
        moves: &mut Vec<Move>,
    ) -> Result<PlayerSet, PlayError> {
        let played = self.playouts.play_observed(state, rng, moves)?;
        Ok(OneGo::pay(self.machine, &played, payoffs))
    }

    fn play_after(
        &mut self,
        state: &State,
        actions: &[&Action],
        rng: &mut Stream,
        payoffs: &mut Payoffs,
    ) -> Result<PlayerSet, PlayError> {
        let played = self.playouts.play_after(state, actions, rng)?;
        Ok(OneGo::pay(self.machine, played, payoffs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::stream;

    /// Everybody takes the least or the most.
    const GAME: &str = "game Sums {
      players { Ann, Ben, Cid }
      team Pair { Ben, Cid }
      state { sum : [Player] 0..9 }
      play { each p in Player { p chooses x in 0..9 into sum[p] } }
      payoff general-sum: { Ann: sum[Ann]  Pair: 10 * sum[Ben] + sum[Cid] }
      knowledge Ann { playout most = maximise x  playout least = minimise x }
      knowledge Ben { playout most = maximise x }
      knowledge Cid { playout least = minimise x  playout most = maximise x }
    }";

    fn roll_outs(epsilon: &str, heuristics: &str) -> RollOuts {
        RollOuts::Heuristic {
            epsilon: Each::read(epsilon, |x| x.parse().ok()).unwrap_or_default(),
            heuristics: Each::read(heuristics, |x| Some(x.to_string())).unwrap_or_default(),
        }
    }

    fn sums(epsilon: &str, heuristics: &str) -> Vec<[i32; 2]> {
        let (machine, _) = crate::load(GAME, &Default::default()).unwrap();
        let mut roll_out = roll_outs(epsilon, heuristics).start(&machine);
        let start = machine.initial().unwrap();
        let mut p = Payoffs::new();
        let all = (0..20).map(|i| {
            let rng = &mut stream(1, &[i]);
            roll_out.play(&start, rng, &mut p).unwrap();
            [p[0] as i32, p[1] as i32]
        });
        all.collect()
    }

    #[test]
    fn heuristics_are_chosen_by_name() {
        for (heuristics, sum) in [
            ("", [9, 90]),
            ("most", [9, 99]),
            ("least", [0, 90]),
            ("Ann:least", [0, 90]),
            ("Cid:most Ann:least", [0, 99]),
            ("least Pair:most", [0, 99]),
            ("least Pair:most Cid:least", [0, 90]),
        ] {
            assert_eq!(sums("0", heuristics), [sum; 20], "{heuristics}");
        }
        let free = sums("0", "Ann:none");
        assert!(free.iter().any(|s| s[0] != 9) && free.iter().all(|s| s[1] == 90));
    }

    #[test]
    fn epsilon_may_differ() {
        let found = sums("0 Ann:1", "");
        assert!(found.iter().any(|s| s[0] != 9) && found.iter().all(|s| s[1] == 90));
        let found = sums("1 Ann:0", "");
        assert!(found.iter().all(|s| s[0] == 9) && found.iter().any(|s| s[1] != 90));
        assert!(sums("Ann:0 Pair:0", "").iter().all(|s| *s == [9, 90]));
    }

    #[test]
    fn names_must_be_there() {
        let (machine, _) = crate::load(GAME, &Default::default()).unwrap();
        let instead = |epsilon: &str, heuristics: &str| {
            let refused = roll_outs(epsilon, heuristics).suits(&machine);
            refused.err().map(|unsuited| unsuited.instead)
        };
        assert_eq!(instead("0.1", "most"), None);
        assert_eq!(instead("0.1 Pair:0.2", "Pair:most Ann:none"), None);
        let one = |setting: &str| Some(vec![setting.to_string()]);
        assert_eq!(instead("Pai:0.2", ""), one("epsilon=Pair:0.2"));
        assert_eq!(instead("", "An:most"), one("heuristics=Ann:most"));
        assert_eq!(instead("", "Pair:leas"), one("heuristics=Pair:least"));
        assert_eq!(instead("", "mst"), one("heuristics=most"));
        assert_eq!(instead("", "Ben:best").unwrap().len(), 1);
    }
}
