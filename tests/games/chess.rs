//! Chess: published counts of the positions that programs are tried on (chessprogramming.org/Perft_Results).

use crate::support::load;
use ruse::internal::solve::{PerftOptions, perft};
use std::sync::atomic::AtomicBool;

/// A position in Forsyth–Edwards notation, White to move, as settings of the game.
fn settings(fen: &str) -> [(&'static str, String); 2] {
    let mut fields = fen.split(' ');
    let (rows, castling) = (fields.next().expect("rows"), fields.nth(1).expect("rights"));
    let unmoved: Vec<&str> = castling
        .chars()
        .map(|right| match right {
            'K' => "e1, h1",
            'Q' => "e1, a1",
            'k' => "e8, h8",
            'q' => "e8, a8",
            other => panic!("{other} is no right to castle"),
        })
        .collect();
    [
        ("start", rows.to_string()),
        ("castle", format!("{{ {} }}", unmoved.join(", "))),
    ]
}

/// Moves to each depth, and how many of the deepest leave no answer.
fn counts(fen: &str, moves: &[u64], mates: u64) {
    let settings = settings(fen);
    let settings = settings.each_ref().map(|(name, value)| (*name, &**value));
    let machine = load("chess", &settings);
    let options = PerftOptions {
        depth: Some(moves.len()),
        ..PerftOptions::default()
    };
    let found = perft(&machine, &options, &mut |_| {}, &AtomicBool::new(false)).expect("counts");
    assert_eq!(&found.nodes_by_depth[1..], moves, "{fen}");
    assert_eq!(found.terminals, mates, "{fen}");
}

#[test]
fn positions_have_as_many_moves_as_published() {
    counts(
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        &[48, 2039, 97862],
        1,
    );
    counts(
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        &[6, 264, 9467],
        22,
    );
    counts(
        "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w  - 0 10",
        &[46, 2079, 89890],
        0,
    );
    counts(
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        &[44, 1486, 62379],
        44,
    );
}

#[test]
fn endgames_have_as_many_moves_as_published() {
    counts(
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w  - 0 1",
        &[14, 191, 2812, 43238],
        17,
    );
}

/// A quarter of an hour: `cargo test --test games chess -- --ignored`.
#[test]
#[ignore = "counts 15 million moves"]
fn positions_have_as_many_moves_as_published_in_depth() {
    counts(
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &[20, 400, 8902, 197281, 4865609],
        347,
    );
    counts(
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        &[48, 2039, 97862, 4085603],
        43,
    );
    counts(
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w  - 0 1",
        &[14, 191, 2812, 43238, 674624],
        17,
    );
}
