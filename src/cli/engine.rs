//! `--engine`: what runs playouts, steps and lists.

use super::load::Loaded;
use crate::machine::Engine;
use clap::ValueEnum;
use std::sync::Arc;

/// An engine as it is called here.
#[derive(Copy, Clone, Debug, ValueEnum)]
pub enum EngineName {
    Native,
    Portable,
}

impl From<EngineName> for Engine {
    fn from(name: EngineName) -> Engine {
        match name {
            EngineName::Native => Engine::Native,
            EngineName::Portable => Engine::Portable,
        }
    }
}

impl EngineName {
    /// A game that was just loaded, on the engine that was asked for.
    pub fn run_on(engine: Option<EngineName>, mut loaded: Loaded) -> Loaded {
        let Some(engine) = engine else {
            return loaded;
        };
        loaded.machine = match Arc::try_unwrap(loaded.machine) {
            Ok(machine) => Arc::new(machine.with_engine(engine.into())),
            Err(shared) => shared,
        };
        loaded
    }
}
