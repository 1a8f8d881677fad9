//! Every shipped game is compiled for 64-bit ARM, on whatever processor that is done: its playouts of each kind, and its steps.

use super::super::codes::{optimised, passed};
use super::{code, data, lower};
use crate::compile::optimise::Until;
use crate::compile::playout::{Flow, PlayoutOptions, moves, steps};
use crate::compile::playout_policy::UNIFORM;
use crate::ir::Program;
use crate::{Settings, shipped};

fn flows(program: &Program) -> Vec<(&'static str, Flow)> {
    let silent = PlayoutOptions::default();
    let kinds = [
        ("playout", silent),
        (
            "counted",
            PlayoutOptions {
                counted: true,
                ..silent
            },
        ),
        (
            "observed",
            PlayoutOptions {
                observed: true,
                ..silent
            },
        ),
        (
            "after",
            PlayoutOptions {
                after: true,
                ..silent
            },
        ),
    ];
    let playouts = UNIFORM.is_fusible(program).then_some(kinds);
    let mut flows: Vec<_> = playouts
        .into_iter()
        .flatten()
        .map(|(kind, options)| (kind, optimised(program, options, &UNIFORM, Until::All)))
        .collect();
    flows.push(("steps", passed(program, steps(program, true), Until::All)));
    flows.push(("moves", passed(program, moves(program), Until::All)));
    flows
}

#[test]
fn every_shipped_game_compiles_for_64_bit_arm() {
    let loader = |from: &str, path: &str| shipped::beside(from, path).unwrap();
    let mut compiled = 0;
    for game in shipped::all() {
        let settings = Settings::new();
        let (loaded, _) = crate::load_with(&game.source_name(), game.text, &settings, &loader);
        let (machine, _) = loaded.unwrap();
        for (kind, flow) in flows(&machine.program) {
            let program = &machine.program;
            let data = data::Data::new(program, &flow);
            let data = data.unwrap_or_else(|why| panic!("{}, {kind}: {why}", game.name));
            let length = code::compile_for("aarch64", data, |data, function, config| {
                let (listings, _) = lower::lower(program, &flow, data, None, (function, config))?;
                Some(listings.stride())
            });
            let length = length.unwrap_or_else(|| panic!("{}, {kind}: not compiled", game.name));
            // An instruction has four bytes.
            assert!(
                length > 0 && length % 4 == 0,
                "{}, {kind}: {length}",
                game.name
            );
            compiled += 1;
        }
    }
    assert!(compiled > 60, "{compiled} flows");
}
