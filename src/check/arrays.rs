//! Arrays, which have no place of their own in a description: each is read element by element.

use super::calls::CallSite;
use super::checker::Checker;
use super::codes;
use super::collections::Over;
use super::declare::Decl;
use super::expr::flatten;
use super::scope::Binding;
use crate::model::facts::decided;
use crate::model::functions::{self, ArrayFunction};
use crate::model::types::Type;
use crate::model::{Expr, ExprKind, FoldOp};
use crate::syntax::ast;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;

impl<'a> Checker<'a> {
    /// Whether an expression is an array: by a formula, or a variable or constant without all its indices.
    pub fn is_array(&mut self, e: &'a ast::Expr) -> bool {
        match &e.kind {
            ast::ExprKind::Array { .. } | ast::ExprKind::Map { .. } | ast::ExprKind::Rows(_) => {
                true
            }
            ast::ExprKind::Call { function: name, .. } => array_function(name).is_some(),
            ast::ExprKind::If {
                then: a,
                otherwise: b,
                ..
            } => self.is_array(a) || self.is_array(b),
            ast::ExprKind::Let { body, .. } => self.is_array(body),
            ast::ExprKind::Match { arms, .. } => {
                arms.first().is_some_and(|arm| self.is_array(&arm.body))
            }
            ast::ExprKind::Name(_) | ast::ExprKind::Index { .. } => {
                let (root, given) = flatten(e);
                let ast::ExprKind::Name(ast::Name { text: name, .. }) = &root.kind else {
                    return false;
                };
                if self.lookup_local(name).is_some() {
                    return false;
                }
                match self.names.decls.get(name.as_str()) {
                    Some(Decl::Var(i)) => given.len() < self.var_items[*i].indices.len(),
                    Some(Decl::Const(c)) => given.len() < c.indices.len(),
                    Some(Decl::Param(p)) => given.len() < p.indices.len(),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// The index type of an array.
    pub fn array_index(&mut self, e: &'a ast::Expr) -> Option<Type> {
        self.deeper(e.span, |this| this.array_index_inner(e))
    }

    fn array_index_inner(&mut self, e: &'a ast::Expr) -> Option<Type> {
        match &e.kind {
            ast::ExprKind::Array { binder, .. } => {
                let domain = self.quietly("an array", |this| this.expr(&binder.domain, None))?;
                let domain = self.a_set(domain)?;
                domain.ty.element().cloned()
            }
            ast::ExprKind::Call {
                function: name,
                args,
            } if array_function(name).is_some() => {
                self.arity(name, args, 1, 1)?;
                self.array_index(&args[0])
            }
            ast::ExprKind::If { then: a, .. } => self.array_index(a),
            ast::ExprKind::Let {
                name,
                ty,
                value,
                body,
            } => {
                let value = self.let_value(ty.as_deref(), value);
                self.scoped(|this| {
                    this.bind_value(name, value);
                    this.array_index(body)
                })
            }
            ast::ExprKind::Match { arms, .. } => self.array_index(&arms.first()?.body),
            ast::ExprKind::Name(_) | ast::ExprKind::Index { .. } => {
                let (root, given) = flatten(e);
                let decl = match &root.kind {
                    ast::ExprKind::Name(ast::Name { text: name, .. }) => {
                        self.names.decls.get(name.as_str()).cloned()
                    }
                    _ => None,
                };
                let index = match decl {
                    Some(Decl::Var(i)) => {
                        if !self.var_ok.get(i).copied().unwrap_or(false) {
                            return None;
                        }
                        let index = self.vars[i].indices.get(given.len());
                        index.map(|index| index.ty.clone())
                    }
                    Some(decl @ (Decl::Const(_) | Decl::Param(_))) => {
                        let value = self.declared_constant(&decl)?;
                        value.indices.get(given.len()).cloned()
                    }
                    _ => None,
                };
                index.or_else(|| self.needs_array(e))
            }
            _ => self.needs_array(e),
        }
    }

    /// Says that something is no array, or what else is wrong with it.
    fn needs_array(&mut self, e: &'a ast::Expr) -> Option<Type> {
        let before = self.problems.len();
        self.expr(e, None);
        if self.problems.len() == before {
            self.report(
                Diagnostic::error(codes::TYPE_MISMATCH, e.span, "an array is needed here")
                    .hint("for example a state variable without its index, or `[p in Player] …`"),
            );
        }
        None
    }

    /// One element of an array; the index is a constant or a local.
    pub fn array_element(&mut self, e: &'a ast::Expr, index: &Expr) -> Option<Expr> {
        self.array_element_at(e, std::slice::from_ref(index))
    }

    /// One element of an array of arrays, by the indices that `e` leaves open, outermost first. Only a variable or a
    /// constant leaves more than one open.
    pub fn array_element_at(&mut self, e: &'a ast::Expr, at: &[Expr]) -> Option<Expr> {
        self.deeper(e.span, |this| this.array_element_inner(e, at))
    }

    fn array_element_inner(&mut self, e: &'a ast::Expr, at: &[Expr]) -> Option<Expr> {
        let index = at.first()?;
        match &e.kind {
            ast::ExprKind::Array { binder, body } => {
                self.array_domain(binder, &index.ty)?;
                self.scoped(|this| {
                    this.bind(&binder.name, Binding::Value(index.clone()));
                    this.expr(body, None)
                })
            }
            ast::ExprKind::Call {
                function: name,
                args,
            } if array_function(name).is_some() => {
                let mut call = CallSite {
                    checker: self,
                    name,
                    args,
                    want: None,
                    span: e.span,
                };
                array_function(name)?.element(&mut call, index)
            }
            ast::ExprKind::If {
                cond: c,
                then: a,
                otherwise: b,
            } => {
                let cond = self.condition(c)?;
                if let Some(holds) = decided(&cond) {
                    let (taken, other) = if holds { (a, b) } else { (b, a) };
                    self.in_dead(|this| this.array_element(other, index));
                    let taken = self.array_element(taken, index)?;
                    return Some(self.once_asked(cond, taken));
                }
                let x = self.assuming(Some(&cond), true, |this| this.array_element(a, index));
                let y = self.assuming(Some(&cond), false, |this| this.array_element(b, index));
                let (x, y, ty) = self.unify(x?, y?, e.span)?;
                let kind = ExprKind::If {
                    cond: Box::new(cond),
                    then: Box::new(x),
                    otherwise: Box::new(y),
                };
                Some(self.make(kind, ty, e.span))
            }
            ast::ExprKind::Let {
                name,
                ty,
                value,
                body,
            } => {
                let value = self.let_value(ty.as_deref(), value);
                self.scoped(|this| match this.bind_value(name, value) {
                    Some((id, value)) => {
                        let body = this.array_element(body, index)?;
                        Some(this.let_in(id, value, body))
                    }
                    None => this.array_element(body, index),
                })
            }
            ast::ExprKind::Match { scrutinee, arms } => {
                self.match_with(scrutinee, arms, e.span, |this, arm| {
                    this.array_element(arm, index)
                })
            }
            _ => {
                let (root, given) = flatten(e);
                let ast::ExprKind::Name(ast::Name { text: name, .. }) = &root.kind else {
                    return None;
                };
                let decl = self.names.decls.get(name.as_str()).cloned()?;
                let (types, array) = match &decl {
                    Decl::Var(i) => {
                        self.may_read_note(*i, e.span)?;
                        if let Some(what) = self.frame.no_state {
                            self.report(Diagnostic::error(
                                codes::NOT_CONSTANT,
                                e.span,
                                format!("`{name}` changes in play, and {what} is settled before"),
                            ));
                            return None;
                        }
                        let types = self.vars[*i].index_types();
                        (types, None)
                    }
                    _ => {
                        let value = self.declared_constant(&decl)?;
                        (value.indices, Some(value.expr))
                    }
                };
                if given.len() + at.len() != types.len() {
                    self.wrong_indices(name, types.len(), given.len() + at.len(), e.span);
                    return None;
                }
                let mut indices = Vec::new();
                for (g, ty) in given.iter().zip(&types) {
                    indices.push(self.expr_as(g, ty)?);
                }
                for (index, ty) in at.iter().zip(&types[given.len()..]) {
                    indices.push(self.coerce(index.clone(), ty)?);
                }
                Some(match (decl, array) {
                    (_, Some(array)) => self.read_const(array, indices, e.span),
                    (Decl::Var(i), None) => self.read_var(i, indices, e.span),
                    _ => return None,
                })
            }
        }
    }

    /// The formula of an array gives a value for every index.
    pub fn array_domain(&mut self, binder: &'a ast::Binder, index: &Type) -> Option<()> {
        let domain = self.quietly("an array", |this| {
            let want = Type::set_of(index.clone());
            let e = this.expr(&binder.domain, Some(&want))?;
            this.coerce(e, &want)
        })?;
        let full = self.full_set(index, binder.domain.span)?;
        let whole = match (&domain.kind, &full.kind) {
            (ExprKind::ConstSet(a), ExprKind::ConstSet(b)) => a == b,
            _ => false,
        };
        if matches!(&domain.kind, ExprKind::ConstSet(words) if words.iter().all(|w| *w == 0)) {
            self.report(over_nothing(&binder.domain));
            return None;
        }
        if !whole || binder.cond.is_some() {
            self.report(
                Diagnostic::error(
                    codes::BAD_ENTRIES,
                    binder.span,
                    format!("an array over `{index}` needs a value for each of them"),
                )
                .hint(format!(
                    "let `{}` run over all, and choose the value with `if`",
                    binder.name.text
                )),
            );
            return None;
        }
        Some(())
    }

    /// A fold over every element of an array.
    pub fn fold_array(&mut self, op: FoldOp, e: &'a ast::Expr, span: Span) -> Option<Expr> {
        let index = self.array_index(e)?;
        let domain = self.full_set(&index, span)?;
        let local = self.new_local("", index, span);
        let at = self.local_expr(local, span);
        let body = self.quietly("an array", |this| this.array_element(e, &at))?;
        let over = Over {
            local,
            domain,
            cond: None,
            body,
        };
        self.aggregated(op, over, span)
    }
}

/// The index of an array runs over a set without elements.
fn over_nothing(domain: &ast::Expr) -> Diagnostic {
    let message = "an array has at least one value, and there is nothing in the set of its index";
    let problem = Diagnostic::error(codes::BAD_ENTRIES, domain.span, message);
    let ast::ExprKind::Range { low, high } = &domain.kind else {
        return problem.hint("write the set that is meant, as in `[p in Player] 1`");
    };
    let problem = problem.hint("the lower end of a range comes first: `1..3`");
    match (&low.kind, &high.kind) {
        (ast::ExprKind::Int(low), ast::ExprKind::Int(high)) => {
            problem.rewrite(format!("{high}..{low}"))
        }
        _ => problem,
    }
}

fn array_function(name: &ast::Name) -> Option<&'static dyn ArrayFunction> {
    functions::named(&name.text)?.as_array()
}
