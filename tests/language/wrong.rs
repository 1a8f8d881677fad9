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
    subsets_of_what: HANDS, "    Ann chooses s in subsets(3, true)";
}
