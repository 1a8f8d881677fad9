//! The values of reveals and shown defs, in the words of the game.

use crate::machine::{Machine, Observation};
use crate::model::evaluate::evaluate;
use crate::model::types::Type;
use crate::model::{Expr, ExprKind, LocalId, Place, PlayerSet, SiteId, StmtKind, StoreOp};
use crate::text::sources::Sources;
use crate::text::span::Span;
use rustc_hash::FxHashMap;

/// The longest words of a rule that are quoted in full, in characters.
const LONGEST: usize = 60;

/// How the values of an event are named and typed, by the place where it happens, and where draws go.
#[derive(Debug, Default)]
pub struct EventTexts {
    labels: FxHashMap<SiteId, Label>,
    drawn_into: FxHashMap<SiteId, DrawnInto>,
}

/// Where a draw or a deal goes.
#[derive(Debug, Default)]
pub(super) struct DrawnInto {
    /// The names of the variables.
    pub vars: Vec<String>,
    /// Whether a value goes into none.
    pub in_part: bool,
}

#[derive(Debug)]
struct Label {
    /// Of a shown def, or what is quoted of a reveal.
    name: Option<String>,
    /// Of a shown def: the types of its arguments, which come before the value.
    args: Vec<Type>,
    /// Of a shown def: who sees it, by its arguments.
    viewers: Option<(Vec<LocalId>, Expr)>,
    value: Type,
    /// Of a reveal of a formula: what the rule calls it that stores it.
    bound: Option<String>,
    /// Of a reveal: where it stands, and its viewers.
    spans: (Span, Span),
}

impl EventTexts {
    /// Reveals have no names before they are quoted.
    pub fn new(machine: &Machine) -> EventTexts {
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
                    name: None,
                    args: Vec::new(),
                    viewers: None,
                    value: value.ty.clone(),
                    bound: None,
                    spans: (e.span, viewers.span),
                };
                sites.insert(*site, label);
            }
        });
        let mut drawn_into: FxHashMap<SiteId, DrawnInto> = FxHashMap::default();
        let mut goes_into = |site: SiteId, place: Option<&Place>| {
            let into = drawn_into.entry(site).or_default();
            match place {
                Some(place) => into.vars.push(description.var(place.var).name.clone()),
                None => into.in_part = true,
            }
        };
        // What one element of an array is stored from, which has no name of its own.
        let mut unnamed: FxHashMap<LocalId, &Expr> = FxHashMap::default();
        description.play.for_each_stmt(|s| {
            match &s.kind {
                StmtKind::Draw(draw) => {
                    let places = draw.parts.iter().map(|part| part.into.as_ref());
                    places.for_each(|place| goes_into(draw.site, place));
                }
                StmtKind::Deal(deal) => goes_into(deal.site, Some(&deal.to)),
                _ => {}
            }
            let (name, value) = match &s.kind {
                // What is added to or taken away is not what the variable holds then.
                StmtKind::Store {
                    place,
                    op: StoreOp::Set,
                    value,
                } => (&description.var(place.var).name, value),
                StmtKind::Let { local, value } => (&description.local(*local).name, value),
                _ => return,
            };
            if let (StmtKind::Let { local, value }, "") = (&s.kind, name.as_str()) {
                unnamed.insert(*local, value);
                return;
            }
            let value = match &value.uncast().kind {
                ExprKind::Local(local) => unnamed.get(local).copied().unwrap_or(value),
                _ => value,
            };
            let value = value.uncast();
            if let ExprKind::Reveal { site, value, .. } = &value.kind
                && !matches!(value.kind, ExprKind::Var { .. } | ExprKind::Local(_))
                && let Some(label) = sites.get_mut(site)
            {
                label.bound = Some(name.clone());
            }
        });
        for def in &description.shown {
            let label = Label {
                name: Some(def.name.clone()),
                args: def.params.iter().map(|param| param.ty.clone()).collect(),
                viewers: Some((
                    def.params.iter().map(|param| param.local).collect(),
                    def.viewers.clone(),
                )),
                value: def.body.ty.clone(),
                bound: None,
                spans: (def.span, def.span),
            };
            sites.insert(def.site, label);
        }
        EventTexts {
            labels: sites,
            drawn_into,
        }
    }

    /// Where a draw or a deal goes.
    pub(super) fn drawn_into(&self, site: SiteId) -> Option<&DrawnInto> {
        self.drawn_into.get(&site)
    }

    /// Gives a value that is revealed the words of the rule that reveals it for a name.
    pub fn quote(&mut self, sources: &Sources) {
        for label in self
            .labels
            .values_mut()
            .filter(|label| label.name.is_none())
        {
            let (whole, viewers) = label.spans;
            let words = revealed(sources, whole, viewers);
            label.name = (!words.is_empty()).then_some(words);
        }
    }

    /// The same for people: a formula has the name under which it is stored, if it is.
    pub fn call(&mut self, sources: &Sources) {
        for label in self
            .labels
            .values_mut()
            .filter(|label| label.name.is_none())
        {
            label.name = label.bound.take();
        }
        self.quote(sources);
    }

    /// Of a shown value: who sees that shown def, at the latest with what comes next. `None` for all other events.
    pub fn shown_to(&self, observation: &Observation) -> Option<PlayerSet> {
        let (params, viewers) = self.labels.get(&observation.site)?.viewers.as_ref()?;
        let args = std::iter::zip(params, &observation.values);
        let args = args.map(|(local, arg)| (*local, vec![*arg])).collect();
        let viewers = evaluate(viewers, &args)?;
        Some(PlayerSet::from_words(&viewers))
    }

    /// The value of an observation, with its name if it has one: `held[Ben]` and `5`. `None` for choices, draws and the
    /// end, which show in other ways.
    pub fn read(&self, observation: &Observation) -> Option<(Option<String>, String)> {
        let label = self.labels.get(&observation.site)?;
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

/// What stands in the brackets of a `reveal`, but for its viewers.
pub fn revealed(sources: &Sources, whole: Span, viewers: Span) -> String {
    let (number, at) = sources.locate(whole);
    let text = sources.files.get(number).map_or("", |f| f.text.as_str());
    let (_, viewers) = sources.locate(viewers);
    let piece = text.get(at.range()).unwrap_or_default();
    // Brackets around the whole belong to it.
    let Some(start) = piece
        .find("reveal")
        .and_then(|word| Some(word + piece.get(word..)?.find('(')? + 1))
    else {
        return String::new();
    };
    let inside = piece.get(start..).unwrap_or_default();
    let inside = inside.get(..closing(inside)).unwrap_or_default();
    let from = at.start as usize + start;
    let told = (viewers.start as usize)
        .checked_sub(from)
        .and_then(|end| inside.get(..end));
    let mut words: Vec<&str> = told.unwrap_or(inside).split_whitespace().collect();
    if told.is_some() && words.last() == Some(&"to") {
        words.pop();
    }
    let words = words.join(" ");
    if words.chars().count() <= LONGEST {
        return words;
    }
    let cut: String = words.chars().take(LONGEST - 1).collect();
    format!("{cut}…")
}

/// Where the bracket closes that is open before a text; its end where none does.
fn closing(text: &str) -> usize {
    let mut open = 1_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => open += 1,
            ')' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return at;
        }
    }
    text.len()
}
