//! What the compiler says of a game: its kind, its accumulators, and the program as text.

use super::{NOTHING, compiled, game};
use crate::compile::features::features;
use crate::model::Claim;
use crate::snapshots::snapshots;

/// The names of the accumulators.
fn accumulators(state: &str, play: &str, payoff: &str) -> Vec<String> {
    let program = compiled(&game(state, play, payoff));
    let vars = program.payoff.accumulators.iter();
    vars.map(|v| program.description.var(*v).name.clone())
        .collect()
}

const EARN: &str = "Ann chooses x in 1..3 as \"{x}\"  won[Ann] += x  n -= 1";
const WON: &str = "won : [Player] 0..99  n : -9..9  k : 1..3 = 2";

#[test]
fn what_is_only_added_to_and_paid_linearly_is_an_accumulator() {
    let found = |payoff: &str| accumulators(WON, EARN, payoff);
    assert_eq!(found("general-sum: [p in Player] won[p]"), ["won", "n"]);
    assert_eq!(
        found("general-sum: [p in Player] 2 * won[p] - n + 1"),
        ["won", "n"]
    );
    assert_eq!(
        found("general-sum: [p in Player] won[p] / 3 - mean(won)"),
        ["won", "n"]
    );
    assert_eq!(
        found("general-sum: [p in Player] sum(q in Player) ((if q == p then 0 else 1) * won[q])"),
        ["won", "n"]
    );
    assert_eq!(
        found("general-sum: [p in Player] let double = 2; double * won[p]"),
        ["won", "n"]
    );
}

#[test]
fn what_is_paid_in_another_way_is_none() {
    let found = |payoff: &str| accumulators(WON, EARN, payoff);
    assert_eq!(found("general-sum: [p in Player] won[p] * won[p]"), ["n"]);
    assert_eq!(
        found("general-sum: [p in Player] if won[p] > 3 then 1 else 0"),
        ["n"]
    );
    assert_eq!(
        found("general-sum: [p in Player] max(won[p], 3) + n"),
        ["n"]
    );
    assert_eq!(found("general-sum: [p in Player] won[p] div 2"), ["n"]);
    assert_eq!(found("general-sum: [p in Player] k * won[p]"), ["n"]);
    assert_eq!(
        found("general-sum: [p in Player] won[p] * n"),
        Vec::<String>::new()
    );
    assert_eq!(found("general-sum: share(won)"), ["n"]);
}

#[test]
fn what_play_reads_or_sets_is_none() {
    let pays = "general-sum: [p in Player] won[p] + n";
    let found = |more: &str| accumulators(WON, &format!("{EARN}  {more}"), pays);
    assert_eq!(found(""), ["won", "n"]);
    assert_eq!(found("if n > 1 { end }"), ["won"]);
    assert_eq!(found("won[Ben] = 3"), ["n"]);
    assert_eq!(found("Ben chooses y in 1..3 into won[Ben]"), ["n"]);
    assert_eq!(found("draw y in 1..3 into n"), ["won"]);
    assert_eq!(found("Ben chooses y in 1..3 where y > won[Ann]"), ["n"]);
    assert_eq!(found("Ben chooses y in 1..3 as \"{y} {n}\""), ["won"]);
    // It is never added to: nothing is earned.
    assert_eq!(
        accumulators(
            "m : 0..9",
            "Ann chooses x in 1..2",
            "general-sum: [p in Player] m"
        ),
        Vec::<String>::new()
    );
}

fn kind(state: &str, play: &str) -> (bool, bool, Vec<String>) {
    let found = features(&compiled(&game(state, play, NOTHING)));
    let hidden = found.hidden.into_iter().map(|h| h.reason).collect();
    (found.simultaneous, found.chance, hidden)
}

#[test]
fn open_games_hide_nothing() {
    assert_eq!(kind("", "Ann chooses x in 1..3"), (false, false, vec![]));
    assert_eq!(kind("", "draw x in 1..3"), (false, true, vec![]));
    assert_eq!(
        kind("", "together each p in Player { p chooses x in 1..3 }"),
        (true, false, vec![])
    );
    // One arm alone is no simultaneous move.
    assert_eq!(
        kind("", "together { Ben chooses x in 1..3 }"),
        (false, false, vec![])
    );
}

#[test]
fn what_is_hidden_is_said() {
    let card = "card : [p: Player] 1..3 seen by p  pile : 1..3 seen by none  hand : [p: Player] set of 1..5 seen by p
      stock : set of 1..5 = all seen by none";
    let reasons = |play: &str| kind(card, play).2;
    assert_eq!(
        reasons("draw c in 1..3 into card[Ann]"),
        ["Ben does not see what is drawn as `c`"]
    );
    assert_eq!(
        reasons("draw c in 1..3 into pile"),
        ["not everybody sees what is drawn as `c`"]
    );
    assert_eq!(
        reasons("deal 2 from stock to hand[Ben]"),
        ["Ann does not see what is dealt here"]
    );
    assert_eq!(
        reasons("Ann chooses secretly x in 1..3"),
        ["Ben does not see what is chosen as `x`"]
    );
    // Whoever has chosen sees it.
    assert_eq!(
        reasons("Ann chooses x in 1..3 into card[Ann]"),
        ["Ben does not see what is chosen as `x`"]
    );
    assert_eq!(
        reasons("each p in Player { p chooses x in 1..3 into card[p] }"),
        ["not everybody sees what is chosen as `x`"]
    );
    assert_eq!(
        reasons("Ann chooses secretly { stay  go }"),
        ["Ben does not see which option is chosen here"; 2]
    );
}

#[test]
fn payoffs_have_bounds_and_a_claim() {
    let found = features(&compiled(&game(
        "n : 0..6",
        "Ann chooses x in 1..3 into n",
        "constant-sum 1.5: { Ann: n / 4  Ben: 1.5 - n / 4 }",
    )));
    assert_eq!(found.claim, Claim::ConstantSum { n: 3, den: 2 });
    assert_eq!(found.payoff_bounds, [(0.0, 1.5), (0.0, 1.5)]);
}

/// A team gets its payoff once, and its members do not count against one another.
#[test]
fn payoffs_of_a_team_are_within_what_the_others_leave() {
    let text = "game Teams {
  players { Ann, Ben, Cid, Dot }
  team Pair { Ben, Dot }
  state { m : 0..4  n : 0..4 }
  play { Ann chooses x in 0..4 into m  Cid chooses y in 0..4 into n }
  payoff constant-sum 10: { Ann: m  Cid: n  Pair: 10 - m - n }
}";
    let found = features(&compiled(text));
    assert_eq!(found.payoff_range(0), (0.0, 4.0));
    assert_eq!(found.payoff_range(1), (2.0, 10.0));
    assert_eq!(found.payoff_range(3), (2.0, 10.0));
}

#[test]
fn a_program_prints_as_text() {
    let program = compiled(&game(
        "pile : 0..7 = 5  s : set of 1..70",
        "turns me from Ann while pile > 0 at most 7 { me chooses n in 1..min(2, pile) as \"take {n}\"  pile -= n  s += n }",
        "zero-sum: { Ann: 1  Ben: -1 }",
    ));
    snapshots("ir").bind(|| insta::assert_snapshot!("small-game", program.to_string()));
}
