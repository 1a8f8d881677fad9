//! Coalition Reduction: a searcher that trusts less in what its team-mates will do (Nijssen & Winands 2012, section IV-E).
//!
//! The member whose choice ended the game is credited with the payoff of the team; where no member made the last choice, all
//! are. A payoff u that a member is not credited with becomes l + (1 − r)·(u − l), l being the least that the team can get.

use crate::machine::{Machine, Payoffs};
use crate::model::{Claim, PlayerSet};
use crate::search::supported_games::{Games, Unsuited};

/// Who is asked whether it is credited.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub enum Credit {
    /// The searching player. What it gets goes to all nodes of its team, and the opponents get what is left of the constant
    /// sum.
    #[default]
    Root,
    /// Each member of a team at its own nodes. Opponents get what they got.
    Member,
}

/// What is set about it.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Coalition {
    /// r, from 0 (nothing is reduced) to 1.
    pub reduction: f64,
    pub credit: Credit,
}

/// Games with a team whose members share one payoff.
static WITH_TEAMS: Games = Games {
    needs: "a team of two or more in a constant-sum game",
    lacks: |machine| {
        let payoff = &machine.description().payoff;
        let but = match payoff.claim {
            Claim::GeneralSum => "these are general-sum",
            Claim::ConstantSum { .. } if payoff.sides.iter().all(|side| side.len() < 2) => {
                "everybody plays alone"
            }
            Claim::ConstantSum { .. } => return None,
        };
        Some((payoff.span, but.to_string()))
    },
};

impl Coalition {
    /// Whether a game has what it needs.
    ///
    /// # Errors
    /// What is missing.
    pub fn suits(self, machine: &Machine) -> Result<(), Box<Unsuited>> {
        if self.reduction == 0.0 {
            return Ok(());
        }
        let Some((span, but)) = (WITH_TEAMS.lacks)(machine) else {
            return Ok(());
        };
        Err(Box::new(Unsuited {
            span,
            setting: format!("r={}", self.reduction),
            needs: WITH_TEAMS.needs,
            but,
            instead: vec!["r=0".to_string()],
        }))
    }

    /// What a simulation's payoffs count as in the search of a player, if `last` made the last choice of the game.
    pub fn reduce(
        self,
        machine: &Machine,
        searcher: usize,
        last: Option<usize>,
        payoffs: &mut Payoffs,
    ) {
        let Some(last) = last.filter(|_| self.reduction > 0.0) else {
            return;
        };
        let sides = &machine.description().payoff.sides;
        let Some(team) = sides.iter().find(|side| side.contains(last)) else {
            return;
        };
        match self.credit {
            Credit::Root if last == searcher || !team.contains(searcher) => {}
            Credit::Root => {
                let lost = self.lost(machine, searcher, payoffs[searcher]);
                team.iter().for_each(|member| payoffs[member] -= lost);
                let others: PlayerSet = (0..payoffs.len()).filter(|p| !team.contains(*p)).collect();
                let opponents = sides.iter().filter(|side| *side != team).count();
                let gain = lost / opponents.max(1) as f64;
                others.iter().for_each(|other| payoffs[other] += gain);
            }
            Credit::Member => {
                for member in team.iter().filter(|member| *member != last) {
                    payoffs[member] -= self.lost(machine, member, payoffs[member]);
                }
            }
        }
    }

    /// By how much a payoff of a member is reduced.
    fn lost(self, machine: &Machine, member: usize, payoff: f64) -> f64 {
        let (least, _) = machine.features().payoff_bounds[member];
        self.reduction * (payoff - least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = "game Chase {
      players { Fox, Ann, Ben }
      team Hounds { Ann, Ben }
      state { who : Player? }
      play { Ann chooses { catch => { who = Ann  end }  wait => {} }  Ben chooses { catch => { who = Ben  end }  wait => {} } }
      payoff constant-sum 4: { Fox: if who == none then 3 else -1  Hounds: if who == none then 1 else 5 }
    }";

    fn reduced(coalition: Coalition, searcher: usize, last: Option<usize>) -> Vec<f64> {
        let (machine, _) = crate::load(GAME, &Default::default()).unwrap();
        let mut payoffs: Payoffs = [-1.0, 5.0, 5.0].into_iter().collect();
        coalition.reduce(&machine, searcher, last, &mut payoffs);
        payoffs.to_vec()
    }

    #[test]
    fn who_made_the_last_choice_is_credited() {
        let root = Coalition {
            reduction: 0.25,
            credit: Credit::Root,
        };
        assert_eq!(reduced(root, 1, Some(1)), [-1.0, 5.0, 5.0]);
        assert_eq!(reduced(root, 1, Some(2)), [0.0, 4.0, 4.0]);
        assert_eq!(reduced(root, 0, Some(2)), [-1.0, 5.0, 5.0]);
        assert_eq!(reduced(root, 1, Some(0)), [-1.0, 5.0, 5.0]);
        assert_eq!(reduced(root, 1, None), [-1.0, 5.0, 5.0]);
        let member = Coalition {
            reduction: 0.25,
            credit: Credit::Member,
        };
        assert_eq!(reduced(member, 1, Some(2)), [-1.0, 4.0, 5.0]);
        assert_eq!(reduced(member, 0, Some(2)), [-1.0, 4.0, 5.0]);
        assert_eq!(reduced(Coalition::default(), 1, Some(2)), [-1.0, 5.0, 5.0]);
    }
}
