//! The file that a long run keeps its finished layers in.
//!
//! A line says what file it is, a second one as JSON of what game. Then come sections, one for the states of a layer or for
//! its values, each with a checksum at its end: a run that was killed leaves at most its last section unfinished, and the next
//! run cuts that off and goes on after it. Numbers are little-endian.

use crate::arena::record::fingerprint;
use crate::cli::codes;
use crate::cli::load::Loaded;
use crate::cli::output::Failure;
use crate::cli::problem::Problem;
use crate::machine::Machine;
use crate::solve::backward::{Saved, SavedLayer};
use crate::text::diagnostics::Code;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::Path;

const FIRST_LINE: &str = "ruse solve checkpoint 1";
/// The longest header that is read, in bytes.
const LONGEST_HEADER: u64 = 1 << 20;
const STATES: u8 = b'S';
const VALUES: u8 = b'V';
/// Tag, layer, gap, count.
const SECTION_HEAD: usize = 1 + 4 + 8 + 8;
const CHECKSUM: usize = 8;

/// Which game the layers are of.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Header {
    /// The program that wrote it: another one may number the nodes of a game in another way.
    ruse: String,
    game: String,
    /// A hash of what the description says.
    description: String,
    params: indexmap::IndexMap<String, String>,
}

impl Header {
    fn of(loaded: &Loaded) -> Header {
        let description = loaded.machine.description();
        Header {
            ruse: env!("CARGO_PKG_VERSION").to_string(),
            game: description.name.clone(),
            description: fingerprint(&loaded.source.sources),
            params: description.params.clone(),
        }
    }
}

/// A checkpoint that is being written.
pub struct Checkpoint {
    file: File,
    trouble: Option<std::io::Error>,
}

/// Opens a checkpoint to go on with, or begins one where there is no such file.
pub fn open(path: &Path, loaded: &Loaded) -> Result<(Option<Checkpoint>, Saved), Failure> {
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(|e| cannot_write(path, &e))?;
    if file.try_lock().is_err() {
        let hint = "another run of ruse writes to it";
        return Err(failure(
            path,
            codes::CANNOT_WRITE,
            "cannot be written: it is in use",
            hint,
        ));
    }
    let length = file.metadata().map_err(|e| cannot_write(path, &e))?.len();
    let header = Header::of(loaded);
    let saved = if length == 0 {
        let line = serde_json::to_string(&header).unwrap_or_default();
        write!(file, "{FIRST_LINE}\n{line}\n").map_err(|e| cannot_write(path, &e))?;
        Saved::default()
    } else {
        let (saved, end) = read(&file, length, &header, &loaded.machine).map_err(|e| match e {
            Unread::File(e) => failure(
                path,
                codes::CANNOT_READ,
                &format!("cannot be read: {e}"),
                "",
            ),
            Unread::Other(what) => {
                let hint = "another name keeps both; a checkpoint goes with one version of ruse";
                failure(path, codes::NO_CHECKPOINT, what, hint)
            }
        })?;
        file.set_len(end).map_err(|e| cannot_write(path, &e))?;
        file.seek(SeekFrom::End(0))
            .map_err(|e| cannot_write(path, &e))?;
        saved
    };
    let checkpoint = Checkpoint {
        file,
        trouble: None,
    };
    Ok((Some(checkpoint), saved))
}

/// Why a checkpoint was not read.
enum Unread {
    File(std::io::Error),
    Other(&'static str),
}

impl From<std::io::Error> for Unread {
    fn from(e: std::io::Error) -> Unread {
        Unread::File(e)
    }
}

/// The layers of a file, and where the last whole section ends.
fn read(
    file: &File,
    length: u64,
    expected: &Header,
    machine: &Machine,
) -> Result<(Saved, u64), Unread> {
    let none = Unread::Other("is no checkpoint of a solver");
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let mut lines = String::new();
    for _ in 0..2 {
        let mut limited = (&mut reader).take(LONGEST_HEADER);
        match limited.read_line(&mut lines) {
            Err(e) if e.kind() == ErrorKind::InvalidData => return Err(none),
            other => other?,
        };
    }
    let Some((first, second)) = lines.split_once('\n') else {
        return Err(none);
    };
    if first != FIRST_LINE || !second.ends_with('\n') {
        return Err(none);
    }
    let header: Header = serde_json::from_str(second).map_err(|_| none)?;
    if header != *expected {
        return Err(Unread::Other(
            "is a checkpoint of another game, or of other params",
        ));
    }
    let mut saved = Saved::default();
    let mut end = lines.len() as u64;
    let stride = 4 + 8 * machine.state_words();
    loop {
        let Some((head, payload)) = section(&mut reader, length - end, stride)? else {
            return Ok((saved, end));
        };
        end += (SECTION_HEAD + payload.len() + CHECKSUM) as u64;
        match head.tag {
            STATES => {
                let mut layer = SavedLayer::default();
                for state in payload.chunks_exact(stride) {
                    let (node, words) = state.split_at(4);
                    layer.nodes.push(u32::from_le_bytes(array(node)));
                    let words = words.chunks_exact(8).map(|w| u64::from_le_bytes(array(w)));
                    layer.words.extend(words);
                }
                if head.layer as usize != saved.layers.len() + 1 {
                    return Err(Unread::Other("has its layers in the wrong order"));
                }
                saved.layers.push(layer);
            }
            _ => {
                let values = payload
                    .chunks_exact(8)
                    .map(|v| f64::from_le_bytes(array(v)));
                saved
                    .values
                    .push((head.layer as usize, head.gap, values.collect()));
            }
        }
    }
}

struct Head {
    tag: u8,
    layer: u32,
    gap: f64,
}

/// The next section if it is whole.
fn section(
    reader: &mut impl Read,
    left: u64,
    stride: usize,
) -> std::io::Result<Option<(Head, Vec<u8>)>> {
    let room = left.saturating_sub((SECTION_HEAD + CHECKSUM) as u64);
    if left < (SECTION_HEAD + CHECKSUM) as u64 {
        return Ok(None);
    }
    let mut head = [0; SECTION_HEAD];
    reader.read_exact(&mut head)?;
    let size = match head[0] {
        STATES => stride as u64,
        VALUES => 8,
        _ => return Ok(None),
    };
    let count = u64::from_le_bytes(array(&head[13..21]));
    let Some(bytes) = count.checked_mul(size).filter(|&b| b <= room) else {
        return Ok(None);
    };
    let mut payload = vec![0; bytes as usize];
    reader.read_exact(&mut payload)?;
    let mut sum = [0; CHECKSUM];
    reader.read_exact(&mut sum)?;
    let mut hash = Sha256::new();
    hash.update(head);
    hash.update(&payload);
    if hash.finalize()[..CHECKSUM] != sum {
        return Ok(None);
    }
    let head = Head {
        tag: head[0],
        layer: u32::from_le_bytes(array(&head[1..5])),
        gap: f64::from_le_bytes(array(&head[5..13])),
    };
    Ok(Some((head, payload)))
}

/// The first N bytes; the callers give as many.
fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(&bytes[..N]);
    array
}

impl Checkpoint {
    /// Keeps the states of a layer; false when it could not.
    pub fn states(
        &mut self,
        layer: usize,
        states: &mut dyn ExactSizeIterator<Item = (u32, &[u64])>,
    ) -> bool {
        let count = states.len() as u64;
        let mut section = Section::begin(&mut self.file, STATES, layer, 0.0, count);
        for (node, words) in states {
            section.push(&node.to_le_bytes());
            words.iter().for_each(|w| section.push(&w.to_le_bytes()));
        }
        let end = section.end();
        self.note(end)
    }

    /// Keeps the values of a layer; false when it could not.
    pub fn values(
        &mut self,
        layer: usize,
        gap: f64,
        values: &mut dyn ExactSizeIterator<Item = f64>,
    ) -> bool {
        let count = values.len() as u64;
        let mut section = Section::begin(&mut self.file, VALUES, layer, gap, count);
        values.for_each(|v| section.push(&v.to_le_bytes()));
        let end = section.end();
        self.note(end)
    }

    fn note(&mut self, end: std::io::Result<()>) -> bool {
        match end {
            Ok(()) => true,
            Err(e) => {
                self.trouble.get_or_insert(e);
                false
            }
        }
    }

    /// Says what went wrong with the file, if anything did.
    pub fn finish(self, path: &Path) -> Result<(), Failure> {
        match self.trouble {
            Some(e) => Err(cannot_write(path, &e)),
            None => Ok(()),
        }
    }
}

/// A section on its way into the file.
struct Section<'f> {
    file: &'f mut File,
    buffer: Vec<u8>,
    hash: Sha256,
    result: std::io::Result<()>,
}

impl Section<'_> {
    fn begin(file: &mut File, tag: u8, layer: usize, gap: f64, count: u64) -> Section<'_> {
        let mut section = Section {
            file,
            buffer: Vec::with_capacity(1 << 16),
            hash: Sha256::new(),
            result: Ok(()),
        };
        section.push(&[tag]);
        section.push(&(layer as u32).to_le_bytes());
        section.push(&gap.to_le_bytes());
        section.push(&count.to_le_bytes());
        section
    }

    fn push(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
        if self.buffer.len() >= (1 << 16) - 64 {
            self.flush();
        }
    }

    fn flush(&mut self) {
        self.hash.update(&self.buffer);
        if self.result.is_ok() {
            self.result = self.file.write_all(&self.buffer);
        }
        self.buffer.clear();
    }

    fn end(mut self) -> std::io::Result<()> {
        self.flush();
        self.result?;
        self.file.write_all(&self.hash.finalize()[..CHECKSUM])?;
        self.file.sync_data()
    }
}

fn cannot_write(path: &Path, e: &std::io::Error) -> Failure {
    failure(
        path,
        codes::CANNOT_WRITE,
        &format!("cannot be written: {e}"),
        "",
    )
}

fn failure(path: &Path, code: Code, what: &str, hint: &str) -> Failure {
    Failure::wrong_use(Problem::Outside {
        file: Some(path.display().to_string()),
        code: Some(code),
        message: format!("{} {what}", path.display()),
        hint: (!hint.is_empty()).then(|| hint.to_string()),
    })
}
