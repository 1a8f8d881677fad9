//! What native code reads besides the frame: tables, boards, and instructions that it leaves to the interpreter.

use super::super::bitboards::{Board, sides};
use super::super::engine::NoNative;
use super::super::frames::FRAME;
use crate::compile::playout::Flow;
use crate::ir::*;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Lines are tables for sets of no more words.
const MOST_WORDS: u16 = 4;

/// Sets are shifted where that takes no more words in all.
const MOST_SHIFTS: usize = 16;

/// By the table, the number of ways, whether both ways are gone, and the words of a set.
type Lines = (u32, u32, bool, u16);

/// Belongs to a piece of code, and stays where it is as long as that does.
#[derive(Debug, Default)]
pub(super) struct Data {
    /// The tables that are read, by number: those of whole words, and those whose values take as few bytes as they need.
    tables: FxHashMap<(u32, bool), Values>,
    /// The lines of boards: two sets for each cell and way.
    rays: FxHashMap<Lines, Option<Box<[u64]>>>,
    /// By the table, the direction, how many cells, and the words of a set.
    rows_in_line: FxHashMap<[u32; 4], Option<InLine>>,
    boards: FxHashMap<u32, usize>,
    /// Tables whose rows are found by shifting few words.
    lattices: FxHashMap<u32, Option<Arc<Lattice>>>,
    pub board_list: Vec<Board>,
    pub others: Vec<Instr>,
    pub samples: Vec<SampleCode>,
    pub events: Vec<EventCode>,
}

/// So many cells in line: how far apart they lie, and for each cell the first ones of those that it is one of.
#[derive(Debug)]
struct InLine {
    stride: usize,
    firsts: Box<[u64]>,
}

/// The values of a table, side by side: small ones fill fewer lines of a cache.
#[derive(Debug)]
struct Values {
    bytes: Box<[u64]>,
    rows: usize,
    words: u16,
    width: u8,
}

impl Values {
    fn whole(table: &Table, words: u16) -> Values {
        Values {
            bytes: table.values.clone().into(),
            rows: table.values.len() / usize::from(words.max(1)),
            words,
            width: 8,
        }
    }

    fn narrow(table: &Table, words: u16) -> Values {
        let most = table.values.iter().copied().max().unwrap_or(0);
        let fits = |width: &usize| most >> (8 * width) == 0;
        let Some(width) = [1, 2, 4].into_iter().find(fits) else {
            return Values::whole(table, words);
        };
        let values = table.values.iter();
        // On a processor whose first byte is the lowest, like those that code is made for.
        let bytes: Vec<u8> = values
            .flat_map(|value| value.to_le_bytes().into_iter().take(width))
            .collect();
        let bytes = bytes.chunks(8).map(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            u64::from_le_bytes(word)
        });
        Values {
            bytes: bytes.collect(),
            width: width as u8,
            ..Values::whole(table, words)
        }
    }
}

/// A table as code sees it.
#[derive(Copy, Clone)]
pub(super) struct Rows {
    pub address: usize,
    pub rows: usize,
    pub words: u16,
    /// How many bytes a value takes.
    pub width: u8,
}

impl Data {
    /// An error where a flow has something for which there is no native code.
    pub fn new(program: &Program, flow: &Flow) -> Result<Data, NoNative> {
        let mut data = Data::default();
        let words = flow.frame.max(flow.pool.end()).max(program.frame) as usize;
        if words > FRAME {
            return Err(NoNative::TooWide(words));
        }
        for instr in flow.blocks.iter().flat_map(|block| &block.instrs) {
            let mut inside = true;
            instr.visit(&mut |slot, words, _| inside &= (slot + words) as usize <= FRAME);
            if !inside || !data.take(program, flow, instr) {
                return Err(NoNative::Refused);
            }
        }
        Ok(data)
    }

    fn take(&mut self, program: &Program, flow: &Flow, instr: &Instr) -> bool {
        let first = program.tables.len() as u32;
        let table = |number: u32| match number.checked_sub(first) {
            None => program.tables.get(number as usize),
            Some(made) => flow.pool.tables.get(made as usize),
        };
        match instr {
            Instr::Reach { .. } => return false,
            Instr::Table {
                table: number,
                words,
                ..
            }
            | Instr::Hops {
                table: number,
                words,
                ..
            } => {
                let Some(table) = table(*number).filter(|_| *words > 0) else {
                    return false;
                };
                let whole = matches!(instr, Instr::Hops { .. });
                let values = self.tables.entry((*number, whole));
                values.or_insert_with(|| match whole {
                    true => Values::whole(table, *words),
                    false => Values::narrow(table, *words),
                });
            }
            Instr::SetNeighbours { table: number, .. } | Instr::SetGroup { table: number, .. } => {
                self.lattices.entry(*number).or_insert_with(|| {
                    let lattice = Lattice::new(program.tables.get(*number as usize)?)?;
                    (lattice.work() <= MOST_SHIFTS).then(|| Arc::new(lattice))
                });
                if let Some(board) = program.tables.get(*number as usize).and_then(Board::new)
                    && !self.boards.contains_key(number)
                {
                    self.boards.insert(*number, self.board_list.len());
                    self.board_list.push(board);
                }
            }
            Instr::SetRun {
                table: number,
                ways,
                both,
                dst,
                ..
            } if dst.words <= MOST_WORDS => {
                let key = (*number, *ways, *both, dst.words);
                self.rays.entry(key).or_insert_with(|| {
                    let steps = program.tables.get(*number as usize)?;
                    let words = usize::from(dst.words);
                    Some(sides(steps, *ways, *both, words)?.into())
                });
            }
            Instr::LineAtLeast {
                way,
                within,
                table: number,
                ways,
                least,
                ..
            } if within.words <= MOST_WORDS => {
                let key = [*number, *way, *least, u32::from(within.words)];
                self.rows_in_line.entry(key).or_insert_with(|| {
                    let steps = program.tables.get(*number as usize)?;
                    let line = Straight::new(steps, *ways, *way)?;
                    let firsts = line.firsts(*least as usize, within.words.into())?;
                    Some(InLine {
                        stride: line.stride,
                        firsts: firsts.into(),
                    })
                });
            }
            _ => {}
        }
        true
    }

    /// A table of rows, of `whole` words or not; one with rows of another length counts as empty.
    pub fn table(&self, number: u32, words: u16, whole: bool) -> Rows {
        match self.tables.get(&(number, whole)) {
            Some(values) if values.words == words => Rows {
                address: values.bytes.as_ptr().expose_provenance(),
                rows: values.rows,
                words,
                width: values.width,
            },
            _ => Rows {
                address: 0,
                rows: 0,
                words,
                width: 8,
            },
        }
    }

    /// The lines of a board, with two sets of so many words a row; `None` where they have to be walked.
    pub fn rays(&self, table: u32, ways: u32, both: bool, words: u16) -> Option<Rows> {
        let sides = self.rays.get(&(table, ways, both, words))?.as_ref()?;
        Some(Rows {
            address: sides.as_ptr().expose_provenance(),
            rows: sides.len() / (2 * usize::from(words.max(1))),
            words: 2 * words,
            width: 8,
        })
    }

    /// How far apart cells in line lie, and the first ones of so many, with a set of so many words a row; `None` where they have to
    /// be walked.
    pub fn in_line(&self, table: u32, way: u32, least: u32, words: u16) -> Option<(usize, Rows)> {
        let key = [table, way, least, u32::from(words)];
        let line = self.rows_in_line.get(&key)?.as_ref()?;
        let rows = Rows {
            address: line.firsts.as_ptr().expose_provenance(),
            rows: line.firsts.len() / usize::from(words.max(1)),
            words,
            width: 8,
        };
        Some((line.stride, rows))
    }

    /// A table of neighbours as shifts; `None` where its rows are gone through.
    pub fn lattice(&self, table: u32) -> Option<Arc<Lattice>> {
        self.lattices.get(&table)?.clone()
    }

    /// The number of a board by its table.
    pub fn board(&self, table: u32) -> Option<usize> {
        self.boards.get(&table).copied()
    }
}
