//! Brackets that are missing, or one too many.

use super::codes;
use crate::text::diagnostics::Diagnostic;
use crate::text::span::Span;

/// A bracket that is open.
struct Opened {
    at: usize,
    bracket: u8,
    /// How far in the line with it begins.
    indent: usize,
}

/// The brackets up to a place of a text.
#[derive(Default)]
pub(super) struct Brackets {
    open: Vec<Opened>,
    /// The first block whose `}` stands further left than the line that opened it: the likely one without its own `}`.
    unclosed: Option<usize>,
    /// The first block whose `}` stands further right than the line that opened it, from its `{` to that: the likely one with a
    /// block in it without its own `{`.
    unopened: Option<(usize, usize)>,
    /// Where the first item of the file ends.
    end: Option<usize>,
}

impl Brackets {
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    pub fn open(&mut self, at: usize, bracket: u8, indent: usize) {
        self.open.push(Opened {
            at,
            bracket,
            indent,
        });
    }

    /// Closes a bracket by what stands at a place. `indent`: how far in, where it is the first of its line.
    pub fn close(
        &mut self,
        text: &str,
        at: usize,
        indent: Option<usize>,
    ) -> Result<(), Diagnostic> {
        let bracket = text.as_bytes()[at];
        let is_brace = bracket == b'}';
        let Some(opened) = self.open.pop() else {
            let block = || missing_before(text, self.unopened?);
            let missing = missing_brace(text).or_else(block).filter(|_| is_brace);
            return Err(missing.unwrap_or_else(|| match self.end {
                Some(end) => closes_nothing(at, bracket)
                    .note(Span::new(end, end + 1), "this ends the game already"),
                None => closes_nothing(at, bracket),
            }));
        };
        if closer(opened.bracket) != bracket {
            let mut all = self.open.iter();
            let meant = is_brace || all.any(|o| closer(o.bracket) == bracket);
            return Err(match meant {
                true => mismatch(&opened, at, bracket),
                false => closes_nothing(at, bracket),
            });
        }
        if let Some(indent) = indent.filter(|_| is_brace) {
            if indent < opened.indent {
                self.unclosed.get_or_insert(opened.at);
            }
            if indent > opened.indent {
                self.unopened.get_or_insert((opened.at, at));
            }
        }
        if self.open.is_empty() {
            self.end.get_or_insert(at);
        }
        Ok(())
    }

    /// What is wrong where the text ends.
    pub fn not_closed(&self) -> Option<Diagnostic> {
        let opened = self.open.last()?;
        // Where it is not the last one, it is a block.
        Some(match self.unclosed {
            Some(at) => not_closed(at, b'{'),
            None => not_closed(opened.at, opened.bracket),
        })
    }
}

fn closes_nothing(at: usize, bracket: u8) -> Diagnostic {
    Diagnostic::error(
        codes::UNBALANCED,
        Span::new(at, at + 1),
        format!("this `{}` closes nothing", bracket as char),
    )
    .hint("take it away, or look for a bracket that is missing before it")
}

/// A block without its `{`, where a `}` is left over: the first word of an item that stands alone on its line.
fn missing_brace(text: &str) -> Option<Diagnostic> {
    let mut at = 0;
    let mut found: Option<Span> = None;
    for line in text.split_inclusive('\n') {
        let code = line.split("//").next().unwrap_or_default();
        let word = code.trim();
        if found.is_some() && !word.is_empty() {
            if !word.starts_with('{') {
                break;
            }
            found = None;
        }
        if ["state", "play", "together"].contains(&word) {
            let start = at + code.len() - code.trim_start().len();
            found = Some(Span::new(start, start + word.len()));
        }
        at += line.len();
    }
    let span = found?;
    let word = text.get(span.range())?;
    let end = span.end as usize;
    Some(
        Diagnostic::error(
            codes::UNBALANCED,
            span,
            format!("expected `{{` after `{word}`, found the end of the line"),
        )
        .hint(format!("write `{word} {{`"))
        .edit(Span::new(end, end), " {"),
    )
}

/// A block without its `{`, where a `}` is left over, by how far in lines begin: the first `}` that stands further right than the block
/// begins which it closes is that of a block in it. `around`: from where to where the text has a block.
fn missing_before(text: &str, around: (usize, usize)) -> Option<Diagnostic> {
    let within = text.get(around.0..around.1)?;
    let (body, own) = within.rsplit_once('\n')?;
    let begins = |line: &str| line.len() - line.trim_start_matches([' ', '\t']).len();
    let mut end = around.0 + body.len();
    for line in body.rsplit('\n') {
        let code = line.split("//").next().unwrap_or_default().trim_end();
        let start = end - line.len();
        end = start.saturating_sub(1);
        if code.is_empty() || begins(code) > own.len() {
            continue;
        }
        // The first line is that with the `{` around.
        if begins(code) < own.len() || code.contains(['{', '}']) || start <= around.0 {
            return None;
        }
        let span = Span::new(start + begins(code), start + code.len());
        let behind = Span::new(start + code.len(), start + code.len());
        let problem = Diagnostic::error(
            codes::UNBALANCED,
            span,
            "a block begins here without its `{`",
        );
        let problem = problem
            .note(Span::new(around.1, around.1 + 1), "here it ends")
            .hint("write `{` at the end of this line");
        // A comment may have taken the rest of the line.
        return Some(match line.contains("//") {
            true => problem,
            false => problem.edit(behind, " {"),
        });
    }
    None
}

fn not_closed(start: usize, bracket: u8) -> Diagnostic {
    let (opening, closing) = (bracket as char, closer(bracket) as char);
    Diagnostic::error(
        codes::UNBALANCED,
        Span::new(start, start + 1),
        format!("this `{opening}` has no closing `{closing}`"),
    )
    .label("opened here")
    .hint(format!("add a `{closing}` where it ends"))
}

fn mismatch(opened: &Opened, at: usize, found: u8) -> Diagnostic {
    let wanted = closer(opened.bracket) as char;
    Diagnostic::error(
        codes::UNBALANCED,
        Span::new(at, at + 1),
        format!("expected `{wanted}` here, found `{}`", found as char),
    )
    .note(
        Span::new(opened.at, opened.at + 1),
        format!("this `{}` is still open", opened.bracket as char),
    )
    .hint(format!("close it with `{wanted}` first"))
}

pub(super) fn closer(bracket: u8) -> u8 {
    match bracket {
        b'{' => b'}',
        b'(' => b')',
        _ => b']',
    }
}
