//! Accidents: sound games in which a word about who sees what seems to be missing, or to be one too many. Notes, and no
//! more: what was meant, nobody but the author knows.

use super::elements::Elements;
use super::flow::Clock;
use super::label::names;
use super::{Checker, codes};
use crate::model::types::Type;
use crate::model::*;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;
use indexmap::IndexMap;
use rustc_hash::{FxHashMap, FxHashSet};

/// What the walk comes upon that bears on accidents.
#[derive(Debug, Default)]
pub(super) struct Accidents {
    /// The reveals, and whether somebody may learn something by each.
    reveals: IndexMap<Span, bool>,
    /// The variables that are stored to: whose values everybody has to know so that all that is stored is known, or `None` where
    /// something is not.
    open: IndexMap<VarId, Option<FxHashSet<VarId>>>,
    /// Where what everybody saw chosen or drawn goes to a variable, by the place of the store.
    copies: IndexMap<Span, (VarId, LocalId, StoreOp)>,
    /// The values that are chosen from what not everybody sees.
    from_hidden: FxHashSet<LocalId>,
    /// From which variable to which something is drawn, dealt or stored, and where.
    moves: IndexMap<(VarId, VarId), Span>,
    /// The variables from which values are drawn.
    origins: FxHashMap<LocalId, VarId>,
    /// Values of choices and draws in a text: those who see the value, and the holes that mention it.
    mentions: IndexMap<LocalId, Mention>,
    /// Texts of reveals: those who are told something that they did not know, and the holes that mention it.
    said: IndexMap<Span, Mention>,
}

#[derive(Debug)]
struct Mention {
    seen: PlayerSet,
    holes: Vec<usize>,
    /// Of the text of a reveal the holes that say which text it is. Who could not know one reads what is revealed, and no text.
    conditions: Vec<usize>,
    span: Span,
    drawn: bool,
}

impl Checker<'_> {
    /// A reveal to some players, of whom these learn something.
    pub(super) fn note_reveal(&mut self, span: Span, viewers: PlayerSet, told: PlayerSet) {
        // Who has missed a move learns that it has passed.
        let clocks = &self.flow.clocks;
        let missed = viewers.iter().any(|p| clocks[p] != Clock::Clean);
        let news = self.accidents.reveals.entry(span).or_default();
        *news |= missed || !told.is_empty();
    }

    /// A store of something; `known`: those who know what, where and whether. What was revealed to some and is kept for
    /// them is a secret of theirs, even where the others know what they were told; and so is what goes on with moves that
    /// others do not notice.
    pub(super) fn note_store(&mut self, place: &Place, value: Option<&Expr>, known: PlayerSet) {
        if self.d.var(place.var).note {
            return;
        }
        let everyone = self.everyone;
        let (_, viewers, _) = self.place_viewers(place);
        let mut others = (everyone - viewers).iter();
        let missed = others.any(|p| self.flow.clocks[p] != Clock::Clean);
        let private = missed || value.is_some_and(|e| self.told_to_some(e));
        let sources = match known.contains_all(everyone) {
            _ if private => None,
            true => Some(Vec::new()),
            false => self.sources(place, value),
        };
        let open = self.accidents.open.entry(place.var);
        let open = open.or_insert_with(|| Some(FxHashSet::default()));
        match (&mut *open, sources) {
            (Some(all), Some(sources)) => all.extend(sources),
            _ => *open = None,
        }
    }

    /// The variables whose values make what is stored unknown to somebody; `None` where something else does, too.
    fn sources(&mut self, place: &Place, value: Option<&Expr>) -> Option<Vec<VarId>> {
        let (_, _, indices) = self.place_viewers(place);
        if !(indices & self.pc()).contains_all(self.everyone) {
            return None;
        }
        let (mut vars, mut open) = (Vec::new(), true);
        value?.for_each(|e| match &e.kind {
            ExprKind::Var { var, .. } => vars.push(*var),
            ExprKind::Local(local) => {
                let bound = self.bound.get(local);
                open &= bound.is_none_or(|bound| bound.clean.sure.contains_all(self.everyone));
            }
            _ => {}
        });
        open.then_some(vars)
    }

    /// Whether something in an expression is revealed to some players only.
    fn told_to_some(&mut self, e: &Expr) -> bool {
        let mut found = Vec::new();
        e.for_each(|e| {
            if let ExprKind::Reveal { viewers, .. } | ExprKind::Told { viewers, .. } = &e.kind {
                found.push(viewers);
            }
        });
        let everyone = self.everyone;
        found
            .iter()
            .any(|viewers| self.viewers(viewers).0 != everyone)
    }

    /// `place = value`, `place += value`, where the value may be one that was chosen or drawn.
    pub(super) fn note_value(&mut self, place: &Place, op: StoreOp, value: &Expr) {
        match &value.uncast().kind {
            ExprKind::SetOf(elements) => {
                if let [one] = &elements[..]
                    && let ExprKind::Local(local) = one.uncast().kind
                    && op == StoreOp::Add
                    && self.accidents.from_hidden.contains(&local)
                {
                    self.note_copy(place, op, (local, one));
                }
            }
            ExprKind::Local(local) => {
                if op == StoreOp::Set && self.accidents.mentions_part(*local) {
                    self.note_copy(place, op, (*local, value));
                }
                if let Some(&from) = self.accidents.origins.get(local) {
                    self.note_move(from, place.var, place.span);
                }
            }
            ExprKind::Var { var, .. } => self.note_move(*var, place.var, place.span),
            _ => {}
        }
    }

    /// What has been chosen or drawn goes to a place: an accident if everybody knows it, and not everybody sees the place.
    fn note_copy(&mut self, place: &Place, op: StoreOp, (local, value): (LocalId, &Expr)) {
        let (_, viewers, _) = self.place_viewers(place);
        let public = self.label(value) & self.pc();
        if public == self.everyone && !viewers.contains_all(self.everyone) {
            let copy = (place.var, local, op);
            self.accidents.copies.entry(place.span).or_insert(copy);
        }
    }

    pub(super) fn note_move(&mut self, from: VarId, to: VarId, span: Span) {
        self.accidents.moves.entry((from, to)).or_insert(span);
    }

    /// A value that is chosen or drawn, and those who certainly see it.
    pub(super) fn note_part(
        &mut self,
        part: &Part,
        text: Option<&Text>,
        seen: PlayerSet,
        drawn: bool,
    ) {
        let from = origin(&part.domain);
        let hides = |var: VarId| {
            let masks = &self.elements[var.0 as usize].masks;
            masks.iter().any(|mask| *mask != self.everyone)
        };
        if !drawn && from.is_some_and(hides) {
            self.accidents.from_hidden.insert(part.local);
        }
        if drawn && let Some(from) = from {
            self.accidents.origins.insert(part.local, from);
            if let Some(into) = &part.into {
                self.note_move(from, into.var, into.span);
            }
        }
        let mut holes = Vec::new();
        for hole in text.iter().flat_map(|text| text.holes()) {
            if hole.value.reads_local(part.local) {
                holes.push(hole.number);
            }
        }
        let texted = text.is_some();
        let mention = self
            .accidents
            .mentions
            .entry(part.local)
            .or_insert(Mention {
                seen: PlayerSet::EMPTY,
                holes,
                conditions: Vec::new(),
                span: part.span,
                drawn: drawn && texted,
            });
        mention.seen |= seen;
    }

    /// The text of a reveal, by which these learn something.
    pub(super) fn note_said(&mut self, span: Span, text: &Text, told: PlayerSet) {
        let says = |e: &Expr| matches!(e.kind, ExprKind::Told { .. });
        let holes = text.holes().filter(|hole| hole.value.any(says));
        let holes = holes.map(|hole| hole.number).collect();
        let conditions = text.holes().filter(|hole| text.is_condition(hole));
        let conditions = conditions.map(|hole| hole.number).collect();
        let said = &mut self.accidents.said;
        let mention = said.entry(span).or_insert(Mention {
            seen: PlayerSet::EMPTY,
            holes,
            conditions,
            span,
            drawn: false,
        });
        mention.seen |= told;
    }

    /// The notes, once all of play has been walked. A game with errors has enough to tell.
    pub(super) fn note_accidents(&mut self) {
        let found = std::mem::take(&mut self.accidents);
        if self.found.values().any(Diagnostic::is_error) {
            return;
        }
        let (d, everyone) = (self.d, self.everyone);
        let open = |var: &Var| {
            let elements = Elements::of(d, var);
            elements.masks.iter().all(|mask| *mask == everyone)
        };
        let open: Vec<bool> = d.vars.iter().map(open).collect();
        let is_open = |id: VarId| open[id.0 as usize];
        // Under other values of the params something may be hidden.
        let mut vars = std::iter::zip(&d.vars, &open);
        let by_params = vars.any(|(var, open)| *open && var.says_who_sees());
        let reveals = found.reveals.iter().filter(|(_, news)| !**news);
        let mut notes: Vec<Diagnostic> = Vec::new();
        if !by_params {
            notes.extend(reveals.map(|(span, _)| no_news(*span)));
        }
        let copies = found.copies.iter();
        notes.extend(copies.map(|(span, copy)| open_copy(d, *span, *copy)));
        // What everybody knows because it comes from an open place, or goes there, may be the open place's mistake.
        let mut given_away = Vec::new();
        for ((from, to), span) in &found.moves {
            let (closed, shown) = match (is_open(*from), is_open(*to)) {
                (false, true) => (*from, d.var(*to)),
                (true, false) => (*to, d.var(*from)),
                _ => continue,
            };
            let hidden = d.var(closed);
            let mut indices = shown.indices.iter();
            let of_players = indices.any(|index| matches!(index.ty, Type::Player(_)));
            if of_players && !shown.says_who_sees() && kind(&hidden.ty) == kind(&shown.ty) {
                notes.push(open_among_hidden(shown, hidden, *span));
                given_away.push(closed);
            }
        }
        let known = found.known();
        for &var in found.open.keys() {
            let known = known.contains(&var);
            let copied = found.copies.values().any(|(to, ..)| *to == var);
            if known && !is_open(var) && !copied && !given_away.contains(&var) {
                notes.push(hides_nothing(d.var(var)));
            }
        }
        let mentions = found.mentions.iter();
        notes.extend(mentions.filter_map(|(local, mention)| self.text_hides(*local, mention)));
        notes.extend(found.said.values().filter_map(|m| self.said_hides(m)));
        for note in notes {
            self.report(note);
        }
    }

    /// Those who see what a text does not say to them, if there are any.
    fn not_said_to(&self, mention: &Mention) -> Option<PlayerSet> {
        let knows = |hole: &usize, p| self.holes[*hole].is_some_and(|known| known.contains(p));
        let says = |p: usize| {
            let no_text = mention.conditions.iter().any(|hole| !knows(hole, p));
            no_text || mention.holes.iter().any(|hole| knows(hole, p))
        };
        let blind: PlayerSet = mention.seen.iter().filter(|p| !says(*p)).collect();
        (!blind.is_empty()).then_some(blind)
    }

    /// The note about a text of a reveal that does not say what is revealed.
    fn said_hides(&self, mention: &Mention) -> Option<Diagnostic> {
        let blind = self.not_said_to(mention)?;
        let who = names(self.d, blind);
        let (are, them) = match blind.len() > 1 {
            true if who != "everybody" => ("are", "them"),
            true => ("is", "them"),
            false => ("is", "this player"),
        };
        let message = format!("{who} {are} told this, and the text does not say it to {them}");
        Some(
            Diagnostic::note_of(codes::TEXT_HIDES, mention.span, message)
                .label("what is revealed tells more than its text")
                .hint("put what is revealed into the text as it stands in the `reveal`: `reveal(e) as \"… {e}\"`, or `as if e then … else …`"),
        )
    }

    /// The note about a text that does not say a value to those who see it.
    fn text_hides(&self, local: LocalId, mention: &Mention) -> Option<Diagnostic> {
        if mention.holes.is_empty() && !mention.drawn {
            return None;
        }
        let blind = self.not_said_to(mention)?;
        let name = &self.d.local(local).name;
        let who = names(self.d, blind);
        let (see, them) = match blind.len() > 1 {
            true if who != "everybody" => ("see", "them"),
            true => ("sees", "them"),
            false => ("sees", "this player"),
        };
        Some(
            Diagnostic::note_of(
                codes::TEXT_HIDES,
                mention.span,
                format!("{who} {see} `{name}`, and the text does not say it to {them}"),
            )
            .label("what happens here shows more than its text")
            .hint(format!(
                "put `{{{name}}}` into the text; or if it is meant to be hidden, write `secretly` before it"
            )),
        )
    }
}

fn no_news(span: Span) -> Diagnostic {
    Diagnostic::note_of(
        codes::NO_NEWS,
        span,
        "this `reveal` tells nobody anything new",
    )
    .label("whoever is told knows it already")
    .hint(
        "leave out `reveal`; or if it is meant to be news, say who sees what it is made of: `seen by …`, `secretly`",
    )
}

fn open_copy(
    d: &Description,
    span: Span,
    (var, local, op): (VarId, LocalId, StoreOp),
) -> Diagnostic {
    let (name, value) = (&d.var(var).name, &d.local(local).name);
    let place = match d.var(var).indices.is_empty() {
        true => name.clone(),
        false => format!("{name}[…]"),
    };
    let way = match op {
        StoreOp::Set => {
            format!(
                "let it go there at once (`{value} in S into {place}`), or write `secretly` before it"
            )
        }
        _ => {
            format!(
                "say behind it who sees it, those who see where it goes: `{value} in S seen by …`"
            )
        }
    };
    Diagnostic::note_of(
        codes::OPEN_COPY,
        span,
        format!("everybody sees `{value}`, and not everybody sees `{name}`, where it goes"),
    )
    .label(format!("this hides nothing of `{value}`"))
    .hint(format!(
        "to hide `{value}`, {way}; else leave out the `seen by` of `{name}`"
    ))
}

fn hides_nothing(var: &Var) -> Diagnostic {
    let name = &var.name;
    Diagnostic::note_of(
        codes::HIDES_NOTHING,
        var.span,
        format!("not everybody sees `{name}`, but everybody knows what goes into it"),
    )
    .label("this hides nothing")
    .hint(
        "leave out its `seen by`; or if it is meant to be hidden, let what goes into it be so: `seen by …`, `secretly`",
    )
}

fn open_among_hidden(shown: &Var, hidden: &Var, span: Span) -> Diagnostic {
    let (open, secret) = (&shown.name, &hidden.name);
    Diagnostic::note_of(
        codes::OPEN_AMONG_HIDDEN,
        shown.span,
        format!("everybody sees `{open}`, and not everybody sees `{secret}`"),
    )
    .note(span, "here something goes from the one to the other")
    .hint(format!(
        "write `{open} : [p: Player] … seen by p` if the owner alone sees it, or `seen by all` if everybody is meant to"
    ))
}

impl Accidents {
    /// The variables of which everybody knows all that is stored to them, be it from each other.
    fn known(&self) -> FxHashSet<VarId> {
        let open = self.open.iter().filter(|(_, sources)| sources.is_some());
        let mut known: FxHashSet<VarId> = open.map(|(var, _)| *var).collect();
        loop {
            let secret = |var: &VarId| self.open.contains_key(var) && !known.contains(var);
            let lost = |sources: &FxHashSet<VarId>| sources.iter().any(secret);
            let lost = |var: &VarId| self.open[var].as_ref().is_none_or(lost);
            let left: FxHashSet<VarId> = known.iter().filter(|var| !lost(var)).copied().collect();
            if left.len() == known.len() {
                return known;
            }
            known = left;
        }
    }

    fn mentions_part(&self, local: LocalId) -> bool {
        self.mentions.contains_key(&local)
    }
}

/// The variable from which a set of options comes.
fn origin(e: &Expr) -> Option<VarId> {
    match &e.kind {
        ExprKind::Cast(inner) => origin(inner),
        ExprKind::Var { var, .. } => Some(*var),
        ExprKind::Binary {
            op: BinaryOp::Difference | BinaryOp::Intersect,
            left,
            ..
        } => origin(left),
        _ => None,
    }
}

/// What a variable holds, one or many of it.
fn kind(ty: &Type) -> &Type {
    match ty {
        Type::Set(inner) | Type::Optional(inner) => kind(inner),
        _ => ty,
    }
}
