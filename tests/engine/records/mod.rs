//! What players learn, checked on every history of small games.
//!
//! A seat's *record* is what reached it, in order: events as far as it sees them, with the shown values told by then;
//! the questions put to it; the end. Three laws follow from what `docs/language.md` says of who sees what:
//!
//! - After equal records a seat sees the same: options, texts, variables, boards, screens.
//! - After equal records the next entry is of the same place, chooser and question, and differs only in its news: the label
//!   and the values that the description gives to the seat, what is revealed to it, what is shown to it.
//! - A draw that is not `revealing` does not depend on hidden choices of others: the same records and the same chance so
//!   far give the same distribution of what is seen of it.
//!
//! What is paid lies outside: payoffs tell nobody anything before the end.

mod dares;
mod entries;
mod expressions;
mod extras;
mod flow;
mod fuzz;
mod games;
mod holes;
mod knowledge;
pub mod laws;
mod members;
mod mistakes;
mod moves;
mod piles;
mod places;
mod seen;
mod sources;
mod switched;
mod tally;
pub mod walk;
pub mod writer;
mod wrong;
