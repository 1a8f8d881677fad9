//! What can be asked of a board, one function a file: look-ups in constant tables, and ways over sets of nodes. To add
//! one, write its file and put it into the list below.

mod around;
mod at;
mod degree;
mod group;
mod hops;
mod lines;
mod next;
mod place;
mod reach;
mod run;
mod sight;
mod step;
mod steps;
mod touching;
mod via;

use super::caller::let_in;
use super::{Caller, Doc, Primitive, TableKey};
use crate::model::boards::{Board, Lattice, node_set};
use crate::model::types::Type;
use crate::model::{Expr, ExprKind, FoldOp, Rows, codes};
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// The most words that a table of numbered steps may have.
const MOST_WORDS: usize = 1 << 22;

/// All of them; suggestions come in this order.
pub static BOARD_FUNCTIONS: &[&dyn BoardFunction] = &[
    &next::Next,
    &degree::Degree,
    &reach::Reach,
    &hops::Hops,
    &around::Around,
    &group::Group,
    &via::Via,
    &step::Step,
    &steps::Steps,
    &run::RUN,
    &run::LINE,
    &sight::Sight,
    &at::At,
    &lines::COLUMN,
    &lines::ROW,
    &place::COLUMN_OF,
    &place::ROW_OF,
    &touching::Touching,
];

/// A function that a text can call of a board.
pub trait BoardFunction: Sync {
    fn name(&self) -> &'static str;

    /// How it is written after the name of the board.
    fn form(&self) -> &'static str;

    /// Its rows in the table of functions of boards in `docs/language.md`.
    fn docs(&self) -> &'static [Doc];

    fn needs(&self) -> Needs {
        Needs::Nothing
    }

    /// The call as an expression of the model, with its type. The board has what the function needs.
    fn check(&self, call: &mut dyn Caller, board: &Board) -> Option<Expr>;
}

/// What a board must have for a function.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Needs {
    Nothing,
    /// Edges with labels.
    Labels,
    /// Rows and columns.
    Lattice,
    /// Cells that touch at corners.
    Corners,
}

impl Needs {
    pub fn met(self, board: &Board) -> bool {
        match self {
            Needs::Nothing => true,
            Needs::Labels => board.label.is_some(),
            Needs::Lattice => board.lattice.is_some(),
            Needs::Corners => board.lattice.as_ref().is_some_and(|l| l.touching.is_some()),
        }
    }
}

// ---- what several of them are made of -----------------------------------------------------------

/// The type of a set of nodes.
fn nodes(board: &Board) -> Type {
    Type::set_of(board.node.clone())
}

/// A set of nodes for each list.
fn node_sets(board: &Board, lists: &[Vec<u32>]) -> Vec<Vec<u64>> {
    let set = |list: &Vec<u32>| node_set(board, list.iter().map(|n| *n as usize));
    lists.iter().map(set).collect()
}

/// By node, its neighbours; by edges with some labels only.
fn neighbours(call: &mut dyn Caller, board: &Board, labels: Option<Vec<u64>>) -> Rows {
    call.table(board, ("next", labels.clone()), &|| {
        node_sets(board, &board.neighbours(labels.as_deref()))
    })
}

/// By cell and direction, the next cell, if there is one.
fn steps(call: &mut dyn Caller, board: &Board) -> Rows {
    call.table(board, ("step", None), &|| {
        let lattice = board.lattice.iter();
        let steps = lattice.flat_map(|l| l.steps.iter().flatten());
        steps
            .map(|to| vec![to.map_or(0, |n| u64::from(n) + 1)])
            .collect()
    })
}

/// An argument that is a constant set of directions, or one of them: its words.
fn constant_directions(
    call: &mut dyn Caller,
    argument: usize,
    lattice: &Lattice,
) -> Option<Vec<u64>> {
    let ways = call.arg_as_set(argument, &lattice.direction)?;
    if let Some(words) = call.constant(&ways) {
        return Some(words);
    }
    call.report(
        Diagnostic::error(
            codes::NOT_CONSTANT,
            ways.span,
            "these directions must be known before play",
        )
        .hint("write them out, `{ north, east }`, or give a constant a name: `const ways = { north, east }`"),
    );
    None
}

/// The third argument as a number of steps, with the type of these; `words`: how many each makes of the table that is asked.
fn step_count(
    call: &mut dyn Caller,
    lattice: &Lattice,
    words: usize,
) -> Option<(Expr, RangeInclusive<u32>)> {
    let given = call.arg(2, None)?;
    let given = call.integer(given)?;
    let longest = lattice.longest();
    let (lo, hi) = given.ty.bounds().unwrap_or((0, 0));
    let within = |n: i64| n.clamp(0, i64::from(longest)) as u32;
    let counts = match hi < 0 || lo > i64::from(longest) {
        true => 0..=longest,
        false => within(lo)..=within(hi),
    };
    let ways = lattice.steps.iter().map(Vec::len).sum::<usize>();
    if counts.clone().count().saturating_mul(ways * words) > MOST_WORDS {
        call.report(
            Diagnostic::error(
                codes::TOO_LARGE,
                given.span,
                "there are too many steps on this board to know where all of them lead",
            )
            .hint("give the number of steps a smaller type"),
        );
        return None;
    }
    let count = call.coerce(given, &count_type(&counts))?;
    Some((count, counts))
}

/// The type of these numbers of steps.
fn count_type(counts: &RangeInclusive<u32>) -> Type {
    let (lo, hi) = (i64::from(*counts.start()), i64::from(*counts.end()));
    Type::Int { lo, hi }
}

/// What a table of so many steps is known by.
fn count_key(word: &'static str, counts: &RangeInclusive<u32>) -> TableKey {
    let ends = [counts.start(), counts.end()].map(|n| u64::from(*n));
    (word, Some(ends.to_vec()))
}

/// By cell, direction and number of steps, what is made of the cell that these lead to, if they lead to any.
fn each_step(
    lattice: &Lattice,
    counts: &RangeInclusive<u32>,
    row: impl Fn(Option<u32>) -> Vec<u64>,
) -> Vec<Vec<u64>> {
    let mut rows = Vec::new();
    for (cell, ways) in lattice.steps.iter().enumerate() {
        for way in 0..ways.len() {
            let cells = lattice.ray(cell, way).map(Some);
            let cells = std::iter::once(Some(cell as u32)).chain(cells);
            let all = cells.chain(std::iter::repeat(None));
            let asked = all.skip(*counts.start() as usize);
            rows.extend(asked.take(counts.clone().count()).map(&row));
        }
    }
    rows
}

/// A table as a constant array.
fn array<const N: usize>(rows: Rows, indices: [Type; N], element: Type, span: Span) -> Expr {
    let ty = indices.into_iter().rev().fold(element, |t, i| Type::Array {
        index: Arc::new(i),
        element: Arc::new(t),
    });
    let kind = ExprKind::ConstArray(rows);
    Expr { kind, ty, span }
}

/// What a table holds at a node.
fn at_node(call: &mut dyn Caller, board: &Board, rows: Rows, element: Type, node: Expr) -> Expr {
    let table = array(rows, [board.node.clone()], element, call.span());
    call.element(table, vec![node])
}

/// The union of what `read` gives at one node for some labels or directions.
fn union_over(
    call: &mut dyn Caller,
    over: Expr,
    node: Expr,
    read: impl Fn(&mut dyn Caller, Expr, Expr) -> Expr,
) -> Option<Expr> {
    if let ExprKind::SetOf(items) = &over.kind
        && let [one] = items.as_slice()
    {
        return Some(read(call, one.clone(), node));
    }
    let span = call.span();
    let id = call.new_local(node.ty.clone());
    let held = Expr::local(id, node.ty.clone(), span);
    let element = over.ty.element()?.clone();
    let local = call.new_local(element.clone());
    let each = Expr::local(local, element, span);
    let body = read(call, each, held);
    let all = call.fold(FoldOp::Union, local, over, body)?;
    Some(let_in(call, id, node, all))
}

/// A call in the model that reads a table.
fn asked(function: &'static dyn Primitive, table: Rows, args: Vec<Expr>) -> ExprKind {
    ExprKind::Call {
        function,
        args,
        table: Some(table),
    }
}
