//! Who sees what: the variables, the shown defs and the events of a game with their viewers, in words.

use super::Checker;
use super::elements::Elements;
use super::label::names;
use super::reveals::seen_by;
use crate::model::types::Type;
use crate::model::*;
use crate::text::sources::Sources;
use crate::text::span::Span;
use indexmap::IndexMap;
use serde::Serialize;

/// More sets of players than this are not told one by one.
const MOST_SETS: usize = 4;

/// Events by their place and kind, what happens there, and where it goes.
pub(super) type EventViews = IndexMap<(Span, u8, String, Option<String>), EventView>;

/// Something that is hidden from somebody, and those who see it, in words: `hand`, `its owner`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct HiddenThing {
    pub name: String,
    pub seen_by: String,
}

impl Checker<'_> {
    /// Notes who sees an event here.
    pub(super) fn on_view(
        &mut self,
        (kind, span): (SiteKind, Span),
        (name, to): (String, Option<String>),
        viewers: &Expr,
        case: EventCase,
    ) {
        let key = (span, kind as u8, name.clone(), to.clone());
        let event = self.events.entry(key).or_insert(EventView {
            kind,
            span,
            name,
            to,
            viewers: Viewers::of(viewers),
            cases: Vec::new(),
        });
        if !event.cases.contains(&case) {
            event.cases.push(case);
        }
    }

    /// A value that is chosen or drawn, and where it goes: `c` and `card[Ann]`.
    pub(super) fn part_name(&self, label: Option<&str>, part: &Part) -> (String, Option<String>) {
        let name = &self.d.local(part.local).name;
        let name = match label {
            // Which of several alternatives with this label it is.
            Some(label) if *name == format!("which {label}") => name.clone(),
            Some(label) => format!("{label} {name}"),
            None => name.clone(),
        };
        let to = part.into.as_ref().map(|place| self.plain_place(place));
        (name, to)
    }

    pub(super) fn plain_place(&self, place: &Place) -> String {
        self.show_place(place).trim_matches('`').to_string()
    }
}

/// Those who see an event, in words: `everybody`, `who chooses`, `Ann, or Ben`, `those in wolves`, `Ann, perhaps Ben`.
pub fn event_viewers(d: &Description, event: &EventView, sources: &Sources) -> String {
    let cases = &event.cases;
    let (mut certain, mut possible) = (d.everyone(), PlayerSet::EMPTY);
    for case in cases {
        certain &= case.certain;
        possible |= case.possible;
    }
    if certain == possible {
        return seen_by(d, certain);
    }
    let own = |c: &EventCase| {
        let chooser = c.chooser.map(PlayerSet::only);
        chooser == Some(c.certain) && c.certain == c.possible
    };
    if cases.iter().all(own) {
        return "who chooses".to_string();
    }
    let mut sets: Vec<PlayerSet> = Vec::new();
    for case in cases {
        if !sets.contains(&case.certain) {
            sets.push(case.certain);
        }
    }
    if cases.iter().all(|c| c.certain == c.possible) {
        let all = |n: usize| sets.iter().all(|set| set.len() == n);
        return match sets.len() <= MOST_SETS {
            true => {
                let words: Vec<String> = sets.iter().map(|set| seen_by(d, *set)).collect();
                words.join(", or ")
            }
            false if all(1) => format!("one of {}", names(d, possible)),
            false if all(d.player_count() - 1) => "all but one".to_string(),
            false => "some, now these and now those".to_string(),
        };
    }
    let members = event.viewers.words(event.span, sources);
    let perhaps = || format!("perhaps {}", names(d, possible - certain));
    let perhaps = members.unwrap_or_else(perhaps);
    match certain.is_empty() {
        true => perhaps,
        false => format!("{}, {perhaps}", names(d, certain)),
    }
}

/// What is hidden from somebody: variables, shown defs, and the choices and draws that go to no variable.
pub fn hidden(d: &Description, sources: &Sources) -> Vec<HiddenThing> {
    let mut found = Vec::new();
    let mut add = |name: &str, seen_by: String| {
        let thing = HiddenThing {
            name: name.to_string(),
            seen_by,
        };
        if !found.contains(&thing) {
            found.push(thing);
        }
    };
    for var in &d.vars {
        hidden_elements(d, var, &mut add);
    }
    for row in super::table(d) {
        if row.shown && row.viewers != d.everyone() {
            add(&row.name, row.seen_by);
        }
    }
    for event in &d.events {
        let whole = event.cases.iter().all(|c| c.certain == d.everyone());
        let value = matches!(event.kind, SiteKind::Choice | SiteKind::Draw);
        if value && !whole && event.to.is_none() {
            add(&event.name, event_viewers(d, event, sources));
        }
    }
    found
}

/// The elements of a variable that somebody does not see, together where one word says who does.
fn hidden_elements(d: &Description, var: &Var, add: &mut impl FnMut(&str, String)) {
    let everyone = d.everyone();
    let elements = Elements::of(d, var);
    if elements.masks.iter().all(|mask| *mask == everyone) {
        return;
    }
    if let Some(word) = owner(d, var, &elements) {
        return add(&var.name, word.to_string());
    }
    let mut groups: IndexMap<PlayerSet, Vec<String>> = IndexMap::new();
    for (name, mask) in elements.named(var) {
        if mask != everyone {
            groups.entry(mask).or_default().push(name);
        }
    }
    let open = elements.masks.contains(&everyone);
    if groups.len() > MOST_SETS || groups.values().any(|g| g.len() > MOST_SETS && open) {
        return add(&var.name, "in part some".to_string());
    }
    for (mask, elements) in &groups {
        match groups.len() == 1 && !open {
            true => add(&var.name, seen_by(d, *mask)),
            false => elements
                .iter()
                .for_each(|name| add(name, seen_by(d, *mask))),
        }
    }
}

/// The word for those who see an element that belongs to a player, if there is one.
fn owner(d: &Description, var: &Var, elements: &Elements) -> Option<&'static str> {
    let [(at, _)] = elements.dims.as_slice() else {
        return None;
    };
    if !matches!(var.indices[*at].ty, Type::Player(_)) {
        return None;
    }
    let team = |p: usize| d.teams.iter().find(|team| team.members.contains(p));
    let each = |viewers: &dyn Fn(usize) -> PlayerSet| {
        let masks = elements.masks.iter().enumerate();
        masks.into_iter().all(|(p, mask)| *mask == viewers(p))
    };
    if each(&PlayerSet::only) {
        return Some("its owner");
    }
    if each(&|p| d.everyone() - PlayerSet::only(p)) {
        return Some("all but its owner");
    }
    let members = |p| team(p).map_or(PlayerSet::only(p), |team| team.members);
    each(&members).then_some("its owner's team")
}
