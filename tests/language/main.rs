//! What each construct of the language does, on little games: options, stores, events and errors as the page on the
//! language says, with expectations worked out by hand.

mod after;
mod extends;
mod families;
mod filters;
mod games;
mod layouts;
mod notes;
mod orders;
mod params;
mod rows;
mod sentences;
mod subsets;
mod table;
mod teams;
mod texts;
mod wrong;
