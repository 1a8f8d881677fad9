//! A playout state by state: the reference for the compiled one, and the fallback for games whose frame is too large.

use super::{Move, Played};
use crate::compile::playout::in_order;
use crate::compile::playout_policy::{PlayoutPolicy, UNIFORM};
use crate::ir::NodeKind;
use crate::machine::{Action, Machine, PlayError, State, Turn};
use crate::model::PlayerSet;
use rand::Rng;
use smallvec::SmallVec;

/// What everybody does in one ply, and `None` for chance.
type Ply = SmallVec<[(Option<usize>, Action); 4]>;

#[doc(hidden)]
impl Machine {
    /// One ply of a playout: what is drawn, or what the players to move choose, in seating order, each uniformly. Nothing at
    /// the end of the game.
    ///
    /// # Errors
    /// As [`Machine::sample`] and [`Machine::sample_chance`].
    pub fn sample_ply(
        &self,
        state: &State,
        rng: &mut impl Rng,
    ) -> Result<SmallVec<[Action; 4]>, PlayError> {
        Ok(in_seating_order(sampled(self, &UNIFORM, state, rng)?))
    }
}

pub(super) fn play(
    machine: &Machine,
    policy: &PlayoutPolicy,
    state: &State,
    rng: &mut impl Rng,
    mut moves: Option<&mut Vec<Move>>,
) -> Result<Played, PlayError> {
    let mut state = state.clone();
    let mut last = PlayerSet::EMPTY;
    while machine.turn(&state) != Turn::Terminal {
        let ply = sampled(machine, policy, &state, rng)?;
        let movers = ply.iter().filter_map(|(player, _)| *player);
        let movers = movers.fold(PlayerSet::EMPTY, |all, p| all | PlayerSet::only(p));
        last = if movers.is_empty() { last } else { movers };
        for (player, action) in &ply {
            if let Some(moves) = moves.as_deref_mut() {
                moves.push(Move {
                    node: machine.node(&state),
                    player: *player,
                    action: action.clone(),
                });
            }
        }
        machine.step(&mut state, &in_seating_order(ply))?;
    }
    let payoffs = machine.payoff_units(&state)?;
    Ok(Played { payoffs, last })
}

/// A ply in the order in which it is sampled.
fn sampled(
    machine: &Machine,
    policy: &PlayoutPolicy,
    state: &State,
    rng: &mut impl Rng,
) -> Result<Ply, PlayError> {
    let mut ply = Ply::new();
    match &machine.program.nodes[state.node as usize].kind {
        NodeKind::Terminal => {}
        NodeKind::Chance(_) => ply.push((None, machine.sample_chance(state, rng)?)),
        NodeKind::Decision(arms) => {
            for arm in in_order(arms) {
                if machine.is_active(state, arm) {
                    let p = machine.arm_player(state, arm);
                    ply.push((Some(p), machine.sample_by(state, policy, p, rng)?));
                }
            }
        }
    }
    Ok(ply)
}

fn in_seating_order(mut ply: Ply) -> SmallVec<[Action; 4]> {
    ply.sort_by_key(|(player, _)| *player);
    ply.into_iter().map(|(_, action)| action).collect()
}
