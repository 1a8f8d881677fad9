//! Who sees what: sets of players, known before play but for the names they are said with.

use super::checker::{Checker, Frame};
use super::scope::Binding;
use super::state::GivenIndex;
use crate::model::types::Type;
use crate::model::{Expr, ExprKind};
use crate::syntax::ast;
use crate::text::span::Span;

const SEEN: &str = "`seen by`";
const TO: &str = "a list of viewers";

impl<'a> Checker<'a> {
    pub fn everyone(&mut self, span: Span) -> Option<Expr> {
        let player = self.player_type()?;
        self.full_set(&player, span)
    }

    pub fn nobody(&mut self, span: Span) -> Option<Expr> {
        let player = self.player_type()?;
        self.empty_set(&player, span)
    }

    /// A set of players as written after `seen by` in `state` or after `shown to`: settled before play.
    pub fn viewers(&mut self, e: &'a ast::Expr) -> Option<Expr> {
        let outer = self.frame.no_state;
        self.frame.no_state = outer.or(Some(SEEN));
        let made = self.event_viewers(e);
        self.frame.no_state = outer;
        made
    }

    /// A set of players as written after `seen by` in a choice or a draw, or in `reveal(… to …)`.
    pub fn event_viewers(&mut self, e: &'a ast::Expr) -> Option<Expr> {
        let player = self.player_type()?;
        let set = Type::set_of(player.clone());
        let outer = (self.frame.no_reveal, self.frame.viewers);
        self.frame.no_reveal = outer.0.or(Some(TO));
        self.frame.viewers = true;
        let made = self.expr(e, Some(&set));
        (self.frame.no_reveal, self.frame.viewers) = outer;
        let mut viewers = self.coerce_to_set(made?, &player)?;
        // A def that is called here stands elsewhere.
        viewers.span = e.span;
        Some(viewers)
    }

    /// The viewers of a variable over the locals of its own indices.
    pub fn declared_viewers(&mut self, i: usize, item: &'a ast::StateVar) -> Option<Expr> {
        let locals: Vec<_> = self.vars[i]
            .indices
            .iter()
            .map(|index| index.local)
            .collect();
        let values = locals
            .into_iter()
            .map(|id| self.local_expr(id, item.span))
            .collect();
        self.viewers_at(item, values)
    }

    /// The viewers of one element of a variable; the index values are constants or locals.
    fn viewers_at(&mut self, item: &'a ast::StateVar, values: Vec<Expr>) -> Option<Expr> {
        let Some(seen) = &item.seen else {
            return self.everyone(item.name.span);
        };
        let frame = Frame {
            no_state: Some(SEEN),
            no_reveal: Some(SEEN),
            ..Frame::default()
        };
        self.in_frame(frame, |this| {
            for (index, value) in item.indices.iter().zip(values) {
                if let Some(name) = &index.name {
                    this.bind(name, Binding::Value(value));
                }
            }
            this.viewers(seen)
        })
    }

    /// The viewers of the element that a place names, each index standing where `seen by` names it.
    pub fn place_viewers(&mut self, place: &'a ast::Expr) -> Option<Expr> {
        let (var, indices) = self.place_root(place)?;
        let item = self.var_items[var.0 as usize];
        let types = self.vars[var.0 as usize].index_types();
        let mut values = Vec::new();
        let mut lets = Vec::new();
        for (index, ty) in indices.into_iter().zip(&types) {
            let value = match index {
                GivenIndex::Written(index) => self.expr_as(index, ty)?,
                GivenIndex::Made(index) => index,
            };
            if matches!(value.kind, ExprKind::Const(_) | ExprKind::Local(_)) {
                values.push(value);
            } else {
                let id = self.new_local("", ty.clone(), value.span);
                values.push(self.local_expr(id, value.span));
                lets.push((id, value));
            }
        }
        let mut viewers = self.viewers_at(item, values)?;
        for (id, value) in lets.into_iter().rev() {
            if mentions(&viewers, id) {
                viewers = self.let_in(id, value, viewers);
            }
        }
        Some(viewers)
    }

    /// The one chooser, as a set.
    pub fn only_viewer(&mut self, chooser: &'a ast::Expr) -> Option<Expr> {
        let player = self.player_type()?;
        let e = self.expr_as(chooser, &player)?;
        self.coerce_to_set(e, &player)
    }
}

/// Whether viewers, which have no events and few forms, read a local.
fn mentions(e: &Expr, id: crate::model::LocalId) -> bool {
    match &e.kind {
        ExprKind::Const(_) | ExprKind::ConstSet(_) => false,
        ExprKind::Local(other) => *other == id,
        // Anything longer keeps the binding, which does no harm.
        _ => true,
    }
}
