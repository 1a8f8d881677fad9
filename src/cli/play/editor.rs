//! Lines at a keyboard: edited with the keys of a shell, called up again, completed.

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Config, Context, Editor, Helper};
use std::borrow::Cow;
use std::sync::mpsc::{Receiver, SyncSender};

/// What is wanted of the keyboard.
pub enum Request {
    /// A line after this prompt; what it may be, apart from what nobody can list.
    Line { prompt: String, words: Vec<String> },
    /// Whoever comes now must not call up the lines of another.
    Forget,
}

/// What came of a request for a line.
pub enum Answer {
    Line(String),
    End,
    /// Ctrl-C.
    Stopped,
}

/// What a line may be, for completion, and how the prompt looks.
struct Words {
    list: Vec<String>,
    colour: bool,
}

/// Serves requests until there are no more.
pub fn serve(requests: &Receiver<Request>, answers: &SyncSender<Answer>, colour: bool) {
    let config = Config::builder().auto_add_history(false).build();
    let Ok(mut editor) = Editor::<Words, MemHistory>::with_history(config, MemHistory::new())
    else {
        return;
    };
    while let Ok(request) = requests.recv() {
        let (prompt, words) = match request {
            Request::Line { prompt, words } => (prompt, words),
            Request::Forget => {
                *editor.history_mut() = MemHistory::new();
                continue;
            }
        };
        editor.set_helper(Some(Words {
            list: words,
            colour,
        }));
        let answer = match editor.readline(prompt.as_str()) {
            Ok(line) => {
                if !line.trim().is_empty() {
                    let _ = editor.add_history_entry(line.as_str());
                }
                Answer::Line(line)
            }
            Err(ReadlineError::Interrupted) => Answer::Stopped,
            Err(_) => Answer::End,
        };
        if answers.send(answer).is_err() {
            return;
        }
    }
}

impl Completer for Words {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let begun = line.get(..at).unwrap_or(line);
        Ok((0, completions(begun, &self.list)))
    }
}

impl Highlighter for Words {
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        match self.colour {
            true => Cow::Owned(format!("\x1b[1m{prompt}\x1b[0m")),
            false => Cow::Borrowed(prompt),
        }
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Validator for Words {}

impl Helper for Words {}

/// The words that go on as a line begins, in their order; upper and lower case do not matter.
fn completions(begun: &str, words: &[String]) -> Vec<String> {
    let begun = begun.trim_start().to_lowercase();
    let fit = words
        .iter()
        .filter(|w| w.to_lowercase().starts_with(&begun));
    fit.cloned().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_completed_to_what_begins_so() {
        let words = ["a1", "a2", "B1", "undo"].map(String::from);
        assert_eq!(completions("a", &words), ["a1", "a2"]);
        assert_eq!(completions(" b", &words), ["B1"]);
        assert_eq!(completions("", &words).len(), 4);
        assert!(completions("x", &words).is_empty());
    }
}
