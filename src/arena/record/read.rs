//! Reads lines one at a time, however many there are.

use super::LONGEST_LINE;
use crate::text::BYTE_ORDER_MARK;
use std::io::{BufRead, Read};

/// Lines of a record, or of the results of an experiment.
pub struct Lines<R> {
    reader: R,
    /// The number of the last line read, from 1.
    pub number: u64,
    /// Where the last line began, in bytes.
    pub start: u64,
    next: u64,
}

/// A line without its end.
pub enum Line<'a> {
    Whole(&'a [u8]),
    /// The last line, and no line break follows it.
    Open(&'a [u8]),
    /// Longer than any line of a record.
    TooLong,
}

impl<R: BufRead> Lines<R> {
    pub fn new(reader: R) -> Lines<R> {
        Lines {
            reader,
            number: 0,
            start: 0,
            next: 0,
        }
    }

    /// Where the next line begins, in bytes.
    pub fn end(&self) -> u64 {
        self.next
    }

    /// The next line, in `buffer`; `None` at the end.
    ///
    /// # Errors
    /// Those of the reader.
    pub fn next<'b>(&mut self, buffer: &'b mut Vec<u8>) -> std::io::Result<Option<Line<'b>>> {
        buffer.clear();
        let most = LONGEST_LINE as u64 + 1;
        let length = self.reader.by_ref().take(most).read_until(b'\n', buffer)?;
        if length == 0 {
            return Ok(None);
        }
        self.number += 1;
        self.start = self.next;
        self.next += length as u64;
        let first = match self.number == 1 && buffer.starts_with(BYTE_ORDER_MARK.as_bytes()) {
            true => BYTE_ORDER_MARK.len(),
            false => 0,
        };
        Ok(Some(if buffer.last() == Some(&b'\n') {
            Line::Whole(&buffer[first..length - 1])
        } else if length as u64 == most {
            Line::TooLong
        } else {
            Line::Open(&buffer[first..])
        }))
    }
}
