//! `each u in Unit: r[u] in S`: a part of a choice or a draw for each element of a set, and the names of its values.

use super::checker::Checker;
use super::choice::Chooser;
use super::codes;
use super::convert::join;
use super::scope::{Binding, Family};
use crate::model::types::{Type, bits};
use crate::model::{self, Expr, ExprKind, LocalId, Part};
use crate::syntax::ast;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;
use std::rc::Rc;

/// The most values that one family has.
const MAX_MEMBERS: usize = 64;

impl<'a> Checker<'a> {
    /// One part for each element, in order. What follows can read all of them, their own domains those before.
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
                ty: None,
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
        let index = domain.ty.element()?.clone();
        let (name, of) = (&part.name.text, &binder.name.text);
        let hint = format!(
            "choose for all of them, and let those that are left out have one value: `each {of} in {index}: {name}[{of}] in if {of} in S then … else {{ … }}`, with this set for `S`"
        );
        let words = self.words_known(&domain, "which values are chosen", &hint)?;
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
        let mut parts: Vec<(i64, Part)> = Vec::new();
        let mut ok = true;
        let mut ty = None;
        self.refuse_shadow(&part.name);
        for v in values {
            let before = Family {
                index: index.clone(),
                members: parts.iter().map(|(v, p)| (*v, p.local)).collect(),
                ty: ty.clone(),
            };
            let made = self.scoped(|this| {
                let before = Binding::Family(Rc::new(before));
                this.frame.names.push((part.name.text.clone(), before));
                let value = this.scalar(v, index.clone(), binder.name.span);
                this.bind(&binder.name, Binding::Value(value));
                if let Some(cond) = &binder.cond {
                    let cond = this.condition(cond)?;
                    let hint = format!(
                        "choose for all of them, and let those that are left out have one value: `{name}[{of}] in if … then … else {{ … }}`, with this condition"
                    );
                    let words = this.words_known(&cond, "which values are chosen", &hint)?;
                    if words == [0] {
                        return Some(None);
                    }
                }
                if ty.is_none() {
                    ty = this.member_guess(&part.domain);
                    let before = Binding::Family(Rc::new(Family {
                        index: index.clone(),
                        members: Vec::new(),
                        ty: ty.clone(),
                    }));
                    this.frame.names.push((part.name.text.clone(), before));
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

    /// The type of what is chosen from a domain that may read what was chosen before, when nothing was: that of the set it
    /// takes things out of.
    fn member_guess(&mut self, domain: &'a ast::Expr) -> Option<Type> {
        use ast::ExprKind as E;
        match &domain.kind {
            E::Binary {
                op: ast::BinaryOp::Sub | ast::BinaryOp::Intersect,
                left: a,
                ..
            } => self.member_guess(a),
            E::If {
                then, otherwise, ..
            } => {
                let then = self.member_guess(then);
                then.or_else(|| self.member_guess(otherwise))
            }
            E::Comprehension { body, binders }
                if let E::Name(ast::Name { text: n, .. }) = &body.kind
                    && let Some(binder) = binders.iter().find(|b| b.name.text == *n) =>
            {
                self.member_guess(&binder.domain)
            }
            // Only the type of what is worked out matters, and that of no integers at all is as good as any.
            E::Range { .. } => Some(Type::constant(0)),
            _ => {
                let told = self.problems.len();
                let made = self.quietly("the options of a choice", |this| this.expr(domain, None));
                self.untell(told);
                made.and_then(|e| e.ty.element().cloned())
            }
        }
    }

    /// `r` where `r[u]` must stand.
    pub fn whole_family(&mut self, name: &str, index: &Type, span: Span) {
        let free = |of: &&&str| *of != &name && self.lookup_local(of).is_none();
        let names = ["p", "q", "r", "i", "j", "k"];
        let of = names.iter().find(free).copied().unwrap_or("x");
        self.report(
            Diagnostic::error(
                codes::WRONG_INDICES,
                span,
                format!("`{name}` has a value for each element that it was chosen for"),
            )
            .hint(format!(
                "write `{name}[…]`; all of them together are `(sum({of} in {index}) {name}[{of}])`, and so with `min` and `max`"
            )),
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
        let all = family.members.len() as u64 == family.index.size().unwrap_or(0);
        let runs = self.runs_over(&index, family);
        let chosen = |v: &i64| family.members.iter().any(|(w, _)| w == v);
        let reached: Vec<(i64, LocalId)> = match runs {
            // Over nothing: a value of the right type, which is never looked at.
            Some(runs) if runs.is_empty() => {
                let Some(ty) = family.ty.clone().or_else(|| self.member_type(family)) else {
                    not_chosen(self, format!("nothing was chosen for `{name}` yet"));
                    return None;
                };
                return Some(self.scalar(ty.value_at(0), ty, span));
            }
            Some(runs) if !all && runs.iter().all(chosen) => {
                let members = family.members.iter().copied();
                members.filter(|(v, _)| runs.contains(v)).collect()
            }
            _ if all => family.members.clone(),
            _ => {
                not_chosen(
                    self,
                    format!("`{name}` was chosen for some of `{}` only", family.index),
                );
                return None;
            }
        };
        let ty = self.member_type(family)?;
        let mut arms = Vec::new();
        for (v, local) in reached {
            let e = self.local_expr(local, span);
            arms.push(model::MatchArm {
                values: vec![v],
                body: self.coerce(e, &ty)?,
            });
        }
        let otherwise = match all {
            true => None,
            false => arms.pop().map(|arm| Box::new(arm.body)),
        };
        let kind = ExprKind::Match {
            scrutinee: Box::new(index),
            arms,
            otherwise,
        };
        Some(self.make(kind, ty, span))
    }

    /// The values of a family's index that a name runs over, if they are known.
    fn runs_over(&mut self, index: &Expr, family: &Family) -> Option<Vec<i64>> {
        let local = index.uncast();
        let ExprKind::Local(id) = local.kind else {
            return None;
        };
        let (words, binder) = self.runs.get(&id).cloned()?;
        let ty = local.ty.clone();
        let mut values: Vec<i64> = bits(&words).map(|i| ty.value_at(i)).collect();
        if let Some(cond) = &binder.cond
            && values.len() <= MAX_MEMBERS
        {
            let told = self.problems.len();
            values.retain(|v| {
                self.scoped(|this| {
                    let value = this.scalar(*v, ty.clone(), binder.name.span);
                    this.frame
                        .names
                        .push((binder.name.text.clone(), Binding::Value(value)));
                    let cond = this.quietly("a `where`", |this| this.condition(cond));
                    !matches!(cond.map(|c| c.kind), Some(ExprKind::Const(0)))
                })
            });
            self.untell(told);
        }
        // Only integers have subtypes, which share their values.
        match ty == family.index || matches!(ty, Type::Int { .. }) {
            true => Some(values),
            false => None,
        }
    }

    fn member_type(&self, family: &Family) -> Option<Type> {
        let ty = |id: LocalId| self.locals[id.0 as usize].ty.clone();
        let mut all = family.members.iter().map(|(_, id)| ty(*id));
        let first = all.next()?;
        all.try_fold(first, |a, b| join(&a, &b))
    }

    /// Every value of a family that stands alone in a text.
    pub fn family_named(&self, e: &ast::Expr) -> Option<Rc<Family>> {
        let ast::ExprKind::Name(ast::Name { text: name, .. }) = &e.kind else {
            return None;
        };
        match self.lookup_local(name) {
            Some(Binding::Family(family)) => Some(family.clone()),
            _ => None,
        }
    }
}
