//! Who follows the moves of a playout.

use super::frames::Frame;
use crate::ir::{NodeId, Operand, SampleCode};

/// One action or outcome of a playout, as an observer gets it.
pub(super) struct ChosenAction<'a> {
    pub node: NodeId,
    /// `None`: chance.
    pub player: Option<usize>,
    pub frame: &'a Frame,
    pub chosen: u64,
    pub parts: &'a [Operand],
}

/// Who follows a playout.
pub(super) trait MoveObserver {
    fn observe(&mut self, action: ChosenAction<'_>);

    /// The playout begins anew.
    fn forget(&mut self) {}
}

impl MoveObserver for () {
    fn observe(&mut self, _: ChosenAction<'_>) {}
}

/// Tells an observer what was chosen or drawn, as it stands in the frame. Other codes tell nothing.
pub(super) fn report(f: &Frame, code: &SampleCode, observer: &mut (impl MoveObserver + ?Sized)) {
    let SampleCode::Report {
        player,
        node,
        chosen,
        alternatives,
        ..
    } = code
    else {
        return;
    };
    let chosen = f[*chosen as usize];
    observer.observe(ChosenAction {
        node: *node,
        player: player.map(|slot| f[slot as usize] as usize),
        frame: f,
        chosen,
        parts: alternatives.get(chosen as usize).map_or(&[], |p| p),
    });
}
