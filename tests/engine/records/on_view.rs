//! The values of shown defs at every event, from the second reader: machines tell of them only where play rests.

use super::entries::Shown;
use crate::reader::{Showing, read};
use ruse::internal::machine::{Action, Machine};
use std::collections::VecDeque;

/// What is on view, by seat.
#[derive(Clone)]
pub struct OnView {
    /// At each event of the last step that the seat sees.
    pub at_events: Vec<VecDeque<Vec<Shown>>>,
    /// Where play rests.
    pub at_rest: Vec<Vec<Shown>>,
}

impl OnView {
    /// After a script; nothing where the reader does not come to its end, or there is nothing to show.
    pub fn after(machine: &Machine, script: &[Vec<Action>]) -> OnView {
        let players = machine.player_count();
        let mut view = OnView {
            at_events: vec![VecDeque::new(); players],
            at_rest: vec![Vec::new(); players],
        };
        if machine.description().shown.is_empty() {
            return view;
        }
        let Ok((_, segments)) = read(machine.description(), script) else {
            return view;
        };
        let Some(last) = segments.get(script.len()) else {
            return view;
        };
        for seat in 0..players {
            let events = std::iter::zip(&last.events, &last.on_view);
            let own = events.filter(|((who, _), _)| who.contains(seat));
            view.at_events[seat].extend(own.map(|(_, shown)| seen_by(seat, shown)));
            view.at_rest[seat] = seen_by(seat, &last.shown);
        }
        view
    }
}

fn seen_by(seat: usize, shown: &[Showing]) -> Vec<Shown> {
    let own = shown.iter().filter(|(_, _, who, _)| who.contains(seat));
    own.map(|(site, args, _, value)| (*site, args.clone(), value.clone()))
        .collect()
}
