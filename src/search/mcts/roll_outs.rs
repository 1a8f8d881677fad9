//! How a simulation plays on from where it leaves the tree to the end of the game.

use crate::machine::{
    Action, Machine, Move, Payoffs, PlayError, Played, PlayoutPolicy, Playouts, State,
};
use crate::model::KnowledgeKind;
use crate::random::Stream;
use crate::search::parameters::{Kind, Parameter, Values};
use crate::search::supported_games::{Games, Unsuited};

/// How a roll-out ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Ending {
    /// Each player's, in units of payoff as the description states them.
    pub payoffs: Payoffs,
    /// The player who chose last in it, of several at once the last in seating order; `None` where nobody did.
    pub last: Option<usize>,
}

/// Plays on to the end.
pub trait RollOut: Send {
    /// From a state.
    ///
    /// # Errors
    /// Those of play.
    fn play(&mut self, state: &State, rng: &mut Stream) -> Result<Ending, PlayError>;

    /// As [`RollOut::play`], and pushes every action and outcome on `moves`.
    ///
    /// # Errors
    /// Those of play.
    fn play_observed(
        &mut self,
        state: &State,
        rng: &mut Stream,
        moves: &mut Vec<Move>,
    ) -> Result<Ending, PlayError>;

    /// From a state after one step more, which these actions take.
    ///
    /// # Errors
    /// Those of play.
    fn play_after(
        &mut self,
        state: &State,
        actions: &[&Action],
        rng: &mut Stream,
    ) -> Result<Ending, PlayError>;
}

/// Which actions are played.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub enum RollOuts {
    /// All of a player's with the same probability.
    #[default]
    Uniform,
    /// Those that the first playout heuristic of the player prefers, evenly among them; with probability ε all with the same
    /// probability, and so where the player has no heuristic or it does not apply ("ε-greedy": Nijssen & Winands 2012,
    /// section IV-A).
    Heuristic { epsilon: f64 },
}

/// Games in whose knowledge a player has a playout heuristic.
static WITH_HEURISTICS: Games = Games {
    needs: "a playout heuristic in somebody's knowledge",
    lacks: |machine| {
        let none = heuristics(machine).iter().all(Option::is_none);
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

const EPSILON: Parameter = Parameter {
    name: "epsilon",
    kind: Kind::Share,
    default: "0.1",
    with: Some((ROLLOUTS, &["heuristic"])),
    doc: "The probability ε with which a choice of a roll-out is uniform after all.",
};

/// What every search with roll-outs lets one set.
pub const PARAMETERS: [Parameter; 2] = [
    Parameter {
        name: ROLLOUTS,
        kind: Kind::Word(&WORDS),
        default: WORDS[0],
        with: None,
        doc: "How simulations play on from where they leave the tree: uniformly, or each player by the first playout \
              heuristic that the game's knowledge has for them.",
    },
    EPSILON,
];

impl RollOuts {
    /// Those that are set.
    pub fn of(values: &Values) -> RollOuts {
        match values.word(ROLLOUTS) {
            Some("heuristic") => RollOuts::Heuristic {
                epsilon: values.number_of(&EPSILON),
            },
            _ => RollOuts::Uniform,
        }
    }

    /// Whether a game has what they need.
    ///
    /// # Errors
    /// What is missing.
    pub fn suits(self, machine: &Machine) -> Result<(), Box<Unsuited>> {
        if self == RollOuts::Uniform {
            return Ok(());
        }
        let Some((span, but)) = (WITH_HEURISTICS.lacks)(machine) else {
            return Ok(());
        };
        Err(Box::new(Unsuited {
            span,
            setting: format!("{ROLLOUTS}=heuristic"),
            needs: WITH_HEURISTICS.needs,
            but,
            instead: vec![format!("{ROLLOUTS}=uniform")],
        }))
    }

    /// A place to play them in.
    pub fn start(self, machine: &Machine) -> Box<dyn RollOut + '_> {
        let policy = match self {
            RollOuts::Uniform => PlayoutPolicy::default(),
            RollOuts::Heuristic { epsilon } => PlayoutPolicy::greedy(heuristics(machine), epsilon),
        };
        Box::new(OneGo {
            machine,
            playouts: machine.playouts_by(&policy),
        })
    }
}

/// The first playout heuristic of each player, as an entry of the game's knowledge.
fn heuristics(machine: &Machine) -> Vec<Option<usize>> {
    let first = |player| {
        let mut entries = machine.knowledge_of(player);
        entries.find_map(|(entry, k)| matches!(k.kind, KnowledgeKind::Playout(_)).then_some(entry))
    };
    (0..machine.player_count()).map(first).collect()
}

/// Playouts without a state in between.
struct OneGo<'m> {
    machine: &'m Machine,
    playouts: Playouts<'m>,
}

impl OneGo<'_> {
    fn ending(&self, played: &Played) -> Ending {
        Ending {
            payoffs: self.machine.in_payoff(&played.payoffs),
            last: played.last,
        }
    }
}

impl RollOut for OneGo<'_> {
    fn play(&mut self, state: &State, rng: &mut Stream) -> Result<Ending, PlayError> {
        let played = self.playouts.play(state, rng)?;
        Ok(self.ending(&played))
    }

    fn play_observed(
        &mut self,
        state: &State,
        rng: &mut Stream,
        moves: &mut Vec<Move>,
    ) -> Result<Ending, PlayError> {
        let played = self.playouts.play_observed(state, rng, moves)?;
        Ok(self.ending(&played))
    }

    fn play_after(
        &mut self,
        state: &State,
        actions: &[&Action],
        rng: &mut Stream,
    ) -> Result<Ending, PlayError> {
        let played = self.playouts.play_after(state, actions, rng)?;
        Ok(self.ending(&played))
    }
}
