//! What a report proposes to change mends what it reports: with each of these changes the text can be read as far as
//! before, and the problem is gone.

use crate::support::mutants::Shipped;
use ruse::Diagnostic;
use ruse::internal::check::Settings;
use ruse::internal::check::extends::Loader;
use ruse::internal::text::diagnostics::Code;
use ruse::internal::text::edits::{Edit, apply, moved};
use ruse::internal::text::explain::PAGES;
use ruse::internal::text::span::Span;
use std::collections::BTreeMap;

fn problems(text: &str, settings: &Settings, loader: Loader<'_>) -> Vec<Diagnostic> {
    match ruse::load_with("duel.game", text, settings, loader).0 {
        Ok((_, problems)) | Err(problems) => problems,
    }
}

fn meet(a: Span, b: Span) -> bool {
    a.start <= b.end && b.start <= a.end
}

/// What came of the changes that are proposed.
#[derive(Default)]
struct Tried {
    /// How many problems propose changes, by code.
    codes: BTreeMap<Code, usize>,
    /// Those that mend nothing.
    wrong: Vec<String>,
}

impl Tried {
    #[track_caller]
    fn expect_all(&self) {
        let shown = self.wrong.iter().take(20).map(String::as_str);
        assert!(
            self.wrong.is_empty(),
            "{} changes mend nothing:\n{}",
            self.wrong.len(),
            shown.collect::<Vec<_>>().join("\n\n")
        );
    }
}

/// Each problem of a text that proposes changes is gone with them.
#[track_caller]
pub fn mend(text: &str, settings: &Settings, loader: Loader<'_>) {
    let mut tried = Tried::default();
    try_all(text, settings, loader, &mut tried);
    tried.expect_all();
}

fn try_all(text: &str, settings: &Settings, loader: Loader<'_>, tried: &mut Tried) {
    let before = problems(text, settings, loader);
    let unread = |list: &[Diagnostic]| list.iter().filter(|d| d.code.0 < "E0100").count();
    for problem in &before {
        let own = |e: &Edit| e.span.end as usize <= text.len();
        if problem.edits.is_empty() || !problem.edits.iter().all(own) {
            continue;
        }
        *tried.codes.entry(problem.code).or_insert(0) += 1;
        let shown = problem.render("duel.game", text, false);
        let edits = &problem.edits;
        let Some(changed) = apply(text, edits) else {
            let wrong = format!("{shown}\nthese changes meet: {edits:?}");
            tried.wrong.push(wrong);
            continue;
        };
        let after = problems(&changed, settings, loader);
        let place = moved(problem.span, &problem.edits);
        let same = |d: &&Diagnostic| d.code == problem.code && meet(d.span, place);
        // The problem of another place that was told before lies there still.
        let others = before.iter().filter(|d| *d != problem);
        let others = others.filter(|d| d.code == problem.code && meet(d.span, problem.span));
        let gone = after.iter().filter(same).count() <= others.count();
        if !gone || unread(&after) > unread(&before) {
            let list: Vec<String> = after
                .iter()
                .map(|d| d.render("changed.game", &changed, false))
                .collect();
            let left = list.join("\n");
            tried.wrong.push(format!("{shown}\nwith {edits:?}\n{left}"));
        }
    }
}

#[test]
fn what_the_games_of_the_pages_are_proposed_mends_them() {
    let mut tried = Tried::default();
    for page in PAGES {
        let Some((_, example)) = page.text.split_once("\n## Wrong\n") else {
            continue;
        };
        let game = |mark: &str| {
            let rest = example.split_once(mark)?.1;
            rest.split("```").next().map(str::to_string)
        };
        let large = page.text.split_once("```game large.game\n");
        let large = large.and_then(|(_, rest)| rest.split("```").next());
        let loader = |_: &str, path: &str| match large {
            Some(text) => Ok((path.to_string(), text.to_string())),
            None => Err(format!("there is no {path}")),
        };
        if let Some(text) = game("```game\n") {
            try_all(&text, &Settings::new(), &loader, &mut tried);
        }
    }
    println!("{:?}", tried.codes);
    tried.expect_all();
}

#[test]
fn what_damaged_games_are_proposed_mends_them() {
    let shipped = Shipped::new();
    let mut tried = Tried::default();
    for number in 0..1_500 {
        let (text, _, settings) = shipped.mutant(number);
        let loader = |_: &str, path: &str| shipped.load(path);
        try_all(&text, &settings, &loader, &mut tried);
    }
    println!("{:?}", tried.codes);
    tried.expect_all();
}

/// A game of three with a hand for each.
fn hands(play: &str) -> String {
    format!(
        "game Hands {{
  players {{ Ann, Ben, Cid }}
  state {{
    turn : Player
    hand : [p: Player] set of 1..4 = all seen by p
    bid : [p: Player] 0..4 seen by p
    secret : 1..4 seen by Ann
    round : 0..9
    open : 0..9
    best : Player?
  }}
  play {{
    draw d in 1..4 into secret
{play}
    Cid chooses last in 1..2
  }}
  payoff general-sum: [p in Player] 0
}}"
    )
}

/// The first error and the text with what is proposed for it, without blanks at the ends of lines.
fn first_mended(text: &str) -> (&'static str, String) {
    let found = problems(text, &Settings::new(), &|_, _| Err(String::new()));
    let first = found.iter().find(|d| d.is_error()).expect("an error");
    let shown = first.render("duel.game", text, false);
    assert!(!first.edits.is_empty(), "{shown}");
    (first.code.0, apply(text, &first.edits).expect("a text"))
}

#[test]
fn a_leak_is_proposed_what_mends_it_and_tells_least() {
    let cases = [
        // Whose turn it is gets a name, up to where it changes.
        (
            "E0403",
            "repeat 2 times { turn chooses c in hand[turn] into bid[turn]  hand[turn] -= c  turn = next(turn, 1) }",
            "let me = turn  me chooses c in hand[me] into bid[me]  hand[me] -= c  turn = next(turn, 1)",
        ),
        (
            "E0401",
            "turn chooses secretly c in 1..4\n    if c > 2 { bid[turn] = c }",
            "let me = turn  me chooses secretly c in 1..4\n    if c > 2 { bid[me] = c }",
        ),
        // A label shows that a move is made; where its values are needed later, a value beside them.
        (
            "E0406",
            "Ann chooses secretly a in 1..2, b in 1..2 where a != b\n    round += 1",
            "Ann chooses { move(secretly a in 1..2, secretly b in 1..2) where a != b }\n    round += 1",
        ),
        (
            "E0406",
            "Ann chooses secretly a in 1..2\n    bid[Ann] = a\n    round += 1",
            "Ann chooses made in { true }, secretly a in 1..2\n",
        ),
        (
            "E0406",
            "Ben chooses c in hand[Ben] into bid[Ben] => { hand[Ben] -= c }\n    round += 1",
            "Ben chooses { move(c in hand[Ben] into bid[Ben]) => { hand[Ben] -= c } }",
        ),
        // An `else` is no move: what shows it stands in it.
        (
            "E0406",
            "Ann chooses { go(secretly x in 1..2) where secret > 2  stay(y in 1..2) where secret > 2 } else { open = 1 }
    Ann chooses secretly z in 1..2",
            "else { reveal(true)  open = 1 }",
        ),
        // What the chooser holds, and not what others do.
        (
            "E0403",
            "Ann chooses c in hand[Ben]",
            "Ann chooses c in hand[Ann]",
        ),
        (
            "E0403",
            "each me in Player { me chooses secretly c in all - hand[Ann] - hand[Ben] - hand[Cid] else {} }",
            "me chooses secretly c in all - hand[me] else {}",
        ),
        (
            "E0403",
            "Ben chooses c in 1..secret",
            "let told = reveal(1..secret to Ben)  Ben chooses c in told",
        ),
        // Told to those who lack it, and to all where all do.
        (
            "E0401",
            "bid[Ben] = secret",
            "bid[Ben] = reveal(secret to Ben)",
        ),
        ("E0401", "open = secret", "open = reveal(secret)"),
        // What is drawn secretly and then stored is drawn to where it is stored.
        (
            "E0401",
            "draw secretly c in 1..4 as \"{c}\"\n    bid[Ben] = c\n    round += 1",
            "draw c in 1..4 into bid[Ben] as \"{c}\"\n    round += 1",
        ),
        // To the one whom a name stands for, before all.
        (
            "E0401",
            "each p in Player { bid[p] = secret }",
            "bid[p] = reveal(secret to p)",
        ),
        (
            "E0402",
            "each p in Player { if p == next(Ann, secret) { reveal(open to p) } }",
            "if reveal(p == next(Ann, secret) to p) {",
        ),
        (
            "E0401",
            "hand[next(Ann, secret)] -= 1",
            "let known = reveal(next(Ann, secret))  hand[known] -= 1",
        ),
        (
            "E0402",
            "if secret > 2 { Ben chooses n in 1..2 }",
            "if reveal(secret > 2) {",
        ),
        (
            "E0401",
            "repeat secret times { open += 1 }",
            "let known = reveal(secret)  repeat known times { open += 1 }",
        ),
        (
            "E0404",
            "repeat 3 times { if secret > 2 { break }  if open == 0 { end } }",
            "if reveal(secret > 2) { break }",
        ),
        (
            "E0401",
            "Ann chooses secretly { go => { open = 1 }  stay }",
            "Ann chooses { go => { open = 1 }  stay }",
        ),
        (
            "E0405",
            "draw e in 1..secret",
            "draw e in 1..secret revealing",
        ),
    ];
    are_mended(&cases);
}

#[test]
fn a_secret_is_told_to_whoever_sees_its_place() {
    let cases = [
        // To the one at whose place it is stored, also where that is worked out.
        (
            "E0401",
            "each p in Player { bid[next(p)] = min(hand[p]) }",
            "bid[next(p)] = reveal(min(hand[p]) to next(p))",
        ),
        // In a row that is made of itself, before anything is stored.
        (
            "E0401",
            "hand = [p in Player] hand[next(p)]",
            "hand = [p in Player] reveal(hand[next(p)] to p)",
        ),
        (
            "E0401",
            "hand = [p in Player] if size(hand[next(p)]) > 2 then hand[p] else {}",
            "hand = [p in Player] reveal(if size(hand[next(p)]) > 2 then hand[p] else {} to p)",
        ),
        // Who may be nobody gets a name as well.
        (
            "E0401",
            "if best != none { bid[best] += size(hand[best]) }",
            "if best != none { let me = best  bid[me] += size(hand[me]) }",
        ),
    ];
    are_mended(&cases);
}

/// The code of each play, and a part of the text with what is proposed.
#[track_caller]
fn are_mended(cases: &[(&str, &str, &str)]) {
    for &(code, play, mended) in cases {
        let text = hands(&format!("    {play}"));
        let (found, changed) = first_mended(&text);
        assert_eq!(found, code, "{play}");
        assert!(changed.contains(mended), "{play}\n{changed}");
        mend(&text, &Settings::new(), &|_, _| Err(String::new()));
    }
}

/// The codes of the errors of a text, with how many other places each points at, and the text with what is proposed first.
fn causes(text: &str) -> (Vec<(&'static str, usize)>, String) {
    let found = problems(text, &Settings::new(), &|_, _| Err(String::new()));
    let errors = found.iter().filter(|d| d.is_error());
    let list = errors.map(|d| (d.code.0, d.notes.len())).collect();
    let (_, changed) = first_mended(text);
    (list, changed)
}

#[test]
fn leaks_with_one_cause_are_told_once() {
    let no_errors = |text: &str| {
        let left = problems(text, &Settings::new(), &|_, _| Err(String::new()));
        assert!(!left.iter().any(Diagnostic::is_error), "{text}\n{left:#?}");
    };
    // A def that lost its `shown`: all that depends on it.
    let play = "    turns me from Ann at most 4 {
      if held(me) == 2 { reveal(hand[me]) }
      if held(me) < held(next(me, 1)) { Ben chooses again in { true } }
      if held(me) == 3 { Cid chooses once in 1..2 }
      if held(me) == 1 { open = 1  round = 2 }
      if held(me) == 0 { end }
      hand[me] = {}
    }";
    let defs = "  payoff general-sum: [p in Player] 0\n  def held(p: Player): 0..4 = size(hand[p])";
    let text = hands(play).replace("  payoff general-sum: [p in Player] 0", defs);
    let (found, changed) = causes(&text);
    assert_eq!(found, [("E0414", 3)], "{text}");
    assert!(changed.contains("  shown def held"));
    no_errors(&changed);
    // A variable that lost its `seen by`.
    let lost = "    each p in Player {
      p chooses secretly c in hand[p]
      bid[p] = c
      p chooses secretly d in hand[p] - c
      if d > c { bid[p] = d }
      p chooses secretly e in hand[p] - c - d
      bid[p] = e
    }";
    let text = hands(lost).replace("0..4 seen by p", "0..4");
    let (found, changed) = causes(&text);
    assert_eq!(found, [("E0414", 3)]);
    assert!(changed.contains("0..4  seen by p"));
    no_errors(&changed);
    // A condition: one error, with the places.
    let text = hands("    if secret == 2 { open = 1  round = 1  Ben chooses n in 1..2  end }");
    let (found, changed) = causes(&text);
    assert_eq!(found, [("E0401", 4)]);
    no_errors(&changed);
    // One that mends more than the leaks that it is proposed for: whether a loop goes on.
    let rounds = "    while hand[Ann] != {} at most 4 {
      Ben chooses n in 1..2
      open = n
      round = n
      hand[Ann] = {}
    }
    Ben chooses m in 1..2
    open = m";
    let (found, changed) = causes(&hands(rounds));
    assert_eq!(found, [("E0402", 3)], "{changed}");
    assert!(
        changed.contains("while reveal(hand[Ann] != {})"),
        "{changed}"
    );
    no_errors(&changed);
    // Nothing in common.
    let text = hands("    open = secret\n    Ben chooses n in hand[Cid]");
    assert_eq!(causes(&text).0, [("E0401", 0), ("E0403", 0)]);
}

#[test]
fn a_comment_that_reads_as_a_quotient_becomes_one() {
    for (written, divided) in [
        ("open = round//2", "open = round div 2\n"),
        ("open = round // 2", "open = round div 2\n"),
        ("open = round //2", "open = round div 2\n"),
    ] {
        let text = hands(&format!("    {written}"));
        let found = problems(&text, &Settings::new(), &|_, _| Err(String::new()));
        let note = found.iter().find(|d| d.code.0 == "E0021").expect(written);
        let changed = apply(&text, &note.edits).expect(written);
        assert!(changed.contains(divided), "{changed}");
    }
}
