//! Rule 1: whoever sees the target of a store could know the value, the indices and that it is stored at all.

use super::elements::{Possible, members};
use super::expr::show_element;
use super::label::{Clean, names};
use super::{Checker, Rule, codes};
use crate::model::types::Type;
use crate::model::*;
use crate::text::diagnostics::Diagnostic;

/// The value of an expression, where nothing in it is to blame.
const STORED: &str = "what is stored";
/// What a `deal` moves.
pub(super) const DEALT: &str = "the cards that were dealt";

/// How players can be told what is stored.
#[derive(Clone, Copy)]
enum Telling {
    /// In a statement before.
    First,
    /// In the formula, as what is stored is a row by one or of another array.
    Row,
    /// The same of a row over the players, of whom each may see an element.
    OwnersRow,
}

impl Telling {
    fn hint(self, who: &str, to: &str) -> String {
        match self {
            Telling::First => {
                format!("tell {who} first, `let told = reveal(…{to})`, and use `told`")
            }
            Telling::Row => {
                format!("tell {who} each value as it is stored, `… = [i in …] reveal(…[i]{to})`")
            }
            Telling::OwnersRow => {
                "tell each value to its player as it is stored, `… = [i in Player] reveal(…[i] to i)`".into()
            }
        }
    }

    /// An element of a row that no entry of its own gives has an index that stands for the whole row.
    fn of(d: &Description, place: &Place, value: &Expr) -> Telling {
        let made = matches!(&value.kind, ExprKind::Local(id) if d.local(*id).name.is_empty());
        let indices = place.indices.iter();
        let mut of_row = indices
            .map(|(PlaceIndex::One(e) | PlaceIndex::Each(e))| e)
            .filter(|e| made && e.span.contains(value.span));
        let Some(first) = of_row.next() else {
            return Telling::First;
        };
        let mut all = std::iter::once(first).chain(of_row);
        match all.any(|e| matches!(e.ty, Type::Player(_))) {
            true => Telling::OwnersRow,
            false => Telling::Row,
        }
    }
}

impl Checker<'_> {
    /// The ordinals that the indices of a place may have.
    pub(super) fn place_indices(&self, place: &Place) -> Vec<Possible> {
        let var = self.d.var(place.var);
        place
            .indices
            .iter()
            .enumerate()
            .map(|(i, index)| match index {
                PlaceIndex::One(e) => self.possible(place.var, i, e),
                PlaceIndex::Each(set) => {
                    let words = self.eval(set)?;
                    let Index { ty, .. } = var.indices.get(i)?;
                    let list = members(&set.ty, &words);
                    Some(list.iter().map(|&v| ty.ordinal(v as i64)).collect())
                }
            })
            .collect()
    }

    /// Who sees every element that may be meant, who sees at least one, and who could know the indices.
    pub(super) fn place_viewers(&mut self, place: &Place) -> (PlayerSet, PlayerSet, PlayerSet) {
        let possible = self.place_indices(place);
        let (every, some) = self.elements[place.var.0 as usize].viewers(&possible);
        let mut known = self.everyone;
        for index in &place.indices {
            let (PlaceIndex::One(e) | PlaceIndex::Each(e)) = index;
            known &= self.label(e);
        }
        (every & self.everyone, some & self.everyone, known)
    }

    pub(super) fn show_place(&self, place: &Place) -> String {
        let exprs: Vec<Expr> = place
            .indices
            .iter()
            .map(|i| match i {
                PlaceIndex::One(e) | PlaceIndex::Each(e) => e.clone(),
            })
            .collect();
        show_element(self.d, place.var, &exprs, &self.place_indices(place))
    }

    /// `place = value`, `+=` and `-=`.
    pub(super) fn store_expr(&mut self, place: &Place, value: &Expr) {
        let clean = self.clean(value);
        self.store_clean(place, Some(value), &clean, STORED);
    }

    /// `into place`.
    pub(super) fn store_local(&mut self, place: &Place, local: LocalId) {
        let clean = match self.bound.get(&local) {
            Some(b) => b.clean.clone(),
            None => Clean::known(PlayerSet::EMPTY),
        };
        let what = format!("`{}`", self.d.local(local).name);
        self.store_clean(place, None, &clean, &what);
    }

    /// A store of something with the given label. `value`: its expression, if it has one.
    pub(super) fn store_clean(
        &mut self,
        place: &Place,
        value: Option<&Expr>,
        clean: &Clean,
        what: &str,
    ) {
        for index in &place.indices {
            let (PlaceIndex::One(e) | PlaceIndex::Each(e)) = index;
            self.forbid_reveal(e, "an index");
        }
        let pc = self.here();
        let (_, viewers, indices) = self.place_viewers(place);
        if !(clean.sure & indices & pc).contains_all(viewers) {
            let target = self.show_place(place);
            let asked = |rule, known| match self.rules.ask(rule) {
                true => (viewers - known).lowest(),
                false => None,
            };
            if let Some(p) = asked(Rule::StoredValue, clean.sure) {
                let because = value.and_then(|e| self.blame(e, p));
                let blind = viewers - clean.sure;
                let all = value.map(|e| self.blame_all(e, blind)).unwrap_or_default();
                let told = value.map_or(Telling::First, |e| Telling::of(self.d, place, e));
                match blind.len() > 1 && all.len() > 1 {
                    true => self.report_values(place, &target, blind, &all, told),
                    false => self.report_value(place, &target, p, because, (what, told)),
                }
            } else if let Some(p) = asked(Rule::StoredPlace, indices) {
                self.report_index(place, &target, p);
            } else if let Some(p) = asked(Rule::StoredAtAll, pc) {
                self.report_branch(place, &target, p);
            }
        }
        let possible = self.place_indices(place);
        if let Some((p, def)) = self.shown_leak(place.var, &possible, pc) {
            let (name, def) = (self.name(p).to_string(), &self.d.shown[def].name);
            let problem = Diagnostic::error(
                codes::SHOWN,
                place.span,
                format!("{name} would see `{def}` change but could not know whether this happens"),
            )
            .label(format!("`{def}` is on view and depends on this"))
            .hint(format!(
                "`reveal(…)` the condition first, or let `{def}` be shown to those who could know it; changes are not added up: what rises once a turn, wherever, is counted in a variable of its own"
            ));
            let problem = self.explain(problem, p);
            self.report(problem);
        }
        // Whoever could not know the store has an error already; the clock is for the others.
        let aware = viewers & clean.sure & indices & pc;
        self.note_store(place, value, clean.sure & indices & pc);
        self.flow.store(aware, place.span, place.var);
        let mut pile = clean.clone();
        for index in &place.indices {
            let (PlaceIndex::One(e) | PlaceIndex::Each(e)) = index;
            let index = self.clean(e);
            pile = pile.and(&index);
        }
        self.flow.omitted.stir(place.var, &possible);
        let waiting = self.waiting.iter_mut();
        waiting.for_each(|one| one.stir(place.var, &possible));
        self.flow.moved(place.var);
        self.held_after(place, None);
        self.note_pile_store(place, pile.restricted(pc));
    }

    /// What each of some players could not know of an expression, without repeats.
    fn blame_all(&mut self, e: &Expr, players: PlayerSet) -> Vec<String> {
        let mut all: Vec<String> = Vec::new();
        for player in players {
            let because = self.blame(e, player).filter(|b| !all.contains(b));
            all.extend(because);
        }
        all
    }

    /// As [`report_value`](Self::report_value), of several players of whom each could not know something else.
    fn report_values(
        &mut self,
        place: &Place,
        target: &str,
        blind: PlayerSet,
        all: &[String],
        told: Telling,
    ) {
        let who = names(self.d, blind);
        let secret = all.join(" and ");
        let (see, would) = match who == "everybody" {
            true => ("sees", "show everybody"),
            false => ("see", "show each of them"),
        };
        let problem = Diagnostic::error(
            codes::STORE,
            place.span,
            format!("{who} {see} {target} but could not know all of {secret}"),
        )
        .label(format!("this would {would} something of that"))
        .hint(format!(
            "{}; or say in `state` that they do not see {target}",
            told.hint("them", "")
        ));
        self.report(problem);
    }

    fn report_value(
        &mut self,
        place: &Place,
        target: &str,
        player: usize,
        because: Option<String>,
        (what, told): (&str, Telling),
    ) {
        let name = self.name(player).to_string();
        let hidden = format!("say in `state` that {name} does not see {target}");
        let hint = match what {
            DEALT => format!(
                "draw the cards for all who see either set, `draw c from … seen by {{ … }}`, and add them to the other; or let {name} see both sets, or {hidden}"
            ),
            _ if because.is_none() && what != STORED => format!(
                "let {name} see {what} (no `secretly`, no `seen by` without {name}), or {hidden}"
            ),
            _ => format!(
                "{}; or {hidden} (`seen by none`, or by those who know it)",
                told.hint(&name, &format!(" to {name}"))
            ),
        };
        let secret = because.unwrap_or_else(|| what.to_string());
        let problem = Diagnostic::error(
            codes::STORE,
            place.span,
            format!("{name} sees {target} but could not know {secret}"),
        )
        .label(format!("this would show {name} something of {secret}"))
        .hint(hint);
        self.report(problem);
    }

    fn report_index(&mut self, place: &Place, target: &str, player: usize) {
        let name = self.name(player).to_string();
        let mut because = None;
        for index in &place.indices {
            let (PlaceIndex::One(e) | PlaceIndex::Each(e)) = index;
            because = because.or_else(|| self.blame(e, player));
        }
        let which = because.map_or(String::new(), |b| format!(": that depends on {b}"));
        let problem = Diagnostic::error(
            codes::STORE,
            place.span,
            format!("{name} sees {target} but could not know which element is stored to"),
        )
        .label(format!("{name} would see where this goes{which}"))
        .hint(format!(
            "tell {name} the index first, `let told = reveal(… to {name})`, and use `told`; or say in `state` that {name} does not see {target}"
        ));
        self.report(problem);
    }

    fn report_branch(&mut self, place: &Place, target: &str, player: usize) {
        let name = self.name(player).to_string();
        let problem = Diagnostic::error(
            codes::STORE,
            place.span,
            format!("{name} sees {target} but could not know whether this is stored"),
        )
        .label(format!("{name} would see this happen"))
        .hint(format!(
            "`reveal(…)` the condition to {name} first, or say in `state` that {name} does not see {target}"
        ));
        let problem = self.explain(problem, player);
        self.report(problem);
    }
}
