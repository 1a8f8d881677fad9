//! What each construct of the language does, on little games: options, stores, events and errors as the page on the
//! language says, with expectations worked out by hand; what wrong texts are told; and what the documents say.

mod accidents;
mod after;
mod boards;
mod documents;
mod draws;
mod edits;
mod elsewhere;
mod explain;
mod extends;
mod extremes;
mod families;
mod filters;
mod games;
mod knowledge;
mod layouts;
mod long_moves;
mod mutants;
mod names;
mod narrowing;
mod notes;
mod orders;
mod params;
mod positions;
mod requirements;
mod rows;
mod sentences;
mod several_names;
mod state_if;
mod subsets;
#[path = "../support/mod.rs"]
mod support;
mod table;
mod teams;
mod texts;
mod truth_values;
mod visibility;
mod wrong;
