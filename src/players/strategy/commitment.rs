//! Searches for commitments as players: before play they find what a player who is watched had best commit itself to.

use super::Kind as Strategies;
use super::declarations::{SEED, of_method, seed};
use super::preparation::{Preparation, PrepareError, by_plans, of_tree, values};
use crate::machine::Machine;
use crate::players::catalogue::{Entry, Way};
use crate::players::spec::PlayerSpec;
use crate::search::parameters::{Kind, Parameter};
use crate::solve::codes;
use crate::solve::commitment::mixes::Mixes;
use crate::solve::commitment::open_loop::{explore, in_the_way, is_seen_to_differ};
use crate::solve::commitment::{self, COMMITMENTS, CommitmentMethod, SearchPlans, SearchTask};
use crate::solve::methods::Values;
use crate::text::diagnostics::Diagnostic;
use std::sync::atomic::{AtomicBool, Ordering};

const LEADER: &str = "leader";

/// One for each search.
pub fn entries() -> Vec<Entry> {
    COMMITMENTS.iter().filter_map(entry).collect()
}

fn entry(method: &'static CommitmentMethod) -> Option<Entry> {
    search(method)?;
    let mut parameters = vec![Parameter {
        name: LEADER,
        kind: Kind::Name,
        default: "the player who is seated first",
        needs: &[],
        doc: "Who commits itself; the other player knows of it and answers best.",
    }];
    parameters.extend(method.parameters.iter().map(of_method));
    if method.is_random {
        let doc = "Everything random in the search comes from this number.";
        parameters.push(seed(doc));
    }
    let name = method.name;
    Some(Entry {
        name: name.replace('-', "_").leak(),
        doc: format!(
            "Finds before play what a leader had best commit itself to, as `ruse solve --method {name}` does, and plays that or the best \
             answer to it. For two players who learn nothing on the way."
        )
        .leak(),
        parameters,
        needs_perfect_information: false,
        way: Way::Committed(name),
    })
}

fn search(method: &CommitmentMethod) -> Option<SearchPlans> {
    match method.by {
        commitment::Way::Search(search) => Some(search),
        commitment::Way::Posed(_) => None,
    }
}

/// A search for a commitment as a player names it.
pub struct Committing {
    pub method: &'static CommitmentMethod,
    pub search: SearchPlans,
    pub values: Values,
    /// What it says of who commits itself, and of where random numbers come from.
    pub leader: Option<String>,
    pub seed: Option<u64>,
}

impl PlayerSpec {
    /// The search for a commitment that it makes before play; `None` for a player that makes none.
    #[doc(hidden)]
    pub fn committing(&self) -> Option<Committing> {
        let Way::Committed(name) = self.entry().way else {
            return None;
        };
        let method = COMMITMENTS.iter().find(|m| m.name == name)?;
        let settings = self.settings();
        Some(Committing {
            method,
            search: search(method)?,
            values: values(method.parameters, &settings),
            leader: settings.name(LEADER).map(str::to_string),
            seed: settings.count(SEED),
        })
    }
}

/// Whether it can be told at once that a game is none for such a player. Others are refused when they are explored.
pub(super) fn suits(name: &str, machine: &Machine) -> Result<(), Box<Diagnostic>> {
    let features = machine.features();
    let seen = features.hidden.is_empty() && !features.simultaneous;
    let may = machine.player_count() == 2 && !features.chance && !seen;
    // Errors of play are told when all is explored.
    let differs = || is_seen_to_differ(machine, LOOK, &AtomicBool::new(false)).unwrap_or(false);
    match may && !differs() {
        true => Ok(()),
        false => Err(Box::new(unsuited(name, machine))),
    }
}

/// So many world states are looked at before a game is taken for suitable.
const LOOK: usize = 300;

/// The strategies of both players that a method finds.
pub(super) fn strategies(
    spec: &PlayerSpec,
    with: &mut Preparation<'_>,
) -> Result<Strategies, PrepareError> {
    let asked = spec.committing().ok_or(PrepareError::Stopped)?;
    let machine = with.machine;
    let leader = match &asked.leader {
        None => 0,
        Some(name) => (0..machine.player_count())
            .find(|player| machine.player_name(*player) == name)
            .ok_or_else(|| no_leader(spec, name))?,
    };
    let name = spec.entry().name;
    suits(name, machine).map_err(PrepareError::Game)?;
    let explored = explore(machine, with.cancel).map_err(|error| of_tree(machine, &error))?;
    let refused = || PrepareError::Game(Box::new(unsuited(name, machine)));
    let game = explored.ok_or_else(refused)?;
    let task = SearchTask {
        game: &game,
        leader,
        values: &asked.values,
        seed: asked.seed.unwrap_or(1),
        stop: with.cancel,
    };
    let found = (asked.search)(&task, with.progress).ok_or(PrepareError::Stopped)?;
    if with.cancel.load(Ordering::Relaxed) {
        return Err(PrepareError::Stopped);
    }
    by_plans(with.machine, &game, &Mixes::found(&task, &found))
}

fn no_leader(spec: &PlayerSpec, name: &str) -> PrepareError {
    PrepareError::Unsolved {
        code: None,
        message: format!("`{spec}`: there is no player `{name}`"),
        hint: None,
    }
}

fn unsuited(name: &str, machine: &Machine) -> Diagnostic {
    let description = machine.description();
    let message = format!(
        "`{name}` does not play {}: it is for two players who learn nothing on the way",
        description.name
    );
    let (span, label) = match machine.player_count() {
        2 => in_the_way(description),
        _ => (description.payoff.span, "what the players are paid"),
    };
    Diagnostic::error(codes::UNSUITED, span, message).label(label)
}
