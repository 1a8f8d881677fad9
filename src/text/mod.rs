//! Texts, whatever they say: places in them, the files that they come from, problems reported on them with what
//! would mend them, YAML with places, tables and lines of a width, numbers of things,
//! names near to a misspelt one, and a page for every error code.

pub mod diagnostics;
pub mod edits;
pub mod explain;
pub mod nearest;
pub mod plural;
pub mod sources;
pub mod span;
pub mod table;
pub mod wrap;
pub mod yaml;

/// The mark of the byte order, with which some editors begin a file.
pub const BYTE_ORDER_MARK: &str = "\u{FEFF}";
