//! Teams: sets of players that have nothing to do with seating.

use crate::table::{report, set_up};

const GAME: &str = "game Hunt {
  param seats : 2..4 = 4
  players seats of { Fox, Red, Blue, Gold }
  team Hounds { Red, Blue, Gold }
  state {
    den   : 1..3        seen by Fox
    plan  : [p: Player] 1..3 seen by team(p)
    sniff : 1..3        seen by Hounds
    met   : set of Player
  }
  play {
    met = { p for p in Player where size(team(p)) > 1 }
    Fox chooses d in 1..3 into den
    each p in Hounds { p chooses n in 1..3 into plan[p] }
    draw n in 1..3 into sniff
  }
  payoff constant-sum 1: { Fox: if den == sniff then 0 else 1  Hounds: if den == sniff then 1 else 0 }
}";

#[test]
fn a_team_sees_shares_and_counts_once() {
    let mut t = set_up(GAME, &[]);
    t.play(&["2"]).play(&["1"]).play(&["2"]).play(&["3"]);
    // The den is Fox's own; the plans are for all hounds.
    assert_eq!(t.seen[0].len(), 1);
    assert_eq!(t.seen[2].len(), 3);
    // The den, what was met, and the plan that Fox could have made.
    assert_eq!(t.machine.view(&t.state, 0).entries.len(), 3);
    t.play(&["2"]);
    assert_eq!(t.value("met"), "{Red, Blue, Gold}");
    let payoffs = t.machine.payoffs(&t.state).unwrap();
    assert_eq!(payoffs.as_slice(), [0.0, 1.0, 1.0, 1.0]);
}

/// Members without a seat are left out; a team of one is still a team.
#[test]
fn teams_follow_the_seats() {
    let mut t = set_up(GAME, &[("seats", "2")]);
    t.play(&["1"]).play(&["1"]).play(&["3"]);
    assert_eq!(t.value("met"), "{}");
    assert_eq!(t.machine.payoffs(&t.state).unwrap().as_slice(), [1.0, 0.0]);
}

#[test]
fn members_must_share_where_a_sum_is_claimed() {
    let text = GAME.replace(
        "{ Fox: if den == sniff then 0 else 1  Hounds: if den == sniff then 1 else 0 }",
        "[p in Player] if p == Red then 1 else 0",
    );
    let mut t = set_up(&text, &[]);
    t.play(&["2"])
        .play(&["1"])
        .play(&["2"])
        .play(&["3"])
        .play(&["1"]);
    let error = t.machine.payoffs(&t.state).unwrap_err();
    assert!(
        error.message.contains("Red and Blue are in one team"),
        "{}",
        error.message
    );
}

#[test]
fn a_plan_is_no_news_for_the_fox() {
    let text = GAME.replace(
        "draw n in 1..3 into sniff",
        "draw n in 1..3 into sniff   if plan[Red] == 1 { met = {} }",
    );
    let Err(problems) = ruse::load(&text, &Default::default()) else {
        panic!("a leak");
    };
    assert_eq!(problems[0].code.0, "E0401", "{}", report(&text, &problems));
}

/// A payoff by names, in which the others share a value.
#[test]
fn the_payoff_of_all_others_follows_else() {
    let game = |payoff: &str| {
        let text = format!(
            "game T {{ players {{ Fox, Red, Ann }} team Hounds {{ Red, Ann }} state {{ n : 0..3 }} \
             play {{ Fox chooses k in 1..3 into n }} payoff {payoff} }}"
        );
        ruse::load(&text, &Default::default())
            .map(|_| ())
            .map_err(|problems| problems[0].code.0)
    };
    assert_eq!(game("general-sum: { Fox: n, else: 0 }"), Ok(()));
    assert_eq!(game("constant-sum 4: { Hounds: n, else: 4 - n }"), Ok(()));
    assert_eq!(game("general-sum: { else: n }"), Ok(()));
    assert_eq!(
        game("general-sum: { Fox: n, Fox: 1, else: 0 }"),
        Err("E0503")
    );
    assert_eq!(game("general-sum: { Bob: n, else: 0 }"), Err("E0503"));
    assert_eq!(game("general-sum: { 3: n, else: 0 }"), Err("E0503"));
    assert_eq!(game("zero-sum: { Fox: 1, else: Fox }"), Err("E0201"));
}
