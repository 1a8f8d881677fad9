//! `each u in Unit: r[u] in S`: a part of a choice or a draw for each element of a set, and the names of its values.

use super::checker::Checker;
use super::choice::Chooser;
use super::codes;
use super::convert::join;
use super::description::{Expr, ExprKind, LocalId, Part};
use super::scope::{Binding, Family};
use super::types::{Type, bits};
use crate::diagnostics::Diagnostic;
use crate::syntax::ast;
use crate::syntax::span::Span;
use std::rc::Rc;

/// The most values that one family has.
const MAX_MEMBERS: usize = 64;

impl<'a> Checker<'a> {
    /// One part for each element, in order. Their name is in reach for what follows, not for their own domains.
    pub(super) fn family(
        &mut self,
        part: &'a ast::Part,
        binder: &'a ast::Binder,
        who: Chooser<'a>,
    ) -> Option<Vec<Part>> {
        let made = self.family_parts(part, binder, who);
        let binding = match &made {
            Some((index, parts)) => Binding::Family(Rc::new(Family {
                index: index.clone(),
                members: parts.iter().map(|(v, p)| (*v, p.local)).collect(),
            })),
            None => Binding::Poison,
        };
        self.bind(&part.name, binding);
        made.map(|(_, parts)| parts.into_iter().map(|(_, p)| p).collect())
    }

    fn family_parts(
        &mut self,
        part: &'a ast::Part,
        binder: &'a ast::Binder,
        who: Chooser<'a>,
    ) -> Option<(Type, Vec<(i64, Part)>)> {
        match &part.member {
            Some(member) if member.text == binder.name.text => {}
            other => {
                let span = other.as_ref().map_or(part.name.span, |m| m.span);
                let (name, index) = (&part.name.text, &binder.name.text);
                self.report(
                    Diagnostic::error(
                        codes::BAD_FAMILY,
                        span,
                        format!("there is one `{name}` for each `{index}` here"),
                    )
                    .hint(format!("write `{name}[{index}] in …`")),
                );
                return None;
            }
        }
        let domain = self.quietly("the set that a name runs over", |this| {
            let e = this.expr(&binder.domain, None)?;
            this.a_set(e)
        })?;
        let words = self.known_words(&domain)?;
        let index = domain.ty.element()?.clone();
        let values: Vec<i64> = bits(&words).map(|i| index.value_at(i)).collect();
        if values.len() > MAX_MEMBERS {
            self.report_live(
                Diagnostic::error(
                    codes::BAD_FAMILY,
                    binder.span,
                    format!(
                        "this chooses {} values at once; at most {MAX_MEMBERS} can be",
                        values.len()
                    ),
                )
                .hint(
                    "let the values be chosen one after the other: `each u in S { p chooses … }`",
                ),
            );
            return None;
        }
        let mut parts = Vec::new();
        let mut ok = true;
        for v in values {
            let made = self.scoped(|this| {
                let value = this.scalar(v, index.clone(), binder.name.span);
                this.bind(&binder.name, Binding::Value(value));
                if let Some(cond) = &binder.cond {
                    let cond = this.condition(cond)?;
                    if this.known(&cond, "which values are chosen")? == 0 {
                        return Some(None);
                    }
                }
                let name = format!("{}[{}]", part.name.text, index.show(v));
                this.part_named(part, &name, who).map(Some)
            });
            match made {
                Some(Some(made)) => parts.push((v, made)),
                Some(None) => {}
                None => ok = false,
            }
        }
        ok.then_some((index, parts))
    }

    /// `r` where `r[u]` must stand.
    pub fn whole_family(&mut self, name: &str, span: Span) {
        self.report(
            Diagnostic::error(
                codes::WRONG_INDICES,
                span,
                format!("`{name}` has a value for each element that it was chosen for"),
            )
            .hint(format!("write `{name}[…]`")),
        );
    }

    /// `r[u]`.
    pub fn member_of(
        &mut self,
        name: &str,
        family: &Family,
        indices: &[&'a ast::Expr],
        span: Span,
    ) -> Option<Expr> {
        let [index] = indices else {
            self.wrong_indices(name, 1, indices.len(), span);
            return None;
        };
        let index = self.expr_as(index, &family.index)?;
        let not_chosen = |this: &mut Self, what: String| {
            this.report_live(
                Diagnostic::error(codes::BAD_FAMILY, span, what)
                    .hint("run over the same set as where it was chosen"),
            );
        };
        if let Some(words) = self.words_of(&index) {
            let v = *words.first()? as i64;
            let Some((_, local)) = family.members.iter().find(|(w, _)| *w == v) else {
                let shown = family.index.show(v);
                not_chosen(self, format!("no `{name}` was chosen for {shown}"));
                return None;
            };
            return Some(self.local_expr(*local, span));
        }
        if family.members.len() as u64 != family.index.size().unwrap_or(0) {
            not_chosen(
                self,
                format!("`{name}` was chosen for some of `{}` only", family.index),
            );
            return None;
        }
        let ty = self.member_type(family)?;
        let mut arms = Vec::new();
        for (v, local) in &family.members {
            let e = self.local_expr(*local, span);
            arms.push((vec![*v], self.coerce(e, &ty)?));
        }
        let kind = ExprKind::Match {
            scrutinee: Box::new(index),
            arms,
            otherwise: None,
        };
        Some(self.make(kind, ty, span))
    }

    fn member_type(&self, family: &Family) -> Option<Type> {
        let ty = |id: LocalId| self.locals[id.0 as usize].ty.clone();
        let mut all = family.members.iter().map(|(_, id)| ty(*id));
        let first = all.next()?;
        all.try_fold(first, |a, b| join(&a, &b))
    }

    /// Every value of a family that stands alone in a text.
    pub fn family_named(&self, e: &ast::Expr) -> Option<Rc<Family>> {
        let ast::ExprKind::Name(name) = &e.kind else {
            return None;
        };
        match self.lookup_local(name) {
            Some(Binding::Family(family)) => Some(family.clone()),
            _ => None,
        }
    }
}
