//! What a function asks of the check about the call that it stands in.

use crate::model::boards::Board;
use crate::model::types::Type;
use crate::model::{Expr, ExprKind, FoldOp, LocalId, PlayerSet, Rows};
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;

/// What a table of a board is known by: the word for it, and the labels of the edges that count, all without it.
pub type TableKey = (&'static str, Option<Vec<u64>>);

/// One call in a text, by the numbers of its arguments. Whatever comes out as `None` has been reported.
pub trait Caller {
    fn span(&self) -> Span;

    /// How many arguments there are.
    fn count(&self) -> usize;

    /// Whether there are from `least` to `most` arguments.
    fn arity(&mut self, least: usize, most: usize) -> Option<()>;

    /// Reports that there are not as many arguments as are `wanted`, in words: `at least 2 arguments`.
    fn wrong_arguments(&mut self, wanted: &str);

    /// The type that the call should have, where that is known.
    fn wanted(&self) -> Option<Type>;

    // ---- arguments ----------------------------------------------------------------------------

    fn arg_span(&self, i: usize) -> Span;

    /// An argument; `want` decides only what its own text leaves open.
    fn arg(&mut self, i: usize, want: Option<&Type>) -> Option<Expr>;

    /// An argument of a type.
    fn arg_as(&mut self, i: usize, ty: &Type) -> Option<Expr>;

    /// A set over an element type, or one element for the set of it.
    fn arg_as_set(&mut self, i: usize, element: &Type) -> Option<Expr>;

    /// Whether an argument means nothing without an expected type.
    fn is_needy(&self, i: usize) -> bool;

    /// Whether an argument is written out, or is a constant of which no type is said.
    fn is_untyped(&self, i: usize) -> bool;

    /// Whether an argument is an array. There are no values that are arrays: it is asked for by its number.
    fn is_array(&mut self, i: usize) -> bool;

    fn array_index(&mut self, i: usize) -> Option<Type>;

    /// A fold over every element of an array.
    fn fold_array(&mut self, op: FoldOp, i: usize) -> Option<Expr>;

    // ---- what values must be ------------------------------------------------------------------

    /// A single value of a finite type, certainly there.
    fn value(&mut self, e: Expr) -> Option<Expr>;

    fn set(&mut self, e: Expr) -> Option<Expr>;

    fn integer(&mut self, e: Expr) -> Option<Expr>;

    /// An integer that is not negative, checked in play where it might be.
    fn natural(&mut self, e: Expr) -> Option<Expr>;

    /// An integer or a number.
    fn numeric(&mut self, e: &Expr) -> Option<()>;

    /// The same value where a type is expected.
    fn coerce(&mut self, e: Expr, to: &Type) -> Option<Expr>;

    /// Both values in the least type that holds them.
    fn unify(&mut self, a: Expr, b: Expr) -> Option<(Expr, Expr, Type)>;

    /// Whether a set certainly has elements here.
    fn is_nonempty(&self, set: &Expr) -> bool;

    /// The words of what is known before play.
    fn constant(&mut self, e: &Expr) -> Option<Vec<u64>>;

    // ---- what is made -------------------------------------------------------------------------

    fn make(&mut self, kind: ExprKind, ty: Type) -> Expr;

    fn new_local(&mut self, ty: Type) -> LocalId;

    /// A fold over the elements of a set.
    fn fold(&mut self, op: FoldOp, local: LocalId, domain: Expr, body: Expr) -> Option<Expr>;

    /// Exact division.
    fn divide(&mut self, a: Expr, b: Expr) -> Option<Expr>;

    /// An element of a table of numerators over one denominator, one for each value of the index.
    fn looked_up(&mut self, numerators: Vec<i64>, den: i64, index: Expr) -> Expr;

    /// An element of an array of constants.
    fn element(&mut self, array: Expr, indices: Vec<Expr>) -> Expr;

    /// A table of a board, made once for each key.
    fn table(&mut self, board: &Board, key: TableKey, rows: &dyn Fn() -> Vec<Vec<u64>>) -> Rows;

    // ---- the game -----------------------------------------------------------------------------

    fn players(&mut self) -> Option<Type>;

    /// The name of the board whose nodes are of a type.
    fn board_of(&mut self, nodes: &Type) -> Option<String>;

    /// The teams that have somebody, and each of the other players alone.
    fn sides(&self) -> Vec<PlayerSet>;

    // ---- problems -----------------------------------------------------------------------------

    fn report(&mut self, problem: Diagnostic);

    /// Reports a problem about sizes, unless the params rule this place out anyway.
    fn report_live(&mut self, problem: Diagnostic);

    /// Reports results that may not fit 64 bits.
    fn overflow(&mut self);

    /// Reports an array where none can stand.
    fn array_here(&mut self);
}

/// `let id = value; body` as an expression.
pub fn let_in(call: &mut dyn Caller, id: LocalId, value: Expr, body: Expr) -> Expr {
    let ty = body.ty.clone();
    let kind = ExprKind::Let {
        local: id,
        value: Box::new(value),
        body: Box::new(body),
    };
    call.make(kind, ty)
}
