//! Defs and rules, standing where they are called; shown defs, which are also on view by themselves.

use super::checker::{Checker, Frame, is_const};
use super::codes;
use super::convert::{optional_of, said};
use super::declare::Decl;
use super::habits;
use super::scope::{Binding, GivenPlace};
use crate::model::types::Type;
use crate::model::{
    Block, Expr, ExprKind, Index, LocalId, PlaceIndex, ShownDef, SiteKind, StmtKind, VarId,
};
use crate::syntax::ast;
use crate::text::diagnostics::Diagnostic;
use crate::text::nearest::nearest;
use crate::text::span::Span;
use std::rc::Rc;

/// How deep calls of defs and rules may stand in each other.
const MAX_CALLS: usize = 64;

/// Names and what they stand for.
type Names = Vec<(String, Binding)>;

/// The names of the params of a call, and the values that must be bound for them.
type Arguments = (Names, Vec<(LocalId, Expr)>);

impl<'a> Checker<'a> {
    /// Enters a call; `None` when it leads back to itself or too deep.
    fn enter<T>(
        &mut self,
        name: &'a str,
        span: Span,
        body: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        if self.calls.contains(&name) {
            self.report(
                Diagnostic::error(codes::RECURSION, span, format!("`{name}` calls itself"))
                    .label("this call leads back to where it stands")
                    .hint("use a loop: `repeat`, `each`, `turns` or `while … at most n`"),
            );
            return None;
        }
        if self.calls.len() >= MAX_CALLS {
            self.report(
                Diagnostic::error(
                    codes::TOO_DEEP,
                    span,
                    format!("calls stand more than {MAX_CALLS} deep in each other"),
                )
                .hint("call fewer defs and rules inside each other"),
            );
            return None;
        }
        // What comes to nothing in the end was worked out all the same.
        if !self.count_work(span) {
            return None;
        }
        self.reached.insert(name);
        self.calls.push(name);
        let result = body(self);
        self.calls.pop();
        result
    }

    /// The type of a declared param, which does not depend on where the call stands.
    fn declared(&mut self, ty: &'a ast::Type) -> Option<Type> {
        let frame = Frame {
            no_state: Some("a type"),
            no_reveal: Some("a type"),
            ..Frame::default()
        };
        let ty = self.in_frame(frame, |this| this.type_of(ty))?;
        Some(ty)
    }

    fn arguments(
        &mut self,
        name: &ast::Name,
        params: &'a [ast::DefParam],
        args: &'a [ast::Expr],
        span: Span,
    ) -> Option<Arguments> {
        if params.len() != args.len() {
            let at = ast::Name {
                text: name.text.clone(),
                span,
            };
            self.arity(&at, args, params.len(), params.len())?;
        }
        let mut names = Vec::new();
        let mut lets = Vec::new();
        let mut ok = true;
        for (param, arg) in params.iter().zip(args) {
            if param.into {
                match self.given_place(param, arg, &mut lets) {
                    Some(place) => names.push((param.name.text.clone(), place)),
                    None => ok = false,
                }
                continue;
            }
            let value = match self.declared(&param.ty) {
                Some(ty) => self.expr_as(arg, &ty),
                None => None,
            };
            let Some(value) = value else {
                ok = false;
                continue;
            };
            let binding = if is_const(&value) || matches!(value.kind, ExprKind::Local(_)) {
                value
            } else {
                let id = self.new_local(&param.name.text, value.ty.clone(), param.name.span);
                let local = self.local_expr(id, param.name.span);
                lets.push((id, value));
                local
            };
            names.push((param.name.text.clone(), Binding::Value(binding)));
        }
        ok.then_some((names, lets))
    }

    /// The place that a rule stores to: it is settled where the rule is called.
    fn given_place(
        &mut self,
        param: &'a ast::DefParam,
        arg: &'a ast::Expr,
        lets: &mut Vec<(LocalId, Expr)>,
    ) -> Option<Binding> {
        let want = self.declared(&param.ty)?;
        let (place, ty) = self.single_place(arg)?;
        if ty != want {
            let declared = param.name.span.to(param.ty.span);
            self.report(
                Diagnostic::error(
                    codes::TYPE_MISMATCH,
                    arg.span,
                    format!(
                        "the rule stores to {}, and this is {}",
                        said(&want),
                        said(&ty)
                    ),
                )
                .note(declared, "the place that it stores to")
                .hint("a place that is given to a rule has the type that the rule says"),
            );
            return None;
        }
        let mut indices = Vec::new();
        for index in place.indices {
            let PlaceIndex::One(index) = index else {
                return None;
            };
            if is_const(&index) || matches!(index.kind, ExprKind::Local(_)) {
                indices.push(index);
                continue;
            }
            let id = self.new_local(&param.name.text, index.ty.clone(), index.span);
            indices.push(self.local_expr(id, index.span));
            lets.push((id, index));
        }
        let var = place.var;
        Some(Binding::Place(Rc::new(GivenPlace { var, indices })))
    }

    /// Complains about params that hide other names.
    fn refuse_shadows(&mut self, params: &[ast::DefParam]) {
        self.in_frame(Frame::default(), |this| {
            for param in params {
                this.bind(&param.name, Binding::Poison);
            }
        });
    }

    // ---- defs ---------------------------------------------------------------------------------

    pub fn call_def(
        &mut self,
        def: &'a ast::Def,
        args: &'a [ast::Expr],
        want: Option<&Type>,
        span: Span,
    ) -> Option<Expr> {
        let (names, lets) = self.arguments(&def.name, &def.params, args, span)?;
        let values: Vec<Expr> = names
            .iter()
            .filter_map(|(_, b)| match b {
                Binding::Value(e) => Some(e.clone()),
                _ => None,
            })
            .collect();
        // Where it may be `none`, it is asked whether that was ruled out here.
        let value = match want {
            Some(Type::Set(element)) => Some(&**element),
            want => want.filter(|ty| ty.is_scalar() && !matches!(ty, Type::Optional(_))),
        };
        let value = value.filter(|_| self.says_none(&def.body));
        let optional = value.and_then(optional_of);
        let want = match &optional {
            // As where it is asked.
            Some(_) if !self.needy(&def.body) => None,
            Some(optional) => Some(optional),
            None => want,
        };
        let mut result = self.def_body(def, names, want, span)?;
        if def.shown.is_some()
            && let Some(index) = self.shown_index.get(def.name.text.as_str()).copied()
        {
            let ty = result.ty.clone();
            let kind = ExprKind::Shown {
                def: index,
                args: values,
                value: Box::new(result),
            };
            result = self.make(kind, ty, span);
        }
        for (id, value) in lets.into_iter().rev() {
            result = self.let_in(id, value, result);
        }
        Some(self.narrowed(result))
    }

    fn def_body(
        &mut self,
        def: &'a ast::Def,
        names: Names,
        want: Option<&Type>,
        span: Span,
    ) -> Option<Expr> {
        let frame = Frame {
            names,
            no_state: self.frame.no_state,
            no_reveal: Some("a def"),
            ..Frame::default()
        };
        self.enter(def.name.text.as_str(), span, |this| {
            let declared = match &def.ty {
                Some(ty) => Some(this.declared(ty)?),
                None => None,
            };
            this.refuse_shadows(&def.params);
            this.in_frame(frame, |this| match &declared {
                Some(ty) => this.expr_as(&def.body, ty),
                None => this.expr(&def.body, want),
            })
        })
    }

    pub fn resolve_shown(&mut self) {
        let file: &'a ast::File = self.file;
        let mut all = Vec::new();
        for item in &file.items {
            if let ast::Item::Def(def) = item
                && let Some(shown) = &def.shown
            {
                self.shown_index.insert(def.name.text.as_str(), all.len());
                all.push((def, shown));
            }
        }
        // Where one is in error no description is made, so that the places need not hold.
        for (def, shown) in all {
            let made = self.shown_def(def, shown);
            self.shown.extend(made);
        }
    }

    fn shown_def(&mut self, def: &'a ast::Def, shown: &'a ast::Shown) -> Option<ShownDef> {
        let (names, params) = self.formal(&def.params)?;
        let viewers = self.in_frame(
            Frame {
                names: names.clone(),
                ..Frame::default()
            },
            |this| match &shown.to {
                Some(to) => this.viewers(to),
                None => this.everyone(shown.span),
            },
        );
        let body = self.def_body(def, names, None, def.name.span);
        let (viewers, body) = (viewers?, body?);
        let types: Vec<Type> = params.iter().map(|param| param.ty.clone()).collect();
        self.array_size(&types, def.name.span)?;
        let site = self.new_site(SiteKind::Shown, def.name.span);
        Some(ShownDef {
            name: def.name.text.clone(),
            params,
            viewers,
            body,
            site,
            span: def.span,
        })
    }

    /// The params of a def or rule as locals of their own.
    fn formal(&mut self, params: &'a [ast::DefParam]) -> Option<(Names, Vec<Index>)> {
        let mut names = Vec::new();
        let mut locals = Vec::new();
        for param in params {
            let ty = self.declared(&param.ty)?;
            if param.into {
                names.push((param.name.text.clone(), Binding::Poison));
                continue;
            }
            let id = self.new_local(&param.name.text, ty.clone(), param.name.span);
            let e = self.local_expr(id, param.name.span);
            names.push((param.name.text.clone(), Binding::Value(e)));
            locals.push(Index { local: id, ty });
        }
        Some((names, locals))
    }

    // ---- rules --------------------------------------------------------------------------------

    pub fn call_rule(
        &mut self,
        name: &'a ast::Name,
        args: &'a [ast::Expr],
        span: Span,
    ) -> Option<StmtKind> {
        let Some(rule) = self.names.rules.get(name.text.as_str()).copied() else {
            if self.is_lost(&name.text) || !self.refuse_word(name, args, span) {
                self.unknown_rule(name);
            }
            return None;
        };
        let (names, lets) = self.arguments(&rule.name, &rule.params, args, span)?;
        let body = self.rule_body(rule, names, span)?;
        let mut stmts = Vec::new();
        for (local, value) in lets {
            let span = value.span;
            let kind = StmtKind::Let { local, value };
            self.put_stmt(kind, span, &mut stmts);
        }
        stmts.extend(body.stmts);
        Some(StmtKind::Block(Block { stmts }))
    }

    fn rule_body(&mut self, rule: &'a ast::Rule, names: Names, span: Span) -> Option<Block> {
        self.enter(rule.name.text.as_str(), span, |this| {
            let given = names.iter().filter_map(|(_, binding)| match binding {
                Binding::Place(place) => Some(place.var),
                _ => None,
            });
            let given: Vec<VarId> = given.collect();
            let frame = Frame {
                names,
                no_reveal: this.no_reveal_in_rules(),
                ..Frame::default()
            };
            this.refuse_shadows(&rule.params);
            let block = this.in_frame(frame, |this| this.block(&rule.body));
            // What the rule stores to is no longer known.
            this.forget_stored(&rule.body);
            given.into_iter().for_each(|var| this.forget(var));
            block
        })
    }

    fn unknown_rule(&mut self, name: &ast::Name) {
        let text = name.text.as_str();
        if self.is_lost(text) {
            return;
        }
        let mut d = if let Some(Decl::Def(_)) = self.names.decls.get(text) {
            Diagnostic::error(
                codes::UNKNOWN_RULE,
                name.span,
                format!("`{text}` is a def: by itself it does nothing"),
            )
            .hint("a `rule` does something; the value of a def must be used")
        } else {
            Diagnostic::error(
                codes::UNKNOWN_RULE,
                name.span,
                format!("there is no rule `{text}`"),
            )
        };
        if d.hint.is_none() {
            let rules = self.names.rule_order.iter().map(|r| r.name.text.as_str());
            d = match nearest(text, rules) {
                Some(near) => d.did_you_mean(near),
                None if let Some(hint) = habits::instead_of_call(text) => d.hint(hint),
                None => d.hint(format!("declare it: rule {text}(…) {{ … }}")),
            };
        }
        self.report(d);
    }

    // ---- what no call has reached -------------------------------------------------------------

    /// Checks the defs and rules that nothing calls, for their errors; the names of these rules.
    pub fn unreached(&mut self) -> Vec<Span> {
        let mut uncalled = Vec::new();
        let (locals, sites) = (self.locals.len(), self.sites.len());
        // Who calls them may be allowed to read notes.
        self.noting += 1;
        let file: &'a ast::File = self.file;
        for item in &file.items {
            match item {
                ast::Item::Def(def) if !self.reached.contains(def.name.text.as_str()) => {
                    if let Some((names, _)) = self.formal(&def.params) {
                        self.def_body(def, names, None, def.name.span);
                    }
                }
                ast::Item::Rule(rule) if !self.reached.contains(rule.name.text.as_str()) => {
                    uncalled.push(rule.name.span);
                    if let Some((names, _)) = self.formal(&rule.params) {
                        self.rule_body(rule, names, rule.name.span);
                    }
                }
                _ => {}
            }
        }
        self.noting -= 1;
        self.locals.truncate(locals);
        self.sites.truncate(sites);
        uncalled
    }
}
