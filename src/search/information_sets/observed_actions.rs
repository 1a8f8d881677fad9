//! What one player would see of the actions of another.

use crate::machine::{Action, Actions, ObservedStepper, PlayError, State};
use smallvec::SmallVec;
use std::ops::ControlFlow;

/// A name for each of a mover's actions, the same for those that look the same to `viewer`. `joint` holds an action for each
/// mover, in seating order; `place` is that of this mover.
pub fn look_to(
    stepper: &mut ObservedStepper<'_>,
    state: &State,
    viewer: usize,
    (mover, place): (usize, usize),
    actions: &Actions,
    joint: &mut [Action],
) -> Result<Vec<Action>, PlayError> {
    let mut names = Vec::with_capacity(actions.len());
    let kept = joint[place].clone();
    let mut next = state.clone();
    for action in actions.iter() {
        joint[place].clone_from(action);
        // The events of a choice come before what it brings about; all that is needed is the mover's own.
        let mut name: SmallVec<[u64; 4]> = SmallVec::new();
        let stepped = stepper.step(&mut next, joint, &mut |event| {
            if event.chooser != Some(mover as u8) {
                return ControlFlow::Continue(());
            }
            if event.viewers.contains(viewer) {
                name.push(u64::from(event.site.0));
                name.push(event.pattern);
                name.extend_from_slice(event.values);
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })?;
        if stepped.is_continue() {
            next.clone_from(state);
        }
        names.push(Action(name));
    }
    joint[place] = kept;
    Ok(names)
}
