use super::*;

const COINS: &str = "game Coins { players { Ann, Ben } state { first : 0..2 = 0 second : 0..2 = 0 }
    play { Ann chooses x in 0..2 into first  Ben chooses y in 0..2 into second }
    payoff zero-sum: { Ann: if first > second then 1 else if first == second then 0 else -1
                       Ben: if first > second then -1 else if first == second then 0 else 1 } }";

const ALONE: &str = "game Alone { players { Ann } state { got : 0..9 = 0 }
    play { Ann chooses x in 0..9 into got } payoff general-sum: { Ann: got } }";

fn subject(text: &str) -> Subject {
    let (machine, _) = crate::load(text, &Default::default()).expect("a game");
    let machine = Arc::new(machine);
    let spec = |text: &str| PlayerSpec::parse(text).expect("a player");
    Subject {
        machine,
        player: spec("uct(playouts=100)"),
        weaker: vec![spec("uct(playouts=10)"), spec("random")],
        clock: Arc::new(|| std::time::Duration::ZERO),
    }
}

fn made(text: &str, threads: usize) -> Reported {
    let options = MatchOptions {
        games: 15,
        seed: 3,
        threads: Some(threads),
    };
    let never = AtomicBool::new(false);
    report(&subject(text), &options, &|_| {}, &never).expect("a report")
}

#[test]
fn a_report_is_the_same_on_any_number_of_threads() {
    let one = made(COINS, 1);
    assert_eq!(one.report, made(COINS, 3).report);
    assert_eq!(one.games.len(), 15);
}

/// Both choose the greatest number, so that equal players draw; whoever plays at random loses to that.
#[test]
fn a_game_of_skill_shows_it() {
    let report = made(COINS, 2).report;
    assert_eq!(report.finished, 15);
    assert_eq!(report.draws.as_ref().and_then(|d| d.share), Some(1.0));
    assert_eq!(report.length.plies.mean, Some(2.0));
    assert_eq!(report.branching.range, Some((3, 3)));
    let lead = report
        .course
        .lead
        .as_ref()
        .expect("payoffs can be compared");
    // Ann is ahead after her choice, and not at the end.
    assert_eq!(lead.changes.mean, Some(0.0));
    assert_eq!(lead.turned.share, None);
    let random = &report.skill[1];
    assert_eq!((random.weaker.as_str(), random.games), ("random", 16));
    let stronger = random.stronger_results.as_ref().expect("two players");
    let (low, _) = stronger.payoff.interval.expect("games");
    assert!(low > 0.0, "{stronger:?}");
    let names: Vec<&str> = svg::pictures(&report).iter().map(|p| p.0).collect();
    assert_eq!(
        names,
        ["length.svg", "branching.svg", "seats.svg", "skill.svg"]
    );
}

#[test]
fn a_game_for_one_has_a_report() {
    let report = made(ALONE, 1).report;
    assert_eq!((&report.draws, &report.course.lead), (&None, &None));
    let random = &report.skill[1];
    assert_eq!(random.stronger_results, None);
    let best = report.seats["Ann"].payoff.mean;
    assert!(best > random.weaker_payoff.mean, "{report:?}");
    assert!(report.course.decisive_choices.mean.is_some());
}

#[test]
fn a_report_that_was_stopped_is_about_what_was_finished() {
    let stop = AtomicBool::new(false);
    let options = MatchOptions {
        games: 15,
        seed: 3,
        threads: Some(1),
    };
    let progress = |n| stop.store(n >= 5, Ordering::Relaxed);
    let reported = report(&subject(COINS), &options, &progress, &stop).expect("a report");
    assert_eq!(reported.report.finished, 5);
    assert_eq!(reported.report.skill[0].games, 0);
}
