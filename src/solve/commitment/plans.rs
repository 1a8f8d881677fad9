//! Plans of a player of an [`OpenLoop`] game: lists of actions, of which those that always lead to the same are one.
//!
//! Plans are put together from their ends: what a plan does from a class on is its first choice and what it does from the
//! next class on. From each world state of the class that is a function of what the other player does, and functions are
//! numbered as they are met, so that equal ones have equal numbers. Two rests of plans with the same functions at all states
//! of their class are never told apart again; one of them is kept, with how many it stands for.

use super::open_loop::{Next, OpenLoop};
use crate::solve::TreeError;
use indexmap::{IndexMap, IndexSet};
use rustc_hash::FxBuildHasher;
use std::sync::atomic::{AtomicBool, Ordering};

/// What follows from a world state for a rest of a plan, by what the other player does.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
enum Function {
    /// The end with these payoffs, whatever it does.
    End(u32),
    /// By the next choice of the other player: a number in `Functions`.
    Choice(u32),
}

/// Functions of the other player's choices, each once.
#[derive(Debug, Default)]
struct Functions(IndexSet<Box<[Function]>, FxBuildHasher>);

impl Functions {
    fn number(&mut self, by_choice: Box<[Function]>) -> Function {
        if let Some(Function::End(end)) = by_choice.first().copied()
            && by_choice.iter().all(|f| *f == Function::End(end))
        {
            return Function::End(end);
        }
        Function::Choice(self.0.insert_full(by_choice).0 as u32)
    }
}

/// A rest of a plan, from a class on.
#[derive(Copy, Clone, Debug)]
struct Rest {
    /// Which choice comes first.
    choice: u32,
    /// The class and the rest there, if the game may go on.
    then: Option<(u32, u32)>,
    /// How many plans it stands for.
    count: f64,
}

/// The plans of a player.
#[derive(Debug)]
pub struct Plans {
    /// By class.
    rests: Vec<Vec<Rest>>,
    functions: Functions,
    /// What each plan leads to from the start, by the other player's choices.
    roots: Vec<Function>,
}

/// Why plans were not listed.
#[derive(Debug)]
pub enum Trouble {
    /// More than so many rests of plans at one class.
    TooMany(usize),
    Tree(TreeError),
}

impl Plans {
    /// The plans of a player, at most `most` of them.
    ///
    /// # Errors
    /// [`Trouble::TooMany`], and when it was stopped.
    pub fn of(
        game: &OpenLoop,
        player: usize,
        most: usize,
        stop: &AtomicBool,
    ) -> Result<Plans, Trouble> {
        let classes = &game.classes[player];
        let mut functions = Functions::default();
        // The functions of the rests of a class: for each rest one for each state.
        let mut found: Vec<Vec<Function>> = vec![Vec::new(); classes.len()];
        let mut rests: Vec<Vec<Rest>> = vec![Vec::new(); classes.len()];
        // Where in its class a state stands.
        let mut place = vec![0usize; game.states.len()];
        for class in classes {
            for (i, state) in class.states.iter().enumerate() {
                place[*state as usize] = i;
            }
        }
        for (number, class) in classes.iter().enumerate().rev() {
            let mut known: IndexMap<Box<[Function]>, Rest, FxBuildHasher> = IndexMap::default();
            for (choice, next) in class.next.iter().enumerate() {
                let then = |n: &u32| (*n, rests[*n as usize].len());
                let (below, count) = next.as_ref().map_or((None, 1), |n| {
                    let (class, count) = then(n);
                    (Some(class), count)
                });
                for rest in 0..count {
                    if stop.load(Ordering::Relaxed) {
                        return Err(Trouble::Tree(TreeError::Stopped));
                    }
                    let width = below.map_or(0, |b| classes[b as usize].states.len());
                    let after = below.map_or(&[][..], |b| {
                        &found[b as usize][rest * width..(rest + 1) * width]
                    });
                    let row: Box<[Function]> = class
                        .states
                        .iter()
                        .map(|state| {
                            let joint = &game.states[*state as usize];
                            let others = 0..joint.options[1 - player];
                            let follow = others.map(|other| {
                                match joint.after(player, choice as u32, other) {
                                    Next::End(end) => Function::End(end),
                                    Next::State(next) => after[place[next as usize]],
                                }
                            });
                            functions.number(follow.collect())
                        })
                        .collect();
                    let then = below.map(|b| (b, rest as u32));
                    let times = then.map_or(1.0, |(c, r)| rests[c as usize][r as usize].count);
                    known
                        .entry(row)
                        .or_insert(Rest {
                            choice: choice as u32,
                            then,
                            count: 0.0,
                        })
                        .count += times;
                    if known.len() > most {
                        return Err(Trouble::TooMany(most));
                    }
                }
            }
            found[number] = known.keys().flat_map(|row| row.iter().copied()).collect();
            rests[number] = known.into_values().collect();
        }
        let roots = found.first().cloned().unwrap_or_default();
        Ok(Plans {
            rests,
            functions,
            roots,
        })
    }

    /// The number of plans.
    pub fn distinct(&self) -> usize {
        self.roots.len()
    }

    /// How many lists of actions a plan stands for.
    pub fn count(&self, plan: usize) -> f64 {
        self.rests[0][plan].count
    }

    /// The choices of a plan, one a step.
    pub fn choices(&self, plan: usize) -> Vec<u32> {
        let mut choices = Vec::new();
        let mut at = Some((0, plan as u32));
        while let Some((class, rest)) = at {
            let rest = self.rests[class as usize][rest as usize];
            choices.push(rest.choice);
            at = rest.then;
        }
        choices
    }

    /// For each plan of the other player and each of this one the number of the payoffs at the end, row by row. `None` where
    /// plans of the other player are not as long as the game.
    pub fn ends(&self, other: &Plans) -> Option<Vec<u32>> {
        let mut ends = Vec::with_capacity(self.distinct() * other.distinct());
        for plan in 0..other.distinct() {
            let choices = other.choices(plan);
            for root in &self.roots {
                ends.push(self.end(*root, &choices)?);
            }
        }
        Some(ends)
    }

    fn end(&self, root: Function, others: &[u32]) -> Option<u32> {
        let mut at = root;
        let mut others = others.iter();
        loop {
            match at {
                Function::End(end) => return Some(end),
                Function::Choice(number) => {
                    at = self.functions.0[number as usize][*others.next()? as usize];
                }
            }
        }
    }
}
