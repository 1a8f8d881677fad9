//! One simulation after the other.

use super::action_history::{ActionHistory, bias};
use super::filter;
use super::keys::Keys;
use super::observed_actions::look_to;
use super::options::Decide;
use super::others::{Line, Others, Whose};
use super::past::Past;
use super::selection::{Counting, Here};
use super::table::{Node, Offered, Table};
use super::{Keying, Options, Root};
use crate::belief::Sampler;
use crate::machine::{
    Action, Actions, Machine, Move, ObservedStepper, Payoffs, PlayError, SharedActions, State,
    Stepper, Turn,
};
use crate::model::PlayerSet;
use crate::random::Stream;
use crate::search::exploration::Exploration;
use crate::search::mcts::FinalChoice;
use crate::search::mcts::policies::shares;
use crate::search::mcts::roll_outs::RollOut;
use rand::RngExt;
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use std::collections::hash_map::Entry;
use std::ops::Range;
use std::sync::Arc;

/// Simulations from one question of a player.
pub struct Simulations<'m, 'r> {
    machine: &'m Arc<Machine>,
    root: &'r Root<'r>,
    options: &'r Options,
    table: Table,
    roll_out: Box<dyn RollOut + 'm>,
    stepper: Stepper<'m>,
    observed: ObservedStepper<'m>,
    /// C of each player, in units of payoff.
    exploration: Exploration,
    /// What the searching player looks at where it is asked.
    kept: Actions,
    /// `None`: it counts for nothing.
    history: Option<ActionHistory>,
    /// What the simulation under way has played, if the history asks for it.
    moves: Vec<Move>,
    /// Of the hypotheses that were drawn, by number.
    begun: FxHashMap<usize, Begun>,
    /// Where others learn in states of their own beliefs.
    others: Option<Others<'m>>,
    /// The hypothesis that the simulation under way, or the last one of the searching player's, began in.
    number: usize,
    /// What that hypothesis weighs.
    weight: f64,
    whose: Whose,
    /// The searching player's nodes at the root, with what the state weighs from which each was come to first.
    roots: Vec<(u32, f64)>,
    /// What the simulation under way has selected: node and arm, and what was there.
    way: Vec<Taken>,
    /// The arms that were there at each of its nodes, one after the other.
    passed: Vec<u32>,
    /// Those of the last one.
    there: Vec<u32>,
    /// What each of those who choose at once may choose from.
    lists: Vec<SharedActions>,
}

/// So many hypotheses are kept as simulations begin in them.
const MOST_BEGUN: usize = 4096;

/// A hypothesis as simulations begin in it.
struct Begun {
    keys: Keys,
    /// Where others learn in states of their own beliefs.
    past: Option<Past>,
}

struct Taken {
    mover: usize,
    node: u32,
    arm: u32,
    /// Where those that were there lie in `passed`.
    there: Range<usize>,
}

/// What was found about one action.
#[derive(Copy, Clone, Debug, Default)]
pub struct Tally {
    pub visits: f64,
    pub sum: f64,
}

/// What was found at the root, by action.
pub struct Found {
    pub tallies: Vec<Tally>,
    pub strategy: Vec<f64>,
}

impl<'m, 'r> Simulations<'m, 'r> {
    pub fn new(
        machine: &'m Arc<Machine>,
        root: &'r Root<'r>,
        options: &'r Options,
        (table, exploration): (Table, Option<Exploration>),
    ) -> Result<Self, PlayError> {
        let exploration =
            exploration.unwrap_or_else(|| Exploration::new(machine, options.selection.c()));
        Ok(Simulations {
            machine,
            root,
            options,
            table,
            roll_out: options.roll_outs.start(machine),
            stepper: machine.stepper(),
            observed: machine.observed_stepper(options.heard_by(root.player)),
            exploration,
            kept: match options.filtered {
                true => filter::kept(machine, root)?,
                false => root.actions.clone(),
            },
            history: (options.history > 0.0).then(ActionHistory::default),
            moves: Vec::new(),
            begun: FxHashMap::default(),
            others: options
                .redeterminized
                .then(|| Others::new(machine, options.belief, root.policy.cloned())),
            number: 0,
            weight: 1.0,
            whose: Whose::Everybody,
            roots: Vec::new(),
            way: Vec::new(),
            passed: Vec::new(),
            there: Vec::new(),
            lists: Vec::new(),
        })
    }

    pub fn nodes(&self) -> usize {
        self.table.nodes.len()
    }

    /// What another search may go on with.
    pub fn into_kept(self) -> (Table, Exploration) {
        (self.table, self.exploration)
    }

    /// Where a simulation of the searching player begins, in one of the hypotheses.
    fn begin(&mut self, number: usize) -> Result<Line, PlayError> {
        let (machine, root, keying) = (self.machine, self.root, self.options.keying);
        if self.begun.len() >= MOST_BEGUN {
            self.begun.clear();
        }
        let begun = match self.begun.entry(number) {
            Entry::Occupied(begun) => begun.into_mut(),
            Entry::Vacant(place) => {
                let steps = root.histories.get(number);
                let steps = steps.filter(|_| self.options.by_history());
                let past = steps.map(|steps| Past::of(machine, steps)).transpose()?;
                let keys = match &past {
                    Some(past) => Keys::after(root, keying, past),
                    None => Keys::new(machine, root, keying, number),
                };
                let past = past.filter(|_| self.options.redeterminized);
                place.insert(Begun { keys, past })
            }
        };
        self.number = number;
        let whose = match &mut self.others {
            Some(others) if begun.past.is_some() => {
                others.begin();
                Whose::Searcher
            }
            _ => Whose::Everybody,
        };
        Ok(Line {
            state: root.hypotheses[number].state.clone(),
            keys: begun.keys.clone(),
            whose,
        })
    }

    /// A simulation from one of the hypotheses, or one that follows from the last.
    pub fn run(&mut self, sampler: &Sampler, rng: &mut Stream) -> Result<(), PlayError> {
        let (machine, root) = (self.machine, self.root);
        let following = self.others.as_mut().and_then(Others::next);
        let Line {
            mut state,
            mut keys,
            whose,
        } = match following {
            Some(line) => line,
            None => {
                let number = sampler.draw(rng);
                self.weight = sampler.weight(number);
                self.begin(number)?
            }
        };
        self.whose = whose;
        self.way.clear();
        self.passed.clear();
        self.moves.clear();
        let mut payoffs = Payoffs::new();
        let mut last = PlayerSet::EMPTY;
        let later = loop {
            let joint: SmallVec<[Action; 4]> = match machine.turn(&state) {
                Turn::Terminal => {
                    payoffs = machine.payoffs(&state)?;
                    break PlayerSet::EMPTY;
                }
                Turn::Chance => SmallVec::from_elem(machine.sample_chance(&state, rng)?, 1),
                Turn::Decision(movers) => {
                    let (joint, new) = self.select(&state, movers, &keys, rng)?;
                    last = movers;
                    self.note(&state, movers, &joint);
                    if new {
                        break self.roll_out(&mut state, &joint, rng, &mut payoffs)?;
                    }
                    joint
                }
            };
            if keys.listens() {
                let mut others = self.others.as_mut();
                self.observed.step(&mut state, &joint, &mut |event| {
                    keys.see(&event);
                    if let (Whose::Searcher, Some(others)) = (whose, &mut others) {
                        others.see(&event);
                    }
                })?;
            } else {
                keys.step(&joint);
                self.stepper.step_on(&mut state, &joint)?;
            }
        };
        let last = match later {
            PlayerSet::EMPTY => last,
            later => later,
        };
        let coalition = self.options.coalition;
        coalition.reduce(machine, root.player, last, &mut payoffs);
        self.exploration.learn(&payoffs);
        self.learn(&payoffs);
        Ok(())
    }

    /// Takes down what is played in the tree.
    fn note(&mut self, state: &State, movers: PlayerSet, joint: &[Action]) {
        if self.history.is_none() {
            return;
        }
        let node = self.machine.node(state);
        let moves = std::iter::zip(movers, joint).map(|(mover, action)| Move {
            node,
            player: Some(mover),
            action: action.clone(),
        });
        self.moves.extend(moves);
    }

    /// From a state after these actions to the end; who chose last.
    fn roll_out(
        &mut self,
        state: &mut State,
        joint: &[Action],
        rng: &mut Stream,
        payoffs: &mut Payoffs,
    ) -> Result<PlayerSet, PlayError> {
        if self.history.is_none() {
            let joint: SmallVec<[&Action; 4]> = joint.iter().collect();
            return self.roll_out.play_after(state, &joint, rng, payoffs);
        }
        self.stepper.step_on(state, joint)?;
        self.roll_out
            .play_observed(state, rng, payoffs, &mut self.moves)
    }

    /// An action for each mover, and whether somebody's node was new.
    fn select(
        &mut self,
        state: &State,
        movers: PlayerSet,
        keys: &Keys,
        rng: &mut Stream,
    ) -> Result<(SmallVec<[Action; 4]>, bool), PlayError> {
        let mut joint: SmallVec<[Action; 4]> = SmallVec::new();
        self.lists
            .resize_with(movers.len().max(self.lists.len()), SharedActions::default);
        for (list, mover) in std::iter::zip(&mut self.lists, movers) {
            self.stepper.shared_at(state, mover, list)?;
            joint.push(list[0].clone());
        }
        let node = self.machine.node(state);
        let at_root = self.way.is_empty();
        let mut new = false;
        for (place, mover) in movers.iter().enumerate() {
            let list = &self.lists[place];
            let Some((at, known)) = self.table.find(mover, keys.at(mover, node)) else {
                let drawn = rng.random_range(0..list.len() as u64) as usize;
                joint[place].clone_from(&list[drawn]);
                new = true;
                continue;
            };
            new |= !known;
            let searcher = self.root.player;
            let asked = at_root && mover == searcher && self.whose != Whose::Other;
            if self.table.pass(at) && asked {
                self.roots.push((at, self.weight));
            }
            if known && mover != searcher {
                let past = self.begun.get(&self.number).and_then(|b| b.past.as_ref());
                if let (Whose::Searcher, Some(past), Some(others)) =
                    (self.whose, past, &mut self.others)
                {
                    others.draw(past, keys, state, (mover, list), rng)?;
                }
            }
            let looks = match self.options.keying == Keying::Searchers && mover != searcher {
                true => Some(look_to(
                    &mut self.observed,
                    state,
                    searcher,
                    (mover, place),
                    list,
                    &mut joint,
                )?),
                false => None,
            };
            let offered = Offered {
                names: match (&looks, asked) {
                    (Some(looks), _) => looks,
                    (None, true) => &self.kept,
                    (None, false) => list,
                },
                number: list.number().filter(|_| looks.is_none() && !asked),
                repeated: looks.is_some(),
            };
            self.table.there(at, offered, &mut self.there);
            let entry = &self.table.nodes[at as usize];
            let counting = match self.options.keying {
                Keying::Movers | Keying::Searchers => Counting::Available,
                Keying::Actions | Keying::Determinizations => Counting::Visits,
            };
            let here = Here {
                arms: &entry.arms,
                there: &self.there,
                visits: entry.visits,
                counting,
                c: self.exploration.c(mover),
            };
            // Of what others do the searcher may see only a part: then it is not known which action an arm is.
            let biases = match looks {
                None => self.biases(entry, (node, mover)),
                Some(_) => SmallVec::new(),
            };
            let selection = self.options.selection;
            let taken = selection.select(&here, &biases, rng);
            let arm = self.there[taken];
            let name = entry.name(arm);
            joint[place].clone_from(name);
            if let Some(looks) = &looks {
                // Of those that look the same one at random.
                let same: Vec<usize> = (0..looks.len()).filter(|&i| looks[i] == *name).collect();
                let drawn = rng.random_range(0..same.len() as u64) as usize;
                joint[place].clone_from(&list[same[drawn]]);
            }
            self.way.push(Taken {
                mover,
                node: at,
                arm,
                there: self.passed.len()..self.passed.len() + self.there.len(),
            });
            self.passed.extend_from_slice(&self.there);
        }
        Ok((joint, new))
    }

    /// What Progressive History adds for a mover's arms that are there; nothing where it counts for nothing.
    fn biases(&self, at: &Node, (node, mover): (u32, usize)) -> SmallVec<[f64; 64]> {
        let Some(history) = &self.history else {
            return SmallVec::new();
        };
        let (least, most) = self.machine.features().payoff_bounds[mover];
        let bias_of = |place: u32| {
            let arm = &at.arms[place as usize];
            let mean = history.mean((node, mover as u8), at.name(place));
            let won = (arm.sum - least * arm.visits) / (most - least).max(f64::MIN_POSITIVE);
            bias(self.options.history * (most - least), mean, arm.visits, won)
        };
        let there = self.there.iter();
        there.map(|&arm| bias_of(arm)).collect()
    }

    fn learn(&mut self, payoffs: &Payoffs) {
        let (searcher, whose) = (self.root.player, self.whose);
        let way = self.way.iter();
        for taken in way.filter(|taken| whose != Whose::Searcher || taken.mover == searcher) {
            let node = &mut self.table.nodes[taken.node as usize];
            node.visits += 1.0;
            for &arm in &self.passed[taken.there.clone()] {
                node.arms[arm as usize].available += 1.0;
            }
            let arm = &mut node.arms[taken.arm as usize];
            arm.visits += 1.0;
            arm.sum += payoffs[taken.mover];
        }
        let Some(history) = &mut self.history else {
            return;
        };
        history.next_playout();
        for played in &self.moves {
            let Some(player) = played.player else {
                continue;
            };
            // Of a player as it is, not as another takes it to be.
            let learns = match whose {
                Whose::Everybody => true,
                Whose::Searcher => player == searcher,
                Whose::Other => player != searcher,
            };
            if !learns {
                continue;
            }
            let (least, most) = self.machine.features().payoff_bounds[player];
            let share = (payoffs[player] - least) / (most - least).max(f64::MIN_POSITIVE);
            history.learn((played.node, player as u8), &played.action, share);
        }
    }

    /// What there is at the root. In a table that goes on there may be arms that were tried where another question was asked; of
    /// these only what a filter keeps counts.
    pub fn found(&self) -> Found {
        let actions = self.root.actions;
        let kept: FxHashSet<&Action> = self.kept.iter().collect();
        let places = actions.iter().zip(0..);
        let places = places.filter(|(action, _)| kept.contains(action));
        let places: FxHashMap<&Action, usize> = places.collect();
        let mut tallies = vec![Tally::default(); actions.len()];
        let mut votes = vec![0.0; actions.len()];
        for &(root, weight) in &self.roots {
            let node = &self.table.nodes[root as usize];
            let mut own = vec![Tally::default(); actions.len()];
            for (name, arm) in node.named_arms() {
                if let Some(&place) = places.get(name) {
                    own[place].visits += arm.visits;
                    own[place].sum += arm.sum;
                }
            }
            for ((vote, share), (all, own)) in std::iter::zip(
                std::iter::zip(
                    &mut votes,
                    by(self.options.final_choice, FinalChoice::vote, &own),
                ),
                std::iter::zip(&mut tallies, &own),
            ) {
                *vote += weight * share;
                all.visits += own.visits;
                all.sum += own.sum;
            }
        }
        let trees = self.options.keying == Keying::Determinizations;
        let decide = Some(self.options.decide).filter(|_| trees);
        let strategy = if tallies.iter().all(|tally| tally.visits == 0.0) {
            let kept = |action| f64::from(u8::from(kept.contains(action)));
            shares(actions.iter().map(kept))
        } else {
            let chosen = self.options.final_choice;
            match decide {
                Some(Decide::Vote) => by_votes(&votes, &tallies),
                Some(Decide::Average) => by(FinalChoice::Mean, FinalChoice::strategy, &tallies),
                None => by(chosen, FinalChoice::strategy, &tallies),
            }
        };
        Found { tallies, strategy }
    }
}

/// By a final choice.
fn by(
    chosen: FinalChoice,
    choose: fn(FinalChoice, &[f64], &[f64]) -> Vec<f64>,
    tallies: &[Tally],
) -> Vec<f64> {
    let visits: Vec<f64> = tallies.iter().map(|t| t.visits).collect();
    let sums: Vec<f64> = tallies.iter().map(|t| t.sum).collect();
    choose(chosen, &visits, &sums)
}

/// The most votes, each by the weight of its state; of those with as many the most visits, evenly if these are the same too.
fn by_votes(votes: &[f64], tallies: &[Tally]) -> Vec<f64> {
    let most = votes.iter().copied().fold(0.0, f64::max);
    // Shares of votes are sums of fractions.
    let tied = |i: usize| votes[i] > most - 1e-9;
    let candidates = (0..votes.len()).filter(|&i| tied(i));
    let plays = candidates.map(|i| tallies[i].visits).fold(0.0, f64::max);
    let best = |i: usize| tied(i) && tallies[i].visits == plays;
    shares((0..votes.len()).map(|i| f64::from(u8::from(best(i)))))
}
