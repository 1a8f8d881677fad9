//! What a match says when it is over: payoffs and outcomes by player, by seat, and by player and seat.

use super::bounds::{joined, of_seats};
use super::game::GameResult;
use super::seating::SeatingPlan;
use super::statistics::{Mean, Shares, WinDrawLoss};
use crate::machine::Machine;
use crate::model::Claim;
use indexmap::IndexMap;
use serde::Serialize;

/// Payoffs, in units of payoff as the description states them, and outcomes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Results {
    /// One value a game: for a player on several seats at once, the mean over them. The interval lies within the bounds that
    /// the rules give.
    pub payoff: Mean,
    /// `None` when payoffs cannot be compared between players (fewer than two of them, or no constant sum), and for a
    /// player who is on several seats at once.
    pub outcomes: Option<Shares>,
}

/// One of the players of the match.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayerResults {
    /// The canonical text of the spec.
    pub spec: String,
    /// Over all its seats.
    #[serde(flatten)]
    pub results: Results,
    /// By the name of the seat, for the seats that this player may take.
    pub seats: IndexMap<String, Results>,
    /// How many of its choices it made blindly, having lost track of what it cannot see. Left out where there are none.
    #[serde(skip_serializing_if = "is_zero")]
    pub blind: u64,
}

/// For counts that are told only where there is something to count.
#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "it is how serde calls it"
)]
pub(in crate::arena) fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// The results of a match. Elapsed time is no part of it, so that the same seed gives the same text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MatchResult {
    /// The name of the game.
    pub game: String,
    /// The values of its params, as text.
    pub params: IndexMap<String, String>,
    /// The seed that everything random came from.
    pub seed: u64,
    /// How many games were asked for.
    pub games: u64,
    /// How many of them were played to the end; fewer when the match was stopped.
    pub finished: u64,
    /// In the order in which the players were named.
    pub players: Vec<PlayerResults>,
    /// By the name of the seat, whoever played it.
    pub seats: IndexMap<String, Results>,
    /// The length of the games in plies (choices, simultaneous choices and chance events).
    pub plies: Mean,
}

impl MatchResult {
    /// Whether every game that was asked for was played.
    pub fn is_complete(&self) -> bool {
        self.finished == self.games
    }
}

/// Sums up the finished games, given by number and in order.
pub(super) fn sum_up(
    machine: &Machine,
    plan: &SeatingPlan,
    seed: u64,
    games: u64,
    finished: &[(u64, GameResult)],
) -> MatchResult {
    let description = machine.description();
    let sides = &description.payoff.sides;
    let n = machine.player_count();
    let comparable = n > 1 && matches!(machine.features().claim, Claim::ConstantSum { .. });
    let seatings: Vec<Vec<usize>> = finished.iter().map(|(i, _)| plan.seating(*i)).collect();
    let rows = || std::iter::zip(&seatings, finished.iter().map(|(_, r)| r));

    // The results over those games and seats that `counts` lets through.
    let results = |counts: &dyn Fn(&[usize], usize) -> bool| {
        let mut payoffs = Vec::new();
        let mut outcomes = Vec::new();
        let mut bounds = None;
        let mut one_side = true;
        for (seating, game) in rows() {
            let seats: Vec<usize> = (0..n).filter(|&s| counts(seating, s)).collect();
            let Some(&first) = seats.first() else {
                continue;
            };
            bounds = joined(bounds, Some(of_seats(machine, &seats)));
            // Whoever plays a whole team wins or loses once.
            outcomes.push(WinDrawLoss::of(&game.payoffs, sides, first));
            one_side &= seats.len() == 1
                || sides
                    .iter()
                    .any(|side| seats.iter().all(|s| side.contains(*s)));
            let sum: f64 = seats.iter().map(|&s| game.payoffs[s]).sum();
            payoffs.push((sum / seats.len() as f64, 1));
        }
        Results {
            payoff: Mean::within(bounds.unwrap_or_default(), payoffs.iter().copied()),
            outcomes: (comparable && one_side).then(|| Shares::of(&outcomes)),
        }
    };
    let seat_name = |s: usize| machine.player_name(s).to_string();

    let players = plan.specs().iter().enumerate().map(|(i, spec)| {
        let seats = (0..n).filter(|&s| plan.may_sit(i, s)).map(|s| {
            let own = results(&|seating, seat| seat == s && seating[seat] == i);
            (seat_name(s), own)
        });
        PlayerResults {
            spec: spec.to_string(),
            results: results(&|seating, seat| seating[seat] == i),
            seats: seats.collect(),
            blind: rows()
                .flat_map(|(seating, game)| std::iter::zip(seating, &game.blind))
                .filter(|(who, _)| **who == i)
                .map(|(_, blind)| blind)
                .sum(),
        }
    });
    let plies: Vec<f64> = rows().map(|(_, game)| game.plies as f64).collect();
    MatchResult {
        game: description.name.clone(),
        params: description.params.clone(),
        seed,
        games,
        finished: finished.len() as u64,
        players: players.collect(),
        seats: (0..n)
            .map(|s| (seat_name(s), results(&|_, seat| seat == s)))
            .collect(),
        plies: Mean::of(&plies),
    }
}
