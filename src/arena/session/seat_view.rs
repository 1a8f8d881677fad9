//! What a person sees: texts alone, which carry nothing of the state but what reached that seat.

use crate::machine::seat::{EventTexts, Rows};
use crate::machine::{Machine, PlayError, RenderedBoard, Seat, State, View};

/// The game from one seat.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct SeatView {
    /// The name of the seat.
    pub name: String,
    /// The boards, with what the seat sees on them; none where it is not asked and the game goes on.
    pub boards: Vec<RenderedBoard>,
    /// The variables that the seat sees, as they were when something reached it last.
    pub view: View,
    /// The shown values, likewise.
    pub shown: Vec<(String, String)>,
    /// What the seat was told since the game began.
    pub told: Rows,
    /// The texts of the options, in the order in which `Session::choose` counts them; none while nothing is asked.
    pub options: Vec<String>,
}

impl SeatView {
    /// What a seat was told, with what it has before its eyes in the state that it was led to.
    ///
    /// # Errors
    /// Where the rules run into an error while the options are listed.
    pub fn new(
        machine: &Machine,
        state: &State,
        seat: &Seat,
        texts: &EventTexts,
    ) -> Result<SeatView, PlayError> {
        let sight = seat.sight(machine, state)?.unwrap_or_default();
        Ok(SeatView {
            name: machine.player_name(seat.player()).to_string(),
            boards: sight.boards,
            view: seat.view(),
            shown: seat.shown(texts),
            told: seat.rows(machine, texts),
            options: sight.texts,
        })
    }
}
