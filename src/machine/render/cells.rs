//! Boards of cells in rows and columns: a cell is where its name says. `b3` is in column b and row 3.

use super::{Cells, Layer, Marked, Picture, RenderedBoard, Subject};
use crate::model::Description;
use crate::model::shape::Shape;
use crate::model::types::Type;
use rustc_hash::FxHashSet;

/// What an empty cell shows.
const EMPTY: &str = ".";

/// The most marks on boards of one kind; further variables stay text.
const MOST_MARKS: usize = 12;

/// A board as a layout says; `None` where its values do not lie in rows and columns.
pub(super) fn laid_out(
    description: &Description,
    node: &Type,
    marks: &[Marked],
    layers: &[Layer],
) -> Option<Cells> {
    let shape = shape(description, node)?;
    let mut cells = vec![vec![String::new(); shape.columns.len()]; shape.rows.len()];
    for (&(row, column), marked) in shape.places.iter().zip(marks) {
        cells[row][column].clone_from(&marked.mark);
    }
    let mut owners = owners(&shape, layers);
    for (&(row, column), marked) in shape.places.iter().zip(marks) {
        if marked.otherwise || marked.rule.is_none() {
            owners[row][column] = None;
        }
    }
    Some(finished(shape, cells, owners, Legend::default()))
}

/// The marks with the variables that they stand for, and whose these are.
type Legend = (Vec<(String, String)>, Vec<Option<usize>>);

/// Of each cell the player to whom all belongs that some player has there.
fn owners(shape: &Shape, layers: &[Layer]) -> Vec<Vec<Option<usize>>> {
    let mut owners = vec![vec![None; shape.columns.len()]; shape.rows.len()];
    let mut disputed = FxHashSet::default();
    for layer in layers.iter().filter(|layer| layer.is_there()) {
        let Some(owner) = layer.owner else { continue };
        for cell in &layer.cells {
            let Some(&(row, column)) = shape.places.get(*cell as usize) else {
                continue;
            };
            if owners[row][column]
                .replace(owner)
                .is_some_and(|other| other != owner)
            {
                disputed.insert((row, column));
            }
        }
    }
    for (row, line) in owners.iter_mut().enumerate() {
        for (column, owner) in line.iter_mut().enumerate() {
            if disputed.contains(&(row, column)) {
                *owner = None;
            }
        }
    }
    owners
}

/// A board on which every variable has a mark of its own.
pub(super) fn render(
    description: &Description,
    subject: &Subject,
    layers: Vec<Layer>,
) -> Option<RenderedBoard> {
    let shape = shape(description, &subject.node)?;
    let mut cells = vec![vec![String::new(); shape.columns.len()]; shape.rows.len()];
    let owners = owners(&shape, &layers);
    let (mut legend, mut shown): (Legend, Vec<String>) = (Legend::default(), Vec::new());
    for layer in layers {
        let text = match layer.value {
            Some(None) => {
                shown.push(layer.name);
                continue;
            }
            Some(Some(text)) => text,
            None => {
                let Some(mark) = mark(&layer.calls, &legend.0) else {
                    continue;
                };
                legend.0.push((mark.clone(), layer.name.clone()));
                legend.1.push(layer.owner);
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
    if shown.is_empty() {
        return None;
    }
    Some(RenderedBoard {
        name: subject.name.clone(),
        viewers: Vec::new(),
        picture: Picture::Cells(finished(shape, cells, owners, legend)),
        shown,
    })
}

fn finished(
    shape: Shape,
    mut cells: Vec<Vec<String>>,
    owners: Vec<Vec<Option<usize>>>,
    (legend, legend_owners): Legend,
) -> Cells {
    for cell in cells.iter_mut().flatten().filter(|c| c.is_empty()) {
        cell.push_str(EMPTY);
    }
    Cells {
        columns: shape.columns,
        rows: std::iter::zip(shape.rows, cells).collect(),
        owners,
        slanted: shape.slanted,
        legend,
        legend_owners,
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

/// How the values of a type lie, if they lie in rows and columns.
pub(super) fn shape(description: &Description, node: &Type) -> Option<Shape> {
    let declared = description.boards.iter().find(|b| b.node == *node);
    Shape::new(node, declared.map(AsRef::as_ref))
}
