//! Texts that no author would write: too deep, too large, too long, endless, or no text at all. Each has a name for the
//! table of what is answered.

use std::fmt::Write;

/// A game around declarations and the statements of `play`.
pub fn game(items: &str, play: &str) -> String {
    format!(
        "game G {{\n  players {{ A, B }}\n  {items}\n  play {{ {play} }}\n  payoff zero-sum: [p in Player] 0\n}}\n"
    )
}

/// A game with one value in it.
fn value(e: &str) -> String {
    game(&format!("const c = {e}"), "A chooses x in 1..2")
}

/// A game with one variable.
fn var(ty: &str) -> String {
    game(&format!("state {{ v : {ty} }}"), "A chooses x in 1..2")
}

fn play(play: &str) -> String {
    game("", play)
}

/// Many numbered pieces.
fn many(n: usize, piece: impl Fn(usize) -> String) -> String {
    (0..n).fold(String::new(), |mut all, i| {
        let _ = write!(all, "{} ", piece(i));
        all
    })
}

fn around(n: usize, before: &str, inner: &str, after: &str) -> String {
    format!("{}{inner}{}", before.repeat(n), after.repeat(n))
}

const DEEP: usize = 10_000;

/// Params with many combinations of values.
const SETTINGS: &str = "param a : 0..3 = 1  param b : 0..3 = 1  param c : 0..2 = 1";

pub fn nesting() -> Vec<(&'static str, String)> {
    vec![
        ("parentheses", value(&around(DEEP, "(", "1", ")"))),
        ("sets in sets", value(&around(DEEP, "{ ", "1", " }"))),
        ("blocks", play(&around(DEEP, "if true { ", "", " }"))),
        ("bare braces", play(&around(DEEP, "{", "", "}"))),
        ("product types", var(&around(DEEP, "(a: ", "bool", ")"))),
        ("set types", var(&around(DEEP, "set of ", "bool", ""))),
        ("optional types", var(&around(DEEP, "", "bool", "?"))),
        ("array types", var(&around(DEEP, "[bool] ", "bool", ""))),
        ("not", value(&around(DEEP, "not ", "true", ""))),
        ("minus", value(&around(DEEP, "- ", "1", ""))),
        (
            "if in then",
            value(&around(DEEP, "if true then ", "1", " else 0")),
        ),
        (
            "if in else",
            value(&around(DEEP, "if true then 1 else ", "0", "")),
        ),
        (
            "else if",
            play(&around(DEEP, "if true { } else ", "{ }", "")),
        ),
        ("let in let", value(&around(DEEP, "let a = 1; ", "a", ""))),
        ("a long sum", value(&around(DEEP, "1 + ", "1", ""))),
        ("a long product", value(&around(DEEP, "1 * ", "1", ""))),
        (
            "a long conjunction",
            value(&around(DEEP, "true and ", "true", "")),
        ),
        ("fields", value(&around(DEEP, "", "a", ".b"))),
        ("indices", value(&around(DEEP, "", "a", "[1]"))),
        ("index in index", value(&around(DEEP, "a[", "1", "]"))),
        ("calls", value(&around(DEEP, "size(", "1", ")"))),
        (
            "some in some",
            value(&around(DEEP, "some x in { 1, 2 }: ", "true", "")),
        ),
        (
            "sum of sums",
            value(&format!(
                "{}1",
                many(3_000, |i| format!("sum(x{i} in Player)"))
            )),
        ),
        (
            "match in match",
            value(&around(DEEP, "match 1 { else => ", "1", " }")),
        ),
        (
            "each in each",
            play(&around(DEEP, "each p in Player { ", "", " }")),
        ),
        (
            "each in each, 80 deep",
            play(&around(
                80,
                "each p in Player { ",
                "A chooses x in 1..2 ",
                "} ",
            )),
        ),
        (
            "repeat in repeat, 80 deep",
            play(&around(
                80,
                "repeat 2 times { ",
                "A chooses x in 1..2 ",
                "} ",
            )),
        ),
        (
            "after in after",
            value(&around(DEEP, "1 after { let a = ", "1", " }")),
        ),
        (
            "after in after, 80 deep",
            game(
                "state { v : 0..9 }",
                &format!(
                    "A chooses x in 1..2  v = {}",
                    around(80, "v after { v = ", "1", " }")
                ),
            ),
        ),
        (
            "a text in a text",
            play(&format!(
                "A chooses x in 1..2 as {}",
                around(50, "\"{", "x", "}\"")
            )),
        ),
        (
            "deep in a text",
            play(&format!(
                "A chooses x in 1..2 as \"{{{}}}\"",
                around(DEEP, "(", "x", ")")
            )),
        ),
        ("open and never closed", value(&"(".repeat(DEEP))),
        ("closed and never opened", value(&")".repeat(DEEP))),
        (
            "else of a choice",
            game(
                "state { s : set of 1..4 }",
                &around(80, "A chooses x in s else { ", "", " }"),
            ),
        ),
    ]
}

const DOUBLED: &str = "grid Board(8, 8)  state { men : set of Board = all  n : [Board] 0..6 = 2 }";

pub fn length() -> Vec<(&'static str, String)> {
    let long = "a".repeat(1 << 20);
    let half = "a".repeat(500_000);
    vec![
        ("a name of 1 MB", game(&format!("const {long} = 1"), "")),
        (
            "a name of 500 kB",
            game(&format!("const {half} = {half}"), ""),
        ),
        ("a comment of 1 MB", play(&format!("// {long}\n"))),
        (
            "a comment of 500 kB",
            play(&format!("// {half}\n A chooses x in 1..2")),
        ),
        (
            "a text of 500 kB",
            play(&format!("A chooses x in 1..2 as \"{{x}}{half}\"")),
        ),
        ("a number of 500 kB", value(&"9".repeat(500_000))),
        (
            "a decimal of 500 kB",
            value(&format!("0.{}", "9".repeat(500_000))),
        ),
        ("10 MB of blanks", " ".repeat(10 << 20)),
        ("8 MB of one line", play(&"x = 1 ".repeat(10 << 17))),
        ("20 MB", " ".repeat(20 << 20)),
        ("100,000 words", play(&"x = 1 ".repeat(33_334))),
        (
            "19,000 statements that are wrong",
            play(&"x = 1 ".repeat(19_000)),
        ),
        (
            "10,000 statements",
            game("state { v : 0..1 }", &"v = 1 ".repeat(10_000)),
        ),
        ("9,000 choices", play(&"A chooses x in 1..2 ".repeat(9_000))),
        (
            "3,000 branches on a secret",
            game(
                "state { s : 0..1 seen by A  t : 0..1 seen by A }",
                &format!(
                    "A chooses x in 0..1 into s {}",
                    "if s == 0 { t = 0 } else { t = 1 } ".repeat(3_000)
                ),
            ),
        ),
        (
            "a line of 900 kB with a mistake at its end",
            play(&format!("{}x = 1", " ".repeat(900_000))),
        ),
        (
            "an enum with 29,000 values",
            game(
                &format!("enum E {{ {} }}", many(29_000, |i| format!("e{i},"))),
                "A chooses x in E",
            ),
        ),
        (
            "an enum with 4,000 values",
            game(
                &format!(
                    "enum E {{ {} }} state {{ v : [E] E  w : [E] set of E }}",
                    many(4_000, |i| format!("e{i},"))
                ),
                "A chooses x in E  v[x] = x",
            ),
        ),
        (
            "a match with 4,000 arms",
            game(
                "state { v : 0..4000 }",
                &format!(
                    "A chooses x in 1..4000 match x {{ {} else => v = 0 }}",
                    many(4_000, |i| format!("{0} => v = {0},", i + 1))
                ),
            ),
        ),
        (
            "a choice with 3,000 alternatives",
            play(&format!(
                "A chooses {{ {} }}",
                many(3_000, |i| format!("a{i}(x in 1..9) => {{ }}"))
            )),
        ),
        (
            "5,000 variables",
            game(
                &format!("state {{ {} }}", many(5_000, |i| format!("v{i} : 0..3"))),
                "A chooses x in 1..2 into v9",
            ),
        ),
        (
            "5,000 defs",
            game(
                &many(5_000, |i| format!("def d{i} = {i}")),
                "A chooses x in 1..2",
            ),
        ),
        (
            "2,000 params",
            game(
                &many(2_000, |i| format!("param q{i} : 0..9 = 1")),
                "A chooses x in 1..2",
            ),
        ),
        (
            "100 names that are almost right",
            game(
                &many(4_000, |i| format!("const name{i} = 1")),
                &many(100, |i| format!("A chooses x in 1..nane{i}")),
            ),
        ),
    ]
}

/// The greatest integer.
const MOST: &str = "9223372036854775807";

pub fn size() -> Vec<(&'static str, String)> {
    [
        large_types(),
        large_values(),
        large_choices(),
        large_declarations(),
        large_results(),
    ]
    .concat()
}

/// Types and variables.
fn large_types() -> Vec<(&'static str, String)> {
    let big = format!("0..{MOST}");
    let whole = format!("-{MOST}..{MOST}");
    vec![
        ("a variable over half of all integers", var(&big)),
        ("a variable over all integers", var(&whole)),
        ("an integer beyond 64 bits", var("0..9223372036854775808")),
        ("a set of huge numbers", var(&format!("set of {big}"))),
        ("a set of a million", var("set of 1..1000000")),
        ("a huge index", var(&format!("[{big}] bool"))),
        ("two large indices", var("[1..60000] [1..60000] bool")),
        ("many indices", var(&around(20, "[1..8] ", "bool", ""))),
        (
            "a product of large types",
            var("(a: 1..1000000, b: 1..1000000, c: 1..1000000, d: 1..1000000)"),
        ),
        ("sets of products", var("set of (a: 1..1000, b: 1..1000)")),
        ("arrays of large sets", var("[1..65536] set of 1..4096")),
    ]
}

/// Expressions.
fn large_values() -> Vec<(&'static str, String)> {
    let big = format!("0..{MOST}");
    vec![
        (
            "the sum of a huge range",
            value(&format!("sum(x in {big}) x")),
        ),
        ("the sum of a million", value("sum(x in 1..1000000) x")),
        (
            "sums in sums",
            value("sum(x in 1..4096) (sum(y in 1..4096) (sum(z in 1..4096) (x * y * z)))"),
        ),
        (
            "some in a huge range",
            value(&format!("some x in {big}: x == 5")),
        ),
        (
            "a set by a formula over a huge range",
            value(&format!("{{ x for x in {big} where x > 5 }}")),
        ),
        (
            "a set of sums in sets",
            value("{ sum(y in 1..4096) y * x for x in 1..4096 }"),
        ),
        ("arithmetic past the end", value(&format!("{MOST} + 1"))),
        ("a product past the end", value("4611686018427387904 * 4")),
        (
            "the least divided by minus one",
            value(&format!("(0 - {MOST} - 1) div (0 - 1)")),
        ),
        (
            "fractions of large primes",
            value("1/2147483647 + 1/2147483629 + 1/2147483587"),
        ),
    ]
}

/// Choices, draws and deals.
fn large_choices() -> Vec<(&'static str, String)> {
    let big = format!("0..{MOST}");
    vec![
        (
            "a choice from a huge range",
            play(&format!("A chooses x in {big}")),
        ),
        ("a choice from a million", play("A chooses x in 1..1000000")),
        (
            "a filtered choice from a huge range",
            play(&format!("A chooses x in {big} where x > 5")),
        ),
        (
            "a choice of ten large parts",
            play(&format!(
                "A chooses {} where x0 == x9",
                (0..10)
                    .map(|i| format!("x{i} in 1..1000"))
                    .collect::<Vec<_>>()
                    .join(", ")
            )),
        ),
        (
            "a choice without an option in a huge product",
            play("A chooses x in 1..4096, y in 1..4096, z in 1..4096 where x + y + z == 0"),
        ),
        (
            "a draw from a huge product",
            play("draw x in 1..4096, y in 1..4096, z in 1..4096"),
        ),
        (
            "weights past the end",
            play("draw x in 1..4 weighted 4611686018427387904 * x"),
        ),
        (
            "weights up to the end",
            play("draw x in 1..4096 weighted 4611686018427387 * x"),
        ),
        (
            "half of 64",
            game(
                "state { s : set of 1..64 = all }",
                "A chooses x in subsets(s, 32)",
            ),
        ),
        (
            "half of 4096",
            game(
                "state { s : set of 1..4096 = all }",
                "A chooses x in subsets(s, 2048)",
            ),
        ),
        (
            "two halves",
            game(
                "state { s : set of 1..64 = all }",
                "A chooses x in subsets(s, 32), y in subsets(s, 32)",
            ),
        ),
        (
            "deal half of 4096",
            game(
                "state { s : set of 1..4096 = all  t : set of 1..4096 }",
                "deal 2048 from s to t",
            ),
        ),
    ]
}

/// Params, players, boards and enums, also under many settings.
fn large_declarations() -> Vec<(&'static str, String)> {
    let big = format!("0..{MOST}");
    let whole = format!("-{MOST}..{MOST}");
    vec![
        (
            "a huge param",
            game(
                &format!("param q : {big} = 5  state {{ v : 0..q }}"),
                "A chooses x in 0..q",
            ),
        ),
        (
            "33 players",
            play("A chooses x in 1..2").replace("A, B", &many(33, |i| format!("P{i},"))),
        ),
        (
            "32 players",
            play("together each p in Player { p chooses x in 1..2 }")
                .replace("A, B", &many(32, |i| format!("P{i},"))),
        ),
        (
            "no players",
            play("A chooses x in 1..2").replace("{ A, B }", "0 of { A, B }"),
        ),
        (
            "a great many of two players",
            play("").replace("{ A, B }", &format!("{MOST} of {{ A, B }}")),
        ),
        (
            "a graph with a million nodes",
            game("graph M { nodes 1..1000000 }", "A chooses x in M"),
        ),
        (
            "a graph with all integers",
            game(&format!("graph M {{ nodes {whole} }}"), "A chooses x in M"),
        ),
        (
            "a huge grid",
            game("grid Board(100000, 100000)", "A chooses x in Board"),
        ),
        (
            "a grid past the end",
            game(
                &format!("grid Board({MOST}, {MOST})"),
                "A chooses x in Board",
            ),
        ),
        (
            "a huge hex board",
            game("hex Board(100000)", "A chooses x in Board"),
        ),
        (
            "a grid with no cells",
            game("grid Board(0, 0 - 5)", "A chooses x in Board"),
        ),
        (
            "a great grid and its distances",
            game(
                "grid Board(64, 64)  state { at : Board  n : 0..4096 }",
                "A chooses x in Board into at  n = Board.hops(at, x)",
            ),
        ),
        (
            "a great grid and groups",
            game(
                "grid Board(64, 64)  state { s : set of Board = all }",
                "repeat 100 times { A chooses x in Board where size(Board.group(x, s)) > 5 }",
            ),
        ),
        (
            "a great grid under many settings",
            game(
                &format!("{SETTINGS}  grid Board(64, 64)"),
                "A chooses x in Board where hops(x, a1) > 5",
            ),
        ),
        (
            "9,000 statements under many settings",
            game(
                &format!("{SETTINGS}  state {{ v : 0..1 }}"),
                &format!("{} A chooses x in 1..2", "v = 1 ".repeat(9_000)),
            ),
        ),
        (
            "a great grid that only other settings have",
            game(
                "param n : 2..64 = 2  param k : 0..3 = 1  param l : 0..3 = 1  grid Board(n, n)",
                "A chooses x in Board where hops(x, a1) > 0",
            ),
        ),
        (
            "a condition on many players",
            game(
                "state { who : Player  points : [Player] 0..9  o : 0..9 }",
                &format!(
                    "repeat 2 times {{ {} if {} > 3 {{ o = 1 }} A chooses x in 0..1 }}",
                    many(15, |i| format!("let a{i} = who")),
                    (0..15).fold("0".to_string(), |sum, i| format!("{sum} + points[a{i}]")),
                ),
            ),
        ),
        (
            "errors in the other settings of a long text",
            game(
                &format!(
                    "{SETTINGS}  enum E {{ {} }}  state {{ v : 1..2 = if a == 1 then 1 else 3 }}",
                    many(20_000, |i| format!("e{i},"))
                ),
                "A chooses x in 1..2",
            ),
        ),
    ]
}

/// Payoffs, families and calls.
fn large_results() -> Vec<(&'static str, String)> {
    vec![
        (
            "payoffs past the end",
            play("A chooses x in 1..2")
                .replace("[p in Player] 0", "[p in Player] 4611686018427387904 * 4"),
        ),
        (
            "payoffs over large denominators",
            play("A chooses x in 1..2").replace(
                "zero-sum: [p in Player] 0",
                "general-sum: { A: 1/2147483647  B: 1/2147483629 + 1/2147483587 }",
            ),
        ),
        (
            "a family of a thousand",
            game(
                "state { v : [1..1000] 0..3 }",
                "A chooses each u in 1..1000: v[u] in 0..3",
            ),
        ),
        (
            "a family of 64 with large domains",
            game(
                "state { v : [1..64] 0..4000 }",
                "A chooses each u in 1..64: w[u] in 0..4000",
            ),
        ),
        (
            "next by a huge step",
            game(
                "state { v : 0..6 }",
                &format!("A chooses x in 0..6  v = next(x, {MOST})"),
            ),
        ),
        (
            "top of too many",
            value(&format!("top({MOST}, {{ 1, 2 }})")),
        ),
        ("decimals", value("0.000000000000000000001 + 0.1")),
    ]
}

pub fn endless() -> Vec<(&'static str, String)> {
    [grown(), never_over()].concat()
}

/// Each part makes twice as much, or more, of the one before it.
fn grown() -> Vec<(&'static str, String)> {
    vec![
        (
            "40 defs, each called twice by the next, that come to nothing",
            game(
                &format!(
                    "def d0 = false {}",
                    many(40, |i| format!("def d{} = d{i} and d{i} ", i + 1))
                ),
                "if d40 { end }  A chooses x in 1..2",
            ),
        ),
        (
            "40 defs of a name, each called twice by the next",
            game(
                &format!(
                    "state {{ n : 0..3 }} def d0(x: 0..3) = x {}",
                    many(40, |i| format!("def d{}(x: 0..3) = d{i}(d{i}(x)) ", i + 1))
                ),
                "n = d40(n)  A chooses x in 1..2",
            ),
        ),
        (
            "sums of sums, 12 deep",
            game(
                "state { n : 0..3 }",
                &format!(
                    "n = ({}1{}) mod 3  A chooses x in 1..2",
                    many(12, |i| format!("(sum(x{i} in 1..6) ")),
                    ")".repeat(12)
                ),
            ),
        ),
        (
            "40 names, each read twice by the next",
            game(
                DOUBLED,
                &format!(
                    "A chooses c in men where (let t0 = n[c]; {}t40 > 2{} men -= c",
                    many(40, |i| format!("(let t{} = (t{i} + t{i}) mod 7; ", i + 1)),
                    ")".repeat(41)
                ),
            ),
        ),
        (
            "40 values, each read twice by the next",
            game(
                DOUBLED,
                &format!(
                    "A chooses c in men, d in 1..2, let t0 = n[c]{} where t40 > d  men -= c",
                    many(40, |i| format!(", let t{} = (t{i} + t{i}) mod 7", i + 1))
                ),
            ),
        ),
        (
            "questions in questions beside others, 9 deep",
            game(
                &format!(
                    "state {{ s : set of 1..20 = {{ 2 }}  b : bool }} def d0 = b {}",
                    many(9, |i| format!(
                        "def d{0} = (some x in s: d{i} and x > 1) or (every x in s: not d{i} or x < 3)",
                        i + 1
                    ))
                ),
                "A chooses k in 1..6 where d9 or k > 2 else { }",
            ),
        ),
        (
            "pairs of pairs, 9 deep",
            game(
                &format!(
                    "state {{ s : set of 1..6 = {{ 2 }}  b : bool }} def d0 = b {}",
                    many(9, |i| format!(
                        "def d{0} = some x in s, y in s: d{i} and not d{i}",
                        i + 1
                    ))
                ),
                "A chooses k in 1..6 where d9 or k > 2 else { }",
            ),
        ),
        (
            "60 cases of a def, each with a loop",
            game(
                &format!(
                    "state {{ n : 0..63  m : 0..63  r : 0..100000 }} def f(a: 0..63, b: 0..63, c: 0..3): 0..100000 = {} (max(x in 0..63 where x >= a and x > b) (x + c))",
                    many(60, |i| format!("if a == {i} then (sum(x in 0..9) (x * a + b + c)) else"))
                ),
                "draw x in 0..62 into n  draw y in 0..62 into m  let a = n  let b = m  r = (sum(q in 0..1) f(a, b, q))  A chooses k in 1..2",
            ),
        ),
        (
            "800 things that are known, and 800 branches",
            game(
                "state { s : set of 1..4  b : bool  n : 0..1 }
                def w(k: 0..5000) = { x for x in s where x mod 2 != 1 and x mod 3 != 1 and x mod 4 != 1 and x mod 5 != 1 and x + k != 9000 }",
                &format!(
                    "{} {} A chooses k in 1..6",
                    many(800, |i| format!("if w({i}) == {{}} {{ end }}")),
                    many(800, |_| "if b { n = 1 }".to_owned())
                ),
            ),
        ),
    ]
}

fn never_over() -> Vec<(&'static str, String)> {
    let v = "state { v : 0..1000000000 }";
    vec![
        ("repeat for ever", play("repeat 1000000000000000000 times { A chooses x in 1..2 }")),
        ("repeat nothing for ever", play("repeat 1000000000 times { }")),
        ("repeat for long, with no choice", game(v, "repeat 1000000000 times { v = 1 }")),
        ("repeat in repeat", game(v, &around(6, "repeat 1000 times { ", "v = 1", " }"))),
        ("while for ever", play("while true at most 1000000000000 { A chooses x in 1..2 }")),
        ("while for long, with no choice", game(v, "while true at most 1000000000 { v = 1 }")),
        ("while without a bound", play("while true { A chooses x in 1..2 }")),
        ("turns for ever", play("turns me from A at most 1000000000 { }")),
        ("each in each over sets", game(v, "each a in 1..4096 { each b in 1..4096 { each c in 1..4096 { v = 1 } } }")),
        ("sums of sums in play", game(v, "A chooses k in 1..4096  v = sum(a in 1..4096) (sum(b in 1..4096) (sum(c in 1..4096) (if a == k then 1 else 0)))")),
        ("a long sum at each of many steps", game(v, "repeat 1000000 times { A chooses k in 1..2  v = sum(a in 1..4096) sum(b in 1..400) k }")),
        ("a slow filter", game(v, "A chooses k in 1..4096 where (sum(a in 1..4096) sum(b in 1..4096) (if a == k then 1 else 0)) > 5")),
        ("a slow weight", game(v, "draw k in 1..4096 weighted sum(a in 1..4096) (sum(b in 1..4096) (if a == k then 1 else 0))")),
        ("a slow payoff", game(v, "A chooses k in 1..2 into v").replace("[p in Player] 0", "[p in Player] sum(a in 1..4096) (sum(b in 1..4096) (sum(c in 1..4096) (if v == a + b + c then 0 else 0 * a)))")),
        ("a slow text", game(v, "A chooses k in 1..4096 as \"{sum(a in 1..4096) sum(b in 1..4096) sum(c in 1..4096) k}\"")),
        ("a slow shown def", game(&format!("{v} shown def d : 0..1000000000 = sum(a in 1..4096) (sum(b in 1..4096) (sum(c in 1..4096) (if v == c then 1 else 0)"), "repeat 9 times { A chooses k in 1..2  v = k }")),
        ("a slow start", game("state { v : 0..1 = max(a in 1..4096) (max(b in 1..4096) (max(c in 1..4096) (if a + b + c == 5 then 1 else 0))) }", "A chooses k in 1..2")),
        ("a slow array", game("state { s : [1..4096] set of 1..4096 = { b for b in 1..4096 where some c in 1..4096: c == b } }", "A chooses k in 1..2")),
        ("a slow constant", game("const c : [1..4096] 0..9000 = [a in 1..4096] count b in 1..4096: (some d in 1..4096: d == a)", "A chooses k in 1..2")),
        ("a slow evaluation", game("knowledge A { evaluate = sum(a in 1..4096) (sum(b in 1..4096) (sum(c in 1..4096) (a + b + c))) }", "A chooses k in 1..2")),
        ("a def in itself", game("def f(x: 0..9): 0..9 = f(x)", "A chooses x in 0..f(1)")),
        ("two defs in each other", game("def f: 0..9 = g  def g: 0..9 = f", "A chooses x in 0..f")),
        ("a rule in itself", game("rule r { A chooses x in 1..2  r() }", "r()")),
        ("two rules in each other", game("rule r { s() } rule s { r() }", "r()")),
        ("a type in itself", game("type T = (a: T, b: bool)  state { v : T }", "A chooses x in T")),
        ("two types in each other", game("type T = set of U  type U = set of T  state { v : T }", "")),
        ("a constant in itself", value("c + 1")),
        ("a param in itself", game("param q : 0..q = q", "A chooses x in 0..q")),
        ("a param by a constant by the param", game("const c = q  param q : 0..9 = c", "A chooses x in 0..q")),
        ("a board by itself", game("grid M(size(M), 4)", "A chooses x in M")),
        ("a start by itself", game("state { v : 0..9 = v }", "A chooses x in 1..2")),
        ("players by themselves", play("").replace("{ A, B }", "size(Player) of { A, B }")),
        ("doubled defs", game(&(1..60).fold("def d0 = 1 ".to_string(), |s, i| s + &format!("def d{i} = d{0} + d{0} ", i - 1)), "A chooses x in 0..d59")),
        ("doubled defs of a variable", game(&(1..60).fold("state { v : 0..1 } def d0 = v ".to_string(), |s, i| s + &format!("def d{i} = d{0} + d{0} ", i - 1)), "A chooses x in 0..1 into v  if d59 > 5 { end }")),
        ("doubled rules", game(&(1..60).fold("rule r0 { A chooses x in 1..2 } ".to_string(), |s, i| s + &format!("rule r{i} {{ r{0}() r{0}() }} ", i - 1)), "r59()")),
        ("doubled types", game(&(1..60).fold("type T0 = bool ".to_string(), |s, i| s + &format!("type T{i} = (a: T{0}, b: T{0}) ", i - 1)), "A chooses x in T59")),
        ("squared constants", game(&(1..60).fold("const c0 = 3 ".to_string(), |s, i| s + &format!("const c{i} = c{0} * c{0} ", i - 1)), "A chooses x in 0..c59")),
        ("doubled lets", value(&format!("{} a40", (1..41).fold("let a0 = 1; ".to_string(), |s, i| s + &format!("let a{i} = a{0} + a{0}; ", i - 1))))),
        ("a tower of branches", game(
            &(1..40).fold("state { v : 0..1 } def d0(x: 0..1): 0..1 = x ".to_string(), |s, i| s + &format!("def d{i}(x: 0..1): 0..1 = if v == x then d{0}(x) else d{0}(1 - x) ", i - 1)),
            "A chooses x in 0..1 into v  if d39(1) == 1 { end }",
        )),
        ("players told apart in loops in loops", game(
            "state { s : [p: Player] 0..1 seen by p  t : [p: Player] 0..1 seen by p }",
            "together each p in Player { p chooses x in 0..1 into s[p] } \
             each a in Player { each b in Player { each c in Player { each d in Player { t[a] = s[a]  if s[b] == 1 { t[b] = 1 } } } } }",
        ).replace("A, B", &many(32, |i| format!("P{i},")))),
        ("many secrets under many branches", game(
            "state { s : [p: Player] 0..1 seen by p  t : [p: Player] 0..1 seen by p }",
            &format!(
                "together each p in Player {{ p chooses x in 0..1 into s[p] }} {}t[p9] = 1{}",
                many(18, |i| format!("each p{i} in Player {{ if s[p{i}] == 1 {{")),
                "} } ".repeat(18)
            ),
        ).replace("A, B", &many(32, |i| format!("P{i},")))),
    ]
}

pub fn characters() -> Vec<(&'static str, String)> {
    let fine = play("A chooses x in 1..2");
    vec![
        ("nothing", String::new()),
        ("a line break", "\n".to_string()),
        ("NUL", "\0".to_string()),
        ("NUL in the middle", fine.replace("chooses", "choo\0ses")),
        ("many NULs", "\0".repeat(100_000)),
        ("a byte order mark", format!("\u{FEFF}{fine}")),
        ("byte order marks all over", fine.replace(' ', "\u{FEFF} ")),
        ("CRLF", fine.replace('\n', "\r\n")),
        ("CR alone", fine.replace('\n', "\r")),
        ("no-break spaces", fine.replace(' ', "\u{A0}")),
        (
            "from right to left",
            fine.replace("chooses", "\u{202E}chooses\u{202C}"),
        ),
        (
            "a zero-width space",
            fine.replace("chooses", "cho\u{200B}oses"),
        ),
        ("a zero-width joiner", fine.replace("x in", "x\u{200D} in")),
        ("emoji", fine.replace("x in", "🎲 in")),
        (
            "emoji in a text",
            fine.replace("1..2", "1..2 as \"🎲{x}\u{202E}\""),
        ),
        ("letters of other scripts", fine.replace("x in", "имя in")),
        ("a combining mark", fine.replace("x in", "x\u{301} in")),
        ("a lone combining mark", fine.replace("x in", "\u{301} in")),
        ("line separators", fine.replace('\n', "\u{2028}")),
        ("private characters", fine.replace("x in", "\u{E000} in")),
        ("vertical tabs", fine.replace(' ', "\u{B}")),
        (
            "a text that is not closed",
            fine.replace("1..2", "1..2 as \"x"),
        ),
        (
            "a backslash at the end of a text",
            fine.replace("1..2", "1..2 as \"{x}\\\""),
        ),
        (
            "a hole that is not closed",
            fine.replace("1..2", "1..2 as \"{x\""),
        ),
        (
            "a hole that is not opened",
            fine.replace("1..2", "1..2 as \"x}\""),
        ),
        ("an empty hole", fine.replace("1..2", "1..2 as \"{}\"")),
        ("a comment and no end", format!("{fine}//")),
        ("a comment of C", format!("/* {fine}")),
        ("one bracket", "{".to_string()),
        ("only a word", "game".to_string()),
        (
            "another language",
            "#include <stdio.h>\nint main() { return 0; }\n".to_string(),
        ),
        ("YAML", "game: Nim\nplayers: [a, b]\n".to_string()),
    ]
}
