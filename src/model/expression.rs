//! Expressions: every name resolved, every type known.

use super::functions::Primitive;
use super::statement::Block;
use super::types::Type;
use super::visit::Visitor;
use super::{LocalId, Rows, SiteId, VarId};
use crate::text::span::Span;

#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: ExprKind,
    pub ty: Type,
    pub span: Span,
}

impl Expr {
    /// A constant scalar.
    pub fn scalar(value: i64, ty: Type, span: Span) -> Expr {
        let kind = ExprKind::Const(value);
        Expr { kind, ty, span }
    }

    /// Without changes of type.
    pub fn uncast(&self) -> &Expr {
        match &self.kind {
            ExprKind::Cast(inner) => inner.uncast(),
            _ => self,
        }
    }

    pub fn local(local: LocalId, ty: Type, span: Span) -> Expr {
        let kind = ExprKind::Local(local);
        Expr { kind, ty, span }
    }
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A scalar constant, by value.
    Const(i64),
    /// A set constant, by the words of its bits in the numbering of `ty`.
    ConstSet(Vec<u64>),
    /// An array of constants in row-major order, by value; read through `Element`.
    ConstArray(Rows),
    Local(LocalId),
    /// A state variable, or one element of it. With fewer indices than the variable has, an array.
    Var {
        var: VarId,
        indices: Vec<Expr>,
    },
    /// One element of an array that is not a variable (`ConstArray` or `Array`).
    Element {
        array: Box<Expr>,
        index: Box<Expr>,
    },
    /// An array by a formula; the local runs over the index type.
    Array {
        local: LocalId,
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
    If {
        cond: Box<Expr>,
        then: Box<Expr>,
        otherwise: Box<Expr>,
    },
    /// Arms by the values of a scalar scrutinee; the last entry is the `else`, or unreachable when the arms cover the type.
    Match {
        scrutinee: Box<Expr>,
        arms: Vec<MatchArm<Expr>>,
        otherwise: Option<Box<Expr>>,
    },
    Let {
        local: LocalId,
        value: Box<Expr>,
        body: Box<Expr>,
    },
    /// A field of a record by its number.
    Field {
        record: Box<Expr>,
        field: usize,
    },
    Record(Vec<Expr>),
    /// A set by its elements, each already of the element type.
    SetOf(Vec<Expr>),
    /// The integers from `low` to `high`, as a set of `ty`.
    RangeSet {
        low: Box<Expr>,
        high: Box<Expr>,
    },
    /// The value of an optional. `checked`: it may be `none`, which is an error of play.
    Unwrap {
        value: Box<Expr>,
        checked: bool,
    },
    /// The same value as another type: a wider or narrower integer range (narrower is checked in play), T as T?, an
    /// integer as a number, a set over another element range (elements that do not exist there are an error of play).
    Cast(Box<Expr>),
    /// A call of a function, with what it asks a board about, if it is of a board.
    Call {
        function: &'static dyn Primitive,
        args: Vec<Expr>,
        table: Option<Rows>,
    },
    /// Everything that runs a local over a set.
    Fold(Box<Fold>),
    /// The value that an expression has after statements without choices, chance or events, which are then undone.
    After {
        body: Block,
        value: Box<Expr>,
    },
    /// `reveal(value to viewers)`: an event, whose value its viewers then know.
    Reveal {
        site: SiteId,
        value: Box<Expr>,
        viewers: Box<Expr>,
    },
    /// A value that has just been revealed to viewers, under the conditions under which this is computed.
    Told {
        value: Box<Expr>,
        viewers: Box<Expr>,
    },
    /// A call of a shown def: the inlined body, which its viewers know whatever it reads. `def` indexes
    /// `Description::shown`; `args` are its arguments.
    Shown {
        def: usize,
        args: Vec<Expr>,
        value: Box<Expr>,
    },
}

impl Expr {
    /// Goes through what stands directly inside, in the order in which it is evaluated.
    pub fn walk<'d>(&'d self, visitor: &mut (impl Visitor<'d> + ?Sized)) {
        match &self.kind {
            ExprKind::Const(_)
            | ExprKind::ConstSet(_)
            | ExprKind::ConstArray(_)
            | ExprKind::Local(_) => {}
            ExprKind::Var { indices: list, .. }
            | ExprKind::SetOf(list)
            | ExprKind::Record(list)
            | ExprKind::Call { args: list, .. } => list.iter().for_each(|e| visitor.expr(e)),
            ExprKind::Array { body: e, .. }
            | ExprKind::Unary { value: e, .. }
            | ExprKind::Field { record: e, .. }
            | ExprKind::Unwrap { value: e, .. }
            | ExprKind::Cast(e) => visitor.expr(e),
            ExprKind::Element { array: a, index: b }
            | ExprKind::Binary {
                left: a, right: b, ..
            }
            | ExprKind::RangeSet { low: a, high: b }
            | ExprKind::Let {
                value: a, body: b, ..
            }
            | ExprKind::Reveal {
                value: a,
                viewers: b,
                ..
            }
            | ExprKind::Told {
                value: a,
                viewers: b,
            } => [a, b].into_iter().for_each(|e| visitor.expr(e)),
            ExprKind::If {
                cond,
                then,
                otherwise,
            } => [cond, then, otherwise]
                .into_iter()
                .for_each(|e| visitor.expr(e)),
            ExprKind::Match {
                scrutinee,
                arms,
                otherwise,
            } => {
                visitor.expr(scrutinee);
                arms.iter().for_each(|arm| visitor.expr(&arm.body));
                otherwise.iter().for_each(|e| visitor.expr(e));
            }
            ExprKind::Fold(fold) => {
                visitor.expr(&fold.domain);
                fold.cond.iter().for_each(|e| visitor.expr(e));
                visitor.expr(&fold.body);
            }
            ExprKind::Shown { args, value, .. } => {
                args.iter().for_each(|e| visitor.expr(e));
                visitor.expr(value);
            }
            ExprKind::After { body, value } => {
                visitor.block(body);
                visitor.expr(value);
            }
        }
    }
}

impl ExprKind {
    /// The expressions that it is computed from, where they are none of its own branches or bodies.
    pub fn operands_mut(&mut self) -> Vec<&mut Expr> {
        match self {
            ExprKind::Var { indices: list, .. }
            | ExprKind::SetOf(list)
            | ExprKind::Record(list)
            | ExprKind::Call { args: list, .. } => list.iter_mut().collect(),
            ExprKind::Unary { value: e, .. }
            | ExprKind::Field { record: e, .. }
            | ExprKind::Unwrap { value: e, .. }
            | ExprKind::Cast(e) => vec![e],
            ExprKind::Element { array: a, index: b }
            | ExprKind::Binary {
                left: a, right: b, ..
            }
            | ExprKind::RangeSet { low: a, high: b } => vec![a, b],
            _ => Vec::new(),
        }
    }

    /// What stands directly inside; `None` where that are statements.
    pub fn children_mut(&mut self) -> Option<Vec<&mut Expr>> {
        Some(match self {
            ExprKind::After { .. } => return None,
            ExprKind::Array { body: e, .. } => vec![e],
            ExprKind::Let {
                value: a, body: b, ..
            }
            | ExprKind::Reveal {
                value: a,
                viewers: b,
                ..
            }
            | ExprKind::Told {
                value: a,
                viewers: b,
            } => vec![a, b],
            ExprKind::If {
                cond,
                then,
                otherwise,
            } => vec![cond, then, otherwise],
            ExprKind::Match {
                scrutinee,
                arms,
                otherwise,
            } => {
                let arms = arms.iter_mut().map(|arm| &mut arm.body);
                let otherwise = otherwise.iter_mut().map(|e| &mut **e);
                std::iter::once(&mut **scrutinee)
                    .chain(arms)
                    .chain(otherwise)
                    .collect()
            }
            ExprKind::Fold(fold) => {
                let Fold {
                    domain, cond, body, ..
                } = &mut **fold;
                let cond = cond.iter_mut();
                [domain, body].into_iter().chain(cond).collect()
            }
            ExprKind::Shown { args, value, .. } => args.iter_mut().chain([&mut **value]).collect(),
            kind => kind.operands_mut(),
        })
    }
}

/// What a `match` does for some values of its scrutinee.
#[derive(Clone, Debug)]
pub struct MatchArm<T> {
    pub values: Vec<i64>,
    pub body: T,
}

#[derive(Clone, Debug)]
pub struct Fold {
    pub op: FoldOp,
    pub local: LocalId,
    /// A set.
    pub domain: Expr,
    pub cond: Option<Expr>,
    /// For `SetOf` the element, for `Some`… the condition, otherwise the value.
    pub body: Expr,
}

impl Fold {
    /// Whether it gives elements of its set as they are: those for which the condition holds, or all.
    pub fn is_filter(&self) -> bool {
        let itself = matches!(self.body.kind, ExprKind::Local(local) if local == self.local);
        itself && self.op == FoldOp::SetOf && self.domain.ty.element() == Some(&self.body.ty)
    }
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum FoldOp {
    Some,
    Every,
    No,
    Count,
    /// Of nothing: an error of play.
    Min,
    /// Of nothing: an error of play.
    Max,
    Sum,
    /// The set of those elements of the domain at which the body is least.
    Argmin,
    Argmax,
    /// The union of sets.
    Union,
    /// `{ e for x in S where c }`.
    SetOf,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    Neg,
    Not,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// On integers; on numbers both operands have the denominator of the result.
    Add,
    Sub,
    /// On numbers the denominators multiply.
    Mul,
    /// Rounded down; the divisor is never 0 by its type.
    Div,
    Mod,
    Union,
    Difference,
    Intersect,
    /// On two scalars or two sets of the same type.
    Eq,
    Ne,
    /// On two scalars, by value; on two sets of the same type, by `types::compare_sets`.
    Lt,
    Le,
    Gt,
    Ge,
    /// `x in S`; false when x is no value of the element type.
    In,
    /// The elements of the set a that come before the scalar b.
    Before,
    And,
    Or,
    /// `a in b` where both are sets: every element of a is one of b.
    Subset,
}
