//! Slips that many people make, with a better message than what the grammar expected there.

use super::explain::{Wanted, is_letter, position};
use super::{Grammar, Rule};
use crate::syntax::codes;
use crate::text::diagnostics::{Code, Diagnostic};
use crate::text::span::Span;
use pest::Parser;

/// Words that begin a statement in other languages. `at_once`: nothing of the part could be read.
pub(super) fn habit(
    first: &str,
    skipped: &str,
    span: Span,
    at_once: bool,
    code: Code,
) -> Option<Diagnostic> {
    if code != codes::BAD_STATEMENT {
        return None;
    }
    let mut instead = None;
    let (message, hint) = match first {
        "for" | "foreach" => {
            instead = walks_over_a_set(skipped).then_some("each");
            (
                "a loop over a set begins with `each`",
                "write `each x in S { … }`, or `repeat n times { … }` to count",
            )
        }
        "chance" | "nature" | "random" | "roll" if walks_over_a_set(skipped) => {
            instead = Some("draw");
            ("what chance decides is drawn", "write `draw x in S`")
        }
        "switch" => {
            instead = Some("match");
            (
                "`switch` is not used here",
                "write `match value { a => …  b, c => …  else => … }`",
            )
        }
        "return" => (
            "a play returns no value",
            "a `def` gives the value after its `=`; `end` ends the game",
        ),
        "var" | "const" => {
            instead = Some("let");
            (
                "a value gets its name with `let`",
                "write `let name = value`",
            )
        }
        "elif" | "elsif" | "elseif" => {
            instead = Some("else if");
            ("this word is not used here", "write `else if`")
        }
        "repeat" if skipped_block(skipped, "repeat") => (
            "a `repeat` says how often",
            "write `repeat n times { … }`; a `break` in it ends it before",
        ),
        "until" => (
            "a loop ends at its `break`, or when its `while` fails",
            "write `repeat n times { …  if done { break } }`",
        ),
        "else" if at_once => (
            "this `else` belongs to nothing",
            "an `else` stands right after the block of an `if`, or after a choice",
        ),
        "where" => (
            "this `where` belongs to nothing",
            "a `where` follows the sets that it filters: `p chooses c in S where …`",
        ),
        "into" => (
            "this `into` belongs to nothing",
            "it follows the set: `p chooses c in S into place`, and within the brackets of a label: `put(c in S into place)`",
        ),
        "to" if names_follow(skipped, "to") => (
            "this `to` belongs to nothing",
            "a draw goes `into` a place: `draw c from deck into place`; `deal n from place to place` takes several",
        ),
        "reveal"
            if !skipped
                .trim_start_matches("reveal")
                .trim_start()
                .starts_with('(') =>
        {
            (
                "what is revealed stands in brackets",
                "write `reveal(value)`, or `reveal(value to player)`",
            )
        }
        _ => return None,
    };
    let problem = Diagnostic::error(codes::BAD_STATEMENT, span, message).hint(hint);
    Some(match (instead, told(first, skipped)) {
        (Some(word), _) => problem.rewrite(word),
        (None, Some((gap, end))) => {
            let (from, to) = (span.end as usize, span.start as usize + end);
            let brackets = problem.edit(Span::new(from, from + gap), "(");
            brackets.edit(Span::new(to, to), ")")
        }
        (None, None) => problem,
    })
}

/// Whether `for x in …` begins the part that cannot be read.
fn walks_over_a_set(skipped: &str) -> bool {
    let mut words = skipped.split_whitespace().skip(1);
    let name = words.next().unwrap_or_default();
    name.chars().all(is_letter) && words.next() == Some("in")
}

/// Of `reveal x` on one line: how many bytes of blanks stand between, and where it ends.
fn told(first: &str, skipped: &str) -> Option<(usize, usize)> {
    let rest = skipped
        .strip_prefix("reveal")
        .filter(|_| first == "reveal")?;
    let value = rest.trim();
    let plain = !value.is_empty() && !value.contains(['\n', '{', ';', '/', '"', '=']);
    let gap = rest.len() - rest.trim_start().len();
    plain.then(|| (gap, skipped.trim_end().len()))
}

/// A place that may have a better message than what the grammar expected there.
pub(super) struct Slip<'t> {
    /// The word or sign at which the reading stopped.
    pub(super) found: &'t str,
    /// The first word of the part that cannot be read.
    pub(super) first: &'t str,
    /// What was read up to there, the last part that could be read included.
    pub(super) read: &'t str,
    /// What stands behind the word or sign on its line.
    pub(super) behind: &'t str,
    /// The line after that one.
    pub(super) next_line: &'t str,
    pub(super) code: Code,
}

/// Whether a word is followed by a name at once.
fn names_follow(skipped: &str, word: &str) -> bool {
    let rest = skipped.strip_prefix(word).map(str::trim_start);
    rest.is_some_and(|rest| rest.starts_with(is_letter))
}

/// Whether a word is followed by a block at once.
fn skipped_block(skipped: &str, word: &str) -> bool {
    skipped
        .strip_prefix(word)
        .is_some_and(|rest| rest.trim_start().starts_with('{'))
}

/// Whether the last declaration ends with who sees it.
fn seen_last(read: &str) -> bool {
    let last = read.rsplit_once(':').map_or(read, |(_, last)| last);
    last.split_whitespace()
        .collect::<Vec<_>>()
        .windows(2)
        .any(|w| w == ["seen", "by"])
}

impl Slip<'_> {
    /// What was read of the line.
    fn line(&self) -> &str {
        self.read.rsplit('\n').next().unwrap_or_default()
    }

    /// Whether more values follow the `where` of a choice or a draw.
    fn more_values(&self) -> bool {
        let line = self.line();
        let choice = line.contains(" chooses ") || line.contains("draw ");
        let next = self.behind.split_whitespace();
        let next = next.chain(self.next_line.split_whitespace());
        let next: Vec<&str> = next.filter(|w| *w != "secretly").take(2).collect();
        choice
            && line.contains(" where ")
            && (next.first() == Some(&"let") || next.get(1) == Some(&"in"))
    }

    /// Whether the line has a label with an open bracket that begins with `x in S`.
    fn values_in_brackets(&self) -> bool {
        let inside = self
            .line()
            .rsplit_once('(')
            .map_or("", |(_, inside)| inside);
        let label = self.word_of_brackets();
        if label.is_none_or(|label| matches!(label, "" | "if" | "while" | "not" | "and" | "or")) {
            return false;
        }
        let mut words = inside.split_whitespace();
        let mut word = words.next();
        if word == Some("secretly") {
            word = words.next();
        }
        word.is_some_and(|name| name.chars().all(is_letter)) && words.next() == Some("in")
    }

    /// The word before the last bracket of the line that opens.
    fn word_of_brackets(&self) -> Option<&str> {
        let (before, _) = self.line().rsplit_once('(')?;
        before.rsplit(|c: char| !is_letter(c)).next()
    }

    /// Whether a brace opens with `x in S`.
    fn unnamed_elements(&self) -> bool {
        let opened = self.line().rsplit_once('{').map(|(_, inside)| inside);
        let mut words = opened.unwrap_or_default().split_whitespace();
        words.next().is_some_and(|name| name.chars().all(is_letter))
            && (self.found == "in" && words.next().is_none()
                || self.found == "where" && words.next() == Some("in"))
    }

    /// Whether `: (0..5)` was read last.
    fn type_in_brackets(&self) -> bool {
        let inside = self.read.trim_end().strip_suffix(')');
        let opened = inside.and_then(|text| text.rsplit_once('('));
        let declares = [":", "]", " of"];
        opened.is_some_and(|(head, _)| declares.iter().any(|d| head.trim_end().ends_with(d)))
    }

    pub(super) fn explain(&self, span: Span, wanted: &Wanted<'_>) -> Option<Diagnostic> {
        let item = self.code == codes::BAD_ITEM;
        let mut instead = None;
        let (code, message, hint) = match self.found {
            "=" if item && seen_last(self.read) => (
                self.code,
                "an initial value stands before `seen by`".to_owned(),
                "write `name : type = value  seen by …`",
            ),
            "=" if wanted.has(Rule::op_eq) => {
                // A name may be missing before one that begins its line.
                let line = self.read.rsplit('\n').next().unwrap_or_default();
                instead = (!line.trim().is_empty()).then_some("==");
                (
                    codes::STORE_OR_COMPARE,
                    "`=` stores a value and cannot stand in a condition".to_owned(),
                    "to compare, write `==`",
                )
            }
            "==" if wanted.has(Rule::eq) || wanted.has(Rule::assign) => {
                // A condition and what follows from it are no place for a value.
                instead = (!self.behind.contains("=>")).then_some("=");
                (
                    codes::STORE_OR_COMPARE,
                    "`==` compares and cannot store a value".to_owned(),
                    "to store, write `=`",
                )
            }
            "then" if self.first == "if" => (
                codes::BAD_STATEMENT,
                "an `if` that does something has a block instead of `then`".to_owned(),
                "write `if c { … } else { … }`; a value stands where it is used: `x = if c then a else b`",
            ),
            "{" if wanted.has(Rule::kw_at_most) => (
                codes::BAD_STATEMENT,
                format!("`{}` needs a bound before its block", self.first),
                "every game ends: write `at most n` before the `{`",
            ),
            "{" if self.code == codes::BAD_STATEMENT && self.line().contains(" chooses ") => (
                self.code,
                "a block after a choice needs `=>` before it".to_owned(),
                "write `p chooses c in S => { … }`, or put the statements after the choice",
            ),
            "from" if wanted.has(Rule::kw_in) && self.line().contains(" chooses ") => {
                instead = Some("in");
                (
                    self.code,
                    "a player chooses a value in a set".to_owned(),
                    "write `p chooses c in S`; only a draw takes `from` a place",
                )
            }
            "," if self.more_values() => (
                self.code,
                "a `where` stands after the last value".to_owned(),
                "write it once for all of them: `p chooses a in S, b in T where …`",
            ),
            "where" if wanted.has(Rule::rparen) && self.word_of_brackets() == Some("size") => (
                self.code,
                "`size` is of a set".to_owned(),
                "write how many are such: `(count x in S: condition)`",
            ),
            "where" if wanted.has(Rule::rparen) && self.values_in_brackets() => (
                self.code,
                "a `where` stands behind the brackets of the values".to_owned(),
                "write it once for all of them: `go(a in S, b in T) where …`",
            ),
            "where" | "in" if self.unnamed_elements() => (
                self.code,
                "a set by a formula says first what its elements are".to_owned(),
                "write `{ x for x in S where … }`",
            ),
            "?" if self.type_in_brackets() => (
                self.code,
                "a type stands without brackets".to_owned(),
                "write `0..5?` for a number of 0..5 or `none`",
            ),
            "?" => (
                self.code,
                "`?` belongs to types, for what may be `none`".to_owned(),
                "to choose between two values, write `if c then a else b`",
            ),
            "for" if wanted.has(Rule::comma) && wanted.has(Rule::rbrace) => (
                self.code,
                "entries are written out one by one".to_owned(),
                "an array by a formula is `[x in S] value`, a set by a formula `{ value for x in S }`",
            ),
            _ => return None,
        };
        let problem = Diagnostic::error(code, span, message).hint(hint);
        Some(match instead {
            Some(sign) => problem.rewrite(sign),
            None => problem,
        })
    }
}

/// `p chooses x in S if …`, which begins a statement that has no block. `first`: the first word of the part.
pub(super) fn filter_by_if(
    text: &str,
    first: Span,
    wanted: &Wanted<'_>,
    code: Code,
) -> Option<Diagnostic> {
    let before = text.get(..first.start as usize)?;
    let line = before.rsplit('\n').next().unwrap_or_default();
    let takes = line.contains(" chooses ") || line.contains("draw ");
    let filters = text.get(first.range()) == Some("if") && takes && line.contains(" in ");
    if code != codes::BAD_STATEMENT || !filters || !wanted.has(Rule::lbrace) {
        return None;
    }
    let message = "what can be taken is filtered by `where`";
    let problem = Diagnostic::error(code, first, message);
    // Which of both was meant is not known, so that nothing is rewritten.
    Some(problem.hint("write `p chooses x in S where …`; an `if` has a block: `if c { … }`"))
}

/// Where the name, with indices and arguments, begins that ends a text, if a condition begins with it.
pub(super) fn operand_before(text: &str) -> Option<usize> {
    let mut open = 0;
    let mut start = text.len();
    for (at, c) in text.trim_end().char_indices().rev() {
        match c {
            ')' | ']' => open += 1,
            '(' | '[' if open > 0 => open -= 1,
            _ if open > 0 || is_letter(c) || c == '.' => {}
            _ => break,
        }
        start = at;
    }
    let head = text.get(..start)?.trim_end();
    let begins = ["where", "if", "and", "or", "while", "(", ":"];
    let begins = begins.iter().any(|w| head.ends_with(w));
    (open == 0 && start < text.len() && begins).then_some(start)
}

/// `{ Ann: 1 Ben: 2 }`.
pub(super) fn missing_comma(
    text: &str,
    from: usize,
    found: Span,
    wanted: &Wanted<'_>,
    code: Code,
) -> Option<Diagnostic> {
    let next = text.get(found.range())?;
    let read = text.get(from..found.start as usize)?;
    let value = next.starts_with(is_letter) || next.starts_with(['(', '{']);
    if !wanted.has(Rule::comma) || !wanted.has(Rule::rbrace) || !value {
        return None;
    }
    let last = read.trim_end();
    let line = last.rsplit('\n').next().unwrap_or_default();
    // A comment takes in all of its line.
    let at = match line.contains("//") {
        true => found.start as usize,
        false => from + last.len(),
    };
    if !goes_on(text, from, at, found) {
        return None;
    }
    Some(
        Diagnostic::error(code, found, format!("a comma is missing before `{next}`"))
            .hint("commas stand between what braces list: `{ Ann: 1, Ben: 2 }`")
            .edit(Span::new(at, at), ","),
    )
}

/// How much of the text is read again with a comma.
const REREAD: usize = 4096;

/// Whether more can be read, beyond a word, with a comma before it.
fn goes_on(text: &str, from: usize, at: usize, word: Span) -> bool {
    let mut end = (word.end as usize + REREAD).min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let (Some(before), Some(after)) = (text.get(from..at), text.get(at..end)) else {
        return false;
    };
    let again = format!("{before},{after}");
    let beyond = word.end as usize - from + 1;
    let rules = [
        Rule::strict_items,
        Rule::strict_vars,
        Rule::strict_stmts,
        Rule::strict_entries,
    ];
    rules
        .iter()
        .any(|rule| match Grammar::parse(*rule, &again) {
            Ok(_) => true,
            Err(failure) => position(&failure) > beyond,
        })
}

/// `face : [p: Player, d: Die] 1..6`.
pub(super) fn listed_indices(
    text: &str,
    comma: Span,
    wanted: &Wanted<'_>,
    code: Code,
) -> Option<Diagnostic> {
    let in_brackets = wanted.has(Rule::rbrack) || wanted.has(Rule::kw_in);
    if code != codes::BAD_ITEM || text.get(comma.range()) != Some(",") || !in_brackets {
        return None;
    }
    let before = text.get(..comma.start as usize)?;
    let open = before.rfind('[').filter(|&i| !before[i..].contains(']'))?;
    // After a name, a `:` or another index; a bracket elsewhere begins an array.
    let indexes = |c: char| is_letter(c) || c == ':' || c == ']';
    let named = before[..open].trim_end();
    if !named.ends_with(indexes) || in_table(named) {
        return None;
    }
    let inside = text[open + 1..].split_once(']')?.0;
    let each: String = inside
        .split(',')
        .map(|index| format!("[{}]", index.trim()))
        .collect();
    let problem = Diagnostic::error(
        code,
        comma,
        "each index of a declaration has brackets of its own",
    );
    Some(match inside.contains(['\n', '[', '(', '{']) {
        true => problem.hint("write `[p: Player][d: Die]`"),
        false => problem
            .hint(format!("write `{each}`"))
            .edit(Span::new(open, open + inside.len() + 2), each),
    })
}

/// Whether what ends here is the name of an entry of a table, `{ White: …, Black:`, and not of something declared.
fn in_table(text: &str) -> bool {
    let name = text.trim_end_matches(':').trim_end();
    let before = name.trim_end_matches(is_letter).trim_end();
    match before.strip_suffix('{') {
        Some(opened) => !["state", "note"]
            .iter()
            .any(|word| opened.trim_end().ends_with(word)),
        None => before.ends_with(','),
    }
}
