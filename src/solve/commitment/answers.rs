//! The best plans of a player against some plans of the other, without listing the player's plans: dynamic programming over
//! what the player may have done and where each of the other's plans has led by then.
//!
//! What is still to be earned depends on the player's class and on the world state under each plan that the game has not
//! ended under, so there are as many cases as sets of plans that still run, and not as many as plans.

use super::open_loop::{Class, Next, OpenLoop};
use crate::random::{Stream, place};
use rand::RngExt;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use std::collections::hash_map::Entry;
use std::ops::Range;

/// A plan: which choice is made at each step, 0 where the player is not asked.
pub type Plan = Vec<u32>;

/// What an end is worth under a plan of the other player, in two numbers: the second counts among equals in the first.
pub type Worth<'a> = &'a dyn Fn(usize, u32) -> [f64; 2];

/// Under this plan the game has ended.
const ENDED: u32 = u32::MAX;

/// How a plan goes on.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Then {
    /// At a case, where some choices are better than others.
    Case(u32),
    /// In any way from a class on.
    Class(u32),
    /// The game cannot go on.
    End,
}

/// A choice of the player at a case.
#[derive(Copy, Clone, Debug)]
struct Arm {
    choice: u32,
    /// The choice of the other player that it goes with; 0 where that follows from its plans.
    other: u32,
    then: Then,
    /// What ends at this step.
    now: [f64; 2],
    /// How many plans go on from here; set of the best arms alone.
    plans: f64,
}

/// What the player is to do, when so much has happened.
#[derive(Clone, Debug)]
struct Case {
    arms: Range<usize>,
    worth: [f64; 2],
    /// How many plans from here are best.
    plans: f64,
}

/// The plans of a player that are best, and what they are worth.
#[derive(Clone, Debug)]
pub struct Answers {
    cases: Vec<Case>,
    arms: Vec<Arm>,
}

/// What does not change from question to question: one player of a game, who answers.
#[derive(Debug)]
pub struct Answering<'g> {
    game: &'g OpenLoop,
    player: usize,
    /// How many plans go on from each class, and from each choice there.
    plans: Vec<f64>,
    by_choice: Vec<SmallVec<[f64; 4]>>,
    /// Worths that differ by less are equal.
    same: f64,
}

/// The world state under each plan of the other.
type States = SmallVec<[u32; 8]>;
type Layer = Vec<(u32, States)>;
/// The cases of one step, by class and states.
type Known = FxHashMap<(u32, States), u32>;

/// The cases of the step that follows.
struct Following {
    /// The number of the first of them.
    first: usize,
    layer: Layer,
}

impl Following {
    /// How it goes on from a class and these states.
    fn then(&mut self, class: Option<u32>, states: States, known: &mut Known) -> Then {
        match class {
            None => Then::End,
            Some(class) if states.iter().all(|s| *s == ENDED) => Then::Class(class),
            Some(class) => Then::Case(match known.entry((class, states)) {
                Entry::Occupied(case) => *case.get(),
                Entry::Vacant(new) => {
                    let number = (self.first + self.layer.len()) as u32;
                    self.layer.push(new.key().clone());
                    *new.insert(number)
                }
            }),
        }
    }
}

impl<'g> Answering<'g> {
    /// `same`: worths that differ by less are equal.
    pub fn new(game: &'g OpenLoop, player: usize, same: f64) -> Answering<'g> {
        let classes = &game.classes[player];
        let mut plans = vec![1.0; classes.len()];
        let mut by_choice: Vec<SmallVec<[f64; 4]>> = vec![SmallVec::new(); classes.len()];
        for (number, class) in classes.iter().enumerate().rev() {
            let from = |next: &Option<u32>| next.map_or(1.0, |n| plans[n as usize]);
            by_choice[number] = class.next.iter().map(from).collect();
            plans[number] = by_choice[number].iter().sum();
        }
        Answering {
            game,
            player,
            plans,
            by_choice,
            same,
        }
    }

    fn class(&self, number: u32) -> &'g Class {
        &self.game.classes[self.player][number as usize]
    }

    /// The player's best plans against these of the other, by the sum of what the ends are worth.
    pub fn best(&self, others: &[&[u32]], worth: Worth<'_>) -> Answers {
        self.explore(others, None, worth)
    }

    /// The best pairs of a plan of the player and a plan of the other that begins with these choices. The plan of the other is
    /// number 0 for `worth`; the other plans, which are given, follow it.
    pub fn best_pair(&self, begins: &[u32], others: &[&[u32]], worth: Worth<'_>) -> Answers {
        let mut all: Vec<&[u32]> = vec![&[]];
        all.extend_from_slice(others);
        self.explore(&all, Some(begins), worth)
    }

    /// With `begins`, the first plan of the other is any that begins so.
    fn explore(&self, others: &[&[u32]], begins: Option<&[u32]>, worth: Worth<'_>) -> Answers {
        let mut answers = Answers {
            cases: Vec::new(),
            arms: Vec::new(),
        };
        // Of each case that was met and not looked at yet: its class, and the state under each plan.
        let mut layer: Layer = vec![(0, others.iter().map(|_| 0).collect())];
        let mut known = Known::default();
        for step in 0.. {
            if layer.is_empty() {
                break;
            }
            let mut next = Following {
                first: answers.cases.len() + layer.len(),
                layer: Vec::new(),
            };
            known.clear();
            for (class, states) in &layer {
                let begin = answers.arms.len();
                let free = match (begins, states.first()) {
                    (Some(begins), Some(&state)) if state != ENDED => match begins.get(step) {
                        Some(&choice) => choice..choice + 1,
                        None => 0..self.game.states[state as usize].options[1 - self.player],
                    },
                    _ => 0..1,
                };
                for (choice, class_after) in self.class(*class).next.iter().enumerate() {
                    for other in free.clone() {
                        let plan_choice = |plan: usize| match (plan, begins) {
                            (0, Some(_)) => other,
                            _ => others[plan].get(step).copied().unwrap_or(0),
                        };
                        let mut now = [0.0; 2];
                        let mut after: States = States::with_capacity(states.len());
                        for (plan, &state) in states.iter().enumerate() {
                            let follows = self.after(state, choice as u32, plan_choice(plan));
                            after.push(match follows {
                                Some(Next::State(state)) => state,
                                Some(Next::End(end)) => {
                                    let [a, b] = worth(plan, end);
                                    now = [now[0] + a, now[1] + b];
                                    ENDED
                                }
                                None => ENDED,
                            });
                        }
                        answers.arms.push(Arm {
                            choice: choice as u32,
                            other,
                            then: next.then(*class_after, after, &mut known),
                            now,
                            plans: 0.0,
                        });
                    }
                }
                answers.cases.push(Case {
                    arms: begin..answers.arms.len(),
                    worth: [0.0; 2],
                    plans: 0.0,
                });
            }
            layer = next.layer;
        }
        self.judge(&mut answers);
        answers
    }

    /// What follows a state when both choose; `None` where the game is over.
    fn after(&self, state: u32, choice: u32, other: u32) -> Option<Next> {
        let joint = self.game.states.get(state as usize)?;
        Some(joint.after(self.player, choice, other))
    }

    /// From the last cases to the first: what they are worth, and which choices are best.
    fn judge(&self, answers: &mut Answers) {
        for number in (0..answers.cases.len()).rev() {
            let range = answers.cases[number].arms.clone();
            let follows = |arm: &Arm| match arm.then {
                Then::Case(case) => answers.cases[case as usize].worth,
                _ => [0.0; 2],
            };
            let total = |arm: &Arm| {
                let after = follows(arm);
                [arm.now[0] + after[0], arm.now[1] + after[1]]
            };
            let totals: SmallVec<[[f64; 2]; 8]> =
                answers.arms[range.clone()].iter().map(total).collect();
            let most =
                |values: &mut dyn Iterator<Item = f64>| values.fold(f64::NEG_INFINITY, f64::max);
            let first = most(&mut totals.iter().map(|t| t[0]));
            let is_first = |t: &&[f64; 2]| t[0] >= first - self.same;
            let second = most(&mut totals.iter().filter(is_first).map(|t| t[1]));
            let mut plans = 0.0;
            for (place, total) in totals.iter().enumerate() {
                let arm = answers.arms[range.start + place];
                if !is_first(&total) || total[1] < second - self.same {
                    continue;
                }
                let count = match arm.then {
                    Then::Case(case) => answers.cases[case as usize].plans,
                    Then::Class(class) => self.plans[class as usize],
                    Then::End => 1.0,
                };
                answers.arms[range.start + place].plans = count;
                plans += count;
            }
            let case = &mut answers.cases[number];
            case.worth = [first, second];
            case.plans = plans;
        }
    }

    /// A choice of one of the best plans, each as likely as every other, and how it goes on.
    pub fn sample(&self, answers: &Answers, at: Then, rng: &mut Stream) -> (u32, Then) {
        match at {
            Then::Case(case) => {
                let case = &answers.cases[case as usize];
                let arms = &answers.arms[case.arms.clone()];
                let arm = drawn(arms, |arm| arm.plans, case.plans, rng);
                (arms[arm].choice, arms[arm].then)
            }
            Then::Class(class) => {
                let class = class as usize;
                let choices = &self.by_choice[class];
                let choice = drawn(choices, |plans| *plans, self.plans[class], rng);
                let next = self.class(class as u32).next[choice];
                (choice as u32, next.map_or(Then::End, Then::Class))
            }
            Then::End => (0, Then::End),
        }
    }

    /// Any plan, each as likely as every other.
    pub fn any(&self, rng: &mut Stream) -> Plan {
        let nothing = Answers {
            cases: Vec::new(),
            arms: Vec::new(),
        };
        let mut plan = Plan::new();
        let mut at = Then::Class(0);
        while at != Then::End {
            let (choice, then) = self.sample(&nothing, at, rng);
            plan.push(choice);
            at = then;
        }
        plan
    }

    /// The best plans in order, no more than `most` of them.
    pub fn listed(&self, answers: &Answers, most: usize) -> Vec<Plan> {
        let mut found = Vec::new();
        let mut open = vec![(Plan::new(), Then::Case(0))];
        while let Some((plan, at)) = open.pop() {
            if found.len() == most {
                break;
            }
            let ways: Vec<(u32, Then)> = match at {
                Then::End => {
                    found.push(plan);
                    continue;
                }
                Then::Case(case) => {
                    let arms = answers.cases.get(case as usize).map(|case| &case.arms);
                    let arms = arms.map_or(&[][..], |arms| &answers.arms[arms.clone()]);
                    let best = arms.iter().filter(|arm| arm.plans > 0.0);
                    best.map(|arm| (arm.choice, arm.then)).collect()
                }
                Then::Class(class) => {
                    let next = self.class(class).next.iter().enumerate();
                    let ways = next
                        .map(|(choice, next)| (choice as u32, next.map_or(Then::End, Then::Class)));
                    ways.collect()
                }
            };
            for (choice, then) in ways.into_iter().rev() {
                let mut plan = plan.clone();
                plan.push(choice);
                open.push((plan, then));
            }
        }
        found
    }

    /// The first of the best plans.
    pub fn first(&self, answers: &Answers) -> Plan {
        self.first_pair(answers).0
    }

    /// The first of the best pairs of plans; that of the other as far as the game goes on.
    pub fn first_pair(&self, answers: &Answers) -> (Plan, Plan) {
        let mut plan = Plan::new();
        let mut other = Plan::new();
        let mut at = Then::Case(0);
        loop {
            match at {
                Then::Case(case) => {
                    let arms = &answers.arms[answers.cases[case as usize].arms.clone()];
                    let Some(arm) = arms.iter().find(|arm| arm.plans > 0.0) else {
                        return (plan, other);
                    };
                    plan.push(arm.choice);
                    other.push(arm.other);
                    at = arm.then;
                }
                Then::Class(class) => {
                    plan.push(0);
                    let next = self.class(class).next.first().copied().flatten();
                    at = next.map_or(Then::End, Then::Class);
                }
                Then::End => return (plan, other),
            }
        }
    }
}

impl Answers {
    /// The same without choices that are not best, for those who sample from it again and again.
    pub fn compact(mut self) -> Answers {
        let mut kept = Vec::new();
        for case in &mut self.cases {
            let first = kept.len();
            let arms = self.arms[case.arms.clone()].iter();
            kept.extend(arms.filter(|arm| arm.plans > 0.0));
            case.arms = first..kept.len();
        }
        self.arms = kept;
        self
    }

    /// How many plans are best.
    pub fn count(&self) -> f64 {
        self.cases.first().map_or(0.0, |case| case.plans)
    }

    /// What the best plans are worth.
    pub fn worth(&self) -> [f64; 2] {
        self.cases.first().map_or([0.0; 2], |case| case.worth)
    }
}

/// One of some things, by weights that add up to a total.
fn drawn<T>(things: &[T], weight: impl Fn(&T) -> f64, total: f64, rng: &mut Stream) -> usize {
    let counts = |thing: &&T| weight(thing) > 0.0;
    if things.iter().filter(counts).count() == 1 {
        return things.iter().position(|t| weight(t) > 0.0).unwrap_or(0);
    }
    place(things.iter().map(weight), rng.random::<f64>() * total)
}
