//! The names of a text: where each is given and where it is used. It takes the tree alone, so that it works while the text
//! still has mistakes.
//!
//! Without types some names could mean several things: a value that two enums have, a field of two products. All of
//! them are told, and are renamed together. A name that is no one's here is a word of the language (`size`, `Player`, the
//! `next` of `Board.next(c)`), comes from the file that this one extends, or is a mistake.

mod collect;
mod resolve;
#[cfg(test)]
mod tests;

use super::ast::File;
pub use super::visit::NameKind;
use crate::text::span::Span;

/// A definition, by its place in `Names::definitions`.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DefinitionId(pub usize);

/// Where a name is given to something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Definition {
    pub name: String,
    pub kind: NameKind,
    pub span: Span,
    /// All that declares it; the name alone where it is declared among others.
    pub whole: Span,
    /// Beyond this it cannot be used; the whole file for what is declared and not bound.
    pub scope: Span,
}

/// Where a name is used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Use {
    pub name: String,
    pub span: Span,
    /// What it may mean, in the order of the text; not more than a few hundred things.
    pub definitions: Vec<DefinitionId>,
}

/// A name that stands at a place of the text.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Found<'n> {
    Definition(DefinitionId),
    Use(&'n Use),
}

/// All names of a text, in the order of the text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    definitions: Vec<Definition>,
    uses: Vec<Use>,
    /// For each definition the first of those that go by one name.
    first: Vec<DefinitionId>,
}

impl Names {
    pub fn of(file: &File) -> Names {
        Names::of_files(&[file])
    }

    /// The names of a game and of those that it extends, whose spans must not overlap (see `check::extends::read`). What a
    /// variant replaces is among the definitions, and goes by one name with what takes its place.
    pub fn of_files(files: &[&File]) -> Names {
        resolve::names(collect::collected(files))
    }

    pub fn definitions(&self) -> &[Definition] {
        &self.definitions
    }

    pub fn uses(&self) -> &[Use] {
        &self.uses
    }

    pub fn definition(&self, id: DefinitionId) -> &Definition {
        &self.definitions[id.0]
    }

    /// The name at a place of the text, or the one that ends there.
    pub fn at(&self, offset: u32) -> Option<Found<'_>> {
        let around = |span: Span| span.start <= offset && offset <= span.end;
        let definition = self.definitions.iter().position(|d| around(d.span));
        let found = definition.map(|i| Found::Definition(DefinitionId(i)));
        found.or_else(|| self.uses.iter().find(|u| around(u.span)).map(Found::Use))
    }

    /// Every use that may mean this.
    pub fn uses_of(&self, id: DefinitionId) -> impl Iterator<Item = &Use> {
        self.uses
            .iter()
            .filter(move |u| u.definitions.contains(&id))
    }

    /// What goes by one name with a definition: itself, and what the same uses may mean. Values of the same name go
    /// together even if nothing uses them, and so do fields: two types with the same of them are one.
    pub fn alike(&self, id: DefinitionId) -> impl Iterator<Item = DefinitionId> {
        let first = self.first[id.0];
        let all = self.first.iter().enumerate();
        all.filter(move |(_, f)| **f == first)
            .map(|(i, _)| DefinitionId(i))
    }

    /// Every place that changes when a name is given to this instead, in the order of the text. Where nodes of a board are
    /// among them, the names in its picture are, which is then to be drawn anew if their length changes.
    pub fn places(&self, id: DefinitionId) -> Vec<Span> {
        let alike: Vec<DefinitionId> = self.alike(id).collect();
        let meant = |u: &&Use| u.definitions.iter().any(|d| alike.contains(d));
        let uses = self.uses.iter().filter(meant).map(|u| u.span);
        let definitions = alike.iter().map(|d| self.definition(*d).span);
        let mut places: Vec<Span> = definitions.chain(uses).collect();
        places.sort();
        places
    }
}
