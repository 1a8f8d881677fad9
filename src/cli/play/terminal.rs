//! The person at the keyboard: lines in, text out, Ctrl-C.

use crate::cli::{interrupt, output};
use std::io::{BufRead, BufReader, IsTerminal, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::Duration;

/// The longest line that is read, in bytes; the rest of a longer one is skipped.
const LONGEST: u64 = 1 << 16;

/// How long Ctrl-C may go unnoticed while nobody types.
const PATIENCE: Duration = Duration::from_millis(50);

/// What came of a prompt.
pub enum Typed {
    Line(String),
    /// There will be no more lines.
    End,
    /// Ctrl-C.
    Stopped,
}

pub struct Terminal {
    lines: Receiver<String>,
    /// Lines come from a file or a pipe: they are printed after the prompt, as they would stand on a terminal.
    echo: bool,
    /// Standard output is a terminal.
    screen: bool,
    colour: bool,
    pub stop: Arc<AtomicBool>,
}

impl Terminal {
    /// Lines are read on a thread of their own, so that Ctrl-C is heard while nobody types.
    pub fn open() -> Terminal {
        let (send, lines) = sync_channel(0);
        std::thread::spawn(move || {
            let mut input = BufReader::new(std::io::stdin());
            while let Some(line) = next_line(&mut input) {
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        let screen = std::io::stdout().is_terminal();
        let plain = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
        Terminal {
            lines,
            echo: !std::io::stdin().is_terminal(),
            screen,
            colour: screen && !plain,
            stop: interrupt::flag(),
        }
    }

    /// Whether somebody sits at the keyboard: lines come from no file and no pipe.
    pub fn has_keyboard(&self) -> bool {
        !self.echo
    }

    /// Prints a prompt and waits for a line.
    pub fn ask(&self, prompt: &str) -> Typed {
        output::print(&self.bold(prompt));
        let _ = std::io::stdout().flush();
        loop {
            if self.stop.load(Ordering::SeqCst) {
                output::print("\n");
                return Typed::Stopped;
            }
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => {
                    if self.echo {
                        output::print(&format!("{line}\n"));
                    }
                    return Typed::Line(line);
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    output::print("\n");
                    return Typed::End;
                }
            }
        }
    }

    /// Takes away what stands on the screen, where that can be done, before somebody else looks.
    pub fn clear(&self) {
        if self.screen {
            output::print("\x1b[2J\x1b[3J\x1b[H");
        } else {
            output::print("\n");
        }
    }

    fn bold(&self, text: &str) -> String {
        if self.colour {
            format!("\x1b[1m{text}\x1b[0m")
        } else {
            text.to_string()
        }
    }
}

/// The next line without its end; `None` at the end of the input, or when it cannot be read.
fn next_line(input: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    input
        .by_ref()
        .take(LONGEST)
        .read_until(b'\n', &mut bytes)
        .ok()?;
    if bytes.is_empty() {
        return None;
    }
    let mut last = bytes.last().copied();
    while last.is_some_and(|b| b != b'\n') {
        let mut rest = Vec::new();
        input
            .by_ref()
            .take(LONGEST)
            .read_until(b'\n', &mut rest)
            .ok()?;
        last = rest.last().copied();
    }
    let text = String::from_utf8_lossy(&bytes);
    Some(text.trim_end_matches(['\n', '\r']).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_cut_and_the_rest_of_a_long_one_is_skipped() {
        let long = "x".repeat(3 * LONGEST as usize);
        let text = format!("a\r\n{long}\n\nlast");
        let mut input = BufReader::new(text.as_bytes());
        let mut next = || next_line(&mut input);
        assert_eq!(next().as_deref(), Some("a"));
        assert_eq!(next().map(|l| l.len()), Some(LONGEST as usize));
        assert_eq!(next().as_deref(), Some(""));
        assert_eq!(next().as_deref(), Some("last"));
        assert_eq!(next(), None);
    }
}
