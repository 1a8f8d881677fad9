//! Expressions: the forms that are neither collections, calls nor matches.
//!
//! `want` is the type that the place expects. It decides what `all`, `{}`, `none` and enum values mean; the result may
//! still be of another type, which `coerce` then deals with.

use super::checker::{Checker, ConstValue};
use super::codes;
use super::convert::{join, said};
use super::declare::{BUILT_IN, Decl};
use super::matching::{AN_IF, MATCH_ARM};
use super::params::decimal;
use super::scope::Binding;
use crate::model::facts::{Fact, Key};
use crate::model::types::{EnumType, ProductType, Type};
use crate::model::{Expr, ExprKind, SiteKind, VarId};
use crate::syntax::ast;
use crate::text::diagnostics::Diagnostic;
use crate::text::nearest::nearest;
use crate::text::span::Span;
use std::sync::Arc;

impl<'a> Checker<'a> {
    /// An expression where a value of type `ty` must stand.
    pub fn expr_as(&mut self, e: &'a ast::Expr, ty: &Type) -> Option<Expr> {
        let made = self.expr(e, Some(ty))?;
        self.coerce(made, ty)
    }

    pub fn condition(&mut self, e: &'a ast::Expr) -> Option<Expr> {
        self.expr_as(e, &Type::Bool)
    }

    pub fn expr(&mut self, e: &'a ast::Expr, want: Option<&Type>) -> Option<Expr> {
        self.deeper(e.span, |this| this.expr_inner(e, want))
    }

    fn expr_inner(&mut self, e: &'a ast::Expr, want: Option<&Type>) -> Option<Expr> {
        use ast::ExprKind as E;
        let span = e.span;
        match &e.kind {
            E::Int(n) => Some(self.scalar(*n, Type::constant(*n), span)),
            E::Decimal(text) => self.decimal(text, span),
            E::Bool(b) => Some(self.scalar(i64::from(*b), Type::Bool, span)),
            E::Name(ast::Name { text: name, .. }) => self.name(name, want, span),
            E::All => self.all(want, span),
            E::None => self.none(want, span),
            E::Set(items) => self.set_literal(items, want, span),
            E::Range { low: a, high: b } => self.range_set(a, b, span),
            E::Comprehension { body, binders } => self.comprehension(body, binders, want, span),
            E::Rows(rows) if rows.iter().any(|row| row.span == span) => {
                self.text_here(span);
                None
            }
            E::Map {
                entries,
                otherwise: None,
            } if self.refuse_braced_product(entries, want, span) => None,
            E::Map { entries, .. } if self.set_by_colon(entries, span) => None,
            E::Map { .. } | E::Array { .. } | E::Rows(_) => {
                self.array_here(span);
                None
            }
            E::Unary { op, value: a } => self.unary(*op, a, span),
            E::Binary {
                op,
                left: a,
                right: b,
            } => self.binary(*op, a, b, want, span),
            E::If {
                cond: c,
                then: a,
                otherwise: b,
            } => self.if_expr(c, a, b, want, span),
            E::Match { scrutinee, arms } => self.match_expr(scrutinee, arms, want, span),
            E::Let {
                name,
                ty,
                value,
                body,
            } => {
                let value = self.let_value(ty.as_deref(), value);
                self.let_expr(name, value, body, want)
            }
            E::Index { .. } => self.indexed(e, span),
            E::Field { record: a, field } => match self.named_board(a) {
                Some(board) => self.board_field(board, field, span),
                None => self.field(a, field, span),
            },
            E::Method {
                board: on,
                function,
                args,
            } => self.board_call(on, function, args, want, span),
            E::Call {
                function: name,
                args,
            } => self.call(name, args, want, span),
            E::Record(fields) => self.record(fields, want, span),
            E::Quantified {
                quantifier,
                binders,
                body,
            } => self.quantified(*quantifier, binders, body, span),
            E::Aggregate { op, binders, body } => self.aggregate(*op, binders, body, want, span),
            E::Reveal { value, to, text } => {
                let name = self.given_name.take();
                let event = self.reveal(value, to.as_deref(), want, span);
                match text {
                    Some(text) => self.worded(event, text, name),
                    None => event,
                }
            }
            E::After { value, body } => self.after(value, body, want, span),
            E::Error => None,
        }
    }

    fn decimal(&mut self, text: &str, span: Span) -> Option<Expr> {
        let Some((n, den)) = decimal(text) else {
            self.overflow(span);
            return None;
        };
        Some(self.scalar(n, Type::Number { den, lo: n, hi: n }, span))
    }

    fn text_here(&mut self, span: Span) {
        self.report(
            Diagnostic::error(
                codes::TYPE_MISMATCH,
                span,
                "a text is no value, and cannot stand here",
            )
            .hint("what people read stands after `as`; the rows of a board are a text where an array over its cells gets its first values"),
        );
    }

    /// Reports `{ x in S : c }`, which other languages read as the elements for which something holds.
    fn set_by_colon(&mut self, entries: &[(ast::Expr, ast::Expr)], span: Span) -> bool {
        let [(key, cond)] = entries else {
            return false;
        };
        let ast::ExprKind::Binary {
            op: ast::BinaryOp::In,
            left,
            ..
        } = &key.kind
        else {
            return false;
        };
        let ast::ExprKind::Name(name) = &left.kind else {
            return false;
        };
        let (name, start, end) = (&name.text, key.span.start, cond.span.start);
        let message = "what of a set a condition keeps is written with `for` and `where`";
        let colon = Span {
            start: key.span.end,
            end,
        };
        self.report(
            Diagnostic::error(codes::TYPE_MISMATCH, span, message)
                .hint(format!("write `{{ {name} for {name} in … where … }}`"))
                .edit(Span { start, end: start }, format!("{name} for "))
                .edit(colon, " where "),
        );
        true
    }

    pub fn array_here(&mut self, span: Span) {
        self.report(
            Diagnostic::error(
                codes::TYPE_MISMATCH,
                span,
                "a whole array cannot stand here",
            )
            .hint("an array over one index stands in constants, initial values, payoffs, and in `sum`, `mean`, `min`, `max` and `share`; with several indices write `sum(p in Player, k in 1..2) e`"),
        );
    }

    fn all(&mut self, want: Option<&Type>, span: Span) -> Option<Expr> {
        match want {
            Some(Type::Set(element)) => self.full_set(element, span),
            _ => {
                self.needs_type("all", span);
                None
            }
        }
    }

    fn none(&mut self, want: Option<&Type>, span: Span) -> Option<Expr> {
        match want {
            Some(ty @ Type::Optional(_)) => Some(self.scalar(0, ty.clone(), span)),
            Some(Type::Set(_)) if self.frame.viewers => self.nobody(span),
            Some(ty) => {
                let mut d = Diagnostic::error(
                    codes::TYPE_MISMATCH,
                    span,
                    format!("{} is needed here, which is never `none`", said(ty)),
                );
                d = match ty {
                    Type::Set(_) => {
                        d.hint("the empty set is `{}`, and that of `none` is `{ none }`")
                    }
                    Type::Number { .. } => d.hint(
                        "no fraction can be `none`: give a number that stands for it, or ask first",
                    ),
                    _ => d.hint(format!("a place of type `{ty}?` can be `none`")),
                };
                self.report(d);
                None
            }
            None => {
                self.needs_type("none", span);
                None
            }
        }
    }

    pub fn needs_type(&mut self, what: &str, span: Span) {
        let hint = if what == "all" {
            "write the set itself, which the name of a type is: `Player`, `Suit`, `1..6`"
        } else {
            "say the type where the name is given, `let x: set of Player = …`, store it in a state variable of the type that is meant, or compare it with one"
        };
        self.report(without_type(what, span).hint(hint));
    }

    /// `{}` and `none` where a name is given to them without a type: `named` is the head of such a line with a type in it.
    pub fn refuse_untyped(
        &mut self,
        value: &ast::Expr,
        named: impl FnOnce(&str) -> String,
    ) -> Option<()> {
        let (what, ty) = match &value.kind {
            ast::ExprKind::Set(items) if items.is_empty() => ("{}", "set of Player"),
            ast::ExprKind::None => ("none", "Player?"),
            _ => return Some(()),
        };
        let hint = format!("say the type, for example `{} = {what}`", named(ty));
        self.report(without_type(what, value.span).hint(hint));
        None
    }

    /// `{}` where elements are taken, of which nothing says what they would be.
    pub fn refuse_empty(&mut self, set: &ast::Expr) -> Option<()> {
        match &set.kind {
            ast::ExprKind::Set(items) if items.is_empty() => {}
            _ => return Some(()),
        }
        let hint = "nothing can be taken from the empty set: write the one that is meant, `Player` or `{ 1, 2 }`";
        self.report(without_type("{}", set.span).hint(hint));
        None
    }

    // ---- names --------------------------------------------------------------------------------

    fn name(&mut self, name: &'a str, want: Option<&Type>, span: Span) -> Option<Expr> {
        if let Some(binding) = self.lookup_local(name) {
            return match binding.clone() {
                Binding::Value(e) | Binding::Event(e) => Some(self.narrowed(Expr { span, ..e })),
                Binding::Unset(at) => {
                    self.report(
                        Diagnostic::error(
                            codes::UNSET_NAME,
                            span,
                            format!("`{name}` has no value here when there was nothing to choose"),
                        )
                        .note(at, "the `else` of this choice goes on")
                        .hint("say what follows from the choice before the `else`, `… => x = n else { … }`; or leave the `else` with `continue`, `break` or `end`"),
                    );
                    None
                }
                Binding::Outdated { at, by_into } => {
                    self.report(
                        Diagnostic::error(
                            codes::UNSET_NAME,
                            span,
                            format!("what `{name}` is computed of has been stored to by here"),
                        )
                        .note(at, "it is computed here, before that")
                        .hint(match by_into {
                            true => format!("leave out the `into`, and store in a statement after the last use of `{name}`"),
                            false => format!("store in a statement after the last use of `{name}`"),
                        }),
                    );
                    None
                }
                Binding::Several(at) => {
                    self.report(
                        Diagnostic::error(
                            codes::AMBIGUOUS_NAME,
                            span,
                            format!("several players choose a `{name}`"),
                        )
                        .note(at, "in this block")
                        .hint("give what they choose different names, or store it with `into`"),
                    );
                    None
                }
                Binding::Place(place) => {
                    let i = place.var.0 as usize;
                    let of = self.var_items[i].name.text.as_str();
                    self.may_read(of, span)?;
                    self.may_read_note(i, span)?;
                    Some(self.read_var(i, place.indices.clone(), span))
                }
                Binding::Family(family) => {
                    self.whole_family(name, &family.index, span);
                    None
                }
                Binding::Poison => None,
            };
        }
        if let Some(value) = want.and_then(|ty| enum_value(ty, name)) {
            let (v, ty) = value;
            return Some(self.scalar(v, ty, span));
        }
        match self.names.decls.get(name).cloned() {
            Some(decl @ (Decl::Param(_) | Decl::Const(_))) => {
                let ConstValue { indices, expr } = self.declared_constant(&decl)?;
                if !indices.is_empty() {
                    self.wrong_indices(name, indices.len(), 0, span);
                    return None;
                }
                Some(Expr { span, ..expr })
            }
            Some(Decl::Type(item)) => {
                let ty = self.declared_type(item)?;
                self.full_set(&ty, span)
            }
            Some(Decl::Enum(e)) => {
                let ty = Type::Enum(self.cut(&e)?);
                self.full_set(&ty, span)
            }
            Some(Decl::Board(item)) => {
                let node = self.board(item)?.node.clone();
                self.full_set(&node, span)
            }
            Some(Decl::Var(i)) => self.var(i, &[], span),
            Some(Decl::Def(def)) => self.call_def(def, &[], want, span),
            Some(Decl::Player(seat)) => {
                let ty = self.player_type()?;
                if seat as u64 >= ty.size().unwrap_or(0) {
                    self.report_live(
                        Diagnostic::error(
                            codes::ABSENT,
                            span,
                            format!("`{name}` does not play under these params"),
                        )
                        .hint(
                            "put this under `match` on the param that sets the number of players",
                        ),
                    );
                    return None;
                }
                Some(self.scalar(seat as i64, ty, span))
            }
            Some(Decl::Team(team)) => self.team_set(team, span),
            None if name == "Player" => self.everyone(span),
            None if name == "bool" => self.full_set(&Type::Bool, span),
            None => self.enum_name(name, want, span),
        }
    }

    fn enum_name(&mut self, name: &str, want: Option<&Type>, span: Span) -> Option<Expr> {
        let found: Vec<(i64, Type)> = match self.names.enum_values.get(name).cloned() {
            Some(declared) => {
                let found = self.present(&declared)?;
                if let ([], [(first, _), ..]) = (found.as_slice(), declared.as_slice()) {
                    self.absent_value(name, first, span);
                    return None;
                }
                found
            }
            None => self.board_values(name),
        };
        if let [(value, ty)] = found.as_slice() {
            return Some(self.scalar(*value, ty.clone(), span));
        }
        if found.is_empty() {
            match want.and_then(enum_of) {
                Some(e) => self.unknown_value(name, &e, span),
                None => self.unknown_name(name, span),
            }
            return None;
        }
        let types: Vec<String> = found.iter().map(|(_, t)| format!("`{t}`")).collect();
        self.report(
            Diagnostic::error(
                codes::AMBIGUOUS_NAME,
                span,
                format!(
                    "`{name}` is a value of {}, and nothing here says which",
                    types.join(" and ")
                ),
            )
            .hint(match found.first() {
                Some((_, ty)) if !self.names.enum_values.contains_key(name) => format!(
                    "say the type where it gets a name: `let x: {ty} = {name}`, or `const s : set of {ty} = {{ {name} }}` for a set"
                ),
                _ => "compare or store it where the type is known, or rename one of the values"
                    .to_string(),
            }),
        );
        None
    }

    /// Reads an optional that is known to have a value as that value.
    pub fn narrowed(&mut self, e: Expr) -> Expr {
        let Type::Optional(inner) = &e.ty else {
            return e;
        };
        if !self.knows(&e) {
            return e;
        }
        let (ty, span) = ((**inner).clone(), e.span);
        let kind = ExprKind::Unwrap {
            value: Box::new(e),
            checked: false,
        };
        self.make(kind, ty, span)
    }

    fn may_read(&mut self, name: &str, span: Span) -> Option<()> {
        let Some(what) = self.frame.no_state else {
            return Some(());
        };
        self.report(
            Diagnostic::error(
                codes::NOT_CONSTANT,
                span,
                format!("`{name}` changes in play, and {what} is settled before"),
            )
            .hint(match what {
                MATCH_ARM => AN_IF,
                _ => "use params and constants here, and the names of the indices",
            }),
        );
        None
    }

    fn var(&mut self, i: usize, indices: &[&'a ast::Expr], span: Span) -> Option<Expr> {
        let item = self.var_items[i];
        self.may_read(&item.name.text, span)?;
        self.may_read_note(i, span)?;
        if !self.var_ok.get(i).copied().unwrap_or(false) {
            return None;
        }
        let types = self.vars[i].index_types();
        if indices.len() != types.len() {
            self.wrong_indices(&item.name.text, types.len(), indices.len(), span);
            return None;
        }
        let mut made = Vec::new();
        for (index, ty) in indices.iter().zip(&types) {
            made.push(self.expr_as(index, ty));
        }
        let made = made.into_iter().collect::<Option<Vec<_>>>()?;
        Some(self.read_var(i, made, span))
    }

    /// One element of a state variable.
    pub fn read_var(&mut self, i: usize, indices: Vec<Expr>, span: Span) -> Expr {
        let ty = self.vars[i].ty.clone();
        let kind = ExprKind::Var {
            var: VarId(i as u32),
            indices,
        };
        let e = self.make(kind, ty, span);
        self.narrowed(e)
    }

    fn indexed(&mut self, e: &'a ast::Expr, span: Span) -> Option<Expr> {
        let (root, indices) = flatten(e);
        if let ast::ExprKind::Error = root.kind {
            return None;
        }
        if let ast::ExprKind::Name(ast::Name { text: name, .. }) = &root.kind {
            match self.lookup_local(name).cloned() {
                Some(Binding::Family(family)) => {
                    return self.member_of(name, &family, &indices, span);
                }
                // What is wrong with the name is told by itself.
                Some(
                    Binding::Poison
                    | Binding::Unset(_)
                    | Binding::Several(_)
                    | Binding::Outdated { .. },
                ) => {
                    self.name(name, None, root.span);
                    return None;
                }
                _ => {}
            }
        }
        if let ast::ExprKind::Name(ast::Name { text: name, .. }) = &root.kind
            && self.lookup_local(name).is_none()
        {
            match self.names.decls.get(name.as_str()).cloned() {
                Some(Decl::Var(i)) => return self.var(i, &indices, span),
                Some(decl @ (Decl::Param(_) | Decl::Const(_))) => {
                    let value = self.declared_constant(&decl)?;
                    if value.indices.len() != indices.len() {
                        self.wrong_indices(name, value.indices.len(), indices.len(), span);
                        return None;
                    }
                    let mut at = Vec::new();
                    for (index, ty) in indices.iter().zip(&value.indices) {
                        at.push(self.expr_as(index, ty)?);
                    }
                    return Some(self.read_const(value.expr, at, span));
                }
                None if BUILT_IN.contains(&name.as_str()) => {
                    self.type_with_indices(name, root.span);
                    return None;
                }
                None if !self.names.enum_values.contains_key(name.as_str()) => {
                    self.unknown_name(name, root.span);
                    return None;
                }
                _ => {}
            }
        }
        self.report(
            Diagnostic::error(
                codes::WRONG_INDICES,
                root.span,
                "only state variables and constants have indices",
            )
            .hint(instead_of_indices(root)),
        );
        None
    }

    fn type_with_indices(&mut self, name: &str, span: Span) {
        let message = format!("`{name}` is a type, and its values have no numbers");
        let problem = Diagnostic::error(codes::MISUSED_NAME, span, message);
        self.report(match name {
            "Player" => problem.hint(
                "name the player who is meant; each of them in turn is `each p in Player { … }`",
            ),
            _ => problem.hint("its values are `true` and `false`"),
        });
    }

    /// One element of a constant array.
    pub fn read_const(&mut self, array: Expr, indices: Vec<Expr>, span: Span) -> Expr {
        let mut e = array;
        for index in indices {
            let Type::Array { element: inner, .. } = &e.ty else {
                break;
            };
            let ty = (**inner).clone();
            let kind = ExprKind::Element {
                array: Box::new(e),
                index: Box::new(index),
            };
            e = if ty.is_scalar() || matches!(ty, Type::Set(_)) {
                let e = self.make(kind, ty, span);
                self.narrowed(e)
            } else {
                Expr { kind, ty, span }
            };
        }
        e
    }

    // ---- products -----------------------------------------------------------------------------

    fn field(&mut self, a: &'a ast::Expr, field: &'a ast::Name, span: Span) -> Option<Expr> {
        if self.refuse_owner(a, field) || self.refuse_owned_value(a, field) {
            return None;
        }
        let a = self.expr(a, None)?;
        let a = self.settled(a);
        let Type::Product(product) = a.ty.clone() else {
            if let Type::Optional(_) = a.ty {
                self.maybe_none(&a);
                return None;
            }
            self.report(
                Diagnostic::error(
                    codes::UNKNOWN_FIELD,
                    field.span,
                    format!("{} has no fields", said(&a.ty)),
                )
                .hint(self.instead_of_field(&field.text)),
            );
            return None;
        };
        let Some(i) = product.fields.iter().position(|(n, _)| *n == field.text) else {
            self.unknown_field(&product, field);
            return None;
        };
        let ty = product.fields[i].1.clone();
        let kind = ExprKind::Field {
            record: Box::new(a),
            field: i,
        };
        let e = self.make(kind, ty, span);
        Some(self.narrowed(e))
    }

    fn unknown_field(&mut self, product: &ProductType, field: &ast::Name) {
        let names: Vec<&str> = product.fields.iter().map(|(n, _)| n.as_str()).collect();
        let whole = Type::Product(Arc::new(product.clone()));
        let message = format!("`{whole}` has no field `{}`", field.text);
        let problem = Diagnostic::error(codes::UNKNOWN_FIELD, field.span, message);
        self.report(match nearest(&field.text, names.iter().copied()) {
            Some(near) => problem.did_you_mean(near),
            None => problem.hint(format!("its fields are {}", names.join(", "))),
        });
    }

    fn record(
        &mut self,
        fields: &'a [(ast::Name, ast::Expr)],
        want: Option<&Type>,
        span: Span,
    ) -> Option<Expr> {
        let Some(Type::Product(product)) = want.map(base) else {
            let mut types = Vec::new();
            let mut values = Vec::new();
            for (name, value) in fields {
                let value = self.expr(value, None)?;
                types.push((name.text.clone(), value.ty.clone()));
                values.push(value);
            }
            let ty = Type::Product(Arc::new(ProductType {
                name: None,
                fields: types,
                text: None,
            }));
            if ty.size().is_none() {
                self.report(Diagnostic::error(
                    codes::TYPE_MISMATCH,
                    span,
                    "the fields of a product are single values of finite types",
                ));
                return None;
            }
            return Some(self.make(ExprKind::Record(values), ty, span));
        };
        let product = product.clone();
        let mut slots: Vec<Option<Expr>> = vec![None; product.fields.len()];
        let mut ok = true;
        for (name, value) in fields {
            let Some(i) = product.fields.iter().position(|(n, _)| *n == name.text) else {
                self.unknown_field(&product, name);
                ok = false;
                continue;
            };
            match self.expr_as(value, &product.fields[i].1) {
                Some(value) => slots[i] = Some(value),
                None => ok = false,
            }
        }
        if !ok {
            return None;
        }
        if let Some(i) = slots.iter().position(Option::is_none) {
            self.report(
                Diagnostic::error(
                    codes::UNKNOWN_FIELD,
                    span,
                    format!("the field `{}` is missing", product.fields[i].0),
                )
                .hint(format!("add `{}: …`", product.fields[i].0)),
            );
            return None;
        }
        let values = slots.into_iter().flatten().collect();
        Some(self.make(ExprKind::Record(values), Type::Product(product), span))
    }

    /// What stands after `let x =` or `let x: T =`.
    pub fn let_value(&mut self, ty: Option<&'a ast::Type>, value: &'a ast::Expr) -> Option<Expr> {
        let Some(ty) = ty else {
            self.refuse_untyped(value, |ty| format!("let x: {ty}"))?;
            return self.expr(value, None);
        };
        let ty = self.type_of(ty)?;
        self.expr_as(value, &ty)
    }

    fn let_expr(
        &mut self,
        name: &'a ast::Name,
        value: Option<Expr>,
        body: &'a ast::Expr,
        want: Option<&Type>,
    ) -> Option<Expr> {
        self.scoped(|this| match this.bind_value(name, value) {
            Some((id, value)) => {
                let body = this.expr(body, want)?;
                Some(this.let_in(id, value, body))
            }
            None => this.expr(body, want),
        })
    }

    /// Gives a value a name. What comes back must still be bound; a constant need not be.
    pub fn bind_value(
        &mut self,
        name: &ast::Name,
        value: Option<Expr>,
    ) -> Option<(crate::model::LocalId, Expr)> {
        let Some(value) = value else {
            self.bind(name, Binding::Poison);
            return None;
        };
        if super::checker::is_const(&value) {
            self.bind(name, Binding::Value(value));
            return None;
        }
        let id = self.bind_local(name, Some(value.ty.clone()))?;
        if self.has_any(&value) {
            let (key, nonempty) = (Key::Local(id), true);
            self.frame.facts.push(Fact { key, nonempty });
        }
        Some((id, value))
    }

    fn reveal(
        &mut self,
        value: &'a ast::Expr,
        to: Option<&'a ast::Expr>,
        want: Option<&Type>,
        span: Span,
    ) -> Option<Expr> {
        if let Some(what) = self.frame.no_reveal {
            self.report(
                Diagnostic::error(
                    codes::MISPLACED_REVEAL,
                    span,
                    format!("nothing can be revealed in {what}"),
                )
                .hint("reveal it in a statement before: `let x = reveal(…)`"),
            );
        }
        if self.is_array(value) {
            self.whole_row(value, false);
            return None;
        }
        let outer = self.frame.no_reveal;
        self.frame.no_reveal = outer.or(Some("another `reveal`"));
        let value = self.expr(value, want);
        self.frame.no_reveal = outer;
        let viewers = match to {
            Some(to) => self.event_viewers(to),
            None => self.everyone(span),
        };
        let (mut value, viewers) = (value?, viewers?);
        if let Some(want) = want
            && join(&value.ty, want).is_some()
            && !matches!(want, Type::Number { .. })
            && matches!(want, Type::Optional(_))
        {
            value = self.coerce(value, want)?;
        }
        let site = self.new_site(SiteKind::Reveal, span);
        let ty = value.ty.clone();
        let kind = ExprKind::Reveal {
            site,
            value: Box::new(value),
            viewers: Box::new(viewers),
        };
        Some(self.make(kind, ty, span))
    }
}

/// The root of `a[i][j]` and its indices, outermost first.
pub fn flatten(e: &ast::Expr) -> (&ast::Expr, Vec<&ast::Expr>) {
    let mut indices = Vec::new();
    let mut root = e;
    while let ast::ExprKind::Index {
        array: base,
        indices: inner,
    } = &root.kind
    {
        indices.splice(0..0, inner.iter());
        root = base;
    }
    (root, indices)
}

/// The type inside `?`.
pub fn base(ty: &Type) -> &Type {
    match ty {
        Type::Optional(inner) => inner,
        ty => ty,
    }
}

/// The enum that is expected, of an optional or a set too.
fn enum_of(ty: &Type) -> Option<Arc<EnumType>> {
    let ty = match ty {
        Type::Set(element) => base(element),
        ty => base(ty),
    };
    match ty {
        Type::Enum(e) => Some(e.clone()),
        _ => None,
    }
}

/// The value that a name has in an expected enum.
fn enum_value(ty: &Type, name: &str) -> Option<(i64, Type)> {
    let e = enum_of(ty)?;
    let i = e.values.iter().position(|v| v.name == name)?;
    Some((i as i64, Type::Enum(e)))
}

fn without_type(what: &str, span: Span) -> Diagnostic {
    let message = format!("nothing here says what `{what}` is of");
    Diagnostic::error(codes::NEEDS_TYPE, span, message)
}

/// What to write for indices of something that has none.
fn instead_of_indices(root: &ast::Expr) -> &'static str {
    let called = match &root.kind {
        ast::ExprKind::Call { function, .. } => super::habits::instead_of_call(&function.text),
        ast::ExprKind::Map { .. } | ast::ExprKind::Set(_) => {
            Some("give the values a name: `const pays : [Player] 0..9 = { … }`, and then `pays[p]`")
        }
        _ => None,
    };
    called.unwrap_or("a def takes its arguments in round brackets: `f(x)`")
}
