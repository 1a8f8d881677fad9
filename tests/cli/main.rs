//! The program as people and other programs meet it.

mod commands;
mod commitments;
mod convergence;
mod experiment;
mod fresh_searches;
mod gambit;
mod hostile;
mod imports;
mod play;
#[cfg(target_os = "linux")]
mod pty;
mod records;
mod report;
mod round_robin;
mod saved_games;
mod screens;
mod solving;
#[cfg(target_os = "linux")]
mod stopped;
mod strategies;
mod streams;
#[path = "../support/mod.rs"]
mod support;
#[cfg(target_os = "linux")]
mod terminal;
mod transcripts;
mod wrong_use;
