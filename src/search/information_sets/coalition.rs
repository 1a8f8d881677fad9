//! Coalition Reduction: a searcher that trusts less in what its team-mates will do (Nijssen & Winands 2012, section IV-E).
//!
//! The member whose choice ended the game is credited with the payoff of the team, and all whose choices did where several were
//! made together; where no member made the last choice, all are. A payoff u that a member is not credited with becomes l + (1 − r)·(u − l), l being the least that the team can get.
//! No payoff leaves the bounds that the game gives it.

use crate::machine::{Machine, Payoffs};
use crate::model::{Claim, PlayerSet};
use crate::search::supported_games::{Games, Unsuited};

/// Who is asked whether it is credited.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Credit {
    /// The searching player. What it gets goes to all nodes of its team, and what the team loses to the opponents: to a
    /// single side all of it, to several as much more of it as they are further from the most that they can get.
    Root,
    /// Each member of a team at its own nodes. Opponents get what they got.
    Member,
}

/// What is set about it.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Coalition {
    /// `None`: payoffs are what they are.
    pub credit: Option<Credit>,
    /// r, from 0 (nothing is reduced) to 1.
    pub reduction: f64,
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
        let Some(credit) = self.credit else {
            return Ok(());
        };
        WITH_TEAMS.suits(machine, || {
            let none = "coalition=none".to_string();
            (format!("coalition={}", credit.word()), vec![none])
        })
    }

    /// What a simulation's payoffs count as in the search of a player, if `last` made the last choices of the game.
    pub fn reduce(
        self,
        machine: &Machine,
        searcher: usize,
        last: PlayerSet,
        payoffs: &mut Payoffs,
    ) {
        let sides = &machine.description().payoff.sides;
        let credited = sides.iter().filter(|side| !(**side & last).is_empty());
        match self.credit {
            None => {}
            Some(Credit::Root) => {
                let mut credited = credited.filter(|team| team.contains(searcher));
                let Some(team) = credited.next().filter(|_| !last.contains(searcher)) else {
                    return;
                };
                let lost = self.lost(machine, searcher, payoffs[searcher]);
                team.iter().for_each(|member| payoffs[member] -= lost);
                let others = sides.iter().filter(|side| *side != team);
                share(machine, others, lost, payoffs);
            }
            Some(Credit::Member) => {
                for member in credited.flat_map(|team| (*team - last).iter()) {
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

impl Credit {
    /// As it is set.
    fn word(self) -> &'static str {
        match self {
            Credit::Root => "root",
            Credit::Member => "member",
        }
    }
}

/// Shares out an amount among sides in proportion to what each could still get, and no more than that.
fn share<'s>(
    machine: &Machine,
    sides: impl Iterator<Item = &'s PlayerSet> + Clone,
    amount: f64,
    payoffs: &mut Payoffs,
) {
    // The members of a side get the same.
    let room = |side: &PlayerSet, payoffs: &Payoffs| {
        let member = side.iter().next().unwrap_or_default();
        (machine.features().payoff_bounds[member].1 - payoffs[member]).max(0.0)
    };
    let total: f64 = sides.clone().map(|side| room(side, payoffs)).sum();
    if total <= 0.0 {
        return;
    }
    for side in sides {
        let gain = room(side, payoffs) * (amount / total).min(1.0);
        side.iter().for_each(|member| payoffs[member] += gain);
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

    /// Three sides: what the rowers get is lost by the others.
    const THREE: &str = "game Regatta {
      players { Sun, Rain, Ann, Ben }
      team Rowers { Ann, Ben }
      state { won : bool = false }
      play { Ann chooses { row => { won = true  end }  rest => {} }  Ben chooses { row => { won = true  end }  rest => {} } }
      payoff constant-sum 6: { Sun: if won then 0 else 1  Rain: if won then 0 else 3  Rowers: if won then 6 else 2 }
    }";

    fn reduced_in(
        game: &str,
        payoffs: &[f64],
        coalition: Coalition,
        searcher: usize,
        last: &[usize],
    ) -> Vec<f64> {
        let (machine, _) = crate::load(game, &Default::default()).unwrap();
        let mut payoffs: Payoffs = payoffs.iter().copied().collect();
        let last = last.iter().map(|&p| PlayerSet::only(p));
        let last = last.fold(PlayerSet::EMPTY, |all, one| all | one);
        coalition.reduce(&machine, searcher, last, &mut payoffs);
        payoffs.to_vec()
    }

    fn reduced(coalition: Coalition, searcher: usize, last: &[usize]) -> Vec<f64> {
        reduced_in(GAME, &[-1.0, 5.0, 5.0], coalition, searcher, last)
    }

    fn coalition(credit: Credit, reduction: f64) -> Coalition {
        Coalition {
            credit: Some(credit),
            reduction,
        }
    }

    #[test]
    fn who_made_the_last_choice_is_credited() {
        let root = coalition(Credit::Root, 0.25);
        assert_eq!(reduced(root, 1, &[1]), [-1.0, 5.0, 5.0]);
        assert_eq!(reduced(root, 1, &[2]), [0.0, 4.0, 4.0]);
        assert_eq!(reduced(root, 0, &[2]), [-1.0, 5.0, 5.0]);
        assert_eq!(reduced(root, 1, &[0]), [-1.0, 5.0, 5.0]);
        assert_eq!(reduced(root, 1, &[]), [-1.0, 5.0, 5.0]);
        let member = coalition(Credit::Member, 0.25);
        assert_eq!(reduced(member, 1, &[2]), [-1.0, 4.0, 5.0]);
        assert_eq!(reduced(member, 0, &[2]), [-1.0, 4.0, 5.0]);
        assert_eq!(reduced(Coalition::default(), 1, &[2]), [-1.0, 5.0, 5.0]);
        // Together.
        for searcher in [1, 2] {
            assert_eq!(reduced(root, searcher, &[1, 2]), [-1.0, 5.0, 5.0]);
        }
        assert_eq!(reduced(root, 1, &[0, 2]), [0.0, 4.0, 4.0]);
        assert_eq!(reduced(member, 1, &[1, 2]), [-1.0, 5.0, 5.0]);
        assert_eq!(reduced(member, 1, &[0, 1]), [-1.0, 5.0, 4.0]);
    }

    /// The opponents gain in proportion to what they could still get, and nobody gets more than the game gives.
    #[test]
    fn payoffs_keep_to_their_bounds() {
        let after = |reduction, payoffs: &[f64]| {
            let root = coalition(Credit::Root, reduction);
            reduced_in(THREE, payoffs, root, 2, &[3])
        };
        assert_eq!(after(0.5, &[0.0, 0.0, 6.0, 6.0]), [0.5, 1.5, 4.0, 4.0]);
        assert_eq!(after(1.0, &[0.0, 0.0, 6.0, 6.0]), [1.0, 3.0, 2.0, 2.0]);
        // More than the game itself ever takes from the opponents: there is no room for all of it.
        assert_eq!(after(1.0, &[1.0, 2.0, 6.0, 6.0]), [1.0, 3.0, 2.0, 2.0]);
        assert_eq!(after(1.0, &[1.0, 3.0, 6.0, 6.0]), [1.0, 3.0, 2.0, 2.0]);
    }
}
