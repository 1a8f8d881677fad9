//! The codes of errors about who plays which seat. Their spans are in the text that says so.

use crate::text::diagnostics::Code;

/// The game has no seat of that name.
pub const UNKNOWN_SEAT: Code = Code("E0760");
/// A seat has two players.
pub const SEAT_TAKEN: Code = Code("E0761");
/// A seat has no player.
pub const SEAT_EMPTY: Code = Code("E0762");
/// The players without a seat do not fit the seats that are left.
pub const SEATS_DO_NOT_FIT: Code = Code("E0763");
