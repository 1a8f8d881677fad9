//! Who sits at the table: people by `--as`, others by `--against`, and what is taken where neither says.

use crate::arena::codes::SEAT_TAKEN;
use crate::arena::session::Occupant;
use crate::arena::{People, SeatingPlan};
use crate::cli::output::Failure;
use crate::cli::players_text::{PlayersText, players_text};
use crate::cli::problem::Problem;
use crate::cli::replay::seat;
use crate::machine::Machine;
use crate::players::{PlayerSpec, Usual, usual};

/// The seats in order, and what to tell of them.
pub struct Seats {
    pub occupants: Vec<Occupant>,
    /// What was chosen because nobody said it, a line each.
    pub told: Vec<String>,
}

/// Fills the seats. `people` are the names of `--as`; where there are none, a person takes the first seat that `against` does
/// not name.
///
/// # Errors
/// Names that the game does not have, seats that are taken twice, players that do not fit the seats that are left.
pub fn fill(machine: &Machine, people: &[String], against: Option<&str>) -> Result<Seats, Failure> {
    let mut told = Vec::new();
    let named = named(machine, people)?;
    let all = machine.player_count();
    let (people, others) = match against {
        Some(text) => {
            let players = players_text("--against", text)?;
            beside(machine, &named, &players)?
        }
        None if named.is_empty() => (vec![0], vec![None; all]),
        None => (named.clone(), vec![None; all]),
    };
    if named.is_empty() {
        let name = machine.player_name(people[0]);
        told.push(format!("you play {name}; `--as` takes another seat"));
    }
    let free = (0..all).any(|p| !people.contains(&p) && others[p].is_none());
    let usual = match free {
        true => Some(usual(machine).ok_or_else(|| {
            let message = "say with `--against` who plays the other seats";
            Failure::wrong_use(Problem::outside(None, message))
        })?),
        false => None,
    };
    told.extend(usual.iter().map(Usual::line));
    let occupants = others.into_iter().enumerate().map(|(p, other)| {
        let other = other.or_else(|| Some(usual.as_ref()?.spec.clone()));
        match other.filter(|_| !people.contains(&p)) {
            Some(spec) => Occupant::Player(spec),
            None => Occupant::Person,
        }
    });
    Ok(Seats {
        occupants: occupants.collect(),
        told,
    })
}

/// The seats of `--as`, in the order of the names.
fn named(machine: &Machine, names: &[String]) -> Result<Vec<usize>, Failure> {
    let mut seats = Vec::new();
    for name in names {
        let seat = seat(machine, name.trim())?;
        if seats.contains(&seat) {
            let message = format!("`--as` names {} twice", machine.player_name(seat));
            return Err(Failure::wrong_use(Problem::outside(
                Some(SEAT_TAKEN),
                message,
            )));
        }
        seats.push(seat);
    }
    Ok(seats)
}

/// The seats of people and the players of the others by seat. Where no person is named, it is the first seat with which the
/// players fit.
fn beside(
    machine: &Machine,
    named: &[usize],
    players: &PlayersText,
) -> Result<(Vec<usize>, Vec<Option<PlayerSpec>>), Failure> {
    let all = machine.player_count();
    let candidates: Vec<Vec<usize>> = match named {
        [] => (0..all).map(|seat| vec![seat]).collect(),
        people => vec![people.to_vec()],
    };
    let mut refused = None;
    for people in candidates {
        let chosen = People {
            seats: &people,
            have_chosen: !named.is_empty(),
        };
        match SeatingPlan::beside_people(&players.text, machine, chosen) {
            Ok(others) => return Ok((people, others)),
            // Another seat may be free.
            Err(problem) if problem.code == SEAT_TAKEN => refused = refused.or(Some(problem)),
            Err(problem) => return Err(players.failure(*problem)),
        }
    }
    match refused {
        Some(problem) => Err(players.failure(*problem)),
        None => Ok((Vec::new(), vec![None; all])),
    }
}
