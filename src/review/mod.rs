//! What can be said about a game without being asked: problems under other settings of its params, errors that random
//! games run into, lints, coverage; and what a script makes of it, compared with what was accepted before.
//!
//! `settings` and `random_check` take a game whose text is fine ([`Subject`]) and give diagnostics. A *script* (`parse`,
//! `run`) is a text of moves and expectations; a *transcript* writes down what happens, and `snapshot` compares it with the
//! text that was accepted. *Coverage* tells which places of the rules play came to. Nothing here reads a file, reads the
//! clock or knows a rule of any game.

pub mod codes;
mod counts;
pub mod coverage;
mod elements;
mod expect;
pub mod facts;
pub mod lints;
mod moves;
mod parse;
pub mod random_check;
pub mod random_games;
mod run;
pub mod script;
pub mod settings;
pub mod snapshot;
#[cfg(test)]
mod tests;
mod transcript;
mod unscripted;
mod unused;
mod who_sees_what;

pub use coverage::{Coverage, CoverageReport, Unreached};
pub use facts::{Facts, facts};
pub use moves::{MovesError, play_moves, play_moves_observed, read_moves};
pub use parse::parse;
pub use random_check::{Purpose, RandomCheck, random_check};
pub use random_games::random_games;
pub use run::{Report, run};
pub use script::{Script, Setting};
pub use settings::{SettingsChecked, check_other_settings, play_other_settings};
pub use snapshot::{Change, Comparison, compare};
pub use transcript::{Transcript, random_step};
pub use unscripted::unscripted;
pub use who_sees_what::{SeenRow, columns, event_name, who_sees_what};

use crate::check::Settings;
use crate::check::extends::{Loader, assemble};
use crate::machine::Machine;
use crate::machine::seat::EventTexts;
use crate::syntax::ast::File;
use crate::syntax::outline::{Outline, outline};
use crate::text::diagnostics::Diagnostic;
use crate::text::sources::Sources;
use std::sync::Arc;

/// A game that was loaded and has no errors.
#[derive(Copy, Clone)]
pub struct Subject<'a> {
    pub machine: &'a Arc<Machine>,
    /// The text of the game, and those that it extends.
    pub sources: &'a Sources,
    /// Reads the files that the game extends, again.
    pub loader: Loader<'a>,
    /// What was found when it was loaded.
    pub warnings: &'a [Diagnostic],
}

impl Subject<'_> {
    /// The path and the text of the file that was asked for.
    fn text(&self) -> (&str, &str) {
        let file = self.sources.files.first();
        file.map_or(("", ""), |f| (&f.name, &f.text))
    }

    /// The same game under other settings.
    fn load(&self, settings: &Settings) -> crate::Loaded {
        let (name, text) = self.text();
        crate::load_with(name, text, settings, self.loader).0
    }

    /// The places of its text.
    fn outline(&self) -> Outline {
        self.file().as_ref().map(outline).unwrap_or_default()
    }

    /// Its text as a tree, with what it extends.
    fn file(&self) -> Option<File> {
        let (name, text) = self.text();
        let (file, _, _) = assemble(name, text, self.loader);
        file
    }
}

/// A game to be tested: what plays, and what its reveals are called in its text.
#[derive(Clone)]
pub struct TestedGame {
    pub machine: Arc<Machine>,
    pub event_texts: Arc<EventTexts>,
    who_sees_what: Arc<str>,
}

impl TestedGame {
    pub fn new(machine: Arc<Machine>, sources: &Sources) -> TestedGame {
        let mut event_texts = EventTexts::new(&machine);
        event_texts.quote(sources);
        let rows = who_sees_what(machine.description(), sources);
        let table = format!("who sees what\n{}", columns(&rows, 2));
        TestedGame {
            machine,
            event_texts: Arc::new(event_texts),
            who_sees_what: table.into(),
        }
    }

    /// What stands below the first line of a snapshot: who sees what.
    pub fn who_sees_what(&self) -> &str {
        &self.who_sees_what
    }

    /// The first line of a snapshot: the game, and the values of its params.
    pub fn heading(&self) -> String {
        let description = self.machine.description();
        let params = description.params.iter().map(|(k, v)| format!("{k} = {v}"));
        let params: Vec<String> = params.collect();
        if params.is_empty() {
            return description.name.clone();
        }
        format!("{} ({})", description.name, params.join(", "))
    }
}
