//! A board, set as text.

use super::ink::{Ink, Line};
use super::page::Page;
use crate::machine::seat::Field;
use crate::machine::{Cells, Map, MapNode, Picture, RenderedBoard};
use crate::model::Picture as Rows;
use crate::text::wrap::hanging;

/// So many nodes with one mark have their ways told, each on a line; more are listed by their names alone.
const MOST_TOLD: usize = 6;

/// The same where there is little room.
const FEW_TOLD: usize = 1;

/// What marks may be written over.
const FREE: [char; 4] = [' ', '-', '=', '─'];

/// How a board is set: how wide it may be, and the fields that the last moves touched.
pub struct Setting<'a> {
    pub width: usize,
    /// The lines that a list of nodes may have, of which one means that there is little room.
    pub listed: usize,
    pub recent: &'a [Field],
}

impl Setting<'_> {
    fn is_recent(&self, board: &str, field: &str) -> bool {
        let mut recent = self.recent.iter();
        recent.any(|(of, name)| **of == *board && name == field)
    }
}

/// A board as plain text, on which nothing is marked.
pub fn rendered(board: &RenderedBoard) -> String {
    let setting = Setting {
        width: Page::default().width(),
        listed: usize::MAX,
        recent: &[],
    };
    Ink::default().lines(&lines(board, &setting))
}

/// A board in lines. The fields of the last moves stand in round brackets.
pub fn lines(board: &RenderedBoard, setting: &Setting<'_>) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    if !board.viewers.is_empty() {
        let heading = format!("{} as {} sees it", board.name, board.viewers.join(", "));
        lines.push(heading.as_str().into());
    }
    let recent = |field: &str| setting.is_recent(&board.name, field);
    match &board.picture {
        Picture::Cells(board) => lines.extend(cells(board, setting.width, &recent)),
        Picture::Map(map) => {
            let picture = map.picture.as_ref().map(|rows| picture(rows, map, &recent));
            // One that is too wide would be no picture any more.
            let fits = |text: &String| text.lines().all(|l| l.chars().count() <= setting.width);
            let picture = picture.filter(fits);
            let around = match picture.is_none() || map.labelled {
                true => surroundings(map, picture.is_some(), setting, &recent),
                false => String::new(),
            };
            let parts = [picture.unwrap_or_default(), around];
            let parts = parts.iter().filter(|part| !part.is_empty());
            let parts: Vec<&str> = parts.map(String::as_str).collect();
            lines.extend(parts.join("\n").lines().map(Line::from));
        }
    }
    lines
}

/// A board of cells, with the names of columns and rows, and of its marks.
fn cells(board: &Cells, most: usize, recent: &dyn Fn(&str) -> bool) -> Vec<Line> {
    let cells = board.rows.iter().flat_map(|(_, cells)| cells);
    let longest = cells.chain(&board.columns).map(|c| c.chars().count()).max();
    let width = longest.unwrap_or(1);
    let rows = board.rows.iter().map(|(name, _)| name.chars().count());
    let margin = rows.max().unwrap_or(0);
    let pad = |text: &str, width: usize| " ".repeat(width - text.chars().count());
    let mut head = Line::default();
    head.push(" ".repeat(margin), None);
    for column in &board.columns {
        head.push(format!(" {column}{}", pad(column, width)), None);
    }
    let mut lines = vec![head];
    for (shift, (name, cells)) in board.rows.iter().enumerate() {
        let indent = match board.slanted {
            true => shift * (width + 1) / 2,
            false => 0,
        };
        let mut line = Line::default();
        line.push(
            format!("{}{}{name}", " ".repeat(indent), pad(name, margin)),
            None,
        );
        let owners = board.owners.get(shift);
        let mut was_recent = false;
        for (i, (cell, column)) in std::iter::zip(cells, &board.columns).enumerate() {
            let is_recent = recent(&format!("{column}{name}"));
            line.push(between(was_recent, is_recent), None);
            let owner = owners.and_then(|row| row.get(i).copied().flatten());
            line.push(cell.clone(), owner);
            line.push(pad(cell, width), None);
            was_recent = is_recent;
        }
        line.push(between(was_recent, false), None);
        lines.push(line);
    }
    lines.extend(legend(board, most));
    lines
}

/// What stands between two cells, of which the last moves touched some.
fn between(left: bool, right: bool) -> &'static str {
    match (left, right) {
        (false, false) => " ",
        (false, true) => "(",
        (true, false) => ")",
        (true, true) => "|",
    }
}

/// The marks with what they stand for, in lines of so many characters.
fn legend(board: &Cells, most: usize) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    let entries = board.legend.iter().enumerate();
    for (i, (mark, what)) in entries {
        let comma = if i + 1 < board.legend.len() { "," } else { "" };
        let mut entry = Line::default();
        entry.push(mark.clone(), board.legend_owners.get(i).copied().flatten());
        entry.push(format!(" {what}{comma}"), None);
        match lines.last_mut() {
            Some(line) if line.width() + 1 + entry.width() <= most => {
                line.join(line.width() + 1, entry);
            }
            _ => lines.push(entry),
        }
    }
    lines
}

/// The rows of a picture with the marks beside the names. Where there is no room for a mark, all rows are widened.
fn picture(picture: &Rows, map: &Map, recent: &dyn Fn(&str) -> bool) -> String {
    let rows = picture.rows.iter().map(|row| row.chars().collect());
    let mut rows: Vec<Vec<char>> = rows.collect();
    let mut places = picture.places.clone();
    let labels: Vec<Vec<char>> = map
        .nodes
        .iter()
        .map(|n| labelled(n, recent).chars().collect())
        .collect();
    // From the right, so that what is moved has its room already.
    let mut order: Vec<usize> = (0..places.len()).collect();
    order.sort_by_key(|i| std::cmp::Reverse(places[*i].column + places[*i].length));
    for node in order {
        let place = places[node];
        let end = place.column + place.length;
        let rest = &rows[place.row][end..];
        let free = rest.iter().take_while(|c| FREE.contains(c)).count();
        // What follows a name keeps a distance of one.
        let free = if free == rest.len() {
            usize::MAX
        } else {
            free.saturating_sub(1)
        };
        let more = (labels[node].len() - place.length.min(labels[node].len())).saturating_sub(free);
        if more > 0 {
            rows.iter_mut().for_each(|row| widen(row, end, more));
            let right = places.iter_mut().filter(|p| p.column >= end);
            right.for_each(|p| p.column += more);
        }
    }
    for (place, label) in places.iter().zip(&labels) {
        let row = &mut rows[place.row];
        let end = place.column + place.length.max(label.len());
        if row.len() < end {
            row.resize(end, ' ');
        }
        for (i, c) in label.iter().enumerate() {
            row[place.column + i] = *c;
        }
        // A name that is shorter on the screen than in the picture.
        for c in &mut row[place.column + label.len()..end] {
            *c = ' ';
        }
    }
    let mut text = String::new();
    for row in rows {
        text.push_str(row.iter().collect::<String>().trim_end());
        text.push('\n');
    }
    text
}

/// Puts columns in before `at`, or after the name that stands there. A line goes on through them.
fn widen(row: &mut Vec<char>, at: usize, more: usize) {
    let mut at = at;
    let part = |c: char| c.is_alphanumeric() || c == '_';
    while at > 0 && at < row.len() && part(row[at - 1]) && part(row[at]) {
        at += 1;
    }
    if at >= row.len() {
        return;
    }
    let before = at.checked_sub(1).map(|i| row[i]);
    let through = FREE.contains(&row[at]) && before.is_some_and(|c| c == row[at] || part(c));
    let filling = if through { row[at] } else { ' ' };
    row.splice(at..at, std::iter::repeat_n(filling, more));
}

/// `13[Red]`, or `13(Red)` where the last moves touched it.
fn labelled(node: &MapNode, recent: &dyn Fn(&str) -> bool) -> String {
    match node.mark.as_str() {
        "" => node.name.clone(),
        mark if recent(&node.name) => format!("{}({mark})", node.name),
        mark => format!("{}[{mark}]", node.name),
    }
}

/// The nodes that conditions mark, in the order of the rules, with their neighbours. What a picture shows is left out where there
/// is little room.
fn surroundings(
    map: &Map,
    is_drawn: bool,
    setting: &Setting<'_>,
    recent: &dyn Fn(&str) -> bool,
) -> String {
    let mut groups: Vec<((usize, usize), &str, Vec<usize>)> = Vec::new();
    for (i, node) in map.nodes.iter().enumerate() {
        let Some(rule) = node.rule else { continue };
        let mark = node.mark.as_str();
        match groups
            .iter_mut()
            .find(|(r, m, _)| r.0 == rule.0 && *m == mark)
        {
            Some((.., nodes)) => nodes.push(i),
            None => groups.push((rule, mark, vec![i])),
        }
    }
    // Stable: within a rule as the nodes come.
    groups.sort_by_key(|(rule, ..)| *rule);
    let is_close = setting.listed == 1;
    let told = if is_close { FEW_TOLD } else { MOST_TOLD };
    if is_close && is_drawn {
        groups.retain(|(.., nodes)| nodes.len() <= told);
    }
    let width =
        |texts: &mut dyn Iterator<Item = &str>| texts.map(|t| t.chars().count()).max().unwrap_or(0);
    let short = groups.iter().filter(|(.., nodes)| nodes.len() <= told);
    let named = |i: usize| match map.nodes[i].name.as_str() {
        name if recent(name) => format!("({name})"),
        name => name.to_string(),
    };
    let names = short.flat_map(|(.., nodes)| nodes);
    let names: Vec<String> = names.map(|i| named(*i)).collect();
    let names = width(&mut names.iter().map(String::as_str));
    let marks = width(&mut groups.iter().map(|(_, mark, _)| *mark));
    let mut text = String::new();
    for (_, mark, nodes) in &groups {
        let mark = format!("{mark}{}", " ".repeat(marks - mark.chars().count()));
        if nodes.len() > told {
            let list: Vec<&str> = nodes.iter().map(|i| map.nodes[*i].name.as_str()).collect();
            let set = |list: &str| hanging(&format!("{mark}  "), list, setting.width);
            let list = match set(&list.join(" ")) {
                long if long.len() > setting.listed => set(&in_ranges(&list)),
                short => short,
            };
            let cut = list.len() > setting.listed;
            for (i, line) in list.iter().take(setting.listed).enumerate() {
                text.push_str(line);
                text.push_str(if cut && i + 1 == setting.listed {
                    " …\n"
                } else {
                    "\n"
                });
            }
            continue;
        }
        for i in nodes {
            let (node, name) = (&map.nodes[*i], named(*i));
            let room = " ".repeat(names - name.chars().count());
            let ways: Vec<String> = node
                .ways
                .iter()
                .map(|way| {
                    let to: Vec<String> = way
                        .to
                        .iter()
                        .map(|to| neighbour(&map.nodes[*to], recent))
                        .collect();
                    let label = if way.label.is_empty() {
                        "to"
                    } else {
                        &way.label
                    };
                    format!("{label} {}", to.join(" "))
                })
                .collect();
            let start = format!("{mark}  {room}{name}  ");
            let lines = hanging(&start, &ways.join("; "), setting.width);
            text.extend(lines.iter().map(|line| format!("{line}\n")));
        }
    }
    text
}

/// Names in a row; of numbers that follow each other, three or more, the first and the last.
fn in_ranges(names: &[&str]) -> String {
    let numbers: Vec<Option<u64>> = names.iter().map(|name| name.parse().ok()).collect();
    let mut words: Vec<String> = Vec::new();
    let mut at = 0;
    while at < names.len() {
        let follows = |n: usize| {
            numbers[at]
                .zip(numbers[at + n])
                .is_some_and(|(a, b)| a.checked_add(n as u64) == Some(b))
        };
        let run = (0..names.len() - at)
            .take_while(|n| *n == 0 || follows(*n))
            .count();
        match run {
            3.. => words.push(format!("{}-{}", names[at], names[at + run - 1])),
            _ => words.extend(names[at..at + run].iter().map(ToString::to_string)),
        }
        at += run;
    }
    words.join(" ")
}

/// With its mark, unless it is that of nothing in particular.
fn neighbour(node: &MapNode, recent: &dyn Fn(&str) -> bool) -> String {
    match node.rule {
        Some(_) => labelled(node, recent),
        None => node.name.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::in_ranges;

    #[test]
    fn numbers_that_follow_each_other_are_told_by_their_ends() {
        let names = ["1", "2", "3", "5", "6", "9", "10", "11", "12", "a"];
        assert_eq!(in_ranges(&names), "1-3 5 6 9-12 a");
        assert_eq!(in_ranges(&["b", "c", "d"]), "b c d");
        assert_eq!(in_ranges(&["3", "2", "1"]), "3 2 1");
        assert_eq!(in_ranges(&[]), "");
        assert_eq!(
            in_ranges(&["18446744073709551615", "0"]),
            "18446744073709551615 0"
        );
    }
}
