//! `ruse match`: many games between players, and what came of them.

use super::clock::stopwatch;
use super::engine::EngineName;
use super::game::Game;
use super::load::{self, Loaded, STANDARD_INPUT};
use super::match_text;
use super::number::whole;
use super::output::{self, Failure, Verdict, plural};
use super::players_text::{players_text, settings};
use super::prepare::Preparing;
use super::problem::Problem;
use super::record_file::{self, Known, RecordFile, Trouble};
use super::round_robin::RoundRobin;
use super::thought_text::Thoughts;
use super::{interrupt, progress};
use crate::arena::record::{game_line, header};
use crate::arena::{
    ArenaError, GameResult, Keep, Match, MatchOptions, MatchResult, SeatingPlan, Watch,
    check_players, play_match_and_keep,
};
use crate::machine::Machine;
use crate::players::catalogue::CATALOGUE;
use crate::players::{PlayerError, PlayerSpec, codes, usual};
use clap::Args;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// The most games in one match.
const MOST_GAMES: u64 = 1_000_000_000_000;

/// Play games between players, with statistics
#[derive(Args)]
#[command(after_help = help())]
pub struct MatchCommand {
    #[command(flatten)]
    game: Game,

    /// Who plays: SEAT=PLAYER for a certain seat, TEAM=PLAYER for a team, PLAYER for the seats that are left; comma-separated; or a YAML file
    /// [default: the usual player for such a game]
    #[arg(long, value_name = "PLAYERS")]
    players: Option<String>,

    /// Let each of the players named meet each other in so many games, and rate them; for games of two
    #[arg(long, requires = "players", conflicts_with_all = ["record", "resume"])]
    round_robin: bool,

    /// How many games
    #[arg(short = 'n', long, value_name = "N", default_value_t = 100, value_parser = whole(1..=MOST_GAMES), allow_negative_numbers = true)]
    games: u64,

    /// Everything random in the match comes from this number
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    seed: u64,

    /// How many games at once; the result does not depend on it [default: one for each processor]
    #[arg(short = 'j', long, value_name = "N", value_parser = whole(1..=1024), allow_negative_numbers = true)]
    threads: Option<u64>,

    /// Write every game to this file as soon as it is finished, one JSON object a line; it must be new
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,

    /// Go on with the match in the file of --record where it ended, if the file is there
    #[arg(long, requires = "record")]
    resume: bool,

    /// What runs playouts, steps and lists; the games do not depend on it [default: portable, and native once that pays]
    #[arg(long, value_name = "ENGINE", value_enum)]
    engine: Option<EngineName>,

    /// Print one JSON document instead
    #[arg(long)]
    json: bool,
}

fn help() -> String {
    let mut text = String::from(
        "\
Examples:
  ruse match duel.game
  ruse match duel.game --players random
  ruse match duel.game --players 'Ann=uct(playouts=1000),Ben=random' --games 200
  ruse match duel.game --players 'uct(playouts=100),uct(playouts=1000)' --games 1000 --seed 7
  ruse match duel.game --players 'Ann=@strong.yaml,Ben=random'
  ruse match duel.game --players 'uct(playouts=10),uct(playouts=100),random' --round-robin
  ruse match duel.game --players random --record duel.jsonl
  ruse match duel.game --players random --record duel.jsonl --resume --games 500

One player without a seat plays all free seats. As many as there are free seats change seats from \
game to game, so that each plays every free seat equally often. The name of a team stands for its members, but for those \
that are named themselves.

Where payoffs add up to a constant, the side with the best payoff wins; if several have it, that is a draw for these and a loss \
for the others. A side is a team, whose members win and lose together, or a player without one.

With --round-robin each of the players, which name no seats, meets each other in a match of --games. Ratings are in points of \
Elo by the model of Bradley and Terry, over all games, with 95 % intervals; 0 is the mean of the players.

A player may stand in a YAML file, `Ann=@strong.yaml`, as `uct: { playouts: 1000 }`; and all of them in \
one, `--players all.yaml`, which is a list of players, has a line `SEAT: PLAYER` for each seat, or is one player for all.

Where nobody is named, everybody is `ismcts(belief=posterior)` in a game where something is hidden, `smmcts` where two players \
with opposed payoffs move at the same time (and have no more than 500 joint moves), and `uct` everywhere else.

The same seed gives the same output for any number of threads, except with a budget in milliseconds.

Players:
",
    );
    for entry in CATALOGUE.iter() {
        text.push_str(&format!("  {}: {}\n", entry.name, entry.doc));
        for p in &entry.parameters {
            let (name, kind, terms) = (p.name, p.kind, p.terms());
            text.push_str(&format!("    {name}: {kind} [{terms}]. {}\n", p.doc));
        }
    }
    text.push_str(
        "
Exit codes:
  0  all games were played
  1  the game has errors, a player cannot play it, play ran into an error, or it was stopped
  2  wrong use, a player that does not exist, or a file that cannot be read

Ctrl-C stops the match and prints what was finished; a second Ctrl-C ends at once. A record keeps \
every finished game, however the match ends; `ruse replay` reads it.",
    );
    text
}

/// The result of the match, and whether it can be had again.
#[derive(Serialize)]
struct Report<'a> {
    file: &'a str,
    #[serde(flatten)]
    result: &'a MatchResult,
    /// False when a player has a budget in milliseconds, or the match was stopped.
    reproducible: bool,
}

/// How the writing of a record goes.
enum Writing {
    Well(RecordFile),
    Failed(Trouble),
}

impl MatchCommand {
    pub fn run(&self) -> Result<Verdict, Failure> {
        let loaded = EngineName::run_on(self.engine, load::game(&self.game)?);
        if self.round_robin {
            return self.every_pair(&loaded);
        }
        let plan = self.plan(&loaded.machine)?;
        let stop = interrupt::flag();
        let timed = plan.specs().iter().any(PlayerSpec::depends_on_time);
        let clock = stopwatch();
        let options = MatchOptions {
            games: self.games,
            seed: self.seed,
            threads: self.threads.map(|n| n as usize),
        };
        let play = Match {
            machine: loaded.machine.clone(),
            plan,
            clock: clock.clone(),
        };
        check_players(&play).map_err(|error| failure(&loaded, &error))?;
        for spec in play.plan.specs() {
            output::detail(|| settings(spec));
        }
        let play = Match {
            plan: Preparing {
                loaded: &loaded,
                folder: Path::new(""),
                stop: &stop,
            }
            .plan(play.plan)?,
            ..play
        };
        let kept = self.record(&loaded, &play)?;
        // Games that were there before are no work of this run: neither its time nor its end follow from them.
        let there = kept.as_ref().map_or(0, |(_, known)| known.len() as u64);
        let there = there.min(self.games);
        let bar = progress::bar(self.games - there, "games");
        let played = AtomicU64::new(0);
        let finished = |game: u64, result: &GameResult| {
            bar.set_position(played.fetch_add(1, Ordering::Relaxed) + 1);
            let Some((record, _)) = &kept else { return };
            let line = game_line(&play.machine, &play.plan, self.seed, game, result);
            // A lock is only lost with a thread that failed inside, and then there is nothing to save.
            let (Ok(line), Ok(mut record)) = (line, record.lock()) else {
                return;
            };
            if let Writing::Well(file) = &mut *record
                && let Err(trouble) = file.put(&line)
            {
                *record = Writing::Failed(trouble);
                stop.store(true, Ordering::SeqCst);
            }
        };
        let keep = kept.as_ref().map(|(_, known)| Keep {
            known,
            finished: &finished,
        });
        let progress = |done| match &kept {
            Some(_) => {}
            None => bar.set_position(done),
        };
        let thoughts = Thoughts::new(play.plan.specs().len());
        let watch = Watch {
            progress: &progress,
            thought: &|who, thought| thoughts.add(who, thought),
        };
        let result = play_match_and_keep(&play, &options, keep, watch, &stop);
        bar.finish_and_clear();
        if let Some((record, _)) = kept
            && let Ok(record) = record.into_inner()
        {
            match record {
                Writing::Well(file) => file.close(),
                Writing::Failed(trouble) => return Err(trouble.into()),
            }
        }
        let result = result.map_err(|error| failure(&loaded, &error))?;
        let new = result.finished.saturating_sub(there);
        output::detail(|| speed(&loaded, new, result.plies.mean, clock().as_secs_f64()));
        thoughts.tell(play.plan.specs());

        output::show(
            self.json,
            &Report {
                file: &loaded.source.path,
                result: &result,
                reproducible: !timed && result.is_complete(),
            },
            || match_text::text(&result, timed),
        );
        output::aside(&format!(
            "{} in {:.1} s{}",
            plural(result.finished.saturating_sub(there), "game"),
            clock().as_secs_f64(),
            match there {
                0 => String::new(),
                n => format!("; {} were there already", plural(n, "game"))
                    .replace("1 game were", "1 game was"),
            }
        ));
        if result.is_complete() {
            return Ok(Verdict::Fine);
        }
        let more = match (&self.record, self.resume) {
            (None, _) => "",
            (Some(_), false) => "; with `--resume` the same command goes on",
            (Some(_), true) => "; the same command goes on",
        };
        output::say(&format!(
            "stopped after {} of {}{more}",
            result.finished,
            plural(result.games, "game")
        ));
        Ok(Verdict::No)
    }

    /// `--round-robin`.
    fn every_pair(&self, loaded: &Loaded) -> Result<Verdict, Failure> {
        let players = self.players.as_deref().unwrap_or_default();
        let round_robin = RoundRobin {
            loaded,
            players: &players_text("--players", players)?,
            games: self.games,
            seed: self.seed,
            threads: self.threads.map(|n| n as usize),
            json: self.json,
        };
        round_robin.run(&interrupt::flag())
    }

    /// The record to write, if one is wanted, and the games that it holds already.
    fn record(
        &self,
        loaded: &Loaded,
        play: &Match,
    ) -> Result<Option<(Mutex<Writing>, Known)>, Failure> {
        let Some(path) = &self.record else {
            return Ok(None);
        };
        if self.game.file.as_os_str() == STANDARD_INPUT {
            let message = "a record names the file of its game, and standard input has no name";
            return Err(Failure::advised(message, "write the game to a file"));
        }
        let (machine, plan) = (&play.machine, &play.plan);
        let game = self.game.file.display().to_string();
        let first = header(machine, plan, self.seed, &game, &loaded.source.sources);
        let (file, known) = if self.resume {
            record_file::resume(path, &first, machine, plan)?
        } else {
            (record_file::create(path, &first)?, Known::new())
        };
        if !known.is_empty() {
            let games = plural(known.len() as u64, "game");
            let beyond = known.range(self.games..).count() as u64;
            let beyond = match beyond {
                0 => String::new(),
                n => format!(", of which {n} are beyond the {} asked for", self.games)
                    .replace("1 are", "1 is"),
            };
            output::note(&format!("{games} in {} already{beyond}", path.display()));
        }
        Ok(Some((Mutex::new(Writing::Well(file)), known)))
    }

    fn plan(&self, machine: &Machine) -> Result<SeatingPlan, Failure> {
        let usual = match &self.players {
            Some(_) => None,
            None => usual(machine),
        };
        let text = match (&self.players, &usual) {
            (Some(text), _) => text.clone(),
            (None, Some(usual)) => {
                output::note(&usual.line());
                usual.spec.to_string()
            }
            (None, None) => String::new(),
        };
        let players = players_text("--players", &text)?;
        SeatingPlan::parse_for(&players.text, machine)
            .map_err(|diagnostic| players.failure(*diagnostic))
    }
}

/// How fast games were played, and by what.
pub(super) fn speed(loaded: &Loaded, games: u64, plies: Option<f64>, seconds: f64) -> String {
    let rate = games as f64 / seconds.max(1e-9);
    let engine = match loaded.machine.has_native_code() {
        true => "machine code",
        false => "the portable engine",
    };
    let why = loaded.machine.no_native_code();
    let why = why.map_or_else(String::new, |why| format!(": {why}"));
    let plies = match plies {
        Some(plies) => format!(" and {:.0} plies", plies * rate),
        None => String::new(),
    };
    let games = plural(games, "game");
    format!("played {games} in {seconds:.2} s: {rate:.1} games{plies} a second, by {engine}{why}")
}

/// A match that could not be played, told in the text of the game where it is about that.
pub(super) fn failure(loaded: &Loaded, error: &ArenaError) -> Failure {
    if let Some(diagnostic) = error.diagnostic() {
        return loaded.failure(diagnostic);
    }
    let (code, message) = match error {
        ArenaError::BadAnswer { game, seat } => (
            Some(codes::BAD_ANSWER),
            format!(
                "game {}: the player of {seat} chose something that is not among its actions",
                game + 1
            ),
        ),
        ArenaError::Player {
            game,
            seat,
            error: PlayerError::LostTrack(what),
        } => {
            let game = game.map_or_else(String::new, |n| format!("game {}: ", n + 1));
            (
                Some(codes::LOST_TRACK),
                format!("{game}the player of {seat} lost track of the game: {what}"),
            )
        }
        _ => (None, error.to_string()),
    };
    Failure::no(Problem::outside(code, message))
}
