//! Changes, tried on the text of a game: which problems are gone with them.

use crate::check::extends::{Loader, assemble};
use crate::check::{Settings, check_rest};
use crate::syntax::ast::File;
use crate::text::diagnostics::Diagnostic;
use crate::text::edits::{Edit, apply, moved};
use crate::text::sources::Sources;

/// How many changes are tried for one game.
const MOST: usize = 60;

pub(super) struct Trials<'a> {
    pub before: Vec<Diagnostic>,
    pub sources: &'a Sources,
    settings: &'a Settings,
    loader: Loader<'a>,
    done: Vec<(Vec<Edit>, Option<Vec<usize>>)>,
}

impl<'a> Trials<'a> {
    pub fn new(
        before: &[Diagnostic],
        sources: &'a Sources,
        settings: &'a Settings,
        loader: Loader<'a>,
    ) -> Trials<'a> {
        Trials {
            before: before.to_vec(),
            sources,
            settings,
            loader,
            done: Vec::new(),
        }
    }

    /// The game as it is.
    pub fn file(&self) -> Option<File> {
        let first = self.sources.files.first()?;
        assemble(&first.name, &first.text, self.loader).0
    }

    /// The numbers of the errors that are gone with these changes; `None` where they bring others, or where enough was
    /// tried.
    pub fn mended(&mut self, edits: &[Edit]) -> Option<Vec<usize>> {
        if let Some((_, mended)) = self.done.iter().find(|(tried, _)| tried == edits) {
            return mended.clone();
        }
        if self.done.len() >= MOST {
            return None;
        }
        let after = self.again(edits);
        let mended = after.and_then(|after| self.gone(edits, &after));
        self.done.push((edits.to_vec(), mended.clone()));
        mended
    }

    fn gone(&self, edits: &[Edit], after: &[Diagnostic]) -> Option<Vec<usize>> {
        let places: Vec<_> = self.before.iter().map(|d| moved(d.span, edits)).collect();
        let mut gone: Vec<usize> = (0..places.len()).collect();
        gone.retain(|&i| self.before[i].is_error());
        for d in after.iter().filter(|d| d.is_error()) {
            let there = |i: &usize| self.before[*i].code == d.code && places[*i].contains(d.span);
            let left: Vec<usize> = (0..places.len()).filter(there).collect();
            if left.is_empty() {
                return None;
            }
            gone.retain(|i| !left.contains(i));
        }
        Some(gone)
    }

    /// The problems of the game with these changes; `None` where they cannot be made.
    fn again(&self, edits: &[Edit]) -> Option<Vec<Diagnostic>> {
        let sources = self.sources;
        let mut texts = Vec::new();
        for (number, file) in sources.files.iter().enumerate() {
            let inside = edits.iter().filter(|e| sources.locate(e.span).0 == number);
            let own: Vec<Edit> = inside
                .map(|e| Edit::new(sources.locate(e.span).1, e.text.clone()))
                .collect();
            texts.push(apply(&file.text, &own)?);
        }
        let changed = |from: &str, path: &str| {
            let (name, text) = (self.loader)(from, path)?;
            let number = sources.files.iter().position(|f| f.name == name);
            let changed = number.and_then(|n| texts.get(n)).cloned();
            Ok((name, changed.unwrap_or(text)))
        };
        let first = sources.files.first()?;
        let (file, mut problems, _) = assemble(&first.name, texts.first()?, &changed);
        problems.extend(check_rest(&file?, self.settings, false).1);
        Some(problems)
    }
}
