//! What is written otherwise in other languages: statements and values of which the intent is plain.

use super::Rule;
use super::explain::{Wanted, is_letter};
use super::plain_play::plain_play;
use super::plain_words::{colon_of_an_arm, is_something, payoff_of_the_others, plain_words};
use super::stuck::{Stuck, is_number, is_word, word_in};
use crate::syntax::codes;
use crate::text::diagnostics::Diagnostic;
use crate::text::edits::Edit;
use crate::text::span::Span;

type Habit = fn(&Stuck<'_>, &Wanted<'_>) -> Option<Diagnostic>;

const STATEMENTS: [Habit; 11] = [
    moves_by_or,
    no_statement,
    set_before_a_store,
    condition_after,
    range_in_words,
    changing_method,
    several_drawn,
    dealt_to_first,
    hidden_by_another_word,
    words_of_an_arm,
    else_without_block,
];

const VALUES: [Habit; 16] = [
    is_something,
    let_of_a_choice,
    type_of_an_array,
    let_in,
    sum_of_a_constant,
    entries_that_store,
    quantified,
    colon_of_a_sum,
    where_of_a_count,
    asked_by_where,
    generated,
    either,
    set_in_square_brackets,
    values_without_brackets,
    colon_of_an_arm,
    payoff_of_the_others,
];

/// The problem of what stands in a game as it would in another language.
pub(super) fn habit(stuck: &Stuck<'_>, wanted: &Wanted<'_>) -> Option<Diagnostic> {
    let statements = STATEMENTS
        .iter()
        .filter(|_| stuck.code == codes::BAD_STATEMENT);
    let mut all = statements.chain(&VALUES);
    let found = all.find_map(|habit| habit(stuck, wanted));
    let plain = || plain_play(stuck, wanted).or_else(|| plain_words(stuck, wanted));
    found.or_else(|| plain().filter(|_| stuck.code == codes::BAD_STATEMENT))
}

/// `pass`.
fn no_statement(stuck: &Stuck<'_>, _: &Wanted<'_>) -> Option<Diagnostic> {
    let word = stuck.skipped();
    if !["pass", "skip", "nop", "noop", "nothing"].contains(&word) {
        return None;
    }
    let message = format!("`{word}` alone is no statement");
    let problem = stuck.problem(stuck.region, message).hint(
        "leave it out, a block may be empty: `{}`; a move that does nothing is one of several: `p chooses { pass  take(n in 1..3) }`",
    );
    Some(stuck.proposed(problem, vec![Edit::new(stuck.region, "")]))
}

/// `set x = 1`.
fn set_before_a_store(stuck: &Stuck<'_>, _: &Wanted<'_>) -> Option<Diagnostic> {
    let word = stuck.first();
    let rest = stuck.skipped().strip_prefix(word)?;
    let place = rest.trim_start();
    let stores = word_in_line(place, "=") && place.starts_with(is_letter);
    if !["set", "assign", "store"].contains(&word) || !stores {
        return None;
    }
    let first = stuck.first_span();
    let gap = rest.len() - place.len();
    let message = format!("a store begins with its place, and not with `{word}`");
    let problem = stuck
        .problem(first, message)
        .hint(format!("leave out `{word}`: `place = value`"));
    let away = Span::new(first.start as usize, first.end as usize + gap);
    Some(stuck.proposed(problem, vec![Edit::new(away, "")]))
}

fn word_in_line(text: &str, sign: &str) -> bool {
    text.lines().next().is_some_and(|line| line.contains(sign))
}

/// `x = a if c else b`, and `x = a if c`.
fn condition_after(stuck: &Stuck<'_>, _: &Wanted<'_>) -> Option<Diagnostic> {
    let (before, skipped) = (stuck.before(), stuck.skipped());
    let stmt = before.trim();
    let event =
        stmt.contains(" chooses ") || stmt.starts_with("draw ") || stmt.starts_with("deal ");
    let rest = skipped.strip_prefix("if")?;
    if stmt.is_empty() || event || rest.starts_with(is_letter) || skipped.contains('\n') {
        return None;
    }
    let first = stuck.first_span();
    if stuck.among_moves() {
        let problem = stuck.problem(first, "what a move depends on stands behind `where`");
        let word = Span::new(first.start as usize, first.start as usize + "if".len());
        let problem = problem.hint(format!("write `{stmt} where condition`"));
        return Some(stuck.proposed(problem, vec![Edit::new(word, "where")]));
    }
    let start = stuck.start() - before.len() + before.len() - before.trim_start().len();
    let (cond, otherwise) = match word_in(rest, "else") {
        Some(at) => (rest[..at].trim(), Some(rest[at + 4..].trim())),
        None => (rest.trim(), None),
    };
    let whole = |start: usize, text: &str| vec![Edit::new(Span::new(start, stuck.end()), text)];
    if let (Some(otherwise), Some(sign)) = (otherwise, store_sign(stmt)) {
        let value = stmt[sign + 1..].trim_start();
        let at = start + stmt.len() - value.len();
        let text = format!("if {cond} then {value} else {otherwise}");
        let problem = stuck
            .problem(first, "a value that depends on a condition begins with it")
            .hint(format!("write `{text}`"));
        return Some(stuck.proposed(problem, whole(at, &text)));
    }
    let problem = stuck.problem(first, "a condition stands before what it decides");
    if otherwise.is_some() || skipped.contains('{') {
        return Some(problem.hint("write `if c { … } else { … }`"));
    }
    if stmt.starts_with("let ") {
        return Some(problem.hint("a value is there in any case: `let x = if c then a else b`"));
    }
    let text = format!("if {cond} {{ {stmt} }}");
    let problem = problem.hint(format!("write `{text}`"));
    Some(stuck.proposed(problem, whole(start, &text)))
}

/// Where the `=` of a store stands.
pub(super) fn store_sign(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let compares = |b: &u8| b"=<>!".contains(b);
    (1..bytes.len()).find(|&i| {
        bytes[i] == b'=' && !compares(&bytes[i - 1]) && !bytes.get(i + 1).is_some_and(compares)
    })
}

/// `1 to 3`.
fn range_in_words(stuck: &Stuck<'_>, _: &Wanted<'_>) -> Option<Diagnostic> {
    if stuck.first() != "to" {
        return None;
    }
    let (low, low_span) = stuck.word_before(stuck.start());
    let first = stuck.first_span();
    let rest = stuck.skipped().strip_prefix("to")?;
    let high: String = rest
        .trim_start()
        .chars()
        .take_while(|c| is_letter(*c))
        .collect();
    if !(is_number(low) || is_number(&high)) || low.is_empty() || high.is_empty() {
        return None;
    }
    let gap = rest.len() - rest.trim_start().len();
    let before = stuck.before();
    let named = before.contains("chooses") || before.trim_start().starts_with("draw ");
    if named && stuck.text[..low_span.start as usize].ends_with("..") {
        let problem = stuck
            .problem(first, "what is chosen goes `into` a place")
            .hint(format!("write `into {}`", rest.lines().next()?.trim()));
        return Some(stuck.proposed(problem, vec![Edit::new(first, "into")]));
    }
    let dots = Span::new(low_span.end as usize, first.end as usize + gap);
    let problem = stuck
        .problem(first, "a range is written with two dots")
        .hint(format!("write `{low}..{high}`"));
    Some(stuck.proposed(problem, vec![Edit::new(dots, "..")]))
}

/// `hand[p].add(c)`.
fn changing_method(stuck: &Stuck<'_>, _: &Wanted<'_>) -> Option<Diagnostic> {
    let methods = [
        (".add(", "+="),
        (".append(", "+="),
        (".push(", "+="),
        (".insert(", "+="),
        (".remove(", "-="),
        (".discard(", "-="),
        (".delete(", "-="),
    ];
    let text = stuck.skipped();
    let (at, name, sign) = methods
        .iter()
        .find_map(|(name, sign)| text.find(name).map(|at| (at, *name, *sign)))?;
    let place = text.get(..at).filter(|t| t.starts_with(is_letter))?;
    let open = stuck.start() + at + name.len() - 1;
    let close = stuck.closed(open)?;
    let value = stuck.text.get(open + 1..close)?.trim();
    if value.is_empty() || place.contains(['=', '\n']) {
        return None;
    }
    let word = name.trim_matches(['.', '(']);
    let span = Span::new(open - word.len(), open);
    let change = format!("{place} {sign} {value}");
    let problem = stuck
        .problem(
            span,
            "a set changes by a statement, and not by a function of it",
        )
        .hint(match word {
            "push" | "append" => format!("write `{change}`; a stack is an array and a count of what lies in it: `n += 1`, `{place}[n] = {value}`"),
            _ => format!("write `{change}`"),
        });
    let whole = Span::new(stuck.start(), close + 1);
    Some(stuck.proposed(problem, vec![Edit::new(whole, change)]))
}

/// `draw 2 from deck to hand[p]`.
fn several_drawn(stuck: &Stuck<'_>, _: &Wanted<'_>) -> Option<Diagnostic> {
    let text = stuck.skipped();
    let moves = word_in(text, "from").is_some() && word_in(text, "to").is_some();
    if stuck.first() != "draw" || !moves {
        return None;
    }
    let first = stuck.first_span();
    let mut edits = vec![Edit::new(first, "deal")];
    // `2 cards`, of which the number is enough.
    let is_plain = |word: &str| word.chars().all(|c| c.is_ascii_alphanumeric());
    let (count, rest) = text["draw".len()..].split_at(word_in(text, "from")? - "draw".len());
    let mut words = count.split_whitespace();
    let mut meant = text.replacen("draw", "deal", 1);
    if let (Some(number), Some(unit), None) = (words.next(), words.next(), words.next())
        && is_plain(number)
        && is_plain(unit)
        && unit.starts_with(|c: char| c.is_ascii_alphabetic())
    {
        meant = format!("deal {number} {rest}");
        let at = first.end as usize + count.rfind(unit)?;
        edits.push(Edit::new(Span::new(at, at + unit.len()), ""));
    }
    if text.lines().count() > 1 {
        meant = "deal n from place to place".to_owned();
    }
    let problem = stuck
        .problem(first, "a draw gives a value its name; `deal` moves several")
        .hint(format!("write `{meant}`"));
    Some(stuck.proposed(problem, edits))
}

/// `deal hand[p] from deck`.
fn dealt_to_first(stuck: &Stuck<'_>, _: &Wanted<'_>) -> Option<Diagnostic> {
    let text = stuck.skipped();
    let rest = text.strip_prefix("deal")?;
    let from = word_in(rest, "from")?;
    let to = rest[..from].trim();
    let source = rest[from + 4..].trim();
    let place = to.starts_with(|c: char| is_letter(c) && !c.is_ascii_digit());
    let plain = |t: &str| !t.is_empty() && !t.contains([' ', '\n']);
    if word_in(rest, "to").is_some() || rest.starts_with(is_letter) {
        return None;
    }
    let problem = stuck.problem(stuck.first_span(), "a deal says how many go where");
    if !place || !plain(to) || !plain(source) {
        return Some(problem.hint("write `deal n from place to place`"));
    }
    let problem = problem.hint(format!("write `deal n from {source} to {to}`"));
    Some(problem)
}

/// `p chooses secret x in S`.
fn hidden_by_another_word(stuck: &Stuck<'_>, wanted: &Wanted<'_>) -> Option<Diagnostic> {
    let (word, span) = stuck.word_before(stuck.at.start as usize);
    let hides = ["secret", "hidden", "privately", "private", "secretely"].contains(&word);
    if !hides || !wanted.has(Rule::kw_in) || !is_word(stuck.found()) {
        return None;
    }
    let message = format!("what others do not see is chosen `secretly`, and not `{word}`");
    let problem = stuck
        .problem(span, message)
        .hint("write `p chooses secretly x in S`");
    Some(stuck.proposed(problem, vec![Edit::new(span, "secretly")]))
}

/// `case 1 => …` and `default => …`.
fn words_of_an_arm(stuck: &Stuck<'_>, wanted: &Wanted<'_>) -> Option<Diagnostic> {
    if !["case", "when"].contains(&stuck.first()) || !wanted.has(Rule::arrow) {
        return None;
    }
    let first = stuck.first_span();
    let rest = &stuck.skipped()[stuck.first().len()..];
    let gap = rest.len() - rest.trim_start().len();
    let message = format!("an arm begins with its value, without `{}`", stuck.first());
    let problem = stuck
        .problem(first, message)
        .hint("write `match value { a => …  b, c => …  else => … }`");
    let away = Span::new(first.start as usize, first.end as usize + gap);
    Some(stuck.proposed(problem, vec![Edit::new(away, "")]))
}

/// `else x = 1`.
fn else_without_block(stuck: &Stuck<'_>, wanted: &Wanted<'_>) -> Option<Diagnostic> {
    let rest = stuck.skipped().strip_prefix("else")?;
    let opens = wanted.has(Rule::block) || wanted.has(Rule::lbrace);
    let gap = rest.len() - rest.trim_start().len();
    let next = stuck.start() + 4 + gap;
    if stuck.at.start as usize != next || !opens || rest.starts_with(is_letter) {
        return None;
    }
    let message = format!("expected `{{` after `else`, found `{}`", stuck.found());
    let problem = stuck
        .problem(stuck.at, message)
        .hint("write `else { … }`, or `else if c { … }`");
    let end = stuck.end();
    let braces = vec![
        Edit::new(Span::new(next, next), "{ "),
        Edit::new(Span::new(end, end), " }"),
    ];
    Some(stuck.proposed(problem, braces))
}

/// `{ Ann = 1, Ben = 2 }` and `(rank = 1, suit = clubs)`.
fn entries_that_store(stuck: &Stuck<'_>, wanted: &Wanted<'_>) -> Option<Diagnostic> {
    if stuck.found() != "=" || !wanted.has(Rule::op_eq) {
        return None;
    }
    let sign = stuck.at.start as usize;
    let (open, bracket) = stuck.opened(sign)?;
    let close = stuck.closed(open)?;
    let (name, span) = stuck.word_before(sign);
    let head = stuck.text.get(open..span.start as usize)?.trim_end();
    if !is_word(name) || !(head.len() == 1 || head.ends_with(',')) {
        return None;
    }
    let outside = stuck.text.get(..open)?.trim_end();
    let product = bracket == '(' && outside.ends_with(['=', ',', '(', '{', '[', ':', '>']);
    if bracket != '{' && !product {
        return None;
    }
    let inside = stuck.text.get(open + 1..close)?;
    let mut edits = Vec::new();
    for at in signs_of_entries(inside) {
        let at = open + 1 + at;
        let (_, name) = stuck.word_before(at);
        edits.push(Edit::new(Span::new(name.end as usize, at + 1), ":"));
    }
    let shown = match product {
        true => format!("write `({name}: …)`"),
        false => format!("write `{{ {name}: … }}`"),
    };
    let message = "`=` stores a value; what an entry is of stands before a `:`";
    let problem = Diagnostic::error(codes::STORE_OR_COMPARE, stuck.at, message).hint(shown);
    Some(stuck.proposed(problem, edits))
}

/// Where names are followed by `=`, outside of brackets.
fn signs_of_entries(inside: &str) -> Vec<usize> {
    let bytes = inside.as_bytes();
    let (mut depth, mut found) = (0usize, Vec::new());
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b'=' if depth == 0 && names_entry(inside, at) => found.push(at),
            _ => {}
        }
    }
    found
}

/// Whether a name stands before a sign, which is no other sign with what follows.
fn names_entry(text: &str, sign: usize) -> bool {
    let next = text.as_bytes().get(sign + 1);
    text[..sign].trim_end().ends_with(is_letter) && !next.is_some_and(|b| b"=>".contains(b))
}

/// `exists p in S: c`.
fn quantified(stuck: &Stuck<'_>, _: &Wanted<'_>) -> Option<Diagnostic> {
    // Where the name of the element ends, and where the word before it stands.
    let name = match stuck.found() {
        "in" => stuck.word_before(stuck.at.start as usize).1,
        _ => stuck.at,
    };
    let (word, span) = stuck.word_before(name.start as usize);
    let instead = match word {
        "any" | "exists" | "exist" => "some",
        "forall" | "all" | "everyone" | "foreach" => "every",
        _ => return None,
    };
    let after = stuck.text.get(name.end as usize..)?.trim_start();
    if !after.starts_with("in ") || !after.lines().next()?.contains(':') {
        return None;
    }
    let message = format!("`{word}` is not used here");
    let problem = stuck
        .problem(span, message)
        .hint(format!("write `{instead} x in S: condition`"));
    Some(stuck.proposed(problem, vec![Edit::new(span, instead)]))
}

/// `sum(p in S: e)` and `any(p in S: c)`.
fn colon_of_a_sum(stuck: &Stuck<'_>, _: &Wanted<'_>) -> Option<Diagnostic> {
    let colon = stuck.at;
    let (open, bracket) = stuck.opened(colon.start as usize)?;
    let close = stuck.closed(open)?;
    let binders = stuck.text.get(open + 1..colon.start as usize)?.trim();
    let body = stuck.text.get(colon.end as usize..close)?.trim();
    let sums = stuck.found() == ":" && bracket == '(' && word_in(binders, "in").is_some();
    sums.then(|| fold(stuck, (open, close), binders, body))?
}

/// `count(p in S where c)`.
fn where_of_a_count(stuck: &Stuck<'_>, _: &Wanted<'_>) -> Option<Diagnostic> {
    let (open, bracket) = stuck.opened(stuck.at.start as usize)?;
    let close = stuck.closed(open)?;
    let binders = stuck.text.get(open + 1..stuck.at.start as usize)?.trim();
    let body = stuck.text.get(stuck.at.end as usize..close)?.trim();
    let asks = ["count", "some", "any", "every", "all", "no"].contains(&stuck.word_before(open).0);
    if stuck.found() != "where" || bracket != '(' || !asks || word_in(binders, "in").is_none() {
        return None;
    }
    fold(stuck, (open, close), binders, body)
}

/// `count p in S where c`, and nothing else is asked.
fn asked_by_where(stuck: &Stuck<'_>, wanted: &Wanted<'_>) -> Option<Diagnostic> {
    let end = stuck.at.start as usize;
    if !wanted.has(Rule::colon) || !wanted.has(Rule::comma) {
        return None;
    }
    let statement = stuck.text.get(stuck.from..end)?.trim_end();
    let line = statement.rfind('\n').map_or(0, |at| at + 1);
    let whole = |(at, word): &(usize, &str)| {
        !statement[..*at].ends_with(is_letter)
            && !statement[at + word.len()..].starts_with(is_letter)
    };
    let last = |word: &&'static str| {
        let places = statement[line..].match_indices(*word);
        let places = places.map(|(at, _)| (line + at, *word));
        places.filter(whole).last()
    };
    let words = ["count", "some", "every", "no"];
    let (from, word) = words.iter().filter_map(last).max_by_key(|(at, _)| *at)?;
    let binders = &statement[from + word.len()..];
    let at = word_in(binders, "where").filter(|_| !binders.contains(':'))?;
    let (start, stop) = (binders[..at].trim_end().len(), at + "where".len());
    let place = |at: usize| stuck.from + from + word.len() + at;
    let problem = stuck.problem(
        Span::new(place(at), place(stop)),
        format!("what a `{word}` asks of each stands behind a `:`"),
    );
    let asked = format!("{word}{}:{}", &binders[..start], binders[stop..].trim_end());
    let problem = problem.hint(format!("write `{asked}`"));
    let edit = Edit::new(Span::new(place(start), place(stop)), ":");
    Some(stuck.proposed(problem, vec![edit]))
}

/// `sum(e for p in S)` and `any(c for p in S if d)`.
fn generated(stuck: &Stuck<'_>, _: &Wanted<'_>) -> Option<Diagnostic> {
    let (open, bracket) = stuck.opened(stuck.at.start as usize)?;
    let close = stuck.closed(open)?;
    let body = stuck.text.get(open + 1..stuck.at.start as usize)?.trim();
    let binders = stuck.text.get(stuck.at.end as usize..close)?.trim();
    if stuck.found() != "for" || bracket != '(' || word_in(binders, "in").is_none() {
        return None;
    }
    let binders = match word_in(binders, "if") {
        Some(at) => format!("{}where{}", &binders[..at], &binders[at + 2..]),
        None => binders.to_owned(),
    };
    fold(stuck, (open, close), &binders, body)
}

/// What is asked or made of each element, with its name and the set before it. The word stands before the brackets.
fn fold(
    stuck: &Stuck<'_>,
    (open, close): (usize, usize),
    binders: &str,
    body: &str,
) -> Option<Diagnostic> {
    let (word, span) = stuck.word_before(open);
    let quantifier = match word {
        "some" | "any" | "exists" => Some("some"),
        "every" | "all" | "forall" => Some("every"),
        "no" | "count" => Some(word),
        "sum" | "min" | "max" | "argmin" | "argmax" | "union" => None,
        _ => return None,
    };
    let bracketed = match body.contains(' ') {
        true => format!("({body})"),
        false => body.to_owned(),
    };
    let (message, text) = match quantifier {
        Some(word) => (
            format!("`{word}` has no brackets around what it runs over"),
            format!("({word} {binders}: {body})"),
        ),
        None => (
            format!(
                "the brackets of a `{word}` hold what it runs over, and its value stands behind them"
            ),
            format!("{word}({binders}) {bracketed}"),
        ),
    };
    let problem = stuck
        .problem(stuck.at, message)
        .hint(format!("write `{text}`"));
    let whole = Span::new(span.start as usize, close + 1);
    Some(stuck.proposed(problem, vec![Edit::new(whole, text)]))
}

/// `p chooses raise or pass`.
fn moves_by_or(stuck: &Stuck<'_>, wanted: &Wanted<'_>) -> Option<Diagnostic> {
    let at = stuck.at.start as usize;
    let (_, first) = stuck.word_before(at);
    let (verb, _) = stuck.word_before(first.start as usize);
    if stuck.found() != "or" || verb != "chooses" || !wanted.has(Rule::kw_in) {
        return None;
    }
    let line = stuck.text.get(first.start as usize..)?.lines().next()?;
    let moves: Vec<&str> = line.split(" or ").map(str::trim).collect();
    let plain = moves.iter().all(|name| is_word(name));
    let list = match plain {
        true => moves.join("  "),
        false => "raise  pass".to_owned(),
    };
    let problem = stuck
        .problem(stuck.at, "the moves of a choice stand in braces")
        .hint(format!("write `p chooses {{ {list} }}`"));
    let whole = Span::new(
        first.start as usize,
        first.start as usize + line.trim_end().len(),
    );
    Some(match plain {
        true => stuck.proposed(problem, vec![Edit::new(whole, format!("{{ {list} }}"))]),
        false => problem,
    })
}

/// `payoff constant-sum: value`.
fn sum_of_a_constant(stuck: &Stuck<'_>, _: &Wanted<'_>) -> Option<Diagnostic> {
    let head = stuck.text.get(..stuck.at.start as usize)?.trim_end();
    if stuck.found() != ":" || !head.ends_with("constant-sum") {
        return None;
    }
    let problem = stuck
        .problem(stuck.at, "the sum that the payoffs have is missing here")
        .hint("write it before the colon: `payoff constant-sum 1: …`");
    Some(problem)
}

/// `let k = p chooses k in S`.
fn let_of_a_choice(stuck: &Stuck<'_>, _: &Wanted<'_>) -> Option<Diagnostic> {
    let before = stuck.before().trim_start();
    let name = before.strip_prefix("let ")?.split('=').next()?.trim();
    if stuck.found() != "chooses" || !is_word(name) {
        return None;
    }
    let who = before.rsplit('=').next()?.trim();
    let problem = stuck
        .problem(stuck.at, "a choice gives its value a name itself")
        .hint(format!("write `{who} chooses {name} in S`, without `let`"));
    Some(problem)
}

/// `type Offer = [Item] 0..4`.
fn type_of_an_array(stuck: &Stuck<'_>, _: &Wanted<'_>) -> Option<Diagnostic> {
    let head = stuck.text.get(..stuck.at.start as usize)?;
    let line = head.rsplit('\n').next()?.trim_start();
    let (_, opened) = line.strip_prefix("type ")?.split_once('=')?;
    let index = opened.trim_start().strip_prefix('[')?;
    if stuck.found() != "]" || !is_word(index) {
        return None;
    }
    let problem = stuck
        .problem(stuck.at, "a type is of one value, and an array has one for each index")
        .hint(format!(
            "write the index where the array is declared, `name : [{index}] type`; give the type of an element a name, if need be"
        ));
    Some(problem)
}

/// `let x = a in b`.
fn let_in(stuck: &Stuck<'_>, wanted: &Wanted<'_>) -> Option<Diagnostic> {
    let read = stuck.text.get(stuck.from..stuck.at.start as usize)?;
    let start = read.rfind("let ").filter(|_| wanted.has(Rule::semi))?;
    let value = start + read[start..].find('=')? + 1;
    let ends = words_in(read, value, "in");
    ends.into_iter().rev().take(MOST_TRIED).find_map(|end| {
        let at = stuck.from + end;
        let problem = stuck
            .problem(
                Span::new(at, at + 2),
                "between a `let` and what it is for stands a semicolon",
            )
            .hint("write `let x = 1 + 1; x * x`");
        let blank = stuck.from + read[..end].trim_end().len();
        let edit = Edit::new(Span::new(blank, at + 2), ";");
        let problem = stuck.proposed(problem, vec![edit]);
        (!problem.edits.is_empty()).then_some(problem)
    })
}

/// So many of the words that may be meant are tried.
const MOST_TRIED: usize = 4;

/// Where a word stands in what follows a place, outside of brackets and texts in quotes.
fn words_in(text: &str, from: usize, word: &str) -> Vec<usize> {
    let mut all = Vec::new();
    let mut at = from;
    while let Some(found) = word_in(&text[at..], word) {
        all.push(at + found);
        at += found + word.len();
    }
    all
}

/// `a xor b`.
fn either(stuck: &Stuck<'_>, _: &Wanted<'_>) -> Option<Diagnostic> {
    let span = match (stuck.found(), stuck.first()) {
        ("xor", _) => stuck.at,
        (_, "xor") => stuck.first_span(),
        _ => return None,
    };
    let problem = stuck
        .problem(span, "`xor` is not used here")
        .hint("two truth values differ: `a != b`");
    Some(stuck.proposed(problem, vec![Edit::new(span, "!=")]))
}

/// `p chooses k in [1, 2, 3]`.
fn set_in_square_brackets(stuck: &Stuck<'_>, _: &Wanted<'_>) -> Option<Diagnostic> {
    let (open, bracket) = stuck.opened(stuck.at.start as usize)?;
    let (word, _) = stuck.word_before(open);
    let close = stuck.closed(open)?;
    let items = stuck.text.get(open + 1..close)?.trim();
    if bracket != '[' || word != "in" || word_in(items, "in").is_some() {
        return None;
    }
    let set = match items.is_empty() {
        true => "{}".to_owned(),
        false => format!("{{ {items} }}"),
    };
    let problem = stuck
        .problem(stuck.at, "the elements of a set stand in braces")
        .hint(format!("write `{set}`"));
    let whole = Span::new(open, close + 1);
    Some(stuck.proposed(problem, vec![Edit::new(whole, set)]))
}

/// `p chooses { bid k in 1..3  pass }`.
fn values_without_brackets(stuck: &Stuck<'_>, wanted: &Wanted<'_>) -> Option<Diagnostic> {
    let (name, name_span) = stuck.word_before(stuck.at.start as usize);
    let (label, label_span) = stuck.word_before(name_span.start as usize);
    let gap = stuck
        .text
        .get(label_span.end as usize..name_span.start as usize)?;
    let words = is_word(name) && is_word(label) && !gap.contains('\n');
    if stuck.found() != "in" || !wanted.has(Rule::arrow) || !words {
        return None;
    }
    let behind = stuck.text.get(stuck.at.end as usize..)?;
    let set = behind.trim_start();
    let length = set.find(|c: char| c.is_whitespace() || "{}".contains(c))?;
    let end = stuck.at.end as usize + behind.len() - set.len() + length;
    let problem = stuck
        .problem(name_span, "what is chosen under a label stands in brackets")
        .hint(format!("write `{label}({name} in …)`"));
    let open = Span::new(label_span.end as usize, name_span.start as usize);
    let edits = vec![Edit::new(open, "("), Edit::new(Span::new(end, end), ")")];
    Some(stuck.proposed(problem, edits))
}
