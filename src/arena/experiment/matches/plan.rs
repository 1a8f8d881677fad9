//! An experiment of matches. A pairing is one match: `ruse match` plays the same games with the players, the settings and
//! the seed of the cell.

use super::Matches;
use super::metric::Metric;
use super::outline::{Outline, PairingOutline, Pairings};
use crate::arena::experiment::codes;
use crate::arena::experiment::plan::{Experiment, Game, MOST_CELLS, MOST_UNITS, Variant};
use crate::arena::experiment::reader::VariantOutline;
use crate::arena::match_::Match;
use crate::arena::seating::SeatingPlan;
use crate::machine::Machine;
use crate::model::Claim;
use crate::players::{Clock, PlayerSpec};
use crate::random::derive;
use crate::text::diagnostics::Diagnostic;
use crate::text::nearest::nearest;

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

impl Experiment<Matches> {
    /// Puts an experiment together from what its file says and the games of its variants, in their order. `text` is
    /// the file.
    ///
    /// # Errors
    /// Where a pairing does not fit the seats of the game or a metric its payoffs, and when there are too many games; the
    /// span is in `text`.
    pub fn new(
        text: &str,
        outline: &Outline,
        games: Vec<Game>,
        clock: &Clock,
    ) -> Result<Experiment<Matches>, Box<Diagnostic>> {
        let mut experiment = Experiment {
            title: outline.title.clone(),
            each: outline.games,
            seed: outline.seed,
            variants: Vec::new(),
            cells: Vec::new(),
            measure: Matches {
                metrics: Vec::new(),
            },
        };
        for (number, (from, (machine, description))) in
            std::iter::zip(&outline.variants, games).enumerate()
        {
            let seats: Vec<&str> = (0..machine.player_count())
                .map(|s| machine.player_name(s))
                .collect();
            let pairings = pairings(text, outline, from, &seats)?;
            for (place, pairing) in pairings.into_iter().enumerate() {
                let plan = SeatingPlan::parse(&pairing.text, &seats).map_err(|d| {
                    let hint = d.hint.clone().unwrap_or_default();
                    let message = d.message.clone();
                    from.place.report(text, codes::BAD_PAIRING, message, &hint)
                })?;
                experiment.cells.push(Cell {
                    variant: number,
                    members: pairing.members,
                    label: pairing.label,
                    play: Match {
                        machine: machine.clone(),
                        plan,
                        clock: clock.clone(),
                    },
                    seed: derive(outline.seed, &[number as u64, place as u64]),
                    owners: pairing.owners,
                });
            }
            let metrics = metrics(text, outline, &machine)?;
            experiment.measure.metrics.push(metrics);
            experiment.variants.push(Variant {
                name: from.name.clone(),
                machine,
                description,
                players: from.players.clone(),
            });
            if experiment.is_too_large() {
                let cells = experiment.cells.len();
                let message = format!("{cells} pairings of {} games are too many", outline.games);
                let hint = format!("at most {MOST_CELLS} pairings, and {MOST_UNITS} games in all");
                return Err(from.place.report(text, codes::BAD_VALUE, message, &hint));
            }
        }
        Ok(experiment)
    }

    /// Whether some player has a budget in milliseconds, so that another run may give another table.
    pub fn depends_on_time(&self) -> bool {
        let mut specs = self.cells.iter().flat_map(|c| c.play.plan.specs());
        specs.any(PlayerSpec::depends_on_time)
    }

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

    /// Whether a member may sit on a seat.
    pub fn may_sit(&self, member: usize, seat: usize) -> bool {
        let mut own = (0..self.owners.len()).filter(|&spec| self.owners[spec] == member);
        own.any(|spec| self.play.plan.may_sit(spec, seat))
    }
}

/// A pairing as a seating plan reads it.
struct Pairing {
    text: String,
    label: String,
    members: Vec<usize>,
    owners: Vec<usize>,
}

impl Pairing {
    /// Players who change seats.
    fn free(from: &VariantOutline, members: Vec<usize>) -> Pairing {
        let specs = members.iter().map(|&m| from.players[m].1.to_string());
        let names = members.iter().map(|&m| from.players[m].0.as_str());
        Pairing {
            text: specs.collect::<Vec<_>>().join(","),
            label: names.collect::<Vec<_>>().join(", "),
            owners: (0..members.len()).collect(),
            members,
        }
    }

    /// Players on seats of their own; the same player may have several.
    fn seated(from: &VariantOutline, seated: &[(&str, usize)]) -> Pairing {
        let mut members: Vec<usize> = Vec::new();
        let mut owners = Vec::new();
        for (_, player) in seated {
            let place = members.iter().position(|m| m == player);
            owners.push(place.unwrap_or(members.len()));
            if place.is_none() {
                members.push(*player);
            }
        }
        let specs = seated.iter();
        let specs = specs.map(|(seat, player)| format!("{seat}={}", from.players[*player].1));
        let names = seated.iter();
        let names = names.map(|(seat, player)| format!("{seat}: {}", from.players[*player].0));
        Pairing {
            text: specs.collect::<Vec<_>>().join(","),
            label: names.collect::<Vec<_>>().join(", "),
            members,
            owners,
        }
    }
}

fn pairings(
    text: &str,
    outline: &Outline,
    from: &VariantOutline,
    seats: &[&str],
) -> Result<Vec<Pairing>, Box<Diagnostic>> {
    match &outline.pairings {
        Pairings::RoundRobin(place) => {
            let players = from.players.len();
            let groups = groups(players, seats.len());
            if groups.is_empty() || groups.len() > MOST_CELLS {
                let message = format!(
                    "a round robin of {} for {} has {} pairings",
                    count(players, "player"),
                    count(seats.len(), "seat"),
                    match groups.len() {
                        0 => "no".to_string(),
                        _ => format!("more than {MOST_CELLS}"),
                    }
                );
                let hint = format!("the seats are {}", seats.join(", "));
                return Err(place.report(text, codes::BAD_PAIRING, message, &hint));
            }
            let groups = groups.into_iter();
            Ok(groups.map(|group| Pairing::free(from, group)).collect())
        }
        Pairings::Listed(list) => {
            let pairings = list.iter().map(|p| listed(text, p, from, seats));
            pairings.collect()
        }
    }
}

fn listed(
    text: &str,
    pairing: &PairingOutline,
    from: &VariantOutline,
    seats: &[&str],
) -> Result<Pairing, Box<Diagnostic>> {
    let list = format!("the seats are {}", seats.join(", "));
    let mut seated = Vec::new();
    for (seat, player, place) in &pairing.players {
        let Some(seat) = seat else { continue };
        if !seats.contains(&seat.as_str()) {
            let hint = match nearest(seat, seats.iter().copied()) {
                Some(near) => format!("did you mean `{near}`? {list}"),
                None => list,
            };
            let message = format!("the game has no player `{seat}`");
            return Err(place.report(text, codes::BAD_PAIRING, message, &hint));
        }
        seated.push((seat.as_str(), *player));
    }
    if pairing.players.len() != seats.len() {
        let players = count(pairing.players.len(), "player");
        let message = format!("{players} for {}", count(seats.len(), "seat"));
        return Err(pairing
            .place
            .report(text, codes::BAD_PAIRING, message, &list));
    }
    Ok(if seated.is_empty() {
        Pairing::free(from, pairing.players.iter().map(|(_, p, _)| *p).collect())
    } else {
        Pairing::seated(from, &seated)
    })
}

fn count(n: usize, noun: &str) -> String {
    format!("{n} {noun}{}", if n == 1 { "" } else { "s" })
}

/// All groups of `size` of the first `n` numbers, each in ascending order; stops soon after [`MOST_CELLS`].
fn groups(n: usize, size: usize) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    let mut group: Vec<usize> = (0..size).collect();
    if size == 0 || size > n {
        return found;
    }
    while found.len() <= MOST_CELLS {
        found.push(group.clone());
        // The last place that can still move on, and all after it right behind it.
        let Some(place) = (0..size).rev().find(|&i| group[i] < n - size + i) else {
            break;
        };
        group[place] += 1;
        for i in place + 1..size {
            group[i] = group[i - 1] + 1;
        }
    }
    found
}

fn comparable(machine: &Machine) -> bool {
    machine.player_count() > 1 && matches!(machine.features().claim, Claim::ConstantSum { .. })
}

/// The metrics that are asked for, or those that make sense.
fn metrics(
    text: &str,
    outline: &Outline,
    machine: &Machine,
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
    Ok(list.iter().map(|(metric, _)| *metric).collect())
}

#[cfg(test)]
mod tests {
    use super::groups;

    #[test]
    fn a_round_robin_has_every_group_once() {
        assert_eq!(groups(3, 2), [[0, 1], [0, 2], [1, 2]]);
        assert_eq!(groups(2, 1), [[0], [1]]);
        assert_eq!(groups(5, 3).len(), 10);
        assert_eq!(groups(3, 3), [[0, 1, 2]]);
        assert!(groups(1, 2).is_empty());
        assert!(groups(300, 4).len() > super::MOST_CELLS);
    }
}
