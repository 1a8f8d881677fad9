//! How texts are set, by hand; and that nothing is lost, on every game there is and on what becomes of games when their
//! words are pushed about.

use super::tokens::tokens;
use super::{format, same};
use crate::syntax::parse;
use proptest::prelude::*;
use std::path::Path;

#[track_caller]
fn formatted(text: &str) -> String {
    let result = match format(text) {
        Ok(result) => result,
        Err(problems) => panic!("{problems:?}\n{text}"),
    };
    assert_eq!(
        format(&result).as_ref(),
        Ok(&result),
        "not stable, from\n{text}"
    );
    result
}

/// What becomes of some items.
#[track_caller]
fn items(text: &str, expected: &str) {
    let whole = formatted(&format!("game G {{\n{text}\n}}\n"));
    let lines: Vec<&str> = whole
        .lines()
        .map(|l| l.strip_prefix("  ").unwrap_or(l))
        .collect();
    assert_eq!(lines[1..lines.len() - 1].join("\n"), expected);
}

/// What becomes of some statements.
#[track_caller]
fn statements(text: &str, expected: &str) {
    let whole = formatted(&format!("game G {{ play {{\n{text}\n}} }}"));
    let lines: Vec<&str> = whole
        .lines()
        .map(|l| l.strip_prefix("    ").unwrap_or(l))
        .collect();
    assert_eq!(lines[2..lines.len() - 2].join("\n"), expected);
}

#[test]
fn clauses_of_a_choice_stay_in_their_order() {
    statements(
        "p chooses a in S,b in T as\"{a}{b}\"  into x where a<b seen  by Ann=>y = 1",
        "p chooses a in S, b in T as \"{a}{b}\" into x where a < b seen by Ann => y = 1",
    );
}

#[test]
fn operators_are_spaced_and_ranges_are_not() {
    statements(
        "x=-1+2*( a-b )div c\nlet y = not  a in{1,2}or b\nlet z = (a+1)not  in S and not(b  not in S)",
        "x = -1 + 2 * (a - b) div c\nlet y = not a in { 1, 2 } or b\nlet z = (a + 1) not in S and not (b not in S)",
    );
    items(
        "type T=-edge .. n+1\ntype Unit =( a:T,b : set  of T ?)as \"{a}\"",
        "type T    = -edge..n + 1\ntype Unit = (a: T, b: set of T?) as \"{a}\"",
    );
    statements(
        "x = sum (q in P where a [q,1] [2]) f( ) . r",
        "x = sum(q in P where a[q, 1][2]) f().r",
    );
}

#[test]
fn an_enum_may_have_a_number_of_values() {
    items(
        "enum Suit{ red,black \"B\" , }\nenum Rank  n+1 of{ace \"A\",two }",
        "enum Suit { red, black \"B\" }\nenum Rank n + 1 of { ace \"A\", two }",
    );
}

#[test]
fn needless_marks_go() {
    statements(
        "x = 1; y = {a,b,}; match x { 1 => end, -2 => {}; 3 => break, }",
        "x = 1  y = { a, b }  match x { 1 => end, -2 => {}  3 => break }",
    );
    statements("p chooses { left, right, }", "p chooses { left, right }");
    statements(
        "x = reveal(a,)\nreveal(b to p , )",
        "x = reveal(a)\nreveal(b to p)",
    );
    statements(
        "x = reveal( a ) as  \"a\"  +reveal(b) as if c then \"c\" else \"d\"\nif reveal(b to p) as \"e\"  else  \"\" {}",
        "x = reveal(a) as \"a\" + reveal(b) as if c then \"c\" else \"d\"\nif reveal(b to p) as \"e\" else \"\" {}",
    );
    // The condition is no other than what is revealed, though it is written alike.
    statements(
        "reveal(b) as if b then \"e\" else \"\"",
        "reveal(b) as if b then \"e\" else \"\"",
    );
    // Two indices in one bracket, or in two.
    items(
        "const a : [P][K] 0..1 = [p in P,k in K where x]0 const b : [P][K] 0..1 = [p in P][k in K] 0",
        "const a : [P][K] 0..1 = [p in P, k in K where x] 0\nconst b : [P][K] 0..1 = [p in P] [k in K] 0",
    );
    items(
        "state { a : bool; b : bool, }",
        "state { a : bool  b : bool }",
    );
}

#[test]
fn marks_after_a_statement_in_place_of_a_block_go() {
    statements(
        "p chooses c in S => x -= c; else { }\nmatch x { 1 => end;, 2 => break;; }",
        "p chooses c in S => x -= c else {}\nmatch x { 1 => end  2 => break }",
    );
    // Without its semicolon, the `else` would be that of the `if`.
    statements(
        "p chooses c in S => if a { x = 1 }; else { end }",
        "p chooses c in S => if a { x = 1 }; else { end }",
    );
}

#[test]
fn a_mark_that_keeps_two_statements_apart_stays() {
    statements(
        "draw x in S; weighted(n)",
        "draw x in S;  weighted(n)".replace(";  ", "; ").as_str(),
    );
}

#[test]
fn state_is_a_table() {
    items(
        "state {\n  hand:[p:Player] set of Card=all seen by p // own\n  n:0..3\n\n  other : bool seen by none\n}",
        "state {
  hand : [p: Player] set of Card = all  seen by p  // own
  n    : 0..3

  other : bool  seen by none
}",
    );
}

#[test]
fn neighbours_of_one_kind_are_tables() {
    items(
        "param a:1..2=1 // one\nparam long:1..2=1\nparam mid : 1..2 = 2 // two\n\nparam x : 1..2 = 1",
        "param a    : 1..2 = 1  // one
param long : 1..2 = 1
param mid  : 1..2 = 2  // two

param x : 1..2 = 1",
    );
    items(
        "def f(p: Player): bool = a\ndef g: 0..3 = 2\ndef h: bool =\n  b",
        "def f(p: Player): bool = a\ndef g: 0..3            = 2\ndef h: bool =\n  b",
    );
    statements(
        "match x {\na => x = 1\nlonger, b => {\ny = 1\n}\nelse => z = 1\n}",
        "match x {\n  a => x = 1\n  longer, b => {\n    y = 1\n  }\n  else => z = 1\n}",
    );
    statements(
        "p chooses {\nfold=>x = 1\nraise =>{ y = 1 z = 2 }\n}",
        "p chooses {\n  fold  => x = 1\n  raise => { y = 1  z = 2 }\n}",
    );
}

#[test]
fn the_author_breaks_lines() {
    statements(
        "if a { x = 1  end }\nif b {\nx = 1 y = 2\nend }",
        "if a { x = 1  end }\nif b {\n  x = 1  y = 2\n  end\n}",
    );
    statements(
        "if a { x = 1 }\nelse { each p in S { match p {\na => x = 1\nb => {} } } }",
        "if a { x = 1 }\nelse { each p in S { match p {\n  a => x = 1\n  b => {}\n} } }",
    );
    statements(
        "p chooses c in S\n  where c != none as \"{c}\"\nelse { end }",
        "p chooses c in S\n  where c != none as \"{c}\"\nelse { end }",
    );
    items(
        "def row(p: Player): bool =\n { a } <= m\n or { b } <= m",
        "def row(p: Player): bool =\n  { a } <= m or\n  { b } <= m",
    );
}

#[test]
fn blank_lines_stay_one_at_a_time() {
    statements(
        "\n\nx = 1\n\n\n\n// about y\n\ny = 1\n\n",
        "x = 1\n\n// about y\n\ny = 1",
    );
}

#[test]
fn comments_stay_where_they_are() {
    statements(
        "// one\nx = 1 // two\nlonger = 1    // three\n              // four\n// five\nif a { // six\n end\n // seven\n}",
        "// one
x = 1       // two
longer = 1  // three
            // four
// five
if a {  // six
  end
  // seven
}",
    );
    statements(
        "x = f(a, // first\n b) /// last",
        "x = f(a,  // first\n      b)  /// last",
    );
    let text = "// head\n\ngame G {  // g\n  // nothing\n}  // end\n\n// more\n";
    assert_eq!(formatted(text), text);
}

#[test]
fn lines_that_are_too_long_break() {
    let (a, b, c) = ("a".repeat(50), "b".repeat(50), "c".repeat(40));
    statements(
        &format!("x = {a} or {b} and c\nif {a} {{ x = {b}  y = 2 }}"),
        &format!("x = {a} or {b} and c\nif {a} {{\n  x = {b}  y = 2\n}}"),
    );
    statements(
        &format!("x = {a} + {b} + {a} + {b}"),
        &format!("x =\n  {a} + {b} +\n  {a} + {b}"),
    );
    statements(
        &format!("x = {a}  y = {c}  z = 12"),
        &format!("x = {a}  y = {c}\nz = 12"),
    );
    statements(
        &format!("let x = if {a} then {b} else if {b} then {a} else 3"),
        &format!("let x =\n  if {a} then {b}\n  else if {b} then {a}\n  else 3"),
    );
}

#[test]
fn every_construct_has_its_form() {
    let text = include_str!("every-construct.game");
    assert_eq!(formatted(text), text);
    let lines = text.lines().map(str::trim).collect::<Vec<_>>();
    // However the lines stood before.
    assert_eq!(formatted(&lines.join("\n")), text);
}

#[test]
fn a_text_that_is_wrong_is_left_alone() {
    let problems = format("game G { play { x = } }").unwrap_err();
    assert!(problems.iter().all(|p| p.code.0 < "E0020"), "{problems:?}");
    assert!(format("").is_err());
}

/// A note keeps no text from being set.
#[test]
fn what_reads_as_something_else_is_set_too() {
    let text = "game G { play { x = n // 2\n Ann chooses a in 1..6 - 3 } }";
    assert_eq!(parse(text).1.len(), 2);
    let expected = "    x = n  // 2\n    Ann chooses a in 1..6 - 3\n";
    assert!(formatted(text).contains(expected), "{}", formatted(text));
}

#[test]
fn trees_differ_when_they_say_something_else() {
    let tree = |text: &str| parse(text).0.unwrap();
    let a = tree("game G { type T = 1..2 as \"Span {{ }}\" }");
    assert!(same(
        &a,
        &tree("game G { type T=1..(2) as \"Span {{ }}\" }")
    ));
    assert!(!same(
        &a,
        &tree("game G { type T = 1..2 as \"Span {{  }}\" }")
    ));
    assert!(!same(
        &a,
        &tree("game G { type T = 1..3 as \"Span {{ }}\" }")
    ));
    assert!(!same(
        &a,
        &tree("game G { // c\n type T = 1..2 as \"Span {{ }}\" }")
    ));
}

fn texts(folder: &Path, found: &mut Vec<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            texts(&path, found);
        } else if path.extension().is_some_and(|e| e == "game")
            && let Ok(text) = std::fs::read_to_string(&path)
        {
            found.push(text);
        }
    }
}

fn all_texts() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = vec![include_str!("every-construct.game").to_string()];
    texts(&root.join("games"), &mut found);
    texts(&root.join("tests"), &mut found);
    found.retain(|text| parse(text).1.is_empty());
    assert!(found.len() > 60);
    found
}

#[test]
fn every_game_says_the_same_afterwards() {
    for text in all_texts() {
        let result = formatted(&text);
        let (before, after) = (parse(&text).0.unwrap(), parse(&result).0.unwrap());
        assert!(same(&before, &after), "{text}\n{result}");
    }
}

/// What stands between two words, and what is done to the word.
#[derive(Clone, Copy, Debug)]
enum Change {
    Blanks(&'static str),
    Repeat,
    Leave,
    Parentheses,
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        60 => Just(Change::Blanks(" ")),
        12 => Just(Change::Blanks("\n")),
        4 => Just(Change::Blanks("\n\n\n")),
        4 => Just(Change::Blanks("      ")),
        2 => Just(Change::Blanks(" // said\n")),
        2 => Just(Change::Blanks("\n\n   // alone\n   // twice\n\n")),
        1 => Just(Change::Blanks("; ")),
        1 => Just(Change::Blanks(", ")),
        1 => Just(Change::Parentheses),
        1 => Just(Change::Repeat),
        1 => Just(Change::Leave),
    ]
}

proptest! {
    #![proptest_config(crate::random_tests::config(300))]

    #[test]
    fn blanks_and_comments_anywhere(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec(change(), 40..400),
    ) {
        let texts = all_texts_once();
        let text: &String = which.get(texts);
        let words = tokens(text);
        let mut pushed = String::new();
        for (word, change) in words.iter().zip(changes.iter().cycle()) {
            pushed.push_str(word.text);
            let blanks = match change {
                Change::Blanks(blanks) if blanks.trim().len() != 1 => blanks,
                _ => " ",
            };
            // These words of one mark have no blanks within.
            let glued = matches!(word.text, "zero" | "constant" | "general") ||
                pushed.ends_with("zero-") || pushed.ends_with("constant-") || pushed.ends_with("general-");
            let by = matches!(word.text, "seen" | "at" | "one") && blanks.contains('/');
            match (glued, by) {
                (true, _) => {}
                (_, true) => pushed.push('\n'),
                _ => pushed.push_str(blanks),
            }
        }
        let (before, problems) = parse(&pushed);
        prop_assert!(problems.is_empty(), "{problems:?}\n{pushed}");
        let result = formatted(&pushed);
        prop_assert!(same(&before.unwrap(), &parse(&result).0.unwrap()));
    }

    #[test]
    fn whatever_can_still_be_read(
        which in any::<prop::sample::Index>(),
        edits in prop::collection::vec((any::<prop::sample::Index>(), prop::collection::vec(change(), 1..6)), 1..4),
        rest in "[ \n]{1,2}",
    ) {
        let texts = all_texts_once();
        let text: &String = which.get(texts);
        let words = tokens(text);
        let mut changes = vec![None; words.len()];
        for (at, edit) in &edits {
            let first = at.index(words.len());
            for (place, change) in changes[first..].iter_mut().zip(edit) {
                *place = Some(*change);
            }
        }
        let mut pushed = String::new();
        for (word, change) in words.iter().zip(changes) {
            let glued = matches!(word.text, "zero" | "constant" | "general" | "-");
            match change {
                Some(Change::Leave) => {}
                Some(Change::Repeat) => {
                    pushed.push_str(word.text);
                    pushed.push(' ');
                    pushed.push_str(word.text);
                }
                Some(Change::Parentheses) => {
                    pushed.push('(');
                    pushed.push_str(word.text);
                    pushed.push(')');
                }
                _ => pushed.push_str(word.text),
            }
            match change {
                Some(Change::Blanks(blanks)) => pushed.push_str(blanks),
                _ if glued => {}
                _ => pushed.push_str(&rest),
            }
        }
        let (before, problems) = parse(&pushed);
        if problems.is_empty() && let Some(before) = before {
            let result = formatted(&pushed);
            prop_assert!(same(&before, &parse(&result).0.unwrap()));
        } else {
            prop_assert!(format(&pushed).is_err());
        }
    }
}

fn all_texts_once() -> &'static [String] {
    static TEXTS: std::sync::OnceLock<Vec<String>> = std::sync::OnceLock::new();
    TEXTS.get_or_init(all_texts)
}
