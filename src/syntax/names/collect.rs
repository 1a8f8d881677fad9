//! The first pass: every definition, and every use with what is known where it stands.

use super::{Definition, DefinitionId};
use crate::syntax::ast::{
    Alternative, Binder, Board, BoardKind, EnumValue, File, Item, KnowledgeEntry, KnowledgeKind,
    Name, Part, Quoted, TypeKind,
};
use crate::syntax::visit::{NameKind, Reference, Visitor};
use crate::text::span::Span;
use rustc_hash::FxHashMap;

/// What a file holds, before any name is looked up beyond its block.
#[derive(Default)]
pub(super) struct Collected<'a> {
    pub definitions: Vec<Definition>,
    pub uses: Vec<Pending<'a>>,
    /// The values that players choose, one for each name and no families: knowledge may ask about them.
    pub chosen: Vec<Chosen<'a>>,
    /// The declared enums: where, and the names of their values.
    pub enums: Vec<(Span, Vec<&'a str>)>,
    /// The labels of the edges of each graph.
    pub labels: Vec<Vec<&'a Name>>,
    /// Labels that two alternatives of a choice share, by their places.
    pub shared: Vec<(Span, Span)>,
}

/// A use, and what is known where it stands.
pub(super) struct Pending<'a> {
    pub name: &'a str,
    pub span: Span,
    pub to: Reference<'a>,
    /// The local name that is meant; of a field, the one that stands before the dot.
    pub local: Option<DefinitionId>,
    /// The item that it stands in.
    pub item: Span,
    pub about: About<'a>,
}

/// What an expression may ask about besides what is declared.
#[derive(Copy, Clone, Default, PartialEq)]
pub(super) enum About<'a> {
    #[default]
    Rules,
    /// In a `knowledge` block, with `me`.
    Knowledge,
    /// There, of a move: the values that are chosen, under the label if there is one.
    Move(Option<&'a str>),
}

pub(super) struct Chosen<'a> {
    pub definition: DefinitionId,
    pub name: &'a str,
    pub label: Option<&'a str>,
}

pub(super) fn collected<'a>(files: &[&'a File]) -> Collected<'a> {
    let mut collector = Collector::default();
    for file in files {
        collector.file = file.span;
        file.walk(&mut collector);
    }
    collector.found
}

#[derive(Default)]
struct Collector<'a> {
    found: Collected<'a>,
    file: Span,
    item: Span,
    about: About<'a>,
    /// The label of the alternative around.
    label: Option<&'a str>,
    locals: Vec<(&'a str, DefinitionId)>,
    /// How many local names there were where each scope began.
    scopes: Vec<(usize, Span)>,
    /// The local names by their places.
    bound: FxHashMap<Span, DefinitionId>,
}

impl<'a> Collector<'a> {
    fn local(&self, name: &str) -> Option<DefinitionId> {
        let found = self.locals.iter().rev().find(|(n, _)| *n == name);
        found.map(|(_, id)| *id)
    }

    fn used(&mut self, name: &'a str, span: Span, to: Reference<'a>) {
        let local = match to {
            Reference::Value | Reference::Member => self.local(name),
            Reference::Field { of: Some(of) } => self.local(&of.text),
            _ => None,
        };
        self.found.uses.push(Pending {
            name,
            span,
            to,
            local,
            item: self.item,
            about: self.about,
        });
    }

    fn values(&mut self, values: &'a [EnumValue]) {
        let names = values.iter().map(|v| v.name.text.as_str());
        self.found.enums.push((self.item, names.collect()));
    }

    fn within<T>(&mut self, about: About<'a>, body: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.about, about);
        let result = body(self);
        self.about = outer;
        result
    }
}

fn text(label: &Option<Name>) -> Option<&str> {
    label.as_ref().map(|l| l.text.as_str())
}

impl<'a> Visitor<'a> for Collector<'a> {
    fn item(&mut self, item: &'a Item) {
        self.item = match item {
            Item::Type(t) => t.span,
            Item::Enum(e) => e.span,
            Item::Board(b) => b.span,
            _ => Span::default(),
        };
        match item {
            Item::Enum(e) => self.values(&e.values),
            Item::Type(t) => {
                if let TypeKind::Enum(values) = &t.ty.kind {
                    self.values(values);
                }
            }
            Item::Board(Board {
                kind: BoardKind::Graph { edges, .. },
                ..
            }) => {
                let labels = edges.iter().filter_map(|e| e.label.as_ref());
                self.found.labels.push(labels.collect());
            }
            _ => {}
        }
        item.walk(self);
    }

    fn knowledge(&mut self, entry: &'a KnowledgeEntry) {
        use KnowledgeKind as K;
        match &entry.kind {
            K::Maximise { .. } | K::Minimise { .. } | K::Filter { .. } => {
                self.within(About::Move(None), |this| entry.walk(this));
            }
            K::Weights { name, rules } => {
                self.declare(name, NameKind::Entry, entry.span);
                for rule in rules {
                    let about = About::Move(text(&rule.label));
                    self.within(about, |this| rule.walk(this));
                }
            }
            K::Actions(classes) => {
                for class in classes {
                    let about = About::Move(text(&class.label));
                    self.within(about, |this| class.walk(this));
                }
            }
            K::Evaluate(_) | K::Category { .. } | K::Information(_) | K::Layout { .. } => {
                self.within(About::Knowledge, |this| entry.walk(this));
            }
        }
    }

    fn alternatives(&mut self, all: &'a [Alternative]) {
        let mut known: Vec<&Name> = Vec::new();
        for label in all.iter().filter_map(|one| one.label.as_ref()) {
            match known.iter().find(|other| other.text == label.text) {
                Some(first) => self.found.shared.push((first.span, label.span)),
                None => known.push(label),
            }
        }
        all.iter().for_each(|one| self.alternative(one));
    }

    fn alternative(&mut self, alternative: &'a Alternative) {
        let outer = std::mem::replace(&mut self.label, text(&alternative.label));
        alternative.walk(self);
        self.label = outer;
    }

    fn part(&mut self, part: &'a Part, kind: NameKind) {
        part.walk(self, kind);
        if kind == NameKind::Chosen
            && part.family.is_none()
            && let Some(definition) = self.bound.get(&part.name.span)
        {
            self.found.chosen.push(Chosen {
                definition: *definition,
                name: &part.name.text,
                label: self.label,
            });
        }
    }

    fn picture_row(&mut self, row: &'a Quoted) {
        let letter = |c: char| c.is_alphanumeric() || c == '_';
        let mut at = 0;
        for word in row.text.split(|c| !letter(c)) {
            let start = row.text[at..].find(word).map_or(at, |n| at + n);
            at = start + word.len();
            // Numbers are no names, and underscores alone are a line.
            if !word.starts_with(|c: char| c.is_numeric()) && word.contains(|c| c != '_') {
                self.used(word, inside(row, start, word.len()), Reference::Node);
            }
        }
    }

    fn mark(&mut self, mark: &'a Quoted, each: Option<&'a Binder>) {
        let Some(name) = each.map(|binder| binder.name.text.as_str()) else {
            return;
        };
        for (at, _) in mark.text.match_indices(&format!("{{{name}}}")) {
            self.used(name, inside(mark, at + 1, name.len()), Reference::Value);
        }
    }

    fn declare(&mut self, name: &'a Name, kind: NameKind, whole: Span) {
        self.found.definitions.push(Definition {
            name: name.text.clone(),
            kind,
            span: name.span,
            whole,
            scope: self.file,
        });
    }

    fn bind(&mut self, name: &'a Name, kind: NameKind) {
        let mut scope = self.scopes.last().map_or(self.file, |(_, scope)| *scope);
        if matches!(kind, NameKind::Let | NameKind::Chosen | NameKind::Drawn) {
            scope.start = name.span.start;
        }
        let id = match self.bound.get(&name.span) {
            Some(id) => {
                self.found.definitions[id.0].scope = scope;
                *id
            }
            None => {
                let id = DefinitionId(self.found.definitions.len());
                self.found.definitions.push(Definition {
                    name: name.text.clone(),
                    kind,
                    span: name.span,
                    whole: name.span,
                    scope,
                });
                self.bound.insert(name.span, id);
                id
            }
        };
        self.locals.push((&name.text, id));
    }

    fn refer(&mut self, name: &'a Name, to: Reference<'a>) {
        self.used(&name.text, name.span, to);
    }

    fn enter(&mut self, scope: Span) {
        self.scopes.push((self.locals.len(), scope));
    }

    fn leave(&mut self) {
        if let Some((known, _)) = self.scopes.pop() {
            self.locals.truncate(known);
        }
    }
}

/// A piece of what stands between quotation marks.
fn inside(quoted: &Quoted, at: usize, length: usize) -> Span {
    let start = quoted.span.start as usize + 1 + at;
    Span::new(start, start + length)
}
