//! What a match says when it is over: payoffs and outcomes by player, by seat, and by player and seat.

use super::bounds::{joined, of_seats};
use super::seating::SeatingPlan;
use super::statistics::{Mean, Shares};
use super::sums::{Row, Sums};
use crate::model::PlayerSet;
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

/// Says what the sums over the finished games mean.
pub(super) fn sum_up(plan: &SeatingPlan, seed: u64, games: u64, sums: &Sums<'_>) -> MatchResult {
    let machine = sums.machine();
    let description = machine.description();
    let n = machine.player_count();
    let specs = plan.specs().len();
    let seat_name = |s: usize| machine.player_name(s).to_string();
    let players = plan.specs().iter().enumerate().map(|(i, spec)| {
        let seats: Vec<usize> = (0..n).filter(|&s| plan.may_sit(i, s)).collect();
        let results = match sums.together(i) {
            Some((seats, row)) => together(sums, seats, row),
            None => one_by_one(sums, seats.iter().map(|&s| (i, s))),
        };
        let by_seat = seats.iter().map(|&s| {
            let own = one_by_one(sums, [(i, s)].into_iter());
            (seat_name(s), own)
        });
        PlayerResults {
            spec: spec.to_string(),
            results,
            seats: by_seat.collect(),
            blind: sums.blind(i),
        }
    });
    let seats = (0..n).map(|s| {
        let whoever = one_by_one(sums, (0..specs).map(|i| (i, s)));
        (seat_name(s), whoever)
    });
    MatchResult {
        game: description.name.clone(),
        params: description.params.clone(),
        seed,
        games,
        finished: sums.finished(),
        players: players.collect(),
        seats: seats.collect(),
        plies: Mean::of_moments(sums.plies(), 1.0),
    }
}

/// The results of players on seats, one of them in each game.
fn one_by_one(sums: &Sums<'_>, places: impl Iterator<Item = (usize, usize)>) -> Results {
    let mut all = Row::default();
    let mut bounds = None;
    for (who, seat) in places {
        let row = sums.on_seat(who, seat);
        if row.payoffs.count() > 0 {
            bounds = joined(bounds, Some(of_seats(sums.machine(), &[seat])));
            all.merge(row);
        }
    }
    results(sums, &all, 1, bounds, true)
}

/// The results of a player on several seats at once.
fn together(sums: &Sums<'_>, seats: &[usize], row: &Row) -> Results {
    let machine = sums.machine();
    let sides = &machine.description().payoff.sides;
    let is_one = |side: &PlayerSet| seats.iter().all(|s| side.contains(*s));
    let one_side = row.payoffs.count() == 0 || sides.iter().any(is_one);
    let bounds = of_seats(machine, seats);
    results(sums, row, seats.len(), Some(bounds), one_side)
}

fn results(
    sums: &Sums<'_>,
    row: &Row,
    seats: usize,
    bounds: Option<(f64, f64)>,
    one_side: bool,
) -> Results {
    let unit = sums.machine().payoff_denominator() as f64 * seats as f64;
    Results {
        payoff: Mean::of_moments_within(bounds.unwrap_or_default(), &row.payoffs, unit),
        outcomes: (sums.is_comparable() && one_side).then(|| Shares::of_counts(row.outcomes)),
    }
}
