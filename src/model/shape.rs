//! Where the cells of a board lie: a cell is where its name says. `b3` is in column b and row 3.

use super::boards::Board;
use super::types::Type;
use rustc_hash::FxHashSet;

/// Where the cells of a board lie.
pub struct Shape {
    /// From left to right.
    pub columns: Vec<String>,
    /// From top to bottom.
    pub rows: Vec<String>,
    /// Each row begins half a cell further right than the one above.
    pub slanted: bool,
    /// By the ordinal of the cell: its row from the top and its column from the left.
    pub places: Vec<(usize, usize)>,
}

impl Shape {
    /// How cells lie, if their names fill a rectangle from column a and row 1 on: on the board that is declared with this
    /// type as it is declared, and of any other enum with row 1 at the bottom.
    pub fn new(node: &Type, declared: Option<&Board>) -> Option<Shape> {
        let Type::Enum(board) = node else { return None };
        let lattice = declared.map(|b| b.lattice.as_ref());
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
        // Two or three values of an enum need not be a board.
        let fewest = if lattice.is_some() { 1 } else { 4 };
        let is_whole = columns.len() * height == cells.len();
        if columns.first() != Some(&"a") || !is_whole || cells.len() < fewest {
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
}
