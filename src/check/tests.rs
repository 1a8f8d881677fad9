//! The check on text: every error with its source and message, and the games that must pass.

use super::{Settings, check};
use crate::model::types::Type;
use crate::model::{Description, ExprKind, StmtKind};
use crate::snapshots::snapshots;
use crate::syntax;
use crate::text::diagnostics::Diagnostic;

fn settings(pairs: &[(&str, &str)]) -> Settings {
    pairs
        .iter()
        .map(|(k, v)| (k.to_string(), v.to_string()))
        .collect()
}

fn problems(text: &str, set: &[(&str, &str)]) -> (Option<Description>, Vec<Diagnostic>) {
    let (file, mut problems) = syntax::parse(text);
    let Some(file) = file else {
        return (None, problems);
    };
    let (description, more) = check(&file, &settings(set));
    problems.extend(more);
    (description, problems)
}

fn render(text: &str, problems: &[Diagnostic]) -> String {
    problems
        .iter()
        .map(|d| d.render("test.game", text, false))
        .collect::<Vec<_>>()
        .join("\n\n")
}

#[track_caller]
fn passes(text: &str, set: &[(&str, &str)]) -> Description {
    let (description, problems) = problems(text, set);
    assert!(problems.is_empty(), "{set:?}\n{}", render(text, &problems));
    description.expect("a description without problems")
}

/// Every combination of the values that params may take, by a few of each.
fn combinations(params: &[(&str, Vec<&str>)]) -> Vec<Vec<(String, String)>> {
    params
        .iter()
        .fold(vec![Vec::new()], |sets, (name, values)| {
            sets.iter()
                .flat_map(|set| {
                    values.iter().map(move |v| {
                        let mut set = set.clone();
                        set.push((name.to_string(), v.to_string()));
                        set
                    })
                })
                .collect()
        })
}

#[test]
fn shipped_games_pass_under_all_params() {
    let known: &[(&str, &[&str])] = &[
        ("cards", &["1", "2", "4", "13", "16"]),
        ("seats", &["2", "3", "7"]),
        (
            "scoring",
            &["win_loss", "point_difference", "whole_fleet", "each_ship"],
        ),
        ("order", &["random", "ascending", "descending"]),
        ("bids", &["open", "hidden"]),
        ("bets", &["1", "4"]),
        ("suits", &["distinct", "merged", "1", "4"]),
        ("dealt", &["1"]),
        ("call_weight", &["0.105", "1/3"]),
        ("take_weight", &["0.05"]),
        (
            "claim_weight",
            &["{ true: 0.1, else: { false: 0, true: 1/20 } }"],
        ),
        ("columns", &["2", "7", "16"]),
        ("rows", &["4", "6", "16"]),
        ("connect", &["3", "4"]),
        ("komi", &["7.5", "6"]),
        ("limit", &["1", "2000"]),
        ("rounds", &["1", "12"]),
        ("units", &["1", "3"]),
        ("sight", &["1", "12"]),
        ("ranks", &["1", "2", "5", "13"]),
        ("dice", &["1", "3"]),
        ("sides", &["2", "6"]),
        ("coins", &["1", "50"]),
        ("size", &["1", "3", "4", "10"]),
        ("length", &["3"]),
        ("longer", &["wins", "counts_not"]),
        ("version", &["classical", "abrupt"]),
        ("ships", &["1", "5"]),
        ("shots", &["1", "100"]),
        ("again", &["never", "allowed"]),
        ("loss", &["1", "2"]),
        ("value", &["3"]),
        ("fields", &["1", "3"]),
        ("fifty", &["1", "75"]),
        ("troops", &["0", "5"]),
        ("top", &["1", "3"]),
        ("price", &["first", "second"]),
        ("colours", &["1", "3"]),
        ("hand", &["1", "4"]),
        ("hints", &["1"]),
        ("fuses", &["3"]),
        ("copies", &["2"]),
        ("horizon", &["1", "1000"]),
        ("half", &["2", "4"]),
        ("patience", &["1", "40"]),
        ("most", &["1", "3"]),
        (
            "start",
            &[
                "{ else: { 1: 2, else: 0 } }",
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R",
            ],
        ),
        ("castle", &["{}", "{ e1, h1 }"]),
    ];
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/games");
    let mut games = 0;
    for entry in std::fs::read_dir(folder).expect("the games") {
        let path = entry.expect("a game").path();
        if path.extension().is_none_or(|e| e != "game") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("its text");
        let beside = |_: &str, other: &str| {
            let text = std::fs::read_to_string(path.with_file_name(other));
            text.map(|text| (other.to_string(), text))
                .map_err(|e| e.to_string())
        };
        let name = path.to_string_lossy();
        let (file, found, sources) = super::extends::assemble(&name, &text, &beside);
        assert!(found.is_empty(), "{path:?}");
        let file = file.expect("a game");
        let passes = |set: &Settings| {
            let (description, found) = check(&file, set);
            let found: Vec<String> = found.iter().map(|d| d.render_in(&sources, false)).collect();
            assert!(found.is_empty(), "{set:?}\n{}", found.join("\n\n"));
            description.expect("a description without problems")
        };
        let params = passes(&Settings::new()).params;
        // Games that share a name take different values: each those that it can.
        let fits = |name: &str, value: &str| {
            let set = settings(&[(name, value)]);
            let (_, found) = check(&file, &set);
            !found.iter().any(|d| d.code.0 == "E0302")
        };
        let own: Vec<(&str, Vec<&str>)> = known
            .iter()
            .filter(|(name, _)| params.contains_key(*name))
            .map(|(name, values)| {
                let values = values.iter().copied().filter(|v| fits(name, v)).collect();
                (*name, values)
            })
            .collect();
        assert!(own.iter().all(|(_, v)| !v.is_empty()), "{path:?}: {own:?}");
        assert_eq!(own.len(), params.len(), "{path:?}");
        for set in combinations(&own) {
            let set: Settings = set.into_iter().collect();
            let (_, found) = check(&file, &set);
            if found.iter().any(|d| d.code.0 == "E0314") {
                continue;
            }
            let d = passes(&set);
            assert_eq!(d.payoff.values.len(), d.player_count(), "{path:?}");
            assert_eq!(d.params.len(), own.len());
        }
        games += 1;
    }
    assert!(games >= 6);
}

const GOOD: &str = "game Good {
  param open : bool = true
  param n : 1..4 = 2
  players { Ann, Ben }
  enum Suit { red, black }
  type Card = (rank: 1..n, suit: Suit) as \"{rank}{suit}\"
  const worth : [Suit] number = { red: 1.5, else: 0 }
  state {
    hand : [p: Player] set of Card seen by if open then all else p
    card : Card?
    last : Player?
  }
  play {
    draw c in Card into card
    each p in Player { p chooses take in Card into card  hand[p] += take }
    if card != none { last = if card.suit == red then Ann else Ben }
    if last == none { end }
    hand[last] = {}
  }
  payoff general-sum: [p in Player] worth[red] * size(hand[p]) / n
}";

#[test]
fn viewers_fold_to_what_the_params_say() {
    let open = passes(GOOD, &[]);
    assert!(matches!(open.vars[0].viewers.kind, ExprKind::ConstSet(_)));
    // Everybody knows what is in the hands, and that is noted.
    let (hidden, noted) = problems(GOOD, &[("open", "false")]);
    let hidden = hidden.expect("a game");
    assert!(noted.iter().all(|d| d.code.0 == "E0416"));
    assert!(matches!(&hidden.vars[0].viewers.kind, ExprKind::SetOf(items) if items.len() == 1));
    assert_eq!(hidden.params["open"], "false");
}

#[test]
fn numbers_are_exact() {
    let d = passes(GOOD, &[("n", "4")]);
    let Type::Number { den, hi, .. } = d.payoff.values[0].ty else {
        panic!("a payoff is a number");
    };
    // 1.5 of at most 8 cards, in fours.
    assert_eq!((hi as f64) / (den as f64), 3.0);
}

#[test]
fn a_number_can_be_given_as_it_prints() {
    let text =
        "game Half { param komi : number = 7.5  players { A, B }  play { A chooses n in 1..2 }
      payoff general-sum: [p in Player] komi }";
    assert_eq!(passes(text, &[]).params["komi"], "15/2");
    for given in ["15/2", "7.5", "30/4"] {
        assert_eq!(passes(text, &[("komi", given)]).params["komi"], "15/2");
    }
    for wrong in ["15/0", "15/", "/2", "1/2/3", "3/-2"] {
        let (_, found) = problems(text, &[("komi", wrong)]);
        assert_eq!(found[0].code.0, "E0302", "{wrong}");
    }
}

/// The names of draws may come again; that they do is not wrong because what they are drawn from is.
#[test]
fn a_name_that_is_not_understood_hides_nothing() {
    let text = "game Small { param seats : 2..3 = 2  players seats of { A, B, C }  state { n : 0..9 }
      play { draw k in 1..2 as \"{k}\"  repeat 2 times { draw k in 5..6 as \"{k}\" }  n = k  A chooses { go } }
      payoff general-sum: [p in Player] n }";
    passes(text, &[("seats", "3")]);
    let (_, found) = problems(text, &[("seats", "5")]);
    let codes: Vec<&str> = found.iter().map(|d| d.code.0).collect();
    assert_eq!(codes, ["E0302"]);
}

#[test]
fn only_the_branch_that_params_take_stays() {
    let text = "game Small { param big : bool = false players { A, B } state { x : 0..3 }
      play { if big { A chooses n in 1..3 into x } else { x = 1 } }
      payoff zero-sum: { A: x  B: -x } }";
    let d = passes(text, &[]);
    assert!(d.sites.is_empty());
    assert!(matches!(&d.play.stmts[0].kind, StmtKind::Block(b) if b.stmts.len() == 1));
    assert_eq!(passes(text, &[("big", "true")]).sites.len(), 1);
}

/// A game around some statements, with a little of everything declared.
fn around(items: &str, play: &str) -> String {
    format!(
        "game Test {{
  param size_ : 1..8 = 4
  players {{ Ann, Ben, Cid }}
  enum Suit {{ red, black }}
  type Card = (rank: 1..4, suit: Suit)
  state {{
    count : 0..9
    suit  : Suit
    chip  : [Player] 0..5
    hand  : [p: Player] set of Card seen by p
    best  : Player?
  }}
{items}
  play {{
{play}
  }}
  payoff general-sum: [p in Player] chip[p]
}}"
    )
}

macro_rules! complains {
    ($($name:ident: $items:expr, $play:expr;)*) => {
        $(
            #[test]
            fn $name() {
                let text = around($items, $play);
                snapshot(stringify!($name), &text, &[]);
            }
        )*
    };
}

fn snapshot(name: &str, text: &str, set: &[(&str, &str)]) {
    let (_, found) = problems(text, set);
    assert!(!found.is_empty(), "nothing is wrong with {name}");
    let shown = format!("{text}\n\n{}", render(text, &found));
    snapshots("check").bind(|| insta::assert_snapshot!(name.replace('_', "-"), shown));
}

complains! {
    unknown_name: "", "    cuont = 3   count = chips[Ann]";
    duplicate_name: "  const suit = 3", "";
    shadowed_name: "", "    each count in 1..3 { }   let Ann = 3";
    ambiguous_name: "  enum Colour { red, green }", "    let c = red   suit = red";
    unknown_type: "  state { more : set of Crad }", "";
    unknown_field: "", "    each c in hand[Ann] { if c.rnak == 1 { end } }";
    unknown_rule: "  rule deal_out() { count = 1 }", "    deal_uot()";
    reserved_name: "  def size(p: Player): 0..1 = 1", "";
    unset_name: "", "    Ann chooses n in 1..3 else { count = 1 }   count = n";
    cycle: "  const a = b + 1   const b = a", "";
    misused_name: "  rule r() { }", "    count = r()   count = count(1)";
    type_mismatch: "", "    count = red   suit = Ann   if count { }   hand[Ann] = 3";
    needs_type: "", "    each p in all { }   let x = none   let y = {}";
    maybe_none: "", "    chip[best] = 1   if best != none { chip[best] = 1   best = none   chip[best] = 2 }";
    never_fits: "", "    count = 10   count += 20   chip[Ann] = count + 6";
    wrong_arguments: "  def f(p: Player): bool = true", "    if f() { }   count = size()";
    wrong_indices: "", "    chip = 1   count[1] = 2   chip[Ann, Ben] = 1";
    not_exhaustive: "", "    match suit { red => count = 1 }   match count { 0 => end }";
    duplicate_pattern: "", "    match suit { red => count = 1  red => count = 2  black => {} }";
    division_by_zero: "", "    count = 4 div count   count = 3 mod 0";
    not_a_place: "  const k = 3", "    k = 4   let l = 2   l = 3   red = 2";
    misplaced_reveal: "  def f: bool = reveal(count == 1)", "    each c in hand[Ann] where reveal(count == 1) { }   if f { }   while count > 0 and reveal(count == 1) at most 3 { count -= 1 }";
    outside_loop: "  rule r() { break }", "    each p in Player { r() }   continue";
    unreachable: "", "    end   count = 1";
    bad_together: "", "    together { Ann chooses n in 1..3  Ann chooses m in 1..2  count = 1 }";
    number_in_state: "  state { half : number }", "";
    recursion: "  def f(n: 0..9): 0..9 = f(n)   rule r() { s() }   rule s() { r() }", "    r()   count = f(1)";
    not_constant: "  type T = 1..count   state { secret : 0..1 seen by best }", "    repeat count times { }   while true at most count { }";
    too_large: "  state { a : set of 1..5000   b : [1..300][1..300] bool }", "";
    overflow: "", "    if count * 9000000000000000000 > 1 { }
    if 1/9223372036854775807 + 1/9223372036854775805 > count { }";
    empty_range: "  type Nothing = 3..1", "";
    bad_bound: "", "    while true at most 0 { }   while true at most 2000000000 { }";
    bad_entries: "  const k : [Suit] 0..3 = { red: 1 }   const l : [Suit] 0..3 = { red: 1, red: 2, black: 1 }", "";
    unknown_node: "  graph Map { nodes 1..4  edges { 1: 2 7; 5: 1 } }
  graph Town { nodes { mill, bridge, church }  edges { mill: brigde; tower: church } }", "";
    unknown_function: "  graph Map { nodes 1..4  edges { 1: 2 } }
  grid Board(3, 3)", "    if Map.nxt(1) == {} or Map.via(1, red) == {} or Map.step(1, red) == Map.top { }
    if Board.next == Board.top(1) { }   if count.next(1) == 1 { }";
    board_size: "  grid Board(100, 50)   grid Small(0, 3)   hex Large(65)   graph Map { nodes 5..1 }", "";
    bad_edge: "  graph Map { nodes 1..4  edges { 1: 2 3; 2: 1; 3: 3 } }
  graph Lines { nodes 1..4  edges tram { 1: 2 }  edges { 3: 4 } }", "";
    unknown_label: "  graph Map { nodes 1..4  edges tram { 1: 2 }  edges bus { 2: 3 } }", "    if Map.via(1, { tarm }) == {} { }";
    unknown_board_type: "  grid Board(3, 3)
  state { at : Board.node   on : Baord.cell   way : Board.direction?   to : Boards }", "";
    wrong_board: "  grid Board(3)   hex Comb(1, 2, 3)", "    if Board.next() == {} { }";
    board_values: "  grid Board(3, 3)
  state { at : Board }", "    at = d1   at = 2   let b2 = 3   if at in Board.column(4) { }   if Board.step(at, up) == none { }
    at = Board.step(at, north)";
    which_board: "  graph Map { nodes 1..4  edges { 1: 2 } }   graph Town { nodes 1..4  edges { 1: 2 } }
  grid Board(3, 3)   state { at : Map   on : Board }", "    if hops(at, 2) == 1 or hops(1, 2) == 1 or hops(on, at) == 1 { }
    if degree(on) == hpos(at, 1) or next(on) == a2 { }   if via(at, red) == {} or step(at) == none { }";
    several_at_once: "", "    count = nothing   suit = 4   chip[Ann] = best   each p in Plaeyr { }";
}

#[test]
fn missing_blocks() {
    snapshot("missing_blocks", "game Empty { }", &[]);
}

#[test]
fn repeated_block() {
    let text = "game Twice { players { A } players { B } play { } payoff general-sum: { A: 1 } }";
    snapshot("repeated_block", text, &[]);
}

#[test]
fn bad_payoff() {
    let text = "game Odd { players { A, B } play { } payoff zero-sum: { A: 1  C: 2 } }";
    snapshot("bad_payoff", text, &[]);
}

#[test]
fn player_count() {
    let text = "game Many { players 3 of { A, B } play { } payoff zero-sum: [p in Player] 0 }";
    snapshot("player_count", text, &[]);
}

#[test]
fn absent_player() {
    let text = "game Few { param n : 2..3 = 2  players n of { A, B, C } state { last : Player? }
      play { match n { 2 => {}  3 => last = C }  last = C } payoff zero-sum: [p in Player] 0 }";
    snapshot("absent_player", text, &[]);
}

/// A game with the first `n` of four ranks.
fn ranks(play: &str) -> String {
    format!(
        "game Deck {{ param n : 2..4 = 3  players {{ A, B }}
      enum Rank n of {{ ten, jack \"J\", queen, king }}  type Card = (rank: Rank, suit: 1..2)
      state {{ top : Rank  hand : set of Card = all  x : 0..9 }}
      def worth(r: Rank): 0..9 = match r {{ ten => 1  jack => 2  queen => 3  king => 4 }}
      play {{ {play} }} payoff zero-sum: [p in Player] 0 }}"
    )
}

#[test]
fn an_enum_has_as_many_values_as_the_params_say() {
    // 2 to 4 ranks in two suits.
    let text = ranks("x = size(hand)  x = worth(next(top, 1))");
    for (n, size) in [("2", 2), ("3", 3), ("4", 4)] {
        let d = passes(&text, &[("n", n)]);
        assert_eq!(d.vars[0].ty.size(), Some(size));
        let Type::Set(cards) = &d.vars[1].ty else {
            panic!("a hand is a set");
        };
        assert_eq!(cards.size(), Some(2 * size));
    }
}

#[test]
fn absent_value() {
    snapshot("absent_value", &ranks("top = queen  top = king"), &[]);
    let text = ranks("match n { 4 => top = king  else => top = queen }");
    passes(&text, &[]);
    passes(&text, &[("n", "4")]);
}

#[test]
fn enum_size() {
    let text =
        "game Few { players { A, B }  enum Rank 3 of { ten, jack }  enum Suit 0 of { red, black }
      state { top : Rank  suit : Suit } play { } payoff zero-sum: [p in Player] 0 }";
    snapshot("enum_size", text, &[]);
}

#[test]
fn a_name_of_an_enum_that_is_over() {
    let text =
        "game Goods { players { A, B }  enum Good { silk, tea }  const worth : [Good] 0..9 = { silk: 7, tea: 2 }
      state { have : [Player][Good] 0..3 } play { }
      payoff general-sum: [p in Player] sum(g in Good) have[p][g] * worth[g] }";
    let (_, found) = problems(text, &[]);
    let hint = found[0].hint.as_deref().unwrap_or_default();
    assert!(hint.contains("take in one operand"), "{hint}");
}

#[test]
fn enum_that_needs_itself() {
    let text = "game Round { const n = size(Suit)  players { A, B }  enum Suit n of { red, black }
      play { } payoff zero-sum: [p in Player] 0 }";
    snapshot("enum_cycle", text, &[]);
}

#[test]
fn arms_for_absent_players_are_left_out() {
    let text =
        "game Few { param n : 2..3 = 2  players n of { A, B, C } state { last : Player  x : 0..9 }
      def worth(p: Player): 0..9 = match p { A => 1  B => 2  C => if last == C then 3 else 4 }
      play { match last { A => x = worth(last)  B => {}  C => last = C } }
      payoff general-sum: [p in Player] worth(p) }";
    passes(text, &[]);
    passes(text, &[("n", "3")]);
}

#[test]
fn shown_defs_know_each_other_in_any_order() {
    let items = "  shown def held(p: Player): 0..16 = size(hand[p]) + spare(p)
  shown def spare(p: Player): 0..5 = chip[p]";
    let text = around(items, "    each p in Player { if held(p) > 1 { end } }")
        .replace("shown to p def", "shown def");
    let d = passes(&text, &[]);
    assert_eq!(d.shown.len(), 2);
}

#[test]
fn settings_that_do_not_fit() {
    let text = around("", "");
    let set = [("size_", "9"), ("sizes_", "3")];
    snapshot("unknown_param", &text, &set);
}

#[test]
fn default_out_of_range() {
    snapshot(
        "bad_param_value",
        &around("  param more : 1..3 = 7", ""),
        &[],
    );
}

#[test]
fn inlining_is_bounded() {
    let mut items = String::from("  def f0: 0..9 = count\n");
    for i in 1..40 {
        items += &format!("  def f{i}: 0..9 = max(f{0}, f{0})\n", i - 1);
    }
    let (_, found) = problems(&around(&items, "    count = f39"), &[]);
    let codes: Vec<&str> = found.iter().map(|d| d.code.0).collect();
    assert!(codes.contains(&"E0308"), "{codes:?}");
}

#[test]
fn nesting_of_calls_is_bounded() {
    let mut items = String::from("  def f0: 0..9 = count\n");
    for i in 1..90 {
        items += &format!("  def f{i}: 0..9 = f{}\n", i - 1);
    }
    let (_, found) = problems(&around(&items, "    count = f89"), &[]);
    let codes: Vec<&str> = found.iter().map(|d| d.code.0).collect();
    assert!(codes.contains(&"E0309"), "{codes:?}");
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    for (open, close) in [
        ("(1 + ", ")"),
        ("if count == 1 then 2 else (", ")"),
        ("{ x in { ", " } }"),
    ] {
        let text = format!("count = {}1{}", open.repeat(3000), close.repeat(3000));
        problems(&around("", &text), &[]);
    }
    let mut items = String::from("  def f0: 0..9 = count\n");
    for i in 1..60 {
        let deep = 20;
        items += &format!(
            "  def f{i}: 0..9 = {}f{}{}\n",
            "max(1, ".repeat(deep),
            i - 1,
            ")".repeat(deep)
        );
    }
    problems(&around(&items, "    count = f59"), &[]);
}
