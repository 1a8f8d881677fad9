//! Go in written positions: captures, suicide, ko, the end, the score; and counts of all games by a separate program.

use crate::support::{load, movers};
use ruse::internal::machine::{Actions, Machine, State, Turn};
use ruse::internal::solve::{PerftOptions, perft};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

const BLACK: usize = 0;
const WHITE: usize = 1;

/// A game under way on a board of five by five.
struct Board {
    machine: Arc<Machine>,
    state: State,
}

impl Board {
    fn empty(komi: &str) -> Board {
        let machine = load("go", &[("size", "5"), ("komi", komi)]);
        let state = machine.initial().expect("a first move");
        Board { machine, state }
    }

    /// The position of a diagram, X Black and O White, the top row first. Players who have no stone left to place pass.
    fn of(rows: [&str; 5], to_move: usize, komi: &str) -> Board {
        let mut board = Board::empty(komi);
        let (black, white) = (stones(rows, 'X'), stones(rows, 'O'));
        for i in 0..black.len().max(white.len()) {
            board.play(black.get(i).map_or("pass", |s| s));
            if i + 1 == black.len() && i >= white.len() && to_move == WHITE {
                break;
            }
            board.play(white.get(i).map_or("pass", |s| s));
        }
        if board.mover() != to_move {
            board.play("pass");
        }
        assert_eq!(board.shown(), rows, "the diagram was set up");
        board
    }

    fn mover(&self) -> usize {
        movers(&self.machine, &self.state)[0]
    }

    fn options(&self) -> BTreeSet<String> {
        let p = self.mover();
        let mut actions = Actions::default();
        self.machine
            .legal(&self.state, p, &mut actions)
            .expect("options");
        actions
            .iter()
            .map(|a| self.machine.action_text(&self.state, p, a, None))
            .collect()
    }

    fn play(&mut self, text: &str) {
        let p = self.mover();
        let mut actions = Actions::default();
        self.machine
            .legal(&self.state, p, &mut actions)
            .expect("options");
        let action = actions
            .iter()
            .find(|a| self.machine.action_text(&self.state, p, a, None) == text)
            .unwrap_or_else(|| panic!("{text} is no option in {:#?}", self.shown()))
            .clone();
        self.machine
            .step(&mut self.state, &[action])
            .expect("a step");
    }

    fn shown(&self) -> [String; 5] {
        let view = self.machine.view(&self.state, BLACK).entries;
        let held = |name: &str| -> BTreeSet<String> {
            let entry = view.iter().find(|e| e.name == name).expect("stones");
            let inner = entry.value.trim_matches(['{', '}']);
            inner.split(", ").map(String::from).collect()
        };
        let (black, white) = (held("stones[Black]"), held("stones[White]"));
        std::array::from_fn(|row| {
            ('a'..='e')
                .map(|column| {
                    let cell = format!("{column}{}", 5 - row);
                    match (black.contains(&cell), white.contains(&cell)) {
                        (true, _) => 'X',
                        (_, true) => 'O',
                        _ => '.',
                    }
                })
                .collect()
        })
    }

    /// Both pass; what each then gets.
    fn scored(mut self) -> Vec<f64> {
        while self.machine.turn(&self.state) != Turn::Terminal {
            self.play("pass");
        }
        self.machine.payoffs(&self.state).expect("payoffs").to_vec()
    }
}

fn stones(rows: [&str; 5], sign: char) -> Vec<String> {
    let mut cells = Vec::new();
    for (row, line) in rows.iter().enumerate() {
        for (column, found) in line.chars().enumerate() {
            if found == sign {
                cells.push(format!("{}{}", char::from(b'a' + column as u8), 5 - row));
            }
        }
    }
    cells
}

#[track_caller]
fn leads(from: [&str; 5], player: usize, cell: &str, to: [&str; 5]) -> Board {
    let mut board = Board::of(from, player, "7.5");
    board.play(cell);
    assert_eq!(board.shown(), to, "{cell}");
    board
}

#[track_caller]
fn forbidden(from: [&str; 5], player: usize, cell: &str) {
    let board = Board::of(from, player, "7.5");
    assert!(!board.options().contains(cell), "{cell}");
}

#[test]
fn stones_without_liberties_are_taken() {
    leads(
        [".....", "..X..", ".XOX.", ".....", "....."],
        BLACK,
        "c2",
        [".....", "..X..", ".X.X.", "..X..", "....."],
    );
    leads(
        [".....", ".....", ".....", ".....", "OX..."],
        BLACK,
        "a2",
        [".....", ".....", ".....", "X....", ".X..."],
    );
    leads(
        [".....", ".....", ".....", "XX...", "OO..."],
        BLACK,
        "c1",
        [".....", ".....", ".....", "XX...", "..X.."],
    );
    leads(
        [".....", ".....", ".....", "XXXX.", "OOOO."],
        BLACK,
        "e1",
        [".....", ".....", ".....", "XXXX.", "....X"],
    );
    // White takes as Black does.
    leads(
        [".....", ".....", "O....", "XO...", "....."],
        WHITE,
        "a1",
        [".....", ".....", "O....", ".O...", "O...."],
    );
    // A chain with a liberty left stays.
    leads(
        [".....", ".....", ".....", "XX...", "OOO.."],
        BLACK,
        "c2",
        [".....", ".....", ".....", "XXX..", "OOO.."],
    );
    // Two at once.
    leads(
        [".....", ".X.X.", "XO.OX", ".X.X.", "....."],
        BLACK,
        "c3",
        [".....", ".X.X.", "X.X.X", ".X.X.", "....."],
    );
}

#[test]
fn suicide_is_forbidden() {
    forbidden([".....", ".....", ".....", "X....", ".X..."], WHITE, "a1");
    forbidden([".....", "..X..", ".X.X.", "..X..", "....."], WHITE, "c3");
    // Nor of more than one stone.
    forbidden([".....", ".....", "X....", "OX...", ".X..."], WHITE, "a1");
    forbidden([".....", "XX...", "OOX..", "O.X..", "OOX.."], WHITE, "b2");
    // Who owns the surroundings may fill them.
    leads(
        [".....", ".....", ".....", "X....", ".X..."],
        BLACK,
        "a1",
        [".....", ".....", ".....", "X....", "XX..."],
    );
    // And who takes something has a liberty.
    leads(
        [".....", "XX...", "OOX..", "O.X..", "OOX.."],
        BLACK,
        "b2",
        [".....", "XX...", "..X..", ".XX..", "..X.."],
    );
}

const KO: [&str; 5] = [".....", "..XO.", ".XO.O", "..XO.", "....."];
const TAKEN: [&str; 5] = [".....", "..XO.", ".X.XO", "..XO.", "....."];

#[test]
fn a_ko_is_not_retaken_at_once() {
    let board = leads(KO, BLACK, "d3", TAKEN);
    assert!(!board.options().contains("c3"));
    assert!(board.options().contains("a1"));
}

#[test]
fn a_ko_is_retaken_after_a_move_elsewhere() {
    let mut board = leads(KO, BLACK, "d3", TAKEN);
    board.play("a1");
    board.play("e5");
    board.play("c3");
    assert_eq!(board.shown(), ["....X", "..XO.", ".XO.O", "..XO.", "O...."]);
    assert!(!board.options().contains("d3"));
}

#[test]
fn a_ko_is_retaken_after_a_pass() {
    let mut board = leads(KO, BLACK, "d3", TAKEN);
    board.play("pass");
    board.play("e5");
    assert!(board.options().contains("c3"));
}

#[test]
fn who_fills_the_ko_ends_it() {
    let mut board = leads(KO, BLACK, "d3", TAKEN);
    board.play("a1");
    board.play("c3");
    assert_eq!(board.shown(), [".....", "..XO.", ".XXXO", "..XO.", "O...."]);
}

/// White takes one stone with two, and loses the two at once.
#[test]
fn a_snapback_is_no_ko() {
    let mut board = leads(
        [".....", ".....", ".....", "XXO..", "O.XO."],
        WHITE,
        "b1",
        [".....", ".....", ".....", "XXO..", "OO.O."],
    );
    board.play("c1");
    assert_eq!(board.shown(), [".....", ".....", ".....", "XXO..", "..XO."]);
}

#[test]
fn the_game_ends_with_two_passes_in_a_row() {
    let mut board = Board::empty("7.5");
    assert_eq!(board.options().len(), 26);
    board.play("pass");
    board.play("c3");
    board.play("pass");
    assert_ne!(board.machine.turn(&board.state), Turn::Terminal);
    board.play("pass");
    assert_eq!(board.machine.turn(&board.state), Turn::Terminal);
}

#[test]
fn the_game_ends_at_its_limit() {
    let machine = load("go", &[("size", "5"), ("limit", "1"), ("komi", "0.5")]);
    let mut board = Board {
        state: machine.initial().expect("a first move"),
        machine,
    };
    board.play("c3");
    assert_eq!(board.machine.turn(&board.state), Turn::Terminal);
    assert_eq!(board.scored(), [1.0, 0.0]);
}

#[test]
fn area_is_stones_and_what_they_alone_surround() {
    const EMPTY: [&str; 5] = ["....."; 5];
    // 15 to 10.
    const WALLS: [&str; 5] = [".....", ".....", "XXXXX", "OOOOO", "....."];
    // 10 to 10, and a row that both reach.
    const SHARED: [&str; 5] = [".....", "XXXXX", ".....", "OOOOO", "....."];
    // The stone in the corner has not been taken: 5 to 11.
    const LEFT: [&str; 5] = ["O....", ".....", "XXXXX", "OOOOO", "....."];
    // Six stones and two eyes, 8 of 25; the rest is White's.
    const EYES: [&str; 5] = [".....", ".....", "OOOO.", "XXXXO", ".X.XO"];
    for (rows, komi, black) in [
        (EMPTY, "0", 0.5),
        (EMPTY, "0.5", 0.0),
        ([".....", ".....", "..X..", ".....", "....."], "7.5", 1.0),
        ([".....", ".....", "..X..", ".....", "....."], "25.5", 0.0),
        (WALLS, "4.5", 1.0),
        (WALLS, "5", 0.5),
        (WALLS, "5.5", 0.0),
        (SHARED, "0", 0.5),
        (LEFT, "0", 0.0),
        (LEFT, "-6", 0.5),
        (EYES, "0", 0.0),
        (EYES, "-9", 0.5),
    ] {
        let board = Board::of(rows, BLACK, komi);
        assert_eq!(board.scored(), [black, 1.0 - black], "{rows:?} komi {komi}");
    }
}

/// Histories by their length on small boards, as counted by a separate program that was written for this (chains by
/// flood fill, captures on a copy of the board).
#[test]
fn all_games_on_small_boards() {
    let counts: [(&str, &[u64]); 3] = [
        (
            "2",
            &[
                1, 5, 21, 68, 156, 316, 604, 1168, 2592, 5768, 12120, 24248, 47840,
            ],
        ),
        ("3", &[1, 10, 91, 738, 5281, 33384, 179712]),
        ("4", &[1, 17, 273, 4112, 57984]),
    ];
    for (size, expected) in counts {
        let machine = load("go", &[("size", size)]);
        let options = PerftOptions {
            depth: Some(expected.len() - 1),
            ..PerftOptions::default()
        };
        let found =
            perft(&machine, &options, &mut |_| {}, &AtomicBool::new(false)).expect("counts");
        assert_eq!(found.nodes_by_depth, expected, "size {size}");
    }
}
