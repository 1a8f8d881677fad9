//! Values with their names, set as small tables where names have indices.

use crate::text::table::fitted;
use crate::text::wrap::{hanging, wrapped};

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

/// Names and values in blocks: those that are alone one after the other, arrays of one index side by side with a row for
/// each index, arrays of two in a table each. What is wider than `width` is broken between words. What nobody tells is blank,
/// and what is blank altogether is left out. Where things
/// are cut, a value that is alone has one line.
pub fn values(rows: &[[String; 2]], width: usize, is_cut: bool) -> Vec<String> {
    let entries = rows.iter().map(|[name, value]| entry(name, value));
    let entries: Vec<Entry<'_>> = entries.collect();
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
    // Players who are indices of two arrays make rows of both; integers do if they are the same, as they may count other things.
    let joins = |base: &str, other: &str| {
        let indices = |base: &str| -> Vec<&Vec<&str>> { of(base).map(|e| &e.indices).collect() };
        let (own, others) = (indices(base), indices(other));
        let is_number = |index: &&Vec<&str>| index.iter().all(|part| part.parse::<i64>().is_ok());
        match own.iter().all(is_number) {
            true => own.len() == others.len() && own.iter().all(|index| others.contains(index)),
            false => own.iter().any(|index| others.contains(index)),
        }
    };
    let of_one_index = |base: &str| of(base).all(|e| e.indices.len() == 1);
    // Without an index, or the only element that is told of an array, beside no table that has a row for it.
    let is_alone = |base: &str| {
        let mut others = bases.iter().filter(|other| **other != base);
        of(base).count() < 2 && !(of_one_index(base) && others.any(|other| joins(base, other)))
    };
    let lone = entries.iter().filter(|e| is_alone(e.base));
    let lone: Vec<&Entry<'_>> = lone.collect();
    let mut bases: Vec<&str> = bases
        .iter()
        .copied()
        .filter(|base| !is_alone(base))
        .collect();
    let mut blocks = vec![flow(&lone, width, is_cut)];
    while let Some(first) = bases.first().copied() {
        let group: Vec<&str> = match of_one_index(first) {
            true => {
                let meets = |base: &&str| of_one_index(base) && joins(first, base);
                bases.iter().copied().filter(meets).collect()
            }
            false => vec![first],
        };
        bases.retain(|base| !group.contains(base));
        let members: Vec<&Entry<'_>> = group.iter().flat_map(|base| of(base)).collect();
        if members.iter().all(|e| e.value.is_empty()) {
            continue;
        }
        let set = match group.as_slice() {
            [_] => by_parts(&members).or_else(|| table(&members, true)),
            _ => table(&members, false),
        };
        blocks.push(match set {
            Some(table) => table.text(width),
            None => flow(&members, width, is_cut),
        });
    }
    blocks.retain(|block| !block.is_empty());
    blocks
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

/// `name value   name[index] value`, without those that are blank.
fn flow(entries: &[&Entry<'_>], width: usize, is_cut: bool) -> String {
    let told = entries.iter().filter(|e| !e.value.is_empty());
    let told = told.map(|e| {
        let told = format!("{} {}", e.name, e.value);
        match wrapped(&told, width.saturating_sub(2)).as_slice() {
            [first, _, ..] if is_cut => format!("{first} …"),
            _ => told,
        }
    });
    flowing(told, width)
}

/// Words one after the other, three spaces apart.
pub fn flowing(items: impl IntoIterator<Item = String>, width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for item in items {
        let long = item.chars().count();
        match lines.last_mut() {
            Some(line) if line.chars().count() + 3 + long <= width => {
                line.push_str("   ");
                line.push_str(&item);
            }
            _ if long <= width => lines.push(item),
            _ => {
                let (start, rest) = item.split_once(' ').unwrap_or((&item, ""));
                lines.extend(hanging(&format!("{start} "), rest, width));
            }
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// An array whose indices have two parts each, as `red 1` has: the table of both parts, if it is about full.
fn by_parts<'a>(entries: &[&Entry<'a>]) -> Option<Table<'a>> {
    let mut table = Table::default();
    for e in entries {
        let [index] = e.indices.as_slice() else {
            return None;
        };
        let (row, column) = index.split_once(' ')?;
        if column.contains(' ') {
            return None;
        }
        table.corner = e.base;
        table.put(row, column, e.value);
    }
    let (rows, columns) = (table.rows.len(), table.columns.len());
    (rows > 1 && columns > 1 && rows * columns == entries.len()).then_some(table)
}

/// The entries as a table; of one array with one index (`alone`) the indices stand side by side. `None`: some have more than
/// two.
fn table<'a>(entries: &[&Entry<'a>], alone: bool) -> Option<Table<'a>> {
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
        table.put(row, column, e.value);
    }
    if !alone {
        table.leave_out_blanks();
    }
    Some(table)
}

impl<'a> Table<'a> {
    fn put(&mut self, row: &'a str, column: &'a str, value: &'a str) {
        let place = |list: &mut Vec<&'a str>, name| {
            list.iter().position(|n| *n == name).unwrap_or_else(|| {
                list.push(name);
                list.len() - 1
            })
        };
        let cell = (place(&mut self.rows, row), place(&mut self.columns, column));
        self.cells.push((cell.0, cell.1, value));
    }

    /// Takes the columns out in which nothing stands.
    fn leave_out_blanks(&mut self) {
        let told = |c: usize| {
            self.cells
                .iter()
                .any(|cell| cell.1 == c && !cell.2.is_empty())
        };
        let kept: Vec<usize> = (0..self.columns.len()).filter(|c| told(*c)).collect();
        let place = |c: usize| kept.iter().position(|k| *k == c);
        let cells = self.cells.iter();
        let cells = cells.filter_map(|cell| Some((cell.0, place(cell.1)?, cell.2)));
        self.cells = cells.collect();
        self.columns = kept.iter().map(|c| self.columns[*c]).collect();
    }

    fn text(&self, width: usize) -> String {
        let mut rows = vec![vec![String::new(); self.columns.len() + 1]; self.rows.len() + 1];
        rows[0][0] = self.corner.to_string();
        for (i, name) in self.columns.iter().enumerate() {
            rows[0][i + 1] = (*name).to_string();
        }
        for (i, name) in self.rows.iter().enumerate() {
            rows[i + 1][0] = (*name).to_string();
        }
        for (row, column, value) in &self.cells {
            rows[row + 1][column + 1] = (*value).to_string();
        }
        fitted(&rows, &[], width)
    }
}

#[cfg(test)]
mod tests {
    use super::values;

    fn set(rows: &[(&str, &str)]) -> String {
        let rows = rows
            .iter()
            .map(|(name, value)| [name.to_string(), value.to_string()]);
        values(&rows.collect::<Vec<_>>(), 78, false).join("\n")
    }

    #[test]
    fn arrays_are_tables_and_what_is_not_told_is_blank() {
        let text = set(&[
            ("card[Ann]", "J"),
            ("card[Ben]", ""),
            ("chips[Ann]", "1"),
            ("chips[Ben]", "2"),
            ("bid[Ann]", ""),
            ("bid[Ben]", ""),
            ("winner", ""),
            ("round", "1"),
            ("die[Ann][2]", "6"),
            ("left[Ann][taxi]", "4"),
            ("left[Ann][bus]", "3"),
            ("left[Ben][bus]", "8"),
            ("pile[1]", "5"),
            ("pile[2]", "7"),
            ("fleet[1][2]", ""),
            ("fleet[1][3]", ""),
        ]);
        let expected = "\
round 1   die[Ann][2] 6

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
    fn integers_that_count_other_things_are_other_tables() {
        let text = set(&[
            ("die[1]", "6"),
            ("die[2]", "3"),
            ("run[2]", "0"),
            ("run[3]", "1"),
            ("run[4]", "2"),
            ("kept[1]", "true"),
            ("kept[2]", "false"),
        ]);
        let expected = "   die  kept\n1  6    true\n2  3    false\n\n     2  3  4\nrun  0  1  2\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn indices_of_two_parts_are_rows_and_columns() {
        let text = set(&[
            ("out[red 1]", "0"),
            ("out[red 2]", "1"),
            ("out[blue 1]", "2"),
            ("out[blue 2]", "3"),
        ]);
        assert_eq!(text, "out   1  2\nred   0  1\nblue  2  3\n");
    }

    #[test]
    fn what_is_too_wide_is_broken_between_words() {
        assert_eq!(set(&[("hand[Ann]", "{1, 2}")]), "hand[Ann] {1, 2}\n");
        let long = format!("{{{}}}", ["ten"; 20].join(", "));
        let text = set(&[("a", "1"), ("hand[Ann]", &long)]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[0], "a 1");
        assert!(
            lines[1].starts_with("hand[Ann] {ten, ten") && lines[2].starts_with("          ten")
        );
        assert!(lines.iter().all(|line| line.len() <= 78));
        let text = set(&[("a[1]", &long), ("a[2]", &long)]);
        assert!(text.lines().all(|line| line.len() <= 78), "{text}");
        assert_eq!(set(&[]), "");
    }
}
