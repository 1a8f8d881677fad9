//! Expressions.

use super::{Block, Name, Quoted, Type, Wording};
use crate::syntax::visit::{NameKind, Reference, Visitor};
use crate::text::span::Span;

#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    Int(i64),
    /// A literal with a decimal point, digits kept: `27.8` is exactly 278/10.
    Decimal(String),
    Bool(bool),
    Name(Name),
    /// `all`: the full set of the type that is expected here.
    All,
    /// `none`: no value of an optional, or nobody.
    None,
    /// `{ a, b }`; `{}` is the empty set.
    Set(Vec<Expr>),
    /// `1..4` as a set of integers.
    Range {
        low: Box<Expr>,
        high: Box<Expr>,
    },
    /// `{ e for x in S where c, y in T }`.
    Comprehension {
        body: Box<Expr>,
        binders: Vec<Binder>,
    },
    /// `{ ace: 1, king: 2, else: 0 }`: an array by its entries.
    Map {
        entries: Vec<(Expr, Expr)>,
        otherwise: Option<Box<Expr>>,
    },
    /// `{ "x.o" "..." }`: an array over the cells of a board, row by row.
    Rows(Vec<Quoted>),
    /// `[p in Player] e`: an array by a formula.
    Array {
        binder: Box<Binder>,
        body: Box<Expr>,
    },
    Unary {
        op: UnaryOp,
        value: Box<Expr>,
    },
    Binary {
        op: BinaryOp,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// `if c then a else b`.
    If {
        cond: Box<Expr>,
        then: Box<Expr>,
        otherwise: Box<Expr>,
    },
    /// `match e { a, b => x  else => y }`.
    Match {
        scrutinee: Box<Expr>,
        arms: Vec<MatchArm<Expr>>,
    },
    /// `let x = e; body`, `let x: T = e; body`.
    Let {
        name: Name,
        ty: Option<Box<Type>>,
        value: Box<Expr>,
        body: Box<Expr>,
    },
    /// `a[i]`; `a[i][j]` and `a[i, j]` are the same.
    Index {
        array: Box<Expr>,
        indices: Vec<Expr>,
    },
    Field {
        record: Box<Expr>,
        field: Name,
    },
    /// A function of a board: `Board.next(c)`.
    Method {
        board: Box<Expr>,
        function: Name,
        args: Vec<Expr>,
    },
    /// `size(S)`, `next(x, k)`, a def, a builtin.
    Call {
        function: Name,
        args: Vec<Expr>,
    },
    /// `(rank: r, suit: s)`.
    Record(Vec<(Name, Expr)>),
    /// `some x in S, y in T: c`, `every …`, `no …`, `count …`.
    Quantified {
        quantifier: Quantifier,
        binders: Vec<Binder>,
        body: Box<Expr>,
    },
    /// `sum(x in S where c, y in T) e`, `min(…) e`, `argmax(…) e`, `union(…) e`.
    Aggregate {
        op: Aggregate,
        binders: Vec<Binder>,
        body: Box<Expr>,
    },
    /// `reveal(e)`, `reveal(e to p)` or `reveal(e) as "…"`. Of `as "…" else "…"` the condition is the value, with its span.
    Reveal {
        value: Box<Expr>,
        to: Option<Box<Expr>>,
        text: Option<Box<Wording>>,
    },
    /// `e after { … }`: the value that e would have after the statements, which are then undone.
    After {
        value: Box<Expr>,
        body: Block,
    },
    /// Put where the text could not be read; the problem has been reported.
    Error,
}

/// `x in S where c`.
#[derive(Clone, Debug, PartialEq)]
pub struct Binder {
    pub name: Name,
    pub domain: Expr,
    pub cond: Option<Expr>,
    pub span: Span,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Neg,
    Not,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// Integers and numbers; union of sets.
    Add,
    /// Integers and numbers; difference of sets.
    Sub,
    Mul,
    /// `/`: numbers only.
    Over,
    /// `div`: integers, rounded down.
    Div,
    /// `mod`: integers, with the sign of the divisor.
    Mod,
    /// `&`: intersection of sets.
    Intersect,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    In,
    /// `not in`: of an element only.
    NotIn,
    /// `S before x`: the elements of S that come before x.
    Before,
    And,
    Or,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Quantifier {
    Some,
    Every,
    No,
    Count,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Aggregate {
    Min,
    Max,
    Sum,
    Argmin,
    Argmax,
    Union,
}

#[derive(Clone, Debug, PartialEq)]
pub struct MatchArm<T> {
    pub patterns: Vec<Pattern>,
    pub body: T,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Pattern {
    /// A constant expression.
    Value(Expr),
    Else(Span),
}

impl Expr {
    /// The name that stands here alone.
    pub fn as_name(&self) -> Option<&Name> {
        match &self.kind {
            ExprKind::Name(name) => Some(name),
            _ => None,
        }
    }

    pub fn walk<'a, V: Visitor<'a> + ?Sized>(&'a self, v: &mut V) {
        let Expr { kind, span } = self;
        match kind {
            ExprKind::Int(_)
            | ExprKind::Decimal(_)
            | ExprKind::Bool(_)
            | ExprKind::All
            | ExprKind::None
            | ExprKind::Rows(_)
            | ExprKind::Error => {}
            ExprKind::Name(name) => v.refer(name, Reference::Value),
            ExprKind::Set(elements) => elements.iter().for_each(|e| v.expr(e)),
            ExprKind::Range { low, high } => {
                v.expr(low);
                v.expr(high);
            }
            ExprKind::Comprehension { body, binders } => {
                Binder::walk_all(binders, v, *span, |v| v.expr(body));
            }
            ExprKind::Map { entries, otherwise } => {
                for (key, value) in entries {
                    v.expr(key);
                    v.expr(value);
                }
                otherwise.iter().for_each(|e| v.expr(e));
            }
            ExprKind::Array { binder, body } => binder.walk(v, *span, |v| v.expr(body)),
            ExprKind::Unary { op: _, value } => v.expr(value),
            ExprKind::Binary { op: _, left, right } => {
                v.expr(left);
                v.expr(right);
            }
            ExprKind::If {
                cond,
                then,
                otherwise,
            } => {
                v.expr(cond);
                v.expr(then);
                v.expr(otherwise);
            }
            ExprKind::Match { scrutinee, arms } => {
                v.expr(scrutinee);
                for MatchArm {
                    patterns,
                    body,
                    span: _,
                } in arms
                {
                    Pattern::walk_all(patterns, v);
                    v.expr(body);
                }
            }
            ExprKind::Let {
                name,
                ty,
                value,
                body,
            } => {
                ty.iter().for_each(|ty| v.ty(ty));
                v.expr(value);
                v.enter(*span);
                v.bind(name, NameKind::Let);
                v.expr(body);
                v.leave();
            }
            ExprKind::Index { array, indices } => {
                v.expr(array);
                indices.iter().for_each(|e| v.expr(e));
            }
            ExprKind::Field { record, field } => {
                v.expr(record);
                let of = record.as_name();
                v.refer(field, Reference::Field { of });
            }
            ExprKind::Method {
                board,
                function,
                args,
            } => {
                v.expr(board);
                v.refer(function, Reference::BoardFunction);
                args.iter().for_each(|e| v.expr(e));
            }
            ExprKind::Call { function, args } => {
                v.refer(function, Reference::Function);
                args.iter().for_each(|e| v.expr(e));
            }
            ExprKind::Record(fields) => {
                for (name, value) in fields {
                    v.refer(name, Reference::Written);
                    v.expr(value);
                }
            }
            ExprKind::Quantified {
                quantifier: _,
                binders,
                body,
            }
            | ExprKind::Aggregate {
                op: _,
                binders,
                body,
            } => Binder::walk_all(binders, v, *span, |v| v.expr(body)),
            ExprKind::Reveal { value, to, text } => {
                v.expr(value);
                to.iter().for_each(|e| v.expr(e));
                text.iter().for_each(|text| text.walk_beside(v, value));
            }
            ExprKind::After { value, body } => {
                v.expr(value);
                v.block(body);
            }
        }
    }
}

impl Binder {
    /// Goes through the binder and, where its name is known, through what it is for.
    pub fn walk<'a, V: Visitor<'a> + ?Sized>(
        &'a self,
        v: &mut V,
        scope: Span,
        rest: impl FnOnce(&mut V),
    ) {
        Binder::walk_all(std::slice::from_ref(self), v, scope, rest);
    }

    /// As `walk`, for names that run one in another.
    pub(super) fn walk_all<'a, V: Visitor<'a> + ?Sized>(
        binders: &'a [Binder],
        v: &mut V,
        scope: Span,
        rest: impl FnOnce(&mut V),
    ) {
        for binder in binders {
            let Binder {
                name,
                domain,
                cond,
                span: _,
            } = binder;
            v.expr(domain);
            v.enter(scope);
            v.bind(name, NameKind::Element);
            cond.iter().for_each(|e| v.expr(e));
        }
        rest(v);
        for _ in binders {
            v.leave();
        }
    }
}

impl Pattern {
    pub(super) fn walk_all<'a, V: Visitor<'a> + ?Sized>(patterns: &'a [Pattern], v: &mut V) {
        for pattern in patterns {
            match pattern {
                Pattern::Value(e) => v.expr(e),
                Pattern::Else(_) => {}
            }
        }
    }
}
