//! Experiments: many matches between named players, told by one YAML file, whose table can be had in parts.
//!
//! `outline` reads the file, `plan` makes it a list of games that each follow from the seed and their own number
//! alone, `run` plays some of them, `tally` counts what came of them, `lines` are the counts as text that is kept
//! between runs, `summary` says what they mean, and `markdown`, `csv` and `svg` show it. Whatever order the games were
//! played in, and on however many threads and in however many parts, equal counts give the same bytes. Nothing is read
//! or written here.

pub mod codes;
pub mod csv;
pub mod lines;
pub mod markdown;
pub mod metric;
pub mod outline;
pub mod part;
pub mod plan;
pub mod run;
pub mod summary;
pub mod svg;
pub mod tally;

pub use lines::{Header, Line};
pub use metric::Metric;
pub use outline::Outline;
pub use part::Part;
pub use plan::{Cell, Experiment, Shard, Unit, Variant};
pub use run::{Failed, Finished, play};
pub use summary::{Summary, sum_up};
pub use tally::Tally;
