//! What `ruse show --reveals` and the visibility table list: who is told what, on purpose.

use super::Checker;
use super::elements::Elements;
use super::label::names;
use crate::model::*;
use crate::text::span::Span;
use indexmap::IndexMap;
use serde::Serialize;

/// A place where somebody learns something that they could not work out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RevealSite {
    pub span: Span,
    pub kind: SiteKind,
    /// Who learns it, over all the ways to get there.
    pub players: PlayerSet,
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

/// What is told at one place: to whom, and of what.
#[derive(Debug)]
pub(super) struct Told {
    kind: SiteKind,
    players: PlayerSet,
    of: IndexMap<String, PlayerSet>,
}

impl Checker<'_> {
    /// Notes that players learn something here.
    pub(super) fn told(
        &mut self,
        kind: SiteKind,
        span: Span,
        who: PlayerSet,
        because: &Vec<(usize, String)>,
    ) {
        let entry = self.told.entry((kind as u8, span)).or_insert(Told {
            kind,
            players: PlayerSet::EMPTY,
            of: IndexMap::new(),
        });
        entry.players |= who;
        for (p, text) in because {
            if who.contains(*p) {
                entry.of.entry(text.clone()).or_default().insert(*p);
            }
        }
    }
}

/// Every place where somebody learns something that they could not compute, in the order of the text: values revealed to
/// players who did not know them, shown defs over hidden variables, draws and choices from options that a viewer did not know.
pub fn reveals(d: &Description) -> Vec<RevealSite> {
    let mut checker = Checker::new(d);
    checker.run();
    let mut list: Vec<RevealSite> = checker
        .told
        .iter()
        .map(|(&(_, span), told)| RevealSite {
            span,
            kind: told.kind,
            players: told.players,
            text: describe(d, told.kind, told),
        })
        .collect();
    list.sort_by_key(|site| site.span);
    list
}

fn describe(d: &Description, kind: SiteKind, told: &Told) -> String {
    let who = names(d, told.players);
    let learns = if told.players.len() > 1 && who != "everybody" {
        "learn"
    } else {
        "learns"
    };
    let of = match told.of.len() {
        0 => "something hidden".to_string(),
        n => {
            let mut list: Vec<&str> = told.of.keys().map(String::as_str).take(4).collect();
            if n > 4 {
                list.push("…");
            }
            format!("something of {}", list.join(", "))
        }
    };
    let how = match kind {
        SiteKind::Reveal => "from what is revealed",
        SiteKind::Shown => "from what is shown",
        SiteKind::Draw => "from what is drawn",
        SiteKind::Deal => "from what is dealt",
        SiteKind::Choice => "from what was open to choose",
        SiteKind::End => "from the end",
    };
    format!("{who} {learns} {of} {how}")
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
    let elements = Elements::of(d, var);
    let mut row = |name: String, viewers: PlayerSet| {
        rows.push(VisibilityRow {
            name,
            viewers,
            seen_by: seen_by(d, viewers),
            shown: false,
        });
    };
    if elements.uniform() {
        let viewers = elements.masks.first().copied().unwrap_or_default();
        row(var.name.clone(), viewers);
        return;
    }
    let last = elements.dims.last().map_or(0, |(i, _)| *i);
    for (k, &viewers) in elements.masks.iter().enumerate() {
        let mut rest = k as u64;
        let mut shown: IndexMap<usize, u64> = IndexMap::new();
        for &(i, size) in elements.dims.iter().rev() {
            shown.insert(i, rest % size);
            rest /= size;
        }
        let mut name = var.name.clone();
        for (i, Index { ty, .. }) in var.indices.iter().enumerate().take(last + 1) {
            match shown.get(&i) {
                Some(&ordinal) => name.push_str(&format!("[{}]", ty.show(ty.value_at(ordinal)))),
                None => name.push_str("[…]"),
            }
        }
        row(name, viewers);
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

fn seen_by(d: &Description, viewers: PlayerSet) -> String {
    if viewers == d.everyone() {
        return "everybody".into();
    }
    names(d, viewers)
}
