//! A board, set as text.

use crate::machine::{Cells, Map, MapNode, Picture, RenderedBoard};
use crate::model::Picture as Rows;

/// The width that lists are set to, in characters; a longer word stands on a line of its own.
pub const WIDTH: usize = 78;

/// So many nodes with one mark have their ways told, each on a line; more are listed by their names alone.
const MOST_TOLD: usize = 6;

/// What marks may be written over.
const FREE: [char; 4] = [' ', '-', '=', '─'];

pub fn rendered(board: &RenderedBoard) -> String {
    let mut text = String::new();
    if !board.viewers.is_empty() {
        text.push_str(&format!(
            "{} as {} sees it\n",
            board.name,
            board.viewers.join(", ")
        ));
    }
    match &board.picture {
        Picture::Cells(board) => text.push_str(&cells(board)),
        Picture::Map(map) => {
            if let Some(rows) = &map.picture {
                text.push_str(&picture(rows, map));
            }
            if map.picture.is_none() || map.labelled {
                let around = surroundings(map);
                if map.picture.is_some() && !around.is_empty() {
                    text.push('\n');
                }
                text.push_str(&around);
            }
        }
    }
    text
}

/// A board of cells, with the names of columns and rows, and of its marks.
fn cells(board: &Cells) -> String {
    let cells = board.rows.iter().flat_map(|(_, cells)| cells);
    let longest = cells.chain(&board.columns).map(|c| c.chars().count()).max();
    let width = longest.unwrap_or(1);
    let rows = board.rows.iter().map(|(name, _)| name.chars().count());
    let margin = rows.max().unwrap_or(0);
    let line = |name: &str, shift: usize, cells: &[String]| {
        let name = " ".repeat(margin - name.chars().count()) + name;
        let indent = if board.slanted {
            shift * (width + 1) / 2
        } else {
            0
        };
        let cells = cells
            .iter()
            .map(|c| format!(" {c}{}", " ".repeat(width - c.chars().count())));
        let text = format!("{}{name}{}", " ".repeat(indent), cells.collect::<String>());
        format!("{}\n", text.trim_end())
    };
    let mut text = line("", 0, &board.columns);
    for (i, (name, cells)) in board.rows.iter().enumerate() {
        text.push_str(&line(name, i, cells));
    }
    if !board.legend.is_empty() {
        let legend = board
            .legend
            .iter()
            .map(|(mark, what)| format!("{mark} {what}"));
        text.push_str(&format!("{}\n", legend.collect::<Vec<_>>().join(", ")));
    }
    text
}

/// The rows of a picture with the marks beside the names. Where there is no room for a mark, all rows are widened.
fn picture(picture: &Rows, map: &Map) -> String {
    let rows = picture.rows.iter().map(|row| row.chars().collect());
    let mut rows: Vec<Vec<char>> = rows.collect();
    let mut places = picture.places.clone();
    let labels: Vec<Vec<char>> = map
        .nodes
        .iter()
        .map(|n| labelled(n).chars().collect())
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

/// `13[Red]`.
fn labelled(node: &MapNode) -> String {
    match node.mark.as_str() {
        "" => node.name.clone(),
        mark => format!("{}[{mark}]", node.name),
    }
}

/// The nodes that conditions mark, in the order of the rules, with their neighbours.
fn surroundings(map: &Map) -> String {
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
    let width =
        |texts: &mut dyn Iterator<Item = &str>| texts.map(|t| t.chars().count()).max().unwrap_or(0);
    let short = groups.iter().filter(|(.., nodes)| nodes.len() <= MOST_TOLD);
    let names = short
        .flat_map(|(.., nodes)| nodes)
        .map(|i| map.nodes[*i].name.as_str());
    let names = width(&mut names.into_iter());
    let marks = width(&mut groups.iter().map(|(_, mark, _)| *mark));
    let mut text = String::new();
    for (_, mark, nodes) in &groups {
        let mark = format!("{mark}{}", " ".repeat(marks - mark.chars().count()));
        if nodes.len() > MOST_TOLD {
            let list: Vec<&str> = nodes.iter().map(|i| map.nodes[*i].name.as_str()).collect();
            text.push_str(&wrapped(&format!("{mark}  "), &list.join(" ")));
            continue;
        }
        for i in nodes {
            let node = &map.nodes[*i];
            let room = " ".repeat(names - node.name.chars().count());
            let ways: Vec<String> = node
                .ways
                .iter()
                .map(|way| {
                    let to: Vec<String> =
                        way.to.iter().map(|to| neighbour(&map.nodes[*to])).collect();
                    let label = if way.label.is_empty() {
                        "to"
                    } else {
                        &way.label
                    };
                    format!("{label} {}", to.join(" "))
                })
                .collect();
            let start = format!("{mark}  {room}{}  ", node.name);
            text.push_str(&wrapped(&start, &ways.join("; ")));
        }
    }
    text
}

/// With its mark, unless it is that of nothing in particular.
fn neighbour(node: &MapNode) -> String {
    match node.rule {
        Some(_) => labelled(node),
        None => node.name.clone(),
    }
}

/// Lines that begin below the end of `start`.
fn wrapped(start: &str, text: &str) -> String {
    let indent = start.chars().count();
    let (mut lines, mut line, mut length) = (String::new(), start.to_string(), indent);
    for (i, word) in text.split(' ').enumerate() {
        let long = word.chars().count();
        if i > 0 && length + 1 + long > WIDTH {
            lines.push_str(line.trim_end());
            lines.push('\n');
            (line, length) = (" ".repeat(indent), indent);
        } else if i > 0 {
            line.push(' ');
            length += 1;
        }
        line.push_str(word);
        length += long;
    }
    lines.push_str(line.trim_end());
    lines.push('\n');
    lines
}
