//! From the machine of a game to the program of a commitment, and back from its solution to plans in words and strategies.

use super::found::Commitment;
use super::mixes::{Mixes, moves};
use super::open_loop::{OpenLoop, explore};
use super::plans::{Plans, Trouble};
use super::program::{self, Program};
use super::sequence_form::{SequenceForm, TooLarge};
use crate::machine::Machine;
use crate::solve::tree::build;
use crate::solve::{Profile, Sequences, Tree, TreeError, TreeOptions, codes};
use crate::text::diagnostics::Diagnostic;
use serde::Serialize;
use std::sync::atomic::AtomicBool;

/// The most plans of a player, before the memory is looked at.
const MOST_PLANS: usize = 4_000_000;

/// A game as the commitment of one of its players.
#[derive(Debug)]
pub struct Posed {
    pub program: Program,
    pub leader: usize,
    pub form: Form,
}

/// What the program was made of.
#[derive(Debug)]
pub enum Form {
    /// Nobody learns anything on the way.
    Plans(Box<PlansForm>),
    Tree(Box<SequenceForm>),
}

/// A game as plans: lists of actions.
#[derive(Debug)]
pub struct PlansForm {
    pub(super) game: OpenLoop,
    /// For each player.
    pub(super) plans: [Plans; 2],
}

/// A plan of a player with its probability.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Prescribed {
    pub probability: f64,
    /// What the player does, as long as the game goes on.
    pub moves: Vec<String>,
}

/// How a game is posed.
#[derive(Copy, Clone, Debug)]
pub struct PoseOptions {
    /// The most bytes for plans and payoffs.
    pub memory: u64,
    /// For games that are posed over their tree.
    pub tree: TreeOptions,
    /// Whether games are that could be posed over plans.
    pub over_tree: bool,
}

/// Why a game was not posed.
#[derive(Debug)]
pub enum Unposed {
    /// The game is of no kind that is covered; with the place of the game that says so.
    Unsuited(Box<Diagnostic>),
    /// The program would take so many bytes or more, and more than it may.
    TooLarge {
        needed: u64,
        limit: u64,
    },
    Tree(TreeError),
}

impl From<TreeError> for Unposed {
    fn from(error: TreeError) -> Unposed {
        Unposed::Tree(error)
    }
}

/// Poses the commitment of `leader`: over plans where players learn nothing on the way, and else over the tree of the game.
///
/// # Errors
/// Why there is no program; those of play; when it was stopped.
pub fn pose(
    machine: &Machine,
    leader: usize,
    options: &PoseOptions,
    stop: &AtomicBool,
) -> Result<Posed, Unposed> {
    let players = machine.player_count();
    if players != 2 {
        return Err(refused(machine, players));
    }
    let game = match options.over_tree {
        true => None,
        false => explore(machine, stop)?,
    };
    match game {
        Some(game) => over_plans(game, leader, options.memory, stop),
        None => {
            let tree = build(machine, &options.tree, &mut |_| {}, stop)?;
            let sequences = Sequences::new(&tree);
            let limit = options.memory;
            let posed = SequenceForm::pose(tree, sequences, leader, limit);
            let (form, program) =
                posed.map_err(|TooLarge(needed)| Unposed::TooLarge { needed, limit })?;
            Ok(Posed {
                program,
                leader,
                form: Form::Tree(Box::new(form)),
            })
        }
    }
}

fn over_plans(
    game: OpenLoop,
    leader: usize,
    memory: u64,
    stop: &AtomicBool,
) -> Result<Posed, Unposed> {
    let most = ((memory / 64) as usize).min(MOST_PLANS);
    let listed = |player| {
        Plans::of(&game, player, most, stop).map_err(|trouble| match trouble {
            Trouble::Tree(error) => Unposed::Tree(error),
            Trouble::TooMany(plans) => Unposed::TooLarge {
                needed: 64 * plans as u64,
                limit: memory,
            },
        })
    };
    let plans = [listed(0)?, listed(1)?];
    let (own, other) = (&plans[leader], &plans[1 - leader]);
    // While it is made there are the numbers of ends and payoffs beside it.
    let needed = 2 * program::bytes(own.distinct() + 1, other.distinct());
    if needed > memory {
        let limit = memory;
        return Err(Unposed::TooLarge { needed, limit });
    }
    let Some(ends) = own.ends(other) else {
        let why = "plans are not as long as the game".to_string();
        return Err(Unposed::Tree(TreeError::Unsolved(why)));
    };
    let paid = |player: usize| -> Vec<f64> {
        let payoff = |end: &u32| game.payoffs[*end as usize][player];
        ends.iter().map(payoff).collect()
    };
    let program = Program::of_matrix(own.distinct(), &paid(leader), &paid(1 - leader));
    Ok(Posed {
        program,
        leader,
        form: Form::Plans(Box::new(PlansForm { game, plans })),
    })
}

fn refused(machine: &Machine, players: usize) -> Unposed {
    let description = machine.description();
    let there = match players {
        1 => "is one player".to_string(),
        n => format!("are {n} players"),
    };
    let message = format!(
        "there is no commitment to find in {}: it takes a leader and one who follows, and there {there}",
        description.name
    );
    let problem = Diagnostic::error(codes::UNSUITED, description.payoff.span, message);
    let hint = "look whether a param sets the number of players";
    Unposed::Unsuited(Box::new(problem.label("one payoff each").hint(hint)))
}

impl PlansForm {
    /// How many plans each player has, and how many of them differ.
    pub fn counts(&self) -> [(f64, usize); 2] {
        self.plans.each_ref().map(|plans| {
            let all = (0..plans.distinct()).map(|plan| plans.count(plan)).sum();
            (all, plans.distinct())
        })
    }

    /// The number of world states.
    pub fn states(&self) -> usize {
        self.game.states.len()
    }

    /// A plan of a player in words.
    pub fn moves(&self, machine: &Machine, player: usize, plan: usize) -> Vec<String> {
        let choices = self.plans[player].choices(plan);
        moves(&self.game, machine, player, &choices)
    }
}

impl Posed {
    /// The leader's plans of a commitment, the likeliest first, by number.
    pub fn plans_of(&self, found: &Commitment) -> Vec<(usize, f64)> {
        let shares = found.leader.iter().skip(1).copied().enumerate();
        let mut plans: Vec<(usize, f64)> = shares.filter(|(_, share)| *share > 0.0).collect();
        plans.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        plans
    }

    /// What both players do, as plans, with the game that these are of; `None` of a program over a tree.
    pub fn mixes(&self, found: &Commitment) -> Option<(&OpenLoop, Mixes)> {
        let Form::Plans(form) = &self.form else {
            return None;
        };
        let [leader, follower] = [self.leader, 1 - self.leader].map(|player| &form.plans[player]);
        let own = self.plans_of(found).into_iter();
        let own = own.map(|(plan, share)| (share, leader.choices(plan)));
        let answer = follower.choices(found.plan);
        Some((&form.game, Mixes::new(self.leader, own.collect(), answer)))
    }

    /// The strategies of both players over a tree of the game without skipped nodes; over the own tree of a program that has one.
    pub fn profile(&self, tree: &Tree, found: &Commitment) -> Profile {
        if let Some((game, mixes)) = self.mixes(found) {
            return mixes.profile(tree, game);
        }
        let mut plans = [Vec::new(), Vec::new()];
        if let Form::Tree(form) = &self.form {
            plans[self.leader] = found.leader.clone();
            let follower = 1 - self.leader;
            let mut answer = vec![0.0; form.sequences.players[follower].sequences];
            let plan = &form.plans[found.plan];
            plan.iter().for_each(|s| answer[*s as usize] = 1.0);
            plans[follower] = answer;
        }
        Profile::from_plans(tree, &plans)
    }

    /// What the leader and the follower are paid when the follower answers best to a leader that knows nothing better: every
    /// plan with the same probability, those that lead to the same counted apart; over a tree every choice with the same.
    pub fn uniform(&self) -> [f64; 2] {
        let x: Vec<(usize, f64)> = match &self.form {
            Form::Plans(form) => {
                let plans = &form.plans[self.leader];
                let total: f64 = (0..plans.distinct()).map(|plan| plans.count(plan)).sum();
                let shares =
                    (0..plans.distinct()).map(|plan| (plan + 1, plans.count(plan) / total));
                std::iter::once((0, 1.0)).chain(shares).collect()
            }
            Form::Tree(form) => {
                let uniform = Profile::uniform(&form.tree);
                let mut plans = uniform.plans(&form.sequences);
                plans
                    .swap_remove(self.leader)
                    .into_iter()
                    .enumerate()
                    .collect()
            }
        };
        let (plan, answers) = self.program.best_answer(&x);
        [self.program.leader_value(plan, &x), answers[plan]]
    }
}
