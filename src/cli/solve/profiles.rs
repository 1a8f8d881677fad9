//! `--strategy` and `--exploit`: what each player does, as a file, a search or uniform play, put down for every information state.

use super::failure;
use super::strategy_file;
use super::trees::Built;
use crate::cli::load::Loaded;
use crate::cli::output::{self, Failure};
use crate::cli::players_text::settings;
use crate::cli::progress::Shown;
use crate::machine::Machine;
use crate::players::{PlayerError, PlayerSpec, by_state, suits};
use crate::solve::backward::depth::{StateStrategy, Uniform};
use crate::solve::methods::Progress;
use crate::solve::search_profile::search_profile;
use crate::solve::{Profile, TreeError};
use indexmap::IndexMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

/// What one player does.
#[derive(Clone)]
enum Source {
    Uniform,
    File(PathBuf),
    Search(PlayerSpec),
}

/// What every player does, as it was written.
pub struct Profiles {
    sources: Vec<(String, Source)>,
}

impl Profiles {
    /// Reads `uniform`, `FILE.json` or `uct(playouts=100)`, with `PLAYER=` before it where it is for one player only. Players
    /// that nothing is said of do as the one without a name says, or play uniformly.
    pub fn read(texts: &[String], loaded: &Loaded) -> Result<Profiles, Failure> {
        let machine = &loaded.machine;
        let wrong = |message: String| Failure::usage(format!("--strategy: {message}"));
        let mut all: Option<(String, Source)> = None;
        let mut named: Vec<Option<(String, Source)>> = vec![None; machine.player_count()];
        for text in texts {
            let (player, what) = split(text, machine);
            if let Some(unknown) = player.as_ref().err() {
                let players = names(machine).join(", ");
                return Err(wrong(format!("there is no player `{unknown}`: {players}")));
            }
            let source = (what.to_string(), source(what, loaded)?);
            let place = match player {
                Ok(Some(player)) => &mut named[player],
                _ => &mut all,
            };
            if place.replace(source).is_some() {
                return Err(wrong(format!("`{text}` says again what is said already")));
            }
        }
        let usual = all.unwrap_or(("uniform".to_string(), Source::Uniform));
        let sources = named.into_iter();
        Ok(Profiles {
            sources: sources.map(|s| s.unwrap_or(usual.clone())).collect(),
        })
    }

    /// What each player does, by its name.
    pub fn names(&self, machine: &Machine) -> IndexMap<String, String> {
        let sources = self.sources.iter().enumerate();
        sources
            .map(|(p, (text, _))| (machine.player_name(p).to_string(), text.clone()))
            .collect()
    }

    /// Where random numbers of searches come from, where `--seed` says so; it is refused where there is no search.
    pub fn seed(&self, given: Option<u64>) -> Result<u64, Failure> {
        let mut sources = self.sources.iter();
        let searches = sources.any(|(_, source)| matches!(source, Source::Search(_)));
        match given {
            Some(_) if !searches => Err(Failure::usage(
                "--seed is for searches, and no strategy here is one: nothing is random",
            )),
            given => Ok(given.unwrap_or(1)),
        }
    }

    /// The probabilities of every choice; `None` when it was stopped.
    pub fn profile(
        &self,
        loaded: &Loaded,
        built: &Built,
        seed: u64,
        stop: &AtomicBool,
    ) -> Result<Option<Profile>, Failure> {
        let (machine, tree) = (&loaded.machine, &built.tree);
        let mut profile = Profile::uniform(tree);
        for (player, (_, source)) in self.sources.iter().enumerate() {
            let from = match source {
                Source::Uniform => continue,
                Source::File(path) => strategy_file::read(path, loaded, tree)?,
                Source::Search(spec) => {
                    output::detail(|| settings(spec));
                    let states = tree.states_of(player).len() as u64;
                    let mut shown = Shown::default();
                    shown.begin("information states", Some(states));
                    let mut progress = |n| shown.done(n);
                    let mut strategy = strategy(Some(spec), seed);
                    let strategy = &mut *strategy;
                    let found =
                        search_profile(machine, tree, player, strategy, &mut progress, stop);
                    shown.end();
                    match found {
                        Err(TreeError::Stopped) => return Ok(None),
                        found => found.map_err(|error| failure::tree(loaded, &error))?,
                    }
                }
            };
            profile.adopt(tree, player, &from);
        }
        Ok(Some(profile))
    }
}

/// A player whose strategy is looked at.
pub struct Exploited {
    pub player: usize,
    /// The strategy as it was written.
    pub text: String,
    /// `None`: it plays uniformly.
    spec: Option<PlayerSpec>,
}

impl Exploited {
    /// Reads `Ann=uniform` or `Ann=uct(playouts=800)`.
    pub fn read(text: &str, machine: &Machine) -> Result<Exploited, Failure> {
        let wrong = |message: String| Failure::usage(format!("--exploit: {message}"));
        let (player, text) = match split(text, machine) {
            (Ok(Some(player)), strategy) => (player, strategy),
            (Ok(None), _) => {
                let message = "write the player and the strategy as PLAYER=STRATEGY";
                return Err(wrong(message.to_string()));
            }
            (Err(unknown), _) => {
                let players = names(machine).join(", ");
                return Err(wrong(format!("there is no player `{unknown}`: {players}")));
            }
        };
        let spec = match text {
            "uniform" => None,
            _ => {
                let spec = PlayerSpec::parse(text).map_err(|d| wrong(d.message.clone()))?;
                if by_state(&spec, 0).is_none() {
                    return Err(wrong(format!(
                        "`{text}` has no strategy by state; there are `uniform`, `uct(playouts=N)` and `smmcts(playouts=N)`"
                    )));
                }
                Some(spec)
            }
        };
        let text = text.to_string();
        Ok(Exploited { player, text, spec })
    }

    pub fn strategy(&self, seed: u64) -> Box<dyn StateStrategy> {
        strategy(self.spec.as_ref(), seed)
    }
}

/// The strategy by state of a player that has one, or uniform play.
fn strategy(spec: Option<&PlayerSpec>, seed: u64) -> Box<dyn StateStrategy> {
    let found = spec.and_then(|spec| by_state(spec, seed));
    found.unwrap_or(Box::new(Uniform))
}

fn names(machine: &Machine) -> Vec<&str> {
    machine.player_names().collect()
}

/// The player that a strategy is for, or the name that is nobody's; and the strategy.
fn split<'t>(text: &'t str, machine: &Machine) -> (Result<Option<usize>, &'t str>, &'t str) {
    let text = text.trim();
    // An `=` after a bracket belongs to a parameter.
    let head = text.find('(').map_or(text, |open| &text[..open]);
    let Some((name, _)) = head.split_once('=') else {
        return (Ok(None), text);
    };
    let rest = text[name.len() + 1..].trim();
    let name = name.trim();
    let found = (0..machine.player_count()).find(|&p| machine.player_name(p) == name);
    (found.map(Some).ok_or(name), rest)
}

fn source(what: &str, loaded: &Loaded) -> Result<Source, Failure> {
    let path = PathBuf::from(what);
    if path.extension().is_some_and(|e| e == "json") || path.is_file() {
        return Ok(Source::File(path));
    }
    if what == "uniform" {
        return Ok(Source::Uniform);
    }
    let wrong = |message: String| {
        Failure::advised(
            format!("--strategy: {message}"),
            "there are `uniform`, `FILE.json`, `uct(playouts=N)` and `smmcts(playouts=N)`",
        )
    };
    let spec = PlayerSpec::parse(what).map_err(|d| wrong(d.message.clone()))?;
    if spec.entry().name == "random" {
        return Ok(Source::Uniform);
    }
    if by_state(&spec, 0).is_none() {
        return Err(wrong(format!("`{what}` has no strategy by state")));
    }
    match suits(&spec, &loaded.machine) {
        Err(PlayerError::Unsuited(report)) => Err(loaded.failure(*report)),
        _ => Ok(Source::Search(spec)),
    }
}
