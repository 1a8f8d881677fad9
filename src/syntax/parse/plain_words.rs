//! What is written as people say it: "all choose", "roll 2 dice", "if the hand is empty".

use super::Rule;
use super::explain::{Wanted, is_letter};
use super::habits::store_sign;
use super::slips::operand_before;
use super::stuck::{Stuck, is_word, word_in};
use crate::syntax::codes;
use crate::text::diagnostics::Diagnostic;
use crate::text::edits::Edit;
use crate::text::span::Span;

/// Of statements, and of the conditions in them.
pub(super) fn plain_words(stuck: &Stuck<'_>, wanted: &Wanted<'_>) -> Option<Diagnostic> {
    let all: [fn(&Stuck<'_>, &Wanted<'_>) -> Option<Diagnostic>; 14] = [
        all_choose,
        each_without_set,
        picks,
        unless,
        colon_of_a_block,
        the_game_ends,
        somebody_wins,
        shuffled,
        rolled,
        shown_without_reveal,
        things_dealt,
        endless_loop,
        chained_stores,
        contains,
    ];
    all.iter().find_map(|look| look(stuck, wanted))
}

/// The first line of what could not be read, if that is all of it.
fn only_line<'t>(stuck: &Stuck<'t>) -> Option<&'t str> {
    let text = stuck.skipped().trim_end();
    (!text.contains('\n')).then_some(text)
}

fn whole(stuck: &Stuck<'_>, text: &str) -> Vec<Edit> {
    let end = stuck.start() + stuck.skipped().trim_end().len();
    vec![Edit::new(Span::new(stuck.start(), end), text)]
}

/// `all choose x in S`, and `each player chooses x in S`.
fn all_choose(stuck: &Stuck<'_>, _: &Wanted<'_>) -> Option<Diagnostic> {
    let text = stuck.skipped().lines().next()?;
    let verb = ["chooses", "choose"].iter();
    let (at, verb) = verb.copied().find_map(|v| Some((word_in(text, v)?, v)))?;
    let who = text[..at].trim();
    let everybody = [
        "all",
        "all players",
        "each player",
        "every player",
        "both",
        "both players",
        "players",
    ];
    if !everybody.contains(&who) {
        return None;
    }
    let what = text[at + verb.len()..].trim();
    let place = what.rsplit_once(" into ").map(|(_, place)| place);
    let each = if place.is_some_and(is_word) {
        "[p]"
    } else {
        ""
    };
    let what = &format!("{what}{each}");
    let meant = format!("together each p in Player {{ p chooses {what} }}");
    let plain = only_line(stuck).is_some() && !what.is_empty() && !what.contains('{');
    let shown = match plain {
        true => meant.as_str(),
        false => "together each p in Player { p chooses … }",
    };
    let who = Span::new(stuck.start(), stuck.start() + who.len());
    let problem = stuck
        .problem(
            who,
            "one player chooses, and each of several chooses for itself",
        )
        .hint(format!(
            "write `{shown}`; without `together` they choose one after the other"
        ));
    Some(match plain {
        true => stuck.proposed(problem, whole(stuck, &meant)),
        false => problem,
    })
}

/// `each p { … }` and `each player p { … }`.
fn each_without_set(stuck: &Stuck<'_>, wanted: &Wanted<'_>) -> Option<Diagnostic> {
    let head = stuck.skipped().split('{').next()?;
    let mut words = head.split_whitespace();
    let name = match (words.next(), words.next(), words.next(), words.next()) {
        (Some("each"), Some("player"), Some(name), None) => name,
        (Some("each"), Some(name), None, None) => name,
        _ => return None,
    };
    if !is_word(name) || !wanted.has(Rule::kw_in) || !stuck.skipped().contains('{') {
        return None;
    }
    let name = if name == "player" { "p" } else { name };
    let text = format!("each {name} in Player");
    let end = stuck.start() + head.trim_end().len();
    let problem = stuck
        .problem(stuck.at, "a loop says which set it goes through")
        .hint(format!("write `{text} {{ … }}`"));
    let span = Span::new(stuck.start(), end);
    Some(stuck.proposed(problem, vec![Edit::new(span, text)]))
}

/// `p picks x in S`.
fn picks(stuck: &Stuck<'_>, wanted: &Wanted<'_>) -> Option<Diagnostic> {
    let word = stuck.found();
    let verbs = ["picks", "selects", "decides", "guesses", "bids", "plays"];
    let behind = stuck.text.get(stuck.at.end as usize..)?.lines().next()?;
    if !verbs.contains(&word) || !wanted.has(Rule::kw_chooses) || word_in(behind, "in").is_none() {
        return None;
    }
    let message = format!("a player `chooses`, and never `{word}`");
    let problem = stuck
        .problem(stuck.at, message)
        .hint("write `p chooses x in S`");
    Some(stuck.proposed(problem, vec![Edit::new(stuck.at, "chooses")]))
}

/// `unless c { … }`.
fn unless(stuck: &Stuck<'_>, _: &Wanted<'_>) -> Option<Diagnostic> {
    let text = stuck.skipped();
    let rest = text
        .strip_prefix("unless")
        .filter(|_| stuck.first() == "unless")?;
    let problem = stuck.problem(stuck.first_span(), "`unless` is not used here");
    let line = rest.lines().next().unwrap_or_default();
    let ends = [" as ", " into ", " seen by ", "=>", "{", ","].iter();
    let end = ends.filter_map(|end| line.find(end)).min();
    let cond = line[..end.unwrap_or(line.len())].trim();
    let choice = stuck.before().rsplit_once("chooses");
    let of_choice = choice.is_some_and(|(_, since)| !since.contains('}') && !since.contains("=>"));
    if of_choice && !cond.is_empty() {
        let text = format!("where not ({cond})");
        let end = stuck.start() + "unless".len() + rest.find(cond)? + cond.len();
        let whole = Span::new(stuck.start(), end);
        let problem = problem.hint(format!("write `{text}`"));
        return Some(stuck.proposed(problem, vec![Edit::new(whole, text)]));
    }
    let Some(open) = rest.find('{') else {
        return Some(problem.hint("write `if not (c) { … }`"));
    };
    let cond = rest[..open].trim();
    let problem = problem.hint(format!("write `if not ({cond}) {{ … }}`"));
    let head = Span::new(stuck.start(), stuck.start() + "unless".len() + open);
    Some(stuck.proposed(problem, vec![Edit::new(head, format!("if not ({cond}) "))]))
}

/// `if c: n = 1`.
fn colon_of_a_block(stuck: &Stuck<'_>, wanted: &Wanted<'_>) -> Option<Diagnostic> {
    let opens = wanted.has(Rule::block) || wanted.has(Rule::lbrace);
    if stuck.found() != ":" || !opens || !["if", "while", "repeat", "each"].contains(&stuck.first())
    {
        return None;
    }
    let problem = stuck
        .problem(
            stuck.at,
            "what is done stands in braces, and not behind a `:`",
        )
        .hint(format!("write `{} … {{ … }}`", stuck.first()));
    let (colon, end) = (stuck.at, stuck.start() + stuck.skipped().trim_end().len());
    let one_line = only_line(stuck).is_some() && end > colon.end as usize;
    Some(match one_line {
        true => stuck.proposed(
            problem,
            vec![Edit::new(colon, " {"), Edit::new(Span::new(end, end), " }")],
        ),
        false => problem,
    })
}

/// `match n { 0: x = 1 }`.
pub(super) fn colon_of_an_arm(stuck: &Stuck<'_>, wanted: &Wanted<'_>) -> Option<Diagnostic> {
    if stuck.found() != ":" || !wanted.has(Rule::arrow) {
        return None;
    }
    let (open, bracket) = stuck.opened(stuck.at.start as usize)?;
    let close = stuck.closed(open).filter(|_| bracket == '{')?;
    let inside = stuck.text.get(open + 1..close)?;
    let mut depth = 0usize;
    let mut edits = Vec::new();
    for (at, byte) in inside.bytes().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b':' if depth == 0 => {
                let at = open + 1 + at;
                edits.push(Edit::new(Span::new(at, at + 1), " =>"));
            }
            _ => {}
        }
    }
    let problem = stuck
        .problem(
            stuck.at,
            "`=>` leads to what an arm does or gives, and not `:`",
        )
        .hint(match stuck.among_moves() {
            true => "write `p chooses { one => …  two => … }`",
            false => "write `match value { a => …  b, c => …  else => … }`",
        });
    Some(stuck.proposed(problem, edits))
}

/// `payoff zero-sum { Ann: 1, else: -1 }`.
pub(super) fn payoff_of_the_others(stuck: &Stuck<'_>, _: &Wanted<'_>) -> Option<Diagnostic> {
    let (open, bracket) = stuck.opened(stuck.at.start as usize)?;
    let claim = stuck.text.get(..open)?.trim_end();
    let mut words = claim.split_whitespace().rev();
    let (last, before) = (words.next()?, words.next()?);
    let claims = ["zero-sum", "general-sum"].contains(&last) || before == "constant-sum";
    if stuck.found() != "else" || bracket != '{' || !claims {
        return None;
    }
    let shown = match before {
        "constant-sum" => format!("{before} {last}"),
        _ => last.to_owned(),
    };
    let problem = stuck
        .problem(stuck.at, "an `else` is for entries that stand behind a `:`")
        .hint(format!(
            "write `{shown}: {{ Ann: 1, else: -1 }}`, with commas"
        ));
    let colon = Span::new(claim.len(), claim.len());
    Some(stuck.proposed(problem, vec![Edit::new(colon, ":")]))
}

/// `end game`, `game over`, `stop`.
fn the_game_ends(stuck: &Stuck<'_>, _: &Wanted<'_>) -> Option<Diagnostic> {
    let text = only_line(stuck)?;
    let after_end = stuck.before().trim_end().ends_with("end");
    let alone = [
        "endgame",
        "game over",
        "game ends",
        "the game ends",
        "the game is over",
        "exit",
        "quit",
        "stop",
        "finish",
        "abort",
        "halt",
    ];
    let more = after_end && ["game", "the game", "of game", "play"].contains(&text);
    if !more && !alone.contains(&text) {
        return None;
    }
    let problem = stuck
        .problem(stuck.region, "the game ends with the one word `end`")
        .hint("write `end`; `break` leaves a loop alone");
    let instead = if more { "" } else { "end" };
    Some(stuck.proposed(problem, whole(stuck, instead)))
}

/// `Ann wins`.
fn somebody_wins(stuck: &Stuck<'_>, _: &Wanted<'_>) -> Option<Diagnostic> {
    if !["wins", "loses", "win", "lose"].contains(&stuck.found()) {
        return None;
    }
    let who = stuck.word_before(stuck.at.start as usize).0;
    let wins = stuck.found().starts_with('w') && is_word(who);
    let winner = if wins { who } else { "p" };
    let problem = stuck
        .problem(stuck.at, "who has won is stored, and read in the `payoff`")
        .hint(format!("write `winner = {winner}  end` with `state {{ winner : Player? }}`, and `payoff zero-sum: [p in Player] if p == winner then 1 else -1`"));
    Some(problem)
}

/// `shuffle deck`.
fn shuffled(stuck: &Stuck<'_>, _: &Wanted<'_>) -> Option<Diagnostic> {
    if stuck.first() != "shuffle" {
        return None;
    }
    let problem = stuck
        .problem(stuck.region, "a set has no order that could be shuffled")
        .hint("leave it out: `deal n from deck to hand[p]` and `draw c from deck` take at random");
    Some(match only_line(stuck).is_some() {
        true => stuck.proposed(problem, whole(stuck, "")),
        false => problem,
    })
}

/// `roll 2 dice`, `flip a coin`.
fn rolled(stuck: &Stuck<'_>, _: &Wanted<'_>) -> Option<Diagnostic> {
    let text = only_line(stuck)?;
    let mut words = text.split_whitespace();
    let verb = words.next()?;
    if !["roll", "throw", "toss", "flip", "rolls", "cast"].contains(&verb) {
        return None;
    }
    let rest: Vec<&str> = words.collect();
    let last = *rest.last()?;
    let count = rest.iter().find_map(|w| match *w {
        "two" => Some(2),
        "three" => Some(3),
        word => word.parse::<u8>().ok(),
    });
    let meant = match (last, count) {
        ("coin", _) => "draw heads in { true, false }".to_owned(),
        ("die" | "dice", None | Some(1)) => "draw roll in 1..6".to_owned(),
        ("dice", Some(2)) => "draw roll_1 in 1..6, roll_2 in 1..6".to_owned(),
        ("dice" | "coins", Some(n)) => format!("draw each i in 1..{n}: roll[i] in 1..6"),
        _ => return None,
    };
    let problem = stuck
        .problem(
            stuck.region,
            "what chance decides is drawn, and gets a name",
        )
        .hint(format!("write `{meant}`"));
    Some(stuck.proposed(problem, whole(stuck, &meant)))
}

/// `show card to p`, `announce n`.
fn shown_without_reveal(stuck: &Stuck<'_>, _: &Wanted<'_>) -> Option<Diagnostic> {
    let word = stuck.first();
    if !["show", "announce", "publish", "disclose", "uncover", "tell"].contains(&word) {
        return None;
    }
    let value = only_line(stuck)?.strip_prefix(word)?.trim();
    let problem = stuck.problem(
        stuck.first_span(),
        format!("what players are told is revealed, and not `{word}`"),
    );
    let plain = !value.is_empty() && !value.contains(['"', '=', '{', '/']) && word != "tell";
    if !plain {
        return Some(problem.hint("write `reveal(value)`, or `reveal(value to player)`"));
    }
    let meant = match value.strip_prefix('(') {
        Some(_) => format!("reveal{value}"),
        None => format!("reveal({value})"),
    };
    let problem = problem.hint(format!("write `{meant}`"));
    Some(stuck.proposed(problem, whole(stuck, &meant)))
}

/// `deal 2 cards from deck to hand[p]`.
fn things_dealt(stuck: &Stuck<'_>, wanted: &Wanted<'_>) -> Option<Diagnostic> {
    let word = stuck.found();
    if stuck.first() != "deal" || !wanted.has(Rule::kw_from) || !is_word(word) {
        return None;
    }
    let rest = stuck.text.get(stuck.at.end as usize..)?;
    if !rest.trim_start().starts_with("from ") {
        return None;
    }
    let message = format!("a deal says how many, without `{word}`");
    let problem = stuck
        .problem(stuck.at, message)
        .hint("write `deal n from place to place`");
    let (_, before) = stuck.word_before(stuck.at.start as usize);
    let away = Span::new(before.end as usize, stuck.at.end as usize);
    Some(stuck.proposed(problem, vec![Edit::new(away, "")]))
}

/// `loop { … }`, `forever { … }`.
fn endless_loop(stuck: &Stuck<'_>, _: &Wanted<'_>) -> Option<Diagnostic> {
    if !["loop", "forever", "do"].contains(&stuck.first()) {
        return None;
    }
    let first = stuck.first_span();
    let rest = stuck
        .text
        .get(first.end as usize..stuck.end())?
        .trim_start();
    let problem = stuck.problem(first, "a loop says how often it comes at most");
    if rest.starts_with(|c: char| c.is_ascii_digit()) {
        let problem = problem.hint("write `repeat n times { … }`");
        return Some(stuck.proposed(problem, vec![Edit::new(first, "repeat")]));
    }
    let hint =
        "write `repeat n times { … }`, which a `break` ends before, or `while c at most n { … }`";
    rest.starts_with('{').then(|| problem.hint(hint))
}

/// `a = b = 3`.
fn chained_stores(stuck: &Stuck<'_>, _: &Wanted<'_>) -> Option<Diagnostic> {
    let at = stuck.at.start as usize;
    let read = stuck.text.get(stuck.from..at)?;
    let line = read.rsplit('\n').next()?.trim();
    let sign = store_sign(line).filter(|_| stuck.found() == "=")?;
    let (first, second) = (line[..sign].trim(), line[sign + 1..].trim());
    let place = |text: &str| {
        let name = text.split('[').next().unwrap_or_default();
        is_word(name) && (name == text || text.ends_with(']'))
    };
    let value = stuck
        .text
        .get(stuck.at.end as usize..)?
        .lines()
        .next()?
        .trim();
    if !place(first) || !place(second) || value.is_empty() || value.contains(['{', '/']) {
        return None;
    }
    let text = format!("{second} = {value}  {first} = {second}");
    let problem = Diagnostic::error(
        codes::STORE_OR_COMPARE,
        stuck.at,
        "a store is no value, and so none can be stored in another place",
    )
    .hint(format!("write `{text}`"));
    let start = at - read.len() + read.rfind(line)?;
    let end = stuck.text.get(..stuck.end())?.trim_end().len();
    let span = Span::new(start, end);
    Some(stuck.proposed(problem, vec![Edit::new(span, text)]))
}

/// Where an operand ends that begins a text, at a word that goes on with the condition.
fn operand_after(text: &str) -> &str {
    let line = text.split('\n').next().unwrap_or_default();
    let (mut depth, mut end) = (0usize, line.len());
    for (at, c) in line.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' if depth == 0 => {
                end = at;
                break;
            }
            ')' | ']' => depth -= 1,
            '{' | ':' | ',' if depth == 0 => {
                end = at;
                break;
            }
            _ => {}
        }
    }
    let ends = ["and", "or", "then", "at", "as"].iter();
    let word = ends.filter_map(|word| word_in(&line[..end], word)).min();
    line[..word.unwrap_or(end)].trim()
}

/// `if S contains x`.
fn contains(stuck: &Stuck<'_>, _: &Wanted<'_>) -> Option<Diagnostic> {
    let word = stuck.found();
    if !["contains", "includes", "has", "holds"].contains(&word) {
        return None;
    }
    let problem = stuck.problem(stuck.at, format!("`{word}` is not used here"));
    let at = stuck.at.start as usize;
    let from = stuck.from;
    let head = stuck.text.get(from..at)?;
    let behind = stuck.text.get(stuck.at.end as usize..)?;
    let (Some(start), element) = (operand_before(head), operand_after(behind)) else {
        return Some(problem.hint("write `x in S`"));
    };
    let set = head.get(start..)?.trim_end();
    if set.is_empty() || element.is_empty() {
        return Some(problem.hint("write `x in S`"));
    }
    if element == "no" || element.starts_with("no ") {
        return Some(problem.hint(format!(
            "write `no x in {set}: …`, with what holds of no `x`"
        )));
    }
    let text = format!("{element} in {set}");
    let gap = behind.len() - behind.trim_start().len();
    let end = stuck.at.end as usize + gap + element.len();
    let problem = problem.hint(format!("write `{text}`"));
    Some(stuck.proposed(problem, vec![Edit::new(Span::new(from + start, end), text)]))
}

/// `if S is empty`, `if n is not 3`.
pub(super) fn is_something(stuck: &Stuck<'_>, _: &Wanted<'_>) -> Option<Diagnostic> {
    // Behind a condition that ends before it, it is read as the name of a place.
    let word = match stuck.found() {
        "is" => stuck.at,
        next if stuck.first() == "is" && is_word(next) => stuck.first_span(),
        _ => return None,
    };
    let (at, end) = (word.start as usize, word.end as usize);
    let rest = stuck.text.get(end..)?;
    let mut words = rest.split_whitespace();
    let (mut next, mut sign, mut taken) = (words.next()?, "==", 0);
    let until = |word: &str| rest.find(word).map_or(0, |at| at + word.len());
    if next == "not" {
        (sign, taken) = ("!=", until("not"));
        next = words.next()?;
    }
    let problem = stuck.problem(word, "`is` is not used here");
    let next = next.trim_end_matches([')', '{', ',', ';', '}']);
    let empty = next == "empty";
    let (problem, text) = match empty {
        true => {
            taken = until("empty");
            let hint = format!("write `S {sign} {{}}`; of what may be nobody, `x {sign} none`");
            (problem.hint(hint), format!("{sign} {{}}"))
        }
        false => {
            let hint = format!("values are compared by `==` and `!=`: `x {sign} {next}`");
            (problem.hint(hint), sign.to_owned())
        }
    };
    let span = Span::new(at, end + taken);
    Some(
        match next.starts_with(is_letter) || rest.trim_start().starts_with('{') {
            true => stuck.proposed(problem, vec![Edit::new(span, text)]),
            false => problem,
        },
    )
}
