//! The shipped games: their rules one by one, against the literature, against other programs, and as transcripts.

mod backgammon;
mod battleship;
mod benched;
mod boards;
mod cheat;
mod chess;
mod go;
mod hanabi;
mod limit_holdem;
mod patrol;
mod plays;
mod reference;
mod resistance;
mod rules;
mod scotland_yard;
mod stratego;
#[path = "../support/mod.rs"]
mod support;
mod whist;
