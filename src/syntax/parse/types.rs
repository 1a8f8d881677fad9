//! Types, and the indices of arrays.

use super::{Piece, Reader, Rule};
use crate::syntax::ast::{EnumValue, Index, Type, TypeKind};

impl<'t> Reader<'t> {
    pub(super) fn ty(&mut self, piece: Piece<'t>) -> Type {
        let span = self.span(&piece);
        let read = |reader: &mut Self| {
            let mut kind = None;
            for part in piece.into_inner() {
                if part.as_rule() == Rule::question {
                    if let Some(inner) = kind.take() {
                        let end = reader.span(&part).end;
                        let inner = Type {
                            kind: inner,
                            span: crate::text::span::Span {
                                start: span.start,
                                end: end - 1,
                            },
                        };
                        kind = Some(match inner.kind {
                            // `T??` means no more than `T?`.
                            TypeKind::Optional(_) => inner.kind,
                            _ => TypeKind::Optional(Box::new(inner)),
                        });
                    }
                } else if part.as_rule() != Rule::nest {
                    kind = reader.type_kind(part);
                }
            }
            kind
        };
        let kind = self.deeper(1, span, read).flatten();
        Type {
            kind: kind.unwrap_or(TypeKind::Bool),
            span,
        }
    }

    fn type_kind(&mut self, piece: Piece<'t>) -> Option<TypeKind> {
        let rule = piece.as_rule();
        let mut inner = piece.into_inner();
        match rule {
            Rule::type_name => {
                let mut words = inner
                    .filter(|p| matches!(p.as_rule(), Rule::ident | Rule::word))
                    .map(|p| self.name(&p));
                let (name, of) = (words.next()?, words.next());
                Some(match (name.text.as_str(), &of) {
                    ("bool", None) => TypeKind::Bool,
                    ("number", None) => TypeKind::Number,
                    _ => TypeKind::Named { name, of },
                })
            }
            Rule::set_type => {
                let ty = inner.find(|p| p.as_rule() == Rule::ty)?;
                Some(TypeKind::Set(Box::new(self.ty(ty))))
            }
            Rule::enum_type => {
                let values = inner.find(|p| p.as_rule() == Rule::enum_values)?;
                Some(TypeKind::Enum(self.enum_values(values)))
            }
            Rule::range_type => {
                let mut bounds = inner.filter(|p| p.as_rule() == Rule::bound);
                let (low, high) = (bounds.next()?, bounds.next()?);
                Some(TypeKind::Range {
                    low: Box::new(self.expr(low)),
                    high: Box::new(self.expr(high)),
                })
            }
            Rule::product_type => {
                let mut fields = Vec::new();
                for field in inner.filter(|p| p.as_rule() == Rule::field_type) {
                    fields.extend(self.named_type(field));
                }
                Some(TypeKind::Product(fields))
            }
            _ => None,
        }
    }

    /// `name : type`.
    pub(super) fn named_type(
        &mut self,
        piece: Piece<'t>,
    ) -> Option<(crate::syntax::ast::Name, Type)> {
        let (mut name, mut ty) = (None, None);
        for part in piece.into_inner() {
            match part.as_rule() {
                Rule::ident => name = Some(self.name(&part)),
                Rule::ty => ty = Some(self.ty(part)),
                _ => {}
            }
        }
        Some((name?, ty?))
    }

    pub(super) fn enum_values(&mut self, piece: Piece<'t>) -> Vec<EnumValue> {
        let mut values = Vec::new();
        for value in piece
            .into_inner()
            .filter(|p| p.as_rule() == Rule::enum_value)
        {
            let (mut name, mut text) = (None, None);
            for part in value.into_inner() {
                match part.as_rule() {
                    Rule::ident => name = Some(self.name(&part)),
                    Rule::text => text = Some(part.as_str().trim_matches('"').to_owned()),
                    _ => {}
                }
            }
            values.extend(name.map(|name| EnumValue { name, text }));
        }
        values
    }

    /// `[p: Player]` or `[Player]`.
    pub(super) fn index(&mut self, piece: Piece<'t>) -> Option<Index> {
        let span = self.span(&piece);
        let (mut name, mut ty) = (None, None);
        for part in piece.into_inner() {
            match part.as_rule() {
                Rule::index_name => name = part.into_inner().next().map(|p| self.name(&p)),
                Rule::ty => ty = Some(self.ty(part)),
                _ => {}
            }
        }
        Some(Index {
            name,
            ty: ty?,
            span,
        })
    }
}
