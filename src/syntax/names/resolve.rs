//! The second pass: what every use means, now that all declarations are known.

use super::collect::{About, Chosen, Collected, Pending};
use super::{Definition, DefinitionId, Names, Use};
use crate::syntax::ast::Name;
use crate::syntax::visit::{NameKind, Reference};
use crate::text::span::Span;
use rustc_hash::FxHashMap;

/// The most things that are told of one use.
const MOST: usize = 256;

/// The names that are told apart by where they stand: one of each kind may have the same name.
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
enum Room {
    /// Whatever an expression may name, but for the values of enums.
    Declared,
    Values,
    Fields,
    Rules,
    Labels,
}

fn room(kind: NameKind) -> Option<Room> {
    Some(match kind {
        NameKind::Param
        | NameKind::Player
        | NameKind::Team
        | NameKind::Type
        | NameKind::Enum
        | NameKind::Constant
        | NameKind::Board
        | NameKind::Variable
        | NameKind::Note
        | NameKind::Def => Room::Declared,
        NameKind::Value => Room::Values,
        NameKind::Field => Room::Fields,
        NameKind::Rule => Room::Rules,
        NameKind::Label => Room::Labels,
        NameKind::Game
        | NameKind::Entry
        | NameKind::Attribute
        | NameKind::Index
        | NameKind::Parameter
        | NameKind::Let
        | NameKind::Element
        | NameKind::Turn
        | NameKind::Chosen
        | NameKind::Drawn
        | NameKind::Cell => return None,
    })
}

pub(super) fn names(collected: Collected<'_>) -> Names {
    let Collected {
        definitions,
        mut uses,
        chosen,
        enums,
        labels,
        shared,
    } = collected;
    let mut known = Known {
        definitions,
        rooms: FxHashMap::default(),
        chosen,
    };
    for id in 0..known.definitions.len() {
        known.index(DefinitionId(id));
    }
    let labels: FxHashMap<Span, Vec<DefinitionId>> = labels
        .iter()
        .flat_map(|labels| known.labels(labels, &enums))
        .collect();
    known.written(&mut uses);
    let mut found = Vec::new();
    for used in uses {
        let definitions = match labels.get(&used.span) {
            Some(definitions) => definitions.clone(),
            None => known.meant(&used),
        };
        // The first of some labels defines it.
        if definitions
            .iter()
            .all(|d| known.definitions[d.0].span != used.span)
        {
            found.push(Use {
                name: used.name.to_string(),
                span: used.span,
                definitions,
            });
        }
    }
    sorted(known, found, &shared)
}

struct Known<'a> {
    definitions: Vec<Definition>,
    rooms: FxHashMap<(Room, String), Vec<DefinitionId>>,
    chosen: Vec<Chosen<'a>>,
}

impl Known<'_> {
    fn index(&mut self, id: DefinitionId) {
        let definition = &self.definitions[id.0];
        if let Some(room) = room(definition.kind) {
            let key = (room, definition.name.clone());
            self.rooms.entry(key).or_default().push(id);
        }
    }

    fn define(&mut self, name: &str, span: Span, kind: NameKind, scope: Span) -> DefinitionId {
        let id = DefinitionId(self.definitions.len());
        self.definitions.push(Definition {
            name: name.to_string(),
            kind,
            span,
            whole: span,
            scope,
        });
        self.index(id);
        id
    }

    fn all(&self, room: Room, name: &str) -> Vec<DefinitionId> {
        let found = self.rooms.get(&(room, name.to_string()));
        let found = found.into_iter().flatten().copied();
        found.take(MOST).collect()
    }

    fn of_kinds(&self, name: &str, kinds: &[NameKind]) -> Vec<DefinitionId> {
        let mut found = self.all(Room::Declared, name);
        found.retain(|d| kinds.contains(&self.definitions[d.0].kind));
        found
    }

    /// Those that an item declares, or all if it declares none of them.
    fn own(&self, found: Vec<DefinitionId>, item: Span) -> Vec<DefinitionId> {
        let inside = |d: &DefinitionId| item.contains(self.definitions[d.0].span);
        match found.iter().any(inside) {
            true => found.into_iter().filter(inside).collect(),
            false => found,
        }
    }

    fn meant(&self, used: &Pending<'_>) -> Vec<DefinitionId> {
        let name = used.name;
        match used.to {
            Reference::Value => self.value(used),
            Reference::Member => used.local.into_iter().collect(),
            Reference::Type => {
                self.of_kinds(name, &[NameKind::Type, NameKind::Enum, NameKind::Board])
            }
            Reference::Function => self.of_kinds(name, &[NameKind::Def]),
            Reference::Player => self.of_kinds(name, &[NameKind::Player, NameKind::Team]),
            Reference::BoardType | Reference::BoardFunction => Vec::new(),
            Reference::Field { of } => {
                let board = |of: &Name| !self.of_kinds(&of.text, &[NameKind::Board]).is_empty();
                match used.local.is_none() && of.is_some_and(board) {
                    true => Vec::new(),
                    false => self.all(Room::Fields, name),
                }
            }
            Reference::Written => self.all(Room::Fields, name),
            Reference::OwnField => self.own(self.all(Room::Fields, name), used.item),
            Reference::Rule => self.all(Room::Rules, name),
            Reference::Node => self.own(self.all(Room::Values, name), used.item),
            Reference::EdgeLabel => self.all(Room::Values, name),
            Reference::Label => self.all(Room::Labels, name),
        }
    }

    fn value(&self, used: &Pending<'_>) -> Vec<DefinitionId> {
        if let Some(local) = used.local {
            return vec![local];
        }
        // The owner of the knowledge.
        if used.name == "me" && used.about != About::Rules {
            return Vec::new();
        }
        for room in [Room::Declared, Room::Values] {
            let found = self.all(room, used.name);
            if !found.is_empty() {
                return found;
            }
        }
        let About::Move(label) = used.about else {
            return Vec::new();
        };
        let fits = |c: &&Chosen<'_>| c.name == used.name && (label.is_none() || c.label == label);
        let found = self.chosen.iter().filter(fits);
        found.map(|c| c.definition).take(MOST).collect()
    }

    /// What the labels of a graph mean: values of the first declared enum that has them all, or of one of their own.
    fn labels(
        &mut self,
        labels: &[&Name],
        enums: &[(Span, Vec<&str>)],
    ) -> Vec<(Span, Vec<DefinitionId>)> {
        let has_all = |values: &Vec<&str>| labels.iter().all(|l| values.contains(&l.text.as_str()));
        let declared = enums.iter().find(|(_, values)| has_all(values));
        let mut first: FxHashMap<&str, DefinitionId> = FxHashMap::default();
        let mut found = Vec::new();
        for label in labels {
            let text = label.text.as_str();
            let meant = match declared {
                Some((item, _)) => self.own(self.all(Room::Values, text), *item),
                None => {
                    let own = first.get(text).copied().unwrap_or_else(|| {
                        let whole = self.definitions.first().map_or(label.span, |d| d.scope);
                        self.define(text, label.span, NameKind::Value, whole)
                    });
                    first.insert(text, own);
                    vec![own]
                }
            };
            found.push((label.span, meant));
        }
        found
    }

    /// A product that is written with fields that no type has declares them.
    fn written(&mut self, uses: &mut Vec<Pending<'_>>) {
        uses.retain(|used| {
            let declared = !matches!(used.to, Reference::Written)
                || !self.all(Room::Fields, used.name).is_empty();
            if !declared {
                let whole = self.definitions.first().map_or(used.span, |d| d.scope);
                self.define(used.name, used.span, NameKind::Field, whole);
            }
            declared
        });
    }
}

/// Everything in the order of the text.
fn sorted(known: Known<'_>, mut uses: Vec<Use>, shared: &[(Span, Span)]) -> Names {
    let mut order: Vec<usize> = (0..known.definitions.len()).collect();
    order.sort_by_key(|i| known.definitions[*i].span);
    let mut new = vec![DefinitionId(0); order.len()];
    for (place, old) in order.iter().enumerate() {
        new[*old] = DefinitionId(place);
    }
    let mut slots: Vec<Option<Definition>> = known.definitions.into_iter().map(Some).collect();
    let definitions: Vec<Definition> = order.iter().filter_map(|i| slots[*i].take()).collect();
    for used in &mut uses {
        used.definitions.iter_mut().for_each(|d| *d = new[d.0]);
        used.definitions.sort();
    }
    uses.sort_by_key(|u| u.span);
    let first = alike(&definitions, &uses, shared);
    Names {
        definitions,
        uses,
        first,
    }
}

/// For each definition the first one that must have the same name.
fn alike(definitions: &[Definition], uses: &[Use], shared: &[(Span, Span)]) -> Vec<DefinitionId> {
    let mut first: Vec<usize> = (0..definitions.len()).collect();
    fn root(first: &[usize], mut i: usize) -> usize {
        while first[i] != i {
            i = first[i];
        }
        i
    }
    let mut join = |a: usize, b: usize| {
        let (a, b) = (root(&first, a), root(&first, b));
        first[a.max(b)] = a.min(b);
    };
    let mut seen: FxHashMap<(Room, &str), usize> = FxHashMap::default();
    for (i, definition) in definitions.iter().enumerate() {
        // Alternatives of different choices may have the same label and nothing to do with each other.
        if let Some(room) = room(definition.kind).filter(|r| *r != Room::Labels) {
            join(*seen.entry((room, &definition.name)).or_insert(i), i);
        }
    }
    let at = |span: Span| definitions.iter().position(|d| d.span == span);
    for (one, other) in shared {
        if let (Some(one), Some(other)) = (at(*one), at(*other)) {
            join(one, other);
        }
    }
    for used in uses {
        for pair in used.definitions.windows(2) {
            join(pair[0].0, pair[1].0);
        }
    }
    (0..definitions.len())
        .map(|i| DefinitionId(root(&first, i)))
        .collect()
}
