//! Screens of the shipped games: what a person sees who plays one of them fits on an ordinary terminal.

use ruse::Settings;
use ruse::internal::arena::session::{Occupant, Page, SeatView, Session, Waiting, screen};
use ruse::internal::players::{Clock, Patience};
use ruse::internal::shipped;
use std::sync::Arc;
use std::time::Duration;

/// The first questions of a game in which everybody chooses at random.
fn questions(name: &str, text: &str, number: u64, count: usize) -> Vec<SeatView> {
    let beside = |from: &str, file: &str| {
        shipped::beside(from, file).unwrap_or_else(|| Err("no such file".to_string()))
    };
    let (loaded, sources) = ruse::load_with(name, text, &Settings::default(), &beside);
    let machine = Arc::new(loaded.unwrap().0);
    let clock: Clock = Arc::new(|| Duration::ZERO);
    let seats = vec![Occupant::Person; machine.player_count()];
    let mut session = Session::new(&machine, seats, 7, number, &clock).unwrap();
    session.quote(&sources);
    let (mut views, mut turn) = (Vec::new(), number + 1);
    while let Waiting::Choice(seat) = session.advance(Patience::ENDLESS).unwrap() {
        let view = session.view(seat).unwrap();
        turn = turn.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let option = (turn >> 33) as usize % view.options.len();
        assert!(session.choose(seat, option).unwrap());
        views.push(view);
        if views.len() == count {
            break;
        }
    }
    views
}

fn width(text: &str) -> usize {
    text.lines()
        .map(|line| line.chars().count())
        .max()
        .unwrap_or(0)
}

#[test]
fn screens_of_shipped_games_fit_and_end_with_the_board() {
    for game in shipped::all() {
        for number in 0..2 {
            for view in questions(&game.source_name(), game.text, number, 16) {
                for (columns, rows) in [(80, 24), (60, 24), (40, 24), (120, 50)] {
                    let page = Page {
                        columns,
                        rows,
                        colour: false,
                    };
                    let text = screen::question(&view, &page);
                    // Nobody can fold a board.
                    let bare = SeatView {
                        boards: view.boards.clone(),
                        ..SeatView::default()
                    };
                    let boards = screen::board(&bare, &page);
                    let most = columns.max(width(&boards));
                    assert!(
                        width(&text) <= most,
                        "{} in {columns} columns:\n{text}",
                        game.name
                    );
                    if columns >= 80 {
                        let lines = text.lines().count() + 2;
                        assert!(lines <= rows, "{} has {lines} lines:\n{text}", game.name);
                    }
                    let still = SeatView {
                        recent: Vec::new(),
                        ..view.clone()
                    };
                    let text = screen::question(&still, &page);
                    assert!(
                        rows < 50 || text.ends_with(&boards),
                        "{}:\n{text}",
                        game.name
                    );
                }
            }
        }
    }
}

/// Colours change nothing but the colours.
#[test]
fn colours_are_all_that_is_added() {
    for game in shipped::all() {
        for view in questions(&game.source_name(), game.text, 0, 4) {
            let plain = Page::default();
            let coloured = Page {
                colour: true,
                ..plain
            };
            let painted = screen::question(&view, &coloured);
            let mut stripped = String::new();
            for (i, piece) in painted.split("\x1b[").enumerate() {
                let text = if i == 0 {
                    piece
                } else {
                    piece.split_once('m').unwrap().1
                };
                stripped.push_str(text);
            }
            assert_eq!(stripped, screen::question(&view, &plain), "{}", game.name);
        }
    }
}

#[test]
fn what_is_revealed_goes_by_the_name_that_it_gets() {
    let text = r#"game Best {
  players { Ann, Ben }
  state { card : [p: Player] 1..6 = { Ann: 4, Ben: 5 }  seen by p  top : 1..12 }
  play {
    top = reveal(max(card)) as "the best card is {top}"
    let sum = reveal(sum(card)) as "together they are {sum}"
    let least = min(card)
    reveal(least) as "the least is {least}"
    top = reveal(top + least) as "and {least} more than {top}"
    Ann chooses n in 1..top as "{n}"
  }
  payoff general-sum: [p in Player] sum(n in 1..6 where n == card[p]) n
}"#;
    let view = questions("best.game", text, 0, 1).remove(0);
    let page = Page {
        columns: 80,
        rows: 24,
        colour: false,
    };
    let shown = screen::question(&view, &page);
    for said in [
        "the best card is 5",
        "together they are 9",
        "the least is 4",
        "and 4 more than 5",
    ] {
        assert!(shown.contains(said), "{said}:\n{shown}");
    }
}
