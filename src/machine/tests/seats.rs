//! What reaches a seat: entries, and what changed by then, as it stands within a step.

use super::{Run, game, small};
use crate::machine::seat::EventTexts;
use crate::machine::step_text::StepText;
use crate::machine::{Machine, Picture, Seat};

/// A seat after some moves.
fn seated(machine: &Machine, player: usize, moves: &[&[&str]]) -> Seat {
    let mut seats = [Seat::new(machine, player)];
    let mut run = Run::new(machine);
    let mut state = machine.initial_seated(&mut seats, &mut |_| {}).unwrap();
    for texts in moves {
        let actions = run.actions(texts);
        let told = machine.step_seated(&mut state, &actions, &mut seats, &mut |_| {});
        told.unwrap();
        run.state = state.clone();
    }
    let [seat] = seats;
    seat
}

/// The rows of a seat after some moves, each as one line.
fn lines(machine: &Machine, player: usize, moves: &[&[&str]]) -> Vec<String> {
    let seat = seated(machine, player, moves);
    let rows = seat.rows(machine, &EventTexts::new(machine)).rows;
    rows.iter().map(line).collect()
}

fn line(row: &StepText) -> String {
    let moves = row.moves.iter();
    let moves = moves.map(|m| format!("{} {}", m.by.as_deref().unwrap_or("drawn"), m.text));
    let revealed = row
        .revealed
        .iter()
        .map(|(_, value)| format!("revealed {value}"));
    let news: Vec<String> = moves.chain(revealed).collect();
    let after = row.changes.iter().chain(&row.shown);
    let after: Vec<String> = after
        .map(|(name, value)| format!("{name} = {value}"))
        .collect();
    format!("{}: {}", news.join(" & "), after.join("; "))
}

#[test]
fn changes_come_with_the_next_own_entry_however_often_play_rests() {
    let machine = small(
        "",
        "secret : 0..1 seen by Ann
         open : 0..3",
        "Ann chooses secretly s in 0..1 into secret
         Ann chooses { go }
         open = 1
         if secret == 1 { Ann chooses secretly again in 0..1 }
         reveal(0)
         open = 2
         Ben chooses g in 0..3 into open",
    );
    let told = ["Ann go: open = 1", "revealed 0: open = 2"];
    assert_eq!(lines(&machine, 1, &[&["0"], &["go"]]), told);
    assert_eq!(lines(&machine, 1, &[&["1"], &["go"], &["0"]]), told);
    let own = lines(&machine, 0, &[&["1"], &["go"], &["0"]]);
    assert_eq!(own[0], "Ann 1: secret = 1");
    assert_eq!(own[1..3], ["Ann go: open = 1", "Ann 0: "]);
    // Ann is not asked any more: what is stored after her last entry comes at the end.
    assert_eq!(own[3], "revealed 0: ");
    let end = lines(&machine, 0, &[&["0"], &["go"], &["3"]]);
    assert_eq!(end[2..], ["revealed 0: open = 2", "Ben 3: open = 3"]);
}

#[test]
fn a_draw_that_is_not_seen_has_no_row() {
    let machine = small(
        "",
        "",
        "draw secretly d in 1..2 as \"oracle {d}\"
         reveal(0 to Ben)
         draw d in 1..2 seen by Ben as \"{d}\"",
    );
    assert_eq!(lines(&machine, 0, &[&["oracle 1"], &["2"]]), [""; 0]);
    assert_eq!(
        lines(&machine, 1, &[&["oracle 1"], &["2"]]),
        ["revealed 0: ", "drawn 2: "]
    );
}

/// A rule that reads a shown def tells its value, be it another when the player is asked.
#[test]
fn what_a_shown_def_was_in_the_middle_of_a_turn_is_told() {
    let machine = small(
        "shown def z: 0..2 = n",
        "n : 0..2 seen by none",
        "draw c in 0..2 into n as \"{c}\"
         let y = z
         n = if y == 1 then 2 else 0
         Ben chooses { go }",
    );
    for (drawn, told) in [("0", "z = 0"), ("1", "z = 1; z = 2"), ("2", "z = 2; z = 0")] {
        let rows = lines(&machine, 1, &[&[drawn], &["go"]]);
        assert_eq!(rows[0], format!(": {told}"), "{drawn}");
    }
}

/// Who sees an event may stand in a variable.
#[test]
fn shown_values_are_told_to_those_in_a_set() {
    let machine = small(
        "shown def m: 0..2 = n",
        "n : 0..2 seen by none
         live : set of Player = { Ben }",
        "draw c in 1..2 into n seen by none as \"{c}\"
         draw d in 0..1 seen by live as \"{d}\"
         Ben chooses { go }",
    );
    let steps: [&[&str]; 3] = [&["1"], &["0"], &["go"]];
    assert_eq!(lines(&machine, 1, &steps)[..2], [": m = 1", "drawn 0: "]);
}

#[test]
fn shown_values_say_whose_they_are_and_are_told_once() {
    let machine = small(
        "shown def held(p: Player): 0..3 = size(hand[p])",
        "hand : [p: Player] set of 1..3 seen by p
         stock : set of 1..3 = all seen by none",
        "deal 1 from stock to hand[Ben]
         Ben chooses { done }",
    );
    assert_eq!(
        lines(&machine, 0, &[&["{1}"], &["done"]]),
        [": held[Ann] = 0; held[Ben] = 1", "Ben done: "]
    );
    assert_eq!(
        lines(&machine, 1, &[&["{1}"], &["done"]]),
        [
            ": held[Ann] = 0; held[Ben] = 0",
            "drawn {1}: hand[Ben] = {1}; held[Ben] = 1",
            "Ben done: "
        ]
    );
}

#[test]
fn a_choice_is_told_as_far_as_it_is_seen() {
    let machine = game(
        "game Labels { players { A, B }
         play { together each p in Player { p chooses x in 1..2, secretly y in 1..2 } }
         payoff general-sum: [p in Player] 0 }",
    );
    assert_eq!(
        lines(&machine, 0, &[&["1, 2", "2, 1"]]),
        ["A 1, 2: ", "B 2, ·: "]
    );
}

#[test]
fn a_seat_sees_boards_and_options_only_where_it_is_asked_and_at_the_end() {
    let machine = small(
        "",
        "open : 0..2",
        "Ann chooses a in 1..2 into open  Ben chooses { on }",
    );
    let mut seats = [0, 1].map(|p| Seat::new(&machine, p));
    let mut state = machine.initial_seated(&mut seats, &mut |_| {}).unwrap();
    let texts = |seats: &[Seat], state: &_| {
        let sights = seats.iter().map(|s| s.sight(&machine, state).unwrap());
        sights.map(|s| s.map(|s| s.texts)).collect::<Vec<_>>()
    };
    let some = |texts: &[&str]| Some(texts.iter().map(ToString::to_string).collect());
    assert_eq!(texts(&seats, &state), [some(&["1", "2"]), None]);
    let mut run = Run::new(&machine);
    for (text, then) in [("2", [None, some(&["on"])]), ("on", [some(&[]), some(&[])])] {
        let actions = run.actions(&[text]);
        let told = machine.step_seated(&mut state, &actions, &mut seats, &mut |_| {});
        told.unwrap();
        run.state = state.clone();
        assert_eq!(texts(&seats, &state), then);
    }
    assert_eq!(seats[1].view().entries[0].value, "2");
}

#[test]
fn what_was_decided_together_is_told_since_the_last_choice() {
    let machine = small(
        "",
        "score : 0..9",
        "repeat 2 times {
           together each p in Player { p chooses x in 1..2 }
           score += 1
         }",
    );
    let mut seats = vec![Seat::new(&machine, 1)];
    let texts = EventTexts::new(&machine);
    let mut run = Run::new(&machine);
    let mut state = machine.initial_seated(&mut seats, &mut |_| {}).unwrap();
    let mut since = vec![seats[0].rows(&machine, &texts).since];
    for _ in 0..2 {
        let actions = run.actions(&["1", "2"]);
        let told = machine.step_seated(&mut state, &actions, &mut seats, &mut |_| {});
        told.unwrap();
        run.state = state.clone();
        since.push(seats[0].rows(&machine, &texts).since);
    }
    assert_eq!(since, [0, 0, 2]);
}

/// The elements that say something to a player after some moves, as `name value`.
fn told(machine: &Machine, player: usize, moves: &[&[&str]]) -> Vec<String> {
    let seat = seated(machine, player, moves);
    let entries = std::iter::zip(seat.view().entries, seat.blanks());
    let told = entries.filter(|(_, blank)| !blank);
    told.map(|(e, _)| format!("{} {}", e.name, e.value))
        .collect()
}

#[test]
fn an_element_is_set_once_something_was_stored_there() {
    let machine = small(
        "enum Disc { flower, skull }",
        "stack : [Player][1..3] Disc
         laid : [Player] 0..3",
        "turns p from Ann at most 6 {
           p chooses d in Disc
           laid[p] += 1
           stack[p][laid[p]] = d
         }",
    );
    let laid = |ann: u8, ben: u8| [format!("laid[Ann] {ann}"), format!("laid[Ben] {ben}")];
    assert_eq!(told(&machine, 0, &[]), laid(0, 0));
    let one = [&["stack[Ann][1] flower".to_string()][..], &laid(1, 0)].concat();
    assert_eq!(told(&machine, 1, &[&["flower"]]), one);
    // Ann is told where she is asked again.
    let two = ["stack[Ann][1] flower", "stack[Ben][1] skull"].map(String::from);
    let two = [&two[..], &laid(1, 1)].concat();
    assert_eq!(told(&machine, 0, &[&["flower"], &["skull"]]), two);
}

/// The index of what is stored may be what is stored to.
#[test]
fn an_element_that_says_which_is_stored_is_told_alone() {
    let machine = small(
        "enum S { a, b, c, d }",
        "x : [S] S",
        "Ann chooses n in S as \"{n}\"  x[x[a]] = n  Ben chooses { done }",
    );
    assert_eq!(told(&machine, 1, &[&["c"]]), ["x[a] c"]);
}

#[test]
fn whether_something_is_set_tells_no_secret() {
    let machine = small(
        "",
        "secret : 0..1 seen by Ann
         open : 0..3
         tried : 0..3",
        "Ann chooses secretly s in 0..1 into secret
         if secret == 1 { open = 0 }
         if (tried == 1 after { tried = secret }) { Ann chooses secretly again in 0..1 }
         reveal(0)
         Ben chooses { done }",
    );
    let both = [&[&["0"][..]][..], &[&["1"], &["0"]]].map(|moves| told(&machine, 1, moves));
    assert_eq!(both[0], both[1]);
}

#[test]
fn a_small_board_is_drawn_where_it_is_declared() {
    let drawn = |board: &str, first: &str| {
        let machine = small(
            board,
            &format!(
                "gold : [Cell] 0..4 = 4  at : [Player] Cell = {{ Ann: {first}, else: {first} }}"
            ),
            "Ann chooses c in Cell into at[Ann] as \"{c}\"",
        );
        let state = machine.initial().unwrap();
        let boards = machine.render(&state, None);
        matches!(&boards[..], [board, ..] if matches!(board.picture, Picture::Cells(_)))
    };
    assert!(drawn("grid Cell(3, 1)", "b1"));
    assert!(drawn("grid Cell(1, 2)", "a2"));
    assert!(drawn("enum Cell { a1, b1, a2, b2 }", "b1"));
    // These need not be cells.
    assert!(!drawn("enum Cell { a1, b1 }", "b1"));
}

#[test]
fn a_cell_that_nobody_has_set_is_empty() {
    let machine = small(
        "enum Cell { a1, b1, a2, b2 }
         enum Disc { flower, skull }",
        "disc : [Cell] Disc
         stone : Cell",
        "turns p from Ann at most 2 { p chooses c in Cell, d in Disc as \"{c} {d}\"  disc[c] = d }",
    );
    let mut seats = [0, 1].map(|p| Seat::new(&machine, p));
    let run = Run::new(&machine);
    let mut state = machine.initial_seated(&mut seats, &mut |_| {}).unwrap();
    let actions = run.actions(&["b1 flower"]);
    let told = machine.step_seated(&mut state, &actions, &mut seats, &mut |_| {});
    told.unwrap();
    let sight = seats[1].sight(&machine, &state).unwrap().unwrap();
    let Picture::Cells(cells) = &sight.boards[0].picture else {
        panic!("no cells");
    };
    let rows: Vec<String> = cells.rows.iter().map(|(_, row)| row.join(" ")).collect();
    assert_eq!(rows, [". .", ". flower"]);
}
