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
    /// A game that was just loaded, on this engine.
    pub fn run(self, mut loaded: Loaded) -> Loaded {
        loaded.machine = match Arc::try_unwrap(loaded.machine) {
            Ok(machine) => Arc::new(machine.with_engine(self.into())),
            Err(shared) => shared,
        };
        loaded
    }
}
