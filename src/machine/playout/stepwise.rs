//! A playout state by state: the reference for the compiled one, and the fallback for games whose frame is too large.

use super::{Move, Played};
use crate::compile::playout::in_order;
use crate::compile::playout_policy::PlayoutPolicy;
use crate::ir::NodeKind;
use crate::machine::{Action, Machine, PlayError, State, Turn};
use rand::Rng;
use smallvec::SmallVec;

pub(super) fn play(
    machine: &Machine,
    policy: &PlayoutPolicy,
    state: &State,
    rng: &mut impl Rng,
    mut moves: Option<&mut Vec<Move>>,
) -> Result<Played, PlayError> {
    let mut state = state.clone();
    let mut last = None;
    loop {
        let mut actions: SmallVec<[Action; 4]> = SmallVec::new();
        let mut tell = |player: Option<usize>, action: &Action| {
            if let Some(moves) = moves.as_deref_mut() {
                moves.push(Move {
                    node: machine.node(&state),
                    player,
                    action: action.clone(),
                });
            }
        };
        match machine.turn(&state) {
            Turn::Terminal => {
                let payoffs = machine.payoff_units(&state)?;
                return Ok(Played { payoffs, last });
            }
            Turn::Chance => {
                let outcome = machine.sample_chance(&state, rng)?;
                tell(None, &outcome);
                actions.push(outcome);
            }
            Turn::Decision(_) => {
                let mut chosen: SmallVec<[(usize, Action); 4]> = SmallVec::new();
                if let NodeKind::Decision(arms) = &machine.program.nodes[state.node as usize].kind {
                    for arm in in_order(arms) {
                        if machine.is_active(&state, arm) {
                            let p = machine.arm_player(&state, arm);
                            let action = machine.sample_by(&state, policy, p, rng)?;
                            tell(Some(p), &action);
                            chosen.push((p, action));
                            last = Some(p);
                        }
                    }
                }
                chosen.sort_by_key(|(p, _)| *p);
                actions.extend(chosen.into_iter().map(|(_, action)| action));
            }
        }
        machine.step(&mut state, &actions)?;
    }
}
