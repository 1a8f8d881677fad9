//! `ruse replay`: plays the games of a record again, and says where one does not fit the rules; or prints one of them.

use super::codes;
use super::load::{self, Loaded};
use super::number::whole;
use super::output::{self, Failure, Verdict, plural};
use super::problem::{Problem, ProblemJson};
use super::record_file::{no_record, open_to_read, waiting_path};
use super::replay_text::Shown;
use crate::arena::SeatingPlan;
use crate::arena::record::{
    GameLine, Header, Line, LineError, Lines, Misfit, follow, goes_on, replay,
};
use crate::check::Settings;
use crate::machine::step_text::Transition;
use crate::machine::{Machine, Payoffs, Seat};
use crate::text::nearest::{nearest, position};
use clap::Args;
use indexmap::IndexMap;
use serde::Serialize;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// Play the games of a record again: check them, or print one
#[derive(Args)]
#[command(after_help = "\
Examples:
  ruse replay duel.jsonl
  ruse replay duel.jsonl --game-file games/duel.game
  ruse replay duel.jsonl --game 3
  ruse replay duel.jsonl --game 3 --as Ann

The file is one that `ruse match --record` or `ruse play --save` wrote; its games are numbered from 1. Every move must be an \
option where it was made, and the payoffs must be those of the rules. When the rules have changed since, that is told, and the \
games are tried by the rules as they are now. A last line that was torn when a match was killed is told and skipped. That the last game was saved before its end is told, and is no fault.

Exit codes:
  0  every game fits
  1  some game does not fit, or the rules have changed and --game-file does not say that they may
  2  wrong use, a file that cannot be read, or one that is no record")]
pub struct Replay {
    /// The record; `-` is standard input
    #[arg(value_name = "FILE")]
    record: PathBuf,

    /// Replay by this game, which may be another version, instead of the one that the record names
    #[arg(long, value_name = "GAME")]
    game_file: Option<PathBuf>,

    /// Print the game with this number move by move, with the variables that change
    #[arg(long, value_name = "N", value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    game: Option<u64>,

    /// With --game: only what this player saw
    #[arg(long = "as", value_name = "PLAYER", requires = "game")]
    viewer: Option<String>,

    /// Print one JSON document instead
    #[arg(long)]
    json: bool,
}

/// No system has longer paths, in bytes.
const LONGEST_PATH: usize = 4096;

const OTHER_VERSION: &str = "`--game-file` replays by another version of the game";

/// So many games that do not fit are told of.
const MOST_TOLD: usize = 50;

#[derive(Default, Serialize)]
struct Report {
    game: String,
    params: IndexMap<String, String>,
    seed: u64,
    players: String,
    /// Whether the description is the one that was played.
    same_rules: bool,
    /// Games in the record, those that fit among them, and the plies of those.
    games: u64,
    fitting: u64,
    plies: u64,
    /// The number of the last line if it was torn.
    torn_line: Option<u64>,
    /// The number of the last game if it was saved before its end.
    unfinished: Option<u64>,
    misfits: Vec<MisfitJson>,
    /// Problems with the record as a whole.
    diagnostics: Vec<ProblemJson>,
}

#[derive(Serialize)]
struct MisfitJson {
    line: u64,
    game: u64,
    /// From 1.
    ply: Option<usize>,
    code: &'static str,
    message: String,
    options: Vec<String>,
    more_options: bool,
}

impl Replay {
    pub fn run(&self) -> Result<Verdict, Failure> {
        let path = &self.record;
        let mut lines = open_to_read(path).map_err(|e| Failure::cannot_read(path, &e))?;
        let mut buffer = Vec::new();
        let first = match lines
            .next(&mut buffer)
            .map_err(|e| Failure::cannot_read(path, &e))?
        {
            None => return Err(no_record(path, 1, "the file is empty")),
            Some(Line::TooLong) => return Err(no_record(path, 1, "the line is too long")),
            Some(Line::Whole(line) | Line::Open(line)) => {
                Header::parse(line).map_err(|e| no_record(path, 1, &why(&e)))?
            }
        };
        let loaded = load(path, &first, self.game_file.as_deref(), "`--game-file`")?;
        if let Some(viewer) = &self.viewer {
            seat(&loaded.machine, viewer)?;
        }
        let changed = changed(&first, &loaded, OTHER_VERSION);
        let same_rules = changed.is_none();
        // Where another version is asked for it is no problem that it is one.
        let changed = changed.filter(|problem| {
            if self.game_file.is_some() {
                output::note(problem.message());
            } else if !self.json {
                output::problems(std::slice::from_ref(problem));
            }
            self.game_file.is_none()
        });
        let plan = self.plan(&first, &loaded)?;
        let mut reading = Reading {
            path,
            lines,
            buffer,
            plan,
            same_rules,
            next: 1,
            torn: None,
            unfinished: None,
        };
        match self.game {
            Some(number) => self.one(&first, &loaded, &mut reading, number, changed),
            None => self.all(first, &loaded, &mut reading, changed),
        }
    }

    /// Who sits where by the first line, which must have the seats of the game; `None` where it has players that this program
    /// does not know.
    fn plan(&self, first: &Header, loaded: &Loaded) -> Result<Option<SeatingPlan>, Failure> {
        let wrong = |what: String| no_record(&self.record, 1, &what);
        let machine = &loaded.machine;
        let names = machine.player_names();
        if !names.clone().eq(first.seats.iter()) {
            let names = names.collect::<Vec<_>>().join(", ");
            return Err(wrong(format!(
                "its seats are not those of the game: {names}"
            )));
        }
        match SeatingPlan::parse(&first.players, &first.seats) {
            Ok(plan) => Ok(Some(plan)),
            Err(problem) if SeatingPlan::is_about_seats(&problem) => {
                Err(wrong(format!("in `players`, {}", problem.message)))
            }
            Err(_) => Ok(None),
        }
    }

    fn all(
        &self,
        first: Header,
        loaded: &Loaded,
        reading: &mut Reading<'_>,
        changed: Option<Problem>,
    ) -> Result<Verdict, Failure> {
        let mut report = Report {
            game: first.game,
            params: first.params,
            seed: first.seed,
            players: first.players,
            same_rules: reading.same_rules,
            diagnostics: changed.iter().map(Problem::json).collect(),
            ..Report::default()
        };
        let mut told = 0;
        while let Some(line) = reading.game()? {
            let number = reading.lines.number;
            report.games += 1;
            let fits = reading.in_place(&line, report.seed);
            let fits = fits.map(|()| reading.readable(&loaded.machine, line.clone()));
            match fits.and_then(|line| again(&loaded.machine, &line, &mut [], &mut |_| {})) {
                Ok(payoffs) => {
                    report.fitting += 1;
                    report.plies += line.plies.len() as u64;
                    reading.unfinished = payoffs.is_none().then_some(line.game);
                }
                Err(misfit) => {
                    told += 1;
                    if told > MOST_TOLD {
                        continue;
                    }
                    if !self.json {
                        output::problems(&[problem(&self.record, number, line.game, &misfit)]);
                    }
                    report.misfits.push(MisfitJson {
                        line: number,
                        game: line.game,
                        ply: misfit.ply,
                        code: codes::DOES_NOT_FIT.0,
                        message: misfit.message,
                        options: misfit.options,
                        more_options: misfit.more,
                    });
                }
            }
        }
        report.torn_line = reading.torn;
        report.unfinished = reading.unfinished;
        if self.json {
            output::json(&report);
        } else {
            if told > MOST_TOLD {
                let more = plural((told - MOST_TOLD) as u64, "game");
                output::say(&format!("{more} more that do not fit"));
            }
            reading.tell_of_the_end();
            output::print_fitted(&report.text());
        }
        Ok(if report.fitting == report.games && changed.is_none() {
            Verdict::Fine
        } else {
            Verdict::No
        })
    }

    fn one(
        &self,
        first: &Header,
        loaded: &Loaded,
        reading: &mut Reading<'_>,
        number: u64,
        changed: Option<Problem>,
    ) -> Result<Verdict, Failure> {
        while let Some(line) = reading.game()? {
            if line.game != number {
                reading.next = line.game.saturating_add(1);
                continue;
            }
            let viewer = match &self.viewer {
                Some(name) => Some(seat(&loaded.machine, name)?),
                None => None,
            };
            let line = reading.readable(&loaded.machine, line);
            let mut shown = Shown::new(first, &line, viewer);
            shown.diagnostics.extend(changed.iter().map(Problem::json));
            let machine = &loaded.machine;
            let seat = viewer.map(|player| Seat::new(machine, player));
            let mut seats = Vec::from_iter(seat);
            let result = again(machine, &line, &mut seats, &mut |step| {
                if viewer.is_none() {
                    shown.step(machine, step);
                }
            });
            for seat in &seats {
                shown.rows(machine, &loaded.source.sources, seat);
            }
            match &result {
                Ok(Some(payoffs)) => shown.end(machine, payoffs, viewer),
                Ok(None) => shown.goes_on = true,
                Err(misfit) => {
                    let at = reading.lines.number;
                    let problem = problem(&self.record, at, line.game, misfit);
                    if self.json {
                        shown.diagnostics.push(problem.json());
                    } else {
                        output::problems(&[problem]);
                    }
                }
            }
            if self.json {
                output::json(&shown);
            } else {
                output::print_fitted(&shown.text());
            }
            return Ok(if result.is_ok() && changed.is_none() {
                Verdict::Fine
            } else {
                Verdict::No
            });
        }
        let message = match reading.next {
            1 => "the record holds no game yet".to_string(),
            n => format!(
                "the record has no game {number}: its games are 1 to {}",
                n - 1
            ),
        };
        Err(Failure::usage(message))
    }
}

/// The game that a record is replayed by: the one that it names, or another file, which is named by `option`.
pub(super) fn load(
    record: &Path,
    first: &Header,
    game_file: Option<&Path>,
    option: &str,
) -> Result<Loaded, Failure> {
    let settings = first
        .params
        .iter()
        .map(|(k, v)| (k.clone(), v.clone()))
        .collect();
    let path = game_file.unwrap_or(Path::new(&first.file));
    // A record may come from anywhere: the file that it names is read only if it is an ordinary one.
    let long = path.as_os_str().len() > LONGEST_PATH;
    if game_file.is_none() && (long || path.exists() && !path.is_file()) {
        return Err(no_record(record, 1, "the game that it names is no file"));
    }
    let mut failure = match load::load(path, &settings) {
        Ok(loaded) => return Ok(loaded),
        Err(failure) => failure,
    };
    // The params of another game say nothing here.
    if game_file.is_some()
        && let Ok(other) = load::load(path, &Settings::default())
        && let Some(was) = first.other_game(&other.machine)
    {
        let name = &other.machine.description().name;
        let (file, path) = (record.display().to_string(), path.display());
        return Err(Failure::no(Problem::Outside {
            message: format!("{file} is a record of {was}, and {path} is {name}"),
            file: Some(file),
            code: Some(codes::DOES_NOT_FIT),
            hint: Some(format!("{option} is for another version of the same game")),
        }));
    }
    if let [Problem::Outside { hint, .. }] = failure.problems.as_mut_slice()
        && game_file.is_none()
    {
        *hint = Some(format!(
            "it is the game that the record names; {option} says where it is now"
        ));
    }
    Err(failure)
}

/// Plays a game of a record again, and gives its payoffs: none where it was saved before its end.
///
/// # Errors
/// As `replay`.
fn again(
    machine: &Machine,
    line: &GameLine,
    seats: &mut [Seat],
    tell: &mut dyn FnMut(&Transition<'_>),
) -> Result<Option<Payoffs>, Misfit> {
    if !line.is_unfinished() {
        return replay(machine, line, seats, tell).map(|result| Some(result.payoffs));
    }
    let state = follow(machine, line, seats, tell)?;
    match goes_on(machine, &state) {
        Some(_) => Ok(None),
        None => Err(Misfit {
            ply: None,
            message: "the game is over, and the record has no payoffs".to_string(),
            options: Vec::new(),
            more: false,
        }),
    }
}

/// The games of a record, one after the other.
struct Reading<'a> {
    path: &'a Path,
    lines: Lines<BufReader<File>>,
    buffer: Vec<u8>,
    /// `None` when this program does not know the players.
    plan: Option<SeatingPlan>,
    /// Whether the game is as it was when it was recorded.
    same_rules: bool,
    /// The number after that of the last game.
    next: u64,
    /// The number of the last line if it was torn.
    torn: Option<u64>,
    /// The number of the last game if it is not over.
    unfinished: Option<u64>,
}

impl Reading<'_> {
    fn game(&mut self) -> Result<Option<GameLine>, Failure> {
        let line = self.lines.next(&mut self.buffer);
        let (bytes, open) = match line.map_err(|e| Failure::cannot_read(self.path, &e))? {
            None => return Ok(None),
            Some(Line::Whole(bytes)) => (bytes, false),
            Some(Line::Open(bytes)) => (bytes, true),
            Some(Line::TooLong) => {
                return Err(no_record(
                    self.path,
                    self.lines.number,
                    "the line is too long",
                ));
            }
        };
        match GameLine::parse(bytes) {
            Ok(line) => Ok(Some(line)),
            Err(_) if open => {
                self.torn = Some(self.lines.number);
                Ok(None)
            }
            Err(e) => Err(no_record(self.path, self.lines.number, &why(&e))),
        }
    }

    /// The game, by the texts of its moves alone where the rules have changed and it does not fit otherwise.
    fn readable(&self, machine: &Machine, line: GameLine) -> GameLine {
        match self.same_rules || again(machine, &line, &mut [], &mut |_| {}).is_ok() {
            true => line,
            false => line.by_texts(),
        }
    }

    /// Whether a game has the place, the seed and the players that it should have.
    fn in_place(&mut self, line: &GameLine, seed: u64) -> Result<(), Misfit> {
        let misfit = |message| {
            Err(Misfit {
                ply: None,
                message,
                options: Vec::new(),
                more: false,
            })
        };
        let expected = std::mem::replace(&mut self.next, line.game.saturating_add(1));
        if line.game != expected {
            return misfit(format!(
                "game {expected} should stand here: lines are missing or in another order"
            ));
        }
        if let Some(before) = self.unfinished.take() {
            return misfit(format!("game {before} before it is not over"));
        }
        if line.seed != seed {
            return misfit(format!(
                "its seed is {}, and that of the match {seed}",
                line.seed
            ));
        }
        let Some(plan) = &self.plan else {
            return Ok(());
        };
        let seated = plan.seating(line.index());
        let specs = seated.iter().map(|&i| plan.specs()[i].to_string());
        if !line.seats.values().cloned().eq(specs) {
            return misfit(
                "other players sit at the table than the seating of the match says".to_string(),
            );
        }
        Ok(())
    }

    fn tell_of_the_end(&self) {
        if let Some(number) = self.torn {
            output::say(&format!(
                "line {number}, the last, is torn and was skipped: the match was ended while it was written"
            ));
        }
        let waiting = waiting_path(self.path);
        if waiting.metadata().is_ok_and(|m| m.len() > 0) {
            output::say(&format!(
                "{} holds finished games that wait for others; `ruse match --resume` puts them in",
                waiting.display()
            ));
        }
    }
}

impl Report {
    fn text(&self) -> String {
        let params = self.params.iter().map(|(k, v)| format!("{k} = {v}"));
        let params = params.collect::<Vec<_>>().join(", ");
        let params = if params.is_empty() {
            params
        } else {
            format!(" ({params})")
        };
        let games = plural(self.games, "game");
        let plies = plural(self.plies, "ply").replace("plys", "plies");
        let fit = if self.fitting == self.games {
            let end = match self.unfinished {
                Some(game) => format!("; game {game} is not over"),
                None => String::new(),
            };
            format!("{games}, {plies}; every game fits{end}")
        } else {
            format!("{games}; {} of them do not fit", self.games - self.fitting)
        };
        format!(
            "{}{params}\n{}\nseed {}: {fit}\n",
            self.game, self.players, self.seed
        )
    }
}

/// A description that is not the one that was played; `hint` says how another one is taken.
pub(super) fn changed(first: &Header, loaded: &Loaded, hint: &str) -> Option<Problem> {
    let what = first.changes(&loaded.machine, &loaded.source.sources);
    if what.is_empty() {
        return None;
    }
    let (path, what) = (&loaded.source.path, what.join("; "));
    Some(loaded.outside(
        Some(codes::RULES_CHANGED),
        format!("{path} is not as it was played: {what}"),
        Some(hint.to_string()),
    ))
}

pub(super) fn why(e: &LineError) -> String {
    match e.column {
        0 => e.message.clone(),
        column => format!("{} (byte {column})", e.message),
    }
}

pub(super) fn problem(record: &Path, line: u64, game: u64, misfit: &Misfit) -> Problem {
    let file = record.display().to_string();
    let ply = misfit
        .ply
        .map_or_else(String::new, |n| format!(", ply {n}"));
    let mut options = misfit.options.join(" | ");
    if misfit.more {
        options.push_str(" | and more");
    }
    Problem::Outside {
        message: format!("{file}: line {line}, game {game}{ply}: {}", misfit.message),
        file: Some(file),
        code: Some(codes::DOES_NOT_FIT),
        hint: (!misfit.options.is_empty()).then(|| format!("by the rules: {options}")),
    }
}

pub(super) fn seat(machine: &Machine, name: &str) -> Result<usize, Failure> {
    let names: Vec<&str> = machine.player_names().collect();
    position(name, &names).ok_or_else(|| {
        let mut teams = machine.description().teams.iter();
        let (message, hint) = match teams.find(|team| team.name == name) {
            Some(team) => {
                let members: Vec<&str> = team.members.iter().map(|p| names[p]).collect();
                let hint = format!("name one of its players: {}", members.join(", "));
                (format!("{name} is a team, and no player"), hint)
            }
            None => {
                let near = nearest(name, names.iter().copied());
                let near = near.map_or_else(String::new, |n| format!("did you mean `{n}`? "));
                let hint = format!("{near}players: {}", names.join(", "));
                (format!("the game has no player `{name}`"), hint)
            }
        };
        Failure::wrong_use(Problem::Outside {
            file: None,
            code: Some(crate::arena::codes::UNKNOWN_SEAT),
            message,
            hint: Some(hint),
        })
    })
}
