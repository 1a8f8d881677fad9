//! What a wrong game is told: the text with its report, kept as snapshots.

use crate::support::snapshots::snapshots;
use crate::table::{around, report};

/// The problems of a game, rendered after its text.
#[track_caller]
pub fn snapshot(name: &str, text: &str) {
    let found = match ruse::load(text, &Default::default()) {
        Ok((_, warnings)) => warnings,
        Err(problems) => problems,
    };
    assert!(!found.is_empty(), "nothing is wrong with {name}");
    crate::edits::mend(text, &Default::default(), &|_, _| Err(String::new()));
    let shown = format!("{text}\n\n{}", report(text, &found));
    snapshots("check").bind(|| insta::assert_snapshot!(name.replace('_', "-"), shown));
}

macro_rules! wrong {
    ($($name:ident: $items:expr, $play:expr;)*) => {
        $(
            #[test]
            fn $name() {
                snapshot(stringify!($name), &around($items, $play));
            }
        )*
    };
}

const HANDS: &str =
    "  state { hand : [p: Player] set of 1..4 = all seen by p   secret : 1..2 seen by Ben }";

wrong! {
    habits_of_other_languages: "  state { chips : [Player] 0..9   deck : set of 1..6 = all seen by none   s : 0..9   b : bool   c : bool }",
        "    if any(chips[p] > 3 for p in Player) { s = 1 }
    s = sum(chips[p] for p in Player if chips[p] > 1)
    Ann chooses a in [1, 2, 3]
    s = s ** 2
    if b xor c { s = 1 }
    b = b xor c
    each i in range(3) { s += i }
    let card = deck.pop()
    s = sorted(deck)[0]
    s =+ 1
    switch s { 1 => s = 2  else => s = 3 }";
    passed_on_in_the_open: "  state { hand : [p: Player] set of 1..9 = { Ann: { 1, 2, 3 }, Ben: { 8, 9 } } seen by p   laid : set of 1..9   kept : set of 1..9 seen by Ann }",
        "    Ann chooses c in hand[Ann] as \"passes {c}\"
    hand[Ann] -= c
    hand[Ben] += c
    Ben chooses d in hand[Ben] as \"lays {d}\"
    hand[Ben] -= d
    laid += d
    Ann chooses secretly e in hand[Ann]
    hand[Ann] -= e
    kept += e";
    nothing_to_choose_from: "  state { hand : [p: Player] set of 1..9 = { Ann: { 1, 2 }, Ben: { 8, 9 } } seen by p   won : [1..9] bool }",
        "    turns me from Ann at most 9 {
      while true at most 3 {
        me chooses secretly c in hand[me] as \"card {c}\" else { break }
        hand[me] -= c
        if reveal(c > 2) as \"high\" else \"low\" {
          let k = reveal(c)
          won[k] = true
        }
      }
    }";
    known_before_play: "  state { winner : Player   chips : [Player] 0..9   n : 0..3   k : 0..3 }",
        "    Ann chooses q in Player as \"{q}\" into winner
    chips = { Ann: chips[q], q: chips[Ann], else: 1 }
    together each p in Player { p chooses each o in Player - p: x[o] in 0..2 as \"{x}\" }
    Ben chooses each o in Player where o != winner: y[o] in 0..2 as \"{y}\"
    match n { k => n = 3  else => n = 2 }
    n = k ^ 2
    n = pow(k / 2, 2)
    n = pow(k, 70)
    n = pow(k, 1 / 2)";
    words_of_other_languages: "  enum Suit { c, d }
  state { suit : Suit   hand : set of Suit = all   n : 0..9 }",
        "    Ann chooses raise or pass or fold
    Ben chooses x in hand where x is c
    if suit is not c { n = 1 }
    if (n > 1) { n = 2 } elif (n < 1) { n = 3 }";
    lets_of_other_languages: "  state { live : set of 1..9 = all   n : 0..99 }
  def over(k: 1..9) = let s = { c for c in live where c > k } in if s == {} then none else min(s)",
        "    n = let k = size(live) in k * k
    n = (let k = if 3 in live then 1 else 2 in k * k) + 1
    Ann chooses k in 1..2";
    types_in_brackets: "  state { low : (0..5)?   high : 0..5 }", "    Ann chooses a in 1..3";
    together_around_a_loop: "", "    together { each p in Player { p chooses k in 1..2 } }";
    deals_to_each_of_a_set: "  state { hand : [p: Player] set of 1..6 seen by p   deck : set of 1..6 = all seen by none }",
        "    deal 1 from deck to each q in Player\n    deal 1 from deck to each player\n    Ann chooses a in 1..3";
    values_without_brackets: "  state { s : 0..9 }", "    Ann chooses { bid k in 1..3  pass }\n    Ben chooses { pass  bid j in 1..3 => s = j }";
    families_without_an_index: "", "    draw each p in Player: x[p] in 1..3 where sum(x) == 4\n    Ann chooses a in 1..3";
    what_reads_as_something_else: "  enum Kind { red, blue }\n  state { s : 0..9   n : 0..9 = 4   left : [Kind] 0..4 = { red: 2, blue: 4 } }",
        "    s = n // 2\n    s = n // of 2
    s = n  // 2\n    s = n div 2 // 1.\n    // 3\n    Ann chooses a in 1..6 - 3   Ben chooses b in 1..(6 - 3), d in 1..n - 1
    draw k from left\n    left[k] -= 1   left[red] -= 0   s = a + b + d";
    what_a_quantifier_asks_by_where: "  state { s : set of 1..9   n : 0..9 }",
        "    n = count c in s where c > 3\n    n = count(c in s where c > 3)\n    if some c in s where c > 3 { n = 1 }\n    let know = s   n = count c in know where c > 3\n    Ann chooses a in 1..3";
    what_is_meant_otherwise: "  state { need : set of 1..4 = { 1, 3 }   has : set of 1..4   points : [Player] -9..9   low : -9..9 = -9   to : [1..2] 0..3   bid : [Player] 0..3 }",
        "    if need <= has { points[Ann] += 1   low += 1 }
    together each p in Player { p chooses each u in 1..2: go[u] in 1..3 into to[u] as \"{go}\" }
    together each p in Player { p chooses k in 1..3 into bid[p] }
    together { Ann chooses k in 1..3 into to[1]   Ben chooses k in 1..3 into to[2] }
    together { Ann chooses k in 1..3 into to[1]   Ben chooses k in 1..3 into to[1] }
    together each p in Player { p chooses k in 1..3 => { bid[p] = k  if k == max(bid) { low = k } } }
    together each p in Player { p chooses k in 1..3 => { bid[p] = k  let me = p  if bid[me] > 1 { low = k } } }
    together each p in { Ann } { p chooses k in 1..3 => { bid[p] = k  if k > bid[Ben] { low = k } } }";
    what_stays_and_what_is_shared: "  state { deck : set of 1..4 = all seen by none   bag : set of 1..4 = all   got : [Player] 0..9   pot : 0..9   last : 1..6   top : 0..9   live : set of Player }",
        "    draw c in deck into got[Ann]
    draw c in deck into got[Ben]
    draw c in bag into got[Ann]
    bag -= c
    Ann chooses n in 1..6 into last
    Ben chooses n in 1..6 - last
    Ben chooses n in 1..(6 - last)
    Ben chooses n in 0..9 - pot
    together each p in Player { p chooses k in 1..3 => { let own = min(k, pot)  pot -= own } }
    together each p in Player { p chooses k in 1..3 => { pot += k  top = max(top, k) } }
    together each p in live { p chooses k in 1..3 into pot }
    together each p in Player where p in live { p chooses k in 1..3 into pot }";
    sets_and_ranges_as_elsewhere: "  team Men { Ann }
  state { low : set of 1..4   high : set of 1..4   free : set of Men   n : 0..9 }",
        "    if n in low or high { n = 1 }
    if n in low and high { n = 2 }
    if n == 1 or high { n = 3 }
    n = size(1..3 before n)
    draw k in bool weighted if k then 1/3 else 2/3
    n = round(n / 2)";
    names_of_blocks_that_are_over: "  state { hand : set of 1..9   s : 0..9   on : bool }",
        "    s = min(c in hand) c
    Ann chooses { lead(c in hand) as \"{c}\" => hand -= c   pass }
    s = c
    if on { Ben chooses to in 1..3 } else { Ben chooses to in 4..6 }
    if to == 3 { on = true }
    s = (sum(n in hand) n) + n";
    how_many_are_hidden: "  state { pile : set of 1..9 = all seen by none   hand : [p: Player] set of 1..9 seen by p   winner : Player? }",
        "    turns me from Ann at most 9 {
      if size(hand[me]) == 0 { winner = me }
      if size(pile) < 2 { end }
      if size(pile) < min(hand[me]) { end }
    }";
    what_is_asked_of_each: "  state { seen : set of 1..9   seats : set of Player = all   hand : [Player] set of 1..9   s : 0..9   best : Player? }
  def card(n: 1..9): 1..9? = if n < 9 then n + 1 else none",
        "    if some c in seen: c > 3 after { seen += 9 } { s = 1 }
    if some c in seen: c > 3 after { seen -= c } { s = 2 }
    if some c in seen: (c > 3 after { seen += 9 }) { s = 3 }
    turns p from Ann among seats at most size(seats) { p chooses n in 0..9 }
    draw n from seen into hand[Ann]
    s = min(argmax(k in subsets(seen)) size(k))
    hand[Ann] = { card(k) for k in 1..9 where k > 3 }";
    sets_by_a_colon: "  enum Suit { c, d }
  state { hand : set of 1..9 = all   low : set of 1..9   n : 0..9 }
  def small: set of 1..9 = { x in hand: x < 4 }",
        "    low = { x in hand : x < 4 and x != 2 }
    Ann chooses y in { x in hand : x > n }
    n = (count c in hand: c > 2)
    low = { c for c in hand where c > 2 }";
    moves_on_one_line: "  state { s : 0..9 }",
        "    Ann chooses {
      give up => s = 1
      go on
      hit, stand
      one  two; three
    }
    Ben chooses { nod frown }";
    conditions_and_colons_of_moves: "  state { s : 0..9 }", "    Ann chooses {
      pass if s == 0
      go
    }
    Ben chooses { wait: s = 1  go: s = 2 }
    Ben chooses { wait if s > 1  go }";
    words_before_a_move: HANDS, "    Ann chooses {
      secretly play(c in hand[Ann]) => hand[Ann] -= c
      pass
    }
    Ben chooses {
      show(c in hand[Ben]) seen by Ben
      pass
    }
    Ben chooses {
      keep(c in hand[Ben]) => secret = 1
      drop  seen by Ben
    }";
    what_reaches_further: "  state { bid : [Player] 0..3   s : 0..9 }", "    Ann chooses a in 1..2
    if no p in Player: bid[p] > 0 and s == 3 { s = 1 }
    if no p in Player, q in Player: bid[p] > bid[q] or s == 3 { s = 1 }
    if no p in Player: (bid[p] > 0 and s == 3) { s = 1 }
    if no p in Player: bid[p] > 0 and bid[p] < s { s = 1 }
    if (no p in Player: bid[p] > 0) and s == 3 { s = 1 }
    each i in 5..1 { s += i }
    draw d in { 1, 1, 2 }
    s = d";
    several_choosers: "  state { s : 0..9 }", "    Player chooses k in 1..3\n    Player - Ann chooses j in 1..3";
    how_many_somebody_holds: HANDS, "    Ben chooses i in 1..size(hand[Ann])\n    Ann chooses c in hand[Ben]";
    one_value_dealt: "  state { deck : set of 1..6 = all   table : [Player] 0..6 }", "    deal 1 from deck to table[Ann]\n    Ann chooses k in 1..3";
    comes_before: "  state { s : 0..9 }", "    s = size({ p for p in Player where p before Ben })\n    Ann chooses k in 1..3";
    index_without_a_name: "  state { s : [Player] 0..9 seen by p }", "    Ann chooses k in 1..3";
    what_follows_from_a_slip: "  state { held : set of 1..9   low : 0..9 }",
        "    Ann chooses n in held where n >= low { low = n }
    else { low = 0 }
    low = max(n in 1..9 where n not in held) n";
    elements_without_a_formula: "  grid Board(3, 3)\n  const dark : set of Board = { c in Board where c != a1 }\n  state { s : set of 1..9 }",
        "    s = { n in 1..9 where n > 2 }   Ann chooses k in { n in s where n mod 2 == 0 }   Ben chooses k in { n in s }";
    rows_revealed_as_a_whole: "  enum Kind { red, blue }\n  state { hand : [p: Player][Kind] 0..9 seen by p   old : [p: Player][Kind] 0..9 seen by p }",
        "    each p in Player { hand[next(p)] = reveal(old[p] to next(p)) }   reveal(hand[Ann])   Ann chooses k in 1..2";
    value_of_a_reveal_not_used: "  state { t : 1..4 seen by Ann   s : 0..9 }", "    Ann chooses x in 1..4 into t   reveal(t + 1)   s = t + 1";
    chooser_of_a_secret_branch: "  state { t : 1..4 seen by Ann }",
        "    Ann chooses x in 1..4 into t   if t == 3 { Ben chooses y in 1..2 }   if t == 4 { Ben chooses secretly z in 1..2 }";
    extremes_of_nothing: "  state { s : 0..9 }", "    Ann chooses x in 1..3   s = min()   s = max()";
    chance_by_another_word: "  state { s : 0..9 }", "    chance d in 1..6 into s\n    Ann chooses x in 1..3";
    filter_by_if: "  state { s : 0..9 }", "    Ann chooses x in 1..3 if x > 2\n    Ben chooses y in 1..3 if y > 2 as \"{y}\"";
    capital_words: "  state { s : Player?   t : bool }", "    Ann chooses x in 1..3   s = None   t = True";
    misplaced_secretly: HANDS, "    Ann chooses x secretly in 1..3\n    Ben secretly chooses y in 1..3\n    Ann chooses z in secretly 1..3";
    misplaced_subsets: HANDS, "    let x = subsets(hand[Ann], 2)   Ann chooses s in subsets(hand[Ann])";
    rows_of_secrets: "  enum Fare { taxi, bus }\n  state { hand : [p: Player][Fare] 0..4 seen by p   all_ : [Player][Fare] 0..4   row : [Fare] 0..4   n : 0..9 }",
        "    all_[Ann] = hand[Ann]   n = sum(hand[Ben])   row = hand[Ben]\n    Ann chooses k in 0..row[bus]";
    moves_that_cannot_be_typed: "  state { x : 0..9 }",
        "    Ann chooses k in 0..3 as if k == 0 then \"\" else \"{k}\"   Ben chooses { stay as \"stay; wait\"  go as \"  \" => x = 1 }
    one move { Ann chooses a in 1..2 as \"{a}\"   Ann chooses b in 1..2 as if b == 1 then \"\" else \"!\" }";
    break_by_a_secret_choice: "  state { hand : [p: Player] set of 1..9 = all seen by p   x : 0..9   y : 0..9 }",
        "    turns me from Ann at most 9 {
      me chooses secretly c in hand[me] where c > 3 else { break }
      hand[me] -= c   x = 4   y = 2
      me chooses { raise  fold => end }
      draw d in 1..6
    }";
    deals_beside_a_secret_one: "  state { deck : set of 1..9 = all seen by none   hand : [p: Player] set of 1..9 seen by p   card : 1..9 seen by Ann }",
        "    deal 1 from deck to hand[Ann]   deal 1 from deck to hand[Ben]   draw c in 1..9 into card\n    if card > 3 { deal 1 from deck to hand[Ben] }   Ann chooses k in 1..2";
    subsets_of_a_secret_size: HANDS, "    Ann chooses s in subsets(hand[Ann], secret)";
    misplaced_in_after: "  state { x : 0..3 }\n  rule ask() { Ben chooses n in 1..2 into x }\n  rule tell() { reveal(x) }\n  const k = 3 after { }",
        "    if x == 1 after { Ann chooses n in 1..3   draw d in 1..2   end } { }
    if x == 1 after { ask()   tell() } { }   if x == 1 after { break } { }   if reveal(x == 1) after { x = 1 } { }";
    after_a_secret: HANDS, "    Ann chooses s in hand[Ann] where size(hand[Ann]) == 2 after { if secret == 1 { hand[Ann] -= s } }";
    alike_in_knowledge: "  state { x : [p: Player] 0..6 seen by p }
  knowledge Ann { playout high = maximise k  abstraction actions { plays => (j)  passes => () } }",
        "    Ann chooses { plays(secretly k in 1..3) as \"a{k}\" => x[Ann] = k   plays(secretly j in 4..6) as \"b{j}\" => x[Ann] = j   passes }";
    alike_into_an_own_place: "  state { x : [p: Player] 0..6 seen by p }",
        "    Ann chooses { plays(k in 1..3 into x[Ann]) as \"a{k}\"   plays as \"b\" => x[Ann] = 6   passes }";
    index_told_to_some: "  state { x : [1..2] bool   secret : 1..2 seen by none }", "    x[reveal(secret to Ann)] = true\n    x[3 - reveal(secret to Ben)] = true";
    outdated_by_a_statement: "  state { x : 0..9   y : 0..9 }", "    Ann chooses a in 1..3, let t = x + 1 as \"{a} {t}\" => x = a\n    y = t";
    where_among_values: HANDS, "    Ann chooses a in hand[Ann] where a > 1, b in hand[Ann] where b != a";
    where_before_the_next_line: HANDS, "    Ann chooses a in hand[Ann] where a > 1,\n      b in hand[Ann] where b != a";
    where_in_brackets: HANDS, "    Ann chooses { go(a in hand[Ann] where a > 1, b in hand[Ann]) as \"{a} {b}\"  stay }";
    where_in_other_brackets: HANDS, "    if (a in hand[Ann] where a > 1) { }";
    two_enums_alike: "  type C = (suit: enum { red \"R\", black \"B\" }, rank: 1..2)\n  state { c : C   s : enum { red, black } }", "    if c.suit == s { }";
    wrong_ways: "  grid Board(3, 3)\n  state { ways : set of Board.direction   at : Board   near : set of Board }",
        "    near = Board.group(at, near, ways)   near = Board.group(at, near, 2)   near = Board.sight(at, near)
    near = Board.steps(at, ways, 9)   at = only(Board.step(at, north, 1, 2))   at = only(Board.cell(1, 2))   at = Board.at(1, 2)";
    mover_asked_too_early: "  state { called : Player? }", "    turns me from Ann while me != called at most 9 { me chooses { call => called = me   pass } }";
    words_of_a_draw_in_a_choice: HANDS, "    Ann chooses c from hand[Ann]   draw d in hand[Ben] to hand[Ann]\n    Ann chooses e in hand[Ann] { secret = 1 }";
    function_as_a_field: HANDS, "    winner = Ann   Ann chooses c in hand[Ann] where hand[Ann].size > c";
    text_as_a_value: "  state { x : 0..9 = \"3\" }\n  const s = { \"a\", \"b\" }", "    let t = \"x\"   Ann chooses n in 1..2";
    bad_team: "  team Reds { Ann, Bne }\n  team Blues { Ann }", "    let x = team(3)";
    misused_note: "  state { x : 0..9 }\n  note n : 0..9\n  def twice: 0..18 = 2 * n\n  shown def told: 0..9 = n",
        "    x = n   n = 3   note x = 2   note n = x   if twice == 2 { }   Ann chooses m in 1..2 into n";
    note_that_leaks: "  state { x : 0..9 seen by Ann }\n  note n : 0..9", "    draw d in 1..9 into x   note n = x   if x == 1 { note n = 3 }";
    bad_row: "  state { a : [1..3] 0..9   b : [1..2] 0..9   c : [1..3][1..3] 0..9 }",
        "    a = { 1: 2, 1: 3 }   a = { 1: 2 }   a = [i in 1..2] i   a = b   c = a   c[1] = { 1: 2, else: red }";
    bad_family: "  state { n : 1..3 = 2   s : set of 1..3 }",
        "    Ann chooses each u in s: r[u] in 1..2   Ann chooses each u in 1..3: q in 1..2   Ann chooses k[u] in 1..2
    Ann chooses each u in 1..2: w[u] in 1..2   n = w   n = w[3]   n = w[n]";
    shared_texts: "  state { a : 0..20 = 12 }",
        "    Ann chooses x in 1..12, y in 1..12 as \"{x}{y}\"   Ann chooses { one as \"go\"  two as \"go\" }
    Ann chooses x in 1..a, y in 1..a as \"{x}\"   Ann chooses x in 1..5 as \"{x div 2}\"   Ann chooses x in 1..5 as \"{6 - x}\"";
    loops_without_a_number: "", "    repeat { Ann chooses n in 1..2 }
    repeat 3 times { Ann chooses n in 1..2 } until n == 2";
    names_of_a_together: "  state { x : 0..3   card : [p: Player] 1..3 seen by p }",
        "    together { Ann chooses n in 1..2   Ben chooses n in 1..2 }   x = n
    together { Ann chooses a in 1..2 else { }   Ben chooses secretly b in 1..3 into card[Ben] }   x = a   x = b";
    misplaced_steps: "  enum Rank { low, high }\n  state { rank : Rank   card : (rank: Rank, n: 1..3)   s : set of 1..3   n : 0..9 }",
        "    rank = rank + 1   card.n = 2   n = s + 1   Ann chooses k in 1..2";
    operand_of_a_sum: "  state { x : [1..3] 0..9   n : 0..99 }", "    n = sum(i in 1..3) i * x[i]   Ann chooses k in 1..2";
    arms_of_ranges: "  state { x : 0..100000   y : 0..9 }",
        "    match x { 5..3 => y = 1  0..50000 => y = 2  else => y = 3 }   match y { 0..3 => y = 1  2..5 => y = 2  else => {} }
    match y { 0..3 => y = 1  7 => y = 2 }   Ann chooses k in 1..2";
    misused_filter: "  state { x : 0..3   s : 0..3 seen by Ben }
  knowledge Ann { filter told = n > s  filter idle = x > 1  playout told = maximise n  filter number = n }",
        "    draw d in 0..3 into s   Ann chooses n in 1..3";
    family_ahead_of_itself: "  type Unit = 1..3",
        "    Ann chooses each u in Unit: r[u] in Unit - { r[v] for v in Unit }   Ann chooses each u in Unit: q[u] in 1..q[u]";
    ranges_as_patterns: "  state { x : 0..5   s : set of Player }",
        "    match x { 0..3 => {}  3..4 => {}  5 => {} }   match x { 0..7 => {} }
    match x { 0..x => {}  else => {} }   match x { 0..3 => {} }";
    slips_in_statements: HANDS,
        "    reveal hand[Ann]
    let y = 1 > 2 ? 3 : 4
    Ann chooses { put(c in hand[Ann]) where c > 2 into hand[Ann] }
    let e = { p: 3 for p in Player }
    hand[Ann] += 5 / 2";
    slips_in_items: "  state {
    a : [Player, Player] 0..3
    b : 0..3 seen by Ann = 2
    c = 3
  }
  shown left: 0..3 = 2
  const k = [p in Player] 3
  const l : [Player] 0..3 = [p in Player where p == Ann] 3
  const m : 0..3 = 5 / 2
  knowledge Ann {
    worth = 3
    playout x = 3
  }", "    Ann chooses x in 1..2";
    neighbours_or_next: "  grid Board(3, 3)\n  graph Town { nodes 1..4  edges { 1: 2 3; 2: 4 } }\n  const last = 4\n  state { on : Board   at : Town   s : set of Board   n : 1..4   k : 1..5 }",
        "    s = Board & next(on)   on = next(b2)   if next(on) == a1 or next(at) == 2 { }   n = next(3)
    if next(2) == 3 or next(last) == 1 { }   k = next(3)   on = next(on, 1)   n = next(n, -1)   s = Board.next(on)   k = next(k)
    Ann chooses c in next(on)";
    elements_of_nothing: "  const c = {}\n  const n = none\n  state { x : 1..3 }",
        "    each p in {} { x = 2 }   let s = {}   let q = none   draw m in {}   if some k in {}: k == 1 { x = 1 }
    Ann chooses e in {} into x   x = sum([i in 1..0] 3) + sum([i in 3..x] 1)   Ann chooses k in c";
    directions_of_two_boards: "  grid Board(3, 3)\n  grid Small(2, 2)\n  state { at : Board }",
        "    each d in { north, south } { at = a1 }   let d = east   Ann chooses k in Small.steps(a1, west)";
    arms_with_colons: "  state { n : 0..3   s : set of 1..3 }\n  def f: bool = every k in s: match n { 0: true else: false }",
        "    let q = count k in s: match n { 0: true else: false }\n    Ann chooses k in 1..2 where f";
    next_of_a_product: "  type Card = (rank: 1..3, high: bool)\n  const top = (rank: 3, high: true)\n  const first : Card = (rank: 1, high: false)\n  state { card : Card   held : Card?   n : 1..3? }",
        "    card = next((rank: 3, high: true))   held = next((rank: 3, high: true))   card = next(top)   card = next(first)   n = next(3)
    if next((rank: 3, high: true)) == card { }   let c = next(top)
    Ann chooses k in 1..2";
    operands_in_brackets: "  state { s : set of 1..9   x : 1..9   chips : [Player] 0..9 }",
        "    if x in 1..6 - s { }   s = 1..6 & s + 2   s = union(p in Player) union(q in Player) { chips[p] } + { chips[q] }
    Ann chooses c in 1..9 where c not in s";
    table_of_a_cut_enum: "  param n : 1..3 = 2   enum Kind n of { low, mid, high }   const worth : [Kind] 0..9 = { low: 1, mid: 2, high: 3 }",
        "    Ann chooses c in 1..worth[mid]";
    values_that_were_not_chosen: "  state { n : 0..99 }",
        "    Ann chooses r[u] in 1..2   n = r[1]   Ben chooses each u in 1..70: w[u] in 1..2   n = w[3]   n = w";
    own_index_beside_anothers: "  state { hand : [p: Player] set of 1..9 seen by p   deck : set of 1..9 = all seen by none }",
        "    deal 2 from deck to hand[Ann]\n    deal 2 from deck to hand[Ben]\n    Ann chooses c in 1..9 where c in hand[Ann] and c not in hand[Ben]";
    sets_not_in_sets: "  state { s : set of 1..9   t : set of 1..9 }",
        "    if s not in t { }   if 3 not in t and { 1, 2 } not in t { }\n    Ann chooses c in 1..9 where c not in s and not s in t";
    subsets_of_what: HANDS, "    Ann chooses s in subsets(3, true)";
}

/// Without its value a declaration takes the first word of the next for it, which is nothing that could be missed.
#[test]
fn declarations_without_a_value() {
    let text = "game Test {
  players { Ann, Ben }
  param most : 1..3 =  // a comment
  const few = 2
  state {
    best : Player? =
    worst : Player?
    from : 0..3 =
      few
    to 0..3
    left : 0..3 = seen by Ann
    right : 0..3
  }
  def last: 1..3 =
  play {
    Ann chooses k in 1..most
    best = Ann   worst = Ben   right = few
  }
  payoff zero-sum: [p in Player] if p == best then 1 else -1
}";
    snapshot("declarations_without_a_value", text);
}

#[test]
fn payoffs_of_the_others() {
    let text = |payoff: &str| {
        format!(
            "game Test {{\n  players {{ Fox, Hen }}\n  play {{ Fox chooses k in 1..2 }}\n  payoff {payoff}\n}}"
        )
    };
    snapshot(
        "payoffs_of_the_others",
        &text("zero-sum { Fox: 1, else: -1 }"),
    );
    snapshot(
        "payoffs_of_the_others_in_an_arm",
        &text(
            "match 1 { 1 => constant-sum 3 { Fox: 1 else: 2 }  else => zero-sum: [p in Player] 0 }",
        ),
    );
}

/// Who helps somebody with a choice that is not theirs is told, unless one of the owners may make it.
#[test]
fn knowledge_that_helps_nobody() {
    let text = "game Test {
  players { Ann, Ben, Cid }
  state { s : 0..3   turn : Player }
  play {
    Ann chooses n in 1..3
    each p in { Ann, Ben } { p chooses k in 1..3 }
    let me = if n == 1 then Ann else Ben
    me chooses { stay  go(far in 1..2) }
  }
  payoff general-sum: [p in Player] 0
  knowledge Ben { filter low = n < 3  evaluate = s  playout high = maximise k  filter near = far == 1 }
  knowledge Cid { evaluate = s  playout high = maximise k  abstraction information { s = s } }
  knowledge Player { playout least = minimise n  playout most = maximise far }
}";
    snapshot("knowledge_that_helps_nobody", text);
    let text = "game Test {
  players { Ann, Ben }
  state { s : 0..3 seen by none }
  grid Board(2, 2)
  play { draw d in 0..3 into s   Ann chooses n in 1..3 }
  payoff zero-sum: [p in Player] 0
  knowledge Ben {
    evaluate = s   category large of s = s > 1   abstraction information { s = 1 }   amend low = n < 3
    abstraction actions { => (n) }   layout c in Board { c == a1 => \"x\"  else => \".\" }
  }
}";
    snapshot("knowledge_of_who_never_chooses", text);
    // Who chooses within a `one move` has a use for evaluations, and for nothing that is about its choices.
    let text = "game Test {
  players { Ann, Ben }
  state { x : 0..9 }
  play {
    one move { Ann chooses n in 1..3 as \"{n}\"  if n == 1 { Ann chooses m in 1..3 as \"-{m}\" }  x += n }
    Ben chooses k in 1..3
  }
  payoff zero-sum: [p in Player] 0
  knowledge Ann { evaluate = x }
";
    let (_, warnings) = ruse::load(&format!("{text}}}"), &Default::default()).unwrap();
    assert_eq!(warnings.len(), 0, "{warnings:?}");
    let text = format!("{text}  knowledge Ann {{ filter low = n < 3 }}\n}}");
    snapshot("knowledge_of_one_move", &text);
}

/// What could not be read is told once: names that it declares are not missed as well.
#[test]
fn names_that_were_not_read() {
    let text = "game Test {
  players { Ann, Ben }
  enum Suit { red black }
  type Die = 1..6;;
  grid Board 3
  state {
    face : [p: Player, d: Die] 1..6
    last Suit
    sum : 0..12
  }
  def worth(s) = if s == red then 2 else 1
  rule roll p: Player { face[p][1] = 2 }
  play {
    roll(Ann)
    face[Ann][2] = 3
    last = black
    let best mx = 3
    sum = worth(last) + best + missing
    Ann chooses c in Board
  }
  payoff [p in Player] face[p][1]
}";
    snapshot("names_that_were_not_read", text);
}
