//! `subsets(S, k)` as what a choice or a draw is made from.

use crate::table::table;

const HAND: &str = "  state { hand : set of 1..5 = { 1, 2, 4, 5 }   put : set of 1..5   n : 0..5 }";

#[test]
fn every_subset_of_a_size_is_an_option() {
    let mut t = table(
        HAND,
        "Ann chooses cards in subsets(hand, 2) into put   hand -= put   n = size(cards)",
    );
    let all = ["{1, 2}", "{1, 4}", "{2, 4}", "{1, 5}", "{2, 5}", "{4, 5}"];
    assert_eq!(t.options(0), all);
    t.play(&["{2, 5}"]);
    assert_eq!(t.value("put"), "{2, 5}");
    assert_eq!(t.value("hand"), "{1, 4}");
    assert_eq!(t.value("n"), "2");
}

#[test]
fn a_range_of_sizes_goes_by_size() {
    let t = table(HAND, "Ann chooses cards in subsets(hand - 5, 0..2)");
    let all = ["{}", "{1}", "{2}", "{4}", "{1, 2}", "{1, 4}", "{2, 4}"];
    assert_eq!(t.options(0), all);
    // More than there are is no option, and no error while something else is.
    let t = table(HAND, "Ann chooses cards in subsets(hand, 4..9)");
    assert_eq!(t.options(0), ["{1, 2, 4, 5}"]);
}

/// The size depends on the part before; tuples are uniform, so that sizes with more subsets come more often.
#[test]
fn sizes_may_depend_on_other_parts() {
    let t = table(
        HAND,
        "Ann chooses { claim(k in 1..4, cards in subsets(hand, k)) where k != 2   pass }",
    );
    let options = t.options(0);
    // 4 of one card, 4 of three, 1 of four, and the pass.
    assert_eq!(options.len(), 10);
    assert_eq!(options[0], "claim(1, {1})");
    assert_eq!(options[8], "claim(4, {1, 2, 4, 5})");
    for count in t.counts(0, 10_000) {
        // 5 standard deviations of 1,000.
        assert!((850..1_150).contains(&count), "{count}");
    }
}

/// A condition on the subset itself: walked one by one instead of counted.
#[test]
fn conditions_may_read_the_subset() {
    let t = table(
        HAND,
        "Ann chooses cards in subsets(hand, 2), extra in hand where sum(cards) == 6 and not (extra in cards)",
    );
    assert_eq!(
        t.options(0),
        ["{2, 4}, 1", "{2, 4}, 5", "{1, 5}, 2", "{1, 5}, 4"]
    );
    for count in t.counts(0, 4_000) {
        assert!((850..1_150).contains(&count), "{count}");
    }
}

#[test]
fn subsets_are_drawn_and_weighted() {
    let mut t = table(HAND, "draw cards in subsets(hand, 3) into put");
    assert_eq!(
        t.draws(),
        ["{1, 2, 4}", "{1, 2, 5}", "{1, 4, 5}", "{2, 4, 5}"]
    );
    t.play(&["{1, 4, 5}"]);
    assert_eq!(t.value("put"), "{1, 4, 5}");
    let t = table(
        HAND,
        "draw cards in subsets(hand, 1..2) weighted size(cards) where 1 in cards",
    );
    assert_eq!(
        t.draws(),
        ["{1}", "{1, 2} by 2", "{1, 4} by 2", "{1, 5} by 2"]
    );
}

#[test]
fn large_hands_are_sampled_without_listing() {
    let t = table(
        "  state { deck : set of 1..52 = all   hand : set of 1..52 }",
        "Ann chooses cards in subsets(deck, 13) into hand",
    );
    use rand::SeedableRng;
    let mut rng = rand::rngs::Xoshiro256PlusPlus::seed_from_u64(1);
    for _ in 0..50 {
        let action = t.machine.sample(&t.state, 0, &mut rng).unwrap();
        assert_eq!(action.0[1].count_ones(), 13);
    }
}

#[test]
fn an_empty_choice_of_subsets_takes_the_else() {
    let t = table(
        HAND,
        "Ann chooses cards in subsets({ 1 }, 2) else { n = 3 }   Ben chooses x in 1..2",
    );
    assert_eq!(t.value("n"), "3");
    assert_eq!(t.options(1), ["1", "2"]);
}

/// Who does not see the cards sees how many there were only where that is a part of its own.
#[test]
fn secret_subsets_are_secret() {
    let mut t = table(
        "  state { hand : [p: Player] set of 1..3 = all seen by p   n : 0..3 }",
        "Ann chooses count in 1..2, secretly cards in subsets(hand[Ann], count)   hand[Ann] -= cards   n = count
         Ben chooses x in 1..2",
    );
    let texts: Vec<String> = t
        .actions(0)
        .iter()
        .map(|a| t.machine.action_text(&t.state, 0, a, Some(1)))
        .collect();
    assert_eq!(texts[..2], ["1, ·", "1, ·"]);
    t.play(&["2, {1, 3}"]);
    assert_eq!(t.seen[0][0].values.as_slice(), [0, 2, 0b101]);
    assert_eq!(t.seen[1][0].values.as_slice(), [0, 2]);
    assert_eq!(t.value("hand[Ann]"), "{2}");
}

/// The texts of moves that may be alike.
fn alike(play: &str) -> usize {
    let text = crate::table::around(HAND, play);
    let (_, problems) = ruse::load(&text, &Default::default()).unwrap();
    problems.iter().filter(|d| d.code.0 == "E0222").count()
}

#[test]
fn a_set_tells_how_many_it_has() {
    assert_eq!(
        alike("Ann chooses k in 0..3, cards in subsets(hand, k) as \"{cards}\""),
        0
    );
    assert_eq!(
        alike(
            "Ann chooses cards in subsets(hand, 0..3), k in 0..3 where n < 9 and k == size(cards) as \"{cards}\""
        ),
        0
    );
    assert_eq!(
        alike("Ann chooses k in 0..3, cards in subsets(hand, 0..k) as \"{cards}\""),
        1
    );
    assert_eq!(
        alike("Ann chooses k in 0..3, cards in subsets(hand, k) as \"{n}\""),
        2
    );
}
