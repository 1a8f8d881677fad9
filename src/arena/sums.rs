//! What came of many games, added up: whole numbers, so that neither the order of the games matters nor how many there are.

use super::game::GameResult;
use super::seating::SeatingPlan;
use super::statistics::{Moments, WinDrawLoss};
use crate::machine::Machine;
use crate::model::{Claim, PlayerSet};
use smallvec::SmallVec;

/// The results of games for one seat, or for several that one player has in each game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Of the sum over the seats, in units of 1/[`Machine::payoff_denominator`].
    pub payoffs: Moments,
    /// Wins, draws and losses; nothing where payoffs cannot be compared.
    pub outcomes: [u64; 3],
}

impl Row {
    #[inline]
    fn add(&mut self, units: i128, outcome: Option<WinDrawLoss>) {
        self.payoffs.add(units);
        if let Some(outcome) = outcome {
            self.outcomes[outcome as usize] += 1;
        }
    }

    /// Adds what came of other games.
    pub fn merge(&mut self, other: &Row) {
        self.payoffs.merge(&other.payoffs);
        for (count, more) in std::iter::zip(&mut self.outcomes, other.outcomes) {
            *count += more;
        }
    }
}

/// The sums over the games of a match.
#[derive(Clone, Debug)]
pub struct Sums<'m> {
    machine: &'m Machine,
    /// Whether payoffs can be compared between players: there are two of them, and a constant sum.
    comparable: bool,
    sides: &'m [PlayerSet],
    /// By player of the plan and seat.
    rows: Vec<Row>,
    /// Players with several seats at once: the place in the plan, the seats, and what came of them together.
    together: Vec<(usize, Vec<usize>, Row)>,
    plies: Moments,
    /// By player of the plan, how many choices were made blindly.
    blind: Vec<u64>,
    finished: u64,
}

impl<'m> Sums<'m> {
    /// No games.
    pub fn new(machine: &'m Machine, plan: &SeatingPlan) -> Sums<'m> {
        let specs = plan.specs().len();
        let seats = machine.player_count();
        let seating = plan.seating(0);
        let together = (0..specs).filter_map(|i| {
            let own: Vec<usize> = (0..seats).filter(|&s| seating[s] == i).collect();
            (own.len() > 1).then(|| (i, own, Row::default()))
        });
        let constant = matches!(machine.features().claim, Claim::ConstantSum { .. });
        Sums {
            machine,
            comparable: seats > 1 && constant,
            sides: &machine.description().payoff.sides,
            rows: vec![Row::default(); specs * seats],
            together: together.collect(),
            plies: Moments::default(),
            blind: vec![0; specs],
            finished: 0,
        }
    }

    /// Adds a game; `units` are payoffs in units of 1/[`Machine::payoff_denominator`], and `seating` says who sat where.
    pub fn add(&mut self, seating: &[usize], units: &[i64], plies: u64) {
        let seats = units.len();
        let outcome = |seat| {
            let compared = self.comparable;
            compared.then(|| WinDrawLoss::of(units, self.sides, seat))
        };
        for (seat, (&who, &own)) in std::iter::zip(seating, units).enumerate() {
            self.rows[who * seats + seat].add(own.into(), outcome(seat));
        }
        for (_, own, row) in &mut self.together {
            let sum = own.iter().map(|&seat| i128::from(units[seat])).sum();
            // Whoever plays a whole team wins or loses once.
            row.add(sum, outcome(own[0]));
        }
        self.plies.add(plies.into());
        self.finished += 1;
    }

    /// As [`Sums::add`], for a game as it is told to others.
    pub fn add_game(&mut self, seating: &[usize], game: &GameResult) {
        let denominator = self.machine.payoff_denominator() as f64;
        let payoffs = game.payoffs.iter();
        let units: SmallVec<[i64; 8]> = payoffs.map(|x| (x * denominator).round() as i64).collect();
        self.add(seating, &units, game.plies);
        for (&who, blind) in std::iter::zip(seating, &game.blind) {
            self.blind[who] += blind;
        }
    }

    /// Adds other games of the same match.
    pub fn merge(&mut self, other: &Sums<'_>) {
        for (row, more) in std::iter::zip(&mut self.rows, &other.rows) {
            row.merge(more);
        }
        for ((.., row), (.., more)) in std::iter::zip(&mut self.together, &other.together) {
            row.merge(more);
        }
        self.plies.merge(&other.plies);
        for (count, more) in std::iter::zip(&mut self.blind, &other.blind) {
            *count += more;
        }
        self.finished += other.finished;
    }

    pub fn machine(&self) -> &'m Machine {
        self.machine
    }

    pub fn is_comparable(&self) -> bool {
        self.comparable
    }

    pub fn finished(&self) -> u64 {
        self.finished
    }

    pub fn plies(&self) -> &Moments {
        &self.plies
    }

    /// How many choices a player of the plan made blindly.
    pub fn blind(&self, who: usize) -> u64 {
        self.blind[who]
    }

    /// What a player of the plan came to on a seat.
    pub fn on_seat(&self, who: usize, seat: usize) -> &Row {
        &self.rows[who * self.machine.player_count() + seat]
    }

    /// What a player of the plan came to on seats that it has at once, and these; `None` for all who have one.
    pub fn together(&self, who: usize) -> Option<(&[usize], &Row)> {
        let found = self.together.iter().find(|(i, ..)| *i == who);
        found.map(|(_, seats, row)| (seats.as_slice(), row))
    }
}
