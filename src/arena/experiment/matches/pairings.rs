//! Who meets whom in an experiment of matches.

use super::outline::{Outline, PairingOutline, Pairings};
use crate::arena::experiment::codes;
use crate::arena::experiment::plan::MOST_CELLS;
use crate::arena::experiment::reader::VariantOutline;
use crate::machine::Machine;
use crate::model::PlayerSet;
use crate::text::diagnostics::Diagnostic;
use crate::text::nearest::nearest;
use crate::text::plural::plural;

/// A pairing as a seating plan reads it.
pub struct Pairing {
    pub text: String,
    /// Who plays, by name, and on which seats if they stay there.
    pub label: String,
    /// Who plays: places in the variant's list of players, each once.
    pub members: Vec<usize>,
    /// For each spec of the text, the place in `members` of the player whose it is.
    pub owners: Vec<usize>,
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

    /// Players on seats of their own; the same player may have several. `label` says so in short.
    fn seated(from: &VariantOutline, seated: &[(&str, usize)], label: String) -> Pairing {
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
        Pairing {
            text: specs.collect::<Vec<_>>().join(","),
            label,
            members,
            owners,
        }
    }
}

/// Who there is to play.
pub struct Table<'m> {
    pub seats: Vec<&'m str>,
    teams: Vec<(&'m str, PlayerSet)>,
    /// Those who win and lose together.
    sides: &'m [PlayerSet],
}

impl Table<'_> {
    pub fn of(machine: &Machine) -> Table<'_> {
        let description = machine.description();
        let teams = description.teams.iter();
        Table {
            seats: machine.player_names().collect(),
            teams: teams.map(|t| (t.name.as_str(), t.members)).collect(),
            sides: &description.payoff.sides,
        }
    }

    /// The players that a name stands for: one seat, or those of a team.
    fn named(&self, name: &str) -> Option<PlayerSet> {
        let seat = self.seats.iter().position(|seat| *seat == name);
        let team = self.teams.iter().find(|(team, _)| *team == name);
        seat.map(PlayerSet::only).or(team.map(|(_, set)| *set))
    }

    /// A side in short: as a team, or by its seats.
    fn side(&self, side: PlayerSet) -> String {
        match self.teams.iter().find(|(_, team)| *team == side) {
            Some((name, _)) => name.to_string(),
            None => side
                .iter()
                .map(|s| self.seats[s])
                .collect::<Vec<_>>()
                .join(", "),
        }
    }

    fn hint(&self) -> String {
        let names = self
            .seats
            .iter()
            .chain(self.teams.iter().map(|(name, _)| name));
        format!(
            "the seats are {}",
            names.copied().collect::<Vec<_>>().join(", ")
        )
    }
}

/// The side that the first of two players has.
pub fn first_side(machine: &Machine) -> String {
    let table = Table::of(machine);
    let first = table.sides.first().copied();
    table.side(first.unwrap_or_default())
}

/// Everybody against everybody else, once on each side.
fn on_each_side(
    from: &VariantOutline,
    table: &Table<'_>,
    sides: [PlayerSet; 2],
) -> impl Iterator<Item = Pairing> {
    let players = 0..from.players.len();
    let pairs = players
        .clone()
        .flat_map(move |a| players.clone().map(move |b| [a, b]));
    pairs.filter(|[a, b]| a != b).map(move |pair| {
        let seats = table.seats.iter().enumerate();
        let seated = seats.map(|(i, seat)| (*seat, pair[usize::from(!sides[0].contains(i))]));
        let label = std::iter::zip(sides, pair)
            .map(|(side, player)| format!("{}: {}", table.side(side), from.players[player].0));
        let label = label.collect::<Vec<_>>().join(", ");
        Pairing::seated(from, &seated.collect::<Vec<_>>(), label)
    })
}

/// The pairings that a file asks for in a game.
///
/// # Errors
/// Where they do not fit the seats; the span is in `text`.
pub fn pairings(
    text: &str,
    outline: &Outline,
    from: &VariantOutline,
    table: &Table<'_>,
) -> Result<Vec<Pairing>, Box<Diagnostic>> {
    let seats = &table.seats;
    match &outline.pairings {
        Pairings::Sides(place) => {
            let [first, second] = *table.sides else {
                let sides = table.sides.len();
                let message =
                    format!("`sides` is for games of two sides, and this one has {sides}");
                return Err(place.report(text, codes::BAD_PAIRING, message, &table.hint()));
            };
            let pairs = on_each_side(from, table, [first, second]);
            Ok(pairs.take(MOST_CELLS + 1).collect())
        }
        Pairings::RoundRobin(place) => {
            let players = from.players.len();
            let groups = groups(players, seats.len());
            if groups.is_empty() || groups.len() > MOST_CELLS {
                let message = format!(
                    "a round robin of {} for {} has {} pairings",
                    plural(players, "player"),
                    plural(seats.len(), "seat"),
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
            let pairings = list.iter().map(|p| listed(text, p, from, table));
            pairings.collect()
        }
    }
}

fn listed(
    text: &str,
    pairing: &PairingOutline,
    from: &VariantOutline,
    table: &Table<'_>,
) -> Result<Pairing, Box<Diagnostic>> {
    let list = table.hint();
    let mut seated: Vec<(&str, usize)> = Vec::new();
    let mut label = Vec::new();
    for (name, player, place) in &pairing.players {
        let Some(name) = name else { continue };
        let Some(named) = table.named(name) else {
            let names = table
                .seats
                .iter()
                .chain(table.teams.iter().map(|(team, _)| team));
            let hint = match nearest(name, names.copied()) {
                Some(near) => format!("did you mean `{near}`? {list}"),
                None => list,
            };
            let message = format!("the game has no player `{name}`");
            return Err(place.report(text, codes::BAD_PAIRING, message, &hint));
        };
        for seat in named.iter().map(|seat| table.seats[seat]) {
            if seated.iter().any(|(taken, _)| *taken == seat) {
                let message = format!("{seat} has two players");
                return Err(place.report(text, codes::BAD_PAIRING, message, "name each seat once"));
            }
            seated.push((seat, *player));
        }
        label.push(format!("{name}: {}", from.players[*player].0));
    }
    let players = seated.len().max(pairing.players.len());
    if players != table.seats.len() {
        let players = plural(players, "player");
        let message = format!("{players} for {}", plural(table.seats.len(), "seat"));
        return Err(pairing
            .place
            .report(text, codes::BAD_PAIRING, message, &list));
    }
    Ok(if seated.is_empty() {
        Pairing::free(from, pairing.players.iter().map(|(_, p, _)| *p).collect())
    } else {
        Pairing::seated(from, &seated, label.join(", "))
    })
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
