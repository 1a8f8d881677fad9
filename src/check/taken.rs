//! `draw c from deck`: what is drawn is taken out of a set, or out of a table that counts equal ones.

use super::checker::Checker;
use super::codes;
use super::convert::{join, said};
use super::declare::Decl;
use super::habits::plain;
use crate::model::types::Type;
use crate::model::{Expr, ExprKind, Part, Place, PlaceIndex, StmtKind, StoreOp};
use crate::syntax::ast;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;

/// What follows from a draw out of a place.
pub(super) struct Taken {
    /// How often each value is there, as the weight of the draw; none for a set.
    pub counts: Option<Expr>,
    pub store: StmtKind,
}

impl<'a> Checker<'a> {
    /// The options of a draw out of a place: its elements, or all values that it counts.
    pub(super) fn taken_from(&mut self, place: &'a ast::Expr) -> Option<Expr> {
        let (var, given) = self.place_root(place)?;
        let (ty, types) = {
            let var = &self.vars[var.0 as usize];
            (var.ty.clone(), var.index_types())
        };
        match (&ty, types.get(given.len())) {
            (Type::Set(_), None) => {
                self.single_place(place)?;
                self.quietly("the options of a draw", |this| this.expr(place, None))
            }
            (Type::Int { lo: 0.., .. }, Some(counted)) if given.len() + 1 == types.len() => {
                self.full_set(counted, place.span)
            }
            _ => {
                let problem = Diagnostic::error(
                    codes::TYPE_MISMATCH,
                    place.span,
                    "what is drawn is taken from a set, or from counts",
                );
                self.report(problem.hint(
                    "draw from a `set of Card`, or from a table that says how many there are of each: `deck : [Card] 0..5`",
                ));
                None
            }
        }
    }

    /// `draw x from left  left[x] -= 1`: the draw has lowered the count.
    pub(super) fn note_taken_twice(&mut self, draw: &ast::Stmt, next: &ast::Stmt) {
        let (ast::StmtKind::Draw(drawn), ast::StmtKind::Assign { place, op, value }) =
            (&draw.kind, &next.kind)
        else {
            return;
        };
        let ast::ExprKind::Index { array, indices } = &place.kind else {
            return;
        };
        let one = matches!(value.kind, ast::ExprKind::Int(1));
        let counted = plain(array);
        let again = |part: &ast::Part| {
            let index = indices.last().and_then(ast::Expr::as_name);
            part.source == ast::Source::Place
                && index.is_some_and(|name| name.text == part.name.text)
                && plain(&part.domain) == counted
        };
        if *op != ast::AssignOp::Sub || !one || indices.len() != 1 || !drawn.parts.iter().any(again)
        {
            return;
        }
        let message = format!("`draw … from {counted}` has taken it out already");
        let away = Span {
            start: draw.span.end,
            end: next.span.end,
        };
        self.report_live(
            Diagnostic::note_of(codes::TAKEN_TWICE, next.span, message)
                .note(draw.span, "this lowers the count")
                .hint("leave it out, unless two are to go")
                .edit(away, ""),
        );
    }

    /// What follows from a draw out of a place, if it is one; the outer `None` is an error.
    pub(super) fn taken_out(
        &mut self,
        draw: &'a ast::Draw,
        parts: Option<&[Part]>,
    ) -> Option<Option<Taken>> {
        let Some(from) = draw
            .parts
            .iter()
            .find(|part| part.source == ast::Source::Place)
        else {
            return Some(None);
        };
        let (span, local) = (from.span, parts?.first()?.local);
        let (var, given) = self.place_root(&from.domain)?;
        self.may_store(var.0 as usize, from.domain.span)?;
        let types = self.vars[var.0 as usize].index_types();
        let ty = self.vars[var.0 as usize].ty.clone();
        let mut indices = self.place_indices(given, &types)?;
        self.refuse_moved_place(&indices, parts?)?;
        let drawn = self.local_expr(local, span);
        if let Type::Set(element) = &ty {
            let value = self.coerce_to_set(drawn, element)?;
            let place = Place {
                var,
                indices,
                span: from.domain.span,
            };
            let op = StoreOp::Sub;
            let store = StmtKind::Store { place, op, value };
            return Some(Some(Taken {
                counts: None,
                store,
            }));
        }
        if let Some(weight) = &draw.weight {
            self.weighted_twice(weight.span);
            return None;
        }
        indices.push(PlaceIndex::One(drawn));
        let at = indices.iter().map(|index| match index {
            PlaceIndex::One(e) => Some(e.clone()),
            PlaceIndex::Each(_) => None,
        });
        let Some(at) = at.collect() else {
            self.single_place(&from.domain);
            return None;
        };
        let counts = ExprKind::Var { var, indices: at };
        let counts = self.make(counts, ty, from.domain.span);
        let place = Place {
            var,
            indices,
            span: from.domain.span,
        };
        let value = self.scalar(1, Type::Int { lo: 1, hi: 1 }, span);
        let op = StoreOp::Sub;
        Some(Some(Taken {
            counts: Some(counts),
            store: StmtKind::Store { place, op, value },
        }))
    }

    /// Reports that one value goes `into` a set, and says how it becomes an element.
    pub(super) fn refuse_into_set(&mut self, part: &ast::Part, value: &Expr, ty: &Type) -> bool {
        let (Type::Set(element), Some(into)) = (ty, &part.into) else {
            return false;
        };
        if join(&value.ty, element).is_none() {
            return false;
        }
        let (name, set, from) = (&part.name.text, plain(into), plain(&part.domain));
        // What lies open is drawn openly.
        let hidden = |of: &ast::Expr| match &of.kind {
            ast::ExprKind::Name(name) => {
                let decl = self.names.decls.get(name.text.as_str());
                matches!(decl, Some(Decl::Var(i)) if self.var_items[*i].seen.is_some())
            }
            _ => true,
        };
        let seen = match &into.kind {
            ast::ExprKind::Index { array, indices } if hidden(array) => indices.first().map(plain),
            _ => None,
        };
        let seen = seen.map_or_else(String::new, |p| format!(" seen by {p}"));
        let hint = match part.source {
            ast::Source::Place => format!(
                "write `deal 1 from {from} to {set}`; where its name is needed, `draw {name} from {from}{seen}` and then `{set} += {name}`"
            ),
            _ => format!("write `{name} in {from}{seen}`, and then `{set} += {name}`"),
        };
        let problem = Diagnostic::error(
            codes::TYPE_MISMATCH,
            part.name.span,
            format!("{} is needed here", said(ty)),
        );
        let problem = problem.label(format!("this is {}", said(&value.ty)));
        self.report(problem.hint(hint));
        true
    }

    /// What is drawn is taken out once it has been stored: an index of the place may not be another one by then.
    fn refuse_moved_place(&mut self, indices: &[PlaceIndex], parts: &[Part]) -> Option<()> {
        let stored = parts.iter().filter_map(|part| part.into.as_ref());
        let reads = |index: &PlaceIndex, stored: &Place| {
            let (PlaceIndex::One(e) | PlaceIndex::Each(e)) = index;
            e.any(|e| matches!(e.kind, ExprKind::Var { var, .. } if var == stored.var))
        };
        let Some(into) = stored
            .into_iter()
            .find(|into| indices.iter().any(|index| reads(index, into)))
        else {
            return Some(());
        };
        let name = self.vars[into.var.0 as usize].name.clone();
        self.report(
            Diagnostic::error(
                codes::NOT_A_PLACE,
                into.span,
                format!("`{name}` says what is drawn from, so the same draw cannot store to it"),
            )
            .hint(format!(
                "leave out the `into`, and store in a statement of its own: `{name} = …`"
            )),
        );
        None
    }

    fn weighted_twice(&mut self, span: Span) {
        self.report(
            Diagnostic::error(
                codes::TYPE_MISMATCH,
                span,
                "the counts that this is drawn from are its weights",
            )
            .hint("leave out `weighted`, or draw `in` the type and take it out in a statement of its own"),
        );
    }
}
