//! Experiments about convergence: how exploitable are the strategies that simultaneous-move tree searches hold, and does
//! more search make them less so (Lanctot, Lisý & Winands 2013, section 4.3)?
//!
//! Each player searches many times, each time in one tree from the start, and after so many simulations the strategy of
//! the whole tree is judged: against its best response over the whole game, or against the best response for a few nodes
//! with perfect play after them (Ex_d). `outline` reads the file, `plan` lists the runs, `judge` measures one, `part`
//! keeps what was measured, `summary` sums it up, and `markdown`, `csv` and `svg` show it. A run follows from the seed,
//! its player and its number alone.

pub mod csv;
pub mod judge;
pub mod markdown;
pub mod outline;
pub mod part;
pub mod plan;
pub mod run;
pub mod summary;
pub mod svg;

pub use judge::Judge;
pub use outline::Outline;
pub use plan::{Convergence, Run};
pub use run::play;
pub use summary::{Summary, sum_up};
