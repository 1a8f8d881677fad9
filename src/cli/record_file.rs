//! The file that a match is recorded in.
//!
//! Games finish in any order and stand in the file in the order of their numbers. One that is finished ahead of its turn
//! waits in a second file, `FILE.ahead`, until the games before it are there; so nothing that was finished is lost however
//! the run ends, and the file is the same for any number of threads.

use super::codes;
use super::file_words::unwritten;
use super::load::STANDARD_INPUT;
use super::lock;
use super::output::Failure;
use crate::arena::record::{GameLine, Header, LONGEST_HEADER, LONGEST_LINE, Line, Lines, replay};
use crate::arena::{GameResult, SeatingPlan};
use crate::machine::Machine;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{BufReader, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// What to do where another run writes the file.
const ANOTHER_RUN: &str = "wait for its end, or record in another file";

/// A record that is being written.
pub struct RecordFile {
    path: PathBuf,
    file: File,
    /// The number, from 0, of the game whose line comes next.
    next: u64,
    /// Lines that wait for their turn.
    ahead: BTreeMap<u64, String>,
    /// The file that they wait in, once there is one.
    waiting: Option<File>,
}

/// A record that cannot be written, told on a thread of the match.
#[derive(Debug)]
pub struct Trouble {
    path: PathBuf,
    what: String,
}

impl Trouble {
    fn of(path: &Path, e: &std::io::Error) -> Trouble {
        Trouble {
            path: path.to_path_buf(),
            what: format!("cannot be written: {}", unwritten(e)),
        }
    }
}

impl From<Trouble> for Failure {
    fn from(trouble: Trouble) -> Failure {
        Failure::file(&trouble.path, codes::CANNOT_WRITE, &trouble.what, "")
    }
}

/// The games that a record holds already.
pub type Known = BTreeMap<u64, GameResult>;

/// Begins a record. The file must not be there yet.
pub fn create(path: &Path, header: &Header) -> Result<RecordFile, Failure> {
    let file = OpenOptions::new().append(true).create_new(true).open(path);
    let file = file.map_err(|e| match e.kind() {
        ErrorKind::AlreadyExists => Failure::file(
            path,
            codes::FILE_EXISTS,
            "is there already",
            "`--resume` goes on with the match that it holds; another name keeps both",
        ),
        _ => Failure::cannot_write(path, &e),
    })?;
    let _ = std::fs::remove_file(waiting_path(path));
    begin(path, file, header)
}

fn begin(path: &Path, mut file: File, header: &Header) -> Result<RecordFile, Failure> {
    lock::lock(path, &file, ANOTHER_RUN)?;
    let line = first_line(header);
    if line.len() > LONGEST_HEADER {
        let what = format!(
            "cannot hold the match: its first line would have {} bytes",
            line.len()
        );
        return Err(Failure::file(path, codes::CANNOT_WRITE, &what, ""));
    }
    file.write_all(line.as_bytes())
        .map_err(|e| Failure::cannot_write(path, &e))?;
    Ok(RecordFile {
        path: path.to_path_buf(),
        file,
        next: 0,
        ahead: BTreeMap::new(),
        waiting: None,
    })
}

fn first_line(header: &Header) -> String {
    serde_json::to_string(header).unwrap_or_default() + "\n"
}

/// Goes on with a record, which must be of the same match; begins one where there is none. Every game in it is played
/// again on the machine.
pub fn resume(
    path: &Path,
    header: &Header,
    machine: &Machine,
    plan: &SeatingPlan,
) -> Result<(RecordFile, Known), Failure> {
    let nothing = |record| (record, Known::new());
    let mut lines = match open_lines(path) {
        Err(e) if e.kind() == ErrorKind::NotFound => return create(path, header).map(nothing),
        lines => lines.map_err(|e| Failure::cannot_read(path, &e))?,
    };
    let file = OpenOptions::new()
        .append(true)
        .open(path)
        .map_err(|e| Failure::cannot_write(path, &e))?;
    lock::lock(path, &file, ANOTHER_RUN)?;
    let mut buffer = Vec::new();
    let first = lines
        .next(&mut buffer)
        .map_err(|e| Failure::cannot_read(path, &e))?;
    match first {
        // The run was killed before anything was written, or while the first line was.
        None => return begin(path, file, header).map(nothing),
        Some(Line::Open(torn)) if first_line(header).as_bytes().starts_with(torn) => {
            file.set_len(0)
                .map_err(|e| Failure::cannot_write(path, &e))?;
            return begin(path, file, header).map(nothing);
        }
        Some(Line::Whole(line)) => same_match(path, header, line)?,
        Some(Line::Open(_) | Line::TooLong) => return Err(no_record(path, 1, "it is no record")),
    }

    let mut known = Known::new();
    let mut record = RecordFile {
        path: path.to_path_buf(),
        file,
        next: 0,
        ahead: BTreeMap::new(),
        waiting: None,
    };
    while let Some(line) = lines
        .next(&mut buffer)
        .map_err(|e| Failure::cannot_read(path, &e))?
    {
        let number = lines.number;
        let (bytes, open) = match line {
            Line::Whole(bytes) => (bytes, false),
            Line::Open(bytes) => (bytes, true),
            Line::TooLong => return Err(no_record(path, number, "the line is too long")),
        };
        let game = match GameLine::parse(bytes) {
            Ok(game) => game,
            Err(_) if open => {
                // Torn when the run was killed: its game is played again.
                record
                    .file
                    .set_len(lines.start)
                    .map_err(|e| Failure::cannot_write(path, &e))?;
                break;
            }
            Err(e) => return Err(no_record(path, number, &e.message)),
        };
        let result = accept(machine, plan, header, &game, record.next)
            .map_err(|why| no_fit(path, number, &why))?;
        known.insert(record.next, result);
        record.next += 1;
        if open {
            record
                .file
                .write_all(b"\n")
                .map_err(|e| Failure::cannot_write(path, &e))?;
        }
    }
    record.take_waiting(machine, plan, header, &mut known)?;
    Ok((record, known))
}

/// The result of a recorded game, if it is game number `expected`, from 0, of this match and fits the rules.
fn accept(
    machine: &Machine,
    plan: &SeatingPlan,
    header: &Header,
    line: &GameLine,
    expected: u64,
) -> Result<GameResult, String> {
    if line.game != expected + 1 {
        return Err(format!(
            "this is game {}, and game {} comes next",
            line.game,
            expected + 1
        ));
    }
    if line.seed != header.seed {
        return Err(format!(
            "the seed is {}, and that of the match {}",
            line.seed, header.seed
        ));
    }
    let seated = plan.seating(line.index());
    if !line
        .seats
        .values()
        .cloned()
        .eq(seated.iter().map(|&i| plan.specs()[i].to_string()))
    {
        return Err("other players sit at the table than in this game of the match".to_string());
    }
    replay(machine, line, &mut [], &mut |_| {}).map_err(|misfit| misfit.message)
}

impl RecordFile {
    /// Takes the line of a finished game. Games may come in any order, each once.
    ///
    /// # Errors
    /// When a file cannot be written, or the line is longer than one may be.
    pub fn put(&mut self, line: &GameLine) -> Result<(), Trouble> {
        let mut text = serde_json::to_string(line).unwrap_or_default();
        if text.len() > LONGEST_LINE {
            let (game, length) = (line.game, text.len());
            return Err(Trouble {
                path: self.path.clone(),
                what: format!("cannot hold game {game}: its line would have {length} bytes"),
            });
        }
        text.push('\n');
        if line.index() != self.next {
            self.wait(&text)?;
            self.ahead.insert(line.index(), text);
            return Ok(());
        }
        self.ahead.insert(line.index(), text);
        self.catch_up()
    }

    /// Writes all lines whose turn has come.
    fn catch_up(&mut self) -> Result<(), Trouble> {
        while let Some(text) = self.ahead.remove(&self.next) {
            self.file
                .write_all(text.as_bytes())
                .map_err(|e| Trouble::of(&self.path, &e))?;
            self.next += 1;
        }
        if self.ahead.is_empty()
            && let Some(waiting) = &mut self.waiting
        {
            let path = waiting_path(&self.path);
            waiting.set_len(0).map_err(|e| Trouble::of(&path, &e))?;
        }
        Ok(())
    }

    fn wait(&mut self, text: &str) -> Result<(), Trouble> {
        let path = waiting_path(&self.path);
        if self.waiting.is_none() {
            let file = OpenOptions::new().append(true).create(true).open(&path);
            self.waiting = Some(file.map_err(|e| Trouble::of(&path, &e))?);
        }
        match &mut self.waiting {
            Some(file) => file
                .write_all(text.as_bytes())
                .map_err(|e| Trouble::of(&path, &e)),
            None => Ok(()),
        }
    }

    /// Takes the lines that an earlier run left waiting. What is torn or does not fit there is played again.
    fn take_waiting(
        &mut self,
        machine: &Machine,
        plan: &SeatingPlan,
        header: &Header,
        known: &mut Known,
    ) -> Result<(), Failure> {
        let path = waiting_path(&self.path);
        let mut lines = match open_lines(&path) {
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok(()),
            lines => lines.map_err(|e| Failure::cannot_read(&path, &e))?,
        };
        let mut buffer = Vec::new();
        while let Some(line) = lines
            .next(&mut buffer)
            .map_err(|e| Failure::cannot_read(&path, &e))?
        {
            let Line::Whole(bytes) = line else { break };
            let Ok(game) = GameLine::parse(bytes) else {
                break;
            };
            let index = game.index();
            if index >= self.next
                && !known.contains_key(&index)
                && let Ok(result) = accept(machine, plan, header, &game, index)
            {
                known.insert(index, result);
                let text = String::from_utf8_lossy(bytes).into_owned() + "\n";
                self.ahead.insert(index, text);
            }
        }
        // The file anew, with what is still to wait.
        let file = OpenOptions::new().write(true).open(&path);
        let mut file = file.map_err(|e| Failure::cannot_write(&path, &e))?;
        self.catch_up()?;
        let rest: String = self.ahead.values().map(String::as_str).collect();
        file.set_len(0)
            .and_then(|()| file.seek(SeekFrom::Start(0)))
            .and_then(|_| file.write_all(rest.as_bytes()))
            .map_err(|e| Failure::cannot_write(&path, &e))?;
        self.waiting = None;
        Ok(())
    }

    /// Ends the record: the second file goes if nothing waits in it.
    pub fn close(self) {
        let path = waiting_path(&self.path);
        if self.ahead.is_empty() && path.exists() {
            let _ = std::fs::remove_file(path);
        }
    }
}

/// A file, to be read line by line.
pub fn open_lines(path: &Path) -> std::io::Result<Lines<BufReader<File>>> {
    let file = File::open(path)?;
    if file.metadata()?.is_dir() {
        return Err(ErrorKind::IsADirectory.into());
    }
    Ok(Lines::new(BufReader::new(file)))
}

/// The same, or standard input for `-`, where nothing will be written.
pub fn open_to_read(path: &Path) -> std::io::Result<Lines<BufReader<File>>> {
    match path.as_os_str() == STANDARD_INPUT {
        true => Ok(Lines::new(BufReader::new(standard_input()?))),
        false => open_lines(path),
    }
}

#[cfg(unix)]
fn standard_input() -> std::io::Result<File> {
    use std::os::fd::AsFd;
    let input = std::io::stdin().as_fd().try_clone_to_owned()?;
    Ok(File::from(input))
}

#[cfg(windows)]
fn standard_input() -> std::io::Result<File> {
    use std::os::windows::io::AsHandle;
    let input = std::io::stdin().as_handle().try_clone_to_owned()?;
    Ok(File::from(input))
}

/// Where lines wait for their turn.
pub fn waiting_path(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(".ahead");
    PathBuf::from(name)
}

/// Whether a first line is that of the match to be played.
fn same_match(path: &Path, header: &Header, line: &[u8]) -> Result<(), Failure> {
    let there = Header::parse(line).map_err(|e| no_record(path, 1, &e.message))?;
    let other = header.differences(&there);
    if other.is_empty() {
        return Ok(());
    }
    let what = format!("is the record of another match: {}", other.join("; "));
    let hint = "go on with the same game, params, players and seed, or record in another file";
    Err(Failure::file(path, codes::OTHER_MATCH, &what, hint))
}

/// A line that is none of a record.
pub fn no_record(path: &Path, line: u64, why: &str) -> Failure {
    Failure::file(
        path,
        codes::NO_RECORD,
        &format!("is no record of a match: line {line}: {why}"),
        "`ruse match --record` writes records",
    )
}

fn no_fit(path: &Path, line: u64, why: &str) -> Failure {
    Failure::file(
        path,
        codes::DOES_NOT_FIT,
        &format!("cannot be gone on with: line {line}: {why}"),
        "`ruse replay` says more",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use indexmap::IndexMap;

    fn header() -> Header {
        Header {
            version: 1,
            program: "0".to_string(),
            game: "Coins".to_string(),
            file: "coins.game".to_string(),
            description: "sha256:0".to_string(),
            params: IndexMap::new(),
            seed: 1,
            players: "random".to_string(),
            seats: vec!["Ann".to_string()],
        }
    }

    fn line(game: u64) -> GameLine {
        GameLine {
            game: game + 1,
            seed: 1,
            seats: IndexMap::new(),
            plies: Vec::new(),
            payoffs: IndexMap::new(),
            blind: IndexMap::new(),
        }
    }

    fn games(path: &Path) -> Vec<u64> {
        let text = std::fs::read_to_string(path).unwrap();
        let games = text
            .lines()
            .filter_map(|l| GameLine::parse(l.as_bytes()).ok());
        games.map(|g| g.index()).collect()
    }

    #[test]
    fn lines_stand_in_order_and_wait_where_they_survive() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        let mut record = create(&path, &header()).unwrap();
        for game in [2, 0, 4] {
            record.put(&line(game)).unwrap();
        }
        assert_eq!(games(&path), [0]);
        assert_eq!(games(&waiting_path(&path)), [2, 4]);
        record.put(&line(1)).unwrap();
        assert_eq!(games(&path), [0, 1, 2]);
        record.put(&line(3)).unwrap();
        assert_eq!(games(&path), [0, 1, 2, 3, 4]);
        assert!(games(&waiting_path(&path)).is_empty());
        record.close();
        assert!(!waiting_path(&path).exists());
    }

    #[test]
    fn nothing_is_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        std::fs::write(&path, "mine").unwrap();
        let failure = create(&path, &header()).err().unwrap();
        assert_eq!(failure.problems[0].json().code, Some(codes::FILE_EXISTS));
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
    }

    #[test]
    fn one_run_writes_at_a_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.jsonl");
        let record = create(&path, &header()).unwrap();
        let second = OpenOptions::new().append(true).open(&path).unwrap();
        assert!(lock::lock(&path, &second, ANOTHER_RUN).is_err());
        drop(record);
        assert!(lock::lock(&path, &second, ANOTHER_RUN).is_ok());
    }
}
