//! `ruse players`: the players with their parameters, or which of them can play a game.

use super::codes::UNKNOWN_GAME;
use super::game::Set;
use super::load;
use super::output::{self, Failure, Verdict, table};
use super::problem::{Location, Problem};
use crate::machine::Machine;
use crate::players::catalogue::{self, CATALOGUE, Entry};
use crate::players::{PlayerError, PlayerSpec, suits, usual};
use crate::shipped;
use crate::text::nearest::nearest;
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;

/// List the players with their parameters, or say which of them can play a game
#[derive(Args)]
#[command(after_help = "\
Examples:
  ruse players
  ruse players uct
  ruse players duel.game
  ruse players duel.game --set bids=hidden

A player is written `uct(playouts=1000, c=0.7)`, or as YAML:

  uct:
    playouts: 1000
    c: 0.7

Exit codes:
  0  listed
  1  the game has errors
  2  wrong use, or the file cannot be read")]
pub struct Players {
    /// A game, to say which players can play it: a file, or the name of a shipped game; or a player, for its parameters
    #[arg(value_name = "GAME")]
    game: Option<PathBuf>,

    #[command(flatten)]
    set: Set,

    /// Print one JSON document instead
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    /// The game that `plays` is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    game: Option<String>,
    players: Vec<PlayerReport>,
    /// Who plays the game where nobody is named.
    #[serde(skip_serializing_if = "Option::is_none")]
    usual: Option<UsualReport>,
}

#[derive(Serialize)]
struct UsualReport {
    player: String,
    because: &'static str,
}

#[derive(Serialize)]
struct PlayerReport {
    name: &'static str,
    doc: &'static str,
    /// Whether it plays games in which not everybody sees everything.
    hidden_information: bool,
    parameters: Vec<ParameterReport>,
    #[serde(flatten)]
    suited: Option<Suited>,
}

#[derive(Serialize)]
struct ParameterReport {
    name: &'static str,
    values: String,
    default: &'static str,
    /// What else must be set for it to mean something.
    goes_with: Vec<String>,
    doc: &'static str,
    #[serde(skip)]
    terms: String,
}

#[derive(Serialize)]
struct Suited {
    plays: bool,
    /// Why not, and where in the text of the game the reason stands.
    why_not: Option<String>,
    #[serde(flatten)]
    place: Option<Location>,
    /// What it plays the game with.
    #[serde(skip_serializing_if = "Option::is_none")]
    instead: Option<String>,
}

impl Players {
    pub fn run(&self) -> Result<Verdict, Failure> {
        if self.game.is_none() && !self.set.is_empty() {
            let hint = "such as `ruse players duel.game --set cards=5`";
            return Err(Failure::advised(
                "`--set` is for a game, and none is named",
                hint,
            ));
        }
        let alone = self.player();
        if let Some(failure) = self.misspelt() {
            return Err(failure);
        }
        let loaded = match &self.game {
            Some(game) if alone.is_none() => Some(load::game_at(game, &self.set.settings()?)?),
            _ => None,
        };
        let place = |span| loaded.as_ref().map(|l| l.source.place(span));
        let entries = CATALOGUE.iter();
        let entries = entries.filter(|entry| alone.is_none_or(|name| entry.name == name));
        let players = entries.map(|entry| PlayerReport {
            name: entry.name,
            doc: entry.doc,
            hidden_information: !entry.needs_perfect_information,
            parameters: parameters(entry),
            suited: loaded.as_ref().map(|l| suited(entry, &l.machine, place)),
        });
        let report = Report {
            game: loaded
                .as_ref()
                .map(|l| l.machine.description().name.clone()),
            players: players.collect(),
            usual: loaded.as_ref().and_then(|l| {
                let usual = usual(&l.machine)?;
                Some(UsualReport {
                    player: usual.spec.to_string(),
                    because: usual.because,
                })
            }),
        };
        output::show(self.json, &report, || report.text());
        Ok(Verdict::Fine)
    }

    /// What to say of a word that is no game, and nearly a player.
    fn misspelt(&self) -> Option<Failure> {
        let path = self.game.as_ref()?;
        let name = path.to_str().filter(|word| shipped::is_bare(word))?;
        let is_known = path.exists() || catalogue::find(name).is_some();
        if is_known || !self.set.is_empty() || !shipped::suggest(name).is_empty() {
            return None;
        }
        let near = nearest(name, CATALOGUE.iter().map(|entry| entry.name))?;
        Some(Failure::wrong_use(Problem::Outside {
            file: None,
            code: Some(UNKNOWN_GAME),
            message: format!("there is no player and no shipped game `{name}`"),
            hint: Some(format!("did you mean `{near}`?")),
        }))
    }

    /// The player that is named in place of a game, where no game is called so.
    fn player(&self) -> Option<&'static str> {
        let path = self.game.as_ref()?;
        let name = path.to_str()?;
        let is_game = shipped::find(name).is_some() || path.exists();
        let entry = CATALOGUE.iter().find(|entry| entry.name == name)?;
        (!is_game && self.set.is_empty()).then_some(entry.name)
    }
}

fn parameters(entry: &Entry) -> Vec<ParameterReport> {
    let parameters = entry.parameters.iter().map(|p| ParameterReport {
        name: p.name,
        values: p.kind.to_string(),
        default: p.default,
        goes_with: p.needs.iter().map(ToString::to_string).collect(),
        doc: p.doc,
        terms: p.terms(),
    });
    parameters.collect()
}

fn suited(
    entry: &Entry,
    machine: &Machine,
    place: impl Fn(crate::text::span::Span) -> Option<Location>,
) -> Suited {
    let mut suited = Suited {
        plays: true,
        why_not: None,
        place: None,
        instead: None,
    };
    // A player by its name alone, with the defaults of its parameters.
    let problem = match PlayerSpec::parse(entry.name) {
        Ok(spec) => suits(&spec, machine).err(),
        Err(_) => None,
    };
    if let Some(error) = problem {
        suited.plays = false;
        suited.why_not = Some(match &error {
            PlayerError::Unsuited(d) => {
                // The report says who cannot play what; both are known here.
                let reason = d
                    .message
                    .split_once(": ")
                    .map_or(d.message.as_str(), |(_, r)| r);
                reason.to_string()
            }
            other => other.to_string(),
        });
        suited.instead = match &error {
            PlayerError::Unsuited(d) => {
                let hint = d.hint.as_deref();
                hint.and_then(|h| h.strip_prefix(&format!("`{}` ", entry.name)))
                    .map(str::to_string)
            }
            _ => None,
        };
        suited.place = error.diagnostic().and_then(|d| place(d.span));
    }
    suited
}

impl Report {
    fn text(&self) -> String {
        let Some(game) = &self.game else {
            return self
                .players
                .iter()
                .map(PlayerReport::text)
                .collect::<Vec<_>>()
                .join("\n");
        };
        let rows = self.players.iter().map(|player| {
            let says = match &player.suited {
                Some(Suited {
                    why_not: Some(why),
                    place,
                    instead,
                    ..
                }) => {
                    let at =
                        place.map_or_else(String::new, |p| format!(" ({}:{})", p.line, p.column));
                    let other = instead
                        .as_ref()
                        .map_or_else(String::new, |i| format!("; {i}"));
                    format!("cannot play {game}: {why}{at}{other}")
                }
                _ => format!("can play {game}"),
            };
            vec![player.name.to_string(), says]
        });
        let mut text = table(&rows.collect::<Vec<_>>(), &[]);
        if let Some(UsualReport { player, because }) = &self.usual {
            text.push_str(&format!(
                "\nwhere nobody is named: {player}, since {because}\n"
            ));
        }
        text
    }
}

impl PlayerReport {
    fn text(&self) -> String {
        let mut text = format!("{}\n  {}\n", self.name, self.doc);
        for p in &self.parameters {
            let (name, values, terms) = (p.name, &p.values, &p.terms);
            text.push_str(&format!("  {name}: {values} [{terms}]\n    {}\n", p.doc));
        }
        text
    }
}
