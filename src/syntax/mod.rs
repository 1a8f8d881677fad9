//! Text to syntax tree, with byte spans and comments. What the text means is for `check`.

pub mod ast;
mod brackets;
pub mod codes;
pub mod fingerprint;
pub mod format;
mod mend;
pub mod names;
pub mod outline;
mod parse;
mod scan;
pub mod visit;

use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;

/// The largest file that is read, in bytes.
pub const MAX_BYTES: usize = 1 << 20;

/// Reads a whole file. Problems are collected; the tree is there whenever enough of it could be read to go on, so that
/// `check` can report more in the same run. A tree without errors comes with an empty list.
pub fn parse(text: &str) -> (Option<ast::File>, Vec<Diagnostic>) {
    if text.len() > MAX_BYTES {
        let problem = Diagnostic::error(
            codes::FILE_TOO_LARGE,
            Span::new(0, 0),
            format!(
                "the file has {} bytes; at most {MAX_BYTES} are read",
                text.len()
            ),
        );
        return (None, vec![problem]);
    }
    let scan = scan::scan(text);
    if !scan.sound {
        return (None, scan.problems);
    }
    let readable = scan.readable(text);
    let (file, mut problems) = parse::file(&readable, scan.comments, scan.problems);
    problems.sort_by_key(|problem| (problem.span, problem.code));
    if problems.len() > scan::MAX_PROBLEMS {
        problems.truncate(scan::MAX_PROBLEMS);
        let last = problems.last().map_or(Span::default(), |p| p.span);
        problems.push(Diagnostic::error(
            codes::TOO_MANY_PROBLEMS,
            last,
            "there are more problems after this one",
        ));
    }
    (file, problems)
}

/// The tree of a text as far as there is one, even of a text whose brackets do not match.
pub fn recovered(text: &str) -> Option<ast::File> {
    let (file, _) = parse(text);
    file.or_else(|| parse(&mend::mended(text)).0)
}
