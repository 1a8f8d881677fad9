//! Games with people, kept in a file: a record whose last game may not be over.

use crate::arena::Ply;
use crate::arena::record::{GameLine, Header, LONGEST_LINE, Line, follow, moves_of};
use crate::arena::session::{Occupant, PERSON, Session};
use crate::cli::codes;
use crate::cli::file_words::unwritten;
use crate::cli::load::Loaded;
use crate::cli::output::{self, Failure};
use crate::cli::problem::Problem;
use crate::cli::record_file::{no_record, open_lines};
use crate::cli::replay;
use crate::machine::{Machine, PlayError};
use crate::players::PlayerSpec;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

const OTHER_VERSION: &str = "an argument before `--resume` takes another version of the game";

/// A file to save to. A file that was there before is never written over, apart from one that is gone on with.
pub struct SaveFile {
    path: Option<PathBuf>,
    /// The file holds these games already.
    ours: bool,
    /// The file as it was read or written last.
    seen: Option<Stamp>,
}

/// The length of a file, and when it was written.
type Stamp = (u64, Option<SystemTime>);

fn stamp(path: &Path) -> Option<Stamp> {
    let found = std::fs::metadata(path).ok()?;
    Some((found.len(), found.modified().ok()))
}

impl SaveFile {
    /// Refuses a file that is there already.
    pub fn new(path: Option<PathBuf>) -> Result<SaveFile, Failure> {
        if let Some(path) = &path
            && path.exists()
        {
            return Err(exists(path));
        }
        Ok(SaveFile {
            path,
            ours: false,
            seen: None,
        })
    }

    pub fn resumed(path: &Path) -> SaveFile {
        SaveFile {
            path: Some(path.to_path_buf()),
            ours: true,
            seen: stamp(path),
        }
    }

    /// Whether there is a file to save to without asking for a name.
    pub fn is_named(&self) -> bool {
        self.path.is_some()
    }

    /// Saves, under another name if one is given, and says where. From then on that is the file; where it cannot be written,
    /// the file stays what it was. What is not `durable` outlives the end of the process, if not of the machine.
    pub fn write(
        &mut self,
        name: Option<&str>,
        header: &Header,
        games: &[GameLine],
        durable: bool,
    ) -> Result<PathBuf, Failure> {
        let wanted = name.map(PathBuf::from).or_else(|| self.path.clone());
        let path = wanted.unwrap_or_else(|| unused(&header.game));
        let is_ours = self.ours && self.path.as_ref() == Some(&path);
        if !is_ours && path.exists() {
            return Err(exists(&path));
        }
        if is_ours && path.exists() && stamp(&path) != self.seen {
            return Err(changed(&path));
        }
        replace(&path, header, games, durable).map_err(|e| {
            let message = format!("{} cannot be written: {}", path.display(), unwritten(&e));
            Failure::wrong_use(Problem::outside(Some(codes::CANNOT_WRITE), message))
        })?;
        self.seen = stamp(&path);
        self.path = Some(path.clone());
        self.ours = true;
        Ok(path)
    }

    /// Saves at the end: where the file cannot be written, that is told unless it is known, and another one is taken.
    pub fn write_anyhow(
        &mut self,
        header: &Header,
        games: &[GameLine],
        is_known: bool,
    ) -> Result<PathBuf, Failure> {
        match self.write(None, header, games, true) {
            Err(failure) if self.is_named() => {
                if !is_known {
                    output::problems(&failure.problems);
                }
                let other = unused(&header.game).display().to_string();
                self.write(Some(&other), header, games, true)
            }
            written => written,
        }
    }
}

/// A name for a file that is not there yet.
fn unused(game: &str) -> PathBuf {
    let name = |n: u32| match n {
        1 => PathBuf::from(format!("{game}.jsonl")),
        _ => PathBuf::from(format!("{game}-{n}.jsonl")),
    };
    let free = (1..10_000).map(name).find(|path| !path.exists());
    free.unwrap_or_else(|| name(1))
}

/// Writes the whole file beside its place first, so that no crash leaves half of it.
fn replace(path: &Path, header: &Header, games: &[GameLine], durable: bool) -> std::io::Result<()> {
    let mut beside = path.as_os_str().to_os_string();
    beside.push(".new");
    let mut text = serde_json::to_string(header)?;
    text.push('\n');
    for game in games {
        let line = serde_json::to_string(game)?;
        if line.len() > LONGEST_LINE {
            return Err(std::io::Error::other("the game is too long for a record"));
        }
        text.push_str(&line);
        text.push('\n');
    }
    let mut file = std::fs::File::create(&beside)?;
    file.write_all(text.as_bytes())?;
    if durable {
        file.sync_all()?;
    }
    std::fs::rename(&beside, path)
}

/// What another run has written is not lost.
fn changed(path: &Path) -> Failure {
    let what = "was written by another run since";
    let hint = "at the end the game is saved under another name";
    Failure::file(path, codes::CANNOT_WRITE, what, hint)
}

fn exists(path: &Path) -> Failure {
    Failure::wrong_use(Problem::Outside {
        file: Some(path.display().to_string()),
        code: Some(codes::FILE_EXISTS),
        message: format!("{} is there already", path.display()),
        hint: Some("`--resume` goes on with it; another name keeps both".to_string()),
    })
}

/// The line of a game that may not be over; then it has no payoffs.
pub fn game_line(session: &Session, payoffs: Option<&[f64]>) -> Result<GameLine, PlayError> {
    let machine = session.machine();
    let seats = session.occupants().iter().enumerate();
    let name = |p: usize| machine.player_name(p).to_string();
    let payoffs = payoffs.unwrap_or_default().iter().enumerate();
    let blind = (0..machine.player_count()).map(|p| (p, session.blind_choices(p)));
    let blind = blind.filter(|(_, count)| *count > 0);
    Ok(GameLine {
        game: session.game() + 1,
        seed: session.seed(),
        seats: seats.map(|(p, who)| (name(p), who.to_string())).collect(),
        plies: moves_of(machine, session.plies())?,
        payoffs: payoffs.map(|(p, x)| (name(p), *x)).collect(),
        blind: blind.map(|(p, count)| (name(p), count)).collect(),
    })
}

/// What a file holds.
pub struct Saved {
    pub header: Header,
    pub loaded: Loaded,
    /// The games before the last one.
    pub earlier: Vec<GameLine>,
    /// The last one: its number from 0, who plays, and what happened.
    pub game: u64,
    pub seats: Vec<Occupant>,
    pub plies: Vec<Ply>,
}

/// Reads a file that was saved, and the game that it names or the one at `game_file`.
pub fn read(path: &Path, game_file: Option<&Path>) -> Result<Saved, Failure> {
    let unreadable = |e: std::io::Error| Failure::cannot_read(path, &e);
    let mut lines = open_lines(path).map_err(unreadable)?;
    let mut buffer = Vec::new();
    let mut header = None;
    let mut games: Vec<GameLine> = Vec::new();
    loop {
        let number = lines.number + 1;
        let (bytes, open) = match lines.next(&mut buffer).map_err(unreadable)? {
            None => break,
            Some(Line::Whole(bytes)) => (bytes, false),
            Some(Line::Open(bytes)) => (bytes, true),
            Some(Line::TooLong) => {
                return Err(no_record(path, number, "the line is too long"));
            }
        };
        let wrong = |e| no_record(path, number, &replay::why(&e));
        if header.is_none() {
            header = Some(Header::parse(bytes).map_err(wrong)?);
            continue;
        }
        match GameLine::parse(bytes) {
            Ok(game) => games.push(game),
            Err(_) if open && games.is_empty() => {
                return Err(no_record(path, number, "the only game is torn"));
            }
            Err(_) if open => {
                output::say(&format!(
                    "line {number}, the last, is torn and was skipped: the game before it goes on"
                ));
                break;
            }
            Err(e) => return Err(wrong(e)),
        }
    }
    let Some(header) = header else {
        return Err(no_record(path, 1, "the file is empty"));
    };
    let Some(last) = games.pop() else {
        return Err(no_record(path, 1, "the file holds no game"));
    };
    let number = games.len() as u64 + 2;
    let loaded = replay::load(path, &header, game_file, "an argument before `--resume`")?;
    if let Some(problem) = replay::changed(&header, &loaded, OTHER_VERSION) {
        output::problems(&[problem]);
    }
    if last.seed != header.seed {
        let message = "its seed is not that of the first line";
        return Err(no_record(path, number, message));
    }
    if last.game == 0 {
        return Err(no_record(path, number, "games are numbered from 1"));
    }
    let machine = &loaded.machine;
    let mut plies = Vec::new();
    let followed = follow(machine, &last, &mut [], &mut |step| {
        plies.push(Ply {
            node: machine.node(step.before),
            actions: step.actions.to_vec(),
        });
    });
    followed.map_err(|misfit| Failure::no(replay::problem(path, number, last.game, &misfit)))?;
    let seats = seats(machine, &last).map_err(|why| no_record(path, number, &why))?;
    if !seats.iter().any(|seat| matches!(seat, Occupant::Person)) {
        return Err(without_people(path));
    }
    Ok(Saved {
        header,
        earlier: games,
        game: last.index(),
        seats,
        plies,
        loaded,
    })
}

/// A sound record in which nobody is to be asked.
fn without_people(path: &Path) -> Failure {
    let what = "is a record of `ruse match`, in which no person plays: `ruse play --resume` \
        goes on with what `ruse play --save` wrote";
    let hint =
        "`ruse match --record FILE --resume` goes on with it, and `ruse replay` shows its games";
    Failure::file(path, codes::OTHER_MATCH, what, hint)
}

/// Who plays, in seating order.
fn seats(machine: &Machine, line: &GameLine) -> Result<Vec<Occupant>, String> {
    let mut seats = Vec::new();
    for p in 0..machine.player_count() {
        let name = machine.player_name(p);
        let Some(who) = line.seats.get(name) else {
            return Err(format!("nobody plays {name}"));
        };
        seats.push(if who == PERSON {
            Occupant::Person
        } else {
            let spec = PlayerSpec::parse(who).map_err(|d| format!("{name}: {}", d.message))?;
            Occupant::Player(spec)
        });
    }
    Ok(seats)
}
