//! All ways on from a state, each with its events.

use ruse::internal::machine::{
    Action, Actions, Event, Machine, Observation, Outcomes, PlayError, State, Turn,
};
use ruse::internal::model::{PlayerSet, SiteId, SiteKind};

/// An event with those who see it.
pub type Told = (PlayerSet, Observation);

/// One way on from a state.
pub struct Step {
    /// One for each player to move, or the outcome.
    pub actions: Vec<Action>,
    /// Of an outcome; 1 for choices.
    pub weight: u64,
    pub events: Vec<Told>,
    pub after: State,
}

/// A choice or a draw at a node: its place, and who chooses.
pub type Move = (SiteId, Option<u8>);

fn told(event: &Event<'_>) -> Told {
    (event.viewers, Observation::from(event))
}

/// The state at which play begins, and what was told before.
pub fn begin(machine: &Machine) -> Result<(State, Vec<Told>), PlayError> {
    let mut events = Vec::new();
    let state = machine.initial_observed(&mut |e| events.push(told(&e)))?;
    Ok((state, events))
}

/// All ways on; `None` where there are more than `most`.
pub fn steps(
    machine: &Machine,
    state: &State,
    most: usize,
) -> Result<Option<Vec<Step>>, PlayError> {
    let mut ways: Vec<(Vec<Action>, u64)> = Vec::new();
    match machine.turn(state) {
        Turn::Terminal => {}
        Turn::Chance => {
            let mut outcomes = Outcomes::default();
            if !machine.few_outcomes(state, most, &mut outcomes)? {
                return Ok(None);
            }
            ways.extend(outcomes.list.into_iter().map(|(a, w)| (vec![a], w)));
        }
        Turn::Decision(movers) => {
            ways.push((Vec::new(), 1));
            for player in movers {
                let mut options = Actions::default();
                machine.legal(state, player, &mut options)?;
                if ways.len() * options.len() > most {
                    return Ok(None);
                }
                let longer = ways.iter().flat_map(|(joint, weight)| {
                    options.iter().map(|action| {
                        let mut joint = joint.clone();
                        joint.push(action.clone());
                        (joint, *weight)
                    })
                });
                ways = longer.collect();
            }
        }
    }
    let mut steps = Vec::with_capacity(ways.len());
    for (actions, weight) in ways {
        let (mut events, mut after) = (Vec::new(), state.clone());
        machine.step_observed(&mut after, &actions, &mut |e| events.push(told(&e)))?;
        steps.push(Step {
            actions,
            weight,
            events,
            after,
        });
    }
    Ok(Some(steps))
}

/// Whether an event is of a choice or a draw, and which.
pub fn moved(machine: &Machine, event: &Observation) -> Option<Move> {
    match machine.description().site(event.site).kind {
        SiteKind::Choice | SiteKind::Draw | SiteKind::Deal => Some((event.site, event.chooser)),
        SiteKind::Reveal | SiteKind::Shown | SiteKind::End => None,
    }
}

/// The choices or the draw that are made at a node, in the order in which they are told, each with those who see
/// something of it on one way at least.
pub fn moves(machine: &Machine, steps: &[Step]) -> Vec<(Move, PlayerSet)> {
    let mut list: Vec<(Move, PlayerSet)> = Vec::new();
    for (viewers, event) in steps.iter().flat_map(|s| &s.events) {
        let Some(made) = moved(machine, event) else {
            continue;
        };
        match list.iter_mut().find(|(known, _)| *known == made) {
            Some((_, seen)) => *seen |= *viewers,
            None => list.push((made, *viewers)),
        }
    }
    list
}

/// A step in words, for reports.
pub fn words(machine: &Machine, state: &State, actions: &[Action]) -> String {
    let texts: Vec<String> = match machine.turn(state) {
        Turn::Decision(movers) => movers
            .iter()
            .zip(actions)
            .map(|(p, action)| {
                let text = machine.action_text(state, p, action, None);
                format!("{} {text}", machine.player_name(p))
            })
            .collect(),
        _ => actions
            .iter()
            .map(|outcome| format!("drawn {}", machine.outcome_text(state, outcome, None)))
            .collect(),
    };
    texts.join(" & ")
}
