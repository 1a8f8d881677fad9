//! How long it takes from the text of a game to its first playout.

use super::super::clock;
use super::super::engine::EngineName;
use super::super::load::Loaded;
use super::super::output::Failure;
use super::{Length, rules};
use crate::random::stream;
use serde::Serialize;
use std::time::Duration;

/// The fastest of several tries, in milliseconds.
#[derive(Debug, Default, Serialize)]
pub(super) struct Ready {
    pub ready_ms: f64,
    pub ready_phases_ms: Phases,
}

/// Of what it consists.
#[derive(Debug, Default, Serialize)]
pub(super) struct Phases {
    read: f64,
    check: f64,
    compile: f64,
    /// Writing the flow of a playout, with all passes over it.
    optimise: f64,
    /// Making machine code, or opcodes, and the first playout.
    generate: f64,
}

impl Ready {
    /// Tries for about a time, and once at least.
    pub fn measure(
        length: Length<'_>,
        load: impl Fn() -> Result<Loaded, Failure>,
        engine: EngineName,
    ) -> Result<Ready, Failure> {
        let time = clock::stopwatch();
        let mut fastest: Option<Ready> = None;
        loop {
            let found = Ready::once(&load, engine)?;
            if fastest.as_ref().is_none_or(|f| found.ready_ms < f.ready_ms) {
                fastest = Some(found);
            }
            if length.is_over(time()) {
                return Ok(fastest.unwrap_or_default());
            }
        }
    }

    fn once(
        load: impl Fn() -> Result<Loaded, Failure>,
        engine: EngineName,
    ) -> Result<Ready, Failure> {
        let time = clock::stopwatch();
        let loaded = EngineName::run_on(Some(engine), load()?);
        let after = |phase: &str| {
            let found = loaded.phases.iter().find(|(name, _)| *name == phase);
            found.map_or(0.0, |(_, time)| milliseconds(*time))
        };
        let loading = time();
        loaded.machine.write_playouts();
        let written = time();
        let fail = |error| rules(&loaded, &error);
        let start = loaded.machine.initial().map_err(fail)?;
        let mut rng = stream(0, &[]);
        let mut playouts = loaded.machine.playouts();
        playouts.play(&start, &mut rng).map_err(fail)?;
        let played = time();
        Ok(Ready {
            ready_ms: milliseconds(played),
            ready_phases_ms: Phases {
                read: after("read"),
                check: after("checked"),
                compile: after("compiled"),
                optimise: milliseconds(written - loading),
                generate: milliseconds(played - written),
            },
        })
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}
