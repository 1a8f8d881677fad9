//! The file of an experiment of matches: YAML to what it says, with a place for everything that is wrong. The games are
//! not looked at.

use super::Matches;
use super::metric::Metric;
use crate::arena::experiment::codes;
use crate::arena::experiment::reader::{self, Location, Reader, find, suggestion};
use crate::players::spec::Budget;
use crate::text::diagnostics::Diagnostic;
use crate::text::nearest::nearest;
use crate::text::yaml::Tree;

/// The most games in one pairing.
pub const MOST_GAMES: u64 = 10_000_000;

/// What an experiment says of its matches.
#[derive(Clone, Debug)]
pub struct Outline {
    pub pairings: Pairings,
    /// In the order of the file, each with its place.
    pub metrics: Option<Vec<(Metric, Location)>>,
}

#[derive(Clone, Debug)]
pub enum Pairings {
    /// Every group of as many players as the game has seats; its place.
    RoundRobin(Location),
    /// Everybody against everybody else, once on each side; a player has all the seats of its side.
    Sides(Location),
    Listed(Vec<PairingOutline>),
}

#[derive(Clone, Debug)]
pub struct PairingOutline {
    pub place: Location,
    /// Places in the list of players, each with its own place in the file; with the seat where the pairing names
    /// seats.
    pub players: Vec<(Option<String>, usize, Location)>,
}

const KEYS: [&str; 10] = [
    "title", "game", "set", "variants", "players", "pairings", "games", "seed", "budget", "metrics",
];

impl Reader<'_> {
    /// Reads an experiment of matches.
    pub(in crate::arena::experiment) fn matches(
        &self,
        tree: &Tree,
    ) -> Result<reader::Outline<Matches>, Box<Diagnostic>> {
        let beginning = self.beginning(tree, &KEYS, Budget::default())?;
        self.no_player_of_all(beginning.players)?;
        let rows = beginning.rows;
        let games = self.need(tree, rows, "games", "1000")?;
        let games = self.whole(games, "games", 1..=MOST_GAMES)?;
        let metrics = match find(rows, "metrics") {
            Some(list) => Some(self.metrics(list)?),
            None => None,
        };
        let names: Vec<&str> = beginning.names.iter().map(String::as_str).collect();
        let pairings = match find(rows, "pairings") {
            Some(pairings) => self.pairings(pairings, &names)?,
            None => Pairings::RoundRobin(Location(beginning.players.number())),
        };
        Ok(reader::Outline {
            title: beginning.title,
            each: games,
            seed: beginning.seed,
            variants: beginning.variants,
            measure: Outline { pairings, metrics },
        })
    }

    /// Refuses a player whose name stands in tables for the games of all pairings.
    fn no_player_of_all(&self, players: &Tree) -> Result<(), Box<Diagnostic>> {
        let Tree::Table(rows, _) = players else {
            return Ok(());
        };
        match rows.iter().find(|(name, _)| name.text == "all") {
            None => Ok(()),
            Some((name, _)) => {
                let message = "`all` is no name of a player".to_string();
                let hint = "tables call so what is over all pairings; choose another name";
                Err(self.at(name.number, codes::BAD_VALUE, message, hint))
            }
        }
    }

    fn pairings(&self, tree: &Tree, names: &[&str]) -> Result<Pairings, Box<Diagnostic>> {
        const HINT: &str = "write `round-robin`, `sides`, or a list such as `[[A, B], [A, C]]`";
        let list = match tree {
            Tree::Scalar(word) if word.text == "round-robin" => {
                return Ok(Pairings::RoundRobin(Location(word.number)));
            }
            Tree::Scalar(word) if word.text == "sides" => {
                return Ok(Pairings::Sides(Location(word.number)));
            }
            Tree::List(list, _) if !list.is_empty() => list,
            _ => {
                let message = "these are no pairings".to_string();
                return Err(self.at(tree.number(), codes::BAD_VALUE, message, HINT));
            }
        };
        let who = |tree: &Tree| {
            let word = self.word(tree, "pairings", HINT)?;
            match names.iter().position(|n| *n == word.text) {
                Some(player) => Ok((player, Location(word.number))),
                None => {
                    let message = format!("the experiment has no player `{}`", word.text);
                    let hint = suggestion(&word.text, names);
                    Err(self.at(word.number, codes::BAD_PAIRING, message, &hint))
                }
            }
        };
        let pairings = list.iter().map(|pairing| {
            let mut players = Vec::new();
            match pairing {
                Tree::List(list, _) => {
                    for tree in list {
                        let (player, place) = who(tree)?;
                        if players.iter().any(|(_, other, _)| *other == player) {
                            let name = names[player];
                            let message = format!("`{name}` stands in this pairing twice");
                            let hint =
                                "name the seats: `{ SEAT: PLAYER, … }` may have a player twice";
                            return Err(self.at(place.0, codes::BAD_PAIRING, message, hint));
                        }
                        players.push((None, player, place));
                    }
                }
                Tree::Table(..) => {
                    for (seat, tree) in self.rows(pairing, "a pairing", HINT)? {
                        let (player, _) = who(tree)?;
                        players.push((Some(seat.text.clone()), player, Location(seat.number)));
                    }
                }
                Tree::Scalar(_) => {
                    let message = "a pairing is a list of players, or a table of seats";
                    let code = codes::UNREADABLE;
                    return Err(self.at(pairing.number(), code, message.to_string(), HINT));
                }
            }
            Ok(PairingOutline {
                place: Location(pairing.number()),
                players,
            })
        });
        Ok(Pairings::Listed(pairings.collect::<Result<_, _>>()?))
    }

    fn metrics(&self, tree: &Tree) -> Result<Vec<(Metric, Location)>, Box<Diagnostic>> {
        let all = Metric::ALL.map(Metric::name);
        let hint = format!("metrics: {}", all.join(", "));
        let list = match tree {
            Tree::List(list, _) if !list.is_empty() => list,
            tree => {
                let message = match tree {
                    Tree::List(..) => "there are no metrics here",
                    _ => "`metrics` is a list",
                };
                let message = message.to_string();
                return Err(self.at(tree.number(), codes::UNREADABLE, message, &hint));
            }
        };
        let mut metrics: Vec<(Metric, Location)> = Vec::new();
        for tree in list {
            let word = self.word(tree, "metrics", &hint)?;
            let Some(metric) = Metric::ALL.into_iter().find(|m| m.name() == word.text) else {
                let message = format!("there is no metric `{}`", word.text);
                let hint = match nearest(&word.text, all) {
                    Some(near) => format!("did you mean `{near}`? {hint}"),
                    None => hint,
                };
                return Err(self.at(word.number, codes::BAD_VALUE, message, &hint));
            };
            if metrics.iter().any(|(other, _)| *other == metric) {
                let message = format!("`{}` stands here twice", metric.name());
                let hint = "leave one of them out";
                return Err(self.at(word.number, codes::BAD_VALUE, message, hint));
            }
            metrics.push((metric, Location(word.number)));
        }
        Ok(metrics)
    }
}
