//! Values with their names, set as small tables where names have indices.

use super::boards::WIDTH;

/// A name taken apart, with its value.
struct Entry<'a> {
    name: &'a str,
    base: &'a str,
    indices: Vec<&'a str>,
    value: &'a str,
}

/// A table of several entries: rows and columns in the order in which they came.
#[derive(Default)]
struct Table<'a> {
    corner: &'a str,
    rows: Vec<&'a str>,
    columns: Vec<&'a str>,
    cells: Vec<(usize, usize, &'a str)>,
}

/// Names and values: those without an index in lines, arrays of one index side by side with a row for each index, arrays of two
/// in a table each. What is too wide stands in lines. What nobody tells is blank.
pub fn values(rows: &[[String; 2]]) -> String {
    let entries: Vec<Entry<'_>> = rows
        .iter()
        .map(|[name, value]| entry(name, value))
        .collect();
    let mut blocks = vec![lines(entries.iter().filter(|e| e.indices.is_empty()))];
    let mut bases: Vec<&str> = Vec::new();
    for e in entries.iter().filter(|e| !e.indices.is_empty()) {
        if !bases.contains(&e.base) {
            bases.push(e.base);
        }
    }
    let of = |base: &str| {
        let base = base.to_string();
        entries
            .iter()
            .filter(move |e| !e.indices.is_empty() && e.base == base)
    };
    while let Some(first) = bases.first().copied() {
        let group: Vec<&str> = match of(first).all(|e| e.indices.len() == 1) {
            true => {
                let meets = |base: &str| {
                    let mut all = of(base);
                    all.clone().all(|e| e.indices.len() == 1)
                        && all.any(|e| of(first).any(|f| f.indices == e.indices))
                };
                bases.iter().copied().filter(|base| meets(base)).collect()
            }
            false => vec![first],
        };
        bases.retain(|base| !group.contains(base));
        let members: Vec<&Entry<'_>> = group.iter().flat_map(|base| of(base)).collect();
        let set = match members.len() {
            1 => None,
            _ => table(&members, group.len() == 1),
        };
        blocks.push(set.unwrap_or_else(|| lines(members.into_iter())));
    }
    blocks.retain(|block| !block.is_empty());
    blocks.join("\n")
}

fn entry<'a>(name: &'a str, value: &'a str) -> Entry<'a> {
    let parts = name.strip_suffix(']').and_then(|rest| rest.split_once('['));
    match parts {
        Some((base, indices)) => Entry {
            name,
            base,
            indices: indices.split("][").collect(),
            value,
        },
        None => Entry {
            name,
            base: name,
            indices: Vec::new(),
            value,
        },
    }
}

/// `name[index]  value`, a line each.
fn lines<'a>(entries: impl Iterator<Item = &'a Entry<'a>>) -> String {
    let rows = entries.map(|e| vec![e.name.to_string(), e.value.to_string()]);
    columns(&rows.collect::<Vec<_>>())
}

/// The entries as a table; of one array with one index (`alone`) the indices stand side by side. `None`: it does not fit.
fn table(entries: &[&Entry<'_>], alone: bool) -> Option<String> {
    let mut table = Table::default();
    for e in entries {
        let (row, column) = match e.indices.as_slice() {
            [index] if alone => (e.base, *index),
            [index] => (*index, e.base),
            [row, column] => {
                table.corner = e.base;
                (*row, *column)
            }
            _ => return None,
        };
        let place = |list: &mut Vec<_>, name| {
            list.iter().position(|n| *n == name).unwrap_or_else(|| {
                list.push(name);
                list.len() - 1
            })
        };
        let cell = (
            place(&mut table.rows, row),
            place(&mut table.columns, column),
        );
        table.cells.push((cell.0, cell.1, e.value));
    }
    let mut rows = vec![vec![String::new(); table.columns.len() + 1]; table.rows.len() + 1];
    rows[0][0] = table.corner.to_string();
    for (i, name) in table.columns.iter().enumerate() {
        rows[0][i + 1] = (*name).to_string();
    }
    for (i, name) in table.rows.iter().enumerate() {
        rows[i + 1][0] = (*name).to_string();
    }
    for (row, column, value) in table.cells {
        rows[row + 1][column + 1] = value.to_string();
    }
    let text = columns(&rows);
    text.lines()
        .all(|line| line.chars().count() <= WIDTH)
        .then_some(text)
}

/// Rows in columns two spaces apart.
fn columns(rows: &[Vec<String>]) -> String {
    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |c: usize| rows.iter().map(|r| r[c].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..count).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            line.push_str(cell);
            line.push_str(&" ".repeat(width + 2 - cell.chars().count()));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::values;

    fn set(rows: &[(&str, &str)]) -> String {
        let rows = rows
            .iter()
            .map(|(name, value)| [name.to_string(), value.to_string()]);
        values(&rows.collect::<Vec<_>>())
    }

    #[test]
    fn arrays_are_tables_and_what_is_not_told_is_blank() {
        let text = set(&[
            ("card[Ann]", "J"),
            ("chips[Ann]", "1"),
            ("chips[Ben]", "2"),
            ("winner", "none"),
            ("left[Ann][taxi]", "4"),
            ("left[Ann][bus]", "3"),
            ("left[Ben][bus]", "8"),
            ("pile[1]", "5"),
            ("pile[2]", "7"),
        ]);
        let expected = "\
winner  none

     card  chips
Ann  J     1
Ben        2

left  taxi  bus
Ann   4     3
Ben         8

      1  2
pile  5  7
";
        assert_eq!(text, expected);
    }

    #[test]
    fn what_is_alone_or_too_wide_stands_in_lines() {
        assert_eq!(set(&[("hand[Ann]", "{1, 2}")]), "hand[Ann]  {1, 2}\n");
        let long = "x".repeat(50);
        let text = set(&[("a[1]", &long), ("a[2]", &long)]);
        assert_eq!(text, format!("a[1]  {long}\na[2]  {long}\n"));
        assert_eq!(set(&[]), "");
    }
}
