//! Whole texts: the shipped games, trees of small pieces, broken texts and hostile ones.

use crate::snapshots::snapshots;
use crate::syntax::ast::{Binder, Expr, ExprKind, Item};
use crate::syntax::parse;

fn games() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/games");
    let mut games = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "game") {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            games.push((name, std::fs::read_to_string(path).unwrap()));
        }
    }
    games.sort();
    games
}

#[test]
fn shipped_games_have_no_problems() {
    let games = games();
    assert!(games.len() >= 6);
    for (name, text) in games {
        let (file, problems) = parse(&text);
        let report: String = problems
            .iter()
            .map(|p| p.render(&name, &text, false))
            .collect();
        assert!(problems.is_empty(), "{report}");
        assert!(file.is_some());
    }
}

/// The time that any text may take.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(2);
/// The same on a machine that has other things to do: far below what time that grows with the square would take.
const BUSY: std::time::Duration = std::time::Duration::from_secs(8);

#[test]
fn every_beginning_of_a_game_is_answered() {
    for (_, text) in games() {
        for end in (0..text.len()).filter(|&n| text.is_char_boundary(n)) {
            let (file, problems) = parse(&text[..end]);
            assert!(file.is_some() || !problems.is_empty());
        }
    }
}

#[test]
fn mutilated_games_are_answered() {
    let games = games();
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % below.max(1) as u64) as usize
    };
    let words = [
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "\"",
        "if",
        "else",
        "=>",
        "..",
        ",",
        "not",
        "é",
        "-",
        "let",
        "match",
        "in",
        "chooses",
        "//",
        "=",
        "12345678901234567890",
        " ",
        "\n",
    ];
    for round in 0..2000 {
        let mut letters: Vec<char> = games[round % games.len()].1.chars().collect();
        for _ in 0..1 + random(3) {
            let at = random(letters.len());
            let end = (at + random(12)).min(letters.len());
            match random(3) {
                0 => drop(letters.drain(at..end)),
                1 => {
                    let word = words[random(words.len())];
                    letters.splice(at..at, word.chars());
                }
                _ => {
                    let piece: Vec<char> = letters[at..end].to_vec();
                    let to = random(letters.len());
                    letters.splice(to..to, piece);
                }
            }
        }
        let text: String = letters.into_iter().collect();
        let (file, problems) = parse(&text);
        assert!(file.is_some() || !problems.is_empty());
        for problem in problems {
            problem.render("x.game", &text, false);
        }
    }
}

/// As much of `piece` as `bytes` and the limit on words allow, within `head` and `tail`.
fn filled(head: &str, piece: &str, tail: &str, bytes: usize) -> String {
    let room = bytes.saturating_sub(head.len() + tail.len());
    format!("{head}{}{tail}", piece.repeat(room / piece.len()))
}

const PIECES: [&str; 34] = [
    "(",
    "{",
    "[",
    "}",
    "\"",
    "if ",
    "a ",
    "not ",
    "- ",
    "else ",
    "=> ",
    "a = ",
    "1+",
    "let a = 1; ",
    "a.b",
    "some x in S: ",
    "[p in S] ",
    "sum(x in S) ",
    "if a then ",
    "set of ",
    "a\n",
    "match ",
    "é ",
    "p chooses x in S => ",
    "if a {} else ",
    "x in ",
    "{}",
    "a(1) ",
    "a[1]",
    "//\n",
    "\"{a}\"",
    "f(a: 1)",
    "a ? ",
    "x = 1 ",
];

const FRAMES: [(&str, &str); 9] = [
    ("", ""),
    ("game G { ", " }"),
    ("game G { play { ", " } }"),
    ("game G { def d = ", " }"),
    ("game G { state { a : ", " } }"),
    ("game G { play { x = ", " } }"),
    ("game G { play { match x { ", " } } }"),
    ("game G { play { p chooses { ", " } } }"),
    ("game G { play { p chooses c in S as \"", "\" } }"),
];

fn answered_soon(pieces: &[&str], bytes: usize, patience: std::time::Duration) {
    let mut slow = Vec::new();
    for piece in pieces {
        for (head, tail) in FRAMES {
            let text = filled(head, piece, tail, bytes);
            let begin = std::time::Instant::now();
            let (file, problems) = parse(&text);
            let spent = begin.elapsed();
            if spent > patience {
                slow.push(format!("{head}{piece}…: {spent:?}"));
            }
            assert!(file.is_some() || !problems.is_empty());
        }
    }
    assert!(slow.is_empty(), "{slow:#?}");
}

#[test]
fn a_megabyte_of_garbage_is_answered_soon() {
    answered_soon(&PIECES, crate::syntax::MAX_BYTES, PATIENCE);
}

#[test]
fn garbage_within_the_limits_is_answered_soon() {
    answered_soon(&PIECES, 20_000, BUSY);
    answered_soon(&["a\n", "1+", "a(1) "], 110_000, BUSY);
}

/// The printed form of an expression, every operator in parentheses.
fn shape(expression: &str) -> String {
    let text = format!("game G {{ def d = {expression} }}");
    let (file, problems) = parse(&text);
    let report: String = problems
        .iter()
        .map(|p| p.render("x.game", &text, false))
        .collect();
    assert!(problems.is_empty(), "{report}");
    match file.unwrap().items.first() {
        Some(Item::Def(def)) => print(&def.body),
        other => panic!("{other:?}"),
    }
}

fn print(expr: &Expr) -> String {
    let list = |exprs: &[Expr]| exprs.iter().map(print).collect::<Vec<_>>().join(", ");
    match &expr.kind {
        ExprKind::Int(value) => value.to_string(),
        ExprKind::Decimal(digits) => digits.clone(),
        ExprKind::Name(name) => name.text.clone(),
        ExprKind::All => "all".to_owned(),
        ExprKind::Set(elements) => format!("{{{}}}", list(elements)),
        ExprKind::Range { low: a, high: b } => format!("({}..{})", print(a), print(b)),
        ExprKind::Binary {
            op,
            left: a,
            right: b,
        } => format!("({} {op:?} {})", print(a), print(b)),
        ExprKind::Unary { op, value: a } => format!("({op:?} {})", print(a)),
        ExprKind::If {
            cond: c,
            then: a,
            otherwise: b,
        } => format!("(if {} then {} else {})", print(c), print(a), print(b)),
        ExprKind::Index {
            array: a,
            indices: i,
        } => format!("{}[{}]", print(a), list(i)),
        ExprKind::Field {
            record: a,
            field: name,
        } => format!("{}.{}", print(a), name.text),
        ExprKind::Call {
            function: name,
            args: arguments,
        } => format!("{}({})", name.text, list(arguments)),
        ExprKind::Quantified {
            quantifier,
            binders,
            body,
        } => {
            format!("({quantifier:?} {}: {})", bound_all(binders), print(body))
        }
        ExprKind::Aggregate { op, binders, body } => {
            format!("({op:?} {}: {})", bound_all(binders), print(body))
        }
        ExprKind::Array { binder, body } => format!("([{}] {})", bound(binder), print(body)),
        ExprKind::Comprehension { body, binders } => {
            format!("{{{} for {}}}", print(body), bound_all(binders))
        }
        ExprKind::Map { entries, otherwise } => {
            let mut parts: Vec<_> = entries
                .iter()
                .map(|(k, v)| format!("{}: {}", print(k), print(v)))
                .collect();
            parts.extend(otherwise.as_ref().map(|v| format!("else: {}", print(v))));
            format!("{{{}}}", parts.join(", "))
        }
        other => format!("{other:?}"),
    }
}

fn bound_all(binders: &[Binder]) -> String {
    let binders: Vec<String> = binders.iter().map(bound).collect();
    binders.join(", ")
}

fn bound(binder: &Binder) -> String {
    let cond = binder.cond.as_ref().map(|c| format!(" where {}", print(c)));
    format!(
        "{} in {}{}",
        binder.name.text,
        print(&binder.domain),
        cond.unwrap_or_default()
    )
}

#[test]
fn operators_bind_as_they_should() {
    for (expression, tree) in [
        ("a or b and not c == d", "(a Or (b And (Not (c Eq d))))"),
        ("not a and b", "((Not a) And b)"),
        ("a - b - c * 2", "((a Sub b) Sub (c Mul 2))"),
        ("-a + +b", "((Neg a) Add b)"),
        ("- a[i].f * b", "((Neg a[i].f) Mul b)"),
        ("x in 1..4", "(x In (1..4))"),
        ("1..n + 1 == S", "((1..(n Add 1)) Eq S)"),
        (
            "1..3 < S and not 1..2 in S",
            "(((1..3) Lt S) And (Not ((1..2) In S)))",
        ),
        ("1..3 == 2..n", "((1..3) Eq (2..n))"),
        ("x in S - T & U", "(x In (S Sub (T Intersect U)))"),
        ("Player before p", "(Player Before p)"),
        (
            "every q in Player before p: a[q] != c or d",
            "(Every q in (Player Before p): ((a[q] Ne c) Or d))",
        ),
        ("sum(x in S) f(x) / 2", "((Sum x in S: f(x)) Over 2)"),
        (
            "sum(x in S where x > 1) -x + 1",
            "((Sum x in S where (x Gt 1): (Neg x)) Add 1)",
        ),
        ("min(a, b) + sum(Card)", "(min(a, b) Add sum(Card))"),
        (
            "[p in P, k in K where k > 1] a",
            "([p in P] ([k in K where (k Gt 1)] a))",
        ),
        (
            "[p in P] if a then b else c + 1",
            "([p in P] (if a then b else (c Add 1)))",
        ),
        ("{ a[d] for d in D where ok }", "{a[d] for d in D where ok}"),
        ("{ a: 1, b: 2, else: 0 }", "{a: 1, b: 2, else: 0}"),
        ("{ else: 27.8 }", "{else: 27.8}"),
        ("{}", "{}"),
        ("{ no, yes, some, count, }", "{no, yes, some, count}"),
        ("a[1][2, 3]", "a[1, 2, 3]"),
        ("game - rank + all", "((game Sub rank) Add all)"),
        ("a[1]..b.all - 1", "(a[1]..(b.all Sub 1))"),
    ] {
        assert_eq!(shape(expression), tree, "{expression}");
    }
}

#[test]
fn words_are_names_where_they_can_be() {
    let text = "game game { players { draw, end } enum type { each, from } state { at : [to: type] set of turns \
        while : 1..2 end : bool param : number? } play { at[to] = {} while = 1 end = param \
        deal = 3 each = draw param += repeat reveal = together if end { end } end chooses secretly in from \
        draw to in from into to seen by end weighted = 2 count = some end } }";
    let (file, problems) = parse(text);
    let report: String = problems
        .iter()
        .map(|p| p.render("x.game", text, false))
        .collect();
    assert!(problems.is_empty(), "{report}");
    let file = file.unwrap();
    let Some(Item::Play(play)) = file.items.last() else {
        panic!("{file:?}")
    };
    assert_eq!(play.body.stmts.len(), 13, "{play:#?}");
}

#[test]
fn spans_leave_out_what_follows() {
    let text =
        "game G { // one\n  def d = a + b // two\n  // three\n\n  def e = \u{e9}t\u{e9} }\r\n";
    let (file, problems) = parse(text);
    assert!(problems.is_empty(), "{problems:?}");
    let file = file.unwrap();
    let texts: Vec<_> = file
        .items
        .iter()
        .map(|item| match item {
            Item::Def(def) => &text[def.span.range()],
            _ => "",
        })
        .collect();
    assert_eq!(texts, ["def d = a + b", "def e = été"]);
    assert_eq!(file.comments.len(), 3);
    assert_eq!(&text[file.span.range()].len(), &text.trim_end().len());
}

#[test]
fn holes_have_their_place_in_the_file() {
    let text = "game G { play { p chooses c in S as \"{{x}} {a + next(c, 1)} é {b}\" } }";
    let (file, problems) = parse(text);
    assert!(problems.is_empty(), "{problems:?}");
    let printed = format!("{:?}", file.unwrap());
    assert!(printed.contains("Literal(\"{x} \")"), "{printed}");
    for (name, at) in [
        ("a", text.find("a +").unwrap()),
        ("b", text.find("b}").unwrap()),
    ] {
        let span = format!(
            "text: \"{name}\", span: Span {{ start: {at}, end: {} }}",
            at + 1
        );
        assert!(printed.contains(&span), "{name}: {printed}");
    }
}

/// Shows a wrong text and everything that is said about it, side by side.
fn snapshot(name: &str, text: &str) {
    let (_, problems) = parse(text);
    assert!(!problems.is_empty(), "{name}");
    let reports: Vec<_> = problems
        .iter()
        .map(|p| p.render("some.game", text, false))
        .collect();
    let page = format!("{text}\n----\n{}\n", reports.join("\n\n"));
    snapshots("syntax").bind(|| insta::assert_snapshot!(name, page));
}

/// A text whose play holds `statements`.
fn play(statements: &str) -> String {
    format!(
        "game G {{\n  play {{\n    {}\n  }}\n}}",
        statements.replace('\n', "\n    ")
    )
}

#[test]
fn wrong_texts_are_explained() {
    snapshot("empty", "");
    snapshot("no-game", "players { A, B }");
    snapshot("after-the-end", "game G { play { end } }\n}\ndef a = 1");
    snapshot(
        "no-constant-sum",
        "game G {\n  play { end }\n  payoff constant-sum: [p in Player] 1\n}",
    );
    snapshot(
        "rule-without-a-brace",
        "game G {\n  rule r(p: Player)\n    p chooses k in 1..2\n  }\n  play {\n    r(A)\n  }\n}",
    );
    snapshot(
        "if-without-a-brace",
        "game G {\n  play {\n    repeat 2 times {\n      if x == 2 // two\n\n        x = 1\n      }\n    }\n  }\n}",
    );
    snapshot(
        "state-on-one-line",
        "game G {\n  state n : 0..9 }\n  play { end }\n}",
    );
    snapshot(
        "bracket-of-nothing",
        "game G {\n  play {\n    n = k in 1..2)\n    n = (k + 1\n  }\n}",
    );
    snapshot("second-game", "game G { play { end } }\ngame H { }");
    snapshot(
        "unclosed-block",
        "game G {\n  play {\n    if a {\n      b = 1\n  }\n\n  def c = 2\n}\n",
    );
    snapshot("wrong-bracket", &play("x = f(a, b]"));
    snapshot("unfinished-text", &play("p chooses c in S as \"{c}\nend"));
    snapshot(
        "foreign-operators",
        &play("if a && b || !c { x := 1 }\ny = a % 2\nz = a ≤ b"),
    );
    snapshot("store-in-condition", &play("if a = b { end }\nx == 3"));
    snapshot("chained-comparison", &play("if 1 < a < 3 { end }"));
    snapshot("choice-without-in", &play("p chooses c from S\nx = 1"));
    snapshot(
        "loop-without-bound",
        &play("while a < 3 { a += 1 }\nturns me from A while a { end }"),
    );
    snapshot(
        "several",
        "game G {\n  param n = 3\n  players { A B }\n  state {\n    x : 1.. = 3\n    y : bool\n    z bool\n  }\n  play {\n    x + 1\n    y = true\n    if y then { end }\n  }\n  payoff [p in Player] 1\n}",
    );
    snapshot(
        "habits",
        &play(
            "for x in S { y = x }\nrepeat 3 { y = 1 }\nreturn y\nif a { b = 1 } elif c { b = 2 }\nx++",
        ),
    );
    snapshot(
        "misspelt-statements",
        &play(
            "repaet 3 times { x = 2 }\nfor_ = 2\np choses c in S\ndrow k in S\nturns me frm A at most 3 { end }\np chooses k in S whre k > 1\ntogehter { a chooses k in S }\ndeal 2 form S to T\nif c then { 1, 2 } else { 3, 4 }",
        ),
    );
    snapshot(
        "misspelt-items",
        "game G {\n  player { A, B }\n  stat { x : 1..3 }\n  paly { end }\n  payof zero-sum: [p in Player] 0\n}",
    );
    snapshot(
        "missing-comma",
        "game G {\n  players { A B }\n  const a : [Player] 0..9 = { A: 1 B: 2 }\n  const b = { 1  // one\n    2 }\n  play { end }\n}",
    );
    snapshot(
        "holes",
        &play("p chooses c in S as \"{c +} {} }\"\ndraw c in S as \"{c\""),
    );
    snapshot(
        "given-twice",
        &play("draw c in S where a where b weighted 1 weighted 2"),
    );
    snapshot(
        "together",
        &play("together each p in Player { x = 1 }\ntogether { a chooses c in S  x = 2 }"),
    );
    snapshot(
        "graph-without-nodes",
        "game G {\n  graph Map { edges { 1: 2 } }\n  play { end }\n}",
    );
    snapshot(
        "graph-edges",
        "game G {\n  graph Map { nodes 1..3  edges road { 1: 2, 3; 2 3 } }\n  play { end }\n}",
    );
    snapshot(
        "grid-without-size",
        "game G {\n  grid Board 3\n  grid Wide\n  hex Field[11]\n  grid Long(3 4)\n  play { end }\n}",
    );
    snapshot(
        "indices-in-a-list",
        "game G {\n  const worth : [Player, Die] number = 1\n  state {\n    face : [p: Player, d: Die] 1..6\n  }\n  \
         play {\n    face[p, d] = 2\n    x = face[next(p, 1)][q, d]\n    y = [1, 2]\n  }\n}",
    );
    snapshot("reserved-name", &play("let match = 3\nall = 2"));
    snapshot("no-else", &play("x = if a then b\ny = 2"));
    snapshot("long-sum", &play(&format!("x = 1{}", " + 1".repeat(200))));
    snapshot(
        "deep-not",
        &play(&format!("x = {}a", "every q in S: ".repeat(200))),
    );
    snapshot("large-number", &play("x = 99999999999999999999"));
    snapshot(
        "payoff-arms",
        "game G {\n  payoff { match m {\n    a => [p in Player] 1\n  } }\n  def f(x) = 3\n}",
    );
    snapshot(
        "alternatives",
        &play("p chooses {\n  pass -> x = 1\n  bet(n 1..2) => x = 2\n  call => x =\n}"),
    );
}

#[test]
fn many_indices_in_a_bracket_are_as_deep() {
    let indices = vec!["p in S"; 14_000].join(", ");
    let (_, problems) = parse(&format!("game G {{ def d = [{indices}] a }}"));
    assert!(problems.iter().any(|p| p.code.0 == "E0002"), "{problems:?}");
}

#[test]
fn the_deepest_texts_are_read_without_overflow() {
    for (open, middle, close) in [
        ("(", "a", ")"),
        ("f(", "a", ")"),
        ("{", "a", "}"),
        ("a[", "a", "]"),
        ("(r: ", "a", ")"),
        ("min(x in ", "S", ") a"),
        ("match a { b => ", "c", "}"),
        ("{ a for x in ", "S", "}"),
        ("[p in S] ", "a", ""),
        ("if a then b else ", "a", ""),
        ("let a = 1; ", "a", ""),
        ("no x in S: ", "a", ""),
        ("not ", "a", ""),
        ("1 + ", "1", ""),
        ("a or b and c == 1 + 2 * (", "1", ")"),
    ] {
        deepest(&|n| {
            format!(
                "game G {{ def d = {}{middle}{} }}",
                open.repeat(n),
                close.repeat(n)
            )
        });
    }
    for (open, middle, close) in [
        ("if a { ", "end", "}"),
        ("if a { } else ", "{ }", ""),
        ("each x in S { ", "end", "}"),
        ("match a { b => ", "end", "}"),
        ("p chooses { a => { ", "end", "} }"),
        ("p chooses { a => ", "end", "}"),
        ("p chooses x in S => ", "end", ""),
        ("if a { ", "???", "}"),
    ] {
        deepest(&|n| {
            format!(
                "game G {{ play {{ {}{middle}{} }} }}",
                open.repeat(n),
                close.repeat(n)
            )
        });
    }
    deepest(&|n| format!("game G {{ type T = {}Card }}", "set of ".repeat(n)));
}

/// Reads a text at every depth until well after the limit.
fn deepest(text: &dyn Fn(usize) -> String) {
    for depth in 1..130 {
        let text = text(depth);
        let (file, problems) = parse(&text);
        assert!(file.is_some() || !problems.is_empty(), "{text}");
        drop(file.clone());
        if depth == 8 && !text.contains('?') {
            assert!(problems.is_empty(), "{text} {problems:?}");
        }
    }
}

/// What is too long is told once, with what to write instead.
#[test]
fn a_long_row_of_else_if_is_told_once() {
    for n in [50, 97, 98, 99, 100, 130, 300] {
        let row = "if a { x = 1 }\n else ".repeat(n);
        let (_, problems) = parse(&format!("game G {{ play {{ {row} {{ x = 2 }} }} }}"));
        let codes: Vec<&str> = problems.iter().map(|p| p.code.0).collect();
        let deep = codes.iter().filter(|c| **c == "E0002").count();
        assert_eq!(deep, usize::from(n > 97), "{n}: {codes:?}");
        assert!(!codes.contains(&"E0010"), "{n}: {codes:?}");
        if n > 97 {
            let hint = problems.iter().find(|p| p.code.0 == "E0002");
            assert!(
                hint.and_then(|p| p.hint.as_deref())
                    .is_some_and(|h| h.contains("`match`"))
            );
        }
    }
}
