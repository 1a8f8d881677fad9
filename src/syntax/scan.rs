//! A first look at the characters, before any grammar: comments, brackets, texts in quotes, and signs that the language
//! does not have. It knows nothing of what stands between them.
//!
//! The grammar relies on it: a text that goes on to the grammar has matching brackets, none too deep.

use super::ast::Comment;
use super::brackets::Brackets;
use super::codes;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;
use std::borrow::Cow;

/// The deepest nesting of brackets.
pub const MAX_BRACKETS: usize = 90;
/// The most words and signs that are read, comments and texts in quotes apart (each of those counts as one).
pub const MAX_WORDS: usize = 60_000;
/// Problems listed in one run.
pub const MAX_PROBLEMS: usize = 40;

/// The words that begin an item.
pub const ITEMS: &[&str] = &[
    "param",
    "require",
    "players",
    "team",
    "type",
    "enum",
    "const",
    "graph",
    "grid",
    "hex",
    "state",
    "def",
    "shown",
    "rule",
    "note",
    "play",
    "payoff",
    "knowledge",
];

pub struct Scan {
    pub comments: Vec<Comment>,
    pub problems: Vec<Diagnostic>,
    /// Whether the brackets match, so that the grammar can be tried.
    pub sound: bool,
    /// Where the text is read as if something else stood there, as long as what does.
    instead: Vec<(usize, &'static str)>,
}

pub fn scan(text: &str) -> Scan {
    let bytes = text.as_bytes();
    let mut scan = Scan {
        comments: Vec::new(),
        problems: Vec::new(),
        sound: true,
        instead: Vec::new(),
    };
    let mut open = Brackets::default();
    let (mut words, mut within_word) = (0usize, false);
    let (mut at, mut indent, mut line_start, mut only_blanks) = (0, 0, 0, true);
    while at < bytes.len() {
        let byte = bytes[at];
        let letter = byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
        if !(letter && within_word || byte.is_ascii_whitespace()) {
            words += 1;
        }
        within_word = letter;
        if byte == b'\n' {
            at += 1;
            (line_start, indent, only_blanks) = (at, 0, true);
            continue;
        }
        let first = only_blanks && byte != b' ' && byte != b'\t';
        if first {
            indent = at - line_start;
            only_blanks = false;
        }
        match byte {
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                let end = line_end(bytes, at);
                let comment = Comment {
                    text: text[at..end].trim_end().to_owned(),
                    span: Span::new(at, at + text[at..end].trim_end().len()),
                };
                if let Some(note) = divided(&text[line_start..at], &comment) {
                    scan.report(note);
                }
                scan.comments.push(comment);
                at = end;
                continue;
            }
            b'"' => match text_end(bytes, at) {
                Some(end) => {
                    at = end;
                    continue;
                }
                None => {
                    let end = line_end(bytes, at);
                    scan.report(unfinished(text, at, end));
                    scan.sound = false;
                    at = end;
                    continue;
                }
            },
            b'{' | b'(' | b'[' => {
                if open.depth() == MAX_BRACKETS {
                    scan.report(too_deep(at));
                    scan.sound = false;
                    return scan;
                }
                open.open(at, byte, indent);
            }
            b'}' | b')' | b']' => {
                if let Err(problem) = open.close(text, at, first.then_some(indent)) {
                    scan.sound = false;
                    scan.report(problem);
                    return scan;
                }
            }
            _ => {
                if let Some((length, problem)) = strange(text, at) {
                    scan.report(problem);
                    scan.instead
                        .extend(read_as(text, at).map(|sign| (at, sign)));
                    at += length;
                    continue;
                }
            }
        }
        at += 1;
    }
    if words > MAX_WORDS {
        scan.sound = false;
        scan.report(Diagnostic::error(
            codes::FILE_TOO_LARGE,
            Span::new(0, 0),
            format!("the file has {words} words and signs; at most {MAX_WORDS} are read"),
        ));
    }
    if let Some(problem) = open.not_closed() {
        scan.sound = false;
        scan.report(problem);
    }
    scan
}

impl Scan {
    /// The text as it is read: with what is meant by a sign that the language does not have, where that is as long.
    pub fn readable<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut readable = Cow::Borrowed(text);
        for (at, sign) in &self.instead {
            readable.to_mut().replace_range(*at..at + sign.len(), sign);
        }
        readable
    }

    fn report(&mut self, problem: Diagnostic) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(problem);
        }
    }
}

/// What a sign that the language does not have is read as. Nothing goes on after a `++`.
fn read_as(text: &str, at: usize) -> Option<&'static str> {
    let signs = [
        ("->", "=>"),
        ("<>", "!="),
        ("=<", "<="),
        ("++", "\0\0"),
        ("...", ".. "),
        ("..=", ".. "),
    ];
    let rest = text.get(at..)?;
    let found = signs.iter().find(|(sign, _)| rest.starts_with(sign));
    found.map(|(_, meant)| *meant)
}

fn unfinished(text: &str, at: usize, end: usize) -> Diagnostic {
    Diagnostic::error(
        codes::UNFINISHED_TEXT,
        Span::new(at, at + text[at..end].trim_end().len()),
        "this text has no closing quote",
    )
    .label("begins here")
    .hint("end it with `\"` on the same line")
}

fn too_deep(at: usize) -> Diagnostic {
    Diagnostic::error(
        codes::TOO_DEEP,
        Span::new(at, at + 1),
        format!("brackets are nested more than {MAX_BRACKETS} deep here"),
    )
    .hint("give a part of it a name with `let`, `def` or `rule`")
}

pub(super) fn line_end(bytes: &[u8], at: usize) -> usize {
    bytes[at..]
        .iter()
        .position(|&b| b == b'\n')
        .map_or(bytes.len(), |n| at + n)
}

/// The offset after the closing quote of the text that begins at `at`, if it ends on its line.
pub(super) fn text_end(bytes: &[u8], at: usize) -> Option<usize> {
    let length = bytes[at + 1..]
        .iter()
        .position(|&b| b == b'"' || b == b'\n')?;
    (bytes[at + 1 + length] == b'"').then_some(at + length + 2)
}

/// `x = n // 2`: a comment that reads as a quotient. `line`: what stands before it. The formatter sets comments further off.
fn divided(line: &str, comment: &Comment) -> Option<Diagnostic> {
    let said = comment.text.strip_prefix("//")?;
    let number = said.trim();
    let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    let operand = |c: char| c.is_alphanumeric() || "_)]".contains(c);
    let close = line.strip_suffix(' ').unwrap_or(line);
    if !is_number || !line.contains('=') || !close.ends_with(operand) {
        return None;
    }
    let (start, end) = (comment.span.start, comment.span.start + 2);
    let message = "`//` begins a comment, so that nothing is divided here";
    let problem = Diagnostic::note_of(codes::READS_OTHERWISE, comment.span, message);
    let hint = format!("to divide, write `div {number}`; a comment is set off by two blanks");
    let blank = |there: bool| if there { "" } else { " " };
    let (before, after) = (blank(line.ends_with(' ')), blank(said.starts_with(' ')));
    let div = format!("{before}div{after}");
    Some(problem.hint(hint).edit(Span { start, end }, div))
}

/// A sign at `at` that the language does not have: its length in bytes, and the report.
fn strange(text: &str, at: usize) -> Option<(usize, Diagnostic)> {
    let rest = &text.as_bytes()[at..];
    let two = |second: u8| rest.get(1) == Some(&second);
    // With what takes its place, where that is plain.
    let (length, message, hint, instead) = match rest[0] {
        b'&' if two(b'&') => (2, "`&&` is not used here", "write `and`", "and"),
        b'|' if two(b'|') => (2, "`||` is not used here", "write `or`", "or"),
        b'|' => (
            1,
            "`|` is not used here",
            "write `or` between conditions, `+` for the union of two sets",
            "",
        ),
        b'!' if two(b'=') => return None,
        b'!' => (1, "`!` is not used here", "write `not`", "not"),
        b':' if two(b'=') => (
            2,
            "`:=` is not used here",
            "write `=` to store a value",
            "=",
        ),
        b'%' => (
            1,
            "`%` is not used here",
            "write `mod` for the remainder: `a mod b`",
            "mod",
        ),
        b'-' if two(b'>') => (
            2,
            "`->` is not used here",
            "write `=>` between an option and what it does",
            "=>",
        ),
        b'<' if two(b'>') => (2, "`<>` is not used here", "write `!=`", "!="),
        b'=' if two(b'+') => (2, "`=+` is not used here", "write `+=` to add", "+="),
        b'=' if two(b'<') => (2, "`=<` is not used here", "write `<=`", "<="),
        b'.' if rest.starts_with(b"...") => (3, "`...` is not used here", "write `..`", ".."),
        b'.' if rest.starts_with(b"..=") => (
            3,
            "`..=` is not used here",
            "write `..`, both ends belong to a range",
            "..",
        ),
        b'*' if two(b'*') => (
            2,
            "`**` is not used here",
            "the square of `k` is `k * k`, and a power `pow(k, n)`",
            "",
        ),
        b'^' if !two(b'^') => (
            1,
            "`^` is not used here",
            "the square of `k` is `k * k`, and a power `pow(k, n)`",
            "",
        ),
        b'*' if two(b'=') => (
            2,
            "`*` cannot be joined with another sign",
            "write it out, as in `x = x * 2`",
            "",
        ),
        b'+' if two(b'+') && in_value(text, at) => {
            (2, "`++` is not used here", "write `+ 1`", "+ 1")
        }
        b'+' if two(b'+') => (2, "`++` is not used here", "write `+= 1`", "+= 1"),
        b'=' if two(b'=') && rest.get(2) == Some(&b'=') => {
            (3, "`===` is not used here", "write `==`", "==")
        }
        b'/' if two(b'*') => (
            2,
            "`/*` does not begin a comment",
            "write `//` at the beginning of each line of it",
            "",
        ),
        b'\'' => (
            1,
            "single quotes are not used here",
            "write a text in double quotes: `\"…\"`",
            "",
        ),
        b'#' => (1, "`#` is not used here", "a comment begins with `//`", ""),
        byte if byte < 0x80 => {
            let used = byte.is_ascii_alphanumeric() || b" \t\r\n_.,:;?=<>+-*/&".contains(&byte);
            if used {
                return None;
            }
            let run = rest.iter().take_while(|b| **b == byte).count();
            return Some((run, unknown(text, at, run, "take it away").rewrite("")));
        }
        _ => return strange_letter(text, at),
    };
    let span = Span::new(at, at + length);
    let problem = Diagnostic::error(codes::FOREIGN_OPERATOR, span, message).hint(hint);
    Some((length, instead_of(problem, text, instead)))
}

/// Whether a value begins on the line before a place, after a `=`.
fn in_value(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let line = before.rsplit('\n').next().unwrap_or_default();
    line.rsplit([';', '{'])
        .next()
        .is_some_and(|stmt| stmt.contains('='))
}

/// Proposes a sign or a word for another sign, with blanks around it where there are none.
fn instead_of(problem: Diagnostic, text: &str, sign: &str) -> Diagnostic {
    if sign.is_empty() {
        return problem;
    }
    if sign == ".." {
        return problem.rewrite(sign);
    }
    let Span { start, end } = problem.span;
    let before = text.get(..start as usize).unwrap_or_default();
    let after = text.get(end as usize..).unwrap_or_default();
    let apart = |c: char| c.is_whitespace() || c == '(';
    let left = match before.chars().next_back() {
        Some(c) if !apart(c) => " ",
        _ => "",
    };
    let right = match after.chars().next() {
        Some(c) if !c.is_whitespace() => " ",
        _ => "",
    };
    problem.rewrite(format!("{left}{sign}{right}"))
}

/// A character beyond ASCII: letters are fine, look-alikes of known signs get a hint.
fn strange_letter(text: &str, at: usize) -> Option<(usize, Diagnostic)> {
    let letter = text.get(at..)?.chars().next()?;
    if letter.is_alphanumeric() || "\u{FEFF}\u{A0}".contains(letter) || is_word(letter) {
        return None;
    }
    let (hint, instead) = match letter {
        '“' | '”' | '„' | '«' | '»' => ("write a text in straight quotes: `\"…\"`", ""),
        '‘' | '’' => ("write a text in double quotes: `\"…\"`", ""),
        '≤' => ("write `<=`", "<="),
        '≥' => ("write `>=`", ">="),
        '≠' => ("write `!=`", "!="),
        '×' | '·' => ("write `*`", "*"),
        '÷' => ("write `/`, or `div` for whole numbers", ""),
        '−' | '–' | '—' => ("write `-`", "-"),
        '→' | '⇒' => ("write `=>`", "=>"),
        '∈' => ("write `in`", "in"),
        '∧' => ("write `and`", "and"),
        '∨' => ("write `or`", "or"),
        '¬' => ("write `not`", "not"),
        '…' => (
            "write out what stands here; a range has two dots, `1..4`",
            "",
        ),
        _ => ("signs like this may stand in texts and comments only", ""),
    };
    let same = text.get(at..)?.chars().take_while(|c| *c == letter);
    let count = same.count();
    let run = count * letter.len_utf8();
    let problem = unknown(text, at, run, hint);
    let single = if count == 1 { instead } else { "" };
    Some((run, instead_of(problem, text, single)))
}

/// Whether a character may stand in a name.
fn is_word(letter: char) -> bool {
    pest::unicode::XID_CONTINUE(letter)
}

/// The report of one sign, or of several in a row that are the same.
fn unknown(text: &str, at: usize, length: usize, hint: &str) -> Diagnostic {
    let sign = text.get(at..).and_then(|rest| rest.chars().next());
    let sign: String = sign.into_iter().flat_map(char::escape_debug).collect();
    Diagnostic::error(
        codes::UNKNOWN_CHARACTER,
        Span::new(at, at + length),
        format!("the language does not use `{sign}`"),
    )
    .hint(hint)
}
