//! The sequence form of a game as small as it can be: of a game in which nobody learns anything on the way, over plans that
//! differ, and without choices of which one alone is left.

use super::open_loop::Next;
use super::posed::{Form, PlansForm, Posed};
use super::sequence_form::SequenceForm;
use crate::solve::TreeError;
use crate::solve::methods::Progress;
use crate::solve::sequences::PlayerSequences;
use crate::solve::tree::NodeKind;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a player can do. Sequence 0 is the empty one.
#[derive(Debug)]
pub struct Side {
    pub sequences: usize,
    /// The sequence that leads to each decision, and those of its choices; each after those before it.
    pub decisions: Vec<(usize, Vec<usize>)>,
}

/// Where a sequence of the leader and one of the follower end the game.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct End {
    /// How likely chance lets them, 1 where there is none.
    pub chance: f64,
    /// Times what the leader is paid, and the follower.
    pub paid: [f64; 2],
}

/// A game in sequence form.
#[derive(Debug)]
pub struct Reduced {
    pub leader: Side,
    pub follower: Side,
    /// By the sequences of the leader and of the follower.
    pub ends: BTreeMap<(usize, usize), End>,
    /// For each sequence of the program the one here.
    pub strategy: Vec<usize>,
    /// For each of the follower's plans in the program its sequences here.
    pub answers: Vec<Vec<usize>>,
}

impl Reduced {
    /// The sequence form of a game.
    ///
    /// # Errors
    /// [`TreeError::Stopped`] when `stop` is set.
    pub fn of(
        posed: &Posed,
        progress: &mut dyn Progress,
        stop: &AtomicBool,
    ) -> Result<Reduced, TreeError> {
        match &posed.form {
            Form::Plans(form) => of_plans(form, posed.leader, progress, stop),
            Form::Tree(form) => Ok(of_tree(form, posed.leader)),
        }
    }
}

/// The sequences of some plans: choices where they part.
struct Parted {
    side: Side,
    /// For each plan the sequence that each of its steps belongs to.
    by_step: Vec<Vec<usize>>,
}

fn parted(plans: Vec<Vec<u32>>) -> Parted {
    let mut side = Side {
        sequences: 1,
        decisions: Vec::new(),
    };
    let mut by_step: Vec<Vec<usize>> = plans.iter().map(|_| Vec::new()).collect();
    let mut open = vec![(0, (0..plans.len()).collect::<Vec<_>>())];
    while !open.is_empty() {
        let mut next = Vec::new();
        for (sequence, together) in open {
            let mut by_choice: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
            for plan in together {
                if let Some(choice) = plans[plan].get(by_step[plan].len()) {
                    by_choice.entry(*choice).or_default().push(plan);
                }
            }
            let part = by_choice.len() > 1;
            let mut choices = Vec::new();
            for together in by_choice.into_values() {
                let sequence = if part { side.sequences } else { sequence };
                side.sequences += usize::from(part);
                choices.push(sequence);
                together
                    .iter()
                    .for_each(|plan| by_step[*plan].push(sequence));
                next.push((sequence, together));
            }
            if part {
                side.decisions.push((sequence, choices));
            }
        }
        open = next;
    }
    Parted { side, by_step }
}

fn of_plans(
    form: &PlansForm,
    leader: usize,
    progress: &mut dyn Progress,
    stop: &AtomicBool,
) -> Result<Reduced, TreeError> {
    let choices = |player: usize| -> Vec<Vec<u32>> {
        let plans = &form.plans[player];
        (0..plans.distinct()).map(|p| plans.choices(p)).collect()
    };
    let (own, other) = (choices(leader), choices(1 - leader));
    let (leads, follows) = (parted(own.clone()), parted(other.clone()));
    let mut ends = BTreeMap::new();
    progress.begin("plans posed", Some(own.len() as u64));
    for (number, (plan, sequences)) in std::iter::zip(&own, &leads.by_step).enumerate() {
        progress.done(number as u64);
        if stop.load(Ordering::Relaxed) {
            return Err(TreeError::Stopped);
        }
        for (answer, theirs) in std::iter::zip(&other, &follows.by_step) {
            let mut state = 0;
            for (step, (a, b)) in std::iter::zip(plan, answer).enumerate() {
                match form.game.states[state as usize].after(leader, *a, *b) {
                    Next::State(next) => state = next,
                    Next::End(end) => {
                        let payoffs = form.game.payoffs[end as usize];
                        let end = End {
                            chance: 1.0,
                            paid: [payoffs[leader], payoffs[1 - leader]],
                        };
                        ends.insert((sequences[step], theirs[step]), end);
                        break;
                    }
                }
            }
        }
    }
    let last = |steps: &Vec<usize>| steps.last().copied().unwrap_or(0);
    let leaves = leads.by_step.iter().map(last);
    Ok(Reduced {
        strategy: std::iter::once(0).chain(leaves).collect(),
        answers: follows.by_step,
        leader: leads.side,
        follower: follows.side,
        ends,
    })
}

fn side(form: &PlayerSequences) -> Side {
    let decisions = form.decisions.iter();
    Side {
        sequences: form.sequences,
        decisions: decisions
            .map(|d| (d.before as usize, d.range().collect()))
            .collect(),
    }
}

fn of_tree(form: &SequenceForm, leader: usize) -> Reduced {
    let players = &form.sequences.players;
    let plans = form.plans.iter();
    Reduced {
        leader: side(&players[leader]),
        follower: side(&players[1 - leader]),
        ends: ends_of_tree(form, leader),
        strategy: (0..players[leader].sequences).collect(),
        answers: plans
            .map(|plan| plan.iter().map(|s| *s as usize).collect())
            .collect(),
    }
}

fn ends_of_tree(form: &SequenceForm, leader: usize) -> BTreeMap<(usize, usize), End> {
    let tree = &form.tree;
    let mut ends: BTreeMap<(usize, usize), End> = BTreeMap::new();
    let mut at = vec![([0usize; 2], 1.0f64); tree.nodes().len()];
    for (number, node) in tree.nodes().iter().enumerate() {
        let (sequences, chance) = at[number];
        let children = node.first as usize..(node.first + node.children) as usize;
        match node.kind {
            NodeKind::Terminal(vector) => {
                let pair = (sequences[leader], sequences[1 - leader]);
                let end = ends.entry(pair).or_default();
                let payoffs = tree.payoffs(vector);
                end.chance += chance;
                end.paid[0] += chance * payoffs[leader];
                end.paid[1] += chance * payoffs[1 - leader];
            }
            NodeKind::Chance(_) => {
                for (child, p) in children.zip(tree.probabilities(node)) {
                    at[child] = (sequences, chance * p);
                }
            }
            NodeKind::Decision(state) => {
                let state = &tree.information_states()[state as usize];
                let player = state.player as usize;
                let first = state.first as usize + 1 - tree.choices_of(player).start;
                for (child, sequence) in children.zip(first..) {
                    let mut sequences = sequences;
                    sequences[player] = sequence;
                    at[child] = (sequences, chance);
                }
            }
        }
    }
    ends
}
