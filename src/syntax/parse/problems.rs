//! What could not be read, in words for the person who wrote it.
//!
//! The grammar skips what it cannot read; here the skipped part is read once more without skipping, which tells how far
//! it made sense and what could have followed.

use super::{Grammar, Piece, Reader, Rule};
use crate::diagnostics::{Code, Diagnostic};
use crate::syntax::codes;
use crate::syntax::span::Span;
use pest::Parser;
use pest::error::{Error, ErrorVariant, InputLocation};

type Failure = Error<Rule>;

/// The longest stretch that is read again.
const REREAD: usize = 4096;

/// Where a part that cannot be read stands.
#[derive(Copy, Clone, PartialEq)]
pub(super) enum Region {
    Items,
    Vars,
    Statements,
    Arms,
    Alternatives,
}

impl Region {
    fn rule(self) -> Rule {
        match self {
            Region::Items => Rule::strict_items,
            Region::Vars => Rule::strict_vars,
            Region::Statements => Rule::strict_stmts,
            Region::Arms => Rule::strict_arms,
            Region::Alternatives => Rule::strict_alternatives,
        }
    }

    fn code(self) -> Code {
        match self {
            Region::Items | Region::Vars => codes::BAD_ITEM,
            _ => codes::BAD_STATEMENT,
        }
    }
}

impl<'t> Reader<'t> {
    /// Gives every piece to `read`, and reports those that the grammar skipped.
    pub(super) fn recovering(
        &mut self,
        pieces: Vec<Piece<'t>>,
        region: Region,
        mut read: impl FnMut(&mut Self, Piece<'t>),
    ) {
        let limit = pieces.last().map_or(0, |p| p.as_span().end());
        let mut previous: Option<Span> = None;
        let mut after_bad: Option<usize> = None;
        for piece in pieces {
            let span = self.span(&piece);
            match piece.as_rule() {
                Rule::bad_stmt | Rule::bad_item => {
                    let column = self.column(span.start as usize);
                    // A line that is indented more than the skipped one before it goes on with it.
                    let goes_on = after_bad.is_some_and(|c| column > c);
                    if !goes_on {
                        self.report_skipped(region, previous, span, limit);
                        let first = self.indent(span.start as usize);
                        after_bad = Some(first);
                    }
                    previous = None;
                }
                Rule::stmt | Rule::arm | Rule::alternative | Rule::state_var => {
                    after_bad = None;
                    previous = Some(span);
                }
                Rule::param
                | Rule::players
                | Rule::type_item
                | Rule::enum_item
                | Rule::const_item
                | Rule::state
                | Rule::def
                | Rule::rule_item
                | Rule::play
                | Rule::payoff => {
                    after_bad = None;
                    previous = Some(span);
                }
                _ => {}
            }
            read(self, piece);
        }
    }

    fn report_skipped(
        &mut self,
        region: Region,
        previous: Option<Span>,
        skipped: Span,
        limit: usize,
    ) {
        if self.problems.len() > crate::syntax::scan::MAX_PROBLEMS {
            return;
        }
        let (start, end) = (skipped.start as usize, skipped.end as usize);
        // A sign that the language does not have has been reported where it stands.
        let from = previous.map_or(start, |p| p.start as usize);
        let known = |d: &Diagnostic| (from..end).contains(&(d.span.start as usize));
        if self.problems.iter().any(known) {
            return;
        }
        let from = if start - from > REREAD { start } else { from };
        let stop = self
            .text
            .floor_char_boundary((end + REREAD).min(limit).max(end));
        let Some(again) = self.text.get(from..stop) else {
            return;
        };
        let problem = match Grammar::parse(region.rule(), again) {
            Err(failure) => {
                let mut problem = explain(&failure, self.text, from, skipped, region.code());
                // Another problem than the one that made the grammar skip this part.
                if (problem.span.start as usize) > end.max(start + REREAD) {
                    problem.span = skipped;
                }
                problem
            }
            Ok(_) => Diagnostic::error(
                region.code(),
                skipped,
                "this cannot be read together with what follows",
            ),
        };
        self.report(problem);
    }

    /// The failure of the whole file: no `game Name {` before, or something after.
    pub(super) fn report_header(&mut self, failure: &Failure) {
        let at = position(failure);
        let rest = self.text.get(at..).unwrap_or_default();
        let span = word_span(self.text, at);
        let begins = self
            .text
            .trim_start_matches(['\u{FEFF}', ' ', '\n', '\r', '\t']);
        let problem = match &failure.variant {
            _ if self.text.trim().is_empty() => {
                Diagnostic::error(codes::NOT_A_GAME, span, "the file is empty")
            }
            ErrorVariant::ParsingError { positives, .. } if positives.contains(&Rule::nest) => {
                too_deep(span)
            }
            ErrorVariant::ParsingError { positives, .. } if positives.contains(&Rule::EOI) => {
                if rest.starts_with("game") {
                    Diagnostic::error(codes::NOT_A_GAME, span, "a file holds one game")
                        .hint("put the second game into a file of its own")
                } else {
                    Diagnostic::error(
                        codes::NOT_A_GAME,
                        span,
                        "this stands after the end of the game",
                    )
                    .hint("move it into the braces of `game`, or take away a `}` before it")
                }
            }
            ErrorVariant::ParsingError { positives, .. } if positives.contains(&Rule::ident) => {
                Diagnostic::error(codes::NOT_A_GAME, span, "the game needs a name here")
                    .hint("begin with `game Name {`")
            }
            ErrorVariant::ParsingError { positives, .. } if positives.contains(&Rule::lbrace) => {
                Diagnostic::error(
                    codes::NOT_A_GAME,
                    span,
                    "expected `{` after the name of the game",
                )
                .hint("the whole game stands in `game Name { … }`; a name is one word")
            }
            _ if begins.is_empty() => {
                Diagnostic::error(codes::NOT_A_GAME, span, "the file holds no game")
            }
            _ => Diagnostic::error(codes::NOT_A_GAME, span, "a file begins with `game Name {`"),
        };
        let problem = match problem.hint {
            None => problem.hint("the whole game stands in `game Name { … }`"),
            Some(_) => problem,
        };
        let taken = self.problems.iter().any(|d| d.span.start <= span.start);
        if !taken {
            self.report(problem);
        }
    }

    fn column(&self, at: usize) -> usize {
        let before = &self.text[..at];
        at - before.rfind('\n').map_or(0, |n| n + 1)
    }

    /// How far the line that holds `at` is indented.
    fn indent(&self, at: usize) -> usize {
        let line = at - self.column(at);
        self.text[line..]
            .bytes()
            .take_while(|b| matches!(b, b' ' | b'\t'))
            .count()
    }
}

/// A failure of the grammar on the part of `text` that begins at `from`, while it was reading `region`.
pub(super) fn explain(
    failure: &Failure,
    text: &str,
    from: usize,
    region: Span,
    code: Code,
) -> Diagnostic {
    let at = from + position(failure);
    let positives: &[Rule] = match &failure.variant {
        ErrorVariant::ParsingError { positives, .. } => positives,
        ErrorVariant::CustomError { .. } => &[],
    };
    let span = word_span(text, at);
    let found = text.get(span.range()).unwrap_or_default();
    let rest = text.get(at..).unwrap_or_default();
    let wanted = |rule: Rule| positives.contains(&rule);
    let start = text.get(region.range()).unwrap_or_default();
    if wanted(Rule::nest) {
        return too_deep(span);
    }
    if found.is_empty() {
        return Diagnostic::error(code, span, "the text ends too early here");
    }
    if let Some(problem) = misused(at, span, found, rest, &wanted, start) {
        return problem;
    }
    let (what, hint) = expected(positives, found, code);
    let shown = found.trim_end();
    let mut problem = Diagnostic::error(code, span, format!("expected {what}, found `{shown}`"));
    problem.hint = hint.map(str::to_owned);
    if is_reserved(found) && (wanted(Rule::ident) || wanted(Rule::expr)) {
        problem.hint = Some(format!(
            "`{shown}` is a word of the language and cannot be a name"
        ));
    }
    problem
}

/// Habits from other languages, and slips that have a better message than what the grammar expected.
fn misused(
    at: usize,
    span: Span,
    found: &str,
    rest: &str,
    wanted: &impl Fn(Rule) -> bool,
    start: &str,
) -> Option<Diagnostic> {
    let store = |message: &str, hint: &str| {
        Some(Diagnostic::error(codes::STORE_OR_COMPARE, span, message).hint(hint))
    };
    let first = start.split(|c: char| !c.is_alphanumeric()).next()?;
    if rest.starts_with('=')
        && !rest.starts_with("==")
        && !rest.starts_with("=>")
        && wanted(Rule::op_eq)
    {
        return store(
            "`=` stores a value and cannot stand in a condition",
            "to compare, write `==`",
        );
    }
    if rest.starts_with("==") && wanted(Rule::eq) {
        return store(
            "`==` compares and cannot store a value",
            "to store, write `=`",
        );
    }
    let statement = |message: &str, hint: &str| {
        Some(Diagnostic::error(codes::BAD_STATEMENT, span, message).hint(hint))
    };
    let known_start = at == span.start as usize;
    match found {
        "for" if wanted(Rule::stmt) || wanted(Rule::kw_each) => {
            return statement(
                "a loop over a set begins with `each`",
                "write `each x in S { … }`",
            );
        }
        "return" => {
            return statement(
                "nothing returns a value in a play",
                "a `def` gives the value after its `=`; `end` ends the game",
            );
        }
        "var" | "set" if known_start && wanted(Rule::stmt) => {
            return statement("a store begins with the place", "write `place = value`");
        }
        "elif" | "elsif" | "elseif" => {
            return statement("this word is not used here", "write `else if`");
        }
        "else" if wanted(Rule::stmt) => {
            return statement(
                "this `else` belongs to nothing",
                "an `else` stands right after the block of an `if`, or after a choice",
            );
        }
        "where" if wanted(Rule::stmt) => {
            return statement(
                "this `where` belongs to nothing",
                "a `where` follows the sets that it filters: `p chooses c in S where …`",
            );
        }
        _ => {}
    }
    if first == "while" || first == "turns" {
        if wanted(Rule::kw_at_most) && rest.starts_with('{') {
            return Some(
                Diagnostic::error(
                    codes::BAD_STATEMENT,
                    span,
                    format!("`{first}` needs a bound before its block"),
                )
                .hint("every game ends: write `at most n` before the `{`"),
            );
        }
    }
    None
}

/// What could have stood here, the most telling first, and advice where there is some.
fn expected(positives: &[Rule], found: &str, code: Code) -> (String, Option<&'static str>) {
    use Rule::*;
    let has = |rule: Rule| positives.contains(&rule);
    let plain: &[(Rule, &str, Option<&'static str>)] = &[
        (item, "an item of the game", None),
        (stmt, "a statement", None),
        (
            ty,
            "a type",
            Some("for example `1..13`, `bool`, `Player`, `set of Card`"),
        ),
        (
            type_name,
            "a type",
            Some("for example `1..13`, `bool`, `Player`, `set of Card`"),
        ),
        (
            kw_chooses,
            "`=`, `+=`, `-=` or `chooses`",
            Some(
                "a statement stores (`place = value`), chooses (`p chooses c in S`), or calls a rule (`name()`)",
            ),
        ),
        (eq, "`=`", None),
        (
            kw_then,
            "`then`",
            Some("write `if c then a else b` for a value"),
        ),
        (
            kw_else,
            "`else`",
            Some("a value needs both: `if c then a else b`"),
        ),
        (colon, "`:`", None),
        (
            kw_in,
            "`in`",
            Some("say where the values come from, as in `p chooses c in hand[p]` or `each x in S`"),
        ),
        (kw_times, "`times`", Some("write `repeat n times { … }`")),
        (
            kw_at_most,
            "`at most`",
            Some("every game ends: write `at most n` before the `{`"),
        ),
        (
            kw_from,
            "`from`",
            Some("as in `turns me from Alice at most 9 { … }` or `deal 5 from deck to hand[p]`"),
        ),
        (arrow, "`=>`", None),
        (kw_of, "`of`", None),
        (semi, "`;`", None),
        (block, "`{`", None),
        (lbrace, "`{`", None),
        (rparen, "`)`", None),
        (rbrack, "`]`", None),
        (rbrace, "`}`", None),
        (lparen, "`(`", None),
        (
            text,
            "a text in quotes",
            Some("for example `as \"{card}\"`"),
        ),
        (kw_to, "`to`", None),
        (
            claim,
            "`zero-sum`, `constant-sum n` or `general-sum`",
            Some("a payoff says what it adds up to, as in `payoff zero-sum: …`"),
        ),
        (
            claimed,
            "`zero-sum`, `constant-sum n` or `general-sum`",
            Some("a payoff says what it adds up to, as in `payoff zero-sum: …`"),
        ),
        (ident, "a name", None),
        (expr, "a value", None),
        (operand, "a value", None),
        (bound, "a value", None),
        (place, "a place to store in", None),
    ];
    // Where a value may go on and something else must follow, the latter says more.
    let options: Vec<_> = plain.iter().filter(|(rule, ..)| has(*rule)).collect();
    if code == codes::BAD_ITEM && options.is_empty() {
        return (
            "an item of the game".to_owned(),
            Some(
                "a game holds `param`, `players`, `type`, `enum`, `const`, `state`, `def`, `rule`, `play` and `payoff`",
            ),
        );
    }
    let Some((_, first, hint)) = options.first() else {
        let what = match code {
            codes::BAD_TEXT => "the end of the hole",
            _ if found == "}" => "more before the `}`",
            _ => "a value or a statement",
        };
        return (what.to_owned(), None);
    };
    let mut words: Vec<&str> = vec![first];
    for (_, phrase, _) in options.iter().skip(1).take(2) {
        if !words.contains(phrase) {
            words.push(phrase);
        }
    }
    let what = match words.as_slice() {
        [one] => (*one).to_owned(),
        [most @ .., last] => format!("{} or {last}", most.join(", ")),
        [] => String::new(),
    };
    (what, *hint)
}

pub(super) fn too_deep(span: Span) -> Diagnostic {
    Diagnostic::error(
        codes::TOO_DEEP,
        span,
        "this is nested too deeply: at most 100 expressions or statements within one another are read",
    )
    .hint("give a part of it a name with `let`, `def` or `rule`")
}

pub(super) fn number_too_large(span: Span) -> Diagnostic {
    Diagnostic::error(
        codes::NUMBER_TOO_LARGE,
        span,
        format!("this number is larger than {}", i64::MAX),
    )
}

fn position(failure: &Failure) -> usize {
    match failure.location {
        InputLocation::Pos(at) => at,
        InputLocation::Span((at, _)) => at,
    }
}

/// The word or sign at `at`.
fn word_span(text: &str, at: usize) -> Span {
    let rest = text.get(at..).unwrap_or_default();
    let is_letter = |c: char| c == '_' || pest::unicode::XID_CONTINUE(c);
    let word: usize = rest
        .chars()
        .take_while(|&c| is_letter(c))
        .take(40)
        .map(char::len_utf8)
        .sum();
    let length = if word > 0 {
        word
    } else {
        ["==", "!=", "<=", ">=", "=>", "+=", "-=", ".."]
            .iter()
            .find(|sign| rest.starts_with(**sign))
            .map_or_else(
                || rest.chars().next().map_or(0, char::len_utf8),
                |s| s.len(),
            )
    };
    Span::new(at, at + length)
}

fn is_reserved(word: &str) -> bool {
    Grammar::parse(Rule::reserved, word).is_ok_and(|p| p.as_str() == word)
}
