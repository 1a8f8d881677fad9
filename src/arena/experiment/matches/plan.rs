//! An experiment of matches. A pairing is one match: `ruse match` plays the same games with the players, the settings and
//! the seed of the cell.

use super::Matches;
use super::metric::Metric;
use super::outline::Outline;
use super::pairings::{Table, pairings};
use crate::arena::experiment::codes;
use crate::arena::experiment::plan::{Asked, Experiment, Variant};
use crate::arena::match_::Match;
use crate::arena::seating::SeatingPlan;
use crate::machine::Machine;
use crate::model::Claim;
use crate::random::derive;
use crate::text::diagnostics::Diagnostic;

/// One pairing of one variant.
#[derive(Clone)]
pub struct Cell {
    pub variant: usize,
    /// Who plays: places in the variant's list of players, each once.
    pub members: Vec<usize>,
    /// Who plays, by name, and on which seats if they stay there.
    pub label: String,
    pub play: Match,
    /// The seed of the match that the cell is.
    pub seed: u64,
    /// For each spec of the seating plan, the place in `members` of the player whose it is.
    owners: Vec<usize>,
}

/// The pairings of one more variant, with what is shown of them.
pub(super) fn cells(
    measure: &mut Matches,
    asked: &Asked<'_, Matches>,
) -> Result<Vec<Cell>, Box<Diagnostic>> {
    let Asked {
        text,
        outline,
        machine,
        ..
    } = *asked;
    let table = Table::of(machine);
    let mut cells = Vec::new();
    let pairings = pairings(text, &outline.measure, asked.variant, &table)?;
    for (place, pairing) in pairings.into_iter().enumerate() {
        let plan = SeatingPlan::parse(&pairing.text, &table.seats).map_err(|d| {
            let hint = d.hint.clone().unwrap_or_default();
            let (at, message) = (asked.variant.place, d.message.clone());
            at.report(text, codes::BAD_PAIRING, message, &hint)
        })?;
        cells.push(Cell {
            variant: asked.number,
            members: pairing.members,
            label: pairing.label,
            play: Match {
                machine: machine.clone(),
                plan,
                clock: asked.clock.clone(),
            },
            seed: derive(outline.seed, &[asked.number as u64, place as u64]),
            owners: pairing.owners,
        });
    }
    let metrics = metrics(text, &outline.measure, machine, cells.iter())?;
    measure.metrics.push(metrics);
    Ok(cells)
}

impl Experiment<Matches> {
    /// The name of a player of the cell's variant.
    pub fn name_of(&self, cell: &Cell, player: usize) -> &str {
        &self.variants[cell.variant].players[player].0
    }
}

impl Variant {
    /// Whether payoffs can be compared between players.
    pub fn is_comparable(&self) -> bool {
        comparable(&self.machine)
    }

    /// What everybody gets in the mean when nobody is better: for a share of wins or a payoff, where the payoffs add
    /// up to a constant.
    pub fn even(&self, metric: Metric) -> Option<f64> {
        let seats = self.machine.player_count() as f64;
        let sides = &self.machine.description().payoff.sides;
        // Teams of unequal size have no even payoff for one of their players.
        if sides.len() != self.machine.player_count() {
            return None;
        }
        match (metric, &self.machine.features().claim) {
            (Metric::Share, Claim::ConstantSum { .. }) => Some(1.0 / seats),
            (Metric::Payoff, Claim::ConstantSum { n, den }) => {
                Some(*n as f64 / *den as f64 / seats)
            }
            _ => None,
        }
    }
}

impl Cell {
    /// Who sits where in a game: for each seat, the place in `members`.
    pub fn seating(&self, game: u64) -> Vec<u8> {
        let seating = self.play.plan.seating(game);
        seating
            .iter()
            .map(|&spec| self.owners[spec] as u8)
            .collect()
    }

    /// Whether two players meet who are on one side each.
    fn is_a_duel(&self) -> bool {
        let machine = &self.play.machine;
        let sides = &machine.description().payoff.sides;
        let one_side = |member: usize| {
            sides.iter().any(|side| {
                let mut seats = 0..machine.player_count();
                seats.all(|seat| side.contains(seat) || !self.may_sit(member, seat))
            })
        };
        let change_seats = self.play.plan.round() > 1;
        self.members.len() == 2 && (change_seats || one_side(0) && one_side(1))
    }

    /// Whether a member may sit on a seat.
    pub fn may_sit(&self, member: usize, seat: usize) -> bool {
        let mut own = (0..self.owners.len()).filter(|&spec| self.owners[spec] == member);
        own.any(|spec| self.play.plan.may_sit(spec, seat))
    }
}

fn comparable(machine: &Machine) -> bool {
    machine.player_count() > 1 && matches!(machine.features().claim, Claim::ConstantSum { .. })
}

/// The metrics that are asked for, or those that make sense.
fn metrics<'c>(
    text: &str,
    outline: &Outline,
    machine: &Machine,
    mut cells: impl Iterator<Item = &'c Cell>,
) -> Result<Vec<Metric>, Box<Diagnostic>> {
    let comparable = comparable(machine);
    let Some(list) = &outline.metrics else {
        let usual = [Metric::Share, Metric::Payoff, Metric::Length];
        return Ok(usual
            .into_iter()
            .filter(|m| comparable || !m.compares())
            .collect());
    };
    for (metric, place) in list {
        if metric.compares() && !comparable {
            let game = &machine.description().name;
            let message = format!("nobody wins {game}: its payoffs do not add up to a constant");
            let hint = "`payoff` and `length` can be measured in any game";
            return Err(place.report(text, codes::BAD_VALUE, message, hint));
        }
    }
    let rated = list.iter().find(|(metric, _)| *metric == Metric::Rating);
    if let Some((_, place)) = rated
        && !cells.all(Cell::is_a_duel)
    {
        let message = "ratings are for pairings of two players, each on one side".to_string();
        let hint = "leave `rating` out, or write `pairings: sides` if the game has two sides";
        return Err(place.report(text, codes::BAD_VALUE, message, hint));
    }
    Ok(list.iter().map(|(metric, _)| *metric).collect())
}
