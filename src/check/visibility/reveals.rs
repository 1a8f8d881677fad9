//! What `ruse show --reveals` and the visibility table list: who is told what, on purpose.

use super::Checker;
use super::elements::Elements;
use super::label::names;
use crate::model::*;
use crate::text::sources::Sources;
use crate::text::span::Span;
use indexmap::IndexSet;
use serde::Serialize;
use std::collections::BTreeMap;

/// A place where somebody learns something that they could not work out. A place whose value is told now to some players
/// and now to others stands once for each of these.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RevealSite {
    pub span: Span,
    pub kind: SiteKind,
    /// Who learns it, over all the ways to get there.
    pub players: PlayerSet,
    /// To whom a value is revealed or shown, also to those who knew it.
    pub to: Option<PlayerSet>,
    /// In words: ``Bob learns something of `card[Alice]` ``.
    pub text: String,
}

/// Who sees one variable, or one element of it, or one shown def.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct VisibilityRow {
    /// With the indices that visibility depends on: `hand[Alice]`; other indices print as `…`.
    pub name: String,
    pub viewers: PlayerSet,
    /// In words: `Alice and Bob`, `everybody`, `nobody`.
    pub seen_by: String,
    /// True for a shown def.
    pub shown: bool,
}

/// A place, and to whom it tells something: `None` where it is no reveal and nothing shown.
pub(super) type ToldKey = (Span, u8, Option<PlayerSet>);

/// What is told at one place: of what, to each player who learns it.
#[derive(Debug)]
pub(super) struct Told {
    kind: SiteKind,
    /// Where it depends on play who is told.
    members: Option<Viewers>,
    of: BTreeMap<usize, IndexSet<String>>,
}

impl Checker<'_> {
    /// Notes that players learn something here. `to`: all who are told it.
    pub(super) fn told(
        &mut self,
        kind: SiteKind,
        span: Span,
        to: PlayerSet,
        who: PlayerSet,
        because: &[(usize, String)],
    ) {
        let to = matches!(kind, SiteKind::Reveal | SiteKind::Shown).then_some(to);
        let entry = self.told.entry((span, kind as u8, to)).or_insert(Told {
            kind,
            members: None,
            of: BTreeMap::new(),
        });
        for p in who {
            let texts = because.iter().filter(|(q, _)| *q == p);
            let of = entry.of.entry(p).or_default();
            of.extend(texts.map(|(_, text)| text.clone()));
        }
    }

    /// What was just said to be told is told to some of those, as play has it.
    pub(super) fn told_to_members(&mut self, span: Span, to: PlayerSet, viewers: &Expr) {
        let key = (span, SiteKind::Reveal as u8, Some(to));
        if let Some(told) = self.told.get_mut(&key) {
            told.members = Some(Viewers::of(viewers));
        }
    }
}

/// Every place where somebody learns something that they could not compute, in the order of the text: values revealed to
/// players who did not know them, shown defs over hidden variables, draws and choices from options that a viewer did not know.
pub fn reveals(d: &Description, sources: &Sources) -> Vec<RevealSite> {
    let mut checker = Checker::new(d);
    checker.run();
    let mut list: Vec<RevealSite> = checker
        .told
        .iter()
        .map(|(&(span, _, to), told)| RevealSite {
            span,
            kind: told.kind,
            players: told.of.keys().copied().collect(),
            to,
            text: describe(d, (span, to), told, sources),
        })
        .collect();
    list.sort_by_key(|site| site.span);
    list
}

/// More groups of players than this, of whom each learns something else, are told as one.
const MOST_GROUPS: usize = 4;
/// The most things that are named for one group.
const MOST_NAMED: usize = 4;

fn describe(
    d: &Description,
    (span, to): (Span, Option<PlayerSet>),
    told: &Told,
    sources: &Sources,
) -> String {
    if let Some(members) = told.members.and_then(|m| m.words(span, sources)) {
        let of = told.of.values().flatten().cloned().collect();
        let learn = if told.members.is_some_and(|m| m.one) {
            "learns"
        } else {
            "learn"
        };
        return format!("{members} {learn} {} from what is revealed", something(&of));
    }
    let mut groups: Vec<(PlayerSet, IndexSet<String>)> = Vec::new();
    for (&p, of) in &told.of {
        match groups.iter_mut().find(|(_, other)| other == of) {
            Some((players, _)) => players.insert(p),
            None => groups.push((PlayerSet::only(p), of.clone())),
        }
    }
    if groups.len() > MOST_GROUPS {
        let players = told.of.keys().copied().collect();
        let of = told.of.values().flatten().cloned().collect();
        groups = vec![(players, of)];
    }
    let groups: Vec<String> = groups
        .iter()
        .enumerate()
        .map(|(i, (players, of))| {
            let who = names(d, *players);
            let learn = match players.len() > 1 && who != "everybody" {
                _ if i > 0 => "",
                true => " learn",
                false => " learns",
            };
            format!("{who}{learn} {}", something(of))
        })
        .collect();
    let how = match told.kind {
        SiteKind::Reveal => "from what is revealed",
        SiteKind::Shown => "from what is shown",
        SiteKind::Draw => "from what is drawn",
        SiteKind::Deal => "from what is dealt",
        SiteKind::Choice => "from what was open to choose",
        SiteKind::End => "from the end",
    };
    let to = to.map_or(String::new(), |to| format!(" to {}", seen_by(d, to)));
    format!("{} {how}{to}", groups.join(", "))
}

/// ``something of `card` ``.
fn something(of: &IndexSet<String>) -> String {
    if of.is_empty() {
        return "something hidden".to_string();
    }
    let mut list: Vec<&str> = of.iter().map(String::as_str).take(MOST_NAMED).collect();
    if of.len() > MOST_NAMED {
        list.push("…");
    }
    format!("something of {}", list.join(" and "))
}

/// Who sees each variable, element by element where that makes a difference, then the shown defs.
pub fn table(d: &Description) -> Vec<VisibilityRow> {
    let mut rows = Vec::new();
    for var in &d.vars {
        variable_rows(d, var, &mut rows);
    }
    let mut checker = Checker::new(d);
    for def in &d.shown {
        checker.shown_rows(def, &mut rows);
    }
    rows
}

fn variable_rows(d: &Description, var: &Var, rows: &mut Vec<VisibilityRow>) {
    for (name, viewers) in Elements::of(d, var).named(var) {
        rows.push(VisibilityRow {
            name,
            viewers,
            seen_by: seen_by(d, viewers),
            shown: false,
        });
    }
}

impl Checker<'_> {
    fn shown_rows(&mut self, def: &ShownDef, rows: &mut Vec<VisibilityRow>) {
        let mut row = |d: &Description, name: String, viewers: PlayerSet| {
            rows.push(VisibilityRow {
                name,
                viewers,
                seen_by: seen_by(d, viewers),
                shown: true,
            });
        };
        let d = self.d;
        let depends = def
            .params
            .iter()
            .position(|param| def.viewers.reads_local(param.local));
        let values = depends.and_then(|i| self.instances(&def.params[i].ty, None));
        let (Some(i), Some(values)) = (depends, values) else {
            let (must, _) = self.viewers(&def.viewers);
            row(d, def.name.clone(), must);
            return;
        };
        let Index { local, ty } = &def.params[i];
        for v in values {
            self.values.insert(*local, vec![v]);
            let (must, _) = self.viewers(&def.viewers);
            row(d, format!("{}({})", def.name, ty.show(v as i64)), must);
        }
    }
}

/// In words: `Ann and Ben`, `everybody`, `nobody`.
pub(super) fn seen_by(d: &Description, viewers: PlayerSet) -> String {
    if viewers == d.everyone() {
        return "everybody".into();
    }
    names(d, viewers)
}
