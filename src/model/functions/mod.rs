//! The functions of the language, one a file: what it is called, what the reference says of it, which arguments it takes
//! and what type it then has, and what it does. To add one, write its file and put it into the list below.
//!
//! A function asks the check through a [`Caller`] and says what it does in [`Operation`]s, so that it knows neither the check
//! nor the instructions. The operations are its value on constants and its code.

mod abs;
mod argmax;
pub mod board;
mod caller;
mod extreme;
mod mean;
mod next;
mod only;
mod operations;
mod opponent;
mod pow;
mod share;
mod sign;
mod size;
mod subsets;
mod sum;
mod team;
mod top;

pub use caller::{Caller, TableKey};
pub use next::Next;
pub use operations::{Failure, Number, Op, Operation, Operations, Set};
pub use size::Size;

use super::types::Type;
use super::{Expr, ExprKind, FoldOp, Rows};

/// All of them. `reveal(e)` is no function but a form of the grammar.
pub static FUNCTIONS: &[&dyn Function] = &[
    &Size,
    &Next,
    &opponent::Opponent,
    &sign::Sign,
    &abs::Abs,
    &extreme::MIN,
    &extreme::MAX,
    &argmax::ARGMIN,
    &argmax::ARGMAX,
    &sum::Sum,
    &mean::Mean,
    &pow::Pow,
    &share::Share,
    &only::Only,
    &top::Top,
    &subsets::Subsets,
    &team::Team,
];

pub fn named(name: &str) -> Option<&'static dyn Function> {
    FUNCTIONS.iter().copied().find(|f| f.name() == name)
}

/// A function that a text can call.
pub trait Function: Sync {
    fn name(&self) -> &'static str;

    /// Its rows in the table of functions in `docs/language.md`. Opposites share them.
    fn docs(&self) -> &'static [Doc];

    /// The call as an expression of the model, with its type; what is wrong with the call is reported.
    fn check(&self, call: &mut dyn Caller) -> Option<Expr>;

    /// Where the result is an array, which no expression is: how to make its elements.
    fn as_array(&self) -> Option<&dyn ArrayFunction> {
        None
    }
}

/// A row of the table of functions in the reference.
pub struct Doc {
    /// How it is written.
    pub form: &'static str,
    pub result: &'static str,
    pub what: &'static str,
}

impl std::fmt::Display for Doc {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Doc { form, result, what } = self;
        match *result {
            "" => write!(f, "| {form} | | {what} |"),
            _ => write!(f, "| {form} | {result} | {what} |"),
        }
    }
}

/// A function of an array that is an array over the same index.
pub trait ArrayFunction {
    /// The element at an index.
    fn element(&self, call: &mut dyn Caller, index: &Expr) -> Option<Expr>;
}

/// A function that stands in the model as a call ([`ExprKind::Call`]); all others are written out in terms of these, of
/// operators and of tables.
pub trait Primitive: std::fmt::Debug + Sync {
    /// What it does: all operations but the last, which is returned. It may look at the types of the arguments, and at those
    /// that are [known](Operations::known).
    fn build<'c>(&self, call: &Call<'c>, operations: &mut dyn Operations) -> Option<Operation<'c>>;

    /// Whether it has a value whatever its arguments are. One with a table always has.
    fn is_total(&self, _args: &[Expr]) -> bool {
        false
    }

    /// Where the result is a part of a set: of which argument, and the most elements that it has.
    fn part<'c>(&self, _args: &'c [Expr]) -> Option<(&'c Expr, u64)> {
        None
    }

    /// Where the result is a set that loses nothing as an argument, itself a set, grows: which.
    fn grows_with(&self) -> Option<usize> {
        None
    }

    /// Whether the cells of a board are gone through for it, and more is done than to look it up.
    fn goes_through_cells(&self) -> bool {
        false
    }

    /// Whether the result is the line of cells through one, its arguments the cell, the direction and the set of all.
    fn is_line(&self) -> bool {
        false
    }

    /// Whether the result is the run of cells behind one, its arguments the cell, the direction and the set of all.
    fn is_run(&self) -> bool {
        false
    }

    /// Whether the result is how many elements its one argument has.
    fn is_count(&self) -> bool {
        false
    }

    /// Which element of its one argument the result is: `FoldOp::Min` for the least, `FoldOp::Max` for the greatest.
    fn extreme(&self) -> Option<FoldOp> {
        None
    }

    /// Whether it has a value for every set that has an element, its one argument.
    fn is_total_of_elements(&self) -> bool {
        false
    }

    /// Whether the result is nothing but an element of its one argument: drawn, if that was drawn.
    fn is_in_argument(&self) -> bool {
        false
    }
}

/// A call in the model.
pub struct Call<'c> {
    pub args: &'c [Expr],
    /// What the board that it asks looks like, if it asks one.
    pub table: Option<&'c Rows>,
    /// Of the result.
    pub ty: &'c Type,
}

impl<'c> Call<'c> {
    pub fn arg(&self, i: usize) -> Option<&'c Expr> {
        self.args.get(i)
    }
}

fn called(function: &'static dyn Primitive, args: Vec<Expr>) -> ExprKind {
    ExprKind::Call {
        function,
        args,
        table: None,
    }
}
