//! Conditions on all members of a family are asked as soon as what they read has a value, and let the same through.

use crate::support::load_text;
use ruse::internal::check::Settings;
use ruse::internal::machine::{Actions, Machine, Outcomes, Turn};
use std::sync::Arc;

fn game(n: u32, cond: &str) -> Arc<Machine> {
    let text = format!(
        "game Families {{
  players {{ Ann, Ben }}
  type Row = 1..{n}
  state {{ k : 0..9 = 0  near : [Row] Row?  x : 0..99 }}
  play {{
    draw j in {{ 0, 2, 3 }} into k
    near = [r in Row] if r == k then none else r
    Ann chooses each r in Row: q[r] in Row where {cond}
    x = q[1]
  }}
  payoff zero-sum: {{ Ann: x Ben: -x }}
}}
"
    );
    load_text("families.game", &text, &Settings::default())
}

/// The options after each draw; an error of play by its message.
fn options(machine: &Machine) -> Vec<Result<Actions, String>> {
    let start = machine.initial().unwrap();
    let mut draws = Outcomes::default();
    machine.outcomes(&start, &mut draws).unwrap();
    let of_draw = |draw| {
        let mut state = start.clone();
        machine
            .step(&mut state, std::slice::from_ref(draw))
            .unwrap();
        let Turn::Decision(movers) = machine.turn(&state) else {
            panic!("nobody chooses");
        };
        let mut actions = Actions::default();
        let listed = machine.legal(&state, movers.lowest().unwrap(), &mut actions);
        listed.map(|()| actions).map_err(|e| e.to_string())
    };
    draws.list.iter().map(|(draw, _)| of_draw(draw)).collect()
}

/// Ways to place n queens: https://oeis.org/A000170.
#[test]
fn queens_are_placed_in_as_many_ways_as_elsewhere() {
    let attack = "q[r] != q[s] and abs(q[r] - q[s]) != r - s";
    for (n, ways) in [(4, 2), (5, 10), (6, 4), (7, 40), (8, 92), (9, 352)] {
        let cond = format!("every r in Row, s in Row before r: {attack}");
        let found = options(&game(n, &cond));
        let numbers: Vec<usize> = found.iter().map(|f| f.as_ref().unwrap().len()).collect();
        assert_eq!(numbers, [ways; 3], "{n}");
    }
}

#[test]
fn conditions_on_families_let_the_same_through() {
    let conditions = [
        ("every r in Row, s in Row before r: q[r] != q[s]", false),
        ("every r in Row: r == 1 or q[r] >= q[r - 1]", false),
        ("every r in Row where r > 1: q[r] + q[1] > k", false),
        (
            "every r in Row, s in Row where r != s and q[r] == q[s]: r + s > 3 + k",
            false,
        ),
        (
            "no r in Row, s in Row before r: q[r] + q[s] == k + 2 or q[r] == q[s] + 3",
            false,
        ),
        (
            "no r in Row where q[r] > k: (some s in Row before r: q[s] == q[r])",
            false,
        ),
        (
            "not (some r in Row, s in Row: r < s and q[r] > q[s])",
            false,
        ),
        ("k > 2 or (every r in Row: q[r] != r)", false),
        (
            "k < 4 and (every r in Row: (count s in Row: q[s] == r) == 1)",
            false,
        ),
        (
            "every r in Row: if k == 2 then q[r] > 1 else q[r] in { 1, r }",
            false,
        ),
        (
            "every r in Row: (match r { 1 => q[1] == 2, else => q[r] < 4 })",
            false,
        ),
        (
            "every r in Row: near[q[r]] == none or only(near[q[r]]) > r - 2",
            false,
        ),
        ("every r in Row: r == 2 or only(near[q[r]]) == q[r]", true),
        (
            "(every r in Row: q[r] > 3) and (every r in Row: only(near[q[r]]) > 0)",
            false,
        ),
        (
            "(every r in Row: q[r] > 2) and (every r in Row: only(near[q[r]]) > 0)",
            true,
        ),
        (
            "(every r in Row: only(near[q[r]]) > 0) and (every r in Row: q[r] > 3)",
            true,
        ),
    ];
    for (cond, fails) in conditions {
        // What is compared with `true` is one condition, which is asked at the end.
        let (early, late) = (game(4, cond), game(4, &format!("({cond}) == true")));
        let (early, late) = (options(&early), options(&late));
        assert_eq!(early, late, "{cond}");
        assert_eq!(early.iter().any(Result::is_err), fails, "{cond}");
        assert!(
            fails || early.iter().flatten().any(|a| a.len() < 256),
            "{cond}"
        );
    }
}
