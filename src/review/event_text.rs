//! The texts of reveals and shown defs, in the words of the game.

use crate::machine::{Event, Machine};
use crate::model::types::Type;
use crate::model::{ExprKind, PlayerSet, SiteId};
use crate::text::sources::Sources;
use crate::text::span::Span;
use rustc_hash::FxHashMap;

/// The longest piece of a game's text that names a reveal, in characters.
const LONGEST: usize = 60;

/// How the values of an event are named and typed, by the place where it happens.
#[derive(Debug, Default)]
pub struct EventTexts {
    sites: FxHashMap<SiteId, Label>,
}

#[derive(Debug)]
struct Label {
    name: String,
    /// Of a shown def: those of its arguments, which come before the value.
    args: Vec<Type>,
    value: Type,
}

impl EventTexts {
    pub fn new(machine: &Machine, sources: &Sources) -> EventTexts {
        let description = machine.description();
        let mut sites = FxHashMap::default();
        description.play.for_each_expr(|e| {
            if let ExprKind::Reveal {
                site,
                value,
                viewers,
            } = &e.kind
            {
                let label = Label {
                    name: revealed(sources, e.span, viewers.span),
                    args: Vec::new(),
                    value: value.ty.clone(),
                };
                sites.insert(*site, label);
            }
        });
        for def in &description.shown {
            let label = Label {
                name: def.name.clone(),
                args: def.params.iter().map(|param| param.ty.clone()).collect(),
                value: def.body.ty.clone(),
            };
            sites.insert(def.site, label);
        }
        EventTexts { sites }
    }

    /// The text of an event and who sees it: `guard == thief: false`. `None` for choices, draws and the end, which show in
    /// other ways.
    pub fn line(&self, event: &Event<'_>) -> Option<(PlayerSet, String)> {
        let label = self.sites.get(&event.site)?;
        let (args, value) = event.values.split_at_checked(label.args.len())?;
        let mut name = label.name.clone();
        for (ty, arg) in label.args.iter().zip(args) {
            name.push_str(&format!("[{}]", ty.show(*arg as i64)));
        }
        let value = label.value.show_words(value);
        Some((event.viewers, format!("{name}: {value}")))
    }
}

/// What stands in the brackets of a `reveal`, but for its viewers.
pub(super) fn revealed(sources: &Sources, whole: Span, viewers: Span) -> String {
    let (number, at) = sources.locate(whole);
    let text = sources.files.get(number).map_or("", |f| f.text.as_str());
    let (_, viewers) = sources.locate(viewers);
    let end = if at.start < viewers.start && viewers.end < at.end {
        viewers.start
    } else {
        at.end
    };
    let piece = text
        .get(at.start as usize..end as usize)
        .unwrap_or_default();
    let piece = piece.trim_start_matches("reveal").trim_start();
    let piece = piece.strip_prefix('(').unwrap_or(piece).trim_end();
    let piece = match end == at.end {
        true => piece.strip_suffix(')').unwrap_or(piece),
        false => piece.strip_suffix(" to").unwrap_or(piece),
    };
    let words: Vec<&str> = piece.split_whitespace().collect();
    let words = words.join(" ");
    if words.chars().count() <= LONGEST {
        return words;
    }
    let cut: String = words.chars().take(LONGEST - 1).collect();
    format!("{cut}…")
}
