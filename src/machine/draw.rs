//! Boards as a player sees them: which mark each cell shows.
//!
//! A cell is where its name says: `b3` is in column b and row 3. Drawn are the variables that say something of cells — sets
//! of them, places of single pieces, a value for each — as far as the viewer sees them, and nothing else is read. Graphs
//! have no rows and columns and are not drawn.

use super::interpret::{Silent, run};
use super::view::sees;
use super::{Machine, State};
use crate::check::description::{BoardLayout, Description, ExprKind, KnowledgeKind, Var, VarId};
use crate::check::types::{EnumType, Type};
use crate::check::walk;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;
use std::sync::Arc;

/// What an empty cell shows.
const EMPTY: &str = ".";

/// The most marks on boards of one kind; further variables stay text.
const MOST_MARKS: usize = 12;

/// One board.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Drawing {
    /// The name of the board.
    pub name: String,
    /// From left to right.
    pub columns: Vec<String>,
    /// From top to bottom: the name of the row, and what its cells show from left to right.
    pub rows: Vec<(String, Vec<String>)>,
    /// Cells are hexagons: each row begins half a cell further right than the one above.
    pub slanted: bool,
    /// The marks with the variables that they stand for.
    pub legend: Vec<(String, String)>,
    /// The variables that can be read off the drawing, by their names in [`super::View`].
    pub shown: Vec<String>,
}

/// A variable that says something of cells.
struct Layer {
    var: VarId,
    name: String,
    /// Texts that its mark may begin with, best first.
    calls: [String; 2],
    /// The cells in it, by ordinal.
    cells: Vec<u64>,
    /// For a variable with a value for each cell: what this cell shows, `None` if nothing.
    value: Option<Option<String>>,
}

/// Where the cells of a board lie.
struct Shape {
    columns: Vec<String>,
    rows: Vec<String>,
    slanted: bool,
    /// By the ordinal of the cell: its row from the top and its column from the left.
    places: Vec<(usize, usize)>,
}

impl Machine {
    /// The boards of the game as a player sees them; `None` sees everything. A board of which the viewer sees no variable
    /// is left out. The viewer's layout says what the cells show, if it has one that can be worked out; otherwise each
    /// variable gets a mark of its own.
    pub fn draw(&self, state: &State, viewer: Option<usize>) -> Vec<Drawing> {
        let mut boards: Vec<(Arc<EnumType>, Vec<Layer>)> = Vec::new();
        for info in &self.program.slots {
            let Some(id) = info.var else { continue };
            let slots = &self.program.vars[id.0 as usize];
            let element = (info.slot - slots.base) / u32::from(slots.words);
            let mask = slots.viewers[element as usize];
            let var = self.description().var(id);
            if var.note || viewer.is_some_and(|v| !sees(u64::from(mask), v)) {
                continue;
            }
            let words: SmallVec<[u64; 8]> = (0..u32::from(slots.words))
                .map(|w| self.read(state, info.slot + w))
                .collect();
            let Some((board, layer)) = layer((id, var), &info.name, u64::from(element), &words)
            else {
                continue;
            };
            match boards.iter_mut().find(|(known, _)| known == board) {
                Some((_, layers)) => layers.push(layer),
                None => boards.push((board.clone(), vec![layer])),
            }
        }
        let description = self.description();
        let drawn = boards.into_iter().filter_map(|(board, layers)| {
            let shape = shape(description, &board)?;
            let laid = viewer.and_then(|v| self.laid_out(state, &board, v));
            Some(match laid {
                Some((cells, layout)) => laid_drawing(&board, shape, &layers, &cells, layout),
                None => drawing(&board, shape, layers),
            })
        });
        drawn.collect()
    }

    /// What a viewer's layout of a board says of each cell; `None` without one, or where an error of its rules is in the
    /// way.
    fn laid_out(
        &self,
        state: &State,
        board: &Arc<EnumType>,
        viewer: usize,
    ) -> Option<(Vec<String>, &BoardLayout)> {
        let (entry, layout) = self.knowledge_of(viewer).find_map(|(i, k)| match &k.kind {
            KnowledgeKind::Layout(layout) => {
                let ty = &self.description().local(layout.cell).ty;
                (*ty == Type::Enum(board.clone())).then_some((i, layout))
            }
            _ => None,
        })?;
        let code = self.program.knowledge.get(entry)?;
        let of_state = code.of_state.as_ref()?;
        let rule = of_state.values.first()?.0.slot;
        let cell = code.cell?;
        let mut marks = Vec::with_capacity(board.values.len());
        for i in 0..board.values.len() {
            let mut frame = self.unpack(state);
            frame[code.me as usize] = viewer as u64;
            frame[cell as usize] = i as u64;
            run(&self.program, &mut frame, of_state.code, &mut Silent).ok()?;
            let mark = (frame[rule as usize] as usize).checked_sub(1);
            let mark = mark.and_then(|r| layout.marks.get(r)).cloned();
            marks.push(mark.unwrap_or_default());
        }
        Some((marks, layout))
    }
}

/// What one element of a variable says of the cells of a board.
fn layer<'v>(
    (id, var): (VarId, &'v Var),
    name: &str,
    element: u64,
    words: &[u64],
) -> Option<(&'v Arc<EnumType>, Layer)> {
    let last = var.indices.last().map(|(_, ty)| ty);
    let index = last.map(|ty| {
        let size = ty.size().unwrap_or(1).max(1);
        (ty, element % size)
    });
    let called = index.map(|(ty, i)| ty.show(ty.value_at(i)));
    let made = |cells, value| Layer {
        var: id,
        name: name.to_string(),
        calls: [called.clone().unwrap_or_default(), var.name.clone()],
        cells,
        value,
    };
    match (&var.ty, index) {
        (Type::Set(ty), _) if let Type::Enum(board) = &**ty => {
            let holds = |i: &u64| words[(i / 64) as usize] >> (i % 64) & 1 == 1;
            let cells = (0..board.values.len() as u64).filter(holds).collect();
            Some((board, made(cells, None)))
        }
        (Type::Enum(board), _) => Some((board, made(vec![words[0]], None))),
        (Type::Optional(ty), _) if let Type::Enum(board) = &**ty => Some((
            board,
            made(words[0].checked_sub(1).into_iter().collect(), None),
        )),
        (ty, Some((Type::Enum(board), cell))) if ty.is_scalar() => {
            let value = words[0] as i64;
            let blank = value == 0 && matches!(ty, Type::Optional(_) | Type::Bool);
            let text = if *ty == Type::Bool {
                "#".to_string()
            } else {
                ty.show(value)
            };
            Some((board, made(vec![cell], Some((!blank).then_some(text)))))
        }
        _ => None,
    }
}

/// A board as a layout says. The variables that it reads can be read off it.
fn laid_drawing(
    board: &EnumType,
    shape: Shape,
    layers: &[Layer],
    marks: &[String],
    layout: &BoardLayout,
) -> Drawing {
    let mut read: Vec<VarId> = Vec::new();
    walk::expr(&layout.rule, &mut |e| {
        if let ExprKind::Var(id, _) = e.kind {
            read.push(id);
        }
    });
    let mut cells = vec![vec![String::new(); shape.columns.len()]; shape.rows.len()];
    for (&(row, column), mark) in shape.places.iter().zip(marks) {
        cells[row][column].clone_from(mark);
    }
    let shown = layers.iter().filter(|layer| read.contains(&layer.var));
    let shown = shown.map(|layer| layer.name.clone()).collect();
    finished(board, shape, cells, Vec::new(), shown)
}

fn drawing(board: &EnumType, shape: Shape, layers: Vec<Layer>) -> Drawing {
    let mut cells = vec![vec![String::new(); shape.columns.len()]; shape.rows.len()];
    let (mut legend, mut shown): (Vec<(String, String)>, Vec<String>) = (Vec::new(), Vec::new());
    for layer in layers {
        let text = match layer.value {
            Some(None) => {
                shown.push(layer.name);
                continue;
            }
            Some(Some(text)) => text,
            None => {
                let Some(mark) = mark(&layer.calls, &legend) else {
                    continue;
                };
                legend.push((mark.clone(), layer.name.clone()));
                mark
            }
        };
        for cell in layer.cells {
            if let Some(&(row, column)) = shape.places.get(cell as usize) {
                cells[row][column].push_str(&text);
            }
        }
        shown.push(layer.name);
    }
    finished(board, shape, cells, legend, shown)
}

fn finished(
    board: &EnumType,
    shape: Shape,
    mut cells: Vec<Vec<String>>,
    legend: Vec<(String, String)>,
    shown: Vec<String>,
) -> Drawing {
    for cell in cells.iter_mut().flatten().filter(|c| c.is_empty()) {
        cell.push_str(EMPTY);
    }
    Drawing {
        name: board.name.clone(),
        columns: shape.columns,
        rows: std::iter::zip(shape.rows, cells).collect(),
        slanted: shape.slanted,
        legend,
        shown,
    }
}

/// A letter or digit that stands for nothing else yet.
fn mark(calls: &[String; 2], legend: &[(String, String)]) -> Option<String> {
    let [index, name] = calls;
    let first = index.chars().take(1).chain(name.chars());
    let named = first.chain(index.chars().skip(1));
    let any = ('A'..='Z').chain('a'..='z').chain('0'..='9');
    let free = |c: &char| legend.iter().all(|(mark, _)| *mark != c.to_string());
    if legend.len() >= MOST_MARKS {
        return None;
    }
    named
        .filter(|c| c.is_alphanumeric())
        .chain(any)
        .find(free)
        .map(String::from)
}

/// How cells lie, if their names fill a rectangle from column a and row 1 on: of a declared board as it is declared, and
/// of any other enum with row 1 at the bottom.
fn shape(description: &Description, board: &Arc<EnumType>) -> Option<Shape> {
    let node = Type::Enum(board.clone());
    let lattice = description.boards.iter().find(|b| b.node == node);
    let lattice = lattice.map(|b| b.lattice.as_ref());
    // A declared board without rows and columns is a graph.
    let (downwards, slanted) = match lattice {
        Some(None) => return None,
        Some(Some(l)) => (l.downwards, l.touching.is_none()),
        None => (false, false),
    };
    let mut columns: Vec<&str> = Vec::new();
    let mut height = 0;
    let mut known = FxHashSet::default();
    let mut cells: Vec<(&str, usize)> = Vec::with_capacity(board.values.len());
    for value in &board.values {
        let digits = value.text.find(|c: char| !c.is_ascii_lowercase())?;
        let (column, row) = value.text.split_at(digits);
        let row: usize = row.parse().ok().filter(|r| (1..=4096).contains(r))?;
        if !columns.contains(&column) {
            columns.push(column);
        }
        height = height.max(row);
        if !known.insert((column, row)) {
            return None;
        }
        cells.push((column, row));
    }
    columns.sort_by_key(|c| (c.len(), *c));
    if columns.first() != Some(&"a") || columns.len() * height != cells.len() || cells.len() < 4 {
        return None;
    }
    let place = |(column, row): &(&str, usize)| {
        let from_top = if downwards { row - 1 } else { height - row };
        Some((from_top, columns.iter().position(|c| c == column)?))
    };
    let places = cells.iter().map(place).collect::<Option<Vec<_>>>()?;
    let row = |i: usize| if downwards { i + 1 } else { height - i };
    Some(Shape {
        rows: (0..height).map(|i| row(i).to_string()).collect(),
        columns: columns.iter().map(ToString::to_string).collect(),
        slanted,
        places,
    })
}
