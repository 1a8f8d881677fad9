//! Tree and text to text, set the usual way: spaces, indentation, columns.
//!
//! The author decides which lines break as long as they are short enough, and every comment stays. What a text says never
//! changes: the result is read again and compared, and given only if it says the same.

mod columns;
mod expressions;
mod items;
mod knowledge;
mod layout;
mod statements;
#[cfg(test)]
mod tests;
mod tokens;
mod writer;

use super::ast::File;
use super::codes;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;

/// The text of a game, set the usual way. To format the result again changes nothing.
///
/// # Errors
/// What is wrong with the form of the text; such a text is better left alone.
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let (file, mut problems) = super::parse(text);
    problems.retain(Diagnostic::is_error);
    let Some(file) = file.filter(|_| problems.is_empty()) else {
        return Err(problems);
    };
    let mut writer = writer::Writer::new(text);
    writer.file(&file);
    let refused = || {
        let whole = Span::new(0, 0);
        vec![
            Diagnostic::error(
                codes::NOT_FORMATTED,
                whole,
                "this file cannot be formatted without a change of what it says",
            )
            .hint("this is a mistake of ruse, not of the game; the file is right as it is"),
        ]
    };
    if !writer.finished() {
        return Err(refused());
    }
    let formatted = layout::lay_out(&writer.pieces, &writer.frames);
    match super::parse(&formatted) {
        (Some(again), problems)
            if !problems.iter().any(Diagnostic::is_error) && same(&file, &again) =>
        {
            Ok(formatted)
        }
        _ => Err(refused()),
    }
}

/// The words and signs of a text in order, without comments and blanks: what it says, however it is set.
pub fn words(text: &str) -> Vec<&str> {
    let mut words: Vec<&str> = tokens::tokens(text).iter().map(|t| t.text).collect();
    words.pop();
    words
}

/// Whether two trees say the same and have the same comments, wherever in the text things stand.
pub fn same(a: &File, b: &File) -> bool {
    let comments = |f: &File| {
        f.comments
            .iter()
            .map(|c| c.text.clone())
            .collect::<Vec<_>>()
    };
    comments(a) == comments(b) && shape(a) == shape(b)
}

/// The tree written out, without its spans and comments.
fn shape(file: &File) -> String {
    let File {
        name,
        extends,
        items,
        lost: _,
        comments: _,
        span: _,
    } = file;
    let written = format!("{name:?} {extends:?} {items:?}");
    let mut shape = String::with_capacity(written.len() / 2);
    let (mut rest, mut quoted) = (written.as_str(), false);
    while let Some(next) = rest.chars().next() {
        if !quoted && let Some(after) = rest.strip_prefix("Span {") {
            rest = after.split_once('}').map_or("", |(_, after)| after);
            continue;
        }
        let length = match next {
            '\\' if quoted => 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
            _ => next.len_utf8(),
        };
        quoted ^= next == '"';
        shape.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    shape
}
