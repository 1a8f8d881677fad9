//! What a person sees: texts alone, which carry nothing of the state but what that seat may see.

use crate::machine::step_text::StepText;
use crate::machine::{RenderedBoard, View};

/// The game from one seat.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct SeatView {
    /// The name of the seat.
    pub name: String,
    /// The boards, with what the seat sees on them.
    pub boards: Vec<RenderedBoard>,
    /// The variables that the seat sees.
    pub view: View,
    /// What the seat was told since the game began.
    pub step_texts: Vec<StepText>,
    /// How much of `told` is older than the seat's last choice.
    pub since: usize,
    /// The texts of the options, in the order in which `Session::choose` counts them; none while nothing is asked.
    pub options: Vec<String>,
}
