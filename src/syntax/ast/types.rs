//! Types as they are written.

use super::{EnumValue, Expr, Name};
use crate::syntax::visit::{NameKind, Reference, Visitor};
use crate::text::span::Span;

#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    pub kind: TypeKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    /// `1..cards`.
    Range {
        low: Box<Expr>,
        high: Box<Expr>,
    },
    Bool,
    /// Exact rationals, in constants, params and payoffs.
    Number,
    /// `enum { open, closed }` written in place.
    Enum(Vec<EnumValue>),
    /// A declared name, `Player`, or a type that a board brings: `Board.cell`, `Board.direction`.
    Named {
        name: Name,
        of: Option<Name>,
    },
    /// `(rank: Rank, suit: Suit)`.
    Product(Vec<(Name, Type)>),
    Optional(Box<Type>),
    Set(Box<Type>),
}

impl Type {
    pub fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        let Type { kind, span: _ } = self;
        match kind {
            TypeKind::Range { low, high } => {
                v.expr(low);
                v.expr(high);
            }
            TypeKind::Bool | TypeKind::Number => {}
            TypeKind::Enum(values) => EnumValue::walk_all(values, v),
            TypeKind::Named { name, of } => {
                v.refer(name, Reference::Type);
                of.iter().for_each(|of| v.refer(of, Reference::BoardType));
            }
            TypeKind::Product(fields) => {
                for (name, ty) in fields {
                    v.declare(name, NameKind::Field, name.span.to(ty.span));
                    v.ty(ty);
                }
            }
            TypeKind::Optional(ty) | TypeKind::Set(ty) => v.ty(ty),
        }
    }
}
