//! `bool` is a type, and the set of its two values.

use crate::table::{around, report, table};
use ruse::internal::check::Settings;

#[test]
fn truth_values_are_a_set() {
    let mut t = table(
        "  state { n : 0..9   s : set of bool   flags : [bool] 0..9 }
  def both: bool = true in bool and not (bool - true == {})",
        "each b in bool { flags[b] += if b then 2 else 1 }
         n = size(bool)   s = bool before true
         Ann chooses b in bool
         draw c in bool
         Ben chooses k in 1..2 where both and (some d in bool: d == b)",
    );
    assert_eq!((t.value("n"), t.value("s")), ("2".into(), "{false}".into()));
    assert_eq!(t.value("flags[true]"), "2");
    assert_eq!(t.options(0), ["false", "true"]);
    t.play(&["true"]);
    assert_eq!(t.draws(), ["false", "true"]);
    t.play(&["false"]);
    assert_eq!(t.options(1), ["1", "2"]);
}

#[test]
fn the_name_is_taken() {
    for (items, play, code) in [
        ("  const bool = 3", "", "E0108"),
        ("  type bool = 1..3", "", "E0108"),
        ("  enum E { int, bool }", "", "E0108"),
        ("  enum E { one, Player }", "", "E0108"),
        ("", "let bool = 3", "E0103"),
        ("", "let Player = 3", "E0103"),
        ("", "let x = boll", "E0101"),
    ] {
        let text = around(items, &format!("{play}   Ann chooses n in 1..2"));
        let problems = ruse::load(&text, &Settings::new()).expect_err(items);
        let told = report(&text, &problems);
        assert_eq!(problems[0].code.0, code, "{told}");
        assert!(
            play != "let x = boll" || told.contains("did you mean `bool`"),
            "{told}"
        );
    }
}
