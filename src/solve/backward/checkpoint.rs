//! The finished layers of a long run as bytes.
//!
//! A line says what it is, a second one as JSON of what game. Then come sections, one for the states of a layer or for its
//! values, each with a checksum at its end: a run that was killed leaves at most its last section unfinished, and the next run
//! cuts that off and goes on after it. Numbers are little-endian. Nothing is opened here.

use super::{Saved, SavedLayer, Watch};
use crate::machine::Machine;
use crate::solve::game_id::GameId;
use sha2::{Digest, Sha256};
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};

const FIRST_LINE: &str = "ruse solve checkpoint 1";
/// The longest header that is read, in bytes.
const LONGEST_HEADER: u64 = 1 << 20;
const STATES: u8 = b'S';
const VALUES: u8 = b'V';
/// Tag, layer, gap, count.
const SECTION_HEAD: usize = 1 + 4 + 8 + 8;
const CHECKSUM: usize = 8;

/// Begins a checkpoint: what stands before the first section.
///
/// # Errors
/// Those of `out`.
pub fn begin(out: &mut dyn Write, game: &GameId) -> std::io::Result<()> {
    let line = serde_json::to_string(game).unwrap_or_default();
    write!(out, "{FIRST_LINE}\n{line}\n")
}

/// Why a checkpoint was not read.
#[derive(Debug)]
pub enum Unread {
    File(std::io::Error),
    /// To be read after the name of the file: `is no checkpoint of a solver`.
    Other(&'static str),
}

impl From<std::io::Error> for Unread {
    fn from(e: std::io::Error) -> Unread {
        Unread::File(e)
    }
}

/// The layers of a checkpoint of `length` bytes, and where the last whole section ends.
///
/// # Errors
/// When it cannot be read, is none, or is one of another game.
pub fn read(
    file: &mut dyn Read,
    length: u64,
    game: &GameId,
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
    let there: GameId = serde_json::from_str(second).map_err(|_| none)?;
    if there != *game {
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

/// A checkpoint to which layers are added as they are finished. The writer stands at the end of the last whole section; it is
/// flushed after each section, and should then have kept it for good.
pub struct Checkpoint<W> {
    out: W,
    trouble: Option<std::io::Error>,
}

impl<W: Write> Checkpoint<W> {
    pub fn new(out: W) -> Checkpoint<W> {
        Checkpoint { out, trouble: None }
    }

    /// Ends writing.
    ///
    /// # Errors
    /// The first thing that went wrong; the run was stopped then.
    pub fn finish(self) -> std::io::Result<()> {
        self.trouble.map_or(Ok(()), Err)
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
}

impl<W: Write> Watch for Checkpoint<W> {
    fn layer_found(
        &mut self,
        layer: usize,
        states: &mut dyn ExactSizeIterator<Item = (u32, &[u64])>,
    ) -> bool {
        let count = states.len() as u64;
        let mut section = Section::begin(&mut self.out, STATES, layer, 0.0, count);
        for (node, words) in states {
            section.push(&node.to_le_bytes());
            words.iter().for_each(|w| section.push(&w.to_le_bytes()));
        }
        let end = section.end();
        self.note(end)
    }

    fn layer_solved(
        &mut self,
        layer: usize,
        gap: f64,
        values: &mut dyn ExactSizeIterator<Item = f64>,
    ) -> bool {
        let count = values.len() as u64;
        let mut section = Section::begin(&mut self.out, VALUES, layer, gap, count);
        values.for_each(|v| section.push(&v.to_le_bytes()));
        let end = section.end();
        self.note(end)
    }
}

/// A section on its way out.
struct Section<'w> {
    out: &'w mut dyn Write,
    buffer: Vec<u8>,
    hash: Sha256,
    result: std::io::Result<()>,
}

impl Section<'_> {
    fn begin(out: &mut dyn Write, tag: u8, layer: usize, gap: f64, count: u64) -> Section<'_> {
        let mut section = Section {
            out,
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
            self.result = self.out.write_all(&self.buffer);
        }
        self.buffer.clear();
    }

    fn end(mut self) -> std::io::Result<()> {
        self.flush();
        self.result?;
        self.out.write_all(&self.hash.finalize()[..CHECKSUM])?;
        self.out.flush()
    }
}
