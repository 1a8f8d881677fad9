//! Why a part of a file could not be read, in words for the person who wrote it. Where it is and how it was found is for
//! `problems`.

use super::declarations::declaration;
use super::habits;
use super::misspelt::misspelt;
use super::slips::{Slip, filter_by_if, habit, listed_indices, missing_comma};
use super::stuck::Stuck;
use super::{Grammar, Rule};
use crate::syntax::codes;
use crate::text::diagnostics::{Code, Diagnostic};
use crate::text::span::Span;
use pest::Parser;
use pest::error::{Error, ErrorVariant, InputLocation};

/// What the grammar says when it stops.
pub(super) type Failure = Error<Rule>;

/// A failure of the grammar on the part of `text` that begins at `from`; the part that was skipped is `region`.
pub(super) fn explain(
    failure: &Failure,
    text: &str,
    from: usize,
    region: Span,
    code: Code,
) -> Diagnostic {
    let at = from + position(failure);
    let wanted = Wanted(match &failure.variant {
        ErrorVariant::ParsingError { positives, .. } => positives,
        ErrorVariant::CustomError { .. } => &[],
    });
    let span = word_span(text, at);
    let found = text.get(span.range()).unwrap_or_default();
    if wanted.has(Rule::nest) {
        return too_deep(span);
    }
    let skipped = text.get(region.range()).unwrap_or_default();
    let first_span = word_span(text, region.start as usize);
    let first = text.get(first_span.range()).unwrap_or_default();
    let stuck = Stuck {
        text,
        from,
        region,
        at: span,
        code,
    };
    if let Some(problem) = declaration(&stuck).or_else(|| habits::habit(&stuck, &wanted)) {
        return problem;
    }
    let at_once = at == region.start as usize;
    if let Some(problem) = habit(first, skipped, first_span, at_once, code) {
        return problem;
    }
    if let Some(problem) = filter_by_if(text, first_span, &wanted, code) {
        return problem;
    }
    let behind = text.get(span.end as usize..).unwrap_or_default();
    let slip = Slip {
        found,
        first,
        read: text.get(from..at).unwrap_or_default(),
        behind: behind.lines().next().unwrap_or_default(),
        next_line: behind.lines().nth(1).unwrap_or_default(),
        code,
    };
    if let Some(problem) = slip.explain(span, &wanted) {
        return problem;
    }
    if let Some(problem) = listed_indices(text, span, &wanted, code) {
        return problem;
    }
    if let Some(problem) = misspelt(text, region, span, &wanted, code) {
        return problem;
    }
    if let Some(problem) = missing_comma(text, from, span, &wanted, code) {
        return problem;
    }
    let (what, mut hint) = wanted.phrase(first, code);
    if hint.is_none() {
        hint = form(first, skipped, code);
    }
    if hint.is_none() && code == codes::BAD_ITEM && wanted.has(Rule::colon) {
        hint = Some("write `name : type = value`");
    }
    let opened = text.get(..span.start as usize).map(str::trim_end);
    if hint.is_none() && wanted.has(Rule::ident) && opened.is_some_and(|t| t.ends_with('[')) {
        hint = Some("an array has a value for each index: `[p in Player] 1`; a set is `{ 1, 2 }`");
    }
    let gap = text.get(region.end as usize..at).unwrap_or_default();
    let (span, shown) = if gap.contains('\n') {
        let end = region.end as usize;
        (Span::new(end, end), "the end of the line".to_owned())
    } else if found.is_empty() {
        (span, "the end of it".to_owned())
    } else {
        (span, format!("`{found}`"))
    };
    let mut problem = Diagnostic::error(code, span, format!("expected {what}, found {shown}"));
    let read = text.get(from..at).unwrap_or_default().trim_end();
    problem.hint = misplaced(read, found).or(hint).map(str::to_owned);
    let declared = found.starts_with(is_letter) && !is_reserved(found);
    if first == "shown" && declared && wanted.has(Rule::kw_to) {
        problem = problem.edit(Span::new(at, at), "def ");
    }
    if is_reserved(found)
        && (wanted.has(Rule::ident) || wanted.is_value() || at == region.start as usize)
    {
        problem.hint = Some(format!(
            "`{found}` is a word of the language and cannot be a name"
        ));
    }
    problem
}

/// Where a word belongs that stands where it cannot, or right before that.
fn misplaced(read: &str, found: &str) -> Option<&'static str> {
    (found == "secretly" || read.ends_with("secretly")).then_some(
        "`secretly` stands before what it hides: `p chooses secretly x in S`, `draw secretly x in S` or `{ move(secretly x in S) }`",
    )
}

/// How a construct is written that begins with `first`.
fn form(first: &str, skipped: &str, code: Code) -> Option<&'static str> {
    Some(match first {
        "param" => "write `param name : type = value`",
        "players" => "write `players { A, B }`, or `players n of { A, B, C }`",
        "team" => "write `team Name { A, B }`",
        "note" if code == codes::BAD_ITEM => "write `note name : type`",
        "note" => "write `note place = value`",
        "type" => "write `type Name = type`, for example `type Card = 1..13`",
        "enum" => {
            "write `enum Name { one, two \"2\", three }`, or `enum Name n of { … }` for the first n"
        }
        "const" => "write `const name = value`, or `const name : [Index] type = value`",
        "graph" => {
            "write `graph Name { nodes 1..9  edges { 1: 2 3; 2: 3 } }`, with a label after `edges` where there are several kinds"
        }
        "grid" => "write `grid Name(columns, rows)`",
        "hex" => "write `hex Name(size)`",
        "state" if code == codes::BAD_ITEM => "write `state { name : type = value  … }`",
        "shown" => "write `shown def name(x: type) : type = value`, or `shown to p def …`",
        "knowledge" => "write `knowledge Player { … }`, with a player, a team or everybody",
        "playout" => {
            "write `playout name = maximise value`, with `minimise`, or with `weights { … }`"
        }
        "filter" | "amend" => "write `filter name = condition`, or `amend name = condition`",
        "evaluate" => "write `evaluate = value`",
        "category" => "write `category name of place = value`",
        "abstraction" => {
            "write `abstraction information { name = value }` or `abstraction actions { label => (value) }`"
        }
        "def" => "write `def name(x: type) : type = value`",
        "rule" => "write `rule name(x: type) { … }`",
        "payoff" => {
            "write `payoff zero-sum: value`, or `payoff { match e { a => zero-sum: value } }`"
        }
        "let" => "write `let name = value`",
        "each" => "write `each x in S { … }`",
        "together" => "write `together each p in S { p chooses … }`, or `together { … }`",
        "one" => "write `one move { … }`",
        "turns" => "write `turns me from first at most n { … }`",
        "draw" => "write `draw c in S`, then `into place`, `where c`, `weighted n` as needed",
        "deal" => "write `deal n from place to place`",
        "match" => "write `match value { a, b => …  else => … }`",
        _ if skipped.contains("chooses") => {
            "write `p chooses c in S into place`, or `p chooses { one => …  two => … }`"
        }
        _ if code == codes::BAD_ITEM && skipped.contains([':', '=']) => {
            "write `name : type = value`"
        }
        _ => return None,
    })
}

/// What could have stood where the reading stopped.
pub(super) struct Wanted<'f>(&'f [Rule]);

impl Wanted<'_> {
    pub(super) fn has(&self, rule: Rule) -> bool {
        self.0.contains(&rule)
    }

    /// The words of the language among it.
    pub(super) fn words(&self) -> impl Iterator<Item = &'static str> {
        use Rule::*;
        let words = [
            (kw_chooses, "chooses"),
            (kw_from, "from"),
            (kw_among, "among"),
            (kw_while, "while"),
            (kw_times, "times"),
            (kw_to, "to"),
            (kw_in, "in"),
            (kw_else, "else"),
            (kw_then, "then"),
            (kw_of, "of"),
            (kw_for, "for"),
            (kw_where, "where"),
            (kw_into, "into"),
            (kw_weighted, "weighted"),
            (kw_secretly, "secretly"),
            (kw_revealing, "revealing"),
        ];
        words
            .into_iter()
            .filter(|(rule, _)| self.has(*rule))
            .map(|(_, w)| w)
    }

    fn is_value(&self) -> bool {
        use Rule::*;
        [expr, operand, bound, int, truth]
            .iter()
            .any(|r| self.has(*r))
    }

    /// The most telling of it in words, and advice where there is some. The part begins with the word `first`.
    fn phrase(&self, first: &str, code: Code) -> (String, Option<&'static str>) {
        use Rule::*;
        if self.has(lparen) && matches!(first, "grid" | "hex") {
            let how =
                "a board says how large it is: `grid Board(columns, rows)` or `hex Board(size)`";
            return ("`(`".to_owned(), Some(how));
        }
        if self.is_value() && !self.has(ty) && !self.has(range_type) {
            return ("a value".to_owned(), None);
        }
        let a_type = Some("for example `1..13`, `bool`, `Player`, `set of Card`");
        let a_claim = Some("a payoff says what it adds up to, as in `payoff zero-sum: …`");
        let an_entry = Some("knowledge holds `playout`, `evaluate`, `category` and `abstraction`");
        let a_bound = Some("every game ends: write `at most n` before the `{`");
        // Each of these says all that is needed.
        let telling = [
            (stmt, "a statement", None),
            (ty, "a type", a_type),
            (range_type, "a type", a_type),
            (
                claim,
                "`zero-sum`, `constant-sum n` or `general-sum`",
                a_claim,
            ),
            (
                claimed,
                "`zero-sum`, `constant-sum n` or `general-sum`",
                a_claim,
            ),
            (
                kw_chooses,
                "`=`, `+=`, `-=` or `chooses`",
                Some(
                    "a statement stores (`place = value`), chooses (`p chooses c in S`), or calls a rule (`name()`); `end` ends the game",
                ),
            ),
            (kw_then, "`then`", Some("write `if c then a else b`")),
            (
                kw_else,
                "`else`",
                Some("a value needs both: `if c then a else b`"),
            ),
            (
                kw_in,
                "`in`",
                Some(
                    "say where the values come from, as in `p chooses c in hand[p]` or `each x in S`",
                ),
            ),
            (
                node,
                "a node",
                Some("a node is a whole number or a name, as in `edges { 1: 2 3; 2: 3 }`"),
            ),
            (
                kw_nodes,
                "`nodes`",
                Some("a graph begins with its nodes: `nodes 1..9` or `nodes { mill, bridge }`"),
            ),
            (kw_times, "`times`", Some("write `repeat n times { … }`")),
            (kw_at_most, "`at most`", a_bound),
            (
                extreme,
                "`maximise`, `minimise` or `weights`",
                Some("write `playout name = maximise value`, or `playout name = weights { … }`"),
            ),
            (playout, "an entry of `knowledge`", an_entry),
            (evaluate, "an entry of `knowledge`", an_entry),
            (strict_entries, "an entry of `knowledge`", an_entry),
            (kw_from, "`from`", None),
            (kw_of, "`of`", None),
            (
                text,
                "a text in quotes",
                Some("for example `as \"{card}\"`"),
            ),
        ];
        // A text may stand after each of the names in a list.
        let counts = |rule: Rule| self.has(rule) && !(rule == text && self.has(comma));
        if let Some((_, words, hint)) = telling.iter().find(|(rule, ..)| counts(*rule)) {
            return ((*words).to_owned(), *hint);
        }
        // Of these, several may be possible; a comma or an opening bracket only matters beside a closing one.
        let marks = [
            (eq, "`=`"),
            (colon, "`:`"),
            (arrow, "`=>`"),
            (block, "`{`"),
            (lbrace, "`{`"),
            (comma, "`,`"),
            (rparen, "`)`"),
            (rbrack, "`]`"),
            (rbrace, "`}`"),
            (ident, "a name"),
            (name, "a name"),
            (place, "a place to store in"),
            (kw_to, "`to`"),
        ];
        let mut words: Vec<&str> = Vec::new();
        for (rule, phrase) in marks {
            if self.has(rule) && !words.contains(&phrase) {
                words.push(phrase);
            }
        }
        let what = match words.as_slice() {
            [] => match code {
                codes::BAD_TEXT => "the end of the hole",
                codes::BAD_ITEM => "an item of the game",
                _ if self.has(semi) && !self.has(kw_let) && !self.has(EOI) => "`;`",
                _ => "a statement",
            }
            .to_owned(),
            [one] => (*one).to_owned(),
            [most @ .., last] => format!("{} or {last}", most.join(", ")),
        };
        let items = "a game holds `param`, `players`, `team`, `type`, `enum`, `const`, `graph`, `grid`, `hex`, `state`, `note`, `def`, `rule`, `play`, `payoff` and `knowledge`";
        let hint = (words.is_empty() && code == codes::BAD_ITEM).then_some(items);
        (what, hint)
    }
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

pub(super) fn position(failure: &Failure) -> usize {
    match failure.location {
        InputLocation::Pos(at) => at,
        InputLocation::Span((at, _)) => at,
    }
}

pub(super) fn is_letter(c: char) -> bool {
    c == '_' || pest::unicode::XID_CONTINUE(c)
}

/// The word or sign at `at`.
pub(super) fn word_span(text: &str, at: usize) -> Span {
    let rest = text.get(at..).unwrap_or_default();
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
