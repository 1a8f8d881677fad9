//! The values of reveals and shown defs, in the words of the game.

use crate::machine::{Machine, Observation};
use crate::model::types::Type;
use crate::model::{ExprKind, SiteId};
use crate::text::sources::Sources;
use crate::text::span::Span;
use rustc_hash::FxHashMap;

/// The longest words of a rule that are quoted in full, in characters.
const LONGEST: usize = 60;

/// How the values of an event are named and typed, by the place where it happens.
#[derive(Debug, Default)]
pub struct EventTexts(FxHashMap<SiteId, Label>);

#[derive(Debug)]
struct Label {
    /// Of a shown def, or what is quoted of a reveal.
    name: Option<String>,
    /// Of a shown def: the types of its arguments, which come before the value.
    args: Vec<Type>,
    value: Type,
    /// Where the words of a reveal stand.
    span: Span,
}

impl EventTexts {
    /// Reveals have no names before they are quoted.
    pub fn new(machine: &Machine) -> EventTexts {
        let description = machine.description();
        let mut sites = FxHashMap::default();
        description.play.for_each_expr(|e| {
            if let ExprKind::Reveal { site, value, .. } = &e.kind {
                let label = Label {
                    name: None,
                    args: Vec::new(),
                    value: value.ty.clone(),
                    span: value.span,
                };
                sites.insert(*site, label);
            }
        });
        for def in &description.shown {
            let label = Label {
                name: Some(def.name.clone()),
                args: def.params.iter().map(|param| param.ty.clone()).collect(),
                value: def.body.ty.clone(),
                span: def.span,
            };
            sites.insert(def.site, label);
        }
        EventTexts(sites)
    }

    /// Gives a value that is revealed the words of the rule that reveals it for a name.
    pub fn quote(&mut self, sources: &Sources) {
        for label in self.0.values_mut().filter(|label| label.name.is_none()) {
            let (file, within) = sources.locate(label.span);
            let words = sources
                .files
                .get(file)
                .and_then(|f| f.text.get(within.range()));
            let words = words.map(|w| w.split_whitespace().collect::<Vec<_>>().join(" "));
            label.name = words.filter(|w| !w.is_empty()).map(clipped);
        }
    }

    /// The value of an observation, with its name if it has one: `held[Ben]` and `5`. `None` for choices, draws and the
    /// end, which show in other ways.
    pub fn read(&self, observation: &Observation) -> Option<(Option<String>, String)> {
        let label = self.0.get(&observation.site)?;
        let (args, value) = observation.values.split_at_checked(label.args.len())?;
        if !label.value.holds(value) {
            return None;
        }
        let of = std::iter::zip(&label.args, args);
        let of: String = of
            .map(|(ty, arg)| format!("[{}]", ty.show(*arg as i64)))
            .collect();
        let name = label.name.as_ref().map(|name| format!("{name}{of}"));
        Some((name, label.value.show_words(value)))
    }
}

fn clipped(words: String) -> String {
    if words.chars().count() <= LONGEST {
        return words;
    }
    words.chars().take(LONGEST).chain(['…']).collect()
}
