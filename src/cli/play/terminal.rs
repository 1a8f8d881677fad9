//! The person at the keyboard: lines in, text out, Ctrl-C.

use super::editor::{self, Answer, Request};
use super::modes::{self, Modes};
use crate::cli::{habits, interrupt, output};
use std::io::{BufRead, BufReader, IsTerminal, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
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

/// Where lines come from.
enum Lines {
    /// A file or a pipe. They are printed after the prompt, as they would stand on a terminal.
    Piped(Receiver<String>),
    /// A terminal that does no more than print.
    Plain(Receiver<String>),
    /// A terminal on which lines are edited.
    Edited {
        requests: Sender<Request>,
        answers: Receiver<Answer>,
        before: Option<Modes>,
    },
}

pub struct Terminal {
    lines: Lines,
    /// Standard output is a terminal.
    screen: bool,
    colour: bool,
    pub stop: Arc<AtomicBool>,
}

impl Terminal {
    pub fn open() -> Terminal {
        let screen = habits::moves(&std::io::stdout());
        let colour = habits::colour(&std::io::stdout());
        let keyboard = std::io::stdin().is_terminal();
        Terminal {
            lines: match keyboard {
                true if screen => edited(colour),
                true => Lines::Plain(read_lines()),
                false => Lines::Piped(read_lines()),
            },
            screen,
            colour,
            stop: interrupt::flag(),
        }
    }

    /// Whether somebody sits at the keyboard: lines come from no file and no pipe.
    pub fn has_keyboard(&self) -> bool {
        !matches!(self.lines, Lines::Piped(_))
    }

    /// Prints a prompt and waits for a line.
    pub fn ask(&self, prompt: &str) -> Typed {
        self.ask_for(prompt, Vec::new)
    }

    /// As [`Terminal::ask`], for a line that may be one of some words.
    pub fn ask_for(&self, prompt: &str, words: impl FnOnce() -> Vec<String>) -> Typed {
        let _ = std::io::stdout().flush();
        match &self.lines {
            Lines::Piped(lines) => {
                let typed = self.read(prompt, lines);
                if let Typed::Line(line) = &typed {
                    output::print(&format!("{line}\n"));
                }
                typed
            }
            Lines::Plain(lines) => self.read(prompt, lines),
            Lines::Edited {
                requests,
                answers,
                before,
            } => {
                let request = Request::Line {
                    prompt: prompt.to_string(),
                    words: words(),
                };
                if self.stop.load(Ordering::SeqCst) {
                    return Typed::Stopped;
                }
                if requests.send(request).is_err() {
                    return Typed::End;
                }
                match self.wait(answers) {
                    Some(Some(Answer::Line(line))) => Typed::Line(line),
                    Some(Some(Answer::Stopped)) => {
                        self.stop.store(true, Ordering::SeqCst);
                        Typed::Stopped
                    }
                    Some(Some(Answer::End) | None) => Typed::End,
                    None => {
                        // Somebody else asked the process to end, and the editor still has the terminal.
                        modes::restore(before.as_ref());
                        output::print("\n");
                        Typed::Stopped
                    }
                }
            }
        }
    }

    fn read(&self, prompt: &str, lines: &Receiver<String>) -> Typed {
        output::print(&self.bold(prompt));
        let _ = std::io::stdout().flush();
        match self.wait(lines) {
            Some(Some(line)) => Typed::Line(line),
            Some(None) => {
                output::print("\n");
                Typed::End
            }
            None => {
                output::print("\n");
                Typed::Stopped
            }
        }
    }

    /// Waits for what comes next, which may be the end; `None` when the process is to end.
    fn wait<T>(&self, from: &Receiver<T>) -> Option<Option<T>> {
        loop {
            if self.stop.load(Ordering::SeqCst) {
                return None;
            }
            match from.recv_timeout(PATIENCE) {
                Ok(found) => return Some(Some(found)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Some(None),
            }
        }
    }

    /// Takes away what stands on the screen before somebody else looks. False where it stays.
    pub fn clear(&self) -> bool {
        if let Lines::Edited { requests, .. } = &self.lines {
            let _ = requests.send(Request::Forget);
        }
        let is_seen = std::io::stdout().is_terminal();
        output::print(&match (self.screen, is_seen) {
            (true, _) => "\x1b[2J\x1b[3J\x1b[H".to_string(),
            // Off the page, which is all that such a terminal can do.
            (false, true) => "\n".repeat(habits::page().rows),
            (false, false) => "\n".to_string(),
        });
        is_seen
    }

    fn bold(&self, text: &str) -> String {
        if self.colour {
            format!("\x1b[1m{text}\x1b[0m")
        } else {
            text.to_string()
        }
    }
}

/// Lines on a thread of their own, so that Ctrl-C is heard while nobody types.
fn read_lines() -> Receiver<String> {
    let (send, lines) = sync_channel(0);
    std::thread::spawn(move || {
        let mut input = BufReader::new(std::io::stdin());
        while let Some(line) = next_line(&mut input) {
            if send.send(line).is_err() {
                break;
            }
        }
    });
    lines
}

/// The same with an editor.
fn edited(colour: bool) -> Lines {
    let (requests, wanted) = channel();
    let (send, answers) = sync_channel(0);
    std::thread::spawn(move || editor::serve(&wanted, &send, colour));
    Lines::Edited {
        requests,
        answers,
        before: modes::now(),
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
