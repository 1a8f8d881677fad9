//! Types as they are written to types as they are.

use super::checker::{Checker, Frame, MAX_SCALAR, MAX_SET};
use super::codes;
use super::declare::{BUILT_IN, Decl, enum_type};
use super::habits;
use crate::model::types::{self, ProductText, ProductType, Type};
use crate::syntax::ast::{self, TypeKind};
use crate::text::diagnostics::Diagnostic;
use crate::text::nearest::nearest;
use crate::text::span::Span;
use std::sync::Arc;

impl<'a> Checker<'a> {
    pub fn resolve_types(&mut self) {
        let file: &'a ast::File = self.file;
        for item in &file.items {
            if let ast::Item::Type(item) = item {
                self.declared_type(item);
            }
        }
    }

    pub fn type_of(&mut self, t: &'a ast::Type) -> Option<Type> {
        self.type_called(t, None)
    }

    fn type_called(&mut self, t: &'a ast::Type, item: Option<&'a ast::TypeItem>) -> Option<Type> {
        self.deeper(t.span, |this| this.type_inner(t, item))
    }

    fn type_inner(&mut self, t: &'a ast::Type, item: Option<&'a ast::TypeItem>) -> Option<Type> {
        let ty = match &t.kind {
            TypeKind::Range { low: a, high: b } => {
                let (lo, hi) = (self.constant_int(a), self.constant_int(b));
                let (lo, hi) = (lo?, hi?);
                if lo > hi {
                    self.report_live(
                        Diagnostic::error(
                            codes::EMPTY_RANGE,
                            t.span,
                            format!("the range {lo}..{hi} has no values"),
                        )
                        .hint("the lower end comes first"),
                    );
                    return None;
                }
                Type::Int { lo, hi }
            }
            TypeKind::Bool => Type::Bool,
            TypeKind::Number => Type::Number {
                den: 1,
                lo: 0,
                hi: 0,
            },
            TypeKind::Enum(values) => {
                let name = item.map_or("", |i| i.name.text.as_str());
                Type::Enum(Arc::new(enum_type(name, values)))
            }
            TypeKind::Named { name, of: None } => self.named_type(&name.text, t.span)?,
            TypeKind::Named { name, of: Some(of) } => {
                self.board_type(&name.text, &of.text, t.span)?
            }
            TypeKind::Product(fields) => self.product(fields, item, t.span)?,
            TypeKind::Optional(inner) => {
                let ty = self.type_of(inner)?;
                if matches!(
                    ty,
                    Type::Set(_) | Type::Optional(_) | Type::Number { .. } | Type::Array { .. }
                ) {
                    self.report(
                        Diagnostic::error(
                            codes::TYPE_MISMATCH,
                            t.span,
                            format!("`{ty}` cannot be optional"),
                        )
                        .hint("`?` stands after a type of single values; an empty set is `{}`"),
                    );
                    return None;
                }
                Type::optional(ty)
            }
            TypeKind::Set(inner) => {
                let ty = self.type_of(inner)?;
                self.set_type(ty, t.span)?
            }
        };
        if ty.is_scalar()
            && !matches!(ty, Type::Number { .. })
            && ty.size().is_none_or(|n| n > MAX_SCALAR)
        {
            self.report_live(
                Diagnostic::error(
                    codes::TOO_LARGE,
                    t.span,
                    format!("this type has more than 2^62 values ({})", size_said(&ty)),
                )
                .hint("give it a smaller range"),
            );
            return None;
        }
        Some(ty)
    }

    /// `set of element`, where sets over it can be laid out.
    pub fn set_type(&mut self, element: Type, span: Span) -> Option<Type> {
        if !element.is_scalar() || matches!(element, Type::Number { .. }) {
            self.report(
                Diagnostic::error(
                    codes::TYPE_MISMATCH,
                    span,
                    format!("there are no sets of `{element}`"),
                )
                .hint("the elements of a set are single values of a finite type"),
            );
            return None;
        }
        match element.size() {
            Some(n) if n <= MAX_SET => Some(Type::set_of(element)),
            _ => {
                self.report_live(
                    Diagnostic::error(
                        codes::TOO_LARGE,
                        span,
                        format!(
                            "the elements of this set range over {} values; at most {MAX_SET} can be laid out",
                            size_said(&element)
                        ),
                    )
                    .hint("give the elements a smaller range"),
                );
                None
            }
        }
    }

    fn named_type(&mut self, name: &str, span: Span) -> Option<Type> {
        if name == "Player" {
            return self.player_type();
        }
        match self.names.decls.get(name).cloned() {
            Some(Decl::Board(item)) => Some(self.board(item)?.node.clone()),
            Some(Decl::Type(item)) => self.declared_type(item),
            Some(Decl::Enum(e)) => self.cut(&e).map(Type::Enum),
            Some(other) => {
                self.report(
                    Diagnostic::error(
                        codes::MISUSED_NAME,
                        span,
                        format!("`{name}` is {}, and a type must stand here", other.noun()),
                    )
                    .hint(match other {
                        Decl::Team(_) => format!(
                            "write `Player`: an array for all players leaves those of others as they begin, and a set is `set of Player = {name}`"
                        ),
                        _ => "types are declared with `type` or `enum`".to_string(),
                    }),
                );
                None
            }
            None if self.is_lost(name) => None,
            None => {
                let types = self
                    .names
                    .order
                    .iter()
                    .copied()
                    .filter(|n| {
                        matches!(
                            self.names.decls.get(n),
                            Some(Decl::Type(_) | Decl::Enum(_) | Decl::Board(_))
                        )
                    })
                    .chain(BUILT_IN);
                let mut d = Diagnostic::error(
                    codes::UNKNOWN_TYPE,
                    span,
                    format!("there is no type `{name}`"),
                );
                let near = nearest(name, types);
                d = match near.or((name == "boolean" || name == "Boolean").then_some("bool")) {
                    Some(near) => d.did_you_mean(near),
                    None if let Some(hint) = habits::type_called(name) => d.hint(hint),
                    None => d.hint(format!(
                        "declare it: type {name} = 1..10, or enum {name} {{ … }}"
                    )),
                };
                self.report(d);
                None
            }
        }
    }

    pub fn declared_type(&mut self, item: &'a ast::TypeItem) -> Option<Type> {
        let name = item.name.text.as_str();
        if let Some(done) = self.types.get(name) {
            return done.clone();
        }
        let ty = self.resolving(name, item.name.span, |this| {
            let frame = Frame {
                no_state: Some("a type"),
                no_reveal: Some("a type"),
                ..Frame::default()
            };
            this.in_frame(frame, |this| this.type_called(&item.ty, Some(item)))
        });
        if let (Some(text), Some(ty)) = (&item.text, &ty)
            && !matches!(ty, Type::Product(_))
        {
            self.report(
                Diagnostic::error(
                    codes::TYPE_MISMATCH,
                    text.span,
                    "only a product type has a text of its own",
                )
                .hint("the values of an enum have theirs one by one: enum Rank { ace \"A\" }"),
            );
        }
        self.types.insert(name, ty.clone());
        ty
    }

    fn product(
        &mut self,
        fields: &'a [(ast::Name, ast::Type)],
        item: Option<&'a ast::TypeItem>,
        span: Span,
    ) -> Option<Type> {
        let mut made: Vec<(String, Type)> = Vec::new();
        let mut ok = true;
        for (name, ty) in fields {
            if made.iter().any(|(n, _)| *n == name.text) {
                self.report(
                    Diagnostic::error(
                        codes::DUPLICATE_NAME,
                        name.span,
                        format!("two fields are called `{}`", name.text),
                    )
                    .hint("give one of them another name"),
                );
                ok = false;
            }
            match self.type_of(ty) {
                Some(t) if t.is_scalar() && !matches!(t, Type::Number { .. }) => {
                    made.push((name.text.clone(), t));
                }
                Some(t) if matches!(t, Type::Set(_)) && t.field_size().is_some() => {
                    made.push((name.text.clone(), t));
                }
                Some(t @ Type::Set(_)) => {
                    let most = types::MAX_SET_FIELD;
                    self.report(
                        Diagnostic::error(
                            codes::TYPE_MISMATCH,
                            ty.span,
                            format!("a field cannot be `{t}`: it has more than {most} elements"),
                        )
                        .hint(format!(
                            "keep it in a variable of its own, beside what it belongs to: `{} : [T] {t}`",
                            name.text
                        )),
                    );
                    ok = false;
                }
                Some(t) => {
                    self.report(
                        Diagnostic::error(
                            codes::TYPE_MISMATCH,
                            ty.span,
                            format!("a field cannot be `{t}`"),
                        )
                        .hint("fields are single values of a finite type, and small sets of such"),
                    );
                    ok = false;
                }
                None => ok = false,
            }
        }
        if !ok || made.is_empty() {
            if ok {
                self.report(Diagnostic::error(
                    codes::EMPTY_RANGE,
                    span,
                    "a product needs a field",
                ));
            }
            return None;
        }
        let text = item
            .and_then(|i| i.text.as_ref())
            .and_then(|text| self.product_text(text, &made));
        Some(Type::Product(Arc::new(ProductType {
            name: item.map(|i| i.name.text.clone()),
            fields: made,
            text,
        })))
    }

    fn product_text(
        &mut self,
        text: &ast::Text,
        fields: &[(String, Type)],
    ) -> Option<Vec<ProductText>> {
        let mut parts = Vec::new();
        for part in &text.parts {
            match part {
                ast::TextPart::Literal(s) => parts.push(ProductText::Literal(s.clone())),
                ast::TextPart::Hole(e) => {
                    let field = match &e.kind {
                        ast::ExprKind::Name(ast::Name { text: n, .. }) => {
                            fields.iter().position(|(f, _)| f == n)
                        }
                        ast::ExprKind::Error => return None,
                        _ => None,
                    };
                    let Some(i) = field else {
                        let names: Vec<&str> = fields.iter().map(|(n, _)| n.as_str()).collect();
                        self.report(
                            Diagnostic::error(
                                codes::UNKNOWN_FIELD,
                                e.span,
                                "the text of a product is made of its fields",
                            )
                            .hint(format!("its fields are {}", names.join(", "))),
                        );
                        return None;
                    };
                    parts.push(ProductText::Field(i));
                }
            }
        }
        Some(parts)
    }

    /// Resolves a declaration once, and finds those that need themselves.
    pub fn resolving<T>(
        &mut self,
        name: &'a str,
        span: Span,
        body: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        if let Some(at) = self.resolving.iter().position(|n| *n == name) {
            let round: Vec<String> = self.resolving[at..]
                .iter()
                .chain([&name])
                .map(|n| format!("`{n}`"))
                .collect();
            self.report(
                Diagnostic::error(
                    codes::CYCLE,
                    span,
                    format!("`{name}` needs itself: {}", round.join(" needs ")),
                )
                .hint("give one of them a value that does not depend on the others"),
            );
            return None;
        }
        self.resolving.push(name);
        let result = body(self);
        self.resolving.pop();
        result
    }
}

fn size_said(ty: &Type) -> String {
    ty.size()
        .map_or_else(|| "more than 2^63".to_string(), |n| n.to_string())
}
