//! What a wrong game is told: the text with its report, kept as snapshots.

use crate::table::{around, report};

/// The problems of a game, rendered after its text.
#[track_caller]
pub fn snapshot(name: &str, text: &str) {
    let found = match ruse::load(text, &Default::default()) {
        Ok((_, warnings)) => warnings,
        Err(problems) => problems,
    };
    assert!(!found.is_empty(), "nothing is wrong with {name}");
    insta::with_settings!({
        snapshot_path => concat!(env!("CARGO_MANIFEST_DIR"), "/snapshots"),
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, {
        let shown = format!("{text}\n\n{}", report(text, &found));
        insta::assert_snapshot!(format!("check-{}", name.replace('_', "-")), shown);
    });
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
    misplaced_subsets: HANDS, "    let x = subsets(hand[Ann], 2)   Ann chooses s in subsets(hand[Ann])";
    subsets_of_a_secret_size: HANDS, "    Ann chooses s in subsets(hand[Ann], secret)";
    misplaced_in_after: "  state { x : 0..3 }\n  rule ask() { Ben chooses n in 1..2 into x }\n  rule tell() { reveal(x) }\n  const k = 3 after { }",
        "    if x == 1 after { Ann chooses n in 1..3   draw d in 1..2   end } { }
    if x == 1 after { ask()   tell() } { }   if x == 1 after { break } { }   if reveal(x == 1) after { x = 1 } { }";
    after_a_secret: HANDS, "    Ann chooses s in hand[Ann] where size(hand[Ann]) == 2 after { if secret == 1 { hand[Ann] -= s } }";
    subsets_of_what: HANDS, "    Ann chooses s in subsets(3, true)";
}
