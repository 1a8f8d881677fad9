//! The least and the greatest element of a set of which something holds.

use crate::table::table;

const SETS: [&str; 6] = [
    "{}",
    "{ 1 }",
    "{ 64 }",
    "{ 3, 64, 65 }",
    "{ 2, 63, 66, 127, 128, 130 }",
    "all",
];

fn elements(set: &str) -> Vec<i64> {
    match set {
        "all" => (1..=130).collect(),
        _ => {
            let inside = set.trim_matches(|c: char| !c.is_ascii_digit());
            let words = inside.split(", ").filter(|w| !w.is_empty());
            words.map(|w| w.parse().unwrap()).collect()
        }
    }
}

fn value(set: &str, expression: &str) -> Option<i64> {
    let items = format!(
        "  state {{ s : set of 1..130 = {set}   x : 0..130   y : 1..100 = 7   a : [1..3] 1..9 = {{ 1: 4, 2: 9, 3: 4 }} }}"
    );
    let mut table = table(
        &items,
        &format!("Ann chooses n in {{ 1 }}   x = {expression}   Ben chooses n in 1..2"),
    );
    match table.try_play(&["1"]) {
        Ok(()) => Some(table.value("x").parse().unwrap()),
        Err(error) => {
            assert_eq!(error.code.0, "E0705");
            None
        }
    }
}

#[test]
fn the_least_and_the_greatest_with_a_property_are_found() {
    for set in SETS {
        let all = elements(set);
        let odd = || all.iter().copied().filter(|n| n % 2 == 1);
        let high = || all.iter().copied().filter(|n| *n > 63);
        for (expression, expected) in [
            ("min(n in s) n", all.iter().copied().min()),
            ("max(n in s) n", all.iter().copied().max()),
            ("min(n in s where n mod 2 == 1) n", odd().min()),
            ("max(n in s where n mod 2 == 1) n", odd().max()),
            ("min(n in s where n > 63) n", high().min()),
            ("max(n in s where n > 63) n", high().max()),
            (
                "max(n in s where n < y) n",
                all.iter().copied().filter(|n| *n < 7).max(),
            ),
            ("min(n in s) (131 - n)", all.iter().map(|n| 131 - n).min()),
            ("max(n in s) (131 - n)", all.iter().map(|n| 131 - n).max()),
        ] {
            assert_eq!(value(set, expression), expected, "{set}: {expression}");
        }
    }
    // Few known ones.
    for (expression, expected) in [
        ("max(n in 1..3 where a[n] == 4) n", Some(3)),
        ("min(n in 1..3 where a[n] == 4) n", Some(1)),
        ("max(n in 1..3 where a[n] == 9) n", Some(2)),
        ("max(n in 1..3 where a[n] == 5) n", None),
    ] {
        assert_eq!(value("{}", expression), expected, "{expression}");
    }
}

/// A condition that fails is an error, wherever the answer is.
#[test]
fn a_condition_that_fails_is_asked_of_all() {
    for expression in [
        "max(n in s where (max(k in s where k < n) k) >= 0) n",
        "min(n in s where (max(k in s where k > n) k) >= 0) n",
    ] {
        let items = "  state { s : set of 1..9 = { 1, 3, 9 }   x : 0..9 }";
        let mut table = table(
            items,
            &format!("Ann chooses n in {{ 1 }}   x = {expression}   Ben chooses n in 1..2"),
        );
        let error = table.try_play(&["1"]).expect_err("of nothing");
        assert_eq!(error.code.0, "E0705", "{expression}");
    }
}
