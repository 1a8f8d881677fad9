//! The games of `benches/games/`, written before anything was tuned to them, count as in another program.

use ruse::internal::check::Settings;
use ruse::internal::machine::Engine;
use ruse::internal::solve::{PerftOptions, perft};
use std::sync::atomic::AtomicBool;

/// Histories by plies, as OpenSpiel 2.0.2 counts them. There the first field of ultimate tic-tac-toe is chosen in two steps. Those of
/// ataxx are what programs for that game are held to.
const COUNTS: [(&str, &[u64]); 6] = [
    ("ataxx", &[16, 256, 6_460, 155_888]),
    ("clobber", &[49, 2_116, 80_063]),
    ("mancala", &[6, 35, 185, 942, 4_690, 23_233]),
    ("nine-mens-morris", &[24, 552, 12_144]),
    ("dots-and-boxes", &[12, 132, 1_320, 11_880, 95_040]),
    ("ultimate-tic-tac-toe", &[81, 720, 6_336, 55_080]),
];

#[test]
fn histories_are_counted_alike() {
    for (name, counts) in COUNTS {
        let text = std::fs::read_to_string(format!("benches/games/{name}.game")).expect("a game");
        for engine in [Engine::Portable, Engine::Native] {
            let Ok((machine, _)) = ruse::load(&text, &Settings::new()) else {
                panic!("{name} has errors");
            };
            let machine = machine.with_engine(engine);
            let options = PerftOptions {
                depth: Some(counts.len()),
                ..PerftOptions::default()
            };
            let found = perft(&machine, &options, &mut |_| {}, &AtomicBool::new(false));
            let found = found.expect("counts").nodes_by_depth;
            assert_eq!(found[1..], counts[..], "{name}");
        }
    }
}
