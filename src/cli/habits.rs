//! Options of every command, and what they are set to: colours, and how much is said.

use crate::arena::session::Page;
use anstream::stream::RawStream;
use anstream::{AutoStream, ColorChoice};
use clap::{Args, ValueEnum};
use std::io::IsTerminal;
use std::sync::OnceLock;

/// The options.
#[derive(Args, Clone, Copy, Debug)]
pub struct Habits {
    /// Whether text is coloured: auto, always or never
    #[arg(long, value_name = "WHEN", global = true, value_enum, default_value_t = When::Auto, hide_possible_values = true)]
    color: When,

    /// Say nothing but results and problems: no progress, and not what was chosen
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,

    /// Tell more on standard error: how long loading took, all settings of players, what ran and how fast
    #[arg(short, long, global = true)]
    verbose: bool,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
enum When {
    /// On a terminal that has colours, unless the environment says otherwise
    Auto,
    Always,
    Never,
}

static HABITS: OnceLock<Habits> = OnceLock::new();

impl Habits {
    /// Sets them for the process, once.
    pub fn set(self) {
        let _ = HABITS.set(self);
    }
}

/// Whether what is written to a stream is coloured. Where `--color` does not say, `NO_COLOR`, `CLICOLOR_FORCE`, `CLICOLOR` and
/// `TERM` do, in this order, and else whether it is a terminal.
pub fn colour(stream: &impl RawStream) -> bool {
    match HABITS.get().map_or(When::Auto, |habits| habits.color) {
        When::Always => true,
        When::Never => false,
        When::Auto => AutoStream::choice(stream) != ColorChoice::Never,
    }
}

/// Whether a stream is a terminal that can do more than print one line after the other.
pub fn moves(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// How wide the terminal is to which problems and notes go, in characters; `None` as in [`size`].
pub fn width_of_errors() -> Option<usize> {
    let (width, _) = terminal_size::terminal_size_of(std::io::stderr())?;
    Some(usize::from(width.0))
}

/// How wide and how high the terminal is to which results go, in characters; `None` where they go to none, or it does not say.
pub fn size() -> Option<(usize, usize)> {
    let (width, height) = terminal_size::terminal_size_of(std::io::stdout())?;
    Some((usize::from(width.0), usize::from(height.0)))
}

/// The page on which people play: the terminal, or one of an ordinary size.
pub fn page() -> Page {
    let page = Page::default();
    let (columns, rows) = size().unwrap_or((page.columns, page.rows));
    Page {
        columns,
        rows,
        colour: colour(&std::io::stdout()),
    }
}

/// Whether nothing but results and problems is to be said.
pub fn is_quiet() -> bool {
    HABITS.get().is_some_and(|habits| habits.quiet)
}

/// Whether details are to be told too.
pub fn is_verbose() -> bool {
    HABITS.get().is_some_and(|habits| habits.verbose)
}
