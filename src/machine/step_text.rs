//! A step of a game in words: all of it, or what one player learns of it.

use super::{Action, Machine, Observation, State, Turn, View};
use crate::model::types::Type;
use crate::model::{ExprKind, PlayerSet, SiteId};
use crate::text::sources::Sources;
use crate::text::span::Span;
use indexmap::IndexMap;
use rustc_hash::FxHashMap;

/// A step that was taken: a choice of everybody who chose at once, or a draw.
pub struct Transition<'a> {
    /// The number of the step in its game, from 1.
    pub ply: usize,
    pub before: &'a State,
    pub after: &'a State,
    /// One for each player to move, in seating order, or the outcome.
    pub actions: &'a [Action],
    /// Every event with those who see it, in order.
    pub events: &'a [(PlayerSet, Observation)],
}

/// A step in words.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct StepText {
    /// The choices or the draw; what may not be seen of one prints as `·`.
    pub moves: Vec<MoveText>,
    /// The values that were revealed or shown, with the name of what was shown.
    pub revealed: Vec<(Option<String>, String)>,
    /// The shown values that are other than before, with whose they are: `held[Ben]`.
    pub shown: Vec<(String, String)>,
    /// The variables that have another value afterwards, with it.
    pub changes: Vec<(String, String)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MoveText {
    /// Nobody in a draw.
    pub by: Option<String>,
    pub text: String,
}

/// What a viewer learns of a step; `None` where that is nothing. Without a viewer the whole of it.
pub fn step_text(
    machine: &Machine,
    step: &Transition<'_>,
    viewer: Option<usize>,
) -> Option<StepText> {
    let changes = match viewer {
        Some(v) => changes(&machine.view(step.before, v), &machine.view(step.after, v)),
        None => changes(
            &machine.whole_view(step.before),
            &machine.whole_view(step.after),
        ),
    };
    let sees = |who: PlayerSet| viewer.is_none_or(|v| who.contains(v));
    let seen = step.events.iter().any(|(who, _)| sees(*who));
    if viewer.is_some() && !seen && changes.is_empty() {
        return None;
    }
    Some(StepText {
        moves: moves(machine, step, viewer),
        revealed: Vec::new(),
        shown: Vec::new(),
        changes,
    })
}

/// The choices or the draw, as far as the viewer learns of them.
fn moves(machine: &Machine, step: &Transition<'_>, viewer: Option<usize>) -> Vec<MoveText> {
    let learns = |chooser: Option<u8>| {
        let Some(viewer) = viewer else { return true };
        let sees = |who: PlayerSet| who.contains(viewer);
        step.events
            .iter()
            .any(|(who, event)| event.chooser == chooser && sees(*who))
    };
    let shown = |chooser: Option<usize>, action: &Action| {
        let text = match chooser {
            Some(p) => machine.action_text(step.before, p, action, viewer),
            None => machine.outcome_text(step.before, action, viewer),
        };
        // A draw that shows nothing of itself is none for the viewer, though something else may have come of it.
        let blank = chooser.is_none() && text == "·";
        (learns(chooser.map(|p| p as u8)) && !blank).then(|| MoveText {
            by: chooser.map(|p| machine.player_name(p).to_string()),
            text,
        })
    };
    let Turn::Decision(mask) = machine.turn(step.before) else {
        return step.actions.iter().filter_map(|a| shown(None, a)).collect();
    };
    let movers = mask.iter();
    let moves = movers.zip(step.actions);
    moves
        .filter_map(|(p, action)| shown(Some(p), action))
        .collect()
}

fn changes(before: &View, after: &View) -> Vec<(String, String)> {
    let old: IndexMap<&str, &str> = before
        .entries
        .iter()
        .map(|e| (e.name.as_str(), e.value.as_str()))
        .collect();
    let new = after.entries.iter();
    let new = new.filter(|e| old.get(e.name.as_str()) != Some(&e.value.as_str()));
    new.map(|e| (e.name.clone(), e.value.clone())).collect()
}

fn clipped(words: String) -> String {
    if words.chars().count() <= LONGEST_QUOTE {
        return words;
    }
    words.chars().take(LONGEST_QUOTE).chain(['…']).collect()
}

/// How what is revealed or shown reads: by its place in the text of the game.
pub struct Reveals(FxHashMap<SiteId, (Option<String>, Type, Span)>);

/// The longest words of a rule that are quoted, in characters.
const LONGEST_QUOTE: usize = 60;

impl Reveals {
    pub fn new(machine: &Machine) -> Reveals {
        let description = machine.description();
        let mut sites = FxHashMap::default();
        description.play.for_each_expr(|e| {
            if let ExprKind::Reveal { site, value, .. } = &e.kind {
                sites.insert(*site, (None, value.ty.clone(), value.span));
            }
        });
        for def in &description.shown {
            let named = Some(def.name.clone());
            sites.insert(def.site, (named, def.body.ty.clone(), def.span));
        }
        Reveals(sites)
    }

    /// Gives a value that is revealed the words of the rule that reveals it for a name.
    pub fn quote(&mut self, sources: &Sources) {
        for (name, _, span) in self.0.values_mut().filter(|(name, ..)| name.is_none()) {
            let (file, within) = sources.locate(*span);
            let words = sources
                .files
                .get(file)
                .and_then(|f| f.text.get(within.range()));
            let words = words.map(|w| w.split_whitespace().collect::<Vec<_>>().join(" "));
            *name = words.filter(|w| !w.is_empty()).map(clipped);
        }
    }

    /// The value of an observation, with its name if it has one; `None` for choices, draws and deals.
    pub fn read(&self, observation: &Observation) -> Option<(Option<String>, String)> {
        let (name, ty, _) = self.0.get(&observation.site)?;
        let values = &observation.values;
        // The arguments of a shown def stand before its value.
        let value = &values[values.len().checked_sub(ty.words())?..];
        ty.holds(value)
            .then(|| (name.clone(), ty.show_words(value)))
    }
}
