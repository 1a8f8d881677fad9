//! Columns: neighbouring rows of one kind have their colons, equals signs, arrows and comments below each other.

use super::layout::{Layout, Place};
use super::writer::{FrameKind, Remarked, Row};

/// The columns of a table besides its comments.
const TABS: usize = 2;

/// How many spaces more than usual stand before each piece.
pub(super) fn pads(layout: &Layout<'_, '_>) -> Vec<usize> {
    let none = vec![0; layout.pieces.len()];
    let places = layout.place(&none);
    let mut pads = none;
    let tables = tables(layout, &places);
    let mut table_of_line: Vec<Option<usize>> = vec![None; places.last().map_or(0, |p| p.line + 1)];
    for (number, table) in tables.iter().enumerate() {
        for row in table {
            table_of_line[places[row[0]].line] = Some(number);
        }
        if table.len() < 2 {
            continue;
        }
        for tab in 0..TABS {
            let stops: Vec<(usize, usize)> = table
                .iter()
                .filter_map(|row| {
                    let stop = row.iter().find(|&&i| layout.pieces[i].tab == Some(tab))?;
                    Some((*stop, places[*stop].column + added(&pads, row, *stop)))
                })
                .collect();
            let furthest = stops.iter().map(|s| s.1).max().unwrap_or(0);
            for (stop, column) in stops {
                pads[stop] += furthest - column;
            }
        }
    }
    comments(layout, &places, &table_of_line, &mut pads);
    pads
}

/// The spaces added before a piece and to its left.
fn added(pads: &[usize], line: &[usize], piece: usize) -> usize {
    line.iter()
        .take_while(|&&i| i <= piece)
        .map(|&i| pads[i])
        .sum()
}

/// Tables, each with the pieces on the first line of each of its rows.
fn tables(layout: &Layout<'_, '_>, places: &[Place]) -> Vec<Vec<Vec<usize>>> {
    let mut tables: Vec<Vec<Vec<usize>>> = Vec::new();
    // The block, the kind and the last line of the row before.
    let mut open: Option<(usize, Row, usize)> = None;
    for (number, frame) in layout.frames.iter().enumerate() {
        let FrameKind::Row(kind) = frame.kind else {
            continue;
        };
        let first = frame.first;
        let (Some(place), false) = (places.get(first), kind == Row::Plain) else {
            continue;
        };
        let line: Vec<usize> = (first..places.len())
            .take_while(|&i| places[i].line == place.line)
            .collect();
        let begins = first == 0 || places[first - 1].line < place.line;
        let others = line.iter().skip(1);
        let alone = others
            .filter_map(|&i| layout.row_at[i])
            .all(|other| layout.frames[other].parent != frame.parent);
        let has_stop = line.iter().any(|&i| layout.pieces[i].tab.is_some());
        let whole = !layout.multi[number]
            || matches!(kind, Row::State | Row::Const | Row::Value | Row::Param);
        if !(begins && alone && has_stop && whole) {
            continue;
        }
        let own: Vec<usize> = line
            .into_iter()
            .filter(|&i| layout.pieces[i].tab.is_none() || layout.pieces[i].frame == number)
            .collect();
        let joins = open.is_some_and(|(parent, last, end)| {
            parent == frame.parent && last == kind && end + 1 == place.line
        });
        match tables.last_mut() {
            Some(table) if joins => table.push(own),
            _ => tables.push(vec![own]),
        }
        open = Some((frame.parent, kind, last_line(layout, places, number)));
    }
    tables
}

/// The line that a row ends on.
fn last_line(layout: &Layout<'_, '_>, places: &[Place], row: usize) -> usize {
    let mut last = layout.frames[row].first;
    for i in layout.frames[row].first + 1..layout.pieces.len() {
        let mut frame = layout.pieces[i].frame;
        while frame > row {
            frame = layout.frames[frame].parent;
        }
        if frame != row {
            break;
        }
        last = i;
    }
    places[last].line
}

/// Comments of one table, or of lines below each other, begin in one column.
fn comments(
    layout: &Layout<'_, '_>,
    places: &[Place],
    table_of_line: &[Option<usize>],
    pads: &mut [usize],
) {
    let mut groups: Vec<Vec<(usize, usize)>> = Vec::new();
    let mut open: Option<(Option<usize>, usize, usize)> = None;
    let mut line_start = 0;
    for (i, piece) in layout.pieces.iter().enumerate() {
        if i > 0 && places[i].line != places[i - 1].line {
            line_start = i;
        }
        if piece.comment != Some(Remarked::Trailing) {
            continue;
        }
        let Place {
            line,
            column,
            indent,
        } = places[i];
        let table = table_of_line.get(line).copied().flatten();
        let joins = open.is_some_and(|(last, end, indented)| match table {
            Some(_) => last == table,
            None => last.is_none() && end + 1 == line && indented == indent,
        });
        let column = column + pads[line_start..=i].iter().sum::<usize>();
        match groups.last_mut() {
            Some(group) if joins => group.push((i, column)),
            _ => groups.push(vec![(i, column)]),
        }
        open = Some((table, line, indent));
    }
    for group in groups {
        let furthest = group.iter().map(|g| g.1).max().unwrap_or(0);
        for (i, column) in group {
            pads[i] += furthest - column;
        }
    }
}
