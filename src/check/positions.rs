//! Arrays over the cells of a grid or a hex board as rows of text, the way the board is drawn: `{ "rnbqkbnr" "pppppppp" … }`.
//! Each cell is the text of its value. What may be `none` is `.` there, and a number stands for so many of these in a row.

use super::checker::Checker;
use super::codes;
use crate::model::Expr;
use crate::model::boards::{Board, Lattice};
use crate::model::types::Type;
use crate::syntax::ast;
use crate::text::diagnostics::Diagnostic;
use crate::text::plural::plural;
use std::sync::Arc;

/// The most values of which the texts are compared.
const MOST: u64 = 4096;

/// What is wrong with rows.
pub struct Misread {
    /// The text that it is in.
    pub text: usize,
    pub message: String,
    pub hint: String,
}

/// What stands for a value, and the value.
struct Signs {
    signs: Vec<(String, i64)>,
    /// Whether a number stands for cells without a value.
    numbers: bool,
}

impl Signs {
    fn new(ty: &Type) -> Signs {
        let size = ty.size().filter(|n| *n <= MOST).unwrap_or(0);
        let values = (0..size).map(|i| ty.value_at(i));
        let optional = matches!(ty, Type::Optional(_));
        let mut signs: Vec<(String, i64)> = values
            .filter(|v| !optional || *v > 0)
            .map(|v| (ty.show(v), v))
            .filter(|(text, _)| !text.is_empty())
            .collect();
        let numbers = optional
            && !signs
                .iter()
                .any(|(text, _)| text.starts_with(|c: char| c.is_ascii_digit()));
        if optional && !signs.iter().any(|(text, _)| text.starts_with('.')) {
            signs.push((".".to_string(), 0));
        }
        // The longest text that fits is meant.
        signs.sort_by_key(|(text, _)| std::cmp::Reverse(text.len()));
        Signs { signs, numbers }
    }

    /// How many cells one row has, and the values of them, up to `most`.
    fn row(&self, row: &str, most: usize) -> Result<(usize, Vec<i64>), String> {
        let mut cells = 0;
        let mut values = Vec::new();
        let mut rest = row.trim_start();
        while !rest.is_empty() {
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            if self.numbers && digits > 0 {
                let count: usize = rest[..digits].parse().unwrap_or(usize::MAX);
                if count > MOST as usize {
                    return Err(rest[..digits].to_string());
                }
                cells += count;
                values.resize(cells.min(most), 0);
                rest = rest[digits..].trim_start();
                continue;
            }
            let Some((sign, value)) = self
                .signs
                .iter()
                .find(|(s, _)| rest.starts_with(s.as_str()))
            else {
                return Err(rest.chars().take(1).collect());
            };
            cells += 1;
            if cells <= most {
                values.push(*value);
            }
            rest = rest[sign.len()..].trim_start();
        }
        Ok((cells, values))
    }

    fn hint(&self) -> String {
        let signs = self.signs.iter().rev().take(16);
        let signs: Vec<String> = signs.map(|(text, _)| format!("`{text}`")).collect();
        format!("a cell is one of {}", signs.join(", "))
    }
}

/// The values of the cells in their order, out of texts that hold a row each, or several with `/` between them; the row that
/// is drawn on top comes first.
fn read(lattice: &Lattice, ty: &Type, texts: &[&str]) -> Result<Vec<i64>, Misread> {
    let signs = Signs::new(ty);
    let (columns, most) = (lattice.columns as usize, lattice.rows as usize);
    let mut count = 0;
    let mut rows = Vec::new();
    for (text, written) in texts.iter().enumerate() {
        for row in written.split('/') {
            let misread = |message: String, hint: String| Misread {
                text,
                message,
                hint,
            };
            let (cells, values) = signs
                .row(row, columns)
                .map_err(|sign| misread(format!("`{sign}` is no value of `{ty}`"), signs.hint()))?;
            if cells != columns {
                let message = format!("this row has {}", plural(cells, "cell"));
                let hint = format!("the board has {}", plural(columns, "column"));
                return Err(misread(message, hint));
            }
            count += 1;
            if count <= most {
                rows.push(values);
            }
        }
    }
    if count != most {
        return Err(Misread {
            text: 0,
            message: match count {
                1 => "here is 1 row".to_string(),
                n => format!("here are {n} rows"),
            },
            hint: format!("the board has {most}; the top one comes first"),
        });
    }
    if !lattice.downwards {
        rows.reverse();
    }
    Ok(rows.concat())
}

/// The rows of an array in one text, as short as they can be read again.
fn text(lattice: &Lattice, ty: &Type, values: &[i64]) -> Option<String> {
    let signs = Signs::new(ty);
    let mut rows: Vec<String> = Vec::new();
    for row in values.chunks(lattice.columns as usize) {
        let mut text = String::new();
        let mut at = 0;
        while let Some(value) = row.get(at) {
            let empty = row[at..].iter().take_while(|v| **v == 0).count();
            if signs.numbers && empty > 0 {
                text += &empty.to_string();
                at += empty;
                continue;
            }
            text += &signs.signs.iter().find(|(_, v)| v == value)?.0;
            at += 1;
        }
        rows.push(text);
    }
    if !lattice.downwards {
        rows.reverse();
    }
    let text = rows.join("/");
    let again = read(lattice, ty, &[&text]).ok()?;
    (again == values && signs.signs.iter().all(|(s, _)| s.chars().count() == 1)).then_some(text)
}

impl<'a> Checker<'a> {
    /// The board whose cells an array runs over, if they are those of a grid or a hex board.
    fn board_of(&self, indices: &[Type]) -> Option<Arc<Board>> {
        let [index] = indices else {
            return None;
        };
        let mut boards = self.boards.values().flatten();
        let board = boards.find(|b| b.node == *index && b.lattice.is_some())?;
        Some(board.clone())
    }

    /// The values of an array that is written as rows.
    pub fn rows(
        &mut self,
        rows: &'a [ast::Quoted],
        indices: &[Type],
        ty: &Type,
        span: crate::text::span::Span,
    ) -> Option<Vec<Expr>> {
        let board = self.board_of(indices);
        let Some(lattice) = board.as_ref().and_then(|b| b.lattice.as_ref()) else {
            self.report(
                Diagnostic::error(
                    codes::TYPE_MISMATCH,
                    span,
                    "rows of text are an array over the cells of a grid or a hex board",
                )
                .hint("other arrays are written by their entries: `{ Ann: 1, else: 0 }`"),
            );
            return None;
        };
        let texts: Vec<&str> = rows.iter().map(|row| row.text.as_str()).collect();
        match read(lattice, ty, &texts) {
            Ok(values) => {
                let values = values.into_iter();
                Some(values.map(|v| self.scalar(v, ty.clone(), span)).collect())
            }
            Err(Misread {
                text,
                message,
                hint,
            }) => {
                let at = rows.get(text).map_or(span, |row| row.span);
                self.report(Diagnostic::error(codes::BAD_ENTRIES, at, message).hint(hint));
                None
            }
        }
    }

    /// The values of an array out of a text that was given from outside; `None` where it is no array that has rows.
    pub fn given_rows(
        &self,
        text: &str,
        indices: &[Type],
        ty: &Type,
    ) -> Option<Result<Vec<i64>, Misread>> {
        let board = self.board_of(indices)?;
        Some(read(board.lattice.as_ref()?, ty, &[text]))
    }

    /// An array of single values as rows of text, if it has such.
    pub fn rows_text(&self, ty: &Type, values: &[i64]) -> Option<String> {
        let Type::Array { index, element } = ty else {
            return None;
        };
        let board = self.board_of(&[(**index).clone()])?;
        text(board.lattice.as_ref()?, element, values)
    }
}
