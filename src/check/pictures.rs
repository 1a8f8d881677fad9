//! The picture in the layout of a graph: rows of text in which the name of every node stands once. Lines between the names
//! are the author's; those that lead straight from one name to another must be edges.

use super::checker::Checker;
use super::codes;
use super::state::listed;
use crate::model::boards::Board;
use crate::model::types::Type;
use crate::model::{Picture, PicturePlace};
use crate::syntax::ast;
use crate::text::diagnostics::Diagnostic;
use crate::text::nearest::nearest;
use crate::text::span::Span;

/// The most rows of a picture.
const MAX_ROWS: usize = 100;
/// The most characters of a row.
const MAX_COLUMNS: usize = 120;

/// After so many mistakes the rest is not looked at.
const MOST_TOLD: usize = 5;

/// What lines are drawn with, and where the next piece of one is: rows down, columns to the right.
const LINES: [(&[char], usize, isize); 4] = [
    (&['-', '=', '─'], 0, 1),
    (&['|', '│'], 1, 0),
    (&['\\', '╲'], 1, 1),
    (&['/', '╱'], 1, -1),
];

/// A name in a picture.
struct Word {
    text: String,
    place: PicturePlace,
    span: Span,
}

impl<'a> Checker<'a> {
    pub(super) fn picture(&mut self, board: &Board, rows: &'a [ast::Quoted]) -> Option<Picture> {
        self.picture_fits(rows)?;
        let size = board.size();
        let mut found: Vec<Option<Word>> = (0..size).map(|_| None).collect();
        let mut wrong = 0;
        for word in rows.iter().enumerate().flat_map(|(i, row)| words(i, row)) {
            if wrong == MOST_TOLD {
                break;
            }
            let Some(node) = node_named(&board.node, &word.text) else {
                self.no_such_node(board, &word);
                wrong += 1;
                continue;
            };
            if let Some(first) = &found[node] {
                self.report(
                    Diagnostic::error(
                        codes::BAD_PICTURE,
                        word.span,
                        format!("{} stands twice in the picture", word.text),
                    )
                    .note(first.span, "here first")
                    .hint("a node has one place; words that name none can stand in a comment"),
                );
                wrong += 1;
                continue;
            }
            found[node] = Some(word);
        }
        let missing: Vec<String> = (0..size)
            .filter(|node| found[*node].is_none())
            .map(|node| name(&board.node, node))
            .collect();
        if !missing.is_empty() && wrong == 0 {
            self.report(
                Diagnostic::error(
                    codes::BAD_PICTURE,
                    rows.first().map_or(Span::default(), |row| row.span),
                    format!("the picture does not show {}", listed(&missing)),
                )
                .hint(format!(
                    "every node of `{}` stands in it once; without a picture, only the surroundings of what is marked are shown",
                    board.name
                )),
            );
            return None;
        }
        let words: Vec<Word> = found.into_iter().flatten().collect();
        if wrong > 0 || words.len() != size {
            return None;
        }
        self.lines_are_edges(board, rows, &words)?;
        Some(Picture {
            rows: rows.iter().map(|row| row.text.clone()).collect(),
            places: words.iter().map(|word| word.place).collect(),
        })
    }

    fn picture_fits(&mut self, rows: &'a [ast::Quoted]) -> Option<()> {
        let odd = |c: char| c.is_control() || c == '{' || c == '}';
        let wrong = rows.iter().enumerate().find_map(|(i, row)| {
            let why = if i >= MAX_ROWS {
                format!("a picture has at most {MAX_ROWS} rows")
            } else if row.text.chars().count() > MAX_COLUMNS {
                format!("a row of a picture has at most {MAX_COLUMNS} characters")
            } else if row.text.contains(odd) {
                "a picture is of names, lines and blanks, without tabs and braces".to_string()
            } else {
                return None;
            };
            Some((row.span, why))
        });
        let Some((span, why)) = wrong else {
            return Some(());
        };
        self.report(Diagnostic::error(codes::BAD_PICTURE, span, why).hint(
            "leave the picture of a large graph out: then the surroundings of what is marked are shown",
        ));
        None
    }

    fn no_such_node(&mut self, board: &Board, word: &Word) {
        let said = format!("`{}` has no node {}", board.name, word.text);
        let problem = Diagnostic::error(codes::UNKNOWN_NODE, word.span, said);
        self.report(match &board.node {
            Type::Enum(names) => {
                match nearest(&word.text, names.values.iter().map(|v| v.name.as_str())) {
                    Some(near) => problem.did_you_mean(near),
                    None => problem.hint("only the names of nodes and lines stand in a picture"),
                }
            }
            ty => problem.hint(format!(
                "the nodes are {ty}; nothing else with letters or digits stands in a picture"
            )),
        });
    }

    /// Whoever reads the picture takes a straight line for an edge.
    fn lines_are_edges(
        &mut self,
        board: &Board,
        rows: &'a [ast::Quoted],
        words: &[Word],
    ) -> Option<()> {
        let canvas: Vec<Vec<char>> = rows.iter().map(|row| row.text.chars().collect()).collect();
        let next = board.neighbours(None);
        let mut wrong = 0;
        for (a, word) in words.iter().enumerate() {
            for b in reached(&canvas, words, word.place) {
                let edge = |a: usize, b: usize| next[a].contains(&(b as u32));
                if edge(a, b) || edge(b, a) || wrong == MOST_TOLD {
                    continue;
                }
                self.report(
                    Diagnostic::error(
                        codes::BAD_PICTURE,
                        word.span,
                        format!(
                            "the picture has a line from {} to {}, and there is no edge between them",
                            word.text, words[b].text
                        ),
                    )
                    .note(words[b].span, "the line leads here")
                    .hint("take the line away, or lead it round with other signs"),
                );
                wrong += 1;
            }
        }
        (wrong == 0).then_some(())
    }
}

/// The nodes that straight lines to the right and downwards lead to.
fn reached(canvas: &[Vec<char>], words: &[Word], from: PicturePlace) -> Vec<usize> {
    let at = |row: usize, column: isize| {
        let column = usize::try_from(column).ok()?;
        canvas.get(row)?.get(column).copied()
    };
    let node = |row: usize, column: isize| {
        words.iter().position(|w| {
            let first = w.place.column as isize;
            w.place.row == row && (first..first + w.place.length as isize).contains(&column)
        })
    };
    let mut found = Vec::new();
    for (signs, down, right) in LINES {
        let (first, last) = (from.column, from.column + from.length - 1);
        let starts = if down == 0 { last..=last } else { first..=last };
        for start in starts {
            let (mut row, mut column, mut length) = (from.row + down, start as isize + right, 0);
            // A line to the right may keep a distance from the names.
            let goes_on = |c: char| signs.contains(&c) || (down == 0 && c == ' ');
            while let Some(sign) = at(row, column).filter(|c| goes_on(*c)) {
                length += usize::from(sign != ' ');
                (row, column) = (row + down, column + right);
            }
            if length > 0
                && let Some(node) = node(row, column)
                && !found.contains(&node)
            {
                found.push(node);
            }
        }
    }
    found
}

/// The names in a row: runs of letters, digits and `_`.
fn words(number: usize, row: &ast::Quoted) -> Vec<Word> {
    let mut found: Vec<Word> = Vec::new();
    // After the quotation mark.
    let start = row.span.start + 1;
    let mut open = false;
    for (column, (byte, c)) in row.text.char_indices().enumerate() {
        let part = c.is_alphanumeric() || c == '_';
        if part {
            let at = start + byte as u32;
            let end = at + c.len_utf8() as u32;
            match found.last_mut().filter(|_| open) {
                Some(word) => {
                    word.text.push(c);
                    word.place.length += 1;
                    word.span.end = end;
                }
                None => found.push(Word {
                    text: c.to_string(),
                    place: PicturePlace {
                        row: number,
                        column,
                        length: 1,
                    },
                    span: Span::new(at as usize, end as usize),
                }),
            }
        }
        open = part;
    }
    // Underscores alone are a line.
    found.retain(|word| word.text.contains(|c| c != '_'));
    found
}

/// The ordinal of a node.
fn node_named(node: &Type, word: &str) -> Option<usize> {
    match node {
        Type::Enum(e) => e.values.iter().position(|v| v.name == word),
        Type::Int { lo, hi } => {
            let value: i64 = word.parse().ok()?;
            (*lo <= value && value <= *hi).then(|| (value - lo) as usize)
        }
        _ => None,
    }
}

fn name(node: &Type, ordinal: usize) -> String {
    match node {
        Type::Enum(e) => e.values[ordinal].name.clone(),
        ty => ty.show(ty.value_at(ordinal as u64)),
    }
}
