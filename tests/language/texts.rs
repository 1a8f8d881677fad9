//! Moves as texts, there and back.

use crate::table::{Table, around, set_up, table};
use ruse::internal::machine::FindError;
use ruse::internal::model::StmtKind;
use ruse::internal::model::types::Type;

const ITEMS: &str = "  enum Fare { taxi, bus, boat }
  enum Suit { clubs \"♣\", hearts \"♥\" }
  type Card = (rank: 1..13, suit: Suit) as \"{rank}{suit}\"
  state { hand : set of Card = { (rank: 1, suit: clubs), (rank: 11, suit: clubs), (rank: 1, suit: hearts) } }";

fn fares() -> Table {
    table(
        ITEMS,
        "Ann chooses { go(f in Fare, to in { 4, 45, 46 }) as \"{f} to {to}\"   stay   stand }",
    )
}

fn found(t: &Table, text: &str) -> String {
    match t.machine.find_action(&t.state, 0, text) {
        Ok(action) => t.machine.action_text(&t.state, 0, &action, Some(0)),
        Err(FindError::Ambiguous { options, more }) => format!("{} of these", options.len() + more),
        Err(FindError::Unknown { .. }) => "nothing".to_string(),
        Err(FindError::Play(e)) => e.message,
    }
}

#[test]
fn every_text_finds_its_own_move() {
    let t = fares();
    assert_eq!(t.options(0).len(), 11);
    for (action, text) in t.actions(0).iter().zip(t.options(0)) {
        assert_eq!(
            t.machine.find_action(&t.state, 0, &text),
            Ok(action.clone())
        );
    }
}

#[test]
fn a_doubled_brace_is_printed() {
    let t = table(
        "  type Card = (rank: 1..3) as \"{{{rank}}}\"",
        "let c: Card = (rank: 2)   Ann chooses k in 1..2 as \"{{{k}}} {{}} {c}\"",
    );
    assert_eq!(t.options(0), ["{1} {} {2}", "{2} {} {2}"]);
}

#[test]
fn a_move_may_be_shortened_as_long_as_it_is_clear() {
    let t = fares();
    assert_eq!(found(&t, "  TAXI  to 45 "), "taxi to 45");
    assert_eq!(found(&t, "taxi 45"), "taxi to 45");
    assert_eq!(found(&t, "t 45"), "taxi to 45");
    assert_eq!(found(&t, "bu to 4"), "bus to 4");
    // Bus and boat; stay and stand; a number is never the beginning of another.
    assert_eq!(found(&t, "b 4"), "2 of these");
    assert_eq!(found(&t, "sta"), "2 of these");
    assert_eq!(found(&t, "stan"), "stand");
    assert_eq!(found(&t, "taxi"), "3 of these");
    assert_eq!(found(&t, "taxi 5"), "nothing");
    assert_eq!(found(&t, "45 taxi"), "nothing");
    assert_eq!(found(&t, ""), "nothing");
    assert_eq!(found(&t, "{"), "nothing");
    let wrong = t.machine.find_action(&t.state, 1, "stay");
    assert!(matches!(wrong, Err(FindError::Play(_))));
}

#[test]
fn sets_and_cards_are_typed_as_they_print() {
    let t = table(ITEMS, "Ann chooses cards in subsets(hand, 1..2)");
    assert_eq!(found(&t, "{1♣, 11♣}"), "{1♣, 11♣}");
    assert_eq!(found(&t, "1♥ 11♣"), "{1♥, 11♣}");
    assert_eq!(found(&t, "11♣"), "{11♣}");
}

#[test]
fn values_are_read_as_they_print() {
    let d = fares();
    let d = d.machine.description();
    let Type::Set(card) = &d.vars[0].ty else {
        panic!("a set")
    };
    for i in 0..card.size().unwrap() {
        let v = card.value_at(i);
        assert_eq!(card.read(&card.show(v)), Some(v));
    }
    assert_eq!(card.read("14♣"), None);
    assert_eq!(Type::Int { lo: -3, hi: 3 }.read("-2"), Some(-2));
    assert_eq!(Type::Int { lo: -3, hi: 3 }.read("4"), None);
    let Type::Product(p) = &**card else {
        panic!("a product")
    };
    assert_eq!(p.fields[1].1.read("hearts"), Some(1));
    assert_eq!(p.fields[1].1.read("♥"), Some(1));
    assert_eq!(Type::optional(Type::Bool).read("none"), Some(0));
}

#[test]
fn texts_that_play_finds_to_be_shared() {
    let shared = |t: &Table, most| {
        let found = t.machine.shared_text(&t.state, 0, most).expect("options");
        found.map(|s| s.text)
    };
    let t = table(ITEMS, "Ann chooses c in hand as \"{c.rank}\"");
    assert_eq!(shared(&t, 100), Some("1".to_string()));
    // The ace of hearts comes second, the jack of clubs last.
    assert_eq!(shared(&t, 1), None);
    let t = table(ITEMS, "Ann chooses c in hand");
    assert_eq!(shared(&t, 100), None);
}

/// Who may read each value in the text of the one reveal, in the order of the text, its conditions first.
fn readers(text: &str) -> Vec<Vec<String>> {
    let game = format!(
        "game Told {{
           players {{ Ann, Ben, Cid }}
           state {{
             card : [p: Player] 1..4        seen by p
             hand : [p: Player] set of 1..4 seen by p
             spy  : [p: Player] bool        seen by p
             top  : 1..4
             low  : 1..4                    seen by Ben
           }}
           def spies = {{ p for p in Player where spy[p] }}
           shown to Ann def held(p: Player): 0..4 = size(hand[p])
           play {{
             draw each p in Player: c[p] in 1..4 into card[p]
             draw each p in Player: s[p] in {{ false, true }} into spy[p]
             {text}
             Ann chooses n in 1..2
           }}
           payoff general-sum: [p in Player] 0
         }}"
    );
    let t = set_up(&game, &[]);
    let d = t.machine.description();
    let mut found = Vec::new();
    d.play.for_each_stmt(|stmt| {
        if let StmtKind::Said { text, .. } = &stmt.kind {
            for hole in text.holes() {
                let name = |p: usize| d.players.values[p].name.clone();
                found.push(d.hole_viewers[hole.number].iter().map(name).collect());
            }
        }
    });
    found
}

#[test]
fn the_text_of_a_reveal_says_what_is_revealed() {
    let all: &[&str] = &["Ann", "Ben", "Cid"];
    let cases: &[(&str, &[&[&str]])] = &[
        ("reveal(card[Ann]) as \"{card[Ann]}\"", &[all]),
        // Conditions, sizes and formulas, with other names in them.
        (
            "reveal(card[Ann] > 2) as if card[Ann] > 2 then \"high\" else \"low, {card[Ann]}\"",
            &[all, &["Ann"]],
        ),
        (
            "reveal(size(hand[Ben])) as \"{size(hand[Ben])} cards\"",
            &[all],
        ),
        ("reveal(hand[Ben]) as \"{size(hand[Ben])} cards\"", &[all]),
        // By the name that it gets, or the variable that it goes to.
        (
            "let best = reveal(max(card)) as \"{best}, {size(hand[Ann]) + best}\"",
            &[all, &["Ann"]],
        ),
        ("top = reveal(max(card)) as \"{top}\"", &[all]),
        (
            "let best = max(card)  reveal(best to Ben) as \"{best}\"  low = best",
            &[all],
        ),
        (
            "reveal(some p in Player: spy[p]) as if some q in Player: spy[q] then \"a spy\" else \"none\"",
            &[all],
        ),
        (
            "reveal(some p in Player: spy[p]) as if some q in Player: not spy[q] then \"a spy\" else \"none\"",
            &[&[]],
        ),
        (
            "reveal({ k for k in 1..4 where k > card[Ben] }) as \"{ { i for i in 1..4 where i > card[Ben] } }\"",
            &[all],
        ),
        (
            "reveal({ k for k in 1..4 where k > card[Ben] }) as \"{ { i for i in 1..4 where i < card[Ben] } }\"",
            &[&["Ben"]],
        ),
        // Those who are told may change in play: whoever reads it has been told.
        ("reveal(spies to spies) as \"{spies}\"", &[all]),
        (
            "reveal(card[Ann] to spies) as \"{card[Ann]}, {card[Ben]}\"",
            &[all, &["Ben"]],
        ),
        // Another one in each round; the others read nothing.
        (
            "each p in Player { reveal(card[Ann] to p) as \"{p}: {card[Ann]}\" }",
            &[all, all],
        ),
        (
            "each p in Player { reveal(card[Ann] to p) as \"{card[p]}\" }",
            &[all],
        ),
        (
            "each p in Player { reveal(card[Ann] to p) as \"{card[next(p)]}\" }",
            &[&["Cid"]],
        ),
        (
            "reveal(card[Ann] to Ben) as \"{card[Ben]}\"",
            &[&["Ann", "Ben", "Cid"]],
        ),
        // In an expression, under a condition, and in short.
        (
            "if not reveal(card[Ann] > 2) as \"{card[Ann] > 2}\" else \"{card[Ann]}\" { spy[Ann] = false }",
            &[all, all, &["Ann"]],
        ),
        (
            "let c = if reveal(card[Ann] > 2) then reveal(card[Ben]) as \"{card[Ben]}\" else 1",
            &[all],
        ),
        (
            "reveal(held(Ben)) as \"{held(Ben)}, {held(Cid)}\"",
            &[all, &["Ann", "Cid"]],
        ),
        (
            "reveal(held(Ben) > 2) as if held(Ben) > 2 then \"many\" else \"few\"",
            &[all],
        ),
        (
            "let sum = reveal(card[Ann]) as \"{card[Ann]}\" + reveal(card[Ben] to Ann) as \"{card[Ben]}, {card[Cid]}\"",
            &[all, all, &["Ben", "Cid"]],
        ),
    ];
    for (text, expected) in cases {
        let told: Vec<Vec<&str>> = expected.iter().map(|names| names.to_vec()).collect();
        assert_eq!(readers(text), told, "{text}");
    }
}

/// What comes from a set with one value need not be said, also where other sets are known only in play.
#[test]
fn a_single_value_need_not_be_said() {
    let warnings = |set: &str| {
        let play = format!("Ann chooses made in {set}, c in held as \"{{c}}\"");
        let text = around("  state { held : set of 1..5 = { 1, 2 } }", &play);
        let loaded = ruse::load(&text, &Default::default());
        let (_, found) = loaded.unwrap_or_else(|p| panic!("{p:?}"));
        let codes = found.iter().map(|d| d.code.0);
        codes.filter(|code| *code == "E0222").count()
    };
    for one in ["{ true }", "3..3", "{ n for n in 1..9 where n > 8 }"] {
        assert_eq!(warnings(one), 0, "{one}");
    }
    for more in ["{ true, false }", "2..3", "held"] {
        assert_eq!(warnings(more), 1, "{more}");
    }
}

/// A value is settled by another one that is chosen from sets of which no two have anything in common.
#[test]
fn what_another_value_settles_need_not_be_said() {
    let warnings = |play: &str| {
        let items = "  grid Board(5, 5)
  state { free : set of Board = all  mine : set of Board = { c3 }  at : Board = c3  n : 1..3 = 2 }";
        let loaded = ruse::load(&around(items, play), &Default::default());
        let (_, found) = loaded.unwrap_or_else(|p| panic!("{p:?}"));
        let codes = found.iter().map(|d| d.code.0);
        codes.filter(|code| *code == "E0222").count()
    };
    for settled in [
        "Ann chooses c in mine, d in Board.direction, to in Board.run(c, d, free) as \"{c}{to}\"",
        "Ann chooses d in Board.direction, to in Board.run(at, d, free) - mine as \"{to}\"",
        "let c = at  Ann chooses d in Board.direction, to in { t for t in Board.run(c, d, free) where t != a1 } as \"{to}\"",
        "Ann chooses k in 1..n, to in { 2 * k, 2 * k + 1 } as \"{to}\"",
        "Ann chooses c in mine, d in Board.direction, let m = size(Board.line(c, d, free)), to in { t for t in Board.run(c, d, free) where m > 1 } - mine as \"{c}{to}\"",
    ] {
        assert_eq!(warnings(settled), 0, "{settled}");
    }
    for (open, count) in [
        (
            "Ann chooses c in mine, d in Board.direction, to in Board.run(c, d, free) as \"{to}\"",
            2,
        ),
        (
            "Ann chooses c in mine, d in Board.direction, to in Board.line(c, d, free) as \"{c}{to}\"",
            1,
        ),
        (
            "Ann chooses d in Board.direction, to in free as \"{to}\"",
            1,
        ),
        ("Ann chooses k in 1..n, to in { k, k + 1 } as \"{to}\"", 1),
        (
            "Ann chooses d in Board.direction, k in 1..n, to in { t for t in Board.run(at, d, free) where n > k } as \"{to}\"",
            1,
        ),
    ] {
        assert_eq!(warnings(open), count, "{open}");
    }
}
