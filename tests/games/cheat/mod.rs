//! Cheat (Bitan & Kraus 2018, section 4): the rules against a game written by hand, line by line where that is clearer;
//! what the knowledge says against what the history says.

mod knowledge;
mod lines;
mod model;
mod rules;
mod table;
