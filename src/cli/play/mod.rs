//! `ruse play`: people at a terminal, who see what their seats may see.

mod editor;
mod game_loop;
mod modes;
mod save;
mod seats;
mod terminal;
pub(super) mod thinking;

use super::clock::{fresh_seed, stopwatch};
use super::game::Set;
use super::habits;
use super::load::{self, Loaded};
use super::match_::failure;
use super::number::whole;
use super::output::{self, Failure, Verdict};
use super::players_text::settings;
use super::prepare::Preparing;
use super::problem::Problem;
use crate::arena::record::header_of;
use crate::arena::session::{Occupant, Session};
use crate::machine::Machine;
use crate::players::{Patience, PlayerSpec};
use crate::text::wrap::paragraph;
use clap::Args;
use game_loop::GameLoop;
use save::SaveFile;
use std::path::{Path, PathBuf};
use terminal::Terminal;
use thinking::Thinking;

/// Play a game yourself, against players or other people
#[derive(Args)]
#[command(after_help = "\
Examples:
  ruse play duel.game
  ruse play duel.game --as Ben
  ruse play duel.game --as Ann --against 'uct(playouts=5000)'
  ruse play duel.game --as Ann,Ben
  ruse play duel.game --as Ann --against random --seed 7 --save evening.jsonl
  ruse play --resume evening.jsonl

Without `--against` the others are `uct` in a game where everything is seen and one player moves at a time, `smmcts` where \
players move at the same time, and `ismcts` where something is hidden. `hint` without a player asks the same one.

You see what the rules let your seat see, and type moves as they are shown, or as much of them as \
makes them clear. `?` lists the commands: undo, hint, history, save and others. Lines are read from \
standard input, so that a game can come from a file.

Several people share the keyboard. Where something is hidden or they choose at the same time they pass it on, and each sees \
its own screen only.

At a keyboard lines are edited with the keys of a shell: the arrows call up what was typed before, and Tab completes moves \
and commands.

`undo` plays the game again up to your last choice. Chance and the other players stay what they \
were: after the same moves the same things happen.

Ctrl-C saves the game and stops, in the middle of a search too; what the search would have chosen is dropped. While a hint is \
sought it ends that alone. A game whose input ends is saved too, and `quit` asks, or saves where lines come from a file or a \
pipe. With `--save` the file holds every ply as soon as it is played; where it cannot be written, another file is taken. \
The file holds all that happened, hidden things too; it is a record, which `ruse replay` reads.

Exit codes:
  0  the game was played, or you left it
  1  the game has errors, a player cannot play it, play ran into an error, or it was stopped by Ctrl-C
  2  wrong use, a player that does not exist, or a file that cannot be read or written")]
pub struct Play {
    /// The game: a file, or the name of a shipped game
    #[arg(value_name = "GAME", required_unless_present = "resume")]
    file: Option<PathBuf>,

    #[command(flatten)]
    set: Set,

    /// The seats of people, comma-separated or repeated, in upper or lower case [default: the first free one]
    #[arg(long = "as", value_name = "SEAT", value_delimiter = ',')]
    seats: Vec<String>,

    /// Who plays the other seats, as in `ruse match --players` [default: the usual player for such a game]
    #[arg(long, value_name = "PLAYERS")]
    against: Option<String>,

    /// Everything random comes from this number [default: another one each time]
    #[arg(long, value_name = "N", value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    seed: Option<u64>,

    /// Keep the games in this file, ply by ply, however they end; it must be new
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    /// Go on with the game in a file that was saved, and save to it again
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["set", "seats", "against", "seed", "save"]
    )]
    resume: Option<PathBuf>,
}

impl Play {
    pub fn run(&self) -> Result<Verdict, Failure> {
        let mut game_loop = match &self.resume {
            Some(path) => self.resumed(path)?,
            None => self.begun()?,
        };
        game_loop.play()
    }

    fn begun(&self) -> Result<GameLoop, Failure> {
        let file = self.file.clone().unwrap_or_default();
        if file.as_os_str() == load::STANDARD_INPUT {
            let message = "moves are read from standard input: name a file with the game";
            return Err(Failure::wrong_use(Problem::outside(None, message)));
        }
        let loaded = load::game_at(&file, &self.set.settings()?)?;
        let seats = seats::fill(&loaded.machine, &self.seats, self.against.as_deref())?;
        let told = seats.told.iter();
        let told: String = told
            .map(|line| paragraph(line, habits::page().width()))
            .collect();
        let above = match habits::is_quiet() {
            true => 0,
            false => told.lines().count(),
        };
        if above > 0 {
            output::print(&told);
        }
        let terminal = Terminal::open();
        let seats = ready(&loaded, seats.occupants, &terminal)?;
        let seed = self.seed.unwrap_or_else(fresh_seed);
        let clock = stopwatch();
        let session = Session::new(&loaded.machine, seats, seed, 0, &clock);
        let mut session = session.map_err(|e| failure(&loaded, &e))?;
        session.quote(&loaded.source.sources);
        let name = file.display().to_string();
        let header = header_of(
            &loaded.machine,
            players(&loaded.machine, session.occupants()),
            seed,
            &name,
            &loaded.source.sources,
        );
        let save = SaveFile::new(self.save.clone())?;
        Ok(GameLoop {
            terminal,
            loaded,
            session,
            clock,
            header,
            save,
            earlier: Vec::new(),
            looking: None,
            has_chosen: false,
            is_kept: true,
            // The others were told of already.
            names_players: told.is_empty() || self.against.is_some(),
            above,
            has_warned: false,
        })
    }

    fn resumed(&self, path: &Path) -> Result<GameLoop, Failure> {
        let save = SaveFile::resumed(path);
        let saved = save::read(path, self.file.as_deref())?;
        let clock = stopwatch();
        let (loaded, seed) = (saved.loaded, saved.header.seed);
        let terminal = Terminal::open();
        let seats = ready(&loaded, saved.seats, &terminal)?;
        let session = Session::new(&loaded.machine, seats, seed, saved.game, &clock);
        let session = session.and_then(|mut session| {
            session.quote(&loaded.source.sources);
            let thinking = Thinking::new(&terminal.stop, &clock, false);
            session.take_up(&saved.plies, Patience::new(&|n| thinking.waits(n)))?;
            Ok(session)
        });
        let session = session.map_err(|e| failure(&loaded, &e))?;
        Ok(GameLoop {
            terminal,
            loaded,
            session,
            clock,
            header: saved.header,
            save,
            earlier: saved.earlier,
            looking: None,
            has_chosen: false,
            is_kept: true,
            names_players: true,
            above: 0,
            has_warned: false,
        })
    }
}

/// Those who sit at the table, all ready to play.
fn ready(
    loaded: &Loaded,
    seats: Vec<Occupant>,
    terminal: &Terminal,
) -> Result<Vec<Occupant>, Failure> {
    let mut known: Vec<PlayerSpec> = Vec::new();
    let mut all = Vec::new();
    for occupant in seats {
        let Occupant::Player(spec) = occupant else {
            all.push(occupant);
            continue;
        };
        let spec = match known.iter().find(|k| **k == spec) {
            Some(known) => known.clone(),
            None => {
                output::detail(|| settings(&spec));
                preparing(loaded, terminal).player(&spec)?
            }
        };
        known.push(spec.clone());
        all.push(Occupant::Player(spec));
    }
    Ok(all)
}

/// Where players are got ready. Files are looked for where the user stands.
fn preparing<'a>(loaded: &'a Loaded, terminal: &'a Terminal) -> Preparing<'a> {
    Preparing {
        loaded,
        folder: Path::new(""),
        stop: &terminal.stop,
    }
}

/// Who plays which seat, in one line.
fn players(machine: &Machine, seats: &[Occupant]) -> String {
    let seats = seats.iter().enumerate();
    let seats: Vec<String> = seats
        .map(|(p, who)| format!("{}={who}", machine.player_name(p)))
        .collect();
    seats.join(",")
}

/// A problem that ends nothing, told on the screen.
fn error_text(loaded: &Loaded, error: &crate::arena::ArenaError) -> String {
    failure_text(&failure(loaded, error))
}

/// The same of what was about to be got ready.
fn failure_text(failure: &Failure) -> String {
    let messages = failure.problems.iter().map(Problem::message);
    format!("{}\n", messages.collect::<Vec<_>>().join("; "))
}
